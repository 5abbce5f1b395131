//! A running error analysis: a double together with a bound on its distance from what exact arithmetic would give.
//!
//! The bound holds for this library and for every implementation that computes the same formulas in IEEE doubles, in any
//! order of summation, with or without fused multiply-add, with exp good to 4 ulps, without overflow or underflow. Two such implementations
//! therefore differ by at most twice the bound. `docs/oracle.md` has the derivation, operation by operation.
//!
//! Order does not matter because a number remembers what it is a sum of: how large its terms may be together, how often each was
//! rounded, and how many there are. [`Bounded::settled`] forgets that, where a formula ends and a number of its own begins.

use super::elimination::Eliminate;
use super::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// u = 2⁻⁵³.
pub const UNIT: f64 = f64::EPSILON / 2.0;

/// exp is taken to be good to 4 ulps, 8u relative.
const EXP: f64 = 8.0 * UNIT;

/// A value as this library computes it, and a bound on the distance of any implementation's value from the exact one.
#[derive(Debug, Clone, Copy)]
pub struct Bounded {
    /// The library's value.
    pub value: f64,
    /// What the errors of the numbers that it was made of make in it.
    inherited: f64,
    /// Σ|term|, at most, in any implementation.
    size: f64,
    /// Σ|term|·r with r the number of roundings behind the term.
    rounded: f64,
    /// How many terms: 0 for the empty sum.
    terms: f64,
}

impl Bounded {
    /// A number of its own. Any implementation's value, or the exact one, is at most |value| + 2·error: this one is within `error`
    /// of the exact one, which is within `error` of theirs.
    #[must_use]
    pub fn new(value: f64, error: f64) -> Self {
        Self { value, inherited: error, size: value.abs() + 2.0 * error, rounded: 0.0, terms: 1.0 }
    }

    /// The bound. Of n terms each passes through n − 1 additions at most, in any order; two terms are added in one way only.
    #[must_use]
    pub fn error(self) -> f64 {
        let result = self.value.abs() + 2.0 * (self.inherited + UNIT * (self.rounded + self.size));
        let additions = if self.terms == 2.0 { result.min(self.size) } else { (self.terms - 1.0).max(0.0) * self.size };
        self.inherited + UNIT * (self.rounded + additions)
    }

    /// The same number, without memory of what it is a sum of.
    #[must_use]
    pub fn settled(self) -> Self {
        Self::new(self.value, self.error())
    }

    /// The largest that any implementation's terms may be together.
    #[must_use]
    pub fn size(self) -> f64 {
        self.size
    }

    /// The largest that any implementation's number may be: its terms may cancel.
    fn greatest(self) -> f64 {
        self.size.min(self.value.abs() + 2.0 * self.error())
    }

    /// How far apart two implementations may be. The factor covers what the bounds leave out: second orders (γ_n for nu) and the
    /// rounding of the bounds' own computation, 2⁻³⁰ each for chains of fewer than 2²⁰ operations on fewer than 2²⁰ terms.
    #[must_use]
    pub fn tolerance(self) -> f64 {
        2.0 * self.error() * (1.0 + 1.0 / 1024.0)
    }

    /// A result that is rounded once more.
    fn rounded_to(value: f64, error: f64) -> Self {
        Self::new(value, error + UNIT * (value.abs() + 2.0 * error) * (1.0 + 4.0 * UNIT))
    }

    /// Multiplying and dividing by 1 rounds nothing.
    fn is_one(self) -> bool {
        self.value == 1.0 && self.error() == 0.0
    }

    /// A factor. Nobody multiplies out a sum of numbers such as 1 − γ; a sum of products may be multiplied either before or after it is
    /// summed, as in ⟨x, My⟩.
    fn factor(self) -> Self {
        if self.rounded == 0.0 && self.terms > 1.0 { self.settled() } else { self }
    }
}

impl Add for Bounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            inherited: self.inherited + other.inherited,
            size: self.size + other.size,
            rounded: self.rounded + other.rounded,
            terms: self.terms + other.terms,
        }
    }
}

impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Sub for Bounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Bounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let value = self.value * other.value;
        if self.is_one() {
            return other;
        }
        if other.is_one() {
            return self;
        }
        let (a, b) = (self.factor(), other.factor());
        let roundings = |x: Self| x.rounded + (x.terms - 1.0).max(0.0) * x.size;
        let size = a.size * b.size;
        Self {
            value,
            inherited: a.inherited * b.greatest() + b.inherited * a.greatest(),
            size,
            rounded: roundings(a) * b.size + roundings(b) * a.size + size,
            terms: 1.0,
        }
    }
}

impl Div for Bounded {
    type Output = Self;
    /// |x/y − x*/y*| ≤ (|x − x*| + |x*/y*||y − y*|)/|y|, and every |y| is at least |value| − 2·error.
    fn div(self, other: Self) -> Self {
        if other.is_one() {
            return self;
        }
        let (x, y) = (self.settled(), other.settled());
        let least = y.value.abs() - 2.0 * y.inherited;
        let quotient = x.size / least;
        let error = if least > 0.0 { (x.inherited + quotient * y.inherited) / least } else { f64::INFINITY };
        Self::rounded_to(x.value / y.value, error)
    }
}

macro_rules! by_reference {
    ($($operator:ident $method:ident),*) => {$(
        impl<'a> $operator<&'a Bounded> for Bounded {
            type Output = Self;
            fn $method(self, other: &'a Self) -> Self {
                self.$method(*other)
            }
        }
    )*};
}
by_reference!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign for Bounded {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Bounded {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// By value: a comparison says what the library does, not what everybody does.
impl PartialEq for Bounded {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

/// As the double does it.
impl Eliminate for Bounded {
    fn better_pivot(&self, other: &Self) -> bool {
        self.value.better_pivot(&other.value)
    }

    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, _previous: &Self) {
        *self -= *left / pivot * top;
    }
}

impl Field for Bounded {
    fn zero() -> Self {
        Self { terms: 0.0, ..Self::new(0.0, 0.0) }
    }

    fn one() -> Self {
        Self::new(1.0, 0.0)
    }

    fn from_int(n: i64) -> Self {
        Self::new(f64::from_int(n), 0.0)
    }

    fn is_valid(&self) -> bool {
        self.value.is_finite()
    }

    fn rounding(operations: usize) -> Self {
        Self::new(f64::rounding(operations), 0.0)
    }
}

impl Real for Bounded {
    /// |√x − √y| ≤ √|x − y|, and ≤ |x − y|/√x.
    fn sqrt(&self) -> Self {
        let (error, least) = (self.error(), self.value - 2.0 * self.error());
        let coarse = libm::sqrt(error);
        let fine = if least > 0.0 { error / libm::sqrt(least) } else { f64::INFINITY };
        Self::rounded_to(Real::sqrt(&self.value), coarse.min(fine))
    }

    fn exp(&self) -> Self {
        // Every implementation's exp, and the exact one, is at most this.
        let greatest = libm::exp(self.value + 2.0 * self.error()) * (1.0 + EXP) + f64::MIN_POSITIVE;
        let error = greatest * (EXP + libm::expm1(self.error())) + f64::MIN_POSITIVE;
        Self::new(Real::exp(&self.value), error)
    }

    /// |log x − log y| ≤ |x − y|/min(x, y); good to 4 ulps.
    fn ln(&self) -> Self {
        let (value, least) = (Real::ln(&self.value), self.value - 2.0 * self.error());
        let error = if least > 0.0 { self.error() / least } else { f64::INFINITY };
        Self::new(value, error + EXP * (value.abs() + error))
    }
}
