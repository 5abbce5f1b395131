//! Rationals that the algorithms can run on: with the stand-ins for √ and eˣ that `proofs/coq/ComputeSteps.v` has too.

use super::*;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub struct Exact(pub Q);

macro_rules! operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Exact {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
        impl $operator<&Self> for Exact {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                Self(self.0.$method(&other.0))
            }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Exact {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Exact {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

/// Nothing here solves a linear system.
impl Eliminate for Exact {}

impl Field for Exact {
    fn zero() -> Self {
        Self(Q::zero())
    }

    fn one() -> Self {
        Self(Q::one())
    }

    fn from_int(n: i64) -> Self {
        Self(Q::from_int(n))
    }

    fn is_valid(&self) -> bool {
        self.0.is_valid()
    }

    fn rounding(_operations: usize) -> Self {
        Self::zero()
    }
}

/// The least whole number ≥ 0 that `reaches`, by bisection.
fn least(reaches: impl Fn(&Q) -> bool) -> Q {
    let (mut below, mut enough) = (-1, 1);
    while !reaches(&Q::from_int(enough)) {
        (below, enough) = (enough, 2 * enough);
    }
    while enough - below > 1 {
        let middle = i64::midpoint(below, enough);
        if reaches(&Q::from_int(middle)) { enough = middle } else { below = middle }
    }
    Q::from_int(enough)
}

impl Real for Exact {
    /// √x, up to the next multiple of 1/16.
    fn sqrt(&self) -> Self {
        let target = Q::from_int(256) * &self.0;
        Self(least(|n| n.clone() * n >= target) * Q::ratio(1, 16))
    }

    /// 8/(8 + ⌈−8x⌉) for x ≤ 0, which is all that a softmax asks for.
    fn exp(&self) -> Self {
        assert!(self.0 <= Q::zero());
        let target = Q::from_int(-8) * &self.0;
        Self(Q::from_int(8) / (Q::from_int(8) + least(|n| *n >= target)))
    }

    fn ln(&self) -> Self {
        Self(Q::INVALID)
    }
}
