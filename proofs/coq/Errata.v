(** * What the paper prints and is not so

    Each [Definition] states that a printed claim fails, as an instance satisfying every hypothesis; the theorem below
    it exhibits the instance, in small rational numbers among the reals, and Coq does the arithmetic.  Numbers are those of the list of errata. *)

From Coq Require Import ZArith Reals Lra Lia.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted AppendixB Average Coverage Statements.
Local Open Scope K_scope.

(** A rational p/q. *)
Definition ratio (p : Z) (q : positive) : RK := (IZR p / IZR (Zpos q))%R.

(** c = 1/2: L = Λ^{1/2}, N = Λ^{−1/2}. *)
Definition half_powers (d : nat) (Λ L N : mat RK) : Prop :=
  symmetric d N /\ right_inverse d L N /\ right_inverse d N L /\ meq d (mmul d L L) Λ.

(** ** Erratum 1: the printed (10), Λ^{c−1}φ⟨φ,β⟩, breaks the second-moment bound G_θ² at c = 1/2 *)
Definition Erratum_1 : Prop := exists (M : linear_mdp RK) μB L N β π Dφ,
  estimators_setting M μB L N /\ half_powers (dim M) (covariance M μB) L N /\ is_policy M π /\ features_bounded M Dφ /\
  (1 + 1 + 1) * Dφ² * ((1 - γ M)² + (1 + (γ M)²) * quad (dim M) β (sandwich (dim M) (covariance M μB) N) β)
  < E (observation M μB) (fun W => norm2 (dim M) (theta_gradient_printed M N β π W)).

(** ** Erratum 2: (20) prints D_φ^{2(2c−1)}, which is 1 at c = 1/2, for Tr Λ^{2c−1} *)
Definition Erratum_2 : Prop := exists (M : linear_mdp RK) μB L N π θ Dφ Dθ,
  estimators_setting M μB L N /\ half_powers (dim M) (covariance M μB) L N /\ is_policy M π /\ features_bounded M Dφ /\
  norm2 (dim M) θ <= Dθ² /\
  (1 + 1 + 1) * (1 + (1 + (γ M)²) * (Dφ² * Dθ²))
  < E (observation M μB) (fun W => norm2 (dim M) (beta_gradient M N π θ W)).

(** ** Erratum 3: ‖Σ_x ψ(x)‖ <= D_ψ and ‖ω‖ <= D_ω do not give ‖θ^π‖ <= D_ω + D_ψ/(1−γ) *)
Definition Erratum_3 : Prop := exists (M : linear_mdp RK) π v Dω Dψ,
  is_mdp M /\ is_discounted M /\ full_rank M /\ is_policy M π /\ is_value M π v /\
  0 <= Dω /\ 0 <= Dψ /\ norm2 (dim M) (ω M) <= Dω² /\ norm2 (dim M) (fun i => sumX M (fun x => ψ M x i)) <= Dψ² /\
  (Dω + Dψ / (1 - γ M))² < norm2 (dim M) (theta_of M v).

(** ** Erratum 4: C_{φ,c} <= D_β does not put β* into the ball of radius D_β (here c = 1; C_{φ,c} = ‖β*‖²) *)
Definition Erratum_4 : Prop := exists (M : linear_mdp RK) μB Λinv π ν D,
  estimators_setting M μB (covariance M μB) identity /\ right_inverse (dim M) (covariance M μB) Λinv /\
  is_policy M π /\ is_occupancy M π ν /\
  coverage M Λinv (compose π ν) <= D /\ D² < norm2 (dim M) (beta_star M Λinv (compose π ν)).

(** ** Erratum 5: in the tabular case 1 + χ²(μ*‖μ_B) = Σ μ*²/μ_B is C_{φ,1/2} and not C_{φ,1} *)
Definition tabular (M : linear_mdp RK) : Prop :=
  dim M = (nS M * nA M)%nat /\
  forall x a i, (x < nS M)%nat -> (a < nA M)%nat -> (i < dim M)%nat -> φ M x a i = if Nat.eqb i (x * nA M + a) then 1 else 0.
Definition chi_square (M : linear_mdp RK) (μ' μB : nat -> nat -> RK) : RK :=
  sumXA M (fun x a => (μ' x a - μB x a)² / μB x a).
Definition Erratum_5 : Prop := exists (M : linear_mdp RK) μB L N Λinv μ',
  tabular M /\ is_measure M μB /\ is_measure M μ' /\ half_powers (dim M) (covariance M μB) L N /\
  right_inverse (dim M) (covariance M μB) Λinv /\
  1 + chi_square M μ' μB = coverage M N μ' /\ 1 + chi_square M μ' μB < coverage M Λinv μ'.

(** ** Erratum 6: C_{φ,1/2} is not always smaller than C_{φ,1} *)
Definition Erratum_6 : Prop := exists (M : linear_mdp RK) μB L N Λinv π ν,
  is_mdp M /\ is_discounted M /\ is_measure M μB /\ half_powers (dim M) (covariance M μB) L N /\
  right_inverse (dim M) (covariance M μB) Λinv /\ is_policy M π /\ is_occupancy M π ν /\
  coverage M Λinv (compose π ν) < coverage M N (compose π ν).

(** ** Erratum 10: without ⟨λ, ω⟩ the second form of Appendix C's Lagrangian is another function *)
Definition Erratum_10 : Prop := exists (M : linear_mdp RK) ϱ (l : vec RK) μ ρ v θ,
  is_mdp M /\ is_ones M ϱ /\
  average_lagrangian_value M ϱ l μ ρ v θ <>
  ρ * (1 - dot (dim M) l ϱ) + dot (dim M) θ (vsub (PhiT M μ) l) + sumX M (fun x => v x * (PsiT M l x - ET M μ x)).

(** * Proofs: the instances, and computation *)

Lemma strictly (x y : R) : (x < y)%R -> (x : RK) < y.
Proof. intros H. split; [now apply Rlt_le | intros E; rewrite E in H; now apply Rlt_irrefl in H]. Qed.

(** Evaluate everything but the arithmetic of the reals, and leave that to [lra]. *)
Ltac arithmetic := compute -[Rplus Rmult Rminus Ropp Rdiv Rinv IZR Rle Rlt]; lra.
Ltac computed_le := arithmetic.
Ltac computed_eq := arithmetic.
Ltac computed_lt := apply strictly; arithmetic.
Ltac computed := first [computed_lt | arithmetic].
(** Case analysis on indices below 4. *)
Ltac below x := destruct x as [|[|[|[|x]]]]; try (exfalso; simpl in *; lia).

(** One state, four nearly collinear features (1,1,1,1) + e_a/10; Λ = F²/4 for the symmetric F of the features. *)
Definition collinear : linear_mdp RK :=
  LinearMDP RK 1 4 4 (ratio 0 1) (fun _ => ratio 1 1)
    (fun _ a i => if Nat.eqb a i then ratio 11 10 else ratio 1 1) (fun _ _ => ratio 10 41) (fun _ => ratio 10 41).
Definition quarter : nat -> nat -> RK := fun _ _ => ratio 1 4.
Definition collinear_root : mat RK := fun i j => if Nat.eqb i j then ratio 11 20 else ratio 1 2.
Definition collinear_inverse_root : mat RK := fun i j => if Nat.eqb i j then ratio 620 41 else ratio (-200) 41.

Lemma collinear_mdp : is_mdp collinear.
Proof.
  split; [|split].
  - intros x a x' Hx Ha Hx'. below x. below x'. below a; computed.
  - intros x a Hx Ha. below x. below a; computed.
  - intros x a Hx Ha. below x. below a; split; computed.
Qed.

Lemma collinear_discounted : is_discounted collinear.
Proof. split; [computed|]. split; [computed_lt|]. split; [intros x Hx; below x; computed | computed]. Qed.

Lemma collinear_measure : is_measure collinear quarter.
Proof. split; [intros x a Hx Ha; below x; below a; computed | computed]. Qed.

Lemma collinear_half : half_powers 4 (covariance collinear quarter) collinear_root collinear_inverse_root.
Proof.
  split; [|split; [|split]]; intros i j Hi Hj; below i; below j; computed.
Qed.

Lemma collinear_setting : estimators_setting collinear quarter collinear_root collinear_inverse_root.
Proof.
  split; [exact collinear_mdp | split; [exact collinear_discounted | split; [exact collinear_measure|]]].
  destruct collinear_half as (A & B & C & D). now apply powers_half.
Qed.

Definition first_action : nat -> nat -> RK := fun _ a => if Nat.eqb a 0 then ratio 1 1 else ratio 0 1.

Lemma collinear_features : features_bounded collinear (ratio 103 50).
Proof. intros x a Hx Ha. below x. below a; computed. Qed.

Lemma collinear_policy : is_policy collinear first_action.
Proof. split; [intros x a Hx Ha; below x; below a; computed | intros x Hx; below x; computed]. Qed.

Theorem erratum_1 : Erratum_1.
Proof.
  exists collinear, quarter, collinear_root, collinear_inverse_root, (fun _ => ratio (-5) 1), first_action, (ratio 103 50).
  split; [exact collinear_setting | split; [exact collinear_half | split; [exact collinear_policy | split; [exact collinear_features|]]]].
  computed_lt.
Qed.

Theorem erratum_2 : Erratum_2.
Proof.
  exists collinear, quarter, collinear_root, collinear_inverse_root, first_action, (fun _ => ratio (-10) 41), (ratio 103 50), (ratio 1 2).
  split; [exact collinear_setting | split; [exact collinear_half | split; [exact collinear_policy | split; [exact collinear_features|]]]].
  split; [computed_le | computed_lt].
Qed.

(** Two absorbing states; only the second component of φ tells them apart, by ±1/100. *)
Definition signed : linear_mdp RK :=
  LinearMDP RK 2 1 2 (ratio 9 10) (fun x => if Nat.eqb x 0 then ratio 1 1 else ratio 0 1)
    (fun x _ i => if Nat.eqb i 0 then ratio 1 1 else if Nat.eqb x 0 then ratio 1 100 else ratio (-1) 100)
    (fun x i => if Nat.eqb i 0 then ratio 1 2 else if Nat.eqb x 0 then ratio 50 1 else ratio (-50) 1)
    (fun i => if Nat.eqb i 0 then ratio 1 2 else ratio 50 1).

Theorem erratum_3 : Erratum_3.
Proof.
  exists signed, (fun _ _ => ratio 1 1), (fun x => if Nat.eqb x 0 then ratio 10 1 else ratio 0 1), (ratio 51 1), (ratio 1 1).
  split; [|split; [|split; [|split; [|split]]]].
  - split; [|split]; [intros x a x' Hx Ha Hx'; below x; below a; below x'; computed
      | intros x a Hx Ha; below x; below a; computed | intros x a Hx Ha; below x; below a; split; computed].
  - split; [computed|]. split; [computed_lt|]. split; [intros x Hx; below x; computed | computed].
  - intros y H.
    assert (A : 0 + ratio 1 1 * y 0%nat + ratio 1 100 * y 1%nat = 0) by (apply (H 0%nat 0%nat); simpl; lia).
    assert (B : 0 + ratio 1 1 * y 0%nat + ratio (-1) 100 * y 1%nat = 0) by (apply (H 1%nat 0%nat); simpl; lia).
    unfold ratio in A, B. to_R. intros i Hi. below i; unfold vzero; to_R; lra.
  - split; [intros x a Hx Ha; below x; below a; computed | intros x Hx; below x; computed].
  - intros x Hx. below x; computed.
  - split; [computed_le | split; [computed_le | split; [computed_le | split; [computed_le | computed_lt]]]].
Qed.

(** One state, one action, φ = 2. *)
Definition scaled : linear_mdp RK :=
  LinearMDP RK 1 1 1 (ratio 1 2) (fun _ => ratio 1 1) (fun _ _ _ => ratio 2 1) (fun _ _ => ratio 1 2) (fun _ => ratio 1 2).
Definition point : nat -> nat -> RK := fun _ _ => ratio 1 1.

Lemma scaled_mdp : is_mdp scaled.
Proof.
  split; [|split]; [intros x a x' Hx Ha Hx'; below x; below a; below x'; computed
    | intros x a Hx Ha; below x; below a; computed | intros x a Hx Ha; below x; below a; split; computed].
Qed.

Lemma scaled_discounted : is_discounted scaled.
Proof. split; [computed|]. split; [computed_lt|]. split; [intros x Hx; below x; computed | computed]. Qed.

Lemma scaled_measure : is_measure scaled point.
Proof. split; [intros x a Hx Ha; below x; below a; computed | computed]. Qed.

Lemma scaled_policy : is_policy scaled point.
Proof. split; [intros x a Hx Ha; below x; below a; computed | intros x Hx; below x; computed]. Qed.

Lemma scaled_occupancy : is_occupancy scaled point (fun _ => ratio 1 1).
Proof. intros x Hx. below x; computed. Qed.

Theorem erratum_4 : Erratum_4.
Proof.
  exists scaled, point, (fun _ _ => ratio 1 4), point, (fun _ => ratio 1 1), (ratio 1 4).
  split; [split; [exact scaled_mdp | split; [exact scaled_discounted | split; [exact scaled_measure | apply powers_one]]]|].
  split; [intros i j Hi Hj; below i; below j; computed|].
  split; [exact scaled_policy | split; [exact scaled_occupancy | split; [computed_le | computed_lt]]].
Qed.

Theorem erratum_6 : Erratum_6.
Proof.
  exists scaled, point, (fun _ _ => ratio 2 1), (fun _ _ => ratio 1 2), (fun _ _ => ratio 1 4), point, (fun _ => ratio 1 1).
  split; [exact scaled_mdp | split; [exact scaled_discounted | split; [exact scaled_measure | split]]].
  - split; [|split; [|split]]; intros i j Hi Hj; below i; below j; computed.
  - split; [intros i j Hi Hj; below i; below j; computed|].
    split; [exact scaled_policy | split; [exact scaled_occupancy | computed_lt]].
Qed.

(** One state, two actions, μ_B = (1/4, 3/4) would have an irrational root; four actions of 1/4 do not. *)
Definition table : linear_mdp RK :=
  LinearMDP RK 1 4 4 (ratio 1 2) (fun _ => ratio 1 1) (fun _ a i => if Nat.eqb i a then ratio 1 1 else ratio 0 1)
    (fun _ _ => ratio 1 1) (fun _ => ratio 1 2).

Theorem erratum_5 : Erratum_5.
Proof.
  exists table, quarter, (fun i j => if Nat.eqb i j then ratio 1 2 else ratio 0 1),
    (fun i j => if Nat.eqb i j then ratio 2 1 else ratio 0 1), (fun i j => if Nat.eqb i j then ratio 4 1 else ratio 0 1), first_action.
  split; [split; [reflexivity | intros x a i Hx Ha Hi; below x; below a; below i; computed]|].
  split; [split; [intros x a Hx Ha; below x; below a; computed | computed]|].
  split; [split; [intros x a Hx Ha; below x; below a; computed | computed]|].
  split; [split; [|split; [|split]]; intros i j Hi Hj; below i; below j; computed|].
  split; [intros i j Hi Hj; below i; below j; computed|]. split; [computed_eq | computed_lt].
Qed.

Theorem erratum_10 : Erratum_10.
Proof.
  exists scaled, (fun _ => ratio 1 2), (fun _ => ratio 1 1), point, (ratio 0 1), (fun _ => ratio 0 1), (fun _ => ratio 0 1).
  split; [exact scaled_mdp | split; [intros x a Hx Ha; below x; below a; computed|]].
  compute -[Rplus Rmult Rminus Ropp Rdiv Rinv IZR Rle Rlt]. lra.
Qed.
