//! An audit as text, fitted to the width there is.

use super::{PRINTED, Q, summary};
use crate::data::{Problem, counted};
use crate::program::coverage;
use crate::program::show::{Show, brief, brief_float, columns, fitted, wrap};
use crate::statements::{Finding, Side, Status};

/// A narrower table would break every formula: there each check is a paragraph.
const TABLE: usize = 100;

const LEGEND: &str = "erratum: print's claim fails here, as docs/errata.md says; holds here: such a claim, on an instance \
                      that does not show it; n/a: the instance lacks what the statement assumes";

const UNDECIDED: &str = "; undecided: the instance is too large for this check";

pub fn text(problem: &Problem<Q>, checks: &[Finding], show: &Show) -> String {
    let (shape, width) = (problem.shape, show.width());
    let mut text = format!(
        "{}: {}, {}, {}\n\n",
        show.bold(&problem.name),
        counted(shape.states, "state"),
        counted(shape.actions, "action"),
        counted(shape.dim, "feature")
    );
    text += &if width < TABLE { paragraphs(checks, width, show) } else { table(checks, width, show) };
    text += &format!("\n{}\n", show.bold("coverage of the optimal policy by the data"));
    text +=
        &coverage::of_problem(problem, 1.0).map_or_else(|e| format!("{e}\n"), |ratios| coverage::table(&ratios, show));
    for (theorem, rows) in super::parameters(problem) {
        text += &format!("\n{}\n", show.bold(&format!("{theorem}'s parameters for T = 1000, c = 1")));
        text += &rows.map_or_else(|e| format!("{e}\n"), |rows| named(&rows, show));
    }
    let undecided = checks.iter().any(|check| check.status == Status::Undecided);
    let legend = format!("{LEGEND}{}", if undecided { UNDECIDED } else { "" });
    text += &format!("\n{}\n", wrap(&legend, width).join("\n"));
    text += &format!("{}\n", wrap(PRINTED, width).join("\n"));
    text += &format!("{}\n", wrap(&summary(checks), width).join("\n"));
    text
}

fn named(rows: &[(&str, String)], show: &Show) -> String {
    columns(&rows.iter().map(|(name, value)| vec![show.bold(name), value.clone()]).collect::<Vec<_>>())
}

fn table(checks: &[Finding], width: usize, show: &Show) -> String {
    const STATEMENT: usize = 22;
    const RESIDUAL: usize = 9;
    const VERDICT: usize = 10;
    let side_width = 14 + (width.saturating_sub(120) / 4).min(10);
    let compares = width - STATEMENT - 2 * side_width - RESIDUAL - VERDICT - 10;
    let head = ["statement", "compares", "left", "right", "residual", "verdict"];
    let mut rows = vec![head.map(|word| show.bold(word)).to_vec()];
    rows.extend(checks.iter().map(|check| {
        vec![
            check.statement.clone(),
            check.compares.clone(),
            side(&check.lhs, side_width),
            side(&check.rhs, side_width),
            side(&check.residual, RESIDUAL),
            verdict(check.status, show),
        ]
    }));
    fitted(&rows, &[STATEMENT, compares])
}

fn paragraphs(checks: &[Finding], width: usize, show: &Show) -> String {
    const VERDICT: usize = 12;
    let room = width.saturating_sub(VERDICT).max(20);
    let mut text = String::new();
    for check in checks {
        let told = format!("{}: {}", check.statement, check.compares);
        let mut lines = wrap(&told, room);
        if !matches!(check.lhs, Side::Text(_)) {
            let [lhs, rhs] = [&check.lhs, &check.rhs].map(|part| side(part, room / 3));
            let residual = side(&check.residual, 12);
            lines.extend(wrap(&format!("left {lhs}, right {rhs}, residual {residual}"), room));
        }
        let label = brief_word(check.status);
        for (i, line) in lines.iter().enumerate() {
            let margin = if i == 0 { label } else { "" };
            let padding = " ".repeat(VERDICT - margin.chars().count());
            let margin = if i == 0 { verdict(check.status, show) } else { String::new() };
            text += &format!("{margin}{padding}{line}\n");
        }
    }
    text
}

fn side(side: &Side, longest: usize) -> String {
    match side {
        Side::Exact(x) => brief(x, longest),
        Side::Float(x) => brief_float(*x, longest),
        Side::Text(text) => text.clone(),
    }
}

/// A status in a word; the legend says more.
fn brief_word(status: Status) -> &'static str {
    match status {
        Status::Holds => "holds",
        Status::Fails => "FAILS",
        Status::Erratum => "erratum",
        Status::ErratumNotShown => "holds here",
        Status::NotApplicable => "n/a",
        Status::Undecided => "undecided",
    }
}

fn verdict(status: Status, show: &Show) -> String {
    let word = brief_word(status);
    match status {
        Status::Holds => show.green(word),
        Status::Fails => show.red(word),
        Status::Erratum | Status::Undecided => show.yellow(word),
        Status::ErratumNotShown | Status::NotApplicable => word.to_owned(),
    }
}
