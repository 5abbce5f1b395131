(** * The settings of Theorems A.1 and C.1 are inhabited (proofs)

    The bounds on Λ^{2c−1}, the constants that cannot be small, and θ^π in its ball in both settings. *)

From Coq Require Import Ring Field List Lia Arith Reals Lra.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average AppendixC Coverage Existence ThetaBound.
From OPD Require Import Projection MirrorDescent DoubleLoop Algorithm1 Algorithm2 TheoremC1 BestPolicy Statements RegretStatements.
From OPD Require Import Spectral Powers ExistenceStatements.
Local Open Scope K_scope.

Section Models.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).

  (** A distribution on X×A has somewhere to live. *)
  Lemma measure_inhabited μ : is_measure M μ -> (0 < nS M)%nat /\ (0 < nA M)%nat.
  Proof.
    intros [_ H]. unfold sumXA in H. split; [destruct (nS M) | destruct (nA M)]; try lia; exfalso; apply (@one_neq_zero K); rewrite <- H.
    - reflexivity.
    - apply sum_zero. intros. reflexivity.
  Qed.

  Lemma features_ones x a : is_mdp M -> (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) (Psi M (fun _ => 1)) = 1.
  Proof.
    intros (_ & H & _) Hx Ha. rewrite dot_phi_Psi. transitivity (sumX M (trans M x a)); [apply sumX_ext; intros; ring | now apply H].
  Qed.

  (** ‖Σ_x s(x)ψ(x)‖ <= B·D_ψ for |s| <= B *)
  Lemma Psi_norm (s : nat -> K) B Dψ : 0 <= B -> (forall x, (x < nS M)%nat -> abs (s x) <= B) ->
    norm2 d (fun i => sumX M (fun x => abs (ψ M x i))) <= Dψ² -> norm2 d (Psi M s) <= (B * Dψ)².
  Proof.
    intros HB Hs Hψ. apply le_trans with (B² * norm2 d (fun i => sumX M (fun x => abs (ψ M x i)))).
    - unfold norm2, dot. rewrite <- sum_mul_l. apply sum_le. intros i _. set (t := sumX M (fun x => abs (ψ M x i))).
      replace (B² * t²) with ((B * t)²) by ring.
      assert (A : abs (Psi M s i) <= B * t).
      { eapply le_trans; [apply abs_sum|]. unfold t, sumX. rewrite <- sum_mul_l. apply sum_le. intros x Hx.
        eapply le_trans; [apply abs_mul|]. apply mul_le_r; [apply abs_nonneg | now apply Hs]. }
      destruct (abs_bounds (Psi M s i)) as [P0 P1]. apply sq_le_abs.
      + apply le_trans with (- abs (Psi M s i)); [now apply opp_le | exact P0].
      + now apply le_trans with (abs (Psi M s i)).
    - replace ((B * Dψ)²) with (B² * Dψ²) by ring. apply mul_le_l; [apply sq_nonneg | exact Hψ].
  Qed.

  Lemma covariance_semidefinite μB : is_measure M μB -> semidefinite d (covariance M μB).
  Proof.
    intros [P _] u. rewrite quad_covariance. apply sumXA_nonneg. intros x a Hx Ha. apply mul_nonneg; [auto | apply sq_nonneg].
  Qed.

  Lemma measure_mean_le μB (f : nat -> nat -> K) B : is_measure M μB -> (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> f x a <= B) ->
    sumXA M (fun x a => μB x a * f x a) <= B.
  Proof.
    intros [P P1] H. apply le_trans with (sumXA M (fun x a => μB x a * B)).
    - apply sumXA_le. intros x a Hx Ha. apply mul_le_l; auto.
    - rewrite sumXA_mul_r. change (sumXA M μB * B <= B). rewrite P1. apply le_eq. ring.
  Qed.

  Lemma covariance_norm μB Dφ u : is_measure M μB -> features_bounded M Dφ -> quad d u (covariance M μB) u <= Dφ² * norm2 d u.
  Proof.
    intros Hμ Hφ. rewrite quad_covariance. apply measure_mean_le; [exact Hμ|]. intros x a Hx Ha.
    eapply le_trans; [apply cauchy_schwarz|]. apply mul_le_r; [apply norm2_nonneg | now apply Hφ].
  Qed.

  Lemma covariance_trace μB Dφ : is_measure M μB -> features_bounded M Dφ -> trace d (covariance M μB) <= Dφ².
  Proof.
    intros Hμ Hφ. unfold trace, covariance. rewrite <- sumXA_sum.
    rewrite (sumXA_ext M _ (fun x a => μB x a * norm2 d (φ M x a))) by (intros; apply sum_mul_l).
    now apply measure_mean_le.
  Qed.

  Lemma trace_ext (A B : mat K) : meq d A B -> trace d A = trace d B.
  Proof. intros H. apply sum_ext. intros i Hi. now apply H. Qed.
End Models.

Section Reals.
  Variables (c : power) (M : linear_mdp RK) (μB : nat -> nat -> RK) (L N : mat RK).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Hypothesis behaviour : is_measure M μB.
  Hypothesis is_c : is_power c d Λ L N.

  Lemma power_powers : powers d Λ L N.
  Proof. destruct c; [destruct is_c as [-> ->]; apply powers_one | destruct is_c; now apply half_powers]. Qed.

  Lemma power_norm Dφ u : features_bounded M Dφ -> quad d u (sandwich d Λ N) u <= norm_bound c Dφ * norm2 d u.
  Proof.
    intros Hφ. destruct c; simpl.
    - destruct is_c as [-> ->]. rewrite (quad_ext d _ Λ) by apply powers_one. now apply covariance_norm.
    - destruct is_c as [Hr Hi]. rewrite (quad_ext d _ (mmul d N L)) by now apply half_sandwich.
      eapply le_trans; [now apply (range_bound d Λ)|]. apply le_eq. exact (eq_sym (Rmult_1_l _)).
  Qed.

  Lemma power_trace Dφ : features_bounded M Dφ -> (trace d (sandwich d Λ N) <= trace_bound c d Dφ)%R.
  Proof.
    intros Hφ. destruct c; simpl.
    - destruct is_c as [-> ->]. rewrite (trace_ext M _ Λ) by apply powers_one. now apply (covariance_trace M μB Dφ).
    - destruct is_c as [Hr Hi]. rewrite (trace_ext M _ (mmul d N L)) by now apply half_sandwich.
      rewrite <- of_nat_INR. now apply (range_trace d Λ).
  Qed.

  (** 1 <= ‖β*‖²‖Λ‖^{2c−1}: look at ϱ, on which every feature is 1. *)
  Lemma beta_star_lower μ' β' Dφ : is_mdp M -> features_bounded M Dφ -> is_measure M μ' -> is_beta_star M L β' μ' ->
    (1 <= norm2 d β' * norm_bound c Dφ)%R.
  Proof.
    intros Hm Hφ [_ H1] Hβ. set (ϱ := Psi M (fun _ => 1)).
    assert (one : forall μ, is_measure M μ -> forall f : nat -> nat -> RK, sumXA M (fun x a => μ x a * (dot d (φ M x a) ϱ * f x a)) = sumXA M (fun x a => μ x a * f x a)).
    { intros μ _ f. apply sumXA_ext. intros x a Hx Ha. unfold ϱ. rewrite features_ones by assumption. rring. }
    assert (ϱβ : dot d ϱ (mulv d L β') = 1).
    { rewrite (dot_ext d ϱ ϱ _ (PhiT M μ') (fun _ _ => eq_refl) Hβ), dot_PhiT, <- H1. apply sumXA_ext. intros x a Hx Ha.
      unfold ϱ. rewrite features_ones by assumption. rring. }
    assert (ϱϱ : quad d ϱ Λ ϱ = 1).
    { rewrite quad_covariance. destruct behaviour as [_ B1]. rewrite <- B1. apply sumXA_ext. intros x a Hx Ha.
      unfold ϱ. rewrite features_ones by assumption. rring. }
    destruct c; simpl.
    - destruct is_c as [-> ->]. pose proof (covariance_semidefinite M μB behaviour (vadd β' (scale (-1)%R ϱ))) as P.
      rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d Λ β' ϱ (covariance_symmetric M μB)), ϱϱ in P.
      change (quad d ϱ Λ β') with (dot d ϱ (mulv d Λ β')) in P. rewrite ϱβ in P.
      pose proof (covariance_norm M μB Dφ β' behaviour Hφ) as U.
      set (q := quad d β' Λ β') in *. set (n := norm2 d β') in *. clearbody q n. real. change (@carrier RK) with R in *. lra.
    - destruct is_c as [(SL & PL & Sq) Hi]. pose proof (norm2_nonneg d (vsub β' (mulv d L ϱ))) as P.
      assert (Lϱ : norm2 d (mulv d L ϱ) = 1) by (rewrite <- quad_of_square by exact SL; now rewrite (quad_ext d _ Λ)).
      assert (X : dot d β' (mulv d L ϱ) = 1).
      { rewrite dot_mulv, dot_comm, <- ϱβ. apply dot_ext; [intros i _; reflexivity|]. apply mulv_ext; [exact SL | intros i _; reflexivity]. }
      unfold norm2 in P at 1. rewrite dot_vsub_l, !dot_vsub_r, (dot_comm d (mulv d L ϱ) β'), X in P. fold (norm2 d (mulv d L ϱ)) (norm2 d β') in P.
      rewrite Lϱ in P. set (n := norm2 d β') in *. clearbody n. real. change (@carrier RK) with R in *. lra.
  Qed.

  Variables (Dω Dψ Dφ : R).
  Hypothesis mdp : is_mdp M.
  Hypothesis bounded : bounded_mdp M Dω Dψ Dφ.

  (** 1 <= D_φD_ψ *)
  Lemma psi_lower : (1 <= Dφ * Dψ)%R.
  Proof.
    destruct bounded as ((_ & Pψ & Pφ) & _ & Hψ & Hφ). destruct (measure_inhabited M μB behaviour) as [HS HA].
    pose proof (cauchy_schwarz d (φ M 0%nat 0%nat) (Psi M (fun _ => 1))) as C. rewrite features_ones in C by assumption.
    pose proof (Psi_norm M (fun _ => 1) 1 Dψ one_nonneg) as B. specialize (Hφ 0%nat 0%nat HS HA).
    assert (B' : norm2 d (Psi M (fun _ => 1)) <= (1 * Dψ)²).
    { apply B; [|exact Hψ]. intros x _. apply abs_le; [|apply le_refl]. real. lra. }
    pose proof (norm2_nonneg d (φ M 0%nat 0%nat)) as N0. pose proof (norm2_nonneg d (Psi M (fun _ => 1))) as N1.
    set (a := norm2 d (φ M 0%nat 0%nat)) in *. set (b := norm2 d (Psi M (fun _ => 1))) in *. clearbody a b. real. change (@carrier RK) with R in *.
    clear - C B' N0 N1 Hφ Pψ Pφ. assert (P : (0 <= Dφ * Dψ)%R) by now apply Rmult_le_pos.
    assert (Q : (a * b <= Dφ * Dφ * (1 * Dψ * (1 * Dψ)))%R) by (apply Rmult_le_compat; assumption).
    apply Rnot_lt_le. intros G. assert (Dφ * Dψ * (Dφ * Dψ) < 1)%R by nra. nra.
  Qed.

  Hypothesis some_policy : exists π, is_policy M π.

  (** ** Theorem A.1 *)
  Section Discounted.
    Hypothesis discounted : is_discounted M.
    Variables (π' : nat -> nat -> RK) (occ : (nat -> nat -> RK) -> nat -> RK) (β' : vec RK) (Dβ : R).
    Hypothesis comparator : is_policy M π'.
    Hypothesis occupancies : forall π, is_policy M π -> is_occupancy M π (occ π).
    Hypothesis star : is_beta_star M L β' (compose π' (occ π')).
    Hypothesis radius : (0 <= Dβ)%R.
    Hypothesis inside : ball d Dβ β'.

    Definition Dθ1 : R := (Dω + Dψ / (1 - γ M))%R.

    Lemma Dθ1_nonneg : (0 <= Dθ1)%R.
    Proof.
      destruct bounded as ((Pω & Pψ & _) & _). pose proof (one_minus_gamma M discounted) as [G1 G2]. unfold Dθ1. to_R.
      assert (0 <= Dψ / (1 - γ M))%R by (apply Rmult_le_pos; [exact Pψ | apply Rlt_le, Rinv_0_lt_compat; change (@carrier RK) with R in *; lra]). lra.
    Qed.

    Lemma setting_A : exists val, setting_A_1 M μB L N Dθ1 Dβ Dφ (norm_bound c Dφ) π' (occ π') β' val occ.
    Proof.
      destruct bounded as ((Pω & Pψ & Pφ) & Hω & Hψ & Hφ). destruct (selection M mdp discounted) as [val [occ0 Sel]]. exists val.
      destruct (measure_inhabited M μB behaviour) as [HS HA]. pose proof Dθ1_nonneg as Pθ.
      split; [exact mdp|]. split; [exact discounted|]. split; [exact behaviour|]. split; [exact HA|]. split; [now split|]. split; [exact Hφ|].
      split. { intros π Hπ. destruct (Sel π Hπ) as [Hv _]. split; [exact Hv|]. split; [now apply occupancies|]. now apply (theta_bound M π). }
      split; [exact power_powers|]. split; [split; [|intros u; now apply power_norm]|].
      - destruct c; simpl; [exact (Rle_0_sqr Dφ) | exact Rle_0_1].
      - split; [exact comparator|]. split; [now apply occupancies|]. now split.
    Qed.
  End Discounted.

  (** ** Theorem C.1 *)
  Section Average.
    Variables (Dq : R) (π' : nat -> nat -> RK) (ν' : nat -> RK) (occ : (nat -> nat -> RK) -> nat -> RK) (β' : vec RK) (Dβ : R).
    Hypothesis rank : full_rank M.
    Hypothesis bellman : Assumption_5_1 M Dq.
    Hypothesis span : (0 <= Dq)%R.
    Hypothesis comparator : is_policy M π'.
    Hypothesis stationary : is_stationary_law M π' ν'.
    Hypothesis occupancies : forall π, is_policy M π -> is_stationary_law M π (occ π).
    Hypothesis star : is_beta_star M L β' (compose π' ν').
    Hypothesis radius : (0 <= Dβ)%R.
    Hypothesis inside : ball d Dβ β'.

    Definition Dθ2 : R := (Dω + Dψ * (1 + Dq))%R.
    Definition ones_vector : vec RK := fun i => sumX M (fun x => ψ M x i).

    Lemma ones_vector_ones : is_ones M ones_vector.
    Proof.
      intros x a Hx Ha. rewrite <- (features_ones M x a mdp Hx Ha). apply dot_ext; [intros i _; reflexivity|]. intros i _.
      unfold ones_vector, Psi. apply sumX_ext. intros. exact (eq_sym (Rmult_1_l _)).
    Qed.

    (** θ* = ω + Ψ(v^π − c − ρ^π), which represents q^π − c; c = q^π(0,0). *)
    Definition average_star (ρ : R) (v : nat -> RK) : vec RK :=
      vadd (ω M) (Psi M (fun x => v x - (bias_q M ρ v 0%nat 0%nat + (ρ : RK)))).

    Lemma average_star_represents ρ v x a : (x < nS M)%nat -> (a < nA M)%nat ->
      dot d (φ M x a) (average_star ρ v) = bias_q M ρ v x a - bias_q M ρ v 0%nat 0%nat.
    Proof.
      intros Hx Ha. unfold average_star. set (c0 := bias_q M ρ v 0%nat 0%nat). rewrite dot_vadd_r, dot_phi_Psi. destruct mdp as (_ & P1 & _).
      rewrite (sumX_ext M _ (fun x' => trans M x a x' * v x' - (c0 + (ρ : RK)) * trans M x a x')) by (intros; rring).
      unfold sumX. rewrite sum_sub, sum_mul_l. fold (sumX M (trans M x a)). rewrite (P1 x a Hx Ha). unfold bias_q, reward, sumX. rring.
    Qed.

    Lemma average_star_bound π ρ v ν : is_policy M π -> is_bias M π ρ v -> is_stationary_law M π ν ->
      (forall x a x' a', (x < nS M)%nat -> (a < nA M)%nat -> (x' < nS M)%nat -> (a' < nA M)%nat -> (bias_q M ρ v x a - bias_q M ρ v x' a' <= Dq)%R) ->
      ball d Dθ2 (average_star ρ v).
    Proof.
      intros Hπ Hv [Hs Hν] Hq. destruct bounded as ((Pω & Pψ & _) & Hω & Hψ & _). destruct (measure_inhabited M μB behaviour) as [HS HA].
      assert (Hρ : 0 <= (ρ : RK) <= 1).
      { rewrite (gain_is_return M π ρ v ν Hπ Hv Hs). apply return_in_interval; [exact mdp | exact Hπ | exact Hν | apply Hs]. }
      unfold ball, Dθ2. set (c0 := bias_q M ρ v 0%nat 0%nat).
      assert (V : forall x, (x < nS M)%nat -> abs (v x - (c0 + (ρ : RK))) <= (1 + Dq)%R).
      { intros x Hx. destruct Hπ as [P P1]. rewrite (Hv x Hx).
        assert (U : sum (nA M) (fun a => π x a * bias_q M ρ v x a) <= (c0 + Dq)%R).
        { apply AppendixB.mean_le; [intros; now apply P | now apply P1|]. intros a Ha. specialize (Hq x a 0%nat 0%nat Hx Ha HS HA). fold c0 in Hq. real. lra. }
        assert (Lo : sum (nA M) (fun a => π x a * (- bias_q M ρ v x a)) <= (- c0 + Dq)%R).
        { apply AppendixB.mean_le; [intros; now apply P | now apply P1|]. intros a Ha. specialize (Hq 0%nat 0%nat x a HS HA Hx Ha). fold c0 in Hq. real. lra. }
        rewrite (sum_ext (nA M) (fun a => π x a * - bias_q M ρ v x a) (fun a => - (π x a * bias_q M ρ v x a))) in Lo by (intros; rring).
        rewrite sum_opp in Lo. set (s := sum (nA M) (fun a => π x a * bias_q M ρ v x a)) in *. clearbody s. clearbody c0. apply abs_le; real; change (@carrier RK) with R in *; lra. }
      replace (Dψ * (1 + Dq))%R with ((1 + Dq) * Dψ)%R by ring.
      apply (triangle M (ω M)); [exact Pω | apply Rmult_le_pos; lra | exact Hω |].
      apply Psi_norm; [real; lra | exact V | exact Hψ].
    Qed.

    Lemma setting_C : exists gain bias star_of,
      setting_C_1 M ones_vector μB L N Dθ2 Dβ Dφ (norm_bound c Dφ) π' ν' β' gain bias occ star_of.
    Proof.
      destruct bellman as (gain & bias & HB). exists gain, bias, (fun π => average_star (gain π) (bias π)).
      pose proof bounded as ((Pω & Pψ & Pφ) & Hω & Hψ & Hφ). destruct (measure_inhabited M μB behaviour) as [HS HA].
      assert (Pθ : (0 <= Dθ2)%R) by (unfold Dθ2; assert (0 <= Dψ * (1 + Dq))%R by (apply Rmult_le_pos; lra); lra).
      split; [exact mdp|]. split; [exact rank|]. split; [exact ones_vector_ones|]. split; [exact behaviour|]. split; [exact HA|].
      split; [now split|]. split; [exact Hφ|].
      split. { intros π Hπ. destruct (HB π Hπ) as [Hb Hq]. destruct (occupancies π Hπ) as [Ho Hn]. split; [exact Hb|]. split; [exact Ho|]. split; [exact Hn|].
        split; [now apply (average_star_bound π (gain π) (bias π) (occ π)); [| | split |]|]. exists (bias_q M (gain π) (bias π) 0%nat 0%nat). now apply average_star_represents. }
      split; [exact power_powers|]. split; [split; [|intros u; now apply power_norm]|].
      - destruct c; simpl; [exact (Rle_0_sqr Dφ) | exact Rle_0_1].
      - split; [exact comparator|]. split; [exact stationary|]. now split.
    Qed.
  End Average.
End Reals.

(** A stationary distribution of every policy, as a function. *)
Lemma stationary_selection {K : ofield} (M : linear_mdp K) : is_mdp M -> (0 < nS M)%nat ->
  exists occ, forall π, is_policy M π -> is_stationary M π (occ π) /\ forall x, (x < nS M)%nat -> 0 <= occ π x.
Proof.
  intros Hm HS. exists (fun π => match is_policy_dec M π with left H => proj1_sig (stationary_solution M π Hm H HS) | right _ => fun _ => 0 end).
  intros π H. destruct (is_policy_dec M π) as [P|P]; [|contradiction]. destruct (stationary_solution M π Hm P HS) as [ν [A B]]. now split.
Qed.
