//! The lines that the two algorithm boxes have in common, each the function of its name.
//!
//! A box is written against the traits of its lines, so that one line can be replaced and the rest stays the box: the
//! conformance kit makes its wrong variants that way, and lets numbers that know their error take part. [`AsCorrected`] replaces none.

use crate::error::{Error, Result};
use crate::linear::projection::project_ball;
use crate::linear::softmax::policy_row;
use crate::linear::vector::{all_finite, dot, take};
use crate::number::Real;
use crate::paper::discounted::estimators::{beta_gradient_estimate, value_estimate, weighted_feature};

/// The lines of both boxes. Results come out of `scratch`.
pub trait Lines<T: Real> {
    /// Initialize θ_{t,1} = θ_{t−1}, in whose place it stands.
    fn start(&mut self, _theta: &mut [T]) {}

    /// Λ^{c−1}β_t, once per outer iteration.
    fn weighted_beta(&mut self, weight: Option<&[T]>, beta: &[T], out: &mut [T]) {
        weighted_feature(weight, beta, &T::one(), out);
    }

    /// π_t(·|x) = softmax(α Σ_{i<t} ⟨φ(x, ·), θ_i⟩).
    fn policy<'s>(&mut self, alpha: &T, features: &[T], sum: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        let policy = take(scratch, features.len().checked_div(sum.len()).unwrap_or(0))?;
        policy_row(alpha, features, sum, policy)?;
        Ok(policy)
    }

    /// ⟨φ(X, A), ·⟩: w with Λ^{c−1}β_t, the prediction of the temporal difference with θ_t.
    fn product(&mut self, phi: &[T], x: &[T]) -> Result<T> {
        dot(phi, x)
    }

    /// Π onto B(D_θ): `theta` is θ_{t,k} and becomes θ_{t,k+1}.
    fn project_theta(&mut self, unprojected: &[T], radius: &T, theta: &mut [T]) -> Result<()> {
        theta.clone_from_slice(unprojected);
        project_ball(theta, radius)
    }

    /// θ_t = (1/K) Σ_k θ_{t,k}: `theta` is the last iterate and becomes the average.
    fn average(&mut self, sum: &[T], count: usize, theta: &mut [T]) {
        let share = reciprocal::<T>(count);
        for (theta, sum) in theta.iter_mut().zip(sum) {
            *theta = sum.clone() * &share;
        }
    }

    /// (7): v_t(X').
    fn value(&mut self, features: &[T], policy: &[T], theta: &[T], scratch: &mut [T]) -> Result<T> {
        value_estimate(features, policy, theta, scratch)
    }

    /// (9), and Lemma C.5: g̃_β = Λ^{c−1}φ · td_error.
    fn beta_gradient<'s>(
        &mut self,
        weight: Option<&[T]>,
        phi: &[T],
        td_error: &T,
        scratch: &mut &'s mut [T],
    ) -> Result<&'s mut [T]> {
        let gradient = take(scratch, phi.len())?;
        beta_gradient_estimate(weight, phi, td_error, gradient)?;
        Ok(gradient)
    }

    /// Π onto B(D_β): `beta` is β_t and becomes β_{t+1}.
    fn project_beta(&mut self, unprojected: &[T], radius: &T, beta: &mut [T]) -> Result<()> {
        beta.clone_from_slice(unprojected);
        project_ball(beta, radius)
    }

    /// π_{t+1} = softmax(α Σ_{i≤t} Φθ_i), held as Σθ, which grows by θ_t.
    fn update_policy(&mut self, theta: &[T], sum: &mut [T]) -> Result<()> {
        accumulate(theta, sum);
        all_finite("theta_sum", sum)
    }
}

/// The boxes as the errata correct them, and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct AsCorrected;

impl<T: Real> Lines<T> for AsCorrected {}

/// θ − (η·g).
pub(crate) fn descend<'s, T: Real>(
    theta: &[T],
    eta: &T,
    gradient: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let moved = take(scratch, theta.len())?;
    for ((y, theta), g) in moved.iter_mut().zip(theta).zip(gradient) {
        *y = theta.clone() - g.clone() * eta;
    }
    Ok(moved)
}

/// β + (ζ·g).
pub(crate) fn ascend<'s, T: Real>(
    beta: &[T],
    zeta: &T,
    gradient: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let moved = take(scratch, beta.len())?;
    for ((y, beta), g) in moved.iter_mut().zip(beta).zip(gradient) {
        *y = beta.clone() + g.clone() * zeta;
    }
    Ok(moved)
}

/// Σ ← Σ + x.
pub(crate) fn accumulate<T: Real>(x: &[T], sum: &mut [T]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum = sum.clone() + x;
    }
}

/// 1/K, rounded.
pub(crate) fn reciprocal<T: Real>(count: usize) -> T {
    T::one() / T::from_count(count)
}

/// A learning rate: finite, not negative.
pub(crate) fn validate_rate<T: Real>(what: &'static str, rate: &T) -> Result<()> {
    if rate.is_valid() && *rate >= T::zero() {
        Ok(())
    } else {
        Err(Error::OutOfRange { what, index: Error::SCALAR, expected: "a finite number >= 0" })
    }
}

/// A step was asked for out of the order that the algorithm prescribes.
pub(crate) fn out_of_order<V>(k: usize) -> Result<V> {
    let expected = "begin_outer, then the inner steps, then the rest of the outer iteration";
    Err(Error::OutOfRange { what: "k", index: k, expected })
}

/// A non-finite result is reported with its place in the run and the iterate it would have become. A reward is none: it has its row.
pub(crate) fn located(error: Error, t: usize, k: usize, iterate: &'static str) -> Error {
    match error {
        Error::NotFinite { what: "r", .. } => error,
        Error::NotFinite { what: what @ ("rho" | "theta_sum"), .. } => Error::Diverged { t, k, what },
        Error::NotFinite { .. } => Error::Diverged { t, k, what: iterate },
        other => other,
    }
}
