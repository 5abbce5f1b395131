//! Exact optimal policies of unichain models, with their proof of optimality.

use super::values::{action_value, state_value};
use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;
use crate::paper::mdp::{Mdp, deterministic_policy, greedy};

/// Policy iteration. `policy` receives a deterministic optimal π*, `v` its bias; the result is ρ*.
///
/// In exact arithmetic the pair (ρ, Σ_x v(x)) strictly increases in lexicographic order, so the loop ends: an
/// improvement in a state that the new policy visits again and again raises ρ; otherwise the recurrent class keeps its
/// actions, so ν and v there stay, and v rises in the states improved. In `f64` the loop ends too, because it stops
/// where rounding breaks that order. Optimality is then checkable: [`optimality_residual`] is zero.
pub fn optimal_policy<T: Field>(mdp: &Mdp<T>, policy: &mut [T], v: &mut [T], mut scratch: &mut [T]) -> Result<T> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    deterministic_policy(mdp.actions(), |_| 0, policy)?;
    let q = take(&mut scratch, mdp.pairs())?;
    let mut best: Option<(T, T)> = None;
    loop {
        let gain = state_value(mdp, policy, v, scratch)?;
        let total = v.iter().fold(T::zero(), |sum, value| sum + value);
        let progress = best.is_none_or(|(g, t)| gain > g || (gain == g && total > t));
        action_value(mdp, &gain, v, q)?;
        if !progress || !improve(mdp, q, v, policy) {
            return Ok(gain);
        }
        best = Some((gain, total));
    }
}

/// Takes the greedy action in every state where it is better than v(x) by more than `T::rounding`; whether any is.
fn improve<T: Field>(mdp: &Mdp<T>, q: &[T], v: &[T], policy: &mut [T]) -> bool {
    let actions = mdp.actions();
    let mut improved = false;
    for x in 0..mdp.states() {
        let row = x * actions..(x + 1) * actions;
        let best = greedy(&q[row.clone()]);
        let margin = T::rounding(16 * mdp.states()) * (v[x].abs() + T::one());
        if q[x * actions + best].clone() - &v[x] > margin {
            policy[row].fill(T::zero());
            policy[x * actions + best] = T::one();
            improved = true;
        }
    }
    improved
}

/// Bellman's optimality equation: max_a (r − ρ1 + Pv)(x, a) − v(x), zero everywhere exactly when ρ is the optimal gain
/// and v an optimal bias.
pub fn optimality_residual<T: Field>(
    mdp: &Mdp<T>,
    gain: &T,
    v: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    expect_len("optimality residual", mdp.states(), out.len())?;
    let q = take(&mut scratch, mdp.pairs())?;
    action_value(mdp, gain, v, q)?;
    for (x, (row, entry)) in q.chunks_exact(mdp.actions()).zip(out.iter_mut()).enumerate() {
        *entry = row[greedy(row)].clone() - &v[x];
    }
    all_finite("optimality residual", out)
}
