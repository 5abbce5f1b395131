//! The iterates stay in their balls: one step of each kind, from any θ and β in their balls, any ρ in [0, 1], any sample and any
//! gradient, on the library's code.
//!
//! The projection is replaced by its contract, which `projection.rs` is about: whatever it is given, what it returns lies in the
//! ball of the radius it was given. The policy, and products that only make up a gradient, are replaced by any numbers. Arithmetic is
//! [`Unknown`].

use super::contracts::out_of_range;
use super::properties::{average_reward_steps_land, discounted_step_lands, fixed_point, mean_within, raw_norm_squared};
use super::scalars::{Fixed, operators};
use crate::error::Result;
use crate::number::{Field, Real};
use crate::paper::average_reward::algorithm as second;
use crate::paper::discounted::algorithm as first;
use crate::paper::samples::{FeatureMap, Sample};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number that arithmetic says nothing about, so that what holds here holds for every gradient and however it is rounded: a
/// result may be anything, a number or not, except that x + 0 = 0 + x = x, x·1 = x and x/1 = x. Only what the projection
/// returned is known to lie in a ball.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    /// Sixteenths, for comparisons with 0 and 1; the least is no number.
    raw: i8,
    /// The radius of the ball that the projection put it into, or 0.
    ball: i8,
}

operators!(Unknown, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Unknown {
    const fn new(raw: i8) -> Self {
        Self { raw, ball: 0 }
    }

    fn any() -> Self {
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
trait Known: Real {
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
const RADIUS_THETA: Unknown = Unknown::new(32);
const RADIUS_BETA: Unknown = Unknown::new(48);

/// Whether the projection put every coordinate into this ball. Stands for `within_ball`, too.
fn in_ball<T: Known>(y: &[T], radius: &T) -> bool {
    y.iter().all(|c| c.known().ball == radius.known().raw)
}

/// `project_ball_of_norm` by contract.
fn any_projection<T: Known>(y: &mut [T], _norm: T, radius: &T) {
    for c in y {
        *c = T::unknown(any_in_ball(radius.known()));
    }
}

/// `policy_row`: any numbers.
fn any_policy<T: Known>(_alpha: &T, _features: &[T], _theta_sum: &[T], out: &mut [T]) -> Result<()> {
    for p in out {
        *p = T::unknown(Unknown::any());
    }
    Ok(())
}

/// `inner`: any number.
fn any_sum<T: Known>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == b.len());
    T::unknown(Unknown::any())
}

/// `mean_feature`: any numbers.
fn any_mean_feature<T: Known>(_start: &[T], _at_start: &[T], _next: &[T], _at_next: &[T], out: &mut [T]) {
    for c in out {
        *c = T::unknown(Unknown::any());
    }
}

/// `multiply`: any numbers.
fn any_products<T: Known>(_matrix: &[T], _x: &[T], y: &mut [T]) {
    for c in y {
        *c = T::unknown(Unknown::any());
    }
}

fn any_in_ball(radius: Unknown) -> Unknown {
    let raw = kani::any();
    // Precondition: the projection is given numbers and returns numbers.
    kani::assume(raw != i8::MIN);
    Unknown { raw, ball: radius.raw }
}

fn any_point(radius: Unknown) -> [Unknown; 2] {
    [any_in_ball(radius), any_in_ball(radius)]
}

/// Any features, d = 2, of one action (budget: with two, a drawn action is a symbolic index). All known states share them, which
/// loses nothing where arithmetic may yield anything; as many arrays as states would make every slice symbolic.
struct Features([Unknown; 2]);

impl FeatureMap<Unknown> for Features {
    fn actions(&self) -> usize {
        1
    }

    fn dim(&self) -> usize {
        2
    }

    fn state(&self, x: usize) -> Option<&[Unknown]> {
        if x < 2 { Some(&self.0) } else { None }
    }
}

fn any_features() -> Features {
    Features([Unknown::any(), Unknown::any()])
}

/// Any states, r and u.
fn any_sample() -> Sample<Unknown> {
    Sample { x0: kani::any(), x: kani::any(), a: 0, r: Unknown::any(), x_next: kani::any(), u: Unknown::any() }
}

/// K − 1 inner steps.
fn any_parameters(inner: usize) -> first::Parameters<Unknown> {
    let a = Unknown::any;
    let (radius_theta, radius_beta) = (RADIUS_THETA, RADIUS_BETA);
    first::Parameters { discount: a(), alpha: a(), eta: a(), zeta: a(), radius_theta, radius_beta, inner }
}

/// An inner step of Algorithm 1 leaves θ in its ball and β as it was, or is refused.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(26)]
#[kani::stub(crate::linear::projection::project_ball_of_norm, any_projection)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::projection::within_ball, in_ball)]
#[kani::stub(crate::linear::softmax::policy_row, any_policy)]
#[kani::stub(crate::linear::vector::inner, any_sum)]
#[kani::stub(crate::paper::discounted::estimators::mean_feature, any_mean_feature)]
fn discounted_inner_step_stays_in_ball() {
    let features = any_features();
    let start = (&any_point(RADIUS_THETA)[..], &any_point(RADIUS_BETA)[..]);
    let landed = discounted_step_lands(&any_parameters(2), &features, start, &any_sample(), in_ball);
    assert!(landed != Some(false));
    kani::cover!(landed == Some(true), "a step is taken");
    kani::cover!(landed.is_none(), "a step is refused");
}

/// An outer step of Algorithm 1 (K = 1) leaves θ and β in their balls, or is refused.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(26)]
#[kani::stub(crate::linear::projection::project_ball_of_norm, any_projection)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::projection::within_ball, in_ball)]
#[kani::stub(crate::linear::softmax::policy_row, any_policy)]
#[kani::stub(crate::linear::vector::inner, any_sum)]
#[kani::stub(crate::linear::vector::multiply, any_products)]
fn discounted_outer_step_stays_in_ball() {
    let features = any_features();
    let start = (&any_point(RADIUS_THETA)[..], &any_point(RADIUS_BETA)[..]);
    let landed = discounted_step_lands(&any_parameters(1), &features, start, &any_sample(), in_ball);
    assert!(landed != Some(false));
    kani::cover!(landed == Some(true), "a step is taken");
    kani::cover!(landed.is_none(), "a step is refused");
}

/// An inner step and then an outer step of Algorithm 2 (K = 1) leave θ and β in their balls and ρ in [0, 1], or are refused.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(26)]
#[kani::stub(crate::linear::projection::project_ball_of_norm, any_projection)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::projection::within_ball, in_ball)]
#[kani::stub(crate::linear::softmax::policy_row, any_policy)]
#[kani::stub(crate::linear::vector::inner, any_sum)]
#[kani::stub(crate::linear::vector::multiply, any_products)]
fn average_reward_steps_stay_in_balls() {
    let a = Unknown::any;
    let (radius_theta, radius_beta) = (RADIUS_THETA, RADIUS_BETA);
    let parameters =
        second::Parameters { alpha: a(), eta: a(), zeta: a(), xi: a(), radius_theta, radius_beta, inner: 1 };
    let features = any_features();
    let start = (&any_point(RADIUS_THETA)[..], a(), &any_point(RADIUS_BETA)[..]);
    let samples = [any_sample(), any_sample()];
    let landed = average_reward_steps_land(&parameters, &features, start, &samples, in_ball);
    assert!(landed != Some(false));
    kani::cover!(landed == Some(true), "both steps are taken");
    kani::cover!(landed.is_none(), "a step is refused");
}

fn mean_stays<const K: usize>() {
    let points: [[i8; 2]; K] = kani::any();
    let radius = Fixed::from_raw(16);
    for point in points {
        // Precondition: in the ball of radius 1.
        kani::assume(raw_norm_squared(&fixed_point(point)) <= radius.raw() * radius.raw());
    }
    assert!(mean_within(points, radius));
    kani::cover!(points[0][0] == 16 && points[K - 1][1] == -16, "two ends");
}

/// The mean of 2 points of the ball is in it.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(5)]
fn mean_of_two_stays_in_ball() {
    mean_stays::<2>();
}

/// The mean of 3 points of the ball is in it.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(5)]
fn mean_of_three_stays_in_ball() {
    mean_stays::<3>();
}

/// The mean of 4 points of the ball is in it.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(5)]
fn mean_of_four_stays_in_ball() {
    mean_stays::<4>();
}
