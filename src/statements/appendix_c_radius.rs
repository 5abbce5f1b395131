//! Corollary C.2: how large θ has to be, and what n_ε is then.

use super::appendix_c_moments::constants;
use super::case::{Case, Power, count, vector};
use super::compared::{Compared, at_most, at_most_enclosed, equal};
use super::section5::span;
use crate::error::Result;
use crate::linear::vector::{norm, norm_squared};
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::number::{Field, Real};
use crate::paper::average_reward::guarantee::{
    Constants, corollary_complexity, least_theta_squared, simplified_complexity, theta_bound,
};
use crate::paper::average_reward::lagrangian::theta_of_policy;
use crate::paper::average_reward::unichain::policy_span;
use crate::paper::average_reward::values::shifted_theta;
use crate::paper::coverage::coverage_ratio;
use std::vec::Vec;

/// θ^π, and Lemma C.3's shift of it.
pub fn thetas_of_policy(case: &Case, s: &mut [Q]) -> Result<(Vec<Q>, Vec<Q>)> {
    let mdp = case.mdp()?;
    let theta = vector(s, |s| Ok(theta_of_policy(&mdp, &case.varrho, &case.policy, s)?.1))?;
    let shifted = vector(s, |s| shifted_theta(&mdp, &case.varrho, &theta, s))?;
    Ok((theta, shifted))
}

fn needed_radius(case: &Case, s: &mut [Q]) -> Result<Q> {
    least_theta_squared(&policy_span(&case.tabular()?, &case.policy, s)?, &case.bounds.phi)
}

pub fn span_needs_radius(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(needed_radius(case, s)?, norm_squared(&thetas_of_policy(case, s)?.0)?))
}

pub fn shifted_span_needs_radius(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(needed_radius(case, s)?, norm_squared(&thetas_of_policy(case, s)?.1)?))
}

/// ‖θ*‖ ≤ D_ω + m + D_ψD_q, where m is the square root of `middle`.
pub fn corollary_radius(case: &Case, middle: &Q, s: &mut [Q]) -> Result<Compared> {
    let (_, shifted) = thetas_of_policy(case, s)?;
    let [omega, middle, psi] = [&case.bounds.omega, middle, &case.bounds.psi].map(|x| Interval::point(x).sqrt());
    let bound = theta_bound(&omega, &middle, &psi, &Interval::point(&span(case, s)?))?;
    let shifted: Vec<Interval> = shifted.iter().map(Interval::point).collect();
    Ok(at_most_enclosed(&norm(&shifted)?, &bound))
}

pub fn corollary_theta(case: &Case, s: &mut [Q]) -> Result<Compared> {
    corollary_radius(case, &norm_squared(&case.varrho)?, s)
}

pub fn average_corollary_order(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (dim, one, span) = (case.theta.len(), Q::one(), span(case, s)?);
    let coverage = coverage_ratio(power.c, &case.mdp()?, &case.mu_star, &case.lambda, s)?;
    let constants = Constants {
        phi_squared: one.clone(),
        theta_squared: count(dim) * &span * &span,
        beta_squared: coverage.clone(),
        ..constants(case, power)?
    };
    let stated = corollary_complexity(power.c, dim, &span, &constants.log_actions, &coverage, &one)?;
    Ok(equal(stated, simplified_complexity(power.c, dim, &constants, &one)?))
}

/// 3(D_ω² + ‖ϱ‖² + D_ψ²D_q²), which bounds ‖θ*‖² by Corollary C.2.
pub fn theta_squared(case: &Case, s: &mut [Q]) -> Result<Q> {
    let span = span(case, s)?;
    let psi = case.bounds.psi.clone() * &span * &span;
    Ok((case.bounds.omega.clone() + norm_squared(&case.varrho)? + psi) * Q::from_int(3))
}

#[cfg(test)]
mod tests {
    use super::{Case, Q, theta_squared};
    use crate::instances;
    use crate::number::Field as _;
    use crate::paper::Setting;
    use crate::statements::appendix_a;
    use std::vec;

    /// 2(D_ω² + D_ψ²/(1−γ)²) at D_ω² = 3, D_ψ² = 5, γ = 1/2, and 3(D_ω² + ‖ϱ‖² + D_ψ²D_q²) at D_q = 7, which is the range of r where all
    /// actions lead to the same states, and ‖ϱ‖² = 11.
    #[test]
    fn radii_are_those_of_the_corollaries() {
        let model = instances::by_name("two-state").unwrap().to_owned().unwrap();
        for (setting, expected) in [(Setting::Discounted, 2 * (3 + 5 * 4)), (Setting::Average, 3 * (3 + 11 + 5 * 49))] {
            let mut case: Case = Case::new(setting, model.clone()).unwrap();
            (case.bounds.omega, case.bounds.psi, case.model.discount) =
                (Q::from_int(3), Q::from_int(5), Q::ratio(1, 2));
            case.varrho = [1, 3, 1, 0].map(Q::from_int).to_vec();
            case.transition = vec![Q::ratio(1, 2); 8];
            case.reward = [9, 2, 5, 4].map(Q::from_int).to_vec();
            let found = match setting {
                Setting::Discounted => appendix_a::theta_squared(&case),
                Setting::Average => theta_squared(&case, &mut case.scratch()).unwrap(),
            };
            assert_eq!(found, Q::from_int(expected));
        }
    }
}
