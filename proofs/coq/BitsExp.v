(** * The program's exponential and softmax, in machine doubles

    src/number/exponential.rs and src/linear/softmax.rs, operation by operation.  Only 2^k needs the representation of a double. *)

From Coq Require Import Uint63 List Floats.
From OPD Require Import FloatBits.
Import ListNotations.
Local Open Scope float_scope.

(** 1.5·2⁵²: adding it rounds to the nearest integer, which then sits in the low bits. *)
Definition SHIFT : float := 0x1.8p+52.
Definition LOG2_E : float := 0x1.71547652b82fep+0.
(** ln 2 in two parts; the first has 33 bits. *)
Definition LN2_HIGH : float := 0x1.62e42feep-1.
Definition LN2_LOW : float := 0x1.a39ef35793c76p-33.

(** 2^k for an integer k in −1022 … 1023.  k + SHIFT is an integer of 53 bits; its last 12 are k modulo 2^12.  Plus 1023
    they are the exponent field of the result; [ldshiftexp] takes the exponent plus 2101 ([FloatOps.shift]). *)
Definition two_to (k : float) : float :=
  let low := (normfr_mantissa (fst (frshiftexp (k + SHIFT))) land 4095)%uint63 in
  let field := ((low + 1023) land 4095)%uint63 in
  ldshiftexp 1 (field + (2101 - 1023))%uint63.

(** x = k·ln 2 + r; e^r = 1 + (r + r²·q(r)) with q in Estrin's scheme; 2^k in two halves. *)
Definition exp (x : float) : float :=
  let x := if 1000 <? x then 1000 else x in
  let x := if x <? -1000 then -1000 else x in
  let k := (x * LOG2_E + SHIFT) - SHIFT in
  let r := (x - k * LN2_HIGH) - k * LN2_LOW in
  let r2 := r * r in
  let r4 := r2 * r2 in
  let low := (1/2 + 1/6 * r) + (1/24 + 1/120 * r) * r2 in
  let middle := (1/720 + 1/5040 * r) + (1/40320 + 1/362880 * r) * r2 in
  let high := (1/3628800 + 1/39916800 * r) + (1/479001600 + 1/6227020800 * r) * r2 in
  let q := (low + middle * r4) + high * (r4 * r4) in
  let power := 1 + (r + r2 * q) in
  let half := (k * 0.5 + SHIFT) - SHIFT in
  power * two_to half * two_to (k - half).

Definition greatest (z : vector) : float :=
  match z with [] => 0 | first :: rest => fold_left (fun m v => if m <? v then v else m) rest first end.

(** e^{z_a − max z} over their sum, which runs from the first action to the last. *)
Definition softmax (z : vector) : vector :=
  let m := greatest z in
  let e := map (fun v => exp (v - m)) z in
  let total := fold_left add e 0 in
  map (fun v => v / total) e.

(** π(·|x) from φ(x, ·) and Σθ. *)
Definition policy (α : float) (features : matrix) (theta_sum : vector) : vector :=
  softmax (scale α (multiply features theta_sum)).

(** The first action whose cumulative probability exceeds u; where rounding leaves the whole sum at or below u, the last
    with a positive probability. *)
Fixpoint draw_from (π : vector) (u cumulative : float) (a last : nat) : nat :=
  match π with
  | [] => last
  | p :: π =>
    let cumulative := cumulative + p in
    if u <? cumulative then a else draw_from π u cumulative (S a) (if 0 <? p then a else last)
  end.
Definition draw (π : vector) (u : float) : nat := draw_from π u 0 0 0.
