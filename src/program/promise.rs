//! What a theorem promises of a run: its bound where every hypothesis was checked, else which one fails.

use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::recorder::Recorder;
use crate::program::theorem::{Rates, Theorem};
use serde::Serialize;
use std::fmt;

/// A bound on the mean suboptimality, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// The theorem's right side.
    Bound(f64),
    /// Why the theorem says nothing about this run.
    NoBound(String),
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bound(bound) if self.is_vacuous() => {
                write!(f, "{bound:.6}: vacuous, no loss exceeds {TRIVIAL}")
            }
            Self::Bound(bound) => write!(f, "{bound:.6}"),
            Self::NoBound(why) => write!(f, "no bound: {why}"),
        }
    }
}

/// Rewards are in [0, 1], and so are returns.
const TRIVIAL: f64 = 1.0;

impl Promise {
    /// Whether the bound is one that every policy meets.
    pub fn is_vacuous(&self) -> bool {
        matches!(self, Self::Bound(bound) if *bound >= TRIVIAL)
    }

    /// What the theorem promises of a run that was watched with a model.
    pub fn of(job: &Job, recorder: &Recorder<'_, '_>) -> Self {
        let Some(theorem) = &job.theorem else {
            return Self::NoBound("the rates are not the theorem's".to_owned());
        };
        if !job.outside.is_empty() {
            return Self::NoBound(format!("outside the theorem: {}", job.outside.join("; ")));
        }
        if let Some(first) = recorder.contradictions.first() {
            return Self::NoBound(format!("the data contradict the model: {first}"));
        }
        if let Some(found) = &recorder.drawn_rewards {
            return Self::NoBound(format!("{found}: the theorem's rewards are r(x, a)"));
        }
        Self::at(theorem, &job.rates, recorder.model.as_ref())
    }

    /// What it promises at these rates on a model.
    pub fn at(theorem: &Theorem, rates: &Rates, model: Option<&SolvedModel<'_, f64>>) -> Self {
        let Some(bound) = theorem.bound(rates, rates.outer) else {
            return Self::NoBound("a rate is 0 that must not be".to_owned());
        };
        let Some(model) = model else {
            return Self::NoBound("there is no model to check D_θ and D_β on".to_owned());
        };
        hypotheses(theorem, model).map_or_else(Self::NoBound, |()| Self::Bound(bound))
    }
}

/// What the theorem assumes of D_β, D_θ and μ_B: ‖β*‖ ≤ D_β, and ‖θ^π‖ ≤ D_θ for every policy, since it bounds a mean over all
/// runs. In doubles, as the radii themselves.
fn hypotheses(theorem: &Theorem, model: &SolvedModel<'_, f64>) -> Result<(), String> {
    let Theorem { c, radius_theta, radius_beta, .. } = *theorem;
    if model.lambda.is_none() {
        return Err("there is no behaviour policy to check D_β on".to_owned());
    }
    let beta_star = model.beta_norm(c, "β*").map_err(|e| e.to_string())?;
    if beta_star > radius_beta {
        return Err(format!("‖β*‖ = {beta_star} exceeds D_β = {radius_beta} (erratum 4)"));
    }
    let every_theta = model.every_theta("a bound on ‖θ^π‖ for every π").map_err(|e| e.to_string())?;
    if every_theta > radius_theta {
        return Err(format!("D_θ = {radius_theta} is below {every_theta}, which bounds ‖θ^π‖ for every π"));
    }
    Ok(())
}
