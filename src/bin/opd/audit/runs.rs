//! Algorithms 1 and 2: a short run on the instance, and the lemmas about it.

use super::case::{Case, Power, Q};
use super::check::{Check, Compared, Status, at_most_float, equal};
use crate::certificate::certificate;
use crate::engine::execute;
use crate::job::Job;
use crate::model::SolvedModel;
use crate::recorder::{Kept, Point, Recorder};
use crate::rows::RowSource;
use crate::theorem::Theorem;
use indicatif::ProgressBar;
use offline_primal_dual::data::{Certificate, InputError, Problem, Setting};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;

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
    Ok(lemmas(setting, power, run.rows, &certificate, run.theorem.bound(&run.job.rates, OUTER)))
}

/// A run at the theorem's rates on rows drawn from the instance, with what was seen of it.
pub struct Performed {
    pub job: Job,
    pub theorem: Theorem,
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
    let mut model = SolvedModel::new(setting, &problem, "an audit")?;
    let theorem = Theorem::of_model(power.c, (None, None), &problem, &mut model)?;
    let rates = theorem.rates(inner, outer).map_err(|e| InputError::refused(&problem.name, e))?;
    let weight = power.weight.as_ref().map(|weight| weight.iter().map(Q::to_f64).collect());
    let job = Job { weight, ..Job::at(&problem, theorem.clone(), rates) };
    let mut recorder = Recorder::new(&job);
    recorder.keep = true;
    let rows = RowSource::Drawn(Box::new(model.sampler(0)?));
    let outcome = rows.open(&job, |source, rows| execute(&job, source, rows, &mut recorder, &ProgressBar::hidden()))?;
    let (points, kept) = (recorder.points, recorder.kept);
    let power = power.matrix.iter().map(Q::to_f64).collect();
    Ok(Performed { theorem, power, rows: outcome.rows, points, kept, job })
}

fn lemmas(setting: Setting, power: &Power, rows: u64, certificate: &Certificate, bound: Option<f64>) -> Vec<Check> {
    let c = power.c.name();
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
