(** * What is proved

    Each [Definition] below is a claim of the paper, with every hypothesis in sight; Main.v proves each under the
    same name in lower case.  To vet the work, read this file and the definitions it uses: OrderedField.v (what a
    field is), Sums.v and Expect.v (their first pages), Mdp.v, Discounted.v, Average.v, Coverage.v.  Nothing
    else can change what is claimed.  Lemmas D.1 and D.2 and the theorems built on them are stated in RegretStatements.v.

    Every claim holds over any ordered field K with decidable order: the reals are one, the rationals another.
    The sets X and A, the dimension d, the number T of iterations and all iterates are arbitrary.

    v^π and ν^π are the solutions of Bellman's equation and of the flow constraint (1), which for γ < 1 exist
    and are unique ([Section_2_values], [Section_2_occupancies]). *)

From OPD Require Import OrderedField Sums Expect Mdp Discounted Average Coverage.
Local Open Scope K_scope.

(** A feature bound D_φ: ‖φ(x,a)‖ <= D_φ for all x, a. *)
Definition features_bounded {K : ofield} (M : linear_mdp K) (Dφ : K) : Prop :=
  forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 (dim M) (φ M x a) <= Dφ².

(** ** Section 2 *)

Definition Section_2_values : Prop := forall (K : ofield) (M : linear_mdp K) π,
  is_mdp M -> is_discounted M -> is_policy M π ->
  (exists v, is_value M π v) /\ (forall v w, is_value M π v -> is_value M π w -> veq (nS M) v w).

Definition Section_2_occupancies : Prop := forall (K : ofield) (M : linear_mdp K) π,
  is_mdp M -> is_discounted M -> is_policy M π ->
  (exists ν, is_occupancy M π ν) /\
  (forall ν w, is_occupancy M π ν -> is_occupancy M π w -> veq (nS M) ν w) /\
  (forall ν, is_occupancy M π ν -> (forall x, (x < nS M)%nat -> 0 <= ν x) /\ sumX M ν = 1).

(** The functions π ↦ v^π and π ↦ ν^π, which Theorem A.1 (RegretStatements.v) takes as given. *)
Definition Section_2_selection : Prop := forall (K : ofield) (M : linear_mdp K), is_mdp M -> is_discounted M ->
  exists val occ, forall π, is_policy M π -> is_value M π (val π) /\ is_occupancy M π (occ π).

(** ρ(π) = (1−γ)⟨ν₀, v^π⟩ = ⟨r, μ^π⟩ *)
Definition Section_2_return : Prop := forall (K : ofield) (M : linear_mdp K) π v ν,
  is_policy M π -> is_value M π v -> is_occupancy M π ν ->
  return_of_value M v = return_of_measure M (compose π ν).

(** (3): q^π = Φθ^π for θ^π = ω + γΨv^π, and no other vector when Φ has full rank. *)
Definition Equation_3 : Prop := forall (K : ofield) (M : linear_mdp K) v,
  (forall x a, dot (dim M) (φ M x a) (theta_of M v) = q_of M v x a) /\
  (full_rank M -> forall θ,
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot (dim M) (φ M x a) θ = q_of M v x a) ->
    veq (dim M) θ (theta_of M v)).

(** ‖θ^π‖ <= D_ω + D_ψ/(1−γ), if D_ψ bounds ‖Σ_x |ψ(x)|‖; with ‖Σ_x ψ(x)‖, as printed, it fails (Errata.v, 3). *)
Definition Section_2_theta_bound : Prop := forall (K : ofield) (M : linear_mdp K) π v Dω Dψ,
  is_mdp M -> is_discounted M -> is_policy M π -> is_value M π v -> 0 <= Dω -> 0 <= Dψ ->
  norm2 (dim M) (ω M) <= Dω² -> norm2 (dim M) (fun i => sumX M (fun x => abs (ψ M x i))) <= Dψ² ->
  norm2 (dim M) (theta_of M v) <= (Dω + Dψ / (1 - γ M))².

(** (6): the two forms of the Lagrangian. *)
Definition Equation_6 : Prop := forall (K : ofield) (M : linear_mdp K) v θ l μ,
  lagrangian_value M v θ l μ = lagrangian_measure M v θ l μ.

(** ** Section 4.  [L] is any matrix in the place of Λ^c, and β* any solution of Λ^c β* = Φᵀ μ*. *)

(** Λ^{−c} Φᵀ μ* is one if Λ^c has an inverse, and then ‖β*‖² is C_{φ,c} (Definition 3.1). *)
Definition Section_4_beta_star : Prop := forall (K : ofield) (M : linear_mdp K) (L Linv : mat K) μ,
  (right_inverse (dim M) L Linv -> is_beta_star M L (beta_star M Linv μ) μ) /\
  (symmetric (dim M) Linv -> norm2 (dim M) (beta_star M Linv μ) = coverage M Linv μ).

Definition Equation_11_12 : Prop := forall (K : ofield) (M : linear_mdp K) (L : mat K) β μ v θ,
  eq_11 M L β μ v θ = eq_12 M L β μ v θ.

(** (13) meets the first constraint of (4); so ∂L/∂v = 0 there: L does not depend on v, and is f. *)
Definition Equation_13 : Prop := forall (K : ofield) (M : linear_mdp K) (L : mat K) β π, is_policy M π ->
  (forall x, (x < nS M)%nat ->
    ET M (mu_of M L β π) x = (1 - γ M) * ν0 M x + γ M * PsiT M (mulv (dim M) L β) x) /\
  (forall v θ, eq_12 M L β (mu_of M L β π) v θ = f M L β π θ).

Definition Equation_14_15 : Prop := forall (K : ofield) (M : linear_mdp K) (L : mat K) β π θ, is_policy M π ->
  f M L β π θ = eq_15_left M L β π θ /\ f M L β π θ = eq_15_right M L β π θ.

(** The suboptimality of π_J, J uniform on the T iterations, is the gap. *)
Definition Lemma_4_1 : Prop := forall (K : ofield) (M : linear_mdp K) (L : mat K) T βs πs θs β' π' ν' vs νs θ',
  full_rank M -> T <> O -> is_beta_star M L β' (compose π' ν') -> is_occupancy M π' ν' ->
  (forall t, (t < T)%nat -> is_policy M (πs t) /\ is_value M (πs t) (vs t) /\ is_occupancy M (πs t) (νs t) /\
     forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot (dim M) (φ M x a) (θ' t) = q_of M (vs t) x a) ->
  E (draw T (fun _ => 1 / of_nat T)) (fun J =>
    return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))
  = gap M L T βs πs θs β' π' θ'.

(** The gap is the sum of three regrets, whatever θ*_t. *)
Definition Lemma_4_2 : Prop := forall (K : ofield) (M : linear_mdp K) (L : mat K) T βs πs θs β' π' ν' θ',
  T <> O -> is_beta_star M L β' (compose π' ν') -> is_occupancy M π' ν' ->
  gap M L T βs πs θs β' π' θ' =
  regret_theta M L T βs πs θs θ' + regret_beta M L T βs πs θs β' + regret_pi M T πs θs π' ν'.

(** ** Sections 3, 4 and Appendix B.  Λ = E_{μ_B}φφᵀ, L = Λ^c, N = Λ^{c−1} in the sense of [powers]. *)

Definition estimators_setting {K : ofield} (M : linear_mdp K) (μB : nat -> nat -> K) (L N : mat K) : Prop :=
  is_mdp M /\ is_discounted M /\ is_measure M μB /\ powers (dim M) (covariance M μB) L N.

(** c = 1 and c = 1/2 are both instances of [powers], with Λ^{2c−1} = Λ and Λ^{2c−1} = 1. *)
Definition Both_powers : Prop := forall (K : ofield) d (Λ L N : mat K),
  (powers d Λ Λ identity /\ meq d (sandwich d Λ identity) Λ) /\
  (symmetric d N -> right_inverse d L N -> right_inverse d N L -> meq d (mmul d L L) Λ ->
   powers d Λ L N /\ meq d (sandwich d Λ N) identity).

Definition Unbiased_mu : Prop := forall (K : ofield) (M : linear_mdp K) μB L N β π x a,
  estimators_setting M μB L N -> (x < nS M)%nat ->
  E (observation M μB) (fun W => mu_estimate M N β π W x a) = mu_of M L β π x a.

Definition Unbiased_theta : Prop := forall (K : ofield) (M : linear_mdp K) μB L N β π i,
  estimators_setting M μB L N -> (i < dim M)%nat ->
  E (observation M μB) (fun W => theta_gradient M N β π W i) = g_theta M L β π i.

(** The form (10) prints is unbiased as well; what it loses is the second moment (Errata.v). *)
Definition Unbiased_theta_printed : Prop := forall (K : ofield) (M : linear_mdp K) μB L N β π i,
  estimators_setting M μB L N -> (i < dim M)%nat ->
  E (observation M μB) (fun W => theta_gradient_printed M N β π W i) = g_theta M L β π i.

Definition Unbiased_beta : Prop := forall (K : ofield) (M : linear_mdp K) μB L N π θ i,
  estimators_setting M μB L N -> (i < dim M)%nat ->
  E (observation M μB) (fun W => beta_gradient M N π θ W i) = g_beta M L π θ i.

(** E‖g̃_θ‖² <= 3 D_φ² ((1−γ)² + (1+γ²) ‖β‖²_{Λ^{2c−1}}) *)
Definition Lemma_B_1_second_moment : Prop := forall (K : ofield) (M : linear_mdp K) μB L N β π Dφ,
  estimators_setting M μB L N -> is_policy M π -> features_bounded M Dφ ->
  E (observation M μB) (fun W => norm2 (dim M) (theta_gradient M N β π W)) <=
  (1 + 1 + 1) * Dφ² * ((1 - γ M)² + (1 + (γ M)²) * quad (dim M) β (sandwich (dim M) (covariance M μB) N) β).

(** E‖g̃_β‖² <= 3 (1 + (1+γ²) D_φ² D_θ²) Tr Λ^{2c−1} *)
Definition Lemma_B_2_second_moment : Prop := forall (K : ofield) (M : linear_mdp K) μB L N π θ Dφ Dθ,
  estimators_setting M μB L N -> is_policy M π -> features_bounded M Dφ -> norm2 (dim M) θ <= Dθ² ->
  E (observation M μB) (fun W => norm2 (dim M) (beta_gradient M N π θ W)) <=
  (1 + 1 + 1) * (1 + (1 + (γ M)²) * (Dφ² * Dθ²)) * trace (dim M) (sandwich (dim M) (covariance M μB) N).

(** The step from ‖β‖²_A to the operator norm: s is any bound of the quadratic form, such as ‖A‖₂. *)
Definition Operator_norm_step : Prop := forall (K : ofield) d (A : mat K) (s D : K) β,
  0 <= s -> (forall u, quad d u A u <= s * norm2 d u) -> norm2 d β <= D² -> quad d β A β <= D² * s.

(** ** Section 5 and Appendix C *)

Definition Appendix_C_lagrangian : Prop := forall (K : ofield) (M : linear_mdp K) ϱ (l : vec K) μ ρ v θ,
  average_lagrangian_value M ϱ l μ ρ v θ = average_lagrangian_measure M ϱ l μ ρ v θ.

Definition Appendix_C_f : Prop := forall (K : ofield) (M : linear_mdp K) ϱ (L : mat K) β π ρ θ, is_policy M π ->
  (forall x, (x < nS M)%nat -> ET M (average_mu M L β π) x = PsiT M (mulv (dim M) L β) x) /\
  average_f_long M ϱ L β π ρ θ = average_f M ϱ L β π ρ θ.

(** ρ^π = ⟨μ^π, r⟩ *)
Definition Section_5_gain : Prop := forall (K : ofield) (M : linear_mdp K) π ρ v ν,
  is_policy M π -> is_bias M π ρ v -> is_stationary M π ν -> ρ = return_of_measure M (compose π ν).

(** θ*_t represents q^{π_t} − c_t for any constant c_t; the paper takes c_t = inf q^{π_t}. *)
Definition Lemma_C_3 : Prop := forall (K : ofield) (M : linear_mdp K) ϱ (L : mat K)
    T βs πs ρs θs β' π' ν' ρ' vs νs θ' (c : nat -> K),
  is_mdp M -> full_rank M -> is_ones M ϱ -> T <> O -> is_beta_star M L β' (compose π' ν') ->
  is_policy M π' -> is_stationary M π' ν' ->
  (forall t, (t < T)%nat -> is_policy M (πs t) /\ is_bias M (πs t) (ρ' t) (vs t) /\ is_stationary M (πs t) (νs t) /\
     forall x a, (x < nS M)%nat -> (a < nA M)%nat ->
       dot (dim M) (φ M x a) (θ' t) = bias_q M (ρ' t) (vs t) x a - c t) ->
  E (draw T (fun _ => 1 / of_nat T)) (fun J =>
    return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))
  = average_duality_gap M ϱ L T βs πs ρs θs β' π' ρ' θ'.

Definition Lemma_C_4_equality : Prop := forall (K : ofield) (M : linear_mdp K) ϱ (L : mat K)
    T βs πs ρs θs β' π' ν' ρ' θ',
  T <> O -> is_beta_star M L β' (compose π' ν') -> is_stationary M π' ν' ->
  average_duality_gap M ϱ L T βs πs ρs θs β' π' ρ' θ' =
  sum T (fun t => dot (dim M) (vsub β' (βs t)) (average_g_beta M ϱ L (πs t) (ρs t) (θs t))
    + sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - πs t x a) * dot (dim M) (φ M x a) (θs t)))) / of_nat T
  + sum T (fun t => (ρs t - ρ' t) * average_g_rho M ϱ L (βs t)
    + dot (dim M) (vsub (θs t) (θ' t)) (average_g_theta M L (βs t) (πs t))) / of_nat T.

(** ρ_t and θ_t being averages of K inner iterates, their regret is the average of theirs. *)
Definition Lemma_C_4_inner : Prop := forall (K : ofield) d (Kin : nat) (ρi : nat -> K) (θi : nat -> vec K) g_ρ g_θ ρ' θ',
  Kin <> O ->
  (sum Kin ρi / of_nat Kin - ρ') * g_ρ + dot d (vsub (fun j => sum Kin (fun i => θi i j) / of_nat Kin) θ') g_θ =
  sum Kin (fun i => (ρi i - ρ') * g_ρ + dot d (vsub (θi i) θ') g_θ) / of_nat Kin.

(** Assumption 5.2 follows from p(·|x,a) being a distribution: Φϱ = 1 for ϱ = Σ_x ψ(x). *)
Definition Assumption_5_2 : Prop := forall (K : ofield) (M : linear_mdp K), is_mdp M -> is_ones M (fun i => sumX M (fun x => ψ M x i)).

Definition average_setting {K : ofield} (M : linear_mdp K) (ϱ : vec K) (μB π : nat -> nat -> K) (L N : mat K) : Prop :=
  is_mdp M /\ is_measure M μB /\ is_policy M π /\ is_ones M ϱ /\ powers (dim M) (covariance M μB) L N.

Definition Lemma_C_5 : Prop := forall (K : ofield) (M : linear_mdp K) ϱ μB π L N ρ θ,
  average_setting M ϱ μB π L N ->
  (forall i, (i < dim M)%nat ->
    E (transition_law M μB π) (fun W => average_beta_gradient M N π ρ θ W i) = average_g_beta M ϱ L π ρ θ i) /\
  (forall Dφ Dθ, features_bounded M Dφ -> 0 <= Dφ -> 0 <= Dθ -> 0 <= ρ <= 1 -> norm2 (dim M) θ <= Dθ² ->
    E (transition_law M μB π) (fun W => norm2 (dim M) (average_beta_gradient M N π ρ θ W)) <=
    trace (dim M) (sandwich (dim M) (covariance M μB) N) * (1 + (1 + 1) * (Dφ * Dθ))²).

Definition Lemma_C_6 : Prop := forall (K : ofield) (M : linear_mdp K) ϱ μB π L N β,
  average_setting M ϱ μB π L N ->
  E (transition_law M μB π) (average_rho_gradient M N β) = average_g_rho M ϱ L β /\
  E (transition_law M μB π) (fun W => (average_rho_gradient M N β W)²) <=
  (1 + 1) + (1 + 1) * quad (dim M) β (sandwich (dim M) (covariance M μB) N) β.

Definition Lemma_C_7 : Prop := forall (K : ofield) (M : linear_mdp K) ϱ μB π L N β,
  average_setting M ϱ μB π L N ->
  (forall i, (i < dim M)%nat ->
    E (transition_law M μB π) (fun W => average_theta_gradient M N β W i) = average_g_theta M L β π i) /\
  (forall Dφ, features_bounded M Dφ ->
    E (transition_law M μB π) (fun W => norm2 (dim M) (average_theta_gradient M N β W)) <=
    (1 + 1) * (1 + 1) * Dφ² * quad (dim M) β (sandwich (dim M) (covariance M μB) N) β).

(** ** Appendix E *)

(** A is Λ^{−c}. *)
Definition Prop_E_2 : Prop := forall (K : ofield) (M : linear_mdp K) (A : mat K) μ',
  symmetric (dim M) A -> is_measure M μ' ->
  coverage M A μ' = mean M μ' (fun x a => quad (dim M) (φ M x a) (mmul (dim M) A A) (φ M x a))
                    - variance M μ' (fun x a => mulv (dim M) A (φ M x a)).

(** C^† <= C^⋄ <= d C^†.  Over the reals C^† exists: [Dagger_exists] in RegretStatements.v. *)
Definition Prop_E_3 : Prop := forall (K : ofield) (M : linear_mdp K) μB Λinv μ' C,
  is_measure M μB -> right_inverse (dim M) (covariance M μB) Λinv -> is_measure M μ' ->
  is_sup (dagger_ratios M μB μ') C ->
  C <= coverage_diamond M Λinv μ' /\ coverage_diamond M Λinv μ' <= of_nat (dim M) * C.

(** C_{φ,1/2} <= C^†, where Section 6 has a factor d.  A is Λ^{−1/2}, so A A is Λ^{−1}. *)
Definition Half_below_dagger : Prop := forall (K : ofield) (M : linear_mdp K) μB (A : mat K) μ' C,
  is_measure M μB -> right_inverse (dim M) (covariance M μB) (mmul (dim M) A A) -> is_measure M μ' ->
  is_sup (dagger_ratios M μB μ') C -> coverage M A μ' <= C.

(** C_{F,π} <= C^†, with equality when Θ is the whole space. *)
Definition Prop_E_4 : Prop := forall (K : ofield) (M : linear_mdp K) Θ π μB μ' C C',
  is_sup (bellman_ratios M Θ π μB μ') C -> is_sup (dagger_ratios M μB μ') C' ->
  C <= C' /\
  (is_mdp M -> is_discounted M -> is_policy M π -> (forall θ, Θ θ) -> C = C').
