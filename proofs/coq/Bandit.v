(** * One state, m actions, features s·e_a: the instances on which printed theorems fail

    γ = 0, φ(a) = s·e_a, the reward is 1 for action i and 0 for the others, the data is uniform.  Then Λ = (s²/m)·1,
    θ^π = ω has norm 1/s, and C_{φ,1} = m²/s² for the best policy: small for large s, while its root m/s is ‖β*‖. *)

From Coq Require Import Reals Lra Lia Arith.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Average Coverage DoubleLoop.
Local Open Scope K_scope.

Definition bandit (m : nat) (s : R) (i : nat) : linear_mdp RK :=
  LinearMDP RK 1 m m 0 (fun _ => 1) (fun _ a j => if Nat.eqb a j then s else 0%R) (fun _ _ => / s)%R
    (fun j => if Nat.eqb i j then / s else 0)%R.

(** The uniform policy, and the one that plays action i. *)
Definition uniform_policy (m : nat) : nat -> nat -> RK := fun _ _ => (/ INR m)%R.
Definition play (i : nat) : nat -> nat -> RK := fun _ a => if Nat.eqb i a then 1%R else 0%R.
(** The only state has all the occupancy; every policy's value is what it gives to action i. *)
Definition ones : nat -> RK := fun _ => 1.
Definition bandit_value (i : nat) (π : nat -> nat -> RK) : nat -> RK := fun _ => π 0%nat i.
Definition bandit_inverse (m : nat) (s : R) : mat RK := fun j k => if Nat.eqb j k then (INR m / (s * s))%R else 0%R.

Section Facts.
  Variables (m : nat) (s : R) (i : nat).
  Hypothesis some_action : (0 < m)%nat.
  Hypothesis best : (i < m)%nat.
  Hypothesis scale_pos : (0 < s)%R.
  Notation M := (bandit m s i).

  Lemma INR_m : (0 < INR m)%R.
  Proof. now apply lt_0_INR. Qed.

  (** Σ_j [a = j] c f(j) = c f(a) *)
  Lemma sum_pick (c : R) (f : nat -> R) a : (a < m)%nat ->
    sum m (fun j => (if Nat.eqb a j then c else 0%R) * f j : RK) = (c * f a)%R.
  Proof.
    intros Ha. rewrite <- (sum_delta' (K := RK) m a (fun j => (c * f j)%R) Ha). apply sum_ext. intros j _.
    destruct (Nat.eqb a j); real; ring.
  Qed.

  Lemma sum_single (f : nat -> RK) a : (a < m)%nat -> (forall j, (j < m)%nat -> j <> a -> f j = 0) -> sum m f = f a.
  Proof.
    intros Ha H. rewrite <- (sum_delta' m a f Ha). apply sum_ext. intros j Hj.
    destruct (Nat.eqb_spec a j) as [->|N]; [real; ring | rewrite H by congruence; real; ring].
  Qed.

  Lemma bandit_dot y x a : (a < m)%nat -> dot m (φ M x a) y = (s * y a)%R.
  Proof. intros Ha. exact (sum_pick s y a Ha). Qed.

  Lemma bandit_reward x a : (a < m)%nat -> reward M x a = if Nat.eqb i a then 1%R else 0%R.
  Proof.
    intros Ha. unfold reward. rewrite bandit_dot by exact Ha. simpl. destruct (Nat.eqb i a); [field; lra | ring].
  Qed.

  Lemma bandit_trans x a x' : (a < m)%nat -> trans M x a x' = 1%R.
  Proof. intros Ha. unfold trans. rewrite bandit_dot by exact Ha. simpl. field. lra. Qed.

  Lemma bandit_mdp : is_mdp M.
  Proof.
    split; [|split]; intros x a.
    - intros x' _ Ha _. rewrite bandit_trans by exact Ha. apply one_nonneg.
    - intros _ Ha. unfold sumX. simpl. rewrite bandit_trans by exact Ha. real. ring.
    - intros _ Ha. rewrite bandit_reward by exact Ha. destruct (Nat.eqb i a); real; lra.
  Qed.

  Lemma bandit_discounted : is_discounted M.
  Proof.
    split; [apply le_refl|]. split; [apply one_pos|]. split; [intros; apply one_nonneg|]. unfold sumX. simpl. real. ring.
  Qed.

  Lemma bandit_full_rank : full_rank M.
  Proof.
    intros y H j Hj. specialize (H 0%nat j (Nat.lt_0_succ 0) Hj). rewrite bandit_dot in H by exact Hj.
    unfold vzero. real. apply Rmult_integral in H. destruct H; lra.
  Qed.

  Lemma bandit_features x a : (a < m)%nat -> norm2 m (φ M x a) = (s * s)%R.
  Proof. intros Ha. unfold norm2. rewrite bandit_dot by exact Ha. simpl. now rewrite Nat.eqb_refl. Qed.

  Lemma uniform_is_policy : is_policy M (uniform_policy m).
  Proof.
    pose proof INR_m as P. split.
    - intros x a _ _. unfold uniform_policy. real. apply Rlt_le. now apply Rinv_0_lt_compat.
    - intros x _. unfold uniform_policy. simpl nA. rewrite sum_const. real. rewrite of_nat_INR. field. lra.
  Qed.

  Lemma play_is_policy : is_policy M (play i).
  Proof.
    split; [intros x a _ _; unfold play; destruct (Nat.eqb i a); real; lra|]. intros x _.
    transitivity (sum m (fun a => (if Nat.eqb i a then 1%R else 0%R) * 1%R : RK)).
    - apply sum_ext. intros a _. unfold play. real. ring.
    - rewrite (sum_pick 1 (fun _ => 1%R) i best). real. ring.
  Qed.

  Lemma bandit_occupancy π : is_occupancy M π ones.
  Proof. intros x _. unfold flow, ones. simpl. real. ring. Qed.

  Lemma bandit_is_value π : is_value M π (bandit_value i π).
  Proof.
    intros x Hx. replace x with 0%nat by (simpl in Hx; lia). unfold bandit_value.
    transitivity (sum m (fun a => (if Nat.eqb i a then 1%R else 0%R) * π 0%nat a : RK)).
    - rewrite (sum_pick 1 (π 0%nat) i best). real. ring.
    - apply sum_ext. intros a Ha. unfold q_of. rewrite bandit_reward by exact Ha. simpl. real. ring.
  Qed.

  Lemma bandit_theta v : norm2 m (theta_of M v) = (/ s * / s)%R.
  Proof.
    transitivity (norm2 m (fun j => if Nat.eqb i j then / s else 0)%R).
    - apply norm2_ext. intros j _. unfold theta_of. simpl. real. ring.
    - unfold norm2, dot. rewrite (sum_pick (/ s) _ i best). now rewrite Nat.eqb_refl.
  Qed.

  (** ⟨r, μ^π⟩ = π(i) *)
  Lemma bandit_return π : return_of_measure M (compose π ones) = π 0%nat i.
  Proof.
    unfold return_of_measure, sumXA. simpl nS. simpl nA. cbn [sum].
    rewrite (sum_ext m _ (fun a => (if Nat.eqb i a then 1%R else 0%R) * π 0%nat a : RK)).
    - rewrite (sum_pick 1 (π 0%nat) i best). real. ring.
    - intros a Ha. rewrite bandit_reward by exact Ha. unfold compose, ones. real. ring.
  Qed.

  Lemma bandit_optimum : return_of_measure M (compose (play i) ones) = 1%R.
  Proof. rewrite bandit_return. unfold play. now rewrite Nat.eqb_refl. Qed.

  (** Λ = (s²/m)·1 for uniform data *)
  Notation Λ := (covariance M (compose (uniform_policy m) ones)).

  Lemma bandit_covariance j k : (j < m)%nat -> Λ j k = if Nat.eqb j k then (s * s / INR m)%R else 0%R.
  Proof.
    intros Hj. pose proof INR_m as P. unfold covariance, sumXA. simpl nS. simpl nA. cbn [sum].
    transitivity (sum m (fun a => (if Nat.eqb j a then 1%R else 0%R) * (/ INR m * (s * if Nat.eqb j k then s else 0))%R : RK)).
    - real. rewrite Rplus_0_l. apply sum_ext. intros a _. unfold compose, uniform_policy, ones. simpl φ. real.
      rewrite (Nat.eqb_sym a j). destruct (Nat.eqb_spec j a) as [->|]; [|ring]. ring.
    - rewrite (sum_pick 1 (fun _ => (/ INR m * (s * if Nat.eqb j k then s else 0))%R) j Hj). destruct (Nat.eqb j k); real; field; lra.
  Qed.

  Lemma bandit_inverses : right_inverse m Λ (bandit_inverse m s) /\ right_inverse m (bandit_inverse m s) Λ.
  Proof.
    pose proof INR_m as P. split; intros j k Hj Hk; unfold mmul, identity.
    - rewrite (sum_ext m _ (fun l => (if Nat.eqb j l then (s * s / INR m)%R else 0%R) * bandit_inverse m s l k)).
      + rewrite (sum_pick (s * s / INR m) (fun l => bandit_inverse m s l k) j Hj). unfold bandit_inverse.
        destruct (Nat.eqb j k); real; [field; lra | ring].
      + intros l Hl. now rewrite bandit_covariance by exact Hj.
    - unfold bandit_inverse. rewrite (sum_pick (INR m / (s * s)) (fun l => Λ l k) j Hj).
      rewrite bandit_covariance by exact Hj. destruct (Nat.eqb j k); real; [field; lra | ring].
  Qed.

  Lemma bandit_inverse_symmetric : symmetric m (bandit_inverse m s).
  Proof. intros j k _ _. unfold transpose, bandit_inverse. now rewrite Nat.eqb_sym. Qed.

  (** C_{φ,1} = m²/s² *)
  Lemma bandit_coverage : coverage M (bandit_inverse m s) (compose (play i) ones) = (INR m * INR m / (s * s))%R.
  Proof.
    pose proof INR_m as P. unfold coverage, quad.
    assert (F : veq m (PhiT M (compose (play i) ones)) (fun j => if Nat.eqb i j then s else 0)%R).
    { intros j Hj. unfold PhiT, sumXA. simpl nS. simpl nA. cbn [sum]. rewrite (sum_single _ i); unfold compose, play, ones.
      - rewrite Nat.eqb_refl. simpl. real. ring.
      - exact best.
      - intros a _ N. destruct (Nat.eqb_spec i a); [congruence | real; ring]. }
    rewrite (dot_ext m _ _ _ _ F (mulv_ext m _ _ _ _ (fun _ _ _ _ => eq_refl) F)). clear F.
    assert (Z : forall j, j <> i -> Nat.eqb i j = false) by (intros j N; apply Nat.eqb_neq; congruence).
    unfold dot, mulv, mmul, bandit_inverse. rewrite (sum_single _ i best) by (intros j _ N; rewrite (Z j N); real; ring).
    rewrite (sum_single _ i best) by (intros j _ N; rewrite (Z j N); real; ring).
    rewrite (sum_single _ i best) by (intros j _ N; rewrite (Z j N); real; ring).
    rewrite Nat.eqb_refl. real. field. lra.
  Qed.

  (** The average-reward objects: one state is stationary, and v^π = ρ^π = π(i) makes q^π = r. *)
  Lemma bandit_stationary π : is_policy M π -> is_stationary M π ones.
  Proof.
    intros [_ P1]. assert (H : forall x : nat, sumXA M (fun y a => trans M y a x * compose π ones y a) = 1).
    { intros x. unfold sumXA. simpl nS. simpl nA. cbn [sum]. real. rewrite Rplus_0_l.
      rewrite <- (P1 0%nat (Nat.lt_0_succ 0)). apply sum_ext. intros a Ha. rewrite bandit_trans by exact Ha.
      unfold compose, ones. real. ring. }
    split; [intros x _; now rewrite H | unfold sumX, ones; simpl; real; ring].
  Qed.

  Lemma bandit_bias_q π x a : (a < m)%nat -> bias_q M (π 0%nat i) (bandit_value i π) x a = reward M x a.
  Proof. intros Ha. unfold bias_q, sumX. simpl nS. cbn [sum]. rewrite bandit_trans by exact Ha. unfold bandit_value. real. ring. Qed.

  Lemma bandit_is_bias π : is_bias M π (π 0%nat i) (bandit_value i π).
  Proof.
    intros x Hx. rewrite (bandit_is_value π x Hx) at 1. apply sum_ext. intros a Ha. rewrite bandit_bias_q by exact Ha.
    unfold q_of. simpl. real. ring.
  Qed.

  Lemma bandit_ones : is_ones M (fun _ => / s)%R.
  Proof. intros x a _ Ha. simpl dim. rewrite bandit_dot by exact Ha. real. field. lra. Qed.
End Facts.
