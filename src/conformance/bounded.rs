//! A running error analysis: a double together with a bound on its distance from what exact arithmetic would give.
//!
//! The bound holds for this library and for every implementation that computes the same formulas in IEEE doubles, in any
//! order of summation, with or without fused multiply-add, with exp good to 4 ulps, without overflow or underflow. Two such implementations
//! therefore differ by at most twice the bound. `docs/oracle.md` has the derivation, operation by operation.

use super::scalar::{Scalar, average};
use core::ops::{Add, Div, Mul, Sub};
use std::vec::Vec;

/// u = 2⁻⁵³.
const UNIT: f64 = f64::EPSILON / 2.0;

/// exp is taken to be good to 4 ulps, 8u relative.
const EXP: f64 = 8.0 * UNIT;

/// A value as this library computes it, and a bound on the distance of any implementation's value from the exact one.
#[derive(Debug, Clone, Copy)]
pub struct Bounded {
    /// The library's value.
    pub value: f64,
    /// The bound.
    pub error: f64,
}

/// γ_n = nu/(1 − nu).
#[allow(clippy::cast_precision_loss)] // lengths are far below 2^53
fn gamma(n: usize) -> f64 {
    let nu = n as f64 * UNIT;
    nu / (1.0 - nu)
}

fn values(x: &[Bounded]) -> Vec<f64> {
    x.iter().map(|x| x.value).collect()
}

impl Bounded {
    /// The largest that any implementation's value, or the exact one, may be: this one is within `error` of the exact one,
    /// which is within `error` of theirs.
    fn size(self) -> f64 {
        self.value.abs() + 2.0 * self.error
    }

    /// The error that the errors of two factors make in their product.
    fn product_error(self, other: Self) -> f64 {
        self.size() * other.error + other.size() * self.error
    }

    /// Adds the rounding of the result itself.
    fn rounded(value: f64, error: f64) -> Self {
        Self { value, error: error + UNIT * (value.abs() + 2.0 * error) * (1.0 + 4.0 * UNIT) }
    }

    /// How far apart two implementations may be. The factor covers the rounding of the bound's own computation: each of its
    /// fewer than 2⁴⁰ operations is off by 2⁻⁵³ at most, upwards or downwards, and no bound is ever subtracted from another
    /// except in the spread, which is rounded up there.
    #[must_use]
    pub fn tolerance(self) -> f64 {
        2.0 * self.error * (1.0 + 1.0 / 1024.0)
    }
}

impl Add for Bounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error)
    }
}

impl Sub for Bounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::rounded(self.value - other.value, self.error + other.error)
    }
}

impl Mul for Bounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::rounded(self.value * other.value, self.product_error(other))
    }
}

impl Div for Bounded {
    type Output = Self;
    /// |x/y − x*/y*| ≤ (|x − x*| + |x*/y*||y − y*|)/|y|, and every |y| is at least |value| − 2·error.
    fn div(self, other: Self) -> Self {
        let least = other.value.abs() - 2.0 * other.error;
        let quotient = self.size() / least;
        let error = if least > 0.0 { (self.error + quotient * other.error) / least } else { f64::INFINITY };
        Self::rounded(self.value / other.value, error)
    }
}

impl Scalar for Bounded {
    fn of(x: f64) -> Self {
        Self { value: x, error: 0.0 }
    }

    fn exp(&self) -> Self {
        let value = Scalar::exp(&self.value);
        // Every implementation's exp, and the exact one, is at most this.
        let greatest = libm::exp(self.value + 2.0 * self.error) * (1.0 + EXP) + f64::MIN_POSITIVE;
        Self { value, error: greatest * (EXP + libm::expm1(self.error)) + f64::MIN_POSITIVE }
    }

    fn max(self, other: Self) -> Self {
        Self { value: Scalar::max(self.value, other.value), error: Scalar::max(self.error, other.error) }
    }

    /// Any order of n additions: γ_{n−1} Σ|x|; one more for an accumulator that starts at a rounded product.
    fn sum(terms: &[Self]) -> Self {
        let inherited: f64 = terms.iter().map(|x| x.error).sum();
        let size: f64 = terms.iter().map(|x| x.size()).sum();
        Self { value: Scalar::sum(&values(terms)), error: inherited + gamma(terms.len()) * size }
    }

    /// Any order: γ_n Σ|ab|.
    fn dot(a: &[Self], b: &[Self]) -> Self {
        let inherited: f64 = a.iter().zip(b).map(|(x, y)| x.product_error(*y)).sum();
        let size: f64 = a.iter().zip(b).map(|(x, y)| x.size() * y.size()).sum();
        Self { value: Scalar::dot(&values(a), &values(b)), error: inherited + gamma(a.len()) * size }
    }

    /// Either product first: γ_{m+n} Σ|left||M||right|.
    fn bilinear(left: &[Self], matrix: &[Self], right: &[Self]) -> Self {
        let value = Scalar::bilinear(&values(left), &values(matrix), &values(right));
        let (mut inherited, mut size) = (0.0, 0.0);
        for (x, row) in left.iter().zip(matrix.chunks(right.len())) {
            for (m, y) in row.iter().zip(right) {
                let (x_m, m_y) = (x.size() * m.size(), m.size() * y.size());
                inherited += x_m * y.error + x.size() * y.size() * m.error + m_y * x.error;
                size += x_m * y.size();
            }
        }
        Self { value, error: inherited + gamma(left.len() + right.len()) * size }
    }

    /// Π does not expand Euclidean distances, so the spread carries over, whichever way ‖y‖ > D is decided; where everybody is
    /// outside, it shrinks by D/‖y‖ (Dunkl and Williams: ‖x/‖x‖ − y/‖y‖‖ ≤ 2‖x − y‖/(‖x‖ + ‖y‖)). To it come the roundings of ‖y‖,
    /// D/‖y‖ and the product, d + 4 of them. Where nobody can be outside the ball, nothing happens.
    fn project(y: &mut [Self], radius: f64, spread: &mut f64) {
        let mut point = values(y);
        let norm = libm::sqrt(Scalar::dot(&point, &point));
        let slack = gamma(y.len() + 4);
        let (least, greatest) = ((norm - 2.0 * *spread) * (1.0 - slack), (norm + 2.0 * *spread) * (1.0 + slack));
        if greatest < radius {
            return;
        }
        Scalar::project(&mut point, radius, &mut 0.0);
        let shrink = if least > radius { radius / least } else { 1.0 };
        *spread = shrink * *spread + slack * radius * (1.0 + slack);
        for (x, value) in y.iter_mut().zip(point) {
            *x = Self { value, error: *spread };
        }
    }

    fn clamp(self) -> Self {
        Self { value: Scalar::clamp(self.value), error: self.error }
    }

    /// `None` where u lies within the error of a cumulative probability.
    fn draw(policy: &[Self], u: f64) -> Option<usize> {
        for end in 1..=policy.len() {
            let cumulative = Self::sum(&policy[..end]);
            if (cumulative.value - u).abs() <= 2.0 * cumulative.error {
                return None;
            }
        }
        Scalar::draw(&values(policy), u)
    }

    /// The spreads average too; to them comes the rounding of K additions, of 1/K and of the product.
    fn average(points: &[Vec<Self>], spreads: &[f64]) -> (Vec<Self>, f64) {
        #[allow(clippy::cast_precision_loss)] // counts are far below 2^53
        let count = points.len() as f64;
        let mut mean = average(points);
        let rounding = |i: usize| {
            let size: f64 = points.iter().map(|point| point[i].size()).sum();
            gamma(points.len() + 2) * size / count
        };
        let squares: f64 = (0..mean.len()).map(|i| rounding(i) * rounding(i)).sum();
        let spread = spreads.iter().sum::<f64>() / count + libm::sqrt(squares);
        for x in &mut mean {
            x.error = x.error.min(spread);
        }
        (mean, spread)
    }

    fn added_spread(old: &[Self], new: &[Self]) -> f64 {
        let squares: f64 =
            old.iter().zip(new).map(|(old, new)| (new.error - old.error) * (new.error - old.error)).sum();
        // The differences lose what rounding took from errors that nearly cancel.
        let cancelled: f64 = old.iter().map(|old| 4.0 * UNIT * old.error).sum();
        libm::sqrt(squares) + cancelled
    }
}
