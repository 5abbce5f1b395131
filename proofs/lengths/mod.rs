//! Every public function of the core, on slices of right and of wrong lengths: one list of calls, which `shapes.rs` has Kani
//! execute symbolically and `tests/properties.rs` runs. That no call panics shows in that there is an answer.

pub mod average;
pub mod discounted;
pub mod numbers;
pub mod others;
pub mod runs;
pub mod section2;

use super::library::error::Result;
use super::library::scalar::Field;
use core::ops::{Deref, DerefMut};

/// One more than the longest argument at (2, 2, 2), and than the lanes of an inner product.
pub const ROOM: usize = 9;
/// What [`super::library::mdp::Shape::scratch`] promises to be enough at (2, 2, 2).
const SCRATCH: usize = 128;

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

/// How the functions are called: with which number everywhere, how much scratch is enough, and up to which length slices that may have
/// several go.
#[derive(Clone, Copy)]
pub struct Calls<T> {
    pub number: T,
    pub scratch: usize,
    pub longest: usize,
}

impl<T: Field + Copy> Calls<T> {
    /// One call, with arguments of these lengths.
    pub fn one<const N: usize>(
        &self,
        lengths: [usize; N],
        call: &impl Fn(&mut [Argument<T>; N]) -> Result<()>,
    ) -> Result<()> {
        let mut arguments = [Argument { numbers: [self.number; ROOM], length: 0 }; N];
        for i in 0..N {
            arguments[i].length = lengths[i];
        }
        call(&mut arguments)
    }

    /// Whether `call` is refused when any one argument has a length other than `right`, from 0 to one more than that.
    fn exact<const N: usize>(&self, right: [usize; N], call: impl Fn(&mut [Argument<T>; N]) -> Result<()>) -> bool {
        let mut holds = true;
        let _ = self.one(right, &call);
        for i in 0..N {
            // Kani tries one less than the right length; the tests try all.
            for length in if cfg!(kani) { right[i] - 1..right[i] } else { 0..right[i] + 2 } {
                if length != right[i] {
                    let mut lengths = right;
                    lengths[i] = length;
                    holds &= self.one(lengths, &call).is_err();
                }
            }
        }
        holds
    }

    /// The same of a function that takes scratch; and it may have any scratch, up to what the shape promises to be enough.
    fn scratch<const N: usize>(
        &self,
        right: [usize; N],
        call: impl Fn(&mut [Argument<T>; N], &mut [T]) -> Result<()>,
    ) -> bool {
        let with = |length: usize| {
            let call = &call;
            move |arguments: &mut [Argument<T>; N]| call(arguments, &mut [self.number; SCRATCH][..length])
        };
        // Kani has enough; the tests try all.
        for length in 0..if cfg!(kani) { 0 } else { self.scratch } {
            // Refused or not: not every function needs scratch at every shape.
            let _ = self.one(right, &with(length));
        }
        self.exact(right, with(self.scratch))
    }

    /// Whether `call` is refused for every length up to the longest that is not `right`.
    fn lengths(&self, right: impl Fn(usize) -> bool, call: impl Fn(&mut Argument<T>) -> Result<()>) -> bool {
        let mut holds = true;
        for length in 0..=self.longest {
            holds &= self.one([length], &|[a]: &mut [Argument<T>; 1]| call(a)).is_err() || right(length);
        }
        holds
    }
}

fn done<V>(_: V) {}

fn any(_: usize) -> bool {
    true
}
