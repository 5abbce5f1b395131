//! Reports of `audit`, `run` and `certify`, each one self-contained HTML file.

mod figure;
mod page;

use crate::audit::{Check, Status, side, summary, word};
use crate::certify::Decomposition;
use crate::coverage;
use crate::engine::Job;
use crate::recorder::{Point, Recorder};
use crate::run::{Report, exponent};
use crate::show::eye;
use figure::{Line, lines};
use offline_primal_dual::data::{Certificate, Problem};
use offline_primal_dual::exact::BigRational;
use page::{Cell, facts, page, wide};

/// How many states' policies are shown.
const STATES_SHOWN: usize = 64;

pub fn audit_page(problem: &Problem<BigRational>, checks: &[Check]) -> String {
    let plain = |text: String| -> Cell { (text, "") };
    let row = |check: &Check| -> Vec<Cell> {
        let class = match check.status {
            Status::Holds => "good",
            Status::Fails => "bad",
            Status::Erratum | Status::ErratumNotShown => "note",
            Status::NotApplicable => "",
        };
        vec![
            plain(check.statement.clone()),
            plain(check.compares.clone()),
            plain(side(&check.lhs)),
            plain(side(&check.rhs)),
            plain(side(&check.residual)),
            (word(check.status).to_owned(), class),
        ]
    };
    let rows: Vec<Vec<Cell>> = checks.iter().map(row).collect();
    let mut body = format!("<p>{}</p>\n", summary(checks));
    body += &wide(&["statement", "compares", "left", "right", "residual", "verdict"], &rows);
    body += "<h2>Coverage of the optimal policy by the data</h2>\n";
    body += &coverage_facts(problem);
    page(&format!("Audit of {}", problem.name), &body)
}

fn coverage_facts(problem: &Problem<BigRational>) -> String {
    match coverage::of_problem(problem) {
        Err(error) => facts(&[("not computed", error.to_string())]),
        Ok(ratios) => {
            let shown = |ratio: &coverage::Ratio| match &ratio.at_least {
                None => eye(&ratio.value),
                Some(low) => format!("in [{:.12}, {:.12}]", low.to_f64(), ratio.value.to_f64()),
            };
            facts(&ratios.iter().map(|ratio| (ratio.name, shown(ratio))).collect::<Vec<_>>())
        }
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
        let cells = row.iter().map(|p| (format!("{p:.4}"), ""));
        std::iter::once((format!("{x}"), "")).chain(cells).collect()
    };
    let states = policy.chunks(job.shape.actions).enumerate().take(STATES_SHOWN);
    let table = wide(&head, &states.map(row).collect::<Vec<_>>());
    let hidden = job.shape.states.saturating_sub(STATES_SHOWN);
    if hidden > 0 { format!("{table}<p>… and {hidden} more states.</p>\n") } else { table }
}

pub fn run_page(name: &str, job: &Job, report: &Report, recorder: &Recorder<'_>) -> String {
    let mut rows = vec![
        ("setting", format!("{}, c = {}", report.setting, report.c)),
        ("rows", format!("{} = K {}, T {}", report.rows, report.inner, report.outer)),
        ("rates", format!("α {:.6e}, η {:.6e}, ζ {:.6e}", report.alpha, report.eta, report.zeta)),
        ("seed", format!("{} ({})", report.seed, report.generator)),
        ("samples per second", format!("{:.0}", report.samples_per_second)),
    ];
    let mut body = String::new();
    if let Some(values) = &report.values {
        rows.push(("optimal return", format!("{:.9}", values.optimal)));
        rows.push(("return of π_J", format!("{:.9} (J = {})", values.output, report.output_index)));
        rows.push(("return of the last policy", format!("{:.9}", values.last)));
        if let Some(gap) = values.suboptimality {
            let bound = report.bound.map_or_else(String::new, |bound| format!(", theorem's bound {bound:.6}"));
            rows.push(("measured suboptimality", format!("{gap:.9}{bound}")));
            body += &suboptimality(values.optimal, &recorder.points);
        }
    }
    body += &norms(job, &recorder.points);
    body += &format!("<h2>Policy π_J, J = {}</h2>\n", report.output_index);
    body += &policy_table(job, &recorder.chosen_policy);
    page(&format!("Run on {name}"), &(facts(&rows) + &body))
}

pub fn certificate_page(
    problem: &Problem<BigRational>,
    job: &Job,
    certificate: &Certificate,
    decomposition: &[Decomposition],
    recorder: &Recorder<'_>,
) -> String {
    let mut rows = vec![
        ("setting", format!("{}, c = {}, K = {}, T = {}", job.setting.name(), exponent(job.c), job.inner, job.outer)),
        ("duality gap", eye(&certificate.gap)),
        ("suboptimality", eye(&certificate.suboptimality)),
        ("θ-regret", eye(&certificate.regret_theta)),
        ("β-regret", eye(&certificate.regret_beta)),
        ("π-regret", eye(&certificate.regret_pi)),
    ];
    rows.extend(certificate.regret_rho.as_ref().map(|rho| ("ρ-regret", eye(rho))));
    rows.push(("equal, exactly", certificate.equal.to_string()));
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
    if certificate.regret_rho.is_some() {
        parts.push(Line { name: "ρ-regret", points: over(|d| d.rho) });
    }
    let mut body =
        facts(&rows) + &lines("Average suboptimality and its regrets up to t (from exact fractions)", &parts);
    body += &norms(job, &recorder.points);
    body += "<h2>Coverage of the optimal policy by the data</h2>\n";
    body += &coverage_facts(problem);
    body += &format!("<h2>Policy π_J, J = {}</h2>\n", recorder.chosen);
    body += &policy_table(job, &recorder.chosen_policy);
    page(&format!("Certificate of a run on {}", problem.name), &body)
}
