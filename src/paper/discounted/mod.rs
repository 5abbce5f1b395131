//! Sections 3 and 4, Appendices A and B: the discounted setting.
//!
//! `average_reward` has the same files with the same names: read the two side by side.

pub mod algorithm;
pub mod cost;
pub mod duality_gap;
pub mod estimators;
pub mod guarantee;
pub mod lagrangian;
pub mod lambda_gradient;
pub mod regret;
pub mod saddle_point;
mod state;
