//! Appendices D and E, and the embedded instances.

use super::super::library::instances::Instance;
use super::super::library::number::{Field, Real};
use super::super::library::paper::covariance::Exponent;
use super::super::library::paper::coverage::*;
use super::super::library::paper::mdp::LinearMdp;
use super::super::library::paper::online_learning::{gradient_descent as descent, mirror_descent as mirror};
use super::{Calls, any, done, same};

/// The ratios of a linear model.
pub fn coverage<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>, c: Exponent) -> bool {
    let (pairs, square) = (mdp.shape().pairs(), mdp.shape().dim * mdp.shape().dim);
    calls.scratch([pairs, square], |[mu, l], s| coverage_ratio(c, mdp, mu, l, s).map(done))
        && calls.scratch([pairs, square], |[mu, l], s| second_moment_ratio(c, mdp, mu, l, s).map(done))
        && calls.scratch([pairs, square], |[mu, l], s| feature_variance(c, mdp, mu, l, s).map(done))
        && calls.scratch([pairs, square], |[mu, l], s| diamond_ratio(mdp, mu, l, s).map(done))
}

/// ‖Λ^{−c}z‖², and the ratios of two matrices.
pub fn ratios<T: Field + Copy>(calls: &Calls<T>, dim: usize) -> bool {
    let (square, number) = (dim * dim, &calls.number);
    [Exponent::One, Exponent::Half]
        .into_iter()
        .all(|c| calls.scratch([square, dim], |[l, z], s| inverse_norm_squared(c, dim, l, z, s).map(done)))
        && calls.scratch([square, square], |[m, l], s| diamond_ratio_trace(dim, m, l, s).map(done))
        && calls.scratch([square, square, dim], |[m, l, y], s| rayleigh_quotient(dim, m, l, y, s).map(done))
        && calls.scratch([square, square], |[m, l], s| dagger_ratio_at_most(dim, m, l, number, s).map(done))
        && calls.scratch([square, square], |[m, l], s| dagger_ratio_equals(dim, m, l, number, s).map(done))
        && calls.scratch([square, square], |[m, l], s| dagger_ratio_bracket(dim, m, l, 1, s).map(done))
}

/// The ratios of tables.
pub fn tabular<T: Field + Copy>(calls: &Calls<T>) -> bool {
    [Exponent::One, Exponent::Half]
        .into_iter()
        .all(|c| calls.equal(3, |[star, b]| tabular_coverage_ratio(c, star, b).map(done)))
        && calls.equal(3, |[star, b]| tabular_diamond_ratio(star, b).map(done))
        && calls.equal(3, |[star, b]| tabular_dagger_ratio(star, b).map(done))
        && calls.equal(3, |[star, b]| chi_squared(star, b).map(done))
}

/// Bellman errors.
pub fn bellman<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
    calls.scratch([pairs, dim], |[p, theta], s| bellman_operator(mdp, p, theta, s).map(done))
        && calls.scratch([pairs, dim], |[p, theta], s| bellman_error(mdp, p, theta, s).map(done))
        && calls.scratch([pairs; 4], |[p, f, star, b], s| bellman_error_ratio(mdp, p, f, star, b, s).map(done))
}

/// θ of a Bellman error.
pub fn bellman_inverse<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
    calls.scratch([pairs, dim], |[p, y], s| theta_of_bellman_error(mdp, p, y, s).map(done))
}

/// The ratio over several Bellman errors.
pub fn bellman_coverage<T: Field + Copy>(calls: &Calls<T>, mdp: &LinearMdp<T>) -> bool {
    let (dim, pairs, number) = (mdp.shape().dim, mdp.shape().pairs(), calls.number);
    let square = [number; 4];
    let square = &square[..dim * dim];
    calls.scratch([pairs, dim * dim, dim * dim], |[p, m, l], s| {
        bellman_coverage_ratio(mdp, p, &[number; 2][..dim], m, l, s).map(done)
    }) && calls.lengths(
        |length| length > 0 && length.is_multiple_of(dim),
        |thetas| {
            let (policy, mut scratch) = ([number; 4], [number; super::SCRATCH]);
            bellman_coverage_ratio(mdp, &policy[..pairs], thetas, square, square, &mut scratch).map(done)
        },
    )
}

/// Lemma D.1, in dimension d: one step.
pub fn gradient_step<T: Field + Copy>(calls: &Calls<T>, dim: usize) -> bool {
    let number = &calls.number;
    calls.related_scratch([dim; 2], |[y, h]| y == h, |[y, h], s| descent::unprojected_step(y, number, h, s).map(done))
        && calls.lengths(any, |y| descent::project_with_norm(y, number, number))
        && calls.equal(dim, |[a, b]| descent::distance_squared(a, b).map(done))
        && calls.equal(dim, |[star, y, h]| descent::instantaneous_regret(star, y, h).map(done))
        && calls.equal(dim, |[y, h, star]| descent::one_step_right(y, number, h, star).map(done))
}

/// Lemma D.1, in dimension d: two steps.
pub fn gradient_path<T: Field + Copy>(calls: &Calls<T>, dim: usize) -> bool {
    let number = &calls.number;
    // y_{n+1} may be there or not.
    let paths = |length: usize| length == 2 * dim || length == 3 * dim;
    calls.lengths(paths, |y| descent::path_regret(y, &[*number; 4][..2 * dim], &[*number; 2][..dim]).map(done))
        && calls.related(
            [3 * dim, 2 * dim],
            |[y, h]| y == h + dim && h.is_multiple_of(dim),
            |[y, h]| descent::telescoped_right(y, h, number, &[*number; 2][..dim]).map(done),
        )
        && calls.lengths(
            |length| length == dim,
            |star| {
                descent::telescoped_right(&[*number; 6][..3 * dim], &[*number; 4][..2 * dim], number, star).map(done)
            },
        )
}

/// Lemma D.2, with |A| actions: what its sums are made of.
pub fn mirror_step<T: Real + Copy>(calls: &Calls<T>, actions: usize) -> bool {
    let alpha = &calls.number;
    calls.equal(actions, |[p, q]| mirror::relative_entropy(p, q).map(done))
        && calls.related_scratch(
            [actions; 2],
            |[p, q]| p == q,
            |[p, q], s| mirror::mirror_step(alpha, p, q, s).map(done),
        )
        && calls.equal(actions, |[p, q]| mirror::log_mean_exponential(alpha, p, q).map(done))
        && calls.equal(actions, |[star, p, q]| mirror::advantage(star, p, q).map(done))
        && calls.lengths(any, |q| mirror::hoeffding_right(alpha, q).map(done))
}

/// Lemma D.2: its sums over states, and one step at a state.
pub fn mirror_descent<T: Real + Copy>(calls: &Calls<T>, states: usize, actions: usize) -> bool {
    let (pairs, alpha) = (states * actions, &calls.number);
    calls.related(
        [states, pairs, pairs],
        |[nu, p, q]| same([p, q], [nu * actions; 2]),
        |[nu, p, q]| mirror::conditional_entropy(actions, nu, p, q).map(done),
    ) && calls.equal(actions, |[star, p, q]| mirror::entropy_step_right(alpha, star, p, q).map(done))
        && calls.equal(actions, |[p, q]| mirror::hoeffding_left(alpha, p, q).map(done))
        && calls.related(
            [states, pairs, pairs, pairs],
            |[nu, star, p, q]| same([star, p, q], [nu * actions; 3]),
            |[nu, star, p, q]| mirror::mirror_regret(actions, nu, star, p, q).map(done),
        )
}

/// Lemma D.2: its sums over steps, with |A| actions.
pub fn mirror_path<T: Real + Copy>(calls: &Calls<T>, actions: usize) -> bool {
    let alpha = &calls.number;
    let rows = |length: usize| length.is_multiple_of(actions);
    let some = [calls.number; 2];
    let some = &some[..actions];
    calls.lengths(rows, |qs| mirror::telescoped_right(alpha, some, some, qs).map(done))
        && calls.equal(actions, |[star, p]| mirror::telescoped_right(alpha, star, p, some).map(done))
        && calls.equal(actions, |[star, p, q]| {
            super::super::library::errata::lemma_d2_last_display(alpha, star, p, q).map(done)
        })
}

/// An embedded instance: one number less than it needs is refused.
pub fn instance<T: Field>(instance: &Instance, buffer: &mut [T]) -> bool {
    // Accepted or not: the numbers are the scalar's, which may be too small for them.
    instance.write(buffer).and_then(|view| view.linear_mdp().map(done)).unwrap_or(());
    buffer.len() == instance.len() && instance.write(&mut buffer[1..]).is_err()
}
