//! The scalar at which lengths are proved.

use super::scalars::operators;
use crate::number::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Any scalar at all: a number is nothing, and every comparison and test of validity may come out either way at every call. It has no
/// size: memory at places that depend on a shape is what costs the solver most.
#[derive(Clone, Copy, Debug)]
pub struct Abstract;

operators!(Abstract, Add add = with, Sub sub = with, Mul mul = with, Div div = with);

impl Abstract {
    fn with(self, _other: Self) -> Self {
        self
    }
}

impl Neg for Abstract {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

impl PartialEq for Abstract {
    fn eq(&self, _other: &Self) -> bool {
        kani::any()
    }
}

impl PartialOrd for Abstract {
    fn partial_cmp(&self, _other: &Self) -> Option<Ordering> {
        match kani::any::<u8>() {
            0 => Some(Ordering::Less),
            1 => Some(Ordering::Equal),
            2 => Some(Ordering::Greater),
            _ => None,
        }
    }
}

impl Field for Abstract {
    fn zero() -> Self {
        Self
    }

    fn one() -> Self {
        Self
    }

    fn from_int(_n: i64) -> Self {
        Self
    }

    fn is_valid(&self) -> bool {
        kani::any()
    }

    fn rounding(_operations: usize) -> Self {
        Self
    }
}

impl crate::number::elimination::Eliminate for Abstract {
    fn better_pivot(&self, _other: &Self) -> bool {
        kani::any()
    }
}

impl Real for Abstract {
    fn sqrt(&self) -> Self {
        *self
    }

    fn exp(&self) -> Self {
        *self
    }

    fn ln(&self) -> Self {
        *self
    }
}
