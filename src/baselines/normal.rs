//! N = Σ φφᵀ + εI: a diagonal where every feature has one component alone, else a matrix.

use super::batch::Batch;
use super::features::Features;
use crate::error::{Error, Result};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

pub(super) const SINGULAR: Error = Error::Singular { what: "least-squares matrix", rank: 0 };

#[derive(Debug, Clone)]
pub(super) enum Normal {
    Diagonal(DVector<f64>),
    Full(DMatrix<f64>),
}

impl Normal {
    pub(super) fn new(batch: &Batch<'_>, ridge: f64) -> Self {
        let dim = batch.shape.dim;
        let seen = batch.counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        if matches!(batch.phi, Features::OneHot(_)) {
            let mut diagonal = DVector::from_element(dim, ridge);
            seen.for_each(|(pair, count)| batch.phi.components(pair, |i, phi| diagonal[i] += count * phi * phi));
            return Self::Diagonal(diagonal);
        }
        let mut full = DMatrix::from_diagonal_element(dim, dim, ridge);
        for (pair, &count) in seen {
            batch.phi.components(pair, |j, phi| batch.phi.add(pair, count * phi, full.column_mut(j).as_mut_slice()));
        }
        Self::Full(full)
    }

    pub(super) fn full(&self) -> DMatrix<f64> {
        match self {
            Self::Diagonal(diagonal) => DMatrix::from_diagonal(diagonal),
            Self::Full(full) => full.clone(),
        }
    }

    /// Nx.
    pub(super) fn times(&self, x: &DVector<f64>) -> DVector<f64> {
        match self {
            Self::Diagonal(diagonal) => diagonal.component_mul(x),
            Self::Full(full) => full * x,
        }
    }

    pub(super) fn inverse(&self) -> Result<Inverse> {
        match self {
            Self::Diagonal(diagonal) if diagonal.iter().any(|n| *n <= 0.0) => Err(SINGULAR),
            Self::Diagonal(diagonal) => Ok(Inverse::Diagonal(diagonal.clone())),
            Self::Full(full) => full.clone().cholesky().map(Inverse::Full).ok_or(SINGULAR),
        }
    }

    /// How many numbers it is.
    pub(super) fn numbers(&self) -> usize {
        match self {
            Self::Diagonal(diagonal) => diagonal.len(),
            Self::Full(full) => full.len(),
        }
    }
}

/// N⁻¹, as the factors of N.
#[derive(Debug)]
pub(super) enum Inverse {
    Diagonal(DVector<f64>),
    Full(Cholesky<f64, Dyn>),
}

impl Inverse {
    /// N⁻¹x.
    pub(super) fn times(&self, x: &DVector<f64>) -> DVector<f64> {
        match self {
            Self::Diagonal(diagonal) => x.component_div(diagonal),
            Self::Full(factors) => factors.solve(x),
        }
    }
}
