//! Powers of Λ in doubles: entry by entry where Λ is diagonal.

use super::Symmetric;
use crate::error::{Error, Result};
use crate::linear::vector::all_finite;
use crate::paper::covariance::{self, Exponent, power_of};

/// The spectrum of Λ, singular or not.
#[derive(Debug, Clone)]
pub enum Spectrum {
    /// A diagonal is its own spectrum: every power is exact to the last rounding, however small an entry, and an entry of 0 is a
    /// coordinate that the data never see.
    Diagonal(Vec<f64>),
    /// By [`covariance::Spectrum`].
    Dense(covariance::Spectrum),
}

impl Spectrum {
    /// As far as c needs it: [`covariance::Spectrum::for_exponent`].
    pub fn for_exponent(c: Exponent, lambda: &Symmetric<f64>) -> Result<Self> {
        lambda.checked_dim()?;
        match lambda {
            Symmetric::Dense { dim, rows } => covariance::Spectrum::for_exponent(c, *dim, rows).map(Self::Dense),
            Symmetric::Diagonal(diagonal) => {
                all_finite("Λ", diagonal)?;
                let smallest = diagonal.iter().fold(f64::INFINITY, |least, entry| least.min(*entry));
                if smallest < 0.0 {
                    return Err(Error::NearSingular { smallest_eigenvalue: smallest, expected_at_least: 0.0 });
                }
                if diagonal.iter().all(|entry| *entry == 0.0) {
                    return Err(Error::Singular { what: "Λ", rank: 0 });
                }
                Ok(Self::Diagonal(diagonal.clone()))
            }
        }
    }

    /// Λ^p, a power of the pseudo-inverse where p < 0.
    fn power(&self, p: f64) -> Symmetric<f64> {
        match self {
            Self::Dense(spectrum) => {
                let rows = spectrum.power(p);
                Symmetric::of_rows(libm::sqrt(rows.len() as f64) as usize, rows)
            }
            Self::Diagonal(diagonal) => Symmetric::Diagonal(diagonal.iter().map(|entry| power_of(*entry, p)).collect()),
        }
    }

    /// Λ^c.
    #[must_use]
    pub fn power_c(&self, c: Exponent) -> Symmetric<f64> {
        self.power(c.value())
    }

    /// Λ^{c−1}; `None` at c = 1, where it is the identity.
    #[must_use]
    pub fn weight(&self, c: Exponent) -> Option<Symmetric<f64>> {
        (c == Exponent::Half).then(|| self.power(-0.5))
    }

    /// Tr(Λ^{2c−1}).
    #[must_use]
    pub fn trace_2c_minus_1(&self, c: Exponent) -> f64 {
        match self {
            Self::Dense(spectrum) => spectrum.trace_2c_minus_1(c),
            Self::Diagonal(diagonal) => diagonal.iter().map(|entry| power_of(*entry, 2.0 * c.value() - 1.0)).sum(),
        }
    }

    /// ‖Λ‖₂^{2c−1}.
    #[must_use]
    pub fn norm_2c_minus_1(&self, c: Exponent) -> f64 {
        match self {
            Self::Dense(spectrum) => spectrum.norm_2c_minus_1(c),
            Self::Diagonal(diagonal) => {
                let largest = diagonal.iter().fold(0.0_f64, |most, entry| most.max(*entry));
                libm::pow(largest, 2.0 * c.value() - 1.0)
            }
        }
    }
}
