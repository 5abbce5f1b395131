//! Λ and its like: a diagonal where the features make it one, else the matrix.

use crate::error::{Error, Result, expect_len, expect_some, expect_table};
use crate::linear::vector::{all_finite, apply};
use crate::number::Field;
use crate::paper::covariance::apply_inverse;

/// A symmetric d×d matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum Symmetric<T> {
    /// Its diagonal, everything else being zero.
    Diagonal(Vec<T>),
    /// Its rows.
    Dense {
        /// d.
        dim: usize,
        /// The rows.
        rows: Vec<T>,
    },
}

impl<T: Field> Symmetric<T> {
    /// A matrix given by its rows, of which there are d.
    #[must_use]
    pub fn of_rows(dim: usize, rows: Vec<T>) -> Self {
        let off_diagonal = |(i, entry): (usize, &T)| dim > 0 && i / dim != i % dim && !entry.is_zero();
        if rows.iter().enumerate().any(off_diagonal) {
            return Self::Dense { dim, rows };
        }
        Self::Diagonal(rows.into_iter().step_by(dim.saturating_add(1)).collect())
    }

    /// d.
    #[must_use]
    pub fn dim(&self) -> usize {
        match self {
            Self::Diagonal(diagonal) => diagonal.len(),
            Self::Dense { dim, .. } => *dim,
        }
    }

    /// d, which a caller's own `Dense` need not have the numbers for.
    pub(crate) fn checked_dim(&self) -> Result<usize> {
        if let Self::Dense { dim, rows } = self {
            expect_table("matrix", *dim, *dim, rows.len())?;
        }
        expect_some("matrix", self.dim())?;
        Ok(self.dim())
    }

    /// Its rows.
    #[must_use]
    pub fn to_rows(&self) -> Vec<T> {
        match self {
            Self::Dense { rows, .. } => rows.clone(),
            Self::Diagonal(diagonal) => {
                let dim = diagonal.len();
                let mut rows = vec![T::zero(); dim * dim];
                for (i, entry) in diagonal.iter().enumerate() {
                    rows[i * (dim + 1)] = entry.clone();
                }
                rows
            }
        }
    }

    /// The same matrix in another scalar.
    pub fn try_map<U>(&self, convert: impl FnMut(&T) -> Result<U>) -> Result<Symmetric<U>> {
        Ok(match self {
            Self::Diagonal(diagonal) => Symmetric::Diagonal(diagonal.iter().map(convert).collect::<Result<_>>()?),
            Self::Dense { dim, rows } => {
                Symmetric::Dense { dim: *dim, rows: rows.iter().map(convert).collect::<Result<_>>()? }
            }
        })
    }

    /// M x.
    pub fn times(&self, x: &[T]) -> Result<Vec<T>> {
        expect_len("vector", self.checked_dim()?, x.len())?;
        match self {
            Self::Diagonal(diagonal) => {
                let product: Vec<T> = diagonal.iter().zip(x).map(|(m, x)| m.clone() * x).collect();
                all_finite("matrix-vector product", &product).map(|()| product)
            }
            Self::Dense { dim, rows } => {
                let mut product = vec![T::zero(); *dim];
                apply(rows, x, &mut product).map(|()| product)
            }
        }
    }

    /// M⁻¹x: the solution of least norm where M is singular, [`Error::NotInRange`] where there is none. On a diagonal that is
    /// xᵢ/mᵢ, and 0 where both are 0.
    pub fn inverse_times(&self, x: &[T]) -> Result<Vec<T>> {
        expect_len("right side", self.checked_dim()?, x.len())?;
        match self {
            Self::Diagonal(diagonal) => {
                let quotient = |(m, x): (&T, &T)| match (m.is_zero(), x.is_zero()) {
                    (false, _) => Ok(x.clone() / m),
                    (true, true) => Ok(T::zero()),
                    (true, false) => Err(Error::NotInRange { what: "Λ^c" }),
                };
                let quotients = diagonal.iter().zip(x).map(quotient).collect::<Result<Vec<T>>>()?;
                all_finite("solution", &quotients).map(|()| quotients)
            }
            Self::Dense { dim, rows } => {
                let mut scratch = vec![T::zero(); 3 * (dim + 4) * (dim + 4)];
                Ok(apply_inverse(*dim, rows, x, &mut &mut scratch[..])?.to_vec())
            }
        }
    }
}
