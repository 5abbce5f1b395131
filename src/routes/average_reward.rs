//! The average-reward setting: ϱ, ρ^π, θ^π, λ^π, ν^π and an optimal policy from systems of min(d, |X|) unknowns.

use super::{Structure, identity_minus, solved, transposed};
use crate::error::{Error, Result};
use crate::linear::vector::{all_finite, finite, inner};
use crate::number::Field;
use crate::paper::mdp::{Shape, improve};

/// ρ^π, θ^π and λ^π of a unichain policy.
#[derive(Debug, Clone)]
pub struct Gain<T> {
    /// ρ^π.
    pub rho: T,
    /// θ^π, with ⟨ν^π, v^π⟩ = 0.
    pub theta: Vec<T>,
    /// v^π.
    pub v: Vec<T>,
    /// λ^π = Φᵀμ^π.
    pub lambda: Vec<T>,
    /// ν^π.
    pub nu: Vec<T>,
}

impl<T: Field> Structure<'_, T> {
    /// Asm 5.2's ϱ is Ψ1 = Σ_x ψ(x): ΦΨ1 = P1 = 1, and Φ has full column rank, so there is no other. Checked. Equals
    /// [`ones_coefficients`](crate::paper::mdp::ones_coefficients).
    pub fn ones_coefficients(&self) -> Result<Vec<T>> {
        let varrho = self.psi_times(&vec![T::one(); self.shape().states]);
        let slack = T::rounding(1 << 20);
        let ones = self.linear_function(&varrho);
        all_finite("Φϱ", &ones)?;
        if ones.into_iter().any(|one| (one - T::one()).abs() > slack) {
            return Err(Error::OnesNotInSpan);
        }
        Ok(varrho)
    }

    /// ρ^π, θ^π, v^π, λ^π and ν^π from d unknowns.
    ///
    /// λ^π is Φ_πᵀν^π with ν^π = Ψᵀλ^π, so M_πᵀλ^π = λ^π, and ⟨λ^π, ϱ⟩ = ⟨ν^π, 1⟩ = 1. Likewise θ^π = ω + Ψv^π − ρ^πϱ with v^π = Φ_πθ^π,
    /// so (I − M_π)θ^π + ρ^πϱ = ω. Both matrices are singular, as M_πϱ = ΨΦ_πϱ = Ψ1 = ϱ. With w = φ(0,0), for which ⟨w, ϱ⟩ = 1, let
    /// A = I − M_π + ϱwᵀ:
    /// - Aᵀλ = w: its product with ϱ is ⟨λ, ϱ⟩ = 1, so M_πᵀλ = λ.
    /// - Aθ = ω: its product with λ^π is ⟨w, θ⟩ = ⟨ω, λ^π⟩ = ρ^π, so θ is θ^π up to a multiple of ϱ, which ⟨λ^π, θ⟩ = ⟨ν^π, v⟩ = 0 fixes.
    ///
    /// A is regular exactly when π is unichain: ker(I − M_π) has the dimension of ker(I − P_π); where that is 1, Az = 0 gives ⟨w, z⟩ = 0
    /// by a product with λ^π, so z is a multiple of ϱ, and 0. Where |X| < d, the same with P_π, 1 and the last unit vector in
    /// the places of M_π, ϱ and w. Equals `average_reward::values::{gain, state_value, occupancy}` of `paper/`.
    pub fn gain_of_policy(&self, varrho: &[T], policy: &[T]) -> Result<Gain<T>> {
        self.expect_policy(policy)?;
        crate::error::expect_len("ϱ", self.shape().dim, varrho.len())?;
        let Shape { states, dim, .. } = self.shape();
        let (n, kernel) = if self.by_features() { (dim, varrho.to_vec()) } else { (states, vec![T::one(); states]) };
        let mut w = vec![T::zero(); n];
        let right = if self.by_features() {
            self.phi().for_each(0, |j, phi| w[j] = phi.clone());
            self.mdp().omega().to_vec()
        } else {
            w[n - 1] = T::one();
            self.policy_average(policy, &self.reward())
        };
        let mut matrix = identity_minus(n, self.transition(policy), &T::one());
        for (row, kernel) in matrix.chunks_exact_mut(n).zip(&kernel) {
            crate::linear::vector::add_scaled(kernel, &w, row);
        }
        let left = unichain(solved("I − M_πᵀ + wϱᵀ", transposed(n, &matrix), w))?;
        let mut relative = unichain(solved("I − M_π + ϱwᵀ", matrix, right.clone()))?;
        let shift = -inner(&left, &relative);
        crate::linear::vector::add_scaled(&shift, &kernel, &mut relative);
        let rho = inner(&left, &right);
        let found = if self.by_features() {
            let v = self.policy_average(policy, &self.linear_function(&relative));
            Gain { rho, theta: relative, v, nu: self.psi_transposed_times(&left), lambda: left }
        } else {
            let theta = self.theta_of_bias(varrho, &rho, &relative);
            Gain { rho, theta, v: relative, lambda: self.mean_feature(policy, &left), nu: left }
        };
        finite("ρ^π", found.rho.clone())?;
        for (what, numbers) in [("θ^π", &found.theta), ("v^π", &found.v), ("λ^π", &found.lambda), ("ν^π", &found.nu)]
        {
            all_finite(what, numbers)?;
        }
        Ok(found)
    }

    /// ω + Ψv − ρϱ.
    pub(crate) fn theta_of_bias(&self, varrho: &[T], rho: &T, v: &[T]) -> Vec<T> {
        let backup = self.psi_times(v).into_iter().zip(self.mdp().omega());
        backup.zip(varrho).map(|((psi_v, omega), ones)| psi_v + omega - ones.clone() * rho).collect()
    }

    /// Policy iteration as `average_reward::optimal::optimal_policy` does it, from the same start and with the same choices: ρ*, a
    /// deterministic optimal policy, and what [`Structure::gain_of_policy`] says of it.
    pub fn optimal_unichain_policy(&self, varrho: &[T]) -> Result<(Vec<T>, Gain<T>)> {
        let Shape { states, actions, .. } = self.shape();
        let mut policy = vec![T::zero(); states * actions];
        policy.iter_mut().step_by(actions).for_each(|p| *p = T::one());
        let mut best: Option<(T, T)> = None;
        loop {
            let found = self.gain_of_policy(varrho, &policy)?;
            let now = (found.rho.clone(), found.v.iter().fold(T::zero(), |sum, value| sum + value));
            let progress = best.is_none_or(|best| now > best);
            let q = self.linear_function(&self.theta_of_bias(varrho, &found.rho, &found.v));
            all_finite("q", &q)?;
            if !progress || !improve(states, actions, &q, &found.v, &mut policy) {
                return Ok((policy, found));
            }
            best = Some(now);
        }
    }

    /// Lemma C.3's θ*_t = θ^π − min⟨φ, θ^π⟩ϱ.
    pub fn shifted_theta(&self, varrho: &[T], theta: &[T]) -> Result<Vec<T>> {
        crate::error::expect_len("ϱ", self.shape().dim, varrho.len())?;
        crate::error::expect_len("theta", self.shape().dim, theta.len())?;
        let q = self.linear_function(theta);
        let least = q.iter().skip(1).fold(q.first(), |least, q| if Some(q) < least { Some(q) } else { least });
        let low = least.cloned().unwrap_or_else(T::zero);
        let shifted: Vec<T> =
            theta.iter().zip(varrho).map(|(theta, ones)| theta.clone() - ones.clone() * &low).collect();
        all_finite("theta*", &shifted).map(|()| shifted)
    }
}

/// A singular system of a stochastic matrix, by its cause.
fn unichain<T>(solved: Result<Vec<T>>) -> Result<Vec<T>> {
    solved.map_err(|error| match error {
        Error::Singular { .. } => Error::NotUnichain { policy: None },
        other => other,
    })
}
