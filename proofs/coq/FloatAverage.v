(** * The f64 average of K iterates, for every K and every dimension

    θ_t as the library computes it: summed in order from 0, then times 1/K, itself rounded once.  Cancellation may
    make a sum tiny, so underflow is part of the proof. *)

From Coq Require Import Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core Relative Plus_error.
From OPD Require Import RealSums FloatProjection.
Local Open Scope R_scope.

(** ** The model *)

(** The numbers of binary64, overflow apart. *)
Definition double (x : R) : Prop := generic_format radix2 (FLT_exp (-1074) 53) x.

Fixpoint accumulate (t : nat -> R) (k : nat) : R :=
  match k with O => 0 | S k => rnd (accumulate t k + t k) end.

Definition float_average (k : nat) (t : nat -> R) : R := rnd (accumulate t k * rnd (1 / INR k)).

(** ** The claim *)

(** Iterates of norm at most B have a computed average of norm at most B(1 + (K+2)u). *)
Definition Float_average : Prop := forall (d k : nat) (B : R) (t : nat -> nat -> R),
  (0 < k)%nat -> (Z.of_nat k <= 2 ^ 20)%Z -> (Z.of_nat d <= 2 ^ 28)%Z -> bpow radix2 (-150) <= B ->
  (forall j i, (j < k)%nat -> (i < d)%nat -> double (t j i)) ->
  (forall j, (j < k)%nat -> exact_norm2 d (t j) <= B * B) ->
  sqrt (exact_norm2 d (fun i => float_average k (fun j => t j i))) <= B * (1 + INR (k + 2) * u).

(** ** One component *)

Lemma double_rnd x : double (rnd x).
Proof. apply generic_format_round; [apply FLT_exp_valid; reflexivity | apply valid_rnd_N]. Qed.

#[export] Instance precision_positive : Prec_gt_0 53 := eq_refl.

(** A sum of two doubles has a relative error, however small it is. *)
Lemma rnd_sum_error x y : double x -> double y -> Rabs (rnd (x + y) - (x + y)) <= u * Rabs (x + y).
Proof.
  intros Hx Hy. destruct (FLT_plus_error_N_ex radix2 (-1074) 53 (fun x => negb (Z.even x)) x y Hx Hy) as [e [He E]].
  change (rnd (x + y) = (x + y) * (1 + e)) in E. pose proof u_pos as Pu.
  replace (rnd (x + y) - (x + y)) with ((x + y) * e) by (rewrite E; ring). rewrite Rabs_mult, Rmult_comm.
  apply Rmult_le_compat_r; [apply Rabs_pos|]. eapply Rle_trans; [exact He|].
  assert (U : u_ro radix2 53 = u).
  { unfold u_ro. change u with (/ IZR 9007199254740992). change (bpow radix2 (- (53) + 1)) with (/ IZR 4503599627370496). field. }
  rewrite U. apply (Rmult_le_reg_r (1 + u)); [lra|]. replace (u / (1 + u) * (1 + u)) with u by (field; lra). nra.
Qed.

Lemma rnd_sum x y : double x -> double y -> Rabs (rnd (x + y)) <= (Rabs x + Rabs y) * (1 + u).
Proof.
  intros Hx Hy. pose proof (rnd_sum_error x y Hx Hy) as E. pose proof (Rabs_triang x y) as T. pose proof u_pos.
  replace (rnd (x + y)) with ((rnd (x + y) - (x + y)) + (x + y)) by ring. eapply Rle_trans; [apply Rabs_triang|].
  apply Rle_trans with (Rabs (x + y) * (1 + u)); [lra | apply Rmult_le_compat_r; lra].
Qed.

(** Half the smallest positive double. *)
Definition τ : R := / 2 * bpow radix2 (-1074).

(** Any rounding: a relative error, or an absolute one below the smallest double. *)
Lemma rnd_any x : Rabs (rnd x) <= Rabs x * (1 + u) + τ.
Proof.
  destruct (error_N_FLT radix2 (-1074) 53 (eq_refl : (0 < 53)%Z) (fun x => negb (Z.even x)) x) as (e & h & He & Hh & _ & E).
  change (rnd x = x * (1 + e) + h) in E. rewrite E. eapply Rle_trans; [apply Rabs_triang|].
  apply Rplus_le_compat; [|exact Hh]. rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|].
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_R1. apply Rplus_le_compat_l.
  replace u with (/ 2 * bpow radix2 (- (53) + 1)); [exact He|].
  change u with (/ IZR 9007199254740992). change (bpow radix2 (- (53) + 1)) with (/ IZR 4503599627370496). field.
Qed.

(** |Σ| ≤ (1+u)^{K−1} Σ|t_k|: the first sum, 0 + t_1, is exact. *)
Lemma accumulate_bound t k : (forall j, (j <= k)%nat -> double (t j)) ->
  Rabs (accumulate t (S k)) <= rsum (S k) (fun j => Rabs (t j)) * (1 + u) ^ k.
Proof.
  pose proof u_pos as Pu. induction k as [|k IH]; intros H.
  - cbn [accumulate]. rewrite rsum_S, Rplus_0_l. change (rsum 0 _) with 0.
    replace (rnd (t 0%nat)) with (t 0%nat); [simpl; lra|]. symmetry. apply round_generic; [apply valid_rnd_N | apply H; lia].
  - change (accumulate t (S (S k))) with (rnd (accumulate t (S k) + t (S k))).
    eapply Rle_trans; [apply rnd_sum; [apply double_rnd | apply H; lia]|].
    rewrite rsum_S. specialize (IH (fun j Hj => H j (le_S _ _ Hj))).
    assert (P : 1 <= (1 + u) ^ k) by (apply pow_R1_Rle; lra).
    simpl ((1 + u) ^ S k). rewrite (Rmult_comm (1 + u)), <- Rmult_assoc. apply Rmult_le_compat_r; [lra|].
    rewrite Rmult_plus_distr_r. apply Rplus_le_compat; [exact IH|].
    rewrite <- (Rmult_1_r (Rabs (t (S k)))) at 1. apply Rmult_le_compat_l; [apply Rabs_pos | exact P].
Qed.

Lemma average_component t k : (0 < k)%nat -> (Z.of_nat k <= 2 ^ 20)%Z -> (forall j, (j < k)%nat -> double (t j)) ->
  Rabs (float_average k t) <= rsum k (fun j => Rabs (t j)) / INR k * (1 + u) ^ (k + 1) + τ.
Proof.
  intros Hk HK H. pose proof u_pos as Pu. assert (Pk : 0 < INR k) by now apply lt_0_INR.
  set (S := rsum k (fun j => Rabs (t j))).
  assert (PS : 0 <= S) by (apply rsum_nonneg; intros; apply Rabs_pos).
  assert (A : Rabs (accumulate t k) <= S * (1 + u) ^ (k - 1)).
  { unfold S. destruct k as [|k]; [lia|]. replace (Datatypes.S k - 1)%nat with k by lia.
    apply accumulate_bound. intros j Hj. apply H. lia. }
  assert (W : 0 <= rnd (1 / INR k) <= 1 / INR k * (1 + u)).
  { assert (B : big (-1022) (1 / INR k)).
    { right. change (2 ^ 20)%Z with 1048576%Z in HK. apply Rle_trans with (bpow radix2 (-20)); [apply bpow_le; lia|].
      change (bpow radix2 (-20)) with (/ IZR 1048576). unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le; [exact Pk|].
      rewrite INR_IZR_INZ. now apply IZR_le. }
    split; [|now apply rnd_bounds]. apply (big_nonneg (-1022)). apply rnd_big; [lia | exact B]. }
  eapply Rle_trans; [apply rnd_any|]. apply Rplus_le_compat_r. rewrite Rabs_mult, (Rabs_pos_eq (rnd _)) by apply W.
  replace (k + 1)%nat with (k - 1 + 2)%nat by lia. rewrite pow_add.
  replace (S / INR k * ((1 + u) ^ (k - 1) * (1 + u) ^ 2)) with (S * (1 + u) ^ (k - 1) * (1 / INR k * (1 + u)) * (1 + u)) by (field; lra).
  apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat; [apply Rabs_pos | apply W | exact A | apply W].
Qed.

(** ** The norm *)

(** (Σ_k a_k)² ≤ K Σ_k a_k² *)
Lemma square_of_sum k (a : nat -> R) : rsum k a * rsum k a <= INR k * rsum k (fun j => a j * a j).
Proof.
  induction k as [|k IH]; [change (rsum 0 a) with 0; change (rsum 0 (fun j => a j * a j)) with 0; simpl; lra|].
  rewrite !rsum_S, S_INR. set (s := rsum k a) in *. set (q := rsum k (fun j => a j * a j)) in *. set (x := a k).
  assert (C : 2 * s * x <= q + INR k * (x * x)).
  { assert (G : rsum k (fun j => (a j - x) * (a j - x)) = q - 2 * x * s + INR k * (x * x)).
    { rewrite (rsum_ext k _ (fun j => (a j * a j - 2 * x * a j) + x * x)) by (intros; ring).
      rewrite rsum_add, rsum_sub, rsum_mul, rsum_const. reflexivity. }
    assert (0 <= rsum k (fun j => (a j - x) * (a j - x))) by (apply rsum_nonneg; intros; apply Rle_0_sqr). lra. }
  replace ((s + x) * (s + x)) with (s * s + 2 * s * x + x * x) by ring. lra.
Qed.

Lemma sqr_abs x : Rabs x * Rabs x = x * x.
Proof. rewrite <- Rabs_mult. apply Rabs_pos_eq, Rle_0_sqr. Qed.

Lemma τ_small (d : nat) (B : R) : (Z.of_nat d <= 2 ^ 28)%Z -> bpow radix2 (-150) <= B ->
  INR d * ((1 + 4 / u) * (τ * τ)) <= u / 4 * (B * B).
Proof.
  intros Hd HB. pose proof u_pos as Pu. pose proof u_small as Su. change (2 ^ 28)%Z with 268435456%Z in Hd.
  assert (Pt : 0 <= τ) by (unfold τ; pose proof (bpow_ge_0 radix2 (-1074)); lra).
  assert (T : τ <= bpow radix2 (-1000)).
  { unfold τ. pose proof (bpow_ge_0 radix2 (-1074)). apply Rle_trans with (bpow radix2 (-1074)); [lra | apply bpow_le; lia]. }
  assert (TT : τ * τ <= bpow radix2 (-2000)).
  { change (-2000)%Z with (-1000 + -1000)%Z. rewrite bpow_plus. now apply Rmult_le_compat. }
  assert (D : INR d <= bpow radix2 28) by (rewrite INR_IZR_INZ; change (bpow radix2 28) with (IZR 268435456); now apply IZR_le).
  assert (I : 1 + 4 / u <= bpow radix2 56).
  { change (bpow radix2 56) with (IZR 72057594037927936). replace (4 / u) with 36028797018963968; [lra|].
    apply (Rmult_eq_reg_r u); [|lra]. replace (4 / u * u) with 4 by (field; lra). lra. }
  assert (P4 : 0 <= 1 + 4 / u) by (assert (0 < 4 / u) by (apply Rdiv_lt_0_compat; lra); lra).
  apply Rle_trans with (bpow radix2 28 * (bpow radix2 56 * bpow radix2 (-2000))).
  - apply Rmult_le_compat; [apply pos_INR | apply Rmult_le_pos; [exact P4 | now apply Rmult_le_pos] | exact D |].
    apply Rmult_le_compat; [exact P4 | now apply Rmult_le_pos | exact I | exact TT].
  - rewrite <- !bpow_plus. apply Rle_trans with (bpow radix2 (-55) * (bpow radix2 (-150) * bpow radix2 (-150))).
    + rewrite <- !bpow_plus. apply bpow_le. lia.
    + apply Rmult_le_compat; [apply bpow_ge_0 | apply Rmult_le_pos; apply bpow_ge_0 | |
        apply Rmult_le_compat; try assumption; apply bpow_ge_0].
      change u with (/ IZR 9007199254740992). change (bpow radix2 (-55)) with (/ IZR 36028797018963968). lra.
Qed.

Theorem float_average_norm : Float_average.
Proof.
  intros d k B t Hk HK Hd HB Ht Hn. pose proof u_pos as Pu. pose proof u_small as Su.
  assert (PB : 0 < B) by (pose proof (bpow_gt_0 radix2 (-150)); lra). assert (Pk : 0 < INR k) by now apply lt_0_INR.
  set (p := (1 + u) ^ (k + 1)). assert (P1 : 0 <= p) by (apply pow_le; lra).
  set (a := fun i => rsum k (fun j => Rabs (t j i)) / INR k * p).
  set (m := fun i => float_average k (fun j => t j i)).
  assert (Pt : 0 <= τ) by (unfold τ; pose proof (bpow_ge_0 radix2 (-1074)); lra).
  (* the vector of sums of sizes, by Cauchy and Schwarz *)
  assert (A : rsum d (fun i => a i * a i) <= p * p * (B * B)).
  { apply Rle_trans with (rsum d (fun i => p * p / INR k * rsum k (fun j => t j i * t j i))).
    - apply rsum_le. intros i _. unfold a.
      pose proof (square_of_sum k (fun j => Rabs (t j i))) as C. cbv beta in C.
      rewrite (rsum_ext k (fun j => Rabs (t j i) * Rabs (t j i)) (fun j => t j i * t j i)) in C by (intros; apply sqr_abs).
      set (s := rsum k (fun j => Rabs (t j i))) in *. set (q := rsum k (fun j => t j i * t j i)) in *.
      replace (s / INR k * p * (s / INR k * p)) with (p * p / (INR k * INR k) * (s * s)) by (field; lra).
      replace (p * p / INR k * q) with (p * p / (INR k * INR k) * (INR k * q)) by (field; lra).
      apply Rmult_le_compat_l; [|exact C]. apply Rmult_le_pos; [now apply Rmult_le_pos | apply Rlt_le, Rinv_0_lt_compat; nra].
    - rewrite rsum_mul, rsum_swap.
      apply Rle_trans with (p * p / INR k * rsum k (fun _ => B * B)).
      + apply Rmult_le_compat_l; [apply Rmult_le_pos; [now apply Rmult_le_pos | apply Rlt_le, Rinv_0_lt_compat; lra]|].
        apply rsum_le. intros j Hj. now apply Hn.
      + rewrite rsum_const. apply Req_le. field. lra. }
  (* each component is within τ of it *)
  assert (M : exact_norm2 d m <= (1 + u / 4) * (p * p * (B * B)) + u / 4 * (B * B)).
  { apply Rle_trans with (rsum d (fun i => (1 + u / 4) * (a i * a i) + (1 + 4 / u) * (τ * τ))).
    - apply rsum_le. intros i Hi. rewrite <- sqr_abs.
      assert (C : Rabs (m i) <= a i + τ) by (apply average_component; [exact Hk | exact HK | intros j Hj; now apply Ht]).
      assert (0 <= a i) by (eapply Rmult_le_pos; [apply Rmult_le_pos; [apply rsum_nonneg; intros; apply Rabs_pos | apply Rlt_le, Rinv_0_lt_compat; lra] | exact P1]).
      apply Rle_trans with ((a i + τ) * (a i + τ)); [apply Rmult_le_compat; try apply Rabs_pos; exact C|].
      assert (S : 0 <= (a i * u / 2 - 2 * τ) * (a i * u / 2 - 2 * τ)) by apply Rle_0_sqr.
      assert (E : (1 + u / 4) * (a i * a i) + (1 + 4 / u) * (τ * τ) - (a i + τ) * (a i + τ)
        = (a i * u / 2 - 2 * τ) * (a i * u / 2 - 2 * τ) * / u) by (field; lra).
      assert (0 <= (a i * u / 2 - 2 * τ) * (a i * u / 2 - 2 * τ) * / u) by (apply Rmult_le_pos; [exact S | apply Rlt_le, Rinv_0_lt_compat, Pu]).
      lra.
    - rewrite rsum_add, rsum_mul, rsum_const. apply Rplus_le_compat; [apply Rmult_le_compat_l; [lra | exact A] | now apply τ_small]. }
  (* the arithmetic *)
  set (K := (k + 2)%nat). assert (PK : 0 <= INR K * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  apply from_squares; [apply Rmult_le_pos; lra|].
  rewrite sqrt_def by (apply rsum_nonneg; intros; apply Rle_0_sqr).
  eapply Rle_trans; [exact M|].
  assert (R : (1 + u) ^ (2 * k + 3) <= (1 + INR K * u) * (1 + INR K * u) * (1 - u) ^ 0).
  { apply roundings; [|unfold K; lia]. rewrite <- mult_INR, INR_IZR_INZ. change (2 ^ 20)%Z with 1048576%Z in HK.
    assert (IZR (Z.of_nat ((2 * k + 3 + 0) * S (2 * k + 3 + 0))) <= 9007199254740992) by (apply IZR_le; nia).
    apply Rle_trans with (9007199254740992 * u); [apply Rmult_le_compat_r; lra | lra]. }
  simpl ((1 - u) ^ 0) in R. rewrite Rmult_1_r in R.
  replace (2 * k + 3)%nat with (k + 1 + (k + 1) + 1)%nat in R by lia. rewrite (pow_add _ (k + 1 + (k + 1)) 1), (pow_add _ (k + 1) (k + 1)) in R. fold p in R. rewrite pow_1 in R.
  assert (P2 : 1 <= p) by (apply pow_R1_Rle; lra). assert (P3 : 1 <= p * p) by nra.
  assert (Q : (1 + u / 4) * (p * p) + u / 4 <= p * p * (1 + u)) by nra.
  replace (B * (1 + INR K * u) * (B * (1 + INR K * u))) with (B * B * ((1 + INR K * u) * (1 + INR K * u))) by ring.
  replace ((1 + u / 4) * (p * p * (B * B)) + u / 4 * (B * B)) with (B * B * ((1 + u / 4) * (p * p) + u / 4)) by ring.
  apply Rmult_le_compat_l; [apply Rle_0_sqr|]. lra.
Qed.
