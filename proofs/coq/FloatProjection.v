(** * The f64 ball projection, for every dimension

    The library's `inner`, `norm`, `project_ball` and `within_ball` (src/linear/vector.rs, src/linear/projection.rs), operation by
    operation, with each result rounded to nearest even.  Proved for every d up to 2^28: the projected point has
    norm at most D(1 + ku), and the library's debug assertion about the norm it computes cannot fail.
    Gappa proves the same for d ≤ 4 with the same constants or smaller ones (proofs/gappa). *)

From Coq Require Import Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core Relative.
From OPD Require Import RealSums.
Local Open Scope R_scope.

(** ** The model *)

(** Rounding to nearest even in binary64.  Gradual underflow is modelled; overflow is excluded by the range. *)
Definition rnd (x : R) : R := round radix2 (FLT_exp (-1074) 53) ZnearestE x.
Definition u : R := bpow radix2 (-53).

(** Lane l after c chunks of eight: term 8j + l is added in order of j; terms from n on are absent. *)
Fixpoint lane (n : nat) (a b : nat -> R) (l c : nat) : R :=
  match c with
  | O => 0
  | S c => if (8 * c + l <? n)%nat then rnd (lane n a b l c + rnd (a (8 * c + l)%nat * b (8 * c + l)%nat))
           else lane n a b l c
  end.

Definition chunks (n : nat) : nat := ((n + 7) / 8)%nat.

(** ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)) *)
Definition fold (l : nat -> R) : R :=
  rnd (rnd (rnd (l 0%nat + l 4%nat) + rnd (l 2%nat + l 6%nat)) + rnd (rnd (l 1%nat + l 5%nat) + rnd (l 3%nat + l 7%nat))).

Definition inner (n : nat) (a b : nat -> R) : R := fold (fun l => lane n a b l (chunks n)).
Definition float_norm (n : nat) (y : nat -> R) : R := rnd (sqrt (inner n y y)).

(** y if n ≤ D, else y·(D/n). *)
Definition float_project (d : nat) (D : R) (y : nat -> R) (i : nat) : R :=
  if Rle_dec (float_norm d y) D then y i else rnd (y i * rnd (D / float_norm d y)).

(** ** The claims *)

(** ‖y‖², exactly. *)
Definition exact_norm2 (n : nat) (y : nat -> R) : R := rsum n (fun i => y i * y i).

(** Components are zero or between 2^−98 and 2^150 in size, the radius between 2^−150 and 2^150. *)
Definition in_range (d : nat) (D : R) (y : nat -> R) : Prop :=
  (Z.of_nat d <= 2 ^ 28)%Z /\ bpow radix2 (-150) <= D <= bpow radix2 150 /\
  forall i, (i < d)%nat -> y i = 0 \/ bpow radix2 (-98) <= Rabs (y i) <= bpow radix2 150.

(** m = ⌈d/8⌉ + 3: the roundings a term of an inner product meets.  ‖Π(y)‖ ≤ D(1 + ku) with 2k ≥ m + 7. *)
Definition Float_projection : Prop := forall (d : nat) (D : R) (y : nat -> R) (k : nat), in_range d D y ->
  (chunks d + 10 <= 2 * k)%nat ->
  sqrt (exact_norm2 d (float_project d D y)) <= D * (1 + INR k * u).

(** The library's `within_ball`: norm(Π(y)) ≤ D·(1 + σ) as computed, for any computed slack σ ≥ (⌈d/8⌉ + 10)u. *)
Definition Float_assertion : Prop := forall (d : nat) (D : R) (y : nat -> R) (σ : R), in_range d D y ->
  INR (chunks d + 10) * u <= σ ->
  float_norm d (float_project d D y) <= rnd (D * rnd (1 + σ)).

(** ** One rounding *)

Lemma u_pos : 0 < u.
Proof. apply bpow_gt_0. Qed.

Lemma u_small : u * 9007199254740992 = 1.
Proof. change u with (/ IZR 9007199254740992). field. Qed.

(** Zero, or at least 2^e. *)
Definition big (e : Z) (x : R) : Prop := x = 0 \/ bpow radix2 e <= x.

Lemma big_nonneg e x : big e x -> 0 <= x.
Proof. intros [->|H]; [lra|]. pose proof (bpow_gt_0 radix2 e). lra. Qed.

Lemma big_add e x y : big e x -> big e y -> big e (x + y).
Proof.
  intros Hx Hy. pose proof (big_nonneg e x Hx). pose proof (big_nonneg e y Hy).
  destruct Hx as [->|Hx]; [|right; lra]. rewrite Rplus_0_l. exact Hy.
Qed.

Lemma big_weaken e e' x : (e' <= e)%Z -> big e x -> big e' x.
Proof. intros L [->|H]; [now left | right]. apply Rle_trans with (2 := H). now apply bpow_le. Qed.

Lemma rnd_0 : rnd 0 = 0.
Proof. apply round_0. apply valid_rnd_N. Qed.

Lemma rnd_le x y : x <= y -> rnd x <= rnd y.
Proof. apply round_le; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N]. Qed.

Lemma rnd_rnd x : rnd (rnd x) = rnd x.
Proof.
  apply round_generic; [apply valid_rnd_N|]. apply generic_format_round; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N].
Qed.

Lemma rnd_big e x : (-1074 <= e)%Z -> big e x -> big e (rnd x).
Proof.
  intros He [->|H]; [left; apply rnd_0 | right].
  apply round_ge_generic; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N | | exact H].
  now apply generic_format_FLT_bpow.
Qed.

(** Where nothing underflows, a rounding is a factor between 1 − u and 1 + u. *)
Lemma rnd_error x : big (-1022) (Rabs x) -> Rabs (rnd x - x) <= u * Rabs x.
Proof.
  intros [E|H].
  - assert (x = 0) as ->; [|rewrite rnd_0, Rminus_0_r, Rabs_R0; lra].
    destruct (Req_dec x 0) as [Z|Z]; [exact Z | now apply Rabs_no_R0 in Z].
  - replace u with (/ 2 * bpow radix2 (-53 + 1)).
    + now apply relative_error_N_FLT.
    + change u with (/ IZR 9007199254740992). change (bpow radix2 (-53 + 1)) with (/ IZR 4503599627370496). field.
Qed.

Lemma rnd_bounds x : big (-1022) x -> x * (1 - u) <= rnd x <= x * (1 + u).
Proof.
  intros H. pose proof (big_nonneg _ _ H) as P. assert (A : Rabs x = x) by now apply Rabs_pos_eq.
  pose proof (rnd_error x) as R. rewrite A in R. specialize (R H). apply Rabs_le_inv in R. lra.
Qed.

Lemma rnd_abs x : big (-1022) (Rabs x) -> Rabs (rnd x) <= Rabs x * (1 + u).
Proof.
  intros H. pose proof (rnd_error x H) as R. replace (rnd x) with ((rnd x - x) + x) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma pow_pos_le x m n : 0 <= x <= 1 -> (m <= n)%nat -> x ^ n <= x ^ m.
Proof.
  intros H L. induction L as [|n L IH]; [lra|]. simpl. pose proof (pow_le x n (proj1 H)). nra.
Qed.

(** ** The inner product of a vector with itself *)
Section Inner.
  Variables (n : nat) (y : nat -> R).
  Hypothesis squares : forall i, (i < n)%nat -> big (-1000) (y i * y i).

  (** The exact sum of lane l. *)
  Definition exact_lane (l c : nat) : R :=
    rsum c (fun j => if (8 * j + l <? n)%nat then y (8 * j + l)%nat * y (8 * j + l)%nat else 0).

  (** A value that is the exact one up to m roundings. *)
  Definition close (m : nat) (x exact : R) : Prop :=
    big (-1000) x /\ 0 <= exact /\ exact * (1 - u) ^ m <= x <= exact * (1 + u) ^ m.

  Lemma close_more m x e : close m x e -> close (S m) x e.
  Proof.
    intros (B & P & L & U). pose proof u_pos. pose proof u_small. split; [exact B|]. split; [exact P|]. simpl.
    pose proof (pow_le (1 - u) m ltac:(lra)). pose proof (pow_le (1 + u) m ltac:(lra)).
    split; [eapply Rle_trans; [|exact L] | eapply Rle_trans; [exact U|]]; apply Rmult_le_compat_l; try exact P; nra.
  Qed.

  Lemma close_add m x e x' e' : close m x e -> close m x' e' -> close (S m) (rnd (x + x')) (e + e').
  Proof.
    intros (B & P & L & U) (B' & P' & L' & U'). pose proof u_pos. pose proof u_small.
    assert (BB : big (-1000) (x + x')) by now apply big_add.
    destruct (rnd_bounds (x + x')) as [RL RU]; [apply (big_weaken (-1000)); [lia | exact BB]|].
    split; [apply rnd_big; [lia | exact BB]|]. split; [lra|]. simpl. split.
    - eapply Rle_trans; [|exact RL]. replace ((e + e') * ((1 - u) * (1 - u) ^ m))
        with ((e * (1 - u) ^ m + e' * (1 - u) ^ m) * (1 - u)) by ring. apply Rmult_le_compat_r; lra.
    - eapply Rle_trans; [exact RU|]. replace ((e + e') * ((1 + u) * (1 + u) ^ m))
        with ((e * (1 + u) ^ m + e' * (1 + u) ^ m) * (1 + u)) by ring. apply Rmult_le_compat_r; lra.
  Qed.

  Lemma close_zero m : close m 0 0.
  Proof. split; [now left | split; lra]. Qed.

  Lemma close_product i : (i < n)%nat -> close 1 (rnd (y i * y i)) (y i * y i).
  Proof.
    intros Hi. pose proof (squares i Hi) as B. split; [apply rnd_big; [lia | exact B]|].
    split; [now apply big_nonneg with (-1000)%Z|]. simpl. rewrite !Rmult_1_r.
    apply rnd_bounds. apply (big_weaken (-1000)); [lia | exact B].
  Qed.

  Lemma close_le m m' x e : (m <= m')%nat -> close m x e -> close m' x e.
  Proof. intros L. induction L; [auto | intros H; apply close_more; auto]. Qed.

  (** 0 + x is exact, so that a lane of c terms costs c roundings: one product, c − 1 sums. *)
  Lemma close_lane l c : close c (lane n y y l c) (exact_lane l c).
  Proof.
    induction c as [|c IH]; [apply close_zero|]. unfold exact_lane in *. rewrite rsum_S. cbn [lane].
    destruct (8 * c + l <? n)%nat eqn:Lt; [|rewrite Rplus_0_r; now apply close_more].
    apply Nat.ltb_lt in Lt. pose proof (close_product _ Lt) as Cp. destruct c as [|c].
    - cbn [lane]. change (rsum 0 _) with 0. rewrite !Rplus_0_l, rnd_rnd. exact Cp.
    - apply close_add; [exact IH|]. apply (close_le 1); [lia | exact Cp].
  Qed.

  Lemma close_fold m (l e : nat -> R) : (forall j, close m (l j) (e j)) -> close (3 + m) (fold l) (rsum 8 e).
  Proof.
    intros H. unfold fold.
    replace (rsum 8 e) with (((e 0%nat + e 4%nat) + (e 2%nat + e 6%nat)) + ((e 1%nat + e 5%nat) + (e 3%nat + e 7%nat))).
    - repeat apply close_add; apply H.
    - rewrite !rsum_S. change (rsum 0 e) with 0. ring.
  Qed.

  (** The eight lanes hold every term once. *)
  Lemma rsum_chunks (f : nat -> R) c : rsum c (fun j => rsum 8 (fun l => f (8 * j + l)%nat)) = rsum (8 * c) f.
  Proof.
    induction c as [|c IH]; [reflexivity|]. rewrite rsum_S, IH. replace (8 * S c)%nat with (8 + 8 * c)%nat by lia.
    cbn [Nat.add]. rewrite !(rsum_S _ f), !(rsum_S _ (fun l => f (8 * c + l)%nat)).
    change (rsum 0 (fun l => f (8 * c + l)%nat)) with 0.
    replace (8 * c + 0)%nat with (8 * c)%nat by lia. replace (8 * c + 1)%nat with (S (8 * c)) by lia.
    replace (8 * c + 2)%nat with (S (S (8 * c))) by lia. replace (8 * c + 3)%nat with (S (S (S (8 * c)))) by lia.
    replace (8 * c + 4)%nat with (S (S (S (S (8 * c))))) by lia. replace (8 * c + 5)%nat with (S (S (S (S (S (8 * c)))))) by lia.
    replace (8 * c + 6)%nat with (S (S (S (S (S (S (8 * c))))))) by lia.
    replace (8 * c + 7)%nat with (S (S (S (S (S (S (S (8 * c)))))))) by lia. ring.
  Qed.

  Lemma rsum_cut (f : nat -> R) c : (n <= c)%nat -> rsum c (fun i => if (i <? n)%nat then f i else 0) = rsum n f.
  Proof.
    intros L. induction L as [|c L IH].
    - apply rsum_ext. intros i Hi. now rewrite (proj2 (Nat.ltb_lt i n) Hi).
    - rewrite rsum_S, IH, (proj2 (Nat.ltb_ge c n) L). ring.
  Qed.

  Lemma exact_lanes : rsum 8 (fun l => exact_lane l (chunks n)) = exact_norm2 n y.
  Proof.
    unfold exact_lane. rewrite rsum_swap.
    rewrite (rsum_chunks (fun i => if (i <? n)%nat then y i * y i else 0) (chunks n)).
    apply (rsum_cut (fun i => y i * y i)). unfold chunks.
    pose proof (Nat.div_mod_eq (n + 7) 8). pose proof (Nat.mod_upper_bound (n + 7) 8). lia.
  Qed.

  Lemma close_inner : close (3 + chunks n) (inner n y y) (exact_norm2 n y).
  Proof. rewrite <- exact_lanes. apply close_fold. intros l. apply close_lane. Qed.

  (** norm(y)² is ‖y‖² up to m + 2 roundings. *)
  Lemma norm_bounds : let m := (5 + chunks n)%nat in let v := float_norm n y in
    big (-500) v /\ exact_norm2 n y * (1 - u) ^ m <= v * v <= exact_norm2 n y * (1 + u) ^ m.
  Proof.
    destruct close_inner as (B & P & L & U). set (q := inner n y y) in *. set (e := exact_norm2 n y) in *.
    pose proof u_pos. pose proof u_small. pose proof (big_nonneg _ _ B) as PS. pose proof (sqrt_def q PS) as Q.
    assert (BR : big (-500) (sqrt q)).
    { destruct B as [Z|B]; [left; rewrite Z; apply sqrt_0 | right].
      replace (bpow radix2 (-500)) with (sqrt (bpow radix2 (-1000))); [now apply sqrt_le_1_alt|].
      apply sqrt_lem_1; try apply bpow_ge_0. now rewrite <- bpow_plus. }
    destruct (rnd_bounds (sqrt q)) as [RL RU]; [apply (big_weaken (-500)); [lia | exact BR]|].
    fold (float_norm n y) in RL, RU. unfold float_norm in *. fold q in RL, RU. set (v := rnd (sqrt q)) in *.
    pose proof (sqrt_pos q) as P0. cbv zeta. split; [apply rnd_big; [lia | exact BR]|].
    replace (5 + chunks n)%nat with (S (S (3 + chunks n))) by lia.
    change ((1 - u) ^ S (S (3 + chunks n))) with ((1 - u) * ((1 - u) * (1 - u) ^ (3 + chunks n))).
    change ((1 + u) ^ S (S (3 + chunks n))) with ((1 + u) * ((1 + u) * (1 + u) ^ (3 + chunks n))).
    set (pl := (1 - u) ^ (3 + chunks n)) in *. set (pu := (1 + u) ^ (3 + chunks n)) in *.
    assert (V0 : 0 <= sqrt q * (1 - u)) by (apply Rmult_le_pos; lra).
    assert (V1 : 0 <= v) by exact (Rle_trans _ _ _ V0 RL).
    split.
    - replace (e * ((1 - u) * ((1 - u) * pl))) with (e * pl * ((1 - u) * (1 - u))) by ring.
      apply Rle_trans with (sqrt q * (1 - u) * (sqrt q * (1 - u))).
      + replace (sqrt q * (1 - u) * (sqrt q * (1 - u))) with (q * ((1 - u) * (1 - u))) by (rewrite <- Q at 1; ring).
        apply Rmult_le_compat_r; [nra | exact L].
      + apply Rmult_le_compat; try exact V0; exact RL.
    - replace (e * ((1 + u) * ((1 + u) * pu))) with (e * pu * ((1 + u) * (1 + u))) by ring.
      apply Rle_trans with (sqrt q * (1 + u) * (sqrt q * (1 + u))).
      + apply Rmult_le_compat; try exact V1; exact RU.
      + replace (sqrt q * (1 + u) * (sqrt q * (1 + u))) with (q * ((1 + u) * (1 + u))) by (rewrite <- Q at 1; ring).
        apply Rmult_le_compat_r; [nra | exact U].
  Qed.
End Inner.

(** ** The arithmetic of many roundings *)

Lemma bernoulli j : 1 - INR j * u <= (1 - u) ^ j.
Proof.
  pose proof u_pos. pose proof u_small. induction j as [|j IH]; [simpl; lra|]. rewrite S_INR. simpl.
  pose proof (pos_INR j). assert (0 <= INR j * u) by (apply Rmult_le_pos; lra).
  apply Rle_trans with ((1 - u) * (1 - INR j * u)); [nra | apply Rmult_le_compat_l; lra].
Qed.

Lemma up_down j : (1 + u) ^ j * (1 - u) ^ j <= 1.
Proof.
  pose proof u_pos. pose proof u_small. rewrite <- Rpow_mult_distr. replace 1 with (1 ^ j) at 3 by apply pow1.
  apply pow_incr. nra.
Qed.

(** j roundings up and l down fit into 1 + ku, squared, when 2k exceeds j + l. *)
Lemma roundings j l k : INR (j + l) * INR (S (j + l)) * u <= 1 -> (j + l + 1 <= 2 * k)%nat ->
  (1 + u) ^ j <= (1 + INR k * u) * (1 + INR k * u) * (1 - u) ^ l.
Proof.
  intros HN Hk. pose proof u_pos as Pu. pose proof u_small as Su. set (N := INR (j + l)) in *. rewrite S_INR in HN. fold N in HN.
  assert (PN : 0 <= N) by apply pos_INR.
  assert (K : N + 1 <= 2 * INR k).
  { apply le_INR in Hk. rewrite plus_INR, mult_INR in Hk. fold N in Hk. simpl in Hk. lra. }
  assert (Pj : 0 < (1 - u) ^ j) by (apply pow_lt; lra).
  apply (Rmult_le_reg_r ((1 - u) ^ j)); [exact Pj|].
  eapply Rle_trans; [apply up_down|].
  rewrite Rmult_assoc, <- pow_add, (Nat.add_comm l j).
  pose proof (bernoulli (j + l)) as B. fold N in B.
  assert (P0 : 0 <= INR k) by apply pos_INR. assert (Pk : 0 <= INR k * u) by (apply Rmult_le_pos; lra).
  assert (A : 1 + (N + 1) * u <= (1 + INR k * u) * (1 + INR k * u)).
  { assert ((N + 1) * u <= 2 * INR k * u) by (apply Rmult_le_compat_r; lra). nra. }
  assert (C : 1 <= (1 + (N + 1) * u) * (1 - N * u)).
  { replace ((1 + (N + 1) * u) * (1 - N * u)) with (1 + u * (1 - N * (N + 1) * u)) by ring.
    assert (0 <= u * (1 - N * (N + 1) * u)) by (apply Rmult_le_pos; lra). lra. }
  assert (D : 0 <= 1 + (N + 1) * u) by (assert (0 <= (N + 1) * u) by (apply Rmult_le_pos; lra); lra).
  apply Rle_trans with (1 := C).
  apply Rle_trans with ((1 + (N + 1) * u) * (1 - u) ^ (j + l)); [apply Rmult_le_compat_l; assumption|].
  apply Rmult_le_compat_r; [apply pow_le; lra | exact A].
Qed.

(** ** The projection *)
Section Project.
  Variables (d : nat) (D : R) (y : nat -> R).
  Hypothesis range : in_range d D y.
  Let c := chunks d.
  Let v := float_norm d y.
  Let z := float_project d D y.

  Lemma D_pos : 0 < D.
  Proof. destruct range as (_ & [H _] & _). pose proof (bpow_gt_0 radix2 (-150)). lra. Qed.

  Lemma chunks_bound : (Z.of_nat c <= 33554433)%Z.
  Proof.
    destruct range as (H & _). change (2 ^ 28)%Z with 268435456%Z in H. unfold c, chunks.
    pose proof (Nat.div_mod_eq (d + 7) 8). pose proof (Nat.mod_upper_bound (d + 7) 8). lia.
  Qed.

  Lemma few_roundings N : (N <= 2 * c + 18)%nat -> INR N * INR (S N) * u <= 1.
  Proof.
    intros H. pose proof chunks_bound as C. pose proof u_pos. pose proof u_small as Su.
    rewrite <- mult_INR, INR_IZR_INZ.
    assert (IZR (Z.of_nat (N * S N)) <= 9007199254740992) by (apply IZR_le; nia).
    apply Rle_trans with (9007199254740992 * u); [apply Rmult_le_compat_r; lra | lra].
  Qed.

  Lemma pow_two_bound : (1 + u) ^ (5 + c) <= 4.
  Proof.
    pose proof (roundings (5 + c) 0 (6 + c)) as H. pose proof u_pos. pose proof u_small. pose proof chunks_bound as C.
    assert (A : INR (6 + c) * u <= 1).
    { rewrite INR_IZR_INZ. assert (IZR (Z.of_nat (6 + c)) <= 9007199254740992) by (apply IZR_le; lia).
      apply Rle_trans with (9007199254740992 * u); [apply Rmult_le_compat_r; lra | lra]. }
    eapply Rle_trans; [apply H; [apply few_roundings; lia | lia]|]. simpl ((1 - u) ^ 0).
    assert (0 <= INR (6 + c) * u) by (apply Rmult_le_pos; [apply pos_INR | lra]). nra.
  Qed.

  Lemma square_big e x : x = 0 \/ bpow radix2 e <= Rabs x -> big (e + e) (x * x).
  Proof.
    intros [->|H]; [left; ring | right]. rewrite bpow_plus.
    replace (x * x) with (Rabs x * Rabs x) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
    apply Rmult_le_compat; try assumption; apply bpow_ge_0.
  Qed.

  Lemma squares_y i : (i < d)%nat -> big (-1000) (y i * y i).
  Proof.
    intros Hi. destruct range as (_ & _ & H). apply (big_weaken (-98 + -98)); [lia|]. apply square_big.
    destruct (H i Hi) as [Z|[L _]]; [now left | now right].
  Qed.

  Lemma exact_norm2_bound : exact_norm2 d y <= bpow radix2 328.
  Proof.
    destruct range as (Hd & _ & H). change (2 ^ 28)%Z with 268435456%Z in Hd.
    apply Rle_trans with (rsum d (fun _ => bpow radix2 300)).
    - apply rsum_le. intros i Hi. replace (y i * y i) with (Rabs (y i) * Rabs (y i)) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
      change 300%Z with (150 + 150)%Z. rewrite bpow_plus. pose proof (bpow_gt_0 radix2 150).
      apply Rmult_le_compat; try apply Rabs_pos; destruct (H i Hi) as [Z|[_ U]]; try exact U; rewrite Z, Rabs_R0; lra.
    - rewrite rsum_const. change 328%Z with (28 + 300)%Z. rewrite bpow_plus. apply Rmult_le_compat_r; [apply bpow_ge_0|].
      rewrite INR_IZR_INZ. change (bpow radix2 28) with (IZR 268435456). now apply IZR_le.
  Qed.

  (** The scale factor, where it is used: at least 2^−315, at most (D/n)(1 + u). *)
  Lemma scale_bounds : D < v -> let s := rnd (D / v) in bpow radix2 (-315) <= s /\ s * v <= D * (1 + u).
  Proof.
    intros Hv s. pose proof D_pos as PD. destruct (norm_bounds d y squares_y) as (_ & _ & U). fold v c in U.
    assert (Bv : v <= bpow radix2 165).
    { apply Rnot_lt_le. intros G. pose proof (bpow_gt_0 radix2 165) as P.
      assert (bpow radix2 165 * bpow radix2 165 < v * v) by (apply Rmult_le_0_lt_compat; lra).
      rewrite <- bpow_plus in H. change (165 + 165)%Z with (2 + 328)%Z in H. rewrite bpow_plus in H.
      change (bpow radix2 2) with 4 in H.
      assert (exact_norm2 d y * (1 + u) ^ (5 + c) <= bpow radix2 328 * 4).
      { apply Rmult_le_compat; [apply rsum_nonneg; intros; nra | apply pow_le; pose proof u_pos; lra |
          apply exact_norm2_bound | apply pow_two_bound]. }
      lra. }
    assert (Bs : bpow radix2 (-315) <= D / v).
    { apply (Rmult_le_reg_r v); [lra|]. replace (D / v * v) with D by (field; lra).
      apply Rle_trans with (bpow radix2 (-315) * bpow radix2 165); [apply Rmult_le_compat_l; [apply bpow_ge_0 | exact Bv]|].
      rewrite <- bpow_plus. destruct range as (_ & [H _] & _). exact H. }
    split.
    - apply round_ge_generic; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N | | exact Bs].
      apply generic_format_FLT_bpow; [reflexivity | lia].
    - destruct (rnd_bounds (D / v)) as [_ R]; [right; eapply Rle_trans; [|exact Bs]; apply bpow_le; lia|].
      apply (Rmult_le_compat_r v) in R; [|lra]. replace (D / v * (1 + u) * v) with (D * (1 + u)) in R by (field; lra). exact R.
  Qed.

  (** A component of the scaled point: no underflow, one rounding. *)
  Lemma component i s : (i < d)%nat -> bpow radix2 (-315) <= s ->
    (rnd (y i * s) = 0 \/ bpow radix2 (-413) <= Rabs (rnd (y i * s))) /\ Rabs (rnd (y i * s)) <= Rabs (y i) * s * (1 + u).
  Proof.
    intros Hi Hs. pose proof (bpow_gt_0 radix2 (-315)). assert (A : Rabs (y i * s) = Rabs (y i) * s)
      by (rewrite Rabs_mult, (Rabs_pos_eq s) by lra; reflexivity).
    destruct range as (_ & _ & H0). destruct (H0 i Hi) as [Z|[L _]].
    - rewrite Z, Rmult_0_l, rnd_0, Rabs_R0. split; [now left | lra].
    - assert (B : bpow radix2 (-413) <= Rabs (y i * s)).
      { rewrite A. change (-413)%Z with (-98 + -315)%Z. rewrite bpow_plus.
        apply Rmult_le_compat; try assumption; apply bpow_ge_0. }
      split.
      + right. unfold rnd. rewrite <- round_NE_abs by (apply FLT_exp_valid; reflexivity).
        apply round_ge_generic; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N | | exact B].
        apply generic_format_FLT_bpow; [reflexivity | lia].
      + rewrite <- A. apply rnd_abs. right. eapply Rle_trans; [|exact B]. apply bpow_le; lia.
  Qed.

  Lemma squares_z i : (i < d)%nat -> big (-1000) (z i * z i).
  Proof.
    intros Hi. unfold z, float_project. fold v. destruct (Rle_dec v D) as [H|H]; [now apply squares_y|].
    apply (big_weaken (-413 + -413)); [lia|]. apply square_big.
    now apply (component i _ Hi), scale_bounds, Rnot_le_lt.
  Qed.

  (** ‖Π(y)‖² is at most D² up to m + 2 roundings down and four up. *)
  Lemma projected_norm : exact_norm2 d z * (1 - u) ^ (5 + c) <= D * D * (1 + u) ^ 4.
  Proof.
    pose proof u_pos as Pu. pose proof u_small as Su. pose proof D_pos as PD.
    destruct (norm_bounds d y squares_y) as (Bv & L & _). fold v c in Bv, L. pose proof (big_nonneg _ _ Bv) as Pv.
    assert (Pp : 0 <= (1 - u) ^ (5 + c)) by (apply pow_le; lra).
    unfold z, float_project. fold v. destruct (Rle_dec v D) as [H|H].
    - eapply Rle_trans; [exact L|]. apply Rle_trans with (D * D); [apply Rmult_le_compat; lra|].
      assert (1 <= (1 + u) ^ 4) by (apply pow_R1_Rle; lra). nra.
    - apply Rnot_le_lt in H. destruct (scale_bounds H) as [Hs Sv]. set (s := rnd (D / v)) in *.
      pose proof (bpow_gt_0 radix2 (-315)). assert (Ps : 0 <= s) by lra.
      set (t := s * (1 + u)). assert (Pt : 0 <= t) by (apply Rmult_le_pos; lra).
      assert (Z : exact_norm2 d (fun i => rnd (y i * s)) <= exact_norm2 d y * (t * t)).
      { unfold exact_norm2. rewrite Rmult_comm, <- rsum_mul. apply rsum_le. intros i Hi.
        destruct (component i s Hi Hs) as [_ C].
        replace (rnd (y i * s) * rnd (y i * s)) with (Rabs (rnd (y i * s)) * Rabs (rnd (y i * s)))
          by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra).
        replace (t * t * (y i * y i)) with (Rabs (y i) * t * (Rabs (y i) * t)).
        - replace (Rabs (y i) * s * (1 + u)) with (Rabs (y i) * t) in C by (unfold t; ring).
          apply Rmult_le_compat; try apply Rabs_pos; exact C.
        - replace (y i * y i) with (Rabs (y i) * Rabs (y i)) by (rewrite <- Rabs_mult; apply Rabs_pos_eq; nra). ring. }
      change (exact_norm2 d (fun i => rnd (y i * s)) * (1 - u) ^ (5 + c) <= D * D * (1 + u) ^ 4).
      apply Rle_trans with (exact_norm2 d y * (t * t) * (1 - u) ^ (5 + c)); [apply Rmult_le_compat_r; assumption|].
      replace (exact_norm2 d y * (t * t) * (1 - u) ^ (5 + c)) with (exact_norm2 d y * (1 - u) ^ (5 + c) * (t * t)) by ring.
      apply Rle_trans with (v * v * (t * t)); [apply Rmult_le_compat_r; [nra | exact L]|].
      replace (v * v * (t * t)) with (s * v * (s * v) * ((1 + u) * (1 + u))) by (unfold t; ring).
      replace (D * D * (1 + u) ^ 4) with (D * (1 + u) * (D * (1 + u)) * ((1 + u) * (1 + u))) by ring.
      apply Rmult_le_compat_r; [nra|]. assert (0 <= s * v) by (apply Rmult_le_pos; assumption).
      apply Rmult_le_compat; assumption.
  Qed.

  Lemma from_squares a b : 0 <= b -> a * a <= b * b -> a <= b.
  Proof. intros Hb H. apply Rnot_lt_le. intros G. assert (b * b < a * a) by (apply Rmult_le_0_lt_compat; lra). lra. Qed.

  Lemma pow_down_pos j : 0 < (1 - u) ^ j.
  Proof. apply pow_lt. pose proof u_pos. pose proof u_small. lra. Qed.

  Lemma true_norm k : (c + 10 <= 2 * k)%nat -> sqrt (exact_norm2 d z) <= D * (1 + INR k * u).
  Proof.
    intros Hk. pose proof D_pos as PD. pose proof u_pos as Pu. pose proof (pos_INR k) as Pk.
    assert (Q : 0 <= exact_norm2 d z) by (apply rsum_nonneg; intros; nra).
    assert (P1 : 0 <= INR k * u) by (apply Rmult_le_pos; lra).
    apply from_squares; [apply Rmult_le_pos; lra|]. rewrite sqrt_def by exact Q.
    apply (Rmult_le_reg_r ((1 - u) ^ (5 + c))); [apply pow_down_pos|].
    eapply Rle_trans; [apply projected_norm|].
    replace (D * (1 + INR k * u) * (D * (1 + INR k * u)) * (1 - u) ^ (5 + c))
      with (D * D * ((1 + INR k * u) * (1 + INR k * u) * (1 - u) ^ (5 + c))) by ring.
    apply Rmult_le_compat_l; [nra|]. apply roundings; [apply few_roundings; lia | lia].
  Qed.

  Lemma computed_norm σ : INR (c + 10) * u <= σ -> float_norm d z <= rnd (D * rnd (1 + σ)).
  Proof.
    intros Hσ. pose proof D_pos as PD. pose proof u_pos as Pu. pose proof u_small as Su. set (k := (c + 10)%nat) in *.
    assert (P1 : 0 <= INR k * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    destruct (norm_bounds d z squares_z) as (Bz & _ & Uz). fold c in Uz. set (w := float_norm d z) in *.
    set (b := D * (1 + INR k * u) * (1 - u) * (1 - u)).
    (* the right-hand side is not far below D (1 + ku) *)
    assert (RHS : b <= rnd (D * rnd (1 + σ))).
    { assert (O : bpow radix2 0 <= 1 + σ) by (simpl; lra).
      destruct (rnd_bounds (1 + σ)) as [R1 _]; [right; eapply Rle_trans; [|exact O]; apply bpow_le; lia|].
      assert (R0 : bpow radix2 0 <= rnd (1 + σ)).
      { apply round_ge_generic; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N | | exact O].
        apply generic_format_FLT_bpow; [reflexivity | lia]. }
      destruct (rnd_bounds (D * rnd (1 + σ))) as [R2 _].
      { right. destruct range as (_ & [HD _] & _). apply Rle_trans with (bpow radix2 (-150) * bpow radix2 0).
        - rewrite <- bpow_plus. apply bpow_le. lia.
        - apply Rmult_le_compat; try assumption; apply bpow_ge_0. }
      eapply Rle_trans; [|exact R2]. unfold b. apply Rmult_le_compat_r; [lra|]. rewrite Rmult_assoc.
      apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [|exact R1]. apply Rmult_le_compat_r; lra. }
    eapply Rle_trans; [|exact RHS].
    assert (Pb : 0 <= b) by (unfold b; repeat apply Rmult_le_pos; lra).
    apply from_squares; [exact Pb|]. eapply Rle_trans; [exact Uz|].
    apply (Rmult_le_reg_r ((1 - u) ^ (5 + c))); [apply pow_down_pos|].
    replace (exact_norm2 d z * (1 + u) ^ (5 + c) * (1 - u) ^ (5 + c))
      with (exact_norm2 d z * (1 - u) ^ (5 + c) * (1 + u) ^ (5 + c)) by ring.
    apply Rle_trans with (D * D * (1 + u) ^ 4 * (1 + u) ^ (5 + c)).
    - apply Rmult_le_compat_r; [apply pow_le; lra | apply projected_norm].
    - rewrite Rmult_assoc, <- pow_add.
      replace (b * b * (1 - u) ^ (5 + c)) with (D * D * ((1 + INR k * u) * (1 + INR k * u) * (1 - u) ^ (4 + (5 + c))))
        by (unfold b; rewrite (pow_add _ 4 (5 + c)); ring).
      apply Rmult_le_compat_l; [nra|]. apply roundings; [apply few_roundings | unfold k]; lia.
  Qed.
End Project.

Theorem float_projection : Float_projection.
Proof. intros d D y k H Hk. now apply true_norm. Qed.

Theorem float_assertion : Float_assertion.
Proof. intros d D y σ H Hσ. now apply computed_norm. Qed.
