//! Watches a run: writes the trace, evaluates policies, keeps iterates for certificates and figures.

use crate::data::{InnerLine, InputError, OuterLine, OutputFile, Setting};
use crate::linear::softmax::policy_table;
use crate::linear::vector::norm;
use crate::paper::average_reward::algorithm as average;
use crate::paper::discounted::algorithm as discounted;
use crate::paper::samples::Sample;
use crate::program::agreement::Agreement;
use crate::program::arrays::Arrays;
use crate::program::checkpoint;
use crate::program::job::{Checkpoint, Job};
use crate::program::model::SolvedModel;
use crate::program::show::note;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// One iteration, kept: θ_t, β_t, ρ_t and π_t.
#[derive(Debug, Clone)]
pub struct Kept {
    pub t: usize,
    pub theta: Vec<f64>,
    pub beta: Vec<f64>,
    pub rho: f64,
    pub policy: Vec<f64>,
}

/// One point of the figures.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub t: usize,
    pub theta_norm: f64,
    pub beta_norm: f64,
    /// ρ(π_t), where there is a model.
    pub value: f64,
    /// (1/t) Σ_{i≤t} ρ(π_i).
    pub mean_value: f64,
}

/// A trace under way.
pub struct Trace {
    pub file: OutputFile,
    pub policy: bool,
    pub inner: bool,
}

/// What to watch for, and what has been seen.
pub struct Recorder<'j, 'p> {
    job: &'j Job,
    /// J.
    pub chosen: usize,
    pub trace: Option<Trace>,
    /// The solved model, where there is one.
    pub model: Option<SolvedModel<'p, f64>>,
    /// Whether every π_t is evaluated on it.
    pub evaluate: bool,
    /// Whether every iteration is kept.
    pub keep: bool,
    pub kept: Vec<Kept>,
    /// π_J.
    pub chosen_policy: Vec<f64>,
    /// How many rows had each (x, a), where it is counted; else empty.
    pub counts: Vec<f64>,
    /// Σ_{i<J} θ_i, once J has passed.
    pub chosen_sum: Vec<f64>,
    /// Σ_{i<t} θ_i for t = 1, 2, …, where they are kept.
    pub sums: Option<Vec<f64>>,
    /// The iterates, where a caller wants them.
    pub arrays: Arrays,
    /// Where ρ(π_t) is asked for too, and what it is.
    pub wanted: Vec<(usize, f64)>,
    /// Where checkpoints go, and after how many iterations.
    pub checkpoint: Option<(PathBuf, usize)>,
    /// What of the data was taken otherwise than it stands, and what of it the model forbids.
    pub notes: Vec<String>,
    pub contradictions: Vec<String>,
    /// Where the data pay one pair differently at different times.
    pub drawn_rewards: Option<String>,
    /// A point every so many iterations, so that figures stay small.
    stride: usize,
    pub points: Vec<Point>,
    /// Σ_t ρ(π_t).
    pub value_sum: f64,
    policy: Vec<f64>,
    spent: Duration,
    problem: Option<InputError>,
}

/// How many points a figure has at most.
const POINTS: usize = 400;

impl<'j> Recorder<'j, '_> {
    pub fn new(job: &'j Job) -> Self {
        Self {
            job,
            chosen: job.chosen,
            trace: None,
            model: None,
            evaluate: false,
            keep: false,
            kept: Vec::new(),
            chosen_policy: Vec::new(),
            counts: Vec::new(),
            chosen_sum: Vec::new(),
            sums: None,
            arrays: Arrays::default(),
            wanted: Vec::new(),
            checkpoint: None,
            notes: Vec::new(),
            contradictions: Vec::new(),
            drawn_rewards: None,
            stride: job.rates.outer.div_ceil(POINTS),
            points: Vec::new(),
            value_sum: 0.0,
            policy: Vec::new(),
            spent: Duration::ZERO,
            problem: None,
        }
    }

    /// Keeps what there is to say about the data.
    pub fn take_note(&mut self, notes: Vec<String>, agreement: Option<&Agreement<'_>>) {
        let discounted = self.job.setting == Setting::Discounted;
        self.contradictions = agreement.map_or_else(Vec::new, |agreement| agreement.contradictions(discounted));
        self.drawn_rewards = agreement.and_then(Agreement::drawn_rewards);
        self.notes = notes;
        let means = |found: &String| format!("{found}: it is each pair's mean that is held against the model");
        self.notes.extend(self.drawn_rewards.as_ref().map(means));
    }

    /// The same, and says it on standard error.
    pub fn tell(&mut self, notes: Vec<String>, agreement: Option<&Agreement<'_>>) {
        self.take_note(notes, agreement);
        for text in &self.notes {
            note(text);
        }
        for text in &self.contradictions {
            note(&format!("the data contradict the model: {text}"));
        }
    }

    /// (1/T) Σ_t ρ(π_t), where every π_t was evaluated.
    pub fn mean_value(&self) -> Option<f64> {
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        let count = self.job.rates.outer as f64;
        self.evaluate.then(|| self.value_sum / count)
    }

    /// How often each (x, a) was read, as a distribution, where it was counted.
    pub fn frequencies(&self) -> Option<Vec<f64>> {
        let total: f64 = self.counts.iter().sum();
        (total > 0.0).then(|| self.counts.iter().map(|count| count / total).collect())
    }

    #[inline]
    fn count(&mut self, sample: &Sample<f64>) {
        if let Some(count) = self.counts.get_mut(sample.x * self.job.shape.actions + sample.a) {
            *count += 1.0;
        }
    }

    /// Whether anything of inner steps is recorded.
    pub fn sees_inner(&self) -> bool {
        let traced = self.trace.as_ref().is_some_and(|trace| trace.inner);
        traced || self.arrays.inner.is_some() || !self.counts.is_empty()
    }

    /// Time that is not the algorithm's.
    pub fn spent(&self) -> Duration {
        self.spent
    }

    /// What went wrong while watching.
    pub fn problem(&mut self) -> Option<InputError> {
        self.problem.take()
    }

    fn complain(&mut self, problem: InputError) {
        self.problem.get_or_insert(problem);
    }

    fn write_line(&mut self, line: &impl Serialize) {
        let Some(trace) = &mut self.trace else { return };
        let written = serde_json::to_writer(&mut trace.file, line)
            .map_err(std::io::Error::from)
            .and_then(|()| trace.file.write_all(b"\n"));
        if let Err(e) = written {
            let problem = trace.file.failed(&e);
            self.complain(problem);
        }
    }

    /// Goes on where a checkpoint was written.
    pub fn resume(&mut self) -> Result<(), InputError> {
        let Some(from) = &self.job.resume else { return Ok(()) };
        self.value_sum = from.value_sum;
        if !from.output_theta_sum.is_empty() {
            self.chosen_sum.clone_from(&from.output_theta_sum);
            self.chosen_policy = self.job.policy(&from.output_theta_sum)?;
        }
        Ok(())
    }

    fn save(&mut self, t: usize, theta: &[f64], rho: Option<f64>, beta: &[f64], sum: &[f64]) {
        let Some((file, every)) = &self.checkpoint else { return };
        if !t.is_multiple_of(*every) || t == self.job.rates.outer {
            return;
        }
        let checkpoint = Checkpoint {
            t,
            theta: theta.to_vec(),
            beta: beta.to_vec(),
            theta_sum: sum.to_vec(),
            rho: rho.unwrap_or(0.0),
            output_theta_sum: self.chosen_sum.clone(),
            value_sum: self.value_sum,
        };
        if let Err(problem) = OutputFile::write_all_to(file, checkpoint::to_json(&checkpoint, self.job).as_bytes()) {
            self.complain(problem);
        }
    }

    fn begin(&mut self, t: usize, theta_sum: &[f64]) {
        if t == self.chosen {
            self.chosen_sum = theta_sum.to_vec();
        }
        if let Some(sums) = &mut self.sums {
            sums.extend(theta_sum);
        }
        let at_point = (t - 1).is_multiple_of(self.stride) || t == self.job.rates.outer;
        let traced = self.trace.as_ref().is_some_and(|trace| trace.policy);
        let wanted = self.wanted.iter().any(|(index, _)| *index == t);
        if !(traced || self.keep || self.evaluate || wanted || t == self.chosen) {
            return;
        }
        let start = Instant::now();
        let shape = self.job.shape;
        self.policy.resize(shape.pairs(), 0.0);
        let tabled =
            policy_table(shape.actions, &self.job.rates.alpha, &self.job.features, theta_sum, &mut self.policy);
        if let Err(e) = tabled {
            self.complain(InputError::call(format_args!("policy at t = {t}"), e));
        }
        if t == self.chosen {
            self.chosen_policy.clone_from(&self.policy);
        }
        if let Some(model) = self.model.as_mut().filter(|_| self.evaluate || wanted) {
            match model.value(&self.policy) {
                Ok(value) => {
                    self.value_sum += if self.evaluate { value } else { 0.0 };
                    self.wanted.iter_mut().filter(|(index, _)| *index == t).for_each(|(_, found)| *found = value);
                    if at_point && self.evaluate {
                        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
                        let mean_value = self.value_sum / t as f64;
                        self.points.push(Point { t, theta_norm: 0.0, beta_norm: 0.0, value, mean_value });
                    }
                }
                Err(e) => self.complain(InputError::call(format_args!("value of the policy at t = {t}"), e)),
            }
        }
        self.spent += start.elapsed();
    }

    fn inner(&mut self, t: usize, k: usize, gradient: &[f64], theta: &[f64], rho: Option<f64>) {
        self.arrays.inner_step(gradient, theta, rho);
        if self.trace.as_ref().is_some_and(|trace| trace.inner) {
            let start = Instant::now();
            self.write_line(&InnerLine { t, k, gradient, theta, rho });
            self.spent += start.elapsed();
        }
    }

    fn outer(&mut self, t: usize, theta: &[f64], rho: Option<f64>, (beta, beta_next): (&[f64], &[f64]), sum: &[f64]) {
        let start = Instant::now();
        if let Some(trace) = &self.trace {
            let policy = std::mem::take(&mut self.policy);
            let rows = trace.policy.then(|| policy.chunks(self.job.shape.actions).collect());
            self.write_line(&OuterLine { t, theta, rho, beta, beta_next, theta_sum: sum, policy: rows });
            self.policy = policy;
        }
        self.save(t, theta, rho, beta_next, sum);
        self.arrays.outer_step(theta, rho, beta, sum);
        if self.keep {
            let (theta, beta, policy) = (theta.to_vec(), beta.to_vec(), self.policy.clone());
            self.kept.push(Kept { t, theta, beta, rho: rho.unwrap_or(0.0), policy });
        }
        if (t - 1).is_multiple_of(self.stride) || t == self.job.rates.outer {
            let (theta_norm, beta_norm) = (norm(theta).unwrap_or(f64::NAN), norm(beta).unwrap_or(f64::NAN));
            if let Some(point) = self.points.last_mut().filter(|point| point.t == t) {
                (point.theta_norm, point.beta_norm) = (theta_norm, beta_norm);
            } else {
                self.points.push(Point { t, theta_norm, beta_norm, value: f64::NAN, mean_value: f64::NAN });
            }
        }
        self.spent += start.elapsed();
    }
}

impl discounted::Observer<f64> for Recorder<'_, '_> {
    fn begin_outer(&mut self, t: usize, _theta: &[f64], _beta: &[f64], _weighted: &[f64], theta_sum: &[f64]) {
        self.begin(t, theta_sum);
    }

    #[inline]
    fn inner_step(&mut self, step: &discounted::InnerStep<f64>) {
        self.count(step.sample);
        self.inner(step.t, step.k, step.gradient, step.theta_next, None);
    }

    fn outer_step(&mut self, step: &discounted::OuterStep<f64>) {
        self.count(step.sample);
        self.outer(step.t, step.theta, None, (step.beta, step.beta_next), step.theta_sum);
    }
}

impl average::Observer<f64> for Recorder<'_, '_> {
    fn begin_outer(&mut self, t: usize, _: &[f64], _rho: &f64, _: &[f64], _: &[f64], theta_sum: &[f64]) {
        self.begin(t, theta_sum);
    }

    #[inline]
    fn inner_step(&mut self, step: &average::InnerStep<f64>) {
        self.count(step.sample);
        self.inner(step.t, step.i, step.gradient, step.theta_next, Some(*step.rho_next));
    }

    fn outer_step(&mut self, step: &average::OuterStep<f64>) {
        self.count(step.sample);
        self.outer(step.t, step.theta, Some(*step.rho), (step.beta, step.beta_next), step.theta_sum);
    }
}
