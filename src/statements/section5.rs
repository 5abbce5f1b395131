//! Section 5 and the first half of Appendix C: gain and bias, the linear program, Lagrangians, f and its gradients.

use super::case::{Case, Power, count, fill, fresh, not_applicable, vector};
use super::check::{FEW, plain, powered, printed};
use super::compared::{Compared, at_most, equal, equal_vectors, truth, zero_vector};
use super::section4::{excess, plus};
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::{apply, dot};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::average_reward::guarantee::{complexity, simplified_complexity};
use crate::paper::average_reward::lagrangian::{
    beta_gradient, f_beta, f_lagrangian, f_nu, f_theta, lagrangian, lagrangian_beta, lagrangian_beta_regrouped,
    lagrangian_regrouped, mu_beta, rho_gradient, theta_gradient, theta_of_policy, v_gradient,
};
use crate::paper::average_reward::lp::{flow_residual, lp_feasible, lp_objective, normalisation_residual};
use crate::paper::average_reward::optimal::optimality_residual;
use crate::paper::average_reward::unichain::{policy_span, span_bound, validate_unichain};
use crate::paper::average_reward::values::{
    action_value, bellman_residual, gain, relative_value, span_seminorm, state_value,
};
use crate::paper::mdp::policy_average;
use std::vec;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("5", "S5.gain", "the gain ρ^π").coq(&["section_5_gain"]).functions(&[
        "paper::average_reward::values::state_occupancy",
        "paper::average_reward::values::occupancy",
        "paper::average_reward::values::gain",
    ]),
    Statement::new("5", "S5.bias", "the bias q^π, v^π, span seminorm").errata(&[17, 25]).functions(&[
        "paper::average_reward::values::relative_value",
        "paper::average_reward::values::state_value",
        "paper::average_reward::values::action_value",
        "paper::average_reward::values::bellman_residual",
        "paper::average_reward::values::span_seminorm",
        "paper::average_reward::values::theta_of_value",
    ]),
    Statement::new("5", "Asm 5.1", "bounded span")
        .label("ass:boundedQ")
        .errata(&[19])
        .coq(&["section_5_recurrent"])
        .functions(&[
            "paper::average_reward::unichain::validate_unichain",
            "paper::average_reward::unichain::policy_span",
            "paper::average_reward::unichain::span_bound",
        ]),
    Statement::new("5", "Asm 5.2", "𝟏 = Φϱ")
        .label("ass:Phi")
        .errata(&[22])
        .coq(&["assumption_5_2"])
        .functions(&["paper::mdp::linear::ones_coefficients"]),
    Statement::new("5", "Thm 5.3", "sample complexity, average reward")
        .label("thm:AMDP")
        .coq(&["theorem_C_1_samples", "theorem_5_3_corrected"])
        .refuted(&["theorem_5_3_refuted", "theorem_5_3_order_refuted"])
        .errata(&[4, 15, 16])
        .functions(&["paper::average_reward::guarantee::simplified_complexity"]),
];

pub const CHECKS: &[Check] = &[
    plain!(gain_two_ways, "S5.gain", "⟨μ^π, r⟩ = ρ^π from Bellman's equations"),
    plain!(average_bellman, "S5.bias", "q^π − r + ρ^π𝟏 − Pv^π = 0, v^π = Eᵀ(π∘q^π)"),
    plain!(shifts, "S5.bias", "shifting v by 1 shifts q by 1"),
    plain!(span_ignores_shifts, "S5.bias", "‖q + 𝟏‖_sp = ‖q‖_sp"),
    plain!(average_optimality, "S5.bias", "Bellman's optimality equation at an optimal policy"),
    plain!(unichain, "Asm 5.1", "every policy is unichain").enumerates(),
    plain!(spans, "Asm 5.1", "‖q^π‖_sp ≤ D_q = max over deterministic policies").enumerates(),
    plain!(ones, "Asm 5.2", "Φϱ = 𝟏"),
    plain!(ones_from_psi, "Asm 5.2", "Φ(Σ_x ψ(x)) = 𝟏: the assumption follows from Definition 2.1"),
    plain!(average_flow, "(23)", "Eᵀμ^π − Pᵀμ^π = 0"),
    plain!(normalised, "(23)", "⟨μ^π, 𝟏⟩ − 1 = 0"),
    plain!(average_feasible, "(23)", "the optimal policy's μ is feasible"),
    plain!(average_lp_optimal, "(23)", "⟨r, μ⟩ at μ^π ≤ at the optimal policy's μ"),
    plain!(average_lp_value, "(23)", "⟨r, μ⟩ at the optimal policy's μ = ρ*"),
    plain!(average_lagrangians, "(23)", "both forms of the Lagrangian in λ"),
    printed!(10, average_lagrangians_printed, "both forms of the Lagrangian in λ, the second as printed"),
    powered!(
        average_lagrangian_of_beta,
        "(23)",
        "ρ + ⟨β, Λ^c(ω + Ψv − θ − ρϱ)⟩ + ⟨μ, Φθ − Ev⟩ = the Lagrangian at λ = Λ^cβ"
    ),
    powered!(average_lagrangians_beta, "(23)", "both forms of the Lagrangian in β"),
    powered!(average_v_gradient_vanishes, "(23)", "∂L/∂v = 0 at μ_{β,π}"),
    powered!(average_f_forms, "(23)", "f(β,π;ρ,θ): the Lagrangian at μ_{β,π} = the short form"),
    powered!(average_f_other_forms, "(23)", "f through ∇_θ f = f through ν_β"),
    powered!(average_f_all_forms, "(23)", "f through ν_β = the short form"),
    powered!(average_theta_slope, "(23)", "f at θ + h − f at θ = ⟨g_θ, h⟩"),
    powered!(average_beta_slope, "(23)", "f at β + h − f at β = ⟨g_β, h⟩"),
    powered!(average_rho_slope, "(23)", "f at ρ + 1 − f at ρ = g_ρ"),
    powered!(average_orders, "Thm 5.3", "order of n_ε: Thm C.1's ≤ Thm 5.3's, at ε = log|A| = 1"),
    powered!(average_fourth_power, "Thm 5.3, Tab 1", "Thm 5.3's order of n_{ε/2} = 2⁴ times that of n_ε"),
    plain!(average_linear_q, "S5.bias, Lemma C.3", "Φθ^π = q^π up to a constant"),
];

fn gain_two_ways(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let tabular = case.tabular()?;
    Ok(equal(gain(&tabular, &case.policy, s)?, relative_value(&tabular, &case.policy, &mut &mut *s)?.0))
}

/// (ρ^π, v^π, q^π).
fn values(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<(Q, Vec<Q>, Vec<Q>)> {
    let tabular = case.tabular()?;
    let (rho, v) = state_value(&tabular, policy, &mut &mut *s).map(|(rho, v)| (rho, v.to_vec()))?;
    let q = fresh(case, |s| action_value(&tabular, &rho, &v, s))?;
    Ok((rho, v, q))
}

fn average_bellman(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (rho, v, q) = values(case, &case.policy, s)?;
    let residual = fresh(case, |s| bellman_residual(&case.tabular()?, &q, &rho, &v, s))?;
    let averaged = fresh(case, |s| policy_average(case.model.shape.actions, &case.policy, &q, s))?;
    let both: Vec<Q> = residual.into_iter().chain(v.iter().zip(&averaged).map(|(a, b)| a.clone() - b)).collect();
    Ok(zero_vector(&both))
}

fn shifted(numbers: &[Q]) -> Vec<Q> {
    numbers.iter().map(|x| x.clone() + Q::one()).collect()
}

fn shifts(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (rho, v, q) = values(case, &case.policy, s)?;
    let moved = fresh(case, |s| action_value(&case.tabular()?, &rho, &shifted(&v), s))?;
    Ok(equal_vectors(&moved, &shifted(&q)))
}

fn span_ignores_shifts(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (_, _, q) = values(case, &case.policy, s)?;
    Ok(equal(span_seminorm(&shifted(&q))?, span_seminorm(&q)?))
}

fn average_optimality(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (rho, v, _) = values(case, &case.optimal, s)?;
    Ok(zero_vector(&vector(s, |s| optimality_residual(&case.tabular()?, &rho, &v, s))?))
}

/// Whether every deterministic policy can be gone through: |A|^|X| systems of |X| unknowns, so many operations at most.
fn expect_few_policies(case: &Case) -> Result<()> {
    const OPERATIONS: f64 = 2e5;
    let (states, actions) = (case.model.shape.states as f64, case.model.shape.actions as f64);
    if actions.powf(states) * states.powi(3) > OPERATIONS { Err(not_applicable(FEW)) } else { Ok(()) }
}

fn unichain(case: &Case, s: &mut [Q]) -> Result<Compared> {
    expect_few_policies(case)?;
    validate_unichain(&case.tabular()?, s)?;
    Ok(truth(true))
}

/// D_q.
pub fn span(case: &Case, s: &mut [Q]) -> Result<Q> {
    expect_few_policies(case)?;
    span_bound(&case.tabular()?, s)
}

fn spans(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(policy_span(&case.tabular()?, &case.policy, s)?, span(case, s)?))
}

fn ones(case: &Case, _: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&case.linear_function(&case.varrho)?, &vec![Q::one(); case.mu.len()]))
}

fn ones_from_psi(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let sum = vector(s, |s| case.mdp()?.psi_times(&vec![Q::one(); case.v.len()], s))?;
    Ok(equal_vectors(&case.linear_function(&sum)?, &vec![Q::one(); case.mu.len()]))
}

fn average_flow(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = case.occupancy(&case.policy, s)?;
    Ok(zero_vector(&vector(s, |s| flow_residual(&case.tabular()?, &mu, s))?))
}

fn normalised(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(normalisation_residual(&case.occupancy(&case.policy, s)?)?, Q::zero()))
}

fn average_feasible(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = case.occupancy(&case.optimal, s)?;
    Ok(truth(lp_feasible(&case.tabular()?, &mu, &Q::zero(), s)?))
}

fn average_lp_optimal(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mu, best) = (case.occupancy(&case.policy, s)?, case.occupancy(&case.optimal, s)?);
    Ok(at_most(lp_objective(&case.tabular()?, &mu)?, lp_objective(&case.tabular()?, &best)?))
}

fn average_lp_value(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let best = case.occupancy(&case.optimal, s)?;
    Ok(equal(lp_objective(&case.tabular()?, &best)?, case.best.clone()))
}

fn average_lagrangians(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { varrho, rho, v, theta, beta: lambda, mu, .. }) = (case.mdp()?, case);
    let first = lagrangian(&mdp, varrho, rho, v, theta, lambda, mu, s)?;
    Ok(equal(first, lagrangian_regrouped(&mdp, varrho, rho, v, theta, lambda, mu, s)?))
}

fn average_lagrangians_printed(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { varrho, rho, v, theta, beta: lambda, mu, .. }) = (case.mdp()?, case);
    let first = lagrangian(&mdp, varrho, rho, v, theta, lambda, mu, s)?;
    let second = crate::errata::average_lagrangian_regrouped(&mdp, varrho, rho, v, theta, lambda, mu, s)?;
    Ok(equal(first, second))
}

fn average_lagrangian_of_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { varrho, beta, mu, rho, v, theta, .. }) = (case.average_saddle(power)?, case);
    let next = fresh(case, |s| case.mdp()?.psi_times(v, s))?;
    let bracket: Vec<Q> = (0..theta.len())
        .map(|i| case.model.omega[i].clone() + &next[i] - &theta[i] - rho.clone() * &varrho[i])
        .collect();
    let weighted = fill(theta.len(), |out| apply(&power.matrix, &bracket, out))?;
    let printed = rho.clone() + dot(beta, &weighted)? + excess(case)?;
    Ok(equal(printed, lagrangian_beta(&saddle, beta, mu, rho, v, theta, s)?))
}

fn average_lagrangians_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, mu, rho, v, theta, .. }) = (case.average_saddle(power)?, case);
    let first = lagrangian_beta(&saddle, beta, mu, rho, v, theta, s)?;
    Ok(equal(first, lagrangian_beta_regrouped(&saddle, beta, mu, rho, v, theta, s)?))
}

fn average_v_gradient_vanishes(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let saddle = case.average_saddle(power)?;
    let mu = vector(s, |s| mu_beta(&saddle, &case.beta, &case.policy, s))?;
    Ok(zero_vector(&vector(s, |s| v_gradient(&saddle, &case.beta, &mu, s))?))
}

fn average_f_forms(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    let whole = f_lagrangian(&saddle, beta, policy, rho, theta, s)?;
    Ok(equal(whole, f_beta(&saddle, beta, policy, rho, theta, s)?))
}

fn average_f_other_forms(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    Ok(equal(f_theta(&saddle, beta, policy, rho, theta, s)?, f_nu(&saddle, beta, policy, rho, theta, s)?))
}

fn average_f_all_forms(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    Ok(equal(f_nu(&saddle, beta, policy, rho, theta, s)?, f_beta(&saddle, beta, policy, rho, theta, s)?))
}

/// g_β, g_ρ and g_θ at the case's points.
pub fn gradients(case: &Case, power: &Power, s: &mut [Q]) -> Result<(Vec<Q>, Q, Vec<Q>)> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    let by_beta = vector(s, |s| beta_gradient(&saddle, policy, rho, theta, s))?;
    let by_theta = vector(s, |s| theta_gradient(&saddle, beta, policy, s))?;
    Ok((by_beta, rho_gradient(&saddle, beta, s)?, by_theta))
}

fn average_theta_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    let moved = f_beta(&saddle, beta, policy, rho, &plus(theta, beta), s)?;
    let slope = dot(&gradients(case, power, s)?.2, beta)?;
    Ok(equal(moved - f_beta(&saddle, beta, policy, rho, theta, s)?, slope))
}

fn average_beta_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    let moved = f_theta(&saddle, &plus(beta, theta), policy, rho, theta, s)?;
    let slope = dot(&gradients(case, power, s)?.0, theta)?;
    Ok(equal(moved - f_theta(&saddle, beta, policy, rho, theta, s)?, slope))
}

fn average_rho_slope(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, Case { beta, policy, rho, theta, .. }) = (case.average_saddle(power)?, case);
    let moved = f_beta(&saddle, beta, policy, &(rho.clone() + Q::one()), theta, s)?;
    Ok(equal(moved - f_beta(&saddle, beta, policy, rho, theta, s)?, gradients(case, power, s)?.1))
}

fn average_orders(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = super::appendix_c_moments::constants(case, power)?;
    let simple = simplified_complexity(power.c, case.theta.len(), &constants, &Q::one())?;
    Ok(at_most(complexity(&constants, &Q::one())?, simple))
}

fn average_fourth_power(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = super::appendix_c_moments::constants(case, power)?;
    let at = |epsilon: Q| simplified_complexity(power.c, case.theta.len(), &constants, &epsilon);
    Ok(equal(at(Q::ratio(1, 2))?, at(Q::one())? * count(16)))
}

fn average_linear_q(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (_, _, q) = values(case, &case.policy, s)?;
    let theta = vector(s, |s| Ok(theta_of_policy(&case.mdp()?, &case.varrho, &case.policy, s)?.1))?;
    let from_first = |values: &[Q]| values.iter().map(|x| x.clone() - &values[0]).collect::<Vec<Q>>();
    Ok(equal_vectors(&from_first(&case.linear_function(&theta)?), &from_first(&q)))
}
