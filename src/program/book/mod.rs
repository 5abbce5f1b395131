//! `opd book`: the paper's statements in print's order, each with its formula, its code, its check on an instance, its proofs and its erratum.

mod article;
mod cell;
mod code;
mod excerpt;
mod folds;
mod frame;
mod front;
mod graph;
mod sources;

use crate::data::{InputError, OutputFile, Problem};
use crate::number::exact::BigRational as Q;
use crate::program::Verdict;
use crate::program::args::BookArgs;
use crate::program::audit::checks;
use crate::program::show::Show;
use crate::program::source;
use crate::statements::{Finding, Status, statements};
use serde_json::json;
use sources::Sources;
use std::collections::BTreeSet;

/// A problem, and what every check found on it.
pub struct Checked<'a> {
    problem: &'a Problem<Q>,
    findings: &'a [Finding],
}

pub fn book(args: &BookArgs, show: &Show) -> Result<Verdict, InputError> {
    let sources = Sources::read(&args.source_dir)?;
    let problem = source::problem::<Q>(&args.source)?;
    let findings = checks(&problem, f64::INFINITY)?;
    let cell = args.wasm.as_deref().map(cell::page).transpose()?;
    std::fs::create_dir_all(&args.out)
        .map_err(|e| InputError::file(&args.out, format!("cannot make the directory: {e}")))?;
    let file = args.out.join("index.html");
    let page = page(&sources, &Checked { problem: &problem, findings: &findings }, cell.is_some());
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

fn page(sources: &Sources, checked: &Checked, cell: bool) -> String {
    let mut body = String::from(NOTHING);
    let (mut section, mut errata_met) = ("", BTreeSet::new());
    for statement in statements() {
        if statement.section != section {
            body += if section.is_empty() { "" } else { "</section>\n" };
            section = statement.section;
            let (place, title) = (front::place(section), front::title(section));
            body += &format!("<section>\n<h2 id=\"section-{section}\"><small>{place}</small> {title}</h2>\n");
        }
        body += &article::article(statement, sources, checked.findings, &mut errata_met);
    }
    body += &format!("</section>\n<section>\n{GRAPH}{}</section>\n", graph::picture(sources, &nodes(sources)));
    let front = front::front(sources, checked, cell);
    frame::frame(
        "Offline primal-dual: the reading edition",
        &format!("<div id=\"front\">\n{front}</div>\n"),
        &format!("{}{body}", frame::controls()),
        include_str!("book.js"),
    )
}

const NOTHING: &str = "<p id=\"none\" hidden>Nothing found. Search for what print calls it (theorem 3.2, equation 8, section 4), an erratum (erratum 4), a word, a function, a theorem in Coq, \
a harness of Kani; or clear the field and choose every status.</p>\n";

const GRAPH: &str = "<h2 id=\"graph\">Which proof rests on which</h2>\n<p>Read off the Coq files: an arrow from left to right where a proof uses a theorem of this book, \
directly or through lemmas. Green: proved as printed, or up to a formula or a slip. Amber, dashed: in print a theorem or a step of its proof fails, and what is proved is the \
corrected form.</p>\n";

/// Every theorem once: where print errs badly in one of its statements, at that one.
fn nodes(sources: &Sources) -> Vec<graph::Node> {
    let mut nodes: Vec<graph::Node> = Vec::new();
    for statement in statements() {
        let erratum = article::worst(statement, sources).is_some_and(|grade| grade.is_grave());
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

/// The colour of a verdict.
fn class(status: Status) -> &'static str {
    match status {
        Status::Holds => "good",
        Status::Fails => "bad",
        _ => "note",
    }
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
            for theorem in statement.refuted {
                let printed = sources.claim(theorem).map(|claim| sources.printed(&claim)).unwrap_or_default();
                let name = printed.first().map(|printed| printed.text.as_str()).unwrap_or_default();
                assert!(printed.len() == 1 && name.starts_with("(**") && name.ends_with('.'), "{theorem}: {name}");
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
                assert!(sources.harness(harness).is_some() && sources.harness_code(harness).is_some(), "{harness}");
            }
            for number in statement.errata {
                assert!(sources.erratum(*number).is_some(), "erratum {number}");
            }
        }
        for setting in ["discounted", "average_reward"] {
            for (name, comment) in [("outer_iteration", "// for "), ("inner_step", "// ")] {
                let found = sources.function(&format!("paper::{setting}::algorithm::Algorithm::{name}"));
                assert!(found.is_some_and(|found| found.text.contains(comment)), "{setting}: {name}");
            }
        }
        assert!(nodes(&sources).len() > 50 && sources.axioms.len() == 4);
    }
}
