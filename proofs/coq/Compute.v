(** * The definitions, computed in rationals

    The definitions of Mdp.v, Discounted.v, Average.v and Coverage.v at K := QK are programs.  This file runs them on
    the library's embedded instances (Instances.v, generated from the library's own tables) with fixed iterates, and
    makes one line of text per number; tests/coq_tie.rs compares the lines with what the library computes.

    Values, occupancies and inverses come from an elimination that nobody need trust: the report holds the residual
    of every equation they should solve. *)

From Coq Require Import ZArith QArith Qcanon List String DecimalString.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Average Coverage.
Import ListNotations.

Record instance := Instance {
  i_name : string;
  i_states : nat;  i_actions : nat;  i_dim : nat;
  i_features : list Q;  i_omega : list Q;  i_psi : list Q;
  i_initial : list Q;  i_discount : Q;  i_behavior : list Q;
  i_root : option (list Q);      (* Λ^{1/2}, where it is rational *)
  i_average : bool }.            (* serves the average-reward setting too *)

(** ** From lists to functions, and back through a list so that nothing is computed twice *)
Definition at_ (l : list Qc) (i : nat) : QK := nth i l 0%Qc.
Definition vector (l : list Q) : nat -> QK := let l := map Q2Qc l in fun i => at_ l i.
Definition table (width : nat) (l : list Q) : nat -> nat -> QK := let l := map Q2Qc l in fun i j => at_ l (i * width + j).
Definition keep (n : nat) (f : nat -> QK) : nat -> QK := let l := map f (seq 0 n) in fun i => at_ l i.
Definition keep2 (n m : nat) (f : nat -> nat -> QK) : nat -> nat -> QK :=
  let l := map (fun i => map (f i) (seq 0 m)) (seq 0 n) in fun i j => at_ (nth i l []) j.

Definition mdp_of (i : instance) : linear_mdp QK :=
  let features := map Q2Qc (i_features i) in
  LinearMDP QK (i_states i) (i_actions i) (i_dim i) (Q2Qc (i_discount i)) (vector (i_initial i))
    (fun x a k => at_ features ((x * i_actions i + a) * i_dim i + k)) (table (i_dim i) (i_psi i)) (vector (i_omega i)).

(** ** Gauss and Jordan: rows are [coefficients ++ right-hand sides] *)
Definition row_sub (r p : list Qc) (c : Qc) : list Qc := map (fun rp => (fst rp - c * snd rp)%Qc) (combine r p).

Fixpoint take_pivot (j : nat) (seen rows : list (list Qc)) : option (list Qc * list (list Qc)) :=
  match rows with
  | [] => None
  | r :: rest => if Qc_eq_dec (at_ r j) 0 then take_pivot j (r :: seen) rest else Some (r, rev_append seen rest)
  end.

(** Eliminates columns j, j+1, …; [done] holds the rows of the columns before j, last first. *)
Fixpoint eliminate (columns j : nat) (solved rows : list (list Qc)) : list (list Qc) :=
  match columns with
  | O => rev solved
  | S columns =>
    match take_pivot j [] rows with
    | None => []
    | Some (r, rest) =>
      let p := map (Qcmult (/ at_ r j)) r in
      let clear := fun row => row_sub row p (at_ row j) in
      eliminate columns (S j) (p :: map clear solved) (map clear rest)
    end
  end.

(** The solutions of A x = b for m right-hand sides b(·)(k), as a function of row and side. *)
Definition solve (n m : nat) (A B : nat -> nat -> QK) : nat -> nat -> QK :=
  let rows := map (fun i => map (A i) (seq 0 n) ++ map (B i) (seq 0 m)) (seq 0 n) in
  let solution := eliminate n 0 [] rows in
  fun i k => at_ (nth i solution []) (n + k).

Local Open Scope K_scope.

Definition kernel_of (M : linear_mdp QK) (π : nat -> nat -> QK) : nat -> nat -> QK :=
  keep2 (nS M) (nS M) (fun x x' => sum (nA M) (fun a => π x a * trans M x a x')).

Definition value_of (M : linear_mdp QK) (π : nat -> nat -> QK) : nat -> QK :=
  let P := kernel_of M π in
  let v := solve (nS M) 1 (fun x x' => identity x x' - γ M * P x x')
                          (fun x _ => sum (nA M) (fun a => π x a * reward M x a)) in
  keep (nS M) (fun x => v x O).

Definition occupancy_of (M : linear_mdp QK) (π : nat -> nat -> QK) : nat -> QK :=
  let P := kernel_of M π in
  let ν := solve (nS M) 1 (fun x x' => identity x x' - γ M * P x' x) (fun x _ => (1 - γ M) * ν0 M x) in
  keep (nS M) (fun x => ν x O).

(** ν = P_πᵀν with its first equation replaced by Σν = 1. *)
Definition stationary_of (M : linear_mdp QK) (π : nat -> nat -> QK) : nat -> QK :=
  let P := kernel_of M π in
  let ν := solve (nS M) 1 (fun x x' => if Nat.eqb x 0 then 1 else identity x x' - P x' x)
                          (fun x _ => if Nat.eqb x 0 then 1 else 0) in
  keep (nS M) (fun x => ν x O).

(** The bias with Σ_x v(x) = 0, which replaces the first equation (enough where ν^π(0) > 0; the residual tells). *)
Definition bias_of (M : linear_mdp QK) (π : nat -> nat -> QK) (ρ : QK) : nat -> QK :=
  let P := kernel_of M π in
  let v := solve (nS M) 1 (fun x x' => if Nat.eqb x 0 then 1 else identity x x' - P x x')
                          (fun x _ => if Nat.eqb x 0 then 0 else sum (nA M) (fun a => π x a * (reward M x a - ρ))) in
  keep (nS M) (fun x => v x O).

Definition inverse_of (d : nat) (A : nat -> nat -> QK) : nat -> nat -> QK := keep2 d d (solve d d A identity).

(** ** The iterates and comparators of the comparison: small fixed fractions, spelled out again in the Rust test *)
Definition frac (p : nat) (z : Z) (q : nat) : QK := Q2Qc (Qmake (Z.of_nat p - z) (Pos.of_nat q)).
Definition run_theta (t i : nat) : QK := frac (((i + 1) * (t + 2)) mod 5) 2 (t + 2).
Definition run_beta (t i : nat) : QK := frac (((i + 2) * (t + 1)) mod 7) 3 (t + 1).
Definition run_v (x : nat) : QK := frac (x + 1) 0 2.
Definition run_rho (t : nat) : QK := frac 1 0 (t + 2).
Definition weight (t x a : nat) : nat := 1 + (x + 2 * a + t) mod 3.
Definition run_policy (actions t x a : nat) : QK :=
  frac (weight t x a) 0 (fold_left Nat.add (map (weight t x) (seq 0 actions)) O).
Definition iterations : nat := 2.
(** π* is the policy of the next iteration. *)
Definition comparator (actions : nat) : nat -> nat -> QK := run_policy actions iterations.

(** ** The report *)
Definition digits (z : Z) : string := NilZero.string_of_int (Z.to_int z).
Definition newline : string := String (Ascii.ascii_of_nat 10) EmptyString.
Definition line (i : instance) (name : string) (q : QK) : string :=
  (i_name i ++ " " ++ name ++ " " ++ digits (Qnum (this q)) ++ "/" ++ digits (Zpos (Qden (this q))) ++ newline)%string.

Definition total (n : nat) (f : nat -> QK) : QK := sum n (fun i => f i * f i).

Definition discounted_lines (i : instance) (suffix : string) (root : option (nat -> nat -> QK)) : string :=
  let M := mdp_of i in
  let d := dim M in let nA := nA M in let nS := nS M in
  let behavior := keep2 nS nA (table nA (i_behavior i)) in
  let μB := keep2 nS nA (compose behavior (occupancy_of M behavior)) in
  let Λ := keep2 d d (covariance M μB) in
  let L := match root with None => Λ | Some root => keep2 d d root end in
  let Linv := inverse_of d L in
  let Λinv := inverse_of d Λ in
  let π' := keep2 nS nA (comparator nA) in
  let ν' := occupancy_of M π' in
  let v' := value_of M π' in
  let μ' := keep2 nS nA (compose π' ν') in
  let β' := keep d (beta_star M Linv μ') in
  let πs := fun t => keep2 nS nA (run_policy nA t) in
  let θs := fun t => keep d (run_theta t) in
  let βs := fun t => keep d (run_beta t) in
  let π0 := πs 0%nat in let θ0 := θs 0%nat in let β0 := βs 0%nat in
  let values := [value_of M (πs 0%nat); value_of M (πs 1%nat)] in
  let θ' := fun t => keep d (theta_of M (nth t values (fun _ => 0))) in
  let say := fun name q => line i (name ++ suffix)%string q in
  let root_residual := match root with None => 0 | Some root =>
    sum d (fun j => sum d (fun k => let e := mmul d root root j k - Λ j k in e * e)) end in
  (say "residual-value" (total nS (fun x => v' x - sum nA (fun a => π' x a * q_of M v' x a)))
   ++ say "residual-occupancy" (total nS (fun x => ν' x - flow M μ' x))
   ++ say "residual-inverse" (sum d (fun j => total d (fun k => mmul d L Linv j k - identity j k)))
   ++ say "residual-root" root_residual
   ++ say "return-value" (return_of_value M v')
   ++ say "return-measure" (return_of_measure M μ')
   ++ say "equation-11" (eq_11 M L β0 π' run_v θ0)
   ++ say "equation-12" (eq_12 M L β0 π' run_v θ0)
   ++ say "equation-14" (f M L β0 π0 θ0)
   ++ say "equation-15-left" (eq_15_left M L β0 π0 θ0)
   ++ say "equation-15-right" (eq_15_right M L β0 π0 θ0)
   ++ say "suboptimality" (sum iterations (fun t =>
        return_of_measure M μ' - return_of_value M (nth t values (fun _ => 0))) / of_nat iterations)
   ++ say "gap" (gap M L iterations βs πs θs β' π' θ')
   ++ say "regret-theta" (regret_theta M L iterations βs πs θs θ')
   ++ say "regret-beta" (regret_beta M L iterations βs πs θs β')
   ++ say "regret-pi" (regret_pi M iterations πs θs π' ν')
   ++ say "coverage" (coverage M Linv μ')
   ++ say "coverage-second-moment" (mean M μ' (fun x a => quad d (φ M x a) (mmul d Linv Linv) (φ M x a)))
   ++ say "coverage-variance" (variance M μ' (fun x a => mulv d Linv (φ M x a)))
   ++ say "coverage-diamond" (coverage_diamond M Λinv μ'))%string.

Definition average_lines (i : instance) (suffix : string) (root : option (nat -> nat -> QK)) : string :=
  let M := mdp_of i in
  let d := dim M in let nA := nA M in let nS := nS M in
  let behavior := keep2 nS nA (table nA (i_behavior i)) in
  let μB := keep2 nS nA (compose behavior (stationary_of M behavior)) in
  let Λ := keep2 d d (covariance M μB) in
  let L := match root with None => Λ | Some root => keep2 d d root end in
  let Linv := inverse_of d L in
  let Λinv := inverse_of d Λ in
  (* ϱ solves Λϱ = E_{μ_B}φ, which Φϱ = 1 implies; the residual says that it solves that. *)
  let ϱ := keep d (mulv d Λinv (PhiT M μB)) in
  let π' := keep2 nS nA (comparator nA) in
  let ν' := stationary_of M π' in
  let μ' := keep2 nS nA (compose π' ν') in
  let β' := keep d (beta_star M Linv μ') in
  let πs := fun t => keep2 nS nA (run_policy nA t) in
  let θs := fun t => keep d (run_theta t) in
  let βs := fun t => keep d (run_beta t) in
  let gain := fun t => return_of_measure M (compose (πs t) (stationary_of M (πs t))) in
  let gains := [gain 0%nat; gain 1%nat] in
  let ρ' := fun t => nth t gains 0 in
  let biases := [bias_of M (πs 0%nat) (ρ' 0%nat); bias_of M (πs 1%nat) (ρ' 1%nat)] in
  let bias := fun t => nth t biases (fun _ => 0) in
  (* θ^π = ω − ρϱ + Ψv, unshifted: a shift by a constant changes neither the gap nor a regret, as Σ_x ψ(x) = ϱ. *)
  let θ' := fun t => keep d (fun k => ω M k - ρ' t * ϱ k + Psi M (bias t) k) in
  let π0 := πs 0%nat in let θ0 := θs 0%nat in let β0 := βs 0%nat in
  let say := fun name q => line i ("average-" ++ name ++ suffix)%string q in
  (say "residual-ones" (sum nS (fun x => total nA (fun a => dot d (φ M x a) ϱ - 1)))
   ++ say "residual-stationary" (total nS (fun x => ν' x - sumXA M (fun y a => trans M y a x * μ' y a)))
   ++ say "residual-bias" (total nS (fun x => bias 0%nat x - sum nA (fun a => π0 x a * bias_q M (ρ' 0%nat) (bias 0%nat) x a)))
   ++ say "gain" (return_of_measure M μ')
   ++ say "lagrangian-value" (average_lagrangian_value M ϱ β0 π' (run_rho 0) run_v θ0)
   ++ say "lagrangian-measure" (average_lagrangian_measure M ϱ β0 π' (run_rho 0) run_v θ0)
   ++ say "f" (average_f M ϱ L β0 π0 (run_rho 0) θ0)
   ++ say "f-long" (average_f_long M ϱ L β0 π0 (run_rho 0) θ0)
   ++ say "suboptimality" (sum iterations (fun t => return_of_measure M μ' - ρ' t) / of_nat iterations)
   ++ say "gap" (average_duality_gap M ϱ L iterations βs πs run_rho θs β' π' ρ' θ')
   ++ say "regret-beta" (sum iterations (fun t => dot d (vsub β' (βs t)) (average_g_beta M ϱ L (πs t) (run_rho t) (θs t))) / of_nat iterations)
   ++ say "regret-pi" (regret_pi M iterations πs θs π' ν')
   ++ say "regret-rho" (sum iterations (fun t => (run_rho t - ρ' t) * average_g_rho M ϱ L (βs t)) / of_nat iterations)
   ++ say "regret-theta" (sum iterations (fun t => dot d (vsub (θs t) (θ' t)) (average_g_theta M L (βs t) (πs t))) / of_nat iterations))%string.

Definition lines (i : instance) : string :=
  let root := option_map (table (i_dim i)) (i_root i) in
  (discounted_lines i "" None
   ++ (match root with None => EmptyString | Some root => discounted_lines i "-half" (Some root) end)
   ++ (if i_average i then average_lines i "" None
         ++ (match root with None => EmptyString | Some root => average_lines i "-half" (Some root) end)
       else EmptyString))%string.

Definition report (l : list instance) : string := fold_right (fun i s => lines i ++ s)%string EmptyString l.
