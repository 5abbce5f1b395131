//! The page of an audit.

use super::{Demonstration, PRINTED, parameters, side, summary, word};
use crate::data::{Problem, Setting};
use crate::number::exact::BigRational;
use crate::program::html::drawn::{
    COVERAGE, average_suboptimality, bound_and_measured, coverage_facts, norms, policy_table, regrets,
};
use crate::program::html::figure::figures;
use crate::program::html::mathml::{math, said};
use crate::program::html::page::{Cell, classed, escape, facts, formula, number, page};
use crate::statements::{Finding, Side, Statement, Status, statements};
use std::collections::BTreeSet;

const CONTENTS: &str = "<a href=\"#coverage\">Coverage</a> · <a href=\"#parameters\">Parameters</a>";

pub fn audit_page(problem: &Problem<BigRational>, checks: &[Finding], shown: &[Demonstration]) -> String {
    let plain = |text: &str| -> Cell { (escape(text), "") };
    let number = |part: &Side| -> Cell { (number(&side(part)), "number") };
    let row = |check: &Finding| -> Vec<Cell> {
        let class = match check.status {
            Status::Holds => "good",
            Status::Fails => "bad",
            Status::Erratum | Status::ErratumNotShown => "note",
            Status::NotApplicable | Status::Undecided => "",
        };
        vec![
            plain(&check.statement),
            (math(&check.compares), ""),
            number(&check.lhs),
            number(&check.rhs),
            number(&check.residual),
            (word(check.status).to_owned(), class),
        ]
    };
    let mut body = format!("<p>{}</p>\n<p>{}</p>\n<p>{CONTENTS}", escape(&summary(checks)), formula(PRINTED));
    for one in shown {
        let (id, title, _) = names(one.run.job.setting);
        body += &format!(" · <a href=\"#{id}\">{title}, drawn</a>");
    }
    body += "</p>\n";
    let mut met = BTreeSet::new();
    for (section, checks) in by_section(checks) {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for check in &checks {
            rows.extend(statements_of(check).filter(|of| met.insert(of.id)).map(|of| vec![introduced(of)]));
            rows.push(row(check));
        }
        let open = if checks.iter().any(|check| check.status == Status::Fails) { " open" } else { "" };
        let table =
            classed("wide fixed audit", &["statement", "compares", "left", "right", "residual", "verdict"], &rows);
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
    for (theorem, rows) in parameters(problem) {
        body += &format!("<h3>{theorem}</h3>\n");
        body += &rows.map_or_else(|e| facts(&[("not computed", e.to_string())]), |rows| facts(&rows));
    }
    for one in shown {
        body += &demonstration(one);
    }
    page(&format!("Audit of {}", problem.name), &body)
}

/// The statements that a finding is of.
fn statements_of(check: &Finding) -> impl Iterator<Item = &'static Statement> {
    check.statement.split(", ").filter_map(|id| statements().find(|statement| statement.id == id))
}

/// What a statement says, above its first check.
fn introduced(statement: &Statement) -> Cell {
    (format!("<b>{}</b> {}\n{}", escape(statement.id), math(statement.title), said(statement)), "said")
}

/// The findings of each section, in print's order; what print says wrongly is together, at the end.
fn by_section(checks: &[Finding]) -> Vec<(&'static str, Vec<&Finding>)> {
    let section =
        |check: &Finding| statements_of(check).next().map_or("Errata: what print says", |found| found.section);
    let mut sections: Vec<(&'static str, Vec<&Finding>)> = Vec::new();
    for check in checks {
        let name = section(check);
        match sections.iter_mut().find(|(known, _)| *known == name) {
            Some((_, findings)) => findings.push(check),
            None => sections.push((name, vec![check])),
        }
    }
    let place = |name: &str| statements().position(|statement| statement.section == name).unwrap_or(usize::MAX);
    sections.sort_by_key(|(name, _)| place(name));
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
    let plural = |verdict: &str, count| {
        let errata = if count == 1 { "erratum" } else { "errata" };
        verdict.replacen("holds", "hold", 1).replacen("fails,", "fail,", 1).replacen(
            "erratum,",
            &format!("{errata},"),
            1,
        )
    };
    counts.iter().map(|(verdict, count)| format!("{count} {}", plural(verdict, *count))).collect::<Vec<_>>().join("; ")
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
