(** * Algorithm 1 in floating point: the errors of its estimators and steps (proof) *)

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

Section Estimators.
  Variables (M : linear_mdp RK) (weight : option (mat RK)) (N : mat RK) (fexp : R -> R) (k T : nat).
  Variables (α ζ η Dθ Dβ Dφ ν eΛ ex : R).
  Notation d := (dim M).
  Notation nA := (nA M).
  Let r := Sizes d nA k T α ζ η Dθ Dβ Dφ ν eΛ ex.
  Let Nf : mat RK := match weight with None => identity | Some A => A end.

  Hypothesis range : in_float_range r.
  Hypothesis exponential : exp_error fexp ex.
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA)%nat -> Ball d Dφ (φ M x a).
  Hypothesis absolute : forall v, (norm2 (K := RK) d (fun i => rsum d (fun j => Rabs (Nf i j) * Rabs (v j))%R) <= ν * ν * norm2 (K := RK) d v)%R.
  Hypothesis matrix : forall v, (norm2 (K := RK) d (vsub (K := RK) (mulv d Nf v) (mulv d N v)) <= eΛ * eΛ * norm2 (K := RK) d v)%R.

  Notation m := (3 + chunks d)%nat.
  Notation Bθ := (B_θ r). Notation Bβ := (B_β r).
  Notation mε := (INR (3 + chunks d) * ε).

  Lemma counts : (0 < nA /\ 0 < k /\ 0 < T)%nat /\
    (Z.of_nat d <= 2 ^ 28 /\ Z.of_nat nA <= 2 ^ 28 /\ Z.of_nat k <= 2 ^ 28 /\ Z.of_nat T <= 2 ^ 28)%Z.
  Proof. destruct range as (A & B & _). split; [exact A | exact B]. Qed.

  Lemma params : between α /\ between ζ /\ between η /\ between Dθ /\ between Dβ /\ between Dφ /\ between ν.
  Proof. apply range. Qed.

  Lemma count_ε n c : (Z.of_nat n <= c)%Z -> INR n * ε <= IZR c * ε.
  Proof. intros H. apply IZR_le in H. rewrite <- INR_IZR_INZ in H. apply Rmult_le_compat_r; [apply Rlt_le, ε_pos | exact H]. Qed.

  Lemma chunks_le n : (Z.of_nat n <= 2 ^ 28)%Z -> (Z.of_nat (3 + chunks n) <= 33554440)%Z.
  Proof.
    change (2 ^ 28)%Z with 268435456%Z. intros H. unfold chunks.
    pose proof (Nat.div_mod_eq (n + 7) 8). pose proof (Nat.mod_upper_bound (n + 7) 8). lia.
  Qed.

  (** All the counts of roundings are small: mε, (|A| + 2)ε and the like are below 2^−10. *)
  Lemma m_small : 0 <= mε <= / 1024.
  Proof.
    pose proof (count_ε m _ (chunks_le d (proj1 (proj2 counts)))). pose proof ε_small. pose proof ε_pos. pose proof (pos_INR m). split; nra.
  Qed.
  Lemma mA_small : 0 <= INR (3 + chunks nA) * ε <= / 1024.
  Proof.
    pose proof (count_ε _ _ (chunks_le nA (proj1 (proj2 (proj2 counts))))). pose proof ε_small. pose proof ε_pos. pose proof (pos_INR (3 + chunks nA)). split; nra.
  Qed.
  Lemma A_small : 0 <= INR nA * ε <= / 2048.
  Proof.
    pose proof counts as (_ & _ & H & _). pose proof (count_ε nA _ H) as C. change (IZR (2 ^ 28)) with 268435456 in C.
    pose proof ε_small. pose proof ε_pos. pose proof (pos_INR nA). split; nra.
  Qed.

  Lemma few_m : few m.
  Proof. unfold few. pose proof m_small. unfold ε in H. lra. Qed.
  Lemma few_mA : few (3 + chunks nA).
  Proof. unfold few. pose proof mA_small. unfold ε in H. lra. Qed.

  Lemma e_1_small : 0 <= e_1 r <= / 1024.
  Proof. unfold e_1. change (INR (s_A r)) with (INR nA). pose proof A_small. pose proof ε_pos. pose proof ε_small. split; nra. Qed.

  Lemma ε_tiny : 0 < ε <= / 1024.
  Proof. pose proof ε_pos. pose proof ε_small. split; lra. Qed.

  Lemma ge_Dφ : ge (-100) Dφ. Proof. apply params. Qed.
  Lemma ge_ν : ge (-100) ν. Proof. apply params. Qed.
  Lemma ge_η : ge (-100) η. Proof. apply params. Qed.
  Lemma ge_ζ : ge (-100) ζ. Proof. apply params. Qed.
  Lemma ge_α : ge (-100) α. Proof. apply params. Qed.
  Lemma ge_Bθ : ge (-100) Bθ.
  Proof. pose proof params as (_ & _ & _ & [H _] & _). unfold B_θ, ge. cbn [s_Dθ r]. pose proof (bpow_gt_0 radix2 (-100)). lra. Qed.
  Lemma ge_Bβ : ge (-100) Bβ.
  Proof. pose proof params as (_ & _ & _ & _ & [H _] & _). unfold B_β, ge. cbn [s_Dβ r]. pose proof (bpow_gt_0 radix2 (-100)). lra. Qed.

  (** ** (Λ^{c−1}v)·s *)
  Lemma weighted_error (v : vec RK) (V s S : R) : Ball d V v -> Rabs s <= S -> ge (-100) V -> ge (-100) S ->
    Ball d (e_N r * (V * S)) (vsub (K := RK) (float_weighted M weight v s) (scale (K := RK) s (mulv (K := RK) d N v))) /\
    Ball d (b_N r * (V * S)) (float_weighted M weight v s).
  Proof.
    intros Bv Hs GV GS. pose proof (ge_pos _ _ GV) as PV. pose proof (ge_pos _ _ GS) as PS. pose proof (ge_pos _ _ ge_ν) as Pν.
    pose proof m_small as Sm. pose proof ε_tiny as Se. pose proof (pos_INR d) as Pd. pose proof tiny_pos as Pt.
    pose proof range as (_ & _ & _ & [Λ0 Λ1] & _). change (0 <= eΛ) in Λ0.
    assert (GX : ge (-900) (ν * V)) by (apply (ge_weaken (-200)); [exact (ge_mul _ _ _ _ ge_ν GV) | lia]).
    assert (P2 : 0 <= ν * V) by nra. assert (P3 : 0 <= mε * (ν * V)) by (apply Rmult_le_pos; lra).
    set (raw := fun i => match weight with None => v i | Some A => inner d (A i) v end).
    assert (Babs : Ball d (ν * V) (fun i => rsum d (fun j => Rabs (Nf i j) * Rabs (v j)))).
    { unfold ball in *. eapply Rle_trans; [apply absolute|]. real. replace (ν * V * (ν * V)) with (ν * ν * (V * V)) by ring.
      apply Rmult_le_compat_l; [nra | exact Bv]. }
    assert (Braw : Ball d (mε * (ν * V)) (vsub (K := RK) raw (mulv (K := RK) d Nf v))).
    { unfold raw, Nf in *. destruct weight as [A|].
      - apply (ball_comp d _ _ (scale (K := RK) ((1 + u) ^ m - 1) (vadd (K := RK) (fun i => rsum d (fun j => Rabs (A i j) * Rabs (v j))) (fun _ => INR d * tiny)))).
        + intros i _. unfold vsub, scale, vadd, mulv. eapply Rle_trans; [apply (float_dot_any d (A i) v)|]. fold tiny. real.
          apply Req_le. do 2 f_equal. apply rsum_ext. intros j _. apply Rabs_mult.
        + assert (P1 : 0 <= INR d * tiny) by nra.
          pose proof (ball_const d _ P1) as Bc.
          assert (P4 : 0 <= INR d * (INR d * tiny)) by nra.
          pose proof (ball_add d _ _ _ _ P2 P4 Babs Bc) as BA. apply (ball_scale d _ ((1 + u) ^ m - 1)) in BA.
          pose proof (pow_up_one m). rewrite Rabs_pos_eq in BA by lra.
          eapply ball_le; [| |exact BA]; [apply Rmult_le_pos; lra|].
          apply pow_error; [exact few_m | lra |].
          assert (INR d * (INR d * tiny) <= ν * V / 16); [|lra].
          apply tiny_negligible; [apply counts | pose proof counts as (_ & H1 & _); lia | exact GX].
      - apply (ball_ext d _ (vzero (K := RK))); [|apply ball_zero; exact P3].
        intros i Hi. unfold vsub. rewrite (mulv_identity d v i Hi). unfold vzero. real. ring. }
    assert (BN : Ball d (ν * V) (mulv (K := RK) d Nf v)).
    { apply (ball_comp d _ _ _ ) with (2 := Babs). intros i _. apply mulv_abs. }
    pose proof (ball_shift d _ _ _ _ P2 P3 BN Braw) as Braw'.
    assert (Brs : Ball d ((1 + mε) * (ν * V) * S) (fun i => raw i * s)).
    { apply ball_mul; [|nra | exact Hs]. replace ((1 + mε) * (ν * V)) with (ν * V + mε * (ν * V)) by ring. exact Braw'. }
    assert (GY : ge (-900) ((1 + mε) * (ν * V) * S)).
    { apply (ge_weaken (0 + (-100 + -100) + -100)); [|lia]. apply ge_mul; [apply ge_mul; [apply ge_one; lra | now apply ge_mul; [apply ge_ν|]] | exact GS]. }
    assert (Brnd : Ball d (ε * ((1 + mε) * (ν * V) * S)) (vsub (K := RK) (float_weighted M weight v s) (fun i => raw i * s))).
    { apply (ball_rnd d _ (fun i => raw i * s)); [exact Brs|].
      pose proof (tiny_negligible d 1 _ (proj1 (proj2 counts)) ltac:(lia) GY) as TN. simpl (INR 1) in TN. rewrite Rmult_1_l in TN.
      assert (0 < (1 + mε) * (ν * V) * S) by (apply (ge_pos _ _ GY)). lra. }
    assert (BNN : Ball d (eΛ * V) (vsub (K := RK) (mulv (K := RK) d Nf v) (mulv (K := RK) d N v))).
    { unfold ball in *. eapply Rle_trans; [apply matrix|]. real. replace (eΛ * V * (eΛ * V)) with (eΛ * eΛ * (V * V)) by ring.
      apply Rmult_le_compat_l; [nra | exact Bv]. }
    assert (P4 : 0 <= eΛ * V) by nra.
    pose proof (ball_trans d _ _ _ _ _ P3 P4 Braw BNN) as Bdiff.
    assert (Bds : Ball d ((mε * (ν * V) + eΛ * V) * S) (vsub (K := RK) (fun i => raw i * s) (scale (K := RK) s (mulv (K := RK) d N v)))).
    { apply (ball_ext d _ (fun i => (vsub (K := RK) raw (mulv (K := RK) d N v) i * s))).
      - intros i _. unfold vsub, scale. real. ring.
      - apply ball_mul; [exact Bdiff | lra | exact Hs]. }
    assert (P5 : 0 <= ε * ((1 + mε) * (ν * V) * S)) by (apply Rmult_le_pos; [lra | apply Rlt_le, (ge_pos _ _ GY)]).
    split.
    - eapply ball_le; [| |eapply ball_trans; [exact P5 | | exact Brnd | exact Bds]].
      + apply Rplus_le_le_0_compat; [exact P5 | nra].
      + unfold e_N, m_d. cbn [s_d s_ν s_eΛ r]. assert (0 <= ν * V * S) by nra. assert (0 <= ε * (ν * V * S)) by nra.
        assert (mε * (ε * (ν * V * S)) <= / 1024 * (ε * (ν * V * S))) by (apply Rmult_le_compat_r; lra). nra.
      + nra.
    - eapply ball_le; [| |eapply ball_shift; [| exact P5 | exact Brs | exact Brnd]].
      + apply Rplus_le_le_0_compat; [apply Rlt_le, (ge_pos _ _ GY) | exact P5].
      + unfold b_N, m_d. cbn [s_d s_ν s_eΛ r]. assert (0 <= ν * V * S) by nra. assert (0 <= ε * (ν * V * S)) by nra.
        assert (mε * (ε * (ν * V * S)) <= / 1024 * (ε * (ν * V * S))) by (apply Rmult_le_compat_r; lra). nra.
      + apply Rlt_le, (ge_pos _ _ GY).
  Qed.

  Lemma b_Σ_low : ge (-100) (b_Σ r).
  Proof.
    pose proof counts as ((_ & _ & H) & _). assert (1 <= INR T) by (change 1 with (INR 1); apply le_INR; lia).
    unfold b_Σ, e_Σ. change (INR (s_T r)) with (INR T). pose proof ε_tiny. pose proof (ge_pos _ _ ge_Bθ).
    assert (0 <= ε * INR T * Bθ) by (apply Rmult_le_pos; [nra | lra]). apply (ge_le _ Bθ); [exact ge_Bθ | nra].
  Qed.

  (** ** The policy from Σθ *)
  Section Policy.
    Variables (z : vec RK) (x : nat).
    Hypothesis Bz : Ball d (b_Σ r) z.
    Hypothesis Hx : (x < nS M)%nat.
    Notation p := (float_probabilities M fexp α z x).

    Lemma logit_error b : (b < nA)%nat -> Rabs (α * dot (K := RK) d (φ M x b) z) <= b_z r /\
      Rabs (rnd (inner d (φ M x b) z * α) - α * dot (K := RK) d (φ M x b) z) <= e_z r.
    Proof.
      intros Hb. pose proof (ge_pos _ _ ge_α) as Pα. pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (ge_pos _ _ b_Σ_low) as PΣ.
      pose proof m_small as Sm. pose proof ε_tiny as Se.
      assert (GP : ge (-900) (Dφ * b_Σ r)) by (apply (ge_weaken (-100 + -100)); [exact (ge_mul _ _ _ _ ge_Dφ b_Σ_low) | lia]).
      set (X := Dφ * b_Σ r) in *. pose proof (ge_pos _ _ GP) as PX.
      pose proof (dot_ball d Dφ (b_Σ r) (φ M x b) z (Rlt_le _ _ Pφ) (Rlt_le _ _ PΣ) (features x b Hx Hb) Bz) as D. fold X in D.
      pose proof (tiny_negligible d 1 X (proj1 (proj2 counts)) ltac:(lia) GP) as TN. simpl (INR 1) in TN. rewrite Rmult_1_l in TN.
      assert (I : Rabs (inner d (φ M x b) z - dot (K := RK) d (φ M x b) z) <= mε * X).
      { apply inner_within; [exact few_m | lra | lra | fold X; lra | now apply features | exact Bz]. }
      set (q := dot (K := RK) d (φ M x b) z) in *. set (i := inner d (φ M x b) z) in *. change (carrier RK) with R in q.
      assert (Bq : Rabs q <= X) by (apply Rabs_le; lra).
      assert (Bi : Rabs i <= (1 + mε) * X) by (replace ((1 + mε) * X) with (X + mε * X) by ring; now apply (abs_shift _ q)).
      assert (E : b_z r = α * X) by reflexivity.
      split; [rewrite E, Rabs_mult, (Rabs_pos_eq α) by lra; nra|].
      assert (R1 : Rabs (rnd (i * α) - i * α) <= ε * ((1 + mε) * X * α)).
      { apply rnd_within; [rewrite Rabs_mult, (Rabs_pos_eq α) by lra; nra|]. apply tiny_le.
        apply (ge_weaken (0 + (-100 + -100) + -100)); [|lia].
        apply ge_mul; [apply ge_mul; [apply ge_one; lra | exact (ge_mul _ _ _ _ ge_Dφ b_Σ_low)] | exact ge_α]. }
      assert (R2 : Rabs (i * α - α * q) <= mε * X * α).
      { replace (i * α - α * q) with ((i - q) * α) by ring. rewrite Rabs_mult, (Rabs_pos_eq α) by lra. apply Rmult_le_compat_r; lra. }
      eapply Rle_trans; [eapply abs_trans; [exact R1 | exact R2]|].
      unfold e_z. rewrite E. unfold m_d. cbn [s_d r]. assert (0 <= X * α) by nra. assert (0 <= ε * (X * α)) by nra.
      assert (mε * (ε * (X * α)) <= / 1024 * (ε * (X * α))) by (apply Rmult_le_compat_r; lra). nra.
    Qed.

    Lemma policy_facts :
      (forall a, (a < nA)%nat -> 0 <= p a) /\ Rabs (rsum nA p - 1) <= e_1 r /\ 0 < rsum nA p /\
      rsum nA (fun a => Rabs (p a / rsum nA p - softmax_policy M α z x a)) <= e_π r.
    Proof.
      pose proof counts as ((HA & _) & (_ & HA' & _)).
      pose proof range as (_ & _ & _ & _ & X1 & X2 & _).
      set (zz := fun b => α * dot (K := RK) d (φ M x b) z). set (ẑ := fun b => rnd (inner d (φ M x b) z * α)).
      assert (L : forall b, (b < nA)%nat -> Rabs (zz b) <= b_z r) by (intros b Hb; now apply logit_error).
      assert (C : forall b, (b < nA)%nat -> Rabs (ẑ b - zz b) <= e_z r) by (intros b Hb; now apply logit_error).
      assert (Gz : ge (-900) (b_z r)).
      { apply (ge_weaken (-100 + (-100 + -100))); [|lia]. exact (ge_mul _ _ _ _ ge_α (ge_mul _ _ _ _ ge_Dφ b_Σ_low)). }
      assert (S : 0 <= e_z r /\ e_z r + ε * (2 * (b_z r + e_z r)) <= / 8).
      { split; [|exact X2]. unfold e_z. pose proof (ge_pos _ _ Gz). pose proof ε_tiny. unfold m_d. pose proof (pos_INR (3 + chunks (s_d r))).
        apply Rmult_le_pos; [nra | lra]. }
      split; [|split; [|split]].
      - intros a Ha. exact (proj1 (quotient_error fexp ex nA zz ẑ (e_z r) (b_z r) exponential HA HA' L C (tiny_le _ Gz) S X1 a Ha)).
      - pose proof (probabilities_sum fexp ex nA zz ẑ (e_z r) (b_z r) exponential HA HA' L C (tiny_le _ Gz) S X1) as P.
        eapply Rle_trans; [exact P|]. unfold e_1. rewrite plus_INR. cbn [s_A r]. simpl (INR 2). lra.
      - exact (sum_pos fexp ex nA zz ẑ (e_z r) (b_z r) exponential HA HA' L C (tiny_le _ Gz) S X1).
      - exact (policy_error fexp ex nA zz ẑ (e_z r) (b_z r) exponential HA HA' L C (tiny_le _ Gz) S X1).
    Qed.

    (** The probabilities are within e_1 of the policy they stand for. *)
    Lemma normalised_near : rsum nA (fun a => Rabs (p a - float_policy M fexp α z x a)) <= e_1 r.
    Proof.
      destruct policy_facts as (P & S & P0 & _). set (Q := rsum nA p) in *.
      rewrite (rsum_ext nA _ (fun a => Rabs (Q - 1) / Q * p a)).
      - rewrite rsum_mul. fold Q. replace (Rabs (Q - 1) / Q * Q) with (Rabs (Q - 1)) by (field; lra). exact S.
      - intros a Ha. specialize (P a Ha). unfold float_policy. fold Q.
        replace (p a - p a / Q) with ((Q - 1) / Q * p a) by (field; lra). unfold Rdiv. rewrite !Rabs_mult.
        rewrite (Rabs_pos_eq (/ Q)), (Rabs_pos_eq (p a)) by (try assumption; apply Rlt_le, Rinv_0_lt_compat; lra). reflexivity.
    Qed.

    Lemma float_policy_distribution : distribution nA (float_policy M fexp α z x).
    Proof.
      destruct policy_facts as (P & _ & P0 & _). set (Q := rsum nA p) in *. split.
      - intros a Ha. apply Rmult_le_pos; [now apply P | apply Rlt_le, Rinv_0_lt_compat, P0].
      - unfold float_policy. fold Q. rewrite (rsum_ext nA _ (fun a => / Q * p a)) by (intros; field; lra).
        rewrite rsum_mul. fold Q. field. lra.
    Qed.

    Lemma probabilities_total : rsum nA p <= 1 + e_1 r.
    Proof. destruct policy_facts as (_ & S & _). apply Rabs_le_inv in S. lra. Qed.
  End Policy.

  (** One half of Φᵀμ: C Σ_a p(a|x)φ(x,a) against c Σ_a π(a|x)φ(x,a). *)
  Lemma half_error (z : vec RK) x (C c bC eC : R) : Ball d (b_Σ r) z -> (x < nS M)%nat -> Rabs C <= bC -> Rabs (C - c) <= eC ->
    Ball d (Dφ * (e_1 r * bC + eC)) (vsub (K := RK) (fun i => rsum nA (fun a => φ M x a i * (float_probabilities M fexp α z x a * C)))
      (fun i => c * mean_feature M (float_policy M fexp α z) x i)).
  Proof.
    intros Bz Hx HC Hc. set (p := float_probabilities M fexp α z x). set (π := float_policy M fexp α z x).
    pose proof (normalised_near z x Bz Hx) as L1. destruct (float_policy_distribution z x Bz Hx) as [Pπ Tπ]. fold p π in L1, Pπ, Tπ.
    pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (Rabs_pos C) as PC. pose proof (Rabs_pos (C - c)) as Pc.
    apply (ball_ext d _ (fun i => rsum nA (fun a => φ M x a i * (p a * C - c * π a)))).
    - intros i _. unfold vsub, mean_feature. change (sum (K := RK) nA ?f) with (rsum nA f).
      transitivity (rsum nA (fun a => φ M x a i * (p a * C)) - rsum nA (fun a => c * (π a * φ M x a i))).
      + rewrite <- rsum_sub. apply rsum_ext. intros a _. ring.
      + rewrite (rsum_mul nA c (fun a => π a * φ M x a i)). reflexivity.
    - eapply ball_le; [| |apply (ball_sum d nA (fun a => Dφ * Rabs (p a * C - c * π a)) (fun a i => φ M x a i * (p a * C - c * π a)))].
      + apply rsum_nonneg. intros a _. apply Rmult_le_pos; [lra | apply Rabs_pos].
      + rewrite rsum_mul. apply Rmult_le_compat_l; [lra|].
        apply Rle_trans with (rsum nA (fun a => bC * Rabs (p a - π a) + eC * π a)).
        * apply rsum_le. intros a Ha. specialize (Pπ a Ha). replace (p a * C - c * π a) with (C * (p a - π a) + (C - c) * π a) by ring.
          eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (π a)) by exact Pπ.
          apply Rplus_le_compat; apply Rmult_le_compat_r; try assumption; apply Rabs_pos.
        * rewrite rsum_add, !rsum_mul. assert (rsum nA π = 1) as -> by exact Tπ. nra.
      + intros a _. apply Rmult_le_pos; [lra | apply Rabs_pos].
      + intros a Ha. apply ball_mul; [now apply features | lra | lra].
  Qed.

  (** ** g̃_θ and a step of θ *)
  Section Theta.
    Variables (s : state1) (W : sample).
    Hypothesis Bβs : Ball d Bβ (beta s).
    Hypothesis BΣs : Ball d (b_Σ r) (theta_sum s).
    Hypothesis HW : in_model M W.
    Notation φW := (φ M (state W) (action W)).
    Notation p := (float_probabilities M fexp α (theta_sum s)).
    Notation π := (float_policy M fexp α (theta_sum s)).
    Let wβ := float_weighted M weight (beta s) 1.
    Let wf := inner d φW wβ.
    Let w : R := dot (K := RK) d φW (mulv (K := RK) d N (beta s)).

    Lemma φW_ball : Ball d Dφ φW.
    Proof. apply features; apply HW. Qed.

    Lemma b_N_low : ge (-100) (b_N r).
    Proof.
      unfold b_N, m_d. cbn [s_d s_ν r]. pose proof m_small. pose proof ε_tiny.
      apply (ge_le _ ν); [exact ge_ν|]. pose proof (ge_pos _ _ ge_ν). nra.
    Qed.

    Lemma w_error : Rabs wf <= b_w r /\ Rabs (wf - w) <= e_w r.
    Proof.
      pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (ge_pos _ _ ge_Bβ) as Pβ. pose proof (ge_pos _ _ b_N_low) as PN.
      pose proof m_small as Sm. pose proof ε_tiny as Se. pose proof range as (_ & _ & _ & [Λ0 _] & _). change (0 <= eΛ) in Λ0.
      assert (One : Rabs 1 <= 1) by (rewrite Rabs_R1; lra). assert (G1 : ge (-100) 1) by (apply (ge_weaken 0); [apply ge_one; lra | lia]).
      destruct (weighted_error (beta s) Bβ 1 1 Bβs One ge_Bβ G1) as [E B]. fold wβ in E, B. rewrite Rmult_1_r in E, B.
      assert (GP : ge (-900) (Dφ * (b_N r * Bβ))).
      { apply (ge_weaken (-100 + (-100 + -100))); [|lia]. exact (ge_mul _ _ _ _ ge_Dφ (ge_mul _ _ _ _ b_N_low ge_Bβ)). }
      assert (PB : 0 <= b_N r * Bβ) by nra.
      pose proof (tiny_negligible d 1 _ (proj1 (proj2 counts)) ltac:(lia) GP) as TN. simpl (INR 1) in TN. rewrite Rmult_1_l in TN.
      pose proof (ge_pos _ _ GP) as PX.
      pose proof (inner_within d Dφ (b_N r * Bβ) φW wβ few_m (Rlt_le _ _ Pφ) PB ltac:(lra) φW_ball B) as I. fold wf in I.
      pose proof (dot_ball d Dφ (b_N r * Bβ) φW wβ (Rlt_le _ _ Pφ) PB φW_ball B) as D.
      set (q := dot (K := RK) d φW wβ) in *. change (carrier RK) with R in q.
      assert (Bq : Rabs q <= Dφ * (b_N r * Bβ)) by (apply Rabs_le; lra).
      split.
      - unfold b_w, m_d. cbn [s_d s_Dφ r]. replace ((1 + mε) * (Dφ * (b_N r * Bβ))) with (Dφ * (b_N r * Bβ) + mε * (Dφ * (b_N r * Bβ))) by ring.
        now apply (abs_shift _ q).
      - unfold e_w, m_d. cbn [s_d s_Dφ r]. eapply abs_trans; [exact I|].
        assert (PE : 0 <= e_N r * Bβ).
        { unfold e_N, m_d. cbn [s_d s_ν s_eΛ r]. pose proof (ge_pos _ _ ge_ν). apply Rmult_le_pos; [|lra].
          apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [nra | lra] | exact Λ0]. }
        assert (E' : Ball d (e_N r * Bβ) (vsub (K := RK) wβ (mulv (K := RK) d N (beta s)))).
        { apply (ball_ext d _ (vsub (K := RK) wβ (scale (K := RK) 1%R (mulv (K := RK) d N (beta s))))); [|exact E].
          intros i _. unfold vsub, scale. real. ring. }
        pose proof (dot_ball d Dφ (e_N r * Bβ) φW _ (Rlt_le _ _ Pφ) PE φW_ball E') as D2. rewrite dot_vsub_r in D2.
        apply Rabs_le. unfold q, w. real. lra.
    Qed.

    Lemma b_w_low : ge (-300) (b_w r).
    Proof.
      unfold b_w, m_d. cbn [s_d s_Dφ r]. pose proof m_small. apply (ge_weaken (0 + (-100 + (-100 + -100)))); [|lia].
      apply ge_mul; [apply ge_one; lra|]. exact (ge_mul _ _ _ _ ge_Dφ (ge_mul _ _ _ _ b_N_low ge_Bβ)).
    Qed.

    Lemma γ_unit : 0 <= γ M <= 1.
    Proof. destruct discounted as (G0 & [G1 _] & _). real. lra. Qed.

    Let C0 := rnd (1 - γ M).
    Let C1 := rnd (γ M * wf).

    Lemma coefficients : Rabs C0 <= 1 + ε /\ Rabs (C0 - (1 - γ M)) <= ε /\
      Rabs C1 <= (1 + ε) * b_w r /\ Rabs (C1 - γ M * w) <= ε * b_w r + e_w r.
    Proof.
      destruct w_error as [B E]. pose proof γ_unit as G. pose proof (ge_pos _ _ b_w_low) as Pb. pose proof ε_tiny.
      assert (A0 : Rabs (1 - γ M) <= 1) by (apply Rabs_le; lra).
      assert (T0 : tiny <= 1) by (apply tiny_le, (ge_weaken 0); [apply ge_one; lra | lia]).
      pose proof (rnd_within 1 (1 - γ M) A0 T0) as R0. rewrite Rmult_1_r in R0. fold C0 in R0.
      assert (A1 : Rabs (γ M * wf) <= b_w r) by (rewrite Rabs_mult, (Rabs_pos_eq (γ M)) by lra; pose proof (Rabs_pos wf); nra).
      pose proof (rnd_within (b_w r) (γ M * wf) A1 (tiny_le _ (ge_weaken _ (-900) _ b_w_low ltac:(lia)))) as R1. fold C1 in R1.
      split; [now apply (abs_shift _ (1 - γ M))|]. split; [exact R0|]. split.
      - replace ((1 + ε) * b_w r) with (b_w r + ε * b_w r) by ring. now apply (abs_shift _ (γ M * wf)).
      - eapply abs_trans; [exact R1|]. replace (γ M * wf - γ M * w) with (γ M * (wf - w)) by ring.
        rewrite Rabs_mult, (Rabs_pos_eq (γ M)) by lra. pose proof (Rabs_pos (wf - w)). nra.
    Qed.

    (** A term of Φᵀμ: two roundings. *)
    Lemma near_term f q c : near 2 (rnd (f * rnd (q * c))) (f * (q * c)) (Rabs f * (Rabs (q * c) + tiny) + tiny).
    Proof.
      pose proof u_pos as Pu. pose proof tiny_pos as Pt. pose proof (Rabs_pos f) as Pf. pose proof (Rabs_pos (q * c)) as Pq.
      assert (P0 : 0 <= Rabs f * (Rabs (q * c) + tiny)) by nra.
      split; [apply double_rnd|]. split; [rewrite Rabs_mult; nra|].
      pose proof (rnd_error_any (q * c)) as E1. pose proof (rnd_error_any (f * rnd (q * c))) as E2.
      assert (E3 : Rabs (f * rnd (q * c) - f * (q * c)) <= u * (Rabs f * (Rabs (q * c) + tiny))).
      { rewrite <- Rmult_minus_distr_l, Rabs_mult. replace (u * (Rabs f * (Rabs (q * c) + tiny))) with (Rabs f * (u * (Rabs (q * c) + tiny))) by ring.
        apply Rmult_le_compat_l; assumption. }
      assert (E4 : Rabs (f * rnd (q * c)) <= (1 + u) * (Rabs f * (Rabs (q * c) + tiny))).
      { replace ((1 + u) * (Rabs f * (Rabs (q * c) + tiny))) with (Rabs f * (Rabs (q * c) + tiny) + u * (Rabs f * (Rabs (q * c) + tiny))) by ring.
        apply (abs_shift _ (f * (q * c))); [rewrite Rabs_mult; nra | exact E3]. }
      eapply Rle_trans; [eapply abs_trans; [exact E2 | exact E3]|]. set (y := Rabs f * (Rabs (q * c) + tiny)) in *. simpl. nra.
    Qed.

    Let term i j := if (j <? nA)%nat then rnd (φ M (x0 W) j i * rnd (p (x0 W) j * C0))
                    else rnd (φ M (next W) (j - nA) i * rnd (p (next W) (j - nA)%nat * C1)).
    Let mf i := accumulate (term i) (nA + nA).
    Let exact_f i := rsum nA (fun a => φ M (x0 W) a i * (p (x0 W) a * C0)) + rsum nA (fun a => φ M (next W) a i * (p (next W) a * C1)).
    Let sizes_f i := rsum nA (fun a => Rabs (φ M (x0 W) a i) * (Rabs (p (x0 W) a * C0) + tiny) + tiny)
                     + rsum nA (fun a => Rabs (φ M (next W) a i) * (Rabs (p (next W) a * C1) + tiny) + tiny).

    Lemma near_mf i : near (2 + (nA + nA)) (mf i) (exact_f i) (sizes_f i).
    Proof.
      set (e := fun j => if (j <? nA)%nat then φ M (x0 W) j i * (p (x0 W) j * C0) else φ M (next W) (j - nA) i * (p (next W) (j - nA)%nat * C1)).
      set (a := fun j => if (j <? nA)%nat then Rabs (φ M (x0 W) j i) * (Rabs (p (x0 W) j * C0) + tiny) + tiny
                else Rabs (φ M (next W) (j - nA) i) * (Rabs (p (next W) (j - nA)%nat * C1) + tiny) + tiny).
      assert (H : near (2 + (nA + nA)) (mf i) (rsum (nA + nA) e) (rsum (nA + nA) a)).
      { apply near_accumulate. intros j _. unfold term, e, a. destruct (j <? nA)%nat; apply near_term. }
      rewrite !rsum_split in H.
      rewrite (rsum_ext nA e (fun a => φ M (x0 W) a i * (p (x0 W) a * C0))) in H
        by (intros j Hj; unfold e; apply Nat.ltb_lt in Hj; now rewrite Hj).
      rewrite (rsum_ext nA a (fun a => Rabs (φ M (x0 W) a i) * (Rabs (p (x0 W) a * C0) + tiny) + tiny)) in H
        by (intros j Hj; unfold a; apply Nat.ltb_lt in Hj; now rewrite Hj).
      rewrite (rsum_ext nA (fun j => e (nA + j)%nat) (fun a => φ M (next W) a i * (p (next W) a * C1))) in H
        by (intros j Hj; unfold e; assert (L : (nA + j <? nA)%nat = false) by (apply Nat.ltb_ge; lia); rewrite L; now replace (nA + j - nA)%nat with j by lia).
      rewrite (rsum_ext nA (fun j => a (nA + j)%nat) (fun a => Rabs (φ M (next W) a i) * (Rabs (p (next W) a * C1) + tiny) + tiny)) in H
        by (intros j Hj; unfold a; assert (L : (nA + j <? nA)%nat = false) by (apply Nat.ltb_ge; lia); rewrite L; now replace (nA + j - nA)%nat with j by lia).
      exact H.
    Qed.

    (** Σ_a |p(a|x)C| ≤ (1 + e_1)|C| *)
    Lemma mass x C bC : (x < nS M)%nat -> Rabs C <= bC -> rsum nA (fun a => Rabs (p x a * C)) <= (1 + e_1 r) * bC.
    Proof.
      intros Hx HC. destruct (policy_facts (theta_sum s) x BΣs Hx) as (P & _). pose proof (probabilities_total (theta_sum s) x BΣs Hx) as S.
      pose proof (Rabs_pos C). rewrite (rsum_ext nA _ (fun a => Rabs C * p x a)).
      - rewrite rsum_mul. pose proof (rsum_nonneg nA (p x) P). pose proof e_1_small. nra.
      - intros a Ha. rewrite Rabs_mult, (Rabs_pos_eq (p x a)) by now apply P. ring.
    Qed.

    Lemma b_f_low : ge (-100) (b_f r).
    Proof.
      unfold b_f, b_c. cbn [s_Dφ r]. pose proof e_1_small. pose proof ε_tiny. pose proof (ge_pos _ _ b_w_low).
      apply (ge_weaken (0 + (-100 + 0))); [|lia]. apply ge_mul; [apply ge_one; lra|]. apply ge_mul; [exact ge_Dφ | apply ge_one; nra].
    Qed.

    Lemma sum_of_balls (x : nat) (q : nat -> R) : (x < nS M)%nat ->
      Ball d (Dφ * rsum nA (fun a => Rabs (q a))) (fun i => rsum nA (fun a => φ M x a i * q a)).
    Proof.
      intros Hx. pose proof (ge_pos _ _ ge_Dφ) as Pφ. rewrite <- rsum_mul.
      apply (ball_sum d nA (fun a => Dφ * Rabs (q a)) (fun a i => φ M x a i * q a)).
      - intros a _. apply Rmult_le_pos; [lra | apply Rabs_pos].
      - intros a Ha. apply ball_mul; [now apply features | lra | lra].
    Qed.

    Lemma exact_f_ball : Ball d (b_f r) exact_f.
    Proof.
      destruct coefficients as (A0 & _ & A1 & _). pose proof (ge_pos _ _ ge_Dφ) as Pφ.
      pose proof (mass (x0 W) C0 _ (proj1 HW) A0) as M0. pose proof (mass (next W) C1 _ (proj2 (proj2 (proj2 HW))) A1) as M1.
      assert (P0 : 0 <= rsum nA (fun a => Rabs (p (x0 W) a * C0))) by (apply rsum_nonneg; intros; apply Rabs_pos).
      assert (P1 : 0 <= rsum nA (fun a => Rabs (p (next W) a * C1))) by (apply rsum_nonneg; intros; apply Rabs_pos).
      eapply ball_le; [| |apply (ball_add d _ _ _ _) with (3 := sum_of_balls (x0 W) (fun a => p (x0 W) a * C0) (proj1 HW))
        (4 := sum_of_balls (next W) (fun a => p (next W) a * C1) (proj2 (proj2 (proj2 HW))))]; try (apply Rmult_le_pos; lra).
      - apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
      - unfold b_f, b_c. cbn [s_Dφ r]. rewrite <- Rmult_plus_distr_l.
        replace ((1 + e_1 r) * (Dφ * ((1 + ε) * (1 + b_w r)))) with (Dφ * ((1 + e_1 r) * (1 + ε) + (1 + e_1 r) * ((1 + ε) * b_w r))) by ring.
        apply Rmult_le_compat_l; lra.
    Qed.

    Lemma sizes_f_ball : Ball d (15 / 8 * b_f r) sizes_f.
    Proof.
      destruct coefficients as (A0 & _ & A1 & _). pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof tiny_pos as Pt. pose proof (pos_INR nA) as PA. pose proof (pos_INR d) as Pd.
      pose proof (mass (x0 W) C0 _ (proj1 HW) A0) as M0. pose proof (mass (next W) C1 _ (proj2 (proj2 (proj2 HW))) A1) as M1.
      assert (half : forall x C, (x < nS M)%nat -> Ball d (Dφ * (rsum nA (fun a => Rabs (p x a * C)) + INR nA * tiny) + INR nA * (INR d * tiny))
        (fun i => rsum nA (fun a => Rabs (φ M x a i) * (Rabs (p x a * C) + tiny) + tiny))).
      { intros x C Hx. replace (Dφ * (rsum nA (fun a => Rabs (p x a * C)) + INR nA * tiny) + INR nA * (INR d * tiny))
          with (rsum nA (fun a => Dφ * (Rabs (p x a * C) + tiny) + INR d * tiny)) by (rewrite rsum_add, rsum_mul, rsum_add, !rsum_const; ring).
        assert (P1 : forall a, 0 <= Dφ * (Rabs (p x a * C) + tiny)) by (intros a; pose proof (Rabs_pos (p x a * C)); nra).
        assert (P2 : 0 <= INR d * tiny) by nra.
        apply (ball_sum d nA (fun a => Dφ * (Rabs (p x a * C) + tiny) + INR d * tiny) (fun a i => Rabs (φ M x a i) * (Rabs (p x a * C) + tiny) + tiny)).
        - intros a _. specialize (P1 a). lra.
        - intros a Ha. apply (ball_add d _ _ (fun i => Rabs (φ M x a i) * (Rabs (p x a * C) + tiny)) (fun _ => tiny)); auto.
          + apply ball_mul; [apply ball_abs; now apply features | lra |]. pose proof (Rabs_pos (p x a * C)). rewrite Rabs_pos_eq; lra.
          + apply ball_const. lra. }
      pose proof (half (x0 W) C0 (proj1 HW)) as H0. pose proof (half (next W) C1 (proj2 (proj2 (proj2 HW)))) as H1.
      assert (P0 : 0 <= rsum nA (fun a => Rabs (p (x0 W) a * C0))) by (apply rsum_nonneg; intros; apply Rabs_pos).
      assert (P1 : 0 <= rsum nA (fun a => Rabs (p (next W) a * C1))) by (apply rsum_nonneg; intros; apply Rabs_pos).
      set (S0 := rsum nA (fun a => Rabs (p (x0 W) a * C0))) in *. set (S1 := rsum nA (fun a => Rabs (p (next W) a * C1))) in *.
      assert (Pt2 : 0 <= INR nA * tiny) by nra. assert (Pt3 : 0 <= INR nA * (INR d * tiny)) by (apply Rmult_le_pos; nra).
      assert (Q0 : 0 <= Dφ * (S0 + INR nA * tiny)) by nra. assert (Q1 : 0 <= Dφ * (S1 + INR nA * tiny)) by nra.
      eapply ball_le; [| |apply (ball_add d _ _ _ _) with (3 := H0) (4 := H1)]; try lra.
      assert (T1 : INR nA * (INR 1 * tiny) <= 1 / 16).
      { apply tiny_negligible; [apply counts | lia | apply (ge_weaken 0); [apply ge_one; lra | lia]]. }
      simpl (INR 1) in T1. rewrite Rmult_1_l in T1.
      assert (T2 : INR nA * (INR d * tiny) <= b_f r / 16).
      { apply tiny_negligible; [apply counts | pose proof counts as (_ & H & _); lia | apply (ge_weaken (-100)); [exact b_f_low | lia]]. }
      assert (Dφ <= b_f r).
      { unfold b_f, b_c. cbn [s_Dφ r]. pose proof e_1_small. pose proof ε_tiny. pose proof (ge_pos _ _ b_w_low).
        assert (1 <= (1 + ε) * (1 + b_w r)) by nra. assert (Dφ <= Dφ * ((1 + ε) * (1 + b_w r))) by nra. nra. }
      assert (Dφ * (S0 + S1) <= b_f r).
      { unfold b_f, b_c. cbn [s_Dφ r].
        replace ((1 + e_1 r) * (Dφ * ((1 + ε) * (1 + b_w r)))) with (Dφ * ((1 + e_1 r) * (1 + ε) + (1 + e_1 r) * ((1 + ε) * b_w r))) by ring.
        apply Rmult_le_compat_l; lra. }
      nra.
    Qed.

    Lemma few_terms : few (2 + (nA + nA)) /\ INR (2 + (nA + nA)) = 2 * INR nA + 2.
    Proof.
      assert (E : INR (2 + (nA + nA)) = 2 * INR nA + 2) by (rewrite !plus_INR; simpl (INR 2); ring). split; [|exact E].
      unfold few. rewrite E. pose proof A_small. pose proof ε_tiny. unfold ε in *. nra.
    Qed.

    Lemma mf_error : Ball d ((2 * INR nA + 2) * ε * b_f r) (vsub (K := RK) mf exact_f).
    Proof.
      destruct few_terms as [F E]. pose proof (ge_pos _ _ b_f_low) as P.
      apply (ball_comp d _ _ (scale (K := RK) ((1 + u) ^ (2 + (nA + nA)) - 1) sizes_f)).
      - intros i _. destruct (near_mf i) as (_ & _ & H). exact H.
      - pose proof (ball_scale d _ ((1 + u) ^ (2 + (nA + nA)) - 1) _ sizes_f_ball) as S.
        pose proof (pow_up_one (2 + (nA + nA))). rewrite Rabs_pos_eq in S by lra.
        eapply ball_le; [| |exact S]; [apply Rmult_le_pos; lra|]. rewrite <- E. apply pow_error; [exact F | lra | lra].
    Qed.

    (** Φᵀμ *)
    Lemma mean_error : Ball d (e_f r) (vsub (K := RK) mf (PhiT M (mu_estimate M N (beta s) π W))).
    Proof.
      destruct coefficients as (A0 & D0 & A1 & D1). pose proof (ge_pos _ _ b_f_low) as Pf. pose proof ε_tiny as Se. pose proof (pos_INR nA) as PA.
      pose proof (half_error (theta_sum s) (x0 W) C0 (1 - γ M) _ _ BΣs (proj1 HW) A0 D0) as H0.
      pose proof (half_error (theta_sum s) (next W) C1 (γ M * w) _ _ BΣs (proj2 (proj2 (proj2 HW))) A1 D1) as H1.
      pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof e_1_small as S1. pose proof (ge_pos _ _ b_w_low) as Pw.
      assert (Ew : 0 <= e_w r) by (destruct w_error as [_ E]; pose proof (Rabs_pos (wf - w)); lra).
      assert (Q0 : 0 <= Dφ * (e_1 r * (1 + ε) + ε)) by (apply Rmult_le_pos; nra).
      assert (Q1 : 0 <= Dφ * (e_1 r * ((1 + ε) * b_w r) + (ε * b_w r + e_w r))).
      { apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; nra | nra]. }
      assert (Qf : 0 <= (2 * INR nA + 2) * ε * b_f r) by (apply Rmult_le_pos; nra).
      pose proof (ball_add d _ _ _ _ Q0 Q1 H0 H1) as H.
      assert (Hx : Ball d (Dφ * (e_1 r * (1 + ε) + ε) + Dφ * (e_1 r * ((1 + ε) * b_w r) + (ε * b_w r + e_w r)))
        (vsub (K := RK) exact_f (PhiT M (mu_estimate M N (beta s) π W)))).
      { eapply ball_ext; [|exact H]. intros i _. unfold vadd, vsub, exact_f.
        rewrite (PhiT_mu_estimate M N (beta s) π W i (proj1 HW) (proj2 (proj2 (proj2 HW)))). fold w. real. ring. }
      assert (Q01 : 0 <= Dφ * (e_1 r * (1 + ε) + ε) + Dφ * (e_1 r * ((1 + ε) * b_w r) + (ε * b_w r + e_w r))) by lra.
      eapply ball_le; [| |apply (ball_trans d _ _ _ exact_f _) with (3 := mf_error) (4 := Hx)]; try lra.
      apply Req_le. unfold e_f, b_c, e_c. cbn [s_A s_Dφ r]. ring.
    Qed.

    Lemma theta_gradient_error : let g := float_theta_gradient M wβ p W in
      Ball d (e_g r) (vsub (K := RK) g (theta_gradient M N (beta s) π W)) /\ Ball d ((1 + ε) * b_g r) g.
    Proof.
      destruct w_error as [Bw Ew]. pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (ge_pos _ _ b_w_low) as Pw. pose proof (ge_pos _ _ b_f_low) as Pf.
      pose proof ε_tiny as Se. pose proof (pos_INR nA) as PA. pose proof (pos_INR d) as Pd. pose proof tiny_pos as Pt.
      assert (Pew : 0 <= e_w r) by (pose proof (Rabs_pos (wf - w)); lra).
      assert (Qf : 0 <= (2 * INR nA + 2) * ε * b_f r) by (apply Rmult_le_pos; nra).
      assert (Bm : Ball d ((1 + (2 * INR nA + 2) * ε) * b_f r) mf).
      { replace ((1 + (2 * INR nA + 2) * ε) * b_f r) with (b_f r + (2 * INR nA + 2) * ε * b_f r) by ring.
        apply (ball_shift d _ _ _ exact_f); [lra | lra | exact exact_f_ball | exact mf_error]. }
      assert (Gp : ge (-400) (Dφ * b_w r)) by (apply (ge_weaken (-100 + -300)); [exact (ge_mul _ _ _ _ ge_Dφ b_w_low) | lia]).
      assert (Bφ : Ball d (Dφ * b_w r) (fun i => φW i * wf)) by (apply ball_mul; [exact φW_ball | lra | exact Bw]).
      pose proof (tiny_negligible d 1 _ (proj1 (proj2 counts)) ltac:(lia) (ge_weaken _ (-900) _ Gp ltac:(lia))) as TN. simpl (INR 1) in TN. rewrite Rmult_1_l in TN.
      assert (P0 : 0 <= Dφ * b_w r) by nra.
      pose proof (ball_rnd d (Dφ * b_w r) (fun i => φW i * wf) Bφ ltac:(lra)) as Rφ.
      set (rφ := fun i => rnd (φW i * wf)) in *.
      assert (P1 : 0 <= ε * (Dφ * b_w r)) by nra.
      pose proof (ball_shift d _ _ _ _ P0 P1 Bφ Rφ) as Brφ.
      assert (Qm : 0 <= (1 + (2 * INR nA + 2) * ε) * b_f r) by (apply Rmult_le_pos; nra).
      assert (Bg : Ball d (b_g r) (vsub (K := RK) mf rφ)).
      { unfold b_g. cbn [s_A s_Dφ r]. replace ((1 + ε) * (Dφ * b_w r)) with (Dφ * b_w r + ε * (Dφ * b_w r)) by ring. apply ball_sub; auto; lra. }
      assert (Gg : b_f r <= b_g r) by (unfold b_g; cbn [s_A s_Dφ r]; assert (0 <= (2 * INR nA + 2) * ε * b_f r) by lra; assert (0 <= (1 + ε) * (Dφ * b_w r)) by nra; lra).
      assert (Pg : 0 < b_g r) by lra.
      assert (TN2 : INR d * tiny <= b_g r).
      { pose proof (tiny_negligible d 1 _ (proj1 (proj2 counts)) ltac:(lia) (ge_weaken _ (-900) _ (ge_le _ _ _ b_f_low Gg) ltac:(lia))) as TT.
        simpl (INR 1) in TT. rewrite Rmult_1_l in TT. lra. }
      pose proof (ball_rnd d (b_g r) (vsub (K := RK) mf rφ) Bg TN2) as Rg.
      assert (Pe : 0 <= ε * b_g r) by nra.
      intros g. change g with (fun i => rnd (vsub (K := RK) mf rφ i)). split.
      - assert (Bd : Ball d (ε * (Dφ * b_w r) + Dφ * e_w r) (vsub (K := RK) rφ (scale (K := RK) w φW))).
        { eapply ball_trans; [exact P1 | nra | exact Rφ |].
          apply (ball_ext d _ (fun i => φW i * (wf - w))); [intros i _; unfold vsub, scale; real; ring|].
          apply ball_mul; [exact φW_ball | lra | exact Ew]. }
        assert (Qd : 0 <= ε * (Dφ * b_w r) + Dφ * e_w r) by nra.
        assert (Qe : 0 <= e_f r).
        { unfold e_f, e_c, b_c. cbn [s_A s_Dφ r]. pose proof e_1_small. assert (0 <= e_1 r * ((1 + ε) * (1 + b_w r)) + (ε * (1 + b_w r) + e_w r)).
          { apply Rplus_le_le_0_compat; [apply Rmult_le_pos; nra | nra]. }
          apply Rplus_le_le_0_compat; [lra | apply Rmult_le_pos; lra]. }
        pose proof (ball_sub d _ _ _ _ Qe Qd mean_error Bd) as Bs.
        assert (Bt : Ball d (e_f r + (ε * (Dφ * b_w r) + Dφ * e_w r)) (vsub (K := RK) (vsub (K := RK) mf rφ) (theta_gradient M N (beta s) π W))).
        { eapply ball_ext; [|exact Bs]. intros i _. unfold theta_gradient, vsub. fold w. real. ring. }
        eapply ball_le; [| |eapply ball_trans; [exact Pe | | exact Rg | exact Bt]]; [lra | | lra].
        apply Req_le. unfold e_g. cbn [s_Dφ r]. ring.
      - replace ((1 + ε) * b_g r) with (b_g r + ε * b_g r) by ring. eapply ball_shift; [lra | exact Pe | exact Bg | exact Rg].
    Qed.
  End Theta.

  (** ** A projected step *)
  Lemma m8_small : INR (m + 8) * ε <= / 64.
  Proof. rewrite plus_INR. simpl (INR 8). pose proof m_small. pose proof ε_tiny. pose proof ε_small. nra. Qed.

  Lemma projected_step (D E B : R) (y x : vec RK) : ge (-100) D -> 0 <= E -> Ball d B y -> below 600 B -> Ball d E (vsub (K := RK) y x) ->
    Ball d (E + (m_d r + 8) * ε * D) (vsub (K := RK) (float_project d D y) (proj_ball d D x)).
  Proof.
    intros GD PE BB [PB LB] H. pose proof (ge_pos _ _ GD) as PD. pose proof ε_tiny as Se. pose proof (pos_INR m) as Pm.
    assert (Rm : INR (m + 8) = m_d r + 8) by (rewrite plus_INR; simpl (INR 8); unfold m_d; change (s_d r) with d; ring).
    pose proof (projection_error d D y m8_small (ge_weaken _ (-400) _ GD ltac:(lia)) (proj1 (proj2 counts)) (ball_le d _ _ _ PB LB BB)) as P.
    rewrite Rm in P.
    assert (Nx : Ball d E (vsub (K := RK) (proj_ball d D y) (proj_ball d D x))).
    { unfold ball in *. eapply Rle_trans; [|exact H]. apply (projection_nonexpansive d D (Rlt_le _ _ PD)). }
    rewrite Rplus_comm. eapply ball_trans; [|exact PE | exact P | exact Nx].
    unfold m_d. change (s_d r) with d. apply Rmult_le_pos; [nra | lra].
  Qed.

  (** Upper bounds, for the projection's range. *)
  Lemma below_param x : between x -> below 100 x.
  Proof. intros [H L]. split; [pose proof (bpow_ge_0 radix2 (-100)); lra | exact L]. Qed.
  Lemma below_B x : between x -> below 101 (x * (1 + / 1024)).
  Proof. intros H. change 101%Z with (100 + 1)%Z. apply below_mul; [now apply below_param | apply below_two; lra]. Qed.
  Lemma below_1 x : 0 <= x <= / 2 -> below 1 (1 + x).
  Proof. intros H. apply below_two. lra. Qed.

  Lemma b_N_below : below 101 (b_N r).
  Proof.
    unfold b_N, m_d. cbn [s_d s_ν r]. pose proof m_small. pose proof ε_tiny. change 101%Z with (1 + 100)%Z.
    apply below_mul; [apply below_1; nra | apply below_param, params].
  Qed.

  Lemma b_w_below : below 303 (b_w r).
  Proof.
    unfold b_w, m_d. cbn [s_d s_Dφ r]. pose proof m_small. change 303%Z with (1 + (100 + (101 + 101)))%Z.
    apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, params|]. apply below_mul; [exact b_N_below | apply below_B, params].
  Qed.

  Lemma b_c_below : below 305 (b_c r).
  Proof.
    unfold b_c. pose proof ε_tiny. change 305%Z with (1 + (1 + 303))%Z. apply below_mul; [apply below_1; lra|].
    apply below_add; [apply (below_weaken 0); [apply below_one; lra | lia] | exact b_w_below].
  Qed.

  Lemma b_f_below : below 406 (b_f r).
  Proof.
    unfold b_f. cbn [s_Dφ r]. pose proof e_1_small. change 406%Z with (1 + (100 + 305))%Z. apply below_mul; [apply below_1; lra|].
    apply below_mul; [apply below_param, params | exact b_c_below].
  Qed.

  Lemma b_g_below : below 408 (b_g r).
  Proof.
    unfold b_g. cbn [s_A s_Dφ r]. pose proof A_small. pose proof ε_tiny. change 408%Z with (1 + (1 + 406))%Z. apply below_add.
    - apply below_mul; [apply below_1; nra | exact b_f_below].
    - apply (below_weaken (1 + (100 + 303))); [|lia]. apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, params | exact b_w_below].
  Qed.

  Lemma b_y_below : below 511 (b_y r).
  Proof.
    unfold b_y. cbn [s_η r]. pose proof ε_tiny. change 511%Z with (1 + 510)%Z. apply below_add.
    - apply (below_weaken 101); [apply below_B, params | lia].
    - change 510%Z with (1 + ((1 + 408) + 100))%Z. apply below_mul; [apply below_1; lra|].
      apply below_mul; [apply below_mul; [apply below_1; lra | exact b_g_below] | apply below_param, params].
  Qed.

  Lemma below_inflated e x : below e x -> below (1 + e) ((1 + ε) * x).
  Proof. intros H. pose proof ε_tiny. apply below_mul; [apply below_1; lra | exact H]. Qed.

  Lemma tiny_d x : ge (-900) x -> INR d * tiny <= x / 16.
  Proof. intros G. pose proof (tiny_negligible d 1 x (proj1 (proj2 counts)) ltac:(lia) G) as H. simpl (INR 1) in H. now rewrite Rmult_1_l in H. Qed.

  (** θ − (η·g), or β + (ζ·g): the errors before the projection. *)
  Lemma step_error (σ rate By bg eg : R) (y g ge' : vec RK) : (σ = 1 \/ σ = -1) -> ge (-100) rate -> ge (-100) By -> 0 < bg -> ge (-500) (bg * rate) -> 0 <= eg ->
    Ball d By y -> Ball d bg g -> Ball d eg (vsub (K := RK) g ge') ->
    let b := By + (1 + ε) * (bg * rate) in
    let f := fun i => rnd (y i + σ * rnd (g i * rate)) in
    Ball d (eg * rate + ε * (bg * rate) + ε * b) (vsub (K := RK) f (fun i => y i + σ * (ge' i * rate))) /\ Ball d ((1 + ε) * b) f.
  Proof.
    intros Hσ Gr GB Pb Gb Pe HB Hg He b f. pose proof (ge_pos _ _ Gr) as Pr. pose proof (ge_pos _ _ GB) as PB. pose proof (ge_pos _ _ Gb) as Pbr. pose proof ε_tiny as Se.
    assert (Aσ : Rabs σ = 1) by (destruct Hσ as [-> | ->]; [apply Rabs_R1 | rewrite Rabs_left; lra]).
    assert (Ar : Rabs rate <= rate) by (rewrite Rabs_pos_eq; lra).
    assert (B1 : Ball d (bg * rate) (fun i => g i * rate)) by (apply ball_mul; [exact Hg | lra | exact Ar]).
    pose proof (tiny_d _ (ge_weaken _ (-900) _ Gb ltac:(lia))) as T1.
    pose proof (ball_rnd d _ _ B1 ltac:(lra)) as R1. assert (P1 : 0 <= ε * (bg * rate)) by nra. assert (P1' : 0 <= bg * rate) by lra.
    pose proof (ball_shift d _ _ _ _ P1' P1 B1 R1) as B2.
    set (rg := fun i => rnd (g i * rate)) in *.
    assert (B3 : Ball d (bg * rate + ε * (bg * rate)) (scale (K := RK) σ rg)).
    { replace (bg * rate + ε * (bg * rate)) with (Rabs σ * (bg * rate + ε * (bg * rate))) by (rewrite Aσ; ring). apply ball_scale, B2. }
    assert (Eb : b = By + (bg * rate + ε * (bg * rate))) by (unfold b; ring).
    assert (B4 : Ball d b (vadd (K := RK) y (scale (K := RK) σ rg))) by (rewrite Eb; apply ball_add; auto; lra).
    assert (Gbb : ge (-900) b) by (apply (ge_weaken (-100)); [apply (ge_le _ By); [exact GB | rewrite Eb; lra] | lia]).
    pose proof (tiny_d _ Gbb) as T2. pose proof (ge_pos _ _ Gbb) as Pbb.
    pose proof (ball_rnd d _ _ B4 ltac:(lra)) as R2. assert (P2 : 0 <= ε * b) by nra.
    change (fun i => rnd (vadd (K := RK) y (scale (K := RK) σ rg) i)) with f in R2.
    split.
    - assert (E1 : Ball d (ε * (bg * rate) + eg * rate) (vsub (K := RK) rg (fun i => ge' i * rate))).
      { eapply ball_trans; [exact P1 | nra | exact R1 |].
        apply (ball_ext d _ (fun i => vsub (K := RK) g ge' i * rate)); [intros i _; unfold vsub; real; ring | apply ball_mul; assumption]. }
      assert (P3 : 0 <= ε * (bg * rate) + eg * rate) by nra.
      apply (ball_scale d _ σ) in E1. rewrite Aσ, Rmult_1_l in E1.
      replace (eg * rate + ε * (bg * rate) + ε * b) with (ε * b + (ε * (bg * rate) + eg * rate)) by ring.
      eapply ball_trans; [exact P2 | exact P3 | exact R2 |]. eapply ball_ext; [|exact E1].
      intros i _. unfold vsub, vadd, scale. real. ring.
    - replace ((1 + ε) * b) with (b + ε * b) by ring. eapply ball_shift; [lra | exact P2 | exact B4 | exact R2].
  Qed.

  Lemma theta_step (s : state1) (W : sample) (y : vec RK) :
    Ball d Bβ (beta s) -> Ball d (b_Σ r) (theta_sum s) -> in_model M W -> Ball d Bθ y ->
    let g := float_theta_gradient M (float_weighted M weight (beta s) 1) (float_probabilities M fexp α (theta_sum s)) W in
    Ball d (e_θ r) (vsub (K := RK) (float_project d Dθ (fun i => rnd (y i - rnd (g i * η))))
      (proj_ball d Dθ (vsub (K := RK) y (scale (K := RK) η (theta_gradient M N (beta s) (float_policy M fexp α (theta_sum s)) W))))).
  Proof.
    intros H1 H2 H3 Hy g. destruct (theta_gradient_error s W H1 H2 H3) as [E B]. fold g in E, B.
    pose proof ε_tiny as Se. pose proof b_f_low as Gf. pose proof (ge_pos _ _ ge_η) as Pη.
    assert (Gg : ge (-100) (b_g r)).
    { apply (ge_le _ (b_f r) _ Gf). unfold b_g. cbn [s_A s_Dφ r]. pose proof (ge_pos _ _ Gf). pose proof A_small. pose proof (ge_pos _ _ ge_Dφ). pose proof (ge_pos _ _ b_w_low).
      pose proof (pos_INR nA). assert (0 <= (1 + ε) * (Dφ * b_w r)) by nonneg.
      assert (0 <= (2 * INR nA + 2) * ε * b_f r) by nonneg. lra. }
    pose proof (ge_pos _ _ Gg) as Pg.
    assert (Peg : 0 <= e_g r).
    { destruct (Rle_or_lt 0 (e_g r)) as [P|P]; [exact P|]. exfalso. unfold e_g, e_f, e_c, b_c in P. cbn [s_A s_Dφ r] in P.
      pose proof e_1_small. pose proof (ge_pos _ _ Gf). pose proof A_small. pose proof (ge_pos _ _ ge_Dφ). pose proof (ge_pos _ _ b_w_low).
      assert (0 <= e_w r) by (destruct (w_error s W H1 H3) as [_ X]; eapply Rle_trans; [apply Rabs_pos | exact X]).
      pose proof (pos_INR nA). assert (0 <= (2 * INR nA + 2) * ε * b_f r) by nonneg.
      assert (0 <= Dφ * (e_1 r * ((1 + ε) * (1 + b_w r)) + (ε * (1 + b_w r) + e_w r))) by nonneg.
      assert (0 <= ε * (Dφ * b_w r)) by nonneg. assert (0 <= Dφ * e_w r) by nonneg. assert (0 <= ε * b_g r) by nra. lra. }
    assert (Gr : ge (-500) ((1 + ε) * b_g r * η)).
    { apply (ge_weaken (0 + -100 + -100)); [|lia]. apply ge_mul; [apply ge_mul; [apply ge_one; lra | exact Gg] | exact ge_η]. }
    destruct (step_error (-1) η Bθ ((1 + ε) * b_g r) (e_g r) y g _ (or_intror eq_refl) ge_η ge_Bθ ltac:(nra) Gr Peg Hy B E) as [S1 S2].
    change (Bθ + (1 + ε) * ((1 + ε) * b_g r * η)) with (b_y r) in S1, S2.
    assert (P : 0 <= e_g r * η + ε * ((1 + ε) * b_g r * η) + ε * b_y r).
    { pose proof (ge_pos _ _ Gr). pose proof b_y_below as [Pb _]. assert (0 <= e_g r * η) by nra. nra. }
    set (yf := fun i => rnd (y i - rnd (g i * η))).
    assert (Ey : yf = (fun i => rnd (y i + -1 * rnd (g i * η)))) by (apply functional_extensionality; intros i; unfold yf; f_equal; ring).
    rewrite Ey. eapply ball_le; [| |apply (projected_step Dθ _ ((1 + ε) * b_y r) _ _ (proj1 (proj1 (proj2 (proj2 (proj2 params))))) P S2)].
    - apply Rplus_le_le_0_compat; [exact P|]. unfold m_d. change (s_d r) with d. pose proof m_small. pose proof (ge_pos _ _ (proj1 (proj1 (proj2 (proj2 (proj2 params)))))).
      apply Rmult_le_pos; [|lra]. pose proof (pos_INR m). nra.
    - apply Req_le. reflexivity.
    - apply (below_weaken (1 + 511)); [apply below_inflated, b_y_below | lia].
    - eapply ball_ext; [|exact S1]. intros i _. unfold vsub, scale. real. ring.
  Qed.

  (** ** v(X'), the temporal difference, and a step of β *)
  Section Beta.
    Variables (s : state1) (W : sample) (θ : vec RK).
    Hypothesis BΣs : Ball d (b_Σ r) (theta_sum s).
    Hypothesis Bβs : Ball d Bβ (beta s).
    Hypothesis Bθs : Ball d Bθ θ.
    Hypothesis HW : in_model M W.
    Notation φW := (φ M (state W) (action W)).
    Notation p := (float_probabilities M fexp α (theta_sum s)).
    Notation π := (float_policy M fexp α (theta_sum s)).
    Let q a := inner d (φ M (next W) a) θ.
    Let vf := inner nA (p (next W)) q.
    Let v : R := v_of M θ π (next W).

    Lemma q_error (f : vec RK) : Ball d Dφ f -> Rabs (inner d f θ - dot (K := RK) d f θ) <= mε * (Dφ * Bθ) /\
      Rabs (dot (K := RK) d f θ) <= Dφ * Bθ /\ Rabs (inner d f θ) <= b_q r.
    Proof.
      intros Hf. pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (ge_pos _ _ ge_Bθ) as Pθ.
      assert (G : ge (-900) (Dφ * Bθ)) by (apply (ge_weaken (-100 + -100)); [exact (ge_mul _ _ _ _ ge_Dφ ge_Bθ) | lia]).
      pose proof (tiny_d _ G) as TN. pose proof (ge_pos _ _ G) as P.
      pose proof (inner_within d Dφ Bθ f θ few_m (Rlt_le _ _ Pφ) (Rlt_le _ _ Pθ) ltac:(lra) Hf Bθs) as I.
      pose proof (dot_ball d Dφ Bθ f θ (Rlt_le _ _ Pφ) (Rlt_le _ _ Pθ) Hf Bθs) as D.
      assert (B : Rabs (dot (K := RK) d f θ) <= Dφ * Bθ) by (apply Rabs_le; exact D).
      split; [exact I | split; [exact B|]]. unfold b_q, m_d. change (s_d r) with d. change (s_Dφ r) with Dφ.
      replace ((1 + mε) * (Dφ * Bθ)) with (Dφ * Bθ + mε * (Dφ * Bθ)) by ring. eapply abs_shift; [exact B | exact I].
    Qed.

    Lemma b_q_low : ge (-200) (b_q r) /\ Dφ * Bθ <= b_q r.
    Proof.
      pose proof (ge_mul _ _ _ _ ge_Dφ ge_Bθ) as G. pose proof (ge_pos _ _ G). pose proof m_small.
      assert (L : Dφ * Bθ <= b_q r) by (unfold b_q, m_d; change (s_d r) with d; change (s_Dφ r) with Dφ; nra).
      split; [exact (ge_le _ _ _ G L) | exact L].
    Qed.

    Lemma value_error : Rabs vf <= b_v r /\ Rabs (vf - v) <= e_v r.
    Proof.
      pose proof HW as (_ & _ & _ & Hn). destruct (policy_facts (theta_sum s) (next W) BΣs Hn) as (P & _ & _).
      pose proof (probabilities_total (theta_sum s) (next W) BΣs Hn) as S. pose proof (normalised_near (theta_sum s) (next W) BΣs Hn) as L1.
      destruct b_q_low as [Gq Lq]. pose proof (ge_pos _ _ Gq) as Pq. pose proof e_1_small as S1. pose proof mA_small as SA. pose proof m_small as Sm.
      set (pn := p (next W)) in *.
      assert (B : forall a, (a < nA)%nat -> Rabs (q a) <= b_q r) by (intros a Ha; apply q_error; now apply features).
      assert (Mass : rsum nA (fun a => Rabs (pn a * q a)) <= (1 + e_1 r) * b_q r).
      { apply Rle_trans with (rsum nA (fun a => b_q r * pn a)).
        - apply rsum_le. intros a Ha. rewrite Rabs_mult, (Rabs_pos_eq (pn a)), Rmult_comm by now apply P. apply Rmult_le_compat_r; [now apply P | now apply B].
        - rewrite rsum_mul, Rmult_comm. apply Rmult_le_compat_r; lra. }
      assert (G : ge (-900) ((1 + e_1 r) * b_q r)) by (apply (ge_weaken (0 + -200)); [apply ge_mul; [apply ge_one; lra | exact Gq] | lia]).
      assert (I : Rabs (vf - rsum nA (fun a => pn a * q a)) <= INR (3 + chunks nA) * ε * ((1 + e_1 r) * b_q r)).
      { eapply Rle_trans; [apply (float_dot_any nA pn q)|]. fold tiny.
        pose proof (tiny_negligible nA 1 _ (proj1 (proj2 (proj2 counts))) ltac:(lia) G) as TN. simpl (INR 1) in TN. rewrite Rmult_1_l in TN.
        pose proof (ge_pos _ _ G). pose proof tiny_pos. pose proof (pos_INR nA).
        apply pow_error; [exact few_mA | | lra].
        apply Rplus_le_le_0_compat; [apply rsum_nonneg; intros; apply Rabs_pos | nonneg]. }
      assert (J : Rabs (rsum nA (fun a => pn a * q a) - v) <= (1 + e_1 r) * (mε * (Dφ * Bθ)) + e_1 r * (Dφ * Bθ)).
      { unfold v, v_of. change (sum (K := RK) nA ?f) with (rsum nA f).
        eapply Rle_trans; [apply rsum_distance|].
        apply Rle_trans with (rsum nA (fun a => mε * (Dφ * Bθ) * pn a + Dφ * Bθ * Rabs (pn a - π (next W) a))).
        - apply rsum_le. intros a Ha. destruct (q_error (φ M (next W) a) (features _ a Hn Ha)) as (E1 & E2 & _). fold (q a) in E1.
          set (D := dot (K := RK) d (φ M (next W) a) θ) in *. change (carrier RK) with R in D. specialize (P a Ha).
          change (Rabs (pn a * q a - π (next W) a * D) <= mε * (Dφ * Bθ) * pn a + Dφ * Bθ * Rabs (pn a - π (next W) a)).
          replace (pn a * q a - π (next W) a * D) with ((q a - D) * pn a + D * (pn a - π (next W) a)) by ring.
          eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (pn a)) by exact P.
          apply Rplus_le_compat; apply Rmult_le_compat_r; try assumption; apply Rabs_pos.
        - rewrite rsum_add, !rsum_mul. pose proof (ge_pos _ _ (ge_mul _ _ _ _ ge_Dφ ge_Bθ)) as PX.
          assert (mε * (Dφ * Bθ) * rsum nA pn <= (1 + e_1 r) * (mε * (Dφ * Bθ))) by (rewrite Rmult_comm; apply Rmult_le_compat_r; [nonneg | exact S]).
          assert (Dφ * Bθ * rsum nA (fun a => Rabs (pn a - π (next W) a)) <= e_1 r * (Dφ * Bθ)) by (rewrite Rmult_comm; apply Rmult_le_compat_r; [lra | exact L1]).
          lra. }
      split.
      - unfold b_v, m_A. change (s_A r) with nA. replace ((1 + INR (3 + chunks nA) * ε) * ((1 + e_1 r) * b_q r))
          with ((1 + e_1 r) * b_q r + INR (3 + chunks nA) * ε * ((1 + e_1 r) * b_q r)) by ring.
        apply (abs_shift _ (rsum nA (fun a => pn a * q a))); [|exact I].
        eapply Rle_trans; [|exact Mass].
        apply rsum_triangle.
      - unfold e_v, m_A, m_d. change (s_A r) with nA. change (s_d r) with d. change (s_Dφ r) with Dφ.
        rewrite Rplus_assoc. eapply abs_trans; [exact I | exact J].
    Qed.

    Let tdf := float_td M p θ W.
    Let td : R := reward M (state W) (action W) + γ M * v - dot (K := RK) d φW θ.

    Lemma td_error : Rabs tdf <= (1 + ε) * b_t r /\ Rabs (tdf - td) <= e_t r.
    Proof.
      destruct value_error as [Bv Ev]. destruct (q_error φW (features _ _ (proj1 (proj2 HW)) (proj1 (proj2 (proj2 HW))))) as (E1 & _ & B1).
      destruct b_q_low as [Gq Lq]. pose proof (ge_pos _ _ Gq) as Pq. pose proof ε_tiny as Se. pose proof e_1_small as S1. pose proof mA_small as SA.
      assert (G : 0 <= γ M <= 1) by (destruct discounted as (G0 & [G1 _] & _); real; lra).
      assert (Rw : Rabs (reward M (state W) (action W)) <= 1).
      { destruct mdp as (_ & _ & X). destruct (X _ _ (proj1 (proj2 HW)) (proj1 (proj2 (proj2 HW)))) as [X0 X1]. apply Rabs_le. real. lra. }
      set (R0 := reward M (state W) (action W)) in *. change (carrier RK) with R in R0.
      assert (Gv : ge (-200) (b_v r)).
      { unfold b_v, m_A. change (s_A r) with nA. apply (ge_weaken (0 + (0 + -200))); [|lia]. apply ge_mul; [apply ge_one; lra|]. apply ge_mul; [apply ge_one; lra | exact Gq]. }
      pose proof (ge_pos _ _ Gv) as Pv.
      assert (A1 : Rabs (vf * γ M) <= b_v r) by (rewrite Rabs_mult, (Rabs_pos_eq (γ M)) by lra; pose proof (Rabs_pos vf); nra).
      pose proof (rnd_within _ _ A1 (tiny_le _ (ge_weaken _ (-900) _ Gv ltac:(lia)))) as R1.
      assert (A1' : Rabs (rnd (vf * γ M)) <= (1 + ε) * b_v r) by (replace ((1 + ε) * b_v r) with (b_v r + ε * b_v r) by ring; now apply (abs_shift _ (vf * γ M))).
      assert (Pr : 1 <= b_r r) by (unfold b_r; nra).
      assert (A2 : Rabs (R0 + rnd (vf * γ M)) <= b_r r) by (unfold b_r; eapply Rle_trans; [apply Rabs_triang | lra]).
      pose proof (rnd_within _ _ A2 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ Pr) ltac:(lia)))) as R2.
      assert (A2' : Rabs (rnd (R0 + rnd (vf * γ M))) <= (1 + ε) * b_r r) by (replace ((1 + ε) * b_r r) with (b_r r + ε * b_r r) by ring; now apply (abs_shift _ (R0 + rnd (vf * γ M)))).
      set (x2 := rnd (R0 + rnd (vf * γ M))) in *. set (x3 := inner d φW θ) in *.
      assert (A3 : Rabs (x2 - x3) <= b_t r) by (unfold b_t, Rminus; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra).
      assert (Pt : 1 <= b_t r) by (unfold b_t; nra).
      pose proof (rnd_within _ _ A3 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ Pt) ltac:(lia)))) as R3.
      change tdf with (rnd (x2 - x3)). split.
      - replace ((1 + ε) * b_t r) with (b_t r + ε * b_t r) by ring. now apply (abs_shift _ (x2 - x3)).
      - set (D := dot (K := RK) d φW θ) in *. change (carrier RK) with R in D.
        assert (E4 : Rabs (vf * γ M - γ M * v) <= e_v r).
        { replace (vf * γ M - γ M * v) with (γ M * (vf - v)) by ring. rewrite Rabs_mult, (Rabs_pos_eq (γ M)) by lra. pose proof (Rabs_pos (vf - v)). nra. }
        replace (rnd (x2 - x3) - td) with ((rnd (x2 - x3) - (x2 - x3)) + (x2 - (R0 + rnd (vf * γ M))) + (rnd (vf * γ M) - vf * γ M) + (vf * γ M - γ M * v) - (x3 - D))
          by (change td with (R0 + γ M * v - D); ring).
        apply Rabs_le_inv in R1, R2, R3, E1, E4. unfold e_t, m_d. change (s_d r) with d. change (s_Dφ r) with Dφ. apply Rabs_le. lra.
    Qed.

    Lemma beta_gradient_error : let g := float_weighted M weight φW tdf in
      Ball d (e_h r) (vsub (K := RK) g (beta_gradient M N π θ W)) /\ Ball d (b_h r) g.
    Proof.
      destruct td_error as [Bt Et]. pose proof ε_tiny as Se. pose proof (ge_pos _ _ ge_Dφ) as Pφ. pose proof (ge_pos _ _ ge_ν) as Pν.
      pose proof range as (_ & _ & _ & [Λ0 _] & _). change (0 <= eΛ) in Λ0. pose proof m_small as Sm.
      assert (Hφ : Ball d Dφ φW) by (apply features; apply HW).
      assert (Pt : 1 <= b_t r).
      { unfold b_t, b_r, b_v, m_A. change (s_A r) with nA. destruct b_q_low as [Gq _]. pose proof (ge_pos _ _ Gq). pose proof e_1_small. pose proof mA_small.
        assert (0 <= (1 + ε) * ((1 + INR (3 + chunks nA) * ε) * ((1 + e_1 r) * b_q r))) by nonneg. nra. }
      assert (Gt : ge (-100) ((1 + ε) * b_t r)) by (apply (ge_weaken 0); [apply ge_one; nra | lia]).
      destruct (weighted_error φW Dφ tdf _ Hφ Bt ge_Dφ Gt) as [E B]. intros g. fold g in E, B. split; [|exact B].
      assert (BN : Ball d ((ν + eΛ) * Dφ) (mulv (K := RK) d N φW)).
      { (* Nφ = N_fφ − (N_fφ − Nφ) *)
        assert (B1 : Ball d (ν * Dφ) (mulv (K := RK) d Nf φW)).
        { apply (ball_comp d _ _ (fun i => rsum d (fun j => Rabs (Nf i j) * Rabs (φW j)))).
          - intros i _. apply mulv_abs.
          - unfold ball in *. eapply Rle_trans; [apply absolute|]. real. replace (ν * Dφ * (ν * Dφ)) with (ν * ν * (Dφ * Dφ)) by ring.
            apply Rmult_le_compat_l; [nra | exact Hφ]. }
        assert (B2 : Ball d (eΛ * Dφ) (vsub (K := RK) (mulv (K := RK) d Nf φW) (mulv (K := RK) d N φW))).
        { unfold ball in *. eapply Rle_trans; [apply matrix|]. real. replace (eΛ * Dφ * (eΛ * Dφ)) with (eΛ * eΛ * (Dφ * Dφ)) by ring.
          apply Rmult_le_compat_l; [nra | exact Hφ]. }
        replace ((ν + eΛ) * Dφ) with (ν * Dφ + eΛ * Dφ) by ring.
        apply (ball_ext d _ (vsub (K := RK) (mulv (K := RK) d Nf φW) (vsub (K := RK) (mulv (K := RK) d Nf φW) (mulv (K := RK) d N φW)))).
        - intros i _. unfold vsub. real. ring.
        - apply ball_sub; [nra | nra | exact B1 | exact B2]. }
      unfold e_h. change (s_ν r) with ν. change (s_eΛ r) with eΛ. change (s_Dφ r) with Dφ.
      assert (Pe : 0 <= e_t r) by (eapply Rle_trans; [apply Rabs_pos | exact Et]).
      eapply ball_trans; [| | exact E |].
      - unfold e_N, m_d. change (s_d r) with d. change (s_ν r) with ν. change (s_eΛ r) with eΛ. pose proof (pos_INR m). nonneg.
      - nonneg.
      - apply (ball_ext d _ (fun i => mulv (K := RK) d N φW i * (tdf - td))).
        + intros i _. unfold beta_gradient, vsub, scale. fold v. fold td. real. unfold td. real. ring.
        + apply ball_mul; [exact BN | nonneg | exact Et].
    Qed.

    Lemma b_h_facts : ge (-200) (b_h r) /\ below 411 (b_h r).
    Proof.
      pose proof ε_tiny as Se. destruct b_q_low as [Gq _]. pose proof (ge_pos _ _ Gq) as Pq. pose proof e_1_small as S1. pose proof mA_small as SA. pose proof m_small as Sm.
      assert (Bq : below 202 (b_q r)).
      { unfold b_q, m_d. change (s_d r) with d. change (s_Dφ r) with Dφ. change 202%Z with (1 + (100 + 101))%Z.
        apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, params | apply below_B, params]. }
      assert (Bv : below 204 (b_v r)).
      { unfold b_v, m_A. change (s_A r) with nA. change 204%Z with (1 + (1 + 202))%Z. apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_1; lra | exact Bq]. }
      assert (Br : below 206 (b_r r)).
      { unfold b_r. change 206%Z with (1 + 205)%Z. apply below_add; [apply (below_weaken 0); [apply below_one; lra | lia] | exact (below_inflated _ _ Bv)]. }
      assert (Bt : below 208 (b_t r)).
      { unfold b_t. change 208%Z with (1 + 207)%Z. apply below_add; [exact (below_inflated _ _ Br) | apply (below_weaken 202); [exact Bq | lia]]. }
      assert (Pt : 1 <= (1 + ε) * b_t r).
      { destruct Bv as [Pv _]. assert (1 <= b_r r) by (unfold b_r; nra). assert (1 <= b_t r) by (unfold b_t; nra). nra. }
      unfold b_h. change (s_Dφ r) with Dφ. split.
      - apply (ge_weaken (-100 + (-100 + 0))); [|lia]. apply ge_mul; [exact b_N_low|]. apply ge_mul; [exact ge_Dφ | now apply ge_one].
      - apply (below_weaken (101 + (100 + (1 + 208)))); [|lia]. apply below_mul; [exact b_N_below|]. apply below_mul; [apply below_param, params | exact (below_inflated _ _ Bt)].
    Qed.

    Lemma beta_step : Ball d (e_β r) (vsub (K := RK) (float_beta M weight fexp α ζ Dβ s θ W)
      (proj_ball d Dβ (vadd (K := RK) (beta s) (scale (K := RK) ζ (beta_gradient M N π θ W))))).
    Proof.
      destruct beta_gradient_error as [E B]. destruct b_h_facts as [Gh Uh]. pose proof (ge_pos _ _ Gh) as Ph. pose proof (ge_pos _ _ ge_ζ) as Pζ. pose proof ε_tiny as Se.
      set (g := float_weighted M weight φW tdf) in *.
      assert (Gr : ge (-500) (b_h r * ζ)) by (apply (ge_weaken (-200 + -100)); [exact (ge_mul _ _ _ _ Gh ge_ζ) | lia]).
      assert (Pe : 0 <= e_h r).
      { destruct td_error as [_ Et]. assert (0 <= e_t r) by (eapply Rle_trans; [apply Rabs_pos | exact Et]).
        pose proof range as (_ & _ & _ & [Λ0 _] & _). change (0 <= eΛ) in Λ0. pose proof (ge_pos _ _ ge_ν). pose proof (ge_pos _ _ ge_Dφ). pose proof (pos_INR m).
        assert (0 <= b_t r) by (destruct td_error as [X _]; pose proof (Rabs_pos tdf); nra).
        unfold e_h, e_N, m_d. change (s_d r) with d. change (s_ν r) with ν. change (s_eΛ r) with eΛ. change (s_Dφ r) with Dφ. nonneg. }
      destruct (step_error 1 ζ Bβ (b_h r) (e_h r) (beta s) g _ (or_introl eq_refl) ge_ζ ge_Bβ Ph Gr Pe Bβs B E) as [S1 S2].
      change (Bβ + (1 + ε) * (b_h r * ζ)) with (b_x r) in S1, S2.
      assert (Ub : below 513 (b_x r)).
      { unfold b_x. change (s_ζ r) with ζ. change 513%Z with (1 + (1 + (411 + 100)))%Z. apply below_add.
        - apply (below_weaken 101); [apply below_B, params | lia].
        - apply below_inflated, below_mul; [exact Uh | apply below_param, params]. }
      assert (P : 0 <= e_h r * ζ + ε * (b_h r * ζ) + ε * b_x r) by (destruct Ub as [Pb _]; nonneg).
      set (yf := fun i => rnd (beta s i + rnd (g i * ζ))).
      assert (Ey : yf = (fun i => rnd (beta s i + 1 * rnd (g i * ζ)))) by (apply functional_extensionality; intros i; unfold yf; f_equal; ring).
      change (float_beta M weight fexp α ζ Dβ s θ W) with (float_project d Dβ yf). rewrite Ey.
      assert (GD : ge (-100) Dβ) by apply params.
      apply (projected_step Dβ _ ((1 + ε) * b_x r) _ _ GD P S2).
      - apply (below_weaken (1 + 513)); [exact (below_inflated _ _ Ub) | lia].
      - eapply ball_ext; [|exact S1]. intros i _. unfold vsub, vadd, scale. real. ring.
    Qed.
  End Beta.
End Estimators.
