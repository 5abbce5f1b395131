//! Cases and results written as text: JSON, and for the simplest programs lines of words. [`super::read`] reads them.
//!
//! Every double is written twice: `key` as the shortest decimal that reads back to it, `key_bits` as its 64 bits in
//! hexadecimal. A reader may use either.

use super::case::Case;
use super::compare::{Difference, Divergence, Expectation, Tolerance};
use super::scalar::Known;
use super::variant;
use super::walk::Bound;
use crate::number::Field as _;
use crate::paper::Setting;
use crate::steps::{FIELDS, Quantity, Step, Trace};
use std::fmt::Write as _;

/// A JSON object under construction. Writing to a `String` does not fail.
struct Object(String);

impl Object {
    fn new() -> Self {
        Self(String::from("{"))
    }

    fn put(&mut self, key: &str, value: &str) {
        let comma = if self.0.len() > 1 { "," } else { "" };
        write!(self.0, "{comma}\"{key}\":{value}").unwrap_or_default();
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

/// The number of an action, of which a program may say that it has none.
fn action(x: f64) -> String {
    if x.is_finite() { format!("{x:.0}") } else { "null".to_owned() }
}

fn bits(x: f64) -> String {
    format!("{:016x}", x.to_bits())
}

fn nested(numbers: &[f64], widths: &[usize], show: &dyn Fn(f64) -> String) -> String {
    let parts: Vec<String> = match widths {
        [] => numbers.iter().map(|x| show(*x)).collect(),
        [width, rest @ ..] => numbers.chunks((*width).max(1)).map(|chunk| nested(chunk, rest, show)).collect(),
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

/// Every key of a problem, without the `_bits`.
pub(crate) fn case_keys() -> impl Iterator<Item = &'static str> {
    let keys = "id setting states actions dim inner outer alpha eta zeta discount xi rho_start radius_theta radius_beta features weight \
                theta_start beta_start x0 x a r x_next u";
    keys.split_whitespace()
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
    object.numbers("features", &case.features, &[case.actions.saturating_mul(case.dim), case.dim]);
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
    writeln!(text, "shape {} {} {} {} {}", case.states, case.actions, case.dim, case.inner, case.outer)
        .unwrap_or_default();
    for (key, x) in scalars(case) {
        writeln!(text, "{key} {}", decimal(x)).unwrap_or_default();
    }
    writeln!(text, "features{}", line(&case.features)).unwrap_or_default();
    if let Some(weight) = &case.weight {
        writeln!(text, "weight{}", line(weight)).unwrap_or_default();
    }
    writeln!(text, "theta_start{}\nbeta_start{}", line(&case.theta_start), line(&case.beta_start)).unwrap_or_default();
    for sample in &case.samples {
        let (r, u) = (decimal(sample.r), decimal(sample.u));
        writeln!(text, "sample {} {} {} {r} {} {u}", sample.x0, sample.x, sample.a, sample.x_next).unwrap_or_default();
    }
    text + "end\n"
}

/// A field that is one number, not a list.
fn is_scalar(field: Quantity) -> bool {
    matches!(
        field,
        Quantity::W
            | Quantity::Rho
            | Quantity::ActionNext
            | Quantity::ValueNext
            | Quantity::TdError
            | Quantity::GradientRho
            | Quantity::UnprojectedRho
            | Quantity::RhoNext
    )
}

fn put_field(object: &mut Object, field: Quantity, values: &[f64]) {
    match values {
        [x] if field == Quantity::ActionNext => object.put(field.name(), &action(*x)),
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
    let is_input = |field: Quantity| matches!(field, Quantity::ActionNext | Quantity::Phi | Quantity::PhiNext);
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

/// The largest tolerance of each field of a case; the inner steps' are prefixed with `inner.`. One that is not finite is left out:
/// nothing can be told there.
fn tolerances_json(bounds: &Trace<Bound>) -> String {
    let mut object = Object::new();
    for (prefix, is_inner) in [("inner.", true), ("", false)] {
        for (field, name) in FIELDS {
            let steps = bounds.iter().filter(|step| step.k.is_some() == is_inner);
            let bounds = steps.filter_map(|step| step.get(field)).flatten().map(|bound| bound.tolerance);
            // Below the least normal number there is only what underflow loses.
            let greatest = bounds.reduce(|a, b| if a > b { a } else { b });
            if let Some(greatest) = greatest.filter(|greatest| *greatest > 1e-300 && greatest.is_finite()) {
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
    object.put("tolerances", &tolerances_json(expectation.bounds()));
    object.put("steps", &steps_json(&super::results_only(expectation.trace()), &exact_run(expectation)));
    object.end()
}

/// A case and its results with every intermediate.
#[must_use]
pub fn internal(expectation: &Expectation) -> String {
    let mut object = Object::new();
    put_case(&mut object, expectation.case());
    object.put("tolerances", &tolerances_json(expectation.bounds()));
    object.put("steps", &steps_json(expectation.trace(), &exact_run(expectation)));
    object.end()
}

/// The answer to a problem of the caller's: [`internal`] without exact fractions, and with the tolerances of single steps.
#[must_use]
pub fn solved(expectation: &Expectation) -> String {
    let mut object = Object::new();
    put_case(&mut object, expectation.case());
    object.put("tolerances", &tolerances_json(expectation.bounds()));
    object.put("local_tolerances", &tolerances_json(&expectation.local_bounds()));
    object.put("steps", &steps_json(expectation.trace(), &Vec::new()));
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
