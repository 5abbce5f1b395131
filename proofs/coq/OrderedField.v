(** * Ordered fields

    Everything the paper defines is defined here once, over an arbitrary ordered field [K] with decidable
    order, and instantiated twice: the reals [RK] (the paper's setting) and the canonical rationals [QK]
    (which compute).  A theorem about every [K] holds of both, and uses no axiom at all.

    Equality is Coq's own [=]; the order is decidable so that finite maxima and eliminations exist. *)

From Coq Require Import Ring Field Reals Qcanon Lra.

Record ofield := OField {
  carrier :> Type;
  zero : carrier;
  one : carrier;
  add : carrier -> carrier -> carrier;
  mul : carrier -> carrier -> carrier;
  sub : carrier -> carrier -> carrier;
  opp : carrier -> carrier;
  div : carrier -> carrier -> carrier;
  inv : carrier -> carrier;
  le : carrier -> carrier -> Prop;
  field_laws : field_theory zero one add mul sub opp div inv (@eq carrier);
  le_dec : forall x y, {le x y} + {~ le x y};
  le_total : forall x y, le x y \/ le y x;
  le_antisym : forall x y, le x y -> le y x -> x = y;
  le_trans : forall x y z, le x y -> le y z -> le x z;
  add_le : forall x y z, le x y -> le (add z x) (add z y);
  mul_nonneg : forall x y, le zero x -> le zero y -> le zero (mul x y) }.

Arguments zero {o}. Arguments one {o}.
Arguments add {o}. Arguments mul {o}. Arguments sub {o}. Arguments opp {o}.
Arguments div {o}. Arguments inv {o}. Arguments le {o}. Arguments le_dec {o}.

(** Strictly below. *)
Definition lt {K : ofield} (x y : K) := le x y /\ x <> y.

(** |x| *)
Definition abs {K : ofield} (x : K) : K := if le_dec zero x then x else opp x.

Declare Scope K_scope.
Delimit Scope K_scope with K.
Bind Scope K_scope with carrier.
Notation "0" := zero : K_scope.
Notation "1" := one : K_scope.
Infix "+" := add : K_scope.
Infix "*" := mul : K_scope.
Infix "-" := sub : K_scope.
Infix "/" := div : K_scope.
Notation "- x" := (opp x) : K_scope.
Infix "<=" := le : K_scope.
Infix "<" := lt : K_scope.
Notation "x <= y <= z" := (le x y /\ le y z) : K_scope.
Notation "x ²" := (mul x x) (at level 1, format "x ²") : K_scope.

(** The image of a natural number in the field. *)
Fixpoint of_nat {K : ofield} (n : nat) : K :=
  match n with O => zero | S n => add (of_nat n) one end.

Local Open Scope K_scope.

Section Laws.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).
  Implicit Types x y z a b c : K.

  Lemma le_refl x : x <= x.
  Proof. destruct (le_total K x x); assumption. Qed.

  Lemma le_eq x y : x = y -> x <= y.
  Proof. intros ->. apply le_refl. Qed.

  Lemma not_le x y : ~ x <= y -> y <= x.
  Proof. intros H. destruct (le_total K x y); tauto. Qed.

  Lemma not_le_lt x y : ~ x <= y -> y < x.
  Proof. intros H. split; [now apply not_le | intros ->; apply H, le_refl]. Qed.

  Lemma lt_le x y : x < y -> x <= y.
  Proof. intros [H _]. exact H. Qed.

  Lemma lt_not_le x y : x < y -> ~ y <= x.
  Proof. intros [H N] H'. apply N. now apply le_antisym. Qed.

  Lemma eq_dec x y : {x = y} + {x <> y}.
  Proof.
    destruct (le_dec x y) as [H|H].
    - destruct (le_dec y x) as [H'|H'].
      + left. now apply le_antisym.
      + right. intros ->. apply H', le_refl.
    - right. intros ->. apply H, le_refl.
  Qed.

  Lemma add_le_r x y z : x <= y -> x + z <= y + z.
  Proof.
    intros H. replace (x + z) with (z + x) by ring. replace (y + z) with (z + y) by ring. now apply add_le.
  Qed.

  Lemma add_le_compat x y z t : x <= y -> z <= t -> x + z <= y + t.
  Proof. intros H H'. apply le_trans with (y + z); [now apply add_le_r | now apply add_le]. Qed.

  Lemma sub_nonneg x y : 0 <= y - x <-> x <= y.
  Proof.
    split; intros H.
    - replace x with (x + 0) by ring. replace y with (x + (y - x)) by ring. now apply add_le.
    - replace 0 with (- x + x) by ring. replace (y - x) with (- x + y) by ring. now apply add_le.
  Qed.

  (** The way to an inequality: name the difference, show that it is not negative. *)
  Lemma le_by_sub x y d : y - x = d -> 0 <= d -> x <= y.
  Proof. intros E H. apply sub_nonneg. now rewrite E. Qed.

  Lemma opp_le x y : x <= y -> - y <= - x.
  Proof. intros H. apply le_by_sub with (y - x); [ring | now apply sub_nonneg]. Qed.

  Lemma opp_nonneg x : x <= 0 -> 0 <= - x.
  Proof. intros H. apply le_by_sub with (0 - x); [ring | now apply sub_nonneg]. Qed.

  Lemma add_nonneg x y : 0 <= x -> 0 <= y -> 0 <= x + y.
  Proof. intros H H'. replace (0 : K) with (0 + 0 : K) by ring. now apply add_le_compat. Qed.

  Lemma mul_le_l x y z : 0 <= z -> x <= y -> z * x <= z * y.
  Proof.
    intros Hz H. apply le_by_sub with (z * (y - x)); [ring | apply mul_nonneg; [exact Hz | now apply sub_nonneg]].
  Qed.

  Lemma mul_le_r x y z : 0 <= z -> x <= y -> x * z <= y * z.
  Proof.
    intros Hz H. apply le_by_sub with (z * (y - x)); [ring | apply mul_nonneg; [exact Hz | now apply sub_nonneg]].
  Qed.

  Lemma mul_le_compat x y z t : 0 <= x -> 0 <= z -> x <= y -> z <= t -> x * z <= y * t.
  Proof.
    intros Hx Hz H H'. apply le_trans with (y * z); [now apply mul_le_r | apply mul_le_l; [|exact H']].
    now apply le_trans with x.
  Qed.

  Lemma sq_nonneg x : 0 <= x².
  Proof.
    destruct (le_total K 0 x) as [H|H]; [now apply mul_nonneg|].
    replace (x * x) with ((- x) * (- x)) by ring. now apply mul_nonneg; apply opp_nonneg.
  Qed.

  Lemma one_nonneg : (0 : K) <= 1.
  Proof. replace (1 : K) with (1 * 1 : K) by ring. apply sq_nonneg. Qed.

  Lemma one_neq_zero : (1 : K) <> 0.
  Proof. exact (F_1_neq_0 (field_laws K)). Qed.

  Lemma one_pos : (0 : K) < 1.
  Proof. split; [apply one_nonneg | intros E; now apply one_neq_zero]. Qed.

  Lemma mul_zero x y : x * y = 0 -> x = 0 \/ y = 0.
  Proof.
    intros H. destruct (eq_dec x 0) as [E|N]; [now left | right].
    replace y with ((x * y) / x) by now field. rewrite H. now field.
  Qed.
End Laws.

Section MoreLaws.
  Context {K : ofield}.
  Add Field K_field' : (field_laws K).
  Implicit Types x y z a b c : K.

  Lemma mul_pos x y : 0 < x -> 0 < y -> 0 < x * y.
  Proof.
    intros [Hx Nx] [Hy Ny]. split; [now apply mul_nonneg|]. intros E. symmetry in E.
    destruct (mul_zero x y E) as [-> | ->]; congruence.
  Qed.

  Lemma lt_neq x : 0 < x -> x <> 0.
  Proof. intros [_ N] E. apply N. now symmetry. Qed.

  Lemma inv_pos x : 0 < x -> 0 < inv x.
  Proof.
    intros H. pose proof (lt_neq x H) as N. split.
    - destruct (le_total K 0 (inv x)) as [G|G]; [exact G|]. exfalso.
      apply (lt_not_le 0 (1 : K)); [apply one_pos|].
      replace (1 : K) with (- (x * (- inv x))) by now field.
      replace (0 : K) with (- (0 : K)) by ring. apply opp_le, mul_nonneg; [apply H | now apply opp_nonneg].
    - intros E. apply (one_neq_zero (K := K)). replace (1 : K) with (x * inv x) by now field. rewrite <- E. ring.
  Qed.

  Lemma div_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
  Proof.
    intros Hx Hy. replace (x / y) with (x * inv y) by (field; now apply lt_neq).
    apply mul_nonneg; [exact Hx | apply lt_le; now apply inv_pos].
  Qed.

  Lemma le_mul_reg_r x y z : 0 < z -> x * z <= y * z -> x <= y.
  Proof.
    intros Hz H. pose proof (lt_neq z Hz) as N.
    replace x with (x * z * inv z) by now field. replace y with (y * z * inv z) by now field.
    apply mul_le_r; [apply lt_le; now apply inv_pos | exact H].
  Qed.

  Lemma div_le_iff x y z : 0 < z -> (x / z <= y <-> x <= y * z).
  Proof.
    intros Hz. pose proof (lt_neq z Hz) as N. split; intros H.
    - replace x with (x / z * z) by now field. apply mul_le_r; [now apply lt_le | exact H].
    - apply le_mul_reg_r with z; [exact Hz|]. now replace (x / z * z) with x by now field.
  Qed.

  Lemma sq_zero x : x² <= 0 -> x = 0.
  Proof.
    intros H. assert (E : x * x = 0) by (apply le_antisym; [exact H | apply sq_nonneg]).
    now destruct (mul_zero x x E).
  Qed.

  Lemma sq_le x y : 0 <= x -> x <= y -> x² <= y².
  Proof. intros Hx H. now apply mul_le_compat. Qed.

  (** |x| <= y implies x² <= y². *)
  Lemma sq_le_abs x y : - y <= x -> x <= y -> x² <= y².
  Proof.
    intros H H'. apply le_by_sub with ((y - x) * (x - - y)); [ring|].
    apply mul_nonneg; now apply sub_nonneg.
  Qed.

  Lemma of_nat_nonneg n : (0 : K) <= of_nat n.
  Proof. induction n; simpl; [apply le_refl | apply add_nonneg; [exact IHn | apply one_nonneg]]. Qed.

  Lemma of_nat_pos n : n <> O -> (0 : K) < of_nat n.
  Proof.
    destruct n as [|n]; [congruence | intros _; simpl]. split.
    - apply add_nonneg; [apply of_nat_nonneg | apply one_nonneg].
    - intros E. apply (lt_not_le 0 (1 : K)); [apply one_pos|]. rewrite E.
      apply le_by_sub with (of_nat n); [ring | apply of_nat_nonneg].
  Qed.

  (** (a + b)² <= 2 (a² + b²) and (a + b + c)² <= 3 (a² + b² + c²). *)
  Lemma sq_add2 a b : (a + b)² <= (1 + 1) * (a² + b²).
  Proof. apply le_by_sub with ((a - b)²); [ring | apply sq_nonneg]. Qed.

  Lemma sq_add3 a b c : (a + b + c)² <= (1 + 1 + 1) * (a² + b² + c²).
  Proof.
    apply le_by_sub with ((a - b)² + (b - c)² + (a - c)²); [ring|].
    repeat apply add_nonneg; apply sq_nonneg.
  Qed.
End MoreLaws.

(** * The reals *)
Lemma R_total (x y : R) : (x <= y)%R \/ (y <= x)%R.
Proof. lra. Qed.

Lemma R_add_le (x y z : R) : (x <= y -> z + x <= z + y)%R.
Proof. lra. Qed.

Canonical Structure RK : ofield :=
  OField R R0 R1 Rplus Rmult Rminus Ropp Rdiv Rinv Rle Rfield Rle_dec
    R_total Rle_antisym Rle_trans R_add_le Rmult_le_pos.

(** Inside a goal about [RK], show the stdlib's own operations, so that [lra], [nra] and [ring] see them. *)
Ltac to_R := unfold lt in *; cbn [carrier zero one add mul sub opp div inv le RK] in *.

(** * The canonical rationals *)
Lemma Qc_total (x y : Qc) : (x <= y)%Qc \/ (y <= x)%Qc.
Proof. destruct (Qclt_le_dec x y) as [H|H]; [left; now apply Qclt_le_weak | now right]. Qed.

Lemma Qc_add_le (x y z : Qc) : (x <= y -> z + x <= z + y)%Qc.
Proof. intros H. apply Qcplus_le_compat; [apply Qcle_refl | exact H]. Qed.

Lemma Qc_mul_nonneg (x y : Qc) : (0 <= x -> 0 <= y -> 0 <= x * y)%Qc.
Proof. intros Hx Hy. rewrite <- (Qcmult_0_l y). now apply Qcmult_le_compat_r. Qed.

Definition Qc_le_dec (x y : Qc) : {(x <= y)%Qc} + {~ (x <= y)%Qc}.
Proof. destruct (Qclt_le_dec y x) as [H|H]; [right; now apply Qclt_not_le | now left]. Defined.

Canonical Structure QK : ofield :=
  OField Qc 0%Qc 1%Qc Qcplus Qcmult Qcminus Qcopp Qcdiv Qcinv Qcle Qcft Qc_le_dec
    Qc_total Qcle_antisym Qcle_trans Qc_add_le Qc_mul_nonneg.
