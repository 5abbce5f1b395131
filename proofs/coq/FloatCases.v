(** * The program's bits, compared

    A case is a run's input and every number that the program computed on it, as tests/coq_bits.rs writes them down.
    [verdict] runs BitsAlgorithm1.v or BitsAlgorithm2.v on the input and says where a bit differs first. *)

From Coq Require Import NArith String List Floats.
From OPD Require Import FloatBits BitsExp.
From OPD Require BitsAlgorithm1 BitsAlgorithm2.
Import ListNotations.
Local Open Scope string_scope.

(** A step of a run, k = 0 for the outer one, with its numbers by name, in the order of computation. *)
Record step := Step { t : nat; k : nat; fields : list (string * vector) }.

Section Discounted.
  Import BitsAlgorithm1.
  Definition inner_fields1 (s : inner) : list (string * vector) :=
    [("w", [w s]); ("policy_start", policy_start s); ("policy_next", policy_next s); ("mean_feature", mean_feature s);
     ("gradient", gradient s); ("unprojected", unprojected s); ("theta_next", θ_next s)].
  Definition outer_fields1 (s : outer) : list (string * vector) :=
    [("theta", o_θ s); ("policy_next", o_policy_next s); ("value_next", [value_next s]); ("td_error", [td_error s]);
     ("gradient", o_gradient s); ("unprojected", o_unprojected s); ("beta_next", β_next s); ("theta_sum", o_θ_sum s)].
End Discounted.

Section Average.
  Import BitsAlgorithm2.
  Definition inner_fields2 (s : inner) : list (string * vector) :=
    [("w", [w s]); ("policy_next", policy_next s); ("a_next", [float_of_nat (a_next s)]); ("gradient_rho", [gradient_ρ s]);
     ("gradient", gradient s); ("unprojected_rho", [unprojected_ρ s]); ("unprojected", unprojected s);
     ("rho_next", [ρ_next s]); ("theta_next", θ_next s)].
  Definition outer_fields2 (s : outer) : list (string * vector) :=
    [("theta", o_θ s); ("rho", [o_ρ s]); ("policy_next", o_policy_next s); ("value_next", [value_next s]);
     ("td_error", [td_error s]); ("gradient", o_gradient s); ("unprojected", o_unprojected s); ("beta_next", β_next s);
     ("theta_sum", o_θ_sum s)].
End Average.

Definition steps {I O} (inner : I -> list (string * vector)) (outer : O -> list (string * vector))
    (iterations : list (list I * O)) : list step :=
  let number := fun {A} (l : list A) => combine (seq 1 (length l)) l in
  flat_map (fun '(t, (is, o)) => (map (fun '(k, i) => Step t k (inner i)) (number is) ++ [Step t 0 (outer o)])%list)
    (number iterations).

(** What Coq computed, and what the program did: the numbers of every step, field by field. *)
Record case := Case { name : string; found : list step; expected : list (list vector) }.

Definition discounted name features weight γ α η ζ radius_θ radius_β θ0 β1 blocks expected : case :=
  let P := BitsAlgorithm1.Problem features weight γ α η ζ radius_θ radius_β in
  Case name (steps inner_fields1 outer_fields1 (BitsAlgorithm1.run P (BitsAlgorithm1.initial θ0 β1) blocks)) expected.
Definition average name features weight α η ζ ξ radius_θ radius_β θ0 ρ0 β1 blocks expected : case :=
  let P := BitsAlgorithm2.Problem features weight α η ζ ξ radius_θ radius_β in
  Case name (steps inner_fields2 outer_fields2 (BitsAlgorithm2.run P (BitsAlgorithm2.initial θ0 ρ0 β1) blocks)) expected.

(** Short names for what the files hold most of. *)
Definition B1 := BitsAlgorithm1.Block.
Definition B2 := BitsAlgorithm2.Block.
Definition W1 := BitsAlgorithm1.Sample.
Definition W2 := BitsAlgorithm2.Sample.

Inductive verdict :=
| Agree (cases numbers : N)
| Differ (name : string) (t k : nat) (field : string) (component : nat) (coq program : float)
| Shape (name : string) (t k : nat) (field : string).   (* not as many numbers, fields or steps *)

(** The same double: ±0 differ, as in Leibniz's equality. *)
Definition same : float -> float -> bool := PrimFloat.Leibniz.eqb.

Section Compare.
  Variables (name : string) (t k : nat).
  (** Each of these counts on from [n], or stops at a difference. *)
  Fixpoint compare_numbers (field : string) (i : nat) (found expected : vector) (n : N) : verdict :=
    match found, expected with
    | [], [] => Agree 0 n
    | x :: found, y :: expected =>
      if same x y then compare_numbers field (S i) found expected (N.succ n) else Differ name t k field i x y
    | _, _ => Shape name t k field
    end.
  Fixpoint compare_fields (found : list (string * vector)) (expected : list vector) (n : N) : verdict :=
    match found, expected with
    | [], [] => Agree 0 n
    | (field, x) :: found, y :: expected =>
      match compare_numbers field 0 x y n with Agree _ n => compare_fields found expected n | difference => difference end
    | _, _ => Shape name t k "field"
    end.
End Compare.

Fixpoint compare_steps (name : string) (found : list step) (expected : list (list vector)) (n : N) : verdict :=
  match found, expected with
  | [], [] => Agree 0 n
  | s :: found, y :: expected =>
    match compare_fields name (t s) (k s) (fields s) y n with
    | Agree _ n => compare_steps name found expected n
    | difference => difference
    end
  | _, _ => Shape name 0 0 "step"
  end.

Fixpoint compare_cases (cases : list case) (count n : N) : verdict :=
  match cases with
  | [] => Agree count n
  | c :: cases =>
    match compare_steps (name c) (found c) (expected c) n with
    | Agree _ n => compare_cases cases (N.succ count) n
    | difference => difference
    end
  end.
Definition compare (cases : list case) : verdict := compare_cases cases 0 0.

(** The exponential alone: arguments with what the program makes of them. *)
Definition compare_exponentials (points : list (float * float)) : verdict :=
  compare_numbers "exp" 0 0 "exp" 0 (map (fun p => exp (fst p)) points) (map snd points) 0.
