//! *Offline Primal-Dual Reinforcement Learning for Linear MDPs* (Gabbianelli, Neu, Okolo, Papini), with a type checker: every
//! equation, definition, estimator, lemma side and bound of the paper is a function of its own name.
//!
//! # The map
//! | paper | module |
//! |---|---|
//! | Section 2: MDPs, values, occupancies, the LPs (2), (4), (5) | [`paper::mdp`] |
//! | Section 3: Λ and its powers | [`paper::covariance`] |
//! | Section 3: the projections Π, the softmax policy | [`linear::projection`], [`linear::softmax`] |
//! | Sections 3 and 4, Appendices A and B: (6)–(16), Algorithm 1, Lemmas 4.1, 4.2, Theorem A.1 | [`paper::discounted`] |
//! | Section 5 and Appendix C: (23), Algorithm 2, Lemmas C.3–C.7, Theorem C.1 | [`paper::average_reward`] |
//! | Algorithms 1 and 2: the output policy π_J | [`paper::output`] |
//! | Appendix D: Lemmas D.1, D.2 | [`paper::online_learning`] |
//! | Section 6 and Appendix E: coverage ratios | [`paper::coverage`] |
//! | everything: both sides of every statement, at a case (features `std`, `exact`) | `statements` |
//! | what print says where it is wrong | [`errata`] |
//! | (none): is another implementation right, and if not, where? (feature `std`) | `conformance` |
//! | (none): numbers, vectors, exact solves, the data of a run, named models | [`number`], [`linear`], [`paper::samples`], [`instances`] |
//!
//! The reading edition has all of this on one page, formula, meaning, code, check and proof of every statement: `opd book --out book`.
//! `docs/tables/paper-map.md` in the repository lists every statement with its functions, tests and proofs; `docs/errata.md` says where
//! the paper is wrong, and a `# Deviation` section under a function says where the code departs from print.
//!
//! # Promises
//! - Every function is deterministic: randomness enters as data ([`paper::samples::Sample`]).
//! - Every function is generic over the scalar: `f64` runs, exact rationals check ([`number::Field`]).
//! - Without features the crate is `no_std` and allocates nothing: results and temporaries are taken from a caller's scratch slice
//!   ([`linear::vector::take`]), so no result can have the wrong length; temporaries are given back. [`paper::mdp::Shape::scratch`]
//!   is always enough for a function.
//! - No function panics on a caller's data: wrong shapes, NaN, infinities and overflow of a fixed-width rational are [`Error`]s.
//! - No `unsafe` code.
//!
//! # Features
//! `exact`: arbitrary-precision rationals. `std`: spectral powers of Λ, samplers, run-time choice of vector instructions. `cli`
//! (default): the program `opd` and its file formats.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// What needs a feature says so on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Every attribute of a harness is a macro.
#![cfg_attr(kani, recursion_limit = "1024")]

#[cfg(feature = "exact")]
extern crate alloc;

#[cfg(feature = "std")]
pub mod baselines;
#[cfg(feature = "std")]
pub mod conformance;
#[cfg(feature = "cli")]
pub mod data;
/// The very function that reads rows of data files, for Kani.
#[cfg(all(kani, not(feature = "cli")))]
pub mod data {
    pub(crate) mod row;
}
pub mod errata;
pub mod error;
#[cfg(feature = "std")]
pub mod fast;
pub mod instances;
pub mod linear;
pub mod number;
pub mod paper;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(kani)]
#[path = "../proofs/mod.rs"]
mod proofs;
#[cfg(feature = "std")]
pub mod routes;
#[cfg(feature = "std")]
pub mod sampler;
#[cfg(all(feature = "std", feature = "exact"))]
pub mod statements;
#[cfg(feature = "std")]
pub mod steps;

pub use error::{Error, Result};

/// The README's Rust example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
