//! *Offline Primal-Dual Reinforcement Learning for Linear MDPs* (Gabbianelli, Neu, Okolo, Papini), with a type checker: every
//! equation, definition, estimator, lemma side and bound of the paper is a function of its own name.
//!
//! # The map
//! | paper | module |
//! |---|---|
//! | Section 2: MDPs, values, occupancies, the LPs (2), (4), (5) | [`mdp`] |
//! | Section 3: Λ and its powers | [`covariance`] |
//! | Section 3: the projections Π, the softmax policy | [`projection`], [`softmax`] |
//! | Sections 3 and 4, Appendices A and B: (6)–(16), Algorithm 1, Lemmas 4.1, 4.2, Theorem A.1 | [`discounted`] |
//! | Section 5 and Appendix C: (23), Algorithm 2, Lemmas C.3–C.7, Theorem C.1 | [`average_reward`] |
//! | Algorithms 1 and 2: the output policy π_J | [`output`] |
//! | Appendix D: Lemmas D.1, D.2 | [`online_learning`] |
//! | Section 6 and Appendix E: coverage ratios | [`coverage`] |
//! | (none): is another implementation right, and if not, where? (feature `std`) | `conformance` |
//! | (none): numbers, vectors, exact solves, the data of a run, named models | [`scalar`], [`rational`], [`vector`], [`solve`], [`samples`], [`instances`] |
//!
//! `docs/paper-map.md` in the repository lists every statement with its functions, tests and proofs; `docs/errata.md` says where
//! the paper is wrong, and a `# Deviation` section under a function says where the code departs from print.
//!
//! # Promises
//! - Every function is deterministic: randomness enters as data ([`samples::Sample`]).
//! - Every function is generic over the scalar: `f64` runs, exact rationals check ([`scalar::Field`]).
//! - Without features the crate is `no_std` and allocates nothing: results go into the caller's slices, temporaries come from a
//!   caller's scratch slice ([`vector::take`]; [`mdp::Shape::scratch`] is always enough).
//! - No function panics on a caller's data: wrong shapes, NaN, infinities and overflow of a fixed-width rational are [`Error`]s.
//! - No `unsafe` code.
//!
//! # Features
//! `exact`: arbitrary-precision rationals. `std`: spectral powers of Λ, samplers, run-time choice of vector instructions. `cli`
//! (default): the program `opd` and its file formats.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// Every attribute of a harness is a macro.
#![cfg_attr(kani, recursion_limit = "512")]

#[cfg(feature = "exact")]
extern crate alloc;

#[cfg(feature = "std")]
pub mod aligned;
pub mod average_reward;
#[cfg(feature = "std")]
pub mod conformance;
pub mod covariance;
pub mod coverage;
#[cfg(feature = "cli")]
pub mod data;
pub mod discounted;
pub mod error;
#[cfg(feature = "exact")]
pub mod exact;
pub mod exponential;
pub mod instances;
pub mod mdp;
mod notation;
pub mod online_learning;
pub mod output;
pub mod projection;
#[cfg(kani)]
#[path = "../proofs/mod.rs"]
mod proofs;
pub mod rational;
#[cfg(any(feature = "cli", kani))]
mod row;
#[cfg(feature = "std")]
pub mod sampler;
pub mod samples;
pub mod scalar;
pub mod softmax;
pub mod solve;
mod step;
pub mod vector;

pub use error::{Error, Result};

/// The README's Rust example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
