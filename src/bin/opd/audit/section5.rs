//! Section 5 and Appendix C: the average-reward setting.

use super::Entry;
use super::case::{Case, Power, Q};
use super::check::{Compared, at_most, equal, equal_vectors, truth, zero_vector};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::linear::vector::{dot, norm_squared};
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::estimators::{
    beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
};
use offline_primal_dual::paper::average_reward::guarantee::{
    Constants, second_moment_bound_beta, second_moment_bound_rho, second_moment_bound_theta,
};
use offline_primal_dual::paper::average_reward::lagrangian::{
    Saddle, beta_gradient, f_beta, f_lagrangian, f_nu, f_theta, lagrangian, lagrangian_beta, lagrangian_beta_regrouped,
    lagrangian_regrouped, lagrangian_regrouped_as_printed, mu_beta, rho_gradient, theta_gradient, theta_of_policy,
    v_gradient,
};
use offline_primal_dual::paper::average_reward::lp::{
    flow_residual, lp_feasible, lp_objective, normalisation_residual,
};
use offline_primal_dual::paper::average_reward::optimal::optimality_residual;
use offline_primal_dual::paper::average_reward::unichain::{policy_span, span_bound, validate_unichain};
use offline_primal_dual::paper::average_reward::values::{
    action_value, bellman_residual, gain, relative_value, state_value,
};
use offline_primal_dual::paper::covariance::{Exponent, trace, weighted_norm_squared};
use offline_primal_dual::paper::discounted::lagrangian::v_theta;
use offline_primal_dual::paper::mdp::policy_average;

pub const CHECKS: &[Entry] = &[
    Entry::plain("S5.gain", "⟨μ^π, r⟩ = ρ^π from Bellman's equations", gain_two_ways),
    Entry::plain("S5.bias", "q^π − r + ρ^π1 − Pv^π = 0, v^π = Eᵀ(π∘q^π)", bellman),
    Entry::plain("S5.bias", "shifting v by 1 shifts q by 1", shifts),
    Entry::plain("S5.bias", "Bellman's optimality equation at π*", optimality),
    Entry::plain("Asm 5.1", "every policy is unichain", unichain),
    Entry::plain("Asm 5.1", "‖q^π‖_sp ≤ D_q = max over deterministic policies", spans),
    Entry::plain("Asm 5.2", "Φϱ = 1", ones),
    Entry::plain("(23)", "Eᵀμ^π − Pᵀμ^π = 0", flow),
    Entry::plain("(23)", "⟨μ^π, 1⟩ − 1 = 0", normalised),
    Entry::plain("(23)", "μ* is feasible", feasible),
    Entry::plain("(23)", "⟨r, μ⟩ at μ^π ≤ at μ* = ρ*", lp_optimal),
    Entry::plain("(23)", "both forms of the Lagrangian in λ", lagrangians),
    Entry::erratum(10, "both forms of the Lagrangian in λ, the second as printed", printed_lagrangians),
    Entry::powered("(23)", "both forms of the Lagrangian in β", lagrangians_beta),
    Entry::powered("(23)", "∂L/∂v = 0 at μ_{β,π}", v_gradient_vanishes),
    Entry::powered("(23)", "f(β,π;ρ,θ): the Lagrangian at μ_{β,π} = the short form", f_forms),
    Entry::powered("(23)", "f through ∇_θ f = f through ν_β", f_other_forms),
    Entry::powered("Lemma C.5", "E g̃_β = g_β", unbiased_beta),
    Entry::powered("Lemma C.6", "E g̃_ρ = g_ρ", unbiased_rho),
    Entry::powered("Lemma C.7", "E g̃_θ = g_θ, over A' ~ π too", unbiased_theta),
    Entry::powered("Thm C.1, (24), Lemma C.5", "E‖g̃_β‖² ≤ G_β²", beta_moment),
    Entry::powered("Thm C.1, (25), Lemma C.6", "E g̃_ρ² ≤ 2(1 + ‖β‖²_{Λ^{2c−1}})", rho_moment),
    Entry::powered("Thm C.1, (26), Lemma C.7", "E‖g̃_θ‖² ≤ 4D_φ²‖β‖²_{Λ^{2c−1}}", theta_moment),
    Entry::plain("Lemma C.3", "Φθ^π = q^π up to a constant", linear_q),
];

fn gain_two_ways(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mut sides = (Q::zero(), Q::zero());
    case.vector(|study, s| {
        let tabular = study.tabular()?;
        sides = (gain(&tabular, &policy, s)?, relative_value(&tabular, &policy, s)?.0);
        Ok(&mut [])
    })?;
    Ok(equal(sides.0, sides.1))
}

/// (ρ^π, v^π, q^π).
fn values(case: &mut Case, policy: &[Q]) -> Checked<(Q, Vec<Q>, Vec<Q>)> {
    let mut rho = Q::zero();
    let v = case.vector(|study, s| {
        let (gain, v) = state_value(&study.tabular()?, policy, s)?;
        rho = gain;
        Ok(v)
    })?;
    let q = case.vector(|study, s| action_value(&study.tabular()?, &rho, &v, s))?;
    Ok((rho, v, q))
}

fn bellman(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (rho, v, q) = values(case, &policy)?;
    let residual = case.vector(|study, s| bellman_residual(&study.tabular()?, &q, &rho, &v, s))?;
    let averaged =
        policy_average(case.study.mdp.shape().actions, &policy, &q, &mut &mut case.study.scratch[..])?.to_vec();
    let both: Vec<Q> = residual.into_iter().chain(v.iter().zip(&averaged).map(|(a, b)| a.clone() - b)).collect();
    Ok(zero_vector(&both))
}

fn shifts(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (rho, v, q) = values(case, &policy)?;
    let shifted: Vec<Q> = v.iter().map(|x| x.clone() + Q::one()).collect();
    let moved = case.vector(|study, s| action_value(&study.tabular()?, &rho, &shifted, s))?;
    let expected: Vec<Q> = q.iter().map(|x| x.clone() + Q::one()).collect();
    Ok(equal_vectors(&moved, &expected))
}

fn optimality(case: &mut Case) -> Checked<Compared> {
    let policy = case.study.optimal.clone();
    let (rho, v, _) = values(case, &policy)?;
    let residual = case.vector(|study, s| optimality_residual(&study.tabular()?, &rho, &v, s))?;
    Ok(zero_vector(&residual))
}

fn unichain(case: &mut Case) -> Checked<Compared> {
    let mut valid = false;
    case.vector(|study, s| {
        valid = validate_unichain(&study.tabular()?, s).is_ok();
        Ok(&mut [])
    })?;
    Ok(truth(valid))
}

fn spans(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let mut sides = (Q::zero(), Q::zero());
    case.vector(|study, s| {
        let tabular = study.tabular()?;
        sides = (policy_span(&tabular, &policy, s)?, span_bound(&tabular, s)?);
        Ok(&mut [])
    })?;
    Ok(at_most(sides.0, sides.1))
}

fn ones(case: &mut Case) -> Checked<Compared> {
    let values = case.study.mdp.linear_function(&case.study.varrho, &mut &mut case.study.scratch[..])?.to_vec();
    Ok(equal_vectors(&values, &vec![Q::one(); values.len()]))
}

fn flow(case: &mut Case) -> Checked<Compared> {
    let mu = case.study.mu_b.clone();
    Ok(zero_vector(&case.vector(|study, s| flow_residual(&study.tabular()?, &mu, s))?))
}

fn normalised(case: &mut Case) -> Checked<Compared> {
    Ok(equal(normalisation_residual(&case.study.mu_b)?, Q::zero()))
}

fn feasible(case: &mut Case) -> Checked<Compared> {
    let mu = case.study.mu_star.clone();
    let mut feasible = false;
    case.vector(|study, s| {
        feasible = lp_feasible(&study.tabular()?, &mu, &Q::zero(), s)?;
        Ok(&mut [])
    })?;
    Ok(truth(feasible))
}

fn lp_optimal(case: &mut Case) -> Checked<Compared> {
    let tabular = case.study.tabular()?;
    let best = lp_objective(&tabular, &case.study.mu_star)?;
    let reached = best == case.study.best;
    let compared = at_most(lp_objective(&tabular, &case.study.mu_b)?, best);
    Ok(Compared { holds: compared.holds && reached, ..compared })
}

fn lagrangians(case: &mut Case) -> Checked<Compared> {
    let (study, rho) = (&mut case.study, &case.rho);
    let (mdp, varrho, s) = (&study.mdp, &study.varrho, &mut study.scratch);
    let first = lagrangian(mdp, varrho, rho, &case.v, &case.theta, &case.beta, &case.mu, s)?;
    Ok(equal(first, lagrangian_regrouped(mdp, varrho, rho, &case.v, &case.theta, &case.beta, &case.mu, s)?))
}

fn printed_lagrangians(case: &mut Case) -> Checked<Compared> {
    let (study, rho) = (&mut case.study, &case.rho);
    let (mdp, varrho, s) = (&study.mdp, &study.varrho, &mut study.scratch);
    let first = lagrangian(mdp, varrho, rho, &case.v, &case.theta, &case.beta, &case.mu, s)?;
    Ok(equal(first, lagrangian_regrouped_as_printed(mdp, varrho, rho, &case.v, &case.theta, &case.beta, &case.mu, s)?))
}

fn lagrangians_beta(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &case.study.varrho, &power.matrix)?;
    let (beta, mu, rho, v, theta, s) = (&case.beta, &case.mu, &case.rho, &case.v, &case.theta, &mut case.study.scratch);
    let first = lagrangian_beta(&saddle, beta, mu, rho, v, theta, s)?;
    Ok(equal(first, lagrangian_beta_regrouped(&saddle, beta, mu, rho, v, theta, s)?))
}

/// A library function that fills a vector from the saddle problem.
fn with_saddle(
    case: &mut Case,
    power: &Power,
    compute: impl for<'s> FnOnce(&Saddle<Q>, &mut &'s mut [Q]) -> Checked<&'s mut [Q]>,
) -> Checked<Vec<Q>> {
    let saddle = Saddle::new(case.study.mdp, &case.study.varrho, &power.matrix)?;
    Ok(compute(&saddle, &mut &mut case.study.scratch[..])?.to_vec())
}

fn v_gradient_vanishes(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (beta, policy) = (case.beta.clone(), case.policy.clone());
    let mu = with_saddle(case, power, |saddle, s| mu_beta(saddle, &beta, &policy, s))?;
    Ok(zero_vector(&with_saddle(case, power, |saddle, s| v_gradient(saddle, &beta, &mu, s))?))
}

fn f_forms(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &case.study.varrho, &power.matrix)?;
    let (beta, policy, rho, theta, s) = (&case.beta, &case.policy, &case.rho, &case.theta, &mut case.study.scratch);
    let whole = f_lagrangian(&saddle, beta, policy, rho, theta, s)?;
    Ok(equal(whole, f_beta(&saddle, beta, policy, rho, theta, s)?))
}

fn f_other_forms(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &case.study.varrho, &power.matrix)?;
    let (beta, policy, rho, theta, s) = (&case.beta, &case.policy, &case.rho, &case.theta, &mut case.study.scratch);
    let first = f_theta(&saddle, beta, policy, rho, theta, s)?;
    Ok(equal(first, f_nu(&saddle, beta, policy, rho, theta, s)?))
}

pub fn mean_beta_estimate(case: &mut Case, power: &Power, square: bool) -> Checked<Vec<Q>> {
    let (theta, policy, rho, dim) = (case.theta.clone(), case.policy.clone(), case.rho.clone(), case.theta.len());
    let v = case.vector(|study, s| v_theta(&study.mdp, &theta, &policy, s))?;
    let actions = case.study.mdp.shape().actions;
    case.expectation(if square { 1 } else { dim }, |study, [_, x, a, next], out, _| {
        let phi = study.mdp.feature(x, a).unwrap_or_default();
        let error = td_error(&study.reward[x * actions + a], &v[next], phi, &theta, &rho)?;
        let mut gradient = Case::zeros(dim);
        beta_gradient_estimate(power.weight.as_deref(), phi, &error, &mut gradient)?;
        if square {
            out[0] = norm_squared(&gradient)?;
        } else {
            out.clone_from_slice(&gradient);
        }
        Ok(())
    })
}

fn unbiased_beta(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (theta, policy, rho) = (case.theta.clone(), case.policy.clone(), case.rho.clone());
    let mean = mean_beta_estimate(case, power, false)?;
    let exact = with_saddle(case, power, |saddle, s| beta_gradient(saddle, &policy, &rho, &theta, s))?;
    Ok(equal_vectors(&mean, &exact))
}

fn mean_rho_estimate(case: &mut Case, power: &Power, square: bool) -> Checked<Q> {
    let weighted = Case::weighted(power, &case.beta)?;
    let mut mean = case.expectation(1, |study, [_, x, a, _], out, _| {
        let g = rho_gradient_estimate(study.mdp.feature(x, a).unwrap_or_default(), &weighted)?;
        out[0] = if square { g.clone() * g } else { g };
        Ok(())
    })?;
    Ok(mean.swap_remove(0))
}

fn unbiased_rho(case: &mut Case, power: &Power) -> Checked<Compared> {
    let mean = mean_rho_estimate(case, power, false)?;
    let saddle = Saddle::new(case.study.mdp, &case.study.varrho, &power.matrix)?;
    Ok(equal(mean, rho_gradient(&saddle, &case.beta, &mut case.study.scratch)?))
}

fn mean_theta_estimate(case: &mut Case, power: &Power, square: bool) -> Checked<Vec<Q>> {
    let (policy, dim) = (case.policy.clone(), case.theta.len());
    let (weighted, actions) = (Case::weighted(power, &case.beta)?, case.study.mdp.shape().actions);
    case.expectation(if square { 1 } else { dim }, |study, [_, x, a, next], out, _| {
        out.fill(Q::zero());
        for drawn in 0..actions {
            let mut g = Case::zeros(dim);
            let phi_next = study.mdp.feature(next, drawn).unwrap_or_default();
            theta_gradient_estimate(study.mdp.feature(x, a).unwrap_or_default(), phi_next, &weighted, &mut g)?;
            let p = &policy[next * actions + drawn];
            let parts = if square { vec![norm_squared(&g)?] } else { g };
            for (o, part) in out.iter_mut().zip(parts) {
                *o += part * p;
            }
        }
        Ok(())
    })
}

fn unbiased_theta(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (beta, policy) = (case.beta.clone(), case.policy.clone());
    let mean = mean_theta_estimate(case, power, false)?;
    let exact = with_saddle(case, power, |saddle, s| theta_gradient(saddle, &beta, &policy, s))?;
    Ok(equal_vectors(&mean, &exact))
}

/// The theorem's constants with D_β²‖Λ‖^{2c−1} at its sharpest, ‖β‖²_{Λ^{2c−1}}; D_φD_θ from above: it is at most
/// (D_φ² + D_θ²)/2.
pub fn constants(case: &mut Case, power: &Power) -> Checked<Constants<Q>> {
    let (dim, study) = (case.theta.len(), &mut case.study);
    let (phi_squared, theta_squared) = (study.bounds.phi.clone(), norm_squared(&case.theta)?);
    let (trace, beta_squared) = match power.c {
        Exponent::One => {
            (trace(dim, &study.lambda)?, weighted_norm_squared(dim, &study.lambda, &case.beta, &mut study.scratch)?)
        }
        Exponent::Half => (Q::from_int(i64::try_from(dim).unwrap_or(i64::MAX)), dot(&case.beta, &case.beta)?),
    };
    let phi_theta = (phi_squared.clone() + &theta_squared) / Q::from_int(2);
    let (log_actions, norm) = (Q::one(), Q::one());
    Ok(Constants { log_actions, phi_squared, theta_squared, phi_theta, beta_squared, trace, norm })
}

fn beta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let bound = second_moment_bound_beta(&constants(case, power)?);
    Ok(at_most(mean_beta_estimate(case, power, true)?.swap_remove(0), bound))
}

fn rho_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let bound = second_moment_bound_rho(&constants(case, power)?);
    Ok(at_most(mean_rho_estimate(case, power, true)?, bound))
}

fn theta_moment(case: &mut Case, power: &Power) -> Checked<Compared> {
    let bound = second_moment_bound_theta(&constants(case, power)?);
    Ok(at_most(mean_theta_estimate(case, power, true)?.swap_remove(0), bound))
}

fn linear_q(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let (_, _, q) = values(case, &policy)?;
    let theta =
        case.vector(|study, s| theta_of_policy(&study.mdp, &study.varrho, &policy, s).map(|(_, theta)| theta))?;
    let linear = case.study.mdp.linear_function(&theta, &mut &mut case.study.scratch[..])?.to_vec();
    let from_first = |values: &[Q]| values.iter().map(|x| x.clone() - &values[0]).collect::<Vec<Q>>();
    Ok(equal_vectors(&from_first(&linear), &from_first(&q)))
}
