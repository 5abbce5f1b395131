(** * Algorithm 1 with an error in every step (definitions)

    A program that computes Algorithm 1 approximately, and what "approximately" means: each of its steps is the real step
    of Algorithm1.v plus an error of bounded norm.  Nothing here is about floating point; FloatAlgorithm1.v is. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Projection RealSums Runs DoubleLoop Algorithm1.
Import ListNotations.
Local Open Scope K_scope.

(** What a program computes in an outer iteration from the state before it.  F lists the draws so far, newest first. *)
Record program1 := Program1 {
  program_policy : state1 -> nat -> nat -> RK;           (* π_t *)
  program_iterate : state1 -> list sample -> vec RK;     (* θ_{t,k}, after k − 1 draws *)
  program_theta : state1 -> list sample -> vec RK;       (* θ_t, after K − 1 draws *)
  program_beta : state1 -> vec RK -> sample -> vec RK;   (* β_{t+1}, from θ_t and W_t *)
  program_sum : state1 -> vec RK -> vec RK }.            (* Σ_{i≤t} θ_i, from θ_t *)

Definition program_step (p : program1) (s : state1) (F : list sample) : state1 :=
  match F with
  | [] => s
  | W :: F => let θ := program_theta p s F in State1 θ (program_beta p s θ W) (program_sum p s θ)
  end.

(** The errors allowed in θ_{t,k+1}, in the average θ_t, in β_{t+1}, in Σθ, and in π_t (in l¹). *)
Record errors := Errors { δθ : R; δavg : R; δβ : R; δΣ : R; δπ : R }.

Definition nonnegative (e : errors) : Prop := (0 <= δθ e /\ 0 <= δavg e /\ 0 <= δβ e /\ 0 <= δΣ e /\ 0 <= δπ e)%R.

Section Definitions.
  Variables (M : linear_mdp RK) (N : mat RK) (α ζ η Dθ Dβ : R).
  Notation d := (dim M).

  (** A draw that can occur. *)
  Definition in_model (W : sample) : Prop :=
    (x0 W < nS M /\ state W < nS M /\ action W < nA M /\ next W < nS M)%nat.

  (** ‖a − b‖ ≤ δ *)
  Definition within (δ : R) (a b : vec RK) : Prop := ball d δ (vsub a b).

  (** From the state s, an iteration on K draws is Algorithm 1's up to the errors e. *)
  Definition close_to_step1 (k : nat) (e : errors) (p : program1) (s : state1) : Prop :=
    let π := program_policy p s in
    is_policy M π /\
    (forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π x a - policy1 M α s x a)) <= δπ e)%R) /\
    program_iterate p s [] = theta s /\
    (forall W F, in_model W -> Forall in_model F ->
      within (δθ e) (program_iterate p s (W :: F))
        (proj_ball d Dθ (vsub (program_iterate p s F) (scale η (theta_gradient M N (beta s) π W))))) /\
    (forall W F, in_model W -> Forall in_model F -> S (length F) = k ->
      let θ := program_theta p s F in
      within (δavg e) θ (average (program_iterate p s) (W :: F)) /\
      within (δβ e) (program_beta p s θ W) (proj_ball d Dβ (vadd (beta s) (scale ζ (beta_gradient M N π θ W)))) /\
      within (δΣ e) (program_sum p s θ) (vadd (theta_sum s) θ)).

  (** So it is at every state that T iterations can reach from s_1. *)
  Definition perturbed_run1 (k T : nat) (e : errors) (p : program1) (s1 : state1) : Prop :=
    forall H, Forall (fun F => Forall in_model F /\ length F = k) H -> (length H < T)%nat ->
    close_to_step1 k e p (run (program_step p) s1 H).
End Definitions.

(** How far outside 𝔹(D_θ) an iterate may be. *)
Definition excess (e : errors) : R := (δθ e + 2 * δavg e)%R.

(** What the errors add to the six terms of Theorem A.1.  [Tr] = Tr(Λ^{2c−1}), [λ] = ‖Λ‖₂^{2c−1}. *)
Definition perturbation_A_1 (M : linear_mdp RK) (Dθ Dβ Dφ λ Tr α ζ η : R) (k : nat) (e : errors) : R :=
  let κ := excess e in
  ( (4 * Dθ * κ + κ * κ) / (2 * η * INR k)                                      (* the inner loop starts at θ_{t−1} *)
  + (4 * Dθ * δθ e + δθ e * δθ e) / (2 * η)                                     (* each inner step *)
  + δavg e * sqrt (G_theta M Dφ (Dβ + δβ e) λ)                                  (* the average *)
  + η / 2 * (3 * (Dφ * Dφ) * (1 + γ M * γ M) * λ * (2 * Dβ * δβ e + δβ e * δβ e))   (* β_t outside its ball, in G_θ² *)
  + (4 * Dβ * δβ e + δβ e * δβ e) / (2 * ζ)                                     (* each outer step *)
  + ζ / 2 * (3 * (1 + γ M * γ M) * (Dφ * Dφ) * Tr * (2 * Dθ * κ + κ * κ))       (* θ_t outside its ball, in G_β² *)
  + 2 * Dφ * δΣ e + δπ e * (Dφ * (Dθ + κ))                                      (* Σθ, and the policy *)
  + α / 2 * (Dφ * Dφ) * (2 * Dθ * (κ + δΣ e) + (κ + δΣ e) * (κ + δΣ e)) )%R.    (* θ_t outside its ball, in D.2 *)
