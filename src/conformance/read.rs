//! Results and problems read strictly: what is unknown, misspelt, given twice or contradictory is refused, with file, line and case.

use super::case::Case;
use super::json::case_keys;
use crate::data::InputError;
use crate::data::json::Piece;
use crate::paper::Setting;
use crate::paper::samples::Sample;
use crate::steps::{FIELDS, Quantity, Step, Trace};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::path::Path;

/// What was found for one case.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// File and line, for complaints.
    pub place: String,
    /// The case's id.
    pub id: String,
    /// The steps, sorted by t and k with the outer step last.
    pub trace: Trace,
    /// The order in which the implementation used the rows, where it was its own: use j was row `order[j]`.
    pub order: Option<Vec<usize>>,
}

/// Keys of a result that say nothing about what was computed.
const REMARKS: [&str; 5] = ["tolerances", "local_tolerances", "mutation", "what", "first"];

/// JSON lines, empty ones skipped; a case given twice is refused.
pub fn results_lines(file: &Path, text: &str) -> Result<Vec<Found>, InputError> {
    let mut all = Vec::new();
    for (line, text) in lines(text) {
        all.push(result(file, line, text)?);
    }
    once(all)
}

/// A results file, `{"cases": [...]}`; a case given twice is refused.
pub fn results_file(file: &Path, text: &str) -> Result<Vec<Found>, InputError> {
    let cases = list_of_cases(file, text)?;
    once(cases.into_iter().map(|(line, text)| result(file, line, text)).collect::<Result<_, _>>()?)
}

/// Problems as JSON lines, or a file of them, `{"cases": [...]}`.
pub fn problems(file: &Path, text: &str) -> Result<Vec<Case>, InputError> {
    let is_file =
        text.trim_start().starts_with('{') && text.lines().next().is_some_and(|line| line.contains("\"cases\""));
    let all: Vec<(u64, &str)> = if is_file { list_of_cases(file, text)? } else { lines(text).collect() };
    all.into_iter().map(|(line, text)| problem(file, line, text)).collect()
}

fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

/// The elements of `cases`, each with its line.
fn list_of_cases<'t>(file: &'t Path, text: &'t str) -> Result<Vec<(u64, &'t str)>, InputError> {
    let top = Piece::top(file, text).map_err(|e| not_a_number(file, 1, text).unwrap_or(e))?;
    let mut cases = None;
    for (key, raw) in top.members()? {
        match key.as_str() {
            "cases" => cases = Some(raw),
            "format" | "kind" | "setting" => {}
            _ => return Err(top.unknown_key(&key, &["cases", "format", "kind", "setting"])),
        }
    }
    let cases: &'t RawValue = cases.ok_or_else(|| top.wrong("no key `cases`, expected a list of results"))?;
    let elements = top.member("cases", cases).elements()?;
    if elements.is_empty() {
        return Err(top.wrong("no cases in `cases`, expected at least one"));
    }
    let line = |raw: &RawValue| {
        let at = (raw.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        1 + text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() as u64
    };
    Ok(elements.into_iter().map(|raw| (line(raw), raw.get())).collect())
}

/// JSON has no NaN and no infinity, which some writers do not know.
fn not_a_number(file: &Path, line: u64, text: &str) -> Option<InputError> {
    let outside: Vec<&str> = text.split('"').step_by(2).collect();
    let word =
        ["NaN", "nan", "Infinity", "inf"].into_iter().find(|word| outside.iter().any(|text| text.contains(word)))?;
    let at = text.find(word).map_or(0, |at| text[..at].matches('\n').count() as u64);
    let problem = format!("found {word}, which is not JSON: write null for a number that is none");
    Some(InputError::at(file, line + at, problem))
}

/// No id twice.
fn once(all: Vec<Found>) -> Result<Vec<Found>, InputError> {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for found in &all {
        if let Some(first) = seen.insert(&found.id, &found.place) {
            return Err(InputError::call(
                &found.place,
                format_args!("case {} given twice, first at {first}", found.id),
            ));
        }
    }
    Ok(all)
}

/// A line that is JSON.
fn syntax(file: &Path, line: u64, text: &str) -> Result<(), InputError> {
    Piece::line(file, line, text).map(|_| ()).map_err(|e| not_a_number(file, line, text).unwrap_or(e))
}

fn result(file: &Path, line: u64, text: &str) -> Result<Found, InputError> {
    let place = format!("{}:{line}", file.display());
    syntax(file, line, text)?;
    let top = Piece::top(Path::new(&place), text)?;
    let members = top.members()?;
    let get = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, raw)| *raw);
    let id = get("id").ok_or_else(|| top.wrong("no key `id`, expected the prompt's"))?;
    let id = top.member("id", id).text()?;
    let within = format!("{place}: case {id}");
    let here = Piece::top(Path::new(&within), text)?;
    let known: Vec<&str> = ["id", "steps", "order"].into_iter().chain(REMARKS).chain(case_keys()).collect();
    for (key, _) in &members {
        if !known.contains(&key.strip_suffix("_bits").unwrap_or(key)) {
            return Err(here.unknown_key(key, &["id", "steps", "order"]));
        }
    }
    let steps = get("steps").ok_or_else(|| here.wrong("no key `steps`, expected a list of steps"))?;
    let order = get("order").map(|raw| permutation(&here.member("order", raw))).transpose()?;
    let trace = steps_of(&within, &here.member("steps", steps))?;
    Ok(Found { place, id, trace, order })
}

/// 0 … n−1 in some order.
fn permutation(piece: &Piece<'_>) -> Result<Vec<usize>, InputError> {
    let elements = piece.elements()?;
    let mut seen = vec![false; elements.len()];
    let mut order = Vec::with_capacity(elements.len());
    for (index, raw) in elements.into_iter().enumerate() {
        let element = piece.element(index, raw);
        let row = usize::try_from(element.count()?).unwrap_or(usize::MAX);
        match seen.get_mut(row) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Err(
                    element.wrong(format_args!("found row {row}, expected every row below {} once", seen.len()))
                );
            }
        }
        order.push(row);
    }
    Ok(order)
}

/// The steps, sorted; two records of one step are put together unless they contradict each other.
fn steps_of(within: &str, piece: &Piece<'_>) -> Result<Trace, InputError> {
    let mut trace: Trace = Vec::new();
    let mut place: HashMap<(usize, Option<usize>), usize> = HashMap::new();
    for (index, raw) in piece.elements()?.into_iter().enumerate() {
        let here = format!("{within}: steps[{index}]");
        let (step, file) = (read_step(&here, raw)?, Path::new(&here));
        let Some(known) = place.get(&(step.t, step.k)) else {
            place.insert((step.t, step.k), trace.len());
            trace.push(step);
            continue;
        };
        let known = &mut trace[*known];
        for (field, values) in step.fields {
            merge(known, field, values).map_err(|()| {
                let at = crate::steps::place(step.t, step.k);
                InputError::file(file, format_args!("{at} is given twice, with another {}", field.name()))
            })?;
        }
    }
    trace.sort_by_key(|step| (step.t, step.k.unwrap_or(usize::MAX)));
    Ok(trace)
}

fn read_step(within: &str, raw: &RawValue) -> Result<Step, InputError> {
    let file = Path::new(within);
    let piece = Piece::top(file, raw.get())?;
    let mut step = Step { t: 0, k: None, fields: Vec::new() };
    for (key, raw) in piece.members()? {
        let member = piece.member(&key, raw);
        let count = || match member.count() {
            Ok(n) if n > 0 => Ok(usize::try_from(n).unwrap_or(usize::MAX)),
            _ => Err(member.wrong(format_args!("found {}, expected an integer >= 1", crate::data::shown(raw.get())))),
        };
        if key == "t" {
            step.t = count()?;
        } else if key == "k" {
            step.k = Some(count()?);
        } else if let Some(field) = Quantity::by_name(&key) {
            put(&mut step, field, of_kind(field, values(&member, &read_number)?, &member)?, &member)?;
        } else if let Some(field) = key.strip_suffix("_bits").and_then(Quantity::by_name) {
            put(&mut step, field, of_kind(field, values(&member, &read_bits)?, &member)?, &member)?;
        } else if key.strip_suffix("_exact").and_then(Quantity::by_name).is_none() {
            let known: Vec<&str> = ["t", "k"].into_iter().chain(FIELDS.iter().map(|(_, name)| *name)).collect();
            return Err(piece.unknown_key(&key, &known));
        }
    }
    if step.t == 0 { Err(piece.wrong("no key `t`, expected an integer >= 1")) } else { Ok(step) }
}

/// The number of an action is one: anything else is a wrong file, not a wrong choice. No action is `null`, whatever bits say it.
fn of_kind(field: Quantity, values: Vec<f64>, piece: &Piece<'_>) -> Result<Vec<f64>, InputError> {
    let is_number_of_action = |a: f64| a.is_nan() || (a >= 0.0 && a.is_finite() && libm::floor(a) == a);
    if field != Quantity::ActionNext {
        return Ok(values);
    }
    match values.iter().find(|a| !is_number_of_action(**a)) {
        Some(wrong) => Err(piece.wrong(format_args!("found {wrong:?}, expected the number of an action, 0 or 1 or …"))),
        None => Ok(values.into_iter().map(|a| if a.is_nan() { f64::NAN } else { a }).collect()),
    }
}

/// A field that came as decimals and as bits must be the same numbers.
fn put(step: &mut Step, field: Quantity, values: Vec<f64>, piece: &Piece<'_>) -> Result<(), InputError> {
    merge(step, field, values).map_err(|()| piece.wrong("decimals and bits are not the same numbers"))
}

/// Bits alone tell what is not finite, and which.
fn merge(step: &mut Step, field: Quantity, values: Vec<f64>) -> Result<(), ()> {
    let Some((_, known)) = step.fields.iter_mut().find(|(known, _)| *known == field) else {
        step.fields.push((field, values));
        return Ok(());
    };
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && !b.is_finite());
    if known.len() != values.len() || !known.iter().zip(&values).all(|(a, b)| same(*a, *b) || same(*b, *a)) {
        return Err(());
    }
    for (old, new) in known.iter_mut().zip(values) {
        *old = if old.is_nan() { new } else { *old };
    }
    Ok(())
}

/// Puts what two files say about one case together; `Err` is the step and field that they contradict each other in.
pub(crate) fn merge_traces(known: &mut Trace, more: Trace) -> Result<(), (usize, Option<usize>, Quantity)> {
    let places: HashMap<_, _> = known.iter().enumerate().map(|(index, step)| ((step.t, step.k), index)).collect();
    for step in more {
        let (t, k) = (step.t, step.k);
        match places.get(&(t, k)) {
            None => known.push(step),
            Some(index) => {
                for (field, values) in step.fields {
                    merge(&mut known[*index], field, values).map_err(|()| (t, k, field))?;
                }
            }
        }
    }
    known.sort_by_key(|step| (step.t, step.k.unwrap_or(usize::MAX)));
    Ok(())
}

type Reader = dyn Fn(&Piece<'_>) -> Result<f64, InputError>;

/// A list of numbers, or one.
fn values(piece: &Piece<'_>, read: &Reader) -> Result<Vec<f64>, InputError> {
    if !piece.is_list() {
        return Ok(vec![read(piece)?]);
    }
    piece.elements()?.into_iter().enumerate().map(|(i, raw)| read(&piece.element(i, raw))).collect()
}

/// `null` is a result that is not a number: a divergence, not a wrong file.
fn read_number(piece: &Piece<'_>) -> Result<f64, InputError> {
    if piece.is_null() { Ok(f64::NAN) } else { piece.number() }
}

fn read_bits(piece: &Piece<'_>) -> Result<f64, InputError> {
    let text = piece.text()?;
    let parsed = u64::from_str_radix(&text, 16).ok().filter(|_| text.len() == 16 && !text.starts_with('+'));
    parsed.map(f64::from_bits).ok_or_else(|| piece.wrong("expected 16 hexadecimal digits"))
}

/// A problem as `opd vectors gen` prints it, or one of the caller's in that format.
pub fn problem(file: &Path, line: u64, text: &str) -> Result<Case, InputError> {
    syntax(file, line, text)?;
    let place = format!("{}:{line}", file.display());
    let top = Piece::top(Path::new(&place), text)?;
    let members = top.members()?;
    let id = members.iter().find(|(key, _)| key == "id").ok_or_else(|| top.wrong("no key `id`, expected a name"))?;
    let id = top.member("id", id.1).text()?;
    let within = format!("{place}: case {id}");
    let keys = Keys { piece: Piece::top(Path::new(&within), text)?, members: &members };
    let known: Vec<&str> = case_keys().collect();
    for (key, _) in &members {
        let is_remark = REMARKS.contains(&key.as_str()) || key == "steps";
        if !is_remark && !known.contains(&key.strip_suffix("_bits").unwrap_or(key)) {
            return Err(keys.piece.unknown_key(key, &known));
        }
    }
    keys.case(id)
}

struct Keys<'p> {
    piece: Piece<'p>,
    members: &'p [(String, &'p RawValue)],
}

impl Keys<'_> {
    fn get(&self, name: &str) -> Option<&RawValue> {
        self.members.iter().find(|(key, _)| key == name).map(|(_, raw)| *raw)
    }

    fn missing(&self, name: &str) -> InputError {
        self.piece.wrong(format_args!("no key `{name}`, expected it in every problem of this setting"))
    }

    fn count(&self, name: &'static str) -> Result<usize, InputError> {
        let raw = self.get(name).ok_or_else(|| self.missing(name))?;
        let piece = self.piece.member(name, raw);
        usize::try_from(piece.count()?).map_err(|_| piece.wrong("found a count beyond this machine's"))
    }

    /// Numbers nested by the lengths, from decimals, bits or both.
    fn numbers(&self, name: &str, lengths: &[(usize, &str)]) -> Result<Option<Vec<f64>>, InputError> {
        let bits = format!("{name}_bits");
        let read = |key: &str, read: &Reader| -> Result<Option<Vec<f64>>, InputError> {
            let Some(raw) = self.get(key) else { return Ok(None) };
            let mut numbers = Vec::new();
            flatten(&self.piece.member(key, raw), lengths, read, &mut numbers)?;
            Ok(Some(numbers))
        };
        match (read(name, &|piece| piece.number())?, read(&bits, &read_bits)?) {
            (Some(a), Some(b)) if a.iter().zip(&b).any(|(a, b)| a.to_bits() != b.to_bits()) => {
                Err(self.piece.wrong(format_args!("{name} and {bits} are not the same numbers")))
            }
            (a, b) => Ok(a.or(b)),
        }
    }

    fn required(&self, name: &str, lengths: &[(usize, &str)]) -> Result<Vec<f64>, InputError> {
        self.numbers(name, lengths)?.ok_or_else(|| self.missing(name))
    }

    fn scalar(&self, name: &str) -> Result<f64, InputError> {
        Ok(self.required(name, &[])?[0])
    }

    fn indices(&self, name: &str, length: usize, below: usize) -> Result<Vec<usize>, InputError> {
        let raw = self.get(name).ok_or_else(|| self.missing(name))?;
        let piece = self.piece.member(name, raw);
        let mut indices = Vec::new();
        for (index, raw) in piece.elements_counted(length, "rows")?.into_iter().enumerate() {
            let element = piece.element(index, raw);
            let found = element.count()?;
            let valid = usize::try_from(found).ok().filter(|n| *n < below);
            indices.push(
                valid.ok_or_else(|| element.wrong(format_args!("found {found}, expected an integer below {below}")))?,
            );
        }
        Ok(indices)
    }

    fn setting(&self) -> Result<Setting, InputError> {
        let raw = self.get("setting").ok_or_else(|| self.missing("setting"))?;
        let piece = self.piece.member("setting", raw);
        let name = piece.text()?;
        let known = Setting::ALL.into_iter().find(|setting| setting.name() == name);
        known.ok_or_else(|| piece.wrong(format_args!("found {name}, expected discounted or average")))
    }

    fn case(&self, id: String) -> Result<Case, InputError> {
        let setting = self.setting()?;
        let is_average = setting == Setting::Average;
        for (key, belongs) in [
            ("discount", !is_average),
            ("x0", !is_average),
            ("xi", is_average),
            ("rho_start", is_average),
            ("u", is_average),
        ] {
            if !belongs && self.get(key).is_some() {
                return Err(self
                    .piece
                    .wrong(format_args!("found key `{key}`, which the {} setting does not have", setting.name())));
            }
        }
        let [states, actions, dim] = [self.count("states")?, self.count("actions")?, self.count("dim")?];
        let (inner, outer) = (self.count("inner")?, self.count("outer")?);
        let block = if is_average { inner.saturating_add(1) } else { inner };
        let rows =
            outer.checked_mul(block).ok_or_else(|| self.piece.wrong("found T·K beyond this machine's counts"))?;
        let only = |here: bool, key: &str| if here { self.scalar(key) } else { Ok(0.0) };
        let mut case = Case {
            id,
            setting,
            states,
            actions,
            dim,
            features: self.required("features", &[(states, "states"), (actions, "actions"), (dim, "dim")])?,
            weight: self.numbers("weight", &[(dim, "dim"), (dim, "dim")])?,
            discount: only(!is_average, "discount")?,
            alpha: self.scalar("alpha")?,
            eta: self.scalar("eta")?,
            zeta: self.scalar("zeta")?,
            xi: only(is_average, "xi")?,
            radius_theta: self.scalar("radius_theta")?,
            radius_beta: self.scalar("radius_beta")?,
            inner,
            outer,
            theta_start: self.required("theta_start", &[(dim, "dim")])?,
            rho_start: only(is_average, "rho_start")?,
            beta_start: self.required("beta_start", &[(dim, "dim")])?,
            samples: Vec::new(),
        };
        let (x, a) = (self.indices("x", rows, states)?, self.indices("a", rows, actions)?);
        let (r, x_next) = (self.required("r", &[(rows, "rows")])?, self.indices("x_next", rows, states)?);
        let x0 = if is_average { vec![0; rows] } else { self.indices("x0", rows, states)? };
        let u = if is_average { self.required("u", &[(rows, "rows")])? } else { vec![0.0; rows] };
        let sample = |i: usize| Sample { x0: x0[i], x: x[i], a: a[i], r: r[i], x_next: x_next[i], u: u[i] };
        case.samples = (0..rows).map(sample).collect();
        case.validate().map_err(|e| self.piece.wrong(e))?;
        Ok(case)
    }
}

/// A list of lists …, each as long as it should be.
fn flatten(piece: &Piece<'_>, lengths: &[(usize, &str)], read: &Reader, out: &mut Vec<f64>) -> Result<(), InputError> {
    let [(length, what), rest @ ..] = lengths else {
        out.push(read(piece)?);
        return Ok(());
    };
    for (index, raw) in piece.elements_counted(*length, what)?.into_iter().enumerate() {
        flatten(&piece.element(index, raw), rest, read, out)?;
    }
    Ok(())
}
