(** * Theorems 3.2 and 5.3 are false as printed at c = 1: no rule has their sample complexity

    On the bandits of Bandit.v the printed sample sizes are proportional to s⁻⁴ and s⁻² and go to 0 as the features grow, while n samples show
    the rewards of n actions at most: of m rewards, each paying for one action, a rule does well on few. *)

From Coq Require Import List ZArith Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted Average Coverage Projection DoubleLoop.
From OPD Require Import Statements Bandit RefutedStatements.
Import ListNotations.
Local Open Scope K_scope.

(** Only lists of the right length count. *)
Lemma E_seq_le_length {Ω} (D : law RK Ω) n f g : is_law D -> (forall ws, length ws = n -> f ws <= g ws) ->
  E_seq D n f <= E_seq D n g.
Proof.
  intros HD. revert f g. induction n; intros f g H; simpl; [now apply H|]. apply E_le; [exact HD|].
  intros w. apply IHn. intros ws L. apply H. simpl. now rewrite L.
Qed.

Lemma E_seq_sum {Ω} (D : law RK Ω) n m (f : nat -> list Ω -> RK) : is_law D ->
  sum m (fun i => E_seq D n (f i)) = E_seq D n (fun ws => sum m (fun i => f i ws)).
Proof.
  intros HD. induction m; simpl; [symmetry; now apply E_seq_const | rewrite IHm; symmetry; apply E_seq_add].
Qed.

(** ** n observations show the reward of n actions at most *)
Section Guess.
  Context {Ω : Type} (m : nat) (D : law RK Ω) (act : Ω -> nat) (out : nat -> list Ω -> nat -> RK) (blank : list Ω -> nat -> RK).
  Hypothesis HD : is_law D.
  (** [out i ws] is what comes out when i is the rewarded action, a distribution on the actions; it tells i only if ws has action i. *)
  Hypothesis out_bounds : forall i ws a, (a < m)%nat -> 0 <= out i ws a <= 1.
  Hypothesis blank_nonneg : forall ws a, (a < m)%nat -> 0 <= blank ws a.
  Hypothesis blank_total : forall ws, sum m (blank ws) <= 1.
  Hypothesis unseen : forall i ws, (forall w, In w ws -> act w <> i) -> out i ws = blank ws.

  Fixpoint hits (i : nat) (ws : list Ω) : RK :=
    match ws with [] => 0 | w :: ws => (if Nat.eqb (act w) i then 1 else 0) + hits i ws end.

  Lemma hits_nonneg i ws : 0 <= hits i ws.
  Proof.
    induction ws; simpl; [apply le_refl|]. apply add_nonneg; [destruct (Nat.eqb _ i); [apply one_nonneg | apply le_refl] | exact IHws].
  Qed.

  Lemma hits_or_unseen i ws : 1 <= hits i ws \/ forall w, In w ws -> act w <> i.
  Proof.
    induction ws as [|w ws IH]; [right; intros w []|]. simpl. destruct (Nat.eqb_spec (act w) i) as [_|N].
    - left. pose proof (hits_nonneg i ws). real. lra.
    - destruct IH as [H|H]; [left; real; lra | right; intros v [<-|Hv]; [exact N | now apply H]].
  Qed.

  Lemma hits_total ws : sum m (fun i => hits i ws) <= of_nat (length ws).
  Proof.
    induction ws as [|w ws IH]; simpl.
    - rewrite sum_const. apply le_eq. real. ring.
    - rewrite sum_add. assert (H : sum m (fun i => if Nat.eqb (act w) i then 1 else 0 : RK) <= 1).
      { destruct (Nat.lt_ge_cases (act w) m) as [L|G].
        - rewrite (sum_single m _ (act w) L); [now rewrite Nat.eqb_refl; apply le_refl|].
          intros j _ N. now replace (Nat.eqb (act w) j) with false by (symmetry; apply Nat.eqb_neq; congruence).
        - rewrite sum_zero; [apply one_nonneg|]. intros j Hj.
          now replace (Nat.eqb (act w) j) with false by (symmetry; apply Nat.eqb_neq; lia). }
      real. lra.
  Qed.

  Lemma guesses ws : sum m (fun i => out i ws i) <= of_nat (length ws) + 1.
  Proof.
    apply le_trans with (sum m (fun i => hits i ws + blank ws i)).
    - apply sum_le. intros i Hi. pose proof (blank_nonneg ws i Hi). pose proof (hits_nonneg i ws).
      destruct (hits_or_unseen i ws) as [H1|H1].
      + pose proof (out_bounds i ws i Hi). real. lra.
      + rewrite (unseen i ws H1). real. lra.
    - rewrite sum_add. apply add_le_compat; [apply hits_total | apply blank_total].
  Qed.

  (** Summed over the m rewards, the expected return after n observations is at most n + 1. *)
  Lemma expected_guesses n : sum m (fun i => E_seq D n (fun ws => out i ws i)) <= of_nat n + 1.
  Proof.
    rewrite E_seq_sum by exact HD. rewrite <- (E_seq_const D n (of_nat n + 1) HD). apply E_seq_le_length; [exact HD|].
    intros ws L. rewrite <- L. apply guesses.
  Qed.

  (** So not all m can be above 1 − ε within N observations, even if their number may depend on i. *)
  Lemma some_guess_fails (N : nat) (ε : R) (n : nat -> nat) :
    (forall i, (i < m)%nat -> (n i <= N)%nat) ->
    (forall i, (i < m)%nat -> (1 - ε <= E_seq D (n i) (fun ws => out i ws i))%R) ->
    (INR m * (1 - ε) <= INR (S N) * INR (S N))%R.
  Proof.
    intros HN H. rewrite <- rsum_const.
    apply Rle_trans with (rsum m (fun i => rsum (S N) (fun k => E_seq D k (fun ws => out i ws i)))).
    - apply rsum_le. intros i Hi. eapply Rle_trans; [exact (H i Hi)|].
      apply (sum_term_le (K := RK) (S N) (fun k => E_seq D k (fun ws => out i ws i)) (n i)).
      + intros k _. rewrite <- (E_seq_const D k 0 HD). apply E_seq_le; [exact HD | intros ws; now apply out_bounds].
      + specialize (HN i Hi). lia.
    - rewrite rsum_swap, <- rsum_const. apply rsum_le. intros k Hk. eapply Rle_trans; [apply (expected_guesses k)|].
      real. rewrite of_nat_INR, S_INR. apply Rplus_le_compat_r, le_INR. lia.
  Qed.
End Guess.

(** ** The bandits satisfy what is printed *)
Section Settings.
  Variables (m : nat) (s : R) (i : nat).
  Hypothesis actions : (1 < m)%nat.
  Hypothesis best : (i < m)%nat.
  Hypothesis scale_pos : (0 < s)%R.
  Let some_action : (0 < m)%nat := Nat.lt_trans 0 1 m Nat.lt_0_1 actions.
  Notation M := (bandit m s i).
  Notation Dβ := (INR m * INR m / (s * s))%R.

  Lemma radii : (0 < / s /\ 0 < Dβ /\ 0 < s)%R.
  Proof.
    pose proof (INR_m m some_action). split; [now apply Rinv_0_lt_compat | split; [|exact scale_pos]].
    apply Rdiv_lt_0_compat; now apply Rmult_lt_0_compat.
  Qed.

  Lemma bandit_printed_setting :
    printed_setting M (uniform_policy m) ones (bandit_inverse m s) (/ s) Dβ s (play i) ones (bandit_value i) (fun _ => ones).
  Proof.
    split; [now apply bandit_mdp | split; [apply bandit_discounted | split; [now apply bandit_full_rank | split; [exact actions|]]]].
    split; [exact radii | split; [intros x a _ Ha; apply le_eq; now apply bandit_features|]].
    split; [intros π _; split; [now apply bandit_is_value | split; [apply bandit_occupancy|]]; apply le_eq; now apply bandit_theta|].
    split; [now apply uniform_is_policy | split; [apply bandit_occupancy|]].
    destruct (bandit_inverses m s i some_action scale_pos) as [R L]. split; [exact R | split; [exact L|]].
    split; [now apply play_is_policy | split; [apply bandit_occupancy|]]. apply le_eq. now apply bandit_coverage.
  Qed.

  Lemma bandit_average_hypotheses (D : R) : (0 < D)%R ->
    average_hypotheses M (fun _ => / s)%R (uniform_policy m) ones (bandit_inverse m s) (/ s) D s 2 (play i) ones
      (fun π => π 0%nat i) (bandit_value i) (fun _ => ones) (fun _ => ω M).
  Proof.
    intros HD. assert (P : forall x, (x < 1)%nat -> 0 <= ones x) by (intros; apply one_nonneg).
    split; [now apply bandit_mdp | split; [now apply bandit_full_rank | split; [now apply bandit_ones | split; [exact actions|]]]].
    split; [split; [apply radii | split; [exact HD | apply radii]] | split; [intros x a _ Ha; apply le_eq; now apply bandit_features|]].
    split.
    { intros π Hπ. split; [now apply bandit_is_bias | split; [split; [now apply bandit_stationary | exact P]|]].
      split; [|split].
      - apply le_eq. transitivity (norm2 m (theta_of M ones)); [|now apply bandit_theta].
        apply norm2_ext. intros j _. unfold theta_of. simpl. real. ring.
      - intros x a _ Ha. now rewrite bandit_bias_q.
      - intros x a y b _ Ha _ Hb. rewrite !bandit_bias_q, !bandit_reward by assumption. split; destruct (Nat.eqb i a), (Nat.eqb i b); real; lra. }
    split; [now apply uniform_is_policy | split; [split; [apply bandit_stationary; [assumption.. | now apply uniform_is_policy] | exact P]|]].
    destruct (bandit_inverses m s i some_action scale_pos) as [R L]. split; [exact R | split; [exact L|]].
    split; [now apply play_is_policy | split; [apply bandit_stationary; [assumption.. | now apply play_is_policy] | exact P]].
  Qed.

  Lemma bandit_printed_average_setting :
    printed_average_setting M (fun _ => / s)%R (uniform_policy m) ones (bandit_inverse m s) (/ s) Dβ s 2 (play i) ones
      (fun π => π 0%nat i) (bandit_value i) (fun _ => ones) (fun _ => ω M).
  Proof. split; [apply bandit_average_hypotheses, radii | apply le_eq; now apply bandit_coverage]. Qed.
End Settings.

(** ** Any rule on the bandits *)
Lemma bandit_measure m s i : (1 < m)%nat -> is_measure (bandit m s i) (compose (uniform_policy m) ones).
Proof.
  intros Hm. assert (H0 : (0 < m)%nat) by lia. destruct (uniform_is_policy m s i H0) as [P P1].
  assert (S0 : (0 < nS (bandit m s i))%nat) by (simpl; lia). split.
  - intros x a Hx Ha. unfold compose, ones. apply mul_nonneg; [now apply P | apply one_nonneg].
  - unfold sumXA. simpl nS. cbn [sum]. rewrite (sum_ext _ _ (uniform_policy m 0%nat)).
    + rewrite (P1 0%nat S0). real. ring.
    + intros a _. unfold compose, ones. real. ring.
Qed.

Lemma bandit_reward_other m s i x a : a <> i -> reward (bandit m s i) x a = 0%R.
Proof.
  intros N. unfold reward. apply sum_zero. intros j _. simpl.
  destruct (Nat.eqb_spec a j) as [->|]; [destruct (Nat.eqb_spec i j); [congruence|]|]; real; ring.
Qed.

Lemma choose_below m (P : nat -> nat -> Prop) : (forall i, (i < m)%nat -> exists n, P i n) ->
  exists f, forall i, (i < m)%nat -> P i (f i).
Proof.
  induction m as [|k IH]; intros H; [exists (fun _ => 0%nat); intros; lia|]. destruct IH as [f Hf]; [intros; apply H; lia|].
  destruct (H k (Nat.lt_succ_diag_r k)) as [nk Hk]. exists (fun i => if Nat.eqb i k then nk else f i). intros i Hi.
  destruct (Nat.eqb_spec i k) as [->|]; [exact Hk | apply Hf; lia].
Qed.

Section AnyRule.
  Context {Ω : Type} (m : nat) (s : R) (D : law RK Ω) (where_ act : Ω -> nat) (A : list (Ω * RK) -> law RK (nat -> nat -> RK)).
  Hypothesis actions : (1 < m)%nat.
  Hypothesis scale_pos : (0 < s)%R.
  Hypothesis HD : is_law D.
  Hypothesis HA : forall data, is_law (A data) /\ forall p π, In (p, π) (A data) -> is_policy (bandit m s 0) π.
  Notation rew i := (fun W => reward (bandit m s i) (where_ W) (act W)).
  Notation data r ws := (map (fun W => (W, r W)) ws).

  (** The mean policy that the rule puts out. *)
  Definition mean_policy (ws : list (Ω * RK)) (a : nat) : RK := E (A ws) (fun π => π 0%nat a).

  Lemma mean_policy_distribution ws : (forall a, (a < m)%nat -> 0 <= mean_policy ws a <= 1) /\ sum m (mean_policy ws) = 1.
  Proof.
    destruct (HA ws) as [[P1 P2] HP]. assert (T : sum m (mean_policy ws) = 1).
    { unfold mean_policy. rewrite <- E_sum. rewrite <- P2. apply E_ext_in. intros p π Hπ. apply (HP p π Hπ). simpl. lia. }
    assert (N : forall a, (a < m)%nat -> 0 <= mean_policy ws a).
    { intros a Ha. rewrite <- (E_const (A ws) 0 (conj P1 P2)). apply E_le_in; [exact P1|]. intros p π Hπ. apply (HP p π Hπ); simpl; lia. }
    split; [|exact T]. intros a Ha. split; [now apply N|]. rewrite <- T. now apply sum_term_le.
  Qed.

  Lemma rule_return i n : (i < m)%nat ->
    rule_suboptimality (bandit m s i) D (rew i) (compose (play i) ones) (fun _ => ones) A n
    = (1 - E_seq D n (fun ws => mean_policy (data (rew i) ws) i))%R.
  Proof.
    intros Hi. unfold rule_suboptimality. transitivity (E_seq D n (fun ws => 1 + - (1) * mean_policy (data (rew i) ws) i)).
    - apply E_seq_ext. intros ws. unfold mean_policy. rewrite <- E_mul_l.
      rewrite <- (E_const (A (data (rew i) ws)) 1) at 1 by apply HA. rewrite <- E_add. apply E_ext. intros π.
      rewrite bandit_optimum, bandit_return by (assumption || lia). real. ring.
    - rewrite E_seq_add, E_seq_mul_l, E_seq_const by exact HD. real. ring.
  Qed.

  Lemma any_rule_fails (N : nat) (ε : R) :
    (forall i, (i < m)%nat -> exists n, (n <= N)%nat /\
      rule_suboptimality (bandit m s i) D (rew i) (compose (play i) ones) (fun _ => ones) A n <= (ε : RK)) ->
    (INR m * (1 - ε) <= INR (S N) * INR (S N))%R.
  Proof.
    intros H. destruct (choose_below m _ H) as [n Hn].
    apply (some_guess_fails m D act (fun i ws => mean_policy (data (rew i) ws))
      (fun ws => mean_policy (data (fun _ => 0%R) ws)) HD) with (n := n).
    - intros i ws a Ha. now apply mean_policy_distribution.
    - intros ws a Ha. now apply mean_policy_distribution.
    - intros ws. apply le_eq, mean_policy_distribution.
    - intros i ws U. f_equal. apply map_ext_in. intros W HW. f_equal. apply bandit_reward_other. now apply U.
    - intros i Hi. now apply Hn.
    - intros i Hi. destruct (Hn i Hi) as [_ B]. rewrite rule_return in B by exact Hi. real. lra.
  Qed.
End AnyRule.

(** There are lawful rules, such as the one that ignores the data, so the theorems below deny something. *)
Lemma uniform_rule_lawful Ω : lawful (fun M _ _ _ _ (_ : list (Ω * RK)) => dirac (uniform_policy (nA M))).
Proof.
  intros M μB Dθ Dβ Dφ data H. split; [apply is_law_dirac|]. intros p π [E|[]]. injection E as <- <-. split.
  - intros x a _ _. unfold uniform_policy. real. apply Rlt_le, Rinv_0_lt_compat. now apply INR_m.
  - intros x _. unfold uniform_policy. rewrite sum_const. real. rewrite of_nat_INR. field. apply not_0_INR. lia.
Qed.

(** ** The two theorems: m beyond every guess, s beyond the constant *)
Lemma above (x : R) : exists n, (x < INR n)%R.
Proof.
  exists (Z.to_nat (up x)). destruct (archimed x) as [H _]. eapply Rlt_le_trans; [exact H|].
  rewrite INR_IZR_INZ. apply IZR_le. lia.
Qed.

Lemma enough_actions (ε : R) (N : nat) : (ε < 1)%R -> exists m, (1 < m)%nat /\ (INR (S N) * INR (S N) < INR m * (1 - ε))%R.
Proof.
  intros H. destruct (above (INR (S N) * INR (S N) / (1 - ε))) as [m Hm]. exists (S (S m)). split; [lia|].
  assert (INR m < INR (S (S m)))%R by (apply lt_INR; lia).
  apply (Rmult_lt_reg_r (/ (1 - ε))); [apply Rinv_0_lt_compat; lra|].
  replace (INR (S (S m)) * (1 - ε) * / (1 - ε))%R with (INR (S (S m))) by (field; lra). unfold Rdiv in Hm. lra.
Qed.

(** c q/sᵏ ≤ 1 at s = 1 + |c|q, k ≥ 1 *)
Lemma large_features (c q : R) (k : nat) : (0 <= q)%R -> exists s, (0 < s /\ c * (q / s ^ S k) <= 1)%R.
Proof.
  intros Hq. exists (1 + Rabs c * q)%R. pose proof (Rabs_pos c). pose proof (Rle_abs c).
  assert (P : (0 <= Rabs c * q)%R) by now apply Rmult_le_pos. set (s := (1 + Rabs c * q)%R). assert (S1 : (1 <= s)%R) by (unfold s; lra).
  split; [lia || lra|]. assert (S2 : (s <= s ^ S k)%R).
  { simpl. rewrite <- (Rmult_1_r s) at 1. apply Rmult_le_compat_l; [lra | now apply pow_R1_Rle]. }
  apply (Rmult_le_reg_r (s ^ S k)); [lra|]. replace (c * (q / s ^ S k) * s ^ S k)%R with (c * q)%R by (field; lra).
  assert (c * q <= Rabs c * q)%R by now apply Rmult_le_compat_r. unfold s in S2 |- *. lra.
Qed.

Lemma at_most n n0 (x : R) : (INR n <= INR n0 + x)%R -> (x <= 1)%R -> (n <= S n0)%nat.
Proof. intros H Hx. apply INR_le. rewrite S_INR. lra. Qed.

(** The printed order at s = 1. *)
Lemma printed_numerator (m : nat) (ε : R) : (1 < m)%nat -> (0 < ε)%R -> (0 <= INR m ^ 8 * ln (INR m) / ε ^ 4)%R.
Proof.
  intros Hm Hε. apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow_le, pos_INR|] | apply Rlt_le, Rinv_0_lt_compat, pow_lt, Hε].
  rewrite <- ln_1. apply Rcomplements.ln_le; [lra | apply (le_INR 1); lia].
Qed.

Theorem theorem_3_2_refuted (ε : R) (n0 : nat) : (0 < ε < 1)%R -> ~ Theorem_3_2_printed ε n0.
Proof.
  intros [Hε Hε1] (A & C & HA & H). destruct (enough_actions ε (S n0) Hε1) as (m & Hm & Big).
  destruct (large_features C _ 3 (printed_numerator m ε Hm Hε)) as (s & Hs & Small).
  apply (Rlt_not_le _ _ Big). set (μB := compose (uniform_policy m) ones).
  apply (any_rule_fails m s (observation (bandit m s 0) μB) state action
    (A (hide (bandit m s 0)) μB (/ s) (INR m * INR m / (s * s)) s)%R Hm Hs).
  - apply is_law_observation; [apply bandit_mdp; exact Hs | apply bandit_discounted | now apply bandit_measure].
  - intros data. exact (HA (hide (bandit m s 0)) μB _ _ _ data (Nat.lt_trans 0 1 m Nat.lt_0_1 Hm)).
  - intros i Hi. destruct (H _ _ _ _ _ _ _ _ _ _ _ (bandit_printed_setting m s i Hm Hi Hs)) as (n & Hn & B). exists n. split; [|exact B].
    apply (at_most n n0 _ Hn). simpl nA. unfold printed_samples_3_2.
    replace ((/ s) ^ 4 * s ^ 8 * (INR m * INR m / (s * s)) ^ 4 * ln (INR m) / ε ^ 4)%R
      with (INR m ^ 8 * ln (INR m) / ε ^ 4 / s ^ 4)%R; [exact Small|]. field. split; lra.
Qed.

Lemma is_law_steps m s i : (1 < m)%nat -> (0 < s)%R -> is_law (steps (bandit m s i) (compose (uniform_policy m) ones)).
Proof.
  intros Hm Hs. apply is_law_bind; [now apply is_law_draw_pair, bandit_measure|]. intros p [x a] H. apply in_draw_pair in H as (_ & Hx & Ha).
  destruct (bandit_mdp m s i Hs) as (P & P1 & _). apply is_law_bind; [|intros; apply is_law_dirac].
  apply is_law_draw; [intros; now apply P | now apply P1].
Qed.

Theorem theorem_5_3_refuted (ε : R) (n0 : nat) : (0 < ε < 1)%R -> ~ Theorem_5_3_printed ε n0.
Proof.
  intros [Hε Hε1] (A & C & HA & H). destruct (enough_actions ε (S n0) Hε1) as (m & Hm & Big).
  destruct (large_features C _ 1 (printed_numerator m ε Hm Hε)) as (s & Hs & Small).
  apply (Rlt_not_le _ _ Big). set (μB := compose (uniform_policy m) ones).
  apply (any_rule_fails m s (steps (bandit m s 0) μB) (fun W => fst (fst W)) (fun W => snd (fst W))
    (A (hide (bandit m s 0)) μB (/ s) (INR m * INR m / (s * s)) s)%R Hm Hs).
  - now apply is_law_steps.
  - intros data. exact (HA (hide (bandit m s 0)) μB _ _ _ data (Nat.lt_trans 0 1 m Nat.lt_0_1 Hm)).
  - intros i Hi. destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (bandit_printed_average_setting m s i Hm Hi Hs)) as (n & Hn & B).
    exists n. split; [|exact B]. apply (at_most n n0 _ Hn). simpl nA. unfold printed_samples_5_3.
    replace ((/ s) ^ 4 * s ^ 10 * (INR m * INR m / (s * s)) ^ 4 * ln (INR m) / ε ^ 4)%R
      with (INR m ^ 8 * ln (INR m) / ε ^ 4 / s ^ 2)%R; [exact Small|]. field. split; lra.
Qed.

(** ** Theorem 5.3's order, with the coverage corrected: here s is small *)
Theorem theorem_5_3_order_refuted (ε : R) (n0 : nat) : (0 < ε < 1)%R -> ~ Theorem_5_3_order ε n0.
Proof.
  intros [Hε Hε1] (A & C & HA & H). destruct (enough_actions ε (S n0) Hε1) as (m & Hm & Big).
  assert (Pm : (0 < INR m)%R) by (apply INR_m; lia). set (q := (INR m ^ 4 * ln (INR m) / ε ^ 4)%R).
  assert (Pε : (0 < ε ^ 4)%R) by now apply pow_lt.
  assert (Q : (0 <= q)%R).
  { pose proof (printed_numerator m ε Hm Hε) as X. assert (P4 : (0 < INR m ^ 4)%R) by now apply pow_lt.
    apply (Rmult_le_reg_l (INR m ^ 4)); [exact P4|]. rewrite Rmult_0_r. eapply Rle_trans; [exact X | apply Req_le; unfold q; field; lra]. }
  set (w := (1 + Rabs C * q)%R). assert (PC : (0 <= Rabs C * q)%R) by (apply Rmult_le_pos; [apply Rabs_pos | exact Q]).
  assert (Pw : (1 <= w)%R) by (unfold w; lra). set (s := (/ w)%R). assert (Hs : (0 < s)%R) by (apply Rinv_0_lt_compat; lra).
  assert (Small : (C * (q * s ^ 2) <= 1)%R).
  { apply (Rmult_le_reg_r (w ^ 2)); [apply pow_lt; lra|]. replace (C * (q * s ^ 2) * w ^ 2)%R with (C * q)%R by (unfold s; field; lra).
    assert (C * q <= Rabs C * q)%R by (apply Rmult_le_compat_r; [exact Q | apply Rle_abs]). unfold w in *. nra. }
  apply (Rlt_not_le _ _ Big). set (μB := compose (uniform_policy m) ones).
  apply (any_rule_fails m s (steps (bandit m s 0) μB) (fun W => fst (fst W)) (fun W => snd (fst W))
    (A (hide (bandit m s 0)) μB (/ s) (INR m / s) s)%R Hm Hs).
  - now apply is_law_steps.
  - intros data. exact (HA (hide (bandit m s 0)) μB _ _ _ data (Nat.lt_trans 0 1 m Nat.lt_0_1 Hm)).
  - intros i Hi. assert (PD : (0 < INR m / s)%R) by now apply Rdiv_lt_0_compat.
    assert (Cov : coverage (bandit m s i) (bandit_inverse m s) (compose (play i) ones) <= ((INR m / s)%R : RK)²).
    { apply le_eq. etransitivity; [apply bandit_coverage; (lia || assumption) | real; field; lra]. }
    destruct (H _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ (bandit_average_hypotheses m s i Hm Hi Hs (INR m / s) PD) Cov) as (n & Hn & B).
    exists n. split; [|exact B]. apply (at_most n n0 _ Hn). simpl nA. unfold printed_samples_5_3.
    replace ((/ s) ^ 4 * s ^ 10 * (INR m / s) ^ 4 * ln (INR m) / ε ^ 4)%R with (q * s ^ 2)%R; [exact Small|]. unfold q. field. split; lra.
Qed.
