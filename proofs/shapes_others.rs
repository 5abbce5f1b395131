//! What `shapes.rs` does, with the same scalar and the same stubs, for optimal policies, linear systems, projections, policies, the appendices and
//! the instances.

use super::contracts::*;
use super::lengths::{numbers, others, section2};
use crate::error::{Error, Result, expect_len, expect_table};
use crate::mdp::{LinearMdp, Mdp};
use crate::scalar::{Field, Real};
use crate::solve::inverse;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Any answer of a function whose lengths are right.
fn any_number<T: Field>() -> Result<T> {
    if kani::any() { Ok(T::zero()) } else { Err(Error::Empty { what: "" }) }
}

/// How often `any_value` was called.
static EVALUATIONS: AtomicUsize = AtomicUsize::new(0);

/// Stands for `mdp::state_value`, which checks both lengths.
fn any_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], _scratch: &mut [T]) -> Result<()> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    expect_len("v", mdp.states(), v.len())?;
    // Budget: two policies are evaluated; an `Err` ends the loop.
    if EVALUATIONS.fetch_add(1, Ordering::Relaxed) < 2 { Ok(()) } else { Err(Error::Empty { what: "v" }) }
}

/// Stands for `mdp::action_value`, which checks both lengths.
fn any_action_value<T: Field>(mdp: &Mdp<T>, v: &[T], q: &mut [T]) -> Result<()> {
    expect_len("v", mdp.states(), v.len())?;
    expect_len("q", mdp.pairs(), q.len())
}

/// Stands for `mdp::valid_rewards`.
fn any_rewards<T: Field>(_reward: &[T]) -> Result<()> {
    if kani::any() { Ok(()) } else { Err(Error::Empty { what: "reward" }) }
}

/// Stands for `solve::eliminate`: both sides have as many numbers as they need; the rank is any.
fn any_elimination<T: Field>(rows: usize, columns: usize, a: &mut [T], m: usize, b: &mut [T]) -> usize {
    assert!(a.len() == rows * columns && b.len() == rows * m);
    if kani::any() { rows.min(columns) } else { 0 }
}

/// Stands for `solve::inverse`: both are square.
fn inverted<T: Field>(n: usize, a: &mut [T], out: &mut [T]) -> Result<()> {
    expect_table("inverse", n, n, out.len())?;
    solved("matrix", n, a, out)
}

/// Stands for `vector::add_scaled`.
fn side_by_side<T: Field>(_s: &T, x: &[T], y: &mut [T]) {
    assert!(x.len() == y.len());
}

/// Stands for `coverage::rayleigh_quotient`, which checks all lengths.
fn any_quotient<T: Field>(dim: usize, m: &[T], lambda: &[T], y: &[T], _scratch: &mut [T]) -> Result<T> {
    expect_table("M", dim, dim, m.len())?;
    expect_table("Λ", dim, dim, lambda.len())?;
    expect_len("y", dim, y.len())?;
    any_number()
}

/// Stands for `coverage::bellman_error`, which checks all lengths.
fn any_error<T: Field>(mdp: &LinearMdp<T>, policy: &[T], theta: &[T], out: &mut [T], _scratch: &mut [T]) -> Result<()> {
    expect_len("policy", mdp.shape().pairs(), policy.len())?;
    expect_len("theta", mdp.shape().dim, theta.len())?;
    expect_len("y", mdp.shape().dim, out.len())
}

/// Stands for `gradient_descent::distance_squared` and `mirror_descent::relative_entropy`, which compare lengths.
fn any_of_two<T: Field>(a: &[T], b: &[T]) -> Result<T> {
    expect_len("b", a.len(), b.len())?;
    any_number()
}

/// The same for `Real`.
fn any_of_two_real<T: Real>(a: &[T], b: &[T]) -> Result<T> {
    any_of_two(a, b)
}

/// Stands for `gradient_descent::instantaneous_regret` and `mirror_descent::advantage`, which compare lengths.
fn any_of_three<T: Field>(a: &[T], b: &[T], c: &[T]) -> Result<T> {
    expect_len("b", a.len(), b.len())?;
    expect_len("c", a.len(), c.len())?;
    any_number()
}

/// Stands for `mirror_descent::hoeffding_right`, which takes any length.
fn any_hoeffding<T: Field>(_alpha: &T, _q: &[T]) -> Result<T> {
    any_number()
}

/// Stands for `softmax::normalised_exponentials`: whole rows.
fn whole_rows<T: Real>(actions: usize, z: &mut [T]) {
    assert!(actions > 0 && z.len().is_multiple_of(actions));
}

/// Stands for the debug assertion of `softmax::on_simplex`, which is about numbers.
fn any_policy<T: Field>(_policy: &[T]) -> bool {
    true
}

/// Stands for the debug assertion of `projection::within_ball`, which is about numbers.
fn any_point<T: Real>(_y: &[T], _radius: &T) -> bool {
    true
}

/// An optimal policy of a tabular model, with up to two improvements.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::mdp::value::state_value, any_value)]
#[kani::stub(crate::mdp::value::action_value, any_action_value)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn optimum_lengths() {
    end(section2::optimum(&calls(), &table()));
}

/// What a linear model must satisfy: Definition 2.1, its bounds, and Assumption 5.2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::add_scaled, side_by_side)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::solve::solve_named, solved)]
#[kani::stub(crate::solve::rank, rank_or_less)]
#[kani::stub(crate::mdp::valid_distributions, any_distributions)]
#[kani::stub(crate::mdp::valid_rewards, any_rewards)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn condition_lengths() {
    end(section2::conditions(&calls(), &linear()));
}

/// Λ of two features, its root, trace, powers and inverse, in dimension 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::solve::solve_named, solved)]
#[kani::stub(crate::solve::inverse, inverted)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn covariance_lengths() {
    end(numbers::covariances(&calls(), 2));
}

/// Solutions and inverses in dimension 2, with up to two right sides.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::eliminate, any_elimination)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn solution_lengths() {
    end(numbers::systems(&calls(), 2));
}

/// Ranks of up to two rows, and definiteness, in dimension 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::eliminate, any_elimination)]
#[kani::stub(crate::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn rank_and_sign_lengths() {
    end(numbers::ranks(&calls(), 2));
}

/// Π onto a ball, of up to 5 numbers.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::projection::within_ball, any_point)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn projection_lengths() {
    end(numbers::projections(&calls()));
}

/// The invariants of iterates and policies, softmax, and draws, of up to 5 numbers.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn softmax_lengths() {
    end(numbers::distributions(&calls()));
}

/// Policies from features, with 2 states, 2 actions and 2 features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::softmax::normalised_exponentials, whole_rows)]
#[kani::stub(crate::softmax::on_simplex, any_policy)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn policy_row_lengths() {
    end(numbers::policies(&calls(), 2, 2, 2));
}

/// The ratios of tables of 3 numbers.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn tabular_ratio_lengths() {
    end(others::tabular(&calls()));
}

/// The ratio over up to two Bellman errors.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::coverage::bellman::bellman_error, any_error)]
#[kani::stub(crate::coverage::dagger::rayleigh_quotient, any_quotient)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn bellman_coverage_lengths() {
    end(others::bellman_coverage(&calls(), &linear()));
}

/// Lemma D.1, one step in dimension 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn gradient_step_lengths() {
    end(others::gradient_step(&calls(), 2));
}

/// Lemma D.1, two steps in dimension 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::online_learning::gradient_descent::distance_squared, any_of_two)]
#[kani::stub(crate::online_learning::gradient_descent::instantaneous_regret, any_of_three)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn gradient_path_lengths() {
    end(others::gradient_path(&calls(), 2));
}

/// Lemma D.2, with 2 actions: what its sums are made of.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn mirror_step_lengths() {
    end(others::mirror_step(&calls(), 2));
}

/// Lemma D.2, with 2 actions: its sums over steps.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::online_learning::mirror_descent::relative_entropy, any_of_two_real)]
#[kani::stub(crate::online_learning::mirror_descent::hoeffding_right, any_hoeffding)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn mirror_path_lengths() {
    end(others::mirror_path(&calls(), 2));
}

/// The instance `rotated`, of shape (2, 2, 2), in its room and in one number less.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn instance_lengths() {
    end(others::instance(&crate::instances::all()[2], &mut [NUMBERS[0]; 25]));
}

/// `inverse` of 2×2 numbers, which has two right sides, whatever the pivots.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(6)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn inverse_lengths() {
    let answer = inverse(2, &mut [NUMBERS[0]; 4], &mut [NUMBERS[0]; 4]);
    kani::cover!(answer.is_ok(), "inverted");
    kani::cover!(matches!(answer, Err(Error::Singular { rank: 1, .. })), "of rank 1");
}
