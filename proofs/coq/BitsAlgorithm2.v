(** * Algorithm 2 in machine doubles

    src/paper/average_reward/algorithm.rs in its documented order of operations, every intermediate kept.  What the program
    refuses (a number that is none, an unknown state) is not modelled: these are the runs that finish. *)

From Coq Require Import List Floats.
From OPD Require Import FloatBits BitsExp.
Import ListNotations.
Local Open Scope float_scope.

(** (X, A, R, X') with the draw u behind A', and an outer iteration's K + 1 of them: K for ρ and θ, and W_t. *)
Record sample := Sample { x : nat; a : nat; r : float; x_next : nat; u : float }.
Record block := Block { inner_samples : list sample; last_sample : sample }.

Record problem := Problem {
  features : list matrix;       (* φ(x, ·), |A| rows of d, by state *)
  weight : option matrix;       (* Λ^{c−1} *)
  α : float; η : float; ζ : float; ξ : float;
  radius_θ : float; radius_β : float }.

(** θ_{t−1}, ρ_{t−1}, Σ_{i<t} θ_i and β_t before iteration t. *)
Record state := State { θ : vector; ρ : float; θ_sum : vector; β : vector }.

Record inner := Inner {
  w : float; policy_next : vector; a_next : nat; gradient_ρ : float; gradient : vector;
  unprojected_ρ : float; unprojected : vector; ρ_next : float; θ_next : vector }.

Record outer := Outer {
  o_θ : vector; o_ρ : float; o_policy_next : vector; value_next : float; td_error : float;
  o_gradient : vector; o_unprojected : vector; β_next : vector; o_θ_sum : vector }.

Section Run.
  Variable P : problem.
  Definition at_state (x : nat) : matrix := nth x (features P) [].
  Definition φ (x a : nat) : vector := nth a (at_state x) [].

  (** ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ) and θ^(i+1) = Π(θ^(i) − η g̃_θ); [wβ] is Λ^{c−1}β_t. *)
  Definition inner_step (s : state) (wβ θ : vector) (ρ : float) (W : sample) : inner :=
    let w := dot (φ (x W) (a W)) wβ in
    let π' := policy (α P) (at_state (x_next W)) (θ_sum s) in
    let a' := draw π' (u W) in
    let gρ := 1 - w in
    let yρ := ρ - gρ * ξ P in
    let g := map2 (fun f' f => f' * w - f * w) (φ (x_next W) a') (φ (x W) (a W)) in
    let y := descend (η P) g θ in
    Inner w π' a' gρ g yρ y (clamp yρ) (project_ball (radius_θ P) y).

  (** The inner loop from θ and ρ: its steps, and the sums plus every iterate in order, but for the last. *)
  Fixpoint inner_loop (s : state) (wβ θ sum : vector) (ρ ρ_sum : float) (Ws : list sample) : list inner * (vector * float) :=
    match Ws with
    | [] => ([], (sum, ρ_sum))
    | W :: Ws =>
      let step := inner_step s wβ θ ρ W in
      let (steps, sums) := inner_loop s wβ (θ_next step) (add_vectors sum θ) (ρ_next step) (ρ_sum + ρ) Ws in
      (step :: steps, sums)
    end.

  (** θ_t, ρ_t, and β_{t+1} = Π(β_t + ζ g̃_β). *)
  Definition outer_step (s : state) (θ : vector) (ρ : float) (W : sample) : outer :=
    let π' := policy (α P) (at_state (x_next W)) (θ_sum s) in
    let v := dot π' (multiply (at_state (x_next W)) θ) in
    let δ := r W + v - dot (φ (x W) (a W)) θ - ρ in
    let g := scale δ (weighted (weight P) (φ (x W) (a W))) in
    let y := ascend (ζ P) g (β s) in
    Outer θ ρ π' v δ g y (project_ball (radius_β P) y) (add_vectors (θ_sum s) θ).

  Definition iteration (s : state) (B : block) : list inner * outer :=
    let (steps, sums) := inner_loop s (weighted (weight P) (β s)) (θ s) (zeros (length (θ s))) (ρ s) 0 (inner_samples B) in
    let K := length (inner_samples B) in
    (steps, outer_step s (average_of_sum K (fst sums)) (snd sums * (1 / float_of_nat K)) (last_sample B)).

  Fixpoint run (s : state) (Bs : list block) : list (list inner * outer) :=
    match Bs with
    | [] => []
    | B :: Bs =>
      let it := iteration s B in let o := snd it in
      it :: run (State (o_θ o) (o_ρ o) (o_θ_sum o) (β_next o)) Bs
    end.

  (** From θ₀, ρ₀ and β₁; π_1 is uniform (erratum 11). *)
  Definition initial (θ0 : vector) (ρ0 : float) (β1 : vector) : state := State θ0 ρ0 (zeros (length θ0)) β1.
End Run.
