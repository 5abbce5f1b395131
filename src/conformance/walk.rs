//! Both algorithms once more, field by field on numbers that know their error, and breakable: what a result is held against.
//!
//! A walk is free, from the problem's start to its end, or guided: then every field is computed from the result's own inputs, as
//! far as the result has them, so that errors and mistakes do not carry over from field to field and from step to step.

use super::case::Case;
use super::iterate::{Average, Image, Iterate, draw, norm, softmax};
use super::mutation::Mutation;
use super::near::{self, Format, Near, Precision, Sum};
use crate::paper::Setting;
use crate::paper::samples::Sample;
use crate::steps::{Quantity, Step, Trace};
use std::collections::HashMap;

/// Where a step stands in a result.
pub(crate) type Index = HashMap<(usize, Option<usize>), usize>;

pub(crate) fn index(trace: &Trace) -> Index {
    trace.iter().enumerate().map(|(at, step)| ((step.t, step.k), at)).collect()
}

/// A result that guides a walk.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'g> {
    pub trace: &'g Trace,
    pub index: &'g Index,
    /// A' is the result's own draw, not decided by u.
    pub own_draws: bool,
}

impl<'g> Guide<'g> {
    fn step(&self, t: usize, k: Option<usize>) -> Option<&'g Step> {
        self.index.get(&(t, k)).and_then(|at| self.trace.get(*at))
    }
}

/// What a walk says about a number: the value, and how far from it a right one may be; infinitely far where that cannot be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// The value.
    pub value: f64,
    /// The tolerance.
    pub tolerance: f64,
}

/// Walks through a case that [`Case::validate`] accepts and shows every step, for as long as that returns `true`.
pub(crate) fn walk(
    precision: Precision,
    case: &Case,
    bugs: &[Mutation],
    guide: Option<Guide<'_>>,
    show: &mut dyn FnMut(Step<Bound>) -> bool,
) {
    match precision {
        Precision::F64 => walk_in::<near::F64>(case, bugs, guide, show),
        Precision::F32 => walk_in::<near::F32>(case, bugs, guide, show),
        Precision::Tf32 => walk_in::<near::Tf32>(case, bugs, guide, show),
        Precision::Bf16 => walk_in::<near::Bf16>(case, bugs, guide, show),
    }
}

fn walk_in<P: Format>(
    case: &Case,
    bugs: &[Mutation],
    guide: Option<Guide<'_>>,
    show: &mut dyn FnMut(Step<Bound>) -> bool,
) {
    let mut walk = Walk::<P>::new(case, bugs, guide);
    let bound = |x: Near<P>| Bound { value: x.value, tolerance: near::tolerance(x.error) };
    let mut show = |step: Step<Near<P>>| {
        let fields = step.fields.into_iter().map(|(field, values)| (field, values.into_iter().map(bound).collect()));
        let mut fields: Vec<(Quantity, Vec<Bound>)> = fields.collect();
        fields.sort_by_key(|(field, _)| *field);
        show(Step { t: step.t, k: step.k, fields })
    };
    for (t, block) in (1..).zip(case.samples.chunks(case.block().max(1))) {
        if !walk.outer_iteration(t, block, &mut show) {
            return;
        }
    }
}

struct Walk<'c, P> {
    case: &'c Case,
    bugs: &'c [Mutation],
    guide: Option<Guide<'c>>,
    features: Vec<Near<P>>,
    weight: Option<Vec<Near<P>>>,
    theta: Iterate<P>,
    beta: Iterate<P>,
    rho: Near<P>,
    /// Λ^{c−1}β_t.
    weighted_beta: Image<P>,
    /// Σ of the past θ, and the last of them.
    sum: Vec<Sum<P>>,
    /// The result's own Σ, where it says it: the policy's, not the next Σ's, which may have been added up anew.
    own_sum: Option<Vec<Near<P>>>,
    last_theta: Vec<Near<P>>,
    past: usize,
    /// θ and ρ where the last inner loop ended, for an implementation that goes on from there.
    end: Option<(Iterate<P>, Near<P>)>,
    /// Whether A' of this iteration could be told so far.
    decided: bool,
}

fn inputs<P: Format>(numbers: &[f64]) -> Vec<Near<P>> {
    numbers.iter().map(|x| Near::input(*x)).collect()
}

/// Nothing is known of a number whose bound is infinite.
fn unknown<P: Format>(values: &[Near<P>]) -> Vec<Near<P>> {
    values.iter().map(|x| Near::new(x.value, f64::INFINITY)).collect()
}

type Fields<P> = Vec<(Quantity, Vec<Near<P>>)>;

impl<'c, P: Format> Walk<'c, P> {
    fn new(case: &'c Case, bugs: &'c [Mutation], guide: Option<Guide<'c>>) -> Self {
        let beta = Iterate::input(&case.beta_start);
        Self {
            case,
            bugs,
            guide,
            features: inputs(&case.features),
            weight: case.weight.as_deref().map(inputs),
            theta: Iterate::input(&case.theta_start),
            weighted_beta: Image::new(None, &beta.point),
            beta,
            rho: Near::input(case.rho_start),
            sum: vec![Sum::new(); case.dim],
            own_sum: None,
            last_theta: vec![Near::exactly(0.0); case.dim],
            past: 0,
            end: None,
            decided: true,
        }
    }

    fn is(&self, mutation: Mutation) -> bool {
        self.bugs.contains(&mutation)
    }

    /// Writes a field down and returns what the next ones are computed from: the result's own numbers, as far as it has them. Those of a
    /// state are what the implementation goes on from. Others it may have computed anew where it used them, in another way, with an
    /// error like that of the number it says.
    fn settle(
        &self,
        own: Option<&Step>,
        field: Quantity,
        values: Vec<Near<P>>,
        fields: &mut Fields<P>,
    ) -> Vec<Near<P>> {
        let own = own.and_then(|step| step.get(field));
        let own = own.filter(|own| own.len() == values.len() && own.iter().all(|x| x.is_finite()));
        let is_state = matches!(
            field,
            Quantity::Theta
                | Quantity::Rho
                | Quantity::ThetaNext
                | Quantity::RhoNext
                | Quantity::BetaNext
                | Quantity::ActionNext
        );
        let error = |x: &Near<P>| if is_state || !x.error.is_finite() { 0.0 } else { 2.0 * x.error };
        let next = own.map(|own| own.iter().zip(&values).map(|(own, x)| Near::new(*own, error(x))).collect());
        fields.push((field, if self.decided { values.clone() } else { unknown(&values) }));
        next.unwrap_or(values)
    }

    fn settle_one(&self, own: Option<&Step>, field: Quantity, value: Near<P>, fields: &mut Fields<P>) -> Near<P> {
        self.settle(own, field, vec![value], fields).first().copied().unwrap_or(value)
    }

    /// An iterate that the result says itself has no spread.
    fn settle_iterate(
        &self,
        own: Option<&Step>,
        field: Quantity,
        iterate: Iterate<P>,
        fields: &mut Fields<P>,
    ) -> Iterate<P> {
        let is_own = own.and_then(|step| step.get(field)).is_some();
        let point = self.settle(own, field, iterate.point, fields);
        let spread = if is_own { norm(point.iter().map(|x| x.error)) } else { iterate.spread };
        Iterate { point, spread }
    }

    fn outer_iteration(
        &mut self,
        t: usize,
        block: &[Sample<f64>],
        show: &mut dyn FnMut(Step<Near<P>>) -> bool,
    ) -> bool {
        let Some(last) = block.last() else { return true };
        let own = self.guide.and_then(|guide| guide.step(t, None));
        let is_average = self.case.setting == Setting::Average;
        // Guided, a draw that could not be told spoils its own iteration only: the next one starts at the result's own state.
        self.decided |= self.guide.is_some();
        let early = self.is(Mutation::BetaBeforeTheta).then(|| self.outer_step(own, last, true));
        if self.is(Mutation::ThetaReset) {
            self.theta = Iterate::exactly(&vec![0.0; self.case.dim]);
        }
        if self.is(Mutation::RhoReset) {
            self.rho = Near::exactly(0.0);
        }
        if let Some((theta, rho)) = self.end.take() {
            self.theta = if self.is(Mutation::StartsAtLastTheta) { theta } else { self.theta.clone() };
            self.rho = if self.is(Mutation::StartsAtLastRho) { rho } else { self.rho };
        }
        self.weighted_beta = Image::new(self.weight.as_deref(), &self.beta.point);
        let too_many = self.is(Mutation::OneIterateTooMany);
        let after_step = self.is(Mutation::AveragedAfterStep);
        // Of a single iterate nothing is left out.
        let left_out = self.is(Mutation::FirstIterateLeftOut) && self.case.inner > 1;
        let mut averages = (Average::new(self.case.dim), Average::new(1));
        // Algorithm 1 spends its last sample on β alone; in Algorithm 2 the last iterate is not averaged in.
        let steps = if too_many && !is_average { block.len() } else { block.len().saturating_sub(1) };
        for (k, sample) in (1..).zip(&block[..steps]) {
            if !(after_step || left_out && k == 1) {
                self.add_to(&mut averages);
            }
            let step = self.inner_step(t, k, sample);
            if after_step {
                self.add_to(&mut averages);
            }
            if !show(step) {
                return false;
            }
        }
        if !is_average || too_many {
            self.add_to(&mut averages);
        }
        self.end = Some((self.theta.clone(), self.rho));
        if !self.is(Mutation::LastIterateForAverage) && !self.is(Mutation::LastThetaForAverage) {
            self.theta = averages.0.mean();
        }
        if !self.is(Mutation::LastIterateForAverage) && !self.is(Mutation::LastRhoForAverage) {
            self.rho = averages.1.mean().point[0];
        }
        let step = match early {
            Some(fields) => self.averages_late(own, fields),
            None => self.outer_step(own, last, false),
        };
        show(Step { t, k: None, fields: step })
    }

    /// θ and ρ as they stand come to their averages.
    fn add_to(&self, (thetas, rhos): &mut (Average<P>, Average<P>)) {
        thetas.add(&self.theta);
        rhos.add(&Iterate { point: vec![self.rho], spread: self.rho.error });
    }

    /// φ(x, ·).
    fn state(&self, x: usize) -> &[Near<P>] {
        let width = self.case.actions * self.case.dim;
        &self.features[x * width..(x + 1) * width]
    }

    fn feature(&self, x: usize, a: usize) -> &[Near<P>] {
        &self.state(x)[a * self.case.dim..(a + 1) * self.case.dim]
    }

    /// Σ of the past θ.
    fn theta_sum(&self) -> Vec<Near<P>> {
        if self.is(Mutation::PolicyFromLastTheta) {
            return self.last_theta.clone();
        }
        let sum: Vec<Near<P>> = self.sum.iter().map(Sum::total).collect();
        if self.is(Mutation::PolicyFromMeanTheta) && self.past > 0 {
            let share = Near::exactly(1.0) / Near::exactly(self.past as f64);
            return sum.into_iter().map(|x| x * share).collect();
        }
        sum
    }

    /// What the policy is made of.
    fn policy_sum(&self) -> Vec<Near<P>> {
        self.own_sum.clone().unwrap_or_else(|| self.theta_sum())
    }

    fn remember(&mut self) {
        for (sum, x) in self.sum.iter_mut().zip(&self.theta.point) {
            sum.add(*x);
        }
        self.last_theta.clone_from(&self.theta.point);
        self.past += 1;
    }

    /// π(·|x), the softmax of α⟨φ(x, ·), Σθ⟩.
    fn policy(&self, sum: &[Near<P>], x: usize) -> Vec<Near<P>> {
        let alpha = if self.is(Mutation::AlphaDropped) { Near::exactly(1.0) } else { Near::input(self.case.alpha) };
        let logits: Vec<Near<P>> = self.state(x).chunks(self.case.dim).map(|phi| near::dot(phi, sum) * alpha).collect();
        softmax(&logits)
    }

    /// Λ^{c−1}φ.
    fn weighted_feature(&self, phi: &[Near<P>]) -> Vec<Near<P>> {
        Image::new(self.weight.as_deref(), phi).point
    }

    fn inner_step(&mut self, t: usize, k: usize, sample: &Sample<f64>) -> Step<Near<P>> {
        let own = self.guide.and_then(|guide| guide.step(t, Some(k)));
        let mut fields = Vec::with_capacity(11);
        let phi = self.feature(sample.x, sample.a).to_vec();
        let phi = self.settle(own, Quantity::Phi, phi, &mut fields);
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInTheta);
        let plain = || near::dot(&phi, &self.beta.point);
        let w = if dropped { plain() } else { self.weighted_beta.dot(&phi) };
        let w = self.settle_one(own, Quantity::W, w, &mut fields);
        // The last term of g̃_θ: φ·w.
        let last: Vec<Near<P>> = if self.is(Mutation::WeightMisplaced) {
            let w = plain();
            self.weighted_feature(&phi).into_iter().map(|x| x * w).collect()
        } else {
            phi.iter().map(|x| *x * w).collect()
        };
        let gradient = match self.case.setting {
            Setting::Discounted => self.discounted_gradient(own, sample, w, &last, &mut fields),
            Setting::Average => self.average_gradient(own, sample, w, &last, &mut fields),
        };
        let gradient = self.settle(own, Quantity::Gradient, gradient, &mut fields);
        if self.case.setting == Setting::Average {
            let gradient_rho = self.settle_one(own, Quantity::GradientRho, Near::exactly(1.0) - w, &mut fields);
            let step = gradient_rho * Near::input(self.case.xi);
            let rho = if self.is(Mutation::RhoAscends) { self.rho + step } else { self.rho - step };
            let rho = self.settle_one(own, Quantity::UnprojectedRho, rho, &mut fields);
            let rho = if self.is(Mutation::RhoProjectionSkipped) { rho } else { rho.clamp() };
            self.rho = self.settle_one(own, Quantity::RhoNext, rho, &mut fields);
        }
        let sign = if self.is(Mutation::ThetaAscends) { 1.0 } else { -1.0 };
        let moved = self.theta.moved(&gradient, Near::input(self.case.eta), sign);
        let mut moved = self.settle_iterate(own, Quantity::Unprojected, moved, &mut fields);
        if !self.is(Mutation::ThetaProjectionSkipped) {
            moved.project(Near::input(self.case.radius_theta));
        }
        self.theta = self.settle_iterate(own, Quantity::ThetaNext, moved, &mut fields);
        Step { t, k: Some(k), fields }
    }

    /// Φᵀμ − φ·w, μ being (1−γ)π(·|X⁰) at X⁰ and γwπ(·|X') at X'.
    fn discounted_gradient(
        &self,
        own: Option<&Step>,
        sample: &Sample<f64>,
        w: Near<P>,
        last: &[Near<P>],
        fields: &mut Fields<P>,
    ) -> Vec<Near<P>> {
        let gamma = Near::input(self.case.discount);
        let one = Near::exactly(1.0);
        let at_start = if self.is(Mutation::OneMinusDiscountDropped) { one } else { one - gamma };
        let at_next = if self.is(Mutation::DiscountDroppedInOccupancy) { w } else { gamma * w };
        let next = if self.is(Mutation::StartForNext) { sample.x0 } else { sample.x_next };
        let sum = self.policy_sum();
        let policy_start = self.settle(own, Quantity::PolicyStart, self.policy(&sum, sample.x0), fields);
        let policy_next =
            if self.is(Mutation::StartPolicyForNext) { policy_start.clone() } else { self.policy(&sum, next) };
        let policy_next = self.settle(own, Quantity::PolicyNext, policy_next, fields);
        let dim = self.case.dim;
        let (mut mean, mut gradient) = (vec![Sum::new(); dim], vec![Sum::new(); dim]);
        for (x, policy, share) in [(sample.x0, &policy_start, at_start), (next, &policy_next, at_next)] {
            for (phi, p) in self.state(x).chunks(dim).zip(policy) {
                let mu = *p * share;
                for (sum, phi) in mean.iter_mut().zip(phi) {
                    sum.add_rounded_product(*phi, mu);
                }
            }
        }
        let mean_feature: Vec<Near<P>> = mean.iter().map(Sum::total).collect();
        let is_own = own.is_some_and(|own| own.get(Quantity::MeanFeature).is_some());
        let mean_feature = self.settle(own, Quantity::MeanFeature, mean_feature, fields);
        for (i, sum) in gradient.iter_mut().enumerate() {
            // One sum over everything, unless the result says its Φᵀμ.
            if is_own {
                sum.add(mean_feature[i]);
            } else {
                *sum = mean[i];
            }
            sum.add(last[i].negative());
        }
        gradient.iter().map(Sum::total).collect()
    }

    /// φ(X', A')·w − φ·w.
    fn average_gradient(
        &mut self,
        own: Option<&Step>,
        sample: &Sample<f64>,
        w: Near<P>,
        last: &[Near<P>],
        fields: &mut Fields<P>,
    ) -> Vec<Near<P>> {
        let policy_next = self.policy(&self.policy_sum(), sample.x_next);
        let policy_next = self.settle(own, Quantity::PolicyNext, policy_next, fields);
        let own_draw = own.and_then(|own| own.get(Quantity::ActionNext)).and_then(|a| a.first().copied());
        let own_draw = own_draw
            .filter(|a| *a >= 0.0 && *a < self.case.actions as f64 && libm::floor(*a) == *a)
            .map(|a| a as usize);
        let (least, most) = draw(&policy_next, Near::input(sample.u), self.is(Mutation::DrawReachesU));
        let own_draws = self.guide.is_some_and(|guide| guide.own_draws);
        let a_next = match own_draw {
            Some(a) if own_draws || (least..=most).contains(&a) => a,
            Some(_) => least,
            None => {
                self.decided &= least == most && !own_draws;
                least
            }
        };
        // The action that was found is expected, if it may be; with it everything is decided again.
        let next = self.settle_one(own, Quantity::ActionNext, Near::exactly(a_next as f64), fields);
        let a_next =
            if next.value >= 0.0 && next.value < self.case.actions as f64 { next.value as usize } else { a_next };
        let phi_next = self.feature(sample.x_next, a_next).to_vec();
        let phi_next = self.settle(own, Quantity::PhiNext, phi_next, fields);
        phi_next.iter().zip(last).map(|(x, last)| *x * w - *last).collect()
    }

    /// The fields of an outer step; `early` is before the θ steps, which is wrong.
    fn outer_step(&mut self, own: Option<&Step>, sample: &Sample<f64>, early: bool) -> Fields<P> {
        let is_average = self.case.setting == Setting::Average;
        let mut fields = Vec::with_capacity(10);
        let phi = self.feature(sample.x, sample.a).to_vec();
        let phi = self.settle(own, Quantity::Phi, phi, &mut fields);
        if early {
            fields.push((Quantity::Theta, self.theta.point.clone()));
            fields.extend(is_average.then(|| (Quantity::Rho, vec![self.rho])));
        } else {
            self.theta = self.settle_iterate(own, Quantity::Theta, self.theta.clone(), &mut fields);
            if is_average {
                self.rho = self.settle_one(own, Quantity::Rho, self.rho, &mut fields);
            }
        }
        // From here on everything stands on what was just settled.
        self.decided |= self.guide.is_some() && own.is_some_and(|own| own.get(Quantity::Theta).is_some());
        if self.is(Mutation::PolicyTooEarly) {
            self.own_sum = None;
            self.remember();
        }
        let policy_next = self.policy(&self.policy_sum(), sample.x_next);
        let policy_next = self.settle(own, Quantity::PolicyNext, policy_next, &mut fields);
        let value_next = Image::new(Some(self.state(sample.x_next)), &self.theta.point).dot(&policy_next);
        let value_next = self.settle_one(own, Quantity::ValueNext, value_next, &mut fields);
        let td_error = self.settle_one(own, Quantity::TdError, self.td_error(sample, &phi, value_next), &mut fields);
        let dropped = self.is(Mutation::WeightDropped) || self.is(Mutation::WeightDroppedInBeta);
        let weighted = if dropped { phi } else { self.weighted_feature(&phi) };
        let gradient = weighted.into_iter().map(|x| x * td_error).collect();
        let gradient = self.settle(own, Quantity::Gradient, gradient, &mut fields);
        let sign = if self.is(Mutation::BetaDescends) { -1.0 } else { 1.0 };
        let moved = self.beta.moved(&gradient, Near::input(self.case.zeta), sign);
        let mut moved = self.settle_iterate(own, Quantity::Unprojected, moved, &mut fields);
        if !self.is(Mutation::BetaProjectionSkipped) {
            moved.project(Near::input(self.case.radius_beta));
        }
        self.beta = self.settle_iterate(own, Quantity::BetaNext, moved, &mut fields);
        if !early {
            if !self.is(Mutation::PolicyTooEarly) {
                self.remember();
            }
            self.settle_sum(own, &mut fields);
        }
        fields
    }

    fn settle_sum(&mut self, own: Option<&Step>, fields: &mut Fields<P>) {
        let is_own = own.is_some_and(|own| own.get(Quantity::ThetaSum).is_some());
        let sum = self.settle(own, Quantity::ThetaSum, self.theta_sum(), fields);
        self.own_sum = is_own.then_some(sum);
    }

    /// R + γv(X') − ⟨φ, θ⟩, or R + v(X') − ⟨φ, θ⟩ − ρ: one sum of everything, since ⟨φ, θ⟩ may be subtracted term by term.
    fn td_error(&self, sample: &Sample<f64>, phi: &[Near<P>], value_next: Near<P>) -> Near<P> {
        let is_average = self.case.setting == Setting::Average;
        let plain = is_average || self.is(Mutation::DiscountDroppedInTdError);
        let mut sum = Sum::new();
        sum.add(Near::input(sample.r));
        sum.add(if plain { value_next } else { value_next * Near::input(self.case.discount) });
        for (phi, theta) in phi.iter().zip(&self.theta.point) {
            sum.add_product(phi.negative(), *theta);
        }
        if is_average && !self.is(Mutation::RhoDroppedInTdError) {
            sum.add(self.rho.negative());
        }
        sum.total()
    }

    /// With the β step first, its record gets the θ_t and ρ_t that came after it.
    fn averages_late(&mut self, own: Option<&Step>, mut fields: Fields<P>) -> Fields<P> {
        let mut late = Vec::new();
        self.theta = self.settle_iterate(own, Quantity::Theta, self.theta.clone(), &mut late);
        if self.case.setting == Setting::Average {
            self.rho = self.settle_one(own, Quantity::Rho, self.rho, &mut late);
        }
        self.remember();
        for (field, values) in late {
            if let Some(place) = fields.iter_mut().find(|(known, _)| *known == field) {
                place.1 = values;
            }
        }
        self.settle_sum(own, &mut fields);
        fields
    }
}
