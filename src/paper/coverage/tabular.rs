//! Section 6: what the ratios become when φ(x, a) is the unit vector of (x, a), and the χ² divergence.
//!
//! A state-action that neither μ* nor μ_B visits adds 0; one that μ* alone visits makes every ratio infinite, an `Err`.

use crate::error::{Error, Result, expect_len};
use crate::linear::vector::{all_finite, finite};
use crate::number::Field;
use crate::paper::covariance::Exponent;

/// μ*(x,a)/μ_B(x,a), passed with μ* to `each` where μ_B > 0.
fn quotients<T: Field>(mu_star: &[T], mu_b: &[T], mut each: impl FnMut(T, &T)) -> Result<()> {
    expect_len("mu_B", mu_star.len(), mu_b.len())?;
    all_finite("mu*", mu_star)?;
    all_finite("mu_B", mu_b)?;
    for (index, (star, behavior)) in mu_star.iter().zip(mu_b).enumerate() {
        if !behavior.is_zero() {
            each(star.clone() / behavior, star);
        } else if !star.is_zero() {
            return Err(Error::OutOfRange { what: "mu_B", index, expected: "mu_B > 0 wherever mu* > 0" });
        }
    }
    Ok(())
}

/// S6.tabular: C_{φ,1/2} = Σ μ*²/μ_B and C_{φ,1} = Σ (μ*/μ_B)².
pub fn tabular_coverage_ratio<T: Field>(c: Exponent, mu_star: &[T], mu_b: &[T]) -> Result<T> {
    let mut sum = T::zero();
    quotients(mu_star, mu_b, |quotient, star| {
        sum += match c {
            Exponent::Half => quotient * star,
            Exponent::One => quotient.clone() * quotient,
        };
    })?;
    finite("C_{φ,c}", sum)
}

/// S6.tabular: C^⋄ = Σ μ*/μ_B.
pub fn tabular_diamond_ratio<T: Field>(mu_star: &[T], mu_b: &[T]) -> Result<T> {
    let mut sum = T::zero();
    quotients(mu_star, mu_b, |quotient, _| sum += quotient)?;
    finite("C^⋄", sum)
}

/// S6.tabular: C^† = max μ*/μ_B.
pub fn tabular_dagger_ratio<T: Field>(mu_star: &[T], mu_b: &[T]) -> Result<T> {
    let mut largest = T::zero();
    quotients(mu_star, mu_b, |quotient, _| {
        if quotient > largest {
            largest = quotient;
        }
    })?;
    finite("C^†", largest)
}

/// S6.tabular, the χ² remark: χ²(μ*‖μ_B) = Σ (μ* − μ_B)²/μ_B, from its definition.
///
/// # Deviation
/// Print has C_{φ,1} = 1 + χ²; it is C_{φ,1/2} that equals it. Erratum 5.
pub fn chi_squared<T: Field>(mu_star: &[T], mu_b: &[T]) -> Result<T> {
    let mut sum = T::zero();
    expect_len("mu_B", mu_star.len(), mu_b.len())?;
    for (index, (star, behavior)) in mu_star.iter().zip(mu_b).enumerate() {
        let difference = star.clone() - behavior;
        if !behavior.is_zero() {
            sum += difference.clone() * difference / behavior;
        } else if !star.is_zero() {
            return Err(Error::OutOfRange { what: "mu_B", index, expected: "mu_B > 0 wherever mu* > 0" });
        }
    }
    finite("χ²", sum)
}
