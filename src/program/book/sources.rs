//! What the book quotes, read from a checkout: functions, Coq's claims, Kani's table, the errata.

use crate::data::InputError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A piece of a file.
pub struct Excerpt {
    /// From the checkout's root.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    pub text: String,
}

/// The files that the book quotes.
pub struct Sources {
    rust: Vec<(String, String)>,
    pub coq: Vec<(String, String)>,
    kani: BTreeMap<String, Vec<String>>,
    errata: String,
    counts: Vec<Count>,
    /// The axioms that a theorem may stand on: `proofs/coq/check.sh` asks Coq, and refuses every other.
    pub axioms: Vec<String>,
}

/// How often a statement was checked in a test, and on what.
pub struct Count {
    statement: String,
    /// exhaustive, families or random.
    pub how: String,
    pub times: String,
    pub on: String,
}

impl Sources {
    pub fn read(root: &Path) -> Result<Self, InputError> {
        let text = |path: &str| {
            let wanted = root.join(path);
            std::fs::read_to_string(&wanted).map_err(|e| {
                let what = format!("{e}; the book quotes the sources: run in a checkout, or name one with --source");
                InputError::file(&wanted, what)
            })
        };
        let table = text("docs/tables/kani-table.md")?;
        let errata = text("docs/errata.md")?;
        let mut kani = BTreeMap::new();
        for row in table.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<String> = row.replace("\\|", "∣").split('|').map(|cell| cell.trim().to_owned()).collect();
            if let Some(name) = cells.get(1).and_then(|cell| cell.trim_matches('`').rsplit("::").next()) {
                kani.insert(name.to_owned(), cells);
            }
        }
        let counts = text("docs/tables/counts.md")?.lines().filter_map(count).collect();
        let axioms = text("proofs/coq/allowed-axioms.txt")?.lines().map(str::to_owned).collect();
        let (rust, coq) = (files(root, "src/paper", "rs")?, files(root, "proofs/coq", "v")?);
        Ok(Self { rust, coq, kani, errata, counts, axioms })
    }

    /// What the tests counted of a statement.
    pub fn counts(&self, statement: &str) -> impl Iterator<Item = &Count> {
        self.counts.iter().filter(move |count| count.statement == statement)
    }

    /// A function or type by its path from the crate's root, with its comments.
    pub fn function(&self, path: &str) -> Option<Excerpt> {
        let (module, name) = path.rsplit_once("::")?;
        let place = module.replace("::", "/");
        let of_module = |file: &&(String, String)| {
            let stem = file.0.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
            stem == place || place.starts_with(&format!("{stem}/"))
        };
        self.rust.iter().filter(of_module).find_map(|(file, text)| item(file, text, name))
    }

    /// A theorem and the claim that it proves: `Definition Name : Prop`, where the theorem has the name in lower case.
    pub fn claim(&self, theorem: &str) -> Option<Excerpt> {
        let find = |starts: &dyn Fn(&str) -> bool| {
            self.coq.iter().find_map(|(file, text)| {
                let line = text.lines().position(starts)?;
                let body: Vec<&str> = text.lines().skip(line).take_while(|line| !line.trim().is_empty()).collect();
                let end = body.iter().position(|line| line.trim_start().starts_with("Proof")).unwrap_or(body.len());
                Some(Excerpt { file: file.clone(), line: line + 1, text: body[..end].join("\n") })
            })
        };
        let named = |line: &str, keyword: &str, same: &dyn Fn(&str) -> bool| {
            line.strip_prefix(keyword).is_some_and(|rest| same(word(rest)))
        };
        let lower = |name: &str| name != theorem && name.to_lowercase() == theorem.to_lowercase();
        find(&|line| named(line, "Definition ", &lower))
            .or_else(|| find(&|line| named(line, "Theorem ", &|name| name == theorem)))
    }

    /// A harness' row of the table: claim, what it refuted, assumptions, bound, solver, result, seconds, date.
    pub fn harness(&self, name: &str) -> Option<&[String]> {
        self.kani.get(name).map(Vec::as_slice)
    }

    /// The text of an erratum and its grade.
    pub fn erratum(&self, number: u32) -> Option<(&str, &str)> {
        let start = self.errata.find(&format!("\n## {number}. "))? + 4;
        let text = &self.errata[start..];
        let text = &text[..text.find("\n## ").unwrap_or(text.len())];
        let row = self.errata.lines().find(|line| line.starts_with(&format!("| {number} |")))?;
        Some((text, row.split('|').nth(2)?.trim()))
    }
}

/// A row of `docs/tables/counts.md`.
fn count(row: &str) -> Option<Count> {
    let mut cells = row.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::to_owned);
    let row = Count { statement: cells.next()?, how: cells.next()?, times: cells.next()?, on: cells.next()? };
    row.times.parse::<u64>().is_ok().then_some(row)
}

/// The word that a text starts with.
pub fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').unwrap_or(text.len());
    &text[..end]
}

fn item(file: &str, text: &str, name: &str) -> Option<Excerpt> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |line: &str| {
        let line = line.trim_start();
        let Some(rest) = line.strip_prefix("pub ") else { return false };
        let rest = rest.trim_start_matches("const ");
        ["fn ", "struct ", "enum ", "trait "]
            .iter()
            .any(|kind| rest.strip_prefix(kind).is_some_and(|r| word(r) == name))
    };
    let at = lines.iter().position(|line| starts(line))?;
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let above = lines[..at].iter().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("#[")
    });
    let first = at - above.count();
    let close = format!("{indent}}}");
    let ends =
        |line: &str| line == close || (line.starts_with(indent) && line.ends_with(';') && line.contains("struct "));
    let last = (at..lines.len()).find(|&i| ends(lines[i]))?;
    let body: Vec<&str> = lines[first..=last].iter().map(|line| line.strip_prefix(indent).unwrap_or(line)).collect();
    Some(Excerpt { file: file.to_owned(), line: first + 1, text: body.join("\n") })
}

/// Every file below a directory with an ending, by name.
fn files(root: &Path, below: &str, ending: &str) -> Result<Vec<(String, String)>, InputError> {
    let (mut found, mut open) = (Vec::new(), vec![root.join(below)]);
    while let Some(directory) = open.pop() {
        let wrong = |e: std::io::Error| InputError::file(&directory, format!("{e}; expected a checkout's {below}"));
        for entry in std::fs::read_dir(&directory).map_err(wrong)? {
            let path: PathBuf = entry.map_err(wrong)?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                found.push((name, std::fs::read_to_string(&path).map_err(wrong)?));
            }
        }
    }
    found.sort();
    Ok(found)
}
