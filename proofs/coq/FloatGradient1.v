(** * Algorithm 1 in floating point: the error of g̃_θ (proof) *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted AppendixB Projection RealSums MirrorDescent Runs DoubleLoop Algorithm1.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 FloatAlgorithm1 FloatVectors FloatSoftmax Rounding1 FloatBounds FloatPolicy1.
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

  (** What FloatPolicy1.v knows, here. *)
  Let counts := counts M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let m_small := m_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let A_small := A_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let few_m := few_m M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let e_1_small := e_1_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_Dφ := ge_Dφ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_ν := ge_ν M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_Bβ := ge_Bβ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let weighted_error := weighted_error M weight N k T α ζ η Dθ Dβ Dφ ν eΛ ex range absolute matrix.
  Let policy_facts := policy_facts M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.
  Let probabilities_total := probabilities_total M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.
  Let half_error := half_error M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.

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
      unfold b_N, m_d. cbn [s_d s_ν]. pose proof m_small. pose proof ε_tiny.
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
      - unfold b_w, m_d. cbn [s_d s_Dφ]. replace ((1 + mε) * (Dφ * (b_N r * Bβ))) with (Dφ * (b_N r * Bβ) + mε * (Dφ * (b_N r * Bβ))) by ring.
        now apply (abs_shift _ q).
      - unfold e_w, m_d. cbn [s_d s_Dφ]. eapply abs_trans; [exact I|].
        assert (PE : 0 <= e_N r * Bβ).
        { unfold e_N, m_d. cbn [s_d s_ν s_eΛ]. pose proof (ge_pos _ _ ge_ν). apply Rmult_le_pos; [|lra].
          apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [nra | lra] | exact Λ0]. }
        assert (E' : Ball d (e_N r * Bβ) (vsub (K := RK) wβ (mulv (K := RK) d N (beta s)))).
        { apply (ball_ext d _ (vsub (K := RK) wβ (scale (K := RK) 1%R (mulv (K := RK) d N (beta s))))); [|exact E].
          intros i _. unfold vsub, scale. real. ring. }
        pose proof (dot_ball d Dφ (e_N r * Bβ) φW _ (Rlt_le _ _ Pφ) PE φW_ball E') as D2. rewrite dot_vsub_r in D2.
        apply Rabs_le. unfold q, w. real. lra.
    Qed.

    Lemma b_w_low : ge (-300) (b_w r).
    Proof.
      unfold b_w, m_d. cbn [s_d s_Dφ]. pose proof m_small. apply (ge_weaken (0 + (-100 + (-100 + -100)))); [|lia].
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
      unfold b_f, b_c. cbn [s_Dφ]. pose proof e_1_small. pose proof ε_tiny. pose proof (ge_pos _ _ b_w_low).
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
      - unfold b_f, b_c. cbn [s_Dφ]. rewrite <- Rmult_plus_distr_l.
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
      { unfold b_f, b_c. cbn [s_Dφ]. pose proof e_1_small. pose proof ε_tiny. pose proof (ge_pos _ _ b_w_low).
        assert (1 <= (1 + ε) * (1 + b_w r)) by nra. assert (Dφ <= Dφ * ((1 + ε) * (1 + b_w r))) by nra. nra. }
      assert (Dφ * (S0 + S1) <= b_f r).
      { unfold b_f, b_c. cbn [s_Dφ].
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
      apply Req_le. unfold e_f, b_c, e_c. cbn [s_A s_Dφ]. ring.
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
      { unfold b_g. cbn [s_A s_Dφ]. replace ((1 + ε) * (Dφ * b_w r)) with (Dφ * b_w r + ε * (Dφ * b_w r)) by ring. apply ball_sub; auto; lra. }
      assert (Gg : b_f r <= b_g r) by (unfold b_g; cbn [s_A s_Dφ]; assert (0 <= (2 * INR nA + 2) * ε * b_f r) by lra; assert (0 <= (1 + ε) * (Dφ * b_w r)) by nra; lra).
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
        { unfold e_f, e_c, b_c. cbn [s_A s_Dφ]. pose proof e_1_small. assert (0 <= e_1 r * ((1 + ε) * (1 + b_w r)) + (ε * (1 + b_w r) + e_w r)).
          { apply Rplus_le_le_0_compat; [apply Rmult_le_pos; nra | nra]. }
          apply Rplus_le_le_0_compat; [lra | apply Rmult_le_pos; lra]. }
        pose proof (ball_sub d _ _ _ _ Qe Qd mean_error Bd) as Bs.
        assert (Bt : Ball d (e_f r + (ε * (Dφ * b_w r) + Dφ * e_w r)) (vsub (K := RK) (vsub (K := RK) mf rφ) (theta_gradient M N (beta s) π W))).
        { eapply ball_ext; [|exact Bs]. intros i _. unfold theta_gradient, vsub. fold w. real. ring. }
        eapply ball_le; [| |eapply ball_trans; [exact Pe | | exact Rg | exact Bt]]; [lra | | lra].
        apply Req_le. unfold e_g. cbn [s_Dφ]. ring.
      - replace ((1 + ε) * b_g r) with (b_g r + ε * b_g r) by ring. eapply ball_shift; [lra | exact Pe | exact Bg | exact Rg].
    Qed.
  End Theta.
End Estimators.
