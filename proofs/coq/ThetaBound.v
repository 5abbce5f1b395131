(** * Section 2: ‖θ^π‖ <= D_ω + D_ψ/(1−γ), with D_ψ bounding ‖Σ_x |ψ(x)|‖ (erratum 3, repaired) *)

From Coq Require Import Ring Field Lia Arith.
From OPD Require Import OrderedField Sums Expect Mdp MdpFacts Solve Existence AppendixB AppendixC.
Local Open Scope K_scope.

Section Bound.
  Context {K : ofield} (M : linear_mdp K) (π : nat -> nat -> K) (v : nat -> K).
  Add Field K_field : (field_laws K).
  Notation d := (dim M).
  Hypothesis mdp : is_mdp M.
  Hypothesis discounted : is_discounted M.
  Hypothesis policy : is_policy M π.
  Hypothesis value : is_value M π v.

  Lemma one_minus_gamma : 0 < 1 - γ M.
  Proof.
    destruct discounted as (_ & [H N] & _). split; [now apply sub_nonneg|].
    intros Z. apply N. replace (γ M) with (1 - (1 - γ M)) by ring. rewrite <- Z. ring.
  Qed.

  (** Σ_a π(a|x) r(x,a) ∈ [0,1] *)
  Lemma mean_reward x : (x < nS M)%nat -> 0 <= sum (nA M) (fun a => π x a * reward M x a) <= 1.
  Proof.
    intros Hx. destruct policy as [P P1]. destruct mdp as (_ & _ & R). split.
    - apply sum_nonneg. intros a Ha. apply mul_nonneg; [now apply P | now apply R].
    - apply AppendixB.mean_le; [intros; now apply P | now apply P1 | intros; now apply R].
  Qed.

  Lemma value_at x : (x < nS M)%nat ->
    v x = sum (nA M) (fun a => π x a * reward M x a) + γ M * mulv (nS M) (kernel M π) v x.
  Proof. intros Hx. rewrite (value x Hx) at 1. apply value_matrix. Qed.

  (** |v^π| <= 1/(1−γ): look at the largest |v(x)|. *)
  Lemma value_bound x : (x < nS M)%nat -> abs (v x) <= 1 / (1 - γ M).
  Proof.
    intros Hx. destruct (argmax (nS M) (fun x => abs (v x))) as [k [Hk Max]]; [lia|].
    apply le_trans with (abs (v k)); [now apply Max|].
    apply le_mul_reg_r with (1 - γ M); [apply one_minus_gamma|].
    replace (1 / (1 - γ M) * (1 - γ M)) with (1 : K) by (field; apply lt_neq, one_minus_gamma).
    apply le_by_sub with (1 + γ M * abs (v k) - abs (v k)); [ring|]. apply sub_nonneg.
    rewrite (value_at k Hk) at 1. destruct (mean_reward k Hk) as [R0 R1].
    assert (A : abs (mulv (nS M) (kernel M π) v k) <= abs (v k)).
    { eapply le_trans; [apply abs_sum|]. apply le_trans with (sum (nS M) (fun j => kernel M π k j * abs (v k))).
      - apply sum_le. intros j Hj. eapply le_trans; [apply abs_mul_nonneg, kernel_nonneg; assumption|].
        apply mul_le_l; [now apply kernel_nonneg | now apply Max].
      - rewrite sum_mul_r. change (sum (nS M) (kernel M π k) * abs (v k) <= abs (v k)).
        rewrite (kernel_row M π mdp policy k Hk). apply le_eq. ring. }
    destruct (abs_bounds (mulv (nS M) (kernel M π) v k)) as [B0 B1].
    destruct discounted as [G _]. apply abs_le.
    - apply le_trans with (0 + γ M * - abs (v k)); [apply le_by_sub with 1; [ring | apply one_nonneg]|].
      apply add_le_compat; [exact R0|]. apply mul_le_l; [exact G|].
      apply le_trans with (- abs (mulv (nS M) (kernel M π) v k)); [now apply opp_le | exact B0].
    - apply add_le_compat; [exact R1|]. apply mul_le_l; [exact G|].
      now apply le_trans with (abs (mulv (nS M) (kernel M π) v k)).
  Qed.

  (** Component by component, |γΨv| <= Σ_x |ψ(x)| / (1−γ). *)
  Lemma Psi_bound i : (γ M * Psi M v i)² <= (1 / (1 - γ M))² * (sumX M (fun x => abs (ψ M x i)))².
  Proof.
    set (B := 1 / (1 - γ M)). set (s := sumX M (fun x => abs (ψ M x i))).
    assert (HB : 0 <= B) by (apply div_nonneg; [apply one_nonneg | apply one_minus_gamma]).
    assert (Hs : 0 <= s) by (apply sum_nonneg; intros; apply abs_nonneg).
    assert (A : abs (Psi M v i) <= B * s).
    { eapply le_trans; [apply abs_sum|]. unfold s, sumX. rewrite <- sum_mul_l. apply sum_le. intros x Hx.
      pose proof (value_bound x Hx) as V. fold B in V.
      apply le_trans with (abs (v x) * abs (ψ M x i)).
      - apply abs_mul.
      - apply mul_le_r; [apply abs_nonneg | exact V]. }
    destruct (abs_bounds (Psi M v i)) as [P0 P1]. destruct discounted as (G0 & [G1 _] & _).
    replace (B² * s²) with ((B * s)²) by ring.
    assert (HBs : 0 <= B * s) by now apply mul_nonneg.
    assert (GB : γ M * (B * s) <= B * s) by (apply le_by_sub with ((1 - γ M) * (B * s)); [ring | apply mul_nonneg; [now apply sub_nonneg | exact HBs]]).
    apply sq_le_abs.
    - apply le_trans with (γ M * - (B * s)).
      + replace (γ M * - (B * s)) with (- (γ M * (B * s))) by ring. now apply opp_le.
      + apply mul_le_l; [exact G0|]. apply le_trans with (- abs (Psi M v i)); [now apply opp_le | exact P0].
    - apply le_trans with (γ M * (B * s)); [apply mul_le_l; [exact G0|] | exact GB].
      now apply le_trans with (abs (Psi M v i)).
  Qed.

  (** ‖u + w‖ <= A + B, squared. *)
  Lemma triangle (u w : vec K) A B : 0 <= A -> 0 <= B -> norm2 d u <= A² -> norm2 d w <= B² -> norm2 d (vadd u w) <= (A + B)².
  Proof.
    intros HA HB Hu Hw. assert (C : dot d u w <= A * B).
    { apply (abs_of_sq (dot d u w)); [now apply mul_nonneg|]. eapply le_trans; [apply cauchy_schwarz|].
      replace ((A * B)²) with (A² * B²) by ring.
      apply mul_le_compat; [apply norm2_nonneg | apply norm2_nonneg | exact Hu | exact Hw]. }
    unfold norm2 in *. rewrite dot_vadd_l, !dot_vadd_r, (dot_comm d w u).
    apply le_by_sub with ((A² - dot d u u) + (A * B - dot d u w) + (A * B - dot d u w) + (B² - dot d w w)); [ring|].
    repeat apply add_nonneg; now apply sub_nonneg.
  Qed.

  Theorem theta_bound Dω Dψ : 0 <= Dω -> 0 <= Dψ -> norm2 d (ω M) <= Dω² ->
    norm2 d (fun i => sumX M (fun x => abs (ψ M x i))) <= Dψ² ->
    norm2 d (theta_of M v) <= (Dω + Dψ / (1 - γ M))².
  Proof.
    intros Hω Hψ Bω Bψ. set (B := 1 / (1 - γ M)).
    assert (HB : 0 <= B) by (apply div_nonneg; [apply one_nonneg | apply one_minus_gamma]).
    replace (Dψ / (1 - γ M)) with (B * Dψ) by (unfold B; field; apply lt_neq, one_minus_gamma).
    apply (triangle (ω M) (fun i => γ M * Psi M v i)); [exact Hω | now apply mul_nonneg | exact Bω |].
    apply le_trans with (B² * norm2 d (fun i => sumX M (fun x => abs (ψ M x i)))).
    - unfold norm2, dot. rewrite <- sum_mul_l. apply sum_le. intros i _. apply Psi_bound.
    - replace ((B * Dψ)²) with (B² * Dψ²) by ring. apply mul_le_l; [apply sq_nonneg | exact Bψ].
  Qed.
End Bound.
