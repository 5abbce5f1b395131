(** * Algorithm 1 in machine doubles

    src/paper/discounted/algorithm.rs in its documented order of operations, every intermediate kept.  What the program refuses
    (a number that is none, an unknown state) is not modelled: these are the runs that finish. *)

From Coq Require Import List Floats.
From OPD Require Import FloatBits BitsExp.
Import ListNotations.
Local Open Scope float_scope.

(** W = (X⁰, X, A, R, X'), and an outer iteration's K of them: K − 1 for θ, and W_t. *)
Record sample := Sample { x0 : nat; x : nat; a : nat; r : float; x_next : nat }.
Record block := Block { inner_samples : list sample; last_sample : sample }.

Record problem := Problem {
  features : list matrix;       (* φ(x, ·), |A| rows of d, by state *)
  weight : option matrix;       (* Λ^{c−1} *)
  γ : float; α : float; η : float; ζ : float;
  radius_θ : float; radius_β : float }.

(** θ_{t−1}, Σ_{i<t} θ_i and β_t before iteration t. *)
Record state := State { θ : vector; θ_sum : vector; β : vector }.

Record inner := Inner {
  w : float; policy_start : vector; policy_next : vector; mean_feature : vector;
  gradient : vector; unprojected : vector; θ_next : vector }.

Record outer := Outer {
  o_θ : vector; o_policy_next : vector; value_next : float; td_error : float;
  o_gradient : vector; o_unprojected : vector; β_next : vector; o_θ_sum : vector }.

Section Run.
  Variable P : problem.
  Definition at_state (x : nat) : matrix := nth x (features P) [].
  Definition φ (x a : nat) : vector := nth a (at_state x) [].

  (** θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ), by (8) and (10); [wβ] is Λ^{c−1}β_t. *)
  Definition inner_step (s : state) (wβ θ : vector) (W : sample) : inner :=
    let w := dot (φ (x W) (a W)) wβ in
    let π0 := policy (α P) (at_state (x0 W)) (θ_sum s) in
    let π' := policy (α P) (at_state (x_next W)) (θ_sum s) in
    let μ0 := scale (1 - γ P) π0 in
    let μ' := scale (γ P * w) π' in
    let Φμ := add_rows (at_state (x_next W)) μ' (add_rows (at_state (x0 W)) μ0 (zeros (length θ))) in
    let g := map2 (fun m f => m - f * w) Φμ (φ (x W) (a W)) in
    let y := descend (η P) g θ in
    Inner w π0 π' Φμ g y (project_ball (radius_θ P) y).

  (** The inner loop from θ: its steps, and [sum] plus every iterate in order. *)
  Fixpoint inner_loop (s : state) (wβ θ sum : vector) (Ws : list sample) : list inner * vector :=
    match Ws with
    | [] => ([], add_vectors sum θ)
    | W :: Ws =>
      let step := inner_step s wβ θ W in
      let (steps, sum) := inner_loop s wβ (θ_next step) (add_vectors sum θ) Ws in
      (step :: steps, sum)
    end.

  (** θ_t, and β_{t+1} = Π(β_t + ζ g̃_β), by (7) and (9). *)
  Definition outer_step (s : state) (θ : vector) (W : sample) : outer :=
    let π' := policy (α P) (at_state (x_next W)) (θ_sum s) in
    let v := dot π' (multiply (at_state (x_next W)) θ) in
    let δ := r W + v * γ P - dot (φ (x W) (a W)) θ in
    let g := scale δ (weighted (weight P) (φ (x W) (a W))) in
    let y := ascend (ζ P) g (β s) in
    Outer θ π' v δ g y (project_ball (radius_β P) y) (add_vectors (θ_sum s) θ).

  Definition iteration (s : state) (B : block) : list inner * outer :=
    let (steps, sum) := inner_loop s (weighted (weight P) (β s)) (θ s) (zeros (length (θ s))) (inner_samples B) in
    (steps, outer_step s (average_of_sum (S (length (inner_samples B))) sum) (last_sample B)).

  Fixpoint run (s : state) (Bs : list block) : list (list inner * outer) :=
    match Bs with
    | [] => []
    | B :: Bs => let it := iteration s B in let o := snd it in it :: run (State (o_θ o) (o_θ_sum o) (β_next o)) Bs
    end.

  (** From θ₀ and β₁; π_1 is uniform (erratum 11). *)
  Definition initial (θ0 β1 : vector) : state := State θ0 (zeros (length θ0)) β1.
End Run.
