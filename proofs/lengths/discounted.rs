//! Sections 3 and 4: the estimators, the Lagrangian, f and its gradients, the gap and the regrets, T = 2.

use super::super::library::number::Field;
use super::super::library::paper::discounted::duality_gap::*;
use super::super::library::paper::discounted::estimators::*;
use super::super::library::paper::discounted::lagrangian::*;
use super::super::library::paper::discounted::regret::*;
use super::super::library::paper::mdp::{LinearMdp, Shape};
use super::{Calls, done, same};

/// What one observation says, with |A| actions and d features.
pub fn estimators<T: Field + Copy>(calls: &Calls<T>, actions: usize, dim: usize) -> bool {
    let (number, rows) = (&calls.number, actions * dim);
    calls.related_scratch(
        [rows, actions, dim],
        |[f, p, theta]| f == p * theta,
        |[f, p, theta], s| value_estimate(f, p, theta, s).map(done),
    ) && calls.equal(actions, |[p, start]| {
        let (other, mut next) = ([*number; 2], [*number; 2]);
        occupancy_estimate(number, p, &other, number, start, &mut next)
    }) && calls.equal(actions, |[p, next]| {
        let (other, mut start) = ([*number; 2], [*number; 2]);
        occupancy_estimate(number, &other, p, number, &mut start, next)
    }) && calls.equal(dim, |[phi, theta]| td_error(number, number, number, phi, theta).map(done))
        && calls.related(
            [dim * dim, dim, dim],
            |[w, phi, out]| w == phi * phi && out == phi,
            |[w, phi, out]| beta_gradient_estimate(Some(w), phi, number, out),
        )
        && calls.equal(dim, |[phi, out]| beta_gradient_estimate(None, phi, number, out))
}

/// The gradient of θ from one observation.
pub fn visits<T: Field + Copy>(calls: &Calls<T>, actions: usize, dim: usize) -> bool {
    let (number, rows) = (&calls.number, actions * dim);
    let visit = |[phi, start, next, p, q, beta, out]: [usize; 7]| {
        same([start, next, q, beta, out], [p * phi, p * phi, p, phi, phi])
    };
    let printed =
        |[phi, start, next, p, w, beta, out]: [usize; 7]| visit([phi, start, next, p, p, beta, out]) && w == phi * phi;
    calls.related_scratch(
        [dim, rows, rows, actions, actions, dim, dim],
        visit,
        |[phi, start, next, p, q, beta, out], s| {
            let visit = Visit { phi, start, next, policy_start: p, policy_next: q };
            theta_gradient_estimate(number, &visit, beta, out, s)
        },
    ) && calls.related_scratch(
        [dim, rows, rows, actions, dim * dim, dim, dim],
        printed,
        |[phi, start, next, p, w, beta, out], s| {
            let visit = Visit { phi, start, next, policy_start: p, policy_next: p };
            super::super::library::errata::equation_10(number, &visit, Some(w), beta, out, s)
        },
    )
}

/// (6), the marginal of (13) and (7) on X, with the constructor of their model.
pub fn lagrangians<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (Shape { states, dim, .. }, pairs) = (mdp.shape(), mdp.shape().pairs());
    let sides = [states, dim, dim, pairs];
    calls.exact([dim * dim], |[power]| Saddle::new(*mdp, power).map(done))
        && calls.scratch([dim], |[beta], s| saddle.lambda(beta, s).map(done))
        && calls.scratch(sides, |[v, theta, l, mu], s| lagrangian(mdp, v, theta, l, mu, s).map(done))
        && calls.scratch(sides, |[v, theta, l, mu], s| lagrangian_regrouped(mdp, v, theta, l, mu, s).map(done))
        && calls.scratch([dim], |[beta], s| nu_beta(saddle, beta, s).map(done))
        && calls.scratch([dim, pairs], |[theta, p], s| v_theta(mdp, theta, p, s).map(done))
        && calls.scratch([states, dim], |[v, theta], s| mu_gradient(mdp, v, theta, s).map(done))
}

/// (11)–(13), and the gradients that do not go through v_θ.
pub fn gradients<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (Shape { states, dim, .. }, pairs) = (mdp.shape(), mdp.shape().pairs());
    let sides = [states, dim, dim, pairs];
    calls.scratch(sides, |[v, theta, b, mu], s| lagrangian_beta(saddle, b, mu, v, theta, s).map(done))
        && calls.scratch(sides, |[v, theta, b, mu], s| lagrangian_beta_regrouped(saddle, b, mu, v, theta, s).map(done))
        && calls.scratch([dim, pairs], |[beta, p], s| mu_beta(saddle, beta, p, s).map(done))
        && calls.scratch([dim, pairs], |[beta, p], s| theta_gradient(saddle, beta, p, s).map(done))
        && calls.scratch([states, dim], |[v, theta], s| beta_gradient_at(saddle, v, theta, s).map(done))
        && calls.scratch([dim, pairs], |[beta, mu], s| v_gradient(saddle, beta, mu, s).map(done))
}

/// (14), (15) and the gradient through v_θ.
pub fn functions<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let point = [mdp.shape().dim, mdp.shape().pairs(), mdp.shape().dim];
    calls.scratch(point, |[beta, p, theta], s| f_theta(saddle, beta, p, theta, s).map(done))
        && calls.scratch(point, |[beta, p, theta], s| f_nu(saddle, beta, p, theta, s).map(done))
        && calls.scratch(point, |[beta, p, theta], s| f_beta(saddle, beta, p, theta, s).map(done))
        && calls.scratch([point[0], point[1]], |[theta, p], s| beta_gradient(saddle, p, theta, s).map(done))
}

/// θ^π and μ^π of a linear model, through its table.
pub fn tabulated<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let pairs = mdp.shape().pairs();
    calls.scratch([pairs], |[p], s| theta_of_policy(mdp, p, s).map(done))
        && calls.scratch([pairs], |[p], s| occupancy_of(mdp, p, s).map(done))
}

/// Lemma 4.1, right side, and ρ(π).
pub fn gaps<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
    let (two, runs) = ([calls.number; 4], [calls.number; 8]);
    let (rows, iterates) = (&two[..2 * dim], &runs[..2 * pairs]);
    let Ok(run) = Iterates::new(mdp, rows, rows, iterates) else { return false };
    calls.related(
        [2 * dim, 2 * dim, 2 * pairs],
        |[thetas, betas, p]| thetas == betas && thetas * pairs == p * dim,
        |[thetas, betas, p]| Iterates::new(mdp, thetas, betas, p).map(done),
    ) && calls.scratch([pairs], |[p], s| beta_star(saddle, p, s).map(done))
        && calls.scratch([], |[], s| theta_stars(mdp, &run, s).map(done))
        && calls.scratch([pairs], |[p], s| return_of(mdp, p, s).map(done))
        && calls.scratch([pairs, dim, 2 * dim], |[policy, beta, thetas], s| {
            dynamic_duality_gap(saddle, &run, &Comparators { policy, beta, thetas }, s).map(done)
        })
        && calls.scratch([dim, dim, pairs, dim, dim, pairs], |[t, b, p, t_star, b_star, p_star], s| {
            telescoped(saddle, (t, b, p), (t_star, b_star, p_star), s).map(done)
        })
}

/// Lemma 4.1, left side, and Lemma 4.2.
pub fn regrets<T: Field + Copy>(calls: &Calls<T>, saddle: &Saddle<T>) -> bool {
    let mdp = saddle.mdp();
    let (Shape { dim, .. }, pairs) = (mdp.shape(), mdp.shape().pairs());
    let (two, runs) = ([calls.number; 4], [calls.number; 8]);
    let (rows, policy) = (&two[..2 * dim], &runs[..pairs]);
    let Ok(run) = Iterates::new(mdp, rows, rows, &runs[..2 * pairs]) else { return false };
    calls.scratch([pairs], |[p], s| average_suboptimality(mdp, p, &run, s).map(done))
        && calls.scratch([2 * dim], |[thetas], s| {
            theta_regret(saddle, &run, &Comparators { policy, beta: &rows[..dim], thetas }, s).map(done)
        })
        && calls.scratch([dim], |[beta], s| {
            beta_regret(saddle, &run, &Comparators { policy, beta, thetas: rows }, s).map(done)
        })
        && calls.scratch([pairs], |[p], s| policy_regret(mdp, &run, p, s).map(done))
}

/// One term of Lemma 4.2's third sum.
pub fn advantage<T: Field + Copy>(calls: &Calls<T>, states: usize, actions: usize) -> bool {
    let pairs = states * actions;
    let fits = |[nu, star, p, q]: [usize; 4]| same([star, p, q], [nu * actions; 3]);
    calls.related([states, pairs, pairs, pairs], fits, |[nu, star, p, q]| {
        policy_advantage(actions, nu, star, p, q).map(done)
    })
}
