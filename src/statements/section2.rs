//! Section 2: values, occupancies, linear programs, the Lagrangian.

use super::case::{Case, fresh, vector};
use super::check::{plain, printed};
use super::compared::{Compared, at_most, equal, equal_vectors, root_at_most_sum, truth, zero_vector};
use super::section4::plus;
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::{dot, norm_squared};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::{apply_inverse, second_moment};
use crate::paper::discounted::lagrangian::{lagrangian, lagrangian_regrouped, theta_of_policy};
use crate::paper::discounted::saddle_point::{is_optimal, is_saddle_point};
use crate::paper::mdp::{
    action_value, action_value_direct, bellman_residual, compose, dual_feature_residual, dual_objective, dual_slack,
    expected_reward, extract_policy, flow_residual, lp_feasible, lp_objective, normalised_return, occupancy,
    optimality_residual, policy_average, primal_feature_residual, primal_flow_residual, primal_objective,
    state_occupancy, state_value, weak_duality_gap,
};
use std::vec;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("2", "S2.return", "ρ(π) in both vector forms")
        .functions(&["paper::mdp::value::normalised_return", "paper::mdp::value::expected_reward"])
        .coq(&["section_2_return", "section_2_series"])
        .errata(&[8]),
    Statement::new("2", "S2.q", "the action value q^π").functions(&["paper::mdp::value::action_value_direct"]),
    Statement::new("2", "S2.v", "the value v^π")
        .functions(&["paper::mdp::value::state_value"])
        .coq(&["section_2_values", "section_2_selection", "section_2_series"])
        .errata(&[12]),
    Statement::new("2", "S2.nu", "the state occupancy ν^π")
        .functions(&["paper::mdp::occupancy::state_occupancy"])
        .coq(&["section_2_occupancies", "section_2_selection", "section_2_series"])
        .errata(&[8]),
    Statement::new("2", "S2.mu", "the occupancy measure μ^π").functions(&["paper::mdp::occupancy::occupancy"]),
    Statement::new("2", "(1)", "Bellman's equation and the flow constraint").functions(&[
        "paper::mdp::value::action_value",
        "paper::mdp::value::bellman_residual",
        "paper::mdp::occupancy::flow_residual",
    ]),
    Statement::new("2", "(2)", "the LP over occupancy measures, policy extraction")
        .label("eq:original-lp")
        .coq(&["section_2_feasible", "section_2_optimal"])
        .functions(&[
            "paper::mdp::lp::lp_objective",
            "paper::mdp::lp::lp_feasible",
            "paper::mdp::policy::extract_policy",
        ]),
    Statement::new("2", "Def 2.1", "linear MDP").label("def:linMDP").errata(&[3]).functions(&[
        "paper::mdp::linear::LinearMdp",
        "paper::mdp::linear::LinearMdp::validate",
        "paper::mdp::linear::squared_bounds",
    ]),
    Statement::new("2", "(3)", "q^π = Φθ^π and the bound D_θ")
        .label("eq:linear-q")
        .functions(&["paper::mdp::linear::theta_of_value", "paper::mdp::linear::theta_bound"])
        .coq(&["equation_3", "section_2_theta_bound"])
        .errata(&[3, 8]),
    Statement::new("2", "(4)", "the primal LP in features")
        .label("eq:LP-phi")
        .coq(&["equations_2_4", "equations_4_5"])
        .functions(&[
            "paper::mdp::feature_lp::primal_objective",
            "paper::mdp::feature_lp::primal_flow_residual",
            "paper::mdp::feature_lp::primal_feature_residual",
            "paper::mdp::feature_lp::primal_feasible",
            "paper::mdp::feature_lp::weak_duality_gap",
        ]),
    Statement::new("2", "(5)", "the dual LP in features").label("eq:LP-phi-dual").coq(&["equations_4_5"]).functions(&[
        "paper::mdp::feature_lp::dual_objective",
        "paper::mdp::feature_lp::dual_feature_residual",
        "paper::mdp::feature_lp::dual_slack",
        "paper::mdp::feature_lp::dual_feasible",
        "paper::mdp::feature_lp::weak_duality_gap",
    ]),
    Statement::new("2", "(6)", "the Lagrangian, both forms")
        .label("eq:lag")
        .functions(&[
            "paper::discounted::lagrangian::lagrangian",
            "paper::discounted::lagrangian::lagrangian_regrouped",
        ])
        .coq(&["equation_6"]),
    Statement::new("2", "S2.saddle", "optimal solutions of (4) and (5) = saddle points of (6)")
        .coq(&["section_2_saddle"])
        .functions(&[
            "paper::discounted::saddle_point::is_saddle_point",
            "paper::discounted::saddle_point::is_optimal",
        ]),
];

pub const CHECKS: &[Check] = &[
    plain!(returns, "S2.return", "(1−γ)⟨ν₀, v^π⟩ = ⟨r, μ^π⟩"),
    plain!(q_two_ways, "S2.q", "q^π by its own system = r + γPv^π"),
    plain!(v_from_q, "S2.v", "v^π = Σ_a π(a|x) q^π(x,a)"),
    plain!(nu_is_marginal, "S2.nu", "ν^π = Eᵀμ^π"),
    plain!(mu_sums_to_one, "S2.mu", "Σ_{x,a} μ^π(x,a) = 1"),
    plain!(bellman, "(1)", "q^π − r − γPv^π = 0"),
    plain!(flow, "(1)", "ν^π − (1−γ)ν₀ − γPᵀμ^π = 0"),
    plain!(occupancy_feasible, "(2)", "μ^π is feasible"),
    plain!(others_infeasible, "(2)", "μ^π with 1/7 more at one (x,a) is not feasible"),
    plain!(occupancy_optimal, "(2)", "⟨r, μ⟩ at μ^π ≤ at the optimal policy's μ"),
    plain!(extraction, "(2)", "π from μ: π∘Eᵀμ^π = μ^π"),
    plain!(optimality, "(2)", "Bellman's optimality equation at an optimal policy"),
    plain!(valid, "Def 2.1", "r = Φω and P = ΦΨ are an MDP, Φ of full rank"),
    plain!(linear_q, "(3)", "Φθ^π = q^π"),
    plain!(linear_q_written_out, "(3)", "Φ(ω + γΨv^π) = q^π"),
    plain!(theta_bounded, "(3)", "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σ|ψ|‖"),
    printed!(3, theta_printed_bound, "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σψ‖ as printed"),
    plain!(primal_flow, "(4)", "(1−γ)ν₀ + γΨᵀλ − Eᵀμ = 0 at λ = Φᵀμ^π"),
    plain!(primal_feature, "(4)", "Φᵀμ − λ = 0 at μ^π and λ = Σ_{x,a} μ^π(x,a)φ(x,a), pair by pair"),
    plain!(
        theta_slope_of_lagrangian,
        "(4), (6)",
        "L at θ + h − L at θ = ⟨Φᵀμ − λ, h⟩, the constraint of (4), at any point"
    ),
    plain!(same_objective, "(2), (4)", "⟨r, μ^π⟩ = ⟨ω, Φᵀμ^π⟩"),
    plain!(dual_feature, "(5)", "ω + γΨv − θ = 0 at v* and the θ that solves ΦᵀΦθ = Φᵀq*"),
    plain!(
        lambda_slope_of_lagrangian,
        "(5), (6)",
        "L at λ + h − L at λ = ⟨ω + γΨv − θ, h⟩, the constraint of (5), at any point"
    ),
    plain!(dual_feasibility, "(5)", "0 ≤ min (Ev − Φθ) at v*, θ*"),
    plain!(weak_duality, "(4), (5)", "primal at μ^π ≤ dual at v* (weak duality)"),
    plain!(duality_gap_is_suboptimality, "(4), (5)", "dual at v* − primal at μ^π = ρ* − ρ(π)"),
    plain!(strong_duality, "(4), (5)", "primal optimum = dual optimum"),
    plain!(lagrangians, "(6)", "both forms of the Lagrangian"),
    plain!(saddle_at_optimum, "S2.saddle", "(v*, θ*, λ*, μ*) is a saddle point of (6)"),
    plain!(saddle_iff_optimal, "S2.saddle", "saddle point of (6) ⇔ optimal for (4) and (5), at five points"),
    plain!(saddle_value, "S2.saddle", "L(v*, θ*, λ*, μ*) = ρ*"),
    plain!(saddle_below, "S2.saddle", "L(v*, θ*, λ, μ) ≤ L(v*, θ*, λ*, μ*) for μ ≥ 0"),
    plain!(saddle_above, "S2.saddle", "L(v*, θ*, λ*, μ*) ≤ L(v, θ, λ*, μ*)"),
];

pub fn v_of(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| state_value(&case.tabular()?, policy, s))
}

fn q_of(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
    let v = v_of(case, policy, s)?;
    fresh(case, |s| action_value(&case.tabular()?, &v, s))
}

pub fn q_direct(case: &Case, s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| action_value_direct(&case.tabular()?, &case.policy, s))
}

pub fn theta_of(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| theta_of_policy(&case.mdp()?, policy, s))
}

fn returns(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (v, mu) = (v_of(case, &case.policy, s)?, case.occupancy(&case.policy, s)?);
    Ok(equal(normalised_return(&case.tabular()?, &v)?, expected_reward(&case.reward, &mu)?))
}

fn q_two_ways(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&q_direct(case, s)?, &q_of(case, &case.policy, s)?))
}

fn v_from_q(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let q = q_direct(case, s)?;
    let averaged = fresh(case, |s| policy_average(case.model.shape.actions, &case.policy, &q, s))?;
    Ok(equal_vectors(&v_of(case, &case.policy, s)?, &averaged))
}

fn nu_is_marginal(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let nu = vector(s, |s| state_occupancy(&case.tabular()?, &case.policy, s))?;
    Ok(equal_vectors(&nu, &case.marginal(&case.occupancy(&case.policy, s)?)?))
}

fn mu_sums_to_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = vector(s, |s| occupancy(&case.tabular()?, &case.policy, s))?;
    Ok(equal(mu.iter().fold(Q::zero(), |sum, x| sum + x), Q::one()))
}

fn bellman(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (q, v) = (q_direct(case, s)?, v_of(case, &case.policy, s)?);
    Ok(zero_vector(&fresh(case, |s| bellman_residual(&case.tabular()?, &q, &v, s))?))
}

fn flow(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = case.occupancy(&case.policy, s)?;
    Ok(zero_vector(&vector(s, |s| flow_residual(&case.tabular()?, &mu, s))?))
}

fn occupancy_feasible(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = case.occupancy(&case.policy, s)?;
    Ok(truth(lp_feasible(&case.tabular()?, &mu, &Q::zero(), s)?))
}

/// That moves the marginal of a state by 1/7 and what arrives there by at most γ/7.
fn others_infeasible(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mut mu = case.occupancy(&case.policy, s)?;
    mu[0] = mu[0].clone() + Q::ratio(1, 7);
    Ok(truth(!lp_feasible(&case.tabular()?, &mu, &Q::zero(), s)?))
}

fn occupancy_optimal(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mu, best) = (case.occupancy(&case.policy, s)?, case.occupancy(&case.optimal, s)?);
    Ok(at_most(lp_objective(&case.tabular()?, &mu)?, lp_objective(&case.tabular()?, &best)?))
}

fn extraction(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mu, actions) = (case.occupancy(&case.policy, s)?, case.model.shape.actions);
    let extracted = fresh(case, |s| extract_policy(actions, &mu, s))?;
    let marginal = case.marginal(&mu)?;
    Ok(equal_vectors(&fresh(case, |s| compose(actions, &extracted, &marginal, s))?, &mu))
}

fn optimality(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let v = v_of(case, &case.optimal, s)?;
    Ok(zero_vector(&vector(s, |s| optimality_residual(&case.tabular()?, &v, s))?))
}

fn valid(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(truth(case.mdp()?.validate(s).is_ok() && case.tabular()?.validate().is_ok()))
}

fn linear_q(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let theta = theta_of(case, &case.policy, s)?;
    Ok(equal_vectors(&case.linear_function(&theta)?, &q_direct(case, s)?))
}

/// Φ(ω + γΨv), with the γ that is given.
pub fn linear_action_value(case: &Case, v: &[Q], discount: &Q) -> Result<Vec<Q>> {
    let psi_v = fresh(case, |s| case.mdp()?.psi_times(v, s))?;
    let theta: Vec<Q> = case.model.omega.iter().zip(&psi_v).map(|(w, p)| w.clone() + p.clone() * discount).collect();
    case.linear_function(&theta)
}

/// (3) with θ^π = ω + γΨv^π written out.
fn linear_q_written_out(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let v = v_of(case, &case.policy, s)?;
    Ok(equal_vectors(&linear_action_value(case, &v, case.discount())?, &q_direct(case, s)?))
}

fn theta_against(case: &Case, psi_squared: &Q, s: &mut [Q]) -> Result<Compared> {
    let theta = theta_of(case, &case.policy, s)?;
    let psi = psi_squared.clone() / (case.rest() * case.rest());
    Ok(root_at_most_sum(&norm_squared(&theta)?, &case.bounds.omega, &psi))
}

fn theta_bounded(case: &Case, s: &mut [Q]) -> Result<Compared> {
    theta_against(case, &case.bounds.psi, s)
}

fn theta_printed_bound(case: &Case, s: &mut [Q]) -> Result<Compared> {
    theta_against(case, &case.bounds.psi_printed, s)
}

/// (λ, μ) = (Φᵀμ^π, μ^π).
fn primal_point(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<(Vec<Q>, Vec<Q>)> {
    let mu = case.occupancy(policy, s)?;
    Ok((case.mean_feature(&mu)?, mu))
}

/// (v^π, θ^π).
fn dual_point(case: &Case, policy: &[Q], s: &mut [Q]) -> Result<(Vec<Q>, Vec<Q>)> {
    Ok((v_of(case, policy, s)?, theta_of(case, policy, s)?))
}

fn primal_flow(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (lambda, mu) = primal_point(case, &case.policy, s)?;
    Ok(zero_vector(&vector(s, |s| primal_flow_residual(&case.mdp()?, &lambda, &mu, s))?))
}

/// [`primal_point`] has λ from Φᵀμ itself, which would make 0 of anything.
fn primal_feature(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mu = case.occupancy(&case.policy, s)?;
    let mut lambda = vec![Q::zero(); case.theta.len()];
    for (phi, weight) in case.model.features.chunks(case.theta.len()).zip(&mu) {
        for (sum, x) in lambda.iter_mut().zip(phi) {
            *sum += x.clone() * weight;
        }
    }
    Ok(zero_vector(&fresh(case, |s| primal_feature_residual(&case.mdp()?, &lambda, &mu, s))?))
}

fn same_objective(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (lambda, mu) = primal_point(case, &case.policy, s)?;
    Ok(equal(lp_objective(&case.tabular()?, &mu)?, primal_objective(&case.mdp()?, &lambda)?))
}

/// L is affine in θ: one step tells the slope.
fn theta_slope_of_lagrangian(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { v, theta, beta: lambda, mu, .. }) = (case.mdp()?, case);
    let moved = lagrangian(&mdp, v, &plus(theta, lambda), lambda, mu, s)?;
    let slope = fresh(case, |s| primal_feature_residual(&mdp, lambda, mu, s))?;
    Ok(equal(moved - lagrangian(&mdp, v, theta, lambda, mu, s)?, dot(&slope, lambda)?))
}

fn lambda_slope_of_lagrangian(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { v, theta, beta: lambda, mu, .. }) = (case.mdp()?, case);
    let moved = lagrangian_regrouped(&mdp, v, theta, &plus(lambda, theta), mu, s)?;
    let slope = fresh(case, |s| dual_feature_residual(&mdp, v, theta, s))?;
    Ok(equal(moved - lagrangian_regrouped(&mdp, v, theta, lambda, mu, s)?, dot(&slope, theta)?))
}

/// θ* from q*, which is solved for by itself: [`theta_of`] has it from ω + γΨv.
fn dual_feature(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (v, dim) = (v_of(case, &case.optimal, s)?, case.theta.len());
    let q = vector(s, |s| action_value_direct(&case.tabular()?, &case.optimal, s))?;
    let gram = vector(s, |s| second_moment(dim, &case.model.features, &vec![Q::one(); q.len()], s))?;
    let right = case.mean_feature(&q)?;
    let theta = vector(s, |s| apply_inverse(dim, &gram, &right, s))?;
    Ok(zero_vector(&fresh(case, |s| dual_feature_residual(&case.mdp()?, &v, &theta, s))?))
}

fn dual_feasibility(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (v, theta) = dual_point(case, &case.optimal, s)?;
    let slack = fresh(case, |s| dual_slack(&case.mdp()?, &v, &theta, s))?;
    let least = slack.iter().fold(slack[0].clone(), |least, x| if *x < least { x.clone() } else { least });
    Ok(at_most(Q::zero(), least))
}

fn weak_duality(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let ((lambda, _), (v, _)) = (primal_point(case, &case.policy, s)?, dual_point(case, &case.optimal, s)?);
    Ok(at_most(primal_objective(&case.mdp()?, &lambda)?, dual_objective(&case.mdp()?, &v)?))
}

fn duality_gap_is_suboptimality(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let ((lambda, mu), (v, _)) = (primal_point(case, &case.policy, s)?, dual_point(case, &case.optimal, s)?);
    let suboptimality = case.best.clone() - expected_reward(&case.reward, &mu)?;
    Ok(equal(weak_duality_gap(&case.mdp()?, &v, &lambda)?, suboptimality))
}

fn strong_duality(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let ((lambda, _), (v, _)) = (primal_point(case, &case.optimal, s)?, dual_point(case, &case.optimal, s)?);
    Ok(equal(primal_objective(&case.mdp()?, &lambda)?, dual_objective(&case.mdp()?, &v)?))
}

fn lagrangians(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (mdp, Case { v, theta, beta: lambda, mu, .. }) = (case.mdp()?, case);
    let first = lagrangian(&mdp, v, theta, lambda, mu, s)?;
    Ok(equal(first, lagrangian_regrouped(&mdp, v, theta, lambda, mu, s)?))
}

/// (v*, θ*, λ*, μ*).
fn saddle_point(case: &Case, s: &mut [Q]) -> Result<[Vec<Q>; 4]> {
    let ((lambda, mu), (v, theta)) = (primal_point(case, &case.optimal, s)?, dual_point(case, &case.optimal, s)?);
    Ok([v, theta, lambda, mu])
}

fn saddle_at_optimum(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let [v, theta, lambda, mu] = saddle_point(case, s)?;
    Ok(truth(is_saddle_point(&case.mdp()?, &v, &theta, &lambda, &mu, s)?))
}

/// At the optimum; with π for π* on either side and on both; and at a point that satisfies nothing in particular.
fn saddle_iff_optimal(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mdp = case.mdp()?;
    let [v, theta, lambda, mu] = saddle_point(case, s)?;
    let ((lambda_pi, mu_pi), (v_pi, theta_pi)) =
        (primal_point(case, &case.policy, s)?, dual_point(case, &case.policy, s)?);
    let points = [
        (&v, &theta, &lambda, &mu),
        (&v, &theta, &lambda_pi, &mu_pi),
        (&v_pi, &theta_pi, &lambda, &mu),
        (&v_pi, &theta_pi, &lambda_pi, &mu_pi),
        (&case.v, &case.theta, &case.beta, &case.mu),
    ];
    let mut agree = true;
    for (v, theta, lambda, mu) in points {
        agree &= is_saddle_point(&mdp, v, theta, lambda, mu, s)? == is_optimal(&mdp, v, theta, lambda, mu, s)?;
    }
    Ok(truth(agree))
}

fn saddle_value(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let [v, theta, lambda, mu] = saddle_point(case, s)?;
    Ok(equal(lagrangian(&case.mdp()?, &v, &theta, &lambda, &mu, s)?, case.best.clone()))
}

fn saddle_below(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let [v, theta, lambda, mu] = saddle_point(case, s)?;
    let measure: Vec<Q> = case.mu.iter().map(Field::abs).collect();
    let lhs = lagrangian(&case.mdp()?, &v, &theta, &case.beta, &measure, s)?;
    Ok(at_most(lhs, lagrangian(&case.mdp()?, &v, &theta, &lambda, &mu, s)?))
}

fn saddle_above(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let [v, theta, lambda, mu] = saddle_point(case, s)?;
    let lhs = lagrangian(&case.mdp()?, &v, &theta, &lambda, &mu, s)?;
    Ok(at_most(lhs, lagrangian(&case.mdp()?, &case.v, &case.theta, &lambda, &mu, s)?))
}
