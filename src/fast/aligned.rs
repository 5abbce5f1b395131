//! Numbers that start on a cache line.
//!
//! A vector register read across two lines costs two reads. Nothing in the library needs this; a table of features that
//! starts on a line makes the algorithms faster where d ≥ 64 (`docs/performance.md`), with the same bits.

use crate::error::{Error, Result};
use core::ops::{Deref, DerefMut};

/// The length of a cache line, in bytes and in numbers.
const LINE: usize = 64;
const NUMBERS: usize = LINE / size_of::<f64>();

/// The numbers of a cache line.
pub(super) type Line = [f64; NUMBERS];

/// How many numbers the cache lines of `len` numbers hold.
#[must_use]
pub fn stride(len: usize) -> usize {
    len.next_multiple_of(NUMBERS)
}

/// A `[f64]` on the heap whose first number starts a cache line: a `Vec` with room to spare, entered at the right place.
#[derive(Debug)]
pub struct Aligned {
    room: Vec<f64>,
    start: usize,
    len: usize,
}

impl Aligned {
    /// `len` zeros; an error where memory has no room for them.
    pub fn zeros(len: usize) -> Result<Self> {
        let too_long =
            Error::OutOfRange { what: "len", index: Error::SCALAR, expected: "a length that fits into memory" };
        let padded = len.checked_add(NUMBERS - 1).ok_or(too_long)?;
        let mut room = Vec::new();
        room.try_reserve_exact(padded).map_err(|_| too_long)?;
        room.resize(padded, 0.0);
        Ok(Self::entered(room, len))
    }

    /// `len` zeros, for the engine's own rooms, which are small.
    pub(super) fn room(len: usize) -> Self {
        Self::entered(vec![0.0; len + (NUMBERS - 1)], len)
    }

    /// Whole lines, if there are only such.
    #[inline]
    pub(super) fn lines(&self) -> &[Line] {
        self.as_chunks().0
    }

    #[inline]
    pub(super) fn lines_mut(&mut self) -> &mut [Line] {
        self.as_chunks_mut().0
    }

    /// `len` numbers of `room`, which has [`NUMBERS`] − 1 more.
    fn entered(room: Vec<f64>, len: usize) -> Self {
        // By its contract `align_offset` may give up and say `usize::MAX`; then any place is right.
        let start = room.as_ptr().align_offset(LINE).min(NUMBERS - 1);
        Self { room, start, len }
    }
}

impl From<&[f64]> for Aligned {
    fn from(numbers: &[f64]) -> Self {
        let mut aligned = Self::room(numbers.len());
        aligned.copy_from_slice(numbers);
        aligned
    }
}

impl Deref for Aligned {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        &self.room[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.room[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, LINE};

    #[test]
    fn holds_its_numbers_and_starts_a_line() {
        for len in [0, 1, 7, 8, 9, 1000] {
            let numbers: Vec<f64> = (0..len).map(|i| f64::from(i) - 0.5).collect();
            let aligned = Aligned::from(&numbers[..]);
            assert_eq!(aligned[..], numbers[..]);
            assert_eq!(aligned.as_ptr().align_offset(LINE), 0, "length {len}");
        }
    }

    #[test]
    fn a_length_beyond_memory_is_an_error() {
        assert_eq!(Aligned::zeros(9).map(|zeros| zeros.to_vec()), Ok(vec![0.0; 9]));
        for len in [usize::MAX, usize::MAX - 7, isize::MAX as usize, isize::MAX as usize / 8] {
            assert!(Aligned::zeros(len).is_err(), "{len}");
        }
    }
}
