//! Algorithm 1, `alg:algo`: offline primal-dual RL. [`Algorithm::outer_iteration`] and the body of its inner loop,
//! [`Algorithm::inner_step`], are the box; what a line calls by default stands in [`Lines`] and [`crate::paper::lines::Lines`].
//!
//! A pure function of features, samples and parameters: the same input gives the same bits on every machine. Where
//! print leaves the order of operations open, it is: ⟨·,·⟩ as [`crate::linear::vector`] says; π from [`crate::linear::softmax`]; μ(x,a) as
//! ((1−γ))·π and (γ·w)·π; Φᵀμ from 0 over the actions of X⁰, then of X'; g = Φᵀμ − (w·φ); θ − (η·g), β + (ζ·g); the average
//! from 0 in order of k, then times (1/K). `fast::discounted` computes the same bits sooner.

use super::estimators::{expect_weight, mean_feature, occupancy_estimate, td_error_with, theta_gradient_with};
pub use super::state::{InnerStep, Observer, OuterStep, Parameters, State};
use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::projection::within_ball;
use crate::linear::vector::{all_finite, take};
use crate::number::Real;
use crate::paper::components::copy;
use crate::paper::lines::{self, AsCorrected, accumulate, ascend, descend, located, out_of_order};
use crate::paper::samples::{Data, FeatureMap, Sample, feature, features_of};

/// Alg 1, `alg:algo`: the features, Λ^{c−1} and the parameters of a run.
#[derive(Debug, Clone, Copy)]
pub struct Algorithm<'a, T, F> {
    pub(crate) features: &'a F,
    pub(crate) weight: Option<&'a [T]>,
    pub(crate) parameters: &'a Parameters<T>,
}

impl<'a, T: Real, F: FeatureMap<T>> Algorithm<'a, T, F> {
    /// `weight` is Λ^{c−1} (d×d, by rows) at c = 1/2 and `None`, the identity, at c = 1.
    pub fn new(features: &'a F, weight: Option<&'a [T]>, parameters: &'a Parameters<T>) -> Result<Self> {
        parameters.validate()?;
        expect_some("actions", features.actions())?;
        expect_some("feature dimension", features.dim())?;
        expect_weight(weight, features.dim())?;
        all_finite("Λ^{c−1}", weight.unwrap_or_default())?;
        Ok(Self { features, weight, parameters })
    }

    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &'a Parameters<T> {
        self.parameters
    }

    /// `outer` outer iterations, on K samples each; continues where `state` stands, so a long data set may come in blocks.
    /// A sample that is missing is [`Error::Length`].
    pub fn run<O: Observer<T>>(
        &self,
        state: &mut State<T>,
        outer: usize,
        samples: impl IntoIterator<Item = Sample<T>>,
        observer: &mut O,
    ) -> Result<()> {
        self.run_by(&mut AsCorrected, state, outer, samples, observer)
    }

    /// [`Algorithm::run`] with lines of the caller's.
    pub fn run_by<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        outer: usize,
        samples: impl IntoIterator<Item = Sample<T>>,
        observer: &mut O,
    ) -> Result<()> {
        let mut data = Data::new(samples.into_iter(), outer.saturating_mul(self.parameters.inner));
        // for t = 1 to T
        for _t in 0..outer {
            let iteration = self.outer_iteration(lines, state, &mut data, observer);
            iteration.map_err(|error| located(error, state.t, state.k, "beta"))?;
        }
        Ok(())
    }

    /// Alg 1: the body of the box's outer loop.
    ///
    /// # Deviation
    /// g̃_β has the Λ^{c−1} of (9) that the box omits; erratum 7.
    pub fn outer_iteration<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        data: &mut Data<impl Iterator<Item = Sample<T>>>,
        observer: &mut O,
    ) -> Result<()> {
        let Parameters { discount, alpha, zeta, radius_beta, inner: count, .. } = self.parameters;
        // Initialize θ_{t,1} = θ_{t−1}
        self.begin_outer(lines, state, observer)?;
        // for k = 1 to K−1
        for k in 1..*count {
            // Obtain sample W_{t,k} = (X⁰, X, A, X'); μ_{t,k}; g̃_θ; θ_{t,k+1}
            let step = self.inner_step(lines, state, &data.obtain()?, observer);
            step.map_err(|error| located(error, state.t, k, "theta"))?;
        }
        // θ_t = (1/K) Σ_{k=1}^K θ_{t,k}
        lines.average(state.iterate_sum, *count, state.theta);

        // Obtain sample W_t = (X⁰, X, A, R, X')
        let sample = data.obtain()?;
        state.k = 0;
        let (phi, next) = self.visit(state, &sample)?;
        let scratch = &mut &mut *state.scratch;
        // v_t = Eᵀ(π_t ∘ Φθ_t)
        let policy_next = lines.policy(alpha, next, state.theta_sum, scratch)?;
        let value_next = &lines.value(next, policy_next, state.theta, scratch)?;
        // g̃_β = Λ^{c−1}φ(X, A)(R + γ v_t(X') − ⟨φ(X, A), θ_t⟩)
        let prediction = lines.product(phi, state.theta)?;
        let td_error = &lines.td_error(discount, &sample.r, value_next, &prediction)?;
        let gradient = lines.beta_gradient(self.weight, phi, td_error, scratch)?;
        // β_{t+1} = Π(β_t + ζ g̃_β): stochastic gradient ascent
        let (beta, unprojected) = (copy(state.beta, scratch)?, ascend(state.beta, zeta, gradient, scratch)?);
        lines.project_beta(unprojected, radius_beta, state.beta)?;

        // π_{t+1} = softmax(α Σ_{i=1}^t Φθ_i): policy update
        lines.update_policy(state.theta, state.theta_sum)?;
        state.used += 1;
        let (t, theta, beta_next, theta_sum) = (state.t, &*state.theta, &*state.beta, &*state.theta_sum);
        #[rustfmt::skip]
        observer.outer_step(&OuterStep {
            t, sample: &sample, phi, theta, policy_next, value_next, td_error, gradient, unprojected, beta, beta_next, theta_sum,
        });
        Ok(())
    }

    /// Alg 1: the body of the box's inner loop.
    ///
    /// # Deviation
    /// g̃_θ is Φᵀμ_{t,k} − φ⟨φ, Λ^{c−1}β_t⟩, as the proof of Lemma B.1 has it; erratum 1.
    pub fn inner_step<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        sample: &Sample<T>,
        observer: &mut O,
    ) -> Result<()> {
        let Parameters { discount, alpha, eta, radius_theta, .. } = self.parameters;
        let [start, phi, next] = self.visit_inner(state, sample)?;
        let scratch = &mut &mut *state.scratch;
        // μ_{t,k} = π_t ∘ [(1−γ)e_{X⁰} + γ⟨φ(X, A), Λ^{c−1}β_t⟩e_{X'}]
        let [policy_start, policy_next] = lines.policies(alpha, [start, next], state.theta_sum, scratch)?;
        let w = &lines.product(phi, state.weighted_beta)?;
        let mu = lines.occupancy(discount, [policy_start, policy_next], w, scratch)?;
        // g̃_θ = Φᵀμ_{t,k} − φ(X, A)⟨φ(X, A), Λ^{c−1}β_t⟩
        let mean_feature = lines.mean_feature([start, next], mu, phi.len(), scratch)?;
        let gradient = lines.theta_gradient(mean_feature, phi, w, scratch)?;
        // θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ): stochastic gradient descent
        let unprojected = descend(state.theta, eta, gradient, scratch)?;
        lines.project_theta(unprojected, radius_theta, state.theta)?;
        accumulate(state.theta, state.iterate_sum);

        let (t, k, theta_next) = (state.t, state.k, &*state.theta);
        (state.k, state.used) = (k + 1, state.used + 1);
        #[rustfmt::skip]
        observer.inner_step(&InnerStep {
            t, k, sample, phi, w, policy_start, policy_next, mean_feature, gradient, unprojected, theta_next,
        });
        Ok(())
    }

    /// Starts from θ₀ ∈ B(D_θ) and β₁ ∈ B(D_β) instead of 0.
    pub fn start_at(&self, state: &mut State<T>, theta: &[T], beta: &[T]) -> Result<()> {
        let Parameters { radius_theta, radius_beta, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.t != 0 {
            return out_of_order(state.k);
        }
        for (what, point, radius) in [("theta_0", theta, radius_theta), ("beta_1", beta, radius_beta)] {
            expect_len(what, self.features.dim(), point.len())?;
            all_finite(what, point)?;
            if !within_ball(point, radius) {
                return Err(Error::OutOfRange { what, index: Error::SCALAR, expected: "a norm of at most the radius" });
            }
        }
        state.theta.clone_from_slice(theta);
        state.beta.clone_from_slice(beta);
        Ok(())
    }

    /// θ_{t,1} = θ_{t−1}, and Λ^{c−1}β_t for the steps to come.
    pub fn begin_outer<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        observer: &mut O,
    ) -> Result<()> {
        self.expect_shape(state)?;
        if state.k != 0 {
            return out_of_order(state.k);
        }
        (state.t, state.k) = (state.t + 1, 1);
        lines.start(state.theta);
        lines.weighted_beta(self.weight, state.beta, state.weighted_beta);
        state.iterate_sum.fill(T::zero());
        accumulate(state.theta, state.iterate_sum);
        observer.begin_outer(state.t, state.theta, state.beta, state.weighted_beta, state.theta_sum);
        Ok(())
    }

    /// φ(X⁰, ·), too, for an inner step, if it is time for one.
    fn visit_inner(&self, state: &State<T>, sample: &Sample<T>) -> Result<[&'a [T]; 3]> {
        self.expect_shape(state)?;
        if state.k == 0 || state.k >= self.parameters.inner {
            return out_of_order(state.k);
        }
        let start = features_of(self.features, "x0", sample.x0, state.used)?;
        self.visit(state, sample).map(|(phi, next)| [start, phi, next])
    }

    /// φ(X, A) and φ(X', ·), of a sample whose reward is a number.
    pub(crate) fn visit(&self, state: &State<T>, sample: &Sample<T>) -> Result<(&'a [T], &'a [T])> {
        if !sample.r.is_valid() {
            return Err(Error::NotFinite { what: "r", index: state.used });
        }
        let next = features_of(self.features, "x_next", sample.x_next, state.used)?;
        let here = features_of(self.features, "x", sample.x, state.used)?;
        Ok((feature(here, self.features.actions(), self.features.dim(), sample.a)?, next))
    }

    pub(crate) fn expect_shape(&self, state: &State<T>) -> Result<()> {
        expect_len("state", self.features.dim(), state.theta.len())?;
        let room = State::<T>::buffer_len(self.features.actions(), self.features.dim());
        expect_len("state's scratch", room.saturating_sub(5 * state.theta.len()), state.scratch.len())
    }
}

/// The lines that only this box has.
pub trait Lines<T: Real>: lines::Lines<T> {
    /// π_t(·|X⁰) and π_t(·|X'), from φ(X⁰, ·) and φ(X', ·).
    fn policies<'s>(
        &mut self,
        alpha: &T,
        [start, next]: [&[T]; 2],
        sum: &[T],
        scratch: &mut &'s mut [T],
    ) -> Result<[&'s [T]; 2]> {
        Ok([self.policy(alpha, start, sum, scratch)?, self.policy(alpha, next, sum, scratch)?])
    }

    /// (8): μ_{t,k} at X⁰ and at X'.
    fn occupancy<'s>(
        &mut self,
        discount: &T,
        [start, next]: [&[T]; 2],
        w: &T,
        scratch: &mut &'s mut [T],
    ) -> Result<[&'s [T]; 2]> {
        let (at_start, at_next) = (take(scratch, start.len())?, take(scratch, next.len())?);
        occupancy_estimate(discount, start, next, w, at_start, at_next)?;
        Ok([at_start, at_next])
    }

    /// Φᵀμ_{t,k}, of which (10) is made.
    fn mean_feature<'s>(
        &mut self,
        [start, next]: [&[T]; 2],
        [at_start, at_next]: [&[T]; 2],
        dim: usize,
        scratch: &mut &'s mut [T],
    ) -> Result<&'s [T]> {
        let mean = take(scratch, dim)?;
        mean_feature(start, at_start, next, at_next, mean);
        Ok(mean)
    }

    /// (10): g̃_θ.
    fn theta_gradient<'s>(&mut self, mean: &[T], phi: &[T], w: &T, scratch: &mut &'s mut [T]) -> Result<&'s [T]> {
        let gradient = take(scratch, phi.len())?;
        theta_gradient_with(mean, phi, w, gradient)?;
        Ok(gradient)
    }

    /// (9): R + γ v_t(X') − ⟨φ, θ_t⟩.
    fn td_error(&mut self, discount: &T, reward: &T, value_next: &T, prediction: &T) -> Result<T> {
        td_error_with(discount, reward, value_next, prediction)
    }
}

impl<T: Real> Lines<T> for AsCorrected {}
