(** * Runs of a double-loop method on a finite sample space

    One outer iteration consumes a block of draws; a run is a state machine on blocks.  Histories are newest first. *)

From Coq Require Import List Ring Field Lia Reals Setoid.
From OPD Require Import OrderedField Sums Expect GradientDescent.
Import ListNotations.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} {Ω : Type}.

  (** The law of n independent draws from P. *)
  Fixpoint block (P : law K Ω) (n : nat) : law K (list Ω) :=
    match n with O => dirac [] | S n => bind (block P n) (fun F => bind P (fun W => dirac (W :: F))) end.

  Context {S : Type} (step : S -> Ω -> S) (s1 : S).

  (** The state s_t that a history leads to, and Σ_t g(s_t, block of iteration t) along it. *)
  Fixpoint run (H : list Ω) : S := match H with [] => s1 | F :: H => step (run H) F end.
  Fixpoint total (g : S -> Ω -> K) (H : list Ω) : K :=
    match H with [] => 0 | F :: H => total g H + g (run H) F end.

  (** Σ_t g(history before t, block of t): what is summed may depend on all that went before. *)
  Fixpoint tally (g : list Ω -> Ω -> K) (H : list Ω) : K :=
    match H with [] => 0 | F :: H => tally g H + g H F end.

  (** E[(1/T) Σ_t g(s_t, ·)] over T iterations, whose draws have a law that may depend on the state: the
      expectation of g at iteration J ~ Unif[T]. *)
  Definition expected_at_random_iteration (P : S -> law K Ω) (T : nat) (g : S -> Ω -> K) : K :=
    E_path (fun H => P (run H)) T [] (total g) / of_nat T.
End Definitions.

Section Blocks.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field : (field_laws K).

  Lemma is_law_block (P : law K Ω) n : is_law P -> is_law (block P n).
  Proof.
    intros HP. induction n; [apply is_law_dirac|]. apply is_law_bind; [exact IHn|]. intros _ F _.
    apply is_law_bind; [exact HP | intros; apply is_law_dirac].
  Qed.

  (** The last draw of a block given the others. *)
  Lemma E_block_S (P : law K Ω) n f : E (block P (S n)) f = E (block P n) (fun F => E P (fun W => f (W :: F))).
  Proof.
    cbn [block]. rewrite E_bind. apply E_ext. intros F. rewrite E_bind. apply E_ext. intros W. apply E_dirac.
  Qed.

  Lemma E_path_last (P : list Ω -> law K Ω) n h f :
    E_path P (S n) h f = E_path P n h (fun h => E (P h) (fun w => f (w :: h))).
  Proof.
    revert h. induction n; intros h; [reflexivity|].
    change (E (P h) (fun w => E_path P (S n) (w :: h) f)
            = E (P h) (fun w => E_path P n (w :: h) (fun h => E (P h) (fun w => f (w :: h))))).
    apply E_ext. intros w. apply IHn.
  Qed.

  Lemma E_block_path (P : law K Ω) n f : E (block P n) f = E_path (fun _ => P) n [] f.
  Proof.
    revert f. induction n; intros f; [exact (E_dirac (K := K) [] f)|]. rewrite E_block_S, IHn, E_path_last. reflexivity.
  Qed.

  (** Only histories of the right length count. *)
  Lemma E_path_ext_length (P : list Ω -> law K Ω) n h f g :
    (forall h', length h' = (n + length h)%nat -> f h' = g h') -> E_path P n h f = E_path P n h g.
  Proof.
    revert h. induction n; intros h H; simpl; [now apply H|]. apply E_ext. intros w. apply IHn.
    intros h' Hh'. apply H. simpl in Hh'. lia.
  Qed.

  Lemma along_add (f g : list Ω -> K) F : along (fun F => f F + g F) F = along f F + along g F.
  Proof. induction F as [|w F IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma along_mul (c : K) (f : list Ω -> K) F : along (fun F => c * f F) F = c * along f F.
  Proof. induction F as [|w F IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma along_const (c : K) (F : list Ω) : along (fun _ => c) F = of_nat (length F) * c.
  Proof. induction F as [|w F IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma along_ext (f g : list Ω -> K) F : (forall F, f F = g F) -> along f F = along g F.
  Proof. intros H. induction F as [|w F IH]; simpl; [reflexivity | now rewrite IH, H]. Qed.

  Lemma along_le (f g : list Ω -> K) F : (forall F, f F <= g F) -> along f F <= along g F.
  Proof. intros H. induction F as [|w F IH]; simpl; [apply le_refl | now apply add_le_compat]. Qed.

  Lemma along_dot d (u : list Ω -> vec K) v F :
    dot d (fun i => along (fun F => u F i) F) v = along (fun F => dot d (u F) v) F.
  Proof.
    induction F as [|w F IH]; simpl.
    - apply sum_zero. intros. ring.
    - rewrite <- IH. unfold dot. rewrite <- sum_add. apply sum_ext. intros. ring.
  Qed.

  (** (1/n) Σ_k u_k over the n histories that precede the draws of F. *)
  Definition average (u : list Ω -> vec K) (F : list Ω) : vec K := fun i => along (fun F => u F i) F / of_nat (length F).

  Lemma dot_average d u v F : F <> [] ->
    dot d (average u F) v = along (fun F => dot d (u F) v) F / of_nat (length F).
  Proof.
    intros HF. assert (N : (of_nat (length F) : K) <> 0) by (apply lt_neq, of_nat_pos; destruct F; simpl; congruence).
    rewrite <- along_dot. unfold dot, average.
    rewrite (sum_ext d _ (fun i => along (fun F => u F i) F * v i * inv (of_nat (length F)))) by (intros; field; exact N).
    rewrite sum_mul_r. field. exact N.
  Qed.

  (** An average of points of a ball lies in it. *)
  Lemma norm2_average d (B : K) u F : F <> [] -> (forall F, norm2 d (u F) <= B) -> norm2 d (average u F) <= B.
  Proof.
    intros HF Hu. set (A := average u F). pose proof (dot_average d u A F HF) as E. fold A in E.
    assert (P : (0 : K) < of_nat (length F)) by (apply of_nat_pos; destruct F; simpl; congruence).
    assert (H : (1 + 1) * norm2 d A <= B + norm2 d A).
    { unfold norm2 at 1. rewrite E. apply le_mul_reg_r with (of_nat (length F)); [exact P|].
      replace ((1 + 1) * (along (fun F => dot d (u F) A) F / of_nat (length F)) * of_nat (length F))
        with (along (fun F => (1 + 1) * dot d (u F) A) F) by (rewrite along_mul; field; now apply lt_neq).
      apply le_trans with (along (fun _ => B + norm2 d A) F).
      - apply along_le. intros F'. apply le_by_sub with (norm2 d (vsub (u F') A) + (B - norm2 d (u F'))).
        + unfold norm2. rewrite !dot_vsub_l, !dot_vsub_r, (dot_comm d A (u F')). ring.
        + apply add_nonneg; [apply norm2_nonneg | now apply sub_nonneg].
      - rewrite along_const. apply le_eq. ring. }
    apply sub_nonneg in H. eapply le_by_sub; [|exact H]. ring.
  Qed.
End Blocks.

Section Tally.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field0 : (field_laws K).

  Lemma total_tally {S : Type} (step : S -> Ω -> S) s1 (g : S -> Ω -> K) H :
    total step s1 g H = tally (fun H F => g (run step s1 H) F) H.
  Proof. induction H as [|F H IH]; simpl; [reflexivity | now rewrite IH]. Qed.

  (** E[g | history] ≤ b at every iteration adds up to nb. *)
  Lemma expected_tally (P : list Ω -> law K Ω) (b : K) (g : list Ω -> Ω -> K) :
    (forall H, is_law (P H)) -> (forall H, E (P H) (g H) <= b) ->
    forall n H, E_path P n H (tally g) <= tally g H + of_nat n * b.
  Proof.
    intros HP Hb. induction n; intros H; simpl; [apply le_eq; ring|].
    apply le_trans with (E (P H) (fun F => tally g (F :: H) + of_nat n * b)); [apply E_le; [apply HP | intros F; apply IHn]|].
    cbn [tally]. rewrite !E_add, !E_const by apply HP. specialize (Hb H). apply sub_nonneg in Hb. eapply le_by_sub; [|exact Hb]. ring.
  Qed.
End Tally.

Section Potential.
  Context {K : ofield} {Ω S : Type} (step : S -> Ω -> S) (s1 : S).
  Add Field K_field' : (field_laws K).
  Notation run := (run step s1).
  Notation total := (total step s1).

  Lemma total_add (g g' : S -> Ω -> K) H : total (fun s F => g s F + g' s F) H = total g H + total g' H.
  Proof. induction H as [|F H IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma total_ext (I : S -> Prop) (g g' : S -> Ω -> K) H : I s1 -> (forall s F, I s -> I (step s F)) ->
    (forall s F, I s -> g s F = g' s F) -> total g H = total g' H.
  Proof.
    intros H1 HI E. assert (R : forall H, I (run H)) by (intros J; induction J; simpl; auto).
    induction H as [|F H IH]; simpl; [reflexivity | now rewrite IH, E].
  Qed.

  (** c E[g] + E[V after] ≤ V before + b, iteration by iteration, adds up. *)
  Lemma expected_total (P : S -> law K Ω) (I : S -> Prop) (c b : K) (V : S -> K) (g : S -> Ω -> K) :
    (forall s, is_law (P s)) -> I s1 -> (forall s F, I s -> I (step s F)) ->
    (forall s, I s -> c * E (P s) (g s) + E (P s) (fun F => V (step s F)) <= V s + b) ->
    forall n H, c * E_path (fun H => P (run H)) n H (total g) + E_path (fun H => P (run H)) n H (fun H => V (run H))
                <= c * total g H + V (run H) + of_nat n * b.
  Proof.
    intros HP H1 HI HV. assert (R : forall H, I (run H)) by (intros J; induction J; simpl; auto).
    induction n; intros H; simpl; [apply le_eq; ring|]. rewrite <- E_mul_l, <- E_add.
    apply le_trans with (E (P (run H)) (fun F => c * total g (F :: H) + V (run (F :: H)) + of_nat n * b)).
    - apply E_le; [apply HP|]. intros F. apply IHn.
    - rewrite !E_add, E_const by apply HP. rewrite E_mul_l. cbn [Runs.total Runs.run].
      rewrite E_add, E_const by apply HP.
      specialize (HV (run H) (R H)). apply sub_nonneg in HV. eapply le_by_sub; [|exact HV]. ring.
  Qed.
End Potential.
