//! Fitted Q-iteration with linear features. Munos and Szepesvári, *Finite-Time Bounds for Fitted Value Iteration*, JMLR 9 (2008), section 4, and
//! LSPI: Lagoudakis and Parr, *Least-Squares Policy Iteration*, JMLR 4 (2003), section 6.

use super::lstdq::{Evaluator, RIDGE};
use super::policy::{greedy, uniform};
use crate::error::{Error, Result};
use crate::linear::vector::inner;
use nalgebra::DVector;

/// FQI: θ_{k+1} = argmin_θ Σ (⟨φ(x,a), θ⟩ − r − γ max_b q_k(x',b))², q_k = ⟨φ, θ_k⟩ cut off at 0 and 1/(1−γ), θ_0 = 0. The last θ.
pub fn fqi_theta(rows: &Evaluator<'_>, iterations: usize) -> Result<Vec<f64>> {
    let batch = rows.batch();
    let (actions, highest) = (batch.shape.actions, 1.0 / (1.0 - batch.discount));
    let singular = Error::Singular { what: "Σ φφᵀ", rank: 0 };
    let normal = rows.normal(RIDGE).cholesky().ok_or(singular)?;
    let mut theta = vec![0.0; batch.shape.dim];
    for _ in 0..iterations {
        let mut target: DVector<f64> = rows.reward_sum().clone();
        for (next, phi) in rows.arrivals() {
            let q = (next * actions..(next + 1) * actions).map(|pair| inner(batch.feature(pair), &theta));
            let best = q.fold(f64::NEG_INFINITY, f64::max).clamp(0.0, highest);
            target.iter_mut().zip(phi).for_each(|(sum, phi)| *sum += batch.discount * best * phi);
        }
        theta.copy_from_slice(normal.solve(&target).as_slice());
    }
    Ok(theta)
}

/// FQI's policy: greedy for the last θ.
pub fn fqi(rows: &Evaluator<'_>, iterations: usize) -> Result<Vec<f64>> {
    Ok(greedy(rows.batch(), &fqi_theta(rows, iterations)?))
}

/// LSPI: the policy that is greedy for LSTDQ's estimate of the one before, from the uniform one, until it repeats.
pub fn lspi(rows: &Evaluator<'_>, iterations: usize) -> Result<Vec<f64>> {
    let mut policy = uniform(rows.batch());
    for _ in 0..iterations {
        let better = greedy(rows.batch(), &rows.theta(&policy)?);
        if better == policy {
            break;
        }
        policy = better;
    }
    Ok(policy)
}
