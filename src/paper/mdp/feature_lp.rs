//! (4) and (5), `eq:LP-phi` and `eq:LP-phi-dual`: the primal and dual LPs in feature space.

use super::lp::{non_negative, within};
use super::{LinearMdp, state_marginal};
use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, finite, inner, take};
use crate::number::Field;

/// (4): the objective ⟨ω, λ⟩.
pub fn primal_objective<T: Field>(mdp: &LinearMdp<T>, lambda: &[T]) -> Result<T> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    finite("⟨ω, λ⟩", inner(mdp.omega(), lambda))
}

/// (4), first constraint: (1−γ)ν₀ + γΨᵀλ − Eᵀμ; it is also ∂L/∂v of (6).
pub fn primal_flow_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    expect_len("mu", mdp.shape().pairs(), mu.len())?;
    let marginal = take(&mut scratch, mdp.shape().states)?;
    state_marginal(mdp.shape().actions, mu, marginal)?;
    mdp.psi_transposed_times(lambda, out)?;
    for (x, entry) in out.iter_mut().enumerate() {
        let start = (T::one() - mdp.discount()) * &mdp.initial()[x];
        *entry = entry.clone() * mdp.discount() + start - &marginal[x];
    }
    all_finite("flow residual of (4)", out)
}

/// (4), second constraint: Φᵀμ − λ; it is also ∂L/∂θ of (6).
pub fn primal_feature_residual<T: Field>(mdp: &LinearMdp<T>, lambda: &[T], mu: &[T], out: &mut [T]) -> Result<()> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    mdp.mean_feature(mu, out)?;
    for (entry, l) in out.iter_mut().zip(lambda) {
        *entry = entry.clone() - l;
    }
    all_finite("feature residual of (4)", out)
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
    let flow = take(&mut scratch, mdp.shape().states)?;
    let feature = take(&mut scratch, mdp.shape().dim)?;
    primal_flow_residual(mdp, lambda, mu, flow, scratch)?;
    primal_feature_residual(mdp, lambda, mu, feature)?;
    Ok(within(flow, slack) && within(feature, slack) && non_negative(mu, slack))
}

/// (5): the objective (1−γ)⟨ν₀, v⟩.
pub fn dual_objective<T: Field>(mdp: &LinearMdp<T>, v: &[T]) -> Result<T> {
    expect_len("v", mdp.shape().states, v.len())?;
    finite("(1−γ)⟨ν₀, v⟩", (T::one() - mdp.discount()) * inner(mdp.initial(), v))
}

/// (5), first constraint: ω + γΨv − θ; it is also ∂L/∂λ of (6).
pub fn dual_feature_residual<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    expect_len("theta", mdp.shape().dim, theta.len())?;
    super::theta_of_value(mdp, v, out)?;
    for (entry, t) in out.iter_mut().zip(theta) {
        *entry = entry.clone() - t;
    }
    all_finite("feature residual of (5)", out)
}

/// (5), second constraint, as a slack that must be ≥ 0: (Ev − Φθ)(x, a); its negative is ∂L/∂μ of (6).
pub fn dual_slack<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    expect_len("v", mdp.shape().states, v.len())?;
    mdp.linear_function(theta, out)?;
    for (index, entry) in out.iter_mut().enumerate() {
        *entry = v[index / mdp.shape().actions].clone() - &*entry;
    }
    all_finite("slack of (5)", out)
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
    let feature = take(&mut scratch, mdp.shape().dim)?;
    let gaps = take(&mut scratch, mdp.shape().pairs())?;
    dual_feature_residual(mdp, v, theta, feature)?;
    dual_slack(mdp, v, theta, gaps)?;
    Ok(within(feature, slack) && non_negative(gaps, slack))
}

/// (4), (5), weak duality: the dual objective minus the primal one, ≥ 0 for every pair of feasible points and 0 exactly at
/// optimal ones.
pub fn weak_duality_gap<T: Field>(mdp: &LinearMdp<T>, v: &[T], lambda: &[T]) -> Result<T> {
    finite("duality gap", dual_objective(mdp, v)? - primal_objective(mdp, lambda)?)
}
