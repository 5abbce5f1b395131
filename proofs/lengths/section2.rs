//! Section 2: policies and functions on X×A, tabular models, linear models, the programs (2), (4) and (5).

use super::super::library::number::Field;
use super::super::library::paper::covariance::covariance;
use super::super::library::paper::mdp::*;
use super::{Calls, done};

/// Functions on X×A, and policies.
pub fn tables<T: Field + Copy>(calls: &Calls<T>, states: usize, actions: usize) -> bool {
    let pairs = states * actions;
    let rows = |[length]: [usize; 1]| length.is_multiple_of(actions);
    calls.related_scratch(
        [pairs, pairs],
        |[p, f]| p.is_multiple_of(actions) && f == p,
        |[p, f], s| policy_average(actions, p, f, s).map(done),
    ) && calls.related_scratch([pairs], rows, |[mu], s| state_marginal(actions, mu, s).map(done))
        && calls.related_scratch([pairs], rows, |[mu], s| extract_policy(actions, mu, s).map(done))
        && calls.related_scratch(
            [pairs, states],
            |[p, nu]| p == nu * actions,
            |[p, nu], s| compose(actions, p, nu, s).map(done),
        )
        && calls.exact([pairs], |[p]| validate_policy(states, actions, p))
        && calls.equal(pairs, |[r, mu]| expected_reward(r, mu).map(done))
}

/// Policies, of as many states as there are.
pub fn policies<T: Field + Copy>(calls: &Calls<T>, actions: usize) -> bool {
    calls.lengths(|length| length.is_multiple_of(actions), |f| valid_distributions("f", actions, f))
        && calls.scratch([], |[], s| uniform_policy(2, actions, s).map(done))
        && calls.scratch([], |[], s| deterministic_policy(2, actions, |_| actions - 1, s).map(done))
        // An action beyond |A| is refused.
        && [actions, usize::MAX].into_iter().all(|choice| {
            deterministic_policy(2, actions, |_| choice, &mut &mut [calls.number; 4][..]).is_err()
        })
}

/// Models, tabular and linear; none has a shape with a 0.
pub fn models<T: Field + Copy>(calls: &Calls<T>, shape: Shape) -> bool {
    let (Shape { states, actions, dim }, number) = (shape, &calls.number);
    let pairs = states * actions;
    calls.exact([pairs, pairs * states, states], |[r, p, nu]| {
        Mdp::unvalidated(states, actions, r, p, nu, number).map(done)
    }) && calls.exact([pairs * dim, dim, states * dim, states], |[f, omega, psi, nu]| {
        LinearMdp::unvalidated(shape, f, omega, psi, nu, number).map(done)
    }) && Mdp::new(states, 0, &[], &[], &[*number; 1], number).is_err()
        && LinearMdp::new(Shape { dim: 0, ..shape }, &[], &[], &[], &[*number; 1], number).is_err()
}

/// P_π.
pub fn chain<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([mdp.pairs()], |[p], s| policy_transition(mdp, p, s).map(done))
}

/// q^π by its own system.
pub fn direct<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([mdp.pairs()], |[p], s| action_value_direct(mdp, p, s).map(done))
}

/// Values, Bellman's equations and ν^π.
pub fn values<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs) = (mdp.states(), mdp.pairs());
    calls.scratch([pairs], |[p], s| state_value(mdp, p, s).map(done))
        && calls.scratch([states], |[v], s| action_value(mdp, v, s).map(done))
        && calls.scratch([pairs, states], |[q, v], s| bellman_residual(mdp, q, v, s).map(done))
        && calls.exact([states], |[v]| normalised_return(mdp, v).map(done))
        && calls.scratch([pairs], |[p], s| state_occupancy(mdp, p, s).map(done))
}

/// Occupancies, (2), and the residual of Bellman's optimality equation.
pub fn occupancies<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    let (states, pairs, number) = (mdp.states(), mdp.pairs(), &calls.number);
    mdp.validate().unwrap_or(());
    calls.scratch([pairs], |[p], s| occupancy(mdp, p, s).map(done))
        && calls.scratch([pairs], |[mu], s| flow_residual(mdp, mu, s).map(done))
        && calls.scratch([states], |[v], s| optimality_residual(mdp, v, s).map(done))
        && calls.exact([pairs], |[mu]| lp_objective(mdp, mu).map(done))
        && calls.scratch([pairs], |[mu], s| lp_feasible(mdp, mu, number, s).map(done))
}

/// Policy iteration.
pub fn optimum<T: Field + Copy>(calls: &Calls<T>, mdp: &Mdp<T>) -> bool {
    calls.scratch([], |[], s| optimal_policy(mdp, s).map(done))
}

/// Linear maps of a linear model.
pub fn linear<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, pairs) = (mdp.shape(), mdp.shape().pairs());
    calls.scratch([pairs], |[mu], s| mdp.mean_feature(mu, s).map(done))
        && calls.scratch([dim], |[theta], s| mdp.linear_function(theta, s).map(done))
        && calls.scratch([states], |[v], s| mdp.psi_times(v, s).map(done))
        && calls.scratch([dim], |[lambda], s| mdp.psi_transposed_times(lambda, s).map(done))
        && calls.scratch([states], |[v], s| theta_of_value(mdp, v, s).map(done))
        && calls.scratch([pairs], |[mu], s| covariance(mdp, mu, s).map(done))
}

/// The table of a linear model.
pub fn tabulation<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    calls.scratch([], |[], s| mdp.reward(s).map(done))
        && calls.scratch([], |[], s| mdp.transition(s).map(done))
        && calls.scratch([], |[], s| mdp.tabulate(s).map(done))
}

/// What a linear model must satisfy.
pub fn conditions<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    calls.scratch([], |[], s| mdp.validate(s)) && calls.scratch([], |[], s| mdp.validate_undiscounted(s))
}

/// Assumption 5.2, and the bounds of Definition 2.1.
pub fn bounds<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    calls.scratch([], |[], s| ones_coefficients(mdp, s).map(done))
        && calls.scratch([], |[], s| squared_bounds(mdp, s).map(done))
}

/// (4).
pub fn primal<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (dim, pairs, number) = (mdp.shape().dim, mdp.shape().pairs(), &calls.number);
    calls.exact([dim], |[lambda]| primal_objective(mdp, lambda).map(done))
        && calls.scratch([dim, pairs], |[l, mu], s| primal_flow_residual(mdp, l, mu, s).map(done))
        && calls.scratch([dim, pairs], |[l, mu], s| primal_feature_residual(mdp, l, mu, s).map(done))
        && calls.scratch([dim, pairs], |[l, mu], s| primal_feasible(mdp, l, mu, number, s).map(done))
}

/// (5), and weak duality.
pub fn dual<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (Shape { states, dim, .. }, number) = (mdp.shape(), &calls.number);
    calls.exact([states], |[v]| dual_objective(mdp, v).map(done))
        && calls.scratch([states, dim], |[v, theta], s| dual_feature_residual(mdp, v, theta, s).map(done))
        && calls.scratch([states, dim], |[v, theta], s| dual_slack(mdp, v, theta, s).map(done))
        && calls.scratch([states, dim], |[v, theta], s| dual_feasible(mdp, v, theta, number, s).map(done))
        && calls.exact([states, dim], |[v, lambda]| weak_duality_gap(mdp, v, lambda).map(done))
}
