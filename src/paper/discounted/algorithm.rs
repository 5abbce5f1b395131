//! Algorithm 1, `alg:algo`: offline primal-dual RL. [`Algorithm::outer_iteration`] and the body of its inner loop,
//! [`Algorithm::inner_step`], are the box; what a line calls by default stands in [`Lines`] and [`crate::paper::lines::Lines`].
//!
//! A pure function of features, samples and parameters: the same input gives the same bits on every machine. Where
//! print leaves the order of operations open, it is: ⟨·,·⟩ as [`crate::linear::vector`] says; π from [`crate::linear::softmax`]; μ(x,a) as
//! ((1−γ))·π and (γ·w)·π; Φᵀμ from 0 over the actions of X⁰, then of X'; g = Φᵀμ − (w·φ); θ − (η·g), β + (ζ·g); the average
//! from 0 in order of k, then times (1/K). `fast::discounted` computes the same bits sooner.

use super::estimators::{expect_weight, mean_feature, occupancy_estimate, td_error_with, theta_gradient_with};
use crate::error::{Error, Result, expect_len, expect_some};
use crate::linear::projection::{validate_radius, within_ball};
use crate::linear::vector::{all_finite, take};
use crate::number::Real;
use crate::paper::lines::{self, AsCorrected, accumulate, ascend, copy, descend, located, out_of_order, validate_rate};
use crate::paper::samples::{Data, FeatureMap, Sample, feature, features_of};

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
    pub(crate) theta: &'b mut [T],
    /// Σ_{i<t} θ_i.
    pub(crate) theta_sum: &'b mut [T],
    /// β_t.
    pub(crate) beta: &'b mut [T],
    /// Σ of the inner iterates so far.
    pub(crate) iterate_sum: &'b mut [T],
    /// Λ^{c−1}β_t.
    pub(crate) weighted_beta: &'b mut [T],
    /// Room for what one step computes.
    pub(crate) scratch: &'b mut [T],
    pub(crate) t: usize,
    pub(crate) k: usize,
    pub(crate) used: usize,
}

impl<'b, T: Real> State<'b, T> {
    /// How many numbers a state needs: 5 vectors of d, and what an inner step computes: 3 vectors of d, 4 of |A|.
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
            scratch: take(buffer, dim.saturating_mul(3).saturating_add(actions.saturating_mul(4)))?,
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
}

/// What an inner step computed.
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
    /// θ_{t,k+1}.
    pub theta_next: &'s [T],
}

/// What an outer step computed.
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
    /// β_t.
    pub beta: &'s [T],
    /// β_{t+1}.
    pub beta_next: &'s [T],
    /// Σ_{i≤t} θ_i, that is π_{t+1}.
    pub theta_sum: &'s [T],
}

/// Sees every intermediate of a run; what is not overridden costs nothing.
pub trait Observer<T> {
    /// Before the first sample of t: θ_{t,1}, β_t, Λ^{c−1}β_t and Σ_{i<t} θ_i, that is π_t.
    #[inline]
    fn begin_outer(&mut self, _t: usize, _theta: &[T], _beta: &[T], _weighted_beta: &[T], _theta_sum: &[T]) {}

    /// After an inner step.
    #[inline]
    fn inner_step(&mut self, _step: &InnerStep<T>) {}

    /// After an outer iteration.
    #[inline]
    fn outer_step(&mut self, _step: &OuterStep<T>) {}
}

/// Sees nothing.
impl<T> Observer<T> for () {}

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

    /// The body of the box's outer loop.
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

    /// The body of the box's inner loop.
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
                return Err(Error::OutOfRange { what, index: 0, expected: "a norm of at most the radius" });
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
            return Err(Error::Diverged { t: state.t, k: state.k, what: "r" });
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
