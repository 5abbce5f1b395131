//! Rates by a seeded search: candidates from stated ranges, run on one part of the rows, scored on the other.

use super::batch::Batch;
use super::lstdq::{Estimate, Evaluator};
use crate::error::{Result, expect_some};
use crate::paper::samples::Sample;
use crate::sampler::Uniforms;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How many candidates.
    pub candidates: usize,
    /// How many splits the best ones are run on.
    pub splits: usize,
    /// Seeds candidates and splits.
    pub seed: u64,
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
}

/// A candidate with what its policies were estimated to be worth, one estimate per split.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored<C> {
    /// The candidate.
    pub candidate: C,
    /// None where the run diverged or the estimate does not exist.
    pub estimates: Vec<Option<Estimate>>,
}

impl<C> Scored<C> {
    /// The mean over the splits of the estimate less its standard error; −∞ where there is none, or where the weights do not make a mean:
    /// a policy that leaves the rows for features that they do not tell apart.
    #[must_use]
    pub fn score(&self) -> f64 {
        let trusted = |estimate: &&Estimate| (0.0..=MOST_MASS).contains(&estimate.mass);
        let score = |estimate: &Option<Estimate>| {
            estimate.as_ref().filter(trusted).map_or(f64::NEG_INFINITY, |estimate| estimate.value - estimate.error)
        };
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

/// Ranks points of the unit cube, which `learn` takes for a method's parameters. In a first round they are run on the first split: half of them
/// drawn uniformly, the others one by one from the neighbourhood of the best so far. The best eighth, at least four, is then run on every split.
/// `learn` answers with a policy for each of some points on the same rows, `None` where a point does not give one; `done` hears of each run.
pub fn search<const N: usize>(
    plan: &Plan,
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    mut learn: impl FnMut(&[[f64; N]], &Split) -> Vec<Option<Vec<f64>>>,
    mut done: impl FnMut(),
) -> Result<Found<[f64; N]>> {
    expect_some("candidates", plan.candidates)?;
    expect_some("splits", splits.len().min(judges.len()))?;
    let mut judged = |points: &[[f64; N]], split: usize| -> Vec<Option<Estimate>> {
        let policies = learn(points, &splits[split]);
        let estimate = |policy: Option<Vec<f64>>| {
            done();
            judges[split].estimate(&policy?).ok()
        };
        policies.into_iter().map(estimate).collect()
    };
    // Another stream than the splits'.
    let mut uniforms = Uniforms::new(!plan.seed);
    let mut drawn = || std::array::from_fn(|_| uniforms.unit());
    let first: Vec<[f64; N]> = (0..plan.candidates.div_ceil(2)).map(|_| drawn()).collect();
    let estimates = judged(&first, 0).into_iter().map(|estimate| vec![estimate]);
    let scored = first.into_iter().zip(estimates).map(|(candidate, estimates)| Scored { candidate, estimates });
    let mut ranking: Vec<Scored<[f64; N]>> = scored.collect();
    sort(&mut ranking);
    for _ in ranking.len()..plan.candidates {
        let (u, center): ([f64; N], [f64; N]) = (drawn(), ranking[0].candidate);
        let near = |i: usize| (center[i] + NEIGHBOURHOOD * (2.0 * u[i] - 1.0)).clamp(0.0, 1.0);
        let candidate = std::array::from_fn(near);
        let estimates = judged(&[candidate], 0);
        ranking.push(Scored { candidate, estimates });
        sort(&mut ranking);
    }
    let finalists = plan.finalists();
    let points: Vec<[f64; N]> = ranking[..finalists].iter().map(|scored| scored.candidate).collect();
    for split in 1..splits.len().min(judges.len()) {
        for (scored, estimate) in ranking.iter_mut().zip(judged(&points, split)) {
            scored.estimates.push(estimate);
        }
    }
    sort(&mut ranking[..finalists]);
    Ok(Found { ranking, finalists })
}

/// How far a neighbour is in each coordinate of the unit cube, at most.
const NEIGHBOURHOOD: f64 = 0.15;

fn sort<C>(ranking: &mut [Scored<C>]) {
    ranking.sort_by(|a, b| b.score().total_cmp(&a.score()));
}

impl Plan {
    /// The best eighth, at least four.
    #[must_use]
    pub fn finalists(&self) -> usize {
        self.candidates.div_ceil(8).max(4).min(self.candidates)
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
