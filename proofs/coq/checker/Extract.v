(** * The checker, extracted to OCaml

    Coq's integers become Zarith's.  The lines below are believed, not proved: each says that a function of Zarith
    computes what a function of Coq's standard library does.  Zarith's [Z.t] (here [Zarith.t], since the extracted
    file has a [Z] of its own) stands for [positive] too.  Division is by positive numbers only ([scale]). *)

From Coq Require Import ZArith QArith Extraction ExtrOcamlBasic.
From OPD Require Import Certificate.

Extract Inductive positive => "Zarith.t"
  [ "(fun p -> Zarith.succ (Zarith.shift_left p 1))" "(fun p -> Zarith.shift_left p 1)" "Zarith.one" ]
  "(fun odd even one p -> if Zarith.equal p Zarith.one then one ()
    else (if Zarith.is_odd p then odd else even) (Zarith.shift_right p 1))".
Extract Inductive Z => "Zarith.t" [ "Zarith.zero" "" "Zarith.neg" ]
  "(fun zero pos neg z -> if Zarith.sign z = 0 then zero () else if Zarith.sign z > 0 then pos z else neg (Zarith.neg z))".

Extract Inlined Constant Z.add => "Zarith.add".
Extract Inlined Constant Z.mul => "Zarith.mul".
Extract Inlined Constant Pos.mul => "Zarith.mul".
Extract Inlined Constant Z.opp => "Zarith.neg".
Extract Inlined Constant Z.lcm => "Zarith.lcm".
Extract Inlined Constant Z.div => "Zarith.fdiv".
Extract Inlined Constant Z.leb => "Zarith.leq".
Extract Inlined Constant Z.eqb => "Zarith.equal".
Extract Inlined Constant Zbool.Zeq_bool => "Zarith.equal".

Extraction "certificate.ml" check.
