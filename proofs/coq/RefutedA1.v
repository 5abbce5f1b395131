(** * Theorem A.1 is false as printed at c = 1

    On the two-armed bandit with D_β = C_{φ,1} = 4/s² the six terms tend to √(2 log 2)/√T + 2√3/√K as s grows, while the policies
    stay near uniform on every data sequence (Stuck.v), so that the suboptimality tends to 1/2. *)

From Coq Require Import List Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Coverage Algorithm1 Tuning Statements RegretStatements AppendixB Bandit Stuck RefutedStatements RefutedSamples.
Import ListNotations.
Local Open Scope K_scope.

(** ** A lower bound on every data sequence is one on the expectation *)
Section Lower.
  Context {Ω S : Type} (step : S -> Ω -> S) (s1 : S) (P : S -> law RK Ω) (Q : Ω -> Prop).
  Hypothesis HP : forall s, is_law (P s).
  Hypothesis support : forall s p F, In (p, F) (P s) -> Q F.

  Lemma E_path_lower c n h f : Forall Q h -> (forall h', length h' = (n + length h)%nat -> Forall Q h' -> c <= f h') ->
    c <= E_path (fun H => P (run step s1 H)) n h f.
  Proof.
    revert h. induction n; intros h Hh H; simpl; [now apply H|].
    rewrite <- (E_const (P (run step s1 h)) c) by apply HP. apply E_le_in; [apply HP|]. intros p F HF. apply IHn.
    - constructor; [eapply support; exact HF | exact Hh].
    - intros h' L. apply H. simpl in L. lia.
  Qed.

  Lemma expected_lower (c : RK) T g : (0 < T)%nat -> (forall H F, (length H < T)%nat -> Forall Q H -> c <= g (run step s1 H) F) ->
    c <= expected_at_random_iteration step s1 P T g.
  Proof.
    intros HT H. unfold expected_at_random_iteration. assert (PT : (0 : RK) < of_nat T) by (apply of_nat_pos; lia).
    assert (Tot : forall h, (length h <= T)%nat -> Forall Q h -> of_nat (length h) * c <= total step s1 g h).
    { induction h as [|F h IH]; intros L Hh; simpl; [apply le_eq; real; ring|]. inversion_clear Hh as [|? ? HF Hh'].
      simpl in L. specialize (IH ltac:(lia) Hh'). specialize (H h F ltac:(lia) Hh'). real. lra. }
    pose proof (lt_neq _ PT) as PN. apply le_mul_reg_r with (of_nat T); [exact PT|].
    replace (E_path (fun H => P (run step s1 H)) T [] (total step s1 g) / of_nat T * of_nat T)
      with (E_path (fun H => P (run step s1 H)) T [] (total step s1 g)) by (real; set (e := E_path _ T [] _); clearbody e; change (@carrier RK) with R in *; field; exact PN).
    apply E_path_lower; [constructor|]. intros h L Hh. simpl in L. rewrite Nat.add_0_r in L. rewrite <- L.
    replace (c * of_nat (length h)) with (of_nat (length h) * c) by (real; ring). apply Tot; [lia | exact Hh].
  Qed.
End Lower.

Lemma block_length {Ω} (P : law RK Ω) n p F : In (p, F) (block P n) -> length F = n.
Proof.
  revert p F. induction n; intros p F H; simpl in H; [destruct H as [E|[]]; now injection E as <- <-|].
  apply in_flat_map in H as [[q G] [HG H]]. apply in_map_iff in H as [[q' G'] [E H]]. injection E as <- <-.
  apply in_flat_map in H as [[q1 W] [_ H]]. simpl in H. destruct H as [E|[]]. injection E as <- <-. simpl. f_equal. eapply IHn, HG.
Qed.

(** ** Λ = (s²/m)·1 has norm s²/m *)
Lemma bandit_operator_norm m s i : (0 < m)%nat -> (i < m)%nat -> (0 < s)%R ->
  is_operator_norm m (covariance (bandit m s i) (compose (uniform_policy m) ones)) (s * s / INR m)%R.
Proof.
  intros Hm Hi Hs. pose proof (INR_m m Hm) as P. set (Λ := covariance _ _).
  assert (Q : forall u, quad m u Λ u = (s * s / INR m)%R * norm2 m u).
  { intros u. unfold quad, norm2. rewrite <- dot_scale_r. apply dot_ext; [intros j _; reflexivity|]. intros j Hj. unfold mulv, scale.
    rewrite (sum_single m _ j Hj).
    - unfold Λ. rewrite bandit_covariance by assumption. now rewrite Nat.eqb_refl.
    - intros k _ N. unfold Λ. rewrite bandit_covariance by assumption.
      replace (Nat.eqb j k) with false by (symmetry; apply Nat.eqb_neq; congruence). real. ring. }
  assert (L : (0 <= s * s / INR m)%R) by (apply Rmult_le_pos; [nra | now apply Rlt_le, Rinv_0_lt_compat]).
  split; [split; [exact L | intros u; rewrite Q; apply le_refl]|].
  intros c [_ H]. specialize (H (fun j => if Nat.eqb 0 j then 1 else 0)%R). rewrite Q in H.
  replace (norm2 m (fun j => if Nat.eqb 0 j then 1 else 0)%R) with 1%R in H; [real; lra|].
  unfold norm2, dot. rewrite (sum_single m _ 0 Hm); [simpl; real; ring|].
  intros j _ N. destruct j; [congruence | simpl; real; ring].
Qed.

(** ** Numbers *)
Lemma ln_2_bound : (0 < ln 2 < 3 / 4)%R.
Proof.
  split; [rewrite <- ln_1; apply ln_increasing; lra|]. apply exp_lt_inv. rewrite exp_ln by lra.
  assert (E : (exp (3 / 4) = exp (1 / 8) ^ 6)%R) by (simpl; rewrite Rmult_1_r, <- !exp_plus; f_equal; lra).
  rewrite E. pose proof (exp_ineq1 (1 / 8) ltac:(lra)) as X. apply Rlt_le_trans with ((9 / 8) ^ 6)%R; [lra|].
  apply pow_incr. lra.
Qed.

Lemma root_le a b : (0 <= b -> a <= b * b -> sqrt a <= b)%R.
Proof. intros H L. rewrite <- (sqrt_square b H). now apply sqrt_le_1_alt. Qed.

Lemma root_one n : (0 < n)%nat -> (1 <= sqrt (INR n))%R.
Proof. intros H. rewrite <- sqrt_1. apply sqrt_le_1_alt. apply (le_INR 1). lia. Qed.

(** The constants of the theorem on the bandit of scale s. *)
Section Constants.
  Local Open Scope R_scope.
  Variable s : R.
  Hypothesis large : (1 <= s)%R.
  Notation M := (bandit 2 s 0).
  Notation Dβ := (INR 2 * INR 2 / (s * s))%R.
  Notation λ := (s * s / INR 2)%R.

  Lemma G_beta_value : sqrt (G_beta M s (/ s) (s * s)%R) = (sqrt 6 * s)%R.
  Proof.
    transitivity (sqrt (6 * (s * s))).
    - f_equal. unfold G_beta. simpl γ. real. field. lra.
    - rewrite sqrt_mult, sqrt_square by nra. reflexivity.
  Qed.

  Lemma G_theta_value : sqrt (G_theta M s Dβ λ) = (s * sqrt (3 + 24 / (s * s)))%R.
  Proof.
    assert (P : (0 < / (s * s))%R) by (apply Rinv_0_lt_compat; nra).
    transitivity (sqrt (s * s * (3 + 24 / (s * s)))).
    - f_equal. unfold G_theta. simpl γ. simpl INR. real. field. lra.
    - rewrite sqrt_mult, sqrt_square by (unfold Rdiv; nra). reflexivity.
  Qed.

  Lemma root_range : (sqrt 3 <= sqrt (3 + 24 / (s * s)) <= sqrt 3 + 24 / s)%R.
  Proof.
    assert (P : (0 < / s <= 1)%R) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    replace (24 / (s * s))%R with (24 * (/ s * / s))%R by (field; lra). unfold Rdiv.
    assert (R3 : (1 <= sqrt 3)%R) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra). split; [apply sqrt_le_1_alt; nra|].
    apply root_le; [nra|].
    replace ((sqrt 3 + 24 * / s) * (sqrt 3 + 24 * / s))%R with (sqrt 3 * sqrt 3 + 48 * sqrt 3 * / s + 576 * (/ s * / s))%R by ring.
    rewrite sqrt_def by lra. nra.
  Qed.

  Variables (T K : nat).
  Hypothesis HT : (0 < T)%nat.
  Hypothesis HK : (0 < K)%nat.
  Notation α := (rate_α (/ s) s (ln (INR 2)) (INR T)).
  Notation η := (rate_η (/ s) (sqrt (G_theta M s Dβ λ)) (INR K)).

  Lemma α_value : α = (sqrt (2 * ln 2) / sqrt (INR T))%R.
  Proof. pose proof (root_one T HT). unfold rate_α. replace (INR 2) with 2%R by (simpl; ring). field. lra. Qed.

  Lemma α_small : (0 <= α <= 2)%R.
  Proof.
    rewrite α_value. pose proof (root_one T HT) as P. pose proof ln_2_bound as L. pose proof (sqrt_pos (2 * ln 2)) as S0.
    assert (S2 : (sqrt (2 * ln 2) <= 2)%R) by (apply root_le; lra).
    split; [apply Rmult_le_pos; [exact S0 | apply Rlt_le, Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r (sqrt (INR T))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  Qed.

  Lemma η_small : (0 <= η /\ s * s * η <= 2)%R.
  Proof.
    unfold rate_η. rewrite G_theta_value. pose proof (root_one K HK) as P. destruct root_range as [R _].
    assert (R3 : (1 <= sqrt 3)%R) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    set (g := sqrt (3 + 24 / (s * s))) in *. set (k := sqrt (INR K)) in *. assert (G : (1 <= g * k)%R) by nra.
    replace (2 * / s / (s * g * k))%R with (2 / (s * s * (g * k)))%R by (field; repeat split; nra).
    assert (0 < s * s * (g * k))%R by (apply Rmult_lt_0_compat; nra). split; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
    replace (s * s * (2 / (s * s * (g * k))))%R with (2 / (g * k))%R by (field; repeat split; nra).
    apply (Rmult_le_reg_r (g * k)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.

  (** The six terms come down to (8√6/s + √(2 log 2))/√T + 2√(3 + 24/s²)/√K. *)
  Lemma six_terms_limit :
    (six_terms_tuned Dβ (/ s) s (ln (INR 2)) (sqrt (G_beta M s (/ s) (s * s)%R)) (sqrt (G_theta M s Dβ λ)) (INR T) (INR K)
     <= sqrt (2 * ln 2) / sqrt (INR T) + 2 * sqrt 3 / sqrt (INR K) + 72 / s)%R.
  Proof.
    rewrite G_beta_value, G_theta_value. replace (INR 2) with 2%R by (simpl; ring). destruct root_range as [R1 R2].
    assert (R3 : (1 <= sqrt 3)%R) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    assert (R6 : (0 < sqrt 6 <= 3)%R) by (split; [apply sqrt_lt_R0; lra | apply root_le; lra]).
    pose proof (root_one T HT) as PT. pose proof (root_one K HK) as PK. pose proof ln_2_bound as L.
    assert (Ps : (0 < / s)%R) by (apply Rinv_0_lt_compat; lra).
    rewrite (six_terms_tuned_value _ _ _ _ _ 1 _).
    2:{ assert (0 < / (s * s))%R by (apply Rinv_0_lt_compat; nra). repeat split; try lra; try nra; try (now apply lt_0_INR). }
    set (g := sqrt (3 + 24 / (s * s))) in *. set (t := sqrt (INR T)) in *. set (k := sqrt (INR K)) in *.
    assert (It : (0 < / t <= 1)%R) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Ik : (0 < / k <= 1)%R) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    replace ((2 * (2 * 2 / (s * s)) * (sqrt 6 * s) + s * / s * sqrt (2 * ln 2)) / t + 2 * / s * (s * g) / k)%R
      with (8 * sqrt 6 * / s * / t + sqrt (2 * ln 2) / t + 2 * g * / k)%R by (field; lra).
    assert (A : (8 * sqrt 6 * / s * / t <= 24 / s)%R).
    { assert (0 <= sqrt 6 * / s)%R by nra. assert (sqrt 6 * / s <= 3 * / s)%R by nra. unfold Rdiv. nra. }
    assert (B : (2 * g * / k <= 2 * sqrt 3 / k + 48 / s)%R).
    { unfold Rdiv in *. assert (g * / k <= (sqrt 3 + 24 * / s) * / k)%R by (apply Rmult_le_compat_r; lra). nra. }
    unfold Rdiv in *. lra.
  Qed.

  (** The suboptimality is at least 1/2 − 2(8K+3)^T/s. *)
  Lemma stuck_suboptimality β1 ζ : ball 2 Dβ β1 ->
    (1 / 2 - 2 * (8 * INR K + 3) ^ T / s
     <= expected_suboptimality_1 M (compose (uniform_policy 2) ones) identity (/ s) Dβ (play 0) ones (fun _ => ones) α ζ η T K vzero β1)%R.
  Proof.
    intros Hβ. assert (Hs : (0 < s)%R) by lra. assert (Hs' : (0 <= / s)%R) by now apply Rlt_le, Rinv_0_lt_compat.
    unfold expected_suboptimality_1.
    apply (expected_lower _ _ _ (fun F => (length F <= K)%nat)); [| |exact HT|].
    - intros _. apply is_law_block, is_law_observation; [now apply bandit_mdp | apply bandit_discounted | apply bandit_measure; lia].
    - intros _ p F HF. apply block_length in HF. lia.
    - intros H F L Q. unfold suboptimality_of. rewrite bandit_optimum, bandit_return by (assumption || lia).
      assert (Z : spread vzero = 0%R) by (unfold spread, vzero; real; rewrite Rminus_diag_eq by reflexivity; apply Rabs_R0).
      pose proof (run_policy s α ζ η 0 K (/ s) Hs Hs' α_small η_small vzero β1 H Z Hβ HK Q) as B.
      set (st := run _ _ H) in *. destruct (softmax_is_policy M α ltac:(simpl; lia) (theta_sum st)) as [_ P1].
      specialize (P1 0%nat ltac:(simpl; lia)). unfold policy1 in *. set (π := softmax_policy M α (theta_sum st) 0%nat) in *.
      simpl in P1. unfold spread in B. apply Rcomplements.Rabs_le_between in B.
      assert (W : ((8 * INR K + 3) ^ length H <= (8 * INR K + 3) ^ T)%R) by (apply Rle_pow; [pose proof (pos_INR K); lra | lia]).
      assert (0 < / s)%R by now apply Rinv_0_lt_compat. unfold Rdiv in *. real. nra.
  Qed.
End Constants.

Lemma ball_vzero d D : ball d (D : RK) vzero.
Proof.
  unfold ball. apply le_trans with (0 : RK); [apply le_eq, sum_zero; intros; unfold vzero; real; ring | apply sq_nonneg].
Qed.

Lemma over_large (x δ : R) : (0 <= x -> 0 < δ -> x / (1 + x / δ) <= δ)%R.
Proof.
  intros Hx Hδ. assert (P : (0 <= x / δ)%R) by (apply Rmult_le_pos; [exact Hx | now apply Rlt_le, Rinv_0_lt_compat]).
  apply (Rmult_le_reg_r (1 + x / δ)); [lra|]. replace (x / (1 + x / δ) * (1 + x / δ))%R with x by (field; split; [lra | nra]).
  replace (δ * (1 + x / δ))%R with (δ + x)%R by (field; lra). lra.
Qed.

Lemma bandit_printed_setting_A_1 s : (0 < s)%R -> printed_setting_A_1 (bandit 2 s 0) (uniform_policy 2) ones (bandit_inverse 2 s)
  (/ s)%R (INR 2 * INR 2 / (s * s))%R s (s * s / INR 2)%R (play 0) ones (bandit_value 0) (fun _ => ones) vzero vzero.
Proof.
  intros Hs. split; [apply bandit_printed_setting; (lia || exact Hs)|]. split; [apply bandit_operator_norm; (lia || exact Hs)|].
  split; apply ball_vzero.
Qed.

Theorem a_1_fails (T K : nat) : (0 < T)%nat -> (0 < K)%nat -> A_1_fails T K.
Proof.
  intros HT HK δ Hδ. set (x := (72 + 2 * (8 * INR K + 3) ^ T)%R). set (s := (1 + x / δ)%R).
  assert (Pw : (0 < (8 * INR K + 3) ^ T)%R) by (apply pow_lt; pose proof (pos_INR K); lra).
  assert (Px : (0 <= x)%R) by (unfold x; lra).
  assert (L : (1 <= s)%R) by (unfold s; assert (0 <= x / δ)%R by (apply Rmult_le_pos; [exact Px | now apply Rlt_le, Rinv_0_lt_compat]); lra).
  assert (Hs : (0 < s)%R) by lra. pose proof (over_large x δ Px Hδ) as Small. fold s in Small.
  assert (Is : (0 < / s)%R) by now apply Rinv_0_lt_compat.
  exists (bandit 2 s 0), (uniform_policy 2), ones, (bandit_inverse 2 s), (/ s)%R, (INR 2 * INR 2 / (s * s))%R, s, (s * s / INR 2)%R.
  exists (play 0), ones, (bandit_value 0), (fun _ => ones), vzero, vzero. split; [|split].
  - now apply bandit_printed_setting_A_1.
  - eapply Rle_trans; [|apply (stuck_suboptimality s L T K HT HK); apply ball_vzero]. unfold x, Rdiv in *. nra.
  - eapply Rle_trans; [apply (six_terms_limit s L T K HT HK)|]. unfold x, Rdiv in *. nra.
Qed.

Theorem theorem_A_1_refuted (T K : nat) : (0 < T)%nat -> (0 < K)%nat ->
  (sqrt (2 * ln 2) / sqrt (INR T) + 2 * sqrt 3 / sqrt (INR K) < 1 / 2)%R -> ~ Theorem_A_1_printed T K.
Proof.
  intros HT HK H P. set (l := (sqrt (2 * ln 2) / sqrt (INR T) + 2 * sqrt 3 / sqrt (INR K))%R) in *.
  destruct (a_1_fails T K HT HK ((1 / 2 - l) / 3)%R ltac:(lra))
    as (M & πB & νB & Λinv & Dθ & Dβ & Dφ & λ & π' & ν' & val & occ & θ0 & β1 & S & Lo & Hi).
  specialize (P _ _ _ _ _ _ _ _ _ _ _ _ _ _ S). fold l in Hi. lra.
Qed.

(** For example: for every T ≥ 16 and K ≥ 400. *)
Theorem theorem_A_1_refuted_from_16_400 (T K : nat) : (16 <= T)%nat -> (400 <= K)%nat -> ~ Theorem_A_1_printed T K.
Proof.
  intros HT HK. apply theorem_A_1_refuted; [lia | lia|]. pose proof ln_2_bound as L.
  assert (S2 : (sqrt (2 * ln 2) <= 5 / 4)%R) by (apply root_le; lra). assert (S3 : (sqrt 3 <= 7 / 4)%R) by (apply root_le; lra).
  pose proof (sqrt_pos (2 * ln 2)). pose proof (sqrt_pos 3).
  assert (RT : (4 <= sqrt (INR T))%R) by (rewrite <- (sqrt_square 4) by lra; apply sqrt_le_1_alt; apply le_INR in HT; simpl in HT; lra).
  assert (RK' : (20 <= sqrt (INR K))%R).
  { rewrite <- (sqrt_square 20) by lra. apply sqrt_le_1_alt. apply le_INR in HK. rewrite (INR_IZR_INZ 400) in HK. simpl in HK. lra. }
  assert (IT : (0 < / sqrt (INR T) <= / 4)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (IK : (0 < / sqrt (INR K) <= / 20)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  unfold Rdiv. nra.
Qed.

(** ** Theorem 3.2 for Algorithm 1 at those rates *)
Theorem theorem_3_2_refuted_algorithm (ε : R) (n0 : nat) : (0 < ε < 1 / 2)%R -> ~ Theorem_3_2_printed_algorithm ε n0.
Proof.
  intros [Hε Hε2] [C H]. set (N := S n0). set (w := ((8 * INR N + 3) ^ N)%R). set (δ := ((1 / 2 - ε) / 2)%R).
  set (q := (256 * ln 2 / ε ^ 4)%R). assert (Pε : (0 < ε ^ 4)%R) by now apply pow_lt. pose proof ln_2_bound as L2.
  assert (Pq : (0 <= q)%R) by (apply Rmult_le_pos; [lra | now apply Rlt_le, Rinv_0_lt_compat]).
  assert (PN : (0 <= INR N)%R) by apply pos_INR. assert (Pw : (0 < w)%R) by (apply pow_lt; lra).
  assert (Pδ : (0 < δ)%R) by (unfold δ; lra).
  (* s beyond |C|q and beyond 2w/δ *)
  set (x := (2 * w + Rabs C * q * δ)%R). set (s := (1 + x / δ)%R). pose proof (Rabs_pos C) as PC.
  assert (PCq : (0 <= Rabs C * q)%R) by now apply Rmult_le_pos.
  assert (Px : (0 <= x)%R) by (unfold x; assert (0 <= Rabs C * q * δ)%R by (apply Rmult_le_pos; lra); lra).
  assert (Sv : (s = 1 + 2 * w / δ + Rabs C * q)%R) by (unfold s, x; field; lra).
  assert (Pwδ : (0 <= 2 * w / δ)%R) by (apply Rmult_le_pos; [lra | now apply Rlt_le, Rinv_0_lt_compat]).
  assert (L : (1 <= s)%R) by lra. assert (Hs : (0 < s)%R) by lra.
  assert (Small : (2 * w / s <= δ)%R).
  { apply (Rmult_le_reg_r s); [exact Hs|]. replace (2 * w / s * s)%R with (2 * w)%R by (field; lra). rewrite Sv.
    replace (δ * (1 + 2 * w / δ + Rabs C * q))%R with (δ + 2 * w + δ * (Rabs C * q))%R by (field; lra). nra. }
  destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ (bandit_printed_setting_A_1 s Hs)) as (T & K & HT & HK & Hn & B).
  assert (KT : (K * T <= N)%nat).
  { apply (at_most _ n0 _ Hn). simpl nA. unfold printed_samples_3_2. replace (INR 2) with 2%R by (simpl; ring).
    replace ((/ s) ^ 4 * s ^ 8 * (2 * 2 / (s * s)) ^ 4 * ln 2 / ε ^ 4)%R with (q / s ^ 4)%R by (unfold q; field; lra).
    assert (S4 : (s <= s ^ 4)%R) by (rewrite <- (pow_1 s) at 1; apply Rle_pow; [exact L | lia]).
    apply (Rmult_le_reg_r (s ^ 4)); [lra|]. replace (C * (q / s ^ 4) * s ^ 4)%R with (C * q)%R by (field; lra).
    assert (C * q <= Rabs C * q)%R by (apply Rmult_le_compat_r; [exact Pq | apply Rle_abs]). lra. }
  pose proof (stuck_suboptimality s L T K HT HK vzero (rate_ζ (INR 2 * INR 2 / (s * s)) (sqrt (G_beta (bandit 2 s 0) s (/ s) (s * s)%R)) (INR T))%R
    (ball_vzero _ _)) as Lo.
  assert (W : ((8 * INR K + 3) ^ T <= w)%R).
  { assert (INR K <= INR N)%R by (apply le_INR; nia). pose proof (pos_INR K). unfold w.
    apply Rle_trans with ((8 * INR N + 3) ^ T)%R; [apply pow_incr; lra | apply Rle_pow; [lra | nia]]. }
  assert (W' : (2 * (8 * INR K + 3) ^ T / s <= 2 * w / s)%R) by (apply Rmult_le_compat_r; [now apply Rlt_le, Rinv_0_lt_compat | lra]).
  assert (E : (1 / 2 - 2 * (8 * INR K + 3) ^ T / s <= ε)%R) by (eapply Rle_trans; [exact Lo | exact B]). unfold δ in *. lra.
Qed.
