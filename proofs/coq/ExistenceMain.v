(** * Every claim of ExistenceStatements.v, proved *)

From Coq Require Import Lia Reals Lra ZArith.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average AppendixC Coverage Existence ThetaBound.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1 Algorithm2 Tuning BestPolicy Statements RegretStatements RegretMain.
From OPD Require Import Spectral Powers RootError LinearPrograms Series ExistenceStatements Settings SampleSizes Recurrent.
Local Open Scope K_scope.

(** ** Section 2 *)
Theorem section_2_feasible : Section_2_feasible.
Proof. intros K M μ Hm Hd HA. now apply feasible_2_occupancies. Qed.

Theorem section_2_optimal : Section_2_optimal.
Proof.
  intros K M Hm Hd HA. split; [|intros μ; now apply extracted_best].
  destruct (strong_duality M Hm Hd HA) as (π & v & ν & _ & _ & _ & P & D & E). exists (compose π ν). apply optimal_2_4.
  now apply (optimal_pairs M Hm Hd HA _ _ v (theta_of M v) P D).
Qed.

Theorem equations_2_4 : Equations_2_4.
Proof. intros K M l μ. split; [apply feasible_4_2|]. split; [apply objective_4 | apply optimal_2_4]. Qed.

Theorem equations_4_5 : Equations_4_5.
Proof.
  intros K M Hm Hd HA. split.
  - destruct (strong_duality M Hm Hd HA) as (π & v & ν & _ & _ & _ & P & D & E).
    exists (PhiT M (compose π ν)), (compose π ν), v, (theta_of M v). now apply (optimal_pairs M Hm Hd HA _ _ _ _ P D).
  - intros l μ v θ P D. split; [now apply (weak_duality M l μ v θ) | now apply optimal_pairs].
Qed.

Theorem section_2_saddle : Section_2_saddle.
Proof. intros K M v θ l μ Hm Hd HA. split; [intros [A B]; now apply optimal_saddle | now apply saddle_optimal]. Qed.

Theorem section_2_series : Section_2_series.
Proof.
  intros M π v ν Hm Hd Hπ Hv Hν. pose proof Hd as (G0 & [G1 G2] & _). to_R.
  assert (G : (0 <= γ M < 1)%R) by (change (@carrier RK) with R in *; lra). split; [|split].
  - intros x Hx. apply (sum_of_series (γ M) (1 / (1 - γ M))); [exact G|]. intros n.
    pose proof (value_remainder M π Hm Hd Hπ v n x Hv Hx) as H. rewrite abs_real, pow_real in H.
    rewrite (sum_ext n _ (fun t => value_terms M π t x)) by reflexivity.
    eapply Rle_trans; [exact H|]. apply Req_le. change ((γ M ^ n / (1 - γ M) = γ M ^ n * (1 / (1 - γ M)))%R). unfold Rdiv. ring.
  - intros x Hx. apply (sum_of_series (γ M) 1); [exact G|]. intros n.
    pose proof (occupancy_remainder M π Hm Hd Hπ ν n x Hν Hx) as H. rewrite abs_real, pow_real, <- sum_mul_l in H.
    rewrite (sum_ext n _ (fun t => (1 - γ M) * (pow (γ M) t * E (visit_from_start M π t) (at_state x)))) by reflexivity.
    rewrite Rmult_1_r. exact H.
  - apply (sum_of_series (γ M) 1); [exact G|]. intros n.
    pose proof (return_remainder M π Hm Hd Hπ v n Hv) as H. rewrite abs_real, pow_real, <- sum_mul_l in H.
    rewrite (sum_ext n _ (fun t => (1 - γ M) * (pow (γ M) t * expected_reward M (visit_from_start M π t)))) by reflexivity.
    rewrite Rmult_1_r. exact H.
Qed.

(** ** Λ^c and β* *)
Theorem root_exists : Root_exists.
Proof. exact Powers.root_exists. Qed.

Theorem inverse_root_error : Inverse_root_error.
Proof. intros d Λ L B A Dφ δ HL HB SB PD Hn SA PA Pδ H. now apply (RootError.inverse_root_error d Λ L B Dφ). Qed.

Theorem powers_exist : Powers_exist.
Proof.
  intros c M μB Hμ d Λ. split.
  - destruct c; [now exists Λ, identity|]. destruct (root_exists d Λ) as (L & N & HL & HN); [apply covariance_symmetric | now apply covariance_semidefinite|].
    now exists L, N.
  - intros L N Hc. split; [now apply (power_powers c)|]. intros Dφ Hφ. split; [intros u; now apply (power_norm c M μB L) | now apply (power_trace c M μB L)].
Qed.

Theorem partial_coverage : Partial_coverage.
Proof.
  intros c M μB μ' L N Hμ Hc HcL. destruct c.
  - destruct HcL as [-> ->]. destruct (root_exists (dim M) (covariance M μB)) as (L & R & HL & HR);
      [apply covariance_symmetric | now apply covariance_semidefinite|].
    exists (mmul (dim M) R R). split; [now apply (square_pseudo_inverse (dim M) _ L)|].
    split; [now apply (covered_one M μB L R) | now apply norm2_beta_star, (inverse_symmetric M L R)].
  - destruct HcL as [HL HN]. exists N. split; [exact HN|]. split; [now apply (covered_half M μB)|]. apply norm2_beta_star, HN.
Qed.

Lemma ball_square d (D : R) (β : vec RK) (s : R) : ball d D β -> (0 <= s)%R -> (norm2 d β * s <= D * D * s)%R.
Proof. intros H Hs. apply Rmult_le_compat_r; [exact Hs | exact H]. Qed.

Lemma norm_bound_nonneg c Dφ : (0 <= norm_bound c Dφ)%R.
Proof. destruct c; [exact (Rle_0_sqr Dφ) | exact Rle_0_1]. Qed.

Theorem constants_at_least_one : Constants_at_least_one.
Proof.
  intros c M μB μ' L N β' Dω Dψ Dφ Dβ Hm Hb Hμ Hμ' Hc Hβ HD. split; [now apply (psi_lower M μB Hμ Dω)|].
  eapply Rle_trans; [apply (beta_star_lower c M μB L N Hμ Hc μ' β' Dφ Hm); [apply Hb | exact Hμ' | exact Hβ]|].
  apply ball_square; [exact HD | apply norm_bound_nonneg].
Qed.

(** ** Theorems A.1 and C.1 *)
Lemma own_ball d (β : vec RK) : ball d (sqrt (norm2 d β)) β.
Proof. unfold ball. apply Req_le. symmetry. exact (sqrt_sqrt _ (norm2_nonneg d β)). Qed.

(** The bound with the trace's bound in the place of the trace. *)
Lemma six_terms_at c M μB L N (Dω Dψ Dφ Dβ α ζ η : R) π' occ β' (T k : nat) θ0 β1 :
  is_mdp M -> is_discounted M -> bounded_mdp M Dω Dψ Dφ -> is_measure M μB -> is_policy M π' ->
  is_power c (dim M) (covariance M μB) L N -> (forall π, is_policy M π -> is_occupancy M π (occ π)) ->
  is_beta_star M L β' (compose π' (occ π')) -> (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
  (0 < α /\ 0 < ζ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat -> ball (dim M) (Dθ1 M Dω Dψ) θ0 -> ball (dim M) Dβ β1 ->
  (expected_suboptimality_1 M μB N (Dθ1 M Dω Dψ) Dβ π' (occ π') occ α ζ η T k θ0 β1 <= six_term_bound c M (Dθ1 M Dω Dψ) Dβ Dφ α ζ η T k)%R.
Proof.
  intros Hm Hd Hb Hμ Hπ Hc Ho Hβ PD HD Hr HT Hk H0 H1.
  destruct (setting_A c M μB L N Hμ Hc Dω Dψ Dφ Hm Hb Hd π' occ β' Dβ Hπ Ho Hβ PD HD) as [val S].
  eapply Rle_trans; [exact (theorem_A_1 M μB L N _ Dβ Dφ _ π' (occ π') β' val occ α ζ η T k θ0 β1 S Hr HT Hk H0 H1)|].
  unfold six_term_bound. pose proof (power_trace c M μB L N Hμ Hc Dφ (proj2 (proj2 (proj2 Hb)))) as HTr.
  set (Tr := trace _ _) in *. set (τ := trace_bound _ _ _) in *. clearbody Tr τ.
  assert (X : (ζ * G_beta M Dφ (Dθ1 M Dω Dψ) Tr <= ζ * G_beta M Dφ (Dθ1 M Dω Dψ) τ)%R).
  { apply Rmult_le_compat_l; [lra|]. unfold G_beta. real. apply Rmult_le_compat_l; [|exact HTr].
    set (D := Dθ1 M Dω Dψ). clearbody D. set (g := γ M). clearbody g. change (@carrier RK) with R in *.
    pose proof (Rle_0_sqr g). pose proof (Rle_0_sqr (Dφ * D)). unfold Rsqr in *. nra. }
  lra.
Qed.

Theorem theorem_A_1_from_definition : Theorem_A_1_from_definition.
Proof.
  intros c M μB π' Dω Dψ Dφ Hm Hd Hb Hμ Hπ Hcov Dθ. destruct (proj1 (powers_exist c M μB Hμ)) as (L & N & Hc).
  destruct (selection M Hm Hd) as (val0 & occ & Sel). assert (Ho : forall π, is_policy M π -> is_occupancy M π (occ π)) by (intros; now apply Sel).
  destruct (partial_coverage c M μB (compose π' (occ π')) L N Hμ (Hcov _ (Ho _ Hπ)) Hc) as (Linv & _ & Hβ & _).
  set (β' := beta_star M Linv (compose π' (occ π'))) in *. exists L, N, occ, β'. split; [exact Hc|]. split; [exact Ho|]. split; [exact Hβ|]. split.
  - destruct (setting_A c M μB L N Hμ Hc Dω Dψ Dφ Hm Hb Hd π' occ β' _ Hπ Ho Hβ (sqrt_pos _) (own_ball (dim M) β')) as [val S]. now exists val, (sqrt (norm2 (dim M) β')).
  - intros Dβ α ζ η T k θ0 β1 PD HD Hr HT Hk H0 H1. now apply (six_terms_at c M μB L N Dω Dψ Dφ Dβ α ζ η π' occ β').
Qed.

Theorem section_5_recurrent : Section_5_recurrent.
Proof.
  intros M x1 p Hm Hx1 Hp H. assert (often : lt (K := RK) 0 p /\ lt (K := RK) 0 (1 - p)) by (unfold lt; real; split; split; try lra).
  destruct (selection (minorised M x1 p) (minorised_mdp M x1 p Hm Hx1 often H) (minorised_discounted M x1 p Hx1 often)) as (val & occ & Sel).
  exists (fun π => p * val π x1), val. intros π Hπ. destruct (Sel π Hπ) as [Hv _]. split; [now apply (minorised_bias M x1 p)|].
  intros x a x' a' Hx Ha Hx' Ha'. pose proof (minorised_q_bound M x1 p Hm Hx1 often H π (val π) Hπ Hv x a Hx Ha) as [_ U].
  pose proof (minorised_q_bound M x1 p Hm Hx1 often H π (val π) Hπ Hv x' a' Hx' Ha') as [L _].
  set (q := bias_q M (p * val π x1) (val π) x a) in *. set (q' := bias_q M (p * val π x1) (val π) x' a') in *. clearbody q q'. real. lra.
Qed.

Lemma eight_terms_at c M μB L N (Dω Dψ Dq Dφ Dβ α ζ ξ η : R) π' ν' occ β' (T k : nat) θ0 (ρ0 : R) β1 :
  is_mdp M -> full_rank M -> bounded_mdp M Dω Dψ Dφ -> Assumption_5_1 M Dq -> (0 <= Dq)%R -> is_measure M μB ->
  is_policy M π' -> is_stationary_law M π' ν' -> is_power c (dim M) (covariance M μB) L N ->
  (forall π, is_policy M π -> is_stationary_law M π (occ π)) ->
  is_beta_star M L β' (compose π' ν') -> (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
  (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat ->
  ball (dim M) (Dθ2 Dω Dψ Dq) θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  (expected_suboptimality_2 M μB N (Dθ2 Dω Dψ Dq) Dβ π' ν' occ α ζ ξ η T k θ0 ρ0 β1 <= eight_term_bound c M (Dθ2 Dω Dψ Dq) Dβ Dφ α ζ ξ η T k)%R.
Proof.
  intros Hm Hf Hb Hq Pq Hμ Hπ Hν Hc Ho Hβ PD HD Hr HT Hk H0 Hρ H1.
  destruct (setting_C c M μB L N Hμ Hc Dω Dψ Dφ Hm Hb Dq π' ν' occ β' Dβ Hf Hq Pq Hπ Hν Ho Hβ PD HD) as (gain & bias & star & S).
  eapply Rle_trans; [exact (theorem_C_1 M _ μB L N _ Dβ Dφ _ π' ν' β' gain bias occ star α ζ ξ η T k θ0 ρ0 β1 S Hr HT Hk H0 Hρ H1)|].
  unfold eight_term_bound. pose proof (power_trace c M μB L N Hμ Hc Dφ (proj2 (proj2 (proj2 Hb)))) as HTr.
  set (Tr := trace _ _) in *. set (τ := trace_bound _ _ _) in *. clearbody Tr τ.
  assert (X : (ζ * average_G_beta Dφ (Dθ2 Dω Dψ Dq) Tr <= ζ * average_G_beta Dφ (Dθ2 Dω Dψ Dq) τ)%R).
  { apply Rmult_le_compat_l; [lra|]. unfold average_G_beta. real. apply Rmult_le_compat_r; [|exact HTr]. apply Rle_0_sqr. }
  lra.
Qed.

Theorem theorem_C_1_from_definition : Theorem_C_1_from_definition.
Proof.
  intros c M μB π' ν' Dω Dψ Dq Dφ Hm Hf Hb Hq Pq Hμ Hπ Hν Hcov Dθ ϱ. destruct (proj1 (powers_exist c M μB Hμ)) as (L & N & Hc).
  destruct (stationary_selection M Hm (proj1 (measure_inhabited M μB Hμ))) as [occ Ho].
  destruct (partial_coverage c M μB (compose π' ν') L N Hμ Hcov Hc) as (Linv & _ & Hβ & _).
  set (β' := beta_star M Linv (compose π' ν')) in *. exists L, N, occ, β'. split; [exact Hc|]. split; [exact Ho|]. split; [exact Hβ|]. split.
  - destruct (setting_C c M μB L N Hμ Hc Dω Dψ Dφ Hm Hb Dq π' ν' occ β' _ Hf Hq Pq Hπ Hν Ho Hβ (sqrt_pos _) (own_ball (dim M) β')) as (gain & bias & star & S).
    now exists gain, bias, star, (sqrt (norm2 (dim M) β')).
  - intros Dβ α ζ ξ η T k θ0 ρ0 β1 PD HD Hr HT Hk H0 Hρ H1. now apply (eight_terms_at c M μB L N Dω Dψ Dq Dφ Dβ α ζ ξ η π' ν' occ β').
Qed.

(** ** Sample sizes *)
(** π∘ν is a distribution on X×A. *)
Lemma compose_measure (M : linear_mdp RK) π ν : is_policy M π -> (forall x, (x < nS M)%nat -> 0 <= ν x) -> sumX M ν = 1 -> is_measure M (compose π ν).
Proof.
  intros Hπ Hν H1. split.
  - intros x a Hx Ha. apply mul_nonneg; [now apply Hπ | now apply Hν].
  - rewrite <- H1. unfold sumXA, sumX. apply sum_ext. intros x Hx. exact (ET_compose M π ν x Hπ Hx).
Qed.

(** The constants of both theorems: D_φ ≤ 1/D_ψ and D_β are positive, and 1 ≤ D_β²τ. *)
Lemma constants c (M : linear_mdp RK) μB μ' L N β' (Dω Dψ Dφ Dβ : R) :
  is_mdp M -> bounded_mdp M Dω Dψ Dφ -> is_measure M μB -> is_measure M μ' -> is_power c (dim M) (covariance M μB) L N ->
  is_beta_star M L β' μ' -> (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
  (0 < Dφ /\ 0 < Dψ /\ 0 < Dβ /\ 1 <= Dφ * Dψ /\ 1 <= Dβ * Dβ * norm_bound c Dφ /\ 1 <= Dβ * Dβ * trace_bound c (dim M) Dφ)%R.
Proof.
  intros Hm Hb Hμ Hμ' Hc Hβ PD HD. destruct (constants_at_least_one c M μB μ' L N β' Dω Dψ Dφ Dβ Hm Hb Hμ Hμ' Hc Hβ HD) as [A B].
  destruct Hb as ((Pω & Pψ & Pφ) & _). assert (0 < Dφ)%R by (destruct Pφ as [P|<-]; [exact P | exfalso; lra]).
  assert (0 < Dψ)%R by (destruct Pψ as [P|<-]; [exact P | exfalso; lra]). assert (0 < Dβ)%R by (destruct PD as [P|<-]; [exact P | exfalso; lra]).
  repeat split; try assumption. destruct c; [exact B|]. simpl in *.
  assert (D : (1 <= INR (dim M))%R).
  { destruct (dim M) as [|d] eqn:E; [exfalso | change 1%R with (INR 1); apply le_INR; lia].
    destruct (measure_inhabited M μB Hμ) as [HS HA]. pose proof (features_ones M 0 0 Hm HS HA) as F. rewrite E in F.
    exact (one_neq_zero (K := RK) (eq_sym F)). }
  apply Rle_trans with (Dβ * Dβ * 1)%R; [exact B | apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact D]].
Qed.

Lemma sample_bound_sizes C c (M : linear_mdp RK) (Dθ Dβ Dφ ε : R) : (0 < ε)%R ->
  (C * (outer_size Dβ Dθ Dφ (ln (INR (nA M))) (trace_bound c (dim M) Dφ) * inner_size Dβ Dθ Dφ (norm_bound c Dφ)) / ε ^ 4
   = sample_bound C c M Dθ Dβ Dφ ε)%R.
Proof. intros H. unfold outer_size, inner_size, sample_bound. destruct c; simpl trace_bound; simpl norm_bound; field; lra. Qed.

Theorem theorem_3_2_corrected : Theorem_3_2_corrected.
Proof.
  intros c M μB π' occ L N β' Dω Dψ Dβ Dφ ε Hm Hd Hb Hμ Hπ Ho Hc Hβ PD HD HA Hε Dθ.
  assert (Hμ' : is_measure M (compose π' (occ π'))).
  { apply compose_measure; [exact Hπ | now apply (occupancy_nonneg M π' Hm Hd Hπ), Ho | now apply (occupancy_total M π' Hm Hd Hπ), Ho]. }
  destruct (constants c M μB _ L N β' Dω Dψ Dφ Dβ Hm Hb Hμ Hμ' Hc Hβ PD HD) as (Pφ & Pψ & Pβ & C1 & Cλ & Cτ).
  pose proof Hd as (G0 & [G1 G2] & _). to_R. assert (G : (0 <= γ M < 1)%R) by (change (@carrier RK) with R in *; lra).
  assert (Ψθ : (Dψ <= Dθ)%R).
  { unfold Dθ. destruct Hb as ((Pω & _) & _). assert (I : (1 <= / (1 - γ M))%R) by (rewrite <- Rinv_1 at 1; apply Rinv_le_contravar; change (@carrier RK) with R in *; lra).
    unfold Rdiv. change (@carrier RK) with R in *. nra. }
  assert (Pθ : (0 < Dθ)%R) by lra. assert (Cθ : (1 <= Dφ * Dθ)%R) by (eapply Rle_trans; [exact C1 | apply Rmult_le_compat_l; lra]).
  set (ℓ := ln (INR (nA M))). pose proof (log_half _ HA) as Hℓ. fold ℓ in Hℓ.
  set (λ := norm_bound c Dφ) in *. set (τ := trace_bound c (dim M) Dφ) in *.
  assert (Hp : (1 <= Dφ * Dφ * (Dθ * Dθ))%R) by (replace (Dφ * Dφ * (Dθ * Dθ))%R with (Dφ * Dθ * (Dφ * Dθ))%R by ring; nra).
  assert (Pτ : (0 < τ)%R) by (apply Rnot_le_lt; intros Z; assert (Dβ * Dβ * τ <= 0)%R by nra; lra).
  set (g := γ M : R) in *. assert (g2 : (0 <= g * g <= 1)%R) by nra.
  set (Bβ := G_beta M Dφ Dθ τ : R). set (Bθ := G_theta M Dφ Dβ λ : R).
  assert (Eβ : Bβ = (3 * (1 + (1 + g * g) * (Dφ * Dφ * (Dθ * Dθ))) * τ)%R) by (unfold Bβ, G_beta; fold g; real; ring).
  assert (Eθ : Bθ = (3 * (Dφ * Dφ) * ((1 - g) * (1 - g) + (1 + g * g) * (Dβ * Dβ * λ)))%R) by (unfold Bθ, G_theta; fold g; real; ring).
  assert (Uβ : (0 < Bβ <= 9 * (Dφ * Dφ * (Dθ * Dθ)) * τ)%R).
  { rewrite Eβ. set (p := (Dφ * Dφ * (Dθ * Dθ))%R) in *. clearbody p.
    assert ((1 + g * g) * p <= 2 * p)%R by (apply Rmult_le_compat_r; lra). assert (0 <= (1 + g * g) * p)%R by (apply Rmult_le_pos; lra). split; [nra|].
    apply Rmult_le_compat_r; lra. }
  assert (Uθ : (0 < Bθ <= 9 * (Dφ * Dφ) * (Dβ * Dβ * λ))%R).
  { rewrite Eθ. set (b := (Dβ * Dβ * λ)%R) in *. clearbody b. assert (0 < Dφ * Dφ)%R by nra. assert ((1 - g) * (1 - g) <= 1)%R by nra.
    assert ((1 + g * g) * b <= 2 * b)%R by (apply Rmult_le_compat_r; lra). assert (1 <= (1 + g * g) * b)%R by nra. assert (0 <= (1 - g) * (1 - g))%R by nra. split.
    - apply Rmult_lt_0_compat; [lra | lra].
    - replace (9 * (Dφ * Dφ) * b)%R with (3 * (Dφ * Dφ) * (3 * b))%R by ring. apply Rmult_le_compat_l; lra. }
  destruct (sizes Dβ Dθ Dφ ℓ τ λ ε Cθ (conj Cλ Cτ) Hℓ Hε 144 0) as (T & k & HT & Hk & LT & Lk & Un); [lra | lra |].
  pose proof (lt_0_INR T HT) as PT. pose proof (lt_0_INR k Hk) as Pk.
  set (Gβ := sqrt Bβ). set (Gθ := sqrt Bθ). assert (PGβ : (0 < Gβ)%R) by (apply sqrt_lt_R0; lra). assert (PGθ : (0 < Gθ)%R) by (apply sqrt_lt_R0; lra).
  assert (Sβ : (Gβ * Gβ = Bβ)%R) by (apply sqrt_sqrt; lra). assert (Sθ : (Gθ * Gθ = Bθ)%R) by (apply sqrt_sqrt; lra).
  exists (rate_α Dθ Dφ ℓ (INR T)), (rate_ζ Dβ Gβ (INR T)), (rate_η Dθ Gθ (INR k)), T, k.
  assert (Pℓ : (0 < ℓ)%R) by lra.
  assert (Hr : (0 < rate_α Dθ Dφ ℓ (INR T) /\ 0 < rate_ζ Dβ Gβ (INR T) /\ 0 < rate_η Dθ Gθ (INR k))%R) by (repeat split; rate_positive).
  split; [exact Hr|]. split; [exact HT|]. split; [exact Hk|]. split.
  - rewrite Rplus_0_r in Un. eapply Rle_trans; [exact Un|]. rewrite <- sample_bound_sizes by lra. apply Req_le. fold ℓ τ λ. field. lra.
  - intros θ0 β1 H0 H1.
    eapply Rle_trans; [apply (six_terms_at c M μB L N Dω Dψ Dφ Dβ _ _ _ π' occ β' T k θ0 β1); assumption|].
    change (Dθ1 M Dω Dψ) with Dθ. unfold six_term_bound. fold ℓ τ λ Bβ Bθ. rewrite <- Sβ, <- Sθ.
    apply (sample_size_A_1 Dβ Dθ Dφ ℓ Gβ 1 Gθ (INR T) (INR k) ε); [repeat split; lra | lra | |].
    + eapply Rle_trans; [|exact LT]. assert (O : (outer Dβ Dθ Dφ ℓ Gβ <= 37 * outer_size Dβ Dθ Dφ ℓ τ)%R) by (eapply outer_bound; eauto; rewrite Sβ; apply Uβ). lra.
    + eapply Rle_trans; [|exact Lk]. rewrite Sθ. unfold inner_size.
      assert (Dθ * Dθ * Bθ <= Dθ * Dθ * (9 * (Dφ * Dφ) * (Dβ * Dβ * λ)))%R by (apply Rmult_le_compat_l; [nra | apply Uθ]). lra.
Qed.

Theorem theorem_5_3_corrected : Theorem_5_3_corrected.
Proof.
  intros c M μB π' ν' occ L N β' Dω Dψ Dq Dβ Dφ ε Hm Hf Hb Hq Pq Hμ Hπ Hν Ho Hc Hβ PD HD HA Hε Dθ.
  assert (Hμ' : is_measure M (compose π' ν')) by (destruct Hν as [[_ N1] N0]; now apply compose_measure).
  destruct (constants c M μB _ L N β' Dω Dψ Dφ Dβ Hm Hb Hμ Hμ' Hc Hβ PD HD) as (Pφ & Pψ & Pβ & C1 & Cλ & Cτ).
  assert (Ψθ : (Dψ <= Dθ)%R) by (unfold Dθ; destruct Hb as ((Pω & _) & _); nra).
  assert (Pθ : (0 < Dθ)%R) by lra. assert (Cθ : (1 <= Dφ * Dθ)%R) by (eapply Rle_trans; [exact C1 | apply Rmult_le_compat_l; lra]).
  set (ℓ := ln (INR (nA M))). pose proof (log_half _ HA) as Hℓ. fold ℓ in Hℓ.
  set (λ := norm_bound c Dφ) in *. set (τ := trace_bound c (dim M) Dφ) in *.
  set (s := (Dφ * Dθ)%R) in *. assert (Hp : (Dφ * Dφ * (Dθ * Dθ) = s * s)%R) by (unfold s; ring).
  assert (Pτ : (0 < τ)%R) by (apply Rnot_le_lt; intros Z; assert (Dβ * Dβ * τ <= 0)%R by nra; lra).
  set (Bβ := average_G_beta Dφ Dθ τ : R). set (Bρ := average_G_rho Dβ λ : R). set (Bθ := average_G_theta Dφ Dβ λ : R).
  assert (Eβ : Bβ = (τ * ((1 + 2 * s) * (1 + 2 * s)))%R) by (unfold Bβ, average_G_beta, s; real; ring).
  assert (Eρ : Bρ = (2 + 2 * (Dβ * Dβ * λ))%R) by (unfold Bρ, average_G_rho; real; ring).
  assert (Eθ : Bθ = (4 * (Dφ * Dφ) * (Dβ * Dβ * λ))%R) by (unfold Bθ, average_G_theta; real; ring).
  assert (Uβ : (0 < Bβ <= 9 * (Dφ * Dφ * (Dθ * Dθ)) * τ)%R).
  { rewrite Eβ, Hp. clearbody s. split; [apply Rmult_lt_0_compat; [exact Pτ | nra]|].
    replace (9 * (s * s) * τ)%R with (τ * (9 * (s * s)))%R by ring. apply Rmult_le_compat_l; [lra | nra]. }
  assert (Uρ : (0 < Bρ)%R) by (rewrite Eρ; lra).
  assert (Uθ : (0 < Bθ)%R) by (rewrite Eθ; apply Rmult_lt_0_compat; [nra | lra]).
  destruct (sizes Dβ Dθ Dφ ℓ τ λ ε Cθ (conj Cλ Cτ) Hℓ Hε 160 1) as (T & k & HT & Hk & LT & Lk & Un); [lra | lra |].
  pose proof (lt_0_INR T HT) as PT. pose proof (lt_0_INR k Hk) as Pk.
  set (Gβ := sqrt Bβ). set (Gρ := sqrt Bρ). set (Gθ := sqrt Bθ).
  assert (PGβ : (0 < Gβ)%R) by (apply sqrt_lt_R0; lra). assert (PGρ : (0 < Gρ)%R) by (apply sqrt_lt_R0; lra). assert (PGθ : (0 < Gθ)%R) by (apply sqrt_lt_R0; lra).
  assert (Sβ : (Gβ * Gβ = Bβ)%R) by (apply sqrt_sqrt; lra). assert (Sρ : (Gρ * Gρ = Bρ)%R) by (apply sqrt_sqrt; lra).
  assert (Sθ : (Gθ * Gθ = Bθ)%R) by (apply sqrt_sqrt; lra).
  exists (rate_α Dθ Dφ ℓ (INR T)), (rate_ζ Dβ Gβ (INR T)), (rate_ξ Gρ (INR k)), (rate_η Dθ Gθ (INR k)), T, k.
  assert (Pℓ : (0 < ℓ)%R) by lra.
  assert (Hr : (0 < rate_α Dθ Dφ ℓ (INR T) /\ 0 < rate_ζ Dβ Gβ (INR T) /\ 0 < rate_ξ Gρ (INR k) /\ 0 < rate_η Dθ Gθ (INR k))%R)
    by (repeat split; rate_positive).
  split; [exact Hr|]. split; [exact HT|]. split; [exact Hk|]. split.
  - eapply Rle_trans; [exact Un|]. rewrite <- sample_bound_sizes by lra. apply Req_le. fold ℓ τ λ. field. lra.
  - intros θ0 ρ0 β1 H0 Hρ H1.
    eapply Rle_trans; [apply (eight_terms_at c M μB L N Dω Dψ Dq Dφ Dβ _ _ _ _ π' ν' occ β' T k θ0 ρ0 β1); assumption|].
    change (Dθ2 Dω Dψ Dq) with Dθ. unfold eight_term_bound. fold ℓ τ λ Bβ Bρ Bθ. rewrite <- Sβ, <- Sρ, <- Sθ.
    apply (sample_size_C_1 Dβ Dθ Dφ ℓ Gβ Gρ Gθ (INR T) (INR k) ε); [repeat split; lra | lra | |].
    + eapply Rle_trans; [|exact LT].
      assert (O : (outer Dβ Dθ Dφ ℓ Gβ <= 37 * outer_size Dβ Dθ Dφ ℓ τ)%R) by (eapply outer_bound; eauto; rewrite Sβ; apply Uβ). lra.
    + eapply Rle_trans; [|exact Lk]. rewrite Sρ, Sθ, Eρ, Eθ. unfold inner_size. rewrite Hp.
      replace (4 * (Dθ * Dθ * (4 * (Dφ * Dφ) * (Dβ * Dβ * λ))))%R with (16 * (s * s) * (Dβ * Dβ * λ))%R by (unfold s; ring).
      set (b := (Dβ * Dβ * λ)%R) in *. clearbody b. clearbody s. assert (1 <= s * s)%R by nra. assert (b <= b * (s * s))%R by nra. nra.
Qed.
