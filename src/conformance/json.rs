//! Cases and results as text: JSON, and for the simplest programs lines of words.
//!
//! Every double is written twice: `key` as the shortest decimal that reads back to it, `key_bits` as its 64 bits in
//! hexadecimal. A reader may use either.

use super::case::{Case, Setting};
use super::compare::{Difference, Divergence, Expectation, Tolerance};
use super::scalar::Known;
use super::trace::{FIELDS, Field, Step, Trace};
use super::variant;
use crate::data::InputError;
use crate::data::json::Piece;
use crate::number::Field as _;
use std::path::Path;

/// A JSON object under construction.
struct Object(String);

impl Object {
    fn new() -> Self {
        Self(String::from("{"))
    }

    fn put(&mut self, key: &str, value: &str) {
        let comma = if self.0.len() > 1 { "," } else { "" };
        self.0 += &format!("{comma}\"{key}\":{value}");
    }

    fn text(&mut self, key: &str, text: &str) {
        self.put(key, &serde_json::Value::from(text).to_string());
    }

    fn count(&mut self, key: &str, n: usize) {
        self.put(key, &n.to_string());
    }

    fn number(&mut self, key: &str, x: f64) {
        self.put(key, &decimal(x));
        self.text(&format!("{key}_bits"), &bits(x));
    }

    /// Numbers nested by the widths, the innermost last.
    fn numbers(&mut self, key: &str, numbers: &[f64], widths: &[usize]) {
        self.put(key, &nested(numbers, widths, &decimal));
        self.put(&format!("{key}_bits"), &nested(numbers, widths, &|x| format!("\"{}\"", bits(x))));
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// Shortest decimal that reads back to the same double; JSON has none for what is not finite.
fn decimal(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "null".to_owned() }
}

fn bits(x: f64) -> String {
    format!("{:016x}", x.to_bits())
}

fn nested(numbers: &[f64], widths: &[usize], show: &dyn Fn(f64) -> String) -> String {
    let parts: Vec<String> = match widths {
        [] => numbers.iter().map(|x| show(*x)).collect(),
        [width, rest @ ..] => numbers.chunks(*width).map(|chunk| nested(chunk, rest, show)).collect(),
    };
    format!("[{}]", parts.join(","))
}

fn list<V: ToString>(items: impl Iterator<Item = V>) -> String {
    format!("[{}]", items.map(|item| item.to_string()).collect::<Vec<_>>().join(","))
}

/// A case's scalars in the order in which every format has them.
fn scalars(case: &Case) -> Vec<(&'static str, f64)> {
    let mut scalars = vec![("alpha", case.alpha), ("eta", case.eta), ("zeta", case.zeta)];
    match case.setting {
        Setting::Discounted => scalars.push(("discount", case.discount)),
        Setting::Average => scalars.extend([("xi", case.xi), ("rho_start", case.rho_start)]),
    }
    scalars.extend([("radius_theta", case.radius_theta), ("radius_beta", case.radius_beta)]);
    scalars
}

fn put_case(object: &mut Object, case: &Case) {
    object.text("id", &case.id);
    object.text("setting", case.setting.name());
    for (key, n) in [("states", case.states), ("actions", case.actions), ("dim", case.dim)] {
        object.count(key, n);
    }
    object.count("inner", case.inner);
    object.count("outer", case.outer);
    for (key, x) in scalars(case) {
        object.number(key, x);
    }
    object.numbers("features", &case.features, &[case.actions * case.dim, case.dim]);
    if let Some(weight) = &case.weight {
        object.numbers("weight", weight, &[case.dim]);
    }
    object.numbers("theta_start", &case.theta_start, &[]);
    object.numbers("beta_start", &case.beta_start, &[]);
    if case.setting == Setting::Discounted {
        object.put("x0", &list(case.samples.iter().map(|sample| sample.x0)));
    }
    object.put("x", &list(case.samples.iter().map(|sample| sample.x)));
    object.put("a", &list(case.samples.iter().map(|sample| sample.a)));
    object.numbers("r", &case.samples.iter().map(|sample| sample.r).collect::<Vec<_>>(), &[]);
    object.put("x_next", &list(case.samples.iter().map(|sample| sample.x_next)));
    if case.setting == Setting::Average {
        object.numbers("u", &case.samples.iter().map(|sample| sample.u).collect::<Vec<_>>(), &[]);
    }
}

/// The input of a case, on one line.
#[must_use]
pub fn prompt(case: &Case) -> String {
    let mut object = Object::new();
    put_case(&mut object, case);
    object.end()
}

/// The input of a case for programs without a JSON reader: lines of a word and numbers, `end` after the last.
#[must_use]
pub fn prompt_text(case: &Case) -> String {
    let line = |numbers: &[f64]| numbers.iter().map(|x| format!(" {}", decimal(*x))).collect::<String>();
    let mut text = format!("case {}\nsetting {}\n", case.id, case.setting.name());
    text += &format!("shape {} {} {} {} {}\n", case.states, case.actions, case.dim, case.inner, case.outer);
    for (key, x) in scalars(case) {
        text += &format!("{key} {}\n", decimal(x));
    }
    text += &format!("features{}\n", line(&case.features));
    if let Some(weight) = &case.weight {
        text += &format!("weight{}\n", line(weight));
    }
    text += &format!("theta_start{}\nbeta_start{}\n", line(&case.theta_start), line(&case.beta_start));
    for sample in &case.samples {
        let (r, u) = (decimal(sample.r), decimal(sample.u));
        text += &format!("sample {} {} {} {r} {} {u}\n", sample.x0, sample.x, sample.a, sample.x_next);
    }
    text + "end\n"
}

/// A field that is one number, not a list.
fn is_scalar(field: Field) -> bool {
    matches!(
        field,
        Field::W
            | Field::Rho
            | Field::ActionNext
            | Field::ValueNext
            | Field::TdError
            | Field::GradientRho
            | Field::UnprojectedRho
            | Field::RhoNext
    )
}

fn put_field(object: &mut Object, field: Field, values: &[f64]) {
    match values {
        [x] if field == Field::ActionNext => object.put(field.name(), &format!("{x:.0}")),
        [x] if is_scalar(field) => object.number(field.name(), *x),
        _ => object.numbers(field.name(), values, &[]),
    }
}

fn step_json(step: &Step, exact: Option<&Step<Known>>) -> String {
    let mut object = Object::new();
    object.count("t", step.t);
    if let Some(k) = step.k {
        object.count("k", k);
    }
    // A number of an action and features are inputs, exact as they stand.
    let is_input = |field: Field| matches!(field, Field::ActionNext | Field::Phi | Field::PhiNext);
    for (field, values) in &step.fields {
        put_field(&mut object, *field, values);
        let fractions = exact.and_then(|exact| exact.get(*field)).filter(|_| !is_input(*field));
        let written: Option<Vec<String>> = fractions.and_then(|x| x.iter().map(fraction).collect());
        match written {
            Some(written) if is_scalar(*field) => object.put(&format!("{}_exact", field.name()), &written[0]),
            Some(written) => object.put(&format!("{}_exact", field.name()), &list(written.iter())),
            None => {}
        }
    }
    object.end()
}

/// A fraction in quotation marks, where there is one.
fn fraction(Known(x): &Known) -> Option<String> {
    x.is_valid().then(|| format!("\"{x}\""))
}

fn steps_json(trace: &Trace, exact: &Trace<Known>) -> String {
    let exact_of = |step: &Step| exact.iter().find(|exact| (exact.t, exact.k) == (step.t, step.k));
    let steps: Vec<String> = trace.iter().map(|step| step_json(step, exact_of(step))).collect();
    format!("[{}]", steps.join(","))
}

/// The largest tolerance of each field of a case; the inner steps' are prefixed with `inner.`.
fn tolerances_json(expectation: &Expectation) -> String {
    let mut object = Object::new();
    for (prefix, is_inner) in [("inner.", true), ("", false)] {
        for (field, name) in FIELDS {
            let steps = expectation.bounds().iter().filter(|step| step.k.is_some() == is_inner);
            let bounds = steps.filter_map(|step| step.get(field)).flatten().map(|bound| bound.tolerance());
            if let Some(greatest) = bounds.reduce(f64::max).filter(|greatest| *greatest > 0.0) {
                object.put(&format!("{prefix}{name}"), &decimal(greatest));
            }
        }
    }
    object.end()
}

/// The results of a run alone, on one line: what `opd vectors check` reads.
#[must_use]
pub fn results(id: &str, trace: &Trace) -> String {
    let mut object = Object::new();
    object.text("id", id);
    object.put("steps", &steps_json(trace, &Vec::new()));
    object.end()
}

/// A case's results alone: θ_t, ρ_t, β_{t+1}, with exact fractions and tolerances.
#[must_use]
pub fn expected(expectation: &Expectation) -> String {
    let mut object = Object::new();
    object.text("id", &expectation.case().id);
    object.put("tolerances", &tolerances_json(expectation));
    object.put("steps", &steps_json(&super::results_only(expectation.trace()), &exact_run(expectation)));
    object.end()
}

/// A case and its results with every intermediate.
#[must_use]
pub fn internal(expectation: &Expectation) -> String {
    let mut object = Object::new();
    put_case(&mut object, expectation.case());
    object.put("tolerances", &tolerances_json(expectation));
    object.put("steps", &steps_json(expectation.trace(), &exact_run(expectation)));
    object.end()
}

/// The exact run: rational for as long as the policy is uniform and no ball is left by an irrational distance, which is at
/// least until the first projection of the first iteration.
fn exact_run(expectation: &Expectation) -> Trace<Known> {
    variant::run(expectation.case(), None)
}

/// A wrong variant's results, and where its intermediates first differ from the right ones.
#[must_use]
pub fn mutant(expectation: &Expectation, mutation: super::Mutation) -> String {
    let case = expectation.case();
    let trace = variant::run(case, Some(mutation));
    let mut object = Object::new();
    object.text("id", &case.id);
    object.text("mutation", mutation.name());
    object.text("what", mutation.what());
    if let Some(first) = expectation.divergence(&trace, &Tolerance::default()) {
        object.put("first", &place_json(&first));
    }
    object.put("steps", &steps_json(&super::results_only(&trace), &Vec::new()));
    object.end()
}

fn place_json(divergence: &Divergence) -> String {
    let mut object = Object::new();
    object.count("t", divergence.t);
    if let Some(k) = divergence.k {
        object.count("k", k);
    }
    object.text("field", divergence.field.name());
    if let Difference::Number { component, .. } = divergence.difference {
        object.count("component", component);
    }
    object.end()
}

/// What a results file or a pipe holds: per case its id and the trace that was found.
pub type Results = Vec<(String, Trace)>;

/// One case's results; `line` is where they are, for complaints.
pub fn read_results(file: &Path, line: u64, text: &str) -> Result<(String, Trace), InputError> {
    read_case(&Piece::line(file, line, text)?)
}

/// A results file: `{"cases": [...]}`.
pub fn read_results_file(file: &Path, text: &str) -> Result<Results, InputError> {
    let top = Piece::top(file, text)?;
    for (key, raw) in top.members()? {
        if key == "cases" {
            let cases = top.member("cases", raw);
            let elements = cases.elements()?;
            return elements.into_iter().enumerate().map(|(i, raw)| read_case(&cases.element(i, raw))).collect();
        }
    }
    Err(top.wrong("no key `cases`, expected a list of results"))
}

fn read_case(piece: &Piece<'_>) -> Result<(String, Trace), InputError> {
    let (mut id, mut steps) = (None, None);
    for (key, raw) in piece.members()? {
        match key.as_str() {
            "id" => id = Some(piece.member("id", raw).text()?),
            "steps" => steps = Some(read_steps(&piece.member("steps", raw))?),
            _ => {}
        }
    }
    match (id, steps) {
        (Some(id), Some(steps)) => Ok((id, steps)),
        (None, _) => Err(piece.wrong("no key `id`, expected the prompt's")),
        (_, None) => Err(piece.wrong("no key `steps`, expected a list of steps")),
    }
}

fn read_steps(steps: &Piece<'_>) -> Result<Trace, InputError> {
    let elements = steps.elements()?;
    elements.into_iter().enumerate().map(|(i, raw)| read_step(&steps.element(i, raw))).collect()
}

fn read_step(piece: &Piece<'_>) -> Result<Step, InputError> {
    let mut step = Step { t: 0, k: None, fields: Vec::new() };
    for (key, raw) in piece.members()? {
        let member = piece.member(&key, raw);
        let count = || member.count().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        if key == "t" {
            step.t = count()?;
        } else if key == "k" {
            step.k = Some(count()?);
        } else if let Some(name) = key.strip_suffix("_bits") {
            let Some(field) = Field::by_name(name) else { continue };
            put_values(&mut step, field, read_values(&member, &read_bits)?, &member)?;
        } else if let Some(field) = Field::by_name(&key) {
            put_values(&mut step, field, read_values(&member, &read_number)?, &member)?;
        }
    }
    if step.t == 0 { Err(piece.wrong("no key `t`, expected an integer >= 1")) } else { Ok(step) }
}

/// A field that came as decimals and as bits must be the same numbers; bits alone tell what is not finite, and which.
fn put_values(step: &mut Step, field: Field, values: Vec<f64>, piece: &Piece<'_>) -> Result<(), InputError> {
    let Some((_, known)) = step.fields.iter_mut().find(|(known, _)| *known == field) else {
        step.fields.push((field, values));
        return Ok(());
    };
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && !b.is_finite());
    if known.len() == values.len() && known.iter().zip(&values).all(|(a, b)| same(*a, *b) || same(*b, *a)) {
        for (old, new) in known.iter_mut().zip(values) {
            *old = if old.is_nan() { new } else { *old };
        }
        return Ok(());
    }
    Err(piece.wrong("decimals and bits are not the same numbers"))
}

fn read_values(
    piece: &Piece<'_>,
    read: &dyn Fn(&Piece<'_>) -> Result<f64, InputError>,
) -> Result<Vec<f64>, InputError> {
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
