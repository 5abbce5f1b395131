//! The boxes' sums in the boxes' order, eight lanes at a time.
//!
//! The engine's own vectors are whole lines, with zeros behind their last number. The caller's, rows of features mostly, are whole lines and a
//! rest of `R` numbers, which goes through the lanes with zeros behind it, too. A lane of a sum never holds −0, so adding 0 to it changes no bit.

use super::aligned::Line;
use super::unit::Unit;
use crate::linear::vector::LANES;
use pulp::bytemuck::cast;
use pulp::f64x8;

/// How many rows of a matrix the products read at a time, so that x (or y) is loaded once per block. The order of additions is
/// that of one row after another.
const ROWS: usize = 4;

/// Eight zeros.
pub(super) const ZERO: f64x8 = f64x8(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// Rows of R^d: the whole lines of each, `count` of them, and its rest. Here as elsewhere loops stand where `array::map` would do: that is
/// not always inlined.
#[inline(always)]
fn split<const N: usize, const R: usize>(rows: [&[f64]; N], count: usize) -> ([&[Line]; N], [f64x8; N]) {
    let (mut lines, mut rests): ([&[Line]; N], [f64x8; N]) = ([&[]; N], [ZERO; N]);
    for n in 0..N {
        let (whole, rest) = rows[n].as_chunks();
        let (rest, mut lanes): (&[f64; R], Line) = (rest.first_chunk().expect("R is d mod 8"), [0.0; LANES]);
        #[allow(clippy::manual_memcpy)] // a copy would go through memory
        for i in 0..R {
            lanes[i] = rest[i];
        }
        (lines[n], rests[n]) = (&whole[..count], cast(lanes));
    }
    (lines, rests)
}

/// How many lines of a vector are whole.
#[inline(always)]
fn whole<const R: usize>(x: &[Line]) -> usize {
    x.len() - usize::from(R > 0)
}

/// The running sums of ⟨a, b⟩ for each a of some rows.
#[inline(always)]
fn lanes<S: Unit, const N: usize, const R: usize>(unit: S, rows: [&[f64]; N], b: &[Line]) -> [f64x8; N] {
    let count = whole::<R>(b);
    let ((rows, rests), mut lanes) = (split::<N, R>(rows, count), [ZERO; N]);
    for c in 0..count {
        for n in 0..N {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(cast(rows[n][c]), cast(b[c])));
        }
    }
    if R > 0 {
        for n in 0..N {
            lanes[n] = unit.add_f64s(lanes[n], unit.mul_f64s(rests[n], cast(b[count])));
        }
    }
    lanes
}

/// ⟨a, b⟩ for each a of some rows.
#[inline(always)]
fn inner_rows<S: Unit, const N: usize, const R: usize>(unit: S, rows: [&[f64]; N], b: &[Line]) -> [f64; N] {
    let (lanes, mut products) = (lanes::<S, N, R>(unit, rows, b), [0.0; N]);
    for n in 0..N {
        products[n] = fold(lanes[n]);
    }
    products
}

/// ⟨a, b⟩ for each a of eight rows, each in its lane.
#[inline(always)]
pub(super) fn inner_eight<S: Unit, const R: usize>(unit: S, rows: [&[f64]; LANES], b: &[Line]) -> f64x8 {
    fold_eight(unit, lanes::<S, LANES, R>(unit, rows, b))
}

/// ⟨a, b⟩.
#[inline(always)]
pub(super) fn inner<S: Unit, const R: usize>(unit: S, a: &[f64], b: &[Line]) -> f64 {
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

/// [`fold`] of eight, each into its lane: halves of rows i and i + 4 side by side, quarters of four rows, eighths of all.
#[inline(always)]
fn fold_eight<S: Unit>(unit: S, rows: [f64x8; LANES]) -> f64x8 {
    let (mut halves, mut quarters) = ([ZERO; 4], [ZERO; 2]);
    for i in 0..4 {
        let pair = [rows[i], rows[i + 4]];
        halves[i] = unit.add_f64s(pick(pair, [0, 1, 2, 3, 8, 9, 10, 11]), pick(pair, [4, 5, 6, 7, 12, 13, 14, 15]));
    }
    for i in 0..2 {
        let pair = [halves[i], halves[i + 2]];
        quarters[i] = unit.add_f64s(pick(pair, [0, 1, 8, 9, 4, 5, 12, 13]), pick(pair, [2, 3, 10, 11, 6, 7, 14, 15]));
    }
    unit.add_f64s(pick(quarters, [0, 8, 2, 10, 4, 12, 6, 14]), pick(quarters, [1, 9, 3, 11, 5, 13, 7, 15]))
}

/// Eight of sixteen lanes.
#[inline(always)]
fn pick(pair: [f64x8; 2], places: [usize; LANES]) -> f64x8 {
    let (lanes, mut picked): ([f64; 2 * LANES], Line) = (cast(pair), [0.0; LANES]);
    for i in 0..LANES {
        picked[i] = lanes[places[i]];
    }
    cast(picked)
}

/// Four rows of a matrix.
#[inline(always)]
fn four(rows: &[f64], dim: usize) -> [&[f64]; ROWS] {
    let (top, bottom) = rows.split_at(2 * dim);
    let ((r0, r1), (r2, r3)) = (top.split_at(dim), bottom.split_at(dim));
    [r0, r1, r2, r3]
}

/// How many numbers the vectors have.
#[inline(always)]
fn dim<const R: usize>(x: &[Line]) -> usize {
    LANES * whole::<R>(x) + R
}

/// y = M x, yᵢ being handed to `write`.
#[inline(always)]
pub(super) fn multiply<S: Unit, const R: usize>(
    unit: S,
    matrix: &[f64],
    x: &[Line],
    mut write: impl FnMut(usize, f64),
) {
    let (dim, mut matrix, mut i) = (dim::<R>(x), matrix, 0);
    while let Some((block, rest)) = matrix.split_at_checked(ROWS * dim) {
        let [a, b, c, d] = inner_rows::<S, ROWS, R>(unit, four(block, dim), x);
        write(i, a);
        write(i + 1, b);
        write(i + 2, c);
        write(i + 3, d);
        (matrix, i) = (rest, i + ROWS);
    }
    while let Some((row, rest)) = matrix.split_at_checked(dim) {
        write(i, inner::<S, R>(unit, row, x));
        (matrix, i) = (rest, i + 1);
    }
}

/// yᵢ = M x for each M of eight matrices, yᵢ being row i of `y`, a lane for each.
#[inline(always)]
pub(super) fn multiply_eight<S: Unit, const R: usize>(unit: S, matrices: [&[f64]; LANES], x: &[Line], y: &mut [Line]) {
    let (dim, mut matrices) = (dim::<R>(x), matrices);
    for y in y {
        let mut rows: [&[f64]; LANES] = [&[]; LANES];
        for i in 0..LANES {
            (rows[i], matrices[i]) = matrices[i].split_at(dim);
        }
        *y = cast(inner_eight::<S, R>(unit, rows, x));
    }
}

/// y ← f(y, x, x', …), line by line.
#[inline(always)]
pub(super) fn update<const N: usize, const R: usize>(
    x: [&[f64]; N],
    y: &mut [Line],
    mut f: impl FnMut(usize, f64x8, [f64x8; N]) -> f64x8,
) {
    let count = whole::<R>(y);
    let (lines, rests) = split::<N, R>(x, count);
    for c in 0..count {
        let mut x = [ZERO; N];
        for n in 0..N {
            x[n] = cast(lines[n][c]);
        }
        y[c] = cast(f(c, cast(y[c]), x));
    }
    if R > 0 {
        y[count] = cast(f(count, cast(y[count]), rests));
    }
}

/// y ← z + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last, and g ← y − (w·φ).
#[inline(always)]
pub(super) fn combine<S: Unit, const R: usize>(
    unit: S,
    (z, matrix, x, s): (&[Line], &[f64], &[f64], f64x8),
    (phi, w): (&[f64], f64x8),
    y: &mut [Line],
    g: &mut [Line],
) {
    let (dim, z, g) = (dim::<R>(y), &z[..y.len()], &mut g[..y.len()]);
    let x = if let Some((block, x)) = x.split_first_chunk::<ROWS>() {
        let ([r0, r1, r2, r3], weights) = (four(&matrix[..ROWS * dim], dim), scaled(unit, block, s));
        update::<5, R>(
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
        add_rows::<S, R>(unit, &matrix[matrix.len() - x.len() * dim..], x, s, y);
        let y = &*y;
        update::<1, R>(
            [phi],
            g,
            #[inline(always)]
            |c, _, [phi]| unit.sub_f64s(cast(y[c]), unit.mul_f64s(phi, w)),
        );
    }
}

/// y ← 0 + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last.
#[inline(always)]
pub(super) fn sum_rows<S: Unit, const R: usize>(unit: S, matrix: &[f64], x: &[f64], s: f64x8, y: &mut [Line]) {
    let Some((block, x)) = x.split_first_chunk::<ROWS>() else {
        y.fill([0.0; LANES]);
        return add_rows::<S, R>(unit, matrix, x, s, y);
    };
    let ((rows, below), weights) = (matrix.split_at(ROWS * dim::<R>(y)), scaled(unit, block, s));
    update::<ROWS, R>(
        four(rows, dim::<R>(y)),
        y,
        #[inline(always)]
        |_, _, rows| add_four(unit, ZERO, rows, weights),
    );
    add_rows::<S, R>(unit, below, x, s, y);
}

/// y ← y + Σᵢ (s·xᵢ) Mᵢ, from the first row to the last.
#[inline(always)]
fn add_rows<S: Unit, const R: usize>(unit: S, matrix: &[f64], x: &[f64], s: f64x8, y: &mut [Line]) {
    let (dim, mut matrix, (blocks, rest)) = (dim::<R>(y), matrix, x.as_chunks::<ROWS>());
    for x in blocks {
        let (rows, below) = matrix.split_at(ROWS * dim);
        let weights = scaled(unit, x, s);
        update::<ROWS, R>(
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
        update::<1, R>(
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
