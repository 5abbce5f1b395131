//! Kani harnesses, beside the properties that they claim; `docs/proofs.md` says what that comes to, `docs/tables/kani-table.md` lists them.
//! A file is a room of the library: `checks`, `numbers`, `data`; Π (`projection`) and π (`policy`); the boxes of Sections 3 and 5
//! (`steps`, and a whole iteration in `iterations`); Lemmas 4.1, 4.2, C.3 and C.4 (`lemmas`). `support` has the scalars and the stubs.
//!
//! `tests/properties.rs` runs the same properties on grids and random inputs; the harnesses are compiled under `cargo kani` only.
//!
//! Every `kani::assume` carries one of three marks. *Precondition*: the claim is about these inputs alone. *Budget*: the claim is
//! wider, the solver's time is not. *Contract*: what a stub stands for keeps this, for the reason given. Every harness `cover`s
//! something, so that one whose assumptions exclude everything shows. *Seen to fail* names the break of the library that it refuted.
// The tests call some properties that Kani does not.
#![allow(dead_code)]
// `missing_docs` is for the library's users; casts here are of numbers whose range the line above states.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use crate as library;

mod checks;
mod data;
mod iterations;
mod lemmas;
mod numbers;
mod policy;
mod projection;
mod steps;
mod support;
