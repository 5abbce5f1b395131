//! A scalar of which arithmetic says nothing.

use super::scalars::operators;
use crate::number::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number that arithmetic says nothing about, so that what holds here holds for every gradient and however it is rounded: a
/// result may be anything, a number or not, except that x + 0 = 0 + x = x, x·1 = x and x/1 = x. Which ball a
/// point lies in, it knows because it was told.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Sixteenths, for comparisons with 0 and 1; the least is no number.
    pub raw: i8,
    /// The radius of the ball that it lies in, if of one of the two.
    pub ball: i8,
}

operators!(Unknown, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Unknown {
    pub const fn new(raw: i8) -> Self {
        Self { raw, ball: 0 }
    }

    pub fn any() -> Self {
        Self::new(kani::any())
    }

    fn plus(self, other: Self) -> Self {
        if self.raw == 0 {
            other
        } else if other.raw == 0 {
            self
        } else {
            Self::any()
        }
    }

    fn minus(self, _other: Self) -> Self {
        Self::any()
    }

    fn times(self, other: Self) -> Self {
        if other.raw == 16 { self } else { Self::any() }
    }

    fn over(self, other: Self) -> Self {
        if other.raw == 16 { self } else { Self::any() }
    }
}

impl Neg for Unknown {
    type Output = Self;
    fn neg(self) -> Self {
        Self::any()
    }
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Unknown {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.is_valid() && other.is_valid() { Some(self.raw.cmp(&other.raw)) } else { None }
    }
}

impl crate::number::elimination::Eliminate for Unknown {}

impl Field for Unknown {
    fn zero() -> Self {
        Self::new(0)
    }

    fn one() -> Self {
        Self::new(16)
    }

    fn from_int(n: i64) -> Self {
        match n {
            0 => Self::zero(),
            1 => Self::one(),
            _ => Self::any(),
        }
    }

    fn is_valid(&self) -> bool {
        self.raw != i8::MIN
    }

    fn rounding(_operations: usize) -> Self {
        Self::any()
    }
}

impl Real for Unknown {
    fn sqrt(&self) -> Self {
        Self::any()
    }

    fn exp(&self) -> Self {
        Self::any()
    }

    fn ln(&self) -> Self {
        Self::any()
    }
}

/// What the stubs need to know of the scalar.
pub trait Known: Real {
    fn known(&self) -> Unknown;
    fn unknown(value: Unknown) -> Self;
}

impl Known for Unknown {
    fn known(&self) -> Unknown {
        *self
    }

    fn unknown(value: Unknown) -> Self {
        value
    }
}

/// D_θ and D_β: different, so that a step that took the wrong one would be seen.
pub const RADIUS_THETA: Unknown = Unknown::new(32);
pub const RADIUS_BETA: Unknown = Unknown::new(48);

/// Whether every coordinate is known to lie in this ball. Stands for `within_ball`, too.
pub fn in_ball<T: Known>(y: &[T], radius: &T) -> bool {
    y.iter().all(|c| c.known().ball == radius.known().raw)
}

/// A point of either ball, or of none.
pub fn any_point_at_all() -> [Unknown; 1] {
    [Unknown { raw: kani::any(), ball: kani::any() }]
}
