//! A running error analysis: a double, and a bound on the distance of any right implementation's value from the exact one.
//!
//! "Any": the same formulas in any order of summation, with or without fused multiply-add, with exp good to 4 ulps, in a
//! [`Precision`] or better, flushing to zero or not. Two such values differ by at most twice the bound, which is the tolerance.
//! `docs/oracle.md` has the derivation, operation by operation.

use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Sub};
use std::vec::Vec;

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
    value: f64,
    inherited: f64,
    size: f64,
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
fn rounding_between<P: Format>() -> f64 {
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

/// Mb, and what bounds the error of ⟨a, Mb⟩ whichever product comes first.
#[derive(Debug, Clone)]
pub(crate) struct Image<P> {
    /// Mb.
    pub point: Vec<Near<P>>,
    /// Σ_j |M_ij|⁺|b_j|⁺; `None` where M is the identity.
    majorant: Option<Vec<f64>>,
}

impl<P: Format> Image<P> {
    pub fn new(matrix: Option<&[Near<P>]>, b: &[Near<P>]) -> Self {
        let Some(matrix) = matrix else { return Self { point: b.to_vec(), majorant: None } };
        let rows = || matrix.chunks(b.len().max(1));
        let size = |row: &[Near<P>]| row.iter().zip(b).map(|(m, y)| m.size() * y.size()).sum();
        Self { point: rows().map(|row| dot(row, b)).collect(), majorant: Some(rows().map(size).collect()) }
    }

    /// ⟨a, Mb⟩: inherited errors + γ_{m+n} Σ|a||M||b|, of which Mb has the part of its own sums already.
    pub fn dot(&self, a: &[Near<P>]) -> Near<P> {
        let plain = dot(a, &self.point);
        let Some(majorant) = &self.majorant else { return plain };
        let size: f64 = a.iter().zip(majorant).map(|(x, m)| x.size() * m).sum();
        let either =
            gamma(2 * a.len(), P::ACCUMULATE) + rounding_between::<P>() + 2.0 * P::FACTOR + P::FACTOR * P::FACTOR;
        Near::new(plain.value, plain.error + either * size)
    }
}

/// A point of a ball, with a bound on its Euclidean error.
#[derive(Debug, Clone)]
pub(crate) struct Iterate<P> {
    pub point: Vec<Near<P>>,
    pub spread: f64,
}

impl<P: Format> Iterate<P> {
    /// A point that everybody has.
    pub fn exactly(point: &[f64]) -> Self {
        Self { point: point.iter().map(|x| Near::exactly(*x)).collect(), spread: 0.0 }
    }

    /// An input.
    pub fn input(point: &[f64]) -> Self {
        let point: Vec<Near<P>> = point.iter().map(|x| Near::input(*x)).collect();
        let spread = norm(point.iter().map(|x| x.error));
        Self { point, spread }
    }

    /// Π onto the ball of radius D. It does not expand Euclidean distances, so the spread carries over, whichever way ‖y‖ > D is decided;
    /// where everybody is outside, it shrinks by D/‖y‖ (Dunkl and Williams: ‖x/‖x‖ − y/‖y‖‖ ≤ 2‖x − y‖/(‖x‖ + ‖y‖)). To it come the roundings
    /// of ‖y‖, D/‖y‖ and the product, d + 4 of them. Where nobody can be outside the ball, nothing happens.
    pub fn project(&mut self, radius: Near<P>) {
        let length = norm(self.point.iter().map(|x| x.value));
        let factors = 2.0 * P::FACTOR + P::FACTOR * P::FACTOR + 4.0 * P::STORE * (1.0 + 4.0 * P::STORE);
        let slack = gamma(self.point.len() + 4, P::ACCUMULATE)
            + if P::STORE > P::ACCUMULATE || P::FACTOR > 0.0 { factors } else { 0.0 };
        let least = (length - 2.0 * self.spread) * (1.0 - slack);
        let greatest = (length + 2.0 * self.spread) * (1.0 + slack);
        if greatest < radius.value - 2.0 * radius.error {
            return;
        }
        let radius_most = radius.size();
        let shrink = if least > radius_most { radius_most / least } else { 1.0 };
        let spread = shrink * self.spread + slack * radius_most * (1.0 + slack) + 2.0 * radius.error + P::TINY;
        // No two points of a ball are further apart than its diameter.
        let most = 2.0 * radius_most * (1.0 + slack);
        self.spread = if spread < most { spread } else { most };
        if length > radius.value {
            for x in &mut self.point {
                x.value *= radius.value / length;
            }
        }
        for x in &mut self.point {
            x.error = self.spread;
        }
    }

    /// One gradient step, before Π: x ± rate·g, with the Euclidean norm of the new errors added to the spread.
    pub fn moved(&self, gradient: &[Near<P>], rate: Near<P>, sign: f64) -> Self {
        let step = |(x, g): (&Near<P>, &Near<P>)| if sign < 0.0 { *x - *g * rate } else { *x + *g * rate };
        let point: Vec<Near<P>> = self.point.iter().zip(gradient).map(step).collect();
        let added = norm(point.iter().zip(&self.point).map(|(new, old)| new.error - old.error));
        // The differences lose what rounding took from errors that nearly cancel.
        let cancelled: f64 = self.point.iter().map(|old| 2.0 * f64::EPSILON * old.error).sum();
        Self { point, spread: self.spread + added + cancelled }
    }
}

/// The average of iterates, term by term as they come: Σ/K, whose spreads average too; to them comes the rounding of K additions, of
/// 1/K and of the product.
#[derive(Debug, Clone)]
pub(crate) struct Average<P> {
    sums: Vec<Sum<P>>,
    spreads: f64,
    count: usize,
}

impl<P: Format> Average<P> {
    pub fn new(dim: usize) -> Self {
        Self { sums: std::vec![Sum::new(); dim], spreads: 0.0, count: 0 }
    }

    pub fn add(&mut self, iterate: &Iterate<P>) {
        for (sum, x) in self.sums.iter_mut().zip(&iterate.point) {
            sum.add(*x);
        }
        self.spreads += iterate.spread;
        self.count += 1;
    }

    pub fn mean(&self) -> Iterate<P> {
        let count = self.count as f64;
        let rounding =
            |sum: &Sum<P>| (gamma(self.count + 2, P::ACCUMULATE) + 4.0 * P::STORE) * sum.size / count + 2.0 * P::TINY;
        let spread = self.spreads / count + norm(self.sums.iter().map(rounding));
        let mean = |sum: &Sum<P>| {
            let error = sum.inherited / count + rounding(sum);
            Near::new(sum.value * (1.0 / count), if error < spread { error } else { spread })
        };
        Iterate { point: self.sums.iter().map(mean).collect(), spread }
    }
}

pub(crate) fn norm(numbers: impl Iterator<Item = f64>) -> f64 {
    libm::sqrt(numbers.map(|x| x * x).sum())
}

/// π(·|x), the softmax of the logits. A probability is a number of [0, 1], so no bound exceeds 1.
pub(crate) fn softmax<P: Format>(logits: &[Near<P>]) -> Vec<Near<P>> {
    let Some(first) = logits.first() else { return Vec::new() };
    let greatest = logits.iter().fold(*first, |greatest, z| greatest.max(*z));
    let weights: Vec<Near<P>> = logits.iter().map(|z| (*z - greatest).exp()).collect();
    let sum = total(weights.iter().copied());
    weights.into_iter().map(|weight| (weight / sum).within(0.5)).collect()
}

/// The actions that the first cumulative probability above u may belong to: the first and the last of them.
///
/// Equal probabilities of a power of two of actions are exact for everybody.
pub(crate) fn draw<P: Format>(policy: &[Near<P>], u: Near<P>) -> (usize, usize) {
    let last = policy.len().saturating_sub(1);
    let is_exact = policy.len().is_power_of_two() && policy.iter().all(|p| p.value * policy.len() as f64 == 1.0);
    let mut sum = Sum::<P>::new();
    let (mut least, mut most) = (None, None);
    for (a, p) in policy.iter().enumerate() {
        sum.add(*p);
        let cumulative = sum.total();
        let slack = 2.0 * u.error + if is_exact { 0.0 } else { 2.0 * cumulative.error };
        if least.is_none() && cumulative.value + slack > u.value {
            least = Some(a);
        }
        if most.is_none() && cumulative.value - slack > u.value {
            most = Some(a);
        }
    }
    (least.unwrap_or(last), most.unwrap_or(last))
}

#[cfg(all(test, feature = "exact"))]
mod tests {
    use super::*;
    use crate::number::Field as _;
    use crate::number::exact::BigRational;

    /// The bound on ⟨x, My⟩ holds whichever product comes first, and however either is summed.
    #[test]
    fn a_bilinear_form_may_be_computed_either_way() {
        let mut seed = 1_u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let near = |numbers: &[f64]| numbers.iter().map(|x| Near::<F64>::exactly(*x)).collect::<Vec<_>>();
        let big = |x: f64| BigRational::from_f64(x).unwrap();
        let mut apart = 0;
        for n in (1..30).cycle().take(300) {
            let [x, y] = [0, 1].map(|_| (0..n).map(|_| draw()).collect::<Vec<_>>());
            let matrix: Vec<f64> = (0..n * n).map(|_| draw()).collect();
            let bound = Image::new(Some(&near(&matrix)), &near(&y)).dot(&near(&x));
            let column = |j: usize| (0..n).rev().fold(0.0, |sum: f64, i| matrix[i * n + j].mul_add(x[i], sum));
            let other = (0..n).fold(0.0, |sum, j| sum + column(j) * y[j]);
            let mut exact = BigRational::zero();
            for i in 0..n * n {
                exact += big(x[i / n]) * big(matrix[i]) * big(y[i % n]);
            }
            for value in [bound.value, other] {
                assert!((big(value) - &exact).abs() <= big(bound.error), "n = {n}");
            }
            apart += usize::from(other != bound.value);
        }
        assert!(apart > 200, "{apart}");
    }

    /// u within the error of a cumulative probability: either action, unless the probabilities are the same for everybody.
    #[test]
    fn draws_that_rounding_decides_are_undecided() {
        let policy = [0.25, 0.5, 0.25].map(|p| Near::<F64>::new(p, 1e-9));
        let near = 1e-9;
        for (u, drawn) in [
            (0.2, (0, 0)),
            (0.25 - near, (0, 1)),
            (0.25, (0, 1)),
            (0.25 + near, (0, 1)),
            (0.26, (1, 1)),
            (0.75 - near, (1, 2)),
            (0.8, (2, 2)),
        ] {
            assert_eq!(draw(&policy, Near::exactly(u)), drawn, "{u}");
        }
        assert_eq!(draw(&policy, Near::new(0.2, 0.1)), (0, 1));
        assert_eq!(draw(&[Near::<F64>::new(0.5, 1e-9); 2], Near::exactly(0.5)), (1, 1));
    }
}
