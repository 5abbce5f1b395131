(* opd-check FILE: reads a certificate (docs/certificates.md), hands it to the extracted checker, says what came of it.
   This file is trusted: it parses and prints, and decides nothing.  Exit codes: 0 accepted, 1 refused, 2 malformed. *)

open Certificate

exception Malformed of string

(* ---- tokens: what stands between blanks ---- *)

let text = ref "" and place = ref 0 and line = ref 1

let malformed expected got = raise (Malformed (Printf.sprintf "line %d: expected %s, got %s" !line expected got))

let rec token () =
  if !place >= String.length !text then ""
  else match !text.[!place] with
    | '\n' -> incr line; incr place; token ()
    | ' ' | '\t' | '\r' -> incr place; token ()
    | _ ->
      let start = !place in
      while !place < String.length !text && not (String.contains " \t\r\n" !text.[!place]) do incr place done;
      String.sub !text start (!place - start)

let show token =
  if token = "" then "the end of the file"
  else if String.length token > 40 then Printf.sprintf "%S..." (String.sub token 0 40) else Printf.sprintf "%S" token

let word expected = let t = token () in if t <> expected then malformed (Printf.sprintf "%S" expected) (show t)

(* ---- numbers: digits, with a sign before and a denominator after them ---- *)

let digits s = s <> "" && String.for_all (fun c -> '0' <= c && c <= '9') s

let number () =
  let t = token () in
  let wrong () = malformed "a number p or p/q" (show t) in
  let unsigned = if t <> "" && t.[0] = '-' then String.sub t 1 (String.length t - 1) else t in
  let sign = if unsigned = t then Zarith.one else Zarith.minus_one in
  match String.split_on_char '/' unsigned with
  | [p] when digits p -> { qnum = Zarith.mul sign (Zarith.of_string p); qden = Zarith.one }
  | [p; q] when digits p && digits q && Zarith.sign (Zarith.of_string q) > 0 ->
    { qnum = Zarith.mul sign (Zarith.of_string p); qden = Zarith.of_string q }
  | _ -> wrong ()

let count least what =
  let t = token () in
  if digits t && String.length t <= 9 && int_of_string t >= least then int_of_string t else malformed what (show t)

let positive what =
  let t = token () in
  if digits t && Zarith.sign (Zarith.of_string t) > 0 then Zarith.of_string t else malformed what (show t)

let list n read = let rec go n acc = if n = 0 then List.rev acc else go (n - 1) (read () :: acc) in go n []
let vector n () = list n number
let table n m () = list n (vector m)

let nat n = let rec up n acc = if n = 0 then acc else up (n - 1) (S acc) in up n O
let int_of n = let rec down n acc = match n with O -> acc | S n -> down n (acc + 1) in down n 0

(* ---- the file, from top to bottom ---- *)

let claim keyword =
  word keyword;
  match token () with
  | "exact" -> Exactly (number ())
  | "enclosure" -> let lo = number () in Between (lo, number ())
  | t -> malformed "\"exact\" or \"enclosure\"" (show t)

let witness average n m () =
  word "policy"; let policy = table n m () in
  let gain = if average then (word "gain"; number ()) else { qnum = Zarith.zero; qden = Zarith.one } in
  word "value"; let value = vector n () in
  word "slack"; { policy; gain; value; slack = number () }

let certificate () =
  word "opd-certificate"; word "1";
  word "name"; let name = token () in
  if String.exists (fun c -> c < ' ' || c = '\127') name || name = "" then malformed "a name" (show name);
  word "setting";
  let average = match token () with
    | "discounted" -> false | "average" -> true | t -> malformed "\"discounted\" or \"average\"" (show t) in
  let optimum = claim "optimum" in
  let suboptimality = claim "suboptimality" in
  word "iterations"; let iterations = positive "the number of iterations, at least 1" in
  word "states"; let n = count 1 "the number of states, at least 1" in
  word "actions"; let m = count 0 "the number of actions" in
  word "dimension"; let d = count 0 "the dimension" in
  let the_setting =
    if average then Average
    else begin
      word "discount"; let discount = number () in
      word "initial"; Discounted (discount, vector n ())
    end in
  word "features"; let features = list n (table m d) in
  word "omega"; let omega = vector d () in
  word "psi"; let psi = table n d () in
  word "best"; let best = witness average n m () in
  word "policies"; let entries = count 0 "the number of policies" in
  let played = list entries (fun () ->
    word "times"; let times = positive "how many iterations played the policy, at least 1" in
    (times, witness average n m ())) in
  word "end";
  let t = token () in if t <> "" then malformed "the end of the file" (show t);
  let the_model = { states = nat n; actions = nat m; dimension = nat d; features; omega; psi } in
  (name, { the_model; the_setting; optimum; suboptimality; iterations; best; played })

(* ---- what is said ---- *)

let fraction x =
  let g = Zarith.gcd x.qnum x.qden in
  let p = Zarith.div x.qnum g and q = Zarith.div x.qden g in
  if Zarith.equal q Zarith.one then Zarith.to_string p else Zarith.to_string p ^ "/" ^ Zarith.to_string q

(* Ten decimals, rounded down or up, for people: a fraction may have thousands of digits. *)
let decimals round x =
  let unit = Zarith.of_string "10000000000" in
  let scaled = round (Zarith.mul x.qnum unit) x.qden in
  let size = Zarith.abs scaled in
  Printf.sprintf "%s%s.%010d" (if Zarith.sign scaled < 0 then "-" else "")
    (Zarith.to_string (Zarith.div size unit)) (Zarith.to_int (Zarith.rem size unit))

let claimed claim =
  let short round x = let s = fraction x in if String.length s <= 20 then s else decimals round x in
  match claim with
  | Exactly s when String.length (fraction s) <= 40 -> "exactly " ^ fraction s
  | Exactly s -> Printf.sprintf "exactly the file's fraction, %s..." (decimals Zarith.fdiv s)
  | Between (lo, hi) -> Printf.sprintf "between %s and %s" (short Zarith.fdiv lo) (short Zarith.cdiv hi)

(* The model in lowest terms, whatever way the file writes it. *)
let model_text c =
  let b = Buffer.create 4096 in
  let row key l = Buffer.add_string b (String.concat " " (key @ List.map fraction l)); Buffer.add_char b '\n' in
  let m = c.the_model in
  let size key n = Buffer.add_string b (Printf.sprintf "%s %d\n" key (int_of n)) in
  size "states" m.states; size "actions" m.actions; size "dimension" m.dimension;
  (match c.the_setting with
   | Discounted (g, n) -> row ["discount"] [g]; row ["initial"] n
   | Average -> ());
  row ["features"] []; List.iter (List.iter (row [])) m.features;
  row ["omega"] m.omega;
  row ["psi"] []; List.iter (row []) m.psi;
  Buffer.contents b

let accepted name c =
  let m = c.the_model in
  let setting = match c.the_setting with Discounted _ -> "discounted" | Average -> "average-reward" in
  Printf.printf
    "accepted: %s: the average suboptimality over %s iterations is %s; the best return is %s \
     (%s, %d states, %d actions, dimension %d, model %s)\n"
    name (Zarith.to_string c.iterations) (claimed c.suboptimality) (claimed c.optimum)
    setting (int_of m.states) (int_of m.actions) (int_of m.dimension) (Digest.to_hex (Digest.string (model_text c)))

let whose = function
  | OfBest -> "best"
  | OfPlayed j -> Printf.sprintf "policy %d" (int_of j)

let reason = function
  | No_states -> "there are no states"
  | Model_shape -> "features, omega or psi have a wrong shape"
  | Initial_shape -> "initial has a wrong length"
  | Witness_shape w -> whose w ^ ": the policy or the value has a wrong shape"
  | Discount_range -> "the discount is not in [0, 1)"
  | Initial_distribution -> "initial is not a distribution"
  | Reward_range (x, a) -> Printf.sprintf "state %d, action %d: the reward is not in [0, 1]" (int_of x) (int_of a)
  | Transition_distribution (x, a) ->
    Printf.sprintf "state %d, action %d: the transitions are not a distribution" (int_of x) (int_of a)
  | Policy_distribution (w, x) -> Printf.sprintf "%s, state %d: the policy is not a distribution" (whose w) (int_of x)
  | Residual (w, x) ->
    Printf.sprintf "%s, state %d: the value misses Bellman's equation by more than the slack" (whose w) (int_of x)
  | Better_action (x, a) ->
    Printf.sprintf "best, state %d: action %d is better by more than the slack" (int_of x) (int_of a)
  | Iterations_count -> "the policies' times do not add up to iterations"
  | Optimum_claim -> "the witnesses do not show the claimed optimum"
  | Suboptimality_claim -> "the witnesses do not show the claimed suboptimality"

let read file = let f = open_in_bin file in let s = really_input_string f (in_channel_length f) in close_in f; s

let complain message = prerr_endline ("malformed: " ^ message); exit 2

let () =
  let (echo, file) = match Array.to_list Sys.argv with
    | [_; file] when file <> "--model" -> (false, file)
    | [_; "--model"; file] -> (true, file)
    | _ -> prerr_endline "usage: opd-check [--model] FILE"; exit 2 in
  match
    text := read file;
    let (name, c) = certificate () in
    if echo then (print_string (model_text c); 0)
    else match check c with
      | None -> accepted name c; 0
      | Some f -> print_endline ("refused: " ^ reason f); 1
  with
  | code -> exit code
  | exception Malformed message -> complain (Printf.sprintf "%s: %s" file message)
  | exception Sys_error message -> complain message
  | exception Stack_overflow -> complain (file ^ ": too large; raise the stack limit (ulimit -s)")
  | exception Out_of_memory -> complain (file ^ ": too large for the memory")
