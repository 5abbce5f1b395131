(** * The program's vectors, in machine doubles

    PrimFloat's operations are those of the processor, rounded to nearest even; there is no fused multiply-add.  Every
    definition below follows the order of operations that the module docs of src/linear/vector.rs and src/linear/projection.rs fix, so
    that running it ([vm_compute]) gives the program's bits: FloatCases.v compares.

    Comparisons are written as in the program, so that NaN falls on the same side. *)

From Coq Require Import ZArith List Floats.
Import ListNotations.
Local Open Scope float_scope.

Definition vector := list float.
(** By rows. *)
Definition matrix := list vector.

Fixpoint map2 {A B C} (f : A -> B -> C) (l : list A) (m : list B) : list C :=
  match l, m with x :: l, y :: m => f x y :: map2 f l m | _, _ => [] end.

(** n as a double: exact below 2^53. *)
Definition float_of_nat (n : nat) : float := of_uint63 (Uint63.of_Z (Z.of_nat n)).

(** Lane l of an inner product: from [s], the terms l, l+8, l+16, … in order.  [skip] terms come before the next one. *)
Fixpoint lane (skip : nat) (s : float) (terms : vector) : float :=
  match terms with
  | [] => s
  | p :: terms => match skip with O => lane 7 (s + p) terms | S skip => lane skip s terms end
  end.

(** ⟨a, b⟩: rounded products, eight lanes from 0, folded in halves. *)
Definition dot (a b : vector) : float :=
  let l := fun i => lane i 0 (map2 mul a b) in
  ((l 0%nat + l 4%nat) + (l 2%nat + l 6%nat)) + ((l 1%nat + l 5%nat) + (l 3%nat + l 7%nat)).

(** ‖y‖ *)
Definition norm (y : vector) : float := sqrt (dot y y).

(** y + s·x, and s·y *)
Definition add_scaled (s : float) (x y : vector) : vector := map2 (fun yi xi => yi + xi * s) y x.
Definition scale (s : float) (y : vector) : vector := map (fun yi => yi * s) y.
Definition add_vectors (y x : vector) : vector := map2 add y x.
Definition zeros (d : nat) : vector := repeat 0 d.

(** M x, and y + Mᵀ x = y + Σᵢ xᵢ Mᵢ from the first row to the last. *)
Definition multiply (M : matrix) (x : vector) : vector := map (fun row => dot row x) M.
Fixpoint add_rows (M : matrix) (x : vector) (y : vector) : vector :=
  match M, x with row :: M, xi :: x => add_rows M x (add_scaled xi row y) | _, _ => y end.

(** Λ^{c−1} y; [None] is the identity (c = 1). *)
Definition weighted (weight : option matrix) (y : vector) : vector :=
  match weight with None => y | Some N => multiply N y end.

(** Π onto the ball of radius D: y·(D/‖y‖) where ‖y‖ > D, and y otherwise. *)
Definition project_ball (D : float) (y : vector) : vector :=
  let n := norm y in if D <? n then scale (D / n) y else y.

(** Π onto [0, 1]. *)
Definition clamp (y : float) : float := if y <? 0 then 0 else if 1 <? y then 1 else y.

(** One step of descent and of ascent: θ − (η·g) and β + (ζ·g). *)
Definition descend (η : float) (g θ : vector) : vector := map2 (fun t g => t - g * η) θ g.
Definition ascend (ζ : float) (g β : vector) : vector := add_scaled ζ g β.

(** (1/K) Σ of K iterates, given their sum in order from 0: times the rounded 1/K. *)
Definition average_of_sum (K : nat) (sum : vector) : vector := scale (1 / float_of_nat K) sum.
