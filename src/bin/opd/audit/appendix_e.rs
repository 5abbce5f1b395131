//! Appendix E and Section 6: the coverage ratios and their order.

use super::Entry;
use super::case::{Case, Q};
use super::check::{Compared, at_most, equal, truth};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::covariance::{Exponent, second_moment};
use offline_primal_dual::paper::coverage::{
    bellman_coverage_ratio, chi_squared, coverage_ratio, dagger_ratio_at_most, dagger_ratio_bracket,
    dagger_ratio_equals, diamond_ratio, diamond_ratio_trace, feature_variance, half_ratio_bound, second_moment_ratio,
    tabular_coverage_ratio, tabular_diamond_ratio,
};

pub const CHECKS: &[Entry] = &[
    Entry::plain("Def E.1, C^⋄", "E*[φᵀΛ⁻¹φ] = Tr(MΛ⁻¹)", diamond_two_ways),
    Entry::plain("Prop E.2", "C_{φ,1/2} = E*[φᵀΛ⁻¹φ] − V[Λ^{−1/2}φ]", variance_half),
    Entry::plain("Prop E.2", "C_{φ,1} = E*[φᵀΛ⁻²φ] − V[Λ⁻¹φ]", variance_one),
    Entry::plain("Prop E.3", "C^† ≤ C^⋄: M ⪯ C^⋄ Λ", dagger_below_diamond),
    Entry::plain("Prop E.3", "C^⋄ ≤ d C^†: M ⪯ (C^⋄/d) Λ only with equality", diamond_below_dagger),
    Entry::plain("Prop E.4", "C_{F,π} over two θ ≤ C^†, from above", bellman_below_dagger),
    Entry::plain("Section 6", "C_{φ,1/2} ≤ C^⋄ (Jensen)", jensen),
    Entry::plain("Section 6", "C_{φ,1/2} ≤ D_φ² C_{φ,1}", half_below_one),
    Entry::erratum(6, "C_{φ,1/2} ≤ C_{φ,1}, as printed", printed_half_below_one),
    Entry::plain("S6.tabular", "C_{φ,1/2} = Σ μ*²/μ_B", tabular_half),
    Entry::plain("S6.tabular", "C^⋄ = Σ μ*/μ_B", tabular_diamond),
    Entry::plain("S6.tabular", "1 + χ²(μ*‖μ_B) = C_{φ,1/2}", chi_square),
    Entry::erratum(5, "1 + χ²(μ*‖μ_B) = C_{φ,1}, as printed", printed_chi_square),
];

fn ratio(case: &mut Case, c: Exponent) -> Checked<Q> {
    let study = &mut case.study;
    coverage_ratio(c, &study.mdp, &study.mu_star, &study.lambda, &mut study.scratch)
}

fn diamond(case: &mut Case) -> Checked<Q> {
    let study = &mut case.study;
    diamond_ratio(&study.mdp, &study.mu_star, &study.lambda, &mut study.scratch)
}

/// M = E*\[φφᵀ\].
fn moment(case: &Case) -> Checked<Vec<Q>> {
    let dim = case.theta.len();
    let m = second_moment(dim, case.study.mdp.features(), &case.study.mu_star, &mut &mut Case::zeros(dim * dim)[..])?
        .to_vec();
    Ok(m)
}

fn bracket(case: &mut Case) -> Checked<(Q, Q)> {
    let (dim, m) = (case.theta.len(), moment(case)?);
    dagger_ratio_bracket(dim, &m, &case.study.lambda, 30, &mut case.study.scratch)
}

fn diamond_two_ways(case: &mut Case) -> Checked<Compared> {
    let (first, m) = (diamond(case)?, moment(case)?);
    Ok(equal(first, diamond_ratio_trace(case.theta.len(), &m, &case.study.lambda, &mut case.study.scratch)?))
}

fn variance(case: &mut Case, c: Exponent) -> Checked<Compared> {
    let left = ratio(case, c)?;
    let study = &mut case.study;
    let (mdp, mu, lambda, s) = (&study.mdp, &study.mu_star, &study.lambda, &mut study.scratch);
    Ok(equal(left, second_moment_ratio(c, mdp, mu, lambda, s)? - feature_variance(c, mdp, mu, lambda, s)?))
}

fn variance_half(case: &mut Case) -> Checked<Compared> {
    variance(case, Exponent::Half)
}

fn variance_one(case: &mut Case) -> Checked<Compared> {
    variance(case, Exponent::One)
}

fn dagger_below_diamond(case: &mut Case) -> Checked<Compared> {
    let (diamond, m, dim) = (diamond(case)?, moment(case)?, case.theta.len());
    Ok(truth(dagger_ratio_at_most(dim, &m, &case.study.lambda, &diamond, &mut case.study.scratch)?))
}

fn diamond_below_dagger(case: &mut Case) -> Checked<Compared> {
    let (m, dim) = (moment(case)?, case.theta.len());
    let tau = diamond(case)? / Q::from_int(i64::try_from(dim).unwrap_or(i64::MAX));
    let (lambda, s) = (&case.study.lambda, &mut case.study.scratch);
    let below = dagger_ratio_at_most(dim, &m, lambda, &tau, s)?;
    Ok(truth(!below || dagger_ratio_equals(dim, &m, lambda, &tau, s)?))
}

fn bellman_below_dagger(case: &mut Case) -> Checked<Compared> {
    let m = moment(case)?;
    let thetas: Vec<Q> = case.theta.iter().chain(&case.beta).cloned().collect();
    let study = &mut case.study;
    let found = bellman_coverage_ratio(&study.mdp, &case.policy, &thetas, &m, &study.lambda, &mut study.scratch)?;
    Ok(at_most(found, bracket(case)?.1))
}

fn jensen(case: &mut Case) -> Checked<Compared> {
    Ok(at_most(ratio(case, Exponent::Half)?, diamond(case)?))
}

fn half_below_one(case: &mut Case) -> Checked<Compared> {
    let (half, one) = (ratio(case, Exponent::Half)?, ratio(case, Exponent::One)?);
    Ok(at_most(half, half_ratio_bound(&case.study.bounds.phi, &one)?))
}

fn printed_half_below_one(case: &mut Case) -> Checked<Compared> {
    Ok(at_most(ratio(case, Exponent::Half)?, ratio(case, Exponent::One)?))
}

fn tabular(case: &Case) -> Checked<()> {
    if case.tabular_features { Ok(()) } else { Err(super::not_applicable("features that are unit vectors")) }
}

fn tabular_half(case: &mut Case) -> Checked<Compared> {
    tabular(case)?;
    let left = ratio(case, Exponent::Half)?;
    Ok(equal(left, tabular_coverage_ratio(Exponent::Half, &case.study.mu_star, &case.study.mu_b)?))
}

fn tabular_diamond(case: &mut Case) -> Checked<Compared> {
    tabular(case)?;
    Ok(equal(diamond(case)?, tabular_diamond_ratio(&case.study.mu_star, &case.study.mu_b)?))
}

fn chi(case: &mut Case, c: Exponent) -> Checked<Compared> {
    tabular(case)?;
    let right = ratio(case, c)?;
    Ok(equal(chi_squared(&case.study.mu_star, &case.study.mu_b)? + Q::one(), right))
}

fn chi_square(case: &mut Case) -> Checked<Compared> {
    chi(case, Exponent::Half)
}

fn printed_chi_square(case: &mut Case) -> Checked<Compared> {
    chi(case, Exponent::One)
}
