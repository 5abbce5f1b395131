//! Which known mistake explains a result: every step from the result's own state, as a broken implementation would go on from there.

use super::case::Case;
use super::compare::{Tolerance, same};
use super::mutation::Mutation;
use super::walk::{Guide, index, walk};
use crate::paper::Setting;
use crate::steps::Trace;

/// One mistake, or two at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bug(pub Vec<Mutation>);

/// Algorithm 1 as its box prints it: errata 1 and 7 together.
const AS_PRINTED: [Mutation; 2] = [Mutation::WeightDroppedInBeta, Mutation::WeightMisplaced];

impl Bug {
    fn is_box_as_printed(&self) -> bool {
        self.0.len() == 2 && AS_PRINTED.iter().all(|mutation| self.0.contains(mutation))
    }

    /// The name in files; two are joined by `+`.
    #[must_use]
    pub fn name(&self) -> String {
        if self.is_box_as_printed() {
            return "box-as-printed".into();
        }
        self.0.iter().map(|mutation| mutation.name()).collect::<Vec<_>>().join("+")
    }

    /// What is wrong.
    #[must_use]
    pub fn what(&self) -> String {
        let each: Vec<&str> = self.0.iter().map(|mutation| mutation.what()).collect();
        if self.is_box_as_printed() {
            return format!("the box of Algorithm 1 as printed, errata 1 and 7 together: {}", each.join("; and "));
        }
        each.join("; and ")
    }
}

/// Whether a broken implementation gives this result: every number that the result has, from the result's own state before it.
/// Where a bound is not finite nothing is explained.
pub(crate) fn explains(case: &Case, found: &Trace, bugs: &[Mutation], tolerance: &Tolerance) -> bool {
    let index = index(found);
    let guide = Guide { trace: found, index: &index, own_draws: tolerance.own_draws };
    let mut explained = true;
    walk(tolerance.precision, case, bugs, Some(guide), &mut |step| {
        let Some(values) = index.get(&(step.t, step.k)).map(|at| &found[*at]) else { return true };
        for (field, bounds) in &step.fields {
            let Some(values) = values.get(*field) else { continue };
            let near = |(found, bound): (&f64, &super::Bound)| {
                let tolerance = tolerance.of(*field, bound.tolerance);
                same(*found, bound.value) || (tolerance.is_finite() && (found - bound.value).abs() <= tolerance)
            };
            explained &= values.len() == bounds.len() && values.iter().zip(bounds).all(near);
        }
        explained
    });
    explained
}

/// The mistakes of a setting that explain all its results, diverging or not: single ones; if there is none, pairs.
pub(crate) fn likely(setting: Setting, results: &[(&Case, &Trace, bool)], tolerance: &Tolerance) -> Vec<Bug> {
    // Which bug it is shows to the derived tolerances at best, whatever was asked for.
    let tolerance = Tolerance { factor: tolerance.factor.max(1.0), ..tolerance.clone() };
    let mut order: Vec<_> = results.iter().collect();
    // The diverging cases first: they rule out most; and the small ones first: they are quick.
    order.sort_by_key(|(case, _, diverges)| (!diverges, case.samples.len().saturating_mul(case.features.len())));
    let explains_all = |bugs: &[Mutation]| order.iter().all(|(case, found, _)| explains(case, found, bugs, &tolerance));
    // Where every Λ^{c−1} is the identity, a mistake about it is none, and explains no divergence.
    let has_weight = results.iter().any(|(case, ..)| case.weight.is_some());
    let is_about_weight = |bug: &Mutation| bug.name().starts_with("weight-");
    let known: Vec<Mutation> = Mutation::of(setting).filter(|bug| has_weight || !is_about_weight(bug)).collect();
    let single: Vec<Bug> = known.iter().filter(|bug| explains_all(&[**bug])).map(|bug| Bug(vec![*bug])).collect();
    if !single.is_empty() {
        return single;
    }
    let mut pairs = Vec::new();
    for (i, first) in known.iter().enumerate() {
        for second in &known[i + 1..] {
            if explains_all(&[*first, *second]) {
                pairs.push(Bug(vec![*first, *second]));
            }
        }
    }
    pairs
}
