(** * The order of Theorem 3.2 is false where D_θD_φ is small, the coverage corrected

    Two actions, φ(a) = e_a, and a reward of h for action 0: D_θ = h, D_φ = 1, D_β = 4 ≥ C_{φ,1} = 4.  At ε = h/4 the order D_θ⁴D_φ⁸D_β⁴ log|A|/ε⁴ does not depend on h;
    but G_β² ≥ 3 does not shrink with h, so that at the printed ζ a step of β is O(h), and T bounded leaves β at 0 and the policies near uniform, on every data sequence. *)

From Coq Require Import List Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Coverage Algorithm1 Tuning Statements RegretStatements Bandit Stuck Washed RefutedStatements RefutedSamples RefutedA1.
Import ListNotations.
Local Open Scope K_scope.

Notation B := (bandit 2 1%R 0).

(** The bandit at scale 1, its reward multiplied by h. *)
Definition faint (h : R) : linear_mdp RK :=
  LinearMDP RK 1 2 2 0 (ν0 B) (φ B) (ψ B) (fun j => if Nat.eqb 0 j then h else 0%R).

Section Faint.
  Variable h : R.
  Hypothesis small : (0 < h <= 1)%R.
  Notation M := (faint h).
  Notation μB := (compose (uniform_policy 2) ones).
  Notation Dβ := (INR 2 * INR 2 / (1 * 1))%R.
  Notation λ := (1 * 1 / INR 2)%R.

  Lemma faint_dot y x a : (a < 2)%nat -> dot 2 (φ M x a) y = y a.
  Proof. intros Ha. etransitivity; [exact (bandit_dot 2 1%R 0 y x a Ha) | apply Rmult_1_l]. Qed.

  (** ** What is printed holds.  All that does not look at the reward is the bandit's. *)
  Lemma faint_reward x a : (a < 2)%nat -> reward M x a = if Nat.eqb 0 a then h else 0%R.
  Proof. intros Ha. unfold reward. change (dim M) with 2%nat. now rewrite faint_dot. Qed.

  Lemma faint_mdp : is_mdp M.
  Proof.
    assert (P : (0 < 1)%R) by lra. destruct (bandit_mdp 2 1%R 0 P) as (A & S & _). split; [exact A | split; [exact S|]].
    intros x a _ Ha. rewrite faint_reward by exact Ha. destruct (Nat.eqb 0 a); real; lra.
  Qed.

  Lemma faint_return π : return_of_measure M (compose π ones) = (h * π 0%nat 0%nat)%R.
  Proof.
    unfold return_of_measure, sumXA. simpl nS. simpl nA. cbn [sum]. rewrite !faint_reward by lia. unfold compose, ones. simpl Nat.eqb. cbv iota. real. ring.
  Qed.

  Definition faint_value (π : nat -> nat -> RK) : nat -> RK := fun _ => (h * π 0%nat 0%nat)%R.

  Lemma faint_is_value π : is_value M π (faint_value π).
  Proof.
    intros x Hx. replace x with 0%nat by (simpl in Hx; lia). unfold faint_value, q_of. simpl nA. cbn [sum]. rewrite !faint_reward by lia.
    simpl γ. simpl Nat.eqb. cbv iota. real. ring.
  Qed.

  Lemma faint_theta v : norm2 2 (theta_of M v) = (h * h)%R.
  Proof. unfold norm2, dot, theta_of. cbn [sum]. simpl. real. ring. Qed.

  Lemma faint_coverage : coverage M (bandit_inverse 2 1%R) (compose (play 0) ones) = Dβ.
  Proof. apply (bandit_coverage 2 1%R 0); (lia || lra). Qed.

  Lemma faint_printed_setting :
    printed_setting_A_1 M (uniform_policy 2) ones (bandit_inverse 2 1%R) h Dβ 1%R λ (play 0) ones faint_value (fun _ => ones) vzero vzero.
  Proof.
    assert (P1 : (0 < 1)%R) by lra. destruct (bandit_printed_setting 2 1%R 0 ltac:(lia) ltac:(lia) P1)
      as (_ & Hd & Hr & Ha & (_ & Pβ & _) & Hf & _ & Hπ & Hν & R & L & Hp & Ho & _).
    split; [|split; [exact (bandit_operator_norm 2 1%R 0 ltac:(lia) ltac:(lia) P1) | split; apply ball_vzero]].
    split; [exact faint_mdp | split; [exact Hd | split; [exact Hr | split; [exact Ha|]]]].
    split; [split; [lra | split; [exact Pβ | lra]] | split; [exact Hf|]].
    split; [intros π _; split; [apply faint_is_value | split; [exact (bandit_occupancy 2 1%R 0 π)|]]; unfold ball; simpl dim; rewrite faint_theta; apply le_refl|].
    split; [exact Hπ | split; [exact Hν | split; [exact R | split; [exact L | split; [exact Hp | split; [exact Ho|]]]]]].
    rewrite faint_coverage. apply le_refl.
  Qed.

  Lemma faint_covered : coverage M (bandit_inverse 2 1%R) (compose (play 0) ones) <= (Dβ : RK)².
  Proof. rewrite faint_coverage. simpl INR. real. lra. Qed.

  (** ** The run *)
  Variables (α ζ η : R) (K : nat).
  Notation policy := (policy1 M α).
  Notation step := (step1 M identity α ζ η h Dβ).
  Notation after := (run step (initial1 vzero vzero)).
  Hypothesis α_range : (0 <= α /\ α * h <= 2)%R.
  Hypothesis ζ_range : (0 <= ζ <= 8)%R.
  Hypothesis η_range : (0 <= η <= h)%R.

  Definition below (y : vec RK) (b : R) : Prop := forall j, (j < 2)%nat -> (Rabs (y j) <= b)%R.

  (** |g̃_β| ≤ 2h in each component. *)
  Lemma faint_beta_gradient π θ W j : ball 2 (h : RK) θ -> (j < 2)%nat -> (Rabs (beta_gradient M identity π θ W j) <= 2 * h)%R.
  Proof.
    intros Hθ Hj. unfold beta_gradient, scale. change (dim M) with 2%nat. rewrite mulv_identity by exact Hj. simpl γ. real.
    rewrite Rmult_0_l, Rplus_0_r.
    destruct (Nat.lt_ge_cases (action W) 2) as [L|G].
    - rewrite faint_reward, faint_dot by exact L. assert (T : (Rabs (θ (action W)) <= h)%R) by (apply component; [lra | exact Hθ | exact L]).
      apply Rcomplements.Rabs_le_between in T.
      assert (R1 : (Rabs ((if Nat.eqb 0 (action W) then h else 0) - θ (action W)) <= 2 * h)%R) by (apply Rabs_le; destruct (Nat.eqb 0 (action W)); lra).
      assert (F : (Rabs (φ B (state W) (action W) j) <= 1)%R) by (simpl; destruct (Nat.eqb (action W) j); rewrite ?Rabs_R1, ?Rabs_R0; lra).
      change (φ M (state W) (action W) j) with (φ B (state W) (action W) j). rewrite Rabs_mult.
      replace (2 * h)%R with (2 * h * 1)%R by ring. apply Rmult_le_compat; try apply Rabs_pos; assumption.
    - replace (φ M (state W) (action W) j) with 0%R.
      + rewrite Rmult_0_r, Rabs_R0. lra.
      + simpl. now replace (Nat.eqb (action W) j) with false by (symmetry; apply Nat.eqb_neq; lia).
  Qed.

  Lemma faint_beta_step β π θ W b : ball 2 (h : RK) θ -> below β b ->
    below (proj_ball 2 Dβ (vadd β (scale ζ (beta_gradient M identity π θ W)))) (b + 16 * h).
  Proof.
    intros Hθ Hb j Hj. destruct (proj_scales 2 Dβ (vadd β (scale ζ (beta_gradient M identity π θ W)))) as (c & Hc & E & _); [simpl; lra|].
    rewrite E. unfold vadd, scale. real. rewrite Rabs_mult, (Rabs_pos_eq c) by apply Hc.
    pose proof (faint_beta_gradient π θ W j Hθ Hj) as G. specialize (Hb j Hj). set (g := beta_gradient M identity π θ W j) in *.
    assert (X : (Rabs (β j + ζ * g) <= b + 16 * h)%R).
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, (Rabs_pos_eq ζ) by apply ζ_range. pose proof (Rabs_pos g). nra. }
    pose proof (Rabs_pos (β j + ζ * g)). nra.
  Qed.

  Lemma faint_policy_spread z : (spread (softmax_policy M α z 0%nat) <= α * spread z)%R.
  Proof.
    eapply Rle_trans; [apply softmax_spread|]. cbv beta. change (dim M) with 2%nat. rewrite !faint_dot by lia. unfold spread.
    replace (α * z 0%nat - α * z 1%nat)%R with (α * (z 0%nat - z 1%nat))%R by ring.
    rewrite Rabs_mult, (Rabs_pos_eq α) by apply α_range. apply Rle_refl.
  Qed.

  Definition faint_drift (st : state1) : R := (spread (theta st) + spread (theta_sum st))%R.

  Lemma faint_drift_step st F b : (0 <= b)%R -> below (beta st) b -> (length F <= K)%nat ->
    (faint_drift (step st F) + h * b <= (4 * INR K + 3) * (faint_drift st + h * b))%R.
  Proof.
    intros Hb0 Hb L. destruct α_range as [Pα Pαh]. destruct η_range as [Pη Pηh]. destruct small as [Ph _]. pose proof (pos_INR K) as PK.
    pose proof (spread_nonneg (theta st)) as P1. pose proof (spread_nonneg (theta_sum st)) as P2.
    set (t := spread (theta st)) in *. set (z := spread (theta_sum st)) in *.
    set (g := (α * z + b)%R). assert (Pg : (0 <= g)%R) by (unfold g; nra).
    assert (Inner : forall F', (spread (inner1 M identity α η h st F') <= t + INR (length F') * (η * g))%R).
    { unfold inner1. induction F' as [|W F' IH]; cbn [descend length]; [simpl; unfold t; lra|]. rewrite (S_INR (length F')).
      eapply Rle_trans; [apply spread_proj; lra|]. eapply Rle_trans; [now apply spread_vsub_scale|].
      pose proof (gradient_spread_le 1%R 0 ltac:(lra) (beta st) (policy st) W b Hb) as G.
      pose proof (faint_policy_spread (theta_sum st)) as S. fold (policy st) in S. fold z in S.
      change (theta_gradient (bandit 2 1%R 0) identity (beta st) (policy st) W) with (theta_gradient M identity (beta st) (policy st) W) in G.
      assert (G' : (spread (theta_gradient M identity (beta st) (policy st) W) <= g)%R) by (unfold g, policy1 in *; lra).
      apply (Rmult_le_compat_l η) in G'; [lra | exact Pη]. }
    assert (Pηg : (0 <= η * g)%R) by now apply Rmult_le_pos.
    assert (S1 : (spread (theta1 M identity α η h st F) <= t + INR K * (η * g))%R).
    { apply average_spread.
      - assert (0 <= INR K * (η * g))%R by now apply Rmult_le_pos. lra.
      - intros F' L'. eapply Rle_trans; [apply Inner|]. apply Rplus_le_compat_l, Rmult_le_compat_r; [exact Pηg | apply le_INR; lia]. }
    pose proof (spread_vadd (theta_sum st) (theta1 M identity α η h st F)) as V. fold z in V.
    change (faint_drift (step st F)) with (spread (theta1 M identity α η h st F) + spread (vadd (theta_sum st) (theta1 M identity α η h st F)))%R.
    unfold faint_drift. fold t z.
    assert (Eg : (η * g <= 2 * z + h * b)%R).
    { unfold g. assert (η * α <= 2)%R by nra. assert (η * b <= h * b)%R by (apply Rmult_le_compat_r; lra). nra. }
    apply (Rmult_le_compat_l (INR K)) in Eg; [|exact PK]. assert (Phb : (0 <= h * b)%R) by (apply Rmult_le_pos; lra). nra.
  Qed.

  Lemma faint_run T H : (length H <= T)%nat -> Forall (fun F => (length F <= K)%nat) H ->
    let st := after H in let b := (INR T * (16 * h))%R in
    ball 2 (h : RK) (theta st) /\ below (beta st) (INR (length H) * (16 * h)) /\
    (faint_drift st + h * b <= (4 * INR K + 3) ^ length H * (h * b))%R.
  Proof.
    destruct small as [Ph _]. induction H as [|F H IH]; intros L HF st b.
    - split; [apply ball_vzero|]. split; [intros j _; unfold st; simpl; unfold vzero; real; rewrite Rabs_R0; lra|].
      unfold st, faint_drift, spread. simpl. unfold vzero. real. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - simpl length in L. inversion_clear HF as [|? ? F1 F2]. destruct (IH ltac:(lia) F2) as (Bθ & Bβ & D). unfold st. cbn [run length].
      rewrite (S_INR (length H)). set (st' := after H) in *. fold b in D.
      assert (Bθ' : ball 2 (h : RK) (theta1 M identity α η h st' F)).
      { apply average_in_ball. intros F'. apply descend_in_ball; [lra | exact Bθ]. }
      split; [exact Bθ' | split].
      + replace ((INR (length H) + 1) * (16 * h))%R with (INR (length H) * (16 * h) + 16 * h)%R by ring.
        destruct F as [|W F]; [intros j Hj; specialize (Bβ j Hj); cbn [step1 beta]; lra|]. now apply faint_beta_step.
      + assert (Hb : (INR (length H) * (16 * h) <= b)%R) by (apply Rmult_le_compat_r; [lra | apply le_INR; lia]).
        assert (Pb : (0 <= b)%R) by (apply Rmult_le_pos; [apply pos_INR | lra]).
        eapply Rle_trans; [apply (faint_drift_step st' F b Pb); [intros j Hj; specialize (Bβ j Hj); lra | exact F1]|].
        apply Rle_trans with ((4 * INR K + 3) * ((4 * INR K + 3) ^ length H * (h * b)))%R; [|apply Req_le; cbn [pow]; ring].
        apply Rmult_le_compat_l; [pose proof (pos_INR K); lra | exact D].
  Qed.

  (** The suboptimality is at least h(1/2 − 16T(4K+3)^T h). *)
  Lemma faint_suboptimality T : (0 < T)%nat ->
    (h * (1 / 2 - 16 * (INR T * (4 * INR K + 3) ^ T) * h)
     <= expected_suboptimality_1 M μB identity h Dβ (play 0) ones (fun _ => ones) α ζ η T K vzero vzero)%R.
  Proof.
    intros HT. destruct small as [Ph _]. destruct α_range as [Pα Pαh]. unfold expected_suboptimality_1.
    apply (expected_lower _ _ _ (fun F => (length F <= K)%nat)); [| |exact HT|].
    - intros _. apply is_law_block, is_law_observation; [exact faint_mdp | exact (bandit_discounted 2 1%R 0) | exact (bandit_measure 2 1%R 0 ltac:(lia))].
    - intros _ p F HF. apply block_length in HF. lia.
    - intros H F L Q. unfold suboptimality_of. rewrite !faint_return.
      destruct (faint_run T H ltac:(lia) Q) as (_ & _ & D). set (st := after H) in *. set (w := ((4 * INR K + 3) ^ T)%R).
      assert (W : ((4 * INR K + 3) ^ length H <= w)%R) by (apply Rle_pow; [pose proof (pos_INR K); lra | lia]).
      pose proof (faint_policy_spread (theta_sum st)) as S. fold (policy st) in S.
      destruct (softmax_is_policy M α ltac:(simpl; lia) (theta_sum st)) as [_ P1]. specialize (P1 0%nat ltac:(simpl; lia)). fold (policy st) in P1. simpl in P1.
      pose proof (spread_nonneg (theta st)) as Pt. pose proof (pos_INR T) as PT. unfold faint_drift in D.
      assert (Z : (spread (theta_sum st) <= w * (h * (INR T * (16 * h))))%R).
      { assert (Pb : (0 <= h * (INR T * (16 * h)))%R) by (repeat apply Rmult_le_pos; lra).
        assert ((4 * INR K + 3) ^ length H * (h * (INR T * (16 * h))) <= w * (h * (INR T * (16 * h))))%R by (apply Rmult_le_compat_r; lra). lra. }
      assert (S' : (spread (policy st 0%nat) <= 32 * (INR T * w) * h)%R).
      { eapply Rle_trans; [exact S|]. apply (Rmult_le_compat_l α) in Z; [|exact Pα]. eapply Rle_trans; [exact Z|].
        replace (α * (w * (h * (INR T * (16 * h)))))%R with (α * h * (16 * (INR T * w) * h))%R by ring.
        assert (0 <= w)%R by (apply pow_le; pose proof (pos_INR K); lra).
        assert (0 <= 16 * (INR T * w) * h)%R by (repeat apply Rmult_le_pos; lra).
        replace (32 * (INR T * w) * h)%R with (2 * (16 * (INR T * w) * h))%R by ring. apply Rmult_le_compat_r; lra. }
      unfold spread in S'. apply Rcomplements.Rabs_le_between in S'. replace (play 0 0%nat 0%nat) with 1%R by reflexivity. real.
      replace (h * 1 - h * policy st 0%nat 0%nat)%R with (h * (1 - policy st 0%nat 0%nat))%R by ring. apply Rmult_le_compat_l; lra.
  Qed.
End Faint.

(** ** The printed rates are in range *)
Section Rates.
  Local Open Scope R_scope.
  Variables (h : R) (T K : nat).
  Hypothesis small : 0 < h <= 1.
  Hypothesis HT : (0 < T)%nat.
  Hypothesis HK : (0 < K)%nat.
  Notation M := (faint h).
  Notation Dβ := (INR 2 * INR 2 / (1 * 1)).
  Notation λ := (1 * 1 / INR 2).

  Lemma faint_G : 1 <= sqrt (G_beta M 1%R h (1 * 1)%R) /\ sqrt (G_theta M 1%R Dβ λ) = sqrt 27.
  Proof.
    split.
    - apply Rle_trans with (sqrt 1); [rewrite sqrt_1; lra|]. apply sqrt_le_1_alt. unfold G_beta. simpl γ. real. pose proof (Rle_0_sqr h) as S. unfold Rsqr in S. lra.
    - f_equal. unfold G_theta. simpl γ. simpl INR. real. field.
  Qed.

  Lemma over_one x y : 0 <= x -> 1 <= y -> 0 <= x / y <= x.
  Proof.
    intros Hx Hy. assert (I : 0 < / y <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    unfold Rdiv. split; [apply Rmult_le_pos; lra | nra].
  Qed.

  Lemma faint_α : 0 <= rate_α h 1 (ln (INR 2)) (INR T) /\ rate_α h 1 (ln (INR 2)) (INR T) * h <= 2.
  Proof.
    replace (INR 2) with 2 by (simpl; ring). pose proof (root_one T HT) as RT. pose proof ln_2_bound as L. destruct small as [Ph _].
    assert (S2 : sqrt (2 * ln 2) <= 2) by (apply root_le; lra). unfold rate_α.
    destruct (over_one (sqrt (2 * ln 2)) (sqrt (INR T)) (sqrt_pos _) RT) as [O1 O2]. split.
    - apply Rmult_le_pos; [apply sqrt_pos | apply Rlt_le, Rinv_0_lt_compat; nra].
    - replace (sqrt (2 * ln 2) / (1 * h * sqrt (INR T)) * h) with (sqrt (2 * ln 2) / sqrt (INR T)) by (field; lra). lra.
  Qed.

  Lemma faint_ζ : 0 <= rate_ζ Dβ (sqrt (G_beta M 1%R h (1 * 1)%R)) (INR T) <= 8.
  Proof.
    destruct faint_G as [G _]. pose proof (root_one T HT) as RT. unfold rate_ζ. replace (2 * Dβ) with 8 by (simpl INR; field).
    apply over_one; [lra | nra].
  Qed.

  Lemma faint_η : 0 <= rate_η h (sqrt (G_theta M 1%R Dβ λ)) (INR K) <= h.
  Proof.
    destruct faint_G as [_ ->]. pose proof (root_one K HK) as RK0. destruct small as [Ph _]. unfold rate_η.
    assert (R27 : 2 <= sqrt 27) by (rewrite <- (sqrt_square 2) by lra; apply sqrt_le_1_alt; lra).
    replace (2 * h / (sqrt 27 * sqrt (INR K))) with (h / (sqrt 27 * sqrt (INR K) / 2)) by (field; lra).
    apply over_one; [lra | nra].
  Qed.
End Rates.

Theorem theorem_3_2_order_refuted_algorithm (n0 : nat) : ~ Theorem_3_2_order_algorithm n0.
Proof.
  intros [C H]. pose proof ln_2_bound as L2. pose proof (Rabs_pos C) as PC.
  (* the order at ε = h/4 is 2¹⁶ log 2, whatever h *)
  destruct (above (INR n0 + Rabs C * 65536)) as [N HN]. set (w := (INR N * (4 * INR N + 3) ^ N)%R).
  assert (PN : (0 <= INR N)%R) by apply pos_INR. assert (Pw : (0 <= w)%R) by (apply Rmult_le_pos; [exact PN | apply pow_le; lra]).
  set (h := (/ (1 + 64 * w))%R). assert (Ph : (0 < h <= 1)%R).
  { unfold h. split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  assert (Small : (16 * w * h < 1 / 4)%R).
  { apply (Rmult_lt_reg_r (1 + 64 * w)); [lra|]. replace (16 * w * h * (1 + 64 * w))%R with (16 * w)%R by (unfold h; field; lra). lra. }
  destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ (h / 4)%R (faint_printed_setting h Ph) (faint_covered h) ltac:(lra)) as (T & K & HT & HK & Hn & Sub). clear H.
  assert (KT : (K * T <= N)%nat).
  { apply INR_le. eapply Rle_trans; [exact Hn|]. simpl nA. unfold printed_samples_3_2. replace (INR 2) with 2%R by (simpl; ring).
    replace (h ^ 4 * 1 ^ 8 * (2 * 2 / (1 * 1)) ^ 4 * ln 2 / (h / 4) ^ 4)%R with (65536 * ln 2)%R by (field; lra).
    assert (C * (65536 * ln 2) <= Rabs C * 65536)%R.
    { apply Rle_trans with (Rabs C * (65536 * ln 2))%R; [apply Rmult_le_compat_r; [lra | apply Rle_abs] | apply Rmult_le_compat_l; lra]. }
    lra. }
  pose proof (faint_suboptimality h Ph _ _ _ K (faint_α h T Ph HT) (faint_ζ h T HT) (faint_η h K Ph HK) T HT) as Lo.
  assert (E : (h * (1 / 2 - 16 * (INR T * (4 * INR K + 3) ^ T) * h) <= h / 4)%R) by (eapply Rle_trans; [exact Lo | exact Sub]).
  assert (W : (INR T * (4 * INR K + 3) ^ T <= w)%R).
  { assert (TN : (INR T <= INR N)%R) by (apply le_INR; nia). assert (KN : (INR K <= INR N)%R) by (apply le_INR; nia).
    pose proof (pos_INR T). pose proof (pos_INR K). unfold w. apply Rmult_le_compat; [lra | apply pow_le; lra | exact TN|].
    apply Rle_trans with ((4 * INR N + 3) ^ T)%R; [apply pow_incr; lra | apply Rle_pow; [lra | nia]]. }
  assert (X : (16 * (INR T * (4 * INR K + 3) ^ T) * h <= 16 * w * h)%R) by (apply Rmult_le_compat_r; lra). nra.
Qed.
