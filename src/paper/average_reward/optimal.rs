//! Exact optimal policies of unichain models, with their proof of optimality.

use super::values::{action_value, state_value};
use crate::error::Result;
use crate::linear::vector::take;
use crate::number::Field;
use crate::paper::components::fill;
use crate::paper::mdp::{Mdp, deterministic_policy, greedy, improve};

/// Policy iteration: ρ*, a deterministic optimal π*, and its bias.
///
/// In exact arithmetic the pair (ρ, Σ_x v(x)) strictly increases in lexicographic order, so the loop ends: an
/// improvement in a state that the new policy visits again and again raises ρ; otherwise the recurrent class keeps its
/// actions, so ν and v there stay, and v rises in the states improved. In `f64` the loop ends too, because it stops
/// where rounding breaks that order. Optimality is then checkable: [`optimality_residual`] is zero.
pub fn optimal_policy<'s, T: Field>(mdp: &Mdp<T>, scratch: &mut &'s mut [T]) -> Result<(T, &'s mut [T], &'s mut [T])> {
    let policy = deterministic_policy(mdp.states(), mdp.actions(), |_| 0, scratch)?;
    let bias = take(scratch, mdp.states())?;
    let mut best: Option<(T, T)> = None;
    loop {
        let mut rest = &mut **scratch;
        let (gain, v) = state_value(mdp, policy, &mut rest)?;
        let now = (gain, v.iter().fold(T::zero(), |sum, value| sum + value));
        let progress = best.is_none_or(|best| now > best);
        let q = action_value(mdp, &now.0, v, &mut rest)?;
        if !progress || !improve(mdp.states(), mdp.actions(), q, v, policy) {
            bias.clone_from_slice(v);
            return Ok((now.0, policy, bias));
        }
        best = Some(now);
    }
}

/// Bellman's optimality equation: max_a (r − ρ1 + Pv)(x, a) − v(x), zero everywhere exactly when ρ is the optimal gain
/// and v an optimal bias.
pub fn optimality_residual<'s, T: Field>(
    mdp: &Mdp<T>,
    gain: &T,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let out = take(scratch, mdp.states())?;
    let q = action_value(mdp, gain, v, &mut &mut **scratch)?;
    fill("optimality residual", out, |x| {
        let row = &q[x * mdp.actions()..][..mdp.actions()];
        row[greedy(row)].clone() - &v[x]
    })
}
