//! Exact optimal policies, with their proof of optimality.

use super::{Mdp, action_value, deterministic_policy, state_value};
use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;

/// Policy iteration. `policy` receives a deterministic optimal π*, `v` its value; the result counts improvements.
///
/// In exact arithmetic every improvement strictly raises the value of a deterministic policy, so the loop ends; an
/// action replaces the current one only when it is better by more than `T::rounding`, so it ends in `f64` too.
/// Optimality is then checkable: [`optimality_residual`] is zero.
pub fn optimal_policy<T: Field>(mdp: &Mdp<T>, policy: &mut [T], v: &mut [T], mut scratch: &mut [T]) -> Result<usize> {
    let actions = mdp.actions();
    expect_len("policy", mdp.pairs(), policy.len())?;
    deterministic_policy(actions, |_| 0, policy)?;
    let q = take(&mut scratch, mdp.pairs())?;
    let mut improvements = 0;
    loop {
        state_value(mdp, policy, v, scratch)?;
        action_value(mdp, v, q)?;
        let mut stable = true;
        for x in 0..mdp.states() {
            let row = x * actions..(x + 1) * actions;
            let (best, current) = (greedy(&q[row.clone()]), &v[x]);
            let margin = T::rounding(16 * mdp.states()) * (current.abs() + T::one());
            if q[x * actions + best].clone() - current > margin {
                policy[row].fill(T::zero());
                policy[x * actions + best] = T::one();
                stable = false;
            }
        }
        if stable {
            return Ok(improvements);
        }
        improvements += 1;
    }
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
pub fn optimality_residual<T: Field>(mdp: &Mdp<T>, v: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    expect_len("optimality residual", mdp.states(), out.len())?;
    let q = take(&mut scratch, mdp.pairs())?;
    action_value(mdp, v, q)?;
    for (x, (row, entry)) in q.chunks_exact(mdp.actions()).zip(out.iter_mut()).enumerate() {
        *entry = row[greedy(row)].clone() - &v[x];
    }
    all_finite("optimality residual", out)
}
