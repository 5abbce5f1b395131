(** * Algorithm 2 with an error in every step (definitions)

    As Perturbed1.v, for the average-reward method: θ and ρ in the inner loop, and the action A' that a transition ends with drawn
    from a law that is close to the program's policy. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Average Projection GradientDescent RealSums Runs DoubleLoop Algorithm2.
Import ListNotations.
Local Open Scope K_scope.

(** What a program computes in an outer iteration from the state before it.  F lists the draws so far, newest first. *)
Record program2 := Program2 {
  policy_of : state2 -> nat -> nat -> RK;                        (* π_t *)
  draw_of : state2 -> nat -> nat -> RK;                          (* the law of A' given X' *)
  theta_iterate : state2 -> list transition -> vec RK;           (* θ^{(i)}, after i − 1 draws *)
  rho_iterate : state2 -> list transition -> RK;                 (* ρ^{(i)} *)
  theta_of_block : state2 -> list transition -> vec RK;          (* θ_t, after K draws *)
  rho_of_block : state2 -> list transition -> RK;                (* ρ_t *)
  beta_of_block : state2 -> vec RK -> RK -> transition -> vec RK;   (* β_{t+1}, from θ_t, ρ_t and W_t *)
  sum_of_block : state2 -> vec RK -> vec RK }.                   (* Σ_{i≤t} θ_i *)

Definition program_step2 (p : program2) (s : state2) (F : list transition) : state2 :=
  match F with
  | [] => s
  | W :: F => let θ := theta_of_block p s F in let ρ := rho_of_block p s F in
              State2 θ ρ (beta_of_block p s θ ρ W) (sum_of_block p s θ)
  end.

(** The errors allowed in θ^{(i+1)}, in the average θ_t, in ρ^{(i+1)}, in the average ρ_t, in β_{t+1}, in Σθ, in π_t (in l¹), and between
    π_t and the law of A' (in l¹). *)
Record errors2 := Errors2 { err_θ : R; err_avg : R; err_ρ : R; err_ρavg : R; err_β : R; err_Σ : R; err_π : R; err_A : R }.

Definition nonnegative2 (e : errors2) : Prop :=
  (0 <= err_θ e /\ 0 <= err_avg e /\ 0 <= err_ρ e /\ 0 <= err_ρavg e /\ 0 <= err_β e /\ 0 <= err_Σ e /\ 0 <= err_π e /\ 0 <= err_A e)%R.

Section Definitions.
  Variables (M : linear_mdp RK) (N : mat RK) (α ζ ξ η Dθ Dβ : R).
  Notation d := (dim M).

  (** A draw that can occur. *)
  Definition in_model2 (W : transition) : Prop :=
    (t_state W < nS M /\ t_action W < nA M /\ t_next W < nS M /\ t_next_action W < nA M)%nat.

  (** From the state s, an iteration on K + 1 draws is Algorithm 2's up to the errors e. *)
  Definition close_to_step2 (k : nat) (e : errors2) (p : program2) (s : state2) : Prop :=
    let π := policy_of p s in
    is_policy M π /\
    (forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π x a - policy2 M α s x a)) <= err_π e)%R) /\
    (is_policy M (draw_of p s) /\ forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π x a - draw_of p s x a)) <= err_A e)%R) /\
    (theta_iterate p s [] = a_theta s /\ rho_iterate p s [] = a_rho s) /\
    (forall W F, in_model2 W -> Forall in_model2 F ->
      ball d (err_θ e) (vsub (theta_iterate p s (W :: F))
        (proj_ball d Dθ (vsub (theta_iterate p s F) (scale η (average_theta_gradient M N (a_beta s) W))))) /\
      (Rabs (rho_iterate p s (W :: F) - clip (rho_iterate p s F - ξ * average_rho_gradient M N (a_beta s) W)) <= err_ρ e)%R) /\
    (forall W F, in_model2 W -> Forall in_model2 F -> length F = k ->
      let θ := theta_of_block p s F in let ρ := rho_of_block p s F in
      ball d (err_avg e) (vsub θ (average (theta_iterate p s) F)) /\
      (0 <= ρ <= 1)%R /\ (Rabs (ρ - along (rho_iterate p s) F / of_nat k) <= err_ρavg e)%R /\
      ball d (err_β e) (vsub (beta_of_block p s θ ρ W)
        (proj_ball d Dβ (vadd (a_beta s) (scale ζ (average_beta_gradient M N π ρ θ W))))) /\
      ball d (err_Σ e) (vsub (sum_of_block p s θ) (vadd (a_theta_sum s) θ))).

  (** So it is at every state that T iterations can reach from s_1. *)
  Definition perturbed_run2 (k T : nat) (e : errors2) (p : program2) (s1 : state2) : Prop :=
    forall H, Forall (fun F => Forall in_model2 F /\ length F = S k) H -> (length H < T)%nat ->
    close_to_step2 k e p (run (program_step2 p) s1 H).
End Definitions.

(** How far outside 𝔹(D_θ) an iterate may be. *)
Definition excess2 (e : errors2) : R := (err_θ e + 2 * err_avg e)%R.

(** What the errors add to the eight terms of Theorem C.1. *)
Definition perturbation_C_1 (Dθ Dβ Dφ λ Tr α ζ ξ η : R) (k : nat) (e : errors2) : R :=
  let κ := excess2 e in
  ( (4 * Dθ * κ + κ * κ) / (2 * η * INR k) + (4 * Dθ * err_θ e + err_θ e * err_θ e) / (2 * η)
  + err_avg e * sqrt (average_G_theta Dφ (Dβ + err_β e) λ)
  + η / 2 * (4 * (Dφ * Dφ) * λ * (2 * Dβ * err_β e + err_β e * err_β e))
  + (2 * Dθ + κ) * (err_A e * Dφ * (sqrt λ * (Dβ + err_β e)))
  + (2 * err_ρ e + err_ρ e * err_ρ e) / (2 * ξ) + err_ρavg e * sqrt (average_G_rho (Dβ + err_β e) λ)
  + ξ / 2 * (2 * λ * (2 * Dβ * err_β e + err_β e * err_β e))
  + (4 * Dβ * err_β e + err_β e * err_β e) / (2 * ζ)
  + ζ / 2 * (Tr * (4 * (1 + 2 * (Dφ * Dθ)) * (Dφ * κ) + 4 * (Dφ * κ) * (Dφ * κ)))
  + 2 * Dφ * err_Σ e + err_π e * (Dφ * (Dθ + κ))
  + α / 2 * (Dφ * Dφ) * (2 * Dθ * (κ + err_Σ e) + (κ + err_Σ e) * (κ + err_Σ e)) )%R.
