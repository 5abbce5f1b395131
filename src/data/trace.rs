//! Traces: one JSON object per line, in the order of the algorithm, every double printed so that it reads back to the
//! same bits.

use super::error::InputError;
use super::json::Piece;
use serde::Serialize;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The line of outer iteration t.
#[derive(Debug, Serialize)]
pub struct OuterLine<'a> {
    /// The iteration, from 1.
    pub t: usize,
    /// θ_t.
    pub theta: &'a [f64],
    /// ρ_t, in the average-reward setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho: Option<f64>,
    /// β_t.
    pub beta: &'a [f64],
    /// β_{t+1}.
    pub beta_next: &'a [f64],
    /// Σ_{i≤t} θ_i.
    pub theta_sum: &'a [f64],
    /// π_t, one row per state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Vec<&'a [f64]>>,
}

/// The line of inner step k of iteration t.
#[derive(Debug, Serialize)]
pub struct InnerLine<'a> {
    /// The iteration, from 1.
    pub t: usize,
    /// The step, from 1.
    pub k: usize,
    /// g̃_θ at this step.
    pub gradient: &'a [f64],
    /// θ after the step.
    pub theta: &'a [f64],
    /// ρ after the step, in the average-reward setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rho: Option<f64>,
}

/// A line of a trace, read: which step it is of, and every number under its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    t: u64,
    k: Option<u64>,
    variables: Vec<(String, Vec<(String, f64)>)>,
}

/// A longer line is no trace: 64 MiB hold a policy of a million numbers.
const LONGEST_LINE: u64 = 1 << 26;

/// A trace under way; one line is held at a time.
#[derive(Debug)]
pub struct TraceReader<R> {
    file: PathBuf,
    source: R,
    number: u64,
    text: String,
}

impl TraceReader<BufReader<File>> {
    /// Opens a trace.
    pub fn open(file: &Path) -> Result<Self, InputError> {
        let source = File::open(file).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        Ok(Self::new(file, BufReader::new(source)))
    }
}

impl<R: BufRead> TraceReader<R> {
    /// A trace from any source; `file` is what complaints name.
    pub fn new(file: &Path, source: R) -> Self {
        Self { file: file.to_owned(), source, number: 0, text: String::new() }
    }

    /// The next line; blank ones are skipped.
    pub fn next_line(&mut self) -> Result<Option<Line>, InputError> {
        loop {
            self.number += 1;
            self.text.clear();
            let read = (&mut self.source).take(LONGEST_LINE).read_line(&mut self.text);
            let read = read.map_err(|e| InputError::at(&self.file, self.number, format_args!("cannot read: {e}")))?;
            if read as u64 == LONGEST_LINE {
                return Err(InputError::at(&self.file, self.number, "found a line above 64 MiB, expected a trace"));
            }
            if read == 0 {
                return Ok(None);
            }
            if !self.text.trim().is_empty() {
                return parse_line(&self.file, self.number, &self.text).map(Some);
            }
        }
    }
}

fn parse_line(file: &Path, number: u64, text: &str) -> Result<Line, InputError> {
    let text = if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
    let top = Piece::line(file, number, text.trim_end_matches(['\n', '\r']))?;
    let (mut t, mut k, mut variables) = (None, None, Vec::new());
    for (key, raw) in &top.members()? {
        let piece = top.member(key, raw);
        match key.as_str() {
            "t" => t = Some(piece.count()?),
            "k" => k = Some(piece.count()?),
            _ => {
                let mut numbers = Vec::new();
                flatten(&piece, "", &mut numbers)?;
                variables.push((key.clone(), numbers));
            }
        }
    }
    match t {
        Some(t) => Ok(Line { t, k, variables }),
        None => Err(InputError::at(file, number, "no key `t`, expected a line of a trace")),
    }
}

/// Numbers of a nested list with the index of each: `[2][0]`.
fn flatten(piece: &Piece<'_>, place: &str, out: &mut Vec<(String, f64)>) -> Result<(), InputError> {
    // A policy nests two deep; recursion must not be the file's to choose.
    if !piece.is_list() || place.len() > 64 {
        out.push((place.to_owned(), piece.number()?));
        return Ok(());
    }
    for (index, raw) in piece.elements()?.into_iter().enumerate() {
        flatten(&piece.element(index, raw), &format!("{place}[{index}]"), out)?;
    }
    Ok(())
}

/// Where two traces part.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The outer iteration.
    pub t: u64,
    /// The inner step, on an inner line.
    pub k: Option<u64>,
    /// What differs there.
    pub what: Difference,
}

/// What differs between two lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// A number.
    Number {
        /// The variable and its component, like `theta[3]`.
        component: String,
        /// Its value in the first trace.
        first: f64,
        /// Its value in the second.
        second: f64,
    },
    /// A variable or component that one of them lacks.
    Only {
        /// Its name.
        component: String,
        /// Whether the first trace has it.
        in_first: bool,
    },
    /// One trace goes on where the other is elsewhere or at its end.
    Order {
        /// Where the second one is; `None` at its end.
        second: Option<(u64, Option<u64>)>,
        /// Whether it is the first one that has ended.
        first_ended: bool,
    },
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t = {}", self.t)?;
        if let Some(k) = self.k {
            write!(f, ", k = {k}")?;
        }
        match &self.what {
            Difference::Number { component, first, second } => {
                write!(f, ", {component}: {first:?} and {second:?}, {} ulps apart", ulps(*first, *second))
            }
            Difference::Only { component, in_first } => {
                write!(f, ", {component}: only in the {} trace", if *in_first { "first" } else { "second" })
            }
            Difference::Order { first_ended: true, .. } => write!(f, ": only in the second trace"),
            Difference::Order { second: None, .. } => write!(f, ": only in the first trace"),
            Difference::Order { second: Some((t, Some(k))), .. } => {
                write!(f, ": the second trace is at t = {t}, k = {k}")
            }
            Difference::Order { second: Some((t, None)), .. } => write!(f, ": the second trace is at t = {t}"),
        }
    }
}

/// How many doubles lie between two, counting the second: the distance of their places in the order of all doubles.
#[must_use]
pub fn ulps(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let bits = x.to_bits();
        let size = i128::from(bits & !(1 << 63));
        if x.is_sign_negative() { -size } else { size }
    };
    u64::try_from((place(a) - place(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

/// The first place where two traces differ by more than `tolerance` (absolute); `None` and the number of lines when there is none.
/// At tolerance 0 that is every difference but the sign of zero.
pub fn compare_traces<A: BufRead, B: BufRead>(
    first: &mut TraceReader<A>,
    second: &mut TraceReader<B>,
    tolerance: f64,
) -> Result<Result<u64, Divergence>, InputError> {
    let mut lines = 0;
    loop {
        match (first.next_line()?, second.next_line()?) {
            (None, None) => return Ok(Ok(lines)),
            (Some(a), None) => {
                let what = Difference::Order { second: None, first_ended: false };
                return Ok(Err(Divergence { t: a.t, k: a.k, what }));
            }
            (None, Some(b)) => {
                let what = Difference::Order { second: Some((b.t, b.k)), first_ended: true };
                return Ok(Err(Divergence { t: b.t, k: b.k, what }));
            }
            (Some(a), Some(b)) => {
                if let Some(what) = compare_lines(&a, &b, tolerance) {
                    return Ok(Err(Divergence { t: a.t, k: a.k, what }));
                }
            }
        }
        lines += 1;
    }
}

fn compare_lines(a: &Line, b: &Line, tolerance: f64) -> Option<Difference> {
    if (a.t, a.k) != (b.t, b.k) {
        return Some(Difference::Order { second: Some((b.t, b.k)), first_ended: false });
    }
    for (name, numbers) in &a.variables {
        let Some((_, others)) = b.variables.iter().find(|(other, _)| other == name) else {
            return Some(Difference::Only { component: name.clone(), in_first: true });
        };
        for ((place, x), (other_place, y)) in numbers.iter().zip(others) {
            if place != other_place {
                return Some(Difference::Only { component: format!("{name}{place}"), in_first: true });
            }
            // Numbers in a trace are finite: the reader refuses anything else.
            if (x - y).abs() > tolerance {
                return Some(Difference::Number { component: format!("{name}{place}"), first: *x, second: *y });
            }
        }
        if numbers.len() != others.len() {
            let in_first = numbers.len() > others.len();
            let longer = if in_first { numbers } else { others };
            let component = format!("{name}{}", longer[numbers.len().min(others.len())].0);
            return Some(Difference::Only { component, in_first });
        }
    }
    let extra = b.variables.iter().find(|(name, _)| a.variables.iter().all(|(other, _)| other != name));
    extra.map(|(name, _)| Difference::Only { component: name.clone(), in_first: false })
}
