//! Small scalars at which the library's own generic code is verified, and tested.

use super::super::library::number::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// The operators of a `Copy` scalar, by value and by reference, from four functions on values.
macro_rules! operators {
    ($name:ident, $($operator:ident $method:ident = $function:ident),*) => {
        $(
            impl $operator for $name {
                type Output = Self;
                fn $method(self, other: Self) -> Self {
                    self.$function(other)
                }
            }
            impl<'a> $operator<&'a $name> for $name {
                type Output = Self;
                fn $method(self, other: &'a Self) -> Self {
                    self.$function(*other)
                }
            }
        )*
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
    };
}

pub(crate) use operators;

/// Fixed point with 4 fractional bits in 16. Products, quotients and roots are rounded towards zero; what does not fit is
/// invalid, as the library asks of its scalars. Floating point rounds to nearest and relatively, so what is verified here is
/// the library's formulas and order of operations, not `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(i16);

operators!(Fixed, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Fixed {
    pub const FRACTION_BITS: u32 = 4;
    const INVALID: Self = Self(i16::MIN);

    pub const fn from_raw(raw: i16) -> Self {
        Self(raw)
    }

    pub fn raw(self) -> i32 {
        self.0.into()
    }

    fn fitting(wide: i32) -> Self {
        // Two comparisons: `abs` of the minimum would overflow.
        if wide > -32768 && wide < 32768 { Self(wide as i16) } else { Self::INVALID }
    }

    fn both_valid(self, other: Self) -> bool {
        self.is_valid() && other.is_valid()
    }

    fn plus(self, other: Self) -> Self {
        if self.both_valid(other) { Self::fitting(self.raw() + other.raw()) } else { Self::INVALID }
    }

    fn minus(self, other: Self) -> Self {
        if self.both_valid(other) { Self::fitting(self.raw() - other.raw()) } else { Self::INVALID }
    }

    fn times(self, other: Self) -> Self {
        if !self.both_valid(other) {
            return Self::INVALID;
        }
        let product = self.raw() * other.raw();
        // A shift rounds down; adding 15 to a negative product first rounds it towards zero.
        Self::fitting((product + ((product >> 31) & 15)) >> Self::FRACTION_BITS)
    }

    fn over(self, other: Self) -> Self {
        if !self.both_valid(other) || other.0 == 0 {
            return Self::INVALID;
        }
        Self::fitting((self.raw() << Self::FRACTION_BITS) / other.raw())
    }
}

impl Neg for Fixed {
    type Output = Self;
    fn neg(self) -> Self {
        if self.is_valid() { Self(-self.0) } else { self }
    }
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.both_valid(*other) && self.0 == other.0
    }
}

impl PartialOrd for Fixed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.both_valid(*other) { Some(self.0.cmp(&other.0)) } else { None }
    }
}

impl super::super::library::number::elimination::Eliminate for Fixed {}

impl Field for Fixed {
    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1 << Self::FRACTION_BITS)
    }

    fn from_int(n: i64) -> Self {
        if n > -2048 && n < 2048 { Self((n << Self::FRACTION_BITS) as i16) } else { Self::INVALID }
    }

    fn is_valid(&self) -> bool {
        self.0 != i16::MIN
    }

    /// One unit in the last place each, which is what n roundings of numbers up to 1 can add up to.
    fn rounding(operations: usize) -> Self {
        i16::try_from(operations).map_or(Self::INVALID, Self)
    }
}

impl Real for Fixed {
    /// ⌊√⌋, bit by bit; by hand, because every loop counts in Kani's bounds.
    fn sqrt(&self) -> Self {
        if !self.is_valid() || self.0 < 0 {
            return Self::INVALID;
        }
        let radicand = self.raw() << Self::FRACTION_BITS;
        let with = |root: i32, bit: i32| if (root | bit) * (root | bit) <= radicand { root | bit } else { root };
        let root = with(with(with(with(with(0, 512), 256), 128), 64), 32);
        let root = with(with(with(with(with(root, 16), 8), 4), 2), 1);
        Self::fitting(root)
    }

    /// 2^⌊x⌋ in place of eˣ: like it, 1 at 0, increasing, and in [0, 1] for x ≤ 0, which is all that a policy needs.
    fn exp(&self) -> Self {
        if !self.is_valid() {
            return *self;
        }
        match self.0 >> Self::FRACTION_BITS {
            power @ 0..=10 => Self(16 << power),
            power @ -5..=-1 => Self(16 >> -power),
            power if power < 0 => Self(0),
            _ => Self::INVALID,
        }
    }

    /// Nothing here takes a logarithm.
    fn ln(&self) -> Self {
        Self::INVALID
    }
}

/// `f32` as a scalar: its products are narrow enough for a SAT solver, where those of `f64` are not.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Single(pub f32);

operators!(Single, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Single {
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }

    fn over(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Single {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl super::super::library::number::elimination::Eliminate for Single {}

impl Field for Single {
    fn zero() -> Self {
        Self(0.0)
    }

    fn one() -> Self {
        Self(1.0)
    }

    fn from_int(n: i64) -> Self {
        Self(n as f32)
    }

    fn is_valid(&self) -> bool {
        self.0.is_finite()
    }

    fn rounding(operations: usize) -> Self {
        let nu = operations as f32 * (f32::EPSILON / 2.0);
        Self(nu / (1.0 - nu))
    }
}

impl Real for Single {
    fn sqrt(&self) -> Self {
        Self(libm::sqrtf(self.0))
    }

    fn exp(&self) -> Self {
        Self(libm::expf(self.0))
    }

    fn ln(&self) -> Self {
        Self(libm::logf(self.0))
    }
}
