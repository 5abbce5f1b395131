//! Every length of any two arguments at once, and every length of scratch.

use super::super::library::error::{Error, Result};
use super::super::library::number::Field;
use super::{Argument, Calls, ROOM, SCRATCH};

impl<T: Field + Copy> Calls<T> {
    /// One call, with arguments of these lengths.
    fn one<const N: usize>(
        &self,
        lengths: [usize; N],
        call: &dyn Fn(&mut [Argument<T>; N]) -> Result<()>,
    ) -> Result<()> {
        let mut arguments = [Argument { numbers: [self.number; ROOM], length: 0 }; N];
        for i in 0..N {
            arguments[i].length = lengths[i];
        }
        call(&mut arguments)
    }

    /// Whether `call` is refused when one or two arguments have lengths other than `right`, from 0 to one more than that, and the lengths
    /// do not fit.
    pub(super) fn related<const N: usize>(
        &self,
        right: [usize; N],
        fits: impl Fn([usize; N]) -> bool,
        call: impl Fn(&mut [Argument<T>; N]) -> Result<()>,
    ) -> bool {
        self.related_of(right, &fits, &call)
    }

    /// (Compiled once for each number of arguments, not for each call.)
    fn related_of<const N: usize>(
        &self,
        right: [usize; N],
        fits: &dyn Fn([usize; N]) -> bool,
        call: &dyn Fn(&mut [Argument<T>; N]) -> Result<()>,
    ) -> bool {
        // Accepted or not, as the numbers may be no model; but never for want of scratch.
        let mut holds = fits(right) && !matches!(self.one(right, call), Err(Error::Scratch { .. }));
        for (i, j) in (0..N).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            for (first, second) in (0..right[i] + 2).flat_map(|n| (0..right[j] + 2).map(move |m| (n, m))) {
                let mut lengths = right;
                (lengths[i], lengths[j]) = (first, second);
                holds &= lengths == right || self.one(lengths, call).is_err() || fits(lengths);
            }
        }
        holds
    }

    /// The same of a function that takes scratch; and it may have any scratch, up to what the shape promises to be enough.
    pub(super) fn related_scratch<const N: usize>(
        &self,
        right: [usize; N],
        fits: impl Fn([usize; N]) -> bool,
        call: impl Fn(&mut [Argument<T>; N], &mut &mut [T]) -> Result<()>,
    ) -> bool {
        let with = |length: usize| {
            let call = &call;
            move |arguments: &mut [Argument<T>; N]| call(arguments, &mut &mut [self.number; SCRATCH][..length])
        };
        for length in 0..self.scratch {
            // Refused or not: not every function needs scratch at every shape.
            self.one(right, &with(length)).unwrap_or(());
        }
        self.related(right, fits, with(self.scratch))
    }

    /// Whether `call` is refused for every length that is not `right`.
    pub(super) fn lengths(&self, right: impl Fn(usize) -> bool, call: impl Fn(&mut Argument<T>) -> Result<()>) -> bool {
        let mut holds = true;
        for length in 0..=ROOM {
            let refused = self.one([length], &|[a]: &mut [Argument<T>; 1]| call(a)).is_err();
            holds &= refused || right(length);
        }
        holds
    }
}
