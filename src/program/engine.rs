//! Runs an algorithm over a stream of rows, whatever the setting, and lets somebody watch.

use crate::data::{InputError, Row, Rows, Setting, several};
use crate::fast;
use crate::fast::aligned::Aligned;
use crate::fast::verify::{self, Disagreement};
use crate::paper::average_reward::algorithm as average;
use crate::paper::discounted::algorithm as discounted;
use crate::paper::mdp::Shape;
use crate::paper::samples::FeatureTable;
use crate::program::job::{Engine, Job};
use crate::program::recorder::Recorder;
use crate::{Error, Result as Checked};
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// Rows per block: 400 kB.
const BLOCK: usize = 8192;

/// Where a run ended.
pub struct Outcome {
    pub theta: Vec<f64>,
    pub beta: Vec<f64>,
    pub theta_sum: Vec<f64>,
    pub rho: Option<f64>,
    pub rows: u64,
    /// The algorithm's own time: without reading, recording and evaluating.
    pub own_time: Duration,
    /// Where the engine was not the box.
    pub disagreement: Option<Disagreement>,
}

/// The rows of a run, block by block; what goes wrong is kept for the end.
struct Feed<'r> {
    rows: &'r mut dyn Rows,
    block: Vec<Row>,
    at: usize,
    left: u64,
    reading: Duration,
    problem: Option<InputError>,
    bar: &'r ProgressBar,
}

impl Iterator for Feed<'_> {
    type Item = Row;

    #[inline]
    fn next(&mut self) -> Option<Row> {
        if self.at == self.block.len() && !self.refill() {
            return None;
        }
        self.at += 1;
        self.block.get(self.at - 1).copied()
    }
}

impl Feed<'_> {
    #[cold]
    fn refill(&mut self) -> bool {
        if self.problem.is_some() {
            return false;
        }
        let start = Instant::now();
        self.bar.inc(self.block.len() as u64);
        self.at = 0;
        let limit = usize::try_from(self.left).unwrap_or(BLOCK).min(BLOCK);
        // The rows before a wrong one are in the block, and are used.
        self.problem = self.rows.fill(&mut self.block, limit).err();
        self.left -= self.block.len() as u64;
        self.reading += start.elapsed();
        !self.block.is_empty()
    }
}

/// Runs the job by the fast engine. `source` names the rows in complaints.
pub fn execute(
    job: &Job,
    source: &str,
    rows: &mut dyn Rows,
    recorder: &mut Recorder<'_, '_>,
    bar: &ProgressBar,
) -> Result<Outcome, InputError> {
    let Some(needed) = job.rates.samples() else {
        return Err(InputError::call("--inner and --outer", "K·T overflows, expected at most 2^64 rows"));
    };
    // The rows of the iterations that a checkpoint is after.
    let per_iteration = needed / job.rates.outer as u64;
    let passed = job.resume.as_ref().map_or(0, |at| per_iteration * at.t as u64);
    for row in 0..passed {
        if rows.next_row()?.is_none() {
            return Err(InputError::call(
                source,
                format_args!(
                    "found {}, expected {needed} = those of the run that --resume goes on with",
                    several(row, "row")
                ),
            ));
        }
    }
    let block = Vec::new();
    let mut feed = Feed { rows, block, at: 0, left: needed - passed, reading: Duration::ZERO, problem: None, bar };
    let start = Instant::now();
    let outcome = match job.setting {
        Setting::Discounted => run_discounted(job, &mut feed, recorder),
        Setting::Average => run_average(job, &mut feed, recorder),
    };
    if outcome.is_ok() && feed.problem.is_none() {
        feed.problem = feed.rows.finish().err();
    }
    let spent = feed.reading + recorder.spent();
    // Rows are read ahead of their use, and what comes first in their order is said: where the run ended before, nothing of a later row.
    let of_rows = if matches!(outcome, Ok(_) | Err(Error::Length { .. })) { feed.problem } else { None };
    if let Some(problem) = of_rows.or_else(|| recorder.problem()) {
        return Err(problem);
    }
    bar.finish_and_clear();
    match outcome {
        Ok(outcome) => {
            Ok(Outcome { own_time: start.elapsed().saturating_sub(spent), rows: needed - passed, ..outcome })
        }
        Err(Error::Length { what: "samples", found, .. }) => {
            let (k, t) = (job.rates.inner, job.rates.outer);
            // Those that a checkpoint is after were there too.
            let found = passed + found as u64;
            let rule = if job.setting == Setting::Average { "(inner + 1) × outer" } else { "inner × outer" };
            Err(InputError::call(
                source,
                format_args!("found {}, expected {needed} = {rule} with inner {k}, outer {t}", several(found, "row")),
            ))
        }
        Err(error) => Err(InputError::call(source, error)),
    }
}

/// How many threads make one run faster: where d·|A| or K is smaller, handing blocks on costs more than they save (`docs/performance.md`).
fn gaining(threads: usize, job: &Job) -> usize {
    let least = match job.rates.inner {
        0..100 => return 1,
        100..1_000 => 1_024,
        _ => 256,
    };
    if job.shape.dim * job.shape.actions < least { 1 } else { threads }
}

fn run_discounted(job: &Job, feed: &mut Feed<'_>, recorder: &mut Recorder<'_, '_>) -> Checked<Outcome> {
    let Shape { actions, dim, .. } = job.shape;
    let features = FeatureTable::new(actions, dim, &job.features)?;
    let parameters = discounted::Parameters {
        discount: job.discount,
        alpha: job.rates.alpha,
        eta: job.rates.eta,
        zeta: job.rates.zeta,
        radius_theta: job.radius_theta,
        radius_beta: job.radius_beta,
        inner: job.rates.inner,
    };
    let room = || Aligned::zeros(discounted::State::<f64>::buffer_len(actions, dim));
    let (mut buffer, mut plain_buffer) = (room()?, room()?);
    let mut state = discounted::State::new(actions, dim, &mut buffer)?;
    let mut plain = discounted::State::new(actions, dim, &mut plain_buffer)?;
    let algorithm = discounted::Algorithm::new(&features, job.weight.as_deref(), &parameters)?;
    if let Some(from) = &job.resume {
        for state in [&mut state, &mut plain] {
            state.theta.copy_from_slice(&from.theta);
            state.beta.copy_from_slice(&from.beta);
            state.theta_sum.copy_from_slice(&from.theta_sum);
            (state.t, state.used) = (from.t, from.t * job.rates.inner);
        }
    }
    let outer = job.left();
    let disagreement = match job.engine {
        Engine::Fast(_) if recorder.sees_inner() => {
            fast::discounted::run(&algorithm, &mut state, outer, feed, recorder).map(|()| None)?
        }
        Engine::Fast(threads) => {
            fast::discounted::run_on(gaining(threads, job), &algorithm, &mut state, outer, feed, recorder)
                .map(|()| None)?
        }
        Engine::Plain => algorithm.run(&mut state, outer, feed, recorder).map(|()| None)?,
        Engine::Verify => iteration_by_iteration(job, feed, |block| {
            verify::discounted(&algorithm, [&mut plain, &mut state], 1, block, recorder)
        })?,
    };
    Ok(Outcome {
        theta: state.theta().to_vec(),
        beta: state.beta().to_vec(),
        theta_sum: state.theta_sum().to_vec(),
        rho: None,
        rows: 0,
        own_time: Duration::ZERO,
        disagreement,
    })
}

fn run_average(job: &Job, feed: &mut Feed<'_>, recorder: &mut Recorder<'_, '_>) -> Checked<Outcome> {
    let Shape { actions, dim, .. } = job.shape;
    let features = FeatureTable::new(actions, dim, &job.features)?;
    let parameters = average::Parameters {
        alpha: job.rates.alpha,
        eta: job.rates.eta,
        zeta: job.rates.zeta,
        xi: job.rates.xi.unwrap_or(0.0),
        radius_theta: job.radius_theta,
        radius_beta: job.radius_beta,
        inner: job.rates.inner,
    };
    let room = || Aligned::zeros(average::State::<f64>::buffer_len(actions, dim));
    let (mut buffer, mut plain_buffer) = (room()?, room()?);
    let mut state = average::State::new(actions, dim, &mut buffer)?;
    let mut plain = average::State::new(actions, dim, &mut plain_buffer)?;
    let algorithm = average::Algorithm::new(&features, job.weight.as_deref(), &parameters)?;
    if let Some(from) = &job.resume {
        for state in [&mut state, &mut plain] {
            state.theta.copy_from_slice(&from.theta);
            state.beta.copy_from_slice(&from.beta);
            state.theta_sum.copy_from_slice(&from.theta_sum);
            (state.rho, state.t, state.used) = (from.rho, from.t, from.t * (job.rates.inner + 1));
        }
    }
    let outer = job.left();
    let disagreement = match job.engine {
        Engine::Fast(_) if recorder.sees_inner() => {
            fast::average_reward::run(&algorithm, &mut state, outer, feed, recorder).map(|()| None)?
        }
        Engine::Fast(threads) => {
            fast::average_reward::run_on(gaining(threads, job), &algorithm, &mut state, outer, feed, recorder)
                .map(|()| None)?
        }
        Engine::Plain => algorithm.run(&mut state, outer, feed, recorder).map(|()| None)?,
        Engine::Verify => iteration_by_iteration(job, feed, |block| {
            verify::average_reward(&algorithm, [&mut plain, &mut state], 1, block, recorder)
        })?,
    };
    Ok(Outcome {
        theta: state.theta().to_vec(),
        beta: state.beta().to_vec(),
        theta_sum: state.theta_sum().to_vec(),
        rho: Some(*state.rho()),
        rows: 0,
        own_time: Duration::ZERO,
        disagreement,
    })
}

/// Feeds `compare` the samples of one outer iteration after the other, until it finds something.
fn iteration_by_iteration(
    job: &Job,
    feed: &mut Feed<'_>,
    mut compare: impl FnMut(&[Row]) -> Checked<Option<Disagreement>>,
) -> Checked<Option<Disagreement>> {
    let size = if job.setting == Setting::Average { job.rates.inner + 1 } else { job.rates.inner };
    let expected = size.saturating_mul(job.left());
    for t in 0..job.left() {
        let block: Vec<Row> = feed.by_ref().take(size).collect();
        if block.len() < size {
            return Err(Error::Length { what: "samples", expected, found: t * size + block.len() });
        }
        if let Some(found) = compare(&block)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
