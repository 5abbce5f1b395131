(** * Λ^{1/2}, Λ^{−1/2} and β* for any Λ, invertible or not (proofs)

    N is the Moore–Penrose inverse of L = Λ^{1/2}.  Then N plays Λ^{c−1} at c = 1/2, and whatever the data covers is in the range of Λ. *)

From Coq Require Import Ring Field Lia Arith Setoid Morphisms Reals Lra.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Coverage Spectral DoubleLoop.
Local Open Scope K_scope.

#[local] Instance meq_Equivalence {K : ofield} d : Equivalence (@meq K d).
Proof.
  split; [intros A i j _ _; reflexivity | intros A B H i j Hi Hj; symmetry; auto |].
  intros A B C H H' i j Hi Hj. rewrite H by assumption. auto.
Qed.

#[local] Instance mmul_Proper {K : ofield} d : Proper (meq d ==> meq d ==> meq d) (@mmul K d).
Proof. intros A A' H B B' H'. now apply mmul_ext. Qed.

Section Half.
  Context {K : ofield} (d : nat) (Λ L N : mat K).
  Add Field K_field : (field_laws K).
  Hypothesis root : is_root d Λ L.
  Hypothesis inverse : pseudo_inverse d L N.

  Lemma assoc (A B C : mat K) : meq d (mmul d (mmul d A B) C) (mmul d A (mmul d B C)).
  Proof. intros i j _ _. apply mmul_assoc. Qed.

  Lemma half_powers : powers d Λ L N.
  Proof.
    destruct root as (_ & _ & Sq). destruct inverse as (SN & C & LNL & _). split; [exact SN|]. split.
    - rewrite <- Sq, assoc, C. exact LNL.
    - rewrite <- Sq, <- assoc, <- C, assoc. exact LNL.
  Qed.

  (** NL, the projection onto the range of Λ *)
  Notation P := (mmul d N L).

  Lemma half_sandwich : meq d (sandwich d Λ N) P.
  Proof. unfold sandwich. now rewrite (proj1 (proj2 half_powers)). Qed.

  Lemma quad_of_square (A : mat K) u : symmetric d A -> quad d u (mmul d A A) u = norm2 d (mulv d A u).
  Proof.
    intros S. unfold quad. rewrite (dot_ext d u u _ (mulv d A (mulv d A u)) (fun _ _ => eq_refl)) by (intros i Hi; now apply mulv_mmul).
    rewrite dot_mulv. apply dot_ext; [apply mulv_ext; [exact S | intros i _; reflexivity] | intros i _; reflexivity].
  Qed.

  Lemma range_symmetric : symmetric d P.
  Proof.
    destruct root as (SL & _ & _). destruct inverse as (SN & C & _). intros i j Hi Hj. rewrite <- (C i j Hi Hj).
    unfold transpose, mmul. apply sum_ext. intros k Hk. rewrite <- (SL k i Hk Hi), <- (SN j k Hj Hk). unfold transpose. ring.
  Qed.

  Lemma range_idempotent : meq d (mmul d P P) P.
  Proof. destruct inverse as (_ & _ & LNL & _). now rewrite assoc, LNL. Qed.

  (** It does not lengthen … *)
  Lemma range_bound u : quad d u P u <= norm2 d u.
  Proof.
    assert (E : quad d u P u = norm2 d (mulv d P u)).
    { rewrite <- (quad_of_square P u range_symmetric). symmetry. apply quad_ext. exact range_idempotent. }
    apply le_by_sub with (norm2 d (vsub u (mulv d P u))); [|apply norm2_nonneg].
    unfold norm2 in *. rewrite !dot_vsub_l, !dot_vsub_r, (dot_comm d (mulv d P u) u). change (dot d u (mulv d P u)) with (quad d u P u).
    rewrite <- E. ring.
  Qed.

  (** … and its trace is at most d. *)
  Lemma range_trace : trace d P <= of_nat d.
  Proof.
    apply le_trans with (sum d (fun _ => 1)); [|rewrite sum_const; apply le_eq; ring].
    apply sum_le. intros i Hi. rewrite <- (quad_unit d P i i Hi Hi). eapply le_trans; [apply range_bound|]. apply le_eq.
    unfold norm2, dot, unit, identity. rewrite (sum_delta d i (fun j => if Nat.eqb j i then 1 else 0) Hi). now rewrite Nat.eqb_refl.
  Qed.
End Half.

(** N² is the Moore–Penrose inverse of Λ = L². *)
Lemma square_pseudo_inverse {K : ofield} d (Λ L N : mat K) : is_root d Λ L -> pseudo_inverse d L N -> pseudo_inverse d Λ (mmul d N N).
Proof.
  intros R I. pose proof (half_powers d Λ L N R I) as (SN & ΛN & NΛ). destruct I as (_ & C & LNL & NLN).
  assert (A : meq d (mmul d Λ (mmul d N N)) (mmul d L N)) by (rewrite <- assoc, ΛN; reflexivity).
  assert (B : meq d (mmul d (mmul d N N) Λ) (mmul d N L)) by (rewrite assoc, NΛ; reflexivity).
  split; [|split; [|split]].
  - intros i j Hi Hj. unfold transpose, mmul. apply sum_ext. intros k Hk. rewrite <- (SN j k Hj Hk), <- (SN k i Hk Hi). unfold transpose.
    apply (Rmul_comm (F_R (field_laws K))).
  - now rewrite A, B.
  - rewrite B, <- assoc, ΛN. apply R.
  - rewrite A, assoc, NLN. reflexivity.
Qed.

(** ** Partial coverage *)
Section Coverage.
  Context {K : ofield} (M : linear_mdp K) (μB : nat -> nat -> K) (L N : mat K).
  Add Field K_field' : (field_laws K).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Hypothesis behaviour : is_measure M μB.
  Hypothesis root : is_root d Λ L.
  Hypothesis inverse : pseudo_inverse d L N.

  (** A direction that the data does not see is one in which ⟨φ, ·⟩ vanishes on the data. *)
  Lemma unseen y x a : quad d y Λ y = 0 -> (x < nS M)%nat -> (a < nA M)%nat -> μB x a = 0 \/ dot d (φ M x a) y = 0.
  Proof.
    intros Z Hx Ha. rewrite quad_covariance in Z. destruct behaviour as [P _].
    assert (Nn : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= μB x a * (dot d (φ M x a) y)²)
      by (intros; apply mul_nonneg; [auto | apply sq_nonneg]).
    assert (Row : sum (nA M) (fun a => μB x a * (dot d (φ M x a) y)²) = 0).
    { apply (sum_zero_terms (nS M) (fun x => sum (nA M) (fun a => μB x a * (dot d (φ M x a) y)²)));
        [intros; apply sum_nonneg; auto | apply le_eq; exact Z | exact Hx]. }
    assert (T : μB x a * (dot d (φ M x a) y)² = 0)
      by (apply (sum_zero_terms (nA M) (fun a => μB x a * (dot d (φ M x a) y)²)); [auto | now apply le_eq | exact Ha]).
    destruct (mul_zero _ _ T) as [E|E]; [now left | right]. destruct (mul_zero _ _ E) as [F|F]; exact F.
  Qed.

  Variable μ : nat -> nat -> K.
  Hypothesis covered : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> μB x a = 0 -> μ x a = 0.

  (** Φᵀμ is in the range of Λ. *)
  Lemma covered_range : veq d (mulv d (mmul d N L) (PhiT M μ)) (PhiT M μ).
  Proof.
    set (P := mmul d N L). set (p := PhiT M μ).
    assert (H : forall z, dot d z (mulv d P p) = dot d z p).
    { intros z. set (w := vsub z (mulv d P z)).
      assert (Lw : veq d (mulv d L w) vzero).
      { destruct inverse as (_ & _ & LNL & _). intros i Hi. unfold w, mulv at 1, vsub. rewrite (sum_ext d _ (fun j => L i j * z j - L i j * mulv d P z j)) by (intros; ring).
        rewrite sum_sub. change (mulv d L z i - mulv d L (mulv d P z) i = 0).
        rewrite <- (mulv_mmul d L P z i Hi), (mulv_ext d (mmul d L P) L z z LNL (fun _ _ => eq_refl) i Hi). ring. }
      assert (Q : quad d w Λ w = 0).
      { destruct root as (SL & _ & Sq). rewrite <- (quad_ext d _ _ w w Sq), quad_of_square by exact SL.
        rewrite (norm2_ext d _ _ Lw). apply sum_zero. intros. unfold vzero. ring. }
      assert (W : dot d w p = 0).
      { unfold p. rewrite dot_PhiT. apply sum_zero. intros x Hx. apply sum_zero. intros a Ha.
        destruct (unseen w x a Q Hx Ha) as [E|E]; [rewrite (covered x a Hx Ha E) | rewrite E]; ring. }
      rewrite dot_mulv. rewrite (dot_ext d _ (mulv d P z) p p); [| | intros i _; reflexivity].
      - unfold w in W. rewrite dot_vsub_l in W. replace (dot d z p) with (dot d z p - dot d (mulv d P z) p + dot d (mulv d P z) p) by ring.
        rewrite W. ring.
      - apply mulv_ext; [exact (range_symmetric d Λ L N root inverse) | intros i _; reflexivity]. }
    intros i Hi. specialize (H (unit i)). unfold dot, unit, identity in H.
    rewrite (sum_delta d i (mulv d P p) Hi), (sum_delta d i p Hi) in H. exact H.
  Qed.

  (** c = 1/2: β* = Λ^{−1/2}Φᵀμ … *)
  Lemma covered_half : is_beta_star M L (beta_star M N μ) μ.
  Proof.
    intros i Hi. rewrite <- covered_range by exact Hi. unfold beta_star. rewrite <- (mulv_mmul d L N _ i Hi).
    apply mulv_ext; [apply inverse | intros j _; reflexivity | exact Hi].
  Qed.

  (** … and c = 1: β* = Λ^{−1}Φᵀμ. *)
  Lemma covered_one : is_beta_star M Λ (beta_star M (mmul d N N) μ) μ.
  Proof.
    intros i Hi. rewrite <- covered_range by exact Hi. unfold beta_star. rewrite <- (mulv_mmul d Λ (mmul d N N) _ i Hi).
    apply mulv_ext; [| intros j _; reflexivity | exact Hi].
    destruct root as (_ & _ & Sq). destruct inverse as (_ & C & LNL & _).
    rewrite <- assoc, (proj1 (proj2 (half_powers d Λ L N root inverse))). exact C.
  Qed.

  Lemma inverse_symmetric : symmetric d (mmul d N N).
  Proof.
    destruct inverse as (SN & _). intros i j Hi Hj. unfold transpose, mmul. apply sum_ext. intros k Hk.
    rewrite <- (SN j k Hj Hk), <- (SN k i Hk Hi). unfold transpose. ring.
  Qed.
End Coverage.

(** ** Over the reals the root exists. *)
Lemma root_exists d (Λ : mat RK) : symmetric d Λ -> semidefinite d Λ -> exists L N, is_root d Λ L /\ pseudo_inverse d L N.
Proof.
  intros S P. destruct (spectral_theorem d Λ S P) as (k & λ & u & Hk & O & Pλ & E).
  set (r := fun i => sqrt (λ i) : RK). set (n := fun i => (/ sqrt (λ i))%R : RK).
  assert (Pr : forall i, (i < k)%nat -> (0 < sqrt (λ i))%R) by (intros; now apply sqrt_lt_R0, Pλ).
  exists (spectrum k r u), (spectrum k n u). split; [split; [|split] | split; [|split; [|split]]].
  - apply spectrum_symmetric.
  - apply spectrum_semidefinite. intros i Hi. apply Rlt_le, Pr, Hi.
  - rewrite spectrum_mul by exact O. rewrite E. apply spectrum_ext. intros i Hi. apply sqrt_sqrt. apply Rlt_le. auto.
  - apply spectrum_symmetric.
  - rewrite !spectrum_mul by exact O. apply spectrum_ext. intros i Hi. exact (Rmult_comm _ _).
  - rewrite !spectrum_mul by exact O. apply spectrum_ext. intros i Hi. unfold r, n. specialize (Pr i Hi).
    change ((sqrt (λ i) * (/ sqrt (λ i) * sqrt (λ i)))%R = sqrt (λ i)). field. lra.
  - rewrite !spectrum_mul by exact O. apply spectrum_ext. intros i Hi. unfold r, n. specialize (Pr i Hi).
    change ((/ sqrt (λ i) * (sqrt (λ i) * / sqrt (λ i)))%R = (/ sqrt (λ i))%R). field. lra.
Qed.
