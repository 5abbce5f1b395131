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
    if x.is_valid() { Ok(x) } else { Err(Error::NotFinite { what, index: Error::SCALAR }) }
}

/// The kernel of every inner product; lengths are equal by the callers' checks.
pub(crate) fn inner<T: Field>(a: &[T], b: &[T]) -> T {
    let mut lane: [T; LANES] = core::array::from_fn(|_| T::zero());
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        lane[i % LANES].add_times(x, y);
    }
    let [l0, l1, l2, l3, l4, l5, l6, l7] = lane;
    ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7))
}

pub(crate) fn add_scaled<T: Field>(s: &T, x: &[T], y: &mut [T]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        yi.add_times(xi, s);
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

pub(crate) fn scale<T: Field>(s: &T, y: &mut [T]) {
    for yi in y {
        *yi = yi.clone() * s;
    }
}

/// y ← M x.
pub(crate) fn multiply<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    for (i, out) in y.iter_mut().enumerate() {
        *out = inner(&matrix[i * x.len()..(i + 1) * x.len()], x);
    }
}

/// y ← Σᵢ xᵢ Mᵢ, from 0 and from the first row to the last.
pub(crate) fn multiply_transposed<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    y.fill(T::zero());
    add_rows(matrix, x, y);
}

/// y ← y + Σᵢ xᵢ Mᵢ, from the first row to the last.
pub(crate) fn add_rows<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    for (i, xi) in x.iter().enumerate() {
        add_scaled(xi, &matrix[i * y.len()..(i + 1) * y.len()], y);
    }
}
