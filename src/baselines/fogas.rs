//! FOGAS. Neu and Okolo, *Offline RL via Feature-Occupancy Gradient Ascent* (AISTATS 2025): the successor of the method of this
//! library, with ε⁻² samples.
//!
//! With Λ_n = (1/n)Σφφᵀ + βI and the least-squares transition Ψ̂ = Λ_n⁻¹(1/n)Σφe_{x'}ᵀ: θ_t = argmin over the ball of D_θ of ⟨θ, Φᵀμ̂_t − λ_t⟩, where
//! μ̂_t(x,a) = π_t(a|x)((1−γ)ν₀(x) + γ⟨ψ̂(x), λ_t⟩); λ_{t+1} = (λ_t + ηΛ_n(ω̂ + γΨ̂v_t − θ_t))/(1 + ρη); π_{t+1} ∝ exp(αΣθ). The paper knows ω; here
//! ω̂ = Λ_n⁻¹(1/n)Σφr, so that Λ_nω̂ is a mean over rows, as Λ_nΨ̂ is. It ends with a
//! policy drawn from π_1, …, π_T; here the last is judged, as everybody's.

use super::lstdq::Evaluator;
use super::normal::Inverse;
use super::policy::softmax;
use crate::error::Result;
use crate::linear::vector::norm;
use nalgebra::DVector;

/// What a run is free to choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steps {
    /// T.
    pub iterations: usize,
    /// α.
    pub alpha: f64,
    /// η.
    pub eta: f64,
    /// ρ.
    pub rho: f64,
    /// D_θ.
    pub radius: f64,
}

/// The covariance and the feature occupancies that it gives, of one data set.
#[derive(Debug)]
pub struct Occupancy<'e, 'a> {
    rows: &'e Evaluator<'a>,
    /// (nΛ_n)⁻¹, where nβ is the ridge of the rows.
    inverse: Inverse,
}

impl<'e, 'a> Occupancy<'e, 'a> {
    /// Fails where Λ_n is singular.
    pub fn new(rows: &'e Evaluator<'a>) -> Result<Self> {
        Ok(Self { rows, inverse: rows.normal().inverse()? })
    }

    /// Φᵀμ̂ for λ and π.
    #[must_use]
    pub fn of_policy(&self, lambda: &[f64], policy: &[f64]) -> Vec<f64> {
        let batch = self.rows.batch();
        let (n, gamma) = (batch.rows as f64, batch.discount);
        let solved = self.inverse.times(&DVector::from_column_slice(lambda));
        let mut sum = vec![0.0; batch.shape.dim];
        for (x, count) in batch.starts.iter().enumerate().filter(|(_, count)| **count > 0.0) {
            batch.add_policy_feature(policy, x, (1.0 - gamma) * count / n, &mut sum);
        }
        for (next, phi) in self.rows.arrivals() {
            let arrives: f64 = phi.iter().map(|(i, phi)| phi * solved[*i]).sum();
            batch.add_policy_feature(policy, *next, gamma * arrives, &mut sum);
        }
        sum
    }

    /// Λ_n(ω̂ + γΨ̂v − θ) = (1/n)Σ φ(r + γv(x') − ⟨φ, θ⟩) − βθ.
    #[must_use]
    pub fn gradient(&self, theta: &[f64], policy: &[f64]) -> Vec<f64> {
        let batch = self.rows.batch();
        let mut sum = self.rows.reward_sum() - self.rows.normal().times(&DVector::from_column_slice(theta));
        for (next, phi) in self.rows.arrivals() {
            let value = batch.policy_value(policy, *next, theta);
            for (i, phi) in phi {
                sum[*i] += batch.discount * value * phi;
            }
        }
        sum.iter().map(|sum| sum / batch.rows as f64).collect()
    }
}

/// The last policy after T iterations.
pub fn fogas(rows: &Evaluator<'_>, steps: &Steps) -> Result<Vec<f64>> {
    let occupancy = Occupancy::new(rows)?;
    let dim = rows.batch().shape.dim;
    let (mut lambda, mut theta_sum) = (vec![0.0; dim], vec![0.0; dim]);
    for _ in 0..steps.iterations {
        let policy = softmax(rows.batch(), steps.alpha, &theta_sum)?;
        let mut slope = occupancy.of_policy(&lambda, &policy);
        slope.iter_mut().zip(&lambda).for_each(|(slope, lambda)| *slope -= lambda);
        let length = norm(&slope)?.max(f64::MIN_POSITIVE);
        let theta: Vec<f64> = slope.iter().map(|s| -steps.radius * s / length).collect();
        let gradient = occupancy.gradient(&theta, &policy);
        for ((lambda, g), (sum, theta)) in lambda.iter_mut().zip(gradient).zip(theta_sum.iter_mut().zip(theta)) {
            *lambda = (*lambda + steps.eta * g) / (1.0 + steps.rho * steps.eta);
            *sum += theta;
        }
    }
    softmax(rows.batch(), steps.alpha, &theta_sum)
}
