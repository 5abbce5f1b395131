//! Rates by a seeded search: candidates from stated ranges, run on one part of the rows, scored on the other.

use super::batch::Batch;
use super::lstdq::{Estimate, Evaluator};
use super::primal_dual::Learnt;
use crate::error::{Result, expect_some};
use crate::fast::several::each;
use crate::paper::samples::Sample;
use crate::sampler::Uniforms;
use std::convert::Infallible;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How many candidates.
    pub candidates: usize,
    /// How many splits the best ones are run on.
    pub splits: usize,
    /// Seeds candidates and splits.
    pub seed: u64,
    /// On how many threads; what is found does not depend on it.
    pub threads: usize,
}

/// Rows to learn from and rows to judge by.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// Four fifths, in their order.
    pub learn: Vec<Sample<f64>>,
    /// The rest.
    pub judge: Vec<Sample<f64>>,
}

impl Split {
    /// Each row is held out with probability 1/5, from the seed.
    #[must_use]
    pub fn new(rows: &[Sample<f64>], seed: u64) -> Self {
        let mut uniforms = Uniforms::new(seed);
        let (judge, learn) = rows.iter().partition(|_| uniforms.unit() < 0.2);
        Self { learn, judge }
    }

    /// The rows to learn from when a run on all of so many rows stops after some of them: the same share.
    #[must_use]
    pub fn until(&self, stop: Option<usize>, rows: usize) -> &[Sample<f64>] {
        &self.learn[..stop.map_or(self.learn.len(), |stop| self.learn.len() * stop / rows)]
    }
}

/// What an estimate counts for: the value less its standard error; −∞ where the weights do not make a mean: a policy that leaves the rows for
/// features that they do not tell apart.
#[must_use]
pub fn credit(estimate: &Estimate) -> f64 {
    if (0.0..=MOST_MASS).contains(&estimate.mass) { estimate.value - estimate.error } else { f64::NEG_INFINITY }
}

/// A candidate with what its policies were estimated to be worth, one estimate per split.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored<C> {
    /// The candidate.
    pub candidate: C,
    /// What it has learnt from the first split; empty where the run diverged.
    pub policy: Vec<f64>,
    /// Whether from all of it: else the run ended after the first quarter, which was not among the best.
    pub whole: bool,
    /// None where the run diverged or the estimate does not exist.
    pub estimates: Vec<Option<Estimate>>,
    /// After how many of all rows a run on them is to stop; `None` for as many as there are.
    pub stop: Option<usize>,
}

impl<C> Scored<C> {
    /// The mean over the splits of what the estimates count for; −∞ where there is none.
    #[must_use]
    pub fn score(&self) -> f64 {
        let score = |estimate: &Option<Estimate>| estimate.as_ref().map_or(f64::NEG_INFINITY, credit);
        self.estimates.iter().map(score).sum::<f64>() / self.estimates.len() as f64
    }
}

/// The largest mean weight of an estimate that is trusted.
const MOST_MASS: f64 = 1.1;

/// What a search has found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<C> {
    /// Every candidate, best first: those of the second round before the others.
    pub ranking: Vec<Scored<C>>,
    /// How many of them were run on every split.
    pub finalists: usize,
}

/// Ranks points of the unit cube, which `learn` takes for a method's parameters. Half of them are drawn uniformly and run on the first quarter of
/// the first split; the best quarter of those goes on to all of it. The other half are drawn one by one from the neighbourhood of one of the best so
/// far, which shrinks. The best eighth of all, at least four, is then run on every split.
/// `learn` answers with what each of some points learns from the same rows, `None` where it does not give a policy, and with so many policies on the
/// way.
pub fn search<const N: usize>(
    plan: &Plan,
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    mut learn: impl FnMut(&[[f64; N]], &[Sample<f64>], usize) -> Vec<Option<Learnt>>,
) -> Result<Found<[f64; N]>> {
    expect_some("candidates", plan.candidates)?;
    expect_some("splits", splits.len().min(judges.len()))?;
    let rows = &splits[0].learn;
    let mut judged = |points: &[[f64; N]], rows: &[Sample<f64>], split: usize, whole: bool| {
        let learnt = points.iter().zip(learn(points, rows, 0));
        let Ok(scored) = each(plan.threads, learnt, |(candidate, learnt)| {
            let policy = learnt.map(|learnt| learnt.policy);
            let estimates = vec![policy.as_ref().and_then(|policy| judges[split].estimate(policy).ok())];
            let policy = policy.unwrap_or_default();
            Ok::<_, Infallible>(Scored { candidate: *candidate, policy, whole, estimates, stop: None })
        });
        scored
    };
    // Another stream than the splits'.
    let mut uniforms = Uniforms::new(!plan.seed);
    let drawn: Vec<[f64; N]> = (0..plan.early()).map(|_| std::array::from_fn(|_| uniforms.unit())).collect();
    let mut early = judged(&drawn, &rows[..rows.len().div_ceil(4)], 0, false);
    sort(&mut early);
    let promoted: Vec<[f64; N]> = early.drain(..plan.promoted()).map(|scored| scored.candidate).collect();
    let mut ranking = judged(&promoted, rows, 0, true);
    sort(&mut ranking);
    let neighbours = Neighbour::draw(plan.candidates - plan.early(), NEIGHBOURHOOD, &mut uniforms);
    one_by_one(plan.threads, &neighbours, &mut ranking, |points| judged(points, rows, 0, true));
    let finalists = plan.finalists();
    let points: Vec<[f64; N]> = ranking[..finalists].iter().map(|scored| scored.candidate).collect();
    for (split, held) in splits.iter().enumerate().take(judges.len()).skip(1) {
        for (scored, other) in ranking.iter_mut().zip(judged(&points, &held.learn, split, true)) {
            scored.estimates.extend(other.estimates);
        }
    }
    sort(&mut ranking[..finalists]);
    ranking.extend(early);
    Ok(Found { ranking, finalists })
}

/// How far a neighbour is in each coordinate of the unit cube, at most, at first and at last.
const NEIGHBOURHOOD: (f64, f64) = (0.25, 0.025);

/// Around how many of the best so far neighbours are drawn: one may owe its place to luck.
const CENTERS: f64 = 4.0;

/// A candidate to come: near which of the best so far, and where from there.
pub(super) struct Neighbour<const N: usize> {
    /// The better the place the likelier.
    pub(super) place: usize,
    offset: [f64; N],
}

impl<const N: usize> Neighbour<N> {
    /// So many, whose reach shrinks from the first number to the second.
    pub(super) fn draw(count: usize, (first, last): (f64, f64), uniforms: &mut Uniforms) -> Vec<Self> {
        let drawn = (0..count).map(|index| {
            let reach = first * libm::pow(last / first, index as f64 / count as f64);
            let u = uniforms.unit();
            let offset = std::array::from_fn(|_| reach * (2.0 * uniforms.unit() - 1.0));
            Self { place: (CENTERS * u * u) as usize, offset }
        });
        drawn.collect()
    }

    /// The point, in the unit cube.
    pub(super) fn of<C: Ranked<N>>(&self, ranking: &[C]) -> [f64; N] {
        let center = ranking[self.place.min(ranking.len() - 1)].candidate();
        std::array::from_fn(|i| (center[i] + self.offset[i]).clamp(0.0, 1.0))
    }
}

/// What has a place in a ranking.
pub(super) trait Ranked<const N: usize> {
    fn candidate(&self) -> [f64; N];

    /// The more the better.
    fn score(&self) -> f64;
}

impl<const N: usize> Ranked<N> for Scored<[f64; N]> {
    fn candidate(&self) -> [f64; N] {
        self.candidate
    }

    fn score(&self) -> f64 {
        self.score()
    }
}

/// Best first; stable: of equals the first.
pub(super) fn sort<const N: usize, C: Ranked<N>>(ranking: &mut [C]) {
    ranking.sort_by(|a, b| b.score().total_cmp(&a.score()));
}

/// Tries the neighbours one by one, each near one of the best so far. On several threads as many are tried at once, as if none of them were to change
/// who the others are near; those who are near another after all are tried again from there.
pub(super) fn one_by_one<const N: usize, C: Ranked<N>>(
    threads: usize,
    mut neighbours: &[Neighbour<N>],
    ranking: &mut Vec<C>,
    mut tried: impl FnMut(&[[f64; N]]) -> Vec<C>,
) {
    while !neighbours.is_empty() {
        let ahead = threads.clamp(1, neighbours.len());
        let points: Vec<[f64; N]> = neighbours[..ahead].iter().map(|next| next.of(ranking)).collect();
        for (point, tried) in points.iter().zip(tried(&points)) {
            if neighbours[0].of(ranking) != *point {
                break;
            }
            ranking.push(tried);
            sort(ranking);
            neighbours = &neighbours[1..];
        }
    }
}

impl Plan {
    /// How many are drawn uniformly and run on a quarter of the rows: half.
    #[must_use]
    pub fn early(&self) -> usize {
        self.candidates.div_ceil(2)
    }

    /// How many of those go on: the best quarter.
    #[must_use]
    pub fn promoted(&self) -> usize {
        self.early().div_ceil(4)
    }

    /// What a search takes, in runs on all rows of a split.
    #[must_use]
    pub fn whole_runs(&self) -> f64 {
        let (early, others) = (self.early() as f64, self.candidates as f64 - self.early() as f64);
        early / 4.0 + self.promoted() as f64 + others + (self.finalists() * (self.splits.max(1) - 1)) as f64
    }

    /// How many runs a search takes.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.candidates + self.promoted() + self.finalists() * (self.splits.max(1) - 1)
    }

    /// The best eighth, at least four.
    #[must_use]
    pub fn finalists(&self) -> usize {
        let whole = self.candidates - self.early() + self.promoted();
        self.candidates.div_ceil(8).max(4).min(whole)
    }

    /// The splits of the rows.
    #[must_use]
    pub fn split(&self, rows: &[Sample<f64>]) -> Vec<Split> {
        (0..self.splits as u64).map(|index| Split::new(rows, self.seed.wrapping_add(index))).collect()
    }

    /// The judges of the splits: LSTDQ with a ridge of one row.
    pub fn judges<'a>(splits: &[Split], whole: &Batch<'a>) -> Result<Vec<Evaluator<'a>>> {
        let judge = |split: &Split| Batch::new(whole.shape, whole.features, whole.discount, &split.judge);
        splits.iter().map(|split| judge(split).map(|batch| Evaluator::new(batch, 1.0))).collect()
    }
}
