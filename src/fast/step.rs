//! The gradient steps both algorithms take, each one pass over memory, and the choice of a vector unit.

use crate::error::{Error, Result};
use crate::linear::vector::{LANES, finish, zero_lanes};
use crate::number::Real;

/// One step of descent: Σ ← Σ + θ, then g = s·p − w·φ and θ ← θ − (η·g), component by component. Returns ‖θ‖² of the new,
/// unprojected θ, summed as [`crate::linear::vector::dot`] does. All slices have θ's length.
#[inline(always)]
pub(crate) fn descend<T: Real>(
    (s, positive): (&T, &[T]),
    (w, phi): (&T, &[T]),
    eta: &T,
    gradient: &mut [T],
    theta: &mut [T],
    iterate_sum: &mut [T],
) -> T {
    let (s, w, eta, mut lanes) = (s.clone(), w.clone(), eta.clone(), zero_lanes());
    let (positives, positive) = positive.as_chunks::<LANES>();
    let (phis, phi) = phi.as_chunks::<LANES>();
    let (gradients, gradient) = gradient.as_chunks_mut::<LANES>();
    let (thetas, theta) = theta.as_chunks_mut::<LANES>();
    let (sums, sum) = iterate_sum.as_chunks_mut::<LANES>();
    // A chunk is read whole before it is written, so that the compiler need not fear that the slices overlap.
    for ((((p, phi), g), theta), sum) in positives.iter().zip(phis).zip(gradients).zip(thetas).zip(sums) {
        let total: [T; LANES] = core::array::from_fn(|i| sum[i].clone() + &theta[i]);
        let direction: [T; LANES] = core::array::from_fn(|i| p[i].clone() * &s - phi[i].clone() * &w);
        let moved: [T; LANES] = core::array::from_fn(|i| theta[i].clone() - direction[i].clone() * &eta);
        for i in 0..LANES {
            lanes[i] += moved[i].clone() * &moved[i];
        }
        (*sum, *g, *theta) = (total, direction, moved);
    }
    for ((((p, phi), g), theta), sum) in positive.iter().zip(phi).zip(gradient).zip(theta.iter_mut()).zip(sum) {
        *sum = sum.clone() + &*theta;
        *g = p.clone() * &s - phi.clone() * &w;
        *theta = theta.clone() - g.clone() * &eta;
    }
    finish(lanes, theta, theta)
}

/// One step of ascent: y = β + (ζ·g).
#[inline(always)]
pub(crate) fn ascend<T: Real>(beta: &[T], zeta: &T, gradient: &[T], y: &mut [T]) {
    for ((y, beta), g) in y.iter_mut().zip(beta).zip(gradient) {
        *y = beta.clone() + g.clone() * zeta;
    }
}

/// 1/K, rounded.
pub(crate) fn reciprocal<T: Real>(count: usize) -> T {
    T::one() / T::from_int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// A learning rate: finite, not negative.
pub(crate) fn validate_rate<T: Real>(what: &'static str, rate: &T) -> Result<()> {
    if rate.is_valid() && *rate >= T::zero() {
        Ok(())
    } else {
        Err(Error::OutOfRange { what, index: 0, expected: "a finite number >= 0" })
    }
}

/// A step was asked for out of the order that the algorithm prescribes.
pub(crate) fn out_of_order<V>(k: usize) -> Result<V> {
    let expected = "begin_outer, then the inner steps, then outer_step";
    Err(Error::OutOfRange { what: "k", index: k, expected })
}

/// Calls `f` compiled for the vector unit of the machine it runs on, if that has registers of four doubles.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn dispatch<V>(f: impl FnOnce() -> V) -> V {
    #[cfg(target_arch = "x86_64")]
    if let Some(unit) = pulp::x86::V3::try_new() {
        return unit.vectorize(f);
    }
    f()
}

/// Calls `f`, a pass over vectors of R^d, compiled for registers of eight doubles where there are such and d makes up for
/// the call: from 64 on it does.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn dispatch_wide<V>(dim: usize, f: impl FnOnce() -> V) -> V {
    #[cfg(target_arch = "x86_64")]
    if dim >= 64
        && let Some(unit) = pulp::x86::V4::try_new()
    {
        return unit.vectorize(f);
    }
    let _ = dim;
    f()
}

/// Calls `f`.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn dispatch<V>(f: impl FnOnce() -> V) -> V {
    f()
}

/// Calls `f`.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn dispatch_wide<V>(_dim: usize, f: impl FnOnce() -> V) -> V {
    f()
}
