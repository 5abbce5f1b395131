//! [`super::run`] with many candidates on the same rows, in the lanes of `fast::many`: the same policies, bit for bit.

use super::primal_dual::{Candidate, Learnt, Path, run, waited_for};
use crate::error::Result;
use crate::fast::aligned::Aligned;
use crate::fast::many::{self, Run};
use crate::fast::several::each;
use crate::linear::vector::LANES;
use crate::paper::discounted::algorithm::{Parameters, State};
use crate::paper::mdp::Shape;
use crate::paper::samples::{FeatureTable, Sample};
use std::convert::Infallible;

/// Fewer candidates than these are run one after the other: a lane that is not used costs what a used one does (`docs/performance.md`).
const FEW: usize = 5;

/// What each candidate learns, `points` policies kept on the way; an error where a run alone has one. On so many threads.
#[must_use]
pub fn run_all(
    threads: usize,
    shape: Shape,
    features: &Aligned,
    discount: f64,
    rows: &[Sample<f64>],
    candidates: &[Candidate],
    points: usize,
) -> Vec<Result<Learnt>> {
    // Runs of the same K change their policies together.
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|index| candidates[*index].inner);
    let size = if order.len() < FEW * threads.max(1) { 1 } else { LANES };
    let Ok(groups) = each(threads, order.chunks(size), |group| {
        let members: Vec<Candidate> = group.iter().map(|index| candidates[*index]).collect();
        Ok::<_, Infallible>(if members.len() < FEW {
            members.iter().map(|rates| run(shape, features, discount, rows, rates, points)).collect()
        } else {
            run_group(shape, features, discount, rows, &members, points)
                .unwrap_or_else(|error| vec![Err(error); members.len()])
        })
    });
    let mut learnt: Vec<_> = order.into_iter().zip(groups.into_iter().flatten()).collect();
    learnt.sort_unstable_by_key(|(index, _)| *index);
    learnt.into_iter().map(|(_, learnt)| learnt).collect()
}

fn run_group(
    shape: Shape,
    features: &Aligned,
    discount: f64,
    rows: &[Sample<f64>],
    candidates: &[Candidate],
    points: usize,
) -> Result<Vec<Result<Learnt>>> {
    let Shape { actions, dim, .. } = shape;
    let table = FeatureTable::new(actions, dim, features)?;
    let parameters: Vec<Parameters<f64>> = candidates
        .iter()
        .map(|&Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta }| Parameters {
            discount,
            alpha,
            eta,
            zeta,
            radius_theta,
            radius_beta,
            inner,
        })
        .collect();
    let mut rooms: Vec<Vec<f64>> =
        candidates.iter().map(|_| vec![0.0; State::<f64>::buffer_len(actions, dim)]).collect();
    let mut runs = Vec::new();
    for (parameters, room) in parameters.iter().zip(&mut rooms) {
        let state = State::new(actions, dim, room)?;
        // K = 0 is refused where a run of one iteration is to begin.
        let outer = rows.len().checked_div(parameters.inner).unwrap_or(1);
        runs.push(Run { parameters, outer, state, observer: Path::new(outer, points) });
    }
    let ends = many::run(&table, None, &mut runs, waited_for(rows));
    let learnt = |(run, end): (&Run<Path>, Result<()>)| {
        end?;
        let Parameters { alpha, inner, .. } = run.parameters;
        run.observer.learnt(shape, features, (*alpha, *inner), run.state.theta_sum())
    };
    Ok(runs.iter().zip(ends).map(learnt).collect())
}
