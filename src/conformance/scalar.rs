//! The numbers the slow reference runs on: doubles, exact rationals, and doubles that know how wrong they may be.

use core::ops::{Add, Div, Mul, Sub};
use std::vec::Vec;

/// What the reference needs of a number. Sums and products of vectors are operations of their own, because a bound on
/// their error should hold for every order of summation.
pub trait Scalar:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + core::fmt::Debug
{
    /// The double.
    fn of(x: f64) -> Self;

    /// eˣ.
    #[must_use]
    fn exp(&self) -> Self;

    /// The greater one.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Σ of the terms, from the first to the last.
    fn sum(terms: &[Self]) -> Self;

    /// ⟨a, b⟩, in the library's order.
    fn dot(a: &[Self], b: &[Self]) -> Self;

    /// ⟨left, M right⟩ for a matrix by rows.
    fn bilinear(left: &[Self], matrix: &[Self], right: &[Self]) -> Self {
        let image: Vec<Self> = matrix.chunks(right.len()).map(|row| Self::dot(row, right)).collect();
        Self::dot(left, &image)
    }

    /// Π onto the ball of radius D. `spread` bounds the Euclidean error of `y` and is updated.
    fn project(y: &mut [Self], radius: f64, spread: &mut f64);

    /// Π onto [0, 1].
    #[must_use]
    fn clamp(self) -> Self;

    /// The first action whose cumulative probability exceeds u; `None` where that cannot be decided.
    fn draw(policy: &[Self], u: f64) -> Option<usize>;

    /// The average of the points, each component from the first point to the last, then times 1/K; and its spread, from
    /// those of the points.
    #[must_use]
    fn average(points: &[Vec<Self>], _spreads: &[f64]) -> (Vec<Self>, f64) {
        (average(points), 0.0)
    }

    /// The Euclidean norm of the errors in `new` beyond those in `old`.
    #[must_use]
    fn added_spread(_old: &[Self], _new: &[Self]) -> f64 {
        0.0
    }
}

pub(crate) fn average<T: Scalar>(points: &[Vec<T>]) -> Vec<T> {
    #[allow(clippy::cast_precision_loss)] // counts are far below 2^53
    let reciprocal = T::of(1.0) / T::of(points.len() as f64);
    let column = |i: usize| points.iter().map(|point| point[i].clone()).collect::<Vec<_>>();
    let dim = points.first().map_or(0, Vec::len);
    (0..dim).map(|i| T::sum(&column(i)) * reciprocal.clone()).collect()
}

impl Scalar for f64 {
    fn of(x: f64) -> Self {
        x
    }

    fn exp(&self) -> Self {
        crate::number::exponential::exp(*self)
    }

    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    fn sum(terms: &[Self]) -> Self {
        terms.iter().fold(0.0, |sum, x| sum + x)
    }

    /// Eight running sums, folded in halves.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let mut lane = [0.0; 8];
        for (i, (x, y)) in a.iter().zip(b).enumerate() {
            lane[i % 8] += x * y;
        }
        ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))
    }

    fn project(y: &mut [Self], radius: f64, _spread: &mut f64) {
        let norm = libm::sqrt(Self::dot(y, y));
        if norm > radius {
            for x in y {
                *x *= radius / norm;
            }
        }
    }

    fn clamp(self) -> Self {
        f64::clamp(self, 0.0, 1.0)
    }

    fn draw(policy: &[Self], u: f64) -> Option<usize> {
        let mut cumulative = 0.0;
        let found = policy.iter().position(|p| {
            cumulative += p;
            cumulative > u
        });
        found.or_else(|| policy.iter().rposition(|p| *p > 0.0))
    }
}

/// Exact: what is not rational is `INVALID`, and so is everything computed from it.
#[cfg(feature = "exact")]
mod exact {
    use super::Scalar;
    use crate::number::Field;
    use crate::number::exact::BigRational;
    use dashu_base::SquareRoot;

    /// √x where it is rational.
    fn root(x: &BigRational) -> BigRational {
        let (Some(p), Some(q)) = (x.numerator(), x.denominator()) else { return BigRational::INVALID };
        let Ok(p) = dashu_int::UBig::try_from(p.clone()) else { return BigRational::INVALID };
        let (a, b) = (p.sqrt(), q.sqrt());
        let is_square = &a * &a == p && &b * &b == *q;
        if is_square { BigRational::from_parts(a.into(), b) } else { BigRational::INVALID }
    }

    impl Scalar for BigRational {
        fn of(x: f64) -> Self {
            Self::from_f64(x).unwrap_or(Self::INVALID)
        }

        fn exp(&self) -> Self {
            if self.is_zero() { Self::one() } else { Self::INVALID }
        }

        fn max(self, other: Self) -> Self {
            match self.partial_cmp(&other) {
                None => Self::INVALID,
                Some(core::cmp::Ordering::Less) => other,
                Some(_) => self,
            }
        }

        fn sum(terms: &[Self]) -> Self {
            terms.iter().fold(Self::zero(), |sum, x| sum + x)
        }

        fn dot(a: &[Self], b: &[Self]) -> Self {
            a.iter().zip(b).fold(Self::zero(), |sum, (x, y)| sum + x.clone() * y)
        }

        fn project(y: &mut [Self], radius: f64, _spread: &mut f64) {
            let (squared, radius) = (Self::dot(y, y), Self::of(radius));
            if squared <= radius.clone() * &radius {
                return;
            }
            let factor = radius / root(&squared);
            for x in y {
                *x = x.clone() * &factor;
            }
        }

        fn clamp(self) -> Self {
            if self < Self::zero() {
                Self::zero()
            } else if self > Self::one() {
                Self::one()
            } else {
                self
            }
        }

        fn draw(policy: &[Self], u: f64) -> Option<usize> {
            let u = Self::of(u);
            let mut cumulative = Self::zero();
            for (a, p) in policy.iter().enumerate() {
                cumulative = cumulative + p;
                if !cumulative.is_valid() {
                    return None;
                }
                if cumulative > u {
                    return Some(a);
                }
            }
            None
        }
    }
}
