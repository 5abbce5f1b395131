(** * Every claim of FloatStatements.v, proved *)

From Coq Require Import Reals Lra Lia ZArith.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Mdp Projection PerturbedLearning Perturbed1 PerturbedA1 Perturbed2 PerturbedC1 RegretStatements FloatStatements.
From OPD Require Import FloatProjection FloatVectors FloatSoftmax FloatExp FloatBounds FloatPolicy1 FloatGradient1 FloatStep1 Rounding1 FloatRun1 FloatAlgorithm2 FloatRun2 FloatDraw.

Theorem lemma_D_1_perturbed : Lemma_D_1_perturbed.
Proof.
  intros Ω ok d n D δ η G2 P y ĥ h ystar HD Hδ Hη Hs HP HS Hu HG Hy. replace (4 * D * δ)%R with (2 * (D + D) * δ)%R by ring.
  apply (perturbed_descent ok d (proj_ball d D) (D + D)%R δ η G2 P ystar y ĥ h); try assumption; [lra | |].
  - intros z. apply (projection_approaches d (ball d D)); [now apply projection_obtuse | exact Hs].
  - intros z. apply ball_sub; [exact HD | exact HD | now apply projection_in_ball | exact Hs].
Qed.

Theorem lemma_D_2_perturbed : Lemma_D_2_perturbed.
Proof.
  intros M α B Dφ δπ δΣ π' ν' z θ π T HA HB Hδ Hα Hφ Hπ' Hν' Hz Hθ HΣ Hπ.
  exact (perturbed_mirror M α B Dφ δπ δΣ π' ν' HA HB Hδ Hφ Hπ' Hν' z θ π T Hα Hz Hθ HΣ Hπ).
Qed.

Theorem theorem_A_1_perturbed : Theorem_A_1_perturbed.
Proof.
  intros M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1 p e
    (Hm & Hd & Hμ & HA & HR & Hφ & Hv & Hp & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 H1 He Ha C.
  exact (PerturbedA1.theorem_A_1_perturbed M μB L N α ζ η Dθ Dβ Dφ λ Hm Hd Hμ Hp HA Hr HR Hφ Hλ k e p Hk He Ha
    π' ν' Hπ Hν val occ Hv β' Hc T θ0 β1 HT H0 H1 C).
Qed.

Theorem theorem_C_1_perturbed : Theorem_C_1_perturbed.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 p e
    (Hm & Hf & Ho & Hμ & HA & HR & Hφ & Hv & Hp & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 Hρ H1 He Ha C.
  exact (PerturbedC1.theorem_C_1_perturbed M ϱ μB L N α ζ ξ η Dθ Dβ Dφ λ Hm Hf Ho Hμ Hp HA Hr HR Hφ Hλ k e p Hk He Ha
    π' ν' Hπ Hν β' Hc gain bias occ star Hv T θ0 ρ0 β1 HT H0 Hρ H1 C).
Qed.

Theorem float_projection_error : Float_projection_error.
Proof.
  intros d D x y E Hd HD Hx Hy δ.
  assert (Hm : (INR (3 + chunks d + 8) * ε <= / 64)%R).
  { pose proof (chunks_le d Hd) as C. assert (C' : (Z.of_nat (3 + chunks d + 8) <= 33554448)%Z) by lia.
    apply IZR_le in C'. rewrite <- INR_IZR_INZ in C'. pose proof ε_small. pose proof ε_pos. nra. }
  pose proof (projection_error d D x Hm HD Hd Hx) as Px. pose proof (projection_error d D y Hm HD Hd Hy) as Py. fold δ in Px, Py.
  split; [exact Py|]. intros HE Hxy.
  assert (PD : (0 <= D)%R) by (pose proof (bpow_gt_0 radix2 (-400)); lra).
  assert (Pδ : (0 <= δ)%R) by (unfold δ; apply Rmult_le_pos; [apply Rmult_le_pos; [apply pos_INR | apply Rlt_le, ε_pos] | exact PD]).
  assert (N : Ball d E (vsub (proj_ball d D x) (proj_ball d D y))).
  { unfold ball in *. eapply Rle_trans; [|exact Hxy]. now apply Projection.projection_nonexpansive. }
  replace (E + 2 * δ)%R with (δ + (E + δ))%R by ring. eapply ball_trans; [exact Pδ | lra | exact Px |].
  eapply ball_trans; [exact HE | exact Pδ | exact N |].
  unfold ball in *. rewrite <- (norm2_ext d (scale (-1)%R (vsub (float_project d D y) (proj_ball d D y)))), norm2_scale.
  - DoubleLoop.real. lra.
  - intros i _. unfold scale, vsub. DoubleLoop.real. ring.
Qed.

Theorem float_softmax : Float_softmax.
Proof.
  intros fexp ex n z ẑ e1 Z e He Hx Hn Hn' Hz Hc HZ Hs p. split; [|split].
  - intros a Ha. exact (proj1 (quotient_error fexp ex n z ẑ e1 Z He Hn Hn' Hz Hc HZ Hs Hx a Ha)).
  - exact (probabilities_sum fexp ex n z ẑ e1 Z He Hn Hn' Hz Hc HZ Hs Hx).
  - exact (policy_error fexp ex n z ẑ e1 Z He Hn Hn' Hz Hc HZ Hs Hx).
Qed.

Theorem theorem_A_1_floats : Theorem_A_1_floats.
Proof.
  intros M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1 weight fexp ν eΛ ex HS Tr r Hr He Hw H0 H1 HD.
  pose proof HS as (Hm & Hd & Hμ & _ & _ & Hφ & _).
  pose proof Hr as ((_ & Hk & HT) & _ & (Pα & Pζ & Pη & _) & _).
  assert (pos : forall x, between x -> (0 < x)%R) by (intros x [X _]; pose proof (bpow_gt_0 radix2 (-100)); lra).
  apply (theorem_A_1_perturbed M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1 _ (rounding_errors r) HS);
    [repeat split; now apply pos | exact HT | exact Hk | exact H0 | exact H1 | | |].
  - exact (e_nonneg M k T α ζ η Dθ Dβ Dφ ν eΛ ex Hr).
  - exact (average_or_one M k T α ζ η Dθ Dβ Dφ ν eΛ ex Hr).
  - exact (float_run_is_perturbed M μB weight N fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex Hr He Hm Hd Hμ Hφ Hw θ0 β1 H0 H1 HD).
Qed.

Theorem float_exp : Float_exp.
Proof. exact float_exp_error. Qed.

Theorem theorem_A_1_program : Theorem_A_1_program.
Proof.
  intros M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1 weight ν eΛ HS Tr r Hr Hw H0 H1 HD.
  exact (theorem_A_1_floats M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1 weight FloatExp.float_exp ν eΛ (8 * ε)%R HS Hr
    float_exp_error Hw H0 H1 HD).
Qed.

Theorem theorem_C_1_floats : Theorem_C_1_floats.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 weight ν eΛ eA draw HS Tr r Hr Hw Ha Hd H0 Hρ H1 HD HR.
  pose proof HS as (Hm & _ & _ & Hμ & _ & _ & Hφ & _).
  pose proof Hr as (((_ & Hk & HT) & _ & (Pα & Pζ & Pη & _) & _) & Pξ & _).
  assert (pos : forall x, between x -> (0 < x)%R) by (intros x [X _]; pose proof (bpow_gt_0 radix2 (-100)); lra).
  apply (theorem_C_1_perturbed M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 _ (rounding_errors2 r ξ eA) HS);
    [repeat split; now apply pos | exact HT | exact Hk | exact H0 | exact Hρ | exact H1 | | |].
  - exact (e_nonneg2 M k T α ζ ξ η Dθ Dβ Dφ ν eΛ (8 * ε) eA Hr Ha).
  - exact (average_or_one2 M k T α ζ ξ η Dθ Dβ Dφ ν eΛ (8 * ε) eA Hr).
  - exact (float_run2_is_perturbed M μB weight N FloatExp.float_exp k T α ζ ξ η Dθ Dβ Dφ ν eΛ (8 * ε) eA draw Hr float_exp_error Hm Hμ Hφ Hw Ha Hd θ0 ρ0 β1 H0 Hρ H1 HD HR).
Qed.

Theorem theorem_C_1_program : Theorem_C_1_program.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 weight ν eΛ b HS Tr r draw Hr Hw Hb H0 Hρ H1 HD HR.
  pose proof Hr as (((HA & _) & (_ & HA' & _) & _) & _).
  apply (theorem_C_1_floats M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 weight ν eΛ); try assumption.
  - apply Rmult_le_pos; [pose proof (pos_INR (nA M)); lra | apply Rlt_le, ε_pos].
  - now apply inverse_cdf_near.
Qed.
