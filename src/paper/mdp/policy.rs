//! Stationary policies π : X → Δ_A, as |X||A| numbers.

use super::valid_distributions;
use crate::error::{Error, Result, expect_len, expect_rows, expect_table};
use crate::linear::vector::{all_finite, finite};
use crate::number::Field;

/// π(·|x) is a distribution for every x.
pub fn validate_policy<T: Field>(states: usize, actions: usize, policy: &[T]) -> Result<()> {
    expect_table("policy", states, actions, policy.len())?;
    valid_distributions("policy", actions, policy)
}

/// The policy π₁ of both algorithms: π(a|x) = 1/|A| (erratum 11).
pub fn uniform_policy<T: Field>(actions: usize, policy: &mut [T]) -> Result<()> {
    expect_rows("policy", actions, policy.len())?;
    let count = T::from_int(i64::try_from(actions).unwrap_or(i64::MAX));
    let share = finite("1/|A|", T::one() / count)?;
    policy.fill(share);
    Ok(())
}

/// The policy that takes action `choice(x)` in state x.
pub fn deterministic_policy<T: Field>(actions: usize, choice: impl Fn(usize) -> usize, policy: &mut [T]) -> Result<()> {
    expect_rows("policy", actions, policy.len())?;
    policy.fill(T::zero());
    for x in 0..policy.len() / actions {
        let a = choice(x);
        if a >= actions {
            return Err(Error::Index { what: "action", index: a, below: actions });
        }
        policy[x * actions + a] = T::one();
    }
    Ok(())
}

/// (2), policy extraction: π(a|x) = μ(x, a) / Σ_b μ(x, b); uniform where the state is not visited, as print leaves open.
pub fn extract_policy<T: Field>(actions: usize, mu: &[T], policy: &mut [T]) -> Result<()> {
    expect_len("policy", mu.len(), policy.len())?;
    all_finite("mu", mu)?;
    uniform_policy(actions, policy)?;
    for (row, out) in mu.chunks_exact(actions).zip(policy.chunks_exact_mut(actions)) {
        let mut total = T::zero();
        for entry in row {
            total = total + entry;
        }
        if !total.is_zero() {
            for (p, entry) in out.iter_mut().zip(row) {
                *p = entry.clone() / &total;
            }
        }
    }
    all_finite("policy", policy)
}
