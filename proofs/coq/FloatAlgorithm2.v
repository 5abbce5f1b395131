(** * Algorithm 2 as the program computes it, and its rounding term (definitions)

    src/average_reward, operation by operation, as FloatAlgorithm1.v does for Algorithm 1, from which it takes the policy and
    Λ^{c−1}v.  The rounding term is built on that of Rounding1.v. *)

From Coq Require Import List Reals Arith ZArith.
From OPD Require Import OrderedField Sums Expect Mdp Average Projection RealSums Runs DoubleLoop Algorithm2 Perturbed2.
From OPD Require Import FloatProjection FloatAverage FloatVectors FloatAlgorithm1 Rounding1.
Import ListNotations.
Local Open Scope R_scope.

Section Model.
  Variables (M : linear_mdp RK) (weight : option (mat RK)) (fexp : R -> R) (α ζ ξ η Dθ Dβ : R).
  Notation d := (dim M).

  (** w = ⟨φ, Λ^{c−1}β⟩ *)
  Definition float_w (s : state2) (W : transition) : R := inner d (φ M (t_state W) (t_action W)) (float_weighted M weight (a_beta s) 1).

  (** θ^{(i+1)} = Π(θ^{(i)} − (η·g)) with g = (w·φ') − (w·φ) *)
  Fixpoint float_iterate2 (s : state2) (F : list transition) : vec RK :=
    match F with
    | [] => a_theta s
    | W :: F => let w := float_w s W in
        let g i := rnd (rnd (φ M (t_next W) (t_next_action W) i * w) - rnd (φ M (t_state W) (t_action W) i * w)) in
        float_project d Dθ (fun i => rnd (float_iterate2 s F i - rnd (g i * η)))
    end.

  (** ρ^{(i+1)} = Π(ρ^{(i)} − (ξ·g)) with g = 1 − w *)
  Fixpoint float_rho_iterate (s : state2) (F : list transition) : R :=
    match F with
    | [] => a_rho s
    | W :: F => clip (K := RK) (rnd (float_rho_iterate s F - rnd (rnd (1 - float_w s W) * ξ)))
    end.

  Definition float_theta2 (s : state2) (F : list transition) : vec RK := fun i => float_mean (fun F => float_iterate2 s F i) F.
  Definition float_rho2 (s : state2) (F : list transition) : R := float_mean (float_rho_iterate s) F.

  (** R + v(X') − ⟨φ, θ⟩ − ρ *)
  Definition float_td2 (p : nat -> nat -> R) (θ : vec RK) (ρ : R) (W : transition) : R :=
    let v := inner (nA M) (p (t_next W)) (fun a => inner d (φ M (t_next W) a) θ) in
    rnd (rnd (rnd (reward M (t_state W) (t_action W) + v) - inner d (φ M (t_state W) (t_action W)) θ) - ρ).

  Definition float_beta2 (s : state2) (θ : vec RK) (ρ : R) (W : transition) : vec RK :=
    let g := float_weighted M weight (φ M (t_state W) (t_action W)) (float_td2 (float_probabilities M fexp α (a_theta_sum s)) θ ρ W) in
    float_project d Dβ (fun i => rnd (a_beta s i + rnd (g i * ζ))).

  (** [draw] is the law of A', which the program chooses by its own means from the probabilities it computed. *)
  Definition float_program2 (draw : state2 -> nat -> nat -> R) : program2 :=
    Program2 (fun s => float_policy M fexp α (a_theta_sum s)) draw float_iterate2 float_rho_iterate float_theta2 float_rho2 float_beta2
      (fun s θ i => rnd (a_theta_sum s i + θ i)).
End Model.

(** ** The errors of its steps.  e_A is the distance, in l¹, between the law of A' and the policy. *)
Section Rounding.
  Variables (r : sizes) (ξ eA : R).
  Notation η := (s_η r). Notation ζ := (s_ζ r). Notation Dφ := (s_Dφ r). Notation ν := (s_ν r). Notation eΛ := (s_eΛ r).

  Definition b_g2 : R := 2 * ((1 + ε) * (Dφ * b_w r)).                                (* g̃_θ *)
  Definition e_g2 : R := 2 * (ε * (Dφ * b_w r) + Dφ * e_w r) + ε * b_g2.
  Definition b_y2 : R := B_θ r + (1 + ε) * ((1 + ε) * b_g2 * η).
  Definition e_θ2 : R := e_g2 * η + ε * ((1 + ε) * b_g2 * η) + ε * b_y2 + (m_d r + 8) * ε * s_Dθ r.
  Definition b_ρ2 : R := 1 + (1 + ε) * (b_c r * ξ).                                   (* ρ − ξg̃_ρ *)
  Definition e_ρ2 : R := e_c r * ξ + ε * (b_c r * ξ) + ε * b_ρ2.
  Definition e_ρavg2 : R := if Nat.eqb (s_K r) 1 then 0 else (INR (s_K r) + 3) * ε.
  Definition b_s2 : R := (1 + ε) * (1 + b_v r) + b_q r.                               (* R + v − ⟨φ,θ⟩ *)
  Definition b_t2 : R := (1 + ε) * b_s2 + 1.                                          (* … − ρ *)
  Definition e_t2 : R := e_v r + ε * (1 + b_v r) + m_d r * ε * (Dφ * B_θ r) + ε * b_s2 + ε * b_t2.
  Definition b_h2 : R := b_N r * (Dφ * ((1 + ε) * b_t2)).                             (* g̃_β *)
  Definition e_h2 : R := e_N r * (Dφ * ((1 + ε) * b_t2)) + (ν + eΛ) * Dφ * e_t2.
  Definition b_x2 : R := B_β r + (1 + ε) * (b_h2 * ζ).
  Definition e_β2 : R := e_h2 * ζ + ε * (b_h2 * ζ) + ε * b_x2 + (m_d r + 8) * ε * s_Dβ r.

  Definition rounding_errors2 : errors2 := Errors2 e_θ2 (e_avg r) e_ρ2 e_ρavg2 e_β2 (e_Σ r) (e_π r) eA.

  (** A run in range: as for Algorithm 1, and the same for ξ and for these errors. *)
  Definition in_float_range2 : Prop :=
    in_float_range r /\ between ξ /\ e_θ2 + 2 * e_avg r <= s_Dθ r / 1024 /\ e_β2 <= s_Dβ r / 1024.
End Rounding.

(** A law of A' for every state, within e_A of the policy wherever the computed probabilities nearly sum to 1. *)
Definition draws_near (M : linear_mdp RK) (fexp : R -> R) (α eA : R) (draw : state2 -> nat -> nat -> R) : Prop :=
  forall s, let p := float_probabilities M fexp α (a_theta_sum s) in
  (forall x, (x < nS M)%nat -> (forall a, (a < nA M)%nat -> 0 <= p x a) /\ Rabs (rsum (nA M) (p x) - 1) <= INR (nA M + 2) * ε) ->
  is_policy M (draw s) /\
  forall x, (x < nS M)%nat -> rsum (nA M) (fun a => Rabs (float_policy M fexp α (a_theta_sum s) x a - draw s x a)) <= eA.

(** ** The draw A' ~ π(·|x): the first action whose cumulative probability exceeds U, else the last that has a positive one *)

Fixpoint last_positive (p : nat -> R) (n : nat) : nat :=
  match n with O => O | S n => if Rlt_dec 0 (p n) then n else last_positive p n end.

(** b(a) is the chance that U lies below the a-th cumulative sum: that sum itself, at most 1, for a uniform U on [0,1); up to 2^−53 off for
    a U of 53 random bits. *)
Definition cut_points (p : nat -> R) (n : nat) (b : nat -> R) : Prop :=
  b O = 0 /\ (forall a, (a < n)%nat -> b a <= b (S a)) /\ b n <= 1 /\
  forall a, (a <= n)%nat -> Rabs (b a - Rmin 1 (accumulate p a)) <= u.

Definition inverse_cdf (p : nat -> R) (n : nat) (b : nat -> R) (a : nat) : R :=
  b (S a) - b a + (if Nat.eqb a (last_positive p n) then 1 - b n else 0).

(** Cut points for the probabilities at every state of the run and of the MDP. *)
Definition cut_everywhere (M : linear_mdp RK) (fexp : R -> R) (α : R) (b : state2 -> nat -> nat -> R) : Prop :=
  forall s x, let p := float_probabilities M fexp α (a_theta_sum s) x in
  (x < nS M)%nat -> (forall a, (a < nA M)%nat -> 0 <= p a) -> cut_points p (nA M) (b s x).

(** What floating point adds to the eight terms of Theorem C.1. *)
Definition rounding_term2 (λ Tr : R) (r : sizes) (ξ eA : R) : R :=
  perturbation_C_1 (s_Dθ r) (s_Dβ r) (s_Dφ r) λ Tr (s_α r) (s_ζ r) ξ (s_η r) (s_K r) (rounding_errors2 r ξ eA).
