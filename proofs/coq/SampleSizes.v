(** * The corrected Theorems 3.2 and 5.3: whole numbers of iterations, and their product (proofs)

    T = ⌈592·D_β²τ·D_φ²D_θ²·ℓ/ε²⌉ and K = ⌈c·D_β²λ·D_φ²D_θ²/ε²⌉ for ℓ = log|A|, λ ≥ ‖Λ‖^{2c−1} and τ ≥ Tr Λ^{2c−1}. *)

From Coq Require Import Lia Reals Lra ZArith.
From OPD Require Import Tuning.

Section Arithmetic.
  Local Open Scope R_scope.

  Lemma ceiling x : 1 <= x -> exists n, (0 < n)%nat /\ x <= INR n <= x + 1.
  Proof.
    intros H. destruct (archimed x) as [A B]. assert (P : (0 < up x)%Z) by (apply lt_IZR; lra).
    exists (Z.to_nat (up x)). rewrite INR_IZR_INZ, Z2Nat.id by lia. split; [lia | lra].
  Qed.

  Lemma log_half n : (1 < n)%nat -> 1 / 2 <= ln (INR n).
  Proof.
    intros H. assert (I : 2 <= INR n) by (replace 2 with (INR 2) by (simpl; lra); apply le_INR; lia).
    apply Rle_trans with (ln 2); [|destruct (Rle_lt_or_eq_dec _ _ I) as [L|E]; [apply Rlt_le, ln_increasing; lra | rewrite E; lra]].
    rewrite <- (ln_exp (1 / 2)). destruct (Rle_or_lt (exp (1 / 2)) 2) as [L|G].
    - destruct (Rle_lt_or_eq_dec _ _ L) as [L'|E]; [apply Rlt_le, ln_increasing; [apply exp_pos | exact L'] | rewrite E; lra].
    - exfalso. pose proof exp_le_3 as E. assert (X : exp (1 / 2) * exp (1 / 2) = exp 1) by (rewrite <- exp_plus; f_equal; lra).
      assert (2 * 2 < exp (1 / 2) * exp (1 / 2)) by (apply Rmult_le_0_lt_compat; lra). lra.
  Qed.

  Variables (Dβ Dθ Dφ ℓ τ λ ε : R).
  Hypothesis radii : 0 < Dβ /\ 0 < Dθ /\ 0 < Dφ.
  Hypothesis features : 1 <= Dφ * Dθ.
  Hypothesis covered : 1 <= Dβ * Dβ * λ /\ 1 <= Dβ * Dβ * τ.
  Hypothesis log : 1 / 2 <= ℓ.
  Hypothesis accuracy : 0 < ε <= 1.

  (** p = D_φ²D_θ² *)
  Let p := Dφ * Dφ * (Dθ * Dθ).
  Lemma p_one : 1 <= p.
  Proof. unfold p. nra. Qed.

  Definition outer_size : R := Dβ * Dβ * τ * (Dφ * Dφ * (Dθ * Dθ)) * ℓ.
  Definition inner_size : R := Dβ * Dβ * λ * (Dφ * Dφ * (Dθ * Dθ)).

  Lemma inner_size_one : 1 <= inner_size.
  Proof. unfold inner_size. fold p. pose proof p_one. destruct covered as [C _]. set (b := Dβ * Dβ * λ) in *. clearbody b p. nra. Qed.

  Lemma outer_size_half : 1 / 2 <= outer_size.
  Proof.
    unfold outer_size. fold p. pose proof p_one. destruct covered as [_ C]. set (b := Dβ * Dβ * τ) in *. clearbody b.
    assert (1 <= b * p) by nra. nra.
  Qed.

  (** Q ≤ 37·(D_β²τ)(D_φ²D_θ²)ℓ once G_β² ≤ 9D_φ²D_θ²τ. *)
  Lemma outer_bound Gβ : Gβ * Gβ <= 9 * p * τ -> outer Dβ Dθ Dφ ℓ Gβ <= 37 * outer_size.
  Proof.
    intros HG. unfold outer, outer_size. fold p. pose proof p_one as P. destruct covered as [_ C].
    assert (A : 2 * (Dβ * Dβ) * (Gβ * Gβ) <= 18 * (Dβ * Dβ * τ * p)).
    { apply Rle_trans with (2 * (Dβ * Dβ) * (9 * p * τ)); [apply Rmult_le_compat_l; [nra | exact HG] | lra]. }
    replace (Dθ * Dθ * (Dφ * Dφ) * ℓ) with (p * ℓ) by (unfold p; ring).
    set (b := Dβ * Dβ * τ) in *. clearbody b. assert (BP : 1 <= b * p) by nra.
    assert (p * ℓ <= b * p * ℓ) by (apply Rmult_le_compat_r; [lra | nra]).
    assert (18 * (b * p) <= 36 * (b * p * ℓ)) by nra. lra.
  Qed.

  Lemma sizes (c1 e : R) : 0 <= e -> 1 <= c1 -> exists T k : nat, (0 < T)%nat /\ (0 < k)%nat /\
    592 * outer_size <= ε * ε * INR T /\ c1 * inner_size <= ε * ε * INR k /\
    INR T * (INR k + e) <= 594 * (c1 + 1 + e) * (outer_size * inner_size) / ε ^ 4.
  Proof.
    intros He H1. pose proof outer_size_half as PX. pose proof inner_size_one as PY. set (X := outer_size) in *. set (Y := inner_size) in *.
    assert (E : 0 < ε * ε <= 1) by nra. assert (I : 1 <= / (ε * ε)) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    set (i := / (ε * ε)) in *. assert (Ei : ε * ε * i = 1) by (unfold i; field; lra).
    destruct (ceiling (592 * X * i)) as (T & PT & LT & UT); [nra|]. destruct (ceiling (c1 * Y * i)) as (k & Pk & Lk & Uk).
    { assert (1 <= c1 * Y) by nra. nra. }
    exists T, k. split; [exact PT|]. split; [exact Pk|]. split; [|split].
    - apply Rle_trans with (ε * ε * (592 * X * i)); [|apply Rmult_le_compat_l; lra].
      replace (ε * ε * (592 * X * i)) with (592 * X * (ε * ε * i)) by ring. rewrite Ei. lra.
    - apply Rle_trans with (ε * ε * (c1 * Y * i)); [|apply Rmult_le_compat_l; lra].
      replace (ε * ε * (c1 * Y * i)) with (c1 * Y * (ε * ε * i)) by ring. rewrite Ei. lra.
    - replace (594 * (c1 + 1 + e) * (X * Y) / ε ^ 4) with ((594 * (X * i)) * ((c1 + 1 + e) * (Y * i))) by (unfold i; field; lra).
      assert (XI : 1 / 2 <= X * i) by nra. assert (YI : 1 <= Y * i) by nra.
      apply Rmult_le_compat; [apply pos_INR | pose proof (pos_INR k); lra | lra |].
      apply Rle_trans with (c1 * (Y * i) + 1 + e); [lra|]. assert ((1 + e) * 1 <= (1 + e) * (Y * i)) by (apply Rmult_le_compat_l; lra). lra.
  Qed.
End Arithmetic.
