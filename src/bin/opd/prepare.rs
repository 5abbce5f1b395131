//! From flags and a problem to a job: what is left out is the theorem's.

use crate::args::Plan;
use crate::engine::Job;
use crate::study::Study;
use crate::tuning::{self, Facts, Tuned};
use offline_primal_dual::data::{InputError, Problem, Row, RowSpec, Rows, Setting, with_rows};
use offline_primal_dual::fast::aligned::Aligned;
use offline_primal_dual::linear::vector::norm_squared;
use offline_primal_dual::paper::average_reward::algorithm::Parameters as Checked;
use offline_primal_dual::paper::covariance::{Exponent, Spectrum};
use offline_primal_dual::sampler::{Sampler, Uniforms};
use std::path::PathBuf;

/// A job, and what preparing it found out.
pub struct Prepared<'p> {
    pub job: Job,
    /// The solved model, where the problem has one.
    pub study: Option<Study<'p, f64>>,
    /// Λ^c as the run sees it, where the problem has a model.
    pub power: Option<Vec<f64>>,
    /// What the theorem says about the run, when its rates are the theorem's.
    pub promise: Option<Promise>,
    /// J, drawn from the seed.
    pub chosen: usize,
}

/// The theorem's parameters, and its bound after any number of iterations.
pub struct Promise {
    pub facts: Facts,
    pub tuned: Tuned,
}

/// Resolves every parameter.
pub fn prepare<'p>(plan: &Plan, problem: &'p Problem<f64>) -> Result<Prepared<'p>, InputError> {
    let mut study = solve(plan, problem)?;
    let spectrum = match (&study, plan.c) {
        (Some(study), _) if !study.lambda.is_empty() => spectrum(problem, study, plan.c)?,
        _ => None,
    };
    let radius_theta = match (plan.radius_theta, &mut study) {
        (Some(radius), _) => radius,
        (None, Some(study)) => tuning::radius_theta(study)?,
        (None, None) => return Err(missing("--radius-theta")),
    };
    let radius_beta = match (plan.radius_beta, &mut study) {
        (Some(radius), _) => radius,
        (None, Some(study)) => tuning::radius_beta(plan.c, study)?,
        (None, None) => return Err(missing("--radius-beta")),
    };
    let facts = Facts {
        setting: plan.setting,
        c: plan.c,
        actions: problem.shape.actions,
        dim: problem.shape.dim,
        discount: discount(plan.setting, problem)?,
        phi_squared: largest_feature(problem)?,
        radius_theta,
        radius_beta,
        covariance: spectrum.as_ref().map(|s| Facts::covariance_of(plan.c, s)),
    };
    let job = job(plan, problem, &facts, spectrum.as_ref())?;
    let given = [plan.alpha, plan.eta, plan.zeta, plan.xi];
    let tuned = if given == [None; 4] { facts.rates(plan.inner, plan.outer).ok() } else { None };
    let promise = tuned.map(|tuned| Promise { facts, tuned });
    let power = match (plan.c, &spectrum, &study) {
        (Exponent::Half, Some(spectrum), _) => Some(spectrum.power_c(Exponent::Half)),
        (Exponent::One, _, Some(study)) => Some(study.lambda.clone()).filter(|lambda| !lambda.is_empty()),
        _ => None,
    };
    // Rows may be drawn from the seed's own stream; J comes from another, so that it is independent of them.
    let chosen = Uniforms::new(!plan.seed).output_index(plan.outer).map_err(|e| InputError::call("--outer", e))?;
    Ok(Prepared { job, study, power, promise, chosen })
}

fn missing(flag: &str) -> InputError {
    InputError::call(flag, "not given, expected it because the problem has no model to measure it on")
}

/// The model, where there is one; a complaint where one is needed and missing.
fn solve<'p>(plan: &Plan, problem: &'p Problem<f64>) -> Result<Option<Study<'p, f64>>, InputError> {
    if plan.c == Exponent::Half {
        problem.behavior("c = 1/2")?;
        return Study::new(plan.setting, problem, "c = 1/2").map(Some);
    }
    if plan.data.is_none() {
        problem.behavior("a run without --data")?;
        return Study::new(plan.setting, problem, "a run without --data").map(Some);
    }
    let needed = plan.radius_theta.is_none() || plan.radius_beta.is_none();
    if !problem.has_model() || !(needed || Study::fits(problem)) {
        return Ok(None);
    }
    match Study::new(plan.setting, problem, "values") {
        // A model outside the theory, as one that is not unichain, stops only those who need it.
        Err(_) if !needed => problem.model("values").map(|_| None),
        outcome => outcome.map(Some),
    }
}

/// Λ's spectrum; at c = 1 a singular Λ is no obstacle, only unknown.
fn spectrum(problem: &Problem<f64>, study: &Study<'_, f64>, c: Exponent) -> Result<Option<Spectrum>, InputError> {
    match (Spectrum::new(problem.shape.dim, &study.lambda), c) {
        (Ok(spectrum), _) => Ok(Some(spectrum)),
        (Err(_), Exponent::One) => Ok(None),
        (Err(e), Exponent::Half) => Err(InputError::call(&problem.name, e)),
    }
}

fn discount(setting: Setting, problem: &Problem<f64>) -> Result<f64, InputError> {
    match setting {
        Setting::Discounted => problem.discount().copied(),
        Setting::Average => Ok(0.0),
    }
}

fn largest_feature(problem: &Problem<f64>) -> Result<f64, InputError> {
    let mut largest = 0.0_f64;
    for row in problem.features.chunks(problem.shape.dim) {
        largest = largest.max(norm_squared(row).map_err(|e| InputError::call(&problem.name, e))?);
    }
    Ok(largest)
}

fn job(plan: &Plan, problem: &Problem<f64>, facts: &Facts, spectrum: Option<&Spectrum>) -> Result<Job, InputError> {
    let rates_given = plan.alpha.is_some()
        && plan.eta.is_some()
        && plan.zeta.is_some()
        && (plan.xi.is_some() || plan.setting == Setting::Discounted);
    let tuned = if rates_given { None } else { Some(facts.rates(plan.inner, plan.outer)) };
    let tuned = tuned.transpose().map_err(|e| {
        InputError::call("--alpha, --eta, --zeta, --xi", format_args!("not all given, and the theorem has none: {e}"))
    })?;
    let rate = |given: Option<f64>, theorem: fn(&tuning::Tuned) -> f64| {
        given.or_else(|| tuned.as_ref().map(theorem)).unwrap_or(0.0)
    };
    if plan.setting == Setting::Discounted && plan.xi.is_some() {
        return Err(InputError::call("--xi", "given, expected it only with --setting average"));
    }
    let job = Job {
        setting: plan.setting,
        c: plan.c,
        shape: problem.shape,
        features: Aligned::from(&problem.features[..]),
        discount: facts.discount,
        weight: spectrum.and_then(|spectrum| spectrum.weight(plan.c)),
        inner: plan.inner,
        outer: plan.outer,
        alpha: rate(plan.alpha, |t| t.alpha),
        eta: rate(plan.eta, |t| t.eta),
        zeta: rate(plan.zeta, |t| t.zeta),
        xi: rate(plan.xi, |t| t.xi.unwrap_or(0.0)),
        radius_theta: facts.radius_theta,
        radius_beta: facts.radius_beta,
    };
    let parameters = Checked {
        alpha: job.alpha,
        eta: job.eta,
        zeta: job.zeta,
        xi: job.xi,
        radius_theta: job.radius_theta,
        radius_beta: job.radius_beta,
        inner: job.inner,
    };
    parameters.validate().map_err(|e| InputError::call("parameters", e))?;
    Ok(job)
}

/// Where the rows of a run come from.
pub enum RowSource {
    File(PathBuf),
    /// Drawn from the model, without end.
    Drawn(Box<Sampler>),
}

/// The sampler of a solved model.
pub fn sampler(study: &Study<'_, f64>, seed: u64) -> Result<Sampler, InputError> {
    let drawn = study.tabular().and_then(|tabular| Sampler::independent(&tabular, &study.mu_b, seed));
    drawn.map_err(|e| InputError::call("sampler", e))
}

impl RowSource {
    pub fn of(plan: &Plan, study: Option<&Study<'_, f64>>) -> Result<Self, InputError> {
        match (&plan.data, study) {
            (Some(file), _) => Ok(Self::File(file.clone())),
            (None, Some(study)) => sampler(study, plan.seed).map(|sampler| Self::Drawn(Box::new(sampler))),
            (None, None) => Err(InputError::call("--data", "not given, expected it because the problem has no model")),
        }
    }

    /// Hands the rows to `consume`, with a name for complaints.
    pub fn open<R>(
        self,
        job: &Job,
        consume: impl FnOnce(&str, &mut dyn Rows) -> Result<R, InputError>,
    ) -> Result<R, InputError> {
        let spec = RowSpec { setting: job.setting, states: job.shape.states, actions: job.shape.actions };
        match self {
            Self::File(file) => with_rows(&file, spec, |rows| consume(&file.display().to_string(), rows)),
            Self::Drawn(sampler) => consume("rows drawn from the model", &mut DrawnRows(*sampler)),
        }
    }
}

struct DrawnRows(Sampler);

impl Rows for DrawnRows {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        Ok(self.0.next())
    }
}
