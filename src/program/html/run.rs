//! The pages of `opd run` and `opd certify`.

use super::bands::over_seeds;
use super::drawn::{
    COVERAGE, average_suboptimality, bound_and_measured, coverage_facts, norms, policy_table, regrets, suboptimality,
};
use super::figure::figures;
use super::page::{Cell, command, escape, facts, formula, page, wide};
use crate::Error;
use crate::data::{Certificate, Problem};
use crate::number::exact::BigRational;
use crate::program::bands::Seeds;
use crate::program::certificate::Decomposition;
use crate::program::coverage;
use crate::program::job::Job;
use crate::program::promise::Promise;
use crate::program::recorder::Recorder;
use crate::program::report::{Report, UNITS, Values};
use crate::program::show::eye;

/// The page of a run, but for what other seeds give, which is known later.
pub struct RunPage {
    title: String,
    facts: String,
    drawn: String,
}

impl RunPage {
    pub fn new(
        name: &str,
        job: &Job,
        report: &Report,
        decomposition: &[Decomposition],
        recorder: &mut Recorder<'_, '_>,
    ) -> Self {
        let drawn = run_drawn(job, report, decomposition, recorder);
        let mut rows = run_facts(report);
        rows.extend(recorder.contradictions.iter().map(|found| ("data against the model", found.clone())));
        rows.extend(recorder.notes.iter().map(|note| ("note", note.clone())));
        Self { title: format!("Run on {name}"), facts: facts(&rows), drawn }
    }

    pub fn html(&self, seeds: Option<&Seeds>) -> String {
        page(&self.title, &format!("{}{}{}", self.facts, seeds.map_or_else(String::new, over_seeds), self.drawn))
    }
}

fn run_drawn(job: &Job, report: &Report, decomposition: &[Decomposition], recorder: &mut Recorder<'_, '_>) -> String {
    let mut drawn = Vec::new();
    if !decomposition.is_empty() {
        drawn.push(average_suboptimality(decomposition));
        drawn.push(regrets(decomposition));
    }
    if let Some(values) = report.values.as_ref().filter(|values| values.mixture.is_some()) {
        drawn.push(suboptimality(values.optimal, values.uniform, &recorder.points));
        if let (Promise::Bound(_), Some(theorem)) = (&report.promise, &job.theorem) {
            let measured = recorder.points.iter().map(|p| (p.t, values.optimal - p.mean_value));
            drawn.push(bound_and_measured(theorem, &job.rates, measured));
        }
    }
    drawn.push(norms(job, &recorder.points));
    let mut body = figures(&drawn);
    if decomposition.is_empty() {
        body += &format!("<p>The exact decomposition into regrets: {}.</p>\n", command("opd certify --html"));
    }
    body += &run_coverage(recorder);
    body += &format!("<h2>Policy π<sub>J</sub>, J = {}</h2>\n", report.output_index);
    body + &policy_table(job, &recorder.chosen_policy)
}

/// What was run, on what, and what came of it.
fn run_facts(report: &Report) -> Vec<(&'static str, String)> {
    let xi = report.xi.map_or_else(String::new, |xi| format!(", ξ {xi:.6e}"));
    let mut rows = vec![
        ("setting", format!("{}, c = {}", report.setting, report.c)),
        ("data", report.data.clone()),
        ("rows", report.rows_used()),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}{xi}", report.alpha, report.eta, report.zeta)),
        ("radii D_θ, D_β", format!("{:.6}, {:.6}", report.radius_theta, report.radius_beta)),
        ("seed", format!("{} ({})", report.seed, report.generator)),
        ("samples per second", format!("{:.0}", report.samples_per_second)),
    ];
    if let Some(values) = &report.values {
        rows.extend(values.rows(report.output_index));
    }
    rows.extend(report.units().map(|returns| (UNITS, returns)));
    rows.push(("theorem's bound on the mixture's mean suboptimality", report.promise.to_string()));
    rows
}

fn run_coverage(recorder: &mut Recorder<'_, '_>) -> String {
    match both_coverages(recorder) {
        table if table.is_empty() => table,
        table => format!("<h2 id=\"coverage\">Coverage of the optimal policy</h2>\n{table}"),
    }
}

/// Coverage by the model's behaviour policy, and beside it by the rows that were read, in doubles; nothing without a behaviour policy.
fn both_coverages(recorder: &mut Recorder<'_, '_>) -> String {
    let seen = recorder.frequencies();
    let Some(model) = recorder.model.as_mut().filter(|model| model.lambda.is_some()) else { return String::new() };
    let by_behavior = coverage::of_model(model);
    let by_data = seen.map(|seen| {
        let own = model.structure.second_moment(&seen)?;
        let behavior = model.lambda.replace(own);
        let ratios = coverage::of_model(model);
        model.lambda = behavior;
        ratios
    });
    let shown = |ratios: &Result<Vec<(&'static str, f64)>, _>, name: &str| match ratios {
        Ok(ratios) => {
            ratios.iter().find(|(known, _)| *known == name).map_or_else(String::new, |(_, x)| format!("{x:.9}"))
        }
        Err(Error::NotInRange { .. }) => "infinite".to_owned(),
        Err(error) => error.to_string(),
    };
    let row = |name: &&str| -> Vec<Cell> {
        let by_data = by_data.as_ref().map_or_else(|| "not counted".to_owned(), |ratios| shown(ratios, name));
        vec![(formula(name), ""), (escape(&shown(&by_behavior, name)), ""), (escape(&by_data), "")]
    };
    let names = ["C_{φ,1/2}", "C_{φ,1}", "C^⋄", "C^† = C_{F,π}"];
    let head = ["ratio", "by the model's behaviour policy", "by the rows that were read"];
    wide(&head, &names.iter().map(row).collect::<Vec<_>>())
}

pub fn certificate_page(
    problem: &Problem<BigRational>,
    job: &Job,
    certificate: &Certificate,
    decomposition: &[Decomposition],
    values: Option<&Values>,
    recorder: &mut Recorder<'_, '_>,
) -> String {
    let mut rows = vec![
        (
            "setting",
            format!("{}, c = {}, K = {}, T = {}", job.setting.name(), job.c.name(), job.rates.inner, job.rates.outer),
        ),
        ("data", job.data.clone()),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}", job.rates.alpha, job.rates.eta, job.rates.zeta)),
        ("radii D_θ, D_β", format!("{:.6}, {:.6}", job.radius_theta, job.radius_beta)),
        ("seed", job.seed.to_string()),
    ];
    rows.extend(values.into_iter().flat_map(|values| values.rows(job.chosen)));
    rows.extend([
        ("duality gap", eye(&certificate.gap)),
        ("suboptimality of the mixture", eye(&certificate.suboptimality)),
        ("θ-regret", eye(&certificate.regret_theta)),
        ("β-regret", eye(&certificate.regret_beta)),
        ("π-regret", eye(&certificate.regret_pi)),
    ]);
    rows.extend(certificate.regret_rho.as_ref().map(|rho| ("ρ-regret", eye(rho))));
    rows.push(("equal, exactly", certificate.equal.to_string()));
    rows.extend(recorder.contradictions.iter().map(|found| ("data against the model", found.clone())));
    rows.extend(recorder.notes.iter().map(|note| ("note", note.clone())));
    let mut drawn = vec![average_suboptimality(decomposition), regrets(decomposition)];
    if let (Promise::Bound(_), Some(theorem)) = (Promise::of(job, recorder), &job.theorem) {
        let measured = decomposition.iter().map(|d| (d.t, d.total));
        drawn.push(bound_and_measured(theorem, &job.rates, measured));
    }
    drawn.push(norms(job, &recorder.points));
    let mut body = facts(&rows) + &figures(&drawn);
    body += COVERAGE;
    body += &coverage_facts(problem);
    body += "<p>In doubles, and beside them by the rows that this run has read:</p>\n";
    body += &both_coverages(recorder);
    body += &format!("<h2>Policy π<sub>J</sub>, J = {}</h2>\n", job.chosen);
    body += &policy_table(job, &recorder.chosen_policy);
    page(&format!("Certificate of a run on {}", problem.name), &body)
}
