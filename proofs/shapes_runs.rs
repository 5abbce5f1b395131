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

/// Stands for `softmax::policy_row`.
fn policy_of<T: Real>(_alpha: &T, features: &[T], theta_sum: &[T], out: &mut [T]) -> Result<()> {
    assert!(!out.is_empty() && features.len() == out.len() * theta_sum.len());
    Ok(())
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
    #[kani::stub(crate::linear::softmax::policy_row, policy_of)]
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
    #[kani::stub(crate::linear::softmax::policy_row, policy_of)]
    #[kani::stub(crate::linear::vector::add_scaled, side_by_side)]
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
