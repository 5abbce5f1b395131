//! Reports of `audit`, `run` and `certify`, each one self-contained HTML file.

mod figure;
mod page;

use crate::data::{Certificate, Problem, Setting};
use crate::number::exact::BigRational;
use crate::program::audit::{self, Demonstration, side, summary, word};
use crate::program::certificate::Decomposition;
use crate::program::coverage;
use crate::program::job::Job;
use crate::program::promise::Promise;
use crate::program::recorder::{Point, Recorder};
use crate::program::report::Report;
use crate::program::show::eye;
use crate::program::theorem::{Rates, Theorem};
use crate::statements::{Finding, Side, Status};
use figure::{Line, lines, log_lines};
use page::{Cell, facts, page, wide};
pub use page::{escape, formula};

/// How many states' policies are shown.
const STATES_SHOWN: usize = 64;

const CONTENTS: &str = "<a href=\"#coverage\">Coverage</a> · <a href=\"#parameters\">Parameters</a>";

const COVERAGE: &str = "<h2 id=\"coverage\">Coverage of the optimal policy by the data</h2>\n";

pub fn audit_page(problem: &Problem<BigRational>, checks: &[Finding], shown: &[Demonstration]) -> String {
    let plain = |text: &str| -> Cell { (escape(text), "") };
    // A long fraction may be broken after its stroke.
    let number = |part: &Side| -> Cell { (escape(&side(part)).replace('/', "/<wbr>"), "number") };
    let row = |check: &Finding| -> Vec<Cell> {
        let class = match check.status {
            Status::Holds => "good",
            Status::Fails => "bad",
            Status::Erratum | Status::ErratumNotShown => "note",
            Status::NotApplicable | Status::Undecided => "",
        };
        vec![
            plain(&check.statement),
            (formula(&check.compares).replace("[c = 1", "[c\u{a0}=\u{a0}1"), ""),
            number(&check.lhs),
            number(&check.rhs),
            number(&check.residual),
            (word(check.status).to_owned(), class),
        ]
    };
    let rows: Vec<Vec<Cell>> = checks.iter().map(row).collect();
    let mut body = format!("<p>{}</p>\n<p>{CONTENTS}", escape(&summary(checks)));
    for one in shown {
        let (id, title, _) = names(one.run.job.setting);
        body += &format!(" · <a href=\"#{id}\">{title}, drawn</a>");
    }
    body += "</p>\n";
    body += &wide(&["statement", "compares", "left", "right", "residual", "verdict"], &rows);
    body += COVERAGE;
    body += &coverage_facts(problem);
    body += "<h2 id=\"parameters\">The theorems' parameters for T = 1000, c = 1</h2>\n";
    for (theorem, rows) in audit::parameters(problem) {
        body += &format!("<h3>{theorem}</h3>\n");
        body += &rows.map_or_else(|e| facts(&[("not computed", e.to_string())]), |rows| facts(&rows));
    }
    for one in shown {
        body += &demonstration(one);
    }
    page(&format!("Audit of {}", problem.name), &body)
}

/// Of a setting: its place in the page, its algorithm, its theorem.
fn names(setting: Setting) -> (&'static str, &'static str, &'static str) {
    match setting {
        Setting::Discounted => ("discounted", "Algorithm 1", "Theorem A.1"),
        Setting::Average => ("average", "Algorithm 2", "Theorem C.1"),
    }
}

/// A run on the audited instance: what Lemmas 4.1, 4.2 (C.3, C.4) and the theorem say, drawn.
fn demonstration(shown: &Demonstration) -> String {
    let job = &shown.run.job;
    let (id, title, _) = names(job.setting);
    let mut html =
        format!("<h2 id=\"{id}\">{title} on rows drawn from this instance, c = 1, at the theorem's rates</h2>\n");
    html += &facts(&shown.run.theorem.rows(&job.rates));
    let measured = shown.decomposition.iter().map(|d| (d.t, d.total));
    html += &figures(&[
        regrets(&shown.decomposition),
        bound_and_measured(&shown.run.theorem, &job.rates, measured),
        norms(job, &shown.run.points),
    ]);
    if let Some(last) = shown.run.kept.last() {
        html += &format!("<h3>Policy π<sub>T</sub>, T = {}</h3>\n", last.t);
        html += &policy_table(job, &last.policy);
    }
    html
}

#[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
fn bound_and_measured(theorem: &Theorem, rates: &Rates, measured: impl Iterator<Item = (usize, f64)>) -> String {
    let measured: Vec<(usize, f64)> = measured.collect();
    let bound = measured.iter().map(|(t, _)| (*t as f64, theorem.bound(rates, *t).unwrap_or(f64::NAN))).collect();
    let measured = measured.iter().map(|(t, gap)| (*t as f64, *gap)).collect();
    log_lines(
        &format!("Average suboptimality up to t of this run, and {}'s bound on its mean", theorem.name()),
        &[Line { name: "measured", points: measured }, Line { name: "bound", points: bound }],
    )
}

/// Figures side by side, where there is room.
fn figures(parts: &[String]) -> String {
    format!("<div class=\"figures\">\n{}</div>\n", parts.concat())
}

/// The regrets that add up to the suboptimality.
fn regrets(decomposition: &[Decomposition]) -> String {
    let over = |part: fn(&Decomposition) -> f64| -> Vec<(f64, f64)> {
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        decomposition.iter().map(|d| (d.t as f64, part(d))).collect()
    };
    let mut parts = vec![
        Line { name: "suboptimality", points: over(|d| d.total) },
        Line { name: "θ-regret", points: over(|d| d.theta) },
        Line { name: "β-regret", points: over(|d| d.beta) },
        Line { name: "π-regret", points: over(|d| d.pi) },
    ];
    if decomposition.iter().any(|d| d.rho.is_some()) {
        parts.push(Line { name: "ρ-regret", points: over(|d| d.rho.unwrap_or(0.0)) });
    }
    lines("Average suboptimality up to t and the regrets that add up to it (from exact fractions)", &parts)
}

fn coverage_facts(problem: &Problem<BigRational>) -> String {
    match coverage::of_problem(problem, 1.0) {
        Err(error) => facts(&[("not computed", error.to_string())]),
        Ok(ratios) => facts(&ratios.iter().map(|ratio| (ratio.name, ratio.value.shown())).collect::<Vec<_>>()),
    }
}

fn over_t(points: &[Point], y: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
    points.iter().map(|point| (point.t as f64, y(point))).collect()
}

/// Iterate norms against their radii.
fn norms(job: &Job, points: &[Point]) -> String {
    let theta = [
        Line { name: "‖θ_t‖", points: over_t(points, |p| p.theta_norm) },
        Line { name: "radius D_θ", points: over_t(points, |_| job.radius_theta) },
    ];
    let beta = [
        Line { name: "‖β_t‖", points: over_t(points, |p| p.beta_norm) },
        Line { name: "radius D_β", points: over_t(points, |_| job.radius_beta) },
    ];
    lines("‖θ_t‖ over t", &theta) + &lines("‖β_t‖ over t", &beta)
}

fn suboptimality(best: f64, points: &[Point]) -> String {
    let line = Line { name: "ρ(π*) − ρ(π_t)", points: over_t(points, |p| best - p.value) };
    lines("Suboptimality of π_t over t", &[line])
}

fn policy_table(job: &Job, policy: &[f64]) -> String {
    let actions: Vec<String> = (0..job.shape.actions).map(|a| format!("a = {a}")).collect();
    let head: Vec<&str> = std::iter::once("state").chain(actions.iter().map(String::as_str)).collect();
    let row = |(x, row): (usize, &[f64])| -> Vec<Cell> {
        let cells = row.iter().map(|p| (format!("{p:.4}"), "number"));
        std::iter::once((format!("{x}"), "")).chain(cells).collect()
    };
    let states = policy.chunks(job.shape.actions).enumerate().take(STATES_SHOWN);
    let table = wide(&head, &states.map(row).collect::<Vec<_>>());
    let hidden = job.shape.states.saturating_sub(STATES_SHOWN);
    if hidden > 0 { format!("{table}<p>… and {hidden} more states.</p>\n") } else { table }
}

pub fn run_page(
    name: &str,
    job: &Job,
    report: &Report,
    decomposition: &[Decomposition],
    recorder: &mut Recorder<'_>,
) -> String {
    let mut rows = vec![
        ("setting", format!("{}, c = {}", report.setting, report.c)),
        ("rows", format!("{} = K {}, T {}", report.rows, report.inner, report.outer)),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}", report.alpha, report.eta, report.zeta)),
        ("seed", format!("{} ({})", report.seed, report.generator)),
        ("samples per second", format!("{:.0}", report.samples_per_second)),
    ];
    let mut drawn = Vec::new();
    if !decomposition.is_empty() {
        drawn.push(regrets(decomposition));
    }
    if let Some(values) = &report.values {
        rows.push(("optimal return", format!("{:.9}", values.optimal)));
        rows.push(("return of π_J", format!("{:.9} (J = {})", values.output, report.output_index)));
        rows.push(("return of the last policy", format!("{:.9}", values.last)));
        if let Some(gap) = values.suboptimality {
            rows.push(("measured suboptimality", format!("{gap:.9}")));
            rows.push(("theorem's bound on its mean", report.promise.to_string()));
            drawn.push(suboptimality(values.optimal, &recorder.points));
            if let (Promise::Bound(_), Some(theorem)) = (&report.promise, &job.theorem) {
                let measured = recorder.points.iter().map(|p| (p.t, values.optimal - p.mean_value));
                drawn.push(bound_and_measured(theorem, &job.rates, measured));
            }
        }
    }
    rows.extend(recorder.contradictions.iter().map(|found| ("data against the model", found.clone())));
    rows.extend(recorder.notes.iter().map(|note| ("note", note.clone())));
    drawn.push(norms(job, &recorder.points));
    let mut body = figures(&drawn);
    if decomposition.is_empty() {
        body += "<p>The exact decomposition into regrets: <code>opd certify --html</code>.</p>\n";
    }
    if let Some(model) = recorder.model.as_ref().filter(|model| model.lambda.is_some()) {
        body += COVERAGE;
        body += &match coverage::of_model(model) {
            Err(error) => facts(&[("not computed", error.to_string())]),
            Ok(ratios) => facts(&ratios.iter().map(|(name, x)| (*name, format!("{x:.9}"))).collect::<Vec<_>>()),
        };
    }
    body += &format!("<h2>Policy π<sub>J</sub>, J = {}</h2>\n", report.output_index);
    body += &policy_table(job, &recorder.chosen_policy);
    page(&format!("Run on {name}"), &(facts(&rows) + &body))
}

pub fn certificate_page(
    problem: &Problem<BigRational>,
    job: &Job,
    certificate: &Certificate,
    decomposition: &[Decomposition],
    recorder: &mut Recorder<'_>,
) -> String {
    let mut rows = vec![
        (
            "setting",
            format!("{}, c = {}, K = {}, T = {}", job.setting.name(), job.c.name(), job.rates.inner, job.rates.outer),
        ),
        ("duality gap", eye(&certificate.gap)),
        ("suboptimality", eye(&certificate.suboptimality)),
        ("θ-regret", eye(&certificate.regret_theta)),
        ("β-regret", eye(&certificate.regret_beta)),
        ("π-regret", eye(&certificate.regret_pi)),
    ];
    rows.extend(certificate.regret_rho.as_ref().map(|rho| ("ρ-regret", eye(rho))));
    rows.push(("equal, exactly", certificate.equal.to_string()));
    rows.extend(recorder.contradictions.iter().map(|found| ("data against the model", found.clone())));
    rows.extend(recorder.notes.iter().map(|note| ("note", note.clone())));
    let mut drawn = vec![regrets(decomposition)];
    if let (Promise::Bound(_), Some(theorem)) = (Promise::of(job, recorder), &job.theorem) {
        let measured = decomposition.iter().map(|d| (d.t, d.total));
        drawn.push(bound_and_measured(theorem, &job.rates, measured));
    }
    drawn.push(norms(job, &recorder.points));
    let mut body = facts(&rows) + &figures(&drawn);
    body += COVERAGE;
    body += &coverage_facts(problem);
    body += &format!("<h2>Policy π<sub>J</sub>, J = {}</h2>\n", job.chosen);
    body += &policy_table(job, &recorder.chosen_policy);
    page(&format!("Certificate of a run on {}", problem.name), &body)
}
