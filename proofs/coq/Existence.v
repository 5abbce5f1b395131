(** * Section 2: for γ < 1, v^π and ν^π exist and are unique; ν^π is a distribution (proofs) *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Solve.
Local Open Scope K_scope.

Section Contraction.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).

  Implicit Types x y c : K.

  Lemma abs_nonneg x : 0 <= abs x.
  Proof. unfold abs. destruct (le_dec 0 x) as [H|H]; [exact H | now apply opp_nonneg, not_le]. Qed.

  Lemma abs_bounds x : - abs x <= x /\ x <= abs x.
  Proof.
    unfold abs. destruct (le_dec 0 x) as [H|H].
    - split; [apply le_by_sub with (x + x); [ring | now apply add_nonneg] | apply le_refl].
    - apply not_le in H. apply opp_nonneg in H. split; [apply le_eq; ring|].
      apply le_by_sub with (- x + - x); [ring | now apply add_nonneg].
  Qed.

  Lemma abs_le x y : - y <= x -> x <= y -> abs x <= y.
  Proof.
    intros H H'. unfold abs. destruct (le_dec 0 x); [exact H'|].
    apply le_by_sub with (x - - y); [ring | now apply sub_nonneg].
  Qed.

  Lemma abs_zero x : abs x <= 0 -> x = 0.
  Proof.
    intros H. destruct (abs_bounds x) as [A B]. apply le_antisym.
    - now apply le_trans with (abs x).
    - apply le_trans with (- abs x); [|exact A]. now apply opp_nonneg.
  Qed.

  Lemma abs_mul_nonneg c x : 0 <= c -> abs (c * x) <= c * abs x.
  Proof.
    intros H. destruct (abs_bounds x) as [A B]. apply abs_le; [|now apply mul_le_l].
    replace (- (c * abs x)) with (c * - abs x) by ring. now apply mul_le_l.
  Qed.

  Lemma abs_mul x y : abs (x * y) <= abs x * abs y.
  Proof.
    unfold abs at 2. destruct (le_dec 0 x) as [P|P]; [now apply abs_mul_nonneg|].
    apply not_le, opp_nonneg in P. replace (x * y) with (- x * - y) by ring.
    eapply le_trans; [now apply abs_mul_nonneg|]. apply mul_le_l; [exact P|].
    destruct (abs_bounds y) as [Y0 Y1]. apply abs_le; [now apply opp_le|].
    replace (abs y) with (- - abs y) by ring. now apply opp_le.
  Qed.

  Lemma abs_sum n (f : nat -> K) : abs (sum n f) <= sum n (fun i => abs (f i)).
  Proof.
    apply abs_le.
    - rewrite <- sum_opp. apply sum_le. intros i _. apply abs_bounds.
    - apply sum_le. intros i _. apply abs_bounds.
  Qed.

  (** s <= γ s with γ < 1 and s >= 0 leave only s = 0. *)
  Lemma contraction_zero (g s : K) : g < 1 -> 0 <= s -> s <= g * s -> s = 0.
  Proof.
    intros [Hg Ng] Hs H. apply le_antisym; [|exact Hs].
    apply le_mul_reg_r with (1 - g).
    - split; [now apply sub_nonneg|]. intros Z. apply Ng. replace g with (1 - (1 - g)) by ring. rewrite <- Z. ring.
    - apply le_by_sub with (g * s - s); [ring | now apply sub_nonneg].
  Qed.
End Contraction.

Section Existence.
  Context {K : ofield} (M : linear_mdp K) (π : nat -> nat -> K).
  Add Field K_field' : (field_laws K).
  Notation d := (dim M).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis policy : is_policy M π.

  (** P_π(x'|x) *)
  Definition kernel : mat K := fun x x' => sum (nA M) (fun a => π x a * trans M x a x').

  Lemma kernel_nonneg x x' : (x < nS M)%nat -> (x' < nS M)%nat -> 0 <= kernel x x'.
  Proof. intros. apply sum_nonneg. intros a Ha. apply mul_nonneg; [apply policy | apply mdp]; assumption. Qed.

  Lemma kernel_row x : (x < nS M)%nat -> sum (nS M) (kernel x) = 1.
  Proof.
    intros Hx. unfold kernel. rewrite sum_swap. destruct policy as [_ P1]. rewrite <- (P1 x Hx).
    apply sum_ext. intros a Ha. rewrite sum_mul_l. destruct mdp as (_ & H1 & _).
    fold (sumX M (trans M x a)). rewrite (H1 x a Hx Ha). ring.
  Qed.

  Lemma gamma_nonneg : 0 <= γ M. Proof. apply discounted. Qed.
  Lemma gamma_lt : γ M < 1. Proof. apply discounted. Qed.

  (** In matrix form: v = r_π + γ P_π v and ν = (1−γ)ν₀ + γ P_πᵀ ν. *)
  Lemma value_matrix v x : sum (nA M) (fun a => π x a * q_of M v x a) =
    sum (nA M) (fun a => π x a * reward M x a) + γ M * mulv (nS M) kernel v x.
  Proof.
    unfold mulv, kernel. rewrite (sum_ext (nS M) _ (fun x' => sum (nA M) (fun a => π x a * (trans M x a x' * v x')))).
    - rewrite sum_swap, <- sum_mul_l, <- sum_add. apply sum_ext. intros a _.
      rewrite sum_mul_l. unfold q_of, sumX. ring.
    - intros x' _. rewrite <- sum_mul_r. apply sum_ext. intros. ring.
  Qed.

  Lemma flow_matrix ν x : flow M (compose π ν) x =
    (1 - γ M) * ν0 M x + γ M * mulv (nS M) (transpose kernel) ν x.
  Proof.
    unfold flow. f_equal. f_equal. unfold sumXA, mulv, transpose, kernel. apply sum_ext. intros y _.
    rewrite <- sum_mul_r. apply sum_ext. intros. unfold compose. ring.
  Qed.

  (** Only 0 is fixed by γ P_π: look at its largest component. *)
  Lemma value_injective (v : vec K) :
    (forall x, (x < nS M)%nat -> v x = γ M * mulv (nS M) kernel v x) -> veq (nS M) v vzero.
  Proof.
    intros H x Hx. destruct (argmax (nS M) (fun x => abs (v x))) as [k [Hk Max]]; [lia|].
    assert (Z : abs (v k) = 0).
    { apply (contraction_zero (γ M)); [apply gamma_lt | apply abs_nonneg |]. rewrite (H k Hk) at 1.
      eapply le_trans; [apply abs_mul_nonneg, gamma_nonneg|]. apply mul_le_l; [apply gamma_nonneg|].
      eapply le_trans; [apply abs_sum|].
      apply le_trans with (sum (nS M) (fun j => kernel k j * abs (v k))).
      - apply sum_le. intros j Hj. eapply le_trans; [apply abs_mul_nonneg, kernel_nonneg; assumption|].
        apply mul_le_l; [now apply kernel_nonneg | now apply Max].
      - rewrite sum_mul_r, (kernel_row k Hk). apply le_eq. ring. }
    unfold vzero. apply abs_zero. rewrite <- Z. now apply Max.
  Qed.

  (** Only 0 is fixed by γ P_πᵀ: look at the sum of its components; the bound is reused for positivity. *)
  Lemma measure_contraction (s : vec K) : (forall x, (x < nS M)%nat -> 0 <= s x) ->
    (forall x, (x < nS M)%nat -> s x <= γ M * mulv (nS M) (transpose kernel) s x) -> veq (nS M) s vzero.
  Proof.
    intros Pos H x Hx. assert (Z : sum (nS M) s = 0).
    { apply (contraction_zero (γ M)); [apply gamma_lt | now apply sum_nonneg |].
      eapply le_trans; [apply sum_le, H|]. rewrite sum_mul_l. apply mul_le_l; [apply gamma_nonneg|].
      unfold mulv, transpose. rewrite sum_swap. apply sum_le. intros y Hy.
      rewrite sum_mul_r. fold (sum (nS M) (kernel y)). apply le_eq.
      change (sum (nS M) (kernel y) * s y = s y). rewrite (kernel_row y Hy). ring. }
    unfold vzero. apply sum_zero_terms with (n := nS M); [assumption | now apply le_eq | exact Hx].
  Qed.

  Lemma measure_injective (ν : vec K) :
    (forall x, (x < nS M)%nat -> ν x = γ M * mulv (nS M) (transpose kernel) ν x) -> veq (nS M) ν vzero.
  Proof.
    intros H x Hx. apply abs_zero. apply le_eq. apply (measure_contraction (fun x => abs (ν x))); [| | exact Hx].
    - intros. apply abs_nonneg.
    - intros y Hy. rewrite (H y Hy) at 1. eapply le_trans; [apply abs_mul_nonneg, gamma_nonneg|].
      apply mul_le_l; [apply gamma_nonneg|]. eapply le_trans; [apply abs_sum|]. apply sum_le. intros z Hz.
      apply abs_mul_nonneg. now apply kernel_nonneg.
  Qed.

  (** v − γ A v as a matrix, so that [injective_onto] applies. *)
  Lemma fixed_point (A : mat K) :
    (forall v, (forall x, (x < nS M)%nat -> v x = γ M * mulv (nS M) A v x) -> veq (nS M) v vzero) ->
    forall b, {v | forall x, (x < nS M)%nat -> v x = b x + γ M * mulv (nS M) A v x}.
  Proof.
    intros Inj b.
    assert (R : forall v x, (x < nS M)%nat ->
      mulv (nS M) (fun i j => identity i j - γ M * A i j) v x = v x - γ M * mulv (nS M) A v x).
    { intros v x Hx. rewrite <- (mulv_identity (nS M) v x Hx). unfold mulv.
      rewrite <- sum_mul_l, <- sum_sub. apply sum_ext. intros. ring. }
    destruct (injective_onto (nS M) (fun i j => identity i j - γ M * A i j)) with (b := b) as [v Hv].
    - intros v Hv. apply Inj. intros x Hx. specialize (Hv x Hx). rewrite R in Hv by exact Hx. unfold vzero in Hv.
      replace (v x) with (v x - γ M * mulv (nS M) A v x + γ M * mulv (nS M) A v x) by ring. rewrite Hv. ring.
    - exists v. intros x Hx. rewrite <- (Hv x Hx), R by exact Hx. ring.
  Qed.

  Lemma value_solution : {v | is_value M π v}.
  Proof.
    destruct (fixed_point kernel value_injective (fun x => sum (nA M) (fun a => π x a * reward M x a))) as [v Hv].
    exists v. intros x Hx. rewrite value_matrix. now apply Hv.
  Defined.

  Theorem value_exists : exists v, is_value M π v.
  Proof. destruct value_solution as [v H]. now exists v. Qed.

  Lemma occupancy_solution : {ν | is_occupancy M π ν}.
  Proof.
    destruct (fixed_point (transpose kernel) measure_injective (fun x => (1 - γ M) * ν0 M x)) as [ν Hν].
    exists ν. intros x Hx. rewrite flow_matrix. now apply Hν.
  Defined.

  Theorem occupancy_exists : exists ν, is_occupancy M π ν.
  Proof. destruct occupancy_solution as [ν H]. now exists ν. Qed.

  Lemma unique_by (A : mat K) (b v w : vec K) :
    (forall v, (forall x, (x < nS M)%nat -> v x = γ M * mulv (nS M) A v x) -> veq (nS M) v vzero) ->
    (forall x, (x < nS M)%nat -> v x = b x + γ M * mulv (nS M) A v x) ->
    (forall x, (x < nS M)%nat -> w x = b x + γ M * mulv (nS M) A w x) -> veq (nS M) v w.
  Proof.
    intros Inj Hv Hw x Hx. assert (Z : vsub v w x = 0).
    { apply Inj; [|exact Hx]. intros y Hy. unfold vsub at 1. rewrite (Hv y Hy), (Hw y Hy).
      replace (mulv (nS M) A (vsub v w) y) with (mulv (nS M) A v y - mulv (nS M) A w y); [ring|].
      unfold mulv. rewrite <- sum_sub. apply sum_ext. intros. unfold vsub. ring. }
    unfold vsub in Z. replace (v x) with (v x - w x + w x) by ring. rewrite Z. ring.
  Qed.

  Theorem value_unique v w : is_value M π v -> is_value M π w -> veq (nS M) v w.
  Proof.
    intros Hv Hw. apply (unique_by kernel (fun x => sum (nA M) (fun a => π x a * reward M x a)) v w value_injective);
      intros x Hx; rewrite <- value_matrix; auto.
  Qed.

  Theorem occupancy_unique ν w : is_occupancy M π ν -> is_occupancy M π w -> veq (nS M) ν w.
  Proof.
    intros Hv Hw. apply (unique_by (transpose kernel) (fun x => (1 - γ M) * ν0 M x) ν w measure_injective);
      intros x Hx; rewrite <- flow_matrix; auto.
  Qed.

  (** ν^π >= 0: its negative part is contracted; and Σ ν^π = 1. *)
  Theorem occupancy_nonneg ν : is_occupancy M π ν -> forall x, (x < nS M)%nat -> 0 <= ν x.
  Proof.
    intros H. set (neg := fun x => if le_dec 0 (ν x) then 0 else - ν x).
    assert (Neg : forall x, 0 <= neg x /\ - neg x <= ν x).
    { intros x. unfold neg. destruct (le_dec 0 (ν x)) as [P|P].
      - split; [apply le_refl|]. now replace (- 0 : K) with (0 : K) by ring.
      - split; [now apply opp_nonneg, not_le | apply le_eq; ring]. }
    assert (Z : veq (nS M) neg vzero).
    { apply measure_contraction; [intros; apply Neg|]. intros x Hx.
      assert (P : 0 <= γ M * mulv (nS M) (transpose kernel) neg x).
      { apply mul_nonneg; [apply gamma_nonneg|]. apply sum_nonneg. intros y Hy.
        apply mul_nonneg; [now apply kernel_nonneg | apply Neg]. }
      unfold neg at 1. destruct (le_dec 0 (ν x)); [exact P|].
      rewrite (H x Hx), flow_matrix.
      set (s := mulv (nS M) (transpose kernel)).
      apply le_by_sub with ((1 - γ M) * ν0 M x + γ M * (s neg x + s ν x)); [ring|].
      apply add_nonneg; apply mul_nonneg.
      - apply sub_nonneg, lt_le, gamma_lt.
      - now apply discounted.
      - apply gamma_nonneg.
      - unfold s, mulv. rewrite <- sum_add. apply sum_nonneg. intros y Hy.
        replace (transpose kernel x y * neg y + transpose kernel x y * ν y)
          with (transpose kernel x y * (ν y - - neg y)) by ring.
        apply mul_nonneg; [now apply kernel_nonneg | apply sub_nonneg, Neg]. }
    intros x Hx. destruct (Neg x) as [_ B]. rewrite (Z x Hx) in B. unfold vzero in B.
    now replace (- 0 : K) with (0 : K) in B by ring.
  Qed.

  Theorem occupancy_total ν : is_occupancy M π ν -> sumX M ν = 1.
  Proof.
    intros H. set (s := sumX M ν).
    assert (E : s = (1 - γ M) + γ M * s).
    { unfold s at 1, sumX. rewrite (sum_ext _ _ _ (fun x Hx => eq_trans (H x Hx) (flow_matrix ν x))).
      rewrite sum_add, !sum_mul_l. destruct discounted as (_ & _ & _ & H1). unfold sumX in H1. rewrite H1.
      unfold mulv, transpose. rewrite sum_swap. rewrite (sum_ext (nS M) _ ν); [unfold s, sumX; ring|].
      intros y Hy. rewrite sum_mul_r. change (sum (nS M) (kernel y) * ν y = ν y). rewrite (kernel_row y Hy). ring. }
    assert (N : 1 - γ M <> 0).
    { intros Z. apply (proj2 gamma_lt). replace (γ M) with (1 - (1 - γ M)) by ring. rewrite Z. ring. }
    assert (Z : (1 - γ M) * (s - 1) = 0).
    { replace ((1 - γ M) * (s - 1)) with (s - ((1 - γ M) + γ M * s)) by ring. rewrite <- E. ring. }
    destruct (mul_zero _ _ Z) as [Z'|Z']; [contradiction|].
    replace s with (s - 1 + 1) by ring. rewrite Z'. ring.
  Qed.
End Existence.

(** ** v^π and ν^π as functions of π, for the theorems that speak of all policies at once *)
Section Selection.
  Context {K : ofield} (M : linear_mdp K).

  Lemma forall_below_dec n (P : nat -> Prop) : (forall i, {P i} + {~ P i}) ->
    {forall i, (i < n)%nat -> P i} + {~ forall i, (i < n)%nat -> P i}.
  Proof.
    intros D. induction n as [|n [IH|IH]]; [left; lia | | right; intros H; apply IH; auto].
    destruct (D n) as [H|H]; [left | right; auto].
    intros i Hi. destruct (Nat.eq_dec i n) as [->|]; [exact H | apply IH; lia].
  Qed.

  Lemma is_policy_dec π : {is_policy M π} + {~ is_policy M π}.
  Proof.
    assert (A : {forall x, (x < nS M)%nat -> forall a, (a < nA M)%nat -> 0 <= π x a} +
                {~ forall x, (x < nS M)%nat -> forall a, (a < nA M)%nat -> 0 <= π x a}).
    { apply forall_below_dec. intros x. apply forall_below_dec. intros a. apply le_dec. }
    assert (B : {forall x, (x < nS M)%nat -> sum (nA M) (π x) = 1} + {~ forall x, (x < nS M)%nat -> sum (nA M) (π x) = 1}).
    { apply forall_below_dec. intros x. apply eq_dec. }
    destruct A as [A|A], B as [B|B]; [left; split; auto | right | right | right]; intros [H H']; auto.
  Qed.

  Theorem selection : is_mdp M -> is_discounted M -> exists val occ, forall π, is_policy M π ->
    is_value M π (val π) /\ is_occupancy M π (occ π).
  Proof.
    intros Hm Hd.
    exists (fun π => match is_policy_dec π with left H => proj1_sig (value_solution M π Hm Hd H) | right _ => fun _ => 0 end).
    exists (fun π => match is_policy_dec π with left H => proj1_sig (occupancy_solution M π Hm Hd H) | right _ => fun _ => 0 end).
    intros π H. destruct (is_policy_dec π) as [P|P]; [|contradiction].
    split; [apply (proj2_sig (value_solution M π Hm Hd P)) | apply (proj2_sig (occupancy_solution M π Hm Hd P))].
  Qed.
End Selection.
