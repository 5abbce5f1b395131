//! What `shapes.rs` does, for the algorithms and the instances.

use super::abstraction::Abstract;
use super::contracts::*;
use super::lengths::{others, runs};
use super::scalars::Fixed;
use crate::error::Result;
use crate::number::{Field, Real};
use crate::paper::mdp::Shape;
use crate::paper::samples::FeatureTable;

/// Features of a shape.
fn rows(shape: Shape) -> FeatureTable<'static, Abstract> {
    FeatureTable::new(shape.actions, shape.dim, &NUMBERS[..shape.pairs() * shape.dim]).unwrap()
}

/// Stands for `projection::within_ball`, which takes any length.
fn any_ball<T: Real>(_y: &[T], _radius: &T) -> bool {
    kani::any()
}

/// Stands for `Parameters::validate` of Algorithm 1, which is about numbers.
fn first_parameters<T: Real>(_: &crate::paper::discounted::algorithm::Parameters<T>) -> Result<()> {
    Ok(())
}

/// Stands for `Parameters::validate` of Algorithm 2.
fn second_parameters<T: Real>(_: &crate::paper::average_reward::algorithm::Parameters<T>) -> Result<()> {
    Ok(())
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

lengths! {
    /// Algorithm 1 before its first step, and the output policy that watches it.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::discounted::algorithm::Parameters::validate, first_parameters)]
    #[kani::stub(crate::linear::projection::within_ball, any_ball)]
    fn first_start_lengths() {
        let shape = shape();
        runs::first_start(&calls(), &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 1 with K = 2: an inner and an outer step on any sample.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::discounted::algorithm::Parameters::validate, first_parameters)]
    #[kani::stub(crate::linear::projection::project_ball_of_norm, any_projection)]
    #[kani::stub(crate::linear::projection::within_ball, any_point)]
    #[kani::stub(crate::linear::projection::average_within_ball, any_mean)]
    #[kani::stub(crate::linear::softmax::softmax_policies, policies_of)]
    #[kani::stub(crate::fast::step::descend, descent)]
    #[kani::stub(crate::linear::vector::add_scaled, side_by_side)]
    fn first_algorithm_lengths() {
        let shape = shape();
        runs::first_algorithm(NUMBERS[0], &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 2 before its first step, and the output policy that watches it.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::average_reward::algorithm::Parameters::validate, second_parameters)]
    #[kani::stub(crate::linear::projection::within_ball, any_ball)]
    fn second_start_lengths() {
        let shape = shape();
        runs::second_start(&calls(), &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

lengths! {
    /// Algorithm 2 with K = 1: an inner and an outer step on any sample.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::average_reward::algorithm::Parameters::validate, second_parameters)]
    #[kani::stub(crate::linear::projection::project_ball_of_norm, any_projection)]
    #[kani::stub(crate::linear::projection::within_ball, any_point)]
    #[kani::stub(crate::linear::projection::average_within_ball, any_mean)]
    #[kani::stub(crate::linear::softmax::softmax_policies, policies_of)]
    #[kani::stub(crate::fast::step::descend, descent)]
    #[kani::stub(crate::linear::vector::add_scaled, side_by_side)]
    #[kani::stub(crate::linear::projection::within_unit_interval, any_share)]
    fn second_algorithm_lengths() {
        let shape = shape();
        runs::second_algorithm(NUMBERS[0], &rows(shape), [shape.states, shape.actions, shape.dim])
    }
}

/// The instance `rotated`, of shape (2, 2, 2), in its room and in one number less.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(11)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn instance_lengths() {
    let holds = others::instance(&crate::instances::all()[2], &mut [Fixed::zero(); 25]);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}
