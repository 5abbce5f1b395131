(** * The law of the action that inverse CDF draws from computed probabilities *)

From Coq Require Import List Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Mdp RealSums MirrorDescent DoubleLoop Algorithm2 PerturbedLearning.
From OPD Require Import FloatProjection FloatAverage FloatDot FloatVectors FloatSoftmax FloatAlgorithm1 FloatBounds FloatPolicy1 FloatGradient1 FloatStep1 FloatAlgorithm2.
Local Open Scope R_scope.

Section Draw.
  Variables (n : nat) (p b : nat -> R).
  Hypothesis some : (0 < n)%nat.
  Hypothesis not_many : (Z.of_nat n <= 2 ^ 28)%Z.
  Hypothesis doubles : forall a, double (p a).
  Hypothesis signs : forall a, (a < n)%nat -> 0 <= p a.
  Hypothesis total : Rabs (rsum n p - 1) <= INR (n + 2) * ε.
  Hypothesis cuts : cut_points p n b.
  Let c := accumulate p.
  Let m a := Rmin 1 (c a).

  Lemma last_positive_lt : (last_positive p n < n)%nat.
  Proof. clear - some. induction n as [|k IH]; [lia|]. cbn [last_positive]. destruct (Rlt_dec 0 (p k)); [lia|]. destruct k; [simpl; lia | specialize (IH ltac:(lia)); lia]. Qed.

  Lemma c_double a : double (c a).
  Proof. destruct a; [apply generic_format_0 | apply double_rnd]. Qed.

  Lemma c_step a : (a < n)%nat -> c a <= c (S a) /\ 0 <= c a /\ Rabs (c (S a) - c a - p a) <= u * (c a + p a).
  Proof.
    intros Ha. assert (P : 0 <= c a).
    { clear - signs Ha. unfold c. induction a as [|a IH]; [simpl; lra|]. cbn [accumulate]. rewrite <- rnd_0. apply rnd_le. specialize (signs a ltac:(lia)). specialize (IH ltac:(lia)). lra. }
    specialize (signs a Ha). unfold c in *. cbn [accumulate]. split; [|split; [exact P|]].
    - rewrite <- (round_generic radix2 (FLT_exp (-1074) 53) ZnearestE (accumulate p a) (c_double a)) at 1. apply rnd_le. lra.
    - replace (rnd (accumulate p a + p a) - accumulate p a - p a) with (rnd (accumulate p a + p a) - (accumulate p a + p a)) by ring.
      pose proof (rnd_sum_error (accumulate p a) (p a) (c_double a) (doubles a)) as E. rewrite (Rabs_pos_eq (accumulate p a + p a)) in E by lra. exact E.
  Qed.

  Lemma n_ε : 0 <= INR n * ε <= / 1024.
  Proof.
    pose proof not_many as H. apply IZR_le in H. rewrite <- INR_IZR_INZ in H. change (IZR (2 ^ 28)) with 268435456 in H.
    pose proof ε_small. pose proof ε_pos. pose proof (pos_INR n). split; nra.
  Qed.

  Lemma total_bounds : 0 <= rsum n p <= 33 / 32 /\ Rabs (c n - 1) <= (2 * INR n + 3) * ε /\ forall a, (a <= n)%nat -> c a <= 17 / 16.
  Proof.
    pose proof n_ε as N. pose proof ε_small as Se. pose proof ε_pos as Pe. pose proof (rsum_nonneg n p signs) as P.
    pose proof total as Tt. rewrite plus_INR in Tt. simpl (INR 2) in Tt. apply Rabs_le_inv in Tt.
    assert (T1 : rsum n p <= 33 / 32) by lra.
    assert (Nr : near (0 + n) (c n) (rsum n p) (rsum n (fun a => Rabs (p a)))) by (apply near_accumulate; intros; apply near_double, doubles).
    destruct Nr as (_ & _ & C). rewrite (rsum_ext n (fun a => Rabs (p a)) p) in C by (intros; apply Rabs_pos_eq; auto). simpl (0 + n)%nat in C.
    assert (F : few n) by (unfold few; unfold ε in N; lra).
    assert (C1 : Rabs (c n - rsum n p) <= INR n * ε).
    { eapply Rle_trans; [exact C|]. eapply Rle_trans; [apply (pow_error n (8 / 15 * rsum n p) (rsum n p) F P); lra|].
      assert (0 <= INR n * ε) by lra. nra. }
    apply Rabs_le_inv in C1. split; [split; assumption|].
    assert (C2 : Rabs (c n - 1) <= (2 * INR n + 3) * ε) by (apply Rabs_le; lra). split; [exact C2|].
    assert (Mono : forall j, (j <= n)%nat -> c (n - j) <= c n).
    { induction j as [|j IH]; intros Hj; [rewrite Nat.sub_0_r; lra|]. eapply Rle_trans; [|apply IH; lia].
      destruct (c_step (n - S j) ltac:(lia)) as [X _]. replace (S (n - S j)) with (n - j)%nat in X by lia. exact X. }
    intros a Ha. specialize (Mono (n - a)%nat ltac:(lia)). replace (n - (n - a))%nat with a in Mono by lia. apply Rabs_le_inv in C2. lra.
  Qed.

  (** A uniform U on [0,1) has the cut points min(1, c). *)
  Lemma uniform_cut_points : cut_points p n (fun a => Rmin 1 (c a)).
  Proof.
    split; [|split; [|split]].
    - unfold c, Rmin. simpl. destruct (Rle_dec 1 0); lra.
    - intros a Ha. destruct (c_step a Ha) as [X _]. unfold Rmin. destruct (Rle_dec 1 (c (S a))), (Rle_dec 1 (c a)); lra.
    - apply Rmin_l.
    - intros a _. replace (Rmin 1 (c a) - Rmin 1 (accumulate p a)) with 0 by (unfold c; ring). rewrite Rabs_R0. apply Rlt_le, u_pos.
  Qed.

  Notation q := (inverse_cdf p n b).

  Lemma indicator_sum (x : R) : rsum n (fun a => if Nat.eqb a (last_positive p n) then x else 0) = x.
  Proof.
    rewrite (rsum_ext n _ (fun a => (if Nat.eqb a (last_positive p n) then 1 else 0) * x)) by (intros a _; destruct (Nat.eqb _ _); ring).
    exact (sum_delta (K := RK) n (last_positive p n) (fun _ => x) last_positive_lt).
  Qed.

  Lemma telescope (f : nat -> R) : rsum n (fun a => f (S a) - f a) = f n - f O.
  Proof. clear. induction n as [|k IH]; [change (rsum 0 _) with 0; ring | rewrite rsum_S, IH; ring]. Qed.

  Lemma draw_distribution : distribution n q.
  Proof.
    destruct cuts as (B0 & BM & B1 & _). split.
    - intros a Ha. unfold inverse_cdf. specialize (BM a Ha). destruct (Nat.eqb _ _); lra.
    - unfold inverse_cdf. rewrite rsum_add, telescope, indicator_sum, B0. ring.
  Qed.

  (** Σ_a |q(a) − p(a)| ≤ (7n + 7)ε *)
  Lemma draw_distance : rsum n (fun a => Rabs (q a - p a)) <= (7 * INR n + 7) * ε.
  Proof.
    destruct total_bounds as (_ & Cn & Cb). destruct cuts as (B0 & BM & B1 & BC). pose proof ε_pos as Pe. pose proof u_pos as Pu. pose proof (pos_INR n) as Pn.
    assert (Su : u = ε / 2) by (unfold ε; lra).
    assert (excess : forall a, (a < n)%nat -> 0 <= (c (S a) - m (S a)) - (c a - m a)).
    { intros a Ha. destruct (c_step a Ha) as [X _]. unfold m, Rmin. destruct (Rle_dec 1 (c (S a))), (Rle_dec 1 (c a)); lra. }
    apply Rle_trans with (rsum n (fun a => (2 * u + u * 4) + ((c (S a) - m (S a)) - (c a - m a)) + (if Nat.eqb a (last_positive p n) then 1 - b n else 0))).
    - apply rsum_le. intros a Ha. destruct (c_step a Ha) as (Cm & Cp & Ce). pose proof (excess a Ha) as Ex. pose proof (signs a Ha) as Pa.
      pose proof (Cb a ltac:(lia)) as Ca. pose proof (Cb (S a) ltac:(lia)) as Cs. pose proof (BC a ltac:(lia)) as Ba. pose proof (BC (S a) ltac:(lia)) as Bs.
      fold (m a) in Ba. fold (m (S a)) in Bs. change (accumulate p a) with (c a) in *. change (accumulate p (S a)) with (c (S a)) in *.
      assert (Pp : p a <= 2).
      { apply Rabs_le_inv in Ce. pose proof u_small. assert (u * (c a + p a) <= / 4 * (c a + p a)) by (apply Rmult_le_compat_r; lra). lra. }
      assert (E : Rabs (c (S a) - c a - p a) <= u * 4) by (eapply Rle_trans; [exact Ce|]; apply Rmult_le_compat_l; lra).
      unfold inverse_cdf. set (l := if Nat.eqb a (last_positive p n) then 1 - b n else 0). assert (Pl : 0 <= l) by (unfold l; destruct (Nat.eqb _ _); lra).
      apply Rabs_le_inv in E, Ba, Bs. fold (m a) (m (S a)) in *. apply Rabs_le. lra.
    - rewrite !rsum_add, !rsum_const, indicator_sum, (telescope (fun a => c a - m a)).
      assert (M0 : c O - m O = 0) by (unfold m, c; simpl; unfold Rmin; destruct (Rle_dec 1 0); lra).
      assert (Mn : c n - m n <= (2 * INR n + 3) * ε /\ 1 - m n <= (2 * INR n + 3) * ε).
      { apply Rabs_le_inv in Cn. assert (0 <= (2 * INR n + 3) * ε) by nonneg. unfold m, Rmin. destruct (Rle_dec 1 (c n)); lra. }
      pose proof (BC n ltac:(lia)) as Bn. change (Rmin 1 (accumulate p n)) with (m n) in Bn. apply Rabs_le_inv in Bn. rewrite M0. rewrite Su in Bn |- *. lra.
  Qed.
End Draw.

(** Inverse CDF is within (8|A| + 9)ε of the program's policy. *)
Theorem inverse_cdf_near (M : linear_mdp RK) (fexp : R -> R) (α : R) (b : state2 -> nat -> nat -> R) :
  (0 < nA M)%nat -> (Z.of_nat (nA M) <= 2 ^ 28)%Z ->
  cut_everywhere M fexp α b ->
  draws_near M fexp α ((8 * INR (nA M) + 9) * ε)
    (fun s x => inverse_cdf (float_probabilities M fexp α (a_theta_sum s) x) (nA M) (b s x)).
Proof.
  intros HA HZ Hb s p Hp.
  assert (D : forall x a, double (p x a)) by (intros; apply double_rnd).
  split.
  - split; [intros x a Hx Ha | intros x Hx];
      destruct (draw_distribution (nA M) (p x) (b s x) HA (Hb s x Hx (proj1 (Hp x Hx)))) as [Q1 Q2]; [now apply Q1 | exact Q2].
  - intros x Hx. destruct (Hp x Hx) as [P1 P2]. set (n := nA M) in *.
    pose proof (draw_distance n (p x) (b s x) HA HZ (D x) P1 P2 (Hb s x Hx P1)) as DD.
    pose proof ε_pos as Pe. pose proof (pos_INR n) as Pn.
    assert (Ne : INR n * ε <= / 1024) by (apply (n_ε n); assumption).
    set (Q := rsum n (p x)) in *. assert (PQ : 0 < Q).
    { rewrite plus_INR in P2. simpl (INR 2) in P2. apply Rabs_le_inv in P2. pose proof ε_small. lra. }
    apply Rle_trans with (rsum n (fun a => Rabs (Q - 1) / Q * p x a + Rabs (inverse_cdf (p x) n (b s x) a - p x a))).
    + apply rsum_le. intros a Ha. specialize (P1 a Ha). unfold float_policy. fold p. fold n. fold Q.
      change (float_probabilities M fexp α (a_theta_sum s) x) with (p x). fold Q.
      set (qa := inverse_cdf (p x) n (b s x) a). set (pa := p x a) in *.
      replace (pa / Q - qa) with (- ((Q - 1) / Q * pa) - (qa - pa)) by (field; lra).
      unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_Ropp. apply Rplus_le_compat_r.
      unfold Rdiv. rewrite !Rabs_mult, (Rabs_pos_eq (/ Q)), (Rabs_pos_eq pa) by (try assumption; apply Rlt_le, Rinv_0_lt_compat; lra). lra.
    + rewrite rsum_add, rsum_mul. fold Q. replace (Rabs (Q - 1) / Q * Q) with (Rabs (Q - 1)) by (field; lra).
      rewrite plus_INR in P2. simpl (INR 2) in P2. lra.
Qed.
