(** * The program's softmax: how far its policy is from the exact one, and its probabilities from summing to 1 *)

From Coq Require Import Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums RealSums MirrorDescent.
From OPD Require Import FloatProjection FloatAverage FloatDot FloatAlgorithm1 PerturbedLearning FloatVectors.
Local Open Scope R_scope.

(** What is asked of the exponential: for every double x ≤ 0 a non-negative double, off by at most [ex] relatively or by 2^−1022. *)
Definition exp_error (fexp : R -> R) (ex : R) : Prop := forall x, double x -> x <= 0 ->
  double (fexp x) /\ 0 <= fexp x /\ Rabs (fexp x - exp x) <= ex * exp x + tiny.

(** |e^x − 1| ≤ 2|x| *)
Lemma exp_near_one x e : Rabs x <= e -> e <= / 2 -> Rabs (exp x - 1) <= 2 * e.
Proof.
  intros H E. apply Rabs_le_inv in H. pose proof (exp_ineq1_le x) as L. pose proof (exp_ineq1_le (- x)) as U.
  pose proof (exp_pos x) as P. rewrite exp_Ropp in U.
  assert (exp x * (1 + - x) <= 1) by (apply Rle_trans with (exp x * / exp x); [apply Rmult_le_compat_l; lra | rewrite Rinv_r; lra]).
  apply Rabs_le. split; [lra|]. nra.
Qed.

Lemma greatest_upper n z b : (b < n)%nat -> z b <= greatest n z.
Proof.
  induction n as [|n IH]; intros H; [lia|]. cbn [greatest]. destruct (Nat.eq_dec b n) as [->|N].
  - apply Rmax_r.
  - eapply Rle_trans; [apply IH; lia | apply Rmax_l].
Qed.

Lemma greatest_attained n z : (0 < n)%nat -> exists b, (b < n)%nat /\ greatest n z = z b.
Proof.
  intros Hn. assert (G : forall n, exists b, (b < n \/ b = 0)%nat /\ greatest n z = z b).
  { clear. induction n as [|n [b [Hb E]]]; [exists O; split; [now right | reflexivity]|]. cbn [greatest].
    unfold Rmax. destruct (Rle_dec (greatest n z) (z n)); [exists n; split; [lia | reflexivity] | exists b; split; [lia | exact E]]. }
  destruct (G n) as [b [Hb E]]. exists b. split; [lia | exact E].
Qed.

(** Σ_a |q_a/Σq − w_a/Σw| ≤ 2 Σ|q − w|/Σw *)
Lemma normalised_distance n (q w : nat -> R) : (forall a, (a < n)%nat -> 0 <= q a) -> 0 < rsum n q -> 0 < rsum n w ->
  rsum n (fun a => Rabs (q a / rsum n q - w a / rsum n w)) <= 2 * rsum n (fun a => Rabs (q a - w a)) / rsum n w.
Proof.
  intros Pq PQ PW. set (Q := rsum n q) in *. set (W := rsum n w) in *. set (E := rsum n (fun a => Rabs (q a - w a))).
  assert (D : Rabs (W - Q) <= E).
  { unfold W, Q, E. rewrite <- rsum_sub. clear. induction n as [|n IH]; [change (rsum 0 _) with 0; rewrite Rabs_R0; change (rsum 0 _) with 0; lra|].
    rewrite !rsum_S. eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_minus_sym (w n)). lra. }
  apply Rle_trans with (rsum n (fun a => / W * Rabs (q a - w a) + Rabs (W - Q) * / W / Q * q a)).
  - apply rsum_le. intros a Ha. specialize (Pq a Ha).
    replace (q a / Q - w a / W) with (/ W * (q a - w a) + (W - Q) * / W / Q * q a) by (field; lra).
    eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
    + rewrite Rabs_mult, (Rabs_pos_eq (/ W)) by (apply Rlt_le, Rinv_0_lt_compat, PW). lra.
    + unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (q a)) by exact Pq.
      rewrite (Rabs_pos_eq (/ W)) by (apply Rlt_le, Rinv_0_lt_compat, PW).
      rewrite (Rabs_pos_eq (/ Q)) by (apply Rlt_le, Rinv_0_lt_compat, PQ). lra.
  - rewrite rsum_add, !rsum_mul. fold E Q. replace (Rabs (W - Q) * / W / Q * Q) with (Rabs (W - Q) * / W) by (field; lra).
    replace (2 * E / W) with (/ W * E + E * / W) by (field; lra). apply Rplus_le_compat_l.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, PW | exact D].
Qed.

(** softmax(z) = softmax(z − c) *)
Lemma softmax_shift n z c a : (0 < n)%nat -> softmax n z a = exp (z a - c) / rsum n (fun b => exp (z b - c)).
Proof.
  intros Hn. pose proof (sum_exp_pos n Hn z) as P. unfold softmax. pose proof (exp_pos (- c)).
  rewrite (rsum_ext n (fun b => exp (z b - c)) (fun b => exp (- c) * exp (z b))) by (intros; rewrite <- exp_plus; f_equal; ring).
  rewrite rsum_mul. replace (exp (z a - c)) with (exp (- c) * exp (z a)) by (rewrite <- exp_plus; f_equal; ring). field. lra.
Qed.

Section Softmax.
  Variables (fexp : R -> R) (ex : R) (n : nat) (z ẑ : nat -> R) (e1 Z : R).
  Hypothesis exponential : exp_error fexp ex.
  Hypothesis some : (0 < n)%nat.
  Hypothesis not_many : (Z.of_nat n <= 2 ^ 28)%Z.
  Hypothesis logits : forall b, (b < n)%nat -> Rabs (z b) <= Z.
  Hypothesis computed : forall b, (b < n)%nat -> Rabs (ẑ b - z b) <= e1.
  Hypothesis size : tiny <= Z.
  Let e := e1 + ε * (2 * (Z + e1)).
  Hypothesis small : 0 <= e1 /\ e <= / 8.
  Hypothesis ex_small : 0 <= ex <= / 8.

  Let c := greatest n ẑ.
  Let y b := rnd (ẑ b - c).
  Let w b := exp (z b - c).
  Let ŵ b := fexp (y b).
  Let W := rsum n w.
  Let Ŵ := rsum n ŵ.
  Let tot := accumulate ŵ n.
  Let p := float_softmax fexp n ẑ.
  Let ρ1 := 2 * e + ex * (1 + 2 * e).

  Lemma e_nonneg : 0 <= e.
  Proof. unfold e. pose proof ε_pos. pose proof tiny_pos. destruct small. nra. Qed.

  Lemma n_small : INR n * ε <= / 1024.
  Proof.
    change (2 ^ 28)%Z with 268435456%Z in not_many. apply IZR_le in not_many. rewrite <- INR_IZR_INZ in not_many.
    pose proof ε_small. pose proof ε_pos. nra.
  Qed.

  Lemma n_tiny : INR n * tiny <= u * / 64.
  Proof.
    change (2 ^ 28)%Z with 268435456%Z in not_many. apply IZR_le in not_many. rewrite <- INR_IZR_INZ in not_many.
    apply Rle_trans with (bpow radix2 28 * tiny); [apply Rmult_le_compat_r; [pose proof tiny_pos; lra | exact not_many]|].
    change (/ 64) with (/ IZR (2 ^ 6)). change (/ IZR (2 ^ 6)) with (bpow radix2 (-6)). unfold u, tiny. rewrite <- !bpow_plus. apply bpow_le. lia.
  Qed.

  Lemma shifted b : (b < n)%nat -> y b <= 0 /\ Rabs (y b - (z b - c)) <= e.
  Proof.
    intros Hb. destruct small as [S1 S2]. split.
    - rewrite <- rnd_0. apply rnd_le. pose proof (greatest_upper n ẑ b Hb). fold c in H. lra.
    - assert (Bc : Rabs c <= Z + e1).
      { destruct (greatest_attained n ẑ some) as [b' [Hb' E]]. unfold c. rewrite E. apply (abs_shift _ (z b')); auto. }
      assert (Bz : Rabs (ẑ b) <= Z + e1) by (apply (abs_shift _ (z b)); auto).
      assert (R1 : Rabs (y b - (ẑ b - c)) <= ε * (2 * (Z + e1))).
      { unfold y. apply rnd_within; [|pose proof tiny_pos; lra]. unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra. }
      unfold e. rewrite Rplus_comm. eapply abs_trans; [exact R1|]. replace (ẑ b - c - (z b - c)) with (ẑ b - z b) by ring. auto.
  Qed.

  Lemma weight_error b : (b < n)%nat -> double (ŵ b) /\ 0 <= ŵ b /\ Rabs (ŵ b - w b) <= ρ1 * w b + tiny.
  Proof.
    intros Hb. destruct (shifted b Hb) as [Y0 Y1]. destruct (exponential (y b) (double_rnd _) Y0) as (A & B & C).
    split; [exact A | split; [exact B|]]. pose proof e_nonneg as Pe. destruct small as [S1 S2].
    assert (X : Rabs (exp (y b) - w b) <= 2 * e * w b).
    { unfold w. replace (exp (y b)) with (exp (z b - c) * exp (y b - (z b - c))) by (rewrite <- exp_plus; f_equal; ring).
      replace (exp (z b - c) * exp (y b - (z b - c)) - exp (z b - c)) with (exp (z b - c) * (exp (y b - (z b - c)) - 1)) by ring.
      pose proof (exp_pos (z b - c)). rewrite Rabs_mult, (Rabs_pos_eq (exp (z b - c))), Rmult_comm by lra.
      apply Rmult_le_compat_r; [lra|]. apply exp_near_one; lra. }
    pose proof (exp_pos (z b - c)) as Pw. fold (w b) in Pw.
    eapply Rle_trans; [apply (abs_trans _ (exp (y b))); [exact C | exact X]|].
    apply Rabs_le_inv in X. assert (ex * exp (y b) <= ex * ((1 + 2 * e) * w b)) by (apply Rmult_le_compat_l; lra).
    unfold ρ1. nra.
  Qed.

  Lemma W_lower : 7 / 8 <= W.
  Proof.
    destruct (greatest_attained n ẑ some) as [b [Hb E]]. destruct small as [S1 S2]. pose proof ε_pos. pose proof tiny_pos.
    apply Rle_trans with (w b).
    - unfold w, c. rewrite E. pose proof (exp_ineq1_le (z b - ẑ b)). specialize (computed b Hb). apply Rabs_le_inv in computed.
      unfold e in S2. nra.
    - apply (Sums.sum_term_le (K := RK) n w b); [intros; apply Rlt_le, exp_pos | exact Hb].
  Qed.

  Lemma ρ1_small : 0 <= ρ1 <= / 2.
  Proof. pose proof e_nonneg. destruct small. unfold ρ1. split; nra. Qed.

  Lemma weights_error : rsum n (fun b => Rabs (ŵ b - w b)) <= ρ1 * W + INR n * tiny.
  Proof.
    unfold W. rewrite <- rsum_mul, <- (rsum_const n tiny), <- rsum_add. apply rsum_le. intros b Hb. now apply weight_error.
  Qed.

  Lemma rsum_distance (f g : nat -> R) : Rabs (rsum n f - rsum n g) <= rsum n (fun b => Rabs (f b - g b)).
  Proof.
    rewrite <- rsum_sub. clear. induction n as [|k IH]; [change (rsum 0 _) with 0; rewrite Rabs_R0; change (rsum 0 _) with 0; lra|].
    rewrite !rsum_S. eapply Rle_trans; [apply Rabs_triang|]. lra.
  Qed.

  Lemma Ŵ_bounds : / 4 <= Ŵ <= 2 * W.
  Proof.
    pose proof (rsum_distance ŵ w) as D. fold Ŵ W in D. pose proof weights_error as E. pose proof W_lower. pose proof ρ1_small.
    pose proof n_tiny. pose proof u_small. apply (Rle_trans _ _ _ D) in E. apply Rabs_le_inv in E. split; nra.
  Qed.

  Lemma total_error : Rabs (tot - Ŵ) <= 8 / 15 * (INR n * ε) * Ŵ.
  Proof.
    assert (N : near (0 + n) tot (rsum n ŵ) (rsum n (fun b => Rabs (ŵ b)))).
    { apply near_accumulate. intros b Hb. apply near_double. now apply weight_error. }
    rewrite (rsum_ext n (fun b => Rabs (ŵ b)) ŵ) in N by (intros b Hb; apply Rabs_pos_eq; now apply weight_error).
    destruct N as (_ & _ & N). fold Ŵ in N. simpl (0 + n)%nat in N. pose proof Ŵ_bounds. pose proof n_small. unfold ε in H0.
    eapply Rle_trans; [exact N|]. eapply Rle_trans; [apply (pow_error n (8 / 15 * Ŵ)); [unfold few; lra | lra | lra]|]. lra.
  Qed.

  Lemma tot_bounds : 0 < tot /\ tot <= 65 / 64 * Ŵ /\ Ŵ <= 65 / 64 * tot.
  Proof.
    pose proof total_error as E. apply Rabs_le_inv in E. pose proof Ŵ_bounds. pose proof n_small. pose proof ε_pos. pose proof (pos_INR n).
    assert (0 <= INR n * ε) by nra. repeat split; nra.
  Qed.

  (** The computed probabilities, times their computed total. *)
  Let q b := p b * tot.

  Lemma quotient_error b : (b < n)%nat -> 0 <= p b /\ Rabs (q b - ŵ b) <= u * (ŵ b + tiny * tot).
  Proof.
    intros Hb. destruct tot_bounds as (Pt & _). destruct (weight_error b Hb) as (_ & P & _).
    assert (Q0 : 0 <= ŵ b / tot) by (apply Rmult_le_pos; [exact P | apply Rlt_le, Rinv_0_lt_compat, Pt]).
    change (p b) with (rnd (ŵ b / tot)). split; [rewrite <- rnd_0; now apply rnd_le|].
    pose proof (rnd_error_any (ŵ b / tot)) as E. rewrite (Rabs_pos_eq (ŵ b / tot)) in E by exact Q0.
    unfold q. change (p b) with (rnd (ŵ b / tot)).
    replace (rnd (ŵ b / tot) * tot - ŵ b) with ((rnd (ŵ b / tot) - ŵ b / tot) * tot) by (field; lra).
    rewrite Rabs_mult, (Rabs_pos_eq tot) by lra. apply (Rmult_le_compat_r tot) in E; [|lra].
    eapply Rle_trans; [exact E|]. apply Req_le. field. lra.
  Qed.

  Lemma quotients_error : rsum n (fun b => Rabs (q b - ŵ b)) <= u * (1 + / 32) * Ŵ.
  Proof.
    apply Rle_trans with (rsum n (fun b => u * ŵ b + u * tiny * tot)).
    - apply rsum_le. intros b Hb. eapply Rle_trans; [now apply quotient_error|]. lra.
    - rewrite rsum_add, rsum_mul, rsum_const. fold Ŵ. pose proof n_tiny. pose proof tot_bounds as (P & U & _). pose proof u_pos. pose proof u_small.
      replace (INR n * (u * tiny * tot)) with (u * (INR n * tiny * tot)) by ring.
      assert (INR n * tiny * tot <= / 32 * Ŵ); [|nra]. pose proof Ŵ_bounds. pose proof tiny_pos. pose proof (pos_INR n). nra.
  Qed.

  (** Policies sum to 1 up to (n + 2)ε. *)
  Theorem probabilities_sum : Rabs (rsum n p - 1) <= INR (n + 2) * ε.
  Proof.
    destruct tot_bounds as (Pt & U & L). pose proof quotients_error as E. pose proof total_error as T. pose proof ε_pos. pose proof (pos_INR n).
    pose proof (rsum_distance q ŵ) as D. fold Ŵ in D.
    assert (Q : rsum n q = rsum n p * tot) by (unfold q; rewrite (rsum_ext n _ (fun b => tot * p b)) by (intros; ring); rewrite rsum_mul; ring).
    rewrite Q in D. rewrite Rabs_minus_sym in T.
    assert (A : Rabs (rsum n p * tot - tot) <= u * (1 + / 32) * Ŵ + 8 / 15 * (INR n * ε) * Ŵ).
    { eapply abs_trans; [eapply Rle_trans; [exact D | exact E] | exact T]. }
    replace (rsum n p * tot - tot) with ((rsum n p - 1) * tot) in A by ring. rewrite Rabs_mult, (Rabs_pos_eq tot) in A by lra.
    apply (Rmult_le_reg_r tot); [exact Pt|]. eapply Rle_trans; [exact A|]. rewrite plus_INR. simpl (INR 2).
    assert (0 <= INR n * ε) by nra. unfold ε in *. pose proof u_pos. nra.
  Qed.

  Lemma sum_pos : 0 < rsum n p.
  Proof. pose proof probabilities_sum as H. apply Rabs_le_inv in H. rewrite plus_INR in H. simpl (INR 2) in H. pose proof n_small. pose proof ε_small. lra. Qed.

  (** The policy they stand for is within 2(ρ1 + ε) of the exact one. *)
  Theorem policy_error : rsum n (fun a => Rabs (p a / rsum n p - softmax n z a)) <= 2 * (ρ1 + ε).
  Proof.
    destruct tot_bounds as (Pt & U & _). pose proof sum_pos as Pp. pose proof W_lower as PW.
    assert (Q : rsum n q = rsum n p * tot) by (unfold q; rewrite (rsum_ext n _ (fun b => tot * p b)) by (intros; ring); rewrite rsum_mul; ring).
    assert (PQ : 0 < rsum n q) by (rewrite Q; now apply Rmult_lt_0_compat).
    rewrite (rsum_ext n _ (fun a => Rabs (q a / rsum n q - w a / rsum n w))).
    2:{ intros a Ha. f_equal. rewrite (softmax_shift n z c a some). fold (w a). change (rsum n (fun b => exp (z b - c))) with (rsum n w).
        f_equal. rewrite Q. unfold q. field. lra. }
    eapply Rle_trans; [apply normalised_distance; [|exact PQ | fold W; lra]|].
    - intros a Ha. unfold q. apply Rmult_le_pos; [now apply quotient_error | lra].
    - fold W. assert (D : rsum n (fun a => Rabs (q a - w a)) <= (ρ1 + ε) * W).
      { apply Rle_trans with (rsum n (fun a => Rabs (q a - ŵ a) + Rabs (ŵ a - w a))).
        - apply rsum_le. intros a Ha. replace (q a - w a) with ((q a - ŵ a) + (ŵ a - w a)) by ring. apply Rabs_triang.
        - rewrite rsum_add. pose proof quotients_error as E. pose proof weights_error as F. pose proof n_tiny as NT. pose proof u_pos as Pu.
          pose proof (rsum_distance ŵ w) as G. fold Ŵ W in G. apply (Rle_trans _ _ _ G) in F as F'. apply Rabs_le_inv in F'. pose proof ρ1_small as RS.
          assert (Ŵ <= (1 + / 2) * W + u * / 64) by nra. unfold ε. pose proof u_small. nra. }
      apply (Rmult_le_reg_r W); [lra|]. replace (2 * rsum n (fun a => Rabs (q a - w a)) / W * W) with (2 * rsum n (fun a => Rabs (q a - w a))) by (field; lra).
      lra.
  Qed.
End Softmax.
