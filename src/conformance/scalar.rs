//! The numbers that the kit's runs are made of: doubles, exact rationals, and doubles that know how wrong they may be.

use crate::error::{Error, Result};
use crate::linear::projection::{project_ball, project_unit_interval};
use crate::linear::softmax::{draw_action, inverse_cdf};
use crate::linear::vector::inner;
use crate::number::bounded::{Bounded, UNIT};
use crate::number::{Field, Real};
use crate::paper::lines::{AsCorrected, Lines};
use std::vec::Vec;

/// What the kit asks of a number beyond [`Real`]: the lines of a box that a bound on an error, or a number that may be unknown, has to
/// take another way. The defaults are the box's.
pub trait Scalar: Real {
    /// The double.
    fn of(x: f64) -> Self;

    /// Where a formula ends and a number of its own begins.
    #[must_use]
    fn settled(self) -> Self {
        self
    }

    /// Π onto the ball. `spread` bounds the Euclidean error of `point`, before and after.
    fn project(unprojected: &[Self], radius: &Self, point: &mut [Self], _spread: &mut f64) -> Result<()> {
        point.clone_from_slice(unprojected);
        project_ball(point, radius)
    }

    /// [`Scalar::project`] with the projection forgotten.
    fn carry(unprojected: &[Self], point: &mut [Self], _spread: &mut f64) {
        point.clone_from_slice(unprojected);
    }

    /// Π onto [0, 1].
    fn clamp(unprojected: &Self) -> Result<Self> {
        project_unit_interval(unprojected.clone())
    }

    /// A' by u; `Err` where that cannot be decided.
    fn draw(policy: &[Self], u: &Self) -> Result<usize> {
        inverse_cdf(policy, u)
    }

    /// The average, from the sum of the iterates; returns its spread, from theirs.
    fn average(sum: &[Self], count: usize, _spreads: &[f64], point: &mut [Self]) -> f64 {
        AsCorrected.average(sum, count, point);
        0.0
    }
}

impl Scalar for f64 {
    fn of(x: f64) -> Self {
        x
    }
}

/// A draw that different implementations may decide differently.
const UNDECIDED: Error = Error::OutOfRange { what: "u", index: 0, expected: "a draw that rounding does not decide" };

fn values(x: &[Bounded]) -> Vec<f64> {
    x.iter().map(|x| x.value).collect()
}

/// γ_n, to first order.
#[allow(clippy::cast_precision_loss)] // lengths are far below 2^53
fn roundings(n: usize) -> f64 {
    n as f64 * UNIT
}

/// What a step adds to the Euclidean error: the norm of the new errors beyond the old ones.
fn added_spread(old: &[Bounded], new: &[Bounded]) -> f64 {
    let added = |(old, new): (&Bounded, &Bounded)| (new.error() - old.error()) * (new.error() - old.error());
    let squares: f64 = old.iter().zip(new).map(added).sum();
    // The differences lose what rounding took from errors that nearly cancel.
    let cancelled: f64 = old.iter().map(|old| 4.0 * UNIT * old.error()).sum();
    libm::sqrt(squares) + cancelled
}

impl Scalar for Bounded {
    fn of(x: f64) -> Self {
        Self::new(x, 0.0)
    }

    fn settled(self) -> Self {
        Self::settled(self)
    }

    /// Π does not expand Euclidean distances, so the spread carries over, whichever way ‖y‖ > D is decided; where everybody is
    /// outside, it shrinks by D/‖y‖ (Dunkl and Williams: ‖x/‖x‖ − y/‖y‖‖ ≤ 2‖x − y‖/(‖x‖ + ‖y‖)). To it come the roundings of ‖y‖,
    /// D/‖y‖ and the product, d + 4 of them. Where nobody can be outside the ball, nothing happens.
    fn project(unprojected: &[Self], radius: &Self, point: &mut [Self], spread: &mut f64) -> Result<()> {
        Self::carry(unprojected, point, spread);
        let (mut projected, radius) = (values(unprojected), radius.value);
        let norm = libm::sqrt(inner(&projected, &projected));
        let slack = roundings(projected.len() + 4);
        let (least, greatest) = ((norm - 2.0 * *spread) * (1.0 - slack), (norm + 2.0 * *spread) * (1.0 + slack));
        if greatest < radius {
            return Ok(());
        }
        project_ball(&mut projected, &radius)?;
        let shrink = if least > radius { radius / least } else { 1.0 };
        *spread = shrink * *spread + slack * radius * (1.0 + slack);
        for (x, value) in point.iter_mut().zip(projected) {
            *x = Self::new(value, *spread);
        }
        Ok(())
    }

    fn carry(unprojected: &[Self], point: &mut [Self], spread: &mut f64) {
        *spread += added_spread(point, unprojected);
        for (x, y) in point.iter_mut().zip(unprojected) {
            *x = y.settled();
        }
    }

    fn clamp(unprojected: &Self) -> Result<Self> {
        Ok(Self::new(project_unit_interval(unprojected.value)?, unprojected.error()))
    }

    /// `Err` where u lies within the error of a cumulative probability.
    fn draw(policy: &[Self], u: &Self) -> Result<usize> {
        let mut cumulative = Self::zero();
        for p in policy {
            cumulative += *p;
            if (cumulative.value - u.value).abs() <= 2.0 * cumulative.error() {
                return Err(UNDECIDED);
            }
        }
        Ok(draw_action(&values(policy), &u.value))
    }

    /// The spreads average too; to them comes the rounding of K additions, of 1/K and of the product.
    fn average(sum: &[Self], count: usize, spreads: &[f64], point: &mut [Self]) -> f64 {
        AsCorrected.average(sum, count, point);
        #[allow(clippy::cast_precision_loss)] // counts are far below 2^53
        let rounding = |sum: &Self| roundings(count + 2) * sum.size() / count as f64;
        let squares: f64 = sum.iter().map(|sum| rounding(sum) * rounding(sum)).sum();
        #[allow(clippy::cast_precision_loss)]
        let spread = spreads.iter().sum::<f64>() / count as f64 + libm::sqrt(squares);
        for x in point {
            *x = Self::new(x.value, x.error().min(spread));
        }
        spread
    }
}

#[cfg(feature = "exact")]
pub use exact::Known;

#[cfg(feature = "exact")]
mod exact {
    use super::{Scalar, UNDECIDED};
    use crate::error::Result;
    use crate::linear::vector::{inner, scale};
    use crate::number::elimination::Eliminate;
    use crate::number::exact::BigRational;
    use crate::number::{Field, Real};
    use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
    use dashu_base::SquareRoot;

    /// A number that is known exactly, or (`INVALID`) a number all the same that is not: the root of what is no square, the exponential of
    /// what is not 0, and everything computed from one. A run does not stop at it, as it does at a number that is none.
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
        fn project(unprojected: &[Self], radius: &Self, point: &mut [Self], _spread: &mut f64) -> Result<()> {
            point.clone_from_slice(unprojected);
            let squared = inner(point, point);
            if squared <= radius.clone() * radius {
                return Ok(());
            }
            scale(&(radius.clone() / squared.sqrt()), point);
            Ok(())
        }

        fn draw(policy: &[Self], u: &Self) -> Result<usize> {
            let mut cumulative = Self::zero();
            for (a, p) in policy.iter().enumerate() {
                cumulative += p.clone();
                if !cumulative.0.is_valid() {
                    break;
                }
                if cumulative > *u {
                    return Ok(a);
                }
            }
            Err(UNDECIDED)
        }
    }
}
