(** * The printed K/T of Theorems A.1 and C.1 does not have the stated sample complexity (erratum 15)

    The printed ratio K/T grows with log|A|, so n = KT = O(log|A|) leaves T bounded; but at the printed α the policy cannot prefer one action of
    very many after so few iterations, whatever the data: π_t(a) ≤ exp(2√(2T log|A|))/(|A| − 1). *)

From Coq Require Import List Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Average AppendixC Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Coverage Algorithm1 Algorithm2 Tuning Statements RegretStatements Bandit Stuck Twins RefutedStatements RefutedSamples RefutedA1.
Import ListNotations.
Local Open Scope K_scope.

(** ** The policy after t iterations *)
Lemma twins_policy n α z t : (0 < n)%nat -> (0 <= α)%R -> (forall j, (j < 2)%nat -> (Rabs (z j) <= t)%R) ->
  (softmax_policy (twins n) α z 0%nat 0%nat <= exp (2 * α * t) / INR n)%R.
Proof.
  intros Hn Hα Hz. pose proof (INR_n n Hn) as Pn. unfold softmax_policy, softmax. simpl nA. simpl dim. cbv beta.
  pose proof (exp_pos (α * z 0%nat)) as P0. pose proof (exp_pos (α * z 1%nat)) as P1.
  replace (rsum (S n) (fun b => exp (α * dot 2 (φ (twins n) 0 b) z))) with (exp (α * z 0%nat) + INR n * exp (α * z 1%nat))%R.
  2:{ symmetry. apply (sum_two n). intros a _. rewrite twins_dot. now destruct (Nat.eqb a 0). }
  rewrite twins_dot. simpl Nat.eqb. cbv iota.
  assert (E : (exp (α * z 0%nat) <= exp (2 * α * t) * exp (α * z 1%nat))%R).
  { rewrite <- exp_plus. pose proof (Hz 0%nat ltac:(lia)) as A. pose proof (Hz 1%nat ltac:(lia)) as B.
    apply Rcomplements.Rabs_le_between in A. apply Rcomplements.Rabs_le_between in B.
    assert (L : (α * z 0%nat <= 2 * α * t + α * z 1%nat)%R) by nra. destruct L as [L| ->]; [now apply Rlt_le, exp_increasing | apply Rle_refl]. }
  apply (Rmult_le_reg_r (exp (α * z 0%nat) + INR n * exp (α * z 1%nat))); [nra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by nra.
  apply Rle_trans with (exp (2 * α * t) * exp (α * z 1%nat))%R; [exact E|].
  assert (P : (0 < exp (2 * α * t) / INR n)%R) by (apply Rdiv_lt_0_compat; [apply exp_pos | lra]).
  replace (exp (2 * α * t) * exp (α * z 1%nat))%R with (exp (2 * α * t) / INR n * (INR n * exp (α * z 1%nat)))%R by (field; lra).
  apply Rmult_le_compat_l; lra.
Qed.

(** Few iterations: T ≤ ℓ/32, at the printed α, leave at most √|A|/(|A| − 1) for action 0 … *)
Definition share (n : nat) : R := (exp (ln (INR (S n)) / 2) / INR n)%R.

Lemma few_iterations_fail n T z : (0 < n)%nat -> (0 < T)%nat -> (32 * INR T <= ln (INR (S n)))%R ->
  (forall j, (j < 2)%nat -> (Rabs (z j) <= INR T)%R) ->
  (softmax_policy (twins n) (rate_α 1 1 (ln (INR (S n))) (INR T)) z 0%nat 0%nat <= share n)%R.
Proof.
  intros Hn HT LT Hz. unfold share. set (ℓ := ln (INR (S n))) in *. assert (PT : (1 <= INR T)%R) by (apply (le_INR 1); lia).
  pose proof (root_one T HT) as RT. pose proof (INR_n n Hn) as Pn.
  assert (A : rate_α 1 1 ℓ (INR T) = (sqrt (2 * ℓ) / sqrt (INR T))%R) by (unfold rate_α; f_equal; ring).
  assert (Pα : (0 <= rate_α 1 1 ℓ (INR T))%R) by (rewrite A; apply Rmult_le_pos; [apply sqrt_pos | apply Rlt_le, Rinv_0_lt_compat; lra]).
  eapply Rle_trans; [apply (twins_policy n _ z (INR T) Hn Pα Hz)|].
  assert (X : (2 * rate_α 1 1 ℓ (INR T) * INR T <= ℓ / 2)%R).
  { rewrite A. replace (2 * (sqrt (2 * ℓ) / sqrt (INR T)) * INR T)%R with (2 * (sqrt (2 * ℓ) * sqrt (INR T)))%R.
    - rewrite <- sqrt_mult by lra. assert (sqrt (2 * ℓ * INR T) <= ℓ / 4)%R by (apply root_le; nra). lra.
    - rewrite <- (sqrt_def (INR T)) at 3 by lra. field. lra. }
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|]. destruct X as [X| ->]; [now apply Rlt_le, exp_increasing | apply Rle_refl].
Qed.

(** … which is below 1 − ε for enough actions. *)
Lemma share_small n (ε : R) : (0 < n)%nat -> (ε < 1)%R -> (4 / (1 - ε) < ln (INR (S n)))%R -> (share n < 1 - ε)%R.
Proof.
  intros Hn Hε Lε. unfold share. set (ℓ := ln (INR (S n))) in *. pose proof (INR_n n Hn) as Pn.
  set (q := exp (ℓ / 2)). assert (Pq : (0 < q)%R) by apply exp_pos.
  assert (Q2 : (q * q = INR n + 1)%R).
  { unfold q. rewrite <- exp_plus. replace (ℓ / 2 + ℓ / 2)%R with ℓ by field. unfold ℓ. rewrite exp_ln by (rewrite S_INR; lra). apply S_INR. }
  assert (Q1 : (2 < q * (1 - ε))%R).
  { assert (1 + ℓ / 2 <= q)%R by apply exp_ineq1_le. apply (Rmult_lt_compat_r (1 - ε)) in Lε; [|lra].
    replace (4 / (1 - ε) * (1 - ε))%R with 4%R in Lε by (field; lra). nra. }
  apply (Rmult_lt_reg_r (INR n)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (q * q <= 2 * INR n)%R by lra. nra.
Qed.

(** K in a ratio of at least ℓ/b to T, and KT ≤ C·a·ℓ, leave T ≤ 2ab|C|. *)
Lemma few_iterations (T K : nat) (a b C ℓ ρ : R) : (0 < T)%nat -> (0 < K)%nat -> (0 < ℓ)%R -> (0 <= a)%R -> (0 < b)%R ->
  (ℓ <= b * ρ)%R -> rounded K (INR T * ρ)%R -> (INR (K * T) <= C * (a * ℓ))%R -> (INR T <= 2 * a * b * Rabs C)%R.
Proof.
  intros HT HK Hℓ Ha Hb Hρ [R1 _] H. rewrite mult_INR in H. assert (PT : (1 <= INR T)%R) by (apply (le_INR 1); lia).
  assert (PK : (1 <= INR K)%R) by (apply (le_INR 1); lia). set (t := INR T) in *. set (k := INR K) in *.
  assert (C1 : (C * (a * ℓ) <= Rabs C * (a * ℓ))%R) by (apply Rmult_le_compat_r; [nra | apply Rle_abs]).
  assert (K1 : (t * ℓ <= 2 * b * k)%R) by (assert (t * ℓ <= t * (b * ρ))%R by (apply Rmult_le_compat_l; lra); nra).
  assert (K2 : (t * ℓ * t <= 2 * b * (Rabs C * (a * ℓ)))%R).
  { apply Rle_trans with (2 * b * k * t)%R; [apply Rmult_le_compat_r; lra|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
  assert (K3 : (ℓ * (t * t) <= ℓ * (2 * a * b * Rabs C))%R) by nra. apply Rmult_le_reg_l in K3; [|exact Hℓ]. nra.
Qed.

(** Enough actions for that. *)
Lemma many_actions (x : R) : exists n, (0 < n)%nat /\ (x < ln (INR (S n)))%R.
Proof.
  destruct (above (exp x)) as [n Hn]. exists (S n). split; [lia|].
  apply exp_lt_inv. rewrite exp_ln by (apply lt_0_INR; lia). eapply Rlt_trans; [exact Hn | apply lt_INR; lia].
Qed.

(** ** Every iterate stays in its ball, so Σθ has components of at most t. *)
Lemma component_sum (u v : vec RK) (t : R) : (forall j, (j < 2)%nat -> (Rabs (u j) <= t)%R) -> ball 2 (1%R : RK) v ->
  forall j, (j < 2)%nat -> (Rabs (vadd u v j) <= t + 1)%R.
Proof.
  intros Hu Hv j Hj. unfold vadd. real. eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [now apply Hu | apply component; [lra | exact Hv | exact Hj]].
Qed.

Lemma run_components_1 n α ζ η Dβ θ0 β1 H : ball 2 (1%R : RK) θ0 ->
  let st := run (step1 (twins n) identity α ζ η 1 Dβ) (initial1 θ0 β1) H in
  ball 2 (1%R : RK) (theta st) /\ forall j, (j < 2)%nat -> (Rabs (theta_sum st j) <= INR (length H))%R.
Proof.
  intros H0. induction H as [|F H IH]; intros st.
  - split; [exact H0|]. intros j _. unfold st. simpl. unfold vzero. real. rewrite Rabs_R0. lra.
  - destruct IH as [B S]. unfold st. cbn [run length]. rewrite (S_INR (length H)). set (s' := run _ _ H) in *.
    assert (Bθ : ball 2 (1%R : RK) (theta1 (twins n) identity α η 1 s' F)).
    { apply average_in_ball. intros F'. apply descend_in_ball; [lra | exact B]. }
    split; [exact Bθ | exact (component_sum _ _ _ S Bθ)].
Qed.

Lemma run_components_2 n α ζ ξ η Dβ θ0 ρ0 β1 H : ball 2 (1%R : RK) θ0 ->
  let st := run (step2 (twins n) identity α ζ ξ η 1 Dβ) (initial2 θ0 ρ0 β1) H in
  ball 2 (1%R : RK) (a_theta st) /\ forall j, (j < 2)%nat -> (Rabs (a_theta_sum st j) <= INR (length H))%R.
Proof.
  intros H0. induction H as [|F H IH]; intros st.
  - split; [exact H0|]. intros j _. unfold st. simpl. unfold vzero. real. rewrite Rabs_R0. lra.
  - destruct IH as [B S]. unfold st. cbn [run length]. rewrite (S_INR (length H)). set (s' := run _ _ H) in *.
    assert (Bθ : ball 2 (1%R : RK) (theta2 (twins n) identity η 1 s' (tl F))).
    { apply average_in_ball. intros F'. apply descend_in_ball; [lra | exact B]. }
    split; [exact Bθ | exact (component_sum _ _ _ S Bθ)].
Qed.

Lemma twins_optimum n : return_of_measure (twins n) (compose (play 0) ones) = 1%R.
Proof. now rewrite twins_return. Qed.

Section Suboptimality.
  Variables (n T K : nat).
  Hypothesis Hn : (0 < n)%nat.
  Hypothesis HT : (0 < T)%nat.
  Hypothesis few : (32 * INR T <= ln (INR (S n)))%R.
  Notation α := (rate_α 1 1 (ln (INR (S n))) (INR T)).
  Notation μB := (compose (half_half n) ones).

  Lemma twins_suboptimality_1 ζ η Dβ β1 :
    (1 - share n <= expected_suboptimality_1 (twins n) μB identity 1 Dβ (play 0) ones (fun _ => ones) α ζ η T K vzero β1)%R.
  Proof.
    apply (expected_lower _ _ _ (fun _ => True)); [| auto | exact HT|].
    - intros _. apply is_law_block, is_law_observation; [apply twins_mdp | apply twins_discounted | now apply twins_measure].
    - intros H F L _. unfold suboptimality_of. rewrite twins_optimum, twins_return.
      destruct (run_components_1 n α ζ η Dβ vzero β1 H (ball_vzero _ _)) as [_ S]. set (st := run _ _ H) in *.
      assert (Z : forall j, (j < 2)%nat -> (Rabs (theta_sum st j) <= INR T)%R).
      { intros j Hj. eapply Rle_trans; [now apply S | apply le_INR; lia]. }
      pose proof (few_iterations_fail n T (theta_sum st) Hn HT few Z). unfold policy1. real. lra.
  Qed.

  Lemma twins_suboptimality_2 ζ ξ η Dβ ρ0 β1 :
    (1 - share n <= expected_suboptimality_2 (twins n) μB identity 1 Dβ (play 0) ones (fun _ => ones) α ζ ξ η T K vzero ρ0 β1)%R.
  Proof.
    apply (expected_lower _ _ _ (fun _ => True)); [| auto | exact HT|].
    - intros st. apply is_law_block, is_law_transition; [apply twins_mdp | now apply twins_measure | apply softmax_is_policy; simpl; lia].
    - intros H F L _. unfold suboptimality_of. rewrite twins_optimum, twins_return.
      destruct (run_components_2 n α ζ ξ η Dβ vzero ρ0 β1 H (ball_vzero _ _)) as [_ S]. set (st := run _ _ H) in *.
      assert (Z : forall j, (j < 2)%nat -> (Rabs (a_theta_sum st j) <= INR T)%R).
      { intros j Hj. eapply Rle_trans; [now apply S | apply le_INR; lia]. }
      pose proof (few_iterations_fail n T (a_theta_sum st) Hn HT few Z). unfold policy2. real. lra.
  Qed.
End Suboptimality.

(** ** The theorems *)
Theorem printed_ratio_A_1_refuted (ε : R) : (0 < ε < 1)%R -> ~ Printed_ratio_A_1 ε.
Proof.
  intros [Hε Hε1] [C H]. set (a := (128 / ε ^ 4)%R). assert (Pε : (0 < ε ^ 4)%R) by now apply pow_lt.
  assert (Pa : (0 <= a)%R) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  assert (P1 : (0 < 4 / (1 - ε))%R) by (apply Rdiv_lt_0_compat; lra). pose proof (Rabs_pos C) as PC.
  set (B := (2 * a * 54 * Rabs C)%R). assert (PB : (0 <= B)%R) by (apply Rmult_le_pos; [lra | exact PC]).
  destruct (many_actions (32 * B + 4 / (1 - ε))%R) as (n & Hn & Lℓ).
  assert (S0 : printed_setting_A_1 (twins n) (half_half n) ones twice 1 4 1 (1 / 2) (play 0) ones (bandit_value 0) (fun _ => ones) vzero vzero).
  { split; [now apply twins_printed_setting | split; [now apply twins_operator_norm | split; apply ball_vzero]]. }
  assert (Cov : coverage (twins n) twice (compose (play 0) ones) <= (4%R : RK)²) by (rewrite twins_coverage; real; lra).
  destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ S0 Cov) as (T & K & HT & HK & HR & HN & Sub). clear H.
  change (nA (twins n)) with (S n) in *. change (dim (twins n)) with 2%nat in HN. rewrite (twins_trace n Hn) in HN.
  assert (GB : (sqrt (G_beta (twins n) 1%R 1%R (1 * 1)%R) * sqrt (G_beta (twins n) 1%R 1%R (1 * 1)%R) = 6)%R).
  { assert (V : G_beta (twins n) 1%R 1%R (1 * 1)%R = 6%R) by (unfold G_beta; simpl γ; real; ring). rewrite V. apply sqrt_def. lra. }
  assert (GT : (sqrt (G_theta (twins n) 1%R 4%R (1 / 2)%R) * sqrt (G_theta (twins n) 1%R 4%R (1 / 2)%R) = 27)%R).
  { assert (V : G_theta (twins n) 1%R 4%R (1 / 2)%R = 27%R) by (unfold G_theta; simpl γ; real; field). rewrite V. apply sqrt_def. lra. }
  assert (TB : (INR T <= B)%R).
  { apply (few_iterations T K a 54 C (ln (INR (S n))) _ HT HK ltac:(lra) Pa ltac:(lra)) with (2 := HR).
    - unfold ratio_A_1, outer. rewrite GB, GT. lra.
    - eapply Rle_trans; [exact HN | apply Req_le; unfold a; field; lra]. }
  pose proof (share_small n ε Hn Hε1 ltac:(lra)) as Sh.
  pose proof (twins_suboptimality_1 n T K Hn HT ltac:(lra) (rate_ζ 4 (sqrt (G_beta (twins n) 1%R 1%R (1 * 1)%R)) (INR T))
    (rate_η 1 (sqrt (G_theta (twins n) 1%R 4%R (1 / 2)%R)) (INR K)) 4 vzero)%R as Lo.
  assert (E : (1 - share n <= ε)%R) by (eapply Rle_trans; [exact Lo | exact Sub]). lra.
Qed.

Theorem printed_ratio_C_1_refuted (ε : R) : (0 < ε < 1)%R -> ~ Printed_ratio_C_1 ε.
Proof.
  intros [Hε Hε1] [C H]. set (a := (64 / ε ^ 4)%R). assert (Pε : (0 < ε ^ 4)%R) by now apply pow_lt.
  assert (Pa : (0 <= a)%R) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  assert (P1 : (0 < 4 / (1 - ε))%R) by (apply Rdiv_lt_0_compat; lra). pose proof (Rabs_pos C) as PC.
  set (B := (2 * a * 73 * Rabs C)%R). assert (PB : (0 <= B)%R) by (apply Rmult_le_pos; [lra | exact PC]).
  destruct (many_actions (32 * B + 4 / (1 - ε))%R) as (n & Hn & Lℓ).
  assert (Cov : coverage (twins n) twice (compose (play 0) ones) <= (4%R : RK)²) by (rewrite twins_coverage; real; lra).
  destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 0%R _ (twins_printed_average_setting n Hn) Cov (twins_operator_norm n Hn)
    (ball_vzero _ _) ltac:(lra) (ball_vzero _ _)) as (T & K & HT & HK & HR & HN & Sub). clear H.
  change (nA (twins n)) with (S n) in *. change (dim (twins n)) with 2%nat in *. rewrite (twins_trace n Hn) in HN, HR, Sub.
  assert (GB : (sqrt (average_G_beta (K := RK) 1%R 1%R 1%R) * sqrt (average_G_beta (K := RK) 1%R 1%R 1%R) = 9)%R).
  { assert (V : average_G_beta (K := RK) 1%R 1%R 1%R = 9%R) by (unfold average_G_beta; real; ring). rewrite V. apply sqrt_def. lra. }
  assert (GR : (sqrt (average_G_rho (K := RK) 4%R (1 / 2)%R) * sqrt (average_G_rho (K := RK) 4%R (1 / 2)%R) = 18)%R).
  { assert (V : average_G_rho (K := RK) 4%R (1 / 2)%R = 18%R) by (unfold average_G_rho; real; field). rewrite V. apply sqrt_def. lra. }
  assert (GT : (sqrt (average_G_theta (K := RK) 1%R 4%R (1 / 2)%R) * sqrt (average_G_theta (K := RK) 1%R 4%R (1 / 2)%R) = 32)%R).
  { assert (V : average_G_theta (K := RK) 1%R 4%R (1 / 2)%R = 32%R) by (unfold average_G_theta; real; field). rewrite V. apply sqrt_def. lra. }
  assert (TB : (INR T <= B)%R).
  { apply (few_iterations T K a 73 C (ln (INR (S n))) _ HT HK ltac:(lra) Pa ltac:(lra)) with (2 := HR).
    - unfold ratio_C_1, outer. rewrite GB, GR, GT. lra.
    - eapply Rle_trans; [exact HN | apply Req_le; unfold a; field; lra]. }
  pose proof (share_small n ε Hn Hε1 ltac:(lra)) as Sh.
  pose proof (fun ζ ξ η => twins_suboptimality_2 n T K Hn HT ltac:(lra) ζ ξ η 4 0 vzero)%R as Lo.
  assert (E : (1 - share n <= ε)%R) by (eapply Rle_trans; [apply Lo | exact Sub]). lra.
Qed.
