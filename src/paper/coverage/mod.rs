//! Appendix E: the coverage ratios of the literature, their identities and their order.
//!
//! Everywhere `mu_star` is μ* on X×A and `lambda` is Λ = `E_{μ_B}`\[φφᵀ\] (see [`crate::paper::covariance::covariance`]),
//! Both values of c are exact: c = 1/2 needs Λ⁻¹ and c = 1 needs Λ⁻², never a root. Λ may be singular where what it is applied to
//! lies in its range: partial coverage ([`unseen_direction`] says where it does not).

pub(crate) mod bellman;
mod dagger;
mod proof_steps;
mod tabular;

pub use bellman::*;
pub use dagger::*;
pub use proof_steps::*;
pub use tabular::*;

use crate::error::{Result, expect_len, expect_some, expect_table};
use crate::linear::range::direction_outside_range;
use crate::linear::vector::{finite, inner, take};
use crate::number::Field;
use crate::paper::components::vector;
use crate::paper::covariance::{Exponent, apply_inverse};
use crate::paper::mdp::LinearMdp;

/// ⟨z, Λ^{−2c}z⟩ = ‖Λ^{−c}z‖², from one solve: y = Λ⁻¹z, then ⟨z, y⟩ at c = 1/2 and ⟨y, y⟩ at c = 1.
pub fn inverse_norm_squared<T: Field>(
    c: Exponent,
    dim: usize,
    lambda: &[T],
    z: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let y = apply_inverse(dim, lambda, z, &mut scratch)?;
    let norm = match c {
        Exponent::One => inner(y, y),
        Exponent::Half => inner(z, y),
    };
    finite("⟨z, Λ^{−2c}z⟩", norm)
}

/// Def 3.1, `def:gcr`, and Def E.1, 1: C_{φ,c} = E\*\[φ\]ᵀ Λ^{−2c} E\*\[φ\].
///
/// # Deviation
/// Def E.1 prints c ∈ {1, 2} for c ∈ {1/2, 1}; erratum 12.
pub fn coverage_ratio<T: Field>(
    c: Exponent,
    mdp: &LinearMdp<T>,
    mu_star: &[T],
    lambda: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let mean = mdp.mean_feature(mu_star, &mut scratch)?;
    inverse_norm_squared(c, mdp.shape().dim, lambda, mean, scratch)
}

/// Prop E.2, `prop:cr1`, right side, first term: E\*[φᵀΛ^{−2c}φ]; at c = 1/2 it is C^⋄.
pub fn second_moment_ratio<T: Field>(
    c: Exponent,
    mdp: &LinearMdp<T>,
    mu_star: &[T],
    lambda: &[T],
    scratch: &mut [T],
) -> Result<T> {
    expect_len("mu*", mdp.shape().pairs(), mu_star.len())?;
    let dim = mdp.shape().dim;
    let mut sum = T::zero();
    for (phi, weight) in mdp.features().chunks_exact(dim).zip(mu_star).filter(|(_, weight)| !weight.is_zero()) {
        sum += inverse_norm_squared(c, dim, lambda, phi, scratch)? * weight;
    }
    finite("E*[φᵀΛ^{−2c}φ]", sum)
}

/// Prop E.2, `prop:cr1`, right side, second term: Var\*[Λ^{−c}φ] = E\*‖Λ^{−c}φ − E\*[Λ^{−c}φ]‖², deviation by
/// deviation as it is defined.
pub fn feature_variance<T: Field>(
    c: Exponent,
    mdp: &LinearMdp<T>,
    mu_star: &[T],
    lambda: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let dim = mdp.shape().dim;
    let mean = mdp.mean_feature(mu_star, &mut scratch)?;
    let mut sum = T::zero();
    for (phi, weight) in mdp.features().chunks_exact(dim).zip(mu_star).filter(|(_, weight)| !weight.is_zero()) {
        let mut rest = &mut *scratch;
        let deviation = vector("φ − E*[φ]", dim, &mut rest, |j| phi[j].clone() - &mean[j])?;
        sum += inverse_norm_squared(c, dim, lambda, deviation, rest)? * weight;
    }
    finite("Var*[Λ^{−c}φ]", sum)
}

/// (17), `eq:fcr`, Def E.1, 2: C^⋄ = E\*[φᵀΛ⁻¹φ].
pub fn diamond_ratio<T: Field>(mdp: &LinearMdp<T>, mu_star: &[T], lambda: &[T], scratch: &mut [T]) -> Result<T> {
    second_moment_ratio(Exponent::Half, mdp, mu_star, lambda, scratch)
}

/// (31), Prop E.3, `prop:cr2`: C^⋄ = Tr(MΛ⁻¹) with M = E\*\[φφᵀ\] given, the form its proof passes through.
pub fn diamond_ratio_trace<T: Field>(dim: usize, m: &[T], lambda: &[T], scratch: &mut [T]) -> Result<T> {
    expect_some("feature dimension", dim)?;
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ", dim, dim, lambda.len())?;
    // Tr(Λ⁻¹M), the same by the cyclic property; M is symmetric, so its rows are its columns.
    let mut sum = T::zero();
    for (i, column) in m.chunks_exact(dim).enumerate() {
        sum += apply_inverse(dim, lambda, column, &mut &mut *scratch)?[i].clone();
    }
    finite("C^⋄", sum)
}

/// Def 3.1 where Λ is singular: a direction u that the data never see (Λu = 0) and that π* does (⟨u, Φᵀμ*⟩ ≠ 0), so that no β has
/// Λβ = Φᵀμ*; `None` where the data cover π*.
pub fn unseen_direction<'s, T: Field>(
    mdp: &LinearMdp<T>,
    mu_star: &[T],
    lambda: &[T],
    scratch: &mut &'s mut [T],
) -> Result<Option<&'s mut [T]>> {
    let dim = mdp.shape().dim;
    let u = take(scratch, dim)?;
    let mut rest = &mut **scratch;
    let mean = mdp.mean_feature(mu_star, &mut rest)?;
    let found = direction_outside_range("Λ", dim, lambda, mean, &mut rest)?;
    Ok(found.map(|direction| {
        u.clone_from_slice(direction);
        u
    }))
}

/// S6.chain: features s·φ have the ratio s^{2−4c} C_{φ,c}: unchanged at c = 1/2, divided by s² at c = 1.
///
/// # Deviation
/// "C_{φ,1/2} is always smaller than C_{φ,1}" fails for features rescaled by a large s; erratum 6.
pub fn rescaled_coverage_ratio<T: Field>(c: Exponent, scale: &T, ratio: &T) -> Result<T> {
    finite("scale", scale.clone())?;
    match c {
        Exponent::Half => finite("rescaled ratio", ratio.clone()),
        Exponent::One if scale.is_zero() => Err(crate::Error::Singular { what: "Λ", rank: 0 }),
        Exponent::One => finite("rescaled ratio", ratio.clone() / (scale.clone() * scale)),
    }
}

/// S6.chain: as it should stand (erratum 6), C_{φ,1/2} ≤ `D_φ²` C_{φ,1}, because Λ ⪯ `D_φ²` I; this is the right side.
pub fn half_ratio_bound<T: Field>(phi_bound_squared: &T, ratio_one: &T) -> Result<T> {
    finite("D_φ² C_{φ,1}", phi_bound_squared.clone() * ratio_one)
}
