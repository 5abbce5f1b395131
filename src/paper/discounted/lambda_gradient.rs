//! Section 3, before the reparametrisation: ∇_λ of (6), and why an estimator of it needs Λ.

use crate::error::Result;
use crate::linear::vector::{apply, take};
use crate::number::Field;
use crate::paper::covariance::apply_inverse;
use crate::paper::mdp::{LinearMdp, dual_feature_residual};

/// S3.grad-lambda: ∇_λ L = ω + γΨv − θ, first form.
pub fn lambda_gradient<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    dual_feature_residual(mdp, v, theta, scratch)
}

/// S3.grad-lambda: Λ⁻¹Λ(ω + γΨv − θ), second form.
pub fn lambda_gradient_weighted<'s, T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let dim = mdp.shape().dim;
    let image = take(scratch, dim)?;
    apply(lambda, lambda_gradient(mdp, v, theta, &mut &mut **scratch)?, image)?;
    apply_inverse(dim, lambda, image, scratch)
}

/// S3.grad-lambda: Λ⁻¹φ(R + γv(X') − ⟨θ, φ⟩), whose expectation is the last form; the last factor is
/// [`super::estimators::td_error`]. The vector to which Λ⁻¹ is applied is g̃_β of (9) at c = 1.
pub fn lambda_gradient_estimate<'s, T: Field>(
    lambda: &[T],
    phi: &[T],
    td_error: &T,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let gradient = take(scratch, phi.len())?;
    for (entry, phi) in gradient.iter_mut().zip(phi) {
        *entry = phi.clone() * td_error;
    }
    apply_inverse(phi.len(), lambda, gradient, scratch)
}
