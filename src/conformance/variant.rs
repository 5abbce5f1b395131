//! A run of a case at any [`Scalar`], right or broken: the paper's boxes, with at most one line that is wrong.
//!
//! On `f64` and unbroken it gives the library's bits; on [`super::scalar::Known`] the exact results where they are rational; broken by a
//! [`Mutation`] the results that a wrong implementation gives.

use super::case::Case;
use super::mutation::Mutation;
use super::scalar::Scalar;
use crate::error::{Result, expect_len};
use crate::linear::projection::project_unit_interval;
use crate::linear::vector::{dot, scale, take};
use crate::paper::Setting;
use crate::paper::average_reward::algorithm as average;
use crate::paper::average_reward::estimators as average_estimators;
use crate::paper::discounted::algorithm as discounted;
use crate::paper::discounted::estimators::{occupancy_estimate, td_error_with, theta_gradient_with, weighted_feature};
use crate::paper::lines::{AsCorrected, Lines, accumulate};
use crate::paper::samples::{FeatureTable, Sample};
use crate::steps::{Quantity, Step, Trace, Transcript};

/// Runs a case; one that [`Case::validate`] refuses has no steps. The trace ends early where a draw cannot be decided.
#[must_use]
pub fn run<T: Scalar>(case: &Case, broken: Option<Mutation>) -> Trace<T> {
    let mut transcript = Transcript::default();
    if case.validate().is_err() {
        return transcript.trace;
    }
    let start = At::start_of(case);
    if broken == Some(Mutation::BetaBeforeTheta) {
        return beta_first(case, &start);
    }
    let (case, samples) = as_given(case, broken);
    let mut lines = Broken::new(&case, broken);
    // If the run stops early, the trace up to there is the result.
    drop(run_from(&case, &mut lines, &start, case.outer, &samples, &mut transcript));
    transcript.trace
}

/// One inner step of a case, from a state of the caller's; `None` where its draw cannot be decided, or where a shape is wrong.
#[must_use]
pub fn inner_step<T: Scalar>(case: &Case, at: &At<T>, sample: &Sample<f64>) -> Option<Step<T>> {
    case.expect_features().ok()?;
    let mut transcript = Transcript::default();
    let case = Case { inner: 2, ..case.clone() };
    drop(run_from(&case, &mut Broken::new(&case, None), at, 1, &[*sample; 3], &mut transcript));
    transcript.trace.into_iter().find(|step| step.k == Some(1))
}

/// The outer step of a case, from θ_t, ρ_t, β_t and Σ_{i<t} θ_i of the caller's.
#[must_use]
pub fn outer_step<T: Scalar>(case: &Case, at: &At<T>, sample: &Sample<f64>) -> Option<Step<T>> {
    case.expect_features().ok()?;
    let mut transcript = Transcript::default();
    // The average over one iterate is that iterate; Algorithm 2's only inner step comes after it, and is forgotten.
    let case = Case { inner: 1, ..case.clone() };
    let mut lines = Broken { frozen: Frozen::Draws, ..Broken::new(&case, None) };
    drop(run_from(&case, &mut lines, at, 1, &[*sample; 2], &mut transcript));
    transcript.trace.into_iter().find(|step| step.k.is_none())
}

/// Where a run stands.
#[derive(Debug, Clone)]
pub struct At<T> {
    /// θ.
    pub theta: Vec<T>,
    /// ρ.
    pub rho: T,
    /// β.
    pub beta: Vec<T>,
    /// Σ_{i<t} θ_i.
    pub theta_sum: Vec<T>,
}

fn lift<T: Scalar>(numbers: &[f64]) -> Vec<T> {
    numbers.iter().map(|x| T::of(*x)).collect()
}

impl<T: Scalar> At<T> {
    fn start_of(case: &Case) -> Self {
        let theta_sum = vec![T::zero(); case.dim];
        Self { theta: lift(&case.theta_start), rho: T::of(case.rho_start), beta: lift(&case.beta_start), theta_sum }
    }
}

/// The mistakes that are made before the first line: which samples are obtained, and how many.
fn as_given(case: &Case, broken: Option<Mutation>) -> (Case, Vec<Sample<f64>>) {
    let (block, mut case) = (case.block(), case.clone());
    let mut samples = case.samples.clone();
    let last = |index: usize| (index + 1).is_multiple_of(block);
    if broken == Some(Mutation::StartForNext) {
        samples.iter_mut().enumerate().filter(|(index, _)| !last(*index)).for_each(|(_, s)| s.x_next = s.x0);
    }
    if broken == Some(Mutation::OneIterateTooMany) && case.setting == Setting::Discounted {
        case.inner += 1;
        let twice = |(index, sample): (usize, &Sample<f64>)| vec![*sample; 1 + usize::from(last(index))];
        samples = samples.iter().enumerate().flat_map(twice).collect();
    }
    (case, samples)
}

fn run_from<T: Scalar>(
    case: &Case,
    lines: &mut Broken<T>,
    at: &At<T>,
    outer: usize,
    samples: &[Sample<f64>],
    transcript: &mut Transcript<T>,
) -> Result<At<T>> {
    case.expect_features()?;
    for (what, numbers) in [("theta", &at.theta), ("beta", &at.beta), ("theta_sum", &at.theta_sum)] {
        expect_len(what, case.dim, numbers.len())?;
    }
    let rows: Vec<T> = lift(&case.features);
    let features = FeatureTable::new(case.actions, case.dim, &rows)?;
    let weight = lines.weight.clone();
    let samples =
        samples.iter().map(|s| Sample { x0: s.x0, x: s.x, a: s.a, r: T::of(s.r), x_next: s.x_next, u: T::of(s.u) });
    let (alpha, eta, zeta) = (T::of(case.alpha), T::of(case.eta), T::of(case.zeta));
    let (radius_theta, radius_beta, inner) = (T::of(case.radius_theta), T::of(case.radius_beta), case.inner);
    match case.setting {
        Setting::Discounted => {
            let discount = T::of(case.discount);
            let parameters = discounted::Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner };
            let stepped = discounted::Parameters {
                eta: lines.rate(Mutation::ThetaAscends, &parameters.eta),
                zeta: lines.rate(Mutation::BetaDescends, &parameters.zeta),
                ..parameters.clone()
            };
            let algorithm = discounted::Algorithm::new(&features, weight.as_deref(), &parameters)?;
            let algorithm = discounted::Algorithm { parameters: &stepped, ..algorithm };
            let mut buffer = vec![T::zero(); discounted::State::<T>::buffer_len(case.actions, case.dim)];
            let mut state = discounted::State::new(case.actions, case.dim, &mut buffer)?;
            state.theta.clone_from_slice(&at.theta);
            state.beta.clone_from_slice(&at.beta);
            state.theta_sum.clone_from_slice(&at.theta_sum);
            algorithm.run_by(lines, &mut state, outer, samples, transcript)?;
            let (theta, beta, theta_sum) = (state.theta.to_vec(), state.beta.to_vec(), state.theta_sum.to_vec());
            Ok(At { theta, rho: T::zero(), beta, theta_sum })
        }
        Setting::Average => {
            let xi = T::of(case.xi);
            let parameters = average::Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner };
            let stepped = average::Parameters {
                eta: lines.rate(Mutation::ThetaAscends, &parameters.eta),
                zeta: lines.rate(Mutation::BetaDescends, &parameters.zeta),
                xi: lines.rate(Mutation::RhoAscends, &parameters.xi),
                ..parameters.clone()
            };
            let algorithm = average::Algorithm::new(&features, weight.as_deref(), &parameters)?;
            let algorithm = average::Algorithm { parameters: &stepped, ..algorithm };
            let mut buffer = vec![T::zero(); average::State::<T>::buffer_len(case.actions, case.dim)];
            let mut state = average::State::new(case.actions, case.dim, &mut buffer)?;
            state.theta.clone_from_slice(&at.theta);
            state.rho = at.rho.clone();
            state.beta.clone_from_slice(&at.beta);
            state.theta_sum.clone_from_slice(&at.theta_sum);
            algorithm.run_by(lines, &mut state, outer, samples, transcript)?;
            let (theta, beta, theta_sum) = (state.theta.to_vec(), state.beta.to_vec(), state.theta_sum.to_vec());
            Ok(At { theta, rho: state.rho.clone(), beta, theta_sum })
        }
    }
}

/// β before θ: in every outer iteration the box for β alone, as if K were 1, and then the box with β left as it is.
fn beta_first<T: Scalar>(case: &Case, start: &At<T>) -> Trace<T> {
    let (mut trace, mut at, alone) = (Vec::new(), start.clone(), Case { inner: 1, ..case.clone() });
    let mut lines = Broken::new(case, None);
    for (t, block) in case.samples.chunks(case.block()).enumerate() {
        let Some(last) = block.last() else { break };
        let (mut ascent, mut descent) = (Transcript::default(), Transcript::default());
        lines.frozen = Frozen::Policy;
        let Ok(after) = run_from(&alone, &mut lines, &at, 1, &[*last; 2], &mut ascent) else { break };
        lines.frozen = Frozen::Beta;
        at = At { beta: after.beta, ..at };
        let Ok(after) = run_from(case, &mut lines, &at, 1, block, &mut descent) else { break };
        at = after;
        let (Some(mut outer), Some(late)) = (ascent.trace.pop(), descent.trace.pop()) else { break };
        for (field, values) in &mut outer.fields {
            if let (Quantity::Theta | Quantity::Rho | Quantity::ThetaSum, Some(late)) = (*field, late.get(*field)) {
                *values = late.to_vec();
            }
        }
        trace.extend(descent.trace.into_iter().chain([outer]).map(|step| Step { t: t + 1, ..step }));
    }
    trace
}

/// What stays as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Frozen {
    Nothing,
    Policy,
    Beta,
    /// A' is of no interest.
    Draws,
}

/// The lines of both boxes, one of them wrong.
struct Broken<T> {
    setting: Setting,
    mutation: Option<Mutation>,
    frozen: Frozen,
    weight: Option<Vec<T>>,
    /// β_t.
    beta: Vec<T>,
    /// Σ_{i<t} θ_i, and t − 1.
    past: (Vec<T>, usize),
    /// The Σθ that π is taken from too early.
    early: Option<Vec<T>>,
    /// The iterates of this inner loop, each after its step.
    stepped: (Vec<Vec<T>>, Vec<T>),
    /// Where the last inner loop ended.
    end: (Option<Vec<T>>, Option<T>),
}

impl<T: Scalar> Broken<T> {
    fn new(case: &Case, broken: Option<Mutation>) -> Self {
        Self {
            setting: case.setting,
            mutation: broken,
            frozen: Frozen::Nothing,
            weight: case.weight.as_deref().map(lift),
            beta: Vec::new(),
            past: (vec![T::zero(); case.dim], 0),
            early: None,
            stepped: (Vec::new(), Vec::new()),
            end: (None, None),
        }
    }

    fn is(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    /// A step against the sign of the box is one at the rate's negative, which the boxes do not take from a caller.
    fn rate(&self, reversed: Mutation, rate: &T) -> T {
        if self.is(reversed) { T::zero() - rate } else { rate.clone() }
    }

    /// Which of the iterates, each after its step, are averaged instead of all before theirs; `None` where that is as it should be.
    fn averaged(&self) -> Option<core::ops::Range<usize>> {
        let steps = self.stepped.0.len();
        // Algorithm 2 averages θ^(1) … θ^(K), and its K steps lead to θ^(K+1).
        let last = if self.setting == Setting::Average { steps.saturating_sub(1) } else { steps };
        match self.mutation {
            Some(Mutation::FirstIterateLeftOut) if last > 0 => Some(0..last),
            Some(Mutation::AveragedAfterStep) => Some(0..steps),
            _ => None,
        }
    }

    /// Λ^{c−1}φ and ⟨φ, β⟩, of which (10) as printed is made.
    fn printed(&self, phi: &[T]) -> Result<(Vec<T>, T)> {
        let mut weighted = phi.to_vec();
        weighted_feature(self.weight.as_deref(), phi, &T::one(), &mut weighted);
        Ok((weighted, dot(phi, &self.beta)?))
    }
}

/// Π onto the ball, or forgotten.
fn project<T: Scalar>(skipped: bool, unprojected: &[T], radius: &T, point: &mut [T]) -> Result<()> {
    if !skipped {
        return T::project(unprojected, radius, point);
    }
    point.clone_from_slice(unprojected);
    settle(point);
    Ok(())
}

fn settle<T: Scalar>(numbers: &mut [T]) {
    for x in numbers {
        *x = x.clone().settled();
    }
}

impl<T: Scalar> Lines<T> for Broken<T> {
    fn start(&mut self, theta: &mut [T]) {
        if self.is(Mutation::ThetaReset) {
            theta.fill(T::zero());
        }
        if let Some(end) = self.end.0.take().filter(|_| self.is(Mutation::StartsAtLastTheta)) {
            theta.clone_from_slice(&end);
        }
        self.stepped.0.clear();
    }

    fn weighted_beta(&mut self, weight: Option<&[T]>, beta: &[T], out: &mut [T]) {
        self.beta = beta.to_vec();
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInTheta);
        AsCorrected.weighted_beta(if dropped { None } else { weight }, beta, out);
    }

    fn policy<'s>(&mut self, alpha: &T, features: &[T], sum: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        let one = T::one();
        let alpha = if self.is(Mutation::AlphaDropped) { &one } else { alpha };
        AsCorrected.policy(alpha, features, self.early.as_deref().unwrap_or(sum), scratch)
    }

    fn product(&mut self, phi: &[T], x: &[T]) -> Result<T> {
        Ok(AsCorrected.product(phi, x)?.settled())
    }

    fn project_theta(&mut self, unprojected: &[T], radius: &T, theta: &mut [T]) -> Result<()> {
        project(self.is(Mutation::ThetaProjectionSkipped), unprojected, radius, theta)?;
        self.stepped.0.push(theta.to_vec());
        Ok(())
    }

    fn average(&mut self, sum: &[T], count: usize, theta: &mut [T]) {
        if self.is(Mutation::LastIterateForAverage) || self.is(Mutation::LastThetaForAverage) {
            return;
        }
        self.end.0 = Some(theta.to_vec());
        let (mut sum, mut count) = (sum.to_vec(), count);
        if let Some(averaged) = self.averaged() {
            count = averaged.len();
            sum.fill(T::zero());
            self.stepped.0[averaged].iter().for_each(|iterate| accumulate(iterate, &mut sum));
        }
        if self.is(Mutation::OneIterateTooMany) && self.setting == Setting::Average {
            accumulate(theta, &mut sum);
            count += 1;
        }
        AsCorrected.average(&sum, count, theta);
        if self.is(Mutation::PolicyTooEarly) {
            let mut early = self.past.0.clone();
            accumulate(theta, &mut early);
            self.early = Some(early);
        }
    }

    fn value(&mut self, features: &[T], policy: &[T], theta: &[T], scratch: &mut [T]) -> Result<T> {
        Ok(AsCorrected.value(features, policy, theta, scratch)?.settled())
    }

    fn beta_gradient<'s>(
        &mut self,
        weight: Option<&[T]>,
        phi: &[T],
        td_error: &T,
        scratch: &mut &'s mut [T],
    ) -> Result<&'s mut [T]> {
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInBeta);
        let gradient = AsCorrected.beta_gradient(if dropped { None } else { weight }, phi, td_error, scratch)?;
        settle(gradient);
        Ok(gradient)
    }

    fn project_beta(&mut self, unprojected: &[T], radius: &T, beta: &mut [T]) -> Result<()> {
        match self.frozen {
            Frozen::Beta => Ok(()),
            _ => project(self.is(Mutation::BetaProjectionSkipped), unprojected, radius, beta),
        }
    }

    fn update_policy(&mut self, theta: &[T], sum: &mut [T]) -> Result<()> {
        if self.frozen == Frozen::Policy {
            return Ok(());
        }
        let (past, count) = &mut self.past;
        accumulate(theta, past);
        *count += 1;
        self.early = None;
        match self.mutation {
            Some(Mutation::PolicyFromLastTheta) => sum.clone_from_slice(theta),
            Some(Mutation::PolicyFromMeanTheta) => AsCorrected.average(past, *count, sum),
            _ => AsCorrected.update_policy(theta, sum)?,
        }
        Ok(())
    }
}

impl<T: Scalar> discounted::Lines<T> for Broken<T> {
    fn policies<'s>(
        &mut self,
        alpha: &T,
        [start, next]: [&[T]; 2],
        sum: &[T],
        scratch: &mut &'s mut [T],
    ) -> Result<[&'s [T]; 2]> {
        let next = if self.is(Mutation::StartPolicyForNext) { start } else { next };
        Ok([self.policy(alpha, start, sum, scratch)?, self.policy(alpha, next, sum, scratch)?])
    }

    /// Without its 1 − γ, the part at X⁰ is that of γ = 0; without its γ, the part at X' is that of γ = 1.
    fn occupancy<'s>(
        &mut self,
        discount: &T,
        policies: [&[T]; 2],
        w: &T,
        scratch: &mut &'s mut [T],
    ) -> Result<[&'s [T]; 2]> {
        let (zero, one, [start, next]) = (T::zero(), T::one(), policies);
        let (without, with) =
            (self.is(Mutation::OneMinusDiscountDropped), !self.is(Mutation::DiscountDroppedInOccupancy));
        let (at_start, at_next) = (take(scratch, start.len())?, take(scratch, next.len())?);
        let mut unused = at_start.to_vec();
        occupancy_estimate(if with { discount } else { &one }, start, next, w, &mut unused, at_next)?;
        occupancy_estimate(if without { &zero } else { discount }, start, next, w, at_start, &mut unused)?;
        Ok([at_start, at_next])
    }

    fn theta_gradient<'s>(&mut self, mean: &[T], phi: &[T], w: &T, scratch: &mut &'s mut [T]) -> Result<&'s [T]> {
        let gradient = take(scratch, phi.len())?;
        if self.is(Mutation::WeightMisplaced) {
            let (weighted, product) = self.printed(phi)?;
            theta_gradient_with(mean, &weighted, &product, gradient)?;
        } else {
            theta_gradient_with(mean, phi, w, gradient)?;
        }
        settle(gradient);
        Ok(gradient)
    }

    fn td_error(&mut self, discount: &T, reward: &T, value_next: &T, prediction: &T) -> Result<T> {
        let one = T::one();
        let discount = if self.is(Mutation::DiscountDroppedInTdError) { &one } else { discount };
        Ok(td_error_with(discount, reward, value_next, prediction)?.settled())
    }
}

impl<T: Scalar> average::Lines<T> for Broken<T> {
    fn start_rho(&mut self, rho: &mut T) {
        if self.is(Mutation::RhoReset) {
            *rho = T::zero();
        }
        if let Some(end) = self.end.1.take().filter(|_| self.is(Mutation::StartsAtLastRho)) {
            *rho = end;
        }
        self.stepped.1.clear();
    }

    fn draw(&mut self, policy: &[T], u: &T) -> Result<usize> {
        match self.frozen {
            Frozen::Draws => Ok(0),
            _ if self.is(Mutation::DrawReachesU) => T::draw_reaching(policy, u),
            _ => T::draw(policy, u),
        }
    }

    fn theta_gradient<'s>(&mut self, phi: &[T], next: &[T], w: &T, scratch: &mut &'s mut [T]) -> Result<&'s [T]> {
        let gradient = take(scratch, phi.len())?;
        if self.is(Mutation::WeightMisplaced) {
            let mut positive = next.to_vec();
            scale(w, &mut positive);
            let (weighted, product) = self.printed(phi)?;
            theta_gradient_with(&positive, &weighted, &product, gradient)?;
        } else {
            average_estimators::theta_gradient_with(phi, next, w, gradient)?;
        }
        settle(gradient);
        Ok(gradient)
    }

    fn project_rho(&mut self, unprojected: &T) -> Result<T> {
        let rho = if self.is(Mutation::RhoProjectionSkipped) {
            unprojected.clone()
        } else {
            project_unit_interval(unprojected.clone())?
        };
        let rho = rho.settled();
        self.stepped.1.push(rho.clone());
        Ok(rho)
    }

    fn average_rho(&mut self, sum: &T, count: usize, rho: &mut T) {
        self.end.1 = Some(rho.clone());
        let (mut sum, mut count) = (sum.clone(), count);
        if self.is(Mutation::OneIterateTooMany) {
            (sum, count) = (sum + &*rho, count + 1);
        }
        if let Some(averaged) = self.averaged() {
            count = averaged.len();
            sum = self.stepped.1[averaged].iter().fold(T::zero(), |sum, rho| sum + rho);
        }
        if !self.is(Mutation::LastIterateForAverage) && !self.is(Mutation::LastRhoForAverage) {
            AsCorrected.average_rho(&sum, count, rho);
        }
    }

    fn td_error(&mut self, reward: &T, value_next: &T, prediction: &T, rho: &T) -> Result<T> {
        let zero = T::zero();
        let rho = if self.is(Mutation::RhoDroppedInTdError) { &zero } else { rho };
        Ok(average_estimators::td_error_with(reward, value_next, prediction, rho)?.settled())
    }
}
