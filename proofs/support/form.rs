//! A scalar without rounding: an affine function of β_t = (β₁, β₂) over Z/2⁶⁴. Fractions with odd
//! denominators live there, too: 1/3 is the number whose triple is 1.

use super::super::library::number::Field;
use super::scalars::operators;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `at` + `x`·β₁ + `y`·β₂.
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
        let sum = u64::wrapping_add;
        Self { at: sum(self.at, other.at), x: sum(self.x, other.x), y: sum(self.y, other.y) }
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
        Self { at: self.at.wrapping_mul(by), x: self.x.wrapping_mul(by), y: self.y.wrapping_mul(by) }
    }

    /// By an odd constant: Newton's iteration doubles the right bits of 1/d, of which d itself has three.
    fn over(self, other: Self) -> Self {
        let d = other.at;
        assert!(other.is_constant() && d % 2 == 1);
        let (mut inverse, mut step) = (d, 0);
        while step < 5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(d.wrapping_mul(inverse)));
            step += 1;
        }
        self.scaled(inverse)
    }
}

impl Neg for Form {
    type Output = Self;
    fn neg(self) -> Self {
        Self { at: self.at.wrapping_neg(), x: self.x.wrapping_neg(), y: self.y.wrapping_neg() }
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
