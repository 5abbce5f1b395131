//! Appendix E: the four coverage ratios, and how they compare.

use super::case::{Case, fill, identity, not_applicable, vector};
use super::check::{ROOT, plain};
use super::compared::{Compared, at_most, equal, equal_vectors, truth};
use super::section6::{bracket, diamond, moment, ratio};
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::apply;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::{Exponent, trace};
use crate::paper::coverage::{
    bellman_coverage_ratio, bellman_error, bellman_error_ratio, dagger_ratio_at_most, dagger_ratio_equals,
    diamond_ratio_of_traces, diamond_ratio_trace, feature_error_ratio, feature_variance, rayleigh_quotient,
    second_moment_ratio, theta_of_bellman_error, whitened_moment, whitened_quotient,
};
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("E", "Def E.1", "four coverage ratios").label("def:cr").errata(&[12, 19]).functions(&[
        "paper::coverage::coverage_ratio",
        "paper::coverage::diamond_ratio",
        "paper::coverage::dagger::rayleigh_quotient",
        "paper::coverage::dagger::dagger_ratio_at_most",
        "paper::coverage::dagger::dagger_ratio_equals",
        "paper::coverage::dagger::dagger_ratio",
        "paper::coverage::bellman::bellman_operator",
        "paper::coverage::bellman::bellman_error_ratio",
        "paper::coverage::bellman::bellman_coverage_ratio",
    ]),
    Statement::new("E", "Prop E.2", "the variance identity")
        .label("prop:cr1")
        .coq(&["prop_E_2"])
        .functions(&["paper::coverage::second_moment_ratio", "paper::coverage::feature_variance"]),
    Statement::new("E", "Prop E.3", "C^† ≤ C^⋄ ≤ d C^†")
        .label("prop:cr2")
        .coq(&["prop_E_3", "dagger_exists"])
        .errata(&[19])
        .functions(&["paper::coverage::diamond_ratio_trace", "paper::coverage::dagger::dagger_ratio_bracket"]),
    Statement::new("E", "(30)", "C^⋄ = 𝔼*[Tr(φφᵀΛ⁻¹)]")
        .functions(&["paper::coverage::proof_steps::diamond_ratio_of_traces"]),
    Statement::new("E", "(31)", "C^⋄ = Tr(MΛ⁻¹)").functions(&["paper::coverage::diamond_ratio_trace"]),
    Statement::new("E", "(32)", "C^⋄ = Tr(Λ^{−1/2}MΛ^{−1/2})")
        .functions(&["paper::coverage::proof_steps::whitened_moment"]),
    Statement::new("E", "(33)", "C^† as a supremum over z = Λ^{1/2}y")
        .functions(&["paper::coverage::proof_steps::whitened_quotient"]),
    Statement::new("E", "(34)", "C^† = λ_max(Λ^{−1/2}MΛ^{−1/2})")
        .functions(&["paper::coverage::proof_steps::whitened_quotient"]),
    Statement::new("E", "Prop E.4", "C_{𝓕,π} ≤ C^†")
        .label("prop:cr3")
        .coq(&["prop_E_4"])
        .errata(&[19, 24])
        .functions(&["paper::coverage::bellman::bellman_error", "paper::coverage::bellman::theta_of_bellman_error"]),
    Statement::new("E", "(35)", "C_{𝓕,π} on X×A").functions(&["paper::coverage::bellman::bellman_error_ratio"]),
    Statement::new("E", "(36)", "C_{𝓕,π} in feature space, θ over ℝ^d")
        .label("ineq")
        .functions(&["paper::coverage::proof_steps::feature_error_ratio"]),
    Statement::new("E", "(37)", "the same over y = θ − 𝒯θ")
        .functions(&["paper::coverage::proof_steps::feature_error_ratio"]),
    Statement::new("E", "(38)", "the same as a quotient of quadratic forms")
        .functions(&["paper::coverage::dagger::rayleigh_quotient"]),
];

pub const CHECKS: &[Check] = &[
    plain!(diamond_two_ways, "Def E.1, (31), Prop E.3", "𝔼*[φᵀΛ⁻¹φ] = Tr(MΛ⁻¹)"),
    plain!(diamond_of_traces, "(30)", "𝔼*[Tr(φφᵀΛ⁻¹)] = 𝔼*[φᵀΛ⁻¹φ]"),
    plain!(diamond_whitened, "(32)", "Tr(Λ^{−1/2}MΛ^{−1/2}) = 𝔼*[φᵀΛ⁻¹φ]"),
    plain!(variance_half, "Prop E.2", "C_{φ,1/2} = 𝔼*[φᵀΛ⁻¹φ] − Var(Λ^{−1/2}φ)"),
    plain!(variance_one, "Prop E.2", "C_{φ,1} = 𝔼*[φᵀΛ⁻²φ] − Var(Λ⁻¹φ)"),
    plain!(dagger_below_diamond, "Prop E.3", "C^† ≤ C^⋄: M ⪯ C^⋄ Λ"),
    plain!(diamond_below_dagger, "Prop E.3", "C^⋄ ≤ d C^†: M ⪯ (C^⋄/d) Λ only with equality"),
    plain!(whitened_quotients, "(33)", "zᵀΛ^{−1/2}MΛ^{−1/2}z / zᵀz = yᵀMy / yᵀΛy at y = Λ^{−1/2}z"),
    plain!(largest_eigenvalue, "(34)", "Λ^{−1/2}MΛ^{−1/2} ⪯ τI ⇔ M ⪯ τΛ, at both ends of C^†'s bracket and at C^⋄"),
    plain!(bellman_below_dagger, "Def E.1, Prop E.4", "C_{𝓕,π} over two θ ≤ C^†, from above"),
    plain!(
        bellman_error_in_features,
        "(35), (36)",
        "‖f − 𝒯f‖²_{μ*}/‖f − 𝒯f‖²_{μ_B} = the quotient at θ − 𝒯θ in feature space"
    ),
    plain!(every_y_is_reached, "Prop E.4, (36), (37)", "θ − 𝒯θ = y at the θ found for a given y: equality for Θ = ℝ^d"),
    plain!(quadratic_forms, "(37), (38)", "𝔼*⟨φ,y⟩²/𝔼_B⟨φ,y⟩² = yᵀMy/yᵀΛy"),
];

fn diamond_two_ways(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(diamond(case, s)?, diamond_ratio_trace(case.theta.len(), &moment(case)?, &case.lambda, s)?))
}

fn diamond_of_traces(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(diamond_ratio_of_traces(&case.mdp()?, &case.mu_star, &case.lambda, s)?, diamond(case, s)?))
}

/// Λ^{−1/2}MΛ^{−1/2}, with Λ^{−1/2}.
fn whitened<'a>(case: &'a Case, s: &mut [Q]) -> Result<(Vec<Q>, &'a [Q])> {
    let root = case.powers.iter().find_map(|power| power.weight.as_ref());
    let (dim, m, weight) = (case.theta.len(), moment(case)?, root.ok_or(not_applicable(ROOT))?);
    Ok((vector(s, |s| whitened_moment(dim, &m, weight, s))?, weight))
}

fn diamond_whitened(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (matrix, _) = whitened(case, s)?;
    Ok(equal(trace(case.theta.len(), &matrix)?, diamond(case, s)?))
}

fn variance(case: &Case, c: Exponent, s: &mut [Q]) -> Result<Compared> {
    let (mdp, mu, lambda) = (case.mdp()?, &case.mu_star, &case.lambda);
    let right = second_moment_ratio(c, &mdp, mu, lambda, s)? - feature_variance(c, &mdp, mu, lambda, s)?;
    Ok(equal(ratio(case, c, s)?, right))
}

fn variance_half(case: &Case, s: &mut [Q]) -> Result<Compared> {
    variance(case, Exponent::Half, s)
}

fn variance_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    variance(case, Exponent::One, s)
}

fn dagger_below_diamond(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (diamond, m) = (diamond(case, s)?, moment(case)?);
    Ok(truth(dagger_ratio_at_most(case.theta.len(), &m, &case.lambda, &diamond, s)?))
}

fn diamond_below_dagger(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (m, dim) = (moment(case)?, case.theta.len());
    let tau = diamond(case, s)? / super::case::count(dim);
    let below = dagger_ratio_at_most(dim, &m, &case.lambda, &tau, s)?;
    Ok(truth(!below || dagger_ratio_equals(dim, &m, &case.lambda, &tau, s)?))
}

fn whitened_quotients(case: &Case, s: &mut [Q]) -> Result<Compared> {
    super::section3::invertible(case)?;
    let ((matrix, weight), dim, z) = (whitened(case, s)?, case.theta.len(), &case.theta);
    let y = fill(dim, |out| apply(weight, z, out))?;
    let right = rayleigh_quotient(dim, &moment(case)?, &case.lambda, &y, s)?;
    Ok(equal(whitened_quotient(dim, &matrix, z, s)?, right))
}

fn largest_eigenvalue(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let ((matrix, _), dim, m) = (whitened(case, s)?, case.theta.len(), moment(case)?);
    let unit = identity(dim);
    let (lower, upper) = bracket(case, s)?;
    let mut agree = true;
    for tau in [lower.clone() * Q::ratio(1, 2), lower, upper, diamond(case, s)?] {
        let in_features = dagger_ratio_at_most(dim, &m, &case.lambda, &tau, s)?;
        agree &= in_features == dagger_ratio_at_most(dim, &matrix, &unit, &tau, s)?;
    }
    Ok(truth(agree))
}

fn bellman_below_dagger(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let thetas: Vec<Q> = case.theta.iter().chain(&case.beta).cloned().collect();
    let found = bellman_coverage_ratio(&case.mdp()?, &case.policy, &thetas, &moment(case)?, &case.lambda, s)?;
    Ok(at_most(found, bracket(case, s)?.1))
}

fn error_of(case: &Case, theta: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
    vector(s, |s| bellman_error(&case.mdp()?, &case.policy, theta, s))
}

fn bellman_error_in_features(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (f, y) = (case.linear_function(&case.theta)?, error_of(case, &case.theta, s)?);
    let left = bellman_error_ratio(&case.mdp()?, &case.policy, &f, &case.mu_star, &case.mu_b, s)?;
    let right = feature_error_ratio(&case.mdp()?, &y, &case.mu_star, &case.mu_b)?;
    Ok(left.map_or_else(|| truth(false), |left| equal(left, right)))
}

fn every_y_is_reached(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let y = &case.beta;
    let theta = vector(s, |s| theta_of_bellman_error(&case.mdp()?, &case.policy, y, s))?;
    Ok(equal_vectors(&error_of(case, &theta, s)?, y))
}

fn quadratic_forms(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let left = feature_error_ratio(&case.mdp()?, &case.beta, &case.mu_star, &case.mu_b)?;
    Ok(equal(left, rayleigh_quotient(case.theta.len(), &moment(case)?, &case.lambda, &case.beta, s)?))
}
