//! The boxes' sums in the boxes' order, eight lanes at a time.
//!
//! The engine's own vectors are whole lines, with zeros behind their last number. The caller's, rows of features mostly, are whole lines and a
//! rest, which goes through the lanes with zeros behind it, too. A lane of a sum never holds −0, so adding 0 to it changes no bit.

use super::aligned::Line;
use super::unit::{Unit, by_rest};
use crate::linear::vector::LANES;
use pulp::bytemuck::cast;
use pulp::f64x8;

/// How many rows of a matrix the products read at a time, so that x (or y) is loaded once per block. The order of additions is
/// that of one row after another.
const ROWS: usize = 4;

/// Eight zeros.
pub(super) const ZERO: f64x8 = f64x8(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// Rows of R^d: the whole lines of each, and its rest.
#[inline(always)]
fn split<const N: usize>(rows: [&[f64]; N]) -> ([&[Line]; N], [f64x8; N]) {
    let (count, mut lines, mut rests): (_, [&[Line]; N], [&[f64]; N]) = (rows[0].len() / LANES, [&[]; N], [&[]; N]);
    for n in 0..N {
        (lines[n], rests[n]) = rows[n].as_chunks();
        lines[n] = &lines[n][..count];
    }
    (lines, by_rest!(rests[0].len(), R => filled::<N, R>(rests)))
}

/// Rests of `R` numbers each, with zeros behind. Here as elsewhere loops stand where `array::map` would do: that is not always inlined.
#[inline(always)]
fn filled<const N: usize, const R: usize>(rests: [&[f64]; N]) -> [f64x8; N] {
    let mut filled = [ZERO; N];
    for n in 0..N {
        let (rest, mut lanes): (&[f64; R], Line) = (rests[n].first_chunk().expect("R is d mod 8"), [0.0; LANES]);
        #[allow(clippy::manual_memcpy)] // a copy would go through memory
        for i in 0..R {
            lanes[i] = rest[i];
        }
        filled[n] = cast(lanes);
    }
    filled
}

/// The running sums of ⟨a, b⟩ for each a of some rows.
#[inline(always)]
fn lanes<S: Unit, const N: usize>(unit: S, rows: [&[f64]; N], b: &[Line]) -> [f64x8; N] {
    let ((rows, rests), mut lanes) = (split(rows), [ZERO; N]);
    let (b, b_rest) = b.split_at(rows[0].len());
    for c in 0..b.len() {
        for n in 0..N {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(cast(rows[n][c]), cast(b[c])));
        }
    }
    if let [b] = b_rest {
        for n in 0..N {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(rests[n], cast(*b)));
        }
    }
    lanes
}

/// ⟨a, b⟩ for each a of some rows.
#[inline(always)]
fn inner_rows<S: Unit, const N: usize>(unit: S, rows: [&[f64]; N], b: &[Line]) -> [f64; N] {
    let (lanes, mut products) = (lanes(unit, rows, b), [0.0; N]);
    for n in 0..N {
        products[n] = fold(lanes[n]);
    }
    products
}

/// ⟨a, b⟩ for each a of eight rows, each in its lane.
#[inline(always)]
pub(super) fn inner_eight<S: Unit>(unit: S, rows: [&[f64]; LANES], b: &[Line]) -> f64x8 {
    fold_eight(unit, lanes(unit, rows, b))
}

/// ⟨a, b⟩.
#[inline(always)]
pub(super) fn inner<S: Unit>(unit: S, a: &[f64], b: &[Line]) -> f64 {
    let [product] = inner_rows(unit, [a], b);
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

/// [`fold`] of eight, each into its lane: halves of rows i and i + 4 side by side, quarters of four rows, eighths of all.
#[inline(always)]
fn fold_eight<S: Unit>(unit: S, [r0, r1, r2, r3, r4, r5, r6, r7]: [f64x8; LANES]) -> f64x8 {
    let halves = |a: f64x8, b: f64x8| {
        let low = f64x8(a.0, a.1, a.2, a.3, b.0, b.1, b.2, b.3);
        unit.add_f64s(low, f64x8(a.4, a.5, a.6, a.7, b.4, b.5, b.6, b.7))
    };
    let quarters = |a: f64x8, b: f64x8| {
        let low = f64x8(a.0, a.1, b.0, b.1, a.4, a.5, b.4, b.5);
        unit.add_f64s(low, f64x8(a.2, a.3, b.2, b.3, a.6, a.7, b.6, b.7))
    };
    let a = quarters(halves(r0, r4), halves(r2, r6));
    let b = quarters(halves(r1, r5), halves(r3, r7));
    let low = f64x8(a.0, b.0, a.2, b.2, a.4, b.4, a.6, b.6);
    unit.add_f64s(low, f64x8(a.1, b.1, a.3, b.3, a.5, b.5, a.7, b.7))
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
pub(super) fn multiply<S: Unit>(
    unit: S,
    (dim, matrix): (usize, &[f64]),
    x: &[Line],
    mut write: impl FnMut(usize, f64),
) {
    let (mut matrix, mut i) = (matrix, 0);
    while let Some((block, rest)) = matrix.split_at_checked(ROWS * dim) {
        let [a, b, c, d] = inner_rows(unit, four(block, dim), x);
        write(i, a);
        write(i + 1, b);
        write(i + 2, c);
        write(i + 3, d);
        (matrix, i) = (rest, i + ROWS);
    }
    while let Some((row, rest)) = matrix.split_at_checked(dim) {
        write(i, inner(unit, row, x));
        (matrix, i) = (rest, i + 1);
    }
}

/// yᵢ = M x for each M of eight matrices, yᵢ being row i of `y`, a lane for each.
#[inline(always)]
pub(super) fn multiply_eight<S: Unit>(unit: S, (dim, matrices): (usize, [&[f64]; LANES]), x: &[Line], y: &mut [Line]) {
    let mut matrices = matrices;
    for y in y {
        let mut rows: [&[f64]; LANES] = [&[]; LANES];
        for i in 0..LANES {
            (rows[i], matrices[i]) = matrices[i].split_at(dim);
        }
        *y = cast(inner_eight(unit, rows, x));
    }
}

/// y ← f(y, x, x', …), line by line.
#[inline(always)]
pub(super) fn update<const N: usize>(
    x: [&[f64]; N],
    y: &mut [Line],
    mut f: impl FnMut(usize, f64x8, [f64x8; N]) -> f64x8,
) {
    let (rows, rests) = split(x);
    let count = rows[0].len();
    let (y, y_rest) = y.split_at_mut(count);
    for c in 0..count {
        let mut x = [ZERO; N];
        for n in 0..N {
            x[n] = cast(rows[n][c]);
        }
        y[c] = cast(f(c, cast(y[c]), x));
    }
    if let [y] = y_rest {
        *y = cast(f(count, cast(*y), rests));
    }
}

/// y ← z + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last, and g ← y − (w·φ).
#[inline(always)]
pub(super) fn combine<S: Unit>(
    unit: S,
    (z, matrix, x, s): (&[Line], &[f64], &[f64], f64x8),
    (phi, w): (&[f64], f64x8),
    y: &mut [Line],
    g: &mut [Line],
) {
    let (dim, z, g) = (phi.len(), &z[..y.len()], &mut g[..y.len()]);
    let x = if let Some((block, x)) = x.split_first_chunk::<ROWS>() {
        let ([r0, r1, r2, r3], weights) = (four(&matrix[..ROWS * dim], dim), scaled(unit, block, s));
        update(
            [r0, r1, r2, r3, phi],
            y,
            #[inline(always)]
            |c, _, [r0, r1, r2, r3, phi]| {
                let y = add_four(unit, cast(z[c]), [r0, r1, r2, r3], weights);
                g[c] = cast(unit.sub_f64s(y, unit.mul_f64s(phi, w)));
                y
            },
        );
        x
    } else {
        y.copy_from_slice(z);
        x
    };
    if !x.is_empty() {
        add_rows(unit, (dim, &matrix[matrix.len() - x.len() * dim..]), x, s, y);
        let y = &*y;
        update(
            [phi],
            g,
            #[inline(always)]
            |c, _, [phi]| unit.sub_f64s(cast(y[c]), unit.mul_f64s(phi, w)),
        );
    }
}

/// y ← 0 + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last.
#[inline(always)]
pub(super) fn sum_rows<S: Unit>(unit: S, (dim, matrix): (usize, &[f64]), x: &[f64], s: f64x8, y: &mut [Line]) {
    let Some((block, x)) = x.split_first_chunk::<ROWS>() else {
        y.fill([0.0; LANES]);
        return add_rows(unit, (dim, matrix), x, s, y);
    };
    let ((rows, below), weights) = (matrix.split_at(ROWS * dim), scaled(unit, block, s));
    update(
        four(rows, dim),
        y,
        #[inline(always)]
        |_, _, rows| add_four(unit, ZERO, rows, weights),
    );
    add_rows(unit, (dim, below), x, s, y);
}

/// y ← y + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last.
#[inline(always)]
fn add_rows<S: Unit>(unit: S, (dim, matrix): (usize, &[f64]), x: &[f64], s: f64x8, y: &mut [Line]) {
    let (mut matrix, (blocks, rest)) = (matrix, x.as_chunks::<ROWS>());
    for x in blocks {
        let (rows, below) = matrix.split_at(ROWS * dim);
        let weights = scaled(unit, x, s);
        update(
            four(rows, dim),
            y,
            #[inline(always)]
            |_, y, rows| add_four(unit, y, rows, weights),
        );
        matrix = below;
    }
    for x in rest {
        let (row, below) = matrix.split_at(dim);
        let weight = unit.mul_f64s(unit.splat_f64s(*x), s);
        update(
            [row],
            y,
            #[inline(always)]
            |_, y, [row]| unit.add_f64s(y, unit.mul_f64s(row, weight)),
        );
        matrix = below;
    }
}

/// s·xᵢ, in every lane.
#[inline(always)]
fn scaled<S: Unit>(unit: S, x: &[f64; ROWS], s: f64x8) -> [f64x8; ROWS] {
    let mut weights = [ZERO; ROWS];
    for i in 0..ROWS {
        weights[i] = unit.mul_f64s(unit.splat_f64s(x[i]), s);
    }
    weights
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
