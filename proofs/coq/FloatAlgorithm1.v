(** * Algorithm 1 as the program computes it (definitions)

    src/vector.rs, src/softmax.rs, src/projection.rs, src/step.rs and src/discounted, operation by operation: every result
    is rounded to nearest even in binary64 ([rnd]), sums and inner products run in the documented order ([inner],
    [accumulate]).  Overflow is not modelled.  The exponential is a parameter, [fexp]. *)

From Coq Require Import List Reals Arith.
From OPD Require Import OrderedField Sums Expect Mdp Discounted RealSums Runs DoubleLoop Algorithm1 Perturbed1.
From OPD Require Import FloatProjection FloatAverage.
Import ListNotations.
Local Open Scope R_scope.

(** max z over the first n, at least z(0) *)
Fixpoint greatest (n : nat) (z : nat -> R) : R := match n with O => z O | S n => Rmax (greatest n z) (z n) end.

(** softmax(z): e_a = exp(z_a − max z), the sum from the first action to the last, the quotients. *)
Definition float_softmax (fexp : R -> R) (n : nat) (z : nat -> R) (a : nat) : R :=
  let e b := fexp (rnd (z b - greatest n z)) in rnd (e a / accumulate e n).

(** Σ of u over the histories that precede each draw of F, from 0 in their order. *)
Fixpoint float_along {Ω} (u : list Ω -> R) (F : list Ω) : R :=
  match F with [] => 0 | _ :: F => rnd (float_along u F + u F) end.

(** The same, times (1/K). *)
Definition float_mean {Ω} (u : list Ω -> R) (F : list Ω) : R := rnd (float_along u F * rnd (1 / INR (length F))).

(** The matrix that the program holds for Λ^{c−1} = [N]: ‖|A||v|‖ ≤ ν‖v‖ and ‖(A − N)v‖ ≤ e_Λ‖v‖, for every v. *)
Definition held (weight : option (mat RK)) : mat RK := match weight with None => identity | Some A => A end.
Definition weight_sizes (d : nat) (weight : option (mat RK)) (N : mat RK) (ν eΛ : R) : Prop :=
  (forall v, norm2 (K := RK) d (fun i => rsum d (fun j => Rabs (held weight i j) * Rabs (v j))%R) <= ν * ν * norm2 (K := RK) d v) /\
  (forall v, norm2 (K := RK) d (vsub (K := RK) (mulv d (held weight) v) (mulv d N v)) <= eΛ * eΛ * norm2 (K := RK) d v).

Section Model.
  (** [weight] is Λ^{c−1} as the program holds it; [None] is the identity (c = 1). *)
  Variables (M : linear_mdp RK) (weight : option (mat RK)) (fexp : R -> R) (α ζ η Dθ Dβ : R).
  Notation d := (dim M).
  Implicit Types θ z : vec RK.

  (** (Λ^{c−1}v)·s *)
  Definition float_weighted (v : vec RK) (s : R) : vec RK := fun i =>
    rnd (match weight with None => v i | Some A => inner d (A i) v end * s).

  (** The probabilities that the program computes from Σθ; their sum is 1 only up to rounding … *)
  Definition float_probabilities z (x a : nat) : R :=
    float_softmax fexp (nA M) (fun b => rnd (inner d (φ M x b) z * α)) a.
  (** … and the policy they stand for: divided by their exact sum. *)
  Definition float_policy z (x a : nat) : R :=
    float_probabilities z x a / rsum (nA M) (float_probabilities z x).

  (** g = Φᵀμ − w·φ with w = ⟨φ, Λ^{c−1}β⟩ and μ = (1−γ)·π at X⁰, (γw)·π at X'; Φᵀμ from 0 over the actions of X⁰, then of X'. *)
  Definition float_theta_gradient (wβ : vec RK) (p : nat -> nat -> R) (W : sample) : vec RK := fun i =>
    let φW := φ M (state W) (action W) in
    let w := inner d φW wβ in
    let term j := if (j <? nA M)%nat then rnd (φ M (x0 W) j i * rnd (p (x0 W) j * rnd (1 - γ M)))
                  else rnd (φ M (next W) (j - nA M) i * rnd (p (next W) (j - nA M)%nat * rnd (γ M * w))) in
    rnd (accumulate term (nA M + nA M) - rnd (φW i * w)).

  (** θ_{t,k+1} = Π(θ_{t,k} − (η·g)) *)
  Fixpoint float_iterate (s : state1) (F : list sample) : vec RK :=
    match F with
    | [] => theta s
    | W :: F => let g := float_theta_gradient (float_weighted (beta s) 1) (float_probabilities (theta_sum s)) W in
                float_project d Dθ (fun i => rnd (float_iterate s F i - rnd (g i * η)))
    end.

  (** θ_t: the sum of the K iterates, of which the last came after all draws of F, times (1/K).  It is [float_mean] over F and one more
      draw, whatever that is. *)
  Definition float_theta (s : state1) (F : list sample) : vec RK := fun i =>
    rnd (rnd (float_along (fun F => float_iterate s F i) F + float_iterate s F i) * rnd (1 / INR (S (length F)))).

  (** R + (γ·v(X')) − ⟨φ, θ⟩ *)
  Definition float_td (p : nat -> nat -> R) θ (W : sample) : R :=
    let v := inner (nA M) (p (next W)) (fun a => inner d (φ M (next W) a) θ) in
    rnd (rnd (reward M (state W) (action W) + rnd (v * γ M)) - inner d (φ M (state W) (action W)) θ).

  (** β_{t+1} = Π(β_t + (ζ·g)) with g = (Λ^{c−1}φ)·td *)
  Definition float_beta (s : state1) θ (W : sample) : vec RK :=
    let g := float_weighted (φ M (state W) (action W)) (float_td (float_probabilities (theta_sum s)) θ W) in
    float_project d Dβ (fun i => rnd (beta s i + rnd (g i * ζ))).

  Definition float_sum (s : state1) θ : vec RK := fun i => rnd (theta_sum s i + θ i).

  Definition float_program1 : program1 :=
    Program1 (fun s => float_policy (theta_sum s)) float_iterate float_theta float_beta float_sum.
End Model.
