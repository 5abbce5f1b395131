//! The boxes of Sections 3 and 5: where they start, what a step changes, and that it ends in the right balls.
//!
//! Kani has the start, the base of an induction over t and k; the steps, whose properties stand here, it has not answered in the time there
//! was, and `tests/properties.rs` runs them in f64. Arithmetic is `Unknown`: what holds there holds however it is rounded.

use super::library::number::{Field, Real};
use super::library::paper::lines::AsCorrected;
use super::library::paper::samples::{FeatureMap, Sample};
use super::library::paper::{average_reward, discounted};

/// Room for a state of either algorithm with |A| = d = 2; for Kani with |A| = d = 1.
const STATE: usize = if cfg!(kani) { 8 + 4 } else { 8 * 2 + 4 * 2 };

fn room<T: Field>() -> [T; STATE] {
    core::array::from_fn(|_| T::zero())
}

/// Whether Algorithm 1 starts exactly where both points are `inside` their balls, then from these points, and else stays where it was.
pub fn discounted_start_is_inside<T: Real>(
    parameters: &discounted::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, beta): (&[T], &[T]),
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use discounted::algorithm::{Algorithm, State};
    let mut buffer = room::<T>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    let numbers = theta.iter().chain(beta).all(T::is_valid);
    let right = numbers && inside(theta, &parameters.radius_theta) && inside(beta, &parameters.radius_beta);
    let started = algorithm.start_at(&mut state, theta, beta).is_ok();
    let zero = |x: &[T]| x.iter().all(T::is_zero);
    let placed =
        if right { state.theta() == theta && state.beta() == beta } else { zero(state.theta()) && zero(state.beta()) };
    Some(started == right && placed && zero(state.theta_sum()) && (state.t(), state.k(), state.used()) == (0, 0, 0))
}

/// The first inner step of Algorithm 1 (K > 1) from (θ, β): θ_{t,2} is `inside` its ball, k and the count of samples grow by 1, and β_t, Σθ and t
/// are what they were; `None` if the parameters, the start or the step is refused.
pub fn discounted_inner_step_frame<T: Real>(
    parameters: &discounted::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, beta): (&[T], &[T]),
    sample: &Sample<T>,
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use discounted::algorithm::{Algorithm, State};
    let mut buffer = room::<T>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    algorithm.start_at(&mut state, theta, beta).ok()?;
    algorithm.begin_outer(&mut AsCorrected, &mut state, &mut ()).ok()?;
    let begun = state.theta() == theta && state.beta() == beta && (state.t(), state.k(), state.used()) == (1, 1, 0);
    algorithm.inner_step(&mut AsCorrected, &mut state, sample, &mut ()).ok()?;
    let kept = state.beta() == beta && state.theta_sum().iter().all(T::is_zero);
    Some(
        begun
            && kept
            && inside(state.theta(), &parameters.radius_theta)
            && (state.t(), state.k(), state.used()) == (1, 2, 1),
    )
}

/// The first outer iteration of Algorithm 1 with K = 1 from (θ, β): β_{t+1} is `inside` its ball, the average θ_t of the one iterate is θ, Σθ is θ_t,
/// t and the count of samples grow by 1, and k is back at 0.
pub fn discounted_outer_iteration_frame<T: Real>(
    parameters: &discounted::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, beta): (&[T], &[T]),
    sample: &Sample<T>,
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use discounted::algorithm::{Algorithm, State};
    let mut buffer = room::<T>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    algorithm.start_at(&mut state, theta, beta).ok()?;
    algorithm.run(&mut state, 1, [sample.clone()], &mut ()).ok()?;
    let landed = inside(state.theta(), &parameters.radius_theta) && inside(state.beta(), &parameters.radius_beta);
    let placed = state.theta() == theta && state.theta_sum() == theta;
    Some(landed && placed && (state.t(), state.k(), state.used()) == (1, 0, 1))
}

/// Whether Algorithm 2 starts exactly where both points are `inside` their balls and ρ is in [0, 1], then from there, and else stays where it was.
pub fn average_reward_start_is_inside<T: Real>(
    parameters: &average_reward::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, rho, beta): (&[T], T, &[T]),
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use average_reward::algorithm::{Algorithm, State};
    let mut buffer = room::<T>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    let numbers = theta.iter().chain(beta).all(T::is_valid) && rho >= T::zero() && rho <= T::one();
    let right = numbers && inside(theta, &parameters.radius_theta) && inside(beta, &parameters.radius_beta);
    let started = algorithm.start_at(&mut state, theta, rho.clone(), beta).is_ok();
    let zero = |x: &[T]| x.iter().all(T::is_zero);
    let placed = if right {
        state.theta() == theta && state.beta() == beta && *state.rho() == rho
    } else {
        zero(state.theta()) && zero(state.beta()) && state.rho().is_zero()
    };
    Some(started == right && placed && zero(state.theta_sum()) && (state.t(), state.used()) == (0, 0))
}

/// Looks at θ and ρ after an inner step of Algorithm 2.
struct AfterInner<F>(F);

impl<T, F: FnMut(&[T], &T)> average_reward::algorithm::Observer<T> for AfterInner<F> {
    fn inner_step(&mut self, step: &average_reward::algorithm::InnerStep<T>) {
        self.0(step.theta_next, step.rho_next);
    }
}

/// The first outer iteration of Algorithm 2 with K = 1 from (θ, ρ, β): the inner step leaves θ^(2) `inside` its ball and ρ^(2) in [0, 1]; after it the
/// averages of the one iterate are θ and ρ, β_{t+1} is `inside` its ball, Σθ is θ_t, t grows by 1 and the count of samples by 2.
pub fn average_reward_iteration_frame<T: Real>(
    parameters: &average_reward::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, rho, beta): (&[T], T, &[T]),
    [first, last]: &[Sample<T>; 2],
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use average_reward::algorithm::{Algorithm, State};
    let mut buffer = room::<T>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    algorithm.start_at(&mut state, theta, rho.clone(), beta).ok()?;
    let mut inner = false;
    let mut after_inner = AfterInner(|theta: &[T], rho: &T| {
        inner = inside(theta, &parameters.radius_theta) && *rho >= T::zero() && *rho <= T::one();
    });
    algorithm.run(&mut state, 1, [first.clone(), last.clone()], &mut after_inner).ok()?;
    let landed = inside(state.theta(), &parameters.radius_theta) && inside(state.beta(), &parameters.radius_beta);
    let placed = state.theta() == theta && *state.rho() == rho && state.theta_sum() == theta;
    Some(inner && landed && placed && (state.t(), state.used()) == (1, 2))
}

#[cfg(kani)]
mod harnesses {
    use super::super::support::unknown::*;
    use super::*;
    use crate::paper::average_reward::algorithm as second;
    use crate::paper::discounted::algorithm as first;

    /// Any features, d = 1, of one action. Budget: with two, a drawn action is a symbolic index, and with unknown states every slice is; all states share
    /// them, which loses nothing where arithmetic may yield anything.
    struct Features([Unknown; 1]);

    impl FeatureMap<Unknown> for Features {
        fn actions(&self) -> usize {
            1
        }

        fn dim(&self) -> usize {
            1
        }

        fn state(&self, _x: usize) -> Option<&[Unknown]> {
            Some(&self.0)
        }
    }

    fn any_features() -> Features {
        Features([Unknown::any()])
    }

    /// K − 1 inner steps.
    fn any_parameters(inner: usize) -> first::Parameters<Unknown> {
        let a = Unknown::any;
        let (radius_theta, radius_beta) = (RADIUS_THETA, RADIUS_BETA);
        first::Parameters { discount: a(), alpha: a(), eta: a(), zeta: a(), radius_theta, radius_beta, inner }
    }

    fn second_parameters() -> second::Parameters<Unknown> {
        let a = Unknown::any;
        let (radius_theta, radius_beta) = (RADIUS_THETA, RADIUS_BETA);
        second::Parameters { alpha: a(), eta: a(), zeta: a(), xi: a(), radius_theta, radius_beta, inner: 1 }
    }

    fn both_ways(answer: Option<bool>) {
        assert!(answer != Some(false));
        kani::cover!(answer == Some(true), "it is done");
        kani::cover!(answer.is_none(), "it is refused");
    }

    /// Algorithm 1 starts at any θ₀ and β₁ of their balls, and nowhere else: the invariant that its steps preserve.
    ///
    /// Seen to fail: `start_at` without its check of the balls.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(14)]
    #[kani::stub(crate::linear::projection::within_ball, in_ball)]
    fn discounted_starts_in_balls() {
        let start = (&any_point_at_all()[..], &any_point_at_all()[..]);
        both_ways(discounted_start_is_inside(&any_parameters(1), &any_features(), start, in_ball));
    }

    /// Algorithm 2 starts at any θ₀ and β₁ of their balls and ρ₀ of [0, 1], and nowhere else.
    ///
    /// Seen to fail: `start_at` without its check of ρ ≤ 1.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(14)]
    #[kani::stub(crate::linear::projection::within_ball, in_ball)]
    fn average_reward_starts_in_balls() {
        let start = (&any_point_at_all()[..], Unknown::any(), &any_point_at_all()[..]);
        both_ways(average_reward_start_is_inside(&second_parameters(), &any_features(), start, in_ball));
    }
}
