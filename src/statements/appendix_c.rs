//! Appendix C: Algorithm 2, Theorem C.1, the duality gap, the estimators and the regret bounds.

use super::appendix_a::{K, T};
use super::appendix_c_moments::{
    average_beta_moment, average_rho_moment, average_theta_moment, average_unbiased_beta, average_unbiased_rho,
    average_unbiased_theta, constants, constants_at, enclosed,
};
use super::appendix_c_radius::{
    average_corollary_order, corollary_theta, shifted_span_needs_radius, span_needs_radius,
};
use super::appendix_c_start::second_inner_loop;
use super::case::{Case, Power, count, not_applicable};
use super::check::{CHOICE, plain, powered};
use super::compared::{Compared, at_most, at_most_enclosed, equal, equal_enclosed_vectors};
use super::enumerated::{ExpectedAverage, average, average_beta_path, rate};
use super::{Check, Statement};
use crate::error::Result;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::paper::average_reward::guarantee::{
    Constants, Rates, beta_regret_bound, bound, gap_bound, inner_per_outer, rates as theorem_rates, rho_regret_bound,
    second_moment_bound_beta, second_moment_bound_rho, second_moment_bound_theta, squared_rates, theta_regret_bound,
};
use crate::paper::online_learning::mirror_descent::conditional_entropy;
use std::vec;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("C", "(23)", "the average-reward LP, Lagrangians, f and gradients")
        .label("eq:original-lp-AMDP")
        .coq(&["appendix_C_lagrangian", "appendix_C_f"])
        .errata(&[10, 25])
        .functions(&[
            "paper::average_reward::lp::lp_objective",
            "paper::average_reward::lp::flow_residual",
            "paper::average_reward::lp::normalisation_residual",
            "paper::average_reward::lp::lp_feasible",
            "paper::average_reward::lp::primal_objective",
            "paper::average_reward::lp::primal_flow_residual",
            "paper::average_reward::lp::primal_normalisation_residual",
            "paper::average_reward::lp::primal_feasible",
            "paper::average_reward::lp::dual_feature_residual",
            "paper::average_reward::lp::dual_feasible",
            "paper::average_reward::lp::weak_duality_gap",
            "paper::average_reward::lp::primal_point",
            "paper::average_reward::lp::dual_point",
            "paper::average_reward::lagrangian::lagrangian",
            "paper::average_reward::lagrangian::lagrangian_regrouped",
            "paper::average_reward::lagrangian::lagrangian_beta",
            "paper::average_reward::lagrangian::lagrangian_beta_regrouped",
            "paper::average_reward::lagrangian::nu_beta",
            "paper::average_reward::lagrangian::mu_beta",
            "paper::average_reward::lagrangian::f_theta",
            "paper::average_reward::lagrangian::f_nu",
            "paper::average_reward::lagrangian::f_beta",
            "paper::average_reward::lagrangian::f_lagrangian",
            "paper::average_reward::lagrangian::theta_gradient",
            "paper::average_reward::lagrangian::rho_gradient",
            "paper::average_reward::lagrangian::beta_gradient",
        ]),
    Statement::new("C", "C.theta-span", "D_θ scales at least linearly with D_q")
        .functions(&["paper::average_reward::guarantee::least_theta_squared"]),
    Statement::new("C", "Alg 2", "the average-reward method")
        .label("alg:Main")
        .kani(&[
            "average_reward_starts_in_balls",
            "average_reward_inner_step_is_the_box",
            "average_reward_outer_iteration_is_the_box",
            "average_reward_iteration_stays_in_balls",
            "draw_is_the_first_above",
            "unit_interval_is_idempotent",
        ])
        .errata(&[9, 11])
        .functions(&[
            "paper::average_reward::algorithm::Algorithm",
            "paper::average_reward::algorithm::Algorithm::outer_iteration",
            "paper::average_reward::algorithm::Algorithm::inner_step",
        ]),
    Statement::new("C", "Thm C.1", "the eight-term bound")
        .label("thm:AMDP_main")
        .coq(&["theorem_C_1", "theorem_C_1_from_definition", "theorem_C_1_samples"])
        .refuted(&["theorem_C_1_refuted_from_16_100", "printed_ratio_C_1_refuted"])
        .errata(&[4, 13, 15, 16])
        .functions(&[
            "paper::average_reward::guarantee::second_moment_bound_beta",
            "paper::average_reward::guarantee::second_moment_bound_rho",
            "paper::average_reward::guarantee::second_moment_bound_theta",
            "paper::average_reward::guarantee::squared_rates",
            "paper::average_reward::guarantee::rates",
            "paper::average_reward::guarantee::bound_terms",
            "paper::average_reward::guarantee::bound",
            "paper::average_reward::guarantee::inner_per_outer",
            "paper::average_reward::guarantee::complexity",
        ]),
    Statement::new("C", "(24)", "G_β²")
        .label("eq:amdpGbeta")
        .coq(&["lemma_C_5"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_beta"]),
    Statement::new("C", "(25)", "G_ρ²")
        .label("eq:amdpGrho")
        .coq(&["lemma_C_6"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_rho"]),
    Statement::new("C", "(26)", "G_θ²")
        .label("eq:amdpGtheta")
        .coq(&["lemma_C_7"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_theta"]),
    Statement::new("C", "Cor C.2", "the same under standard assumptions")
        .label("cavg")
        .errata(&[4, 6, 12, 24])
        .functions(&[
            "paper::average_reward::guarantee::theta_bound",
            "paper::average_reward::guarantee::corollary_complexity",
        ]),
    Statement::new("C", "(27)", "the dynamic duality gap")
        .functions(&["paper::average_reward::duality_gap::dynamic_duality_gap"]),
    Statement::new("C", "Lemma C.3", "gap = suboptimality")
        .label("lem:duality-to-suboptimality")
        .coq(&["lemma_C_3"])
        .kani(&["lemma_c_3"])
        .errata(&[13, 24])
        .functions(&[
            "paper::average_reward::duality_gap::Comparators",
            "paper::average_reward::duality_gap::beta_star",
            "paper::average_reward::duality_gap::rho_theta_stars",
            "paper::average_reward::duality_gap::dynamic_duality_gap",
            "paper::average_reward::duality_gap::average_suboptimality",
            "paper::average_reward::values::shifted_theta",
        ]),
    Statement::new("C", "Lemma C.4", "decomposition and bound")
        .label("lem:duality-to-opterror")
        .coq(&["lemma_C_4_equality", "lemma_C_4_inner", "lemma_C_4_inequality"])
        .kani(&["lemma_c_4"])
        .functions(&[
            "paper::average_reward::duality_gap::telescoped",
            "paper::average_reward::regret::theta_regret",
            "paper::average_reward::regret::rho_regret",
            "paper::average_reward::regret::beta_regret",
            "paper::average_reward::regret::policy_regret",
            "paper::discounted::regret::inner_regret",
            "paper::average_reward::guarantee::gap_bound",
        ]),
    Statement::new("C", "Lemma C.5", "g̃_β: unbiased, second moment, regret")
        .label("lem:gbeta")
        .coq(&["lemma_C_5", "lemma_D_1"])
        .errata(&[18, 26])
        .functions(&[
            "paper::average_reward::estimators::td_error",
            "paper::average_reward::estimators::beta_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_beta",
            "paper::average_reward::guarantee::beta_regret_bound",
        ]),
    Statement::new("C", "(28)", "Lemma C.5's regret bound")
        .label("eqn:betabound")
        .coq(&["lemma_D_1", "theorem_C_1"])
        .functions(&["paper::average_reward::guarantee::beta_regret_bound"]),
    Statement::new("C", "Lemma C.6", "g̃_ρ: unbiased, second moment, regret")
        .label("lem:grho")
        .coq(&["lemma_C_6", "lemma_D_1"])
        .errata(&[24])
        .functions(&[
            "paper::average_reward::estimators::rho_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_rho",
            "paper::average_reward::guarantee::rho_regret_bound",
        ]),
    Statement::new("C", "Lemma C.7", "g̃_θ: unbiased, second moment, regret")
        .label("lem:gtheta")
        .coq(&["lemma_C_7", "lemma_D_1"])
        .errata(&[10, 13])
        .functions(&[
            "paper::average_reward::estimators::theta_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_theta",
            "paper::average_reward::guarantee::theta_regret_bound",
        ]),
    Statement::new("C", "(29)", "Lemma C.7's regret bound")
        .label("eqn:thetabound")
        .coq(&["lemma_D_1", "theorem_C_1"])
        .functions(&["paper::average_reward::guarantee::theta_regret_bound"]),
];

pub const CHECKS: &[Check] = &[
    powered!(average_unbiased_beta, "Lemma C.5", "𝔼 g̃_β = g_β").enumerates(),
    powered!(average_unbiased_rho, "Lemma C.6", "𝔼 g̃_ρ = g_ρ").enumerates(),
    powered!(average_unbiased_theta, "Lemma C.7", "𝔼 g̃_θ = g_θ, over A' ∼ π too").enumerates(),
    powered!(average_beta_moment, "Thm C.1, (24), Lemma C.5", "𝔼‖g̃_β‖² ≤ G_β²").enumerates(),
    powered!(average_rho_moment, "Thm C.1, (25), Lemma C.6", "𝔼 g̃_ρ² ≤ 2(1 + ‖β‖²_{Λ^{2c−1}})").enumerates(),
    powered!(average_theta_moment, "Thm C.1, (26), Lemma C.7", "𝔼‖g̃_θ‖² ≤ 4D_φ²‖β‖²_{Λ^{2c−1}}").enumerates(),
    powered!(average_alpha_rate, "Thm C.1", "α²T D_φ²D_θ² = 2 log|A|, at log|A| = 1"),
    powered!(average_eta_rate, "Thm C.1", "η²K G_θ² = 4D_θ²"),
    powered!(average_zeta_rate, "Thm C.1", "ζ²T G_β² = 4D_β²"),
    powered!(average_xi_rate, "Thm C.1", "ξ²K G_ρ² = 1"),
    powered!(average_rates_are_roots, "Thm C.1", "α², η², ζ² and ξ² = the squares of the rates themselves (enclosed)"),
    powered!(average_balanced_ratio, "Thm C.1", "K/T·(4D_β²G_β² + 2D_θ²D_φ²log|A|) = G_ρ² + 4D_θ²G_θ²"),
    powered!(
        average_bound_is_sum,
        "Thm C.1, Lemma C.4, Lemma C.5, Lemma C.6, Lemma C.7",
        "the eight terms = the lemmas' bounds over T, K, K, and Lemma B.3's"
    ),
    powered!(
        average_beta_regret_bounded,
        "Lemma C.5, (28)",
        "𝔼 Σ_t ⟨β* − β_t, g_{β,t}⟩ ≤ its bound, over every data sequence, K = 1, T = 2, π₂ = π₁ (α = 0)"
    )
    .enumerates(),
    powered!(
        average_rho_regret_bounded,
        "Lemma C.6",
        "𝔼 Σ_i (ρ^{(i)} − ρ*)g_ρ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        average_theta_regret_bounded,
        "Lemma C.7, (29)",
        "𝔼 Σ_i ⟨θ^{(i)} − θ*, g_θ⟩ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        average_gap_bounded,
        "(27), Lemma C.4",
        "𝔼 𝒢_T ≤ its bound, over every data sequence, K = 2, T = 1 (enclosed)"
    )
    .enumerates(),
    powered!(
        average_gap_in_parts,
        "(27), Lemma C.4",
        "𝔼 𝒢_T = the mean of the regrets, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    plain!(span_needs_radius, "C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ^π‖²"),
    plain!(shifted_span_needs_radius, "C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ*‖², Lemma C.3's shift"),
    plain!(second_inner_loop, "Alg 2", "ρ_2^{(1)} = ρ_1, the average, as θ_2^{(1)} = θ_1"),
    plain!(corollary_theta, "Cor C.2", "‖θ*‖ ≤ D_ω + ‖ϱ‖ + D_ψD_q (enclosed)").enumerates(),
    powered!(average_corollary_order, "Cor C.2", "order of n_ε = Thm 5.3's at D_φ = 1, D_θ² = dD_q², D_β² = C_{φ,c}")
        .enumerates(),
];

fn average_balanced_ratio(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = &constants;
    let by_t = count(4) * beta_squared * second_moment_bound_beta(&constants)
        + count(2) * theta_squared * phi_squared * log_actions;
    let by_k = second_moment_bound_rho(&constants) + count(4) * theta_squared * second_moment_bound_theta(&constants);
    Ok(equal(inner_per_outer(&constants)? * by_t, by_k))
}

fn average_alpha_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let alpha = squared_rates(&constants, K, T)?.alpha;
    Ok(equal(alpha * count(T) * &constants.phi_squared * &constants.theta_squared, count(2)))
}

fn average_eta_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let eta = squared_rates(&constants, K, T)?.eta;
    Ok(equal(eta * second_moment_bound_theta(&constants) * count(K), constants.theta_squared * count(4)))
}

fn average_zeta_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let zeta = squared_rates(&constants, K, T)?.zeta;
    Ok(equal(zeta * second_moment_bound_beta(&constants) * count(T), constants.beta_squared * count(4)))
}

fn average_xi_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let xi = squared_rates(&constants, K, T)?.xi;
    Ok(equal(xi * second_moment_bound_rho(&constants) * count(K), Q::one()))
}

/// Square roots, so over enclosures.
fn average_rates_are_roots(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let Rates { alpha, eta, zeta, xi } = squared_rates(&constants, K, T)?;
    let squares = [alpha, eta, zeta, xi].map(|square| Interval::point(&square));
    let Rates { alpha, eta, zeta, xi } = theorem_rates(&enclosed(&constants, Interval::one()), K, T)?;
    Ok(equal_enclosed_vectors(&squares, &[alpha, eta, zeta, xi].map(|rate| rate.clone() * rate)))
}

fn rates() -> Rates<Q> {
    Rates { alpha: Q::ratio(1, 3), eta: Q::ratio(1, 4), zeta: Q::ratio(1, 5), xi: Q::ratio(1, 6) }
}

fn average_bound_is_sum(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let (constants, rates) = (constants(case, power)?, rates());
    let policy = constants.log_actions.clone() / (rates.alpha.clone() * count(T))
        + rates.alpha.clone() * &constants.phi_squared * &constants.theta_squared / count(2);
    let lemmas = beta_regret_bound(&constants, &rates.zeta, T)? / count(T)
        + rho_regret_bound(&constants, &rates.xi, K)? / count(K)
        + theta_regret_bound(&constants, &rates.eta, K)? / count(K)
        + policy;
    Ok(equal(bound(&constants, &rates, K, T)?, lemmas))
}

/// The expected regrets, with the constants at their radii.
fn expected(case: &Case, power: &Power, s: &mut [Q]) -> Result<(ExpectedAverage, Constants<Q>)> {
    let expected = average(case, power, s)?;
    let (theta_squared, beta_squared) = (expected.both.theta_squared.clone(), expected.both.beta_squared.clone());
    let constants = constants_at(case, power, theta_squared, beta_squared)?;
    Ok((expected, constants))
}

fn average_beta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let path = average_beta_path(case, power, s)?;
    let constants = constants_at(case, power, path.theta_squared, path.beta_squared)?;
    Ok(at_most(path.regret, beta_regret_bound(&constants, &rate(), 2)?))
}

fn average_rho_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.rho, rho_regret_bound(&constants, &rate(), 2)?))
}

fn average_theta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.both.theta, theta_regret_bound(&constants, &rate(), 2)?))
}

fn average_gap_in_parts(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let ExpectedAverage { both, rho, policy, gap } = average(case, power, s)?;
    Ok(equal(gap, both.beta + policy + (both.theta + rho) / count(2)))
}

/// π₁ is uniform.
fn average_gap_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let actions = case.model.shape.actions;
    if actions < 2 {
        return Err(not_applicable(CHOICE));
    }
    let (expected, constants) = expected(case, power, s)?;
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let (nu, star) = (points(&case.marginal(&case.mu_star)?), points(&case.star));
    let uniform = vec![Interval::point(&(Q::one() / count(actions))); case.mu.len()];
    let entropy = conditional_entropy(actions, &nu, &star, &uniform)?;
    let [alpha, eta, zeta, xi] = [rate(), rate(), rate(), rate()].map(|rate| Interval::point(&rate));
    let rates = Rates { alpha, eta, zeta, xi };
    let bound = gap_bound(&enclosed(&constants, Interval::zero()), &entropy, &rates, 2, 1)?;
    Ok(at_most_enclosed(&Interval::point(&expected.gap), &bound))
}
