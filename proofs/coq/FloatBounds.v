(** * Crude bounds by powers of two, sums and balls: what the rounding proofs of the algorithms share *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted AppendixB Projection RealSums MirrorDescent Runs DoubleLoop Algorithm1.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 FloatAlgorithm1 FloatVectors FloatSoftmax Rounding1.
Import ListNotations.
Local Open Scope R_scope.

(** 0 ≤ a sum of products of terms known not to be negative. *)
Ltac nonneg := repeat first [lra | apply Rmult_le_pos | apply Rplus_le_le_0_compat]; lra.

(** ** Powers of two as crude bounds *)
Definition ge (e : Z) (x : R) : Prop := bpow radix2 e <= x.
Definition below (e : Z) (x : R) : Prop := 0 <= x <= bpow radix2 e.

Lemma ge_pos e x : ge e x -> 0 < x.
Proof. unfold ge. pose proof (bpow_gt_0 radix2 e). lra. Qed.
Lemma ge_le e x y : ge e x -> x <= y -> ge e y.
Proof. unfold ge. lra. Qed.
Lemma ge_weaken e e' x : ge e x -> (e' <= e)%Z -> ge e' x.
Proof. unfold ge. intros H L. apply Rle_trans with (2 := H). now apply bpow_le. Qed.
Lemma ge_mul e f x y : ge e x -> ge f y -> ge (e + f) (x * y).
Proof. unfold ge. intros. rewrite bpow_plus. apply Rmult_le_compat; try apply bpow_ge_0; assumption. Qed.
Lemma ge_one x : 1 <= x -> ge 0 x.
Proof. intros H. exact H. Qed.
Lemma below_mul e f x y : below e x -> below f y -> below (e + f) (x * y).
Proof. unfold below. intros. rewrite bpow_plus. split; [apply Rmult_le_pos; lra | apply Rmult_le_compat; lra]. Qed.
Lemma below_add e x y : below e x -> below e y -> below (1 + e) (x + y).
Proof. unfold below. intros. rewrite bpow_plus. simpl (bpow radix2 1). lra. Qed.
Lemma below_weaken e e' x : below e x -> (e <= e')%Z -> below e' x.
Proof. unfold below. intros [P H] L. split; [exact P|]. apply Rle_trans with (1 := H). now apply bpow_le. Qed.
Lemma below_one x : 0 <= x <= 1 -> below 0 x.
Proof. intros H. exact H. Qed.
Lemma below_two x : 0 <= x <= 2 -> below 1 x.
Proof. intros H. exact H. Qed.

(** What underflows, even d² times, is nothing against any bound in range. *)
Lemma tiny_negligible n k x : (Z.of_nat n <= 2 ^ 28)%Z -> (Z.of_nat k <= 2 ^ 30)%Z -> ge (-900) x -> INR n * (INR k * tiny) <= x / 16.
Proof.
  change (2 ^ 28)%Z with 268435456%Z. change (2 ^ 30)%Z with 1073741824%Z. intros Hn Hk H. apply IZR_le in Hn, Hk. rewrite <- !INR_IZR_INZ in *.
  pose proof (pos_INR n). pose proof (pos_INR k). pose proof tiny_pos.
  apply Rle_trans with (bpow radix2 28 * (bpow radix2 30 * bpow radix2 (-1022))).
  - apply Rmult_le_compat; [lra | nra | exact Hn | apply Rmult_le_compat_r; [unfold tiny in *; lra | exact Hk]].
  - apply Rle_trans with (bpow radix2 (-900) * bpow radix2 (-4)); [rewrite <- !bpow_plus; apply bpow_le; lia|].
    change (bpow radix2 (-4)) with (/ 16). unfold ge in H. lra.
Qed.

Lemma tiny_le x : ge (-900) x -> tiny <= x.
Proof. intros H. apply Rle_trans with (2 := H). apply bpow_le. lia. Qed.

Lemma rsum_split n k (f : nat -> R) : rsum (n + k) f = rsum n f + rsum k (fun j => f (n + j)%nat).
Proof.
  induction k as [|k IH]; [rewrite Nat.add_0_r; change (rsum 0 _) with 0; ring|].
  rewrite Nat.add_succ_r, !rsum_S, IH. ring.
Qed.

Lemma rsum_triangle n (f : nat -> R) : Rabs (rsum n f) <= rsum n (fun a => Rabs (f a)).
Proof.
  induction n as [|n IH]; [change (rsum 0 _) with 0; rewrite Rabs_R0; change (rsum 0 _) with 0; lra|].
  rewrite !rsum_S. eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** |(Nv)_i| ≤ Σ_j |N_ij||v_j| *)
Lemma mulv_abs d (A : mat RK) (v : vec RK) i : Rabs (mulv (K := RK) d A v i) <= rsum d (fun j => Rabs (A i j) * Rabs (v j)).
Proof.
  eapply Rle_trans; [apply (rsum_triangle d (fun j => A i j * v j))|]. apply Req_le, rsum_ext. intros j _. apply Rabs_mult.
Qed.

(** ‖Σ_j v_j‖ ≤ Σ_j ‖v_j‖ *)
Lemma ball_sum d n (b : nat -> R) (v : nat -> nat -> R) : (forall j, (j < n)%nat -> 0 <= b j) ->
  (forall j, (j < n)%nat -> Ball d (b j) (v j)) -> Ball d (rsum n b) (fun i => rsum n (fun j => v j i)).
Proof.
  intros P H. induction n as [|n IH].
  - apply (ball_zero d 0). lra.
  - rewrite rsum_S. apply (ball_add d (rsum n b) (b n) (fun i => rsum n (fun j => v j i)) (v n)); auto.
    apply rsum_nonneg. auto.
Qed.

Lemma ball_mul d (X s S : R) (v : nat -> R) : Ball d X v -> 0 <= X -> Rabs s <= S -> Ball d (X * S) (fun i => v i * s).
Proof.
  intros B PX Hs. apply (ball_ext d _ (scale (K := RK) s v)); [intros i _; unfold scale; real; ring|].
  eapply ball_le; [|rewrite Rmult_comm; apply Rmult_le_compat_r; [exact PX | exact Hs] | apply ball_scale, B].
  apply Rmult_le_pos; [apply Rabs_pos | exact PX].
Qed.

(** v·s − v'·s' = (v − v')·s + v'·(s − s') *)
Lemma ball_mul_sub d (X X' s s' S E : R) (v v' : nat -> R) : 0 <= X -> 0 <= X' -> Ball d X (vsub (K := RK) v v') -> Ball d X' v' ->
  Rabs s <= S -> Rabs (s - s') <= E -> Ball d (X * S + X' * E) (vsub (K := RK) (fun i => v i * s) (fun i => v' i * s')).
Proof.
  intros PX PX' B B' Hs He. pose proof (Rabs_pos s). pose proof (Rabs_pos (s - s')).
  apply (ball_ext d _ (vadd (K := RK) (fun i => (vsub (K := RK) v v' i * s)%R) (fun i => (v' i * (s - s'))%R))).
  - intros i _. unfold vadd, vsub. real. ring.
  - apply ball_add; [nra | nra | now apply ball_mul | now apply ball_mul].
Qed.
