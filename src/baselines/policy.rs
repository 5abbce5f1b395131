//! Policies as tables: |X| rows of |A| probabilities.

use super::batch::Batch;
use crate::error::Result;
use crate::linear::softmax;

/// The policy that knows nothing.
#[must_use]
pub fn uniform(batch: &Batch<'_>) -> Vec<f64> {
    vec![1.0 / batch.shape.actions as f64; batch.shape.pairs()]
}

/// The first action with the largest q.
#[must_use]
pub fn greedy_for(actions: usize, q: &[f64]) -> Vec<f64> {
    let mut policy = vec![0.0; q.len()];
    for (row, out) in q.chunks_exact(actions).zip(policy.chunks_exact_mut(actions)) {
        let best = (1..actions).fold(0, |best, a| if row[a] > row[best] { a } else { best });
        out[best] = 1.0;
    }
    policy
}

/// Greedy for ⟨φ, θ⟩.
#[must_use]
pub fn greedy(batch: &Batch<'_>, theta: &[f64]) -> Vec<f64> {
    let q: Vec<f64> = (0..batch.shape.pairs()).map(|pair| batch.phi.inner(pair, theta)).collect();
    greedy_for(batch.shape.actions, &q)
}

/// π(a|x) ∝ exp(α⟨φ(x,a), θ⟩).
pub fn softmax(batch: &Batch<'_>, alpha: f64, theta: &[f64]) -> Result<Vec<f64>> {
    let mut policy: Vec<f64> = (0..batch.shape.pairs()).map(|pair| alpha * batch.phi.inner(pair, theta)).collect();
    policy.chunks_exact_mut(batch.shape.actions).try_for_each(softmax::softmax)?;
    Ok(policy)
}
