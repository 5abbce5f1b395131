//! Slices of right and wrong lengths in public functions of the core: `Ok` or `Err`, never a panic or a read out of bounds, at the
//! shape (2, 2, 2). The scalar is [`Abstract`], so the answer holds for every scalar and for whatever the slices contain.
//!
//! Cost is symbolic execution, so each harness executes one layer of the library and replaces the layer below by its contract:
//! what the callee asserts or checks of its arguments' lengths, and any answer. The layer below has a harness of its own.

use super::abstraction::Abstract;
use super::lengths::{Calls, average, discounted, numbers, section2};
use super::scalars::Fixed;
use crate::error::{Error, Result, expect_len};
use crate::mdp::{LinearMdp, Mdp, Shape};
use crate::scalar::Field;
use crate::solve::{Definiteness, definiteness, rank, solve};
use crate::vector::norm_squared;

/// The largest shape.
pub(super) const SHAPE: Shape = Shape { states: 2, actions: 2, dim: 2 };
pub(super) const NUMBERS: [Abstract; 8] = [Abstract(0); 8];

/// How the lists of `lengths` call.
pub(super) fn calls() -> Calls<Abstract> {
    // Budget: the shape (2, 2, 2), each argument of its right length and one shorter, enough scratch.
    Calls { number: NUMBERS[0], scratch: SHAPE.scratch(), longest: 5 }
}

pub(super) fn table() -> Mdp<'static, Abstract> {
    Mdp::new(2, 2, &NUMBERS[..4], &NUMBERS, &NUMBERS[..2], &NUMBERS[0]).unwrap()
}

pub(super) fn linear() -> LinearMdp<'static, Abstract> {
    LinearMdp::new(SHAPE, &NUMBERS, &NUMBERS[..2], &NUMBERS[..4], &NUMBERS[..2], &NUMBERS[0]).unwrap()
}

/// Stands for `vector::inner`: lengths are equal.
pub(super) fn equal_lengths<T: Field>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == b.len());
    T::zero()
}

/// Stands for `vector::multiply`, `vector::multiply_transposed` and `vector::add_rows`: the matrix has as many numbers as it needs.
pub(super) fn fitting<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(matrix.len() == x.len() * y.len());
}

/// Stands for `vector::all_finite`.
pub(super) fn numbers_all<T: Field>(_what: &'static str, _a: &[T]) -> Result<()> {
    // Budget: numbers are valid; an `Err` would only end the caller earlier.
    Ok(())
}

/// Stands for `vector::finite`.
pub(super) fn a_number<T: Field>(_what: &'static str, x: T) -> Result<T> {
    // Budget: numbers are valid; an `Err` would only end the caller earlier.
    Ok(x)
}

/// Stands for `solve::solve_named`: the system is square, and solved or singular.
pub(super) fn solved<T: Field>(what: &'static str, n: usize, a: &mut [T], b: &mut [T]) -> Result<()> {
    assert!(n > 0 && a.len() == n * n && b.len().is_multiple_of(n));
    if kani::any() { Ok(()) } else { Err(Error::Singular { what, rank: 0 }) }
}

/// Stands for `solve::clear_row`, a loop over two rows side by side.
pub(super) fn same_width<T: Field>(row: &mut [T], top: &[T], _pivot: &T, _left: &T, _previous: &T) {
    assert!(row.len() == top.len());
}

/// Stands for the text of an index in a panic's message, whose code is reachable from every `[a..b]`.
pub(super) fn silent(_: &usize, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
    Ok(())
}

/// Stands for `mdp::state_occupancy`, which checks both lengths.
fn any_occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], nu: &mut [T], _scratch: &mut [T]) -> Result<()> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    expect_len("nu", mdp.states(), nu.len())
}

/// Stands for `mdp::valid_distributions`.
pub(super) fn any_distributions<T: Field>(what: &'static str, width: usize, rows: &[T]) -> Result<()> {
    assert!(width > 0 && rows.len().is_multiple_of(width));
    if kani::any() { Ok(()) } else { Err(Error::Empty { what }) }
}

/// Stands for `mdp::policy_average`, which checks both lengths.
pub(super) fn any_average<T: Field>(actions: usize, policy: &[T], f: &[T], out: &mut [T]) -> Result<()> {
    expect_len("policy", out.len() * actions, policy.len())?;
    expect_len("f", out.len() * actions, f.len())
}

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
    let holds = numbers::vectors(&calls(), 3);
    assert!(holds);
    let _ = (norm_squared(&NUMBERS), norm_squared(&[NUMBERS[0]; 9]));
    kani::cover!(holds, "the end is reached");
}

/// Products of a matrix of 4 rows and 2 columns, and of its transpose, with a vector: one block of rows, as in every call at this shape.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn product_lengths() {
    let holds = numbers::products(&calls(), 4, 2) && numbers::products(&calls(), 1, 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::tables(&calls(), 2, 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// Policies of up to 5 numbers, with 2 actions.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn policy_lengths() {
    let holds = section2::policies(&calls(), 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// Models, tabular and linear, and with no actions or features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
fn model_lengths() {
    let holds = section2::models(&calls(), SHAPE);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::values(&calls(), &table());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::occupancies(&calls(), &table());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::primal(&calls(), &linear());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::dual(&calls(), &linear());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = section2::linear(&calls(), &linear());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// The table of a linear model: r = Φω and P = ΦΨ.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn tabulation_lengths() {
    let holds = section2::tabulation(&calls(), &linear());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = discounted::estimators(&calls(), 2, 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = discounted::visits(&calls(), 2, 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
    let holds = average::estimators(&calls(), 2);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
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
