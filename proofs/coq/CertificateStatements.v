(** * What it means that a certificate is accepted

    Two claims, one per setting, about every certificate in which [check] (Certificate.v) finds no failure; CertificateSound.v
    proves them under the same names in lower case, CertificateReals.v the two at the end.  To vet them, read this file, the
    types at the head of Certificate.v, Mdp.v and the first page of Average.v: what [check] does cannot change what is claimed.

    As in Statements.v, K is any ordered field: the best policy is the best of all policies with probabilities in K, so
    over the reals the best of all.  v^π exists and is unique by [Section_2_values]. *)

From Coq Require Import ZArith QArith List Reals.
From OPD Require Import OrderedField Sums Mdp Average Certificate.
Import ListNotations.
Local Open Scope K_scope.

Section Meaning.
  Context (K : ofield).

  (** An integer and a fraction, in the field. *)
  Definition of_Z (z : Z) : K := of_nat (Z.to_nat z) - of_nat (Z.to_nat (- z)).
  Definition of_Q (q : Q) : K := of_Z (Qnum q) / of_Z (Zpos (Qden q)).
  Definition vector (l : list Q) : vec K := fun i => of_Q (nth i l 0%Q).
  Definition table (l : list (list Q)) : nat -> nat -> K := fun i j => of_Q (nth j (nth i l []) 0%Q).

  (** The certificate's model.  Without discount, nothing looks at γ and ν₀. *)
  Definition mdp_of (c : certificate) : linear_mdp K :=
    LinearMDP K (states (the_model c)) (actions (the_model c)) (dimension (the_model c))
      (match the_setting c with Discounted discount _ => of_Q discount | Average => 0 end)
      (match the_setting c with Discounted _ initial => vector initial | Average => vzero end)
      (fun x => table (nth x (features (the_model c)) []))
      (table (psi (the_model c)))
      (vector (omega (the_model c))).

  (** π_t, t < T: each policy played as often as the certificate says. *)
  Definition run (c : certificate) : list witness :=
    flat_map (fun p => repeat (snd p) (Pos.to_nat (fst p))) (played c).
  Definition policy_at (c : certificate) (t : nat) : nat -> nat -> K := table (policy (nth t (run c) (best c))).

  Definition holds (c : claim) (ρ : K) : Prop :=
    match c with Exactly s => ρ = of_Q s | Between lo hi => of_Q lo <= ρ <= of_Q hi end.

  Section Best.
    Context (M : linear_mdp K).

    (** ρ(π) = (1−γ)⟨ν₀, v^π⟩ *)
    Definition return_is (π : nat -> nat -> K) (ρ : K) : Prop := exists v, is_value M π v /\ ρ = return_of_value M v.

    (** ρ(π) = ⟨r, π∘ν⟩ for a stationary distribution ν of π. *)
    Definition gain_is (π : nat -> nat -> K) (ρ : K) : Prop :=
      exists ν, (forall x, (x < nS M)%nat -> 0 <= ν x) /\ is_stationary M π ν /\ ρ = return_of_measure M (compose π ν).

    (** [ρ_is] is one of these two.  The best return: no policy's is greater, and no smaller number is so. *)
    Definition none_above (ρ_is : (nat -> nat -> K) -> K -> Prop) (b : K) : Prop :=
      forall π ρ, is_policy M π -> ρ_is π ρ -> ρ <= b.
    Definition best_is (ρ_is : (nat -> nat -> K) -> K -> Prop) (ρ : K) : Prop :=
      none_above ρ_is ρ /\ forall b, none_above ρ_is b -> ρ <= b.
    Definition attained (ρ_is : (nat -> nat -> K) -> K -> Prop) (ρ : K) : Prop := exists π, is_policy M π /\ ρ_is π ρ.
  End Best.

  (** (1/T) Σ_t (ρ* − ρ_t) *)
  Definition average_loss (T : nat) (ρ' : K) (ρ : nat -> K) : K := sum T (fun t => ρ' - ρ t) / of_nat T.
End Meaning.

(** [T] policies, on a model as in Definition 2.1. *)
Definition sensible (K : ofield) (c : certificate) (T : nat) : Prop :=
  is_mdp (mdp_of K c) /\ T <> O /\ T = length (run c) /\
  forall t, (t < T)%nat -> is_policy (mdp_of K c) (policy_at K c t).

Definition Accepted_discounted : Prop := forall (K : ofield) (c : certificate) discount initial,
  check c = None -> the_setting c = Discounted discount initial ->
  let M := mdp_of K c in
  let T := Pos.to_nat (iterations c) in
  sensible K c T /\ is_discounted M /\
  exists ρ' ρ, best_is K M (return_is K M) ρ' /\ attained K M (return_is K M) ρ' /\
    (forall t, (t < T)%nat -> return_is K M (policy_at K c t) (ρ t)) /\
    holds K (optimum c) ρ' /\
    holds K (suboptimality c) (average_loss K T ρ' ρ).

(** Every policy has a gain.  It may have several, with several stationary distributions: the claims hold for all. *)
Definition Accepted_average : Prop := forall (K : ofield) (c : certificate),
  check c = None -> the_setting c = Average ->
  let M := mdp_of K c in
  let T := Pos.to_nat (iterations c) in
  sensible K c T /\
  (forall π, is_policy M π -> exists ρ, gain_is K M π ρ) /\
  (forall ρ' ρ, best_is K M (gain_is K M) ρ' -> (forall t, (t < T)%nat -> gain_is K M (policy_at K c t) (ρ t)) ->
    holds K (optimum c) ρ' /\
    holds K (suboptimality c) (average_loss K T ρ' ρ)) /\
  (forall s, optimum c = Exactly s ->
    best_is K M (gain_is K M) (of_Q K s) /\ attained K M (gain_is K M) (of_Q K s)).

(** Over the reals the best gain always exists, and a fraction is the real number that it is. *)
Definition Accepted_average_reals : Prop := forall c : certificate,
  check c = None -> the_setting c = Average -> exists ρ', best_is RK (mdp_of RK c) (gain_is RK (mdp_of RK c)) ρ'.

Definition Fractions_of_reals : Prop := forall q : Q, of_Q RK q = (IZR (Qnum q) / IZR (Zpos (Qden q)))%R.
