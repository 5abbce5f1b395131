//! Intervals with doubles as ends, rounded outward: enclosures at the speed of doubles.
//!
//! A sum, product or quotient of doubles is within half an ulp of the exact one, so the double below and the double above it
//! enclose that, gradual underflow included; beyond the largest double the result is invalid.

use super::elimination::Eliminate;
use super::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A real number known to lie between two doubles, or invalid.
#[derive(Debug, Clone, Copy)]
pub struct Outward {
    /// At most the number.
    pub lower: f64,
    /// At least the number.
    pub upper: f64,
}

impl Outward {
    /// The double itself.
    #[must_use]
    pub const fn point(x: f64) -> Self {
        Self { lower: x, upper: x }
    }

    /// Whatever rounds to this double: an integer is itself, anything else is within the doubles beside it.
    #[must_use]
    pub fn near(x: f64) -> Self {
        let whole = x == libm::trunc(x) && f64::abs(x) < 9_007_199_254_740_992.0;
        if whole { Self::point(x) } else { Self { lower: x.next_down(), upper: x.next_up() } }
    }

    /// All numbers within `radius` ≥ 0 of these.
    #[must_use]
    pub fn widened(self, radius: f64) -> Self {
        if radius == 0.0 { self } else { self + Self { lower: -radius, upper: radius } }
    }

    /// The greatest absolute value.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        // Not `max`, which would drop a NaN.
        let (left, right) = (f64::abs(self.lower), f64::abs(self.upper));
        if left > right || left.is_nan() { left } else { right }
    }

    /// The middle, for the eye.
    #[must_use]
    pub fn middle(self) -> f64 {
        0.5 * self.lower + 0.5 * self.upper
    }

    /// The larger of two numbers.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        if !(self.is_valid() && other.is_valid()) {
            return Self::point(f64::NAN);
        }
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    fn is_point(self, x: f64) -> bool {
        self.lower == x && self.upper == x
    }
}

impl Add for Outward {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        if self.is_point(0.0) {
            return other;
        }
        if other.is_point(0.0) {
            return self;
        }
        Self { lower: (self.lower + other.lower).next_down(), upper: (self.upper + other.upper).next_up() }
    }
}

impl Neg for Outward {
    type Output = Self;
    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

impl Sub for Outward {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Outward {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        if self.is_point(1.0) {
            return other;
        }
        if other.is_point(1.0) {
            return self;
        }
        if (self.is_point(0.0) && other.is_valid()) || (other.is_point(0.0) && self.is_valid()) {
            return Self::point(0.0);
        }
        if self.lower >= 0.0 && other.lower >= 0.0 {
            let lower = (self.lower * other.lower).next_down();
            return Self { lower: if lower < 0.0 { 0.0 } else { lower }, upper: (self.upper * other.upper).next_up() };
        }
        let products =
            [self.lower * other.lower, self.lower * other.upper, self.upper * other.lower, self.upper * other.upper];
        if products.iter().any(|product| product.is_nan()) {
            return Self::point(f64::NAN);
        }
        let least = products.iter().fold(f64::INFINITY, |least, product| least.min(*product));
        let greatest = products.iter().fold(f64::NEG_INFINITY, |most, product| most.max(*product));
        Self { lower: least.next_down(), upper: greatest.next_up() }
    }
}

impl Div for Outward {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        if other.is_point(1.0) {
            return self;
        }
        if !(other.lower > 0.0 || other.upper < 0.0) {
            return Self::point(f64::NAN);
        }
        if self.is_point(0.0) && other.is_valid() {
            return self;
        }
        self * Self { lower: (1.0 / other.upper).next_down(), upper: (1.0 / other.lower).next_up() }
    }
}

macro_rules! by_reference {
    ($($operator:ident $method:ident),*) => {$(
        impl<'a> $operator<&'a Outward> for Outward {
            type Output = Self;
            #[inline]
            fn $method(self, other: &'a Self) -> Self {
                self.$method(*other)
            }
        }
    )*};
}
by_reference!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign for Outward {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Outward {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// Certain equality: both are the same single number.
impl PartialEq for Outward {
    fn eq(&self, other: &Self) -> bool {
        self.is_point(other.lower) && other.is_point(self.lower)
    }
}

/// Certain order; `None` where the intervals overlap.
impl PartialOrd for Outward {
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

impl Eliminate for Outward {
    /// Ordinary elimination, as for doubles.
    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, _previous: &Self) {
        *self -= *left / pivot * top;
    }
}

impl Field for Outward {
    fn zero() -> Self {
        Self::point(0.0)
    }

    fn one() -> Self {
        Self::point(1.0)
    }

    fn from_int(n: i64) -> Self {
        Self::near(f64::from_int(n))
    }

    fn is_valid(&self) -> bool {
        self.lower.is_finite() && self.upper.is_finite() && self.lower <= self.upper
    }

    /// The rounding error of doubles: how far a midpoint may be off.
    fn rounding(operations: usize) -> Self {
        Self::point(f64::rounding(operations))
    }

    fn abs(&self) -> Self {
        if self.lower >= 0.0 {
            *self
        } else if self.upper <= 0.0 {
            -*self
        } else {
            Self { lower: 0.0, upper: self.magnitude() }
        }
    }
}

impl Outward {
    /// √x, of x ≥ 0; what is below 0 in an enclosure of such an x is left out.
    #[must_use]
    pub fn root(self) -> Self {
        let lower = Real::sqrt(&self.lower.max(0.0)).next_down();
        Self { lower: if lower < 0.0 { 0.0 } else { lower }, upper: Real::sqrt(&self.upper).next_up() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation's interval holds the exact result, as rationals say.
    #[cfg(feature = "exact")]
    #[test]
    fn results_are_enclosed() {
        use crate::number::exact::BigRational as Q;
        let exact = |x: f64| Q::from_f64(x).unwrap();
        let holds = |found: Outward, x: &Q| exact(found.lower) <= *x && *x <= exact(found.upper);
        let numbers =
            [0.0, 1.0, -1.0, 0.1, -0.3, 1e300, 1e-300, 5e-324, -7.25e-310, 1.0 / 3.0, 4_503_599_627_370_497.5];
        let mut invalid = 0;
        for a in numbers {
            for b in numbers {
                let (x, y) = (Outward::point(a), Outward::point(b));
                for (found, defined) in [
                    (x + y, exact(a) + exact(b)),
                    (x - y, exact(a) - exact(b)),
                    (x * y, exact(a) * exact(b)),
                    (x / y, exact(a) / exact(b)),
                ] {
                    if found.is_valid() {
                        assert!(holds(found, &defined), "{a} {b}: {found:?}");
                    } else {
                        invalid += 1;
                    }
                }
            }
        }
        // By zero 11; beyond the largest double the square of 1e300 and quotients by the smallest.
        assert!((12..40).contains(&invalid), "{invalid}");
    }

    #[test]
    fn ends_keep_their_order() {
        let (a, b) = (Outward { lower: -2.0, upper: 3.0 }, Outward { lower: -5.0, upper: 1.0 });
        let product = a * b;
        assert!(product.lower <= -15.0 && product.upper >= 10.0 && product.lower > -15.1 && product.upper < 10.1);
        assert!(!(Outward::one() / a).is_valid());
        assert_eq!(a.abs().upper, 3.0);
        assert!(a.partial_cmp(&b).is_none() && Outward::point(-6.0) < b);
        let root = Outward::point(2.0).root();
        assert!(root.lower * root.lower <= 2.0 && root.upper * root.upper >= 2.0);
    }
}
