//! A result held against what it should be: every step from the result's own state before it, and the whole run from its start.

use super::case::Case;
use super::draws;
use super::mutation::Mutation;
use super::near::Precision;
use super::situations::Situations;
use super::walk::{Bound, Guide, Index, index, walk};
use crate::error::Result;
use crate::number::ulps;
use crate::paper::Setting;
use crate::steps::{Quantity, Step, Trace, place};
use core::fmt;

/// What counts as equal: the derived tolerances, times a factor or replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    /// Multiplies the derived tolerances; 0 asks for the library's bits. Below 1 the run is compared as a whole only.
    pub factor: f64,
    /// Replaces the derived tolerance of a field by an absolute one.
    pub fields: Vec<(Quantity, f64)>,
    /// The arithmetic that the implementation works in.
    pub precision: Precision,
    /// A' is drawn by the implementation, which says it as `a_next`; u is not read, and the run is checked step by step only.
    pub own_draws: bool,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { factor: 1.0, fields: Vec::new(), precision: Precision::F64, own_draws: false }
    }
}

impl Tolerance {
    /// Equal bits, up to the sign of zero.
    #[must_use]
    pub fn equality() -> Self {
        Self { factor: 0.0, ..Self::default() }
    }

    pub(crate) fn of(&self, field: Quantity, derived: f64) -> f64 {
        let replaced = self.fields.iter().find(|(known, _)| *known == field);
        let derived = if self.factor == 0.0 { 0.0 } else { self.factor * derived };
        replaced.map_or(derived, |(_, tolerance)| *tolerance)
    }
}

/// What differs.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// A number.
    Number {
        /// Its place in the field.
        component: usize,
        /// What it should be, from the result's own inputs as far as the result has them.
        expected: f64,
        /// The result's.
        found: f64,
        /// How far apart they may be.
        tolerance: f64,
    },
    /// A field with another number of components.
    Length {
        /// The library's.
        expected: usize,
        /// The result's.
        found: usize,
    },
    /// A field that every result must have; `a_next`, where its draws are its own.
    Missing,
    /// A step or field that this case does not have.
    Unknown,
}

/// Why nothing can be told from some place on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// u is within rounding of the end of an action's interval, and the result does not say which action it took.
    Draw,
    /// The bound on the rounding errors is not finite.
    Bound,
}

impl Why {
    /// For people.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Draw => {
                "u is so near the end of an action's interval that rounding decides A', and the result has no a_next"
            }
            Self::Bound => "the bound on what rounding does is not finite there",
        }
    }
}

/// A place where a result differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The case's id.
    pub case: String,
    /// The case's setting.
    pub setting: Setting,
    /// t.
    pub t: usize,
    /// k; `None` for the outer step.
    pub k: Option<usize>,
    /// The field.
    pub field: Quantity,
    /// What differs in it.
    pub difference: Difference,
}

impl Divergence {
    /// How many tolerances it is wide; infinitely many where something is missing or no number.
    #[must_use]
    pub fn severity(&self) -> f64 {
        match self.difference {
            Difference::Number { expected, found, tolerance, .. } => {
                let ratio = (expected - found).abs() / tolerance;
                if ratio.is_nan() { f64::INFINITY } else { ratio }
            }
            _ => f64::INFINITY,
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}, {}, {}", self.case, place(self.t, self.k), self.field.name())?;
        match self.difference {
            Difference::Number { expected, found, .. } if self.field == Quantity::ActionNext => {
                write!(f, ": found {}, expected {}", Number(found, true), Number(expected, true))
            }
            Difference::Number { component, expected, found, .. } if !(found - expected).is_finite() => {
                write!(f, "[{component}]: found {}, expected {}", Number(found, false), Number(expected, false))
            }
            Difference::Number { component, expected, found, tolerance } => {
                let ulps = ulps(expected, found);
                write!(f, "[{component}]: found {found:?}, expected {expected:?}, {ulps} ulps apart, ")?;
                write!(f, "{:.3e} where {tolerance:.3e} is allowed", (found - expected).abs())
            }
            Difference::Length { expected, found } => write!(f, ": found {found} numbers, expected {expected}"),
            Difference::Missing if self.k.is_some() => {
                f.write_str(": missing, expected in every inner step with own draws")
            }
            Difference::Missing => f.write_str(": missing, expected in every outer step"),
            Difference::Unknown => f.write_str(": this case has no such step or field"),
        }
    }
}

/// A number as a person reads it: `null` in a file is none, an action is an integer.
struct Number(f64, bool);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self(x, _) if x.is_nan() => f.write_str("no number (null)"),
            Self(x, true) => write!(f, "action {x:.0}"),
            Self(x, false) => write!(f, "{x:?}"),
        }
    }
}

/// What a case asks of a result, written out: for files, and for results that are to be compared more than once.
#[derive(Debug, Clone)]
pub struct Expectation {
    case: Case,
    trace: Trace,
    bounds: Trace<Bound>,
}

impl Expectation {
    /// Runs the library and the error analysis: of the order of 10·T·K·d(|A| + d) operations, all intermediates in memory.
    pub fn new(case: Case) -> Result<Self> {
        let trace = case.expected()?;
        let bounds = steps(&case, Precision::F64, &[], None);
        Ok(Self { case, trace, bounds })
    }

    /// The case.
    #[must_use]
    pub fn case(&self) -> &Case {
        &self.case
    }

    /// The library's results.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The error analysis of the run as a whole, step by step as [`Expectation::trace`].
    #[must_use]
    pub fn bounds(&self) -> &Trace<Bound> {
        &self.bounds
    }

    /// The error analysis of every field from the library's own inputs to it.
    #[must_use]
    pub fn local_bounds(&self) -> Trace<Bound> {
        let index = index(&self.trace);
        steps(&self.case, Precision::F64, &[], Some(Guide { trace: &self.trace, index: &index, own_draws: false }))
    }

    /// The first divergence of a result, in the order of computation.
    #[must_use]
    pub fn divergence(&self, found: &Trace, tolerance: &Tolerance) -> Option<Divergence> {
        judge_against(&self.case, &self.trace, found, tolerance).divergences.into_iter().next()
    }
}

/// All steps of a walk; a broken one gives what a broken implementation would.
pub(crate) fn steps(case: &Case, precision: Precision, bugs: &[Mutation], guide: Option<Guide<'_>>) -> Trace<Bound> {
    let mut all = Vec::new();
    walk(precision, case, bugs, guide, &mut |step| {
        all.push(step);
        true
    });
    all
}

/// What was found out about one result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judgement {
    /// The first divergence of every field, inner and outer, in the order of computation.
    pub divergences: Vec<Divergence>,
    /// The first place where nothing could be told, and why.
    pub undecided: Option<(usize, Option<usize>, Why)>,
    /// What happened in the run, as the library has it.
    pub met: Situations,
    /// Whether every number is the library's, bit for bit.
    pub identical: bool,
    /// The fields that were compared, in inner and in outer steps.
    pub compared: Vec<(bool, Quantity)>,
}

/// Holds a result against the library: work linear in the run's, memory in the result's.
pub(crate) fn judge(case: &Case, found: &Trace, tolerance: &Tolerance) -> Result<Judgement> {
    let index = index(found);
    let (library, met) = case.watched(|t, k| index.contains_key(&(t, k)))?;
    Ok(Judgement { met, ..judge_against(case, &library, found, tolerance) })
}

fn judge_against(case: &Case, library: &Trace, found: &Trace, tolerance: &Tolerance) -> Judgement {
    let (at_found, at_library) = (index(found), index(library));
    let mut sight = Sight {
        case,
        library,
        at_library,
        found,
        at_found: &at_found,
        tolerance,
        judgement: Judgement { identical: true, ..Judgement::default() },
    };
    sight.shape();
    let guide = Guide { trace: found, index: &at_found, own_draws: tolerance.own_draws };
    // Equal bits never fail, and there is nothing else to find out.
    if !sight.judgement.identical && tolerance.factor >= 1.0 {
        walk(tolerance.precision, case, &[], Some(guide), &mut |step| {
            sight.step(&step, Against::Own);
            true
        });
    }
    // Once a step went wrong the rest of the run is another one.
    if !sight.judgement.identical && !tolerance.own_draws && sight.judgement.divergences.is_empty() {
        walk(tolerance.precision, case, &[], None, &mut |step| {
            sight.step(&step, Against::Library);
            true
        });
    }
    let mut judgement = sight.judgement;
    // What the case does not have comes last: it says least about what went wrong.
    let is_unknown = |d: &Divergence| d.difference == Difference::Unknown;
    judgement.divergences.sort_by_key(|d| (is_unknown(d), d.t, d.k.unwrap_or(usize::MAX), d.field));
    judgement
}

/// What a number is compared with.
#[derive(Clone, Copy, PartialEq)]
enum Against {
    /// The value computed from the result's own state.
    Own,
    /// The library's run.
    Library,
}

struct Sight<'s> {
    case: &'s Case,
    library: &'s Trace,
    at_library: Index,
    found: &'s Trace,
    at_found: &'s Index,
    tolerance: &'s Tolerance,
    judgement: Judgement,
}

impl Sight<'_> {
    fn diverges(&mut self, t: usize, k: Option<usize>, field: Quantity, difference: Difference) {
        let known = |d: &Divergence| (d.field, d.k.is_some()) == (field, k.is_some());
        let later = |d: &Divergence| (d.t, d.k.unwrap_or(usize::MAX)) > (t, k.unwrap_or(usize::MAX));
        let new = Divergence { case: self.case.id.clone(), setting: self.case.setting, t, k, field, difference };
        match self.judgement.divergences.iter_mut().find(|d| known(d)) {
            Some(old) if later(old) => *old = new,
            Some(_) => {}
            None => self.judgement.divergences.push(new),
        }
    }

    /// Steps and fields that are missing, or that the case does not have.
    fn shape(&mut self) {
        let is_average = self.case.setting == Setting::Average;
        let inner = self.case.block().saturating_sub(1);
        for t in 1..=self.case.outer {
            let step = self.at_found.get(&(t, None)).map(|at| &self.found[*at]);
            for field in [Quantity::Theta, Quantity::Rho, Quantity::BetaNext] {
                if (is_average || field != Quantity::Rho) && step.is_none_or(|step| step.get(field).is_none()) {
                    self.diverges(t, None, field, Difference::Missing);
                    self.judgement.identical = false;
                }
            }
        }
        if let Some((t, i)) = self.undrawn() {
            self.diverges(t, Some(i), Quantity::ActionNext, Difference::Missing);
        }
        for step in self.found {
            let exists = (1..=self.case.outer).contains(&step.t) && step.k.is_none_or(|k| (1..=inner).contains(&k));
            let library = self.at_library.get(&(step.t, step.k)).map(|at| &self.library[*at]);
            for (field, values) in &step.fields {
                let place = (step.k.is_some(), *field);
                if !exists || super::formulas::formula(self.case.setting, place.0, *field).is_none() {
                    self.diverges(step.t, step.k, *field, Difference::Unknown);
                } else if !self.judgement.compared.contains(&place) {
                    self.judgement.compared.push(place);
                }
                let library = library.and_then(|library| library.get(*field)).unwrap_or_default();
                let is_same = values.len() == library.len() && values.iter().zip(library).all(|(a, b)| same(*a, *b));
                self.judgement.identical &= is_same;
            }
        }
    }

    /// The first step whose own draw the result does not say.
    fn undrawn(&self) -> Option<(usize, usize)> {
        self.tolerance.own_draws.then(|| draws::undrawn(self.case, self.found, self.at_found)).flatten()
    }

    fn step(&mut self, bounds: &Step<Bound>, against: Against) {
        let (t, k) = (bounds.t, bounds.k);
        // A' and features have no error of their own: where nothing is known of them, a draw was not decided.
        let is_drawn = [Quantity::Phi, Quantity::ActionNext].into_iter().filter_map(|field| bounds.get(field));
        let why = if is_drawn.flatten().all(|bound| bound.tolerance.is_finite()) { Why::Bound } else { Why::Draw };
        let Some(found) = self.at_found.get(&(t, k)).map(|at| &self.found[*at]) else { return };
        let library = self.at_library.get(&(t, k)).map(|at| &self.library[*at]);
        for (field, bounds) in &bounds.fields {
            let Some(values) = found.get(*field) else { continue };
            let library = library.and_then(|step| step.get(*field));
            if values.len() != bounds.len() {
                self.diverges(t, k, *field, Difference::Length { expected: bounds.len(), found: values.len() });
                continue;
            }
            for (component, (found, bound)) in values.iter().zip(bounds).enumerate() {
                let library = library.and_then(|library| library.get(component)).copied();
                if library.is_some_and(|library| same(library, *found)) {
                    continue;
                }
                let expected = if against == Against::Library { library.unwrap_or(bound.value) } else { bound.value };
                let tolerance = self.tolerance.of(*field, bound.tolerance);
                if found.is_finite() && !tolerance.is_finite() {
                    if against == Against::Own {
                        // Steps come in order.
                        self.judgement.undecided.get_or_insert((t, k, why));
                    }
                } else if !same(expected, *found) && !is_within(expected, *found, tolerance) {
                    self.diverges(t, k, *field, Difference::Number { component, expected, found: *found, tolerance });
                    break;
                }
            }
        }
    }
}

/// NaN is never within a tolerance.
fn is_within(expected: f64, found: f64, tolerance: f64) -> bool {
    (expected - found).abs() <= tolerance
}

/// Equal bits, up to the sign of zero.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits()
}
