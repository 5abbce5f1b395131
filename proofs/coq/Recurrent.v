(** * A model that satisfies Assumption 5.1 (proof)

    If every action in every state leads to the state x̂ with probability at least p, then for each policy the value v of the discounted model with
    γ = 1 − p and transitions (P − p·1e_x̂ᵀ)/(1 − p) solves Bellman's average-reward equations, with ρ = p·v(x̂); and 0 ≤ q ≤ 1/p.
    That model is linear in the same features: ψ'(x') = (ψ(x') − p·1{x' = x̂}·ϱ)/(1 − p). *)

From Coq Require Import Ring Field Lia Arith Reals Lra.
From OPD Require Import OrderedField Sums Mdp MdpFacts Existence ThetaBound Average BestPolicy.
Local Open Scope K_scope.

Section Recurrent.
  Context {K : ofield} (M : linear_mdp K) (x1 : nat) (p : K).
  Add Field K_field : (field_laws K).
  Hypothesis mdp : is_mdp M.
  Hypothesis state : (x1 < nS M)%nat.
  Hypothesis often : 0 < p /\ 0 < 1 - p.
  Hypothesis recurrent : forall x a, (x < nS M)%nat -> (a < nA M)%nat -> p <= trans M x a x1.

  Let δ (x : nat) : K := if Nat.eqb x x1 then 1 else 0.

  Definition minorised : linear_mdp K :=
    LinearMDP K (nS M) (nA M) (dim M) (1 - p) δ (φ M)
      (fun x' i => (ψ M x' i - p * (δ x' * sumX M (fun y => ψ M y i))) / (1 - p)) (ω M).

  Lemma nonzero : 1 - p <> 0.
  Proof. apply lt_neq, often. Qed.

  Lemma δ_sum (f : nat -> K) : sum (nS M) (fun x => δ x * f x) = f x1.
  Proof. now apply (sum_delta (nS M) x1 f). Qed.

  (** (1−p) P'(x'|x,a) = P(x'|x,a) − p·1{x' = x̂} *)
  Lemma minorised_trans x a x' : (x < nS M)%nat -> (a < nA M)%nat -> (1 - p) * trans minorised x a x' = trans M x a x' - p * δ x'.
  Proof.
    intros Hx Ha. pose proof nonzero as N. unfold trans. cbn [dim φ ψ minorised].
    rewrite (dot_ext (dim M) _ (φ M x a) _ (scale (1 / (1 - p)) (vsub (ψ M x') (scale (p * δ x') (fun i => sumX M (fun y => ψ M y i)))))).
    - rewrite dot_scale_r, dot_vsub_r, dot_scale_r.
      replace (dot (dim M) (φ M x a) (fun i => sumX M (fun y => ψ M y i))) with (1 : K); [field; exact N|].
      destruct mdp as (_ & H & _). rewrite <- (H x a Hx Ha). symmetry. apply dot_sum_r.
    - intros i _; reflexivity.
    - intros i _. unfold scale, vsub. field. exact N.
  Qed.

  Lemma minorised_mdp : is_mdp minorised.
  Proof.
    pose proof nonzero as N. destruct often as [[P0 _] [Q0 Q1]]. destruct mdp as (T & T1 & R). split; [|split].
    - cbn [nS nA minorised]. intros x a x' Hx Ha Hx'. apply le_mul_reg_r with (1 - p); [split; assumption|].
      replace (trans minorised x a x' * (1 - p)) with (trans M x a x' - p * δ x') by (rewrite <- minorised_trans by assumption; ring).
      apply le_trans with 0; [apply le_eq; ring|]. apply sub_nonneg. unfold δ. destruct (Nat.eqb_spec x' x1) as [->|_].
      + replace (p * 1) with p by ring. now apply recurrent.
      + replace (p * 0) with (0 : K) by ring. now apply T.
    - cbn [nS nA minorised]. intros x a Hx Ha. unfold sumX. cbn [nS minorised].
      transitivity (sum (nS M) (fun x' => (trans M x a x' - p * δ x') * (1 / (1 - p)))).
      + apply sum_ext. intros x' _. rewrite <- minorised_trans by assumption. field. exact N.
      + rewrite sum_mul_r, sum_sub, sum_mul_l. fold (sumX M (trans M x a)). rewrite (T1 x a Hx Ha).
        rewrite (sum_ext (nS M) δ (fun x => δ x * 1)) by (intros; ring). rewrite (δ_sum (fun _ => 1)). field. exact N.
    - exact R.
  Qed.

  Lemma minorised_discounted : is_discounted minorised.
  Proof.
    destruct often as [[P0 P1] [Q0 Q1]]. split; [exact Q0|]. split; [|split].
    - cbn [γ minorised]. split; [apply le_by_sub with p; [ring | exact P0]|]. intros E. apply P1. replace p with (1 - (1 - p)) by ring. rewrite E. ring.
    - intros x _. cbn [ν0 minorised]. unfold δ. destruct (Nat.eqb x x1); [apply one_nonneg | apply le_refl].
    - unfold sumX. cbn [nS ν0 minorised]. rewrite (sum_ext (nS M) δ (fun x => δ x * 1)) by (intros; ring). exact (δ_sum (fun _ => 1)).
  Qed.

  (** q of the minorised model is the average-reward q with ρ = p·v(x̂). *)
  Lemma minorised_q (v : nat -> K) x a : (x < nS M)%nat -> (a < nA M)%nat -> q_of minorised v x a = bias_q M (p * v x1) v x a.
  Proof.
    intros Hx Ha. unfold q_of, bias_q. change (reward minorised x a) with (reward M x a).
    replace (γ minorised * sumX minorised (fun x' => trans minorised x a x' * v x'))
      with (sumX M (fun x' => trans M x a x' * v x') - p * v x1); [ring|].
    rewrite <- (δ_sum v). unfold sumX. cbn [nS γ minorised]. rewrite <- !sum_mul_l, <- sum_sub. apply sum_ext. intros x' _.
    replace ((1 - p) * (trans minorised x a x' * v x')) with ((1 - p) * trans minorised x a x' * v x') by ring. rewrite (minorised_trans x a x' Hx Ha). ring.
  Qed.

  Variables (π : nat -> nat -> K) (v : nat -> K).
  Hypothesis policy : is_policy M π.
  Hypothesis value : is_value minorised π v.

  Lemma minorised_bias : is_bias M π (p * v x1) v.
  Proof.
    intros x Hx. rewrite (value x Hx). apply sum_ext. intros a Ha. now rewrite minorised_q.
  Qed.

  Lemma minorised_value x : (x < nS M)%nat -> 0 <= v x <= 1 / p.
  Proof.
    pose proof minorised_mdp as Hm. pose proof minorised_discounted as Hd. intros Hx. split.
    - apply (superharmonic minorised Hm Hd π policy v); [|exact Hx]. clear x Hx. intros x Hx. rewrite (value_at minorised π v value x Hx).
      eapply le_by_sub; [|apply (mean_reward minorised π Hm policy x Hx)]. ring.
    - pose proof (value_bound minorised π v Hm Hd policy value x Hx) as B. cbn [γ minorised] in B.
      replace (1 - (1 - p)) with p in B by ring. eapply le_trans; [apply abs_bounds | exact B].
  Qed.

  (** 0 <= q <= 1 + (1−p)/p = 1/p *)
  Lemma minorised_q_bound x a : (x < nS M)%nat -> (a < nA M)%nat -> 0 <= bias_q M (p * v x1) v x a <= 1 / p.
  Proof.
    intros Hx Ha. rewrite <- minorised_q by assumption. destruct minorised_mdp as (T & T1 & R). pose proof (lt_neq _ (proj1 often)) as N.
    destruct often as [[P0 _] [Q0 _]]. destruct (R x a Hx Ha) as [R0 R1].
    assert (S : 0 <= sumX minorised (fun x' => trans minorised x a x' * v x') <= 1 / p).
    { split.
      - apply sum_nonneg. intros x' Hx'. apply mul_nonneg; [now apply T | now apply minorised_value].
      - apply le_trans with (sumX minorised (fun x' => trans minorised x a x' * (1 / p))).
        + apply sum_le. intros x' Hx'. apply mul_le_l; [now apply T | now apply minorised_value].
        + unfold sumX. rewrite sum_mul_r. fold (sumX minorised (trans minorised x a)). rewrite (T1 x a Hx Ha). apply le_eq. ring. }
    destruct S as [S0 S1]. unfold q_of. cbn [γ minorised]. split; [apply add_nonneg; [exact R0 | now apply mul_nonneg]|].
    apply le_trans with (1 + (1 - p) * (1 / p)); [|apply le_eq; field; exact N]. apply add_le_compat; [exact R1 | now apply mul_le_l].
  Qed.
End Recurrent.
