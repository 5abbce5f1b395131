(** * The rounding term of Theorem A.1 (definitions)

    From the sizes of a run of Algorithm 1, the errors its floating-point steps may have, and what they add to the bound.
    Each line is one line of `rounding_term` in the library.  u = 2^−53, ε = 2u. *)

From Coq Require Import Reals ZArith.
From Flocq Require Import Core.
From OPD Require Import OrderedField Mdp Perturbed1 FloatProjection FloatVectors.
Local Open Scope R_scope.

(** A run: d, |A|, K and T; the rates; the radii; D_φ; ν with ‖|Λ^{c−1}||v|‖ ≤ ν‖v‖ (1 at c = 1, else the Frobenius norm will
    do); e_Λ, the error of the matrix that the program holds, in operator norm (0 at c = 1); e_exp, the exponential's relative error. *)
Record sizes := Sizes { s_d : nat; s_A : nat; s_K : nat; s_T : nat;
  s_α : R; s_ζ : R; s_η : R; s_Dθ : R; s_Dβ : R; s_Dφ : R; s_ν : R; s_eΛ : R; s_exp : R }.

Section Definitions.
  Variable r : sizes.
  Notation A := (INR (s_A r)). Notation K := (INR (s_K r)). Notation T := (INR (s_T r)).
  Notation α := (s_α r). Notation ζ := (s_ζ r). Notation η := (s_η r).
  Notation Dθ := (s_Dθ r). Notation Dβ := (s_Dβ r). Notation Dφ := (s_Dφ r).
  Notation ν := (s_ν r). Notation eΛ := (s_eΛ r).

  (** m and m_A: the roundings a term of an inner product of d, or of |A|, terms meets. *)
  Definition m_d : R := INR (3 + chunks (s_d r)).
  Definition m_A : R := INR (3 + chunks (s_A r)).
  (** No iterate leaves its ball by more than 1/1024 of the radius. *)
  Definition B_θ : R := Dθ * (1 + / 1024).
  Definition B_β : R := Dβ * (1 + / 1024).

  (** Σθ and the policy. *)
  Definition e_Σ : R := ε * T * B_θ.
  Definition b_Σ : R := T * (B_θ + e_Σ).                                    (* ‖Σθ‖ *)
  Definition b_z : R := α * (Dφ * b_Σ).                                     (* the logits *)
  Definition e_z : R := (m_d + 2) * ε * b_z.
  Definition e_l : R := e_z + ε * (2 * (b_z + e_z)).                        (* … less the greatest *)
  Definition e_π : R := 2 * (2 * e_l + s_exp r * (1 + 2 * e_l) + ε).
  Definition e_1 : R := (A + 2) * ε.                                        (* |Σ_a π(a|x) − 1| as computed *)

  (** (Λ^{c−1}v)·s, relative to ‖v‖|s|, and ⟨φ, Λ^{c−1}β⟩. *)
  Definition e_N : R := (m_d + 2) * ε * ν + eΛ.
  Definition b_N : R := (1 + (m_d + 2) * ε) * ν.
  Definition b_w : R := (1 + m_d * ε) * (Dφ * (b_N * B_β)).
  Definition e_w : R := m_d * ε * (Dφ * (b_N * B_β)) + Dφ * (e_N * B_β).

  (** g̃_θ and a step of θ. *)
  Definition b_c : R := (1 + ε) * (1 + b_w).                                (* 1 − γ and γw *)
  Definition e_c : R := ε * (1 + b_w) + e_w.
  Definition b_f : R := (1 + e_1) * (Dφ * b_c).                             (* Φᵀμ *)
  Definition e_f : R := (2 * A + 2) * ε * b_f + Dφ * (e_1 * b_c + e_c).
  Definition b_g : R := (1 + (2 * A + 2) * ε) * b_f + (1 + ε) * (Dφ * b_w).
  Definition e_g : R := e_f + ε * (Dφ * b_w) + Dφ * e_w + ε * b_g.
  Definition b_y : R := B_θ + (1 + ε) * ((1 + ε) * b_g * η).                (* θ − ηg *)
  Definition e_θ : R := e_g * η + ε * ((1 + ε) * b_g * η) + ε * b_y + (m_d + 8) * ε * Dθ.
  Definition e_avg : R := if Nat.eqb (s_K r) 1 then 0 else (K + 3) * ε * B_θ.

  (** v(X'), R + γv(X') − ⟨φ,θ⟩, g̃_β and a step of β. *)
  Definition b_q : R := (1 + m_d * ε) * (Dφ * B_θ).                         (* ⟨φ,θ⟩ *)
  Definition b_v : R := (1 + m_A * ε) * ((1 + e_1) * b_q).
  Definition e_v : R := m_A * ε * ((1 + e_1) * b_q) + (1 + e_1) * (m_d * ε * (Dφ * B_θ)) + e_1 * (Dφ * B_θ).
  Definition b_r : R := 1 + (1 + ε) * b_v.                                  (* R + γv *)
  Definition b_t : R := (1 + ε) * b_r + b_q.
  Definition e_t : R := e_v + ε * b_v + ε * b_r + m_d * ε * (Dφ * B_θ) + ε * b_t.
  Definition b_h : R := b_N * (Dφ * ((1 + ε) * b_t)).                       (* g̃_β *)
  Definition e_h : R := e_N * (Dφ * ((1 + ε) * b_t)) + (ν + eΛ) * Dφ * e_t.
  Definition b_x : R := B_β + (1 + ε) * (b_h * ζ).                          (* β + ζg *)
  Definition e_β : R := e_h * ζ + ε * (b_h * ζ) + ε * b_x + (m_d + 8) * ε * Dβ.

  Definition rounding_errors : errors := Errors e_θ e_avg e_β e_Σ e_π.

  (** What a run must satisfy: a check of numbers that are known before it starts. *)
  Definition between (x : R) : Prop := bpow radix2 (-100) <= x <= bpow radix2 100.
  Definition in_float_range : Prop :=
    (0 < s_A r /\ 0 < s_K r /\ 0 < s_T r)%nat /\
    (Z.of_nat (s_d r) <= 2 ^ 28 /\ Z.of_nat (s_A r) <= 2 ^ 28 /\ Z.of_nat (s_K r) <= 2 ^ 28 /\ Z.of_nat (s_T r) <= 2 ^ 28)%Z /\
    (between α /\ between ζ /\ between η /\ between Dθ /\ between Dβ /\ between Dφ /\ between ν) /\
    0 <= eΛ <= ν /\ 0 <= s_exp r <= / 8 /\
    e_l <= / 8 /\ e_θ + 2 * e_avg <= Dθ / 1024 /\ e_β <= Dβ / 1024.
End Definitions.

(** The rounding term: what floating point adds to the six terms of Theorem A.1. *)
Definition rounding_term (M : linear_mdp RK) (λ Tr : R) (r : sizes) : R :=
  perturbation_A_1 M (s_Dθ r) (s_Dβ r) (s_Dφ r) λ Tr (s_α r) (s_ζ r) (s_η r) (s_K r) (rounding_errors r).
