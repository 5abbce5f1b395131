//! `opd audit`: the register of statements on one instance.

mod demonstration;
mod page;
mod table;

use crate::data::{InputError, OutputFile, Problem, Setting, expect_apart};
use crate::instances::Owned;
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::args::AuditArgs;
use crate::program::budget::{Need, within};
use crate::program::cost;
use crate::program::model::SolvedModel;
use crate::program::promise::Promise;
use crate::program::show::{Show, eye};
use crate::program::source;
use crate::program::theorem::{Goal, Theorem};
use crate::routes::Structure;
use crate::statements::{Finding, Side, Status, evaluate_model, lacks_assumption};
use serde::{Serialize, Serializer};

pub use demonstration::{Demonstration, demonstrations};
pub use page::audit_page;

/// Every check on a problem, within the budget.
pub fn checks(problem: &Problem<Q>, budget: f64) -> Result<Vec<Finding>, InputError> {
    let (behavior, mdp) = (problem.behavior("an audit")?.to_vec(), problem.model("an audit")?);
    let structure = Structure::new(mdp);
    let bytes = cost::room(&structure, true) + cost::listing(&structure);
    let needs = [Need::operations(cost::auditing(&structure)), Need::bytes(bytes)];
    within(budget, "the audit", &needs)?;
    let model = Owned {
        shape: problem.shape,
        features: problem.features.clone(),
        omega: mdp.omega().to_vec(),
        psi: mdp.psi().to_vec(),
        initial: mdp.initial().to_vec(),
        discount: mdp.discount().clone(),
        behavior,
        root: problem.root().map(<[Q]>::to_vec),
    };
    Ok(evaluate_model(&model))
}

/// A finding as JSON has it.
#[derive(Serialize)]
struct Line<'a> {
    statement: &'a str,
    compares: &'a str,
    lhs: Exactly<'a>,
    rhs: Exactly<'a>,
    residual: Exactly<'a>,
    status: &'static str,
}

impl<'a> Line<'a> {
    fn of(finding: &'a Finding) -> Self {
        let Finding { statement, compares, lhs, rhs, residual, status, .. } = finding;
        let [lhs, rhs, residual] = [lhs, rhs, residual].map(Exactly);
        Self { statement, compares, lhs, rhs, residual, status: status.word() }
    }
}

/// A side, every digit of it.
struct Exactly<'a>(&'a Side);

impl Serialize for Exactly<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Side::Exact(x) => serializer.collect_str(x),
            Side::Float(x) => serializer.collect_str(&format_args!("{x:?}")),
            Side::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A theorem's parameters, each with its name.
type Parameters = Result<Vec<(&'static str, String)>, InputError>;

/// The theorems' parameters for T = 1000, c = 1; Theorem C.1's where the instance meets its assumptions.
pub fn parameters(problem: &Problem<Q>) -> Vec<(&'static str, Parameters)> {
    let problem = problem.map(Q::to_f64);
    let of = |setting: Setting| -> Parameters {
        problem.behavior("tuning")?;
        let model = SolvedModel::new(setting, &problem, "tuning")?;
        // Measured here, since no flag of this command gives them.
        let radii = (model.every_theta("D_θ of the model")?, model.beta_norm(Exponent::One, "D_β of the model")?);
        let theorem = Theorem::of_model(Exponent::One, (Some(radii.0), Some(radii.1)), &problem, &model)?;
        let rates =
            theorem.rates_for(Goal::Outer(1000)).map_err(|e| InputError::call("the theorem's parameters", e))?;
        let mut rows = theorem.rows(&rates);
        let promise = Promise::at(&theorem, &rates, Some(&model));
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

pub fn audit(args: &AuditArgs, show: &Show) -> Result<Verdict, InputError> {
    expect_apart(&[("--mdp", args.source.mdp.as_deref())], &[("--html", args.html.as_deref())])?;
    let problem = source::problem::<Q>(&args.source)?;
    let checks = checks(&problem, args.budget)?;
    let failed = checks.iter().any(|check| check.status == Status::Fails);
    if let Some(file) = &args.html {
        let page = audit_page(&problem, &checks, &demonstrations(&problem)?);
        OutputFile::write_all_to(file, page.as_bytes())?;
    }
    if show.json {
        show.value(&lines(&checks))?;
    } else {
        show.text(&table::text(&problem, &checks, show))?;
    }
    Ok(if failed { Verdict::Bad } else { Verdict::Good })
}

/// The findings as JSON has them.
pub fn lines(checks: &[Finding]) -> impl Serialize {
    checks.iter().map(Line::of).collect::<Vec<_>>()
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
        Status::Undecided => "undecided",
    }
}

/// The errata with which the theorems hold; README.md and docs/errata.md name the same.
macro_rules! corrected {
    () => {
        "items 1–4, 7, 11, 13, 15, 16 and 23"
    };
}

/// The printed theorems that fail, whatever the instance: Coq negates each with every hypothesis as printed (`RefutedStatements.v`), but A.1 at
/// c = 1/2 for Algorithm 1 with (9) and the proof's g̃_θ, which is not the printed box there (errata 1 and 7).
pub const PRINTED: &str = concat!(
    "As printed, Theorems 3.2, 5.3, A.1 and C.1 are false at c = 1 (erratum 4: C ≤ D_β lets D_β be less than ‖β*‖ = √C), A.1 also at c = 1/2 \
     (erratum 2, for Algorithm 1 with errata 1 and 7 corrected), the printed K/T does not give n_ε (erratum 15), 5.3's power of D_φ is wrong and 3.2's O(·) \
     false even with C ≤ D_β² (errata 16 and 23). They survive erratum 4 where D_φ ≤ 1. With ",
    corrected!(),
    " corrected they hold, the sample sizes for |A| ≥ 2, ε ≤ 1 and D_θ = D_ω + D_ψ/(1−γ), or D_ω + D_ψ(1 + D_q): docs/errata.md."
);

/// How many of each.
pub fn summary(checks: &[Finding]) -> String {
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    let undecided = match count(Status::Undecided) {
        0 => String::new(),
        n => format!(", {n} undecided"),
    };
    format!(
        "{} checks: {} hold, {} fail, {} errata shown, {} errata not shown, {} not applicable{undecided}",
        checks.len(),
        count(Status::Holds),
        count(Status::Fails),
        count(Status::Erratum),
        count(Status::ErratumNotShown),
        count(Status::NotApplicable)
    )
}

#[cfg(test)]
mod tests {
    use super::PRINTED;

    /// Three places say with which errata the theorems hold.
    #[test]
    fn the_errata_that_the_theorems_need_are_the_same_everywhere() {
        assert!(PRINTED.contains(concat!("With ", corrected!(), " corrected")));
        for file in ["README.md", "docs/errata.md"] {
            let text = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let said: Vec<&str> = text.split("With items ").skip(1).collect();
            assert_eq!(said.len(), 1, "{file}");
            assert!(format!("items {}", said[0]).starts_with(corrected!()), "{file}: With items {:.60}", said[0]);
            for hypothesis in ["|A| ≥ 2", "ε ≤ 1", "D_ω + D_ψ/(1−γ)", "D_ω + D_ψ(1 + D_q)"] {
                let here = said[0].split("\n\n").next().unwrap_or("");
                assert!(here.contains(hypothesis) && PRINTED.contains(hypothesis), "{file}: {hypothesis}");
            }
        }
    }
}
