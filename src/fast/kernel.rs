//! The boxes' sums in the boxes' order, several at a time: inner products by lanes in registers, matrices by blocks of rows, the
//! policies of two states in one pass of exponentials, the descent in one pass over memory.

use crate::linear::vector::LANES;
use crate::number::exponential::exp;
use core::hint::black_box;

/// How many rows of a matrix the products read at a time, so that x (or y) is loaded once per block. The order of additions is
/// that of one row after another.
const ROWS: usize = 4;

/// ⟨a, b⟩; lengths are equal.
#[inline(always)]
pub(super) fn inner(a: &[f64], b: &[f64]) -> f64 {
    if a.len() < LANES {
        return short_inner(a, b);
    }
    let mut lanes = [0.0; LANES];
    let (a_chunks, a_tail) = a.as_chunks::<LANES>();
    let (b_chunks, b_tail) = b.as_chunks::<LANES>();
    for (x, y) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    finish(lanes, a_tail, b_tail)
}

/// [`inner`] of fewer terms than there are lanes. The two halves of the lanes never meet a loop, so they stay in registers.
#[inline(always)]
fn short_inner(a: &[f64], b: &[f64]) -> f64 {
    let (low, high) = match (a.split_first_chunk::<4>(), b.split_first_chunk::<4>()) {
        (Some((a, a_rest)), Some((b, b_rest))) => (half_of_lanes(a, b), half_of_lanes(a_rest, b_rest)),
        _ => (half_of_lanes(a, b), [0.0; 4]),
    };
    let ([l0, l1, l2, l3], [l4, l5, l6, l7]) = (low, high);
    fold([l0, l1, l2, l3, l4, l5, l6, l7])
}

/// Four lanes with at most one term each.
#[inline(always)]
fn half_of_lanes(a: &[f64], b: &[f64]) -> [f64; 4] {
    core::array::from_fn(|i| match (a.get(i), b.get(i)) {
        (Some(x), Some(y)) => 0.0 + x * y,
        _ => 0.0,
    })
}

/// Adds the products of the last, incomplete chunk, and folds.
#[inline(always)]
fn finish(lanes: [f64; LANES], a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() {
        return fold(lanes);
    }
    // By lane, not by element: a lane indexed by a variable would keep all of them in memory.
    let mut lanes = black_box(lanes);
    for lane in 0..LANES {
        if let (Some(x), Some(y)) = (a.get(lane), b.get(lane)) {
            lanes[lane] += x * y;
        }
    }
    fold(lanes)
}

/// ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)).
///
/// `black_box`, an opaque identity, only tells the compiler to have these four sums (or the lanes, above) side by side in
/// memory. Otherwise it looks back from the last sums and vectorises those, not the loop that filled the lanes.
#[inline(always)]
fn fold([l0, l1, l2, l3, l4, l5, l6, l7]: [f64; LANES]) -> f64 {
    let [h0, h1, h2, h3] = black_box([l0 + l4, l1 + l5, l2 + l6, l3 + l7]);
    (h0 + h2) + (h1 + h3)
}

/// y ← y + s·x.
#[inline(always)]
pub(super) fn add_scaled(s: f64, x: &[f64], y: &mut [f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += xi * s;
    }
}

/// y ← s·y.
#[inline(always)]
pub(super) fn scale(s: f64, y: &mut [f64]) {
    for yi in y {
        *yi *= s;
    }
}

/// y ← M x.
#[inline(always)]
pub(super) fn multiply(matrix: &[f64], x: &[f64], y: &mut [f64]) {
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
fn rows<'a>(matrix: &mut &'a [f64], n: usize) -> &'a [f64] {
    let (front, rest) = matrix.split_at(n);
    *matrix = rest;
    front
}

/// [`inner`] of each of four rows with x.
#[inline(always)]
fn inner_block(rows: &[f64], x: &[f64]) -> [f64; ROWS] {
    let (top, bottom) = rows.split_at(2 * x.len());
    let ((r0, r1), (r2, r3)) = (top.split_at(x.len()), bottom.split_at(x.len()));
    if x.len() < LANES {
        return [short_inner(r0, x), short_inner(r1, x), short_inner(r2, x), short_inner(r3, x)];
    }
    let (mut l0, mut l1, mut l2, mut l3) = ([0.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
    let (x_chunks, x_tail) = x.as_chunks::<LANES>();
    let ((c0, t0), (c1, t1)) = (r0.as_chunks::<LANES>(), r1.as_chunks::<LANES>());
    let ((c2, t2), (c3, t3)) = (r2.as_chunks::<LANES>(), r3.as_chunks::<LANES>());
    for ((((x, c0), c1), c2), c3) in x_chunks.iter().zip(c0).zip(c1).zip(c2).zip(c3) {
        for lane in 0..LANES {
            l0[lane] += c0[lane] * x[lane];
        }
        for lane in 0..LANES {
            l1[lane] += c1[lane] * x[lane];
        }
        for lane in 0..LANES {
            l2[lane] += c2[lane] * x[lane];
        }
        for lane in 0..LANES {
            l3[lane] += c3[lane] * x[lane];
        }
    }
    [finish(l0, t0, x_tail), finish(l1, t1, x_tail), finish(l2, t2, x_tail), finish(l3, t3, x_tail)]
}

/// y ← Σᵢ xᵢ Mᵢ, from 0 and from the first row to the last.
#[inline(always)]
pub(super) fn multiply_transposed(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    if let Some((first, rest)) = x.split_first_chunk::<ROWS>() {
        let (front, matrix) = matrix.split_at(ROWS * y.len());
        add_row_block(front, first, y, |_| 0.0);
        add_rows(matrix, rest, y);
    } else {
        y.fill(0.0);
        add_rows(matrix, x, y);
    }
}

/// y ← y + Σᵢ xᵢ Mᵢ, from the first row to the last.
#[inline(always)]
pub(super) fn add_rows(matrix: &[f64], x: &[f64], y: &mut [f64]) {
    let (blocks, rest) = x.as_chunks::<ROWS>();
    let mut matrix = matrix;
    for x in blocks {
        add_row_block(rows(&mut matrix, ROWS * y.len()), x, y, |y| y);
    }
    for x in rest {
        add_scaled(*x, rows(&mut matrix, y.len()), y);
    }
}

/// y ← start(y) + Σ xᵢ Mᵢ over four rows.
#[inline(always)]
fn add_row_block(rows: &[f64], [x0, x1, x2, x3]: &[f64; ROWS], y: &mut [f64], start: impl Fn(f64) -> f64) {
    let (top, bottom) = rows.split_at(2 * y.len());
    let ((r0, r1), (r2, r3)) = (top.split_at(y.len()), bottom.split_at(y.len()));
    for ((((yi, a), b), c), d) in y.iter_mut().zip(r0).zip(r1).zip(r2).zip(r3) {
        *yi = start(*yi) + a * x0 + b * x1 + c * x2 + d * x3;
    }
}

/// (Λ^{c−1}φ)·s.
#[inline(always)]
pub(super) fn weighted_feature(weight: Option<&[f64]>, phi: &[f64], s: f64, out: &mut [f64]) {
    match weight {
        None => out.copy_from_slice(phi),
        Some(matrix) => multiply(matrix, phi, out),
    }
    scale(s, out);
}

/// The policies at several states, |A| numbers each, side by side in `out`. The states share the pass of exponentials, so their
/// latencies overlap.
#[inline(always)]
pub(super) fn softmax_policies<const N: usize>(
    alpha: f64,
    features: [&[f64]; N],
    actions: usize,
    theta_sum: &[f64],
    out: &mut [f64],
) {
    for (features, z) in features.iter().zip(rows_mut(out, actions)) {
        multiply(features, theta_sum, z);
    }
    scale(alpha, out);
    for row in rows_mut(out, actions) {
        let mut greatest = row[0];
        for value in &row[1..] {
            if *value > greatest {
                greatest = *value;
            }
        }
        for value in row {
            *value -= greatest;
        }
    }
    exponentials(out);
    for row in rows_mut(out, actions) {
        let mut total = 0.0;
        for value in row.iter() {
            total += value;
        }
        for value in row {
            *value /= total;
        }
    }
    debug_assert!(rows_mut(out, actions).all(|row| crate::linear::softmax::on_simplex(row)), "policy left the simplex");
}

/// `chunks_exact_mut` without its division.
#[inline(always)]
fn rows_mut(mut rows: &mut [f64], width: usize) -> impl Iterator<Item = &mut [f64]> {
    core::iter::from_fn(move || rows.split_off_mut(..width))
}

/// Eight, then four at a time: exponentials without branches share vector registers.
#[inline(always)]
fn exponentials(z: &mut [f64]) {
    let (eights, rest) = z.as_chunks_mut::<8>();
    for block in eights {
        *block = core::array::from_fn(|i| exp(block[i]));
    }
    let (fours, rest) = rest.as_chunks_mut::<4>();
    for block in fours {
        *block = core::array::from_fn(|i| exp(block[i]));
    }
    for value in rest {
        *value = exp(*value);
    }
}

/// One step of descent: Σ ← Σ + θ, then g = s·p − w·φ and θ ← θ − (η·g), component by component. Returns ‖θ‖² of the new,
/// unprojected θ, summed as [`inner`] does. All slices have θ's length.
#[inline(always)]
pub(super) fn descend(
    (s, positive): (f64, &[f64]),
    (w, phi): (f64, &[f64]),
    eta: f64,
    gradient: &mut [f64],
    theta: &mut [f64],
    iterate_sum: &mut [f64],
) -> f64 {
    let mut lanes = [0.0; LANES];
    let (positives, positive) = positive.as_chunks::<LANES>();
    let (phis, phi) = phi.as_chunks::<LANES>();
    let (gradients, gradient) = gradient.as_chunks_mut::<LANES>();
    let (thetas, theta) = theta.as_chunks_mut::<LANES>();
    let (sums, sum) = iterate_sum.as_chunks_mut::<LANES>();
    // A chunk is read whole before it is written, so that the compiler need not fear that the slices overlap.
    for ((((p, phi), g), theta), sum) in positives.iter().zip(phis).zip(gradients).zip(thetas).zip(sums) {
        let total: [f64; LANES] = core::array::from_fn(|i| sum[i] + theta[i]);
        let direction: [f64; LANES] = core::array::from_fn(|i| p[i] * s - phi[i] * w);
        let moved: [f64; LANES] = core::array::from_fn(|i| theta[i] - direction[i] * eta);
        for i in 0..LANES {
            lanes[i] += moved[i] * moved[i];
        }
        (*sum, *g, *theta) = (total, direction, moved);
    }
    for ((((p, phi), g), theta), sum) in positive.iter().zip(phi).zip(gradient).zip(theta.iter_mut()).zip(sum) {
        *sum += *theta;
        *g = p * s - phi * w;
        *theta -= *g * eta;
    }
    finish(lanes, theta, theta)
}

/// One step of ascent: y = β + (ζ·g).
#[inline(always)]
pub(super) fn ascend(beta: &[f64], zeta: f64, gradient: &[f64], y: &mut [f64]) {
    for ((y, beta), g) in y.iter_mut().zip(beta).zip(gradient) {
        *y = beta + g * zeta;
    }
}

/// Π of a θ whose norm is known; what it was goes to `before`, which is returned if there is a difference.
#[inline(always)]
pub(super) fn project<'y>(y: &'y mut [f64], norm: f64, radius: f64, before: &'y mut [f64]) -> (&'y [f64], &'y [f64]) {
    if norm <= radius {
        return (y, y);
    }
    before.copy_from_slice(y);
    scale(radius / norm, y);
    debug_assert!(crate::linear::projection::within_ball(y, &radius), "projection left the ball");
    (before, y)
}
