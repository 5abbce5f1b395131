//! [`super::run`] with many candidates on the same rows, in the lanes of `fast::many`: the same policies, bit for bit.

use super::primal_dual::{Candidate, Learnt, Path};
use crate::error::{Result, expect_some};
use crate::fast::aligned::Aligned;
use crate::fast::many::{self, Run};
use crate::number::interrupt::interrupted;
use crate::paper::discounted::algorithm::{Parameters, State};
use crate::paper::mdp::Shape;
use crate::paper::samples::{FeatureTable, Sample};

/// What each candidate learns, `points` policies kept on the way; an error where a run alone has one.
pub fn run_all(
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
        expect_some("inner", parameters.inner)?;
        let state = State::new(actions, dim, room)?;
        let outer = rows.len() / parameters.inner;
        runs.push(Run { parameters, outer, state, observer: Path::new(outer, points) });
    }
    let waited_for = rows.iter().copied().take_while(|_| !interrupted());
    let ends = many::run(&table, None, &mut runs, waited_for);
    let learnt = |(run, end): (&Run<Path>, Result<()>)| {
        end?;
        let Parameters { alpha, inner, .. } = run.parameters;
        run.observer.learnt(shape, features, (*alpha, *inner), run.state.theta_sum())
    };
    Ok(runs.iter().zip(ends).map(learnt).collect())
}
