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
