(* Zarith under a name that the extracted code leaves free. *)
include Z
