//! Algorithm 2's parameters, its iterates, and what an observer sees of a step.

use crate::error::{Result, expect_some};
use crate::linear::projection::validate_radius;
use crate::linear::vector::take;
use crate::number::Real;
use crate::paper::lines::validate_rate;
use crate::paper::samples::Sample;

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
    pub(crate) theta: &'b mut [T],
    /// Σ_{i<t} θ_i.
    pub(crate) theta_sum: &'b mut [T],
    /// β_t.
    pub(crate) beta: &'b mut [T],
    /// Σ of the inner iterates before θ^(i).
    pub(crate) iterate_sum: &'b mut [T],
    /// Λ^{c−1}β_t.
    pub(crate) weighted_beta: &'b mut [T],
    /// Room for what one step computes.
    pub(crate) scratch: &'b mut [T],
    /// ρ^(i); between outer iterations ρ_t.
    pub(crate) rho: T,
    /// Σ of the ρ^(i) before this one.
    pub(crate) rho_sum: T,
    pub(crate) t: usize,
    pub(crate) i: usize,
    pub(crate) used: usize,
}

impl<'b, T: Real> State<'b, T> {
    /// How many numbers a state needs: 5 vectors of d, and what the outer iteration computes: 3 vectors of d, 2 of |A|.
    #[must_use]
    pub const fn buffer_len(actions: usize, dim: usize) -> usize {
        dim.saturating_mul(8).saturating_add(actions.saturating_mul(2))
    }

    /// θ₀ = 0, β₁ = 0, ρ₀ = 0, π₁ uniform (erratum 11), before t = 1; see [`super::algorithm::Algorithm::start_at`].
    pub fn new(actions: usize, dim: usize, mut buffer: &'b mut [T]) -> Result<Self> {
        buffer.fill(T::zero());
        let buffer = &mut buffer;
        Ok(Self {
            theta: take(buffer, dim)?,
            theta_sum: take(buffer, dim)?,
            beta: take(buffer, dim)?,
            iterate_sum: take(buffer, dim)?,
            weighted_beta: take(buffer, dim)?,
            scratch: take(buffer, dim.saturating_mul(3).saturating_add(actions.saturating_mul(2)))?,
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
}

/// What an inner step computed.
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
    /// ρ^(i+1).
    pub rho_next: &'s T,
    /// θ^(i+1).
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
    /// β_t.
    pub beta: &'s [T],
    /// β_{t+1}.
    pub beta_next: &'s [T],
    /// Σ_{i≤t} θ_i, that is π_{t+1}.
    pub theta_sum: &'s [T],
}

/// Sees every intermediate of a run; what is not overridden costs nothing.
pub trait Observer<T> {
    /// Before the first sample of t: θ^(1), ρ^(1), β_t, Λ^{c−1}β_t and Σ_{i<t} θ_i, that is π_t.
    #[inline]
    fn begin_outer(&mut self, _t: usize, _theta: &[T], _rho: &T, _beta: &[T], _weighted_beta: &[T], _theta_sum: &[T]) {}

    /// After an inner step.
    #[inline]
    fn inner_step(&mut self, _step: &InnerStep<T>) {}

    /// After an outer iteration.
    #[inline]
    fn outer_step(&mut self, _step: &OuterStep<T>) {}
}

/// Sees nothing.
impl<T> Observer<T> for () {}
