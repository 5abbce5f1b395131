(** * Certificates of average suboptimality, and their checker (programs)

    A certificate holds a model, policies, a claim about them, and witnesses that make checking a matter of
    multiplying and comparing: nothing is solved, searched or iterated.  docs/certificates.md has the file format;
    CertificateStatements.v says what it means that [check] finds no failure, and CertificateSound.v proves it.

    Everything here is rational and is extracted to OCaml (checker/Extract.v). *)

From Coq Require Import ZArith QArith List.
Import ListNotations.
Local Open Scope Q_scope.

(** ** What a certificate holds *)

Record model := Model {
  states : nat;  actions : nat;  dimension : nat;
  features : list (list (list Q));   (* φ(x,a): for every state, for every action, d numbers *)
  omega : list Q;                    (* ω: d numbers *)
  psi : list (list Q) }.             (* ψ(x): for every state, d numbers *)

Inductive setting :=
| Discounted (discount : Q) (initial : list Q)
| Average.

(** A policy with v (and, in the average-reward setting, a gain), which solve its Bellman equation up to [slack]. *)
Record witness := Witness {
  policy : list (list Q);            (* π(·|x): for every state, one number per action *)
  gain : Q;                          (* read in the average-reward setting only *)
  value : list Q;
  slack : Q }.

Inductive claim := Exactly (s : Q) | Between (lo hi : Q).

Record certificate := Certificate {
  the_model : model;
  the_setting : setting;
  optimum : claim;                   (* the return of the best policy *)
  suboptimality : claim;             (* the average, over the iterations, of what is lost against it *)
  iterations : positive;             (* T *)
  best : witness;                    (* a policy that is best up to its slack *)
  played : list (positive * witness) }.  (* the policies, each with the number of iterations that played it *)

(** ** Inner products over a common denominator, which costs one gcd per number and none per product *)

Record scaled := Scaled { denominator : positive; numerators : list Z }.

Definition common (l : list Q) : positive :=
  fold_right (fun q d => Z.to_pos (Z.lcm (Zpos (Qden q)) (Zpos d))) 1%positive l.
Definition scale (l : list Q) : scaled :=
  let d := common l in Scaled d (map (fun q => (Qnum q * (Zpos d / Zpos (Qden q)))%Z) l).

Fixpoint dotZ (u v : list Z) : Z :=
  match u, v with
  | x :: u, y :: v => if Z.eqb x 0 then dotZ u v else (x * y + dotZ u v)%Z
  | _, _ => 0%Z
  end.
Definition dotQ (u v : scaled) : Q := dotZ (numerators u) (numerators v) # (denominator u * denominator v).

Fixpoint sumZ (l : list Z) : Z := match l with [] => 0%Z | x :: l => (x + sumZ l)%Z end.
Definition sumQ (l : list Q) : Q := let s := scale l in sumZ (numerators s) # denominator s.

(** ** A check passes, or says where it failed *)

Inductive whose := OfBest | OfPlayed (entry : nat).

Inductive failure :=
| No_states
| Model_shape
| Initial_shape
| Witness_shape (w : whose)
| Discount_range
| Initial_distribution
| Reward_range (x a : nat)
| Transition_distribution (x a : nat)
| Policy_distribution (w : whose) (x : nat)
| Residual (w : whose) (x : nat)       (* v(x) is further than the slack from what the policy makes of it *)
| Better_action (x a : nat)            (* an action beats [best]'s v(x) by more than the slack *)
| Iterations_count
| Optimum_claim
| Suboptimality_claim.

Definition verdict := option failure.
Definition test (b : bool) (f : failure) : verdict := if b then None else Some f.
Notation "v ;; w" := (match v with None => w | Some f => Some f end) (at level 61, right associativity).

Fixpoint each {A} (i : nat) (l : list A) (f : nat -> A -> verdict) : verdict :=
  match l with [] => None | x :: l => f i x ;; each (S i) l f end.

Definition has_length {A} (n : nat) (l : list A) : bool := Nat.eqb (length l) n.
Definition is_table {A} (n m : nat) (l : list (list A)) : bool := has_length n l && forallb (has_length m) l.
Definition between (lo hi x : Q) : bool := Qle_bool lo x && Qle_bool x hi.
Definition is_distribution (l : list Q) : bool := forallb (Qle_bool 0) l && Qeq_bool (sumQ l) 1.

(** ** The model *)

Definition check_model_shape (m : model) : verdict :=
  test (negb (Nat.eqb (states m) 0)) No_states ;;
  test (is_table (states m) (actions m) (features m) && forallb (forallb (has_length (dimension m))) (features m)
        && has_length (dimension m) (omega m) && is_table (states m) (dimension m) (psi m)) Model_shape.

(** r = Φω lies in [0,1], and every row of P = ΦΨ is a distribution. *)
Definition check_model (m : model) : verdict :=
  let w := scale (omega m) in
  let columns := map scale (psi m) in
  each 0 (features m) (fun x rows => each 0 rows (fun a row =>
    let f := scale row in
    test (between 0 1 (dotQ f w)) (Reward_range x a) ;;
    test (is_distribution (map (dotQ f) columns)) (Transition_distribution x a))).

Definition check_setting (m : model) (s : setting) : verdict :=
  match s with
  | Average => None
  | Discounted g n =>
    test (has_length (states m) n) Initial_shape ;;
    test (Qle_bool 0 g && negb (Qle_bool 1 g)) Discount_range ;;
    test (is_distribution n) Initial_distribution
  end.

(** ** Bellman's equation.  The rows of Ψ and Φ are scaled once; γ is 1 in the average-reward setting. *)

Definition rows_of_Psi (m : model) : list scaled :=
  map (fun i => scale (map (fun p => nth i p 0) (psi m))) (seq 0 (dimension m)).

(** q = Φ(ω + γΨv), for every state the list of its actions. *)
Definition backup (g : Q) (w : list Q) (rows : list scaled) (table : list (list scaled)) (v : list Q) : list (list Q) :=
  let v := scale v in
  let theta := scale (map (fun p => fst p + g * dotQ (snd p) v) (combine w rows)) in
  map (map (fun f => dotQ f theta)) table.

Definition discount_of (s : setting) : Q := match s with Discounted g _ => g | Average => 1 end.
Definition gain_of (s : setting) (w : witness) : Q := match s with Discounted _ _ => 0 | Average => gain w end.

Definition check_policy (m : model) (who : whose) (w : witness) : verdict :=
  test (is_table (states m) (actions m) (policy w) && has_length (states m) (value w)) (Witness_shape who) ;;
  each 0 (policy w) (fun x row => test (is_distribution row) (Policy_distribution who x)).

(** Each state's π(·|x), q(x,·) and v(x) + gain. *)
Definition rows (s : setting) (w : witness) (q : list (list Q)) : list (list Q * (list Q * Q)) :=
  combine (policy w) (combine q (map (fun v => v + gain_of s w) (value w))).

(** |Σ_a π q − v − gain| <= slack, everywhere. *)
Definition check_played (s : setting) (entry : nat) (w : witness) (q : list (list Q)) : verdict :=
  each 0 (rows s w q) (fun x row => let '(p, (qs, v)) := row in
    let made := dotQ (scale p) (scale qs) in
    test (Qle_bool made (v + slack w) && Qle_bool v (made + slack w)) (Residual (OfPlayed entry) x)).

(** q(x,a) <= v(x) + gain + slack for every action, and the policy makes at least v + gain − slack of v. *)
Definition check_best (s : setting) (w : witness) (q : list (list Q)) : verdict :=
  each 0 (rows s w q) (fun x row => let '(p, (qs, v)) := row in
    each 0 qs (fun a q => test (Qle_bool q (v + slack w)) (Better_action x a)) ;;
    test (Qle_bool v (dotQ (scale p) (scale qs) + slack w)) (Residual OfBest x)).

(** ** The claims *)

(** The return that v (or the gain) promises; the true one is within the slack of it. *)
Definition return_of (s : setting) (w : witness) : Q :=
  match s with Discounted g n => (1 - g) * dotQ (scale n) (scale (value w)) | Average => gain w end.

Definition mean (T : positive) (f : witness -> Q) (l : list (positive * witness)) : Q :=
  sumQ (map (fun p => (Zpos (fst p) # 1) * f (snd p)) l) * (1 # T).

(** [lo, hi] has been shown; is the claim within it? *)
Definition shows (lo hi : Q) (c : claim) : bool :=
  match c with Exactly s => Qle_bool s lo && Qle_bool hi s | Between a b => Qle_bool a lo && Qle_bool hi b end.

Definition check_claims (c : certificate) : verdict :=
  let s := the_setting c in
  let '(lo, hi) := (return_of s (best c) - slack (best c), return_of s (best c) + slack (best c)) in
  let average := mean (iterations c) (return_of s) (played c) in
  let error := mean (iterations c) slack (played c) in
  let least := lo - (average + error) in
  test (Z.eqb (sumZ (map (fun p => Zpos (fst p)) (played c))) (Zpos (iterations c))) Iterations_count ;;
  test (shows lo hi (optimum c)) Optimum_claim ;;
  (* nothing beats the best policy, so 0 is always shown *)
  test (shows (if Qle_bool 0 least then least else 0) (hi - (average - error)) (suboptimality c)) Suboptimality_claim.

Definition check (c : certificate) : verdict :=
  let m := the_model c in
  let s := the_setting c in
  check_model_shape m ;;
  check_setting m s ;;
  check_model m ;;
  let q := backup (discount_of s) (omega m) (rows_of_Psi m) (map (map scale) (features m)) in
  check_policy m OfBest (best c) ;;
  check_best s (best c) (q (value (best c))) ;;
  each 0 (played c) (fun entry p =>
    check_policy m (OfPlayed entry) (snd p) ;;
    check_played s entry (snd p) (q (value (snd p)))) ;;
  check_claims c.
