(** * Appendix C: Algorithm 2 (definitions)

    ρ_t^{(1)} = ρ_{t−1} (erratum 9), α in π_t, π_1 uniform.  [N] stands for Λ^{c−1}.  A block has K + 1 draws, newest
    first: W_t at its head, then the K draws of the inner loop. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Average Projection Runs DoubleLoop.
Import ListNotations.
Local Open Scope K_scope.

Section Algorithm.
  Variables (M : linear_mdp RK) (N : mat RK) (α ζ ξ η Dθ Dβ : R).
  Notation d := (dim M).

  (** Before iteration t: θ_{t−1}, ρ_{t−1}, β_t and Σ_{i<t} θ_i. *)
  Record state2 := State2 { a_theta : vec RK; a_rho : RK; a_beta : vec RK; a_theta_sum : vec RK }.

  Definition policy2 (s : state2) : nat -> nat -> RK := softmax_policy M α (a_theta_sum s).

  (** θ^{(i+1)} = Π(θ^{(i)} − η g̃_θ), and θ_t = (1/K) Σ_{i=1}^K θ^{(i)} *)
  Definition theta_inner2 (s : state2) : list transition -> vec RK :=
    descend (proj_ball d Dθ) η (average_theta_gradient M N (a_beta s)) (a_theta s).
  Definition theta2 (s : state2) (F : list transition) : vec RK := average (theta_inner2 s) F.

  (** ρ^{(i+1)} = Π_{[0,1]}(ρ^{(i)} − ξ g̃_ρ), and ρ_t = (1/K) Σ_{i=1}^K ρ^{(i)}; a number is a point of R^1. *)
  Definition clip1 (y : vec RK) : vec RK := fun _ => clip (y 0%nat).
  Definition rho_inner2 (s : state2) : list transition -> vec RK :=
    descend clip1 ξ (fun W _ => average_rho_gradient M N (a_beta s) W) (fun _ => a_rho s).
  Definition rho2 (s : state2) (F : list transition) : RK := average (rho_inner2 s) F 0%nat.

  (** β_{t+1} = Π(β_t + ζ g̃_β) *)
  Definition step2 (s : state2) (F : list transition) : state2 :=
    let θ := theta2 s (tl F) in let ρ := rho2 s (tl F) in
    State2 θ ρ
      match F with
      | [] => a_beta s
      | W :: _ => proj_ball d Dβ (vadd (a_beta s) (scale ζ (average_beta_gradient M N (policy2 s) ρ θ W)))
      end
      (vadd (a_theta_sum s) θ).

  Definition initial2 (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) : state2 := State2 θ0 ρ0 β1 vzero.
End Algorithm.

(** (24), (25), (26): [Tr] is Tr(Λ^{2c−1}), [λ] is ‖Λ‖₂^{2c−1}. *)
Definition average_G_beta {K : ofield} (Dφ Dθ Tr : K) : K := Tr * (1 + (1 + 1) * (Dφ * Dθ))².
Definition average_G_rho {K : ofield} (Dβ λ : K) : K := (1 + 1) + (1 + 1) * (Dβ² * λ).
Definition average_G_theta {K : ofield} (Dφ Dβ λ : K) : K := (1 + 1) * (1 + 1) * Dφ² * (Dβ² * λ).
