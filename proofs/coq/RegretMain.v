(** * Every claim of RegretStatements.v, proved *)

From Coq Require Import Reals Lra Lia.
From Coq Require Import Reals.
From OPD Require Import OrderedField Sums Mdp Coverage AppendixE Projection GradientDescent MirrorDescent Runs.
From OPD Require Import DoubleLoop Algorithm1 Algorithm2 TheoremA1 TheoremC1 Tuning RegretStatements.

Theorem projection_ball : Projection_ball.
Proof.
  intros d D y HD. split; [now apply projection_in_ball|]. split; [now apply projection_idempotent|].
  split; [now apply projection_obtuse | intros p; now apply projection_characterised].
Qed.

Theorem projection_nonexpansive : Projection_nonexpansive.
Proof. intros d D x y HD. now apply Projection.projection_nonexpansive. Qed.

Theorem projection_interval : Projection_interval.
Proof.
  intros K x y. split; [apply clip_in_interval|]. split; [apply clip_idempotent|].
  split; [intros z [H0 H1]; now apply clip_obtuse | apply clip_nonexpansive].
Qed.

Theorem lemma_D_1_one_step : Lemma_D_1_one_step.
Proof.
  intros d D η y ĥ ystar HD Hs. apply one_step. intros z.
  apply (projection_approaches d (ball d D)); [now apply projection_obtuse | exact Hs].
Qed.

Theorem lemma_D_1 : Lemma_D_1.
Proof. intros d n D η G2 Ω P ĥ h y1 ystar HD Hη. apply GradientDescent.lemma_D_1; [exact HD | to_R; Lra.lra]. Qed.

Theorem kl_identity : KL_identity.
Proof. exact MirrorDescent.kl_identity. Qed.

Theorem hoeffding_lemma : Hoeffding_lemma.
Proof. exact MirrorDescent.hoeffding_lemma. Qed.

Theorem lemma_D_2 : Lemma_D_2.
Proof. exact MirrorDescent.lemma_D_2. Qed.

Theorem softmax_policy : Softmax_policy.
Proof. intros n α q Hn. split; [intros t a; now apply mirror_is_softmax | apply kl_uniform]. Qed.

Theorem dagger_exists : Dagger_exists.
Proof.
  intros M μB Λinv μ' Hμ Hi Hμ' Hd.
  destruct (completeness (dagger_ratios M μB μ')) as [C [Up Least]].
  - exists (coverage_diamond M Λinv μ'). intros r. now apply (dagger_ratios_bounded M μB Λinv).
  - now apply (dagger_ratios_inhabited M μB Λinv).
  - exists C. split; [exact Up | exact Least].
Qed.

Theorem theorem_A_1 : Theorem_A_1.
Proof.
  intros M μB L N Dθ Dβ Dφ λ π' ν' β' val occ α ζ η T k θ0 β1
    (Hm & Hd & Hμ & HA & HR & Hφ & Hv & Hp & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 H1.
  exact (TheoremA1.theorem_A_1 M μB L N α ζ η Dθ Dβ Dφ λ Hm Hd Hμ Hp HA Hr HR Hφ Hλ
    T k θ0 β1 Hk (conj H0 H1) π' ν' Hπ Hν val occ Hv β' Hc HT).
Qed.

Theorem lemma_B_1_regret : Lemma_B_1_regret.
Proof.
  intros M μB L N Dθ Dβ Dφ λ α ζ η T k θ0 β1 θ' (Hm & Hd & Hμ & Hp & HA & Hr & HR & Hφ & Hλ & Hk & H01) Hθ.
  exact (TheoremA1.lemma_B_1_regret M μB L N α ζ η Dθ Dβ Dφ λ Hm Hd Hμ Hp HA Hr HR Hφ Hλ T k θ0 β1 Hk H01 θ' Hθ).
Qed.

Theorem lemma_B_2_regret : Lemma_B_2_regret.
Proof.
  intros M μB L N Dθ Dβ Dφ λ α ζ η T k θ0 β1 β' (Hm & Hd & Hμ & Hp & HA & Hr & HR & Hφ & Hλ & Hk & H01) Hβ.
  exact (TheoremA1.lemma_B_2_regret M μB L N α ζ η Dθ Dβ Dφ Hm Hd Hμ Hp HA Hr HR Hφ T k θ0 β1 Hk H01 β' Hβ).
Qed.

Theorem lemma_B_3_regret : Lemma_B_3_regret.
Proof.
  intros M μB L N Dθ Dβ Dφ λ α ζ η T k θ0 β1 π' ν' (Hm & Hd & Hμ & Hp & HA & Hr & HR & Hφ & Hλ & Hk & H01) Hπ Hν.
  exact (TheoremA1.lemma_B_3_regret M μB N α ζ η Dθ Dβ Dφ Hm Hd Hμ HA Hr HR Hφ T k θ0 β1 H01 π' ν' Hπ Hν).
Qed.

Theorem theorem_C_1 : Theorem_C_1.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1
    (Hm & Hf & Ho & Hμ & HA & HR & Hφ & Hv & Hp & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 Hρ H1.
  exact (TheoremC1.theorem_C_1 M ϱ μB L N α ζ ξ η Dθ Dβ Dφ λ Hm Hf Ho Hμ Hp HA Hr HR Hφ Hλ π' ν' Hπ Hν β' Hc
    gain bias occ star Hv T k θ0 ρ0 β1 HT Hk H0 Hρ H1).
Qed.

Theorem lemma_C_4_inequality : Lemma_C_4_inequality.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1
    (Hm & Hf & Ho & Hμ & HA & HR & Hφ & Hv & Hp & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 Hρ H1 s1.
  pose proof (TheoremC1.lemma_C_4_inequality M ϱ μB L N α ζ ξ η Dθ Dβ Dφ λ Hm Ho Hμ Hp HA Hr HR Hφ Hλ π' ν' Hπ Hν β' Hc
    gain bias occ star Hv T k θ0 ρ0 β1 HT Hk H0 Hρ H1) as X.
  eapply Rle_trans; [exact X|]. unfold average_G_beta, average_G_rho, average_G_theta. fold Tr.
  change (entropy M α π' ν' vzero) with (conditional_entropy (nS M) (nA M) ν' π' (policy2 M α s1)). clearbody Tr. real.
  apply Req_le. change (@carrier RK) with R in *. field. repeat split; try lra; apply not_0_INR; lia.
Qed.

(** A rate x/(y √n) of positive numbers. *)
Ltac rate_positive := unfold rate_α, rate_ζ, rate_η, rate_ξ; apply Rdiv_lt_0_compat;
  repeat first [assumption | apply Rmult_lt_0_compat | lra | apply sqrt_lt_R0].

(** √x √x = x where √x > 0. *)
Lemma root_square x : (0 < sqrt x)%R -> (sqrt x * sqrt x = x)%R.
Proof.
  intros H. apply sqrt_def. destruct (Rle_or_lt 0 x) as [P|P]; [exact P|]. rewrite sqrt_neg_0 in H; lra.
Qed.

Lemma log_positive n : (1 < n)%nat -> (0 < ln (INR n))%R.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; [lra | change 1%R with (INR 1); now apply lt_INR]. Qed.

Theorem theorem_A_1_samples : Theorem_A_1_samples.
Proof.
  intros M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ε T k θ0 β1 HS Gβ Gθ ℓ (Pβ & Pθ & Pφ & PGβ & PGθ) HA HT Hk H0 H1 Hε HQ HK.
  pose proof (log_positive _ HA) as Pℓ. fold ℓ in Pℓ. pose proof (lt_0_INR _ HT) as PT. pose proof (lt_0_INR _ Hk) as PK.
  eapply Rle_trans; [apply (theorem_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ); try assumption|].
  - repeat split; rate_positive.
  - fold ℓ. rewrite <- (root_square _ PGβ), <- (root_square _ PGθ). fold Gβ Gθ.
    apply (sample_size_A_1 Dβ Dθ Dφ ℓ Gβ 1 Gθ (INR T) (INR k) ε); try assumption. repeat split; lra.
Qed.

Theorem theorem_C_1_samples : Theorem_C_1_samples.
Proof.
  intros M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ε T k θ0 ρ0 β1 HS Gβ Gρ Gθ ℓ
    (Pβ & Pθ & Pφ & PGβ & PGρ & PGθ) HA HT Hk H0 Hρ H1 Hε HQ HK.
  pose proof (log_positive _ HA) as Pℓ. fold ℓ in Pℓ. pose proof (lt_0_INR _ HT) as PT. pose proof (lt_0_INR _ Hk) as PK.
  eapply Rle_trans; [apply (theorem_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star); try assumption|].
  - repeat split; rate_positive.
  - fold ℓ. rewrite <- (root_square _ PGβ), <- (root_square _ PGρ), <- (root_square _ PGθ). fold Gβ Gρ Gθ.
    apply (sample_size_C_1 Dβ Dθ Dφ ℓ Gβ Gρ Gθ (INR T) (INR k) ε); try assumption. repeat split; lra.
Qed.
