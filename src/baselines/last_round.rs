//! The last round of a search: on all rows, since it is from them that the run learns whose policy is wanted.

use super::lstdq::Evaluator;
use super::primal_dual::Learnt;
use super::search::{Found, Neighbour, Plan, Ranked, Scored, Split, credit, one_by_one, sort};
use crate::fast::several::each;
use crate::paper::samples::Sample;
use crate::sampler::Uniforms;
use std::convert::Infallible;

/// How far a neighbour is in each coordinate of the unit cube, at most, at first and at last.
const REACH: (f64, f64) = (0.1, 0.01);

/// At how many places a run on all rows may be stopped, its end among them.
pub const STOPS: usize = 16;

impl Plan {
    /// How many candidates the last round draws: a quarter of the search's.
    fn drawn(&self) -> usize {
        self.candidates.div_ceil(4)
    }

    /// How many runs the last round takes: of the finalists, of the candidates drawn, and of the one found on every split.
    #[must_use]
    pub fn last_runs(&self) -> usize {
        self.finalists() + self.drawn() + self.splits
    }
}

/// What some points learn from the same rows, with so many policies on the way; see [`super::search`].
type Learn<'l, const N: usize> = dyn FnMut(&[[f64; N]], &[Sample<f64>], usize) -> Vec<Option<Learnt>> + 'l;

/// The finalists are run on all rows, then candidates that are drawn one by one from the neighbourhood of one of the best so far, which shrinks. The
/// policies on the way count too: a run may be stopped there. The one whose policy counts most by LSTDQ on all rows becomes the first: at large rates
/// a run can swing away from what the splits saw, and this policy is what comes out. It is then run on every split, stopped after the same share of the
/// rows, for its estimates.
pub fn last_round<const N: usize>(
    plan: &Plan,
    held: (&[Split], &[Evaluator<'_>]),
    (rows, judge): (&[Sample<f64>], &Evaluator<'_>),
    mut learn: impl FnMut(&[[f64; N]], &[Sample<f64>], usize) -> Vec<Option<Learnt>>,
    found: &mut Found<[f64; N]>,
) {
    let finalists: Vec<[f64; N]> = found.ranking[..found.finalists].iter().map(|scored| scored.candidate).collect();
    let mut tried = |points: &[[f64; N]]| at_best_stops(plan.threads, points, (rows, judge), &mut learn);
    let mut all = tried(&finalists);
    sort(&mut all);
    // A stream of its own, beside those of the candidates and of the splits.
    let neighbours = Neighbour::draw(plan.drawn(), REACH, &mut Uniforms::new(!plan.seed ^ (1 << 60)));
    one_by_one(plan.threads, &neighbours, &mut all, tried);
    for Stopped { candidate, stop, .. } in all {
        let place = finalists.iter().position(|finalist| *finalist == candidate);
        if let (Some(place), None) = (place, stop) {
            return found.ranking[..=place].rotate_right(1);
        }
        let scored = on_every_split(candidate, stop, held, rows.len(), &mut learn);
        // What diverges on a part of the rows is no candidate.
        if scored.estimates.iter().all(Option::is_some) {
            found.ranking.insert(0, scored);
            found.finalists += 1;
            return;
        }
    }
}

/// A candidate on all rows, at its best stop; `None` is the end.
struct Stopped<const N: usize> {
    candidate: [f64; N],
    stop: Option<usize>,
    credit: f64,
}

impl<const N: usize> Ranked<N> for Stopped<N> {
    fn candidate(&self) -> [f64; N] {
        self.candidate
    }

    fn score(&self) -> f64 {
        self.credit
    }
}

fn at_best_stops<const N: usize>(
    threads: usize,
    points: &[[f64; N]],
    (rows, judge): (&[Sample<f64>], &Evaluator<'_>),
    learn: &mut Learn<'_, N>,
) -> Vec<Stopped<N>> {
    let worth = |policy: &[f64]| judge.estimate(policy).map_or(f64::NEG_INFINITY, |estimate| credit(&estimate));
    let learnt = points.iter().zip(learn(points, rows, STOPS));
    let Ok(stopped) = each(threads, learnt, |(&candidate, learnt)| {
        let mut best = Stopped { candidate, stop: None, credit: f64::NEG_INFINITY };
        let Some(Learnt { policy, path }) = learnt else { return Ok::<_, Infallible>(best) };
        best.credit = worth(&policy);
        for (used, policy) in &path {
            let credit = worth(policy);
            if credit > best.credit {
                (best.stop, best.credit) = (Some(*used), credit);
            }
        }
        Ok(best)
    });
    stopped
}

fn on_every_split<const N: usize>(
    candidate: [f64; N],
    stop: Option<usize>,
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    rows: usize,
    learn: &mut Learn<'_, N>,
) -> Scored<[f64; N]> {
    let mut scored = Scored { candidate, policy: Vec::new(), whole: true, estimates: Vec::new(), stop };
    for (index, (split, judge)) in splits.iter().zip(judges).enumerate() {
        let learnt = learn(&[candidate], split.until(stop, rows), 0).pop().flatten();
        scored.estimates.push(learnt.as_ref().and_then(|learnt| judge.estimate(&learnt.policy).ok()));
        if index == 0 {
            scored.policy = learnt.map_or_else(Vec::new, |learnt| learnt.policy);
        }
    }
    scored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::{Batch, search};
    use crate::instances;
    use crate::paper::mdp::Mdp;
    use crate::sampler::Sampler;

    /// All rows prefer points near 0.4 and runs that stop after 1000 of them, what the splits see is the same everywhere: the last round goes there and
    /// stops there, and its candidate has an estimate per split, of a run on a third of it.
    #[test]
    fn the_last_round_prefers_what_comes_out_of_all_rows() {
        let model = instances::by_name("chain").unwrap().to_owned::<f64>().unwrap();
        let scratch = &mut &mut vec![0.0; model.shape.scratch()][..];
        let linear = model.linear_mdp().unwrap();
        let mdp: Mdp<'_, f64> = linear.tabulate(scratch).unwrap();
        let rows: Vec<Sample<f64>> = Sampler::discounted(&mdp, &model.behavior, 3).unwrap().take(3000).collect();
        let best = crate::paper::mdp::optimal_policy(&mdp, scratch).unwrap().0.to_vec();
        let even = vec![1.0 / model.shape.actions as f64; model.shape.pairs()];
        let plan = Plan { candidates: 64, splits: 2, seed: 1, threads: 1 };
        let splits = plan.split(&rows);
        let whole = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
        let judges = Plan::judges(&splits, &whole).unwrap();
        let judge = Evaluator::new(whole, 1.0);
        let (mut runs, mut thirds, mut tried) = (0, 0, Vec::new());
        let mixed = |p: f64| -> Vec<f64> { best.iter().zip(&even).map(|(b, e)| p * b + (1.0 - p) * e).collect() };
        let mut learn = |points: &[[f64; 1]], on: &[Sample<f64>], stops: usize| -> Vec<Option<Learnt>> {
            runs += points.len();
            tried.extend(points.iter().filter(|_| stops > 0).map(|point| point[0]));
            thirds += usize::from(splits.iter().any(|split| on.len() == split.learn.len() / 3));
            let learnt = |point: &[f64; 1]| {
                let share = if on.len() == rows.len() { 0.9 - (point[0] - 0.4).abs() } else { 0.5 };
                let path = if stops > 0 { vec![(1000, mixed(share + 0.1)), (2000, mixed(share))] } else { Vec::new() };
                Some(Learnt { policy: mixed(share), path })
            };
            points.iter().map(learnt).collect()
        };
        let mut found = search(&plan, (&splits, &judges), &mut learn).unwrap();
        let before = found.clone();
        let nearest = |found: &Found<[f64; 1]>| {
            let distances = found.ranking[..before.finalists].iter().map(|scored| (scored.candidate[0] - 0.4).abs());
            distances.fold(f64::INFINITY, f64::min)
        };
        last_round(&plan, (&splits, &judges), (&rows, &judge), &mut learn, &mut found);
        assert!((found.ranking[0].candidate[0] - 0.4).abs() < nearest(&before), "{:?}", found.ranking[0].candidate);
        assert_eq!((found.ranking.len(), found.finalists), (before.ranking.len() + 1, before.finalists + 1));
        assert!(found.ranking[0].estimates.len() == 2 && found.ranking[0].whole);
        assert_eq!((found.ranking[0].stop, thirds), (Some(1000), 2));
        assert_eq!(runs, plan.runs() + plan.last_runs());
        // Every candidate that was drawn is near one before it, within a reach that shrinks from 0.1 to 0.01, and not always much nearer.
        let drawn = tried.len() - before.finalists;
        let share = |index: usize| {
            let at = before.finalists + index;
            let nearest = tried[..at].iter().map(|point: &f64| (point - tried[at]).abs()).fold(1.0, f64::min);
            nearest / (0.1 * libm::pow(0.1, index as f64 / drawn as f64))
        };
        let shares: Vec<f64> = (0..drawn).map(share).collect();
        assert!(drawn == 16 && shares.iter().all(|share| *share <= 1.0 + 1e-9), "{shares:?}");
        assert!(shares[8..].iter().any(|share| *share > 0.1), "{shares:?}");
    }
}
