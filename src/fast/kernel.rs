//! The boxes' sums in the boxes' order, eight lanes at a time. A vector of R^d is whole chunks of eight, and a rest of `R` numbers,
//! which goes through the lanes with zeros behind it: a lane of a sum never holds −0, so adding 0 to it changes no bit.

use super::unit::Unit;
use crate::linear::vector::LANES;
use pulp::bytemuck::cast;
use pulp::f64x8;

/// How many rows of a matrix the products read at a time, so that x (or y) is loaded once per block. The order of additions is
/// that of one row after another.
const ROWS: usize = 4;

/// Eight zeros.
pub(super) const ZERO: f64x8 = f64x8(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// A vector's chunks, `count` of them, and its rest.
#[inline(always)]
pub(super) fn split<const R: usize>(x: &[f64], count: usize) -> (&[[f64; LANES]], f64x8) {
    let (chunks, rest) = x.as_chunks();
    let rest: &[f64; R] = rest.first_chunk().expect("R is d mod 8");
    let mut lanes = [0.0; LANES];
    #[allow(clippy::manual_memcpy)] // a copy would go through memory
    for i in 0..R {
        lanes[i] = rest[i];
    }
    (&chunks[..count], cast(lanes))
}

/// A vector's chunks and its rest, to be written to.
#[inline(always)]
pub(super) fn split_mut<const R: usize>(x: &mut [f64], count: usize) -> (&mut [[f64; LANES]], &mut [f64; R]) {
    let (chunks, rest) = x.as_chunks_mut();
    (&mut chunks[..count], rest.first_chunk_mut().expect("R is d mod 8"))
}

/// y ← the first `R` lanes of x.
#[inline(always)]
pub(super) fn store<const R: usize>(x: f64x8, y: &mut [f64; R]) {
    let lanes: [f64; LANES] = cast(x);
    #[allow(clippy::manual_memcpy)] // likewise
    for i in 0..R {
        y[i] = lanes[i];
    }
}

/// y ← f(x, x', …), component by component. Here as elsewhere loops stand where `array::map` would do: that is not always inlined.
#[inline(always)]
pub(super) fn map<const N: usize, const R: usize>(x: [&[f64]; N], y: &mut [f64], f: impl Fn([f64x8; N]) -> f64x8) {
    let count = y.len() / LANES;
    let (mut chunks, mut rests): ([&[[f64; LANES]]; N], [f64x8; N]) = ([&[]; N], [ZERO; N]);
    for n in 0..N {
        (chunks[n], rests[n]) = split::<R>(x[n], count);
    }
    let (y, y_rest) = split_mut::<R>(y, count);
    for c in 0..count {
        let mut x = [ZERO; N];
        for n in 0..N {
            x[n] = cast(chunks[n][c]);
        }
        y[c] = cast(f(x));
    }
    store(f(rests), y_rest);
}

/// (y, y') ← f(x, x', …), component by component.
#[inline(always)]
fn map_two<const N: usize, const R: usize>(
    x: [&[f64]; N],
    [y, z]: [&mut [f64]; 2],
    f: impl Fn([f64x8; N]) -> [f64x8; 2],
) {
    let count = y.len() / LANES;
    let (mut chunks, mut rests): ([&[[f64; LANES]]; N], [f64x8; N]) = ([&[]; N], [ZERO; N]);
    for n in 0..N {
        (chunks[n], rests[n]) = split::<R>(x[n], count);
    }
    let ((y, y_rest), (z, z_rest)) = (split_mut::<R>(y, count), split_mut::<R>(z, count));
    for c in 0..count {
        let mut x = [ZERO; N];
        for n in 0..N {
            x[n] = cast(chunks[n][c]);
        }
        let [first, second] = f(x);
        (y[c], z[c]) = (cast(first), cast(second));
    }
    let [first, second] = f(rests);
    store(first, y_rest);
    store(second, z_rest);
}

/// y ← f(y, x, x', …), component by component.
#[inline(always)]
fn update<const N: usize, const R: usize>(x: [&[f64]; N], y: &mut [f64], f: impl Fn(f64x8, [f64x8; N]) -> f64x8) {
    let count = y.len() / LANES;
    let (mut chunks, mut rests): ([&[[f64; LANES]]; N], [f64x8; N]) = ([&[]; N], [ZERO; N]);
    for n in 0..N {
        (chunks[n], rests[n]) = split::<R>(x[n], count);
    }
    let (_, y_before) = split::<R>(y, count);
    let (y, y_rest) = split_mut::<R>(y, count);
    for c in 0..count {
        let mut x = [ZERO; N];
        for n in 0..N {
            x[n] = cast(chunks[n][c]);
        }
        y[c] = cast(f(cast(y[c]), x));
    }
    store(f(y_before, rests), y_rest);
}

/// ⟨a, b⟩ for each a of some rows of b's length.
#[inline(always)]
fn inner_rows<S: Unit, const N: usize, const R: usize>(unit: S, rows: [&[f64]; N], b: &[f64]) -> [f64; N] {
    let count = b.len() / LANES;
    let (b, b_rest) = split::<R>(b, count);
    let (mut chunks, mut rests): ([&[[f64; LANES]]; N], [f64x8; N]) = ([&[]; N], [ZERO; N]);
    for n in 0..N {
        (chunks[n], rests[n]) = split::<R>(rows[n], count);
    }
    let mut lanes = [ZERO; N];
    for c in 0..count {
        for n in 0..N {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(cast(chunks[n][c]), cast(b[c])));
        }
    }
    let mut products = [0.0; N];
    for n in 0..N {
        if R > 0 {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(rests[n], b_rest));
        }
        products[n] = fold(lanes[n]);
    }
    products
}

/// ⟨a, b⟩; lengths are equal.
#[inline(always)]
pub(super) fn inner<S: Unit, const R: usize>(unit: S, a: &[f64], b: &[f64]) -> f64 {
    let [product] = inner_rows::<S, 1, R>(unit, [a], b);
    product
}

/// ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)): halves, quarters, eighths.
#[inline(always)]
pub(super) fn fold(lanes: f64x8) -> f64 {
    let [low, high]: [[f64; 4]; 2] = cast(lanes);
    let mut sums = [0.0; 4];
    for i in 0..4 {
        sums[i] = low[i] + high[i];
    }
    let [s0, s1, s2, s3] = sums;
    (s0 + s2) + (s1 + s3)
}

/// Four rows of a matrix.
#[inline(always)]
fn four(rows: &[f64], dim: usize) -> [&[f64]; ROWS] {
    let (top, bottom) = rows.split_at(2 * dim);
    let ((r0, r1), (r2, r3)) = (top.split_at(dim), bottom.split_at(dim));
    [r0, r1, r2, r3]
}

/// y = M x, yᵢ being handed to `write`.
#[inline(always)]
pub(super) fn multiply<S: Unit, const R: usize>(unit: S, matrix: &[f64], x: &[f64], mut write: impl FnMut(usize, f64)) {
    let (mut matrix, mut i) = (matrix, 0);
    while let Some((block, rest)) = matrix.split_at_checked(ROWS * x.len()) {
        let [a, b, c, d] = inner_rows::<S, ROWS, R>(unit, four(block, x.len()), x);
        write(i, a);
        write(i + 1, b);
        write(i + 2, c);
        write(i + 3, d);
        (matrix, i) = (rest, i + ROWS);
    }
    while let Some((row, rest)) = matrix.split_at_checked(x.len()) {
        write(i, inner::<S, R>(unit, row, x));
        (matrix, i) = (rest, i + 1);
    }
}

/// y ← z + Σᵢ xᵢ Mᵢ, from the first row to the last, and g ← y − (w·φ).
#[inline(always)]
pub(super) fn combine<S: Unit, const R: usize>(
    unit: S,
    (z, matrix, x): (&[f64], &[f64], &[f64]),
    (phi, w): (&[f64], f64x8),
    y: &mut [f64],
    g: &mut [f64],
) {
    let Some((block, x)) = x.split_first_chunk::<ROWS>() else {
        y.copy_from_slice(z);
        add_rows::<S, R>(unit, matrix, x, y);
        return map::<2, R>(
            [y, phi],
            g,
            #[inline(always)]
            |[y, phi]| subtract(unit, y, phi, w),
        );
    };
    let (rows, matrix) = matrix.split_at(ROWS * y.len());
    let ([a, b, c, d], weights) = (four(rows, y.len()), splat(unit, block));
    map_two::<6, R>(
        [z, a, b, c, d, phi],
        [y, g],
        #[inline(always)]
        |[z, a, b, c, d, phi]| {
            let y = add_four(unit, z, [a, b, c, d], weights);
            [y, subtract(unit, y, phi, w)]
        },
    );
    if !x.is_empty() {
        add_rows::<S, R>(unit, matrix, x, y);
        map::<2, R>(
            [y, phi],
            g,
            #[inline(always)]
            |[y, phi]| subtract(unit, y, phi, w),
        );
    }
}

/// y ← y + Σᵢ xᵢ Mᵢ, from the first row to the last.
#[inline(always)]
fn add_rows<S: Unit, const R: usize>(unit: S, matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let (mut matrix, (blocks, rest)) = (matrix, x.as_chunks::<ROWS>());
    for x in blocks {
        let (rows, below) = matrix.split_at(ROWS * y.len());
        let (rows, weights) = (four(rows, y.len()), splat(unit, x));
        update::<ROWS, R>(
            rows,
            y,
            #[inline(always)]
            |y, rows| add_four(unit, y, rows, weights),
        );
        matrix = below;
    }
    for x in rest {
        let (row, below) = matrix.split_at(y.len());
        let x = unit.splat_f64s(*x);
        update::<1, R>(
            [row],
            y,
            #[inline(always)]
            |y, [row]| unit.add_f64s(y, unit.mul_f64s(row, x)),
        );
        matrix = below;
    }
}

/// y ← 0 + Σᵢ xᵢ Mᵢ, from the first row to the last.
#[inline(always)]
pub(super) fn sum_rows<S: Unit, const R: usize>(unit: S, matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let Some((block, x)) = x.split_first_chunk::<ROWS>() else {
        y.fill(0.0);
        return add_rows::<S, R>(unit, matrix, x, y);
    };
    let (rows, matrix) = matrix.split_at(ROWS * y.len());
    let (rows, weights) = (four(rows, y.len()), splat(unit, block));
    map::<ROWS, R>(
        rows,
        y,
        #[inline(always)]
        |rows| add_four(unit, ZERO, rows, weights),
    );
    add_rows::<S, R>(unit, matrix, x, y);
}

#[inline(always)]
fn splat<S: Unit>(unit: S, [a, b, c, d]: &[f64; ROWS]) -> [f64x8; ROWS] {
    [unit.splat_f64s(*a), unit.splat_f64s(*b), unit.splat_f64s(*c), unit.splat_f64s(*d)]
}

/// y − (w·φ).
#[inline(always)]
fn subtract<S: Unit>(unit: S, y: f64x8, phi: f64x8, w: f64x8) -> f64x8 {
    unit.sub_f64s(y, unit.mul_f64s(phi, w))
}

/// y + Σ xᵢ rᵢ.
#[inline(always)]
fn add_four<S: Unit>(unit: S, y: f64x8, rows: [f64x8; ROWS], x: [f64x8; ROWS]) -> f64x8 {
    let mut y = y;
    for i in 0..ROWS {
        y = unit.add_f64s(y, unit.mul_f64s(rows[i], x[i]));
    }
    y
}
