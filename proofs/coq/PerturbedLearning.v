(** * Lemmas D.1 and D.2 with perturbed steps

    What is left of them when every step is the real one plus an error of bounded norm, as it is in floating point.
    An error bound need only hold on draws that can occur: [ok] says which. *)

From Coq Require Import List Reals Lra Lia Setoid FunctionalExtensionality.
From OPD Require Import OrderedField Sums Expect Mdp AppendixB Projection GradientDescent MirrorDescent Runs DoubleLoop.
Import ListNotations.
Local Open Scope K_scope.

(** ** Balls: ‖u‖ ≤ a as ⟨u,u⟩ ≤ a² *)
Section Balls.
  Implicit Types u v w : vec RK.

  Lemma abs_le_of_sq (x y : R) : (0 <= y)%R -> (x * x <= y * y)%R -> (- y <= x <= y)%R.
  Proof. intros Hy H. split; nra. Qed.

  (** |⟨u,v⟩| ≤ ‖u‖‖v‖ *)
  Lemma dot_ball d (a b : R) u v : (0 <= a)%R -> (0 <= b)%R -> ball d a u -> ball d b v ->
    (- (a * b) <= dot d u v <= a * b)%R.
  Proof.
    intros Ha Hb Hu Hv. pose proof (cauchy_schwarz d u v) as C. unfold ball in *.
    pose proof (norm2_nonneg d u). pose proof (norm2_nonneg d v). real.
    apply abs_le_of_sq; [now apply Rmult_le_pos|]. eapply Rle_trans; [exact C|].
    replace (a * b * (a * b))%R with (a * a * (b * b))%R by ring. now apply Rmult_le_compat.
  Qed.

  Lemma norm2_vadd d u v : norm2 d (vadd u v) = (norm2 d u + 2 * dot d u v + norm2 d v)%R.
  Proof. unfold norm2. rewrite !dot_vadd_l, !dot_vadd_r, (dot_comm d v u). real. ring. Qed.

  Lemma ball_add d (a b : R) u v : (0 <= a)%R -> (0 <= b)%R -> ball d a u -> ball d b v -> ball d (a + b)%R (vadd u v).
  Proof.
    intros Ha Hb Hu Hv. pose proof (dot_ball d a b u v Ha Hb Hu Hv) as D. unfold ball in *. rewrite norm2_vadd. real. nra.
  Qed.

  Lemma ball_ext d (a : R) u v : veq d u v -> ball d a u -> ball d a v.
  Proof. intros H. unfold ball. now rewrite (norm2_ext d u v H). Qed.

  Lemma ball_le d (a b : R) u : (0 <= a)%R -> (a <= b)%R -> ball d a u -> ball d b u.
  Proof. intros Ha Hb H. unfold ball in *. real. nra. Qed.

  Lemma ball_zero d (a : R) : (0 <= a)%R -> ball d a vzero.
  Proof.
    intros Ha. unfold ball. replace (norm2 d vzero) with (0 : RK); [real; nra|]. symmetry. apply sum_zero.
    intros. unfold vzero. real. ring.
  Qed.

  Lemma ball_scale d (a s : R) u : ball d a u -> ball d (Rabs s * a)%R (scale s u).
  Proof.
    intros H. unfold ball in *. rewrite norm2_scale. real.
    replace (Rabs s * a * (Rabs s * a))%R with (Rabs s * Rabs s * (a * a))%R by ring.
    replace (Rabs s * Rabs s)%R with (s * s)%R by (rewrite <- Rabs_mult; symmetry; apply Rabs_pos_eq; nra).
    apply Rmult_le_compat_l; [nra | exact H].
  Qed.

  Lemma ball_sub d (a b : R) u v : (0 <= a)%R -> (0 <= b)%R -> ball d a u -> ball d b v -> ball d (a + b)%R (vsub u v).
  Proof.
    intros Ha Hb Hu Hv. apply (ball_ext d _ (vadd u (scale (-1)%R v))).
    - intros i _. unfold vadd, vsub, scale. real. ring.
    - apply ball_add; try assumption. pose proof (ball_scale d b (-1) v Hv) as S.
      replace (Rabs (-1) * b)%R with b in S; [exact S|]. rewrite (Rabs_left (-1)) by lra. ring.
  Qed.

  (** v = w + (v − w) *)
  Lemma ball_shift d (a b : R) v w : (0 <= a)%R -> (0 <= b)%R -> ball d a w -> ball d b (vsub v w) -> ball d (a + b)%R v.
  Proof.
    intros Ha Hb Hw Hv. apply (ball_ext d _ (vadd w (vsub v w))); [|now apply ball_add].
    intros i _. unfold vadd, vsub. real. ring.
  Qed.

  (** (v − x) = (v − w) + (w − x) *)
  Lemma ball_trans d (a b : R) v w x : (0 <= a)%R -> (0 <= b)%R ->
    ball d a (vsub v w) -> ball d b (vsub w x) -> ball d (a + b)%R (vsub v x).
  Proof.
    intros Ha Hb Hv Hw. apply (ball_ext d _ (vadd (vsub v w) (vsub w x))); [|now apply ball_add].
    intros i _. unfold vadd, vsub. real. ring.
  Qed.

  (** ‖Σ_j v_j‖ ≤ Σ_j ‖v_j‖ *)
  Lemma ball_rsum d n (b : nat -> R) (w : nat -> vec RK) : (forall j, (j < n)%nat -> (0 <= b j)%R) ->
    (forall j, (j < n)%nat -> ball d (b j) (w j)) -> ball d (rsum n b) (fun i => rsum n (fun j => w j i)).
  Proof.
    intros P H. induction n as [|n IH].
    - apply (ball_zero d 0%R). lra.
    - rewrite rsum_S. apply (ball_add d (rsum n b) (b n) (fun i => rsum n (fun j => w j i)) (w n)); auto. apply rsum_nonneg. auto.
  Qed.

  (** A point, moved by an error: its squared distance to y* grows by at most 2Rδ + δ². *)
  Lemma perturbed_point d (R0 δ : R) p v ystar : (0 <= R0)%R -> (0 <= δ)%R -> ball d R0 (vsub p ystar) -> ball d δ (vsub v p) ->
    (norm2 d (vsub v ystar) <= norm2 d (vsub p ystar) + (2 * R0 * δ + δ * δ))%R.
  Proof.
    intros HR Hδ B Hv. pose proof (dot_ball d R0 δ _ _ HR Hδ B Hv) as C.
    rewrite (norm2_ext d (vsub v ystar) (vadd (vsub p ystar) (vsub v p)))
      by (intros i _; unfold vadd, vsub; real; ring).
    rewrite norm2_vadd. unfold ball in Hv. real. lra.
  Qed.

  (** Π, plus an error: no farther from y* than Π, up to 4Dδ + δ². *)
  Lemma perturbed_distance d (D δ : R) p v ystar : (0 <= D)%R -> (0 <= δ)%R ->
    ball d D p -> ball d D ystar -> ball d δ (vsub v p) ->
    (norm2 d (vsub v ystar) <= norm2 d (vsub p ystar) + (4 * D * δ + δ * δ))%R.
  Proof.
    intros HD Hδ Hp Hs Hv. replace (4 * D * δ)%R with (2 * (D + D) * δ)%R by ring.
    apply perturbed_point; [lra | exact Hδ | now apply ball_sub | exact Hv].
  Qed.
End Balls.

(** ** Expectations over the draws that can occur *)
Section Support.
  Context {K : ofield} {Ω : Type} (ok : Ω -> Prop).
  Add Field K_field : (field_laws K).

  Definition supported (P : law K Ω) : Prop := forall p w, In (p, w) P -> ok w.

  Lemma E_le_ok (P : law K Ω) f g : is_law P -> supported P -> (forall w, ok w -> f w <= g w) -> E P f <= E P g.
  Proof. intros [Hp _] HS H. apply E_le_in; [exact Hp|]. intros p w Hw. apply H. now apply (HS p). Qed.

  Lemma E_path_le_ok (P : list Ω -> law K Ω) n h f g :
    (forall h, is_law (P h)) -> (forall h, supported (P h)) -> Forall ok h ->
    (forall h', Forall ok h' -> length h' = (n + length h)%nat -> f h' <= g h') -> E_path P n h f <= E_path P n h g.
  Proof.
    intros HP HS. revert h. induction n; intros h Hh H; simpl; [now apply H|].
    apply E_le_ok; [apply HP | apply HS |]. intros w Hw. apply IHn; [now constructor|].
    intros h' Hh' L. apply H; [exact Hh' | simpl in L; lia].
  Qed.

  Lemma block_ok (P : law K Ω) n : supported P -> forall p F, In (p, F) (block P n) -> Forall ok F /\ length F = n.
  Proof.
    intros HS. induction n; intros p F H.
    - destruct H as [H|[]]. injection H as <- <-. now split.
    - cbn [block] in H. unfold bind in H. apply in_flat_map in H as [[q F'] [H' H]].
      apply in_map_iff in H as [[q' F''] [E H]]. injection E as _ <-. cbn [fst snd] in H.
      apply in_flat_map in H as [[r W] [HW H]]. apply in_map_iff in H as [[r' F3] [E H]]. injection E as _ <-.
      cbn [fst snd] in H. destruct H as [H|[]]. injection H as _ <-. cbn [snd].
      destruct (IHn q F' H') as [O L]. split; [constructor; [now apply (HS r) | exact O] | simpl; now rewrite L].
  Qed.
End Support.

(** [Runs.expected_total] along the histories that can occur. *)
Section Potential.
  Context {K : ofield} {Ω S : Type} (ok : Ω -> Prop) (step : S -> Ω -> S) (s1 : S).
  Add Field K_field' : (field_laws K).
  Notation run := (run step s1).
  Notation total := (total step s1).

  Lemma expected_total_ok (P : law K Ω) (T : nat) (c b : K) (V : S -> K) (g : S -> Ω -> K) :
    is_law P -> supported ok P ->
    (forall H, Forall ok H -> (length H < T)%nat ->
      c * E P (g (run H)) + E P (fun F => V (step (run H) F)) <= V (run H) + b) ->
    forall n H, Forall ok H -> (n + length H <= T)%nat ->
    c * E_path (fun _ => P) n H (total g) + E_path (fun _ => P) n H (fun H => V (run H))
    <= c * total g H + V (run H) + of_nat n * b.
  Proof.
    intros HP HS HV. induction n; intros H HH HT; simpl; [apply le_eq; ring|]. rewrite <- E_mul_l, <- E_add.
    apply le_trans with (E P (fun F => c * total g (F :: H) + V (run (F :: H)) + of_nat n * b)).
    - apply (E_le_ok ok); [exact HP | exact HS|]. intros F HF. apply IHn; [now constructor | simpl; lia].
    - rewrite !E_add, E_const by exact HP. rewrite E_mul_l. cbn [Runs.total Runs.run].
      rewrite E_add, E_const by exact HP.
      assert (L : (length H < T)%nat) by lia.
      specialize (HV H HH L). apply sub_nonneg in HV. eapply le_by_sub; [|exact HV]. ring.
  Qed.

  Lemma total_ext_ok (T : nat) (g g' : S -> Ω -> K) :
    (forall H F, Forall ok H -> ok F -> (length H < T)%nat -> g (run H) F = g' (run H) F) ->
    forall H, Forall ok H -> (length H <= T)%nat -> total g H = total g' H.
  Proof.
    intros E H HH. induction HH as [|F H HF HH IH]; intros L; simpl; [reflexivity|]. simpl in L.
    rewrite IH, E by (assumption || lia). reflexivity.
  Qed.
End Potential.

(** The same where the law depends on the state, and need be one only at states that T iterations can reach. *)
Section PotentialState.
  Context {K : ofield} {Ω S : Type} (ok : Ω -> Prop) (step : S -> Ω -> S) (s1 : S) (P : S -> law K Ω) (T : nat).
  Add Field K_field'' : (field_laws K).
  Notation run := (run step s1).
  Notation total := (total step s1).
  Hypothesis laws : forall H, Forall ok H -> (length H < T)%nat -> is_law (P (run H)) /\ supported ok (P (run H)).

  Lemma E_path_le_state n H f g : Forall ok H -> (n + length H <= T)%nat ->
    (forall H', Forall ok H' -> length H' = (n + length H)%nat -> f H' <= g H') ->
    E_path (fun H => P (run H)) n H f <= E_path (fun H => P (run H)) n H g.
  Proof.
    revert H. induction n; intros H HH HT Hfg; simpl; [now apply Hfg|]. simpl in HT.
    destruct (laws H HH ltac:(lia)) as [HL HS]. apply (E_le_ok ok); [exact HL | exact HS|]. intros F HF. apply IHn; [now constructor | simpl; lia|].
    intros H' HH' L. apply Hfg; [exact HH' | simpl in L; lia].
  Qed.

  Lemma E_path_nonneg_state n H f : Forall ok H -> (n + length H <= T)%nat -> (forall H, 0 <= f H) ->
    0 <= E_path (fun H => P (run H)) n H f.
  Proof.
    intros HH HT Hf. revert H HH HT. induction n; intros H HH HT; simpl; [apply Hf|]. simpl in HT.
    destruct (laws H HH ltac:(lia)) as [HL HS]. rewrite <- (E_const (P (run H)) 0 HL).
    apply (E_le_ok ok); [exact HL | exact HS|]. intros F HF. apply IHn; [now constructor | simpl; lia].
  Qed.

  Lemma expected_total_state (c b : K) (V : S -> K) (g : S -> Ω -> K) :
    (forall H, Forall ok H -> (length H < T)%nat ->
      c * E (P (run H)) (g (run H)) + E (P (run H)) (fun F => V (step (run H) F)) <= V (run H) + b) ->
    forall n H, Forall ok H -> (n + length H <= T)%nat ->
    c * E_path (fun H => P (run H)) n H (total g) + E_path (fun H => P (run H)) n H (fun H => V (run H))
    <= c * total g H + V (run H) + of_nat n * b.
  Proof.
    intros HV. induction n; intros H HH HT; simpl; [apply le_eq; ring|]. simpl in HT.
    destruct (laws H HH ltac:(lia)) as [HP HS]. rewrite <- E_mul_l, <- E_add.
    apply le_trans with (E (P (run H)) (fun F => c * total g (F :: H) + V (run (F :: H)) + of_nat n * b)).
    - apply (E_le_ok ok); [exact HP | exact HS|]. intros F HF. apply IHn; [now constructor | simpl; lia].
    - rewrite !E_add, E_const by exact HP. rewrite E_mul_l. cbn [Runs.total Runs.run].
      rewrite E_add, E_const by exact HP.
      specialize (HV H HH ltac:(lia)). apply sub_nonneg in HV. eapply le_by_sub; [|exact HV]. ring.
  Qed.
End PotentialState.

(** ** Lemma D.1, perturbed: y_{k+1} is within δ of Π(y_k + ηĥ_k), where Π approaches y* and lands within R of it *)
Section Descent.
  Context {Ω : Type} (ok : Ω -> Prop).
  Variables (d : nat) (Π : vec RK -> vec RK) (R0 δ η G2 : R) (P : law RK Ω) (ystar : vec RK).
  Variables (y : list Ω -> vec RK) (ĥ : list Ω -> Ω -> vec RK) (h : list Ω -> vec RK).
  Hypothesis R_nonneg : (0 <= R0)%R.
  Hypothesis δ_nonneg : (0 <= δ)%R.
  Hypothesis rate : (0 < η)%R.
  Hypothesis approaches : forall z, norm2 d (vsub (Π z) ystar) <= norm2 d (vsub z ystar).
  Hypothesis lands : forall z, ball d R0 (vsub (Π z) ystar).
  Hypothesis HP : is_law P.
  Hypothesis HS : supported ok P.
  Hypothesis unbiased : forall F, Forall ok F -> veq d (Ev P (ĥ F)) (h F).
  Hypothesis second_moment : forall F, Forall ok F -> E P (fun w => norm2 d (ĥ F w)) <= G2.
  Hypothesis steps : forall w F, ok w -> Forall ok F ->
    ball d δ (vsub (y (w :: F)) (Π (vadd (y F) (scale η (ĥ F w))))).
  Notation e := (2 * R0 * δ + δ * δ)%R.

  Lemma perturbed_step F : Forall ok F ->
    (2 * η * dot d (vsub ystar (y F)) (h F) + E P (fun w => norm2 d (vsub (y (w :: F)) ystar))
     <= norm2 d (vsub (y F) ystar) + η * η * G2 + e)%R.
  Proof.
    intros HF.
    pose proof (one_step_expected d Π ystar approaches P G2 η (y F) (ĥ F) (h F) HP (unbiased F HF) (second_moment F HF)) as S.
    assert (X : E P (fun w => norm2 d (vsub (y (w :: F)) ystar))
      <= E P (fun w => norm2 d (vsub (Π (vadd (y F) (scale η (ĥ F w)))) ystar) + (e : RK))).
    { apply (E_le_ok ok); [exact HP | exact HS|]. intros w Hw. apply perturbed_point; auto. }
    rewrite E_add, (E_const P (e : RK)) in X by exact HP. real. lra.
  Qed.

  Lemma perturbed_telescoped n F : Forall ok F ->
    (2 * η * E_path (fun _ => P) n F (along (fun F => dot d (vsub ystar (y F)) (h F)))
     + E_path (fun _ => P) n F (fun F => norm2 d (vsub (y F) ystar))
     <= 2 * η * along (fun F => dot d (vsub ystar (y F)) (h F)) F + norm2 d (vsub (y F) ystar)
        + INR n * (η * η * G2 + e))%R.
  Proof.
    set (b := (η * η * G2 + e)%R).
    revert F. induction n; intros F HF; [simpl; real; lra|]. cbn [E_path].
    apply Rle_trans with (E P (fun w => (2 * η * along (fun F => dot d (vsub ystar (y F)) (h F)) (w :: F)
      + norm2 d (vsub (y (w :: F)) ystar) + INR n * b)%R)).
    - change (Rle ((2 * η)%R * E P ?f + E P ?g) ?r) with ((2 * η)%R * E P f + E P g <= r).
      rewrite <- E_mul_l, <- E_add. apply (E_le_ok ok); [exact HP | exact HS|]. intros w Hw. apply IHn. now constructor.
    - pose proof (perturbed_step F HF) as S. cbn [along].
      rewrite (E_ext P _ (fun w => (((2 * η)%R : RK) * (along (fun F => dot d (vsub ystar (y F)) (h F)) F + dot d (vsub ystar (y F)) (h F)) + ((INR n * b)%R : RK))
        + norm2 d (vsub (y (w :: F)) ystar))) by (intros w; real; ring).
      rewrite E_add, E_const by exact HP. rewrite S_INR. real. unfold b in *. lra.
  Qed.

  (** E Σ_k ⟨y* − y_k, h_k⟩ ≤ ‖y_1 − y*‖²/(2η) + ηnG²/2 + n(2Rδ + δ²)/(2η) *)
  Lemma perturbed_descent n :
    (E_path (fun _ => P) n [] (along (fun F => dot d (vsub ystar (y F)) (h F)))
     <= norm2 d (vsub (y []) ystar) / (2 * η) + η * INR n * G2 / 2 + INR n * e / (2 * η))%R.
  Proof.
    pose proof (perturbed_telescoped n [] (Forall_nil _)) as T. cbn [along] in T.
    assert (Q : 0 <= E_path (fun _ => P) n [] (fun F => norm2 d (vsub (y F) ystar))).
    { rewrite <- (E_path_const (fun _ => P) n [] 0 (fun _ => HP)). apply E_path_le; [intros; exact HP | intros; apply norm2_nonneg]. }
    set (S := E_path _ n [] (along _)) in *. set (N := E_path _ n [] (fun F => norm2 d _)) in *.
    set (n2 := norm2 d _) in *. clearbody S N n2. real. change (@carrier RK) with R in *.
    apply (Rmult_le_reg_l (2 * η)); [lra|].
    replace (2 * η * (n2 / (2 * η) + η * INR n * G2 / 2 + INR n * e / (2 * η)))%R
      with (n2 + INR n * (η * η * G2 + e))%R by (field; lra).
    lra.
  Qed.
End Descent.

(** ‖E g‖² ≤ E‖g‖² *)
Lemma norm2_Ev {Ω} d (P : law RK Ω) (g : Ω -> vec RK) : is_law P ->
  norm2 d (Ev P g) <= E P (fun w => norm2 d (g w)).
Proof.
  intros HP. set (m := Ev P g).
  assert (Q : 0 <= E P (fun w => norm2 d (vsub (g w) m))).
  { rewrite <- (E_const P 0 HP). apply E_le; [exact HP | intros; apply norm2_nonneg]. }
  rewrite (E_ext P _ (fun w => norm2 d (g w) - (1 + 1) * dot d m (g w) + norm2 d m)) in Q
    by (intros w; unfold norm2; rewrite !dot_vsub_l, !dot_vsub_r, (dot_comm d (g w) m); real; ring).
  rewrite E_add, E_sub, E_mul_l, E_const in Q by exact HP. rewrite <- dot_Ev in Q. fold m in Q. fold (norm2 d m) in Q. real. lra.
Qed.

(** ** The inner loops: D.1 for an average that is itself off by δ_a *)
Section Average.
  Context {Ω : Type} (ok : Ω -> Prop).
  Variables (d k : nat) (Π : vec RK -> vec RK) (R0 δ δa η G2 B : R) (P : law RK Ω) (gt : Ω -> vec RK) (g ystar : vec RK).
  Variables (y avg : list Ω -> vec RK).
  Hypothesis R_nonneg : (0 <= R0)%R.
  Hypothesis deltas : (0 <= δ /\ 0 <= δa)%R.
  Hypothesis rate : (0 < η)%R.
  Hypothesis some : (0 < k)%nat.
  Hypothesis approaches : forall z, norm2 d (vsub (Π z) ystar) <= norm2 d (vsub z ystar).
  Hypothesis lands : forall z, ball d R0 (vsub (Π z) ystar).
  Hypothesis HP : is_law P.
  Hypothesis HS : supported ok P.
  Hypothesis unbiased : veq d (Ev P gt) g.
  Hypothesis second_moment : E P (fun W => norm2 d (gt W)) <= G2.
  Hypothesis start : (norm2 d (vsub (y []) ystar) <= B)%R.
  Hypothesis steps : forall W F, ok W -> Forall ok F -> ball d δ (vsub (y (W :: F)) (Π (vsub (y F) (scale η (gt W))))).
  Hypothesis averages : forall F, Forall ok F -> length F = k -> ball d δa (vsub (avg F) (average y F)).

  Lemma perturbed_average_regret :
    (E (block P k) (fun F => dot d (vsub (avg F) ystar) g)
     <= B / (2 * η * INR k) + η * G2 / 2 + (2 * R0 * δ + δ * δ) / (2 * η) + δa * sqrt G2)%R.
  Proof.
    destruct deltas as [Pδ Pa]. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    assert (Bg : ball d (sqrt G2) g).
    { unfold ball. rewrite <- (norm2_ext d _ _ unbiased). pose proof (norm2_Ev d P gt HP) as J. pose proof (norm2_nonneg d (Ev P gt)) as NN.
      pose proof second_moment as SM. real. rewrite sqrt_def by lra. lra. }
    set (ĥ := fun (_ : list Ω) W => scale (- (1) : RK) (gt W)).
    assert (D1 : (E_path (fun _ => P) k [] (along (fun F => dot d (vsub ystar (y F)) (scale (- (1)) g)))
     <= norm2 d (vsub (y []) ystar) / (2 * η) + η * INR k * G2 / 2 + INR k * (2 * R0 * δ + δ * δ) / (2 * η))%R).
    { apply (perturbed_descent ok d Π R0 δ η G2 P ystar y ĥ (fun _ => scale (- (1)) g)); try assumption.
      - intros F _ i Hi. unfold Ev, ĥ, scale. rewrite E_mul_l. f_equal. now apply unbiased.
      - intros F _. unfold ĥ. rewrite (E_ext _ _ (fun W => norm2 d (gt W))) by (intros W; rewrite norm2_scale; real; ring). exact second_moment.
      - intros W F HW HF. specialize (steps W F HW HF).
        replace (vadd (y F) (scale η (ĥ F W))) with (vsub (y F) (scale η (gt W))); [exact steps|].
        apply functional_extensionality. intros i. unfold ĥ, vsub, vadd, scale. real. ring. }
    set (S := E_path _ k [] _) in D1.
    apply Rle_trans with (/ INR k * S + δa * sqrt G2)%R.
    - rewrite E_block_path.
      apply Rle_trans with (E_path (fun _ => P) k [] (fun F => (inv (of_nat k) : RK) * along (fun F =>
        dot d (vsub ystar (y F)) (scale (- (1)) g)) F + ((δa * sqrt G2)%R : RK))).
      + apply (E_path_le_ok ok); [intros; exact HP | intros; exact HS | constructor|].
        intros F HF LF. simpl in LF. rewrite Nat.add_0_r in LF. pose proof (averages F HF LF) as A.
        assert (NF : F <> []) by (destruct F; simpl in LF; [lia | discriminate]).
        set (av := average y F) in *.
        assert (X := dot_ball d δa (sqrt G2) _ _ Pa (sqrt_pos G2) A Bg).
        assert (Y : dot d av g = dot d ystar g + inv (of_nat k) * along (fun F => dot d (vsub ystar (y F)) (scale (- (1)) g)) F).
        { unfold av. rewrite dot_average by exact NF. rewrite LF.
          assert (Kn : (of_nat k : RK) <> 0) by (apply lt_neq, of_nat_pos; lia).
          rewrite (along_ext (fun F => dot d (vsub ystar (y F)) (scale (- (1)) g)) (fun F => dot d (y F) g + (- dot d ystar g)))
            by (intros F'; rewrite dot_scale_r, dot_vsub_l; real; ring).
          rewrite along_add, along_const, LF. real. field. exact Kn. }
        rewrite dot_vsub_l in X |- *. real. lra.
      + rewrite E_path_add, E_path_mul_l, E_path_const by (intros; exact HP). fold S. real. rewrite of_nat_INR. apply Rle_refl.
    - pose proof start as St. set (n2 := norm2 d (vsub (y []) ystar)) in *. clearbody n2 S. real. change (@carrier RK) with R in *.
      apply Rplus_le_compat_r. apply (Rmult_le_reg_l (INR k)); [exact Pk|].
      rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. eapply Rle_trans; [exact D1|].
      assert (n2 / (2 * η) <= B / (2 * η))%R by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | exact St]).
      replace (INR k * (B / (2 * η * INR k) + η * G2 / 2 + (2 * R0 * δ + δ * δ) / (2 * η)))%R
        with (B / (2 * η) + η * INR k * G2 / 2 + INR k * (2 * R0 * δ + δ * δ) / (2 * η))%R by (field; lra).
      lra.
  Qed.
End Average.

(** ** Lemma D.2, perturbed: policies within δ_π of softmax(αΦz_t) in l¹, and z_{t+1} within δ_Σ of z_t + θ_t *)
Section Policy.
  Variables (M : linear_mdp RK) (α B Dφ δπ δΣ : R) (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Notation d := (dim M).
  Notation exact := (softmax_policy M α).
  Hypothesis some_action : (0 < nA M)%nat.
  Hypothesis radii : (0 <= B /\ 0 <= Dφ)%R.
  Hypothesis deltas : (0 <= δπ /\ 0 <= δΣ)%R.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis comparator : is_policy M π'.
  Hypothesis comparator_states : distribution (nS M) ν'.

  (** Σ_x ν*(x) Σ_a (π*(a|x) − π(a|x))⟨φ(x,a), θ⟩ *)
  Definition regret_of (π : nat -> nat -> RK) (θ : vec RK) : R :=
    rsum (nS M) (fun x => ν' x * rsum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ))%R.

  Lemma rsum_abs_le n (f g : nat -> R) (c : R) : (0 <= c)%R -> (forall a, (a < n)%nat -> (- c <= g a <= c)%R) ->
    (rsum n (fun a => f a * g a) <= c * rsum n (fun a => Rabs (f a)))%R.
  Proof.
    intros Hc H. rewrite <- rsum_mul. apply rsum_le. intros a Ha. specialize (H a Ha).
    destruct (Rle_dec 0 (f a)) as [P|P].
    - rewrite (Rabs_pos_eq (f a)) by exact P. nra.
    - rewrite (Rabs_left (f a)) by lra. nra.
  Qed.

  Lemma perturbed_entropy_step z z' θ π : ball d B θ -> ball d δΣ (vsub z' (vadd z θ)) ->
    (forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π x a - exact z x a)) <= δπ)%R) ->
    (α * regret_of π θ + entropy M α π' ν' z'
     <= entropy M α π' ν' z + α * α * (Dφ * (B + δΣ) * (Dφ * (B + δΣ))) / 2
        + Rabs α * (2 * Dφ * δΣ + δπ * (Dφ * B)))%R.
  Proof.
    destruct radii as [PB Pφ]. destruct deltas as [Pπ PΣ]. intros Hθ Hz Hπ. set (θ' := vsub z' z).
    assert (Hθ' : ball d (B + δΣ)%R θ').
    { apply (ball_shift d B δΣ θ' θ PB PΣ Hθ). apply (ball_ext d δΣ (vsub z' (vadd z θ))); [|exact Hz].
      intros i _. unfold θ', vsub, vadd. real. ring. }
    assert (Pr : (0 <= B + δΣ /\ 0 <= Dφ)%R) by (split; lra).
    pose proof (entropy_step M α (B + δΣ)%R Dφ π' ν' some_action Pr features comparator comparator_states z θ' Hθ') as S.
    assert (Ez : vadd z θ' = z') by (apply functional_extensionality; intros i; unfold θ', vadd, vsub; real; ring).
    rewrite Ez in S.
    assert (X : (Rabs (regret_of π θ - pi_regret M α π' ν' z θ') <= 2 * Dφ * δΣ + δπ * (Dφ * B))%R).
    { pose proof comparator_states as [Pν Pν1]. unfold regret_of, pi_regret. rewrite <- rsum_sub.
      rewrite (rsum_ext (nS M) _ (fun x => ν' x * (rsum (nA M) (fun a => (exact z x a - π x a) * dot d (φ M x a) θ)
        + rsum (nA M) (fun a => (π' x a - exact z x a) * dot d (φ M x a) (vsub θ θ'))))%R).
      2:{ intros x Hx. rewrite <- Rmult_minus_distr_l. f_equal. rewrite <- rsum_sub, <- rsum_add. apply rsum_ext. intros a Ha.
          rewrite dot_vsub_r. real. ring. }
      assert (two : forall (f : nat -> nat -> R) g c e, (0 <= c)%R -> (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> (- c <= g x a <= c)%R) ->
        (forall x, (x < nS M)%nat -> rsum (nA M) (fun a => Rabs (f x a)) <= e)%R ->
        forall x, (x < nS M)%nat -> (- (c * e) <= rsum (nA M) (fun a => f x a * g x a) <= c * e)%R).
      { intros f g c e Hc Hg Hf x Hx. specialize (Hf x Hx).
        pose proof (rsum_abs_le (nA M) (f x) (g x) c Hc (fun a Ha => Hg x a Hx Ha)) as U.
        assert (Hg' : forall a, (a < nA M)%nat -> (- c <= - g x a <= c)%R) by (intros a Ha; specialize (Hg x a Hx Ha); lra).
        pose proof (rsum_abs_le (nA M) (f x) (fun a => (- g x a)%R) c Hc Hg') as L. cbv beta in L.
        rewrite (rsum_ext (nA M) (fun a => f x a * - g x a)%R (fun a => -1 * (f x a * g x a))%R), rsum_mul in L by (intros; ring).
        assert (c * rsum (nA M) (fun a => Rabs (f x a)) <= c * e)%R by now apply Rmult_le_compat_l.
        lra. }
      assert (Hd : ball d δΣ (vsub θ θ')).
      { unfold ball in *. rewrite <- (norm2_ext d (scale (-1)%R (vsub z' (vadd z θ)))), norm2_scale.
        - real. lra.
        - intros i _. unfold θ', scale, vsub, vadd. real. ring. }
      assert (C1 : (0 <= Dφ * B)%R) by now apply Rmult_le_pos.
      assert (C2 : (0 <= Dφ * δΣ)%R) by now apply Rmult_le_pos.
      pose proof (two (fun x a => exact z x a - π x a)%R (fun x a => dot d (φ M x a) θ) (Dφ * B)%R δπ C1
        (fun x a Hx Ha => dot_ball d Dφ B _ _ Pφ PB (features x a Hx Ha) Hθ)) as A1.
      pose proof (two (fun x a => π' x a - exact z x a)%R (fun x a => dot d (φ M x a) (vsub θ θ')) (Dφ * δΣ)%R 2%R C2
        (fun x a Hx Ha => dot_ball d Dφ δΣ _ _ Pφ PΣ (features x a Hx Ha) Hd)) as A2.
      assert (H1 : forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (exact z x a - π x a)) <= δπ)%R).
      { intros x Hx. rewrite (rsum_ext _ _ (fun a => Rabs (π x a - exact z x a))) by (intros; apply Rabs_minus_sym). now apply Hπ. }
      assert (H2 : forall x, (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π' x a - exact z x a)) <= 2)%R).
      { intros x Hx. destruct (comparator_actions M π' comparator x Hx) as [N1 T1].
        destruct (softmax_distribution (nA M) some_action (fun b => α * dot d (φ M x b) z)%R) as [N2 T2].
        apply Rle_trans with (rsum (nA M) (fun a => π' x a + exact z x a)%R).
        - apply rsum_le. intros a Ha. specialize (N1 a Ha). specialize (N2 a Ha). unfold softmax_policy.
          apply Rabs_le. real. lra.
        - rewrite rsum_add. change (rsum (nA M) (π' x) + rsum (nA M) (softmax (nA M) (fun b => α * dot d (φ M x b) z)%R) <= 2)%R.
          rewrite T1, T2. lra. }
      specialize (A1 H1). specialize (A2 H2).
      set (f := fun x => (rsum (nA M) (fun a => (exact z x a - π x a) * dot d (φ M x a) θ)
        + rsum (nA M) (fun a => (π' x a - exact z x a) * dot d (φ M x a) (vsub θ θ')))%R) in *.
      assert (F : forall x, (x < nS M)%nat -> (- (2 * Dφ * δΣ + δπ * (Dφ * B)) <= f x <= 2 * Dφ * δΣ + δπ * (Dφ * B))%R).
      { intros x Hx. specialize (A1 x Hx). specialize (A2 x Hx). unfold f. lra. }
      set (e := (2 * Dφ * δΣ + δπ * (Dφ * B))%R) in *. clearbody e.
      apply Rabs_le. replace e with (e * rsum (nS M) ν')%R by (rewrite Pν1; ring). split.
      - replace (- (e * rsum (nS M) ν'))%R with ((- e) * rsum (nS M) ν')%R by ring. rewrite <- rsum_mul.
        apply rsum_le. intros x Hx. specialize (F x Hx). specialize (Pν x Hx). unfold f in F. nra.
      - rewrite <- rsum_mul. apply rsum_le. intros x Hx. specialize (F x Hx). specialize (Pν x Hx). unfold f in F. nra. }
    assert (Y : (α * regret_of π θ <= α * pi_regret M α π' ν' z θ' + Rabs α * (2 * Dφ * δΣ + δπ * (Dφ * B)))%R).
    { set (r := regret_of π θ) in *. set (r' := pi_regret M α π' ν' z θ') in *. set (e := (2 * Dφ * δΣ + δπ * (Dφ * B))%R) in *.
      assert (Rabs (α * (r - r')) <= Rabs α * e)%R by (rewrite Rabs_mult; apply Rmult_le_compat_l; [apply Rabs_pos | exact X]).
      pose proof (Rle_abs (α * (r - r'))) as U. lra. }
    lra.
  Qed.

  (** Summed over T iterations from z_1 = 0. *)
  Lemma perturbed_mirror (z θ : nat -> vec RK) (π : nat -> nat -> nat -> RK) (T : nat) :
    (0 < α)%R -> z 0%nat = vzero -> (forall t, (t < T)%nat -> ball d B (θ t)) ->
    (forall t, (t < T)%nat -> ball d δΣ (vsub (z (S t)) (vadd (z t) (θ t)))) ->
    (forall t x, (t < T)%nat -> (x < nS M)%nat -> (rsum (nA M) (fun a => Rabs (π t x a - exact (z t) x a)) <= δπ)%R) ->
    (rsum T (fun t => regret_of (π t) (θ t))
     <= ln (INR (nA M)) / α + α * INR T * (Dφ * (B + δΣ) * (Dφ * (B + δΣ))) / 2
        + INR T * (2 * Dφ * δΣ + δπ * (Dφ * B)))%R.
  Proof.
    intros Hα Hz Hθ HΣ Hπ. set (e := (2 * Dφ * δΣ + δπ * (Dφ * B))%R). set (b := (Dφ * (B + δΣ) * (Dφ * (B + δΣ)))%R).
    assert (G : (α * rsum T (fun t => regret_of (π t) (θ t)) + entropy M α π' ν' (z T)
      <= ln (INR (nA M)) + INR T * (α * α * b / 2 + α * e))%R).
    { induction T as [|T IH].
      - change (rsum 0 _) with 0%R. rewrite Hz. pose proof (entropy_initial M α π' ν' some_action comparator comparator_states). simpl. lra.
      - rewrite rsum_S, S_INR.
        pose proof (perturbed_entropy_step (z T) (z (S T)) (θ T) (π T) (Hθ T (Nat.lt_succ_diag_r T)) (HΣ T (Nat.lt_succ_diag_r T))
          (fun x Hx => Hπ T x (Nat.lt_succ_diag_r T) Hx)) as S. rewrite (Rabs_pos_eq α) in S by lra. fold e b in S.
        assert (I : (α * rsum T (fun t => regret_of (π t) (θ t)) + entropy M α π' ν' (z T)
          <= ln (INR (nA M)) + INR T * (α * α * b / 2 + α * e))%R) by (apply IH; intros; auto).
        lra. }
    pose proof (entropy_nonneg M α π' ν' some_action comparator comparator_states (z T)) as N.
    apply (Rmult_le_reg_l α); [exact Hα|].
    replace (α * (ln (INR (nA M)) / α + α * INR T * b / 2 + INR T * e))%R
      with (ln (INR (nA M)) + INR T * (α * α * b / 2 + α * e))%R by (field; lra). lra.
  Qed.
End Policy.
