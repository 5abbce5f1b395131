//! A running error analysis: a double, and a bound on the distance of any right implementation's value from the exact one.
//!
//! "Any": the same formulas in any order of summation, with or without fused multiply-add, with exp good to 4 ulps, in a
//! [`Precision`] or better, flushing to zero or not. Two such values differ by at most twice the bound, which is the tolerance.
//! `docs/oracle.md` has the derivation, operation by operation.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};

/// In which arithmetic an implementation works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// IEEE binary64 throughout.
    #[default]
    F64,
    /// IEEE binary32 throughout, inputs and results too.
    F32,
    /// binary32, but factors of inner products are cut to 11 bits.
    Tf32,
    /// Everything is stored in bfloat16, sums are accumulated in binary32.
    Bf16,
}

impl Precision {
    /// Every precision with its name on the command line.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::F64, "f64"), (Self::F32, "f32"), (Self::Tf32, "tf32"), (Self::Bf16, "bf16")];
}

/// What the analysis knows of an arithmetic.
pub(crate) trait Format: Copy + core::fmt::Debug {
    /// Half a unit in the last place of a stored number, relative.
    const STORE: f64;
    /// The same of an accumulator.
    const ACCUMULATE: f64;
    /// What a factor of an inner product loses before it is multiplied, relative.
    const FACTOR: f64;
    /// What an input loses when it is read, relative.
    const READ: f64;
    /// The least normal number: what underflow or flushing to zero loses.
    const TINY: f64;
}

const SINGLE: f64 = 1.0 / 16_777_216.0;
const SINGLE_TINY: f64 = f32::MIN_POSITIVE as f64;

macro_rules! format {
    ($($name:ident: $store:expr, $accumulate:expr, $factor:expr, $read:expr, $tiny:expr;)*) => {$(
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name;
        impl Format for $name {
            const STORE: f64 = $store;
            const ACCUMULATE: f64 = $accumulate;
            const FACTOR: f64 = $factor;
            const READ: f64 = $read;
            const TINY: f64 = $tiny;
        }
    )*};
}
format! {
    F64: f64::EPSILON / 2.0, f64::EPSILON / 2.0, 0.0, 0.0, f64::MIN_POSITIVE;
    F32: SINGLE, SINGLE, 0.0, SINGLE, SINGLE_TINY;
    // Units differ in whether they round or cut: 2⁻¹⁰ covers both.
    Tf32: SINGLE, SINGLE, 1.0 / 1024.0, SINGLE, SINGLE_TINY;
    Bf16: 1.0 / 256.0, SINGLE, 0.0, 1.0 / 256.0, SINGLE_TINY;
}

/// A value, and a bound on the distance of any implementation's value, this one among them, from the exact one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near<P> {
    pub value: f64,
    pub error: f64,
    format: PhantomData<P>,
}

/// γ_n = nu/(1 − nu); no bound at all where nu reaches 1.
pub(crate) fn gamma(n: usize, unit: f64) -> f64 {
    let nu = n as f64 * unit;
    if nu < 1.0 { nu / (1.0 - nu) } else { f64::INFINITY }
}

/// How far apart two implementations may be that are each within `error` of the exact value. The factor covers the rounding of the
/// bound's own computation: each of its fewer than 2⁴⁰ operations is off by 2⁻⁵³ at most, and no bound is ever subtracted
/// from another except in the spread, which is rounded up there.
pub(crate) fn tolerance(error: f64) -> f64 {
    2.0 * error * (1.0 + 1.0 / 1024.0)
}

impl<P: Format> Near<P> {
    /// A number that everybody has to the bit.
    pub fn exactly(value: f64) -> Self {
        Self::new(value, 0.0)
    }

    /// A number of the problem, which is read into the format; one with at most 8 significant bits loses nothing in any.
    pub fn input(value: f64) -> Self {
        let is_short = value.to_bits().trailing_zeros() >= 45 && (value == 0.0 || (1e-30..1e30).contains(&value.abs()));
        Self::new(value, if P::READ > 0.0 && !is_short { P::READ * value.abs() + P::TINY } else { 0.0 })
    }

    pub fn new(value: f64, error: f64) -> Self {
        Self { value, error, format: PhantomData }
    }

    /// The largest that any implementation's value, or the exact one, may be: this one is within `error` of the exact one,
    /// which is within `error` of theirs.
    pub fn size(self) -> f64 {
        self.value.abs() + 2.0 * self.error
    }

    /// The error that the errors of two factors make in their product.
    fn product_error(self, other: Self) -> f64 {
        self.size() * other.error + other.size() * self.error
    }

    /// Adds the rounding of the result itself; a zero that nothing disturbed stays one.
    fn rounded(value: f64, error: f64) -> Self {
        if value == 0.0 && error == 0.0 {
            return Self::new(value, 0.0);
        }
        Self::new(value, error + P::STORE * (value.abs() + 2.0 * error) * (1.0 + 4.0 * P::STORE) + P::TINY)
    }

    /// A number of [−most, most] is no further than that from another.
    pub fn within(self, most: f64) -> Self {
        let least = 2.0 * most * (1.0 + 8.0 * P::STORE);
        Self::new(self.value, if self.error < least { self.error } else { least })
    }

    /// eˣ, good to 4 ulps.
    pub fn exp(self) -> Self {
        let value = crate::number::exponential::exp(self.value);
        let unit = 8.0 * P::STORE;
        // Every implementation's exp, and the exact one, is at most this.
        let greatest = libm::exp(self.value + 2.0 * self.error) * (1.0 + unit) + P::TINY;
        Self::new(value, greatest * (unit + libm::expm1(self.error)) + P::TINY)
    }

    pub fn max(self, other: Self) -> Self {
        let value = if other.value > self.value { other.value } else { self.value };
        Self::new(value, if other.error > self.error { other.error } else { self.error })
    }

    /// Π onto [0, 1].
    pub fn clamp(self) -> Self {
        Self::new(self.value.clamp(0.0, 1.0), self.error).within(0.5)
    }

    pub fn negative(self) -> Self {
        Self::new(-self.value, self.error)
    }
}

impl<P: Format> Add for Near<P> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error)
    }
}

impl<P: Format> Sub for Near<P> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::rounded(self.value - other.value, self.error + other.error)
    }
}

impl<P: Format> Mul for Near<P> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::rounded(self.value * other.value, self.product_error(other))
    }
}

impl<P: Format> Div for Near<P> {
    type Output = Self;
    /// |x/y − x*/y*| ≤ (|x − x*| + |x*/y*||y − y*|)/|y|, and every |y| is at least |value| − 2·error.
    fn div(self, other: Self) -> Self {
        let least = other.value.abs() - 2.0 * other.error;
        let quotient = self.size() / least;
        let error = if least > 0.0 { (self.error + quotient * other.error) / least } else { f64::INFINITY };
        Self::rounded(self.value / other.value, error)
    }
}

/// A sum that grows term by term, as the library adds, with a bound for any order: Σe + γ_n Σ|x|.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sum<P> {
    pub value: f64,
    pub inherited: f64,
    pub size: f64,
    terms: usize,
    format: PhantomData<P>,
}

impl<P: Format> Sum<P> {
    pub fn new() -> Self {
        Self { value: 0.0, inherited: 0.0, size: 0.0, terms: 0, format: PhantomData }
    }

    pub fn add(&mut self, x: Near<P>) {
        self.value += x.value;
        self.inherited += x.error;
        self.size += x.size();
        self.terms += 1;
    }

    /// One product more: a term like any other, but rounded with the sum (γ_n covers it) unless stored in between.
    pub fn add_product(&mut self, x: Near<P>, y: Near<P>) {
        let size = x.size() * y.size();
        self.value += x.value * y.value;
        self.inherited += x.product_error(y)
            + (2.0 * P::FACTOR + P::FACTOR * P::FACTOR + rounding_between::<P>()) * size
            + tiny::<P>(size);
        self.size += size;
        self.terms += 1;
    }

    /// The same of a product that is rounded by itself.
    pub fn add_rounded_product(&mut self, x: Near<P>, y: Near<P>) {
        self.add(x * y);
        if P::FACTOR > 0.0 {
            self.inherited += (2.0 * P::FACTOR + P::FACTOR * P::FACTOR) * x.size() * y.size();
        }
    }

    pub fn total(&self) -> Near<P> {
        let error = self.inherited + gamma(self.terms, P::ACCUMULATE) * self.size;
        if P::STORE > P::ACCUMULATE { Near::rounded(self.value, error) } else { Near::new(self.value, error) }
    }
}

/// A product that goes into a sum may be stored on its way.
pub(crate) fn rounding_between<P: Format>() -> f64 {
    if P::STORE > P::ACCUMULATE { P::STORE * (1.0 + P::STORE) } else { 0.0 }
}

/// A product of nothing does not underflow.
fn tiny<P: Format>(size: f64) -> f64 {
    if size > 0.0 { P::TINY } else { 0.0 }
}

/// ⟨a, b⟩, in any order, with or without FMA: inherited errors + γ_n Σ|ab|.
pub(crate) fn dot<P: Format>(a: &[Near<P>], b: &[Near<P>]) -> Near<P> {
    let mut sum = Sum::new();
    for (x, y) in a.iter().zip(b) {
        sum.add_product(*x, *y);
    }
    sum.total()
}

pub(crate) fn total<P: Format>(terms: impl IntoIterator<Item = Near<P>>) -> Near<P> {
    let mut sum = Sum::new();
    for x in terms {
        sum.add(x);
    }
    sum.total()
}

#[cfg(test)]
mod tests;
