(** * Expectation on a finite sample space

    A law is a list of weighted outcomes and an expectation is the finite sum over it, so "unbiased" is an
    exact identity.  [bind] draws again, given what was drawn; [E_seq] is the expectation over n independent
    draws, written as the tower of conditional expectations. *)

From Coq Require Import Ring Field List Setoid Morphisms.
From OPD Require Import OrderedField Sums.
Import ListNotations.
Local Open Scope K_scope.

Definition law (K : ofield) (Ω : Type) := list (K * Ω).

Fixpoint E {K : ofield} {Ω} (D : law K Ω) (f : Ω -> K) : K :=
  match D with [] => 0 | (p, w) :: D => p * f w + E D f end.

Section Definitions.
  Context {K : ofield} {Ω : Type}.

  (** Weights are not negative and add up to one. *)
  Definition is_law (D : law K Ω) : Prop :=
    (forall p w, In (p, w) D -> 0 <= p) /\ E D (fun _ => 1) = 1.

  (** The expectation of a random vector, component by component. *)
  Definition Ev (D : law K Ω) (g : Ω -> vec K) : vec K := fun i => E D (fun w => g w i).

  Definition dirac (w : Ω) : law K Ω := [(1, w)].

  (** E over n independent draws w_1, …, w_n from D, of f [w_1; …; w_n]. *)
  Fixpoint E_seq (D : law K Ω) (n : nat) (f : list Ω -> K) : K :=
    match n with
    | O => f []
    | S n => E D (fun w => E_seq D n (fun ws => f (w :: ws)))
    end.
End Definitions.

(** The law of an index i < n of probability p(i). *)
Definition draw {K : ofield} (n : nat) (p : nat -> K) : law K nat := map (fun i => (p i, i)) (seq 0 n).

(** Draw w from D, then from k(w). *)
Definition bind {K : ofield} {Ω Ω'} (D : law K Ω) (k : Ω -> law K Ω') : law K Ω' :=
  flat_map (fun pw => map (fun qu => (fst pw * fst qu, snd qu)) (k (snd pw))) D.

#[export] Instance E_Proper {K : ofield} {Ω} D : Proper (pointwise_relation Ω eq ==> eq) (@E K Ω D).
Proof. intros f g H. induction D as [|[p w] D IH]; simpl; [reflexivity | now rewrite IH, H]. Qed.

Section Expectation.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field : (field_laws K).
  Implicit Types D : law K Ω.
  Implicit Types f g : Ω -> K.

  Lemma E_ext D f g : (forall w, f w = g w) -> E D f = E D g.
  Proof. intros H. now apply E_Proper. Qed.

  (** Equality is only needed on outcomes of the law. *)
  Lemma E_ext_in D f g : (forall p w, In (p, w) D -> f w = g w) -> E D f = E D g.
  Proof.
    induction D as [|[p w] D IH]; intros H; simpl; [reflexivity|].
    rewrite IH by (intros; eapply H; right; eassumption). now rewrite (H p w) by now left.
  Qed.

  Lemma E_add D f g : E D (fun w => f w + g w) = E D f + E D g.
  Proof. induction D as [|[p w] D IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma E_sub D f g : E D (fun w => f w - g w) = E D f - E D g.
  Proof. induction D as [|[p w] D IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma E_mul_l D (c : K) f : E D (fun w => c * f w) = c * E D f.
  Proof. induction D as [|[p w] D IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma E_mul_r D (c : K) f : E D (fun w => f w * c) = E D f * c.
  Proof. induction D as [|[p w] D IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma E_sum D n (f : nat -> Ω -> K) : E D (fun w => sum n (fun i => f i w)) = sum n (fun i => E D (f i)).
  Proof.
    induction n; simpl; [|rewrite <- IHn, <- E_add; reflexivity].
    rewrite (E_ext D (fun _ => 0) (fun _ => 0 * 0)) by (intros; ring). rewrite E_mul_l. ring.
  Qed.

  Lemma E_const D (c : K) : is_law D -> E D (fun _ => c) = c.
  Proof.
    intros [_ H]. rewrite (E_ext D _ (fun _ => c * 1)) by (intros; ring). rewrite E_mul_l, H. ring.
  Qed.

  Lemma E_le_in D f g :
    (forall p w, In (p, w) D -> 0 <= p) -> (forall p w, In (p, w) D -> f w <= g w) -> E D f <= E D g.
  Proof.
    induction D as [|[p w] D IH]; intros Hp H; simpl; [apply le_refl|]. apply add_le_compat.
    - apply mul_le_l; [apply (Hp p w) | apply (H p w)]; now left.
    - apply IH; intros; [eapply Hp | eapply H]; right; eassumption.
  Qed.

  Lemma E_le D f g : is_law D -> (forall w, f w <= g w) -> E D f <= E D g.
  Proof. intros [Hp _] H. apply E_le_in; auto. Qed.

  Lemma dot_Ev D d u (g : Ω -> vec K) : dot d u (Ev D g) = E D (fun w => dot d u (g w)).
  Proof.
    unfold dot, Ev. rewrite E_sum. apply sum_ext. intros i _. now rewrite E_mul_l.
  Qed.

  Lemma E_app D D' f : E (D ++ D') f = E D f + E D' f.
  Proof. induction D as [|[p w] D IH]; simpl; [ring | rewrite IH; ring]. Qed.

  Lemma E_dirac w f : E (dirac w) f = f w.
  Proof. simpl. ring. Qed.

  Lemma is_law_dirac w : is_law (dirac w : law K Ω).
  Proof.
    split; [|simpl; ring]. intros p v [H|[]]. injection H as <- <-. apply one_nonneg.
  Qed.
End Expectation.

Section Composition.
  Context {K : ofield} {Ω Ω' : Type}.
  Add Field K_field' : (field_laws K).

  Lemma E_bind (D : law K Ω) (k : Ω -> law K Ω') f : E (bind D k) f = E D (fun w => E (k w) f).
  Proof.
    unfold bind. induction D as [|[p w] D IH]; simpl; [reflexivity|]. rewrite E_app, IH. f_equal.
    induction (k w) as [|[q u] l IH']; simpl; [ring | rewrite IH'; ring].
  Qed.

  Lemma is_law_bind (D : law K Ω) (k : Ω -> law K Ω') :
    is_law D -> (forall p w, In (p, w) D -> is_law (k w)) -> is_law (bind D k).
  Proof.
    intros [Hp H1] Hk. split.
    - intros p u H. apply in_flat_map in H as [[q w] [Hw H]]. apply in_map_iff in H as [[q' u'] [E H]].
      injection E as <- <-. simpl. apply mul_nonneg; [eapply Hp; exact Hw | eapply (Hk q w); eassumption].
    - rewrite E_bind. transitivity (E D (fun _ => 1)); [|exact H1]. apply E_ext_in. intros p w Hw. apply (Hk p w Hw).
  Qed.
End Composition.

Section Draw.
  Context {K : ofield}.
  Add Field K_field'' : (field_laws K).

  Lemma E_draw n (p : nat -> K) f : E (draw n p) f = sum n (fun i => p i * f i).
  Proof.
    unfold draw. induction n; [reflexivity|]. rewrite seq_S, map_app, E_app, IHn. simpl. ring.
  Qed.

  Lemma in_draw n (p : nat -> K) q i : In (q, i) (draw n p) -> q = p i /\ (i < n)%nat.
  Proof.
    intros H. apply in_map_iff in H as [j [E H]]. injection E as <- <-. apply in_seq in H as [_ H]. auto.
  Qed.

  Lemma is_law_draw n (p : nat -> K) :
    (forall i, (i < n)%nat -> 0 <= p i) -> sum n p = 1 -> is_law (draw n p).
  Proof.
    intros H H1. split.
    - intros q i Hi. apply in_draw in Hi as [-> Hi]. auto.
    - rewrite E_draw. transitivity (sum n p); [|exact H1]. apply sum_ext. intros; ring.
  Qed.
End Draw.

Section Sequences.
  Context {K : ofield} {Ω : Type}.
  Add Field K_field3 : (field_laws K).
  Implicit Types f g : list Ω -> K.

  Lemma E_seq_ext (D : law K Ω) n f g : (forall ws, f ws = g ws) -> E_seq D n f = E_seq D n g.
  Proof.
    revert f g. induction n; intros f g H; simpl; [apply H|]. apply E_ext. intros w. now apply IHn.
  Qed.

  Lemma E_seq_add (D : law K Ω) n f g : E_seq D n (fun ws => f ws + g ws) = E_seq D n f + E_seq D n g.
  Proof.
    revert f g. induction n; intros f g; simpl; [reflexivity|]. rewrite <- E_add. apply E_ext. intros w.
    apply (IHn (fun ws => f (w :: ws)) (fun ws => g (w :: ws))).
  Qed.

  Lemma E_seq_mul_l (D : law K Ω) n (c : K) f : E_seq D n (fun ws => c * f ws) = c * E_seq D n f.
  Proof.
    revert f. induction n; intros f; simpl; [reflexivity|]. rewrite <- E_mul_l. apply E_ext. intros w.
    apply (IHn (fun ws => f (w :: ws))).
  Qed.

  Lemma E_seq_const (D : law K Ω) n (c : K) : is_law D -> E_seq D n (fun _ => c) = c.
  Proof. intros H. induction n; simpl; [reflexivity | rewrite IHn; now apply E_const]. Qed.

  Lemma E_seq_le (D : law K Ω) n f g : is_law D -> (forall ws, f ws <= g ws) -> E_seq D n f <= E_seq D n g.
  Proof.
    intros HD. revert f g. induction n; intros f g H; simpl; [apply H|]. apply E_le; [exact HD|].
    intros w. now apply IHn.
  Qed.
End Sequences.
