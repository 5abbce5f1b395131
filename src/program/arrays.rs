//! A run's iterates as arrays, beside what the recorder keeps.

use crate::data::InputError;
use crate::paper::average_reward::algorithm as average;
use crate::paper::discounted::algorithm as discounted;
use crate::program::engine::Watcher;
use crate::program::recorder::Recorder;
use std::time::{Duration, Instant};

/// Which iterates a caller wants.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Those of the outer loop.
    pub outer: bool,
    /// Those of the inner loop.
    pub inner: bool,
}

/// θ_t, β_t, Σ_{i≤t} θ_i and, in the average-reward setting, ρ_t, iteration after iteration.
#[derive(Debug, Default)]
pub struct Outer {
    /// θ_t.
    pub theta: Vec<f64>,
    /// β_t.
    pub beta: Vec<f64>,
    /// Σ_{i≤t} θ_i.
    pub theta_sum: Vec<f64>,
    /// ρ_t; empty in the discounted setting.
    pub rho: Vec<f64>,
}

/// The gradient of every inner step and what it led to, step after step.
#[derive(Debug, Default)]
pub struct Inner {
    /// g̃_θ.
    pub gradient: Vec<f64>,
    /// θ after the step.
    pub theta: Vec<f64>,
    /// ρ after the step; empty in the discounted setting.
    pub rho: Vec<f64>,
}

/// A recorder that also fills arrays.
pub struct Traced<'w, 'a> {
    pub recorder: &'w mut Recorder<'a, 'a>,
    pub outer: Option<Outer>,
    pub inner: Option<Inner>,
    /// J, and Σ_{i<J} θ_i once it is known.
    chosen: usize,
    pub chosen_sum: Vec<f64>,
    spent: Duration,
}

impl<'w, 'a> Traced<'w, 'a> {
    pub fn new(recorder: &'w mut Recorder<'a, 'a>, chosen: usize, wanted: Wanted) -> Self {
        let (outer, inner) = (wanted.outer.then(Outer::default), wanted.inner.then(Inner::default));
        Self { recorder, outer, inner, chosen, chosen_sum: Vec::new(), spent: Duration::ZERO }
    }

    fn begin(&mut self, t: usize, theta_sum: &[f64]) {
        if t == self.chosen {
            self.chosen_sum = theta_sum.to_vec();
        }
    }

    fn outer(&mut self, theta: &[f64], rho: Option<f64>, beta: &[f64], theta_sum: &[f64]) {
        let Some(outer) = &mut self.outer else { return };
        let start = Instant::now();
        outer.theta.extend_from_slice(theta);
        outer.beta.extend_from_slice(beta);
        outer.theta_sum.extend_from_slice(theta_sum);
        outer.rho.extend(rho);
        self.spent += start.elapsed();
    }

    #[inline]
    fn inner(&mut self, gradient: &[f64], theta: &[f64], rho: Option<f64>) {
        let Some(inner) = &mut self.inner else { return };
        inner.gradient.extend_from_slice(gradient);
        inner.theta.extend_from_slice(theta);
        inner.rho.extend(rho);
    }
}

impl Watcher for Traced<'_, '_> {
    fn spent(&self) -> Duration {
        self.spent + self.recorder.spent()
    }

    fn problem(&mut self) -> Option<InputError> {
        self.recorder.problem()
    }
}

impl discounted::Observer<f64> for Traced<'_, '_> {
    fn begin_outer(&mut self, t: usize, theta: &[f64], beta: &[f64], weighted: &[f64], theta_sum: &[f64]) {
        self.begin(t, theta_sum);
        discounted::Observer::begin_outer(self.recorder, t, theta, beta, weighted, theta_sum);
    }

    #[inline]
    fn inner_step(&mut self, step: &discounted::InnerStep<f64>) {
        discounted::Observer::inner_step(self.recorder, step);
        self.inner(step.gradient, step.theta_next, None);
    }

    fn outer_step(&mut self, step: &discounted::OuterStep<f64>) {
        discounted::Observer::outer_step(self.recorder, step);
        self.outer(step.theta, None, step.beta, step.theta_sum);
    }
}

impl average::Observer<f64> for Traced<'_, '_> {
    fn begin_outer(&mut self, t: usize, theta: &[f64], rho: &f64, beta: &[f64], weighted: &[f64], theta_sum: &[f64]) {
        self.begin(t, theta_sum);
        average::Observer::begin_outer(self.recorder, t, theta, rho, beta, weighted, theta_sum);
    }

    #[inline]
    fn inner_step(&mut self, step: &average::InnerStep<f64>) {
        average::Observer::inner_step(self.recorder, step);
        self.inner(step.gradient, step.theta_next, Some(*step.rho_next));
    }

    fn outer_step(&mut self, step: &average::OuterStep<f64>) {
        average::Observer::outer_step(self.recorder, step);
        self.outer(step.theta, Some(*step.rho), step.beta, step.theta_sum);
    }
}
