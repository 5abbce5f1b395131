//! What stands for the layer below in the harnesses of lengths: kernels by assertions on the lengths that they are given, checked
//! functions by their checks: an execution that they refuse ends there, as the call would. Each has a harness of its own, one layer
//! down, or `docs/proofs.md` says how far that goes. Where a contract bears the name of a function, that is the one it stands for.

use super::abstraction::Abstract;
use super::lengths::Calls;
use crate::error::{Error, Result};
use crate::number::{Field, Real};
use crate::paper::mdp::{LinearMdp, Mdp, Shape};

pub(super) const NUMBERS: [Abstract; 8] = [Abstract; 8];

/// How the lists of `lengths` call.
pub(super) fn calls() -> Calls<Abstract> {
    // Budget: arguments up to one longer than is right, or up to 4 where several lengths are; scratch up to 128, enough or not.
    Calls { number: NUMBERS[0], scratch: 0 }
}

/// Any count of states, actions or features.
pub(super) fn count() -> usize {
    // Budget: up to 2.
    if kani::any() { 1 } else { 2 }
}

/// Whether it holds of 1 and of 2. Kani knows these, so that a loop up to one of them ends where it ends.
pub(super) fn every_count(holds: impl Fn(usize) -> bool) -> bool {
    holds(1) && holds(2)
}

/// Any shape.
pub(super) fn shape() -> Shape {
    Shape { states: count(), actions: count(), dim: count() }
}

/// A table of any shape.
pub(super) fn table() -> Mdp<'static, Abstract> {
    table_of(count(), count())
}

pub(super) fn table_of(states: usize, actions: usize) -> Mdp<'static, Abstract> {
    let rows = (&NUMBERS[..states * actions], &NUMBERS[..states * actions * states]);
    Mdp::unvalidated(states, actions, rows.0, rows.1, &NUMBERS[..states], &NUMBERS[0]).unwrap()
}

/// A linear model of any shape.
pub(super) fn linear() -> LinearMdp<'static, Abstract> {
    let shape = shape();
    let Shape { states, dim, .. } = shape;
    let rows = (&NUMBERS[..shape.pairs() * dim], &NUMBERS[..states * dim]);
    LinearMdp::unvalidated(shape, rows.0, &NUMBERS[..dim], rows.1, &NUMBERS[..states], &NUMBERS[0]).unwrap()
}

/// Stands for `error::expect_len`.
pub(super) fn right_length(_what: &'static str, expected: usize, found: usize) -> Result<()> {
    // Precondition: other lengths are refused here, and every caller passes the error on.
    kani::assume(expected == found);
    Ok(())
}

/// Stands for `error::expect_table`.
pub(super) fn right_table(_what: &'static str, rows: usize, columns: usize, found: usize) -> Result<()> {
    // Precondition: other lengths are refused here, and every caller passes the error on.
    kani::assume(rows.checked_mul(columns) == Some(found));
    Ok(())
}

/// Stands for `error::expect_some`.
pub(super) fn at_least_one(_what: &'static str, count: usize) -> Result<()> {
    // Precondition: 0 is refused here, and every caller passes the error on.
    kani::assume(count > 0);
    Ok(())
}

/// Stands for `error::expect_rows`.
pub(super) fn rows_of(_what: &'static str, width: usize, found: usize) -> Result<()> {
    // Precondition: other lengths are refused here, and every caller passes the error on.
    kani::assume(width > 0 && found.is_multiple_of(width));
    Ok(())
}

/// Stands for `Shape::new`, of a shape that it accepts.
pub(super) fn right_shape(states: usize, actions: usize, dim: usize) -> Result<Shape> {
    // Precondition: other shapes are refused there, and every caller passes the error on.
    kani::assume(states > 0 && actions > 0 && dim > 0);
    Ok(Shape { states, actions, dim })
}

/// Stands for `vector::take`.
pub(super) fn enough<'a, T>(scratch: &mut &'a mut [T], n: usize) -> Result<&'a mut [T]> {
    let room = core::mem::take(scratch);
    // Precondition: too little scratch is refused here, and every caller passes the error on.
    kani::assume(n <= room.len());
    let (front, rest) = room.split_at_mut(n);
    *scratch = rest;
    Ok(front)
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

/// Stands for `vector::add_rank_one`: a square matrix, not empty.
pub(super) fn square<T: Field>(_s: &T, x: &[T], matrix: &mut [T]) {
    assert!(!x.is_empty() && matrix.len() == x.len() * x.len());
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

/// Stands for `solve::largest`, which takes any length.
pub(super) fn any_size<T: Field>(_a: &[T]) -> T {
    T::zero()
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

/// Stands for `core::slice::index::slice_index_fail`, whose message is dear.
pub(super) fn out_of_range(_start: usize, _end: usize, _length: usize) -> ! {
    panic!("a range beyond the slice")
}

/// Stands for `<[T]>::fill`.
pub(super) fn filled<T: Clone>(_all: &mut [T], _value: T) {}

/// Stands for `<[T]>::clone_from_slice`, which panics unless lengths are equal.
pub(super) fn equally_long<T: Clone>(to: &mut [T], from: &[T]) {
    assert!(to.len() == from.len());
}

/// Stands for `softmax::normalised_exponentials`: at least one number.
pub(super) fn some_numbers<T: Real>(z: &mut [T]) {
    assert!(!z.is_empty());
}

/// Stands for the debug assertion of `softmax::on_simplex`, which is about numbers.
pub(super) fn any_policy<T: Field>(_policy: &[T]) -> bool {
    true
}

/// Stands for `vector::add_scaled`.
pub(super) fn side_by_side<T: Field>(_s: &T, x: &[T], y: &mut [T]) {
    assert!(x.len() == y.len());
}

/// Stands for the debug assertion of `projection::within_ball`, which is about numbers.
pub(super) fn any_point<T: Real>(_y: &[T], _radius: &T) -> bool {
    true
}

/// Stands for `mdp::state_occupancy`, which checks both lengths.
pub(super) fn any_occupancy<'s, T: Field>(
    mdp: &Mdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.pairs(), mdp.states(), scratch)
}

/// Stands for `mdp::valid_distributions`.
pub(super) fn any_distributions<T: Field>(_what: &'static str, width: usize, rows: &[T]) -> Result<()> {
    assert!(width > 0 && rows.len().is_multiple_of(width));
    answer(true, ())
}

/// Stands for `mdp::policy_average`, which checks both lengths.
pub(super) fn any_average<'s, T: Field>(
    actions: usize,
    policy: &[T],
    f: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(policy.len().is_multiple_of(actions) && f.len() == policy.len(), policy.len() / actions, scratch)
}

/// A harness of lengths, on these contracts and on those that it names itself: what it asks holds, and can be answered.
macro_rules! lengths {
    ($(#[$attribute:meta])* fn $name:ident() $calls:block) => {
        $(#[$attribute])*
        #[kani::proof]
        #[kani::solver(minisat)]
        #[kani::stub(crate::error::expect_len, right_length)]
        #[kani::stub(crate::error::expect_table, right_table)]
        #[kani::stub(crate::error::expect_some, at_least_one)]
        #[kani::stub(crate::error::expect_rows, rows_of)]
        #[kani::stub(crate::paper::mdp::Shape::new, right_shape)]
        #[kani::stub(crate::linear::vector::take, enough)]
        #[kani::stub(crate::linear::vector::inner, equal_lengths)]
        #[kani::stub(crate::linear::vector::multiply, fitting)]
        #[kani::stub(crate::linear::vector::multiply_transposed, fitting)]
        #[kani::stub(crate::linear::vector::add_rows, fitting)]
        #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
        #[kani::stub(crate::linear::vector::finite, a_number)]
        #[kani::stub(crate::linear::solve::solve_named, solved)]
        #[kani::stub(crate::paper::components::fill, any_component)]
        #[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
        #[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
        #[kani::stub(<[crate::proofs::abstraction::Abstract]>::fill, filled)]
        #[kani::stub(<[crate::proofs::abstraction::Abstract]>::clone_from_slice, equally_long)]
        fn $name() {
            end($calls);
        }
    };
}
pub(super) use lengths;

/// The end of a harness: what it asked holds, and was reached.
pub(super) fn end(holds: bool) {
    assert!(holds);
    kani::cover!(super::lengths::symbolic::all_accepted(), "all calls are accepted");
}

/// The answer of a contract whose result is n numbers.
pub(super) fn room<'s, T>(fits: bool, n: usize, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    answer(fits, ())?;
    enough(scratch, n)
}

/// Stands for `components::fill`: any one component is computed; what it reads does not depend on the others.
pub(super) fn any_component<'s, T: Field>(
    _what: &'static str,
    out: &'s mut [T],
    mut f: impl FnMut(usize) -> T,
) -> Result<&'s mut [T]> {
    let i = usize::from(kani::any::<u8>());
    if let Some(component) = out.get_mut(i) {
        *component = f(i);
    }
    Ok(out)
}

/// The answer of a contract.
pub(super) fn answer<V>(fits: bool, value: V) -> Result<V> {
    // Precondition: wrong lengths are refused, as the harness of the function it stands for proves, and every caller passes the error on.
    kani::assume(fits);
    Ok(value)
}

pub(super) fn mean_feature<'a: 'a, 's, T: Field>(
    mdp: &LinearMdp<'a, T>,
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(mu.len() == mdp.shape().pairs(), mdp.shape().dim, scratch)
}

pub(super) fn linear_function<'a: 'a, 's, T: Field>(
    mdp: &LinearMdp<'a, T>,
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(theta.len() == mdp.shape().dim, mdp.shape().pairs(), scratch)
}

pub(super) fn psi_times<'a: 'a, 's, T: Field>(
    mdp: &LinearMdp<'a, T>,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(v.len() == mdp.shape().states, mdp.shape().dim, scratch)
}

pub(super) fn psi_transposed_times<'a: 'a, 's, T: Field>(
    mdp: &LinearMdp<'a, T>,
    lambda: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(lambda.len() == mdp.shape().dim, mdp.shape().states, scratch)
}

pub(super) fn reward<'a: 'a, 's, T: Field>(mdp: &LinearMdp<'a, T>, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(true, mdp.shape().pairs(), scratch)
}

pub(super) fn transition<'a: 'a, 's, T: Field>(
    mdp: &LinearMdp<'a, T>,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(true, mdp.shape().pairs() * mdp.shape().states, scratch)
}

pub(super) fn policy_transition<'s, T: Field>(
    mdp: &Mdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.pairs(), mdp.states() * mdp.states(), scratch)
}

pub(super) fn action_value<'s, T: Field>(mdp: &Mdp<T>, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(v.len() == mdp.states(), mdp.pairs(), scratch)
}

pub(super) fn decode_policy<'s, T: Field>(
    states: usize,
    actions: usize,
    _code: usize,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(actions > 0, states * actions, scratch)
}

pub(super) fn policy_advantage<T: Field>(actions: usize, nu: &[T], star: &[T], policy: &[T], q: &[T]) -> Result<T> {
    let pairs = nu.len() * actions;
    answer(star.len() == pairs && policy.len() == pairs && q.len() == pairs, T::zero())
}

pub(super) fn deterministic_policy<'s, T: Field>(
    states: usize,
    actions: usize,
    _choice: impl Fn(usize) -> usize,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    decode_policy(states, actions, 0, scratch)
}

pub(super) fn compose<'s, T: Field>(
    actions: usize,
    policy: &[T],
    nu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(policy.len() == nu.len() * actions, policy.len(), scratch)
}

pub(super) fn state_marginal<'s, T: Field>(actions: usize, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(mu.len().is_multiple_of(actions), mu.len() / actions, scratch)
}

pub(super) fn primal_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(lambda.len() == shape.dim && mu.len() == shape.pairs(), shape.dim, scratch)
}

/// Also of (23).
pub(super) fn primal_flow_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(lambda.len() == shape.dim && mu.len() == shape.pairs(), shape.states, scratch)
}

pub(super) fn dual_slack<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(v.len() == shape.states && theta.len() == shape.dim, shape.pairs(), scratch)
}

pub(super) fn apply_inverse<'s, T: Field>(
    dim: usize,
    matrix: &[T],
    x: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(matrix.len() == dim * dim && x.len() == dim, dim, scratch)
}

pub(super) fn v_theta<'s, T: Field>(
    mdp: &LinearMdp<T>,
    theta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(theta.len() == shape.dim && policy.len() == shape.pairs(), shape.states, scratch)
}

/// Of either setting.
pub(super) fn occupancy_of<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.shape().pairs(), mdp.shape().pairs(), scratch)
}

/// ρ(π), of either setting.
pub(super) fn return_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(policy.len() == mdp.shape().pairs(), T::zero())
}

/// Of a tabular model, in either setting.
pub(super) fn occupancy<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.pairs(), mdp.pairs(), scratch)
}

/// A rank is at most the number of columns.
pub(super) fn rank_or_less<T: Field>(columns: usize, a: &mut [T]) -> Result<usize> {
    answer(columns > 0 && a.len().is_multiple_of(columns), if kani::any() { columns } else { columns - 1 })
}

pub(super) fn theta_of_value<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    room(v.len() == mdp.shape().states, mdp.shape().dim, scratch)
}
