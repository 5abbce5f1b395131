(** * Square linear systems: an injective matrix is onto

    Used for the existence of v^π, ν^π and of θ with θ − Tθ = y.  Elimination, over any field with decidable
    equality: fewer equations than unknowns leave a non-zero solution.  Solutions are computed, not only shown to
    exist, so that v^π and ν^π are functions of π. *)

From Coq Require Import Ring Field Lia Arith.
From OPD Require Import OrderedField Sums.
Local Open Scope K_scope.

(** The indices other than p, in order. *)
Definition skip (p j : nat) : nat := if Nat.ltb j p then j else S j.

Section Solve.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).

  Lemma sum_skip n p (f : nat -> K) : (p <= n)%nat -> sum (S n) f = f p + sum n (fun j => f (skip p j)).
  Proof.
    revert p. induction n as [|n IH]; intros p Hp.
    - replace p with O by lia. simpl. ring.
    - destruct (Nat.eq_dec p (S n)) as [->|N].
      + change (sum (S (S n)) f) with (sum (S n) f + f (S n)).
        rewrite (sum_ext (S n) (fun j => f (skip (S n) j)) f); [ring|].
        intros j Hj. unfold skip. now rewrite (proj2 (Nat.ltb_lt j (S n)) Hj).
      + change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite (IH p) by lia. simpl.
        replace (skip p n) with (S n); [ring|]. unfold skip. destruct (Nat.ltb_spec n p); [lia | reflexivity].
  Qed.

  (** A row is zero, or has a pivot. *)
  Lemma find_pivot n (f : nat -> K) : (forall j, (j < n)%nat -> f j = 0) + {p | (p < n)%nat /\ f p <> 0}.
  Proof.
    induction n as [|n [IH|[p [Hp IH]]]]; [left; lia | | right; exists p; split; [lia | exact IH]].
    destruct (eq_dec (f n) 0) as [E|N]; [left | right; exists n; split; [lia | exact N]].
    intros j Hj. destruct (Nat.eq_dec j n) as [->|]; [exact E | apply IH; lia].
  Qed.

  (** m equations in n > m unknowns have a non-zero solution. *)
  Lemma underdetermined m : forall n (A : mat K), (m < n)%nat ->
    {x : vec K | (exists j, (j < n)%nat /\ x j <> 0) /\ forall i, (i < m)%nat -> sum n (fun j => A i j * x j) = 0}.
  Proof.
    induction m as [|m IH]; intros n A H.
    { exists (fun _ => 1). split; [exists O; split; [lia | apply one_neq_zero] | lia]. }
    destruct (find_pivot n (A m)) as [Z | [p [Hp P]]].
    - destruct (IH n A) as [x [Hx S]]; [lia|]. exists x. split; [exact Hx|]. intros i Hi.
      destruct (Nat.eq_dec i m) as [->|]; [|apply S; lia].
      apply sum_zero. intros j Hj. rewrite Z by exact Hj. ring.
    - destruct n as [|n]; [lia|].
      set (B := fun i j => A i (skip p j) - A i p * A m (skip p j) / A m p).
      destruct (IH n B) as [y [Ny S]]; [lia|].
      set (yp := - sum n (fun j => A m (skip p j) * y j) / A m p).
      set (x := fun j => if Nat.eqb j p then yp else y (if Nat.ltb j p then j else pred j)).
      assert (Xp : x p = yp) by (unfold x; now rewrite Nat.eqb_refl).
      assert (Xs : forall j, x (skip p j) = y j).
      { intros j. unfold x, skip. destruct (Nat.ltb_spec j p).
        - destruct (Nat.eqb_spec j p); [lia|]. now rewrite (proj2 (Nat.ltb_lt j p)) by assumption.
        - destruct (Nat.eqb_spec (Datatypes.S j) p); [lia|]. destruct (Nat.ltb_spec (Datatypes.S j) p); [lia|]. reflexivity. }
      exists x. split.
      + destruct Ny as [k [Hk Ny]]. exists (skip p k). split; [unfold skip; destruct (Nat.ltb_spec k p); lia | now rewrite Xs].
      + intros i Hi. rewrite (sum_skip n p) by lia. rewrite Xp.
        rewrite (sum_ext n _ (fun j => A i (skip p j) * y j)) by (intros; now rewrite Xs).
        destruct (Nat.eq_dec i m) as [->|N].
        * unfold yp. field. exact P.
        * assert (Hi' : (i < m)%nat) by lia. specialize (S i Hi'). unfold B in S.
          rewrite (sum_ext n _ (fun j => A i (skip p j) * y j - A i p / A m p * (A m (skip p j) * y j))) in S
            by (intros; field; exact P).
          rewrite sum_sub, sum_mul_l in S. unfold yp. rewrite <- S. field. exact P.
  Qed.

  Lemma injective_onto n (A : mat K) :
    (forall x, veq n (mulv n A x) vzero -> veq n x vzero) -> forall b, {x | veq n (mulv n A x) b}.
  Proof.
    intros Inj b.
    destruct (underdetermined n (S n) (fun i j => if Nat.eqb j n then b i else A i j)) as [x [Nx H]]; [lia|].
    assert (H' : forall i, (i < n)%nat -> mulv n A x i + b i * x n = 0).
    { intros i Hi. rewrite <- (H i Hi). simpl. rewrite Nat.eqb_refl. f_equal. apply sum_ext. intros j Hj.
      destruct (Nat.eqb_spec j n); [lia | reflexivity]. }
    destruct (eq_dec (x n) 0) as [E|N].
    - exfalso. destruct Nx as [k [Hk Nx]]. destruct (Nat.eq_dec k n) as [->|Hkn]; [congruence|]. apply Nx.
      apply (Inj x); [|lia]. intros i Hi. unfold vzero. rewrite <- (H' i Hi), E. ring.
    - exists (fun j => - x j / x n). intros i Hi. unfold mulv.
      rewrite (sum_ext n _ (fun j => - (1 / x n) * (A i j * x j))) by (intros; field; exact N).
      rewrite sum_mul_l. fold (mulv n A x i).
      replace (mulv n A x i) with (0 - b i * x n) by (rewrite <- (H' i Hi); ring). field. exact N.
  Qed.

  (** An index at which a family is largest. *)
  Lemma argmax n (f : nat -> K) : (0 < n)%nat -> exists k, (k < n)%nat /\ forall i, (i < n)%nat -> f i <= f k.
  Proof.
    induction n as [|n IH]; intros Hn; [lia|]. destruct n as [|n].
    - exists O. split; [lia|]. intros i Hi. replace i with O by lia. apply le_refl.
    - destruct IH as [k [Hk H]]; [lia|]. destruct (le_dec (f (S n)) (f k)) as [L|L].
      + exists k. split; [lia|]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [exact L | apply H; lia].
      + exists (S n). split; [lia|]. intros i Hi. destruct (Nat.eq_dec i (S n)) as [->|]; [apply le_refl|].
        apply le_trans with (f k); [apply H; lia | now apply not_le].
  Qed.
End Solve.
