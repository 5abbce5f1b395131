//! What the harnesses stand on: scalars to run the library at, models with known comparators, and what stands for a layer below.

pub mod form;
pub mod frozen;
#[cfg(kani)]
pub mod lines;
#[cfg(kani)]
pub mod ring;
pub mod scalars;
