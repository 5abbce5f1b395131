//! Appendix D: the two lemmas of online learning, on points made from the instance.

use super::Entry;
use super::case::{Case, Q};
use super::check::{Compared, at_most, at_most_float, equal};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::online_learning::gradient_descent::{
    distance_squared, one_step_right, project_with_norm, unprojected_step,
};
use offline_primal_dual::online_learning::mirror_descent::{
    advantage, entropy_step_right, hoeffding_left, hoeffding_right, mirror_step, relative_entropy,
};
use offline_primal_dual::scalar::Field;

pub const CHECKS: &[Entry] = &[
    Entry::plain("Lemma D.1", "‖y + ηĥ − y*‖² = its expansion", expansion),
    Entry::plain("Lemma D.1", "‖Πy − y*‖² ≤ ‖y − y*‖² for y* in the ball", non_expansive),
    Entry::plain("Lemma D.2", "|D(π*‖π_{t+1}) − its expansion| ≤ rounding (f64)", entropy_step),
    Entry::plain("Lemma D.2", "log Σπe^{αq} − α⟨π,q⟩ ≤ α²‖q‖²_∞/2 (Hoeffding)", hoeffding),
    Entry::plain("Lemma D.2", "α⟨π* − π, q⟩ ≤ D(π*‖π) − D(π*‖π') + α²‖q‖²_∞/2", mirror),
];

fn expansion(case: &mut Case) -> Checked<Compared> {
    let (y, h, eta) = (&case.theta, &case.beta, Q::ratio(3, 8));
    let star = Case::zeros(y.len());
    let mut moved = Case::zeros(y.len());
    unprojected_step(y, &eta, h, &mut moved)?;
    Ok(equal(distance_squared(&moved, &star)?, one_step_right(y, &eta, h, &star)?))
}

/// y = (3, 4, 0, …)/2 has the norm 5/2 that rationals can name; the ball has radius 1.
fn non_expansive(case: &mut Case) -> Checked<Compared> {
    let dim = case.theta.len();
    let mut y = Case::zeros(dim);
    let norm = if dim > 1 {
        (y[0], y[1]) = (Q::ratio(3, 2), Q::from_int(2));
        Q::ratio(5, 2)
    } else {
        y[0] = Q::ratio(5, 2);
        Q::ratio(5, 2)
    };
    let mut star = Case::zeros(dim);
    star[dim - 1] = Q::ratio(-1, 2);
    let before = distance_squared(&y, &star)?;
    project_with_norm(&mut y, &norm, &Q::one())?;
    Ok(at_most(distance_squared(&y, &star)?, before))
}

/// π*, π, q at the first state, in `f64`: logarithms are involved.
fn state(case: &Case) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let actions = case.study.mdp.shape().actions;
    #[allow(clippy::cast_precision_loss)] // action counts are small
    let uniform = vec![1.0 / actions as f64; actions];
    let star = case.study.optimal[..actions].iter().map(Q::to_f64).collect();
    (star, uniform, case.mu[..actions].iter().map(|x| 4.0 * x.to_f64()).collect())
}

const ALPHA: f64 = 0.75;

/// A dozen operations on numbers of size about 10: far less than 2⁻⁴⁰ of rounding.
const ROUNDING: f64 = 1e-12;

fn entropy_step(case: &mut Case) -> Checked<Compared> {
    let (star, policy, q) = state(case);
    let mut next = vec![0.0; q.len()];
    mirror_step(&ALPHA, &policy, &q, &mut next)?;
    let (left, right) = (relative_entropy(&star, &next)?, entropy_step_right(&ALPHA, &star, &policy, &q)?);
    Ok(at_most_float((left - right).abs(), ROUNDING))
}

fn hoeffding(case: &mut Case) -> Checked<Compared> {
    let (_, policy, q) = state(case);
    Ok(at_most_float(hoeffding_left(&ALPHA, &policy, &q)?, hoeffding_right(&ALPHA, &q)? + ROUNDING))
}

fn mirror(case: &mut Case) -> Checked<Compared> {
    let (star, policy, q) = state(case);
    let mut next = vec![0.0; q.len()];
    mirror_step(&ALPHA, &policy, &q, &mut next)?;
    let potential = relative_entropy(&star, &policy)? - relative_entropy(&star, &next)?;
    let bound = potential + hoeffding_right(&ALPHA, &q)?;
    Ok(at_most_float(ALPHA * advantage(&star, &policy, &q)?, bound + ROUNDING))
}
