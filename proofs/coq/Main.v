(** * Every claim of Statements.v, proved *)

From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Existence ThetaBound Discounted Section4 AppendixB
  Average AppendixC Coverage AppendixE Statements.

Theorem section_2_values : Section_2_values.
Proof. intros K M π Hm Hd Hπ. split; [now apply value_exists | now apply value_unique]. Qed.

Theorem section_2_occupancies : Section_2_occupancies.
Proof.
  intros K M π Hm Hd Hπ. split; [now apply occupancy_exists | split; [now apply occupancy_unique|]].
  intros ν H. split; [now apply (occupancy_nonneg M π) | now apply (occupancy_total M π)].
Qed.

Theorem section_2_selection : Section_2_selection.
Proof. intros K M. apply selection. Qed.

Theorem section_2_return : Section_2_return.
Proof. intros K M π v ν. apply return_forms. Qed.

Theorem equation_3 : Equation_3.
Proof. intros K M v. split; [apply dot_phi_theta_of | intros H θ; now apply full_rank_theta]. Qed.

Theorem section_2_theta_bound : Section_2_theta_bound.
Proof. intros K M π v Dω Dψ Hm Hd Hπ Hv. now apply (theta_bound M π v). Qed.

Theorem equation_6 : Equation_6.
Proof. intros K M v θ l μ. apply eq_6. Qed.

Theorem equation_11_12 : Equation_11_12.
Proof. intros K M L β μ v θ. apply eq_11_eq_12. Qed.

Theorem equation_13 : Equation_13.
Proof. intros K M L β π H. split; intros; [now apply mu_feasible | now apply eq_12_at_mu]. Qed.

Theorem equation_14_15 : Equation_14_15.
Proof. intros K M L β π θ H. split; [now apply eq_14_eq_15_left | apply eq_14_eq_15_right]. Qed.

Theorem section_4_beta_star : Section_4_beta_star.
Proof. intros K M L Linv μ. split; [apply inverse_beta_star | apply norm2_beta_star]. Qed.

Theorem lemma_4_1 : Lemma_4_1.
Proof.
  intros K M L T βs πs θs β' π' ν' vs νs θ' Hr HT Hβ Ho H.
  apply (Section4.lemma_4_1 M L) with (ν' := ν') (vs := vs); auto. intros t Ht. destruct (H t Ht) as (A & B & C & D).
  repeat split; try assumption; try apply A. now apply full_rank_theta.
Qed.

Theorem lemma_4_2 : Lemma_4_2.
Proof. intros K M L T βs πs θs β' π' ν' θ' HT Hβ Ho. now apply Section4.lemma_4_2. Qed.

Theorem both_powers : Both_powers.
Proof. intros K d Λ L N. split; [apply powers_one | apply powers_half]. Qed.

Theorem unbiased_mu : Unbiased_mu.
Proof. intros K M μB L N β π x a (Hm & Hd & Hμ & Hp) Hx. now apply AppendixB.unbiased_mu. Qed.

Theorem unbiased_theta : Unbiased_theta.
Proof. intros K M μB L N β π i (Hm & Hd & Hμ & Hp) Hi. now apply AppendixB.unbiased_theta. Qed.

Theorem unbiased_theta_printed : Unbiased_theta_printed.
Proof. intros K M μB L N β π i (Hm & Hd & Hμ & Hp) Hi. now apply AppendixB.unbiased_theta_printed. Qed.

Theorem unbiased_beta : Unbiased_beta.
Proof. intros K M μB L N π θ i (Hm & Hd & Hμ & Hp) Hi. now apply AppendixB.unbiased_beta. Qed.

Theorem lemma_B_1_second_moment : Lemma_B_1_second_moment.
Proof. intros K M μB L N β π Dφ (Hm & Hd & Hμ & Hp) Hπ Hφ. now apply (AppendixB.lemma_B_1_second_moment M μB L N). Qed.

Theorem lemma_B_2_second_moment : Lemma_B_2_second_moment.
Proof. intros K M μB L N π θ Dφ Dθ (Hm & Hd & Hμ & Hp) Hπ Hφ Hθ. now apply (AppendixB.lemma_B_2_second_moment M μB L N). Qed.

Theorem operator_norm_step : Operator_norm_step.
Proof. intros K d A s D β. apply quad_bound. Qed.

Theorem appendix_C_lagrangian : Appendix_C_lagrangian.
Proof. intros K M ϱ l μ ρ v θ. apply average_lagrangian_forms. Qed.

Theorem appendix_C_f : Appendix_C_f.
Proof. intros K M ϱ L β π ρ θ H. split; [intros; now apply average_mu_feasible | now apply average_f_forms]. Qed.

Theorem section_5_gain : Section_5_gain.
Proof. intros K M π ρ v ν. apply gain_is_return. Qed.

Theorem lemma_C_3 : Lemma_C_3.
Proof.
  intros K M ϱ L T βs πs ρs θs β' π' ν' ρ' vs νs θ' c Hm Hr H1 HT Hβ Hπ Hν H.
  now apply (AppendixC.lemma_C_3 M ϱ L) with (ν' := ν') (vs := vs) (νs := νs) (c := c).
Qed.

Theorem lemma_C_4_equality : Lemma_C_4_equality.
Proof. intros K M ϱ L T βs πs ρs θs β' π' ν' ρ' θ' HT Hβ Hν. now apply AppendixC.lemma_C_4_equality. Qed.

Theorem lemma_C_4_inner : Lemma_C_4_inner.
Proof. intros K d Kin ρi θi g_ρ g_θ ρ' θ' HK. now apply AppendixC.lemma_C_4_inner. Qed.

Theorem assumption_5_2 : Assumption_5_2.
Proof. intros K M (_ & H & _) x a Hx Ha. rewrite <- (H x a Hx Ha). apply dot_sum_r. Qed.

Theorem lemma_C_5 : Lemma_C_5.
Proof.
  intros K M ϱ μB π L N ρ θ (Hm & Hμ & Hπ & H1 & Hp). split.
  - intros i Hi. now apply (AppendixC.lemma_C_5_unbiased M ϱ μB π L N).
  - intros Dφ Dθ Hφ H H' Hρ Hθ. now apply (AppendixC.lemma_C_5_second_moment M μB π L N).
Qed.

Theorem lemma_C_6 : Lemma_C_6.
Proof.
  intros K M ϱ μB π L N β (Hm & Hμ & Hπ & H1 & Hp). split.
  - now apply (AppendixC.lemma_C_6_unbiased M ϱ μB π L N).
  - now apply (AppendixC.lemma_C_6_second_moment M μB π L N).
Qed.

Theorem lemma_C_7 : Lemma_C_7.
Proof.
  intros K M ϱ μB π L N β (Hm & Hμ & Hπ & H1 & Hp). split.
  - intros i Hi. now apply (AppendixC.lemma_C_7_unbiased M μB π L N).
  - intros Dφ Hφ. now apply (AppendixC.lemma_C_7_second_moment M μB π L N).
Qed.

Theorem prop_E_2 : Prop_E_2.
Proof. intros K M A μ'. apply AppendixE.prop_E_2. Qed.

Theorem prop_E_3 : Prop_E_3.
Proof. intros K M μB Λinv μ' C Hμ Hi Hμ' HC. now apply (AppendixE.prop_E_3 M μB Λinv). Qed.

Theorem half_below_dagger : Half_below_dagger.
Proof. intros K M μB A μ' C Hμ Hi Hμ' HC. now apply (AppendixE.half_below_dagger M μB (mmul (dim M) A A)). Qed.

Theorem prop_E_4 : Prop_E_4.
Proof.
  intros K M Θ π μB μ' C C' HC HC'. split; [now apply (AppendixE.prop_E_4 M Θ π μB μ')|].
  intros Hm Hd Hπ All. apply (prop_E_4_equality M π μB μ' C C'); auto.
  destruct HC as [Up Least]. split.
  - intros r (θ & _ & R). apply Up. exists θ. auto.
  - intros c H. apply Least. intros r (θ & _ & R). apply H. exists θ. auto.
Qed.
