(** * Every claim of StatementsD.v, proved *)

From OPD Require Import OrderedField Sums Projection GradientDescent MirrorDescent Runs Algorithm1 TheoremA1 TheoremC1 StatementsD.

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

Theorem theorem_A_1 : Theorem_A_1.
Proof.
  intros M μB L N Linv α ζ η Dθ Dβ Dφ λ π' ν' val occ T k θ0 β1 d Λ Tr Hm Hd Hμ HA Hφ Hv Hp Hi Hs Hλ Hq Hπ Hν Hc
    Hα Hζ Hη Rθ Rβ Rφ HT Hk H0 H1.
  exact (TheoremA1.theorem_A_1 M μB L N Linv α ζ η Dθ Dβ Dφ λ Hm Hd Hμ Hp HA (conj Hα (conj Hζ Hη))
    (conj Rθ (conj Rβ Rφ)) Hφ (conj Hλ Hq) π' ν' Hπ Hν val occ Hv (conj Hi Hs) Hc T k θ0 β1 HT Hk H0 H1).
Qed.

Theorem theorem_C_1 : Theorem_C_1.
Proof.
  intros M ϱ μB L N Linv α ζ ξ η Dθ Dβ Dφ λ π' ν' gain bias occ star T k θ0 ρ0 β1 d Λ Tr Hm Hr Ho Hμ HA Hφ Hv Hp Hi Hs Hλ Hq
    Hπ Hν Pν Hc Hα Hζ Hξ Hη Rθ Rβ Rφ HT Hk H0 Hρ H1.
  exact (TheoremC1.theorem_C_1 M ϱ μB L N Linv α ζ ξ η Dθ Dβ Dφ λ Hm Hr Ho Hμ Hp (conj Hi Hs) HA
    (conj Hα (conj Hζ (conj Hξ Hη))) (conj Rθ (conj Rβ Rφ)) Hφ (conj Hλ Hq) π' ν' Hπ (conj Hν Pν) Hc
    gain bias occ star Hv T k θ0 ρ0 β1 HT Hk H0 Hρ H1).
Qed.
