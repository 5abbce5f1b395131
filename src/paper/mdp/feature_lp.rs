//! (4) and (5), `eq:LP-phi` and `eq:LP-phi-dual`: the primal and dual LPs in feature space.

use super::lp::{non_negative, within};
use super::{LinearMdp, state_marginal, theta_of_value};
use crate::error::{Result, expect_len};
use crate::linear::vector::{finite, inner, take};
use crate::number::Field;
use crate::paper::components::fill;

/// (4): the objective ⟨ω, λ⟩.
pub fn primal_objective<T: Field>(mdp: &LinearMdp<T>, lambda: &[T]) -> Result<T> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    finite("⟨ω, λ⟩", inner(mdp.omega(), lambda))
}

/// (4), first constraint: (1−γ)ν₀ + γΨᵀλ − Eᵀμ; it is also ∂L/∂v of (6).
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
    fill("flow residual of (4)", out, |x| {
        let start = (T::one() - mdp.discount()) * &mdp.initial()[x];
        arriving[x].clone() * mdp.discount() + start - &marginal[x]
    })
}

/// (4), second constraint: Φᵀμ − λ; it is also ∂L/∂θ of (6).
pub fn primal_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    let out = take(scratch, mdp.shape().dim)?;
    let mean = mdp.mean_feature(mu, &mut &mut **scratch)?;
    fill("feature residual of (4)", out, |j| mean[j].clone() - &lambda[j])
}

/// (4): whether (λ, μ) satisfies every constraint up to `slack` (zero in exact arithmetic).
pub fn primal_feasible<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    slack: &T,
    mut scratch: &mut [T],
) -> Result<bool> {
    finite("slack", slack.clone())?;
    let flow = primal_flow_residual(mdp, lambda, mu, &mut scratch)?;
    let feature = primal_feature_residual(mdp, lambda, mu, &mut scratch)?;
    Ok(within(flow, slack) && within(feature, slack) && non_negative(mu, slack))
}

/// (5): the objective (1−γ)⟨ν₀, v⟩.
pub fn dual_objective<T: Field>(mdp: &LinearMdp<T>, v: &[T]) -> Result<T> {
    expect_len("v", mdp.shape().states, v.len())?;
    finite("(1−γ)⟨ν₀, v⟩", (T::one() - mdp.discount()) * inner(mdp.initial(), v))
}

/// (5), first constraint: ω + γΨv − θ; it is also ∂L/∂λ of (6).
pub fn dual_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("theta", mdp.shape().dim, theta.len())?;
    let out = take(scratch, mdp.shape().dim)?;
    let backup = theta_of_value(mdp, v, &mut &mut **scratch)?;
    fill("feature residual of (5)", out, |j| backup[j].clone() - &theta[j])
}

/// (5), second constraint, as a slack that must be ≥ 0: (Ev − Φθ)(x, a); its negative is ∂L/∂μ of (6).
pub fn dual_slack<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("v", mdp.shape().states, v.len())?;
    let out = take(scratch, mdp.shape().pairs())?;
    let q = mdp.linear_function(theta, &mut &mut **scratch)?;
    fill("slack of (5)", out, |pair| v[pair / mdp.shape().actions].clone() - &q[pair])
}

/// (5): whether (v, θ) satisfies every constraint up to `slack` (zero in exact arithmetic).
pub fn dual_feasible<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    slack: &T,
    mut scratch: &mut [T],
) -> Result<bool> {
    finite("slack", slack.clone())?;
    let feature = dual_feature_residual(mdp, v, theta, &mut scratch)?;
    let gaps = dual_slack(mdp, v, theta, &mut scratch)?;
    Ok(within(feature, slack) && non_negative(gaps, slack))
}

/// (4), (5), weak duality: the dual objective minus the primal one, ≥ 0 for every pair of feasible points and 0 exactly at
/// optimal ones.
pub fn weak_duality_gap<T: Field>(mdp: &LinearMdp<T>, v: &[T], lambda: &[T]) -> Result<T> {
    finite("duality gap", dual_objective(mdp, v)? - primal_objective(mdp, lambda)?)
}
