//! Appendix D: the two lemmas of online learning, on points made from the instance.

use super::case::{Case, count, fresh};
use super::check::plain;
use super::compared::{Compared, at_most, at_most_enclosed, equal, equal_enclosed};
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::norm_squared;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::paper::online_learning::gradient_descent::{
    distance_squared, gradient_descent_bound, one_step_right, path_regret, project_with_norm,
    telescoped_right as path_right, unprojected_step,
};
use crate::paper::online_learning::mirror_descent::{
    advantage, entropy_step_right, hoeffding_left, hoeffding_right, mirror_step, relative_entropy, telescoped_right,
};
use std::vec;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("D", "Lemma D.1", "online stochastic gradient descent")
        .label("lem:aux-sgd")
        .coq(&["lemma_D_1", "lemma_D_1_one_step", "projection_nonexpansive", "projection_ball", "projection_interval"])
        .errata(&[19])
        .kani(&["unit_interval_is_non_expansive", "fixed_ball_projection_is_non_expansive"])
        .functions(&[
            "paper::online_learning::gradient_descent::unprojected_step",
            "paper::online_learning::gradient_descent::project_with_norm",
            "paper::online_learning::gradient_descent::one_step_right",
            "paper::online_learning::gradient_descent::path_regret",
            "paper::online_learning::gradient_descent::telescoped_right",
            "paper::online_learning::gradient_descent::gradient_descent_bound",
        ]),
    Statement::new("D", "Lemma D.2", "mirror descent")
        .label("lem:aux-mirror")
        .coq(&["lemma_D_2", "kl_identity", "hoeffding_lemma", "softmax_policy"])
        .errata(&[12, 19])
        .functions(&[
            "paper::online_learning::mirror_descent::mirror_step",
            "paper::online_learning::mirror_descent::log_mean_exponential",
            "paper::online_learning::mirror_descent::entropy_step_right",
            "paper::online_learning::mirror_descent::hoeffding_left",
            "paper::online_learning::mirror_descent::hoeffding_right",
            "paper::online_learning::mirror_descent::telescoped_right",
            "paper::online_learning::mirror_descent::mirror_regret",
            "paper::online_learning::mirror_descent::mirror_descent_bound",
        ]),
];

pub const CHECKS: &[Check] = &[
    plain!(expansion, "Lemma D.1", "‖y + ηĥ − y*‖² = its expansion"),
    plain!(non_expansive, "Lemma D.1", "‖Πy − y*‖² ≤ ‖y − y*‖² for y* in the ball"),
    plain!(
        path_telescopes,
        "Lemma D.1",
        "Σ_k ⟨y* − y_k, ĥ_k⟩ = its telescoped sum, n = 2, on a path without projection"
    ),
    plain!(path_bounded, "Lemma D.1", "Σ_k ⟨y* − y_k, ĥ_k⟩ ≤ ‖y₁ − y*‖²/2η + ηnG²/2, G² = max ‖ĥ_k‖², on that path"),
    plain!(entropy_step, "Lemma D.2", "D(π*‖π_{t+1}) = its expansion (enclosed to 2⁻⁸⁰)"),
    plain!(hoeffding, "Lemma D.2", "log Σπe^{αq} − α⟨π,q⟩ ≤ α²‖q‖²_∞/2 (Hoeffding, enclosed)"),
    plain!(mirror, "Lemma D.2", "α⟨π* − π, q⟩ ≤ D(π*‖π) − D(π*‖π') + α²‖q‖²_∞/2 (enclosed)"),
    plain!(
        mirror_telescopes,
        "Lemma D.2",
        "Σ_t⟨π* − π_t, q_t⟩ ≤ D(π*‖π₁)/α + (α/2)Σ_t‖q_t‖²_∞, T = 2, q₂ = −q₁ (enclosed)"
    ),
];

fn eta() -> Q {
    Q::ratio(3, 8)
}

fn expansion(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (y, h, star) = (&case.theta, &case.beta, vec![Q::zero(); case.theta.len()]);
    let moved = fresh(case, |s| unprojected_step(y, &eta(), h, s))?;
    Ok(equal(distance_squared(&moved, &star)?, one_step_right(y, &eta(), h, &star)?))
}

/// y = (3, 4, 0, …)/2 has the norm 5/2 that rationals can name; the ball has radius 1.
fn non_expansive(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (dim, norm) = (case.theta.len(), Q::ratio(5, 2));
    let mut y = vec![Q::zero(); dim];
    if dim > 1 {
        (y[0], y[1]) = (Q::ratio(3, 2), Q::from_int(2));
    } else {
        y[0] = norm.clone();
    }
    let mut star = vec![Q::zero(); dim];
    star[dim - 1] = Q::ratio(-1, 2);
    let before = distance_squared(&y, &star)?;
    project_with_norm(&mut y, &norm, &Q::one())?;
    Ok(at_most(distance_squared(&y, &star)?, before))
}

/// y₁ = θ, ĥ₁ = β, ĥ₂ = θ: the iterates y₁, y₂, y₃, and the ĥ; y* = −β.
fn path(case: &Case) -> Result<(Vec<Q>, Vec<Q>, Vec<Q>)> {
    let first = &case.theta;
    let second = fresh(case, |s| unprojected_step(first, &eta(), &case.beta, s))?;
    let third = fresh(case, |s| unprojected_step(&second, &eta(), &case.theta, s))?;
    let star = case.beta.iter().map(|x| -x.clone()).collect();
    Ok(([first.clone(), second, third].concat(), [&case.beta[..], &case.theta[..]].concat(), star))
}

fn path_telescopes(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (iterates, gradients, star) = path(case)?;
    let right = path_right(&iterates, &gradients, &eta(), &star)?;
    Ok(equal(path_regret(&iterates, &gradients, &star)?, right))
}

fn path_bounded(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (iterates, gradients, star) = path(case)?;
    let (first, second) = (norm_squared(&case.beta)?, norm_squared(&case.theta)?);
    let largest = if first > second { first } else { second };
    let distance = distance_squared(&case.theta, &star)?;
    let bound = gradient_descent_bound(&distance, &eta(), 2, &largest)?;
    Ok(at_most(path_regret(&iterates, &gradients, &star)?, bound))
}

/// π*, π, q at the first state. Exponentials and logarithms are involved, so the library's functions run over intervals that
/// provably contain the numbers.
fn state(case: &Case) -> (Vec<Interval>, Vec<Interval>, Vec<Interval>) {
    let actions = case.model.shape.actions;
    let star = case.star[..actions].iter().map(Interval::point).collect();
    // Within ±4, where 2⁻⁸⁰ can be asked of the logarithm of an exponential.
    let largest = case.mu[..actions].iter().map(Field::abs).fold(Q::one(), |most, x| if x > most { x } else { most });
    let q = case.mu[..actions].iter().map(|x| Interval::point(&(x.clone() * Q::from_int(4) / &largest))).collect();
    (star, vec![Interval::point(&(Q::one() / count(actions))); actions], q)
}

fn alpha() -> Interval {
    Interval::ratio(3, 4)
}

/// π_{t+1}.
fn mirrored(policy: &[Interval], q: &[Interval]) -> Result<Vec<Interval>> {
    let mut room = vec![Interval::zero(); 3 * policy.len()];
    Ok(mirror_step(&alpha(), policy, q, &mut &mut room[..])?.to_vec())
}

fn entropy_step(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (star, policy, q) = state(case);
    let next = mirrored(&policy, &q)?;
    Ok(equal_enclosed(&relative_entropy(&star, &next)?, &entropy_step_right(&alpha(), &star, &policy, &q)?))
}

fn hoeffding(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (_, policy, q) = state(case);
    Ok(at_most_enclosed(&hoeffding_left(&alpha(), &policy, &q)?, &hoeffding_right(&alpha(), &q)?))
}

fn mirror(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (star, policy, q) = state(case);
    let next = mirrored(&policy, &q)?;
    let potential = relative_entropy(&star, &policy)? - relative_entropy(&star, &next)?;
    let bound = potential + hoeffding_right(&alpha(), &q)?;
    Ok(at_most_enclosed(&(alpha() * advantage(&star, &policy, &q)?), &bound))
}

/// The last display of Lemma D.2's proof: its left side, print's right side, without the sum over t, and the right one; for T = 2,
/// q₁ = Φθ at the first state with its range put around 0, q₂ = −q₁, and π* = π₁ uniform.
pub fn last_display(case: &Case) -> Result<[Interval; 3]> {
    let (_, uniform, _) = state(case);
    let q = &case.linear_function(&case.theta)?[..uniform.len()];
    let least = q.iter().fold(&q[0], |least, x| if x < least { x } else { least });
    let most = q.iter().fold(&q[0], |most, x| if x > most { x } else { most });
    let middle = (least.clone() + most) / Q::from_int(2);
    let first: Vec<Interval> = q.iter().map(|x| Interval::point(&(x.clone() - &middle))).collect();
    let second: Vec<Interval> = q.iter().map(|x| Interval::point(&(middle.clone() - x))).collect();
    let next = mirrored(&uniform, &first)?;
    let left = advantage(&uniform, &uniform, &first)? + advantage(&uniform, &next, &second)?;
    let printed = crate::errata::lemma_d2_last_display(&alpha(), &uniform, &uniform, &second)?;
    let right = telescoped_right(&alpha(), &uniform, &uniform, &[first, second].concat())?;
    Ok([left, printed, right])
}

fn mirror_telescopes(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let [left, _, right] = last_display(case)?;
    Ok(at_most_enclosed(&left, &right))
}
