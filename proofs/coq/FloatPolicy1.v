(** * Algorithm 1 in floating point: the matrix Λ^{c−1} and the policy (proof) *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted AppendixB Projection RealSums MirrorDescent Runs DoubleLoop Algorithm1.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 FloatAlgorithm1 FloatVectors FloatSoftmax Rounding1 FloatBounds.
Import ListNotations.
Local Open Scope R_scope.

Section Estimators.
  Variables (M : linear_mdp RK) (weight : option (mat RK)) (N : mat RK) (fexp : R -> R) (k T : nat).
  Variables (α ζ η Dθ Dβ Dφ ν eΛ ex : R).
  Notation d := (dim M).
  Notation nA := (nA M).
  Notation r := (Sizes d nA k T α ζ η Dθ Dβ Dφ ν eΛ ex).
  Notation Nf := (match weight with None => identity | Some A => A end).

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
  Proof. pose proof params as (_ & _ & _ & [H _] & _). unfold B_θ, ge. cbn [s_Dθ]. pose proof (bpow_gt_0 radix2 (-100)). lra. Qed.
  Lemma ge_Bβ : ge (-100) Bβ.
  Proof. pose proof params as (_ & _ & _ & _ & [H _] & _). unfold B_β, ge. cbn [s_Dβ]. pose proof (bpow_gt_0 radix2 (-100)). lra. Qed.

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
    { unfold raw in *. destruct weight as [A|].
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
      + unfold e_N, m_d. cbn [s_d s_ν s_eΛ]. assert (0 <= ν * V * S) by nra. assert (0 <= ε * (ν * V * S)) by nra.
        assert (mε * (ε * (ν * V * S)) <= / 1024 * (ε * (ν * V * S))) by (apply Rmult_le_compat_r; lra). nra.
      + nra.
    - eapply ball_le; [| |eapply ball_shift; [| exact P5 | exact Brs | exact Brnd]].
      + apply Rplus_le_le_0_compat; [apply Rlt_le, (ge_pos _ _ GY) | exact P5].
      + unfold b_N, m_d. cbn [s_d s_ν s_eΛ]. assert (0 <= ν * V * S) by nra. assert (0 <= ε * (ν * V * S)) by nra.
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
      unfold e_z. rewrite E. unfold m_d. cbn [s_d]. assert (0 <= X * α) by nra. assert (0 <= ε * (X * α)) by nra.
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
        eapply Rle_trans; [exact P|]. unfold e_1. rewrite plus_INR. cbn [s_A]. simpl (INR 2). lra.
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

End Estimators.
