//! `opd run`: an algorithm on a data file of any size.

use crate::Verdict;
use crate::args::{Plan, RunArgs};
use crate::certify::decomposition;
use crate::engine::{Engine, Job, Outcome, execute_by};
use crate::prepare::{Prepared, RowSource, prepare};
use crate::recorder::{Recorder, Trace};
use crate::show::{Show, columns};
use crate::source;
use offline_primal_dual::data::{InputError, OutputFile};
use offline_primal_dual::linear::softmax::policy_table;
use offline_primal_dual::linear::vector::norm;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::sampler::GENERATOR;
use serde::Serialize;
use std::time::Instant;

/// Evaluating every π_t takes T solves; beyond this many operations only the last policy and π_J are evaluated.
const EVALUATION: f64 = 4e9;

/// A report draws the exact decomposition up to this T·(|X||A|)²; `certify` does it for any run.
const DECOMPOSITION: usize = 20_000;

/// What a run reports, in the order of the JSON object.
#[derive(Debug, Serialize)]
pub struct Report {
    pub setting: &'static str,
    pub c: &'static str,
    pub inner: usize,
    pub outer: usize,
    pub seed: u64,
    pub generator: &'static str,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    pub samples_per_second: f64,
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
#[derive(Debug, Serialize)]
pub struct Values {
    pub optimal: f64,
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

pub fn run(args: &RunArgs, show: &Show) -> Result<Verdict, InputError> {
    let start = Instant::now();
    let problem = source::problem::<f64>(&args.source)?;
    let Prepared { job, study, promise, chosen, power } = prepare(&args.plan, &problem)?;
    let rows = RowSource::of(&args.plan, study.as_ref())?;
    let mut recorder = Recorder::new(&job, chosen);
    recorder.evaluate = study.is_some() && cheap_to_evaluate(&job);
    recorder.study = study;
    if let Some(file) = &args.trace {
        let file = OutputFile::create(file)?;
        recorder.trace = Some(Trace { file, policy: args.trace_policy, inner: args.trace_inner });
    }
    let exact = args.html.as_ref().filter(|_| power.is_some() && cheap_to_decompose(&job));
    let exact = exact.map(|_| source::problem::<BigRational>(&args.source)).transpose()?;
    recorder.keep = exact.is_some();
    let bar = show.progress(job.rows_needed().unwrap_or(0));
    let engine = match (args.plain, args.verify) {
        (true, _) => Engine::Plain,
        (_, true) => Engine::Verify,
        _ => Engine::Fast,
    };
    let outcome = rows.open(&job, |source, rows| execute_by(engine, &job, source, rows, &mut recorder, &bar))?;
    if let Some(found) = &outcome.disagreement {
        show.complain(&format!("the fast engine is not the box: {found}"));
        return Ok(Verdict::Bad);
    }
    if let Some(trace) = recorder.trace.take() {
        trace.file.finish()?;
    }
    let values = values(&job, &mut recorder, &outcome)?;
    let mut report = report(&job, &args.plan, &outcome, values, chosen)?;
    report.bound = promise.as_ref().and_then(|promise| promise.tuned.bound);
    report.elapsed_seconds = start.elapsed().as_secs_f64();
    if let Some(file) = &args.html {
        let parts = match (&exact, &power) {
            // A model outside the theory, as one whose Λ is singular, has none.
            (Some(exact), Some(power)) => decomposition(job.setting, exact, power, &recorder.kept).unwrap_or_default(),
            _ => Vec::new(),
        };
        let page = crate::html::run_page(&problem.name, &job, &report, &parts, promise.as_ref(), &mut recorder);
        OutputFile::write_all_to(file, page.as_bytes())?;
    }
    if show.json {
        show.value(&report)?;
    } else {
        show.text(&table(&job, &report, show)?)?;
    }
    Ok(Verdict::Good)
}

#[allow(clippy::cast_precision_loss)] // an estimate
fn cheap_to_evaluate(job: &Job) -> bool {
    job.outer as f64 * (job.shape.states as f64).powi(3) <= EVALUATION
}

fn cheap_to_decompose(job: &Job) -> bool {
    let pairs = job.shape.pairs();
    pairs.checked_mul(pairs).and_then(|n| n.checked_mul(job.outer)).is_some_and(|n| n <= DECOMPOSITION)
}

/// π_{T+1} as a table.
fn last_policy(job: &Job, theta_sum: &[f64]) -> Result<Vec<f64>, InputError> {
    let mut policy = vec![0.0; job.shape.pairs()];
    policy_table(job.shape.actions, &job.alpha, &job.features, theta_sum, &mut policy)
        .map_err(|e| InputError::call("last policy", e))?;
    Ok(policy)
}

fn values(job: &Job, recorder: &mut Recorder<'_>, outcome: &Outcome) -> Result<Option<Values>, InputError> {
    let last = last_policy(job, &outcome.theta_sum)?;
    let chosen = std::mem::take(&mut recorder.chosen_policy);
    let mixture = recorder.mean_value();
    let Some(study) = &mut recorder.study else { return Ok(None) };
    let refused = |e| InputError::call("value of a policy", e);
    let values = Values {
        optimal: study.best,
        output: study.value(&chosen).map_err(refused)?,
        last: study.value(&last).map_err(refused)?,
        mixture,
        suboptimality: mixture.map(|value| study.best - value),
    };
    recorder.chosen_policy = chosen;
    Ok(Some(values))
}

fn report(
    job: &Job,
    plan: &Plan,
    outcome: &Outcome,
    values: Option<Values>,
    chosen: usize,
) -> Result<Report, InputError> {
    let size = |vector: &[f64]| norm(vector).map_err(|e| InputError::call("norm", e));
    #[allow(clippy::cast_precision_loss)] // row counts are far below 2^53
    let per_second = outcome.rows as f64 / outcome.own_time.as_secs_f64().max(1e-9);
    Ok(Report {
        setting: job.setting.name(),
        c: exponent(job.c),
        inner: job.inner,
        outer: job.outer,
        seed: plan.seed,
        generator: GENERATOR,
        rows: outcome.rows,
        alpha: job.alpha,
        eta: job.eta,
        zeta: job.zeta,
        xi: outcome.rho.map(|_| job.xi),
        radius_theta: job.radius_theta,
        radius_beta: job.radius_beta,
        norms: Norms { theta: size(&outcome.theta)?, beta: size(&outcome.beta)?, theta_sum: size(&outcome.theta_sum)? },
        theta_sum: outcome.theta_sum.clone(),
        theta: outcome.theta.clone(),
        beta: outcome.beta.clone(),
        rho: outcome.rho,
        output_index: chosen,
        values,
        bound: None,
        samples_per_second: per_second,
        elapsed_seconds: 0.0,
    })
}

/// c as the command line spells it.
pub fn exponent(c: Exponent) -> &'static str {
    match c {
        Exponent::One => "1",
        Exponent::Half => "1/2",
    }
}

/// How many states' policies are shown.
const STATES_SHOWN: usize = 8;

fn table(job: &Job, report: &Report, show: &Show) -> Result<String, InputError> {
    let mut rows = vec![
        vec![show.bold("setting"), format!("{}, c = {}", report.setting, report.c)],
        vec![show.bold("rows"), format!("{} = K {}, T {}", report.rows, report.inner, report.outer)],
        vec![show.bold("rates"), format!("α {:.4e}, η {:.4e}, ζ {:.4e}", report.alpha, report.eta, report.zeta)],
        vec![show.bold("‖θ_T‖"), format!("{:.6} (D_θ {:.6})", report.norms.theta, report.radius_theta)],
        vec![show.bold("‖β_{T+1}‖"), format!("{:.6} (D_β {:.6})", report.norms.beta, report.radius_beta)],
        vec![show.bold("‖Σθ‖"), format!("{:.6}", report.norms.theta_sum)],
    ];
    if let (Some(xi), Some(rho)) = (report.xi, report.rho) {
        rows[2][1] += &format!(", ξ {xi:.4e}");
        rows.push(vec![show.bold("ρ_T"), format!("{rho:.6}")]);
    }
    if let Some(values) = &report.values {
        rows.push(vec![show.bold("optimal return"), format!("{:.6}", values.optimal)]);
        rows.push(vec![show.bold("return of π_J"), format!("{:.6} (J = {})", values.output, report.output_index)]);
        rows.push(vec![show.bold("return of the last"), format!("{:.6}", values.last)]);
        if let (Some(mixture), Some(gap)) = (values.mixture, values.suboptimality) {
            rows.push(vec![show.bold("return of the mixture"), format!("{mixture:.6}, suboptimality {gap:.6}")]);
        }
    }
    if let Some(bound) = report.bound {
        rows.push(vec![show.bold("theorem's bound"), format!("{bound:.6}")]);
    }
    rows.push(vec![show.bold("samples per second"), format!("{:.0}", report.samples_per_second)]);
    rows.push(vec![show.bold("elapsed"), format!("{:.3} s", report.elapsed_seconds)]);
    rows.push(vec![show.bold("seed"), format!("{} ({})", report.seed, report.generator)]);
    let mut text = columns(&rows);
    text += &format!("\n{}\n", show.bold("last policy π(·|x)"));
    let policy = last_policy(job, &report.theta_sum)?;
    let states = policy.chunks(job.shape.actions).enumerate().take(STATES_SHOWN);
    let lines: Vec<Vec<String>> = states
        .map(|(x, row)| std::iter::once(format!("x = {x}")).chain(row.iter().map(|p| format!("{p:.4}"))).collect())
        .collect();
    text += &columns(&lines);
    if job.shape.states > STATES_SHOWN {
        text += &format!("… and {} more states\n", job.shape.states - STATES_SHOWN);
    }
    Ok(text)
}
