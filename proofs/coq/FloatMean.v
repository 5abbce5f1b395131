(** * The f64 average of K vectors, or of K numbers of [0,1], and a running sum of vectors, against the exact ones *)

From Coq Require Import List Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums GradientDescent RealSums Runs DoubleLoop PerturbedLearning PerturbedA1.
From OPD Require Import FloatProjection FloatAverage FloatDot FloatVectors FloatExp FloatBounds FloatPolicy1 FloatGradient1 FloatStep1 FloatAlgorithm1.
Import ListNotations.
Local Open Scope R_scope.

Section Mean.
  Context {Ω : Type} (ok : Ω -> Prop).
  Variables (d k : nat) (B : R) (v : list Ω -> nat -> R).
  Hypothesis some : (0 < k)%nat.
  Hypothesis not_many : (Z.of_nat k <= 2 ^ 28)%Z.
  Hypothesis dimension : (Z.of_nat d <= 2 ^ 28)%Z.
  Hypothesis size : ge (-100) B.
  Hypothesis balls : forall F, Forall ok F -> Ball d B (v F).
  Hypothesis doubles : forall F i, Forall ok F -> double (v F i).

  Lemma near_along W F i : Forall ok F ->
    near (length F) (float_along (fun F => v F i) (W :: F)) (along (K := RK) (fun F => v F i) (W :: F)) (along (K := RK) (fun F => Rabs (v F i)) (W :: F)).
  Proof.
    intros HF. induction HF as [|W' F HW HF IH].
    - cbn [float_along along length]. rewrite Rplus_0_l. assert (D : double (v [] i)) by (apply doubles; constructor).
      rewrite (rnd_double _ D). real. rewrite !Rplus_0_l. now apply near_double.
    - cbn [length]. change (float_along (fun F => v F i) (W :: W' :: F)) with (rnd (float_along (fun F => v F i) (W :: F) + v (W' :: F) i)).
      change (along (K := RK) (fun F => v F i) (W :: W' :: F)) with (along (K := RK) (fun F => v F i) (W :: F) + v (W' :: F) i).
      change (along (K := RK) (fun F => Rabs (v F i)) (W :: W' :: F)) with (along (K := RK) (fun F => Rabs (v F i)) (W :: F) + Rabs (v (W' :: F) i)).
      apply near_add; [exact IH|]. apply (near_le 0); [lia|]. apply near_double, doubles. now constructor.
  Qed.

  Lemma k_facts : 1 <= INR k /\ INR k * ε <= / 1024 /\ ge (-28) (/ INR k).
  Proof.
    pose proof ε_pos. pose proof ε_small. assert (Kp : 1 <= INR k) by (change 1 with (INR 1); apply le_INR; lia). split; [exact Kp|].
    pose proof not_many as KZ. apply IZR_le in KZ. rewrite <- INR_IZR_INZ in KZ. change (IZR (2 ^ 28)) with 268435456 in KZ. split; [nra|].
    unfold ge. change (bpow radix2 (-28)) with (/ 268435456). apply Rinv_le; lra.
  Qed.

  Lemma reciprocal_error : Rabs (rnd (1 / INR k) - 1 / INR k) <= ε * / INR k /\ Rabs (rnd (1 / INR k)) <= (1 + ε) * / INR k.
  Proof.
    destruct k_facts as (Kp & _ & G). assert (Pk : 0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    assert (E : Rabs (rnd (1 / INR k) - 1 / INR k) <= ε * / INR k).
    { apply rnd_within; [unfold Rdiv; rewrite Rmult_1_l, Rabs_pos_eq; lra|]. apply tiny_le, (ge_weaken (-28)); [exact G | lia]. }
    split; [exact E|]. replace ((1 + ε) * / INR k) with (/ INR k + ε * / INR k) by ring.
    apply (abs_shift _ (1 / INR k)); [unfold Rdiv; rewrite Rmult_1_l, Rabs_pos_eq; lra | exact E].
  Qed.

  Lemma mean_error F : Forall ok F -> length F = k ->
    Ball d (if Nat.eqb k 1 then 0 else (INR k + 3) * ε * B) (vsub (K := RK) (fun i => float_mean (fun F => v F i) F) (average (K := RK) v F)).
  Proof.
    intros HF LF. destruct F as [|W F]; [simpl in LF; lia|]. pose proof (Forall_inv_tail HF) as HF'. pose proof (ge_pos _ _ size) as PB.
    destruct k_facts as (Kp & Ke & _). pose proof ε_pos as Pε. pose proof ε_small as Sε. destruct reciprocal_error as [Eκ Bκ].
    pose proof (fun i => near_along W F i HF') as NS. unfold float_mean. rewrite LF.
    set (sm := fun i => float_along (fun F => v F i) (W :: F)) in *.
    set (x := fun i => along (K := RK) (fun F => v F i) (W :: F) : R) in *. set (ax := fun i => along (K := RK) (fun F => Rabs (v F i)) (W :: F) : R) in *.
    destruct (Nat.eqb_spec k 1) as [K1|K1].
    - (* K = 1: nothing rounds *)
      assert (F = []) as -> by (destruct F; [reflexivity | simpl in LF; lia]).
      apply (ball_ext d _ (vzero (K := RK))); [|apply ball_zero; lra]. intros i _.
      assert (D : double (v [] i)) by (apply doubles; constructor).
      unfold vsub, vzero, average. cbn [float_along along length of_nat]. rewrite K1. cbn [INR]. rewrite Rplus_0_l.
      assert (E2 : rnd (1 / 1) = 1) by (replace (1 / 1) with (IZR 1) by (simpl; field); apply rnd_IZR; lia).
      rewrite (rnd_double _ D), E2, Rmult_1_r, (rnd_double _ D). real. field.
    - assert (Bx : Ball d (INR k * B) x /\ Ball d (INR k * B) ax).
      { rewrite <- LF. cbn [length]. rewrite S_INR. replace ((INR (length F) + 1) * B) with (B + INR (length F) * B) by ring. split.
        - apply (along_ball ok d B B v); [lra | lra | apply balls; constructor | intros; apply balls; now constructor | exact HF'].
        - apply (along_ball ok d B B (fun F i => Rabs (v F i))); [lra | lra | apply ball_abs, balls; constructor | intros; apply ball_abs, balls; now constructor | exact HF']. }
      destruct Bx as [Bx Bax]. set (Y := INR k * B) in *. assert (PY : 0 < Y) by (unfold Y; nra). set (κ := rnd (1 / INR k)) in *.
      assert (Pk : 0 < / INR k) by (apply Rinv_0_lt_compat; lra).
      assert (E1 : Ball d (8 / 15 * (INR k * ε) * Y) (vsub (K := RK) sm x)).
      { apply (ball_comp d _ _ (scale (K := RK) ((1 + u) ^ k - 1) ax)).
        - intros i _. destruct (NS i) as (_ & C' & C). unfold vsub, scale. eapply Rle_trans; [exact C|].
          assert (P0 : 0 <= ax i) by (eapply Rle_trans; [apply Rabs_pos | exact C']).
          apply Rmult_le_compat_r; [exact P0|]. apply Rplus_le_compat_r, Rle_pow; [pose proof u_pos; lra | simpl in LF; lia].
        - pose proof (ball_scale d _ ((1 + u) ^ k - 1) _ Bax) as Sc. pose proof (pow_up_one k). rewrite Rabs_pos_eq in Sc by lra.
          eapply ball_le; [| |exact Sc]; [nonneg|]. eapply Rle_trans; [apply (pow_error k (8 / 15 * Y)); [unfold few; unfold ε in Ke; lra | lra | lra]|]. lra. }
      assert (P1 : 0 <= 8 / 15 * (INR k * ε) * Y) by nonneg.
      assert (E2 : Ball d (8 / 15 * (INR k * ε) * Y * ((1 + ε) * / INR k) + Y * (ε * / INR k)) (vsub (K := RK) (fun i => sm i * κ) (fun i => x i * (1 / INR k)))).
      { apply ball_mul_sub; [exact P1 | lra | exact E1 | exact Bx | exact Bκ | exact Eκ]. }
      assert (A1 : 8 / 15 * (INR k * ε) * Y * ((1 + ε) * / INR k) + Y * (ε * / INR k) <= (9 / 16 * INR k + 1) * ε * B).
      { unfold Y. replace (8 / 15 * (INR k * ε) * (INR k * B) * ((1 + ε) * / INR k) + INR k * B * (ε * / INR k))
          with ((8 / 15 * INR k * (1 + ε) + 1) * (ε * B)) by (field; lra).
        replace ((9 / 16 * INR k + 1) * ε * B) with ((9 / 16 * INR k + 1) * (ε * B)) by ring. apply Rmult_le_compat_r; [nonneg|]. nra. }
      assert (Bm : Ball d B (fun i => x i * (1 / INR k))).
      { replace B with (Y * (1 / INR k)) by (unfold Y; field; lra). apply ball_mul; [exact Bx | lra | unfold Rdiv; rewrite Rmult_1_l, Rabs_pos_eq; lra]. }
      assert (P2 : 0 <= 8 / 15 * (INR k * ε) * Y * ((1 + ε) * / INR k) + Y * (ε * / INR k)) by nonneg.
      assert (B4 : Ball d ((1 + (9 / 16 * INR k + 1) * ε) * B) (fun i => sm i * κ)).
      { eapply ball_le; [| |eapply ball_shift; [| exact P2 | exact Bm | exact E2]]; [lra | | lra]. nra. }
      assert (Bsmall : (1 + (9 / 16 * INR k + 1) * ε) * B <= 65 / 64 * B) by nra.
      assert (G4 : ge (-900) ((1 + (9 / 16 * INR k + 1) * ε) * B)) by (apply (ge_weaken (0 + -100)); [apply ge_mul; [apply ge_one; nra | exact size] | lia]).
      pose proof (tiny_negligible d 1 _ dimension ltac:(lia) G4) as T4. simpl (INR 1) in T4. rewrite Rmult_1_l in T4. pose proof (ge_pos _ _ G4) as P4.
      pose proof (ball_rnd d _ _ B4 ltac:(lra)) as R4.
      apply (ball_ext d _ (vsub (K := RK) (fun i => rnd (sm i * κ)) (fun i => x i * (1 / INR k)))).
      + intros i _. unfold vsub, average. rewrite LF, of_nat_INR. real. unfold x, Rdiv. rewrite Rmult_1_l. reflexivity.
      + eapply ball_le; [| |eapply ball_trans; [| exact P2 | exact R4 | exact E2]].
        * nonneg.
        * assert (ε * ((1 + (9 / 16 * INR k + 1) * ε) * B) <= ε * (65 / 64 * B)) by (apply Rmult_le_compat_l; lra).
          assert (0 <= ε * B) by nonneg. assert (0 <= INR k * (ε * B)) by nonneg. nra.
        * nonneg.
  Qed.
End Mean.

(** 1 + u lies half-way between 1 and the next double, and goes to 1, which is even. *)
Lemma rnd_below_one x : x <= 1 + u -> rnd x <= 1.
Proof.
  intros H. apply Rle_trans with (rnd (1 + u)); [now apply rnd_le|]. apply Req_le.
  assert (E : cexp radix2 (FLT_exp (-1074) 53) (1 + u) = (-52)%Z).
  { unfold cexp. rewrite (mag_unique_pos radix2 (1 + u) 1); [reflexivity|]. pose proof u_pos. pose proof u_small. change (bpow radix2 (1 - 1)) with 1. change (bpow radix2 1) with 2. lra. }
  unfold rnd, round, scaled_mantissa. rewrite E. change (- (-52))%Z with 52%Z.
  replace ((1 + u) * bpow radix2 52) with (IZR 4503599627370496 + / 2).
  2:{ change (bpow radix2 52) with 4503599627370496. change u with (/ IZR 9007199254740992). field. }
  assert (F : Zfloor (IZR 4503599627370496 + / 2) = 4503599627370496%Z) by (apply Zfloor_imp; rewrite plus_IZR; lra).
  unfold Znearest. rewrite F. rewrite Rcompare_Eq by (cbv beta; lra). simpl (Z.even _). cbn [negb].
  unfold F2R. cbn [Fnum Fexp]. change (bpow radix2 (-52)) with (/ IZR 4503599627370496). field.
Qed.

Section Interval.
  Context {Ω : Type} (ok : Ω -> Prop).
  Variables (k : nat) (v : list Ω -> R).
  Hypothesis some : (0 < k)%nat.
  Hypothesis not_many : (Z.of_nat k <= 2 ^ 28)%Z.
  Hypothesis unit : forall F, Forall ok F -> 0 <= v F <= 1.

  Lemma along_interval F : Forall ok F -> (Z.of_nat (length F) <= 2 ^ 28)%Z -> 0 <= float_along v F <= INR (length F).
  Proof.
    intros HF. induction HF as [|W F HW HF IH]; intros L; [simpl; lra|]. cbn [length] in L. specialize (IH ltac:(lia)).
    specialize (unit F HF). cbn [float_along length]. split.
    - rewrite <- rnd_0. apply rnd_le. lra.
    - assert (E : rnd (INR (S (length F))) = INR (S (length F))) by (rewrite INR_IZR_INZ; apply rnd_IZR; lia).
      rewrite <- E. apply rnd_le. rewrite S_INR. lra.
  Qed.

  (** Sums of numbers up to 1 round to at most K, and K·(1/K) rounds to at most 1. *)
  Lemma mean_interval F : Forall ok F -> length F = k -> 0 <= float_mean v F <= 1.
  Proof.
    intros HF LF. pose proof (along_interval F HF ltac:(rewrite LF; exact not_many)) as A. unfold float_mean. rewrite LF in *.
    assert (Kp : 1 <= INR k) by (change 1 with (INR 1); apply le_INR; lia). assert (Pk : 0 < / INR k) by (apply Rinv_0_lt_compat; lra).
    assert (B : big (-1022) (1 / INR k)).
    { right. unfold Rdiv. rewrite Rmult_1_l. apply IZR_le in not_many. rewrite <- INR_IZR_INZ in not_many. change (IZR (2 ^ 28)) with 268435456 in not_many.
      apply Rle_trans with (bpow radix2 (-28)); [apply bpow_le; lia|]. change (bpow radix2 (-28)) with (/ 268435456). apply Rinv_le; lra. }
    destruct (rnd_bounds _ B) as [_ U]. assert (P : 0 <= rnd (1 / INR k)) by (rewrite <- rnd_0; apply rnd_le; unfold Rdiv; lra).
    split; [rewrite <- rnd_0; apply rnd_le; apply Rmult_le_pos; lra|].
    apply rnd_below_one. apply Rle_trans with (INR k * (1 / INR k * (1 + u))).
    - apply Rmult_le_compat; lra.
    - apply Req_le. field. lra.
  Qed.
End Interval.

(** [ball_rnd] without the factor 2. *)
Lemma ball_rnd_fine d (X : R) (v : nat -> R) : Ball d X v -> 0 <= X ->
  Ball d (u * (X + INR d * tiny)) (vsub (K := RK) (fun i => rnd (v i)) v).
Proof.
  intros B PX. pose proof tiny_pos as Pt. pose proof u_pos as Pu. pose proof (pos_INR d) as Pd.
  apply (ball_comp d _ _ (scale (K := RK) u (vadd (K := RK) (fun i => Rabs (v i)) (fun _ => tiny)))).
  - intros i _. unfold vsub, scale, vadd. apply rnd_error_any.
  - assert (T0 : 0 <= tiny) by lra. assert (T1 : 0 <= INR d * tiny) by nra.
    pose proof (ball_add d X (INR d * tiny) _ _ PX T1 (ball_abs d X v B) (ball_const d tiny T0)) as A.
    apply (ball_scale d _ u) in A. now rewrite Rabs_pos_eq in A by lra.
Qed.

(** Σ ← Σ + θ, the t-th time of T. *)
Lemma running_sum d t T (B : R) (z θ : vec RK) : (Z.of_nat d <= 2 ^ 28)%Z -> (Z.of_nat T <= 2 ^ 28)%Z -> (t < T)%nat -> ge (-100) B ->
  let e := ε * INR T * B in
  Ball d (INR t * (B + e)) z -> Ball d B θ -> Ball d e (vsub (K := RK) (fun i => rnd (z i + θ i)) (vadd (K := RK) z θ)).
Proof.
  intros Hd TZ Ht G e Hz Hθ. pose proof (ge_pos _ _ G) as PB. pose proof (pos_INR t) as Pt. pose proof (pos_INR T) as PT. pose proof ε_pos as Pε. pose proof ε_small as Sε.
  assert (PE : 0 <= e) by (unfold e; nonneg).
  assert (TR : INR T <= 268435456) by (apply IZR_le in TZ; now rewrite <- INR_IZR_INZ in TZ).
  assert (T1 : INR t + 1 <= INR T) by (rewrite <- S_INR; apply le_INR; lia).
  assert (Q : 0 <= INR t * (B + e)) by nonneg.
  pose proof (ball_add d _ _ _ _ Q (Rlt_le _ _ PB) Hz Hθ) as BS.
  assert (Q2 : 0 <= INR t * (B + e) + B) by lra.
  pose proof (ball_rnd_fine d _ _ BS Q2) as R.
  eapply ball_le; [| |exact R].
  - pose proof u_pos. pose proof tiny_pos. pose proof (pos_INR d). nonneg.
  - pose proof (tiny_negligible d 1 B Hd ltac:(lia) (ge_weaken _ (-900) _ G ltac:(lia))) as TD. simpl (INR 1) in TD. rewrite Rmult_1_l in TD. pose proof u_pos as Pu.
    assert (ES : e <= / 4 * B) by (unfold e; apply Rmult_le_compat_r; [lra | nra]).
    apply Rle_trans with (u * (2 * (INR T * B))); [|unfold e, ε; nra].
    apply Rmult_le_compat_l; [lra|]. assert (INR t * e <= INR t * (/ 4 * B)) by (apply Rmult_le_compat_l; lra). nra.
Qed.
