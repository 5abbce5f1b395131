//! `opd book`: the paper's statements in print's order, each with its formula, its code, its check on an instance, its proofs and its erratum.

mod cell;
mod code;
mod frame;
mod graph;
mod sources;

use crate::data::{InputError, OutputFile};
use crate::number::exact::BigRational as Q;
use crate::program::Verdict;
use crate::program::args::BookArgs;
use crate::program::audit::{checks, side, word};
use crate::program::html::mathml::{math, said};
use crate::program::html::{escape, formula};
use crate::program::show::Show;
use crate::program::source;
use crate::statements::{Finding, Statement, Status, statements};
use serde_json::json;
use sources::{Count, Excerpt, Sources};
use std::collections::BTreeSet;

const WORDS: &str = "<p>Every statement of <em>Offline Primal-Dual Reinforcement Learning for Linear MDPs</em>, under its printed number and in its order: what it says, \
the function that is it, both sides of its check on one instance, evaluated in exact arithmetic, how often it was checked elsewhere, what is proved of it in Coq for every model and \
dimension, what Kani verified of the code, and where print errs. The paper's own sentences are not repeated here.</p>\n\
<p><em>Proved for all</em>: a Coq theorem, for every model and dimension. <em>Exhaustive</em>: every model of a family, for all real iterates. <em>Enumerated</em>: expectations over every sample, optima over every policy. \
<em>Sampled</em>: none of these, but exact checks on random models, as all have.</p>\n\
<p>Keys: <kbd>/</kbd> search and <kbd>Enter</kbd> to what was found, <kbd>j</kbd> and <kbd>k</kbd> next and previous statement, <kbd>e</kbd> open or close everything.</p>\n";

pub fn book(args: &BookArgs, show: &Show) -> Result<Verdict, InputError> {
    let sources = Sources::read(&args.source_dir)?;
    let problem = source::problem::<Q>(&args.source)?;
    let findings = checks(&problem, f64::INFINITY)?;
    let cell = args.wasm.as_deref().map(cell::page).transpose()?;
    std::fs::create_dir_all(&args.out)
        .map_err(|e| InputError::file(&args.out, format!("cannot make the directory: {e}")))?;
    let file = args.out.join("index.html");
    let page = page(&sources, &problem.name, &findings, cell.is_some());
    let mut files = vec![OutputFile::holding(&file, page.as_bytes())?];
    if let Some(cell) = cell {
        files.push(OutputFile::holding(&args.out.join("try.html"), cell.as_bytes())?);
    }
    OutputFile::finish_all(files)?;
    let (file, count) = (file.display().to_string(), statements().count());
    let failed = findings.iter().any(|finding| finding.status == Status::Fails);
    if show.json {
        show.value(&json!({ "file": file, "statements": count, "instance": problem.name, "failed": failed }))?;
    } else {
        show.text(&format!("{file}: {count} statements, checked on {}\n", problem.name))?;
    }
    Ok(if failed { Verdict::Bad } else { Verdict::Good })
}

fn page(sources: &Sources, instance: &str, findings: &[Finding], cell: bool) -> String {
    let mut body = String::from(WORDS);
    body += &format!("<p>The instance is <strong>{}</strong>.", escape(instance));
    if cell {
        body += " <a href=\"try.html\">Try it</a>: edit a transition probability, and every identity is computed anew.";
    }
    body += "</p>\n";
    body += frame::CONTROLS;
    body += frame::MAIN;
    let (mut section, mut quoted) = ("", BTreeSet::new());
    for statement in statements() {
        if statement.section != section {
            section = statement.section;
            let kind = if section.starts_with(|c: char| c.is_ascii_digit()) { "Section" } else { "Appendix" };
            body += &format!("<h2 id=\"section-{section}\">{kind} {section}</h2>\n");
        }
        body += &article(statement, sources, findings, &mut quoted);
    }
    body += "<h2 id=\"graph\">Which proof rests on which</h2>\n<p>Read off the Coq files: an arrow from left to right where a proof uses a theorem of this book, \
             directly or through lemmas. Green: proved as printed; amber: print errs there, and what is proved is the corrected form.</p>\n";
    body += &graph::picture(sources, &nodes());
    frame::frame("Offline primal-dual: the reading edition", &body, frame::SCRIPT)
}

/// Every theorem once: where print errs in one of its statements, at that one.
fn nodes() -> Vec<graph::Node> {
    let mut nodes: Vec<graph::Node> = Vec::new();
    for statement in statements() {
        let erratum = !statement.errata.is_empty();
        for theorem in statement.coq {
            match nodes.iter_mut().find(|node| node.theorem == *theorem) {
                Some(known) if known.erratum || !erratum => {}
                Some(known) => (known.statement, known.erratum) = (statement.id, true),
                None => nodes.push(graph::Node { theorem, statement: statement.id, erratum }),
            }
        }
    }
    nodes
}

/// The place of a statement in the page.
fn anchor(id: &str) -> String {
    let plain: String = id.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' }).collect();
    format!("s{}", plain.trim_matches('-'))
}

fn article(statement: &Statement, sources: &Sources, findings: &[Finding], quoted: &mut BTreeSet<u32>) -> String {
    let own: Vec<&Finding> =
        findings.iter().filter(|finding| finding.statement.split(", ").any(|id| id == statement.id)).collect();
    let mut tags = Vec::new();
    let mut words = String::new();
    let proved = !statement.coq.is_empty();
    let exhaustive = sources.counts(statement.id).any(|count| count.how == "exhaustive");
    let enumerated = statement.checks().any(|check| check.enumerates);
    for (there, tag, class, text) in [
        (proved && statement.refuted.is_empty(), "coq", "good", "proved for all (Coq)"),
        (!statement.refuted.is_empty(), "coq", "good", "corrected: proved for all (Coq)"),
        (!statement.refuted.is_empty(), "refuted", "note", "as printed: refuted (Coq)"),
        (!statement.kani.is_empty(), "kani", "good", "code verified (Kani)"),
        (exhaustive, "exhaustive", "good", "exhaustive"),
        (enumerated, "enumerated", "good", "enumerated"),
        (!proved && !exhaustive && !enumerated, "sampled", "note", "sampled"),
        (!statement.errata.is_empty(), "erratum", "note", "print errs"),
    ] {
        if there {
            tags.push(tag);
            words += &format!("<span class=\"{class}\">{text}</span>");
        }
    }
    let anchor = anchor(statement.id);
    let text = format!(
        "{} {} {} {} {}",
        statement.id,
        statement.title,
        statement.gloss().words.replace('$', ""),
        statement.functions.join(" "),
        statement.label.unwrap_or("")
    );
    let mut html = format!(
        "<article id=\"{anchor}\" tabindex=\"-1\" data-tags=\"{}\" data-text=\"{}\">\n<h3><a href=\"#{anchor}\">{}</a> {}</h3>\n<p class=\"tags\">{words}</p>\n",
        tags.join(" "),
        escape(&text.to_lowercase()),
        escape(statement.id),
        math(statement.title)
    );
    html += &said(statement);
    html += &sides(&own);
    html += &counted(statement.id, sources);
    for function in statement.functions {
        html += &excerpt(
            &format!("<code>{}</code>", escape(function).replace("::", "::<wbr>")),
            sources.function(function).as_ref(),
            code::rust,
            "",
        );
    }
    let axioms = format!(
        "Axioms: at most those of the real numbers, <code>{}</code>; <code>proofs/coq/check.sh</code> asks Coq.",
        sources.axioms.join("</code>, <code>")
    );
    for theorem in statement.coq {
        let title = format!("Coq: <code>{}</code>", escape(theorem));
        html += &excerpt(&title, sources.claim(theorem).as_ref(), code::coq, &axioms);
    }
    for theorem in statement.refuted {
        let title = format!("Coq, of what is printed: <code>{}</code>", escape(theorem));
        let whole =
            "What is printed is a definition in <code>proofs/coq/RefutedStatements.v</code>, with every hypothesis.";
        html += &excerpt(&title, sources.claim(theorem).as_ref(), code::coq, whole);
    }
    for harness in statement.kani {
        html += &kani(harness, sources.harness(harness));
    }
    for number in statement.errata {
        html += &erratum(*number, sources, quoted);
    }
    html + "</article>\n"
}

/// The colour of a verdict.
fn class(status: Status) -> &'static str {
    match status {
        Status::Holds => "good",
        Status::Fails => "bad",
        _ => "note",
    }
}

/// Both sides of every check on the instance.
fn sides(own: &[&Finding]) -> String {
    if own.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<table><thead><tr><th>compared</th><th>left</th><th>right</th><th>verdict</th></tr></thead><tbody>\n",
    );
    for finding in own {
        let class = class(finding.status);
        let [lhs, rhs] = [&finding.lhs, &finding.rhs].map(|part| escape(&side(part)).replace('/', "/<wbr>"));
        html += &format!(
            "<tr><td>{}</td><td data-name=\"left\">{lhs}</td><td data-name=\"right\">{rhs}</td><td class=\"{class}\">{}</td></tr>\n",
            math(&finding.compares),
            word(finding.status)
        );
    }
    html + "</tbody></table>\n"
}

/// What the tests counted.
fn counted(statement: &str, sources: &Sources) -> String {
    let said = |count: &Count| {
        let (times, on) = (grouped(&count.times), formula(&count.on));
        let checks = if count.how == "exhaustive" { "cases, for all real iterates" } else { "evaluations" };
        format!("<li>{times} {checks}, on {on}</li>\n")
    };
    let items: String = sources.counts(statement).map(said).collect();
    if items.is_empty() {
        return items;
    }
    format!(
        "<details><summary>Counted in <code>cargo test</code>, none failing</summary><ul>\n{items}</ul></details>\n"
    )
}

/// 1234567 as 1,234,567.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A piece of a file, folded, and a line under it.
fn excerpt(title: &str, found: Option<&Excerpt>, highlight: fn(&str) -> String, under: &str) -> String {
    match found {
        None => format!("<p>{title}</p>\n"),
        Some(Excerpt { file, line, text }) => format!(
            "<details><summary>{title} <small>{}:{line}</small></summary><pre tabindex=\"0\">{}</pre>{}</details>\n",
            escape(file),
            highlight(text),
            if under.is_empty() { String::new() } else { format!("<p>{under}</p>") }
        ),
    }
}

fn kani(name: &str, row: Option<&[String]>) -> String {
    let cell = |i: usize| row.and_then(|row| row.get(i)).map(|cell| marked(cell)).unwrap_or_default();
    format!(
        "<details><summary>Kani: <code>{}</code></summary><p>{}</p><p>Refuted by: {} Assumes: {} Unwinding: {}. {}, {}.</p></details>\n",
        escape(name),
        cell(2),
        cell(3),
        cell(4),
        cell(6),
        cell(8),
        cell(10)
    )
}

/// An erratum, whole where it is first met, then by a link.
fn erratum(number: u32, sources: &Sources, quoted: &mut BTreeSet<u32>) -> String {
    let Some((text, grade)) = sources.erratum(number) else { return String::new() };
    if !quoted.insert(number) {
        return format!(
            "<p class=\"note\"><a href=\"#erratum-{number}\">Erratum {number}</a> ({})</p>\n",
            escape(grade)
        );
    }
    let mut lines = text.lines();
    let title = lines.next().unwrap_or_default();
    let mut items = String::new();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        match line.strip_prefix("- ") {
            Some(item) => items += &format!("</li><li>{}", marked(item)),
            None => items += &format!(" {}", marked(line.trim())),
        }
    }
    let items = items.trim_start_matches("</li>");
    format!(
        "<details id=\"erratum-{number}\"><summary class=\"note\">Erratum {} ({})</summary><ul>{items}</li></ul></details>\n",
        marked(title),
        escape(grade)
    )
}

/// Markdown's bold and code.
fn marked(text: &str) -> String {
    let mut html = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 1 {
            html += &format!("<code>{}</code>", escape(part));
            continue;
        }
        for (j, piece) in part.split("**").enumerate() {
            html += &if j % 2 == 1 { format!("<strong>{}</strong>", formula(piece)) } else { formula(piece) };
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::{Sources, nodes};
    use crate::statements::statements;
    use std::path::Path;

    /// What the register names, the book finds.
    #[test]
    fn every_function_claim_and_erratum_is_quoted() {
        let sources = Sources::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        for statement in statements() {
            for function in statement.functions {
                assert!(sources.function(function).is_some(), "{function}");
            }
            for theorem in statement.coq.iter().chain(statement.refuted) {
                let claim = sources.claim(theorem).unwrap_or_else(|| panic!("{theorem}"));
                assert!(claim.text.to_lowercase().contains(&theorem.to_lowercase()), "{theorem}: {}", claim.text);
            }
            assert_eq!(
                sources.counts(statement.id).filter(|count| count.how == "random").count(),
                1,
                "{}",
                statement.id
            );
            for harness in statement.kani {
                assert!(sources.harness(harness).is_some(), "{harness}");
            }
            for number in statement.errata {
                assert!(sources.erratum(*number).is_some(), "erratum {number}");
            }
        }
        assert!(nodes().len() > 50 && sources.axioms.len() == 4);
    }
}
