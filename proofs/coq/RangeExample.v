(** * A run that satisfies the range conditions of Theorems A.1 and C.1 for the program *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From OPD Require Import FloatProjection FloatVectors FloatExp Rounding1 FloatAlgorithm2.
Local Open Scope R_scope.

(** A run in range: d = 50, |A| = 10, K = T = 1000. *)
Definition example : sizes := Sizes 50 10 1000 1000 (/ 100) (/ 100) (/ 100) 20 10 1 1 0 (8 * ε).
(** The range is not empty. *)
Theorem range_inhabited : in_float_range example.
Proof.
  assert (b1 : bpow radix2 (-100) <= / 100) by (apply Rle_trans with (bpow radix2 (-10)); [apply bpow_le; lia | change (bpow radix2 (-10)) with (/ 1024); lra]).
  assert (b2 : 100 <= bpow radix2 100) by (apply Rle_trans with (bpow radix2 10); [change (bpow radix2 10) with 1024; lra | apply bpow_le; lia]).
  assert (B : forall x, / 100 <= x <= 100 -> between x) by (intros x H; split; lra).
  assert (I10 : INR 10 = 10) by (rewrite INR_IZR_INZ; reflexivity). assert (I1000 : INR 1000 = 1000) by (rewrite INR_IZR_INZ; reflexivity).
  assert (M1 : m_d example = 10) by (unfold m_d; rewrite INR_IZR_INZ; reflexivity).
  assert (M2 : m_A example = 5) by (unfold m_A; rewrite INR_IZR_INZ; reflexivity).
  assert (e : ε = / 4503599627370496) by apply ε_value.
  unfold in_float_range. cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example].
  split; [lia|]. split; [lia|]. split; [repeat split; apply B; lra|]. split; [lra|]. split; [rewrite e; lra|]. split; [|split].
  - unfold e_l, e_z, b_z, b_Σ, e_Σ, B_θ. rewrite M1, e. cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example]. rewrite I1000. lra.
  - unfold e_θ, e_avg, e_g, e_f, e_c, b_y, b_g, b_f, b_c, e_w, b_w, b_N, e_N, e_1, B_θ, B_β. rewrite M1, e.
    cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example Nat.eqb]. rewrite I1000, I10. lra.
  - unfold e_β, b_x, e_h, b_h, e_t, b_t, b_r, e_v, b_v, b_q, b_N, e_N, e_1, B_θ, B_β. rewrite M1, M2, e.
    cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example]. rewrite I10. lra.
Qed.

Theorem range2_inhabited : in_float_range2 example (/ 100).
Proof.
  split; [exact range_inhabited|].
  assert (b1 : bpow radix2 (-100) <= / 100) by (apply Rle_trans with (bpow radix2 (-10)); [apply bpow_le; lia | change (bpow radix2 (-10)) with (/ 1024); lra]).
  assert (b2 : 100 <= bpow radix2 100) by (apply Rle_trans with (bpow radix2 10); [change (bpow radix2 10) with 1024; lra | apply bpow_le; lia]).
  assert (I10 : INR 10 = 10) by (rewrite INR_IZR_INZ; reflexivity). assert (I1000 : INR 1000 = 1000) by (rewrite INR_IZR_INZ; reflexivity).
  assert (M1 : m_d example = 10) by (unfold m_d; rewrite INR_IZR_INZ; reflexivity).
  assert (M2 : m_A example = 5) by (unfold m_A; rewrite INR_IZR_INZ; reflexivity).
  assert (e : ε = / 4503599627370496) by apply ε_value.
  split; [split; lra|]. split.
  - unfold e_θ2, e_avg, b_y2, e_g2, b_g2, e_w, b_w, b_N, e_N, B_θ, B_β. rewrite M1, e.
    cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example Nat.eqb]. rewrite I1000. lra.
  - unfold e_β2, b_x2, e_h2, b_h2, e_t2, b_t2, b_s2, e_v, b_v, b_q, b_N, e_N, e_1, B_θ, B_β. rewrite M1, M2, e.
    cbn [s_d s_A s_K s_T s_α s_ζ s_η s_Dθ s_Dβ s_Dφ s_ν s_eΛ s_exp example]. rewrite I10. lra.
Qed.
