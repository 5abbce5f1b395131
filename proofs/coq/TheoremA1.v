(** * Appendix A: Theorem A.1 for Algorithm 1 on a finite sample space (proof)

    The corrected bound (errata 2 and 4): Tr(Λ^{2c−1}) in G_β², and the coverage ratio is bounded by D_β². *)

From Coq Require Import List Reals Lra Lia Setoid FunctionalExtensionality.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Existence.
From OPD Require Import Coverage Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1.
Import ListNotations.
Local Open Scope K_scope.

Section Analysis.
  Variables (M : linear_mdp RK) (μB : nat -> nat -> RK) (L N : mat RK) (α ζ η Dθ Dβ Dφ λ : R).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation W_law := (observation M μB).
  Notation Tr := (trace d (sandwich d Λ N)).
  Notation policy := (policy1 M α).
  Notation inner := (inner1 M N α η Dθ).
  Notation theta_t := (theta1 M N α η Dθ).
  Notation step := (step1 M N α ζ η Dθ Dβ).

  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis powers_of : powers d Λ L N.
  Hypothesis some_action : (0 < nA M)%nat.
  Hypothesis rates : (0 < α /\ 0 < ζ /\ 0 < η)%R.
  Hypothesis radii : (0 <= Dθ /\ 0 <= Dβ /\ 0 <= Dφ)%R.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis spectral : 0 <= λ /\ forall u, quad d u (sandwich d Λ N) u <= λ * norm2 d u.

  Let HL : is_law W_law := is_law_observation M μB mdp discounted behaviour.

  (** Every iterate stays in its ball. *)
  Definition valid (s : state1) : Prop := ball d Dθ (theta s) /\ ball d Dβ (beta s).

  Lemma policy_is_policy s : is_policy M (policy s).
  Proof. apply softmax_is_policy. exact some_action. Qed.

  Lemma theta_in_ball s F : valid s -> ball d Dθ (theta_t s F).
  Proof. intros [H _]. apply average_in_ball. intros F'. apply descend_in_ball; [apply radii | exact H]. Qed.

  Lemma valid_step s F : valid s -> valid (step s F).
  Proof.
    intros H. split; [now apply theta_in_ball|]. destruct F; [apply H | apply projection_in_ball, radii].
  Qed.

  (** Lemma B.1 at iteration t.  W_t, the block's last draw, is independent of θ_{t,K}: it serves as the K-th draw
      that Lemma D.1 asks for. *)
  Lemma theta_regret (k : nat) s θ' : (0 < k)%nat -> valid s -> ball d Dθ θ' ->
    (E (block W_law k) (fun F => dot d (vsub (theta_t s F) θ') (g_theta M L (beta s) (policy s)))
     <= 2 * (Dθ * Dθ) / (η * INR k) + η * G_theta M Dφ Dβ λ / 2)%R.
  Proof.
    intros Hk Hs Hθ'. assert (Pη : (0 < η)%R) by apply rates. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    eapply Rle_trans.
    - apply (inner_regret d (proj_ball d Dθ) η (G_theta M Dφ Dβ λ) (4 * (Dθ * Dθ)) W_law); [| exact Pη | exact HL | | | | exact Hk].
      + intros y. apply (projection_approaches d (ball d Dθ)); [apply projection_obtuse, radii | exact Hθ'].
      + intros i Hi. now apply unbiased_theta.
      + eapply le_trans; [apply (lemma_B_1_second_moment M μB L N mdp discounted behaviour powers_of Dφ features); apply policy_is_policy|].
        unfold G_theta. apply mul_le_l; [apply mul_nonneg; [repeat apply add_nonneg; apply one_nonneg | apply sq_nonneg]|].
        apply add_le, mul_le_l; [apply add_nonneg; [apply one_nonneg | apply sq_nonneg]|].
        apply quad_bound; [apply spectral | apply spectral | apply Hs].
      + apply distance_in_ball; [apply Hs | exact Hθ'].
    - apply Req_le. set (G2 := G_theta M Dφ Dβ λ). clearbody G2. change (@carrier RK) with R in *. field. lra.
  Qed.

  (** Lemma B.2 at iteration t: the potential ‖β_t − β*‖². *)
  Lemma beta_potential k s β' : valid s -> ball d Dβ β' ->
    (1 + 1) * ζ * E (block W_law (S k)) (fun F => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta_t s F)))
    + E (block W_law (S k)) (fun F => norm2 d (vsub (beta (step s F)) β'))
    <= norm2 d (vsub (beta s) β') + ζ² * G_beta M Dφ Dθ Tr.
  Proof.
    intros Hs Hβ'. rewrite !E_block_S, <- E_mul_l, <- E_add.
    pose proof (is_law_block W_law k HL) as HB.
    rewrite <- (E_const (block W_law k) (norm2 d (vsub (beta s) β') + ζ² * G_beta M Dφ Dθ Tr) HB).
    apply E_le; [exact HB|]. intros F.
    (* θ_t does not look at the block's last draw *)
    set (θ := fun i => (along (fun F => inner s F i) F + inner s F i) / of_nat (S (length F)) : RK).
    assert (Bθ : norm2 d θ <= Dθ²) by exact (theta_in_ball s (Sample 0 0 0 0 :: F) Hs).
    change (E W_law (fun W => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta_t s (W :: F)))))
      with (E W_law (fun _ => dot d (vsub β' (beta s)) (g_beta M L (policy s) θ))).
    rewrite E_const by exact HL.
    apply (one_step_expected d (proj_ball d Dβ) β') with (ĝ := beta_gradient M N (policy s) θ).
    - intros y. apply (projection_approaches d (ball d Dβ)); [apply projection_obtuse, radii | exact Hβ'].
    - exact HL.
    - intros i Hi. now apply unbiased_beta.
    - apply (lemma_B_2_second_moment M μB L N mdp discounted behaviour powers_of Dφ features Dθ); [apply policy_is_policy | exact Bθ].
  Qed.

  (** ** The regrets over a run of T iterations of K draws each *)
  Variables (T k : nat) (θ0 β1 : vec RK).
  Hypothesis draws : (0 < k)%nat.
  Hypothesis start : ball d Dθ θ0 /\ ball d Dβ β1.
  Notation P := (block W_law k).
  Notation s1 := (initial1 θ0 β1).
  Notation state_after := (run step s1).

  Lemma valid_run H : valid (state_after H).
  Proof. induction H; [exact start | now apply valid_step]. Qed.

  Lemma law_of_block : is_law P.
  Proof. apply is_law_block, HL. Qed.

  (** Lemma B.1: any comparators θ*_t of the ball, which may depend on what went before. *)
  Theorem lemma_B_1_regret (θ' : list (list sample) -> vec RK) : (forall H, ball d Dθ (θ' H)) ->
    (E_path (fun _ => P) T [] (tally (fun H F =>
       dot d (vsub (theta_t (state_after H) F) (θ' H)) (g_theta M L (beta (state_after H)) (policy (state_after H)))))
     <= 2 * INR T * (Dθ * Dθ) / (η * INR k) + η * INR T * G_theta M Dφ Dβ λ / 2)%R.
  Proof.
    intros Hθ'. assert (Pη : (0 < η)%R) by apply rates. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    eapply Rle_trans.
    - apply (expected_tally (fun _ => P) (2 * (Dθ * Dθ) / (η * INR k) + η * G_theta M Dφ Dβ λ / 2)%R);
        [intros; exact law_of_block | intros H; now apply theta_regret; [|apply valid_run|]].
    - set (G := G_theta M Dφ Dβ λ). clearbody G. cbn [tally]. real. rewrite of_nat_INR. change (@carrier RK) with R in *.
      apply Req_le. field. lra.
  Qed.

  (** Lemma B.2 *)
  Theorem lemma_B_2_regret (β' : vec RK) : ball d Dβ β' ->
    (E_path (fun _ => P) T [] (total step s1 (fun s F => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta_t s F))))
     <= 2 * (Dβ * Dβ) / ζ + ζ * INR T * G_beta M Dφ Dθ Tr / 2)%R.
  Proof.
    intros Hβ'. assert (Pζ : (0 < ζ)%R) by apply rates. pose proof law_of_block as HP. destruct k as [|k']; [lia|].
    pose proof (expected_total step s1 (fun _ => block W_law (S k')) valid ((1 + 1) * ζ) (ζ² * G_beta M Dφ Dθ Tr)
      (fun s => norm2 d (vsub (beta s) β')) (fun s F => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta_t s F)))
      (fun _ => HP) start (fun s F => valid_step s F) (fun s Hs => beta_potential k' s β' Hs Hβ') T []) as X.
    assert (Q : 0 <= E_path (fun _ => block W_law (S k')) T [] (fun H => norm2 d (vsub (beta (run step s1 H)) β'))).
    { rewrite <- (E_path_const (fun _ => block W_law (S k')) T [] 0 (fun _ => HP)).
      apply E_path_le; [intros; exact HP | intros; apply norm2_nonneg]. }
    pose proof (distance_in_ball d Dβ β1 β' (proj2 start) Hβ') as Z.
    cbn [Runs.total Runs.run] in X. change (beta s1) with β1 in X.
    set (e := E_path _ T [] (total _ _ _)) in *. set (G := G_beta M Dφ Dθ Tr) in *. clearbody e G.
    real. rewrite of_nat_INR in X. change (@carrier RK) with R in *.
    apply (Rmult_le_reg_l (2 * ζ)); [lra|]. replace (2 * ζ * (2 * (Dβ * Dβ) / ζ + ζ * INR T * G / 2))%R
      with (4 * (Dβ * Dβ) + INR T * (ζ * ζ * G))%R by (field; lra). lra.
  Qed.

  Variables (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Hypothesis comparator : is_policy M π'.
  Hypothesis occupancy : is_occupancy M π' ν'.

  Lemma comparator_states : distribution (nS M) ν'.
  Proof.
    split.
    - intros x Hx. now apply (occupancy_nonneg M π').
    - now apply (occupancy_total M π').
  Qed.

  (** Lemma B.3, with H(π*‖π_1) ≤ log|A| for the uniform π_1 (erratum 11) *)
  Theorem lemma_B_3_regret :
    (E_path (fun _ => P) T [] (total step s1 (fun s F => pi_regret M α π' ν' (theta_sum s) (theta_t s F)))
     <= ln (INR (nA M)) / α + α * INR T * (Dφ * Dφ * (Dθ * Dθ)) / 2)%R.
  Proof.
    assert (Pα : (0 < α)%R) by apply rates. pose proof law_of_block as HP.
    set (V := fun s => entropy M α π' ν' (theta_sum s) : RK). set (b := (α * α * (Dφ * Dθ * (Dφ * Dθ)) / 2)%R).
    set (g := fun s F => pi_regret M α π' ν' (theta_sum s) (theta_t s F) : RK).
    pose proof (expected_total step s1 (fun _ => P) valid α b V g (fun _ => HP) start (fun s F => valid_step s F)) as X.
    assert (Y : forall s, valid s -> (α : RK) * E P (g s) + E P (fun F => V (step s F)) <= V s + (b : RK)).
    { intros s Hs. rewrite <- E_mul_l, <- E_add. rewrite <- (E_const P (V s + (b : RK)) HP).
      apply E_le; [exact HP|]. intros F. exact (entropy_step M α Dθ Dφ π' ν' some_action (conj (proj1 radii) (proj2 (proj2 radii))) features comparator
        comparator_states (theta_sum s) (theta_t s F) (theta_in_ball s F Hs)). }
    specialize (X Y T []).
    assert (Q : 0 <= E_path (fun _ => P) T [] (fun H => V (run step s1 H))).
    { rewrite <- (E_path_const (fun _ => P) T [] 0 (fun _ => HP)).
      apply E_path_le; [intros; exact HP | intros; apply entropy_nonneg; [exact some_action | exact comparator | exact comparator_states]]. }
    pose proof (entropy_initial M α π' ν' some_action comparator comparator_states) as Z.
    change (entropy M α π' ν' vzero) with (V s1) in Z. cbn [Runs.total Runs.run] in X.
    set (e := E_path _ T [] (total _ _ g)) in *. set (v := V s1) in *. clearbody e v.
    real. rewrite of_nat_INR in X. change (@carrier RK) with R in *.
    apply (Rmult_le_reg_l α); [exact Pα|]. replace (α * (ln (INR (nA M)) / α + α * INR T * (Dφ * Dφ * (Dθ * Dθ)) / 2))%R
      with (ln (INR (nA M)) + INR T * b)%R by (unfold b; field; lra). lra.
  Qed.

  (** ** Theorem A.1 *)
  (** v^π and ν^π, which exist and are unique for γ < 1 ([Existence]), and θ^π ∈ 𝔹(D_θ) for every policy. *)
  Variables (val occ : (nat -> nat -> RK) -> nat -> RK).
  Hypothesis values : forall π, is_policy M π ->
    is_value M π (val π) /\ is_occupancy M π (occ π) /\ ball d Dθ (theta_of M (val π)).
  Variable β' : vec RK.
  Hypothesis covered : is_beta_star M L β' (compose π' ν') /\ ball d Dβ β'.

  (** ⟨μ^{π*} − μ^{π_t}, r⟩ *)
  Definition suboptimality (s : state1) (_ : list sample) : RK :=
    return_of_measure M (compose π' ν') - return_of_measure M (compose (policy s) (occ (policy s))).

  Definition regret_theta_t (s : state1) (F : list sample) : RK :=
    dot d (vsub (theta_t s F) (theta_of M (val (policy s)))) (g_theta M L (beta s) (policy s)).
  Definition regret_beta_t (s : state1) (F : list sample) : RK :=
    dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta_t s F)).

  Definition regret_pi_t (s : state1) (F : list sample) : RK := pi_regret M α π' ν' (theta_sum s) (theta_t s F).

  (** Lemmas 4.1 and 4.2 at iteration t. *)
  Lemma suboptimality_regrets s F :
    suboptimality s F = regret_theta_t s F + regret_beta_t s F + regret_pi_t s F.
  Proof.
    destruct (values (policy s) (policy_is_policy s)) as (Hv & Ho & _). unfold suboptimality.
    rewrite <- (f_beta_star M L β' π' ν' (theta_t s F) (proj1 covered) occupancy).
    rewrite <- (return_forms M (policy s) _ _ (policy_is_policy s) Hv Ho).
    rewrite <- (f_theta_star M L (beta s) (policy s) (val (policy s)) (theta_of M (val (policy s))) Hv (fun i _ => eq_refl)).
    unfold regret_theta_t, regret_beta_t. rewrite <- theta_difference, <- beta_difference.
    change (regret_pi_t s F) with (sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - policy s x a) * dot d (φ M x a) (theta_t s F)))).
    rewrite <- (pi_difference M L β' ν').
    - real. ring.
    - intros x Hx. apply (nu_beta_star M L β' π'); [apply covered | exact occupancy | exact Hx].
  Qed.

  Theorem theorem_A_1 : (0 < T)%nat ->
    (expected_at_random_iteration step s1 (fun _ => P) T suboptimality
     <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * G_beta M Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * G_theta M Dφ Dβ λ / 2)%R.
  Proof.
    intros HT. unfold expected_at_random_iteration. to_R. rewrite of_nat_INR.
    (* the three regrets *)
    rewrite (E_path_ext _ T [] _ (fun H => total step s1 regret_theta_t H + total step s1 regret_beta_t H
      + total step s1 regret_pi_t H)).
    2:{ intros H. rewrite <- !total_add. apply (total_ext _ _ valid); [exact start | intros; now apply valid_step |].
        intros s F _. apply suboptimality_regrets. }
    rewrite !E_path_add.
    assert (Aθ : (E_path (fun _ => P) T [] (total step s1 regret_theta_t)
      <= 2 * INR T * (Dθ * Dθ) / (η * INR k) + η * INR T * G_theta M Dφ Dβ λ / 2)%R).
    { rewrite (E_path_ext _ T [] _ _ (total_tally step s1 regret_theta_t)).
      apply (lemma_B_1_regret (fun H => theta_of M (val (policy (state_after H))))). intros H. apply values, policy_is_policy. }
    pose proof (lemma_B_2_regret β' (proj2 covered)) as Aβ. pose proof lemma_B_3_regret as Aπ.
    fold regret_beta_t in Aβ. fold regret_pi_t in Aπ.
    (* together *)
    destruct rates as (Pα & Pζ & Pη). assert (PT : (0 < INR T)%R) by now apply lt_0_INR.
    assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    set (eθ := E_path (fun _ => P) T [] (total step s1 regret_theta_t)) in *.
    set (eβ := E_path (fun _ => P) T [] (total step s1 regret_beta_t)) in *.
    set (eπ := E_path (fun _ => P) T [] (total step s1 regret_pi_t)) in *.
    set (Gb := G_beta M Dφ Dθ Tr) in *. set (Gt := G_theta M Dφ Dβ λ) in *.
    clearbody eθ eβ eπ Gb Gt. real. change (@carrier RK) with R in *.
    apply (Rmult_le_reg_r (INR T)); [exact PT|].
    replace ((eθ + eβ + eπ) / INR T * INR T)%R with (eθ + eβ + eπ)%R by (field; lra).
    replace ((2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * Gb / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * Gt / 2) * INR T)%R
      with ((2 * INR T * (Dθ * Dθ) / (η * INR k) + η * INR T * Gt / 2) + (2 * (Dβ * Dβ) / ζ + ζ * INR T * Gb / 2)
        + (ln (INR (nA M)) / α + α * INR T * (Dφ * Dφ * (Dθ * Dθ)) / 2))%R by (field; lra).
    lra.
  Qed.
End Analysis.
