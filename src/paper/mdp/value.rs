//! Section 2: v^π, q^π, Bellman's equation and the normalised return.

use super::{Mdp, policy_average};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, finite, inner, take};
use crate::number::Field;

/// S2.v: v^π, the solution of v = r_π + γ P_π v.
pub fn state_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    expect_len("v", mdp.states(), v.len())?;
    all_finite("policy", policy)?;
    let n = mdp.states();
    let matrix = take(&mut scratch, n * n)?;
    policy_transition(mdp, policy, matrix)?;
    for (index, entry) in matrix.iter_mut().enumerate() {
        let identity = if index / n == index % n { T::one() } else { T::zero() };
        *entry = identity - entry.clone() * mdp.discount();
    }
    policy_average(mdp.actions(), policy, mdp.reward(), v)?;
    solve_named("I − γP_π", n, matrix, v)
}

/// P_π(x, x') = Σ_a π(a|x) p(x'|x, a).
pub fn policy_transition<T: Field>(mdp: &Mdp<T>, policy: &[T], out: &mut [T]) -> Result<()> {
    let n = mdp.states();
    expect_len("policy", mdp.pairs(), policy.len())?;
    expect_table("P_π", n, n, out.len())?;
    for x in 0..n {
        for y in 0..n {
            let mut sum = T::zero();
            for a in 0..mdp.actions() {
                sum += policy[x * mdp.actions() + a].clone() * &mdp.next(x, a)[y];
            }
            out[x * n + y] = sum;
        }
    }
    all_finite("P_π", out)
}

/// (1), left: q^π = r + γ P v^π, as a function of v.
pub fn action_value<T: Field>(mdp: &Mdp<T>, v: &[T], q: &mut [T]) -> Result<()> {
    expect_len("v", mdp.states(), v.len())?;
    expect_len("q", mdp.pairs(), q.len())?;
    for (index, entry) in q.iter_mut().enumerate() {
        let next = mdp.next(index / mdp.actions(), index % mdp.actions());
        *entry = inner(next, v) * mdp.discount() + &mdp.reward()[index];
    }
    all_finite("q", q)
}

/// S2.q: q^π by its own |X||A|-dimensional system q = r + γ P Π_π q, a route that does not pass through
/// [`state_value`].
pub fn action_value_direct<T: Field>(mdp: &Mdp<T>, policy: &[T], q: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let n = mdp.pairs();
    expect_len("policy", n, policy.len())?;
    expect_len("q", n, q.len())?;
    all_finite("policy", policy)?;
    let matrix = take(&mut scratch, n * n)?;
    for (row, entries) in matrix.chunks_exact_mut(n).enumerate() {
        let next = mdp.next(row / mdp.actions(), row % mdp.actions());
        for (column, entry) in entries.iter_mut().enumerate() {
            let flow = next[column / mdp.actions()].clone() * &policy[column] * mdp.discount();
            *entry = if row == column { T::one() - flow } else { -flow };
        }
    }
    q.clone_from_slice(mdp.reward());
    solve_named("I − γPΠ_π", n, matrix, q)
}

/// (1), left: q − r − γPv, zero exactly when q is the action value of v.
pub fn bellman_residual<T: Field>(mdp: &Mdp<T>, q: &[T], v: &[T], out: &mut [T]) -> Result<()> {
    expect_len("q", mdp.pairs(), q.len())?;
    action_value(mdp, v, out)?;
    for (entry, q) in out.iter_mut().zip(q) {
        *entry = q.clone() - &*entry;
    }
    all_finite("Bellman residual", out)
}

/// S2.return: ρ(π) = (1−γ)⟨ν₀, v^π⟩.
pub fn normalised_return<T: Field>(mdp: &Mdp<T>, v: &[T]) -> Result<T> {
    expect_len("v", mdp.states(), v.len())?;
    finite("return", (T::one() - mdp.discount()) * inner(mdp.initial(), v))
}

/// S2.return: ρ(π) = ⟨r, μ^π⟩.
pub fn expected_reward<T: Field>(reward: &[T], mu: &[T]) -> Result<T> {
    expect_len("mu", reward.len(), mu.len())?;
    finite("expected reward", inner(reward, mu))
}
