(** * Algorithm 1 at c = 1/2 with m = p² nuisance coordinates, while no coordinate is seen twice

    Each step of β adds ζδ(√2 e_a, pσe_j): the new nuisance coordinate outweighs what is learnt about the action by p/√2, and the projection scales both
    down.  So β's first two coordinates grow by 2√2/p a step at most, whatever the data, and θ learns nothing either, as long as every draw's j
    is one that β does not have yet. *)

From Coq Require Import List Reals Lra Lia Arith.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted AppendixB Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Algorithm1 Bandit Stuck Nuisance.
Import ListNotations.
Local Open Scope K_scope.

(** Π scales: Π(y) = cy, 0 ≤ c ≤ 1, and no component of it is larger than D. *)
Lemma proj_scales d D (y : vec RK) : (0 <= D)%R -> exists c : R, (0 <= c <= 1)%R /\ (forall i, proj_ball d D y i = (c * y i)%R) /\
  forall i, (i < d)%nat -> (c * Rabs (y i) <= D)%R.
Proof.
  intros HD. assert (B : forall i, (i < d)%nat -> (Rabs (proj_ball d D y i) <= D)%R).
  { intros i Hi. pose proof (projection_in_ball d D HD y) as H. unfold ball in H. apply Rsqr_incr_0_var; [|exact HD].
    rewrite <- Rsqr_abs. unfold Rsqr. eapply Rle_trans; [|exact H].
    exact (sum_term_le (K := RK) d (fun i => proj_ball d D y i * proj_ball d D y i) i (fun i _ => sq_nonneg _) Hi). }
  assert (C : exists c : R, (0 <= c <= 1)%R /\ forall i, proj_ball d D y i = (c * y i)%R).
  { clear B. unfold proj_ball. destruct (Rle_dec _ _) as [H|H]; [exists 1%R; split; [lra | intros i; rring]|].
    destruct (norm2_outside d D HD y H) as (P & L & _). exists (D / sqrt (norm2 d y))%R. split; [|intros i; reflexivity].
    split; [apply Rmult_le_pos; [exact HD | now apply Rlt_le, Rinv_0_lt_compat]|].
    apply (Rmult_le_reg_r (sqrt (norm2 d y))); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra. }
  destruct C as (c & Hc & E). exists c. split; [exact Hc | split; [exact E|]]. intros i Hi. specialize (B i Hi). rewrite E, Rabs_mult in B.
  rewrite (Rabs_pos_eq c) in B by apply Hc. exact B.
Qed.

Section Run.
  Variables (p : nat) (α ζ η Dθ : R).
  Notation m := (p * p)%nat.
  Notation M := (nuisance m).
  Notation d := (S (S m)).
  Notation N := (diagonal (sqrt 2) (INR p)).
  Notation policy := (policy1 M α).
  Notation step := (step1 M N α ζ η Dθ 2).
  Hypothesis Hp : (0 < p)%nat.
  Hypothesis radius : (0 <= Dθ)%R.
  Hypothesis rates : (0 <= α /\ 0 < ζ /\ 0 <= η)%R.

  Definition in_range (W : sample) : Prop := (x0 W < m + m /\ state W < m + m /\ action W < 2 /\ next W < m + m)%nat.
  (** β's coordinate at the j of W. *)
  Definition at_j (β : vec RK) (W : sample) : R := β (S (S (coord m (state W)))).
  Definition fresh (β : vec RK) (W : sample) : Prop := in_range W /\ at_j β W = 0%R.

  Lemma p_large : (1 <= INR p)%R.
  Proof. apply (le_INR 1). lia. Qed.

  Lemma m_some : (0 < m)%nat.
  Proof. nia. Qed.

  (** |β(0)| and |β(1)| *)
  Definition signal (β : vec RK) (b : R) : Prop := (Rabs (β 0%nat) <= b /\ Rabs (β 1%nat) <= b)%R.

  Lemma signal_at β b a : signal β b -> (a < 2)%nat -> (Rabs (β a) <= b)%R.
  Proof. intros [H0 H1] Ha. destruct a as [|[|a]]; [exact H0 | exact H1 | lia]. Qed.

  (** ** β *)
  Lemma beta_gradient_value π θ W i : in_range W -> (i < d)%nat ->
    exists δ : R, forall i, (i < d)%nat -> beta_gradient M N π θ W i = (δ * ((if Nat.ltb i 2 then sqrt 2 else INR p) * φ M (state W) (action W) i))%R.
  Proof.
    intros HW Hi. unfold beta_gradient. set (δ := _ - dot _ _ _). exists δ. intros k Hk. unfold scale. change (dim M) with d.
    now rewrite diagonal_mulv by exact Hk.
  Qed.

  Lemma beta_step β π θ W b : fresh β W -> signal β b ->
    signal (proj_ball d 2 (vadd β (scale ζ (beta_gradient M N π θ W)))) (b + 3 / INR p).
  Proof.
    intros [HW F] Hb. pose proof p_large as P. pose proof HW as (_ & Hs & Ha & _).
    assert (H0 : (0 < d)%nat) by lia. destruct (beta_gradient_value π θ W 0 HW H0) as [δ Hδ].
    destruct (proj_scales d 2 (vadd β (scale ζ (beta_gradient M N π θ W)))) as (c & Hc & E & B); [lra|].
    set (j := S (S (coord m (state W)))). assert (Hj : (j < d)%nat) by (unfold j; pose proof (coord_below m (state W) Hs); lia).
    (* c ζ|δ| p ≤ 2 *)
    assert (Big : (c * (ζ * Rabs δ) * INR p <= 2)%R).
    { specialize (B j Hj). unfold vadd, scale in B. rewrite (Hδ j Hj) in B. unfold at_j in F. fold j in F. rewrite F in B.
      replace (Nat.ltb j 2) with false in B by reflexivity. unfold j in B. simpl φ in B. rewrite Nat.eqb_refl in B. real.
      replace (0 + ζ * (δ * (INR p * sgn m (state W))))%R with (ζ * (δ * (INR p * sgn m (state W))))%R in B by ring.
      rewrite !Rabs_mult, (Rabs_pos_eq ζ), (Rabs_pos_eq (INR p)) in B by lra.
      assert (S1 : Rabs (sgn m (state W)) = 1%R) by (unfold sgn; destruct (Nat.ltb _ _); [apply Rabs_R1 | rewrite Rabs_left; lra]).
      rewrite S1 in B. lra. }
    assert (R2 : (sqrt 2 <= 3 / 2)%R) by (rewrite <- (sqrt_square (3 / 2)) by lra; apply sqrt_le_1_alt; lra). pose proof (sqrt_pos 2) as R0.
    assert (Each : forall a, (a < 2)%nat -> (Rabs (proj_ball d 2 (vadd β (scale ζ (beta_gradient M N π θ W))) a) <= b + 3 / INR p)%R).
    { intros a Ha'. rewrite E. unfold vadd, scale. rewrite (Hδ a) by lia. pose proof (signal_at β b a Hb Ha') as Sa.
      assert (L : Nat.ltb a 2 = true) by now apply Nat.ltb_lt. rewrite L. set (f := φ M (state W) (action W) a).
      assert (Pf : (Rabs f <= 1)%R).
      { unfold f. simpl. destruct a as [|[|a]]; [destruct (Nat.eqb _ _) | destruct (Nat.eqb _ _) | lia]; rewrite ?Rabs_R1, ?Rabs_R0; lra. }
      real. rewrite Rabs_mult, (Rabs_pos_eq c) by apply Hc.
      apply Rle_trans with (c * (Rabs (β a) + ζ * Rabs δ * (3 / 2)))%R.
      { apply Rmult_le_compat_l; [apply Hc|]. eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat_l.
        rewrite !Rabs_mult, (Rabs_pos_eq ζ), (Rabs_pos_eq (sqrt 2)) by lra. pose proof (Rabs_pos δ). pose proof (Rabs_pos f).
        rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. nra. }
      assert (X : (c * (ζ * Rabs δ) <= 2 / INR p)%R).
      { apply (Rmult_le_reg_r (INR p)); [lra|]. unfold Rdiv. rewrite (Rmult_assoc 2), Rinv_l by lra. lra. }
      pose proof (Rabs_pos (β a)). unfold Rdiv in *. nra. }
    split; apply Each; lia.
  Qed.

  (** ** θ *)
  Lemma policy_spread_half z x : (x < m + m)%nat -> (spread (softmax_policy M α z x) <= α * spread z)%R.
  Proof.
    intros Hx. eapply Rle_trans; [apply softmax_spread|]. cbv beta. change (dim M) with d. rewrite !(nuisance_dot m) by (assumption || lia).
    unfold spread. match goal with |- (Rabs ?u <= _)%R => replace u with (α * (z 0%nat - z 1%nat))%R by ring end.
    rewrite Rabs_mult, (Rabs_pos_eq α) by apply rates. apply Rle_refl.
  Qed.

  Lemma gradient_spread_half (β : vec RK) z W b : fresh β W -> signal β b ->
    (spread (theta_gradient M N β (softmax_policy M α z) W) <= α * spread z + 2 * b)%R.
  Proof.
    intros [HW F] Hb. pose proof HW as (H0 & Hs & Ha & Hn). pose proof (policy_spread_half z (x0 W) H0) as P.
    unfold theta_gradient. change (dim M) with d. set (π := softmax_policy M α z) in *.
    assert (C : dot d (φ M (state W) (action W)) (mulv d N β) = (sqrt 2 * β (action W))%R).
    { rewrite (nuisance_dot m) by assumption. rewrite !diagonal_mulv by (pose proof (coord_below m (state W) Hs); lia).
      unfold at_j in F. rewrite F. replace (Nat.ltb (action W) 2) with true by (symmetry; now apply Nat.ltb_lt). real. ring. }
    rewrite C. clear C. set (c := (sqrt 2 * β (action W))%R). set (f := φ M (state W) (action W)).
    assert (Q : forall i, (i < 2)%nat -> PhiT M (mu_estimate M N β π W) i = π (x0 W) i).
    { intros i Hi. rewrite (PhiT_mu_estimate M N β π W i H0 Hn). unfold mean_feature. simpl nA. simpl γ. cbn [sum].
      destruct i as [|[|i]]; [| |lia]; simpl φ; cbn [Nat.eqb]; real; ring. }
    assert (R2 : (0 <= sqrt 2 <= 2)%R) by (split; [apply sqrt_pos | rewrite <- (sqrt_square 2) at 2 by lra; apply sqrt_le_1_alt; lra]).
    assert (Bc : (Rabs c <= 2 * b)%R).
    { unfold c. rewrite Rabs_mult, (Rabs_pos_eq (sqrt 2)) by apply R2. pose proof (signal_at β b _ Hb Ha). pose proof (Rabs_pos (β (action W))). nra. }
    assert (Bf : (Rabs (f 0%nat - f 1%nat) = 1)%R).
    { unfold f. simpl. destruct (action W) as [|[|a]]; [| |lia]; simpl; [rewrite Rminus_0_r; apply Rabs_R1|].
      rewrite Rminus_0_l, Rabs_Ropp. apply Rabs_R1. }
    unfold spread in *. unfold vsub, scale. rewrite !Q by lia. real.
    replace (π (x0 W) 0%nat - c * f 0%nat - (π (x0 W) 1%nat - c * f 1%nat))%R
      with ((π (x0 W) 0%nat - π (x0 W) 1%nat) + - (c * (f 0%nat - f 1%nat)))%R by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, Rabs_mult, Bf. lra.
  Qed.

  Variables (K : nat) (b : R).
  Hypothesis b_nonneg : (0 <= b)%R.
  Notation A := (3 + 2 * INR K * η * (α + 2))%R.

  (** X_t = |θ_{t−1}(0) − θ_{t−1}(1)| + |Σθ(0) − Σθ(1)| *)
  Definition drift_half (st : state1) : R := (spread (theta st) + spread (theta_sum st))%R.

  Lemma drift_step_half st F : Forall (fresh (beta st)) F -> (length F <= K)%nat -> signal (beta st) b ->
    (drift_half (step st F) + b <= A * (drift_half st + b))%R.
  Proof.
    intros HF L Hb. destruct rates as (Pα & _ & Pη). pose proof (spread_nonneg (theta st)) as P1. pose proof (spread_nonneg (theta_sum st)) as P2.
    pose proof (pos_INR K) as PK. set (g := (α * spread (theta_sum st) + 2 * b)%R). assert (Pg : (0 <= g)%R) by (unfold g; nra).
    assert (Inner : forall F', Forall (fresh (beta st)) F' ->
      (spread (inner1 M N α η Dθ st F') <= spread (theta st) + INR (length F') * (η * g))%R).
    { unfold inner1. induction F' as [|W F' IH]; intros HF'; cbn [descend length]; [simpl; lra|]. inversion_clear HF' as [|? ? HW HF0].
      rewrite (S_INR (length F')). eapply Rle_trans; [now apply spread_proj|]. eapply Rle_trans; [now apply spread_vsub_scale|].
      pose proof (gradient_spread_half (beta st) (theta_sum st) W b HW Hb) as G. fold g in G.
      specialize (IH HF0). apply (Rmult_le_compat_l η) in G; [unfold policy1 in *; lra | exact Pη]. }
    assert (Pηg : (0 <= η * g)%R) by now apply Rmult_le_pos.
    assert (S1 : (spread (theta1 M N α η Dθ st F) <= spread (theta st) + INR K * (η * g))%R).
    { apply (average_spread_if (fresh (beta st))); [|exact HF|].
      - assert (0 <= INR K * (η * g))%R by now apply Rmult_le_pos. lra.
      - intros F' HF' L'. eapply Rle_trans; [now apply Inner|]. apply Rplus_le_compat_l, Rmult_le_compat_r; [exact Pηg | apply le_INR; lia]. }
    pose proof (spread_vadd (theta_sum st) (theta1 M N α η Dθ st F)) as V.
    change (drift_half (step st F)) with (spread (theta1 M N α η Dθ st F) + spread (vadd (theta_sum st) (theta1 M N α η Dθ st F)))%R.
    unfold drift_half. set (k := (INR K * η)%R). assert (Pk : (0 <= k)%R) by now apply Rmult_le_pos.
    assert (S2 : (INR K * (η * g) = k * (α * spread (theta_sum st) + 2 * b))%R) by (unfold k, g; ring). rewrite S2 in S1.
    replace (3 + 2 * INR K * η * (α + 2))%R with (3 + 2 * k * (α + 2))%R by (unfold k; ring).
    set (z := spread (theta_sum st)) in *. set (t := spread (theta st)) in *.
    assert (0 <= k * α)%R by now apply Rmult_le_pos. assert (0 <= k * b)%R by now apply Rmult_le_pos.
    assert (0 <= k * α * t)%R by now apply Rmult_le_pos. assert (0 <= k * α * b)%R by now apply Rmult_le_pos.
    assert (0 <= k * t)%R by now apply Rmult_le_pos. assert (0 <= k * z)%R by now apply Rmult_le_pos. nra.
  Qed.
End Run.
