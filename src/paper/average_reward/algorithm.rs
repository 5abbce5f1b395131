//! Algorithm 2, `alg:Main`: the offline primal-dual method for average-reward MDPs.
//!
//! ```text
//! for t = 1 … T
//!     begin_outer                      θ^(1) = θ_{t−1}, ρ^(1) = ρ_{t−1}
//!     for i = 1 … K: inner_step        ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ);  θ^(i+1) = Π(θ^(i) − η g̃_θ)
//!     outer_step                       ρ_t, θ_t = averages over i = 1 … K;  β_{t+1} = Π(β_t + ζ g̃_β);  Σθ grows by θ_t
//! ```
//!
//! A pure function of features, samples, draws and parameters: the same input gives the same bits on every machine.
//! Where print leaves the order of operations open, it is: ⟨·,·⟩ as [`crate::linear::vector`] says; π from [`crate::linear::softmax`], A' by
//! inverse CDF; g̃_ρ = 1 − w; g̃_θ = (w·φ') − (w·φ); ρ − (ξ·g), θ − (η·g), β + (ζ·g); the averages from 0 in order of i, then
//! times (1/K). K + 1 samples per outer iteration, where Algorithm 1 has K; the last update is not averaged in.

use super::estimators::{rho_gradient, temporal_difference};
use crate::error::{Error, Result, expect_len, expect_some};
use crate::fast::step::{ascend, descend, dispatch, dispatch_wide, out_of_order, reciprocal, validate_rate};
use crate::linear::projection::{
    average_within_ball, clamp, project_ball_of_norm, validate_radius, within_ball, within_unit_interval,
};
use crate::linear::softmax::{draw_action, softmax_policies};
use crate::linear::vector::{add_scaled, all_finite, inner, multiply, scale, take};
use crate::number::Real;
use crate::paper::discounted::estimators::{expect_weight, weighted_feature};
use crate::paper::samples::{FeatureMap, Sample, feature, features_of};

/// The learning rates, the radii and K.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters<T> {
    /// α, the policy's learning rate.
    pub alpha: T,
    /// η, the rate of θ.
    pub eta: T,
    /// ζ, the rate of β.
    pub zeta: T,
    /// ξ, the rate of ρ.
    pub xi: T,
    /// D_θ.
    pub radius_theta: T,
    /// D_β.
    pub radius_beta: T,
    /// K: inner steps per outer iteration, which uses K + 1 samples.
    pub inner: usize,
}

impl<T: Real> Parameters<T> {
    /// Rates are finite and not negative, radii positive, K ≥ 1.
    pub fn validate(&self) -> Result<()> {
        for (what, rate) in [("alpha", &self.alpha), ("eta", &self.eta), ("zeta", &self.zeta), ("xi", &self.xi)] {
            validate_rate(what, rate)?;
        }
        validate_radius("radius_theta", &self.radius_theta)?;
        validate_radius("radius_beta", &self.radius_beta)?;
        expect_some("inner", self.inner)
    }
}

/// The iterates, in the caller's memory.
#[derive(Debug)]
pub struct State<'b, T> {
    /// θ^(i); between outer iterations θ_t.
    theta: &'b mut [T],
    /// Σ_{i<t} θ_i.
    theta_sum: &'b mut [T],
    /// β_t.
    beta: &'b mut [T],
    /// Σ of the inner iterates before θ^(i).
    iterate_sum: &'b mut [T],
    /// Λ^{c−1}β_t.
    weighted_beta: &'b mut [T],
    /// β_{t+1}, while β_t is still of interest.
    beta_next: &'b mut [T],
    /// The last g̃.
    gradient: &'b mut [T],
    policy_next: &'b mut [T],
    /// ⟨φ(X', ·), θ_t⟩.
    values_next: &'b mut [T],
    /// ρ^(i); between outer iterations ρ_t.
    rho: T,
    /// Σ of the ρ^(i) before this one.
    rho_sum: T,
    t: usize,
    i: usize,
    used: usize,
}

impl<'b, T: Real> State<'b, T> {
    /// How many numbers a state needs.
    #[must_use]
    pub const fn buffer_len(actions: usize, dim: usize) -> usize {
        dim.saturating_mul(7).saturating_add(actions.saturating_mul(2))
    }

    /// θ₀ = 0, β₁ = 0, ρ₀ = 0, π₁ uniform (erratum 11), before t = 1; see [`Algorithm::start_at`].
    pub fn new(actions: usize, dim: usize, mut buffer: &'b mut [T]) -> Result<Self> {
        buffer.fill(T::zero());
        let buffer = &mut buffer;
        Ok(Self {
            theta: take(buffer, dim)?,
            theta_sum: take(buffer, dim)?,
            beta: take(buffer, dim)?,
            iterate_sum: take(buffer, dim)?,
            weighted_beta: take(buffer, dim)?,
            beta_next: take(buffer, dim)?,
            gradient: take(buffer, dim)?,
            policy_next: take(buffer, actions)?,
            values_next: take(buffer, actions)?,
            rho: T::zero(),
            rho_sum: T::zero(),
            t: 0,
            i: 0,
            used: 0,
        })
    }

    /// θ^(i) within an outer iteration, θ_t after it.
    #[must_use]
    pub fn theta(&self) -> &[T] {
        self.theta
    }

    /// Σ_{i<t} θ_i within outer iteration t, Σ_{i≤t} θ_i after it: the policy, by [`crate::linear::softmax::policy_row`].
    #[must_use]
    pub fn theta_sum(&self) -> &[T] {
        self.theta_sum
    }

    /// β_t within outer iteration t, β_{t+1} after it.
    #[must_use]
    pub fn beta(&self) -> &[T] {
        self.beta
    }

    /// ρ^(i) within an outer iteration, ρ_t after it.
    #[must_use]
    pub fn rho(&self) -> &T {
        &self.rho
    }

    /// t, the outer iteration: 0 before the first.
    #[must_use]
    pub fn t(&self) -> usize {
        self.t
    }

    /// i: the inner iterate θ^(i) is in [`State::theta`]; 0 between outer iterations.
    #[must_use]
    pub fn i(&self) -> usize {
        self.i
    }

    /// How many samples were used.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    fn diverged<V>(&self, what: &'static str) -> Result<V> {
        Err(Error::Diverged { t: self.t, k: self.i, what })
    }
}

/// What an inner step computed, before the projection.
#[derive(Debug)]
pub struct InnerStep<'s, T> {
    /// t.
    pub t: usize,
    /// i.
    pub i: usize,
    /// W_{t,i}.
    pub sample: &'s Sample<T>,
    /// φ(X, A).
    pub phi: &'s [T],
    /// w = ⟨φ(X,A), Λ^{c−1}β_t⟩.
    pub w: &'s T,
    /// π_t(·|X').
    pub policy_next: &'s [T],
    /// A', drawn from it by the sample's u.
    pub a_next: usize,
    /// φ(X', A').
    pub phi_next: &'s [T],
    /// g̃_ρ.
    pub gradient_rho: &'s T,
    /// g̃_θ.
    pub gradient: &'s [T],
    /// ρ^(i) − ξ g̃_ρ.
    pub unprojected_rho: &'s T,
    /// θ^(i) − η g̃_θ.
    pub unprojected: &'s [T],
}

/// What an outer step computed, before the projection.
#[derive(Debug)]
pub struct OuterStep<'s, T> {
    /// t.
    pub t: usize,
    /// W_t.
    pub sample: &'s Sample<T>,
    /// φ(X, A).
    pub phi: &'s [T],
    /// θ_t.
    pub theta: &'s [T],
    /// ρ_t.
    pub rho: &'s T,
    /// π_t(·|X').
    pub policy_next: &'s [T],
    /// v_t(X').
    pub value_next: &'s T,
    /// R + v_t(X') − ⟨φ, θ_t⟩ − ρ_t.
    pub td_error: &'s T,
    /// g̃_β.
    pub gradient: &'s [T],
    /// β_t + ζ g̃_β.
    pub unprojected: &'s [T],
}

/// Sees every intermediate of a run; what is not overridden costs nothing.
pub trait Observer<T> {
    /// Before the first sample of t: θ^(1), ρ^(1), β_t, Λ^{c−1}β_t and Σ_{i<t} θ_i, that is π_t.
    #[inline]
    fn begin_outer(&mut self, _t: usize, _theta: &[T], _rho: &T, _beta: &[T], _weighted_beta: &[T], _theta_sum: &[T]) {}

    /// An inner step, before the projection.
    #[inline]
    fn inner_step(&mut self, _step: &InnerStep<T>) {}

    /// After the projections: θ^(i+1) and ρ^(i+1).
    #[inline]
    fn inner_iterate(&mut self, _t: usize, _i: usize, _theta_next: &[T], _rho_next: &T) {}

    /// An outer step, before the projection.
    #[inline]
    fn outer_step(&mut self, _step: &OuterStep<T>) {}

    /// After the projection: θ_t, ρ_t, β_t, β_{t+1} and Σ_{i≤t} θ_i, that is π_{t+1}.
    #[inline]
    fn outer_iterate(&mut self, _t: usize, _theta: &[T], _rho: &T, _beta: &[T], _beta_next: &[T], _theta_sum: &[T]) {}
}

/// Sees nothing.
impl<T> Observer<T> for () {}

/// Alg 2, `alg:Main`: the features, Λ^{c−1} and the parameters of a run.
#[derive(Debug, Clone, Copy)]
pub struct Algorithm<'a, T, F> {
    features: &'a F,
    weight: Option<&'a [T]>,
    parameters: &'a Parameters<T>,
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
    ///
    /// With the feature `std` the loop is compiled for several vector units and the best one is chosen at run time; the
    /// bits are the same, because [`crate::linear::vector`] fixes the order of every sum.
    #[inline(never)] // the whole loop, twice: once per set of types is enough
    pub fn run<O: Observer<T>>(
        &self,
        state: &mut State<T>,
        outer: usize,
        samples: impl IntoIterator<Item = Sample<T>>,
        observer: &mut O,
    ) -> Result<()> {
        dispatch(
            #[inline(always)]
            || self.run_here(state, outer, samples, observer),
        )
    }

    /// [`Algorithm::run`] with the instructions the crate was compiled for, but for the passes over vectors of 64 and more.
    #[inline(always)]
    pub fn run_here<O: Observer<T>>(
        &self,
        state: &mut State<T>,
        outer: usize,
        samples: impl IntoIterator<Item = Sample<T>>,
        observer: &mut O,
    ) -> Result<()> {
        let mut samples = samples.into_iter();
        let (start, expected) = (state.used, outer.saturating_mul(self.parameters.inner.saturating_add(1)));
        for _t in 0..outer {
            self.begin_outer(state, observer)?;
            for _i in 0..self.parameters.inner {
                let found = state.used - start;
                let sample = samples.next().ok_or(Error::Length { what: "samples", expected, found })?;
                self.inner_step(state, &sample, observer)?;
            }
            let found = state.used - start;
            let sample = samples.next().ok_or(Error::Length { what: "samples", expected, found })?;
            self.outer_step(state, &sample, observer)?;
        }
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
                return Err(Error::OutOfRange { what, index: 0, expected: "a norm of at most the radius" });
            }
        }
        if !(rho >= T::zero() && rho <= T::one()) {
            return Err(Error::OutOfRange { what: "rho_0", index: 0, expected: "0 <= rho <= 1" });
        }
        state.rho = rho;
        state.theta.clone_from_slice(theta);
        state.beta.clone_from_slice(beta);
        Ok(())
    }

    /// φ(X, A).
    #[inline(always)]
    fn feature(&self, sample: &Sample<T>, row: usize) -> Result<&'a [T]> {
        let here = features_of(self.features, "x", sample.x, row)?;
        feature(here, self.features.actions(), self.features.dim(), sample.a)
    }

    #[inline(always)]
    fn expect_shape(&self, state: &State<T>) -> Result<()> {
        expect_len("state", self.features.dim(), state.theta.len())?;
        expect_len("state's policy", self.features.actions(), state.policy_next.len())
    }

    /// θ^(1) = θ_{t−1} and ρ^(1) = ρ_{t−1} (print does not say; erratum 9), and Λ^{c−1}β_t for the steps to come.
    #[inline(always)]
    pub fn begin_outer<O: Observer<T>>(&self, state: &mut State<T>, observer: &mut O) -> Result<()> {
        self.expect_shape(state)?;
        if state.i != 0 {
            return out_of_order(state.i);
        }
        (state.t, state.i) = (state.t + 1, 1);
        state.iterate_sum.fill(T::zero());
        state.rho_sum = T::zero();
        weighted_feature(self.weight, state.beta, &T::one(), state.weighted_beta);
        observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
        Ok(())
    }

    /// One step of stochastic gradient descent: ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ), θ^(i+1) = Π(θ^(i) − η g̃_θ).
    #[inline(always)]
    pub fn inner_step<O: Observer<T>>(&self, state: &mut State<T>, sample: &Sample<T>, observer: &mut O) -> Result<()> {
        let Parameters { alpha, eta, xi, radius_theta, inner: count, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.i == 0 || state.i > *count {
            return out_of_order(state.i);
        }
        if !sample.r.is_valid() {
            return state.diverged("r");
        }
        if !(sample.u >= T::zero() && sample.u < T::one()) {
            return Err(Error::OutOfRange { what: "u", index: state.used, expected: "0 <= u < 1" });
        }
        let next = features_of(self.features, "x_next", sample.x_next, state.used)?;
        let phi = self.feature(sample, state.used)?;

        let w = inner(phi, state.weighted_beta);
        softmax_policies(alpha, [next], self.features.actions(), state.theta_sum, state.policy_next);
        let a_next = draw_action(state.policy_next, &sample.u);
        let phi_next = feature(next, self.features.actions(), self.features.dim(), a_next)?;
        let gradient_rho = rho_gradient(&w);
        state.rho_sum = state.rho_sum.clone() + &state.rho;
        let rho = state.rho.clone() - gradient_rho.clone() * xi;
        let (gradient, sum) = (&mut *state.gradient, &mut *state.iterate_sum);
        let norm = dispatch_wide(
            phi.len(),
            #[inline(always)]
            || descend((&w, phi_next), (&w, phi), eta, gradient, state.theta, sum).sqrt(),
        );
        observer.inner_step(&InnerStep {
            t: state.t,
            i: state.i,
            sample,
            phi,
            w: &w,
            policy_next: state.policy_next,
            a_next,
            phi_next,
            gradient_rho: &gradient_rho,
            gradient: state.gradient,
            unprojected_rho: &rho,
            unprojected: state.theta,
        });
        if !rho.is_valid() {
            return state.diverged("rho");
        }
        if !norm.is_valid() {
            return state.diverged("theta");
        }
        state.rho = clamp(rho);
        project_ball_of_norm(state.theta, norm, radius_theta);
        observer.inner_iterate(state.t, state.i, state.theta, &state.rho);
        (state.i, state.used) = (state.i + 1, state.used + 1);
        Ok(())
    }

    /// ρ_t = (1/K) Σ_i ρ^(i), θ_t = (1/K) Σ_i θ^(i); one step of stochastic gradient ascent: β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows
    /// by θ_t, which makes the policy π_{t+1}.
    #[inline(always)]
    pub fn outer_step<O: Observer<T>>(&self, state: &mut State<T>, sample: &Sample<T>, observer: &mut O) -> Result<()> {
        let Parameters { alpha, zeta, radius_theta, radius_beta, inner: count, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.i.checked_sub(1) != Some(*count) {
            return out_of_order(state.i);
        }
        let next = features_of(self.features, "x_next", sample.x_next, state.used)?;
        let phi = self.feature(sample, state.used)?;
        state.i = 0;
        if !sample.r.is_valid() {
            return state.diverged("r");
        }

        state.theta.clone_from_slice(state.iterate_sum);
        scale(&reciprocal(*count), state.theta);
        state.rho = state.rho_sum.clone() * reciprocal::<T>(*count);
        debug_assert!(average_within_ball(state.theta, *count, radius_theta), "θ_t left the ball");
        // Sums of numbers up to 1 round to at most K, and K·(1/K) rounds to at most 1.
        debug_assert!(within_unit_interval(&state.rho), "ρ_t left [0, 1]");

        softmax_policies(alpha, [next], self.features.actions(), state.theta_sum, state.policy_next);
        multiply(next, state.theta, state.values_next);
        let value_next = inner(state.policy_next, state.values_next);
        let td_error = temporal_difference(&sample.r, &value_next, phi, state.theta, &state.rho);
        weighted_feature(self.weight, phi, &td_error, state.gradient);
        ascend(state.beta, zeta, state.gradient, state.beta_next);
        observer.outer_step(&OuterStep {
            t: state.t,
            sample,
            phi,
            theta: state.theta,
            rho: &state.rho,
            policy_next: state.policy_next,
            value_next: &value_next,
            td_error: &td_error,
            gradient: state.gradient,
            unprojected: state.beta_next,
        });
        let norm = inner(state.beta_next, state.beta_next).sqrt();
        if !norm.is_valid() {
            return state.diverged("beta");
        }
        project_ball_of_norm(state.beta_next, norm, radius_beta);

        add_scaled(&T::one(), state.theta, state.theta_sum);
        if all_finite("theta_sum", state.theta_sum).is_err() {
            return state.diverged("theta_sum");
        }
        observer.outer_iterate(state.t, state.theta, &state.rho, state.beta, state.beta_next, state.theta_sum);
        state.beta.clone_from_slice(state.beta_next);
        state.used += 1;
        Ok(())
    }
}
