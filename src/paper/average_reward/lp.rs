//! (23), `eq:original-lp-AMDP`: the linear program over stationary distributions, and its feature-space pair.

use super::values::{occupancy, state_value, theta_of_value};
use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, finite, inner, multiply_transposed, take};
use crate::number::Field;
use crate::paper::mdp::{
    LinearMdp, Mdp, dual_slack, expected_reward, non_negative, primal_feature_residual, state_marginal, within,
};

/// (23): the objective ⟨r, μ⟩.
pub fn lp_objective<T: Field>(mdp: &Mdp<T>, mu: &[T]) -> Result<T> {
    expected_reward(mdp.reward(), mu)
}

/// (23), first constraint: Eᵀμ − Pᵀμ.
pub fn flow_residual<T: Field>(mdp: &Mdp<T>, mu: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    expect_len("mu", mdp.pairs(), mu.len())?;
    expect_len("flow residual", mdp.states(), out.len())?;
    let arriving = take(&mut scratch, mdp.states())?;
    multiply_transposed(mdp.transition(), mu, arriving);
    state_marginal(mdp.actions(), mu, out)?;
    for (entry, arriving) in out.iter_mut().zip(arriving) {
        *entry = entry.clone() - &*arriving;
    }
    all_finite("flow residual", out)
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
    let flow = take(&mut scratch, mdp.states())?;
    flow_residual(mdp, mu, flow, scratch)?;
    let total = normalisation_residual(mu)?;
    Ok(within(flow, slack) && total.abs() <= *slack && non_negative(mu, slack))
}

/// (23), in features: the objective ⟨ω, λ⟩ of max ⟨ω, λ⟩ over Eᵀμ = Ψᵀλ, λ = Φᵀμ, ⟨λ, ϱ⟩ = 1, μ ≥ 0.
pub fn primal_objective<T: Field>(mdp: &LinearMdp<T>, lambda: &[T]) -> Result<T> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    finite("⟨ω, λ⟩", inner(mdp.omega(), lambda))
}

/// (23), in features, first constraint: Ψᵀλ − Eᵀμ; it is also ∂L/∂v.
pub fn primal_flow_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let marginal = take(&mut scratch, mdp.shape().states)?;
    state_marginal(mdp.shape().actions, mu, marginal)?;
    mdp.psi_transposed_times(lambda, out)?;
    for (entry, marginal) in out.iter_mut().zip(marginal) {
        *entry = entry.clone() - &*marginal;
    }
    all_finite("flow residual", out)
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
    let flow = take(&mut scratch, mdp.shape().states)?;
    let feature = take(&mut scratch, mdp.shape().dim)?;
    primal_flow_residual(mdp, lambda, mu, flow, scratch)?;
    primal_feature_residual(mdp, lambda, mu, feature)?;
    let total = primal_normalisation_residual(varrho, lambda)?;
    Ok(within(flow, slack) && within(feature, slack) && total.abs() <= *slack && non_negative(mu, slack))
}

/// (23), dual in features (objective ρ), first constraint: ω + Ψv − ρϱ − θ; it is also ∂L/∂λ.
pub fn dual_feature_residual<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    out: &mut [T],
) -> Result<()> {
    expect_len("theta", mdp.shape().dim, theta.len())?;
    theta_of_value(mdp, varrho, rho, v, out)?;
    for (entry, theta) in out.iter_mut().zip(theta) {
        *entry = entry.clone() - theta;
    }
    all_finite("feature residual", out)
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
    let feature = take(&mut scratch, mdp.shape().dim)?;
    let gaps = take(&mut scratch, mdp.shape().pairs())?;
    dual_feature_residual(mdp, varrho, rho, v, theta, feature)?;
    dual_slack(mdp, v, theta, gaps)?;
    Ok(within(feature, slack) && non_negative(gaps, slack))
}

/// (23), weak duality: the dual objective ρ minus the primal one, ≥ 0 for every pair of feasible points and 0 exactly at
/// optimal ones.
pub fn weak_duality_gap<T: Field>(mdp: &LinearMdp<T>, rho: &T, lambda: &[T]) -> Result<T> {
    finite("duality gap", rho.clone() - primal_objective(mdp, lambda)?)
}

/// (23), the primal point (λ, μ) = (Φᵀμ^π, μ^π) of a policy: feasible for every unichain policy, optimal for π*.
pub fn primal_point<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    lambda: &mut [T],
    mu: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let reward = take(&mut scratch, mdp.shape().pairs())?;
    let transition = take(&mut scratch, mdp.shape().pairs() * mdp.shape().states)?;
    occupancy(&mdp.tabulate(reward, transition)?, policy, mu, scratch)?;
    mdp.mean_feature(mu, lambda)
}

/// (23), the dual point (ρ^π, v^π, θ^π) of a policy, ρ^π as the result: feasible and optimal for π*; for other policies it
/// satisfies the first constraint, and [`dual_slack`] shows where an action is better than the policy's.
pub fn dual_point<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    v: &mut [T],
    theta: &mut [T],
    mut scratch: &mut [T],
) -> Result<T> {
    let reward = take(&mut scratch, mdp.shape().pairs())?;
    let transition = take(&mut scratch, mdp.shape().pairs() * mdp.shape().states)?;
    let gain = state_value(&mdp.tabulate(reward, transition)?, policy, v, scratch)?;
    theta_of_value(mdp, varrho, &gain, v, theta)?;
    Ok(gain)
}
