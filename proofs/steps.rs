//! The boxes of Sections 3 and 5: where they start, what a step changes, and that it ends in the right balls.
//!
//! In Kani, `…_starts_in_balls` is the base of an induction over t and k, and `…_is_the_box` its step, from any state: whatever the lines of the box
//! compute, each iterate is what a projection made of the right point and radius, or an average of those. `projection.rs` has what the
//! projections and averages do. Without Kani, `tests/properties.rs` runs the properties before the harnesses in f64.

use super::library::number::{Field, Real};
use super::library::paper::lines::AsCorrected;
use super::library::paper::samples::{FeatureMap, Sample};
use super::library::paper::{average_reward, discounted};

/// Room for a state of either algorithm with |A| = d = 2.
const STATE: usize = 8 * 2 + 4 * 2;

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
    use super::super::support::lines::{ACTIONS, AnyLines, BETA, DIM, Point, THETA, moved, plus};
    use super::super::support::ring::Ring;
    use super::*;
    use crate::paper::average_reward::algorithm as second;
    use crate::paper::discounted::algorithm as first;
    use crate::paper::samples::Data;

    /// φ(0, ·), φ(1, ·), and no other states.
    struct Features([[Ring; ACTIONS * DIM]; 2]);

    impl FeatureMap<Ring> for Features {
        fn actions(&self) -> usize {
            ACTIONS
        }

        fn dim(&self) -> usize {
            DIM
        }

        fn state(&self, x: usize) -> Option<&[Ring]> {
            match x {
                0 => Some(&self.0[0]),
                1 => Some(&self.0[1]),
                _ => None,
            }
        }
    }

    fn any_features() -> Features {
        Features([Ring::any_row(), Ring::any_row()])
    }

    impl Features {
        /// φ(X, A), if there is one.
        fn phi(&self, sample: &Sample<Ring>) -> Point {
            match (sample.x, sample.a) {
                (x @ 0..2, 0) => [self.0[x][0], self.0[x][1]],
                (x @ 0..2, 1) => [self.0[x][2], self.0[x][3]],
                _ => [Ring(0); DIM],
            }
        }
    }

    fn any_sample() -> Sample<Ring> {
        let (r, u) = (Ring::any(), Ring::any());
        Sample { x0: kani::any(), x: kani::any(), a: kani::any(), r, x_next: kani::any(), u }
    }

    fn first_parameters(inner: usize) -> first::Parameters<Ring> {
        let a = Ring::any;
        let (radius_theta, radius_beta) = (a(), a());
        first::Parameters { discount: a(), alpha: a(), eta: a(), zeta: a(), radius_theta, radius_beta, inner }
    }

    fn second_parameters(inner: usize) -> second::Parameters<Ring> {
        let a = Ring::any;
        let (radius_theta, radius_beta) = (a(), a());
        second::Parameters { alpha: a(), eta: a(), zeta: a(), xi: a(), radius_theta, radius_beta, inner }
    }

    /// Iterates and sums as they stand before a step: any.
    #[derive(Clone, Copy)]
    struct Memory {
        theta: Point,
        theta_sum: Point,
        beta: Point,
        iterate_sum: Point,
        weighted_beta: Point,
        scratch: [Ring; 3 * DIM + 4 * ACTIONS],
    }

    fn any_memory() -> Memory {
        let a = Ring::any_row;
        let scratch = [Ring(0); 3 * DIM + 4 * ACTIONS];
        Memory { theta: a(), theta_sum: a(), beta: a(), iterate_sum: a(), weighted_beta: a(), scratch }
    }

    /// A count that has somewhere to go.
    fn any_count() -> usize {
        let count = kani::any();
        // Budget: fewer than 2⁶⁴ − 2 steps.
        kani::assume(count < usize::MAX - 2);
        count
    }

    fn first_state(memory: &mut Memory, (t, k, used): (usize, usize, usize)) -> first::State<'_, Ring> {
        let Memory { theta, theta_sum, beta, iterate_sum, weighted_beta, scratch } = memory;
        first::State { theta, theta_sum, beta, iterate_sum, weighted_beta, scratch, t, k, used }
    }

    /// An inner step of Algorithm 1, from any state and whatever its lines compute: θ becomes Π(θ − ηg̃) with D_θ, g̃ of the w and Φᵀμ of this step; Σ of
    /// the inner iterates grows by it; k and the count of samples by 1; β, Λ^{c−1}β, Σθ and t are what they were. Refused where 1 ≤ k < K does not hold, or a line refuses;
    /// then only θ may have changed.
    ///
    /// Seen to fail: a step that reverses β; D_β for D_θ; the sum without θ; a feature off by one.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn discounted_inner_step_is_the_box() {
        let (features, parameters) = (any_features(), first_parameters(kani::any()));
        let algorithm = first::Algorithm { features: &features, weight: None, parameters: &parameters };
        let (before, t, k, used) = (any_memory(), any_count(), any_count(), any_count());
        let mut memory = before;
        let mut state = first_state(&mut memory, (t, k, used));
        let sample = any_sample();
        let phi = features.phi(&sample);
        let mut lines = AnyLines::new(parameters.alpha, before.theta_sum, before.weighted_beta, [phi, phi]);
        let done = algorithm.inner_step(&mut lines, &mut state, &sample, &mut ()).is_ok();
        let step = usize::from(done);
        assert!(state.t == t && state.k == k + step && state.used == used + step);
        assert!(memory.beta == before.beta && memory.theta_sum == before.theta_sum);
        assert!(memory.weighted_beta == before.weighted_beta);
        if done {
            assert!(1 <= k && k < parameters.inner);
            let unprojected = moved(before.theta, -parameters.eta, lines.gradient[THETA]);
            assert!(lines.given[THETA] == (unprojected, parameters.radius_theta));
            assert!(memory.theta == lines.projected[THETA]);
            assert!(memory.iterate_sum == plus(before.iterate_sum, memory.theta));
        } else {
            assert!(memory.iterate_sum == before.iterate_sum);
        }
        kani::cover!(done && k == 7, "the seventh step");
        kani::cover!(!done, "a refusal");
    }

    /// An outer iteration of Algorithm 1 with K = 2, from any state between two, whatever its lines compute: θ_t is the average, over K, of θ_{t−1} and the one
    /// projected iterate; β becomes Π(β + ζg̃) with D_β; Σθ grows by θ_t; t grows by 1, the count of samples by K, and k is back at 0.
    ///
    /// Seen to fail: D_θ for D_β; a sum that is not begun anew; β − ζg̃; Σθ without θ_t.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn discounted_outer_iteration_is_the_box() {
        let (features, parameters) = (any_features(), first_parameters(2));
        let algorithm = first::Algorithm { features: &features, weight: None, parameters: &parameters };
        let (before, t, used) = (any_memory(), any_count(), any_count());
        let mut memory = before;
        let mut state = first_state(&mut memory, (t, 0, used));
        let samples = [any_sample(), any_sample()];
        let phi = [features.phi(&samples[0]), features.phi(&samples[1])];
        let mut lines = AnyLines::new(parameters.alpha, before.theta_sum, before.weighted_beta, phi);
        let mut data = Data::new(samples.into_iter(), 2);
        let done = algorithm.outer_iteration(&mut lines, &mut state, &mut data, &mut ()).is_ok();
        assert!(state.t == t + 1);
        if done {
            assert!(state.k == 0 && state.used == used + 2);
            let stepped = moved(before.theta, -parameters.eta, lines.gradient[THETA]);
            assert!(lines.given[THETA] == (stepped, parameters.radius_theta));
            assert!(lines.summed == (plus(before.theta, lines.projected[THETA]), 2));
            let risen = moved(before.beta, parameters.zeta, lines.gradient[BETA]);
            assert!(lines.given[BETA] == (risen, parameters.radius_beta));
            assert!(memory.theta == lines.average && memory.beta == lines.projected[BETA]);
            assert!(memory.theta_sum == plus(before.theta_sum, lines.average));
            assert!(memory.weighted_beta == lines.weighted_beta);
        }
        kani::cover!(done, "it is done");
        kani::cover!(!done, "it is refused");
    }

    fn second_state(
        memory: &mut Memory,
        (rho, rho_sum): (Ring, Ring),
        (t, i, used): (usize, usize, usize),
    ) -> second::State<'_, Ring> {
        let Memory { theta, theta_sum, beta, iterate_sum, weighted_beta, scratch } = memory;
        let scratch = &mut scratch[..3 * DIM + 2 * ACTIONS];
        second::State { theta, theta_sum, beta, iterate_sum, weighted_beta, scratch, rho, rho_sum, t, i, used }
    }

    /// An inner step of Algorithm 2, from any state and whatever its lines compute: ρ becomes Π(ρ − ξg̃_ρ) and θ Π(θ − ηg̃_θ) with D_θ, gradients of the w of
    /// this step; the sums of the inner iterates grow by what ρ and θ were; i and the count of samples by 1; β, Λ^{c−1}β, Σθ and t are what they were.
    /// Refused where 1 ≤ i ≤ K or 0 ≤ u < 1 does not hold, or a line refuses.
    ///
    /// Seen to fail: the average of the next iterates; ρ not projected.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn average_reward_inner_step_is_the_box() {
        let (features, parameters) = (any_features(), second_parameters(kani::any()));
        let algorithm = second::Algorithm { features: &features, weight: None, parameters: &parameters };
        let (before, t, i, used) = (any_memory(), any_count(), any_count(), any_count());
        let (rho, rho_sum) = (Ring::any(), Ring::any());
        let mut memory = before;
        let mut state = second_state(&mut memory, (rho, rho_sum), (t, i, used));
        let sample = any_sample();
        let phi = features.phi(&sample);
        let mut lines = AnyLines::new(parameters.alpha, before.theta_sum, before.weighted_beta, [phi, phi]);
        let done = algorithm.inner_step(&mut lines, &mut state, &sample, &mut ()).is_ok();
        let step = usize::from(done);
        assert!(state.t == t && state.i == i + step && state.used == used + step);
        let (rho_next, rho_total) = (state.rho, state.rho_sum);
        assert!(memory.beta == before.beta && memory.theta_sum == before.theta_sum);
        assert!(memory.weighted_beta == before.weighted_beta);
        if done {
            assert!(1 <= i && i <= parameters.inner && sample.u >= Ring(0) && sample.u < Ring::one());
            let unprojected = moved(before.theta, -parameters.eta, lines.gradient[THETA]);
            assert!(lines.given[THETA] == (unprojected, parameters.radius_theta));
            assert!(lines.given_rho == rho - lines.gradient_rho * parameters.xi);
            assert!(memory.theta == lines.projected[THETA] && rho_next == lines.projected_rho);
            assert!(memory.iterate_sum == plus(before.iterate_sum, before.theta) && rho_total == rho_sum + rho);
        }
        kani::cover!(done && i == 7, "the seventh step");
        kani::cover!(!done, "a refusal");
    }

    /// An outer iteration of Algorithm 2 with K = 1, from any state between two, whatever its lines compute: θ_t and ρ_t are the averages over K of θ_{t−1} and
    /// ρ_{t−1}, which the inner step moved on from; β becomes Π(β + ζg̃) with D_β; Σθ grows by θ_t; t grows by 1, the count of samples by K + 1, and i is back at 0.
    ///
    /// Seen to fail: β − ζg̃; ρ over K + 1.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn average_reward_outer_iteration_is_the_box() {
        let (features, parameters) = (any_features(), second_parameters(1));
        let algorithm = second::Algorithm { features: &features, weight: None, parameters: &parameters };
        let (before, t, used) = (any_memory(), any_count(), any_count());
        let (rho, rho_sum) = (Ring::any(), Ring::any());
        let mut memory = before;
        let mut state = second_state(&mut memory, (rho, rho_sum), (t, 0, used));
        let samples = [any_sample(), any_sample()];
        let phi = [features.phi(&samples[0]), features.phi(&samples[1])];
        let mut lines = AnyLines::new(parameters.alpha, before.theta_sum, before.weighted_beta, phi);
        let mut data = Data::new(samples.into_iter(), 2);
        let done = algorithm.outer_iteration(&mut lines, &mut state, &mut data, &mut ()).is_ok();
        assert!(state.t == t + 1);
        if done {
            assert!(state.i == 0 && state.used == used + 2 && state.rho == lines.average_rho);
            assert!(lines.summed == (before.theta, 1) && lines.summed_rho == (rho, 1));
            let risen = moved(before.beta, parameters.zeta, lines.gradient[BETA]);
            assert!(lines.given[BETA] == (risen, parameters.radius_beta));
            assert!(memory.theta == lines.average && memory.beta == lines.projected[BETA]);
            assert!(memory.theta_sum == plus(before.theta_sum, lines.average));
            assert!(memory.weighted_beta == lines.weighted_beta);
        }
        kani::cover!(done, "it is done");
        kani::cover!(!done, "it is refused");
    }

    /// Stands for `within_ball`: any test of a point and a radius will do, if a point may pass it for one radius and not for the other.
    fn in_ball<T: Real>(y: &[T], radius: &T) -> bool {
        y[0] <= *radius && y[1] <= *radius
    }

    fn both_ways(answer: Option<bool>) {
        assert!(answer != Some(false));
        kani::cover!(answer == Some(true), "it is done");
        kani::cover!(answer.is_none(), "it is refused");
    }

    /// Algorithm 1 starts at any θ₀ and β₁ of their balls, and nowhere else: the invariant that its steps preserve.
    ///
    /// Seen to fail: `start_at` without its check of the balls; scratch one too short.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(26)]
    #[kani::stub(crate::linear::projection::within_ball, in_ball)]
    fn discounted_starts_in_balls() {
        let (theta, beta): (Point, Point) = (Ring::any_row(), Ring::any_row());
        let (parameters, features) = (first_parameters(1), any_features());
        both_ways(discounted_start_is_inside(&parameters, &features, (&theta, &beta), in_ball));
    }

    /// Algorithm 2 starts at any θ₀ and β₁ of their balls and ρ₀ of [0, 1], and nowhere else.
    ///
    /// Seen to fail: ρ₀ above 1 let through.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(26)]
    #[kani::stub(crate::linear::projection::within_ball, in_ball)]
    fn average_reward_starts_in_balls() {
        let (theta, beta): (Point, Point) = (Ring::any_row(), Ring::any_row());
        let (parameters, features) = (second_parameters(1), any_features());
        both_ways(average_reward_start_is_inside(&parameters, &features, (&theta, Ring::any(), &beta), in_ball));
    }

    /// Stands for the debug assertion of the projection: at [`Ring`] a norm means nothing.
    fn not_asked<T: Real>(_y: &[T], _radius: &T) -> bool {
        true
    }

    /// The lines that project, and `project_ball`, at a scalar whose root is any old function: the norm is that of the point that is projected, whatever the iterate was before, and
    /// a point of greater norm than D is scaled by D over it. d = 2.
    ///
    /// Seen to fail: the norm of the old β; n − 1 for n; a factor 6 % too large.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(10)]
    #[kani::stub(crate::linear::projection::within_ball, not_asked)]
    fn projections_take_the_norm_of_what_they_project() {
        use crate::paper::lines::Lines;
        let (unprojected, before): (Point, Point) = (Ring::any_row(), Ring::any_row());
        let (radius, of_beta) = (Ring::any(), kani::any());
        let mut iterate = before;
        let done = if of_beta {
            AsCorrected.project_beta(&unprojected, &radius, &mut iterate)
        } else {
            AsCorrected.project_theta(&unprojected, &radius, &mut iterate)
        };
        let norm = (unprojected[0] * unprojected[0] + unprojected[1] * unprojected[1]).sqrt();
        if done.is_ok() {
            let share = radius / norm;
            let scaled = [unprojected[0] * share, unprojected[1] * share];
            assert!(iterate == if norm > radius { scaled } else { unprojected });
        }
        kani::cover!(done.is_ok() && of_beta && norm > radius, "scaled");
        kani::cover!(done.is_ok() && !of_beta && norm <= radius, "kept");
    }
}
