//! [`super::run`] with many candidates on the same rows, in the lanes of `fast::many`: the same policies, bit for bit.

use super::primal_dual::Candidate;
use crate::error::{Result, expect_some};
use crate::fast::aligned::Aligned;
use crate::fast::many::{self, Run};
use crate::linear::softmax::policy_table;
use crate::number::interrupt::interrupted;
use crate::paper::discounted::algorithm::{Parameters, State};
use crate::paper::mdp::Shape;
use crate::paper::samples::{FeatureTable, Sample};

/// The last policies, one per candidate; an error where a run alone has one.
pub fn run_all(
    shape: Shape,
    features: &Aligned,
    discount: f64,
    rows: &[Sample<f64>],
    candidates: &[Candidate],
) -> Result<Vec<Result<Vec<f64>>>> {
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
        runs.push(Run { parameters, outer: rows.len() / parameters.inner, state, observer: () });
    }
    let waited_for = rows.iter().copied().take_while(|_| !interrupted());
    let ends = many::run(&table, None, &mut runs, waited_for);
    let policy = |(run, end): (&Run<()>, Result<()>)| {
        let mut policy = vec![0.0; shape.pairs()];
        end?;
        policy_table(actions, &run.parameters.alpha, features, run.state.theta_sum(), &mut policy).map(|()| policy)
    };
    Ok(runs.iter().zip(ends).map(policy).collect())
}
