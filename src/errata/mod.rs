//! What print says where print is wrong, each function named after the place and doing what stands there. `docs/errata.md` has the
//! corrections, and [`crate::paper`] the corrected functions. Nothing uses this room but the register of statements and the tests.

use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::{Field, Real};
use crate::paper::average_reward::{guarantee as average, lagrangian as average_lagrangian, lp};
use crate::paper::covariance::Exponent;
use crate::paper::discounted::estimators::{Visit, theta_gradient_estimate};
use crate::paper::discounted::guarantee as discounted;
use crate::paper::mdp::LinearMdp;
use crate::paper::online_learning::mirror_descent;

/// Erratum 1, (10) as printed: g̃_θ = Φᵀμ_{t,k} − Λ^{c−1}φ⟨φ, β⟩. Unbiased too, but its second moment exceeds G_θ² at c = 1/2.
pub fn equation_10<T: Field>(
    discount: &T,
    visit: &Visit<T>,
    weight: Option<&[T]>,
    beta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let dim = visit.phi.len();
    expect_len("beta", dim, beta.len())?;
    let weighted_beta = take(&mut scratch, dim)?;
    let weighted_phi = take(&mut scratch, dim)?;
    weighted(weight, beta, weighted_beta)?;
    weighted(weight, visit.phi, weighted_phi)?;
    // The proof's form, with the one term exchanged for the other.
    theta_gradient_estimate(discount, visit, weighted_beta, out, scratch)?;
    let (proof, print) = (inner(visit.phi, weighted_beta), inner(visit.phi, beta));
    for ((g, phi), weighted_phi) in out.iter_mut().zip(visit.phi).zip(weighted_phi.iter()) {
        *g = g.clone() + phi.clone() * &proof - weighted_phi.clone() * &print;
    }
    all_finite("g̃_θ as printed", out)
}

/// Λ^{c−1}x; `None` is the identity.
fn weighted<T: Field>(weight: Option<&[T]>, x: &[T], out: &mut [T]) -> Result<()> {
    match weight {
        None => out.clone_from_slice(x),
        Some(matrix) => {
            expect_table("Λ^{c−1}", x.len(), x.len(), matrix.len())?;
            multiply(matrix, x, out);
        }
    }
    Ok(())
}

/// Erratum 2, (20) as printed: G_β² = 3(1 + (1+γ²)D_φ²D_θ²)D_φ^{2(2c−1)}.
#[must_use]
pub fn equation_20<T: Field>(c: Exponent, constants: &discounted::Constants<T>) -> T {
    let trace = match c {
        Exponent::Half => T::one(),
        Exponent::One => constants.phi_squared.clone(),
    };
    discounted::second_moment_bound_beta(&discounted::Constants { trace, ..constants.clone() })
}

/// Erratum 15, Thm A.1 as printed: K/T = (2D_β²G_β² + D_θ²D_φ²log|A|)/(2D_θ²G_θ²).
pub fn theorem_a1_inner_per_outer<T: Field>(constants: &discounted::Constants<T>) -> Result<T> {
    discounted::quotient("K/T", T::one(), discounted::inner_per_outer(constants)?)
}

/// Erratum 15, Thm C.1 as printed: K/T = (4D_β²G_β² + 2D_θ²D_φ²log|A|)/(G_ρ² + 4D_θ²G_θ²).
pub fn theorem_c1_inner_per_outer<T: Field>(constants: &average::Constants<T>) -> Result<T> {
    discounted::quotient("K/T", T::one(), average::inner_per_outer(constants)?)
}

/// Erratum 16, Thm C.1's order of n_ε as printed: D_θ⁴D_φ⁴D_β⁴ Tr(Λ^{2c−1})‖Λ‖^{2(2c−1)} log|A| / ε⁴.
pub fn theorem_c1_complexity<T: Field>(constants: &average::Constants<T>, epsilon: &T) -> Result<T> {
    finite("n_ε as printed", average::complexity(constants, epsilon)? * &constants.norm)
}

/// Erratum 16, Thm 5.3 as printed: D_θ⁴D_φ^{12c−2}D_β⁴ d^{2−2c} log|A| / ε⁴.
pub fn theorem_5_3_complexity<T: Field>(
    c: Exponent,
    dim: usize,
    constants: &average::Constants<T>,
    epsilon: &T,
) -> Result<T> {
    theorem_c1_complexity(&constants.clone().without_covariance(c, dim), epsilon)
}

/// Erratum 10, Appendix C's Lagrangian in λ, second line as printed: ρ[1 − ⟨λ, ϱ⟩] + ⟨θ, Φᵀμ − λ⟩ + ⟨v, Ψᵀλ − Eᵀμ⟩, without ⟨λ, ω⟩.
pub fn average_lagrangian_regrouped<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    scratch: &mut [T],
) -> Result<T> {
    let right = average_lagrangian::lagrangian_regrouped(mdp, varrho, rho, v, theta, lambda, mu, scratch)?;
    finite("L as printed", right - lp::primal_objective(mdp, lambda)?)
}

/// Erratum 12, Lemma D.2's last display as printed, right side: D(π*‖π₁)/α + α‖q_t(x,·)‖²_∞/2, of one t alone.
pub fn lemma_d2_last_display<T: Real>(alpha: &T, star: &[T], first: &[T], q: &[T]) -> Result<T> {
    expect_len("q", first.len(), q.len())?;
    mirror_descent::telescoped_right(alpha, star, first, q)
}
