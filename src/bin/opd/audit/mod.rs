//! `opd audit`: every statement of the paper on one instance, exactly.
//!
//! One file per section; a statement is one [`Entry`] in its file's list.

mod appendix_b;
mod appendix_d;
mod appendix_e;
mod case;
mod check;
mod interval;
mod runs;
mod section2;
mod section4;
mod section5;

use crate::Verdict;
use crate::args::AuditArgs;
use crate::coverage;
use crate::run::exponent;
use crate::show::{Show, columns, eye};
use crate::source;
use case::{Case, Power, Q};
use check::Compared;
pub use check::{Check, Side, Status};
use offline_primal_dual::data::{InputError, OutputFile, Problem, Setting};
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
                    let compares = format!("{} [c = {}]", self.compares, exponent(power.c));
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
    for entry in section2::CHECKS.iter().chain(section4::CHECKS).chain(appendix_b::CHECKS) {
        entry.run(&mut case, &mut out);
    }
    match runs::checks(&case, problem) {
        Ok(found) => out.extend(found),
        Err(error) => out.push(not_computed("Alg 1, Lemma 4.1, Lemma 4.2, Thm A.1", &error)),
    }
    match Case::new(Setting::Average, problem) {
        Ok(mut average) => {
            for entry in section5::CHECKS {
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

pub fn audit(args: &AuditArgs, show: &Show) -> Result<Verdict, InputError> {
    let problem = source::problem::<Q>(&args.source)?;
    let checks = checks(&problem)?;
    let failed = checks.iter().any(|check| check.status == Status::Fails);
    if let Some(file) = &args.html {
        OutputFile::write_all_to(file, crate::html::audit_page(&problem, &checks).as_bytes())?;
    }
    if show.json {
        show.value(&checks)?;
    } else {
        show.text(&text(&problem, &checks, show))?;
    }
    Ok(if failed { Verdict::Bad } else { Verdict::Good })
}

fn text(problem: &Problem<Q>, checks: &[Check], show: &Show) -> String {
    let shape = problem.shape;
    let mut text = format!(
        "{}: {} states, {} actions, {} features\n\n",
        show.bold(&problem.name),
        shape.states,
        shape.actions,
        shape.dim
    );
    let head = ["statement", "compares", "left", "right", "residual", "verdict"];
    let mut rows = vec![head.map(|word| show.bold(word)).to_vec()];
    rows.extend(checks.iter().map(|check| {
        vec![
            check.statement.clone(),
            check.compares.clone(),
            side(&check.lhs),
            side(&check.rhs),
            side(&check.residual),
            verdict(check.status, show),
        ]
    }));
    text += &columns(&rows);
    text += &format!("\n{}\n", show.bold("coverage of the optimal policy by the data"));
    text += &coverage::of_problem(problem).map_or_else(|e| format!("{e}\n"), |ratios| coverage::table(&ratios, show));
    text += &format!("\n{}\n", show.bold("the theorem's parameters for T = 1000, c = 1"));
    text += &crate::tune::of_problem(problem, 1000, show).unwrap_or_else(|e| format!("{e}\n"));
    text += &format!("\n{}\n", summary(checks));
    text
}

/// A side for the eye.
pub fn side(side: &Side) -> String {
    match side {
        Side::Exact(x) => eye(x),
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

fn verdict(status: Status, show: &Show) -> String {
    match status {
        Status::Holds => show.green(word(status)),
        Status::Fails => show.red(word(status)),
        Status::Erratum => show.yellow(word(status)),
        Status::ErratumNotShown | Status::NotApplicable => word(status).to_owned(),
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
