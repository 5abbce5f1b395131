(** * Theorems A.1 and C.1, "in particular": the learning rates, the sample sizes, and the printed K/T

    The bounds at the printed learning rates, and the numbers of iterations that bring them below ε.  Both theorems
    print K/T upside down: with the printed ratio the claimed sample complexity fails by an unbounded factor. *)

From Coq Require Import Reals Lra Lia Psatz.
Local Open Scope R_scope.

(** The right-hand sides, with ℓ for log|A| and Gβ, Gθ, Gρ for the square roots of (19), (20), (24)–(26). *)
Definition six_terms (Dβ Dθ Dφ ℓ Gβ Gθ α ζ η T K : R) : R :=
  2 * (Dβ * Dβ) / (ζ * T) + ℓ / (α * T) + 2 * (Dθ * Dθ) / (η * K)
  + ζ * (Gβ * Gβ) / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * (Gθ * Gθ) / 2.

Definition eight_terms (Dβ Dθ Dφ ℓ Gβ Gρ Gθ α ζ ξ η T K : R) : R :=
  2 * (Dβ * Dβ) / (ζ * T) + ℓ / (α * T) + 1 / (2 * ξ * K) + 2 * (Dθ * Dθ) / (η * K)
  + ζ * (Gβ * Gβ) / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + ξ * (Gρ * Gρ) / 2 + η * (Gθ * Gθ) / 2.

(** The printed learning rates. *)
Definition rate_α (Dθ Dφ ℓ T : R) : R := sqrt (2 * ℓ) / (Dφ * Dθ * sqrt T).
Definition rate_ζ (Dβ Gβ T : R) : R := 2 * Dβ / (Gβ * sqrt T).
Definition rate_η (Dθ Gθ K : R) : R := 2 * Dθ / (Gθ * sqrt K).
Definition rate_ξ (Gρ K : R) : R := 1 / (Gρ * sqrt K).

Definition six_terms_tuned (Dβ Dθ Dφ ℓ Gβ Gθ T K : R) : R :=
  six_terms Dβ Dθ Dφ ℓ Gβ Gθ (rate_α Dθ Dφ ℓ T) (rate_ζ Dβ Gβ T) (rate_η Dθ Gθ K) T K.
Definition eight_terms_tuned (Dβ Dθ Dφ ℓ Gβ Gρ Gθ T K : R) : R :=
  eight_terms Dβ Dθ Dφ ℓ Gβ Gρ Gθ (rate_α Dθ Dφ ℓ T) (rate_ζ Dβ Gβ T) (rate_ξ Gρ K) (rate_η Dθ Gθ K) T K.

(** What the outer loop has to beat: Q = 2D_β²G_β² + D_θ²D_φ² log|A|. *)
Definition outer (Dβ Dθ Dφ ℓ Gβ : R) : R := 2 * (Dβ * Dβ) * (Gβ * Gβ) + Dθ * Dθ * (Dφ * Dφ) * ℓ.

Section Tuned.
  Variables (Dβ Dθ Dφ ℓ Gβ Gρ Gθ T K ε : R).
  Hypothesis positive : 0 < Dβ /\ 0 < Dθ /\ 0 < Dφ /\ 0 < ℓ /\ 0 < Gβ /\ 0 < Gρ /\ 0 < Gθ /\ 0 < T /\ 0 < K.
  Notation Q := (outer Dβ Dθ Dφ ℓ Gβ).

  Lemma six_terms_roots t k l : 0 < t -> 0 < k -> 0 < l ->
    six_terms Dβ Dθ Dφ (l * l / 2) Gβ Gθ (l / (Dφ * Dθ * t)) (2 * Dβ / (Gβ * t)) (2 * Dθ / (Gθ * k)) (t * t) (k * k)
    = (2 * Dβ * Gβ + Dφ * Dθ * l) / t + 2 * Dθ * Gθ / k.
  Proof. intros. unfold six_terms. destruct positive as (? & ? & ? & ? & ? & ? & ? & _). field. repeat split; lra. Qed.

  Lemma six_terms_tuned_value :
    six_terms_tuned Dβ Dθ Dφ ℓ Gβ Gθ T K = (2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) / sqrt T + 2 * Dθ * Gθ / sqrt K.
  Proof.
    destruct positive as (? & ? & ? & ? & ? & ? & ? & HT & HK).
    rewrite <- (six_terms_roots (sqrt T) (sqrt K) (sqrt (2 * ℓ))) by (apply sqrt_lt_R0; lra).
    rewrite !sqrt_def by lra. replace (2 * ℓ / 2) with ℓ by field. reflexivity.
  Qed.

  Lemma eight_terms_tuned_value :
    eight_terms_tuned Dβ Dθ Dφ ℓ Gβ Gρ Gθ T K
    = (2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) / sqrt T + (Gρ + 2 * Dθ * Gθ) / sqrt K.
  Proof.
    destruct positive as (? & ? & ? & ? & ? & ? & ? & HT & HK).
    replace (eight_terms_tuned Dβ Dθ Dφ ℓ Gβ Gρ Gθ T K) with (six_terms_tuned Dβ Dθ Dφ ℓ Gβ Gθ T K
      + (1 / (2 * rate_ξ Gρ K * K) + rate_ξ Gρ K * (Gρ * Gρ) / 2))
      by (unfold eight_terms_tuned, six_terms_tuned, eight_terms, six_terms; ring).
    rewrite six_terms_tuned_value. unfold rate_ξ. pose proof (sqrt_lt_R0 T HT). pose proof (sqrt_lt_R0 K HK).
    replace (1 / (2 * (1 / (Gρ * sqrt K)) * K)) with (1 / (2 * (1 / (Gρ * sqrt K)) * (sqrt K * sqrt K)))
      by (rewrite sqrt_def by lra; reflexivity).
    field. repeat split; lra.
  Qed.

  (** a/√n ≤ b once a² ≤ b² n. *)
  Lemma over_root a b n : 0 < n -> 0 <= b -> a * a <= b * b * n -> a / sqrt n <= b.
  Proof.
    intros Hn Hb H. pose proof (sqrt_lt_R0 n Hn) as P. apply (Rmult_le_reg_r (sqrt n)); [exact P|].
    replace (a / sqrt n * sqrt n) with a by (field; lra). apply Rnot_lt_le. intros G.
    assert (0 <= b * sqrt n) by (apply Rmult_le_pos; lra).
    assert (b * sqrt n * (b * sqrt n) < a * a) by (apply Rmult_le_0_lt_compat; assumption).
    replace (b * sqrt n * (b * sqrt n)) with (b * b * (sqrt n * sqrt n)) in H1 by ring. rewrite sqrt_def in H1 by lra. lra.
  Qed.

  Lemma outer_terms : (2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) * (2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) <= 4 * Q.
  Proof.
    destruct positive as (? & ? & ? & ? & _). set (a := 2 * Dβ * Gβ). set (b := Dφ * Dθ * sqrt (2 * ℓ)).
    replace (4 * Q) with (2 * (a * a + b * b)).
    { clearbody a b. pose proof (Rle_0_sqr (a - b)) as S. unfold Rsqr in S. lra. }
    unfold a, b, outer.
    replace (Dφ * Dθ * sqrt (2 * ℓ) * (Dφ * Dθ * sqrt (2 * ℓ))) with (Dφ * Dθ * (Dφ * Dθ) * (sqrt (2 * ℓ) * sqrt (2 * ℓ))) by ring.
    rewrite sqrt_def by lra. ring.
  Qed.

  Hypothesis accuracy : 0 < ε.
  Hypothesis outer_iterations : 16 * Q <= ε * ε * T.

  (** n = KT = 256 Q D_θ²G_θ²/ε⁴ samples suffice, with K/T = D_θ²G_θ²/Q. *)
  Theorem sample_size_A_1 : 16 * (Dθ * Dθ * (Gθ * Gθ)) <= ε * ε * K ->
    six_terms_tuned Dβ Dθ Dφ ℓ Gβ Gθ T K <= ε.
  Proof.
    intros HK. rewrite six_terms_tuned_value. pose proof outer_terms.
    destruct positive as (? & ? & ? & ? & ? & ? & ? & PT & PK).
    assert ((2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) / sqrt T <= ε / 2) by (apply over_root; [exact PT | lra | lra]).
    assert (2 * Dθ * Gθ / sqrt K <= ε / 2) by (apply over_root; [exact PK | lra | lra]).
    lra.
  Qed.

  (** Likewise with K/T = (G_ρ² + 4D_θ²G_θ²)/(2Q). *)
  Theorem sample_size_C_1 : 8 * (Gρ * Gρ + 4 * (Dθ * Dθ * (Gθ * Gθ))) <= ε * ε * K ->
    eight_terms_tuned Dβ Dθ Dφ ℓ Gβ Gρ Gθ T K <= ε.
  Proof.
    intros HK. rewrite eight_terms_tuned_value. pose proof outer_terms.
    destruct positive as (? & ? & ? & ? & ? & ? & ? & PT & PK).
    assert ((2 * Dβ * Gβ + Dφ * Dθ * sqrt (2 * ℓ)) / sqrt T <= ε / 2) by (apply over_root; [exact PT | lra | lra]).
    assert ((Gρ + 2 * Dθ * Gθ) / sqrt K <= ε / 2).
    { apply over_root; [exact PK | lra |]. pose proof (Rle_0_sqr (Gρ - 2 * Dθ * Gθ)) as S. unfold Rsqr in S. lra. }
    lra.
  Qed.
End Tuned.

(** The printed K = T·Q/(2D_θ²G_θ²) does not give n = O(ε⁻⁴ D_θ⁴D_φ⁴D_β⁴ Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} log|A|).  At c = 1/2 (so that
    Tr = d and ‖Λ‖^{2c−1} = 1), γ = 0, D_β = D_θ = D_φ = ε = 1, |A| = 2, so G_β² = 6d and G_θ² = 6: whatever the constant C of the
    O, for large d every T and K in the printed ratio whose bound is at most ε have KT > C·d·log 2. *)
Theorem printed_ratio_refuted : forall C : R, exists d0 : R, forall d T K : R, d0 <= d -> 0 < T ->
  K = T * outer 1 1 1 (ln 2) (sqrt (6 * d)) / (2 * (1 * 1) * (sqrt 6 * sqrt 6)) ->
  six_terms_tuned 1 1 1 (ln 2) (sqrt (6 * d)) (sqrt 6) T K <= 1 ->
  C * (d * 1 * ln 2) < K * T.
Proof.
  intros C. exists (1 + Rabs C). intros d T K Hd HT HK B. pose proof (Rabs_pos C) as PC. pose proof (Rle_abs C) as LC.
  assert (L0 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (L1 : ln 2 < 1) by (pose proof (ln_lt_2); apply exp_lt_inv; rewrite exp_ln by lra; pose proof (exp_ineq1 1); lra).
  assert (S6 : sqrt (6 * d) * sqrt (6 * d) = 6 * d) by (apply sqrt_def; lra).
  assert (Kv : K = T * (12 * d + ln 2) / 12).
  { rewrite HK. unfold outer. rewrite S6, sqrt_def by lra. f_equal; [f_equal; ring | ring]. }
  assert (PK : 0 < K) by (rewrite Kv; apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
  assert (P6 : 0 < sqrt (6 * d)) by (apply sqrt_lt_R0; lra). assert (P6' : 0 < sqrt 6) by (apply sqrt_lt_R0; lra).
  rewrite (six_terms_tuned_value 1 1 1 (ln 2) (sqrt (6 * d)) 1 (sqrt 6) T K) in B by (repeat split; lra).
  (* the β term alone needs T ≥ 24 d *)
  assert (ST : 0 < sqrt T) by now apply sqrt_lt_R0. assert (SK : 0 < sqrt K) by now apply sqrt_lt_R0.
  pose proof (sqrt_pos (2 * ln 2)) as P2.
  assert (T1 : 2 * sqrt (6 * d) <= sqrt T).
  { apply (Rmult_le_reg_r (/ sqrt T)); [now apply Rinv_0_lt_compat|]. rewrite (Rinv_r (sqrt T)) by lra.
    assert (0 <= 2 * 1 * sqrt 6 / sqrt K) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
    assert ((2 * 1 * sqrt (6 * d) + 1 * 1 * sqrt (2 * ln 2)) / sqrt T
      = 2 * sqrt (6 * d) * / sqrt T + sqrt (2 * ln 2) * / sqrt T) by (field; lra).
    assert (0 <= sqrt (2 * ln 2) * / sqrt T) by (apply Rmult_le_pos; [lra | apply Rlt_le; now apply Rinv_0_lt_compat]). lra. }
  assert (T2 : 24 * d <= T).
  { rewrite <- (sqrt_def T) by lra. replace (24 * d) with (2 * sqrt (6 * d) * (2 * sqrt (6 * d))) 
      by (replace (2 * sqrt (6 * d) * (2 * sqrt (6 * d))) with (4 * (sqrt (6 * d) * sqrt (6 * d))) by ring; rewrite S6; ring).
    apply Rmult_le_compat; lra. }
  (* so KT ≥ T² d ≥ 576 d³ *)
  assert (K1 : T * d <= K) by (rewrite Kv; nra).
  assert (K2 : T * d * T <= K * T) by (apply Rmult_le_compat_r; lra).
  assert (T3 : d * d <= T * d * T).
  { apply Rmult_le_compat; [lra | lra | | lra]. rewrite <- (Rmult_1_l d) at 1. apply Rmult_le_compat_r; lra. }
  assert (C1 : C * (d * 1 * ln 2) <= Rabs C * d).
  { apply Rle_trans with (Rabs C * (d * 1 * ln 2)).
    - apply Rmult_le_compat_r; [repeat apply Rmult_le_pos; lra | exact LC].
    - apply Rmult_le_compat_l; [exact PC|]. rewrite Rmult_1_r. rewrite <- (Rmult_1_r d) at 2. apply Rmult_le_compat_l; lra. }
  assert (C2 : (1 + Rabs C) * d <= d * d) by (apply Rmult_le_compat_r; lra).
  lra.
Qed.
