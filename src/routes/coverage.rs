//! Λ and the ratios of Definition E.1, by what Λ is.

use super::{Structure, Symmetric};
use crate::error::{Error, Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{finite, inner};
use crate::number::Field;
use crate::paper::covariance::Exponent;
use crate::paper::coverage::{dagger_ratio_at_most, dagger_ratio_bracket, diamond_ratio_trace};

impl<T: Field> Structure<'_, T> {
    /// Λ = Σ μ(x,a) φφᵀ: a diagonal where every φ(x,a) has at most one component that is not zero, as φφᵀ then has no other entry. Equals
    /// [`covariance`](crate::paper::covariance::covariance).
    pub fn second_moment(&self, mu: &[T]) -> Result<Symmetric<T>> {
        let dim = self.shape().dim;
        expect_len("mu", self.shape().pairs(), mu.len())?;
        let seen = mu.iter().enumerate().filter(|(_, weight)| !weight.is_zero());
        if self.phi().single_entries() {
            let mut diagonal = vec![T::zero(); dim];
            seen.for_each(|(pair, weight)| {
                self.phi().for_each(pair, |j, phi| diagonal[j] += phi.clone() * phi * weight);
            });
            crate::linear::vector::all_finite("Λ", &diagonal)?;
            return Ok(Symmetric::Diagonal(diagonal));
        }
        let (mut rows, mut entries) = (vec![T::zero(); dim * dim], Vec::new());
        for (pair, weight) in seen {
            entries.clear();
            self.phi().for_each(pair, |j, phi| entries.push((j, phi.clone())));
            for (i, x) in &entries {
                for (j, y) in entries.iter().filter(|(j, _)| j <= i) {
                    rows[i * dim + j] += x.clone() * y * weight;
                }
            }
        }
        for i in 0..dim {
            for j in 0..i {
                rows[j * dim + i] = rows[i * dim + j].clone();
            }
        }
        crate::linear::vector::all_finite("Λ", &rows)?;
        Ok(Symmetric::of_rows(dim, rows))
    }
}

/// Definition 3.1's C_{φ,c} from λ* = Φᵀμ*: ⟨λ*, Λ^{−2c}λ*⟩. Equals [`coverage_ratio`](crate::paper::coverage::coverage_ratio).
pub fn coverage_ratio<T: Field>(c: Exponent, mean: &[T], lambda: &Symmetric<T>) -> Result<T> {
    let y = lambda.inverse_times(mean)?;
    finite(
        "C_{φ,c}",
        match c {
            Exponent::One => inner(&y, &y),
            Exponent::Half => inner(mean, &y),
        },
    )
}

fn same_dim<T: Field>(m: &Symmetric<T>, lambda: &Symmetric<T>) -> Result<usize> {
    let dim = lambda.checked_dim()?;
    expect_len("M", dim, m.checked_dim()?)?;
    Ok(dim)
}

/// (31): C^⋄ = Tr(MΛ⁻¹) with M = E\*\[φφᵀ\]; on a diagonal Λ that is Σᵢ mᵢᵢ/Λᵢᵢ. Equals
/// [`diamond_ratio`](crate::paper::coverage::diamond_ratio).
pub fn diamond_ratio<T: Field>(m: &Symmetric<T>, lambda: &Symmetric<T>) -> Result<T> {
    let dim = same_dim(m, lambda)?;
    if let (Symmetric::Diagonal(m), Symmetric::Diagonal(_)) = (m, lambda) {
        let quotients = lambda.inverse_times(m)?;
        return finite("C^⋄", quotients.into_iter().fold(T::zero(), |sum, q| sum + q));
    }
    let (m, rows) = (m.to_rows(), lambda.to_rows());
    let mut solution = m.clone();
    match solve_named("Λ", dim, &mut rows.clone(), &mut solution) {
        Ok(()) => finite("C^⋄", solution.iter().step_by(dim + 1).fold(T::zero(), |sum, entry| sum + entry)),
        Err(Error::Singular { .. }) => diamond_ratio_trace(dim, &m, &rows, &mut room(dim)),
        Err(other) => Err(other),
    }
}

/// C^†, between two bounds that are proved by exact definiteness tests: on diagonals max mᵢᵢ/Λᵢᵢ itself (τΛ − M ⪰ 0 says
/// τ ≥ mᵢᵢ/Λᵢᵢ for every i); else at 2⁻⁴¹ below and above `guess`, from doubles, where that succeeds, and by
/// [`dagger_ratio_bracket`] where it does not.
pub fn dagger_bracket<T: Field>(m: &Symmetric<T>, lambda: &Symmetric<T>, guess: Option<T>) -> Result<(T, T)> {
    let dim = same_dim(m, lambda)?;
    if let (Symmetric::Diagonal(m), Symmetric::Diagonal(_)) = (m, lambda) {
        let quotients = lambda.inverse_times(m)?;
        let largest = quotients.into_iter().fold(T::zero(), |largest, q| if q > largest { q } else { largest });
        return Ok((largest.clone(), largest));
    }
    let (m, rows, mut scratch) = (m.to_rows(), lambda.to_rows(), room(dim));
    if let Some(guess) = guess {
        let step = guess.clone() * T::ratio(1, 1 << 41);
        let (low, high) = (guess.clone() - &step, guess + step);
        let mut at_most = |tau: &T| dagger_ratio_at_most(dim, &m, &rows, tau, &mut scratch);
        if low > T::zero() && at_most(&high)? && !at_most(&low)? {
            return Ok((low, high));
        }
    }
    dagger_ratio_bracket(dim, &m, &rows, 40, &mut scratch)
}

/// Room for an elimination and a solution of least norm on d unknowns.
fn room<T: Field>(dim: usize) -> Vec<T> {
    vec![T::zero(); 4 * (dim + 4) * (dim + 4)]
}
