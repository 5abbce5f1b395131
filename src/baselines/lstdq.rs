//! LSTDQ: the value of a policy from data of another one. Lagoudakis and Parr, *Least-Squares Policy Iteration*, JMLR 4 (2003), section 5.
//!
//! With rows (x, a, r, x'), A = Σ φ(x,a)(φ(x,a) − γφ_π(x'))ᵀ + εI and b = Σ φ(x,a) r, the estimate of q^π is ⟨φ, θ⟩, Aθ = b. In a linear
//! MDP with enough data θ is θ^π. The return is estimated by (1−γ)⟨φ_π(ν̂₀), θ⟩ = ⟨u, b⟩ with Aᵀu = (1−γ)φ_π(ν̂₀): a mean of the rewards
//! with the weights n⟨φ(x,a), u⟩. The ridge ε is ours (one row by default): what no row has seen is worth nothing.

use super::batch::Batch;
use crate::error::{Error, Result, expect_len};
use crate::linear::vector::inner;
use nalgebra::{DMatrix, DVector};

/// What makes Σ φφᵀ invertible where a method has no ridge of its own, in rows.
pub(super) const RIDGE: f64 = 1e-6;

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
    /// ε.
    ridge: f64,
    /// Σ φφᵀ.
    gram: DMatrix<f64>,
    /// Σ φ r.
    reward: DVector<f64>,
    /// For each x' that was seen, Σ φ of the rows that lead to it.
    into: Vec<(usize, Vec<f64>)>,
}

impl<'a> Evaluator<'a> {
    /// `ridge` is ε, in rows.
    #[must_use]
    pub fn new(batch: Batch<'a>, ridge: f64) -> Self {
        let dim = batch.shape.dim;
        let (mut gram, mut reward) = (DMatrix::zeros(dim, dim), DVector::zeros(dim));
        for (pair, &count) in batch.counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            add_outer(&mut gram, count, batch.feature(pair), batch.feature(pair));
        }
        let mut into: Vec<(usize, Vec<f64>)> = Vec::new();
        let mut place = vec![None; batch.shape.states];
        for cell in &batch.cells {
            let at = *place[cell.next].get_or_insert_with(|| {
                into.push((cell.next, vec![0.0; dim]));
                into.len() - 1
            });
            for ((sum, phi), total) in into[at].1.iter_mut().zip(batch.feature(cell.pair)).zip(reward.iter_mut()) {
                *sum += cell.count * phi;
                *total += cell.reward * phi;
            }
        }
        Self { batch, ridge, gram, reward, into }
    }

    /// The rows.
    #[must_use]
    pub fn batch(&self) -> &Batch<'a> {
        &self.batch
    }

    /// Σ φφᵀ.
    pub(super) fn gram(&self) -> &DMatrix<f64> {
        &self.gram
    }

    /// Σ φφᵀ + εI.
    pub(super) fn normal(&self, ridge: f64) -> DMatrix<f64> {
        let mut normal = self.gram.clone();
        for i in 0..self.batch.shape.dim {
            normal[(i, i)] += ridge;
        }
        normal
    }

    /// b = Σ φ r.
    pub(super) fn reward_sum(&self) -> &DVector<f64> {
        &self.reward
    }

    /// For each x' that was seen, Σ φ of the rows that lead to it.
    pub(super) fn arrivals(&self) -> &[(usize, Vec<f64>)] {
        &self.into
    }

    /// A for a policy, a table of |X| rows of |A|.
    pub(super) fn matrix(&self, policy: &[f64], ridge: f64) -> Result<DMatrix<f64>> {
        expect_len("policy", self.batch.shape.pairs(), policy.len())?;
        let dim = self.batch.shape.dim;
        let mut a = self.normal(ridge);
        let mut mean = vec![0.0; dim];
        for (next, phi) in &self.into {
            mean.fill(0.0);
            self.batch.add_policy_feature(policy, *next, 1.0, &mut mean);
            add_outer(&mut a, -self.batch.discount, phi, &mean);
        }
        Ok(a)
    }

    /// θ of the estimate of q^π.
    pub fn theta(&self, policy: &[f64]) -> Result<Vec<f64>> {
        solve(self.matrix(policy, self.ridge)?, &self.reward)
    }

    /// The estimate for a policy; [`Error::Singular`] where A has no inverse.
    pub fn estimate(&self, policy: &[f64]) -> Result<Estimate> {
        let Batch { shape, discount, rows, .. } = self.batch;
        let (n, actions) = (rows as f64, shape.actions);
        let a = self.matrix(policy, self.ridge)?;
        let mut start = vec![0.0; shape.dim];
        for (x, &count) in self.batch.starts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            self.batch.add_policy_feature(policy, x, (1.0 - discount) * count / n, &mut start);
        }
        let dual = solve(a.transpose(), &DVector::from_column_slice(&start))?;
        let theta = solve(a, &self.reward)?;
        let q = |pair: usize| inner(self.batch.feature(pair), &theta);
        let v = |x: usize| (x * actions..(x + 1) * actions).map(|pair| policy[pair] * q(pair)).sum::<f64>();
        let values: Vec<f64> = (0..shape.states).map(v).collect();
        let value = inner(&start, &theta);
        let (mut mass, mut squares, mut noise) = (0.0, 0.0, 0.0);
        for cell in &self.batch.cells {
            let weight = n * inner(self.batch.feature(cell.pair), &dual);
            let rest = discount * values[cell.next] - q(cell.pair);
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

/// M ← M + factor·l rᵀ, where most entries of one-hot features are zero.
pub(crate) fn add_outer(matrix: &mut DMatrix<f64>, factor: f64, left: &[f64], right: &[f64]) {
    for (j, r) in right.iter().enumerate().filter(|(_, r)| **r != 0.0) {
        for (entry, l) in matrix.column_mut(j).iter_mut().zip(left) {
            *entry += factor * l * r;
        }
    }
}

/// The solution of Mx = b by LU.
pub(crate) fn solve(matrix: DMatrix<f64>, right: &DVector<f64>) -> Result<Vec<f64>> {
    let solution = matrix.lu().solve(right).ok_or(SINGULAR)?;
    if solution.iter().all(|x| x.is_finite()) { Ok(solution.as_slice().to_vec()) } else { Err(SINGULAR) }
}

const SINGULAR: Error = Error::Singular { what: "least-squares matrix", rank: 0 };
