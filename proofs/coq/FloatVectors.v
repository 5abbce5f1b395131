(** * Rounded vectors, inner products, sums and projections: absolute errors from a-priori bounds

    One rounding of something of size at most X costs at most εX, ε = 2u, for every X that is not absurdly small: the factor 2
    takes in underflow and all terms of second order. *)

From Coq Require Import Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Projection RealSums DoubleLoop PerturbedLearning.
From OPD Require Import FloatProjection FloatAverage FloatDot.
Local Open Scope R_scope.

(** ‖v‖ ≤ r, in the stdlib's numbers. *)
Notation "'Ball' d r v" := (ball (K := RK) d r%R v) (at level 10, d at level 9, r at level 9, v at level 9).

Definition ε : R := 2 * u.

Lemma ε_pos : 0 < ε.
Proof. unfold ε. pose proof u_pos. lra. Qed.

Lemma ε_small : ε * 4503599627370496 = 1.
Proof. unfold ε. pose proof u_small. lra. Qed.

(** m roundings, few enough. *)
Definition few (m : nat) : Prop := INR m * u <= / 16.

Lemma few_le m m' : (m <= m')%nat -> few m' -> few m.
Proof. unfold few. intros H F. apply le_INR in H. pose proof u_pos. nra. Qed.

Lemma pow_error m (A S : R) : few m -> 0 <= S -> S <= 15 / 8 * A -> ((1 + u) ^ m - 1) * S <= INR m * ε * A.
Proof.
  unfold few. intros F P H. pose proof u_pos as Pu. pose proof (pos_INR m) as Pm.
  pose proof (bernoulli m) as B. pose proof (up_down m) as D. pose proof (pow_up_one m) as U. set (x := INR m * u) in *.
  assert (Px : 0 <= x) by (apply Rmult_le_pos; lra).
  assert (G : ((1 + u) ^ m - 1) <= 16 / 15 * x).
  { assert ((1 + u) ^ m * (1 - x) <= 1) by (eapply Rle_trans; [|exact D]; apply Rmult_le_compat_l; lra). nra. }
  replace (INR m * ε * A) with (2 * x * A) by (unfold ε, x; ring). nra.
Qed.

(** ** Scalars *)

Lemma rnd_within X x : Rabs x <= X -> tiny <= X -> Rabs (rnd x - x) <= ε * X.
Proof. intros H T. pose proof (rnd_error_any x). pose proof u_pos. unfold ε. nra. Qed.

Lemma abs_trans a b c x y : Rabs (a - b) <= x -> Rabs (b - c) <= y -> Rabs (a - c) <= x + y.
Proof. intros H H'. replace (a - c) with ((a - b) + (b - c)) by ring. eapply Rle_trans; [apply Rabs_triang | lra]. Qed.

Lemma abs_shift a b x y : Rabs b <= x -> Rabs (a - b) <= y -> Rabs a <= x + y.
Proof. intros H H'. replace a with (b + (a - b)) by ring. eapply Rle_trans; [apply Rabs_triang | lra]. Qed.

Lemma abs_mul a b x y : Rabs a <= x -> Rabs b <= y -> Rabs (a * b) <= x * y.
Proof. intros H H'. rewrite Rabs_mult. apply Rmult_le_compat; try apply Rabs_pos; assumption. Qed.

(** ** Sums *)

Lemma near_accumulate m n (t e A : nat -> R) : (forall j, (j < n)%nat -> near m (t j) (e j) (A j)) ->
  near (m + n) (accumulate t n) (rsum n e) (rsum n A).
Proof.
  induction n as [|n IH]; intros H; [apply near_zero|]. rewrite !rsum_S. cbn [accumulate].
  replace (m + S n)%nat with (S (m + n)) by lia. apply near_add; [apply IH; auto|]. apply (near_le m); [lia | auto].
Qed.

(** A double is near itself. *)
Lemma near_double x : double x -> near 0 x x (Rabs x).
Proof. intros H. split; [exact H | split; [lra|]]. replace (x - x) with 0 by ring. rewrite Rabs_R0. simpl. lra. Qed.

(** ** Vectors *)
Section Vectors.
  Variable d : nat.
  Implicit Types (v w : nat -> R) (X Y c : R).

  Lemma ball_comp X v w : (forall i, (i < d)%nat -> Rabs (v i) <= w i) -> Ball d X w -> Ball d X v.
  Proof.
    intros H B. unfold ball in *. eapply Rle_trans; [|exact B]. apply (rsum_le d (fun i => v i * v i) (fun i => w i * w i)).
    intros i Hi. specialize (H i Hi). rewrite <- sqr_abs. apply Rmult_le_compat; try apply Rabs_pos; assumption.
  Qed.

  Lemma ball_abs X v : Ball d X v -> Ball d X (fun i => Rabs (v i)).
  Proof.
    intros H. unfold ball in *.
    replace (norm2 (K := RK) d (fun i => Rabs (v i))) with (norm2 (K := RK) d v); [exact H|].
    apply rsum_ext. intros i _. symmetry. apply sqr_abs.
  Qed.

  Lemma ball_const c : 0 <= c -> Ball d (INR d * c) (fun _ => c).
  Proof.
    intros Hc. unfold ball. change (rsum d (fun _ => c * c) <= INR d * c * (INR d * c)). rewrite rsum_const.
    destruct d as [|n]; [simpl; lra|]. assert (1 <= INR (S n)) by (change 1 with (INR 1); apply le_INR; lia). nra.
  Qed.

  Lemma ball_nonneg_comp X i v : 0 <= X -> Ball d X v -> (i < d)%nat -> Rabs (v i) <= X.
  Proof.
    intros PX H Hi. apply Rsqr_incr_0_var; [|exact PX]. rewrite <- Rsqr_abs. unfold Rsqr. eapply Rle_trans; [|exact H].
    apply (Sums.sum_term_le (K := RK) d (fun i => v i * v i)); [intros; apply Rle_0_sqr | exact Hi].
  Qed.

  (** Rounding each component. *)
  Lemma ball_rnd X v : Ball d X v -> INR d * tiny <= X ->
    Ball d (ε * X) (vsub (K := RK) (fun i => rnd (v i)) v).
  Proof.
    intros B T. pose proof tiny_pos as Pt. pose proof u_pos as Pu. pose proof (pos_INR d) as Pd. assert (PX : 0 <= X) by nra.
    apply (ball_comp _ _ (scale (K := RK) u (vadd (K := RK) (fun i => Rabs (v i)) (fun _ => tiny)))).
    - intros i _. unfold vsub, scale, vadd. apply rnd_error_any.
    - assert (T0 : 0 <= tiny) by lra. assert (T1 : 0 <= INR d * tiny) by nra.
      pose proof (ball_add d X (INR d * tiny) _ _ PX T1 (ball_abs X v B) (ball_const tiny T0)) as A.
      apply (ball_scale d _ u) in A. rewrite Rabs_pos_eq in A by lra.
      eapply ball_le; [| |exact A]; unfold ε; nra.
  Qed.

  (** Σ|v_i w_i| ≤ ‖v‖‖w‖ *)
  Lemma abs_dot X Y v w : 0 <= X -> 0 <= Y -> Ball d X v -> Ball d Y w ->
    rsum d (fun i => Rabs (v i * w i)) <= X * Y.
  Proof.
    intros PX PY Hv Hw. pose proof (dot_ball d X Y _ _ PX PY (ball_abs _ _ Hv) (ball_abs _ _ Hw)) as [_ H].
    eapply Rle_trans; [apply Req_le | exact H]. apply rsum_ext. intros i _. apply Rabs_mult.
  Qed.

  Notation m := (3 + chunks d)%nat.

  (** |dot(v,w) − ⟨v,w⟩| ≤ mε‖v‖‖w‖ *)
  Lemma inner_within X Y v w : few m -> 0 <= X -> 0 <= Y -> INR d * tiny <= 7 / 8 * (X * Y) ->
    Ball d X v -> Ball d Y w -> Rabs (inner d v w - dot (K := RK) d v w) <= INR m * ε * (X * Y).
  Proof.
    intros F PX PY T Hv Hw. pose proof (abs_dot X Y v w PX PY Hv Hw) as D. pose proof tiny_pos. pose proof (pos_INR d).
    eapply Rle_trans; [apply (float_dot_any d v w)|]. fold tiny. apply pow_error; [exact F | |lra].
    apply Rplus_le_le_0_compat; [apply rsum_nonneg; intros; apply Rabs_pos | nra].
  Qed.
End Vectors.

(** ** The projection *)
Section Projection.
  Variables (d : nat) (D : R) (y : nat -> R).
  Notation m := (3 + chunks d)%nat.
  Hypothesis roundings : INR (m + 8) * ε <= / 64.
  Hypothesis radius : bpow radix2 (-400) <= D.
  Hypothesis dimension : (Z.of_nat d <= 2 ^ 28)%Z.
  Hypothesis size : Ball d (bpow radix2 600) y.
  Let n2 := norm2 (K := RK) d y.
  Let n := sqrt n2.
  Let S := inner d y y.
  Let v := float_norm d y.

  Lemma radius_pos : 0 < D.
  Proof. pose proof (bpow_gt_0 radix2 (-400)). lra. Qed.

  Lemma few_m : few m.
  Proof.
    unfold few. rewrite plus_INR in roundings. simpl (INR 8) in roundings. unfold ε in roundings. pose proof u_pos. nra.
  Qed.

  (** What underflows is nothing against D². *)
  Lemma tiny_D : INR d * tiny <= u * (D * D).
  Proof.
    assert (Dd : INR d <= bpow radix2 28) by (rewrite INR_IZR_INZ; change (bpow radix2 28) with (IZR 268435456); now apply IZR_le).
    apply Rle_trans with (bpow radix2 (-53) * (bpow radix2 (-400) * bpow radix2 (-400))).
    - apply Rle_trans with (bpow radix2 28 * bpow radix2 (-1022)).
      + apply Rmult_le_compat_r; [apply bpow_ge_0 | exact Dd].
      + rewrite <- !bpow_plus. apply bpow_le. lia.
    - apply Rmult_le_compat_l; [apply bpow_ge_0|]. apply Rmult_le_compat; try apply bpow_ge_0; exact radius.
  Qed.

  Lemma n2_nonneg : 0 <= n2.
  Proof. exact (norm2_nonneg (K := RK) d y). Qed.

  Lemma n_square : n * n = n2.
  Proof. apply sqrt_def, n2_nonneg. Qed.

  Lemma n_nonneg : 0 <= n.
  Proof. apply sqrt_pos. Qed.

  (** Where it matters, ‖y‖ ≥ D/2, the computed norm has a small relative error. *)
  Lemma square_error : Rabs (S - n2) <= (INR m + 1) * ε * (n2 + D * D / 16).
  Proof.
    pose proof tiny_D as T. pose proof n2_nonneg as P. pose proof u_pos as Pu. pose proof ε_pos as Pe. pose proof (pos_INR m) as Pm.
    pose proof (pos_INR d). pose proof tiny_pos. assert (PD : 0 <= D * D) by apply Rle_0_sqr.
    eapply Rle_trans; [apply (float_dot_any d y y)|]. fold tiny.
    assert (E : rsum d (fun i => Rabs (y i * y i)) = n2) by (apply rsum_ext; intros; apply Rabs_pos_eq, Rle_0_sqr).
    rewrite E. eapply Rle_trans; [apply (pow_error m (n2 + D * D / 16))|].
    - apply few_m.
    - nra.
    - pose proof u_small. nra.
    - apply Rmult_le_compat_r; [nra|]. nra.
  Qed.

  Definition ρ : R := 15 / 16 * ((INR m + 4) * ε).

  Lemma ρ_small : 0 <= ρ <= / 64.
  Proof.
    unfold ρ. pose proof ε_pos. pose proof (pos_INR m). rewrite plus_INR in roundings. simpl (INR 8) in roundings. split; nra.
  Qed.

  Lemma S_nonneg : 0 <= sqrt S.
  Proof. apply sqrt_pos. Qed.

  Lemma norm_error : D / 2 <= n -> Rabs (v - n) <= ρ * n.
  Proof.
    intros H. pose proof square_error as E. pose proof n_square as Q. pose proof ε_pos as Pe. pose proof (pos_INR m) as Pm.
    pose proof radius_pos as PD. pose proof ρ_small as Rs.
    assert (N2 : D * D / 16 <= n2 / 4) by nra.
    set (r := (INR m + 1) * ε * (5 / 4)).
    assert (Pr : 0 <= r) by (unfold r; nra).
    assert (E1 : Rabs (S - n2) <= r * n2).
    { eapply Rle_trans; [exact E|]. unfold r. assert (0 <= (INR m + 1) * ε) by nra. nra. }
    assert (Sm : r <= / 32) by (unfold r, ρ in *; nra).
    assert (Sn : 0 <= S) by (apply Rabs_le_inv in E1; pose proof n2_nonneg; nra).
    (* the root halves a relative error *)
    assert (E2 : Rabs (sqrt S - n) <= 3 / 4 * r * n).
    { apply Rabs_le_inv in E1. pose proof (sqrt_def S Sn) as QS. pose proof S_nonneg as PS. pose proof n_nonneg as Pn. apply Rabs_le. split.
      - assert (n * (1 - 3 / 4 * r) <= sqrt S); [|lra]. apply from_squares; [exact PS|]. rewrite QS.
        replace (n * (1 - 3 / 4 * r) * (n * (1 - 3 / 4 * r))) with (n2 * ((1 - 3 / 4 * r) * (1 - 3 / 4 * r))) by (rewrite <- Q; ring).
        assert ((1 - 3 / 4 * r) * (1 - 3 / 4 * r) <= 1 - r) by nra. pose proof n2_nonneg. nra.
      - assert (sqrt S <= n * (1 + 3 / 4 * r)); [|lra]. apply from_squares; [nra|]. rewrite QS.
        replace (n * (1 + 3 / 4 * r) * (n * (1 + 3 / 4 * r))) with (n2 * ((1 + 3 / 4 * r) * (1 + 3 / 4 * r))) by (rewrite <- Q; ring).
        assert (1 + r <= (1 + 3 / 4 * r) * (1 + 3 / 4 * r)) by nra. pose proof n2_nonneg. nra. }
    assert (E3 : Rabs (v - sqrt S) <= ε * (n * (1 + r))).
    { unfold v, float_norm. apply rnd_within; [rewrite Rabs_pos_eq by apply S_nonneg; apply Rabs_le_inv in E2; nra|].
      apply Rle_trans with (D / 2); [|nra]. apply Rle_trans with (bpow radix2 (-1) * bpow radix2 (-400)).
      - rewrite <- bpow_plus. apply bpow_le. lia.
      - simpl (bpow radix2 (-1)). lra. }
    eapply Rle_trans; [apply (abs_trans v (sqrt S) n); [exact E3 | exact E2]|].
    assert (ε * (1 + r) + 3 / 4 * r <= ρ); [|nra]. assert (ε * r <= ε * / 32) by (apply Rmult_le_compat_l; lra). unfold ρ, r in *. nra.
  Qed.

  Lemma norm_small : n < D / 2 -> v <= D.
  Proof.
    intros H. pose proof square_error as E. pose proof n_square as Q. pose proof n_nonneg as Pn. pose proof ε_pos as Pe.
    pose proof (pos_INR m) as Pm. pose proof radius_pos as PD. pose proof ρ_small as Rs.
    assert (N2 : n2 <= D * D / 4) by nra.
    assert (R1 : 0 <= (INR m + 1) * ε <= / 32) by (unfold ρ in Rs; split; nra).
    assert (Sb : S <= 3 / 4 * D * (3 / 4 * D)).
    { apply Rabs_le_inv in E. assert (0 <= D * D) by nra. nra. }
    assert (Rb : sqrt S <= 3 / 4 * D).
    { destruct (Rle_or_lt 0 S) as [P|P]; [|rewrite sqrt_neg_0; lra].
      apply from_squares; [lra|]. rewrite sqrt_def by exact P. exact Sb. }
    assert (E3 : Rabs (v - sqrt S) <= ε * D).
    { unfold v, float_norm. apply rnd_within; [rewrite Rabs_pos_eq by apply S_nonneg; lra|].
      eapply Rle_trans; [|exact radius]. apply bpow_le. lia. }
    apply Rabs_le_inv in E3. pose proof ε_small. nra.
  Qed.

  (** ‖Π_f(y) − Π(y)‖ ≤ (m + 8)εD *)
  Theorem projection_error : Ball d (INR (m + 8) * ε * D) (vsub (K := RK) (float_project d D y) (proj_ball d D y)).
  Proof.
    pose proof radius_pos as PD. pose proof n_square as Q. pose proof n_nonneg as Pn. pose proof ε_pos as Pe. pose proof ε_small as Se.
    pose proof ρ_small as Rs. pose proof (pos_INR m) as Pm. pose proof tiny_D as T. pose proof u_small. pose proof u_pos.
    assert (K : INR (m + 8) * ε = INR m * ε + 8 * ε) by (rewrite plus_INR; simpl (INR 8); ring).
    set (b := INR (m + 8) * ε * D). assert (Pb : 0 <= b) by (unfold b; rewrite K; nra).
    assert (By : Ball d n y) by (unfold ball; change (n2 <= n * n); lra).
    (* y itself, against D·y/‖y‖ or y *)
    assert (multiples : forall s t e, Rabs (s - t) * n <= e -> 0 <= e ->
      Ball d e (vsub (K := RK) (scale (K := RK) s y) (scale (K := RK) t y))).
    { intros s t e He Pe'. apply (ball_ext d _ (scale (K := RK) (s - t) y)).
      - intros i _. unfold scale, vsub. real. ring.
      - eapply ball_le; [|exact He | apply ball_scale; exact By]. apply Rmult_le_pos; [apply Rabs_pos | exact Pn]. }
    set (t := if Rle_dec n2 (D * D) then 1 else D / n).
    assert (Ht : proj_ball d D y = scale (K := RK) t y \/ (n <= D /\ t = 1 /\ proj_ball d D y = y)).
    { unfold proj_ball, t. fold n2. destruct (Rle_dec n2 (D * D)) as [H'|H'].
      - right. split; [apply from_squares; [lra | rewrite Q; exact H'] | split; reflexivity].
      - left. reflexivity. }
    assert (Ev : veq d (proj_ball d D y) (scale (K := RK) t y)).
    { destruct Ht as [->|(_ & -> & ->)]; intros i _; [reflexivity | unfold scale; real; ring]. }
    assert (Tn : t * n <= D /\ 0 <= t <= 1 /\ (t = 1 \/ (D < n /\ t = D / n))).
    { unfold t. destruct (Rle_dec n2 (D * D)) as [H'|H'].
      - assert (n <= D) by (apply from_squares; [lra | rewrite Q; exact H']). split; [lra | split; [lra | now left]].
      - assert (D < n) by (apply Rnot_le_lt; intros G; apply H'; rewrite <- Q; nra).
        split; [apply Req_le; field; lra|]. split; [|right; split; [lra | reflexivity]]. split.
        + apply Rlt_le, Rdiv_lt_0_compat; lra.
        + apply (Rmult_le_reg_r n); [lra|]. replace (D / n * n) with D by (field; lra). lra. }
    destruct Tn as (Tn & T1 & T2).
    unfold float_project. fold v. destruct (Rle_dec v D) as [V|V].
    - (* left alone *)
      apply (ball_ext d _ (vsub (K := RK) (scale (K := RK) 1%R y) (scale (K := RK) t y))).
      + intros i Hi. unfold vsub. rewrite (Ev i Hi). unfold scale. real. ring.
      + apply multiples; [|exact Pb]. rewrite Rabs_pos_eq by lra. destruct T2 as [->|[G ->]]; [unfold b in *; nra|].
        replace ((1 - D / n) * n) with (n - D) by (field; lra).
        assert (E : Rabs (v - n) <= ρ * n) by (apply norm_error; lra). apply Rabs_le_inv in E.
        assert (n <= 64 / 63 * D) by nra. unfold b. rewrite K. apply Rle_trans with (ρ * (64 / 63 * D)); [nra|].
        unfold ρ. nra.
    - apply Rnot_le_lt in V.
      assert (Hn : D / 2 <= n) by (apply Rnot_lt_le; intros G; apply norm_small in G; lra).
      pose proof (norm_error Hn) as E. apply Rabs_le_inv in E.
      assert (nv : n <= 64 / 63 * v) by nra. assert (Pv : 0 < v) by lra.
      assert (Q0 : 0 < D / v <= 1).
      { split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r v); [lra|]. replace (D / v * v) with D by (field; lra). lra. }
      assert (Dn : D / v * n <= 64 / 63 * D).
      { replace (D / v * n) with (D * (n / v)) by (field; lra). rewrite (Rmult_comm (64 / 63)). apply Rmult_le_compat_l; [lra|].
        apply (Rmult_le_reg_r v); [lra|]. replace (n / v * v) with n by (field; lra). exact nv. }
      assert (tn : tiny * n <= D).
      { assert (n <= bpow radix2 600).
        { apply from_squares; [apply bpow_ge_0|]. rewrite Q. exact size. }
        apply Rle_trans with (bpow radix2 (-1022) * bpow radix2 600).
        - apply Rmult_le_compat_l; [apply bpow_ge_0 | assumption].
        - rewrite <- bpow_plus. eapply Rle_trans; [|exact radius]. apply bpow_le. lia. }
      set (s := rnd (D / v)).
      assert (Es : Rabs (s - D / v) * n <= 2 * ε * D).
      { pose proof (rnd_error_any (D / v)) as G. fold s in G. rewrite (Rabs_pos_eq (D / v)) in G by lra.
        apply Rle_trans with (u * (D / v + tiny) * n); [apply Rmult_le_compat_r; assumption|].
        replace (u * (D / v + tiny) * n) with (u * (D / v * n + tiny * n)) by ring. unfold ε. nra. }
      assert (Et : Rabs (D / v - t) * n <= ρ * (64 / 63) * D).
      { destruct T2 as [->|[G ->]].
        - assert (n <= D) by lra. rewrite Rabs_minus_sym, Rabs_pos_eq by lra.
          replace ((1 - D / v) * n) with ((v - D) * (n / v)) by (field; lra).
          assert (n / v <= 1) by (apply (Rmult_le_reg_r v); [lra|]; replace (n / v * v) with n by (field; lra); lra).
          assert (0 <= n / v) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
          assert (v - D <= ρ * D) by nra. nra.
        - replace (D / v - D / n) with (D / v * ((n - v) / n)) by (field; lra). rewrite Rabs_mult, (Rabs_pos_eq (D / v)) by lra.
          assert (A : Rabs ((n - v) / n) * n <= ρ * n).
          { unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ n)) by (apply Rlt_le, Rinv_0_lt_compat; lra).
            rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Rabs_le. lra. }
          rewrite Rmult_assoc. apply Rle_trans with (D / v * (ρ * n)); [apply Rmult_le_compat_l; [lra | exact A]|].
          replace (D / v * (ρ * n)) with (ρ * (D / v * n)) by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra. }
      assert (Est : Rabs (s - t) * n <= ρ * (64 / 63) * D + 2 * ε * D).
      { replace (s - t) with ((s - D / v) + (D / v - t)) by ring.
        apply Rle_trans with ((Rabs (s - D / v) + Rabs (D / v - t)) * n); [apply Rmult_le_compat_r; [exact Pn | apply Rabs_triang] | lra]. }
      assert (X1 : 0 <= ρ * (64 / 63) * D + 2 * ε * D) by nra.
      assert (Bs : Ball d (9 / 8 * D) (scale (K := RK) s y)).
      { eapply ball_le; [| |apply ball_scale; exact By].
        - apply Rmult_le_pos; [apply Rabs_pos | exact Pn].
        - replace s with ((s - D / v) + D / v) by ring.
          apply Rle_trans with ((Rabs (s - D / v) + D / v) * n).
          + apply Rmult_le_compat_r; [exact Pn|]. eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_pos_eq (D / v)) by lra. lra.
          + assert (2 * ε * D <= / 64 * D) by nra. nra. }
      apply (ball_le d ((ε * (9 / 8 * D)) + (ρ * (64 / 63) * D + 2 * ε * D))); [nra | unfold b; rewrite K; unfold ρ; nra |].
      apply (ball_trans d _ _ _ (scale (K := RK) s y)); [nra | exact X1 | |].
      + apply (ball_ext d _ (vsub (K := RK) (fun i => rnd (scale (K := RK) s y i)) (scale (K := RK) s y))).
        * intros i _. unfold vsub, scale. real. now rewrite (Rmult_comm s).
        * apply ball_rnd; [exact Bs|]. eapply Rle_trans; [|apply (Rmult_le_compat_r D 1 (9 / 8)); lra]. rewrite Rmult_1_l.
          assert (Dd : INR d <= bpow radix2 28) by (rewrite INR_IZR_INZ; change (bpow radix2 28) with (IZR 268435456); now apply IZR_le).
          apply Rle_trans with (bpow radix2 28 * bpow radix2 (-1022)); [apply Rmult_le_compat_r; [apply bpow_ge_0 | exact Dd]|].
          rewrite <- bpow_plus. eapply Rle_trans; [|exact radius]. apply bpow_le. lia.
      + apply (ball_ext d _ (vsub (K := RK) (scale (K := RK) s y) (scale (K := RK) t y))).
        * intros i Hi. unfold vsub. now rewrite (Ev i Hi).
        * apply multiples; assumption.
  Qed.
End Projection.
