//! The features as the methods read them: where every row has one component alone, as in a table of states or of groups of states, that one; else
//! all of them.

use crate::linear::vector::inner;

/// Φ: |X||A| rows of d.
#[derive(Debug, Clone)]
pub enum Features<'a> {
    /// Any rows.
    Rows(&'a [f64], usize),
    /// Of every row the component that is not zero (the first where all are), and it.
    OneHot(Vec<(usize, f64)>),
}

impl<'a> Features<'a> {
    /// Rows of `dim`.
    #[must_use]
    pub fn new(rows: &'a [f64], dim: usize) -> Self {
        let one = |row: &[f64]| {
            let mut left = row.iter().copied().enumerate().filter(|(_, phi)| *phi != 0.0);
            let first = left.next().unwrap_or((0, 0.0));
            left.next().is_none().then_some(first)
        };
        let ones: Option<Vec<_>> = rows.chunks_exact(dim.max(1)).map(one).collect();
        ones.map_or(Self::Rows(rows, dim), Self::OneHot)
    }

    /// ⟨φ, x⟩ for the row of a pair.
    #[must_use]
    pub fn inner(&self, pair: usize, x: &[f64]) -> f64 {
        match self {
            Self::Rows(rows, dim) => inner(&rows[pair * dim..][..*dim], x),
            Self::OneHot(ones) => ones[pair].1 * x[ones[pair].0],
        }
    }

    /// Calls `each` with every component of the row of a pair that is not zero.
    pub fn components(&self, pair: usize, mut each: impl FnMut(usize, f64)) {
        match self {
            Self::Rows(rows, dim) => {
                let row = rows[pair * dim..][..*dim].iter().enumerate();
                row.filter(|(_, phi)| **phi != 0.0).for_each(|(i, phi)| each(i, *phi));
            }
            Self::OneHot(ones) => each(ones[pair].0, ones[pair].1),
        }
    }

    /// x ← x + factor·φ for the row of a pair.
    pub fn add(&self, pair: usize, factor: f64, x: &mut [f64]) {
        self.components(pair, |i, phi| x[i] += factor * phi);
    }
}
