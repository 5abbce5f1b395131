(* Generated from src/instances.rs by tests/coq_tie.rs; not written by hand. *)
