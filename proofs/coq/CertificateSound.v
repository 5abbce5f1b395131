(** * A certificate that is accepted holds: CertificateStatements.v, proved

    What is about the reals alone is in CertificateReals.v, so that this file needs no axiom. *)

From Coq Require Import ZArith QArith List Lia Ring Field Bool.
From OPD Require Import OrderedField Sums Mdp MdpFacts Existence Average Certificate CertificateStatements
  CertificateNumbers BestPolicy CertificateModel CertificateClaims.
Import ListNotations.
Local Open Scope K_scope.

(** ** What [check] has established, piece by piece *)
Section Accepted.
  Context {K : ofield} (c : certificate).
  Add Field K_field'' : (field_laws K).
  Notation m := (the_model c).
  Notation s := (the_setting c).
  Notation M := (mdp_of K c).
  Notation of_Q := (of_Q K).
  Notation T := (Pos.to_nat (iterations c)).
  Notation played_at t := (nth t (run c) (best c)).
  Notation checked_q v := (backup (discount_of s) (omega m) (rows_of_Psi m) (map (map scale) (features m)) v).
  Hypothesis accepted : check c = None.

  Lemma pieces : check_model_shape m = None /\ check_setting m s = None /\ check_model m = None /\
    check_policy m OfBest (best c) = None /\ check_best s (best c) (checked_q (value (best c))) = None /\
    (forall t, (t < T)%nat -> exists j, check_policy m (OfPlayed j) (played_at t) = None /\
      check_played s j (played_at t) (checked_q (value (played_at t))) = None) /\
    check_claims c = None.
  Proof.
    unfold check in accepted. apply then_None in accepted as [A1 H]. apply then_None in H as [A2 H]. apply then_None in H as [A3 H].
    cbv zeta in H. apply then_None in H as [A4 H]. apply then_None in H as [A5 H]. apply then_None in H as [A6 A7].
    repeat (split; [assumption|]). split; [|exact A7]. intros t Ht.
    assert (LT : T = length (run c)).
    { apply then_None in A7 as [E _]. now apply test_None, Z.eqb_eq, run_length in E. }
    assert (I : In (played_at t) (run c)) by (apply nth_In; lia).
    unfold run in I at 2. apply in_flat_map in I as [p [Hp I]]. apply repeat_spec in I.
    apply In_nth with (d := (1%positive, best c)) in Hp as [j [Hj Ej]].
    apply each_None with (i := j) (default := (1%positive, best c)) in A6; [|exact Hj]. simpl in A6. rewrite Ej in A6.
    apply then_None in A6. exists j. now rewrite I.
  Qed.

  Lemma is_sensible : sensible K c T.
  Proof.
    destruct pieces as (A1 & _ & A3 & _ & _ & A6 & A7). split; [now apply model_is_mdp|]. split; [lia|].
    split; [apply then_None in A7 as [E _]; now apply test_None, Z.eqb_eq, run_length in E|].
    intros t Ht. destruct (A6 t Ht) as [j [H _]]. now apply (checked_policy (K := K) c) in H.
  Qed.

  Lemma best_policy : is_policy M (table K (policy (best c))).
  Proof. destruct pieces as (_ & _ & _ & A4 & _). now apply (checked_policy (K := K) c) in A4. Qed.

  Lemma some_action : (0 < nA M)%nat.
  Proof.
    destruct best_policy as [_ H]. specialize (H O (some_state c (proj1 pieces))).
    destruct (nA M); [|lia]. simpl in H. exfalso. apply (one_neq_zero (K := K)). now symmetry.
  Qed.

  Section Discounted.
    Context (g : Q) (n : list Q).
    Hypothesis setting : s = Discounted g n.

    Lemma γ_is : γ M = of_Q g.
    Proof. simpl. now rewrite setting. Qed.

    Lemma bellman_is v x a : bellman c (of_Q (discount_of s)) v x a = q_of M v x a.
    Proof. unfold bellman, q_of. rewrite γ_is, setting. reflexivity. Qed.

    Lemma level_is w x : level s w x = vector K (value w) x.
    Proof. unfold level. rewrite setting. simpl. rewrite of_Q_0. ring. Qed.

    Lemma makes_is w x : makes c s w x = sum (nA M) (fun a => table K (policy w) x a * q_of M (vector K (value w)) x a).
    Proof. apply sum_ext. intros a _. now rewrite bellman_is. Qed.

    Lemma discounted_model : is_discounted M.
    Proof. apply (model_is_discounted c g n setting). apply pieces. Qed.

    Lemma promise_is w : length (value w) = nS M -> of_Q (return_of s w) = return_of_value M (vector K (value w)).
    Proof.
      intros L. unfold return_of, return_of_value. rewrite γ_is, setting, of_Q_mul, of_Q_sub, of_Q_1. f_equal.
      apply dotQ_sum; [|now apply scale_stands].
      destruct pieces as (_ & H & _). rewrite setting in H. apply then_None in H as [H _]. apply test_None, has_length_spec in H.
      simpl ν0. rewrite setting. now apply scale_stands.
    Qed.

    Lemma discounted_holds : exists ρ' ρ, best_is K M (return_is K M) ρ' /\ attained K M (return_is K M) ρ' /\
      (forall t, (t < T)%nat -> return_is K M (policy_at K c t) (ρ t)) /\
      holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
    Proof.
      destruct is_sensible as (Hm & _ & _ & Hp). pose proof discounted_model as Hd.
      destruct pieces as (A1 & A2 & A3 & A4 & A5 & A6 & A7).
      destruct (best_exists M Hm Hd some_action) as [ρ' [Best Att]].
      destruct (selection M Hm Hd) as [val [occ Val]].
      exists ρ', (fun t => return_of_value M (val (policy_at K c t))). split; [exact Best|]. split; [exact Att|].
      assert (R : forall t, (t < T)%nat -> return_is K M (policy_at K c t) (return_of_value M (val (policy_at K c t)))).
      { intros t Ht. eexists. split; [apply Val; now apply Hp | reflexivity]. }
      split; [exact R|].
      pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      destruct (checked_policy (K := K) c OfBest (best c) A4) as (Hb & Lb & _).
      apply claims_hold; [exact A7 | | |].
      - rewrite promise_is by exact Lb. destruct (value_exists M _ Hm Hd Hb) as [v Hv].
        apply le_trans with (return_of_value M v); [|apply (proj1 Best _ _ Hb); exists v; now split].
        assert (E : return_of_value M (vector K (value (best c))) <= return_of_value M v + of_Q (slack (best c))).
        { apply (return_at_least M Hm Hd _ Hb); [exact Hv|]. intros x Hx. rewrite <- makes_is, <- level_is. now apply BS. }
        apply sub_nonneg in E. eapply le_by_sub; [|exact E]. ring.
      - rewrite promise_is by exact Lb. apply (proj2 Best). apply (bound_from_value M Hm Hd). intros x a Hx Ha.
        rewrite <- bellman_is, <- level_is. now apply BS.
      - intros t Ht. split; [apply (proj1 Best _ _ (Hp t Ht)); now apply R|].
        destruct (A6 t Ht) as [j [Ap Aj]]. pose proof (played_spec (K := K) c A1 s (OfPlayed j) _ Ap j Aj) as PS.
        destruct (checked_policy (K := K) c _ _ Ap) as (_ & Lt & _). rewrite promise_is by exact Lt.
        pose proof (proj1 (Val _ (Hp t Ht))) as Hv. split.
        + apply (return_at_most M Hm Hd _ (Hp t Ht)); [exact Hv|]. intros x Hx. unfold policy_at.
          rewrite <- makes_is, <- level_is. now apply PS.
        + apply (return_at_least M Hm Hd _ (Hp t Ht)); [exact Hv|]. intros x Hx. unfold policy_at.
          rewrite <- makes_is, <- level_is. now apply PS.
    Qed.
  End Discounted.

  Section Average.
    Hypothesis setting : s = Average.

    Lemma bellman_average v x a : bellman c (of_Q (discount_of s)) v x a = reward M x a + sumX M (fun x' => trans M x a x' * v x').
    Proof. unfold bellman. rewrite setting. simpl discount_of. rewrite of_Q_1. ring. Qed.

    Lemma makes_average w x : makes c s w x = made M (table K (policy w)) (vector K (value w)) x.
    Proof. apply sum_ext. intros a _. now rewrite bellman_average. Qed.

    Lemma level_average w x : level s w x = vector K (value w) x + of_Q (return_of s w).
    Proof. unfold level. rewrite setting. reflexivity. Qed.

    Lemma every_gain π : is_policy M π -> exists ρ, gain_is K M π ρ.
    Proof.
      intros Hπ. destruct is_sensible as (Hm & _). destruct (stationary_exists M π Hm Hπ (some_state c (proj1 pieces))) as [ν [P S]].
      exists (return_of_measure M (compose π ν)), ν. now repeat split; try apply S.
    Qed.

    Lemma gain_bound : none_above K M (gain_is K M) (of_Q (return_of s (best c)) + of_Q (slack (best c))).
    Proof.
      destruct pieces as (A1 & _ & _ & A4 & A5 & _). pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      intros π ρ Hπ [ν [P [S ->]]]. apply (gain_at_most M π ν (vector K (value (best c))) _ P S). intros x Hx.
      apply (policy_average M); [exact Hπ | exact Hx|]. intros a Ha. rewrite <- bellman_average.
      eapply le_trans; [now apply BS|]. rewrite level_average. apply le_eq. ring.
    Qed.

    Lemma best_gain ρ : gain_is K M (table K (policy (best c))) ρ -> of_Q (return_of s (best c)) - of_Q (slack (best c)) <= ρ.
    Proof.
      destruct pieces as (A1 & _ & _ & A4 & A5 & _). pose proof (best_spec (K := K) c A1 s OfBest (best c) A4 A5) as BS.
      intros [ν [P [S ->]]]. apply (gain_at_least M _ ν (vector K (value (best c))) _ P S). intros x Hx.
      rewrite <- makes_average. destruct (BS x Hx) as [_ B]. rewrite level_average in B. apply sub_nonneg in B.
      eapply le_by_sub; [|exact B]. ring.
    Qed.

    Lemma average_holds ρ' ρ : best_is K M (gain_is K M) ρ' -> (forall t, (t < T)%nat -> gain_is K M (policy_at K c t) (ρ t)) ->
      holds K (optimum c) ρ' /\ holds K (suboptimality c) (average_loss K T ρ' ρ).
    Proof.
      intros [Up Least] R. destruct is_sensible as (Hm & _ & _ & Hp). destruct pieces as (A1 & _ & _ & A4 & A5 & A6 & A7).
      apply claims_hold; [exact A7 | | |].
      - destruct (every_gain _ best_policy) as [b Hb]. apply le_trans with b; [now apply best_gain | now apply (Up _ _ best_policy)].
      - apply Least, gain_bound.
      - intros t Ht. split; [apply (Up _ _ (Hp t Ht)); now apply R|].
        destruct (A6 t Ht) as [j [Ap Aj]]. pose proof (played_spec (K := K) c A1 s (OfPlayed j) _ Ap j Aj) as PS.
        destruct (R t Ht) as [ν [P [S ->]]]. split.
        + apply (gain_at_most M _ ν (vector K (value (played_at t))) _ P S). intros x Hx. unfold policy_at. rewrite <- makes_average.
          destruct (PS x Hx) as [B _]. rewrite level_average in B. eapply le_trans; [exact B|]. apply le_eq. ring.
        + assert (E : of_Q (return_of s (played_at t)) - of_Q (slack (played_at t)) <= return_of_measure M (compose (policy_at K c t) ν)).
          { apply (gain_at_least M _ ν (vector K (value (played_at t))) _ P S). intros x Hx. unfold policy_at. rewrite <- makes_average.
            destruct (PS x Hx) as [_ B]. rewrite level_average in B. apply sub_nonneg in B. eapply le_by_sub; [|exact B]. ring. }
          apply sub_nonneg in E. eapply le_by_sub; [|exact E]. ring.
    Qed.

    (** An exact optimum leaves the best policy no slack. *)
    Lemma average_exact q : optimum c = Exactly q -> best_is K M (gain_is K M) (of_Q q) /\ attained K M (gain_is K M) (of_Q q).
    Proof.
      intros E. destruct pieces as (_ & _ & _ & _ & _ & _ & A7). apply then_None in A7 as [_ H]. apply then_None in H as [H _].
      apply test_None in H. rewrite E in H. simpl in H. apply andb_prop in H as [L U]. apply (Qle_bool_K (K := K)) in L, U.
      rewrite of_Q_sub in L. rewrite of_Q_add in U.
      destruct (every_gain _ best_policy) as [b Hb]. assert (Eb : b = of_Q q).
      { apply le_antisym.
        - eapply le_trans; [apply (gain_bound _ _ best_policy Hb) | exact U].
        - eapply le_trans; [exact L | now apply best_gain]. }
      rewrite <- Eb. split; [|exists (table K (policy (best c))); split; [apply best_policy | exact Hb]]. split.
      - intros π ρ Hπ Hρ. rewrite Eb. eapply le_trans; [apply (gain_bound _ _ Hπ Hρ) | exact U].
      - intros b' H'. apply (H' _ _ best_policy Hb).
    Qed.
  End Average.
End Accepted.

Theorem accepted_discounted : Accepted_discounted.
Proof.
  intros K c g n H S. split; [now apply is_sensible|]. split; [now apply (discounted_model c H g n)|]. now apply (discounted_holds c H g n).
Qed.

Theorem accepted_average : Accepted_average.
Proof.
  intros K c H S. split; [now apply is_sensible|]. split; [now apply every_gain|].
  split; [intros ρ' ρ; now apply average_holds | intros q; now apply average_exact].
Qed.
