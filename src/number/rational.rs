//! Fixed-width rationals: the fast exact scalar of the exhaustive tables.
//!
//! Always normalised: lowest terms, positive denominator. A result that does not fit is
//! [`INVALID`](Rational64::INVALID), which absorbs every operation, equals nothing and orders with nothing, as NaN
//! does; it never wraps. The `checked_*` methods report the same as an `Err`. The same source is instantiated
//! at 8 bits, where Kani verifies every operation for every input, given the gcd of two products.

use crate::error::{Error, Result};
use crate::number::Field;
use crate::number::elimination::Eliminate;
use crate::number::notation::{self, Notation};
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use core::str::FromStr;

macro_rules! fixed_rational {
    ($(#[$doc:meta])* $name:ident, $int:ty, $wide:ty, $unsigned:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[cfg_attr(kani, derive(kani::Arbitrary))]
        pub struct $name {
            numerator: $int,
            denominator: $int,
        }

        impl $name {
            /// What does not fit, or has no value; the only one with denominator 0.
            pub const INVALID: Self = Self { numerator: 0, denominator: 0 };

            /// `numerator / denominator` in lowest terms.
            pub fn new(numerator: $int, denominator: $int) -> Result<Self> {
                Self::reduced(numerator.into(), denominator.into()).valid()
            }

            /// [`FromStr`] before the text is known to be UTF-8.
            pub(crate) fn from_bytes(text: &[u8]) -> Result<Self> {
                let malformed = Error::Syntax { what: "number", expected: notation::EXPECTED };
                let append = |n: Option<$int>, digit| n?.checked_mul(10)?.checked_add(digit as $int);
                let number = notation::read(text, Some(0), append).ok_or(malformed)?;
                Self::written(number).unwrap_or(Self::INVALID).valid()
            }

            /// The numerator, in lowest terms.
            #[must_use]
            pub const fn numerator(self) -> $int {
                self.numerator
            }

            /// The denominator, in lowest terms and positive; 0 for [`Self::INVALID`].
            #[must_use]
            pub const fn denominator(self) -> $int {
                self.denominator
            }

            /// The invariant: lowest terms and a positive denominator, or invalid.
            #[must_use]
            pub fn is_normalised(self) -> bool {
                if self.denominator == 0 {
                    return self.numerator == 0;
                }
                self.denominator > 0
                    && self.numerator != <$int>::MIN
                    && Self::gcd(self.numerator.unsigned_abs(), self.denominator.unsigned_abs()) == 1
            }

            /// Binary gcd: shifts and subtractions, which are cheaper than divisions to run and to verify.
            fn gcd(mut a: $unsigned, mut b: $unsigned) -> $unsigned {
                if a == 0 || b == 0 {
                    return a | b;
                }
                let shift = (a | b).trailing_zeros();
                a >>= a.trailing_zeros();
                while b != 0 {
                    b >>= b.trailing_zeros();
                    (a, b) = (a.min(b), a.max(b) - a.min(b));
                }
                a << shift
            }

            fn wide_gcd(mut a: $wide, mut b: $wide) -> $wide {
                while b != 0 {
                    // Drop to the native width as soon as both fit: wide division is several times dearer.
                    if let (Ok(x), Ok(y)) = (<$unsigned>::try_from(a), <$unsigned>::try_from(b)) {
                        return Self::gcd(x, y).into();
                    }
                    (a, b) = (b, a % b);
                }
                a
            }

            /// Lowest terms of a quotient of products of two components each, which cannot overflow `$wide`.
            pub(crate) fn reduced(numerator: $wide, denominator: $wide) -> Self {
                if denominator == 0 {
                    return Self::INVALID;
                }
                if let (Ok(n), Ok(d)) = (<$int>::try_from(numerator), <$int>::try_from(denominator)) {
                    return Self::reduced_narrow(n, d);
                }
                let divisor = Self::wide_gcd(numerator.abs(), denominator.abs());
                let sign = denominator.signum();
                let fits = |n: $wide| <$int>::try_from(n).ok().filter(|&n| n != <$int>::MIN);
                match (fits(sign * (numerator / divisor)), fits(sign * (denominator / divisor))) {
                    (Some(numerator), Some(denominator)) => Self { numerator, denominator },
                    _ => Self::INVALID,
                }
            }

            /// The same at the native width, where nearly all of the work is; `denominator` is not 0.
            #[cfg_attr(kani, kani::requires(denominator != 0))]
            #[cfg_attr(kani, kani::ensures(|x| if x.denominator == 0 {
                numerator == <$int>::MIN || denominator == <$int>::MIN
            } else {
                let product = |m: $int, n: $int| <$wide>::from(m) * <$wide>::from(n);
                x.denominator > 0 && x.numerator > <$int>::MIN && product(x.numerator, denominator) == product(numerator, x.denominator)
            }))]
            pub(crate) fn reduced_narrow(numerator: $int, denominator: $int) -> Self {
                if denominator == 1 && numerator != <$int>::MIN {
                    return Self { numerator, denominator };
                }
                let divisor = Self::gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
                let negative = (numerator < 0) != (denominator < 0);
                let fits = |n: $unsigned| <$int>::try_from(n / divisor).ok();
                match (fits(numerator.unsigned_abs()), fits(denominator.unsigned_abs())) {
                    (Some(n), Some(denominator)) => Self { numerator: if negative { -n } else { n }, denominator },
                    _ => Self::INVALID,
                }
            }

            fn valid(self) -> Result<Self> {
                if self.denominator == 0 {
                    Err(Error::NotFinite { what: "rational", index: Error::SCALAR })
                } else {
                    Ok(self)
                }
            }

            /// The number as written; `None` where its numerator or denominator, before it is reduced, does not fit.
            fn written(number: Notation<Option<$int>>) -> Option<Self> {
                let (mut numerator, mut denominator) = (number.digits?, number.denominator.unwrap_or(Some(1))?);
                let scaled = if number.power < 0 { &mut denominator } else { &mut numerator };
                let mut power = number.power.unsigned_abs();
                // Of 0 every power is 0, and any other number soon does not fit.
                while power > 0 && *scaled != 0 {
                    (*scaled, power) = (scaled.checked_mul(10)?, power - 1);
                }
                Self::new(if number.negative { -numerator } else { numerator }, denominator).ok()
            }

            fn wide(self) -> ($wide, $wide) {
                (self.numerator.into(), self.denominator.into())
            }

            /// The sum, or an error where it does not fit.
            pub fn checked_add(self, other: Self) -> Result<Self> {
                (self + other).valid()
            }

            /// The difference, or an error where it does not fit.
            pub fn checked_sub(self, other: Self) -> Result<Self> {
                (self - other).valid()
            }

            /// The product, or an error where it does not fit.
            pub fn checked_mul(self, other: Self) -> Result<Self> {
                (self * other).valid()
            }

            /// The quotient, or an error where it does not fit or `other` is 0.
            pub fn checked_div(self, other: Self) -> Result<Self> {
                (self / other).valid()
            }
        }

        /// Reads `p/q`, an integer or a decimal with an optional exponent, exactly, or says what it expected.
        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                Self::from_bytes(text.as_bytes())
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                // Most terms of a sparse model are 0: no arithmetic for those.
                if self.denominator == 1 && self.numerator == 0 {
                    return other;
                }
                if other.denominator == 1 && other.numerator == 0 {
                    return self;
                }
                let ((a, b), (c, d)) = (self.wide(), other.wide());
                if b == d {
                    return Self::reduced(a + c, b);
                }
                Self::reduced(a * d + c * b, b * d)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                self + -other
            }
        }

        impl Mul for $name {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                let zero = |x: Self| x.denominator == 1 && x.numerator == 0;
                if self.denominator != 0 && other.denominator != 0 && (zero(self) || zero(other)) {
                    return Self::zero();
                }
                let ((a, b), (c, d)) = (self.wide(), other.wide());
                Self::reduced(a * c, b * d)
            }
        }

        impl Div for $name {
            type Output = Self;
            fn div(self, other: Self) -> Self {
                let ((a, b), (c, d)) = (self.wide(), other.wide());
                if d == 0 {
                    return Self::INVALID;
                }
                Self::reduced(a * d, b * c)
            }
        }

        impl Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                // The numerator is never MIN, so this cannot overflow.
                Self { numerator: -self.numerator, denominator: self.denominator }
            }
        }

        fixed_rational!(@by_reference $name, Add add, Sub sub, Mul mul, Div div);

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.denominator != 0
                    && self.numerator == other.numerator
                    && self.denominator == other.denominator
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                let ((a, b), (c, d)) = (self.wide(), other.wide());
                if b == 0 || d == 0 { None } else { Some((a * d).cmp(&(c * b))) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.denominator {
                    0 => f.write_str("invalid"),
                    1 => write!(f, "{}", self.numerator),
                    d => write!(f, "{}/{d}", self.numerator),
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl Eliminate for $name {}

        impl Field for $name {
            fn zero() -> Self {
                Self { numerator: 0, denominator: 1 }
            }

            fn one() -> Self {
                Self { numerator: 1, denominator: 1 }
            }

            fn from_int(n: i64) -> Self {
                <$int>::try_from(n).map_or(Self::INVALID, |n| Self::reduced(n.into(), 1))
            }

            fn is_valid(&self) -> bool {
                self.denominator != 0
            }

            fn rounding(_operations: usize) -> Self {
                Self::zero()
            }

            fn is_zero(&self) -> bool {
                self.denominator != 0 && self.numerator == 0
            }
        }
    };
    (@by_reference $name:ident, $($operator:ident $method:ident),*) => {$(
        impl<'a> $operator<&'a $name> for $name {
            type Output = Self;
            fn $method(self, other: &'a Self) -> Self {
                self.$method(*other)
            }
        }
    )*};
}

fixed_rational!(
    /// A rational of 64-bit parts; intermediate products are 128 bits wide.
    Rational64, i64, i128, u64
);
fixed_rational!(
    /// A rational of 8-bit parts: too small to compute with, small enough for Kani and for all pairs to be enumerated.
    Rational8, i8, i16, u8
);
