(** * Finite sums, vectors and matrices

    A point of R^d is a function [nat -> K] of which only the components [i < d] count; the dimension is an
    argument of the operation, never of the type.  A matrix is a function of two indices.  [veq d u v] says
    that two points agree where it counts. *)

From Coq Require Import Ring Field Lia Arith Setoid Morphisms.
From OPD Require Import OrderedField.
Local Open Scope K_scope.

(** Σ_{i<n} f(i) *)
Fixpoint sum {K : ofield} (n : nat) (f : nat -> K) : K :=
  match n with O => 0 | S n => sum n f + f n end.

Definition vec (K : ofield) := nat -> K.
Definition mat (K : ofield) := nat -> nat -> K.

Section Definitions.
  Context {K : ofield}.

  (** ⟨u, v⟩, and ‖u‖² = ⟨u, u⟩. *)
  Definition dot (d : nat) (u v : vec K) : K := sum d (fun i => u i * v i).
  Definition norm2 (d : nat) (u : vec K) : K := dot d u u.

  Definition vadd (u v : vec K) : vec K := fun i => u i + v i.
  Definition vsub (u v : vec K) : vec K := fun i => u i - v i.
  Definition scale (s : K) (u : vec K) : vec K := fun i => s * u i.
  Definition vzero : vec K := fun _ => 0.

  (** M u, Mᵀ, M N, the identity, Tr M, and the quadratic form uᵀ M v. *)
  Definition mulv (d : nat) (M : mat K) (u : vec K) : vec K := fun i => sum d (fun j => M i j * u j).
  Definition transpose (M : mat K) : mat K := fun i j => M j i.
  Definition mmul (d : nat) (M N : mat K) : mat K := fun i j => sum d (fun k => M i k * N k j).
  Definition identity : mat K := fun i j => if Nat.eqb i j then 1 else 0.
  Definition trace (d : nat) (M : mat K) : K := sum d (fun i => M i i).
  Definition quad (d : nat) (u : vec K) (M : mat K) (v : vec K) : K := dot d u (mulv d M v).

  Definition veq (d : nat) (u v : vec K) : Prop := forall i, (i < d)%nat -> u i = v i.
  Definition meq (d : nat) (M N : mat K) : Prop := forall i j, (i < d)%nat -> (j < d)%nat -> M i j = N i j.
  Definition symmetric (d : nat) (M : mat K) : Prop := meq d (transpose M) M.
  (** M N = 1, one side at a time. *)
  Definition right_inverse (d : nat) (M N : mat K) : Prop := meq d (mmul d M N) identity.
End Definitions.

Notation "⟨ u , v ⟩_ d" := (dot d u v) (at level 0, d at level 0, format "⟨ u ,  v ⟩_ d") : K_scope.

(** Sums respect pointwise equality, so [setoid_rewrite] works below them. *)
#[export] Instance sum_Proper {K : ofield} n : Proper (pointwise_relation nat eq ==> eq) (@sum K n).
Proof. intros f g H. induction n; simpl; [reflexivity | now rewrite IHn, H]. Qed.

Section Sums.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).
  Implicit Types f g : nat -> K.

  Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
  Proof. induction n; intros H; simpl; [reflexivity | rewrite IHn, H by auto; reflexivity]. Qed.

  Lemma sum_add n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_sub n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_opp n f : sum n (fun i => - f i) = - sum n f.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_mul_l n (c : K) f : sum n (fun i => c * f i) = c * sum n f.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_mul_r n (c : K) f : sum n (fun i => f i * c) = sum n f * c.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
  Proof. induction n; intros H; simpl; [reflexivity | rewrite IHn, H by auto; ring]. Qed.

  Lemma sum_const n (c : K) : sum n (fun _ => c) = of_nat n * c.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma sum_swap n m (f : nat -> nat -> K) :
    sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
  Proof.
    induction n; simpl; [symmetry; now apply sum_zero | rewrite IHn, sum_add; reflexivity].
  Qed.

  Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
  Proof. induction n; intros H; simpl; [apply le_refl | apply add_le_compat; auto]. Qed.

  Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
  Proof. induction n; intros H; simpl; [apply le_refl | apply add_nonneg; auto]. Qed.

  (** A sum of non-negative terms bounds each of them, and vanishes only if all do. *)
  Lemma sum_term_le n f i : (forall j, (j < n)%nat -> 0 <= f j) -> (i < n)%nat -> f i <= sum n f.
  Proof.
    induction n; intros H Hi; [lia | simpl]. assert (0 <= sum n f) by (apply sum_nonneg; auto).
    destruct (Nat.eq_dec i n) as [->|N].
    - apply le_by_sub with (sum n f); [ring | assumption].
    - apply le_trans with (sum n f); [apply IHn; auto; lia | apply le_by_sub with (f n); [ring | auto]].
  Qed.

  Lemma sum_zero_terms n f i :
    (forall j, (j < n)%nat -> 0 <= f j) -> sum n f <= 0 -> (i < n)%nat -> f i = 0.
  Proof.
    intros H S Hi. apply le_antisym; [apply le_trans with (sum n f); [now apply sum_term_le | exact S] | auto].
  Qed.

  Lemma sum_delta n j f : (j < n)%nat -> sum n (fun i => (if Nat.eqb i j then 1 else 0) * f i) = f j.
  Proof.
    induction n; intros H; [lia | simpl]. destruct (Nat.eqb_spec n j) as [->|N].
    - rewrite (sum_ext _ _ (fun _ => 0)).
      + rewrite sum_const; ring.
      + intros i Hi. destruct (Nat.eqb_spec i j); [lia | ring].
    - rewrite IHn by lia. ring.
  Qed.

  Lemma sum_delta' n j f : (j < n)%nat -> sum n (fun i => (if Nat.eqb j i then 1 else 0) * f i) = f j.
  Proof.
    intros H. rewrite <- (sum_delta n j f H). apply sum_ext. intros i _. now rewrite Nat.eqb_sym.
  Qed.
End Sums.

Section Vectors.
  Context {K : ofield}.
  Add Field K_field' : (field_laws K).
  Implicit Types u v w : vec K.
  Implicit Types M N : mat K.

  Lemma dot_ext d u u' v v' : veq d u u' -> veq d v v' -> dot d u v = dot d u' v'.
  Proof. intros H H'. apply sum_ext. intros i Hi. now rewrite H, H'. Qed.

  Lemma dot_comm d u v : dot d u v = dot d v u.
  Proof. apply sum_ext. intros. ring. Qed.

  Lemma dot_vadd_l d u v w : dot d (vadd u v) w = dot d u w + dot d v w.
  Proof. unfold dot, vadd. rewrite <- sum_add. apply sum_ext. intros. ring. Qed.

  Lemma dot_vadd_r d u v w : dot d u (vadd v w) = dot d u v + dot d u w.
  Proof. unfold dot, vadd. rewrite <- sum_add. apply sum_ext. intros. ring. Qed.

  Lemma dot_vsub_l d u v w : dot d (vsub u v) w = dot d u w - dot d v w.
  Proof. unfold dot, vsub. rewrite <- sum_sub. apply sum_ext. intros. ring. Qed.

  Lemma dot_vsub_r d u v w : dot d u (vsub v w) = dot d u v - dot d u w.
  Proof. unfold dot, vsub. rewrite <- sum_sub. apply sum_ext. intros. ring. Qed.

  Lemma dot_scale_l d (c : K) u v : dot d (scale c u) v = c * dot d u v.
  Proof. unfold dot, scale. rewrite <- sum_mul_l. apply sum_ext. intros. ring. Qed.

  Lemma dot_scale_r d (c : K) u v : dot d u (scale c v) = c * dot d u v.
  Proof. unfold dot, scale. rewrite <- sum_mul_l. apply sum_ext. intros. ring. Qed.

  (** ⟨u, Σ_i w(i)⟩ = Σ_i ⟨u, w(i)⟩ *)
  Lemma dot_sum_r d n u (w : nat -> vec K) :
    dot d u (fun j => sum n (fun i => w i j)) = sum n (fun i => dot d u (w i)).
  Proof. unfold dot. setoid_rewrite <- sum_mul_l. apply sum_swap. Qed.

  Lemma norm2_ext d u v : veq d u v -> norm2 d u = norm2 d v.
  Proof. intros H. now apply dot_ext. Qed.

  Lemma norm2_nonneg d u : 0 <= norm2 d u.
  Proof. apply sum_nonneg. intros. apply sq_nonneg. Qed.

  Lemma norm2_zero d u : norm2 d u <= 0 -> veq d u vzero.
  Proof.
    intros H i Hi. unfold vzero. apply sq_zero. apply le_trans with (norm2 d u); [|exact H].
    apply (sum_term_le d (fun i => u i * u i)); [intros; apply sq_nonneg | exact Hi].
  Qed.

  (** ⟨u, M v⟩ = ⟨Mᵀ u, v⟩ *)
  Lemma dot_mulv d M u v : dot d u (mulv d M v) = dot d (mulv d (transpose M) u) v.
  Proof.
    unfold dot, mulv, transpose. setoid_rewrite <- sum_mul_l. rewrite sum_swap. apply sum_ext. intros i _.
    rewrite <- sum_mul_r. apply sum_ext. intros. ring.
  Qed.

  Lemma mulv_ext d M N u v : meq d M N -> veq d u v -> veq d (mulv d M u) (mulv d N v).
  Proof. intros H H' i Hi. apply sum_ext. intros j Hj. now rewrite H, H'. Qed.

  Lemma mulv_mmul d M N u : veq d (mulv d (mmul d M N) u) (mulv d M (mulv d N u)).
  Proof.
    intros i Hi. unfold mulv, mmul. setoid_rewrite <- sum_mul_l. rewrite sum_swap. apply sum_ext. intros j _.
    rewrite <- sum_mul_r. apply sum_ext. intros. ring.
  Qed.

  Lemma mulv_identity d u : veq d (mulv d identity u) u.
  Proof. intros i Hi. unfold mulv, identity. exact (sum_delta' d i u Hi). Qed.

  Lemma mulv_right_inverse d M N u : right_inverse d M N -> veq d (mulv d M (mulv d N u)) u.
  Proof.
    intros H i Hi. rewrite <- (mulv_mmul d M N u i Hi), <- (mulv_identity d u i Hi) at 1.
    apply mulv_ext; [exact H | intros k Hk; reflexivity | exact Hi].
  Qed.

  (** Cauchy and Schwarz, with squares so that no root is needed: ⟨u, v⟩² <= ‖u‖² ‖v‖². *)
  Lemma cauchy_schwarz d u v : (dot d u v)² <= norm2 d u * norm2 d v.
  Proof.
    destruct (eq_dec (norm2 d v) 0) as [E|N].
    - assert (Z : dot d u v = 0).
      { apply sum_zero. intros i Hi. rewrite (norm2_zero d v (le_eq _ _ E) i Hi). unfold vzero. ring. }
      rewrite Z, E. apply le_eq. ring.
    - set (a := norm2 d v) in *. set (b := dot d u v). set (c := norm2 d u).
      assert (P : 0 < a) by (split; [apply norm2_nonneg | congruence]).
      apply le_mul_reg_r with a; [exact P|].
      apply le_by_sub with (norm2 d (vsub (scale a u) (scale b v))).
      + unfold norm2. rewrite !dot_vsub_l, !dot_vsub_r, !dot_scale_l, !dot_scale_r, (dot_comm d v u).
        fold (norm2 d v) (norm2 d u) a b c. ring.
      + apply norm2_nonneg.
  Qed.

  Lemma norm2_scale d (c : K) u : norm2 d (scale c u) = c² * norm2 d u.
  Proof. unfold norm2. rewrite dot_scale_l, dot_scale_r. ring. Qed.

  Lemma norm2_add2 d u v : norm2 d (vadd u v) <= (1 + 1) * (norm2 d u + norm2 d v).
  Proof.
    unfold norm2, dot, vadd. rewrite <- sum_add, <- sum_mul_l. apply sum_le. intros. apply sq_add2.
  Qed.

  Lemma norm2_add3 d u v w :
    norm2 d (vadd (vadd u v) w) <= (1 + 1 + 1) * (norm2 d u + norm2 d v + norm2 d w).
  Proof.
    unfold norm2, dot, vadd. rewrite <- !sum_add, <- sum_mul_l. apply sum_le. intros. apply sq_add3.
  Qed.
End Vectors.
