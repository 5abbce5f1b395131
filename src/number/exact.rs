//! Arbitrary-precision rationals: the exact scalar of audits and certificates (feature `exact`).
//!
//! A thin layer over `dashu-ratio`. What it adds: division by zero is [`BigRational::INVALID`], never a panic;
//! elimination runs on integers, without a single gcd; numbers are read and written as the file formats ask; a computation
//! can be stopped ([`crate::number::interrupt`]), and its numbers are then invalid.

mod lifting;

use crate::error::{Error, Result};
use crate::number::Field;
use crate::number::elimination::Eliminate;
use crate::number::interrupt::interrupted;
use crate::number::notation;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use core::str::FromStr;
use dashu_base::{BitTest, DivExact, Gcd, UnsignedAbs};
pub use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A rational number in lowest terms, of any size, or [`BigRational::INVALID`].
#[derive(Clone)]
pub struct BigRational(Option<RBig>);

impl BigRational {
    /// A quotient by zero and everything computed from one. It equals nothing and orders with nothing, as NaN does.
    pub const INVALID: Self = Self(None);

    /// `numerator / denominator` in lowest terms; [`BigRational::INVALID`] for denominator 0.
    #[must_use]
    pub fn from_parts(numerator: IBig, denominator: UBig) -> Self {
        if denominator.is_zero() { Self::INVALID } else { Self(Some(RBig::from_parts(numerator, denominator))) }
    }

    /// The dyadic rational that `x` is, exactly; an error for NaN and infinities.
    pub fn from_f64(x: f64) -> Result<Self> {
        match RBig::try_from(x) {
            Ok(value) => Ok(Self(Some(value))),
            Err(_) => Err(Error::NotFinite { what: "number", index: Error::SCALAR }),
        }
    }

    /// The nearest double, ties to even; infinite beyond the largest, NaN for [`BigRational::INVALID`].
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.as_ref().map_or(f64::NAN, |value| value.to_f64().value())
    }

    /// The numerator in lowest terms; `None` for [`BigRational::INVALID`].
    #[must_use]
    pub fn numerator(&self) -> Option<&IBig> {
        self.0.as_ref().map(RBig::numerator)
    }

    /// The denominator in lowest terms, positive; `None` for [`BigRational::INVALID`].
    #[must_use]
    pub fn denominator(&self) -> Option<&UBig> {
        self.0.as_ref().map(RBig::denominator)
    }

    fn from_integer(n: IBig) -> Self {
        Self(Some(RBig::from(n)))
    }

    /// The numerator of an integer.
    fn integer(&self) -> Option<&IBig> {
        self.0.as_ref().filter(|value| value.is_int()).map(RBig::numerator)
    }
}

macro_rules! operator {
    ($($operator:ident $method:ident $short:ident),*) => {$(
        impl $operator for BigRational {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.$method(&other)
            }
        }

        impl $operator<&Self> for BigRational {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                match (self.0, &other.0) {
                    (Some(a), Some(b)) if !interrupted() => Self(Some($short(a, b))),
                    _ => Self::INVALID,
                }
            }
        }
    )*};
}
operator!(Add add sum, Sub sub difference, Mul mul product);

/// Sparse models add and multiply zeros and ones most of the time: these need no arithmetic, and the other number is not copied.
fn sum(a: RBig, b: &RBig) -> RBig {
    if b.is_zero() {
        a
    } else if a.is_zero() {
        b.clone()
    } else {
        a + b
    }
}

fn difference(a: RBig, b: &RBig) -> RBig {
    if b.is_zero() { a } else { a - b }
}

fn product(a: RBig, b: &RBig) -> RBig {
    if a.is_zero() || b.is_one() {
        a
    } else if a.is_one() || b.is_zero() {
        b.clone()
    } else {
        a * b
    }
}

impl Div for BigRational {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self / &other
    }
}

impl Div<&Self> for BigRational {
    type Output = Self;
    fn div(self, other: &Self) -> Self {
        let divisor = other.0.as_ref().filter(|b| !b.is_zero() && !interrupted());
        Self(self.0.zip(divisor).map(|(a, b)| a / b))
    }
}

impl Neg for BigRational {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(Neg::neg))
    }
}

impl AddAssign for BigRational {
    fn add_assign(&mut self, other: Self) {
        if self.is_zero() {
            *self = other;
        } else if !other.is_zero() {
            *self = core::mem::replace(self, Self::INVALID) + other;
        }
    }
}

impl SubAssign for BigRational {
    fn sub_assign(&mut self, other: Self) {
        if !other.is_zero() {
            *self = core::mem::replace(self, Self::INVALID) - other;
        }
    }
}

impl PartialEq for BigRational {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for BigRational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.as_ref().zip(other.0.as_ref()).map(|(a, b)| a.cmp(b))
    }
}

impl Field for BigRational {
    fn zero() -> Self {
        Self(Some(RBig::ZERO))
    }

    fn one() -> Self {
        Self(Some(RBig::ONE))
    }

    fn from_int(n: i64) -> Self {
        Self(Some(RBig::from(n)))
    }

    fn is_valid(&self) -> bool {
        self.0.is_some()
    }

    fn rounding(_operations: usize) -> Self {
        Self::zero()
    }

    fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(RBig::is_zero)
    }

    /// Most of a table of features is zeros. What is invalid has to be seen all the same.
    fn add_times(&mut self, x: &Self, y: &Self) {
        let nothing = x.is_zero() && y.is_valid() || y.is_zero() && x.is_valid();
        if !nothing {
            *self += x.clone() * y;
        }
    }
}

impl Eliminate for BigRational {
    /// The shorter one: it multiplies every entry below it.
    fn better_pivot(&self, other: &Self) -> bool {
        let length = |x: &Self| x.numerator().map(BitTest::bit_len);
        length(self) < length(other)
    }

    fn clear_denominators(left: &mut [Self], right: &mut [Self]) {
        let mut common = UBig::ONE;
        for denominator in left.iter().chain(&*right).filter_map(Self::denominator) {
            if !denominator.is_one() {
                let shared = (&common).gcd(denominator);
                common *= denominator / shared;
            }
        }
        if common.is_one() {
            return;
        }
        for entry in left.iter_mut().chain(right) {
            let cleared = entry.0.take().map(RBig::into_parts);
            entry.0 = cleared.map(|(p, q)| RBig::from(p * (&common / q)));
        }
    }

    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, previous: &Self) {
        if let (Some(_), Some(p), Some(l), Some(t), Some(d)) =
            (self.integer(), pivot.integer(), left.integer(), top.integer(), previous.integer())
            && !interrupted()
        {
            let mut n = core::mem::replace(self, Self::INVALID).into_integer();
            if !p.is_one() {
                n *= p;
            }
            n -= l * t;
            *self = Self::quotient(n, d);
        } else {
            *self = (pivot.clone() * &*self - left.clone() * top) / previous;
        }
    }

    fn divide_exactly(&mut self, divisor: &Self) {
        match (self.integer(), divisor.integer()) {
            (Some(n), Some(d)) => *self = Self::quotient(n.clone(), d),
            _ => *self = core::mem::replace(self, Self::INVALID) / divisor,
        }
    }

    fn denominator_of_solution(&self) -> Self {
        self.clone()
    }

    fn solve_by_lifting(n: usize, a: &mut [Self], b: &mut [Self]) -> bool {
        let m = b.len() / n;
        if n < LIFTING_FROM || m * LIFTING_SHARE > n {
            return false;
        }
        for (left, right) in a.chunks_exact_mut(n).zip(b.chunks_exact_mut(m)) {
            Self::clear_denominators(left, right);
        }
        let integers = |entries: &[Self]| entries.iter().map(|x| x.integer().cloned()).collect::<Option<Vec<_>>>();
        let (Some(left), Some(right)) = (integers(a), integers(b)) else { return false };
        let column = |k: usize| right.iter().skip(k).step_by(m).cloned().collect::<Vec<_>>();
        let Some(solutions) = (0..m).map(|k| lifting::solve(n, &left, &column(k))).collect::<Option<Vec<_>>>() else {
            return false;
        };
        for (k, (numerators, denominator)) in solutions.into_iter().enumerate() {
            for (entry, numerator) in b.iter_mut().skip(k).step_by(m).zip(numerators) {
                *entry = Self::from_parts(numerator, denominator.clone());
            }
        }
        true
    }
}

impl BigRational {
    /// Consumes an integer.
    fn into_integer(self) -> IBig {
        self.0.map_or(IBig::ZERO, |value| value.into_parts().0)
    }

    /// n/d, without a gcd where d divides n, as in fraction-free elimination it always does.
    fn quotient(n: IBig, d: &IBig) -> Self {
        if d.is_one() {
            return Self::from_integer(n);
        }
        if d.is_zero() {
            return Self::INVALID;
        }
        let sign = n.sign() * d.sign();
        let (n, d) = (n.unsigned_abs(), d.clone().unsigned_abs());
        match (&n).div_exact(d.clone(), &()) {
            Some(quotient) => Self::from_integer(IBig::from_parts(sign, quotient)),
            None => Self(Some(RBig::from_parts(IBig::from_parts(sign, n), d))),
        }
    }
}

/// Lifting is faster than elimination from this size on, and for up to n/`LIFTING_SHARE` right sides (`benches/solve.rs`).
const LIFTING_FROM: usize = 16;
const LIFTING_SHARE: usize = 8;

/// Reads `p/q`, an integer or a decimal with an optional exponent, exactly: `"0.1"` is 1/10.
impl FromStr for BigRational {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let malformed = Error::Syntax { what: "number", expected: notation::EXPECTED };
        let append = |mut digits: String, digit| {
            digits.push(char::from(b'0' + digit));
            digits
        };
        let number = notation::read(text.as_bytes(), String::new(), append).ok_or(malformed)?;
        let value = |digits: &str| UBig::from_str_radix(digits, 10).map_err(|_| malformed);
        let (mut numerator, mut denominator) = (value(&number.digits)?, UBig::ONE);
        if let Some(digits) = number.denominator {
            denominator = value(&digits)?;
        }
        let scaled = if number.power < 0 { &mut denominator } else { &mut numerator };
        *scaled *= UBig::from(10u8).pow(usize::try_from(number.power.unsigned_abs()).map_err(|_| malformed)?);
        let numerator = IBig::from(numerator);
        Ok(Self::from_parts(if number.negative { -numerator } else { numerator }, denominator))
    }
}

/// `p/q`, or `p` for an integer.
impl fmt::Display for BigRational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("invalid"),
            Some(value) if value.is_int() => write!(f, "{}", value.numerator()),
            Some(value) => write!(f, "{}/{}", value.numerator(), value.denominator()),
        }
    }
}

impl fmt::Debug for BigRational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
