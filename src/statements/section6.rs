//! Section 6: the coverage ratios and their order.

use super::case::{Case, count, fresh, not_applicable};
use super::check::{TABULAR, plain, printed};
use super::compared::{Compared, at_most, equal, truth};
use super::{Check, Statement};
use crate::error::Result;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::{Exponent, second_moment};
use crate::paper::coverage::{
    chi_squared, coverage_ratio, dagger_ratio_at_most, dagger_ratio_bracket, diamond_ratio, feature_variance,
    half_ratio_bound, rayleigh_quotient, rescaled_coverage_ratio, tabular_coverage_ratio, tabular_dagger_ratio,
    tabular_diamond_ratio,
};
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("6", "(17)", "C^⋄").label("eq:fcr").functions(&["paper::coverage::diamond_ratio"]),
    Statement::new("6", "(18)", "C^†")
        .label("eq:cr_US")
        .coq(&["dagger_exists"])
        .functions(&["paper::coverage::dagger::rayleigh_quotient"]),
    Statement::new("6", "S6.chain", "C_{φ,1/2} ≤ C^⋄ ≤ dC^†, C_{φ,1/2} = C^⋄ − Var, C_{φ,1/2} against C_{φ,1}")
        .coq(&["prop_E_2", "prop_E_3", "half_below_dagger"])
        .errata(&[6, 24])
        .functions(&["paper::coverage::rescaled_coverage_ratio", "paper::coverage::half_ratio_bound"]),
    Statement::new("6", "S6.tabular", "tabular forms, χ²").errata(&[5]).functions(&[
        "paper::coverage::tabular::tabular_coverage_ratio",
        "paper::coverage::tabular::tabular_diamond_ratio",
        "paper::coverage::tabular::tabular_dagger_ratio",
        "paper::coverage::tabular::chi_squared",
    ]),
];

pub const CHECKS: &[Check] = &[
    plain!(jensen, "(17), S6.chain", "C_{φ,1/2} ≤ C^⋄ (Jensen)"),
    plain!(low_variance, "(17), S6.chain", "C_{φ,1/2} = C^⋄ − Var(Λ^{−1/2}φ)"),
    plain!(dagger_at_a_point, "(18)", "yᵀMy/yᵀΛy ≤ C^†, from above, at y = θ"),
    plain!(half_below_dagger, "S6.chain", "C_{φ,1/2} ≤ C^†, so ≤ dC^†: M ⪯ τΛ only for τ ≥ C_{φ,1/2}"),
    plain!(half_below_one, "S6.chain", "C_{φ,1/2} ≤ D_φ² C_{φ,1}"),
    plain!(rescaled, "S6.chain", "C_{sφ,1} = C_{φ,1}/s², at s = 3"),
    printed!(6, printed_half_below_one, "C_{φ,1/2} ≤ C_{φ,1}, as printed"),
    printed!(6, printed_half_tighter, "d C_{φ,1/2}² ≤ C_{φ,1}²: the tighter bound of c = 1/2, by Cor 3.3's order"),
    plain!(tabular_half, "S6.tabular", "C_{φ,1/2} = Σ μ*²/μ_B"),
    plain!(tabular_one, "S6.tabular", "C_{φ,1} = Σ (μ*/μ_B)²"),
    plain!(tabular_diamond, "S6.tabular", "C^⋄ = Σ μ*/μ_B"),
    plain!(tabular_dagger, "S6.tabular", "max μ*/μ_B is C^†: M ⪯ τΛ, and no less will do"),
    plain!(chi_square, "S6.tabular", "1 + χ²(μ*‖μ_B) = C_{φ,1/2}"),
    printed!(5, printed_chi_square, "1 + χ²(μ*‖μ_B) = C_{φ,1}, as printed"),
];

/// C_{φ,c}.
pub fn ratio(case: &Case, c: Exponent, s: &mut [Q]) -> Result<Q> {
    coverage_ratio(c, &case.mdp()?, &case.mu_star, &case.lambda, s)
}

/// C^⋄.
pub fn diamond(case: &Case, s: &mut [Q]) -> Result<Q> {
    diamond_ratio(&case.mdp()?, &case.mu_star, &case.lambda, s)
}

/// M = E*\[φφᵀ\].
pub fn moment(case: &Case) -> Result<Vec<Q>> {
    let dim = case.theta.len();
    fresh(case, |s| second_moment(dim, &case.model.features, &case.mu_star, s))
}

/// Two numbers between which C^† lies.
pub fn bracket(case: &Case, s: &mut [Q]) -> Result<(Q, Q)> {
    dagger_ratio_bracket(case.theta.len(), &moment(case)?, &case.lambda, 10, s)
}

fn jensen(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(ratio(case, Exponent::Half, s)?, diamond(case, s)?))
}

fn low_variance(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let variance = feature_variance(Exponent::Half, &case.mdp()?, &case.mu_star, &case.lambda, s)?;
    Ok(equal(ratio(case, Exponent::Half, s)?, diamond(case, s)? - variance))
}

fn dagger_at_a_point(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let quotient = rayleigh_quotient(case.theta.len(), &moment(case)?, &case.lambda, &case.theta, s)?;
    Ok(at_most(quotient, bracket(case, s)?.1))
}

/// Every upper bound on C^† is one on C_{φ,1/2}; the bracket's upper end is one, within 2⁻¹⁰ of the least.
fn half_below_dagger(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(ratio(case, Exponent::Half, s)?, bracket(case, s)?.1))
}

fn half_below_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (half, one) = (ratio(case, Exponent::Half, s)?, ratio(case, Exponent::One, s)?);
    Ok(at_most(half, half_ratio_bound(&case.bounds.phi, &one)?))
}

/// Λ of the features 3φ is 9Λ, and Φᵀμ* three times what it was.
fn rescaled(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let scale = Q::from_int(3);
    let times = |numbers: &[Q], by: &Q| numbers.iter().map(|x| x.clone() * by).collect::<Vec<Q>>();
    let (mean, lambda) = (times(&case.mean_feature(&case.mu_star)?, &scale), times(&case.lambda, &Q::from_int(9)));
    let direct = crate::paper::coverage::inverse_norm_squared(Exponent::One, mean.len(), &lambda, &mean, s)?;
    Ok(equal(direct, rescaled_coverage_ratio(Exponent::One, &scale, &ratio(case, Exponent::One, s)?)?))
}

fn printed_half_below_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(ratio(case, Exponent::Half, s)?, ratio(case, Exponent::One, s)?))
}

/// d^{4−2c}C_{φ,c}² at c = 1/2 and c = 1, over d².
fn printed_half_tighter(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (half, one) = (ratio(case, Exponent::Half, s)?, ratio(case, Exponent::One, s)?);
    Ok(at_most(half.clone() * half * count(case.theta.len()), one.clone() * one))
}

fn tabular(case: &Case) -> Result<()> {
    if case.tabular_features { Ok(()) } else { Err(not_applicable(TABULAR)) }
}

fn tabular_half(case: &Case, s: &mut [Q]) -> Result<Compared> {
    tabular(case)?;
    let right = tabular_coverage_ratio(Exponent::Half, &case.mu_star, &case.mu_b)?;
    Ok(equal(ratio(case, Exponent::Half, s)?, right))
}

fn tabular_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    tabular(case)?;
    let right = tabular_coverage_ratio(Exponent::One, &case.mu_star, &case.mu_b)?;
    Ok(equal(ratio(case, Exponent::One, s)?, right))
}

fn tabular_diamond(case: &Case, s: &mut [Q]) -> Result<Compared> {
    tabular(case)?;
    Ok(equal(diamond(case, s)?, tabular_diamond_ratio(&case.mu_star, &case.mu_b)?))
}

fn tabular_dagger(case: &Case, s: &mut [Q]) -> Result<Compared> {
    tabular(case)?;
    let (m, dim, tau) = (moment(case)?, case.theta.len(), tabular_dagger_ratio(&case.mu_star, &case.mu_b)?);
    let less = tau.clone() * Q::ratio(999, 1000);
    let enough = dagger_ratio_at_most(dim, &m, &case.lambda, &tau, s)?;
    Ok(truth(enough && !dagger_ratio_at_most(dim, &m, &case.lambda, &less, s)?))
}

fn chi(case: &Case, c: Exponent, s: &mut [Q]) -> Result<Compared> {
    tabular(case)?;
    Ok(equal(chi_squared(&case.mu_star, &case.mu_b)? + Q::one(), ratio(case, c, s)?))
}

fn chi_square(case: &Case, s: &mut [Q]) -> Result<Compared> {
    chi(case, Exponent::Half, s)
}

fn printed_chi_square(case: &Case, s: &mut [Q]) -> Result<Compared> {
    chi(case, Exponent::One, s)
}
