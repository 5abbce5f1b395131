//! PSPI and ATAC with linear features: a softmax actor against a critic that is as low as the data let it be.
//!
//! PSPI: Xie, Cheng, Jiang, Mineiro and Agarwal, *Bellman-consistent Pessimism for Offline Reinforcement Learning* (NeurIPS 2021), with
//! the version space replaced by its regularised form: f_t = argmin_f f(s_0, π_t) + λ·E(f, π_t).
//! ATAC: Cheng, Xie, Jiang and Agarwal, *Adversarially Trained Actor Critic for Offline Reinforcement Learning* (ICML 2022):
//! f_t = argmin_f E_D[f(s, π_t) − f(s, a)] + β·E(f, π_t).
//! Both: π_{t+1}(a|s) ∝ π_t(a|s) exp(η f_t(s,a)); the papers end with a mixture of π_1, …, π_T, here the last policy is judged, as everybody's.
//!
//! E is the squared Bellman error that a linear function can see: with N, A and b of LSTDQ, n·E(θ, π) = (Aθ − b)ᵀN⁻¹(Aθ − b). The critic lowers ⟨g, θ⟩,
//! g = φ_π(ν̂₀) or the mean of φ_π(x) − φ(x,a) over the rows, so its minimum is where 2λAᵀN⁻¹(Aθ − b) = −ng: LSTDQ's θ, lowered by
//! (n/2λ)A⁻¹NA⁻ᵀg. What no row has seen the ridge counts as one row.

use super::batch::Batch;
use super::lstdq::Evaluator;
use super::policy::softmax;
use super::system::System;
use crate::error::Result;
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
}

/// θ_t of the critic for a policy: argmin ⟨g, θ⟩ + (λ/n)(Aθ − b)ᵀN⁻¹(Aθ − b).
pub fn critic(rows: &Evaluator<'_>, kind: Critic, policy: &[f64], weights: &Weights) -> Result<Vec<f64>> {
    let system = System::new(rows, policy)?;
    let slope = system.solve_transposed(&DVector::from_vec(lowered(rows.batch(), kind, policy)))?;
    let lower = rows.normal().times(&slope) * (rows.batch().rows as f64 / (2.0 * weights.consistency));
    Ok(system.solve(&(rows.reward_sum() - lower))?.as_slice().to_vec())
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
                batch.phi.add(pair, -count / n, &mut g);
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
