//! Conformance: is another implementation right, and if not, where?
//!
//! A [`Case`] is everything a run reads; [`Case::expected`] is what this library makes of it, with every intermediate. An
//! implementation is checked by [`conformance`] (in Rust), or in any language through files or a pipe (`opd vectors`;
//! `docs/oracle.md`): every step from the implementation's own state before it, with tolerances from a running error analysis; likely bugs
//! come from deliberately broken steps ([`mutation`]).

mod case;
pub mod cases;
mod compare;
#[cfg(feature = "cli")]
mod digest;
pub mod draws;
#[cfg(feature = "cli")]
pub mod files;
pub mod formulas;
mod iterate;
#[cfg(feature = "cli")]
pub mod json;
pub mod mutation;
mod naming;
mod near;
#[cfg(feature = "cli")]
pub mod read;
mod report;
pub mod scalar;
mod situations;
pub mod variant;
mod walk;

pub use crate::paper::Setting;
pub use crate::steps::{FIELDS, Quantity, Step, Trace, results_only};
pub use case::Case;
pub use compare::{Difference, Divergence, Expectation, Tolerance, Why};
pub use mutation::Mutation;
pub use naming::Bug;
pub use near::Precision;
pub use report::{Compared, Report, Undecided, check};
pub use walk::Bound;

/// An implementation under test.
pub trait OfflinePrimalDual {
    /// Runs a case and says what it computed: at least θ_t, β_{t+1} and, in the average-reward setting, ρ_t for every t, as
    /// [`Step`]s without `k`. Whatever else it has makes the report more precise. `Err` says why it cannot.
    fn run(&mut self, case: &Case) -> Result<Trace, String>;
}

/// Any function will do.
impl<F: FnMut(&Case) -> Result<Trace, String>> OfflinePrimalDual for F {
    fn run(&mut self, case: &Case) -> Result<Trace, String> {
        self(case)
    }
}

/// Runs an implementation on the fixed cases of both settings and on 40 fresh ones. `Err` is the report, for people.
///
/// ```
/// use offline_primal_dual::conformance::{Case, Trace, conformance};
///
/// // Your implementation; here the library itself stands in for it.
/// fn mine(case: &Case) -> Result<Trace, String> {
///     case.expected().map_err(|e| e.to_string())
/// }
///
/// conformance(&mut mine).unwrap();
/// ```
pub fn conformance(implementation: &mut impl OfflinePrimalDual) -> Result<Report, String> {
    let fixed = Setting::ALL.into_iter().flat_map(cases::fixed);
    conformance_on(implementation, fixed.chain(cases::fresh(1, 40)), &Tolerance::default())
}

/// [`conformance`] on cases and with tolerances of the caller's. Costs the implementation's own time and what [`check`] says; results stay in
/// memory until the last.
pub fn conformance_on(
    implementation: &mut impl OfflinePrimalDual,
    cases: impl IntoIterator<Item = Case>,
    tolerance: &Tolerance,
) -> Result<Report, String> {
    let mut results = Vec::new();
    for case in cases {
        let found = implementation.run(&case).map_err(|e| format!("case {}: {e}", case.id))?;
        results.push((case, found));
    }
    let report = check(&results, tolerance).map_err(|e| format!("{e}"))?;
    if report.passed() { Ok(report) } else { Err(format!("{report}")) }
}

/// The manual's Rust compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/oracle.md")]
struct Manual;
