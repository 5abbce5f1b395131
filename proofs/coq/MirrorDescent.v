(** * Appendix D, Lemma D.2: mirror descent with the relative entropy

    Over the reals, as it needs exp and ln.  Distributions on A are functions of a < n; KL has 0 ln 0 = 0. *)

From Coq Require Import Reals Lra Lia Arith Setoid.
From Coquelicot Require Import Coquelicot.
From OPD Require Export RealSums.
From OPD Require OrderedField Sums.
Import OrderedField(RK).
Local Open Scope R_scope.

(** p ∈ Δ_A with |A| = n. *)
Definition distribution (n : nat) (p : nat -> R) : Prop :=
  (forall a, (a < n)%nat -> 0 <= p a) /\ rsum n p = 1.

(** D(p‖q) = Σ_a p(a) log(p(a)/q(a)), and q(a) > 0 wherever p(a) > 0. *)
Definition KL (n : nat) (p q : nat -> R) : R := rsum n (fun a => p a * ln (p a / q a)).
Definition dominated (n : nat) (p q : nat -> R) : Prop := forall a, (a < n)%nat -> 0 < p a -> 0 < q a.

(** π_{t+1}(a) ∝ π_t(a) e^{α q_t(a)}. *)
Definition normaliser (n : nat) (α : R) (p q : nat -> R) : R := rsum n (fun a => p a * exp (α * q a)).
Definition mirror_step (n : nat) (α : R) (p q : nat -> R) (a : nat) : R :=
  p a * exp (α * q a) / normaliser n α p q.
Fixpoint mirror (n : nat) (α : R) (p1 : nat -> R) (q : nat -> nat -> R) (t : nat) : nat -> R :=
  match t with O => p1 | S t => mirror_step n α (mirror n α p1 q t) (q t) end.

(** softmax(z)(a) = e^{z(a)} / Σ_b e^{z(b)}, and the uniform distribution. *)
Definition softmax (n : nat) (z : nat -> R) (a : nat) : R := exp (z a) / rsum n (fun b => exp (z b)).
Definition uniform (n : nat) (a : nat) : R := / INR n.

Lemma normaliser_pos n α p q : distribution n p -> 0 < normaliser n α p q.
Proof.
  intros [Hp H1]. destruct (rsum_witness n p) as [i [Hi P]]; [lra|].
  apply (rsum_pos n _ i); [| exact Hi |].
  - intros j Hj. apply Rmult_le_pos; [now apply Hp | apply Rlt_le, exp_pos].
  - apply Rmult_lt_0_compat; [exact P | apply exp_pos].
Qed.

Lemma mirror_step_distribution n α p q : distribution n p -> distribution n (mirror_step n α p q).
Proof.
  intros H. pose proof (normaliser_pos n α p q H) as Z. split.
  - intros a Ha. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat, Z].
    apply Rmult_le_pos; [now apply H | apply Rlt_le, exp_pos].
  - unfold mirror_step. rewrite (rsum_ext n _ (fun a => / normaliser n α p q * (p a * exp (α * q a)))).
    + rewrite rsum_mul. fold (normaliser n α p q). field. lra.
    + intros. field. lra.
Qed.

Lemma mirror_step_dominated n α r p q : distribution n p -> dominated n r p -> dominated n r (mirror_step n α p q).
Proof.
  intros H D a Ha P. apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat, normaliser_pos, H].
  apply Rmult_lt_0_compat; [now apply D | apply exp_pos].
Qed.

(** ** The relative entropy *)

(** D(p‖π_{t+1}) = D(p‖π_t) − α⟨p, q_t⟩ + log Σ_a π_t(a) e^{α q_t(a)} *)
Lemma kl_identity n α r p q : distribution n r -> distribution n p -> dominated n r p ->
  KL n r (mirror_step n α p q) = KL n r p - α * rsum n (fun a => r a * q a) + ln (normaliser n α p q).
Proof.
  intros Hr Hp D. pose proof (normaliser_pos n α p q Hp) as Z. set (Z' := normaliser n α p q) in *.
  replace (ln Z') with (ln Z' * rsum n r) by (rewrite (proj2 Hr); ring).
  unfold KL. rewrite <- !rsum_mul, <- rsum_sub, <- rsum_add. apply rsum_ext. intros a Ha.
  destruct (Rle_lt_or_eq_dec 0 (r a) (proj1 Hr a Ha)) as [P|E]; [|rewrite <- E; ring].
  specialize (D a Ha P). unfold mirror_step. fold Z'.
  replace (r a / (p a * exp (α * q a) / Z')) with (r a / p a * / exp (α * q a) * Z').
  - pose proof (exp_pos (α * q a)) as X. assert (0 < r a / p a) by (apply Rdiv_lt_0_compat; assumption).
    assert (0 < / exp (α * q a)) by now apply Rinv_0_lt_compat.
    rewrite ln_mult, ln_mult, ln_Rinv, ln_exp by (try assumption; now apply Rmult_lt_0_compat). ring.
  - pose proof (exp_pos (α * q a)). field. repeat split; lra.
Qed.

Lemma kl_nonneg n r p : distribution n r -> distribution n p -> dominated n r p -> 0 <= KL n r p.
Proof.
  intros Hr Hp D. replace 0 with (rsum n r - rsum n p) by (rewrite (proj2 Hr), (proj2 Hp); ring).
  unfold KL. rewrite <- rsum_sub. apply rsum_le. intros a Ha.
  destruct (Rle_lt_or_eq_dec 0 (r a) (proj1 Hr a Ha)) as [P|E].
  - specialize (D a Ha P). pose proof (exp_ineq1_le (ln (p a / r a))) as L.
    assert (Q : 0 < p a / r a) by (apply Rdiv_lt_0_compat; assumption). rewrite exp_ln in L by exact Q.
    replace (r a / p a) with (/ (p a / r a)) by (field; split; lra). rewrite ln_Rinv by exact Q.
    assert (r a * (1 + ln (p a / r a)) <= p a).
    { replace (p a) with (r a * (p a / r a)) at 2 by (field; lra). apply Rmult_le_compat_l; lra. }
    lra.
  - rewrite <- E. pose proof (proj1 Hp a Ha). lra.
Qed.

(** D(p‖uniform) ≤ log|A|. *)
Lemma kl_uniform n r : distribution n r -> KL n r (uniform n) <= ln (INR n).
Proof.
  intros Hr. assert (N : 0 < INR n).
  { destruct n; [destruct Hr as [_ H]; change (0 = 1) in H; lra | apply lt_0_INR; lia]. }
  apply Rle_trans with (rsum n (fun a => ln (INR n) * r a)).
  - apply rsum_le. intros a Ha. unfold uniform.
    destruct (Rle_lt_or_eq_dec 0 (r a) (proj1 Hr a Ha)) as [P|E]; [|rewrite <- E; lra].
    replace (r a / / INR n) with (r a * INR n) by (field; lra). rewrite ln_mult by assumption.
    assert (r a <= 1).
    { rewrite <- (proj2 Hr). exact (Sums.sum_term_le (K := RK) n r a (proj1 Hr) Ha). }
    assert (ln (r a) <= 0) by (rewrite <- ln_1; apply ln_le; assumption). nra.
  - rewrite rsum_mul, (proj2 Hr). lra.
Qed.

(** ** Hoeffding's lemma for a finite distribution *)

(** Convexity of exp, from its tangent: e^{wA + (1−w)B} ≤ w e^A + (1−w) e^B. *)
Lemma exp_convex w A B : 0 <= w <= 1 -> exp (w * A + (1 - w) * B) <= w * exp A + (1 - w) * exp B.
Proof.
  intros Hw. set (c := w * A + (1 - w) * B). pose proof (exp_pos c) as P.
  assert (T : forall X, exp c * (1 + (X - c)) <= exp X).
  { intros X. replace (exp X) with (exp c * exp (X - c)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [lra | apply exp_ineq1_le]. }
  assert (w * (exp c * (1 + (A - c))) <= w * exp A) by (apply Rmult_le_compat_l; [lra | apply T]).
  assert ((1 - w) * (exp c * (1 + (B - c))) <= (1 - w) * exp B) by (apply Rmult_le_compat_l; [lra | apply T]).
  replace (exp c) with (w * (exp c * (1 + (A - c))) + (1 - w) * (exp c * (1 + (B - c)))) at 1; [lra|].
  unfold c. ring.
Qed.

(** The two-point law on ±1 of mean m: its moment generating function, and that function's log-derivative. *)
Definition mgf (m u : R) : R := (1 + m) / 2 * exp u + (1 - m) / 2 * exp (- u).
Definition tilt (m u : R) : R := ((1 + m) / 2 * exp u - (1 - m) / 2 * exp (- u)) / mgf m u.

Lemma mgf_pos m u : -1 <= m <= 1 -> 0 < mgf m u.
Proof.
  intros H. unfold mgf. pose proof (exp_pos u). pose proof (exp_pos (- u)).
  destruct (Rlt_dec m 0).
  - apply Rplus_le_lt_0_compat; [apply Rmult_le_pos; lra | apply Rmult_lt_0_compat; lra].
  - apply Rplus_lt_le_0_compat; [apply Rmult_lt_0_compat; lra | apply Rmult_le_pos; lra].
Qed.

Lemma mgf_derivative m u : is_derive (mgf m) u ((1 + m) / 2 * exp u - (1 - m) / 2 * exp (- u)).
Proof. unfold mgf. auto_derive; [trivial | field]. Qed.

(** m + u − tilt has the derivative tilt², and is the derivative of m u + u²/2 − log mgf. *)
Lemma slope_derivative m u : -1 <= m <= 1 -> is_derive (fun u => m + u - tilt m u) u (tilt m u * tilt m u).
Proof.
  intros H. pose proof (mgf_pos m u H) as P. unfold tilt, mgf in *. auto_derive; [lra|]. field. lra.
Qed.

Lemma excess_derivative m u : -1 <= m <= 1 ->
  is_derive (fun u => m * u + u * u / 2 - ln (mgf m u)) u (m + u - tilt m u).
Proof.
  intros H. pose proof (mgf_pos m u H) as P. unfold tilt, mgf in *. auto_derive; [lra|]. field. lra.
Qed.

Lemma two_point m u : -1 <= m <= 1 -> 0 <= u -> ln (mgf m u) <= m * u + u * u / 2.
Proof.
  intros Hm Hu. destruct (Rle_lt_or_eq_dec 0 u Hu) as [P|<-].
  - assert (slope : forall c, 0 < c -> 0 <= m + c - tilt m c).
    { intros c Hc. destruct (MVT_cor2 (fun u => m + u - tilt m u) (fun u => tilt m u * tilt m u) 0 c Hc) as [x [E _]].
      - intros x _. apply is_derive_Reals, slope_derivative, Hm.
      - assert (Z : tilt m 0 = m) by (unfold tilt, mgf; rewrite Ropp_0, exp_0; field; lra).
        rewrite Z in E. nra. }
    destruct (MVT_cor2 (fun u => m * u + u * u / 2 - ln (mgf m u)) (fun u => m + u - tilt m u) 0 u P) as [c [E [C _]]].
    + intros x _. apply is_derive_Reals, excess_derivative, Hm.
    + assert (Z : ln (mgf m 0) = 0).
      { replace (mgf m 0) with 1 by (unfold mgf; rewrite Ropp_0, exp_0; field). apply ln_1. }
      rewrite Z in E. specialize (slope c C). nra.
  - replace (mgf m 0) with 1 by (unfold mgf; rewrite Ropp_0, exp_0; field). rewrite ln_1. lra.
Qed.

Lemma ratio_bound y D : 0 < D -> - D <= y <= D -> -1 <= y / D <= 1.
Proof.
  intros HD H. assert (E : y = y / D * D) by (field; lra). split; apply (Rmult_le_reg_r D); try exact HD; lra.
Qed.

(** Values in [−D, D], s ≥ 0. *)
Lemma hoeffding_centred n p x D s : distribution n p -> 0 <= s -> (forall a, (a < n)%nat -> - D <= x a <= D) ->
  ln (rsum n (fun a => p a * exp (s * x a))) <= s * rsum n (fun a => p a * x a) + s * s * (D * D) / 2.
Proof.
  intros Hp Hs Hx. set (mean := rsum n (fun a => p a * x a)).
  pose proof (normaliser_pos n s p x Hp) as Z. unfold normaliser in Z.
  destruct (Rle_or_lt D 0) as [HD|HD].
  - (* then every value is 0 *)
    assert (X : forall a, (a < n)%nat -> x a = 0) by (intros a Ha; specialize (Hx a Ha); lra).
    replace mean with 0 by (symmetry; apply (Sums.sum_zero (K := RK)); intros a Ha; rewrite X by exact Ha; change (p a * 0 = 0); ring).
    rewrite (rsum_ext n _ p) by (intros a Ha; rewrite X, Rmult_0_r, exp_0 by exact Ha; ring).
    rewrite (proj2 Hp), ln_1. nra.
  - set (m := mean / D).
    assert (M : -1 <= m <= 1).
    { assert (- D * rsum n p <= mean <= D * rsum n p) as [L U].
      { unfold mean. rewrite <- !rsum_mul. split; apply rsum_le; intros a Ha;
          specialize (Hx a Ha); pose proof (proj1 Hp a Ha); nra. }
      rewrite (proj2 Hp) in L, U. apply ratio_bound; lra. }
    apply Rle_trans with (ln (mgf m (s * D))).
    + apply ln_le; [exact Z|]. unfold mgf.
      replace ((1 + m) / 2 * exp (s * D) + (1 - m) / 2 * exp (- (s * D)))
        with (rsum n (fun a => p a * ((1 + x a / D) / 2 * exp (s * D) + (1 - x a / D) / 2 * exp (- (s * D))))).
      * apply rsum_le. intros a Ha. apply Rmult_le_compat_l; [now apply Hp|].
        specialize (Hx a Ha). assert (W : -1 <= x a / D <= 1) by now apply ratio_bound.
        replace (s * x a) with ((1 + x a / D) / 2 * (s * D) + (1 - (1 + x a / D) / 2) * (- (s * D))) by (field; lra).
        replace ((1 - x a / D) / 2) with (1 - (1 + x a / D) / 2) by (field; lra). apply exp_convex. lra.
      * set (e := exp (s * D)). set (e' := exp (- (s * D))).
        rewrite (rsum_ext n _ (fun a => (e + e') / 2 * p a + (e - e') / (2 * D) * (p a * x a))) by (intros; field; lra).
        rewrite rsum_add, !rsum_mul, (proj2 Hp). fold mean. unfold m. field. lra.
    + eapply Rle_trans; [apply two_point; [exact M | nra]|]. apply Req_le. unfold m. field. lra.
Qed.

(** log E e^{sX} ≤ s E X + s²(b−a)²/8 for a ≤ X ≤ b. *)
Theorem hoeffding_lemma n p x a b s : distribution n p -> (forall i, (i < n)%nat -> a <= x i <= b) ->
  ln (rsum n (fun i => p i * exp (s * x i))) <= s * rsum n (fun i => p i * x i) + s * s * ((b - a) * (b - a)) / 8.
Proof.
  intros Hp Hx. set (c := (a + b) / 2). set (D := (b - a) / 2).
  assert (main : forall s x, 0 <= s -> (forall i, (i < n)%nat -> - D <= x i <= D) ->
    ln (rsum n (fun i => p i * exp (s * x i))) <= s * rsum n (fun i => p i * x i) + s * s * ((b - a) * (b - a)) / 8).
  { intros s' x' Hs H. eapply Rle_trans; [apply (hoeffding_centred n p x' D s' Hp Hs H)|]. unfold D. lra. }
  assert (shift : ln (rsum n (fun i => p i * exp (s * x i))) = s * c + ln (rsum n (fun i => p i * exp (s * (x i - c))))).
  { pose proof (normaliser_pos n s p (fun i => x i - c) Hp) as Z. unfold normaliser in Z.
    rewrite <- (ln_exp (s * c)) at 1. rewrite <- ln_mult by (try apply exp_pos; exact Z). f_equal.
    rewrite <- rsum_mul. apply rsum_ext. intros i _.
    replace (exp (s * x i)) with (exp (s * c) * exp (s * (x i - c))) by (rewrite <- exp_plus; f_equal; ring). ring. }
  assert (mean : rsum n (fun i => p i * (x i - c)) = rsum n (fun i => p i * x i) - c).
  { rewrite (rsum_ext n _ (fun i => p i * x i - c * p i)) by (intros; ring). rewrite rsum_sub, rsum_mul, (proj2 Hp). ring. }
  assert (bounds : forall i, (i < n)%nat -> - D <= x i - c <= D) by (intros i Hi; specialize (Hx i Hi); unfold D, c; lra).
  rewrite shift. destruct (Rle_or_lt 0 s) as [Hs|Hs].
  - pose proof (main s (fun i => x i - c) Hs bounds) as H. cbv beta in H. rewrite mean in H. lra.
  - (* s < 0: negate the values *)
    pose proof (main (- s) (fun i => - (x i - c))) as H. cbv beta in H.
    rewrite (rsum_ext n (fun i => p i * exp (- s * - (x i - c))) (fun i => p i * exp (s * (x i - c)))) in H
      by (intros; f_equal; f_equal; ring).
    rewrite (rsum_ext n (fun i => p i * - (x i - c)) (fun i => -1 * (p i * (x i - c)))) in H by (intros; ring).
    rewrite rsum_mul, mean in H.
    assert (- s * (-1 * (rsum n (fun i => p i * x i) - c)) + - s * - s * ((b - a) * (b - a)) / 8
      = s * (rsum n (fun i => p i * x i) - c) + s * s * ((b - a) * (b - a)) / 8) by field.
    enough (ln (rsum n (fun i => p i * exp (s * (x i - c)))) <= s * (rsum n (fun i => p i * x i) - c) + s * s * ((b - a) * (b - a)) / 8) by lra.
    rewrite <- H0. apply H; [lra|]. intros i Hi. specialize (bounds i Hi). lra.
Qed.

(** ** Lemma D.2 at one state, then on average over states *)

(** α⟨π* − π_t, q_t⟩ ≤ D(π*‖π_t) − D(π*‖π_{t+1}) + α²D_q²/2 *)
Lemma kl_step n α Dq r p q : distribution n r -> distribution n p -> dominated n r p ->
  (forall a, (a < n)%nat -> Rabs (q a) <= Dq) ->
  α * rsum n (fun a => (r a - p a) * q a) <= KL n r p - KL n r (mirror_step n α p q) + α * α * (Dq * Dq) / 2.
Proof.
  intros Hr Hp D Hq. pose proof (kl_identity n α r p q Hr Hp D) as E.
  assert (B : forall a, (a < n)%nat -> - Dq <= q a <= Dq) by (intros a Ha; now apply Rabs_le_between, Hq).
  pose proof (hoeffding_lemma n p q (- Dq) Dq α Hp B) as H. fold (normaliser n α p q) in H.
  rewrite (rsum_ext n _ (fun a => r a * q a - p a * q a)) by (intros; ring). rewrite rsum_sub. lra.
Qed.

Section Mirror.
  Variables (n : nat) (α Dq : R) (r p1 : nat -> R) (q : nat -> nat -> R).
  Hypothesis α_pos : 0 < α.
  Hypothesis comparator : distribution n r.
  Hypothesis initial : distribution n p1.
  Hypothesis support : dominated n r p1.
  Hypothesis bounded : forall t a, (a < n)%nat -> Rabs (q t a) <= Dq.
  Let p := mirror n α p1 q.

  Lemma mirror_distribution t : distribution n (p t).
  Proof. induction t; [exact initial | apply mirror_step_distribution, IHt]. Qed.

  Lemma mirror_dominated t : dominated n r (p t).
  Proof. induction t; [exact support | apply mirror_step_dominated; [apply mirror_distribution | exact IHt]]. Qed.

  Lemma mirror_kl_step t :
    α * rsum n (fun a => (r a - p t a) * q t a) <= KL n r (p t) - KL n r (p (S t)) + α * α * (Dq * Dq) / 2.
  Proof.
    apply kl_step; [exact comparator | apply mirror_distribution | apply mirror_dominated | exact (bounded t)].
  Qed.

  Theorem mirror_descent_state T :
    rsum T (fun t => rsum n (fun a => (r a - p t a) * q t a)) <= KL n r p1 / α + α * INR T * (Dq * Dq) / 2.
  Proof.
    assert (G : α * rsum T (fun t => rsum n (fun a => (r a - p t a) * q t a))
                <= KL n r p1 - KL n r (p T) + INR T * (α * α * (Dq * Dq) / 2)).
    { induction T as [|T IH]; [change (rsum 0 _) with 0; simpl; unfold p; simpl; lra|].
      pose proof (mirror_kl_step T). rewrite S_INR, rsum_S. lra. }
    pose proof (kl_nonneg n r (p T) comparator (mirror_distribution T) (mirror_dominated T)) as P.
    apply (Rmult_le_reg_l α); [exact α_pos|].
    replace (α * (KL n r p1 / α + α * INR T * (Dq * Dq) / 2)) with (KL n r p1 + INR T * (α * α * (Dq * Dq) / 2)) by (field; lra).
    lra.
  Qed.
End Mirror.

(** H(π*‖π_1) = Σ_x ν(x) D(π*(·|x)‖π_1(·|x)) *)
Definition conditional_entropy (nS nA : nat) (ν : nat -> R) (π π' : nat -> nat -> R) : R :=
  rsum nS (fun x => ν x * KL nA (π x) (π' x)).

Theorem lemma_D_2 (nS nA T : nat) (α Dq : R) (ν : nat -> R) (π π1 : nat -> nat -> R) (q : nat -> nat -> nat -> R) :
  0 < α -> distribution nS ν ->
  (forall x, (x < nS)%nat -> distribution nA (π x) /\ distribution nA (π1 x) /\ dominated nA (π x) (π1 x)) ->
  (forall t x a, (x < nS)%nat -> (a < nA)%nat -> Rabs (q t x a) <= Dq) ->
  let πs t x := mirror nA α (π1 x) (fun t => q t x) t in
  rsum T (fun t => rsum nS (fun x => ν x * rsum nA (fun a => (π x a - πs t x a) * q t x a)))
  <= conditional_entropy nS nA ν π π1 / α + α * INR T * (Dq * Dq) / 2.
Proof.
  intros Hα Hν Hπ Hq πs. rewrite rsum_swap.
  apply Rle_trans with (rsum nS (fun x => ν x * (KL nA (π x) (π1 x) / α + α * INR T * (Dq * Dq) / 2))).
  - apply rsum_le. intros x Hx. rewrite rsum_mul. apply Rmult_le_compat_l; [now apply Hν|].
    destruct (Hπ x Hx) as [H [H1 D]]. apply mirror_descent_state; auto.
  - unfold conditional_entropy.
    rewrite (rsum_ext nS _ (fun x => / α * (ν x * KL nA (π x) (π1 x)) + α * INR T * (Dq * Dq) / 2 * ν x)) by (intros; field; lra).
    rewrite rsum_add, !rsum_mul, (proj2 Hν). apply Req_le. field. lra.
Qed.

(** ** Algorithm 1's policy: mirror descent from the uniform policy is softmax(α Σ_{i<t} q_i) *)
Section Softmax.
  Variable n : nat.
  Hypothesis some_action : (0 < n)%nat.

  Lemma sum_exp_pos z : 0 < rsum n (fun b => exp (z b)).
  Proof. apply (rsum_pos n _ O); [intros; apply Rlt_le, exp_pos | exact some_action | apply exp_pos]. Qed.

  Lemma softmax_pos z a : 0 < softmax n z a.
  Proof. apply Rdiv_lt_0_compat; [apply exp_pos | apply sum_exp_pos]. Qed.

  Lemma softmax_distribution z : distribution n (softmax n z).
  Proof.
    pose proof (sum_exp_pos z) as Z. split; [intros; apply Rlt_le, softmax_pos|].
    unfold softmax. rewrite (rsum_ext n _ (fun a => / rsum n (fun b => exp (z b)) * exp (z a))) by (intros; field; lra).
    rewrite rsum_mul. field. lra.
  Qed.

  Lemma softmax_ext z z' a : (a < n)%nat -> (forall b, (b < n)%nat -> z b = z' b) -> softmax n z a = softmax n z' a.
  Proof.
    intros Ha H. unfold softmax. rewrite (H a Ha). f_equal. apply rsum_ext. intros b Hb. now rewrite H.
  Qed.

  Lemma softmax_zero a : softmax n (fun _ => 0) a = uniform n a.
  Proof.
    assert (0 < INR n) by now apply lt_0_INR. unfold softmax, uniform. rewrite exp_0, rsum_const. field. lra.
  Qed.

  (** One step of mirror descent adds α q to the exponent. *)
  Lemma mirror_step_softmax α z q a :
    mirror_step n α (softmax n z) q a = softmax n (fun b => z b + α * q b) a.
  Proof.
    unfold mirror_step, normaliser, softmax. pose proof (sum_exp_pos z) as Z.
    pose proof (sum_exp_pos (fun b => z b + α * q b)) as Z'. cbv beta in Z'. set (S := rsum n (fun b => exp (z b))) in *.
    replace (rsum n (fun b => exp (z b) / S * exp (α * q b))) with (/ S * rsum n (fun b => exp (z b + α * q b))).
    - rewrite exp_plus. field. split; lra.
    - rewrite <- rsum_mul. apply rsum_ext. intros b _. rewrite exp_plus. field. lra.
  Qed.

  Lemma mirror_step_ext α p p' q a : (a < n)%nat -> (forall b, (b < n)%nat -> p b = p' b) ->
    mirror_step n α p q a = mirror_step n α p' q a.
  Proof.
    intros Ha H. unfold mirror_step, normaliser. rewrite (H a Ha). f_equal. apply rsum_ext. intros b Hb. now rewrite H.
  Qed.

  Theorem mirror_is_softmax α q t a : (a < n)%nat ->
    mirror n α (uniform n) q t a = softmax n (fun a => α * rsum t (fun i => q i a)) a.
  Proof.
    revert a. induction t as [|t IH]; intros a Ha.
    - change (uniform n a = softmax n (fun _ => α * 0) a). rewrite Rmult_0_r. symmetry. apply softmax_zero.
    - cbn [mirror]. rewrite (mirror_step_ext α _ _ (q t) a Ha IH), mirror_step_softmax.
      apply softmax_ext; [exact Ha|]. intros b _. rewrite rsum_S. ring.
  Qed.
End Softmax.
