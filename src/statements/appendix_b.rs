//! Appendix B: the telescoping, and the regret bounds.

use super::appendix_a::{constants, enclosed};
use super::case::{Case, Power, count, not_applicable, vector};
use super::check::{CHOICE, plain, powered};
use super::compared::{Compared, at_most, at_most_enclosed, equal};
use super::enumerated::{BetaPath, Expected, discounted, discounted_beta_path, rate};
use super::section4::plus;
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::softmax::policy_table;
use crate::linear::vector::norm_squared;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::paper::discounted::duality_gap::{Comparators, Iterates, telescoped};
use crate::paper::discounted::guarantee::{Constants, beta_regret_bound, policy_regret_bound, theta_regret_bound};
use crate::paper::discounted::lagrangian::{f_theta, theta_gradient};
use crate::paper::discounted::regret::{inner_regret, theta_regret};
use crate::paper::online_learning::mirror_descent::mirror_regret;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("B", "(21)", "the three-way telescoping")
        .label("eq:three-regrets")
        .errata(&[14])
        .functions(&["paper::discounted::duality_gap::telescoped"]),
    Statement::new("B", "Lemma B.1", "θ-regret and the second moment of g̃_θ")
        .label("lem:regret-theta-disc")
        .coq(&["lemma_B_1_second_moment", "lemma_B_1_regret"])
        .errata(&[1, 12, 19])
        .functions(&[
            "paper::discounted::guarantee::second_moment_bound_theta",
            "paper::discounted::guarantee::theta_regret_bound",
        ]),
    Statement::new("B", "(22)", "θ-regret as an average over inner loops")
        .label("eq:regrets")
        .functions(&["paper::discounted::regret::inner_regret"]),
    Statement::new("B", "B.unbiased-beta", "𝔼 g̃_β = ∇_β f")
        .coq(&["unbiased_beta"])
        .functions(&["paper::discounted::estimators::beta_gradient_estimate"]),
    Statement::new("B", "Lemma B.2", "β-regret and the second moment of g̃_β")
        .label("lem:regret-beta-disc")
        .coq(&["lemma_B_2_second_moment", "lemma_B_2_regret"])
        .errata(&[19])
        .functions(&[
            "paper::discounted::guarantee::second_moment_bound_beta",
            "paper::discounted::guarantee::beta_regret_bound",
        ]),
    Statement::new("B", "Lemma B.3", "π-regret")
        .label("lem:regret-pi-disc")
        .coq(&["lemma_B_3_regret"])
        .errata(&[11, 19])
        .functions(&[
            "paper::discounted::guarantee::policy_regret_bound",
            "paper::online_learning::mirror_descent::mirror_descent_bound",
        ]),
];

pub const CHECKS: &[Check] = &[
    powered!(three_regrets, "(21)", "f(β*,π*;θ) − f(β,π;θ*) = its three differences"),
    powered!(inner_regrets, "(22)", "Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ = Σ_t ℜ_t/K, K = 2, on a path"),
    powered!(
        theta_regret_bounded,
        "Lemma B.1",
        "𝔼 Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        beta_regret_bounded,
        "Lemma B.2",
        "𝔼 Σ_t ⟨β* − β_t, g_{β,t}⟩ ≤ its bound, over every data sequence, K = 1, T = 2, π₂ = π₁ (α = 0)"
    )
    .enumerates(),
    plain!(policy_range, "Lemma B.3", "‖Φθ‖²_∞ ≤ D_φ²‖θ‖²"),
    plain!(
        policy_regret_bounded,
        "Lemma B.3",
        "Σ_t Σ_x ν*(x)⟨π* − π_t, Φθ_t⟩ ≤ its bound, on a path, T = 2, α = 3/4 (enclosed)"
    ),
];

fn three_regrets(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, star, Case { beta, policy, theta, star: best, .. }) =
        (case.saddle(power)?, case.beta_star(power, s)?, case);
    let theta_star: Vec<Q> = theta.iter().map(|x| x.clone() + Q::one()).collect();
    let whole = f_theta(&saddle, &star, best, theta, s)? - f_theta(&saddle, beta, policy, &theta_star, s)?;
    let [pi, second, third] = telescoped(&saddle, (theta, beta, policy), (&theta_star, &star, best), s)?;
    Ok(equal(whole, pi + second + third))
}

/// The inner iterates of t are θ_t ± β_t; the comparators are β_t.
fn inner_regrets(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (dim, mdp, saddle, it) = (case.theta.len(), case.mdp()?, case.saddle(power)?, &case.iterates);
    let view = Iterates::new(&mdp, &it.thetas, &it.betas, &it.policies)?;
    let comparators = Comparators { policy: &case.star, beta: &case.beta, thetas: &it.betas };
    let whole = theta_regret(&saddle, &view, &comparators, s)? * count(view.outer());
    let mut sum = Q::zero();
    let pairs = case.mu.len();
    for ((theta, beta), policy) in it.thetas.chunks(dim).zip(it.betas.chunks(dim)).zip(it.policies.chunks(pairs)) {
        let gradient = vector(s, |s| theta_gradient(&saddle, beta, policy, s))?;
        let minus: Vec<Q> = beta.iter().map(|x| -x.clone()).collect();
        let rows = [plus(theta, beta), plus(theta, &minus)].concat();
        sum += inner_regret(&rows, beta, &gradient)? / Q::from_int(2);
    }
    Ok(equal(whole, sum))
}

/// The expectations, and the constants with their radii.
fn expected(case: &Case, power: &Power, s: &mut [Q]) -> Result<(Expected, Constants<Q>)> {
    let expected = discounted(case, power, s)?;
    let theta_squared = expected.theta_squared.clone();
    let beta_squared = expected.beta_squared.clone();
    Ok((expected, Constants { theta_squared, beta_squared, ..constants(case, power)? }))
}

fn theta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.theta / Q::from_int(2), theta_regret_bound(&constants, &rate(), 2, 1)?))
}

fn beta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let BetaPath { regret, theta_squared, beta_squared } = discounted_beta_path(case, power, s)?;
    let constants = Constants { theta_squared, beta_squared, ..constants(case, power)? };
    Ok(at_most(regret, beta_regret_bound(&constants, &rate(), 2)?))
}

fn policy_range(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let squares = case.linear_function(&case.theta)?.into_iter().map(|x| x.clone() * x);
    let largest = squares.fold(Q::zero(), |most, x| if x > most { x } else { most });
    Ok(at_most(largest, case.bounds.phi.clone() * norm_squared(&case.theta)?))
}

/// Mirror descent knows no chance: the lemma holds on every path. π₁ is uniform, π₂ the softmax of αΦθ₁.
fn policy_regret_bounded(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (actions, dim, thetas) = (case.model.shape.actions, case.theta.len(), &case.iterates.thetas);
    if actions < 2 {
        return Err(not_applicable(CHOICE));
    }
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let (alpha, features) = (Interval::ratio(3, 4), points(&case.model.features));
    let (nu, star) = (points(&case.marginal(&case.mu_star)?), points(&case.star));
    let (mut sum, mut regret) = (points(&case.theta.iter().map(|_| Q::zero()).collect::<Vec<_>>()), Interval::zero());
    let mut theta_squared = Q::zero();
    for theta in thetas.chunks(dim) {
        let mut policy = star.clone();
        policy_table(actions, &alpha, &features, &sum, &mut policy)?;
        let q = points(&case.linear_function(theta)?);
        regret += mirror_regret(actions, &nu, &star, &policy, &q)?;
        for (sum, theta) in sum.iter_mut().zip(theta) {
            *sum = sum.clone() + Interval::point(theta);
        }
        let square = norm_squared(theta)?;
        theta_squared = if square > theta_squared { square } else { theta_squared };
    }
    let constants = Constants { theta_squared, ..constants(case, &case.powers[0])? };
    let bound = policy_regret_bound(&enclosed(&constants, actions), &alpha, thetas.len() / dim)?;
    Ok(at_most_enclosed(&regret, &bound))
}
