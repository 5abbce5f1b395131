(** * Sections 3, 4 and Appendix B: unbiased estimators and their second moments (proofs) *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4.
Local Open Scope K_scope.

(** ** Convexity of the squared norm *)
Section Jensen.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).

  (** (Σ p_a y_a)² <= Σ p_a y_a² for a distribution p. *)
  Lemma jensen n (p y : nat -> K) : (forall a, (a < n)%nat -> 0 <= p a) -> sum n p = 1 ->
    (sum n (fun a => p a * y a))² <= sum n (fun a => p a * (y a)²).
  Proof.
    intros P P1. set (m := sum n (fun a => p a * y a)).
    apply le_by_sub with (sum n (fun a => p a * (y a - m)²)).
    - rewrite (sum_ext n (fun a => p a * (y a - m)²)
        (fun a => p a * (y a)² - (m + m) * (p a * y a) + m² * p a)) by (intros; ring).
      rewrite sum_add, sum_sub, !sum_mul_l, P1. fold m. ring.
    - apply sum_nonneg. intros a Ha. apply mul_nonneg; [auto | apply sq_nonneg].
  Qed.

  Lemma mean_le n (p y : nat -> K) (B : K) : (forall a, (a < n)%nat -> 0 <= p a) -> sum n p = 1 ->
    (forall a, (a < n)%nat -> y a <= B) -> sum n (fun a => p a * y a) <= B.
  Proof.
    intros P P1 H. apply le_trans with (sum n (fun a => p a * B)).
    - apply sum_le. intros a Ha. apply mul_le_l; auto.
    - rewrite sum_mul_r. change (sum n p * B <= B). rewrite P1. apply le_eq. ring.
  Qed.

  (** ‖Σ p_a u_a‖² <= D² when every ‖u_a‖² <= D². *)
  Lemma norm2_mean n d (p : nat -> K) (u : nat -> vec K) (B : K) :
    (forall a, (a < n)%nat -> 0 <= p a) -> sum n p = 1 -> (forall a, (a < n)%nat -> norm2 d (u a) <= B) ->
    norm2 d (fun i => sum n (fun a => p a * u a i)) <= B.
  Proof.
    intros P P1 H. apply le_trans with (sum n (fun a => p a * norm2 d (u a))); [|now apply mean_le].
    unfold norm2, dot. apply le_trans with (sum d (fun i => sum n (fun a => p a * (u a i)²))).
    - apply sum_le. intros i _. now apply jensen.
    - rewrite sum_swap. apply le_eq, sum_ext. intros a _. apply sum_mul_l.
  Qed.
End Jensen.

Section Powers.
  Context {K : ofield} (d : nat).
  Add Field K_field' : (field_laws K).

  Implicit Types Λ L N A B C : mat K.

  Lemma powers_symmetric Λ L N : symmetric d Λ -> powers d Λ L N -> symmetric d L.
  Proof.
    intros S (SN & R & L') i j Hi Hj. unfold transpose. rewrite <- (R j i Hj Hi), <- (L' i j Hi Hj).
    unfold mmul. apply sum_ext. intros k Hk.
    rewrite <- (S j k Hj Hk), <- (SN k i Hk Hi). unfold transpose. ring.
  Qed.

  (** c = 1: Λ^{c−1} is the identity, and Λ^{2c−1} = Λ. *)
  Lemma powers_one Λ : powers d Λ Λ identity /\ meq d (sandwich d Λ identity) Λ.
  Proof.
    assert (R : meq d (mmul d Λ identity) Λ).
    { intros i j Hi Hj. transitivity (sum d (fun k => (if Nat.eqb k j then 1 else 0) * Λ i k)); [|now apply sum_delta].
      apply sum_ext. intros. unfold identity. ring. }
    assert (L : forall A, meq d (mmul d identity A) A)
      by (intros A i j Hi Hj; unfold mmul, identity; exact (sum_delta' d i (fun k => A k j) Hi)).
    split; [split; [|split]|].
    - intros i j _ _. unfold transpose, identity. now rewrite Nat.eqb_sym.
    - exact R.
    - apply L.
    - intros i j Hi Hj. unfold sandwich. rewrite (L _ i j Hi Hj). now apply R.
  Qed.

  Lemma mmul_assoc A B C i j : mmul d (mmul d A B) C i j = mmul d A (mmul d B C) i j.
  Proof.
    unfold mmul. rewrite (sum_ext d _ (fun k => sum d (fun l => A i l * B l k * C k j))) by (intros; now rewrite sum_mul_r).
    rewrite sum_swap. apply sum_ext. intros l _. rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  Lemma mmul_ext A A' B B' : meq d A A' -> meq d B B' -> meq d (mmul d A B) (mmul d A' B').
  Proof. intros H H' i j Hi Hj. apply sum_ext. intros k Hk. now rewrite H, H'. Qed.

  (** c = 1/2: Λ = L L, and N is the symmetric inverse of L; then Λ^{2c−1} is the identity. *)
  Lemma powers_half Λ L N : symmetric d N -> right_inverse d L N -> right_inverse d N L -> meq d (mmul d L L) Λ ->
    powers d Λ L N /\ meq d (sandwich d Λ N) identity.
  Proof.
    intros S R R' Sq. destruct (powers_one L) as [(_ & One & One') _].
    assert (ΛN : meq d (mmul d Λ N) L).
    { intros i j Hi Hj. rewrite (mmul_ext Λ (mmul d L L) N N) by (auto; intros ? ? ? ?; symmetry; auto).
      rewrite mmul_assoc, (mmul_ext L L _ identity); auto. intros ? ? _ _; reflexivity. }
    split; [split; [exact S | split; [exact ΛN|]]|].
    - intros i j Hi Hj. rewrite (mmul_ext N N Λ (mmul d L L)) by (auto; intros ? ? ? ?; try reflexivity; symmetry; auto).
      rewrite <- mmul_assoc, (mmul_ext _ identity L L); auto. intros ? ? _ _; reflexivity.
    - intros i j Hi Hj. unfold sandwich. rewrite (mmul_ext N N _ L); auto. intros ? ? _ _; reflexivity.
  Qed.

  (** ‖β‖²_{Λ^{2c−1}} = (Nβ)ᵀ Λ (Nβ) *)
  Lemma quad_sandwich Λ N β : symmetric d N -> quad d β (sandwich d Λ N) β = quad d (mulv d N β) Λ (mulv d N β).
  Proof.
    intros S. unfold quad, sandwich.
    rewrite (dot_ext d β β _ (mulv d N (mulv d Λ (mulv d N β)))).
    - rewrite dot_mulv. apply dot_ext; [|intros i _; reflexivity].
      apply mulv_ext; [exact S | intros i _; reflexivity].
    - intros i _; reflexivity.
    - intros i Hi. rewrite mulv_mmul by exact Hi. apply mulv_ext; [intros ? ? _ _; reflexivity | | exact Hi].
      intros j Hj. now apply mulv_mmul.
  Qed.

  (** The operator-norm step: ‖β‖²_A <= s D² once uᵀAu <= s‖u‖² for all u and ‖β‖ <= D. *)
  Lemma quad_bound (A : mat K) (s D : K) β : 0 <= s -> (forall u, quad d u A u <= s * norm2 d u) ->
    norm2 d β <= D² -> quad d β A β <= D² * s.
  Proof.
    intros Hs H Hβ. apply le_trans with (s * norm2 d β); [apply H|].
    replace (D² * s) with (s * D²) by ring. now apply mul_le_l.
  Qed.
End Powers.

Section Unbiased.
  Context {K : ofield} (M : linear_mdp K) (μB : nat -> nat -> K) (L N : mat K).
  Add Field K_field'' : (field_laws K).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation W_law := (observation M μB).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis behaviour : is_measure M μB.
  Hypothesis powers_of : powers d Λ L N.

  Lemma Λ_N β : veq d (mulv d Λ (mulv d N β)) (mulv d L β).
  Proof.
    intros i Hi. rewrite <- mulv_mmul by exact Hi. apply mulv_ext; [apply powers_of | intros j _; reflexivity | exact Hi].
  Qed.

  Lemma N_Λ β : veq d (mulv d N (mulv d Λ β)) (mulv d L β).
  Proof.
    intros i Hi. rewrite <- mulv_mmul by exact Hi. apply mulv_ext; [apply powers_of | intros j _; reflexivity | exact Hi].
  Qed.

  Lemma LT_L y : veq d (mulv d (transpose L) y) (mulv d L y).
  Proof.
    apply mulv_ext; [|intros j _; reflexivity]. apply (powers_symmetric d Λ L N); [apply covariance_symmetric | exact powers_of].
  Qed.

  (** S4.unbiased-mu *)
  Theorem unbiased_mu β π x a : (x < nS M)%nat ->
    E W_law (fun W => mu_estimate M N β π W x a) = mu_of M L β π x a.
  Proof.
    intros Hx. unfold mu_estimate, mu_of. rewrite E_mul_l, E_add, !E_mul_l. f_equal. f_equal.
    - f_equal. rewrite (E_observation_initial M μB (fun y => indicator y x)) by assumption.
      unfold sumX, indicator. rewrite (sum_ext _ _ (fun y => (if Nat.eqb y x then 1 else 0) * ν0 M y)) by (intros; ring).
      now apply sum_delta.
    - rewrite (E_ext _ _ (fun W => γ M * (dot d (φ M (state W) (action W)) (mulv d N β) * indicator (next W) x)))
        by (intros; ring).
      rewrite E_mul_l. f_equal.
      rewrite (E_observation_next M μB (fun y b z => dot d (φ M y b) (mulv d N β) * indicator z x)) by assumption.
      rewrite (PsiT_ext M _ _ x (fun i Hi => eq_sym (Λ_N β i Hi))). unfold PsiT.
      fold (quad d (ψ M x) Λ (mulv d N β)). rewrite quad_covariance. apply sumXA_ext. intros y b _ _. f_equal.
      unfold sumX, indicator.
      rewrite (sum_ext _ _ (fun z => (if Nat.eqb z x then 1 else 0) * (trans M y b z * dot d (φ M y b) (mulv d N β))))
        by (intros; ring).
      rewrite sum_delta by exact Hx. reflexivity.
  Qed.

  Lemma unbiased_PhiT β π i :
    E W_law (fun W => PhiT M (mu_estimate M N β π W) i) = PhiT M (mu_of M L β π) i.
  Proof.
    unfold PhiT, sumXA. rewrite E_sum. apply sum_ext. intros x Hx. rewrite E_sum. apply sum_ext. intros a _.
    rewrite E_mul_r. now rewrite unbiased_mu.
  Qed.

  (** S4.unbiased-theta, for the form the proof uses … *)
  Theorem unbiased_theta β π i : (i < d)%nat ->
    E W_law (fun W => theta_gradient M N β π W i) = g_theta M L β π i.
  Proof.
    intros Hi. unfold theta_gradient, g_theta, vsub. rewrite E_sub, unbiased_PhiT. f_equal.
    rewrite <- (Λ_N β i Hi), mulv_covariance. unfold scale.
    rewrite (E_observation_pair M μB (fun x a => dot d (φ M x a) (mulv d N β) * φ M x a i)) by assumption.
    apply sumXA_ext. intros. ring.
  Qed.

  (** … and for the printed form: it is unbiased too. *)
  Theorem unbiased_theta_printed β π i : (i < d)%nat ->
    E W_law (fun W => theta_gradient_printed M N β π W i) = g_theta M L β π i.
  Proof.
    intros Hi. unfold theta_gradient_printed, g_theta, vsub. rewrite E_sub, unbiased_PhiT. f_equal.
    rewrite <- (N_Λ β i Hi). unfold scale, mulv at 2.
    rewrite (E_ext _ _ (fun W => sum d (fun j => N i j * (φ M (state W) (action W) j * dot d (φ M (state W) (action W)) β))))
      by (intros W; unfold mulv; rewrite <- sum_mul_l; apply sum_ext; intros; ring).
    rewrite E_sum. apply sum_ext. intros j _. rewrite E_mul_l, mulv_covariance. f_equal.
    now rewrite (E_observation_pair M μB (fun x a => φ M x a j * dot d (φ M x a) β)).
  Qed.

  Lemma residual_dot π θ x a : sumX M (trans M x a) = 1 ->
    sumX M (fun x' => trans M x a x' * (reward M x a + γ M * v_of M θ π x' - dot d (φ M x a) θ)) =
    dot d (φ M x a) (bellman_gap M (v_of M θ π) θ).
  Proof.
    intros H1. unfold sumX.
    rewrite (sum_ext _ _ (fun x' => (reward M x a - dot d (φ M x a) θ) * trans M x a x'
      + γ M * (trans M x a x' * v_of M θ π x'))) by (intros; ring).
    rewrite sum_add, !sum_mul_l. fold (sumX M (trans M x a)). rewrite H1.
    transitivity (dot d (φ M x a) (vsub (vadd (ω M) (scale (γ M) (Psi M (v_of M θ π)))) θ)).
    - rewrite dot_vsub_r, dot_vadd_r, dot_scale_r, dot_phi_Psi. unfold sumX, reward. ring.
    - reflexivity.
  Qed.

  (** B.unbiased-beta *)
  Theorem unbiased_beta π θ i : (i < d)%nat ->
    E W_law (fun W => beta_gradient M N π θ W i) = g_beta M L π θ i.
  Proof.
    intros Hi. unfold g_beta. rewrite (LT_L _ i Hi), <- (N_Λ _ i Hi). unfold beta_gradient, scale, mulv at 2.
    rewrite (E_observation_next M μB (fun x a x' =>
      (reward M x a + γ M * v_of M θ π x' - dot d (φ M x a) θ) * mulv d N (φ M x a) i)) by assumption.
    set (y := bellman_gap M (v_of M θ π) θ).
    transitivity (sumXA M (fun x a => μB x a * (dot d (φ M x a) y * mulv d N (φ M x a) i))).
    - apply sumXA_ext. intros x a Hx Ha. f_equal. unfold y. rewrite <- residual_dot by now apply mdp.
      unfold sumX. rewrite <- sum_mul_r. apply sum_ext. intros. ring.
    - setoid_rewrite mulv_covariance. setoid_rewrite <- sumXA_mul_l. rewrite <- sumXA_sum.
      apply sumXA_ext. intros x a _ _. unfold mulv. rewrite <- !sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  (** ** Second moments *)
  Variable Dφ : K.
  Hypothesis features : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> norm2 d (φ M x a) <= Dφ².

  (** φ^π(x) = Σ_a π(a|x) φ(x,a), which is no longer than the longest feature vector. *)
  Definition mean_feature (π : nat -> nat -> K) (x : nat) : vec K := fun i => sum (nA M) (fun a => π x a * φ M x a i).

  Lemma mean_feature_norm π x : is_policy M π -> (x < nS M)%nat -> norm2 d (mean_feature π x) <= Dφ².
  Proof.
    intros [P P1] Hx. apply norm2_mean; [intros; now apply P | now apply P1 | intros; now apply features].
  Qed.

  Lemma PhiT_mu_estimate β π W i : (x0 W < nS M)%nat -> (next W < nS M)%nat ->
    PhiT M (mu_estimate M N β π W) i =
    (1 - γ M) * mean_feature π (x0 W) i
    + γ M * dot d (φ M (state W) (action W)) (mulv d N β) * mean_feature π (next W) i.
  Proof.
    intros H0 Hn. set (s := dot d (φ M (state W) (action W)) (mulv d N β)).
    unfold PhiT, sumXA, mu_estimate. fold s.
    rewrite (sum_ext (nS M) _ (fun x => (1 - γ M) * ((if Nat.eqb x (x0 W) then 1 else 0) * mean_feature π x i)
      + γ M * s * ((if Nat.eqb x (next W) then 1 else 0) * mean_feature π x i))).
    - rewrite sum_add, !sum_mul_l. now rewrite (sum_delta _ (x0 W) (fun x => mean_feature π x i)),
        (sum_delta _ (next W) (fun x => mean_feature π x i)).
    - intros x _. unfold mean_feature. rewrite <- !sum_mul_l, <- sum_add. apply sum_ext. intros a _.
      unfold indicator. rewrite (Nat.eqb_sym x (x0 W)), (Nat.eqb_sym x (next W)). ring.
  Qed.

  Lemma E_sq_N β :
    E W_law (fun W => (dot d (φ M (state W) (action W)) (mulv d N β))²) = quad d β (sandwich d Λ N) β.
  Proof.
    rewrite quad_sandwich by apply powers_of. rewrite quad_covariance.
    now rewrite (E_observation_pair M μB (fun x a => (dot d (φ M x a) (mulv d N β))²)).
  Qed.

  (** Lemma B.1: E‖g̃_θ‖² <= 3 D_φ² ((1−γ)² + (1+γ²) ‖β‖²_{Λ^{2c−1}}). *)
  Theorem lemma_B_1_second_moment β π : is_policy M π ->
    E W_law (fun W => norm2 d (theta_gradient M N β π W)) <=
    (1 + 1 + 1) * Dφ² * ((1 - γ M)² + (1 + (γ M)²) * quad d β (sandwich d Λ N) β).
  Proof.
    intros Hπ. pose proof (is_law_observation M μB mdp discounted behaviour) as HL.
    apply le_trans with (E W_law (fun W => (1 + 1 + 1) * Dφ² *
      ((1 - γ M)² + (1 + (γ M)²) * (dot d (φ M (state W) (action W)) (mulv d N β))²))).
    - apply E_le_in; [apply HL|]. intros p W HW. apply in_observation in HW as (H0 & Hs & Ha & Hn).
      set (s := dot d (φ M (state W) (action W)) (mulv d N β)).
      rewrite (norm2_ext d _ (vadd (vadd (scale (1 - γ M) (mean_feature π (x0 W))) (scale (γ M * s) (mean_feature π (next W))))
                                   (scale (- s) (φ M (state W) (action W))))).
      + eapply le_trans; [apply norm2_add3|]. rewrite !norm2_scale.
        replace ((1 + 1 + 1) * Dφ² * ((1 - γ M)² + (1 + (γ M)²) * s²))
          with ((1 + 1 + 1) * ((1 - γ M)² * Dφ² + (γ M * s)² * Dφ² + (- s)² * Dφ²)) by ring.
        apply mul_le_l; [repeat apply add_nonneg; apply one_nonneg|].
        repeat apply add_le_compat; apply mul_le_l; try apply sq_nonneg;
          first [now apply mean_feature_norm | now apply features].
      + intros i _. unfold theta_gradient, vsub, vadd, scale. rewrite PhiT_mu_estimate by assumption. fold s. ring.
    - rewrite E_mul_l, E_add, (E_const _ ((1 - γ M)²)) by exact HL. rewrite E_mul_l, E_sq_N. apply le_refl.
  Qed.

  (** E‖Λ^{c−1}φ‖² = Tr Λ^{2c−1} *)
  Lemma E_norm2_N :
    sumXA M (fun x a => μB x a * norm2 d (mulv d N (φ M x a))) = trace d (sandwich d Λ N).
  Proof.
    unfold trace, sandwich, norm2, dot at 1.
    rewrite (sumXA_ext M _ (fun x a => sum d (fun i => μB x a * (mulv d N (φ M x a) i)²)))
      by (intros; now rewrite sum_mul_l).
    rewrite sumXA_sum. apply sum_ext. intros i Hi.
    unfold mmul at 1. fold (mulv d N (fun k => mmul d Λ N k i) i).
    assert (C : veq d (fun k => mmul d Λ N k i) (mulv d Λ (fun k => N k i))) by (intros k _; reflexivity).
    rewrite (mulv_ext d N N _ _ (fun _ _ _ _ => eq_refl) C i Hi).
    change (mulv d N (mulv d Λ (fun k => N k i)) i) with (quad d (N i) Λ (fun k => N k i)).
    rewrite quad_covariance. apply sumXA_ext. intros x a _ _. f_equal. unfold mulv. f_equal.
    - apply sum_ext. intros; ring.
    - apply sum_ext. intros k Hk. destruct powers_of as [S _]. rewrite <- (S i k Hi Hk). unfold transpose. ring.
  Qed.

  Variable Dθ : K.

  Lemma dot_phi_sq θ x a : norm2 d θ <= Dθ² -> (x < nS M)%nat -> (a < nA M)%nat ->
    (dot d (φ M x a) θ)² <= Dφ² * Dθ².
  Proof.
    intros Hθ Hx Ha. eapply le_trans; [apply cauchy_schwarz|].
    apply mul_le_compat; [apply norm2_nonneg | apply norm2_nonneg | now apply features | exact Hθ].
  Qed.

  Lemma v_of_sq θ π x : is_policy M π -> norm2 d θ <= Dθ² -> (x < nS M)%nat -> (v_of M θ π x)² <= Dφ² * Dθ².
  Proof.
    intros [P P1] Hθ Hx. eapply le_trans; [apply jensen; [intros; now apply P | now apply P1]|].
    apply mean_le; [intros; now apply P | now apply P1 | intros; now apply dot_phi_sq].
  Qed.

  (** Lemma B.2: E‖g̃_β‖² <= 3 (1 + (1+γ²) D_φ² D_θ²) Tr Λ^{2c−1}. *)
  Theorem lemma_B_2_second_moment π θ : is_policy M π -> norm2 d θ <= Dθ² ->
    E W_law (fun W => norm2 d (beta_gradient M N π θ W)) <=
    (1 + 1 + 1) * (1 + (1 + (γ M)²) * (Dφ² * Dθ²)) * trace d (sandwich d Λ N).
  Proof.
    intros Hπ Hθ. pose proof (is_law_observation M μB mdp discounted behaviour) as HL.
    set (B := (1 + 1 + 1) * (1 + (1 + (γ M)²) * (Dφ² * Dθ²))).
    apply le_trans with (E W_law (fun W => B * norm2 d (mulv d N (φ M (state W) (action W))))).
    - apply E_le_in; [apply HL|]. intros p W HW. apply in_observation in HW as (H0 & Hs & Ha & Hn).
      unfold beta_gradient. rewrite norm2_scale. apply mul_le_r; [apply norm2_nonneg|].
      set (r := reward M (state W) (action W)). set (v := v_of M θ π (next W)).
      set (q := dot d (φ M (state W) (action W)) θ).
      replace (r + γ M * v - q) with (r + γ M * v + - q) by ring.
      eapply le_trans; [apply sq_add3|]. unfold B. apply mul_le_l; [repeat apply add_nonneg; apply one_nonneg|].
      replace (1 + (1 + (γ M)²) * (Dφ² * Dθ²)) with (1² + (γ M)² * (Dφ² * Dθ²) + Dφ² * Dθ²) by ring.
      repeat apply add_le_compat.
      + apply sq_le; destruct mdp as (_ & _ & R); now apply R.
      + replace ((γ M * v)²) with ((γ M)² * v²) by ring. apply mul_le_l; [apply sq_nonneg | now apply v_of_sq].
      + replace ((- q)²) with (q²) by ring. now apply dot_phi_sq.
    - rewrite E_mul_l. apply mul_le_l.
      + unfold B. apply mul_nonneg; [repeat apply add_nonneg; apply one_nonneg|].
        apply add_nonneg; [apply one_nonneg|]. apply mul_nonneg; [|apply mul_nonneg; apply sq_nonneg].
        apply add_nonneg; [apply one_nonneg | apply sq_nonneg].
      + rewrite (E_observation_pair M μB (fun x a => norm2 d (mulv d N (φ M x a)))) by assumption.
        apply le_eq, E_norm2_N.
  Qed.
End Unbiased.
