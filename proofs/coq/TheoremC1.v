(** * Appendix C: Theorem C.1 for Algorithm 2 on a finite sample space (proof)

    The eight-term bound, with the coverage ratio bounded by D_β² (erratum 4). *)

From Coq Require Import List Reals Lra Lia.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Average AppendixC Coverage.
From OPD Require Import Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm2 TheoremA1.
Import ListNotations.
Local Open Scope K_scope.

(** ⟨r, μ⟩ ∈ [0,1] for a distribution μ = π∘ν and rewards in [0,1]. *)
Lemma return_in_interval (M : linear_mdp RK) π ν : is_mdp M -> is_policy M π ->
  (forall x, (x < nS M)%nat -> 0 <= ν x) -> sumX M ν = 1 -> 0 <= return_of_measure M (compose π ν) <= 1.
Proof.
  intros (_ & _ & R) [P P1] Hν H1.
  assert (N : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= compose π ν x a) by
    (intros; unfold compose; apply mul_nonneg; auto).
  split; unfold return_of_measure.
  - apply sum_nonneg. intros x Hx. apply sum_nonneg. intros a Ha. apply mul_nonneg; [now apply R | now apply N].
  - apply le_trans with (sumX M ν); [|now apply le_eq]. apply sum_le. intros x Hx.
    apply le_trans with (sum (nA M) (fun a => compose π ν x a)).
    + apply sum_le. intros a Ha. apply le_by_sub with ((1 - reward M x a) * compose π ν x a); [real; ring|].
      apply mul_nonneg; [apply sub_nonneg; now apply R | now apply N].
    + unfold compose. rewrite sum_mul_r. change (sum (nA M) (π x) * ν x <= ν x). rewrite (P1 x Hx). apply le_eq. real. ring.
Qed.

Section Analysis.
  Variables (M : linear_mdp RK) (ϱ : vec RK) (μB : nat -> nat -> RK) (L N : mat RK) (α ζ ξ η Dθ Dβ Dφ λ : R).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation Tr := (trace d (sandwich d Λ N)).
  Notation policy := (policy2 M α).
  Notation theta_t := (theta2 M N η Dθ).
  Notation rho_t := (rho2 M N ξ).
  Notation step := (step2 M N α ζ ξ η Dθ Dβ).
  Notation W_law s := (transition_law M μB (policy s)).

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

  Definition valid2 (s : state2) : Prop :=
    ball d Dθ (a_theta s) /\ 0 <= a_rho s <= 1 /\ ball d Dβ (a_beta s).

  Lemma policy2_is_policy s : is_policy M (policy s).
  Proof. apply softmax_is_policy. exact some_action. Qed.

  Lemma law2 s : is_law (W_law s).
  Proof. apply is_law_transition; [exact mdp | exact behaviour | apply policy2_is_policy]. Qed.

  Lemma theta2_in_ball s F : valid2 s -> ball d Dθ (theta_t s F).
  Proof. intros [H _]. apply average_in_ball. intros F'. apply descend_in_ball; [apply radii | exact H]. Qed.

  Lemma rho2_in_interval s F : valid2 s -> 0 <= rho_t s F <= 1.
  Proof.
    intros (_ & H & _). unfold rho2, average. set (y := fun F => rho_inner2 M N ξ s F 0%nat).
    assert (Y : forall F, 0 <= y F <= 1) by (intros [|W F']; [exact H | apply clip_in_interval]).
    assert (A0 : along (fun _ => 0) F <= along y F) by (apply along_le; intros; apply Y).
    assert (A1 : along y F <= along (fun _ => 1) F) by (apply along_le; intros; apply Y).
    rewrite along_const in A0, A1. destruct F as [|W F].
    - simpl. real. unfold Rdiv. lra.
    - assert (P : (0 : RK) < of_nat (length (W :: F))) by (apply of_nat_pos; discriminate).
      split; [|apply (div_le_iff _ _ _ P)].
      + apply div_nonneg; [|exact P]. eapply le_trans; [|exact A0]. apply le_eq. real. ring.
      + eapply le_trans; [exact A1|]. apply le_eq. real. ring.
  Qed.

  Lemma valid2_step s F : valid2 s -> valid2 (step s F).
  Proof.
    intros H. split; [now apply theta2_in_ball|]. split; [now apply rho2_in_interval|].
    destruct F; [apply H | apply projection_in_ball, radii].
  Qed.

  (** The inner loop for θ: Lemma C.7. *)
  Lemma theta2_regret (k : nat) s θ' : (0 < k)%nat -> valid2 s -> ball d Dθ θ' ->
    (E (block (W_law s) k) (fun F => dot d (vsub (theta_t s F) θ') (average_g_theta M L (a_beta s) (policy s)))
     <= 2 * (Dθ * Dθ) / (η * INR k) + η * average_G_theta Dφ Dβ λ / 2)%R.
  Proof.
    intros Hk Hs Hθ'. assert (Pη : (0 < η)%R) by apply rates. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    eapply Rle_trans.
    - apply (inner_regret d (proj_ball d Dθ) η (average_G_theta Dφ Dβ λ) (4 * (Dθ * Dθ)) (W_law s)); [| exact Pη | apply law2 | | | | exact Hk].
      + intros y. apply (projection_approaches d (ball d Dθ)); [apply projection_obtuse, radii | exact Hθ'].
      + intros i Hi. apply lemma_C_7_unbiased; auto using policy2_is_policy.
      + eapply le_trans; [apply (lemma_C_7_second_moment M μB (policy s) L N); auto using policy2_is_policy; apply features|].
        unfold average_G_theta. apply mul_le_l.
        { apply mul_nonneg; [apply mul_nonneg; apply add_nonneg; apply one_nonneg | apply sq_nonneg]. }
        apply quad_bound; [apply spectral | apply spectral | apply Hs].
      + apply distance_in_ball; [apply Hs | exact Hθ'].
    - apply Req_le. set (G2 := average_G_theta Dφ Dβ λ). clearbody G2. change (@carrier RK) with R in *. field. lra.
  Qed.

  (** The inner loop for ρ: Lemma C.6. *)
  Lemma rho2_regret (k : nat) s ρ' : (0 < k)%nat -> valid2 s -> 0 <= ρ' <= 1 ->
    (E (block (W_law s) k) (fun F => (rho_t s F - ρ') * average_g_rho M ϱ L (a_beta s))
     <= 1 / (2 * ξ * INR k) + ξ * average_G_rho Dβ λ / 2)%R.
  Proof.
    intros Hk Hs Hρ'. assert (Pξ : (0 < ξ)%R) by apply rates.
    pose proof (inner_regret 1 clip1 ξ (average_G_rho Dβ λ) 1 (W_law s)
      (fun W _ => average_rho_gradient M N (a_beta s) W) (fun _ => average_g_rho M ϱ L (a_beta s))
      (fun _ => a_rho s) (fun _ => ρ')) as H.
    eapply Rle_trans; [|apply H; [| exact Pξ | apply law2 | | | | exact Hk]].
    - apply Req_le. apply E_ext. intros F. unfold dot, vsub, rho2, rho_inner2. simpl. real. ring.
    - intros y. unfold norm2, dot, vsub, clip1. simpl.
      pose proof (clip_nonexpansive (y 0%nat) ρ') as C. rewrite (clip_inside ρ') in C by apply Hρ'. real. lra.
    - intros i _. apply lemma_C_6_unbiased; auto using policy2_is_policy.
    - eapply le_trans; [apply le_eq, E_ext; intros W; unfold norm2, dot; simpl; real; apply Rplus_0_l|].
      eapply le_trans; [apply (lemma_C_6_second_moment M μB (policy s) L N); auto using policy2_is_policy|].
      unfold average_G_rho. apply add_le, mul_le_l; [apply add_nonneg; apply one_nonneg|].
      apply quad_bound; [apply spectral | apply spectral | apply Hs].
    - unfold norm2, dot, vsub. simpl. destruct Hs as (_ & [r0 r1] & _). destruct Hρ' as [r2 r3]. real. nra.
  Qed.

  (** The potential ‖β_t − β*‖²: Lemma C.5. *)
  Lemma beta2_potential k s β' : valid2 s -> ball d Dβ β' ->
    (1 + 1) * ζ * E (block (W_law s) (S k)) (fun F =>
      dot d (vsub β' (a_beta s)) (average_g_beta M ϱ L (policy s) (rho_t s (tl F)) (theta_t s (tl F))))
    + E (block (W_law s) (S k)) (fun F => norm2 d (vsub (a_beta (step s F)) β'))
    <= norm2 d (vsub (a_beta s) β') + ζ² * average_G_beta Dφ Dθ Tr.
  Proof.
    intros Hs Hβ'. rewrite !E_block_S, <- E_mul_l, <- E_add.
    pose proof (is_law_block (W_law s) k (law2 s)) as HB.
    rewrite <- (E_const (block (W_law s) k) (norm2 d (vsub (a_beta s) β') + ζ² * average_G_beta Dφ Dθ Tr) HB).
    apply E_le; [exact HB|]. intros F. cbn [tl step2 a_beta].
    rewrite (E_const (W_law s)) by apply law2.
    apply (one_step_expected d (proj_ball d Dβ) β') with (ĝ := average_beta_gradient M N (policy s) (rho_t s F) (theta_t s F)).
    - intros y. apply (projection_approaches d (ball d Dβ)); [apply projection_obtuse, radii | exact Hβ'].
    - apply law2.
    - intros i Hi. apply lemma_C_5_unbiased; auto using policy2_is_policy.
    - apply (lemma_C_5_second_moment M μB (policy s) L N); auto using policy2_is_policy; try apply radii.
      + now apply rho2_in_interval.
      + now apply theta2_in_ball.
  Qed.

  Variables (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Hypothesis comparator : is_policy M π'.
  Hypothesis stationary : is_stationary M π' ν' /\ forall x, (x < nS M)%nat -> 0 <= ν' x.
  Variable β' : vec RK.
  Hypothesis covered : is_beta_star M L β' (compose π' ν') /\ ball d Dβ β'.

  (** ρ^π, v^π, ν^π, and θ*: Φθ* = q^π − c for some constant c (Lemma C.3), in 𝔹(D_θ). *)
  Variables (gain : (nat -> nat -> RK) -> RK) (bias occ : (nat -> nat -> RK) -> nat -> RK) (star : (nat -> nat -> RK) -> vec RK).
  Hypothesis values : forall π, is_policy M π ->
    is_bias M π (gain π) (bias π) /\
    is_stationary M π (occ π) /\ (forall x, (x < nS M)%nat -> 0 <= occ π x) /\
    ball d Dθ (star π) /\
    exists c, forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) (star π) = bias_q M (gain π) (bias π) x a - c.

  Lemma comparator2_states : distribution (nS M) ν'.
  Proof. destruct stationary as [[_ H1] H0]. split; [exact H0 | exact H1]. Qed.

  Definition suboptimality2 (s : state2) (_ : list transition) : RK :=
    return_of_measure M (compose π' ν') - return_of_measure M (compose (policy s) (occ (policy s))).

  Definition regret_theta2_t (s : state2) (F : list transition) : RK :=
    dot d (vsub (theta_t s (tl F)) (star (policy s))) (average_g_theta M L (a_beta s) (policy s)).
  Definition regret_rho2_t (s : state2) (F : list transition) : RK :=
    (rho_t s (tl F) - gain (policy s)) * average_g_rho M ϱ L (a_beta s).
  Definition regret_beta2_t (s : state2) (F : list transition) : RK :=
    dot d (vsub β' (a_beta s)) (average_g_beta M ϱ L (policy s) (rho_t s (tl F)) (theta_t s (tl F))).
  Definition regret_pi2_t (s : state2) (F : list transition) : RK :=
    pi_regret M α π' ν' (a_theta_sum s) (theta_t s (tl F)).

  (** f(β*, π*; ρ_t, θ_t) − f(β_t, π_t; ρ*_t, θ*_t) at the comparators of Lemma C.3, ρ*_t = ρ^{π_t}. *)
  Definition gap2_t (s : state2) (F : list transition) : RK :=
    average_f M ϱ L β' π' (rho_t s (tl F)) (theta_t s (tl F)) - average_f M ϱ L (a_beta s) (policy s) (gain (policy s)) (star (policy s)).

  (** Lemma C.3 at iteration t … *)
  Lemma suboptimality2_gap s F : suboptimality2 s F = gap2_t s F.
  Proof.
    pose proof (policy2_is_policy s) as Hp. destruct (values (policy s) Hp) as (Hb & Ho & _ & _ & c & Hc).
    unfold suboptimality2, gap2_t.
    rewrite <- (gain_is_return M (policy s) _ _ _ Hp Hb Ho).
    rewrite <- (average_f_beta_star M ϱ L ones β' π' ν' (rho_t s (tl F)) (theta_t s (tl F)) (proj1 covered) comparator (proj1 stationary)).
    now rewrite <- (average_f_theta_star M ϱ L mdp rank ones (a_beta s) (policy s) (gain (policy s)) (bias (policy s)) (star (policy s)) c Hp Hb Hc) at 1.
  Qed.

  (** … and the equality of Lemma C.4. *)
  Lemma gap2_regrets s F :
    gap2_t s F = regret_theta2_t s F + regret_rho2_t s F + regret_beta2_t s F + regret_pi2_t s F.
  Proof.
    unfold gap2_t. pose proof (primal_difference M ϱ L β' ν' π' (a_beta s) (policy s) (rho_t s (tl F)) (theta_t s (tl F))) as A.
    pose proof (dual_difference M ϱ L (a_beta s) (policy s) (rho_t s (tl F)) (gain (policy s)) (theta_t s (tl F)) (star (policy s))) as B.
    assert (X : forall x, (x < nS M)%nat -> PsiT M (mulv d L β') x = ν' x).
    { intros x Hx. rewrite (PsiT_ext M _ _ x (proj1 covered)), PsiT_PhiT.
      symmetry. now apply (proj1 (proj1 stationary)). }
    specialize (A X).
    change (sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - policy s x a) * dot d (φ M x a) (theta_t s (tl F)))))
      with (regret_pi2_t s F) in A.
    fold (regret_beta2_t s F) in A. fold (regret_rho2_t s F) (regret_theta2_t s F) in B.
    set (f1 := average_f M ϱ L β' π' (rho_t s (tl F)) (theta_t s (tl F))) in *.
    set (f2 := average_f M ϱ L (a_beta s) (policy s) (rho_t s (tl F)) (theta_t s (tl F))) in *.
    set (f3 := average_f M ϱ L (a_beta s) (policy s) (gain (policy s)) (star (policy s))) in *.
    transitivity ((f1 - f2) + (f2 - f3)); [real; ring|]. rewrite A, B. real. ring.
  Qed.

  (** The inner loop sees all but the block's last draw. *)
  Lemma E_block_tail (P : law RK transition) k f : is_law P -> E (block P (S k)) (fun F => f (tl F)) = E (block P k) f.
  Proof. intros HP. rewrite E_block_S. apply E_ext. intros F. simpl. now apply E_const. Qed.

  (** Lemma C.4's inequality; the entropy is H(π*‖π_1). *)
  Theorem lemma_C_4_inequality (T k : nat) (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) :
    (0 < T)%nat -> (0 < k)%nat -> ball d Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball d Dβ β1 ->
    (expected_at_random_iteration step (initial2 θ0 ρ0 β1) (fun s => block (W_law s) (S k)) T gap2_t
     <= 2 * (Dβ * Dβ) / (ζ * INR T) + entropy M α π' ν' vzero / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * average_G_beta Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
        + ξ * average_G_rho Dβ λ / 2 + η * average_G_theta Dφ Dβ λ / 2)%R.
  Proof.
    intros HT Hk H0 Hρ H1. set (s1 := initial2 θ0 ρ0 β1). set (P := fun s => block (W_law s) (S k)).
    assert (HP : forall s, is_law (P s)) by (intros s; apply is_law_block, law2).
    assert (I1 : valid2 s1) by (split; [exact H0 | split; [exact Hρ | exact H1]]).
    set (Q := fun H => P (run step s1 H)). assert (HQ : forall H, is_law (Q H)) by (intros; apply HP).
    unfold expected_at_random_iteration. fold Q. to_R. rewrite of_nat_INR.
    rewrite (E_path_ext Q T [] _ (fun H => total step s1 regret_theta2_t H + total step s1 regret_rho2_t H
      + total step s1 regret_beta2_t H + total step s1 regret_pi2_t H)).
    2:{ intros H. rewrite <- !total_add. apply (total_ext _ _ valid2); [exact I1 | intros; now apply valid2_step |].
        intros s F _. apply gap2_regrets. }
    rewrite !E_path_add.
    (* an iteration's regret bounded by b on average *)
    assert (avg : forall (b : R) (g : state2 -> list transition -> RK), (forall s, valid2 s -> (E (P s) (g s) <= b)%R) ->
      (E_path Q T [] (total step s1 g) <= INR T * b)%R).
    { intros b g Hb.
      pose proof (expected_total step s1 P valid2 1 b (fun _ => 0) g HP I1 (fun s F => valid2_step s F)) as X.
      assert (Y : forall s, valid2 s -> 1 * E (P s) (g s) + E (P s) (fun _ => 0) <= (0 : RK) + (b : RK)).
      { intros s Hs. rewrite E_const by apply HP. specialize (Hb s Hs). real. lra. }
      specialize (X Y T []). cbv beta in X. fold Q in X. rewrite E_path_const in X by apply HQ. cbn [Runs.total] in X. real.
      rewrite of_nat_INR in X. lra. }
    (* θ and ρ *)
    set (bθ := (2 * (Dθ * Dθ) / (η * INR k) + η * average_G_theta Dφ Dβ λ / 2)%R).
    assert (Aθ : (E_path Q T [] (total step s1 regret_theta2_t) <= INR T * bθ)%R).
    { apply avg. intros s Hs. destruct (values (policy s) (policy2_is_policy s)) as (_ & _ & _ & Bv & _).
      unfold P, regret_theta2_t.
      rewrite (E_block_tail _ k (fun F => dot d (vsub (theta_t s F) (star (policy s))) (average_g_theta M L (a_beta s) (policy s))) (law2 s)).
      now apply theta2_regret. }
    set (bρ := (1 / (2 * ξ * INR k) + ξ * average_G_rho Dβ λ / 2)%R).
    assert (Aρ : (E_path Q T [] (total step s1 regret_rho2_t) <= INR T * bρ)%R).
    { apply avg. intros s Hs. destruct (values (policy s) (policy2_is_policy s)) as (Hb & Ho & Hn & _).
      unfold P, regret_rho2_t.
      rewrite (E_block_tail _ k (fun F => (rho_t s F - gain (policy s)) * average_g_rho M ϱ L (a_beta s)) (law2 s)).
      apply rho2_regret; [exact Hk | exact Hs |].
      rewrite (gain_is_return M (policy s) _ _ _ (policy2_is_policy s) Hb Ho).
      apply return_in_interval; [exact mdp | apply policy2_is_policy | exact Hn | apply Ho]. }
    (* β *)
    assert (Aβ : (2 * ζ * E_path Q T [] (total step s1 regret_beta2_t)
                  <= 4 * (Dβ * Dβ) + INR T * (ζ * ζ * average_G_beta Dφ Dθ Tr))%R).
    { pose proof (expected_total step s1 P valid2 ((1 + 1) * ζ) (ζ² * average_G_beta Dφ Dθ Tr)
        (fun s => norm2 d (vsub (a_beta s) β')) regret_beta2_t HP I1 (fun s F => valid2_step s F)
        (fun s Hs => beta2_potential k s β' Hs (proj2 covered)) T []) as X. fold Q in X.
      assert (Z0 : 0 <= E_path Q T [] (fun H => norm2 d (vsub (a_beta (run step s1 H)) β'))).
      { rewrite <- (E_path_const Q T [] 0 HQ). apply E_path_le; [exact HQ | intros; apply norm2_nonneg]. }
      pose proof (distance_in_ball d Dβ β1 β' H1 (proj2 covered)) as Z.
      cbn [Runs.total Runs.run] in X. change (a_beta s1) with β1 in X. real. rewrite of_nat_INR in X. lra. }
    (* π *)
    set (V := fun s => entropy M α π' ν' (a_theta_sum s) : RK).
    set (b := (α * α * (Dφ * Dθ * (Dφ * Dθ)) / 2)%R).
    assert (Aπ : (α * E_path Q T [] (total step s1 regret_pi2_t) <= entropy M α π' ν' vzero + INR T * b)%R).
    { pose proof (expected_total step s1 P valid2 α b V regret_pi2_t HP I1 (fun s F => valid2_step s F)) as X.
      assert (Y : forall s, valid2 s -> (α : RK) * E (P s) (regret_pi2_t s) + E (P s) (fun F => V (step s F)) <= V s + (b : RK)).
      { intros s Hs. rewrite <- E_mul_l, <- E_add. rewrite <- (E_const (P s) (V s + (b : RK)) (HP s)).
        apply E_le; [apply HP|]. intros F.
        exact (entropy_step M α Dθ Dφ π' ν' some_action (conj (proj1 radii) (proj2 (proj2 radii))) features comparator
          comparator2_states (a_theta_sum s) (theta_t s (tl F)) (theta2_in_ball s (tl F) Hs)). }
      specialize (X Y T []). fold Q in X.
      assert (Z0 : 0 <= E_path Q T [] (fun H => V (run step s1 H))).
      { rewrite <- (E_path_const Q T [] 0 HQ).
        apply E_path_le; [exact HQ | intros; apply entropy_nonneg; [exact some_action | exact comparator | exact comparator2_states]]. }
      change (entropy M α π' ν' vzero) with (V s1).
      cbn [Runs.total Runs.run] in X. real. rewrite of_nat_INR in X. lra. }
    (* together *)
    destruct rates as (Pα & Pζ & Pξ & Pη). assert (PT : (0 < INR T)%R) by now apply lt_0_INR.
    assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    set (eθ := E_path Q T [] (total step s1 regret_theta2_t)) in *.
    set (eρ := E_path Q T [] (total step s1 regret_rho2_t)) in *.
    set (eβ := E_path Q T [] (total step s1 regret_beta2_t)) in *.
    set (eπ := E_path Q T [] (total step s1 regret_pi2_t)) in *.
    set (Gb := average_G_beta Dφ Dθ Tr) in *. set (Gr := average_G_rho Dβ λ) in *. set (Gt := average_G_theta Dφ Dβ λ) in *.
    set (h := entropy M α π' ν' vzero) in *. clear avg. clearbody eθ eρ eβ eπ Gb Gr Gt h. real. change (@carrier RK) with R in *.
    apply (Rmult_le_reg_r (INR T)); [exact PT|].
    replace ((eθ + eρ + eβ + eπ) / INR T * INR T)%R with (eθ + eρ + eβ + eπ)%R by (field; lra).
    replace ((2 * (Dβ * Dβ) / (ζ * INR T) + h / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * Gb / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + ξ * Gr / 2 + η * Gt / 2) * INR T)%R
      with (INR T * bθ + INR T * bρ + (4 * (Dβ * Dβ) + INR T * (ζ * ζ * Gb)) / (2 * ζ) + (h + INR T * b) / α)%R
      by (unfold bθ, bρ, b; field; lra).
    assert (eβ <= (4 * (Dβ * Dβ) + INR T * (ζ * ζ * Gb)) / (2 * ζ))%R.
    { apply (Rmult_le_reg_l (2 * ζ)); [lra|]. eapply Rle_trans; [exact Aβ | apply Req_le; field; lra]. }
    assert (eπ <= (h + INR T * b) / α)%R.
    { apply (Rmult_le_reg_l α); [exact Pα|]. eapply Rle_trans; [exact Aπ | apply Req_le; field; lra]. }
    lra.
  Qed.

  Theorem theorem_C_1 (T k : nat) (θ0 : vec RK) (ρ0 : R) (β1 : vec RK) :
    (0 < T)%nat -> (0 < k)%nat -> ball d Dθ θ0 -> (0 <= ρ0 <= 1)%R -> ball d Dβ β1 ->
    (expected_at_random_iteration step (initial2 θ0 ρ0 β1) (fun s => block (W_law s) (S k)) T suboptimality2
     <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 1 / (2 * ξ * INR k) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * average_G_beta Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2
        + ξ * average_G_rho Dβ λ / 2 + η * average_G_theta Dφ Dβ λ / 2)%R.
  Proof.
    intros HT Hk H0 Hρ H1. pose proof (lemma_C_4_inequality T k θ0 ρ0 β1 HT Hk H0 Hρ H1) as X.
    unfold expected_at_random_iteration in *.
    rewrite (E_path_ext _ T [] _ (total step (initial2 θ0 ρ0 β1) gap2_t))
      by (intros H; apply (total_ext _ _ (fun _ => True)); auto; intros s F _; apply suboptimality2_gap).
    pose proof (entropy_initial M α π' ν' some_action comparator comparator2_states) as Z.
    assert (Y : (entropy M α π' ν' vzero / (α * INR T) <= ln (INR (nA M)) / (α * INR T))%R).
    { apply Rmult_le_compat_r; [|exact Z]. apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; [apply rates | now apply lt_0_INR]. }
    eapply Rle_trans; [exact X|]. lra.
  Qed.
End Analysis.
