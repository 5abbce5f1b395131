//! Own draws of A': are they from π_t(·|X')? A test with a stated rate of false alarms.

use super::case::Case;
use super::compare::Tolerance;
use super::report::counted;
use super::walk::{Guide, Index, index, walk};
use crate::paper::Setting;
use crate::steps::{Quantity, Trace};
use core::fmt;

/// A right generator is blamed with at most this probability.
pub const ERROR_RATE: f64 = 1e-6;

/// What the draws look like.
///
/// For every number of an action, and for every rank of an action's probability, the draws that fell on it minus the sum of its probabilities: a
/// martingale whose steps lie in an interval of length 1, so by Azuma and Hoeffding it leaves ±√(n ln(2m/δ)/2) with probability at most
/// δ/m, for m of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Draws {
    /// How many draws there were.
    pub count: usize,
    /// The largest deviation.
    pub deviation: f64,
    /// How large it may be.
    pub allowed: f64,
}

impl Draws {
    /// Whether nothing is conspicuous.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.deviation <= self.allowed
    }
}

impl fmt::Display for Draws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, deviation, allowed } = self;
        let verdict = if self.passed() { "no bias shows" } else { "A' is not drawn from π_t(·|X')" };
        let draws = counted(*count, "draw");
        write!(
            f,
            "own draws: {verdict} in {draws}; an action came {deviation:.1} times more or less often than expected, "
        )?;
        write!(f, "{allowed:.1} is allowed, which right draws exceed with probability {ERROR_RATE:e} at most")
    }
}

/// The first t and i whose A' a result does not say.
#[must_use]
pub(crate) fn undrawn(case: &Case, found: &Trace, index: &Index) -> Option<(usize, usize)> {
    let says = |t, i| index.get(&(t, Some(i))).is_some_and(|at| found[*at].get(Quantity::ActionNext).is_some());
    let mut steps = (1..=case.outer).flat_map(|t| (1..=case.inner).map(move |i| (t, i)));
    if case.setting == Setting::Average { steps.find(|(t, i)| !says(*t, *i)) } else { None }
}

pub(crate) fn look_at(results: &[(Case, Trace)], tolerance: &Tolerance) -> Draws {
    // By number and by rank; what rounding may add to each.
    let (mut deviations, mut count, mut slack): ([Vec<f64>; 2], usize, f64) = Default::default();
    for (case, found) in results.iter().filter(|(case, _)| case.setting == Setting::Average) {
        let index = index(found);
        let guide = Guide { trace: found, index: &index, own_draws: true };
        for deviations in &mut deviations {
            deviations.resize(deviations.len().max(case.actions), 0.0);
        }
        walk(tolerance.precision, case, &[], Some(guide), &mut |step| {
            let own = index.get(&(step.t, step.k)).and_then(|at| found[*at].get(Quantity::ActionNext));
            if let (Some(own), Some(policy)) = (own.and_then(|own| own.first()), step.get(Quantity::PolicyNext)) {
                let mut ranked: Vec<usize> = (0..policy.len()).collect();
                ranked.sort_by(|a, b| policy[*b].value.total_cmp(&policy[*a].value));
                count += 1;
                for (rank, a) in ranked.into_iter().enumerate() {
                    let surplus = f64::from(u8::from(*own == a as f64)) - policy[a].value;
                    deviations[0][a] += surplus;
                    deviations[1][rank] += surplus;
                    slack += policy[a].tolerance;
                }
            }
            true
        });
    }
    let tests = deviations.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let allowed = libm::sqrt(count as f64 * libm::log(2.0 * tests / ERROR_RATE) / 2.0) + slack;
    let deviation = deviations.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    Draws { count, deviation, allowed }
}
