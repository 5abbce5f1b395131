(** * Section 3: Algorithm 1 (definitions)

    The algorithm in the proof's form (errata 1, 7, 11): g̃_θ is that of Lemma B.1, g̃_β has its Λ^{c−1}, and π_1 is
    uniform.  [N] stands for Λ^{c−1}. *)

From Coq Require Import List Reals.
From OPD Require Import OrderedField Sums Expect Mdp Discounted Projection Runs DoubleLoop.
Import ListNotations.
Local Open Scope K_scope.

Section Algorithm.
  Variables (M : linear_mdp RK) (N : mat RK) (α ζ η Dθ Dβ : R).
  Notation d := (dim M).

  (** Before iteration t: θ_{t−1}, β_t and Σ_{i<t} θ_i. *)
  Record state1 := State1 { theta : vec RK; beta : vec RK; theta_sum : vec RK }.

  (** π_t = softmax(α Σ_{i<t} Φθ_i) *)
  Definition policy1 (s : state1) : nat -> nat -> RK := softmax_policy M α (theta_sum s).

  (** θ_{t,1} = θ_{t−1},  θ_{t,k+1} = Π(θ_{t,k} − η g̃_{θ,t,k}) *)
  Definition inner1 (s : state1) : list sample -> vec RK :=
    descend (proj_ball d Dθ) η (theta_gradient M N (beta s) (policy1 s)) (theta s).

  (** θ_t = (1/K) Σ_{k=1}^K θ_{t,k}: the iterates before each of the K draws of a block, the last of which is W_t. *)
  Definition theta1 (s : state1) (F : list sample) : vec RK := average (inner1 s) F.

  (** β_{t+1} = Π(β_t + ζ g̃_{β,t}), from the block's last draw W_t *)
  Definition step1 (s : state1) (F : list sample) : state1 :=
    State1 (theta1 s F)
      match F with
      | [] => beta s
      | W :: _ => proj_ball d Dβ (vadd (beta s) (scale ζ (beta_gradient M N (policy1 s) (theta1 s F) W)))
      end
      (vadd (theta_sum s) (theta1 s F)).

  Definition initial1 (θ0 β1 : vec RK) : state1 := State1 θ0 β1 vzero.
End Algorithm.

(** (19) and (20), the latter corrected (erratum 2): [Tr] is Tr(Λ^{2c−1}), [λ] is ‖Λ‖₂^{2c−1}. *)
Definition G_theta {K : ofield} (M : linear_mdp K) (Dφ Dβ λ : K) : K :=
  (1 + 1 + 1) * Dφ² * ((1 - γ M)² + (1 + (γ M)²) * (Dβ² * λ)).
Definition G_beta {K : ofield} (M : linear_mdp K) (Dφ Dθ Tr : K) : K :=
  (1 + 1 + 1) * (1 + (1 + (γ M)²) * (Dφ² * Dθ²)) * Tr.
