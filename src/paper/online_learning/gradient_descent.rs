//! Lemma D.1, `lem:aux-sgd`: online stochastic gradient descent, path by path.
//!
//! Everything here holds on every path, before an expectation is taken: y₁, …, y_{n+1} are the iterates and ĥ₁, …, ĥ_n the
//! estimates, both as rows of d numbers.

use crate::error::{Error, Result, expect_len, expect_rows, expect_some};
use crate::linear::vector::{all_finite, finite, inner};
use crate::number::Field;
use crate::paper::components::vector;

/// Lemma D.1, the update before its projection: y + ηĥ.
pub fn unprojected_step<'s, T: Field>(y: &[T], eta: &T, h: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("h", y.len(), h.len())?;
    vector("y + ηh", y.len(), scratch, |j| h[j].clone() * eta + &y[j])
}

/// Lemma D.1's Π onto the ball of `radius`, for a point whose norm the caller knows: no root is taken, so exact scalars can
/// use it. `Err` unless norm ≥ 0 and norm² = ‖y‖².
pub fn project_with_norm<T: Field>(y: &mut [T], norm: &T, radius: &T) -> Result<()> {
    if !(*radius > T::zero() && radius.is_valid()) {
        return Err(Error::OutOfRange { what: "radius", index: Error::SCALAR, expected: "a positive number" });
    }
    let square = finite("‖y‖²", inner(y, y))?;
    if !(*norm >= T::zero() && norm.clone() * norm == square) {
        return Err(Error::OutOfRange { what: "norm", index: Error::SCALAR, expected: "the norm of y" });
    }
    if norm > radius {
        let factor = radius.clone() / norm;
        for entry in y.iter_mut() {
            *entry = entry.clone() * &factor;
        }
    }
    all_finite("projection", y)
}

/// ‖a − b‖².
pub fn distance_squared<T: Field>(a: &[T], b: &[T]) -> Result<T> {
    expect_len("second point", a.len(), b.len())?;
    let mut sum = T::zero();
    for (x, y) in a.iter().zip(b) {
        let difference = x.clone() - y;
        sum += difference.clone() * &difference;
    }
    finite("squared distance", sum)
}

/// ⟨y* − y, h⟩.
pub fn instantaneous_regret<T: Field>(y_star: &[T], y: &[T], h: &[T]) -> Result<T> {
    expect_len("y", y_star.len(), y.len())?;
    expect_len("h", y_star.len(), h.len())?;
    let mut sum = T::zero();
    for ((star, y), h) in y_star.iter().zip(y).zip(h) {
        sum += (star.clone() - y) * h;
    }
    finite("⟨y* − y, h⟩", sum)
}

/// Lemma D.1, first display, right side: ‖y − y*‖² − 2η⟨y* − y, ĥ⟩ + η²‖ĥ‖². It equals ‖y + ηĥ − y*‖², and is at least
/// ‖Π(y + ηĥ) − y*‖² because Π is non-expansive.
pub fn one_step_right<T: Field>(y: &[T], eta: &T, h: &[T], y_star: &[T]) -> Result<T> {
    let cross = instantaneous_regret(y_star, y, h)? * eta * &T::from_int(2);
    finite("one step", distance_squared(y, y_star)? - cross + inner(h, h) * eta * eta)
}

/// Lemma D.1: Σ_k ⟨y* − y_k, ĥ_k⟩. `iterates` may hold y_{n+1} too; it takes no part.
pub fn path_regret<T: Field>(iterates: &[T], gradients: &[T], y_star: &[T]) -> Result<T> {
    let rows = rows(iterates, gradients, y_star)?;
    let mut sum = T::zero();
    for (y, h) in rows {
        sum += instantaneous_regret(y_star, y, h)?;
    }
    finite("Σ⟨y* − y, h⟩", sum)
}

/// Lemma D.1, last display before terms are dropped, right side on a path:
/// (‖y₁ − y*‖² − ‖y_{n+1} − y*‖²)/2η + (η/2) Σ_k ‖ĥ_k‖².
pub fn telescoped_right<T: Field>(iterates: &[T], gradients: &[T], eta: &T, y_star: &[T]) -> Result<T> {
    let dim = y_star.len();
    valid_rate("eta", eta)?;
    expect_len("iterates", gradients.len() + dim, iterates.len())?;
    all_finite("iterates", iterates)?;
    let mut squares = T::zero();
    for (_, h) in rows(iterates, gradients, y_star)? {
        squares += inner(h, h);
    }
    let first = distance_squared(&iterates[..dim], y_star)?;
    let last = distance_squared(&iterates[gradients.len()..], y_star)?;
    let two = T::from_int(2);
    finite("telescoped sum", (first - last) / (eta.clone() * &two) + squares * eta / two)
}

/// Lemma D.1: the bound ‖y₁ − y*‖²/2η + ηnG²/2.
pub fn gradient_descent_bound<T: Field>(distance_squared: &T, eta: &T, n: usize, g_squared: &T) -> Result<T> {
    valid_rate("eta", eta)?;
    let two = T::from_int(2);
    let count = T::from_count(n);
    let start = distance_squared.clone() / (eta.clone() * &two);
    finite("bound of Lemma D.1", start + g_squared.clone() * eta * &count / two)
}

/// The pairs (y_k, ĥ_k).
fn rows<'a, T: Field>(
    iterates: &'a [T],
    gradients: &'a [T],
    y_star: &[T],
) -> Result<impl Iterator<Item = (&'a [T], &'a [T])>> {
    let dim = y_star.len();
    expect_some("dimension", dim)?;
    expect_rows("gradients", dim, gradients.len())?;
    if iterates.len() != gradients.len() && iterates.len() != gradients.len() + dim {
        return Err(Error::Length { what: "iterates", expected: gradients.len(), found: iterates.len() });
    }
    Ok(iterates.chunks_exact(dim).zip(gradients.chunks_exact(dim)))
}

/// A learning rate is positive.
pub(crate) fn valid_rate<T: Field>(what: &'static str, rate: &T) -> Result<()> {
    if *rate > T::zero() && rate.is_valid() {
        Ok(())
    } else {
        Err(Error::OutOfRange { what, index: Error::SCALAR, expected: "a positive number" })
    }
}
