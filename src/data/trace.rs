//! Traces: one JSON object per line, in the order of the algorithm, every double printed so that it reads back to the
//! same bits.

use super::error::InputError;
use super::json::Piece;
use super::text::LONGEST_LINE;
use crate::number::ulps;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
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

/// A line of a trace, read: which step it is of, and every variable under its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    t: u64,
    k: Option<u64>,
    variables: Vec<(String, Variable)>,
}

/// A number, or a list of numbers or of lists.
#[derive(Debug, Clone, PartialEq)]
enum Variable {
    Number(f64),
    Numbers(Vec<f64>),
    List(Vec<Variable>),
}

/// A trace under way; one line is held at a time.
#[derive(Debug)]
pub struct TraceReader<R> {
    file: PathBuf,
    source: R,
    number: u64,
    text: String,
    /// Whether a line was found.
    begun: bool,
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
        Self { file: file.to_owned(), source, number: 0, text: String::new(), begun: false }
    }

    /// The next non-blank line. A trace without lines is an error.
    pub fn next_line(&mut self) -> Result<Option<Line>, InputError> {
        loop {
            self.number += 1;
            self.text.clear();
            let read = (&mut self.source).take(LONGEST_LINE).read_line(&mut self.text);
            let read = read.map_err(|e| InputError::at(&self.file, self.number, format_args!("cannot read: {e}")))?;
            if read as u64 == LONGEST_LINE {
                return Err(InputError::at(&self.file, self.number, "found a line above 64 MiB, expected a trace"));
            }
            if read == 0 && !self.begun {
                return Err(InputError::file(&self.file, "found nothing, expected a trace"));
            }
            if read == 0 {
                return Ok(None);
            }
            if !self.text.trim().is_empty() {
                self.begun = true;
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
            _ => variables.push((key.clone(), variable(&piece, DEEPEST)?)),
        }
    }
    match t {
        Some(t) => Ok(Line { t, k, variables }),
        None => Err(InputError::at(file, number, "no key `t`, expected a line of a trace")),
    }
}

/// A policy nests two deep; recursion must not be the file's to choose.
const DEEPEST: u32 = 16;

fn variable(piece: &Piece<'_>, depth: u32) -> Result<Variable, InputError> {
    if !piece.is_list() || depth == 0 {
        return piece.number().map(Variable::Number);
    }
    let elements = piece.elements()?;
    let of = |(index, raw)| piece.element(index, raw);
    if elements.first().is_some_and(|raw| piece.element(0, raw).is_list()) {
        let lists = elements.into_iter().enumerate().map(|pair| variable(&of(pair), depth - 1));
        return lists.collect::<Result<_, _>>().map(Variable::List);
    }
    elements.into_iter().enumerate().map(|pair| of(pair).number()).collect::<Result<_, _>>().map(Variable::Numbers)
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
    let others: HashMap<&str, &Variable> = b.variables.iter().map(|(name, other)| (name.as_str(), other)).collect();
    for (name, first) in &a.variables {
        let Some(second) = others.get(name.as_str()) else {
            return Some(Difference::Only { component: name.clone(), in_first: true });
        };
        if let Some(difference) = compare_variables(name, first, second, tolerance) {
            return Some(difference);
        }
    }
    let names: HashSet<&str> = a.variables.iter().map(|(name, _)| name.as_str()).collect();
    let extra = b.variables.iter().find(|(name, _)| !names.contains(name.as_str()));
    extra.map(|(name, _)| Difference::Only { component: name.clone(), in_first: false })
}

/// The first component, in order, that differs.
fn compare_variables(name: &str, first: &Variable, second: &Variable, tolerance: f64) -> Option<Difference> {
    let number = |component: &dyn Fn() -> String, first: f64, second: f64| {
        // Numbers in a trace are finite: the reader refuses anything else.
        let apart = (first - second).abs() > tolerance;
        apart.then(|| Difference::Number { component: component(), first, second })
    };
    let longer = |first: usize, second: usize| {
        let component = format!("{name}[{}]", first.min(second));
        (first != second).then_some(Difference::Only { component, in_first: first > second })
    };
    match (first, second) {
        (Variable::Number(x), Variable::Number(y)) => number(&|| name.to_owned(), *x, *y),
        (Variable::Numbers(xs), Variable::Numbers(ys)) => {
            let pairs = xs.iter().zip(ys).enumerate();
            let mut differences = pairs.filter_map(|(i, (x, y))| number(&|| format!("{name}[{i}]"), *x, *y));
            differences.next().or_else(|| longer(xs.len(), ys.len()))
        }
        (Variable::List(xs), Variable::List(ys)) => {
            let pairs = xs.iter().zip(ys).enumerate();
            let mut differences =
                pairs.filter_map(|(i, (x, y))| compare_variables(&format!("{name}[{i}]"), x, y, tolerance));
            differences.next().or_else(|| longer(xs.len(), ys.len()))
        }
        // One is a list where the other has numbers.
        _ => Some(Difference::Only { component: format!("{name}[0]"), in_first: true }),
    }
}
