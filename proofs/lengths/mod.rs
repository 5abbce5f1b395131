//! Every public function of the core, on slices of right and of wrong lengths: one list of calls, which
//! `tests/properties.rs` runs (`exhaustive.rs`). That no call panics shows in that there is an answer.

pub mod average;
pub mod discounted;
mod exhaustive;
pub mod numbers;
pub mod others;
pub mod runs;
pub mod section2;

use super::library::error::Result;
use super::library::number::Field;
use core::ops::{Deref, DerefMut};

/// One more than the longest argument at (2, 2, 2), and than the lanes of an inner product.
pub const ROOM: usize = 9;
/// What [`super::library::paper::mdp::Shape::scratch`] promises to be enough at (2, 2, 2).
const SCRATCH: usize = 188;

/// The first `length` of some numbers.
#[derive(Clone, Copy)]
pub struct Argument<T> {
    numbers: [T; ROOM],
    length: usize,
}

impl<T> Deref for Argument<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.numbers[..self.length]
    }
}

impl<T> DerefMut for Argument<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.numbers[..self.length]
    }
}

/// How the functions are called: with which number everywhere, and how much scratch is enough.
#[derive(Clone, Copy)]
pub struct Calls<T> {
    pub number: T,
    pub scratch: usize,
}

impl<T: Field + Copy> Calls<T> {
    /// Whether `call` is refused unless all arguments have their right lengths.
    fn exact<const N: usize>(&self, right: [usize; N], call: impl Fn(&mut [Argument<T>; N]) -> Result<()>) -> bool {
        self.related(right, |lengths| same(lengths, right), call)
    }

    /// The same of a function that takes scratch.
    fn scratch<const N: usize>(
        &self,
        right: [usize; N],
        call: impl Fn(&mut [Argument<T>; N], &mut &mut [T]) -> Result<()>,
    ) -> bool {
        self.related_scratch(right, |lengths| same(lengths, right), call)
    }

    /// Whether `call` is refused unless all arguments have one length; n is such a length.
    fn equal<const N: usize>(&self, n: usize, call: impl Fn(&mut [Argument<T>; N]) -> Result<()>) -> bool {
        self.related([n; N], |lengths| same(lengths, [lengths[0]; N]), call)
    }
}

fn same<const N: usize>(a: [usize; N], b: [usize; N]) -> bool {
    a == b
}

fn done<V>(_: V) {}

fn any(_: usize) -> bool {
    true
}
