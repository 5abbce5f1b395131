(** * What is proved about programs: Theorems A.1 and C.1 with an error in every step, and for floating point

    As in RegretStatements.v, each [Definition] is a claim with every hypothesis in sight, and FloatMain.v proves each under the
    same name in lower case.  The definitions it uses: those of RegretStatements.v; Perturbed1.v, Perturbed2.v; FloatAlgorithm1.v, the program
    operation by operation, with [rnd], [inner], [float_project] (FloatProjection.v, first page) and [double], [accumulate]
    (FloatAverage.v, first page); Rounding1.v, the rounding term; FloatAlgorithm2.v, both for Algorithm 2; [supported] and [regret_of] of PerturbedLearning.v; [ε] of
    FloatVectors.v; [exp_error] of FloatSoftmax.v; FloatExp.v, the exponential (first page), with [rfact], [LN2_HIGH] and [LN2_LOW] of
    ExpTaylor.v. *)

From Coq Require Import List Reals ZArith.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp Discounted AppendixB Coverage RealSums.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Average Algorithm1 Algorithm2 RegretStatements.
From OPD Require Import PerturbedLearning Perturbed1 Perturbed2 FloatProjection FloatAverage FloatAlgorithm1 FloatVectors FloatSoftmax FloatExp Rounding1 FloatAlgorithm2.
Import ListNotations.
Local Open Scope K_scope.

(** ** Lemma D.1, perturbed *)

(** y_{k+1} is within δ of Π(y_k + ηĥ_k), on the draws that can occur ([ok]):
    E Σ_{k=1}^n ⟨y* − y_k, h_k⟩ ≤ ‖y_1 − y*‖²/(2η) + ηnG²/2 + n(4Dδ + δ²)/(2η). *)
Definition Lemma_D_1_perturbed : Prop := forall (Ω : Type) (ok : Ω -> Prop) (d n : nat) (D δ η G2 : R) (P : law RK Ω)
    (y : list Ω -> vec RK) (ĥ : list Ω -> Ω -> vec RK) (h : list Ω -> vec RK) (ystar : vec RK),
  (0 <= D)%R -> (0 <= δ)%R -> (0 < η)%R -> ball d D ystar -> is_law P -> supported ok P ->
  (forall F, Forall ok F -> veq d (Ev P (ĥ F)) (h F)) ->
  (forall F, Forall ok F -> E P (fun w => norm2 d (ĥ F w)) <= G2) ->
  (forall w F, ok w -> Forall ok F ->
    ball d δ (vsub (y (w :: F)) (proj_ball d D (vadd (y F) (scale η (ĥ F w)))))) ->
  (E_path (fun _ => P) n [] (along (fun F => dot d (vsub ystar (y F)) (h F)))
   <= norm2 d (vsub (y []) ystar) / (2 * η) + η * INR n * G2 / 2 + INR n * (4 * D * δ + δ * δ) / (2 * η))%R.

(** ** Lemma D.2, perturbed *)

(** z_1 = 0, z_{t+1} is within δ_Σ of z_t + θ_t, and π_t within δ_π of softmax(αΦz_t), in l¹ at every state.  [regret_of] is
    Σ_x ν*(x)⟨π*(·|x) − π_t(·|x), Φθ_t(x,·)⟩. *)
Definition Lemma_D_2_perturbed : Prop := forall (M : linear_mdp RK) (α B Dφ δπ δΣ : R) (π' : nat -> nat -> RK) (ν' : nat -> RK)
    (z θ : nat -> vec RK) (π : nat -> nat -> nat -> RK) (T : nat),
  (0 < nA M)%nat -> (0 <= B /\ 0 <= Dφ)%R -> (0 <= δπ /\ 0 <= δΣ)%R -> (0 < α)%R ->
  (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 (dim M) (φ M x a) <= Dφ²) ->
  is_policy M π' -> distribution (nS M) ν' ->
  z 0%nat = vzero -> (forall t, (t < T)%nat -> ball (dim M) B (θ t)) ->
  (forall t, (t < T)%nat -> ball (dim M) δΣ (vsub (z (S t)) (vadd (z t) (θ t)))) ->
  (forall t x, (t < T)%nat -> (x < nS M)%nat ->
    (rsum (nA M) (fun a => Rabs (π t x a - softmax_policy M α (z t) x a)) <= δπ)%R) ->
  (rsum T (fun t => regret_of M π' ν' (π t) (θ t))
   <= ln (INR (nA M)) / α + α * INR T * (Dφ * (B + δΣ) * (Dφ * (B + δΣ))) / 2
      + INR T * (2 * Dφ * δΣ + δπ * (Dφ * B)))%R.

(** ** Theorem A.1, perturbed *)

(** E⟨μ^{π*} − μ^{π_J}, r⟩ for the policies of a program, J ~ Unif[T]. *)
Definition expected_suboptimality_of (p : program1) (M : linear_mdp RK) (μB : nat -> nat -> RK)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) occ (T k : nat) (θ0 β1 : vec RK) : R :=
  expected_at_random_iteration (program_step p) (initial1 θ0 β1) (fun _ => block (observation M μB) k) T
    (suboptimality_of M (program_policy p) (compose π' ν') occ).

(** The six terms of Theorem A.1. *)
Definition bound_A_1 (M : linear_mdp RK) (Dθ Dβ Dφ λ Tr α ζ η : R) (T k : nat) : R :=
  (2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
   + ζ * G_beta M Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * G_theta M Dφ Dβ λ / 2)%R.

(** Any program whose every step is Algorithm 1's up to the errors e.  (For K = 1 the average must be exact.) *)
Definition Theorem_A_1_perturbed : Prop := forall M μB L N (Dθ Dβ Dφ λ : R) π' ν' β' val occ (α ζ η : R) (T k : nat) θ0 β1
    (p : program1) (e : errors),
  setting_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  (0 < α /\ 0 < ζ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat -> ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 ->
  nonnegative e -> (1 < k)%nat \/ δavg e = 0%R ->
  perturbed_run1 M N α ζ η Dθ Dβ k T e p (initial1 θ0 β1) ->
  (expected_suboptimality_of p M μB π' ν' occ T k θ0 β1
   <= bound_A_1 M Dθ Dβ Dφ λ Tr α ζ η T k + perturbation_A_1 M Dθ Dβ Dφ λ Tr α ζ η k e)%R.

(** ** Theorem C.1, perturbed *)

(** The same for Algorithm 2; A' is drawn from a law within err_A of the program's policy. *)
Definition expected_suboptimality_of2 (p : program2) (M : linear_mdp RK) (μB : nat -> nat -> RK)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) occ (T k : nat) (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) : R :=
  expected_at_random_iteration (program_step2 p) (initial2 θ0 ρ0 β1)
    (fun s => block (transition_law M μB (draw_of p s)) (S k)) T (suboptimality_of M (policy_of p) (compose π' ν') occ).

(** The eight terms of Theorem C.1. *)
Definition bound_C_1 (M : linear_mdp RK) (Dθ Dβ Dφ λ Tr α ζ ξ η : R) (T k : nat) : R :=
  (2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
   + ζ * average_G_beta Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
   + ξ * average_G_rho Dβ λ / 2 + η * average_G_theta Dφ Dβ λ / 2)%R.

Definition Theorem_C_1_perturbed : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (α ζ ξ η : R)
    (T k : nat) θ0 (ρ0 : R) β1 (p : program2) (e : errors2),
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  nonnegative2 e -> (1 < k)%nat \/ err_avg e = 0%R ->
  perturbed_run2 M N α ζ ξ η Dθ Dβ k T e p (initial2 θ0 ρ0 β1) ->
  (expected_suboptimality_of2 p M μB π' ν' occ T k θ0 ρ0 β1
   <= bound_C_1 M Dθ Dβ Dφ λ Tr α ζ ξ η T k + perturbation_C_1 Dθ Dβ Dφ λ Tr α ζ ξ η k e)%R.

(** ** Floating point, on the way *)

(** The f64 projection is within (m + 8)εD of the exact one, and so as good as non-expansive.  m = ⌈d/8⌉ + 3. *)
Definition Float_projection_error : Prop := forall (d : nat) (D : R) (x y : nat -> R) (E : R),
  (Z.of_nat d <= 2 ^ 28)%Z -> (bpow radix2 (-400) <= D)%R -> Ball d (bpow radix2 600) x -> Ball d (bpow radix2 600) y ->
  let δ := (INR (3 + chunks d + 8) * ε * D)%R in
  Ball d δ (vsub (float_project d D y) (proj_ball d D y)) /\
  ((0 <= E)%R -> Ball d E (vsub x y) -> Ball d (E + 2 * δ) (vsub (float_project d D x) (float_project d D y))).

(** Computed probabilities are not negative and sum to 1 up to (|A| + 2)ε; divided by their exact sum they are within
    2(2e + e_exp(1 + 2e) + ε) of the softmax of z, in l¹, when the computed logits ẑ are within e_1 of z.  Z bounds |z|. *)
Definition Float_softmax : Prop := forall (fexp : R -> R) (ex : R) (n : nat) (z ẑ : nat -> R) (e1 Z : R),
  let e := (e1 + ε * (2 * (Z + e1)))%R in
  exp_error fexp ex -> (0 <= ex <= / 8)%R -> (0 < n)%nat -> (Z.of_nat n <= 2 ^ 28)%Z ->
  (forall b, (b < n)%nat -> (Rabs (z b) <= Z)%R) -> (forall b, (b < n)%nat -> (Rabs (ẑ b - z b) <= e1)%R) ->
  (bpow radix2 (-1022) <= Z)%R -> (0 <= e1 /\ e <= / 8)%R ->
  let p := float_softmax fexp n ẑ in
  (forall a, (a < n)%nat -> (0 <= p a)%R) /\
  (Rabs (rsum n p - 1) <= INR (n + 2) * ε)%R /\
  (rsum n (fun a => Rabs (p a / rsum n p - softmax n z a)) <= 2 * (2 * e + ex * (1 + 2 * e) + ε))%R.

(** The library's exponential: for x ≤ 0 it errs by at most 8ε = 16u relatively, or by 2^−1022. *)
Definition Float_exp : Prop := exp_error float_exp (8 * ε).

(** ** Theorem A.1 for the program *)

(** For every d, |A|, K and T, every linear MDP and every behaviour: the policies that Algorithm 1 computes in binary64 obey the
    six terms plus the rounding term.  [weight] is the matrix the program holds for Λ^{c−1}, [fexp] its exponential: anyone's, of error
    e_exp. *)
Definition Theorem_A_1_floats : Prop := forall M μB L N (Dθ Dβ Dφ λ : R) π' ν' β' val occ (α ζ η : R) (T k : nat) θ0 β1
    (weight : option (mat RK)) (fexp : R -> R) (ν eΛ ex : R),
  setting_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  let r := Sizes (dim M) (nA M) k T α ζ η Dθ Dβ Dφ ν eΛ ex in
  in_float_range r -> exp_error fexp ex -> weight_sizes (dim M) weight N ν eΛ ->
  ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 -> (forall i, double (θ0 i)) ->
  (expected_suboptimality_of (float_program1 M weight fexp α ζ η Dθ Dβ) M μB π' ν' occ T k θ0 β1
   <= bound_A_1 M Dθ Dβ Dφ λ Tr α ζ η T k + rounding_term M λ Tr r)%R.

(** The same with the library's own exponential: nothing is assumed of it. *)
Definition Theorem_A_1_program : Prop := forall M μB L N (Dθ Dβ Dφ λ : R) π' ν' β' val occ (α ζ η : R) (T k : nat) θ0 β1
    (weight : option (mat RK)) (ν eΛ : R),
  setting_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  let r := Sizes (dim M) (nA M) k T α ζ η Dθ Dβ Dφ ν eΛ (8 * ε) in
  in_float_range r -> weight_sizes (dim M) weight N ν eΛ ->
  ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 -> (forall i, double (θ0 i)) ->
  (expected_suboptimality_of (float_program1 M weight float_exp α ζ η Dθ Dβ) M μB π' ν' occ T k θ0 β1
   <= bound_A_1 M Dθ Dβ Dφ λ Tr α ζ η T k + rounding_term M λ Tr r)%R.

(** ** Theorem C.1 for the program *)

(** Algorithm 2 in binary64, with the library's exponential.  A' is drawn from any law within e_A of the policy that the computed
    probabilities stand for: e_A = 0 for that policy itself. *)
Definition Theorem_C_1_floats : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (α ζ ξ η : R)
    (T k : nat) θ0 (ρ0 : R) β1 (weight : option (mat RK)) (ν eΛ eA : R) (draw : state2 -> nat -> nat -> R),
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  let r := Sizes (dim M) (nA M) k T α ζ η Dθ Dβ Dφ ν eΛ (8 * ε) in
  in_float_range2 r ξ -> weight_sizes (dim M) weight N ν eΛ -> (0 <= eA)%R -> draws_near M float_exp α eA draw ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 -> (forall i, double (θ0 i)) -> double ρ0 ->
  (expected_suboptimality_of2 (float_program2 M weight float_exp α ζ ξ η Dθ Dβ draw) M μB π' ν' occ T k θ0 ρ0 β1
   <= bound_C_1 M Dθ Dβ Dφ λ Tr α ζ ξ η T k + rounding_term2 λ Tr r ξ eA)%R.

(** The same with A' drawn as the program does, by inverse CDF from the computed probabilities: e_A = (8|A| + 9)ε. *)
Definition Theorem_C_1_program : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (α ζ ξ η : R)
    (T k : nat) θ0 (ρ0 : R) β1 (weight : option (mat RK)) (ν eΛ : R) (b : state2 -> nat -> nat -> R),
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  let r := Sizes (dim M) (nA M) k T α ζ η Dθ Dβ Dφ ν eΛ (8 * ε) in
  let draw s x := inverse_cdf (float_probabilities M float_exp α (a_theta_sum s) x) (nA M) (b s x) in
  in_float_range2 r ξ -> weight_sizes (dim M) weight N ν eΛ -> cut_everywhere M float_exp α b ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 -> (forall i, double (θ0 i)) -> double ρ0 ->
  (expected_suboptimality_of2 (float_program2 M weight float_exp α ζ ξ η Dθ Dβ draw) M μB π' ν' occ T k θ0 ρ0 β1
   <= bound_C_1 M Dθ Dβ Dφ λ Tr α ζ ξ η T k + rounding_term2 λ Tr r ξ ((8 * INR (nA M) + 9) * ε))%R.
