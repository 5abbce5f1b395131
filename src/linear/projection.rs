//! Π: Euclidean projections onto the ball B(D) = {y : ‖y‖ ≤ D} and onto [0, 1].

use crate::error::{Error, Result};
use crate::linear::vector::{LANES, finite, inner, scale};
use crate::number::{Field, Real};

/// A radius the projection accepts: positive, with a square that is positive and finite, because the norm it is compared with is
/// computed from squares. In floating point the square also has room for rounding errors on either side: u²D² > 0, so that none
/// is absolute rather than relative ([`norm_slack`]), and 2D² is finite. (u² is 0 where numbers are exact or have a fixed point.)
pub fn validate_radius<T: Field>(what: &'static str, radius: &T) -> Result<()> {
    let (square, unit) = (radius.clone() * radius, T::rounding(1));
    let least = unit.clone() * &unit;
    let has_room = || square.clone() * &least > T::zero() && (square.clone() + &square).is_valid();
    if *radius > T::zero() && square.is_valid() && square > T::zero() && (least.is_zero() || has_room()) {
        Ok(())
    } else {
        Err(Error::OutOfRange {
            what,
            index: Error::SCALAR,
            expected: "a positive number whose square neither underflows nor overflows",
        })
    }
}

/// Π onto B(D): with n = ‖y‖, y stays if n ≤ D and becomes y·(D/n) otherwise; one rounding in D/n, one per component.
///
/// In floating point the result's norm, as this crate computes it, is at most D(1 + [`norm_slack`]).
pub fn project_ball<T: Real>(y: &mut [T], radius: &T) -> Result<()> {
    validate_radius("radius", radius)?;
    let norm = finite("norm", inner(y, y).sqrt())?;
    project_ball_of_norm(y, norm, radius);
    Ok(())
}

/// [`project_ball`] after the checks, for a caller that already has n.
pub(crate) fn project_ball_of_norm<T: Real>(y: &mut [T], norm: T, radius: &T) {
    if norm > *radius {
        scale(&(radius.clone() / norm), y);
    }
    debug_assert!(within_ball(y, radius), "projection left the ball");
}

/// Π onto [0, 1].
pub fn project_unit_interval<T: Field>(y: T) -> Result<T> {
    Ok(clamp(finite("rho", y)?))
}

pub(crate) fn clamp<T: Field>(y: T) -> T {
    if y < T::zero() {
        T::zero()
    } else if y > T::one() {
        T::one()
    } else {
        y
    }
}

/// How far above D the computed norm of a projected point of R^d may lie, relative to D: k roundings with
/// k = ⌈d/8⌉ + 10. `proofs/gappa/README.md` derives m + 5 with m ≤ ⌈d/8⌉ + 3; evaluating D(1 + slack) rounds twice more.
/// Exact scalars: 0.
#[must_use]
pub fn norm_slack<T: Field>(dim: usize) -> T {
    T::rounding(dim.div_ceil(LANES) + 10)
}

/// The invariant of every projected iterate: ‖y‖ ≤ D(1 + [`norm_slack`]).
#[must_use]
pub fn within_ball<T: Real>(y: &[T], radius: &T) -> bool {
    inner(y, y).sqrt() <= radius.clone() * (T::one() + norm_slack::<T>(y.len()))
}

/// The invariant of an average of K such iterates: K + 2 more roundings, by the same derivation.
#[must_use]
pub fn average_within_ball<T: Real>(y: &[T], count: usize, radius: &T) -> bool {
    let slack = T::rounding((y.len().div_ceil(LANES) + 12).saturating_add(count));
    inner(y, y).sqrt() <= radius.clone() * (T::one() + slack)
}
