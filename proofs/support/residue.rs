//! A scalar of one machine word in which sums, products and most quotients are exact: integers modulo 2¹⁶. Fractions with odd denominators live there,
//! too: 1/3 is the number whose triple is 1.

use super::super::library::number::Field;
use super::scalars::operators;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number modulo 2¹⁶.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Residue(pub u16);

operators!(Residue, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Residue {
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    fn times(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    /// By an odd number, or by 2: there is no half, and 3 stands for it. Both sides of a lemma are 1/T times a sum, and the sums are equal if their
    /// products with one odd number are.
    fn over(self, other: Self) -> Self {
        if other.0 == 2 {
            return Self(self.0.wrapping_mul(3));
        }
        assert!(other.0 % 2 == 1);
        Self(self.0.wrapping_mul(inverse(other.0)))
    }
}

/// 1/d of an odd d: a step of Newton's doubles the right bits, of which d itself has three.
fn inverse(d: u16) -> u16 {
    let step = |x: u16| x.wrapping_mul(2_u16.wrapping_sub(d.wrapping_mul(x)));
    step(step(step(d)))
}

impl Neg for Residue {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl super::super::library::number::elimination::Eliminate for Residue {}

impl Field for Residue {
    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1)
    }

    fn from_int(n: i64) -> Self {
        Self(n as u16)
    }

    fn is_valid(&self) -> bool {
        true
    }

    fn rounding(_operations: usize) -> Self {
        Self(0)
    }
}
