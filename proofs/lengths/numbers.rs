//! Vectors, matrices, linear systems, Λ, projections, softmax, features.

use super::super::library::linear::projection::*;
use super::super::library::linear::softmax::*;
use super::super::library::linear::solve::{definiteness, inverse, rank, solve};
use super::super::library::linear::vector::*;
use super::super::library::number::{Field, Real};
use super::super::library::paper::covariance::*;
use super::super::library::paper::samples::{FeatureMap, FeatureTable};
use super::{Calls, ROOM, any, done};

/// Inner products, norms, sums and scratch, of n numbers.
pub fn vectors<T: Real + Copy>(calls: &Calls<T>, n: usize) -> bool {
    calls.equal(n, |[a, b]| dot(a, b).map(done))
        && calls.equal(n, |[x, y]| axpy(&calls.number, x, y))
        && calls.lengths(any, |a| norm_squared(a).map(done))
        && calls.lengths(any, |a| norm(a).map(done))
        && calls.lengths(any, |a| all_finite("a", a))
        && calls.lengths(|length| length >= n, |a| take(&mut &mut a[..], n).map(done))
}

/// Products with a matrix of m rows and n columns, and with its transpose.
pub fn products<T: Field + Copy>(calls: &Calls<T>, m: usize, n: usize) -> bool {
    calls.related([m * n, n, m], |[a, x, y]| a == x * y, |[a, x, y]| apply(a, x, y))
        && calls.related([m * n, m, n], |[a, x, y]| a == x * y, |[a, x, y]| apply_transposed(a, x, y))
}

/// Solutions and inverses in dimension n.
pub fn systems<T: Field + Copy>(calls: &Calls<T>, n: usize) -> bool {
    let (square, number) = (n * n, calls.number);
    let rows = |length: usize| if n == 0 { length == 0 } else { length.is_multiple_of(n) };
    calls.exact([square], |[a]| solve(n, a, &mut [number; ROOM][..n]))
        && calls.lengths(rows, |b| solve(n, &mut [number; ROOM][..square], b))
        && calls.exact([square, square], |[a, out]| inverse(n, a, out))
}

/// Ranks and definiteness in dimension n.
pub fn ranks<T: Field + Copy>(calls: &Calls<T>, n: usize) -> bool {
    let rows = |length: usize| n > 0 && length.is_multiple_of(n);
    calls.lengths(rows, |a| rank(n, a).map(done)) && calls.exact([n * n], |[a]| definiteness(n, a).map(done))
}

/// Matrices Λ in dimension d, of two rows of features.
pub fn covariances<T: Field + Copy>(calls: &Calls<T>, dim: usize) -> bool {
    let square = dim * dim;
    calls.related_scratch([2 * dim, 2], |[f, w]| f == w * dim, |[f, w], s| second_moment(dim, f, w, s).map(done))
        && calls.exact([square, square], |[lambda, root]| verify_root(dim, lambda, root))
        && calls.exact([square], |[matrix]| trace(dim, matrix).map(done))
        && [Exponent::One, Exponent::Half]
            .into_iter()
            .all(|c| calls.scratch([square], |[power], scratch| weight_of_power(c, dim, power, scratch).map(done)))
        && calls.scratch([square, dim], |[matrix, x], s| apply_inverse(dim, matrix, x, s).map(done))
        && calls.scratch([square, dim], |[matrix, x], s| weighted_norm_squared(dim, matrix, x, s).map(done))
}

/// Π onto a ball.
pub fn projections<T: Real + Copy>(calls: &Calls<T>) -> bool {
    calls.lengths(any, |y| project_ball(y, &calls.number))
}

/// The invariants of iterates and policies, softmax, and draws.
pub fn distributions<T: Real + Copy>(calls: &Calls<T>) -> bool {
    let number = &calls.number;
    calls.lengths(|length| length > 0, |z| softmax(z))
        && calls.lengths(any, |y| {
            let _ = (within_ball(y, number), average_within_ball(y, 2, number), on_simplex(y));
            Ok(())
        })
        && calls.lengths(|length| length > 0, |p| inverse_cdf(p, number).map(done))
}

/// Policies from features of dimension d.
pub fn policies<T: Real + Copy>(calls: &Calls<T>, states: usize, actions: usize, dim: usize) -> bool {
    let (pairs, number) = (states * actions, &calls.number);
    calls.related(
        [actions * dim, dim, actions],
        |[f, theta, out]| f == theta * out,
        |[f, theta, out]| policy_row(number, f, theta, out),
    ) && calls.related(
        [pairs * dim, dim, pairs],
        |[f, theta, out]| f == theta * out && out.is_multiple_of(actions),
        |[f, theta, out]| policy_table(actions, number, f, theta, out),
    )
}

/// A table of features is built exactly where its length is a multiple of |A|d, and has exactly its states.
pub fn feature_table<T: Field>(actions: usize, dim: usize, rows: &[T], x: usize) -> bool {
    let fits = actions > 0 && dim > 0 && rows.len().is_multiple_of(actions.saturating_mul(dim));
    match FeatureTable::new(actions, dim, rows) {
        Ok(table) => {
            let states = rows.len() / (actions * dim);
            fits && table.state(x).map(<[T]>::len) == (x < states).then_some(actions * dim)
        }
        Err(_) => !fits || rows.iter().any(|value| !value.is_valid()),
    }
}
