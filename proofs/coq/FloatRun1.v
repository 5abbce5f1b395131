(** * Theorem A.1 for the program: a run in floating point is a perturbed run (proof) *)

From Coq Require Import List Reals Lra Lia ZArith Psatz FunctionalExtensionality.
From Flocq Require Import Core.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Projection GradientDescent RealSums MirrorDescent Runs DoubleLoop Algorithm1.
From OPD Require Import FloatProjection FloatAverage FloatDot PerturbedLearning Perturbed1 PerturbedA1.
From OPD Require Import FloatAlgorithm1 FloatVectors FloatSoftmax Rounding1 FloatBounds FloatPolicy1 FloatGradient1 FloatStep1 FloatMean.
Import ListNotations.
Local Open Scope R_scope.

Section Run.
  Variables (M : linear_mdp RK) (μB : nat -> nat -> RK) (weight : option (mat RK)) (N : mat RK) (fexp : R -> R) (k T : nat).
  Variables (α ζ η Dθ Dβ Dφ ν eΛ ex : R).
  Notation d := (dim M).
  Notation nA := (nA M).
  Let r := Sizes d nA k T α ζ η Dθ Dβ Dφ ν eΛ ex.
  Let e := rounding_errors r.
  Let p := float_program1 M weight fexp α ζ η Dθ Dβ.
  Notation iterate := (float_iterate M weight fexp α η Dθ).
  Notation ok := (in_model M).
  Notation Bθ := (B_θ r). Notation Bβ := (B_β r).

  Hypothesis range : in_float_range r.
  Hypothesis exponential : exp_error fexp ex.
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA)%nat -> Ball d Dφ (φ M x a).
  Hypothesis matrix : weight_sizes d weight N ν eΛ.

  Let cnt := counts M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let prm := params M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let gθ : ge (-100) Bθ := ge_Bθ M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.
  Let tiny_d' := tiny_d M k T α ζ η Dθ Dβ Dφ ν eΛ ex range.

  (** Before iteration t + 1. *)
  Definition invariant (t : nat) (s : state1) : Prop :=
    valid M Dθ Dβ e s /\ Ball d (INR t * (Bθ + e_Σ r)) (theta_sum s) /\ forall i, double (theta s i).

  Lemma Dθ_pos : 0 < Dθ.
  Proof. apply (ge_pos (-100)). apply prm. Qed.
  Lemma Dβ_pos : 0 < Dβ.
  Proof. apply (ge_pos (-100)). apply prm. Qed.

  Lemma e_avg_nonneg : 0 <= e_avg r.
  Proof.
    unfold e_avg. destruct (Nat.eqb _ _); [lra|]. pose proof (ge_pos _ _ gθ). pose proof ε_pos. pose proof (pos_INR k). change (s_K r) with k. nonneg.
  Qed.

  Lemma e_Σ_nonneg : 0 <= e_Σ r.
  Proof. unfold e_Σ. pose proof (ge_pos _ _ gθ). pose proof ε_pos. pose proof (pos_INR T). change (s_T r) with T. nonneg. Qed.

  (** No error bound is negative. *)
  Lemma e_nonneg : nonnegative e.
  Proof.
    pose proof range as (_ & _ & _ & [Λ0 _] & [X0 _] & _). change (s_eΛ r) with eΛ in Λ0. change (s_exp r) with ex in X0.
    destruct prm as ([Gα _] & [Gζ _] & [Gη _] & _ & _ & [Gφ _] & [Gν _]).
    apply ge_pos in Gα. apply ge_pos in Gζ. apply ge_pos in Gη. apply ge_pos in Gφ. apply ge_pos in Gν.
    pose proof Dθ_pos as Pθ. pose proof Dβ_pos as Pβ. pose proof ε_pos as Pε. pose proof (pos_INR nA) as PA. pose proof (pos_INR k) as Pk. pose proof (pos_INR T) as PT.
    assert (Pm : 0 <= m_d r) by apply pos_INR. assert (PmA : 0 <= m_A r) by apply pos_INR.
    assert (BT : 0 <= B_θ r) by (unfold B_θ; change (s_Dθ r) with Dθ; lra). assert (BB : 0 <= B_β r) by (unfold B_β; change (s_Dβ r) with Dβ; lra).
    pose proof e_Σ_nonneg as ES. assert (bS : 0 <= b_Σ r) by (unfold b_Σ; change (s_T r) with T; nonneg).
    assert (bz : 0 <= b_z r) by (unfold b_z; change (s_α r) with α; change (s_Dφ r) with Dφ; nonneg).
    assert (ez : 0 <= e_z r) by (unfold e_z; nonneg). assert (el : 0 <= e_l r) by (unfold e_l; nonneg).
    assert (eπ : 0 <= e_π r) by (unfold e_π; change (s_exp r) with ex; nonneg).
    assert (e1 : 0 <= e_1 r) by (unfold e_1; change (s_A r) with nA; nonneg).
    assert (eN : 0 <= e_N r) by (unfold e_N; change (s_ν r) with ν; change (s_eΛ r) with eΛ; nonneg).
    assert (bN : 0 <= b_N r) by (unfold b_N; change (s_ν r) with ν; nonneg).
    assert (bw : 0 <= b_w r) by (unfold b_w; change (s_Dφ r) with Dφ; nonneg). assert (ew : 0 <= e_w r) by (unfold e_w; change (s_Dφ r) with Dφ; nonneg).
    assert (bc : 0 <= b_c r) by (unfold b_c; nonneg). assert (ec : 0 <= e_c r) by (unfold e_c; nonneg).
    assert (bf : 0 <= b_f r) by (unfold b_f; change (s_Dφ r) with Dφ; nonneg).
    assert (ef : 0 <= e_f r) by (unfold e_f; change (s_A r) with nA; change (s_Dφ r) with Dφ; nonneg).
    assert (bg : 0 <= b_g r) by (unfold b_g; change (s_A r) with nA; change (s_Dφ r) with Dφ; nonneg).
    assert (eg : 0 <= e_g r) by (unfold e_g; change (s_Dφ r) with Dφ; nonneg).
    assert (by' : 0 <= b_y r) by (unfold b_y; change (s_η r) with η; nonneg).
    assert (bq : 0 <= b_q r) by (unfold b_q; change (s_Dφ r) with Dφ; nonneg). assert (bv : 0 <= b_v r) by (unfold b_v; nonneg).
    assert (ev : 0 <= e_v r) by (unfold e_v; change (s_Dφ r) with Dφ; nonneg).
    assert (br : 0 <= b_r r) by (unfold b_r; nonneg). assert (bt : 0 <= b_t r) by (unfold b_t; nonneg).
    assert (et : 0 <= e_t r) by (unfold e_t; change (s_Dφ r) with Dφ; nonneg).
    assert (bh : 0 <= b_h r) by (unfold b_h; change (s_Dφ r) with Dφ; nonneg).
    assert (eh : 0 <= e_h r) by (unfold e_h; change (s_Dφ r) with Dφ; change (s_ν r) with ν; change (s_eΛ r) with eΛ; nonneg).
    assert (bx : 0 <= b_x r) by (unfold b_x; change (s_ζ r) with ζ; nonneg).
    unfold e. split; [|split; [|split; [|split]]]; cbn [δθ δavg δβ δΣ δπ rounding_errors].
    - unfold e_θ. change (s_η r) with η. change (s_Dθ r) with Dθ. nonneg.
    - exact e_avg_nonneg.
    - unfold e_β. change (s_ζ r) with ζ. change (s_Dβ r) with Dβ. nonneg.
    - exact ES.
    - exact eπ.
  Qed.

  Lemma valid_balls s : valid M Dθ Dβ e s -> Ball d Bθ (theta s) /\ Ball d Bβ (beta s).
  Proof.
    intros [H1 H2]. pose proof e_nonneg as (P1 & _ & P2 & _). cbn [e δθ δβ rounding_errors] in P1, P2. pose proof range as (_ & _ & _ & _ & _ & _ & R1 & R2). change (s_Dθ r) with Dθ in R1. change (s_Dβ r) with Dβ in R2.
    pose proof e_avg_nonneg. pose proof Dθ_pos. pose proof Dβ_pos. split.
    - eapply ball_le; [| |exact H1]; unfold excess, e; cbn [δθ δavg rounding_errors]; [lra|]. unfold B_θ. change (s_Dθ r) with Dθ. lra.
    - eapply ball_le; [| |exact H2]; unfold e; cbn [δβ rounding_errors]; [lra|]. unfold B_β. change (s_Dβ r) with Dβ. lra.
  Qed.

  Lemma Σ_ball t s : (t <= T)%nat -> Ball d (INR t * (Bθ + e_Σ r)) (theta_sum s) -> Ball d (b_Σ r) (theta_sum s).
  Proof.
    intros Ht H. pose proof (ge_pos _ _ gθ). pose proof e_Σ_nonneg. pose proof (pos_INR t). apply le_INR in Ht.
    eapply ball_le; [| |exact H]; [nonneg|]. unfold b_Σ. change (s_T r) with T. apply Rmult_le_compat_r; lra.
  Qed.

  Lemma iterate_facts t s : (t <= T)%nat -> invariant t s -> forall F, Forall ok F ->
    Ball d Bθ (iterate s F) /\ (forall i, double (iterate s F i)) /\
    match F with
    | [] => True
    | W :: F' => Ball d (Dθ + e_θ r) (iterate s F) /\
        Ball d (e_θ r) (vsub (K := RK) (iterate s F)
          (proj_ball d Dθ (vsub (K := RK) (iterate s F') (scale (K := RK) η (theta_gradient M N (beta s) (float_policy M fexp α (theta_sum s)) W)))))
    end.
  Proof.
    intros Ht (V & HΣ & HD) F HF. destruct (valid_balls s V) as [VB1 VB2]. pose proof (Σ_ball t s Ht HΣ) as HS.
    pose proof e_nonneg as (P1 & P2 & _). cbn [e δθ δavg rounding_errors] in P1, P2. pose proof Dθ_pos as PD.
    induction HF as [|W F HW HF [IB [ID _]]]; [split; [exact VB1 | split; [exact HD | exact I]]|].
    pose proof (theta_step M weight N fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential discounted features (proj1 matrix) (proj2 matrix)
      s W (iterate s F) VB2 HS HW IB) as S. cbv zeta in S. fold r in S.
    match type of S with ball _ _ (vsub ?x ?y) => change x with (iterate s (W :: F)) in S; set (pr := y) in S end.
    assert (Bp : Ball d (Dθ + e_θ r) (iterate s (W :: F))).
    { eapply ball_shift; [| |apply (projection_in_ball d Dθ) | exact S]; lra. }
    split; [|split; [|split; [exact Bp | exact S]]].
    - eapply ball_le; [| |exact Bp]; [lra|]. pose proof range as (_ & _ & _ & _ & _ & _ & R1 & _). change (s_Dθ r) with Dθ in R1.
      unfold B_θ. change (s_Dθ r) with Dθ. lra.
    - intros i. cbn [float_iterate]. unfold float_project. destruct (Rle_dec _ _); apply double_rnd.
  Qed.

  Lemma average_error t s : (t <= T)%nat -> invariant t s -> forall W F, ok W -> Forall ok F -> S (length F) = k ->
    Ball d (e_avg r) (vsub (K := RK) (float_theta M weight fexp α η Dθ s F) (average (K := RK) (iterate s) (W :: F))).
  Proof.
    intros Ht I W F HW HF LF. pose proof cnt as ((_ & Hk & _) & (Hd & _ & HK & _)).
    exact (mean_error ok d k Bθ (iterate s) Hk HK Hd gθ (fun F HF => proj1 (iterate_facts t s Ht I F HF))
      (fun F i HF => proj1 (proj2 (iterate_facts t s Ht I F HF)) i) (W :: F) (Forall_cons W HW HF) LF).
  Qed.

  Lemma sum_error t s (θ : vec RK) : (t < T)%nat -> invariant t s -> Ball d Bθ θ ->
    Ball d (e_Σ r) (vsub (K := RK) (float_sum s θ) (vadd (K := RK) (theta_sum s) θ)).
  Proof.
    intros Ht (_ & HΣ & _) Hθ. pose proof cnt as (_ & (Hd & _ & _ & HT)). exact (running_sum d t T Bθ (theta_sum s) θ Hd HT Ht gθ HΣ Hθ).
  Qed.

  (** ** Every state's iteration is close to Algorithm 1's *)
  Lemma average_or_one : (1 < k)%nat \/ δavg e = 0.
  Proof.
    destruct (Nat.eq_dec k 1) as [K1|K1]; [right | left; pose proof (proj1 cnt); lia].
    unfold e. cbn [δavg rounding_errors]. unfold e_avg. change (s_K r) with k. now rewrite K1.
  Qed.

  Lemma theta_in_ball t s : (t <= T)%nat -> invariant t s -> forall (W : sample) F, ok W -> Forall ok F -> S (length F) = k ->
    Ball d (Dθ + excess e) (float_theta M weight fexp α η Dθ s F).
  Proof.
    intros Ht I W F HW HF LF. pose proof (average_error t s Ht I W F HW HF LF) as A. pose proof I as ((V & _) & _ & _).
    apply (average_ball d Dθ e (iterate s) ok (Rlt_le _ _ Dθ_pos) e_nonneg) with (W := W) (F := F); auto.
    - intros W' F' HW' HF'. destruct (iterate_facts t s Ht I (W' :: F')) as (_ & _ & B & _); [now constructor | exact B].
    - rewrite LF. exact average_or_one.
  Qed.

  Lemma close_invariant t s : (t < T)%nat -> invariant t s -> close_to_step1 M N α ζ η Dθ Dβ k e p s.
  Proof.
    intros Ht I. assert (Ht' : (t <= T)%nat) by lia. pose proof I as (V & HΣ & HD). destruct (valid_balls s V) as [VB1 VB2]. pose proof (Σ_ball t s Ht' HΣ) as HS.
    pose proof e_nonneg as (P1 & P2 & _). cbn [e δθ δavg rounding_errors] in P1, P2. pose proof Dθ_pos as PD.
    assert (FP : forall x, (x < nS M)%nat -> distribution nA (float_policy M fexp α (theta_sum s) x)).
    { intros x Hx. exact (float_policy_distribution M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (theta_sum s) x HS Hx). }
    split; [|split; [|split; [reflexivity|split]]].
    - split; [intros x a Hx Ha; now apply FP | intros x Hx; now apply FP].
    - intros x Hx. exact (proj2 (proj2 (proj2 (policy_facts M fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential features (theta_sum s) x HS Hx)))).
    - intros W F HW HF. destruct (iterate_facts t s Ht' I (W :: F)) as (_ & _ & _ & C); [now constructor | exact C].
    - intros W F HW HF LF θ.
      assert (Bt : Ball d Bθ θ).
      { eapply ball_le; [| |exact (theta_in_ball t s Ht' I W F HW HF LF)]; unfold excess, e; cbn [δθ δavg rounding_errors]; [lra|].
        pose proof range as (_ & _ & _ & _ & _ & _ & R1 & _). change (s_Dθ r) with Dθ in R1. unfold B_θ. change (s_Dθ r) with Dθ. lra. }
      split; [|split].
      + exact (average_error t s Ht' I W F HW HF LF).
      + exact (beta_step M weight N fexp k T α ζ η Dθ Dβ Dφ ν eΛ ex range exponential mdp discounted features (proj1 matrix) (proj2 matrix) s W θ HS VB2 Bt HW).
      + exact (sum_error t s θ Ht I Bt).
  Qed.

  Lemma invariant_step t s F : (t < T)%nat -> invariant t s -> Forall ok F /\ length F = k -> invariant (S t) (program_step p s F).
  Proof.
    intros Ht I HF. pose proof (close_invariant t s Ht I) as C. pose proof I as (V & HΣ & HD). pose proof cnt as ((HA & Hk & _) & _).
    assert (Pφ : 0 <= Dφ) by (apply Rlt_le, (ge_pos (-100)); apply prm).
    split; [|split].
    - exact (valid_step M μB N α ζ η Dθ Dβ Dφ mdp discounted behaviour HA (conj (Rlt_le _ _ Dθ_pos) (conj (Rlt_le _ _ Dβ_pos) Pφ)) k e p Hk e_nonneg average_or_one s F C V HF).
    - destruct HF as [HF LF]. destruct F as [|W F]; [simpl in LF; lia|]. pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'.
      pose proof C as (_ & _ & _ & _ & C2). destruct (C2 W F HW HF' LF) as (_ & _ & E). unfold within in E.
      pose proof (theta_in_ball t s ltac:(lia) I W F HW HF' LF) as Bt. pose proof (ge_pos _ _ gθ) as PB. pose proof e_Σ_nonneg as PE. pose proof (pos_INR t) as Pt.
      assert (Bt' : Ball d Bθ (program_theta p s F)).
      { pose proof e_nonneg as (P1 & P2 & _). cbn [e δθ δavg rounding_errors] in P1, P2. pose proof Dθ_pos as PD.
        eapply ball_le; [| |exact Bt]; unfold excess, e; cbn [δθ δavg rounding_errors]; [lra|].
        pose proof range as (_ & _ & _ & _ & _ & _ & R1 & _). change (s_Dθ r) with Dθ in R1. unfold B_θ. change (s_Dθ r) with Dθ. lra. }
      assert (Q : 0 <= INR t * (Bθ + e_Σ r)) by nonneg.
      rewrite S_INR. replace ((INR t + 1) * (Bθ + e_Σ r)) with (INR t * (Bθ + e_Σ r) + Bθ + e_Σ r) by ring.
      eapply ball_shift; [| exact PE | exact (ball_add d _ _ _ _ Q (Rlt_le _ _ PB) HΣ Bt') | exact E]. lra.
    - intros i. destruct F as [|W F]; [apply HD|]. apply double_rnd.
  Qed.

  Theorem float_run_is_perturbed (θ0 β1 : vec RK) : Ball d Dθ θ0 -> Ball d Dβ β1 -> (forall i, double (θ0 i)) ->
    perturbed_run1 M N α ζ η Dθ Dβ k T e p (initial1 θ0 β1).
  Proof.
    intros H0 H1 HD. pose proof e_nonneg as (P1 & P2 & P3 & _). pose proof Dθ_pos as PD. pose proof Dβ_pos as PD'.
    assert (I0 : invariant 0 (initial1 θ0 β1)).
    { split; [split|split].
      - eapply ball_le; [| |exact H0]; unfold excess; lra.
      - eapply ball_le; [| |exact H1]; lra.
      - simpl (INR 0). rewrite Rmult_0_l. apply ball_zero. lra.
      - exact HD. }
    assert (IH : forall H, Forall (fun F => Forall ok F /\ length F = k) H -> (length H <= T)%nat -> invariant (length H) (run (program_step p) (initial1 θ0 β1) H)).
    { intros H HH. induction HH as [|F H HF HH IH]; intros L; [exact I0|]. simpl in L. simpl. apply invariant_step; [lia | apply IH; lia | exact HF]. }
    intros H HH L. apply (close_invariant (length H)); [exact L | apply IH; [exact HH | lia]].
  Qed.
End Run.
