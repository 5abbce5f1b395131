//! Systems with a symmetric matrix that may be singular: the solution of least norm, or the direction that rules one out.
//!
//! Exact for rationals. In floating point an entry counts as zero when it is within 4n² roundings of the largest one.

use super::solve::{is_diagonal, swap_rows};
use super::vector::{all_finite, inner, multiply, take};
use crate::error::{Error, Result, expect_len, expect_some, expect_table};
use crate::number::Field;

/// The x of least norm with A x = b, for a symmetric n×n matrix: x = A z with A²z = b, since the range of A is that of A² and is
/// orthogonal to all that A sends to 0. [`Error::NotInRange`] where there is no solution.
pub fn least_norm_solution<'s, T: Field>(
    what: &'static str,
    n: usize,
    a: &[T],
    b: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_system(what, n, a, b)?;
    let x = take(scratch, n)?;
    if is_diagonal(n, a) {
        return divide_by_diagonal(what, a, b, x).map(|()| x);
    }
    let mut rest = &mut **scratch;
    let z = take(&mut rest, n)?;
    let (width, slack) = (n + 1, slack(n, a));
    let table = take(&mut rest, n * width)?;
    for (i, row) in table.chunks_exact_mut(width).enumerate() {
        for (j, entry) in row[..n].iter_mut().enumerate() {
            // A is symmetric: the entry of A² is the inner product of two rows.
            *entry = inner(&a[i * n..(i + 1) * n], &a[j * n..(j + 1) * n]);
        }
        row[n] = b[i].clone();
    }
    let rank = reduce(table, width, n, &slack);
    if table.chunks_exact(width).skip(rank).any(|row| row[n].abs() > slack) {
        return Err(Error::NotInRange { what });
    }
    z.fill(T::zero());
    for row in table.chunks_exact(width).take(rank) {
        if let Some(pivot) = row[..n].iter().position(|entry| !entry.is_zero()) {
            z[pivot] = row[n].clone();
        }
    }
    multiply(a, z, x);
    all_finite(what, x)?;
    Ok(x)
}

/// The same for a diagonal A: xᵢ = bᵢ/aᵢᵢ, and 0 where both are.
fn divide_by_diagonal<T: Field>(what: &'static str, a: &[T], b: &[T], x: &mut [T]) -> Result<()> {
    for ((x, b), entry) in x.iter_mut().zip(b).zip(a.iter().step_by(b.len() + 1)) {
        *x = match (entry.is_zero(), b.is_zero()) {
            (false, _) => b.clone() / entry,
            (true, true) => T::zero(),
            (true, false) => return Err(Error::NotInRange { what }),
        };
    }
    all_finite(what, x)
}

/// A⁺, by rows, of a symmetric n×n matrix: the inverse where there is one; else zero on what A sends to 0. Column i is the least x
/// with A x = P e_i, where P e_i, the part of e_i in the range, is itself the least with A x = A e_i.
pub fn pseudo_inverse<'s, T: Field>(
    what: &'static str,
    n: usize,
    a: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_some(what, n)?;
    expect_table(what, n, n, a.len())?;
    let inverse = take(scratch, n * n)?;
    for (row, found) in a.chunks_exact(n).zip(inverse.chunks_exact_mut(n)) {
        let mut rest = &mut **scratch;
        let projected = least_norm_solution(what, n, a, row, &mut rest)?;
        found.clone_from_slice(least_norm_solution(what, n, a, projected, &mut rest)?);
    }
    Ok(inverse)
}

/// A vector u with A u = 0 and ⟨u, b⟩ ≠ 0, which shows that b is not in the range of the symmetric matrix A; `None` where it is.
pub fn direction_outside_range<'s, T: Field>(
    what: &'static str,
    n: usize,
    a: &[T],
    b: &[T],
    scratch: &mut &'s mut [T],
) -> Result<Option<&'s mut [T]>> {
    expect_system(what, n, a, b)?;
    let u = take(scratch, n)?;
    let mut rest = &mut **scratch;
    let table = take(&mut rest, n * n)?;
    table.clone_from_slice(a);
    let slack = slack(n, a);
    let rank = reduce(table, n, n, &slack);
    for free in 0..n {
        u.fill(T::zero());
        u[free] = T::one();
        let mut is_pivot = false;
        for row in table.chunks_exact(n).take(rank) {
            if let Some(pivot) = row.iter().position(|entry| !entry.is_zero()) {
                is_pivot |= pivot == free;
                u[pivot] = -row[free].clone();
            }
        }
        if !is_pivot && inner(u, b).abs() > slack {
            return Ok(Some(u));
        }
    }
    Ok(None)
}

fn expect_system<T: Field>(what: &'static str, n: usize, a: &[T], b: &[T]) -> Result<()> {
    expect_some(what, n)?;
    expect_table(what, n, n, a.len())?;
    expect_len("right side", n, b.len())?;
    all_finite(what, a)?;
    all_finite("right side", b)
}

/// What counts as zero.
fn slack<T: Field>(n: usize, a: &[T]) -> T {
    let largest = a.iter().fold(T::zero(), |largest, entry| if entry.abs() > largest { entry.abs() } else { largest });
    largest * T::rounding(n.saturating_mul(n).saturating_mul(4))
}

/// Brings a table of rows to reduced echelon form, with pivots among its first `columns`; returns how many there are. Whatever is
/// within `slack` of 0 becomes 0, and a row's first entry that is not 0 is its pivot, 1.
fn reduce<T: Field>(table: &mut [T], width: usize, columns: usize, slack: &T) -> usize {
    let mut rank = 0;
    for column in 0..columns {
        let candidates = (rank..table.len() / width).map(|row| (row, table[row * width + column].abs()));
        let best =
            candidates.fold((rank, slack.clone()), |best, (row, size)| if size > best.1 { (row, size) } else { best });
        if best.1 <= *slack {
            for row in rank..table.len() / width {
                table[row * width + column] = T::zero();
            }
            continue;
        }
        swap_rows(rank, best.0, width, table);
        let pivot = table[rank * width + column].clone();
        for entry in &mut table[rank * width..(rank + 1) * width] {
            *entry = entry.clone() / &pivot;
        }
        for row in (0..table.len() / width).filter(|row| *row != rank) {
            let factor = table[row * width + column].clone();
            if factor.is_zero() {
                continue;
            }
            for j in 0..width {
                let subtracted = table[rank * width + j].clone() * &factor;
                table[row * width + j] = table[row * width + j].clone() - subtracted;
            }
            table[row * width + column] = T::zero();
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::Rational64 as Q;

    fn numbers(numbers: &[i64]) -> Vec<Q> {
        numbers.iter().map(|n| Q::from_int(*n)).collect()
    }

    /// A = vvᵀ + wwᵀ with v = (1, 2, 0), w = (0, 1, 1): its null space is spanned by (2, −1, 1).
    const SINGULAR: [i64; 9] = [1, 2, 0, 2, 5, 1, 0, 1, 1];

    #[test]
    fn the_solution_is_one_and_orthogonal_to_the_null_space() {
        let (a, b) = (numbers(&SINGULAR), numbers(&[3, 7, 1]));
        let mut scratch = vec![Q::zero(); 40];
        let x = least_norm_solution("A", 3, &a, &b, &mut &mut scratch[..]).unwrap();
        let mut image = numbers(&[0, 0, 0]);
        multiply(&a, x, &mut image);
        assert_eq!(image, b);
        assert_eq!(inner(x, &numbers(&[2, -1, 1])), Q::zero());
        assert!(direction_outside_range("A", 3, &a, &b, &mut &mut scratch[..]).unwrap().is_none());
    }

    #[test]
    fn what_is_outside_the_range_is_refused_with_a_witness() {
        let (a, b) = (numbers(&SINGULAR), numbers(&[1, 0, 0]));
        let mut scratch = vec![Q::zero(); 40];
        let refused = least_norm_solution("A", 3, &a, &b, &mut &mut scratch[..]).map(|x| x.to_vec());
        assert_eq!(refused, Err(Error::NotInRange { what: "A" }));
        let u = direction_outside_range("A", 3, &a, &b, &mut &mut scratch[..]).unwrap().unwrap();
        let mut image = numbers(&[9, 9, 9]);
        multiply(&a, u, &mut image);
        assert_eq!(image, numbers(&[0, 0, 0]));
        assert!(inner(u, &b) != Q::zero());
    }

    /// Penrose's equations A A⁺ A = A and A⁺ A A⁺ = A⁺, and symmetry, which for symmetric A leave no other.
    #[test]
    fn the_pseudo_inverse_is_penroses() {
        let a = numbers(&SINGULAR);
        let mut scratch = vec![Q::zero(); 60];
        let inverse = pseudo_inverse("A", 3, &a, &mut &mut scratch[..]).unwrap().to_vec();
        let product = |x: &[Q], y: &[Q]| -> Vec<Q> {
            (0..9).map(|i| (0..3).fold(Q::zero(), |sum, k| sum + x[i / 3 * 3 + k] * y[k * 3 + i % 3])).collect()
        };
        assert_eq!(product(&product(&a, &inverse), &a), a);
        assert_eq!(product(&product(&inverse, &a), &inverse), inverse);
        for (x, y) in [(1, 3), (2, 6), (5, 7)] {
            assert_eq!(inverse[x], inverse[y]);
        }
    }

    /// Doubles: a third of the matrix above, which rounding makes nearly singular.
    #[test]
    fn doubles_know_a_zero_when_they_see_one() {
        let a: Vec<f64> = SINGULAR.iter().map(|n| *n as f64 / 3.0).collect();
        let b = [1.0, 7.0 / 3.0, 1.0 / 3.0];
        let mut scratch = vec![0.0; 40];
        let x = least_norm_solution("A", 3, &a, &b, &mut &mut scratch[..]).unwrap();
        // x is of the order of 1 and A² has a condition number of 36: a few hundred roundings at most.
        assert!((2.0 * x[0] - x[1] + x[2]).abs() < 1e-13, "{x:?}");
        let u = direction_outside_range("A", 3, &a, &[1.0, 0.0, 0.0], &mut &mut scratch[..]).unwrap();
        assert!(u.is_some());
    }
}
