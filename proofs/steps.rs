//! The iterates stay in their balls: one outer iteration of each algorithm, K = 2 (Algorithm 1) or 1 (Algorithm 2), from any
//! θ and β in their balls, any ρ in [0, 1] and any sample, on the library's code at the fixed-point scalar.
//!
//! The projection is replaced by its contract, which `fixed_ball_projection_lands*` prove: the stub asserts that it is asked
//! about a point and radius they cover, and returns any point of the ball. So the step after it starts from any in-ball
//! iterate, and induction over the steps is the whole argument for every t and K. The policy is replaced by any numbers of [0, 1].

use super::properties::{fixed_ball_slack, fixed_point, mean_within, raw_norm_squared};
use super::scalars::Fixed;
use crate::average_reward::algorithm as second;
use crate::discounted::algorithm as first;
use crate::samples::{FeatureTable, Sample};
use crate::scalar::{Field, Real};
use crate::vector::inner;

/// D_θ = 2 and D_β = 1: different, so that a step that took the wrong one would be seen.
const RADIUS_THETA: i16 = 32;
const RADIUS_BETA: i16 = 16;

/// What the stubs need to know of the scalar.
trait Raw: Real {
    fn as_fixed(&self) -> Fixed;
    fn from_fixed(value: Fixed) -> Self;
}

impl Raw for Fixed {
    fn as_fixed(&self) -> Fixed {
        *self
    }

    fn from_fixed(value: Fixed) -> Self {
        value
    }
}

fn in_ball(y: &[Fixed], radius: Fixed) -> bool {
    raw_norm_squared(y) <= radius.raw() * radius.raw() + fixed_ball_slack(radius)
}

/// `project_ball_of_norm` by contract.
fn any_projection<T: Raw>(y: &mut [T], norm: T, radius: &T) {
    let radius = radius.as_fixed();
    assert!(radius.raw() == RADIUS_THETA.into() || radius.raw() == RADIUS_BETA.into());
    assert!(y.len() == 2 && y.iter().all(|c| c.as_fixed().raw() >= -128 && c.as_fixed().raw() <= 127));
    assert!(norm == inner(y, y).sqrt());
    let point = any_point(radius);
    y[0] = T::from_fixed(point[0]);
    y[1] = T::from_fixed(point[1]);
}

/// `softmax_policies` by what `softmax.rs` proves of it.
fn any_policies<T: Raw, const N: usize>(
    _alpha: &T,
    _features: [&[T]; N],
    _actions: usize,
    _theta_sum: &[T],
    out: &mut [T],
) {
    for p in out {
        *p = T::from_fixed(any_in(0, 16));
    }
}

fn any_in(low: i16, high: i16) -> Fixed {
    let raw: i16 = kani::any();
    // Precondition of each caller: the range it names.
    kani::assume(raw >= low && raw <= high);
    Fixed::from_raw(raw)
}

/// Any point of the ball, with the slack that the projection may leave.
fn any_point(radius: Fixed) -> [Fixed; 2] {
    let point = fixed_point(kani::any());
    // Precondition: in the ball.
    kani::assume(in_ball(&point, radius));
    point
}

/// Two states, one action, features up to 1 in each coordinate (budget).
fn any_features() -> [Fixed; 4] {
    core::array::from_fn(|_| any_in(-16, 16))
}

fn any_sample() -> Sample<Fixed> {
    // Precondition: r ∈ [0, 1], u ∈ [0, 1), known states. The one action is 0.
    let state = || usize::from(kani::any::<bool>());
    Sample { x0: state(), x: state(), a: 0, r: any_in(0, 16), x_next: state(), u: any_in(0, 15) }
}

/// One outer iteration of Algorithm 1 leaves θ and β in their balls.
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(11)]
#[kani::stub(crate::projection::project_ball_of_norm, any_projection)]
#[kani::stub(crate::softmax::softmax_policies, any_policies)]
fn discounted_iterates_stay_in_balls() {
    let parameters = first::Parameters {
        discount: Fixed::from_raw(8),
        alpha: Fixed::one(),
        eta: Fixed::from_raw(4),
        zeta: Fixed::from_raw(4),
        radius_theta: Fixed::from_raw(RADIUS_THETA),
        radius_beta: Fixed::from_raw(RADIUS_BETA),
        inner: 2,
    };
    let rows = any_features();
    let features = FeatureTable::new(1, 2, &rows).unwrap();
    let algorithm = first::Algorithm::new(&features, None, &parameters).unwrap();
    let mut buffer = [Fixed::zero(); first::State::<Fixed>::buffer_len(1, 2)];
    let mut state = first::State::new(1, 2, &mut buffer).unwrap();
    let (theta, beta) = (any_point(parameters.radius_theta), any_point(parameters.radius_beta));
    algorithm.start_at(&mut state, &theta, &beta).unwrap();
    algorithm.begin_outer(&mut state, &mut ()).unwrap();
    assert!(algorithm.inner_step(&mut state, &any_sample(), &mut ()).is_ok());
    assert!(in_ball(state.theta(), parameters.radius_theta));
    assert!(algorithm.outer_step(&mut state, &any_sample(), &mut ()).is_ok());
    assert!(in_ball(state.beta(), parameters.radius_beta));
    kani::cover!(state.beta()[0].raw() == 16 && state.theta()[1].raw() < 0, "the end is reached");
}

/// One outer iteration of Algorithm 2 leaves θ and β in their balls and ρ in [0, 1].
#[kani::proof]
#[kani::solver(kissat)]
#[kani::unwind(11)]
#[kani::stub(crate::projection::project_ball_of_norm, any_projection)]
#[kani::stub(crate::softmax::softmax_policies, any_policies)]
fn average_reward_iterates_stay_in_balls() {
    let parameters = second::Parameters {
        alpha: Fixed::one(),
        eta: Fixed::from_raw(4),
        zeta: Fixed::from_raw(4),
        xi: Fixed::from_raw(8),
        radius_theta: Fixed::from_raw(RADIUS_THETA),
        radius_beta: Fixed::from_raw(RADIUS_BETA),
        inner: 1,
    };
    let rows = any_features();
    let features = FeatureTable::new(1, 2, &rows).unwrap();
    let algorithm = second::Algorithm::new(&features, None, &parameters).unwrap();
    let mut buffer = [Fixed::zero(); second::State::<Fixed>::buffer_len(1, 2)];
    let mut state = second::State::new(1, 2, &mut buffer).unwrap();
    let (theta, beta) = (any_point(parameters.radius_theta), any_point(parameters.radius_beta));
    algorithm.start_at(&mut state, &theta, any_in(0, 16), &beta).unwrap();
    algorithm.begin_outer(&mut state, &mut ()).unwrap();
    assert!(algorithm.inner_step(&mut state, &any_sample(), &mut ()).is_ok());
    assert!(in_ball(state.theta(), parameters.radius_theta));
    assert!(*state.rho() >= Fixed::zero() && *state.rho() <= Fixed::one());
    kani::cover!(state.rho().raw() == 16, "rho is clamped or reaches 1");
    assert!(algorithm.outer_step(&mut state, &any_sample(), &mut ()).is_ok());
    assert!(in_ball(state.beta(), parameters.radius_beta));
    assert!(*state.rho() >= Fixed::zero() && *state.rho() <= Fixed::one());
    kani::cover!(state.beta()[0].raw() == 16 && state.theta()[1].raw() < 0, "the end is reached");
}

fn mean_stays<const K: usize>() {
    let points: [[i8; 2]; K] = kani::any();
    let radius = Fixed::from_raw(RADIUS_BETA);
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
