//! The passes over vectors of R^d that the two algorithms share: one step of descent, and the outer step's.

use super::kernel::{ZERO, fold, inner, map, multiply, split, split_mut, store};
use super::unit::{Pass, Unit};
use crate::linear::projection::within_ball;
use crate::linear::vector::LANES;
use crate::paper::lines::reciprocal;
use pulp::bytemuck::cast;

/// The largest n² whose root is, rounded, at most D. Roots round monotonically, so n² is above it just where n is above D.
pub(super) fn largest_square(radius: f64) -> f64 {
    let mut square = radius * radius;
    while square.sqrt() > radius {
        square = square.next_down();
    }
    while square.next_up().sqrt() <= radius {
        square = square.next_up();
    }
    square
}

/// B(D): D, and [`largest_square`] of it.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    radius: f64,
    square: f64,
}

impl Ball {
    pub(super) fn new(radius: f64) -> Self {
        Self { radius, square: largest_square(radius) }
    }

    /// Whether a point of that ‖·‖² is outside; not if it is none.
    #[inline(always)]
    pub(super) fn excludes(self, norm_squared: f64) -> bool {
        norm_squared > self.square
    }
}

/// What is sequential in an inner step: Σ ← Σ + θ, then θ ← Π(θ − (η·g)), component by component. Returns ‖θ − η·g‖²; where Π moved it,
/// `before` is what it was. A norm that is none is the caller's to report.
#[inline(always)]
pub(super) fn descend<S: Unit, const R: usize>(
    unit: S,
    (eta, ball): (f64, Ball),
    gradient: &[f64],
    theta: &mut [f64],
    iterate_sum: &mut [f64],
    before: &mut [f64],
) -> f64 {
    let (count, eta) = (theta.len() / LANES, unit.splat_f64s(eta));
    let mut lanes = ZERO;
    let (g, g_rest) = split::<R>(gradient, count);
    let ((_, old_rest), (_, old_sum)) = (split::<R>(theta, count), split::<R>(iterate_sum, count));
    let (chunks, theta_rest) = split_mut::<R>(theta, count);
    let (sum, sum_rest) = split_mut::<R>(iterate_sum, count);
    for c in 0..count {
        let old = cast(chunks[c]);
        let new = unit.sub_f64s(old, unit.mul_f64s(cast(g[c]), eta));
        lanes = unit.add_f64s(lanes, unit.mul_f64s(new, new));
        sum[c] = cast(unit.add_f64s(cast(sum[c]), old));
        chunks[c] = cast(new);
    }
    if R > 0 {
        let new = unit.sub_f64s(old_rest, unit.mul_f64s(g_rest, eta));
        lanes = unit.add_f64s(lanes, unit.mul_f64s(new, new));
        store(unit.add_f64s(old_sum, old_rest), sum_rest);
        store(new, theta_rest);
    }
    let norm_squared = fold(lanes);
    project::<S, R>(unit, theta, norm_squared, ball, before);
    norm_squared
}

/// Π of a point whose ‖·‖² is known; what it was goes to `before`, if there is a difference.
#[inline(always)]
fn project<S: Unit, const R: usize>(unit: S, y: &mut [f64], norm_squared: f64, ball: Ball, before: &mut [f64]) {
    if ball.excludes(norm_squared) {
        before.copy_from_slice(y);
        let s = unit.splat_f64s(ball.radius / norm_squared.sqrt());
        map::<1, R>(
            [before],
            y,
            #[inline(always)]
            |[y]| unit.mul_f64s(y, s),
        );
        debug_assert!(!norm_squared.is_finite() || within_ball(y, &ball.radius), "projection left the ball");
    }
}

/// (Λ^{c−1}φ)·s.
pub(super) struct Weighted<'p> {
    pub(super) weight: Option<&'p [f64]>,
    pub(super) phi: &'p [f64],
    pub(super) s: f64,
    pub(super) out: &'p mut [f64],
}

impl Pass for Weighted<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) {
        match self.weight {
            None => self.out.copy_from_slice(self.phi),
            Some(matrix) => multiply::<S, R>(
                unit,
                matrix,
                self.phi,
                #[inline(always)]
                |i, y| self.out[i] = y,
            ),
        }
        for y in self.out {
            *y *= self.s;
        }
    }
}

/// The values ⟨φ(X', ·), θ_t⟩; returns ⟨φ, θ_t⟩.
pub(super) struct Prediction<'p> {
    pub(super) theta: &'p [f64],
    pub(super) phi: &'p [f64],
    pub(super) next: &'p [f64],
    pub(super) values: &'p mut [f64],
}

impl Pass for Prediction<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> f64 {
        multiply::<S, R>(
            unit,
            self.next,
            self.theta,
            #[inline(always)]
            |a, y| self.values[a] = y,
        );
        inner::<S, R>(unit, self.phi, self.theta)
    }
}

/// y ← Π(β + (ζ·g)). Returns ‖β + ζ·g‖²; where Π moved it, `before` is what it was.
pub(super) struct Ascent<'p> {
    pub(super) zeta: f64,
    pub(super) ball: Ball,
    pub(super) beta: &'p [f64],
    pub(super) gradient: &'p [f64],
    pub(super) out: &'p mut [f64],
    pub(super) before: &'p mut [f64],
}

impl Pass for Ascent<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> f64 {
        let zeta = unit.splat_f64s(self.zeta);
        map::<2, R>(
            [self.beta, self.gradient],
            self.out,
            #[inline(always)]
            |[beta, g]| unit.add_f64s(beta, unit.mul_f64s(g, zeta)),
        );
        let norm_squared = inner::<S, R>(unit, self.out, self.out);
        project::<S, R>(unit, self.out, norm_squared, self.ball, self.before);
        norm_squared
    }
}

/// y ← y + x.
pub(super) fn add(x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += x;
    }
}

/// θ_t, the average: θ ← Σ·(1/K).
pub(super) fn average(sum: &[f64], count: usize, theta: &mut [f64]) {
    let share = reciprocal::<f64>(count);
    for (theta, sum) in theta.iter_mut().zip(sum) {
        *theta = sum * share;
    }
}

#[cfg(test)]
mod tests {
    use super::largest_square;

    /// The decision by squares is the decision by roots, at the threshold and beside it, also where squares are subnormal or near overflow.
    #[test]
    fn squares_decide_as_roots_do() {
        let mut radius = 2.3e-162;
        while radius < 1.3e154 {
            let square = largest_square(radius);
            assert!(square.sqrt() <= radius && square.next_up().sqrt() > radius, "{radius}");
            radius *= 1.37;
        }
    }
}
