(** * Theorem C.1 is false as printed at c = 1

    The same bandit, D_β = C_{φ,1} = 4/s².  Print claims the eight terms for every choice of learning rates; at η = s^{−3/2}/K, the others as printed,
    s·θ moves by O(s^{−1/2}) in an iteration, on every data sequence, so the policies stay near uniform; the eight terms tend to
    √(2 log 2)/√T + √2/√K.  (At the printed η Algorithm 2 does move, and how its inequality fails there is a matter of chance: not shown here.) *)

From Coq Require Import List Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Average AppendixC Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Coverage Algorithm2 Tuning Statements RegretStatements Bandit Stuck RefutedStatements RefutedSamples RefutedA1.
Import ListNotations.
Local Open Scope K_scope.

(** ** The run *)
Section Run.
  Variables (s α ζ ξ η : R) (i K : nat) (Dθ : R).
  Notation M := (bandit 2 s i).
  Notation Dβ := (INR 2 * INR 2 / (s * s))%R.
  Notation policy := (policy2 M α).
  Notation step := (step2 M identity α ζ ξ η Dθ Dβ).
  Hypothesis scale_pos : (0 < s)%R.
  Hypothesis radius : (0 <= Dθ)%R.
  Hypothesis α_range : (0 <= α <= 2)%R.
  Hypothesis η_range : (0 <= η)%R.

  (** |⟨φ, β⟩| ≤ 4/s, and φ' − φ has spread 2s at most. *)
  Lemma average_gradient_spread (β : vec RK) W : ball 2 Dβ β -> (spread (average_theta_gradient M identity β W) <= 8)%R.
  Proof.
    intros H. pose proof (dot_beta s i scale_pos β (t_state W) (t_action W) H) as B.
    pose proof (feature_spread s i scale_pos (t_state W) (t_action W)) as F. pose proof (feature_spread s i scale_pos (t_next W) (t_next_action W)) as F'.
    unfold average_theta_gradient. cbv zeta. change (dim M) with 2%nat.
    set (c := dot 2 (φ M (t_state W) (t_action W)) (mulv 2 identity β)) in *. set (f := φ M (t_state W) (t_action W)) in *.
    set (f' := φ M (t_next W) (t_next_action W)) in *. unfold spread, vsub, scale in *. clearbody c f f'. real. change (@carrier RK) with R in *.
    replace (c * f' 0%nat - c * f 0%nat - (c * f' 1%nat - c * f 1%nat))%R
      with (c * ((f' 0%nat - f' 1%nat) + - (f 0%nat - f 1%nat)))%R by ring.
    rewrite Rabs_mult. destruct (Dβ_value s scale_pos) as [PD E]. replace 8%R with (s * Dβ * (2 * s))%R by lra.
    apply Rmult_le_compat; [apply Rabs_pos | apply Rabs_pos | exact B|]. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  Qed.

  Lemma theta_spread_2 st F : ball 2 Dβ (a_beta st) -> (length F <= K)%nat ->
    (spread (theta2 M identity η Dθ st F) <= spread (a_theta st) + INR K * (8 * η))%R.
  Proof.
    intros Hβ HF. assert (Inner : forall F', (spread (theta_inner2 M identity η Dθ st F') <= spread (a_theta st) + INR (length F') * (8 * η))%R).
    { unfold theta_inner2. induction F' as [|W F' IH]; cbn [descend length]; [simpl; lra|]. rewrite S_INR.
      eapply Rle_trans; [now apply spread_proj|]. eapply Rle_trans; [now apply spread_vsub_scale|].
      pose proof (average_gradient_spread (a_beta st) W Hβ) as G. apply (Rmult_le_compat_l η) in G; lra. }
    apply average_spread.
    - pose proof (spread_nonneg (a_theta st)). pose proof (pos_INR K). nra.
    - intros F' L. eapply Rle_trans; [apply Inner|]. apply Rplus_le_compat_l, Rmult_le_compat_r; [lra|]. apply le_INR. lia.
  Qed.

  (** After t blocks of K + 1 draws θ has spread 8ηKt at most, and Σθ, t times that. *)
  Lemma run_spread θ0 ρ0 β1 H : spread θ0 = 0%R -> ball 2 Dβ β1 -> Forall (fun F => (length F <= S K)%nat) H ->
    let st := run step (initial2 θ0 ρ0 β1) H in let t := INR (length H) in
    ball 2 Dβ (a_beta st) /\ (spread (a_theta st) <= t * (INR K * (8 * η)))%R /\ (spread (a_theta_sum st) <= t * (t * (INR K * (8 * η))))%R.
  Proof.
    intros H0 H1. induction H as [|F H IH]; intros HF st t.
    - split; [exact H1|]. unfold t. simpl. split; [rewrite H0; lra|].
      unfold spread, vzero. real. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - inversion_clear HF as [|? ? F1 F2]. destruct (IH F2) as (B & T1 & T2). unfold st, t. cbn [run length]. rewrite (S_INR (length H)).
      set (st' := run step (initial2 θ0 ρ0 β1) H) in *. set (u := INR (length H)) in *.
      assert (TF : (length (tl F) <= K)%nat) by (destruct F; simpl in *; lia).
      pose proof (theta_spread_2 st' (tl F) B TF) as A. pose proof (spread_vadd (a_theta_sum st') (theta2 M identity η Dθ st' (tl F))) as V.
      assert (Pu : (0 <= u)%R) by apply pos_INR. assert (Pk : (0 <= INR K * (8 * η))%R) by (apply Rmult_le_pos; [apply pos_INR | lra]).
      split; [|split].
      + destruct F as [|W F]; [exact B | apply projection_in_ball, Dβ_value; exact scale_pos].
      + change (a_theta (step st' F)) with (theta2 M identity η Dθ st' (tl F)). lra.
      + change (a_theta_sum (step st' F)) with (vadd (a_theta_sum st') (theta2 M identity η Dθ st' (tl F))). nra.
  Qed.

  Lemma run_policy_2 T θ0 ρ0 β1 H : spread θ0 = 0%R -> ball 2 Dβ β1 -> Forall (fun F => (length F <= S K)%nat) H -> (length H <= T)%nat ->
    (spread (policy (run step (initial2 θ0 ρ0 β1) H) 0%nat) <= 16 * (INR T * INR T) * (s * η * INR K))%R.
  Proof.
    intros H0 H1 HF L. destruct (run_spread θ0 ρ0 β1 H H0 H1 HF) as (_ & _ & Z). set (st := run step (initial2 θ0 ρ0 β1) H) in *.
    pose proof (policy_spread s α i scale_pos α_range (a_theta_sum st)) as P. pose proof (spread_nonneg (a_theta_sum st)) as Ps.
    apply le_INR in L. pose proof (pos_INR (length H)) as Pt. set (t := INR (length H)) in *.
    assert (Pk : (0 <= INR K * (8 * η))%R) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    assert (TT : (t * t <= INR T * INR T)%R) by (apply Rmult_le_compat; lra).
    eapply Rle_trans; [exact P|]. apply Rle_trans with (2 * (s * spread (a_theta_sum st)))%R.
    { apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | lra]. }
    apply Rle_trans with (2 * (s * (INR T * INR T * (INR K * (8 * η)))))%R; [|apply Req_le; ring].
    repeat apply Rmult_le_compat_l; try lra. eapply Rle_trans; [exact Z|]. rewrite <- Rmult_assoc. now apply Rmult_le_compat_r.
  Qed.
End Run.

(** ** The constants, at s = y² and η = 1/(y³K) *)
Section Constants.
  Local Open Scope R_scope.
  Variable y : R.
  Hypothesis large : 1 <= y.
  Notation s := (y * y).
  Notation M := (bandit 2 s 0).
  Notation Dβ := (INR 2 * INR 2 / (s * s)).
  Notation λ := (s * s / INR 2).
  Notation Λ := (covariance M (compose (uniform_policy 2) ones)).
  Variables (T K : nat).
  Hypothesis HT : (0 < T)%nat.
  Hypothesis HK : (0 < K)%nat.
  Notation Gβ := (sqrt (average_G_beta s (/ s) (trace 2 Λ))).
  Notation Gρ := (sqrt (average_G_rho Dβ λ)).
  Notation Gθ := (sqrt (average_G_theta s Dβ λ)).
  Notation α := (rate_α (/ s) s (ln (INR 2)) (INR T)).
  Notation ζ := (rate_ζ Dβ Gβ (INR T)).
  Notation ξ := (rate_ξ Gρ (INR K)).
  Notation η := (/ (y * s * INR K)).

  Lemma s_large : 1 <= s.
  Proof. nra. Qed.

  Lemma K_large : 1 <= INR K.
  Proof. apply (le_INR 1). lia. Qed.

  Lemma average_G_beta_value : Gβ = 3 * s.
  Proof.
    pose proof s_large as L. assert (Tr : trace 2 Λ = s * s).
    { unfold trace. cbn [sum]. rewrite !bandit_covariance by (lia || nra). simpl Nat.eqb. cbv iota. simpl INR. real. field. }
    rewrite Tr. rewrite <- (sqrt_square (3 * s)) by lra. f_equal. unfold average_G_beta. real. field. nra.
  Qed.

  Lemma average_G_rho_range : sqrt 2 <= Gρ <= sqrt 2 + 16 / y.
  Proof.
    pose proof s_large as L. assert (P : 0 < / y <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (V : average_G_rho Dβ λ = 2 + 16 * (/ y * / y * (/ y * / y))) by (unfold average_G_rho; simpl INR; real; field; nra).
    rewrite V. assert (R2 : 1 <= sqrt 2) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    assert (P2 : 0 < / y * / y <= 1) by nra. set (z := / y * / y) in *. split; [apply sqrt_le_1_alt; nra|].
    apply root_le; [unfold Rdiv; nra|]. replace ((sqrt 2 + 16 / y) * (sqrt 2 + 16 / y)) with (sqrt 2 * sqrt 2 + 32 * sqrt 2 * / y + 256 * z) by (unfold z, Rdiv; ring).
    rewrite sqrt_def by lra. nra.
  Qed.

  Lemma average_G_theta_value : Gθ * Gθ = 32.
  Proof.
    pose proof s_large as L. assert (V : average_G_theta s Dβ λ = 32) by (unfold average_G_theta; simpl INR; real; field; nra).
    rewrite V. apply sqrt_def. lra.
  Qed.

  Lemma rates_positive : 0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η.
  Proof.
    pose proof s_large as L. pose proof K_large as LK. pose proof (root_one T HT) as RT. pose proof (root_one K HK) as RK0.
    pose proof average_G_rho_range as [GR _]. assert (R2 : 1 <= sqrt 2) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    assert (Is : 0 < / s) by (apply Rinv_0_lt_compat; lra). assert (Iss : 0 < / (s * s)) by (apply Rinv_0_lt_compat; nra).
    split; [|split; [|split]].
    - rewrite α_value by (lra || assumption). apply Rdiv_lt_0_compat; [apply sqrt_lt_R0; pose proof ln_2_bound; lra | lra].
    - unfold rate_ζ. rewrite average_G_beta_value. apply Rdiv_lt_0_compat; [simpl INR; unfold Rdiv; nra | apply Rmult_lt_0_compat; lra].
    - unfold rate_ξ. apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra].
    - apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [nra | lra].
  Qed.

  (** With α, ζ and ξ as printed and any η. *)
  Lemma eight_terms_roots (b θ f g r h e t k l : R) : 0 < b -> 0 < θ -> 0 < f -> 0 < g -> 0 < r -> 0 < e -> 0 < t -> 0 < k -> 0 < l ->
    eight_terms b θ f (l * l / 2) g r h (l / (f * θ * t)) (2 * b / (g * t)) (1 / (r * k)) e (t * t) (k * k)
    = (2 * b * g + f * θ * l) / t + r / k + 2 * (θ * θ) / (e * (k * k)) + e * (h * h) / 2.
  Proof. intros. unfold eight_terms. field. repeat split; lra. Qed.

  Lemma eight_terms_limit :
    eight_terms Dβ (/ s) s (ln (INR 2)) Gβ Gρ Gθ α ζ ξ η (INR T) (INR K)
    <= sqrt (2 * ln 2) / sqrt (INR T) + sqrt 2 / sqrt (INR K) + 58 / y.
  Proof.
    pose proof s_large as L. pose proof K_large as LK. pose proof (root_one T HT) as RT. pose proof (root_one K HK) as RK0.
    destruct average_G_rho_range as [R1 R2]. assert (Q2 : 1 <= sqrt 2) by (rewrite <- sqrt_1; apply sqrt_le_1_alt; lra).
    pose proof ln_2_bound as L2. assert (PL : 0 < sqrt (2 * ln 2)) by (apply sqrt_lt_R0; lra).
    assert (Py : 0 < / y <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (PB : 0 < Dβ) by (simpl INR; apply Rdiv_lt_0_compat; [lra | nra]). assert (Is : 0 < / s) by (apply Rinv_0_lt_compat; lra).
    destruct rates_positive as (_ & _ & _ & Pη).
    assert (V : eight_terms Dβ (/ s) s (ln (INR 2)) Gβ Gρ Gθ α ζ ξ η (INR T) (INR K)
      = (2 * Dβ * Gβ + s * / s * sqrt (2 * ln (INR 2))) / sqrt (INR T) + Gρ / sqrt (INR K) + 2 * (/ s * / s) / (η * INR K) + η * (Gθ * Gθ) / 2).
    { assert (E2 : 0 < 2 * ln (INR 2)) by (replace (INR 2) with 2 by (simpl; ring); lra). pose proof (sqrt_lt_R0 _ E2) as PL2.
      assert (PG : 0 < Gβ) by (rewrite average_G_beta_value; lra). assert (PR : 0 < Gρ) by lra.
      pose proof (eight_terms_roots Dβ (/ s) s Gβ Gρ Gθ η (sqrt (INR T)) (sqrt (INR K)) (sqrt (2 * ln (INR 2)))
        PB Is ltac:(lra) PG PR Pη ltac:(lra) ltac:(lra) PL2) as E.
      rewrite (sqrt_def (INR T)), (sqrt_def (INR K)), (sqrt_def (2 * ln (INR 2))) in E by (lra || apply pos_INR).
      replace (2 * ln (INR 2) / 2) with (ln (INR 2)) in E by field. exact E. }
    rewrite V, average_G_theta_value, average_G_beta_value. clear V. set (r := Gρ) in *. replace (INR 2) with 2 by (simpl; ring).
    set (t := sqrt (INR T)) in *. set (k := sqrt (INR K)) in *.
    assert (It : 0 < / t <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (Ik : 0 < / k <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    assert (IK : 0 < / INR K <= 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_le_contravar; lra]).
    replace ((2 * (2 * 2 / (s * s)) * (3 * s) + s * / s * sqrt (2 * ln 2)) / t)
      with (24 * (/ y * / y) * / t + sqrt (2 * ln 2) / t) by (field; repeat split; nra).
    replace (2 * (/ s * / s) / (η * INR K)) with (2 / y) by (field; repeat split; nra).
    replace (η * 32 / 2) with (16 * (/ y * (/ y * / y)) * / INR K) by (field; repeat split; nra).
    assert (Y2 : 0 < / y * / y <= / y) by nra. assert (Y3 : 0 < / y * (/ y * / y) <= / y) by nra.
    assert (A : 24 * (/ y * / y) * / t <= 24 * / y) by nra. assert (B : 16 * (/ y * (/ y * / y)) * / INR K <= 16 * / y) by nra.
    assert (C : r / k <= sqrt 2 / k + 16 * / y).
    { unfold Rdiv in *. assert (r * / k <= (sqrt 2 + 16 * / y) * / k) by (apply Rmult_le_compat_r; lra). nra. }
    unfold Rdiv in *. lra.
  Qed.

  (** The suboptimality is at least 1/2 − 8T²/y. *)
  Lemma stuck_suboptimality_2 β1 ρ0 : ball 2 Dβ β1 ->
    (1 / 2 - 8 * (INR T * INR T) / y
     <= expected_suboptimality_2 M (compose (uniform_policy 2) ones) identity (/ s) Dβ (play 0) ones (fun _ => ones) α ζ ξ η T K vzero ρ0 β1)%R.
  Proof.
    intros Hβ. pose proof s_large as L. pose proof K_large as LK. assert (Hs : (0 < s)%R) by lra.
    assert (Hs' : (0 <= / s)%R) by now apply Rlt_le, Rinv_0_lt_compat. destruct rates_positive as (_ & _ & _ & Pη).
    unfold expected_suboptimality_2.
    apply (expected_lower _ _ _ (fun F => (length F <= S K)%nat)); [| |exact HT|].
    - intros st. apply is_law_block, is_law_transition; [now apply bandit_mdp | apply bandit_measure; lia | apply softmax_is_policy; simpl; lia].
    - intros st p F HF. apply block_length in HF. lia.
    - intros H F LH Q. unfold suboptimality_of. rewrite bandit_optimum, bandit_return by (assumption || lia).
      assert (Z : spread vzero = 0%R) by (unfold spread, vzero; real; rewrite Rminus_diag_eq by reflexivity; apply Rabs_R0).
      pose proof (run_policy_2 s α ζ ξ η 0 K (/ s) Hs Hs' (α_small s L T HT) (Rlt_le _ _ Pη) T vzero ρ0 β1 H Z Hβ Q (Nat.lt_le_incl _ _ LH)) as B.
      set (st := run _ _ H) in *. destruct (softmax_is_policy M α ltac:(simpl; lia) (a_theta_sum st)) as [_ P1].
      specialize (P1 0%nat ltac:(simpl; lia)). unfold policy2 in *. set (π := softmax_policy M α (a_theta_sum st) 0%nat) in *.
      simpl in P1. unfold spread in B. apply Rcomplements.Rabs_le_between in B.
      replace (s * η * INR K) with (/ y) in B by (field; repeat split; nra). unfold Rdiv in *. real. lra.
  Qed.
End Constants.

Theorem theorem_C_1_refuted (T K : nat) : (0 < T)%nat -> (0 < K)%nat ->
  (sqrt (2 * ln 2) / sqrt (INR T) + sqrt 2 / sqrt (INR K) < 1 / 2)%R -> ~ Theorem_C_1_printed T K.
Proof.
  intros HT HK H P. set (l := (sqrt (2 * ln 2) / sqrt (INR T) + sqrt 2 / sqrt (INR K))%R) in *. set (δ := ((1 / 2 - l) / 3)%R).
  assert (Hδ : (0 < δ)%R) by (unfold δ; lra). set (x := (58 + 8 * (INR T * INR T))%R). set (y := (1 + x / δ)%R).
  assert (Px : (0 <= x)%R) by (unfold x; pose proof (pos_INR T); nra).
  assert (L : (1 <= y)%R) by (unfold y; assert (0 <= x / δ)%R by (apply Rmult_le_pos; [exact Px | now apply Rlt_le, Rinv_0_lt_compat]); lra).
  pose proof (over_large x δ Px Hδ) as Small. fold y in Small. set (s := (y * y)%R). assert (Hs : (0 < s)%R) by (unfold s; nra).
  assert (Iy : (0 < / y)%R) by (apply Rinv_0_lt_compat; lra).
  pose proof (P _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ vzero 0%R vzero
    (bandit_printed_average_setting 2 s 0 ltac:(lia) ltac:(lia) Hs) (bandit_operator_norm 2 s 0 ltac:(lia) ltac:(lia) Hs)
    (rates_positive y L T K HT HK) (ball_vzero _ _) ltac:(lra) (ball_vzero _ _)) as B.
  pose proof (stuck_suboptimality_2 y L T K HT HK vzero 0%R (ball_vzero _ _)) as Lo.
  pose proof (eight_terms_limit y L T K HT HK) as Hi. fold s l in Lo, Hi.
  assert (E : (1 / 2 - 8 * (INR T * INR T) / y <= l + 58 / y)%R) by (eapply Rle_trans; [exact Lo | eapply Rle_trans; [exact B | exact Hi]]).
  unfold x, Rdiv in *. pose proof (pos_INR T). unfold δ in *. nra.
Qed.

(** For example: for every T ≥ 16 and K ≥ 100. *)
Theorem theorem_C_1_refuted_from_16_100 (T K : nat) : (16 <= T)%nat -> (100 <= K)%nat -> ~ Theorem_C_1_printed T K.
Proof.
  intros HT HK. apply theorem_C_1_refuted; [lia | lia|]. pose proof ln_2_bound as L.
  assert (S2 : (sqrt (2 * ln 2) <= 5 / 4)%R) by (apply root_le; lra). assert (S3 : (sqrt 2 <= 3 / 2)%R) by (apply root_le; lra).
  pose proof (sqrt_pos (2 * ln 2)). pose proof (sqrt_pos 2).
  assert (RT : (4 <= sqrt (INR T))%R) by (rewrite <- (sqrt_square 4) by lra; apply sqrt_le_1_alt; apply le_INR in HT; simpl in HT; lra).
  assert (RK' : (10 <= sqrt (INR K))%R).
  { rewrite <- (sqrt_square 10) by lra. apply sqrt_le_1_alt. apply le_INR in HK. rewrite (INR_IZR_INZ 100) in HK. simpl in HK. lra. }
  assert (IT : (0 < / sqrt (INR T) <= / 4)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (IK : (0 < / sqrt (INR K) <= / 10)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  unfold Rdiv. nra.
Qed.
