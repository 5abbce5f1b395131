(** * Appendix C: the average-reward setting (proofs) *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average.
Local Open Scope K_scope.

Section Identities.
  Context {K : ofield} (M : linear_mdp K) (ϱ : vec K) (L : mat K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).

  Lemma dot_average_gap l v θ ρ :
    dot d l (average_gap M ϱ v θ ρ) = dot d l (ω M) + sumX M (fun x => v x * PsiT M l x) - dot d l θ - ρ * dot d l ϱ.
  Proof.
    rewrite <- dot_Psi, <- dot_scale_r, <- dot_vadd_r, <- !dot_vsub_r. reflexivity.
  Qed.

  Theorem average_lagrangian_forms l μ ρ v θ :
    average_lagrangian_value M ϱ l μ ρ v θ = average_lagrangian_measure M ϱ l μ ρ v θ.
  Proof.
    unfold average_lagrangian_value, average_lagrangian_measure.
    rewrite sumXA_gap, dot_average_gap, dot_vsub_r, (dot_comm d l θ).
    rewrite (sumX_ext M (fun x => v x * (PsiT M l x - ET M μ x)) (fun x => v x * PsiT M l x - v x * ET M μ x))
      by (intros; ring).
    unfold sumX. rewrite sum_sub. ring.
  Qed.

  Lemma average_mu_compose β π : average_mu M L β π = compose π (PsiT M (mulv d L β)).
  Proof. reflexivity. Qed.

  (** μ_{β,π} meets Eᵀμ = Ψᵀλ. *)
  Theorem average_mu_feasible β π x : is_policy M π -> (x < nS M)%nat ->
    ET M (average_mu M L β π) x = PsiT M (mulv d L β) x.
  Proof. intros H Hx. exact (ET_compose M π (PsiT M (mulv d L β)) x H Hx). Qed.

  (** The two forms of f. *)
  Theorem average_f_forms β π ρ θ : is_policy M π -> average_f_long M ϱ L β π ρ θ = average_f M ϱ L β π ρ θ.
  Proof.
    intros H. unfold average_f_long, average_f. rewrite sumXA_gap, dot_PhiT, average_mu_compose, sum_compose.
    rewrite (sumX_ext M (fun x => v_of M θ π x * ET M _ x) (fun x => PsiT M (mulv d L β) x * v_of M θ π x)); [ring|].
    intros x Hx. rewrite ET_compose by assumption. ring.
  Qed.

  (** f, spelled out. *)
  Lemma average_f_terms β π ρ θ : average_f M ϱ L β π ρ θ =
    ρ + dot d (mulv d L β) (ω M) + sumX M (fun x => PsiT M (mulv d L β) x * v_of M θ π x)
    - dot d (mulv d L β) θ - ρ * dot d (mulv d L β) ϱ.
  Proof.
    unfold average_f. rewrite dot_LT, dot_average_gap.
    rewrite (sumX_ext M (fun x => PsiT M (mulv d L β) x * v_of M θ π x) (fun x => v_of M θ π x * PsiT M (mulv d L β) x))
      by (intros; ring). ring.
  Qed.

  (** ρ^π = ⟨μ^π, r⟩ *)
  Theorem gain_is_return π ρ v ν : is_policy M π -> is_bias M π ρ v -> is_stationary M π ν ->
    ρ = return_of_measure M (compose π ν).
  Proof.
    intros Hπ Hv [Hν H1]. set (μ := compose π ν). set (s := sumX M (fun x => ν x * v x)).
    set (Pv := sumXA M (fun x a => μ x a * sumX M (fun x' => trans M x a x' * v x'))).
    assert (A : s = return_of_measure M μ - ρ + Pv).
    { transitivity (sumXA M (fun x a => reward M x a * μ x a - ρ * μ x a + μ x a * sumX M (fun x' => trans M x a x' * v x'))).
      - unfold s, sumX, sumXA. apply sum_ext. intros x Hx. rewrite (Hv x Hx), <- sum_mul_l. apply sum_ext.
        intros a _. unfold bias_q, μ, compose, sumX. ring.
      - rewrite sumXA_add, sumXA_sub, sumXA_mul_l. unfold return_of_measure, Pv.
        replace (sumXA M μ) with (1 : K); [ring|]. rewrite <- H1. unfold sumX, sumXA. apply sum_ext. intros x Hx.
        symmetry. exact (ET_compose M π ν x Hπ Hx). }
    assert (B : s = Pv).
    { unfold s, Pv. transitivity (sumX M (fun x => sumXA M (fun y a => trans M y a x * μ y a * v x))).
      - apply sumX_ext. intros x Hx. rewrite (Hν x Hx). fold μ. now rewrite sumXA_mul_r.
      - unfold sumX at 1. rewrite <- sumXA_sum. apply sumXA_ext. intros y a _ _. unfold sumX.
        rewrite <- sum_mul_l. apply sum_ext. intros. ring. }
    replace ρ with (return_of_measure M μ + Pv - (return_of_measure M μ - ρ + Pv)) by ring. rewrite <- A, B. ring.
  Qed.
End Identities.

Section Lemmas.
  Context {K : ofield} (M : linear_mdp K) (ϱ : vec K) (L : mat K).
  Add Field K_field' : (field_laws K).
  Notation d := (dim M).
  Hypothesis mdp : is_mdp M.
  Hypothesis rank : full_rank M.
  Hypothesis ones : is_ones M ϱ.

  Lemma average_f_beta_star β π ν ρ θ : is_beta_star M L β (compose π ν) -> is_policy M π -> is_stationary M π ν ->
    average_f M ϱ L β π ρ θ = return_of_measure M (compose π ν).
  Proof.
    intros Lβ Hπ [Hν H1]. unfold is_beta_star in Lβ.
    rewrite average_f_terms.
    assert (D : forall y, dot d (mulv d L β) y = sumXA M (fun x a => compose π ν x a * dot d (φ M x a) y)).
    { intros y. rewrite (dot_ext d _ _ y y Lβ) by (intros i _; reflexivity). rewrite dot_comm. apply dot_PhiT. }
    rewrite !D.
    rewrite (sumX_ext M (fun x => PsiT M (mulv d L β) x * v_of M θ π x) (fun x => ν x * v_of M θ π x)).
    2: { intros x Hx. rewrite (PsiT_ext M _ _ x Lβ), PsiT_PhiT. f_equal. symmetry. now apply Hν. }
    rewrite (sumXA_ext M (fun x a => compose π ν x a * dot d (φ M x a) ϱ) (compose π ν))
      by (intros x a Hx Ha; rewrite ones by assumption; ring).
    replace (sumXA M (compose π ν)) with (1 : K).
    - unfold return_of_measure. rewrite (sumXA_ext M (fun x a => reward M x a * compose π ν x a)
        (fun x a => compose π ν x a * dot d (φ M x a) (ω M))) by (intros; unfold reward; ring).
      rewrite (sum_compose M π ν θ). ring.
    - rewrite <- H1. unfold sumX, sumXA. apply sum_ext. intros x Hx. symmetry. exact (ET_compose M π ν x Hπ Hx).
  Qed.

  (** θ* is θ^π shifted by a constant c: Φθ* = q^π − c1. *)
  Lemma average_f_theta_star β π ρ v θ (c : K) : is_policy M π -> is_bias M π ρ v ->
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) θ = bias_q M ρ v x a - c) ->
    average_f M ϱ L β π ρ θ = ρ.
  Proof.
    intros Hπ Hv Hθ. unfold average_f. rewrite dot_LT.
    assert (V : forall x, (x < nS M)%nat -> v_of M θ π x = v x - c).
    { intros x Hx. unfold v_of. rewrite (sum_ext _ _ (fun a => π x a * bias_q M ρ v x a - c * π x a)).
      - rewrite sum_sub, sum_mul_l, <- (Hv x Hx). destruct Hπ as [_ P]. change (v x - c * sum (nA M) (π x) = v x - c).
        rewrite (P x Hx). ring.
      - intros a Ha. rewrite Hθ by assumption. ring. }
    assert (Z : veq d (average_gap M ϱ (v_of M θ π) θ ρ) vzero).
    { apply rank. intros x a Hx Ha.
      transitivity (dot d (φ M x a) (vsub (vsub (vadd (ω M) (Psi M (v_of M θ π))) θ) (scale ρ ϱ))); [reflexivity|].
      rewrite !dot_vsub_r, dot_vadd_r, dot_scale_r, ones, Hθ, dot_phi_Psi by assumption.
      rewrite (sumX_ext M _ (fun x' => trans M x a x' * v x' - c * trans M x a x')) by (intros x' Hx'; rewrite V by assumption; ring).
      unfold sumX. rewrite sum_sub, sum_mul_l. destruct mdp as (_ & P & _).
      change (dot d (φ M x a) (ω M) + (sumX M (fun x' => trans M x a x' * v x') - c * sumX M (trans M x a))
        - (bias_q M ρ v x a - c) - ρ * 1 = 0).
      rewrite (P x a Hx Ha). unfold bias_q, reward. ring. }
    rewrite (dot_ext d _ (mulv d L β) _ vzero (fun _ _ => eq_refl) Z).
    unfold dot, vzero. rewrite sum_zero by (intros; ring). ring.
  Qed.

  (** Lemma C.3 *)
  Theorem lemma_C_3 T βs πs ρs θs β' π' ν' ρ' vs νs θ' (c : nat -> K) : T <> O ->
    is_beta_star M L β' (compose π' ν') -> is_policy M π' -> is_stationary M π' ν' ->
    (forall t, (t < T)%nat -> is_policy M (πs t) /\ is_bias M (πs t) (ρ' t) (vs t) /\ is_stationary M (πs t) (νs t) /\
       forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) (θ' t) = bias_q M (ρ' t) (vs t) x a - c t) ->
    E (draw T (fun _ => 1 / of_nat T)) (fun J =>
      return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))
    = average_duality_gap M ϱ L T βs πs ρs θs β' π' ρ' θ'.
  Proof.
    intros HT Hβ Hπ' Hν H. assert (N : (of_nat T : K) <> 0) by now apply lt_neq, of_nat_pos.
    rewrite E_draw, sum_mul_l. unfold average_duality_gap.
    rewrite (sum_ext T (fun t => _ - average_f M ϱ L (βs t) (πs t) (ρ' t) (θ' t)) (fun J =>
      return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))).
    - field. exact N.
    - intros t Ht. destruct (H t Ht) as (Hπ & Hv & Ho & Hθ). rewrite (average_f_beta_star β' π' ν') by assumption.
      rewrite (average_f_theta_star _ _ _ (vs t) _ (c t)) by assumption.
      now rewrite <- (gain_is_return M (πs t) (ρ' t) (vs t) (νs t)).
  Qed.

  Lemma primal_difference β' ν' π' β π ρ θ :
    (forall x, (x < nS M)%nat -> PsiT M (mulv d L β') x = ν' x) ->
    average_f M ϱ L β' π' ρ θ - average_f M ϱ L β π ρ θ =
    dot d (vsub β' β) (average_g_beta M ϱ L π ρ θ)
    + sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ)).
  Proof.
    intros H. assert (D : sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ))
      = average_f M ϱ L β' π' ρ θ - average_f M ϱ L β' π ρ θ).
    { rewrite !average_f_terms.
      transitivity (sumX M (fun x => PsiT M (mulv d L β') x * v_of M θ π' x) - sumX M (fun x => PsiT M (mulv d L β') x * v_of M θ π x));
        [|ring].
      unfold sumX. rewrite <- sum_sub. apply sum_ext. intros x Hx. rewrite (H x Hx).
      rewrite (sum_ext (nA M) _ (fun a => π' x a * dot d (φ M x a) θ - π x a * dot d (φ M x a) θ)) by (intros; ring).
      rewrite sum_sub. unfold v_of. ring. }
    rewrite D. unfold average_f, average_g_beta. rewrite dot_vsub_l. ring.
  Qed.

  Lemma dual_difference β π ρ ρ' θ θ' :
    average_f M ϱ L β π ρ θ - average_f M ϱ L β π ρ' θ' =
    (ρ - ρ') * average_g_rho M ϱ L β + dot d (vsub θ θ') (average_g_theta M L β π).
  Proof.
    rewrite !average_f_terms. unfold average_g_rho, average_g_theta.
    rewrite dot_LT, dot_vsub_l, !dot_vsub_r, !dot_PhiT, average_mu_compose, !sum_compose,
      (dot_comm d θ (mulv d L β)), (dot_comm d θ' (mulv d L β)). ring.
  Qed.

  (** Lemma C.4, the equality: the gap is a sum of regrets … *)
  Theorem lemma_C_4_equality T βs πs ρs θs β' π' ν' ρ' θ' : T <> O -> is_beta_star M L β' (compose π' ν') -> is_stationary M π' ν' ->
    average_duality_gap M ϱ L T βs πs ρs θs β' π' ρ' θ' =
    sum T (fun t => dot d (vsub β' (βs t)) (average_g_beta M ϱ L (πs t) (ρs t) (θs t))
      + sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - πs t x a) * dot d (φ M x a) (θs t)))) / of_nat T
    + sum T (fun t => (ρs t - ρ' t) * average_g_rho M ϱ L (βs t)
      + dot d (vsub (θs t) (θ' t)) (average_g_theta M L (βs t) (πs t))) / of_nat T.
  Proof.
    intros HT Hβ [Hν _]. assert (N : (of_nat T : K) <> 0) by now apply lt_neq, of_nat_pos.
    unfold average_duality_gap.
    rewrite (sum_ext T _ (fun t =>
      (dot d (vsub β' (βs t)) (average_g_beta M ϱ L (πs t) (ρs t) (θs t))
      + sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - πs t x a) * dot d (φ M x a) (θs t))))
      + ((ρs t - ρ' t) * average_g_rho M ϱ L (βs t) + dot d (vsub (θs t) (θ' t)) (average_g_theta M L (βs t) (πs t))))).
    - rewrite sum_add. field. exact N.
    - intros t _. rewrite <- dual_difference, <- primal_difference; [ring|].
      intros x Hx. rewrite (PsiT_ext M _ _ x Hβ), PsiT_PhiT.
      symmetry. now apply Hν.
  Qed.
End Lemmas.

Section Inner.
  Context {K : ofield} (d : nat).
  Add Field K_field3 : (field_laws K).

  (** … and, ρ_t and θ_t being averages of inner iterates, their part is an average over those. *)
  Theorem lemma_C_4_inner Kin (ρi : nat -> K) (θi : nat -> vec K) (g_ρ : K) (g_θ : vec K) (ρ' : K) (θ' : vec K) : Kin <> O ->
    (sum Kin ρi / of_nat Kin - ρ') * g_ρ + dot d (vsub (fun j => sum Kin (fun i => θi i j) / of_nat Kin) θ') g_θ =
    sum Kin (fun i => (ρi i - ρ') * g_ρ + dot d (vsub (θi i) θ') g_θ) / of_nat Kin.
  Proof.
    intros HK. assert (N : (of_nat Kin : K) <> 0) by now apply lt_neq, of_nat_pos.
    rewrite dot_vsub_l, (dot_comm d (fun j => _)).
    rewrite (dot_ext d g_θ g_θ _ (scale (1 / of_nat Kin) (fun j => sum Kin (fun i => θi i j))))
      by (intros j _; unfold scale; try reflexivity; field; exact N).
    rewrite dot_scale_r, dot_sum_r.
    rewrite (sum_ext Kin (fun i => (ρi i - ρ') * g_ρ + _)
      (fun i => ρi i * g_ρ + dot d g_θ (θi i) - (ρ' * g_ρ + dot d θ' g_θ)))
      by (intros; rewrite dot_vsub_l, (dot_comm d g_θ); ring).
    rewrite sum_sub, sum_add, sum_mul_r, sum_const. field. exact N.
  Qed.
End Inner.

(** ** Lemmas C.5, C.6, C.7 *)
Section Estimators.
  Context {K : ofield} (M : linear_mdp K) (ϱ : vec K) (μB π : nat -> nat -> K) (L N : mat K).
  Add Field K_field'' : (field_laws K).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation W_law := (transition_law M μB π).
  Hypothesis mdp : is_mdp M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis policy : is_policy M π.
  Hypothesis ones : is_ones M ϱ.
  Hypothesis powers_of : powers d Λ L N.

  Lemma E_transition f : E W_law f = sumXA M (fun x a => μB x a * sumX M (fun x' => trans M x a x' *
    sum (nA M) (fun a' => π x' a' * f (Transition x a x' a')))).
  Proof.
    unfold transition_law. rewrite E_bind, E_draw_pair. apply sumXA_ext. intros x a _ _. f_equal. simpl.
    rewrite E_bind, E_draw. apply sum_ext. intros x' _. f_equal.
    rewrite E_bind, E_draw. apply sum_ext. intros a' _. now rewrite E_dirac.
  Qed.

  Lemma in_transition p W : In (p, W) W_law ->
    (t_state W < nS M)%nat /\ (t_action W < nA M)%nat /\ (t_next W < nS M)%nat /\ (t_next_action W < nA M)%nat.
  Proof.
    intros H. unfold transition_law, bind in H.
    apply in_flat_map in H as [[p0 [x a]] [Hxa H]]. apply in_map_iff in H as [[q W'] [Eq H]].
    apply in_flat_map in H as [[p1 x'] [Hx' H]]. apply in_map_iff in H as [[q' W''] [Eq' H]].
    apply in_flat_map in H as [[p2 a'] [Ha' H]]. apply in_map_iff in H as [[q'' W3] [Eq'' H]].
    apply in_draw_pair in Hxa as [_ [Hx Ha]]. apply in_draw in Hx' as [_ Hx']. apply in_draw in Ha' as [_ Ha'].
    destruct H as [H|[]]. injection H as <- <-. simpl in *. injection Eq'' as <- <-. injection Eq' as <- <-.
    injection Eq as <- <-. simpl. auto.
  Qed.

  Lemma is_law_transition : is_law W_law.
  Proof.
    destruct mdp as (Hp & H1 & _). destruct policy as [P P1].
    apply is_law_bind; [now apply is_law_draw_pair|]. intros p [x a] Hxa. apply in_draw_pair in Hxa as [_ [Hx Ha]]. simpl.
    apply is_law_bind; [apply is_law_draw; [auto | now apply H1]|]. intros q x' Hx'. apply in_draw in Hx' as [_ Hx'].
    apply is_law_bind; [apply is_law_draw; [auto | now apply P1] | intros; apply is_law_dirac].
  Qed.

  (** Marginals of (X,A,X') and of (X,A). *)
  Lemma E_transition_next (g : nat -> nat -> nat -> K) :
    E W_law (fun W => g (t_state W) (t_action W) (t_next W)) =
    sumXA M (fun x a => μB x a * sumX M (fun x' => trans M x a x' * g x a x')).
  Proof.
    rewrite E_transition. simpl. apply sumXA_ext. intros x a _ _. f_equal. apply sumX_ext. intros x' Hx'. f_equal.
    rewrite sum_mul_r. destruct policy as [_ P1]. change (sum (nA M) (π x') * g x a x' = g x a x').
    rewrite (P1 x' Hx'). ring.
  Qed.

  Lemma E_transition_pair (g : nat -> nat -> K) :
    E W_law (fun W => g (t_state W) (t_action W)) = sumXA M (fun x a => μB x a * g x a).
  Proof.
    rewrite (E_transition_next (fun x a _ => g x a)). apply sumXA_ext. intros x a Hx Ha. f_equal.
    unfold sumX. rewrite sum_mul_r. destruct mdp as (_ & H1 & _). change (sumX M (trans M x a) * g x a = g x a).
    rewrite (H1 x a Hx Ha). ring.
  Qed.

  Lemma LT_L' y : veq d (mulv d (transpose L) y) (mulv d L y).
  Proof. now apply (LT_L M μB L N). Qed.

  (** Lemma C.5, unbiased *)
  Theorem lemma_C_5_unbiased ρ θ i : (i < d)%nat ->
    E W_law (fun W => average_beta_gradient M N π ρ θ W i) = average_g_beta M ϱ L π ρ θ i.
  Proof.
    intros Hi. unfold average_g_beta. rewrite (LT_L' _ i Hi), <- (N_Λ M μB L N powers_of _ i Hi).
    set (y := average_gap M ϱ (v_of M θ π) θ ρ). unfold average_beta_gradient, scale, mulv at 2.
    rewrite (E_transition_next (fun x a x' =>
      (reward M x a + v_of M θ π x' - dot d (φ M x a) θ - ρ) * mulv d N (φ M x a) i)).
    transitivity (sumXA M (fun x a => μB x a * (dot d (φ M x a) y * mulv d N (φ M x a) i))).
    - apply sumXA_ext. intros x a Hx Ha. f_equal.
      replace (dot d (φ M x a) y) with (sumX M (fun x' => trans M x a x' * (reward M x a + v_of M θ π x' - dot d (φ M x a) θ - ρ))).
      + unfold sumX. rewrite <- sum_mul_r. apply sum_ext. intros. ring.
      + transitivity (dot d (φ M x a) (vsub (vsub (vadd (ω M) (Psi M (v_of M θ π))) θ) (scale ρ ϱ))); [|reflexivity].
        rewrite !dot_vsub_r, dot_vadd_r, dot_scale_r, ones, dot_phi_Psi by assumption. unfold sumX.
        rewrite (sum_ext _ _ (fun x' => trans M x a x' * v_of M θ π x'
          + (reward M x a - dot d (φ M x a) θ - ρ) * trans M x a x')) by (intros; ring).
        rewrite sum_add, sum_mul_l. destruct mdp as (_ & H1 & _). specialize (H1 x a Hx Ha). unfold sumX in H1.
        change (sum (nS M) (fun i => trans M x a i)) with (sum (nS M) (trans M x a)). rewrite H1. unfold reward. ring.
    - setoid_rewrite mulv_covariance. setoid_rewrite <- sumXA_mul_l. rewrite <- sumXA_sum.
      apply sumXA_ext. intros x a _ _. unfold mulv. rewrite <- !sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  (** Lemma C.6, unbiased *)
  Theorem lemma_C_6_unbiased β : E W_law (average_rho_gradient M N β) = average_g_rho M ϱ L β.
  Proof.
    unfold average_rho_gradient, average_g_rho. rewrite E_sub, E_const by apply is_law_transition. f_equal.
    rewrite (E_transition_pair (fun x a => dot d (φ M x a) (mulv d N β))).
    rewrite dot_LT, dot_comm.
    rewrite (dot_ext d ϱ ϱ _ _ (fun _ _ => eq_refl) (fun i Hi => eq_sym (Λ_N M μB L N powers_of β i Hi))).
    fold (quad d ϱ Λ (mulv d N β)). rewrite quad_covariance. apply sumXA_ext. intros x a Hx Ha.
    rewrite ones by assumption. ring.
  Qed.

  (** Lemma C.7, unbiased *)
  Theorem lemma_C_7_unbiased β i : (i < d)%nat ->
    E W_law (fun W => average_theta_gradient M N β W i) = average_g_theta M L β π i.
  Proof.
    intros Hi. unfold average_theta_gradient, average_g_theta, vsub, scale. rewrite E_sub. f_equal.
    - rewrite E_transition. simpl. unfold PhiT, average_mu.
      set (s := fun x a => dot d (φ M x a) (mulv d N β)).
      rewrite (sumXA_ext M _ (fun x a => sumX M (fun x' => sum (nA M) (fun a' => μB x a * trans M x a x' * s x a * (π x' a' * φ M x' a' i))))).
      2: { intros x a _ _. unfold sumX. rewrite <- sum_mul_l. apply sum_ext. intros x' _. rewrite <- !sum_mul_l.
           apply sum_ext. intros. unfold s. ring. }
      unfold sumX. rewrite sumXA_sum. unfold sumXA at 2. apply sum_ext. intros x' _. rewrite sumXA_sum. apply sum_ext. intros a' _.
      rewrite sumXA_mul_r.
      rewrite (PsiT_ext M _ _ x' (fun j Hj => eq_sym (Λ_N M μB L N powers_of β j Hj))). unfold PsiT.
      fold (quad d (ψ M x') Λ (mulv d N β)). rewrite quad_covariance.
      rewrite (sumXA_ext M _ (fun x a => μB x a * (dot d (φ M x a) (ψ M x') * dot d (φ M x a) (mulv d N β))))
        by (intros; unfold s, trans; ring). ring.
    - rewrite (E_transition_pair (fun x a => dot d (φ M x a) (mulv d N β) * φ M x a i)).
      rewrite <- (Λ_N M μB L N powers_of β i Hi), mulv_covariance. apply sumXA_ext. intros. ring.
  Qed.

  (** ** Second moments *)
  Variables Dφ Dθ : K.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².
  Hypothesis Dφ_nonneg : 0 <= Dφ.
  Hypothesis Dθ_nonneg : 0 <= Dθ.

  Lemma E_sq_N' β : E W_law (fun W => (dot d (φ M (t_state W) (t_action W)) (mulv d N β))²) = quad d β (sandwich d Λ N) β.
  Proof.
    rewrite quad_sandwich by apply powers_of. rewrite quad_covariance.
    now rewrite (E_transition_pair (fun x a => (dot d (φ M x a) (mulv d N β))²)).
  Qed.

  (** |y| <= B from y² <= B². *)
  Lemma abs_of_sq (y B : K) : 0 <= B -> y² <= B² -> - B <= y /\ y <= B.
  Proof.
    intros HB H. assert (Main : forall z : K, z² <= B² -> z <= B).
    { intros z Hz. destruct (le_dec z B) as [Y|Y]; [exact Y|]. exfalso. apply not_le_lt in Y.
      apply (lt_not_le (B²) (z²)); [|exact Hz]. split.
      - apply sq_le; [exact HB | now apply lt_le].
      - intros Eq. apply (proj2 Y).
        assert (P : (z - B) * (z + B) = 0) by (replace ((z - B) * (z + B)) with (z² - B²) by ring; rewrite Eq; ring).
        destruct (mul_zero _ _ P) as [Z|Z].
        + replace z with (z - B + B) by ring. rewrite Z. ring.
        + apply le_antisym; [now apply lt_le|]. replace z with (z + B - B) by ring. rewrite Z.
          apply le_by_sub with (B + B); [ring | now apply add_nonneg]. }
    split; [|now apply Main]. replace y with (- - y) by ring. apply opp_le. apply Main.
    now replace ((- y)²) with (y²) by ring.
  Qed.

  (** Lemma C.5: E‖g̃_β‖² <= Tr(Λ^{2c−1}) (1 + 2 D_φ D_θ)². *)
  Theorem lemma_C_5_second_moment ρ θ : 0 <= ρ <= 1 -> norm2 d θ <= Dθ² ->
    E W_law (fun W => norm2 d (average_beta_gradient M N π ρ θ W)) <=
    trace d (sandwich d Λ N) * (1 + (1 + 1) * (Dφ * Dθ))².
  Proof.
    intros [R0 R1] Hθ. set (B := Dφ * Dθ).
    assert (HB : 0 <= B) by now apply mul_nonneg.
    assert (BB : Dφ² * Dθ² = B²) by (unfold B; ring).
    apply le_trans with (E W_law (fun W => (1 + (1 + 1) * B)² * norm2 d (mulv d N (φ M (t_state W) (t_action W))))).
    - apply E_le_in; [apply is_law_transition|]. intros p W HW. apply in_transition in HW as (Hs & Ha & Hn & _).
      unfold average_beta_gradient. rewrite norm2_scale. apply mul_le_r; [apply norm2_nonneg|].
      destruct mdp as (_ & _ & Hr). destruct (Hr _ _ Hs Ha) as [r0 r1].
      pose proof (v_of_sq M Dφ features Dθ θ π (t_next W) policy Hθ Hn) as V. rewrite BB in V.
      pose proof (dot_phi_sq M Dφ features Dθ θ (t_state W) (t_action W) Hθ Hs Ha) as Q. rewrite BB in Q.
      destruct (abs_of_sq _ B HB V) as [V0 V1]. destruct (abs_of_sq _ B HB Q) as [Q0 Q1].
      set (r := reward M (t_state W) (t_action W)) in *. set (v := v_of M θ π (t_next W)) in *.
      set (q := dot d (φ M (t_state W) (t_action W)) θ) in *. apply sq_le_abs.
      + apply le_by_sub with (r + (v - - B) + (B - q) + (1 - ρ)); [ring|].
        repeat apply add_nonneg; first [assumption | now apply sub_nonneg].
      + apply le_by_sub with ((1 - r) + (B - v) + (q - - B) + ρ); [ring|].
        repeat apply add_nonneg; first [assumption | now apply sub_nonneg].
    - rewrite E_mul_l, (E_transition_pair (fun x a => norm2 d (mulv d N (φ M x a)))).
      rewrite (E_norm2_N M μB L N powers_of). apply le_eq. ring.
  Qed.

  (** Lemma C.6: E g̃_ρ² <= 2 + 2 ‖β‖²_{Λ^{2c−1}}. *)
  Theorem lemma_C_6_second_moment β :
    E W_law (fun W => (average_rho_gradient M N β W)²) <= (1 + 1) + (1 + 1) * quad d β (sandwich d Λ N) β.
  Proof.
    apply le_trans with (E W_law (fun W => (1 + 1) + (1 + 1) * (dot d (φ M (t_state W) (t_action W)) (mulv d N β))²)).
    - apply E_le; [apply is_law_transition|]. intros W. unfold average_rho_gradient.
      set (s := dot d (φ M (t_state W) (t_action W)) (mulv d N β)).
      apply le_by_sub with ((1 + s)²); [ring | apply sq_nonneg].
    - rewrite E_add, (E_const _ (1 + 1)) by apply is_law_transition. rewrite E_mul_l, E_sq_N'. apply le_refl.
  Qed.

  (** Lemma C.7: E‖g̃_θ‖² <= 4 D_φ² ‖β‖²_{Λ^{2c−1}}. *)
  Theorem lemma_C_7_second_moment β :
    E W_law (fun W => norm2 d (average_theta_gradient M N β W)) <=
    (1 + 1) * (1 + 1) * Dφ² * quad d β (sandwich d Λ N) β.
  Proof.
    apply le_trans with (E W_law (fun W => (1 + 1) * (1 + 1) * Dφ² * (dot d (φ M (t_state W) (t_action W)) (mulv d N β))²)).
    - apply E_le_in; [apply is_law_transition|]. intros p W HW. apply in_transition in HW as (Hs & Ha & Hn & Hna).
      unfold average_theta_gradient. set (s := dot d (φ M (t_state W) (t_action W)) (mulv d N β)).
      rewrite (norm2_ext d _ (vadd (scale s (φ M (t_next W) (t_next_action W))) (scale (- s) (φ M (t_state W) (t_action W)))))
        by (intros i _; unfold vsub, vadd, scale; ring).
      eapply le_trans; [apply norm2_add2|]. rewrite !norm2_scale.
      replace ((1 + 1) * (1 + 1) * Dφ² * s²) with ((1 + 1) * (s² * Dφ² + (- s)² * Dφ²)) by ring.
      apply mul_le_l; [apply add_nonneg; apply one_nonneg|].
      apply add_le_compat; apply mul_le_l; try apply sq_nonneg; now apply features.
    - rewrite E_mul_l, E_sq_N'. apply le_refl.
  Qed.
End Estimators.
