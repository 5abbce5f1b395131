(** * Section 2: linear MDPs, policies, values and occupancies (definitions)

    States are x < nS, actions a < nA, features φ(x,a) ∈ K^d.  A policy is a function [π x a], read π(a|x);
    a state-action measure is a function [μ x a].  [M] is usually left to be inferred. *)

From Coq Require Import List.
From OPD Require Import OrderedField Sums Expect.
Import ListNotations.
Local Open Scope K_scope.

(** Definition 2.1.  Rewards and transitions are what ω, ψ and φ make them: r = Φω, P = ΦΨ. *)
Record linear_mdp (K : ofield) := LinearMDP {
  nS : nat;  nA : nat;  dim : nat;
  γ : K;                      (* discount; the average-reward setting does not look at it *)
  ν0 : vec K;                 (* initial-state distribution; likewise *)
  φ : nat -> nat -> vec K;    (* φ x a : the feature vector of (x,a) *)
  ψ : nat -> vec K;
  ω : vec K }.

Arguments nS {K}. Arguments nA {K}. Arguments dim {K}. Arguments γ {K}. Arguments ν0 {K}.
Arguments φ {K}. Arguments ψ {K}. Arguments ω {K}.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K).
  Notation d := (dim M).

  (** Σ_x and Σ_{x,a}. *)
  Definition sumX (f : nat -> K) : K := sum (nS M) f.
  Definition sumXA (f : nat -> nat -> K) : K := sum (nS M) (fun x => sum (nA M) (fun a => f x a)).

  Definition reward (x a : nat) : K := dot d (φ M x a) (ω M).
  Definition trans (x a x' : nat) : K := dot d (φ M x a) (ψ M x').

  (** p(·|x,a) is a distribution and rewards lie in [0,1]. *)
  Definition is_mdp : Prop :=
    (forall x a x', (x < nS M)%nat -> (a < nA M)%nat -> (x' < nS M)%nat -> 0 <= trans x a x') /\
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> sumX (trans x a) = 1) /\
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= reward x a <= 1).

  (** 0 <= γ < 1 and ν₀ is a distribution. *)
  Definition is_discounted : Prop :=
    0 <= γ M /\ γ M < 1 /\ (forall x, (x < nS M)%nat -> 0 <= ν0 M x) /\ sumX (ν0 M) = 1.

  Definition is_policy (π : nat -> nat -> K) : Prop :=
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= π x a) /\
    (forall x, (x < nS M)%nat -> sum (nA M) (π x) = 1).

  (** A distribution on X×A, such as μ_B. *)
  Definition is_measure (μ : nat -> nat -> K) : Prop :=
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= μ x a) /\ sumXA μ = 1.

  (** Φ has full column rank. *)
  Definition full_rank : Prop :=
    forall y, (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) y = 0) -> veq d y vzero.

  (** The operators of Section 2: Φᵀμ, Eᵀμ, Ψv, Ψᵀλ, and π∘ν. *)
  Definition PhiT (μ : nat -> nat -> K) : vec K := fun i => sumXA (fun x a => μ x a * φ M x a i).
  Definition ET (μ : nat -> nat -> K) : nat -> K := fun x => sum (nA M) (fun a => μ x a).
  Definition Psi (v : nat -> K) : vec K := fun i => sumX (fun x => v x * ψ M x i).
  Definition PsiT (l : vec K) : nat -> K := fun x => dot d (ψ M x) l.
  Definition compose (π : nat -> nat -> K) (ν : nat -> K) : nat -> nat -> K := fun x a => π x a * ν x.

  (** v^π: the solution of Bellman's equation v = Σ_a π (r + γ P v);  q^π = r + γ P v^π  (1). *)
  Definition q_of (v : nat -> K) (x a : nat) : K := reward x a + γ M * sumX (fun x' => trans x a x' * v x').
  Definition is_value (π : nat -> nat -> K) (v : nat -> K) : Prop :=
    forall x, (x < nS M)%nat -> v x = sum (nA M) (fun a => π x a * q_of v x a).

  (** ν^π: the solution of the flow constraint ν = (1−γ)ν₀ + γ Pᵀ(π∘ν)  (1);  μ^π = π∘ν^π. *)
  Definition flow (μ : nat -> nat -> K) (x : nat) : K :=
    (1 - γ M) * ν0 M x + γ M * sumXA (fun y a => trans y a x * μ y a).
  Definition is_occupancy (π : nat -> nat -> K) (ν : nat -> K) : Prop :=
    forall x, (x < nS M)%nat -> ν x = flow (compose π ν) x.

  (** The normalised return, in both vector forms: (1−γ)⟨ν₀, v⟩ and ⟨r, μ⟩. *)
  Definition return_of_value (v : nat -> K) : K := (1 - γ M) * sumX (fun x => ν0 M x * v x).
  Definition return_of_measure (μ : nat -> nat -> K) : K := sumXA (fun x a => reward x a * μ x a).

  (** (3): θ^π = ω + γ Ψ v^π. *)
  Definition theta_of (v : nat -> K) : vec K := fun i => ω M i + γ M * Psi v i.

  (** (7): v_{θ,π}(x) = Σ_a π(a|x) ⟨φ(x,a), θ⟩. *)
  Definition v_of (θ : vec K) (π : nat -> nat -> K) (x : nat) : K :=
    sum (nA M) (fun a => π x a * dot d (φ M x a) θ).

  (** Λ = E_{μ_B} φφᵀ. *)
  Definition covariance (μB : nat -> nat -> K) : mat K :=
    fun i j => sumXA (fun x a => μB x a * (φ M x a i * φ M x a j)).

  (** The law of one observation W = (X⁰, X, A, X'); the reward is r(X,A). *)
  Record sample := Sample { x0 : nat; state : nat; action : nat; next : nat }.

  Definition draw_pair (μ : nat -> nat -> K) : law K (nat * nat) :=
    flat_map (fun x => map (fun a => (μ x a, (x, a))) (seq 0 (nA M))) (seq 0 (nS M)).

  Definition observation (μB : nat -> nat -> K) : law K sample :=
    bind (draw (nS M) (ν0 M)) (fun x0 =>
    bind (draw_pair μB) (fun xa =>
    bind (draw (nS M) (trans (fst xa) (snd xa))) (fun x' =>
    dirac (Sample x0 (fst xa) (snd xa) x')))).
End Definitions.
