(** * The library's exponential, operation by operation, and its error

    src/exponential.rs: x = k ln 2 + r, e^r by its Taylor polynomial of degree 13 in Estrin's order, 2^k in two halves. *)

From Coq Require Import Reals Lra Lia ZArith Psatz.
From Flocq Require Import Core.
From OPD Require Import RealSums FloatProjection FloatAverage FloatDot FloatVectors FloatSoftmax ExpTaylor.
Local Open Scope R_scope.

(** ** The model *)

Definition SHIFT : R := 6755399441055744.                              (* 1.5·2^52 *)
Definition LOG2_E : R := 3248660424278399 / 2251799813685248.          (* f64::consts::LOG2_E *)

(** The nearest integer, by adding and taking away [SHIFT]. *)
Definition to_integer (x : R) : R := rnd (rnd (x + SHIFT) - SHIFT).

(** 2^k for an integer k in −1022 … 1023. *)
Definition two_to (k : R) : R := bpow radix2 (Zfloor k).

(** 1/i!, rounded *)
Definition coefficient (i : nat) : R := rnd (1 / rfact i).

(** (c_i + c_{i+1} r) + (c_{i+2} + c_{i+3} r) r² *)
Definition four (i : nat) (r r2 : R) : R :=
  rnd (rnd (coefficient i + rnd (coefficient (i + 1) * r)) + rnd (rnd (coefficient (i + 2) + rnd (coefficient (i + 3) * r)) * r2)).

(** 1 + (r + r² q(r)) *)
Definition float_power (r : R) : R :=
  let r2 := rnd (r * r) in let r4 := rnd (r2 * r2) in
  let q := rnd (rnd (four 2 r r2 + rnd (four 6 r r2 * r4)) + rnd (four 10 r r2 * rnd (r4 * r4))) in
  rnd (1 + rnd (r + rnd (r2 * q))).

Definition float_exp (x : R) : R :=
  let x := if Rlt_dec 1000 x then 1000 else x in
  let x := if Rlt_dec x (-1000) then -1000 else x in
  let k := to_integer (rnd (x * LOG2_E)) in
  let r := rnd (rnd (x - rnd (k * LN2_HIGH)) - rnd (k * LN2_LOW)) in
  let half := to_integer (rnd (k * / 2)) in
  rnd (rnd (float_power r * two_to half) * two_to (rnd (k - half))).

(** ** Integers *)

Lemma double_float (n e : Z) : (Z.abs n < 2 ^ 53)%Z -> (-1074 <= e)%Z -> double (IZR n * bpow radix2 e).
Proof. intros Hn He. apply generic_format_FLT. exists (Float radix2 n e); [reflexivity | exact Hn | exact He]. Qed.

Lemma rnd_double x : double x -> rnd x = x.
Proof. intros H. apply round_generic; [apply valid_rnd_N | exact H]. Qed.

Lemma rnd_IZR n : (Z.abs n < 2 ^ 53)%Z -> rnd (IZR n) = IZR n.
Proof.
  intros H. apply rnd_double. replace (IZR n) with (IZR n * bpow radix2 0) by (simpl; ring). apply double_float; [exact H | lia].
Qed.

(** From 2^52 to 2^53 the doubles are the integers. *)
Lemma rnd_integer z : bpow radix2 52 <= z < bpow radix2 53 -> rnd z = IZR (ZnearestE z).
Proof.
  intros [L U]. assert (P : 0 < z) by (pose proof (bpow_gt_0 radix2 52); lra).
  assert (E : cexp radix2 (FLT_exp (-1074) 53) z = 0%Z).
  { unfold cexp. rewrite (mag_unique_pos radix2 z 53) by (split; assumption). reflexivity. }
  unfold rnd, round. unfold scaled_mantissa. rewrite E. unfold F2R. simpl. now rewrite !Rmult_1_r.
Qed.

Lemma to_integer_spec y : Rabs y <= 1048576 -> exists n : Z, to_integer y = IZR n /\ Rabs (y - IZR n) <= / 2 /\ (Z.abs n <= 1048577)%Z.
Proof.
  intros H. apply Rabs_le_inv in H. set (S := 6755399441055744%Z). exists (ZnearestE (y + SHIFT) - S)%Z.
  assert (R1 : rnd (y + SHIFT) = IZR (ZnearestE (y + SHIFT))).
  { apply rnd_integer. change (bpow radix2 52) with 4503599627370496. change (bpow radix2 53) with 9007199254740992. unfold SHIFT. lra. }
  pose proof (Znearest_half (fun x => negb (Z.even x)) (y + SHIFT)) as Hh. set (n := ZnearestE (y + SHIFT)) in *.
  assert (Hn : Rabs (y - IZR (n - S)) <= / 2).
  { rewrite minus_IZR. replace (y - (IZR n - IZR S)) with (y + SHIFT - IZR n) by (unfold SHIFT, S; ring). exact Hh. }
  assert (Bn : (Z.abs (n - S) <= 1048577)%Z).
  { apply Rabs_le_inv in Hn. apply Z.abs_le. change (- (1048577))%Z with (-1048577)%Z. split; apply le_IZR; lra. }
  split; [|split; [exact Hn | exact Bn]].
  unfold to_integer. rewrite R1. replace (IZR n - SHIFT) with (IZR (n - S)) by (rewrite minus_IZR; reflexivity). apply rnd_IZR. lia.
Qed.

(** ** The polynomial: x approximates y to within eε, and |y| ≤ b *)
Definition approx (e b x y : R) : Prop := Rabs (x - y) <= e * ε /\ Rabs y <= b.

Lemma ε_value : ε = / 4503599627370496.
Proof. pose proof ε_small. lra. Qed.

Lemma tiny_million x : / 1000000 <= x -> tiny <= x.
Proof.
  intros H. apply Rle_trans with (2 := H). apply Rle_trans with (bpow radix2 (-20)); [apply bpow_le; lia|].
  change (bpow radix2 (-20)) with (/ 1048576). lra.
Qed.

Lemma approx_add e b x y e' b' x' y' E B : approx e b x y -> approx e' b' x' y' -> 0 <= e <= 10 -> 0 <= e' <= 10 -> 0 <= b -> 0 <= b' ->
  e + e' + b + b' + / 100000 <= E -> b + b' <= B -> approx E B (rnd (x + x')) (y + y').
Proof.
  intros [H C] [H' C'] He He' Hb Hb' HE HB. pose proof ε_value as V. pose proof ε_pos as P.
  split; [|eapply Rle_trans; [apply Rabs_triang | lra]].
  assert (S : Rabs (x + x' - (y + y')) <= (e + e') * ε).
  { replace (x + x' - (y + y')) with ((x - y) + (x' - y')) by ring. eapply Rle_trans; [apply Rabs_triang | lra]. }
  assert (s : (e + e') * ε <= / 100000).
  { apply Rle_trans with (20 * ε); [apply Rmult_le_compat_r; lra | lra]. }
  assert (X : Rabs (x + x') <= b + b' + / 100000).
  { eapply Rle_trans; [apply (abs_shift _ (y + y') (b + b') ((e + e') * ε)); [eapply Rle_trans; [apply Rabs_triang | lra] | exact S]|]. lra. }
  pose proof (rnd_within (b + b' + / 100000) (x + x') X (tiny_million (b + b' + / 100000) ltac:(lra))) as R.
  eapply Rle_trans; [eapply abs_trans; [exact R | exact S]|].
  rewrite (Rmult_comm ε), <- Rmult_plus_distr_r. apply Rmult_le_compat_r; lra.
Qed.

Lemma approx_mul e b x y e' b' x' y' E B : approx e b x y -> approx e' b' x' y' -> 0 <= e <= 10 -> 0 <= e' <= 10 -> 0 <= b <= 2 -> 0 <= b' <= 2 ->
  e * (b' + / 100000) + e' * b + b * b' + / 10000 <= E -> b * b' <= B -> approx E B (rnd (x * x')) (y * y').
Proof.
  intros [H C] [H' C'] He He' Hb Hb' HE HB. pose proof ε_value as V. pose proof ε_pos as P.
  assert (s : 0 <= 10 * ε <= / 100000) by lra.
  split; [|eapply Rle_trans; [apply abs_mul; [exact C | exact C'] | exact HB]].
  assert (X' : Rabs x' <= b' + / 100000) by (apply (Rle_trans _ (b' + e' * ε)); [now apply (abs_shift _ y') | nra]).
  assert (X0 : Rabs x <= b + / 100000) by (apply (Rle_trans _ (b + e * ε)); [now apply (abs_shift _ y) | nra]).
  assert (S : Rabs (x * x' - y * y') <= (e * (b' + / 100000) + e' * b) * ε).
  { replace (x * x' - y * y') with ((x - y) * x' + y * (x' - y')) by ring. eapply Rle_trans; [apply Rabs_triang|].
    pose proof (abs_mul _ _ _ _ H X'). pose proof (abs_mul _ _ _ _ C H'). lra. }
  assert (X : Rabs (x * x') <= b * b' + / 10000).
  { eapply Rle_trans; [apply abs_mul; [exact X0 | exact X']|]. nra. }
  pose proof (rnd_within (b * b' + / 10000) (x * x') X (tiny_million (b * b' + / 10000) ltac:(nra))) as R.
  eapply Rle_trans; [eapply abs_trans; [exact R | exact S]|].
  assert ((b * b' + / 10000) * ε + (e * (b' + / 100000) + e' * b) * ε <= E * ε); [|lra].
  rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; lra.
Qed.

Lemma approx_coefficient i b : / 1000000 <= b -> 1 / rfact i <= b -> approx b b (coefficient i) (1 / rfact i).
Proof.
  intros Hb H. pose proof (fact_pos i) as P. assert (A : Rabs (1 / rfact i) <= b).
  { rewrite Rabs_pos_eq; [exact H|]. unfold Rdiv. rewrite Rmult_1_l. apply Rlt_le, Rinv_0_lt_compat, P. }
  split; [|exact A]. rewrite Rmult_comm. apply rnd_within; [exact A | now apply tiny_million].
Qed.

(** What [four] approximates. *)
Definition exact_four (i : nat) (r : R) : R :=
  (1 / rfact i + 1 / rfact (i + 1) * r) + (1 / rfact (i + 2) + 1 / rfact (i + 3) * r) * (r * r).

Lemma approx_four i r r2 c0 c1 c2 c3 e b : Rabs r <= 7 / 20 -> approx (1227 / 10000) (1225 / 10000) r2 (r * r) ->
  (1 / rfact i <= c0 /\ 1 / rfact (i + 1) <= c1 /\ 1 / rfact (i + 2) <= c2 /\ 1 / rfact (i + 3) <= c3) ->
  (/ 1000000 <= c0 <= 1 /\ / 1000000 <= c1 <= 1 /\ / 1000000 <= c2 <= 1 /\ / 1000000 <= c3 <= 1) ->
  c0 + (c1 * (7 / 20 + / 100000) + c1 * (7 / 20) + / 10000) + (c0 + c1 * (7 / 20)) + / 100000
  + ((c2 + (c3 * (7 / 20 + / 100000) + c3 * (7 / 20) + / 10000) + (c2 + c3 * (7 / 20)) + / 100000) * (1225 / 10000 + / 100000)
     + 1227 / 10000 * (c2 + c3 * (7 / 20)) + (c2 + c3 * (7 / 20)) * (1225 / 10000) + / 10000)
  + (c0 + c1 * (7 / 20)) + (c2 + c3 * (7 / 20)) * (1225 / 10000) + / 100000 <= e <= 5 ->
  (c0 + c1 * (7 / 20)) + (c2 + c3 * (7 / 20)) * (1225 / 10000) <= b ->
  approx e b (four i r r2) (exact_four i r).
Proof.
  intros Hr H2 (A0 & A1 & A2 & A3) (B0 & B1 & B2 & B3) He Hb. unfold four, exact_four.
  assert (Ar : approx 0 (7 / 20) r r) by (split; [replace (r - r) with 0 by ring; rewrite Rabs_R0; lra | exact Hr]).
  assert (P1 : approx (c1 * (7 / 20 + / 100000) + c1 * (7 / 20) + / 10000) (c1 * (7 / 20)) (rnd (coefficient (i + 1) * r)) (1 / rfact (i + 1) * r)).
  { apply (approx_mul c1 c1 _ _ 0 (7 / 20)); [apply approx_coefficient; lra | exact Ar | lra | lra | lra | lra | lra | lra]. }
  assert (P3 : approx (c3 * (7 / 20 + / 100000) + c3 * (7 / 20) + / 10000) (c3 * (7 / 20)) (rnd (coefficient (i + 3) * r)) (1 / rfact (i + 3) * r)).
  { apply (approx_mul c3 c3 _ _ 0 (7 / 20)); [apply approx_coefficient; lra | exact Ar | lra | lra | lra | lra | lra | lra]. }
  pose proof (approx_add _ _ _ _ _ _ _ _ _ _ (approx_coefficient i c0 (proj1 B0) A0) P1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) (Rle_refl _) (Rle_refl _)) as Q1.
  pose proof (approx_add _ _ _ _ _ _ _ _ _ _ (approx_coefficient (i + 2) c2 (proj1 B2) A2) P3 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) (Rle_refl _) (Rle_refl _)) as Q2.
  pose proof (approx_mul _ _ _ _ _ _ _ _ _ _ Q2 H2 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) (Rle_refl _) (Rle_refl _)) as Q3.
  apply (approx_add _ _ _ _ _ _ _ _ _ _ Q1 Q3); lra.
Qed.

(** |1 + (r + r²q(r)) as computed − Σ_{i≤13} r^i/i!| ≤ 5ε/2 *)
Lemma power_error r : Rabs r <= 7 / 20 -> Rabs (float_power r - taylor 13 r) <= 5 / 2 * ε.
Proof.
  intros Hr. assert (Ar : approx 0 (7 / 20) r r) by (split; [replace (r - r) with 0 by ring; rewrite Rabs_R0; lra | exact Hr]).
  assert (A2 : approx (1227 / 10000) (1225 / 10000) (rnd (r * r)) (r * r)) by (apply (approx_mul _ _ _ _ _ _ _ _ _ _ Ar Ar); lra).
  set (r2 := rnd (r * r)) in *.
  assert (A4 : approx (454 / 10000) (151 / 10000) (rnd (r2 * r2)) (r * r * (r * r))) by (apply (approx_mul _ _ _ _ _ _ _ _ _ _ A2 A2); lra).
  set (r4 := rnd (r2 * r2)) in *.
  assert (A8 : approx (2 / 1000) (3 / 10000) (rnd (r4 * r4)) (r * r * (r * r) * (r * r * (r * r)))) by (apply (approx_mul _ _ _ _ _ _ _ _ _ _ A4 A4); lra).
  assert (L : approx (177 / 100) (565 / 1000) (four 2 r r2) (exact_four 2 r)).
  { apply (approx_four 2 r r2 (/ 2) (/ 6) (/ 24) (/ 120)); try assumption; cbn [rfact Nat.add Z.of_nat Pos.of_succ_nat Pos.succ]; lra. }
  assert (Mi : approx (6 / 1000) (17 / 10000) (four 6 r r2) (exact_four 6 r)).
  { apply (approx_four 6 r r2 (/ 720) (/ 5040) (/ 40320) (/ 362880)); try assumption; cbn [rfact Nat.add Z.of_nat Pos.of_succ_nat Pos.succ]; lra. }
  assert (Hi : approx (1 / 1000) (/ 100000) (four 10 r r2) (exact_four 10 r)).
  { apply (approx_four 10 r r2 (/ 1000000) (/ 1000000) (/ 1000000) (/ 1000000)); try assumption; cbn [rfact Nat.add Z.of_nat Pos.of_succ_nat Pos.succ]; lra. }
  pose proof (approx_mul _ _ _ _ _ _ _ _ (1 / 1000) (1 / 1000) Mi A4 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as M4.
  pose proof (approx_mul _ _ _ _ _ _ _ _ (1 / 1000) (1 / 1000) Hi A8 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as H8.
  pose proof (approx_add _ _ _ _ _ _ _ _ (234 / 100) (566 / 1000) L M4 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as S1.
  pose proof (approx_add _ _ _ _ _ _ _ _ (291 / 100) (567 / 1000) S1 H8 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as Q.
  pose proof (approx_mul _ _ _ _ _ _ _ _ (50 / 100) (70 / 1000) A2 Q ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as RQ.
  pose proof (approx_add _ _ _ _ _ _ _ _ (93 / 100) (42 / 100) Ar RQ ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as T.
  assert (One : approx 0 1 1 1) by (split; [replace (1 - 1) with 0 by ring; rewrite Rabs_R0; lra | rewrite Rabs_R1; lra]).
  pose proof (approx_add _ _ _ _ _ _ _ _ (5 / 2) 2 One T ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as [F _].
  match type of F with Rabs (_ - ?y) <= _ => replace (taylor 13 r) with y; [exact F|] end.
  unfold taylor, exact_four. rewrite !rsum_S. change (rsum 0 _) with 0. cbn [rfact Nat.add Z.of_nat Pos.of_succ_nat Pos.succ pow]. clear. field.
Qed.

(** ** The reduction x = k ln 2 + r *)
Section Reduction.
  Variable x : R.
  Hypothesis range : -1000 <= x <= 0.
  Let k := to_integer (rnd (x * LOG2_E)).
  Let r := rnd (rnd (x - rnd (k * LN2_HIGH)) - rnd (k * LN2_LOW)).

  Lemma reduction : exists n : Z, k = IZR n /\ (Z.abs n <= 1444)%Z /\ Rabs (r - (x - IZR n * ln 2)) <= ε /\ Rabs r <= 7 / 20.
  Proof.
    pose proof ε_value as V. pose proof ln2_split as LN. set (l := LN2_HIGH + LN2_LOW) in *.
    assert (A1 : Rabs (x * LOG2_E) <= 1443) by (apply Rabs_le; unfold LOG2_E; lra).
    pose proof (rnd_within 1443 (x * LOG2_E) A1 (tiny_million 1443 ltac:(lra))) as R1. set (y := rnd (x * LOG2_E)) in *.
    assert (A2 : Rabs y <= 1048576) by (eapply Rle_trans; [apply (abs_shift _ _ _ _ A1 R1) | rewrite V; lra]).
    destruct (to_integer_spec y A2) as (n & E & Hn & _). fold k in E. exists n. split; [exact E|].
    apply Rabs_le_inv in A1, R1, Hn. rewrite V in R1.
    assert (Bn : -1444 <= IZR n <= 1444) by lra.
    split; [apply Z.abs_le; change (- (1444))%Z with (-1444)%Z; split; apply le_IZR; lra|].
    (* k·LN2_HIGH is exact *)
    assert (EH : rnd (k * LN2_HIGH) = IZR n * LN2_HIGH).
    { rewrite E. apply rnd_double. replace (IZR n * LN2_HIGH) with (IZR (n * 2977044471) * bpow radix2 (-32)).
      - apply double_float; [|lia]. assert (-1444 <= n <= 1444)%Z by (split; apply le_IZR; lra). lia.
      - rewrite mult_IZR. unfold LN2_HIGH. change (bpow radix2 (-32)) with (/ 4294967296). field. }
    (* x − k ln 2 is at most (1/2)ln 2 *)
    assert (T1 : Rabs (x - IZR n * l) <= 34658 / 100000).
    { replace (x - IZR n * l) with (x * (1 - LOG2_E * l) + l * (x * LOG2_E - IZR n)) by ring.
      assert (C1 : Rabs (1 - LOG2_E * l) <= / 1000000000000) by (apply Rabs_le; unfold LOG2_E, l, LN2_HIGH, LN2_LOW; lra).
      assert (C2 : 69314 / 100000 <= l <= 69315 / 100000) by (unfold l, LN2_HIGH, LN2_LOW; lra).
      eapply Rle_trans; [apply Rabs_triang|].
      assert (D1 : Rabs (x * (1 - LOG2_E * l)) <= 1000 * / 1000000000000) by (apply abs_mul; [apply Rabs_le; lra | exact C1]).
      assert (D2 : Rabs (l * (x * LOG2_E - IZR n)) <= 69315 / 100000 * (5 / 10 + / 1000000000)).
      { apply abs_mul; apply Rabs_le; lra. }
      lra. }
    assert (T2 : Rabs (IZR n * LN2_LOW) <= / 1000000).
    { apply Rle_trans with (1444 * (2 / 10000000000)); [|lra]. apply abs_mul; apply Rabs_le; unfold LN2_LOW; lra. }
    assert (T3 : Rabs (x - IZR n * LN2_HIGH) <= 3466 / 10000).
    { replace (x - IZR n * LN2_HIGH) with ((x - IZR n * l) + IZR n * LN2_LOW) by (unfold l; ring).
      eapply Rle_trans; [apply Rabs_triang | lra]. }
    pose proof (rnd_within _ _ T3 (tiny_million (3466 / 10000) ltac:(lra))) as R2.
    pose proof (rnd_within _ _ T2 (tiny_million (/ 1000000) ltac:(lra))) as R3.
    unfold r. rewrite EH. rewrite E in *. set (b := rnd (x - IZR n * LN2_HIGH)) in *. set (c := rnd (IZR n * LN2_LOW)) in *.
    assert (T4 : Rabs (b - c - (x - IZR n * l)) <= ε * (3467 / 10000)).
    { replace (b - c - (x - IZR n * l)) with ((b - (x - IZR n * LN2_HIGH)) - (c - IZR n * LN2_LOW)) by (unfold l; ring).
      apply Rabs_le_inv in R2, R3. apply Rabs_le. pose proof ε_pos. lra. }
    assert (T5 : Rabs (b - c) <= 3468 / 10000) by (eapply Rle_trans; [apply (abs_shift _ _ _ _ T1 T4) | rewrite V; lra]).
    pose proof (rnd_within _ _ T5 (tiny_million (3468 / 10000) ltac:(lra))) as R4.
    split.
    - assert (T6 : Rabs (IZR n * l - IZR n * ln 2) <= 1444 * / 73786976294838206464).
      { rewrite <- Rmult_minus_distr_l. apply abs_mul; [apply Rabs_le; lra | rewrite Rabs_minus_sym; exact LN]. }
      replace (rnd (b - c) - (x - IZR n * ln 2)) with ((rnd (b - c) - (b - c)) + (b - c - (x - IZR n * l)) - (IZR n * l - IZR n * ln 2)) by ring.
      apply Rabs_le_inv in R4, T4, T6. apply Rabs_le. rewrite V in *. lra.
    - eapply Rle_trans; [apply (abs_shift _ _ _ _ T5 R4) | rewrite V; lra].
  Qed.

  Lemma exp_reduced n : exp x = exp (x - IZR n * ln 2) * bpow radix2 n.
  Proof. rewrite bpow_exp, <- exp_plus. f_equal. change (IZR radix2) with 2. ring. Qed.

  Let half := to_integer (rnd (k * / 2)).

  Lemma reduced_error : let y := rnd (rnd (float_power r * two_to half) * two_to (rnd (k - half))) in
    0 <= y /\ Rabs (y - exp x) <= 8 * ε * exp x + u * tiny.
  Proof.
    destruct reduction as (n & Ek & Bn & Er & Br). pose proof ε_value as V. pose proof ε_pos as Pe. pose proof u_pos as Pu. pose proof tiny_pos as Pt.
    set (ρ := x - IZR n * ln 2) in *.
    assert (Bρ : Rabs ρ <= 351 / 1000).
    { replace ρ with (r - (r - ρ)) by ring. unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, V in *. lra. }
    set (e := exp ρ). assert (Pe' : 649 / 1000 <= e) by (unfold e; pose proof (exp_ineq1_le ρ); apply Rabs_le_inv in Bρ; lra).
    (* e^r against e^ρ *)
    assert (D1 : Rabs (exp r - e) <= 2 * ε * e).
    { unfold e. replace (exp r) with (exp ρ * exp (r - ρ)) by (rewrite <- exp_plus; f_equal; ring).
      replace (exp ρ * exp (r - ρ) - exp ρ) with (exp ρ * (exp (r - ρ) - 1)) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq (exp ρ)), Rmult_comm by (apply Rlt_le, exp_pos). apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
      apply exp_near_one; [exact Er | rewrite V; lra]. }
    assert (D2 : Rabs (taylor 13 r - exp r) <= / 20 * ε).
    { rewrite Rabs_minus_sym. eapply Rle_trans; [apply (exp_taylor 2 (7 / 20) 13 r); [lra | eapply Rle_trans; [apply exp_upper; lra | lra] | exact Br]|].
      apply Rle_trans with (2 * (7 / 20) ^ 14 / rfact 14).
      - apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, fact_pos|]. apply Rmult_le_compat_l; [lra|]. apply pow_incr. split; [apply Rabs_pos | exact Br].
      - rewrite V. cbn [rfact Z.of_nat Pos.of_succ_nat Pos.succ]. lra. }
    pose proof (power_error r Br) as D3. set (w := float_power r) in *.
    assert (D : Rabs (w - e) <= 6 * ε * e).
    { eapply Rle_trans; [apply (abs_trans _ _ _ _ _ D3 (abs_trans _ _ _ _ _ D2 D1))|].
      assert (255 / 100 * ε <= 4 * ε * e) by (assert (ε * (649 / 1000) <= ε * e) by (apply Rmult_le_compat_l; lra); lra). lra. }
    assert (Bw : 6 / 10 <= w).
    { apply Rabs_le_inv in D. assert (ε * e <= / 1000 * e) by (apply Rmult_le_compat_r; [lra | rewrite V; lra]). lra. }
    (* the two halves of 2^k *)
    assert (Bn' : -1444 <= IZR n <= 1444) by (apply Z.abs_le in Bn; split; [apply (IZR_le (-1444)) | apply (IZR_le _ 1444)]; lia).
    assert (Eh : rnd (k * / 2) = IZR n * / 2).
    { rewrite Ek. apply rnd_double. change (/ 2) with (bpow radix2 (-1)). apply double_float; lia. }
    destruct (to_integer_spec (rnd (k * / 2))) as (h & Ehh & Hh & _); [rewrite Eh; apply Rabs_le; lra|].
    fold half in Ehh. rewrite Eh in Hh. apply Rabs_le_inv in Hh.
    assert (Bh : (-723 <= h <= 723)%Z) by (split; apply le_IZR; lra).
    assert (Bg : (-723 <= n - h <= 723)%Z) by (split; apply le_IZR; rewrite minus_IZR; lra).
    assert (E1 : two_to half = bpow radix2 h) by (unfold two_to; rewrite Ehh, Zfloor_IZR; reflexivity).
    assert (E2 : two_to (rnd (k - half)) = bpow radix2 (n - h)).
    { unfold two_to. rewrite Ek, Ehh, <- minus_IZR, rnd_IZR, Zfloor_IZR by lia. reflexivity. }
    intros y. unfold y. rewrite E1, E2. set (g := bpow radix2 (n - h)). set (f := bpow radix2 h).
    pose proof (bpow_gt_0 radix2 h) as Pf. fold f in Pf. pose proof (bpow_gt_0 radix2 (n - h)) as Pg. fold g in Pg.
    assert (Efg : f * g = bpow radix2 n) by (unfold f, g; rewrite <- bpow_plus; f_equal; lia).
    assert (Tf : tiny <= w * f).
    { apply Rle_trans with (bpow radix2 (-1) * bpow radix2 (-723)); [rewrite <- bpow_plus; apply bpow_le; lia|].
      apply Rmult_le_compat; try apply bpow_ge_0; [simpl (bpow radix2 (-1)); lra | apply bpow_le; lia]. }
    assert (Pwf : 0 < w * f) by nra.
    pose proof (rnd_within (w * f) (w * f) ltac:(rewrite Rabs_pos_eq; lra) Tf) as R1. set (y1 := rnd (w * f)) in *.
    assert (P1 : 0 <= y1) by (apply Rabs_le_inv in R1; assert (ε * (w * f) <= / 2 * (w * f)) by (apply Rmult_le_compat_r; [lra | rewrite V; lra]); lra).
    assert (P2 : 0 <= y1 * g) by (apply Rmult_le_pos; lra).
    split; [rewrite <- rnd_0; now apply rnd_le|].
    set (P := w * bpow radix2 n). assert (EP : w * f * g = P) by (unfold P; rewrite <- Efg; ring).
    assert (PP : 0 < P) by (rewrite <- EP; apply Rmult_lt_0_compat; lra).
    assert (R2 : Rabs (y1 * g - P) <= ε * P).
    { rewrite <- EP. replace (y1 * g - w * f * g) with ((y1 - w * f) * g) by ring. rewrite Rabs_mult, (Rabs_pos_eq g) by lra.
      rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
    pose proof (rnd_error_any (y1 * g)) as R3. rewrite (Rabs_pos_eq (y1 * g)) in R3 by exact P2.
    assert (Ex : exp x = e * bpow radix2 n) by (unfold e, ρ; apply exp_reduced).
    assert (R4 : Rabs (P - exp x) <= 6 * ε * exp x).
    { rewrite Ex. unfold P. replace (w * bpow radix2 n - e * bpow radix2 n) with ((w - e) * bpow radix2 n) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 n)), <- Rmult_assoc by apply bpow_ge_0. apply Rmult_le_compat_r; [apply bpow_ge_0 | exact D]. }
    pose proof (exp_pos x) as Px. apply Rabs_le_inv in R2, R3, R4.
    assert (S1 : ε * P <= / 1000 * P) by (apply Rmult_le_compat_r; [lra | rewrite V; lra]).
    assert (S2 : ε * exp x <= / 1000 * exp x) by (apply Rmult_le_compat_r; [lra | rewrite V; lra]).
    assert (S3 : P <= 102 / 100 * exp x) by lra.
    assert (S4 : u * (y1 * g) <= u * (102 / 100 * P)) by (apply Rmult_le_compat_l; lra).
    assert (S5 : ε * P <= ε * (102 / 100 * exp x)) by (apply Rmult_le_compat_l; lra).
    assert (S6 : u = ε / 2) by (unfold ε; lra). rewrite S6 in S4, R3 |- *. apply Rabs_le. split; lra.
  Qed.
End Reduction.

(** e^{−1000} is far below the smallest double. *)
Lemma exp_thousand : exp (-1000) <= tiny / 4.
Proof.
  assert (H : bpow radix2 7 <= exp 5).
  { pose proof (exp_ineq1_le (/ 32)) as L. replace 5 with (INR 160 * / 32) by (simpl; field).
    assert (E : forall n y, exp (INR n * y) = exp y ^ n).
    { induction n as [|n IH]; intros y; [simpl; rewrite Rmult_0_l; apply exp_0|]. rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring. }
    rewrite E. apply Rle_trans with ((33 / 32) ^ 160); [change (bpow radix2 7) with 128; lra | apply pow_incr; lra]. }
  assert (G : bpow radix2 1400 <= exp 1000).
  { replace (exp 1000) with (exp 5 ^ 200).
    - replace (bpow radix2 1400) with (bpow radix2 7 ^ 200); [apply pow_incr; split; [apply bpow_ge_0 | exact H]|].
      assert (B : forall n, bpow radix2 7 ^ n = bpow radix2 (7 * Z.of_nat n)).
      { induction n as [|n IH]; [reflexivity|]. rewrite Nat2Z.inj_succ. replace (7 * Z.succ (Z.of_nat n))%Z with (7 + 7 * Z.of_nat n)%Z by lia.
        rewrite bpow_plus, <- IH. reflexivity. }
      rewrite B. reflexivity.
    - assert (E : forall n, exp 5 ^ n = exp (5 * INR n)).
      { induction n as [|n IH]; [simpl; rewrite Rmult_0_r, exp_0; reflexivity|]. rewrite S_INR, Rmult_plus_distr_l, exp_plus, <- IH, Rmult_1_r. simpl. ring. }
      rewrite E. f_equal. rewrite INR_IZR_INZ. simpl (Z.of_nat 200). lra. }
  replace (-1000) with (- (1000)) by ring. rewrite exp_Ropp. apply Rle_trans with (/ bpow radix2 1400).
  - apply Rinv_le; [apply bpow_gt_0 | exact G].
  - rewrite <- bpow_opp. unfold tiny. apply Rle_trans with (bpow radix2 (-1024)); [apply bpow_le; lia|].
    change (-1022)%Z with (2 + -1024)%Z. rewrite bpow_plus. simpl (bpow radix2 2). lra.
Qed.

(** The library's exponential errs by at most 8ε = 16u relatively, or by 2^−1022. *)
Theorem float_exp_error : exp_error float_exp (8 * ε).
Proof.
  intros x _ Hx. split; [apply double_rnd|]. unfold float_exp. destruct (Rlt_dec 1000 x) as [N|_]; [lra|].
  pose proof u_pos as Pu. pose proof u_small as Su. pose proof tiny_pos as Pt. pose proof ε_pos as Pe. pose proof ε_value as V.
  destruct (Rlt_dec x (-1000)) as [L|L].
  - destruct (reduced_error (-1000) ltac:(lra)) as [P E]. split; [exact P|].
    pose proof exp_thousand as T. pose proof (exp_pos x) as Px. pose proof (exp_increasing x (-1000) L) as I. pose proof (exp_pos (-1000)) as Pm.
    set (y := rnd _) in *. apply Rabs_le_inv in E.
    assert (8 * ε * exp (-1000) <= / 100 * exp (-1000)) by (apply Rmult_le_compat_r; [lra | rewrite V; lra]).
    assert (u * tiny <= / 100 * tiny) by (apply Rmult_le_compat_r; lra).
    assert (0 <= 8 * ε * exp x) by (apply Rmult_le_pos; lra). apply Rabs_le. split; lra.
  - destruct (reduced_error x ltac:(lra)) as [P E]. split; [exact P|]. eapply Rle_trans; [exact E|].
    assert (u * tiny <= 1 * tiny) by (apply Rmult_le_compat_r; lra). lra.
Qed.
