//! Section 5 and Appendix C: the average-reward setting, file by file beside [`crate::mdp`] and `discounted`.
//!
//! The model types are those of Section 2; nothing here reads their γ and ν₀. Everywhere ϱ is the vector of
//! Assumption 5.2, from [`crate::mdp::ones_coefficients`].

mod lp;
mod optimal;
mod unichain;
mod values;

pub use lp::*;
pub use optimal::*;
pub use unichain::*;
pub use values::*;
