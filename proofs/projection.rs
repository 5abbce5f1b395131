//! Π onto [0, 1] and onto the ball.

use super::properties::{
    ball_gram_non_expansive, ball_gram_steps, fixed_ball_excess, fixed_ball_idempotent, fixed_ball_lands, shrinks,
    unit_interval_idempotent, unit_interval_nested, unit_interval_non_expansive,
};
use super::scalars::{Fixed, Single};
use crate::linear::projection::project_ball_of_norm;
use crate::number::Real;

/// Π onto [0, 1] is non-expansive for all pairs of f64: where Πx ≠ Πy, both lie between x and y, in the order of x and y.
#[kani::proof]
#[kani::solver(cadical)]
fn unit_interval_is_non_expansive() {
    let (x, y): (f64, f64) = kani::any();
    assert!(unit_interval_nested(x, y));
    kani::cover!(x < 0.0 && y > 1.0 && y < f64::MAX, "both ends");
    kani::cover!(x.is_nan(), "a refusal");
}

/// The same of the distances as computed, with their rounding and overflow: all pairs of f32.
#[kani::proof]
#[kani::solver(minisat)]
fn unit_interval_distances_do_not_grow() {
    let (x, y): (f32, f32) = kani::any();
    assert!(unit_interval_non_expansive(Single(x), Single(y)));
    kani::cover!(x < 0.0 && y > 1.0 && y < f32::MAX, "both ends");
}

/// Π onto [0, 1] lands there, keeps what is there and is idempotent, for all f64.
#[kani::proof]
#[kani::solver(cadical)]
fn unit_interval_is_idempotent() {
    let x: f64 = kani::any();
    assert!(unit_interval_idempotent(x));
    kani::cover!(x > 1.0 && x.is_finite(), "above");
    kani::cover!(x == -0.0, "zero");
}

/// Π onto a ball is non-expansive in every dimension: the three steps, norms and radius in 8 bits.
#[kani::proof]
#[kani::solver(cadical)]
fn ball_is_non_expansive_in_steps() {
    let (k, l, radius): (u8, u8, u8) = kani::any();
    assert!(ball_gram_steps(k, l, radius));
    kani::cover!(k > radius && l < radius && l > 0, "one inside, one outside");
}

/// The same as one inequality in norms, radius and cosine, in 4 bits.
#[kani::proof]
#[kani::solver(cadical)]
fn ball_is_non_expansive_by_gram() {
    let (k, l, radius, n, m): (u8, u8, u8, i8, u8) = kani::any();
    // Budget: 4 bits. Precondition: a cosine, |n/m| ≤ 1.
    kani::assume(k < 16 && l < 16 && radius < 16);
    kani::assume(m > 0 && m < 16 && n <= m as i8 && n >= -(m as i8));
    assert!(ball_gram_non_expansive(k, l, radius, n, m));
    kani::cover!(k > radius && l > radius && n < 0, "an obtuse angle outside");
}

fn fixed_lands(radius: i16) {
    let y: [i8; 2] = kani::any();
    assert!(fixed_ball_lands(y, Fixed::from_raw(radius)));
    kani::cover!(y[0] > 100 && y[1] < -100, "far outside");
}

/// `project_ball` in the plane at the fixed-point scalar lands in the ball of radius 1, all 8-bit coordinates.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(11)]
fn fixed_ball_projection_lands_radius_1() {
    fixed_lands(16);
}

/// The same for radius 2.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(11)]
fn fixed_ball_projection_lands_radius_2() {
    fixed_lands(32);
}

/// `project_ball` at the fixed-point scalar is idempotent, all 8-bit coordinates, radius 2.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(11)]
fn fixed_ball_projection_is_idempotent() {
    let y: [i8; 2] = kani::any();
    assert!(fixed_ball_idempotent(y, Fixed::from_raw(32)));
    kani::cover!(y[0] > 100 && y[1] < -100, "far outside");
}

/// `project_ball` at the fixed-point scalar is non-expansive up to rounding, all 6-bit coordinates, radius 1. The slack of 7 in
/// squared raw units (7/256) is the least: `tests/properties.rs` finds a pair that needs it.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
fn fixed_ball_projection_is_non_expansive() {
    let (y, z): ([i8; 2], [i8; 2]) = kani::any();
    // Budget: 6 bits, that is [−2, 2).
    kani::assume(six_bits(y) && six_bits(z));
    assert!(fixed_ball_excess(y, z, Fixed::from_raw(16)).is_some_and(|excess| excess <= 7));
    kani::cover!(y[0] > 10 && z[0] < -10, "far apart");
}

fn six_bits(y: [i8; 2]) -> bool {
    y[0] >= -32 && y[0] < 32 && y[1] >= -32 && y[1] < 32
}

/// Stands for the debug assertion of the projection, which other proofs are about.
fn not_asked<T: Real>(_y: &[T], _radius: &T) -> bool {
    true
}

/// The projection shrinks a coordinate, keeps its sign and makes no NaN, whatever norm it is told: all f32.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::linear::projection::within_ball, not_asked)]
fn single_projection_shrinks() {
    let (y, norm, radius): (f32, f32, f32) = kani::any();
    // Precondition: what the callers have checked.
    kani::assume(y.is_finite() && norm.is_finite() && norm >= 0.0 && radius.is_finite() && radius > 0.0);
    let mut point = [Single(y)];
    project_ball_of_norm(&mut point, Single(norm), &Single(radius));
    assert!(shrinks(&[Single(y)], &point));
    kani::cover!(point[0].0 < y && point[0].0 > 0.0, "shrunk");
}
