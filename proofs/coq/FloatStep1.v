(** * Algorithm 1 in floating point: the errors of a step of θ and of a step of β (proof) *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted AppendixB Projection RealSums MirrorDescent Runs DoubleLoop Algorithm1.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 FloatAlgorithm1 FloatVectors FloatSoftmax Rounding1 FloatBounds FloatPolicy1 FloatGradient1.
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

  (** What FloatPolicy1.v and FloatGradient1.v know, here. *)
  Let counts := counts M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let params := params M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let m_small := m_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let mA_small := mA_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let A_small := A_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let few_m := few_m M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let few_mA := few_mA M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let e_1_small := e_1_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_Dφ := ge_Dφ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_ν := ge_ν M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_η := ge_η M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_ζ := ge_ζ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_Bθ := ge_Bθ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let ge_Bβ := ge_Bβ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let weighted_error := weighted_error M weight N k T α ζ η Dθ Dβ Dφ ν eΛ ex range absolute matrix.
  Let policy_facts := policy_facts M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.
  Let normalised_near := normalised_near M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.
  Let probabilities_total := probabilities_total M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features.
  Let w_error := w_error M weight N k T α ζ η Dθ Dβ Dφ ν eΛ ex range features absolute matrix.
  Let b_w_low := b_w_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let b_f_low := b_f_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let theta_gradient_error := theta_gradient_error M weight N fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential discounted features absolute matrix.
  Let b_N_low := b_N_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.

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
    unfold b_N, m_d. cbn [s_d s_ν]. pose proof m_small. pose proof ε_tiny. change 101%Z with (1 + 100)%Z.
    apply below_mul; [apply below_1; nra | apply below_param, params].
  Qed.

  Lemma b_w_below : below 303 (b_w r).
  Proof.
    unfold b_w, m_d. cbn [s_d s_Dφ]. pose proof m_small. change 303%Z with (1 + (100 + (101 + 101)))%Z.
    apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, params|]. apply below_mul; [exact b_N_below | apply below_B, params].
  Qed.

  Lemma b_c_below : below 305 (b_c r).
  Proof.
    unfold b_c. pose proof ε_tiny. change 305%Z with (1 + (1 + 303))%Z. apply below_mul; [apply below_1; lra|].
    apply below_add; [apply (below_weaken 0); [apply below_one; lra | lia] | exact b_w_below].
  Qed.

  Lemma b_f_below : below 406 (b_f r).
  Proof.
    unfold b_f. cbn [s_Dφ]. pose proof e_1_small. change 406%Z with (1 + (100 + 305))%Z. apply below_mul; [apply below_1; lra|].
    apply below_mul; [apply below_param, params | exact b_c_below].
  Qed.

  Lemma b_g_below : below 408 (b_g r).
  Proof.
    unfold b_g. cbn [s_A s_Dφ]. pose proof A_small. pose proof ε_tiny. change 408%Z with (1 + (1 + 406))%Z. apply below_add.
    - apply below_mul; [apply below_1; nra | exact b_f_below].
    - apply (below_weaken (1 + (100 + 303))); [|lia]. apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, params | exact b_w_below].
  Qed.

  Lemma b_y_below : below 511 (b_y r).
  Proof.
    unfold b_y. cbn [s_η]. pose proof ε_tiny. change 511%Z with (1 + 510)%Z. apply below_add.
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
    { apply (ge_le _ (b_f r) _ Gf). unfold b_g. cbn [s_A s_Dφ]. pose proof (ge_pos _ _ Gf). pose proof A_small. pose proof (ge_pos _ _ ge_Dφ). pose proof (ge_pos _ _ b_w_low).
      pose proof (pos_INR nA). assert (0 <= (1 + ε) * (Dφ * b_w r)) by nonneg.
      assert (0 <= (2 * INR nA + 2) * ε * b_f r) by nonneg. lra. }
    pose proof (ge_pos _ _ Gg) as Pg.
    assert (Peg : 0 <= e_g r).
    { destruct (Rle_or_lt 0 (e_g r)) as [P|P]; [exact P|]. exfalso. unfold e_g, e_f, e_c, b_c in P. cbn [s_A s_Dφ] in P.
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
      assert (G : 0 <= γ M <= 1) by (pose proof discounted as (G0 & [G1 _] & _); real; lra).
      assert (Rw : Rabs (reward M (state W) (action W)) <= 1).
      { pose proof mdp as (_ & _ & X). destruct (X _ _ (proj1 (proj2 HW)) (proj1 (proj2 (proj2 HW)))) as [X0 X1]. apply Rabs_le. real. lra. }
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
