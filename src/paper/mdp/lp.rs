//! (2), `eq:original-lp`: the linear program over occupancy measures.

use super::{Mdp, expected_reward, flow_residual};
use crate::error::Result;
use crate::linear::vector::finite;
use crate::number::Field;

/// (2): the objective ⟨r, μ⟩.
pub fn lp_objective<T: Field>(mdp: &Mdp<T>, mu: &[T]) -> Result<T> {
    expected_reward(mdp.reward(), mu)
}

/// (2): whether μ ≥ 0 and Eᵀμ = (1−γ)ν₀ + γPᵀμ, that is, whether μ is an occupancy measure. `slack` is how much each
/// constraint may be missed by: zero in exact arithmetic.
pub fn lp_feasible<T: Field>(mdp: &Mdp<T>, mu: &[T], slack: &T, mut scratch: &mut [T]) -> Result<bool> {
    finite("slack", slack.clone())?;
    let residual = flow_residual(mdp, mu, &mut scratch)?;
    Ok(within(residual, slack) && non_negative(mu, slack))
}

/// Every component is at most `slack` away from zero.
pub(crate) fn within<T: Field>(residual: &[T], slack: &T) -> bool {
    residual.iter().all(|e| e.abs() <= *slack)
}

/// No component is below −`slack`.
pub(crate) fn non_negative<T: Field>(values: &[T], slack: &T) -> bool {
    values.iter().all(|e| *e >= -slack.clone())
}
