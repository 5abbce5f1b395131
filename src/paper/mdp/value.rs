//! Section 2: v^π, q^π, Bellman's equation and the normalised return.

use super::{Mdp, policy_average};
use crate::error::{Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, finite, inner, take};
use crate::number::Field;
use crate::paper::components::{copy, fill, identity, vector};

/// S2.v: v^π, the solution of v = r_π + γ P_π v.
pub fn state_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    all_finite("policy", policy)?;
    let n = mdp.states();
    let v = policy_average(mdp.actions(), policy, mdp.reward(), scratch)?;
    let mut rest = &mut **scratch;
    let p = policy_transition(mdp, policy, &mut rest)?;
    let matrix = vector("I − γP_π", n * n, &mut rest, |i| identity::<T>(n, i) - p[i].clone() * mdp.discount())?;
    solve_named("I − γP_π", n, matrix, v)?;
    Ok(v)
}

/// P_π(x, x') = Σ_a π(a|x) p(x'|x, a).
pub fn policy_transition<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let (n, actions) = (mdp.states(), mdp.actions());
    expect_len("policy", mdp.pairs(), policy.len())?;
    vector("P_π", n * n, scratch, |i| {
        let (x, y) = (i / n, i % n);
        let pairs = x * actions..(x + 1) * actions;
        pairs.fold(T::zero(), |sum, pair| sum + policy[pair].clone() * &mdp.row(pair)[y])
    })
}

/// (1), left: q^π = r + γ P v^π, as a function of v.
pub fn action_value<'s, T: Field>(mdp: &Mdp<T>, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("v", mdp.states(), v.len())?;
    vector("q", mdp.pairs(), scratch, |i| inner(mdp.row(i), v) * mdp.discount() + &mdp.reward()[i])
}

/// S2.q: q^π by its own |X||A|-dimensional system q = r + γ P Π_π q, a route that does not pass through
/// [`state_value`].
pub fn action_value_direct<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let n = mdp.pairs();
    expect_len("policy", n, policy.len())?;
    all_finite("policy", policy)?;
    let q = copy(mdp.reward(), scratch)?;
    let mut rest = &mut **scratch;
    let matrix = vector("I − γPΠ_π", n * n, &mut rest, |i| {
        let (row, column) = (i / n, i % n);
        let next = &mdp.row(row)[column / mdp.actions()];
        identity::<T>(n, i) - next.clone() * &policy[column] * mdp.discount()
    })?;
    solve_named("I − γPΠ_π", n, matrix, q)?;
    Ok(q)
}

/// (1), left: q − r − γPv, zero exactly when q is the action value of v.
pub fn bellman_residual<'s, T: Field>(
    mdp: &Mdp<T>,
    q: &[T],
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("q", mdp.pairs(), q.len())?;
    let out = take(scratch, mdp.pairs())?;
    let backup = action_value(mdp, v, &mut &mut **scratch)?;
    fill("Bellman residual", out, |i| q[i].clone() - &backup[i])
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
