//! Sections 3 and 4: the covariance, the estimators and their expectations, the reparametrised Lagrangian, f.

use super::Entry;
use super::case::{Case, Power, Q, inverse_round_trip};
use super::check::{Compared, equal, equal_vectors, truth, zero_vector};
use offline_primal_dual::Result as Checked;
use offline_primal_dual::linear::vector::{dot, norm_squared};
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::covariance::{Exponent, trace, verify_root};
use offline_primal_dual::paper::coverage::coverage_ratio;
use offline_primal_dual::paper::discounted::duality_gap::{beta_star, telescoped};
use offline_primal_dual::paper::discounted::estimators::{
    Visit, beta_gradient_estimate, occupancy_estimate, printed_theta_gradient_estimate, td_error,
    theta_gradient_estimate, value_estimate,
};
use offline_primal_dual::paper::discounted::lagrangian::{
    Saddle, beta_gradient, f_beta, f_nu, f_theta, lagrangian_beta, lagrangian_beta_regrouped, mu_beta, theta_gradient,
    v_gradient, v_theta,
};
use offline_primal_dual::paper::mdp::primal_flow_residual;

pub const CHECKS: &[Entry] = &[
    Entry::powered("S3.cov", "Tr Λ = E‖φ‖² (c = 1); Λ^{1/2}Λ^{1/2} = Λ (c = 1/2)", covariance_power),
    Entry::powered("S3.cov", "Λ^{−c}Λ^c x = x", power_inverse),
    Entry::plain("(7)", "v(x) from the features of x alone = E(π∘Φθ)(x)", value),
    Entry::powered("(8), S4.unbiased-mu", "E μ_{t,k} = μ_{β,π}", unbiased_mu),
    Entry::powered("(9), B.unbiased-beta", "E g̃_β = ∇_β f", unbiased_beta),
    Entry::powered("(10), S4.unbiased-theta", "E g̃_θ = ∇_θ f, the proof's form", unbiased_theta),
    Entry::powered("(10)", "E g̃_θ = ∇_θ f, as printed: unbiased too", unbiased_printed_theta),
    Entry::powered("Def 3.1", "C_{φ,c} = ‖β*‖²", coverage_is_norm),
    Entry::powered("(11), (12)", "both forms of the Lagrangian in β", lagrangians),
    Entry::powered("(13)", "μ_{β,π} satisfies the flow constraint of (4)", mu_is_feasible),
    Entry::powered("(13)", "∂L/∂v = 0 at μ_{β,π}", v_gradient_vanishes),
    Entry::powered("(14), (15)", "⟨β, Λ^cω⟩ + ⟨θ, g_θ⟩ = f through ν_β", f_first_forms),
    Entry::powered("(14), (15)", "f through ν_β = f through ω + γΨv − θ", f_last_forms),
    Entry::powered("(21)", "f(β*,π*;θ) − f(β,π;θ*) = its three differences", three_regrets),
];

fn covariance_power(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (dim, study) = (case.theta.len(), &case.study);
    if power.c == Exponent::Half {
        return Ok(truth(verify_root(dim, &study.lambda, &power.matrix).is_ok()));
    }
    let mut mean = Q::zero();
    for (phi, weight) in study.mdp.features().chunks(dim).zip(&study.mu_b) {
        mean += norm_squared(phi)? * weight;
    }
    Ok(equal(trace(dim, &power.matrix)?, mean))
}

fn power_inverse(case: &mut Case, power: &Power) -> Checked<Compared> {
    inverse_round_trip(&power.matrix, &case.theta, &mut case.study.scratch)
}

fn value(case: &mut Case) -> Checked<Compared> {
    let (theta, policy, n) = (case.theta.clone(), case.policy.clone(), case.v.len());
    let actions = case.study.mdp.shape().actions;
    let whole = case.vector(|study, s| v_theta(&study.mdp, &theta, &policy, s))?;
    let mut single = Vec::with_capacity(n);
    for x in 0..n {
        let features = case.features_of(x);
        single.push(value_estimate(
            features,
            &policy[x * actions..(x + 1) * actions],
            &theta,
            &mut case.study.scratch,
        )?);
    }
    Ok(equal_vectors(&single, &whole))
}

/// E μ_{t,k} by enumeration of every sample, with γ before the part at X'.
pub fn mean_occupancy_estimate(case: &mut Case, power: &Power, discount: &Q) -> Checked<Vec<Q>> {
    let (policy, beta, pairs) = (case.policy.clone(), case.beta.clone(), case.mu.len());
    let (weighted, actions) = (Case::weighted(power, &beta)?, case.study.mdp.shape().actions);
    case.expectation(pairs, |study, [start, x, a, next], out, _| {
        let w = dot(study.mdp.feature(x, a).unwrap_or_default(), &weighted)?;
        let row = |x: usize| &policy[x * actions..(x + 1) * actions];
        let (mut at_start, mut at_next, mut unused) =
            (Case::zeros(actions), Case::zeros(actions), Case::zeros(actions));
        occupancy_estimate(study.mdp.discount(), row(start), row(next), &w, &mut at_start, &mut unused)?;
        occupancy_estimate(discount, row(start), row(next), &w, &mut unused, &mut at_next)?;
        out.fill(Q::zero());
        for a in 0..actions {
            out[start * actions + a] += at_start[a].clone();
            out[next * actions + a] += at_next[a].clone();
        }
        Ok(())
    })
}

fn unbiased_mu(case: &mut Case, power: &Power) -> Checked<Compared> {
    let discount = case.study.mdp.discount().clone();
    let mean = mean_occupancy_estimate(case, power, &discount)?;
    Ok(equal_vectors(&mean, &mu_of_beta(case, power)?))
}

/// E g̃_β by enumeration of every sample.
pub fn mean_beta_estimate(case: &mut Case, power: &Power, square: bool) -> Checked<Vec<Q>> {
    let (theta, policy, dim) = (case.theta.clone(), case.policy.clone(), case.theta.len());
    let v = case.vector(|study, s| v_theta(&study.mdp, &theta, &policy, s))?;
    let actions = case.study.mdp.shape().actions;
    let size = if square { 1 } else { dim };
    case.expectation(size, |study, [_, x, a, next], out, _| {
        let phi = study.mdp.feature(x, a).unwrap_or_default();
        let error = td_error(study.mdp.discount(), &study.reward[x * actions + a], &v[next], phi, &theta)?;
        let mut gradient = Case::zeros(dim);
        beta_gradient_estimate(power.weight.as_deref(), phi, &error, &mut gradient)?;
        store(&gradient, square, out)
    })
}

/// The gradient, or its squared norm.
fn store(gradient: &[Q], square: bool, out: &mut [Q]) -> Checked<()> {
    if square {
        out[0] = norm_squared(gradient)?;
    } else {
        out.clone_from_slice(gradient);
    }
    Ok(())
}

fn unbiased_beta(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (theta, policy) = (case.theta.clone(), case.policy.clone());
    let mean = mean_beta_estimate(case, power, false)?;
    let exact = case.vector(|study, s| beta_gradient(&Saddle::new(study.mdp, &power.matrix)?, &policy, &theta, s))?;
    Ok(equal_vectors(&mean, &exact))
}

/// E of a function of what one sample shows, by enumeration of every sample.
pub fn mean_theta_with(
    case: &mut Case,
    size: usize,
    mut estimate: impl FnMut(&Q, Visit<'_, Q>, &mut [Q], &mut [Q]) -> Checked<()>,
) -> Checked<Vec<Q>> {
    let (policy, shape) = (case.policy.clone(), case.study.mdp.shape());
    let width = shape.actions * shape.dim;
    case.expectation(size, |study, [start, x, a, next], out, scratch| {
        let features = |x: usize| &study.mdp.features()[x * width..(x + 1) * width];
        let row = |x: usize| &policy[x * shape.actions..(x + 1) * shape.actions];
        let visit = Visit {
            phi: study.mdp.feature(x, a).unwrap_or_default(),
            start: features(start),
            next: features(next),
            policy_start: row(start),
            policy_next: row(next),
        };
        estimate(study.mdp.discount(), visit, out, scratch)
    })
}

/// E g̃_θ by enumeration of every sample, or E‖g̃_θ‖²; in the proof's form or as printed.
pub fn mean_theta_estimate(case: &mut Case, power: &Power, printed: bool, square: bool) -> Checked<Vec<Q>> {
    let (beta, dim) = (case.beta.clone(), case.theta.len());
    let (weighted, weight) = (Case::weighted(power, &beta)?, power.weight.as_deref());
    mean_theta_with(case, if square { 1 } else { dim }, |discount, visit, out, scratch| {
        let mut gradient = Case::zeros(dim);
        if printed {
            printed_theta_gradient_estimate(discount, &visit, weight, &beta, &mut gradient, scratch)?;
        } else {
            theta_gradient_estimate(discount, &visit, &weighted, &mut gradient, scratch)?;
        }
        store(&gradient, square, out)
    })
}

fn theta_unbiased(case: &mut Case, power: &Power, printed: bool) -> Checked<Compared> {
    let (beta, policy) = (case.beta.clone(), case.policy.clone());
    let mean = mean_theta_estimate(case, power, printed, false)?;
    let exact = case.vector(|study, s| theta_gradient(&Saddle::new(study.mdp, &power.matrix)?, &beta, &policy, s))?;
    Ok(equal_vectors(&mean, &exact))
}

fn unbiased_theta(case: &mut Case, power: &Power) -> Checked<Compared> {
    theta_unbiased(case, power, false)
}

fn unbiased_printed_theta(case: &mut Case, power: &Power) -> Checked<Compared> {
    theta_unbiased(case, power, true)
}

/// β* at π*.
pub fn beta_star_of(case: &mut Case, power: &Power) -> Checked<Vec<Q>> {
    let policy = case.study.optimal.clone();
    case.vector(|study, s| beta_star(&Saddle::new(study.mdp, &power.matrix)?, &policy, s))
}

fn coverage_is_norm(case: &mut Case, power: &Power) -> Checked<Compared> {
    let beta = beta_star_of(case, power)?;
    let study = &mut case.study;
    let ratio = coverage_ratio(power.c, &study.mdp, &study.mu_star, &study.lambda, &mut study.scratch)?;
    Ok(equal(ratio, norm_squared(&beta)?))
}

fn lagrangians(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &power.matrix)?;
    let (beta, mu, v, theta, s) = (&case.beta, &case.mu, &case.v, &case.theta, &mut case.study.scratch);
    let first = lagrangian_beta(&saddle, beta, mu, v, theta, s)?;
    Ok(equal(first, lagrangian_beta_regrouped(&saddle, beta, mu, v, theta, s)?))
}

/// μ_{β,π}.
pub fn mu_of_beta(case: &mut Case, power: &Power) -> Checked<Vec<Q>> {
    let (beta, policy) = (case.beta.clone(), case.policy.clone());
    case.vector(|study, s| mu_beta(&Saddle::new(study.mdp, &power.matrix)?, &beta, &policy, s))
}

fn mu_is_feasible(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (mu, beta) = (mu_of_beta(case, power)?, case.beta.clone());
    let residual = case.vector(|study, s| {
        let lambda = Saddle::new(study.mdp, &power.matrix)?.lambda(&beta, s)?;
        primal_flow_residual(&study.mdp, lambda, &mu, s)
    })?;
    Ok(zero_vector(&residual))
}

fn v_gradient_vanishes(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (mu, beta) = (mu_of_beta(case, power)?, case.beta.clone());
    let gradient = case.vector(|study, s| v_gradient(&Saddle::new(study.mdp, &power.matrix)?, &beta, &mu, s))?;
    Ok(zero_vector(&gradient))
}

fn f_first_forms(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &power.matrix)?;
    let (beta, policy, theta, s) = (&case.beta, &case.policy, &case.theta, &mut case.study.scratch);
    Ok(equal(f_theta(&saddle, beta, policy, theta, s)?, f_nu(&saddle, beta, policy, theta, s)?))
}

fn f_last_forms(case: &mut Case, power: &Power) -> Checked<Compared> {
    let saddle = Saddle::new(case.study.mdp, &power.matrix)?;
    let (beta, policy, theta, s) = (&case.beta, &case.policy, &case.theta, &mut case.study.scratch);
    Ok(equal(f_nu(&saddle, beta, policy, theta, s)?, f_beta(&saddle, beta, policy, theta, s)?))
}

fn three_regrets(case: &mut Case, power: &Power) -> Checked<Compared> {
    let star = beta_star_of(case, power)?;
    let saddle = Saddle::new(case.study.mdp, &power.matrix)?;
    let (beta, policy, theta, best) = (&case.beta, &case.policy, &case.theta, &case.study.optimal);
    let theta_star: Vec<Q> = theta.iter().map(|x| x.clone() + Q::one()).collect();
    let s = &mut case.study.scratch;
    let whole = f_theta(&saddle, &star, best, theta, s)? - f_theta(&saddle, beta, policy, &theta_star, s)?;
    let [pi, second, third] = telescoped(&saddle, (theta, beta, policy), (&theta_star, &star, best), s)?;
    Ok(equal(whole, pi + second + third))
}
