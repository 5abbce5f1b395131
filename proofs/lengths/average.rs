//! Section 5 and Appendix C: the estimators, values and programs, the Lagrangian, f and its gradients, the gap and the regrets, T = 2.

use super::super::library::number::Field;
use super::super::library::paper::average_reward::duality_gap::*;
use super::super::library::paper::average_reward::estimators::{
    beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
};
use super::super::library::paper::average_reward::lagrangian::*;
use super::super::library::paper::average_reward::lp::*;
use super::super::library::paper::average_reward::optimal::*;
use super::super::library::paper::average_reward::regret::*;
use super::super::library::paper::average_reward::unichain::*;
use super::super::library::paper::average_reward::values::*;
use super::super::library::paper::mdp::{LinearMdp, Mdp, Shape};
use super::{Calls, any, done, same};

/// What one observation says, with d features.
pub fn estimators<T: Field + Copy>(calls: &Calls<T>, dim: usize) -> bool {
    let number = &calls.number;
    calls.equal(dim, |[phi, beta]| rho_gradient_estimate(phi, beta).map(done))
        && calls.equal(dim, |[phi, next, beta, out]| theta_gradient_estimate(phi, next, beta, out))
        && calls.equal(dim, |[phi, theta]| td_error(number, number, phi, theta, number).map(done))
        && calls.related(
            [dim * dim, dim, dim],
            |[w, phi, out]| w == phi * phi && out == phi,
            |[w, phi, out]| beta_gradient_estimate(Some(w), phi, number, out),
        )
        && calls.equal(dim, |[phi, out]| beta_gradient_estimate(None, phi, number, out))
}

/// ν^π, the bias, and what of (23) and Bellman's equations needs no policy, of a tabular model.
pub fn tabular<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs, number) = (mdp.states(), mdp.pairs(), &calls.number);
    calls.scratch([pairs], |[p], s| state_occupancy(mdp, p, s).map(done))
        && calls.scratch([pairs], |[p], s| relative_value(mdp, p, s).map(done))
        && calls.scratch([states], |[v], s| action_value(mdp, number, v, s).map(done))
        && calls.exact([pairs], |[mu]| lp_objective(mdp, mu).map(done))
        && calls.scratch([pairs], |[mu], s| flow_residual(mdp, mu, s).map(done))
        && calls.lengths(any, |mu| normalisation_residual(mu).map(done))
        && calls.lengths(|length| length > 0, |q| span_seminorm(q).map(done))
}

/// What goes through those.
pub fn values<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs, number) = (mdp.states(), mdp.pairs(), &calls.number);
    calls.scratch([pairs], |[p], s| occupancy(mdp, p, s).map(done))
        && calls.scratch([pairs], |[p], s| gain(mdp, p, s).map(done))
        && calls.scratch([pairs], |[p], s| state_value(mdp, p, s).map(done))
        && calls.scratch([pairs, states], |[q, v], s| bellman_residual(mdp, q, number, v, s).map(done))
        && calls.scratch([states], |[v], s| optimality_residual(mdp, number, v, s).map(done))
        && calls.scratch([pairs], |[mu], s| lp_feasible(mdp, mu, number, s).map(done))
        && calls.scratch([pairs], |[p], s| policy_span(mdp, p, s).map(done))
}

/// Recurrent classes, and policies by number.
pub fn policies<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, actions, pairs) = (mdp.states(), mdp.actions(), mdp.pairs());
    calls.scratch([pairs], |[p], s| recurrent_classes(mdp, p, s).map(done))
        && deterministic_policies(states, actions) == Ok(if states == 1 { actions } else { actions * actions })
        && calls.scratch([], |[], s| decode_policy(states, actions, 0, s).map(done))
        && decode_policy(states, actions, usize::MAX, &mut &mut [calls.number; 4][..]).is_err()
}

/// Assumption 5.1: functions that go through several policies.
pub fn unichain<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([mdp.pairs()], |[p], s| validate_unichain_policy(mdp, p, s))
        && calls.scratch([], |[], s| validate_unichain(mdp, s))
        && calls.scratch([], |[], s| span_bound(mdp, s).map(done))
}

/// Policy iteration.
pub fn optimum<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([], |[], s| optimal_policy(mdp, s).map(done))
}

/// (23) of a linear model: the primal program; μ^π.
pub fn primal<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (dim, pairs, number) = (mdp.shape().dim, mdp.shape().pairs(), &calls.number);
    calls.exact([dim], |[lambda]| primal_objective(mdp, lambda).map(done))
        && calls.scratch([dim, pairs], |[l, mu], s| primal_flow_residual(mdp, l, mu, s).map(done))
        && calls.equal(dim, |[r, lambda]| primal_normalisation_residual(r, lambda).map(done))
        && calls.scratch([dim, dim, pairs], |[r, l, mu], s| primal_feasible(mdp, r, l, mu, number, s).map(done))
        && calls.exact([dim], |[lambda]| weak_duality_gap(mdp, number, lambda).map(done))
        && calls.scratch([pairs], |[p], s| primal_point(mdp, p, s).map(done))
        && calls.scratch([pairs], |[p], s| occupancy_of(mdp, p, s).map(done))
}

/// (23) of a linear model: the dual program.
pub fn dual<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, pairs, number) = (mdp.shape(), mdp.shape().pairs(), &calls.number);
    calls.scratch([dim, states], |[r, v], s| theta_of_value(mdp, r, number, v, s).map(done))
        && calls.scratch([dim, dim], |[r, theta], s| shifted_theta(mdp, r, theta, s).map(done))
        && calls.scratch([dim, states, dim], |[r, v, t], s| dual_feature_residual(mdp, r, number, v, t, s).map(done))
        && calls.scratch([dim, states, dim], |[r, v, t], s| dual_feasible(mdp, r, number, v, t, number, s).map(done))
        && calls.scratch([dim, pairs], |[r, p], s| dual_point(mdp, r, p, s).map(done))
}

/// The Lagrangian and ν_β, with the constructor of their model.
pub fn lagrangians<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (Shape { states, dim, .. }, pairs, rho) = (mdp.shape(), mdp.shape().pairs(), &calls.number);
    let with_varrho = [dim, states, dim, dim, pairs];
    calls.exact([dim, dim * dim], |[r, power]| Saddle::new(*mdp, r, power).map(done))
        && calls.scratch([dim], |[beta], s| saddle.lambda(beta, s).map(done))
        && calls.scratch(with_varrho, |[r, v, t, l, mu], s| lagrangian(mdp, r, rho, v, t, l, mu, s).map(done))
        && calls.scratch(with_varrho, |[r, v, t, l, mu], s| {
            super::super::library::errata::average_lagrangian_regrouped(mdp, r, rho, v, t, l, mu, s).map(done)
        })
        && calls.scratch([dim], |[beta], s| nu_beta(saddle, beta, s).map(done))
}

/// The Lagrangian as it should be printed, and in β; μ_β; the gradients that do not go through v_θ; θ^π.
pub fn gradients<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (Shape { states, dim, .. }, pairs, rho) = (mdp.shape(), mdp.shape().pairs(), &calls.number);
    let (sides, with_varrho) = ([states, dim, dim, pairs], [dim, states, dim, dim, pairs]);
    calls.scratch(with_varrho, |[r, v, t, l, mu], s| lagrangian_regrouped(mdp, r, rho, v, t, l, mu, s).map(done))
        && calls.scratch(sides, |[v, t, b, mu], s| lagrangian_beta(saddle, b, mu, rho, v, t, s).map(done))
        && calls.scratch(sides, |[v, t, b, mu], s| lagrangian_beta_regrouped(saddle, b, mu, rho, v, t, s).map(done))
        && calls.scratch([dim, pairs], |[beta, p], s| mu_beta(saddle, beta, p, s).map(done))
        && calls.scratch([dim, pairs], |[beta, p], s| theta_gradient(saddle, beta, p, s).map(done))
        && calls.scratch([dim], |[beta], s| rho_gradient(saddle, beta, s).map(done))
        && calls.scratch([states, dim], |[v, t], s| beta_gradient_at(saddle, rho, v, t, s).map(done))
        && calls.scratch([dim, pairs], |[beta, mu], s| v_gradient(saddle, beta, mu, s).map(done))
        && calls.scratch([dim, pairs], |[r, p], s| theta_of_policy(mdp, r, p, s).map(done))
}

/// f, and the gradient through v_θ.
pub fn functions<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (dim, pairs, rho) = (mdp.shape().dim, mdp.shape().pairs(), &calls.number);
    let point = [dim, pairs, dim];
    calls.scratch(point, |[beta, p, theta], s| f_theta(saddle, beta, p, rho, theta, s).map(done))
        && calls.scratch(point, |[beta, p, theta], s| f_nu(saddle, beta, p, rho, theta, s).map(done))
        && calls.scratch(point, |[beta, p, theta], s| f_beta(saddle, beta, p, rho, theta, s).map(done))
        && calls.scratch(point, |[beta, p, theta], s| f_lagrangian(saddle, beta, p, rho, theta, s).map(done))
        && calls.scratch([dim, pairs], |[theta, p], s| beta_gradient(saddle, p, rho, theta, s).map(done))
}

/// Lemma C.3, right side, and ρ^π.
pub fn gaps<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (dim, pairs, number) = (mdp.shape().dim, mdp.shape().pairs(), &calls.number);
    let (two, runs) = ([calls.number; 4], [calls.number; 8]);
    let rows = &two[..2 * dim];
    let Ok(run) = Iterates::new(mdp, &two[..2], rows, rows, &runs[..2 * pairs]) else { return false };
    let run_fits =
        |[rhos, thetas, betas, p]: [usize; 4]| same([thetas, betas, p], [rhos * dim, rhos * dim, rhos * pairs]);
    calls.related([2, 2 * dim, 2 * dim, 2 * pairs], run_fits, |[rhos, thetas, betas, p]| {
        Iterates::new(mdp, rhos, thetas, betas, p).map(done)
    }) && calls.scratch([pairs], |[p], s| beta_star(saddle, p, s).map(done))
        && calls.scratch([], |[], s| rho_theta_stars(saddle, &run, s).map(done))
        && calls.scratch([pairs], |[p], s| gain_of(mdp, p, s).map(done))
        && calls.scratch([pairs, dim, 2, 2 * dim], |[policy, beta, rhos, thetas], s| {
            dynamic_duality_gap(saddle, &run, &Comparators { policy, beta, rhos, thetas }, s).map(done)
        })
        && calls.scratch([dim, dim, pairs, dim, dim, pairs], |[t, b, p, t_star, b_star, p_star], s| {
            telescoped(saddle, (number, t, b, p), (number, t_star, b_star, p_star), s).map(done)
        })
}

/// Lemma C.3, left side, and Lemma C.4.
pub fn regrets<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
    let (two, runs) = ([calls.number; 4], [calls.number; 8]);
    let (rows, policy) = (&two[..2 * dim], &runs[..pairs]);
    let Ok(run) = Iterates::new(mdp, &two[..2], rows, rows, &runs[..2 * pairs]) else { return false };
    let stars = Comparators { policy, beta: &rows[..dim], rhos: &two[..2], thetas: rows };
    calls.scratch([pairs], |[p], s| average_suboptimality(mdp, p, &run, s).map(done))
        && calls
            .scratch([2 * dim], |[thetas], s| theta_regret(saddle, &run, &Comparators { thetas, ..stars }, s).map(done))
        && calls.scratch([2], |[rhos], s| rho_regret(saddle, &run, &Comparators { rhos, ..stars }, s).map(done))
        && calls.scratch([dim], |[beta], s| beta_regret(saddle, &run, &Comparators { beta, ..stars }, s).map(done))
        && calls.scratch([pairs], |[p], s| policy_regret(mdp, &run, p, s).map(done))
}
