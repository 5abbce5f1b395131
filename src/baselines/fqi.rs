//! Fitted Q-iteration with linear features, for which print cites Munos and Szepesvári, *Finite-Time Bounds for Fitted Value Iteration*, JMLR 9 (2008): there
//! the rows are drawn from a generative model, here they are what the data have. And LSPI: Lagoudakis and Parr, *Least-Squares Policy Iteration*,
//! JMLR 4 (2003).

use super::lstdq::Evaluator;
use super::policy::{greedy, uniform};
use crate::error::Result;
use nalgebra::DVector;

/// FQI: θ_{k+1} = argmin_θ Σ (⟨φ(x,a), θ⟩ − r − γ max_b q_k(x',b))² + ε‖θ‖², q_k = ⟨φ, θ_k⟩ cut off at 0 and 1/(1−γ), θ_0 = 0. The last θ.
pub fn fqi_theta(rows: &Evaluator<'_>, iterations: usize) -> Result<Vec<f64>> {
    let (batch, highest) = (rows.batch(), 1.0 / (1.0 - rows.batch().discount));
    let inverse = rows.normal().inverse()?;
    let mut theta = DVector::zeros(batch.shape.dim);
    for _ in 0..iterations {
        let mut target = rows.reward_sum().clone();
        for (next, phi) in rows.arrivals() {
            let q = batch.pairs(*next).map(|pair| batch.phi.inner(pair, theta.as_slice()));
            let best = q.fold(f64::NEG_INFINITY, f64::max).clamp(0.0, highest);
            for (i, phi) in phi {
                target[*i] += batch.discount * best * phi;
            }
        }
        theta = inverse.times(&target);
    }
    Ok(theta.as_slice().to_vec())
}

/// FQI's policy: greedy for the last θ.
pub fn fqi(rows: &Evaluator<'_>, iterations: usize) -> Result<Vec<f64>> {
    Ok(greedy(rows.batch(), &fqi_theta(rows, iterations)?))
}

/// LSPI: the policy that is greedy for LSTDQ's estimate of the one before, from the uniform one, until it repeats; and how many iterations it took.
pub fn lspi(rows: &Evaluator<'_>, iterations: usize) -> Result<(Vec<f64>, usize)> {
    let mut policy = uniform(rows.batch());
    for iteration in 1..=iterations {
        let better = greedy(rows.batch(), &rows.theta(&policy)?);
        if better == policy {
            return Ok((policy, iteration));
        }
        policy = better;
    }
    Ok((policy, iterations))
}
