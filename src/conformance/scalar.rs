//! The numbers that the kit's runs are made of: doubles, and exact rationals.

use crate::error::Result;
use crate::linear::projection::project_ball;
use crate::linear::softmax::inverse_cdf;
use crate::number::Real;

/// What the kit asks of a number beyond [`Real`]: the lines of a box that a number that may be unknown, or a sum that is still to be
/// evaluated, has to take another way. The defaults are the box's.
pub trait Scalar: Real {
    /// The double.
    fn of(x: f64) -> Self;

    /// Where a formula ends and a number of its own begins.
    #[must_use]
    fn settled(self) -> Self {
        self
    }

    /// Π onto the ball.
    fn project(unprojected: &[Self], radius: &Self, point: &mut [Self]) -> Result<()> {
        point.clone_from_slice(unprojected);
        project_ball(point, radius)
    }

    /// A' by u; `Err` where that cannot be decided.
    fn draw(policy: &[Self], u: &Self) -> Result<usize> {
        inverse_cdf(policy, u)
    }

    /// The wrong A': the first action whose cumulative probability is at least u.
    fn draw_reaching(policy: &[Self], u: &Self) -> Result<usize> {
        let mut cumulative = Self::zero();
        for (a, p) in policy.iter().enumerate() {
            cumulative += p.clone();
            if cumulative >= *u {
                return Ok(a);
            }
        }
        Self::draw(policy, u)
    }
}

impl Scalar for f64 {
    fn of(x: f64) -> Self {
        x
    }
}

#[cfg(feature = "exact")]
pub use exact::Known;

#[cfg(feature = "exact")]
mod exact {
    use super::Scalar;
    use crate::error::{Error, Result};
    use crate::linear::vector::{inner, scale};
    use crate::number::elimination::Eliminate;
    use crate::number::exact::BigRational;
    use crate::number::{Field, Real};
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
    use dashu_base::SquareRoot;

    /// Either an exactly known number or an unknown one (`INVALID`), such as an irrational root. Unlike NaN, it does not stop a run.
    #[derive(Debug, Clone, PartialEq, PartialOrd)]
    pub struct Known(pub BigRational);

    macro_rules! operator {
        ($($operator:ident $method:ident),*) => {$(
            impl $operator for Known {
                type Output = Self;
                fn $method(self, other: Self) -> Self {
                    Self(self.0.$method(other.0))
                }
            }

            impl $operator<&Self> for Known {
                type Output = Self;
                fn $method(self, other: &Self) -> Self {
                    Self(self.0.$method(&other.0))
                }
            }
        )*};
    }
    operator!(Add add, Sub sub, Mul mul, Div div);

    impl Neg for Known {
        type Output = Self;
        fn neg(self) -> Self {
            Self(-self.0)
        }
    }

    impl AddAssign for Known {
        fn add_assign(&mut self, other: Self) {
            self.0 += other.0;
        }
    }

    impl SubAssign for Known {
        fn sub_assign(&mut self, other: Self) {
            self.0 -= other.0;
        }
    }

    impl Eliminate for Known {}

    impl Field for Known {
        fn zero() -> Self {
            Self(BigRational::zero())
        }

        fn one() -> Self {
            Self(BigRational::one())
        }

        fn from_int(n: i64) -> Self {
            Self(BigRational::from_int(n))
        }

        fn is_valid(&self) -> bool {
            true
        }

        fn rounding(operations: usize) -> Self {
            Self(BigRational::rounding(operations))
        }
    }

    impl Real for Known {
        fn sqrt(&self) -> Self {
            let unknown = Self(BigRational::INVALID);
            let (Some(p), Some(q)) = (self.0.numerator(), self.0.denominator()) else { return unknown };
            let Ok(p) = dashu_int::UBig::try_from(p.clone()) else { return unknown };
            let (a, b) = (p.sqrt(), q.sqrt());
            let is_square = &a * &a == p && &b * &b == *q;
            if is_square { Self(BigRational::from_parts(a.into(), b)) } else { unknown }
        }

        fn exp(&self) -> Self {
            if self.is_zero() { Self::one() } else { Self(BigRational::INVALID) }
        }

        fn ln(&self) -> Self {
            if *self == Self::one() { Self::zero() } else { Self(BigRational::INVALID) }
        }
    }

    impl Scalar for Known {
        fn of(x: f64) -> Self {
            Self(BigRational::from_f64(x).unwrap_or(BigRational::INVALID))
        }

        /// ‖y‖ ≤ D is decided by the squares; where ‖y‖ is not known, nor is the projection.
        fn project(unprojected: &[Self], radius: &Self, point: &mut [Self]) -> Result<()> {
            point.clone_from_slice(unprojected);
            let squared = inner(point, point);
            if squared <= radius.clone() * radius {
                return Ok(());
            }
            scale(&(radius.clone() / squared.sqrt()), point);
            Ok(())
        }

        fn draw(policy: &[Self], u: &Self) -> Result<usize> {
            drawn(policy, |cumulative| cumulative > u)
        }

        fn draw_reaching(policy: &[Self], u: &Self) -> Result<usize> {
            drawn(policy, |cumulative| cumulative >= u)
        }
    }

    /// The first action whose cumulative probability is far enough, where every one up to it is known.
    fn drawn(policy: &[Known], is_enough: impl Fn(&Known) -> bool) -> Result<usize> {
        let mut cumulative = Known::zero();
        for (a, p) in policy.iter().enumerate() {
            cumulative += p.clone();
            if !cumulative.0.is_valid() {
                break;
            }
            if is_enough(&cumulative) {
                return Ok(a);
            }
        }
        Err(Error::OutOfRange { what: "u", index: Error::SCALAR, expected: "a draw of known probabilities" })
    }
}
