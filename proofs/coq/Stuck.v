(** * Algorithm 1 with two actions, on every data sequence

    One state, φ(a) = s·e_a, and a ball of radius 4/s² for β: then β moves s·θ by O(1/s) a step, whatever the data, and the
    rest of the update treats both actions alike.  So the policies stay near uniform, for T and K fixed and s large. *)

From Coq Require Import List Reals Lra Lia Arith.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Algorithm1 Bandit.
Import ListNotations.
Local Open Scope K_scope.

(** y(0) − y(1), in size *)
Definition spread (y : vec RK) : R := Rabs (y 0%nat - y 1%nat)%R.

Lemma spread_nonneg y : (0 <= spread y)%R.
Proof. apply Rabs_pos. Qed.

Lemma spread_vadd u v : (spread (vadd u v) <= spread u + spread v)%R.
Proof.
  unfold spread, vadd. real. replace (u 0%nat + v 0%nat - (u 1%nat + v 1%nat))%R with ((u 0%nat - u 1%nat) + (v 0%nat - v 1%nat))%R by ring.
  apply Rabs_triang.
Qed.

Lemma spread_vsub_scale u η v : (0 <= η)%R -> (spread (vsub u (scale η v)) <= spread u + η * spread v)%R.
Proof.
  intros H. unfold spread, vsub, scale. real.
  replace (u 0%nat - η * v 0%nat - (u 1%nat - η * v 1%nat))%R with ((u 0%nat - u 1%nat) + - (η * (v 0%nat - v 1%nat)))%R by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult, (Rabs_pos_eq η H). apply Rle_refl.
Qed.

(** The projection onto a ball shrinks it. *)
Lemma spread_proj d D y : (0 <= D)%R -> (spread (proj_ball d D y) <= spread y)%R.
Proof.
  intros HD. unfold proj_ball. destruct (Rle_dec _ _) as [H|H]; [apply Rle_refl|].
  destruct (norm2_outside d D HD y H) as (P & L & _). set (n := sqrt (norm2 d y)) in *. unfold spread, scale. real.
  replace (D / n * y 0%nat - D / n * y 1%nat)%R with (D / n * (y 0%nat - y 1%nat))%R by ring. rewrite Rabs_mult.
  assert (B : (0 <= D / n <= 1)%R).
  { split; [apply Rmult_le_pos; [exact HD | now apply Rlt_le, Rinv_0_lt_compat]|].
    apply (Rmult_le_reg_r n); [exact P|]. replace (D / n * n)%R with D by (field; lra). lra. }
  rewrite (Rabs_pos_eq (D / n)) by apply B. rewrite <- (Rmult_1_l (Rabs _)) at 2. apply Rmult_le_compat_r; [apply Rabs_pos | apply B].
Qed.

(** Averages of what is small are small; [P] is what may be known of the draws. *)
Lemma along_spread {Ω} (P : Ω -> Prop) (u : list Ω -> vec RK) F B : Forall P F ->
  (forall F', Forall P F' -> (length F' <= length F)%nat -> (spread (u F') <= B)%R) ->
  (Rabs (along (fun F => u F 0%nat) F - along (fun F => u F 1%nat) F) <= INR (length F) * B)%R.
Proof.
  induction F as [|w F IH]; intros HF H; cbn [along length].
  - real. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. simpl. lra.
  - inversion_clear HF as [|? ? _ HF']. rewrite S_INR. real.
    assert (H1 : (Rabs (along (fun F => u F 0%nat) F - along (fun F => u F 1%nat) F) <= INR (length F) * B)%R)
      by (apply IH; [exact HF' | intros; apply H; [assumption | simpl; lia]]).
    assert (H2 : (Rabs (u F 0%nat - u F 1%nat) <= B)%R) by (apply (H F HF'); simpl; lia).
    set (x := along (fun F => u F 0%nat) F) in *. set (y := along (fun F => u F 1%nat) F) in *. change (@carrier RK) with R in *.
    replace (x + u F 0%nat - (y + u F 1%nat))%R with ((x - y) + (u F 0%nat - u F 1%nat))%R by ring.
    eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma average_spread_if {Ω} (P : Ω -> Prop) (u : list Ω -> vec RK) F B : (0 <= B)%R -> Forall P F ->
  (forall F', Forall P F' -> (length F' <= length F)%nat -> (spread (u F') <= B)%R) -> (spread (average u F) <= B)%R.
Proof.
  intros HB HF H. pose proof (along_spread P u F B HF H) as A. unfold spread, average. real. rewrite of_nat_INR.
  destruct F as [|w F]; [simpl; unfold Rdiv; rewrite !Rmult_0_l, Rminus_diag_eq, Rabs_R0 by reflexivity; exact HB|].
  assert (Pn : (0 < INR (length (w :: F)))%R) by (apply lt_0_INR; simpl; lia). set (n := INR _) in *.
  set (x := along (fun F => u F 0%nat) _) in *. set (y := along (fun F => u F 1%nat) _) in *. replace (x / n - y / n)%R with ((x - y) * / n)%R by (field; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (/ n)) by now apply Rlt_le, Rinv_0_lt_compat.
  apply (Rmult_le_reg_r n); [exact Pn|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma average_spread {Ω} (u : list Ω -> vec RK) F B : (0 <= B)%R ->
  (forall F', (length F' <= length F)%nat -> (spread (u F') <= B)%R) -> (spread (average u F) <= B)%R.
Proof.
  intros HB H. apply (average_spread_if (fun _ => True)); [exact HB | now apply Forall_forall | auto].
Qed.

(** |p(0) − p(1)| ≤ |u(0) − u(1)| for p = softmax(u) *)
Lemma softmax_spread (u : nat -> R) : (spread (softmax 2 u) <= Rabs (u 0%nat - u 1%nat))%R.
Proof.
  unfold spread, softmax, rsum. cbn [sum]. real. rewrite Rplus_0_l. set (x := u 0%nat). set (y := u 1%nat).
  pose proof (exp_pos x) as Px. pose proof (exp_pos y) as Py.
  assert (Main : forall a b, (b <= a)%R -> (Rabs (exp a / (exp a + exp b) - exp b / (exp a + exp b)) <= a - b)%R).
  { intros a b H. pose proof (exp_pos a) as Pa. pose proof (exp_pos b) as Pb.
    replace (exp a / (exp a + exp b) - exp b / (exp a + exp b))%R with ((exp a - exp b) / (exp a + exp b))%R by (field; lra).
    assert (E : (exp b <= exp a)%R) by (destruct H as [H| ->]; [now apply Rlt_le, exp_increasing | apply Rle_refl]).
    rewrite Rabs_pos_eq by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
    apply (Rmult_le_reg_r (exp a + exp b)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    pose proof (exp_ineq1_le (b - a)) as T. replace (exp b) with (exp a * exp (b - a))%R at 1 by (rewrite <- exp_plus; f_equal; ring). nra. }
  destruct (Rle_dec y x) as [H|H].
  - rewrite (Rabs_pos_eq (x - y)) by lra. now apply Main.
  - rewrite (Rabs_minus_sym x y), (Rabs_pos_eq (y - x)), Rabs_minus_sym, (Rplus_comm (exp x)) by lra. apply Main. lra.
Qed.

(** ** The run *)
Section Run.
  Variables (s α ζ η : R) (i K : nat) (Dθ : R).
  Notation M := (bandit 2 s i).
  Notation Dβ := (INR 2 * INR 2 / (s * s))%R.
  Notation policy := (policy1 M α).
  Notation step := (step1 M identity α ζ η Dθ Dβ).
  Hypothesis scale_pos : (0 < s)%R.
  Hypothesis radius : (0 <= Dθ)%R.
  Hypothesis α_range : (0 <= α <= 2)%R.
  Hypothesis η_range : (0 <= η /\ s * s * η <= 2)%R.

  Lemma policy_spread z : (spread (softmax_policy M α z 0%nat) <= α * (s * spread z))%R.
  Proof.
    eapply Rle_trans; [apply softmax_spread|]. cbv beta. change (dim M) with 2%nat. rewrite !(bandit_dot 2 s i) by lia. unfold spread.
    replace (α * (s * z 0%nat) - α * (s * z 1%nat))%R with (α * s * (z 0%nat - z 1%nat))%R by ring.
    rewrite Rabs_mult, (Rabs_pos_eq (α * s)) by (apply Rmult_le_pos; lra). apply Req_le. ring.
  Qed.

  Lemma Dβ_value : (0 <= Dβ /\ s * s * Dβ = 4)%R.
  Proof.
    simpl INR. replace ((1 + 1) * (1 + 1) / (s * s))%R with (4 / (s * s))%R by (f_equal; ring).
    split; [apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; nra] | field; lra].
  Qed.

  (** A component of a point of the ball. *)
  Lemma component (D : R) (y : vec RK) j : (0 <= D)%R -> ball 2 D y -> (j < 2)%nat -> (Rabs (y j) <= D)%R.
  Proof.
    intros HD H Hj. unfold ball in H. apply Rsqr_incr_0_var; [|exact HD]. rewrite <- Rsqr_abs. unfold Rsqr.
    eapply Rle_trans; [|exact H]. exact (sum_term_le (K := RK) 2 (fun i => y i * y i) j (fun i _ => sq_nonneg (y i)) Hj).
  Qed.

  (** |⟨φ(W), β⟩| ≤ sb if β has components of at most b, and φ(W) has spread s at most: W may show any action. *)
  Lemma dot_beta_le (β : vec RK) b x a : (forall j, (j < 2)%nat -> (Rabs (β j) <= b)%R) ->
    (Rabs (dot 2 (φ M x a) (mulv 2 identity β)) <= s * b)%R.
  Proof.
    intros H. rewrite (dot_ext 2 _ (φ M x a) _ β (fun _ _ => eq_refl) (mulv_identity 2 β)).
    assert (0 <= s * b)%R by (apply Rmult_le_pos; [lra|]; eapply Rle_trans; [apply (Rabs_pos (β 0%nat)) | apply H; lia]).
    destruct (Nat.lt_ge_cases a 2) as [L|G].
    - rewrite bandit_dot by exact L. rewrite Rabs_mult, (Rabs_pos_eq s) by lra. apply Rmult_le_compat_l; [lra | now apply H].
    - unfold dot. rewrite sum_zero; [real; rewrite Rabs_R0; assumption|]. intros j Hj. simpl.
      replace (Nat.eqb a j) with false by (symmetry; apply Nat.eqb_neq; lia). real. ring.
  Qed.

  Lemma dot_beta (β : vec RK) x a : ball 2 Dβ β -> (Rabs (dot 2 (φ M x a) (mulv 2 identity β)) <= s * Dβ)%R.
  Proof. intros H. apply dot_beta_le. intros j Hj. apply component; [apply Dβ_value | exact H | exact Hj]. Qed.

  Lemma feature_spread x a : (spread (φ M x a) <= s)%R.
  Proof.
    unfold spread. simpl. destruct a as [|[|a]]; simpl; rewrite ?Rminus_0_r, ?Rminus_0_l, ?Rabs_Ropp, ?Rabs_R0, ?(Rabs_pos_eq s) by lra; lra.
  Qed.

  Lemma gradient_spread_le (β : vec RK) π W b : (forall j, (j < 2)%nat -> (Rabs (β j) <= b)%R) ->
    (spread (theta_gradient M identity β π W) <= s * spread (π 0%nat) + s * s * b)%R.
  Proof.
    intros H. pose proof (dot_beta_le β b (state W) (action W) H) as B. pose proof (feature_spread (state W) (action W)) as F.
    unfold theta_gradient. set (c := dot 2 (φ M (state W) (action W)) (mulv 2 identity β)).
    change (dot (dim M) (φ M (state W) (action W)) (mulv (dim M) identity β)) with c. fold c in B.
    set (f := φ M (state W) (action W)) in *. unfold spread, vsub, scale in *.
    assert (P : forall j, (j < 2)%nat -> PhiT M (mu_estimate M identity β π W) j = (s * (π 0%nat j * indicator (K := RK) (x0 W) 0))%R).
    { intros j Hj. unfold PhiT, sumXA. simpl nS. simpl nA. cbn [sum]. unfold mu_estimate. simpl γ.
      destruct j as [|[|j]]; [| |lia]; simpl φ; real; ring. }
    rewrite !P by lia. clear P. real. set (e := indicator (K := RK) (x0 W) 0).
    assert (He : (0 <= e <= 1)%R) by (unfold e, indicator; destruct (Nat.eqb _ _); real; lra). clearbody e c.
    replace (s * (π 0%nat 0%nat * e) - c * f 0%nat - (s * (π 0%nat 1%nat * e) - c * f 1%nat))%R
      with (s * e * (π 0%nat 0%nat - π 0%nat 1%nat) + - (c * (f 0%nat - f 1%nat)))%R by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, !Rabs_mult, (Rabs_pos_eq s), (Rabs_pos_eq e) by lra.
    pose proof (Rabs_pos (π 0%nat 0%nat - π 0%nat 1%nat)) as Pπ.
    apply Rplus_le_compat.
    - rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. rewrite <- (Rmult_1_l (Rabs _)) at 2. apply Rmult_le_compat_r; lra.
    - replace (s * s * b)%R with (s * b * s)%R by ring. apply Rmult_le_compat; try apply Rabs_pos; assumption.
  Qed.

  Lemma gradient_spread (β : vec RK) π W : ball 2 Dβ β ->
    (spread (theta_gradient M identity β π W) <= s * spread (π 0%nat) + 4)%R.
  Proof.
    intros H. destruct Dβ_value as [P <-]. apply gradient_spread_le. intros j Hj. now apply component.
  Qed.

  (** X_t = s|θ_{t−1}(0) − θ_{t−1}(1)| + s|Σθ(0) − Σθ(1)| *)
  Definition drift (st : state1) : R := (s * spread (theta st) + s * spread (theta_sum st))%R.

  Lemma drift_nonneg st : (0 <= drift st)%R.
  Proof. unfold drift. pose proof (spread_nonneg (theta st)). pose proof (spread_nonneg (theta_sum st)). nra. Qed.

  Lemma policy_drift st : (spread (policy st 0%nat) <= α * drift st)%R.
  Proof.
    eapply Rle_trans; [apply policy_spread|]. apply Rmult_le_compat_l; [lra|]. unfold drift. pose proof (spread_nonneg (theta st)). nra.
  Qed.

  Lemma theta_spread st F : ball 2 Dβ (beta st) -> (length F <= K)%nat ->
    (s * spread (theta1 M identity α η Dθ st F) <= s * spread (theta st) + INR K * (4 * drift st + 8 / s))%R.
  Proof.
    intros Hβ HF. set (g := (s * spread (policy st 0%nat) + 4)%R).
    assert (Pg : (0 <= g)%R) by (unfold g; pose proof (spread_nonneg (policy st 0%nat)); nra).
    assert (Inner : forall F', (spread (inner1 M identity α η Dθ st F') <= spread (theta st) + INR (length F') * (η * g))%R).
    { unfold inner1. induction F' as [|W F' IH]; cbn [descend length]; [simpl; lra|]. rewrite S_INR.
      eapply Rle_trans; [now apply spread_proj|]. eapply Rle_trans; [apply spread_vsub_scale, η_range|].
      pose proof (gradient_spread (beta st) (policy st) W Hβ) as G. fold g in G.
      apply (Rmult_le_compat_l η) in G; [lra | apply η_range]. }
    assert (Pη : (0 <= η * g)%R) by (apply Rmult_le_pos; [apply η_range | exact Pg]).
    assert (A : (spread (theta1 M identity α η Dθ st F) <= spread (theta st) + INR K * (η * g))%R).
    { apply average_spread.
      - pose proof (spread_nonneg (theta st)). pose proof (pos_INR K). nra.
      - intros F' L. eapply Rle_trans; [apply Inner|]. apply Rplus_le_compat_l, Rmult_le_compat_r; [exact Pη|]. apply le_INR. lia. }
    apply (Rmult_le_compat_l s) in A; [|lra]. eapply Rle_trans; [exact A|]. rewrite Rmult_plus_distr_l. apply Rplus_le_compat_l.
    replace (s * (INR K * (η * g)))%R with (INR K * (s * η * g))%R by ring. apply Rmult_le_compat_l; [apply pos_INR|].
    (* sηg ≤ 2|π(0) − π(1)| + 8/s *)
    pose proof (policy_drift st) as PD. pose proof (drift_nonneg st). pose proof (spread_nonneg (policy st 0%nat)) as PS.
    assert (PD' : (spread (policy st 0%nat) <= 2 * drift st)%R) by nra.
    replace (s * η * g)%R with (s * s * η * spread (policy st 0%nat) + 4 * (s * s * η) / s)%R by (unfold g; field; lra).
    assert ((s * s * η) / s <= 2 / s)%R by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra | lra]).
    assert (s * s * η * spread (policy st 0%nat) <= 2 * spread (policy st 0%nat))%R by (apply Rmult_le_compat_r; lra).
    unfold Rdiv in *. lra.
  Qed.

  Lemma drift_step st F : ball 2 Dβ (beta st) -> (length F <= K)%nat -> (0 < K)%nat ->
    (drift (step st F) + 2 / s <= (8 * INR K + 3) * (drift st + 2 / s))%R.
  Proof.
    intros Hβ HF HK. pose proof (theta_spread st F Hβ HF) as A. pose proof (drift_nonneg st) as P.
    unfold drift at 1. cbn [theta theta_sum step1]. set (θ := theta1 M identity α η Dθ st F) in *.
    pose proof (spread_vadd (theta_sum st) θ) as B. apply (Rmult_le_compat_l s) in B; [|lra].
    pose proof (spread_nonneg (theta_sum st)). pose proof (spread_nonneg (theta st)).
    assert (D0 : (s * spread (theta st) + s * spread (theta_sum st) = drift st)%R) by reflexivity.
    assert (0 < / s)%R by (apply Rinv_0_lt_compat; lra). assert (1 <= INR K)%R by (apply (le_INR 1); lia).
    assert (0 <= s * spread (theta_sum st))%R by nra. unfold Rdiv in *. nra.
  Qed.

  Lemma run_drift θ0 β1 H : spread θ0 = 0%R -> ball 2 Dβ β1 -> (0 < K)%nat -> Forall (fun F => (length F <= K)%nat) H ->
    ball 2 Dβ (beta (run step (initial1 θ0 β1) H)) /\
    (drift (run step (initial1 θ0 β1) H) + 2 / s <= (8 * INR K + 3) ^ length H * (2 / s))%R.
  Proof.
    intros H0 H1 HK. induction H as [|F H IH]; intros HF.
    - split; [exact H1|]. simpl. unfold drift. simpl. rewrite H0. unfold spread, vzero. real. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - inversion_clear HF as [|? ? F1 F2]. destruct (IH F2) as [B D]. cbn [run]. split.
      + destruct F as [|W F]; [exact B | apply projection_in_ball, Dβ_value].
      + eapply Rle_trans; [now apply drift_step|]. cbn [length pow]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [|exact D].
        pose proof (pos_INR K). lra.
  Qed.

  (** On every data sequence: after t blocks of K draws each, |π(0) − π(1)| ≤ 4(8K+3)^t/s. *)
  Lemma run_policy θ0 β1 H : spread θ0 = 0%R -> ball 2 Dβ β1 -> (0 < K)%nat -> Forall (fun F => (length F <= K)%nat) H ->
    (spread (policy (run step (initial1 θ0 β1) H) 0%nat) <= 4 * (8 * INR K + 3) ^ length H / s)%R.
  Proof.
    intros H0 H1 HK HF. destruct (run_drift θ0 β1 H H0 H1 HK HF) as [_ D]. set (st := run step (initial1 θ0 β1) H) in *.
    pose proof (policy_drift st) as P. pose proof (drift_nonneg st). assert (0 < / s)%R by (apply Rinv_0_lt_compat; lra).
    assert (α * drift st <= 2 * drift st)%R by (apply Rmult_le_compat_r; lra). unfold Rdiv in *. lra.
  Qed.
End Run.
