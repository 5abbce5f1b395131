//! Algorithm 2, `alg:Main`: the offline primal-dual method for average-reward MDPs. [`Algorithm::outer_iteration`] and the body of its
//! inner loop, [`Algorithm::inner_step`], are the box; what a line calls by default stands in [`Lines`] and [`crate::paper::lines::Lines`].
//!
//! A pure function of features, samples, draws and parameters: the same input gives the same bits on every machine.
//! Where print leaves the order of operations open, it is: ⟨·,·⟩ as [`crate::linear::vector`] says; π from [`crate::linear::softmax`], A' by
//! inverse CDF; g̃_ρ = 1 − w; g̃_θ = (w·φ') − (w·φ); ρ − (ξ·g), θ − (η·g), β + (ζ·g); the averages from 0 in order of i, then
//! times (1/K). K + 1 samples per outer iteration, where Algorithm 1 has K; the last update is not averaged in.
//! `fast::average_reward` computes the same bits sooner.

use super::estimators::{rho_gradient_with, td_error_with, theta_gradient_with};
pub use super::state::{InnerStep, Observer, OuterStep, Parameters, State};
use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::projection::{project_unit_interval, within_ball};
use crate::linear::softmax::inverse_cdf;
use crate::linear::vector::{all_finite, take};
use crate::number::Real;
use crate::paper::components::copy;
use crate::paper::discounted::estimators::expect_weight;
use crate::paper::lines::{self, AsCorrected, accumulate, ascend, descend, located, out_of_order, reciprocal};
use crate::paper::samples::{Data, FeatureMap, Sample, feature, features_of};

/// Alg 2, `alg:Main`: the features, Λ^{c−1} and the parameters of a run.
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

    /// `outer` outer iterations, on K + 1 samples each; continues where `state` stands, so a long data set may come in blocks.
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
        let mut data = Data::new(samples.into_iter(), outer.saturating_mul(self.parameters.inner.saturating_add(1)));
        // for t = 1 to T
        for _t in 0..outer {
            let iteration = self.outer_iteration(lines, state, &mut data, observer);
            iteration.map_err(|error| located(error, state.t, state.i, "beta"))?;
        }
        Ok(())
    }

    /// Alg 2: the body of the box's outer loop.
    pub fn outer_iteration<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        data: &mut Data<impl Iterator<Item = Sample<T>>>,
        observer: &mut O,
    ) -> Result<()> {
        let Parameters { alpha, zeta, radius_beta, inner: count, .. } = self.parameters;
        // Initialize θ_t^(1) = θ_{t−1}
        self.begin_outer(lines, state, observer)?;
        // for i = 1 to K: stochastic gradient descent
        for i in 1..=*count {
            // Obtain sample W_{t,i} = (X, A, R, X'); sample A'; g̃_ρ, g̃_θ; ρ_t^(i+1), θ_t^(i+1)
            let step = self.inner_step(lines, state, &data.obtain()?, observer);
            step.map_err(|error| located(error, state.t, i, "theta"))?;
        }
        // ρ_t = (1/K) Σ_{i=1}^K ρ_t^(i)
        lines.average_rho(&state.rho_sum, *count, &mut state.rho);
        // θ_t = (1/K) Σ_{i=1}^K θ_t^(i)
        lines.average(state.iterate_sum, *count, state.theta);

        // Stochastic gradient ascent: obtain sample W_t = (X, A, R, X')
        let sample = data.obtain()?;
        state.i = 0;
        let (phi, next) = self.visit(state, &sample)?;
        let scratch = &mut &mut *state.scratch;
        // v_t(X') = Σ_a π_t(a|X')⟨φ(X', a), θ_t⟩
        let policy_next = lines.policy(alpha, next, state.theta_sum, scratch)?;
        let value_next = &lines.value(next, policy_next, state.theta, scratch)?;
        // g̃_β = Λ^{c−1}φ[R + v_t(X') − ⟨θ_t, φ⟩ − ρ_t]
        let prediction = lines.product(phi, state.theta)?;
        let td_error = &lines.td_error(&sample.r, value_next, &prediction, &state.rho)?;
        let gradient = lines.beta_gradient(self.weight, phi, td_error, scratch)?;
        // β_{t+1} = Π(β_t + ζ g̃_β)
        let (beta, unprojected) = (copy(state.beta, scratch)?, ascend(state.beta, zeta, gradient, scratch)?);
        lines.project_beta(unprojected, radius_beta, state.beta)?;

        // Policy update: π_{t+1} = softmax(α Σ_{k=1}^t Φθ_k)
        lines.update_policy(state.theta, state.theta_sum)?;
        state.used += 1;
        let (t, rho, theta, beta_next) = (state.t, &state.rho, &*state.theta, &*state.beta);
        let theta_sum = &*state.theta_sum;
        #[rustfmt::skip]
        observer.outer_step(&OuterStep {
            t, sample: &sample, phi, theta, rho, policy_next, value_next, td_error, gradient, unprojected, beta, beta_next, theta_sum,
        });
        Ok(())
    }

    /// Alg 2: the body of the box's inner loop.
    pub fn inner_step<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        sample: &Sample<T>,
        observer: &mut O,
    ) -> Result<()> {
        let Parameters { alpha, eta, xi, radius_theta, .. } = self.parameters;
        let (phi, next) = self.visit_inner(state, sample)?;
        let scratch = &mut &mut *state.scratch;
        let w = &lines.product(phi, state.weighted_beta)?;
        // Sample A' ~ π_t(·|X')
        let policy_next = lines.policy(alpha, next, state.theta_sum, scratch)?;
        let a_next = lines.draw(policy_next, &sample.u)?;
        let phi_next = feature(next, self.features.actions(), self.features.dim(), a_next)?;
        // g̃_ρ = 1 − ⟨φ, Λ^{c−1}β_t⟩
        let gradient_rho = &lines.rho_gradient(w)?;
        // g̃_θ = φ'⟨φ, Λ^{c−1}β_t⟩ − φ⟨φ, Λ^{c−1}β_t⟩
        let gradient = lines.theta_gradient(phi, phi_next, w, scratch)?;
        // ρ_t^(i+1) = Π(ρ_t^(i) − ξ g̃_ρ)
        state.rho_sum = state.rho_sum.clone() + &state.rho;
        let unprojected_rho = &(state.rho.clone() - gradient_rho.clone() * xi);
        state.rho = lines.project_rho(unprojected_rho)?;
        // θ_t^(i+1) = Π(θ_t^(i) − η g̃_θ)
        accumulate(state.theta, state.iterate_sum);
        let unprojected = descend(state.theta, eta, gradient, scratch)?;
        lines.project_theta(unprojected, radius_theta, state.theta)?;

        let (t, i, rho_next, theta_next) = (state.t, state.i, &state.rho, &*state.theta);
        (state.i, state.used) = (i + 1, state.used + 1);
        #[rustfmt::skip]
        observer.inner_step(&InnerStep {
            t, i, sample, phi, w, policy_next, a_next, phi_next, gradient_rho, gradient, unprojected_rho, unprojected, rho_next, theta_next,
        });
        Ok(())
    }

    /// Starts from θ₀ ∈ B(D_θ), ρ₀ ∈ [0, 1] and β₁ ∈ B(D_β) instead of 0.
    pub fn start_at(&self, state: &mut State<T>, theta: &[T], rho: T, beta: &[T]) -> Result<()> {
        let Parameters { radius_theta, radius_beta, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.t != 0 {
            return out_of_order(state.i);
        }
        for (what, point, radius) in [("theta_0", theta, radius_theta), ("beta_1", beta, radius_beta)] {
            expect_len(what, self.features.dim(), point.len())?;
            all_finite(what, point)?;
            if !within_ball(point, radius) {
                return Err(Error::OutOfRange { what, index: Error::SCALAR, expected: "a norm of at most the radius" });
            }
        }
        if !(rho >= T::zero() && rho <= T::one()) {
            return Err(Error::OutOfRange { what: "rho_0", index: Error::SCALAR, expected: "0 <= rho <= 1" });
        }
        state.rho = rho;
        state.theta.clone_from_slice(theta);
        state.beta.clone_from_slice(beta);
        Ok(())
    }

    /// θ^(1) = θ_{t−1} and ρ^(1) = ρ_{t−1} (print does not say; erratum 9), and Λ^{c−1}β_t for the steps to come.
    pub fn begin_outer<O: Observer<T>>(
        &self,
        lines: &mut impl Lines<T>,
        state: &mut State<T>,
        observer: &mut O,
    ) -> Result<()> {
        self.expect_shape(state)?;
        if state.i != 0 {
            return out_of_order(state.i);
        }
        (state.t, state.i) = (state.t + 1, 1);
        lines.start(state.theta);
        lines.start_rho(&mut state.rho);
        lines.weighted_beta(self.weight, state.beta, state.weighted_beta);
        state.iterate_sum.fill(T::zero());
        state.rho_sum = T::zero();
        observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
        Ok(())
    }

    /// What [`Algorithm::visit`] gives, for an inner step, if it is time for one and u is a draw.
    fn visit_inner(&self, state: &State<T>, sample: &Sample<T>) -> Result<(&'a [T], &'a [T])> {
        self.expect_shape(state)?;
        if state.i == 0 || state.i > self.parameters.inner {
            return out_of_order(state.i);
        }
        Self::expect_draw(state, sample)?;
        self.visit(state, sample)
    }

    pub(crate) fn expect_draw(state: &State<T>, sample: &Sample<T>) -> Result<()> {
        if sample.u >= T::zero() && sample.u < T::one() {
            return Ok(());
        }
        Err(Error::OutOfRange { what: "u", index: state.used, expected: "0 <= u < 1" })
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
    /// Initialize ρ^(1) = ρ_{t−1}, in whose place it stands (print does not say; erratum 9).
    fn start_rho(&mut self, _rho: &mut T) {}

    /// Sample A' ~ π_t(·|X'), by u.
    fn draw(&mut self, policy: &[T], u: &T) -> Result<usize> {
        inverse_cdf(policy, u)
    }

    /// Lemma C.6: g̃_ρ.
    fn rho_gradient(&mut self, w: &T) -> Result<T> {
        rho_gradient_with(w)
    }

    /// Lemma C.7: g̃_θ.
    fn theta_gradient<'s>(&mut self, phi: &[T], next: &[T], w: &T, scratch: &mut &'s mut [T]) -> Result<&'s [T]> {
        let gradient = take(scratch, phi.len())?;
        theta_gradient_with(phi, next, w, gradient)?;
        Ok(gradient)
    }

    /// Π onto [0, 1]: ρ^(i+1).
    fn project_rho(&mut self, unprojected: &T) -> Result<T> {
        project_unit_interval(unprojected.clone())
    }

    /// ρ_t = (1/K) Σ_i ρ^(i): `rho` is the last iterate and becomes the average.
    fn average_rho(&mut self, sum: &T, count: usize, rho: &mut T) {
        *rho = sum.clone() * reciprocal::<T>(count);
    }

    /// Lemma C.5: R + v_t(X') − ⟨φ, θ_t⟩ − ρ_t.
    fn td_error(&mut self, reward: &T, value_next: &T, prediction: &T, rho: &T) -> Result<T> {
        td_error_with(reward, value_next, prediction, rho)
    }
}

impl<T: Real> Lines<T> for AsCorrected {}
