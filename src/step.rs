//! The gradient steps both algorithms take, each one pass over memory, and the choice of a vector unit.

use crate::error::{Error, Result};
use crate::scalar::Real;
use crate::vector::{LANES, fold};

/// One step of descent: Σ ← Σ + θ, then g = s·p − w·φ and θ ← θ − (η·g), component by component. Returns ‖θ‖² of the new,
/// unprojected θ, summed as [`crate::vector::dot`] does. All slices have θ's length.
#[inline(always)]
pub(crate) fn descend<T: Real>(
    (s, positive): (&T, &[T]),
    (w, phi): (&T, &[T]),
    eta: &T,
    gradient: &mut [T],
    theta: &mut [T],
    iterate_sum: &mut [T],
) -> T {
    let mut lanes: [T; LANES] = core::array::from_fn(|_| T::zero());
    let (positives, positive) = positive.as_chunks::<LANES>();
    let (phis, phi) = phi.as_chunks::<LANES>();
    let (gradients, gradient) = gradient.as_chunks_mut::<LANES>();
    let (thetas, theta) = theta.as_chunks_mut::<LANES>();
    let (sums, sum) = iterate_sum.as_chunks_mut::<LANES>();
    for ((((p, phi), g), theta), sum) in positives.iter().zip(phis).zip(gradients).zip(thetas).zip(sums) {
        for i in 0..LANES {
            sum[i] = sum[i].clone() + &theta[i];
            g[i] = p[i].clone() * s - phi[i].clone() * w;
            theta[i] = theta[i].clone() - g[i].clone() * eta;
            lanes[i] += theta[i].clone() * &theta[i];
        }
    }
    for (i, (((p, phi), g), theta)) in positive.iter().zip(phi).zip(gradient).zip(theta).enumerate() {
        sum[i] = sum[i].clone() + &*theta;
        *g = p.clone() * s - phi.clone() * w;
        *theta = theta.clone() - g.clone() * eta;
        lanes[i] += theta.clone() * &*theta;
    }
    fold(lanes)
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

/// Calls `f` compiled for the best vector unit of the machine it runs on.
#[cfg(feature = "std")]
#[inline(always)]
pub(crate) fn dispatch<V>(f: impl FnOnce() -> V) -> V {
    pulp::Arch::new().dispatch(f)
}

/// Calls `f`.
#[cfg(not(feature = "std"))]
#[inline(always)]
pub(crate) fn dispatch<V>(f: impl FnOnce() -> V) -> V {
    f()
}
