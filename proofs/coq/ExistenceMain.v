(** * Every claim of ExistenceStatements.v, proved *)

From Coq Require Import Lia Reals Lra ZArith.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average AppendixC Coverage Existence ThetaBound.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1 Algorithm2 Tuning BestPolicy Statements RegretStatements RegretMain.
From OPD Require Import Spectral Powers LinearPrograms Series ExistenceStatements Settings.
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
