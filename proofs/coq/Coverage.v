(** * Definitions 3.1 and E.1: the coverage ratios (definitions)

    [Λinv] stands for Λ^{−1} and [A] for Λ^{−c}; μ' is the comparator's occupancy measure μ*. *)

From OPD Require Import OrderedField Sums Expect Mdp.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K).
  Notation d := (dim M).

  (** E_{μ}[g(X,A)] *)
  Definition mean (μ : nat -> nat -> K) (g : nat -> nat -> K) : K := sumXA M (fun x a => μ x a * g x a).

  (** C_{φ,c} = E_{μ*}[φ]ᵀ Λ^{−2c} E_{μ*}[φ], with Λ^{−2c} = A A. *)
  Definition coverage (A : mat K) (μ' : nat -> nat -> K) : K := quad d (PhiT M μ') (mmul d A A) (PhiT M μ').

  (** C^⋄ = E_{μ*}[φᵀ Λ^{−1} φ] *)
  Definition coverage_diamond (Λinv : mat K) (μ' : nat -> nat -> K) : K :=
    mean μ' (fun x a => quad d (φ M x a) Λinv (φ M x a)).

  (** A least upper bound of a set of scalars. *)
  Definition is_sup (S : K -> Prop) (c : K) : Prop :=
    (forall r, S r -> r <= c) /\ (forall c', (forall r, S r -> r <= c') -> c <= c').

  (** C^† = sup_y yᵀ E_{μ*}[φφᵀ] y / yᵀ E_{μ_B}[φφᵀ] y, over the y where the quotient is defined. *)
  Definition dagger_ratios (μB μ' : nat -> nat -> K) (r : K) : Prop :=
    exists y, quad d y (covariance M μB) y <> 0 /\ r = quad d y (covariance M μ') y / quad d y (covariance M μB) y.

  (** C_{F,π} = sup_{θ∈Θ} ‖f_θ − T^π f_θ‖²_{μ*} / ‖f_θ − T^π f_θ‖²_{μ_B}, likewise. *)
  Definition bellman_operator (π : nat -> nat -> K) (g : nat -> nat -> K) (x a : nat) : K :=
    reward M x a + γ M * sumX M (fun x' => trans M x a x' * sum (nA M) (fun a' => π x' a' * g x' a')).
  Definition bellman_error (μ π : nat -> nat -> K) (θ : vec K) : K :=
    let g := fun x a => dot d (φ M x a) θ in mean μ (fun x a => (g x a - bellman_operator π g x a)²).
  Definition bellman_ratios (Θ : vec K -> Prop) (π μB μ' : nat -> nat -> K) (r : K) : Prop :=
    exists θ, Θ θ /\ bellman_error μB π θ <> 0 /\ r = bellman_error μ' π θ / bellman_error μB π θ.

  (** V_{μ}[Z] = E_μ‖Z − E_μ Z‖² *)
  Definition variance (μ : nat -> nat -> K) (Z : nat -> nat -> vec K) : K :=
    mean μ (fun x a => norm2 d (vsub (Z x a) (fun i => mean μ (fun x a => Z x a i)))).
End Definitions.
