//! Both algorithms once more: slow, plain, independent of the library's kernels, over any [`Scalar`], and breakable.
//!
//! On `f64` and unbroken it gives the library's bits; on rationals the exact results where they are rational; on
//! [`super::bounded::Bounded`] the tolerances; broken by a [`Mutation`] the results that a wrong implementation gives.

use super::case::{Case, Setting};
use super::mutation::Mutation;
use super::scalar::Scalar;
use super::trace::{Field, Step, Trace};
use crate::paper::samples::Sample;
use std::vec::Vec;

/// Runs a case that [`Case::validate`] accepts. The trace ends early where a draw cannot be decided.
#[must_use]
pub fn run<T: Scalar>(case: &Case, broken: Option<Mutation>) -> Trace<T> {
    let mut run = Run::new(case, broken);
    for (t, block) in case.samples.chunks(case.block()).enumerate() {
        if run.outer_iteration(t + 1, block).is_none() {
            break;
        }
    }
    run.trace
}

/// A point of a ball, with a bound on its Euclidean error.
#[derive(Clone)]
struct Iterate<T> {
    point: Vec<T>,
    spread: f64,
}

struct Run<'c, T> {
    case: &'c Case,
    broken: Option<Mutation>,
    features: Vec<T>,
    weight: Option<Vec<T>>,
    theta: Iterate<T>,
    beta: Iterate<T>,
    rho: T,
    /// θ_1, …, θ_t.
    thetas: Vec<Vec<T>>,
    trace: Trace<T>,
}

fn lift<T: Scalar>(numbers: &[f64]) -> Vec<T> {
    numbers.iter().map(|x| T::of(*x)).collect()
}

impl<'c, T: Scalar> Run<'c, T> {
    fn new(case: &'c Case, broken: Option<Mutation>) -> Self {
        Self {
            case,
            broken,
            features: lift(&case.features),
            weight: case.weight.as_deref().map(lift),
            theta: Iterate { point: lift(&case.theta_start), spread: 0.0 },
            beta: Iterate { point: lift(&case.beta_start), spread: 0.0 },
            rho: T::of(case.rho_start),
            thetas: Vec::new(),
            trace: Vec::new(),
        }
    }

    fn is(&self, mutation: Mutation) -> bool {
        self.broken == Some(mutation)
    }

    fn outer_iteration(&mut self, t: usize, block: &[Sample<f64>]) -> Option<()> {
        let last = block.last()?;
        if self.is(Mutation::BetaBeforeTheta) {
            self.outer_step(t, last);
        }
        if self.is(Mutation::ThetaReset) {
            self.theta = Iterate { point: lift(&std::vec![0.0; self.case.dim]), spread: 0.0 };
        }
        if self.is(Mutation::RhoReset) {
            self.rho = T::of(0.0);
        }
        let too_many = self.is(Mutation::OneIterateTooMany);
        let (mut iterates, mut rhos) = (std::vec![self.theta.clone()], std::vec![self.rho.clone()]);
        for (k, sample) in block.iter().enumerate() {
            // Algorithm 1 spends its last sample on β alone; in Algorithm 2 the last iterate is not averaged in.
            let is_last = k + 1 == block.len();
            if is_last && !(too_many && self.case.setting == Setting::Discounted) {
                break;
            }
            self.inner_step(t, k + 1, sample)?;
            iterates.push(self.theta.clone());
            rhos.push(self.rho.clone());
        }
        if self.case.setting == Setting::Average && !too_many {
            iterates.pop();
            rhos.pop();
        }
        if !self.is(Mutation::LastIterateForAverage) {
            let points: Vec<Vec<T>> = iterates.iter().map(|iterate| iterate.point.clone()).collect();
            let spreads: Vec<f64> = iterates.iter().map(|iterate| iterate.spread).collect();
            let (point, spread) = T::average(&points, &spreads);
            self.theta = Iterate { point, spread };
            self.rho =
                super::scalar::average(&rhos.into_iter().map(|rho| std::vec![rho]).collect::<Vec<_>>()).remove(0);
        }
        if self.is(Mutation::BetaBeforeTheta) {
            self.record_averages_late();
        } else {
            self.outer_step(t, last);
        }
        Some(())
    }

    /// φ(x, ·).
    fn state(&self, x: usize) -> &[T] {
        let width = self.case.actions * self.case.dim;
        &self.features[x * width..(x + 1) * width]
    }

    fn feature(&self, x: usize, a: usize) -> &[T] {
        &self.state(x)[a * self.case.dim..(a + 1) * self.case.dim]
    }

    /// Σ of the past θ, as the policy sees it.
    fn theta_sum(&self) -> Vec<T> {
        let first = if self.is(Mutation::PolicyFromLastTheta) { self.thetas.len().saturating_sub(1) } else { 0 };
        let past = &self.thetas[first..];
        if self.is(Mutation::PolicyFromMeanTheta) && !past.is_empty() {
            return super::scalar::average(past);
        }
        let column = |i: usize| past.iter().map(|theta| theta[i].clone()).collect::<Vec<_>>();
        (0..self.case.dim).map(|i| T::sum(&column(i))).collect()
    }

    /// π(·|x), the softmax of α⟨φ(x, ·), Σθ⟩.
    fn policy(&self, x: usize) -> Vec<T> {
        let sum = self.theta_sum();
        let alpha = T::of(if self.is(Mutation::AlphaDropped) { 1.0 } else { self.case.alpha });
        let logits: Vec<T> = self.state(x).chunks(self.case.dim).map(|phi| T::dot(phi, &sum) * alpha.clone()).collect();
        let greatest = logits.iter().skip(1).fold(logits[0].clone(), |greatest, z| greatest.max(z.clone()));
        let weights: Vec<T> = logits.into_iter().map(|z| (z - greatest.clone()).exp()).collect();
        let total = T::sum(&weights);
        weights.into_iter().map(|weight| weight / total.clone()).collect()
    }

    /// ⟨φ, Λ^{c−1}β⟩.
    fn weighted(&self, phi: &[T], dropped: bool) -> T {
        match &self.weight {
            Some(weight) if !dropped => T::bilinear(phi, weight, &self.beta.point),
            _ => T::dot(phi, &self.beta.point),
        }
    }

    /// Λ^{c−1}φ.
    fn weighted_feature(&self, phi: &[T]) -> Vec<T> {
        match &self.weight {
            Some(weight) => weight.chunks(phi.len()).map(|row| T::dot(row, phi)).collect(),
            None => phi.to_vec(),
        }
    }

    fn inner_step(&mut self, t: usize, k: usize, sample: &Sample<f64>) -> Option<()> {
        let phi = self.feature(sample.x, sample.a).to_vec();
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInTheta);
        let w = self.weighted(&phi, dropped);
        let mut fields = std::vec![(Field::Phi, phi.clone()), (Field::W, std::vec![w.clone()])];
        // The last term of g̃_θ: φ·w.
        let last: Vec<T> = if self.is(Mutation::WeightMisplaced) {
            let w = self.weighted(&phi, true);
            self.weighted_feature(&phi).into_iter().map(|x| x * w.clone()).collect()
        } else {
            phi.iter().map(|x| x.clone() * w.clone()).collect()
        };
        let gradient = match self.case.setting {
            Setting::Discounted => self.discounted_gradient(sample, &w, &last, &mut fields),
            Setting::Average => self.average_gradient(sample, &w, &last, &mut fields)?,
        };
        let skip = self.is(Mutation::ThetaProjectionSkipped);
        let (eta, radius) = (self.case.eta, self.case.radius_theta);
        fields.push((Field::Gradient, gradient.clone()));
        if self.case.setting == Setting::Average {
            let rho = self.rho.clone() - (T::of(1.0) - w) * T::of(self.case.xi);
            self.rho = if self.is(Mutation::RhoProjectionSkipped) { rho.clone() } else { rho.clone().clamp() };
            fields.push((Field::UnprojectedRho, std::vec![rho]));
            advance(&mut self.theta, &gradient, eta, |x, step| x - step, radius, skip, &mut fields);
            fields.push((Field::RhoNext, std::vec![self.rho.clone()]));
        } else {
            advance(&mut self.theta, &gradient, eta, |x, step| x - step, radius, skip, &mut fields);
        }
        fields.push((Field::ThetaNext, self.theta.point.clone()));
        self.trace.push(Step { t, k: Some(k), fields });
        Some(())
    }

    /// Φᵀμ − φ·w, μ being (1−γ)π(·|X⁰) at X⁰ and γwπ(·|X') at X'.
    fn discounted_gradient(
        &self,
        sample: &Sample<f64>,
        w: &T,
        last: &[T],
        fields: &mut Vec<(Field, Vec<T>)>,
    ) -> Vec<T> {
        let gamma = T::of(self.case.discount);
        let at_start = if self.is(Mutation::OneMinusDiscountDropped) { T::of(1.0) } else { T::of(1.0) - gamma.clone() };
        let at_next = if self.is(Mutation::DiscountDroppedInOccupancy) { w.clone() } else { gamma * w.clone() };
        let next = if self.is(Mutation::StartForNext) { sample.x0 } else { sample.x_next };
        let policy_start = self.policy(sample.x0);
        let policy_next = if self.is(Mutation::StartPolicyForNext) { policy_start.clone() } else { self.policy(next) };
        let mut mu: Vec<T> = policy_start.iter().map(|p| p.clone() * at_start.clone()).collect();
        mu.extend(policy_next.iter().map(|p| p.clone() * at_next.clone()));
        let rows = || self.state(sample.x0).chunks(self.case.dim).chain(self.state(next).chunks(self.case.dim));
        let terms = |i: usize| rows().zip(&mu).map(|(phi, mu)| phi[i].clone() * mu.clone()).collect::<Vec<_>>();
        let mean_feature = (0..self.case.dim).map(|i| T::sum(&terms(i))).collect();
        let gradient = (0..self.case.dim).map(|i| {
            let mut terms = terms(i);
            terms.push(T::of(0.0) - last[i].clone());
            T::sum(&terms)
        });
        let gradient = gradient.collect();
        fields.push((Field::PolicyStart, policy_start));
        fields.push((Field::PolicyNext, policy_next));
        fields.push((Field::MeanFeature, mean_feature));
        gradient
    }

    /// φ(X', A')·w − φ·w.
    fn average_gradient(
        &self,
        sample: &Sample<f64>,
        w: &T,
        last: &[T],
        fields: &mut Vec<(Field, Vec<T>)>,
    ) -> Option<Vec<T>> {
        let policy_next = self.policy(sample.x_next);
        let a_next = T::draw(&policy_next, sample.u)?;
        let phi_next = self.feature(sample.x_next, a_next).to_vec();
        let gradient = phi_next.iter().zip(last).map(|(x, last)| x.clone() * w.clone() - last.clone()).collect();
        #[allow(clippy::cast_precision_loss)] // an action's number is far below 2^53
        fields.push((Field::ActionNext, std::vec![T::of(a_next as f64)]));
        fields.insert(2, (Field::PolicyNext, policy_next));
        fields.push((Field::PhiNext, phi_next));
        fields.push((Field::GradientRho, std::vec![T::of(1.0) - w.clone()]));
        Some(gradient)
    }

    fn outer_step(&mut self, t: usize, sample: &Sample<f64>) {
        let phi = self.feature(sample.x, sample.a).to_vec();
        if self.is(Mutation::PolicyTooEarly) {
            self.thetas.push(self.theta.point.clone());
        }
        let policy_next = self.policy(sample.x_next);
        let theta = self.theta.point.clone();
        let value_next = T::bilinear(&policy_next, self.state(sample.x_next), &theta);
        let td_error = self.td_error(sample, &phi, &value_next);
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInBeta);
        let weighted = if dropped { phi.clone() } else { self.weighted_feature(&phi) };
        let gradient: Vec<T> = weighted.into_iter().map(|x| x * td_error.clone()).collect();
        let mut fields = std::vec![(Field::Phi, phi), (Field::Theta, theta)];
        if self.case.setting == Setting::Average {
            fields.push((Field::Rho, std::vec![self.rho.clone()]));
        }
        fields.push((Field::PolicyNext, policy_next));
        fields.push((Field::ValueNext, std::vec![value_next]));
        fields.push((Field::TdError, std::vec![td_error]));
        fields.push((Field::Gradient, gradient.clone()));
        let skip = self.is(Mutation::BetaProjectionSkipped);
        let (zeta, radius) = (self.case.zeta, self.case.radius_beta);
        advance(&mut self.beta, &gradient, zeta, |x, step| x + step, radius, skip, &mut fields);
        fields.push((Field::BetaNext, self.beta.point.clone()));
        if !self.is(Mutation::PolicyTooEarly) && !self.is(Mutation::BetaBeforeTheta) {
            self.thetas.push(self.theta.point.clone());
        }
        fields.push((Field::ThetaSum, self.theta_sum()));
        self.trace.push(Step { t, k: None, fields });
    }

    /// R + γv(X') − ⟨φ, θ⟩, or R + v(X') − ⟨φ, θ⟩ − ρ.
    fn td_error(&self, sample: &Sample<f64>, phi: &[T], value_next: &T) -> T {
        let minus = |x: T| T::of(0.0) - x;
        let prediction = minus(T::dot(phi, &self.theta.point));
        match self.case.setting {
            Setting::Discounted if self.is(Mutation::DiscountDroppedInTdError) => {
                T::sum(&[T::of(sample.r), value_next.clone(), prediction])
            }
            Setting::Discounted => {
                T::sum(&[T::of(sample.r), value_next.clone() * T::of(self.case.discount), prediction])
            }
            Setting::Average if self.is(Mutation::RhoDroppedInTdError) => {
                T::sum(&[T::of(sample.r), value_next.clone(), prediction])
            }
            Setting::Average => T::sum(&[T::of(sample.r), value_next.clone(), prediction, minus(self.rho.clone())]),
        }
    }

    /// With the β step first, its record gets the θ_t and ρ_t that came after it, and goes last.
    fn record_averages_late(&mut self) {
        self.thetas.push(self.theta.point.clone());
        let (theta, rho, sum) = (self.theta.point.clone(), self.rho.clone(), self.theta_sum());
        let Some(at) = self.trace.iter().rposition(|step| step.k.is_none()) else { return };
        let mut step = self.trace.remove(at);
        for (field, values) in &mut step.fields {
            match field {
                Field::Theta => values.clone_from(&theta),
                Field::Rho => *values = std::vec![rho.clone()],
                Field::ThetaSum => values.clone_from(&sum),
                _ => {}
            }
        }
        self.trace.push(step);
    }
}

/// One gradient step and its projection; records the point between them.
fn advance<T: Scalar>(
    iterate: &mut Iterate<T>,
    gradient: &[T],
    rate: f64,
    direction: impl Fn(T, T) -> T,
    radius: f64,
    skip_projection: bool,
    fields: &mut Vec<(Field, Vec<T>)>,
) {
    let moved = |(x, g): (&T, &T)| direction(x.clone(), g.clone() * T::of(rate));
    let mut point: Vec<T> = iterate.point.iter().zip(gradient).map(moved).collect();
    let mut spread = iterate.spread + T::added_spread(&iterate.point, &point);
    fields.push((Field::Unprojected, point.clone()));
    if !skip_projection {
        T::project(&mut point, radius, &mut spread);
    }
    *iterate = Iterate { point, spread };
}
