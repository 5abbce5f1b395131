(** * Section 2: how sums over X, X×A and features change places; the law of an observation *)

From Coq Require Import Ring Field List Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField Sums Expect Mdp.
Import ListNotations.
Local Open Scope K_scope.

Section Facts.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).

  Lemma sumXA_ext f g :
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> f x a = g x a) -> sumXA M f = sumXA M g.
  Proof. intros H. apply sum_ext. intros x Hx. apply sum_ext. auto. Qed.

  Lemma sumX_ext f g : (forall x, (x < nS M)%nat -> f x = g x) -> sumX M f = sumX M g.
  Proof. apply sum_ext. Qed.

  Lemma sumXA_add f g : sumXA M (fun x a => f x a + g x a) = sumXA M f + sumXA M g.
  Proof. unfold sumXA. rewrite <- sum_add. apply sum_ext. intros. apply sum_add. Qed.

  Lemma sumXA_sub f g : sumXA M (fun x a => f x a - g x a) = sumXA M f - sumXA M g.
  Proof. unfold sumXA. rewrite <- sum_sub. apply sum_ext. intros. apply sum_sub. Qed.

  Lemma sumXA_mul_l (c : K) f : sumXA M (fun x a => c * f x a) = c * sumXA M f.
  Proof. unfold sumXA. rewrite <- sum_mul_l. apply sum_ext. intros. apply sum_mul_l. Qed.

  Lemma sumXA_mul_r (c : K) f : sumXA M (fun x a => f x a * c) = sumXA M f * c.
  Proof. unfold sumXA. rewrite <- sum_mul_r. apply sum_ext. intros. apply sum_mul_r. Qed.

  Lemma sumXA_sum n (f : nat -> nat -> nat -> K) :
    sumXA M (fun x a => sum n (f x a)) = sum n (fun i => sumXA M (fun x a => f x a i)).
  Proof.
    unfold sumXA. rewrite <- (sum_swap (nS M) n). apply sum_ext. intros x _. apply sum_swap.
  Qed.

  Lemma sumXA_le f g :
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> f x a <= g x a) -> sumXA M f <= sumXA M g.
  Proof. intros H. apply sum_le. intros x Hx. apply sum_le. auto. Qed.

  Lemma sumXA_nonneg f :
    (forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= f x a) -> 0 <= sumXA M f.
  Proof. intros H. apply sum_nonneg. intros x Hx. apply sum_nonneg. auto. Qed.

  (** ⟨θ, Φᵀμ⟩ = ⟨μ, Φθ⟩ *)
  Lemma dot_PhiT θ μ : dot d θ (PhiT M μ) = sumXA M (fun x a => μ x a * dot d (φ M x a) θ).
  Proof.
    unfold dot, PhiT. setoid_rewrite <- sumXA_mul_l. rewrite <- sumXA_sum. apply sumXA_ext. intros x a _ _.
    rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  (** ⟨λ, Ψv⟩ = ⟨v, Ψᵀλ⟩ *)
  Lemma dot_Psi l v : dot d l (Psi M v) = sumX M (fun x => v x * PsiT M l x).
  Proof.
    unfold dot at 1, Psi, sumX. setoid_rewrite <- sum_mul_l. rewrite sum_swap. apply sum_ext. intros x _.
    apply sum_ext. intros. ring.
  Qed.

  (** ⟨φ(x,a), Ψv⟩ = ⟨p(·|x,a), v⟩ *)
  Lemma dot_phi_Psi v x a : dot d (φ M x a) (Psi M v) = sumX M (fun x' => trans M x a x' * v x').
  Proof. rewrite dot_Psi. apply sumX_ext. intros x' _. unfold PsiT, trans. rewrite dot_comm. ring. Qed.

  (** Ψᵀ Φᵀ μ = Pᵀ μ *)
  Lemma PsiT_PhiT μ x : PsiT M (PhiT M μ) x = sumXA M (fun y a => trans M y a x * μ y a).
  Proof. unfold PsiT. rewrite dot_PhiT. apply sumXA_ext. intros. unfold trans. ring. Qed.

  Lemma PsiT_ext l l' x : veq d l l' -> PsiT M l x = PsiT M l' x.
  Proof. intros H. apply dot_ext; [intros i Hi; reflexivity | exact H]. Qed.

  (** ⟨φ, θ^v⟩ = r + γ P v: the value functions are linear, (3). *)
  Lemma dot_phi_theta_of v x a : dot d (φ M x a) (theta_of M v) = q_of M v x a.
  Proof.
    unfold q_of, theta_of, reward. rewrite <- dot_phi_Psi, <- dot_scale_r, <- dot_vadd_r. reflexivity.
  Qed.

  (** Σ_{x,a} π(a|x) ν(x) ⟨φ, θ⟩ = Σ_x ν(x) v_{θ,π}(x) *)
  Lemma sum_compose π ν θ :
    sumXA M (fun x a => compose π ν x a * dot d (φ M x a) θ) = sumX M (fun x => ν x * v_of M θ π x).
  Proof.
    unfold sumXA, sumX, compose, v_of. apply sum_ext. intros x _. rewrite <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  Lemma ET_compose π ν x : is_policy M π -> (x < nS M)%nat -> ET M (compose π ν) x = ν x.
  Proof. intros [_ H] Hx. unfold ET, compose. rewrite sum_mul_r, H by exact Hx. ring. Qed.

  Lemma ET_sum π ν f : is_policy M π ->
    sumXA M (fun x a => compose π ν x a * f x) = sumX M (fun x => ν x * f x).
  Proof.
    intros H. unfold sumXA, sumX. apply sum_ext. intros x Hx.
    rewrite sum_mul_r. change (ET M (compose π ν) x * f x = ν x * f x). now rewrite ET_compose.
  Qed.

  (** Λ y = Σ μ_B φ ⟨φ, y⟩ *)
  Lemma mulv_covariance μB y i :
    mulv d (covariance M μB) y i = sumXA M (fun x a => μB x a * (φ M x a i * dot d (φ M x a) y)).
  Proof.
    unfold mulv, covariance. setoid_rewrite <- sumXA_mul_r. rewrite <- sumXA_sum. apply sumXA_ext. intros x a _ _.
    unfold dot. rewrite <- !sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  Lemma covariance_symmetric μB : symmetric d (covariance M μB).
  Proof. intros i j _ _. unfold transpose, covariance. apply sumXA_ext. intros. ring. Qed.

  (** yᵀ Λ z = Σ μ_B ⟨φ,y⟩⟨φ,z⟩ *)
  Lemma quad_covariance μB y z :
    quad d y (covariance M μB) z = sumXA M (fun x a => μB x a * (dot d (φ M x a) y * dot d (φ M x a) z)).
  Proof.
    unfold quad. transitivity (dot d y (PhiT M (fun x a => μB x a * dot d (φ M x a) z))).
    - apply dot_ext; [intros i _; reflexivity | intros i _]. rewrite mulv_covariance. apply sumXA_ext. intros. ring.
    - rewrite dot_PhiT. apply sumXA_ext. intros. ring.
  Qed.

  (** The expectation over an observation, as the sum it is. *)
  Lemma E_draw_pair μ f : E (draw_pair M μ) f = sumXA M (fun x a => μ x a * f (x, a)).
  Proof.
    assert (R : forall x m, E (map (fun a => (μ x a, (x, a))) (seq 0 m)) f = sum m (fun a => μ x a * f (x, a))).
    { intros x m. induction m as [|m IH]; [reflexivity|]. rewrite seq_S, map_app, E_app, IH. simpl. ring. }
    unfold draw_pair, sumXA. induction (nS M) as [|n IH]; [reflexivity|].
    rewrite seq_S, flat_map_app, E_app, IH. simpl. rewrite app_nil_r, R. reflexivity.
  Qed.

  Lemma in_draw_pair μ p x a : In (p, (x, a)) (draw_pair M μ) -> p = μ x a /\ (x < nS M)%nat /\ (a < nA M)%nat.
  Proof.
    intros H. apply in_flat_map in H as [y [Hy H]]. apply in_map_iff in H as [b [Eq H]]. injection Eq as <- <- <-.
    apply in_seq in Hy. apply in_seq in H. split; [reflexivity | lia].
  Qed.

  Lemma is_law_draw_pair μ : is_measure M μ -> is_law (draw_pair M μ).
  Proof.
    intros [Hp H1]. split.
    - intros p [x a] H. apply in_draw_pair in H as [-> [Hx Ha]]. auto.
    - rewrite E_draw_pair. transitivity (sumXA M μ); [apply sumXA_ext; intros; ring | exact H1].
  Qed.

  Lemma E_observation μB f : E (observation M μB) f =
    sumX M (fun x0 => ν0 M x0 * sumXA M (fun x a => μB x a *
      sumX M (fun x' => trans M x a x' * f (Sample x0 x a x')))).
  Proof.
    unfold observation. rewrite E_bind, E_draw. apply sum_ext. intros x0 _. f_equal.
    rewrite E_bind, E_draw_pair. apply sumXA_ext. intros x a _ _. f_equal. simpl.
    rewrite E_bind, E_draw. apply sum_ext. intros x' _. now rewrite E_dirac.
  Qed.

  Lemma is_law_observation μB :
    is_mdp M -> is_discounted M -> is_measure M μB -> is_law (observation M μB).
  Proof.
    intros (Hp & H1 & _) (_ & _ & Hν & Hν1) Hμ. apply is_law_bind; [now apply is_law_draw|].
    intros _ x0 _. apply is_law_bind; [now apply is_law_draw_pair|]. intros p [x a] Hxa.
    apply in_draw_pair in Hxa as [_ [Hx Ha]]. simpl.
    apply is_law_bind; [apply is_law_draw; [auto | now apply H1] | intros; apply is_law_dirac].
  Qed.

  (** What lies in an observation's support is in range. *)
  Lemma in_observation μB p W : In (p, W) (observation M μB) ->
    (x0 W < nS M)%nat /\ (state W < nS M)%nat /\ (action W < nA M)%nat /\ (next W < nS M)%nat.
  Proof.
    intros H. unfold observation, bind in H.
    apply in_flat_map in H as [[p0 y0] [H0 H]]. apply in_map_iff in H as [[q W'] [Eq H]].
    apply in_flat_map in H as [[p1 [x a]] [Hxa H]]. apply in_map_iff in H as [[q' W''] [Eq' H]].
    apply in_flat_map in H as [[p2 x'] [H2 H]]. apply in_map_iff in H as [[q'' W3] [Eq'' H]].
    apply in_draw in H0 as [_ H0]. apply in_draw_pair in Hxa as [_ [Hx Ha]]. apply in_draw in H2 as [_ H2].
    destruct H as [H|[]]. injection H as <- <-. simpl in *. injection Eq'' as <- <-. injection Eq' as <- <-.
    injection Eq as <- <-. simpl. auto.
  Qed.

  (** Marginals of an observation: of (X,A) … *)
  Lemma E_observation_pair μB (g : nat -> nat -> K) : is_mdp M -> is_discounted M ->
    E (observation M μB) (fun W => g (state W) (action W)) = sumXA M (fun x a => μB x a * g x a).
  Proof.
    intros (_ & H1 & _) (_ & _ & _ & Hν). rewrite E_observation. simpl.
    assert (H : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> sumX M (fun x' => trans M x a x' * g x a) = g x a).
    { intros x a Hx Ha. unfold sumX. rewrite sum_mul_r. fold (sumX M (trans M x a)). rewrite H1 by assumption. ring. }
    rewrite (sumX_ext _ (fun x0 => ν0 M x0 * sumXA M (fun x a => μB x a * g x a))).
    - unfold sumX. rewrite sum_mul_r. fold (sumX M (ν0 M)). rewrite Hν. ring.
    - intros x0 _. f_equal. apply sumXA_ext. intros x a Hx Ha. now rewrite H.
  Qed.

  (** … of (X,A,X') … *)
  Lemma E_observation_next μB (g : nat -> nat -> nat -> K) : is_discounted M ->
    E (observation M μB) (fun W => g (state W) (action W) (next W)) =
    sumXA M (fun x a => μB x a * sumX M (fun x' => trans M x a x' * g x a x')).
  Proof.
    intros (_ & _ & _ & Hν). rewrite E_observation. simpl. unfold sumX at 1. rewrite sum_mul_r.
    fold (sumX M (ν0 M)). rewrite Hν. ring.
  Qed.

  (** … and of X⁰. *)
  Lemma E_observation_initial μB (g : nat -> K) : is_mdp M -> is_measure M μB ->
    E (observation M μB) (fun W => g (x0 W)) = sumX M (fun x => ν0 M x * g x).
  Proof.
    intros (_ & H1 & _) [_ Hμ]. rewrite E_observation. simpl. apply sumX_ext. intros x0 _. f_equal.
    transitivity (sumXA M (fun x a => μB x a * g x0)).
    - apply sumXA_ext. intros x a Hx Ha. f_equal. unfold sumX. rewrite sum_mul_r.
      fold (sumX M (trans M x a)). rewrite H1 by assumption. ring.
    - rewrite sumXA_mul_r, Hμ. ring.
  Qed.
End Facts.
