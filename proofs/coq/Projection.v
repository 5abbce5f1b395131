(** * Projection onto the ball of R^d and onto [0,1]  (Section 3, the operator Π of Algorithms 1 and 2)

    What a projection is, is stated over any ordered field; the ball's needs a root, so it lives in the reals. *)

From Coq Require Import Reals Lra Setoid.
From OPD Require Import OrderedField Sums.
Local Open Scope K_scope.

(** p is the projection of y onto C: it lies in C and every z of C is seen from p at an obtuse angle to y,
    ⟨y − p, z − p⟩ ≤ 0. *)
Definition is_projection {K : ofield} (d : nat) (C : vec K -> Prop) (y p : vec K) : Prop :=
  C p /\ forall z, C z -> dot d (vsub y p) (vsub z p) <= 0.

(** 𝔹(D) = { y : ‖y‖² ≤ D² }, and Π_𝔹(y) = y inside, D y/‖y‖ outside. *)
Definition ball {K : ofield} (d : nat) (D : K) (y : vec K) : Prop := norm2 d y <= D².

Definition proj_ball (d : nat) (D : R) (y : vec RK) : vec RK :=
  if Rle_dec (norm2 d y) (D * D) then y else scale (D / sqrt (norm2 d y))%R y.

(** Π onto [0,1]. *)
Definition clip {K : ofield} (y : K) : K := if le_dec y 0 then 0 else if le_dec 1 y then 1 else y.

(** ** Any convex set *)
Section Any.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).
  Implicit Types x y z p q : vec K.

  (** Open a squared distance into the inner products it is made of. *)
  Ltac expand := unfold norm2; rewrite ?dot_vsub_l, ?dot_vsub_r.

  (** ‖y − z‖² = ‖y − p‖² + ‖z − p‖² − 2⟨y − p, z − p⟩ *)
  Lemma distance_split d y z p :
    norm2 d (vsub y z) = norm2 d (vsub y p) + norm2 d (vsub z p) - (1 + 1) * dot d (vsub y p) (vsub z p).
  Proof. expand. rewrite (dot_comm d z y), (dot_comm d p y), (dot_comm d p z). ring. Qed.

  (** Lemma D.1 needs just this: to come no farther from the points of C. *)
  Lemma projection_approaches d C y p z :
    is_projection d C y p -> C z -> norm2 d (vsub p z) <= norm2 d (vsub y z).
  Proof.
    intros [_ H] Hz. apply le_by_sub with (norm2 d (vsub y p) + (1 + 1) * (0 - dot d (vsub y p) (vsub z p))).
    - rewrite (distance_split d y z p). expand. rewrite (dot_comm d z p). ring.
    - apply add_nonneg; [apply norm2_nonneg|]. apply mul_nonneg.
      + apply add_nonneg; apply one_nonneg.
      + apply sub_nonneg, (H z Hz).
  Qed.

  Lemma projection_closest d C y p z :
    is_projection d C y p -> C z -> norm2 d (vsub y p) <= norm2 d (vsub y z).
  Proof.
    intros [_ H] Hz. apply le_by_sub with (norm2 d (vsub z p) + (1 + 1) * (0 - dot d (vsub y p) (vsub z p))).
    - rewrite (distance_split d y z p). ring.
    - apply add_nonneg; [apply norm2_nonneg|]. apply mul_nonneg.
      + apply add_nonneg; apply one_nonneg.
      + apply sub_nonneg, (H z Hz).
  Qed.

  Lemma is_projection_nonexpansive d C x y p q :
    is_projection d C x p -> is_projection d C y q -> norm2 d (vsub p q) <= norm2 d (vsub x y).
  Proof.
    intros [Cp Hp] [Cq Hq].
    apply le_by_sub with (norm2 d (vsub (vsub x p) (vsub y q))
      + (1 + 1) * ((0 - dot d (vsub x p) (vsub q p)) + (0 - dot d (vsub y q) (vsub p q)))).
    - expand. rewrite (dot_comm d p x), (dot_comm d y x), (dot_comm d q x), (dot_comm d q y), (dot_comm d p y), (dot_comm d q p).
      ring.
    - apply add_nonneg; [apply norm2_nonneg|]. apply mul_nonneg; [apply add_nonneg; apply one_nonneg|].
      apply add_nonneg; apply sub_nonneg; [apply (Hp q Cq) | apply (Hq p Cp)].
  Qed.

  Lemma is_projection_unique d C y p q : is_projection d C y p -> is_projection d C y q -> veq d p q.
  Proof.
    intros Hp Hq. pose proof (is_projection_nonexpansive d C y y p q Hp Hq) as H.
    assert (Z : norm2 d (vsub p q) <= 0).
    { apply le_trans with (norm2 d (vsub y y)); [exact H | apply le_eq, sum_zero]. intros i _. unfold vsub. ring. }
    intros i Hi. pose proof (norm2_zero d _ Z i Hi) as E. unfold vsub, vzero in E.
    replace (p i) with (p i - q i + q i) by ring. rewrite E. ring.
  Qed.
End Any.

(** ** The ball *)
Section Ball.
  Variables (d : nat) (D : R).
  Hypothesis D_nonneg : (0 <= D)%R.
  Implicit Types x y z : vec RK.

  Lemma norm2_outside y : ~ (norm2 d y <= D * D)%R -> (0 < sqrt (norm2 d y) /\ D < sqrt (norm2 d y)
    /\ sqrt (norm2 d y) * sqrt (norm2 d y) = norm2 d y)%R.
  Proof.
    intros H. pose proof (norm2_nonneg d y) as N. to_R.
    assert (Q : (sqrt (norm2 d y) * sqrt (norm2 d y) = norm2 d y)%R) by now apply sqrt_def.
    assert (L : (D < sqrt (norm2 d y))%R).
    { apply Rnot_le_lt. intros G. apply H. rewrite <- Q. apply Rmult_le_compat; try assumption; apply sqrt_pos. }
    split; [lra | split; assumption].
  Qed.

  Theorem projection_in_ball y : ball d D (proj_ball d D y).
  Proof.
    unfold ball, proj_ball. destruct (Rle_dec _ _) as [H|H]; [exact H|].
    destruct (norm2_outside y H) as [P [_ Q]]. rewrite norm2_scale. apply le_eq. to_R.
    rewrite <- Q at 3. field. lra.
  Qed.

  Theorem projection_idempotent y : proj_ball d D (proj_ball d D y) = proj_ball d D y.
  Proof.
    pose proof (projection_in_ball y) as H. unfold ball in H. to_R.
    set (p := proj_ball d D y) in *. unfold proj_ball. destruct (Rle_dec _ _); [reflexivity | contradiction].
  Qed.

  Theorem projection_inside y : ball d D y -> proj_ball d D y = y.
  Proof. unfold ball, proj_ball. intros H. destruct (Rle_dec _ _); [reflexivity | contradiction]. Qed.

  Theorem projection_obtuse y : is_projection d (ball d D) y (proj_ball d D y).
  Proof.
    split; [apply projection_in_ball|]. intros z Hz. unfold ball in Hz. unfold proj_ball.
    destruct (Rle_dec _ _) as [H|H].
    - apply le_eq. unfold dot. apply sum_zero. intros i _. unfold vsub. to_R. ring.
    - destruct (norm2_outside y H) as [P [L Q]]. pose proof (cauchy_schwarz d y z) as CS.
      rewrite dot_vsub_l, !dot_vsub_r, !dot_scale_l, !dot_scale_r. fold (norm2 d y). to_R.
      set (n := sqrt (norm2 d y)) in *. rewrite <- Q in *. clear Q H.
      set (b := dot d y z) in *. set (c := norm2 d z) in *. change (@carrier RK) with R in *.
      assert (B : (b <= n * D)%R).
      { apply Rnot_lt_le. intros G. assert (0 <= n * D)%R by (apply Rmult_le_pos; lra).
        assert (n * D * (n * D) < b * b)%R by (apply Rmult_le_0_lt_compat; assumption).
        assert (n * n * c <= n * n * (D * D))%R by (apply Rmult_le_compat_l; [nra | assumption]). lra. }
      replace (b - D / n * (n * n) - (D / n * b - D / n * (D / n * (n * n))))%R
        with ((1 - D / n) * (b - n * D))%R by (field; lra).
      assert (D / n < 1)%R by (apply (Rmult_lt_reg_r n); [lra | unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra]).
      nra.
  Qed.

  (** The obtuse angle characterises Π. *)
  Theorem projection_characterised y p : is_projection d (ball d D) y p -> veq d p (proj_ball d D y).
  Proof. intros H. apply (is_projection_unique d (ball d D) y); [exact H | apply projection_obtuse]. Qed.

  Theorem projection_nonexpansive x y :
    norm2 d (vsub (proj_ball d D x) (proj_ball d D y)) <= norm2 d (vsub x y).
  Proof. apply (is_projection_nonexpansive d (ball d D)); apply projection_obtuse. Qed.
End Ball.

(** ** The interval [0,1] *)
Section Interval.
  Context {K : ofield}.
  Add Field K_field' : (field_laws K).
  Implicit Types x y z : K.

  Theorem clip_in_interval y : 0 <= clip y /\ clip y <= 1.
  Proof.
    unfold clip. destruct (le_dec y 0) as [H|H]; [split; [apply le_refl | apply one_nonneg]|].
    destruct (le_dec 1 y) as [G|G]; split; try apply one_nonneg; try apply le_refl; now apply not_le.
  Qed.

  Theorem clip_inside y : 0 <= y -> y <= 1 -> clip y = y.
  Proof.
    intros H G. unfold clip. destruct (le_dec y 0); [now apply le_antisym|].
    destruct (le_dec 1 y); [now apply le_antisym | reflexivity].
  Qed.

  Theorem clip_idempotent y : clip (clip y) = clip y.
  Proof. apply clip_inside; apply clip_in_interval. Qed.

  Theorem clip_obtuse y z : 0 <= z -> z <= 1 -> (y - clip y) * (z - clip y) <= 0.
  Proof.
    intros H0 H1. unfold clip. destruct (le_dec y 0) as [H|H]; [|destruct (le_dec 1 y) as [G|G]].
    - apply le_by_sub with (- y * z); [ring | apply mul_nonneg; [now apply opp_nonneg | exact H0]].
    - apply le_by_sub with ((y - 1) * (1 - z)); [ring | apply mul_nonneg; now apply sub_nonneg].
    - apply le_eq. ring.
  Qed.

  Theorem clip_nonexpansive x y : (clip x - clip y)² <= (x - y)².
  Proof.
    pose proof (clip_in_interval x) as [X0 X1]. pose proof (clip_in_interval y) as [Y0 Y1].
    pose proof (clip_obtuse x (clip y) Y0 Y1) as Hx. pose proof (clip_obtuse y (clip x) X0 X1) as Hy.
    set (p := clip x) in *. set (q := clip y) in *.
    apply le_by_sub with (((x - p) - (y - q))² + (1 + 1) * ((0 - (x - p) * (q - p)) + (0 - (y - q) * (p - q)))); [ring|].
    apply add_nonneg; [apply sq_nonneg|]. apply mul_nonneg; [apply add_nonneg; apply one_nonneg|].
    apply add_nonneg; now apply sub_nonneg.
  Qed.
End Interval.
