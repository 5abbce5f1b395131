//! Lemmas C.5 to C.7: the estimators' means and second moments.

use super::appendix_a::trace_of;
use super::case::{Case, Power, fill, weighted};
use super::compared::{Compared, at_most, equal, equal_vectors};
use super::section3::{feature, store};
use super::section5::gradients;
use crate::error::Result;
use crate::linear::vector::norm_squared;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::paper::average_reward::estimators::{
    beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
};
use crate::paper::average_reward::guarantee::{
    Constants, second_moment_bound_beta, second_moment_bound_rho, second_moment_bound_theta,
};
use std::vec;
use std::vec::Vec;

/// E g̃_β, or E‖g̃_β‖², at the ρ that is given.
pub fn mean_beta(case: &Case, power: &Power, rho: &Q, square: bool, s: &mut [Q]) -> Result<Vec<Q>> {
    let (v, dim, actions) = (case.v_theta(&case.theta, &case.policy, s)?, case.theta.len(), case.model.shape.actions);
    case.expectation(if square { 1 } else { dim }, |o, out| {
        let phi = feature(case, o);
        let error = td_error(&case.reward[o.x * actions + o.a], &v[o.next], phi, &case.theta, rho)?;
        let gradient = fill(dim, |out| beta_gradient_estimate(power.weight.as_deref(), phi, &error, out))?;
        store(&gradient, out, square)
    })
}

fn mean_rho(case: &Case, power: &Power, square: bool) -> Result<Q> {
    let weighted = weighted(power, &case.beta)?;
    let mut mean = case.expectation(1, |o, out| {
        let g = rho_gradient_estimate(feature(case, o), &weighted)?;
        out[0] = if square { g.clone() * g } else { g };
        Ok(())
    })?;
    Ok(mean.swap_remove(0))
}

fn mean_theta(case: &Case, power: &Power, square: bool) -> Result<Vec<Q>> {
    let (dim, weighted) = (case.theta.len(), weighted(power, &case.beta)?);
    case.expectation(if square { 1 } else { dim }, |o, out| {
        out.fill(Q::zero());
        for (phi_next, p) in case.features_of(o.next).chunks(dim).zip(case.row(&case.policy, o.next)) {
            let g = fill(dim, |out| theta_gradient_estimate(feature(case, o), phi_next, &weighted, out))?;
            let mut part = vec![Q::zero(); out.len()];
            store(&g, &mut part, square)?;
            for (o, part) in out.iter_mut().zip(part) {
                *o += part * p;
            }
        }
        Ok(())
    })
}

pub fn average_unbiased_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&mean_beta(case, power, &case.rho, false, s)?, &gradients(case, power, s)?.0))
}

pub fn average_unbiased_rho(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(mean_rho(case, power, false)?, gradients(case, power, s)?.1))
}

pub fn average_unbiased_theta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&mean_theta(case, power, false)?, &gradients(case, power, s)?.2))
}

/// The theorem's constants at D_θ = ‖θ‖ and D_β = ‖β‖. D_φD_θ from above: it is at most (D_φ² + D_θ²)/2.
pub fn constants(case: &Case, power: &Power) -> Result<Constants<Q>> {
    constants_at(case, power, norm_squared(&case.theta)?, norm_squared(&case.beta)?)
}

pub fn constants_at(case: &Case, power: &Power, theta_squared: Q, beta_squared: Q) -> Result<Constants<Q>> {
    let phi_squared = case.bounds.phi.clone();
    let phi_theta = (phi_squared.clone() + &theta_squared) / Q::from_int(2);
    let (trace, norm) = (trace_of(case, power)?, power.norm.clone());
    Ok(Constants { log_actions: Q::one(), phi_squared, theta_squared, phi_theta, beta_squared, trace, norm })
}

pub fn enclosed(constants: &Constants<Q>, log_actions: Interval) -> Constants<Interval> {
    let Constants { phi_squared, theta_squared, phi_theta, beta_squared, trace, norm, .. } = constants;
    let [phi_squared, theta_squared, phi_theta, beta_squared, trace, norm] =
        [phi_squared, theta_squared, phi_theta, beta_squared, trace, norm].map(Interval::point);
    Constants { log_actions, phi_squared, theta_squared, phi_theta, beta_squared, trace, norm }
}

/// With D_β²‖Λ‖^{2c−1} at its sharpest, ‖β‖²_{Λ^{2c−1}}.
fn sharp_constants(case: &Case, power: &Power, s: &mut [Q]) -> Result<Constants<Q>> {
    use crate::paper::covariance::{Exponent, weighted_norm_squared};
    let constants = constants(case, power)?;
    let beta_squared = match power.c {
        Exponent::One => weighted_norm_squared(case.theta.len(), &case.lambda, &case.beta, s)?,
        Exponent::Half => constants.beta_squared.clone(),
    };
    Ok(Constants { beta_squared, norm: Q::one(), ..constants })
}

pub fn average_beta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_beta(case, power, &case.rho, true, s)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_beta(&sharp_constants(case, power, s)?)))
}

pub fn average_rho_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(mean_rho(case, power, true)?, second_moment_bound_rho(&sharp_constants(case, power, s)?)))
}

pub fn average_theta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_theta(case, power, true)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_theta(&sharp_constants(case, power, s)?)))
}
