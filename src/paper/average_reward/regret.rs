//! Lemma C.4: the four regrets, each through the gradients (or stationary distributions) alone, never through f.

use super::duality_gap::{Comparators, Iterates, occupancy_of};
use super::lagrangian::{Saddle, beta_gradient, rho_gradient, theta_gradient};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::inner;
use crate::number::Field;
use crate::paper::discounted::duality_gap::mean;
use crate::paper::discounted::regret::policy_advantage;
use crate::paper::mdp::{LinearMdp, state_marginal};

/// Lemma C.4, θ-regret: (1/T) Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩.
pub fn theta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    let dim = saddle.mdp().shape().dim;
    expect_table("theta stars", iterates.outer(), dim, comparators.thetas.len())?;
    let mut sum = T::zero();
    for ((_, theta, beta, policy), theta_star) in iterates.iter().zip(comparators.thetas.chunks_exact(dim)) {
        let gradient = theta_gradient(saddle, beta, policy, &mut &mut *scratch)?;
        sum += inner(theta, gradient) - inner(theta_star, gradient);
    }
    mean(sum, iterates.outer())
}

/// Lemma C.4, ρ-regret: (1/T) Σ_t (ρ_t − ρ*_t) g_{ρ,t}.
pub fn rho_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    expect_len("rho stars", iterates.outer(), comparators.rhos.len())?;
    let mut sum = T::zero();
    for ((rho, _, beta, _), rho_star) in iterates.iter().zip(comparators.rhos) {
        sum += (rho.clone() - rho_star) * rho_gradient(saddle, beta, scratch)?;
    }
    mean(sum, iterates.outer())
}

/// Lemma C.4, β-regret: (1/T) Σ_t ⟨β* − β_t, g_{β,t}⟩.
pub fn beta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    expect_len("beta star", saddle.mdp().shape().dim, comparators.beta.len())?;
    let mut sum = T::zero();
    for (rho, theta, beta, policy) in iterates.iter() {
        let gradient = beta_gradient(saddle, policy, rho, theta, &mut &mut *scratch)?;
        sum += inner(comparators.beta, gradient) - inner(beta, gradient);
    }
    mean(sum, iterates.outer())
}

/// Lemma C.4, π-regret: (1/T) Σ_t Σ_x ν^{π*}(x) ⟨π*(·|x) − π_t(·|x), q_t(x,·)⟩ with q_t = Φθ_t.
pub fn policy_regret<T: Field>(
    mdp: &LinearMdp<T>,
    iterates: &Iterates<T>,
    comparator: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let shape = mdp.shape();
    expect_len("comparator policy", shape.pairs(), comparator.len())?;
    let mu = occupancy_of(mdp, comparator, &mut scratch)?;
    let nu = state_marginal(shape.actions, mu, &mut scratch)?;
    let mut sum = T::zero();
    for (_, theta, _, policy) in iterates.iter() {
        let q = mdp.linear_function(theta, &mut &mut *scratch)?;
        sum += policy_advantage(shape.actions, nu, comparator, policy, q)?;
    }
    mean(sum, iterates.outer())
}
