//! What `shapes.rs` does, for optimal policies, conditions, linear systems, projections and policies.

use super::contracts::*;
use super::lengths::{numbers, section2};
use crate::error::Result;
use crate::number::Field;
use crate::paper::mdp::Mdp;
use core::sync::atomic::{AtomicUsize, Ordering};

/// How often `any_value` was called.
static EVALUATIONS: AtomicUsize = AtomicUsize::new(0);

/// Stands for `mdp::state_value`, which checks both lengths.
fn any_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    // Budget: two rounds.
    kani::assume(EVALUATIONS.fetch_add(1, Ordering::Relaxed) < 2);
    room(policy.len() == mdp.pairs(), mdp.states(), scratch)
}

/// Stands for `mdp::valid_reward`.
fn any_reward<T: Field>(_index: usize, _reward: &T) -> Result<()> {
    answer(true, ())
}

/// Stands for `solve::eliminate`: both sides have as many numbers as they need; the rank is any.
fn any_elimination<T: Field>(rows: usize, columns: usize, a: &mut [T], m: usize, b: &mut [T]) -> usize {
    assert!(a.len() == rows * columns && b.len() == rows * m);
    if kani::any() { rows.min(columns) } else { 0 }
}

lengths! {
    /// An optimal policy of a tabular model, with up to two improvements.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::mdp::value::state_value, any_value)]
    #[kani::stub(crate::paper::mdp::value::action_value, action_value)]
    #[kani::stub(crate::paper::mdp::policy::deterministic_policy, deterministic_policy)]
    fn optimum_lengths() {
        section2::optimum(&calls(), &table())
    }
}

lengths! {
    /// What a linear model must satisfy by Definition 2.1.
    #[kani::unwind(4)]
    #[kani::stub(crate::linear::solve::rank, rank_or_less)]
    #[kani::stub(crate::paper::mdp::valid_distributions, any_distributions)]
    #[kani::stub(crate::paper::mdp::valid_reward, any_reward)]
    fn condition_lengths() {
        section2::conditions(&calls(), &linear())
    }
}

lengths! {
    /// Assumption 5.2 and the bounds of Definition 2.1.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::vector::add_scaled, side_by_side)]
    #[kani::stub(crate::linear::vector::add_rank_one, square)]
    fn bound_lengths() {
        section2::bounds(&calls(), &linear())
    }
}

lengths! {
    /// Λ of two features, its root, trace, powers and inverse.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::vector::add_rank_one, square)]
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
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::solve::eliminate, any_elimination)]
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
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::solve::eliminate, any_elimination)]
#[kani::stub(crate::linear::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn rank_and_sign_lengths() {
    end(numbers::ranks(&calls(), 1) && numbers::ranks(&calls(), 2));
}

lengths! {
    /// Π onto a ball, of up to 4 numbers.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::projection::within_ball, any_point)]
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
    #[kani::stub(crate::linear::softmax::normalised_exponentials, some_numbers)]
    #[kani::stub(crate::linear::softmax::on_simplex, any_policy)]
    fn policy_row_lengths() {
        numbers::policies(&calls(), count(), count(), count())
    }
}
