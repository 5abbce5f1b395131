//! `opd audit`: every statement of the paper on one instance, exactly.
//!
//! One file per section; a statement is one [`Entry`] in its file's list.

mod appendix_b;
mod appendix_c;
mod appendix_d;
mod appendix_e;
mod case;
mod check;
mod interval;
mod printed;
mod runs;
mod section2;
mod section4;
mod section5;
mod table;

use crate::Verdict;
use crate::args::AuditArgs;
use crate::certificate::{Decomposition, decomposition};
use crate::model::SolvedModel;
use crate::promise::Promise;
use crate::show::{Show, eye};
use crate::source;
use crate::theorem::Theorem;
use case::{Case, Power, Q};
use check::Compared;
pub use check::{Check, Side, Status};
use offline_primal_dual::data::{InputError, OutputFile, Problem, Setting, expect_apart};
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::{Error, Result as Checked};

/// How a check is computed.
enum Compute {
    Plain(fn(&mut Case) -> Checked<Compared>),
    /// Once per Λ^c.
    Powered(fn(&mut Case, &Power) -> Checked<Compared>),
}

/// A statement, what is compared, and how. An erratum is a claim of print that is expected to fail somewhere.
pub struct Entry {
    statement: &'static str,
    compares: &'static str,
    compute: Compute,
    erratum: Option<u32>,
}

impl Entry {
    const fn plain(
        statement: &'static str,
        compares: &'static str,
        compute: fn(&mut Case) -> Checked<Compared>,
    ) -> Self {
        Self { statement, compares, compute: Compute::Plain(compute), erratum: None }
    }

    const fn powered(
        statement: &'static str,
        compares: &'static str,
        compute: fn(&mut Case, &Power) -> Checked<Compared>,
    ) -> Self {
        Self { statement, compares, compute: Compute::Powered(compute), erratum: None }
    }

    const fn erratum(number: u32, compares: &'static str, compute: fn(&mut Case) -> Checked<Compared>) -> Self {
        Self { statement: "", compares, compute: Compute::Plain(compute), erratum: Some(number) }
    }

    const fn powered_erratum(
        number: u32,
        compares: &'static str,
        compute: fn(&mut Case, &Power) -> Checked<Compared>,
    ) -> Self {
        Self { statement: "", compares, compute: Compute::Powered(compute), erratum: Some(number) }
    }

    fn statement(&self) -> String {
        self.erratum.map_or_else(|| self.statement.to_owned(), |number| format!("Erratum {number}"))
    }

    fn run(&self, case: &mut Case, out: &mut Vec<Check>) {
        match self.compute {
            Compute::Plain(compute) => out.push(self.judge(self.compares.to_owned(), compute(case))),
            Compute::Powered(compute) => {
                let powers = std::mem::take(&mut case.powers);
                for power in &powers {
                    let compares = format!("{} [c = {}]", self.compares, power.c.name());
                    out.push(self.judge(compares, compute(case, power)));
                }
                case.powers = powers;
            }
        }
    }

    fn judge(&self, compares: String, compared: Checked<Compared>) -> Check {
        let statement = self.statement();
        match compared {
            Ok(Compared { lhs, rhs, residual, holds }) => {
                let status = match (holds, self.erratum) {
                    (true, None) => Status::Holds,
                    (false, None) => Status::Fails,
                    (true, Some(_)) => Status::ErratumNotShown,
                    (false, Some(_)) => Status::Erratum,
                };
                Check { statement, compares, lhs, rhs, residual, status }
            }
            Err(error) if lacks_assumption(&error) => {
                blank(&statement, format!("{compares}: {error}"), Status::NotApplicable)
            }
            Err(error) => blank(&statement, format!("{compares}: {error}"), Status::Fails),
        }
    }
}

/// Errors that say the instance is outside a statement's assumptions, not that the statement is wrong.
fn lacks_assumption(error: &Error) -> bool {
    matches!(
        error,
        Error::Singular { .. } | Error::NearSingular { .. } | Error::OnesNotInSpan | Error::NotUnichain { .. }
    ) || *error == not_applicable("features that are unit vectors")
}

/// What a check returns when the instance is not of the kind it speaks about.
fn not_applicable(expected: &'static str) -> Error {
    Error::OutOfRange { what: "instance", index: 0, expected }
}

/// A line without numbers.
fn blank(statement: &str, compares: String, status: Status) -> Check {
    let side = || Side::Text("–".to_owned());
    Check { statement: statement.to_owned(), compares, lhs: side(), rhs: side(), residual: side(), status }
}

/// The line of statements that could not be computed: not applicable only where the instance is outside their
/// assumptions, else a failure.
fn not_computed(statement: &str, error: &InputError) -> Check {
    let outside = error.cause().is_some_and(|cause| lacks_assumption(&cause));
    blank(statement, error.to_string(), if outside { Status::NotApplicable } else { Status::Fails })
}

/// Every check on a problem.
pub fn checks(problem: &Problem<Q>) -> Result<Vec<Check>, InputError> {
    let mut out = Vec::new();
    let mut case = Case::new(Setting::Discounted, problem)?;
    for entry in section2::CHECKS.iter().chain(section4::CHECKS).chain(appendix_b::CHECKS).chain(printed::DISCOUNTED) {
        entry.run(&mut case, &mut out);
    }
    match runs::checks(&case, problem) {
        Ok(found) => out.extend(found),
        Err(error) => out.push(not_computed("Alg 1, Lemma 4.1, Lemma 4.2, Thm A.1", &error)),
    }
    match Case::new(Setting::Average, problem) {
        Ok(mut average) => {
            for entry in section5::CHECKS.iter().chain(appendix_c::CHECKS).chain(printed::AVERAGE) {
                entry.run(&mut average, &mut out);
            }
            match runs::checks(&average, problem) {
                Ok(found) => out.extend(found),
                Err(error) => {
                    out.push(not_computed("Alg 2, Lemma C.3, Lemma C.4, Thm C.1", &error));
                }
            }
        }
        Err(error) => out.push(not_computed("Section 5, Appendix C", &error)),
    }
    for entry in appendix_d::CHECKS.iter().chain(appendix_e::CHECKS) {
        entry.run(&mut case, &mut out);
    }
    Ok(out)
}

/// A theorem's parameters, each with its name.
type Parameters = Result<Vec<(&'static str, String)>, InputError>;

/// The theorems' parameters for T = 1000, c = 1; Theorem C.1's where the instance meets its assumptions.
pub fn parameters(problem: &Problem<Q>) -> Vec<(&'static str, Parameters)> {
    let problem = problem.map(Q::to_f64);
    let of = |setting: Setting| -> Parameters {
        problem.behavior("tuning")?;
        let mut model = SolvedModel::new(setting, &problem, "tuning")?;
        let theorem = Theorem::of_model(Exponent::One, (None, None), &problem, &mut model)?;
        let rates = theorem.for_outer(1000).map_err(|e| InputError::call("the theorem's parameters", e))?;
        let mut rows = theorem.rows(&rates);
        let promise = Promise::at(&theorem, &rates, Some(&mut model), None);
        rows.push(("bound on the mean suboptimality", promise.to_string()));
        Ok(rows)
    };
    let average = of(Setting::Average);
    let mut parameters = vec![("Theorem A.1", of(Setting::Discounted))];
    if !matches!(&average, Err(error) if error.cause().is_some_and(|cause| lacks_assumption(&cause))) {
        parameters.push(("Theorem C.1", average));
    }
    parameters
}

/// A run of an algorithm on the instance, for the figures of a report.
pub struct Demonstration {
    pub run: runs::Performed,
    pub decomposition: Vec<Decomposition>,
}

/// K and T of that run: enough to see a line, few enough to certify every iteration at once.
const SHOWN: (usize, usize) = (10, 40);

/// One run per setting that the instance has, at c = 1.
fn demonstrations(problem: &Problem<Q>) -> Result<Vec<Demonstration>, InputError> {
    let mut shown = Vec::new();
    for setting in [Setting::Discounted, Setting::Average] {
        let run = Case::new(setting, problem)
            .and_then(|case| runs::perform(setting, problem, &case.powers[0], SHOWN.0, SHOWN.1));
        match run {
            Ok(run) => {
                let decomposition = decomposition(setting, problem, &run.power, &run.kept)?;
                shown.push(Demonstration { run, decomposition });
            }
            // The checks say so, too.
            Err(error) if error.cause().is_some_and(|cause| lacks_assumption(&cause)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(shown)
}

pub fn audit(args: &AuditArgs, show: &Show) -> Result<Verdict, InputError> {
    expect_apart(&[("--mdp", args.source.mdp.as_deref())], &[("--html", args.html.as_deref())])?;
    let problem = source::problem::<Q>(&args.source)?;
    let checks = checks(&problem)?;
    let failed = checks.iter().any(|check| check.status == Status::Fails);
    if let Some(file) = &args.html {
        let page = crate::html::audit_page(&problem, &checks, &demonstrations(&problem)?);
        OutputFile::write_all_to(file, page.as_bytes())?;
    }
    if show.json {
        show.value(&checks)?;
    } else {
        show.text(&table::text(&problem, &checks, show))?;
    }
    Ok(if failed { Verdict::Bad } else { Verdict::Good })
}

/// A side for the eye.
pub fn side(side: &Side) -> String {
    match side {
        Side::Exact(x) => eye(x),
        Side::Float(0.0) => "0".to_owned(),
        Side::Float(x) => format!("≈ {x:.10}"),
        Side::Text(text) => text.clone(),
    }
}

/// A status in words.
pub fn word(status: Status) -> &'static str {
    match status {
        Status::Holds => "holds",
        Status::Fails => "FAILS",
        Status::Erratum => "fails, as the erratum says",
        Status::ErratumNotShown => "erratum, not shown here",
        Status::NotApplicable => "not applicable",
    }
}

/// How many of each.
pub fn summary(checks: &[Check]) -> String {
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    format!(
        "{} checks: {} hold, {} fail, {} errata shown, {} errata not shown, {} not applicable",
        checks.len(),
        count(Status::Holds),
        count(Status::Fails),
        count(Status::Erratum),
        count(Status::ErratumNotShown),
        count(Status::NotApplicable)
    )
}
