(** * What exists; Theorems A.1, C.1, 3.2 and 5.3 from Definition 2.1 and the law of the data alone

    The theorems of RegretStatements.v take Λ^{1/2}, β*, v^π, ν^π and the radii as given.  Here they are shown to exist, and the theorems
    are stated once more with nothing assumed but the model, the data and the paper's own assumptions.  As in Statements.v each
    [Definition] is a claim, and ExistenceMain.v proves each under the same name in lower case.  The definitions it uses, beyond
    those of Statements.v and RegretStatements.v: the first pages of Spectral.v, LinearPrograms.v and Series.v. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Section4 AppendixB Average Coverage.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1 Algorithm2 Tuning Statements RegretStatements.
From OPD Require Import Spectral LinearPrograms Series.
Local Open Scope K_scope.

(** ** Section 2: the linear programs *)

(** "The constraints of (2) characterise the set of valid occupancy measures." *)
Definition Section_2_feasible : Prop := forall (K : ofield) (M : linear_mdp K) μ, is_mdp M -> is_discounted M -> (0 < nA M)%nat ->
  (feasible_2 M μ <-> exists π ν, is_policy M π /\ is_occupancy M π ν /\ same_measure M (compose π ν) μ).

(** (2) has an optimal solution.  The policy extracted from one has it as occupancy measure, and no policy returns more. *)
Definition Section_2_optimal : Prop := forall (K : ofield) (M : linear_mdp K), is_mdp M -> is_discounted M -> (0 < nA M)%nat ->
  (exists μ, optimal_2 M μ) /\
  forall μ, optimal_2 M μ ->
    is_policy M (extracted M μ) /\ is_occupancy M (extracted M μ) (ET M μ) /\ same_measure M (compose (extracted M μ) (ET M μ)) μ /\
    forall π ν, is_policy M π -> is_occupancy M π ν -> return_of_measure M (compose π ν) <= return_of_measure M μ.

(** (4) "did not change neither the set of admissible μs nor the objective". *)
Definition Equations_2_4 : Prop := forall (K : ofield) (M : linear_mdp K) l μ,
  (feasible_4 M l μ <-> feasible_2 M μ /\ veq (dim M) l (PhiT M μ)) /\
  (veq (dim M) l (PhiT M μ) -> dot (dim M) (ω M) l = return_of_measure M μ) /\
  (optimal_2 M μ <-> optimal_4 M (PhiT M μ) μ).

(** (4) and (5) are dual: no objective of (4) exceeds one of (5), both have optimal solutions, and feasible points are optimal
    exactly if their objectives are equal. *)
Definition Equations_4_5 : Prop := forall (K : ofield) (M : linear_mdp K), is_mdp M -> is_discounted M -> (0 < nA M)%nat ->
  (exists l μ v θ, optimal_4 M l μ /\ optimal_5 M v θ) /\
  forall l μ v θ, feasible_4 M l μ -> feasible_5 M v θ ->
    dot (dim M) (ω M) l <= return_of_value M v /\
    (optimal_4 M l μ /\ optimal_5 M v θ <-> dot (dim M) (ω M) l = return_of_value M v).

(** "Finding optimal solutions for the primal and dual LPs is equivalent to finding a saddle point" of (6). *)
Definition Section_2_saddle : Prop := forall (K : ofield) (M : linear_mdp K) v θ l μ, is_mdp M -> is_discounted M -> (0 < nA M)%nat ->
  (optimal_4 M l μ /\ optimal_5 M v θ <-> saddle_point M v θ l μ).

(** ** Section 2: the series that the paper defines v^π, ν^π and ρ(π) by, with the γ^t that it prints for q^π only (erratum 8) *)
Definition Section_2_series : Prop := forall (M : linear_mdp RK) π v ν, is_mdp M -> is_discounted M -> is_policy M π ->
  is_value M π v -> is_occupancy M π ν ->
  (forall x, (x < nS M)%nat -> infinite_sum (fun t => (γ M ^ t * expected_reward M (visit M π t x))%R) (v x)) /\
  (forall x, (x < nS M)%nat -> infinite_sum (fun t => ((1 - γ M) * (γ M ^ t * E (visit_from_start M π t) (at_state x)))%R) (ν x)) /\
  infinite_sum (fun t => ((1 - γ M) * (γ M ^ t * expected_reward M (visit_from_start M π t)))%R) (return_of_value M v).

(** ** Λ^c and Λ^{c−1} *)
Definition Root_exists : Prop := forall d (Λ : mat RK), symmetric d Λ -> semidefinite d Λ ->
  exists L N, is_root d Λ L /\ pseudo_inverse d L N.

Inductive power := One | Half.

(** L = Λ^c and N = Λ^{c−1}; at c = 1/2 the latter is the Moore–Penrose inverse of the root, which is the inverse if there is one. *)
Definition is_power (c : power) (d : nat) (Λ L N : mat RK) : Prop :=
  match c with One => L = Λ /\ N = identity | Half => is_root d Λ L /\ pseudo_inverse d L N end.

(** ‖Λ^{2c−1}‖₂ and Tr Λ^{2c−1} are at most D_φ² at c = 1, and 1 and d at c = 1/2. *)
Definition norm_bound (c : power) (Dφ : R) : R := match c with One => (Dφ * Dφ)%R | Half => 1%R end.
Definition trace_bound (c : power) (d : nat) (Dφ : R) : R := match c with One => (Dφ * Dφ)%R | Half => INR d end.

Definition Powers_exist : Prop := forall c (M : linear_mdp RK) μB, is_measure M μB ->
  let d := dim M in let Λ := covariance M μB in
  (exists L N, is_power c d Λ L N) /\
  forall L N, is_power c d Λ L N -> powers d Λ L N /\
    forall Dφ, features_bounded M Dφ ->
      (forall u, quad d u (sandwich d Λ N) u <= norm_bound c Dφ * norm2 d u) /\
      (trace d (sandwich d Λ N) <= trace_bound c d Dφ)%R.

(** The matrix A that a program holds for Λ^{−1/2} is within δD_φ of it if A² is within δ of Λ^{−1}, which fractions can check: the e_Λ of
    the rounding terms at c = 1/2 (FloatStatements.v).  B is Λ^{−1/2}, D_φ² bounds Λ. *)
Definition Inverse_root_error : Prop := forall d (Λ L B A : mat RK) (Dφ δ : R),
  is_root d Λ L -> right_inverse d L B -> symmetric d B -> (0 < Dφ)%R -> (forall x, (quad d x Λ x <= Dφ * Dφ * norm2 d x)%R) ->
  symmetric d A -> semidefinite d A -> (0 <= δ)%R ->
  (forall x, (Rabs (quad d x (mmul d A A) x - quad d x (mmul d B B) x) <= δ * norm2 d x)%R) ->
  forall v, (norm2 d (vsub (mulv d A v) (mulv d B v)) <= (δ * Dφ) * (δ * Dφ) * norm2 d v)%R.

(** ** β*, under partial coverage: where the data never goes, μ' does not go *)
Definition covered_by {K : ofield} (M : linear_mdp K) (μB μ' : nat -> nat -> K) : Prop :=
  forall x a, (x < nS M)%nat -> (a < nA M)%nat -> μB x a = 0 -> μ' x a = 0.

(** Then β* = Λ^{−c}Φᵀμ' for the Moore–Penrose Λ^{−c}, and ‖β*‖² is the coverage ratio of Definition 3.1 with it. *)
Definition Partial_coverage : Prop := forall c (M : linear_mdp RK) μB μ' L N, is_measure M μB -> covered_by M μB μ' ->
  is_power c (dim M) (covariance M μB) L N ->
  exists Linv, pseudo_inverse (dim M) L Linv /\ is_beta_star M L (beta_star M Linv μ') μ' /\
    norm2 (dim M) (beta_star M Linv μ') = coverage M Linv μ'.

(** ** Definition 2.1's constants, D_ψ as repaired by erratum 3 *)
Definition bounded_mdp (M : linear_mdp RK) (Dω Dψ Dφ : R) : Prop :=
  (0 <= Dω /\ 0 <= Dψ /\ 0 <= Dφ)%R /\ norm2 (dim M) (ω M) <= Dω² /\
  norm2 (dim M) (fun i => sumX M (fun x => abs (ψ M x i))) <= Dψ² /\ features_bounded M Dφ.

(** They cannot be small: 1 ≤ D_φD_ψ, and 1 ≤ D_β²‖Λ‖^{2c−1} for any D_β with β* in its ball. *)
Definition Constants_at_least_one : Prop := forall c (M : linear_mdp RK) μB μ' L N β' (Dω Dψ Dφ Dβ : R),
  is_mdp M -> bounded_mdp M Dω Dψ Dφ -> is_measure M μB -> is_measure M μ' -> is_power c (dim M) (covariance M μB) L N ->
  is_beta_star M L β' μ' -> ball (dim M) Dβ β' ->
  (1 <= Dφ * Dψ /\ 1 <= Dβ * Dβ * norm_bound c Dφ)%R.

(** ** Theorem A.1 from Definition 2.1: D_θ = D_ω + D_ψ/(1−γ), any comparator that the data covers, Λ invertible or not *)

Definition six_term_bound (c : power) (M : linear_mdp RK) (Dθ Dβ Dφ α ζ η : R) (T k : nat) : R :=
  (2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
   + ζ * G_beta M Dφ Dθ (trace_bound c (dim M) Dφ) / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * G_theta M Dφ Dβ (norm_bound c Dφ) / 2)%R.

Definition Theorem_A_1_from_definition : Prop := forall c (M : linear_mdp RK) μB π' (Dω Dψ Dφ : R),
  is_mdp M -> is_discounted M -> bounded_mdp M Dω Dψ Dφ -> is_measure M μB -> is_policy M π' ->
  (forall ν, is_occupancy M π' ν -> covered_by M μB (compose π' ν)) ->
  let Dθ := (Dω + Dψ / (1 - γ M))%R in
  exists L N occ β', is_power c (dim M) (covariance M μB) L N /\ (forall π, is_policy M π -> is_occupancy M π (occ π)) /\
    is_beta_star M L β' (compose π' (occ π')) /\
    (* setting_A_1 is inhabited … *)
    (exists val Dβ, setting_A_1 M μB L N Dθ Dβ Dφ (norm_bound c Dφ) π' (occ π') β' val occ) /\
    (* … and the bound holds *)
    forall (Dβ α ζ η : R) (T k : nat) θ0 β1, (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
      (0 < α /\ 0 < ζ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat -> ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 ->
      (expected_suboptimality_1 M μB N Dθ Dβ π' (occ π') occ α ζ η T k θ0 β1 <= six_term_bound c M Dθ Dβ Dφ α ζ η T k)%R.

(** Theorem 3.2, corrected (C ≤ D_β², erratum 4; D_ψ, erratum 3) and with its constant: n_ε ≤ 86,130·ε⁻⁴·D_θ⁴·D_φ^{8c}·D_β⁴·d^{2−2c}·log|A|
    samples, for ε ≤ 1 and at least two actions. *)
Definition sample_bound (C : R) (c : power) (M : linear_mdp RK) (Dθ Dβ Dφ ε : R) : R :=
  (C * Dθ ^ 4 * (match c with One => Dφ ^ 8 | Half => Dφ ^ 4 * INR (dim M) end) * Dβ ^ 4 * ln (INR (nA M)) / ε ^ 4)%R.

Definition Theorem_3_2_corrected : Prop := forall c (M : linear_mdp RK) μB π' occ L N β' (Dω Dψ Dβ Dφ ε : R),
  is_mdp M -> is_discounted M -> bounded_mdp M Dω Dψ Dφ -> is_measure M μB -> is_policy M π' ->
  (forall π, is_policy M π -> is_occupancy M π (occ π)) ->
  is_power c (dim M) (covariance M μB) L N -> is_beta_star M L β' (compose π' (occ π')) -> (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
  (1 < nA M)%nat -> (0 < ε <= 1)%R ->
  let Dθ := (Dω + Dψ / (1 - γ M))%R in
  exists α ζ η T k, (0 < α /\ 0 < ζ /\ 0 < η)%R /\ (0 < T)%nat /\ (0 < k)%nat /\
    (INR T * INR k <= sample_bound 86130 c M Dθ Dβ Dφ ε)%R /\
    forall θ0 β1, ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 ->
      (expected_suboptimality_1 M μB N Dθ Dβ π' (occ π') occ α ζ η T k θ0 β1 <= ε)%R.

(** ** Theorem C.1 from Definition 2.1 and Assumption 5.1; 5.2 is no assumption ([Assumption_5_2]) *)

(** Assumption 5.1: for all policies the Bellman equations have a solution q^π whose values lie within D_q of each other. *)
Definition Assumption_5_1 (M : linear_mdp RK) (Dq : R) : Prop := exists gain bias, forall π, is_policy M π ->
  is_bias M π (gain π) (bias π) /\
  forall x a x' a', (x < nS M)%nat -> (a < nA M)%nat -> (x' < nS M)%nat -> (a' < nA M)%nat ->
    (bias_q M (gain π) (bias π) x a - bias_q M (gain π) (bias π) x' a' <= Dq)%R.

(** It holds, with D_q = 1/p, where every action in every state leads to one state x̂ with probability at least p. *)
Definition Section_5_recurrent : Prop := forall (M : linear_mdp RK) x1 (p : R), is_mdp M -> (x1 < nS M)%nat -> (0 < p < 1)%R ->
  (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> (p <= trans M x a x1)%R) -> Assumption_5_1 M (1 / p).

Definition is_stationary_law (M : linear_mdp RK) π (ν : nat -> RK) : Prop := is_stationary M π ν /\ forall x, (x < nS M)%nat -> 0 <= ν x.

Definition eight_term_bound (c : power) (M : linear_mdp RK) (Dθ Dβ Dφ α ζ ξ η : R) (T k : nat) : R :=
  (2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
   + ζ * average_G_beta Dφ Dθ (trace_bound c (dim M) Dφ) / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
   + ξ * average_G_rho Dβ (norm_bound c Dφ) / 2 + η * average_G_theta Dφ Dβ (norm_bound c Dφ) / 2)%R.

(** D_θ = D_ω + D_ψ(1 + D_q). *)
Definition Theorem_C_1_from_definition : Prop := forall c (M : linear_mdp RK) μB π' ν' (Dω Dψ Dq Dφ : R),
  is_mdp M -> full_rank M -> bounded_mdp M Dω Dψ Dφ -> Assumption_5_1 M Dq -> (0 <= Dq)%R -> is_measure M μB ->
  is_policy M π' -> is_stationary_law M π' ν' -> covered_by M μB (compose π' ν') ->
  let Dθ := (Dω + Dψ * (1 + Dq))%R in let ϱ := fun i => sumX M (fun x => ψ M x i) in
  exists L N occ β', is_power c (dim M) (covariance M μB) L N /\ (forall π, is_policy M π -> is_stationary_law M π (occ π)) /\
    is_beta_star M L β' (compose π' ν') /\
    (exists gain bias star Dβ, setting_C_1 M ϱ μB L N Dθ Dβ Dφ (norm_bound c Dφ) π' ν' β' gain bias occ star) /\
    forall (Dβ α ζ ξ η : R) (T k : nat) θ0 (ρ0 : R) β1, (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
      (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat ->
      ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
      (expected_suboptimality_2 M μB N Dθ Dβ π' ν' occ α ζ ξ η T k θ0 ρ0 β1 <= eight_term_bound c M Dθ Dβ Dφ α ζ ξ η T k)%R.

(** Theorem 5.3, corrected: D_φ^{8c} in the place of D_φ^{12c−2} (erratum 16), and the constant.  An iteration takes K + 1 transitions. *)
Definition Theorem_5_3_corrected : Prop := forall c (M : linear_mdp RK) μB π' ν' occ L N β' (Dω Dψ Dq Dβ Dφ ε : R),
  is_mdp M -> full_rank M -> bounded_mdp M Dω Dψ Dφ -> Assumption_5_1 M Dq -> (0 <= Dq)%R -> is_measure M μB ->
  is_policy M π' -> is_stationary_law M π' ν' -> (forall π, is_policy M π -> is_stationary_law M π (occ π)) ->
  is_power c (dim M) (covariance M μB) L N -> is_beta_star M L β' (compose π' ν') -> (0 <= Dβ)%R -> ball (dim M) Dβ β' ->
  (1 < nA M)%nat -> (0 < ε <= 1)%R ->
  let Dθ := (Dω + Dψ * (1 + Dq))%R in
  exists α ζ ξ η T k, (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R /\ (0 < T)%nat /\ (0 < k)%nat /\
    (INR T * (INR k + 1) <= sample_bound 96228 c M Dθ Dβ Dφ ε)%R /\
    forall θ0 (ρ0 : R) β1, ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
      (expected_suboptimality_2 M μB N Dθ Dβ π' ν' occ α ζ ξ η T k θ0 ρ0 β1 <= ε)%R.
