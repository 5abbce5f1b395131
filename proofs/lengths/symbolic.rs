//! In Kani: one call of each function, with arguments and scratch of any lengths at once.

use super::super::library::error::{Error, Result};
use super::super::library::number::Field;
use super::{Argument, Calls, ROOM, SCRATCH, each};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

static ALL_ACCEPTED: AtomicBool = AtomicBool::new(true);

/// Whether every call that may be accepted was made and accepted.
pub fn all_accepted() -> bool {
    ALL_ACCEPTED.load(Relaxed)
}

/// Any length up to `most`, in a byte: its other bits are known to be 0.
fn up_to(most: usize) -> usize {
    let length = usize::from(kani::any::<u8>());
    // Budget: as `contracts::calls` says.
    kani::assume(length <= most);
    length
}

/// Whether what does not fit was refused.
pub fn answered(answer: Result<()>, fits: bool) -> bool {
    let refused = answer.is_err();
    if refused && fits {
        ALL_ACCEPTED.store(false, Relaxed);
    }
    refused || fits
}

impl<T: Field + Copy> Calls<T> {
    /// Whether `call` is refused unless its arguments' lengths fit. In some execution: what ends that one (`contracts.rs`) does not end those
    /// that pass it by, and they make the other calls of a list.
    pub(super) fn related<const N: usize>(
        &self,
        right: [usize; N],
        fits: impl Fn([usize; N]) -> bool,
        call: impl Fn(&mut [Argument<T>; N]) -> Result<()>,
    ) -> bool {
        // What passes a call by is like a refusal.
        let mut answer = Err(Error::OnesNotInSpan);
        let mut lengths = right;
        if kani::any() {
            let mut arguments = [Argument { numbers: [self.number; ROOM], length: 0 }; N];
            each::<N>(|i| {
                lengths[i] = up_to(right[i] + 1);
                arguments[i].length = lengths[i];
            });
            answer = call(&mut arguments);
        }
        answered(answer, fits(lengths))
    }

    /// The same of a function that takes scratch.
    pub(super) fn related_scratch<const N: usize>(
        &self,
        right: [usize; N],
        fits: impl Fn([usize; N]) -> bool,
        call: impl Fn(&mut [Argument<T>; N], &mut &mut [T]) -> Result<()>,
    ) -> bool {
        self.related(right, fits, |arguments| call(arguments, &mut &mut [self.number; SCRATCH][..up_to(SCRATCH)]))
    }

    /// Whether `call` is refused for every length that is not `right`.
    pub(super) fn lengths(&self, right: impl Fn(usize) -> bool, call: impl Fn(&mut Argument<T>) -> Result<()>) -> bool {
        self.related([3], |[length]| right(length), |[argument]| call(argument))
    }
}
