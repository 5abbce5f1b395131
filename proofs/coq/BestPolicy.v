(** * Bounds on returns from any v, the best policy, and stationary distributions (proofs)

    A function that nearly solves Bellman's equation nearly is the value; one that no action improves bounds every
    policy; a best policy exists; so does a stationary distribution of every policy. *)

From Coq Require Import Ring Field List Lia Arith.
From OPD Require Import OrderedField Sums Mdp MdpFacts Solve Existence Average CertificateStatements.
Import ListNotations.
Local Open Scope K_scope.

Section Discounted.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field : (field_laws K).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.

  Lemma discount_complement : 0 < 1 - γ M.
  Proof.
    destruct discounted as (_ & [H N] & _). split; [now apply sub_nonneg|].
    intros E. apply N. replace (γ M) with (1 - (1 - γ M)) by ring. rewrite <- E. ring.
  Qed.

  Lemma policy_average π x (f : nat -> K) b : is_policy M π -> (x < nS M)%nat ->
    (forall a, (a < nA M)%nat -> f a <= b) -> sum (nA M) (fun a => π x a * f a) <= b.
  Proof.
    intros [P P1] Hx H. apply le_trans with (sum (nA M) (fun a => π x a * b)).
    - apply sum_le. intros a Ha. apply mul_le_l; auto.
    - rewrite sum_mul_r. apply le_eq. change (sum (nA M) (π x) * b = b). rewrite P1 by exact Hx. ring.
  Qed.

  Section Policy.
    Variable π : nat -> nat -> K.
    Hypothesis policy : is_policy M π.
    Notation kernel := (kernel M π).

    (** What γ P_π does not raise is not negative: look at its smallest component. *)
    Lemma superharmonic (u : vec K) :
      (forall x, (x < nS M)%nat -> γ M * mulv (nS M) kernel u x <= u x) -> forall x, (x < nS M)%nat -> 0 <= u x.
    Proof.
      intros H x Hx. destruct (argmax (nS M) (fun x => - u x)) as [k [Hk Max]]; [lia|].
      assert (Min : forall i, (i < nS M)%nat -> u k <= u i).
      { intros i Hi. specialize (Max i Hi). apply opp_le in Max.
        now replace (- - u k) with (u k) in Max by ring; replace (- - u i) with (u i) in Max by ring. }
      apply le_trans with (u k); [|now apply Min].
      apply le_mul_reg_r with (1 - γ M); [apply discount_complement|].
      apply le_by_sub with (u k - γ M * u k); [ring|]. apply sub_nonneg.
      eapply le_trans; [|apply (H k Hk)]. apply mul_le_l; [now apply gamma_nonneg|].
      apply le_trans with (sum (nS M) (fun j => kernel k j * u k)).
      - rewrite sum_mul_r. apply le_eq. change (u k = sum (nS M) (kernel k) * u k). rewrite (kernel_row M π mdp policy k Hk). ring.
      - apply sum_le. intros j Hj. apply mul_le_l; [now apply (kernel_nonneg M π) | now apply Min].
    Qed.

    Lemma kernel_shift (w v : vec K) e x : (x < nS M)%nat ->
      mulv (nS M) kernel (fun y => w y + e - v y) x = mulv (nS M) kernel w x + e - mulv (nS M) kernel v x.
    Proof.
      intros Hx. unfold mulv. rewrite (sum_ext _ _ (fun j => kernel x j * w j + kernel x j * e - kernel x j * v j)) by (intros; ring).
      rewrite sum_sub, sum_add, sum_mul_r. change (sum (nS M) (fun j => kernel x j)) with (sum (nS M) (kernel x)).
      rewrite (kernel_row M π mdp policy x Hx). ring.
    Qed.

    (** v^π <= w + ε/(1−γ) if the policy makes at most w + ε of w … *)
    Lemma value_at_most v w e : is_value M π v ->
      (forall x, (x < nS M)%nat -> sum (nA M) (fun a => π x a * q_of M w x a) <= w x + e) ->
      forall x, (x < nS M)%nat -> v x <= w x + e / (1 - γ M).
    Proof.
      intros Hv H x Hx. pose proof (lt_neq _ discount_complement) as N. apply sub_nonneg.
      apply (superharmonic (fun x => w x + e / (1 - γ M) - v x)); [|exact Hx].
      clear x Hx. intros x Hx. rewrite kernel_shift by exact Hx. specialize (H x Hx).
      rewrite value_matrix in H. pose proof (Hv x Hx) as E. rewrite value_matrix in E.
      set (r := sum (nA M) (fun a => π x a * reward M x a)) in *.
      apply le_by_sub with (w x + e - (r + γ M * mulv (nS M) kernel w x)); [|now apply sub_nonneg].
      rewrite E. field. exact N.
    Qed.

    (** … and v^π >= w − ε/(1−γ) if it makes at least w − ε of it. *)
    Lemma value_at_least v w e : is_value M π v ->
      (forall x, (x < nS M)%nat -> w x <= sum (nA M) (fun a => π x a * q_of M w x a) + e) ->
      forall x, (x < nS M)%nat -> w x <= v x + e / (1 - γ M).
    Proof.
      intros Hv H x Hx. pose proof (lt_neq _ discount_complement) as N. apply sub_nonneg.
      apply (superharmonic (fun x => v x + e / (1 - γ M) - w x)); [|exact Hx].
      clear x Hx. intros x Hx. rewrite kernel_shift by exact Hx. specialize (H x Hx).
      rewrite value_matrix in H. pose proof (Hv x Hx) as E. rewrite value_matrix in E.
      set (r := sum (nA M) (fun a => π x a * reward M x a)) in *.
      apply le_by_sub with (r + γ M * mulv (nS M) kernel w x + e - w x); [|now apply sub_nonneg].
      rewrite E. field. exact N.
    Qed.

    (** In the return, 1 − γ cancels. *)
    Lemma return_shift v w e : (forall x, (x < nS M)%nat -> v x <= w x + e / (1 - γ M)) ->
      return_of_value M v <= return_of_value M w + e.
    Proof.
      intros H. pose proof (lt_neq _ discount_complement) as N. destruct discounted as (_ & _ & P & P1). unfold return_of_value.
      apply le_trans with ((1 - γ M) * sumX M (fun x => ν0 M x * w x + ν0 M x * (e / (1 - γ M)))).
      - apply mul_le_l; [apply lt_le, discount_complement|]. apply sum_le. intros x Hx.
        apply le_trans with (ν0 M x * (w x + e / (1 - γ M))); [apply mul_le_l; auto | apply le_eq; ring].
      - unfold sumX. rewrite sum_add, sum_mul_r. fold (sumX M (ν0 M)). rewrite P1. apply le_eq. field. exact N.
    Qed.

    Lemma return_at_most v w e : is_value M π v ->
      (forall x, (x < nS M)%nat -> sum (nA M) (fun a => π x a * q_of M w x a) <= w x + e) ->
      return_of_value M v <= return_of_value M w + e.
    Proof. intros Hv H. apply return_shift. now apply value_at_most. Qed.

    Lemma return_at_least v w e : is_value M π v ->
      (forall x, (x < nS M)%nat -> w x <= sum (nA M) (fun a => π x a * q_of M w x a) + e) ->
      return_of_value M w <= return_of_value M v + e.
    Proof. intros Hv H. apply return_shift. now apply value_at_least. Qed.
  End Policy.

  (** If no action makes more than w + ε of w, no policy returns more than w promises, plus ε. *)
  Lemma bound_from_value w e :
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> q_of M w x a <= w x + e) ->
    none_above K M (return_is K M) (return_of_value M w + e).
  Proof.
    intros H π ρ Hπ [v [Hv ->]]. apply (return_at_most π); try assumption.
    intros x Hx. apply policy_average; auto.
  Qed.

  (** ** The best policy: of the finitely many deterministic ones, one with the greatest Σ_x v(x) *)

  Fixpoint choices (n : nat) : list (list nat) :=
    match n with O => [[]] | S n => flat_map (fun l => map (fun a => a :: l) (seq 0 (nA M))) (choices n) end.

  Lemma in_choices n l : In l (choices n) <-> length l = n /\ forall a, In a l -> (a < nA M)%nat.
  Proof.
    revert l. induction n as [|n IH]; intros l; simpl.
    - split; [intros [<-|[]]; split; [reflexivity | easy] | intros [H _]; left; now destruct l].
    - rewrite in_flat_map. split.
      + intros [k [Hk H]]. apply in_map_iff in H as [a [<- Ha]]. apply IH in Hk as [L R]. apply in_seq in Ha.
        split; [simpl; lia|]. intros b [<-|Hb]; [lia | auto].
      + intros [L R]. destruct l as [|a l]; [easy|]. exists l. split.
        * apply IH. split; [simpl in L; lia|]. intros b Hb. apply R. now right.
        * apply in_map_iff. exists a. split; [reflexivity|]. apply in_seq. assert (a < nA M)%nat by (apply R; now left). lia.
  Qed.

  Lemma argmax_list {A} (f : A -> K) l : l <> [] -> exists m, In m l /\ forall y, In y l -> f y <= f m.
  Proof.
    induction l as [|x l IH]; intros H; [easy|]. destruct l as [|y l].
    - exists x. split; [now left|]. intros y [<-|[]]. apply le_refl.
    - destruct IH as [m [Hm Max]]; [easy|]. destruct (le_dec (f x) (f m)) as [L|L].
      + exists m. split; [now right|]. intros z [<-|Hz]; [exact L | now apply Max].
      + exists x. split; [now left|]. intros z [<-|Hz]; [apply le_refl|].
        apply le_trans with (f m); [now apply Max | now apply not_le].
  Qed.

  Definition deterministic (l : list nat) (x a : nat) : K := if Nat.eqb (nth x l O) a then 1 else 0.

  Lemma chosen l x : In l (choices (nS M)) -> (x < nS M)%nat -> (nth x l O < nA M)%nat.
  Proof. intros H Hx. apply in_choices in H as [L R]. apply R, nth_In. lia. Qed.

  Lemma deterministic_sum l x f : In l (choices (nS M)) -> (x < nS M)%nat ->
    sum (nA M) (fun a => deterministic l x a * f a) = f (nth x l O).
  Proof. intros H Hx. apply (sum_delta' (nA M) (nth x l O) f). now apply chosen. Qed.

  Lemma deterministic_policy l : In l (choices (nS M)) -> is_policy M (deterministic l).
  Proof.
    intros H. split.
    - intros x a _ _. unfold deterministic. destruct (Nat.eqb _ _); [apply one_nonneg | apply le_refl].
    - intros x Hx. rewrite <- (deterministic_sum l x (fun _ => 1) H Hx). apply sum_ext. intros. ring.
  Qed.

  Definition switch (l : list nat) (x0 a0 : nat) : list nat :=
    map (fun x => if Nat.eqb x x0 then a0 else nth x l O) (seq 0 (nS M)).

  Lemma switch_nth l x0 a0 x : (x < nS M)%nat -> nth x (switch l x0 a0) O = if Nat.eqb x x0 then a0 else nth x l O.
  Proof.
    intros Hx. unfold switch. set (f := fun x => if Nat.eqb x x0 then a0 else nth x l O).
    rewrite (nth_indep _ O (f O)) by (rewrite map_length, seq_length; exact Hx). rewrite map_nth, seq_nth by exact Hx. reflexivity.
  Qed.

  Lemma switch_in l x0 a0 : In l (choices (nS M)) -> (a0 < nA M)%nat -> In (switch l x0 a0) (choices (nS M)).
  Proof.
    intros H Ha. apply in_choices. split; [unfold switch; now rewrite map_length, seq_length|].
    intros a Hin. apply in_map_iff in Hin as [x [<- Hx]]. apply in_seq in Hx.
    destruct (Nat.eqb x x0); [exact Ha | apply chosen; [exact H | lia]].
  Qed.

  Lemma q_of_le v w x a : (forall y, (y < nS M)%nat -> v y <= w y) -> (x < nS M)%nat -> (a < nA M)%nat ->
    q_of M v x a <= q_of M w x a.
  Proof.
    intros H Hx Ha. unfold q_of. apply add_le. apply mul_le_l; [now apply gamma_nonneg|].
    apply sum_le. intros y Hy. apply mul_le_l; [now apply mdp | auto].
  Qed.

  Lemma unimprovable : (0 < nA M)%nat -> exists π v, is_policy M π /\ is_value M π v /\
    forall x a, (x < nS M)%nat -> (a < nA M)%nat -> q_of M v x a <= v x.
  Proof.
    intros HA. destruct (selection M mdp discounted) as [val [occ Val]].
    assert (V : forall l, In l (choices (nS M)) -> is_value M (deterministic l) (val (deterministic l))).
    { intros l H. apply Val, deterministic_policy, H. }
    destruct (argmax_list (fun l => sumX M (val (deterministic l))) (choices (nS M))) as [l [Hl Max]].
    { intros E. assert (I : In (repeat O (nS M)) (choices (nS M))).
      { apply in_choices. split; [apply repeat_length|]. intros a Ha. apply repeat_spec in Ha. now subst. }
      now rewrite E in I. }
    exists (deterministic l), (val (deterministic l)). split; [now apply deterministic_policy|]. split; [now apply V|].
    intros x0 a0 Hx Ha. set (v := val (deterministic l)) in *.
    destruct (le_dec (q_of M v x0 a0) (v x0)) as [L|L]; [exact L | exfalso].
    set (l' := switch l x0 a0). assert (Hl' : In l' (choices (nS M))) by now apply switch_in.
    set (w := val (deterministic l')). pose proof (V l Hl) as Ev. fold v in Ev. pose proof (V l' Hl') as Ew. fold w in Ew.
    assert (Up : forall x, (x < nS M)%nat -> v x <= w x).
    { intros x Hx'. replace (w x) with (w x + 0 / (1 - γ M)) by (field; apply lt_neq, discount_complement).
      apply (value_at_least (deterministic l') (deterministic_policy l' Hl') w v 0 Ew); [|exact Hx'].
      intros y Hy. rewrite deterministic_sum by assumption. unfold l'. rewrite switch_nth by exact Hy.
      replace (q_of M v y (if Nat.eqb y x0 then a0 else nth y l O) + 0)
        with (q_of M v y (if Nat.eqb y x0 then a0 else nth y l O)) by ring.
      destruct (Nat.eqb_spec y x0) as [->|N]; [now apply not_le|].
      apply le_eq. rewrite (Ev y Hy). now apply deterministic_sum. }
    assert (E : w x0 = q_of M w x0 a0).
    { rewrite (Ew x0 Hx), deterministic_sum by assumption. unfold l'. rewrite switch_nth by exact Hx. now rewrite Nat.eqb_refl. }
    apply L. apply le_trans with (w x0); [rewrite E; now apply q_of_le|].
    specialize (Max l' Hl'). simpl in Max. fold v w in Max. apply sub_nonneg.
    replace (v x0 - w x0) with (- (w x0 - v x0)) by ring. apply opp_nonneg.
    apply le_trans with (sum (nS M) (fun x => w x - v x)).
    - apply (sum_term_le (nS M) (fun x => w x - v x)); [|exact Hx]. intros x Hx'. apply sub_nonneg. now apply Up.
    - rewrite sum_sub. apply sub_nonneg in Max. unfold sumX in Max. apply opp_le in Max.
      replace (- (0 : K)) with (0 : K) in Max by ring. eapply le_trans; [|exact Max]. apply le_eq. ring.
  Qed.

  Lemma best_exists : (0 < nA M)%nat -> exists ρ, best_is K M (return_is K M) ρ /\ attained K M (return_is K M) ρ.
  Proof.
    intros HA. destruct (unimprovable HA) as (π & v & Hπ & Hv & H). exists (return_of_value M v).
    assert (A : return_is K M π (return_of_value M v)) by (exists v; now split).
    split; [split|exists π; now split].
    - intros π' ρ' Hπ' R. replace (return_of_value M v) with (return_of_value M v + 0) by ring.
      apply (bound_from_value v 0) with π'; try assumption. intros x a Hx Ha.
      replace (v x + 0) with (v x) by ring. auto.
    - intros b Hb. now apply (Hb π).
  Qed.
End Discounted.

Section Average.
  Context {K : ofield} (M : linear_mdp K) (π : nat -> nat -> K).
  Add Field K_field' : (field_laws K).
  Hypothesis mdp : is_mdp M.
  Hypothesis policy : is_policy M π.
  Notation kernel := (kernel M π).

  Lemma stationary_matrix ν x :
    sumXA M (fun y a => trans M y a x * compose π ν y a) = mulv (nS M) (transpose kernel) ν x.
  Proof.
    unfold sumXA, mulv, transpose, Existence.kernel. apply sum_ext. intros y _. rewrite <- sum_mul_r. apply sum_ext.
    intros. unfold compose. ring.
  Qed.

  Lemma kernel_total (s : vec K) : sum (nS M) (mulv (nS M) (transpose kernel) s) = sum (nS M) s.
  Proof.
    unfold mulv, transpose. rewrite sum_swap. apply sum_ext. intros y Hy. rewrite sum_mul_r.
    change (sum (nS M) (kernel y) * s y = s y). rewrite (kernel_row M π mdp policy y Hy). ring.
  Qed.

  (** A fixed point of P_πᵀ other than 0: n−1 of its n equations have one, and they imply the last. *)
  Lemma fixed_measure : (0 < nS M)%nat -> {s : vec K | (exists x, (x < nS M)%nat /\ s x <> 0) /\
    forall x, (x < nS M)%nat -> s x = mulv (nS M) (transpose kernel) s x}.
  Proof.
    intros HS. set (A := fun i j => identity i j - kernel j i).
    destruct (underdetermined (nS M - 1) (nS M) A) as [s [Ns H]]; [lia|]. exists s. split; [exact Ns|].
    set (t := mulv (nS M) (transpose kernel) s).
    assert (R : forall x, (x < nS M)%nat -> sum (nS M) (fun j => A x j * s j) = s x - t x).
    { intros x Hx. rewrite <- (mulv_identity (nS M) s x Hx) at 1. unfold t, mulv, transpose, A. rewrite <- sum_sub.
      apply sum_ext. intros. ring. }
    assert (Z : forall x, (x < nS M - 1)%nat -> s x - t x = 0) by (intros x Hx; rewrite <- R by lia; now apply H).
    assert (L : sum (nS M) (fun x => s x - t x) = 0) by (rewrite sum_sub; unfold t; rewrite kernel_total; ring).
    intros x Hx. replace (s x) with (s x - t x + t x) by ring.
    replace (s x - t x) with (0 : K); [ring|]. destruct (Nat.lt_ge_cases x (nS M - 1)) as [Lt|Ge]; [symmetry; auto|].
    rewrite <- L. replace (nS M) with (S x) by lia. simpl. rewrite sum_zero; [ring|]. intros i Hi. apply Z. lia.
  Qed.

  (** Its absolute value is one too, and, divided by its sum, a distribution. *)
  Lemma stationary_solution : (0 < nS M)%nat ->
    {ν | (forall x, (x < nS M)%nat -> 0 <= ν x) /\ is_stationary M π ν}.
  Proof.
    intros HS. destruct (fixed_measure HS) as [s Hs]. exists (fun x => abs (s x) / sum (nS M) (fun y => abs (s y))).
    destruct Hs as [[x0 [Hx0 N0]] H].
    set (t := fun x => abs (s x)). set (P := mulv (nS M) (transpose kernel)).
    assert (Up : forall x, (x < nS M)%nat -> 0 <= P t x - t x).
    { intros x Hx. apply sub_nonneg. unfold t at 1. rewrite (H x Hx). eapply le_trans; [apply abs_sum|].
      apply sum_le. intros y Hy. apply abs_mul_nonneg. now apply (kernel_nonneg M π). }
    assert (E : forall x, (x < nS M)%nat -> t x = P t x).
    { intros x Hx. assert (Z : P t x - t x = 0).
      { apply (sum_zero_terms (nS M) (fun x => P t x - t x)); [exact Up | | exact Hx].
        rewrite sum_sub. unfold P. rewrite kernel_total. apply le_eq. ring. }
      replace (P t x) with (P t x - t x + t x) by ring. rewrite Z. ring. }
    assert (Pos : forall x, 0 <= t x) by (intros; apply abs_nonneg).
    set (total := sum (nS M) t).
    assert (T : 0 < total).
    { split; [apply sum_nonneg; auto|]. intros Z. apply N0, abs_zero. apply le_eq.
      apply (sum_zero_terms (nS M) t); [auto | | exact Hx0]. fold total. rewrite <- Z. apply le_refl. }
    pose proof (lt_neq _ T) as NT.
    split; [intros x Hx; change (0 <= t x / total); apply div_nonneg; auto|]. change (is_stationary M π (fun x => t x / total)). split.
    - intros x Hx. rewrite stationary_matrix. rewrite (E x Hx). unfold P, mulv.
      transitivity (sum (nS M) (fun j => transpose kernel x j * t j) * (1 / total)); [now field|].
      rewrite <- sum_mul_r. apply sum_ext. intros. now field.
    - unfold sumX. transitivity (sum (nS M) (fun x => t x * (1 / total))); [apply sum_ext; intros; now field|].
      rewrite sum_mul_r. fold total. now field.
  Qed.

  Lemma stationary_exists : (0 < nS M)%nat -> exists ν, (forall x, (x < nS M)%nat -> 0 <= ν x) /\ is_stationary M π ν.
  Proof. intros HS. destruct (stationary_solution HS) as [ν H]. now exists ν. Qed.

  (** ⟨r, π∘ν⟩ = Σ_x ν(x) (Σ_a π (r + P w) − w), whatever w. *)
  Definition made (w : nat -> K) (x : nat) : K :=
    sum (nA M) (fun a => π x a * (reward M x a + sumX M (fun x' => trans M x a x' * w x'))).

  Lemma gain_identity ν w : is_stationary M π ν ->
    return_of_measure M (compose π ν) = sumX M (fun x => ν x * (made w x - w x)).
  Proof.
    intros [H _]. set (r := fun x => sum (nA M) (fun a => π x a * reward M x a)).
    assert (E : forall x, made w x = r x + mulv (nS M) kernel w x).
    { intros x. unfold made, r, mulv, Existence.kernel.
      rewrite (sum_ext (nS M) _ (fun x' => sum (nA M) (fun a => π x a * (trans M x a x' * w x')))).
      - rewrite sum_swap, <- sum_add. apply sum_ext. intros a _. rewrite sum_mul_l. unfold sumX. ring.
      - intros x' _. rewrite <- sum_mul_r. apply sum_ext. intros. ring. }
    transitivity (dot (nS M) ν r + (dot (nS M) ν (mulv (nS M) kernel w) - dot (nS M) ν w)).
    - rewrite dot_mulv. replace (dot (nS M) (mulv (nS M) (transpose kernel) ν) w) with (dot (nS M) ν w).
      + replace (dot (nS M) ν r + (dot (nS M) ν w - dot (nS M) ν w)) with (dot (nS M) ν r) by ring.
        unfold return_of_measure, sumXA, dot, r. apply sum_ext. intros x _. rewrite <- sum_mul_l. apply sum_ext.
        intros. unfold compose. ring.
      + apply sum_ext. intros x Hx. rewrite (H x Hx) at 1. now rewrite stationary_matrix.
    - unfold dot, sumX. rewrite <- sum_sub, <- sum_add. apply sum_ext. intros x _. rewrite E. ring.
  Qed.

  Lemma gain_at_most ν w b : (forall x, (x < nS M)%nat -> 0 <= ν x) -> is_stationary M π ν ->
    (forall x, (x < nS M)%nat -> made w x <= w x + b) -> return_of_measure M (compose π ν) <= b.
  Proof.
    intros P S H. rewrite (gain_identity ν w S). apply le_trans with (sumX M (fun x => ν x * b)).
    - apply sum_le. intros x Hx. apply mul_le_l; [auto|]. apply le_by_sub with (w x + b - made w x); [ring|].
      apply sub_nonneg. auto.
    - unfold sumX. rewrite sum_mul_r. destruct S as [_ S]. unfold sumX in S. rewrite S. apply le_eq. ring.
  Qed.

  Lemma gain_at_least ν w b : (forall x, (x < nS M)%nat -> 0 <= ν x) -> is_stationary M π ν ->
    (forall x, (x < nS M)%nat -> w x + b <= made w x) -> b <= return_of_measure M (compose π ν).
  Proof.
    intros P S H. rewrite (gain_identity ν w S). apply le_trans with (sumX M (fun x => ν x * b)).
    - unfold sumX. rewrite sum_mul_r. destruct S as [_ S]. unfold sumX in S. rewrite S. apply le_eq. ring.
    - apply sum_le. intros x Hx. apply mul_le_l; [auto|]. apply le_by_sub with (made w x - (w x + b)); [ring|].
      apply sub_nonneg. auto.
  Qed.
End Average.
