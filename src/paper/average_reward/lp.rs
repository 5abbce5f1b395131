//! (23), `eq:original-lp-AMDP`: the linear program over stationary distributions, and its feature-space pair.

use super::values::{occupancy, state_value, theta_of_value};
use crate::error::{Result, expect_len};
use crate::linear::vector::{finite, inner, multiply_transposed, take};
use crate::number::Field;
use crate::paper::components::{fill, keep};
use crate::paper::mdp::{
    LinearMdp, Mdp, dual_slack, expected_reward, non_negative, primal_feature_residual, state_marginal, within,
};

/// (23): the objective ⟨r, μ⟩.
pub fn lp_objective<T: Field>(mdp: &Mdp<T>, mu: &[T]) -> Result<T> {
    expected_reward(mdp.reward(), mu)
}

/// (23), first constraint: Eᵀμ − Pᵀμ.
pub fn flow_residual<'s, T: Field>(mdp: &Mdp<T>, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("mu", mdp.pairs(), mu.len())?;
    let out = take(scratch, mdp.states())?;
    let mut rest = &mut **scratch;
    let marginal = state_marginal(mdp.actions(), mu, &mut rest)?;
    let arriving = take(&mut rest, mdp.states())?;
    multiply_transposed(mdp.transition(), mu, arriving);
    fill("flow residual", out, |x| marginal[x].clone() - &arriving[x])
}

/// (23), second constraint: ⟨μ, 1⟩ − 1.
pub fn normalisation_residual<T: Field>(mu: &[T]) -> Result<T> {
    let total = mu.iter().fold(T::zero(), |sum, entry| sum + entry);
    finite("normalisation residual", total - T::one())
}

/// (23): whether μ ≥ 0, Eᵀμ = Pᵀμ and ⟨μ, 1⟩ = 1, that is, whether μ is stationary for the policy it defines. `slack`
/// is how much each constraint may be missed by: zero in exact arithmetic.
pub fn lp_feasible<T: Field>(mdp: &Mdp<T>, mu: &[T], slack: &T, mut scratch: &mut [T]) -> Result<bool> {
    finite("slack", slack.clone())?;
    let flow = flow_residual(mdp, mu, &mut scratch)?;
    let total = normalisation_residual(mu)?;
    Ok(within(flow, slack) && total.abs() <= *slack && non_negative(mu, slack))
}

/// (23), in features: the objective ⟨ω, λ⟩ of max ⟨ω, λ⟩ over Eᵀμ = Ψᵀλ, λ = Φᵀμ, ⟨λ, ϱ⟩ = 1, μ ≥ 0: that of (4).
pub fn primal_objective<T: Field>(mdp: &LinearMdp<T>, lambda: &[T]) -> Result<T> {
    crate::paper::mdp::primal_objective(mdp, lambda)
}

/// (23), in features, first constraint: Ψᵀλ − Eᵀμ; it is also ∂L/∂v.
pub fn primal_flow_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("mu", mdp.shape().pairs(), mu.len())?;
    let out = take(scratch, mdp.shape().states)?;
    let mut rest = &mut **scratch;
    let marginal = state_marginal(mdp.shape().actions, mu, &mut rest)?;
    let arriving = mdp.psi_transposed_times(lambda, &mut rest)?;
    fill("flow residual", out, |x| arriving[x].clone() - &marginal[x])
}

/// (23), in features, third constraint: 1 − ⟨λ, ϱ⟩; it is also ∂L/∂ρ.
pub fn primal_normalisation_residual<T: Field>(varrho: &[T], lambda: &[T]) -> Result<T> {
    expect_len("lambda", varrho.len(), lambda.len())?;
    finite("1 − ⟨λ, ϱ⟩", T::one() - inner(lambda, varrho))
}

/// (23), in features: whether (λ, μ) satisfies every constraint up to `slack` (zero in exact arithmetic). The second
/// constraint, Φᵀμ − λ = 0, is that of (4): [`primal_feature_residual`].
pub fn primal_feasible<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    lambda: &[T],
    mu: &[T],
    slack: &T,
    mut scratch: &mut [T],
) -> Result<bool> {
    finite("slack", slack.clone())?;
    let flow = primal_flow_residual(mdp, lambda, mu, &mut scratch)?;
    let feature = primal_feature_residual(mdp, lambda, mu, &mut scratch)?;
    let total = primal_normalisation_residual(varrho, lambda)?;
    Ok(within(flow, slack) && within(feature, slack) && total.abs() <= *slack && non_negative(mu, slack))
}

/// (23), dual in features (objective ρ), first constraint: ω + Ψv − ρϱ − θ; it is also ∂L/∂λ.
pub fn dual_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("theta", mdp.shape().dim, theta.len())?;
    let out = take(scratch, mdp.shape().dim)?;
    let backup = theta_of_value(mdp, varrho, rho, v, &mut &mut **scratch)?;
    fill("feature residual", out, |j| backup[j].clone() - &theta[j])
}

/// (23), dual in features, min ρ over θ = ω + Ψv − ρϱ, Ev ≥ Φθ: whether (ρ, v, θ) satisfies every constraint up
/// to `slack` (zero in exact arithmetic). The second constraint is that of (5): [`dual_slack`].
pub fn dual_feasible<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    slack: &T,
    mut scratch: &mut [T],
) -> Result<bool> {
    finite("slack", slack.clone())?;
    let feature = dual_feature_residual(mdp, varrho, rho, v, theta, &mut scratch)?;
    let gaps = dual_slack(mdp, v, theta, &mut scratch)?;
    Ok(within(feature, slack) && non_negative(gaps, slack))
}

/// (23), weak duality: the dual objective ρ minus the primal one, ≥ 0 for every pair of feasible points and 0 exactly at
/// optimal ones.
pub fn weak_duality_gap<T: Field>(mdp: &LinearMdp<T>, rho: &T, lambda: &[T]) -> Result<T> {
    finite("duality gap", rho.clone() - primal_objective(mdp, lambda)?)
}

/// (23), the primal point (λ, μ) = (Φᵀμ^π, μ^π) of a policy: feasible for every unichain policy, optimal for π*.
pub fn primal_point<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<(&'s mut [T], &'s mut [T])> {
    let mu = keep(mdp.shape().pairs(), scratch, |rest| occupancy(&mdp.tabulate(rest)?, policy, rest))?;
    Ok((mdp.mean_feature(mu, scratch)?, mu))
}

/// (23), the dual point (ρ^π, v^π, θ^π) of a policy: feasible and optimal for π*; for other policies it
/// satisfies the first constraint, and [`dual_slack`] shows where an action is better than the policy's.
pub fn dual_point<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<(T, &'s mut [T], &'s mut [T])> {
    let v = take(scratch, mdp.shape().states)?;
    let mut rest = &mut **scratch;
    let (gain, solved) = state_value(&mdp.tabulate(&mut rest)?, policy, &mut rest)?;
    v.clone_from_slice(solved);
    let theta = theta_of_value(mdp, varrho, &gain, v, scratch)?;
    Ok((gain, v, theta))
}
