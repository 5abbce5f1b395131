//! Offline primal-dual reinforcement learning for linear MDPs.
#![cfg_attr(not(any(feature = "std", test)), no_std)]

pub mod average_reward;
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
pub mod online_learning;
pub mod projection;
pub mod rational;
#[cfg(feature = "std")]
pub mod sampler;
pub mod samples;
pub mod scalar;
pub mod softmax;
pub mod solve;
mod step;
pub mod vector;

pub use error::{Error, Result};
