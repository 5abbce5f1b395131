//! A check of the register, and what came of it.

use super::case::{Case, Power, not_applicable};
use super::compared::{Compared, Side};
use crate::error::{Error, Result};
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::Exponent;
use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

/// `plain!(f, "statements", "what is compared")`: the check that is computed by `f` and named after it.
macro_rules! plain {
    ($function:ident, $statement:literal, $compares:literal) => {
        $crate::statements::Check::plain(stringify!($function), $statement, $compares, $function)
    };
}

/// The same for a check about Λ^c.
macro_rules! powered {
    ($function:ident, $statement:literal, $compares:literal) => {
        $crate::statements::Check::powered(stringify!($function), $statement, $compares, $function)
    };
}

/// `printed!(n, f, "what is compared")`: what print says and item n of the errata corrects.
macro_rules! printed {
    ($number:literal, $function:ident, $compares:literal) => {
        $crate::statements::Check::plain(
            stringify!($function),
            concat!("Erratum ", stringify!($number)),
            $compares,
            $function,
        )
        .printed($number)
    };
}

/// The same for a check about Λ^c.
macro_rules! powered_printed {
    ($number:literal, $function:ident, $compares:literal) => {
        $crate::statements::Check::powered(
            stringify!($function),
            concat!("Erratum ", stringify!($number)),
            $compares,
            $function,
        )
        .printed($number)
    };
}

pub(super) use {plain, powered, powered_printed, printed};

/// How a check is computed.
#[derive(Debug, Clone, Copy)]
enum Compute {
    Plain(fn(&Case, &mut [Q]) -> Result<Compared>),
    /// Once per Λ^c.
    Powered(fn(&Case, &Power, &mut [Q]) -> Result<Compared>),
}

/// What is compared, for which statements, and how.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The name of its function, which no other check has.
    pub name: &'static str,
    /// The ids of the statements, with ", " between them; "Erratum n" for what print says wrongly.
    pub statement: &'static str,
    /// What is compared.
    pub compares: &'static str,
    /// Its item of `docs/errata.md`: a claim of print that is expected to fail somewhere.
    pub erratum: Option<u32>,
    /// Whether it enumerates every sample or every deterministic policy or certifies a run, which takes time on larger models.
    pub enumerates: bool,
    compute: Compute,
}

impl Check {
    /// A check of statements.
    pub(super) const fn plain(
        name: &'static str,
        statement: &'static str,
        compares: &'static str,
        compute: fn(&Case, &mut [Q]) -> Result<Compared>,
    ) -> Self {
        Self { name, statement, compares, erratum: None, enumerates: false, compute: Compute::Plain(compute) }
    }

    /// A check of statements about Λ^c.
    pub(super) const fn powered(
        name: &'static str,
        statement: &'static str,
        compares: &'static str,
        compute: fn(&Case, &Power, &mut [Q]) -> Result<Compared>,
    ) -> Self {
        Self { name, statement, compares, erratum: None, enumerates: false, compute: Compute::Powered(compute) }
    }

    /// What print says, and the errata correct.
    pub(super) const fn printed(self, number: u32) -> Self {
        Self { erratum: Some(number), ..self }
    }

    /// Takes time on larger models.
    pub(super) const fn enumerates(self) -> Self {
        Self { enumerates: true, ..self }
    }

    /// The statements that it checks.
    pub fn statements(&self) -> impl Iterator<Item = &'static str> {
        self.statement.split(", ")
    }

    /// Evaluates both sides: one finding, or one per Λ^c.
    pub fn evaluate(&self, case: &Case, scratch: &mut [Q]) -> Vec<Finding> {
        match self.compute {
            Compute::Plain(compute) => vec![self.judge(self.compares.to_owned(), compute(case, scratch))],
            Compute::Powered(compute) => {
                let one = |power: &Power| {
                    let c = if power.c == Exponent::One { "1" } else { "1/2" };
                    self.judge(format!("{} [c = {c}]", self.compares), compute(case, power, scratch))
                };
                case.powers.iter().map(one).collect()
            }
        }
    }

    fn judge(&self, compares: String, compared: Result<Compared>) -> Finding {
        let statement = self.statement.to_owned();
        match compared {
            Ok(compared) => {
                let status = match (compared.holds, self.erratum) {
                    (Some(true), None) => Status::Holds,
                    (Some(false), None) => Status::Fails,
                    (Some(false), Some(_)) => Status::Erratum,
                    (_, Some(_)) => Status::ErratumNotShown,
                    (None, None) => Status::Undecided,
                };
                let Compared { lhs, rhs, residual, .. } = compared;
                Finding { check: Some(self.name), statement, compares, lhs, rhs, residual, status }
            }
            Err(error) => {
                let why = match error {
                    Error::OutOfRange { what: "instance", expected, .. } => format!("needs {expected}"),
                    _ => format!("{error}"),
                };
                let mut finding = Finding::not_computed(&statement, format!("{compares}: {why}"), &error);
                finding.check = Some(self.name);
                finding
            }
        }
    }
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The statement holds here.
    Holds,
    /// It does not.
    Fails,
    /// Print's claim fails here, as the errata say.
    Erratum,
    /// Print's claim is one of the errata, but is not shown to fail on this instance.
    ErratumNotShown,
    /// The instance lacks what the statement assumes.
    NotApplicable,
    /// The enclosures of the two sides do not decide, or the instance is too large to go through all policies.
    Undecided,
}

impl Status {
    /// The word in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Erratum => "erratum",
            Self::ErratumNotShown => "erratum-not-shown",
            Self::NotApplicable => "not-applicable",
            Self::Undecided => "undecided",
        }
    }
}

/// A check on a case.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The check's name; `None` where a whole setting could not be computed.
    pub check: Option<&'static str>,
    /// The statements, or the erratum.
    pub statement: String,
    /// What was compared.
    pub compares: String,
    /// The left side.
    pub lhs: Side,
    /// The right side.
    pub rhs: Side,
    /// How far the relation is missed by.
    pub residual: Side,
    /// What came of it.
    pub status: Status,
}

impl Finding {
    /// A finding without numbers: not applicable only where the instance is outside the assumptions, not decided where it is too large,
    /// else a failure.
    #[must_use]
    pub fn not_computed(statement: &str, compares: String, error: &Error) -> Self {
        let side = || Side::Text("–".to_owned());
        let status = match error {
            _ if *error == not_applicable(FEW) => Status::Undecided,
            _ if lacks_assumption(error) => Status::NotApplicable,
            _ => Status::Fails,
        };
        let statement = statement.to_owned();
        Self { check: None, statement, compares, lhs: side(), rhs: side(), residual: side(), status }
    }
}

/// Errors that say that the instance is outside a statement's assumptions, not that the statement is wrong.
#[must_use]
pub fn lacks_assumption(error: &Error) -> bool {
    let outside = matches!(
        error,
        Error::Singular { .. }
            | Error::NearSingular { .. }
            | Error::NotInRange { .. }
            | Error::OnesNotInSpan
            | Error::NotUnichain { .. }
            // Where Λ is singular.
            | Error::OutOfRange { what: "Λ", expected: "a positive definite matrix", .. }
            | Error::OutOfRange { what: "mu_B", expected: "mu_B > 0 wherever mu* > 0", .. }
            | Error::OutOfRange { what: "y", expected: "yᵀΛy > 0" | "E_B⟨φ, y⟩² > 0", .. }
    );
    outside || ASSUMED.iter().any(|expected| *error == not_applicable(expected))
}

/// What some statements ask of an instance.
pub(super) const TABULAR: &str = "features that are unit vectors";
/// What Lemma B.3 and the rates of the theorems ask.
pub(super) const CHOICE: &str = "more than one action";
/// What (32)–(34) ask.
pub(super) const ROOT: &str = "a rational square root of Λ";
/// What the first form of Section 3 asks.
pub(super) const INVERTIBLE: &str = "a Λ that can be inverted";
/// What is gone through policy by policy asks.
pub(super) const FEW: &str = "fewer deterministic policies";
const ASSUMED: [&str; 4] = [TABULAR, CHOICE, ROOT, INVERTIBLE];
