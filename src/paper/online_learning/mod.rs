//! Appendix D: the two online-learning lemmas, in the pieces their proofs are made of.

pub mod gradient_descent;
pub mod mirror_descent;
