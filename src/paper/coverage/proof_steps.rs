//! Appendix E: the forms that the proofs of Propositions E.3 and E.4 pass through.

use crate::error::{Error, Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::covariance::{apply_inverse, trace};
use crate::paper::mdp::LinearMdp;

use super::rayleigh_quotient;

/// (30): C^⋄ = E\*[Tr(φφᵀΛ⁻¹)], each trace from its matrix φ(Λ⁻¹φ)ᵀ.
pub fn diamond_ratio_of_traces<T: Field>(
    mdp: &LinearMdp<T>,
    mu_star: &[T],
    lambda: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let dim = mdp.shape().dim;
    expect_len("mu*", mdp.shape().pairs(), mu_star.len())?;
    let matrix = take(&mut scratch, dim * dim)?;
    let mut sum = T::zero();
    for (phi, weight) in mdp.features().chunks_exact(dim).zip(mu_star) {
        let solved = apply_inverse(dim, lambda, phi, &mut &mut *scratch)?;
        for (row, p) in matrix.chunks_exact_mut(dim).zip(phi) {
            for (entry, s) in row.iter_mut().zip(solved.iter()) {
                *entry = p.clone() * s;
            }
        }
        sum += trace(dim, matrix)? * weight;
    }
    finite("E*[Tr(φφᵀΛ⁻¹)]", sum)
}

/// (32): Λ^{−1/2}MΛ^{−1/2}, whose trace is C^⋄; `weight` is Λ^{−1/2}.
pub fn whitened_moment<'s, T: Field>(
    dim: usize,
    m: &[T],
    weight: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ^{−1/2}", dim, dim, weight.len())?;
    let product = take(scratch, dim * dim)?;
    let column = take(&mut &mut **scratch, dim)?;
    // Both matrices are symmetric: column j of the product is Λ^{−1/2}(M·(column j of Λ^{−1/2})).
    for (row, weight_row) in product.chunks_exact_mut(dim).zip(weight.chunks_exact(dim)) {
        multiply(m, weight_row, column);
        multiply(weight, column, row);
    }
    all_finite("Λ^{−1/2}MΛ^{−1/2}", product)?;
    Ok(product)
}

/// (33), (34): zᵀΛ^{−1/2}MΛ^{−1/2}z / zᵀz, of which C^†, the largest eigenvalue, is the supremum; `whitened` is
/// [`whitened_moment`]. It is the quotient of (18) at y = Λ^{−1/2}z.
pub fn whitened_quotient<T: Field>(dim: usize, whitened: &[T], z: &[T], mut scratch: &mut [T]) -> Result<T> {
    let unit = take(&mut scratch, dim * dim)?;
    for (index, entry) in unit.iter_mut().enumerate() {
        *entry = if index / dim == index % dim { T::one() } else { T::zero() };
    }
    rayleigh_quotient(dim, whitened, unit, z, scratch)
}

/// (36), (37): E\*⟨φ, y⟩² / E_B⟨φ, y⟩²; (36) has it at y = θ − 𝒯θ. `Err` where the denominator is 0.
pub fn feature_error_ratio<T: Field>(mdp: &LinearMdp<T>, y: &[T], mu_star: &[T], mu_b: &[T]) -> Result<T> {
    let shape = mdp.shape();
    expect_len("y", shape.dim, y.len())?;
    expect_len("mu*", shape.pairs(), mu_star.len())?;
    expect_len("mu_B", shape.pairs(), mu_b.len())?;
    let (mut above, mut below) = (T::zero(), T::zero());
    for (phi, (star, b)) in mdp.features().chunks_exact(shape.dim).zip(mu_star.iter().zip(mu_b)) {
        let value = inner(phi, y);
        let square = value.clone() * &value;
        above += square.clone() * star;
        below += square * b;
    }
    if finite("E_B⟨φ, y⟩²", below.clone())?.is_zero() {
        return Err(Error::OutOfRange { what: "y", index: Error::SCALAR, expected: "E_B⟨φ, y⟩² > 0" });
    }
    finite("E*⟨φ, y⟩² / E_B⟨φ, y⟩²", above / below)
}
