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

Section Dot.
  Variables (n : nat) (a b : nat -> R).
  Hypothesis products : forall i, (i < n)%nat -> big (-1022) (Rabs (a i * b i)).
  Let term (f : R -> R) (i : nat) : R := if (i <? n)%nat then f (a i * b i) else 0.

  Lemma near_product i : (i < n)%nat -> near 1 (rnd (a i * b i)) (a i * b i) (Rabs (a i * b i)).
  Proof.
    intros Hi. split; [apply double_rnd|]. split; [lra|]. simpl. rewrite Rmult_1_r.
    replace (1 + u - 1) with u by ring. now apply rnd_error, products.
  Qed.

  Lemma near_lane l c : near c (lane n a b l c) (rsum c (fun j => term (fun x => x) (8 * j + l))) (rsum c (fun j => term Rabs (8 * j + l))).
  Proof.
    induction c as [|c IH]; [apply near_zero|]. rewrite !rsum_S. unfold term at 2 4. cbn [lane].
    destruct (8 * c + l <? n)%nat eqn:Lt; [|rewrite !Rplus_0_r; apply (near_le c); [lia | exact IH]].
    apply Nat.ltb_lt in Lt. pose proof (near_product _ Lt) as P. destruct c as [|c].
    - cbn [lane]. change (rsum 0 _) with 0. change (rsum 0 (fun j => term Rabs (8 * j + l))) with 0.
      rewrite !Rplus_0_l, rnd_rnd. exact P.
    - apply near_add; [exact IH | apply (near_le 1); [lia | exact P]].
  Qed.

  Lemma near_fold m (l e A : nat -> R) : (forall j, near m (l j) (e j) (A j)) -> near (3 + m) (fold l) (rsum 8 e) (rsum 8 A).
  Proof.
    intros H. unfold fold.
    assert (order : forall f : nat -> R, rsum 8 f
      = ((f 0%nat + f 4%nat) + (f 2%nat + f 6%nat)) + ((f 1%nat + f 5%nat) + (f 3%nat + f 7%nat))).
    { intros f. rewrite !rsum_S. change (rsum 0 f) with 0. ring. }
    rewrite !order. repeat apply near_add; apply H.
  Qed.

  Lemma all_terms f : rsum 8 (fun l => rsum (chunks n) (fun j => term f (8 * j + l))) = rsum n (fun i => f (a i * b i)).
  Proof.
    rewrite rsum_swap, (rsum_chunks (term f)). apply (rsum_cut n (fun i => f (a i * b i))). unfold chunks.
    pose proof (Nat.div_mod_eq (n + 7) 8). pose proof (Nat.mod_upper_bound (n + 7) 8). lia.
  Qed.

  Lemma near_inner : near (3 + chunks n) (inner n a b) (rsum n (fun i => a i * b i)) (rsum n (fun i => Rabs (a i * b i))).
  Proof.
    rewrite <- (all_terms (fun x => x)), <- (all_terms Rabs). apply near_fold. intros l. apply near_lane.
  Qed.
End Dot.

Theorem float_dot : Float_dot.
Proof. intros d a b H. apply near_inner. exact H. Qed.
