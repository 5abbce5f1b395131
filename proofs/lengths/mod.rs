//! Every public function of the core, on slices of right and of wrong lengths: one list of calls, which `shapes*.rs` has Kani
//! execute (`symbolic.rs`) and `tests/properties.rs` runs (`exhaustive.rs`). That no call panics shows in that there is an answer.

pub mod average;
pub mod discounted;
#[cfg(not(kani))]
mod exhaustive;
pub mod numbers;
pub mod others;
pub mod runs;
pub mod section2;
#[cfg(kani)]
pub mod symbolic;

use super::library::error::Result;
use super::library::number::Field;
use core::ops::{Deref, DerefMut};

/// One more than the longest argument at (2, 2, 2), and than the lanes of an inner product.
pub const ROOM: usize = 9;
/// What [`super::library::paper::mdp::Shape::scratch`] promises to be enough at (2, 2, 2).
const SCRATCH: usize = 188;

/// The first `length` of some numbers. (Not slices, of which no array can be made without a loop over uninitialised memory, which
/// costs Kani more than the call.)
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

/// (Not `==`, which compares bytes in a loop.)
fn same<const N: usize>(a: [usize; N], b: [usize; N]) -> bool {
    let mut equal = true;
    each::<N>(|i| equal &= a[i] == b[i]);
    equal
}

/// Does it for every index of up to seven arguments. (No loop: Kani unwinds all loops of a harness as far as the longest.)
fn each<const N: usize>(mut act: impl FnMut(usize)) {
    const { assert!(N <= 7) };
    let mut at = |i: usize| {
        if i < N {
            act(i);
        }
    };
    at(0);
    at(1);
    at(2);
    at(3);
    at(4);
    at(5);
    at(6);
}

fn done<V>(_: V) {}

fn any(_: usize) -> bool {
    true
}
