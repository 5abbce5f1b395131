//! Section 2, below (6): optimal solutions of the two linear programs are the saddle points of their Lagrangian.

use crate::error::Result;
use crate::number::Field;
use crate::paper::mdp::{
    LinearMdp, dual_feasible, dual_feature_residual, dual_slack, primal_feasible, primal_feature_residual,
    primal_flow_residual, weak_duality_gap,
};

/// S2.saddle: whether (v, θ, λ, μ) is a saddle point of (6) over μ ≥ 0: ∂L/∂v, ∂L/∂θ and ∂L/∂λ are 0, and L, which is linear in μ, is
/// greatest at this one: μ ≥ 0, ∂L/∂μ ≤ 0, and their product is 0 component by component. Meant for exact arithmetic.
pub fn is_saddle_point<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    mut scratch: &mut [T],
) -> Result<bool> {
    let by_v = primal_flow_residual(mdp, lambda, mu, &mut scratch)?;
    let by_theta = primal_feature_residual(mdp, lambda, mu, &mut scratch)?;
    let by_lambda = dual_feature_residual(mdp, v, theta, &mut scratch)?;
    let minus_by_mu = dual_slack(mdp, v, theta, &mut scratch)?;
    let stationary = by_v.iter().chain(by_theta.iter()).chain(by_lambda.iter()).all(Field::is_zero);
    let zero = T::zero();
    let greatest = mu.iter().zip(minus_by_mu.iter()).all(|(m, g)| {
        let product = m.clone() * g;
        *m >= zero && *g >= zero && product.is_zero()
    });
    Ok(stationary && greatest)
}

/// S2.saddle: whether (λ, μ) is optimal for (4) and (v, θ) for (5): both feasible, of equal value. Meant for exact arithmetic.
pub fn is_optimal<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    scratch: &mut [T],
) -> Result<bool> {
    let slack = T::zero();
    let primal = primal_feasible(mdp, lambda, mu, &slack, scratch)?;
    let dual = dual_feasible(mdp, v, theta, &slack, scratch)?;
    Ok(weak_duality_gap(mdp, v, lambda)?.is_zero() && primal && dual)
}
