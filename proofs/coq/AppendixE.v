(** * Appendix E: how the coverage ratios compare (proofs) *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Solve Existence Section4 AppendixB Coverage.
Local Open Scope K_scope.

Section Coverage.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).

  Lemma mean_mulv (A : mat K) μ i :
    mulv d A (PhiT M μ) i = mean M μ (fun x a => mulv d A (φ M x a) i).
  Proof.
    unfold mulv, PhiT, mean. setoid_rewrite <- sumXA_mul_l. rewrite <- sumXA_sum. apply sumXA_ext. intros x a _ _.
    rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  Lemma dot_mean u μ (Z : nat -> nat -> vec K) :
    dot d u (fun i => mean M μ (fun x a => Z x a i)) = mean M μ (fun x a => dot d u (Z x a)).
  Proof.
    unfold dot at 1, mean.
    rewrite (sum_ext d _ (fun i => sumXA M (fun x a => u i * (μ x a * Z x a i)))) by (intros; now rewrite sumXA_mul_l).
    rewrite <- sumXA_sum. apply sumXA_ext. intros x a _ _. unfold dot. rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  (** E‖Z‖² − ‖E Z‖² = V[Z] *)
  Lemma variance_identity μ Z : is_measure M μ ->
    norm2 d (fun i => mean M μ (fun x a => Z x a i)) = mean M μ (fun x a => norm2 d (Z x a)) - variance M μ Z.
  Proof.
    intros [_ H1]. unfold variance. set (m := fun i => mean M μ (fun x a => Z x a i)).
    replace (mean M μ (fun x a => norm2 d (vsub (Z x a) m)))
      with (mean M μ (fun x a => norm2 d (Z x a)) - norm2 d m); [ring|].
    assert (C : mean M μ (fun x a => dot d m (Z x a)) = norm2 d m).
    { rewrite <- dot_mean. reflexivity. }
    transitivity (mean M μ (fun x a => norm2 d (Z x a)) - (1 + 1) * mean M μ (fun x a => dot d m (Z x a))
                  + norm2 d m * sumXA M μ); [rewrite C, H1; ring|].
    unfold mean. rewrite <- !sumXA_mul_l, <- sumXA_sub, <- sumXA_add. apply sumXA_ext. intros x a _ _.
    unfold norm2. rewrite dot_vsub_l, !dot_vsub_r, (dot_comm d m (Z x a)). ring.
  Qed.

  Lemma quad_square (A : mat K) (u : vec K) : symmetric d A -> quad d u (mmul d A A) u = norm2 d (mulv d A u).
  Proof.
    intros S. unfold quad. rewrite (dot_ext d u u _ (mulv d A (mulv d A u)) (fun _ _ => eq_refl)) by
      (intros i Hi; now apply mulv_mmul).
    rewrite dot_mulv. apply dot_ext; [apply mulv_ext; [exact S |] |]; intros i _; reflexivity.
  Qed.

  (** Proposition E.2 *)
  Theorem prop_E_2 (A : mat K) μ' : symmetric d A -> is_measure M μ' ->
    coverage M A μ' = mean M μ' (fun x a => quad d (φ M x a) (mmul d A A) (φ M x a))
                      - variance M μ' (fun x a => mulv d A (φ M x a)).
  Proof.
    intros S H. unfold coverage. rewrite quad_square by exact S.
    rewrite (norm2_ext d _ _ (fun i _ => mean_mulv A μ' i)), variance_identity by exact H. f_equal.
    apply sumXA_ext. intros. now rewrite quad_square.
  Qed.

  Section Invertible.
    Context (μB : nat -> nat -> K) (Λinv : mat K).
    Notation Λ := (covariance M μB).
    Hypothesis behaviour : is_measure M μB.
    Hypothesis inverse : right_inverse d Λ Λinv.

    Lemma Λ_Λinv u : veq d (mulv d Λ (mulv d Λinv u)) u.
    Proof. now apply mulv_right_inverse. Qed.

    (** ⟨u, y⟩ = (Λ^{−1}u)ᵀ Λ y *)
    Lemma dot_through u y : dot d u y = quad d (mulv d Λinv u) Λ y.
    Proof.
      unfold quad. rewrite dot_mulv. apply dot_ext; [|intros i _; reflexivity].
      intros i Hi. rewrite <- (Λ_Λinv u i Hi) at 1. symmetry.
      apply mulv_ext; [apply covariance_symmetric | intros j _; reflexivity | exact Hi].
    Qed.

    Lemma quad_comm u y : quad d u Λ y = quad d y Λ u.
    Proof. rewrite !quad_covariance. apply sumXA_ext. intros. ring. Qed.

    Lemma Λinv_sym u y : dot d u (mulv d Λinv y) = dot d (mulv d Λinv u) y.
    Proof. rewrite dot_through, (dot_comm d _ y), dot_through. apply quad_comm. Qed.

    Lemma quad_nonneg μ y : is_measure M μ -> 0 <= quad d y (covariance M μ) y.
    Proof.
      intros [P _]. rewrite quad_covariance. apply sumXA_nonneg. intros x a Hx Ha.
      apply mul_nonneg; [auto | apply sq_nonneg].
    Qed.

    (** (uᵀΛy)² <= (uᵀΛu)(yᵀΛy) *)
    Lemma cauchy_schwarz_Λ u y : quad d y Λ y <> 0 -> (quad d u Λ y)² <= quad d u Λ u * quad d y Λ y.
    Proof.
      intros N. set (a := quad d y Λ y) in *. set (b := quad d u Λ y). set (c := quad d u Λ u).
      assert (P : 0 < a) by (split; [now apply quad_nonneg | congruence]).
      apply le_mul_reg_r with a; [exact P|].
      apply le_by_sub with (quad d (vsub (scale a u) (scale b y)) Λ (vsub (scale a u) (scale b y))).
      - assert (L : forall w, quad d (vsub (scale a u) (scale b y)) Λ w = a * quad d u Λ w - b * quad d y Λ w).
        { intros w. unfold quad. now rewrite dot_vsub_l, !dot_scale_l. }
        rewrite L, (quad_comm u), (quad_comm y), !L, (quad_comm y u). fold a b c. ring.
      - now apply quad_nonneg.
    Qed.

    (** A direction that μ_B does not see is no direction at all. *)
    Lemma quad_zero y : quad d y Λ y = 0 -> veq d y vzero.
    Proof.
      intros Z i Hi. assert (T : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> μB x a * dot d (φ M x a) y = 0).
      { intros x a Hx Ha. rewrite quad_covariance in Z. destruct behaviour as [P _].
        assert (Nn : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= μB x a * (dot d (φ M x a) y)²)
          by (intros; apply mul_nonneg; [auto | apply sq_nonneg]).
        assert (Row : sum (nA M) (fun a => μB x a * (dot d (φ M x a) y)²) = 0).
        { apply (sum_zero_terms (nS M) (fun x => sum (nA M) (fun a => μB x a * (dot d (φ M x a) y)²)));
            [intros; apply sum_nonneg; auto | apply le_eq; exact Z | exact Hx]. }
        assert (T : μB x a * (dot d (φ M x a) y)² = 0)
          by (apply (sum_zero_terms (nA M) (fun a => μB x a * (dot d (φ M x a) y)²)); [auto | now apply le_eq | exact Ha]).
        destruct (mul_zero _ _ T) as [->|E]; [ring|]. destruct (mul_zero _ _ E) as [-> | ->]; ring. }
      assert (D : dot d (mulv d Λinv (fun j => if Nat.eqb i j then 1 else 0)) (mulv d Λ y) = y i).
      { fold (quad d (mulv d Λinv (fun j => if Nat.eqb i j then 1 else 0)) Λ y). rewrite <- dot_through.
        unfold dot. now apply sum_delta'. }
      rewrite <- D. unfold vzero. apply sum_zero. intros j _. rewrite mulv_covariance.
      replace (sumXA M _) with (0 : K); [ring|]. symmetry. apply sum_zero. intros x Hx. apply sum_zero. intros a Ha.
      replace (μB x a * (φ M x a j * dot d (φ M x a) y)) with (φ M x a j * (μB x a * dot d (φ M x a) y)) by ring.
      rewrite T by assumption. ring.
    Qed.

    (** A bound on the ratios bounds yᵀM*y by yᵀΛy for every y. *)
    Lemma dagger_bound μ' C y : (forall r, dagger_ratios M μB μ' r -> r <= C) ->
      quad d y (covariance M μ') y <= C * quad d y Λ y.
    Proof.
      intros H. destruct (eq_dec (quad d y Λ y) 0) as [Z|N].
      - rewrite Z. rewrite quad_covariance. apply le_eq. rewrite (sumXA_ext M _ (fun _ _ => 0 * 0)).
        + rewrite sumXA_mul_l. ring.
        + intros x a _ _. assert (D : dot d (φ M x a) y = 0).
          { apply sum_zero. intros i Hi. rewrite (quad_zero y Z i Hi). unfold vzero. ring. }
          rewrite D. ring.
      - assert (P : 0 < quad d y Λ y) by (split; [now apply quad_nonneg | congruence]).
        apply (div_le_iff _ _ _ P). apply H. now exists y.
    Qed.

    (** yᵀE[φφᵀ]y ≥ (yᵀE[φ])² *)
    Lemma jensen_quad μ y : is_measure M μ -> (dot d y (PhiT M μ))² <= quad d y (covariance M μ) y.
    Proof.
      intros [P H1]. rewrite quad_covariance. set (m := dot d y (PhiT M μ)).
      assert (E : m = sumXA M (fun x a => μ x a * dot d (φ M x a) y)) by apply dot_PhiT.
      apply le_by_sub with (sumXA M (fun x a => μ x a * (dot d (φ M x a) y - m)²)).
      - rewrite (sumXA_ext M (fun x a => μ x a * (dot d (φ M x a) y - m)²)
          (fun x a => μ x a * (dot d (φ M x a) y)² - (1 + 1) * m * (μ x a * dot d (φ M x a) y) + m² * μ x a)) by (intros; ring).
        rewrite sumXA_add, sumXA_sub, !sumXA_mul_l, <- E, H1. ring.
      - apply sumXA_nonneg. intros x a Hx Ha. apply mul_nonneg; [auto | apply sq_nonneg].
    Qed.

    (** A least upper bound of numbers that are not negative is not negative: of none at all there is none. *)
    Lemma is_sup_nonneg (S : K -> Prop) C : (forall r, S r -> 0 <= r) -> is_sup S C -> 0 <= C.
    Proof.
      intros HS [Up Least]. destruct (le_dec 0 C) as [H|H]; [exact H|]. exfalso. apply not_le_lt in H.
      assert (L : C <= C - 1).
      { apply Least. intros r Hr. exfalso. apply (lt_not_le _ _ H). apply (le_trans K _ r); [now apply HS | now apply Up]. }
      apply (lt_not_le _ _ (one_pos (K := K))). apply sub_nonneg in L. eapply le_by_sub; [|exact L]. ring.
    Qed.

    (** E_{μ*}[φ]ᵀ Λ^{−1} E_{μ*}[φ] ≤ C^†: take y = Λ^{−1}E_{μ*}[φ]. *)
    Theorem half_below_dagger μ' C : is_measure M μ' -> is_sup (dagger_ratios M μB μ') C ->
      quad d (PhiT M μ') Λinv (PhiT M μ') <= C.
    Proof.
      intros Hμ' HC. set (g := PhiT M μ'). set (y := mulv d Λinv g). set (c := quad d g Λinv g).
      assert (E1 : dot d y g = c) by apply dot_comm.
      assert (E2 : quad d y Λ y = c) by (unfold y at 1; rewrite <- dot_through; reflexivity).
      assert (N : 0 <= c) by (rewrite <- E2; now apply quad_nonneg).
      destruct (eq_dec c 0) as [Z|NZ].
      - rewrite Z. apply (is_sup_nonneg (dagger_ratios M μB μ')); [|exact HC]. intros r (u & Nu & ->).
        apply div_nonneg; [now apply quad_nonneg | split; [now apply quad_nonneg | congruence]].
      - apply le_mul_reg_r with c; [split; [exact N | congruence]|].
        apply (le_trans K _ (quad d y (covariance M μ') y)).
        + rewrite <- E1. now apply jensen_quad.
        + rewrite <- E2. apply dagger_bound, HC.
    Qed.

    Lemma trace_Λ : mean M μB (fun x a => quad d (φ M x a) Λinv (φ M x a)) = of_nat d.
    Proof.
      assert (T : trace d (mmul d Λ Λinv) = of_nat d).
      { unfold trace. rewrite (sum_ext d _ (fun _ => 1)).
        - rewrite sum_const. ring.
        - intros i Hi. rewrite (inverse i i Hi Hi). unfold identity. now rewrite Nat.eqb_refl. }
      rewrite <- T. unfold trace, mmul, mean.
      rewrite (sum_ext d _ (fun i => sumXA M (fun x a => sum d (fun k => μB x a * (φ M x a i * φ M x a k) * Λinv k i)))).
      - rewrite <- sumXA_sum. apply sumXA_ext. intros x a _ _. unfold quad, dot, mulv. rewrite sum_swap, <- sum_mul_l.
        apply sum_ext. intros i _. rewrite <- !sum_mul_l. apply sum_ext. intros. ring.
      - intros i _. rewrite sumXA_sum. apply sum_ext. intros k _. unfold covariance. now rewrite <- sumXA_mul_r.
    Qed.

    (** C^⋄ bounds the ratios: Cauchy and Schwarz in the Λ-norm, point by point. *)
    Lemma dagger_ratios_bounded μ' : is_measure M μ' ->
      forall r, dagger_ratios M μB μ' r -> r <= coverage_diamond M Λinv μ'.
    Proof.
      intros Hμ r [y [N ->]].
      assert (P : 0 < quad d y Λ y) by (split; [now apply quad_nonneg | congruence]).
      apply (div_le_iff _ _ _ P). rewrite quad_covariance. unfold coverage_diamond, mean. rewrite <- sumXA_mul_r.
      apply sumXA_le. intros x a Hx Ha. destruct Hμ as [Pμ _].
      replace (μ' x a * quad d (φ M x a) Λinv (φ M x a) * quad d y Λ y)
        with (μ' x a * (quad d (φ M x a) Λinv (φ M x a) * quad d y Λ y)) by ring.
      apply mul_le_l; [auto|]. rewrite dot_through.
      replace (quad d (φ M x a) Λinv (φ M x a)) with (quad d (mulv d Λinv (φ M x a)) Λ (mulv d Λinv (φ M x a)))
        by (symmetry; unfold quad at 1; rewrite dot_through; reflexivity).
      now apply cauchy_schwarz_Λ.
    Qed.

    (** In d >= 1 dimensions there is a ratio: a unit vector is seen by μ_B. *)
    Lemma dagger_ratios_inhabited μ' : (0 < d)%nat -> exists r, dagger_ratios M μB μ' r.
    Proof.
      intros Hd. set (e := fun i : nat => if Nat.eqb i 0 then 1 else 0 : K).
      eexists. exists e. split; [|reflexivity]. intros Z. apply (one_neq_zero (K := K)). exact (quad_zero e Z O Hd).
    Qed.

    (** Proposition E.3 *)
    Theorem prop_E_3 μ' C : is_measure M μ' -> is_sup (dagger_ratios M μB μ') C ->
      C <= coverage_diamond M Λinv μ' /\ coverage_diamond M Λinv μ' <= of_nat d * C.
    Proof.
      intros Hμ [Up Least]. split; [now apply Least, dagger_ratios_bounded|].
      apply le_trans with (mean M μB (fun x a => quad d (mulv d Λinv (φ M x a)) (covariance M μ') (mulv d Λinv (φ M x a)))).
      + apply le_eq. unfold coverage_diamond, mean.
        rewrite (sumXA_ext M _ (fun x a => sumXA M (fun y b => μ' x a * μB y b * (dot d (φ M y b) (mulv d Λinv (φ M x a)))²))).
        2: { intros x a _ _. unfold quad at 1. rewrite dot_through, quad_covariance, <- sumXA_mul_l.
             apply sumXA_ext. intros. ring. }
        rewrite (sumXA_ext M (fun y b => μB y b * _) (fun y b => sumXA M (fun x a => μ' x a * μB y b * (dot d (φ M y b) (mulv d Λinv (φ M x a)))²))).
        * unfold sumXA at 1 3.
          rewrite (sum_ext (nS M) _ (fun x => sumXA M (fun y b => sum (nA M) (fun a => μ' x a * μB y b * (dot d (φ M y b) (mulv d Λinv (φ M x a)))²))))
            by (intros x _; now rewrite sumXA_sum).
          rewrite <- sumXA_sum. reflexivity.
        * intros y b _ _. rewrite quad_covariance, <- sumXA_mul_l. apply sumXA_ext. intros x a _ _.
          rewrite (Λinv_sym (φ M x a) (φ M y b)), (dot_comm d (mulv d Λinv (φ M x a))). ring.
      + apply le_trans with (mean M μB (fun x a => C * quad d (φ M x a) Λinv (φ M x a))).
        * apply sumXA_le. intros x a Hx Ha. apply mul_le_l; [now apply behaviour|].
          replace (quad d (φ M x a) Λinv (φ M x a)) with (quad d (mulv d Λinv (φ M x a)) Λ (mulv d Λinv (φ M x a)))
            by (symmetry; unfold quad at 1; rewrite dot_through; reflexivity).
          now apply dagger_bound.
        * apply le_eq. unfold mean. rewrite (sumXA_ext M _ (fun x a => C * (μB x a * quad d (φ M x a) Λinv (φ M x a)))) by (intros; ring).
          rewrite sumXA_mul_l. fold (mean M μB (fun x a => quad d (φ M x a) Λinv (φ M x a))). rewrite trace_Λ. ring.
    Qed.
  End Invertible.

  (** ** Proposition E.4 *)

  (** θ − T^π θ, so that f_θ − T^π f_θ = Φ(θ − T^π θ). *)
  Definition bellman_residual (π : nat -> nat -> K) (θ : vec K) : vec K :=
    fun i => θ i - (ω M i + γ M * Psi M (v_of M θ π) i).

  Lemma bellman_error_quad μ π θ :
    bellman_error M μ π θ = quad d (bellman_residual π θ) (covariance M μ) (bellman_residual π θ).
  Proof.
    rewrite quad_covariance. apply sumXA_ext. intros x a _ _. f_equal.
    assert (D : dot d (φ M x a) (bellman_residual π θ) =
      dot d (φ M x a) θ - bellman_operator M π (fun x a => dot d (φ M x a) θ) x a).
    { transitivity (dot d (φ M x a) (vsub θ (vadd (ω M) (scale (γ M) (Psi M (v_of M θ π)))))); [reflexivity|].
      rewrite dot_vsub_r, dot_vadd_r, dot_scale_r, dot_phi_Psi. reflexivity. }
    rewrite D. ring.
  Qed.

  (** θ ↦ θ − T^π θ is onto. *)
  Lemma bellman_residual_onto π : is_mdp M -> is_discounted M -> is_policy M π ->
    forall y, exists θ, veq d (bellman_residual π θ) y.
  Proof.
    intros Hm Hd Hπ y.
    set (A := fun i j => identity i j - γ M * sumX M (fun x => sum (nA M) (fun a => π x a * φ M x a j) * ψ M x i)).
    assert (R : forall θ i, (i < d)%nat -> mulv d A θ i = θ i - γ M * Psi M (v_of M θ π) i).
    { intros θ i Hi. rewrite <- (mulv_identity d θ i Hi). unfold mulv, A, Psi.
      rewrite (sum_ext d _ (fun j => identity i j * θ j
        - γ M * sumX M (fun x => sum (nA M) (fun a => π x a * φ M x a j) * ψ M x i * θ j))).
      - rewrite sum_sub, sum_mul_l. f_equal. f_equal. unfold sumX. rewrite sum_swap. apply sum_ext. intros x _.
        unfold v_of, dot. rewrite <- sum_mul_r.
        rewrite (sum_ext d _ (fun j => sum (nA M) (fun a => π x a * (φ M x a j * θ j) * ψ M x i))).
        + rewrite sum_swap. apply sum_ext. intros a _. rewrite <- sum_mul_l, <- sum_mul_r. reflexivity.
        + intros j _. rewrite <- !sum_mul_r. apply sum_ext. intros. ring.
      - intros j _. unfold sumX. rewrite sum_mul_r. ring. }
    destruct (injective_onto d A) with (b := vadd y (ω M)) as [θ Hθ].
    - intros θ Z. assert (F : forall i, (i < d)%nat -> θ i = γ M * Psi M (v_of M θ π) i).
      { intros i Hi. specialize (Z i Hi). rewrite R in Z by exact Hi. unfold vzero in Z.
        replace (θ i) with (θ i - γ M * Psi M (v_of M θ π) i + γ M * Psi M (v_of M θ π) i) by ring. rewrite Z. ring. }
      assert (V : veq (nS M) (v_of M θ π) vzero).
      { apply (value_injective M π Hm Hd Hπ). intros x Hx. unfold v_of at 1.
        rewrite (sum_ext _ _ (fun a => π x a * (γ M * sumX M (fun x' => trans M x a x' * v_of M θ π x')))).
        - unfold mulv, kernel.
          rewrite (sum_ext (nS M) _ (fun x' => sum (nA M) (fun a => π x a * (trans M x a x' * v_of M θ π x'))))
            by (intros x' _; rewrite <- sum_mul_r; apply sum_ext; intros; ring).
          rewrite sum_swap, <- sum_mul_l. apply sum_ext. intros a _. unfold sumX. rewrite sum_mul_l. ring.
        - intros a Ha. f_equal. rewrite <- dot_phi_Psi, <- dot_scale_r. apply dot_ext; [intros i _; reflexivity | exact F]. }
      intros i Hi. rewrite (F i Hi). unfold vzero, Psi, sumX.
      rewrite sum_zero; [ring|]. intros x Hx. rewrite (V x Hx). unfold vzero. ring.
    - exists θ. intros i Hi. unfold bellman_residual. specialize (Hθ i Hi). rewrite R in Hθ by exact Hi. unfold vadd in Hθ.
      replace (θ i - (ω M i + γ M * Psi M (v_of M θ π) i)) with (θ i - γ M * Psi M (v_of M θ π) i - ω M i) by ring.
      rewrite Hθ. ring.
  Qed.

  Lemma quad_veq (A : mat K) (u y : vec K) : veq d u y -> quad d u A u = quad d y A y.
  Proof.
    intros H. apply dot_ext; [exact H|]. apply mulv_ext; [intros ? ? _ _; reflexivity | exact H].
  Qed.

  Theorem prop_E_4 Θ π μB μ' C C' : is_sup (bellman_ratios M Θ π μB μ') C -> is_sup (dagger_ratios M μB μ') C' -> C <= C'.
  Proof.
    intros [_ Least] [Up _]. apply Least. intros r [θ [_ [N ->]]]. apply Up. exists (bellman_residual π θ).
    rewrite !bellman_error_quad in *. now split.
  Qed.

  Theorem prop_E_4_equality π μB μ' C C' : is_mdp M -> is_discounted M -> is_policy M π ->
    is_sup (bellman_ratios M (fun _ => True) π μB μ') C -> is_sup (dagger_ratios M μB μ') C' -> C = C'.
  Proof.
    intros Hm Hd Hπ HC HC'. apply le_antisym; [now apply (prop_E_4 (fun _ => True) π μB μ')|].
    destruct HC as [Up _]. destruct HC' as [_ Least]. apply Least. intros r [y [N ->]]. apply Up.
    destruct (bellman_residual_onto π Hm Hd Hπ y) as [θ Hθ]. exists θ.
    rewrite !bellman_error_quad, !(quad_veq _ _ _ Hθ). now repeat split.
  Qed.
End Coverage.
