//! What print says of the discounted setting and the errata correct, evaluated as printed. The corrected forms are among the other
//! checks, and docs/errata.md says why each one stands.

use super::Check;
use super::appendix_a::constants;
use super::appendix_d::last_display;
use super::case::{Case, Power, count, fill, fresh, identity, vector, weighted};
use super::check::{powered_printed, printed};
use super::compared::{
    Compared, at_most, at_most_enclosed, equal, equal_enclosed_vectors, equal_vectors, infinite_at_most_enclosed, truth,
};
use super::section2::{linear_action_value, q_direct, v_of};
use super::section3::{mean_beta_estimate, mean_beta_with, mean_occupancy_estimate, mean_theta_estimate, visit};
use super::section4::{g_beta, g_theta, mu_of_beta};
use super::section6::ratio;
use crate::errata;
use crate::error::{Error, Result};
use crate::linear::softmax::policy_row;
use crate::linear::solve::solve_named;
use crate::linear::vector::{apply_transposed, norm_squared};
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::number::{Field, Real};
use crate::paper::covariance::{Exponent, apply_inverse};
use crate::paper::discounted::estimators::{Visit, theta_gradient_estimate};
use crate::paper::discounted::guarantee::{inner_per_outer, second_moment_bound_theta};
use crate::paper::discounted::lagrangian::f_theta;
use crate::paper::discounted::regret::policy_advantage;
use crate::paper::mdp::{expected_reward, policy_average, policy_transition};
use crate::paper::online_learning::mirror_descent::{mirror_step, relative_entropy};
use std::vec;
use std::vec::Vec;

pub const CHECKS: &[Check] = &[
    powered_printed!(1, printed_theta_moment, "𝔼‖g̃_θ‖² ≤ G_θ² with g̃_θ as (10) prints it, β along a coordinate axis")
        .enumerates(),
    powered_printed!(2, printed_beta_moment, "𝔼‖g̃_β‖² ≤ G_β² as (20) prints it, θ = −ω").enumerates(),
    powered_printed!(4, printed_condition, "C_{φ,c} ≤ D_β implies ‖β*‖ ≤ D_β: ‖β*‖² ≤ C² with D_β = C"),
    powered_printed!(7, box_without_weight, "𝔼 g̃_β = ∇_β f as Algorithm 1's box has it, without Λ^{c−1}").enumerates(),
    powered_printed!(7, box_without_reward, "𝔼 g̃_β = ∇_β f without R, which the box's W lacks").enumerates(),
    printed!(8, undiscounted_return, "(1−γ)Σ_{t<n} 𝔼 r(X_t,A_t) ≤ ρ(π), without γ^t").enumerates(),
    printed!(8, undiscounted_occupancy, "(1−γ)Σ_{t<n} Σ_x P(X_t = x) ≤ Σ_x ν^π(x), without γ^t").enumerates(),
    printed!(8, undiscounted_q, "Φ(ω + Ψv^π) = q^π, (3) without γ"),
    powered_printed!(8, undiscounted_estimate, "𝔼 μ_{t,k} = μ_{β,π}, the first line without γ").enumerates(),
    printed!(8, undiscounted_flow, "(1−γ)ν₀ + Pᵀμ* = ν^{π*}, proof of Lemma 4.1 without γ"),
    printed!(11, entropy_of_any_start, "H(π*‖π₁) ≤ log|A|, Lemma B.3's last line, at π₁ = π_B (enclosed)"),
    printed!(11, softmax_forgets, "softmax(αq) = π₁e^{αq}/Z, Lemma D.2's π₂, at π₁ = π_B"),
    powered_printed!(12, start_policy, "𝔼 g̃_θ = ∇_θ f with π(·|x⁰) for π(·|x') in φ'_{t,k}").enumerates(),
    printed!(12, discount_one, "v^π exists at γ = 1, which [0,1] admits"),
    printed!(12, lost_sum, "Lemma D.2's last display, without the sum over t: T = 2, q₂ = −q₁"),
    printed!(12, exponent_two, "C_{φ,2}, one of Def E.1's two as printed = C_{φ,1/2}, one of Def 3.1's"),
    printed!(14, any_comparator, "the π-part of (21) = the π-regret for any β*: at 2β*"),
    powered_printed!(15, printed_ratio, "n at Thm A.1's printed K/T ≤ n at its reciprocal, log|A| = 1"),
];

/// Every coordinate direction is tried, at ‖β‖ = 10; the one that goes furthest beyond the bound is shown.
fn printed_theta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mut constants = constants(case, power)?;
    let mut worst: Option<(Q, Q)> = None;
    for j in 0..case.beta.len() {
        let mut beta = vec![Q::zero(); case.beta.len()];
        beta[j] = Q::from_int(10);
        constants.beta_squared = Q::from_int(100);
        let bound = second_moment_bound_theta(&constants);
        let moment = mean_theta_estimate(case, power, &beta, (true, true), s)?.swap_remove(0);
        if worst.as_ref().is_none_or(|(m, b)| moment.clone() - &bound > m.clone() - b) {
            worst = Some((moment, bound));
        }
    }
    let (moment, bound) = worst.unwrap_or((Q::zero(), Q::zero()));
    Ok(at_most(moment, bound))
}

fn printed_beta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let theta: Vec<Q> = case.model.omega.iter().map(|x| -x.clone()).collect();
    let mut constants = constants(case, power)?;
    constants.theta_squared = norm_squared(&theta)?;
    let moment = mean_beta_estimate(case, power, &theta, true, s)?.swap_remove(0);
    Ok(at_most(moment, errata::equation_20(power.c, &constants)))
}

fn printed_condition(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let squared = norm_squared(&case.beta_star(power, s)?)?;
    Ok(at_most(squared.clone(), squared.clone() * squared))
}

fn box_without_weight(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mean = mean_beta_with(case, &case.theta, (None, &case.reward), false, s)?;
    Ok(equal_vectors(&mean, &g_beta(case, power, s)?))
}

fn box_without_reward(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let none = vec![Q::zero(); case.mu.len()];
    let mean = mean_beta_with(case, &case.theta, (power.weight.as_deref(), &none), false, s)?;
    Ok(equal_vectors(&mean, &g_beta(case, power, s)?))
}

/// Terms of print's series: twice as many as its γ^t would let count, and no more than take a moment.
fn terms(case: &Case) -> usize {
    libm::ceil(2.0 / case.rest().to_f64()).clamp(2.0, 200.0) as usize
}

/// (1−γ)Σ_{t<n} of the states' distributions under π.
fn undiscounted_states(case: &Case) -> Result<Vec<Q>> {
    let states = case.v.len();
    let step = fresh(case, |s| policy_transition(&case.tabular()?, &case.policy, s))?;
    let (mut now, mut sum) = (case.model.initial.clone(), vec![Q::zero(); states]);
    for _ in 0..terms(case) {
        for (s, x) in sum.iter_mut().zip(&now) {
            *s += x.clone();
        }
        now = fill(states, |out| apply_transposed(&step, &now, out))?;
    }
    Ok(sum.into_iter().map(|x| x * case.rest()).collect())
}

fn undiscounted_return(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let reward = fresh(case, |s| policy_average(case.model.shape.actions, &case.policy, &case.reward, s))?;
    let printed = expected_reward(&reward, &undiscounted_states(case)?)?;
    Ok(at_most(printed, expected_reward(&case.reward, &case.occupancy(&case.policy, s)?)?))
}

fn undiscounted_occupancy(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let total = |mass: &[Q]| mass.iter().fold(Q::zero(), |sum, x| sum + x);
    Ok(at_most(total(&undiscounted_states(case)?), total(&case.occupancy(&case.policy, s)?)))
}

fn undiscounted_q(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let v = v_of(case, &case.policy, s)?;
    Ok(equal_vectors(&linear_action_value(case, &v, &Q::one())?, &q_direct(case, s)?))
}

fn undiscounted_estimate(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let printed = mean_occupancy_estimate(case, power, &Q::one())?;
    Ok(equal_vectors(&printed, &mu_of_beta(case, power, s)?))
}

fn undiscounted_flow(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let mut printed = fill(case.v.len(), |out| apply_transposed(&case.transition, &case.mu_star, out))?;
    for (out, start) in printed.iter_mut().zip(&case.model.initial) {
        *out += start.clone() * case.rest();
    }
    Ok(equal_vectors(&printed, &case.marginal(&case.mu_star)?))
}

/// H(π*‖π₁) = Σ_x ν*(x) D(π*(·|x)‖π₁(·|x)): states that π* does not visit do not count, and the others on average.
fn entropy_of_any_start(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let (actions, first) = (case.model.shape.actions, &case.model.behavior);
    let log_actions = Interval::point(&count(actions)).ln();
    if case.mu_star.iter().zip(first).any(|(star, first)| !star.is_zero() && first.is_zero()) {
        return Ok(infinite_at_most_enclosed(&log_actions));
    }
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let mut entropy = Interval::zero();
    for (x, nu) in case.marginal(&case.mu_star)?.iter().enumerate().filter(|(_, nu)| !nu.is_zero()) {
        let relative = relative_entropy(&points(case.row(&case.star, x)), &points(case.row(first, x)))?;
        entropy += relative * Interval::point(nu);
    }
    Ok(at_most_enclosed(&entropy, &log_actions))
}

/// αq at the first state, and π_B there; α = 3/4.
fn softmax_forgets(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let first = points(&case.model.behavior[..case.model.shape.actions]);
    let (features, theta) = (points(case.features_of(0)), points(&case.theta));
    let q = points(&case.linear_function(&case.theta)?[..first.len()]);
    let (alpha, mut forgetful, mut room) =
        (Interval::ratio(3, 4), first.clone(), vec![Interval::zero(); 3 * first.len()]);
    policy_row(&alpha, &features, &theta, &mut forgetful)?;
    let mirror = mirror_step(&alpha, &first, &q, &mut &mut room[..])?;
    Ok(equal_enclosed_vectors(&forgetful, mirror))
}

/// At the mean of π and the policy that takes action x modulo |A|, which is another one in every state.
fn start_policy(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let actions = case.model.shape.actions;
    let taken = |i: usize| if i % actions == (i / actions) % actions { Q::one() } else { Q::zero() };
    let policy: Vec<Q> = case.policy.iter().enumerate().map(|(i, p)| (p.clone() + taken(i)) / Q::from_int(2)).collect();
    let weighted = weighted(power, &case.beta)?;
    let printed = case.expectation(case.theta.len(), |o, out| {
        let visit = visit(case, &policy, o);
        let visit = Visit { policy_next: visit.policy_start, ..visit };
        theta_gradient_estimate(case.discount(), &visit, &weighted, out, s)
    })?;
    Ok(equal_vectors(&printed, &g_theta(case, power, &policy, s)?))
}

/// v = r_π + P_πv, which the library does not take for a discounted problem.
fn discount_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let n = case.v.len();
    let step = vector(s, |s| policy_transition(&case.tabular()?, &case.policy, s))?;
    let mut system: Vec<Q> = identity(n).into_iter().zip(step).map(|(one, p)| one - p).collect();
    let mut v = vector(s, |s| policy_average(case.model.shape.actions, &case.policy, &case.reward, s))?;
    match solve_named("I − P_π", n, &mut system, &mut v) {
        Ok(()) => Ok(truth(true)),
        Err(Error::Singular { .. }) => Ok(truth(false)),
        Err(error) => Err(error),
    }
}

fn lost_sum(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let [left, printed, _] = last_display(case)?;
    Ok(at_most_enclosed(&left, &printed))
}

/// C_{φ,2} = ‖Λ^{−2}Φᵀμ*‖²: Def E.1 means to recall Def 3.1.
fn exponent_two(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mut solved = case.mean_feature(&case.mu_star)?;
    for _ in 0..2 {
        solved = vector(s, |s| apply_inverse(solved.len(), &case.lambda, &solved, s))?;
    }
    Ok(equal(norm_squared(&solved)?, ratio(case, Exponent::Half, s)?))
}

/// f(β,π*;θ) − f(β,π;θ) = ⟨ν^{π*}, v_{θ,π*} − v_{θ,π}⟩, at β = 2β*.
fn any_comparator(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let power = &case.powers[0];
    let (saddle, star) = (case.saddle(power)?, case.beta_star(power, s)?);
    let beta: Vec<Q> = star.into_iter().map(|x| x * Q::from_int(2)).collect();
    let (nu, q) = (case.marginal(&case.mu_star)?, case.linear_function(&case.theta)?);
    let regret = policy_advantage(case.model.shape.actions, &nu, &case.star, &case.policy, &q)?;
    let first = f_theta(&saddle, &beta, &case.star, &case.theta, s)?;
    Ok(equal(first - f_theta(&saddle, &beta, &case.policy, &case.theta, s)?, regret))
}

fn printed_ratio(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let (right, printed) = (inner_per_outer(&constants)?, errata::theorem_a1_inner_per_outer(&constants)?);
    Ok(at_most(rows_needed(&printed, &right), rows_needed(&right, &right)))
}

/// At the theorem's rates the bound is A/√T + B/√K, so with K = κT and (a+b)² ≤ 2(a²+b²) it takes n = 4(κA² + B²)²/(κε⁴) rows.
/// The corrected κ is `right` = B²/A²; here B = ε = 1.
pub(super) fn rows_needed(kappa: &Q, right: &Q) -> Q {
    let half = kappa.clone() / right + Q::one();
    Q::from_int(4) * &half * &half / kappa
}
