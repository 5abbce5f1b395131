//! What the harnesses stand on: scalars to run the library at, models with known comparators, and what stands for a layer below.

pub mod form;
pub mod frozen;
pub mod scalars;
#[cfg(kani)]
pub mod unknown;
