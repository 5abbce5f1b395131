//! Appendix D: the two lemmas of online learning, on points made from the instance.

use super::Entry;
use super::case::{Case, Q};
use super::check::{Compared, at_most, at_most_enclosed, equal, equal_enclosed};
use super::interval::Interval;
use offline_primal_dual::Result as Checked;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::online_learning::gradient_descent::{
    distance_squared, one_step_right, project_with_norm, unprojected_step,
};
use offline_primal_dual::paper::online_learning::mirror_descent::{
    advantage, entropy_step_right, hoeffding_left, hoeffding_right, mirror_step, relative_entropy, telescoped_right,
    telescoped_right_printed,
};

pub const CHECKS: &[Entry] = &[
    Entry::plain("Lemma D.1", "‖y + ηĥ − y*‖² = its expansion", expansion),
    Entry::plain("Lemma D.1", "‖Πy − y*‖² ≤ ‖y − y*‖² for y* in the ball", non_expansive),
    Entry::plain("Lemma D.2", "D(π*‖π_{t+1}) = its expansion (enclosed to 2⁻⁸⁰)", entropy_step),
    Entry::plain("Lemma D.2", "log Σπe^{αq} − α⟨π,q⟩ ≤ α²‖q‖²_∞/2 (Hoeffding, enclosed)", hoeffding),
    Entry::plain("Lemma D.2", "α⟨π* − π, q⟩ ≤ D(π*‖π) − D(π*‖π') + α²‖q‖²_∞/2 (enclosed)", mirror),
    Entry::plain(
        "Lemma D.2",
        "Σ_t⟨π* − π_t, q_t⟩ ≤ D(π*‖π₁)/α + (α/2)Σ_t‖q_t‖²_∞, T = 2, q₂ = −q₁ (enclosed)",
        telescoped,
    ),
];

fn expansion(case: &mut Case) -> Checked<Compared> {
    let (y, h, eta) = (&case.theta, &case.beta, Q::ratio(3, 8));
    let star = Case::zeros(y.len());
    let moved = unprojected_step(y, &eta, h, &mut &mut case.study.scratch[..])?.to_vec();
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

/// π*, π, q at the first state. Exponentials and logarithms are involved, so the library's functions run over intervals that
/// provably contain the numbers.
fn state(case: &Case) -> (Vec<Interval>, Vec<Interval>, Vec<Interval>) {
    let actions = case.study.mdp.shape().actions;
    let share = Q::one() / Q::from_int(i64::try_from(actions).unwrap_or(i64::MAX));
    let star = case.study.optimal[..actions].iter().map(Interval::point).collect();
    let q = case.mu[..actions].iter().map(|x| Interval::point(&(x.clone() * Q::from_int(4)))).collect();
    (star, vec![Interval::point(&share); actions], q)
}

fn alpha() -> Interval {
    Interval::ratio(3, 4)
}

fn entropy_step(case: &mut Case) -> Checked<Compared> {
    let (star, policy, q) = state(case);
    let next = mirror_step(&alpha(), &policy, &q, &mut &mut [q.clone(), q.clone()].concat()[..])?.to_vec();
    Ok(equal_enclosed(&relative_entropy(&star, &next)?, &entropy_step_right(&alpha(), &star, &policy, &q)?))
}

fn hoeffding(case: &mut Case) -> Checked<Compared> {
    let (_, policy, q) = state(case);
    Ok(at_most_enclosed(&hoeffding_left(&alpha(), &policy, &q)?, &hoeffding_right(&alpha(), &q)?))
}

fn mirror(case: &mut Case) -> Checked<Compared> {
    let (star, policy, q) = state(case);
    let next = mirror_step(&alpha(), &policy, &q, &mut &mut [q.clone(), q.clone()].concat()[..])?.to_vec();
    let potential = relative_entropy(&star, &policy)? - relative_entropy(&star, &next)?;
    let bound = potential + hoeffding_right(&alpha(), &q)?;
    Ok(at_most_enclosed(&(alpha() * advantage(&star, &policy, &q)?), &bound))
}

/// The last display of Lemma D.2's proof: its left side, print's right side, without the sum over t, and the right one; for T = 2,
/// q₁ = Φθ at the first state with its range put around 0, q₂ = −q₁, and π* = π₁ uniform.
pub fn last_display(case: &Case) -> Checked<[Interval; 3]> {
    let (_, uniform, _) = state(case);
    let (dim, theta) = (case.theta.len(), &case.theta);
    let value = |phi: &[Q]| phi.iter().zip(theta).fold(Q::zero(), |sum, (x, y)| sum + x.clone() * y);
    let q: Vec<Q> = case.features_of(0).chunks(dim).map(value).collect();
    let least = q.iter().fold(&q[0], |least, x| if x < least { x } else { least });
    let most = q.iter().fold(&q[0], |most, x| if x > most { x } else { most });
    let middle = (least.clone() + most) / Q::from_int(2);
    let first: Vec<Interval> = q.iter().map(|x| Interval::point(&(x.clone() - &middle))).collect();
    let second: Vec<Interval> = q.iter().map(|x| Interval::point(&(middle.clone() - x))).collect();
    let next = mirror_step(&alpha(), &uniform, &first, &mut &mut [first.clone(), first.clone()].concat()[..])?.to_vec();
    let left = advantage(&uniform, &uniform, &first)? + advantage(&uniform, &next, &second)?;
    let printed = telescoped_right_printed(&alpha(), &uniform, &uniform, &second)?;
    let right = telescoped_right(&alpha(), &uniform, &uniform, &[first, second].concat())?;
    Ok([left, printed, right])
}

fn telescoped(case: &mut Case) -> Checked<Compared> {
    let [left, _, right] = last_display(case)?;
    Ok(at_most_enclosed(&left, &right))
}
