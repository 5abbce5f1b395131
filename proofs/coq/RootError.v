(** * How far a matrix N is from Λ^{−1/2}, from a residual (proofs)

    e_Λ of the rounding term at c = 1/2 bounds ‖(N − Λ^{−1/2})v‖/‖v‖ for the matrix N that the program holds.  The root is irrational; but if
    A and B are symmetric, A + B ≥ s > 0 and |A² − B²| ≤ δ as quadratic forms, then ‖A − B‖ ≤ δ/s: at an eigenvector x of D = A − B of eigenvalue μ,
    xᵀ(A² − B²)x = μ xᵀ(A + B)x. *)

From Coq Require Import Ring Field Lia Arith Reals Lra.
From OPD Require Import OrderedField Sums Spectral Powers DoubleLoop.
Local Open Scope K_scope.

Lemma Rabs_within (x a : R) : (Rabs x <= a -> - a <= x <= a)%R.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.

Section RootError.
  Variables (d : nat) (A B : mat RK) (s δ : R).
  Hypothesis symmetric_A : symmetric d A.
  Hypothesis symmetric_B : symmetric d B.
  Hypothesis below : (0 < s)%R.
  Hypothesis sum_below : forall x, (s * norm2 d x <= quad d x A x + quad d x B x)%R.
  Hypothesis squares : forall x, (Rabs (norm2 d (mulv d A x) - norm2 d (mulv d B x)) <= δ * norm2 d x)%R.

  Lemma difference_symmetric (C D : mat RK) : symmetric d C -> symmetric d D -> symmetric d (fun i j => C i j - D i j).
  Proof. intros H H' i j Hi Hj. unfold transpose. now rewrite <- (H i j Hi Hj), <- (H' i j Hi Hj). Qed.

  Lemma mulv_difference (C D : mat RK) v i : mulv d (fun i j => C i j - D i j) v i = mulv d C v i - mulv d D v i.
  Proof. unfold mulv. rewrite <- sum_sub. apply sum_ext. intros. rring. Qed.

  Lemma quad_difference (C D : mat RK) u v : quad d u (fun i j => C i j - D i j) v = quad d u C v - quad d u D v.
  Proof.
    unfold quad. rewrite <- dot_vsub_r. apply dot_ext; [intros i _; reflexivity|]. intros i _. apply mulv_difference.
  Qed.

  (** An eigenvalue μ of C − D, where C + D ≥ s: |μ| ≤ δ/s. *)
  Lemma eigenvalue_bound (C D : mat RK) (μ : R) u : symmetric d C -> symmetric d D ->
    (forall x, (s * norm2 d x <= quad d x C x + quad d x D x)%R) ->
    (forall x, (Rabs (norm2 d (mulv d C x) - norm2 d (mulv d D x)) <= δ * norm2 d x)%R) ->
    (0 < μ)%R -> norm2 d u = 1 -> veq d (mulv d (fun i j => C i j - D i j) u) (scale μ u) -> (μ * s <= δ)%R.
  Proof.
    intros SC SD Sb Sq Pμ N1 E.
    (* ⟨(C−D)u, (C+D)u⟩ = ‖Cu‖² − ‖Du‖² *)
    set (c := mulv d C u). set (e := mulv d D u).
    assert (X : (norm2 d c - norm2 d e = μ * (quad d u C u + quad d u D u))%R).
    { assert (F : dot d (vsub c e) (vadd c e) = (μ : RK) * (quad d u C u + quad d u D u)).
      { rewrite (dot_ext d (vsub c e) (scale μ u) (vadd c e) (vadd c e)); [| | intros i _; reflexivity].
        - rewrite dot_scale_l, dot_vadd_r. reflexivity.
        - intros i Hi. rewrite <- (E i Hi), mulv_difference. reflexivity. }
      rewrite dot_vsub_l, !dot_vadd_r, (dot_comm d e c) in F. unfold norm2. real. change (@carrier RK) with R in *. lra. }
    specialize (Sb u). specialize (Sq u). fold c e in Sq. rewrite N1 in Sb, Sq. pose proof (Rle_abs (norm2 d c - norm2 d e)%R) as P.
    assert (Y : (μ * (s * 1) <= μ * (quad d u C u + quad d u D u))%R) by (apply Rmult_le_compat_l; [lra | exact Sb]).
    set (n := (norm2 d c - norm2 d e)%R) in *. clearbody n. set (q := (quad d u C u + quad d u D u)%R) in *. clearbody q. real. change (@carrier RK) with R in *. lra.
  Qed.

  Lemma half_bound (C D : mat RK) v : symmetric d C -> symmetric d D ->
    (forall x, (s * norm2 d x <= quad d x C x + quad d x D x)%R) ->
    (forall x, (Rabs (norm2 d (mulv d C x) - norm2 d (mulv d D x)) <= δ * norm2 d x)%R) ->
    (0 <= δ)%R -> (quad d v C v - quad d v D v <= δ / s * norm2 d v)%R.
  Proof.
    intros SC SD Sb Sq Pδ. set (Δ := fun i j => C i j - D i j : RK).
    assert (T : (quad d v Δ v <= δ / s * norm2 d v)%R).
    { destruct (Rle_or_lt (quad d v Δ v) 0) as [L|G].
      - eapply Rle_trans; [exact L|]. apply Rmult_le_pos; [apply Rmult_le_pos; [exact Pδ | apply Rlt_le, Rinv_0_lt_compat; lra] | apply norm2_nonneg].
      - destruct (top_eigenvector d Δ v (difference_symmetric C D SC SD) G) as (μ & u & Pμ & Nu & Eu & Top).
        pose proof (eigenvalue_bound C D μ u SC SD Sb Sq Pμ Nu Eu) as M. eapply Rle_trans; [apply Top|].
        apply Rmult_le_compat_r; [apply norm2_nonneg|]. apply (Rmult_le_reg_r s); [exact below|]. replace (δ / s * s)%R with δ by (field; lra). exact M. }
    unfold Δ in T. rewrite quad_difference in T. exact T.
  Qed.

  (** A symmetric matrix whose quadratic form is within ±e of 0 lengthens by at most e. *)
  Lemma norm_from_quad (D : mat RK) (e : R) v : symmetric d D -> (0 <= e)%R -> (forall x, (Rabs (quad d x D x) <= e * norm2 d x)%R) ->
    (norm2 d (mulv d D v) <= e * e * norm2 d v)%R.
  Proof.
    intros S Pe Q. set (w := mulv d D v). set (n := norm2 d v). set (k := norm2 d w).
    assert (Pn : (0 <= n)%R) by apply norm2_nonneg. assert (Pk : (0 <= k)%R) by apply norm2_nonneg.
    (* polarisation: 4t⟨v, Dw⟩ = (v+tw)ᵀD(v+tw) − (v−tw)ᵀD(v−tw) ≤ 2e(‖v‖² + t²‖w‖²) *)
    assert (X : forall t, (2 * t * k <= e * (n + t * t * k))%R).
    { intros t. pose proof (Q (vadd v (scale t w))) as Q1. pose proof (Q (vadd v (scale (- t)%R w))) as Q2.
      assert (vw : quad d v D w = k).
      { unfold quad. rewrite dot_mulv. unfold k, norm2. apply dot_ext; [|intros i _; reflexivity]. apply mulv_ext; [exact S | intros i _; reflexivity]. }
      unfold norm2 in Q1, Q2.
      rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d D w v S), vw, dot_vadd_l, !dot_vadd_r, !dot_scale_l, !dot_scale_r, (dot_comm d w v) in Q1.
      rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d D w v S), vw, dot_vadd_l, !dot_vadd_r, !dot_scale_l, !dot_scale_r, (dot_comm d w v) in Q2.
      fold (norm2 d v) (norm2 d w) in Q1, Q2. fold n k in Q1, Q2.
      set (a := quad d v D v) in *. set (b := quad d w D w) in *. set (c := dot d v w) in *. clearbody a b c k n. real. change (@carrier RK) with R in *.
      apply Rabs_within in Q1. apply Rabs_within in Q2. lra. }
    destruct (Req_dec e 0) as [->|Ne].
    - specialize (X 1%R). clearbody k n. real. change (@carrier RK) with R in *. lra.
    - specialize (X (/ e)%R). clearbody k n. real. change (@carrier RK) with R in *.
      assert (Pe' : (0 < e)%R) by lra. apply (Rmult_le_compat_l e) in X; [|lra].
      replace (e * (2 * / e * k))%R with (2 * k)%R in X by (field; lra).
      replace (e * (e * (n + / e * / e * k)))%R with (e * e * n + k)%R in X by (field; lra). lra.
  Qed.

  Theorem root_error : (0 <= δ)%R -> forall v, (norm2 d (vsub (mulv d A v) (mulv d B v)) <= (δ / s) * (δ / s) * norm2 d v)%R.
  Proof.
    intros Pδ v. assert (Pe : (0 <= δ / s)%R) by (apply Rmult_le_pos; [exact Pδ | apply Rlt_le, Rinv_0_lt_compat; lra]).
    pose proof (norm_from_quad (fun i j => A i j - B i j) (δ / s) v (difference_symmetric A B symmetric_A symmetric_B) Pe) as H.
    rewrite (norm2_ext d _ (vsub (mulv d A v) (mulv d B v))) in H by (intros i _; apply mulv_difference). apply H.
    intros x. rewrite quad_difference. apply Rabs_le. split.
    - assert (T : (quad d x B x - quad d x A x <= δ / s * norm2 d x)%R).
      { apply half_bound; try assumption; [intros y; specialize (sum_below y); real; lra | intros y; rewrite Rabs_minus_sym; apply squares]. }
      real. lra.
    - now apply half_bound.
  Qed.
End RootError.

(** ** For Λ^{−1/2} itself: e_Λ = δ·D_φ once N² is within δ of Λ^{−1} *)
Section InverseRoot.
  Variables (d : nat) (Λ L B : mat RK) (D : R).
  Hypothesis root : is_root d Λ L.
  Hypothesis inverse : right_inverse d L B.
  Hypothesis positive : (0 < D)%R.
  Hypothesis norm : forall x, (quad d x Λ x <= D * D * norm2 d x)%R.

  Lemma root_squared y : norm2 d (mulv d L y) = quad d y Λ y.
  Proof. destruct root as (S & _ & E). now rewrite <- (quad_of_square d L y S), (quad_ext d _ _ y y E). Qed.

  (** L ≤ D … *)
  Lemma root_below y : (quad d y L y <= D * norm2 d y)%R.
  Proof.
    pose proof (norm2_nonneg d (vadd (scale D y) (scale (-1)%R (mulv d L y)))) as P. unfold norm2 in P.
    rewrite dot_vadd_l, !dot_vadd_r, !dot_scale_l, !dot_scale_r, (dot_comm d (mulv d L y) y) in P.
    change (dot d y (mulv d L y)) with (quad d y L y) in P. fold (norm2 d y) (norm2 d (mulv d L y)) in P. rewrite root_squared in P.
    specialize (norm y). set (q := quad d y L y) in *. set (n := norm2 d y) in *. set (l := quad d y Λ y) in *. clearbody q n l. real.
    change (@carrier RK) with R in *. apply (Rmult_le_reg_l (2 * D)); [lra|]. lra.
  Qed.

  (** … so L² ≤ D·L, and Λ^{−1/2} ≥ 1/D. *)
  Lemma inverse_root_above x : (/ D * norm2 d x <= quad d x B x)%R.
  Proof.
    set (y := mulv d B x). pose proof (mulv_right_inverse d L B x inverse) as Ly. fold y in Ly.
    assert (Nx : norm2 d (mulv d L y) = norm2 d x) by now apply norm2_ext.
    assert (Qx : quad d x B x = quad d y L y).
    { unfold quad. rewrite (dot_ext d y y _ x (fun _ _ => eq_refl) Ly). apply dot_comm. }
    rewrite Qx. destruct root as (S & P & _). pose proof (P (vadd y (scale (- / D)%R (mulv d L y)))) as T.
    rewrite quad_vadd_l, !quad_vadd_r, !quad_scale_l, !quad_scale_r, (quad_sym d L (mulv d L y) y S) in T.
    assert (E : quad d y L (mulv d L y) = norm2 d x).
    { rewrite <- Nx. unfold quad, norm2. rewrite dot_mulv. apply dot_ext; [|intros i _; reflexivity]. apply mulv_ext; [exact S | intros i _; reflexivity]. }
    rewrite E in T. pose proof (root_below (mulv d L y)) as U. rewrite Nx in U.
    set (q := quad d (mulv d L y) L (mulv d L y)) in *. set (a := quad d y L y) in *. set (n := norm2 d x) in *. clearbody q a n. real.
    change (@carrier RK) with R in *. pose proof (Rinv_0_lt_compat D positive) as Pi. assert (I : (/ D * D = 1)%R) by (field; lra).
    set (t := (/ D)%R) in *. clearbody t. assert (V : (t * (t * q) <= t * n)%R).
    { apply Rmult_le_compat_l; [lra|]. apply Rle_trans with (t * (D * n))%R; [apply Rmult_le_compat_l; lra|]. replace (t * (D * n))%R with (t * D * n)%R by ring. rewrite I. lra. }
    lra.
  Qed.

  Theorem inverse_root_error (A : mat RK) (δ : R) : symmetric d B -> symmetric d A -> semidefinite d A -> (0 <= δ)%R ->
    (forall x, (Rabs (quad d x (mmul d A A) x - quad d x (mmul d B B) x) <= δ * norm2 d x)%R) ->
    forall v, (norm2 d (vsub (mulv d A v) (mulv d B v)) <= (δ * D) * (δ * D) * norm2 d v)%R.
  Proof.
    intros SB SA PA Pδ H v. pose proof (root_error d A B (/ D) δ SA SB (Rinv_0_lt_compat D positive)) as X.
    replace (δ * D)%R with (δ / / D)%R by (unfold Rdiv; rewrite Rinv_inv; reflexivity). apply X; [| | exact Pδ].
    - intros x. pose proof (inverse_root_above x) as I. specialize (PA x). real. lra.
    - intros x. rewrite <- (quad_of_square d A x SA), <- (quad_of_square d B x SB). apply H.
  Qed.
End InverseRoot.
