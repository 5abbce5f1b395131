//! What the book quotes, read from a checkout: functions, Coq's claims, Kani's table, the errata.

use super::excerpt::{Excerpt, claim, definitions, function, word};
use crate::data::InputError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that the book quotes.
pub struct Sources {
    rust: Vec<(String, String)>,
    proofs: Vec<(String, String)>,
    pub coq: Vec<(String, String)>,
    kani: BTreeMap<String, Vec<String>>,
    errata: String,
    counts: Vec<Count>,
    /// The axioms that a theorem may stand on: `proofs/coq/check.sh` asks Coq, and refuses every other.
    pub axioms: Vec<String>,
}

/// What print says, as definitions to be read alone.
const REFUTED: &str = "proofs/coq/RefutedStatements.v";

/// An item of the errata.
pub struct Erratum<'a> {
    pub title: &'a str,
    /// What follows the title.
    pub text: &'a str,
    pub grade: Grade<'a>,
}

/// How bad an item is, as the errata's table has it. Ordered from the slip to the false theorem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grade<'a> {
    rank: usize,
    /// The grade and what the table adds to it.
    pub words: &'a str,
}

impl<'a> Grade<'a> {
    pub const NAMES: [&'static str; 4] = ["slip", "formula", "proof step", "theorem false"];

    fn read(words: &'a str) -> Option<Self> {
        let rank = Self::NAMES.iter().position(|name| words.starts_with(name))?;
        Some(Self { rank, words })
    }

    pub fn name(&self) -> &'static str {
        Self::NAMES[self.rank]
    }

    /// Whether a step of a proof fails, or a theorem.
    pub fn is_grave(&self) -> bool {
        self.rank >= 2
    }
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
        let (rust, proofs) = (files(root, "src/paper", "rs")?, files(root, "proofs", "rs")?);
        let coq = files(root, "proofs/coq", "v")?;
        Ok(Self { rust, proofs, coq, kani, errata, counts, axioms })
    }

    /// What the tests counted of a statement.
    pub fn counts(&self, statement: &str) -> impl Iterator<Item = &Count> {
        self.counts.iter().filter(move |count| count.statement == statement)
    }

    /// A function, method or type by its path from the crate's root, with its comments.
    pub fn function(&self, path: &str) -> Option<Excerpt> {
        let (module, name) = path.rsplit_once("::")?;
        let (module, of) = match module.rsplit_once("::") {
            Some((module, kind)) if kind.starts_with(|c: char| c.is_ascii_uppercase()) => (module, Some(kind)),
            _ => (module, None),
        };
        let place = module.replace("::", "/");
        let of_module = |file: &&(String, String)| {
            let stem = file.0.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
            stem == place || place.starts_with(&format!("{stem}/"))
        };
        self.rust.iter().filter(of_module).find_map(|(file, text)| function(file, text, of, name))
    }

    /// A theorem and the claim that it proves: `Definition Name : Prop`, where the theorem has the name in lower case.
    pub fn claim(&self, theorem: &str) -> Option<Excerpt> {
        let lower = |name: &str| name != theorem && name.to_lowercase() == theorem.to_lowercase();
        let find = |keyword: &str, same: &dyn Fn(&str) -> bool| {
            let starts = |line: &str| line.strip_prefix(keyword).is_some_and(|rest| same(word(rest)));
            self.coq.iter().find_map(|(file, text)| claim(file, text, starts))
        };
        find("Definition ", &lower).or_else(|| find("Theorem ", &|name| name == theorem))
    }

    /// What a refutation says is false: the definitions of [`REFUTED`] that its claim names, each with the comment above it.
    pub fn printed(&self, claim: &Excerpt) -> Vec<Excerpt> {
        let text = self.coq.iter().find(|(file, _)| file == REFUTED).map_or("", |(_, text)| text);
        definitions(REFUTED, text, &claim.text)
    }

    /// A harness as it stands in `proofs`, with its comment and its bounds.
    pub fn harness_code(&self, name: &str) -> Option<Excerpt> {
        self.proofs.iter().find_map(|(file, text)| function(file, text, None, name))
    }

    /// A harness' row of the table: claim, what it refuted, assumptions, bound, solver, result, seconds, date.
    pub fn harness(&self, name: &str) -> Option<&[String]> {
        self.kani.get(name).map(Vec::as_slice)
    }

    /// An erratum by its number.
    pub fn erratum(&self, number: u32) -> Option<Erratum<'_>> {
        let heading = format!("\n## {number}. ");
        let text = &self.errata[self.errata.find(&heading)? + heading.len()..];
        let text = &text[..text.find("\n## ").unwrap_or(text.len())];
        let (title, text) = text.split_once('\n').unwrap_or((text, ""));
        let row = self.errata.lines().find(|line| line.starts_with(&format!("| {number} |")))?;
        Some(Erratum { title, text, grade: Grade::read(row.split('|').nth(2)?.trim())? })
    }
}

/// A row of `docs/tables/counts.md`.
fn count(row: &str) -> Option<Count> {
    let mut cells = row.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").map(str::to_owned);
    let row = Count { statement: cells.next()?, how: cells.next()?, times: cells.next()?, on: cells.next()? };
    row.times.parse::<u64>().is_ok().then_some(row)
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
