//! The engine behind `opd run`: [`discounted::run`] and [`average_reward::run`] are `Algorithm::run` of the two boxes, in `f64`, sooner.
//!
//! The inputs, the state, what the observer sees, the errors: everything is the boxes', bit for bit (`tests/fast.rs`; `opd run
//! --verify`). Only here are samples taken in blocks, policies remembered, lanes kept by hand, vector units chosen at run time, functions
//! forced inline, and threads. The boxes in [`crate::paper`] are what the paper is held against; this is held against the boxes.
//! What doubles add to the theorems' bounds, here and in the boxes, is [`rounding`].

pub mod aligned;
pub mod average_reward;
mod crew;
pub mod discounted;
mod kernel;
mod lanes;
pub mod many;
mod parcel;
mod policies;
pub mod rounding;
pub mod several;
mod slots;
mod steps;
mod unit;
pub mod verify;

use crate::error::Result;
use crate::paper::samples::{Data, Sample};

/// Samples per block: enough to fill the lanes, and few enough that their gradients stay in the cache that they are written to.
fn block_len(dim: usize, inner: usize) -> usize {
    (8192 / dim).clamp(1, 64).min(inner)
}

/// The next `count` samples, in place of those before. How many there are; `Err` if there are fewer.
#[inline]
fn load(
    data: &mut Data<impl Iterator<Item = Sample<f64>>>,
    samples: &mut Vec<Sample<f64>>,
    count: usize,
) -> Result<usize> {
    samples.clear();
    for _ in 0..count {
        samples.push(data.obtain()?);
    }
    Ok(count)
}
