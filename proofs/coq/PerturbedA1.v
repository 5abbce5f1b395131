(** * Theorem A.1 for a program with an error in every step (proof) *)

From Coq Require Import List Reals Lra Lia Setoid FunctionalExtensionality.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Discounted Section4 AppendixB Existence.
From OPD Require Import Coverage Projection GradientDescent MirrorDescent Runs DoubleLoop Algorithm1 TheoremA1.
From OPD Require Import PerturbedLearning Perturbed1.
Import ListNotations.
Local Open Scope K_scope.

Lemma law_inhabited {Ω} (P : law RK Ω) : is_law P -> exists q w, In (q, w) P.
Proof. intros [_ H]. destruct P as [|[q w] l]; [simpl in H; real; lra | exists q, w; now left]. Qed.

(** The sum of an inner loop's iterates, the first in 𝔹(B), the others in 𝔹(C). *)
Lemma along_ball {Ω} (ok : Ω -> Prop) d (B C : R) (u : list Ω -> vec RK) : (0 <= B)%R -> (0 <= C)%R ->
  ball d B (u []) -> (forall W F, ok W -> Forall ok F -> ball d C (u (W :: F))) ->
  forall W F, Forall ok F -> ball d (B + INR (length F) * C)%R (fun i => along (fun F => u F i) (W :: F)).
Proof.
  intros PB PC H0 HS W F HF. induction HF as [|W' F HW HF IH].
  - simpl. rewrite Rmult_0_l, Rplus_0_r. apply (ball_ext d B (u [])); [|exact H0]. intros i _. symmetry. apply Rplus_0_l.
  - replace (B + INR (length (W' :: F)) * C)%R with ((B + INR (length F) * C) + C)%R by (simpl length; rewrite S_INR; ring).
    apply (ball_ext d _ (vadd (fun i => along (fun F => u F i) (W :: F)) (u (W' :: F)))).
    + intros i _. unfold vadd. cbn [along]. reflexivity.
    + apply ball_add; [|exact PC | exact IH | now apply HS]. pose proof (pos_INR (length F)). nra.
Qed.

(** The average of an inner loop that starts in 𝔹(D_θ + κ) and stays in 𝔹(D_θ + δ_θ): no farther out than it started. *)
Lemma average_ball {Ω} d (Dθ : R) (e : errors) (u : list Ω -> vec RK) (ok : Ω -> Prop) : (0 <= Dθ)%R -> nonnegative e ->
  ball d (Dθ + excess e)%R (u []) -> (forall W F, ok W -> Forall ok F -> ball d (Dθ + δθ e)%R (u (W :: F))) ->
  forall W F θ, Forall ok F -> (1 < S (length F))%nat \/ δavg e = 0%R -> ball d (δavg e) (vsub θ (average u (W :: F))) ->
  ball d (Dθ + excess e)%R θ.
Proof.
  intros R1 (P1 & P2 & P3 & P4 & P5) H0 HS W F θ HF Hk A.
  assert (PK : (0 <= excess e)%R) by (unfold excess; lra).
  destruct F as [|W' F].
  - (* K = 1: θ_t = θ_{t−1} up to δavg = 0 *)
    assert (Z : δavg e = 0%R) by (destruct Hk as [Hk|Hk]; [simpl in Hk; lia | exact Hk]).
    replace (Dθ + excess e)%R with (Dθ + excess e + δavg e)%R by (rewrite Z; ring).
    apply (ball_shift d (Dθ + excess e)%R (δavg e) _ (u [])); [lra | exact P2 | exact H0|].
    eapply ball_ext; [|exact A]. intros i _. unfold vsub, average. simpl. real. field.
  - assert (S1 : ball d (Dθ + excess e + INR (length (W' :: F)) * (Dθ + δθ e))%R (fun i => along (fun F => u F i) (W :: W' :: F))).
    { apply (along_ball ok); [lra | lra | exact H0 | exact HS | exact HF]. }
    pose proof (ball_scale d _ (/ INR (length (W :: W' :: F)))%R _ S1) as S2.
    set (n := length (W' :: F)) in *. change (length (W :: W' :: F)) with (S n) in *.
    assert (Pn : (0 < INR (S n))%R) by (apply lt_0_INR; lia).
    assert (P1n : (1 <= INR n)%R) by (change 1%R with (INR 1); apply le_INR; unfold n; simpl; lia).
    rewrite Rabs_pos_eq in S2 by (apply Rlt_le, Rinv_0_lt_compat, Pn).
    assert (S3 : ball d (Dθ + δθ e + δavg e)%R (average u (W :: W' :: F))).
    { eapply ball_le; [| |eapply ball_ext; [|exact S2]].
      - apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat, Pn|]. pose proof (pos_INR n). nra.
      - apply (Rmult_le_reg_l (INR (S n))); [exact Pn|]. rewrite <- Rmult_assoc, Rinv_r by lra. rewrite S_INR. unfold excess. nra.
      - intros i _. unfold scale, average. change (length (W :: W' :: F)) with (S n). rewrite of_nat_INR. real. unfold Rdiv. ring. }
    replace (Dθ + excess e)%R with ((Dθ + δθ e + δavg e) + δavg e)%R by (unfold excess; ring).
    eapply ball_shift; [| exact P2 | exact S3 | exact A]. lra.
Qed.

Section Analysis.
  Variables (M : linear_mdp RK) (μB : nat -> nat -> RK) (L N : mat RK) (α ζ η Dθ Dβ Dφ λ : R).
  Notation d := (dim M).
  Notation Λ := (covariance M μB).
  Notation W_law := (observation M μB).
  Notation Tr := (trace d (sandwich d Λ N)).
  Notation ok := (in_model M).

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

  Lemma observation_ok : supported ok W_law.
  Proof. intros p W H. apply in_observation in H. exact H. Qed.

  Variables (k : nat) (e : errors) (p : program1).
  Hypothesis Hk : (0 < k)%nat.
  Hypothesis e_nonneg : nonnegative e.
  Hypothesis averages : (1 < k)%nat \/ δavg e = 0%R.
  Notation κ := (excess e).
  Notation Bθ := (Dθ + excess e)%R.
  Notation Bβ := (Dβ + δβ e)%R.
  Notation close := (close_to_step1 M N α ζ η Dθ Dβ k e p).
  Notation step := (program_step p).
  Notation policy := (program_policy p).
  Notation iterate := (program_iterate p).
  Notation ok_block := (fun F => Forall ok F /\ length F = k).

  Definition valid (s : state1) : Prop := ball d Bθ (theta s) /\ ball d Bβ (beta s).

  Lemma excess_nonneg : (0 <= κ)%R.
  Proof. destruct e_nonneg as (A & B & _). unfold excess. lra. Qed.

  Lemma iterate_ball s : close s -> valid s -> forall W F, ok W -> Forall ok F -> ball d (Dθ + δθ e)%R (iterate s (W :: F)).
  Proof.
    intros (_ & _ & _ & C & _) _ W F HW HF. specialize (C W F HW HF).
    eapply ball_shift; [apply radii | apply e_nonneg | | exact C]. apply projection_in_ball, radii.
  Qed.

  Lemma theta_ball s : close s -> valid s -> forall F, Forall ok F -> S (length F) = k -> ball d Bθ (program_theta p s F).
  Proof.
    intros C V F HF LF. pose proof (iterate_ball s C V) as IB. destruct C as (_ & _ & C0 & _ & C2).
    assert (X : exists W, ok W) by (destruct (law_inhabited W_law HL) as (q & W & HW); exists W; now apply (observation_ok q)).
    destruct X as [W HW]. destruct (C2 W F HW HF LF) as [A _].
    apply (average_ball d Dθ e (iterate s) ok (proj1 radii) e_nonneg) with (W := W) (F := F); try assumption.
    - rewrite C0. apply V.
    - destruct averages; [left; lia | now right].
  Qed.

  Lemma valid_step s F : close s -> valid s -> ok_block F -> valid (step s F).
  Proof.
    intros C V [HF LF]. destruct F as [|W F]; [exact V|].
    pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'. split.
    - now apply theta_ball.
    - destruct C as (_ & _ & _ & _ & C). destruct (C W F HW HF' LF) as (_ & A & _). cbn [beta program_step].
      eapply ball_shift; [apply radii | apply e_nonneg | | exact A]. apply projection_in_ball, radii.
  Qed.

  Lemma second_moment s : close s -> valid s ->
    E W_law (fun W => norm2 d (theta_gradient M N (beta s) (policy s) W)) <= G_theta M Dφ Bβ λ.
  Proof.
    intros C V.
    eapply le_trans; [apply (lemma_B_1_second_moment M μB L N mdp discounted behaviour powers_of Dφ features); apply C|].
    unfold G_theta. apply mul_le_l; [apply mul_nonneg; [repeat apply add_nonneg; apply one_nonneg | apply sq_nonneg]|].
    apply add_le, mul_le_l; [apply add_nonneg; [apply one_nonneg | apply sq_nonneg]|].
    apply quad_bound; [apply spectral | apply spectral | apply V].
  Qed.

  Lemma theta_regret s θ' : close s -> valid s -> ball d Dθ θ' ->
    (E (block W_law k) (fun F => dot d (vsub (theta (step s F)) θ') (g_theta M L (beta s) (policy s)))
     <= (2 * Dθ + κ) * (2 * Dθ + κ) / (2 * η * INR k) + η * G_theta M Dφ Bβ λ / 2
        + (4 * Dθ * δθ e + δθ e * δθ e) / (2 * η) + δavg e * sqrt (G_theta M Dφ Bβ λ))%R.
  Proof.
    intros C V Hθ'. pose proof rates as (_ & _ & Pη). pose proof radii as (R1 & R2 & R3).
    pose proof e_nonneg as (P1 & P2 & _). pose proof excess_nonneg as PK. pose proof (second_moment s C V) as SM.
    destruct C as (Cπ & _ & C0 & Ci & Ca).
    set (avg := fun F => theta (step s F)). set (G2 := G_theta M Dφ Bβ λ) in *.
    replace (4 * Dθ * δθ e)%R with (2 * (Dθ + Dθ) * δθ e)%R by ring.
    apply (perturbed_average_regret ok d k (proj_ball d Dθ) (Dθ + Dθ)%R (δθ e) (δavg e) η G2 _ W_law (theta_gradient M N (beta s) (policy s)) _ θ' (iterate s) avg);
      [lra | split; assumption | exact Pη | exact Hk | | | exact HL | apply observation_ok | | exact SM | | |].
    - intros z. apply (projection_approaches d (ball d Dθ)); [apply projection_obtuse; exact R1 | exact Hθ'].
    - intros z. apply ball_sub; [exact R1 | exact R1 | apply projection_in_ball; exact R1 | exact Hθ'].
    - intros i Hi. now apply unbiased_theta.
    - rewrite C0. assert (X : ball d (Bθ + Dθ)%R (vsub (theta s) θ')) by (apply ball_sub; [lra | lra | apply V | exact Hθ']).
      unfold ball in X. real. replace (2 * Dθ + κ)%R with (Bθ + Dθ)%R by ring. exact X.
    - intros W F HW HF. apply (Ci W F HW HF).
    - intros F HF LF. destruct F as [|W F]; [simpl in LF; lia|].
      apply (Ca W F (Forall_inv HF) (Forall_inv_tail HF) LF).
  Qed.

  Lemma beta_potential s β' : close s -> valid s -> ball d Dβ β' ->
    (2 * ζ * E (block W_law k) (fun F => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta (step s F))))
     + E (block W_law k) (fun F => norm2 d (vsub (beta (step s F)) β'))
     <= norm2 d (vsub (beta s) β') + (ζ * ζ * G_beta M Dφ Bθ Tr + (4 * Dβ * δβ e + δβ e * δβ e)))%R.
  Proof.
    intros C V Hβ'. pose proof radii as (R1 & R2 & R3). pose proof e_nonneg as (P1 & P2 & P3 & _).
    assert (Ek : exists k', k = S k') by (exists (pred k); lia). destruct Ek as [k' Ek].
    replace (block W_law k) with (block W_law (S k')) by now rewrite Ek. rewrite !E_block_S.
    pose proof (is_law_block W_law k' HL) as HB.
    set (b := (norm2 d (vsub (beta s) β') + (ζ * ζ * G_beta M Dφ Bθ Tr + (4 * Dβ * δβ e + δβ e * δβ e)))%R).
    apply Rle_trans with (E (block W_law k') (fun _ => b : RK)); [|rewrite E_const by exact HB; apply Rle_refl].
    change (((1 + 1)%R * ζ)%R * E (block W_law k') ?f + E (block W_law k') ?g <= ?r)%R with (((2 * ζ)%R : RK) * E (block W_law k') f + E (block W_law k') g <= r).
    rewrite <- E_mul_l, <- E_add.
    apply (E_le_ok (fun F => Forall ok F /\ length F = k')); [exact HB | intros q F HF; eapply block_ok; [apply observation_ok | exact HF] |].
    intros F [HF LF]. cbn [theta beta program_step]. set (θ := program_theta p s F).
    assert (Bt : norm2 d θ <= (Bθ : RK)²) by (apply theta_ball; auto; now rewrite LF, Ek).
    rewrite E_const by exact HL.
    assert (O : (1 + 1) * ζ * dot d (vsub β' (beta s)) (g_beta M L (policy s) θ)
      + E W_law (fun W => norm2 d (vsub (proj_ball d Dβ (vadd (beta s) (scale ζ (beta_gradient M N (policy s) θ W)))) β'))
      <= norm2 d (vsub (beta s) β') + ζ² * G_beta M Dφ Bθ Tr).
    { apply (one_step_expected d (proj_ball d Dβ) β') with (ĝ := beta_gradient M N (policy s) θ).
      - intros y. apply (projection_approaches d (ball d Dβ)); [apply projection_obtuse; exact R2 | exact Hβ'].
      - exact HL.
      - intros i Hi. now apply unbiased_beta.
      - apply (lemma_B_2_second_moment M μB L N mdp discounted behaviour powers_of Dφ features Bθ); [apply C | exact Bt]. }
    assert (X : E W_law (fun W => norm2 d (vsub (program_beta p s θ W) β'))
      <= E W_law (fun W => norm2 d (vsub (proj_ball d Dβ (vadd (beta s) (scale ζ (beta_gradient M N (policy s) θ W)))) β')
           + ((4 * Dβ * δβ e + δβ e * δβ e)%R : RK))).
    { apply (E_le_ok ok); [exact HL | apply observation_ok|]. intros W HW.
      apply perturbed_distance; [exact R2 | exact P3 | apply projection_in_ball; exact R2 | exact Hβ'|].
      destruct C as (_ & _ & _ & _ & C). destruct (C W F HW HF) as (_ & A & _); [now rewrite LF, Ek | exact A]. }
    rewrite E_add, (E_const W_law ((4 * Dβ * δβ e + δβ e * δβ e)%R : RK)) in X by exact HL. unfold b. real. lra.
  Qed.

  Variables (π' : nat -> nat -> RK) (ν' : nat -> RK).
  Hypothesis comparator : is_policy M π'.
  Hypothesis occupancy : is_occupancy M π' ν'.
  Variables (val occ : (nat -> nat -> RK) -> nat -> RK).
  Hypothesis values : forall π, is_policy M π ->
    is_value M π (val π) /\ is_occupancy M π (occ π) /\ ball d Dθ (theta_of M (val π)).
  Variable β' : vec RK.
  Hypothesis covered : is_beta_star M L β' (compose π' ν') /\ ball d Dβ β'.


  (** Lemmas 4.1 and 4.2 for one iteration, whatever its policy, θ and β. *)
  Lemma regrets_of_iteration π (θ β : vec RK) : is_policy M π ->
    return_of_measure M (compose π' ν') - return_of_measure M (compose π (occ π))
    = dot d (vsub θ (theta_of M (val π))) (g_theta M L β π) + dot d (vsub β' β) (g_beta M L π θ)
      + regret_of M π' ν' π θ.
  Proof.
    intros Hπ. destruct (values π Hπ) as (Hv & Ho & _).
    rewrite <- (f_beta_star M L β' π' ν' θ (proj1 covered) occupancy).
    rewrite <- (return_forms M π _ _ Hπ Hv Ho).
    rewrite <- (f_theta_star M L β π (val π) (theta_of M (val π)) Hv (fun i _ => eq_refl)).
    rewrite <- theta_difference, <- beta_difference.
    change (regret_of M π' ν' π θ) with (sumX M (fun x => ν' x * sum (nA M) (fun a => (π' x a - π x a) * dot d (φ M x a) θ))).
    rewrite <- (pi_difference M L β' ν').
    - real. ring.
    - intros x Hx. apply (nu_beta_star M L β' π'); [apply covered | exact occupancy | exact Hx].
  Qed.

  Lemma reachable_valid T s1 : perturbed_run1 M N α ζ η Dθ Dβ k T e p s1 -> valid s1 ->
    forall H, Forall ok_block H -> (length H <= T)%nat -> valid (run step s1 H).
  Proof.
    intros C V1 H HH. induction HH as [|F H HF HH IH]; intros LH; [exact V1|]. simpl in LH. simpl.
    apply valid_step; [apply C; [exact HH | lia] | apply IH; lia | exact HF].
  Qed.

  Definition program_suboptimality (s : state1) (_ : list sample) : RK :=
    return_of_measure M (compose π' ν') - return_of_measure M (compose (policy s) (occ (policy s))).

  Theorem theorem_A_1_perturbed (T : nat) (θ0 β1 : vec RK) : (0 < T)%nat -> ball d Dθ θ0 -> ball d Dβ β1 ->
    perturbed_run1 M N α ζ η Dθ Dβ k T e p (initial1 θ0 β1) ->
    (expected_at_random_iteration step (initial1 θ0 β1) (fun _ => block W_law k) T program_suboptimality
     <= 2 * (Dβ * Dβ) / (ζ * INR T) + ln (INR (nA M)) / (α * INR T) + 2 * (Dθ * Dθ) / (η * INR k)
        + ζ * G_beta M Dφ Dθ Tr / 2 + α * (Dθ * Dθ * (Dφ * Dφ)) / 2 + η * G_theta M Dφ Dβ λ / 2
        + perturbation_A_1 M Dθ Dβ Dφ λ Tr α ζ η k e)%R.
  Proof.
    intros HT H0 H1 C. set (s1 := initial1 θ0 β1) in *. set (P := block W_law k).
    pose proof radii as (R1 & R2 & R3). pose proof e_nonneg as (P1 & P2 & P3 & P4 & P5). pose proof excess_nonneg as PK.
    pose proof rates as (Pα & Pζ & Pη).
    assert (HP : is_law P) by now apply is_law_block.
    assert (SP : supported ok_block P) by (intros q F HF; eapply block_ok; [apply observation_ok | exact HF]).
    assert (I1 : valid s1) by (split; [apply (ball_le d Dθ) | apply (ball_le d Dβ)]; try assumption; lra).
    pose proof (reachable_valid T s1 C I1) as V. fold s1 in V.
    set (rθ := fun s F => dot d (vsub (theta (step s F)) (theta_of M (val (policy s)))) (g_theta M L (beta s) (policy s)) : RK).
    set (rβ := fun s F => dot d (vsub β' (beta s)) (g_beta M L (policy s) (theta (step s F))) : RK).
    set (rπ := fun s F => regret_of M π' ν' (policy s) (theta (step s F)) : RK).
    unfold expected_at_random_iteration. to_R. rewrite of_nat_INR. fold P.
    (* the three regrets *)
    assert (S0 : (E_path (fun _ => P) T [] (total step s1 program_suboptimality)
      <= E_path (fun _ => P) T [] (fun H => total step s1 rθ H + total step s1 rβ H + total step s1 rπ H))%R).
    { apply (E_path_le_ok ok_block); [intros; exact HP | intros; exact SP | constructor|].
      intros H HH LH. simpl in LH. rewrite Nat.add_0_r in LH. apply le_eq. rewrite <- !total_add.
      apply (total_ext_ok ok_block step s1 T); [|exact HH | lia].
      intros H' F HH' _ LH'. apply regrets_of_iteration. apply (C H' HH' LH'). }
    rewrite !E_path_add in S0.
    (* θ *)
    set (bθ := ((2 * Dθ + κ) * (2 * Dθ + κ) / (2 * η * INR k) + η * G_theta M Dφ Bβ λ / 2
        + (4 * Dθ * δθ e + δθ e * δθ e) / (2 * η) + δavg e * sqrt (G_theta M Dφ Bβ λ))%R).
    assert (Aθ : (E_path (fun _ => P) T [] (total step s1 rθ) <= INR T * bθ)%R).
    { pose proof (expected_total_ok ok_block step s1 P T 1 bθ (fun _ => 0) rθ HP SP) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        1 * E P (rθ (run step s1 H)) + E P (fun _ => 0) <= (0 : RK) + (bθ : RK)).
      { intros H HH LH. set (s := run step s1 H). assert (Cs : close s) by now apply C.
        destruct (values (policy s) (proj1 Cs)) as (_ & _ & Bv). rewrite E_const by exact HP.
        assert (Vs : valid s) by (apply V; [exact HH | lia]).
        pose proof (theta_regret s _ Cs Vs Bv) as R. fold bθ in R. fold P in R. fold (rθ s) in R.
        real. unfold rθ in *. lra. }
      specialize (X Y T [] (Forall_nil _)). cbv beta in X. rewrite E_path_const in X by (intros; exact HP).
      cbn [Runs.total length] in X. rewrite of_nat_INR in X. real.
      assert (T + 0 <= T)%nat by lia. specialize (X H). lra. }
    (* β *)
    set (bβ := (ζ * ζ * G_beta M Dφ Bθ Tr + (4 * Dβ * δβ e + δβ e * δβ e))%R).
    assert (Aβ : (2 * ζ * E_path (fun _ => P) T [] (total step s1 rβ) <= 4 * (Dβ * Dβ) + INR T * bβ)%R).
    { pose proof (expected_total_ok ok_block step s1 P T (2 * ζ)%R bβ (fun s => norm2 d (vsub (beta s) β')) rβ HP SP) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        ((2 * ζ)%R : RK) * E P (rβ (run step s1 H)) + E P (fun F => norm2 d (vsub (beta (step (run step s1 H) F)) β'))
        <= norm2 d (vsub (beta (run step s1 H)) β') + (bβ : RK)).
      { intros H HH LH. apply (beta_potential (run step s1 H) β');
          [now apply C | apply V; [exact HH | lia] | exact (proj2 covered)]. }
      specialize (X Y T [] (Forall_nil _)). cbv beta in X.
      assert (Q : 0 <= E_path (fun _ => P) T [] (fun H => norm2 d (vsub (beta (run step s1 H)) β'))).
      { rewrite <- (E_path_const (fun _ => P) T [] 0 (fun _ => HP)).
        apply E_path_le; [intros; exact HP | intros; apply norm2_nonneg]. }
      pose proof (distance_in_ball d Dβ β1 β' H1 (proj2 covered)) as Z.
      cbn [Runs.total Runs.run length] in X. change (beta s1) with β1 in X. rewrite of_nat_INR in X. real.
      assert (T + 0 <= T)%nat by lia. specialize (X H). lra. }
    (* π *)
    set (eπ := (2 * Dφ * δΣ e + δπ e * (Dφ * Bθ))%R).
    set (bπ := (α * α * (Dφ * (Bθ + δΣ e) * (Dφ * (Bθ + δΣ e))) / 2 + α * eπ)%R).
    assert (CS : distribution (nS M) ν') by (apply (comparator_states M mdp discounted π' ν' comparator occupancy)).
    assert (Aπ : (α * E_path (fun _ => P) T [] (total step s1 rπ) <= ln (INR (nA M)) + INR T * bπ)%R).
    { set (Vπ := fun s => entropy M α π' ν' (theta_sum s) : RK).
      pose proof (expected_total_ok ok_block step s1 P T α bπ Vπ rπ HP SP) as X.
      assert (Y : forall H, Forall ok_block H -> (length H < T)%nat ->
        (α : RK) * E P (rπ (run step s1 H)) + E P (fun F => Vπ (step (run step s1 H) F)) <= Vπ (run step s1 H) + (bπ : RK)).
      { intros H HH LH. set (s := run step s1 H). assert (Cs : close s) by now apply C.
        assert (Vs : valid s) by (apply V; [exact HH | lia]).
        rewrite <- E_mul_l, <- E_add. rewrite <- (E_const P (Vπ s + (bπ : RK)) HP).
        apply (E_le_ok ok_block); [exact HP | exact SP|]. intros F [HF LF]. destruct F as [|W F]; [simpl in LF; lia|].
        pose proof (Forall_inv HF) as HW. pose proof (Forall_inv_tail HF) as HF'.
        pose proof Cs as (Cπ & Cd & _ & _ & Ca). destruct (Ca W F HW HF' LF) as (_ & _ & AΣ).
        assert (Rb : (0 <= Bθ /\ 0 <= Dφ)%R) by (split; lra). assert (Rd : (0 <= δπ e /\ 0 <= δΣ e)%R) by (split; lra).
        pose proof (perturbed_entropy_step M α Bθ Dφ (δπ e) (δΣ e) π' ν' some_action Rb Rd features comparator CS
          (theta_sum s) (program_sum p s (program_theta p s F)) (program_theta p s F) (policy s)
          (theta_ball s Cs Vs F HF' LF) AΣ Cd) as S.
        rewrite (Rabs_pos_eq α) in S by lra. unfold Vπ, rπ, bπ, eπ. cbn [theta theta_sum program_step]. real. lra. }
      specialize (X Y T [] (Forall_nil _)). cbv beta in X.
      assert (Q : 0 <= E_path (fun _ => P) T [] (fun H => Vπ (run step s1 H))).
      { rewrite <- (E_path_const (fun _ => P) T [] 0 (fun _ => HP)).
        apply E_path_le; [intros; exact HP | intros; apply entropy_nonneg; assumption]. }
      pose proof (entropy_initial M α π' ν' some_action comparator CS) as Z.
      change (entropy M α π' ν' vzero) with (Vπ s1) in Z.
      cbn [Runs.total Runs.run length] in X. rewrite of_nat_INR in X. real.
      assert (T + 0 <= T)%nat by lia. specialize (X H). lra. }
    (* together *)
    assert (PT : (0 < INR T)%R) by now apply lt_0_INR. assert (Pk : (0 < INR k)%R) by now apply lt_0_INR.
    set (eθ := E_path (fun _ => P) T [] (total step s1 rθ)) in *.
    set (eβ := E_path (fun _ => P) T [] (total step s1 rβ)) in *.
    set (ep := E_path (fun _ => P) T [] (total step s1 rπ)) in *.
    set (et := E_path (fun _ => P) T [] (total step s1 program_suboptimality)) in *.
    assert (GT : (G_theta M Dφ Bβ λ = G_theta M Dφ Dβ λ + 3 * (Dφ * Dφ) * (1 + γ M * γ M) * λ * (2 * Dβ * δβ e + δβ e * δβ e))%R)
      by (unfold G_theta; real; ring).
    assert (GB : (G_beta M Dφ Bθ Tr = G_beta M Dφ Dθ Tr + 3 * (1 + γ M * γ M) * (Dφ * Dφ) * Tr * (2 * Dθ * κ + κ * κ))%R)
      by (unfold G_beta; real; ring).
    unfold perturbation_A_1. cbv zeta. unfold bθ in Aθ. unfold bβ in Aβ.
    set (sq := sqrt (G_theta M Dφ Bβ λ)) in *. rewrite GT in Aθ. rewrite GB in Aβ.
    set (Gb := G_beta M Dφ Dθ Tr) in *. set (Gt := G_theta M Dφ Dβ λ) in *.
    set (xt := (3 * (Dφ * Dφ) * (1 + γ M * γ M) * λ * (2 * Dβ * δβ e + δβ e * δβ e))%R) in *.
    set (xb := (3 * (1 + γ M * γ M) * (Dφ * Dφ) * Tr * (2 * Dθ * κ + κ * κ))%R) in *.
    match goal with |- context [sqrt ?x] => change (sqrt x) with sq end.
    clearbody eθ eβ ep et Gb Gt sq xt xb. real. change (@carrier RK) with R in *.
    apply Rle_trans with ((eθ + eβ + ep) / INR T)%R; [apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, PT | exact S0]|].
    assert (B1 : (eβ <= (4 * (Dβ * Dβ) + INR T * (ζ * ζ * (Gb + xb) + (4 * Dβ * δβ e + δβ e * δβ e))) / (2 * ζ))%R).
    { apply (Rmult_le_reg_l (2 * ζ)); [lra|]. eapply Rle_trans; [exact Aβ | apply Req_le; field; lra]. }
    assert (B2 : (ep <= (ln (INR (nA M)) + INR T * bπ) / α)%R).
    { apply (Rmult_le_reg_l α); [exact Pα|]. eapply Rle_trans; [exact Aπ | apply Req_le; field; lra]. }
    apply (Rmult_le_reg_r (INR T)); [exact PT|].
    replace ((eθ + eβ + ep) / INR T * INR T)%R with (eθ + eβ + ep)%R by (field; lra).
    eapply Rle_trans; [apply Rplus_le_compat; [apply Rplus_le_compat; [exact Aθ | exact B1] | exact B2]|].
    apply Req_le. unfold bπ, eπ. set (κ0 := κ). clearbody κ0. field. lra.
  Qed.
End Analysis.
