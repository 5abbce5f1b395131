//! Section 3: what one observation says about the value function, the occupancy and the two gradients.
//!
//! Everything is a function of the features of the states visited and of the policy there. `weighted_beta` is Λ^{c−1}β
//! throughout, and `weight` is Λ^{c−1} as d×d numbers, or `None` for the identity (c = 1).

use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{add_rows, all_finite, finite, inner, multiply, multiply_transposed, scale, take};
use crate::number::Field;

/// What a sample W_{t,k} makes the algorithm look at: φ(X, A), the features φ(X⁰, ·) and φ(X', ·), and π_t there.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a, T> {
    /// φ(X, A).
    pub phi: &'a [T],
    /// φ(X⁰, ·): |A| rows of d.
    pub start: &'a [T],
    /// φ(X', ·): |A| rows of d.
    pub next: &'a [T],
    /// π(·|X⁰).
    pub policy_start: &'a [T],
    /// π(·|X').
    pub policy_next: &'a [T],
}

impl<T: Field> Visit<'_, T> {
    fn validate(&self) -> Result<()> {
        let (actions, dim) = (self.policy_start.len(), self.phi.len());
        expect_len("policy at X'", actions, self.policy_next.len())?;
        expect_table("features of X⁰", actions, dim, self.start.len())?;
        expect_table("features of X'", actions, dim, self.next.len())
    }
}

/// (7), `eq:def-vt`: v(x) = Σ_a π(a|x)⟨φ(x,a), θ⟩ at one state.
pub fn value_estimate<T: Field>(features: &[T], policy: &[T], theta: &[T], mut scratch: &mut [T]) -> Result<T> {
    expect_table("features of a state", policy.len(), theta.len(), features.len())?;
    let values = take(&mut scratch, policy.len())?;
    multiply(features, theta, values);
    finite("v", inner(policy, values))
}

/// (8), `eq:def-mut`, S4.unbiased-mu: μ_{t,k}(x, a) = π_t(a|x)((1−γ)𝟙{X⁰=x} + γ⟨φ, Λ^{c−1}β⟩𝟙{X'=x}): its |A| numbers at X⁰, then its |A| numbers
/// at X'; elsewhere it is zero, and if X⁰ = X' the two add up. `w` is ⟨φ, Λ^{c−1}β⟩.
pub fn occupancy_estimate<T: Field>(
    discount: &T,
    policy_start: &[T],
    policy_next: &[T],
    w: &T,
    at_start: &mut [T],
    at_next: &mut [T],
) -> Result<()> {
    expect_len("μ at X⁰", policy_start.len(), at_start.len())?;
    expect_len("μ at X'", policy_next.len(), at_next.len())?;
    occupancy(discount, policy_start, policy_next, w, at_start, at_next);
    all_finite("μ at X⁰", at_start)?;
    all_finite("μ at X'", at_next)
}

/// (9), `eq:def-tildegb`: R + γ v(X') − ⟨φ, θ⟩, the factor of Λ^{c−1}φ.
pub fn td_error<T: Field>(discount: &T, reward: &T, value_next: &T, phi: &[T], theta: &[T]) -> Result<T> {
    expect_len("theta", phi.len(), theta.len())?;
    td_error_with(discount, reward, value_next, &inner(phi, theta))
}

/// (9), `eq:def-tildegb`, where p = ⟨φ, θ⟩ is known: R + γ v(X') − p.
pub(crate) fn td_error_with<T: Field>(discount: &T, reward: &T, value_next: &T, prediction: &T) -> Result<T> {
    finite("TD error", reward.clone() + value_next.clone() * discount - prediction)
}

/// (9), `eq:def-tildegb`, B.unbiased-beta: g̃_β = Λ^{c−1} φ (R + γ v(X') − ⟨φ, θ⟩), the last factor being [`td_error`].
///
/// # Deviation
/// The algorithm box omits Λ^{c−1}; erratum 7.
pub fn beta_gradient_estimate<T: Field>(weight: Option<&[T]>, phi: &[T], td_error: &T, out: &mut [T]) -> Result<()> {
    expect_len("g̃_β", phi.len(), out.len())?;
    expect_weight(weight, phi.len())?;
    weighted_feature(weight, phi, td_error, out);
    all_finite("g̃_β", out)
}

/// (10), `eq:def-tildegt`, S4.unbiased-theta: g̃_θ = Φᵀμ_{t,k} − φ⟨φ, Λ^{c−1}β⟩, the form the proof of Lemma B.1 uses.
///
/// # Deviation
/// Print has Λ^{c−1}φ⟨φ, β⟩, whose second moment exceeds G_θ² at c = 1/2; erratum 1, [`crate::errata::equation_10`].
pub fn theta_gradient_estimate<T: Field>(
    discount: &T,
    visit: &Visit<T>,
    weighted_beta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let mean = take(&mut scratch, visit.phi.len())?;
    let w = mean_feature_of_visit(discount, visit, weighted_beta, mean, scratch)?;
    theta_gradient_with(mean, visit.phi, &w, out)
}

/// (10), `eq:def-tildegt`, where Φᵀμ_{t,k} and w = ⟨φ, Λ^{c−1}β⟩ are known: Φᵀμ_{t,k} − φ·w.
pub(crate) fn theta_gradient_with<T: Field>(mean_feature: &[T], phi: &[T], w: &T, out: &mut [T]) -> Result<()> {
    expect_len("Φᵀμ", phi.len(), mean_feature.len())?;
    expect_len("g̃_θ", phi.len(), out.len())?;
    for ((g, mean), phi) in out.iter_mut().zip(mean_feature).zip(phi) {
        *g = mean.clone() - phi.clone() * w;
    }
    all_finite("g̃_θ", out)
}

/// Φᵀμ_{t,k} into `out`; returns ⟨φ, Λ^{c−1}β⟩.
fn mean_feature_of_visit<T: Field>(
    discount: &T,
    visit: &Visit<T>,
    weighted_beta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<T> {
    visit.validate()?;
    expect_len("Λ^{c−1}β", visit.phi.len(), weighted_beta.len())?;
    expect_len("g̃_θ", visit.phi.len(), out.len())?;
    let at_start = take(&mut scratch, visit.policy_start.len())?;
    let at_next = take(&mut scratch, visit.policy_next.len())?;
    let w = inner(visit.phi, weighted_beta);
    occupancy(discount, visit.policy_start, visit.policy_next, &w, at_start, at_next);
    mean_feature(visit.start, at_start, visit.next, at_next, out);
    Ok(w)
}

pub(crate) fn expect_weight<T>(weight: Option<&[T]>, dim: usize) -> Result<()> {
    weight.map_or(Ok(()), |matrix| expect_table("Λ^{c−1}", dim, dim, matrix.len()))
}

/// (1−γ)·π(a|X⁰) and (γ·w)·π(a|X').
pub(crate) fn occupancy<T: Field>(
    discount: &T,
    policy_start: &[T],
    policy_next: &[T],
    w: &T,
    at_start: &mut [T],
    at_next: &mut [T],
) {
    let (start, next) = (T::one() - discount, discount.clone() * w);
    for (mu, p) in at_start.iter_mut().zip(policy_start) {
        *mu = p.clone() * &start;
    }
    for (mu, p) in at_next.iter_mut().zip(policy_next) {
        *mu = p.clone() * &next;
    }
}

/// Φᵀμ_{t,k}: per component from 0, the actions of X⁰ in order, then those of X'.
pub(crate) fn mean_feature<T: Field>(start: &[T], at_start: &[T], next: &[T], at_next: &[T], out: &mut [T]) {
    multiply_transposed(start, at_start, out);
    add_rows(next, at_next, out);
}

/// (Λ^{c−1}φ)·s.
pub(crate) fn weighted_feature<T: Field>(weight: Option<&[T]>, phi: &[T], s: &T, out: &mut [T]) {
    match weight {
        None => out.clone_from_slice(phi),
        Some(matrix) => multiply(matrix, phi, out),
    }
    scale(s, out);
}
