(** * Printed theorems that are false: the claims

    Each [Definition] states a theorem of the paper with the hypotheses it prints; the files named beside it prove its
    negation.  The coverage condition is the printed C_{φ,c}(π*; π_B) ≤ D_β, where the proofs need ≤ D_β² (erratum 4).  Only the
    last is at c = 1/2, the others at c = 1: a theorem printed for both is false if it is false at one of them. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Average Coverage Projection Runs DoubleLoop Algorithm1 Algorithm2 Tuning.
From OPD Require Import Statements RegretStatements.
Import ListNotations.
Local Open Scope K_scope.

(** What Theorem 3.2 assumes at c = 1: a discounted linear MDP of full rank, ‖φ‖ ≤ D_φ, θ^π ∈ 𝔹(D_θ) for every policy, data from the
    occupancy measure of a behaviour policy, Λ invertible, and a comparator π' with C_{φ,1} ≤ D_β.  [val] and [occ] give v^π and ν^π. *)
Definition printed_setting (M : linear_mdp RK) (πB : nat -> nat -> RK) (νB : nat -> RK) (Λinv : mat RK) (Dθ Dβ Dφ : R)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) (val occ : (nat -> nat -> RK) -> nat -> RK) : Prop :=
  let d := dim M in let Λ := covariance M (compose πB νB) in
  is_mdp M /\ is_discounted M /\ full_rank M /\ (1 < nA M)%nat /\
  (0 < Dθ /\ 0 < Dβ /\ 0 < Dφ)%R /\ features_bounded M Dφ /\
  (forall π, is_policy M π -> is_value M π (val π) /\ is_occupancy M π (occ π) /\ ball d Dθ (theta_of M (val π))) /\
  is_policy M πB /\ is_occupancy M πB νB /\
  right_inverse d Λ Λinv /\ right_inverse d Λinv Λ /\
  is_policy M π' /\ is_occupancy M π' ν' /\ coverage M Λinv (compose π' ν') <= (Dβ : RK).

(** The same for Theorem 5.3, but for the coverage: q^π is bounded (Assumption 5.1), Φϱ = 1 (Assumption 5.2), and [star] gives a θ^π ∈ 𝔹(D_θ) with
    Φθ^π = q^π for a solution ([gain], [bias]) of Bellman's equations. *)
Definition average_hypotheses (M : linear_mdp RK) (ϱ : vec RK) (πB : nat -> nat -> RK) (νB : nat -> RK) (Λinv : mat RK)
    (Dθ Dβ Dφ Dq : R) (π' : nat -> nat -> RK) (ν' : nat -> RK) (gain : (nat -> nat -> RK) -> RK) bias occ star : Prop :=
  let d := dim M in let Λ := covariance M (compose πB νB) in
  let occupancy π ν := is_stationary M π ν /\ forall x, (x < nS M)%nat -> 0 <= ν x in
  is_mdp M /\ full_rank M /\ is_ones M ϱ /\ (1 < nA M)%nat /\
  (0 < Dθ /\ 0 < Dβ /\ 0 < Dφ)%R /\ features_bounded M Dφ /\
  (forall π, is_policy M π ->
    is_bias M π (gain π) (bias π) /\ occupancy π (occ π) /\ ball d Dθ (star π) /\
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) (star π) = bias_q M (gain π) (bias π) x a) /\
    (forall x a y b, (x < nS M)%nat -> (a < nA M)%nat -> (y < nS M)%nat -> (b < nA M)%nat ->
      bias_q M (gain π) (bias π) x a - bias_q M (gain π) (bias π) y b < (Dq : RK))) /\
  is_policy M πB /\ occupancy πB νB /\
  right_inverse d Λ Λinv /\ right_inverse d Λinv Λ /\
  is_policy M π' /\ occupancy π' ν'.

Definition printed_average_setting M ϱ πB νB Λinv (Dθ Dβ Dφ Dq : R) π' ν' gain bias occ star : Prop :=
  average_hypotheses M ϱ πB νB Λinv Dθ Dβ Dφ Dq π' ν' gain bias occ star /\ coverage M Λinv (compose π' ν') <= (Dβ : RK).

(** ** Theorems 3.2 and 5.3: the sample complexity (RefutedSamples.v) *)

(** The printed orders at c = 1, where d^{2−2c} = 1. *)
Definition printed_samples_3_2 (ε Dθ Dφ Dβ : R) (nA : nat) : R := (Dθ ^ 4 * Dφ ^ 8 * Dβ ^ 4 * ln (INR nA) / ε ^ 4)%R.
Definition printed_samples_5_3 (ε Dθ Dφ Dβ : R) (nA : nat) : R := (Dθ ^ 4 * Dφ ^ 10 * Dβ ^ 4 * ln (INR nA) / ε ^ 4)%R.

(** The MDP without its reward. *)
Definition hide (M : linear_mdp RK) : linear_mdp RK := LinearMDP RK (nS M) (nA M) (dim M) (γ M) (ν0 M) (φ M) (ψ M) vzero.

(** Any learning rule whatever: from the MDP but for its reward, the data's law μ_B, D_θ, D_β, D_φ, and a list of observations with
    their rewards, it makes a policy, perhaps at random. *)
Definition rule (Ω : Type) := linear_mdp RK -> (nat -> nat -> RK) -> R -> R -> R -> list (Ω * RK) -> law RK (nat -> nat -> RK).
Definition lawful {Ω} (A : rule Ω) : Prop := forall M μB Dθ Dβ Dφ data, (0 < nA M)%nat ->
  is_law (A M μB Dθ Dβ Dφ data) /\ forall p π, In (p, π) (A M μB Dθ Dβ Dφ data) -> is_policy M π.

(** E⟨μ' − μ^{π_out}, r⟩ over n independent observations from D, [rew] telling the reward of each. *)
Definition rule_suboptimality {Ω} (M : linear_mdp RK) (D : law RK Ω) (rew : Ω -> RK) (μ' : nat -> nat -> RK)
    (occ : (nat -> nat -> RK) -> nat -> RK) (output : list (Ω * RK) -> law RK (nat -> nat -> RK)) (n : nat) : RK :=
  E_seq D n (fun ws => E (output (map (fun W => (W, rew W)) ws)) (fun π =>
    return_of_measure M μ' - return_of_measure M (compose π (occ π)))).

(** Theorem 3.2 at c = 1 and this ε, with [n0] samples to spare: some rule and some constant C of the O(·), whatever the MDP.
    Print has n0 = 0 and Algorithm 1 for the rule; n0 = 1 is the sample size rounded up.  False for every ε < 1 and every n0:
    no algorithm has the printed complexity, even up to an additive constant. *)
Definition Theorem_3_2_printed (ε : R) (n0 : nat) : Prop := exists (A : rule sample) (C : R), lawful A /\
  forall M πB νB Λinv (Dθ Dβ Dφ : R) π' ν' val occ,
    printed_setting M πB νB Λinv Dθ Dβ Dφ π' ν' val occ ->
    exists n : nat, (INR n <= INR n0 + C * printed_samples_3_2 ε Dθ Dφ Dβ (nA M))%R /\
      let μB := compose πB νB in
      rule_suboptimality M (observation M μB) (fun W => reward M (state W) (action W)) (compose π' ν') occ
        (A (hide M) μB Dθ Dβ Dφ) n <= (ε : RK).

(** Theorem 5.3 likewise, from transitions (X, A, X') with (X, A) ~ μ_B. *)
Definition steps (M : linear_mdp RK) (μB : nat -> nat -> RK) : law RK (nat * nat * nat) :=
  bind (draw_pair M μB) (fun xa => bind (draw (nS M) (trans M (fst xa) (snd xa))) (fun x' => dirac (fst xa, snd xa, x'))).

Definition Theorem_5_3_printed (ε : R) (n0 : nat) : Prop := exists (A : rule (nat * nat * nat)) (C : R), lawful A /\
  forall M ϱ πB νB Λinv (Dθ Dβ Dφ Dq : R) π' ν' gain bias occ star,
    printed_average_setting M ϱ πB νB Λinv Dθ Dβ Dφ Dq π' ν' gain bias occ star ->
    exists n : nat, (INR n <= INR n0 + C * printed_samples_5_3 ε Dθ Dφ Dβ (nA M))%R /\
      let μB := compose πB νB in
      rule_suboptimality M (steps M μB) (fun W => reward M (fst (fst W)) (snd (fst W))) (compose π' ν') occ
        (A (hide M) μB Dθ Dβ Dφ) n <= (ε : RK).

(** Theorem 5.3 with the coverage corrected to C_{φ,1} ≤ D_β² (erratum 4), its D_φ^{12c−2} as printed: false still (erratum 16). *)
Definition Theorem_5_3_order (ε : R) (n0 : nat) : Prop := exists (A : rule (nat * nat * nat)) (C : R), lawful A /\
  forall M ϱ πB νB Λinv (Dθ Dβ Dφ Dq : R) π' ν' gain bias occ star,
    average_hypotheses M ϱ πB νB Λinv Dθ Dβ Dφ Dq π' ν' gain bias occ star -> coverage M Λinv (compose π' ν') <= Dβ² ->
    exists n : nat, (INR n <= INR n0 + C * printed_samples_5_3 ε Dθ Dφ Dβ (nA M))%R /\
      let μB := compose πB νB in
      rule_suboptimality M (steps M μB) (fun W => reward M (fst (fst W)) (snd (fst W))) (compose π' ν') occ
        (A (hide M) μB Dθ Dβ Dφ) n <= (ε : RK).

(** ** Theorem A.1: the six terms (RefutedA1.v) *)

(** ‖A‖₂ for a positive semidefinite A: the least bound of its quadratic form. *)
Definition is_operator_norm (d : nat) (A : mat RK) (λ : R) : Prop :=
  let bounds c := (0 <= c)%R /\ forall u, quad d u A u <= (c : RK) * norm2 d u in
  bounds λ /\ forall c, bounds c -> (λ <= c)%R.

(** Both sides of Theorem A.1 at c = 1, at the learning rates printed with it.  G_θ² is (19), G_β² is (20) with its D_φ^{2(2c−1)} = D_φ²; at
    c = 1 Λ^{c−1} is the identity, and errata 1, 2 and 7 are void. *)
Definition suboptimality_A_1 (T K : nat) (M : linear_mdp RK) πB νB (Dθ Dβ Dφ λ : R) π' ν' occ θ0 β1 : R :=
  let ℓ := ln (INR (nA M)) in let Gβ := sqrt (G_beta M Dφ Dθ (Dφ * Dφ)%R) in let Gθ := sqrt (G_theta M Dφ Dβ λ) in
  expected_suboptimality_1 M (compose πB νB) identity Dθ Dβ π' ν' occ
    (rate_α Dθ Dφ ℓ (INR T)) (rate_ζ Dβ Gβ (INR T)) (rate_η Dθ Gθ (INR K)) T K θ0 β1.
Definition bound_A_1 (T K : nat) (M : linear_mdp RK) (Dθ Dβ Dφ λ : R) : R :=
  six_terms_tuned Dβ Dθ Dφ (ln (INR (nA M))) (sqrt (G_beta M Dφ Dθ (Dφ * Dφ)%R)) (sqrt (G_theta M Dφ Dβ λ)) (INR T) (INR K).

Definition printed_setting_A_1 (M : linear_mdp RK) πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ θ0 β1 : Prop :=
  printed_setting M πB νB Λinv Dθ Dβ Dφ π' ν' val occ /\
  is_operator_norm (dim M) (covariance M (compose πB νB)) λ /\ ball (dim M) Dθ θ0 /\ ball (dim M) Dβ β1.

(** The six-term inequality for these T and K.  Print claims it for all learning rates; this claims less, and is false still. *)
Definition Theorem_A_1_printed (T K : nat) : Prop := forall M πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ θ0 β1,
  printed_setting_A_1 M πB νB Λinv Dθ Dβ Dφ λ π' ν' val occ θ0 β1 ->
  (suboptimality_A_1 T K M πB νB Dθ Dβ Dφ λ π' ν' occ θ0 β1 <= bound_A_1 T K M Dθ Dβ Dφ λ)%R.

(** How it fails: the suboptimality comes as near to 1/2, and the bound as near to √(2 log 2)/√T + 2√3/√K, as one likes. *)
Definition A_1_fails (T K : nat) : Prop := forall δ : R, (0 < δ)%R ->
  exists M πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ θ0 β1,
  printed_setting_A_1 M πB νB Λinv Dθ Dβ Dφ λ π' ν' val occ θ0 β1 /\
  (1 / 2 - δ <= suboptimality_A_1 T K M πB νB Dθ Dβ Dφ λ π' ν' occ θ0 β1)%R /\
  (bound_A_1 T K M Dθ Dβ Dφ λ <= sqrt (2 * ln 2) / sqrt (INR T) + 2 * sqrt 3 / sqrt (INR K) + δ)%R.

(** Theorem 3.2 for Algorithm 1 itself, at the rates to which it refers ("the concrete parameter choices are detailed in the full version") and
    from θ₀ = 0: some T, K ≥ 1 with KT within the printed order, again up to [n0] samples.  False for every ε < 1/2 and every n0. *)
Definition Theorem_3_2_printed_algorithm (ε : R) (n0 : nat) : Prop := exists C : R,
  forall M πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ β1,
  printed_setting_A_1 M πB νB Λinv Dθ Dβ Dφ λ π' ν' val occ vzero β1 ->
  exists T K : nat, (0 < T)%nat /\ (0 < K)%nat /\ (INR (K * T) <= INR n0 + C * printed_samples_3_2 ε Dθ Dφ Dβ (nA M))%R /\
    (suboptimality_A_1 T K M πB νB Dθ Dβ Dφ λ π' ν' occ vzero β1 <= ε)%R.

(** The same with the coverage corrected, for all ε: false still, for the order has D_θ⁴D_φ⁸ where G_β², hence the bound, has 1 + (1+γ²)D_φ²D_θ².  The O(·) needs
    D_θD_φ bounded away from 0 (RefutedFaint.v). *)
Definition Theorem_3_2_order_algorithm (n0 : nat) : Prop := exists C : R,
  forall M πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ β1 (ε : R),
  printed_setting_A_1 M πB νB Λinv Dθ Dβ Dφ λ π' ν' val occ vzero β1 -> coverage M Λinv (compose π' ν') <= Dβ² -> (0 < ε)%R ->
  exists T K : nat, (0 < T)%nat /\ (0 < K)%nat /\ (INR (K * T) <= INR n0 + C * printed_samples_3_2 ε Dθ Dφ Dβ (nA M))%R /\
    (suboptimality_A_1 T K M πB νB Dθ Dβ Dφ λ π' ν' occ vzero β1 <= ε)%R.

(** ** Theorem C.1: the eight terms (RefutedC1.v) *)

(** The inequality for these T and K, at c = 1, for any learning rates, as print claims it: (24), (25), (26) are print's. *)
Definition Theorem_C_1_printed (T K : nat) : Prop :=
  forall M ϱ πB νB Λinv (Dθ Dβ Dφ Dq λ : R) π' ν' gain bias occ star (α ζ ξ η : R) θ0 (ρ0 : R) β1,
  printed_average_setting M ϱ πB νB Λinv Dθ Dβ Dφ Dq π' ν' gain bias occ star ->
  let Λ := covariance M (compose πB νB) in is_operator_norm (dim M) Λ λ ->
  (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  (expected_suboptimality_2 M (compose πB νB) identity Dθ Dβ π' ν' occ α ζ ξ η T K θ0 ρ0 β1
   <= eight_terms Dβ Dθ Dφ (ln (INR (nA M))) (sqrt (average_G_beta Dφ Dθ (trace (dim M) Λ))) (sqrt (average_G_rho Dβ λ))
        (sqrt (average_G_theta Dφ Dβ λ)) α ζ ξ η (INR T) (INR K))%R.

(** ** Theorems A.1 and C.1, "in particular": the printed K/T (erratum 15; RefutedRatio.v)

    Print sets K = T·ratio and claims ε-optimality with the stated number of samples.  K may be rounded either way, and the corrected
    C_{φ,1} ≤ D_β² (erratum 4) is granted besides the printed condition: false all the same, for every ε < 1. *)
Definition ratio_A_1 (Dβ Dθ Dφ ℓ Gβ Gθ : R) : R := (outer Dβ Dθ Dφ ℓ Gβ / (2 * (Dθ * Dθ) * (Gθ * Gθ)))%R.
Definition ratio_C_1 (Dβ Dθ Dφ ℓ Gβ Gρ Gθ : R) : R := (2 * outer Dβ Dθ Dφ ℓ Gβ / (Gρ * Gρ + 4 * (Dθ * Dθ) * (Gθ * Gθ)))%R.
Definition rounded (K : nat) (x : R) : Prop := (x - 1 <= INR K <= x + 1)%R.

Definition Printed_ratio_A_1 (ε : R) : Prop := exists C : R, forall M πB νB Λinv (Dθ Dβ Dφ λ : R) π' ν' val occ θ0 β1,
  printed_setting_A_1 M πB νB Λinv Dθ Dβ Dφ λ π' ν' val occ θ0 β1 -> coverage M Λinv (compose π' ν') <= Dβ² ->
  let ℓ := ln (INR (nA M)) in let Tr := trace (dim M) (covariance M (compose πB νB)) in
  let Gβ := sqrt (G_beta M Dφ Dθ (Dφ * Dφ)%R) in let Gθ := sqrt (G_theta M Dφ Dβ λ) in
  exists T K : nat, (0 < T)%nat /\ (0 < K)%nat /\ rounded K (INR T * ratio_A_1 Dβ Dθ Dφ ℓ Gβ Gθ)%R /\
    (INR (K * T) <= C * (Dθ ^ 4 * Dφ ^ 4 * Dβ ^ 4 * Tr * λ * ℓ / ε ^ 4))%R /\
    (suboptimality_A_1 T K M πB νB Dθ Dβ Dφ λ π' ν' occ θ0 β1 <= ε)%R.

Definition Printed_ratio_C_1 (ε : R) : Prop := exists C : R,
  forall M ϱ πB νB Λinv (Dθ Dβ Dφ Dq λ : R) π' ν' gain bias occ star θ0 (ρ0 : R) β1,
  printed_average_setting M ϱ πB νB Λinv Dθ Dβ Dφ Dq π' ν' gain bias occ star -> coverage M Λinv (compose π' ν') <= Dβ² ->
  let Λ := covariance M (compose πB νB) in is_operator_norm (dim M) Λ λ ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  let ℓ := ln (INR (nA M)) in let Tr := trace (dim M) Λ in
  let Gβ := sqrt (average_G_beta Dφ Dθ Tr) in let Gρ := sqrt (average_G_rho Dβ λ) in let Gθ := sqrt (average_G_theta Dφ Dβ λ) in
  exists T K : nat, (0 < T)%nat /\ (0 < K)%nat /\ rounded K (INR T * ratio_C_1 Dβ Dθ Dφ ℓ Gβ Gρ Gθ)%R /\
    (INR (K * T) <= C * (Dθ ^ 4 * Dφ ^ 4 * Dβ ^ 4 * Tr * λ ^ 2 * ℓ / ε ^ 4))%R /\
    (expected_suboptimality_2 M (compose πB νB) identity Dθ Dβ π' ν' occ (rate_α Dθ Dφ ℓ (INR T)) (rate_ζ Dβ Gβ (INR T))
       (rate_ξ Gρ (INR K)) (rate_η Dθ Gθ (INR K)) T K θ0 ρ0 β1 <= ε)%R.

(** ** Theorem A.1 at c = 1/2: (20) without the trace (erratum 2; RefutedHalf.v) *)

(** L = Λ^{1/2}, the positive root, and N = Λ^{−1/2}. *)
Definition half_root (d : nat) (Λ L N : mat RK) : Prop :=
  symmetric d L /\ symmetric d N /\ meq d (mmul d L L) Λ /\ right_inverse d L N /\ right_inverse d N L /\ forall u, 0 <= quad d u L u.

(** As at c = 1; the coverage ratio is C_{φ,1/2}, and besides the printed C_{φ,1/2} ≤ D_β the corrected ≤ D_β² is granted. *)
Definition printed_setting_half (M : linear_mdp RK) πB νB L N (Dθ Dβ Dφ : R) π' ν' val occ θ0 β1 : Prop :=
  let d := dim M in
  is_mdp M /\ is_discounted M /\ full_rank M /\ (1 < nA M)%nat /\
  (0 < Dθ /\ 0 < Dβ /\ 0 < Dφ)%R /\ features_bounded M Dφ /\
  (forall π, is_policy M π -> is_value M π (val π) /\ is_occupancy M π (occ π) /\ ball d Dθ (theta_of M (val π))) /\
  is_policy M πB /\ is_occupancy M πB νB /\ half_root d (covariance M (compose πB νB)) L N /\
  is_policy M π' /\ is_occupancy M π' ν' /\ coverage M N (compose π' ν') <= (Dβ : RK) /\ coverage M N (compose π' ν') <= Dβ² /\
  ball d Dθ θ0 /\ ball d Dβ β1.

(** (19) with ‖Λ‖^{2c−1} = 1 and (20) with D_φ^{2(2c−1)} = 1; Algorithm 1 with the proof's g̃_θ (erratum 1), at the printed rates. *)
Definition suboptimality_A_1_half (T K : nat) (M : linear_mdp RK) πB νB N (Dθ Dβ Dφ : R) π' ν' occ θ0 β1 : R :=
  let ℓ := ln (INR (nA M)) in let Gβ := sqrt (G_beta M Dφ Dθ 1%R) in let Gθ := sqrt (G_theta M Dφ Dβ 1%R) in
  expected_suboptimality_1 M (compose πB νB) N Dθ Dβ π' ν' occ
    (rate_α Dθ Dφ ℓ (INR T)) (rate_ζ Dβ Gβ (INR T)) (rate_η Dθ Gθ (INR K)) T K θ0 β1.
Definition bound_A_1_half (T K : nat) (M : linear_mdp RK) (Dθ Dβ Dφ : R) : R :=
  six_terms_tuned Dβ Dθ Dφ (ln (INR (nA M))) (sqrt (G_beta M Dφ Dθ 1%R)) (sqrt (G_theta M Dφ Dβ 1%R)) (INR T) (INR K).

Definition Theorem_A_1_printed_half (T K : nat) : Prop := forall M πB νB L N (Dθ Dβ Dφ : R) π' ν' val occ θ0 β1,
  printed_setting_half M πB νB L N Dθ Dβ Dφ π' ν' val occ θ0 β1 ->
  (suboptimality_A_1_half T K M πB νB N Dθ Dβ Dφ π' ν' occ θ0 β1 <= bound_A_1_half T K M Dθ Dβ Dφ)%R.
