//! The policies of both algorithms: π(a|x) ∝ exp(α⟨φ(x,a), Σᵢθᵢ⟩), held as the one d-vector Σᵢθᵢ.

use crate::error::{Error, Result, expect_len, expect_rows, expect_some};
use crate::linear::vector::{all_finite, multiply, scale};
use crate::number::{Field, Real};
use core::cmp::Ordering;

/// z ← softmax(z): with m = max z, eₐ = exp(zₐ − m), the probabilities eₐ/Σₐeₐ, the sum from the first action to the last.
pub fn softmax<T: Real>(z: &mut [T]) -> Result<()> {
    expect_some("actions", z.len())?;
    all_finite("softmax argument", z)?;
    normalised_exponentials(z);
    all_finite("policy", z)
}

/// π(·|x) from the features φ(x, ·), |A| rows of d, and Σθ.
pub fn policy_row<T: Real>(alpha: &T, features: &[T], theta_sum: &[T], out: &mut [T]) -> Result<()> {
    expect_len("features of a state", out.len().saturating_mul(theta_sum.len()), features.len())?;
    expect_some("actions", out.len())?;
    all_finite("features of a state", features)?;
    multiply(features, theta_sum, out);
    scale(alpha, out);
    normalised_exponentials(out);
    debug_assert!(on_simplex(out), "policy left the simplex");
    all_finite("policy", out)
}

/// π(·|x) for every x of a table Φ of |X||A| rows.
pub fn policy_table<T: Real>(actions: usize, alpha: &T, features: &[T], theta_sum: &[T], out: &mut [T]) -> Result<()> {
    expect_some("actions", actions)?;
    expect_some("feature dimension", theta_sum.len())?;
    expect_len("policy", features.len() / theta_sum.len(), out.len())?;
    expect_len("features", out.len().saturating_mul(theta_sum.len()), features.len())?;
    expect_rows("policy", actions, out.len())?;
    for (rows, policy) in
        features.chunks_exact(actions.saturating_mul(theta_sum.len())).zip(out.chunks_exact_mut(actions))
    {
        policy_row(alpha, rows, theta_sum, policy)?;
    }
    Ok(())
}

/// The draw A' ~ π(·|x): the first action whose cumulative probability, summed from action 0, exceeds u ∈ [0, 1). Should
/// rounding leave the whole sum at or below u, the last action that has a positive probability.
pub fn inverse_cdf<T: Field>(policy: &[T], u: &T) -> Result<usize> {
    expect_some("actions", policy.len())?;
    all_finite("policy", policy)?;
    if !(*u >= T::zero() && *u < T::one()) {
        return Err(Error::OutOfRange { what: "u", index: Error::SCALAR, expected: "0 <= u < 1" });
    }
    Ok(draw_action(policy, u))
}

pub(crate) fn draw_action<T: Field>(policy: &[T], u: &T) -> usize {
    let (mut cumulative, mut last) = (T::zero(), 0);
    for (a, p) in policy.iter().enumerate() {
        cumulative = cumulative + p;
        if cumulative > *u {
            return a;
        }
        if *p > T::zero() {
            last = a;
        }
    }
    last
}

/// [`softmax`] of at least one number, after the checks.
fn normalised_exponentials<T: Real>(z: &mut [T]) {
    let mut greatest = z[0].clone();
    for value in &z[1..] {
        if *value > greatest {
            greatest = value.clone();
        }
    }
    let mut total = T::zero();
    for value in z.iter_mut() {
        *value = (value.clone() - &greatest).exp();
        total = total + &*value;
    }
    for value in z {
        *value = value.clone() / &total;
    }
}

/// The invariant of every policy: non-negative, with sum 1 up to the |A| roundings of a sum and one of each quotient. A
/// policy that is not a number passes: it is the caller's divergence to report, not a broken invariant.
#[must_use]
pub fn on_simplex<T: Field>(policy: &[T]) -> bool {
    let mut total = T::zero();
    for p in policy {
        if *p < T::zero() {
            return false;
        }
        total = total + p;
    }
    let error = (total.clone() - T::one()).abs();
    !total.is_valid() || error.partial_cmp(&T::rounding(2 * policy.len() + 2)) != Some(Ordering::Greater)
}
