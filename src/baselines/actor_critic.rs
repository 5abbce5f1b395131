//! PSPI and ATAC with linear features: a softmax actor against a critic that is as low as the data let it be.
//!
//! PSPI: Xie, Cheng, Jiang, Mineiro and Agarwal, *Bellman-consistent Pessimism for Offline Reinforcement Learning* (NeurIPS 2021), section 4, with
//! the version space replaced by its regularised form: f_t = argmin_f f(s_0, π_t) + λ·E(f, π_t).
//! ATAC: Cheng, Xie, Jiang and Agarwal, *Adversarially Trained Actor Critic for Offline Reinforcement Learning* (ICML 2022), Algorithm 1:
//! f_t = argmin_f E_D[f(s, π_t) − f(s, a)] + β·E(f, π_t).
//! Both: π_{t+1}(a|s) ∝ π_t(a|s) exp(η f_t(s,a)). E is the squared Bellman error that a linear function can see: with A and b of LSTDQ and
//! G = Σφφᵀ, n·E(θ, π) = (Aθ − b)ᵀG⁻¹(Aθ − b). The minimum is a linear system; θ is then projected on the ball that the function class is.

use super::batch::Batch;
use super::lstdq::{Evaluator, RIDGE, solve};
use super::policy::softmax;
use crate::error::{Error, Result};
use crate::linear::vector::norm;
use nalgebra::DVector;

/// Which critic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Critic {
    /// Low at the initial states: PSPI.
    Absolute,
    /// Low relative to the behaviour policy: ATAC.
    Relative,
}

/// What a run is free to choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// T.
    pub iterations: usize,
    /// λ or β: how much the Bellman error counts.
    pub consistency: f64,
    /// η.
    pub step: f64,
    /// The length that θ may have.
    pub radius: f64,
}

/// θ_t of the critic for a policy: argmin ⟨g, θ⟩ + (weight/n)(Aθ − b)ᵀG⁻¹(Aθ − b), with AᵀG⁻¹A made invertible by a small ridge.
pub fn critic(rows: &Evaluator<'_>, kind: Critic, policy: &[f64], weights: &Weights) -> Result<Vec<f64>> {
    let batch = rows.batch();
    let dim = batch.shape.dim;
    let singular = Error::Singular { what: "Σ φφᵀ", rank: 0 };
    let normal = rows.normal(RIDGE).cholesky().ok_or(singular)?;
    let a = rows.matrix(policy, 0.0)?;
    let seen = normal.solve(&a);
    let mut quadratic = a.transpose() * &seen;
    for i in 0..dim {
        quadratic[(i, i)] += RIDGE;
    }
    let gradient = DVector::from_vec(lowered(batch, kind, policy));
    let right = seen.transpose() * rows.reward_sum() - gradient * (batch.rows as f64 / (2.0 * weights.consistency));
    let mut theta = solve(quadratic, &right)?;
    let length = norm(&theta)?;
    if length > weights.radius {
        for x in &mut theta {
            *x *= weights.radius / length;
        }
    }
    Ok(theta)
}

/// g: what the critic lowers.
fn lowered(batch: &Batch<'_>, kind: Critic, policy: &[f64]) -> Vec<f64> {
    let (mut g, n) = (vec![0.0; batch.shape.dim], batch.rows as f64);
    match kind {
        Critic::Absolute => {
            for (x, count) in batch.starts.iter().enumerate() {
                batch.add_policy_feature(policy, x, count / n, &mut g);
            }
        }
        Critic::Relative => {
            for (pair, count) in batch.counts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                batch.add_policy_feature(policy, pair / batch.shape.actions, count / n, &mut g);
                g.iter_mut().zip(batch.feature(pair)).for_each(|(sum, phi)| *sum -= count / n * phi);
            }
        }
    }
    g
}

/// The last policy after T iterations.
pub fn actor_critic(rows: &Evaluator<'_>, kind: Critic, weights: &Weights) -> Result<Vec<f64>> {
    let mut sum = vec![0.0; rows.batch().shape.dim];
    for _ in 0..weights.iterations {
        let policy = softmax(rows.batch(), weights.step, &sum)?;
        let theta = critic(rows, kind, &policy, weights)?;
        sum.iter_mut().zip(theta).for_each(|(sum, theta)| *sum += theta);
    }
    softmax(rows.batch(), weights.step, &sum)
}
