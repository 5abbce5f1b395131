//! `docs/tables/paper-map.md` is written from the register of statements, and what it says is true: every function is there and its doc comment
//! cites the statement, every theorem and every harness is in `proofs`, every erratum in `docs/errata.md`. To rewrite the file:
//! `UPDATE_PAPER_MAP=1 cargo test --test paper_map`.
//!
//! Where the paper's source is at hand (`../shared/paper.tex`, or what OPD_PAPER names), every label, numbered display, theorem-like
//! statement, algorithm and table of it has a row with its printed number, or a reason why not.
#![cfg(all(feature = "std", feature = "exact"))]

#[path = "paper_map/latex.rs"]
mod latex;
#[path = "paper_map/rooms.rs"]
mod rooms;

use offline_primal_dual::statements::{self, Statement, elsewhere};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `dir` with the given ending, sorted.
fn files(dir: &str, ending: &str) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![root().join(dir)]);
    while let Some(dir) = open.pop() {
        for path in fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.to_str().unwrap().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The statements that a doc comment's first line cites: what stands before its first colon, comma by comma.
fn citations(first_line: &str) -> Vec<String> {
    let head = first_line.split(": ").next().unwrap_or("");
    if head.len() == first_line.len() && !first_line.ends_with(':') {
        return Vec::new();
    }
    head.split(", ").flat_map(|part| part.split(" and ")).filter_map(citation).collect()
}

fn citation(part: &str) -> Option<String> {
    let part = part.trim().trim_start_matches("and ");
    if let Some(rest) = part.strip_prefix('(') {
        let number = rest.split(')').next()?;
        return number.chars().all(|c| c.is_ascii_digit()).then(|| format!("({number})"));
    }
    let words: Vec<&str> = part.split(' ').collect();
    let kinds = ["Def", "Lemma", "Thm", "Cor", "Alg", "Rem", "Prop", "Asm", "Tab"];
    if kinds.contains(&words[0]) && words.len() > 1 {
        return Some(format!("{} {}", words[0], words[1].trim_end_matches("'s")));
    }
    let section = words[0].split('.').next()?;
    let tagged =
        words[0].contains('.') && (["B", "C"].contains(&section) || section.starts_with('S') && section.len() == 2);
    tagged.then(|| words[0].trim_end_matches(':').to_string())
}

/// Every documented public item of `src/paper` with what its doc comment cites: path → statements.
fn cited() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files("src/paper", ".rs") {
        let module = path.strip_prefix(root().join("src")).unwrap().with_extension("");
        let module = module.to_str().unwrap().replace(['/', '\\'], "::").replace("::mod", "");
        let (text, mut inside) = (fs::read_to_string(&path).unwrap(), String::new());
        let mut doc: Option<String> = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
                inside = format!("::{name}");
            } else if let Some(name) = implemented(line) {
                inside = format!("::{name}");
            } else if line == "}" {
                inside.clear();
            }
            let line = line.trim();
            if let Some(text) = line.strip_prefix("///") {
                doc.get_or_insert_with(|| text.trim().to_string());
            } else if !line.starts_with("#[") {
                let first = doc.take().unwrap_or_default();
                let words: Vec<&str> = line.split([' ', '(', '<', '{']).collect();
                let kind = words.iter().position(|w| ["fn", "struct", "enum", "trait", "const"].contains(w));
                if let (true, Some(kind)) = (line.starts_with("pub "), kind) {
                    let name = words.iter().skip(kind + 1).find(|w| !["fn", "const"].contains(*w)).unwrap();
                    let name = format!("{module}{inside}::{}", name.trim_end_matches(':'));
                    found.entry(name).or_default().extend(citations(&first));
                }
            }
        }
    }
    found
}

/// The type of `impl<…> Type<…> {`: its functions are called `Type::f`.
fn implemented(line: &str) -> Option<&str> {
    let head = line.strip_prefix("impl")?.strip_suffix(" {")?;
    let mut depth = 0;
    let parameters = head.find(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        c == ' ' && depth == 0
    })?;
    let of = &head[parameters + 1..];
    let of = of.split_once(" for ").map_or(of, |(_, of)| of);
    of.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn theorems() -> BTreeSet<String> {
    let texts = files("proofs/coq", ".v").into_iter().map(|path| fs::read_to_string(path).unwrap());
    texts.flat_map(|text| names_after(&text, "Theorem ")).collect()
}

fn harnesses() -> BTreeSet<String> {
    let texts = files("proofs", ".rs").into_iter().map(|path| fs::read_to_string(path).unwrap());
    texts.flat_map(|text| names_after(&text, "fn ")).collect()
}

fn names_after(text: &str, keyword: &str) -> Vec<String> {
    let starts = text.lines().filter_map(|line| line.trim_start().trim_start_matches("pub ").strip_prefix(keyword));
    starts.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_string()).collect()
}

fn coded(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

fn proved(statement: &Statement) -> String {
    let refuted = if statement.refuted.is_empty() { "" } else { " as printed false: " };
    coded(statement.coq) + refuted + &coded(statement.refuted)
}

fn row(statement: &Statement) -> String {
    let checks: Vec<&str> = statement.checks().map(|check| check.name).collect();
    let functions: Vec<&str> = statement.functions.iter().map(|f| f.trim_start_matches("paper::")).collect();
    let errata: Vec<String> = statement.errata.iter().map(ToString::to_string).collect();
    format!(
        "| {} | {} | {} | {} | {} | {} | {} |\n",
        statement.id,
        statement.title.replace('|', "\\|"),
        coded(&functions),
        coded(&checks),
        coded(statement.kani),
        proved(statement),
        errata.join(", ")
    )
}

fn paper_map() -> String {
    let mut out = String::from(
        "# The paper in this code\n\nWritten from the register `src/statements` by `UPDATE_PAPER_MAP=1 cargo test --test paper_map`; `cargo test` fails when it is \
         stale, or untrue.\nFunctions are below `src/paper`. Checks are functions of `src/statements`, evaluated by `opd audit` and `tests/statements.rs`. \
         Kani: harnesses\nof `proofs`, beside those for lengths. Coq: theorems in `proofs/coq`, for every dimension. Errata: items of [errata.md](../errata.md).\n\n\
         | statement | what it says | functions | checks | Kani | Coq | errata |\n|---|---|---|---|---|---|---|\n",
    );
    statements::statements().for_each(|statement| out += &row(statement));
    writeln!(out, "\n{} statements, {} checks.", statements::statements().count(), statements::checks().count())
        .unwrap();
    out
}

#[test]
fn the_map_is_the_register() {
    let (map, path) = (paper_map(), root().join("docs/tables/paper-map.md"));
    if std::env::var_os("UPDATE_PAPER_MAP").is_some() {
        fs::write(&path, &map).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(stored == map, "docs/tables/paper-map.md is stale: run UPDATE_PAPER_MAP=1 cargo test --test paper_map");
}

/// Both ways: what the register names is there and cites the statement, and what cites a statement is named by the register.
#[test]
fn functions_cite_their_statements() {
    let cited = cited();
    let mut wrong = Vec::new();
    for statement in statements::statements() {
        assert!(!statement.functions.is_empty(), "{} has no function", statement.id);
        for function in statement.functions {
            match cited.get(*function) {
                None => wrong.push(format!("{}: no public item {function}", statement.id)),
                Some(of) if !of.contains(statement.id) => {
                    wrong.push(format!("{function} does not cite {}", statement.id));
                }
                Some(_) => {}
            }
        }
    }
    for (function, of) in &cited {
        for id in of {
            match statements::statements().find(|statement| statement.id == id) {
                None => wrong.push(format!("{function} cites {id}, which is no statement")),
                Some(statement) if !statement.functions.contains(&function.as_str()) => {
                    wrong.push(format!("{function} cites {id}, whose row does not name it"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn proofs_and_errata_are_where_the_register_says() {
    let (theorems, harnesses) = (theorems(), harnesses());
    let errata = fs::read_to_string(root().join("docs/errata.md")).unwrap();
    let items: BTreeSet<u32> =
        errata.lines().filter_map(|line| line.strip_prefix("## ")?.split('.').next()?.parse().ok()).collect();
    for statement in statements::statements() {
        for theorem in statement.coq.iter().chain(statement.refuted) {
            assert!(theorems.contains(*theorem), "{}: no theorem {theorem}", statement.id);
        }
        for harness in statement.kani {
            assert!(harnesses.contains(*harness), "{}: no harness {harness}", statement.id);
        }
        for item in statement.errata {
            assert!(items.contains(item), "{}: no erratum {item}", statement.id);
        }
    }
    let named: BTreeSet<u32> = statements::statements().flat_map(|statement| statement.errata).copied().collect();
    assert_eq!(items, named, "an erratum that no statement names, or the other way round");
    for check in statements::checks() {
        assert!(check.erratum.is_none_or(|item| items.contains(&item)), "{}: no such erratum", check.name);
    }
}

/// Coq's last word on the golden vectors is `Agree` with two numbers, which the pages repeat.
#[test]
fn pages_count_the_golden_vectors_as_coq_does() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let golden = read("proofs/coq/FloatGolden.v");
    let counts: Vec<&str> = golden.split("compare golden = Agree ").nth(1).unwrap().split([' ', '.']).collect();
    let (vectors, numbers) = (counts[0], counts[1]);
    let (thousands, rest) = numbers.split_at(numbers.len() - 3);
    let proofs = read("docs/proofs.md");
    assert!(proofs.contains(&format!("the {vectors} golden vectors")), "docs/proofs.md: not {vectors} vectors");
    let told = format!("{thousands},{rest} numbers");
    assert!(proofs.contains(&format!("{told} of the golden vectors")), "docs/proofs.md: not {told}");
    let readme = read("proofs/coq/README.md");
    assert!(
        readme.contains(&format!("the {vectors} that have their intermediates there, {told}")),
        "proofs/coq/README.md"
    );
}

/// How many items there are, and how many of them `tests/errata.rs` refutes.
#[test]
fn pages_count_the_errata() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let (errata, tests, readme) = (read("docs/errata.md"), read("tests/errata.rs"), read("README.md"));
    let items = errata.lines().filter(|line| line.strip_prefix("## ").is_some_and(|rest| rest.contains(". "))).count();
    let refuted: BTreeSet<&str> =
        tests.lines().filter_map(|line| line.strip_prefix("fn erratum_")?.split('_').next()).collect();
    let told = format!("exact counterexamples to {} of the {items} items", refuted.len());
    assert!(readme.contains(&told), "README.md: {told}");
    for name in tests.lines().filter_map(|line| line.strip_prefix("fn ")?.split('(').next()) {
        let Some((number, rest)) = name.strip_prefix("erratum_").and_then(|name| name.split_once('_')) else {
            continue;
        };
        let row = errata.lines().find(|line| line.starts_with(&format!("| {number} |"))).unwrap_or_default();
        assert!(row.contains(&format!("`{name}`")) || row.contains(&format!("`…_{rest}`")), "{name} is not in its row");
    }
}

/// The paper's source, where it is at hand.
fn paper() -> Option<String> {
    let beside = root().join("../shared/paper.tex");
    let path = std::env::var_os("OPD_PAPER").map_or(beside, PathBuf::from);
    fs::read_to_string(path).ok()
}

#[test]
fn every_numbered_thing_of_the_paper_has_a_row() {
    let Some(paper) = paper() else { return };
    let known = |id: &str| statements::statements().find(|statement| statement.id == id);
    let mut wrong = Vec::new();
    let things = latex::numbered(&paper);
    for thing in &things {
        match known(&thing.id) {
            None => wrong.push(format!("{} (line {}) has no row", thing.id, thing.line)),
            Some(row) if row.label != thing.label.as_deref() => {
                wrong.push(format!("{}: label {:?}, print has {:?}", thing.id, row.label, thing.label));
            }
            Some(row) if row.section != thing.section => {
                wrong.push(format!("{}: Section {}, print has it in {}", thing.id, row.section, thing.section));
            }
            Some(_) => {}
        }
    }
    for (label, line) in latex::labels(&paper) {
        let row = statements::statements().any(|statement| statement.label == Some(&label));
        let elsewhere = elsewhere::LABELS.iter().any(|(name, _)| *name == label);
        if row == elsewhere {
            wrong.push(format!("label {label} (line {line}): expected a row, or a reason, and not both"));
        }
    }
    // What print numbers is numbered as print does; the rest has a section's name.
    for statement in statements::statements() {
        let named = statement.id.contains('.') && !statement.id.contains(' ');
        if !named && !things.iter().any(|thing| thing.id == statement.id) {
            wrong.push(format!("{} is nowhere in print", statement.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(things.len() > 60, "{} things", things.len());
}

#[test]
fn citations_are_read_as_documented() {
    assert_eq!(citations("(9), `eq:def-tildegb`: g̃_β = …"), ["(9)"]);
    assert_eq!(citations("Def 3.1, `def:gcr`, and Def E.1, 1: C"), ["Def 3.1", "Def E.1"]);
    assert_eq!(citations("Lemma 4.1's comparators for β: x"), ["Lemma 4.1"]);
    assert_eq!(citations("Thm A.1, (19): G_θ²"), ["Thm A.1", "(19)"]);
    assert_eq!(implemented("impl<'a, T: Real, F: FeatureMap<T>> Algorithm<'a, T, F> {"), Some("Algorithm"));
    assert_eq!(
        [implemented("impl Tuning {"), implemented("impl<T> From<T> for Rates<T> {")],
        [Some("Tuning"), Some("Rates")]
    );
    assert!(citations("(x, a) and a sentence. No citation").is_empty());
    assert!(citations("The rows (1) sum to one").is_empty());
}
