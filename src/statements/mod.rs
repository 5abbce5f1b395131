//! The register: every statement of the paper once, with where it stands, the functions that implement it, its proofs, and checks
//! that evaluate both of its sides at a [`Case`]. `opd audit`, `tests/statements.rs` and `docs/tables/paper-map.md` are made from it.
//!
//! One file per section of the paper: its `STATEMENTS`, its `CHECKS`, and the functions of these. Errata are checks of what print
//! says, which are expected to fail somewhere.

pub mod case;
mod check;
pub mod compared;

mod appendix_a;
mod appendix_b;
mod appendix_c;
mod appendix_c_gap;
mod appendix_c_moments;
mod appendix_c_radius;
mod appendix_c_start;
mod appendix_d;
mod appendix_e;
mod counted;
pub mod elsewhere;
mod enumerated;
mod glosses;
mod printed;
mod printed_average;
mod run;
mod section2;
mod section3;
mod section4;
mod section5;
mod section6;

use crate::error::Result;
use crate::number::interrupt::interrupted_now;
use crate::paper::Setting;
pub use case::{Case, Iterates, Power};
pub use check::{Check, Finding, Status, lacks_assumption};
pub use compared::{Compared, Relation, Side};
pub use glosses::Gloss;
use std::string::ToString;
use std::vec::Vec;

/// A statement of the paper.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    /// As print numbers it, or the section and a word where print does not.
    pub id: &'static str,
    /// In our words.
    pub title: &'static str,
    /// The section or appendix.
    pub section: &'static str,
    /// Its \label, where it has one.
    pub label: Option<&'static str>,
    /// The functions that implement it, as paths from the crate's root.
    pub functions: &'static [&'static str],
    /// Its theorems in `proofs/coq`.
    pub coq: &'static [&'static str],
    /// Theorems there that what is printed is false.
    pub refuted: &'static [&'static str],
    /// Its harnesses in `proofs`.
    pub kani: &'static [&'static str],
    /// Its items of `docs/errata.md`.
    pub errata: &'static [u32],
}

impl Statement {
    const fn new(section: &'static str, id: &'static str, title: &'static str) -> Self {
        Self { id, title, section, label: None, functions: &[], coq: &[], refuted: &[], kani: &[], errata: &[] }
    }

    const fn label(self, label: &'static str) -> Self {
        Self { label: Some(label), ..self }
    }

    const fn functions(self, functions: &'static [&'static str]) -> Self {
        Self { functions, ..self }
    }

    const fn coq(self, coq: &'static [&'static str]) -> Self {
        Self { coq, ..self }
    }

    const fn refuted(self, refuted: &'static [&'static str]) -> Self {
        Self { refuted, ..self }
    }

    const fn kani(self, kani: &'static [&'static str]) -> Self {
        Self { kani, ..self }
    }

    const fn errata(self, errata: &'static [u32]) -> Self {
        Self { errata, ..self }
    }

    /// What it says, in formulas and in words.
    #[must_use]
    pub fn gloss(&self) -> &'static Gloss {
        const NONE: &Gloss = &Gloss { id: "", formulas: &[], words: "" };
        glosses::GLOSSES.iter().find(|gloss| gloss.id == self.id).unwrap_or(NONE)
    }

    /// The checks that evaluate it.
    pub fn checks(&self) -> impl Iterator<Item = &'static Check> {
        let id = self.id;
        checks().filter(move |check| check.statements().any(|of| of == id))
    }
}

/// Every statement, in print's order.
pub fn statements() -> impl Iterator<Item = &'static Statement> {
    [
        section3::TABLE,
        section2::STATEMENTS,
        section3::STATEMENTS,
        section4::STATEMENTS,
        section5::STATEMENTS,
        section6::STATEMENTS,
        appendix_a::STATEMENTS,
        appendix_b::STATEMENTS,
        appendix_c::STATEMENTS,
        appendix_d::STATEMENTS,
        appendix_e::STATEMENTS,
    ]
    .into_iter()
    .flatten()
}

/// The checks of one setting, in print's order.
pub fn checks_of(setting: Setting) -> impl Iterator<Item = &'static Check> {
    let lists: &[&[Check]] = match setting {
        Setting::Discounted => &[
            section2::CHECKS,
            section3::CHECKS,
            section4::CHECKS,
            appendix_a::CHECKS,
            appendix_b::CHECKS,
            printed::CHECKS,
            appendix_d::CHECKS,
            section6::CHECKS,
            appendix_e::CHECKS,
        ],
        Setting::Average => &[section5::CHECKS, appendix_c::CHECKS, appendix_c_gap::CHECKS, printed_average::CHECKS],
    };
    lists.iter().copied().flatten()
}

/// Every check.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    Setting::ALL.into_iter().flat_map(checks_of)
}

/// Every check of the case's setting, evaluated, as long as somebody waits for it.
#[must_use]
pub fn evaluate(case: &Case) -> Vec<Finding> {
    let mut scratch = case.scratch();
    let checks = checks_of(case.setting).take_while(|_| !interrupted_now());
    checks.flat_map(|check| check.evaluate(case, &mut scratch)).collect()
}

/// Every check on a model, in both settings. Where the model does not have one of them, a single finding says why.
#[must_use]
pub fn evaluate_model(model: &crate::instances::Owned<case::Number>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (setting, title) in [(Setting::Discounted, "Sections 2–4"), (Setting::Average, "Section 5, Appendix C")] {
        let case: Result<Case> = Case::new(setting, model.clone());
        match case {
            Ok(case) => findings.extend(evaluate(&case)),
            Err(error) => findings.push(Finding::not_computed(title, error.to_string(), &error)),
        }
    }
    findings
}
