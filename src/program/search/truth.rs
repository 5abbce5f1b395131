//! What the model says of a search that does not see it.

use super::Ground;
use super::report::{Line, mean};
use crate::baselines::{Candidate, Found, Split};
use crate::data::{Row, Setting};
use crate::program::model::SolvedModel;
use serde::Serialize;

/// Above this many states the model is asked about the best candidate only.
const STATES: usize = 256;

/// Returns by the model.
#[derive(Serialize)]
pub struct Truth {
    pub optimal: f64,
    pub uniform: f64,
    pub behavior: Option<f64>,
    /// Of the best candidate run on all rows: what the printed command gives.
    pub best: f64,
    /// (optimal − best)/(optimal − uniform).
    pub normalised_suboptimality: f64,
    /// Spearman's, between the estimates and the returns of the first split's policies.
    pub rank_correlation: Option<f64>,
}

/// What the model says, of the candidates too where it is small; `None` without a model that can be solved.
pub fn truth(
    ground: &Ground<'_>,
    rows: &[Row],
    splits: &[Split],
    found: &Found<Candidate>,
    lines: &mut [Line],
    uniform: &[f64],
) -> Option<Truth> {
    let problem = ground.problem;
    if !problem.has_model() || !SolvedModel::fits(problem) {
        return None;
    }
    let model = SolvedModel::new(Setting::Discounted, problem, "values").ok()?;
    if problem.shape.states <= STATES {
        for (line, scored) in lines.iter_mut().zip(&found.ranking) {
            let learnt = ground.learn(&scored.candidate, &splits[0].learn, 0);
            line.truth = learnt.and_then(|learnt| model.value(&learnt.policy).ok());
        }
    }
    let pairs: Vec<(f64, f64)> = lines
        .iter()
        .zip(&found.ranking)
        .filter_map(|(line, scored)| Some((scored.estimates[0].as_ref()?.value, line.truth?)))
        .collect();
    let best = model.value(&ground.learn(&found.ranking[0].candidate, rows, 0)?.policy).ok()?;
    let (optimal, uniform) = (model.best, model.value(uniform).ok()?);
    let behavior = problem.behavior("values").ok().map(<[f64]>::to_vec).and_then(|policy| model.value(&policy).ok());
    let normalised_suboptimality = (optimal - best) / (optimal - uniform);
    Some(Truth { optimal, uniform, behavior, best, normalised_suboptimality, rank_correlation: spearman(&pairs) })
}

/// Spearman's rank correlation, ties at their mean rank; `None` for fewer than three pairs or a constant side.
fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = |side: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let below = |x: f64| pairs.iter().filter(|p| side(p) < x).count() as f64;
        let equal = |x: f64| pairs.iter().filter(|p| side(p) == x).count() as f64;
        pairs.iter().map(|p| below(side(p)) + 0.5 * equal(side(p))).collect()
    };
    let (a, b) = (ranks(|p| p.0), ranks(|p| p.1));
    let (mean_a, mean_b) = (mean(a.iter().copied()), mean(b.iter().copied()));
    let sum = |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    let (ab, aa, bb) = (sum(&a, mean_a, &b, mean_b), sum(&a, mean_a, &a, mean_a), sum(&b, mean_b, &b, mean_b));
    (pairs.len() > 2 && aa * bb > 0.0).then(|| ab / libm::sqrt(aa * bb))
}
