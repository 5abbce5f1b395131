//! Kani harnesses, one file per subject; `docs/proofs.md` lists what each proves. Compiled under `cargo kani` only.
//!
//! Every `kani::assume` carries one of two marks. *Precondition*: the claim is about these inputs alone. *Budget*: the claim is
//! wider, the solver's time is not. Every harness `cover`s something, so that one whose assumptions exclude everything shows.
// Stubs are named in attributes alone, and the tests call some properties that Kani does not.
#![allow(dead_code, unused_imports)]
// `missing_docs` is for the library's users; casts here are of numbers whose range the line above states.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use crate as library;

mod abstraction;
mod contracts;
mod form;
mod frozen;
mod lemmas;
mod lengths;
mod parsers;
mod projection;
mod properties;
mod rational;
mod scalars;
mod shapes;
mod shapes_appendices;
mod shapes_average;
mod shapes_lagrangian;
mod shapes_numbers;
mod shapes_runs;
mod softmax;
mod steps;
