//! A data set as the methods see it: how often each transition was seen, and with which rewards.

use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::vector::all_finite;
use crate::paper::mdp::Shape;
use crate::paper::samples::Sample;

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
        let mut order = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let known = row.x0.max(row.x).max(row.x_next) < shape.states && row.a < shape.actions && row.r.is_finite();
            if !known {
                let expected = "states below |X|, an action below |A|, a finite reward";
                return Err(Error::OutOfRange { what: "row", index, expected });
            }
            starts[row.x0] += 1.0;
            let pair = row.x * shape.actions + row.a;
            counts[pair] += 1.0;
            order.push((pair, row.x_next, index));
        }
        order.sort_unstable();
        let mut cells: Vec<Cell> = Vec::new();
        for (pair, next, index) in order {
            let r = rows[index].r;
            match cells.last_mut() {
                Some(cell) if (cell.pair, cell.next) == (pair, next) => {
                    cell.count += 1.0;
                    cell.reward += r;
                    cell.reward_squared += r * r;
                }
                _ => cells.push(Cell { pair, next, count: 1.0, reward: r, reward_squared: r * r }),
            }
        }
        Ok(Self { shape, features, discount, rows: rows.len(), cells, starts, counts })
    }

    /// φ(x, a).
    #[must_use]
    pub fn feature(&self, pair: usize) -> &'a [f64] {
        &self.features[pair * self.shape.dim..][..self.shape.dim]
    }

    /// The mean reward: the return of the behaviour policy where the rows are from its discounted occupancy, as the paper assumes.
    #[must_use]
    pub fn mean_reward(&self) -> f64 {
        self.cells.iter().map(|cell| cell.reward).sum::<f64>() / self.rows as f64
    }

    /// φ_π(x) = Σ_a π(a|x) φ(x, a), added with a factor.
    pub(crate) fn add_policy_feature(&self, policy: &[f64], x: usize, factor: f64, out: &mut [f64]) {
        let actions = self.shape.actions;
        for a in 0..actions {
            let weight = factor * policy[x * actions + a];
            if weight != 0.0 {
                for (sum, phi) in out.iter_mut().zip(self.feature(x * actions + a)) {
                    *sum += weight * phi;
                }
            }
        }
    }
}
