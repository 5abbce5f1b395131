//! Lemma C.4: the four regrets, each through the gradients (or stationary distributions) alone, never through f.

use super::duality_gap::{Comparators, Iterates, occupancy_of};
use super::lagrangian::{Saddle, beta_gradient, rho_gradient, theta_gradient};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{inner, take};
use crate::number::Field;
use crate::paper::discounted::duality_gap::mean;
use crate::paper::discounted::regret::policy_advantage;
use crate::paper::mdp::{LinearMdp, state_marginal};

/// Lemma C.4, θ-regret: (1/T) Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩.
pub fn theta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    mut scratch: &mut [T],
) -> Result<T> {
    let dim = saddle.mdp().shape().dim;
    expect_table("theta stars", iterates.outer(), dim, comparators.thetas.len())?;
    let gradient = take(&mut scratch, dim)?;
    let mut sum = T::zero();
    for (t, theta_star) in comparators.thetas.chunks_exact(dim).enumerate() {
        theta_gradient(saddle, iterates.beta(t), iterates.policy(t), gradient, scratch)?;
        sum += inner(iterates.theta(t), gradient) - inner(theta_star, gradient);
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
    for (t, rho_star) in comparators.rhos.iter().enumerate() {
        sum += (iterates.rho(t).clone() - rho_star) * rho_gradient(saddle, iterates.beta(t), scratch)?;
    }
    mean(sum, iterates.outer())
}

/// Lemma C.4, β-regret: (1/T) Σ_t ⟨β* − β_t, g_{β,t}⟩.
pub fn beta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    mut scratch: &mut [T],
) -> Result<T> {
    let dim = saddle.mdp().shape().dim;
    expect_len("beta star", dim, comparators.beta.len())?;
    let gradient = take(&mut scratch, dim)?;
    let mut sum = T::zero();
    for t in 0..iterates.outer() {
        beta_gradient(saddle, iterates.policy(t), iterates.rho(t), iterates.theta(t), gradient, scratch)?;
        sum += inner(comparators.beta, gradient) - inner(iterates.beta(t), gradient);
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
    let mu = take(&mut scratch, shape.pairs())?;
    let nu = take(&mut scratch, shape.states)?;
    occupancy_of(mdp, comparator, mu, scratch)?;
    state_marginal(shape.actions, mu, nu)?;
    let q = take(&mut scratch, shape.pairs())?;
    let mut sum = T::zero();
    for t in 0..iterates.outer() {
        mdp.linear_function(iterates.theta(t), q)?;
        sum += policy_advantage(shape.actions, nu, comparator, iterates.policy(t), q)?;
    }
    mean(sum, iterates.outer())
}
