(** * Appendix D, Lemma D.1: online stochastic gradient descent

    The sample space is a finite tree.  A history, newest draw first, is what F_{k−1} knows; the law of the next
    draw, the estimate ĥ_k and its mean h_k may all depend on it. *)

From Coq Require Import List Reals Lra Ring Field Setoid.
From OPD Require Import OrderedField Sums Expect Projection.
Import ListNotations.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} {Ω : Type}.

  (** E[f(w_n … w_1) | h], n further draws, each from the law [P] gives to the history so far. *)
  Fixpoint E_path (P : list Ω -> law K Ω) (n : nat) (h : list Ω) (f : list Ω -> K) : K :=
    match n with O => f h | S n => E (P h) (fun w => E_path P n (w :: h) f) end.

  (** Σ_k f(F_{k−1}) along a history: over the histories that precede each of its draws. *)
  Fixpoint along (f : list Ω -> K) (h : list Ω) : K :=
    match h with [] => 0 | _ :: h => along f h + f h end.

  (** y_{k+1} = Π(y_k + η ĥ_k) *)
  Fixpoint iterate (Π : vec K -> vec K) (η : K) (ĥ : list Ω -> Ω -> vec K) (y1 : vec K) (h : list Ω) : vec K :=
    match h with [] => y1 | w :: h => Π (vadd (iterate Π η ĥ y1 h) (scale η (ĥ h w))) end.
End Definitions.

Section Paths.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field : (field_laws K).
  Implicit Types P : list Ω -> law K Ω.

  Lemma E_path_ext P n h f g : (forall h, f h = g h) -> E_path P n h f = E_path P n h g.
  Proof. intros H. revert h. induction n; intros h; simpl; [apply H | apply E_ext; intros; apply IHn]. Qed.

  Lemma E_path_add P n h f g : E_path P n h (fun h => f h + g h) = E_path P n h f + E_path P n h g.
  Proof.
    revert h. induction n; intros h; simpl; [reflexivity|]. rewrite <- E_add. apply E_ext. intros; apply IHn.
  Qed.

  Lemma E_path_sub P n h f g : E_path P n h (fun h => f h - g h) = E_path P n h f - E_path P n h g.
  Proof.
    revert h. induction n; intros h; simpl; [reflexivity|]. rewrite <- E_sub. apply E_ext. intros; apply IHn.
  Qed.

  Lemma E_path_mul_l P n h (c : K) f : E_path P n h (fun h => c * f h) = c * E_path P n h f.
  Proof.
    revert h. induction n; intros h; simpl; [reflexivity|]. rewrite <- E_mul_l. apply E_ext. intros; apply IHn.
  Qed.

  Lemma E_path_le P n h f g :
    (forall h, is_law (P h)) -> (forall h, f h <= g h) -> E_path P n h f <= E_path P n h g.
  Proof.
    intros HP H. revert h. induction n; intros h; simpl; [apply H | apply E_le; [apply HP|]; intros; apply IHn].
  Qed.

  Lemma E_path_const P n h (c : K) : (forall h, is_law (P h)) -> E_path P n h (fun _ => c) = c.
  Proof.
    intros HP. revert h. induction n; intros h; simpl; [reflexivity|].
    rewrite (E_ext _ _ (fun _ => c)) by (intros; apply IHn). now apply E_const.
  Qed.
End Paths.

Section Descent.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field' : (field_laws K).
  Local Notation "2" := (1 + 1 : K).
  Variables (d : nat) (Π : vec K -> vec K) (ystar : vec K).
  (** All that is asked of Π: it brings no point farther from the comparator. *)
  Hypothesis approaches : forall y, norm2 d (vsub (Π y) ystar) <= norm2 d (vsub y ystar).

  (** The one-step inequality, draw by draw:
      ‖y_{k+1} − y*‖² ≤ ‖y_k − y*‖² − 2η⟨y* − y_k, ĥ_k⟩ + η²‖ĥ_k‖². *)
  Lemma one_step η y g :
    norm2 d (vsub (Π (vadd y (scale η g))) ystar)
    <= norm2 d (vsub y ystar) - 2 * η * dot d (vsub ystar y) g + η² * norm2 d g.
  Proof.
    apply le_trans with (1 := approaches _). apply le_eq. unfold norm2.
    rewrite !dot_vsub_l, !dot_vsub_r, !dot_vadd_l, !dot_vadd_r, !dot_scale_l, !dot_scale_r.
    rewrite (dot_comm d g y), (dot_comm d g ystar), (dot_comm d ystar y). ring.
  Qed.

  (** The same in conditional expectation, where E ĥ_k = h_k and E‖ĥ_k‖² ≤ G²:
      2η⟨y* − y_k, h_k⟩ + E‖y_{k+1} − y*‖² ≤ ‖y_k − y*‖² + η²G². *)
  Lemma one_step_expected (P : law K Ω) (G2 : K) η y ĝ g :
    is_law P -> veq d (Ev P ĝ) g -> E P (fun w => norm2 d (ĝ w)) <= G2 ->
    2 * η * dot d (vsub ystar y) g + E P (fun w => norm2 d (vsub (Π (vadd y (scale η (ĝ w)))) ystar))
    <= norm2 d (vsub y ystar) + η² * G2.
  Proof.
    intros HP Hg HG. pose proof (E_le P _ _ HP (fun w => one_step η y (ĝ w))) as H. simpl in H.
    rewrite E_add, E_sub, E_const, !E_mul_l in H by exact HP.
    rewrite <- (dot_Ev P), (dot_ext d _ _ _ _ (fun i _ => eq_refl) Hg) in H.
    apply le_trans with (2 * η * dot d (vsub ystar y) g
      + (norm2 d (vsub y ystar) - 2 * η * dot d (vsub ystar y) g + η² * E P (fun w => norm2 d (ĝ w)))).
    - apply add_le, H.
    - apply le_by_sub with (η² * (G2 - E P (fun w => norm2 d (ĝ w)))); [ring|].
      apply mul_nonneg; [apply sq_nonneg | now apply sub_nonneg].
  Qed.

  Variables (P : list Ω -> law K Ω) (η G2 : K) (ĥ : list Ω -> Ω -> vec K) (h : list Ω -> vec K) (y1 : vec K).
  Hypothesis laws : forall F, is_law (P F).
  Hypothesis unbiased : forall F, veq d (Ev (P F) (ĥ F)) (h F).
  Hypothesis second_moment : forall F, E (P F) (fun w => norm2 d (ĥ F w)) <= G2.
  Let y := iterate Π η ĥ y1.

  (** The telescoped sum, from any history on. *)
  Lemma telescoped n F :
    2 * η * E_path P n F (along (fun F => dot d (vsub ystar (y F)) (h F)))
    + E_path P n F (fun F => norm2 d (vsub (y F) ystar))
    <= 2 * η * along (fun F => dot d (vsub ystar (y F)) (h F)) F + norm2 d (vsub (y F) ystar) + of_nat n * (η² * G2).
  Proof.
    revert F. induction n; intros F; simpl; [apply le_eq; ring|].
    rewrite <- E_mul_l, <- E_add.
    apply le_trans with (E (P F) (fun w => 2 * η * along (fun F => dot d (vsub ystar (y F)) (h F)) (w :: F)
      + norm2 d (vsub (y (w :: F)) ystar) + of_nat n * (η² * G2))).
    - apply E_le; [apply laws|]. intros w. apply IHn.
    - rewrite !E_add, E_const by apply laws. cbn [along].
      pose proof (one_step_expected (P F) G2 η (y F) (ĥ F) (h F) (laws F) (unbiased F) (second_moment F)) as S.
      change (E (P F) (fun w => norm2 d (vsub (Π (vadd (y F) (scale η (ĥ F w)))) ystar)))
        with (E (P F) (fun w => norm2 d (vsub (y (w :: F)) ystar))) in S.
      apply sub_nonneg in S. eapply le_by_sub; [|exact S]. rewrite E_mul_l, E_const by apply laws. ring.
  Qed.

  Lemma gradient_descent n : 0 < η ->
    E_path P n [] (along (fun F => dot d (vsub ystar (y F)) (h F)))
    <= norm2 d (vsub y1 ystar) / (2 * η) + η * of_nat n * G2 / 2.
  Proof.
    intros Hη. assert (H2 : (0 : K) < 2).
    { split; [apply add_nonneg; apply one_nonneg|]. intros E.
      apply (lt_not_le 0 (1 : K) one_pos). rewrite E. apply le_by_sub with 1; [ring | apply one_nonneg]. }
    pose proof (mul_pos _ _ H2 Hη) as H2η. pose proof (lt_neq _ H2) as N2. pose proof (lt_neq _ Hη) as Nη.
    apply le_mul_reg_r with (2 * η); [exact H2η|].
    pose proof (telescoped n []) as T. cbn [along] in T.
    assert (Q : 0 <= E_path P n [] (fun F => norm2 d (vsub (y F) ystar))).
    { rewrite <- (E_path_const P n [] 0 laws). apply E_path_le; [exact laws | intros; apply norm2_nonneg]. }
    set (S := E_path P n [] (along _)) in *. set (N := E_path P n [] (fun F => norm2 d (vsub (y F) ystar))) in *.
    replace ((norm2 d (vsub y1 ystar) / (2 * η) + η * of_nat n * G2 / 2) * (2 * η))
      with (norm2 d (vsub y1 ystar) + of_nat n * (η² * G2)) by (field; split; assumption).
    apply le_trans with (2 * η * S + N); [apply le_by_sub with N; [ring | exact Q]|].
    apply le_trans with (1 := T). apply le_eq. unfold y; simpl. ring.
  Qed.
End Descent.

(** ** Lemma D.1, as printed: Π onto the ball 𝔹(D) of R^d *)
Theorem lemma_D_1 (d n : nat) (D η G2 : R) {Ω : Type} (P : list Ω -> law RK Ω)
    (ĥ : list Ω -> Ω -> vec RK) (h : list Ω -> vec RK) (y1 ystar : vec RK) :
  0 <= D -> 0 < η -> ball d D ystar ->
  (forall F, is_law (P F)) ->
  (forall F, veq d (Ev (P F) (ĥ F)) (h F)) ->
  (forall F, E (P F) (fun w => norm2 d (ĥ F w)) <= G2) ->
  let y := iterate (proj_ball d D) η ĥ y1 in
  E_path P n [] (along (fun F => dot d (vsub ystar (y F)) (h F)))
  <= norm2 d (vsub y1 ystar) / ((1 + 1) * η) + η * of_nat n * G2 / (1 + 1).
Proof.
  intros HD Hη Hs HP Hu HG. apply gradient_descent; try assumption.
  intros y. apply (projection_approaches d (ball d D)); [apply projection_obtuse; exact HD | exact Hs].
Qed.
