(** * Section 2: the linear programs (2), (4), (5) and the saddle points of (6) *)

From Coq Require Import Ring Field List Lia Arith.
From OPD Require Import OrderedField Sums Mdp MdpFacts Discounted Section4 Existence BestPolicy.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} (M : linear_mdp K).
  Notation d := (dim M).

  Definition nonnegative (μ : nat -> nat -> K) : Prop := forall x a, (x < nS M)%nat -> (a < nA M)%nat -> 0 <= μ x a.
  Definition same_measure (μ μ' : nat -> nat -> K) : Prop := forall x a, (x < nS M)%nat -> (a < nA M)%nat -> μ x a = μ' x a.

  (** (2): max ⟨r, μ⟩ subject to Eᵀμ = (1−γ)ν₀ + γPᵀμ, μ ≥ 0 *)
  Definition feasible_2 (μ : nat -> nat -> K) : Prop :=
    (forall x, (x < nS M)%nat -> ET M μ x = flow M μ x) /\ nonnegative μ.
  Definition optimal_2 (μ : nat -> nat -> K) : Prop :=
    feasible_2 μ /\ forall μ', feasible_2 μ' -> return_of_measure M μ' <= return_of_measure M μ.

  (** (4): max ⟨ω, λ⟩ subject to Eᵀμ = (1−γ)ν₀ + γΨᵀλ, λ = Φᵀμ, μ ≥ 0 *)
  Definition feasible_4 (l : vec K) (μ : nat -> nat -> K) : Prop :=
    (forall x, (x < nS M)%nat -> ET M μ x = (1 - γ M) * ν0 M x + γ M * PsiT M l x) /\ veq d l (PhiT M μ) /\ nonnegative μ.
  Definition optimal_4 (l : vec K) (μ : nat -> nat -> K) : Prop :=
    feasible_4 l μ /\ forall l' μ', feasible_4 l' μ' -> dot d (ω M) l' <= dot d (ω M) l.

  (** (5): min (1−γ)⟨ν₀, v⟩ subject to θ = ω + γΨv, Ev ≥ Φθ *)
  Definition feasible_5 (v : nat -> K) (θ : vec K) : Prop :=
    veq d θ (theta_of M v) /\ forall x a, (x < nS M)%nat -> (a < nA M)%nat -> dot d (φ M x a) θ <= v x.
  Definition optimal_5 (v : nat -> K) (θ : vec K) : Prop :=
    feasible_5 v θ /\ forall v' θ', feasible_5 v' θ' -> return_of_value M v <= return_of_value M v'.

  (** The Lagrangian (6) at (v,θ,λ,μ) is greatest over all λ and all μ ≥ 0, and smallest over all v and θ. *)
  Definition saddle_point (v : nat -> K) (θ l : vec K) (μ : nat -> nat -> K) : Prop :=
    nonnegative μ /\
    (forall l' μ', nonnegative μ' -> lagrangian_value M v θ l' μ' <= lagrangian_value M v θ l μ) /\
    (forall v' θ', lagrangian_value M v θ l μ <= lagrangian_value M v' θ' l μ).

  (** π*(a|x) = μ(x,a)/Σ_a μ(x,a), and any distribution, here the first action, where μ does not go. *)
  Definition extracted (μ : nat -> nat -> K) (x a : nat) : K :=
    if eq_dec (ET M μ x) 0 then (if Nat.eqb a 0 then 1 else 0) else μ x a / ET M μ x.
End Definitions.

Section Programs.
  Context {K : ofield} (M : linear_mdp K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis actions : (0 < nA M)%nat.

  (** ** (2): the feasible points are the occupancy measures *)
  Lemma ET_nonneg μ x : nonnegative M μ -> (x < nS M)%nat -> 0 <= ET M μ x.
  Proof. intros P Hx. apply sum_nonneg. intros a Ha. now apply P. Qed.

  Lemma extracted_policy μ : nonnegative M μ -> is_policy M (extracted M μ).
  Proof.
    intros P. split; unfold extracted.
    - intros x a Hx Ha. destruct (eq_dec (ET M μ x) 0) as [E|N].
      + destruct (Nat.eqb a 0); [apply one_nonneg | apply le_refl].
      + apply div_nonneg; [now apply P|]. split; [now apply ET_nonneg | congruence].
    - intros x Hx. destruct (eq_dec (ET M μ x) 0) as [E|N].
      + rewrite (sum_ext _ _ (fun a => (if Nat.eqb a 0 then 1 else 0) * 1)) by (intros; ring). now rewrite (sum_delta (nA M) 0 (fun _ => 1)).
      + rewrite (sum_ext _ _ (fun a => μ x a * (1 / ET M μ x))) by (intros; field; exact N). rewrite sum_mul_r. change (ET M μ x * (1 / ET M μ x) = 1). now field.
  Qed.

  Lemma extracted_compose μ : nonnegative M μ -> same_measure M (compose (extracted M μ) (ET M μ)) μ.
  Proof.
    intros P x a Hx Ha. unfold compose, extracted. destruct (eq_dec (ET M μ x) 0) as [E|N]; [|now field].
    rewrite E. replace (μ x a) with (0 : K); [ring|]. symmetry.
    apply (sum_zero_terms (nA M) (μ x)); [intros; now apply P | now apply le_eq | exact Ha].
  Qed.

  Lemma flow_same μ μ' x : same_measure M μ μ' -> flow M μ x = flow M μ' x.
  Proof. intros H. unfold flow. f_equal. f_equal. apply sumXA_ext. intros y a Hy Ha. now rewrite H. Qed.

  Lemma extracted_occupancy μ : feasible_2 M μ -> is_occupancy M (extracted M μ) (ET M μ).
  Proof. intros [F P] x Hx. rewrite (F x Hx). apply flow_same. intros y a Hy Ha. symmetry. now apply extracted_compose. Qed.

  Lemma occupancy_feasible π ν : is_policy M π -> is_occupancy M π ν -> feasible_2 M (compose π ν).
  Proof.
    intros Hπ Hν. split.
    - intros x Hx. rewrite ET_compose by assumption. now apply Hν.
    - intros x a Hx Ha. apply mul_nonneg; [now apply Hπ | now apply (occupancy_nonneg M π)].
  Qed.

  Lemma feasible_2_same μ μ' : same_measure M μ μ' -> feasible_2 M μ -> feasible_2 M μ'.
  Proof.
    intros H [F P]. split.
    - intros x Hx. rewrite <- (flow_same μ μ' x H), <- (F x Hx). unfold ET. apply sum_ext. intros a Ha. symmetry. now apply H.
    - intros x a Hx Ha. rewrite <- (H x a Hx Ha). now apply P.
  Qed.

  Theorem feasible_2_occupancies μ : feasible_2 M μ <-> exists π ν, is_policy M π /\ is_occupancy M π ν /\ same_measure M (compose π ν) μ.
  Proof.
    split.
    - intros H. exists (extracted M μ), (ET M μ). split; [apply extracted_policy, H|]. split; [now apply extracted_occupancy | apply extracted_compose, H].
    - intros (π & ν & Hπ & Hν & H). apply (feasible_2_same (compose π ν)); [exact H | now apply occupancy_feasible].
  Qed.

  (** ** (2) and (4) are the same program *)
  Lemma PsiT_flow l μ x : veq d l (PhiT M μ) -> (1 - γ M) * ν0 M x + γ M * PsiT M l x = flow M μ x.
  Proof. intros H. unfold flow. rewrite (PsiT_ext M l (PhiT M μ) x H), PsiT_PhiT. reflexivity. Qed.

  Theorem feasible_4_2 l μ : feasible_4 M l μ <-> feasible_2 M μ /\ veq d l (PhiT M μ).
  Proof.
    split.
    - intros (F & E & P). split; [split; [|exact P] | exact E]. intros x Hx. rewrite (F x Hx). now apply PsiT_flow.
    - intros [[F P] E]. split; [|split; assumption]. intros x Hx. rewrite (F x Hx). symmetry. now apply PsiT_flow.
  Qed.

  Lemma objective_4 l μ : veq d l (PhiT M μ) -> dot d (ω M) l = return_of_measure M μ.
  Proof.
    intros H. rewrite (dot_ext d (ω M) (ω M) l (PhiT M μ) (fun _ _ => eq_refl) H), dot_PhiT.
    apply sumXA_ext. intros. unfold reward. ring.
  Qed.

  (** ** Weak duality, with the slack *)
  Lemma lagrangian_dual v θ l μ : veq d θ (theta_of M v) -> 
    lagrangian_value M v θ l μ = return_of_value M v + sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)).
  Proof.
    intros E. unfold lagrangian_value. replace (dot d l (bellman_gap M v θ)) with (0 : K); [unfold return_of_value; ring|].
    symmetry. apply sum_zero. intros i Hi. unfold bellman_gap. rewrite (E i Hi). unfold theta_of. ring.
  Qed.

  Lemma lagrangian_primal v θ l μ : feasible_4 M l μ -> lagrangian_value M v θ l μ = dot d (ω M) l.
  Proof.
    intros (F & E & _). rewrite eq_6. unfold lagrangian_measure. rewrite (dot_comm d l).
    replace (sumX M _) with (0 : K) by (symmetry; apply sum_zero; intros x Hx; rewrite (F x Hx); ring).
    replace (dot d θ _) with (0 : K); [ring|]. symmetry. apply sum_zero. intros i Hi. unfold vsub. rewrite (E i Hi). ring.
  Qed.

  Lemma slack_nonpositive v θ μ : feasible_5 M v θ -> nonnegative M μ ->
    sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x)) <= 0.
  Proof.
    intros [_ F] P. apply le_trans with (sumXA M (fun _ _ => 0)).
    - apply sumXA_le. intros x a Hx Ha. apply le_by_sub with (μ x a * (v x - dot d (φ M x a) θ)); [ring|].
      apply mul_nonneg; [now apply P | apply sub_nonneg; now apply F].
    - apply le_eq. unfold sumXA. apply sum_zero. intros. now apply sum_zero.
  Qed.

  Theorem weak_duality l μ v θ : feasible_4 M l μ -> feasible_5 M v θ -> dot d (ω M) l <= return_of_value M v.
  Proof.
    intros P D. rewrite <- (lagrangian_primal v θ l μ P), lagrangian_dual by apply D.
    apply le_trans with (return_of_value M v + 0); [|apply le_eq; ring]. apply add_le. apply slack_nonpositive; [exact D | apply P].
  Qed.

  (** ** Strong duality: a best policy gives optimal points of both, with equal objectives *)
  Theorem strong_duality : exists π v ν, is_policy M π /\ is_value M π v /\ is_occupancy M π ν /\
    feasible_4 M (PhiT M (compose π ν)) (compose π ν) /\ feasible_5 M v (theta_of M v) /\
    dot d (ω M) (PhiT M (compose π ν)) = return_of_value M v.
  Proof.
    destruct (unimprovable M mdp discounted actions) as (π & v & Hπ & Hv & H).
    destruct (occupancy_exists M π mdp discounted Hπ) as [ν Hν]. exists π, v, ν. repeat split; try assumption; try apply Hπ.
    - intros x Hx. rewrite ET_compose, (PsiT_flow _ (compose π ν)) by (assumption || (intros i _; reflexivity)). now apply Hν.
    - apply (occupancy_feasible π ν Hπ Hν).
    - intros x a Hx Ha. rewrite dot_phi_theta_of. now apply H.
    - rewrite (objective_4 _ (compose π ν)) by (intros i _; reflexivity). symmetry. now apply (return_forms M π).
  Qed.

  (** Feasible points with equal objectives are optimal, and optimal ones have equal objectives. *)
  Theorem optimal_pairs l μ v θ : feasible_4 M l μ -> feasible_5 M v θ ->
    (optimal_4 M l μ /\ optimal_5 M v θ <-> dot d (ω M) l = return_of_value M v).
  Proof.
    intros P D. split.
    - intros [[_ A] [_ B]]. destruct strong_duality as (π & w & ν & _ & _ & _ & P' & D' & E). apply le_antisym; [now apply (weak_duality l μ v θ)|].
      apply le_trans with (return_of_value M w); [now apply (B w (theta_of M w))|]. rewrite <- E. now apply (A _ (compose π ν)).
    - intros E. split; (split; [assumption|]).
      + intros l' μ' P'. rewrite E. now apply (weak_duality l' μ' v θ).
      + intros v' θ' D'. rewrite <- E. now apply (weak_duality l μ v' θ').
  Qed.

  (** ** (2) finds the best policy *)
  Theorem optimal_2_4 μ : optimal_2 M μ <-> optimal_4 M (PhiT M μ) μ.
  Proof.
    assert (R : forall i, (i < d)%nat -> PhiT M μ i = PhiT M μ i) by reflexivity. split; intros [F O]; split.
    - apply feasible_4_2. split; [exact F | exact R].
    - intros l' μ' F'. apply feasible_4_2 in F' as [F' E']. rewrite (objective_4 l' μ' E'), (objective_4 _ μ R). now apply O.
    - now apply feasible_4_2 in F.
    - intros μ' F'. rewrite <- (objective_4 _ μ R), <- (objective_4 (PhiT M μ') μ') by (intros i _; reflexivity).
      apply (O _ μ'). apply feasible_4_2. split; [exact F' | intros i _; reflexivity].
  Qed.

  Lemma return_same μ μ' : same_measure M μ μ' -> return_of_measure M μ = return_of_measure M μ'.
  Proof. intros H. apply sumXA_ext. intros x a Hx Ha. now rewrite H. Qed.

  (** The policy extracted from an optimal μ* has occupancy measure μ*, and no policy returns more. *)
  Theorem extracted_best μ : optimal_2 M μ ->
    is_policy M (extracted M μ) /\ is_occupancy M (extracted M μ) (ET M μ) /\ same_measure M (compose (extracted M μ) (ET M μ)) μ /\
    forall π ν, is_policy M π -> is_occupancy M π ν -> return_of_measure M (compose π ν) <= return_of_measure M μ.
  Proof.
    intros [F O]. split; [apply extracted_policy, F|]. split; [now apply extracted_occupancy|]. split; [apply extracted_compose, F|].
    intros π ν Hπ Hν. now apply O, occupancy_feasible.
  Qed.

  (** ** Saddle points of the Lagrangian are the pairs of optimal solutions *)
  Theorem optimal_saddle l μ v θ : optimal_4 M l μ -> optimal_5 M v θ -> saddle_point M v θ l μ.
  Proof.
    intros A B. destruct A as [P OP]. destruct B as [D OD].
    assert (E : dot d (ω M) l = return_of_value M v) by (apply (optimal_pairs l μ v θ P D); split; split; assumption).
    split; [apply P|]. split.
    - intros l' μ' P'. rewrite (lagrangian_primal v θ l μ P), E, lagrangian_dual by apply D.
      apply le_trans with (return_of_value M v + 0); [|apply le_eq; ring]. apply add_le. now apply slack_nonpositive.
    - intros v' θ'. rewrite !(lagrangian_primal _ _ l μ P). apply le_refl.
  Qed.

  (** An affine function bounded from one side has no slope. *)
  Lemma no_slope (s c : K) : (forall t, t * s <= c) -> s = 0.
  Proof.
    intros H. destruct (eq_dec s 0) as [E|N]; [exact E | exfalso].
    specialize (H ((c + 1) / s)). replace ((c + 1) / s * s) with (c + 1) in H by now field.
    apply (lt_not_le (0 : K) 1 one_pos). apply sub_nonneg in H. apply sub_nonneg. replace (0 - 1) with (c - (c + 1)) by ring. exact H.
  Qed.

  Lemma lagrangian_shift_v v θ l μ s x : (x < nS M)%nat ->
    lagrangian_value M (fun y => v y + (if Nat.eqb y x then s else 0)) θ l μ =
    lagrangian_value M v θ l μ + s * ((1 - γ M) * ν0 M x + γ M * PsiT M l x - ET M μ x).
  Proof.
    intros Hx. rewrite !eq_6. unfold lagrangian_measure, sumX.
    set (g := fun y => (1 - γ M) * ν0 M y + γ M * PsiT M l y - ET M μ y).
    change (dot d l (ω M) + sum (nS M) (fun y => (v y + (if Nat.eqb y x then s else 0)) * g y) + dot d θ (vsub (PhiT M μ) l)
      = dot d l (ω M) + sum (nS M) (fun y => v y * g y) + dot d θ (vsub (PhiT M μ) l) + s * g x).
    rewrite (sum_ext (nS M) (fun y => (v y + (if Nat.eqb y x then s else 0)) * g y) (fun y => v y * g y + s * ((if Nat.eqb y x then 1 else 0) * g y)))
      by (intros y _; destruct (Nat.eqb y x); ring).
    rewrite sum_add, sum_mul_l, (sum_delta (nS M) x g Hx). ring.
  Qed.

  Lemma dot_shift (u w : vec K) s i : (i < d)%nat -> dot d (fun j => u j + (if Nat.eqb j i then s else 0)) w = dot d u w + s * w i.
  Proof.
    intros Hi. unfold dot. rewrite <- (sum_delta d i w Hi), <- sum_mul_l, <- sum_add. apply sum_ext. intros j _. destruct (Nat.eqb j i); ring.
  Qed.

  Theorem saddle_optimal l μ v θ : saddle_point M v θ l μ -> optimal_4 M l μ /\ optimal_5 M v θ.
  Proof.
    intros (P & Up & Lo).
    assert (F4 : feasible_4 M l μ).
    { split; [|split; [|exact P]].
      - intros x Hx. set (s := (1 - γ M) * ν0 M x + γ M * PsiT M l x - ET M μ x).
        assert (Z : s = 0).
        { apply (no_slope s 0). intros t. specialize (Lo (fun y => v y + (if Nat.eqb y x then - t else 0)) θ).
          rewrite lagrangian_shift_v in Lo by exact Hx. fold s in Lo. apply sub_nonneg in Lo. eapply le_by_sub; [|exact Lo]. ring. }
        unfold s in Z. replace (ET M μ x) with (ET M μ x + ((1 - γ M) * ν0 M x + γ M * PsiT M l x - ET M μ x)) by (rewrite Z; ring). ring.
      - intros i Hi. set (s := PhiT M μ i - l i). assert (Z : s = 0).
        { apply (no_slope s 0). intros t. specialize (Lo v (fun j => θ j + (if Nat.eqb j i then - t else 0))). rewrite !eq_6 in Lo. unfold lagrangian_measure in Lo.
          rewrite dot_shift in Lo by exact Hi. change (vsub (PhiT M μ) l i) with s in Lo. apply sub_nonneg in Lo. eapply le_by_sub; [|exact Lo]. ring. }
        unfold s in Z. replace (l i) with (l i + (PhiT M μ i - l i)) by (rewrite Z; ring). ring. }
    assert (E5 : veq d θ (theta_of M v)).
    { intros i Hi. set (s := bellman_gap M v θ i). assert (Z : s = 0).
      { apply (no_slope s 0). intros t. specialize (Up (fun j => l j + (if Nat.eqb j i then t else 0)) μ P). unfold lagrangian_value in Up.
        rewrite dot_shift in Up by exact Hi. fold s in Up. apply sub_nonneg in Up. eapply le_by_sub; [|exact Up]. ring. }
      unfold s, bellman_gap in Z. unfold theta_of. replace (θ i) with (θ i + (ω M i + γ M * Psi M v i - θ i)) by (rewrite Z; ring). ring. }
    (* the slack is not positive at any (x,a), and 0 in all *)
    set (slack := fun μ => sumXA M (fun x a => μ x a * (dot d (φ M x a) θ - v x))).
    assert (Sl : forall μ', nonnegative M μ' -> slack μ' <= slack μ).
    { intros μ' P'. specialize (Up l μ' P'). rewrite !lagrangian_dual in Up by exact E5. fold (slack μ) (slack μ') in Up.
      apply sub_nonneg in Up. eapply le_by_sub; [|exact Up]. ring. }
    assert (S0 : 0 <= slack μ).
    { replace (0 : K) with (slack (fun _ _ => 0)); [apply Sl; intros x a _ _; apply le_refl|].
      unfold slack, sumXA. apply sum_zero. intros. apply sum_zero. intros. ring. }
    assert (Z : slack μ = 0).
    { (* twice μ would do better *)
      apply le_antisym; [|exact S0]. assert (X : slack (fun x a => μ x a + μ x a) <= slack μ) by (apply Sl; intros x a Hx Ha; apply add_nonneg; now apply P).
      replace (slack (fun x a => μ x a + μ x a)) with (slack μ + slack μ) in X.
      - apply sub_nonneg in X. eapply le_by_sub; [|exact X]. ring.
      - unfold slack. rewrite <- sumXA_add. apply sumXA_ext. intros. ring. }
    assert (F5 : feasible_5 M v θ).
    { split; [exact E5|]. intros x a Hx Ha.
      set (δ := fun y b => if Nat.eqb y x then (if Nat.eqb b a then 1 else 0) else 0 : K).
      assert (D : slack δ <= 0).
      { rewrite <- Z. apply Sl. intros y b _ _. unfold δ. destruct (Nat.eqb y x), (Nat.eqb b a); (apply one_nonneg || apply le_refl). }
      replace (slack δ) with (dot d (φ M x a) θ - v x) in D.
      - apply sub_nonneg in D. apply sub_nonneg. eapply le_trans; [exact D|]. apply le_eq. ring.
      - unfold slack, sumXA. rewrite (sum_ext (nS M) _ (fun y => (if Nat.eqb y x then 1 else 0) * (dot d (φ M y a) θ - v y))).
        + symmetry. now apply (sum_delta (nS M) x (fun y => dot d (φ M y a) θ - v y)).
        + intros y _. unfold δ. destruct (Nat.eqb y x).
          * rewrite (sum_delta (nA M) a (fun b => dot d (φ M y b) θ - v y) Ha). ring.
          * rewrite sum_zero by (intros; ring). ring. }
    apply (optimal_pairs l μ v θ F4 F5). rewrite <- (lagrangian_primal v θ l μ F4), lagrangian_dual by exact E5. fold (slack μ). rewrite Z. ring.
  Qed.
End Programs.
