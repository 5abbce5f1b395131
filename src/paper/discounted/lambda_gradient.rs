//! Section 3, before the reparametrisation: ∇_λ of (6), and why an estimator of it needs Λ.

use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;
use crate::paper::covariance::apply_inverse;
use crate::paper::mdp::{LinearMdp, dual_feature_residual};

/// S3.grad-lambda: ∇_λ L = ω + γΨv − θ, first form.
pub fn lambda_gradient<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    dual_feature_residual(mdp, v, theta, out)
}

/// S3.grad-lambda: Λ⁻¹Λ(ω + γΨv − θ), second form.
pub fn lambda_gradient_weighted<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    v: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let dim = mdp.shape().dim;
    let gradient = take(&mut scratch, dim)?;
    lambda_gradient(mdp, v, theta, gradient)?;
    crate::linear::vector::apply(lambda, gradient, out)?;
    apply_inverse(dim, lambda, out, scratch)
}

/// S3.grad-lambda: Λ⁻¹φ(R + γv(X') − ⟨θ, φ⟩), whose expectation is the last form; the last factor is
/// [`super::estimators::td_error`]. The vector to which Λ⁻¹ is applied is g̃_β of (9) at c = 1.
pub fn lambda_gradient_estimate<T: Field>(
    lambda: &[T],
    phi: &[T],
    td_error: &T,
    out: &mut [T],
    scratch: &mut [T],
) -> Result<()> {
    expect_len("g̃_λ", phi.len(), out.len())?;
    for (entry, phi) in out.iter_mut().zip(phi) {
        *entry = phi.clone() * td_error;
    }
    apply_inverse(phi.len(), lambda, out, scratch)?;
    all_finite("g̃_λ", out)
}
