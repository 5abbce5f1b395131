//! A statement's article.

use super::folds::{counted, erratum, quoted};
use super::sources::{Grade, Sources};
use super::{anchor, class};
use crate::program::audit::{side, word};
use crate::program::html::mathml::{math, said};
use crate::program::html::{escape, number};
use crate::statements::{Finding, Side, Statement};
use std::collections::BTreeSet;

/// What is said of a statement in a word: the tag of the filter, the class, the word.
struct Badge(String, &'static str, String);

pub fn article(
    statement: &Statement,
    sources: &Sources,
    findings: &[Finding],
    errata_met: &mut BTreeSet<u32>,
) -> String {
    let of = |id: &str| -> Vec<&Finding> {
        findings.iter().filter(|finding| finding.statement.split(", ").any(|of| of == id)).collect()
    };
    let own = of(statement.id);
    let badges = badges(statement, sources);
    let tags: Vec<&str> = badges.iter().map(|badge| badge.0.as_str()).collect();
    let words: String =
        badges.iter().map(|Badge(_, class, text)| format!("<span class=\"{class}\">{text}</span>")).collect();
    let anchor = anchor(statement.id);
    let mut html = format!(
        "<article id=\"{anchor}\" tabindex=\"-1\" data-tags=\"{}\" data-text=\"{}\">\n<h3><a href=\"#{anchor}\">{}</a> {}</h3>\n<p class=\"tags\">{words}</p>\n",
        tags.join(" "),
        escape(&found_by(statement, sources, &badges)),
        escape(statement.id),
        math(statement.title)
    );
    html += &said(statement);
    html += &sides(&own);
    html += &whole(&own);
    html += &counted(statement.id, sources);
    html += &quoted(statement, sources);
    for number in statement.errata {
        let printed = sides(&of(&format!("Erratum {number}")));
        html += &erratum(*number, sources, errata_met.insert(*number), &printed);
    }
    html + "</article>\n"
}

/// The worst grade of a statement's errata.
pub fn worst<'a>(statement: &Statement, sources: &'a Sources) -> Option<Grade<'a>> {
    statement.errata.iter().filter_map(|number| sources.erratum(*number)).map(|erratum| erratum.grade).max()
}

fn badges(statement: &Statement, sources: &Sources) -> Vec<Badge> {
    let (proved, refuted) = (!statement.coq.is_empty(), !statement.refuted.is_empty());
    let exhaustive = sources.counts(statement.id).any(|count| count.how == "exhaustive");
    let enumerated = statement.checks().any(|check| check.enumerates);
    let mut badges: Vec<Badge> = [
        (proved && !refuted, "coq", "good", "proved for all (Coq)"),
        (refuted, "coq", "good", "corrected: proved for all (Coq)"),
        (refuted, "refuted", "bad", "as printed: refuted (Coq)"),
        (!statement.kani.is_empty(), "kani", "good", "code verified (Kani)"),
        (exhaustive, "exhaustive", "good", "exhaustive"),
        (enumerated, "enumerated", "good", "enumerated"),
        (!proved && !exhaustive && !enumerated, "sampled", "plain", "sampled"),
    ]
    .into_iter()
    .filter(|(there, ..)| *there)
    .map(|(_, tag, class, text)| Badge(tag.to_owned(), class, text.to_owned()))
    .collect();
    if let Some(grade) = worst(statement, sources) {
        let tag = format!("erratum {}", grade.name().replace(' ', "-"));
        badges.push(Badge(tag, graded(grade.name()), format!("print errs: {}", grade.name())));
    }
    badges
}

/// The colour of a grade.
pub fn graded(grade: &str) -> &'static str {
    match grade {
        "theorem false" => "bad",
        "proof step" => "note",
        _ => "plain",
    }
}

/// Short forms of the register and what print calls them.
const KINDS: [(&str, &str); 9] = [
    ("Thm", "theorem"),
    ("Def", "definition"),
    ("Asm", "assumption"),
    ("Prop", "proposition"),
    ("Cor", "corollary"),
    ("Rem", "remark"),
    ("Alg", "algorithm"),
    ("Tab", "table"),
    ("Lemma", "lemma"),
];

/// What a search finds a statement by: whatever print, the code, Coq and Kani call it, its section, its errata, its words and formulas.
fn found_by(statement: &Statement, sources: &Sources, badges: &[Badge]) -> String {
    let (id, gloss) = (statement.id, statement.gloss());
    let mut parts = vec![id.to_owned(), statement.title.to_owned(), super::front::place(statement.section)];
    if let Some((kind, number)) = id.split_once(' ') {
        let long = KINDS.iter().find(|(short, _)| *short == kind).map_or(kind, |(_, long)| long);
        parts.push(format!("{long} {number}"));
    }
    if let Some(number) = id.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        parts.push(format!("equation {number} equation {id} eq {number} eq {id}"));
    }
    parts.push(gloss.words.replace('$', ""));
    parts.extend(gloss.formulas.iter().map(|formula| formula.replace(['{', '}', '\\'], "")));
    for names in [statement.functions, statement.coq, statement.refuted, statement.kani] {
        parts.extend(names.iter().map(|name| (*name).to_owned()));
    }
    for number in statement.errata {
        let title = sources.erratum(*number).map_or("", |erratum| erratum.title);
        parts.push(format!("erratum {number} {title}"));
    }
    parts.extend(badges.iter().map(|badge| badge.2.clone()));
    parts.extend(statement.label.map(str::to_owned));
    parts.join(" | ").to_lowercase()
}

/// Both sides of checks on the instance.
fn sides(findings: &[&Finding]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut html = String::from("<table class=\"sides\"><thead><tr>");
    for name in ["compared", "left", "right", "verdict"] {
        html += &format!("<th scope=\"col\">{name}</th>");
    }
    html += "</tr></thead><tbody>\n";
    for finding in findings {
        let class = class(finding.status);
        let [lhs, rhs] = [&finding.lhs, &finding.rhs].map(|part| number(&side(part)));
        html += &format!(
            "<tr><td>{}</td><td data-name=\"left\">{lhs}</td><td data-name=\"right\">{rhs}</td><td class=\"{class}\">{}</td></tr>\n",
            math(&finding.compares),
            word(finding.status)
        );
    }
    html + "</tbody></table>\n"
}

/// The longest fraction that is quoted: a few lines.
const LONGEST: usize = 600;
const TOO_LONG: &str = "too long for a page, see <code>opd audit --json</code>";

/// The fractions that the table rounds, every digit of them.
fn whole(findings: &[&Finding]) -> String {
    let mut items = String::new();
    for finding in findings {
        let rounded = |part: &Side| match part {
            Side::Exact(x) => Some(x.to_string()).filter(|text| *text != side(part)),
            _ => None,
        };
        let quote = |text: String| if text.len() > LONGEST { TOO_LONG.to_owned() } else { text };
        let said = match (rounded(&finding.lhs), rounded(&finding.rhs)) {
            (None, None) => continue,
            (Some(left), Some(right)) if left == right => format!("both sides {}", quote(left)),
            (Some(left), Some(right)) => format!("left {}; right {}", quote(left), quote(right)),
            (Some(left), None) => format!("left {}", quote(left)),
            (None, Some(right)) => format!("right {}", quote(right)),
        };
        items += &format!("<li>{}: {said}</li>\n", math(&finding.compares));
    }
    if items.is_empty() {
        return items;
    }
    format!("<details><summary>The rounded fractions, whole</summary><ul class=\"whole\">\n{items}</ul></details>\n")
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, TOO_LONG, graded, whole};
    use crate::statements::{Finding, Side, Status};

    fn finding(lhs: Side, rhs: Side) -> Finding {
        let compares = "sides".to_owned();
        let (statement, residual) = ("(1)".to_owned(), Side::Float(0.0));
        Finding { check: None, statement, compares, lhs, rhs, residual, status: Status::Holds }
    }

    /// What the table has room for is not said again, what it rounds is, and what would fill a page is not.
    #[test]
    fn rounded_fractions_are_quoted_whole() {
        let exact = |text: &str| Side::Exact(text.parse().unwrap());
        let (short, one, other) = ("1/3", "1234567890123/4567890123457", "-98765432109871/45678901234567");
        let (most, more) = ("7".repeat(LONGEST), "7".repeat(LONGEST + 1));
        for (lhs, rhs, said) in [
            (exact(one), exact(one), format!("both sides {one}")),
            (exact(one), exact(other), format!("left {one}; right {other}")),
            (exact(one), exact(short), format!("left {one}")),
            (Side::Float(0.5), exact(other), format!("right {other}")),
            (exact(&most), exact(short), format!("left {most}")),
            (exact(&most), exact(&more), format!("left {most}; right {TOO_LONG}")),
        ] {
            let html = whole(&[&finding(exact(short), exact(short)), &finding(lhs, rhs)]);
            assert_eq!(
                (html.matches("<li>").count(), html.matches(&format!(": {said}</li>")).count()),
                (1, 1),
                "{html}"
            );
        }
        assert_eq!(whole(&[&finding(exact(short), Side::Text("–".to_owned()))]), "");
    }

    #[test]
    fn a_grade_has_its_colour() {
        assert_eq!(["theorem false", "proof step", "formula", "slip"].map(graded), ["bad", "note", "plain", "plain"]);
    }
}
