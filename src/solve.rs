//! Linear systems by fraction-free elimination (Bareiss), in the caller's buffers.
//!
//! Over an exact scalar the rows are first scaled to integers; every division of the elimination is then exact,
//! and entries stay as small as the minors of the system. Over `f64` the same code is ordinary elimination with
//! partial pivoting ([`Field::eliminate`]).

use crate::error::{Error, Result, expect_len};
use crate::scalar::Field;
use crate::vector::all_finite;

/// Solves A X = B: `b` (n×m, by rows) becomes X; `a` (n×n, by rows) is overwritten.
pub fn solve<T: Field>(n: usize, a: &mut [T], b: &mut [T]) -> Result<()> {
    solve_named("matrix", n, a, b)
}

pub(crate) fn solve_named<T: Field>(what: &'static str, n: usize, a: &mut [T], b: &mut [T]) -> Result<()> {
    expect_len(what, n * n, a.len())?;
    if n == 0 {
        return expect_len("right side", 0, b.len());
    }
    if !b.len().is_multiple_of(n) {
        return Err(Error::Length { what: "right side", expected: n, found: b.len() });
    }
    all_finite(what, a)?;
    all_finite("right side", b)?;
    let m = b.len() / n;
    let rank = eliminate(n, n, a, m, b, Sweep::WholeColumn);
    if rank < n {
        return Err(Error::Singular { what, rank });
    }
    for i in 0..n {
        for entry in &mut b[i * m..(i + 1) * m] {
            *entry = entry.clone() / &a[i * n + i];
        }
    }
    all_finite("solution", b)
}

/// A⁻¹ into `out`; `a` (n×n, by rows) is overwritten.
pub fn inverse<T: Field>(n: usize, a: &mut [T], out: &mut [T]) -> Result<()> {
    expect_len("inverse", n * n, out.len())?;
    for (index, entry) in out.iter_mut().enumerate() {
        *entry = if index / n == index % n { T::one() } else { T::zero() };
    }
    solve(n, a, out)
}

/// The rank of a matrix with `columns` columns; `a` is overwritten.
pub fn rank<T: Field>(columns: usize, a: &mut [T]) -> Result<usize> {
    if columns == 0 {
        return Err(Error::Empty { what: "columns" });
    }
    if !a.len().is_multiple_of(columns) {
        return Err(Error::Length { what: "matrix", expected: columns, found: a.len() });
    }
    all_finite("matrix", a)?;
    let rank = eliminate(a.len() / columns, columns, a, 0, &mut [], Sweep::Below);
    all_finite("matrix", a).map(|()| rank)
}

/// Which entries of a pivot's column are cleared.
#[derive(Clone, Copy, PartialEq)]
enum Sweep {
    /// All but the pivot: leaves a diagonal system.
    WholeColumn,
    /// Those below it: enough for the rank.
    Below,
}

/// Eliminates and returns the rank. `a` is rows×columns, `b` is rows×m and follows along.
fn eliminate<T: Field>(rows: usize, columns: usize, a: &mut [T], m: usize, b: &mut [T], sweep: Sweep) -> usize {
    for row in 0..rows {
        T::clear_denominators(&mut a[row * columns..(row + 1) * columns], &mut b[row * m..(row + 1) * m]);
    }
    let negligible = T::rounding(rows.max(columns)) * largest(a);
    let mut previous = T::one();
    let mut rank = 0;
    for column in 0..columns {
        let Some(found) = pivot_row(rank, rows, columns, column, a, &negligible) else { continue };
        for j in 0..columns {
            a.swap(rank * columns + j, found * columns + j);
        }
        for j in 0..m {
            b.swap(rank * m + j, found * m + j);
        }
        let pivot = a[rank * columns + column].clone();
        for row in 0..rows {
            if row == rank || (sweep == Sweep::Below && row < rank) {
                continue;
            }
            let left = core::mem::replace(&mut a[row * columns + column], T::zero());
            clear_row(row, rank, columns, column + 1, a, &pivot, &left, &previous);
            clear_row(row, rank, m, 0, b, &pivot, &left, &previous);
            // In a whole-column sweep the earlier pivots take part: each becomes the current one.
            if sweep == Sweep::WholeColumn && row < rank {
                let top = T::zero();
                a[row * columns + row].eliminate(&pivot, &left, &top, &previous);
            }
        }
        previous = pivot;
        rank += 1;
        if rank == rows {
            break;
        }
    }
    rank
}

/// The largest magnitude, where a rounding error has to be told from an entry; exact scalars need none.
fn largest<T: Field>(a: &[T]) -> T {
    let mut largest = T::zero();
    if !T::rounding(1).is_zero() {
        for entry in a {
            let size = entry.abs();
            if size > largest {
                largest = size;
            }
        }
    }
    largest
}

fn pivot_row<T: Field>(
    from: usize,
    rows: usize,
    columns: usize,
    column: usize,
    a: &[T],
    negligible: &T,
) -> Option<usize> {
    let mut best: Option<usize> = None;
    for row in from..rows {
        let entry = &a[row * columns + column];
        let is_pivot = if negligible.is_zero() { !entry.is_zero() } else { entry.abs() > *negligible };
        if is_pivot && best.is_none_or(|b| entry.better_pivot(&a[b * columns + column])) {
            best = Some(row);
        }
    }
    best
}

/// Entries `from..width` of `row` by the rule of [`Field::eliminate`], with row `top_row` as the pivot's row.
fn clear_row<T: Field>(
    row: usize,
    top_row: usize,
    width: usize,
    from: usize,
    matrix: &mut [T],
    pivot: &T,
    left: &T,
    previous: &T,
) {
    for j in from..width {
        let top = matrix[top_row * width + j].clone();
        matrix[row * width + j].eliminate(pivot, left, &top, previous);
    }
}
