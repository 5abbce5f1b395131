//! Stationary policies π : X → Δ_A, as |X||A| numbers.

use super::{state_marginal, valid_distributions};
use crate::error::{Error, Result, expect_rows, expect_some, expect_table};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;
use crate::paper::components::{fill, vector};

/// π(·|x) is a distribution for every x.
pub fn validate_policy<T: Field>(states: usize, actions: usize, policy: &[T]) -> Result<()> {
    expect_table("policy", states, actions, policy.len())?;
    valid_distributions("policy", actions, policy)
}

/// The policy π₁ of both algorithms: π(a|x) = 1/|A| (erratum 11).
pub fn uniform_policy<'s, T: Field>(states: usize, actions: usize, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_some("actions", actions)?;
    let count = T::from_count(actions);
    vector("1/|A|", states.saturating_mul(actions), scratch, |_| T::one() / &count)
}

/// The policy that takes action `choice(x)` in state x.
pub fn deterministic_policy<'s, T: Field>(
    states: usize,
    actions: usize,
    choice: impl Fn(usize) -> usize,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_some("actions", actions)?;
    if let Some(index) = (0..states).map(&choice).find(|a| *a >= actions) {
        return Err(Error::Index { what: "action", index, below: actions });
    }
    vector("policy", states.saturating_mul(actions), scratch, |pair| {
        if choice(pair / actions) == pair % actions { T::one() } else { T::zero() }
    })
}

/// (2), policy extraction: π(a|x) = μ(x, a) / Σ_b μ(x, b); uniform where the state is not visited, as print leaves open.
pub fn extract_policy<'s, T: Field>(actions: usize, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    all_finite("mu", mu)?;
    expect_rows("mu", actions, mu.len())?;
    let policy = take(scratch, mu.len())?;
    let mut rest = &mut **scratch;
    let uniform = uniform_policy(1, actions, &mut rest)?;
    let nu = state_marginal(actions, mu, &mut rest)?;
    fill("policy", policy, |pair| match &nu[pair / actions] {
        total if total.is_zero() => uniform[0].clone(),
        total => mu[pair].clone() / total,
    })
}
