//! The last round of a search: on all rows, since it is from them that the printed call learns.

use super::Row;
use crate::baselines::{self, Evaluator, Found, Plan, Scored, Split};
use crate::sampler::Uniforms;

/// How far a neighbour is in each coordinate of the unit cube, at most, at first and at last.
const REACH: (f64, f64) = (0.1, 0.01);

/// How many candidates the last round draws: a quarter of the search's.
pub fn drawn(plan: &Plan) -> usize {
    plan.candidates.div_ceil(4)
}

/// How many runs it takes: of the finalists, of the candidates drawn, and of the one found on every split.
pub fn runs(plan: &Plan) -> usize {
    plan.finalists() + drawn(plan) + plan.splits
}

/// The finalists are run on all rows, then candidates that are drawn one by one from the neighbourhood of the best so far, which shrinks. The
/// one whose policy counts most by LSTDQ on all rows becomes the first: at large rates a run can swing away from what the splits saw, and
/// this policy is what comes out. One that was drawn here is then run on every split too, for its estimates.
pub fn last_round<const N: usize>(
    plan: &Plan,
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    (rows, judge): (&[Row], &Evaluator<'_>),
    mut learn: impl FnMut(&[[f64; N]], &[Row]) -> Vec<Option<Vec<f64>>>,
    found: &mut Found<[f64; N]>,
) {
    let credit = |policy: Option<Vec<f64>>| {
        let estimate = policy.and_then(|policy| judge.estimate(&policy).ok());
        estimate.map_or(f64::NEG_INFINITY, |estimate| baselines::credit(&estimate))
    };
    let finalists: Vec<[f64; N]> = found.ranking[..found.finalists].iter().map(|scored| scored.candidate).collect();
    let credits: Vec<f64> = learn(&finalists, rows).into_iter().map(credit).collect();
    // Of equals the first.
    let Some(first) = (0..credits.len()).rev().max_by(|a, b| credits[*a].total_cmp(&credits[*b])) else { return };
    let (mut best, mut most) = (finalists[first], credits[first]);
    // A stream of its own, beside those of the candidates and of the splits.
    let mut uniforms = Uniforms::new(!plan.seed ^ (1 << 60));
    for index in 0..drawn(plan) {
        let reach = REACH.0 * libm::pow(REACH.1 / REACH.0, index as f64 / drawn(plan) as f64);
        let near = best.map(|center| (center + reach * (2.0 * uniforms.unit() - 1.0)).clamp(0.0, 1.0));
        let found = learn(&[near], rows).pop().map_or(f64::NEG_INFINITY, credit);
        if found > most {
            (best, most) = (near, found);
        }
    }
    if best == finalists[first] {
        return found.ranking[..=first].rotate_right(1);
    }
    let mut scored = Scored { candidate: best, policy: Vec::new(), whole: true, estimates: Vec::new() };
    for (index, (split, judge)) in splits.iter().zip(judges).enumerate() {
        let policy = learn(&[best], &split.learn).pop().flatten();
        scored.estimates.push(policy.as_ref().and_then(|policy| judge.estimate(policy).ok()));
        if index == 0 {
            scored.policy = policy.unwrap_or_default();
        }
    }
    // What diverges on a part of the rows is no candidate.
    if scored.estimates.iter().all(Option::is_some) {
        found.ranking.insert(0, scored);
        found.finalists += 1;
    } else {
        found.ranking[..=first].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::{Batch, search};
    use crate::instances;
    use crate::paper::mdp::Mdp;
    use crate::sampler::Sampler;

    /// All rows prefer points near 0.4, what the splits see is the same everywhere: the last round goes there, and a candidate of its own
    /// has an estimate per split.
    #[test]
    fn the_last_round_prefers_what_comes_out_of_all_rows() {
        let model = instances::by_name("chain").unwrap().to_owned::<f64>().unwrap();
        let scratch = &mut &mut vec![0.0; model.shape.scratch()][..];
        let linear = model.linear_mdp().unwrap();
        let mdp: Mdp<'_, f64> = linear.tabulate(scratch).unwrap();
        let rows: Vec<Row> = Sampler::discounted(&mdp, &model.behavior, 3).unwrap().take(3000).collect();
        let best = crate::paper::mdp::optimal_policy(&mdp, scratch).unwrap().0.to_vec();
        let even = vec![1.0 / model.shape.actions as f64; model.shape.pairs()];
        let plan = Plan { candidates: 16, splits: 2, seed: 1 };
        let splits = plan.split(&rows);
        let whole = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
        let judges = Plan::judges(&splits, &whole).unwrap();
        let judge = Evaluator::new(whole, 1.0);
        let mut runs = 0;
        let mut learn = |points: &[[f64; 1]], on: &[Row]| -> Vec<Option<Vec<f64>>> {
            runs += points.len();
            let share = |point: f64| if on.len() == rows.len() { 1.0 - (point - 0.4).abs() } else { 0.5 };
            let mixed = |p: f64| best.iter().zip(&even).map(|(b, e)| p * b + (1.0 - p) * e).collect();
            points.iter().map(|point| Some(mixed(share(point[0])))).collect()
        };
        let mut found = search(&plan, (&splits, &judges), &mut learn, || ()).unwrap();
        let before = found.clone();
        let nearest = |found: &Found<[f64; 1]>| {
            let distances = found.ranking[..before.finalists].iter().map(|scored| (scored.candidate[0] - 0.4).abs());
            distances.fold(f64::INFINITY, f64::min)
        };
        last_round(&plan, (&splits, &judges), (&rows, &judge), &mut learn, &mut found);
        assert!((found.ranking[0].candidate[0] - 0.4).abs() < nearest(&before), "{:?}", found.ranking[0].candidate);
        assert_eq!((found.ranking.len(), found.finalists), (before.ranking.len() + 1, before.finalists + 1));
        assert!(found.ranking[0].estimates.len() == 2 && found.ranking[0].whole);
        assert_eq!(runs, plan.runs() + self::runs(&plan));
    }
}
