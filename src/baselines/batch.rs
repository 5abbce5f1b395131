//! A data set as the methods see it: how often each transition was seen, and with which rewards.

use super::features::Features;
use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::vector::all_finite;
use crate::paper::mdp::Shape;
use crate::paper::samples::Sample;
use std::collections::BTreeMap;

/// The rows with the same (x, a, x').
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The index x·|A| + a.
    pub pair: usize,
    /// x'.
    pub next: usize,
    /// How many rows.
    pub count: f64,
    /// Σ r.
    pub reward: f64,
    /// Σ r².
    pub reward_squared: f64,
}

/// Rows, features and γ. The methods read the rows only through these sums, so that they cost what the transitions cost, not the rows.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    /// |X|, |A|, d.
    pub shape: Shape,
    /// Φ: |X||A| rows of d.
    pub features: &'a [f64],
    /// Φ, as the methods read it.
    pub phi: Features<'a>,
    /// γ.
    pub discount: f64,
    /// How many rows.
    pub rows: usize,
    /// The transitions seen, in the order of (x, a, x').
    pub cells: Vec<Cell>,
    /// How many rows have this X⁰.
    pub starts: Vec<f64>,
    /// How many rows have this (X, A).
    pub counts: Vec<f64>,
}

impl<'a> Batch<'a> {
    /// Sorts the rows into transitions. Indices must be below |X| and |A|, numbers finite, and there must be a row.
    pub fn new(shape: Shape, features: &'a [f64], discount: f64, rows: &[Sample<f64>]) -> Result<Self> {
        expect_len("features", shape.pairs().saturating_mul(shape.dim), features.len())?;
        all_finite("features", features)?;
        expect_some("rows", rows.len())?;
        crate::paper::mdp::valid_discount(&discount)?;
        let mut starts = vec![0.0; shape.states];
        let mut counts = vec![0.0; shape.pairs()];
        let mut cells = BTreeMap::new();
        for (index, row) in rows.iter().enumerate() {
            let known = row.x0.max(row.x).max(row.x_next) < shape.states && row.a < shape.actions && row.r.is_finite();
            if !known {
                let expected = "states below |X|, an action below |A|, a finite reward";
                return Err(Error::OutOfRange { what: "row", index, expected });
            }
            starts[row.x0] += 1.0;
            let pair = row.x * shape.actions + row.a;
            counts[pair] += 1.0;
            let none = Cell { pair, next: row.x_next, count: 0.0, reward: 0.0, reward_squared: 0.0 };
            let cell = cells.entry((pair, row.x_next)).or_insert(none);
            cell.count += 1.0;
            cell.reward += row.r;
            cell.reward_squared += row.r * row.r;
        }
        let (phi, cells) = (Features::new(features, shape.dim), cells.into_values().collect());
        Ok(Self { shape, features, phi, discount, rows: rows.len(), cells, starts, counts })
    }

    /// How many numbers these sums are.
    #[must_use]
    pub fn numbers(&self) -> usize {
        5 * self.cells.len() + self.starts.len() + self.counts.len()
    }

    /// φ_π(x) = Σ_a π(a|x) φ(x, a), added with a factor.
    pub(crate) fn add_policy_feature(&self, policy: &[f64], x: usize, factor: f64, out: &mut [f64]) {
        for pair in self.pairs(x).filter(|pair| policy[*pair] != 0.0) {
            self.phi.add(pair, factor * policy[pair], out);
        }
    }

    /// ⟨φ_π(x), θ⟩.
    pub(crate) fn policy_value(&self, policy: &[f64], x: usize, theta: &[f64]) -> f64 {
        self.pairs(x).filter(|pair| policy[*pair] != 0.0).map(|pair| policy[pair] * self.phi.inner(pair, theta)).sum()
    }

    /// The pairs of a state.
    pub(crate) fn pairs(&self, x: usize) -> std::ops::Range<usize> {
        x * self.shape.actions..(x + 1) * self.shape.actions
    }
}
