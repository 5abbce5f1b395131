(** * Sections 3 and 4: the discounted objects (definitions)

    [L] stands for Λ^c.  It may be any matrix: where the paper moves a symmetric Λ^c across an inner product,
    the definition says Lᵀ.  [N] stands for Λ^{c−1} in the estimators. *)

From OPD Require Import OrderedField Sums Expect Mdp.
Local Open Scope K_scope.

Section Powers.
  Context {K : ofield} (d : nat).

  (** N plays Λ^{c−1} and L plays Λ^c: N is symmetric and N Λ = Λ N = L.  Both values of c are instances
      ([powers_one] and [powers_half] in AppendixB.v). *)
  Definition powers (Λ L N : mat K) : Prop :=
    symmetric d N /\ meq d (mmul d Λ N) L /\ meq d (mmul d N Λ) L.

  (** Λ^{2c−1} = Λ^{c−1} Λ Λ^{c−1} *)
  Definition sandwich (Λ N : mat K) : mat K := mmul d N (mmul d Λ N).
End Powers.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K) (L N : mat K).
  Notation d := (dim M).
  Notation γ := (γ M).

  (** ω + γ Ψ v − θ *)
  Definition bellman_gap (v : nat -> K) (θ : vec K) : vec K := fun i => ω M i + γ * Psi M v i - θ i.

  (** (6), both forms. *)
  Definition lagrangian_value (v : nat -> K) (θ l : vec K) (μ : nat -> nat -> K) : K :=
    (1 - γ) * sumX M (fun x => ν0 M x * v x) + dot d l (bellman_gap v θ)
    + sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)).
  Definition lagrangian_measure (v : nat -> K) (θ l : vec K) (μ : nat -> nat -> K) : K :=
    dot d l (ω M) + sumX M (fun x => v x * ((1 - γ) * ν0 M x + γ * PsiT M l x - ET M μ x))
    + dot d θ (vsub (PhiT M μ) l).

  (** (11) and (12). *)
  Definition eq_11 (β : vec K) (μ : nat -> nat -> K) (v : nat -> K) (θ : vec K) : K :=
    (1 - γ) * sumX M (fun x => ν0 M x * v x) + dot d β (mulv d (transpose L) (bellman_gap v θ))
    + sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)).
  Definition eq_12 (β : vec K) (μ : nat -> nat -> K) (v : nat -> K) (θ : vec K) : K :=
    dot d β (mulv d (transpose L) (ω M))
    + sumX M (fun x => v x * ((1 - γ) * ν0 M x + γ * PsiT M (mulv d L β) x - ET M μ x))
    + dot d θ (vsub (PhiT M μ) (mulv d L β)).

  (** (13): μ_{β,π}(x,a) = π(a|x) [(1−γ)ν₀(x) + γ⟨ψ(x), Λ^c β⟩]. *)
  Definition mu_of (β : vec K) (π : nat -> nat -> K) : nat -> nat -> K :=
    fun x a => π x a * ((1 - γ) * ν0 M x + γ * PsiT M (mulv d L β) x).

  (** (14), and the two forms of (15). *)
  Definition f (β : vec K) (π : nat -> nat -> K) (θ : vec K) : K :=
    dot d β (mulv d (transpose L) (ω M)) + dot d θ (vsub (PhiT M (mu_of β π)) (mulv d L β)).
  Definition eq_15_left (β : vec K) (π : nat -> nat -> K) (θ : vec K) : K :=
    dot d (mulv d L β) (vsub (ω M) θ) + sumX M (fun x => v_of M θ π x * ET M (mu_of β π) x).
  Definition eq_15_right (β : vec K) (π : nat -> nat -> K) (θ : vec K) : K :=
    (1 - γ) * sumX M (fun x => ν0 M x * v_of M θ π x)
    + dot d (mulv d L β) (bellman_gap (v_of M θ π) θ).

  (** The gradients of f. *)
  Definition g_theta (β : vec K) (π : nat -> nat -> K) : vec K := vsub (PhiT M (mu_of β π)) (mulv d L β).
  Definition g_beta (π : nat -> nat -> K) (θ : vec K) : vec K :=
    mulv d (transpose L) (bellman_gap (v_of M θ π) θ).

  (** β*: Λ^c β* = Φᵀ μ*, which may have a solution for singular Λ too … *)
  Definition is_beta_star (β : vec K) (μ : nat -> nat -> K) : Prop := veq d (mulv d L β) (PhiT M μ).
  (** … and β* = Λ^{−c} Φᵀ μ*, with [Linv] for Λ^{−c}. *)
  Definition beta_star (Linv : mat K) (μ : nat -> nat -> K) : vec K := mulv d Linv (PhiT M μ).

  (** (16): the dynamic duality gap of iterates β_t, π_t, θ_t (t < T) against β*, π*, θ*_t. *)
  Definition gap (T : nat) (βs : nat -> vec K) (πs : nat -> nat -> nat -> K) (θs : nat -> vec K)
             (β' : vec K) (π' : nat -> nat -> K) (θ' : nat -> vec K) : K :=
    sum T (fun t => f β' π' (θs t) - f (βs t) (πs t) (θ' t)) / of_nat T.

  (** The three regrets of Lemma 4.2. *)
  Definition regret_theta T (βs : nat -> vec K) (πs : nat -> nat -> nat -> K) (θs θ' : nat -> vec K) : K :=
    sum T (fun t => dot d (vsub (θs t) (θ' t)) (g_theta (βs t) (πs t))) / of_nat T.
  Definition regret_beta T (βs : nat -> vec K) (πs : nat -> nat -> nat -> K) (θs : nat -> vec K) (β' : vec K) : K :=
    sum T (fun t => dot d (vsub β' (βs t)) (g_beta (πs t) (θs t))) / of_nat T.
  Definition regret_pi T (πs : nat -> nat -> nat -> K) (θs : nat -> vec K) (π' : nat -> nat -> K) (ν' : nat -> K) : K :=
    sum T (fun t => sumX M (fun x => ν' x *
      sum (nA M) (fun a => (π' x a - πs t x a) * dot d (φ M x a) (θs t)))) / of_nat T.

  (** ** Estimators, from one observation W *)

  Definition indicator (x y : nat) : K := if Nat.eqb x y then 1 else 0.

  (** (8) *)
  Definition mu_estimate (β : vec K) (π : nat -> nat -> K) (W : sample) : nat -> nat -> K := fun x a =>
    π x a * ((1 - γ) * indicator (x0 W) x
             + γ * dot d (φ M (state W) (action W)) (mulv d N β) * indicator (next W) x).

  (** (9) *)
  Definition beta_gradient (π : nat -> nat -> K) (θ : vec K) (W : sample) : vec K :=
    scale (reward M (state W) (action W) + γ * v_of M θ π (next W) - dot d (φ M (state W) (action W)) θ)
          (mulv d N (φ M (state W) (action W))).

  (** (10) in the form the proof of Lemma B.1 uses, φ⟨φ, Λ^{c−1}β⟩ … *)
  Definition theta_gradient (β : vec K) (π : nat -> nat -> K) (W : sample) : vec K :=
    vsub (PhiT M (mu_estimate β π W))
         (scale (dot d (φ M (state W) (action W)) (mulv d N β)) (φ M (state W) (action W))).
  (** … and as printed, Λ^{c−1}φ⟨φ, β⟩ (erratum 1). *)
  Definition theta_gradient_printed (β : vec K) (π : nat -> nat -> K) (W : sample) : vec K :=
    vsub (PhiT M (mu_estimate β π W))
         (scale (dot d (φ M (state W) (action W)) β) (mulv d N (φ M (state W) (action W)))).
End Definitions.
