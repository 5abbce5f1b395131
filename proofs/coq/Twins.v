(** * One good action and n alike: the instances on which the printed K/T fails

    One state, γ = 0, φ(0) = e_0 and φ(a) = e_1 for the n other actions, reward 1 for action 0 only; the data plays action 0 half of
    the time.  Λ = 1/2, D_φ = D_θ = 1, C_{φ,1} = 4, whatever n: only log|A| grows. *)

From Coq Require Import List Reals Lra Lia Arith.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Average Coverage Projection DoubleLoop.
From OPD Require Import Statements Bandit RefutedStatements.
Local Open Scope K_scope.

Definition twins (n : nat) : linear_mdp RK :=
  LinearMDP RK 1 (S n) 2 0 (fun _ => 1) (fun _ a j => if Nat.eqb j (if Nat.eqb a 0 then 0%nat else 1%nat) then 1%R else 0%R) (fun _ _ => 1%R)
    (fun j => if Nat.eqb j 0 then 1%R else 0%R).
Definition half_half (n : nat) : nat -> nat -> RK := fun _ a => if Nat.eqb a 0 then (1 / 2)%R else (1 / (2 * INR n))%R.
Definition twice : mat RK := fun j k => if Nat.eqb j k then 2%R else 0%R.

Section Facts.
  Variable n : nat.
  Hypothesis others : (0 < n)%nat.
  Notation M := (twins n).

  Lemma INR_n : (1 <= INR n)%R.
  Proof. apply (le_INR 1). lia. Qed.

  Lemma sum_two (f : nat -> RK) (x y : R) : (forall a, (a < S n)%nat -> f a = if Nat.eqb a 0 then x else y) ->
    sum (S n) f = (x + INR n * y)%R.
  Proof.
    clear others. intros H. rewrite (sum_ext _ _ _ H). clear H. induction n as [|k IH]; [simpl; real; ring|].
    change (sum (S k) (fun a => if Nat.eqb a 0 then x else y) + y = x + INR (S k) * y)%R. rewrite IH, S_INR. ring.
  Qed.

  Lemma twins_dot y x a : dot 2 (φ M x a) y = if Nat.eqb a 0 then y 0%nat else y 1%nat.
  Proof. unfold dot. cbn [sum]. simpl φ. destruct (Nat.eqb a 0); simpl; real; ring. Qed.

  Lemma twins_reward x a : reward M x a = if Nat.eqb a 0 then 1%R else 0%R.
  Proof. unfold reward. simpl dim. rewrite twins_dot. destruct (Nat.eqb a 0); reflexivity. Qed.

  Lemma twins_trans x a x' : trans M x a x' = 1%R.
  Proof. unfold trans. simpl dim. rewrite twins_dot. destruct (Nat.eqb a 0); reflexivity. Qed.

  Lemma twins_mdp : is_mdp M.
  Proof.
    split; [|split]; intros x a.
    - intros x' _ _ _. rewrite twins_trans. apply one_nonneg.
    - intros _ _. unfold sumX. simpl. rewrite twins_trans. real. ring.
    - intros _ _. rewrite twins_reward. destruct (Nat.eqb a 0); real; lra.
  Qed.

  Lemma twins_discounted : is_discounted M.
  Proof.
    split; [apply le_refl|]. split; [apply one_pos|]. split; [intros; apply one_nonneg|]. unfold sumX. simpl. real. ring.
  Qed.

  Lemma twins_full_rank : full_rank M.
  Proof.
    intros y H j Hj. simpl dim in *. assert (S0 : (0 < nS M)%nat) by (simpl; lia).
    pose proof (H 0%nat 0%nat S0 ltac:(simpl; lia)) as A. pose proof (H 0%nat 1%nat S0 ltac:(simpl; lia)) as B. rewrite twins_dot in A, B.
    simpl in A, B. destruct j as [|[|j]]; [exact A | exact B | lia].
  Qed.

  Lemma twins_features x a : norm2 2 (φ M x a) = 1%R.
  Proof. unfold norm2. rewrite twins_dot. simpl. destruct (Nat.eqb a 0); reflexivity. Qed.

  Lemma half_half_policy : is_policy M (half_half n).
  Proof.
    pose proof INR_n as P. split.
    - intros x a _ _. unfold half_half. destruct (Nat.eqb a 0); real; [lra|]. apply Rlt_le, Rdiv_lt_0_compat; lra.
    - intros x _. simpl nA. rewrite (sum_two _ (1 / 2) (1 / (2 * INR n))) by reflexivity. real. field. lra.
  Qed.

  Lemma twins_play : is_policy M (play 0).
  Proof.
    split; [intros x a _ _; unfold play; destruct (Nat.eqb 0 a); real; lra|]. intros x _. simpl nA.
    rewrite (sum_two _ 1 0) by (intros a _; unfold play; now rewrite Nat.eqb_sym). real. ring.
  Qed.

  Lemma twins_occupancy π : is_occupancy M π ones.
  Proof. intros x _. unfold flow, ones. simpl γ. simpl ν0. real. ring. Qed.

  Lemma twins_expectation (p : nat -> RK) : sum (S n) (fun a => p a * (if Nat.eqb a 0 then 1%R else 0%R)) = p 0%nat.
  Proof.
    rewrite <- (sum_delta (S n) 0 p) by apply Nat.lt_0_succ. apply sum_ext. intros a _. destruct (Nat.eqb a 0); real; ring.
  Qed.

  Lemma twins_is_value π : is_value M π (bandit_value 0 π).
  Proof.
    intros x Hx. replace x with 0%nat by (simpl in Hx; lia). unfold bandit_value. rewrite <- (twins_expectation (π 0%nat)) at 1.
    apply sum_ext. intros a Ha. f_equal. unfold q_of. rewrite twins_reward. simpl. real. ring.
  Qed.

  Lemma twins_theta v : norm2 2 (theta_of M v) = 1%R.
  Proof. unfold norm2, dot, theta_of. cbn [sum]. simpl. real. ring. Qed.

  Lemma twins_return π : return_of_measure M (compose π ones) = π 0%nat 0%nat.
  Proof.
    unfold return_of_measure, sumXA. simpl nS. simpl nA. cbn [sum]. rewrite <- (twins_expectation (π 0%nat)).
    change (sum 0 ?f) with (0 : RK).
    transitivity (sum (S n) (fun a => π 0%nat a * (if Nat.eqb a 0 then 1%R else 0%R))); [|reflexivity].
    transitivity (0 + sum (S n) (fun a => reward M 0 a * compose π ones 0 a)); [reflexivity|].
    transitivity (sum (S n) (fun a => reward M 0 a * compose π ones 0 a)); [real; ring|].
    apply sum_ext. intros a _. rewrite twins_reward. unfold compose, ones. destruct (Nat.eqb a 0); real; ring.
  Qed.

  Notation Λ := (covariance M (compose (half_half n) ones)).

  Lemma twins_covariance j k : (j < 2)%nat -> (k < 2)%nat -> Λ j k = if Nat.eqb j k then (1 / 2)%R else 0%R.
  Proof.
    intros Hj Hk. pose proof INR_n as P. unfold covariance, sumXA. simpl nS. simpl nA. cbn [Sums.sum].
    transitivity (0 + sum (S n) (fun a => compose (half_half n) ones 0%nat a * (φ M 0 a j * φ M 0 a k)) : RK); [reflexivity|].
    rewrite (sum_two _ (1 / 2 * ((if Nat.eqb j 0 then 1 else 0) * (if Nat.eqb k 0 then 1 else 0)))%R
      (1 / (2 * INR n) * ((if Nat.eqb j 1 then 1 else 0) * (if Nat.eqb k 1 then 1 else 0)))%R).
    - destruct j as [|[|j]], k as [|[|k]]; try lia; simpl; real; field; lra.
    - intros a _. unfold compose, half_half, ones. simpl φ. destruct (Nat.eqb a 0); destruct j as [|[|j]], k as [|[|k]]; try lia; simpl; real; ring.
  Qed.

  Lemma twins_inverses : right_inverse 2 Λ twice /\ right_inverse 2 twice Λ.
  Proof.
    split; intros j k Hj Hk; unfold mmul, identity, twice; cbn [sum]; rewrite !twins_covariance by lia;
      destruct j as [|[|j]], k as [|[|k]]; try lia; simpl; real; field.
  Qed.

  Lemma twins_coverage : coverage M twice (compose (play 0) ones) = 4%R.
  Proof.
    assert (F : veq 2 (PhiT M (compose (play 0) ones)) (fun j => if Nat.eqb j 0 then 1%R else 0%R)).
    { intros j Hj. unfold PhiT, sumXA. simpl nS. simpl nA.
      transitivity (0 + sum (S n) (fun a => compose (play 0) ones 0%nat a * φ M 0 a j) : RK); [reflexivity|].
      rewrite (sum_two _ (if Nat.eqb j 0 then 1 else 0)%R 0%R); [real; ring|]. intros a _. unfold compose, play, ones. simpl φ.
      rewrite (Nat.eqb_sym 0 a). destruct (Nat.eqb a 0), (Nat.eqb j 0); real; ring. }
    unfold coverage, quad. simpl dim. rewrite (dot_ext 2 _ _ _ _ F (mulv_ext 2 _ _ _ _ (fun _ _ _ _ => eq_refl) F)).
    unfold dot, mulv, mmul, twice. cbn [sum]. simpl. real. ring.
  Qed.

  Lemma twins_operator_norm : is_operator_norm 2 Λ (1 / 2).
  Proof.
    assert (Q : forall u, quad 2 u Λ u = (1 / 2)%R * norm2 2 u).
    { intros u. unfold quad, norm2, dot, mulv. cbn [sum]. rewrite !twins_covariance by lia. simpl Nat.eqb. cbv iota. real. ring. }
    split; [split; [lra | intros u; rewrite Q; apply le_refl]|]. intros c [_ H].
    specialize (H (fun j => if Nat.eqb j 0 then 1%R else 0%R)). rewrite Q in H. unfold norm2, dot in H. cbn [sum] in H. simpl in H. real. lra.
  Qed.

  Lemma twins_trace : trace 2 Λ = 1%R.
  Proof. unfold trace. cbn [sum]. rewrite !twins_covariance by lia. simpl. real. field. Qed.

  Lemma twins_measure : is_measure M (compose (half_half n) ones).
  Proof.
    destruct half_half_policy as [P P1]. split.
    - intros x a Hx Ha. unfold compose, ones. apply mul_nonneg; [now apply P | apply one_nonneg].
    - unfold sumXA. simpl nS. transitivity (0 + sum (nA M) (fun a => compose (half_half n) ones 0%nat a) : RK); [reflexivity|].
      rewrite (sum_ext _ _ (half_half n 0%nat)) by (intros; unfold compose, ones; real; ring).
      rewrite (P1 0%nat ltac:(simpl; lia)). real. ring.
  Qed.

  (** The average-reward objects *)
  Lemma twins_stationary π : is_policy M π -> is_stationary M π ones.
  Proof.
    intros [_ P1]. assert (H : forall x : nat, sumXA M (fun y a => trans M y a x * compose π ones y a) = 1).
    { intros x. transitivity (0 + sum (nA M) (fun a => trans M 0 a x * compose π ones 0%nat a) : RK); [reflexivity|].
      rewrite (sum_ext _ _ (π 0%nat)) by (intros a _; rewrite twins_trans; unfold compose, ones; real; ring).
      rewrite (P1 0%nat ltac:(simpl; lia)). real. ring. }
    split; [intros x _; now rewrite H | unfold sumX, ones; simpl; real; ring].
  Qed.

  Lemma twins_bias_q π x a : bias_q M (π 0%nat 0%nat) (bandit_value 0 π) x a = reward M x a.
  Proof. unfold bias_q, sumX. simpl nS. cbn [sum]. rewrite twins_trans. unfold bandit_value. real. ring. Qed.

  Lemma twins_is_bias π : is_bias M π (π 0%nat 0%nat) (bandit_value 0 π).
  Proof.
    intros x Hx. rewrite (twins_is_value π x Hx) at 1. apply sum_ext. intros a _. rewrite twins_bias_q.
    f_equal. unfold q_of. simpl. real. ring.
  Qed.

  Lemma twins_printed_setting :
    printed_setting M (half_half n) ones twice 1 4 1 (play 0) ones (bandit_value 0) (fun _ => ones).
  Proof.
    split; [exact twins_mdp | split; [exact twins_discounted | split; [exact twins_full_rank | split; [simpl; lia|]]]].
    split; [lra | split; [intros x a _ _; simpl dim; rewrite twins_features; apply le_eq; real; ring|]].
    split; [intros π _; split; [apply twins_is_value | split; [apply twins_occupancy|]]; unfold ball; simpl dim; rewrite twins_theta; apply le_eq; real; ring|].
    split; [exact half_half_policy | split; [apply twins_occupancy|]]. destruct twins_inverses as [R L].
    split; [exact R | split; [exact L | split; [exact twins_play | split; [apply twins_occupancy|]]]]. rewrite twins_coverage. apply le_refl.
  Qed.

  Lemma twins_printed_average_setting :
    printed_average_setting M (fun _ => 1)%R (half_half n) ones twice 1 4 1 2 (play 0) ones
      (fun π => π 0%nat 0%nat) (bandit_value 0) (fun _ => ones) (fun _ => ω M).
  Proof.
    assert (P : forall x, (x < 1)%nat -> 0 <= ones x) by (intros; apply one_nonneg).
    split; [|rewrite twins_coverage; apply le_refl]. split; [exact twins_mdp | split; [exact twins_full_rank|]].
    split; [intros x a _ _; simpl dim; rewrite twins_dot; destruct (Nat.eqb a 0); reflexivity | split; [simpl; lia|]].
    split; [lra | split; [intros x a _ _; simpl dim; rewrite twins_features; apply le_eq; real; ring|]].
    split.
    { intros π Hπ. split; [apply twins_is_bias | split; [split; [now apply twins_stationary | exact P]|]]. split; [|split].
      - unfold ball, norm2, dot. simpl dim. cbn [sum]. simpl. real. lra.
      - intros x a _ _. now rewrite twins_bias_q.
      - intros x a y b _ _ _ _. rewrite !twins_bias_q, !twins_reward. split; destruct (Nat.eqb a 0), (Nat.eqb b 0); real; lra. }
    split; [exact half_half_policy | split; [split; [apply twins_stationary, half_half_policy | exact P]|]]. destruct twins_inverses as [R L].
    split; [exact R | split; [exact L | split; [exact twins_play | split; [apply twins_stationary, twins_play | exact P]]]].
  Qed.
End Facts.
