//! Results held against the library's: the first divergence, the verdict, the likely bug.

use super::case::Case;
use super::mutation::Mutation;
use super::trace::{Field, Step, Trace, place};
use super::variant;
use crate::error::Result;
use crate::number::bounded::Bounded;
use core::fmt;
use std::string::String;
use std::vec::Vec;

/// What counts as equal: the derived tolerances, times a factor or replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    /// Multiplies the derived tolerances; 0 asks for equality.
    pub factor: f64,
    /// Replaces the derived tolerance of a field by an absolute one.
    pub fields: Vec<(Field, f64)>,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { factor: 1.0, fields: Vec::new() }
    }
}

impl Tolerance {
    fn of(&self, field: Field, bound: &Bounded) -> f64 {
        let replaced = self.fields.iter().find(|(known, _)| *known == field);
        replaced.map_or_else(|| self.factor * bound.tolerance(), |(_, tolerance)| *tolerance)
    }
}

/// What differs.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// A number.
    Number {
        /// Its place in the field.
        component: usize,
        /// The library's.
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
    /// A field that every result must have.
    Missing,
    /// A step or field that this case does not have.
    Unknown,
}

/// The first place, in the order of computation, where a result differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The case's id.
    pub case: String,
    /// t.
    pub t: usize,
    /// k; `None` for the outer step.
    pub k: Option<usize>,
    /// The field.
    pub field: Field,
    /// What differs in it.
    pub difference: Difference,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "case {}, {}, {}", self.case, place(self.t, self.k), self.field.name())?;
        match self.difference {
            Difference::Number { component, expected, found, tolerance } => {
                let ulps = ulps(expected, found);
                write!(f, "[{component}]: found {found:?}, expected {expected:?}, {ulps} ulps apart, ")?;
                write!(f, "{:.3e} where {tolerance:.3e} is allowed", (found - expected).abs())
            }
            Difference::Length { expected, found } => write!(f, ": found {found} numbers, expected {expected}"),
            Difference::Missing => f.write_str(": missing, expected in every outer step"),
            Difference::Unknown => f.write_str(": this case has no such step or field"),
        }
    }
}

/// How many doubles lie between two, counting the second; the largest count where one is not a number.
#[must_use]
pub fn ulps(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let size = i128::from(x.to_bits() & !(1 << 63));
        if x.is_sign_negative() { -size } else { size }
    };
    if a.is_nan() || b.is_nan() {
        return u64::MAX;
    }
    u64::try_from((place(a) - place(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

/// What a case asks of a result.
#[derive(Debug, Clone)]
pub struct Expectation {
    case: Case,
    trace: Trace,
    bounds: Trace<Bounded>,
}

impl Expectation {
    /// Runs the library and the error analysis.
    pub fn new(case: Case) -> Result<Self> {
        let trace = case.expected()?;
        let bounds = variant::run(&case, None);
        Ok(Self { case, trace, bounds })
    }

    /// What a broken implementation would give, and how closely.
    fn broken(case: Case, mutation: Mutation) -> Self {
        let bounds = variant::run(&case, Some(mutation));
        let value = |step: &Step<Bounded>| Step {
            t: step.t,
            k: step.k,
            fields: step.fields.iter().map(|(f, x)| (*f, x.iter().map(|x| x.value).collect())).collect(),
        };
        let trace = bounds.iter().map(value).collect();
        Self { case, trace, bounds }
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

    /// The error analysis, step by step as [`Expectation::trace`].
    #[must_use]
    pub fn bounds(&self) -> &Trace<Bounded> {
        &self.bounds
    }

    /// The first divergence of a result: every field it has is compared, in the order of computation, and it must have
    /// θ_t, ρ_t and β_{t+1} of every outer step.
    #[must_use]
    pub fn divergence(&self, found: &Trace, tolerance: &Tolerance) -> Option<Divergence> {
        let at = |step: &Step, field, difference| Divergence {
            case: self.case.id.clone(),
            t: step.t,
            k: step.k,
            field,
            difference,
        };
        for (index, expected) in self.trace.iter().enumerate() {
            let step = found.iter().find(|step| (step.t, step.k) == (expected.t, expected.k));
            let bounds = self.bounds.get(index);
            for (field, numbers) in &expected.fields {
                match step.and_then(|step| step.get(*field)) {
                    None if field.is_result() && expected.k.is_none() => {
                        return Some(at(expected, *field, Difference::Missing));
                    }
                    None => {}
                    Some(values) => {
                        let bounds = bounds.and_then(|bounds| bounds.get(*field));
                        if let Some(difference) = compare(*field, numbers, bounds, values, tolerance) {
                            return Some(at(expected, *field, difference));
                        }
                    }
                }
            }
        }
        self.unknown(found).map(|(step, field)| at(step, field, Difference::Unknown))
    }

    /// A step or field of a result that the case does not have.
    fn unknown<'f>(&self, found: &'f Trace) -> Option<(&'f Step, Field)> {
        found.iter().find_map(|step| {
            let known = self.trace.iter().find(|expected| (expected.t, expected.k) == (step.t, step.k));
            let mut fields = step.fields.iter().map(|(field, _)| *field);
            fields.find(|field| known.is_none_or(|known| known.get(*field).is_none())).map(|field| (step, field))
        })
    }

    /// Whether every number of a result is the library's, bit for bit up to the sign of zero.
    #[must_use]
    pub fn is_identical(&self, found: &Trace) -> bool {
        self.divergence(found, &Tolerance { factor: 0.0, fields: Vec::new() }).is_none()
    }
}

fn compare(
    field: Field,
    expected: &[f64],
    bounds: Option<&[Bounded]>,
    found: &[f64],
    tolerance: &Tolerance,
) -> Option<Difference> {
    if expected.len() != found.len() {
        return Some(Difference::Length { expected: expected.len(), found: found.len() });
    }
    for (component, (&expected, &found)) in expected.iter().zip(found).enumerate() {
        // Without a bound (the error analysis could not decide a draw) nothing but equality counts.
        let tolerance = bounds.and_then(|b| b.get(component)).map_or(0.0, |bound| tolerance.of(field, bound));
        let close = (found - expected).abs() <= tolerance;
        if !close {
            return Some(Difference::Number { component, expected, found, tolerance });
        }
    }
    None
}

/// A check of several results.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many cases were checked.
    pub cases: usize,
    /// How many of them are the library's bits.
    pub identical: usize,
    /// The first divergence of every case that has one.
    pub divergences: Vec<Divergence>,
    /// Whether every result is within the derived tolerances, so that only stricter ones fail it.
    pub rounding: bool,
    /// The mutations that give every result that was found; several where the cases cannot tell them apart.
    pub likely: Vec<Mutation>,
}

impl Report {
    /// Whether nothing diverged.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.divergences.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cases, identical, divergences, rounding, likely } = self;
        let Some(first) = divergences.first() else {
            return write!(f, "{cases} cases agree, {identical} of them bit for bit");
        };
        writeln!(f, "{} of {cases} cases diverge, {identical} agree bit for bit", divergences.len())?;
        write!(f, "first divergence: {first}")?;
        if *rounding {
            write!(f, "\nno bug: every difference is within what rounding explains")?;
        } else if likely.is_empty() {
            write!(f, "\nlikely bug: none of the known ones explains every result")?;
        }
        for mutation in likely {
            write!(f, "\nlikely bug: {} ({})", mutation.what(), mutation.name())?;
        }
        Ok(())
    }
}

/// Checks results against the library, one per case, and names the likely bug.
pub fn check(results: &[(Case, Trace)], tolerance: &Tolerance) -> Result<Report> {
    let mut report = Report { cases: results.len(), rounding: true, ..Report::default() };
    for (case, found) in results {
        let expectation = Expectation::new(case.clone())?;
        report.identical += usize::from(expectation.is_identical(found));
        report.rounding &= expectation.divergence(found, &Tolerance::default()).is_none();
        report.divergences.extend(expectation.divergence(found, tolerance));
    }
    if !report.passed() && !report.rounding {
        report.likely = likely(results, tolerance, &report.divergences);
    }
    Ok(report)
}

/// The mutations under which every result, diverging or not, is what a broken implementation gives.
fn likely(results: &[(Case, Trace)], tolerance: &Tolerance, divergences: &[Divergence]) -> Vec<Mutation> {
    // Which bug it is shows to the derived tolerances at best, whatever was asked for.
    let tolerance = &Tolerance { factor: tolerance.factor.max(1.0), fields: tolerance.fields.clone() };
    // The diverging cases first: they rule out most mutations at once.
    let diverges = |case: &Case| divergences.iter().any(|divergence| divergence.case == case.id);
    let (diverging, agreeing): (Vec<_>, Vec<_>) = results.iter().partition(|(case, _)| diverges(case));
    let mut candidates: Vec<Mutation> = Mutation::ALL.iter().map(|entry| entry.0).collect();
    for (case, found) in diverging.into_iter().chain(agreeing) {
        if candidates.is_empty() {
            break;
        }
        // A mutation of the other setting leaves this one alone, which a diverging case contradicts.
        let here: Vec<Mutation> = Mutation::of(case.setting).collect();
        candidates.retain(|mutation| {
            if !here.contains(mutation) {
                return !diverges(case);
            }
            Expectation::broken(case.clone(), *mutation).divergence(found, tolerance).is_none()
        });
    }
    candidates
}
