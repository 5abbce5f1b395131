//! Algorithms 1 and 2: a short run on the instance, and the lemmas about it.

use super::case::{Case, Power, Q};
use super::check::{Check, Compared, Status, at_most_float, equal};
use crate::certify::certificate;
use crate::engine::{Job, execute};
use crate::prepare::{RowSource, sampler};
use crate::recorder::{Kept, Point, Recorder};
use crate::run::exponent;
use crate::study::Study;
use crate::tuning::{Facts, Tuned, radius_beta, radius_theta};
use indicatif::ProgressBar;
use offline_primal_dual::data::{Certificate, InputError, Problem, Setting};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::Spectrum;

/// K and T of the audited run: enough for every part of the algorithm to act, few enough to certify at once.
const INNER: usize = 5;
const OUTER: usize = 4;

/// Runs the setting's algorithm once per Λ^c and checks what the paper says of the run.
pub fn checks(case: &Case<'_>, problem: &Problem<Q>) -> Result<Vec<Check>, InputError> {
    let mut checks = Vec::new();
    for power in &case.powers {
        checks.extend(of_power(case.study.setting, problem, power)?);
    }
    Ok(checks)
}

fn of_power(setting: Setting, exact: &Problem<Q>, power: &Power) -> Result<Vec<Check>, InputError> {
    let run = perform(setting, exact, power, INNER, OUTER)?;
    let certificate = certificate(setting, exact, &run.power, &run.kept)?;
    Ok(lemmas(setting, power, run.rows, &certificate, run.tuned.bound))
}

/// A run at the theorem's rates on rows drawn from the instance, with what was seen of it.
pub struct Performed {
    pub job: Job,
    pub facts: Facts,
    pub tuned: Tuned,
    /// Λ^c as doubles.
    pub power: Vec<f64>,
    pub rows: u64,
    pub points: Vec<Point>,
    pub kept: Vec<Kept>,
}

/// Runs the setting's algorithm.
pub fn perform(
    setting: Setting,
    exact: &Problem<Q>,
    power: &Power,
    inner: usize,
    outer: usize,
) -> Result<Performed, InputError> {
    let problem = exact.map(BigRational::to_f64);
    let mut study = Study::new(setting, &problem, "an audit")?;
    let facts = facts(setting, power, &problem, &mut study)?;
    let tuned = facts.rates(inner, outer).map_err(|e| InputError::refused(&problem.name, e))?;
    let job = Job {
        setting,
        c: power.c,
        shape: problem.shape,
        features: offline_primal_dual::fast::aligned::Aligned::from(&problem.features[..]),
        discount: facts.discount,
        weight: power.weight.as_ref().map(|weight| weight.iter().map(Q::to_f64).collect()),
        inner,
        outer,
        alpha: tuned.alpha,
        eta: tuned.eta,
        zeta: tuned.zeta,
        xi: tuned.xi.unwrap_or(0.0),
        radius_theta: facts.radius_theta,
        radius_beta: facts.radius_beta,
    };
    let mut recorder = Recorder::new(&job, outer);
    recorder.keep = true;
    let rows = RowSource::Drawn(Box::new(sampler(&study, 0)?));
    let outcome = rows.open(&job, |source, rows| execute(&job, source, rows, &mut recorder, &ProgressBar::hidden()))?;
    let (points, kept) = (recorder.points, recorder.kept);
    let power = power.matrix.iter().map(Q::to_f64).collect();
    Ok(Performed { facts, tuned, power, rows: outcome.rows, points, kept, job })
}

fn facts(
    setting: Setting,
    power: &Power,
    problem: &Problem<f64>,
    study: &mut Study<'_, f64>,
) -> Result<Facts, InputError> {
    let spectrum = Spectrum::new(problem.shape.dim, &study.lambda).ok();
    Ok(Facts {
        setting,
        c: power.c,
        actions: problem.shape.actions,
        dim: problem.shape.dim,
        discount: if setting == Setting::Discounted { *problem.discount()? } else { 0.0 },
        phi_squared: study.bounds.phi,
        radius_theta: radius_theta(study)?,
        radius_beta: radius_beta(power.c, study)?,
        covariance: spectrum.as_ref().map(|s| Facts::covariance_of(power.c, s)),
    })
}

fn lemmas(setting: Setting, power: &Power, rows: u64, certificate: &Certificate, bound: Option<f64>) -> Vec<Check> {
    let c = exponent(power.c);
    let named = |statement: &str, compares: &str, compared: Compared| {
        let status = if compared.holds { Status::Holds } else { Status::Fails };
        let (statement, compares) = (statement.to_owned(), format!("{compares} [c = {c}]"));
        Check { statement, compares, lhs: compared.lhs, rhs: compared.rhs, residual: compared.residual, status }
    };
    let (algorithm, samples, first, second, theorem) = match setting {
        Setting::Discounted => ("Alg 1", "rows used = KT", "(16), Lemma 4.1", "Lemma 4.2", "Thm A.1"),
        Setting::Average => ("Alg 2", "rows used = T(K+1)", "Lemma C.3", "Lemma C.4", "Thm C.1, Thm 5.3"),
    };
    let per_iteration = if setting == Setting::Discounted { INNER } else { INNER + 1 };
    let count = |n: u64| Q::from_int(i64::try_from(n).unwrap_or(i64::MAX));
    let (used, expected) = (count(rows), count((per_iteration * OUTER) as u64));
    let mut regrets = certificate.regret_theta.clone() + &certificate.regret_beta + &certificate.regret_pi;
    if let Some(rho) = &certificate.regret_rho {
        regrets = regrets + rho;
    }
    let gap = &certificate.gap;
    let mut checks = vec![
        named(algorithm, samples, equal(used, expected)),
        named(
            first,
            "duality gap of a run = average suboptimality",
            equal(gap.clone(), certificate.suboptimality.clone()),
        ),
        named(second, "duality gap of a run = sum of the regrets", equal(gap.clone(), regrets)),
    ];
    if let Some(bound) = bound {
        let measured = at_most_float(certificate.suboptimality.to_f64(), bound);
        checks.push(named(theorem, "suboptimality of one run ≤ the bound on its mean", measured));
    }
    checks
}
