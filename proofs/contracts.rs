//! What stands for the layer below in the harnesses of lengths: kernels by assertions on the lengths that they are given, checked
//! functions by their checks, with any answer. Each has a harness of its own, one layer down, or `docs/proofs.md` says that it has none.
//! Where a contract bears the name of a function, that is the one it stands for.

use super::abstraction::Abstract;
use super::lengths::Calls;
use crate::error::{Error, Result, expect_len};
use crate::mdp::{LinearMdp, Mdp, Shape};
use crate::scalar::Field;

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

/// Stands for the text of an index in a panic's message, whose code is reachable from every `[a..b]`. Nothing is proved of messages; with the
/// vtables of their formatting, CBMC 6.6 has no SMT formula to give to z3.
pub(super) fn silent(_: &usize, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
    Ok(())
}

/// Stands for `mdp::state_occupancy`, which checks both lengths.
pub(super) fn any_occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], nu: &mut [T], _scratch: &mut [T]) -> Result<()> {
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

/// The end of a harness: what it asked holds, and was reached.
pub(super) fn end(holds: bool) {
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// The answer of a contract.
pub(super) fn answer<V>(fits: bool, value: V) -> Result<V> {
    // Budget: only a wrong length is refused; any other `Err` would only end the caller earlier.
    if fits { Ok(value) } else { Err(Error::Empty { what: "a contract" }) }
}

pub(super) fn mean_feature<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, mu: &[T], out: &mut [T]) -> Result<()> {
    answer(mu.len() == mdp.shape().pairs() && out.len() == mdp.shape().dim, ())
}

pub(super) fn linear_function<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, theta: &[T], out: &mut [T]) -> Result<()> {
    answer(theta.len() == mdp.shape().dim && out.len() == mdp.shape().pairs(), ())
}

pub(super) fn psi_times<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, v: &[T], out: &mut [T]) -> Result<()> {
    answer(v.len() == mdp.shape().states && out.len() == mdp.shape().dim, ())
}

pub(super) fn psi_transposed_times<'a: 'a, T: Field>(
    mdp: &LinearMdp<'a, T>,
    lambda: &[T],
    out: &mut [T],
) -> Result<()> {
    answer(lambda.len() == mdp.shape().dim && out.len() == mdp.shape().states, ())
}

pub(super) fn reward<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, out: &mut [T]) -> Result<()> {
    answer(out.len() == mdp.shape().pairs(), ())
}

pub(super) fn transition<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, out: &mut [T]) -> Result<()> {
    answer(out.len() == mdp.shape().pairs() * mdp.shape().states, ())
}

pub(super) fn compose<T: Field>(actions: usize, policy: &[T], nu: &[T], out: &mut [T]) -> Result<()> {
    answer(policy.len() == nu.len() * actions && out.len() == policy.len(), ())
}

pub(super) fn state_marginal<T: Field>(actions: usize, mu: &[T], out: &mut [T]) -> Result<()> {
    answer(mu.len() == out.len() * actions, ())
}

pub(super) fn primal_feature_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(lambda.len() == shape.dim && mu.len() == shape.pairs() && out.len() == shape.dim, ())
}

/// Also of (23).
pub(super) fn primal_flow_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(lambda.len() == shape.dim && mu.len() == shape.pairs() && out.len() == shape.states, ())
}

pub(super) fn dual_slack<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    answer(v.len() == shape.states && theta.len() == shape.dim && out.len() == shape.pairs(), ())
}

pub(super) fn apply_inverse<T: Field>(dim: usize, matrix: &[T], x: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(matrix.len() == dim * dim && x.len() == dim, ())
}

pub(super) fn v_theta<T: Field>(
    mdp: &LinearMdp<T>,
    theta: &[T],
    policy: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(theta.len() == shape.dim && policy.len() == shape.pairs() && out.len() == shape.states, ())
}

/// Of either setting.
pub(super) fn occupancy_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mu: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.shape().pairs() && mu.len() == mdp.shape().pairs(), ())
}

/// ρ(π), of either setting.
pub(super) fn return_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(policy.len() == mdp.shape().pairs(), T::zero())
}

/// Of a tabular model, in either setting.
pub(super) fn occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], mu: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.pairs() && mu.len() == mdp.pairs(), ())
}

/// A rank is at most the number of columns.
pub(super) fn rank_or_less<T: Field>(columns: usize, a: &mut [T]) -> Result<usize> {
    answer(columns > 0 && a.len().is_multiple_of(columns), if kani::any() { columns } else { columns - 1 })
}
