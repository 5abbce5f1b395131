//! Section 3: the covariance Λ = E_{μ_B}\[φφᵀ\] and its powers Λ^c, Λ^{c−1} for c ∈ {1/2, 1}.

use crate::error::{Error, Result, expect_len, expect_some, expect_table};
use crate::linear::range::least_norm_solution;
use crate::linear::solve::solve_named;
use crate::linear::vector::{add_rank_one, all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::components::{copy, finite_vector, identity, keep, vector};
use crate::paper::mdp::LinearMdp;

/// The exponent c of the reparametrisation β = Λ^{−c}λ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exponent {
    /// c = 1: needs no knowledge of Λ.
    One,
    /// c = 1/2: needs Λ^{−1/2}.
    Half,
}

impl Exponent {
    /// The number as it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Half => "1/2",
        }
    }
}

impl core::fmt::Display for Exponent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

impl core::str::FromStr for Exponent {
    type Err = Error;

    /// As [`Exponent::name`] writes it.
    fn from_str(text: &str) -> Result<Self> {
        let known = [Self::One, Self::Half].into_iter().find(|c| c.name() == text);
        known.ok_or(Error::Syntax { what: "c", expected: "1 or 1/2" })
    }
}

/// S3.cov: Λ = Σ_{x,a} μ_B(x,a) φ(x,a)φ(x,a)ᵀ.
pub fn covariance<'s, T: Field>(mdp: &LinearMdp<T>, mu_b: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    second_moment(mdp.shape().dim, mdp.features(), mu_b, scratch)
}

/// Σᵢ wᵢ φᵢφᵢᵀ over the rows of `features`.
pub fn second_moment<'s, T: Field>(
    dim: usize,
    features: &[T],
    weights: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_some("feature dimension", dim)?;
    expect_table("features", weights.len(), dim, features.len())?;
    let out = vector("Λ", dim.saturating_mul(dim), scratch, |_| T::zero())?;
    for (phi, weight) in features.chunks_exact(dim).zip(weights) {
        add_rank_one(weight, phi, out);
    }
    finite_vector("Λ", out)
}

/// S3.cov at c = 1/2 in exact arithmetic: whether `root`·`root` = Λ, entry by entry; the first difference is named.
pub fn verify_root<T: Field>(dim: usize, lambda: &[T], root: &[T]) -> Result<()> {
    expect_table("Λ", dim, dim, lambda.len())?;
    expect_table("square root of Λ", dim, dim, root.len())?;
    all_finite("Λ", lambda)?;
    all_finite("square root of Λ", root)?;
    let symmetric = |i: usize, j: usize| root[i * dim + j] == root[j * dim + i];
    for row in 0..dim {
        for column in 0..dim {
            let mut square = T::zero();
            for k in 0..dim {
                square += root[row * dim + k].clone() * &root[k * dim + column];
            }
            if square != lambda[row * dim + column] || !symmetric(row, column) {
                return Err(Error::NotARoot { row, column });
            }
        }
    }
    Ok(())
}

/// Λ^{c−1} from Λ^c: the identity at c = 1; at c = 1/2 the inverse of the root.
pub fn weight_of_power<'s, T: Field>(
    c: Exponent,
    dim: usize,
    power: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_table("Λ^c", dim, dim, power.len())?;
    let weight = vector("I", power.len(), scratch, |i| identity(dim, i))?;
    if c == Exponent::Half {
        solve_named("Λ^c", dim, copy(power, &mut &mut **scratch)?, weight)?;
    }
    Ok(weight)
}

/// M⁻¹x for a symmetric d×d matrix: how β* = Λ^{−c}Φᵀμ* is computed from Λ^c.
///
/// # Deviation
/// "Λ invertible, for now" is never discharged in print; all that the proofs need is Λ^cβ* = Φᵀμ*. Where M is singular this is the
/// solution of least norm, and [`Error::NotInRange`] where there is none; erratum 20.
pub fn apply_inverse<'s, T: Field>(
    dim: usize,
    matrix: &[T],
    x: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_table("Λ^c", dim, dim, matrix.len())?;
    expect_len("right side", dim, x.len())?;
    keep(dim, scratch, |rest| {
        let y = copy(x, rest)?;
        match solve_named("Λ^c", dim, copy(matrix, &mut &mut **rest)?, y) {
            Err(Error::Singular { .. }) => least_norm_solution("Λ^c", dim, matrix, x, rest),
            solved => solved.map(|()| y),
        }
    })
}

/// Tr M.
pub fn trace<T: Field>(dim: usize, matrix: &[T]) -> Result<T> {
    expect_table("matrix", dim, dim, matrix.len())?;
    all_finite("matrix", matrix)?;
    let mut sum = T::zero();
    for i in 0..dim {
        sum = sum + &matrix[i * dim + i];
    }
    finite("trace", sum)
}

/// ‖x‖²_M = ⟨x, Mx⟩.
pub fn weighted_norm_squared<T: Field>(dim: usize, matrix: &[T], x: &[T], mut scratch: &mut [T]) -> Result<T> {
    expect_table("matrix", dim, dim, matrix.len())?;
    expect_len("x", dim, x.len())?;
    let image = take(&mut scratch, dim)?;
    multiply(matrix, x, image);
    finite("‖x‖²_M", inner(x, image))
}

#[cfg(feature = "std")]
mod spectral {
    use super::{Error, Exponent, Result, all_finite, expect_some, expect_table};
    use crate::linear::vector::add_scaled;
    use nalgebra::{DMatrix, SymmetricEigen};

    /// S3.cov: Λ = Q diag(λᵢ) Qᵀ in `f64`, from which every power is read.
    #[derive(Debug, Clone)]
    pub struct Spectrum {
        /// Of the block of rows and columns that are not all zero.
        eigen: SymmetricEigen<f64, nalgebra::Dyn>,
        /// The block's coordinates among `dim`.
        block: Vec<usize>,
        dim: usize,
    }

    /// Symmetric by construction, up to rounding; made so exactly.
    fn symmetrise(dim: usize, matrix: &mut [f64]) {
        for i in 0..dim {
            for j in 0..i {
                let mean = 0.5 * (matrix[i * dim + j] + matrix[j * dim + i]);
                (matrix[i * dim + j], matrix[j * dim + i]) = (mean, mean);
            }
        }
    }

    /// eᵖ; 0 for an eigenvalue that counts as 0.
    pub(crate) fn power_of(eigenvalue: f64, p: f64) -> f64 {
        if eigenvalue == 0.0 { 0.0 } else { libm::pow(eigenvalue, p) }
    }

    impl Spectrum {
        /// Decomposes a symmetric d×d matrix. `Err` when its smallest eigenvalue is not above d·ε·‖Λ‖₂: below that,
        /// Λ⁻¹ is rounding error.
        pub fn new(dim: usize, lambda: &[f64]) -> Result<Self> {
            // Before room for d numbers is made: d is the caller's word.
            expect_table("Λ", dim, dim, lambda.len())?;
            Self::decompose(dim, lambda, (0..dim).collect())?.regular()
        }

        /// The same where Λ may be singular, for an exponent. Zero rows are coordinates that the data never see: Λ^p is then that of the
        /// other block, and zero elsewhere (at p < 0 a power of the pseudo-inverse). That is enough wherever Φᵀμ* lies in the range of
        /// Λ, since every φ of the data does: Λ^cβ* = Φᵀμ* then has a solution, the estimators are unbiased as before, and
        /// Tr(Λ^{2c−1}) is the rank at c = 1/2. At c = 1, which needs no root, any other null space will do too: eigenvalues within
        /// d·ε·‖Λ‖₂ of 0 count as 0. At c = 1/2 it is an `Err`, because rounding would decide what is in the null space.
        pub fn for_exponent(c: Exponent, dim: usize, lambda: &[f64]) -> Result<Self> {
            expect_table("Λ", dim, dim, lambda.len())?;
            let zero = |i: &usize| (0..dim).all(|j| lambda[i * dim + j] == 0.0 && lambda[j * dim + i] == 0.0);
            let mut spectrum = Self::decompose(dim, lambda, (0..dim).filter(|i| !zero(i)).collect())?;
            let least = spectrum.least_accepted();
            if c == Exponent::One && spectrum.smallest() >= -least {
                for eigenvalue in spectrum.eigen.eigenvalues.iter_mut().filter(|e| **e <= least) {
                    *eigenvalue = 0.0;
                }
                return Ok(spectrum);
            }
            spectrum.regular()
        }

        fn decompose(dim: usize, lambda: &[f64], block: Vec<usize>) -> Result<Self> {
            expect_some("feature dimension", dim)?;
            expect_table("Λ", dim, dim, lambda.len())?;
            all_finite("Λ", lambda)?;
            if block.is_empty() {
                return Err(Error::Singular { what: "Λ", rank: 0 });
            }
            let entries = block.iter().flat_map(|i| block.iter().map(move |j| lambda[i * dim + j]));
            let eigen = SymmetricEigen::new(DMatrix::from_row_iterator(block.len(), block.len(), entries));
            Ok(Self { eigen, block, dim })
        }

        #[allow(clippy::cast_precision_loss)] // dimensions are far below 2^53
        fn least_accepted(&self) -> f64 {
            self.block.len() as f64 * f64::EPSILON * self.norm()
        }

        fn regular(self) -> Result<Self> {
            let (smallest_eigenvalue, expected_at_least) = (self.smallest(), self.least_accepted());
            // A NaN must fail too, so the comparison is written for success.
            if smallest_eigenvalue > expected_at_least {
                Ok(self)
            } else {
                Err(Error::NearSingular { smallest_eigenvalue, expected_at_least })
            }
        }

        /// The smallest eigenvalue.
        #[must_use]
        pub fn smallest(&self) -> f64 {
            self.eigen.eigenvalues.min()
        }

        /// ‖Λ‖₂, the largest eigenvalue.
        #[must_use]
        pub fn norm(&self) -> f64 {
            self.eigen.eigenvalues.max()
        }

        /// Λ^p, by rows.
        #[must_use]
        pub fn power(&self, p: f64) -> Vec<f64> {
            let dim = self.block.len();
            let powers: Vec<f64> = self.eigen.eigenvalues.iter().map(|e| power_of(*e, p)).collect();
            let mut out = vec![0.0; dim * dim];
            // Σ_k λ_k^p q_k q_kᵀ, term by term: a matrix product would take a fused path on some machines.
            for (column, power) in self.eigen.eigenvectors.column_iter().zip(&powers) {
                for (i, row) in out.chunks_exact_mut(dim).enumerate() {
                    add_scaled(&(column[i] * power), column.as_slice(), row);
                }
            }
            symmetrise(dim, &mut out);
            self.placed(out)
        }

        /// The block's matrix at its place among zeros.
        fn placed(&self, matrix: Vec<f64>) -> Vec<f64> {
            if self.block.len() == self.dim {
                return matrix;
            }
            let mut out = vec![0.0; self.dim * self.dim];
            for (entries, i) in matrix.chunks_exact(self.block.len()).zip(&self.block) {
                for (entry, j) in entries.iter().zip(&self.block) {
                    out[i * self.dim + j] = *entry;
                }
            }
            out
        }

        /// Λ^c.
        #[must_use]
        pub fn power_c(&self, c: Exponent) -> Vec<f64> {
            self.power(c.value())
        }

        /// Λ^{c−1}; `None` at c = 1, where it is the identity.
        #[must_use]
        pub fn weight(&self, c: Exponent) -> Option<Vec<f64>> {
            match c {
                Exponent::One => None,
                Exponent::Half => Some(self.power(-0.5)),
            }
        }

        /// Tr(Λ^{2c−1}): Tr Λ at c = 1, the rank of Λ at c = 1/2.
        #[must_use]
        pub fn trace_2c_minus_1(&self, c: Exponent) -> f64 {
            self.eigen.eigenvalues.iter().map(|e| power_of(*e, 2.0 * c.value() - 1.0)).sum()
        }

        /// ‖Λ‖₂^{2c−1}.
        #[must_use]
        pub fn norm_2c_minus_1(&self, c: Exponent) -> f64 {
            libm::pow(self.norm(), 2.0 * c.value() - 1.0)
        }
    }
}

#[cfg(feature = "std")]
pub use spectral::Spectrum;
#[cfg(feature = "std")]
pub(crate) use spectral::power_of;

impl Exponent {
    /// c as a number.
    #[must_use]
    pub const fn value(self) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Half => 0.5,
        }
    }
}
