//! Appendix A: Theorem A.1, its constants, Remark A.2.

use super::case::{Case, Power, count};
use super::check::powered;
use super::compared::{Compared, at_most, equal, equal_enclosed_vectors};
use super::section3::{mean_beta_estimate, mean_theta_estimate};
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::norm_squared;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::number::{Field, Real};
use crate::paper::covariance::{Exponent, trace};
use crate::paper::discounted::guarantee::{
    Constants, Rates, beta_regret_bound, bound, inner_per_outer, policy_regret_bound, rates, second_moment_bound_beta,
    second_moment_bound_theta, squared_rates, theta_regret_bound, trace_norm_bound,
};

pub const STATEMENTS: &[Statement] = &[
    Statement::new("A", "Thm A.1", "the six-term bound")
        .coq(&["theorem_A_1", "theorem_A_1_from_definition", "theorem_A_1_samples"])
        .refuted(&[
            "theorem_A_1_refuted_from_16_400",
            "theorem_A_1_refuted_half_from_4000_2500",
            "printed_ratio_A_1_refuted",
        ])
        .errata(&[2, 4, 15, 23])
        .functions(&[
            "paper::discounted::guarantee::second_moment_bound_theta",
            "paper::discounted::guarantee::second_moment_bound_beta",
            "paper::discounted::guarantee::squared_rates",
            "paper::discounted::guarantee::rates",
            "paper::discounted::guarantee::bound_terms",
            "paper::discounted::guarantee::bound",
            "paper::discounted::guarantee::inner_per_outer",
            "paper::discounted::guarantee::complexity",
        ]),
    Statement::new("A", "(19)", "G_θ²")
        .label("eq:G1")
        .coq(&["lemma_B_1_second_moment"])
        .functions(&["paper::discounted::guarantee::second_moment_bound_theta"]),
    Statement::new("A", "(20)", "G_β²")
        .label("eq:G2")
        .coq(&["lemma_B_2_second_moment"])
        .errata(&[2])
        .functions(&["paper::discounted::guarantee::second_moment_bound_beta"]),
    Statement::new("A", "Rem A.2", "Tr(Λ^{2c−1})‖Λ‖^{2c−1} ≤ D_φ^{8c−4}d^{2−2c}").label("remark1").functions(&[
        "paper::discounted::guarantee::covariance_bounds",
        "paper::discounted::guarantee::trace_norm_bound",
    ]),
];

/// K and T where a check needs some.
pub const K: usize = 5;
pub const T: usize = 7;

pub const CHECKS: &[Check] = &[
    powered!(theta_moment, "Thm A.1, (19), Lemma B.1", "𝔼‖g̃_θ‖² ≤ G_θ²").enumerates(),
    powered!(beta_moment, "Thm A.1, (20), Lemma B.2", "𝔼‖g̃_β‖² ≤ G_β² with Tr(Λ^{2c−1})").enumerates(),
    powered!(alpha_rate, "Thm A.1", "α²T D_φ²D_θ² = 2 log|A|, at log|A| = 1"),
    powered!(eta_rate, "Thm A.1", "η²K G_θ² = 4D_θ²"),
    powered!(zeta_rate, "Thm A.1", "ζ²T G_β² = 4D_β²"),
    powered!(rates_are_roots, "Thm A.1", "α², η² and ζ² = the squares of the rates themselves (enclosed)"),
    powered!(balanced_ratio, "Thm A.1", "K/T·(2D_β²G_β² + D_θ²D_φ²log|A|) = 2D_θ²G_θ²"),
    powered!(
        bound_is_sum_of_lemmas,
        "Thm A.1, Lemma B.1, Lemma B.2, Lemma B.3",
        "T·(the six terms) = sum of the lemmas' bounds"
    ),
    powered!(remark, "Rem A.2", "Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} ≤ D_φ^{8c−4}d^{2−2c}"),
];

/// Tr(Λ^{2c−1}).
pub fn trace_of(case: &Case, power: &Power) -> Result<Q> {
    match power.c {
        Exponent::One => trace(case.theta.len(), &case.lambda),
        Exponent::Half => Ok(count(case.theta.len())),
    }
}

/// The theorem's constants at D_θ = ‖θ‖, D_β = ‖β‖, with log|A| = 1, which no equation here depends on.
pub fn constants(case: &Case, power: &Power) -> Result<Constants<Q>> {
    Ok(Constants {
        discount: case.discount().clone(),
        log_actions: Q::one(),
        phi_squared: case.bounds.phi.clone(),
        theta_squared: norm_squared(&case.theta)?,
        beta_squared: norm_squared(&case.beta)?,
        trace: trace_of(case, power)?,
        norm: power.norm.clone(),
    })
}

/// The same over enclosures, with log|A| itself.
pub fn enclosed(constants: &Constants<Q>, actions: usize) -> Constants<Interval> {
    let [discount, phi_squared, theta_squared, beta_squared, trace, norm] = [
        &constants.discount,
        &constants.phi_squared,
        &constants.theta_squared,
        &constants.beta_squared,
        &constants.trace,
        &constants.norm,
    ]
    .map(Interval::point);
    let log_actions = Interval::point(&count(actions)).ln();
    Constants { discount, log_actions, phi_squared, theta_squared, beta_squared, trace, norm }
}

/// 2(D_ω² + D_ψ²/(1−γ)²) ≥ (D_ω + D_ψ/(1−γ))² ≥ ‖θ^π‖² for every π.
pub fn theta_squared(case: &Case) -> Q {
    (case.bounds.omega.clone() + case.bounds.psi.clone() / (case.rest() * case.rest())) * Q::from_int(2)
}

fn theta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_theta_estimate(case, power, &case.beta, (false, true), s)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_theta(&constants(case, power)?)))
}

fn beta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_beta_estimate(case, power, &case.theta, true, s)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_beta(&constants(case, power)?)))
}

fn alpha_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let alpha = squared_rates(&constants, K, T)?.alpha;
    Ok(equal(alpha * count(T) * &constants.phi_squared * &constants.theta_squared, count(2)))
}

fn eta_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let eta = squared_rates(&constants, K, T)?.eta;
    Ok(equal(eta * second_moment_bound_theta(&constants) * count(K), constants.theta_squared * count(4)))
}

fn zeta_rate(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let zeta = squared_rates(&constants, K, T)?.zeta;
    Ok(equal(zeta * second_moment_bound_beta(&constants) * count(T), constants.beta_squared * count(4)))
}

/// Square roots, so over enclosures.
fn rates_are_roots(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let Rates { alpha, eta, zeta } = squared_rates(&constants, K, T)?;
    let squares = [alpha, eta, zeta].map(|square| Interval::point(&square));
    let constants = Constants { log_actions: Interval::one(), ..enclosed(&constants, 2) };
    let Rates { alpha, eta, zeta } = rates(&constants, K, T)?;
    Ok(equal_enclosed_vectors(&squares, &[alpha, eta, zeta].map(|rate| rate.clone() * rate)))
}

fn balanced_ratio(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = &constants;
    let two = Q::from_int(2);
    let by_t = two.clone() * beta_squared * second_moment_bound_beta(&constants)
        + theta_squared.clone() * phi_squared * log_actions;
    Ok(equal(inner_per_outer(&constants)? * by_t, two * theta_squared * second_moment_bound_theta(&constants)))
}

/// At α = 1/3, η = 1/4 and ζ = 1/5.
fn bound_is_sum_of_lemmas(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let rates = Rates { alpha: Q::ratio(1, 3), eta: Q::ratio(1, 4), zeta: Q::ratio(1, 5) };
    let lemmas = theta_regret_bound(&constants, &rates.eta, K, T)?
        + beta_regret_bound(&constants, &rates.zeta, T)?
        + policy_regret_bound(&constants, &rates.alpha, T)?;
    Ok(equal(bound(&constants, &rates, K, T)? * count(T), lemmas))
}

fn remark(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let bound = trace_norm_bound(power.c, case.theta.len(), &constants.phi_squared);
    Ok(at_most(constants.trace * &constants.norm, bound))
}
