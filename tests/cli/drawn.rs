//! What the pages show: the book, and the pages of an audit, of a search and of Table 1.

use crate::audit::constant;
use crate::numbers::MODEL;
use crate::opd::Place;
use crate::{json, said};
use offline_primal_dual::statements::{Statement, statements};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn page_of(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.path(name)).unwrap()
}

/// What is between two texts, wherever.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
}

/// A cell of a table by its column's name, without tags.
fn cell(row: &str, name: &str) -> String {
    plain(between(row, &format!("data-name=\"{name}\""), "</td>")[0].split_once('>').unwrap().1)
}

/// Without tags.
fn plain(html: &str) -> String {
    let text: String = format!(">{html}").split('>').map(|part| part.split('<').next().unwrap()).collect();
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (entity, sign)| text.replace(entity, sign))
}

/// The number of a fraction, whole or rounded.
fn number(shown: &str) -> f64 {
    let shown = shown.trim_start_matches("≈ ").split(" (").next().unwrap();
    let (p, q) = shown.split_once('/').unwrap_or((shown, "1"));
    p.parse::<f64>().unwrap_or(f64::NAN) / q.parse::<f64>().unwrap()
}

/// A side of a finding as the pages have it: what it is, or ten digits of it.
fn shows(shown: &str, found: &Value) -> bool {
    let found = found.as_str().unwrap();
    shown == found || found == "0.0" && shown == "0" || (number(shown) - crate::fraction(found)).abs() <= 1e-10
}

/// The word of a verdict.
fn word(status: &str) -> &'static str {
    match status {
        "holds" => "holds",
        "fails" => "FAILS",
        "erratum" => "fails, as the erratum says",
        "erratum-not-shown" => "erratum, not shown here",
        "not-applicable" => "not applicable",
        _ => "undecided",
    }
}

/// How many of each verdict, in the order in which they come.
fn counted(rows: &[&Value]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for row in rows {
        let word = word(row["status"].as_str().unwrap());
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let plural = |word: &str, count: usize| match word.split_once(' ') {
        None if word == "holds" => "hold".to_owned(),
        Some(("fails,", rest)) => format!("fail, {rest}"),
        Some(("erratum,", rest)) if count > 1 => format!("errata, {rest}"),
        _ => word.to_owned(),
    };
    counts.iter().map(|(word, count)| format!("{count} {}", plural(word, *count))).collect::<Vec<_>>().join("; ")
}

/// Every finding with its sides and its verdict in the section of its statement, each statement introduced once.
#[test]
fn the_page_of_an_audit_has_every_finding() {
    let place = Place::new();
    let found = json(&place, "audit --instance two-state --html a.html --json");
    let page = page_of(&place, "a.html");
    let section = |row: &Value| {
        let first = row["statement"].as_str().unwrap().split(", ").next().unwrap().to_owned();
        statements().find(|of| of.id == first).map_or("Errata", |of| of.section)
    };
    let mut shown = 0;
    let mut before = None;
    for part in between(&page, "<details", "</details>") {
        let (title, told) = plain(between(part, "<summary>", "</summary>")[0]).split_once(": ").map_or_else(
            || panic!("{part}"),
            |(title, told)| {
                // Its name has a colon, too.
                let told = told.strip_prefix("what print says: ").unwrap_or(told);
                (title.rsplit(' ').next().unwrap().to_owned(), told.to_owned())
            },
        );
        let rows: Vec<&Value> = found.as_array().unwrap().iter().filter(|row| section(row) == title).collect();
        assert_eq!(told, counted(&rows), "{title}");
        let drawn: Vec<&str> =
            between(part, "<tr>", "</tr>").into_iter().filter(|row| row.contains("data-name")).collect();
        assert_eq!(drawn.len(), rows.len(), "{title}");
        for (drawn, row) in drawn.iter().zip(&rows) {
            assert_eq!(cell(drawn, "statement"), row["statement"].as_str().unwrap());
            assert_eq!(cell(drawn, "verdict"), word(row["status"].as_str().unwrap()));
            for (name, key) in [("left", "lhs"), ("right", "rhs"), ("residual", "residual")] {
                assert!(shows(&cell(drawn, name), &row[key]), "{name}: {} for {row}", cell(drawn, name));
            }
        }
        shown += rows.len();
        let place = statements().position(|of| of.section == title).unwrap_or(usize::MAX);
        assert!(before < Some(place), "{title} is out of order");
        before = Some(place);
    }
    assert_eq!(shown, found.as_array().unwrap().len());
    let introduced: Vec<&str> = between(&page, "class=\"said\"><b>", "</b>");
    let ids: BTreeSet<String> = introduced.iter().map(|id| plain(id)).collect();
    assert_eq!((introduced.len(), ids.len()), (statements().count(), statements().count()));
    what_is_computed_beside(&place, &page);
}

/// Coverage and the theorems' parameters as their own commands print them, in the page and in the text; and a run of each algorithm as `certify`
/// draws it.
fn what_is_computed_beside(place: &Place, page: &str) {
    let one_space = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = one_space(&said(place, "audit --instance two-state"));
    let facts = one_space(&plain(&page.replace("<sub>", "_").replace("<sup>", "^").replace("</th>", " ")));
    let facts = facts.replace(['{', '}'], "");
    let mut calls = vec!["coverage --instance two-state".to_owned()];
    calls.extend(
        ["discounted", "average"].map(|name| format!("tune --instance two-state --outer 1000 --setting {name}")),
    );
    for call in calls {
        let lines = said(place, &call);
        assert!(lines.lines().count() >= 4, "{lines}");
        // What a tuning says beyond its theorem's parameters.
        for line in lines.lines().filter(|line| !line.starts_with("rounding")) {
            let line = one_space(line);
            assert!(text.contains(&line), "{line} is not in {text}");
            assert!(facts.contains(&line.replace(['{', '}'], "")), "{line} is not in {facts}");
        }
    }
    for (name, algorithm) in [("discounted", "Algorithm 1"), ("average", "Algorithm 2")] {
        assert!(page.contains(&format!("<a href=\"#{name}\">{algorithm}, drawn</a>")));
        let call = format!("certify --instance two-state --setting {name} --inner 10 --outer 40 --html c.html");
        said(place, &call);
        let (_, own) = page.split_once(&format!("<h2 id=\"{name}\">{algorithm} on rows")).unwrap();
        let (certificate, own) = (page_of(place, "c.html"), own.split("<h2").next().unwrap());
        let figures = between(&certificate, "<figure>", "</figure>");
        assert_eq!((figures.len(), between(own, "<figure>", "</figure>")), (5, figures.clone()), "{name}");
        assert_eq!(between(own, "data-name=\"state\"", "</td>").len(), 2, "{name}: a row for each state");
    }
}

fn root() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// 1234567 as 1,234,567.
fn grouped(digits: &str) -> String {
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap()).collect();
    parts.join(",")
}

/// The rows of a table in Markdown.
fn table(file: &str) -> Vec<Vec<String>> {
    let row = |line: &str| line.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).to_owned()).collect();
    read(file).lines().filter(|line| line.starts_with("| ")).map(row).collect()
}

#[test]
fn the_book_says_of_each_statement_what_is_known() {
    let place = Place::new();
    let root = root();
    said(&place, &format!("book --out . --instance two-state --source {}", root.display()));
    let page = page_of(&place, "index.html");
    let findings = json(&place, "audit --instance two-state --json");
    let (counts, harnesses) = (table("docs/tables/counts.md"), table("docs/tables/kani-table.md"));
    let articles = between(&page, "<article", "</article>");
    assert_eq!(articles.len(), statements().count());
    let mut quoted = BTreeSet::new();
    for (article, statement) in articles.iter().zip(statements()) {
        let own = |row: &&Value| row["statement"].as_str().unwrap().split(", ").any(|id| id == statement.id);
        let mut rows: Vec<&Value> = findings.as_array().unwrap().iter().filter(own).collect();
        // What is printed, evaluated in the erratum, where that is whole.
        for number in statement.errata.iter().filter(|number| !quoted.contains(*number)) {
            let name = format!("Erratum {number}");
            rows.extend(findings.as_array().unwrap().iter().filter(|row| row["statement"] == name.as_str()));
        }
        let drawn: Vec<&str> =
            between(article, "<tr>", "</tr>").into_iter().filter(|row| row.contains("data-name")).collect();
        assert_eq!(drawn.len(), rows.len(), "{}", statement.id);
        for (drawn, row) in drawn.iter().zip(rows) {
            assert!(shows(&cell(drawn, "left"), &row["lhs"]) && shows(&cell(drawn, "right"), &row["rhs"]), "{row}");
            let class = if row["status"] == "holds" { "good" } else { "note" };
            let verdict = format!("<td class=\"{class}\">{}</td>", word(row["status"].as_str().unwrap()));
            assert!(drawn.ends_with(&verdict), "{drawn}");
        }
        what_it_says(article, statement);
        tagged(article, statement, &counts);
        for row in counts.iter().filter(|row| row[0] == statement.id) {
            let how = if row[1] == "exhaustive" { "cases, for all real iterates" } else { "evaluations" };
            let told = format!("{} {how}, on ", grouped(&row[2]));
            assert!(plain(article).contains(&told), "{}: {told}", statement.id);
        }
        quoted_where_it_is(article, statement);
        for name in statement.kani {
            let row = harnesses.iter().find(|row| row[0].trim_matches('`').ends_with(name)).unwrap();
            let words =
                |text: &str| text.split_whitespace().next().unwrap_or("").trim_matches(['*', '`', ',']).to_owned();
            let fold = article.split(&format!("Kani: <code>{name}</code>")).nth(1).unwrap();
            let fold = plain(fold.split("<pre").next().unwrap().split_once("<p>").unwrap().1);
            assert!(fold.starts_with(&words(&row[1])), "{name}: {fold}");
            assert!(fold.contains("Verified, ") && !fold.contains(".."), "{name}: {fold}");
        }
        for number in statement.errata {
            let whole = article.contains(&format!("<details id=\"erratum-{number}\">"));
            let link = article.contains(&format!("href=\"#erratum-{number}\">Erratum {number}</a>"));
            assert_eq!((whole, link), (quoted.insert(number), !whole), "{}, erratum {number}", statement.id);
        }
    }
    errata_are_whole(&page, &quoted);
    first_screen(&page);
    what_came_of_it(&page, &articles, findings.as_array().unwrap());
    rests_on(&page);
}

/// Before the first statement: the main result with links, the instance, every axiom, and a table of contents with every statement and erratum.
fn first_screen(page: &str) {
    let (front, rest) = page.split_once("<main").unwrap();
    assert!(
        front.contains("<strong>Four theorems are false as printed")
            && front.contains("The instance is <strong>two-state")
    );
    assert!(front.contains("href=\"#sThm-C.1\">C.1</a>") && front.contains("erratum <a href=\"#erratum-4\">4</a>"));
    assert!(
        read("proofs/coq/allowed-axioms.txt").lines().all(|axiom| front.contains(axiom))
            && !rest.contains("sig_not_dec")
    );
    let contents = between(front, "<nav", "</nav>")[0];
    for statement in statements() {
        assert_eq!(contents.matches(&format!(">{}</a>", statement.id)).count(), 1, "{}", statement.id);
    }
    let errata: BTreeSet<&u32> = statements().flat_map(|statement| statement.errata).collect();
    assert_eq!(contents.matches("href=\"#erratum-").count(), errata.len());
}

/// What the first screen counts is what is below it, and what the audit finds; and its sections are headed as print calls them.
fn what_came_of_it(page: &str, articles: &[&str], findings: &[Value]) {
    let tagged = |tag: &str| {
        let tags = articles.iter().filter_map(|article| between(article, "data-tags=\"", "\"").first().copied());
        tags.filter(|tags| tags.split(' ').any(|known| known == tag)).count()
    };
    let found = |status: &str| findings.iter().filter(|finding| finding["status"] == status).count();
    let (shown, hidden) = (found("erratum"), found("erratum-not-shown"));
    let told = format!(
        "Of {} statements {} have a theorem in Coq, {} have code that Kani verified, {} have an erratum, if only a slip. Evaluated on one \
         instance, {} checks hold and {} fail; of {} claims of print that the errata correct {shown} fail there",
        articles.len(),
        tagged("coq"),
        tagged("kani"),
        tagged("erratum"),
        found("holds"),
        found("fails"),
        shown + hidden
    );
    assert!(page.contains(&told), "{told}");
    assert!(shown > 0 && hidden > 0 && page.contains("The instance is <strong>two-state</strong>, γ = 9/10: "));
    for section in statements().map(|statement| statement.section) {
        let kind = if section.parse::<u32>().is_ok() { "Section" } else { "Appendix" };
        let heading = format!("<h2 id=\"section-{section}\"><small>{kind} {section}</small> ");
        assert_eq!(page.matches(&heading).count(), 1, "{section}");
    }
}

/// The words of its gloss, with as many formulas in between; and its formulas, without an empty piece.
fn what_it_says(article: &str, statement: &Statement) {
    let gloss = statement.gloss();
    let formulas = between(article, "<p class=\"formula\">", "</p>");
    assert_eq!(formulas.len(), gloss.formulas.len(), "{}", statement.id);
    assert!(!article.contains("<mrow></mrow></math>"), "{}: an empty formula", statement.id);
    let said = between(article, "\n<p>", "</p>")[0];
    let words = gloss.words.split('$').step_by(2).filter(|words| !words.is_empty());
    let mut rest = said;
    for words in words {
        let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        rest = rest.split_once(&words).unwrap_or_else(|| panic!("{}: {words} is not in {said}", statement.id)).1;
    }
    assert_eq!(said.matches("<math>").count(), gloss.words.matches('$').count() / 2, "{}: {said}", statement.id);
}

/// The worst grade of a statement's errata, in the errata's own table.
fn grade(statement: &Statement) -> Option<&'static str> {
    let table = table("docs/errata.md");
    let of = |number: &u32| table.iter().find(|row| row[0] == number.to_string()).map(|row| row[1].clone()).unwrap();
    let own: Vec<String> = statement.errata.iter().map(of).collect();
    let grades =
        [("theorem false", "theorem-false"), ("proof step", "proof-step"), ("formula", "formula"), ("slip", "slip")];
    grades.iter().find(|(name, _)| own.iter().any(|own| own.starts_with(name))).map(|(_, tag)| *tag)
}

fn tagged(article: &str, statement: &Statement, counts: &[Vec<String>]) {
    let enumerated = statement.checks().any(|check| check.enumerates);
    let exhaustive = counts.iter().any(|row| row[0] == statement.id && row[1] == "exhaustive");
    let mut tags = Vec::new();
    for (there, tag) in [
        (!statement.coq.is_empty(), "coq"),
        (!statement.refuted.is_empty(), "refuted"),
        (!statement.kani.is_empty(), "kani"),
        (exhaustive, "exhaustive"),
        (enumerated, "enumerated"),
        (statement.coq.is_empty() && !exhaustive && !enumerated, "sampled"),
        (!statement.errata.is_empty(), "erratum"),
    ] {
        tags.extend(there.then_some(tag));
    }
    let grade = grade(statement);
    tags.extend(grade);
    let [said, all] = [grade.unwrap_or(""), &tags.join(" ")].map(str::to_owned);
    assert_eq!(between(article, "data-tags=\"", "\"")[0], all, "{}", statement.id);
    let badge = format!("print errs: {}</span>", said.replace('-', " "));
    assert_eq!(article.contains(&badge), grade.is_some(), "{}: {badge}", statement.id);
    let searched = between(article, "data-text=\"", "\"")[0];
    for names in [statement.functions, statement.coq, statement.refuted, statement.kani] {
        assert!(names.iter().all(|name| searched.contains(&name.to_lowercase())), "{searched}");
    }
    assert!(statement.errata.iter().all(|number| searched.contains(&format!("erratum {number} "))), "{searched}");
}

/// Functions and claims: whole, under the file and line where they begin.
fn quoted_where_it_is(article: &str, statement: &Statement) {
    let quotes: Vec<(String, String)> = between(article, "<small>", "</pre>")
        .iter()
        .map(|quote| {
            let quote = format!("{quote}</pre>");
            let (at, text) = quote.split_once("</small>").unwrap();
            (at.to_owned(), plain(&between(text, "<pre tabindex=\"0\">", "</pre>").concat()))
        })
        .collect();
    // Below a refutation, what it says is false.
    let refuted = statement.refuted.iter().flat_map(|name| [*name, "Definition"]);
    let names =
        [statement.functions, statement.coq].concat().into_iter().chain(refuted).chain(statement.kani.iter().copied());
    let names: Vec<_> = names.collect();
    assert_eq!(quotes.len(), names.len(), "{}", statement.id);
    for ((at, text), name) in quotes.iter().zip(names) {
        let (file, line) = at.rsplit_once(':').unwrap();
        let source = read(file);
        let lines: Vec<&str> = source.lines().skip(line.parse::<usize>().unwrap() - 1).collect();
        // The function of a type is quoted without its margin.
        let margin = lines[0].len() - lines[0].trim_start().len();
        for (quoted, line) in text.lines().zip(&lines) {
            assert_eq!(quoted, line.get(margin..).unwrap_or(""), "{at}");
        }
        let (short, end) = (name.rsplit("::").next().unwrap(), text.trim_end().chars().last());
        assert!(
            text.to_lowercase().contains(&short.to_lowercase()) && matches!(end, Some('}' | ';' | '.')),
            "{at}: {text}"
        );
        if name == "Definition" {
            let refuted = &quotes[quotes.iter().position(|(other, _)| other == at).unwrap() - 1].1;
            let defined = text.rsplit("\nDefinition ").next().unwrap().split(' ').next().unwrap();
            assert!(refuted.contains(&format!("~ {defined} ")) && text.starts_with("(**"), "{refuted}: {text}");
        }
        let own = text.lines().filter(|line| !line.starts_with("///") && !line.starts_with("#[")).count();
        assert!(own >= 1 && text.matches("\npub ").count() <= 1, "{at}: {text}");
        let above = source.lines().nth(line.parse::<usize>().unwrap().wrapping_sub(2)).unwrap_or("");
        assert!(!above.trim_start().starts_with("///"), "{at}: its comment begins above");
    }
}

/// Every erratum that a statement names, to its last line, with Markdown's bold and code as they should be.
fn errata_are_whole(page: &str, quoted: &BTreeSet<&u32>) {
    let errata = read("docs/errata.md");
    for number in quoted {
        let text = between(page, &format!("<details id=\"erratum-{number}\">"), "</details>")[0];
        let (_, own) = errata.split_once(&format!("\n## {number}. ")).unwrap();
        let own = own.split("\n## ").next().unwrap();
        let codes: Vec<&str> = own.split('`').skip(1).step_by(2).collect();
        let shown: Vec<String> = between(text, "<code>", "</code>").iter().map(|code| plain(code)).collect();
        assert_eq!(shown, codes, "erratum {number}");
        assert_eq!(between(text, "<li>", "</li>").len(), own.matches("\n- ").count(), "erratum {number}");
        let bold: Vec<&str> = own.split("**").skip(1).step_by(2).collect();
        let strong: Vec<String> = between(text, "<strong>", "</strong>").iter().map(|bold| plain(bold)).collect();
        assert_eq!(strong.len(), bold.len(), "erratum {number}");
    }
}

/// Coq's sources by the name of their file, as words, without comments, which nest.
fn coq(directory: &Path, out: &mut BTreeMap<String, Vec<String>>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            coq(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "v") {
            let text = std::fs::read_to_string(&path).unwrap().replace("(*", "\u{1}").replace("*)", "\u{2}");
            let mut depth = 0;
            let outside = |c: &char| {
                depth += i32::from(*c == '\u{1}') - i32::from(*c == '\u{2}');
                depth == 0
            };
            let text: String = text.chars().filter(outside).collect();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
            let words = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
            out.insert(path.file_stem().unwrap().to_string_lossy().into_owned(), words);
        }
    }
}

/// A lemma: its file and its name.
type Lemma = (String, String);

/// What every lemma names, from its name to its Qed: of its own file, or of one that this imports, itself or through another.
fn lemmas() -> BTreeMap<Lemma, BTreeSet<Lemma>> {
    let mut files = BTreeMap::new();
    coq(&root().join("proofs/coq"), &mut files);
    let mut words: BTreeMap<Lemma, BTreeSet<&String>> = BTreeMap::new();
    let mut seen: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for (file, text) in &files {
        let mut name = None;
        for (at, word) in text.iter().enumerate() {
            if ["Theorem", "Lemma", "Corollary"].contains(&word.as_str()) {
                name = Some((file.clone(), text[at + 1].clone()));
            }
            name = name.filter(|_| word != "Qed");
            words.entry(name.clone().unwrap_or_default()).or_default().insert(word);
        }
        let imports = text.windows(3).enumerate().filter(|(_, three)| *three == ["OPD", "Require", "Import"]);
        let names = imports.flat_map(|(at, _)| text[at + 3..].iter().take_while(|name| files.contains_key(*name)));
        seen.insert(file, names.chain([file]).collect());
    }
    words.remove(&Lemma::default());
    // No chain of imports is longer than 2⁵ files.
    for _ in 0..5 {
        let further = |of: &BTreeSet<&String>| of.iter().flat_map(|file| seen[*file].clone()).collect();
        let next = seen.iter().map(|(file, of)| (*file, further(of))).collect();
        seen = next;
    }
    let known: BTreeSet<Lemma> = words.keys().cloned().collect();
    let used = |(file, name): &Lemma, words: &BTreeSet<&String>| {
        let place = |word: &&&String| {
            let there = |file: &String| Some((file.clone(), (**word).clone())).filter(|lemma| known.contains(lemma));
            there(file)
                .or_else(|| seen[file].iter().find_map(|file| there(file)))
                .filter(|found| *found != (file.clone(), name.clone()))
        };
        words.iter().filter_map(|word| place(&word)).collect::<BTreeSet<_>>()
    };
    words.iter().map(|(lemma, words)| (lemma.clone(), used(lemma, words))).collect()
}

/// The arrows are between those theorems of which one names the other in its proof, or a lemma that does, and go to the right; what has no
/// arrow is named below. A theorem leads to a statement that it proves, amber where print errs in one of these.
fn rests_on(page: &str) {
    let lemmas = lemmas();
    let nodes: BTreeSet<&str> = statements().flat_map(|statement| statement.coq).copied().collect();
    let mut expected: BTreeSet<(String, String)> = BTreeSet::new();
    for node in lemmas.keys().filter(|(_, name)| nodes.contains(name.as_str())) {
        let (mut open, mut seen) = (vec![node], BTreeSet::new());
        while let Some(lemma) = open.pop() {
            for used in &lemmas[lemma] {
                if nodes.contains(used.1.as_str()) {
                    expected.insert((used.1.clone(), node.1.clone()));
                } else if seen.insert(used) {
                    open.push(used);
                }
            }
        }
    }
    expected.retain(|(from, to)| from != to);
    let svg = between(page, "<svg class=\"graph\"", "</svg>")[0];
    let value = |tag: &str, name: &str| between(tag, &format!(" {name}=\""), "\"")[0].to_owned();
    let integer = |tag: &str, name: &str| value(tag, name).parse::<i64>().unwrap();
    let mut at = BTreeMap::new();
    for link in between(svg, "<a ", "</a>") {
        let name = plain(link.split_once("<text").unwrap().1.split_once('>').unwrap().1);
        let grave = |of: &Statement| matches!(grade(of), Some("theorem-false" | "proof-step"));
        let erratum = statements().any(|of| of.coq.contains(&name.as_str()) && grave(of));
        assert_eq!(value(link, "class"), if erratum { "note" } else { "good" }, "{name}");
        let (_, statement) =
            page.split_once(&format!("<article id=\"{}\"", &value(&format!(" {link}"), "href")[1..])).unwrap();
        assert!(statement.split("</article>").next().unwrap().contains(&format!("Coq: <code>{name}</code>")), "{name}");
        let (x, y, width, tall) =
            (integer(link, "x"), integer(link, "y"), integer(link, "width"), integer(link, "height"));
        let text = format!(" {}", link.split_once("<text").unwrap().1);
        assert!((x..x + 20).contains(&integer(&text, "x")) && (y..y + tall).contains(&integer(&text, "y")), "{link}");
        assert!(
            at.values().all(|(left, top)| (*left, *top) == (x, y) || *left != x || (top - y).abs() >= tall),
            "{name}"
        );
        at.insert(name, (x, y));
        let frame: Vec<i64> = value(svg, "viewBox").split(' ').map(|n| n.parse().unwrap()).collect();
        assert!(x >= 0 && y >= 0 && x + width <= frame[2] && y + tall <= frame[3], "{link} is not in the frame");
    }
    let mut drawn = BTreeSet::new();
    let wide = integer(svg, "width");
    assert_eq!(svg.matches("<marker").count(), 1, "arrows have heads");
    for path in between(svg, "<path d=\"M", "\"/>") {
        let n: Vec<i64> = path.split([' ', 'C']).filter(|n| !n.is_empty()).map(|n| n.parse().unwrap()).collect();
        let node = |left: i64, middle: i64| {
            let here = |(x, y): &(i64, i64)| *x == left && y + 11 == middle;
            at.iter().find(|(_, place)| here(place)).unwrap_or_else(|| panic!("{path} from or to nowhere")).0.clone()
        };
        assert!(n[0] < n[6] && (n[0]..=n[6]).contains(&n[2]), "{path} goes to the left");
        drawn.insert((node(n[0] - wide, n[1]), node(n[6], n[7])));
    }
    assert_eq!(drawn, expected);
    let alone = page.split_once("These use no other theorem").unwrap().1.split("</p>").next().unwrap();
    let alone: BTreeSet<String> = between(alone, "\">", "</a>").iter().map(|name| plain(name)).collect();
    assert_eq!(alone.len() + at.len(), nodes.len());
    assert!(nodes.iter().all(|node| alone.contains(*node) != at.contains_key(*node)));
}

/// The page that computes starts from the instance: every number in the place that its label names, every check at c = 1, every verdict in words.
#[test]
fn the_cell_starts_from_its_instance() {
    let place = Place::new();
    let call = format!("book --out b --instance two-state --source {} --wasm", root().display());
    for (file, bytes) in [("text", &b"asm"[..]), ("wasm", &b"\0asm\x01\0\0\0"[..])] {
        place.write(file, bytes);
        let output = crate::opd(&place, &format!("{call} {file}"));
        assert_eq!(output.code, Some(if file == "wasm" { 0 } else { 2 }), "{}", output.stderr);
    }
    let page = page_of(&place, "b/try.html");
    assert!(page.contains("id=\"wasm\">AGFzbQEAAAA=</script>"), "RFC 4648 of those eight bytes");
    let model = json(&place, "instances two-state");
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut expected = vec![("γ".to_owned(), text(&model["discount"]))];
    expected.extend([0, 1].map(|x| (format!("ν₀({x})"), text(&model["initial"][x]))));
    for (x, a) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let pair: usize = 2 * x + a;
        expected.extend([0, 1].map(|next| (format!("p({next}|{x},{a})"), text(&model["psi"][next][pair]))));
        expected.push((format!("r({x},{a})"), text(&model["omega"][pair])));
    }
    for x in [0, 1] {
        expected.extend([0, 1].map(|a| (format!("πB({a}|{x})"), text(&model["behavior"][x][a]))));
    }
    let cells = between(&page, "<td><", "</td>").into_iter().filter(|cell| cell.contains("put"));
    let found: Vec<(String, String)> = cells
        .map(|cell| {
            let name = plain(between(cell, "span>", "</span>")[0]);
            let output = between(cell, "<output>", "<").first().map(|value| (*value).to_owned());
            // What is left of 1 cannot be edited.
            assert_eq!(
                output.is_some(),
                ["ν₀(1)", "p(1|", "πB(1|"].iter().any(|last| name.starts_with(last)),
                "{cell}"
            );
            (name, output.unwrap_or_else(|| between(cell, "value=\"", "\"")[0].to_owned()))
        })
        .collect();
    assert_eq!(found, expected);
    let rows = between(&page, "<tr data-key", "</tr>");
    assert!(rows.len() > 150 && !page.contains("[c = 1/2]"), "{}", rows.len());
    for (status, class) in [
        ("holds", "good"),
        ("fails", "bad"),
        ("erratum", "note"),
        ("erratum-not-shown", "note"),
        ("not-applicable", "note"),
        ("undecided", "note"),
    ] {
        assert!(page.contains(&format!("'{status}': ['{}', '{class}']", word(status))), "{status}");
    }
}

/// A figure in pixels.
struct Drawn {
    names: Vec<String>,
    lines: Vec<Vec<(f64, f64)>>,
    bands: Vec<Vec<(f64, f64)>>,
    /// Where the labels are, and what they say, along x and along y.
    ticks: [Vec<(f64, String)>; 2],
}

fn drawn(page: &str, caption: &str) -> Drawn {
    let figure = between(page, "<figure>", "</figure>").into_iter().find(|figure| plain(figure).starts_with(caption));
    let figure = figure.unwrap_or_else(|| panic!("{caption} is not drawn"));
    let points = |tag: &str| -> Vec<(f64, f64)> {
        let point = |text: &str| text.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap();
        between(tag, "points=\"", "\"")[0].split_whitespace().map(point).collect()
    };
    let label = |text: &str, axis: &str| -> (f64, String) {
        (
            between(text, &format!(" {axis}=\""), "\"")[0].parse().unwrap(),
            plain(text.split_once('>').unwrap().1).trim().to_owned(),
        )
    };
    let texts = between(figure, "<text", "</text>");
    let ticks = |anchor: &str, axis: &str| {
        let of = |text: &&&str| text.contains(anchor) && !text.contains("rotate") && !text.contains("dy=\"-");
        texts.iter().filter(of).map(|text| label(text, axis)).collect()
    };
    Drawn {
        names: between(figure, "</i>", "</span>").iter().map(|name| plain(name)).collect(),
        lines: between(figure, "<polyline", "/>")
            .into_iter()
            .filter(|line| line.contains("stroke-width=\"2\""))
            .map(points)
            .collect(),
        bands: between(figure, "<polygon", "/>").into_iter().map(points).collect(),
        ticks: [ticks("\"middle\"", "x"), ticks("\"end\"", "y")],
    }
}

/// A line that a figure should have, and the ends of its band.
struct Expected {
    name: String,
    points: Vec<(f64, f64)>,
    band: Vec<(f64, f64)>,
}

/// The line through pairs by least squares.
fn fitted(pairs: &[(f64, f64)]) -> impl Fn(f64) -> f64 {
    let n = pairs.len() as f64;
    let (mx, my) = (pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n);
    let slope = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
        / pairs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>();
    move |x| my + slope * (x - mx)
}

impl Drawn {
    /// Lines and bands are these numbers on common axes, by factors of ten where `log` says so, and labels are where their numbers are.
    fn shows(&self, expected: &[Expected], log: [bool; 2]) {
        assert_eq!(self.names, expected.iter().map(|line| line.name.clone()).collect::<Vec<_>>());
        let on = |axis: usize, x: f64| if log[axis] { x.log10() } else { x };
        let place = |(x, y): &(f64, f64)| Some((on(0, *x), on(1, *y))).filter(|(x, y)| x.is_finite() && y.is_finite());
        let lines: Vec<Vec<_>> = expected.iter().map(|line| line.points.iter().filter_map(place).collect()).collect();
        let around = |line: &Expected| -> Vec<(f64, f64)> {
            let over =
                |end: fn(&(f64, f64)) -> f64| line.points.iter().zip(&line.band).map(move |(p, b)| (p.0, end(b)));
            let mut outline: Vec<_> = over(|band| band.1).collect();
            outline.reverse();
            over(|band| band.0).chain(outline).filter_map(|p| place(&p)).collect()
        };
        let bands: Vec<Vec<_>> = expected.iter().filter(|line| !line.band.is_empty()).map(around).collect();
        let mut pairs = [Vec::new(), Vec::new()];
        for (drawn, numbers) in [(&self.lines, &lines), (&self.bands, &bands)] {
            assert_eq!(drawn.len(), numbers.len(), "{:?}: lines or bands", self.names);
            for (drawn, numbers) in drawn.iter().zip(numbers) {
                assert_eq!(drawn.len(), numbers.len(), "{:?}: points", self.names);
                pairs[0].extend(numbers.iter().zip(drawn).map(|(n, d)| (n.0, d.0)));
                pairs[1].extend(numbers.iter().zip(drawn).map(|(n, d)| (n.1, d.1)));
            }
        }
        for (axis, pairs) in pairs.iter().enumerate() {
            let pixel = fitted(pairs);
            for (number, found) in pairs {
                assert!((pixel(*number) - found).abs() <= 1.5, "{:?}: {number} is at {found}, axis {axis}", self.names);
            }
            assert!((pixel(1.0) > pixel(0.0)) == (axis == 0), "{:?}: an axis the wrong way round", self.names);
            self.is_labelled(axis, |label| pixel(on(axis, label)), log[axis]);
        }
    }

    /// By two digits at least, or by one where factors of ten are.
    fn is_labelled(&self, axis: usize, pixel: impl Fn(f64) -> f64, log: bool) {
        let ticks = &self.ticks[axis];
        assert!(ticks.len() >= 2, "{ticks:?}");
        for (at, label) in ticks {
            let value: f64 = label.parse().unwrap_or_else(|_| panic!("{label}"));
            let near = if log { [0.94, 1.06].map(|off| pixel(off * value)) } else { [pixel(value); 2] };
            let (least, most) = (near[0].min(near[1]) - 3.0, near[0].max(near[1]) + 3.0);
            assert!((least..=most).contains(at), "{:?}: {label} is at {at}, not at {near:?}", self.names);
        }
    }
}

fn double(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn the_page_of_a_search_draws_what_it_found() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 600 --seed 3 --out d.csv");
    let call = "tune --instance chain --data d.csv --search 12 --splits 3 --seed 1 --radius-theta 2 --radius-beta 3";
    let found = json(&place, &format!("{call} --html s.html --json"));
    let page = page_of(&place, "s.html");
    let candidates = found["candidates"].as_array().unwrap();
    let rows: Vec<&str> = between(&page, "<tr><td data-name=\"K\"", "</tr>");
    assert_eq!(rows.len(), candidates.len());
    for (row, line) in rows.iter().zip(candidates) {
        let row = format!("<tr><td data-name=\"K\"{row}");
        assert_eq!(cell(&row, "K"), line["inner"].to_string());
        for (name, key) in [("α", "alpha"), ("η", "eta"), ("ζ", "zeta"), ("Dβ", "radius_beta")] {
            assert_eq!(cell(&row, name), format!("{:.3e}", double(&line[key])));
        }
        let splits = if line["whole"] == true { line["splits"].to_string() } else { "1/4".to_owned() };
        assert_eq!(cell(&row, "splits"), splits);
        for (name, key) in [("estimate", "estimate"), ("standard error", "error"), ("mean weight", "mass")] {
            let shown = line[key].as_f64().map_or_else(|| "none: diverged".to_owned(), |x| format!("{x:.5}"));
            assert_eq!(cell(&row, name), shown);
        }
        // The caller's radii are the caller's.
        assert_eq!((&line["radius_theta"], &line["radius_beta"]), (&2.0.into(), &3.0.into()));
    }
    let curve = found["curve"].as_array().unwrap();
    let of = |key: &str| curve.iter().map(|at| (double(&at["rows"]), double(&at[key]))).collect::<Vec<_>>();
    let ends = [of("rows")[0].0, of("rows")[curve.len() - 1].0];
    let flat = |name: &str, value: &Value| {
        let points = ends.map(|x| (x, double(value))).to_vec();
        Expected { name: name.to_owned(), points, band: Vec::new() }
    };
    let band = of("least").iter().zip(of("most")).map(|(low, high)| (low.1, high.1)).collect();
    let learning = [
        Expected { name: "best candidate, estimated; band: the splits".to_owned(), points: of("mean"), band },
        flat("behaviour: mean reward of the rows", &found["behavior"]),
        flat("uniform policy, estimated", &found["uniform"]),
        flat("optimal, from the model: not used", &found["truth"]["optimal"]),
    ];
    drawn(&page, "Learning curve").shows(&learning, [false; 2]);
    let scored = candidates.iter().filter(|line| line["estimate"].is_number()).zip(1_u32..);
    let scored: Vec<(f64, &Value)> = scored.map(|(line, rank)| (f64::from(rank), line)).collect();
    let points = |key: &str| scored.iter().map(|(rank, line)| (*rank, double(&line[key]))).collect::<Vec<_>>();
    let ends = |line: &Value| [-2.0, 2.0].map(|times| double(&line["estimate"]) + times * double(&line["error"]));
    let band = scored.iter().map(|(_, line)| ends(line).into()).collect();
    let scores = [
        Expected { name: "estimate ± 2 standard errors".to_owned(), points: points("estimate"), band },
        Expected { name: "return by the model: not used".to_owned(), points: points("truth"), band: Vec::new() },
    ];
    drawn(&page, "What the held-out rows say").shows(&scores, [false; 2]);
    // Of three splits the mean and the ends tell the third, and so their standard deviation.
    let [mean, least, most] = [&found["estimate"], &found["range"][0], &found["range"][1]].map(double);
    let three = [least, 3.0 * mean - least - most, most];
    let spread = (three.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
    let error = double(&found["standard_error"]).max(double(&candidates[0]["error"]));
    assert!((error - spread.max(double(&candidates[0]["error"]))).abs() < 1e-12, "{error}, {spread}");
}

/// Lines have names, dashes and colors of their own, in the picture and in the legend; the labels of an axis are not on its title.
#[test]
fn figures_are_read_without_their_colors() {
    let place = Place::new();
    said(&place, "run --instance chain --inner 10 --outer 60 --alpha 1e-9 --html r.html");
    let page = page_of(&place, "r.html");
    let figures = between(&page, "<figure>", "</figure>");
    assert_eq!(figures.len(), 5);
    for figure in figures {
        assert!(figure.contains("<svg role=\"img\" aria-label=\""), "{figure}");
        let lines: Vec<&str> =
            between(figure, "<polyline", "/>").into_iter().filter(|line| line.contains("stroke-width=\"2\"")).collect();
        let dashes: BTreeSet<Option<&str>> =
            lines.iter().map(|line| between(line, "stroke-dasharray=\"", "\"").first().copied()).collect();
        let looks: BTreeSet<&str> = between(figure, "<i style=\"", "\"").into_iter().collect();
        assert_eq!((dashes.len(), looks.len()), (lines.len(), lines.len()), "{figure}");
        let number = |tag: &str, name: &str| between(tag, &format!(" {name}=\""), "\"")[0].parse::<f64>().unwrap();
        let texts = between(figure, "<text", "</text>");
        let title = texts.iter().find(|text| text.contains("rotate")).unwrap();
        for label in texts.iter().filter(|text| text.contains("\"end\"") && !text.contains("rotate")) {
            let long = label.rsplit('>').next().unwrap().trim().len() as f64;
            assert!(number(label, "x") - 10.8 * long >= number(title, "x"), "{label} lies on {title}");
        }
    }
}

/// What each of several seeds gives, and the mean and the ends of it, as the JSON has them.
#[test]
fn the_page_of_a_run_has_the_bands_of_its_seeds() {
    let place = Place::new();
    let call = "run --instance chain --inner 5 --outer 20 --html r.html";
    let found = json(&place, &format!("{call} --seeds 3 --json"));
    let page = page_of(&place, "r.html");
    let (_, part) = page.split_once("<h2 id=\"seeds\">Over 3 seeds</h2>").unwrap();
    let rows = between(part, "<tr><td", "</tr>");
    for (row, key) in rows.iter().zip(["output", "last", "mixture"]) {
        for (name, end) in
            [("mean", "mean"), ("least", "least"), ("greatest", "most"), ("standard deviation of a run", "deviation")]
        {
            assert_eq!(cell(row, name), format!("{:.6}", double(&found["seeds"][key][end])), "{key}");
        }
    }
    for (row, run) in rows[3..].iter().zip(found["seeds"]["runs"].as_array().unwrap()) {
        let row = format!("<tr><td{row}");
        assert_eq!((cell(&row, "seed"), cell(&row, "J")), (run["seed"].to_string(), run["output_index"].to_string()));
        assert_eq!(cell(&row, "return of the last policy"), format!("{:.6}", double(&run["last"])));
    }
    said(&place, call);
    assert!(!page_of(&place, "r.html").contains("id=\"seeds\""));
}

#[test]
fn a_search_asks_for_rows_and_for_its_setting() {
    let place = Place::new();
    for (rows, enough) in [(99, false), (100, true)] {
        said(&place, &format!("sample --instance chain --rows {rows} --out d.csv"));
        let output = crate::opd(&place, "tune --instance chain --data d.csv --search 2 --splits 1");
        assert_eq!(output.code, Some(if enough { 0 } else { 2 }), "{}", output.stderr);
        assert_eq!(output.stderr.contains("found 99 rows, expected at least 100"), !enough, "{}", output.stderr);
    }
    for other in ["--setting average", "--c 1/2"] {
        let output = crate::opd(&place, &format!("tune --instance whitened --data d.csv --search 2 {other}"));
        assert!(output.code == Some(2) && output.stderr.contains("the discounted setting and c = 1"), "{other}");
    }
}

#[test]
fn the_page_of_table_1_draws_what_was_measured() {
    let place = Place::new();
    let call = "table1 --instance lucky --rows 100 --rows 200 --rows 400 --seeds 2 --candidates 1";
    let found = json(&place, &format!("{call} --html t.html --json"));
    let table = &found["summaries"][0];
    // From state 0 to the rewarding state 1 with probability p and back: ρ = pγ/(1 + γ).
    for (key, p) in [("optimal", 0.7), ("uniform", 0.35), ("behavior", (493.0 * 0.7 + 7.0 * 0.3) / 500.0)] {
        assert!((double(&table[key]) - p * 0.8 / 1.8).abs() < 1e-12, "{key}: {table}");
    }
    let (methods, runs) = (table["summaries"].as_array().unwrap(), found["runs"].as_array().unwrap());
    let page = page_of(&place, "t.html");
    let part = page.split("Print's table").next().unwrap();
    let rows = between(part, "<tr><td", "</tr>");
    assert_eq!((rows.len(), methods.len()), (8, 8));
    for (row, method) in rows.iter().zip(methods) {
        let of = |n: u64| runs.iter().filter(move |run| run["method"] == method["method"] && run["n"] == n);
        for at in method["at"].as_array().unwrap() {
            let own: Vec<f64> = of(at["n"].as_u64().unwrap()).map(|run| double(&run["normalised"])).collect();
            assert!(own.len() == 2 && (own[0] + own[1] - 2.0 * double(&at["mean"])).abs() < 1e-9, "{at}");
        }
        let last = &method["at"][2];
        let [mean, least, most, seconds, passes, bytes] =
            ["mean", "least", "most", "seconds", "passes", "bytes"].map(|key| double(&last[key]));
        assert_eq!(
            cell(row, "suboptimality, largest n").replace('-', ""),
            format!("{mean:.3} [{least:.3}, {most:.3}]").replace('-', "")
        );
        assert_eq!(cell(row, "seconds"), format!("{seconds:.1e}"));
        assert_eq!((cell(row, "passes"), cell(row, "bytes")), (format!("{passes:.0}"), format!("{bytes:.0}")));
        let exponent = &method["visits_exponent"];
        assert_eq!(cell(row, "n·passes, fitted"), format!("n{:.2}", double(exponent)).replace('-', "−"));
        assert!(row.contains(&format!("<sup>{:.2}</sup>", double(exponent))), "{row}");
    }
    // ⌈n^{2/5}⌉ iterations of the actors, a thousand of FOGAS, and ours goes over its rows once.
    for (method, passes) in [("ATAC", 11.0), ("PSPI", 11.0), ("FOGAS", 1000.0), ("ours, theorem's rates", 1.0)] {
        let of = methods.iter().find(|of| of["method"] == method).unwrap();
        assert_eq!(of["at"][2]["passes"], passes, "{method}");
    }
    let line = |key: &str, banded: bool| {
        let of = |method: &Value| {
            let at = || method["at"].as_array().unwrap().iter();
            let points = at().map(|at| (double(&at["n"]), double(&at[key]))).collect();
            let band = at().filter(|_| banded).map(|at| (double(&at["least"]), double(&at["most"]))).collect();
            Expected { name: method["method"].as_str().unwrap().to_owned(), points, band }
        };
        methods.iter().map(of).collect::<Vec<_>>()
    };
    drawn(&page, "Suboptimality of the last policy").shows(&line("mean", true), [true, false]);
    drawn(&page, "Time of a run").shows(&line("seconds", false), [true; 2]);
    drawn(&page, "What a run holds at once").shows(&line("bytes", false), [true; 2]);
}

/// One size has no slope, and without an instance there are the three.
#[test]
fn table_1_is_of_three_instances_and_of_any_size() {
    let place = Place::new();
    let found = json(&place, "table1 --rows 100 --seeds 1 --candidates 1 --json");
    let names: Vec<&Value> = found["summaries"].as_array().unwrap().iter().map(|table| &table["instance"]).collect();
    assert_eq!(names, ["one-way", "lucky", "chain"]);
    let text = said(&place, "table1 --instance one-way --rows 100 --seeds 1 --candidates 1");
    let line = text.lines().find(|line| line.starts_with("FQI")).unwrap();
    assert!(line.matches(" - ").count() >= 2 && !text.contains("NaN"), "{line}");
}

#[test]
fn the_page_of_a_run_is_fit_for_any_model() {
    let place = Place::new();
    // Names are text.
    place.write("m.json", MODEL.replace("\"numbers\"", "\"R&D <1>\"").as_bytes());
    said(&place, "run --mdp m.json --inner 2 --outer 9 --html r.html");
    let page = page_of(&place, "r.html");
    assert!(page.contains("<h1>Run on R&amp;D &lt;1&gt;</h1>") && page.contains("<h2 id=\"coverage\">"), "{page}");
    assert!(!page.contains("more states"), "{page}");
    // Where nothing is learnt the labels of a line that hardly moves are told apart.
    said(&place, "run --mdp m.json --inner 2 --outer 9 --alpha 1e-5 --html r.html");
    let labels = &drawn(&page_of(&place, "r.html"), "Suboptimality of π").ticks[1];
    let apart: BTreeSet<&String> = labels.iter().map(|(_, label)| label).collect();
    assert!(labels.len() > 2 && apart.len() == labels.len(), "{labels:?}");
    // Little is learnt, and it looks so: the axis begins at zero, and the uniform policy's line is beside.
    assert!(apart.contains(&"0".to_owned()), "{labels:?}");
    let names = drawn(&page_of(&place, "r.html"), "Suboptimality of πt").names;
    assert_eq!(names, ["ρ(π*) − ρ(πt)", "uniform policy"]);
    // A page lists 64 states and says how many it leaves out.
    for (states, more) in [(64, None), (67, Some("… and 3 more states."))] {
        place.write("p.json", constant(states, 2).as_bytes());
        said(&place, "run --mdp p.json --inner 2 --outer 9 --html r.html");
        let page = page_of(&place, "r.html");
        assert_eq!(between(&page, "data-name=\"state\"", "</td>").len(), 64);
        assert_eq!(page.contains("more states"), more.is_some_and(|more| page.contains(more)), "{states}");
        // Every policy is as good: a flat line at zero, on the axis.
        let figure = drawn(&page, "Suboptimality of π");
        let zero = figure.ticks[1].iter().find(|(_, label)| label == "0").unwrap().0;
        assert!(figure.lines[0].iter().all(|(_, y)| (y - zero).abs() <= 3.0), "{zero}: {:?}", figure.lines[0]);
    }
}
