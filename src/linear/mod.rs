//! Points of R^d: inner products in the documented order of summation, exact solves, projections, the softmax.

pub mod projection;
pub mod range;
pub mod softmax;
pub mod solve;
pub mod vector;
