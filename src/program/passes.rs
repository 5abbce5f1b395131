//! Passes over the data file beside the run itself: how many rows, Λ̂ of them, and the same rows again.

use crate::data::json::Piece;
use crate::data::{InputError, Problem, Reading, Row, RowSpec, Rows, read_text, with_reading};
use crate::linear::vector::add_rank_one;
use crate::sampler::Uniforms;
use std::path::Path;

/// Rows that are used again, or in another order, are held in memory: at most so many.
pub const HELD: usize = 50_000_000;

/// Whether a second reading would find nothing, or wait for ever.
fn is_read_once(file: &Path) -> bool {
    file == Path::new("-") || std::fs::metadata(file).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn each(file: &Path, spec: RowSpec, reading: &Reading, mut see: impl FnMut(&Row)) -> Result<u64, InputError> {
    let what = if file == Path::new("-") { "standard input" } else { "a pipe or device" };
    if is_read_once(file) {
        let problem = format!("{what} is read once, expected --inner and --outer, and no Λ̂ from it");
        return Err(InputError::call(format_args!("--data {}", file.display()), problem));
    }
    with_reading(file, spec, reading, |rows| {
        let mut count = 0;
        while let Some(row) = rows.next_row()? {
            see(&row);
            count += 1;
        }
        Ok(count)
    })
}

/// How many rows there are.
pub fn count(file: &Path, spec: RowSpec, reading: &Reading) -> Result<u64, InputError> {
    each(file, spec, reading, |_| {})
}

/// Λ̂ = (1/n) Σ φφᵀ.
pub fn covariance(
    file: &Path,
    spec: RowSpec,
    reading: &Reading,
    problem: &Problem<f64>,
) -> Result<Vec<f64>, InputError> {
    let mut counts = vec![0.0; problem.shape.pairs()];
    let total = each(file, spec, reading, |row| counts[problem.shape.pair(row.x, row.a)] += 1.0)?;
    if total == 0 {
        return Err(InputError::file(file, "found no rows, expected some for Λ̂"));
    }
    let dim = problem.shape.dim;
    let mut lambda = vec![0.0; dim * dim];
    for (phi, count) in problem.features.chunks(dim).zip(&counts).filter(|(_, count)| **count > 0.0) {
        add_rank_one(&(count / total as f64), phi, &mut lambda);
    }
    Ok(lambda)
}

/// Λ̂ from a JSON file: d rows of d numbers, symmetric.
pub fn read_covariance(file: &Path, dim: usize) -> Result<Vec<f64>, InputError> {
    let text = read_text(file)?;
    let (top, mut lambda) = (Piece::top(file, &text)?, Vec::new());
    for (i, raw) in top.elements_counted(dim, "one row per component")?.into_iter().enumerate() {
        top.element(i, raw).numbers(dim, "one per component", &mut lambda)?;
    }
    match (0..dim * dim).find(|at| lambda[*at] != lambda[at % dim * dim + at / dim]) {
        None => Ok(lambda),
        Some(at) => {
            let (i, j) = (at / dim, at % dim);
            let problem =
                format!("found {} and {} at [{j}][{i}], expected a symmetric matrix", lambda[at], lambda[j * dim + i]);
            Err(InputError::at(file, format_args!(" [{i}][{j}]"), problem))
        }
    }
}

/// The rows of a file, over and over, each time in a new order where that is wanted.
pub struct Again<'r> {
    source: &'r mut dyn Rows,
    rows: Vec<Row>,
    shuffle: Option<Uniforms>,
    left: usize,
    at: usize,
}

impl<'r> Again<'r> {
    pub fn new(source: &'r mut dyn Rows, epochs: usize, shuffle: Option<u64>) -> Result<Self, InputError> {
        let mut rows = Vec::new();
        while let Some(row) = source.next_row()? {
            if rows.len() == HELD {
                let problem = format!("found more than {HELD} rows, expected fewer, to hold them in memory");
                return Err(InputError::call("--epochs, --shuffle", problem));
            }
            rows.push(row);
        }
        // A stream of its own, as for J, x0 and u.
        let shuffle = shuffle.map(|seed| Uniforms::new(seed ^ (1 << 61)));
        let at = rows.len();
        Ok(Self { source, rows, shuffle, left: epochs, at })
    }

    fn next_epoch(&mut self) -> bool {
        if self.left == 0 || self.rows.is_empty() {
            return false;
        }
        (self.left, self.at) = (self.left - 1, 0);
        if let Some(uniforms) = &mut self.shuffle {
            // Fisher and Yates.
            for i in (1..self.rows.len()).rev() {
                let j = (uniforms.unit() * (i + 1) as f64) as usize;
                self.rows.swap(i, j.min(i));
            }
        }
        true
    }
}

impl Rows for Again<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        if self.at == self.rows.len() && !self.next_epoch() {
            return Ok(None);
        }
        self.at += 1;
        Ok(self.rows.get(self.at - 1).copied())
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.source.finish()
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Ok((self.rows.len() - self.at + self.left * self.rows.len()) as u64)
    }

    fn drawn(&self) -> bool {
        self.shuffle.is_some() || self.source.drawn()
    }

    fn notes(&self) -> Vec<String> {
        self.source.notes()
    }
}
