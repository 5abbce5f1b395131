//! The engine behind `opd run`: [`discounted::run`] and [`average_reward::run`] are `Algorithm::run` of the two boxes, in `f64`, sooner.
//!
//! The inputs, the state, what the observer sees, the errors: everything is the boxes', bit for bit (`tests/fast.rs`; `opd run
//! --verify`). Only here are lanes kept by hand, rows taken in blocks, passes fused, vector units chosen at run time, and functions
//! forced inline. The boxes in [`crate::paper`] are what the paper is held against; this is held against the boxes.
//! What doubles add to the theorems' bounds, here and in the boxes, is [`rounding`].

pub mod aligned;
pub mod average_reward;
pub mod discounted;
mod kernel;
pub mod rounding;
mod unit;
pub mod verify;
