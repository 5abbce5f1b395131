(** * What is proved, continued: projections, Appendix D, Theorems A.1 and C.1

    As in Statements.v, each [Definition] is a claim with every hypothesis in sight, and RegretMain.v proves each under the
    same name in lower case.  The definitions it uses: Projection.v (first page), GradientDescent.v (first
    page), MirrorDescent.v (first page), Runs.v (first page), DoubleLoop.v (first page), Algorithm1.v, Algorithm2.v,
    Tuning.v (first page).

    R^d is [vec RK] with the dimension d explicit; [RK] is the field of the reals. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Section4 AppendixB Average Coverage.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1 Algorithm2 Tuning.
Import ListNotations.
Local Open Scope K_scope.

(** ** The projections Π of Algorithms 1 and 2 *)

(** Π onto 𝔹(D) lands inside, is idempotent, and is the one point p of the ball with ⟨y − p, z − p⟩ ≤ 0 for all
    z of the ball. *)
Definition Projection_ball : Prop := forall (d : nat) (D : R) (y : vec RK), (0 <= D)%R ->
  ball d D (proj_ball d D y) /\
  proj_ball d D (proj_ball d D y) = proj_ball d D y /\
  is_projection d (ball d D) y (proj_ball d D y) /\
  forall p, is_projection d (ball d D) y p -> veq d p (proj_ball d D y).

(** ‖Π(x) − Π(y)‖² ≤ ‖x − y‖² *)
Definition Projection_nonexpansive : Prop := forall (d : nat) (D : R) (x y : vec RK), (0 <= D)%R ->
  norm2 d (vsub (proj_ball d D x) (proj_ball d D y)) <= norm2 d (vsub x y).

(** The same for Π onto [0,1], over any ordered field. *)
Definition Projection_interval : Prop := forall (K : ofield) (x y : K),
  0 <= clip y <= 1 /\ clip (clip y) = clip y /\
  (forall z, 0 <= z <= 1 -> (y - clip y) * (z - clip y) <= 0) /\
  (clip x - clip y)² <= (x - y)².

(** ** Lemma D.1 *)

(** ‖y_{k+1} − y*‖² ≤ ‖y_k − y*‖² − 2η⟨y* − y_k, ĥ_k⟩ + η²‖ĥ_k‖² *)
Definition Lemma_D_1_one_step : Prop := forall (d : nat) (D η : R) (y ĥ ystar : vec RK),
  (0 <= D)%R -> ball d D ystar ->
  norm2 d (vsub (proj_ball d D (vadd y (scale η ĥ))) ystar)
  <= norm2 d (vsub y ystar) - (1 + 1) * η * dot d (vsub ystar y) ĥ + η² * norm2 d ĥ.

(** E Σ_{k=1}^n ⟨y* − y_k, h_k⟩ ≤ ‖y_1 − y*‖²/(2η) + ηnG²/2.  F is the history F_{k−1}; the law of the next draw may
    depend on it. *)
Definition Lemma_D_1 : Prop := forall (d n : nat) (D η G2 : R) (Ω : Type) (P : list Ω -> law RK Ω)
    (ĥ : list Ω -> Ω -> vec RK) (h : list Ω -> vec RK) (y1 ystar : vec RK),
  (0 <= D)%R -> (0 < η)%R -> ball d D ystar ->
  (forall F, is_law (P F)) ->
  (forall F, veq d (Ev (P F) (ĥ F)) (h F)) ->
  (forall F, E (P F) (fun w => norm2 d (ĥ F w)) <= G2) ->
  let y := iterate (proj_ball d D) η ĥ y1 in
  E_path P n [] (along (fun F => dot d (vsub ystar (y F)) (h F)))
  <= norm2 d (vsub y1 ystar) / ((1 + 1) * η) + η * of_nat n * G2 / (1 + 1).

(** ** Lemma D.2 *)

(** D(p‖π_{t+1}) = D(p‖π_t) − α⟨p, q_t⟩ + log Σ_a π_t(a) e^{α q_t(a)} *)
Definition KL_identity : Prop := forall (n : nat) (α : R) (r p q : nat -> R),
  distribution n r -> distribution n p -> dominated n r p ->
  (KL n r (mirror_step n α p q) = KL n r p - α * rsum n (fun a => r a * q a) + ln (normaliser n α p q))%R.

(** log E e^{sX} ≤ s E X + s²(b−a)²/8 for a ≤ X ≤ b *)
Definition Hoeffding_lemma : Prop := forall (n : nat) (p x : nat -> R) (a b s : R),
  distribution n p -> (forall i, (i < n)%nat -> (a <= x i <= b)%R) ->
  (ln (rsum n (fun i => p i * exp (s * x i))) <= s * rsum n (fun i => p i * x i) + s * s * ((b - a) * (b - a)) / 8)%R.

(** Σ_t Σ_x ν(x)⟨π*(·|x) − π_t(·|x), q_t(x,·)⟩ ≤ H(π*‖π_1)/α + αTD_q²/2 *)
Definition Lemma_D_2 : Prop := forall (nS nA T : nat) (α Dq : R) (ν : nat -> R) (π π1 : nat -> nat -> R)
    (q : nat -> nat -> nat -> R),
  (0 < α)%R -> distribution nS ν ->
  (forall x, (x < nS)%nat -> distribution nA (π x) /\ distribution nA (π1 x) /\ dominated nA (π x) (π1 x)) ->
  (forall t x a, (x < nS)%nat -> (a < nA)%nat -> (Rabs (q t x a) <= Dq)%R) ->
  let πs t x := mirror nA α (π1 x) (fun t => q t x) t in
  (rsum T (fun t => rsum nS (fun x => ν x * rsum nA (fun a => (π x a - πs t x a) * q t x a)))
   <= conditional_entropy nS nA ν π π1 / α + α * INR T * (Dq * Dq) / 2)%R.

(** The algorithms' policy softmax(α Σ_{i<t} q_i) is mirror descent from the uniform policy, and no policy is
    farther than log|A| from that (erratum 11). *)
Definition Softmax_policy : Prop := forall (n : nat) (α : R) (q : nat -> nat -> R), (0 < n)%nat ->
  (forall t a, (a < n)%nat ->
    mirror n α (uniform n) q t a = softmax n (fun a => (α * rsum t (fun i => q i a))%R) a) /\
  (forall r, distribution n r -> (KL n r (uniform n) <= ln (INR n))%R).

(** ** Appendix E *)

(** Over the reals C^† exists, so that E.3 and E.4 speak of something. *)
Definition Dagger_exists : Prop := forall (M : linear_mdp RK) μB Λinv μ',
  is_measure M μB -> right_inverse (dim M) (covariance M μB) Λinv -> is_measure M μ' -> (0 < dim M)%nat ->
  exists C : RK, is_sup (dagger_ratios M μB μ') C.

(** ** Theorem A.1, corrected: Tr(Λ^{2c−1}) in G_β² (erratum 2) and C_{φ,c} ≤ D_β² (erratum 4) *)

(** ⟨μ^{π*} − μ^{π_t}, r⟩, when [occ] gives ν^π for each policy π. *)
Definition suboptimality_of {S F : Type} (M : linear_mdp RK) (policy : S -> nat -> nat -> RK) (μ : nat -> nat -> RK)
    (occ : (nat -> nat -> RK) -> nat -> RK) (s : S) (_ : F) : RK :=
  return_of_measure M μ - return_of_measure M (compose (policy s) (occ (policy s))).

(** A discounted linear MDP with ‖φ‖ ≤ D_φ and θ^π ∈ 𝔹(D_θ) for every policy, data from μ_B, and a comparator π' that the data
    covers.  [val] and [occ] give v^π and ν^π, which exist and are unique (Section_2_values, Section_2_occupancies).
    [L] = Λ^c, [N] = Λ^{c−1}, Λ^c β' = Φᵀμ' and ‖β'‖ ≤ D_β; [λ] = ‖Λ‖₂^{2c−1}, or any bound of that quadratic form. *)
Definition setting_A_1 (M : linear_mdp RK) (μB : nat -> nat -> RK) (L N : mat RK) (Dθ Dβ Dφ λ : R)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) (β' : vec RK) val occ : Prop :=
  let d := dim M in let Λ := covariance M μB in
  is_mdp M /\ is_discounted M /\ is_measure M μB /\ (0 < nA M)%nat /\
  (0 <= Dθ /\ 0 <= Dβ /\ 0 <= Dφ)%R /\
  (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ²) /\
  (forall π, is_policy M π -> is_value M π (val π) /\ is_occupancy M π (occ π) /\ ball d Dθ (theta_of M (val π))) /\
  powers d Λ L N /\
  (0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u) /\
  is_policy M π' /\ is_occupancy M π' ν' /\ (is_beta_star M L β' (compose π' ν') /\ ball d Dβ β').

(** E⟨μ^{π*} − μ^{π_J}, r⟩ for Algorithm 1, J ~ Unif[T]; each iteration draws K observations: K − 1 for the inner loop and W_t. *)
Definition expected_suboptimality_1 (M : linear_mdp RK) (μB : nat -> nat -> RK) (N : mat RK) (Dθ Dβ : R)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) occ (α ζ η : R) (T k : nat) (θ0 β1 : vec RK) : R :=
  expected_at_random_iteration (step1 M N α ζ η Dθ Dβ) (initial1 θ0 β1) (fun _ => block (observation M μB) k) T
    (suboptimality_of M (policy1 M α) (compose π' ν') occ).

Definition Theorem_A_1 : Prop := forall M μB L N (Dθ Dβ Dφ λ : R) π' ν' β' val occ (α ζ η : R) (T k : nat) θ0 β1,
  setting_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  (0 < α /\ 0 < ζ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat -> ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 ->
  (expected_suboptimality_1 M μB N Dθ Dβ π' ν' occ α ζ η T k θ0 β1
   <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
      + ζ * G_beta M Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * G_theta M Dφ Dβ λ / 2)%R.

(** ** Appendix B: the regrets of Algorithm 1, over T iterations of K draws each.  G_θ² and G_β² are (19) and (20), the latter with the trace, as
    Lemma B.2 has it. *)
Definition setting_B (M : linear_mdp RK) (μB : nat -> nat -> RK) (L N : mat RK) (Dθ Dβ Dφ λ α ζ η : R) (k : nat) (θ0 β1 : vec RK) : Prop :=
  let d := dim M in let Λ := covariance M μB in
  is_mdp M /\ is_discounted M /\ is_measure M μB /\ powers d Λ L N /\ (0 < nA M)%nat /\
  (0 < α /\ 0 < ζ /\ 0 < η)%R /\ (0 <= Dθ /\ 0 <= Dβ /\ 0 <= Dφ)%R /\
  (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ²) /\
  (0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u) /\
  (0 < k)%nat /\ (ball d Dθ θ0 /\ ball d Dβ β1).

(** E Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ ≤ 2TD_θ²/(ηK) + ηTG_θ²/2, for any θ*_t of the ball, which may depend on the history H before iteration t. *)
Definition Lemma_B_1_regret : Prop := forall M μB L N (Dθ Dβ Dφ λ α ζ η : R) (T k : nat) θ0 β1 (θ' : list (list sample) -> vec RK),
  setting_B M μB L N Dθ Dβ Dφ λ α ζ η k θ0 β1 -> (forall H, ball (dim M) Dθ (θ' H)) ->
  let after := run (step1 M N α ζ η Dθ Dβ) (initial1 θ0 β1) in
  (E_path (fun _ => block (observation M μB) k) T [] (tally (fun H F =>
     dot (dim M) (vsub (theta1 M N α η Dθ (after H) F) (θ' H)) (g_theta M L (beta (after H)) (policy1 M α (after H)))))
   <= 2 * INR T * (Dθ * Dθ) / (η * INR k) + η * INR T * G_theta M Dφ Dβ λ / 2)%R.

(** E Σ_t ⟨β* − β_t, g_{β,t}⟩ ≤ 2D_β²/ζ + ζTG_β²/2 *)
Definition Lemma_B_2_regret : Prop := forall M μB L N (Dθ Dβ Dφ λ α ζ η : R) (T k : nat) θ0 β1 (β' : vec RK),
  setting_B M μB L N Dθ Dβ Dφ λ α ζ η k θ0 β1 -> ball (dim M) Dβ β' ->
  (E_path (fun _ => block (observation M μB) k) T [] (total (step1 M N α ζ η Dθ Dβ) (initial1 θ0 β1) (fun s F =>
     dot (dim M) (vsub β' (beta s)) (g_beta M L (policy1 M α s) (theta1 M N α η Dθ s F))))
   <= 2 * (Dβ * Dβ) / ζ + ζ * INR T * G_beta M Dφ Dθ (trace (dim M) (sandwich (dim M) (covariance M μB) N)) / 2)%R.

(** E Σ_t Σ_x ν*(x) Σ_a (π*(a|x) − π_t(a|x))⟨θ_t, φ(x,a)⟩ ≤ log|A|/α + αTD_φ²D_θ²/2, π_1 being uniform *)
Definition Lemma_B_3_regret : Prop := forall M μB L N (Dθ Dβ Dφ λ α ζ η : R) (T k : nat) θ0 β1 π' ν',
  setting_B M μB L N Dθ Dβ Dφ λ α ζ η k θ0 β1 -> is_policy M π' -> is_occupancy M π' ν' ->
  (E_path (fun _ => block (observation M μB) k) T [] (total (step1 M N α ζ η Dθ Dβ) (initial1 θ0 β1) (fun s F =>
     sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - policy1 M α s x a) * dot (dim M) (φ M x a) (theta1 M N α η Dθ s F)))))
   <= ln (INR (nA M)) / α + α * INR T * (Dφ * Dφ * (Dθ * Dθ)) / 2)%R.

(** "In particular": at the printed learning rates ε-optimality takes T ≥ 16Q/ε² and K ≥ 16D_θ²G_θ²/ε², so
    n = KT = 256·Q·D_θ²G_θ²/ε⁴ samples, for Q = 2D_β²G_β² + D_θ²D_φ² log|A|.  The print has K/T upside down,
    and with its ratio the claim is false: [RefutedRatio.printed_ratio_A_1_refuted]. *)
Definition Theorem_A_1_samples : Prop := forall M μB L N (Dθ Dβ Dφ λ : R) π' ν' β' val occ (ε : R) (T k : nat) θ0 β1,
  setting_A_1 M μB L N Dθ Dβ Dφ λ π' ν' β' val occ ->
  let Gβ := sqrt (G_beta M Dφ Dθ (trace (dim M) (sandwich (dim M) (covariance M μB) N))) in
  let Gθ := sqrt (G_theta M Dφ Dβ λ) in let ℓ := ln (INR (nA M)) in
  (0 < Dβ /\ 0 < Dθ /\ 0 < Dφ /\ 0 < Gβ /\ 0 < Gθ)%R -> (1 < nA M)%nat ->
  (0 < T)%nat -> (0 < k)%nat -> ball (dim M) Dθ θ0 -> ball (dim M) Dβ β1 ->
  (0 < ε)%R -> (16 * outer Dβ Dθ Dφ ℓ Gβ <= ε * ε * INR T)%R -> (16 * (Dθ * Dθ * (Gθ * Gθ)) <= ε * ε * INR k)%R ->
  (expected_suboptimality_1 M μB N Dθ Dβ π' ν' occ
     (rate_α Dθ Dφ ℓ (INR T)) (rate_ζ Dβ Gβ (INR T)) (rate_η Dθ Gθ (INR k)) T k θ0 β1 <= ε)%R.

(** ** Theorem C.1, with C_{φ,c} ≤ D_β² (erratum 4) *)

(** A linear MDP with Φ of full rank, Φϱ = 1 and ‖φ‖ ≤ D_φ, data from μ_B, and a covered comparator.  For each policy π:
    [gain], [bias] and [occ] are ρ^π, v^π and ν^π, and [star] is a θ* ∈ 𝔹(D_θ) with Φθ* = q^π − c for some c (Lemma C.3). *)
Definition setting_C_1 (M : linear_mdp RK) (ϱ : vec RK) (μB : nat -> nat -> RK) (L N : mat RK) (Dθ Dβ Dφ λ : R)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) (β' : vec RK) (gain : (nat -> nat -> RK) -> RK) bias occ star : Prop :=
  let d := dim M in let Λ := covariance M μB in
  is_mdp M /\ full_rank M /\ is_ones M ϱ /\ is_measure M μB /\ (0 < nA M)%nat /\
  (0 <= Dθ /\ 0 <= Dβ /\ 0 <= Dφ)%R /\
  (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ²) /\
  (forall π, is_policy M π ->
    is_bias M π (gain π) (bias π) /\
    is_stationary M π (occ π) /\ (forall x, (x < nS M)%nat -> 0 <= occ π x) /\
    ball d Dθ (star π) /\
    exists c, forall x a, (x < nS M)%nat -> (a < nA M)%nat ->
      dot d (φ M x a) (star π) = bias_q M (gain π) (bias π) x a - c) /\
  powers d Λ L N /\
  (0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u) /\
  is_policy M π' /\ (is_stationary M π' ν' /\ forall x, (x < nS M)%nat -> 0 <= ν' x) /\
  (is_beta_star M L β' (compose π' ν') /\ ball d Dβ β').

(** The same for Algorithm 2; each iteration draws K + 1 transitions, K for the inner loop and W_t. *)
Definition expected_suboptimality_2 (M : linear_mdp RK) (μB : nat -> nat -> RK) (N : mat RK) (Dθ Dβ : R)
    (π' : nat -> nat -> RK) (ν' : nat -> RK) occ (α ζ ξ η : R) (T k : nat) (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) : R :=
  expected_at_random_iteration (step2 M N α ζ ξ η Dθ Dβ) (initial2 θ0 ρ0 β1)
    (fun s => block (transition_law M μB (policy2 M α s)) (S k)) T
    (suboptimality_of M (policy2 M α) (compose π' ν') occ).

(** Lemma C.4's inequality: E G_T at the comparators of Lemma C.3, ρ*_t = ρ^{π_t} and θ*_t = [star] π_t; H(π*‖π_1) is that of
    Algorithm 2's first policy. *)
Definition Lemma_C_4_inequality : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (α ζ ξ η : R)
    (T k : nat) θ0 (ρ0 : R) β1,
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  let s1 := initial2 θ0 ρ0 β1 in
  (expected_at_random_iteration (step2 M N α ζ ξ η Dθ Dβ) s1 (fun s => block (transition_law M μB (policy2 M α s)) (S k)) T (fun s F =>
     average_f M ϱ L β' π' (rho2 M N ξ s (tl F)) (theta2 M N η Dθ s (tl F))
     - average_f M ϱ L (a_beta s) (policy2 M α s) (gain (policy2 M α s)) (star (policy2 M α s)))
   <= 2 * (Dβ * Dβ) / (ζ * INR T) + conditional_entropy (nS M) (nA M) ν' π' (policy2 M α s1) / (α * INR T) + 1 / (2 * ξ * INR k)
      + 2 * (Dθ * Dθ) / (η * INR k) + ζ * (Tr * ((1 + 2 * (Dφ * Dθ)) * (1 + 2 * (Dφ * Dθ)))) / 2 + α * (Dφ * Dφ * (Dθ * Dθ)) / 2
      + ξ * (1 + Dβ * Dβ * λ) + 2 * η * (Dφ * Dφ * (Dβ * Dβ) * λ))%R.

Definition Theorem_C_1 : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (α ζ ξ η : R)
    (T k : nat) θ0 (ρ0 : R) β1,
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Tr := trace (dim M) (sandwich (dim M) (covariance M μB) N) in
  (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R -> (0 < T)%nat -> (0 < k)%nat ->
  ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  (expected_suboptimality_2 M μB N Dθ Dβ π' ν' occ α ζ ξ η T k θ0 ρ0 β1
   <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
      + ζ * average_G_beta Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
      + ξ * average_G_rho Dβ λ / 2 + η * average_G_theta Dφ Dβ λ / 2)%R.

(** "In particular", with K/T = (G_ρ² + 4D_θ²G_θ²)/(2Q), the reciprocal of the print's. *)
Definition Theorem_C_1_samples : Prop := forall M ϱ μB L N (Dθ Dβ Dφ λ : R) π' ν' β' gain bias occ star (ε : R)
    (T k : nat) θ0 (ρ0 : R) β1,
  setting_C_1 M ϱ μB L N Dθ Dβ Dφ λ π' ν' β' gain bias occ star ->
  let Gβ := sqrt (average_G_beta Dφ Dθ (trace (dim M) (sandwich (dim M) (covariance M μB) N))) in
  let Gρ := sqrt (average_G_rho Dβ λ) in let Gθ := sqrt (average_G_theta Dφ Dβ λ) in let ℓ := ln (INR (nA M)) in
  (0 < Dβ /\ 0 < Dθ /\ 0 < Dφ /\ 0 < Gβ /\ 0 < Gρ /\ 0 < Gθ)%R -> (1 < nA M)%nat ->
  (0 < T)%nat -> (0 < k)%nat -> ball (dim M) Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball (dim M) Dβ β1 ->
  (0 < ε)%R -> (16 * outer Dβ Dθ Dφ ℓ Gβ <= ε * ε * INR T)%R ->
  (8 * (Gρ * Gρ + 4 * (Dθ * Dθ * (Gθ * Gθ))) <= ε * ε * INR k)%R ->
  (expected_suboptimality_2 M μB N Dθ Dβ π' ν' occ
     (rate_α Dθ Dφ ℓ (INR T)) (rate_ζ Dβ Gβ (INR T)) (rate_ξ Gρ (INR k)) (rate_η Dθ Gθ (INR k)) T k θ0 ρ0 β1 <= ε)%R.
