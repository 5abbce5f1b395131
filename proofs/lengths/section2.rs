//! Section 2: policies and functions on X×A, tabular models, linear models, the programs (2), (4) and (5).

use super::super::library::number::Field;
use super::super::library::paper::covariance::covariance;
use super::super::library::paper::mdp::*;
use super::{Calls, done};

/// Functions on X×A, and policies.
pub fn tables<T: Field + Copy>(calls: &Calls<T>, states: usize, actions: usize) -> bool {
    let pairs = states * actions;
    calls.related(
        [pairs, pairs, states],
        |[p, f, out]| p == out * actions && f == p,
        |[p, f, out]| policy_average(actions, p, f, out),
    ) && calls.related([pairs, states], |[mu, out]| mu == out * actions, |[mu, out]| state_marginal(actions, mu, out))
        && calls.related(
            [pairs, states, pairs],
            |[p, nu, out]| p == nu * actions && out == p,
            |[p, nu, out]| compose(actions, p, nu, out),
        )
        && calls.related(
            [pairs, pairs],
            |[mu, p]| mu == p && p.is_multiple_of(actions),
            |[mu, p]| extract_policy(actions, mu, p),
        )
        && calls.exact([pairs], |[p]| validate_policy(states, actions, p))
        && calls.equal(pairs, |[r, mu]| expected_reward(r, mu).map(done))
}

/// Policies, of as many states as there are.
pub fn policies<T: Field + Copy>(calls: &Calls<T>, actions: usize) -> bool {
    let rows = |length: usize| length.is_multiple_of(actions);
    calls.lengths(rows, |f| valid_distributions("f", actions, f))
        && calls.lengths(rows, |p| uniform_policy(actions, p))
        && [actions - 1, actions, usize::MAX].into_iter().all(|choice| {
            calls.lengths(rows, |p| match deterministic_policy(actions, |_| choice, p) {
                // Where there is a state, an action beyond |A| is refused.
                Ok(()) if choice >= actions && !p.is_empty() => unreachable!(),
                answer => answer,
            })
        })
}

/// Models, tabular and linear; none has a shape with a 0.
pub fn models<T: Field + Copy>(calls: &Calls<T>, shape: Shape) -> bool {
    let (Shape { states, actions, dim }, number) = (shape, &calls.number);
    let pairs = states * actions;
    calls.exact([pairs, pairs * states, states], |[r, p, nu]| Mdp::new(states, actions, r, p, nu, number).map(done))
        && calls.exact([pairs * dim, dim, states * dim, states], |[f, omega, psi, nu]| {
            LinearMdp::new(shape, f, omega, psi, nu, number).map(done)
        })
        && Mdp::new(states, 0, &[], &[], &[*number; 1], number).is_err()
        && LinearMdp::new(Shape { dim: 0, ..shape }, &[], &[], &[], &[*number; 1], number).is_err()
}

/// P_π.
pub fn chain<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.exact([mdp.pairs(), mdp.states() * mdp.states()], |[p, out]| policy_transition(mdp, p, out))
}

/// q^π by its own system.
pub fn direct<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([mdp.pairs(); 2], |[p, q], s| action_value_direct(mdp, p, q, s))
}

/// Values, Bellman's equations and ν^π.
pub fn values<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs) = (mdp.states(), mdp.pairs());
    calls.scratch([pairs, states], |[p, v], s| state_value(mdp, p, v, s))
        && calls.exact([states, pairs], |[v, q]| action_value(mdp, v, q))
        && calls.exact([pairs, states, pairs], |[q, v, out]| bellman_residual(mdp, q, v, out))
        && calls.exact([states], |[v]| normalised_return(mdp, v).map(done))
        && calls.scratch([pairs, states], |[p, nu], s| state_occupancy(mdp, p, nu, s))
}

/// Occupancies, (2), and the residual of Bellman's optimality equation.
pub fn occupancies<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs, number) = (mdp.states(), mdp.pairs(), &calls.number);
    let _ = mdp.validate();
    calls.scratch([pairs, pairs], |[p, mu], s| occupancy(mdp, p, mu, s))
        && calls.scratch([pairs, states], |[mu, out], s| flow_residual(mdp, mu, out, s))
        && calls.scratch([states, states], |[v, out], s| optimality_residual(mdp, v, out, s))
        && calls.exact([pairs], |[mu]| lp_objective(mdp, mu).map(done))
        && calls.scratch([pairs], |[mu], s| lp_feasible(mdp, mu, number, s).map(done))
}

/// Policy iteration.
pub fn optimum<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([mdp.pairs(), mdp.states()], |[p, v], s| optimal_policy(mdp, p, v, s).map(done))
}

/// Linear maps of a linear model.
pub fn linear<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, pairs) = (mdp.shape(), mdp.shape().pairs());
    calls.exact([pairs, dim], |[mu, out]| mdp.mean_feature(mu, out))
        && calls.exact([dim, pairs], |[theta, out]| mdp.linear_function(theta, out))
        && calls.exact([states, dim], |[v, out]| mdp.psi_times(v, out))
        && calls.exact([dim, states], |[lambda, out]| mdp.psi_transposed_times(lambda, out))
        && calls.exact([states, dim], |[v, out]| theta_of_value(mdp, v, out))
        && calls.exact([pairs, dim * dim], |[mu, out]| covariance(mdp, mu, out))
}

/// The table of a linear model.
pub fn tabulation<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (states, pairs) = (mdp.shape().states, mdp.shape().pairs());
    calls.exact([pairs], |[out]| mdp.reward(out))
        && calls.exact([pairs * states], |[out]| mdp.transition(out))
        && calls.exact([pairs, pairs * states], |[r, p]| mdp.tabulate(r, p).map(done))
}

/// What a linear model must satisfy.
pub fn conditions<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    calls.scratch([], |[], s| mdp.validate(s)) && calls.scratch([], |[], s| mdp.validate_undiscounted(s))
}

/// Assumption 5.2, and the bounds of Definition 2.1.
pub fn bounds<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    calls.scratch([mdp.shape().dim], |[out], s| ones_coefficients(mdp, out, s))
        && calls.scratch([], |[], s| squared_bounds(mdp, s).map(done))
}

/// (4).
pub fn primal<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, pairs, number) = (mdp.shape(), mdp.shape().pairs(), &calls.number);
    calls.exact([dim], |[lambda]| primal_objective(mdp, lambda).map(done))
        && calls.scratch([dim, pairs, states], |[l, mu, out], s| primal_flow_residual(mdp, l, mu, out, s))
        && calls.exact([dim, pairs, dim], |[l, mu, out]| primal_feature_residual(mdp, l, mu, out))
        && calls.scratch([dim, pairs], |[l, mu], s| primal_feasible(mdp, l, mu, number, s).map(done))
}

/// (5), and weak duality.
pub fn dual<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, pairs, number) = (mdp.shape(), mdp.shape().pairs(), &calls.number);
    calls.exact([states], |[v]| dual_objective(mdp, v).map(done))
        && calls.exact([states, dim, dim], |[v, theta, out]| dual_feature_residual(mdp, v, theta, out))
        && calls.exact([states, dim, pairs], |[v, theta, out]| dual_slack(mdp, v, theta, out))
        && calls.scratch([states, dim], |[v, theta], s| dual_feasible(mdp, v, theta, number, s).map(done))
        && calls.exact([states, dim], |[v, lambda]| weak_duality_gap(mdp, v, lambda).map(done))
}
