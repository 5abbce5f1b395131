(** * Every claim of CertificateStatements.v, proved *)

From Coq Require Import ZArith QArith List Lia Ring Field Bool Reals Lra.
From OPD Require Import OrderedField Sums Mdp MdpFacts Existence Average Certificate CertificateStatements CertificateNumbers BestPolicy.
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

(** ** The claims *)
Section Claims.
  Context {K : ofield} (c : certificate).
  Add Field K_field' : (field_laws K).
  Notation of_Q := (of_Q K).
  Notation T := (Pos.to_nat (iterations c)).

  (** Σ over a list *)
  Fixpoint total {A} (f : A -> K) (l : list A) : K := match l with [] => 0 | x :: l => f x + total f l end.

  Lemma total_nth {A} (f : A -> K) l d : sum (length l) (fun t => f (nth t l d)) = total f l.
  Proof. induction l as [|x l IH]; [reflexivity|]. simpl length. rewrite sum_first. simpl. now rewrite IH. Qed.

  Lemma total_app {A} (f : A -> K) l l' : total f (l ++ l') = total f l + total f l'.
  Proof. induction l as [|x l IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma total_repeat {A} (f : A -> K) x n : total f (repeat x n) = of_nat n * f x.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma total_map {A B} (f : B -> K) (g : A -> B) l : total f (map g l) = total (fun x => f (g x)) l.
  Proof. induction l as [|x l IH]; [reflexivity | simpl; now rewrite IH]. Qed.

  Lemma total_run (f : witness -> K) : total f (run c) = total (fun p => of_Z K (Zpos (fst p)) * f (snd p)) (played c).
  Proof.
    unfold run. induction (played c) as [|p l IH]; [reflexivity|]. simpl. now rewrite total_app, total_repeat, IH, of_Z_pos.
  Qed.

  Lemma mean_run (f : witness -> Q) : of_Q (mean (iterations c) f (played c)) = total (fun w => of_Q (f w)) (run c) / of_nat T.
  Proof.
    unfold mean. rewrite of_Q_mul, (sumQ_sum _ _ eq_refl). unfold vector. rewrite (total_nth of_Q), total_map, total_run.
    rewrite <- of_Z_pos. unfold CertificateStatements.of_Q at 2. simpl.
    replace (of_Z K 1) with (1 : K) by (rewrite of_Z_pos; simpl; ring).
    match goal with |- ?a * _ = ?b / _ => replace a with b end; [field; apply of_Z_pos_neq|].
    induction (played c) as [|p l IH]; [reflexivity|]. simpl. rewrite IH, of_Q_mul. f_equal. f_equal.
    unfold CertificateStatements.of_Q. simpl. replace (of_Z K 1) with (1 : K) by (rewrite of_Z_pos; simpl; ring).
    field. apply one_neq_zero.
  Qed.

  Lemma run_length : sumZ (map (fun p => Zpos (fst p)) (played c)) = Zpos (iterations c) -> T = length (run c).
  Proof.
    intros H. apply Nat2Z.inj. rewrite positive_nat_Z, <- H. unfold run.
    clear H. induction (played c) as [|p l IH]; [reflexivity|]. simpl. rewrite app_length, repeat_length, Nat2Z.inj_add, positive_nat_Z, IH.
    reflexivity.
  Qed.

  Lemma shows_spec lo hi k x : shows lo hi k = true -> of_Q lo <= x -> x <= of_Q hi -> holds K k x.
  Proof.
    destruct k as [s|a b]; simpl; intros H L U; apply andb_prop in H as [H H']; apply (Qle_bool_K (K := K)) in H, H'.
    - apply le_antisym; [now apply le_trans with (of_Q hi) | now apply le_trans with (of_Q lo)].
    - split; [now apply le_trans with (of_Q lo) | now apply le_trans with (of_Q hi)].
  Qed.

  Notation s := (the_setting c).
  Notation promise w := (of_Q (return_of s w)).
  Notation played_at t := (nth t (run c) (best c)).

  Lemma claims_hold ρ' ρ : check_claims c = None ->
    promise (best c) - of_Q (slack (best c)) <= ρ' -> ρ' <= promise (best c) + of_Q (slack (best c)) ->
    (forall t, (t < T)%nat -> ρ t <= ρ' /\
      ρ t <= promise (played_at t) + of_Q (slack (played_at t)) /\ promise (played_at t) <= ρ t + of_Q (slack (played_at t))) ->
    holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
  Proof.
    intros H L U R. unfold check_claims in H. apply then_None in H as [HT H]. apply then_None in H as [HO HS].
    apply test_None, Z.eqb_eq, run_length in HT. apply test_None in HO, HS.
    split; [apply (shows_spec _ _ _ _ HO); rewrite ?of_Q_sub, ?of_Q_add; assumption|].
    assert (P : (0 : K) < of_nat T) by (apply of_nat_pos; lia). pose proof (lt_neq _ P) as N.
    set (average := mean (iterations c) (return_of s) (played c)) in *. set (error := mean (iterations c) slack (played c)) in *.
    assert (EA : of_Q average = sum T (fun t => promise (played_at t)) / of_nat T).
    { unfold average. rewrite mean_run, <- (total_nth _ _ (best c)), HT. reflexivity. }
    assert (EE : of_Q error = sum T (fun t => of_Q (slack (played_at t))) / of_nat T).
    { unfold error. rewrite mean_run, <- (total_nth _ _ (best c)), HT. reflexivity. }
    assert (EL : average_loss K T ρ' ρ = ρ' - sum T ρ / of_nat T).
    { unfold average_loss. rewrite sum_sub, sum_const. field. exact N. }
    assert (B1 : sum T ρ / of_nat T <= of_Q average + of_Q error).
    { rewrite EA, EE. apply div_le_iff; [exact P|].
      match goal with |- _ <= ?b => replace b with (sum T (fun t => promise (played_at t)) + sum T (fun t => of_Q (slack (played_at t)))) by (now field) end.
      rewrite <- sum_add. apply sum_le. intros t Ht. now apply R. }
    assert (B2 : of_Q average <= sum T ρ / of_nat T + of_Q error).
    { rewrite EA, EE. apply div_le_iff; [exact P|].
      match goal with |- _ <= ?b => replace b with (sum T ρ + sum T (fun t => of_Q (slack (played_at t)))) by (now field) end.
      rewrite <- sum_add. apply sum_le. intros t Ht. now apply R. }
    rewrite EL. apply (shows_spec _ _ _ _ HS).
    - assert (Zero : 0 <= ρ' - sum T ρ / of_nat T).
      { apply sub_nonneg. apply div_le_iff; [exact P|]. apply le_trans with (sum T (fun _ => ρ')).
        - apply sum_le. intros t Ht. now apply R.
        - rewrite sum_const. apply le_eq. ring. }
      destruct (Qle_bool 0 _); [|now rewrite of_Q_0].
      rewrite !of_Q_sub, of_Q_add. apply sub_nonneg in L, B1.
      apply le_by_sub with (ρ' - (promise (best c) - of_Q (slack (best c))) + (of_Q average + of_Q error - sum T ρ / of_nat T)).
      + ring.
      + now apply add_nonneg.
    - rewrite !of_Q_sub, of_Q_add. apply sub_nonneg in U, B2.
      apply le_by_sub with (promise (best c) + of_Q (slack (best c)) - ρ' + (sum T ρ / of_nat T + of_Q error - of_Q average)).
      + ring.
      + now apply add_nonneg.
  Qed.
End Claims.

(** ** What [check] has established, piece by piece *)
Section Accepted.
  Context {K : ofield} (c : certificate).
  Add Field K_field'' : (field_laws K).
  Notation m := (the_model c).
  Notation s := (the_setting c).
  Notation M := (mdp_of K c).
  Notation of_Q := (of_Q K).
  Notation T := (Pos.to_nat (iterations c)).
  Notation played_at t := (nth t (run c) (best c)).
  Notation checked_q v := (backup (discount_of s) (omega m) (rows_of_Psi m) (map (map scale) (features m)) v).
  Hypothesis accepted : check c = None.

  Lemma pieces : check_model_shape m = None /\ check_setting m s = None /\ check_model m = None /\
    check_policy m OfBest (best c) = None /\ check_best s (best c) (checked_q (value (best c))) = None /\
    (forall t, (t < T)%nat -> exists j, check_policy m (OfPlayed j) (played_at t) = None /\
      check_played s j (played_at t) (checked_q (value (played_at t))) = None) /\
    check_claims c = None.
  Proof.
    unfold check in accepted. apply then_None in accepted as [A1 H]. apply then_None in H as [A2 H]. apply then_None in H as [A3 H].
    cbv zeta in H. apply then_None in H as [A4 H]. apply then_None in H as [A5 H]. apply then_None in H as [A6 A7].
    repeat (split; [assumption|]). split; [|exact A7]. intros t Ht.
    assert (LT : T = length (run c)).
    { apply then_None in A7 as [E _]. now apply test_None, Z.eqb_eq, run_length in E. }
    assert (I : In (played_at t) (run c)) by (apply nth_In; lia).
    unfold run in I at 2. apply in_flat_map in I as [p [Hp I]]. apply repeat_spec in I.
    apply In_nth with (d := (1%positive, best c)) in Hp as [j [Hj Ej]].
    apply each_None with (i := j) (default := (1%positive, best c)) in A6; [|exact Hj]. simpl in A6. rewrite Ej in A6.
    apply then_None in A6. exists j. now rewrite I.
  Qed.

  Lemma is_sensible : sensible K c T.
  Proof.
    destruct pieces as (A1 & _ & A3 & _ & _ & A6 & A7). split; [now apply model_is_mdp|]. split; [lia|].
    split; [apply then_None in A7 as [E _]; now apply test_None, Z.eqb_eq, run_length in E|].
    intros t Ht. destruct (A6 t Ht) as [j [H _]]. now apply (checked_policy (K := K) c) in H.
  Qed.

  Lemma best_policy : is_policy M (table K (policy (best c))).
  Proof. destruct pieces as (_ & _ & _ & A4 & _). now apply (checked_policy (K := K) c) in A4. Qed.

  Lemma some_action : (0 < nA M)%nat.
  Proof.
    destruct best_policy as [_ H]. specialize (H O (some_state c (proj1 pieces))).
    destruct (nA M); [|lia]. simpl in H. exfalso. apply (one_neq_zero (K := K)). now symmetry.
  Qed.

  Section Discounted.
    Context (g : Q) (n : list Q).
    Hypothesis setting : s = Discounted g n.

    Lemma γ_is : γ M = of_Q g.
    Proof. simpl. now rewrite setting. Qed.

    Lemma bellman_is v x a : bellman c (of_Q (discount_of s)) v x a = q_of M v x a.
    Proof. unfold bellman, q_of. rewrite γ_is, setting. reflexivity. Qed.

    Lemma level_is w x : level s w x = vector K (value w) x.
    Proof. unfold level. rewrite setting. simpl. rewrite of_Q_0. ring. Qed.

    Lemma makes_is w x : makes c s w x = sum (nA M) (fun a => table K (policy w) x a * q_of M (vector K (value w)) x a).
    Proof. apply sum_ext. intros a _. now rewrite bellman_is. Qed.

    Lemma discounted_model : is_discounted M.
    Proof. apply (model_is_discounted c g n setting). apply pieces. Qed.

    Lemma promise_is w : length (value w) = nS M -> of_Q (return_of s w) = return_of_value M (vector K (value w)).
    Proof.
      intros L. unfold return_of, return_of_value. rewrite γ_is, setting, of_Q_mul, of_Q_sub, of_Q_1. f_equal.
      apply dotQ_sum; [|now apply scale_stands].
      destruct pieces as (_ & H & _). rewrite setting in H. apply then_None in H as [H _]. apply test_None, has_length_spec in H.
      simpl ν0. rewrite setting. now apply scale_stands.
    Qed.

    Lemma discounted_holds : exists ρ' ρ, best_is K M (return_is K M) ρ' /\ attained K M (return_is K M) ρ' /\
      (forall t, (t < T)%nat -> return_is K M (policy_at K c t) (ρ t)) /\
      holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
    Proof.
      destruct is_sensible as (Hm & _ & _ & Hp). pose proof discounted_model as Hd.
      destruct pieces as (A1 & A2 & A3 & A4 & A5 & A6 & A7).
      destruct (best_exists M Hm Hd some_action) as [ρ' [Best Att]].
      destruct (selection M Hm Hd) as [val [occ Val]].
      exists ρ', (fun t => return_of_value M (val (policy_at K c t))). split; [exact Best|]. split; [exact Att|].
      assert (R : forall t, (t < T)%nat -> return_is K M (policy_at K c t) (return_of_value M (val (policy_at K c t)))).
      { intros t Ht. eexists. split; [apply Val; now apply Hp | reflexivity]. }
      split; [exact R|].
      pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      destruct (checked_policy (K := K) c OfBest (best c) A4) as (Hb & Lb & _).
      apply claims_hold; [exact A7 | | |].
      - rewrite promise_is by exact Lb. destruct (value_exists M _ Hm Hd Hb) as [v Hv].
        apply le_trans with (return_of_value M v); [|apply (proj1 Best _ _ Hb); exists v; now split].
        assert (E : return_of_value M (vector K (value (best c))) <= return_of_value M v + of_Q (slack (best c))).
        { apply (return_at_least M Hm Hd _ Hb); [exact Hv|]. intros x Hx. rewrite <- makes_is, <- level_is. now apply BS. }
        apply sub_nonneg in E. eapply le_by_sub; [|exact E]. ring.
      - rewrite promise_is by exact Lb. apply (proj2 Best). apply (bound_from_value M Hm Hd). intros x a Hx Ha.
        rewrite <- bellman_is, <- level_is. now apply BS.
      - intros t Ht. split; [apply (proj1 Best _ _ (Hp t Ht)); now apply R|].
        destruct (A6 t Ht) as [j [Ap Aj]]. pose proof (played_spec (K := K) c A1 s (OfPlayed j) _ Ap j Aj) as PS.
        destruct (checked_policy (K := K) c _ _ Ap) as (_ & Lt & _). rewrite promise_is by exact Lt.
        pose proof (proj1 (Val _ (Hp t Ht))) as Hv. split.
        + apply (return_at_most M Hm Hd _ (Hp t Ht)); [exact Hv|]. intros x Hx. unfold policy_at.
          rewrite <- makes_is, <- level_is. now apply PS.
        + apply (return_at_least M Hm Hd _ (Hp t Ht)); [exact Hv|]. intros x Hx. unfold policy_at.
          rewrite <- makes_is, <- level_is. now apply PS.
    Qed.
  End Discounted.

  Section Average.
    Hypothesis setting : s = Average.

    Lemma bellman_average v x a : bellman c (of_Q (discount_of s)) v x a = reward M x a + sumX M (fun x' => trans M x a x' * v x').
    Proof. unfold bellman. rewrite setting. simpl discount_of. rewrite of_Q_1. ring. Qed.

    Lemma makes_average w x : makes c s w x = made M (table K (policy w)) (vector K (value w)) x.
    Proof. apply sum_ext. intros a _. now rewrite bellman_average. Qed.

    Lemma level_average w x : level s w x = vector K (value w) x + of_Q (return_of s w).
    Proof. unfold level. rewrite setting. reflexivity. Qed.

    Lemma every_gain π : is_policy M π -> exists ρ, gain_is K M π ρ.
    Proof.
      intros Hπ. destruct is_sensible as (Hm & _). destruct (stationary_exists M π Hm Hπ (some_state c (proj1 pieces))) as [ν [P S]].
      exists (return_of_measure M (compose π ν)), ν. now repeat split; try apply S.
    Qed.

    Lemma gain_bound : none_above K M (gain_is K M) (of_Q (return_of s (best c)) + of_Q (slack (best c))).
    Proof.
      destruct pieces as (A1 & _ & _ & A4 & A5 & _). pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      intros π ρ Hπ [ν [P [S ->]]]. apply (gain_at_most M π ν (vector K (value (best c))) _ P S). intros x Hx.
      apply (policy_average M); [exact Hπ | exact Hx|]. intros a Ha. rewrite <- bellman_average.
      eapply le_trans; [now apply BS|]. rewrite level_average. apply le_eq. ring.
    Qed.

    Lemma best_gain ρ : gain_is K M (table K (policy (best c))) ρ -> of_Q (return_of s (best c)) - of_Q (slack (best c)) <= ρ.
    Proof.
      destruct pieces as (A1 & _ & _ & A4 & A5 & _). pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      intros [ν [P [S ->]]]. apply (gain_at_least M _ ν (vector K (value (best c))) _ P S). intros x Hx.
      rewrite <- makes_average. destruct (BS x Hx) as [_ B]. rewrite level_average in B. apply sub_nonneg in B.
      eapply le_by_sub; [|exact B]. ring.
    Qed.

    Lemma average_holds ρ' ρ : best_is K M (gain_is K M) ρ' -> (forall t, (t < T)%nat -> gain_is K M (policy_at K c t) (ρ t)) ->
      holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
    Proof.
      intros [Up Least] R. destruct is_sensible as (Hm & _ & _ & Hp). destruct pieces as (A1 & _ & _ & A4 & A5 & A6 & A7).
      apply claims_hold; [exact A7 | | |].
      - destruct (every_gain _ best_policy) as [b Hb]. apply le_trans with b; [now apply best_gain | now apply (Up _ _ best_policy)].
      - apply Least, gain_bound.
      - intros t Ht. split; [apply (Up _ _ (Hp t Ht)); now apply R|].
        destruct (A6 t Ht) as [j [Ap Aj]]. pose proof (played_spec (K := K) c A1 s (OfPlayed j) _ Ap j Aj) as PS.
        destruct (R t Ht) as [ν [P [S ->]]]. split.
        + apply (gain_at_most M _ ν (vector K (value (played_at t))) _ P S). intros x Hx. unfold policy_at. rewrite <- makes_average.
          destruct (PS x Hx) as [B _]. rewrite level_average in B. eapply le_trans; [exact B|]. apply le_eq. ring.
        + assert (E : of_Q (return_of s (played_at t)) - of_Q (slack (played_at t)) <= return_of_measure M (compose (policy_at K c t) ν)).
          { apply (gain_at_least M _ ν (vector K (value (played_at t))) _ P S). intros x Hx. unfold policy_at. rewrite <- makes_average.
            destruct (PS x Hx) as [_ B]. rewrite level_average in B. apply sub_nonneg in B. eapply le_by_sub; [|exact B]. ring. }
          apply sub_nonneg in E. eapply le_by_sub; [|exact E]. ring.
    Qed.

    (** An exact optimum leaves the best policy no slack. *)
    Lemma average_exact q : optimum c = Exactly q -> best_is K M (gain_is K M) (of_Q q) /\ attained K M (gain_is K M) (of_Q q).
    Proof.
      intros E. destruct pieces as (_ & _ & _ & _ & _ & _ & A7). apply then_None in A7 as [_ H]. apply then_None in H as [H _].
      apply test_None in H. rewrite E in H. simpl in H. apply andb_prop in H as [L U]. apply (Qle_bool_K (K := K)) in L, U.
      rewrite of_Q_sub in L. rewrite of_Q_add in U.
      destruct (every_gain _ best_policy) as [b Hb]. assert (Eb : b = of_Q q).
      { apply le_antisym.
        - eapply le_trans; [apply (gain_bound _ _ best_policy Hb) | exact U].
        - eapply le_trans; [exact L | now apply best_gain]. }
      rewrite <- Eb. split; [|exists (table K (policy (best c))); split; [apply best_policy | exact Hb]]. split.
      - intros π ρ Hπ Hρ. rewrite Eb. eapply le_trans; [apply (gain_bound _ _ Hπ Hρ) | exact U].
      - intros b' H'. apply (H' _ _ best_policy Hb).
    Qed.
  End Average.
End Accepted.

Theorem accepted_discounted : Accepted_discounted.
Proof.
  intros K c g n H S. split; [now apply is_sensible|]. split; [now apply (discounted_model c H g n)|]. now apply (discounted_holds c H g n).
Qed.

Theorem accepted_average : Accepted_average.
Proof.
  intros K c H S. split; [now apply is_sensible|]. split; [now apply every_gain|].
  split; [intros ρ' ρ; now apply average_holds | intros q; now apply average_exact].
Qed.

Theorem accepted_average_reals : Accepted_average_reals.
Proof.
  intros c H S. set (M := mdp_of RK c). set (gains := fun ρ : R => exists π, is_policy M π /\ gain_is RK M π ρ).
  destruct (completeness gains) as [ρ' [Up Least]].
  - exists (of_Q RK (return_of (the_setting c) (best c)) + of_Q RK (slack (best c)))%R. intros ρ [π [Hπ Hρ]].
    exact (gain_bound c H S π ρ Hπ Hρ).
  - destruct (every_gain c H (table RK (policy (best c))) (best_policy c H)) as [ρ Hρ]. exists ρ.
    exists (table RK (policy (best c))). split; [exact (best_policy c H) | exact Hρ].
  - exists ρ'. split.
    + intros π ρ Hπ Hρ. apply Up. exists π. now split.
    + intros b Hb. apply Least. intros ρ [π [Hπ Hρ]]. now apply (Hb π ρ).
Qed.

Theorem fractions_of_reals : Fractions_of_reals.
Proof.
  assert (N : forall n, of_nat (K := RK) n = INR n).
  { induction n as [|n IH]; [reflexivity|]. rewrite S_INR, <- IH. reflexivity. }
  assert (I : forall z, of_Z RK z = IZR z).
  { intros z. unfold of_Z. rewrite !N. change ((INR (Z.to_nat z) - INR (Z.to_nat (- z)))%R = IZR z).
    rewrite !INR_IZR_INZ, <- minus_IZR. f_equal. lia. }
  intros q. unfold of_Q. now rewrite !I.
Qed.
