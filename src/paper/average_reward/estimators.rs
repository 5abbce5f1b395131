//! Appendix C: what one observation says about the three gradients.
//!
//! `weighted_beta` is Λ^{c−1}β throughout, and `weight` is Λ^{c−1} as d×d numbers, or `None` for the identity (c = 1).
//! v_t(x) is [`crate::paper::discounted::estimators::value_estimate`].

use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, finite, inner};
use crate::number::Field;
use crate::paper::discounted::estimators::{expect_weight, weighted_feature};

/// Lemma C.6, `lem:grho`: g̃_ρ = 1 − ⟨φ, Λ^{c−1}β⟩.
pub fn rho_gradient_estimate<T: Field>(phi: &[T], weighted_beta: &[T]) -> Result<T> {
    expect_len("Λ^{c−1}β", phi.len(), weighted_beta.len())?;
    rho_gradient_with(&inner(phi, weighted_beta))
}

/// Lemma C.6, `lem:grho`, where w = ⟨φ, Λ^{c−1}β⟩ is known: 1 − w.
pub(crate) fn rho_gradient_with<T: Field>(w: &T) -> Result<T> {
    finite("g̃_ρ", T::one() - w)
}

/// Lemma C.7, `lem:gtheta`: g̃_θ = φ'⟨φ, Λ^{c−1}β⟩ − φ⟨φ, Λ^{c−1}β⟩, with φ' = φ(X', A').
pub fn theta_gradient_estimate<T: Field>(phi: &[T], phi_next: &[T], weighted_beta: &[T], out: &mut [T]) -> Result<()> {
    expect_len("Λ^{c−1}β", phi.len(), weighted_beta.len())?;
    theta_gradient_with(phi, phi_next, &inner(phi, weighted_beta), out)
}

/// Lemma C.7, `lem:gtheta`, where w = ⟨φ, Λ^{c−1}β⟩ is known: φ'·w − φ·w.
pub(crate) fn theta_gradient_with<T: Field>(phi: &[T], phi_next: &[T], w: &T, out: &mut [T]) -> Result<()> {
    expect_len("φ'", phi.len(), phi_next.len())?;
    expect_len("g̃_θ", phi.len(), out.len())?;
    for ((g, phi_next), phi) in out.iter_mut().zip(phi_next).zip(phi) {
        *g = phi_next.clone() * w - phi.clone() * w;
    }
    all_finite("g̃_θ", out)
}

/// Lemma C.5, `lem:gbeta`: R + v(X') − ⟨φ, θ⟩ − ρ, the factor of Λ^{c−1}φ.
pub fn td_error<T: Field>(reward: &T, value_next: &T, phi: &[T], theta: &[T], rho: &T) -> Result<T> {
    expect_len("theta", phi.len(), theta.len())?;
    td_error_with(reward, value_next, &inner(phi, theta), rho)
}

/// Lemma C.5, `lem:gbeta`, where p = ⟨φ, θ⟩ is known: R + v(X') − p − ρ.
pub(crate) fn td_error_with<T: Field>(reward: &T, value_next: &T, prediction: &T, rho: &T) -> Result<T> {
    finite("TD error", reward.clone() + value_next - prediction - rho)
}

/// Lemma C.5, `lem:gbeta`: g̃_β = Λ^{c−1} φ (R + v(X') − ⟨φ, θ⟩ − ρ), the last factor being [`td_error`].
pub fn beta_gradient_estimate<T: Field>(weight: Option<&[T]>, phi: &[T], td_error: &T, out: &mut [T]) -> Result<()> {
    expect_len("g̃_β", phi.len(), out.len())?;
    expect_weight(weight, phi.len())?;
    weighted_feature(weight, phi, td_error, out);
    all_finite("g̃_β", out)
}
