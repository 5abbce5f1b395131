(** * Every claim of FloatStatements.v, proved *)

From Coq Require Import Reals.
From OPD Require Import OrderedField Sums PerturbedLearning Perturbed1 PerturbedA1 StatementsD FloatStatements.

Theorem lemma_D_1_perturbed : Lemma_D_1_perturbed.
Proof. intros Ω ok d n D δ η G2 P y ĥ h ystar HD Hδ Hη Hs HP HS Hu HG Hy. exact (perturbed_descent ok d D δ η G2 P ystar y ĥ h HD Hδ Hη Hs HP HS Hu HG Hy n). Qed.

Theorem lemma_D_2_perturbed : Lemma_D_2_perturbed.
Proof.
  intros M α B Dφ δπ δΣ π' ν' z θ π T HA HB Hδ Hα Hφ Hπ' Hν' Hz Hθ HΣ Hπ.
  exact (perturbed_mirror M α B Dφ δπ δΣ π' ν' HA HB Hδ Hφ Hπ' Hν' z θ π T Hα Hz Hθ HΣ Hπ).
Qed.

Theorem theorem_A_1_perturbed : Theorem_A_1_perturbed.
Proof.
  intros M μB L N Linv Dθ Dβ Dφ λ π' ν' val occ α ζ η T k θ0 β1 p e
    (Hm & Hd & Hμ & HA & HR & Hφ & Hv & Hp & Hi & Hλ & Hπ & Hν & Hc) Tr Hr HT Hk H0 H1 He Ha C.
  exact (PerturbedA1.theorem_A_1_perturbed M μB L N Linv α ζ η Dθ Dβ Dφ λ Hm Hd Hμ Hp HA Hr HR Hφ Hλ k e p Hk He Ha
    π' ν' Hπ Hν val occ Hv Hi Hc T θ0 β1 HT H0 H1 C).
Qed.
