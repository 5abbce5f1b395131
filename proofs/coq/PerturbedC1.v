(** * Theorem C.1 for a program with an error in every step (proof) *)

From Coq Require Import List Reals Lra Lia.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average AppendixC Coverage.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm2 TheoremA1 TheoremC1.
From OPD Require Import PerturbedLearning Perturbed1 Perturbed2 PerturbedA1.
Import ListNotations.
Local Open Scope K_scope.

(** ** A' drawn from another law than π *)
Section Draws.
  Variables (M : linear_mdp RK) (μB π q : nat -> nat -> RK) (L N : mat RK) (β : vec RK) (a Dφ λ B : R).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Hypothesis mdp : is_mdp M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis Hπ : is_policy M π.
  Hypothesis Hq : is_policy M q.
  Hypothesis powers_of : powers d Λ L N.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis signs : (0 <= a /\ 0 <= Dφ /\ 0 <= B)%R.
  Hypothesis spectral : 0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u.
  Hypothesis distance : forall x, (x < nS M)%nat -> (rsum (nA M) (fun b => Rabs (π x b - q x b)) <= a)%R.
  Hypothesis size : ball d B β.

  (** What does not look at A' has the same mean. *)
  Lemma transition_marginal (g : nat -> nat -> nat -> RK) :
    E (transition_law M μB q) (fun W => g (t_state W) (t_action W) (t_next W))
    = E (transition_law M μB π) (fun W => g (t_state W) (t_action W) (t_next W)).
  Proof. rewrite !E_transition_next by assumption. reflexivity. Qed.

  Notation s W := (dot d (φ M (t_state W) (t_action W)) (mulv d N β)).

  Lemma g_theta_mean π0 i : is_policy M π0 -> (i < d)%nat ->
    average_g_theta M L β π0 i
    = E (transition_law M μB q) (fun W => s W * mean_feature M π0 (t_next W) i - s W * φ M (t_state W) (t_action W) i).
  Proof.
    intros H0 Hi. rewrite <- (lemma_C_7_unbiased M μB π0 L N mdp H0 powers_of β i Hi). rewrite E_transition.
    rewrite (E_transition_next M μB q Hq (fun x b x' => dot d (φ M x b) (mulv d N β) * mean_feature M π0 x' i - dot d (φ M x b) (mulv d N β) * φ M x b i)).
    apply sumXA_ext. intros x b Hx Hb. f_equal. apply sumX_ext. intros x' Hx'. f_equal. destruct H0 as [_ H1].
    unfold average_theta_gradient, vsub, scale, mean_feature. cbn [t_state t_action t_next t_next_action].
    set (z := dot d (φ M x b) (mulv d N β)).
    rewrite (sum_ext _ _ (fun a' => z * (π0 x' a' * φ M x' a' i) - z * φ M x b i * π0 x' a')) by (intros; real; ring).
    rewrite sum_sub, !sum_mul_l. change (sum (nA M) (fun i0 => π0 x' i0)) with (sum (nA M) (π0 x')). rewrite (H1 x' Hx'). real. ring.
  Qed.

  Lemma draw_shift : ball d (a * Dφ * (sqrt λ * B))%R (vsub (average_g_theta M L β π) (average_g_theta M L β q)).
  Proof.
    destruct signs as (Pa & Pφ & PB). pose proof (is_law_transition M μB q mdp behaviour Hq) as HL.
    set (h := fun W i => s W * (mean_feature M π (t_next W) i - mean_feature M q (t_next W) i)).
    assert (Eh : veq d (Ev (transition_law M μB q) h) (vsub (average_g_theta M L β π) (average_g_theta M L β q))).
    { intros i Hi. unfold Ev, vsub. rewrite (g_theta_mean π i Hπ Hi), (g_theta_mean q i Hq Hi), <- E_sub. apply E_ext. intros W. unfold h. real. ring. }
    unfold ball. rewrite <- (norm2_ext d _ _ Eh). eapply le_trans; [apply (norm2_Ev d _ h HL)|].
    apply le_trans with (E (transition_law M μB q) (fun W => ((a * Dφ * (a * Dφ))%R : RK) * (s W)²)).
    - apply E_le_in; [apply HL|]. intros p0 W HW. apply in_transition in HW as (_ & _ & Hn & _). unfold h.
      rewrite (norm2_ext d _ (scale (s W) (vsub (mean_feature M π (t_next W)) (mean_feature M q (t_next W))))) by (intros i _; reflexivity).
      rewrite norm2_scale.
      assert (X : ball d (a * Dφ)%R (vsub (mean_feature M π (t_next W)) (mean_feature M q (t_next W)))).
      { apply (ball_ext d _ (fun i => rsum (nA M) (fun b => (π (t_next W) b - q (t_next W) b) * φ M (t_next W) b i)%R)).
        - intros i _. unfold vsub, mean_feature. change (sum (nA M) ?f) with (rsum (nA M) f). unfold sub at 1; cbn [RK]. rewrite <- rsum_sub. apply rsum_ext. intros b _. real. ring.
        - eapply ball_le; [| |apply (ball_rsum d (nA M) (fun b => Rabs (π (t_next W) b - q (t_next W) b) * Dφ)%R)].
          + apply rsum_nonneg. intros b _. apply Rmult_le_pos; [apply Rabs_pos | exact Pφ].
          + rewrite (rsum_ext _ _ (fun b => Dφ * Rabs (π (t_next W) b - q (t_next W) b))%R), rsum_mul by (intros; ring). rewrite Rmult_comm.
            apply Rmult_le_compat_r; [exact Pφ | now apply distance].
          + intros b _. apply Rmult_le_pos; [apply Rabs_pos | exact Pφ].
          + intros b Hb. apply (ball_scale d Dφ (π (t_next W) b - q (t_next W) b)%R). now apply features. }
      unfold ball in X. pose proof (sq_nonneg (s W)) as Q. real. rewrite (Rmult_comm (a * Dφ * (a * Dφ))). now apply Rmult_le_compat_l.
    - rewrite E_mul_l, (E_sq_N' M μB q L N) by assumption.
      pose proof (quad_bound d (sandwich d Λ N) λ B β (proj1 spectral) (proj2 spectral) size) as Qb. destruct spectral as [Pλ _].
      real. replace (a * Dφ * (sqrt λ * B) * (a * Dφ * (sqrt λ * B)))%R with (a * Dφ * (a * Dφ) * (B * B * (sqrt λ * sqrt λ)))%R by ring.
      rewrite sqrt_def by exact Pλ. apply Rmult_le_compat_l; [|exact Qb]. assert (0 <= a * Dφ)%R by now apply Rmult_le_pos. nra.
  Qed.
End Draws.

Section Analysis.
  Variables (M : linear_mdp RK) (ϱ : vec RK) (μB : nat -> nat -> RK) (L N : mat RK) (α ζ ξ η Dθ Dβ Dφ λ : R).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation Tr := (trace d (sandwich d Λ N)).
  Notation ok := (in_model2 M).

  Hypothesis mdp : is_mdp M.
  Hypothesis rank : full_rank M.
  Hypothesis ones : is_ones M ϱ.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis powers_of : powers d Λ L N.
  Hypothesis some_action : (0 < nA M)%nat.
  Hypothesis rates : (0 < α /\ 0 < ζ /\ 0 < ξ /\ 0 < η)%R.
  Hypothesis radii : (0 <= Dθ /\ 0 <= Dβ /\ 0 <= Dφ)%R.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis spectral : 0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u.

  Variables (k : nat) (e : errors2) (p : program2).
  Hypothesis Hk : (0 < k)%nat.
  Hypothesis e_nonneg : nonnegative2 e.
  Hypothesis averages : (1 < k)%nat \/ err_avg e = 0%R.
  Notation κ := (excess2 e).
  Notation Bθ := (Dθ + excess2 e)%R.
  Notation Bβ := (Dβ + err_β e)%R.
  Notation close := (close_to_step2 M N α ζ ξ η Dθ Dβ k e p).
  Notation step := (program_step2 p).
  Notation policy := (policy_of p).
  Notation draw s := (draw_of p s).
  Notation W_law s := (transition_law M μB (draw s)).
  Notation ok_block := (fun F => Forall ok F /\ length F = S k).

  Definition valid (s : state2) : Prop := ball d Bθ (a_theta s) /\ 0 <= a_rho s <= 1 /\ ball d Bβ (a_beta s).

  Lemma excess_nonneg : (0 <= κ)%R.
  Proof. destruct e_nonneg as (A & B & _). unfold excess2. lra. Qed.

  Lemma law_of s : close s -> is_law (W_law s).
  Proof. intros C. apply is_law_transition; [exact mdp | exact behaviour | apply C]. Qed.

  Lemma support_of s : supported ok (W_law s).
  Proof. intros q W H. apply in_transition in H. exact H. Qed.

  Lemma theta_ball s : close s -> valid s -> forall F, Forall ok F -> length F = k -> ball d Bθ (theta_of_block p s F).
  Proof.
    intros C V F HF LF. pose proof radii as (R1 & R2 & R3). pose proof e_nonneg as (P1 & P2 & P3 & P4 & P5 & P6 & P7 & P8). pose proof excess_nonneg as PK.
    destruct (law_inhabited (W_law s) (law_of s C)) as (q & W & HW). apply support_of in HW.
    destruct C as (_ & _ & _ & (C0 & _) & Ci & Ca). destruct (Ca W F HW HF LF) as (A & _).
    assert (IB : forall W F, ok W -> Forall ok F -> ball d (Dθ + err_θ e)%R (theta_iterate p s (W :: F))).
    { intros W' F' HW' HF'. destruct (Ci W' F' HW' HF') as [X _]. eapply ball_shift; [exact R1 | exact P1 | | exact X]. apply projection_in_ball; exact R1. }
    destruct F as [|W' F]; [simpl in LF; lia|].
    assert (NE : nonnegative (Errors (err_θ e) (err_avg e) 0 0 0)) by (unfold nonnegative; cbn [δθ δavg δβ δΣ δπ]; lra).
    apply (average_ball d Dθ (Errors (err_θ e) (err_avg e) 0 0 0) (theta_iterate p s) ok R1 NE) with (W := W') (F := F);
      [rewrite C0; apply V | exact IB | exact (Forall_inv_tail HF) | | exact A].
    change (S (length F)) with (length (W' :: F)). rewrite LF. exact averages.
  Qed.

  Lemma valid_step s F : close s -> valid s -> ok_block F -> valid (step s F).
  Proof.
    intros C V [HF LF]. destruct F as [|W F]; [exact V|]. injection LF as LF.
    pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'. split; [now apply theta_ball|].
    pose proof C as (_ & _ & _ & _ & _ & Ca). destruct (Ca W F HW HF' LF) as (_ & B & _ & A & _). split; [exact B|].
    eapply ball_shift; [apply radii | apply e_nonneg | | exact A]. apply projection_in_ball, radii.
  Qed.

  Lemma theta_regret s θ' : close s -> valid s -> ball d Dθ θ' ->
    (E (block (W_law s) k) (fun F => dot d (vsub (theta_of_block p s F) θ') (average_g_theta M L (a_beta s) (policy s)))
     <= (2 * Dθ + κ) * (2 * Dθ + κ) / (2 * η * INR k) + η * average_G_theta Dφ Bβ λ / 2
        + (4 * Dθ * err_θ e + err_θ e * err_θ e) / (2 * η) + err_avg e * sqrt (average_G_theta Dφ Bβ λ)
        + (2 * Dθ + κ) * (err_A e * Dφ * (sqrt λ * Bβ)))%R.
  Proof.
    intros C V Hθ'. pose proof C as (_ & _ & (Hq & Dq) & _). set (gπ := average_g_theta M L (a_beta s) (policy s)). set (gq := average_g_theta M L (a_beta s) (draw s)).
    pose proof (law_of s C) as HL0. pose proof (is_law_block (W_law s) k HL0) as HB0. pose proof radii as (R1' & R2' & R3').
    pose proof e_nonneg as (_ & _ & _ & _ & P5' & _ & _ & P8'). pose proof excess_nonneg as PK'.
    assert (Shift : ball d (err_A e * Dφ * (sqrt λ * Bβ))%R (vsub gπ gq)).
    { apply (draw_shift M μB (policy s) (draw s) L N (a_beta s) (err_A e) Dφ λ Bβ); try assumption; [apply C | split; [exact P8' | split; [exact R3' | lra]] | apply V]. }
    eapply Rle_trans; [apply (E_le_ok (fun F => Forall ok F /\ length F = k) (block (W_law s) k) _
      (fun F => dot d (vsub (theta_of_block p s F) θ') gq + (((2 * Dθ + κ) * (err_A e * Dφ * (sqrt λ * Bβ)))%R : RK)) HB0)|].
    { intros q0 F HF. eapply block_ok; [apply support_of | exact HF]. }
    { intros F [HF LF]. pose proof (theta_ball s C V F HF LF) as Bt.
      assert (X : ball d (Bθ + Dθ)%R (vsub (theta_of_block p s F) θ')) by (apply ball_sub; [lra | exact R1' | exact Bt | exact Hθ']).
      assert (Ps : (0 <= err_A e * Dφ * (sqrt λ * Bβ))%R) by (repeat apply Rmult_le_pos; try lra; apply sqrt_pos).
      assert (Pb : (0 <= Bθ + Dθ)%R) by lra.
      pose proof (dot_ball d _ _ _ _ Pb Ps X Shift) as Y. rewrite dot_vsub_r in Y. real.
      replace (2 * Dθ + κ)%R with (Bθ + Dθ)%R by ring. lra. }
    rewrite E_add, E_const by exact HB0. apply Rplus_le_compat_r. pose proof rates as (_ & _ & _ & Pη). pose proof radii as (R1 & R2 & R3).
    pose proof e_nonneg as (P1 & P2 & _). pose proof excess_nonneg as PK. pose proof (law_of s C) as HL.
    pose proof C as (Cπ & _ & _ & (C0 & _) & Ci & Ca).
    replace (4 * Dθ * err_θ e)%R with (2 * (Dθ + Dθ) * err_θ e)%R by ring.
    apply (perturbed_average_regret ok d k (proj_ball d Dθ) (Dθ + Dθ)%R (err_θ e) (err_avg e) η _ _ (W_law s) (average_theta_gradient M N (a_beta s)) _ θ' (theta_iterate p s));
      [lra | split; assumption | exact Pη | exact Hk | | | exact HL | apply support_of | | | | |].
    - intros z. apply (projection_approaches d (ball d Dθ)); [apply projection_obtuse; exact R1 | exact Hθ'].
    - intros z. apply ball_sub; [exact R1 | exact R1 | apply projection_in_ball; exact R1 | exact Hθ'].
    - intros i Hi. apply lemma_C_7_unbiased; auto.
    - eapply le_trans; [apply (lemma_C_7_second_moment M μB (draw s) L N); auto; apply features|].
      unfold average_G_theta. apply mul_le_l.
      { apply mul_nonneg; [apply mul_nonneg; apply add_nonneg; apply one_nonneg | apply sq_nonneg]. }
      apply quad_bound; [apply spectral | apply spectral | apply V].
    - rewrite C0. assert (X : ball d (Bθ + Dθ)%R (vsub (a_theta s) θ')) by (apply ball_sub; [lra | lra | apply V | exact Hθ']).
      unfold ball in X. real. replace (2 * Dθ + κ)%R with (Bθ + Dθ)%R by ring. exact X.
    - intros W F HW HF. apply (Ci W F HW HF).
    - intros F HF LF. destruct (law_inhabited (W_law s) HL) as (q & W & HW). apply support_of in HW. apply (Ca W F HW HF LF).
  Qed.

  Lemma ball_number (x δ : R) : (0 <= δ)%R -> (Rabs x <= δ)%R -> ball 1 δ (fun _ => x : RK).
  Proof. intros P H. unfold ball, norm2, dot. simpl. real. rewrite Rplus_0_l. apply Rsqr_le_abs_1. rewrite (Rabs_pos_eq δ) by exact P. exact H. Qed.

  Lemma rho_regret s ρ' : close s -> valid s -> 0 <= ρ' <= 1 ->
    (E (block (W_law s) k) (fun F => (rho_of_block p s F - ρ') * average_g_rho M ϱ L (a_beta s))
     <= 1 / (2 * ξ * INR k) + ξ * average_G_rho Bβ λ / 2
        + (2 * err_ρ e + err_ρ e * err_ρ e) / (2 * ξ) + err_ρavg e * sqrt (average_G_rho Bβ λ))%R.
  Proof.
    intros C V Hρ'. pose proof rates as (_ & _ & Pξ & _). pose proof e_nonneg as (_ & _ & P3 & P4 & _). pose proof (law_of s C) as HL.
    pose proof C as (Cπ & _ & (Hq & _) & (_ & C0) & Ci & Ca).
    eapply Rle_trans; [apply Req_le, (E_ext (block (W_law s) k) _ (fun F => dot 1 (vsub ((fun F (_ : nat) => rho_of_block p s F) F) (fun _ => ρ')) (fun _ => average_g_rho M ϱ L (a_beta s))))|].
    { intros F. unfold dot, vsub. simpl. real. ring. }
    replace (2 * err_ρ e + err_ρ e * err_ρ e)%R with (2 * 1 * err_ρ e + err_ρ e * err_ρ e)%R by ring.
    apply (perturbed_average_regret ok 1 k clip1 1 (err_ρ e) (err_ρavg e) ξ _ _ (W_law s) (fun W _ => average_rho_gradient M N (a_beta s) W) _ (fun _ => ρ')
      (fun F _ => rho_iterate p s F) (fun F _ => rho_of_block p s F));
      [lra | split; assumption | exact Pξ | exact Hk | | | exact HL | apply support_of | | | | |].
    - intros y. unfold norm2, dot, vsub, clip1. simpl.
      pose proof (clip_nonexpansive (y 0%nat) ρ') as X. rewrite (clip_inside ρ') in X by apply Hρ'. real. lra.
    - intros y. unfold ball, norm2, dot, vsub, clip1. simpl. pose proof (clip_in_interval (y 0%nat)) as [X0 X1]. destruct Hρ' as [Y0 Y1]. real. nra.
    - intros i _. apply lemma_C_6_unbiased; auto.
    - eapply le_trans; [apply le_eq, E_ext; intros W; unfold norm2, dot; simpl; real; apply Rplus_0_l|].
      eapply le_trans; [apply (lemma_C_6_second_moment M μB (draw s) L N); auto|].
      unfold average_G_rho. apply add_le, mul_le_l; [apply add_nonneg; apply one_nonneg|].
      apply quad_bound; [apply spectral | apply spectral | apply V].
    - unfold norm2, dot, vsub. simpl. rewrite C0. destruct V as (_ & [r0 r1] & _). destruct Hρ' as [r2 r3]. real. nra.
    - intros W F HW HF. destruct (Ci W F HW HF) as [_ X].
      apply (ball_ext 1 _ (fun _ => (rho_iterate p s (W :: F) - clip (rho_iterate p s F - ξ * average_rho_gradient M N (a_beta s) W))%R)); [intros i _; reflexivity|].
      now apply ball_number.
    - intros F HF LF. destruct (law_inhabited (W_law s) HL) as (q & W & HW). apply support_of in HW. destruct (Ca W F HW HF LF) as (_ & _ & X & _).
      apply (ball_ext 1 _ (fun _ => (rho_of_block p s F - along (rho_iterate p s) F / of_nat k)%R)); [intros i _; unfold vsub, average; now rewrite LF|].
      now apply ball_number.
  Qed.

  Lemma beta_potential s β' : close s -> valid s -> ball d Dβ β' ->
    (2 * ζ * E (block (W_law s) (S k)) (fun F => dot d (vsub β' (a_beta s))
        (average_g_beta M ϱ L (policy s) (rho_of_block p s (tl F)) (theta_of_block p s (tl F))))
     + E (block (W_law s) (S k)) (fun F => norm2 d (vsub (a_beta (step s F)) β'))
     <= norm2 d (vsub (a_beta s) β') + (ζ * ζ * average_G_beta Dφ Bθ Tr + (4 * Dβ * err_β e + err_β e * err_β e)))%R.
  Proof.
    intros C V Hβ'. pose proof radii as (R1 & R2 & R3). pose proof e_nonneg as (P1 & P2 & P3 & P4 & P5 & _). pose proof excess_nonneg as PK. rewrite !E_block_S.
    pose proof (law_of s C) as HL. pose proof (is_law_block (W_law s) k HL) as HB.
    set (b := (norm2 d (vsub (a_beta s) β') + (ζ * ζ * average_G_beta Dφ Bθ Tr + (4 * Dβ * err_β e + err_β e * err_β e)))%R).
    apply Rle_trans with (E (block (W_law s) k) (fun _ => b : RK)); [|rewrite E_const by exact HB; apply Rle_refl].
    change (((1 + 1)%R * ζ)%R * E (block (W_law s) k) ?f + E (block (W_law s) k) ?g <= ?r)%R with (((2 * ζ)%R : RK) * E (block (W_law s) k) f + E (block (W_law s) k) g <= r).
    rewrite <- E_mul_l, <- E_add.
    apply (E_le_ok (fun F => Forall ok F /\ length F = k)); [exact HB | intros q F HF; eapply block_ok; [apply support_of | exact HF] |].
    intros F [HF LF]. cbn [tl a_beta program_step2]. set (θ := theta_of_block p s F). set (ρ := rho_of_block p s F).
    assert (Bt : norm2 d θ <= (Bθ : RK)²) by (apply theta_ball; auto).
    assert (Br : 0 <= ρ <= 1).
    { destruct (law_inhabited (W_law s) HL) as (q & W & HW). apply support_of in HW. pose proof C as (_ & _ & _ & _ & _ & Ca). apply (Ca W F HW HF LF). }
    rewrite E_const by exact HL.
    assert (O : (1 + 1) * ζ * dot d (vsub β' (a_beta s)) (average_g_beta M ϱ L (policy s) ρ θ)
      + E (W_law s) (fun W => norm2 d (vsub (proj_ball d Dβ (vadd (a_beta s) (scale ζ (average_beta_gradient M N (policy s) ρ θ W)))) β'))
      <= norm2 d (vsub (a_beta s) β') + ζ² * average_G_beta Dφ Bθ Tr).
    { apply (one_step_expected d (proj_ball d Dβ) β') with (ĝ := average_beta_gradient M N (policy s) ρ θ).
      - intros y. apply (projection_approaches d (ball d Dβ)); [apply projection_obtuse; exact R2 | exact Hβ'].
      - exact HL.
      - intros i Hi. pose proof C as (Hπ & _ & (Hq & _) & _). unfold Ev. rewrite <- (lemma_C_5_unbiased M ϱ μB (policy s) L N mdp Hπ ones powers_of ρ θ i Hi).
        exact (transition_marginal M μB (policy s) (draw s) Hπ Hq (fun x a x' =>
          scale (reward M x a + v_of M θ (policy s) x' - dot d (φ M x a) θ - ρ) (mulv d N (φ M x a)) i)).
      - pose proof C as (Hπ & _ & (Hq & _) & _).
        pose proof (transition_marginal M μB (policy s) (draw s) Hπ Hq (fun x a x' =>
          norm2 d (scale (reward M x a + v_of M θ (policy s) x' - dot d (φ M x a) θ - ρ) (mulv d N (φ M x a))))) as Eq.
        change (E (W_law s) (fun W => norm2 d (average_beta_gradient M N (policy s) ρ θ W))
          = E (transition_law M μB (policy s)) (fun W => norm2 d (average_beta_gradient M N (policy s) ρ θ W))) in Eq. rewrite Eq.
        apply (lemma_C_5_second_moment M μB (policy s) L N); auto. real. lra. }
    assert (X : E (W_law s) (fun W => norm2 d (vsub (beta_of_block p s θ ρ W) β'))
      <= E (W_law s) (fun W => norm2 d (vsub (proj_ball d Dβ (vadd (a_beta s) (scale ζ (average_beta_gradient M N (policy s) ρ θ W)))) β')
           + ((4 * Dβ * err_β e + err_β e * err_β e)%R : RK))).
    { apply (E_le_ok ok); [exact HL | apply support_of|]. intros W HW.
      apply perturbed_distance; [exact R2 | exact P5 | apply projection_in_ball; exact R2 | exact Hβ'|].
      pose proof C as (_ & _ & _ & _ & _ & Ca). apply (Ca W F HW HF LF). }
    rewrite E_add, (E_const (W_law s) ((4 * Dβ * err_β e + err_β e * err_β e)%R : RK)) in X by exact HL. unfold b. real. lra.
  Qed.

  Variables (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Hypothesis comparator : is_policy M π'.
  Hypothesis stationary : is_stationary M π' ν' /\ forall x, (x < nS M)%nat -> 0 <= ν' x.
  Variable β' : vec RK.
  Hypothesis covered : is_beta_star M L β' (compose π' ν') /\ ball d Dβ β'.
  Variables (gain : (nat -> nat -> RK) -> RK) (bias occ : (nat -> nat -> RK) -> nat -> RK) (star : (nat -> nat -> RK) -> vec RK).
  Hypothesis values : forall π, is_policy M π ->
    is_bias M π (gain π) (bias π) /\
    is_stationary M π (occ π) /\ (forall x, (x < nS M)%nat -> 0 <= occ π x) /\
    ball d Dθ (star π) /\
    exists c, forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) (star π) = bias_q M (gain π) (bias π) x a - c.


  (** Lemmas C.3 and C.4 for one iteration, whatever its policy, θ, ρ and β. *)
  Lemma regrets_of_iteration π (θ : vec RK) (ρ : RK) (β : vec RK) : is_policy M π ->
    return_of_measure M (compose π' ν') - return_of_measure M (compose π (occ π))
    = dot d (vsub θ (star π)) (average_g_theta M L β π) + (ρ - gain π) * average_g_rho M ϱ L β
      + dot d (vsub β' β) (average_g_beta M ϱ L π ρ θ) + regret_of M π' ν' π θ.
  Proof.
    intros Hp. destruct (values π Hp) as (Hb & Ho & _ & _ & c & Hc).
    rewrite <- (gain_is_return M π _ _ _ Hp Hb Ho).
    rewrite <- (average_f_beta_star M ϱ L ones β' π' ν' ρ θ (proj1 covered) comparator (proj1 stationary)).
    rewrite <- (average_f_theta_star M ϱ L mdp rank ones β π (gain π) (bias π) (star π) c Hp Hb Hc) at 1.
    pose proof (primal_difference M ϱ L β' ν' π' β π ρ θ) as A.
    pose proof (dual_difference M ϱ L β π ρ (gain π) θ (star π)) as B.
    assert (X : forall x, (x < nS M)%nat -> PsiT M (mulv d L β') x = ν' x).
    { intros x Hx. rewrite (PsiT_ext M _ _ x (proj1 covered)), PsiT_PhiT.
      symmetry. now apply (proj1 (proj1 stationary)). }
    specialize (A X).
    change (sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ))) with (regret_of M π' ν' π θ) in A.
    set (f1 := average_f M ϱ L β' π' ρ θ) in *. set (f2 := average_f M ϱ L β π ρ θ) in *. set (f3 := average_f M ϱ L β π (gain π) (star π)) in *.
    transitivity ((f1 - f2) + (f2 - f3)); [real; ring|]. rewrite A, B. real. ring.
  Qed.

  Definition program_suboptimality2 (s : state2) (_ : list transition) : RK :=
    return_of_measure M (compose π' ν') - return_of_measure M (compose (policy s) (occ (policy s))).

  Theorem theorem_C_1_perturbed (T : nat) (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) :
    (0 < T)%nat -> ball d Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball d Dβ β1 ->
    perturbed_run2 M N α ζ ξ η Dθ Dβ k T e p (initial2 θ0 ρ0 β1) ->
    (expected_at_random_iteration step (initial2 θ0 ρ0 β1) (fun s => block (W_law s) (S k)) T program_suboptimality2
     <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * average_G_beta Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
        + ξ * average_G_rho Dβ λ / 2 + η * average_G_theta Dφ Dβ λ / 2
        + perturbation_C_1 Dθ Dβ Dφ λ Tr α ζ ξ η k e)%R.
  Proof.
    intros HT H0 Hρ H1 C. set (s1 := initial2 θ0 ρ0 β1) in *. set (P := fun s => block (W_law s) (S k)).
    pose proof radii as (R1 & R2 & R3). pose proof e_nonneg as (P1 & P2 & P3 & P4 & P5 & P6 & P7 & P8). pose proof excess_nonneg as PK.
    pose proof rates as (Pα & Pζ & Pξ & Pη).
    assert (I1 : valid s1) by (split; [apply (ball_le d Dθ); [exact R1 | lra | exact H0] | split; [exact Hρ | apply (ball_le d Dβ); [exact R2 | lra | exact H1]]]).
    assert (V : forall H, Forall ok_block H -> (length H <= T)%nat -> valid (run step s1 H)).
    { intros H HH. induction HH as [|F H HF HH IH]; intros LH; [exact I1|]. simpl in LH. simpl.
      apply valid_step; [apply C; [exact HH | lia] | apply IH; lia | exact HF]. }
    assert (laws : forall H, Forall ok_block H -> (length H < T)%nat -> is_law (P (run step s1 H)) /\ supported ok_block (P (run step s1 H))).
    { intros H HH LH. split; [apply is_law_block, law_of, C; assumption | intros q F HF; eapply block_ok; [apply support_of | exact HF]]. }
    set (rθ := fun s F => dot d (vsub (theta_of_block p s (tl F)) (star (policy s))) (average_g_theta M L (a_beta s) (policy s)) : RK).
    set (rρ := fun s F => (rho_of_block p s (tl F) - gain (policy s)) * average_g_rho M ϱ L (a_beta s) : RK).
    set (rβ := fun s F => dot d (vsub β' (a_beta s)) (average_g_beta M ϱ L (policy s) (rho_of_block p s (tl F)) (theta_of_block p s (tl F))) : RK).
    set (rπ := fun s F => regret_of M π' ν' (policy s) (theta_of_block p s (tl F)) : RK).
    unfold expected_at_random_iteration. to_R. rewrite of_nat_INR. fold P. set (Q := fun H => P (run step s1 H)).
    assert (T0 : (T + length (@nil (list transition)) <= T)%nat) by (simpl; lia).
    (* the four regrets *)
    assert (S0 : (E_path Q T [] (total step s1 program_suboptimality2)
      <= E_path Q T [] (fun H => total step s1 rθ H + total step s1 rρ H + total step s1 rβ H + total step s1 rπ H))%R).
    { apply (E_path_le_state ok_block step s1 P T laws T []); [constructor | exact T0 |].
      intros H HH LH. simpl in LH. rewrite Nat.add_0_r in LH. apply le_eq. rewrite <- !total_add.
      apply (total_ext_ok ok_block step s1 T); [|exact HH | lia].
      intros H' F HH' _ LH'. apply regrets_of_iteration. apply (C H' HH' LH'). }
    rewrite !E_path_add in S0.
    assert (avg : forall (b : R) (g : state2 -> list transition -> RK),
      (forall H, Forall ok_block H -> (length H < T)%nat -> (E (P (run step s1 H)) (g (run step s1 H)) <= b)%R) ->
      (E_path Q T [] (total step s1 g) <= INR T * b)%R).
    { intros b g Hb. pose proof (expected_total_state ok_block step s1 P T laws 1 b (fun _ => 0) g) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        1 * E (P (run step s1 H)) (g (run step s1 H)) + E (P (run step s1 H)) (fun _ => 0) <= (0 : RK) + (b : RK)).
      { intros H HH LH. rewrite E_const by apply (laws H HH LH). specialize (Hb H HH LH). real. lra. }
      specialize (X Y T [] (Forall_nil _) T0). cbv beta in X. fold Q in X. cbn [Runs.total] in X. rewrite of_nat_INR in X.
      assert (Z : 0 <= E_path Q T [] (fun _ => (0 : RK))) by (apply (E_path_nonneg_state ok_block step s1 P T laws T []); [constructor | exact T0 | intros; apply le_refl]).
      real. lra. }
    (* θ and ρ *)
    set (bθ := ((2 * Dθ + κ) * (2 * Dθ + κ) / (2 * η * INR k) + η * average_G_theta Dφ Bβ λ / 2
        + (4 * Dθ * err_θ e + err_θ e * err_θ e) / (2 * η) + err_avg e * sqrt (average_G_theta Dφ Bβ λ)
        + (2 * Dθ + κ) * (err_A e * Dφ * (sqrt λ * Bβ)))%R).
    assert (Aθ : (E_path Q T [] (total step s1 rθ) <= INR T * bθ)%R).
    { apply avg. intros H HH LH. set (s := run step s1 H). assert (Cs : close s) by now apply C.
      destruct (values (policy s) (proj1 Cs)) as (_ & _ & _ & Bv & _). unfold P, rθ.
      rewrite (E_block_tail (W_law s) k (fun F => dot d (vsub (theta_of_block p s F) (star (policy s))) (average_g_theta M L (a_beta s) (policy s))) (law_of s Cs)).
      apply theta_regret; [exact Cs | apply V; [exact HH | lia] | exact Bv]. }
    set (bρ := (1 / (2 * ξ * INR k) + ξ * average_G_rho Bβ λ / 2
        + (2 * err_ρ e + err_ρ e * err_ρ e) / (2 * ξ) + err_ρavg e * sqrt (average_G_rho Bβ λ))%R).
    assert (Aρ : (E_path Q T [] (total step s1 rρ) <= INR T * bρ)%R).
    { apply avg. intros H HH LH. set (s := run step s1 H). assert (Cs : close s) by now apply C.
      destruct (values (policy s) (proj1 Cs)) as (Hb & Ho & Hn & _). unfold P, rρ.
      rewrite (E_block_tail (W_law s) k (fun F => ((rho_of_block p s F - gain (policy s)) * average_g_rho M ϱ L (a_beta s))%R) (law_of s Cs)).
      apply rho_regret; [exact Cs | apply V; [exact HH | lia] |].
      rewrite (gain_is_return M (policy s) _ _ _ (proj1 Cs) Hb Ho).
      apply return_in_interval; [exact mdp | apply Cs | exact Hn | apply Ho]. }
    (* β *)
    set (bβ := (ζ * ζ * average_G_beta Dφ Bθ Tr + (4 * Dβ * err_β e + err_β e * err_β e))%R).
    assert (Aβ : (2 * ζ * E_path Q T [] (total step s1 rβ) <= 4 * (Dβ * Dβ) + INR T * bβ)%R).
    { pose proof (expected_total_state ok_block step s1 P T laws (2 * ζ)%R bβ (fun s => norm2 d (vsub (a_beta s) β')) rβ) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        ((2 * ζ)%R : RK) * E (P (run step s1 H)) (rβ (run step s1 H)) + E (P (run step s1 H)) (fun F => norm2 d (vsub (a_beta (step (run step s1 H) F)) β'))
        <= norm2 d (vsub (a_beta (run step s1 H)) β') + (bβ : RK)).
      { intros H HH LH. apply (beta_potential (run step s1 H) β');
          [now apply C | apply V; [exact HH | lia] | exact (proj2 covered)]. }
      specialize (X Y T [] (Forall_nil _) T0). cbv beta in X. fold Q in X.
      assert (Z0 : 0 <= E_path Q T [] (fun H => norm2 d (vsub (a_beta (run step s1 H)) β'))) by
        (apply (E_path_nonneg_state ok_block step s1 P T laws T []); [constructor | exact T0 | intros; apply norm2_nonneg]).
      pose proof (distance_in_ball d Dβ β1 β' H1 (proj2 covered)) as Z.
      cbn [Runs.total Runs.run] in X. change (a_beta s1) with β1 in X. rewrite of_nat_INR in X. real. lra. }
    (* π *)
    set (eπ := (2 * Dφ * err_Σ e + err_π e * (Dφ * Bθ))%R).
    set (bπ := (α * α * (Dφ * (Bθ + err_Σ e) * (Dφ * (Bθ + err_Σ e))) / 2 + α * eπ)%R).
    assert (CS : distribution (nS M) ν') by (destruct stationary as [[_ X1] X0]; split; [exact X0 | exact X1]).
    assert (Aπ : (α * E_path Q T [] (total step s1 rπ) <= ln (INR (nA M)) + INR T * bπ)%R).
    { set (Vπ := fun s => entropy M α π' ν' (a_theta_sum s) : RK).
      pose proof (expected_total_state ok_block step s1 P T laws α bπ Vπ rπ) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        (α : RK) * E (P (run step s1 H)) (rπ (run step s1 H)) + E (P (run step s1 H)) (fun F => Vπ (step (run step s1 H) F)) <= Vπ (run step s1 H) + (bπ : RK)).
      { intros H HH LH. destruct (laws H HH LH) as [HP SP]. set (s := run step s1 H) in *. assert (Cs : close s) by now apply C.
        assert (Vs : valid s) by (apply V; [exact HH | lia]).
        rewrite <- E_mul_l, <- E_add. rewrite <- (E_const (P s) (Vπ s + (bπ : RK)) HP).
        apply (E_le_ok ok_block); [exact HP | exact SP|]. intros F [HF LF]. destruct F as [|W F]; [simpl in LF; lia|]. injection LF as LF.
        pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'.
        pose proof Cs as (Cπ & Cd & _ & _ & _ & Ca). destruct (Ca W F HW HF' LF) as (_ & _ & _ & _ & AΣ).
        assert (Rb : (0 <= Bθ /\ 0 <= Dφ)%R) by (split; lra). assert (Rd : (0 <= err_π e /\ 0 <= err_Σ e)%R) by (split; lra).
        pose proof (perturbed_entropy_step M α Bθ Dφ (err_π e) (err_Σ e) π' ν' some_action Rb Rd features comparator CS
          (a_theta_sum s) (sum_of_block p s (theta_of_block p s F)) (theta_of_block p s F) (policy s)
          (theta_ball s Cs Vs F HF' LF) AΣ Cd) as S.
        rewrite (Rabs_pos_eq α) in S by lra. unfold Vπ, rπ, bπ, eπ. cbn [tl a_theta_sum program_step2]. real. lra. }
      specialize (X Y T [] (Forall_nil _) T0). cbv beta in X. fold Q in X.
      assert (Z0 : 0 <= E_path Q T [] (fun H => Vπ (run step s1 H))) by
        (apply (E_path_nonneg_state ok_block step s1 P T laws T []); [constructor | exact T0 | intros; apply entropy_nonneg; assumption]).
      pose proof (entropy_initial M α π' ν' some_action comparator CS) as Z.
      change (entropy M α π' ν' vzero) with (Vπ s1) in Z.
      cbn [Runs.total Runs.run] in X. rewrite of_nat_INR in X. real. lra. }
    (* together *)
    assert (PT : (0 < INR T)%R) by now apply lt_0_INR. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    set (eθ := E_path Q T [] (total step s1 rθ)) in *. set (eρ := E_path Q T [] (total step s1 rρ)) in *.
    set (eβ := E_path Q T [] (total step s1 rβ)) in *. set (ep := E_path Q T [] (total step s1 rπ)) in *.
    set (et := E_path Q T [] (total step s1 program_suboptimality2)) in *.
    assert (GT : (average_G_theta Dφ Bβ λ = average_G_theta Dφ Dβ λ + 4 * (Dφ * Dφ) * λ * (2 * Dβ * err_β e + err_β e * err_β e))%R)
      by (unfold average_G_theta; real; ring).
    assert (GR : (average_G_rho Bβ λ = average_G_rho Dβ λ + 2 * λ * (2 * Dβ * err_β e + err_β e * err_β e))%R)
      by (unfold average_G_rho; real; ring).
    assert (GB : (average_G_beta Dφ Bθ Tr = average_G_beta Dφ Dθ Tr + Tr * (4 * (1 + 2 * (Dφ * Dθ)) * (Dφ * κ) + 4 * (Dφ * κ) * (Dφ * κ)))%R)
      by (unfold average_G_beta; real; ring).
    unfold perturbation_C_1. cbv zeta. unfold bθ in Aθ. unfold bρ in Aρ. unfold bβ in Aβ.
    set (sq := sqrt (average_G_theta Dφ Bβ λ)) in *. set (sr := sqrt (average_G_rho Bβ λ)) in *.
    rewrite GT in Aθ. rewrite GR in Aρ. rewrite GB in Aβ.
    match goal with |- context [sqrt (average_G_theta ?a ?b ?c)] => change (sqrt (average_G_theta a b c)) with sq end.
    match goal with |- context [sqrt (average_G_rho ?a ?b)] => change (sqrt (average_G_rho a b)) with sr end.
    set (Gb := average_G_beta Dφ Dθ Tr) in *. set (Gr := average_G_rho Dβ λ) in *. set (Gt := average_G_theta Dφ Dβ λ) in *.
    set (xt := (4 * (Dφ * Dφ) * λ * (2 * Dβ * err_β e + err_β e * err_β e))%R) in *.
    set (xr := (2 * λ * (2 * Dβ * err_β e + err_β e * err_β e))%R) in *.
    set (xb := (Tr * (4 * (1 + 2 * (Dφ * Dθ)) * (Dφ * κ) + 4 * (Dφ * κ) * (Dφ * κ)))%R) in *.
    clear avg. clearbody eθ eρ eβ ep et Gb Gr Gt sq sr xt xr xb. real. change (@carrier RK) with R in *.
    apply Rle_trans with ((eθ + eρ + eβ + ep) / INR T)%R; [apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, PT | exact S0]|].
    assert (B1 : (eβ <= (4 * (Dβ * Dβ) + INR T * (ζ * ζ * (Gb + xb) + (4 * Dβ * err_β e + err_β e * err_β e))) / (2 * ζ))%R).
    { apply (Rmult_le_reg_l (2 * ζ)); [lra|]. eapply Rle_trans; [exact Aβ | apply Req_le; field; lra]. }
    assert (B2 : (ep <= (ln (INR (nA M)) + INR T * bπ) / α)%R).
    { apply (Rmult_le_reg_l α); [exact Pα|]. eapply Rle_trans; [exact Aπ | apply Req_le; field; lra]. }
    apply (Rmult_le_reg_r (INR T)); [exact PT|].
    replace ((eθ + eρ + eβ + ep) / INR T * INR T)%R with (eθ + eρ + eβ + ep)%R by (field; lra).
    eapply Rle_trans; [apply Rplus_le_compat; [apply Rplus_le_compat; [apply Rplus_le_compat; [exact Aθ | exact Aρ] | exact B1] | exact B2]|].
    apply Req_le. unfold bπ, eπ. set (κ0 := κ). clearbody κ0. field. lra.
  Qed.
End Analysis.
