//! One whole outer iteration of each box with K = 2: every iterate of it is in its ball. `steps.rs` has the steps one by one, from any state and with any lines.

use super::support::any_gradients::{ACTIONS, AnyGradients, DIM, any_fixed};
use super::support::granted::{is_len, number, numbers, split};
use super::support::scalars::Fixed;
use crate::error::Result;
use crate::number::{Field, Real};
use crate::paper::average_reward::algorithm as second;
use crate::paper::discounted::algorithm as first;
use crate::paper::samples::{Data, FeatureMap, Sample};

/// D_θ and D_β, in sixteenths.
const RADII: [i32; 2] = [16, 32];

/// By how much a projection may exceed the square of its radius, in raw units.
const SLACK: [i32; 2] = [42, 74];

fn square(y: &[Fixed]) -> i32 {
    assert!(y.len() == DIM);
    y[0].raw() * y[0].raw() + y[1].raw() * y[1].raw()
}

/// θ or β where it has landed after a projection, or an average of such.
fn landed(which: usize, y: &[Fixed]) -> bool {
    square(y) <= RADII[which] * RADII[which] + SLACK[which]
}

/// Any point of the ball.
fn any_point(which: usize) -> [Fixed; DIM] {
    let y = [any_fixed(7), any_fixed(7)];
    // Precondition: in its ball.
    kani::assume(square(&y) <= RADII[which] * RADII[which]);
    y
}

/// One state; its features do not matter where gradients are any.
struct Features([Fixed; ACTIONS * DIM]);

impl FeatureMap<Fixed> for Features {
    fn actions(&self) -> usize {
        ACTIONS
    }

    fn dim(&self) -> usize {
        DIM
    }

    fn state(&self, _x: usize) -> Option<&[Fixed]> {
        Some(&self.0)
    }
}

const ZERO: Fixed = Fixed::from_raw(0);
const HALF: Fixed = Fixed::from_raw(8);
const SAMPLE: Sample<Fixed> = Sample { x0: 0, x: 0, a: 0, r: ZERO, x_next: 0, u: ZERO };

/// Whether θ, and ρ, were where they have to be after every inner step.
struct Inside(bool);

impl first::Observer<Fixed> for Inside {
    fn inner_step(&mut self, step: &first::InnerStep<Fixed>) {
        self.0 &= landed(0, step.theta_next);
    }
}

impl second::Observer<Fixed> for Inside {
    fn inner_step(&mut self, step: &second::InnerStep<Fixed>) {
        self.0 &= landed(0, step.theta_next) && *step.rho_next >= ZERO && *step.rho_next <= Fixed::one();
    }
}

/// Stands for `project_ball` at the radii 1 and 2: anywhere in the ball, or beyond it by rounding.
fn anywhere_in_ball<T: Real>(y: &mut [T], radius: &T) -> Result<()> {
    let in_range = |y: &T| *y > T::from_int(-8) && *y < T::from_int(8);
    assert!(y.len() == DIM && in_range(&y[0]) && in_range(&y[1]));
    let raw: [i8; DIM] = kani::any();
    let [x0, x1] = raw.map(i32::from);
    let (limit, slack) = if *radius == T::one() { (RADII[0], SLACK[0]) } else { (RADII[1], SLACK[1]) };
    // Contract: what `fixed_ball_projection_lands` and `fixed_ball_projection_of_radius_2_lands` prove of `project_ball`.
    kani::assume(x0 * x0 + x1 * x1 <= limit * limit + slack);
    assert!(*radius == T::one() || *radius == T::from_int(2));
    (y[0], y[1]) = (T::ratio(raw[0].into(), 16), T::ratio(raw[1].into(), 16));
    Ok(())
}

/// A whole iteration of Algorithm 1 with K = 2 at the fixed-point scalar, d = 2, D_θ = 1, D_β = 2, η = ζ = 1/2, from any θ and β of their balls, whatever the gradients:
/// θ_{t,2}, the average θ_t and β_{t+1} are in their balls, up to 42/256 and 74/256 in squares, and Σθ is θ_t.
///
/// Seen to fail: a line that does not project.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(5)]
#[kani::stub(crate::error::expect_len, is_len)]
#[kani::stub(crate::linear::vector::take, split)]
#[kani::stub(crate::linear::vector::finite, number)]
#[kani::stub(crate::linear::vector::all_finite, numbers)]
#[kani::stub(crate::linear::projection::project_ball, anywhere_in_ball)]
fn discounted_iteration_stays_in_balls() {
    let (radius_theta, radius_beta) = (Fixed::from_raw(16), Fixed::from_raw(32));
    #[rustfmt::skip]
    let parameters = first::Parameters { discount: HALF, alpha: HALF, eta: HALF, zeta: HALF, radius_theta, radius_beta, inner: 2 };
    let features = Features([ZERO; ACTIONS * DIM]);
    let algorithm = first::Algorithm { features: &features, weight: None, parameters: &parameters };
    let (mut theta, mut beta, mut scratch) = (any_point(0), any_point(1), [ZERO; 3 * DIM + 4 * ACTIONS]);
    let (mut theta_sum, mut iterate_sum, mut weighted_beta) = ([ZERO; DIM], [ZERO; DIM], [ZERO; DIM]);
    let mut state = first::State {
        theta: &mut theta,
        theta_sum: &mut theta_sum,
        beta: &mut beta,
        iterate_sum: &mut iterate_sum,
        weighted_beta: &mut weighted_beta,
        scratch: &mut scratch,
        t: 0,
        k: 0,
        used: 0,
    };
    let (mut inside, mut data) = (Inside(true), Data::new([SAMPLE, SAMPLE].into_iter(), 2));
    let done = algorithm.outer_iteration(&mut AnyGradients, &mut state, &mut data, &mut inside);
    assert!(done.is_ok() && inside.0 && landed(0, &theta) && landed(1, &beta) && theta_sum == theta);
    kani::cover!(square(&theta) > 256 && square(&beta) > 1024, "beyond both radii, by rounding");
}

/// The same of Algorithm 2, with K = 2 and ξ = 1/2; ρ stays in [0, 1], its average, too.
///
/// Seen to fail: a line that does not project.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(5)]
#[kani::stub(crate::error::expect_len, is_len)]
#[kani::stub(crate::linear::vector::take, split)]
#[kani::stub(crate::linear::vector::finite, number)]
#[kani::stub(crate::linear::vector::all_finite, numbers)]
#[kani::stub(crate::linear::projection::project_ball, anywhere_in_ball)]
fn average_reward_iteration_stays_in_balls() {
    let (radius_theta, radius_beta) = (Fixed::from_raw(16), Fixed::from_raw(32));
    #[rustfmt::skip]
    let parameters = second::Parameters { alpha: HALF, eta: HALF, zeta: HALF, xi: HALF, radius_theta, radius_beta, inner: 2 };
    let features = Features([ZERO; ACTIONS * DIM]);
    let algorithm = second::Algorithm { features: &features, weight: None, parameters: &parameters };
    let (mut theta, mut beta, mut scratch) = (any_point(0), any_point(1), [ZERO; 3 * DIM + 2 * ACTIONS]);
    let (mut theta_sum, mut iterate_sum, mut weighted_beta) = ([ZERO; DIM], [ZERO; DIM], [ZERO; DIM]);
    let rho = any_fixed(6);
    // Precondition: ρ in [0, 1].
    kani::assume(rho >= ZERO && rho <= Fixed::one());
    let mut state = second::State {
        theta: &mut theta,
        theta_sum: &mut theta_sum,
        beta: &mut beta,
        iterate_sum: &mut iterate_sum,
        weighted_beta: &mut weighted_beta,
        scratch: &mut scratch,
        rho,
        rho_sum: ZERO,
        t: 0,
        i: 0,
        used: 0,
    };
    let (mut inside, mut data) = (Inside(true), Data::new([SAMPLE, SAMPLE, SAMPLE].into_iter(), 3));
    let done = algorithm.outer_iteration(&mut AnyGradients, &mut state, &mut data, &mut inside);
    let rho = state.rho;
    assert!(done.is_ok() && inside.0 && rho >= ZERO && rho <= Fixed::one());
    assert!(landed(0, &theta) && landed(1, &beta) && theta_sum == theta);
    kani::cover!(square(&theta) > 256 && square(&beta) > 1024, "beyond both radii, by rounding");
}
