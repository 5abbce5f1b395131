//! LSTDQ: the value of a policy from data of another one. Lagoudakis and Parr, *Least-Squares Policy Iteration*, JMLR 4 (2003).
//!
//! With rows (x, a, r, x'), A = Σ φ(x,a)(φ(x,a) − γφ_π(x'))ᵀ + εI and b = Σ φ(x,a) r, the estimate of q^π is ⟨φ, θ⟩, Aθ = b. In a linear
//! MDP with enough data θ is θ^π. The return is estimated by (1−γ)⟨φ_π(ν̂₀), θ⟩ = ⟨u, b⟩ with Aᵀu = (1−γ)φ_π(ν̂₀): a mean of the rewards
//! with the weights n⟨φ(x,a), u⟩. The ridge ε is ours: what no row has seen is worth nothing.

use super::batch::Batch;
use super::normal::Normal;
use super::system::System;
use crate::error::Result;
use crate::linear::vector::inner;
use nalgebra::DVector;

/// What the rows say of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// θ of the estimate of q^π.
    pub theta: Vec<f64>,
    /// The estimate of the normalised return ρ(π).
    pub value: f64,
    /// Its standard error: of the weighted temporal differences (the delta method) and of the initial states.
    pub error: f64,
    /// The mean weight: 1 where the rows cover the policy, less by what the ridge took.
    pub mass: f64,
    /// (Σw)²/Σw²: how many rows of equal weight the estimate is worth.
    pub effective_rows: f64,
}

/// The sums over the rows that are the same for every policy.
#[derive(Debug, Clone)]
pub struct Evaluator<'a> {
    batch: Batch<'a>,
    /// N = Σ φφᵀ + εI.
    normal: Normal,
    /// b = Σ φ r.
    reward: DVector<f64>,
    /// For each x' that was seen, Σ φ of the rows that lead to it.
    into: Vec<Arrival>,
}

/// A state, and the components of a vector that are not zero.
pub(super) type Arrival = (usize, Vec<(usize, f64)>);

impl<'a> Evaluator<'a> {
    /// `ridge` is ε, in rows.
    #[must_use]
    pub fn new(batch: Batch<'a>, ridge: f64) -> Self {
        let mut reward = DVector::zeros(batch.shape.dim);
        batch.cells.iter().for_each(|cell| batch.phi.add(cell.pair, cell.reward, reward.as_mut_slice()));
        let mut by_next: Vec<usize> = (0..batch.cells.len()).collect();
        by_next.sort_by_key(|cell| batch.cells[*cell].next);
        let (mut sum, mut touched) = (vec![0.0; batch.shape.dim], Vec::new());
        let mut into = Vec::new();
        for same in by_next.chunk_by(|a, b| batch.cells[*a].next == batch.cells[*b].next) {
            for cell in same.iter().map(|cell| &batch.cells[*cell]) {
                batch.phi.components(cell.pair, |i, phi| {
                    sum[i] += cell.count * phi;
                    touched.push(i);
                });
            }
            touched.sort_unstable();
            touched.dedup();
            let nonzero = touched.drain(..).map(|i| (i, std::mem::take(&mut sum[i]))).collect();
            into.push((batch.cells[same[0]].next, nonzero));
        }
        Self { normal: Normal::new(&batch, ridge), batch, reward, into }
    }

    /// The rows.
    #[must_use]
    pub fn batch(&self) -> &Batch<'a> {
        &self.batch
    }

    /// How many numbers it keeps, those of the rows included, and how many one system takes.
    #[must_use]
    pub fn numbers(&self) -> (usize, usize) {
        let arrivals: usize = self.into.iter().map(|(_, nonzero)| 1 + 2 * nonzero.len()).sum();
        let kept = self.batch.numbers() + self.normal.numbers() + self.reward.len() + arrivals;
        let unknowns = if self.by_states().is_some() { self.into.len() } else { self.batch.shape.dim };
        (kept, unknowns * unknowns)
    }

    pub(super) fn normal(&self) -> &Normal {
        &self.normal
    }

    /// N's diagonal, where a system in the next states is smaller than one in the components.
    pub(super) fn by_states(&self) -> Option<&DVector<f64>> {
        match &self.normal {
            Normal::Diagonal(diagonal) if self.into.len() < self.batch.shape.dim => Some(diagonal),
            _ => None,
        }
    }

    pub(super) fn reward_sum(&self) -> &DVector<f64> {
        &self.reward
    }

    pub(super) fn arrivals(&self) -> &[Arrival] {
        &self.into
    }

    /// θ of the estimate of q^π, for a table of |X| rows of |A|.
    pub fn theta(&self, policy: &[f64]) -> Result<Vec<f64>> {
        Ok(System::new(self, policy)?.solve(&self.reward)?.as_slice().to_vec())
    }

    /// The estimate for a policy; [`crate::Error::Singular`] where A has no inverse.
    pub fn estimate(&self, policy: &[f64]) -> Result<Estimate> {
        let Batch { shape, discount, rows, .. } = self.batch;
        let n = rows as f64;
        let system = System::new(self, policy)?;
        let mut start = DVector::zeros(shape.dim);
        for (x, &count) in self.batch.starts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            self.batch.add_policy_feature(policy, x, (1.0 - discount) * count / n, start.as_mut_slice());
        }
        let dual = system.solve_transposed(&start)?;
        let theta = system.solve(&self.reward)?.as_slice().to_vec();
        let values: Vec<f64> = (0..shape.states).map(|x| self.batch.policy_value(policy, x, &theta)).collect();
        let value = inner(start.as_slice(), &theta);
        let (mut mass, mut squares, mut noise) = (0.0, 0.0, 0.0);
        for cell in &self.batch.cells {
            let weight = n * self.batch.phi.inner(cell.pair, dual.as_slice());
            let rest = discount * values[cell.next] - self.batch.phi.inner(cell.pair, &theta);
            mass += cell.count * weight;
            squares += cell.count * weight * weight;
            // Σ (r + γv(x') − q)² over the rows of the cell.
            let differences = cell.reward_squared + 2.0 * rest * cell.reward + cell.count * rest * rest;
            noise += weight * weight * differences;
        }
        for (x, &count) in self.batch.starts.iter().enumerate() {
            let from_mean = (1.0 - discount) * values[x] - value;
            noise += count * from_mean * from_mean;
        }
        let error = libm::sqrt(noise.max(0.0)) / n;
        Ok(Estimate {
            theta,
            value,
            error,
            mass: mass / n,
            effective_rows: mass * mass / squares.max(f64::MIN_POSITIVE),
        })
    }
}
