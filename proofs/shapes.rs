//! Slices of right and wrong lengths in public functions of the core: `Ok` or `Err`, never a panic or a read out of bounds, at the
//! shape (2, 2, 2). The scalar is [`Abstract`], so the answer holds for every scalar and for whatever the slices contain.
//!
//! Cost is symbolic execution, so each harness executes one layer of the library and replaces the layer below by its contract:
//! what the callee asserts or checks of its arguments' lengths, and any answer. The layer below has a harness of its own.

use super::contracts::*;
use super::lengths::{average, discounted, numbers, section2};
use super::scalars::Fixed;
use crate::error::Error;
use crate::scalar::Field;
use crate::solve::{Definiteness, definiteness, rank, solve};
use crate::vector::norm_squared;

fn up_to(bound: usize) -> usize {
    let n: usize = kani::any();
    // Budget: small shapes.
    kani::assume(n <= bound);
    n
}

/// Inner product, sum, norms, finiteness, scratch: vectors of up to 5 numbers; inner products also of 8 and 9, one more than a lane each.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn vector_lengths() {
    let _ = (norm_squared(&NUMBERS), norm_squared(&[NUMBERS[0]; 9]));
    end(numbers::vectors(&calls(), 3));
}

/// Products of a matrix of 4 rows and 2 columns, and of its transpose, with a vector: one block of rows, as in every call at this shape.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn product_lengths() {
    end(numbers::products(&calls(), 4, 2) && numbers::products(&calls(), 1, 2));
}

/// Functions on X×A.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn table_lengths() {
    end(section2::tables(&calls(), 2, 2));
}

/// Policies of up to 5 numbers, with 2 actions.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn policy_lengths() {
    end(section2::policies(&calls(), 2));
}

/// Models, tabular and linear, and with no actions or features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
fn model_lengths() {
    end(section2::models(&calls(), SHAPE));
}

/// Values of a tabular model, Bellman's equations, and ν^π.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(17)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::solve::solve_named, solved)]
#[kani::stub(crate::mdp::policy_average, any_average)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn value_lengths() {
    end(section2::values(&calls(), &table()));
}

/// Occupancies of a tabular model, (2), and Bellman's optimality equation.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::mdp::occupancy::state_occupancy, any_occupancy)]
#[kani::stub(crate::mdp::valid_distributions, any_distributions)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn occupancy_lengths() {
    end(section2::occupancies(&calls(), &table()));
}

/// (4), the primal program of a linear model.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn primal_lengths() {
    end(section2::primal(&calls(), &linear()));
}

/// (5), the dual program of a linear model, and weak duality.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn dual_lengths() {
    end(section2::dual(&calls(), &linear()));
}

/// Linear maps of a linear model: Φᵀμ, Φθ, Ψv, Ψᵀλ, θ of v, Λ of μ.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn linear_lengths() {
    end(section2::linear(&calls(), &linear()));
}

/// The table of a linear model: r = Φω and P = ΦΨ.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn tabulation_lengths() {
    end(section2::tabulation(&calls(), &linear()));
}

/// `solve`: two equations in two unknowns are solved or refused, whatever the pivots.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(6)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn system_lengths() {
    let solved = solve(2, &mut [NUMBERS[0]; 4], &mut [NUMBERS[0]; 2]);
    kani::cover!(solved.is_ok(), "solved");
    kani::cover!(matches!(solved, Err(Error::Singular { rank: 1, .. })), "of rank 1");
}

/// `rank` and `definiteness` of 2×2 numbers, whatever the pivots.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(6)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::solve::clear_row, same_width)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn rank_lengths() {
    let found = rank(2, &mut [NUMBERS[0]; 4]);
    assert!(found.is_ok_and(|rank| rank <= 2));
    let form = definiteness(2, &mut [NUMBERS[0]; 4]);
    kani::cover!(form == Ok(Definiteness::Semidefinite { rank: 1 }), "of rank 1");
}

/// The estimators (7), (8) and (9), with 2 actions and 2 features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::add_rows, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn estimator_lengths() {
    end(discounted::estimators(&calls(), 2, 2));
}

/// The estimator (10), as it should stand and as printed, with 2 actions and 2 features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::multiply_transposed, fitting)]
#[kani::stub(crate::vector::add_rows, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn visit_lengths() {
    end(discounted::visits(&calls(), 2, 2));
}

/// The estimators of Algorithm 2, with 2 features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn average_estimator_lengths() {
    end(average::estimators(&calls(), 2));
}

/// A table of features is built exactly where its length is a multiple of |A|d, and has exactly its states.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn feature_table_lengths() {
    let rows = [Fixed::zero(); 8];
    let length = up_to(8);
    let (actions, dim, x) = (up_to(3), up_to(3), kani::any());
    assert!(numbers::feature_table(actions, dim, &rows[..length], x));
    kani::cover!(length == 8 && actions == 2 && dim == 2 && x == usize::MAX, "a state beyond any");
}
