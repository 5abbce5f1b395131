//! The verdict on several results: what was compared, what diverges and where, and which known mistake explains it.

use super::case::Case;
use super::compare::{Divergence, Judgement, Tolerance, Why, judge};
use super::draws::{self, Draws};
use super::formulas::formula;
use super::naming::{Bug, likely};
use super::situations::Situations;
use super::{cases, near::Precision};
use crate::error::Result;
use crate::paper::Setting;
use crate::steps::{FIELDS, Quantity, Trace, place};
use core::fmt;

/// What was compared in a setting.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The setting.
    pub setting: Setting,
    /// How many cases, fixed and fresh.
    pub cases: usize,
    /// The fixed cases that were not among them, where some were.
    pub not_cases: Vec<String>,
    /// The fields, those of inner steps prefixed with `inner.`.
    pub fields: Vec<String>,
    /// Those that no result had.
    pub not_fields: Vec<String>,
    /// The ids of the cases that agree.
    pub agreeing: Vec<String>,
    /// The mistakes that explain every result of the setting; several where the cases cannot tell them apart.
    pub likely: Vec<Bug>,
    /// What never happened in these cases, so that a mistake in it does not show.
    pub never: Vec<String>,
}

/// From where on nothing can be told of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undecided {
    /// The case.
    pub case: String,
    /// t.
    pub t: usize,
    /// k; `None` for the outer step.
    pub k: Option<usize>,
    /// Why.
    pub why: Why,
}

/// The verdict on several results.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// How many cases were checked.
    pub cases: usize,
    /// How many of them are the library's bits.
    pub identical: usize,
    /// The first divergence of every field of every case that has one, the worst case first.
    pub divergences: Vec<Divergence>,
    /// Cases where from some place on nothing can be told.
    pub undecided: Vec<Undecided>,
    /// Whether every result is within the derived tolerances, so that only stricter ones fail it.
    pub rounding: bool,
    /// Per setting what was compared, and the likely bugs.
    pub settings: Vec<Compared>,
    /// What own draws look like, where they were asked for.
    pub draws: Option<Draws>,
    /// The arithmetic.
    pub precision: Precision,
}

impl Report {
    /// Whether nothing diverged.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.divergences.is_empty() && self.draws.as_ref().is_none_or(Draws::passed)
    }

    /// How many cases agree, and of how many too little can be told to say so.
    #[must_use]
    pub fn tally(&self) -> [usize; 2] {
        let diverging = self.diverging();
        let undecided = self.undecided.iter().filter(|place| !diverging.contains(&place.case.as_str())).count();
        [self.cases.saturating_sub(diverging.len() + undecided), undecided]
    }

    /// The likely bugs of all settings.
    #[must_use]
    pub fn likely(&self) -> Vec<&Bug> {
        self.settings.iter().flat_map(|compared| &compared.likely).collect()
    }

    /// The cases that diverge, the worst first.
    #[must_use]
    pub fn diverging(&self) -> Vec<&str> {
        let mut cases: Vec<&str> = Vec::new();
        for divergence in &self.divergences {
            if !cases.contains(&divergence.case.as_str()) {
                cases.push(&divergence.case);
            }
        }
        cases
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { divergences, rounding, .. } = self;
        self.headline(f)?;
        if !divergences.is_empty() {
            for case in &self.diverging() {
                let mut of_case = divergences.iter().filter(|divergence| divergence.case == *case);
                if let Some(first) = of_case.next() {
                    write!(f, "\nfirst divergence: {first}")?;
                }
                let others: Vec<String> = of_case.map(|d| format!("{} {}", place(d.t, d.k), d.field.name())).collect();
                if !others.is_empty() {
                    write!(f, "; also, from the values found, at {}", others.join("; "))?;
                }
            }
            if *rounding {
                write!(f, "\nno bug: every difference is within what rounding explains")?;
            }
        }
        for compared in &self.settings {
            self.explain(f, compared)?;
        }
        for compared in &self.settings {
            let Compared { setting, cases, not_cases, fields, not_fields, never, .. } = compared;
            write!(f, "\n{}: {} compared", setting.name(), counted(*cases, "case"))?;
            write_list(f, ", fixed cases not compared: ", not_cases)?;
            write_list(f, "; fields compared: ", fields)?;
            write_list(f, "; not in the results: ", not_fields)?;
            write_list(f, "; not put to the test, for in these cases there was ", never)?;
        }
        for setting in Setting::ALL
            .into_iter()
            .filter(|setting| !self.settings.iter().any(|compared| compared.setting == *setting))
        {
            write!(f, "\n{}: not compared", setting.name())?;
        }
        if let Some(draws) = &self.draws {
            write!(f, "\n{draws}")?;
        }
        if let Some(Undecided { case, t, k, why }) = self.undecided.first() {
            let more = self.undecided.len() - 1;
            write!(f, "\nundecided from {} in case {case}: {}", place(*t, *k), why.what())?;
            if more > 0 {
                write!(f, "; and in {}", counted(more, "other case"))?;
            }
        }
        Ok(())
    }
}

/// `1 case`, `2 cases`.
pub(crate) fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn write_list(f: &mut fmt::Formatter<'_>, head: &str, list: &[String]) -> fmt::Result {
    if list.is_empty() { Ok(()) } else { write!(f, "{head}{}", list.join(", ")) }
}

impl Report {
    /// How many cases agree; what is not decided is not among them.
    fn headline(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [agreeing, undecided] = self.tally();
        let agree = if agreeing == 1 { "agrees" } else { "agree" };
        let (agree, cases) = (format!("{} {agree}", counted(agreeing, "case")), self.cases);
        let is_biased = self.draws.as_ref().is_some_and(|draws| !draws.passed());
        match self.diverging().len() {
            0 if is_biased => write!(f, "A' is biased; {agree} otherwise")?,
            0 if agreeing == 1 && cases == 1 => {
                write!(f, "{agree}, {}bit for bit", if self.identical == 1 { "" } else { "not " })?;
            }
            0 => write!(f, "{agree}, {} of them bit for bit", self.identical)?,
            n => {
                let (of, s) = (counted(cases, "case"), if n == 1 { "s" } else { "" });
                write!(f, "{n} of {of} diverge{s}, {} agree bit for bit", self.identical)?;
            }
        }
        if undecided > 0 { write!(f, ", {undecided} undecided") } else { Ok(()) }
    }

    /// The likely bugs of a setting, or else what is known about the place.
    fn explain(&self, f: &mut fmt::Formatter<'_>, compared: &Compared) -> fmt::Result {
        let setting = compared.setting;
        let mut here = self.divergences.iter().filter(|divergence| divergence.setting == setting);
        let Some(first) = here.next().filter(|_| !self.rounding) else { return Ok(()) };
        for bug in &compared.likely {
            write!(f, "\nlikely bug ({}): {} ({})", setting.name(), bug.what(), bug.name())?;
        }
        if !compared.likely.is_empty() {
            return Ok(());
        }
        write!(f, "\nlikely bug ({}): none of the known ones, nor two of them, explains every result", setting.name())?;
        if let Some(formula) = formula(setting, first.k.is_some(), first.field) {
            write!(f, "\n  {} should be {}", first.field.name(), formula.text)?;
            let inputs = formula.inputs.iter().map(|input| self.state_of_input(compared, first, *input));
            write_list(f, "; of its inputs ", &inputs.collect::<Vec<_>>())?;
        }
        write_list(f, "\n  cases that agree: ", &compared.agreeing)
    }

    fn state_of_input(&self, compared: &Compared, first: &Divergence, input: Quantity) -> String {
        let is_inner = first.k.is_some();
        let wrong = |d: &Divergence| d.case == first.case && d.k.is_some() == is_inner && d.field == input;
        let told = if !compared.fields.contains(&field_name(is_inner, input)) {
            "is not in the results"
        } else if self.divergences.iter().any(wrong) {
            "diverges too"
        } else {
            "agrees"
        };
        format!("{} {told}", input.name())
    }
}

/// The name of a field in reports.
fn field_name(is_inner: bool, field: Quantity) -> String {
    format!("{}{}", if is_inner { "inner." } else { "" }, field.name())
}

/// Checks results against the library, one per case, and names the likely bug.
///
/// Of the order of 40·T·K·d(|A| + d) operations per case and memory for what the results have; where something diverges, up to 260
/// times that for the name of the bug, of which most end at the first step.
pub fn check(results: &[(Case, Trace)], tolerance: &Tolerance) -> Result<Report> {
    let mut report =
        Report { cases: results.len(), rounding: true, precision: tolerance.precision, ..Report::default() };
    let mut judgements = Vec::new();
    for (case, found) in results {
        let judgement = judge(case, found, tolerance)?;
        report.identical += usize::from(judgement.identical);
        if tolerance.factor < 1.0 || !tolerance.fields.is_empty() {
            let derived = Tolerance { factor: 1.0, fields: Vec::new(), ..tolerance.clone() };
            report.rounding &= judge(case, found, &derived)?.divergences.is_empty();
        } else {
            report.rounding &= judgement.divergences.is_empty();
        }
        report.undecided.extend(judgement.undecided.map(|(t, k, why)| Undecided { case: case.id.clone(), t, k, why }));
        judgements.push(judgement);
    }
    for setting in Setting::ALL {
        let here: Vec<_> = results.iter().zip(&judgements).filter(|((case, _), _)| case.setting == setting).collect();
        if !here.is_empty() {
            report.settings.push(compared(setting, &here, tolerance, report.rounding));
        }
    }
    let mut groups: Vec<Vec<Divergence>> = judgements.into_iter().map(|judgement| judgement.divergences).collect();
    let worst = |group: &Vec<Divergence>| group.iter().map(Divergence::severity).fold(0.0, f64::max);
    groups.sort_by(|a, b| worst(b).total_cmp(&worst(a)));
    report.divergences = groups.concat();
    if tolerance.own_draws {
        report.draws = Some(draws::look_at(results, tolerance));
    }
    Ok(report)
}

fn compared(
    setting: Setting,
    here: &[(&(Case, Trace), &Judgement)],
    tolerance: &Tolerance,
    rounding: bool,
) -> Compared {
    let ids: Vec<&str> = here.iter().map(|((case, _), _)| case.id.as_str()).collect();
    let (found, others): (Vec<String>, Vec<String>) =
        cases::fixed(setting).into_iter().map(|case| case.id).partition(|id| ids.contains(&id.as_str()));
    // Who checks fresh problems, or own ones, has not asked for the fixed ones.
    let not_cases = if found.is_empty() { Vec::new() } else { others };
    let (mut fields, mut not_fields) = (Vec::new(), Vec::new());
    for is_inner in [true, false] {
        for (field, _) in FIELDS {
            if formula(setting, is_inner, field).is_none() {
                continue;
            }
            let is_compared = here.iter().any(|(_, judgement)| judgement.compared.contains(&(is_inner, field)));
            if is_compared { &mut fields } else { &mut not_fields }.push(field_name(is_inner, field));
        }
    }
    let diverges = |judgement: &Judgement| !judgement.divergences.is_empty();
    let agrees = |judgement: &Judgement| !diverges(judgement) && judgement.undecided.is_none();
    let agreeing =
        here.iter().filter(|(_, judgement)| agrees(judgement)).map(|((case, _), _)| case.id.clone()).collect();
    let pairs: Vec<(&Case, &Trace, bool)> = here.iter().map(|((case, found), j)| (case, found, diverges(j))).collect();
    let is_named = !rounding && pairs.iter().any(|(_, _, diverges)| *diverges);
    let likely = if is_named { likely(setting, &pairs, tolerance) } else { Vec::new() };
    let mut met = Situations::default();
    for (_, judgement) in here {
        met.and(&judgement.met);
    }
    let never = met.never(setting);
    Compared { setting, cases: here.len(), not_cases, fields, not_fields, agreeing, likely, never }
}
