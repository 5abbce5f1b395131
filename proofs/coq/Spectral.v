(** * The spectral theorem for positive semidefinite matrices, and their roots

    A = Σ_i λ_i u_i u_iᵀ with λ_i > 0 and u_i orthonormal.  The eigenvector is found without compactness: let λ be the least bound of
    the quotients uᵀAu/‖u‖²; were λ1 − A invertible, its quadratic form would be at least a positive multiple of ‖u‖², and λ not the least. *)

From Coq Require Import Ring Field Lia Arith Reals Lra Classical.
From OPD Require Import OrderedField Sums Solve Discounted AppendixB DoubleLoop.
Local Open Scope K_scope.

Section Definitions.
  Context {K : ofield} (d : nat).

  (** 0 <= uᵀAu *)
  Definition semidefinite (A : mat K) : Prop := forall u, 0 <= quad d u A u.

  (** L = Λ^{1/2} *)
  Definition is_root (Λ L : mat K) : Prop := symmetric d L /\ semidefinite L /\ meq d (mmul d L L) Λ.

  (** N is the Moore–Penrose inverse of the symmetric L; if L has an inverse, N is the inverse. *)
  Definition pseudo_inverse (L N : mat K) : Prop :=
    symmetric d N /\ meq d (mmul d L N) (mmul d N L) /\
    meq d (mmul d L (mmul d N L)) L /\ meq d (mmul d N (mmul d L N)) N.

  Definition orthonormal (k : nat) (u : nat -> vec K) : Prop :=
    forall i j, (i < k)%nat -> (j < k)%nat -> dot d (u i) (u j) = if Nat.eqb i j then 1 else 0.

  (** Σ_{i<k} λ_i u_i u_iᵀ *)
  Definition spectrum (k : nat) (λ : nat -> K) (u : nat -> vec K) : mat K := fun a b => sum k (fun i => λ i * (u i a * u i b)).
End Definitions.

Section Algebra.
  Context {K : ofield} (d : nat).
  Add Field K_field : (field_laws K).
  Implicit Types A B : mat K.
  Implicit Types f g : nat -> K.

  Lemma quad_ext A B u v : meq d A B -> quad d u A v = quad d u B v.
  Proof. intros H. apply dot_ext; [intros i _; reflexivity | apply mulv_ext; [exact H | intros i _; reflexivity]]. Qed.

  Lemma quad_sym A u v : symmetric d A -> quad d u A v = quad d v A u.
  Proof.
    intros S. unfold quad. rewrite dot_mulv, dot_comm. apply dot_ext; [intros i _; reflexivity|].
    apply mulv_ext; [exact S | intros i _; reflexivity].
  Qed.

  Lemma quad_vadd_l A u v w : quad d (vadd u v) A w = quad d u A w + quad d v A w.
  Proof. apply dot_vadd_l. Qed.

  Lemma quad_vadd_r A u v w : quad d u A (vadd v w) = quad d u A v + quad d u A w.
  Proof. unfold quad. rewrite !(dot_mulv d A u). apply dot_vadd_r. Qed.

  Lemma quad_scale_l A (c : K) u v : quad d (scale c u) A v = c * quad d u A v.
  Proof. apply dot_scale_l. Qed.

  Lemma quad_scale_r A (c : K) u v : quad d u A (scale c v) = c * quad d u A v.
  Proof. unfold quad. rewrite !(dot_mulv d A u). apply dot_scale_r. Qed.

  Definition unit (i : nat) : vec K := fun j => identity j i.

  Lemma mulv_unit A i j : (j < d)%nat -> mulv d A (unit j) i = A i j.
  Proof.
    intros Hj. unfold mulv, unit, identity. rewrite (sum_ext d _ (fun k => (if Nat.eqb k j then 1 else 0) * A i k)) by (intros; ring).
    now apply (sum_delta d j (fun k => A i k)).
  Qed.

  Lemma quad_unit A i j : (i < d)%nat -> (j < d)%nat -> quad d (unit i) A (unit j) = A i j.
  Proof.
    intros Hi Hj. unfold quad, dot, unit at 1, identity. rewrite (sum_delta d i (mulv d A (unit j)) Hi). now apply mulv_unit.
  Qed.

  (** (Σ f_i u_i u_iᵀ) v = Σ f_i ⟨u_i, v⟩ u_i *)
  Lemma mulv_spectrum k f (u : nat -> vec K) v a : mulv d (spectrum k f u) v a = sum k (fun i => f i * dot d (u i) v * u i a).
  Proof.
    unfold mulv, spectrum, dot. rewrite (sum_ext d _ (fun b => sum k (fun i => f i * u i a * (u i b * v b)))).
    - rewrite sum_swap. apply sum_ext. intros i _. rewrite sum_mul_l. ring.
    - intros b _. rewrite <- sum_mul_r. apply sum_ext. intros. ring.
  Qed.

  Lemma dot_spectrum k f (u : nat -> vec K) v w : dot d w (mulv d (spectrum k f u) v) = sum k (fun i => f i * (dot d (u i) w * dot d (u i) v)).
  Proof.
    unfold dot at 1. rewrite (sum_ext d _ (fun a => sum k (fun i => f i * dot d (u i) v * (u i a * w a)))).
    - rewrite sum_swap. apply sum_ext. intros i _. rewrite sum_mul_l. unfold dot. ring.
    - intros a _. rewrite mulv_spectrum, <- sum_mul_l. apply sum_ext. intros. ring.
  Qed.

  Lemma spectrum_symmetric k f (u : nat -> vec K) : symmetric d (spectrum k f u).
  Proof. intros i j _ _. unfold transpose, spectrum. apply sum_ext. intros. ring. Qed.

  Lemma spectrum_ext k f g (u : nat -> vec K) : (forall i, (i < k)%nat -> f i = g i) -> meq d (spectrum k f u) (spectrum k g u).
  Proof. intros H a b _ _. apply sum_ext. intros i Hi. now rewrite H. Qed.

  Lemma spectrum_semidefinite k f (u : nat -> vec K) : (forall i, (i < k)%nat -> 0 <= f i) -> semidefinite d (spectrum k f u).
  Proof.
    intros H v. unfold quad. rewrite dot_spectrum. apply sum_nonneg. intros i Hi. apply mul_nonneg; [auto | apply sq_nonneg].
  Qed.

  Section Orthonormal.
    Variables (k : nat) (u : nat -> vec K).
    Hypothesis ortho : orthonormal d k u.

    (** Matrices with the same eigenvectors multiply like their eigenvalues. *)
    Lemma spectrum_mul f g : meq d (mmul d (spectrum k f u) (spectrum k g u)) (spectrum k (fun i => f i * g i) u).
    Proof.
      intros a b _ _. change (mmul d (spectrum k f u) (spectrum k g u) a b) with (mulv d (spectrum k f u) (fun c => spectrum k g u c b) a).
      rewrite mulv_spectrum. apply sum_ext. intros i Hi.
      replace (dot d (u i) (fun c => spectrum k g u c b)) with (g i * u i b); [ring|].
      unfold spectrum. rewrite (dot_ext d _ (u i) _ (fun c => sum k (fun j => scale (g j * u j b) (u j) c)) (fun _ _ => eq_refl))
        by (intros c _; apply sum_ext; intros; unfold scale; ring).
      rewrite dot_sum_r. rewrite (sum_ext k _ (fun j => (if Nat.eqb i j then 1 else 0) * (g j * u j b))).
      - symmetry. now apply (sum_delta' k i (fun j => g j * u j b)).
      - intros j Hj. rewrite dot_scale_r, ortho by assumption. ring.
    Qed.

    Lemma spectrum_trace f : trace d (spectrum k f u) = sum k f.
    Proof.
      unfold trace, spectrum. rewrite sum_swap. apply sum_ext. intros i Hi. rewrite sum_mul_l.
      change (f i * dot d (u i) (u i) = f i). rewrite ortho by assumption. rewrite Nat.eqb_refl. ring.
    Qed.

    (** Bessel: Σ_i ⟨u_i, v⟩² <= ‖v‖² *)
    Lemma bessel v : sum k (fun i => (dot d (u i) v)²) <= norm2 d v.
    Proof.
      set (P := spectrum k (fun _ => 1) u). set (s := sum k _).
      assert (A : dot d v (mulv d P v) = s) by (unfold P; rewrite dot_spectrum; apply sum_ext; intros; ring).
      assert (B : dot d (mulv d P v) (mulv d P v) = s).
      { rewrite (dot_mulv d P). rewrite (dot_ext d _ (mulv d P v) v v); [now rewrite dot_comm | | intros i _; reflexivity].
        intros i Hi. rewrite (mulv_ext d (transpose P) P _ (mulv d P v)); [| apply spectrum_symmetric | intros ? _; reflexivity | exact Hi].
        rewrite <- mulv_mmul by exact Hi. apply mulv_ext; [| intros j _; reflexivity | exact Hi].
        intros a b Ha Hb. unfold P. rewrite spectrum_mul by assumption. apply sum_ext. intros; ring. }
      apply le_by_sub with (norm2 d (vsub v (mulv d P v))); [|apply norm2_nonneg].
      unfold norm2. rewrite !dot_vsub_l, !dot_vsub_r, B, (dot_comm d (mulv d P v) v), A. ring.
    Qed.

    (** There are at most d of them. *)
    Lemma orthonormal_count : (k <= d)%nat.
    Proof.
      destruct (Nat.le_gt_cases k d) as [H|H]; [exact H | exfalso].
      destruct (underdetermined d k (fun i j => u j i)) as [x [[l [Hl Nl]] Z]]; [exact H|]. apply Nl.
      transitivity (dot d (u l) (fun i => sum k (fun j => scale (x j) (u j) i))).
      - rewrite dot_sum_r. rewrite (sum_ext k _ (fun j => (if Nat.eqb l j then 1 else 0) * x j)).
        + symmetry. now apply sum_delta'.
        + intros j Hj. rewrite dot_scale_r, ortho by assumption. ring.
      - apply sum_zero. intros i Hi. rewrite (sum_ext k _ (fun j => u j i * x j)) by (intros; unfold scale; ring).
        rewrite Z by exact Hi. ring.
    Qed.
  End Orthonormal.
End Algebra.

(** Algebra of real numbers behind the field's names. *)
Ltac rring := real; change (@carrier RK) with R in *; ring.

(** ** Eigenvectors *)
Section Reals.
  Variable d : nat.
  Implicit Types A : mat RK.
  Implicit Types u v w : vec RK.

  Lemma quad_zero_matrix A : symmetric d A -> (forall u, quad d u A u = 0) -> meq d A (fun _ _ => 0).
  Proof.
    intros S H i j Hi Hj. pose proof (H (vadd (unit i) (unit j))) as E.
    rewrite quad_vadd_l, !quad_vadd_r, !H, (quad_sym d A (unit j) (unit i) S), quad_unit in E by assumption. real. lra.
  Qed.

  Lemma quotient (a b : R) : (0 < b)%R -> (a = a / b * b)%R.
  Proof. intros H. field. lra. Qed.

  Lemma coordinate_le v i : (i < d)%nat -> (v i)² <= norm2 d v.
  Proof. intros Hi. apply (sum_term_le d (fun i => (v i)²)); [intros; apply sq_nonneg | exact Hi]. Qed.

  (** uᵀAu <= ‖u‖² Σ|A_ij| *)
  Definition entries A : RK := sum d (fun i => sum d (fun j => Rabs (A i j) : RK)).

  Lemma entries_nonneg A : 0 <= entries A.
  Proof. apply sum_nonneg. intros i _. apply sum_nonneg. intros j _. exact (Rabs_pos _). Qed.

  Lemma quad_entries A v : quad d v A v <= entries A * norm2 d v.
  Proof.
    unfold entries. rewrite <- sum_mul_r. unfold quad, dot at 1, mulv. apply sum_le. intros i Hi. rewrite <- sum_mul_l, <- sum_mul_r.
    apply sum_le. intros j Hj. pose proof (coordinate_le v i Hi) as P. pose proof (coordinate_le v j Hj) as Q.
    set (n := norm2 d v) in *. clearbody n. real. set (x := v i) in *. set (y := v j) in *. set (a := A i j). clearbody x y a.
    change (@carrier RK) with R in *.
    assert (Z : (Rabs (x * y) <= n)%R) by (unfold Rabs; destruct (Rcase_abs (x * y)); nra).
    replace (x * (a * y))%R with (a * (x * y))%R by ring. eapply Rle_trans; [apply Rle_abs|]. rewrite Rabs_mult.
    apply Rmult_le_compat_l; [apply Rabs_pos | exact Z].
  Qed.

  (** λ1 − A *)
  Definition shifted A (λ : R) : mat RK := fun i j => (λ : RK) * identity i j - A i j.

  Lemma mulv_shifted A (λ : R) v i : (i < d)%nat -> mulv d (shifted A λ) v i = (λ : RK) * v i - mulv d A v i.
  Proof.
    intros Hi. rewrite <- (mulv_identity d v i Hi) at 1. unfold mulv, shifted. rewrite <- sum_mul_l, <- sum_sub. apply sum_ext. intros. rring.
  Qed.

  Lemma quad_shifted A (λ : R) u v : quad d u (shifted A λ) v = (λ : RK) * dot d u v - quad d u A v.
  Proof.
    unfold quad. rewrite (dot_ext d u u _ (vsub (scale λ v) (mulv d A v)) (fun _ _ => eq_refl)).
    - now rewrite dot_vsub_r, dot_scale_r.
    - intros i Hi. now apply mulv_shifted.
  Qed.

  Lemma shifted_symmetric A (λ : R) : symmetric d A -> symmetric d (shifted A λ).
  Proof.
    intros S i j Hi Hj. unfold transpose, shifted, identity. rewrite (Nat.eqb_sym j i). now rewrite <- (S i j Hi Hj).
  Qed.

  (** A positive quadratic form has a greatest quotient, and an eigenvector there. *)
  Lemma top_eigenvector A v0 : symmetric d A -> (0 < quad d v0 A v0)%R ->
    exists (λ : R) u, (0 < λ)%R /\ norm2 d u = 1 /\ veq d (mulv d A u) (scale λ u) /\ forall v, (quad d v A v <= λ * norm2 d v)%R.
  Proof.
    intros S P0.
    assert (pos : forall v, (quad d v A v <> 0)%R -> (0 < norm2 d v)%R).
    { intros v Hv. destruct (Rle_lt_or_eq_dec _ _ (norm2_nonneg d v)) as [H|H]; [exact H | exfalso; apply Hv].
      apply sum_zero. intros i Hi. rewrite (norm2_zero d v (Req_le _ _ (eq_sym H)) i Hi). unfold vzero. rring. }
    set (Q := fun r : R => exists v, (0 < norm2 d v)%R /\ quad d v A v = (r * norm2 d v)%R).
    destruct (completeness Q) as [λ [Up Least]].
    { exists (entries A). intros r (v & Hv & E). apply (Rmult_le_reg_r (norm2 d v)); [exact Hv|]. rewrite <- E. apply quad_entries. }
    { exists (quad d v0 A v0 / norm2 d v0)%R, v0. assert (0 < norm2 d v0)%R by (apply pos; lra). split; [assumption | now apply quotient]. }
    assert (Ub : forall v, (quad d v A v <= λ * norm2 d v)%R).
    { intros v. destruct (Req_dec (quad d v A v) 0) as [Z|Z].
      - rewrite Z. apply Rmult_le_pos; [|apply norm2_nonneg].
        assert (N0 : (0 < norm2 d v0)%R) by (apply pos; lra).
        apply Rle_trans with (quad d v0 A v0 / norm2 d v0)%R; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
        apply Up. exists v0. split; [exact N0 | now apply quotient].
      - specialize (pos v Z). assert (H : (quad d v A v / norm2 d v <= λ)%R) by (apply Up; exists v; split; [exact pos | now apply quotient]).
        rewrite (quotient (quad d v A v) (norm2 d v) pos). apply Rmult_le_compat_r; [now apply Rlt_le | exact H]. }
    assert (Pλ : (0 < λ)%R).
    { specialize (Ub v0). assert (N0 : (0 < norm2 d v0)%R) by (apply pos; lra). set (n := norm2 d v0) in *. clearbody n. real. nra. }
    set (B := shifted A λ).
    destruct (classic (exists x, veq d (mulv d B x) vzero /\ ~ veq d x vzero)) as [(x & Zx & Nx)|No].
    - (* the kernel of λ1 − A has a vector: normalise it *)
      assert (Px : (0 < norm2 d x)%R).
      { destruct (Rle_lt_or_eq_dec _ _ (norm2_nonneg d x)) as [H|H]; [exact H | exfalso; apply Nx].
        apply norm2_zero. apply Req_le. now symmetry. }
      exists λ, (scale (/ sqrt (norm2 d x))%R x). split; [exact Pλ|]. split; [|split; [|exact Ub]].
      + rewrite norm2_scale. set (n := norm2 d x) in *. clearbody n. real. change (@carrier RK) with R in *.
        pose proof (sqrt_lt_R0 n Px) as Ps. rewrite <- (sqrt_sqrt n) at 3 by lra. field. lra.
      + intros i Hi. assert (E : mulv d A x i = (λ * x i)%R).
        { specialize (Zx i Hi). unfold B in Zx. rewrite mulv_shifted in Zx by exact Hi. unfold vzero in Zx. real. lra. }
        unfold mulv, scale. rewrite (sum_ext d _ (fun j => (/ sqrt (norm2 d x))%R * (A i j * x j))) by (intros; rring).
        rewrite sum_mul_l. fold (mulv d A x i). rewrite E. rring.
    - (* else it has an inverse, and λ is not the least bound *)
      exfalso. assert (Inj : forall x, veq d (mulv d B x) vzero -> veq d x vzero).
      { intros x Hx. apply NNPP. intros Nx. apply No. now exists x. }
      set (W := fun i j => proj1_sig (injective_onto d B Inj (unit j)) i).
      assert (BW : forall v, veq d (mulv d B (mulv d W v)) v).
      { intros v. apply mulv_right_inverse. intros i j Hi Hj. unfold W, mmul.
        destruct (injective_onto d B Inj (unit j)) as [y Hy]. simpl. exact (Hy i Hi). }
      set (c := (entries W + 1)%R). assert (Pc : (0 < c)%R) by (pose proof (entries_nonneg W); unfold c; real; lra).
      assert (Lo : (λ <= λ - / c)%R).
      { apply Least. intros r (v & Hv & E). set (w := mulv d W v).
        assert (vw : quad d v B w = norm2 d v) by (apply dot_ext; [intros i _; reflexivity | apply BW]).
        assert (ww : quad d w B w = quad d v W v).
        { unfold quad. rewrite (dot_ext d w w (mulv d B w) v (fun _ _ => eq_refl) (BW v)). now rewrite dot_comm. }
        pose proof (quad_entries W v) as Bw.
        pose proof (Ub (vadd v (scale (- / c)%R w))) as T.
        assert (T' : (0 <= quad d (vadd v (scale (- / c)%R w)) B (vadd v (scale (- / c)%R w)))%R).
        { unfold B. rewrite quad_shifted. fold (norm2 d (vadd v (scale (- / c)%R w))). real. lra. }
        rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d B w v (shifted_symmetric A λ S)), vw, ww in T'.
        unfold B in T' at 1. rewrite quad_shifted, E in T'. fold (norm2 d v) in T'.
        set (n := norm2 d v) in *. set (q := quad d v W v) in *. set (e := entries W) in *. clearbody n q e. real.
        change (@carrier RK) with R in *. assert (C : (c * / c = 1)%R) by (field; lra). pose proof (Rinv_0_lt_compat c Pc) as Pi.
        set (t := (/ c)%R) in *. clearbody t. unfold c in *. clear - T' Bw Hv C Pi.
        assert (X : (t * (t * q) <= t * n)%R).
        { apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (t * ((e + 1) * n))%R; [apply Rmult_le_compat_l; nra|].
          replace (t * ((e + 1) * n))%R with ((e + 1) * t * n)%R by ring. rewrite C. lra. }
        apply (Rmult_le_reg_r n); [exact Hv|]. lra. }
      pose proof (Rinv_0_lt_compat c Pc). lra.
  Qed.

  (** ** The spectral theorem *)
  Lemma spectral_steps A : symmetric d A -> semidefinite d A -> forall m, exists k (λ : nat -> R) (u : nat -> vec RK) (Q : mat RK),
    orthonormal d k u /\ (forall i, (i < k)%nat -> (0 < λ i)%R) /\
    meq d A (fun a b => spectrum k (λ : nat -> RK) u a b + Q a b) /\
    symmetric d Q /\ semidefinite d Q /\ (forall i, (i < k)%nat -> veq d (mulv d Q (u i)) vzero) /\
    ((m <= k)%nat \/ meq d Q (fun _ _ => 0)).
  Proof.
    intros SA PA. induction m as [|m (k & λ & u & Q & O & Pλ & E & SR & PR & Z & Or)].
    { exists O, (fun _ => 0%R), (fun _ => vzero), A. repeat split; try assumption; try lia.
      - intros i j Hi. lia.
      - intros i j Hi Hj. exact (eq_sym (Rplus_0_l _)). }
    destruct Or as [Hk|HR]; [|exists k, λ, u, Q; repeat split; auto].
    destruct (classic (exists v, (0 < quad d v Q v)%R)) as [[v Hv]|No].
    2:{ exists k, λ, u, Q. repeat split; auto. right. apply quad_zero_matrix; [exact SR|]. intros v. specialize (PR v).
        apply NNPP. intros N. apply No. exists v. real. lra. }
    destruct (top_eigenvector Q v SR Hv) as (l & w & Pl & Nw & Ew & _).
    assert (Ow : forall i, (i < k)%nat -> dot d (u i) w = 0).
    { intros i Hi. assert (X : quad d (u i) Q w = (l : RK) * dot d (u i) w).
      { unfold quad. rewrite (dot_ext d _ (u i) _ (scale l w) (fun _ _ => eq_refl) Ew). apply dot_scale_r. }
      rewrite quad_sym in X by exact SR. unfold quad in X. rewrite (dot_ext d w w _ vzero (fun _ _ => eq_refl) (Z i Hi)) in X.
      replace (dot d w vzero) with (0 : RK) in X by (symmetry; apply sum_zero; intros; unfold vzero; rring).
      real. destruct (Rmult_integral _ _ (eq_sym X)); [lra | assumption]. }
    assert (mw : forall x i, dot d (u i) (fun a => w a * x) = dot d (u i) w * x).
    { intros x i. unfold dot. rewrite <- sum_mul_r. apply sum_ext. intros. rring. }
    set (Q' := fun a b => Q a b - (l : RK) * (w a * w b)).
    assert (MR' : forall x a, mulv d Q' x a = mulv d Q x a - (l : RK) * (w a * dot d w x)).
    { intros x a. unfold mulv, Q', dot. rewrite <- !sum_mul_l, <- sum_sub. apply sum_ext. intros. rring. }
    assert (QR' : forall x y, quad d x Q' y = quad d x Q y - (l : RK) * (dot d w x * dot d w y)).
    { intros x y. unfold quad. rewrite (dot_ext d x x _ (vsub (mulv d Q y) (scale ((l : RK) * dot d w y) w)) (fun _ _ => eq_refl)).
      - rewrite dot_vsub_r, dot_scale_r, (dot_comm d x w). rring.
      - intros a _. rewrite MR'. unfold vsub, scale. rring. }
    assert (Rw : forall x, quad d x Q w = (l : RK) * dot d w x).
    { intros x. unfold quad. rewrite (dot_ext d x x _ (scale l w) (fun _ _ => eq_refl) Ew), dot_scale_r. now rewrite dot_comm. }
    exists (S k), (fun i => if Nat.eqb i k then l else λ i), (fun i => if Nat.eqb i k then w else u i), Q'.
    repeat split.
    - intros i j Hi Hj. destruct (Nat.eqb_spec i k) as [->|Ni], (Nat.eqb_spec j k) as [->|Nj].
      + rewrite Nat.eqb_refl. exact Nw.
      + destruct (Nat.eqb_spec k j); [lia|]. rewrite dot_comm. apply Ow. lia.
      + destruct (Nat.eqb_spec i k); [lia|]. apply Ow. lia.
      + apply O; lia.
    - intros i Hi. destruct (Nat.eqb_spec i k); [exact Pl | apply Pλ; lia].
    - intros a b Ha Hb. rewrite (E a b Ha Hb). set (X := spectrum k (λ : nat -> RK) u a b). unfold spectrum. cbn [sum]. rewrite Nat.eqb_refl. unfold Q'.
      rewrite (sum_ext k _ (fun i => (λ i : RK) * (u i a * u i b))).
      + change (sum k _) with X. rring.
      + intros i Hi. destruct (Nat.eqb_spec i k); [lia | reflexivity].
    - intros i j Hi Hj. unfold transpose, Q'. rewrite <- (SR i j Hi Hj). unfold transpose. rring.
    - (* xᵀR'x = yᵀRy for y = x − ⟨w,x⟩w *)
      intros x. set (s := dot d w x : R). pose proof (PR (vadd x (scale (- s)%R w))) as P.
      rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d Q w x SR), !Rw in P.
      fold (norm2 d w) in P. rewrite Nw in P. rewrite QR'. fold s in P |- *. set (q := quad d x Q x) in *. clearbody q s. real.
      change (@carrier RK) with R in *. lra.
    - intros i Hi a Ha. rewrite MR'. destruct (Nat.eqb_spec i k) as [->|N].
      + rewrite (Ew a Ha). fold (norm2 d w). rewrite Nw. unfold scale, vzero. rring.
      + rewrite (Z i ltac:(lia) a Ha), (dot_comm d w (u i)), Ow by lia. unfold vzero. rring.
    - left. lia.
  Qed.

  Lemma spectral_theorem A : symmetric d A -> semidefinite d A -> exists k (λ : nat -> R) (u : nat -> vec RK),
    (k <= d)%nat /\ orthonormal d k u /\ (forall i, (i < k)%nat -> (0 < λ i)%R) /\ meq d A (spectrum k (λ : nat -> RK) u).
  Proof.
    intros S P. destruct (spectral_steps A S P (Datatypes.S d)) as (k & λ & u & Q & O & Pλ & E & _ & _ & _ & Or).
    pose proof (orthonormal_count d k u O) as Hk. exists k, λ, u. repeat split; auto.
    destruct Or as [X|Z]; [lia|]. intros a b Ha Hb. rewrite (E a b Ha Hb), (Z a b Ha Hb). rring.
  Qed.
End Reals.
