//! A policy to take home: π(a|x) ∝ exp(α⟨φ(x, a), s⟩) is the one vector s = Σθ, so a file holds a few of those. JSON, or NPZ with the
//! same keys.

use super::error::InputError;
use super::json::Piece;
use super::kind::{Kind, cannot_read, kind_of};
use super::npy::shown_shape;
use super::npz::{Archive, ArchiveWriter, Bytes};
use super::output::OutputFile;
use super::problem::stem;
use super::text::rest_of;
use serde_json::json;
use std::fs::File;
use std::path::Path;

const KEYS: [&str; 10] = [
    "name",
    "setting",
    "alpha",
    "outer",
    "output_index",
    "output_theta_sum",
    "last_theta_sum",
    "mixture_theta_sums",
    "output_table",
    "last_table",
];

/// The policies of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyFile {
    /// The problem's name.
    pub name: String,
    /// `discounted` or `average`.
    pub setting: String,
    /// α.
    pub alpha: f64,
    /// T.
    pub outer: usize,
    /// J.
    pub output_index: usize,
    /// Σ_{i<J} θ_i: π_J, the theorem's output.
    pub output: Vec<f64>,
    /// Σ_{i≤T} θ_i: the policy after the last step.
    pub last: Vec<f64>,
    /// Σ_{i<t} θ_i for t = 1 … T: the mixture draws t once, then follows π_t. Empty where it was too much to keep.
    pub mixture: Vec<f64>,
    /// π_J as a table, for those who do not want to compute a softmax.
    pub output_table: Option<PolicyTable>,
    /// The last policy.
    pub last_table: Option<PolicyTable>,
}

/// π(a|x), |A| to a row.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyTable {
    /// |A|.
    pub actions: usize,
    /// State by state.
    pub numbers: Vec<f64>,
}

/// How far a sum or a table may be from what belongs to it: what six printed digits leave open.
const DIGITS: f64 = 1e-6;

impl PolicyFile {
    /// The file, in the format that its name's extension says, not yet under its name.
    pub fn write(&self, target: &Path) -> Result<OutputFile, InputError> {
        if target.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
            return self.write_npz(target);
        }
        let rows = |numbers: &[f64], width: usize| numbers.chunks(width).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let mut object = json!({
            "name": self.name, "setting": self.setting, "alpha": self.alpha, "outer": self.outer,
            "output_index": self.output_index, "output_theta_sum": self.output, "last_theta_sum": self.last,
        });
        if !self.mixture.is_empty() {
            object["mixture_theta_sums"] = json!(rows(&self.mixture, self.output.len()));
        }
        for (key, table) in self.tables() {
            object[key] = json!(rows(&table.numbers, table.actions));
        }
        OutputFile::holding(target, format!("{object}\n").as_bytes())
    }

    fn tables(&self) -> impl Iterator<Item = (&'static str, &PolicyTable)> {
        let tables = [("output_table", &self.output_table), ("last_table", &self.last_table)];
        tables.into_iter().filter_map(|(key, table)| Some((key, table.as_ref()?)))
    }

    fn write_npz(&self, target: &Path) -> Result<OutputFile, InputError> {
        let mut archive = ArchiveWriter::create(target)?;
        let dim = self.output.len() as u64;
        archive.texts("name", &[], std::slice::from_ref(&self.name))?;
        archive.texts("setting", &[], std::slice::from_ref(&self.setting))?;
        archive.doubles("alpha", &[], [self.alpha].into_iter())?;
        archive.integers("outer", &[], [self.outer].into_iter())?;
        archive.integers("output_index", &[], [self.output_index].into_iter())?;
        archive.doubles("output_theta_sum", &[dim], self.output.iter().copied())?;
        archive.doubles("last_theta_sum", &[dim], self.last.iter().copied())?;
        if !self.mixture.is_empty() {
            archive.doubles("mixture_theta_sums", &[self.outer as u64, dim], self.mixture.iter().copied())?;
        }
        for (key, table) in self.tables() {
            let shape = [(table.numbers.len() / table.actions) as u64, table.actions as u64];
            archive.doubles(key, &shape, table.numbers.iter().copied())?;
        }
        archive.finish()
    }

    /// Reads a policy file, in which a table may stand for a sum, and checks it as far as it goes without features.
    pub fn read(file: &Path) -> Result<Self, InputError> {
        let mut source = File::open(file).map_err(|e| cannot_read(file, &e))?;
        let (kind, start) = kind_of(file, &mut source)?;
        let policy = if kind == Kind::Zip {
            read_npz(file, &Bytes::File(source))?
        } else {
            parse(file, &rest_of(file, kind, start, source)?)?
        };
        policy.check().map_err(|(key, problem)| InputError::at(file, format_args!(" {key}"), problem))?;
        Ok(policy)
    }

    fn check(&self) -> Result<(), (String, String)> {
        let wrong = |key: &str, problem: String| Err((key.to_owned(), problem));
        let (dim, rows) = (self.output.len(), self.mixture.len().checked_div(self.output.len()).unwrap_or(0));
        if !self.last.is_empty() && dim > 0 && self.last.len() != dim {
            let found = self.last.len();
            return wrong("last_theta_sum", format!("found {found} numbers, expected {dim} as in `output_theta_sum`"));
        }
        let expected = self.outer.saturating_mul(dim);
        if !self.mixture.is_empty() && self.mixture.len() != expected {
            let found = self.mixture.len();
            return wrong("mixture_theta_sums", format!("found {found} numbers, expected {expected} = outer × d"));
        }
        if self.alpha < 0.0 || !self.alpha.is_finite() {
            return wrong("alpha", format!("found {}, expected a number >= 0", self.alpha));
        }
        let (index, outer) = (self.output_index, self.outer);
        if !(1..=outer).contains(&index) {
            return wrong("output_index", format!("found {index}, expected 1 <= J <= {outer} = outer"));
        }
        if rows > 0 {
            let sum = &self.mixture[(index - 1) * dim..index * dim];
            if let Some(at) = (0..dim).find(|at| !is_near(self.output[*at], sum[*at])) {
                let (found, expected) = (self.output[at], sum[at]);
                let problem = format!("found {found}, expected {expected} as in `mixture_theta_sums[{}]`", index - 1);
                return wrong(&format!("output_theta_sum[{at}]"), problem);
            }
        }
        self.tables().try_for_each(|(key, table)| table.check(key))
    }
}

fn is_near(x: f64, y: f64) -> bool {
    (x - y).abs() <= DIGITS * x.abs().max(y.abs()).max(1.0)
}

impl PolicyTable {
    fn check(&self, key: &str) -> Result<(), (String, String)> {
        for (x, row) in self.numbers.chunks(self.actions).enumerate() {
            if let Some((a, p)) = row.iter().enumerate().find(|(_, p)| **p < 0.0) {
                return Err((format!("{key}[{x}][{a}]"), format!("found {p}, expected a probability >= 0")));
            }
            let sum: f64 = row.iter().sum();
            if !is_near(sum, 1.0) {
                return Err((format!("{key}[{x}]"), format!("found sum {sum}, expected probabilities that sum to 1")));
            }
        }
        Ok(())
    }

    /// The policy, its rows divided by what they sum to within their digits.
    #[must_use]
    pub fn policy(&self) -> Vec<f64> {
        let rows = self.numbers.chunks(self.actions);
        rows.flat_map(|row| row.iter().map(|p| p / row.iter().sum::<f64>())).collect()
    }

    /// The first entry that is not that of the policy.
    #[must_use]
    pub fn first_difference(&self, policy: &[f64]) -> Option<usize> {
        self.numbers.iter().zip(policy).position(|(p, q)| !is_near(*p, *q))
    }
}

fn parse(file: &Path, text: &str) -> Result<PolicyFile, InputError> {
    let top = Piece::top(file, text)?;
    let members = top.members()?;
    if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(top.unknown_key(key, &KEYS));
    }
    let optional =
        |key: &'static str| members.iter().find(|(name, _)| name == key).map(|(_, raw)| top.member(key, raw));
    let member = |key: &'static str| {
        optional(key).ok_or_else(|| top.wrong(format_args!("no key `{key}`, expected it in a policy file")))
    };
    let vector = |piece: Piece<'_>| -> Result<Vec<f64>, InputError> {
        let elements = piece.elements()?;
        elements.iter().enumerate().map(|(at, raw)| piece.element(at, raw).number()).collect()
    };
    let table = |key: &'static str| optional(key).map(|piece| table_of(&piece)).transpose();
    let (output_table, last_table) = (table("output_table")?, table("last_table")?);
    // A policy is a sum, or a table alone.
    let sum = |key: &'static str, or_else: bool| match optional(key) {
        None if or_else => Ok(Vec::new()),
        _ => vector(member(key)?),
    };
    let output = sum("output_theta_sum", output_table.is_some() || last_table.is_some())?;
    let last = sum("last_theta_sum", output_table.is_some() || last_table.is_some())?;
    let alone = output.is_empty() && last.is_empty();
    let mut mixture = Vec::new();
    if let Some(piece) = optional("mixture_theta_sums") {
        for (t, raw) in piece.elements()?.into_iter().enumerate() {
            piece.element(t, raw).numbers(output.len(), "as many as `output_theta_sum`", &mut mixture)?;
        }
    }
    let count = |key: &'static str| if alone { Ok(1) } else { Ok(member(key)?.count()? as usize) };
    Ok(PolicyFile {
        name: if alone {
            optional("name").map_or_else(|| Ok(stem(file)), |piece| piece.text())?
        } else {
            member("name")?.text()?
        },
        setting: member("setting")?.text()?,
        alpha: if alone { 0.0 } else { member("alpha")?.number()? },
        outer: count("outer")?,
        output_index: count("output_index")?,
        last,
        output,
        mixture,
        output_table,
        last_table,
    })
}

fn table_of(piece: &Piece<'_>) -> Result<PolicyTable, InputError> {
    let (states, mut numbers) = (piece.elements()?, Vec::new());
    let first = states.first().map(|raw| piece.element(0, raw).elements()).transpose()?;
    let actions = first.map_or(0, |actions| actions.len());
    if actions == 0 {
        return Err(piece.wrong("found no probabilities, expected [state][action]"));
    }
    for (x, raw) in states.into_iter().enumerate() {
        piece.element(x, raw).numbers(actions, "one per action", &mut numbers)?;
    }
    Ok(PolicyTable { actions, numbers })
}

fn read_npz(file: &Path, bytes: &Bytes) -> Result<PolicyFile, InputError> {
    let archive = &mut Archive::open(file, bytes, &KEYS)?;
    let missing = |key: &str| InputError::file(file, format_args!("no array `{key}`, expected it in a policy file"));
    let (output_table, last_table) = (npz_table(archive, "output_table")?, npz_table(archive, "last_table")?);
    let has_table = output_table.is_some() || last_table.is_some();
    let mut vector = |key: &str, needed: bool| match archive.numbers::<f64>(key)? {
        Some(array) => Ok(array.elements),
        None if needed => Err(missing(key)),
        None => Ok(Vec::new()),
    };
    let (output, last) = (vector("output_theta_sum", !has_table)?, vector("last_theta_sum", !has_table)?);
    let alone = output.is_empty() && last.is_empty();
    let (alpha, mixture) = (vector("alpha", !alone)?, vector("mixture_theta_sums", false)?);
    let mut count = |key: &str| {
        let found = archive.indices(key, 1 << 53)?.and_then(|array| array.elements.into_iter().next());
        if alone { Ok(1) } else { found.ok_or_else(|| missing(key)) }
    };
    let (outer, output_index) = (count("outer")?, count("output_index")?);
    let name = archive.text("name")?.or_else(|| alone.then(|| stem(file)));
    Ok(PolicyFile {
        name: name.ok_or_else(|| missing("name"))?,
        setting: archive.text("setting")?.ok_or_else(|| missing("setting"))?,
        alpha: alpha.into_iter().next().or(alone.then_some(0.0)).ok_or_else(|| missing("alpha"))?,
        outer,
        output_index,
        output,
        last,
        mixture,
        output_table,
        last_table,
    })
}

fn npz_table(archive: &mut Archive<'_>, key: &str) -> Result<Option<PolicyTable>, InputError> {
    let Some(array) = archive.numbers::<f64>(key)? else { return Ok(None) };
    match array.shape[..] {
        [_, actions] if actions > 0 => Ok(Some(PolicyTable { actions: actions as usize, numbers: array.elements })),
        _ => {
            Err(archive
                .wrong(key, format_args!("found shape {}, expected (states, actions)", shown_shape(&array.shape))))
        }
    }
}
