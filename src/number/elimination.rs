//! How a scalar goes through Gaussian elimination ([`crate::linear::solve`]): apart from [`Field`], which is the numbers.

use super::Field;

/// Elimination by the fraction-free (Bareiss) rule with the first pivot that is not 0, unless the scalar knows better.
pub trait Eliminate: Sized {
    /// Whether `self` makes a better pivot than `other`: both are non-zero. Floating point wants the larger
    /// magnitude and big rationals the shorter number; the default keeps the first.
    fn better_pivot(&self, _other: &Self) -> bool {
        false
    }

    /// Multiplies one row of a linear system, left and right side, by a positive number that makes its entries
    /// integers; a no-op where integers are not special.
    fn clear_denominators(_left: &mut [Self], _right: &mut [Self]) {}

    /// One entry of one elimination step: `self` becomes (pivot·self − left·top)/previous, the fraction-free
    /// rule. When the system's entries are integers, so is the result.
    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, previous: &Self)
    where
        Self: Field,
    {
        *self = (pivot.clone() * &*self - left.clone() * top) / previous;
    }

    /// `self` ← `self`/`divisor`, where integers are known to have an integer quotient; `divisor` is not 0.
    fn divide_exactly(&mut self, divisor: &Self)
    where
        Self: Field,
    {
        *self = self.clone() / divisor;
    }

    /// What a linear system's solution is multiplied by during back substitution, from the last pivot of its
    /// elimination. After [`Eliminate::clear_denominators`] that pivot is ± the determinant, which makes the solution
    /// integral (Cramer); where integers are not special there is nothing to gain, so the default is 1.
    #[must_use]
    fn denominator_of_solution(&self) -> Self
    where
        Self: Field,
    {
        Self::one()
    }

    /// Solves A X = B in place of elimination, where the scalar knows a faster way, and says whether it did; `a` (n×n) is
    /// overwritten, and `b` (n×m) becomes X, or is left equivalent to what it was.
    fn solve_by_lifting(_n: usize, _a: &mut [Self], _b: &mut [Self]) -> bool {
        false
    }
}

impl Eliminate for f64 {
    fn better_pivot(&self, other: &Self) -> bool {
        f64::abs(*self) > f64::abs(*other)
    }

    /// Ordinary elimination: the fraction-free rule would overflow, its entries being determinants.
    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, _previous: &Self) {
        *self -= left / pivot * top;
    }
}
