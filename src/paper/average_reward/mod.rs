//! Section 5 and Appendix C: the average-reward setting.
//!
//! `discounted` has the same files with the same names: read the two side by side. `values`, `optimal` and `lp` stand
//! beside the files of [`crate::paper::mdp`]. The model types are those of Section 2; nothing here reads their γ and ν₀.
//! Everywhere ϱ is the vector of Assumption 5.2, from [`crate::paper::mdp::ones_coefficients`].

pub mod algorithm;
pub mod duality_gap;
pub mod estimators;
pub mod guarantee;
pub mod lagrangian;
pub mod lp;
pub mod optimal;
pub mod regret;
mod state;
pub mod unichain;
pub mod values;
