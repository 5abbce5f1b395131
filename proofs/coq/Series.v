(** * Section 2: v^π, ν^π and the return as the sums of their series

    The paper defines them as expectations over the trajectory X₀, A₀, X₁, A₁, …; [visit] is the law of (X_t, A_t). *)

From Coq Require Import Ring Field List Lia Arith Reals Lra.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Solve Existence ThetaBound DoubleLoop.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K) (π : nat -> nat -> K).

  (** The law of (X_t, A_t) given X₀ = x: A₀ ~ π(·|x), X₁ ~ p(·|x,A₀), and so on. *)
  Fixpoint visit (t x : nat) : law K (nat * nat) :=
    bind (draw (nA M) (π x)) (fun a =>
      match t with O => dirac (x, a) | S t => bind (draw (nS M) (trans M x a)) (visit t) end).

  (** The law of (X_t, A_t) if X₀ ~ ν₀ … *)
  Definition visit_from_start (t : nat) : law K (nat * nat) := bind (draw (nS M) (ν0 M)) (visit t).
  (** … and E[r(X_t,A_t)] under either law. *)
  Definition expected_reward (D : law K (nat * nat)) : K := E D (fun xa => reward M (fst xa) (snd xa)).

  Fixpoint pow (g : K) (t : nat) : K := match t with O => 1 | S t => g * pow g t end.
End Definitions.

Section Series.
  Context {K : ofield} (M : linear_mdp K) (π : nat -> nat -> K).
  Add Field K_field : (field_laws K).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis policy : is_policy M π.
  Notation kernel := (kernel M π).
  Notation γ := (γ M).

  (** E[f(X_{t+1},A_{t+1}) | X₀ = x] = Σ_{x'} P_π(x'|x) E[f(X_t,A_t) | X₀ = x'] *)
  Lemma visit_step f t x : E (visit M π (S t) x) f = mulv (nS M) kernel (fun x' => E (visit M π t x') f) x.
  Proof.
    change (visit M π (S t) x) with (bind (draw (nA M) (π x)) (fun a => bind (draw (nS M) (trans M x a)) (visit M π t))).
    rewrite E_bind, E_draw. unfold mulv, Existence.kernel.
    rewrite (sum_ext (nS M) _ (fun x' => sum (nA M) (fun a => π x a * (trans M x a x' * E (visit M π t x') f)))).
    - rewrite sum_swap. apply sum_ext. intros a _. rewrite E_bind, E_draw, sum_mul_l. reflexivity.
    - intros x' _. rewrite <- sum_mul_r. apply sum_ext. intros. ring.
  Qed.

  Lemma visit_start f x : E (visit M π O x) f = sum (nA M) (fun a => π x a * f (x, a)).
  Proof. simpl. rewrite E_bind, E_draw. apply sum_ext. intros a _. now rewrite E_dirac. Qed.

  Lemma pow_nonneg (g : K) t : 0 <= g -> 0 <= pow g t.
  Proof. intros H. induction t; simpl; [apply one_nonneg | now apply mul_nonneg]. Qed.

  Lemma kernel_sup (e : vec K) B : (forall x, (x < nS M)%nat -> abs (e x) <= B) -> forall x, (x < nS M)%nat -> abs (mulv (nS M) kernel e x) <= B.
  Proof.
    intros H x Hx. eapply le_trans; [apply abs_sum|]. apply le_trans with (sum (nS M) (fun j => kernel x j * B)).
    - apply sum_le. intros j Hj. eapply le_trans; [apply abs_mul_nonneg, kernel_nonneg; assumption|].
      apply mul_le_l; [now apply kernel_nonneg | now apply H].
    - rewrite sum_mul_r. change (sum (nS M) (kernel x) * B <= B). rewrite (kernel_row M π mdp policy x Hx). apply le_eq. ring.
  Qed.

  Definition value_terms (t x : nat) : K := pow γ t * expected_reward M (visit M π t x).

  Lemma value_partial n x : (x < nS M)%nat ->
    sum (S n) (fun t => value_terms t x) =
    sum (nA M) (fun a => π x a * reward M x a) + γ * mulv (nS M) kernel (fun y => sum n (fun t => value_terms t y)) x.
  Proof.
    intros Hx. induction n as [|n IH].
    - simpl. unfold value_terms, expected_reward. rewrite visit_start. simpl. unfold mulv. rewrite (sum_zero (nS M)) by (intros; ring). ring.
    - change (sum (S (S n)) (fun t => value_terms t x)) with (sum (S n) (fun t => value_terms t x) + value_terms (S n) x). rewrite IH.
      replace (mulv (nS M) kernel (fun y => sum (S n) (fun t => value_terms t y)) x)
        with (mulv (nS M) kernel (fun y => sum n (fun t => value_terms t y)) x + mulv (nS M) kernel (value_terms n) x).
      2:{ unfold mulv. rewrite <- sum_add. apply sum_ext. intros y _. cbn [sum]. ring. }
      replace (value_terms (S n) x) with (γ * mulv (nS M) kernel (value_terms n) x); [ring|].
      unfold value_terms at 2, expected_reward. rewrite visit_step. cbn [pow]. unfold mulv.
      rewrite (sum_ext _ _ (fun j => pow γ n * (kernel x j * E (visit M π n j) (fun xa => reward M (fst xa) (snd xa))))) by
        (intros; unfold value_terms, expected_reward; ring).
      rewrite sum_mul_l. ring.
  Qed.

  (** |v^π(x) − Σ_{t<n} γ^t E[r(X_t,A_t)|X₀=x]| <= γⁿ/(1−γ) *)
  Theorem value_remainder v n x : is_value M π v -> (x < nS M)%nat ->
    abs (v x - sum n (fun t => value_terms t x)) <= pow γ n / (1 - γ).
  Proof.
    intros Hv. pose proof (lt_neq _ (one_minus_gamma M discounted)) as N. revert x. induction n as [|n IH]; intros x Hx.
    - simpl. replace (v x - 0) with (v x) by ring. now apply (value_bound M π).
    - rewrite value_partial by exact Hx. rewrite (value_at M π v Hv x Hx).
      replace (sum (nA M) (fun a => π x a * reward M x a) + γ * mulv (nS M) kernel v x -
        (sum (nA M) (fun a => π x a * reward M x a) + γ * mulv (nS M) kernel (fun y => sum n (fun t => value_terms t y)) x))
        with (γ * mulv (nS M) kernel (fun y => v y - sum n (fun t => value_terms t y)) x).
      + eapply le_trans; [apply abs_mul_nonneg; apply discounted|]. cbn [pow]. replace (γ * pow γ n / (1 - γ)) with (γ * (pow γ n / (1 - γ))) by (field; exact N).
        apply mul_le_l; [apply discounted|]. now apply kernel_sup.
      + replace (mulv (nS M) kernel (fun y => v y - sum n (fun t => value_terms t y)) x)
          with (mulv (nS M) kernel v x - mulv (nS M) kernel (fun y => sum n (fun t => value_terms t y)) x); [ring|].
        unfold mulv. rewrite <- sum_sub. apply sum_ext. intros. ring.
  Qed.

  (** ** Occupancies *)
  Definition at_state (x : nat) (xa : nat * nat) : K := if Nat.eqb (fst xa) x then 1 else 0.

  (** P(X_t = x), by Chapman and Kolmogorov from the front and from the back. *)
  Fixpoint state_law (t : nat) : vec K := match t with O => ν0 M | S t => mulv (nS M) (transpose kernel) (state_law t) end.

  Lemma visit_state f t : E (visit_from_start M π t) f = dot (nS M) (state_law t) (fun x => sum (nA M) (fun a => π x a * f (x, a))).
  Proof.
    unfold visit_from_start. rewrite E_bind, E_draw.
    assert (H : forall s ν, sum (nS M) (fun x => ν x * E (visit M π s x) f) = dot (nS M) (Nat.iter s (mulv (nS M) (transpose kernel)) ν) (fun x => E (visit M π O x) f)).
    { induction s as [|s IH]; intros ν; [reflexivity|].
      transitivity (dot (nS M) ν (mulv (nS M) kernel (fun x => E (visit M π s x) f))).
      - apply sum_ext. intros x _. now rewrite visit_step.
      - rewrite dot_mulv. fold (dot (nS M) (mulv (nS M) (transpose kernel) ν) (fun x => E (visit M π s x) f)) in IH.
        replace (Nat.iter (S s) (mulv (nS M) (transpose kernel)) ν) with (Nat.iter s (mulv (nS M) (transpose kernel)) (mulv (nS M) (transpose kernel) ν)); [apply IH|].
        clear. induction s as [|s IH]; [reflexivity | simpl in *; now rewrite IH]. }
    rewrite H. assert (I : forall s, Nat.iter s (mulv (nS M) (transpose kernel)) (ν0 M) = state_law s) by (induction s; simpl; congruence).
    rewrite I. apply sum_ext. intros x _. now rewrite visit_start.
  Qed.

  Lemma visit_at t x : (x < nS M)%nat -> E (visit_from_start M π t) (at_state x) = state_law t x.
  Proof.
    intros Hx. rewrite visit_state. unfold dot.
    rewrite (sum_ext (nS M) _ (fun y => (if Nat.eqb y x then 1 else 0) * state_law t y)); [now apply sum_delta|].
    intros y Hy. unfold at_state. simpl. rewrite sum_mul_r. destruct policy as [_ P1]. change (state_law t y * (sum (nA M) (π y) * (if Nat.eqb y x then 1 else 0)) =
      (if Nat.eqb y x then 1 else 0) * state_law t y). rewrite (P1 y Hy). ring.
  Qed.

  Definition occupancy_partial (n x : nat) : K := (1 - γ) * sum n (fun t => pow γ t * state_law t x).

  Lemma occupancy_partial_step n x :
    occupancy_partial (S n) x = (1 - γ) * ν0 M x + γ * mulv (nS M) (transpose kernel) (occupancy_partial n) x.
  Proof.
    induction n as [|n IH].
    - unfold occupancy_partial. simpl. unfold mulv. rewrite (sum_zero (nS M)) by (intros; ring). ring.
    - replace (occupancy_partial (S (S n)) x) with (occupancy_partial (S n) x + (1 - γ) * (pow γ (S n) * state_law (S n) x)) by (unfold occupancy_partial; cbn [sum]; ring).
      rewrite IH.
      replace (mulv (nS M) (transpose kernel) (occupancy_partial (S n)) x)
        with (mulv (nS M) (transpose kernel) (occupancy_partial n) x + (1 - γ) * pow γ n * mulv (nS M) (transpose kernel) (state_law n) x); [cbn [pow state_law]; ring|].
      unfold mulv. rewrite <- sum_mul_l, <- sum_add. apply sum_ext. intros y _. unfold occupancy_partial. cbn [sum]. ring.
  Qed.

  (** Σ_x |ν^π(x) − (1−γ)Σ_{t<n} γ^t P(X_t = x)| <= γⁿ *)
  Lemma occupancy_total_remainder ν n : is_occupancy M π ν -> sum (nS M) (fun x => abs (ν x - occupancy_partial n x)) <= pow γ n.
  Proof.
    intros Hν. induction n as [|n IH].
    - simpl. rewrite <- (occupancy_total M π mdp discounted policy ν Hν). apply sum_le. intros x Hx. unfold occupancy_partial. simpl.
      replace (ν x - (1 - γ) * 0) with (ν x) by ring. pose proof (occupancy_nonneg M π mdp discounted policy ν Hν x Hx) as P. unfold abs. destruct (le_dec 0 (ν x)); [apply le_refl | contradiction].
    - set (e := fun x => ν x - occupancy_partial n x) in *.
      apply le_trans with (sum (nS M) (fun x => γ * mulv (nS M) (transpose kernel) (fun y => abs (e y)) x)).
      + apply sum_le. intros x Hx. rewrite occupancy_partial_step. rewrite (Hν x Hx) at 1. rewrite flow_matrix.
        replace ((1 - γ) * ν0 M x + γ * mulv (nS M) (transpose kernel) ν x - ((1 - γ) * ν0 M x + γ * mulv (nS M) (transpose kernel) (occupancy_partial n) x))
          with (γ * mulv (nS M) (transpose kernel) e x).
        * eapply le_trans; [apply abs_mul_nonneg; apply discounted|]. apply mul_le_l; [apply discounted|].
          eapply le_trans; [apply abs_sum|]. apply sum_le. intros y Hy. apply abs_mul_nonneg. now apply kernel_nonneg.
        * replace (mulv (nS M) (transpose kernel) e x) with (mulv (nS M) (transpose kernel) ν x - mulv (nS M) (transpose kernel) (occupancy_partial n) x); [ring|].
          unfold mulv. rewrite <- sum_sub. apply sum_ext. intros. unfold e. ring.
      + rewrite sum_mul_l. cbn [pow]. apply mul_le_l; [apply discounted|]. eapply le_trans; [|exact IH].
        unfold mulv, transpose. rewrite sum_swap. apply sum_le. intros y Hy. rewrite sum_mul_r.
        change (sum (nS M) (kernel y) * abs (e y) <= abs (e y)). rewrite (kernel_row M π mdp policy y Hy). apply le_eq. ring.
  Qed.

  Theorem occupancy_remainder ν n x : is_occupancy M π ν -> (x < nS M)%nat ->
    abs (ν x - (1 - γ) * sum n (fun t => pow γ t * E (visit_from_start M π t) (at_state x))) <= pow γ n.
  Proof.
    intros Hν Hx. rewrite (sum_ext n _ (fun t => pow γ t * state_law t x)) by (intros; now rewrite visit_at).
    eapply le_trans; [|apply (occupancy_total_remainder ν n Hν)].
    apply (sum_term_le (nS M) (fun x => abs (ν x - occupancy_partial n x))); [intros; apply abs_nonneg | exact Hx].
  Qed.

  (** E[r(X_t,A_t)] from ν₀ is the mean over X₀. *)
  Lemma expected_reward_start t : expected_reward M (visit_from_start M π t) = sumX M (fun x => ν0 M x * expected_reward M (visit M π t x)).
  Proof. unfold expected_reward, visit_from_start. now rewrite E_bind, E_draw. Qed.

  (** |ρ(π) − (1−γ)Σ_{t<n} γ^t E[r(X_t,A_t)]| <= γⁿ *)
  Theorem return_remainder v n : is_value M π v ->
    abs (return_of_value M v - (1 - γ) * sum n (fun t => pow γ t * expected_reward M (visit_from_start M π t))) <= pow γ n.
  Proof.
    intros Hv. pose proof (one_minus_gamma M discounted) as P. pose proof (lt_neq _ P) as N. destruct discounted as (_ & _ & P0 & P1).
    assert (S : sum n (fun t => pow γ t * expected_reward M (visit_from_start M π t)) = sumX M (fun x => ν0 M x * sum n (fun t => value_terms t x))).
    { unfold sumX. rewrite (sum_ext (nS M) _ (fun x => sum n (fun t => ν0 M x * value_terms t x))) by (intros; now rewrite sum_mul_l).
      rewrite sum_swap. apply sum_ext. intros t _. rewrite expected_reward_start. unfold sumX. rewrite <- sum_mul_l. apply sum_ext. intros. unfold value_terms. ring. }
    rewrite S. unfold return_of_value.
    replace ((1 - γ) * sumX M (fun x => ν0 M x * v x) - (1 - γ) * sumX M (fun x => ν0 M x * sum n (fun t => value_terms t x)))
      with ((1 - γ) * sumX M (fun x => ν0 M x * (v x - sum n (fun t => value_terms t x)))).
    - eapply le_trans; [apply abs_mul_nonneg, lt_le, P|].
      apply le_trans with ((1 - γ) * (pow γ n / (1 - γ))); [|apply le_eq; now field]. apply mul_le_l; [now apply lt_le|].
      unfold sumX. eapply le_trans; [apply abs_sum|]. apply le_trans with (sum (nS M) (fun x => ν0 M x * (pow γ n / (1 - γ)))).
      + apply sum_le. intros x Hx. eapply le_trans; [apply abs_mul_nonneg, P0, Hx|]. apply mul_le_l; [now apply P0 | now apply value_remainder].
      + rewrite sum_mul_r. fold (sumX M (ν0 M)). rewrite P1. apply le_eq. ring.
    - unfold sumX. rewrite <- !sum_mul_l, <- sum_sub. apply sum_ext. intros. ring.
  Qed.
End Series.

(** ** Over the reals: the infinite sums *)
Lemma pow_real (g : R) t : pow (K := RK) g t = (g ^ t)%R.
Proof. induction t as [|t IH]; simpl; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma abs_real (x : R) : abs (K := RK) x = Rabs x.
Proof. unfold abs, Rabs. destruct (le_dec (o := RK)) as [H|H], (Rcase_abs x) as [L|L]; real; try reflexivity; lra. Qed.

(** Remainders that a multiple of γⁿ bounds make an infinite sum. *)
Lemma sum_of_series (g B s : R) (f : nat -> R) : (0 <= g < 1)%R ->
  (forall n, (Rabs (s - sum (K := RK) n f) <= g ^ n * B)%R) -> infinite_sum f s.
Proof.
  intros [G0 G1] H e He. assert (PB : (0 <= B)%R) by (pose proof (H O) as X; simpl in X; pose proof (Rabs_pos (s - 0)); real; lra).
  destruct (pow_lt_1_zero g) with (y := (e / (B + 1))%R) as [N HN]; [rewrite Rabs_pos_eq; lra | apply Rdiv_lt_0_compat; lra|].
  assert (E : forall n, sum_f_R0 f n = sum (K := RK) (S n) f).
  { induction n as [|n IH]; [simpl; symmetry; apply Rplus_0_l | simpl in *; now rewrite IH]. }
  exists N. intros n Hn. unfold R_dist. rewrite E, Rabs_minus_sym. eapply Rle_lt_trans; [apply H|].
  specialize (HN (S n) ltac:(lia)). rewrite Rabs_pos_eq in HN by now apply pow_le.
  apply Rle_lt_trans with (g ^ S n * (B + 1))%R; [apply Rmult_le_compat_l; [now apply pow_le | lra]|].
  apply (Rmult_lt_reg_r (/ (B + 1))); [apply Rinv_0_lt_compat; lra|]. replace (g ^ S n * (B + 1) * / (B + 1))%R with (g ^ S n)%R by (field; lra). exact HN.
Qed.
