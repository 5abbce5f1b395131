//! Linear systems by fraction-free elimination (Bareiss), in the caller's buffers.
//!
//! Over a big rational the rows are first scaled to integers; every division of the elimination is then exact,
//! and entries stay as small as the minors of the system. Back substitution computes det·x, which Cramer's rule
//! says is integral too, and divides at the end. Over `f64` the same code is ordinary elimination with partial
//! pivoting ([`Eliminate`](crate::number::elimination::Eliminate)).

use crate::error::{Error, Result, expect_len, expect_rows, expect_some, expect_table};
use crate::linear::vector::all_finite;
use crate::number::Field;

/// Solves A X = B: `b` (n×m, by rows) becomes X; `a` (n×n, by rows) is overwritten.
pub fn solve<T: Field>(n: usize, a: &mut [T], b: &mut [T]) -> Result<()> {
    solve_named("matrix", n, a, b)
}

pub(crate) fn solve_named<T: Field>(what: &'static str, n: usize, a: &mut [T], b: &mut [T]) -> Result<()> {
    expect_table(what, n, n, a.len())?;
    if n == 0 {
        return expect_len("right side", 0, b.len());
    }
    expect_rows("right side", n, b.len())?;
    all_finite(what, a)?;
    all_finite("right side", b)?;
    let m = b.len() / n;
    if is_diagonal(n, a) {
        return divide_by_diagonal(what, n, a, b);
    }
    if m > 0 && T::solve_by_lifting(n, a, b) {
        return all_finite("solution", b);
    }
    let rank = eliminate(n, n, a, m, b);
    if rank < n {
        return Err(Error::Singular { what, rank });
    }
    substitute_back(n, a, m, b);
    all_finite("solution", b)
}

/// Whether all else is 0, over an exact scalar: an elimination would multiply the diagonal up, to divide it away in the end.
pub(crate) fn is_diagonal<T: Field>(n: usize, a: &[T]) -> bool {
    T::rounding(1).is_zero() && a.iter().enumerate().all(|(i, entry)| i / n == i % n || entry.is_zero())
}

fn rank_of_diagonal<T: Field>(n: usize, a: &[T]) -> usize {
    a.iter().step_by(n + 1).filter(|entry| !entry.is_zero()).count()
}

fn divide_by_diagonal<T: Field>(what: &'static str, n: usize, a: &[T], b: &mut [T]) -> Result<()> {
    let rank = rank_of_diagonal(n, a);
    if rank < n {
        return Err(Error::Singular { what, rank });
    }
    let m = b.len() / n;
    for (i, entry) in b.iter_mut().enumerate() {
        *entry = entry.clone() / &a[i / m * (n + 1)];
    }
    all_finite("solution", b)
}

/// x from the triangular system that [`eliminate`] leaves, for each of the m right sides.
fn substitute_back<T: Field>(n: usize, a: &[T], m: usize, b: &mut [T]) {
    let one = T::one();
    let scale = a[n * n - 1].denominator_of_solution();
    for i in (0..n).rev() {
        let (above, below) = b.split_at_mut((i + 1) * m);
        for (k, entry) in above[i * m..].iter_mut().enumerate() {
            *entry = entry.clone() * &scale;
            for j in i + 1..n {
                entry.eliminate(&one, &a[i * n + j], &below[(j - i - 1) * m + k], &one);
            }
            entry.divide_exactly(&a[i * n + i]);
        }
    }
    for entry in b {
        *entry = entry.clone() / &scale;
    }
}

/// A⁻¹ into `out`; `a` (n×n, by rows) is overwritten.
pub fn inverse<T: Field>(n: usize, a: &mut [T], out: &mut [T]) -> Result<()> {
    expect_table("inverse", n, n, out.len())?;
    for (index, entry) in out.iter_mut().enumerate() {
        *entry = if index / n == index % n { T::one() } else { T::zero() };
    }
    solve(n, a, out)
}

/// The rank of a matrix with `columns` columns; `a` is overwritten.
pub fn rank<T: Field>(columns: usize, a: &mut [T]) -> Result<usize> {
    expect_some("columns", columns)?;
    expect_rows("matrix", columns, a.len())?;
    all_finite("matrix", a)?;
    if a.len() == columns * columns && is_diagonal(columns, a) {
        return Ok(rank_of_diagonal(columns, a));
    }
    let rank = eliminate(a.len() / columns, columns, a, 0, &mut []);
    all_finite("matrix", a).map(|()| rank)
}

/// What the quadratic form of a symmetric matrix can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definiteness {
    /// xᵀAx > 0 for every x ≠ 0.
    Definite,
    /// xᵀAx ≥ 0 for every x, and 0 for some x ≠ 0.
    Semidefinite {
        /// The matrix's rank.
        rank: usize,
    },
    /// xᵀAx < 0 for some x.
    Indefinite,
}

/// The definiteness of a symmetric n×n matrix, which is overwritten, by symmetric elimination with diagonal pivots
/// (LDLᵀ). Over an exact scalar the answer is a proof; over `f64` rounding may decide close cases.
pub fn definiteness<T: Field>(n: usize, a: &mut [T]) -> Result<Definiteness> {
    expect_table("matrix", n, n, a.len())?;
    all_finite("matrix", a)?;
    let zero = T::zero();
    if n > 0 && is_diagonal(n, a) {
        let rank = rank_of_diagonal(n, a);
        let negative = a.iter().step_by(n + 1).any(|entry| *entry < zero);
        return Ok(match (negative, rank == n) {
            (true, _) => Definiteness::Indefinite,
            (false, true) => Definiteness::Definite,
            (false, false) => Definiteness::Semidefinite { rank },
        });
    }
    T::clear_denominators(a, &mut []);
    let mut previous = T::one();
    for k in 0..n {
        let Some(found) = (k..n).find(|&i| !a[i * n + i].is_zero()) else {
            // A vanishing diagonal leaves a semidefinite form only if the whole rest vanishes.
            let rest_is_zero = (k..n).all(|i| a[i * n + k..(i + 1) * n].iter().all(Field::is_zero));
            return Ok(if rest_is_zero { Definiteness::Semidefinite { rank: k } } else { Definiteness::Indefinite });
        };
        swap_rows(k, found, n, a);
        for row in a.chunks_exact_mut(n) {
            row.swap(k, found);
        }
        let (top, below) = a.split_at_mut((k + 1) * n);
        let top = &top[k * n..];
        if top[k] < zero {
            return Ok(Definiteness::Indefinite);
        }
        for row in below.chunks_exact_mut(n) {
            let left = core::mem::replace(&mut row[k], T::zero());
            clear_row(&mut row[k + 1..], &top[k + 1..], &top[k], &left, &previous);
        }
        previous = top[k].clone();
        all_finite("matrix", below)?;
    }
    Ok(Definiteness::Definite)
}

/// Brings `a` (rows×columns) to echelon form and returns its rank; `b` (rows×m) follows along.
fn eliminate<T: Field>(rows: usize, columns: usize, a: &mut [T], m: usize, b: &mut [T]) -> usize {
    for row in 0..rows {
        T::clear_denominators(&mut a[row * columns..(row + 1) * columns], &mut b[row * m..(row + 1) * m]);
    }
    let negligible = T::rounding(rows.max(columns)) * largest(a);
    let mut previous = T::one();
    let mut rank = 0;
    for column in 0..columns {
        let Some(found) = pivot_row(rank, rows, columns, column, a, &negligible) else { continue };
        swap_rows(rank, found, columns, a);
        swap_rows(rank, found, m, b);
        let (a_top, a_below) = a.split_at_mut((rank + 1) * columns);
        let (b_top, b_below) = b.split_at_mut((rank + 1) * m);
        let (top, b_top) = (&a_top[rank * columns..], &b_top[rank * m..]);
        let pivot = &top[column];
        for (i, row) in a_below.chunks_exact_mut(columns).enumerate() {
            let left = core::mem::replace(&mut row[column], T::zero());
            clear_row(&mut row[column + 1..], &top[column + 1..], pivot, &left, &previous);
            clear_row(&mut b_below[i * m..(i + 1) * m], b_top, pivot, &left, &previous);
        }
        previous = pivot.clone();
        rank += 1;
        if rank == rows {
            break;
        }
    }
    rank
}

pub(crate) fn swap_rows<T>(i: usize, j: usize, width: usize, matrix: &mut [T]) {
    if i != j {
        for k in 0..width {
            matrix.swap(i * width + k, j * width + k);
        }
    }
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

/// Every entry of `row` by the rule of [`Eliminate::eliminate`](crate::number::elimination::Eliminate::eliminate), with `top` the pivot's row.
pub(crate) fn clear_row<T: Field>(row: &mut [T], top: &[T], pivot: &T, left: &T, previous: &T) {
    for (entry, above) in row.iter_mut().zip(top) {
        entry.eliminate(pivot, left, above, previous);
    }
}
