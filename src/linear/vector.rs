//! Points of R^d as slices, with one fixed summation order.
//!
//! # Summation order
//! [`dot`] keeps [`LANES`] running sums. Term i, the rounded product aᵢ·bᵢ, is added to lane i mod 8, in order
//! of i; every lane starts at 0. At the end the lanes are folded in halves:
//! ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)). There is no fused multiply-add. Vector units of any width up to eight
//! doubles compute exactly this, so results are the same bits on every machine, and another implementation can
//! match them. Every inner product and norm of the crate goes through here; sums that are not inner products run
//! from the first term to the last.

use crate::error::{Error, Result, expect_len};
use crate::number::{Field, Real};
use core::hint::black_box;

/// The number of running sums of an inner product.
pub const LANES: usize = 8;

/// Splits `n` elements off the front of the caller's scratch slice. Their contents are whatever was there.
pub fn take<'a, T>(scratch: &mut &'a mut [T], n: usize) -> Result<&'a mut [T]> {
    let left = scratch.len();
    match core::mem::take(scratch).split_at_mut_checked(n) {
        Some((front, rest)) => {
            *scratch = rest;
            Ok(front)
        }
        None => Err(Error::Scratch { needed: n, left }),
    }
}

/// ⟨a, b⟩.
pub fn dot<T: Field>(a: &[T], b: &[T]) -> Result<T> {
    expect_len("right side of an inner product", a.len(), b.len())?;
    finite("inner product", inner(a, b))
}

/// ‖a‖².
pub fn norm_squared<T: Field>(a: &[T]) -> Result<T> {
    finite("squared norm", inner(a, a))
}

/// ‖a‖.
pub fn norm<T: Real>(a: &[T]) -> Result<T> {
    finite("norm", inner(a, a).sqrt())
}

/// y ← y + s·x.
pub fn axpy<T: Field>(s: &T, x: &[T], y: &mut [T]) -> Result<()> {
    expect_len("x of axpy", y.len(), x.len())?;
    add_scaled(s, x, y);
    all_finite("axpy", y)
}

/// y ← M x for a matrix stored by rows.
pub fn apply<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) -> Result<()> {
    expect_len("matrix", y.len().saturating_mul(x.len()), matrix.len())?;
    multiply(matrix, x, y);
    all_finite("matrix-vector product", y)
}

/// y ← Mᵀ x for a matrix stored by rows: Σᵢ xᵢ Mᵢ, from the first row to the last.
pub fn apply_transposed<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) -> Result<()> {
    expect_len("matrix", y.len().saturating_mul(x.len()), matrix.len())?;
    multiply_transposed(matrix, x, y);
    all_finite("matrix-vector product", y)
}

/// `Err` at the first component that is not a number.
pub fn all_finite<T: Field>(what: &'static str, a: &[T]) -> Result<()> {
    match a.iter().position(|x| !x.is_valid()) {
        Some(index) => Err(Error::NotFinite { what, index }),
        None => Ok(()),
    }
}

pub(crate) fn finite<T: Field>(what: &'static str, x: T) -> Result<T> {
    if x.is_valid() { Ok(x) } else { Err(Error::NotFinite { what, index: 0 }) }
}

/// The kernel of every inner product; lengths are equal by the callers' checks.
#[inline(always)]
pub(crate) fn inner<T: Field>(a: &[T], b: &[T]) -> T {
    if a.len() < LANES {
        return short_inner(a, b);
    }
    let mut lanes = zero_lanes();
    let (a_chunks, a_tail) = a.as_chunks::<LANES>();
    let (b_chunks, b_tail) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += x[lane].clone() * &y[lane];
        }
    }
    finish(lanes, a_tail, b_tail)
}

/// [`inner`] of fewer terms than there are lanes. The two halves of the lanes never meet a loop, so they stay in registers.
#[inline(always)]
fn short_inner<T: Field>(a: &[T], b: &[T]) -> T {
    let (low, high) = match (a.split_first_chunk::<4>(), b.split_first_chunk::<4>()) {
        (Some((a, a_rest)), Some((b, b_rest))) => (half_of_lanes(a, b), half_of_lanes(a_rest, b_rest)),
        _ => (half_of_lanes(a, b), half_of_lanes(&[], &[])),
    };
    let ([l0, l1, l2, l3], [l4, l5, l6, l7]) = (low, high);
    fold([l0, l1, l2, l3, l4, l5, l6, l7])
}

/// Four lanes with at most one term each.
#[inline(always)]
fn half_of_lanes<T: Field>(a: &[T], b: &[T]) -> [T; 4] {
    core::array::from_fn(|i| match (a.get(i), b.get(i)) {
        (Some(x), Some(y)) => T::zero() + x.clone() * y,
        _ => T::zero(),
    })
}

/// Every lane starts at 0.
#[inline(always)]
pub(crate) fn zero_lanes<T: Field>() -> [T; LANES] {
    core::array::from_fn(|_| T::zero())
}

/// Adds the products of the last, incomplete chunk, and folds.
#[inline(always)]
pub(crate) fn finish<T: Field>(lanes: [T; LANES], a: &[T], b: &[T]) -> T {
    if a.is_empty() {
        return fold(lanes);
    }
    // By lane, not by element: a lane indexed by a variable would keep all of them in memory.
    let mut lanes = black_box(lanes);
    for lane in 0..LANES {
        if let (Some(x), Some(y)) = (a.get(lane), b.get(lane)) {
            lanes[lane] += x.clone() * y;
        }
    }
    fold(lanes)
}

/// ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)).
///
/// `black_box`, an opaque identity, only tells the compiler to have these four sums (or the lanes, above) side by side in
/// memory. Otherwise it looks back from the last sums and vectorises those, not the loop that filled the lanes.
#[inline(always)]
fn fold<T: Field>(lanes: [T; LANES]) -> T {
    let [l0, l1, l2, l3, l4, l5, l6, l7] = lanes;
    let [h0, h1, h2, h3] = black_box([l0 + l4, l1 + l5, l2 + l6, l3 + l7]);
    (h0 + h2) + (h1 + h3)
}

#[inline(always)]
pub(crate) fn add_scaled<T: Field>(s: &T, x: &[T], y: &mut [T]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += xi.clone() * s;
    }
}

/// M ← M + s·xxᵀ, of an x that is not empty.
pub(crate) fn add_rank_one<T: Field>(s: &T, x: &[T], matrix: &mut [T]) {
    for (row, xi) in matrix.chunks_exact_mut(x.len()).zip(x) {
        for (entry, xj) in row.iter_mut().zip(x) {
            // The product of the two components first: it commutes, so M stays symmetric to the last bit.
            *entry += xi.clone() * xj * s;
        }
    }
}

#[inline(always)]
pub(crate) fn scale<T: Field>(s: &T, y: &mut [T]) {
    for yi in y {
        *yi = yi.clone() * s;
    }
}

/// How many rows of a matrix the two products below read at a time, so that x (or y) is loaded once per block. The order
/// of additions is that of one row after another.
const ROWS: usize = 4;

#[inline(always)]
pub(crate) fn multiply<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    let (blocks, rest) = y.as_chunks_mut::<ROWS>();
    let mut matrix = matrix;
    for out in blocks {
        *out = inner_block(rows(&mut matrix, ROWS * x.len()), x);
    }
    for out in rest {
        *out = inner(rows(&mut matrix, x.len()), x);
    }
}

/// Splits `n` elements off the front of a matrix. (`chunks_exact` would divide.)
#[inline(always)]
fn rows<'a, T>(matrix: &mut &'a [T], n: usize) -> &'a [T] {
    let (front, rest) = matrix.split_at(n);
    *matrix = rest;
    front
}

/// [`inner`] of each of four rows with x.
#[inline(always)]
fn inner_block<T: Field>(rows: &[T], x: &[T]) -> [T; ROWS] {
    let (top, bottom) = rows.split_at(2 * x.len());
    let ((r0, r1), (r2, r3)) = (top.split_at(x.len()), bottom.split_at(x.len()));
    if x.len() < LANES {
        return [short_inner(r0, x), short_inner(r1, x), short_inner(r2, x), short_inner(r3, x)];
    }
    let (mut l0, mut l1, mut l2, mut l3) = (zero_lanes(), zero_lanes(), zero_lanes(), zero_lanes());
    let (x_chunks, x_tail) = x.as_chunks::<LANES>();
    let ((c0, t0), (c1, t1)) = (r0.as_chunks::<LANES>(), r1.as_chunks::<LANES>());
    let ((c2, t2), (c3, t3)) = (r2.as_chunks::<LANES>(), r3.as_chunks::<LANES>());
    for ((((x, c0), c1), c2), c3) in x_chunks.iter().zip(c0).zip(c1).zip(c2).zip(c3) {
        for lane in 0..LANES {
            l0[lane] += c0[lane].clone() * &x[lane];
        }
        for lane in 0..LANES {
            l1[lane] += c1[lane].clone() * &x[lane];
        }
        for lane in 0..LANES {
            l2[lane] += c2[lane].clone() * &x[lane];
        }
        for lane in 0..LANES {
            l3[lane] += c3[lane].clone() * &x[lane];
        }
    }
    [finish(l0, t0, x_tail), finish(l1, t1, x_tail), finish(l2, t2, x_tail), finish(l3, t3, x_tail)]
}

#[inline(always)]
pub(crate) fn multiply_transposed<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    if let Some((first, rest)) = x.split_first_chunk::<ROWS>() {
        let (front, matrix) = matrix.split_at(ROWS * y.len());
        add_row_block(front, first, y, |_| T::zero());
        add_rows(matrix, rest, y);
    } else {
        y.fill(T::zero());
        add_rows(matrix, x, y);
    }
}

/// y ← y + Σᵢ xᵢ Mᵢ, from the first row to the last.
#[inline(always)]
pub(crate) fn add_rows<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    let (blocks, rest) = x.as_chunks::<ROWS>();
    let mut matrix = matrix;
    for x in blocks {
        add_row_block(rows(&mut matrix, ROWS * y.len()), x, y, T::clone);
    }
    for x in rest {
        add_scaled(x, rows(&mut matrix, y.len()), y);
    }
}

/// y ← start(y) + Σ xᵢ Mᵢ over four rows.
#[inline(always)]
fn add_row_block<T: Field>(rows: &[T], [x0, x1, x2, x3]: &[T; ROWS], y: &mut [T], start: impl Fn(&T) -> T) {
    let (top, bottom) = rows.split_at(2 * y.len());
    let ((r0, r1), (r2, r3)) = (top.split_at(y.len()), bottom.split_at(y.len()));
    for ((((yi, a), b), c), d) in y.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
        *yi = start(yi) + a.clone() * x0 + b.clone() * x1 + c.clone() * x2 + d.clone() * x3;
    }
}
