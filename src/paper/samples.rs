//! What the algorithms are given: observations, uniform draws, and the features of the states they visit.

use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::vector::all_finite;
use crate::number::Field;

/// One observation W = (X⁰, X, A, R, X'), with the uniform draw behind A' ~ π(·|X'). Algorithm 1 does not read `u`,
/// Algorithm 2 does not read `x0`; Algorithm 1's box leaves R out of W (erratum 7).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample<T> {
    /// X⁰ ~ ν₀.
    pub x0: usize,
    /// X, with A from μ_B.
    pub x: usize,
    /// A.
    pub a: usize,
    /// R = r(X, A).
    pub r: T,
    /// X' ~ p(·|X, A).
    pub x_next: usize,
    /// Uniform on [0, 1).
    pub u: T,
}

/// The samples of a run, in the order of use.
#[derive(Debug)]
pub struct Data<I> {
    rows: I,
    used: usize,
    expected: usize,
}

impl<I> Data<I> {
    /// Of `rows`, `expected` will be asked for.
    pub fn new(rows: I, expected: usize) -> Self {
        Self { rows, used: 0, expected }
    }

    /// The next sample; [`Error::Length`] where there is none.
    #[inline]
    pub fn obtain<T>(&mut self) -> Result<Sample<T>>
    where
        I: Iterator<Item = Sample<T>>,
    {
        let missing = Error::Length { what: "samples", expected: self.expected, found: self.used };
        let sample = self.rows.next().ok_or(missing)?;
        self.used += 1;
        Ok(sample)
    }
}

/// The features of visited states. The algorithms never ask for |X|.
pub trait FeatureMap<T> {
    /// |A|.
    fn actions(&self) -> usize;

    /// d.
    fn dim(&self) -> usize;

    /// φ(x, ·): |A| rows of d numbers, or `None` for an unknown state.
    fn state(&self, x: usize) -> Option<&[T]>;
}

/// Φ as a borrowed table of |X||A| rows.
#[derive(Debug, Clone, Copy)]
pub struct FeatureTable<'a, T> {
    actions: usize,
    dim: usize,
    rows: &'a [T],
}

impl<'a, T: Field> FeatureTable<'a, T> {
    /// `rows` holds |X||A|d finite numbers.
    pub fn new(actions: usize, dim: usize, rows: &'a [T]) -> Result<Self> {
        expect_some("actions", actions)?;
        expect_some("feature dimension", dim)?;
        let overflow =
            Error::OutOfRange { what: "actions", index: Error::SCALAR, expected: "|A|d within the range of usize" };
        let width = actions.checked_mul(dim).ok_or(overflow)?;
        expect_len("features", rows.len() / width * width, rows.len())?;
        all_finite("features", rows)?;
        Ok(Self { actions, dim, rows })
    }
}

impl<T> FeatureMap<T> for FeatureTable<'_, T> {
    #[inline]
    fn actions(&self) -> usize {
        self.actions
    }

    #[inline]
    fn dim(&self) -> usize {
        self.dim
    }

    #[inline]
    fn state(&self, x: usize) -> Option<&[T]> {
        let width = self.actions * self.dim;
        let start = x.checked_mul(width)?;
        self.rows.get(start..start.checked_add(width)?)
    }
}

/// φ(x, ·), checked against the map's own shape; `what` and `row` say which state of which sample is unknown.
#[inline]
pub(crate) fn features_of<'f, T, F: FeatureMap<T>>(
    features: &'f F,
    what: &'static str,
    x: usize,
    row: usize,
) -> Result<&'f [T]> {
    match features.state(x) {
        Some(found) if found.len() == features.actions().saturating_mul(features.dim()) => Ok(found),
        Some(found) => {
            Err(Error::Length { what, expected: features.actions().saturating_mul(features.dim()), found: found.len() })
        }
        None => Err(Error::UnknownState { what, state: x, row }),
    }
}

/// φ(x, a), a row of φ(x, ·).
#[inline]
pub(crate) fn feature<T>(features: &[T], actions: usize, dim: usize, a: usize) -> Result<&[T]> {
    if a < actions {
        Ok(&features[a * dim..(a + 1) * dim])
    } else {
        Err(Error::Index { what: "a", index: a, below: actions })
    }
}
