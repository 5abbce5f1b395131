(** * The f64 inner product, signs free, for every dimension

    |dot(a,b) − ⟨a,b⟩| ≤ ((1+u)^m − 1) Σ|a_i b_i| with m = ⌈d/8⌉ + 3, in the library's summation order. *)

From Coq Require Import Reals Lra Lia Psatz.
From Flocq Require Import Core.
From OPD Require Import RealSums FloatProjection FloatAverage.
Local Open Scope R_scope.

(** ** The claim: no product may underflow; sums may. *)
Definition Float_dot : Prop := forall (d : nat) (a b : nat -> R),
  (forall i, (i < d)%nat -> big (-1022) (Rabs (a i * b i))) ->
  Rabs (inner d a b - rsum d (fun i => a i * b i))
  <= ((1 + u) ^ (3 + chunks d) - 1) * rsum d (fun i => Rabs (a i * b i)).

(** Underflow included: as if every product were larger by 2^−1022, the smallest normal number. *)
Definition Float_dot_any : Prop := forall (d : nat) (a b : nat -> R),
  Rabs (inner d a b - rsum d (fun i => a i * b i))
  <= ((1 + u) ^ (3 + chunks d) - 1) * (rsum d (fun i => Rabs (a i * b i)) + INR d * bpow radix2 (-1022)).

(** ** Proof *)

(** x is a double within m roundings of e, a sum of terms whose sizes add up to A. *)
Definition near (m : nat) (x e A : R) : Prop :=
  double x /\ Rabs e <= A /\ Rabs (x - e) <= ((1 + u) ^ m - 1) * A.

Lemma pow_up_one m : 1 <= (1 + u) ^ m.
Proof. apply pow_R1_Rle. pose proof u_pos. lra. Qed.

Lemma near_le m m' x e A : (m <= m')%nat -> near m x e A -> near m' x e A.
Proof.
  intros L (D & B & C). split; [exact D | split; [exact B|]]. eapply Rle_trans; [exact C|].
  pose proof (Rabs_pos e). apply Rmult_le_compat_r; [lra|]. apply Rplus_le_compat_r. apply Rle_pow; [pose proof u_pos; lra | exact L].
Qed.

Lemma near_add m x e A x' e' A' : near m x e A -> near m x' e' A' -> near (S m) (rnd (x + x')) (e + e') (A + A').
Proof.
  intros (D & B & C) (D' & B' & C'). pose proof u_pos as Pu. pose proof (pow_up_one m) as P.
  split; [apply double_rnd|]. split; [eapply Rle_trans; [apply Rabs_triang | lra]|].
  pose proof (rnd_sum_error x x' D D') as R.
  assert (X : Rabs (x + x') <= (1 + u) ^ m * (A + A')).
  { replace (x + x') with ((x - e) + (x' - e') + (e + e')) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (x - e) (x' - e')). pose proof (Rabs_triang e e').
    replace ((1 + u) ^ m * (A + A')) with (((1 + u) ^ m - 1) * A + ((1 + u) ^ m - 1) * A' + (A + A')) by ring. lra. }
  replace (rnd (x + x') - (e + e')) with ((rnd (x + x') - (x + x')) + ((x - e) + (x' - e'))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (x - e) (x' - e')) as T.
  assert (u * Rabs (x + x') <= u * ((1 + u) ^ m * (A + A'))) by (apply Rmult_le_compat_l; lra).
  simpl. replace (((1 + u) * (1 + u) ^ m - 1) * (A + A'))
    with (u * ((1 + u) ^ m * (A + A')) + (((1 + u) ^ m - 1) * A + ((1 + u) ^ m - 1) * A')) by ring.
  lra.
Qed.

Lemma near_zero m : near m 0 0 0.
Proof. split; [apply generic_format_0|]. rewrite Rabs_R0, Rminus_0_r, Rabs_R0. lra. Qed.

(** A single rounding, underflow included: off by at most u times the size, or the smallest normal number if that is greater. *)
Definition tiny : R := bpow radix2 (-1022).

Lemma tiny_pos : 0 < tiny.
Proof. apply bpow_gt_0. Qed.

Lemma rnd_error_any x : Rabs (rnd x - x) <= u * (Rabs x + tiny).
Proof.
  pose proof tiny_pos as Pt. pose proof u_pos as Pu. destruct (Rle_or_lt tiny (Rabs x)) as [H|H].
  - eapply Rle_trans; [apply rnd_error; right; exact H | nra].
  - assert (E : Rabs (rnd x - x) <= u * tiny).
    { eapply Rle_trans; [apply error_le_half_ulp; apply FLT_exp_valid; reflexivity|].
      rewrite (ulp_FLT_small radix2 (-1074) 53) by (apply Rlt_le_trans with (1 := H); apply bpow_le; lia).
      unfold u, tiny. rewrite <- bpow_plus. change (-53 + -1022)%Z with (-1 + -1074)%Z. rewrite (bpow_plus radix2 (-1)). simpl. lra. }
    pose proof (Rabs_pos x). nra.
Qed.

Section Dot.
  Variables (n : nat) (a b A : nat -> R).
  Hypothesis products : forall i, (i < n)%nat -> near 1 (rnd (a i * b i)) (a i * b i) (A i).
  Let term (f : nat -> R) (i : nat) : R := if (i <? n)%nat then f i else 0.

  Lemma near_lane l c : near c (lane n a b l c) (rsum c (fun j => term (fun i => a i * b i) (8 * j + l))) (rsum c (fun j => term A (8 * j + l))).
  Proof.
    induction c as [|c IH]; [apply near_zero|]. rewrite !rsum_S. unfold term at 2 4. cbn [lane].
    destruct (8 * c + l <? n)%nat eqn:Lt; [|rewrite !Rplus_0_r; apply (near_le c); [lia | exact IH]].
    apply Nat.ltb_lt in Lt. pose proof (products _ Lt) as P. destruct c as [|c].
    - cbn [lane]. change (rsum 0 _) with 0. change (rsum 0 (fun j => term A (8 * j + l))) with 0.
      rewrite !Rplus_0_l, rnd_rnd. exact P.
    - apply near_add; [exact IH | apply (near_le 1); [lia | exact P]].
  Qed.

  Lemma near_fold m (l e B : nat -> R) : (forall j, near m (l j) (e j) (B j)) -> near (3 + m) (fold l) (rsum 8 e) (rsum 8 B).
  Proof.
    intros H. unfold fold.
    assert (order : forall f : nat -> R, rsum 8 f
      = ((f 0%nat + f 4%nat) + (f 2%nat + f 6%nat)) + ((f 1%nat + f 5%nat) + (f 3%nat + f 7%nat))).
    { intros f. rewrite !rsum_S. change (rsum 0 f) with 0. ring. }
    rewrite !order. repeat apply near_add; apply H.
  Qed.

  Lemma all_terms f : rsum 8 (fun l => rsum (chunks n) (fun j => term f (8 * j + l))) = rsum n f.
  Proof.
    rewrite rsum_swap, (rsum_chunks (term f)). apply (rsum_cut n f). unfold chunks.
    pose proof (Nat.div_mod_eq (n + 7) 8). pose proof (Nat.mod_upper_bound (n + 7) 8). lia.
  Qed.

  Lemma near_inner : near (3 + chunks n) (inner n a b) (rsum n (fun i => a i * b i)) (rsum n A).
  Proof.
    rewrite <- (all_terms (fun i => a i * b i)), <- (all_terms A). apply near_fold. intros l. apply near_lane.
  Qed.
End Dot.

Lemma near_rounded x : near 1 (rnd x) x (Rabs x + tiny).
Proof.
  pose proof tiny_pos. split; [apply double_rnd|]. split; [lra|]. simpl. rewrite Rmult_1_r.
  replace (1 + u - 1) with u by ring. apply rnd_error_any.
Qed.

Theorem float_dot : Float_dot.
Proof.
  intros d a b H. apply (near_inner d a b (fun i => Rabs (a i * b i))). intros i Hi. split; [apply double_rnd|].
  split; [lra|]. simpl. rewrite Rmult_1_r. replace (1 + u - 1) with u by ring. now apply rnd_error, H.
Qed.

Theorem float_dot_any : Float_dot_any.
Proof.
  intros d a b. change (bpow radix2 (-1022)) with tiny.
  replace (rsum d (fun i => Rabs (a i * b i)) + INR d * tiny) with (rsum d (fun i => Rabs (a i * b i) + tiny))
    by (rewrite rsum_add, rsum_const; reflexivity).
  apply (near_inner d a b (fun i => Rabs (a i * b i) + tiny)). intros i _. apply near_rounded.
Qed.
