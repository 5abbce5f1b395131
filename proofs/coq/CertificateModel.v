(** * What the checks of a model and of a witness establish (proofs) *)

From Coq Require Import ZArith QArith List Lia Ring Field Bool.
From OPD Require Import OrderedField Sums Mdp MdpFacts Existence Average Certificate CertificateStatements
  CertificateNumbers.
Import ListNotations.
Local Open Scope K_scope.

(** A sequence of checks passes if each does. *)
Lemma then_None (v w : verdict) : (v ;; w) = None -> v = None /\ w = None.
Proof. destruct v; easy. Qed.

Lemma nth_map {A B} (f : A -> B) l i d d' : (i < length l)%nat -> nth i (map f l) d = f (nth i l d').
Proof. intros H. rewrite (nth_indep _ d (f d')) by (now rewrite map_length). apply map_nth. Qed.

(** ** The model *)
Section Model.
  Context {K : ofield} (c : certificate).
  Add Field K_field : (field_laws K).
  Notation m := (the_model c).
  Notation M := (mdp_of K c).
  Notation of_Q := (of_Q K).

  Hypothesis shape : check_model_shape m = None.

  Lemma some_state : (0 < nS M)%nat.
  Proof. apply then_None in shape as [H _]. apply test_None in H. apply negb_true_iff, Nat.eqb_neq in H. simpl. lia. Qed.

  Lemma shapes : (length (features m) = states m /\
      forall x, (x < states m)%nat -> length (nth x (features m) []) = actions m /\
      forall a, (a < actions m)%nat -> length (nth a (nth x (features m) []) []) = dimension m) /\
    length (omega m) = dimension m /\
    length (psi m) = states m /\ forall x, (x < states m)%nat -> length (nth x (psi m) []) = dimension m.
  Proof.
    apply then_None in shape as [_ H]. apply test_None in H. repeat rewrite andb_true_iff in H. destruct H as [[[F D] O] P].
    apply is_table_spec in F as [F1 F2]. apply is_table_spec in P. apply has_length_spec in O.
    split; [|split; [exact O | exact P]]. split; [exact F1|]. intros x Hx. split; [now apply F2|]. intros a Ha.
    rewrite forallb_forall in D. specialize (D (nth x (features m) [])). rewrite forallb_forall in D.
    apply has_length_spec, D; apply nth_In; [lia | rewrite F2 by exact Hx; exact Ha].
  Qed.

  Lemma feature_stands x a : (x < nS M)%nat -> (a < nA M)%nat ->
    stands_for (scale (nth a (nth x (features m) []) [])) (dim M) (φ M x a).
  Proof. intros Hx Ha. apply scale_stands. now apply shapes. Qed.

  Lemma psi_stands x : (x < nS M)%nat -> stands_for (scale (nth x (psi m) [])) (dim M) (ψ M x).
  Proof. intros Hx. apply scale_stands. now apply shapes. Qed.

  (** Row i of Ψ. *)
  Lemma Psi_stands i : (i < dim M)%nat ->
    stands_for (nth i (rows_of_Psi m) (scale [])) (nS M) (fun x => ψ M x i).
  Proof.
    intros Hi. unfold rows_of_Psi. rewrite (nth_map _ _ i _ O), seq_nth by (rewrite ?seq_length; exact Hi). simpl.
    destruct shapes as (_ & _ & L & _).
    apply stands_for_ext with (vector K (map (fun p => nth i p 0%Q) (psi m))).
    - intros x Hx. unfold vector. rewrite (nth_map _ _ x _ []) by (rewrite L; exact Hx). reflexivity.
    - apply scale_stands. now rewrite map_length.
  Qed.

  Lemma model_is_mdp : check_model m = None -> is_mdp M.
  Proof.
    intros H. destruct shapes as ((F & FA) & O & P & PD).
    assert (A : forall x a, (x < nS M)%nat -> (a < nA M)%nat ->
      0 <= reward M x a <= 1 /\ (forall x', (x' < nS M)%nat -> 0 <= trans M x a x') /\ sumX M (trans M x a) = 1).
    { intros x a Hx Ha. unfold check_model in H.
      apply each_None with (i := x) (default := []) in H; [|rewrite F; exact Hx]. simpl in H.
      apply each_None with (i := a) (default := []) in H; [|rewrite (proj1 (FA x Hx)); exact Ha]. simpl in H.
      apply then_None in H as [R T]. apply test_None in R. apply test_None in T.
      assert (E : of_Q (dotQ (scale (nth a (nth x (features m) []) [])) (scale (omega m))) = reward M x a).
      { apply (dotQ_sum _ _ (dim M)); [now apply feature_stands | now apply scale_stands]. }
      apply andb_prop in R as [R0 R1]. apply (Qle_bool_K (K := K)) in R0, R1. rewrite E in R0, R1. rewrite of_Q_0 in R0. rewrite of_Q_1 in R1.
      split; [split; assumption|].
      set (l := map _ _) in T. assert (L : length l = nS M) by (unfold l; now rewrite !map_length).
      assert (V : forall x', (x' < nS M)%nat -> vector K l x' = trans M x a x').
      { intros x' Hx'. unfold vector, l. rewrite (nth_map _ _ x' _ (scale [])) by (rewrite map_length, P; exact Hx').
        rewrite (nth_map _ _ x' _ []) by (rewrite P; exact Hx').
        apply (dotQ_sum _ _ (dim M)); [now apply feature_stands | now apply psi_stands]. }
      apply (is_distribution_spec (K := K) l (nS M)) in T as [T0 T1]; [|exact L]. split.
      - intros x' Hx'. rewrite <- V by exact Hx'. auto.
      - rewrite <- T1. apply sum_ext. intros x' Hx'. now rewrite V. }
    split; [|split]; [intros x a x' Hx Ha Hx' | intros x a Hx Ha | intros x a Hx Ha]; now apply A.
  Qed.

  Lemma model_is_discounted g n : the_setting c = Discounted g n -> check_setting m (the_setting c) = None -> is_discounted M.
  Proof.
    intros S H. rewrite S in H. simpl in H. apply then_None in H as [L H]. apply then_None in H as [G H].
    apply test_None in L, G, H. apply has_length_spec in L. apply andb_prop in G as [G0 G1]. apply negb_true_iff in G1.
    apply (Qle_bool_K (K := K)) in G0. apply (Qle_bool_false_K (K := K)) in G1.
    apply (is_distribution_spec (K := K) n (nS M)) in H; [|exact L].
    unfold is_discounted. unfold mdp_of at 1 2 3. simpl. rewrite S. rewrite of_Q_0 in G0. rewrite of_Q_1 in G1.
    split; [exact G0|]. split; [exact G1|]. unfold mdp_of in *. simpl in *. rewrite S. exact H.
  Qed.

  (** ** Witnesses *)

  Lemma checked_policy who w : check_policy m who w = None ->
    is_policy M (table K (policy w)) /\ length (value w) = nS M /\ length (policy w) = nS M /\
    forall x, (x < nS M)%nat -> length (nth x (policy w) []) = nA M.
  Proof.
    intros H. apply then_None in H as [L H]. apply test_None in L. apply andb_prop in L as [L LV].
    apply is_table_spec in L as [L LA]. apply has_length_spec in LV.
    assert (D : forall x, (x < nS M)%nat ->
      (forall a, (a < nA M)%nat -> 0 <= table K (policy w) x a) /\ sum (nA M) (table K (policy w) x) = 1).
    { intros x Hx. apply each_None with (i := x) (default := []) in H; [|rewrite L; exact Hx]. simpl in H.
      apply test_None in H. apply (is_distribution_spec (K := K) _ (nA M)) in H; [exact H | now apply LA]. }
    split; [split|]; [intros x a Hx; now apply D | intros x Hx; now apply D | now repeat split].
  Qed.

  (** r + γPv, as the checker computes it. *)
  Definition bellman (g : K) (v : nat -> K) (x a : nat) : K :=
    reward M x a + g * sumX M (fun x' => trans M x a x' * v x').

  Notation checked_q g v := (backup g (omega m) (rows_of_Psi m) (map (map scale) (features m)) v).

  Lemma backup_length g v : length (checked_q g v) = nS M.
  Proof. unfold backup. rewrite !map_length. apply shapes. Qed.

  Lemma backup_row_length g v x : (x < nS M)%nat -> length (nth x (checked_q g v) []) = nA M.
  Proof.
    intros Hx. destruct shapes as ((F & FA) & _). unfold backup.
    rewrite (nth_map _ _ x _ []) by (rewrite map_length, F; exact Hx).
    rewrite map_length, (nth_map _ _ x _ []), map_length by (rewrite F; exact Hx). now apply FA.
  Qed.

  Lemma backup_value g v x a : length v = nS M -> (x < nS M)%nat -> (a < nA M)%nat ->
    table K (checked_q g v) x a = bellman (of_Q g) (vector K v) x a.
  Proof.
    intros Lv Hx Ha. destruct shapes as ((F & FA) & O & _). unfold table, backup.
    rewrite (nth_map _ _ x _ []) by (rewrite map_length, F; exact Hx). rewrite (nth_map _ _ x _ []) by (rewrite F; exact Hx).
    rewrite (nth_map _ _ a _ (scale [])) by (rewrite map_length, (proj1 (FA x Hx)); exact Ha).
    rewrite (nth_map _ _ a _ []) by (rewrite (proj1 (FA x Hx)); exact Ha).
    set (theta := map _ (combine _ _)).
    assert (LP : length (rows_of_Psi m) = dim M) by (unfold rows_of_Psi; now rewrite map_length, seq_length).
    assert (LC : length (combine (omega m) (rows_of_Psi m)) = dim M) by (rewrite combine_length, LP, O; apply Nat.min_id).
    rewrite (dotQ_sum _ _ (dim M) (φ M x a) (vadd (ω M) (Sums.scale (of_Q g) (Psi M (vector K v))))).
    - fold (dot (dim M) (φ M x a) (vadd (ω M) (Sums.scale (of_Q g) (Psi M (vector K v))))).
      rewrite dot_vadd_r, dot_scale_r, dot_phi_Psi. reflexivity.
    - now apply feature_stands.
    - apply stands_for_ext with (vector K theta); [|apply scale_stands; unfold theta; now rewrite map_length].
      intros i Hi. unfold vector, theta. rewrite (nth_map _ _ i _ (0%Q, scale [])) by (rewrite LC; exact Hi).
      rewrite combine_nth by (rewrite LP; exact O). simpl fst. simpl snd. rewrite of_Q_add, of_Q_mul.
      rewrite (dotQ_sum _ _ (nS M) (fun x => ψ M x i) (vector K v)) by (try (now apply Psi_stands); now apply scale_stands).
      unfold vadd, Sums.scale, Psi, sumX. simpl ω. f_equal. f_equal. apply sum_ext. intros y _. fold (vector K v y). ring.
  Qed.

  (** What the policy makes of v, with its gain and slack in K. *)
  Definition makes (s : setting) (w : witness) (x : nat) : K :=
    sum (nA M) (fun a => table K (policy w) x a * bellman (of_Q (discount_of s)) (vector K (value w)) x a).
  Definition level (s : setting) (w : witness) (x : nat) : K := vector K (value w) x + of_Q (gain_of s w).

  Section Witness.
    Context (s : setting) (who : whose) (w : witness).
    Hypothesis checked : check_policy m who w = None.
    Notation q := (checked_q (discount_of s) (value w)).

    Lemma rows_length : length (rows s w q) = nS M.
    Proof.
      destruct (checked_policy who w checked) as (_ & LV & LP & _). unfold rows.
      rewrite !combine_length, map_length, backup_length, LV, LP. rewrite !Nat.min_id. reflexivity.
    Qed.

    Lemma rows_nth x : (x < nS M)%nat -> exists d,
      nth x (rows s w q) d = (nth x (policy w) [], (nth x q [], (nth x (value w) 0%Q + gain_of s w)%Q)).
    Proof.
      intros Hx. destruct (checked_policy who w checked) as (_ & LV & LP & _). exists ([], ([], 0%Q)). unfold rows.
      rewrite combine_nth by (rewrite combine_length, map_length, backup_length, LV, LP; now rewrite Nat.min_id).
      rewrite combine_nth by (rewrite map_length, backup_length; now symmetry).
      rewrite (nth_map (fun v => (v + gain_of s w)%Q) _ x _ 0%Q) by (rewrite LV; exact Hx). reflexivity.
    Qed.

    Lemma makes_spec x : (x < nS M)%nat -> of_Q (dotQ (scale (nth x (policy w) [])) (scale (nth x q []))) = makes s w x.
    Proof.
      intros Hx. destruct (checked_policy who w checked) as (_ & LV & _ & LA).
      rewrite (dotQ_sum _ _ (nA M) (table K (policy w) x) (table K q x)).
      - apply sum_ext. intros a Ha. now rewrite backup_value.
      - apply scale_stands. now apply LA.
      - apply scale_stands. now apply backup_row_length.
    Qed.

    Lemma level_spec x : of_Q (nth x (value w) 0%Q + gain_of s w)%Q = level s w x.
    Proof. apply of_Q_add. Qed.

    Lemma played_spec j : check_played s j w q = None -> forall x, (x < nS M)%nat ->
      makes s w x <= level s w x + of_Q (slack w) /\ level s w x <= makes s w x + of_Q (slack w).
    Proof.
      intros H x Hx. destruct (rows_nth x Hx) as [d R]. unfold check_played in H.
      apply each_None with (i := x) (default := d) in H; [|rewrite rows_length; exact Hx]. rewrite R in H. simpl in H.
      apply test_None, andb_prop in H as [H H']. apply (Qle_bool_K (K := K)) in H, H'.
      rewrite of_Q_add, level_spec, makes_spec in H by exact Hx. rewrite level_spec, of_Q_add, makes_spec in H' by exact Hx. now split.
    Qed.

    Lemma best_spec : check_best s w q = None -> forall x, (x < nS M)%nat ->
      (forall a, (a < nA M)%nat ->
        bellman (of_Q (discount_of s)) (vector K (value w)) x a <= level s w x + of_Q (slack w)) /\
      level s w x <= makes s w x + of_Q (slack w).
    Proof.
      intros H x Hx. destruct (rows_nth x Hx) as [d R]. unfold check_best in H.
      apply each_None with (i := x) (default := d) in H; [|rewrite rows_length; exact Hx]. rewrite R in H. simpl in H.
      apply then_None in H as [H H']. split.
      - intros a Ha. apply each_None with (i := a) (default := 0%Q) in H; [|rewrite backup_row_length; assumption]. simpl in H.
        apply test_None, (Qle_bool_K (K := K)) in H. rewrite of_Q_add, level_spec in H.
        rewrite <- backup_value; [exact H | now apply (checked_policy who w) | exact Hx | exact Ha].
      - apply test_None, (Qle_bool_K (K := K)) in H'. now rewrite level_spec, of_Q_add, makes_spec in H' by exact Hx.
    Qed.
  End Witness.
End Model.
