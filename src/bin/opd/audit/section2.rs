//! Section 2: values, occupancies, linear programs, the Lagrangian.

use super::Entry;
use super::case::{Case, Q};
use super::check::{Compared, at_most, equal, equal_vectors, root_at_most_sum, truth, zero_vector};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::linear::vector::norm_squared;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::discounted::lagrangian::{lagrangian, lagrangian_regrouped, theta_of_policy};
use offline_primal_dual::paper::mdp::{
    action_value, action_value_direct, bellman_residual, compose, dual_feature_residual, dual_objective, dual_slack,
    expected_reward, extract_policy, flow_residual, lp_feasible, lp_objective, normalised_return, occupancy,
    optimality_residual, policy_average, primal_feature_residual, primal_flow_residual, primal_objective,
    state_marginal, state_occupancy, state_value, weak_duality_gap,
};

pub const CHECKS: &[Entry] = &[
    Entry::plain("S2.return", "(1−γ)⟨ν₀, v^π⟩ = ⟨r, μ^π⟩", returns),
    Entry::plain("S2.q", "q^π by its own system = r + γPv^π", q_two_ways),
    Entry::plain("S2.v", "v^π = Σ_a π(a|x) q^π(x,a)", v_from_q),
    Entry::plain("S2.nu", "ν^π = Eᵀμ^π", nu_is_marginal),
    Entry::plain("S2.mu", "Σ_{x,a} μ^π(x,a) = 1", mu_sums_to_one),
    Entry::plain("(1)", "q^π − r − γPv^π = 0", bellman),
    Entry::plain("(1)", "ν^π − (1−γ)ν₀ − γPᵀμ^π = 0", flow),
    Entry::plain("(2)", "μ^π is feasible", feasible),
    Entry::plain("(2)", "⟨r, μ⟩ at μ^π ≤ at μ*", lp_optimal),
    Entry::plain("(2)", "π from μ: π∘Eᵀμ^π = μ^π", extraction),
    Entry::plain("(2)", "Bellman's optimality equation at π*", optimality),
    Entry::plain("Def 2.1", "r = Φω and P = ΦΨ are an MDP, Φ of full rank", valid),
    Entry::plain("(3)", "Φθ^π = q^π", linear_q),
    Entry::plain("(3)", "Φ(ω + γΨv^π) = q^π", linear_q_written_out),
    Entry::plain("(3)", "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σ|ψ|‖", theta_bounded),
    Entry::erratum(3, "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σψ‖ as printed", theta_printed_bound),
    Entry::plain("(4)", "(1−γ)ν₀ + γΨᵀλ − Eᵀμ = 0 at λ = Φᵀμ^π", primal_flow),
    Entry::plain("(4)", "Φᵀμ − λ = 0 there", primal_feature),
    Entry::plain("(5)", "ω + γΨv − θ = 0 at v*, θ*", dual_feature),
    Entry::plain("(5)", "0 ≤ min (Ev − Φθ) at v*, θ*", dual_feasible),
    Entry::plain("(4), (5)", "primal at μ^π ≤ dual at v* (weak duality)", weak_duality),
    Entry::plain("(4), (5)", "primal optimum = dual optimum", strong_duality),
    Entry::plain("(6)", "both forms of the Lagrangian", lagrangians),
];

fn mu_of(case: &mut Case, policy: &[Q]) -> Checked<Vec<Q>> {
    case.study.occupancy(policy)
}

pub fn v_of(case: &mut Case, policy: &[Q]) -> Checked<Vec<Q>> {
    case.vector(|study, scratch| state_value(&study.tabular()?, policy, scratch))
}

fn q_of(case: &mut Case, policy: &[Q]) -> Checked<Vec<Q>> {
    let v = v_of(case, policy)?;
    case.vector(|study, s| action_value(&study.tabular()?, &v, s))
}

fn returns(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (v, mu) = (v_of(case, &policy)?, mu_of(case, &policy)?);
    Ok(equal(normalised_return(&case.study.tabular()?, &v)?, expected_reward(&case.study.reward, &mu)?))
}

pub fn q_direct(case: &mut Case) -> Checked<Vec<Q>> {
    let policy = case.policy.clone();
    case.vector(|study, scratch| action_value_direct(&study.tabular()?, &policy, scratch))
}

fn q_two_ways(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    Ok(equal_vectors(&q_direct(case)?, &q_of(case, &policy)?))
}

fn v_from_q(case: &mut Case) -> Checked<Compared> {
    let (policy, q) = (case.policy.clone(), q_direct(case)?);
    let averaged =
        policy_average(case.study.mdp.shape().actions, &policy, &q, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal_vectors(&v_of(case, &policy)?, &averaged))
}

fn nu_is_marginal(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let nu = case.vector(|study, scratch| state_occupancy(&study.tabular()?, &policy, scratch))?;
    let mu = mu_of(case, &policy)?;
    let marginal = state_marginal(case.study.mdp.shape().actions, &mu, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal_vectors(&nu, &marginal))
}

fn mu_sums_to_one(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mu = case.vector(|study, scratch| occupancy(&study.tabular()?, &policy, scratch))?;
    Ok(equal(mu.iter().fold(Q::zero(), |sum, x| sum + x), Q::one()))
}

fn bellman(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (q, v) = (q_direct(case)?, v_of(case, &policy)?);
    let residual = case.vector(|study, s| bellman_residual(&study.tabular()?, &q, &v, s))?;
    Ok(zero_vector(&residual))
}

fn flow(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mu = mu_of(case, &policy)?;
    let residual = case.vector(|study, scratch| flow_residual(&study.tabular()?, &mu, scratch))?;
    Ok(zero_vector(&residual))
}

fn feasible(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mu = mu_of(case, &policy)?;
    let mut feasible = false;
    case.vector(|study, scratch| {
        feasible = lp_feasible(&study.tabular()?, &mu, &Q::zero(), scratch)?;
        Ok(&mut [])
    })?;
    Ok(truth(feasible))
}

fn lp_optimal(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mu = mu_of(case, &policy)?;
    let tabular = case.study.tabular()?;
    Ok(at_most(lp_objective(&tabular, &mu)?, lp_objective(&tabular, &case.study.mu_star)?))
}

fn extraction(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (mu, actions) = (mu_of(case, &policy)?, case.study.mdp.shape().actions);
    let extracted = extract_policy(actions, &mu, &mut &mut case.study.scratch[..])?.to_vec();
    let marginal = state_marginal(actions, &mu, &mut &mut case.study.scratch[..])?.to_vec();
    let again = compose(actions, &extracted, &marginal, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal_vectors(&again, &mu))
}

fn optimality(case: &mut Case) -> Checked<Compared> {
    let policy = case.study.optimal.clone();
    let v = v_of(case, &policy)?;
    let residual = case.vector(|study, scratch| optimality_residual(&study.tabular()?, &v, scratch))?;
    Ok(zero_vector(&residual))
}

fn valid(case: &mut Case) -> Checked<Compared> {
    let mut valid = false;
    case.vector(|study, scratch| {
        valid = study.mdp.validate(scratch).is_ok() && study.tabular()?.validate().is_ok();
        Ok(&mut [])
    })?;
    Ok(truth(valid))
}

fn theta_of(case: &mut Case, policy: &[Q]) -> Checked<Vec<Q>> {
    case.vector(|study, scratch| theta_of_policy(&study.mdp, policy, scratch))
}

fn linear_q(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let theta = theta_of(case, &policy)?;
    let q = case.study.mdp.linear_function(&theta, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal_vectors(&q, &q_direct(case)?))
}

/// Φ(ω + γΨv).
pub fn linear_action_value(case: &mut Case, v: &[Q], discount: &Q) -> Checked<Vec<Q>> {
    let mdp = &case.study.mdp;
    let psi_v = mdp.psi_times(v, &mut &mut case.study.scratch[..])?.to_vec();
    let theta: Vec<Q> = mdp.omega().iter().zip(&psi_v).map(|(w, p)| w.clone() + p.clone() * discount).collect();
    let q = mdp.linear_function(&theta, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(q)
}

/// (3) with θ^π = ω + γΨv^π written out.
fn linear_q_written_out(case: &mut Case) -> Checked<Compared> {
    let (policy, discount) = (case.policy.clone(), case.study.mdp.discount().clone());
    let v = v_of(case, &policy)?;
    Ok(equal_vectors(&linear_action_value(case, &v, &discount)?, &q_direct(case)?))
}

fn theta_against(case: &mut Case, psi_squared: &Q) -> Checked<Compared> {
    let policy = case.policy.clone();
    let theta = theta_of(case, &policy)?;
    let rest = Q::one() - case.study.mdp.discount();
    let psi = psi_squared.clone() / (rest.clone() * rest);
    Ok(root_at_most_sum(&norm_squared(&theta)?, &case.study.bounds.omega, &psi))
}

fn theta_bounded(case: &mut Case) -> Checked<Compared> {
    let psi = case.study.bounds.psi.clone();
    theta_against(case, &psi)
}

fn theta_printed_bound(case: &mut Case) -> Checked<Compared> {
    let psi = case.study.bounds.psi_printed.clone();
    theta_against(case, &psi)
}

/// (λ, μ) = (Φᵀμ^π, μ^π).
fn primal_point(case: &mut Case) -> Checked<(Vec<Q>, Vec<Q>)> {
    let policy = case.policy.clone();
    let mu = mu_of(case, &policy)?;
    let lambda = case.study.mdp.mean_feature(&mu, &mut &mut case.study.scratch[..])?.to_vec();
    Ok((lambda, mu))
}

/// (v*, θ*).
fn dual_point(case: &mut Case) -> Checked<(Vec<Q>, Vec<Q>)> {
    let policy = case.study.optimal.clone();
    Ok((v_of(case, &policy)?, theta_of(case, &policy)?))
}

fn primal_flow(case: &mut Case) -> Checked<Compared> {
    let (lambda, mu) = primal_point(case)?;
    let residual = case.vector(|study, s| primal_flow_residual(&study.mdp, &lambda, &mu, s))?;
    Ok(zero_vector(&residual))
}

fn primal_feature(case: &mut Case) -> Checked<Compared> {
    let (lambda, mu) = primal_point(case)?;
    Ok(zero_vector(&case.vector(|study, s| primal_feature_residual(&study.mdp, &lambda, &mu, s))?))
}

fn dual_feature(case: &mut Case) -> Checked<Compared> {
    let (v, theta) = dual_point(case)?;
    Ok(zero_vector(&case.vector(|study, s| dual_feature_residual(&study.mdp, &v, &theta, s))?))
}

fn dual_feasible(case: &mut Case) -> Checked<Compared> {
    let (v, theta) = dual_point(case)?;
    let slack = case.vector(|study, s| dual_slack(&study.mdp, &v, &theta, s))?;
    let least = slack.iter().fold(slack[0].clone(), |least, x| if *x < least { x.clone() } else { least });
    Ok(at_most(Q::zero(), least))
}

fn weak_duality(case: &mut Case) -> Checked<Compared> {
    let ((lambda, _), (v, _)) = (primal_point(case)?, dual_point(case)?);
    let gap = weak_duality_gap(&case.study.mdp, &v, &lambda)?;
    let (primal, dual) = (primal_objective(&case.study.mdp, &lambda)?, dual_objective(&case.study.mdp, &v)?);
    Ok(Compared { holds: gap >= Q::zero(), ..at_most(primal, dual) })
}

fn strong_duality(case: &mut Case) -> Checked<Compared> {
    let (v, _) = dual_point(case)?;
    let lambda = case.study.mdp.mean_feature(&case.study.mu_star, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal(primal_objective(&case.study.mdp, &lambda)?, dual_objective(&case.study.mdp, &v)?))
}

fn lagrangians(case: &mut Case) -> Checked<Compared> {
    let (v, theta, lambda, mu) = (&case.v, &case.theta, &case.beta, &case.mu);
    let scratch = &mut case.study.scratch;
    let first = lagrangian(&case.study.mdp, v, theta, lambda, mu, scratch)?;
    Ok(equal(first, lagrangian_regrouped(&case.study.mdp, v, theta, lambda, mu, scratch)?))
}
