//! Kani harnesses, one file per subject; `docs/proofs.md` lists what each proves. Compiled under `cargo kani` only.
//!
//! Every `kani::assume` carries one of two marks. *Precondition*: the claim is about these inputs alone. *Budget*: the claim is
//! wider, the solver's time is not. Every harness `cover`s something, so that one whose assumptions exclude everything shows.
// `missing_docs` is for the library's users; casts here are of numbers whose range the line above states.
#![allow(missing_docs, clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]

use crate as library;

mod abstraction;
mod form;
#[allow(dead_code)]
mod frozen;
mod lemmas;
#[allow(dead_code)]
mod lengths;
mod parsers;
mod projection;
#[allow(dead_code)] // the tests call some that Kani does not
mod properties;
mod rational;
#[allow(dead_code)]
mod scalars;
mod shapes;
#[allow(dead_code, unused_imports)] // stubs are named in attributes alone
mod shapes_average;
#[allow(dead_code, unused_imports)]
mod shapes_lagrangian;
mod shapes_others;
mod softmax;
mod steps;
