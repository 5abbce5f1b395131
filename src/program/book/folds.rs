//! What an article folds away: what the tests counted, code, claims, harnesses, errata.

use super::code;
use super::excerpt::Excerpt;
use super::sources::{Count, Sources};
use crate::program::html::{escape, formula};
use crate::statements::Statement;

/// What the tests counted.
pub fn counted(statement: &str, sources: &Sources) -> String {
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

/// Every function, claim, refutation and harness of a statement.
pub fn quoted(statement: &Statement, sources: &Sources) -> String {
    let mut html = String::new();
    for name in statement.functions {
        let title = format!("<code>{}</code>", escape(name).replace("::", "::<wbr>"));
        html += &excerpt(&title, sources.function(name).as_ref(), code::rust, "", "");
    }
    for theorem in statement.coq {
        let title = format!("Coq: <code>{}</code>", escape(theorem));
        html += &excerpt(&title, sources.claim(theorem).as_ref(), code::coq, "", AXIOMS);
    }
    for theorem in statement.refuted {
        html += &refuted(theorem, sources);
    }
    for name in statement.kani {
        html += &kani(name, sources);
    }
    html
}

/// Under a claim: which axioms are meant is said once, on top.
const AXIOMS: &str = "<p>Axioms: at most <a href=\"#axioms\">those of the real numbers</a>.</p>";

/// A piece of a file, folded, and what is above and under it.
fn excerpt(title: &str, found: Option<&Excerpt>, highlight: fn(&str) -> String, above: &str, under: &str) -> String {
    match found {
        None => format!("<p>{title}</p>\n"),
        Some(found) => {
            let (at, code) = piece(found, highlight);
            format!("<details><summary>{title} {at}</summary>{above}{code}{under}</details>\n")
        }
    }
}

/// Where a piece of a file begins, and what it says.
fn piece(Excerpt { file, line, text }: &Excerpt, highlight: fn(&str) -> String) -> (String, String) {
    (format!("<small>{}:{line}</small>", escape(file)), format!("<pre tabindex=\"0\">{}</pre>", highlight(text)))
}

/// A refutation, and what it says is false.
fn refuted(theorem: &str, sources: &Sources) -> String {
    let title = format!("Coq, of what is printed: <code>{}</code>", escape(theorem));
    let claim = sources.claim(theorem);
    let mut under = String::from("<p>What is printed, and what Coq says is false (<code>~</code>):</p>");
    for printed in claim.iter().flat_map(|claim| sources.printed(claim)) {
        let (at, code) = piece(&printed, code::coq);
        under += &format!("<p>{at}</p>{code}");
    }
    under += "<p>What it names is in the same file, which is to be read alone.</p>";
    excerpt(&title, claim.as_ref(), code::coq, "", &(under + AXIOMS))
}

fn kani(name: &str, sources: &Sources) -> String {
    let row = sources.harness(name);
    let cell = |i: usize| row.and_then(|row| row.get(i)).map(|cell| sentence(cell)).unwrap_or_default();
    let told = format!(
        "<p>{}</p><p>Seen to fail: {} Assumes: {} Stubs: {} Unwinding: {} {} Last run: {}</p>",
        cell(2),
        cell(3),
        cell(4),
        cell(5),
        cell(6),
        cell(8),
        cell(10)
    );
    let title = format!("Kani: <code>{}</code>", escape(name));
    excerpt(&title, sources.harness_code(name).as_ref(), code::rust, &told, "")
}

/// A cell of a table as a sentence: a capital first, a stop at the end.
fn sentence(cell: &str) -> String {
    let mut rest = cell.chars();
    let first = rest.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    let stop = if cell.ends_with(['.', '!', '?']) { "" } else { "." };
    marked(&format!("{first}{}{stop}", rest.as_str()))
}

/// An erratum whole, with print's claims on the instance; where it was met before, a link.
pub fn erratum(number: u32, sources: &Sources, first: bool, checked: &str) -> String {
    let Some(erratum) = sources.erratum(number) else { return String::new() };
    let (title, grade) = (marked(erratum.title), escape(erratum.grade.words));
    if !first {
        return format!(
            "<p class=\"note\"><a href=\"#erratum-{number}\">Erratum {number}</a> ({grade}): {title}</p>\n"
        );
    }
    let mut items = String::new();
    for line in erratum.text.lines().filter(|line| !line.trim().is_empty()) {
        match line.strip_prefix("- ") {
            Some(item) => items += &format!("</li><li>{}", marked(item)),
            None => items += &format!(" {}", marked(line.trim())),
        }
    }
    let items = items.trim_start_matches("</li>");
    let shown =
        if checked.is_empty() { String::new() } else { format!("<p>What is printed, on the instance:</p>\n{checked}") };
    format!(
        "<details id=\"erratum-{number}\"><summary class=\"note\">Erratum {number} ({grade}): {title}</summary><ul>{items}</li></ul>{shown}</details>\n"
    )
}

/// Markdown's bold and code.
pub fn marked(text: &str) -> String {
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
    #[test]
    fn a_cell_is_a_sentence() {
        assert_eq!(super::sentence("verified, 1 of 1 covers"), "Verified, 1 of 1 covers.");
        assert_eq!(super::sentence("`x` is left out."), "<code>x</code> is left out.");
    }
}
