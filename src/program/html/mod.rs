//! Reports of `audit`, `run` and `certify`, each one self-contained HTML file.

mod figure;
mod page;
mod search;
mod table1;

use crate::Error;
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
use crate::statements::{Finding, Side, Status, statements};
use figure::{Axis, Figure, Line, Scale, lines};
use page::{Cell, facts, page, wide};
pub use page::{escape, formula};
pub use search::search_page;
pub use table1::table1_page;

/// How many states' policies are shown.
const STATES_SHOWN: usize = 64;

const CONTENTS: &str = "<a href=\"#coverage\">Coverage</a> · <a href=\"#parameters\">Parameters</a>";

/// Of a page that knows only the model's behaviour policy.
const COVERAGE: &str = "<h2 id=\"coverage\">Coverage of the optimal policy by the model's behaviour policy</h2>\n";

/// The axis of the iterations.
const OVER_T: &str = "outer iteration t";

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
    let mut body = format!("<p>{}</p>\n<p>{}</p>\n<p>{CONTENTS}", escape(&summary(checks)), formula(audit::PRINTED));
    for one in shown {
        let (id, title, _) = names(one.run.job.setting);
        body += &format!(" · <a href=\"#{id}\">{title}, drawn</a>");
    }
    body += "</p>\n";
    for (section, checks) in by_section(checks) {
        let rows: Vec<Vec<Cell>> = checks.iter().map(|check| row(check)).collect();
        let open = if checks.iter().any(|check| check.status == Status::Fails) { " open" } else { "" };
        let table = wide(&["statement", "compares", "left", "right", "residual", "verdict"], &rows);
        let told = brief_summary(&checks);
        let name = match section {
            "2" | "3" | "4" | "5" | "6" => format!("Section {section}"),
            "A" | "B" | "C" | "D" | "E" => format!("Appendix {section}"),
            _ => section.to_owned(),
        };
        body += &format!("<details{open}><summary><b>{name}</b>: {told}</summary>\n{table}</details>\n");
    }
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

/// The findings of each section, in the order of their first ones; what print says wrongly is together, at its place.
fn by_section(checks: &[Finding]) -> Vec<(&'static str, Vec<&Finding>)> {
    let section = |check: &Finding| {
        let id = check.statement.split(", ").next().unwrap_or_default();
        statements().find(|statement| statement.id == id).map_or("Errata: what print says", |found| found.section)
    };
    let mut sections: Vec<(&'static str, Vec<&Finding>)> = Vec::new();
    for check in checks {
        let name = section(check);
        match sections.iter_mut().find(|(known, _)| *known == name) {
            Some((_, findings)) => findings.push(check),
            None => sections.push((name, vec![check])),
        }
    }
    sections
}

/// How many of each verdict there are, those that there are.
fn brief_summary(checks: &[&Finding]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for verdict in checks.iter().map(|check| word(check.status)) {
        match counts.iter_mut().find(|(known, _)| *known == verdict) {
            Some((_, count)) => *count += 1,
            None => counts.push((verdict, 1)),
        }
    }
    counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect::<Vec<_>>().join(", ")
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
        average_suboptimality(&shown.decomposition),
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
    let trivial = measured.iter().map(|(t, _)| (*t as f64, 1.0)).collect();
    let measured = measured.iter().map(|(t, gap)| (*t as f64, *gap)).collect();
    let lines = vec![
        Line::new("measured", measured),
        Line::new("bound", bound),
        Line::new("1: a bound above it says nothing", trivial),
    ];
    let title = format!("Average suboptimality up to t of this run, and {}'s bound on its mean", theorem.name());
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: "reward per step", scale: Scale::Log });
    Figure { title: &title, x, y, lines }.html()
}

/// The suboptimality of the mixture, alone: beside the regrets it would be a flat line.
#[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
fn average_suboptimality(decomposition: &[Decomposition]) -> String {
    let points = decomposition.iter().map(|d| (d.t as f64, d.total)).collect();
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: "reward per step", scale: Scale::Fitted });
    let lines = vec![Line::new("ρ(π*) − (1/t) Σ_{i≤t} ρ(π_i)", points)];
    Figure { title: "Suboptimality of the mixture of π_1 … π_t", x, y, lines }.html()
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
        Line::new("suboptimality", over(|d| d.total)),
        Line::new("θ-regret", over(|d| d.theta)),
        Line::new("β-regret", over(|d| d.beta)),
        Line::new("π-regret", over(|d| d.pi)),
    ];
    if decomposition.iter().any(|d| d.rho.is_some()) {
        parts.push(Line::new("ρ-regret", over(|d| d.rho.unwrap_or(0.0))));
    }
    lines(
        "Average suboptimality up to t and the regrets that add up to it (from exact fractions)",
        OVER_T,
        "reward per step",
        parts,
    )
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
        Line::new("‖θ_t‖", over_t(points, |p| p.theta_norm)),
        Line::new("radius D_θ", over_t(points, |_| job.radius_theta)),
    ];
    let beta = [
        Line::new("‖β_t‖", over_t(points, |p| p.beta_norm)),
        Line::new("radius D_β", over_t(points, |_| job.radius_beta)),
    ];
    let (theta, beta) = (theta.into(), beta.into());
    lines("‖θ_t‖ over t", OVER_T, "length of θ", theta) + &lines("‖β_t‖ over t", OVER_T, "length of β", beta)
}

fn suboptimality(best: f64, points: &[Point]) -> String {
    let line = Line::new("ρ(π*) − ρ(π_t)", over_t(points, |p| best - p.value));
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: "reward per step", scale: Scale::Fitted });
    Figure { title: "Suboptimality of π_t over t", x, y, lines: vec![line] }.html()
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
    let mut drawn = Vec::new();
    if !decomposition.is_empty() {
        drawn.push(average_suboptimality(decomposition));
        drawn.push(regrets(decomposition));
    }
    if let Some(values) = report.values.as_ref().filter(|values| values.mixture.is_some()) {
        drawn.push(suboptimality(values.optimal, &recorder.points));
        if let (Promise::Bound(_), Some(theorem)) = (&report.promise, &job.theorem) {
            let measured = recorder.points.iter().map(|p| (p.t, values.optimal - p.mean_value));
            drawn.push(bound_and_measured(theorem, &job.rates, measured));
        }
    }
    drawn.push(norms(job, &recorder.points));
    let mut body = figures(&drawn);
    if decomposition.is_empty() {
        body += "<p>The exact decomposition into regrets: <code>opd certify --html</code>.</p>\n";
    }
    body += &run_coverage(recorder);
    body += &format!("<h2>Policy π<sub>J</sub>, J = {}</h2>\n", report.output_index);
    body += &policy_table(job, &recorder.chosen_policy);
    let mut rows = run_facts(report);
    rows.extend(recorder.contradictions.iter().map(|found| ("data against the model", found.clone())));
    rows.extend(recorder.notes.iter().map(|note| ("note", note.clone())));
    page(&format!("Run on {name}"), &(facts(&rows) + &body))
}

/// What was run, on what, and what came of it.
fn run_facts(report: &Report) -> Vec<(&'static str, String)> {
    let xi = report.xi.map_or_else(String::new, |xi| format!(", ξ {xi:.6e}"));
    let mut rows = vec![
        ("setting", format!("{}, c = {}", report.setting, report.c)),
        ("data", report.data.clone()),
        ("rows", format!("{} = K {}, T {}", report.rows, report.inner, report.outer)),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}{xi}", report.alpha, report.eta, report.zeta)),
        ("radii", format!("D_θ {:.6}, D_β {:.6}", report.radius_theta, report.radius_beta)),
        ("seed", format!("{} ({})", report.seed, report.generator)),
        ("samples per second", format!("{:.0}", report.samples_per_second)),
    ];
    if let Some(values) = &report.values {
        rows.extend(values.rows(report.output_index));
    }
    rows.push(("theorem's bound on the mixture's mean suboptimality", report.promise.to_string()));
    rows
}

fn run_coverage(recorder: &mut Recorder<'_>) -> String {
    match both_coverages(recorder) {
        table if table.is_empty() => table,
        table => format!("<h2 id=\"coverage\">Coverage of the optimal policy</h2>\n{table}"),
    }
}

/// Coverage by the model's behaviour policy, and beside it by the rows that were read, in doubles; nothing without a behaviour policy.
fn both_coverages(recorder: &mut Recorder<'_>) -> String {
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
    recorder: &mut Recorder<'_>,
) -> String {
    let mut rows = vec![
        (
            "setting",
            format!("{}, c = {}, K = {}, T = {}", job.setting.name(), job.c.name(), job.rates.inner, job.rates.outer),
        ),
        ("data", job.data.clone()),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}", job.rates.alpha, job.rates.eta, job.rates.zeta)),
        ("radii", format!("D_θ {:.6}, D_β {:.6}", job.radius_theta, job.radius_beta)),
        ("seed", job.seed.to_string()),
        ("duality gap", eye(&certificate.gap)),
        ("suboptimality of the mixture", eye(&certificate.suboptimality)),
        ("θ-regret", eye(&certificate.regret_theta)),
        ("β-regret", eye(&certificate.regret_beta)),
        ("π-regret", eye(&certificate.regret_pi)),
    ];
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
