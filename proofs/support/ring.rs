//! A scalar that costs a solver little: integers modulo 2⁸.

use super::scalars::operators;
use crate::number::{Field, Real};
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Sums, differences and products modulo 2⁸, so that what a box adds up and multiplies shows. The number called 1 is 16, so that some lie between 0 and
/// it; −128 is none. Quotients, roots and exponentials are functions of no meaning, which is enough to see what they were made of.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Ring(pub i8);

operators!(Ring, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Ring {
    pub fn any() -> Self {
        Self(kani::any())
    }

    /// An array of any numbers. (By hand: Kani pays for every step of an iterator.)
    pub fn any_row<const N: usize>() -> [Self; N] {
        let raw: [i8; N] = kani::any();
        raw.map(Self)
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    fn times(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    fn over(self, other: Self) -> Self {
        Self(self.0 ^ other.0.rotate_left(3))
    }
}

impl Neg for Ring {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl crate::number::elimination::Eliminate for Ring {}

impl Field for Ring {
    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(16)
    }

    fn from_int(n: i64) -> Self {
        Self(n as i8)
    }

    fn is_valid(&self) -> bool {
        self.0 != i8::MIN
    }

    fn rounding(operations: usize) -> Self {
        Self(operations as i8)
    }
}

impl Real for Ring {
    fn sqrt(&self) -> Self {
        Self(self.0.rotate_left(1))
    }

    fn exp(&self) -> Self {
        Self(self.0.rotate_left(2))
    }

    fn ln(&self) -> Self {
        Self(self.0.rotate_left(5))
    }
}
