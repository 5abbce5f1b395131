(** * Over the reals, the best gain exists, and a certificate's fractions are what they are (proofs) *)

From Coq Require Import ZArith QArith Reals Lia.
From OPD Require Import OrderedField Mdp Certificate CertificateStatements CertificateSound.

Theorem accepted_average_reals : Accepted_average_reals.
Proof.
  intros c H S. set (M := mdp_of RK c). set (gains := fun ρ : R => exists π, is_policy M π /\ gain_is RK M π ρ).
  destruct (completeness gains) as [ρ' [Up Least]].
  - exists (of_Q RK (return_of (the_setting c) (best c)) + of_Q RK (slack (best c)))%R. intros ρ [π [Hπ Hρ]].
    exact (gain_bound c H S π ρ Hπ Hρ).
  - destruct (every_gain c H (table RK (policy (best c))) (best_policy c H)) as [ρ Hρ]. exists ρ.
    exists (table RK (policy (best c))). split; [exact (best_policy c H) | exact Hρ].
  - exists ρ'. split.
    + intros π ρ Hπ Hρ. apply Up. exists π. now split.
    + intros b Hb. apply Least. intros ρ [π [Hπ Hρ]]. now apply (Hb π ρ).
Qed.

Theorem fractions_of_reals : Fractions_of_reals.
Proof.
  assert (N : forall n, of_nat (K := RK) n = INR n).
  { induction n as [|n IH]; [reflexivity|]. rewrite S_INR, <- IH. reflexivity. }
  assert (I : forall z, of_Z RK z = IZR z).
  { intros z. unfold of_Z. rewrite !N. change ((INR (Z.to_nat z) - INR (Z.to_nat (- z)))%R = IZR z).
    rewrite !INR_IZR_INZ, <- minus_IZR. f_equal. lia. }
  intros q. unfold of_Q. now rewrite !I.
Qed.
