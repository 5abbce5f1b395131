//! The numbers everything is generic over: `f64` runs, exact rationals check.
//!
//! # How invalid results travel
//! Arithmetic operators never panic and never wrap. A result that cannot be represented becomes the scalar's
//! *invalid* value (NaN or infinity for `f64`, [`crate::number::rational::Rational64::INVALID`] for a fixed-width
//! rational, `BigRational::INVALID` for a quotient by zero), which is absorbing, and the public function that
//! produced it returns [`Error::NotFinite`](crate::Error::NotFinite). All the same, no generic code in this crate
//! divides before it has compared the divisor with zero.

pub mod elimination;
#[cfg(feature = "exact")]
pub mod exact;
pub mod exponential;
#[cfg(any(feature = "std", feature = "exact"))]
pub mod interrupt;
#[cfg(feature = "exact")]
pub mod interval;
pub(crate) mod notation;
pub mod outward;
pub mod rational;

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use elimination::Eliminate;

/// An ordered field, up to rounding.
pub trait Field:
    Eliminate
    + Clone
    + Debug
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
    + for<'a> Div<&'a Self, Output = Self>
{
    /// 0.
    fn zero() -> Self;

    /// 1.
    fn one() -> Self;

    /// The integer `n`; invalid where it does not fit.
    fn from_int(n: i64) -> Self;

    /// A count; invalid where it does not fit.
    #[must_use]
    fn from_count(n: usize) -> Self {
        if let Ok(n) = i64::try_from(n) {
            return Self::from_int(n);
        }
        let (half, rest) = (Self::from_int((n >> 1) as i64), Self::from_int((n & 1) as i64));
        half.clone() + &half + &rest
    }

    /// False for NaN, infinities and overflowed rationals.
    fn is_valid(&self) -> bool;

    /// An upper bound on the relative error that `operations` successive roundings build up:
    /// n·u/(1 − n·u) with u the unit roundoff; 0 for exact scalars.
    #[must_use]
    fn rounding(operations: usize) -> Self;

    /// `n / d`, the fraction; invalid for `d = 0`.
    #[must_use]
    fn ratio(n: i64, d: i64) -> Self {
        Self::from_int(n) / Self::from_int(d)
    }

    /// Whether this is 0.
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }

    /// self ← self + x·y. A scalar with costly operations may leave out what a zero makes superfluous.
    #[inline]
    fn add_times(&mut self, x: &Self, y: &Self) {
        *self += x.clone() * y;
    }

    /// |x|.
    #[must_use]
    fn abs(&self) -> Self {
        if *self < Self::zero() { -self.clone() } else { self.clone() }
    }
}

/// A field with the operations beyond it that the algorithms (√, exp) and Lemma D.2 (log) use.
pub trait Real: Field {
    /// √x, rounded.
    #[must_use]
    fn sqrt(&self) -> Self;

    /// eˣ, rounded.
    #[must_use]
    fn exp(&self) -> Self;

    /// log x, rounded.
    #[must_use]
    fn ln(&self) -> Self;
}

impl Field for f64 {
    #[inline]
    fn zero() -> Self {
        0.0
    }

    #[inline]
    fn one() -> Self {
        1.0
    }

    #[inline]
    #[allow(clippy::cast_precision_loss)] // rounding is what a float does
    fn from_int(n: i64) -> Self {
        n as f64
    }

    #[inline]
    fn is_valid(&self) -> bool {
        self.is_finite()
    }

    #[allow(clippy::cast_precision_loss)] // operation counts are far below 2^53
    fn rounding(operations: usize) -> Self {
        let nu = operations as f64 * (f64::EPSILON / 2.0);
        nu / (1.0 - nu)
    }
}

impl Real for f64 {
    /// Correctly rounded, hence the same on every machine.
    #[inline(always)]
    fn sqrt(&self) -> Self {
        #[cfg(feature = "std")]
        return f64::sqrt(*self);
        #[cfg(not(feature = "std"))]
        return libm::sqrt(*self);
    }

    /// [`crate::number::exponential::exp`], not the platform's, so that traces are the same bytes everywhere.
    #[inline(always)]
    fn exp(&self) -> Self {
        crate::number::exponential::exp(*self)
    }

    #[inline]
    fn ln(&self) -> Self {
        libm::log(*self)
    }
}

/// How many doubles lie between two, counting the second; the largest count where one is not a number.
#[must_use]
pub fn ulps(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let size = i128::from(x.to_bits() & !(1 << 63));
        if x.is_sign_negative() { -size } else { size }
    };
    if a.is_nan() || b.is_nan() {
        return u64::MAX;
    }
    u64::try_from((place(a) - place(b)).unsigned_abs()).unwrap_or(u64::MAX)
}
