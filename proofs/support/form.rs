//! A scalar without rounding: an affine function of two numbers, the components of β_2, over Z/2⁶⁴. Fractions with odd
//! denominators live there, too: 1/3 is the number whose triple is 1.

use super::super::library::number::Field;
use super::scalars::operators;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `at` + ⟨(`x`, `y`), β_2⟩.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Form {
    pub at: u64,
    pub x: u64,
    pub y: u64,
}

operators!(Form, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Form {
    pub const fn constant(at: u64) -> Self {
        Self { at, x: 0, y: 0 }
    }

    fn is_constant(self) -> bool {
        self.x == 0 && self.y == 0
    }

    fn plus(self, other: Self) -> Self {
        self.with(other, u64::wrapping_add)
    }

    fn with(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self { at: f(self.at, other.at), x: f(self.x, other.x), y: f(self.y, other.y) }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(-other)
    }

    /// A product of two that both depend on β_t is no affine function; the lemmas have none.
    fn times(self, other: Self) -> Self {
        if other.is_constant() {
            self.scaled(other.at)
        } else {
            assert!(self.is_constant());
            other.scaled(self.at)
        }
    }

    fn scaled(self, by: u64) -> Self {
        self.with(self, |a, _| a.wrapping_mul(by))
    }

    /// By an odd constant.
    fn over(self, other: Self) -> Self {
        assert!(other.is_constant());
        self.scaled(inverse(other.at))
    }
}

/// 1/d of an odd d: Newton's iteration doubles the right bits, of which d itself has three.
fn inverse(d: u64) -> u64 {
    assert!(d % 2 == 1);
    let (mut inverse, mut step) = (d, 0);
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(d.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

impl Neg for Form {
    type Output = Self;
    fn neg(self) -> Self {
        self.with(self, |a, _| a.wrapping_neg())
    }
}

impl super::super::library::number::elimination::Eliminate for Form {}

impl Field for Form {
    fn zero() -> Self {
        Self::constant(0)
    }

    fn one() -> Self {
        Self::constant(1)
    }

    fn from_int(n: i64) -> Self {
        Self::constant(n.cast_unsigned())
    }

    fn is_valid(&self) -> bool {
        true
    }

    fn rounding(_operations: usize) -> Self {
        Self::zero()
    }
}
