//! Interval arithmetic with outward rounding, as a scalar: the library's own generic code, run over it, returns
//! proven enclosures.
//!
//! End points are rationals. Sums, products and quotients are computed exactly and rounded outward only when they get
//! long; exp, log and √ are rounded down at the lower and up at the upper end by dashu-float, whose transcendentals are
//! correctly rounded in directed modes.

use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use dashu_base::{BitTest, DivEuclid, PowerOfTwo};
use dashu_float::round::{ErrorBounds, mode};
use dashu_float::{Context, FBig};
use dashu_int::{IBig, UBig};

use super::exact::BigRational as Q;
use super::{Field, Real};

/// Binary digits after the point of rounded end points; the transcendental functions carry 32 more.
const PRECISION: usize = 96;

/// A real number known to lie between two rationals, or invalid.
#[derive(Clone, Debug)]
pub struct Interval {
    /// At most the number.
    pub lower: Q,
    /// At least the number.
    pub upper: Q,
}

impl Interval {
    /// The number itself.
    #[must_use]
    pub fn point(x: &Q) -> Self {
        Self { lower: x.clone(), upper: x.clone() }
    }

    /// Whether every number of `self` is at most every number of `other`: a proof of ≤.
    #[must_use]
    pub fn proves_at_most(&self, other: &Self) -> bool {
        self.upper <= other.lower
    }

    /// Whether every number of `self` is above every number of `other`: a proof of >.
    #[must_use]
    pub fn proves_above(&self, other: &Self) -> bool {
        self.lower > other.upper
    }

    /// Whether the two may be the same number, and each is known to 2^−`bits`.
    #[must_use]
    pub fn agrees_to(&self, other: &Self, bits: usize) -> bool {
        let width = Q::from_parts(IBig::ONE, UBig::ONE << bits);
        let narrow = |x: &Self| x.upper.clone() - &x.lower <= width;
        narrow(self) && narrow(other) && self.lower <= other.upper && other.lower <= self.upper
    }

    fn new(lower: Q, upper: Q) -> Self {
        Self { lower: floor(lower), upper: -floor(-upper) }
    }

    /// `f` on both ends, for an increasing function.
    fn increasing(
        &self,
        lower: impl Fn(&FBig<mode::Down>) -> FBig<mode::Down>,
        upper: impl Fn(&FBig<mode::Up>) -> FBig<mode::Up>,
    ) -> Self {
        // The arguments become dyadic, outward.
        let below = to_float::<mode::Down>(&always_floor(self.lower.clone()));
        let above = to_float::<mode::Up>(&-always_floor(-self.upper.clone()));
        let (Some(below), Some(above)) = (below, above) else { return Self::point(&Q::INVALID) };
        Self { lower: from_float(&lower(&below)), upper: from_float(&upper(&above)) }
    }
}

/// The greatest multiple of 2^−PRECISION that is at most x.
fn always_floor(x: Q) -> Q {
    let (Some(n), Some(d)) = (x.numerator(), x.denominator()) else { return x };
    let scaled = (n.clone() << PRECISION).div_euclid(IBig::from(d.clone()));
    Q::from_parts(scaled, UBig::ONE << PRECISION)
}

/// x, or a little less where it is long.
fn floor(x: Q) -> Q {
    let short = x.denominator().is_none_or(|d| d.bit_len() <= PRECISION + 1);
    if short { x } else { always_floor(x) }
}

/// A dyadic rational, exactly, carrying the precision and rounding mode of what is computed from it.
fn to_float<R: ErrorBounds>(x: &Q) -> Option<FBig<R>> {
    let (numerator, denominator) = (x.numerator()?, x.denominator()?);
    debug_assert!(denominator.is_power_of_two(), "a dyadic number");
    let exponent = isize::try_from(denominator.bit_len() - 1).ok()?;
    let exact = FBig::<R>::from_parts(numerator.clone(), -exponent);
    Some(FBig::from_repr(exact.into_repr(), Context::new(numerator.bit_len().max(PRECISION + 32))))
}

fn from_float<R: ErrorBounds>(x: &FBig<R>) -> Q {
    let (significand, exponent) = x.repr().clone().into_parts();
    if exponent >= 0 {
        Q::from_parts(significand << exponent.unsigned_abs(), UBig::ONE)
    } else {
        Q::from_parts(significand, UBig::ONE << exponent.unsigned_abs())
    }
}

impl Add<&Self> for Interval {
    type Output = Self;
    fn add(self, other: &Self) -> Self {
        Self::new(self.lower + &other.lower, self.upper + &other.upper)
    }
}

impl Sub<&Self> for Interval {
    type Output = Self;
    fn sub(self, other: &Self) -> Self {
        Self::new(self.lower - &other.upper, self.upper - &other.lower)
    }
}

impl Mul<&Self> for Interval {
    type Output = Self;
    fn mul(self, other: &Self) -> Self {
        let products = [
            self.lower.clone() * &other.lower,
            self.lower * &other.upper,
            self.upper.clone() * &other.lower,
            self.upper * &other.upper,
        ];
        let mut range = Self::point(&products[0]);
        for product in &products[1..] {
            if !product.is_valid() || *product < range.lower {
                range.lower = product.clone();
            }
            if !product.is_valid() || *product > range.upper {
                range.upper = product.clone();
            }
        }
        Self::new(range.lower, range.upper)
    }
}

impl Div<&Self> for Interval {
    type Output = Self;
    fn div(self, other: &Self) -> Self {
        let zero = Q::zero();
        if !(other.lower > zero || other.upper < zero) {
            return Self::point(&Q::INVALID);
        }
        let one = Q::one();
        self * &Self { lower: one.clone() / &other.upper, upper: one / &other.lower }
    }
}

macro_rules! by_value {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Interval {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.$method(&other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

impl AddAssign for Interval {
    fn add_assign(&mut self, other: Self) {
        *self = self.clone() + other;
    }
}

impl SubAssign for Interval {
    fn sub_assign(&mut self, other: Self) {
        *self = self.clone() - other;
    }
}

/// Certain equality: both are the same single number.
impl PartialEq for Interval {
    fn eq(&self, other: &Self) -> bool {
        self.lower == self.upper && other.lower == other.upper && self.lower == other.lower
    }
}

/// Certain order; `None` where the intervals overlap.
impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            Some(Ordering::Equal)
        } else if self.upper < other.lower {
            Some(Ordering::Less)
        } else if self.lower > other.upper {
            Some(Ordering::Greater)
        } else {
            None
        }
    }
}

impl super::elimination::Eliminate for Interval {}

impl Field for Interval {
    fn zero() -> Self {
        Self::point(&Q::zero())
    }

    fn one() -> Self {
        Self::point(&Q::one())
    }

    fn from_int(n: i64) -> Self {
        Self::point(&Q::from_int(n))
    }

    fn is_valid(&self) -> bool {
        self.lower.is_valid() && self.upper.is_valid()
    }

    /// Numbers are exact but enclosures are not: how wide an enclosure of 1 can become.
    fn rounding(operations: usize) -> Self {
        Self::point(&Q::from_parts(IBig::from(operations) << 8, UBig::ONE << PRECISION))
    }

    fn abs(&self) -> Self {
        let zero = Q::zero();
        if self.lower >= zero {
            self.clone()
        } else if self.upper <= zero {
            -self.clone()
        } else {
            let (left, right) = (-self.lower.clone(), self.upper.clone());
            Self { lower: zero, upper: if left > right { left } else { right } }
        }
    }
}

impl Real for Interval {
    fn sqrt(&self) -> Self {
        if self.lower >= Q::zero() { self.increasing(FBig::sqrt, FBig::sqrt) } else { Self::point(&Q::INVALID) }
    }

    /// Below −2000, where numbers would only get longer, an end is 0 or 2⁻²⁸⁸⁵ > e⁻²⁰⁰⁰; above 2000 nothing is said.
    fn exp(&self) -> Self {
        let limit = Q::from_int(2000);
        if self.upper > limit {
            return Self::point(&Q::INVALID);
        }
        let small = |x: &Q| *x < -limit.clone();
        let tiny = || Q::from_parts(IBig::ONE, UBig::ONE << 2885);
        if small(&self.upper) {
            return Self { lower: Q::zero(), upper: tiny() };
        }
        if small(&self.lower) {
            return Self { lower: Q::zero(), upper: Self::point(&self.upper).exp().upper };
        }
        self.increasing(FBig::exp, FBig::exp)
    }

    fn ln(&self) -> Self {
        if always_floor(self.lower.clone()) > Q::zero() {
            self.increasing(FBig::ln, FBig::ln)
        } else {
            Self::point(&Q::INVALID)
        }
    }
}
