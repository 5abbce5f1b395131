(** * e^x against its Taylor polynomials, and ln 2 to 66 bits *)

From Coq Require Import Reals Lra Lia Psatz ZArith.
From Coquelicot Require Import Coquelicot.
From OPD Require Import RealSums.
Local Open Scope R_scope.

(** n!, as a real that computes. *)
Fixpoint rfact (n : nat) : R := match n with O => 1 | S n => rfact n * IZR (Z.of_nat (S n)) end.

(** Σ_{i≤n} x^i/i! *)
Definition taylor (n : nat) (x : R) : R := rsum (S n) (fun i => x ^ i / rfact i).

Lemma rfact_S n : rfact (S n) = (INR n + 1) * rfact n.
Proof. cbn [rfact]. rewrite <- INR_IZR_INZ, S_INR. ring. Qed.

Lemma fact_pos n : 0 < rfact n.
Proof. induction n as [|n IH]; [simpl; lra|]. rewrite rfact_S. pose proof (pos_INR n). nra. Qed.

Lemma power_derivative n c x : is_derive (fun x => (c * x) ^ S n / rfact (S n)) x (c * ((c * x) ^ n / rfact n)).
Proof.
  pose proof (fact_pos n) as P. pose proof (pos_INR n). pose proof (fact_pos (S n)) as Q.
  pose proof (rfact_S n) as E.
  set (D := rfact (S n)) in *. set (D' := rfact n) in *. clearbody D D'.
  apply (is_derive_ext (fun x => / D * (c * x) ^ S n)); [intros t; unfold Rdiv; apply Rmult_comm|].
  replace (c * ((c * x) ^ n / D')) with (/ D * (c * (INR (S n) * (c * x) ^ n))) by (rewrite S_INR, E; field; lra).
  apply is_derive_scal. replace (c * (INR (S n) * (c * x) ^ n)) with (INR (S n) * c * (c * x) ^ pred (S n)) by (simpl pred; ring).
  apply (is_derive_pow (fun x => c * x)). auto_derive; [trivial | ring].
Qed.

Lemma taylor_derivative n c x : is_derive (fun x => taylor (S n) (c * x)) x (c * taylor n (c * x)).
Proof.
  unfold taylor. induction n as [|n IH].
  - apply (is_derive_ext (fun x => 1 + c * x)).
    + intros t. rewrite !rsum_S. change (rsum 0 _) with 0. simpl. field.
    + rewrite !rsum_S. change (rsum 0 _) with 0. simpl. auto_derive; [trivial | field].
  - apply (is_derive_ext (fun x => rsum (S (S n)) (fun i => (c * x) ^ i / rfact i) + (c * x) ^ S (S n) / rfact (S (S n)))).
    + intros t. now rewrite (rsum_S (S (S n))).
    + rewrite (rsum_S (S n)), Rmult_plus_distr_l. apply (is_derive_plus (V := R_NormedModule)); [exact IH | apply power_derivative].
Qed.

(** What is not decreasing from 0 on, from 0, is not negative. *)
Lemma from_derivative (f f' : R -> R) x : 0 <= x -> f 0 = 0 -> (forall t, is_derive f t (f' t)) -> (forall t, 0 <= t <= x -> 0 <= f' t) -> 0 <= f x.
Proof.
  intros Hx H0 Hd Hp. destruct (Rle_lt_or_eq_dec 0 x Hx) as [P|<-]; [|lra].
  destruct (MVT_cor2 f f' 0 x P) as [c [E C]]; [intros t _; apply is_derive_Reals, Hd|].
  rewrite H0 in E. specialize (Hp c ltac:(lra)). nra.
Qed.

(** |e^{σx} − T_n(σx)| ≤ C x^{n+1}/(n+1)! for 0 ≤ x ≤ c, C ≥ e^c *)
Lemma taylor_remainder C c : 0 <= c -> exp c <= C -> forall n x σ s, (σ = 1 \/ σ = -1) -> (s = 1 \/ s = -1) -> 0 <= x <= c ->
  s * (exp (σ * x) - taylor n (σ * x)) <= C * x ^ S n / rfact (S n).
Proof.
  intros Hc HC. assert (C1 : 1 <= C) by (pose proof (exp_ineq1_le c); lra).
  assert (EC : forall x σ, (σ = 1 \/ σ = -1) -> 0 <= x <= c -> exp (σ * x) <= C).
  { intros x σ Hσ Hx. eapply Rle_trans; [|exact HC]. destruct (Rle_lt_or_eq_dec (σ * x) c) as [L| ->].
    - destruct Hσ as [-> | ->]; lra.
    - apply Rlt_le, exp_increasing, L.
    - lra. }
  induction n as [|n IH]; intros x σ s Hσ Hs Hx.
  - enough (0 <= C * x - s * (exp (σ * x) - 1)).
    { unfold taylor. rewrite rsum_S. change (rsum 0 _) with 0. simpl. lra. }
    apply (from_derivative (fun x => C * x - s * (exp (σ * x) - 1)) (fun x => C - s * (σ * exp (σ * x)))); [lra | | |].
    + cbv beta. rewrite !Rmult_0_r, exp_0. ring.
    + intros t. auto_derive; [trivial | ring].
    + intros t Ht. specialize (EC t σ Hσ ltac:(lra)). pose proof (exp_pos (σ * t)). destruct Hσ as [-> | ->], Hs as [-> | ->]; lra.
  - enough (0 <= C * ((1 * x) ^ S (S n) / rfact (S (S n))) - s * (exp (σ * x) - taylor (S n) (σ * x))).
    { rewrite Rmult_1_l in H. unfold Rdiv in *. rewrite Rmult_assoc. lra. }
    apply (from_derivative (fun x => C * ((1 * x) ^ S (S n) / rfact (S (S n))) - s * (exp (σ * x) - taylor (S n) (σ * x)))
      (fun x => C * (1 * ((1 * x) ^ S n / rfact (S n))) - s * (σ * exp (σ * x) - σ * taylor n (σ * x)))); [lra | | |].
    + cbv beta. rewrite !Rmult_0_r, exp_0. assert (T0 : taylor (S n) 0 = 1).
      { unfold taylor. clear. induction n as [|n IH].
        - rewrite !rsum_S. change (rsum 0 _) with 0. simpl. field.
        - rewrite rsum_S, IH. replace (0 ^ S (S n)) with 0 by (simpl; ring). unfold Rdiv. ring. }
      rewrite T0. replace (0 ^ S (S n)) with 0 by (simpl; ring). unfold Rdiv. ring.
    + intros t. apply (is_derive_minus (V := R_NormedModule)).
      * apply is_derive_scal, power_derivative.
      * apply is_derive_scal, (is_derive_minus (V := R_NormedModule)); [auto_derive; [trivial | ring] | apply taylor_derivative].
    + intros t Ht. assert (Hsσ : s * σ = 1 \/ s * σ = -1) by (destruct Hσ as [-> | ->], Hs as [-> | ->]; lra).
      specialize (IH t σ (s * σ) Hσ Hsσ ltac:(lra)). rewrite !Rmult_1_l. unfold Rdiv in *. rewrite <- Rmult_assoc.
      replace (s * (σ * exp (σ * t) - σ * taylor n (σ * t))) with (s * σ * (exp (σ * t) - taylor n (σ * t))) by ring. lra.
Qed.

Theorem exp_taylor C c n x : 0 <= c -> exp c <= C -> Rabs x <= c -> Rabs (exp x - taylor n x) <= C * Rabs x ^ S n / rfact (S n).
Proof.
  intros Hc HC Hx. assert (B : 0 <= Rabs x <= c) by (split; [apply Rabs_pos | exact Hx]).
  assert (E : exists σ, (σ = 1 \/ σ = -1) /\ x = σ * Rabs x).
  { destruct (Rle_dec 0 x); [exists 1; rewrite Rabs_pos_eq by assumption; lra | exists (-1); rewrite Rabs_left by lra; lra]. }
  destruct E as [σ [Hσ E]].
  pose proof (taylor_remainder C c Hc HC n (Rabs x) σ 1 Hσ (or_introl eq_refl) B) as U.
  pose proof (taylor_remainder C c Hc HC n (Rabs x) σ (-1) Hσ (or_intror eq_refl) B) as L. rewrite <- E in U, L.
  apply Rabs_le. lra.
Qed.

(** e^c ≤ 1/(1 − c) *)
Lemma exp_upper c : c < 1 -> exp c <= / (1 - c).
Proof.
  intros H. pose proof (exp_ineq1_le (- c)) as L. rewrite exp_Ropp in L. pose proof (exp_pos c) as P.
  apply (Rmult_le_reg_r (1 - c)); [lra|]. rewrite Rinv_l by lra.
  apply Rle_trans with (exp c * / exp c); [apply Rmult_le_compat_l; lra | rewrite Rinv_r; lra].
Qed.

(** ** ln 2, in the two doubles of src/exponential.rs *)
Definition LN2_HIGH : R := 2977044471 / 4294967296.                             (* 2^32 *)
Definition LN2_LOW : R := 3691024475790907 / 19342813113834066795298816.        (* 2^84 *)

Lemma exp_split : Rabs (exp (LN2_HIGH + LN2_LOW) - 2) <= / 73786976294838206464.
Proof.
  set (x := LN2_HIGH + LN2_LOW).
  assert (B : Rabs x <= 7 / 10) by (unfold x, LN2_HIGH, LN2_LOW; rewrite Rabs_pos_eq; lra).
  assert (C : exp (7 / 10) <= 10 / 3) by (eapply Rle_trans; [apply exp_upper; lra | lra]).
  pose proof (exp_taylor (10 / 3) (7 / 10) 21 x ltac:(lra) C B) as T.
  assert (Rem : 10 / 3 * Rabs x ^ 22 / rfact 22 <= / 147573952589676412928).
  { apply Rle_trans with (10 / 3 * (7 / 10) ^ 22 / rfact 22).
    - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, fact_pos|]. apply Rmult_le_compat_l; [lra|].
      apply pow_incr. split; [apply Rabs_pos | exact B].
    - cbn [rfact Z.of_nat Pos.of_succ_nat Pos.succ]. lra. }
  assert (Poly : Rabs (taylor 21 x - 2) <= / 147573952589676412928).
  { assert (E : taylor 21 x = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6 * (1 + x / 7 * (1 + x / 8 * (1 + x / 9 * (1 + x / 10 *
      (1 + x / 11 * (1 + x / 12 * (1 + x / 13 * (1 + x / 14 * (1 + x / 15 * (1 + x / 16 * (1 + x / 17 * (1 + x / 18 * (1 + x / 19 * (1 + x / 20 * (1 + x / 21))))))))))))))))))))).
    { unfold taylor. rewrite !rsum_S. change (rsum 0 _) with 0. cbn [rfact Z.of_nat Pos.of_succ_nat Pos.succ pow]. clearbody x. field. }
    rewrite E. unfold x, LN2_HIGH, LN2_LOW. apply Rabs_le. split; lra. }
  replace (exp x - 2) with ((exp x - taylor 21 x) + (taylor 21 x - 2)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** |ln 2 − (LN2_HIGH + LN2_LOW)| ≤ 2^−66 *)
Theorem ln2_split : Rabs (ln 2 - (LN2_HIGH + LN2_LOW)) <= / 73786976294838206464.
Proof.
  pose proof exp_split as E. set (x := LN2_HIGH + LN2_LOW) in *. set (t := / 73786976294838206464) in *.
  assert (Pt : 0 < t < / 2) by (unfold t; lra). apply Rabs_le_between in E.
  assert (U : ln 2 <= x + t).
  { rewrite <- (ln_exp (x + t)). apply ln_le; [lra|]. rewrite exp_plus. pose proof (exp_ineq1_le t). pose proof (exp_pos x). nra. }
  assert (L : x - t <= ln 2).
  { rewrite <- (ln_exp (x - t)). apply ln_le; [apply exp_pos|]. unfold Rminus. rewrite exp_plus, exp_Ropp.
    pose proof (exp_ineq1_le t) as I. pose proof (exp_pos t) as P. apply (Rmult_le_reg_r (exp t)); [exact P|].
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra. }
  apply Rabs_le. lra.
Qed.
