(** * Finite sums of reals, in the stdlib's own type and operations *)

From Coq Require Import Reals Lra Lia.
From OPD Require OrderedField Sums.
Import OrderedField(RK).
Local Open Scope R_scope.

(** Σ_{i<n} f(i), in the stdlib's own type and operations. *)
Definition rsum (n : nat) (f : nat -> R) : R := Sums.sum (K := RK) n f.

Section RealSums.
  Implicit Types f g : nat -> R.
  Lemma rsum_S n f : rsum (S n) f = rsum n f + f n.
  Proof. reflexivity. Qed.
  Lemma rsum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> rsum n f = rsum n g.
  Proof. exact (Sums.sum_ext (K := RK) n f g). Qed.
  Lemma rsum_add n f g : rsum n (fun i => f i + g i) = rsum n f + rsum n g.
  Proof. exact (Sums.sum_add (K := RK) n f g). Qed.
  Lemma rsum_sub n f g : rsum n (fun i => f i - g i) = rsum n f - rsum n g.
  Proof. exact (Sums.sum_sub (K := RK) n f g). Qed.
  Lemma rsum_mul n c f : rsum n (fun i => c * f i) = c * rsum n f.
  Proof. exact (Sums.sum_mul_l (K := RK) n c f). Qed.
  Lemma rsum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> rsum n f <= rsum n g.
  Proof. exact (Sums.sum_le (K := RK) n f g). Qed.
  Lemma rsum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= rsum n f.
  Proof. exact (Sums.sum_nonneg (K := RK) n f). Qed.
  Lemma rsum_const n c : rsum n (fun _ => c) = INR n * c.
  Proof. induction n; [change (0 = 0 * c); ring | rewrite S_INR, rsum_S, IHn; ring]. Qed.

  Lemma rsum_swap n m (f : nat -> nat -> R) :
    rsum n (fun i => rsum m (fun j => f i j)) = rsum m (fun j => rsum n (fun i => f i j)).
  Proof. exact (Sums.sum_swap (K := RK) n m f). Qed.

  (** Non-negative terms, one of them positive. *)
  Lemma rsum_pos n f i : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> 0 < f i -> 0 < rsum n f.
  Proof.
    intros H Hi P. apply Rlt_le_trans with (f i); [exact P|]. exact (Sums.sum_term_le (K := RK) n f i H Hi).
  Qed.

  Lemma rsum_witness n f : 0 < rsum n f -> exists i, (i < n)%nat /\ 0 < f i.
  Proof.
    induction n; intros H; [change (0 < 0) in H; lra | rewrite rsum_S in H].
    destruct (Rlt_dec 0 (f n)) as [P|P]; [exists n; split; [lia | exact P]|].
    destruct IHn as [i [Hi Q]]; [lra | exists i; split; [lia | exact Q]].
  Qed.
End RealSums.
