//! What the harnesses stand on: scalars to run the library at, models with known comparators, and what stands for a layer below.

#[cfg(kani)]
pub mod any_gradients;
pub mod form;
pub mod frozen;
#[cfg(kani)]
pub mod granted;
#[cfg(kani)]
pub mod lines;
pub mod residue;
#[cfg(kani)]
pub mod ring;
pub mod scalars;
