//! Slices of any lengths in public functions of the core, at any shape up to (2, 2, 2): `Ok` only where lengths are right, never a
//! panic or a read out of bounds. The scalar is `Abstract`, so the answer holds for every scalar and for whatever the slices contain.
//!
//! Each harness executes one layer of the library and replaces the layer below by its contract (`contracts.rs`). The layer below has a
//! harness of its own. `docs/proofs.md` says what that leaves out.

use super::contracts::*;
use super::lengths::{average, discounted, numbers, section2};
use super::scalars::Fixed;
use crate::error::Error;
use crate::linear::softmax::policy_row;
use crate::linear::solve::{clear_row, rank, solve};
use crate::linear::vector::{add_rank_one, add_scaled, apply, apply_transposed, norm_squared};
use crate::number::Field;
use crate::paper::coverage::bellman::subtract_pair;

fn up_to(bound: usize) -> usize {
    let n: usize = kani::any();
    // Budget: small shapes.
    kani::assume(n <= bound);
    n
}

/// Inner product, sum, norms, finiteness, scratch: vectors of up to 4 numbers, and inner products of 8 and 9, one more than the lanes.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(10)]
#[kani::stub(crate::error::expect_len, right_length)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn vector_lengths() {
    let _ = (norm_squared(&NUMBERS), norm_squared(&[NUMBERS[0]; 9]));
    end(numbers::vectors(&calls(), 3));
}

/// Products of a matrix of 1, 2 or 4 rows and 1 or 2 columns, and of its transpose, with a vector: all right lengths up to (2, 2, 2).
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(10)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn product_lengths() {
    let (numbers, mut out) = ([Fixed::zero(); 8], [Fixed::zero(); 4]);
    let mut holds = true;
    for (m, n) in [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2)] {
        holds &= apply(&numbers[..m * n], &numbers[..n], &mut out[..m]).is_ok();
        holds &= apply_transposed(&numbers[..m * n], &numbers[..m], &mut out[..n]).is_ok();
    }
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// What the contracts of loops over slices side by side ask for is enough: 1 or 2 actions and features.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::multiply, fitting)]
#[kani::stub(crate::linear::softmax::normalised_exponentials, some_numbers)]
#[kani::stub(crate::linear::softmax::on_simplex, any_policy)]
fn kernel_lengths() {
    let (x, mut out) = ([Fixed::zero(); 4], [Fixed::zero(); 4]);
    let zero = &x[0];
    for n in 1..=2 {
        add_scaled(zero, &x[..n], &mut out[..n]);
        add_rank_one(zero, &x[..n], &mut out[..n * n]);
        subtract_pair(&mut out[..n * n], &x[..n], &x[..n], zero, zero);
        clear_row(&mut out[..n], &x[..n], &Fixed::one(), zero, &Fixed::one());
        let _ = policy_row(zero, &x[..n], &x[..n], &mut out[..1]);
        let _ = policy_row(zero, &x[..2 * n], &x[..n], &mut out[..2]);
    }
    kani::cover!(out[3] == *zero, "the end is reached");
}

lengths! {
    /// The checks before those products, on any lengths.
    #[kani::unwind(3)]
    fn apply_lengths() {
        numbers::products(&calls(), count() * count(), count())
    }
}

lengths! {
    /// Functions on X×A.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::valid_distributions, any_distributions)]
    fn table_lengths() {
        section2::tables(&calls(), count(), count())
    }
}

lengths! {
    /// Policies of up to 4 numbers.
    #[kani::unwind(5)]
    fn policy_lengths() {
        section2::policies(&calls(), count())
    }
}

/// Models, tabular and linear, and with no actions or features.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(6)]
#[kani::stub(crate::error::expect_len, right_length)]
#[kani::stub(crate::error::expect_table, right_table)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn model_lengths() {
    end(section2::models(&calls(), shape()));
}

lengths! {
    /// P_π of a tabular model.
    #[kani::unwind(5)]
    fn chain_lengths() {
        [(1, 1), (1, 2), (2, 1), (2, 2)].into_iter().all(|(x, a)| section2::chain(&calls(), &table_of(x, a)))
    }
}

lengths! {
    /// q^π of a tabular model by its own system.
    #[kani::unwind(5)]
    fn direct_lengths() {
        section2::direct(&calls(), &table())
    }
}

lengths! {
    /// Values of a tabular model, Bellman's equations, and ν^π.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::policy_average, any_average)]
    #[kani::stub(crate::paper::mdp::value::policy_transition, policy_transition)]
    fn value_lengths() {
        section2::values(&calls(), &table())
    }
}

lengths! {
    /// Occupancies of a tabular model, (2), and Bellman's optimality equation.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::occupancy::state_occupancy, any_occupancy)]
    #[kani::stub(crate::paper::mdp::value::action_value, action_value)]
    #[kani::stub(crate::paper::mdp::compose, compose)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::valid_distributions, any_distributions)]
    fn occupancy_lengths() {
        section2::occupancies(&calls(), &table())
    }
}

lengths! {
    /// (4), the primal program of a linear model.
    #[kani::unwind(5)]
    fn primal_lengths() {
        section2::primal(&calls(), &linear())
    }
}

lengths! {
    /// (5), the dual program of a linear model, and weak duality.
    #[kani::unwind(5)]
    fn dual_lengths() {
        section2::dual(&calls(), &linear())
    }
}

lengths! {
    /// Linear maps of a linear model: Φᵀμ, Φθ, Ψv, Ψᵀλ, θ of v, Λ of μ.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::vector::add_rank_one, square)]
    fn linear_lengths() {
        section2::linear(&calls(), &linear())
    }
}

lengths! {
    /// The table of a linear model: r = Φω and P = ΦΨ.
    #[kani::unwind(5)]
    fn tabulation_lengths() {
        section2::tabulation(&calls(), &linear())
    }
}

/// `solve`, whatever the pivots: one equation, and two.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(3)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::solve::clear_row, same_width)]
#[kani::stub(crate::linear::solve::largest, any_size)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn system_lengths() {
    let (mut a, mut b) = ([NUMBERS[0]; 4], [NUMBERS[0]; 4]);
    let one = solve(1, &mut a[..1], &mut b[..1]);
    let two = solve(2, &mut a, &mut b[..2]);
    kani::cover!(one.is_ok() && two.is_ok(), "solved");
    kani::cover!(matches!(two, Err(Error::Singular { rank: 1, .. })), "of rank 1");
}

/// `rank`, whatever the pivots: a table of features of 4×2 numbers.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(5)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::solve::clear_row, same_width)]
#[kani::stub(crate::linear::solve::largest, any_size)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
fn rank_lengths() {
    let tall = rank(2, &mut [NUMBERS[0]; 8]);
    assert!(tall.is_ok_and(|rank| rank <= 2));
    kani::cover!(tall == Ok(1), "of rank 1");
}

lengths! {
    /// The estimators (7), (8) and (9).
    #[kani::unwind(4)]
    fn estimator_lengths() {
        discounted::estimators(&calls(), count(), count())
    }
}

lengths! {
    /// The estimator (10), as it should stand and as printed.
    #[kani::unwind(4)]
    fn visit_lengths() {
        discounted::visits(&calls(), count(), count())
    }
}

lengths! {
    /// The estimators of Algorithm 2.
    #[kani::unwind(4)]
    fn average_estimator_lengths() {
        average::estimators(&calls(), count())
    }
}

/// A table of features is built exactly where its length is a multiple of |A|d, and has exactly its states.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(10)]
fn feature_table_lengths() {
    let rows = [Fixed::zero(); 8];
    let length = up_to(8);
    let (actions, dim, x) = (up_to(3), up_to(3), kani::any());
    assert!(numbers::feature_table(actions, dim, &rows[..length], x));
    kani::cover!(length == 8 && actions == 2 && dim == 2 && x == usize::MAX, "a state beyond any");
}
