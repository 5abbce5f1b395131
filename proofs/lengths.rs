//! Public functions of the core on slices of wrong lengths. Each list below calls its functions with the lengths that a shape asks
//! for, and with every other length from 0 to one more in each argument in turn, and answers whether each wrong one was
//! refused. That no call panics shows in that there is an answer.

use super::library::covariance::{covariance, second_moment, trace, verify_root};
use super::library::error::Result;
use super::library::mdp::*;
use super::library::samples::{FeatureMap, FeatureTable};
use super::library::scalar::{Field, Real};
use super::library::softmax::{inverse_cdf, policy_row, policy_table};
use super::library::solve::{definiteness, inverse, rank, solve};
use super::library::vector::{all_finite, apply, apply_transposed, axpy, dot, norm, norm_squared, take};

/// One more than the longest argument at (2, 2, 2).
const ROOM: usize = 9;

/// Whether `call` is refused when any one argument has a length other than `expected`, up to one more.
fn exact<T: Field + Copy, const N: usize>(
    number: T,
    expected: [usize; N],
    call: impl Fn(&mut [[T; ROOM]; N], [usize; N]) -> Result<()>,
) -> bool {
    let mut holds = true;
    for i in 0..N {
        for length in 0..expected[i] + 2 {
            let mut lengths = expected;
            lengths[i] = length;
            // The right lengths need one call, not N.
            if length != expected[i] || i == 0 {
                holds &= call(&mut [[number; ROOM]; N], lengths).is_err() || length == expected[i];
            }
        }
    }
    holds
}

/// Whether `call` is refused for every length up to 5 that is not `right`.
fn refused<T: Field + Copy>(
    number: T,
    right: impl Fn(usize) -> bool,
    call: impl Fn(&mut [T; ROOM], usize) -> Result<()>,
) -> bool {
    let mut holds = true;
    for length in 0..6 {
        holds &= call(&mut [number; ROOM], length).is_err() || right(length);
    }
    holds
}

fn done<V>(_: V) {}

/// Inner products, norms, sums and scratch, of n numbers.
pub fn vectors_refuse<T: Real + Copy>(number: T, n: usize) -> bool {
    exact(number, [n, n], |[a, b], [i, j]| dot(&a[..i], &b[..j]).map(done))
        && exact(number, [n, n], |[x, y], [i, j]| axpy(&number, &x[..i], &mut y[..j]))
        && refused(number, |_| true, |a, i| norm_squared(&a[..i]).map(done))
        && refused(number, |_| true, |a, i| norm(&a[..i]).map(done))
        && refused(number, |_| true, |a, i| all_finite("a", &a[..i]))
        && refused(number, |i| i >= n, |a, i| take(&mut &mut a[..i], n).map(done))
}

/// Products with a matrix of m rows and n columns, and with its transpose.
pub fn matrices_refuse<T: Field + Copy>(number: T, m: usize, n: usize) -> bool {
    exact(number, [m * n, n, m], |[a, x, y], [i, j, k]| apply(&a[..i], &x[..j], &mut y[..k]))
        && exact(number, [m * n, m, n], |[a, x, y], [i, j, k]| apply_transposed(&a[..i], &x[..j], &mut y[..k]))
}

/// Solutions, inverses, ranks and definiteness in dimension n > 0.
pub fn solvers_refuse<T: Field + Copy>(number: T, n: usize) -> bool {
    let rows = |i: usize| i.is_multiple_of(n);
    let system = |a: &mut [T; ROOM], i| solve(n, &mut a[..n * n], &mut [number; ROOM][..i]);
    exact(number, [n * n], |[a], [i]| solve(n, &mut a[..i], &mut [number; ROOM][..n]))
        && refused(number, rows, system)
        && exact(number, [n * n, n * n], |[a, b], [i, j]| inverse(n, &mut a[..i], &mut b[..j]))
        && refused(number, rows, |a, i| rank(n, &mut a[..i]).map(done))
        && exact(number, [n * n], |[a], [i]| definiteness(n, &mut a[..i]).map(done))
}

/// Functions on X×A, and policies.
pub fn tables_refuse<T: Field + Copy>(number: T, states: usize, actions: usize) -> bool {
    let pairs = states * actions;
    let rows = |i: usize| i.is_multiple_of(actions);
    exact(number, [pairs, pairs, states], |[p, f, out], [i, j, k]| {
        policy_average(actions, &p[..i], &f[..j], &mut out[..k])
    }) && exact(number, [pairs, states], |[mu, out], [i, k]| state_marginal(actions, &mu[..i], &mut out[..k]))
        && exact(number, [pairs, states, pairs], |[p, nu, out], [i, j, k]| {
            compose(actions, &p[..i], &nu[..j], &mut out[..k])
        })
        && refused(number, rows, |f, i| valid_distributions("f", actions, &f[..i]))
        && refused(number, rows, |p, i| uniform_policy(actions, &mut p[..i]))
        && refused(number, rows, |p, i| deterministic_policy(actions, |_| 0, &mut p[..i]))
        && exact(number, [pairs, pairs], |[mu, p], [i, j]| extract_policy(actions, &mu[..i], &mut p[..j]))
        && exact(number, [pairs], |[p], [i]| validate_policy(states, actions, &p[..i]))
        && exact(number, [pairs, pairs], |[r, mu], [i, j]| expected_reward(&r[..i], &mu[..j]).map(done))
}

/// Softmax policies from features of dimension d, and draws.
pub fn policies_refuse<T: Real + Copy>(number: T, states: usize, actions: usize, dim: usize) -> bool {
    let pairs = states * actions;
    exact(number, [actions * dim, dim, actions], |[f, t, p], [i, j, k]| {
        policy_row(&number, &f[..i], &t[..j], &mut p[..k])
    }) && exact(number, [pairs * dim, dim, pairs], |[f, t, p], [i, j, k]| {
        policy_table(actions, &number, &f[..i], &t[..j], &mut p[..k])
    }) && refused(number, |i| i > 0, |p, i| inverse_cdf(&p[..i], &T::zero()).map(done))
}

/// Models, tabular and linear; none has a shape with a 0.
pub fn models_refuse<T: Field + Copy>(number: T, shape: Shape) -> bool {
    let Shape { states, actions, dim } = shape;
    let pairs = states * actions;
    let none = [number; 0];
    exact(number, [pairs, pairs * states, states], |[r, p, nu], [i, j, k]| {
        Mdp::new(states, actions, &r[..i], &p[..j], &nu[..k], &number).map(done)
    }) && exact(number, [pairs * dim, dim, states * dim, states], |[f, o, p, nu], [i, j, k, l]| {
        LinearMdp::new(shape, &f[..i], &o[..j], &p[..k], &nu[..l], &number).map(done)
    }) && Mdp::new(states, 0, &none, &none, &[number; 1], &number).is_err()
        && LinearMdp::new(Shape { dim: 0, ..shape }, &none, &none, &none, &[number; 1], &number).is_err()
}

/// The functions of a linear model.
pub fn linear_functions_refuse<T: Field + Copy>(number: T, shape: Shape) -> bool {
    let Shape { states, actions, dim } = shape;
    let (pairs, numbers) = (states * actions, [number; ROOM]);
    let (features, psi) = (&numbers[..pairs * dim], &numbers[..states * dim]);
    let Ok(mdp) = LinearMdp::new(shape, features, &numbers[..dim], psi, &numbers[..states], &number) else {
        return false;
    };
    exact(number, [pairs], |[out], [i]| mdp.reward(&mut out[..i]))
        && exact(number, [pairs * states], |[out], [i]| mdp.transition(&mut out[..i]))
        && exact(number, [pairs, dim], |[x, out], [i, j]| mdp.mean_feature(&x[..i], &mut out[..j]))
        && exact(number, [dim, pairs], |[x, out], [i, j]| mdp.linear_function(&x[..i], &mut out[..j]))
        && exact(number, [states, dim], |[x, out], [i, j]| mdp.psi_times(&x[..i], &mut out[..j]))
        && exact(number, [dim, states], |[x, out], [i, j]| mdp.psi_transposed_times(&x[..i], &mut out[..j]))
        && exact(number, [states, dim], |[v, out], [i, j]| theta_of_value(&mdp, &v[..i], &mut out[..j]))
}

/// The programs (4) and (5) of a linear model, and its Λ.
pub fn programs_refuse<T: Field + Copy>(number: T, shape: Shape) -> bool {
    let Shape { states, actions, dim } = shape;
    let (pairs, numbers) = (states * actions, [number; ROOM]);
    let (features, psi) = (&numbers[..pairs * dim], &numbers[..states * dim]);
    let Ok(mdp) = LinearMdp::new(shape, features, &numbers[..dim], psi, &numbers[..states], &number) else {
        return false;
    };
    exact(number, [dim], |[l], [i]| primal_objective(&mdp, &l[..i]).map(done))
        && exact(number, [states], |[v], [i]| dual_objective(&mdp, &v[..i]).map(done))
        && exact(number, [dim, pairs, dim], |[l, mu, out], [i, j, k]| {
            primal_feature_residual(&mdp, &l[..i], &mu[..j], &mut out[..k])
        })
        && exact(number, [states, dim, dim], |[v, t, out], [i, j, k]| {
            dual_feature_residual(&mdp, &v[..i], &t[..j], &mut out[..k])
        })
        && exact(number, [states, dim, pairs], |[v, t, out], [i, j, k]| {
            dual_slack(&mdp, &v[..i], &t[..j], &mut out[..k])
        })
        && exact(number, [states, dim], |[v, l], [i, j]| weak_duality_gap(&mdp, &v[..i], &l[..j]).map(done))
        && exact(number, [pairs, dim * dim], |[mu, out], [i, j]| covariance(&mdp, &mu[..i], &mut out[..j]))
}

/// Matrices Λ in dimension d.
pub fn covariances_refuse<T: Field + Copy>(number: T, dim: usize) -> bool {
    let square = dim * dim;
    exact(number, [2 * dim, 2, square], |[f, w, out], [i, j, k]| second_moment(dim, &f[..i], &w[..j], &mut out[..k]))
        && exact(number, [square, square], |[l, r], [i, j]| verify_root(dim, &l[..i], &r[..j]))
        && exact(number, [square], |[m], [i]| trace(dim, &m[..i]).map(done))
}

/// A table of features is built exactly where its length is a multiple of |A|d, and has exactly its states.
pub fn feature_table_checks_lengths<T: Field>(actions: usize, dim: usize, rows: &[T], x: usize) -> bool {
    let fits = actions > 0 && dim > 0 && rows.len().is_multiple_of(actions.saturating_mul(dim));
    match FeatureTable::new(actions, dim, rows) {
        Ok(table) => {
            let states = rows.len() / (actions * dim);
            fits && table.state(x).map(<[T]>::len) == (x < states).then_some(actions * dim)
        }
        Err(_) => !fits || rows.iter().any(|value| !value.is_valid()),
    }
}
