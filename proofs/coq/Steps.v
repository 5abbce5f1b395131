(** * The algorithms and their constants over any ordered field

    Theorems A.1 and C.1 are about [step1] and [step2], whose softmax and ball need the reals.  Here both are arguments, so
    that the same steps run at the rationals (ComputeSteps.v); the theorems below say that at the reals, with the softmax
    and the ball's projection, they are [step1] and [step2] and no other functions. *)

From Coq Require Import List Reals Lra.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Average Projection Runs DoubleLoop.
From OPD Require Import Algorithm1 Algorithm2 Tuning.
Import ListNotations.
Local Open Scope K_scope.

Section Steps.
  Context {K : ofield} (M : linear_mdp K) (N : mat K) (policy : vec K -> nat -> nat -> K).

  (** One inner step of Algorithm 1: θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ(W)), with β = β_t and z = Σ_{i<t} θ_i … *)
  Definition inner_step_1 (Π : vec K -> vec K) (η : K) (β z θ : vec K) (W : sample) : vec K :=
    descend Π η (theta_gradient M N β (policy z)) θ [W].
  (** … and its outer step: β_{t+1} = Π(β_t + ζ g̃_β(W)), with θ = θ_t. *)
  Definition outer_step_1 (Π : vec K -> vec K) (ζ : K) (β z θ : vec K) (W : sample) : vec K :=
    Π (vadd β (scale ζ (beta_gradient M N (policy z) θ W))).

  (** The same of Algorithm 2. *)
  Definition inner_step_2 (Π : vec K -> vec K) (η : K) (β θ : vec K) (W : transition) : vec K :=
    descend Π η (average_theta_gradient M N β) θ [W].
  Definition inner_step_2_rho (ξ : K) (β : vec K) (ρ : K) (W : transition) : K :=
    clip (ρ - ξ * average_rho_gradient M N β W).
  Definition outer_step_2 (Π : vec K -> vec K) (ζ : K) (β z : vec K) (ρ : K) (θ : vec K) (W : transition) : vec K :=
    Π (vadd β (scale ζ (average_beta_gradient M N (policy z) ρ θ W))).
End Steps.

(** The inner loop is its steps one after the other, for any gradient. *)
Theorem descend_steps {K : ofield} {Ω} (Π : vec K -> vec K) η (g : Ω -> vec K) θ W F :
  descend Π η g θ (W :: F) = descend Π η g (descend Π η g θ F) [W].
Proof. reflexivity. Qed.

Theorem step1_steps M N α ζ η Dθ Dβ s W F :
  let policy := softmax_policy M α in
  step1 M N α ζ η Dθ Dβ s (W :: F)
  = let θ := average (descend (proj_ball (dim M) Dθ) η (theta_gradient M N (beta s) (policy (theta_sum s))) (theta s)) (W :: F) in
    State1 θ (outer_step_1 M N policy (proj_ball (dim M) Dβ) ζ (beta s) (theta_sum s) θ W) (vadd (theta_sum s) θ).
Proof. reflexivity. Qed.

Theorem step2_steps M N α ζ ξ η Dθ Dβ s W F :
  let policy := softmax_policy M α in
  step2 M N α ζ ξ η Dθ Dβ s (W :: F)
  = let θ := average (descend (proj_ball (dim M) Dθ) η (average_theta_gradient M N (a_beta s)) (a_theta s)) F in
    let ρ := average (rho_inner2 M N ξ s) F 0%nat in
    State2 θ ρ (outer_step_2 M N policy (proj_ball (dim M) Dβ) ζ (a_beta s) (a_theta_sum s) ρ θ W) (vadd (a_theta_sum s) θ).
Proof. reflexivity. Qed.

Theorem rho_inner2_steps M N ξ s W F :
  rho_inner2 M N ξ s (W :: F) 0%nat = inner_step_2_rho M N ξ (a_beta s) (rho_inner2 M N ξ s F 0%nat) W.
Proof. reflexivity. Qed.

(** ** The six and the eight terms, and the squares of the learning rates: [G] are the squares (19), (20), (24)–(26) *)
Section Terms.
  Context {K : ofield} (Dβ Dθ Dφ ℓ Gβ Gρ Gθ α ζ ξ η T k : K).
  Notation "2" := (1 + 1) : K_scope.

  Definition six_terms_over : list K :=
    [2 * Dβ² / (ζ * T); ℓ / (α * T); 2 * Dθ² / (η * k); ζ * Gβ / 2; α * (Dθ² * Dφ²) / 2; η * Gθ / 2].
  Definition eight_terms_over : list K :=
    [2 * Dβ² / (ζ * T); ℓ / (α * T); 1 / (2 * ξ * k); 2 * Dθ² / (η * k);
     ζ * Gβ / 2; α * (Dθ² * Dφ²) / 2; ξ * Gρ / 2; η * Gθ / 2].
  Definition squared_rates_over : list K :=
    [2 * ℓ / (Dφ² * Dθ² * T); 2 * 2 * Dθ² / (Gθ * k); 2 * 2 * Dβ² / (Gβ * T); 1 / (Gρ * k)].
End Terms.

Local Ltac reals := change (@carrier RK) with R in *; cbn [fold_right map]; real; replace (1 + 1)%R with 2%R by lra.

Theorem six_terms_are Dβ Dθ Dφ ℓ Gβ Gθ α ζ η T k :
  six_terms Dβ Dθ Dφ ℓ Gβ Gθ α ζ η T k
  = fold_right Rplus 0%R (six_terms_over (K := RK) Dβ Dθ Dφ ℓ (Gβ * Gβ) (Gθ * Gθ) α ζ η T k).
Proof. unfold six_terms, six_terms_over. reals. unfold Rdiv. ring. Qed.

Theorem eight_terms_are Dβ Dθ Dφ ℓ Gβ Gρ Gθ α ζ ξ η T k :
  eight_terms Dβ Dθ Dφ ℓ Gβ Gρ Gθ α ζ ξ η T k
  = fold_right Rplus 0%R (eight_terms_over (K := RK) Dβ Dθ Dφ ℓ (Gβ * Gβ) (Gρ * Gρ) (Gθ * Gθ) α ζ ξ η T k).
Proof. unfold eight_terms, eight_terms_over. reals. unfold Rdiv. ring. Qed.

Lemma squared_rate a b n : (0 < b)%R -> (0 < n)%R -> (a / (b * sqrt n) * (a / (b * sqrt n)) = a * a / (b * b * n))%R.
Proof.
  intros Hb Hn. pose proof (sqrt_lt_R0 n Hn). replace (b * b * n)%R with (b * b * (sqrt n * sqrt n))%R.
  - field. split; lra.
  - rewrite sqrt_sqrt by lra. reflexivity.
Qed.

Theorem squared_rates_are Dβ Dθ Dφ ℓ Gβ Gρ Gθ T k :
  (0 < Dφ /\ 0 < Dθ /\ 0 <= ℓ /\ 0 < Gβ /\ 0 < Gρ /\ 0 < Gθ /\ 0 < T /\ 0 < k)%R ->
  map (fun rate => rate * rate)%R [rate_α Dθ Dφ ℓ T; rate_η Dθ Gθ k; rate_ζ Dβ Gβ T; rate_ξ Gρ k]
  = squared_rates_over (K := RK) Dβ Dθ Dφ ℓ (Gβ * Gβ) (Gρ * Gρ) (Gθ * Gθ) T k.
Proof.
  intros (? & ? & ? & ? & ? & ? & HT & Hk). unfold rate_α, rate_η, rate_ζ, rate_ξ, squared_rates_over. reals.
  assert (0 < Dφ * Dθ)%R by now apply Rmult_lt_0_compat.
  rewrite !squared_rate, sqrt_sqrt by lra. unfold Rdiv.
  repeat (apply f_equal2; [repeat (f_equal; try ring)|]). reflexivity.
Qed.
