//! A policy to take home: π(a|x) ∝ exp(α⟨φ(x, a), s⟩) is the one vector s = Σθ, so a file holds a few of those. JSON, or NPZ with the
//! same keys.

use super::error::InputError;
use super::json::Piece;
use super::kind::{Kind, cannot_read, kind_of};
use super::npz::{Archive, ArchiveWriter, Bytes};
use super::output::OutputFile;
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
}

impl PolicyFile {
    /// The file, in the format that its name's extension says, not yet under its name. `tables` are π_J and the last policy, for those who do
    /// not want to compute a softmax; |A| to a row.
    pub fn write(
        &self,
        target: &Path,
        tables: Option<(&[f64], &[f64])>,
        actions: usize,
    ) -> Result<OutputFile, InputError> {
        if target.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
            return self.write_npz(target, tables, actions);
        }
        let rows = |numbers: &[f64], width: usize| numbers.chunks(width).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let mut object = json!({
            "name": self.name, "setting": self.setting, "alpha": self.alpha, "outer": self.outer,
            "output_index": self.output_index, "output_theta_sum": self.output, "last_theta_sum": self.last,
        });
        if !self.mixture.is_empty() {
            object["mixture_theta_sums"] = json!(rows(&self.mixture, self.output.len()));
        }
        if let Some((output, last)) = tables {
            object["output_table"] = json!(rows(output, actions));
            object["last_table"] = json!(rows(last, actions));
        }
        OutputFile::holding(target, format!("{object}\n").as_bytes())
    }

    fn write_npz(
        &self,
        target: &Path,
        tables: Option<(&[f64], &[f64])>,
        actions: usize,
    ) -> Result<OutputFile, InputError> {
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
        if let Some((output, last)) = tables {
            for (key, table) in [("output_table", output), ("last_table", last)] {
                let shape = [(table.len() / actions) as u64, actions as u64];
                archive.doubles(key, &shape, table.iter().copied())?;
            }
        }
        archive.finish()
    }

    /// Reads a policy file; tables are not read, since the sums say what they hold.
    pub fn read(file: &Path) -> Result<Self, InputError> {
        let mut source = File::open(file).map_err(|e| cannot_read(file, &e))?;
        let (kind, start) = kind_of(file, &mut source)?;
        let policy = if kind == Kind::Zip {
            read_npz(file, &Bytes::File(source))?
        } else {
            parse(file, &rest_of(file, kind, start, source)?)?
        };
        let dim = policy.output.len();
        let wrong = |key: &str, problem: String| Err(InputError::at(file, format_args!(" {key}"), problem));
        if policy.last.len() != dim {
            return wrong(
                "last_theta_sum",
                format!("found {} numbers, expected {dim} as in `output_theta_sum`", policy.last.len()),
            );
        }
        let expected = policy.outer.saturating_mul(dim);
        if !policy.mixture.is_empty() && policy.mixture.len() != expected {
            return wrong(
                "mixture_theta_sums",
                format!("found {} numbers, expected {expected} = outer × d", policy.mixture.len()),
            );
        }
        if policy.alpha < 0.0 || !policy.alpha.is_finite() {
            return wrong("alpha", format!("found {}, expected a number >= 0", policy.alpha));
        }
        Ok(policy)
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
    let output = vector(member("output_theta_sum")?)?;
    let mut mixture = Vec::new();
    if let Some(piece) = optional("mixture_theta_sums") {
        for (t, raw) in piece.elements()?.into_iter().enumerate() {
            piece.element(t, raw).numbers(output.len(), "as many as `output_theta_sum`", &mut mixture)?;
        }
    }
    Ok(PolicyFile {
        name: member("name")?.text()?,
        setting: member("setting")?.text()?,
        alpha: member("alpha")?.number()?,
        outer: member("outer")?.count()? as usize,
        output_index: member("output_index")?.count()? as usize,
        last: vector(member("last_theta_sum")?)?,
        output,
        mixture,
    })
}

fn read_npz(file: &Path, bytes: &Bytes) -> Result<PolicyFile, InputError> {
    let archive = &mut Archive::open(file, bytes, &KEYS)?;
    let missing = |key: &str| InputError::file(file, format_args!("no array `{key}`, expected it in a policy file"));
    let mut vector = |key: &str, needed: bool| match archive.numbers::<f64>(key)? {
        Some(array) => Ok(array.elements),
        None if needed => Err(missing(key)),
        None => Ok(Vec::new()),
    };
    let (output, last) = (vector("output_theta_sum", true)?, vector("last_theta_sum", true)?);
    let (alpha, mixture) = (vector("alpha", true)?, vector("mixture_theta_sums", false)?);
    let mut count = |key: &str| {
        let found = archive.indices(key, 1 << 53)?.and_then(|array| array.elements.into_iter().next());
        found.ok_or_else(|| missing(key))
    };
    let (outer, output_index) = (count("outer")?, count("output_index")?);
    Ok(PolicyFile {
        name: archive.text("name")?.ok_or_else(|| missing("name"))?,
        setting: archive.text("setting")?.ok_or_else(|| missing("setting"))?,
        alpha: alpha.into_iter().next().ok_or_else(|| missing("alpha"))?,
        outer,
        output_index,
        output,
        last,
        mixture,
    })
}
