(** * What the analyses of Algorithms 1 and 2 share: the inner loop, and the policy's potential *)

From Coq Require Import List Reals Lra Lia FunctionalExtensionality.
From OPD Require Import OrderedField Sums Expect Mdp AppendixB Projection GradientDescent MirrorDescent Runs.
Import ListNotations.
Local Open Scope K_scope.

(** y_1 = y0, y_{k+1} = Π(y_k − η g̃(W_k)): the inner loop of stochastic gradient descent. *)
Fixpoint descend {K : ofield} {Ω} (Π : vec K -> vec K) (η : K) (gt : Ω -> vec K) (y0 : vec K) (F : list Ω) : vec K :=
  match F with [] => y0 | W :: F => Π (vsub (descend Π η gt y0 F) (scale η (gt W))) end.

(** π(a|x) = softmax(α Φz)(a) at state x *)
Definition softmax_policy (M : linear_mdp RK) (α : R) (z : vec RK) : nat -> nat -> RK := fun x a =>
  softmax (nA M) (fun b => α * dot (dim M) (φ M x b) z)%R a.

(** Show the stdlib's operations and constants, so that [lra], [ring] and [field] see them. *)
Ltac real := to_R; change R1 with 1%R in *; change R0 with 0%R in *.

Lemma of_nat_INR n : of_nat n = INR n :> R.
Proof. induction n; [reflexivity | rewrite S_INR; simpl; rewrite IHn; reflexivity]. Qed.

Lemma distance_in_ball d (D : R) (y z : vec RK) : ball d D y -> ball d D z ->
  (norm2 d (vsub y z) <= 4 * (D * D))%R.
Proof.
  unfold ball. intros Hy Hz.
  assert (H : norm2 d (vsub y z) <= (1 + 1) * (norm2 d y + norm2 d z)).
  { apply le_by_sub with (norm2 d (vadd y z)); [|apply norm2_nonneg]. unfold norm2.
    rewrite !dot_vsub_l, !dot_vsub_r, !dot_vadd_l, !dot_vadd_r. real. ring. }
  real. lra.
Qed.

(** ** The inner loop: Lemma D.1 for the average iterate *)
Section Inner.
  Context {Ω : Type}.
  Variables (d : nat) (Π : vec RK -> vec RK) (η G2 B : R) (P : law RK Ω) (gt : Ω -> vec RK) (g y0 ystar : vec RK).
  Hypothesis approaches : forall y, norm2 d (vsub (Π y) ystar) <= norm2 d (vsub y ystar).
  Hypothesis rate : (0 < η)%R.
  Hypothesis HP : is_law P.
  Hypothesis unbiased : veq d (Ev P gt) g.
  Hypothesis second_moment : E P (fun W => norm2 d (gt W)) <= G2.
  Hypothesis start : norm2 d (vsub y0 ystar) <= B.

  (** The inner loop is an instance of Lemma D.1's recursion, with −g̃ for ĥ. *)
  Lemma descend_iterate F :
    descend Π η gt y0 F = iterate Π η (fun _ W => scale (- (1)) (gt W)) y0 F.
  Proof.
    induction F as [|W F IH]; [reflexivity|]. cbn [descend iterate]. rewrite IH. f_equal.
    apply functional_extensionality. intros i. unfold vsub, vadd, scale. real. ring.
  Qed.

  Lemma inner_regret k : (0 < k)%nat ->
    (E (block P k) (fun F => dot d (vsub (average (descend Π η gt y0) F) ystar) g) <= B / (2 * η * INR k) + η * G2 / 2)%R.
  Proof.
    intros Hk. set (ĥ := fun (_ : list Ω) W => scale (- (1) : RK) (gt W)).
    assert (U : forall F, veq d (Ev P (ĥ F)) (scale (- (1)) g)).
    { intros F i Hi. unfold Ev, ĥ, scale. rewrite E_mul_l. f_equal. now apply unbiased. }
    assert (G : forall F, E P (fun W => norm2 d (ĥ F W)) <= G2).
    { intros F. unfold ĥ. rewrite (E_ext _ _ (fun W => norm2 d (gt W))) by (intros W; rewrite norm2_scale; real; ring).
      exact second_moment. }
    pose proof (gradient_descent d Π ystar approaches (fun _ => P) η G2 ĥ (fun _ => scale (- (1)) g) y0 (fun _ => HP) U G k) as D1.
    rewrite E_block_path.
    rewrite (E_path_ext_length _ k [] _ (fun F => inv (of_nat k) * along (fun F =>
      dot d (vsub ystar (iterate Π η ĥ y0 F)) (scale (- (1)) g)) F)).
    - rewrite E_path_mul_l. set (S := E_path _ k [] _) in *.
      assert (Hη : (0 : RK) < η) by (real; lra). specialize (D1 Hη).
      assert (Kp : (0 < INR k)%R) by now apply lt_0_INR. pose proof start as X.
      set (n2 := norm2 d (vsub y0 ystar)) in *. clearbody n2 S.
      real. rewrite !of_nat_INR in *. change (@carrier RK) with R in *.
      apply (Rmult_le_reg_l (INR k)); [exact Kp|].
      replace (INR k * (/ INR k * S))%R with S by (field; lra).
      eapply Rle_trans; [exact D1|].
      assert (n2 / ((1 + 1) * η) <= B / (2 * η))%R.
      { replace ((1 + 1) * η)%R with (2 * η)%R by ring.
        apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | exact X]. }
      replace (INR k * (B / (2 * η * INR k) + η * G2 / 2))%R
        with (B / (2 * η) + η * INR k * G2 / (1 + 1))%R by (field; lra).
      lra.
    - intros F HF. simpl in HF. rewrite Nat.add_0_r in HF.
      assert (NF : F <> []) by (destruct F; simpl in HF; [lia | discriminate]).
      assert (Kn : (of_nat k : RK) <> 0) by (apply lt_neq, of_nat_pos; lia).
      rewrite dot_vsub_l. rewrite dot_average by exact NF. rewrite HF.
      rewrite (along_ext (fun F => dot d (vsub ystar _) _)
        (fun F => dot d (descend Π η gt y0 F) g + (- dot d ystar g))).
      + rewrite along_add, along_const, HF. real. field. exact Kn.
      + intros F'. rewrite descend_iterate. fold ĥ. rewrite dot_scale_r, dot_vsub_l. real. ring.
  Qed.
End Inner.

(** The average of an inner loop that stays in a ball stays there. *)
Lemma average_in_ball {Ω} d (D : R) (u : list Ω -> vec RK) F : (forall F, ball d D (u F)) -> ball d D (average u F).
Proof.
  intros H. destruct F as [|W F]; [|apply norm2_average; [discriminate | exact H]].
  unfold ball. apply le_trans with (0 : RK); [apply le_eq, sum_zero; intros i _|apply sq_nonneg].
  unfold average. simpl. real. unfold Rdiv. ring.
Qed.

Lemma descend_in_ball {Ω} d (D : R) η (gt : Ω -> vec RK) y0 F : (0 <= D)%R -> ball d D y0 ->
  ball d D (descend (proj_ball d D) η gt y0 F).
Proof. intros HD H. destruct F; [exact H | now apply projection_in_ball]. Qed.

(** ** The policy: Lemma D.2 one iteration at a time, with the potential H(π*‖π_t) *)
Section Policy.
  Variables (M : linear_mdp RK) (α Dθ Dφ : R) (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Notation d := (dim M).
  Notation policy := (softmax_policy M α).
  Hypothesis some_action : (0 < nA M)%nat.
  Hypothesis radii : (0 <= Dθ /\ 0 <= Dφ)%R.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis comparator : is_policy M π'.
  Hypothesis comparator_states : distribution (nS M) ν'.

  Lemma softmax_is_policy z : is_policy M (policy z).
  Proof.
    split; intros x; [intros a Hx Ha | intros Hx];
      destruct (softmax_distribution (nA M) some_action (fun b => α * dot d (φ M x b) z)%R) as [P P1].
    - now apply P.
    - exact P1.
  Qed.

  Definition entropy (z : vec RK) : R := conditional_entropy (nS M) (nA M) ν' π' (policy z).

  Lemma comparator_actions x : (x < nS M)%nat -> distribution (nA M) (π' x).
  Proof. intros Hx. destruct comparator as [P P1]. split; [intros; now apply P | now apply P1]. Qed.

  Definition pi_regret (z θ : vec RK) : R :=
    rsum (nS M) (fun x => ν' x * rsum (nA M) (fun a => (π' x a - policy z x a) * dot d (φ M x a) θ))%R.

  (** α·regret + H(π*‖π_{t+1}) ≤ H(π*‖π_t) + α²(D_φ D_θ)²/2 *)
  Lemma entropy_step z θ : ball d Dθ θ ->
    (α * pi_regret z θ + entropy (vadd z θ) <= entropy z + α * α * (Dφ * Dθ * (Dφ * Dθ)) / 2)%R.
  Proof.
    intros Hθ. pose proof comparator_states as [Pν Pν1]. unfold pi_regret, entropy, conditional_entropy.
    replace (α * α * (Dφ * Dθ * (Dφ * Dθ)) / 2)%R with (α * α * (Dφ * Dθ * (Dφ * Dθ)) / 2 * rsum (nS M) ν')%R
      by (rewrite Pν1; ring).
    rewrite <- !rsum_mul, <- !rsum_add. apply rsum_le. intros x Hx. specialize (Pν x Hx).
    set (q := fun a => dot d (φ M x a) θ : R).
    assert (Bq : forall a, (a < nA M)%nat -> (Rabs (q a) <= Dφ * Dθ)%R).
    { intros a Ha. pose proof (dot_phi_sq M Dφ features Dθ θ x a Hθ Hx Ha) as Q.
      real. fold (q a) in Q. destruct radii as [R1 R2]. apply Rsqr_incr_0_var; [|now apply Rmult_le_pos].
      rewrite <- Rsqr_abs. unfold Rsqr. lra. }
    assert (Ps : distribution (nA M) (policy z x)) by (apply softmax_distribution; exact some_action).
    assert (Dom : dominated (nA M) (π' x) (policy z x)) by (intros a _ _; apply softmax_pos; exact some_action).
    pose proof (kl_step (nA M) α (Dφ * Dθ) (π' x) (policy z x) q (comparator_actions x Hx) Ps Dom Bq) as Kl.
    assert (Next : KL (nA M) (π' x) (mirror_step (nA M) α (policy z x) q) = KL (nA M) (π' x) (policy (vadd z θ) x)).
    { apply rsum_ext. intros a Ha. do 3 f_equal. unfold softmax_policy at 1. rewrite mirror_step_softmax by exact some_action.
      apply softmax_ext; [exact Ha|]. intros b _. rewrite dot_vadd_r. unfold q. real. ring. }
    rewrite Next in Kl. apply (Rmult_le_compat_l (ν' x)) in Kl; [|exact Pν]. unfold q in Kl. lra.
  Qed.

  (** H(π*‖π_1) ≤ log|A| for the uniform π_1. *)
  Lemma entropy_initial : (entropy vzero <= ln (INR (nA M)))%R.
  Proof.
    pose proof comparator_states as [Pν Pν1]. unfold entropy, conditional_entropy.
    apply Rle_trans with (rsum (nS M) (fun x => ln (INR (nA M)) * ν' x)%R).
    - apply rsum_le. intros x Hx. rewrite Rmult_comm. apply Rmult_le_compat_r; [now apply Pν|].
      eapply Rle_trans; [apply Req_le | apply (kl_uniform (nA M) (π' x)), comparator_actions, Hx].
      apply rsum_ext. intros a Ha. do 3 f_equal. rewrite <- (softmax_zero (nA M) some_action a).
      apply softmax_ext; [exact Ha|]. intros b _. simpl.
      replace (dot d (φ M x b) vzero) with 0%R; [ring|]. symmetry. apply sum_zero. intros. unfold vzero. real. ring.
    - rewrite rsum_mul, Pν1. lra.
  Qed.

  Lemma entropy_nonneg z : (0 <= entropy z)%R.
  Proof.
    pose proof comparator_states as [Pν _]. apply rsum_nonneg. intros x Hx. apply Rmult_le_pos; [now apply Pν|].
    apply kl_nonneg; [now apply comparator_actions | apply softmax_distribution; exact some_action |].
    intros a _ _. apply softmax_pos; exact some_action.
  Qed.
End Policy.
