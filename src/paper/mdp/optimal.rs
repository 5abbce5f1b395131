//! Exact optimal policies, with their proof of optimality.

use super::{Mdp, action_value, deterministic_policy, state_value};
use crate::error::Result;
use crate::linear::vector::take;
use crate::number::Field;
use crate::paper::components::fill;

/// Policy iteration: a deterministic optimal π*, and its value.
///
/// In exact arithmetic every improvement strictly raises the value of a deterministic policy, so the loop ends; an
/// action replaces the current one only when it is better by more than `T::rounding`. Where Σ_x v(x) does not rise, which only
/// rounding or a table that is no MDP can do, it ends too.
/// Optimality is then checkable: [`optimality_residual`] is zero.
pub fn optimal_policy<'s, T: Field>(mdp: &Mdp<T>, scratch: &mut &'s mut [T]) -> Result<(&'s mut [T], &'s mut [T])> {
    let policy = deterministic_policy(mdp.states(), mdp.actions(), |_| 0, scratch)?;
    let value = take(scratch, mdp.states())?;
    let mut best: Option<T> = None;
    loop {
        let mut rest = &mut **scratch;
        let v = state_value(mdp, policy, &mut rest)?;
        let total = v.iter().fold(T::zero(), |sum, value| sum + value);
        let progress = best.is_none_or(|best| total > best);
        let q = action_value(mdp, v, &mut rest)?;
        if !progress || !improve(mdp.states(), mdp.actions(), q, v, policy) {
            value.clone_from_slice(v);
            return Ok((policy, value));
        }
        best = Some(total);
    }
}

/// Takes the greedy action in every state where it is better than v(x) by more than `T::rounding`; whether any is.
pub(crate) fn improve<T: Field>(states: usize, actions: usize, q: &[T], v: &[T], policy: &mut [T]) -> bool {
    let mut improved = false;
    for x in 0..states {
        let row = x * actions..(x + 1) * actions;
        let best = greedy(&q[row.clone()]);
        let margin = T::rounding(16 * states) * (v[x].abs() + T::one());
        if q[x * actions + best].clone() - &v[x] > margin {
            policy[row].fill(T::zero());
            policy[x * actions + best] = T::one();
            improved = true;
        }
    }
    improved
}

/// The first action of greatest value.
pub(crate) fn greedy<T: Field>(q: &[T]) -> usize {
    let mut best = 0;
    for a in 1..q.len() {
        if q[a] > q[best] {
            best = a;
        }
    }
    best
}

/// Bellman's optimality equation: max_a (r + γPv)(x, a) − v(x), zero everywhere exactly when v is the optimal value.
pub fn optimality_residual<'s, T: Field>(mdp: &Mdp<T>, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let out = take(scratch, mdp.states())?;
    let q = action_value(mdp, v, &mut &mut **scratch)?;
    fill("optimality residual", out, |x| {
        let row = &q[x * mdp.actions()..][..mdp.actions()];
        row[greedy(row)].clone() - &v[x]
    })
}
