(** * Section 4: identities of the Lagrangian, unbiased estimators, Lemmas 4.1 and 4.2 (proofs) *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Coverage.
Local Open Scope K_scope.

Section Identities.
  Context {K : ofield} (M : linear_mdp K) (L : mat K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).

  Lemma dot_LT β y : dot d β (mulv d (transpose L) y) = dot d (mulv d L β) y.
  Proof. exact (dot_mulv d (transpose L) β y). Qed.

  Lemma dot_bellman_gap l v θ :
    dot d l (bellman_gap M v θ) = dot d l (ω M) + γ M * sumX M (fun x => v x * PsiT M l x) - dot d l θ.
  Proof. rewrite <- dot_Psi, <- dot_scale_r, <- dot_vadd_r, <- dot_vsub_r. reflexivity. Qed.

  Lemma sumX_terms v (b c : K) P Q :
    sumX M (fun x => v x * (b * ν0 M x + c * P x - Q x)) =
    b * sumX M (fun x => ν0 M x * v x) + c * sumX M (fun x => v x * P x) - sumX M (fun x => v x * Q x).
  Proof.
    unfold sumX. rewrite <- !sum_mul_l, <- sum_add, <- sum_sub. apply sum_ext. intros. ring.
  Qed.

  Lemma sumXA_gap μ θ v :
    sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)) =
    dot d θ (PhiT M μ) - sumX M (fun x => v x * ET M μ x).
  Proof.
    rewrite dot_PhiT.
    replace (sumX M (fun x => v x * ET M μ x)) with (sumXA M (fun x a => μ x a * v x)).
    - rewrite <- sumXA_sub. apply sumXA_ext. intros. ring.
    - unfold sumXA, sumX, ET. apply sum_ext. intros x _. rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  (** The two forms of the Lagrangian, (6); (11) and (12) are those at λ = Λ^c β. *)
  Theorem eq_6 v θ l μ : lagrangian_value M v θ l μ = lagrangian_measure M v θ l μ.
  Proof.
    unfold lagrangian_value, lagrangian_measure. rewrite sumXA_gap, dot_bellman_gap, sumX_terms, dot_vsub_r.
    rewrite (dot_comm d l θ). ring.
  Qed.

  Theorem eq_11_eq_12 β μ v θ : eq_11 M L β μ v θ = eq_12 M L β μ v θ.
  Proof. unfold eq_11, eq_12. rewrite !dot_LT. apply (eq_6 v θ (mulv d L β) μ). Qed.

  (** ν_β(x) = (1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩, so that μ_{β,π} = π∘ν_β. *)
  Definition nu_of (β : vec K) (x : nat) : K := (1 - γ M) * ν0 M x + γ M * PsiT M (mulv d L β) x.

  Lemma mu_of_compose β π : mu_of M L β π = compose π (nu_of β).
  Proof. reflexivity. Qed.

  (** μ_{β,π} meets the first constraint of (4) … *)
  Theorem mu_feasible β π x : is_policy M π -> (x < nS M)%nat ->
    ET M (mu_of M L β π) x = (1 - γ M) * ν0 M x + γ M * PsiT M (mulv d L β) x.
  Proof. intros H Hx. exact (ET_compose M π (nu_of β) x H Hx). Qed.

  (** … and there the Lagrangian does not depend on v: it is f. *)
  Theorem eq_12_at_mu β π v θ : is_policy M π -> eq_12 M L β (mu_of M L β π) v θ = f M L β π θ.
  Proof.
    intros H. unfold eq_12, f.
    replace (sumX M _) with (0 : K); [ring|]. symmetry. apply sum_zero. intros x Hx.
    rewrite mu_feasible by assumption. ring.
  Qed.

  Lemma f_nu β π θ :
    f M L β π θ = dot d (mulv d L β) (vsub (ω M) θ) + sumX M (fun x => nu_of β x * v_of M θ π x).
  Proof.
    unfold f. rewrite dot_LT, !dot_vsub_r, dot_PhiT, (mu_of_compose β π), sum_compose, (dot_comm d θ (mulv d L β)). ring.
  Qed.

  (** (14) = (15), both forms. *)
  Theorem eq_14_eq_15_left β π θ : is_policy M π -> f M L β π θ = eq_15_left M L β π θ.
  Proof.
    intros H. rewrite f_nu. unfold eq_15_left. f_equal. apply sumX_ext. intros x Hx.
    rewrite mu_feasible by assumption. unfold nu_of. ring.
  Qed.

  Theorem eq_14_eq_15_right β π θ : f M L β π θ = eq_15_right M L β π θ.
  Proof.
    rewrite f_nu. unfold eq_15_right. rewrite dot_bellman_gap, dot_vsub_r. unfold nu_of.
    rewrite (sumX_ext M _ (fun x => v_of M θ π x * ((1 - γ M) * ν0 M x + γ M * PsiT M (mulv d L β) x - 0)))
      by (intros; ring).
    rewrite sumX_terms. rewrite (sumX_ext M (fun x => v_of M θ π x * 0) (fun _ => 0)) by (intros; ring).
    unfold sumX at 3. rewrite sum_zero by auto. ring.
  Qed.
End Identities.

(** * Section 2: the two forms of the return *)
Section Return.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field' : (field_laws K).
  Notation d := (dim M).

  Theorem return_forms π v ν : is_policy M π -> is_value M π v -> is_occupancy M π ν ->
    return_of_value M v = return_of_measure M (compose π ν).
  Proof.
    intros Hπ Hv Hν. set (μ := compose π ν).
    set (Pv := sumXA M (fun x a => μ x a * sumX M (fun x' => trans M x a x' * v x'))).
    assert (A : sumX M (fun x => ν x * v x) = return_of_measure M μ + γ M * Pv).
    { unfold return_of_measure, Pv. rewrite <- sumXA_mul_l, <- sumXA_add. unfold sumX, sumXA. apply sum_ext. intros x Hx.
      rewrite (Hv x Hx), <- sum_mul_l. apply sum_ext. intros a _. unfold q_of, μ, compose, sumX. ring. }
    assert (B : sumX M (fun x => ν x * v x) = return_of_value M v + γ M * Pv).
    { unfold return_of_value, Pv.
      rewrite (sumX_ext M _ (fun x => (1 - γ M) * (ν0 M x * v x) + γ M * (sumXA M (fun y a => trans M y a x * μ y a) * v x))).
      - unfold sumX. rewrite sum_add, !sum_mul_l. f_equal. f_equal.
        rewrite (sum_ext _ _ (fun x => sumXA M (fun y a => trans M y a x * μ y a * v x))) by (intros; now rewrite sumXA_mul_r).
        rewrite <- sumXA_sum. apply sumXA_ext. intros y a _ _. rewrite <- sum_mul_l. apply sum_ext. intros. ring.
      - intros x Hx. rewrite (Hν x Hx). unfold flow. fold μ. ring. }
    rewrite A in B. replace (return_of_value M v) with (return_of_value M v + γ M * Pv - γ M * Pv) by ring.
    rewrite <- B. ring.
  Qed.

  (** With Φ of full rank, Φθ = q^π has the one solution (3). *)
  Lemma full_rank_theta v θ : full_rank M ->
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) θ = q_of M v x a) ->
    veq d θ (theta_of M v).
  Proof.
    intros HR H i Hi. assert (Z : vsub θ (theta_of M v) i = 0).
    { apply (HR (vsub θ (theta_of M v))); [|exact Hi]. intros x a Hx Ha.
      rewrite dot_vsub_r, dot_phi_theta_of, H by assumption. ring. }
    unfold vsub in Z. replace (θ i) with (θ i - theta_of M v i + theta_of M v i) by ring. rewrite Z. ring.
  Qed.

  Lemma v_of_theta π v θ x : is_value M π v -> veq d θ (theta_of M v) -> (x < nS M)%nat -> v_of M θ π x = v x.
  Proof.
    intros Hv Hθ Hx. rewrite (Hv x Hx). apply sum_ext. intros a _.
    rewrite <- dot_phi_theta_of. f_equal. apply dot_ext; [intros i _; reflexivity | exact Hθ].
  Qed.
End Return.

(** * Lemmas 4.1 and 4.2 *)
Section Lemmas.
  Context {K : ofield} (M : linear_mdp K) (L : mat K).
  Add Field K_field'' : (field_laws K).
  Notation d := (dim M).

  Lemma inverse_beta_star Linv μ : right_inverse d L Linv -> is_beta_star M L (beta_star M Linv μ) μ.
  Proof. intros H. now apply mulv_right_inverse. Qed.

  (** ‖β*‖² = C_{φ,c}: what the theorems need is C_{φ,c} <= D_β² (erratum 4). *)
  Lemma norm2_beta_star Linv μ : symmetric d Linv -> norm2 d (beta_star M Linv μ) = coverage M Linv μ.
  Proof.
    intros S. unfold coverage, quad, norm2, beta_star.
    rewrite (dot_ext d (PhiT M μ) (PhiT M μ) (mulv d (mmul d Linv Linv) (PhiT M μ)) _ (fun i _ => eq_refl) (mulv_mmul d Linv Linv (PhiT M μ))).
    rewrite (dot_mulv d Linv (PhiT M μ)). symmetry. apply dot_ext; [|intros i _; reflexivity].
    apply mulv_ext; [exact S | intros i _; reflexivity].
  Qed.

  (** ν_{β*} = ν^{π*} *)
  Lemma nu_beta_star β π ν x : is_beta_star M L β (compose π ν) -> is_occupancy M π ν -> (x < nS M)%nat -> nu_of M L β x = ν x.
  Proof.
    intros Hβ H Hx. unfold nu_of. rewrite (PsiT_ext M _ _ x Hβ), PsiT_PhiT.
    symmetry. exact (H x Hx).
  Qed.

  Lemma f_beta_star β π ν θ : is_beta_star M L β (compose π ν) -> is_occupancy M π ν ->
    f M L β π θ = return_of_measure M (compose π ν).
  Proof.
    intros Hβ H. rewrite f_nu. rewrite (dot_ext d _ (PhiT M (compose π ν)) _ (vsub (ω M) θ) Hβ) by (intros i _; reflexivity).
    rewrite (sumX_ext M _ (fun x => ν x * v_of M θ π x)) by (intros x Hx; now rewrite (nu_beta_star β π ν)).
    rewrite <- sum_compose, dot_comm, dot_PhiT. unfold return_of_measure. rewrite <- sumXA_add. apply sumXA_ext.
    intros x a _ _. rewrite dot_vsub_r. unfold reward. ring.
  Qed.

  Lemma f_theta_star β π v θ : is_value M π v -> veq d θ (theta_of M v) ->
    f M L β π θ = return_of_value M v.
  Proof.
    intros Hv Hθ. rewrite eq_14_eq_15_right. unfold eq_15_right, return_of_value.
    rewrite (sumX_ext M _ (fun x => ν0 M x * v x)) by (intros x Hx; now rewrite (v_of_theta M π v θ x)).
    rewrite (dot_ext d _ (mulv d L β) _ vzero); [| intros i _; reflexivity |].
    - unfold dot at 1, vzero. rewrite sum_zero by (intros; ring). ring.
    - intros i Hi. unfold bellman_gap, vzero. rewrite (Hθ i Hi). unfold theta_of.
      replace (Psi M (v_of M θ π) i) with (Psi M v i); [ring|].
      apply sumX_ext. intros x Hx. now rewrite (v_of_theta M π v θ x).
  Qed.

  Theorem lemma_4_1 T βs πs θs β' π' ν' vs νs θ' : T <> O ->
    is_beta_star M L β' (compose π' ν') -> is_occupancy M π' ν' ->
    (forall t, (t < T)%nat -> is_policy M (πs t) /\ is_value M (πs t) (vs t) /\ is_occupancy M (πs t) (νs t) /\
                              veq d (θ' t) (theta_of M (vs t))) ->
    E (draw T (fun _ => 1 / of_nat T)) (fun J =>
      return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))
    = gap M L T βs πs θs β' π' θ'.
  Proof.
    intros HT Hβ Hν H. assert (N : (of_nat T : K) <> 0) by now apply lt_neq, of_nat_pos.
    rewrite E_draw, sum_mul_l. unfold gap.
    rewrite (sum_ext T (fun t => _ - f M L (βs t) (πs t) (θ' t)) (fun J =>
      return_of_measure M (compose π' ν') - return_of_measure M (compose (πs J) (νs J)))).
    - field. exact N.
    - intros t Ht. destruct (H t Ht) as (Hπ & Hv & Ho & Hθ).
      rewrite (f_beta_star _ _ _ _ Hβ Hν). rewrite (f_theta_star _ _ (vs t)) by assumption.
      now rewrite (return_forms M (πs t) (vs t) (νs t)).
  Qed.

  (** (21): the three differences, one by one. *)
  Lemma pi_difference β ν' π' π θ : (forall x, (x < nS M)%nat -> nu_of M L β x = ν' x) ->
    f M L β π' θ - f M L β π θ =
    sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ)).
  Proof.
    intros H. rewrite !f_nu.
    replace (sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ)))
      with (sumX M (fun x => nu_of M L β x * v_of M θ π' x) - sumX M (fun x => nu_of M L β x * v_of M θ π x)); [ring|].
    unfold sumX. rewrite <- sum_sub. apply sum_ext. intros x Hx. rewrite (H x Hx).
    rewrite (sum_ext (nA M) _ (fun a => π' x a * dot d (φ M x a) θ - π x a * dot d (φ M x a) θ)) by (intros; ring).
    rewrite sum_sub. unfold v_of. ring.
  Qed.

  Lemma beta_difference β' β π θ :
    f M L β' π θ - f M L β π θ = dot d (vsub β' β) (g_beta M L π θ).
  Proof.
    rewrite !eq_14_eq_15_right. unfold eq_15_right, g_beta. rewrite dot_vsub_l, !dot_LT. ring.
  Qed.

  Lemma theta_difference β π θ θ' :
    f M L β π θ - f M L β π θ' = dot d (vsub θ θ') (g_theta M L β π).
  Proof. unfold f, g_theta. rewrite dot_vsub_l. ring. Qed.

  Theorem lemma_4_2 T βs πs θs β' π' ν' θ' : T <> O -> is_beta_star M L β' (compose π' ν') -> is_occupancy M π' ν' ->
    gap M L T βs πs θs β' π' θ' =
    regret_theta M L T βs πs θs θ' + regret_beta M L T βs πs θs β' + regret_pi M T πs θs π' ν'.
  Proof.
    intros HT Hβ Hν. assert (N : (of_nat T : K) <> 0) by now apply lt_neq, of_nat_pos.
    unfold gap, regret_theta, regret_beta, regret_pi.
    rewrite (sum_ext T _ (fun t =>
      dot d (vsub (θs t) (θ' t)) (g_theta M L (βs t) (πs t)) + dot d (vsub β' (βs t)) (g_beta M L (πs t) (θs t))
      + sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - πs t x a) * dot d (φ M x a) (θs t))))).
    - rewrite !sum_add. field. exact N.
    - intros t _. rewrite <- theta_difference, <- beta_difference, <- (pi_difference β').
      + ring.
      + intros x Hx. now apply (nu_beta_star β' π' ν').
  Qed.
End Lemmas.
