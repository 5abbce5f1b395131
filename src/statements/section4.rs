//! Section 4: the reparametrised Lagrangian, f, the dynamic duality gap.

use super::case::{Case, Iterates, Power, fill, fresh, vector};
use super::check::{plain, powered};
use super::compared::{Compared, equal, equal_vectors, zero_vector};
use super::run::run;
use super::section2::theta_of;
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::{apply, dot};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::discounted::duality_gap::{
    Comparators, Iterates as View, average_suboptimality, dynamic_duality_gap, return_of, theta_stars,
};
use crate::paper::discounted::lagrangian::{
    beta_gradient, f_beta, f_nu, f_theta, lagrangian, lagrangian_beta, lagrangian_beta_regrouped, mu_beta, mu_gradient,
    nu_beta, theta_gradient, v_gradient,
};
use crate::paper::discounted::lambda_gradient::lambda_gradient;
use crate::paper::discounted::regret::{beta_regret, policy_regret, theta_regret};
use crate::paper::mdp::primal_flow_residual;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("4", "(11)", "the Lagrangian in β")
        .label("eq:lag-beta-p")
        .coq(&["equation_11_12"])
        .functions(&["paper::discounted::lagrangian::lagrangian_beta"]),
    Statement::new("4", "(12)", "the same, regrouped")
        .label("eq:lag-beta-d")
        .coq(&["equation_11_12"])
        .functions(&["paper::discounted::lagrangian::lagrangian_beta_regrouped"]),
    Statement::new("4", "(13)", "μ_{β,π}")
        .label("eq:def-mu")
        .coq(&["equation_13"])
        .functions(&["paper::discounted::lagrangian::nu_beta", "paper::discounted::lagrangian::mu_beta"]),
    Statement::new("4", "(14)", "f(β,π;θ)")
        .label("eq:f-theta")
        .errata(&[19])
        .coq(&["equation_14_15"])
        .functions(&["paper::discounted::lagrangian::f_theta"]),
    Statement::new("4", "(15)", "f in two further forms")
        .label("eq:f-beta")
        .errata(&[19])
        .coq(&["equation_14_15"])
        .functions(&["paper::discounted::lagrangian::f_nu", "paper::discounted::lagrangian::f_beta"]),
    Statement::new("4", "S4.unbiased-mu", "𝔼 μ_{t,k} = μ_{β,π}")
        .coq(&["unbiased_mu"])
        .errata(&[8, 19])
        .functions(&["paper::discounted::estimators::occupancy_estimate"]),
    Statement::new("4", "S4.unbiased-theta", "𝔼 g̃_θ = ∇_θ f")
        .coq(&["unbiased_theta", "unbiased_theta_printed"])
        .functions(&["paper::discounted::estimators::theta_gradient_estimate"]),
    Statement::new("4", "(16)", "the dynamic duality gap")
        .functions(&["paper::discounted::duality_gap::dynamic_duality_gap"]),
    Statement::new("4", "Lemma 4.1", "gap = average suboptimality")
        .label("lem:suboptimality-duality")
        .coq(&["lemma_4_1"])
        .kani(&["lemma_4_1"])
        .errata(&[8, 19])
        .functions(&[
            "paper::discounted::duality_gap::Comparators",
            "paper::discounted::duality_gap::beta_star",
            "paper::discounted::duality_gap::theta_stars",
            "paper::discounted::duality_gap::average_suboptimality",
        ]),
    Statement::new("4", "Lemma 4.2", "gap = θ-regret + β-regret + π-regret")
        .label("lem:duality-regret´")
        .coq(&["lemma_4_2"])
        .kani(&["lemma_4_2"])
        .errata(&[14])
        .functions(&[
            "paper::discounted::lagrangian::theta_gradient",
            "paper::discounted::lagrangian::beta_gradient",
            "paper::discounted::regret::theta_regret",
            "paper::discounted::regret::beta_regret",
            "paper::discounted::regret::policy_regret",
        ]),
];

pub const CHECKS: &[Check] = &[
    powered!(
        lagrangian_of_beta,
        "(6), (11)",
        "(1−γ)⟨ν₀, v⟩ + ⟨β, Λ^c(ω + γΨv − θ)⟩ + ⟨μ, Φθ − Ev⟩ = the Lagrangian at λ = Λ^cβ"
    ),
    powered!(lagrangians_in_beta, "(11), (12)", "both forms of the Lagrangian in β"),
    powered!(mu_is_feasible, "(13)", "μ_{β,π} satisfies the flow constraint of (4)"),
    powered!(nu_is_marginal_of_mu, "(13)", "Eᵀμ_{β,π} = ν_β"),
    powered!(v_gradient_vanishes, "(13)", "∂L/∂v = 0 at μ_{β,π}"),
    powered!(f_is_lagrangian, "(12), (14)", "f = L at μ_{β,π}, whatever v"),
    powered!(f_first_forms, "(14), (15)", "⟨β, Λ^cω⟩ + ⟨θ, g_θ⟩ = f through ν_β"),
    powered!(f_last_forms, "(14), (15)", "f through ν_β = f through ω + γΨv − θ"),
    powered!(theta_slope, "Lemma 4.2", "f at θ + h − f at θ = ⟨g_θ, h⟩"),
    powered!(beta_slope, "Lemma 4.2", "f at β + h − f at β = ⟨g_β, h⟩"),
    plain!(mu_slope, "(6)", "L at μ + h − L at μ = ⟨∂L/∂μ, h⟩"),
    powered!(v_slope, "(12)", "L at v + h − L at v = ⟨∂L/∂v, h⟩"),
    powered!(gap_is_suboptimality, "(16), Lemma 4.1", "duality gap of any iterates = average suboptimality"),
    powered!(first_term_of_gap, "Lemma 4.1", "f(β*,π*;θ) = ρ(π*)"),
    powered!(second_term_of_gap, "Lemma 4.1", "f(β,π;θ^π) = ρ(π)"),
    powered!(gap_is_regrets, "Lemma 4.2", "duality gap of any iterates = sum of the regrets"),
    powered!(gap_of_run, "(16), Lemma 4.1", "duality gap of a run = average suboptimality").enumerates(),
    powered!(regrets_of_run, "Lemma 4.2", "duality gap of a run = sum of the regrets").enumerates(),
];

/// μ_{β,π}.
pub fn mu_of_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| mu_beta(&case.saddle(power)?, &case.beta, &case.policy, s))
}

/// g_θ at the case's β.
pub fn g_theta(case: &Case, power: &Power, policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| theta_gradient(&case.saddle(power)?, &case.beta, policy, s))
}

/// g_β at the case's θ.
pub fn g_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| beta_gradient(&case.saddle(power)?, &case.policy, &case.theta, s))
}

/// a + b.
pub fn plus(a: &[Q], b: &[Q]) -> Vec<Q> {
    a.iter().zip(b).map(|(x, y)| x.clone() + y).collect()
}

fn lambda_of(case: &Case, power: &Power) -> Result<Vec<Q>> {
    fresh(case, |s| case.saddle(power)?.lambda(&case.beta, s))
}

/// ⟨μ, Φθ − Ev⟩, pair by pair.
pub fn excess(case: &Case) -> Result<Q> {
    let mut sum = Q::zero();
    for (i, q) in case.linear_function(&case.theta)?.into_iter().enumerate() {
        sum += (q - &case.v[i / case.model.shape.actions]) * &case.mu[i];
    }
    Ok(sum)
}

/// (11) as it is printed, Λ^c on the other side of the product, against (6) at λ = Λ^cβ, of which the library makes it.
fn lagrangian_of_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let Case { beta, mu, v, theta, .. } = case;
    let bracket = fresh(case, |s| lambda_gradient(&case.mdp()?, v, theta, s))?;
    let weighted = fill(theta.len(), |out| apply(&power.matrix, &bracket, out))?;
    let printed = case.rest() * dot(&case.model.initial, v)? + dot(beta, &weighted)? + excess(case)?;
    Ok(equal(printed, lagrangian_beta(&case.saddle(power)?, beta, mu, v, theta, s)?))
}

fn lagrangians_in_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, mu, v, theta, .. }) = (case.saddle(power)?, case);
    let first = lagrangian_beta(&saddle, beta, mu, v, theta, s)?;
    Ok(equal(first, lagrangian_beta_regrouped(&saddle, beta, mu, v, theta, s)?))
}

fn mu_is_feasible(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (mu, lambda) = (mu_of_beta(case, power, s)?, lambda_of(case, power)?);
    Ok(zero_vector(&vector(s, |s| primal_flow_residual(&case.mdp()?, &lambda, &mu, s))?))
}

fn nu_is_marginal_of_mu(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let nu = vector(s, |s| nu_beta(&case.saddle(power)?, &case.beta, s))?;
    Ok(equal_vectors(&case.marginal(&mu_of_beta(case, power, s)?)?, &nu))
}

fn v_gradient_vanishes(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mu = mu_of_beta(case, power, s)?;
    Ok(zero_vector(&vector(s, |s| v_gradient(&case.saddle(power)?, &case.beta, &mu, s))?))
}

fn f_is_lagrangian(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, mu, Case { beta, policy, v, theta, .. }) = (case.saddle(power)?, mu_of_beta(case, power, s)?, case);
    let whole = lagrangian_beta_regrouped(&saddle, beta, &mu, v, theta, s)?;
    Ok(equal(whole, f_theta(&saddle, beta, policy, theta, s)?))
}

fn f_first_forms(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, theta, .. }) = (case.saddle(power)?, case);
    Ok(equal(f_theta(&saddle, beta, policy, theta, s)?, f_nu(&saddle, beta, policy, theta, s)?))
}

fn f_last_forms(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, theta, .. }) = (case.saddle(power)?, case);
    Ok(equal(f_nu(&saddle, beta, policy, theta, s)?, f_beta(&saddle, beta, policy, theta, s)?))
}

/// f is affine in θ and in β, so a gradient is right when it predicts one step.
fn theta_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, theta, .. }) = (case.saddle(power)?, case);
    let moved = f_theta(&saddle, beta, policy, &plus(theta, beta), s)?;
    let slope = dot(&g_theta(case, power, policy, s)?, beta)?;
    Ok(equal(moved - f_theta(&saddle, beta, policy, theta, s)?, slope))
}

fn beta_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, theta, .. }) = (case.saddle(power)?, case);
    let moved = f_theta(&saddle, &plus(beta, theta), policy, theta, s)?;
    let slope = dot(&g_beta(case, power, s)?, theta)?;
    Ok(equal(moved - f_theta(&saddle, beta, policy, theta, s)?, slope))
}

fn mu_slope(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { beta: lambda, mu, v, theta, .. }) = (case.mdp()?, case);
    let gradient = fresh(case, |s| mu_gradient(&mdp, v, theta, s))?;
    let step = &case.policy;
    let moved = lagrangian(&mdp, v, theta, lambda, &plus(mu, step), s)?;
    Ok(equal(moved - lagrangian(&mdp, v, theta, lambda, mu, s)?, dot(&gradient, step)?))
}

fn v_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, mu, v, theta, .. }) = (case.saddle(power)?, case);
    let gradient = vector(s, |s| v_gradient(&saddle, beta, mu, s))?;
    let step = &case.model.initial;
    let moved = lagrangian_beta(&saddle, beta, mu, &plus(v, step), theta, s)?;
    Ok(equal(moved - lagrangian_beta(&saddle, beta, mu, v, theta, s)?, dot(&gradient, step)?))
}

/// G_T, the average suboptimality, and the regrets of θ, β and π.
pub struct Gap {
    pub whole: Q,
    pub suboptimality: Q,
    pub regrets: [Q; 3],
}

/// With Lemma 4.1's comparators.
pub fn gap(case: &Case, power: &Power, iterates: &Iterates, s: &mut [Q]) -> Result<Gap> {
    let (mdp, saddle, beta, policy) = (case.mdp()?, case.saddle(power)?, case.beta_star(power, s)?, &case.star);
    let view = View::new(&mdp, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let thetas = vector(s, |s| theta_stars(&mdp, &view, s))?;
    let comparators = Comparators { policy, beta: &beta, thetas: &thetas };
    Ok(Gap {
        whole: dynamic_duality_gap(&saddle, &view, &comparators, s)?,
        suboptimality: average_suboptimality(&mdp, policy, &view, s)?,
        regrets: [
            theta_regret(&saddle, &view, &comparators, s)?,
            beta_regret(&saddle, &view, &comparators, s)?,
            policy_regret(&mdp, &view, policy, s)?,
        ],
    })
}

fn gap_is_suboptimality(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, suboptimality, .. } = gap(case, power, &case.iterates, s)?;
    Ok(equal(whole, suboptimality))
}

fn first_term_of_gap(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, beta) = (case.saddle(power)?, case.beta_star(power, s)?);
    Ok(equal(f_theta(&saddle, &beta, &case.star, &case.theta, s)?, return_of(&case.mdp()?, &case.star, s)?))
}

fn second_term_of_gap(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, theta, policy) = (case.saddle(power)?, theta_of(case, &case.policy, s)?, &case.policy);
    Ok(equal(f_beta(&saddle, &case.beta, policy, &theta, s)?, return_of(&case.mdp()?, policy, s)?))
}

fn gap_is_regrets(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, regrets: [theta, beta, pi], .. } = gap(case, power, &case.iterates, s)?;
    Ok(equal(whole, theta + beta + pi))
}

fn gap_of_run(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, suboptimality, .. } = gap(case, power, &run(case, power, s)?.iterates, s)?;
    Ok(equal(whole, suboptimality))
}

fn regrets_of_run(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, regrets: [theta, beta, pi], .. } = gap(case, power, &run(case, power, s)?.iterates, s)?;
    Ok(equal(whole, theta + beta + pi))
}
