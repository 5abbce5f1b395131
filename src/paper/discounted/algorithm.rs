//! Algorithm 1, `alg:algo`: offline primal-dual RL.
//!
//! ```text
//! for t = 1 … T
//!     begin_outer                      θ_{t,1} = θ_{t−1}
//!     for k = 1 … K−1: inner_step      θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ)
//!     outer_step                       θ_t = (1/K) Σ_k θ_{t,k};  β_{t+1} = Π(β_t + ζ g̃_β);  Σθ grows by θ_t
//! ```
//!
//! A pure function of features, samples and parameters: the same input gives the same bits on every machine. Where
//! print leaves the order of operations open, it is: ⟨·,·⟩ as [`crate::linear::vector`] says; π from [`crate::linear::softmax`]; μ(x,a) as
//! ((1−γ))·π and (γ·w)·π; Φᵀμ from 0 over the actions of X⁰, then of X'; g = Φᵀμ − (w·φ); θ − (η·g), β + (ζ·g); the average
//! from 0 in order of k, then times (1/K).

use super::estimators::{expect_weight, mean_feature, occupancy, temporal_difference, weighted_feature};
use crate::error::{Error, Result, expect_len, expect_some};
use crate::fast::step::{ascend, descend, dispatch, dispatch_wide, out_of_order, reciprocal, validate_rate};
use crate::linear::projection::{average_within_ball, project_ball_of_norm, validate_radius, within_ball};
use crate::linear::softmax::softmax_policies;
use crate::linear::vector::{add_scaled, all_finite, inner, multiply, scale, take};
use crate::number::Real;
use crate::paper::samples::{FeatureMap, Sample, feature, features_of};

/// γ, the learning rates, the radii and K.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters<T> {
    /// γ ∈ [0, 1).
    pub discount: T,
    /// α, the policy's learning rate.
    pub alpha: T,
    /// η, the rate of θ.
    pub eta: T,
    /// ζ, the rate of β.
    pub zeta: T,
    /// D_θ.
    pub radius_theta: T,
    /// D_β.
    pub radius_beta: T,
    /// K: samples per outer iteration, K − 1 of them for θ.
    pub inner: usize,
}

impl<T: Real> Parameters<T> {
    /// Rates are finite and not negative, radii positive, γ ∈ [0, 1), K ≥ 1.
    pub fn validate(&self) -> Result<()> {
        crate::paper::mdp::valid_discount(&self.discount)?;
        for (what, rate) in [("alpha", &self.alpha), ("eta", &self.eta), ("zeta", &self.zeta)] {
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
    /// θ_{t,k}; between outer iterations θ_t.
    theta: &'b mut [T],
    /// Σ_{i<t} θ_i.
    theta_sum: &'b mut [T],
    /// β_t.
    beta: &'b mut [T],
    /// Σ of the inner iterates before θ_{t,k}.
    iterate_sum: &'b mut [T],
    /// Λ^{c−1}β_t.
    weighted_beta: &'b mut [T],
    /// β_{t+1}, while β_t is still of interest.
    beta_next: &'b mut [T],
    /// Φᵀμ_{t,k}.
    mean_feature: &'b mut [T],
    /// The last g̃.
    gradient: &'b mut [T],
    /// π_t(·|X⁰), then π_t(·|X'); in the outer step only the latter.
    policies: &'b mut [T],
    /// μ_{t,k} at X⁰.
    at_start: &'b mut [T],
    /// μ_{t,k} at X'; in the outer step ⟨φ(X', ·), θ_t⟩.
    at_next: &'b mut [T],
    t: usize,
    k: usize,
    used: usize,
}

impl<'b, T: Real> State<'b, T> {
    /// How many numbers a state needs.
    #[must_use]
    pub const fn buffer_len(actions: usize, dim: usize) -> usize {
        dim.saturating_mul(8).saturating_add(actions.saturating_mul(4))
    }

    /// θ₀ = 0, β₁ = 0, π₁ uniform (erratum 11), before t = 1; see [`Algorithm::start_at`].
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
            mean_feature: take(buffer, dim)?,
            gradient: take(buffer, dim)?,
            policies: take(buffer, actions.saturating_mul(2))?,
            at_start: take(buffer, actions)?,
            at_next: take(buffer, actions)?,
            t: 0,
            k: 0,
            used: 0,
        })
    }

    /// θ_{t,k} within an outer iteration, θ_t after it.
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

    /// t, the outer iteration: 0 before the first.
    #[must_use]
    pub fn t(&self) -> usize {
        self.t
    }

    /// k: the inner iterate θ_{t,k} is in [`State::theta`]; 0 between outer iterations.
    #[must_use]
    pub fn k(&self) -> usize {
        self.k
    }

    /// How many samples were used.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    fn diverged<V>(&self, what: &'static str) -> Result<V> {
        Err(Error::Diverged { t: self.t, k: self.k, what })
    }
}

/// What an inner step computed, before the projection.
#[derive(Debug)]
pub struct InnerStep<'s, T> {
    /// t.
    pub t: usize,
    /// k.
    pub k: usize,
    /// W_{t,k}.
    pub sample: &'s Sample<T>,
    /// φ(X, A).
    pub phi: &'s [T],
    /// w = ⟨φ(X,A), Λ^{c−1}β_t⟩.
    pub w: &'s T,
    /// π_t(·|X⁰).
    pub policy_start: &'s [T],
    /// π_t(·|X').
    pub policy_next: &'s [T],
    /// Φᵀμ_{t,k}.
    pub mean_feature: &'s [T],
    /// g̃_θ.
    pub gradient: &'s [T],
    /// θ_{t,k} − η g̃_θ.
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
    /// π_t(·|X').
    pub policy_next: &'s [T],
    /// v_t(X').
    pub value_next: &'s T,
    /// R + γ v_t(X') − ⟨φ, θ_t⟩.
    pub td_error: &'s T,
    /// g̃_β.
    pub gradient: &'s [T],
    /// β_t + ζ g̃_β.
    pub unprojected: &'s [T],
}

/// Sees every intermediate of a run; what is not overridden costs nothing.
pub trait Observer<T> {
    /// Before the first sample of t: θ_{t,1}, β_t, Λ^{c−1}β_t and Σ_{i<t} θ_i, that is π_t.
    #[inline]
    fn begin_outer(&mut self, _t: usize, _theta: &[T], _beta: &[T], _weighted_beta: &[T], _theta_sum: &[T]) {}

    /// An inner step, before the projection.
    #[inline]
    fn inner_step(&mut self, _step: &InnerStep<T>) {}

    /// After the projection: θ_{t,k+1}.
    #[inline]
    fn inner_iterate(&mut self, _t: usize, _k: usize, _theta_next: &[T]) {}

    /// An outer step, before the projection.
    #[inline]
    fn outer_step(&mut self, _step: &OuterStep<T>) {}

    /// After the projection: θ_t, β_t, β_{t+1} and Σ_{i≤t} θ_i, that is π_{t+1}.
    #[inline]
    fn outer_iterate(&mut self, _t: usize, _theta: &[T], _beta: &[T], _beta_next: &[T], _theta_sum: &[T]) {}
}

/// Sees nothing.
impl<T> Observer<T> for () {}

/// Alg 1, `alg:algo`: the features, Λ^{c−1} and the parameters of a run.
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

    /// `outer` outer iterations, on K samples each; continues where `state` stands, so a long data set may come in blocks.
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
        let (start, expected) = (state.used, outer.saturating_mul(self.parameters.inner));
        for _t in 0..outer {
            self.begin_outer(state, observer)?;
            for _k in 1..self.parameters.inner {
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
                return Err(Error::OutOfRange { what, index: 0, expected: "a norm of at most the radius" });
            }
        }
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
        expect_len("state's policy", self.features.actions(), state.at_start.len())
    }

    /// θ_{t,1} = θ_{t−1}, and Λ^{c−1}β_t for the steps to come.
    #[inline(always)]
    pub fn begin_outer<O: Observer<T>>(&self, state: &mut State<T>, observer: &mut O) -> Result<()> {
        self.expect_shape(state)?;
        if state.k != 0 {
            return out_of_order(state.k);
        }
        (state.t, state.k) = (state.t + 1, 1);
        state.iterate_sum.fill(T::zero());
        weighted_feature(self.weight, state.beta, &T::one(), state.weighted_beta);
        observer.begin_outer(state.t, state.theta, state.beta, state.weighted_beta, state.theta_sum);
        Ok(())
    }

    /// One step of stochastic gradient descent, by (8) and (10): θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ).
    ///
    /// # Deviation
    /// g̃_θ is Φᵀμ_{t,k} − φ⟨φ, Λ^{c−1}β_t⟩, as the proof of Lemma B.1 has it; erratum 1.
    #[inline(always)]
    pub fn inner_step<O: Observer<T>>(&self, state: &mut State<T>, sample: &Sample<T>, observer: &mut O) -> Result<()> {
        let Parameters { discount, alpha, eta, radius_theta, inner: count, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.k == 0 || state.k >= *count {
            return out_of_order(state.k);
        }
        if !sample.r.is_valid() {
            return state.diverged("r");
        }
        let start = features_of(self.features, "x0", sample.x0, state.used)?;
        let next = features_of(self.features, "x_next", sample.x_next, state.used)?;
        let phi = self.feature(sample, state.used)?;

        let w = inner(phi, state.weighted_beta);
        softmax_policies(alpha, [start, next], self.features.actions(), state.theta_sum, state.policies);
        let (policy_start, policy_next) = state.policies.split_at(self.features.actions());
        occupancy(discount, policy_start, policy_next, &w, state.at_start, state.at_next);
        let (one, gradient, sum) = (T::one(), &mut *state.gradient, &mut *state.iterate_sum);
        let norm = dispatch_wide(
            phi.len(),
            #[inline(always)]
            || {
                mean_feature(start, state.at_start, next, state.at_next, state.mean_feature);
                descend((&one, state.mean_feature), (&w, phi), eta, gradient, state.theta, sum).sqrt()
            },
        );
        observer.inner_step(&InnerStep {
            t: state.t,
            k: state.k,
            sample,
            phi,
            w: &w,
            policy_start,
            policy_next,
            mean_feature: state.mean_feature,
            gradient: state.gradient,
            unprojected: state.theta,
        });
        if !norm.is_valid() {
            return state.diverged("theta");
        }
        project_ball_of_norm(state.theta, norm, radius_theta);
        observer.inner_iterate(state.t, state.k, state.theta);
        (state.k, state.used) = (state.k + 1, state.used + 1);
        Ok(())
    }

    /// θ_t = (1/K) Σ_k θ_{t,k}; one step of stochastic gradient ascent, by (7) and (9): β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows
    /// by θ_t, which makes the policy π_{t+1}.
    ///
    /// # Deviation
    /// g̃_β has the Λ^{c−1} of (9) that the box omits; erratum 7.
    #[inline(always)]
    pub fn outer_step<O: Observer<T>>(&self, state: &mut State<T>, sample: &Sample<T>, observer: &mut O) -> Result<()> {
        let Parameters { discount, alpha, zeta, radius_theta, radius_beta, inner: count, .. } = self.parameters;
        self.expect_shape(state)?;
        if state.k != *count {
            return out_of_order(state.k);
        }
        let next = features_of(self.features, "x_next", sample.x_next, state.used)?;
        let phi = self.feature(sample, state.used)?;
        state.k = 0;
        if !sample.r.is_valid() {
            return state.diverged("r");
        }

        add_scaled(&T::one(), state.theta, state.iterate_sum);
        state.theta.clone_from_slice(state.iterate_sum);
        scale(&reciprocal(*count), state.theta);
        debug_assert!(average_within_ball(state.theta, *count, radius_theta), "θ_t left the ball");

        let (_, policy_next) = state.policies.split_at_mut(self.features.actions());
        softmax_policies(alpha, [next], self.features.actions(), state.theta_sum, policy_next);
        multiply(next, state.theta, state.at_next);
        let value_next = inner(policy_next, state.at_next);
        let td_error = temporal_difference(discount, &sample.r, &value_next, phi, state.theta);
        weighted_feature(self.weight, phi, &td_error, state.gradient);
        ascend(state.beta, zeta, state.gradient, state.beta_next);
        observer.outer_step(&OuterStep {
            t: state.t,
            sample,
            phi,
            theta: state.theta,
            policy_next,
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
        observer.outer_iterate(state.t, state.theta, state.beta, state.beta_next, state.theta_sum);
        state.beta.clone_from_slice(state.beta_next);
        state.used += 1;
        Ok(())
    }
}
