(** The rewritings that the Gappa scripts ask for, as one tactic.  Gappa emits each as a hypothesis of its
    certificate; [check.sh] turns it into a lemma that this tactic has to prove. *)
From Coq Require Import Reals.
From Gappa Require Import Gappa_library.
Local Open Scope R_scope.

(** Where √P is not zero, P is its square. *)
Lemma sqrt_nonzero_square (p : R) : sqrt p <> 0 -> p = sqrt p * sqrt p.
Proof.
  intros H. symmetry. apply sqrt_def.
  destruct (Rle_or_lt 0 p) as [G|G]; [exact G|]. exfalso. apply H. now apply sqrt_neg_0, Rlt_le.
Qed.

(** P (D/√P)² = D². *)
Lemma scaled_to_radius (p D : R) : sqrt p <> 0 -> p * ((D / sqrt p) * (D / sqrt p)) = D * D.
Proof. intros H. rewrite (sqrt_nonzero_square p H) at 1. now field. Qed.

(** N/n = 1 / (1 + (n - N)/N). *)
Lemma inverse_relative_error (N n : R) : N <> 0 -> n <> 0 -> N / n = Float1 1 / (Float1 1 + (n - N) / N).
Proof.
  intros HN Hn. change (Float1 1) with 1. field. repeat split; try assumption.
  now replace (N + (n - N)) with n by ring.
Qed.

(** (√z)² = z for a sum of squares z. *)
Ltac square_of_root := apply sqrt_def; repeat apply Rplus_le_le_0_compat; apply Rle_0_sqr.

(** The scale factor s leaves the sum of squares, in the summation order of d = 1, 2, 3, 4. *)
Lemma scale_1 (a s : R) : (a * s) * (a * s) = a * a * (s * s).
Proof. ring. Qed.

Lemma scale_2 (a b s : R) : (a * s) * (a * s) + (b * s) * (b * s) = (a * a + b * b) * (s * s).
Proof. ring. Qed.

Lemma scale_3 (a b c s : R) :
  (a * s) * (a * s) + (b * s) * (b * s) + (c * s) * (c * s) = (a * a + b * b + c * c) * (s * s).
Proof. ring. Qed.

Lemma scale_4 (a b c e s : R) :
  (a * s) * (a * s) + (b * s) * (b * s) + ((c * s) * (c * s) + (e * s) * (e * s))
  = (a * a + b * b + (c * c + e * e)) * (s * s).
Proof. ring. Qed.

Ltac rewriting :=
  first [ apply scale_1 | apply scale_2 | apply scale_3 | apply scale_4
        | apply scaled_to_radius | apply inverse_relative_error | square_of_root ].
