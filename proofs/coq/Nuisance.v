(** * Two actions and m nuisance coordinates: the instances on which Theorem A.1 fails at c = 1/2 (erratum 2)

    2m states (j, σ), j < m and σ = ±1, drawn uniformly, γ = 0, φ((j,σ), a) = (e_a, σe_j), reward 1 for action 0.  The behaviour is uniform, so
    Λ = diag(1/2, 1/2, 1/m, …, 1/m); D_φ² = 2, D_θ = 1 and C_{φ,1/2} = 2, whatever m: the printed G_β² does not see the dimension m + 2. *)

From Coq Require Import List Reals Lra Lia Arith.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Coverage Projection DoubleLoop.
From OPD Require Import Statements Bandit.
Local Open Scope K_scope.

Definition coord (m x : nat) : nat := if Nat.ltb x m then x else (x - m)%nat.
Definition sgn (m x : nat) : R := if Nat.ltb x m then 1%R else (-1)%R.

Definition nuisance (m : nat) : linear_mdp RK :=
  LinearMDP RK (m + m) 2 (S (S m)) 0 (fun _ => / (2 * INR m))%R
    (fun x a i => match i with
      | O => if Nat.eqb a 0 then 1%R else 0%R
      | S O => if Nat.eqb a 1 then 1%R else 0%R
      | S (S j) => if Nat.eqb (coord m x) j then sgn m x else 0%R
      end)
    (fun _ i => match i with S (S _) => 0%R | _ => / (2 * INR m) end)%R
    (fun i => match i with O => 1%R | _ => 0%R end).

Definition state_law (m : nat) : nat -> RK := fun _ => (/ (2 * INR m))%R.
Definition even_policy : nat -> nat -> RK := fun _ _ => (1 / 2)%R.
Definition first_value (π : nat -> nat -> RK) : nat -> RK := fun x => π x 0%nat.
Definition first_policy : nat -> nat -> RK := fun _ a => if Nat.eqb a 0 then 1%R else 0%R.

(** diag(u, u, v, …, v) *)
Definition diagonal (u v : R) : mat RK := fun i k => if Nat.eqb i k then (if Nat.ltb i 2 then u else v) else 0%R.

(** [ring] at the field RK. *)
Ltac rring := real; first [ring | lra].

(** ** Sums *)
Lemma sum_first n (f : nat -> RK) : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n; [simpl; rring|]. change (sum (S n) f + f (S n) = f 0%nat + (sum n (fun i => f (S i)) + f (S n))). rewrite IHn. rring. Qed.

Lemma sum_app m n (f : nat -> RK) : sum (m + n) f = sum m f + sum n (fun i => f (m + i)%nat).
Proof.
  induction n; [rewrite Nat.add_0_r; simpl; rring|]. rewrite Nat.add_succ_r. simpl. rewrite IHn. rring.
Qed.

(** Σ over the 2m states of f(j, σ) *)
Lemma sum_states m (f : nat -> R -> R) :
  sum (m + m) (fun x => f (coord m x) (sgn m x) : RK) = rsum m (fun j => f j 1 + f j (-1))%R.
Proof.
  rewrite sum_app, rsum_add. real. apply f_equal2; apply sum_ext; intros j Hj; unfold coord, sgn.
  - now replace (Nat.ltb j m) with true by (symmetry; now apply Nat.ltb_lt).
  - replace (Nat.ltb (m + j) m) with false by (symmetry; apply Nat.ltb_ge; lia). f_equal. lia.
Qed.

Section Diagonal.
  Variable d : nat.

  Lemma diagonal_mulv u v (y : vec RK) i : (i < d)%nat -> mulv d (diagonal u v) y i = ((if Nat.ltb i 2 then u else v) * y i)%R.
  Proof.
    intros Hi. unfold mulv. rewrite (sum_single d _ i Hi).
    - unfold diagonal. now rewrite Nat.eqb_refl.
    - intros k _ N. unfold diagonal. replace (Nat.eqb i k) with false by (symmetry; apply Nat.eqb_neq; congruence). rring.
  Qed.

  Lemma diagonal_mmul u v u' v' : meq d (mmul d (diagonal u v) (diagonal u' v')) (diagonal (u * u') (v * v')).
  Proof.
    intros i k Hi Hk. change (mulv d (diagonal u v) (fun l => diagonal u' v' l k) i = diagonal (u * u') (v * v') i k).
    rewrite diagonal_mulv by exact Hi. unfold diagonal. destruct (Nat.eqb i k), (Nat.ltb i 2); rring.
  Qed.

  Lemma diagonal_symmetric u v : symmetric d (diagonal u v).
  Proof. intros i k _ _. unfold transpose, diagonal. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec i k) as [->|]; reflexivity. Qed.

  Lemma diagonal_identity : meq d (diagonal 1 1) identity.
  Proof. intros i k _ _. unfold diagonal, identity. destruct (Nat.eqb i k), (Nat.ltb i 2); reflexivity. Qed.
End Diagonal.

Section Facts.
  Variable m : nat.
  Hypothesis some : (0 < m)%nat.
  Notation M := (nuisance m).
  Notation d := (S (S m)).

  Lemma m_pos : (1 <= INR m)%R.
  Proof. apply (le_INR 1). lia. Qed.

  Lemma coord_below x : (x < m + m)%nat -> (coord m x < m)%nat.
  Proof. clear some. intros H. unfold coord. destruct (Nat.ltb_spec x m); lia. Qed.

  Lemma sgn_square x : (sgn m x * sgn m x = 1)%R.
  Proof. unfold sgn. destruct (Nat.ltb x m); ring. Qed.

  (** ⟨φ, y⟩ = y_a + σ y_{2+j} *)
  Lemma nuisance_dot y x a : (x < m + m)%nat -> (a < 2)%nat -> dot d (φ M x a) y = (y a + sgn m x * y (S (S (coord m x))))%R.
  Proof.
    clear some. intros Hx Ha. unfold dot. rewrite !sum_first. rewrite (sum_single m _ (coord m x) (coord_below x Hx)).
    - simpl φ. rewrite Nat.eqb_refl. destruct a as [|[|a]]; [| |lia]; simpl; rring.
    - intros j _ N. simpl φ. replace (Nat.eqb (coord m x) j) with false by (symmetry; apply Nat.eqb_neq; congruence). rring.
  Qed.

  Lemma nuisance_reward x a : (x < m + m)%nat -> (a < 2)%nat -> reward M x a = if Nat.eqb a 0 then 1%R else 0%R.
  Proof.
    intros Hx Ha. unfold reward. change (dim M) with d. rewrite nuisance_dot by assumption. destruct a as [|[|a]]; [| |lia]; simpl; rring.
  Qed.

  Lemma nuisance_trans x a x' : (x < m + m)%nat -> (a < 2)%nat -> trans M x a x' = (/ (2 * INR m))%R.
  Proof.
    intros Hx Ha. unfold trans. change (dim M) with d. rewrite nuisance_dot by assumption. destruct a as [|[|a]]; [| |lia]; simpl; rring.
  Qed.

  Lemma state_law_total : sum (m + m) (fun _ => / (2 * INR m) : RK)%R = 1%R.
  Proof. pose proof m_pos. rewrite sum_const. real. rewrite of_nat_INR, plus_INR. field. lra. Qed.

  Lemma state_law_pos : (0 < / (2 * INR m))%R.
  Proof. pose proof m_pos. apply Rinv_0_lt_compat. lra. Qed.

  Lemma nuisance_mdp : is_mdp M.
  Proof.
    pose proof state_law_pos as P. split; [|split]; intros x a.
    - intros x' Hx Ha _. rewrite nuisance_trans by assumption. real. lra.
    - intros Hx Ha. unfold sumX. etransitivity; [|exact state_law_total]. apply sum_ext. intros x' _. now apply nuisance_trans.
    - intros Hx Ha. rewrite nuisance_reward by assumption. destruct (Nat.eqb a 0); real; lra.
  Qed.

  Lemma nuisance_discounted : is_discounted M.
  Proof.
    pose proof state_law_pos as P. split; [apply le_refl|]. split; [apply one_pos|].
    split; [intros; simpl; real; lra | exact state_law_total].
  Qed.

  Lemma nuisance_full_rank : full_rank M.
  Proof.
    intros y H.
    assert (A : forall j a, (j < m)%nat -> (a < 2)%nat -> y a = 0%R /\ y (S (S j)) = 0%R).
    { intros j a Hj Ha. assert (X1 : (j < nS M)%nat) by (simpl; lia). assert (X2 : (m + j < nS M)%nat) by (simpl; lia).
      pose proof (H j a X1 Ha) as H1. pose proof (H (m + j)%nat a X2 Ha) as H2. change (dim M) with d in *.
      rewrite nuisance_dot in H1, H2 by (assumption || (simpl; lia)). unfold coord, sgn in *.
      replace (Nat.ltb j m) with true in H1 by (symmetry; now apply Nat.ltb_lt).
      replace (Nat.ltb (m + j) m) with false in H2 by (symmetry; apply Nat.ltb_ge; lia).
      replace (m + j - m)%nat with j in H2 by lia. real. lra. }
    intros i Hi. unfold vzero. destruct i as [|[|j]].
    - apply (A 0%nat 0%nat); lia.
    - apply (A 0%nat 1%nat); lia.
    - apply (A j 0%nat); simpl in Hi; lia.
  Qed.

  Lemma nuisance_features x a : (x < m + m)%nat -> (a < 2)%nat -> norm2 d (φ M x a) = 2%R.
  Proof.
    intros Hx Ha. unfold norm2. rewrite nuisance_dot by assumption. simpl φ. rewrite Nat.eqb_refl. pose proof (sgn_square x) as S.
    destruct a as [|[|a]]; [| |lia]; simpl; real; lra.
  Qed.

  Lemma nuisance_occupancy π : is_occupancy M π (state_law m).
  Proof. intros x _. unfold flow, state_law. simpl γ. simpl ν0. rring. Qed.

  Lemma nuisance_is_value π : is_value M π (first_value π).
  Proof.
    intros x Hx. unfold first_value, q_of. simpl nA. cbn [sum]. rewrite !nuisance_reward by (assumption || lia). simpl γ. simpl Nat.eqb.
    cbv iota. rring.
  Qed.

  Lemma nuisance_theta v : norm2 d (theta_of M v) = 1%R.
  Proof.
    unfold norm2, dot, theta_of. rewrite !sum_first. rewrite (sum_zero m).
    - simpl. rring.
    - intros j _. simpl. rring.
  Qed.

  Lemma policies : is_policy M even_policy /\ is_policy M first_policy.
  Proof.
    split; split; intros x; try (intros a _ _; unfold even_policy, first_policy; try destruct (Nat.eqb a 0); real; lra);
      intros _; unfold even_policy, first_policy; simpl; real; lra.
  Qed.

  (** A policy that is the same in every state. *)
  Lemma nuisance_return π c : (forall x, (x < m + m)%nat -> π x 0%nat = c) -> return_of_measure M (compose π (state_law m)) = c.
  Proof.
    intros H. unfold return_of_measure, sumXA. simpl nA.
    rewrite (sum_ext _ _ (fun _ => c * (/ (2 * INR m))%R)).
    - change (nS M) with (m + m)%nat. rewrite sum_mul_l, state_law_total. rring.
    - intros x Hx. cbn [sum]. rewrite !nuisance_reward by (assumption || lia). unfold compose, state_law. rewrite (H x Hx). simpl Nat.eqb.
      cbv iota. rring.
  Qed.

  (** ** Λ *)
  Notation μB := (compose even_policy (state_law m)).

  Lemma nuisance_measure : is_measure M μB.
  Proof.
    pose proof state_law_pos as P. split.
    - intros x a _ _. unfold compose, even_policy, state_law. real. lra.
    - unfold sumXA. etransitivity; [|exact state_law_total]. apply sum_ext. intros x _. unfold compose, even_policy, state_law. simpl. real. lra.
  Qed.

  (** Σ_x Σ_a μ_B(x,a) f(a, j, σ) = (1/4m) Σ_j Σ_a (f(a, j, 1) + f(a, j, −1)) *)
  Lemma behaviour_sum (g : nat -> nat -> RK) (f : nat -> nat -> R -> R) :
    (forall x a, (x < m + m)%nat -> (a < 2)%nat -> g x a = f a (coord m x) (sgn m x)) ->
    sumXA M (fun x a => μB x a * g x a)
    = (/ (4 * INR m) * rsum m (fun j => (f 0%nat j 1 + f 1%nat j 1) + (f 0%nat j (-1) + f 1%nat j (-1))))%R.
  Proof.
    intros H. pose proof m_pos as P. rewrite <- (sum_states m (fun j σ => f 0%nat j σ + f 1%nat j σ)%R). rewrite <- rsum_mul. apply sum_ext.
    intros x Hx. simpl nA. cbn [sum]. rewrite !H by (assumption || lia). unfold compose, even_policy, state_law. real. field. lra.
  Qed.

  Lemma nuisance_covariance : meq d (covariance M μB) (diagonal (1 / 2) (/ INR m)).
  Proof.
    intros i k Hi Hk. pose proof m_pos as P. unfold covariance.
    set (c := fun (a j : nat) (σ : R) (i : nat) => match i with O => if Nat.eqb a 0 then 1%R else 0%R | S O => if Nat.eqb a 1 then 1%R else 0%R
      | S (S l) => if Nat.eqb j l then σ else 0%R end).
    rewrite (behaviour_sum (fun x a => φ M x a i * φ M x a k) (fun a j σ => c a j σ i * c a j σ k)%R) by (intros; reflexivity).
    assert (Single : forall l (v : R), (l < m)%nat -> rsum m (fun j => if Nat.eqb j l then v else 0)%R = v).
    { intros l v Hl. unfold rsum. rewrite (sum_single m _ l Hl); [now rewrite Nat.eqb_refl|].
      intros j _ N. now replace (Nat.eqb j l) with false by (symmetry; apply Nat.eqb_neq; congruence). }
    assert (Zero : rsum m (fun _ => 0)%R = 0%R) by (rewrite rsum_const; ring).
    unfold diagonal, c. destruct i as [|[|i]], k as [|[|k]]; cbn [Nat.eqb Nat.ltb Nat.leb]; cbv iota.
    - rewrite (rsum_ext m _ (fun _ => 2)%R) by (intros; ring). rewrite rsum_const. real. field. lra.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros; ring). rewrite Zero. rring.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros j _; destruct (Nat.eqb j k); ring). rewrite Zero. rring.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros; ring). rewrite Zero. rring.
    - rewrite (rsum_ext m _ (fun _ => 2)%R) by (intros; ring). rewrite rsum_const. real. field. lra.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros j _; destruct (Nat.eqb j k); ring). rewrite Zero. rring.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros j _; destruct (Nat.eqb j i); ring). rewrite Zero. rring.
    - rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros j _; destruct (Nat.eqb j i); ring). rewrite Zero. rring.
    - destruct (Nat.eqb_spec i k) as [->|N].
      + rewrite (rsum_ext m _ (fun j => if Nat.eqb j k then 4 else 0)%R) by (intros j _; destruct (Nat.eqb j k); ring).
        rewrite Single by lia. real. field. lra.
      + rewrite (rsum_ext m _ (fun _ => 0)%R); [rewrite Zero; rring|]. intros j _.
        destruct (Nat.eqb_spec j i), (Nat.eqb_spec j k); try congruence; ring.
  Qed.

  (** Φᵀμ* = e_0 *)
  Lemma nuisance_PhiT : veq d (PhiT M (compose first_policy (state_law m))) (fun i => match i with O => 1%R | _ => 0%R end).
  Proof.
    intros i Hi. pose proof m_pos as P. unfold PhiT, sumXA. simpl nS. simpl nA.
    set (c := fun (j : nat) (σ : R) => match i with O => 1%R | S O => 0%R | S (S l) => if Nat.eqb j l then σ else 0%R end).
    transitivity (sum (m + m) (fun x => (/ (2 * INR m) * c (coord m x) (sgn m x))%R : RK)).
    - apply sum_ext. intros x _. cbn [sum]. unfold compose, first_policy, state_law, c. simpl φ.
      destruct i as [|[|i]]; simpl Nat.eqb; cbv iota; rring.
    - rewrite (sum_states m (fun j σ => / (2 * INR m) * c j σ)%R). unfold c. destruct i as [|[|i]].
      + rewrite rsum_const. real. field. lra.
      + rewrite rsum_const. rring.
      + rewrite (rsum_ext m _ (fun _ => 0)%R) by (intros j _; destruct (Nat.eqb j i); ring). rewrite rsum_const. rring.
  Qed.
End Facts.
