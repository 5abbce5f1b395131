(** * Section 5 and Appendix C: the average-reward objects (definitions)

    The same linear MDP without discount and initial distribution, and ϱ with Φϱ = 1 (Assumption 5.2).
    [L] stands for Λ^c and [N] for Λ^{c−1}, as in the discounted setting. *)

From OPD Require Import OrderedField Sums Expect Mdp.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K) (ϱ : vec K) (L N : mat K).
  Notation d := (dim M).

  (** Assumption 5.2 *)
  Definition is_ones : Prop := forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) ϱ = 1.

  (** ρ^π and v^π solve Bellman's equations v = Σ_a π q, q = r − ρ1 + Pv … *)
  Definition bias_q (ρ : K) (v : nat -> K) (x a : nat) : K :=
    reward M x a - ρ + sumX M (fun x' => trans M x a x' * v x').
  Definition is_bias (π : nat -> nat -> K) (ρ : K) (v : nat -> K) : Prop :=
    forall x, (x < nS M)%nat -> v x = sum (nA M) (fun a => π x a * bias_q ρ v x a).

  (** … and ν^π is stationary: ν = Pᵀ(π∘ν), Σν = 1. *)
  Definition is_stationary (π : nat -> nat -> K) (ν : nat -> K) : Prop :=
    (forall x, (x < nS M)%nat -> ν x = sumXA M (fun y a => trans M y a x * compose π ν y a)) /\ sumX M ν = 1.

  (** ω + Ψv − θ − ρϱ *)
  Definition average_gap (v : nat -> K) (θ : vec K) (ρ : K) : vec K :=
    fun i => ω M i + Psi M v i - θ i - ρ * ϱ i.

  (** The Lagrangian in λ, both forms; the second with the ⟨λ, ω⟩ that the print drops (erratum 10). *)
  Definition average_lagrangian_value (l : vec K) (μ : nat -> nat -> K) (ρ : K) (v : nat -> K) (θ : vec K) : K :=
    ρ + dot d l (average_gap v θ ρ) + sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)).
  Definition average_lagrangian_measure (l : vec K) (μ : nat -> nat -> K) (ρ : K) (v : nat -> K) (θ : vec K) : K :=
    dot d l (ω M) + ρ * (1 - dot d l ϱ) + dot d θ (vsub (PhiT M μ) l)
    + sumX M (fun x => v x * (PsiT M l x - ET M μ x)).

  Definition average_mu (β : vec K) (π : nat -> nat -> K) : nat -> nat -> K :=
    fun x a => π x a * PsiT M (mulv d L β) x.

  (** f(β,π;ρ,θ): the Lagrangian at v_{θ,π}, μ_{β,π}, and its short form. *)
  Definition average_f_long (β : vec K) (π : nat -> nat -> K) (ρ : K) (θ : vec K) : K :=
    ρ + dot d β (mulv d (transpose L) (average_gap (v_of M θ π) θ ρ))
    + sumXA M (fun x a => average_mu β π x a * (dot d (φ M x a) θ - v_of M θ π x)).
  Definition average_f (β : vec K) (π : nat -> nat -> K) (ρ : K) (θ : vec K) : K :=
    ρ + dot d β (mulv d (transpose L) (average_gap (v_of M θ π) θ ρ)).

  Definition average_g_beta (π : nat -> nat -> K) (ρ : K) (θ : vec K) : vec K :=
    mulv d (transpose L) (average_gap (v_of M θ π) θ ρ).
  Definition average_g_rho (β : vec K) : K := 1 - dot d β (mulv d (transpose L) ϱ).
  Definition average_g_theta (β : vec K) (π : nat -> nat -> K) : vec K :=
    vsub (PhiT M (average_mu β π)) (mulv d L β).

  (** The dynamic duality gap of iterates (t < T) against comparators. *)
  Definition average_duality_gap (T : nat) (βs : nat -> vec K) (πs : nat -> nat -> nat -> K)
      (ρs : nat -> K) (θs : nat -> vec K) (β' : vec K) (π' : nat -> nat -> K) (ρ' : nat -> K) (θ' : nat -> vec K) : K :=
    sum T (fun t => average_f β' π' (ρs t) (θs t) - average_f (βs t) (πs t) (ρ' t) (θ' t)) / of_nat T.

  (** ** Estimators, from one transition (X, A, X') and A' ~ π(·|X') *)
  Record transition := Transition { t_state : nat; t_action : nat; t_next : nat; t_next_action : nat }.

  Definition transition_law (μB : nat -> nat -> K) (π : nat -> nat -> K) : law K transition :=
    bind (draw_pair M μB) (fun xa =>
    bind (draw (nS M) (trans M (fst xa) (snd xa))) (fun x' =>
    bind (draw (nA M) (π x')) (fun a' =>
    dirac (Transition (fst xa) (snd xa) x' a')))).

  Definition average_beta_gradient (π : nat -> nat -> K) (ρ : K) (θ : vec K) (W : transition) : vec K :=
    scale (reward M (t_state W) (t_action W) + v_of M θ π (t_next W)
           - dot d (φ M (t_state W) (t_action W)) θ - ρ)
          (mulv d N (φ M (t_state W) (t_action W))).
  Definition average_rho_gradient (β : vec K) (W : transition) : K :=
    1 - dot d (φ M (t_state W) (t_action W)) (mulv d N β).
  Definition average_theta_gradient (β : vec K) (W : transition) : vec K :=
    let s := dot d (φ M (t_state W) (t_action W)) (mulv d N β) in
    vsub (scale s (φ M (t_next W) (t_next_action W))) (scale s (φ M (t_state W) (t_action W))).
End Definitions.
