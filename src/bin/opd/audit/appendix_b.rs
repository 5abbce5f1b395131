//! Appendices A and B: second moments against G², the constants, the printed forms that fail.

use super::Entry;
use super::case::{Case, Power, Q};
use super::check::{Compared, at_most, equal};
use super::section4::{beta_star_of, mean_beta_estimate, mean_theta_estimate};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::linear::vector::norm_squared;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::covariance::{Exponent, trace};
use offline_primal_dual::paper::coverage::dagger_ratio_bracket;
use offline_primal_dual::paper::discounted::guarantee::{
    Constants, complexity, corollary_complexity, printed_second_moment_bound_beta, second_moment_bound_beta,
    second_moment_bound_theta, simplified_complexity, squared_rates, trace_norm_bound,
};

pub const CHECKS: &[Entry] = &[
    Entry::powered("Thm A.1, (19), Lemma B.1", "E‖g̃_θ‖² ≤ G_θ²", theta_moment),
    Entry::powered("Thm A.1, (20), Lemma B.2", "E‖g̃_β‖² ≤ G_β² with Tr(Λ^{2c−1})", beta_moment),
    Entry::powered_erratum(
        1,
        "E‖g̃_θ‖² ≤ G_θ² with g̃_θ as (10) prints it, β along the least of Λ",
        printed_theta_moment,
    ),
    Entry::powered_erratum(2, "E‖g̃_β‖² ≤ G_β² as (20) prints it, θ = −ω", printed_beta_moment),
    Entry::plain("Lemma B.3", "‖Φθ‖²_∞ ≤ D_φ²‖θ‖²", policy_range),
    Entry::powered("Thm A.1", "η²K G_θ² = 4D_θ²", rates),
    Entry::powered("Rem A.2", "Tr(Λ^{2c−1})‖Λ‖^{2c−1} ≤ D_φ^{8c−4}d^{2−2c}", remark),
    Entry::powered("Thm 3.2", "order of n_ε: Thm A.1's ≤ Thm 3.2's, at ε = log|A| = 1", orders),
    Entry::powered("Cor 3.3", "order of n_ε = Thm 3.2's at D_φ = 1, D_θ² = d/(1−γ)², D_β² = C_{φ,c}", corollary),
    Entry::powered_erratum(4, "C_{φ,c} ≤ D_β implies ‖β*‖ ≤ D_β: ‖β*‖² ≤ C² with D_β = C", printed_condition),
];

/// An upper bound on ‖Λ‖^{2c−1} that is proven exactly: Λ ⪯ τI.
pub fn norm_bound(case: &mut Case, power: &Power) -> Checked<Q> {
    if power.c == Exponent::Half {
        return Ok(Q::one());
    }
    let dim = case.theta.len();
    let mut identity = Case::zeros(dim * dim);
    (0..dim).for_each(|i| identity[i * dim + i] = Q::one());
    let study = &mut case.study;
    Ok(dagger_ratio_bracket(dim, &study.lambda, &identity, 20, &mut study.scratch)?.1)
}

/// The theorem's constants at D_θ = ‖θ‖, D_β = ‖β‖, with log|A| = 1, which no equation here depends on.
pub fn constants(case: &mut Case, power: &Power) -> Checked<Constants<Q>> {
    let dim = case.theta.len();
    let trace = match power.c {
        Exponent::One => trace(dim, &case.study.lambda)?,
        Exponent::Half => Q::from_int(i64::try_from(dim).unwrap_or(i64::MAX)),
    };
    Ok(Constants {
        discount: case.study.mdp.discount().clone(),
        log_actions: Q::one(),
        phi_squared: case.study.bounds.phi.clone(),
        theta_squared: norm_squared(&case.theta)?,
        beta_squared: norm_squared(&case.beta)?,
        trace,
        norm: norm_bound(case, power)?,
    })
}

fn theta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let moment = mean_theta_estimate(case, power, false, true)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_theta(&constants)))
}

fn beta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let moment = mean_beta_estimate(case, power, true)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_beta(&constants)))
}

/// Every coordinate direction is tried, at ‖β‖ = 10; the one that goes furthest beyond the bound is shown.
fn printed_theta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let kept = case.beta.clone();
    let mut worst: Option<(Q, Q)> = None;
    for j in 0..kept.len() {
        case.beta = Case::zeros(kept.len());
        case.beta[j] = Q::from_int(10);
        let bound = second_moment_bound_theta(&constants(case, power)?);
        let moment = mean_theta_estimate(case, power, true, true)?.swap_remove(0);
        if worst.as_ref().is_none_or(|(m, b)| moment.clone() - &bound > m.clone() - b) {
            worst = Some((moment, bound));
        }
    }
    case.beta = kept;
    let (moment, bound) = worst.unwrap_or((Q::zero(), Q::zero()));
    Ok(at_most(moment, bound))
}

fn printed_beta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let negative: Vec<Q> = case.study.mdp.omega().iter().map(|x| -x.clone()).collect();
    let kept = std::mem::replace(&mut case.theta, negative);
    let constants = constants(case, power);
    let moment = mean_beta_estimate(case, power, true);
    case.theta = kept;
    Ok(at_most(moment?.swap_remove(0), printed_second_moment_bound_beta(power.c, &constants?)))
}

fn policy_range(case: &mut Case) -> Checked<Compared> {
    let q = case.study.mdp.linear_function(&case.theta, &mut &mut case.study.scratch[..])?.to_vec();
    let squares = q.iter().map(|x| x.clone() * x);
    let largest = squares.fold(Q::zero(), |most, x| if x > most { x } else { most });
    Ok(at_most(largest, case.study.bounds.phi.clone() * norm_squared(&case.theta)?))
}

fn rates(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let (inner, outer) = (5, 7);
    let eta = squared_rates(&constants, inner, outer)?.eta;
    Ok(equal(eta * second_moment_bound_theta(&constants) * Q::from_int(5), constants.theta_squared * Q::from_int(4)))
}

fn remark(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let bound = trace_norm_bound(power.c, case.theta.len(), &constants.phi_squared);
    Ok(at_most(constants.trace * &constants.norm, bound))
}

fn orders(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let simple = simplified_complexity(power.c, case.theta.len(), &constants, &Q::one())?;
    Ok(at_most(complexity(&constants, &Q::one())?, simple))
}

fn corollary(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (dim, one) = (case.theta.len(), Q::one());
    let rest = one.clone() - case.study.mdp.discount();
    let coverage = norm_squared(&beta_star_of(case, power)?)?;
    let constants = Constants {
        phi_squared: one.clone(),
        theta_squared: Q::from_int(i64::try_from(dim).unwrap_or(i64::MAX)) / (rest.clone() * rest),
        beta_squared: coverage.clone(),
        ..constants(case, power)?
    };
    let stated = corollary_complexity(power.c, dim, &constants.discount, &constants.log_actions, &coverage, &one)?;
    Ok(equal(stated, simplified_complexity(power.c, dim, &constants, &one)?))
}

fn printed_condition(case: &mut Case, power: &Power) -> Checked<Compared> {
    let squared = norm_squared(&beta_star_of(case, power)?)?;
    Ok(at_most(squared.clone(), squared.clone() * squared))
}
