(** * The checker's arithmetic, in any ordered field (proofs)

    Z and Q are embedded in K, and what the checker computes over common denominators are the sums that the definitions name. *)

From Coq Require Import ZArith QArith List Lia Ring Field Bool.
From OPD Require Import OrderedField Sums Certificate CertificateStatements.
Import ListNotations.
Local Open Scope K_scope.

Section Numbers.
  Context {K : ofield}.
  Add Field K_field : (field_laws K).
  Notation of_Z := (of_Z K).
  Notation of_Q := (of_Q K).

  (** ** Integers *)

  Lemma of_nat_add a b : of_nat (a + b) = of_nat a + of_nat b :> K.
  Proof. induction a; simpl; [ring | rewrite IHa; ring]. Qed.

  Lemma of_nat_mul a b : of_nat (a * b) = of_nat a * of_nat b :> K.
  Proof. induction a; simpl; [ring | rewrite of_nat_add, IHa; ring]. Qed.

  (** Any two numbers whose difference is z will do in the place of z's positive and negative part. *)
  Lemma of_Z_difference a b : of_Z (Z.of_nat a - Z.of_nat b) = of_nat a - of_nat b.
  Proof.
    unfold CertificateStatements.of_Z. set (z := (Z.of_nat a - Z.of_nat b)%Z).
    assert (E : (Z.to_nat z + b = a + Z.to_nat (- z))%nat) by (unfold z; lia).
    apply (f_equal (of_nat (K := K))) in E. rewrite !of_nat_add in E.
    transitivity (of_nat (Z.to_nat z) + of_nat b - of_nat b - of_nat (Z.to_nat (- z)) : K); [ring|]. rewrite E. ring.
  Qed.

  Lemma Z_difference z : z = (Z.of_nat (Z.to_nat z) - Z.of_nat (Z.to_nat (- z)))%Z.
  Proof. lia. Qed.

  Lemma of_Z_add x y : of_Z (x + y) = of_Z x + of_Z y.
  Proof.
    rewrite (Z_difference x), (Z_difference y).
    set (a := Z.to_nat x). set (b := Z.to_nat (- x)). set (c := Z.to_nat y). set (d := Z.to_nat (- y)).
    replace (Z.of_nat a - Z.of_nat b + (Z.of_nat c - Z.of_nat d))%Z with (Z.of_nat (a + c) - Z.of_nat (b + d))%Z by lia.
    rewrite !of_Z_difference, !of_nat_add. ring.
  Qed.

  Lemma of_Z_mul x y : of_Z (x * y) = of_Z x * of_Z y.
  Proof.
    rewrite (Z_difference x), (Z_difference y).
    set (a := Z.to_nat x). set (b := Z.to_nat (- x)). set (c := Z.to_nat y). set (d := Z.to_nat (- y)).
    replace ((Z.of_nat a - Z.of_nat b) * (Z.of_nat c - Z.of_nat d))%Z
      with (Z.of_nat (a * c + b * d) - Z.of_nat (a * d + b * c))%Z by lia.
    rewrite !of_Z_difference, !of_nat_add, !of_nat_mul. ring.
  Qed.

  Lemma of_Z_opp x : of_Z (- x) = - of_Z x.
  Proof. unfold CertificateStatements.of_Z. rewrite Z.opp_involutive. ring. Qed.

  Lemma of_Z_nat n : of_Z (Z.of_nat n) = of_nat n.
  Proof. rewrite <- (Z.sub_0_r (Z.of_nat n)). change 0%Z with (Z.of_nat 0). rewrite of_Z_difference. simpl. ring. Qed.

  Lemma of_Z_pos p : of_Z (Zpos p) = of_nat (Pos.to_nat p).
  Proof. rewrite <- positive_nat_Z. apply of_Z_nat. Qed.

  Lemma of_Z_pos_lt p : 0 < of_Z (Zpos p).
  Proof. rewrite of_Z_pos. apply of_nat_pos. lia. Qed.

  Lemma of_Z_pos_neq p : of_Z (Zpos p) <> 0.
  Proof. apply lt_neq, of_Z_pos_lt. Qed.

  Lemma of_Z_le x y : (x <= y)%Z -> of_Z x <= of_Z y.
  Proof.
    intros H. apply le_by_sub with (of_nat (Z.to_nat (y - x))); [|apply of_nat_nonneg].
    rewrite <- of_Z_nat, Z2Nat.id by lia. replace y with (x + (y - x))%Z at 1 by lia. rewrite of_Z_add. ring.
  Qed.

  (** ** Fractions *)

  Lemma of_Q_make n p : of_Q (n # p) = of_Z n / of_Z (Zpos p).
  Proof. reflexivity. Qed.

  Lemma of_Q_add x y : of_Q (x + y) = of_Q x + of_Q y.
  Proof.
    destruct x as [a p], y as [b q]. unfold Qplus. simpl. rewrite !of_Q_make, Pos2Z.inj_mul, of_Z_add, !of_Z_mul.
    field. split; apply of_Z_pos_neq.
  Qed.

  Lemma of_Q_mul x y : of_Q (x * y) = of_Q x * of_Q y.
  Proof.
    destruct x as [a p], y as [b q]. unfold Qmult. simpl. rewrite !of_Q_make, Pos2Z.inj_mul, !of_Z_mul.
    field. split; apply of_Z_pos_neq.
  Qed.

  Lemma of_Q_opp x : of_Q (- x) = - of_Q x.
  Proof. destruct x as [a p]. unfold Qopp. simpl. rewrite !of_Q_make, of_Z_opp. field. apply of_Z_pos_neq. Qed.

  Lemma of_Q_sub x y : of_Q (x - y) = of_Q x - of_Q y.
  Proof. unfold Qminus. rewrite of_Q_add, of_Q_opp. ring. Qed.

  Lemma of_Q_le x y : (x <= y)%Q -> of_Q x <= of_Q y.
  Proof.
    destruct x as [a p], y as [b q]. unfold Qle. simpl. intros H. apply of_Z_le in H. rewrite !of_Z_mul in H.
    rewrite !of_Q_make. apply div_le_iff; [apply of_Z_pos_lt|].
    apply le_mul_reg_r with (of_Z (Zpos q)); [apply of_Z_pos_lt|].
    replace (of_Z b / of_Z (Zpos q) * of_Z (Zpos p) * of_Z (Zpos q)) with (of_Z b * of_Z (Zpos p)); [exact H|].
    field. apply of_Z_pos_neq.
  Qed.

  Lemma of_Q_eq x y : (x == y)%Q -> of_Q x = of_Q y.
  Proof. intros H. apply le_antisym; apply of_Q_le; rewrite H; apply Qle_refl. Qed.

  Lemma of_Q_0 : of_Q 0 = 0.
  Proof.
    unfold CertificateStatements.of_Q. simpl. replace (of_Z 0) with (0 : K); [field; apply of_Z_pos_neq|].
    unfold CertificateStatements.of_Z. simpl. ring.
  Qed.

  Lemma of_Q_1 : of_Q 1 = 1.
  Proof. unfold CertificateStatements.of_Q. simpl. field. apply of_Z_pos_neq. Qed.

  Lemma Qle_bool_K x y : Qle_bool x y = true -> of_Q x <= of_Q y.
  Proof. intros H. now apply of_Q_le, Qle_bool_iff. Qed.

  Lemma Qeq_bool_K x y : Qeq_bool x y = true -> of_Q x = of_Q y.
  Proof. intros H. now apply of_Q_eq, Qeq_bool_iff. Qed.

  Lemma Qle_bool_false_K x y : Qle_bool x y = false -> of_Q y < of_Q x.
  Proof.
    intros H. assert (L : (y < x)%Q).
    { apply Qnot_le_lt. intros L. apply Qle_bool_iff in L. congruence. }
    split; [now apply of_Q_le, Qlt_le_weak|]. intros E.
    destruct x as [a p], y as [b q]. unfold Qlt in L. simpl in L. rewrite !of_Q_make in E.
    assert (D : of_Z b * of_Z (Zpos p) = of_Z a * of_Z (Zpos q)).
    { transitivity (of_Z b / of_Z (Zpos q) * of_Z (Zpos p) * of_Z (Zpos q)); [field; apply of_Z_pos_neq|].
      rewrite E. field. apply of_Z_pos_neq. }
    rewrite <- !of_Z_mul in D.
    assert (P : (1 <= a * Zpos q - b * Zpos p)%Z) by lia. apply of_Z_le in P. unfold Z.sub in P.
    rewrite of_Z_add, of_Z_opp, D in P. apply (lt_not_le 0 (1 : K)); [apply one_pos|].
    replace (1 : K) with (of_Z 1) by (rewrite of_Z_pos; simpl; ring).
    replace (0 : K) with (of_Z (a * Zpos q) + - of_Z (a * Zpos q)) by ring. exact P.
  Qed.

  (** ** Common denominators *)

  Lemma common_divides l q : In q l -> (Zpos (Qden q) | Zpos (common l))%Z.
  Proof.
    induction l as [|y l IH]; [easy|]. intros H. unfold common. simpl fold_right. fold (common l).
    assert (P : (0 < Z.lcm (Zpos (Qden y)) (Zpos (common l)))%Z).
    { assert (N := Z.lcm_nonneg (Zpos (Qden y)) (Zpos (common l))).
      assert (Z.lcm (Zpos (Qden y)) (Zpos (common l)) <> 0%Z); [|lia]. rewrite Z.lcm_eq_0. lia. }
    rewrite Z2Pos.id by exact P. destruct H as [->|H]; [apply Z.divide_lcm_l|].
    apply Z.divide_trans with (Zpos (common l)); [now apply IH | apply Z.divide_lcm_r].
  Qed.

  Lemma scale_nth l i : (nth i (numerators (scale l)) 0%Z # denominator (scale l) == nth i l 0)%Q.
  Proof.
    unfold scale. simpl. set (f := fun q => (Qnum q * (Zpos (common l) / Zpos (Qden q)))%Z).
    destruct (Nat.lt_ge_cases i (length l)) as [H|H].
    - rewrite (nth_indep (map f l) 0%Z (f 0%Q)) by (now rewrite map_length). rewrite map_nth.
      destruct (common_divides l (nth i l 0%Q) (nth_In l 0%Q H)) as [k Hk].
      unfold Qeq, f. simpl. rewrite Hk, Z.div_mul by easy. ring.
    - rewrite !nth_overflow by (rewrite ?map_length; exact H). reflexivity.
  Qed.

  Lemma scale_length l : length (numerators (scale l)) = length l.
  Proof. apply map_length. Qed.

  Lemma sum_first n (f : nat -> K) : sum (S n) f = f O + sum n (fun i => f (S i)).
  Proof. induction n; [simpl; ring|]. change (sum (S n) f + f (S n) = f O + (sum n (fun i => f (S i)) + f (S n))). rewrite IHn. ring. Qed.

  Lemma dotZ_sum u : forall n v, length u = n -> length v = n ->
    of_Z (dotZ u v) = sum n (fun i => of_Z (nth i u 0%Z) * of_Z (nth i v 0%Z)).
  Proof.
    induction u as [|x u IH]; intros n v Hu Hv.
    - simpl in Hu. subst n. simpl. unfold CertificateStatements.of_Z. simpl. ring.
    - destruct n as [|n]; [easy|]. destruct v as [|y v]; [easy|]. rewrite sum_first. simpl.
      injection Hu as Hu. injection Hv as Hv. rewrite <- (IH n v) by assumption.
      destruct (Z.eqb_spec x 0) as [->|N]; [|now rewrite of_Z_add, of_Z_mul].
      unfold CertificateStatements.of_Z at 2. simpl. ring.
  Qed.

  (** Two scaled vectors of length n, and their inner product. *)
  Definition stands_for (s : scaled) (n : nat) (f : nat -> K) : Prop :=
    length (numerators s) = n /\
    forall i, (i < n)%nat -> of_Z (nth i (numerators s) 0%Z) / of_Z (Zpos (denominator s)) = f i.

  Lemma scale_stands l n : length l = n -> stands_for (scale l) n (vector K l).
  Proof.
    intros H. split; [now rewrite scale_length|]. intros i Hi. unfold vector. rewrite <- (of_Q_eq _ _ (scale_nth l i)). reflexivity.
  Qed.

  Lemma stands_for_ext s n f g : (forall i, (i < n)%nat -> f i = g i) -> stands_for s n f -> stands_for s n g.
  Proof. intros E [L H]. split; [exact L|]. intros i Hi. rewrite <- E by exact Hi. now apply H. Qed.

  Lemma dotQ_sum u v n f g : stands_for u n f -> stands_for v n g -> of_Q (dotQ u v) = sum n (fun i => f i * g i).
  Proof.
    intros [Lu Hu] [Lv Hv]. unfold dotQ. rewrite of_Q_make, Pos2Z.inj_mul, of_Z_mul, (dotZ_sum _ n) by assumption.
    set (p := of_Z (Zpos (denominator u))) in *. set (q := of_Z (Zpos (denominator v))) in *.
    assert (Np : p <> 0) by apply of_Z_pos_neq. assert (Nq : q <> 0) by apply of_Z_pos_neq.
    transitivity (sum n (fun i => of_Z (nth i (numerators u) 0%Z) * of_Z (nth i (numerators v) 0%Z)) * (1 / (p * q))); [field; now split|].
    rewrite <- sum_mul_r. apply sum_ext. intros i Hi. rewrite <- Hu, <- Hv by exact Hi. field. now split.
  Qed.

  Lemma sumZ_sum u : forall n, length u = n -> of_Z (sumZ u) = sum n (fun i => of_Z (nth i u 0%Z)).
  Proof.
    induction u as [|x u IH]; intros n H.
    - simpl in H. subst n. simpl. unfold CertificateStatements.of_Z. simpl. ring.
    - destruct n as [|n]; [easy|]. injection H as H. rewrite sum_first. simpl. now rewrite of_Z_add, (IH n).
  Qed.

  Lemma sumQ_sum l n : length l = n -> of_Q (sumQ l) = sum n (vector K l).
  Proof.
    intros L. unfold sumQ. rewrite of_Q_make, (sumZ_sum _ n) by (now rewrite scale_length).
    destruct (scale_stands l n L) as [_ H]. set (p := of_Z (Zpos (denominator (scale l)))) in *.
    assert (Np : p <> 0) by apply of_Z_pos_neq.
    transitivity (sum n (fun i => of_Z (nth i (numerators (scale l)) 0%Z)) * (1 / p)); [now field|].
    rewrite <- sum_mul_r. apply sum_ext. intros i Hi. rewrite <- H by exact Hi. now field.
  Qed.

  (** ** Checks *)

  Lemma has_length_spec {A} n (l : list A) : has_length n l = true -> length l = n.
  Proof. apply Nat.eqb_eq. Qed.

  Lemma is_table_spec {A} n m (l : list (list A)) : is_table n m l = true ->
    length l = n /\ forall i, (i < n)%nat -> length (nth i l []) = m.
  Proof.
    unfold is_table. intros H. apply andb_prop in H as [H H']. apply has_length_spec in H. split; [exact H|].
    intros i Hi. rewrite forallb_forall in H'. apply has_length_spec, H', nth_In. lia.
  Qed.

  Lemma is_distribution_spec l n : is_distribution l = true -> length l = n ->
    (forall i, (i < n)%nat -> 0 <= vector K l i) /\ sum n (vector K l) = 1.
  Proof.
    unfold is_distribution. intros H L. apply andb_prop in H as [P H1]. split.
    - intros i Hi. rewrite forallb_forall in P. rewrite <- of_Q_0. apply Qle_bool_K, P, nth_In. lia.
    - rewrite <- (sumQ_sum l n L), <- of_Q_1. now apply Qeq_bool_K.
  Qed.

  Lemma test_None b f : test b f = None -> b = true.
  Proof. destruct b; easy. Qed.

  Lemma each_None {A} (l : list A) f k (default : A) : each k l f = None ->
    forall i, (i < length l)%nat -> f (k + i)%nat (nth i l default) = None.
  Proof.
    revert k. induction l as [|x l IH]; intros k H i Hi; [simpl in Hi; lia|]. simpl in H.
    destruct (f k x) eqn:E; [easy|]. destruct i as [|i]; [rewrite Nat.add_0_r; exact E|].
    simpl. rewrite <- Nat.add_succ_comm. apply IH; [exact H | simpl in Hi; lia].
  Qed.
End Numbers.
