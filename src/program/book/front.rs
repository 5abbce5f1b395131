//! What stands before the statements: what the page is, what came of checking the paper, how to read an article, the contents.

use super::article::graded;
use super::sources::{Grade, Sources};
use super::{Checked, anchor};
use crate::instances;
use crate::program::audit::PRINTED;
use crate::program::html::{escape, formula};
use crate::statements::{Statement, Status, statements};
use std::collections::BTreeSet;

/// The paper's sections and appendices, in our words.
const TITLES: [(&str, &str); 11] = [
    ("1", "The method among others"),
    ("2", "Linear MDPs, occupancy measures and their linear programs"),
    ("3", "Algorithm 1 and its sample complexity"),
    ("4", "The analysis: a duality gap that is a sum of regrets"),
    ("5", "Average reward"),
    ("6", "Coverage ratios side by side"),
    ("A", "Theorem 3.2 with every constant"),
    ("B", "Proofs for the discounted setting"),
    ("C", "Average reward: Algorithm 2, its bound and its proofs"),
    ("D", "Two lemmas of online learning"),
    ("E", "How the coverage ratios compare"),
];

/// Section 2 or Appendix B.
pub fn place(section: &str) -> String {
    let kind = if section.starts_with(|c: char| c.is_ascii_digit()) { "Section" } else { "Appendix" };
    format!("{kind} {section}")
}

/// The heading of a section.
pub fn title(section: &str) -> &'static str {
    TITLES.iter().find(|(known, _)| *known == section).map_or("", |(_, title)| title)
}

pub fn front(sources: &Sources, checked: &Checked, cell: bool) -> String {
    let mut html =
        format!("{WHAT}\n<section class=\"result\" aria-labelledby=\"result\">\n{}</section>\n", result(checked));
    html += &format!("<p>{}", instance(checked));
    if cell {
        html += " <a href=\"try.html\">Try it</a>: edit a transition probability, and every identity is computed anew.";
    }
    html + &format!("</p>\n{READING}{}{KEYS}{}", badges(sources), contents(sources))
}

const WHAT: &str = "<p class=\"lead\">Every statement of <em>Offline Primal-Dual Reinforcement Learning for Linear MDPs</em>, under its printed number and in its order: \
what it says, the code that computes it, both its sides evaluated in exact arithmetic, what Coq proves of it, and where print errs. \
Read it with the paper at hand; the paper's own sentences are not repeated.</p>";

const READING: &str = "<details class=\"reading\" open><summary><b>How to read an article</b></summary>\n<ol>\n\
<li>The heading is the number that print gives, or a section and a word (<code>S2.q</code>) where it gives none; the badges say what is known.</li>\n\
<li>The formula is the one that holds. Where print has another, the erratum at the end of the article has both.</li>\n\
<li>The table has both sides of each check on the instance. They are fractions. One that is too long to read is rounded to ten digits and says how many digits its numerator and its \
denominator have: ≈ 0.7615916895 (21/21 digits); below the table it is whole. Of two vectors it shows the component where they are furthest apart, the first one if they are equal. Logarithms and exponentials are enclosed, and shown to ten digits.</li>\n\
<li>Then, folded, each from its file at that line: the functions in Rust, the theorems in Coq, the harnesses that Kani verified, and the errata with print's claim evaluated, too.</li>\n\
</ol></details>\n";

const KEYS: &str = "<p class=\"keys\">Keys: <kbd>/</kbd> search, <kbd>Enter</kbd> to what was found, <kbd>j</kbd> <kbd>k</kbd> next and previous statement, <kbd>e</kbd> open or close every fold.</p>\n";

/// What came of checking the paper.
fn result(checked: &Checked) -> String {
    let count = |of: fn(&Statement) -> bool| statements().filter(|statement| of(statement)).count();
    let verdicts = |status| checked.findings.iter().filter(|finding| finding.status == status).count();
    let (shown, hidden) = (verdicts(Status::Erratum), verdicts(Status::ErratumNotShown));
    format!(
        "<h2 id=\"result\">What came of it</h2>\n<p><strong>{HEADLINE}</strong> {}</p>\n\
         <p>Of {} statements {} have a theorem in Coq, {} have code that Kani verified, {} have an erratum, if only a slip. Evaluated on one instance, {} checks hold and {} fail; of {} \
         claims of print that the errata correct {shown} fail there, as they should.</p>\n",
        linked(PRINTED),
        statements().count(),
        count(|statement| !statement.coq.is_empty()),
        count(|statement| !statement.kani.is_empty()),
        count(|statement| !statement.errata.is_empty()),
        verdicts(Status::Holds),
        verdicts(Status::Fails),
        shown + hidden
    )
}

const HEADLINE: &str = "Four theorems are false as printed; all four hold as corrected.";

/// Statements and errata that a text names, with links to them: 3.2 to Thm 3.2, and numbers after "erratum" or "items" to these.
fn linked(text: &str) -> String {
    let mut of_errata = false;
    let word = |word: &str| {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        let theorem = core.trim_end_matches("'s");
        let numbered = core.parse::<u32>().ok();
        of_errata = matches!(core, "erratum" | "errata" | "items")
            || of_errata && (numbered.is_some() || matches!(core, "to" | "and"));
        let target = match numbered.filter(|_| of_errata) {
            Some(number) => {
                statements().any(|statement| statement.errata.contains(&number)).then(|| format!("erratum-{number}"))
            }
            None => statements()
                .find(|statement| statement.id.strip_prefix("Thm ") == Some(theorem))
                .map(|of| anchor(of.id)),
        };
        let link = |place: String| formula(word).replacen(theorem, &format!("<a href=\"#{place}\">{theorem}</a>"), 1);
        target.map_or_else(|| formula(word), link)
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// On what both sides are evaluated.
fn instance(checked: &Checked) -> String {
    let (name, problem) = (escape(&checked.problem.name), checked.problem);
    let discount = problem.model("the book").map_or_else(|_| String::new(), |mdp| format!(", γ = {}", mdp.discount()));
    match instances::by_name(&problem.name) {
        Some(known) => format!(
            "The instance is <strong>{name}</strong>{discount}: {}. Its numbers: <code>opd instances {name}</code>.",
            escape(known.description())
        ),
        None => format!(
            "The instance is <strong>{name}</strong>: {} states, {} actions, {} features{discount}.",
            problem.shape.states, problem.shape.actions, problem.shape.dim
        ),
    }
}

/// What the badges mean.
fn badges(sources: &Sources) -> String {
    let rows: [(&str, &[&str], &str); 6] = [
        ("good", &["proved for all (Coq)"], "A Coq theorem, for every model and dimension."),
        (
            "bad",
            &["as printed: refuted (Coq)"],
            "Coq proves that what is printed is false; what is proved for all is its correction.",
        ),
        ("good", &["code verified (Kani)"], "The code itself, for every input of the sizes that the harness names."),
        (
            "good",
            &["exhaustive", "enumerated"],
            "Exhaustive: on every model of a family, for all real iterates. Enumerated: expectations are over every sample, optima over every policy.",
        ),
        ("plain", &["sampled"], "None of these; like all, checked exactly on a thousand random models."),
        (
            "",
            &[],
            "The worst grade of what is wrong in print: a theorem is false; a step of a proof fails, the theorem survives; a formula is wrong, nothing rests on it; a slip.",
        ),
    ];
    let span = |class: &str, text: &str| format!("<span class=\"{class}\">{text}</span>");
    let mut html =
        String::from("<details class=\"reading\" open><summary><b>What the badges mean</b></summary>\n<dl>\n");
    for (class, names, means) in rows {
        let mut shown: Vec<String> = names.iter().map(|name| span(class, name)).collect();
        if names.is_empty() {
            let grades = Grade::NAMES.iter().rev();
            shown.extend(grades.map(|grade| span(graded(grade), &format!("print errs: {grade}"))));
        }
        html += &format!("<dt class=\"tags\">{}</dt><dd>{means}</dd>\n", shown.join(" "));
    }
    html + &format!(
        "</dl>\n<p id=\"axioms\">Coq's theorems stand at most on the axioms of the real numbers, <code>{}</code>; <code>proofs/coq/check.sh</code> asks Coq.</p></details>\n",
        sources.axioms.join("</code>, <code>")
    )
}

/// Every section with its title and its statements, and the errata.
fn contents(sources: &Sources) -> String {
    let mut html = String::from("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ul>\n");
    for (section, _) in TITLES {
        let own = statements().filter(|statement| statement.section == section);
        let ids: Vec<String> = own
            .map(|statement| format!("<a href=\"#{}\">{}</a>", anchor(statement.id), escape(statement.id)))
            .collect();
        let (place, title) = (place(section), title(section));
        html += &entry(&format!("<a href=\"#section-{section}\"><b>{place}</b> {title}</a>"), &ids);
    }
    let numbers: BTreeSet<u32> = statements().flat_map(|statement| statement.errata).copied().collect();
    let errata = numbers.into_iter().filter_map(|number| Some((number, sources.erratum(number)?)));
    let errata = errata.map(|(number, erratum)| {
        let class = graded(erratum.grade.name());
        let named = format!("{} ({})", erratum.title, erratum.grade.words);
        format!("<a class=\"{class}\" href=\"#erratum-{number}\" title=\"{}\">{number}</a>", escape(&named))
    });
    html += &entry("<b>Errata</b>, each in the first article that it touches", &errata.collect::<Vec<_>>());
    html += &entry("<a href=\"#graph\"><b>Which proof rests on which</b></a>", &[]);
    html + "</ul>\n</nav>\n"
}

fn entry(title: &str, below: &[String]) -> String {
    format!("<li>{title} <small>{}</small></li>\n", below.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::{HEADLINE, TITLES, linked, title};
    use crate::statements::statements;

    #[test]
    fn four_theorems_are_refuted() {
        let refuted = statements().filter(|of| of.id.starts_with("Thm") && !of.refuted.is_empty());
        assert_eq!((refuted.count(), HEADLINE.split(' ').next()), (4, Some("Four")));
    }

    #[test]
    fn every_section_has_a_title() {
        assert!(statements().all(|statement| !title(statement.section).is_empty()));
        assert!(TITLES.iter().all(|(section, _)| statements().any(|statement| statement.section == *section)));
    }

    /// A heading is that of its section, and no other's.
    #[test]
    fn sections_are_called_what_they_are() {
        let found = ["2", "5", "A", "E"].map(|section| title(section).split([',', ' ']).next().unwrap());
        assert_eq!(found, ["Linear", "Average", "Theorem", "How"]);
        assert_eq!(title("F"), "");
    }

    #[test]
    fn what_a_text_names_is_linked() {
        let to = |place: &str, text: &str| format!("<a href=\"#{place}\">{text}</a>");
        let (theorem, erratum) = (to("sThm-3.2", "3.2"), to("erratum-4", "4"));
        assert_eq!(
            linked("Theorem 3.2, at 4 (erratum 4: C ≤ D)"),
            format!("Theorem {theorem}, at 4 (erratum {erratum}: C ≤ D)")
        );
        assert_eq!(
            linked("A.1's items 1 and 15, 4"),
            format!(
                "{}'s items {} and {}, {erratum}",
                to("sThm-A.1", "A.1"),
                to("erratum-1", "1"),
                to("erratum-15", "15")
            )
        );
    }
}
