//! A scalar of which arithmetic says nothing, and what stands for the layer below the boxes at it.

use super::scalars::operators;
use crate::error::Result;
use crate::number::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number that arithmetic says nothing about, so that what holds here holds for every gradient and however it is rounded: a
/// result may be anything, a number or not, except that x + 0 = 0 + x = x, x·1 = x and x/1 = x. Only what the projection
/// returned is known to lie in a ball.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    /// Sixteenths, for comparisons with 0 and 1; the least is no number.
    pub raw: i8,
    /// The radius of the ball that the projection put it into, or 0.
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

/// Whether the projection put every coordinate into this ball. Stands for `within_ball`, too.
pub fn in_ball<T: Known>(y: &[T], radius: &T) -> bool {
    y.iter().all(|c| c.known().ball == radius.known().raw)
}

/// `project_ball_of_norm` by contract.
pub fn any_projection<T: Known>(y: &mut [T], _norm: T, radius: &T) {
    for c in y {
        *c = T::unknown(any_in_ball(radius.known()));
    }
}

/// `policy_row`: any numbers.
pub fn any_policy<T: Known>(_alpha: &T, _features: &[T], _theta_sum: &[T], out: &mut [T]) -> Result<()> {
    for p in out {
        *p = T::unknown(Unknown::any());
    }
    Ok(())
}

/// `inner`: any number.
pub fn any_sum<T: Known>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == b.len());
    T::unknown(Unknown::any())
}

/// `mean_feature`: any numbers.
pub fn any_mean_feature<T: Known>(_start: &[T], _at_start: &[T], _next: &[T], _at_next: &[T], out: &mut [T]) {
    for c in out {
        *c = T::unknown(Unknown::any());
    }
}

/// `multiply`: any numbers.
pub fn any_products<T: Known>(_matrix: &[T], _x: &[T], y: &mut [T]) {
    for c in y {
        *c = T::unknown(Unknown::any());
    }
}

pub fn any_in_ball(radius: Unknown) -> Unknown {
    let raw = kani::any();
    // Contract: the projection is given numbers and returns numbers.
    kani::assume(raw != i8::MIN);
    Unknown { raw, ball: radius.raw }
}

pub fn any_point(radius: Unknown) -> [Unknown; 1] {
    [any_in_ball(radius)]
}

/// A point of either ball, or of none.
pub fn any_point_at_all() -> [Unknown; 1] {
    [Unknown { raw: kani::any(), ball: kani::any() }]
}
