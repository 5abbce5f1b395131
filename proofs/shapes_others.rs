//! What `shapes.rs` does, for optimal policies, linear systems, projections, policies, the appendices, the algorithms and the instances.

use super::abstraction::Abstract;
use super::contracts::*;
use super::lengths::{numbers, others, runs, section2};
use super::scalars::Fixed;
use crate::covariance::Exponent;
use crate::error::Result;
use crate::mdp::{LinearMdp, Mdp, Shape};
use crate::samples::FeatureTable;
use crate::scalar::{Field, Real};
use crate::solve::Definiteness;
use core::sync::atomic::{AtomicUsize, Ordering};

/// How often `any_value` was called.
static EVALUATIONS: AtomicUsize = AtomicUsize::new(0);

/// Stands for `mdp::state_value`, which checks both lengths.
fn any_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], _scratch: &mut [T]) -> Result<()> {
    // Budget: two rounds.
    kani::assume(EVALUATIONS.fetch_add(1, Ordering::Relaxed) < 2);
    answer(policy.len() == mdp.pairs() && v.len() == mdp.states(), ())
}

/// Stands for `mdp::valid_rewards`.
fn any_rewards<T: Field>(_reward: &[T]) -> Result<()> {
    answer(true, ())
}

/// Stands for `solve::eliminate`: both sides have as many numbers as they need; the rank is any.
fn any_elimination<T: Field>(rows: usize, columns: usize, a: &mut [T], m: usize, b: &mut [T]) -> usize {
    assert!(a.len() == rows * columns && b.len() == rows * m);
    if kani::any() { rows.min(columns) } else { 0 }
}

/// Stands for `solve::inverse`: both are square.
fn inverted<T: Field>(n: usize, a: &mut [T], out: &mut [T]) -> Result<()> {
    answer(out.len() == n * n, ()).and_then(|()| solved("matrix", n, a, out))
}

/// Stands for `coverage::inverse_norm_squared`.
fn any_norm<T: Field>(_c: Exponent, dim: usize, lambda: &[T], z: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(lambda.len() == dim * dim && z.len() == dim, T::zero())
}

/// Stands for `solve::definiteness`.
fn any_definiteness<T: Field>(n: usize, a: &mut [T]) -> Result<Definiteness> {
    let sign = if kani::any() { Definiteness::Definite } else { Definiteness::Indefinite };
    answer(a.len() == n * n, if kani::any() { sign } else { Definiteness::Semidefinite { rank: 0 } })
}

fn any_exponent() -> Exponent {
    if kani::any() { Exponent::One } else { Exponent::Half }
}

/// Features of a shape.
fn rows(shape: Shape) -> FeatureTable<'static, Abstract> {
    FeatureTable::new(shape.actions, shape.dim, &NUMBERS[..shape.pairs() * shape.dim]).unwrap()
}

/// Stands for `projection::within_ball`, which takes any length.
fn any_ball<T: Real>(_y: &[T], _radius: &T) -> bool {
    kani::any()
}

/// Stands for `Parameters::validate` of Algorithm 1, which is about numbers.
fn first_parameters<T: Real>(_: &crate::discounted::algorithm::Parameters<T>) -> Result<()> {
    Ok(())
}

/// Stands for `Parameters::validate` of Algorithm 2.
fn second_parameters<T: Real>(_: &crate::average_reward::algorithm::Parameters<T>) -> Result<()> {
    Ok(())
}

/// Stands for `coverage::bellman::subtract_pair`, two loops over slices side by side: rows of φ's length, which is not 0.
fn fitting_pair<T: Field>(matrix: &mut [T], psi: &[T], phi: &[T], _probability: &T, _discount: &T) {
    assert!(!phi.is_empty() && matrix.len() == psi.len() * phi.len());
}

/// Stands for `projection::project_ball_of_norm`, which takes any length.
fn any_projection<T: Real>(_y: &mut [T], _norm: T, _radius: &T) {}

/// Stands for the debug assertion of `projection::average_within_ball`, which is about numbers.
fn any_mean<T: Real>(_y: &[T], _count: usize, _radius: &T) -> bool {
    true
}

/// Stands for the debug assertion of `projection::within_unit_interval`, which is about numbers.
fn any_share<T: Field>(_y: &T) -> bool {
    true
}

/// Stands for `softmax::softmax_policies`.
fn policies_of<T: Real, const N: usize>(
    _alpha: &T,
    features: [&[T]; N],
    actions: usize,
    theta_sum: &[T],
    out: &mut [T],
) {
    assert!(actions > 0 && out.len() == N * actions);
    assert!(features[0].len() == actions * theta_sum.len() && features[N - 1].len() == actions * theta_sum.len());
}

/// Stands for `step::descend`, a loop over five slices side by side.
fn descent<T: Real>(
    (_s, positive): (&T, &[T]),
    (_w, phi): (&T, &[T]),
    _eta: &T,
    gradient: &mut [T],
    theta: &mut [T],
    iterate_sum: &mut [T],
) -> T {
    let dim = theta.len();
    assert!(positive.len() == dim && phi.len() == dim && gradient.len() == dim && iterate_sum.len() == dim);
    T::zero()
}

/// Stands for `vector::add_scaled`.
fn side_by_side<T: Field>(_s: &T, x: &[T], y: &mut [T]) {
    assert!(x.len() == y.len());
}

/// Stands for `coverage::rayleigh_quotient`, which checks all lengths.
fn any_quotient<T: Field>(dim: usize, m: &[T], lambda: &[T], y: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(m.len() == dim * dim && lambda.len() == dim * dim && y.len() == dim, T::zero())
}

/// Stands for `coverage::bellman_error`, which checks all lengths.
fn any_error<T: Field>(mdp: &LinearMdp<T>, policy: &[T], theta: &[T], out: &mut [T], _scratch: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    answer(policy.len() == shape.pairs() && theta.len() == shape.dim && out.len() == shape.dim, ())
}

/// Stands for `gradient_descent::distance_squared` and `mirror_descent::relative_entropy`, which compare lengths.
fn any_of_two<T: Field>(a: &[T], b: &[T]) -> Result<T> {
    answer(a.len() == b.len(), T::zero())
}

/// The same for `Real`.
fn any_of_two_real<T: Real>(a: &[T], b: &[T]) -> Result<T> {
    any_of_two(a, b)
}

/// Stands for `gradient_descent::instantaneous_regret` and `mirror_descent::advantage`, which compare lengths.
fn any_of_three<T: Field>(a: &[T], b: &[T], c: &[T]) -> Result<T> {
    answer(a.len() == b.len() && a.len() == c.len(), T::zero())
}

/// Stands for `mirror_descent::log_mean_exponential`, which compares lengths.
fn any_mean_exponential<T: Real>(_alpha: &T, policy: &[T], q: &[T]) -> Result<T> {
    answer(policy.len() == q.len(), T::zero())
}

/// Stands for `mirror_descent::hoeffding_right`, which takes any length.
fn any_hoeffding<T: Field>(_alpha: &T, _q: &[T]) -> Result<T> {
    answer(true, T::zero())
}

/// Stands for the debug assertion of `projection::within_ball`, which is about numbers.
fn any_point<T: Real>(_y: &[T], _radius: &T) -> bool {
    true
}

lengths! {
    /// An optimal policy of a tabular model, with up to two improvements.
    #[kani::unwind(3)]
    #[kani::stub(crate::mdp::value::state_value, any_value)]
    #[kani::stub(crate::mdp::value::action_value, action_value)]
    #[kani::stub(crate::mdp::policy::deterministic_policy, deterministic_policy)]
    fn optimum_lengths() {
        section2::optimum(&calls(), &table())
    }
}

lengths! {
    /// What a linear model must satisfy by Definition 2.1.
    #[kani::unwind(4)]
    #[kani::stub(crate::solve::rank, rank_or_less)]
    #[kani::stub(crate::mdp::valid_distributions, any_distributions)]
    #[kani::stub(crate::mdp::valid_rewards, any_rewards)]
    #[kani::stub(crate::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::mdp::linear::LinearMdp::transition, transition)]
    fn condition_lengths() {
        section2::conditions(&calls(), &linear())
    }
}

lengths! {
    /// Assumption 5.2 and the bounds of Definition 2.1.
    #[kani::unwind(5)]
    #[kani::stub(crate::vector::add_scaled, side_by_side)]
    #[kani::stub(crate::vector::add_rank_one, square)]
    fn bound_lengths() {
        section2::bounds(&calls(), &linear())
    }
}

lengths! {
    /// Λ of two features, its root, trace, powers and inverse.
    #[kani::unwind(5)]
    #[kani::stub(crate::solve::inverse, inverted)]
    #[kani::stub(crate::vector::add_rank_one, square)]
    fn covariance_lengths() {
        every_count(|dim| numbers::covariances(&calls(), dim))
    }
}

/// Solutions and inverses in dimensions 1 and 2, given the elimination.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(5)]
#[kani::stub(crate::error::expect_len, right_length)]
#[kani::stub(crate::error::expect_table, right_table)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::eliminate, any_elimination)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn solution_lengths() {
    end(numbers::systems(&calls(), 1) && numbers::systems(&calls(), 2));
}

/// Ranks of up to four rows, given the elimination, and definiteness, in dimensions 1 and 2.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(3)]
#[kani::stub(crate::error::expect_len, right_length)]
#[kani::stub(crate::error::expect_table, right_table)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::eliminate, any_elimination)]
#[kani::stub(crate::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn rank_and_sign_lengths() {
    end(numbers::ranks(&calls(), 1) && numbers::ranks(&calls(), 2));
}

lengths! {
    /// Π onto a ball, of up to 4 numbers.
    #[kani::unwind(5)]
    #[kani::stub(crate::projection::within_ball, any_point)]
    fn projection_lengths() {
        numbers::projections(&calls())
    }
}

lengths! {
    /// The invariants of iterates and policies, softmax, and draws, of up to 4 numbers.
    #[kani::unwind(5)]
    fn softmax_lengths() {
        numbers::distributions(&calls())
    }
}

lengths! {
    /// Policies from features.
    #[kani::unwind(4)]
    #[kani::stub(crate::softmax::normalised_exponentials, whole_rows)]
    #[kani::stub(crate::softmax::on_simplex, any_policy)]
    fn policy_row_lengths() {
        numbers::policies(&calls(), count(), count(), count())
    }
}

lengths! {
    /// The ratios of tables of 3 numbers.
    #[kani::unwind(5)]
    fn tabular_ratio_lengths() {
        others::tabular(&calls())
    }
}

lengths! {
    /// The ratio over up to two Bellman errors.
    #[kani::unwind(5)]
    #[kani::stub(crate::coverage::bellman::bellman_error, any_error)]
    #[kani::stub(crate::coverage::dagger::rayleigh_quotient, any_quotient)]
    fn bellman_coverage_lengths() {
        others::bellman_coverage(&calls(), &linear())
    }
}

lengths! {
    /// Lemma D.1, one step.
    #[kani::unwind(5)]
    fn gradient_step_lengths() {
        others::gradient_step(&calls(), count())
    }
}

lengths! {
    /// Lemma D.1, two steps.
    #[kani::unwind(4)]
    #[kani::stub(crate::online_learning::gradient_descent::distance_squared, any_of_two)]
    #[kani::stub(crate::online_learning::gradient_descent::instantaneous_regret, any_of_three)]
    fn gradient_path_lengths() {
        others::gradient_path(&calls(), count())
    }
}

lengths! {
    /// Lemma D.2: what its sums are made of.
    #[kani::unwind(5)]
    fn mirror_step_lengths() {
        others::mirror_step(&calls(), count())
    }
}

lengths! {
    /// Lemma D.2: its sums over steps.
    #[kani::unwind(5)]
    #[kani::stub(crate::online_learning::mirror_descent::relative_entropy, any_of_two_real)]
    #[kani::stub(crate::online_learning::mirror_descent::hoeffding_right, any_hoeffding)]
    fn mirror_path_lengths() {
        others::mirror_path(&calls(), count())
    }
}

/// The instance `rotated`, of shape (2, 2, 2), in its room and in one number less.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn instance_lengths() {
    let holds = others::instance(&crate::instances::all()[2], &mut [Fixed::zero(); 25]);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

lengths! {
    /// The coverage ratios of a linear model, at both values of c.
    #[kani::unwind(5)]
    #[kani::stub(crate::coverage::inverse_norm_squared, any_norm)]
    fn coverage_lengths() {
        others::coverage(&calls(), &linear(), any_exponent())
    }
}

lengths! {
    /// ‖Λ^{−c}z‖², and the ratios of two matrices.
    #[kani::unwind(5)]
    #[kani::stub(crate::solve::definiteness, any_definiteness)]
    fn matrix_ratio_lengths() {
        others::ratios(&calls(), count())
    }
}

lengths! {
    /// Bellman's operator, Bellman errors, and their ratio.
    #[kani::unwind(5)]
    #[kani::stub(crate::mdp::policy_average, any_average)]
    #[kani::stub(crate::mdp::linear::theta_of_value, theta_of_value)]
    #[kani::stub(crate::mdp::linear::LinearMdp::linear_function, linear_function)]
    fn bellman_lengths() {
        others::bellman(&calls(), &linear())
    }
}

lengths! {
    /// θ of a Bellman error.
    #[kani::unwind(5)]
    #[kani::stub(crate::coverage::bellman::subtract_pair, fitting_pair)]
    fn bellman_inverse_lengths() {
        others::bellman_inverse(&calls(), &linear())
    }
}

lengths! {
    /// Lemma D.2: its sums over states, and one step at a state.
    #[kani::unwind(4)]
    #[kani::stub(crate::online_learning::mirror_descent::relative_entropy, any_of_two_real)]
    #[kani::stub(crate::online_learning::mirror_descent::advantage, any_of_three)]
    #[kani::stub(crate::online_learning::mirror_descent::log_mean_exponential, any_mean_exponential)]
    fn mirror_descent_lengths() {
        others::mirror_descent(&calls(), count(), count())
    }
}

lengths! {
    /// Algorithm 1 before its first step, and the output policy that watches it.
    #[kani::unwind(3)]
    #[kani::stub(crate::discounted::algorithm::Parameters::validate, first_parameters)]
    #[kani::stub(crate::projection::within_ball, any_ball)]
    fn first_start_lengths() {
        let shape = shape();
        runs::first_start(&calls(), &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 2 before its first step, and the output policy that watches it.
    #[kani::unwind(3)]
    #[kani::stub(crate::average_reward::algorithm::Parameters::validate, second_parameters)]
    #[kani::stub(crate::projection::within_ball, any_ball)]
    fn second_start_lengths() {
        let shape = shape();
        runs::second_start(&calls(), &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 1 with K = 2: an inner and an outer step on any sample.
    #[kani::unwind(3)]
    #[kani::stub(crate::discounted::algorithm::Parameters::validate, first_parameters)]
    #[kani::stub(crate::projection::project_ball_of_norm, any_projection)]
    #[kani::stub(crate::projection::within_ball, any_point)]
    #[kani::stub(crate::projection::average_within_ball, any_mean)]
    #[kani::stub(crate::softmax::softmax_policies, policies_of)]
    #[kani::stub(crate::step::descend, descent)]
    #[kani::stub(crate::vector::add_scaled, side_by_side)]
    fn first_algorithm_lengths() {
        let shape = shape();
        runs::first_algorithm(NUMBERS[0], &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 2 with K = 1: an inner and an outer step on any sample.
    #[kani::unwind(3)]
    #[kani::stub(crate::average_reward::algorithm::Parameters::validate, second_parameters)]
    #[kani::stub(crate::projection::project_ball_of_norm, any_projection)]
    #[kani::stub(crate::projection::within_ball, any_point)]
    #[kani::stub(crate::projection::average_within_ball, any_mean)]
    #[kani::stub(crate::softmax::softmax_policies, policies_of)]
    #[kani::stub(crate::step::descend, descent)]
    #[kani::stub(crate::vector::add_scaled, side_by_side)]
    #[kani::stub(crate::projection::within_unit_interval, any_share)]
    fn second_algorithm_lengths() {
        let shape = shape();
        runs::second_algorithm(NUMBERS[0], &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}
