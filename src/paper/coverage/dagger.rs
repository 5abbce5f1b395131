//! C^†, the largest generalised eigenvalue of (M, Λ): certified and bracketed exactly, computed in `f64`.

use super::diamond_ratio_trace;
use crate::error::{Error, Result, expect_len, expect_table};
use crate::linear::solve::{Definiteness, definiteness};
use crate::linear::vector::{finite, inner, multiply, take};
use crate::number::Field;

/// (18), `eq:cr_US`, (38), Def E.1, 3: the quotient yᵀMy / yᵀΛy, of which C^† is the supremum over y ≠ 0. `Err` where yᵀΛy = 0.
pub fn rayleigh_quotient<T: Field>(dim: usize, m: &[T], lambda: &[T], y: &[T], mut scratch: &mut [T]) -> Result<T> {
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ", dim, dim, lambda.len())?;
    expect_len("y", dim, y.len())?;
    let image = take(&mut scratch, dim)?;
    multiply(m, y, image);
    let above = inner(y, image);
    multiply(lambda, y, image);
    let below = finite("yᵀΛy", inner(y, image))?;
    if below.is_zero() {
        return Err(Error::OutOfRange { what: "y", index: Error::SCALAR, expected: "yᵀΛy > 0" });
    }
    finite("yᵀMy / yᵀΛy", above / below)
}

/// How τ compares with C^†.
#[derive(Debug, PartialEq, Eq)]
enum Side {
    Above,
    At,
    Below,
}

/// The sign of τΛ − M, which tells τ from C^†: below where it is indefinite; else above or at, as its rank is Λ's or less. Over an exact
/// scalar this is a proof. Λ may be singular, the supremum being over what the data see: where M sees more, no τ is large enough.
fn compare<T: Field>(dim: usize, m: &[T], lambda: &[T], tau: &T, mut scratch: &mut [T]) -> Result<Side> {
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ", dim, dim, lambda.len())?;
    let difference = take(&mut scratch, dim * dim)?;
    difference.clone_from_slice(lambda);
    let Some(rank) = semidefinite_rank(dim, difference)? else {
        return Err(Error::OutOfRange { what: "Λ", index: Error::SCALAR, expected: "a positive semidefinite matrix" });
    };
    for (entry, (l, m)) in difference.iter_mut().zip(lambda.iter().zip(m)) {
        *entry = l.clone() * tau - m;
    }
    // τΛ − M ⪰ 0 vanishes wherever Λ does, so its rank is at most Λ's.
    Ok(match semidefinite_rank(dim, difference)? {
        None => Side::Below,
        Some(found) if found < rank => Side::At,
        Some(_) => Side::Above,
    })
}

/// The rank of a symmetric matrix, which is overwritten; `None` where it is indefinite.
fn semidefinite_rank<T: Field>(dim: usize, matrix: &mut [T]) -> Result<Option<usize>> {
    Ok(match definiteness(dim, matrix)? {
        Definiteness::Definite => Some(dim),
        Definiteness::Semidefinite { rank } => Some(rank),
        Definiteness::Indefinite => None,
    })
}

/// Def E.1, 3: whether C^† ≤ τ, that is M ⪯ τΛ, by an exact definiteness test.
pub fn dagger_ratio_at_most<T: Field>(dim: usize, m: &[T], lambda: &[T], tau: &T, scratch: &mut [T]) -> Result<bool> {
    Ok(compare(dim, m, lambda, tau, scratch)? != Side::Below)
}

/// Def E.1, 3: whether C^† = τ: M ⪯ τΛ, and τΛ − M is of lower rank than Λ.
pub fn dagger_ratio_equals<T: Field>(dim: usize, m: &[T], lambda: &[T], tau: &T, scratch: &mut [T]) -> Result<bool> {
    Ok(compare(dim, m, lambda, tau, scratch)? == Side::At)
}

/// Prop E.3, `prop:cr2`, read as an enclosure: C^⋄/d ≤ C^† ≤ C^⋄, then halved `halvings` times by exact
/// definiteness tests. Both ends are proven bounds; they coincide when a test hits C^† itself. Where M sees a direction that a
/// singular Λ does not, C^† is infinite: [`Error::NotInRange`].
pub fn dagger_ratio_bracket<T: Field>(
    dim: usize,
    m: &[T],
    lambda: &[T],
    halvings: usize,
    scratch: &mut [T],
) -> Result<(T, T)> {
    let diamond = diamond_ratio_trace(dim, m, lambda, scratch)?;
    let count = T::from_count(dim);
    let (mut lower, mut upper) = (finite("C^⋄/d", diamond.clone() / count)?, diamond);
    for end in [lower.clone(), upper.clone()] {
        if dagger_ratio_equals(dim, m, lambda, &end, scratch)? {
            return Ok((end.clone(), end));
        }
    }
    for _ in 0..halvings {
        let middle = finite("middle", (lower.clone() + &upper) * T::ratio(1, 2))?;
        match compare(dim, m, lambda, &middle, scratch)? {
            Side::Above => upper = middle,
            Side::Below => lower = middle,
            Side::At => return Ok((middle.clone(), middle)),
        }
    }
    Ok((lower, upper))
}

/// Def E.1, 3: C^† = λ_max(Λ^{−1/2} M Λ^{−1/2}) in `f64`, through the Cholesky factor of Λ, which has the same spectrum.
#[cfg(feature = "std")]
pub fn dagger_ratio(dim: usize, m: &[f64], lambda: &[f64]) -> Result<f64> {
    use nalgebra::{DMatrix, SymmetricEigen};
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ", dim, dim, lambda.len())?;
    crate::error::expect_some("feature dimension", dim)?;
    crate::linear::vector::all_finite("M", m)?;
    crate::paper::covariance::Spectrum::new(dim, lambda)?;
    let factor = DMatrix::from_row_slice(dim, dim, lambda).cholesky();
    let singular = Error::Singular { what: "Λ", rank: 0 };
    let root = factor.ok_or(singular)?.l();
    let half = root.solve_lower_triangular(&DMatrix::from_row_slice(dim, dim, m)).ok_or(singular)?;
    let mut whole = root.solve_lower_triangular(&half.transpose()).ok_or(singular)?;
    whole = (&whole + whole.transpose()) * 0.5;
    finite("C^†", SymmetricEigen::new(whole).eigenvalues.max())
}
