//! The passes over vectors of R^d that the two algorithms share: one step of descent, and the outer step's.

use super::aligned::{Aligned, Line, stride};
use super::kernel::{ZERO, fold, inner, inner_eight, multiply};
use super::unit::{self, Pass, Unit};
use crate::error::Result;
use crate::linear::projection::{project_ball_of_norm, within_ball};
use crate::linear::vector::{LANES, take};
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
pub(super) fn descend<S: Unit>(
    unit: S,
    (eta, ball): (f64, Ball),
    gradient: &[Line],
    theta: &mut [Line],
    iterate_sum: &mut [Line],
    before: &mut [Line],
) -> f64 {
    let (count, eta, mut lanes) = (theta.len(), unit.splat_f64s(eta), ZERO);
    let (gradient, sum, before) = (&gradient[..count], &mut iterate_sum[..count], &mut before[..count]);
    for c in 0..count {
        let old = cast(theta[c]);
        let new = unit.sub_f64s(old, unit.mul_f64s(cast(gradient[c]), eta));
        lanes = unit.add_f64s(lanes, unit.mul_f64s(new, new));
        sum[c] = cast(unit.add_f64s(cast(sum[c]), old));
        theta[c] = cast(new);
    }
    let norm_squared = fold(lanes);
    if ball.excludes(norm_squared) {
        let s = unit.splat_f64s(ball.radius / norm_squared.sqrt());
        for c in 0..count {
            before[c] = theta[c];
            theta[c] = cast(unit.mul_f64s(cast(theta[c]), s));
        }
        let (y, radius) = (theta.as_flattened(), &ball.radius);
        debug_assert!(!norm_squared.is_finite() || within_ball(y, radius), "projection left the ball");
    }
    norm_squared
}

/// w = ⟨φ(X, A), Λ^{c−1}β_t⟩ of every φ(X, A), eight side by side.
#[inline(always)]
pub(super) fn weights<S: Unit, V>(unit: S, visits: &[(&[f64], V)], weighted_beta: &[Line], w: &mut [f64]) {
    let w = &mut w[..visits.len()];
    let ((eights, rest), (w, w_rest)) = (visits.as_chunks::<LANES>(), w.as_chunks_mut::<LANES>());
    for n in 0..eights.len() {
        let mut rows: [&[f64]; LANES] = [&[]; LANES];
        for i in 0..LANES {
            rows[i] = eights[n][i].0;
        }
        w[n] = cast(inner_eight(unit, rows, weighted_beta));
    }
    for n in 0..rest.len() {
        w_rest[n] = inner(unit, rest[n].0, weighted_beta);
    }
}

/// θ_{t,k}, Σ_k θ_{t,k}, and θ − η g̃_θ where Π moved it: what the inner steps of a run move, in whole lines.
pub(super) struct Iterates {
    pub(super) theta: Aligned,
    pub(super) sum: Aligned,
    pub(super) before: Aligned,
}

impl Iterates {
    pub(super) fn new(dim: usize) -> Self {
        let room = || Aligned::room(stride(dim));
        Self { theta: room(), sum: room(), before: room() }
    }
}

/// t, and what is fixed in its outer iteration: Σ_{i<t} θ_i and Λ^{c−1}β_t, in whole lines.
pub(super) struct Fixed {
    pub(super) t: usize,
    pub(super) theta_sum: Aligned,
    pub(super) weighted_beta: Aligned,
}

impl Fixed {
    pub(super) fn new(dim: usize) -> Self {
        Self { t: 0, theta_sum: Aligned::room(stride(dim)), weighted_beta: Aligned::room(stride(dim)) }
    }

    pub(super) fn enter(&mut self, t: usize, theta_sum: &[f64], weighted_beta: &[f64]) {
        self.t = t;
        self.theta_sum[..theta_sum.len()].copy_from_slice(theta_sum);
        self.weighted_beta[..theta_sum.len()].copy_from_slice(weighted_beta);
    }
}

/// What the outer steps of a run use: Λ^{c−1}, if c is not 1, and room for a vector in whole lines.
pub(super) struct Weight<'f> {
    matrix: Option<&'f [f64]>,
    room: Aligned,
}

impl<'f> Weight<'f> {
    pub(super) fn new(dim: usize, matrix: Option<&'f [f64]>) -> Self {
        Self { matrix, room: Aligned::room(stride(dim)) }
    }

    /// y ← M x.
    fn product(&mut self, matrix: &[f64], x: &[f64], y: &mut [f64]) {
        self.room[..x.len()].copy_from_slice(x);
        unit::run(Product { dim: x.len(), matrix, x: self.room.lines(), y });
    }

    /// y ← (Λ^{c−1}x)·s.
    pub(super) fn apply(&mut self, x: &[f64], s: f64, y: &mut [f64]) {
        match self.matrix {
            None => y.copy_from_slice(x),
            Some(matrix) => self.product(matrix, x, y),
        }
        for y in y {
            *y *= s;
        }
    }

    /// The values ⟨φ(X', ·), θ_t⟩; returns ⟨φ, θ_t⟩.
    pub(super) fn predict(&mut self, theta: &[f64], next: &[f64], phi: &[f64], values: &mut [f64]) -> f64 {
        let mut prediction = [0.0];
        self.product(next, theta, values);
        self.product(phi, theta, &mut prediction);
        prediction[0]
    }

    /// y ← Π(β + (ζ·g)). Returns ‖β + ζ·g‖²; where Π moved it, `before` is what it was.
    pub(super) fn ascend(
        &mut self,
        (zeta, ball): (f64, Ball),
        [beta, gradient]: [&[f64]; 2],
        y: &mut [f64],
        before: &mut [f64],
    ) -> f64 {
        for ((y, beta), g) in y.iter_mut().zip(beta).zip(gradient) {
            *y = beta + g * zeta;
        }
        before.copy_from_slice(y);
        let mut square = [0.0];
        self.product(before, before, &mut square);
        let [square] = square;
        if square.is_finite() {
            project_ball_of_norm(y, square.sqrt(), &ball.radius);
        }
        square
    }
}

/// y ← M x.
struct Product<'p> {
    dim: usize,
    matrix: &'p [f64],
    x: &'p [Line],
    y: &'p mut [f64],
}

impl Pass for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) {
        multiply(
            unit,
            (self.dim, self.matrix),
            self.x,
            #[inline(always)]
            |i, y| self.y[i] = y,
        );
    }
}

/// Room for what an outer step computes, out of the state's scratch.
pub(super) struct Work<'s> {
    /// β_t + ζ g̃_β.
    pub(super) before: &'s mut [f64],
    /// g̃_β.
    pub(super) gradient: &'s mut [f64],
    /// β_{t+1}.
    pub(super) beta_next: &'s mut [f64],
    /// ⟨φ(X', ·), θ_t⟩.
    pub(super) values: &'s mut [f64],
}

impl<'s> Work<'s> {
    pub(super) fn new(actions: usize, dim: usize, mut scratch: &'s mut [f64]) -> Result<Self> {
        let scratch = &mut scratch;
        Ok(Self {
            before: take(scratch, dim)?,
            gradient: take(scratch, dim)?,
            beta_next: take(scratch, dim)?,
            values: take(scratch, actions)?,
        })
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
