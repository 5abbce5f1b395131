(** * Theorem C.1 for the program: a run of Algorithm 2 in floating point is a perturbed run (proof) *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Average AppendixC Projection GradientDescent RealSums MirrorDescent Runs DoubleLoop Algorithm1 Algorithm2.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 Perturbed2 PerturbedA1 PerturbedC1.
From OPD Require Import FloatAlgorithm1 FloatVectors FloatSoftmax FloatExp Rounding1 FloatBounds FloatPolicy1 FloatGradient1 FloatStep1 FloatRun1 FloatAlgorithm2 FloatMean.
Import ListNotations.
Local Open Scope R_scope.

(** Π onto [0,1] of numbers x, y: |Π(x) − Π(y)| ≤ |x − y|. *)
Lemma clip_lipschitz (x y : R) : Rabs (clip (K := RK) x - clip (K := RK) y) <= Rabs (x - y).
Proof. pose proof (clip_nonexpansive (K := RK) x y) as H. apply Rsqr_le_abs_0. exact H. Qed.

Section Run.
  Variables (M : linear_mdp RK) (μB : nat -> nat -> RK) (weight : option (mat RK)) (N : mat RK) (fexp : R -> R) (k T : nat).
  Variables (α ζ ξ η Dθ Dβ Dφ ν eΛ ex eA : R) (draw : state2 -> nat -> nat -> R).
  Notation d := (dim M).
  Notation nA := (nA M).
  Let r := Sizes d nA k T α ζ η Dθ Dβ Dφ ν eΛ ex.
  Let e := rounding_errors2 r ξ eA.
  Let p := float_program2 M weight fexp α ζ ξ η Dθ Dβ draw.
  Notation iterate := (float_iterate2 M weight η Dθ).
  Notation ok := (in_model2 M).
  Notation Bθ := (B_θ r). Notation Bβ := (B_β r).
  Notation mε := (INR (3 + chunks d) * ε).

  Hypothesis range2 : in_float_range2 r ξ.
  Hypothesis exponential : exp_error fexp ex.
  Hypothesis mdp : is_mdp M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA)%nat -> Ball d Dφ (φ M x a).
  Hypothesis matrix : weight_sizes d weight N ν eΛ.
  Hypothesis eA_nonneg : 0 <= eA.
  Hypothesis draws : draws_near M fexp α eA draw.

  Let range : in_float_range r := proj1 range2.

  (** What FloatPolicy1.v and FloatStep1.v know, in terms of r. *)
  Lemma cnt : (0 < nA /\ 0 < k /\ 0 < T)%nat /\
    (Z.of_nat d <= 2 ^ 28 /\ Z.of_nat nA <= 2 ^ 28 /\ Z.of_nat k <= 2 ^ 28 /\ Z.of_nat T <= 2 ^ 28)%Z.
  Proof. exact (counts M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma prm : between α /\ between ζ /\ between η /\ between Dθ /\ between Dβ /\ between Dφ /\ between ν.
  Proof. exact (params M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma gθ : ge (-100) Bθ. Proof. exact (ge_Bθ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma gβ : ge (-100) Bβ. Proof. exact (ge_Bβ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma gw : ge (-300) (b_w r). Proof. exact (b_w_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma gN : ge (-100) (b_N r). Proof. exact (b_N_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma uw : below 303 (b_w r). Proof. exact (b_w_below M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma uN : below 101 (b_N r). Proof. exact (b_N_below M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma gφ : ge (-100) Dφ. Proof. apply prm. Qed.
  Lemma gη : ge (-100) η. Proof. apply prm. Qed.
  Lemma gζ : ge (-100) ζ. Proof. apply prm. Qed.
  Lemma gDθ : ge (-100) Dθ. Proof. apply prm. Qed.
  Lemma gDβ : ge (-100) Dβ. Proof. apply prm. Qed.
  Lemma gξ : ge (-100) ξ. Proof. apply range2. Qed.
  Lemma gq : ge (-200) (b_q r). Proof. exact (proj1 (b_q_low M k T α ζ η Dθ Dβ Dφ ν eΛ ex range)). Qed.
  Lemma s1 : 0 <= e_1 r <= / 1024. Proof. exact (e_1_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma sm : 0 <= mε <= / 1024. Proof. exact (m_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma sA : 0 <= m_A r * ε <= / 1024. Proof. exact (mA_small M k T α ζ η Dθ Dβ Dφ ν eΛ ex range). Qed.
  Lemma td_ x : ge (-900) x -> INR d * tiny <= x / 16. Proof. exact (tiny_d M k T α ζ η Dθ Dβ Dφ ν eΛ ex range x). Qed.
  Lemma Λ_nonneg : 0 <= eΛ. Proof. apply range. Qed.

  Definition as_state1 (s : state2) : state1 := State1 (a_theta s) (a_beta s) (a_theta_sum s).
  Definition as_sample (W : transition) : sample := Sample (t_state W) (t_state W) (t_action W) (t_next W).
  Lemma as_in_model W : ok W -> in_model M (as_sample W).
  Proof. intros (A & B & C & D). repeat split; assumption. Qed.

  Lemma w_facts s W : Ball d Bβ (a_beta s) -> ok W -> Rabs (float_w M weight s W) <= b_w r /\
    Rabs (float_w M weight s W - dot (K := RK) d (φ M (t_state W) (t_action W)) (mulv (K := RK) d N (a_beta s))) <= e_w r.
  Proof.
    intros H HW. exact (w_error M weight N k T α ζ η Dθ Dβ Dφ ν eΛ ex range features (proj1 matrix) (proj2 matrix) (as_state1 s) (as_sample W) H (as_in_model W HW)).
  Qed.

  Lemma positive : 0 <= e_w r /\ 0 <= b_c r /\ 0 <= e_c r /\ 0 <= b_v r /\ 0 <= e_v r /\ 0 <= e_N r /\ 0 <= e_π r /\ 0 <= e_Σ r /\ 0 <= e_avg r.
  Proof.
    pose proof Λ_nonneg as Λ0. pose proof range as (_ & _ & _ & _ & [X0 _] & _). change (s_exp r) with ex in X0.
    pose proof (ge_pos _ _ gφ) as Pφ. pose proof (ge_pos _ _ (proj1 (proj2 (proj2 (proj2 (proj2 (proj2 (proj2 prm)))))))) as Pν. pose proof (ge_pos _ _ gθ) as PT'. pose proof (ge_pos _ _ gβ) as PB.
    pose proof (ge_pos _ _ gw) as Pw. pose proof (ge_pos _ _ gN) as PN. pose proof (ge_pos _ _ gq) as Pq. pose proof s1 as S1. pose proof sA as SA. pose proof ε_pos as Pe. pose proof (pos_INR k) as Pk. pose proof (pos_INR T) as PT.
    assert (Pm : 0 <= m_d r) by apply pos_INR. assert (PmA : 0 <= m_A r) by apply pos_INR.
    assert (EN : 0 <= e_N r) by (unfold e_N; change (s_ν r) with ν; change (s_eΛ r) with eΛ; nonneg).
    assert (EW : 0 <= e_w r) by (unfold e_w; change (s_Dφ r) with Dφ; nonneg).
    assert (ES : 0 <= e_Σ r) by (unfold e_Σ; change (s_T r) with T; nonneg).
    assert (Pα : 0 < α) by (apply (ge_pos (-100)), prm).
    assert (bS : 0 <= b_Σ r) by (unfold b_Σ; change (s_T r) with T; nonneg).
    assert (bz : 0 <= b_z r) by (unfold b_z; change (s_α r) with α; change (s_Dφ r) with Dφ; nonneg).
    assert (ez : 0 <= e_z r) by (unfold e_z; nonneg). assert (el : 0 <= e_l r) by (unfold e_l; nonneg).
    repeat split; try assumption.
    - unfold b_c. nonneg.
    - unfold e_c. nonneg.
    - unfold b_v. nonneg.
    - unfold e_v. change (s_Dφ r) with Dφ. nonneg.
    - unfold e_π. change (s_exp r) with ex. nonneg.
    - unfold e_avg. destruct (Nat.eqb _ _); [lra|]. change (s_K r) with k. nonneg.
  Qed.

  (** ** θ *)
  Lemma scaled_feature f (w wf : R) : Ball d Dφ f -> Rabs wf <= b_w r -> Rabs (wf - w) <= e_w r ->
    Ball d (ε * (Dφ * b_w r) + Dφ * e_w r) (vsub (K := RK) (fun i => rnd (f i * wf)) (scale (K := RK) w f)) /\
    Ball d ((1 + ε) * (Dφ * b_w r)) (fun i => rnd (f i * wf)).
  Proof.
    intros Hf Bw Ew. pose proof (ge_pos _ _ gφ) as Pφ. pose proof (ge_pos _ _ gw) as Pw. pose proof ε_pos as Pe. destruct positive as (Pew & _).
    assert (G : ge (-900) (Dφ * b_w r)) by (apply (ge_weaken (-100 + -300)); [exact (ge_mul _ _ _ _ gφ gw) | lia]).
    pose proof (td_ _ G) as TN. pose proof (ge_pos _ _ G) as PX.
    assert (B : Ball d (Dφ * b_w r) (fun i => f i * wf)) by (apply ball_mul; [exact Hf | lra | exact Bw]).
    pose proof (ball_rnd d _ _ B ltac:(lra)) as R1. assert (P1 : 0 <= ε * (Dφ * b_w r)) by nonneg. split.
    - eapply ball_trans; [exact P1 | nonneg | exact R1|].
      apply (ball_ext d _ (fun i => f i * (wf - w))); [intros i _; unfold vsub, scale; real; ring | apply ball_mul; [exact Hf | lra | exact Ew]].
    - replace ((1 + ε) * (Dφ * b_w r)) with (Dφ * b_w r + ε * (Dφ * b_w r)) by ring. eapply ball_shift; [lra | exact P1 | exact B | exact R1].
  Qed.

  Lemma theta_step2 s W (y : vec RK) : Ball d Bβ (a_beta s) -> ok W -> Ball d Bθ y ->
    let w := float_w M weight s W in
    let g i := rnd (rnd (φ M (t_next W) (t_next_action W) i * w) - rnd (φ M (t_state W) (t_action W) i * w)) in
    Ball d (e_θ2 r) (vsub (K := RK) (float_project d Dθ (fun i => rnd (y i - rnd (g i * η))))
      (proj_ball d Dθ (vsub (K := RK) y (scale (K := RK) η (average_theta_gradient M N (a_beta s) W))))).
  Proof.
    intros Hβ HW Hy w g. pose proof HW as (H1 & H2 & H3 & H4). destruct (w_facts s W Hβ HW) as [Bw Ew]. fold w in Bw, Ew.
    set (we := dot (K := RK) d (φ M (t_state W) (t_action W)) (mulv (K := RK) d N (a_beta s))) in *. change (carrier RK) with R in we.
    destruct (scaled_feature _ we w (features _ _ H3 H4) Bw Ew) as [E1 B1]. destruct (scaled_feature _ we w (features _ _ H1 H2) Bw Ew) as [E2 B2].
    pose proof (ge_pos _ _ gφ) as Pφ. pose proof (ge_pos _ _ gw) as Pw. pose proof ε_pos as Pe. pose proof ε_value as Ve. destruct positive as (Pew & _). pose proof (ge_pos _ _ gη) as Pη.
    assert (PX : 0 < Dφ * b_w r) by (apply Rmult_lt_0_compat; lra).
    assert (PE : 0 <= ε * (Dφ * b_w r) + Dφ * e_w r) by nonneg. assert (PB : 0 <= (1 + ε) * (Dφ * b_w r)) by nonneg.
    pose proof (ball_sub d _ _ _ _ PB PB B1 B2) as Bd. pose proof (ball_sub d _ _ _ _ PE PE E1 E2) as Ed.
    assert (Eb : b_g2 r = (1 + ε) * (Dφ * b_w r) + (1 + ε) * (Dφ * b_w r)) by (unfold b_g2; change (s_Dφ r) with Dφ; ring).
    rewrite <- Eb in Bd.
    assert (Gg : ge (-400) (b_g2 r)).
    { apply (ge_le _ (Dφ * b_w r)); [apply (ge_weaken (-100 + -300)); [exact (ge_mul _ _ _ _ gφ gw) | lia] | rewrite Eb; assert (0 <= ε * (Dφ * b_w r)) by nonneg; lra]. }
    pose proof (ge_pos _ _ Gg) as Pg. pose proof (td_ _ (ge_weaken _ (-900) _ Gg ltac:(lia))) as TN.
    pose proof (ball_rnd d _ _ Bd ltac:(lra)) as Rg. assert (Pε : 0 <= ε * b_g2 r) by nonneg.
    set (df := vsub (K := RK) (fun i => rnd (φ M (t_next W) (t_next_action W) i * w)) (fun i => rnd (φ M (t_state W) (t_action W) i * w))) in *.
    change (fun i => rnd (df i)) with g in Rg.
    assert (Bg : Ball d ((1 + ε) * b_g2 r) g).
    { replace ((1 + ε) * b_g2 r) with (b_g2 r + ε * b_g2 r) by ring. eapply ball_shift; [lra | exact Pε | exact Bd | exact Rg]. }
    assert (Eg : Ball d (e_g2 r) (vsub (K := RK) g (average_theta_gradient M N (a_beta s) W))).
    { eapply ball_le; [| |eapply ball_trans; [exact Pε | | exact Rg |]].
      - apply Rplus_le_le_0_compat; [exact Pε|]. apply Rplus_le_le_0_compat; exact PE.
      - unfold e_g2. change (s_Dφ r) with Dφ. apply Req_le. ring.
      - lra.
      - eapply ball_ext; [|exact Ed]. intros i _. unfold df, average_theta_gradient, vsub. fold we. real. ring. }
    assert (Peg : 0 <= e_g2 r) by (unfold e_g2; change (s_Dφ r) with Dφ; nonneg).
    assert (Pbg : 0 < (1 + ε) * b_g2 r) by (apply Rmult_lt_0_compat; lra).
    assert (Gr : ge (-500) ((1 + ε) * b_g2 r * η)).
    { apply (ge_weaken (0 + -400 + -100)); [|lia]. apply ge_mul; [apply ge_mul; [apply ge_one; lra | exact Gg] | exact gη]. }
    destruct (step_error M k T α ζ η Dθ Dβ Dφ ν eΛ ex range (-1) η Bθ ((1 + ε) * b_g2 r) (e_g2 r) y g _ (or_intror eq_refl) gη gθ Pbg Gr Peg Hy Bg Eg) as [S1 S2].
    change (Bθ + (1 + ε) * ((1 + ε) * b_g2 r * η)) with (b_y2 r) in S1, S2.
    assert (Ub : below 509 (b_y2 r)).
    { unfold b_y2. change (s_η r) with η. change 509%Z with (1 + 508)%Z. apply below_add; [apply (below_weaken 101); [apply below_B, prm | lia]|].
      apply (below_weaken (1 + ((1 + (1 + (1 + (100 + 303)))) + 100))); [|lia]. apply below_inflated, below_mul; [|apply below_param, prm].
      apply below_inflated. unfold b_g2. change (s_Dφ r) with Dφ. apply below_mul; [apply below_two; lra|]. apply below_inflated, below_mul; [apply below_param, prm | exact uw]. }
    assert (P : 0 <= e_g2 r * η + ε * ((1 + ε) * b_g2 r * η) + ε * b_y2 r) by (destruct Ub as [Pb _]; nonneg).
    set (yf := fun i => rnd (y i - rnd (g i * η))).
    assert (Ey : yf = (fun i => rnd (y i + -1 * rnd (g i * η)))) by (apply functional_extensionality; intros i; unfold yf; f_equal; ring).
    rewrite Ey. apply (projected_step M k T α ζ η Dθ Dβ Dφ ν eΛ ex range Dθ _ ((1 + ε) * b_y2 r) _ _ gDθ P S2).
    - apply (below_weaken (1 + 509)); [exact (below_inflated _ _ Ub) | lia].
    - eapply ball_ext; [|exact S1]. intros i _. unfold vsub, scale. real. ring.
  Qed.

  (** ** ρ *)
  Lemma rho_step2 s W (ρ : R) : Ball d Bβ (a_beta s) -> ok W -> 0 <= ρ <= 1 ->
    Rabs (clip (K := RK) (rnd (ρ - rnd (rnd (1 - float_w M weight s W) * ξ))) - clip (K := RK) (ρ - ξ * average_rho_gradient M N (a_beta s) W)) <= e_ρ2 r ξ.
  Proof.
    intros Hβ HW Hρ. destruct (w_facts s W Hβ HW) as [Bw Ew]. set (w := float_w M weight s W) in *.
    set (we := dot (K := RK) d (φ M (t_state W) (t_action W)) (mulv (K := RK) d N (a_beta s))) in *. change (carrier RK) with R in we.
    change (average_rho_gradient M N (a_beta s) W) with (1 - we).
    pose proof (ge_pos _ _ gw) as Pw. pose proof ε_pos as Pe. pose proof (ge_pos _ _ gξ) as Pξ. destruct positive as (Pew & Pbc & Pec & _).
    eapply Rle_trans; [apply clip_lipschitz|]. change (Rabs (rnd (ρ - rnd (rnd (1 - w) * ξ)) - (ρ - ξ * (1 - we))) <= e_ρ2 r ξ).
    assert (A1 : Rabs (1 - w) <= 1 + b_w r) by (apply Rabs_le_inv in Bw; apply Rabs_le; lra).
    assert (T1 : 1 <= 1 + b_w r) by lra.
    pose proof (rnd_within _ _ A1 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ T1) ltac:(lia)))) as R1. set (g := rnd (1 - w)) in *.
    assert (Bg : Rabs g <= b_c r) by (unfold b_c; replace ((1 + ε) * (1 + b_w r)) with (1 + b_w r + ε * (1 + b_w r)) by ring; now apply (abs_shift _ (1 - w))).
    assert (Eg : Rabs (g - (1 - we)) <= e_c r).
    { unfold e_c. eapply abs_trans; [exact R1|]. replace (1 - w - (1 - we)) with (- (w - we)) by ring. now rewrite Rabs_Ropp. }
    assert (Ax : Rabs ξ <= ξ) by (rewrite Rabs_pos_eq; lra).
    assert (A2 : Rabs (g * ξ) <= b_c r * ξ) by (apply abs_mul; assumption).
    assert (Gc : ge (-100) (b_c r * ξ)).
    { apply (ge_weaken (0 + -100)); [|lia]. apply ge_mul; [apply ge_one; unfold b_c; assert (0 <= ε * (1 + b_w r)) by nonneg; lra | exact gξ]. }
    pose proof (rnd_within _ _ A2 (tiny_le _ (ge_weaken _ (-900) _ Gc ltac:(lia)))) as R2. set (gx := rnd (g * ξ)) in *.
    assert (B2 : Rabs gx <= (1 + ε) * (b_c r * ξ)) by (replace ((1 + ε) * (b_c r * ξ)) with (b_c r * ξ + ε * (b_c r * ξ)) by ring; now apply (abs_shift _ (g * ξ))).
    assert (A3 : Rabs (ρ - gx) <= b_ρ2 r ξ) by (unfold b_ρ2; apply Rabs_le_inv in B2; apply Rabs_le; lra).
    assert (Pb : 1 <= b_ρ2 r ξ) by (unfold b_ρ2; assert (0 <= (1 + ε) * (b_c r * ξ)) by nonneg; lra).
    pose proof (rnd_within _ _ A3 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ Pb) ltac:(lia)))) as R3.
    assert (E4 : Rabs (g * ξ - ξ * (1 - we)) <= e_c r * ξ).
    { replace (g * ξ - ξ * (1 - we)) with ((g - (1 - we)) * ξ) by ring. apply abs_mul; assumption. }
    replace (rnd (ρ - gx) - (ρ - ξ * (1 - we))) with ((rnd (ρ - gx) - (ρ - gx)) - (gx - g * ξ) - (g * ξ - ξ * (1 - we))) by ring.
    apply Rabs_le_inv in R2, R3, E4. unfold e_ρ2. apply Rabs_le. lra.
  Qed.

  (** ** β *)
  Lemma beta_step2 s W (θ : vec RK) (ρ : R) : Ball d Bβ (a_beta s) -> Ball d (b_Σ r) (a_theta_sum s) -> Ball d Bθ θ -> 0 <= ρ <= 1 -> ok W ->
    Ball d (e_β2 r) (vsub (K := RK) (float_beta2 M weight fexp α ζ Dβ s θ ρ W)
      (proj_ball d Dβ (vadd (K := RK) (a_beta s) (scale (K := RK) ζ (average_beta_gradient M N (float_policy M fexp α (a_theta_sum s)) ρ θ W))))).
  Proof.
    intros Hβ HΣ Hθ Hρ HW. pose proof HW as (H1 & H2 & H3 & H4). set (φW := φ M (t_state W) (t_action W)).
    assert (Hφ : Ball d Dφ φW) by now apply features.
    pose proof (value_error M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (as_state1 s) (as_sample W) θ HΣ Hθ (as_in_model W HW)) as VE. fold r in VE.
    cbn [theta_sum as_state1 next as_sample] in VE.
    pose proof (q_error M k T α ζ η Dθ Dβ Dφ ν eΛ ex range θ Hθ φW Hφ) as QE. fold r in QE.
    set (π := float_policy M fexp α (a_theta_sum s)) in *. set (pr := float_probabilities M fexp α (a_theta_sum s)) in *.
    set (vf := inner nA (pr (t_next W)) (fun a => inner d (φ M (t_next W) a) θ)) in *. set (v := v_of M θ π (t_next W)) in *. change (carrier RK) with R in v.
    set (qf := inner d φW θ) in *. set (q := dot (K := RK) d φW θ) in *. change (carrier RK) with R in q.
    destruct VE as [Bv Ev]. destruct QE as (Eq & _ & Bq). destruct positive as (Pew & Pbc & Pec & Pbv & Pev & PeN & _).
    pose proof ε_pos as Pe. pose proof ε_value as Ve. pose proof (ge_pos _ _ gq) as Pq. pose proof (ge_pos _ _ gφ) as Pφ. pose proof (ge_pos _ _ gζ) as Pζ. pose proof Λ_nonneg as Λ0.
    assert (Pν : 0 < ν) by (apply (ge_pos (-100)), prm). assert (Pm : 0 <= m_d r) by apply pos_INR.
    set (R0 := reward M (t_state W) (t_action W)) in *. change (carrier RK) with R in R0.
    assert (Rw : Rabs R0 <= 1) by (destruct mdp as (_ & _ & X); destruct (X _ _ H1 H2) as [X0 X1]; apply Rabs_le; unfold R0; real; lra).
    assert (A1 : Rabs (R0 + vf) <= 1 + b_v r) by (eapply Rle_trans; [apply Rabs_triang | lra]).
    assert (T1 : 1 <= 1 + b_v r) by lra.
    pose proof (rnd_within _ _ A1 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ T1) ltac:(lia)))) as R1. set (x1 := rnd (R0 + vf)) in *.
    assert (B1 : Rabs x1 <= (1 + ε) * (1 + b_v r)) by (replace ((1 + ε) * (1 + b_v r)) with (1 + b_v r + ε * (1 + b_v r)) by ring; now apply (abs_shift _ (R0 + vf))).
    assert (A2 : Rabs (x1 - qf) <= b_s2 r) by (unfold b_s2, Rminus; eapply Rle_trans; [apply Rabs_triang|]; rewrite Rabs_Ropp; lra).
    assert (Ps : 1 <= b_s2 r) by (unfold b_s2; assert (0 <= ε * (1 + b_v r)) by nonneg; lra).
    pose proof (rnd_within _ _ A2 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ Ps) ltac:(lia)))) as R2. set (x2 := rnd (x1 - qf)) in *.
    assert (B2 : Rabs x2 <= (1 + ε) * b_s2 r) by (replace ((1 + ε) * b_s2 r) with (b_s2 r + ε * b_s2 r) by ring; now apply (abs_shift _ (x1 - qf))).
    assert (A3 : Rabs (x2 - ρ) <= b_t2 r) by (unfold b_t2; apply Rabs_le_inv in B2; apply Rabs_le; lra).
    assert (Pt : 1 <= b_t2 r) by (unfold b_t2; assert (0 <= (1 + ε) * b_s2 r) by nonneg; lra).
    pose proof (rnd_within _ _ A3 (tiny_le _ (ge_weaken 0 (-900) _ (ge_one _ Pt) ltac:(lia)))) as R3.
    set (tdf := float_td2 M pr θ ρ W). change tdf with (rnd (x2 - ρ)) in *. set (tf := rnd (x2 - ρ)) in *. set (t := R0 + v - q - ρ).
    assert (Bt : Rabs tf <= (1 + ε) * b_t2 r) by (replace ((1 + ε) * b_t2 r) with (b_t2 r + ε * b_t2 r) by ring; now apply (abs_shift _ (x2 - ρ))).
    assert (Et : Rabs (tf - t) <= e_t2 r).
    { replace (tf - t) with ((tf - (x2 - ρ)) + (x2 - (x1 - qf)) + (x1 - (R0 + vf)) + (vf - v) - (qf - q)) by (unfold t; ring).
      apply Rabs_le_inv in R1, R2, R3, Ev, Eq. unfold e_t2, m_d. change (s_d r) with d. change (s_Dφ r) with Dφ. apply Rabs_le. lra. }
    assert (Pet : 0 <= e_t2 r) by (eapply Rle_trans; [apply Rabs_pos | exact Et]).
    assert (Gt : ge (-100) ((1 + ε) * b_t2 r)) by (apply (ge_weaken 0); [apply ge_one; assert (0 <= ε * b_t2 r) by nonneg; lra | lia]).
    destruct (weighted_error M weight N k T α ζ η Dθ Dβ Dφ ν eΛ ex range (proj1 matrix) (proj2 matrix) φW Dφ tf _ Hφ Bt gφ Gt) as [E B]. fold r in E, B.
    set (g := float_weighted M weight φW tf) in *.
    assert (BN : Ball d ((ν + eΛ) * Dφ) (mulv (K := RK) d N φW)).
    { assert (X1 : Ball d (ν * Dφ) (mulv (K := RK) d (held weight) φW)).
      { apply (ball_comp d _ _ (fun i => rsum d (fun j => Rabs (held weight i j) * Rabs (φW j)))); [intros i _; apply mulv_abs|].
        unfold ball in *. eapply Rle_trans; [apply (proj1 matrix)|]. real. replace (ν * Dφ * (ν * Dφ)) with (ν * ν * (Dφ * Dφ)) by ring.
        apply Rmult_le_compat_l; [nra | exact Hφ]. }
      assert (X2 : Ball d (eΛ * Dφ) (vsub (K := RK) (mulv (K := RK) d (held weight) φW) (mulv (K := RK) d N φW))).
      { unfold ball in *. eapply Rle_trans; [apply (proj2 matrix)|]. real. replace (eΛ * Dφ * (eΛ * Dφ)) with (eΛ * eΛ * (Dφ * Dφ)) by ring.
        apply Rmult_le_compat_l; [nra | exact Hφ]. }
      replace ((ν + eΛ) * Dφ) with (ν * Dφ + eΛ * Dφ) by ring.
      apply (ball_ext d _ (vsub (K := RK) (mulv (K := RK) d (held weight) φW) (vsub (K := RK) (mulv (K := RK) d (held weight) φW) (mulv (K := RK) d N φW)))).
      - intros i _. unfold vsub. real. ring.
      - apply ball_sub; [nonneg | nonneg | exact X1 | exact X2]. }
    assert (Eh : Ball d (e_h2 r) (vsub (K := RK) g (average_beta_gradient M N π ρ θ W))).
    { unfold e_h2. change (s_Dφ r) with Dφ. change (s_ν r) with ν. change (s_eΛ r) with eΛ. eapply ball_trans; [| | exact E |]; [nonneg | nonneg |].
      apply (ball_ext d _ (fun i => mulv (K := RK) d N φW i * (tf - t))); [|apply ball_mul; [exact BN | nonneg | exact Et]].
      intros i _. unfold average_beta_gradient, vsub, scale. fold φW R0 v q. unfold t. real. ring. }
    assert (Eb : b_h2 r = b_N r * (Dφ * ((1 + ε) * b_t2 r))) by reflexivity. rewrite <- Eb in B.
    assert (Gh : ge (-200) (b_h2 r)).
    { rewrite Eb. apply (ge_weaken (-100 + (-100 + 0))); [|lia]. apply ge_mul; [exact gN|]. apply ge_mul; [exact gφ | apply ge_one; assert (0 <= ε * b_t2 r) by nonneg; lra]. }
    pose proof (ge_pos _ _ Gh) as Ph.
    assert (Uh : below 413 (b_h2 r)).
    { assert (Uq : below 202 (b_q r)).
      { unfold b_q, m_d. change (s_d r) with d. change (s_Dφ r) with Dφ. change 202%Z with (1 + (100 + 101))%Z. pose proof sm.
        apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_param, prm | apply below_B, prm]. }
      assert (Uv : below 204 (b_v r)).
      { unfold b_v. change 204%Z with (1 + (1 + 202))%Z. pose proof sA. pose proof s1. apply below_mul; [apply below_1; lra|]. apply below_mul; [apply below_1; lra | exact Uq]. }
      assert (Us : below 207 (b_s2 r)).
      { unfold b_s2. change 207%Z with (1 + 206)%Z. apply below_add; [|apply (below_weaken 202); [exact Uq | lia]].
        change 206%Z with (1 + (1 + 204))%Z. apply below_inflated, below_add; [apply (below_weaken 0); [apply below_one; lra | lia] | exact Uv]. }
      assert (Ut : below 209 (b_t2 r)).
      { unfold b_t2. change 209%Z with (1 + (1 + 207))%Z. apply below_add; [exact (below_inflated _ _ Us) | apply (below_weaken 0); [apply below_one; lra | lia]]. }
      rewrite Eb. apply (below_weaken (101 + (100 + (1 + 209)))); [|lia]. apply below_mul; [exact uN|]. apply below_mul; [apply below_param, prm | exact (below_inflated _ _ Ut)]. }
    assert (Gr : ge (-500) (b_h2 r * ζ)) by (apply (ge_weaken (-200 + -100)); [exact (ge_mul _ _ _ _ Gh gζ) | lia]).
    assert (Peh : 0 <= e_h2 r) by (unfold e_h2; change (s_Dφ r) with Dφ; change (s_ν r) with ν; change (s_eΛ r) with eΛ; nonneg).
    destruct (step_error M k T α ζ η Dθ Dβ Dφ ν eΛ ex range 1 ζ Bβ (b_h2 r) (e_h2 r) (a_beta s) g _ (or_introl eq_refl) gζ gβ Ph Gr Peh Hβ B Eh) as [S1 S2].
    change (Bβ + (1 + ε) * (b_h2 r * ζ)) with (b_x2 r) in S1, S2.
    assert (Ub : below 515 (b_x2 r)).
    { unfold b_x2. change (s_ζ r) with ζ. change 515%Z with (1 + (1 + (413 + 100)))%Z. apply below_add; [apply (below_weaken 101); [apply below_B, prm | lia]|].
      apply below_inflated, below_mul; [exact Uh | apply below_param, prm]. }
    assert (P : 0 <= e_h2 r * ζ + ε * (b_h2 r * ζ) + ε * b_x2 r) by (destruct Ub as [Pb _]; nonneg).
    set (yf := fun i => rnd (a_beta s i + rnd (g i * ζ))).
    assert (Ey : yf = (fun i => rnd (a_beta s i + 1 * rnd (g i * ζ)))) by (apply functional_extensionality; intros i; unfold yf; f_equal; ring).
    change (float_beta2 M weight fexp α ζ Dβ s θ ρ W) with (float_project d Dβ yf). rewrite Ey.
    apply (projected_step M k T α ζ η Dθ Dβ Dφ ν eΛ ex range Dβ _ ((1 + ε) * b_x2 r) _ _ gDβ P S2).
    - apply (below_weaken (1 + 515)); [exact (below_inflated _ _ Ub) | lia].
    - eapply ball_ext; [|exact S1]. intros i _. unfold vsub, vadd, scale. real. ring.
  Qed.

  (** ** A whole run *)

  (** Before iteration t + 1. *)
  Definition invariant2 (t : nat) (s : state2) : Prop :=
    PerturbedC1.valid M Dθ Dβ e s /\ Ball d (INR t * (Bθ + e_Σ r)) (a_theta_sum s) /\ (forall i, double (a_theta s i)) /\ double (a_rho s).

  Lemma e_nonneg2 : nonnegative2 e.
  Proof.
    destruct positive as (Pew & Pbc & Pec & Pbv & Pev & PeN & Peπ & PeΣ & Pea). pose proof Λ_nonneg as Λ0.
    pose proof (ge_pos _ _ gφ) as Pφ. pose proof (ge_pos _ _ gw) as Pw. pose proof (ge_pos _ _ gη) as Pη. pose proof (ge_pos _ _ gζ) as Pζ. pose proof (ge_pos _ _ gξ) as Pξ.
    pose proof (ge_pos _ _ gθ) as Pθ. pose proof (ge_pos _ _ gβ) as Pβ. pose proof (ge_pos _ _ gDθ) as PDθ. pose proof (ge_pos _ _ gDβ) as PDβ. pose proof (ge_pos _ _ gN) as PN. pose proof (ge_pos _ _ gq) as Pq.
    assert (Pν : 0 < ν) by (apply (ge_pos (-100)), prm). assert (Pm : 0 <= m_d r) by apply pos_INR. pose proof ε_pos as Pe. pose proof (pos_INR k) as Pk.
    assert (bg : 0 <= b_g2 r) by (unfold b_g2; change (s_Dφ r) with Dφ; nonneg).
    assert (eg : 0 <= e_g2 r) by (unfold e_g2; change (s_Dφ r) with Dφ; nonneg).
    assert (by' : 0 <= b_y2 r) by (unfold b_y2; change (s_η r) with η; nonneg).
    assert (bs : 0 <= b_s2 r) by (unfold b_s2; nonneg). assert (bt : 0 <= b_t2 r) by (unfold b_t2; nonneg).
    assert (et : 0 <= e_t2 r) by (unfold e_t2; change (s_Dφ r) with Dφ; nonneg).
    assert (bh : 0 <= b_h2 r) by (unfold b_h2; change (s_Dφ r) with Dφ; nonneg).
    assert (eh : 0 <= e_h2 r) by (unfold e_h2; change (s_Dφ r) with Dφ; change (s_ν r) with ν; change (s_eΛ r) with eΛ; nonneg).
    assert (bx : 0 <= b_x2 r) by (unfold b_x2; change (s_ζ r) with ζ; nonneg).
    assert (bρ : 0 <= b_ρ2 r ξ) by (unfold b_ρ2; nonneg).
    unfold e, nonnegative2. cbn [err_θ err_avg err_ρ err_ρavg err_β err_Σ err_π err_A rounding_errors2]. repeat split; try assumption.
    - unfold e_θ2. change (s_η r) with η. change (s_Dθ r) with Dθ. nonneg.
    - unfold e_ρ2. nonneg.
    - unfold e_ρavg2. destruct (Nat.eqb _ _); [lra|]. change (s_K r) with k. nonneg.
    - unfold e_β2. change (s_ζ r) with ζ. change (s_Dβ r) with Dβ. nonneg.
  Qed.

  Lemma valid_balls2 s : PerturbedC1.valid M Dθ Dβ e s -> Ball d Bθ (a_theta s) /\ Ball d Bβ (a_beta s).
  Proof.
    intros (H1 & _ & H2). pose proof e_nonneg2 as (P1 & P2 & _ & _ & P3 & _). cbn [e err_θ err_avg err_β rounding_errors2] in P1, P2, P3.
    pose proof range2 as (_ & _ & R1 & R2). change (s_Dθ r) with Dθ in R1. change (s_Dβ r) with Dβ in R2.
    pose proof (ge_pos _ _ gDθ) as PD. pose proof (ge_pos _ _ gDβ) as PD'. split.
    - eapply ball_le; [| |exact H1]; unfold excess2, e; cbn [err_θ err_avg rounding_errors2]; [lra|]. unfold B_θ. change (s_Dθ r) with Dθ. lra.
    - eapply ball_le; [| |exact H2]; unfold e; cbn [err_β rounding_errors2]; [lra|]. unfold B_β. change (s_Dβ r) with Dβ. lra.
  Qed.

  Lemma Σ_ball2 t s : (t <= T)%nat -> Ball d (INR t * (Bθ + e_Σ r)) (a_theta_sum s) -> Ball d (b_Σ r) (a_theta_sum s).
  Proof.
    intros Ht H. pose proof (ge_pos _ _ gθ). destruct positive as (_ & _ & _ & _ & _ & _ & _ & PS & _). pose proof (pos_INR t). apply le_INR in Ht.
    eapply ball_le; [| |exact H]; [nonneg|]. unfold b_Σ. change (s_T r) with T. apply Rmult_le_compat_r; lra.
  Qed.

  Lemma iterate_facts2 t s : invariant2 t s -> forall F, Forall ok F ->
    Ball d Bθ (iterate s F) /\ (forall i, double (iterate s F i)) /\
    match F with
    | [] => True
    | W :: F' => Ball d (Dθ + e_θ2 r) (iterate s F) /\
        Ball d (e_θ2 r) (vsub (K := RK) (iterate s F)
          (proj_ball d Dθ (vsub (K := RK) (iterate s F') (scale (K := RK) η (average_theta_gradient M N (a_beta s) W)))))
    end.
  Proof.
    intros (V & _ & HD & _) F HF. destruct (valid_balls2 s V) as [VB1 VB2].
    pose proof e_nonneg2 as (P1 & P2 & _). cbn [e err_θ err_avg rounding_errors2] in P1, P2. pose proof (ge_pos _ _ gDθ) as PD.
    induction HF as [|W F HW HF [IB [ID _]]]; [split; [exact VB1 | split; [exact HD | exact I]]|].
    pose proof (theta_step2 s W (iterate s F) VB2 HW IB) as S. cbv zeta in S.
    match type of S with ball _ _ (vsub ?x ?y) => change x with (iterate s (W :: F)) in S; set (pr := y) in S end.
    assert (Bp : Ball d (Dθ + e_θ2 r) (iterate s (W :: F))) by (eapply ball_shift; [| |apply (projection_in_ball d Dθ) | exact S]; lra).
    split; [|split; [|split; [exact Bp | exact S]]].
    - eapply ball_le; [| |exact Bp]; [lra|]. pose proof range2 as (_ & _ & R1 & _). change (s_Dθ r) with Dθ in R1. unfold B_θ. change (s_Dθ r) with Dθ. lra.
    - intros i. cbn [float_iterate2]. unfold float_project. destruct (Rle_dec _ _); apply double_rnd.
  Qed.

  Lemma rho_facts2 t s : invariant2 t s -> forall F, Forall ok F ->
    0 <= float_rho_iterate M weight ξ s F <= 1 /\ double (float_rho_iterate M weight ξ s F).
  Proof.
    intros ((_ & [V0 V1] & _) & _ & _ & HD) F HF. destruct HF as [|W F HW HF]; [split; [split; [exact V0 | exact V1] | exact HD]|].
    cbn [float_rho_iterate]. set (x := rnd _). split; [exact (clip_in_interval (K := RK) x)|].
    unfold clip. destruct (le_dec (o := RK) x zero); [apply generic_format_0|]. destruct (le_dec (o := RK) one x); [|apply double_rnd].
    change (double 1). replace 1 with (IZR 1 * bpow radix2 0) by (simpl; ring). apply double_float; lia.
  Qed.

  Lemma average_or_one2 : (1 < k)%nat \/ err_avg e = 0.
  Proof.
    destruct (Nat.eq_dec k 1) as [K1|K1]; [right | left; pose proof (proj1 cnt); lia].
    unfold e. cbn [err_avg rounding_errors2]. unfold e_avg. change (s_K r) with k. now rewrite K1.
  Qed.

  Lemma theta_mean2 t s : invariant2 t s -> forall F, Forall ok F -> length F = k ->
    Ball d (e_avg r) (vsub (K := RK) (float_theta2 M weight η Dθ s F) (average (K := RK) (iterate s) F)).
  Proof.
    intros I F HF LF. pose proof cnt as ((_ & Hk & _) & (Hd & _ & HK & _)).
    exact (mean_error ok d k Bθ (iterate s) Hk HK Hd gθ (fun F HF => proj1 (iterate_facts2 t s I F HF))
      (fun F i HF => proj1 (proj2 (iterate_facts2 t s I F HF)) i) F HF LF).
  Qed.

  Lemma rho_mean2 t s : invariant2 t s -> forall F, Forall ok F -> length F = k ->
    0 <= float_rho2 M weight ξ s F <= 1 /\
    Rabs (float_rho2 M weight ξ s F - along (K := RK) (float_rho_iterate M weight ξ s) F / of_nat (K := RK) k) <= e_ρavg2 r.
  Proof.
    intros I F HF LF. pose proof cnt as ((_ & Hk & _) & (_ & _ & HK & _)). pose proof (rho_facts2 t s I) as RF. split.
    - apply (mean_interval ok k); [exact Hk | exact HK | intros F' HF'; now apply RF | exact HF | exact LF].
    - assert (G1 : ge (-100) 1) by (apply (ge_weaken 0); [apply ge_one; lra | lia]).
      assert (B1 : forall F, Forall ok F -> Ball 1 1 (fun _ => float_rho_iterate M weight ξ s F)).
      { intros F' HF'. apply ball_number; [lra|]. destruct (RF F' HF') as [[X0 X1] _]. rewrite Rabs_pos_eq; lra. }
      pose proof (mean_error ok 1 k 1 (fun F _ => float_rho_iterate M weight ξ s F) Hk HK ltac:(lia) G1 B1 (fun F i HF => proj2 (RF F HF)) F HF LF) as ME.
      apply (ball_nonneg_comp 1 _ 0) in ME; [|destruct (Nat.eqb k 1); [lra | pose proof ε_pos; pose proof (pos_INR k); nonneg] | lia].
      unfold vsub, average in ME. rewrite LF in ME. unfold e_ρavg2. change (s_K r) with k.
      eapply Rle_trans; [exact ME|]. destruct (Nat.eqb k 1); [lra|]. rewrite Rmult_1_r. apply Rle_refl.
  Qed.

  Lemma theta_in_ball2 t s : invariant2 t s -> forall F, Forall ok F -> length F = k -> Ball d (Dθ + excess2 e) (float_theta2 M weight η Dθ s F).
  Proof.
    intros I F HF LF. pose proof (theta_mean2 t s I F HF LF) as A. pose proof I as ((V & _) & _).
    destruct F as [|W F]; [pose proof (proj1 cnt); simpl in LF; lia|].
    pose proof e_nonneg2 as (P1 & P2 & _). cbn [e err_θ err_avg rounding_errors2] in P1, P2.
    assert (NE : nonnegative (Errors (e_θ2 r) (e_avg r) 0 0 0)) by (unfold nonnegative; cbn [δθ δavg δβ δΣ δπ]; lra).
    apply (average_ball d Dθ (Errors (e_θ2 r) (e_avg r) 0 0 0) (iterate s) ok (Rlt_le _ _ (ge_pos _ _ gDθ)) NE) with (W := W) (F := F).
    - exact V.
    - intros W' F' HW' HF'. destruct (iterate_facts2 t s I (W' :: F')) as (_ & _ & B & _); [now constructor | exact B].
    - exact (Forall_inv_tail HF).
    - change (S (length F)) with (length (W :: F)). rewrite LF. exact average_or_one2.
    - exact A.
  Qed.

  Lemma sum_error2 t s (θ : vec RK) : (t < T)%nat -> invariant2 t s -> Ball d Bθ θ ->
    Ball d (e_Σ r) (vsub (K := RK) (fun i => rnd (a_theta_sum s i + θ i)) (vadd (K := RK) (a_theta_sum s) θ)).
  Proof.
    intros Ht (_ & HΣ & _) Hθ. pose proof cnt as (_ & (Hd & _ & _ & HT)). exact (running_sum d t T Bθ (a_theta_sum s) θ Hd HT Ht gθ HΣ Hθ).
  Qed.

  Lemma close_invariant2 t s : (t < T)%nat -> invariant2 t s -> close_to_step2 M N α ζ ξ η Dθ Dβ k e p s.
  Proof.
    intros Ht I. assert (Ht' : (t <= T)%nat) by lia. pose proof I as (V & HΣ & _). destruct (valid_balls2 s V) as [VB1 VB2]. pose proof (Σ_ball2 t s Ht' HΣ) as HS.
    assert (FP : forall x, (x < nS M)%nat -> distribution nA (float_policy M fexp α (a_theta_sum s) x)).
    { intros x Hx. exact (float_policy_distribution M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (a_theta_sum s) x HS Hx). }
    assert (PP : is_policy M (float_policy M fexp α (a_theta_sum s))) by (split; [intros x a Hx Ha; now apply FP | intros x Hx; now apply FP]).
    split; [exact PP|]. split; [|split; [apply (draws s)|split; [split; reflexivity|split]]].
    - intros x Hx. exact (proj2 (proj2 (proj2 (policy_facts M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (a_theta_sum s) x HS Hx)))).
    - intros x Hx. destruct (policy_facts M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (a_theta_sum s) x HS Hx) as (Q1 & Q2 & _).
      split; [exact Q1|]. eapply Rle_trans; [exact Q2|].
      apply Req_le. unfold e_1. cbn [s_A]. rewrite plus_INR. simpl (INR 2). ring.
    - intros W F HW HF. split.
      + destruct (iterate_facts2 t s I (W :: F)) as (_ & _ & _ & C); [now constructor | exact C].
      + exact (rho_step2 s W (float_rho_iterate M weight ξ s F) VB2 HW (proj1 (rho_facts2 t s I F HF))).
    - intros W F HW HF LF θ ρ. destruct (rho_mean2 t s I F HF LF) as [Bρ Eρ].
      assert (Bt : Ball d Bθ θ).
      { pose proof e_nonneg2 as (P1 & P2 & _). cbn [e err_θ err_avg rounding_errors2] in P1, P2. pose proof (ge_pos _ _ gDθ) as PD.
        eapply ball_le; [| |exact (theta_in_ball2 t s I F HF LF)]; unfold excess2, e; cbn [err_θ err_avg rounding_errors2]; [lra|].
        pose proof range2 as (_ & _ & R1 & _). change (s_Dθ r) with Dθ in R1. unfold B_θ. change (s_Dθ r) with Dθ. lra. }
      split; [exact (theta_mean2 t s I F HF LF)|]. split; [exact Bρ|]. split; [exact Eρ|]. split.
      + exact (beta_step2 s W θ ρ VB2 HS Bt Bρ HW).
      + exact (sum_error2 t s θ Ht I Bt).
  Qed.

  Lemma invariant_step2 t s F : (t < T)%nat -> invariant2 t s -> Forall ok F /\ length F = S k -> invariant2 (S t) (program_step2 p s F).
  Proof.
    intros Ht I HF. pose proof (close_invariant2 t s Ht I) as C. pose proof I as (V & HΣ & HD & HR). pose proof cnt as ((HA & Hk & _) & _).
    assert (Pφ : 0 <= Dφ) by (apply Rlt_le, (ge_pos (-100)), gφ).
    split; [|split; [|split]].
    - apply (PerturbedC1.valid_step M μB N α ζ ξ η Dθ Dβ Dφ) with (k := k); try assumption.
      + exact (conj (Rlt_le _ _ (ge_pos _ _ gDθ)) (conj (Rlt_le _ _ (ge_pos _ _ gDβ)) Pφ)).
      + exact e_nonneg2.
      + exact average_or_one2.
    - destruct HF as [HF LF]. destruct F as [|W F]; [simpl in LF; lia|]. injection LF as LF. pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'.
      pose proof C as (_ & _ & _ & _ & _ & C2). destruct (C2 W F HW HF' LF) as (_ & _ & _ & _ & E).
      pose proof (theta_in_ball2 t s I F HF' LF) as Bt. pose proof (ge_pos _ _ gθ) as PB. destruct positive as (_ & _ & _ & _ & _ & _ & _ & PE & _). pose proof (pos_INR t) as Pt.
      assert (Bt' : Ball d Bθ (theta_of_block p s F)).
      { pose proof e_nonneg2 as (P1 & P2 & _). cbn [e err_θ err_avg rounding_errors2] in P1, P2. pose proof (ge_pos _ _ gDθ) as PD.
        eapply ball_le; [| |exact Bt]; unfold excess2, e; cbn [err_θ err_avg rounding_errors2]; [lra|].
        pose proof range2 as (_ & _ & R1 & _). change (s_Dθ r) with Dθ in R1. unfold B_θ. change (s_Dθ r) with Dθ. lra. }
      assert (Q : 0 <= INR t * (Bθ + e_Σ r)) by nonneg.
      rewrite S_INR. replace ((INR t + 1) * (Bθ + e_Σ r)) with (INR t * (Bθ + e_Σ r) + Bθ + e_Σ r) by ring.
      eapply ball_shift; [| exact PE | exact (ball_add d _ _ _ _ Q (Rlt_le _ _ PB) HΣ Bt') | exact E]. lra.
    - intros i. destruct F as [|W F]; [apply HD | apply double_rnd].
    - destruct F as [|W F]; [exact HR | apply double_rnd].
  Qed.

  Theorem float_run2_is_perturbed (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) : Ball d Dθ θ0 -> 0 <= ρ0 <= 1 -> Ball d Dβ β1 ->
    (forall i, double (θ0 i)) -> double ρ0 -> perturbed_run2 M N α ζ ξ η Dθ Dβ k T e p (initial2 θ0 ρ0 β1).
  Proof.
    intros H0 Hρ H1 HD HR. pose proof e_nonneg2 as (P1 & P2 & _ & _ & P3 & _). pose proof (ge_pos _ _ gDθ) as PD. pose proof (ge_pos _ _ gDβ) as PD'.
    assert (I0 : invariant2 0 (initial2 θ0 ρ0 β1)).
    { split; [split; [|split]|split; [|split]].
      - eapply ball_le; [| |exact H0]; unfold excess2; lra.
      - exact Hρ.
      - eapply ball_le; [| |exact H1]; lra.
      - simpl (INR 0). rewrite Rmult_0_l. apply ball_zero. lra.
      - exact HD.
      - exact HR. }
    assert (IH : forall H, Forall (fun F => Forall ok F /\ length F = S k) H -> (length H <= T)%nat -> invariant2 (length H) (run (program_step2 p) (initial2 θ0 ρ0 β1) H)).
    { intros H HH. induction HH as [|F H HF HH IH]; intros LH; [exact I0|]. simpl in LH. simpl. apply invariant_step2; [lia | apply IH; lia | exact HF]. }
    intros H HH LH. apply (close_invariant2 (length H)); [exact LH | apply IH; [exact HH | lia]].
  Qed.
End Run.
