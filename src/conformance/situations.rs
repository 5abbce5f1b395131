//! What happened in the cases that were compared: a line of a box that was never at work was not checked.

use super::case::Case;
use crate::linear::vector::inner;
use crate::paper::Setting;
use crate::paper::{average_reward, discounted};
use crate::steps::Transcript;
use std::collections::BTreeSet;

/// Beyond this exp overflows, unless the greatest logit is subtracted.
const OVERFLOWS: f64 = 709.0;

/// What can happen in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Met {
    ThetaLeft,
    BetaLeft,
    RhoLeft,
    StartElsewhere,
    Weight,
    SingleIterate,
}

/// What happened in cases of one setting.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Situations {
    met: BTreeSet<Met>,
    /// max |α⟨φ(x, a), Σθ⟩| at the states that were visited.
    largest_logit: f64,
}

impl Situations {
    /// What shows before the first step.
    fn of(case: &Case) -> Self {
        let at_zero = case.theta_start.iter().chain(&case.beta_start).all(|x| *x == 0.0) && case.rho_start == 0.0;
        let mut situations = Self::default();
        situations.note(Met::StartElsewhere, !at_zero);
        situations.note(Met::Weight, case.weight.is_some());
        situations.note(Met::SingleIterate, case.inner == 1);
        situations
    }

    fn note(&mut self, what: Met, happened: bool) {
        if happened {
            self.met.insert(what);
        }
    }

    /// What happened here or there.
    pub fn and(&mut self, other: &Self) {
        self.met.extend(&other.met);
        self.largest_logit = self.largest_logit.max(other.largest_logit);
    }

    /// What never happened, for people.
    pub fn never(&self, setting: Setting) -> Vec<String> {
        let missed = |what, said: &str| (!self.met.contains(&what)).then(|| said.into());
        let overflows = self.largest_logit > OVERFLOWS;
        let logit =
            || format!("no logit beyond {OVERFLOWS}, where exp overflows (largest logit {:.3})", self.largest_logit);
        let all = [
            missed(Met::ThetaLeft, "no θ left its ball"),
            missed(Met::BetaLeft, "no β left its ball"),
            missed(Met::RhoLeft, "no ρ left [0, 1]").filter(|_| setting == Setting::Average),
            (!overflows).then(logit),
            missed(Met::StartElsewhere, "no start other than 0"),
            missed(Met::Weight, "no c = 1/2"),
            missed(Met::SingleIterate, "no K = 1"),
        ];
        all.into_iter().flatten().collect()
    }
}

/// Writes a run down, and looks at what happens in it.
pub(crate) struct Watch<'w> {
    case: &'w Case,
    pub transcript: Transcript<'w>,
    pub met: Situations,
    /// Σ_{i<t} θ_i.
    sum: Vec<f64>,
}

impl<'w> Watch<'w> {
    pub fn new(case: &'w Case, wanted: &'w dyn Fn(usize, Option<usize>) -> bool) -> Self {
        Self { case, transcript: Transcript::of(wanted), met: Situations::of(case), sum: vec![0.0; case.dim] }
    }

    fn look_at_logits(&mut self, x: usize) {
        for phi in (0..self.case.actions).filter_map(|a| self.case.phi(x, a)) {
            self.met.largest_logit = self.met.largest_logit.max((self.case.alpha * inner(phi, &self.sum)).abs());
        }
    }
}

impl discounted::algorithm::Observer<f64> for Watch<'_> {
    fn inner_step(&mut self, step: &discounted::algorithm::InnerStep<f64>) {
        self.met.note(Met::ThetaLeft, step.unprojected != step.theta_next);
        self.look_at_logits(step.sample.x0);
        self.look_at_logits(step.sample.x_next);
        discounted::algorithm::Observer::inner_step(&mut self.transcript, step);
    }

    fn outer_step(&mut self, step: &discounted::algorithm::OuterStep<f64>) {
        self.met.note(Met::BetaLeft, step.unprojected != step.beta_next);
        self.look_at_logits(step.sample.x_next);
        self.sum.clone_from_slice(step.theta_sum);
        discounted::algorithm::Observer::outer_step(&mut self.transcript, step);
    }
}

impl average_reward::algorithm::Observer<f64> for Watch<'_> {
    fn inner_step(&mut self, step: &average_reward::algorithm::InnerStep<f64>) {
        self.met.note(Met::ThetaLeft, step.unprojected != step.theta_next);
        self.met.note(Met::RhoLeft, step.unprojected_rho != step.rho_next);
        self.look_at_logits(step.sample.x_next);
        average_reward::algorithm::Observer::inner_step(&mut self.transcript, step);
    }

    fn outer_step(&mut self, step: &average_reward::algorithm::OuterStep<f64>) {
        self.met.note(Met::BetaLeft, step.unprojected != step.beta_next);
        self.look_at_logits(step.sample.x_next);
        self.sum.clone_from_slice(step.theta_sum);
        average_reward::algorithm::Observer::outer_step(&mut self.transcript, step);
    }
}
