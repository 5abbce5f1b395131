(** * Theorems A.1 and C.1, "in particular": the learning rates and the sample sizes

    The bounds at the printed learning rates, and the numbers of iterations that bring them below ε.  Both theorems
    print K/T upside down; with the printed ratio the claimed sample complexity is false (RefutedRatio.v). *)

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
