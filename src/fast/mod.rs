//! The engine.

#[cfg(feature = "std")]
pub mod aligned;
pub(crate) mod step;
