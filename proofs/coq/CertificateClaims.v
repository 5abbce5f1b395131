(** * From bounds on each return to the claims about their average (proofs) *)

From Coq Require Import ZArith QArith List Lia Ring Field Bool.
From OPD Require Import OrderedField Sums Mdp MdpFacts Existence Average Certificate CertificateStatements
  CertificateNumbers CertificateModel.
Import ListNotations.
Local Open Scope K_scope.

Section Claims.
  Context {K : ofield} (c : certificate).
  Add Field K_field' : (field_laws K).
  Notation of_Q := (of_Q K).
  Notation T := (Pos.to_nat (iterations c)).

  (** Σ over a list *)
  Fixpoint total {A} (f : A -> K) (l : list A) : K := match l with [] => 0 | x :: l => f x + total f l end.

  Lemma total_nth {A} (f : A -> K) l d : sum (length l) (fun t => f (nth t l d)) = total f l.
  Proof. induction l as [|x l IH]; [reflexivity|]. simpl length. rewrite sum_first. simpl. now rewrite IH. Qed.

  Lemma total_app {A} (f : A -> K) l l' : total f (l ++ l') = total f l + total f l'.
  Proof. induction l as [|x l IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma total_repeat {A} (f : A -> K) x n : total f (repeat x n) = of_nat n * f x.
  Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

  Lemma total_map {A B} (f : B -> K) (g : A -> B) l : total f (map g l) = total (fun x => f (g x)) l.
  Proof. induction l as [|x l IH]; [reflexivity | simpl; now rewrite IH]. Qed.

  Lemma total_run (f : witness -> K) : total f (run c) = total (fun p => of_Z K (Zpos (fst p)) * f (snd p)) (played c).
  Proof.
    unfold run. induction (played c) as [|p l IH]; [reflexivity|]. simpl. now rewrite total_app, total_repeat, IH, of_Z_pos.
  Qed.

  Lemma mean_run (f : witness -> Q) : of_Q (mean (iterations c) f (played c)) = total (fun w => of_Q (f w)) (run c) / of_nat T.
  Proof.
    unfold mean. rewrite of_Q_mul, (sumQ_sum _ _ eq_refl). unfold vector. rewrite (total_nth of_Q), total_map, total_run.
    rewrite <- of_Z_pos. unfold CertificateStatements.of_Q at 2. simpl.
    replace (of_Z K 1) with (1 : K) by (rewrite of_Z_pos; simpl; ring).
    match goal with |- ?a * _ = ?b / _ => replace a with b end; [field; apply of_Z_pos_neq|].
    induction (played c) as [|p l IH]; [reflexivity|]. simpl. rewrite IH, of_Q_mul. f_equal. f_equal.
    unfold CertificateStatements.of_Q. simpl. replace (of_Z K 1) with (1 : K) by (rewrite of_Z_pos; simpl; ring).
    field. apply one_neq_zero.
  Qed.

  Lemma run_length : sumZ (map (fun p => Zpos (fst p)) (played c)) = Zpos (iterations c) -> T = length (run c).
  Proof.
    intros H. apply Nat2Z.inj. rewrite positive_nat_Z, <- H. unfold run.
    clear H. induction (played c) as [|p l IH]; [reflexivity|]. simpl. rewrite app_length, repeat_length, Nat2Z.inj_add, positive_nat_Z, IH.
    reflexivity.
  Qed.

  Lemma shows_spec lo hi k x : shows lo hi k = true -> of_Q lo <= x -> x <= of_Q hi -> holds K k x.
  Proof.
    destruct k as [s|a b]; simpl; intros H L U; apply andb_prop in H as [H H']; apply (Qle_bool_K (K := K)) in H, H'.
    - apply le_antisym; [now apply le_trans with (of_Q hi) | now apply le_trans with (of_Q lo)].
    - split; [now apply le_trans with (of_Q lo) | now apply le_trans with (of_Q hi)].
  Qed.

  Notation s := (the_setting c).
  Notation promise w := (of_Q (return_of s w)).
  Notation played_at t := (nth t (run c) (best c)).

  Lemma claims_hold ρ' ρ : check_claims c = None ->
    promise (best c) - of_Q (slack (best c)) <= ρ' -> ρ' <= promise (best c) + of_Q (slack (best c)) ->
    (forall t, (t < T)%nat -> ρ t <= ρ' /\
      ρ t <= promise (played_at t) + of_Q (slack (played_at t)) /\ promise (played_at t) <= ρ t + of_Q (slack (played_at t))) ->
    holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
  Proof.
    intros H L U R. unfold check_claims in H. apply then_None in H as [HT H]. apply then_None in H as [HO HS].
    apply test_None, Z.eqb_eq, run_length in HT. apply test_None in HO, HS.
    split; [apply (shows_spec _ _ _ _ HO); rewrite ?of_Q_sub, ?of_Q_add; assumption|].
    assert (P : (0 : K) < of_nat T) by (apply of_nat_pos; lia). pose proof (lt_neq _ P) as N.
    set (average := mean (iterations c) (return_of s) (played c)) in *. set (error := mean (iterations c) slack (played c)) in *.
    assert (EA : of_Q average = sum T (fun t => promise (played_at t)) / of_nat T).
    { unfold average. rewrite mean_run, <- (total_nth _ _ (best c)), HT. reflexivity. }
    assert (EE : of_Q error = sum T (fun t => of_Q (slack (played_at t))) / of_nat T).
    { unfold error. rewrite mean_run, <- (total_nth _ _ (best c)), HT. reflexivity. }
    assert (EL : average_loss K T ρ' ρ = ρ' - sum T ρ / of_nat T).
    { unfold average_loss. rewrite sum_sub, sum_const. field. exact N. }
    assert (B1 : sum T ρ / of_nat T <= of_Q average + of_Q error).
    { rewrite EA, EE. apply div_le_iff; [exact P|].
      match goal with |- _ <= ?b => replace b with
        (sum T (fun t => promise (played_at t)) + sum T (fun t => of_Q (slack (played_at t)))) by (now field) end.
      rewrite <- sum_add. apply sum_le. intros t Ht. now apply R. }
    assert (B2 : of_Q average <= sum T ρ / of_nat T + of_Q error).
    { rewrite EA, EE. apply div_le_iff; [exact P|].
      match goal with |- _ <= ?b => replace b with (sum T ρ + sum T (fun t => of_Q (slack (played_at t)))) by (now field) end.
      rewrite <- sum_add. apply sum_le. intros t Ht. now apply R. }
    rewrite EL. apply (shows_spec _ _ _ _ HS).
    - assert (Zero : 0 <= ρ' - sum T ρ / of_nat T).
      { apply sub_nonneg. apply div_le_iff; [exact P|]. apply le_trans with (sum T (fun _ => ρ')).
        - apply sum_le. intros t Ht. now apply R.
        - rewrite sum_const. apply le_eq. ring. }
      destruct (Qle_bool 0 _); [|now rewrite of_Q_0].
      rewrite !of_Q_sub, of_Q_add. apply sub_nonneg in L, B1.
      apply le_by_sub with (ρ' - (promise (best c) - of_Q (slack (best c))) + (of_Q average + of_Q error - sum T ρ / of_nat T)).
      + ring.
      + now apply add_nonneg.
    - rewrite !of_Q_sub, of_Q_add. apply sub_nonneg in U, B2.
      apply le_by_sub with (promise (best c) + of_Q (slack (best c)) - ρ' + (sum T ρ / of_nat T + of_Q error - of_Q average)).
      + ring.
      + now apply add_nonneg.
  Qed.
End Claims.
