//! What a run reports: one object, printed as JSON, as text or as a page.

use crate::data::InputError;
use crate::linear::vector::{inner, norm};
use crate::program::bands::Seeds;
use crate::program::engine::Outcome;
use crate::program::job::{Engine, Job};
use crate::program::promise::Promise;
use crate::program::recorder::Recorder;
use crate::program::show::fixed;
use crate::sampler::GENERATOR;
use serde::Serialize;
use std::time::Duration;

/// Relative to the returns themselves: far above the errors of a solve in doubles, far below any difference of policies that matters.
const ROUNDING: f64 = 1e-12;

/// What a run reports, in the order of the JSON object.
#[derive(Debug, Serialize)]
pub struct Report {
    pub setting: &'static str,
    pub c: &'static str,
    pub inner: usize,
    pub outer: usize,
    pub seed: u64,
    pub generator: &'static str,
    /// The data file, or that there is none.
    pub data: String,
    pub rows: u64,
    pub alpha: f64,
    pub eta: f64,
    pub zeta: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xi: Option<f64>,
    pub radius_theta: f64,
    pub radius_beta: f64,
    pub theta_sum: Vec<f64>,
    pub theta: Vec<f64>,
    pub beta: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho: Option<f64>,
    pub norms: Norms,
    pub output_index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
    /// LO and HI of --reward-range, and the returns in those units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reward_range: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values_in_units: Option<Values>,
    /// What of the data was taken otherwise than it stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What of the data the model forbids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<String>,
    /// What the theorem promises of this run, or why it promises nothing.
    #[serde(flatten)]
    pub promise: Promise,
    /// Whether that is more than any policy's suboptimality.
    pub vacuous: bool,
    /// What floating point adds to that bound at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounding_term: Option<f64>,
    /// With --verify: every iterate of the engine was the box's, bit for bit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verified: bool,
    /// With --seeds: bands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Seeds>,
    /// Of the algorithm's own time.
    pub samples_per_second: f64,
    /// Of all of the program's time: reading, evaluating and the rest too.
    pub rows_per_second: f64,
    pub elapsed_seconds: f64,
}

/// Norms of the last iterates.
#[derive(Debug, Serialize)]
pub struct Norms {
    pub theta: f64,
    pub beta: f64,
    pub theta_sum: f64,
}

/// Returns, where the problem has a model.
#[derive(Debug, Clone, Serialize)]
pub struct Values {
    pub optimal: f64,
    /// ρ(π_B), where the model has a behaviour policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavior: Option<f64>,
    /// The uniform policy's: π_1, that a run starts from.
    pub uniform: f64,
    /// ρ(π_J).
    pub output: f64,
    /// ρ(π_{T+1}).
    pub last: f64,
    /// (1/T) Σ_t ρ(π_t), which is E ρ(π_J).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixture: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suboptimality: Option<f64>,
}

/// What is printed as a return: normalised, so that it is in the units of one reward.
pub fn what_is_a_return(discounted: bool) -> &'static str {
    if discounted { "(1−γ)⟨ν₀, v⟩, a weighted mean of rewards" } else { "the mean reward per step" }
}

/// What a policy of this return lacks, with the uniform policy's lack as the unit; `None` where every policy is as good: a lack
/// of rounding's size is none, and its quotients would be noise.
pub fn normalised(optimal: f64, uniform: f64, value: f64) -> Option<f64> {
    let unit = optimal - uniform;
    let size = optimal.abs().max(uniform.abs());
    (unit > ROUNDING * size).then(|| (optimal - value) / unit)
}

/// Why there is none.
pub const UNIFORM_IS_OPTIMAL: &str = "the uniform policy is optimal, there is nothing to divide by";

impl Values {
    /// [`normalised`] by these returns.
    pub fn normalised(&self, value: f64) -> Option<f64> {
        normalised(self.optimal, self.uniform, value)
    }

    /// The returns, each with its name.
    pub fn rows(&self, output_index: usize) -> Vec<(&'static str, String)> {
        let against = |value: f64| match self.normalised(value) {
            Some(lack) => {
                let worse = fixed(self.optimal - value, 6);
                format!("{}, suboptimality {worse}, normalised {}", fixed(value, 6), fixed(lack, 4))
            }
            None => fixed(value, 6),
        };
        let mut rows = vec![("optimal return", fixed(self.optimal, 6))];
        rows.extend(self.behavior.map(|value| ("return of the behaviour policy", against(value))));
        rows.push(("return of the uniform policy", against(self.uniform)));
        rows.push(("return of π_J", format!("{} (J = {output_index})", against(self.output))));
        rows.push(("return of the last policy", against(self.last)));
        rows.extend(self.mixture.map(|value| ("return of the mixture of π_1 … π_T", against(value))));
        rows
    }
}

/// The returns of a run, where there is a model.
pub fn values(job: &Job, recorder: &mut Recorder<'_, '_>, outcome: &Outcome) -> Result<Option<Values>, InputError> {
    let last = job.policy(&outcome.theta_sum)?;
    let mixture = recorder.mean_value();
    let Some(model) = &mut recorder.model else { return Ok(None) };
    let refused = |e| InputError::call("value of a policy", e);
    #[allow(clippy::cast_precision_loss)] // action counts are far below 2^53
    let uniform = vec![1.0 / job.shape.actions as f64; job.shape.pairs()];
    let reward = |phi: &[f64]| inner(phi, model.mdp.omega());
    let rewards = model.mdp.features().chunks_exact(job.shape.dim).zip(&model.mu_b).map(|(phi, mu)| mu * reward(phi));
    let behavior = (!model.mu_b.is_empty()).then(|| rewards.sum());
    let values = Values {
        optimal: model.best,
        behavior,
        uniform: model.value(&uniform).map_err(refused)?,
        output: model.value(&recorder.chosen_policy).map_err(refused)?,
        last: model.value(&last).map_err(refused)?,
        mixture,
        suboptimality: mixture.map(|value| model.best - value),
    };
    Ok(Some(values))
}

#[allow(clippy::cast_precision_loss)] // row counts are far below 2^53
fn per_second(rows: u64, time: Duration) -> f64 {
    rows as f64 / time.as_secs_f64().max(1e-9)
}

/// What [`Report::units`] is called.
pub const UNITS: &str = "in the units of the data";

impl Report {
    pub fn new(job: &Job, outcome: &Outcome, recorder: &mut Recorder<'_, '_>) -> Result<Self, InputError> {
        let size = |vector: &[f64]| norm(vector).map_err(|e| InputError::call("norm", e));
        let promise = Promise::of(job, recorder);
        Ok(Self {
            setting: job.setting.name(),
            c: job.c.name(),
            inner: job.rates.inner,
            outer: job.rates.outer,
            seed: job.seed,
            generator: GENERATOR,
            data: job.data.clone(),
            rows: outcome.rows,
            alpha: job.rates.alpha,
            eta: job.rates.eta,
            zeta: job.rates.zeta,
            xi: job.rates.xi,
            radius_theta: job.radius_theta,
            radius_beta: job.radius_beta,
            norms: Norms {
                theta: size(&outcome.theta)?,
                beta: size(&outcome.beta)?,
                theta_sum: size(&outcome.theta_sum)?,
            },
            theta_sum: outcome.theta_sum.clone(),
            theta: outcome.theta.clone(),
            beta: outcome.beta.clone(),
            rho: outcome.rho,
            output_index: job.chosen,
            values: values(job, recorder, outcome)?,
            vacuous: promise.is_vacuous(),
            promise,
            reward_range: None,
            values_in_units: None,
            notes: recorder.notes.clone(),
            contradictions: recorder.contradictions.clone(),
            rounding_term: job.theorem.as_ref().and_then(|theorem| theorem.rounding_term(&job.rates)),
            verified: job.engine == Engine::Verify,
            seeds: None,
            samples_per_second: per_second(outcome.rows, outcome.own_time),
            rows_per_second: 0.0,
            elapsed_seconds: 0.0,
        })
    }

    /// What the program needed all in all.
    pub fn say_elapsed(&mut self, elapsed: Duration) {
        self.elapsed_seconds = elapsed.as_secs_f64();
        self.rows_per_second = per_second(self.rows, elapsed);
    }

    /// How many rows were used, and what they were cut into.
    pub fn rows_used(&self) -> String {
        let Self { rows, inner, outer, .. } = self;
        // Algorithm 2 has K steps and one more.
        let all = (*inner as u64 + u64::from(self.xi.is_some())) * *outer as u64;
        let used = if *rows == all { all.to_string() } else { format!("{rows}, after the checkpoint, of {all}") };
        format!("{used} = K {inner}, T {outer}")
    }

    /// The returns in the units of the data, in a line.
    pub fn units(&self) -> Option<String> {
        let ([low, high], values) = (self.reward_range?, self.values_in_units.as_ref()?);
        let behavior = values.behavior.map_or_else(String::new, |value| format!(", behaviour {}", fixed(value, 6)));
        let [optimal, uniform, output, last] =
            [values.optimal, values.uniform, values.output, values.last].map(|value| fixed(value, 6));
        Some(format!(
            "rewards in [{low}, {high}]: optimal {optimal}{behavior}, uniform {uniform}, π_J {output}, last {last}"
        ))
    }

    /// Returns in the units of the data, where --reward-range says which: a return is a weighted mean of rewards.
    pub fn in_units(&mut self, range: Option<(f64, f64)>) {
        let Some((low, high)) = range else { return };
        let of = |value: f64| low + (high - low) * value;
        self.reward_range = Some([low, high]);
        self.values_in_units = self.values.as_ref().map(|values| Values {
            optimal: of(values.optimal),
            behavior: values.behavior.map(of),
            uniform: of(values.uniform),
            output: of(values.output),
            last: of(values.last),
            mixture: values.mixture.map(of),
            suboptimality: values.suboptimality.map(|gap| (high - low) * gap),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_of_rounding_are_not_shown() {
        let values = |optimal: f64, uniform: f64| Values {
            optimal,
            behavior: None,
            uniform,
            output: uniform,
            last: uniform,
            mixture: None,
            suboptimality: None,
        };
        assert_eq!(values(0.5, 0.5 - 1e-15).normalised(0.5), None);
        assert_eq!(values(0.5, 0.5).normalised(0.5), None);
        assert_eq!(values(0.5, 0.25).normalised(0.375), Some(0.5));
        assert_eq!(values(5e-320, 0.0).normalised(0.0), Some(1.0));
    }
}
