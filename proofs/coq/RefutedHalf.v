(** * Theorem A.1 is false as printed at c = 1/2: the trace that (20) loses (erratum 2)

    With T and K fixed and m = p² nuisance coordinates, no coordinate is drawn twice but with probability T²K/m; else Algorithm 1 stays near uniform (Washed.v).
    So the suboptimality tends to 1/2 as m grows, while the printed bound does not depend on m. *)

From Coq Require Import List Reals Lra Lia Arith.
From Coquelicot Require Rcomplements.
From OPD Require Import OrderedField Sums RealSums Expect Mdp MdpFacts Discounted AppendixB Projection GradientDescent MirrorDescent Runs DoubleLoop.
From OPD Require Import Coverage Algorithm1 Tuning Statements RegretStatements Bandit Stuck Nuisance Washed RefutedStatements RefutedSamples RefutedA1.
Import ListNotations.
Local Open Scope K_scope.

Lemma E_path_le_in {Ω} (P : list Ω -> law RK Ω) (Q : Ω -> Prop) n h f g :
  (forall h, is_law (P h)) -> (forall h p w, In (p, w) (P h) -> Q w) -> Forall Q h ->
  (forall h', length h' = (n + length h)%nat -> Forall Q h' -> f h' <= g h') -> E_path P n h f <= E_path P n h g.
Proof.
  intros HP HS. revert h. induction n; intros h Hh H; simpl; [now apply H|]. apply E_le_in; [apply HP|]. intros p w Hw. apply IHn.
  - constructor; [eapply HS; exact Hw | exact Hh].
  - intros h' L. apply H. simpl in L. lia.
Qed.

Lemma in_block {Ω} (P : law RK Ω) (Q : Ω -> Prop) n p F : (forall q W, In (q, W) P -> Q W) -> In (p, F) (block P n) -> Forall Q F.
Proof.
  intros HQ. revert p F. induction n; intros p F H; simpl in H; [destruct H as [E|[]]; injection E as <- <-; constructor|].
  apply in_flat_map in H as [[q G] [HG H]]. apply in_map_iff in H as [[q' G'] [E H]]. injection E as <- <-.
  apply in_flat_map in H as [[q1 W] [HW H]]. simpl in H. destruct H as [E|[]]. injection E as <- <-. simpl.
  constructor; [eapply HQ, HW | eapply IHn, HG].
Qed.

Section Chance.
  Variables (p : nat) (α ζ η : R) (K : nat).
  Hypothesis Hp : (0 < p)%nat.
  Hypothesis rates : (0 <= α /\ 0 < ζ /\ 0 <= η)%R.
  Notation m := (p * p)%nat.
  Notation M := (nuisance m).
  Notation d := (S (S m)).
  Notation N := (diagonal (sqrt 2) (INR p)).
  Notation μB := (compose even_policy (state_law m)).
  Notation W_law := (observation M μB).
  Notation policy := (policy1 M α).
  Notation step := (step1 M N α ζ η 1 2).
  Notation after := (run step (initial1 vzero vzero)).

  Let Hm : (0 < m)%nat := m_some p Hp.

  (** ** Fresh draws, as numbers 1 or 0 *)
  Definition is_fresh (β : vec RK) (W : sample) : R := if Req_EM_T (at_j p β W) 0 then 1%R else 0%R.
  Fixpoint all_fresh (β : vec RK) (F : list sample) : R :=
    match F with [] => 1%R | W :: F => (is_fresh β W * all_fresh β F)%R end.
  Fixpoint good (H : list (list sample)) : R :=
    match H with [] => 1%R | F :: H => (good H * all_fresh (beta (after H)) F)%R end.

  Lemma all_fresh_cases β F : all_fresh β F = 0%R \/ all_fresh β F = 1%R /\ Forall (fun W => at_j p β W = 0%R) F.
  Proof.
    induction F as [|W F IH]; [right; split; [reflexivity | constructor]|]. simpl. unfold is_fresh.
    destruct (Req_EM_T _ _) as [E|_]; [|left; ring]. destruct IH as [->|[-> H]]; [left; ring | right; split; [ring | now constructor]].
  Qed.

  Lemma all_fresh_range β F : (0 <= all_fresh β F <= 1)%R.
  Proof. destruct (all_fresh_cases β F) as [->|[-> _]]; lra. Qed.

  Lemma good_cases H : good H = 0%R \/ good H = 1%R.
  Proof.
    induction H as [|F H IH]; [now right|]. simpl. destruct IH as [-> | ->]; [left; ring|].
    destruct (all_fresh_cases (beta (after H)) F) as [->|[-> _]]; [left | right]; ring.
  Qed.

  (** ** How many nuisance coordinates β has *)
  Definition nonzero (y : R) : R := if Req_EM_T y 0 then 0%R else 1%R.
  Definition count (β : vec RK) : R := rsum m (fun j => nonzero (β (S (S j)))).

  Lemma nonzero_range y : (0 <= nonzero y <= 1)%R.
  Proof. unfold nonzero. destruct (Req_EM_T y 0); lra. Qed.

  Lemma count_step β π θ W : (count (proj_ball d 2 (vadd β (scale ζ (beta_gradient M N π θ W)))) <= count β + 1)%R.
  Proof.
    destruct (proj_scales d 2 (vadd β (scale ζ (beta_gradient M N π θ W)))) as (c & _ & E & _); [lra|].
    set (l := coord m (state W)). unfold count.
    apply Rle_trans with (rsum m (fun j => nonzero (β (S (S j))) + if Nat.eqb l j then 1 else 0))%R.
    - apply rsum_le. intros j Hj. rewrite E. destruct (Nat.eqb_spec l j) as [_|Nj].
      + pose proof (nonzero_range (c * vadd β (scale ζ (beta_gradient M N π θ W)) (S (S j)))). pose proof (nonzero_range (β (S (S j)))). lra.
      + assert (Z : vadd β (scale ζ (beta_gradient M N π θ W)) (S (S j)) = β (S (S j))).
        { unfold vadd, scale, beta_gradient. change (dim M) with d. unfold scale. rewrite diagonal_mulv by lia. simpl φ. fold l.
          replace (Nat.eqb l j) with false by (symmetry; now apply Nat.eqb_neq). rring. }
        rewrite Z. unfold nonzero. destruct (Req_EM_T (β (S (S j))) 0) as [->|_].
        * rewrite Rmult_0_r. destruct (Req_EM_T 0 0); [lra | congruence].
        * destruct (Req_EM_T _ 0); lra.
    - rewrite rsum_add. apply Rplus_le_compat_l. destruct (Nat.lt_ge_cases l m) as [Hl|Hl].
      + unfold rsum. rewrite (sum_single m _ l Hl); [rewrite Nat.eqb_refl; lra|].
        intros j _ Nj. now replace (Nat.eqb l j) with false by (symmetry; apply Nat.eqb_neq; congruence).
      + rewrite (rsum_ext m _ (fun _ => 0)%R); [rewrite rsum_const; lra|].
        intros j Hj. now replace (Nat.eqb l j) with false by (symmetry; apply Nat.eqb_neq; lia).
  Qed.

  Lemma count_run H : (count (beta (after H)) <= INR (length H))%R.
  Proof.
    induction H as [|F H IH].
    - simpl. unfold count. rewrite (rsum_ext m _ (fun _ => 0)%R); [rewrite rsum_const; lra|].
      intros j _. unfold nonzero, vzero. real. destruct (Req_EM_T 0 0); [reflexivity | congruence].
    - cbn [run length]. rewrite (S_INR (length H)). destruct F as [|W F]; [simpl; lra|].
      eapply Rle_trans; [apply count_step|]. lra.
  Qed.

  (** ** P(not fresh) = count/m *)
  Lemma law_W : is_law W_law.
  Proof. apply is_law_observation; [now apply nuisance_mdp | now apply nuisance_discounted | now apply nuisance_measure]. Qed.

  Lemma stale_chance β : E W_law (fun W => (1 - is_fresh β W)%R : RK) = (count β / INR m)%R.
  Proof.
    pose proof (m_pos m Hm) as P.
    rewrite (E_ext _ _ (fun W => nonzero (β (S (S (coord m (state W))))) : RK)).
    - rewrite (E_observation_pair M μB (fun x _ => nonzero (β (S (S (coord m x)))) : RK)); [|now apply nuisance_mdp | now apply nuisance_discounted].
      rewrite (behaviour_sum m Hm _ (fun _ j _ => nonzero (β (S (S j))))) by reflexivity.
      unfold count. rewrite (rsum_ext m _ (fun j => 4 * nonzero (β (S (S j))))%R) by (intros; ring). rewrite rsum_mul. real. field. lra.
    - intros W. unfold is_fresh, nonzero, at_j. destruct (Req_EM_T _ 0); rring.
  Qed.

  Lemma block_chance β k : (1 - INR k * (count β / INR m) <= E (block W_law k) (all_fresh β))%R.
  Proof.
    induction k; [simpl; real; lra|]. rewrite E_block_S.
    apply Rle_trans with (E (block W_law k) (fun F => all_fresh β F + - (1) * (count β / INR m)%R : RK)).
    - rewrite E_add, E_const by apply is_law_block, law_W. rewrite S_INR. real. lra.
    - apply E_le; [apply is_law_block, law_W|]. intros F. rewrite <- stale_chance, <- E_mul_l.
      rewrite <- (E_const W_law (all_fresh β F) law_W), <- E_add. apply E_le; [exact law_W|]. intros W. simpl.
      pose proof (all_fresh_range β F) as R1. assert (R2 : (0 <= is_fresh β W <= 1)%R) by (unfold is_fresh; destruct (Req_EM_T _ _); lra).
      real. nra.
  Qed.

  (** T iterations are good but with probability T·(KT/m). *)
  Notation Path := (fun _ : list (list sample) => block W_law K).

  Lemma path_chance T n H : (length H + n <= T)%nat ->
    (good H - INR n * (INR K * (INR T / INR m)) <= E_path Path n H good)%R.
  Proof.
    pose proof (m_pos m Hm) as P. revert H. induction n; intros H L; [simpl; lra|]. cbn [E_path]. set (κ := (INR K * (INR T / INR m))%R) in *.
    assert (HB : is_law (block W_law K)) by apply is_law_block, law_W.
    apply Rle_trans with (E (block W_law K) (fun F => good H * all_fresh (beta (after H)) F + - (1) * (INR n * κ)%R : RK)).
    - rewrite E_add, E_const, E_mul_l by exact HB. rewrite S_INR. pose proof (block_chance (beta (after H)) K) as B.
      assert (C : (count (beta (after H)) / INR m <= INR T / INR m)%R).
      { apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|]. eapply Rle_trans; [apply count_run | apply le_INR; lia]. }
      apply (Rmult_le_compat_l (INR K)) in C; [|apply pos_INR]. fold κ in C.
      set (e := E _ (all_fresh _)) in *. clearbody e. real. destruct (good_cases H) as [-> | ->]; [|lra].
      assert (0 <= κ)%R by (unfold κ; repeat apply Rmult_le_pos; try apply pos_INR; apply Rlt_le, Rinv_0_lt_compat; lra). lra.
    - apply E_le; [exact HB|]. intros F. specialize (IHn (F :: H)). simpl length in IHn. specialize (IHn ltac:(lia)).
      eapply Rle_trans; [|exact IHn]. simpl good. real. lra.
  Qed.

  (** ** On a good history *)
  Variable T : nat.
  Notation b := (INR T * (3 / INR p))%R.
  Notation A := (3 + 2 * INR K * η * (α + 2))%R.
  Definition valid_block (F : list sample) : Prop := (length F <= K)%nat /\ Forall (in_range p) F.

  Lemma good_run H : (length H <= T)%nat -> Forall valid_block H -> good H = 1%R ->
    signal (beta (after H)) (INR (length H) * (3 / INR p)) /\ (drift_half (after H) + b <= A ^ length H * b)%R.
  Proof.
    pose proof (p_large p Hp) as P. assert (P3 : (0 < 3 / INR p)%R) by (apply Rdiv_lt_0_compat; lra). destruct rates as (Pα & Pζ & Pη).
    induction H as [|F H IH]; intros L V G.
    - simpl. split; [split; unfold vzero; real; rewrite Rabs_R0; lra|]. unfold drift_half, spread. simpl. unfold vzero. real.
      rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - simpl length in *. inversion_clear V as [|? ? [VL VF] VH]. simpl good in G.
      destruct (good_cases H) as [G0|G1]; [rewrite G0 in G; lra|]. destruct (IH ltac:(lia) VH G1) as [S D]. clear IH.
      rewrite G1, Rmult_1_l in G. destruct (all_fresh_cases (beta (after H)) F) as [Z|[_ Fr]]; [lra|].
      assert (FF : Forall (fresh p (beta (after H))) F).
      { apply Forall_forall. intros W HW. split; [exact (proj1 (Forall_forall _ _) VF W HW) | exact (proj1 (Forall_forall _ _) Fr W HW)]. }
      rewrite (S_INR (length H)). cbn [run]. set (st := after H) in *. split.
      + replace ((INR (length H) + 1) * (3 / INR p))%R with (INR (length H) * (3 / INR p) + 3 / INR p)%R by ring.
        destruct F as [|W F].
        * destruct S as [S0 S1]. split; simpl; lra.
        * inversion_clear FF. now apply (beta_step p α ζ η Hp rates).
      + assert (LT : (INR (length H) * (3 / INR p) <= b)%R) by (apply Rmult_le_compat_r; [lra | apply le_INR; lia]).
        assert (Sb : signal (beta st) b) by (destruct S; split; lra).
        assert (Pb : (0 <= b)%R) by (apply Rmult_le_pos; [apply pos_INR | lra]).
        eapply Rle_trans; [apply (drift_step_half p α ζ η 1 Hp ltac:(lra) rates K b Pb st F FF VL Sb)|].
        apply Rle_trans with (A * (A ^ length H * b))%R; [|apply Req_le; cbn [pow]; ring].
        apply Rmult_le_compat_l; [|exact D]. pose proof (pos_INR K).
        assert (0 <= INR K * η * (α + 2))%R by (repeat apply Rmult_le_pos; lra). lra.
  Qed.

  (** ** The suboptimality *)
  Lemma nuisance_return_sum π : return_of_measure M (compose π (state_law m)) = rsum (m + m) (fun x => / (2 * INR m) * π x 0%nat)%R.
  Proof.
    unfold return_of_measure, sumXA. simpl nA. apply sum_ext. intros x Hx. cbn [sum].
    rewrite !(nuisance_reward m) by (assumption || lia). unfold compose, state_law. cbn [Nat.eqb]. rring.
  Qed.

  Lemma nuisance_return_le π (u : R) : (forall x, (x < m + m)%nat -> (π x 0%nat <= u)%R) ->
    (return_of_measure M (compose π (state_law m)) <= u)%R.
  Proof.
    intros H. rewrite nuisance_return_sum. pose proof (state_law_pos m Hm) as P.
    apply Rle_trans with (rsum (m + m) (fun x => u * / (2 * INR m)))%R.
    - apply rsum_le. intros x Hx. rewrite Rmult_comm. apply Rmult_le_compat_r; [lra | now apply H].
    - rewrite rsum_mul. unfold rsum. rewrite (state_law_total m Hm). lra.
  Qed.

  Notation sub := (suboptimality_of (F := list sample) M policy (compose first_policy (state_law m)) (fun _ => state_law m)).
  Notation c := (1 / 2 - α * (A ^ T * b) / 2)%R.

  Lemma good_suboptimality H F : (length H <= T)%nat -> Forall valid_block H -> (c * good H <= sub (after H) F)%R.
  Proof.
    intros L V. unfold suboptimality_of.
    assert (One : return_of_measure M (compose first_policy (state_law m)) = 1%R) by (apply (nuisance_return m Hm); reflexivity).
    rewrite One. set (st := after H) in *.
    pose proof (softmax_is_policy M α ltac:(simpl; lia) (theta_sum st)) as [P0 P1]. fold (policy st) in P0, P1.
    assert (Two : forall x, (x < m + m)%nat -> (policy st x 0%nat + policy st x 1%nat = 1)%R).
    { intros x Hx. specialize (P1 x Hx). simpl in P1. real. lra. }
    destruct (good_cases H) as [Z|G].
    - rewrite Z, Rmult_0_r. assert (B : (return_of_measure M (compose (policy st) (state_law m)) <= 1)%R).
      { apply nuisance_return_le. intros x Hx. specialize (Two x Hx). pose proof (P0 x 1%nat Hx ltac:(simpl; lia)) as Q. real. lra. }
      real. lra.
    - rewrite G, Rmult_1_r. destruct (good_run H L V G) as [_ D]. fold st in D. pose proof (p_large p Hp) as PL.
      assert (P3 : (0 < 3 / INR p)%R) by (apply Rdiv_lt_0_compat; lra). destruct rates as (Pα & _ & Pη).
      assert (Pb : (0 <= b)%R) by (apply Rmult_le_pos; [apply pos_INR | lra]). pose proof (pos_INR K).
      assert (PA : (1 <= A)%R) by (assert (0 <= INR K * η * (α + 2))%R by (repeat apply Rmult_le_pos; lra); lra).
      assert (W : (A ^ length H * b <= A ^ T * b)%R) by (apply Rmult_le_compat_r; [exact Pb | now apply Rle_pow]).
      assert (Z : (spread (theta_sum st) <= A ^ T * b)%R) by (unfold drift_half in D; pose proof (spread_nonneg (theta st)); lra).
      assert (B : (return_of_measure M (compose (policy st) (state_law m)) <= 1 / 2 + α * (A ^ T * b) / 2)%R).
      { apply nuisance_return_le. intros x Hx. specialize (Two x Hx).
        pose proof (policy_spread_half p α ζ η Hp rates (theta_sum st) x Hx) as S. fold (policy st) in S.
        unfold spread in S at 1. apply Rcomplements.Rabs_le_between in S. apply (Rmult_le_compat_l α) in Z; [|exact Pα].
        unfold policy1 in *. lra. }
      real. lra.
  Qed.

  Lemma expected_half : (0 < T)%nat -> (0 <= c)%R ->
    (c * (1 - INR T * (INR K * (INR T / INR m)))
     <= expected_suboptimality_1 M μB N 1 2 first_policy (state_law m) (fun _ => state_law m) α ζ η T K vzero vzero)%R.
  Proof.
    intros HT Hc. unfold expected_suboptimality_1, expected_at_random_iteration.
    assert (HB : is_law (block W_law K)) by apply is_law_block, law_W. assert (PT : (0 < INR T)%R) by now apply lt_0_INR.
    assert (X : (INR T * (c * E_path Path T [] good) <= E_path Path T [] (total step (initial1 vzero vzero) sub))%R).
    { replace (INR T * (c * E_path Path T [] good))%R with (((INR T * c)%R : RK) * E_path Path T [] good) by (real; ring).
      rewrite <- E_path_mul_l. apply (E_path_le_in _ valid_block); [intros; exact HB | | constructor |].
      - intros _ q F HF. split; [apply block_length in HF; lia|]. eapply in_block; [|exact HF]. intros q' W HW.
        apply in_observation in HW. exact HW.
      - intros H L V. simpl in L. rewrite Nat.add_0_r in L. rewrite <- L at 1. assert (LT : (length H <= T)%nat) by lia. clear L.
        induction H as [|F H IH]; [simpl; real; lra|]. simpl length in LT. inversion_clear V as [|? ? _ VH].
        specialize (IH VH ltac:(lia)). pose proof (good_suboptimality H F ltac:(lia) VH) as S. cbn [total length]. rewrite (S_INR (length H)). simpl good.
        pose proof (all_fresh_range (beta (after H)) F) as R1. pose proof (pos_INR (length H)) as PL.
        assert (G0 : (0 <= good H)%R) by (destruct (good_cases H) as [-> | ->]; lra).
        assert (Q : ((INR (length H) + 1) * c * (good H * all_fresh (beta (after H)) F) <= (INR (length H) + 1) * c * good H)%R).
        { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. rewrite <- (Rmult_1_r (good H)) at 2. apply Rmult_le_compat_l; lra. }
        real. lra. }
    pose proof (path_chance T T [] ltac:(simpl; lia)) as Ch. simpl good in Ch.
    apply (Rmult_le_compat_l c) in Ch; [|exact Hc]. real. rewrite of_nat_INR.
    apply (Rmult_le_reg_l (INR T)); [exact PT|]. set (e := E_path _ T [] (total _ _ _)) in *. set (g := E_path _ T [] good) in *. clearbody e g.
    change (@carrier RK) with R in *. replace (INR T * (e / INR T))%R with e by (field; lra).
    apply (Rmult_le_compat_l (INR T)) in Ch; [|lra]. lra.
  Qed.
End Chance.

(** ** The instances satisfy what is printed, and more *)
Section Setting.
  Variable p : nat.
  Hypothesis Hp : (0 < p)%nat.
  Notation m := (p * p)%nat.
  Notation M := (nuisance m).
  Notation d := (S (S m)).
  Let Hm : (0 < m)%nat := m_some p Hp.
  Notation L := (diagonal (/ sqrt 2) (/ INR p)).
  Notation N := (diagonal (sqrt 2) (INR p)).

  Lemma root_2 : (0 < sqrt 2 /\ sqrt 2 * sqrt 2 = 2)%R.
  Proof. split; [apply sqrt_lt_R0; lra | apply sqrt_def; lra]. Qed.

  Lemma meq_trans (A B C : mat RK) : meq d A B -> meq d B C -> meq d A C.
  Proof. intros H H' i k Hi Hk. now rewrite H, H'. Qed.

  Lemma diagonal_eq u v u' v' : u = u' -> v = v' -> meq d (diagonal u v) (diagonal u' v').
  Proof. intros -> -> i k _ _. reflexivity. Qed.

  Lemma nuisance_half_root : half_root d (covariance M (compose even_policy (state_law m))) L N.
  Proof.
    destruct root_2 as [R P2]. pose proof (p_large p Hp) as P. pose proof (m_pos m Hm) as Pm. assert (E : INR m = (INR p * INR p)%R) by apply mult_INR.
    split; [apply diagonal_symmetric | split; [apply diagonal_symmetric | split; [|split; [|split]]]].
    - intros i k Hi Hk. rewrite (nuisance_covariance m Hm i k Hi Hk). revert i k Hi Hk.
      eapply meq_trans; [apply diagonal_mmul|]. apply diagonal_eq; [|rewrite E; field; lra].
      replace (/ sqrt 2 * / sqrt 2)%R with (/ (sqrt 2 * sqrt 2))%R by (field; lra). rewrite P2. field.
    - eapply meq_trans; [apply diagonal_mmul|]. eapply meq_trans; [apply (diagonal_eq _ _ 1 1); field; lra | apply diagonal_identity].
    - eapply meq_trans; [apply diagonal_mmul|]. eapply meq_trans; [apply (diagonal_eq _ _ 1 1); field; lra | apply diagonal_identity].
    - intros u. unfold quad. apply sum_nonneg. intros i Hi. rewrite diagonal_mulv by exact Hi.
      assert (0 < (if Nat.ltb i 2 then / sqrt 2 else / INR p))%R by (destruct (Nat.ltb i 2); apply Rinv_0_lt_compat; lra).
      set (c := if Nat.ltb i 2 then _ else _) in *. real. pose proof (Rle_0_sqr (u i)) as S. unfold Rsqr in S.
      replace (u i * (c * u i))%R with (c * (u i * u i))%R by ring. apply Rmult_le_pos; lra.
  Qed.

  Lemma nuisance_coverage : coverage M N (compose first_policy (state_law m)) = 2%R.
  Proof.
    destruct root_2 as [R P2]. unfold coverage, quad. change (dim M) with d.
    rewrite (dot_ext d _ _ _ _ (nuisance_PhiT m Hm) (mulv_ext d _ _ _ _ (diagonal_mmul d (sqrt 2) (INR p) (sqrt 2) (INR p)) (nuisance_PhiT m Hm))).
    unfold dot. rewrite (sum_single d _ 0) by first [lia | intros j _ Nj; destruct j; [congruence | real; ring]].
    rewrite diagonal_mulv by lia. rewrite P2. cbn [Nat.ltb Nat.leb]. real. ring.
  Qed.

  Lemma nuisance_printed_setting :
    printed_setting_half M even_policy (state_law m) L N 1 2 (sqrt 2) first_policy (state_law m) first_value (fun _ => state_law m) vzero vzero.
  Proof.
    destruct root_2 as [R P2]. destruct policies with (m := m) as [Pe Pf].
    split; [now apply nuisance_mdp | split; [now apply nuisance_discounted | split; [now apply nuisance_full_rank | split; [simpl; lia|]]]].
    split; [lra | split].
    { intros x a Hx Ha. change (dim M) with d. rewrite (nuisance_features m) by assumption. apply le_eq. real. lra. }
    split.
    { intros π _. split; [now apply nuisance_is_value | split; [apply nuisance_occupancy|]]. unfold ball. change (dim M) with d.
      rewrite (nuisance_theta m). apply le_eq. real. ring. }
    split; [exact Pe | split; [apply nuisance_occupancy | split; [exact nuisance_half_root | split; [exact Pf | split; [apply nuisance_occupancy|]]]]].
    rewrite nuisance_coverage. split; [apply le_refl | split; [real; lra | split; apply ball_vzero]].
  Qed.
End Setting.

(** ** The theorem *)
Section Constants.
  Local Open Scope R_scope.
  Variables (T K : nat).
  Hypothesis HT : (0 < T)%nat.
  Hypothesis HK : (0 < K)%nat.

  (** The printed constants do not depend on m. *)
  Lemma half_G m : sqrt (G_beta (nuisance m) (sqrt 2) 1%R 1%R) = 3 /\ sqrt (G_theta (nuisance m) (sqrt 2) 2%R 1%R) = sqrt 30.
  Proof.
    destruct root_2 as [R P2]. split.
    - rewrite <- (sqrt_square 3) by lra. f_equal. unfold G_beta. simpl γ. real.
      replace ((1 + 1 + 1) * (1 + (1 + 0 * 0) * (sqrt 2 * sqrt 2 * (1 * 1))) * 1) with (3 * (1 + sqrt 2 * sqrt 2)) by ring. rewrite P2. ring.
    - f_equal. unfold G_theta. simpl γ. real.
      replace ((1 + 1 + 1) * (sqrt 2 * sqrt 2) * ((1 - 0) * (1 - 0) + (1 + 0 * 0) * (2 * 2 * 1))) with (15 * (sqrt 2 * sqrt 2)) by ring. rewrite P2. ring.
  Qed.

  Notation α := (rate_α 1 (sqrt 2) (ln (INR 2)) (INR T)).
  Notation ζ := (rate_ζ 2 3 (INR T)).
  Notation η := (rate_η 1 (sqrt 30) (INR K)).

  Lemma half_rates : 0 <= α /\ 0 < ζ /\ 0 <= η.
  Proof.
    destruct root_2 as [R _]. pose proof (root_one T HT) as RT. pose proof (root_one K HK) as RK0.
    assert (R30 : 0 < sqrt 30) by (apply sqrt_lt_R0; lra). unfold rate_α, rate_ζ, rate_η. split; [|split].
    - apply Rmult_le_pos; [apply sqrt_pos | apply Rlt_le, Rinv_0_lt_compat; nra].
    - apply Rdiv_lt_0_compat; lra.
    - apply Rlt_le, Rdiv_lt_0_compat; [lra | now apply Rmult_lt_0_compat; [|lra]].
  Qed.

  Lemma half_bound m : bound_A_1_half T K (nuisance m) 1 2 (sqrt 2)
    = (12 + sqrt 2 * sqrt (2 * ln 2)) / sqrt (INR T) + 2 * sqrt 30 / sqrt (INR K).
  Proof.
    unfold bound_A_1_half. destruct (half_G m) as [-> ->]. change (nA (nuisance m)) with 2%nat. replace (INR 2) with 2 by (simpl; ring).
    destruct root_2 as [R _]. pose proof ln_2_bound. assert (0 < sqrt 30) by (apply sqrt_lt_R0; lra).
    rewrite (six_terms_tuned_value _ _ _ _ _ 1 _) by (repeat split; try lra; now apply lt_0_INR).
    f_equal; f_equal; ring.
  Qed.

  Theorem theorem_A_1_refuted_half :
    (12 + sqrt 2 * sqrt (2 * ln 2)) / sqrt (INR T) + 2 * sqrt 30 / sqrt (INR K) < 1 / 2 -> ~ Theorem_A_1_printed_half T K.
  Proof.
    intros H P. set (l := (12 + sqrt 2 * sqrt (2 * ln 2)) / sqrt (INR T) + 2 * sqrt 30 / sqrt (INR K)) in *.
    pose proof half_rates as Ra. destruct Ra as (Pα & Pζ & Pη). pose proof (pos_INR T) as PT. pose proof (pos_INR K) as PK.
    set (A := 3 + 2 * INR K * η * (α + 2)). assert (PA : 1 <= A) by (unfold A; assert (0 <= INR K * η * (α + 2)) by (apply Rmult_le_pos; [now apply Rmult_le_pos | lra]); lra).
    assert (PAT : 0 <= A ^ T) by (apply pow_le; lra).
    set (y := 3 * (α * (A ^ T * INR T)) / 2). set (z := INR T * (INR K * INR T)).
    assert (Py : 0 <= y) by (unfold y; assert (0 <= α * (A ^ T * INR T)) by (apply Rmult_le_pos; [exact Pα | now apply Rmult_le_pos]); lra).
    assert (Pz : 0 <= z) by (unfold z; repeat apply Rmult_le_pos; lra).
    assert (L0 : 0 <= l).
    { unfold l. pose proof (root_one T HT). pose proof (root_one K HK). pose proof (sqrt_pos 2). pose proof (sqrt_pos (2 * ln 2)). pose proof (sqrt_pos 30).
      assert (0 <= sqrt 2 * sqrt (2 * ln 2)) by now apply Rmult_le_pos.
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply Rlt_le, Rinv_0_lt_compat; lra. }
    destruct (above ((y + z) / (1 / 2 - l) + 1)) as [p Lp].
    assert (Q0 : 0 <= (y + z) / (1 / 2 - l)) by (apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat; lra]).
    assert (P1 : 1 < INR p) by lra. assert (Hp : (0 < p)%nat) by (apply INR_lt; simpl; lra).
    assert (Small : (y + z) / INR p < 1 / 2 - l).
    { apply (Rmult_lt_reg_r (INR p)); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply (Rmult_lt_reg_r (/ (1 / 2 - l))); [apply Rinv_0_lt_compat; lra|].
      replace ((1 / 2 - l) * INR p * / (1 / 2 - l)) with (INR p) by (field; lra). unfold Rdiv in Lp. lra. }
    pose proof (P _ _ _ _ _ _ _ _ _ _ _ _ _ _ (nuisance_printed_setting p Hp)) as B. rewrite half_bound in B. fold l in B.
    unfold suboptimality_A_1_half in B. destruct (half_G (p * p)) as [E1 E2]. rewrite E1, E2 in B. change (nA (nuisance (p * p))) with 2%nat in B.
    assert (Ip : 0 < / INR p < 1) by (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
    assert (Cv : 1 / 2 - α * (A ^ T * (INR T * (3 / INR p))) / 2 = 1 / 2 - y / INR p) by (unfold y; field; lra).
    assert (C0 : 0 <= 1 / 2 - y / INR p) by (unfold Rdiv in *; nra).
    pose proof (expected_half p α ζ η K Hp half_rates T HT) as Lo. fold A in Lo. rewrite Cv in Lo. specialize (Lo C0).
    assert (F : (1 / 2 - y / INR p) * (1 - INR T * (INR K * (INR T / INR (p * p)))) <= l) by (eapply Rle_trans; [exact Lo | exact B]).
    rewrite mult_INR in F.
    replace (INR T * (INR K * (INR T / (INR p * INR p)))) with (z * (/ INR p * / INR p)) in F by (unfold z; field; lra).
    set (i := / INR p) in *. assert (Ii : 0 <= i * i <= i) by (split; nra).
    assert (Z1 : 0 <= z * (i * i) <= z * i) by (split; [apply Rmult_le_pos; lra | apply Rmult_le_compat_l; lra]).
    unfold Rdiv in *. fold i in F, Small. assert (Y1 : 0 <= y * i) by (apply Rmult_le_pos; lra).
    assert (YZ : 0 <= y * i * (z * (i * i))) by (apply Rmult_le_pos; lra).
    replace ((1 * / 2 - y * i) * (1 - z * (i * i))) with (1 / 2 - y * i - z * (i * i) / 2 + y * i * (z * (i * i))) in F by field. lra.
  Qed.
End Constants.

(** For example: for every T ≥ 4000 and K ≥ 2500. *)
Theorem theorem_A_1_refuted_half_from_4000_2500 (T K : nat) : (4000 <= T)%nat -> (2500 <= K)%nat -> ~ Theorem_A_1_printed_half T K.
Proof.
  intros HT HK. apply theorem_A_1_refuted_half; [lia | lia|]. pose proof ln_2_bound as L.
  assert (S2 : (sqrt (2 * ln 2) <= 5 / 4)%R) by (apply root_le; lra). assert (S3 : (sqrt 30 <= 11 / 2)%R) by (apply root_le; lra).
  assert (S4 : (sqrt 2 <= 3 / 2)%R) by (apply root_le; lra). pose proof (sqrt_pos (2 * ln 2)). pose proof (sqrt_pos 30). pose proof (sqrt_pos 2).
  assert (RT : (60 <= sqrt (INR T))%R).
  { rewrite <- (sqrt_square 60) by lra. apply sqrt_le_1_alt. apply le_INR in HT. rewrite (INR_IZR_INZ 4000) in HT. simpl in HT. lra. }
  assert (RK' : (50 <= sqrt (INR K))%R).
  { rewrite <- (sqrt_square 50) by lra. apply sqrt_le_1_alt. apply le_INR in HK. rewrite (INR_IZR_INZ 2500) in HK. simpl in HK. lra. }
  assert (IT : (0 < / sqrt (INR T) <= / 60)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (IK : (0 < / sqrt (INR K) <= / 50)%R) by (split; [apply Rinv_0_lt_compat; lra | apply Rinv_le_contravar; lra]).
  assert (sqrt 2 * sqrt (2 * ln 2) <= 15 / 8)%R by nra. unfold Rdiv. nra.
Qed.
