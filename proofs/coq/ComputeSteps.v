(** * Estimators, steps and constants, computed in rationals

    As Compute.v, for the estimators (7)–(10) and Appendix C's, both algorithms (Steps.v), the constants of Theorems A.1 and
    C.1, C^† and C_{F,π}.  A matrix that is not symmetric stands in for Λ^c and Λ^{c−1}, so that a transposed product shows.
    What is irrational has a rational stand-in here and in tests/coq_tie/: √ is rounded up to a multiple of 1/16
    (so exact where it is one), and e^x, for x ≤ 0, is 8/(8 + ⌈−8x⌉). *)

From Coq Require Import ZArith QArith Qcanon String List.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Average Coverage Projection Runs DoubleLoop.
From OPD Require Import Algorithm1 Algorithm2 Steps Compute.
Import ListNotations.
Local Open Scope K_scope.

(** ** The inputs, spelled out again in tests/coq_tie/ *)
Definition stand_in : nat -> nat -> QK := fun i j => (if Nat.eqb i j then frac 3 0 1 else 0) + frac ((i + 2 * j) mod 5) 2 8.

(** Sample s: X⁰ = X' at s = 0. *)
Definition samples : nat := 3.
Definition sample_at (M : linear_mdp QK) (s : nat) : sample :=
  Sample (s mod nS M) ((2 * s + 1) mod nS M) (s mod nA M) (2 * s mod nS M).
Definition transition_at (M : linear_mdp QK) (s : nat) : transition :=
  Transition ((2 * s + 1) mod nS M) (s mod nA M) (2 * s mod nS M) (S s mod nA M).

(** ** Lines *)
Definition label (name : string) (n : nat) : string := (name ++ "-" ++ digits (Z.of_nat n))%string.
Definition lines_of (say : string -> QK -> string) (name : string) (numbers : list QK) : string :=
  fold_right (fun '(k, q) s => say (label name k) q ++ s)%string EmptyString (combine (seq 0 (length numbers)) numbers).
Definition vector_lines say name (d : nat) (u : vec QK) : string := lines_of say name (map u (seq 0 d)).
Definition table_lines say name (M : linear_mdp QK) (μ : nat -> nat -> QK) : string :=
  lines_of say name (flat_map (fun x => map (μ x) (seq 0 (nA M))) (seq 0 (nS M))).
Definition concat (texts : list string) : string := fold_right append EmptyString texts.

(** ** Estimators *)
Definition estimator_lines (i : instance) (suffix : string) (N : nat -> nat -> QK) : string :=
  let M := mdp_of i in let d := dim M in
  let π := keep2 (nS M) (nA M) (run_policy (nA M) 0) in
  let θ := keep d (run_theta 0) in let β := keep d (run_beta 0) in let ρ := run_rho 0 in
  let N := keep2 d d N in
  let say := fun name => line i (name ++ suffix)%string in
  concat (map (fun s =>
    let W := sample_at M s in let V := transition_at M s in
    (say (label "estimator-v" s) (v_of M θ π (next W))
     ++ table_lines say (label "estimator-mu" s) M (mu_estimate M N β π W)
     ++ vector_lines say (label "estimator-beta" s) d (beta_gradient M N π θ W)
     ++ vector_lines say (label "estimator-theta" s) d (theta_gradient M N β π W)
     ++ vector_lines say (label "estimator-theta-printed" s) d (theta_gradient_printed M N β π W)
     ++ say (label "average-estimator-rho" s) (average_rho_gradient M N β V)
     ++ vector_lines say (label "average-estimator-beta" s) d (average_beta_gradient M N π ρ θ V)
     ++ vector_lines say (label "average-estimator-theta" s) d (average_theta_gradient M N β V))%string)
    (seq 0 samples)).

(** ** The Lagrangian's functions at a matrix that is not symmetric.  Where these definitions say Λ^cᵀ the library, which is
    told that Λ^c is symmetric, multiplies by the matrix as it is: there it gets the transposed one's value. *)
Definition stand_in_lines (i : instance) : string :=
  let M := mdp_of i in let d := dim M in
  let L := keep2 d d stand_in in let Lt := keep2 d d (transpose L) in let Linv := inverse_of d L in
  let π := keep2 (nS M) (nA M) (run_policy (nA M) 0) in
  let π' := keep2 (nS M) (nA M) (comparator (nA M)) in
  let μ' := keep2 (nS M) (nA M) (compose π' (occupancy_of M π')) in
  let θ := keep d (run_theta 0) in let β := keep d (run_beta 0) in let ρ := run_rho 0 in
  let ϱ := keep d (run_theta 1) in
  let say := fun name => line i ("standin-" ++ name)%string in
  (say "residual-inverse" (sum d (fun j => total d (fun k => mmul d L Linv j k - identity j k)))
   ++ say "equation-11" (eq_11 M L β π' run_v θ)
   ++ say "equation-12" (eq_12 M L β π' run_v θ)
   ++ table_lines say "equation-13" M (mu_of M L β π)
   ++ say "equation-15-left" (eq_15_left M L β π θ)
   ++ say "equation-15-right" (eq_15_right M L β π θ)
   ++ vector_lines say "gradient-theta" d (g_theta M L β π)
   ++ vector_lines say "gradient-beta" d (g_beta M Lt π θ)
   ++ vector_lines say "beta-star" d (beta_star M Linv μ')
   ++ say "average-f" (average_f M ϱ L β π ρ θ)
   ++ say "average-f-long" (average_f_long M ϱ L β π ρ θ)
   ++ say "average-gradient-rho" (average_g_rho M ϱ L β)
   ++ vector_lines say "average-gradient-theta" d (average_g_theta M L β π)
   ++ vector_lines say "average-gradient-beta" d (average_g_beta M ϱ Lt π ρ θ))%string.

(** ** Runs *)
Definition ceiling (q : QK) : Z := (- (- Qnum (this q) / Zpos (Qden (this q))))%Z.
Definition of_Z (z : Z) : QK := Q2Qc (inject_Z z).
Definition root_up (q : QK) : QK := of_Z (Z.sqrt_up (ceiling (of_Z 256 * q))) / of_Z 16.
Definition exp_stand_in (x : QK) : QK := of_Z 8 / of_Z (8 + ceiling (of_Z (-8) * x)).

(** Π onto the ball with the root above; 3-4-5 has an exact one. *)
Definition project (d : nat) (D : QK) (y : vec QK) : vec QK :=
  let y := keep d y in let n := norm2 d y in
  if le_dec n (D²) then y else keep d (scale (D / root_up n) y).

Definition maximum (l : list QK) : QK := fold_left (fun m x => if le_dec x m then m else x) l (hd 0 l).
(** As the library does, with the greatest logit subtracted. *)
Definition stand_in_softmax (M : linear_mdp QK) (α : QK) (z : vec QK) : nat -> nat -> QK :=
  keep2 (nS M) (nA M) (fun x a =>
    let logits := map (fun b => α * dot (dim M) (φ M x b) z) (seq 0 (nA M)) in
    let e := map (fun l => exp_stand_in (l - maximum logits)) logits in
    at_ e a / fold_left add e 0).

Fixpoint inverse_cdf (π : nat -> QK) (u cumulative : QK) (a n : nat) : nat :=
  match n with
  | O => a
  | S n => let c := cumulative + π a in if le_dec c u then inverse_cdf π u c (S a) n else a
  end.

Section Runs.
  Variables (i : instance) (tag : string) (Dθ Dβ : QK).
  Let M := mdp_of i.
  Let d := dim M.
  Let N := keep2 d d stand_in.
  Let α := frac 5 0 1.  Let η := frac 1 0 4.  Let ζ := frac 1 0 2.  Let ξ := frac 1 0 3.
  Let policy := stand_in_softmax M α.
  Let θ0 := keep d (fun k => run_theta 1 k / of_Z 8).
  Let β1 := keep d (fun k => run_beta 1 k / of_Z 16).
  Let say := fun name => line i (tag ++ name)%string.

  (** The average of θ_{t,1}, θ_{t,2}, …, through the definition's own average over a block. *)
  Let average_of (iterates : list (vec QK)) : vec QK :=
    keep d (average (fun F => nth (length F) iterates vzero) (repeat tt (length iterates))).

  (** T = 2, K = 3 in Algorithm 1; samples 0, 1 and 2, then 1, 2 and 0. *)
  Definition iteration_1 (t : nat) (s : vec QK * vec QK * vec QK) : string * (vec QK * vec QK * vec QK) :=
    let '(θ, β, z) := s in
    let W := fun k => sample_at M ((t + k) mod samples) in
    let π := policy z in
    let step := fun θ k => inner_step_1 M N (fun _ => π) (project d Dθ) η β z θ (W k) in
    let θ1 := step θ 0%nat in let θ2 := step θ1 1%nat in
    let θt := average_of [θ; θ1; θ2] in
    let β' := outer_step_1 M N (fun _ => π) (project d Dβ) ζ β z θt (W 2%nat) in
    let z' := keep d (vadd z θt) in
    let at_t := fun name => label ("algorithm-1-" ++ name) t in
    ((table_lines say (at_t "policy") M π
      ++ vector_lines say (at_t "inner-1") d θ1 ++ vector_lines say (at_t "inner-2") d θ2
      ++ vector_lines say (at_t "theta") d θt ++ vector_lines say (at_t "beta") d β'
      ++ vector_lines say (at_t "theta-sum") d z')%string, (θt, β', z')).

  (** T = 2, K = 2 in Algorithm 2, with the samples' u = 1/8, 1/2, 7/8. *)
  Definition iteration_2 (t : nat) (s : vec QK * QK * vec QK * vec QK) : string * (vec QK * QK * vec QK * vec QK) :=
    let '(θ, ρ, β, z) := s in
    let π := policy z in
    let W := fun k =>
      let s := ((t + k) mod samples)%nat in let V := transition_at M s in
      Transition (t_state V) (t_action V) (t_next V)
        (inverse_cdf (π (t_next V)) (frac (1 + 3 * s) 0 8) 0 0 (nA M)) in
    let step := fun θ k => inner_step_2 M N (project d Dθ) η β θ (W k) in
    let step_rho := fun ρ k => inner_step_2_rho M N ξ β ρ (W k) in
    let θ1 := step θ 0%nat in let θ2 := step θ1 1%nat in
    let ρ1 := step_rho ρ 0%nat in let ρ2 := step_rho ρ1 1%nat in
    let θt := average_of [θ; θ1] in
    let ρt := average (fun F _ => nth (length F) [ρ; ρ1] 0) [tt; tt] 0%nat in
    let β' := outer_step_2 M N (fun _ => π) (project d Dβ) ζ β z ρt θt (W 2%nat) in
    let z' := keep d (vadd z θt) in
    let at_t := fun name => label ("algorithm-2-" ++ name) t in
    ((table_lines say (at_t "policy") M π
      ++ say (at_t "inner-rho-1") ρ1 ++ say (at_t "inner-rho-2") ρ2
      ++ vector_lines say (at_t "inner-1") d θ1 ++ vector_lines say (at_t "inner-2") d θ2
      ++ say (at_t "rho") ρt ++ vector_lines say (at_t "theta") d θt ++ vector_lines say (at_t "beta") d β'
      ++ vector_lines say (at_t "theta-sum") d z')%string, (θt, ρt, β', z')).

  Definition run_lines : string :=
    let zero := keep d vzero in
    let (a, s) := iteration_1 0 (θ0, β1, zero) in let (b, _) := iteration_1 1 s in
    let (c, s) := iteration_2 0 (θ0, frac 1 0 2, β1, zero) in let (e, _) := iteration_2 1 s in
    (a ++ b ++ c ++ e)%string.
End Runs.

(** ** The constants of Theorems A.1 and C.1, with stand-ins for D_φ, D_θ, D_β, Tr(Λ^{2c−1}), ‖Λ‖^{2c−1} and log|A| *)
Definition constant_lines (i : instance) : string :=
  let M := mdp_of i in
  let Dφ := frac (dim M) 0 3 in let Dθ := frac 7 0 5 in let Dβ := frac 5 0 4 in
  let Tr := frac 7 0 3 in let λ := frac 3 0 5 in let ℓ := frac (S (nA M)) 0 5 in
  let T := frac 7 0 1 in let k := frac 5 0 1 in
  let α := frac 1 0 3 in let ζ := frac 2 0 5 in let ξ := frac 1 0 6 in let η := frac 1 0 7 in
  let Gθ := G_theta M Dφ Dβ λ in let Gβ := G_beta M Dφ Dθ Tr in
  let aGθ := average_G_theta Dφ Dβ λ in let aGβ := average_G_beta Dφ Dθ Tr in let aGρ := average_G_rho Dβ λ in
  let say := line i in
  (say "G-theta" Gθ ++ say "G-beta" Gβ
   ++ lines_of say "squared-rate" (firstn 3 (squared_rates_over Dβ Dθ Dφ ℓ Gβ 1 Gθ T k))
   ++ lines_of say "term" (six_terms_over Dβ Dθ Dφ ℓ Gβ Gθ α ζ η T k)
   ++ say "average-G-theta" aGθ ++ say "average-G-beta" aGβ ++ say "average-G-rho" aGρ
   ++ lines_of say "average-squared-rate" (squared_rates_over Dβ Dθ Dφ ℓ aGβ aGρ aGθ T k)
   ++ lines_of say "average-term" (eight_terms_over Dβ Dθ Dφ ℓ aGβ aGρ aGθ α ζ ξ η T k))%string.

(** ** C^† and C_{F,π} *)
Inductive sign := Definite | Semidefinite | Indefinite.

(** Of a symmetric matrix, by elimination. *)
Fixpoint sign_of (n : nat) (rows : list (list Qc)) : sign :=
  match n, rows with
  | S n, row :: rest =>
    let p := at_ row 0 in
    if Qc_eq_dec p 0%Qc then
      if forallb (fun x => if Qc_eq_dec x 0%Qc then true else false) row
      then match sign_of n (map (@tl Qc) rest) with Definite => Semidefinite | s => s end
      else Indefinite
    else if le_dec p 0 then Indefinite
    else sign_of n (map (fun r => tl (row_sub r row (at_ r 0 / p))) rest)
  | _, _ => Definite
  end.

Section Coverage.
  Variables (i : instance).
  Let M := mdp_of i.
  Let d := dim M.
  Let behavior := keep2 (nS M) (nA M) (table (nA M) (i_behavior i)).
  Let μB := keep2 (nS M) (nA M) (compose behavior (occupancy_of M behavior)).
  Let π' := keep2 (nS M) (nA M) (comparator (nA M)).
  Let μ' := keep2 (nS M) (nA M) (compose π' (occupancy_of M π')).
  Let Λ := keep2 d d (covariance M μB).
  Let C := keep2 d d (covariance M μ').

  (** Of τΛ − E_{μ*}φφᵀ: τ > C^†, = C^† or < C^†. *)
  Definition against (τ : QK) : sign :=
    sign_of d (map (fun j => map (fun k => τ * Λ j k - C j k) (seq 0 d)) (seq 0 d)).

  Fixpoint bisect (halvings : nat) (lower upper : QK) : QK * QK :=
    match halvings with
    | O => (lower, upper)
    | S halvings =>
      let middle := (lower + upper) / of_Z 2 in
      match against middle with
      | Definite => bisect halvings lower middle
      | Indefinite => bisect halvings middle upper
      | Semidefinite => (middle, middle)
      end
    end.
  (** C^⋄/d ≤ C^† ≤ C^⋄ (Proposition E.3), halved. *)
  Definition bracket : QK * QK :=
    let upper := coverage_diamond M (inverse_of d Λ) μ' in let lower := upper / of_Z (Z.of_nat d) in
    match against lower, against upper with
    | Semidefinite, _ => (lower, lower)
    | _, Semidefinite => (upper, upper)
    | _, _ => bisect 8 lower upper
    end.

  Definition quotient (y : vec QK) : QK := quad d y C y / quad d y Λ y.
  (** 0 where the denominator is. *)
  Definition bellman_quotient (θ : vec QK) : QK := bellman_error M μ' π' θ / bellman_error M μB π' θ.

  Definition coverage_lines : string :=
    let say := line i in
    let points := [keep d (run_theta 0); keep d (run_theta 1); keep d (run_beta 0)] in
    let (lower, upper) := bracket in
    let ratios := map bellman_quotient points in
    (lines_of say "dagger-quotient" (map quotient points)
     ++ say "dagger-lower" lower ++ say "dagger-upper" upper
     ++ lines_of say "bellman-quotient" ratios ++ say "bellman-coverage" (maximum ratios))%string.
End Coverage.

(** The ball of radius 2 around 3-4-5, in the first two components. *)
Definition projection_lines (i : instance) : string :=
  let d := i_dim i in
  vector_lines (line i) "projection" d (project d (of_Z 2) (fun k => nth k [of_Z 3; of_Z (-4)] 0)).

Definition parts : list (instance -> string) :=
  [fun i => estimator_lines i "" identity; fun i => estimator_lines i "-standin" stand_in; stand_in_lines;
   fun i => run_lines i "inside-" (of_Z 4096) (of_Z 4096); fun i => run_lines i "outside-" (frac 7 0 16) (frac 3 0 8);
   constant_lines; coverage_lines; projection_lines].

(** Part p of the report on instance n: fractions.sh asks for every p and n, as Coq's printer wants short strings. *)
Definition step_report (l : list instance) (n p : nat) : string :=
  concat (map (fun i => concat (map (fun lines => lines i) (firstn 1 (skipn p parts)))) (firstn 1 (skipn n l))).
