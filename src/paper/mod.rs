//! The paper, in its order and with its names, and nothing else.

pub mod average_reward;
pub(crate) mod components;
pub mod covariance;
pub mod coverage;
pub mod discounted;
pub mod lines;
pub mod mdp;
pub mod online_learning;
pub mod output;
pub mod samples;
