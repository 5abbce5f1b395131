//! Systems with a symmetric matrix that may be singular: the solution of least norm, or the direction that rules one out.
//!
//! Exact for rationals. In floating point A and b are divided by their largest entries first, so that units do not matter: what is said of
//! (A, b) is said of (sA, tb). Then |aᵢⱼ| ≤ 1 and 0 ≤ (A²)ᵢᵢ ≤ n, and an entry counts as zero within 5n² roundings of 1: an entry of A² carries n + 2
//! roundings of at most n (two divisions, a product, n − 1 sums), and each of at most n steps of elimination adds two: n(n + 2) + 2n² ≤ 5n²
//! roundings of 1. A right side counts as reached where an error of that size in every entry of the matrix explains what is left of it.

use super::solve::{is_diagonal, swap_rows};
use super::vector::{all_finite, finite, inner, multiply, take};
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
    let (z, scaled) = (take(&mut rest, n)?, take(&mut rest, n * n)?);
    let (unit_a, unit_b) = (unit(a), unit(b));
    divide(a, &unit_a, scaled);
    let width = n + 1;
    let table = take(&mut rest, n * width)?;
    for (i, row) in table.chunks_exact_mut(width).enumerate() {
        for (j, entry) in row[..n].iter_mut().enumerate() {
            // A is symmetric: the entry of A² is the inner product of two rows.
            *entry = inner(&scaled[i * n..(i + 1) * n], &scaled[j * n..(j + 1) * n]);
        }
        row[n] = b[i].clone() / &unit_b;
    }
    if !reaches(what, n, table, z)? {
        return Err(Error::NotInRange { what });
    }
    multiply(scaled, z, x);
    for entry in &mut *x {
        // In the order that does not overflow on the way.
        let in_units = entry.clone();
        *entry = if unit_a > T::one() { in_units / &unit_a * &unit_b } else { in_units * &unit_b / &unit_a };
    }
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
    let (width, y) = (n + 1, take(&mut rest, n)?);
    let table = take(&mut rest, n * width)?;
    let (unit_a, unit_b) = (unit(a), unit(b));
    for (row, (a, b)) in table.chunks_exact_mut(width).zip(a.chunks_exact(n).zip(b)) {
        divide(a, &unit_a, &mut row[..n]);
        row[n] = b.clone() / &unit_b;
    }
    reaches(what, n, table, y)?;
    // An error of `slack` in every entry of A moves ⟨u, Ay⟩ by that much times the sums of |uᵢ| and |yᵢ|.
    let allowed = finite(what, (T::one() + total(y)) * slack::<T>(n))?;
    for free in 0..n {
        u.fill(T::zero());
        u[free] = T::one();
        let mut is_pivot = false;
        for row in table.chunks_exact(width) {
            if let Some(pivot) = pivot(&row[..n]) {
                is_pivot |= pivot == free;
                u[pivot] = -row[free].clone();
            }
        }
        let mut product = T::zero();
        for (u, b) in u.iter().zip(b) {
            product.add_times(u, &(b.clone() / &unit_b));
        }
        if !is_pivot && finite(what, product)?.abs() > total(u) * &allowed {
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

/// What counts as zero, of numbers whose largest is 1; 0 for exact scalars.
fn slack<T: Field>(n: usize) -> T {
    T::rounding(n.saturating_mul(n).saturating_mul(5))
}

/// What numbers are divided by before anything is compared with [`slack`]: the largest of them. Exact scalars need no unit.
fn unit<T: Field>(numbers: &[T]) -> T {
    if T::rounding(1).is_zero() {
        return T::one();
    }
    let larger = |largest: T, entry: &T| if entry.abs() > largest { entry.abs() } else { largest };
    let largest = numbers.iter().fold(T::zero(), larger);
    if largest.is_zero() { T::one() } else { largest }
}

fn divide<T: Field>(numbers: &[T], unit: &T, into: &mut [T]) {
    for (into, number) in into.iter_mut().zip(numbers) {
        *into = number.clone() / unit;
    }
}

/// Σ|xᵢ|.
fn total<T: Field>(x: &[T]) -> T {
    x.iter().fold(T::zero(), |sum, entry| sum + entry.abs())
}

/// The place of a reduced row's pivot.
fn pivot<T: Field>(row: &[T]) -> Option<usize> {
    row.iter().position(|entry| !entry.is_zero())
}

/// Reduces n rows of n coefficients and a right side; z becomes the solution without free unknowns. Whether it is one: whether an error of
/// `slack` in every coefficient explains what is left in the rows that have none.
fn reaches<T: Field>(what: &'static str, n: usize, table: &mut [T], z: &mut [T]) -> Result<bool> {
    let slack = slack(n);
    reduce(what, table, n + 1, n, &slack)?;
    z.fill(T::zero());
    for row in table.chunks_exact(n + 1) {
        if let Some(pivot) = pivot(&row[..n]) {
            z[pivot] = row[n].clone();
        }
    }
    let allowed = finite(what, (T::one() + total(z)) * &slack)?;
    let left = |row: &[T]| pivot(&row[..n]).is_none() && row[n].abs() > allowed;
    Ok(!table.chunks_exact(n + 1).any(left))
}

/// Brings a table of rows to reduced echelon form, with pivots among its first `columns`. A pivot column that is within `slack` of 0 becomes
/// 0, and a row's first entry that is not 0 is its pivot, 1. What is invalid is compared with nothing: it ends the elimination.
fn reduce<T: Field>(what: &'static str, table: &mut [T], width: usize, columns: usize, slack: &T) -> Result<()> {
    let mut rank = 0;
    // A place in the table is none in A.
    let overflowed = |_| Error::NotFinite { what, index: Error::SCALAR };
    for column in 0..columns {
        all_finite(what, table).map_err(overflowed)?;
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
    all_finite(what, table).map_err(overflowed)
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

    /// Units: over the whole range of doubles the same is covered, the same is not, and where units are powers of two the same digits solve
    /// it. (1, 1) and (1, −1) span the plane; data that only see the first have A = vvᵀ.
    #[test]
    fn what_is_covered_does_not_depend_on_units() {
        let mut scratch = vec![0.0; 40];
        let systems = [
            (2, &[1.0, 1.0, 1.0, 1.0][..], &[1.0, 1.0][..], &[1.0, -1.0][..]),
            (1, &[1.0], &[0.75], &[]),
            (3, &[1.0, 2.0, 0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 1.0], &[3.0, 7.0, 1.0], &[1.0, 0.0, 0.0]),
        ];
        for (n, a, inside, outside) in systems {
            let first = least_norm_solution("A", n, a, inside, &mut &mut scratch[..]).unwrap().to_vec();
            for (i, j) in (-30_i32..=30).flat_map(|i| (-3_i32..=3).map(move |j| (i, j))) {
                let (unit_a, unit_b) = (libm::exp2(f64::from(33 * i)), libm::exp2(f64::from(33 * (i + j))));
                let times = |numbers: &[f64], unit: f64| numbers.iter().map(|x| x * unit).collect::<Vec<f64>>();
                if (i + j).abs() > 30 {
                    continue;
                }
                let (a, b) = (times(a, unit_a), times(inside, unit_b));
                let x = least_norm_solution("A", n, &a, &b, &mut &mut scratch[..]).unwrap().to_vec();
                assert_eq!(x, times(&first, unit_b / unit_a), "{a:?} {b:?}");
                assert!(direction_outside_range("A", n, &a, &b, &mut &mut scratch[..]).unwrap().is_none());
                if !outside.is_empty() {
                    let b = times(outside, unit_b);
                    let refused = least_norm_solution("A", n, &a, &b, &mut &mut scratch[..]).map(|x| x.to_vec());
                    assert_eq!(refused, Err(Error::NotInRange { what: "A" }), "{a:?} {b:?}");
                    assert!(direction_outside_range("A", n, &a, &b, &mut &mut scratch[..]).unwrap().is_some());
                }
            }
        }
        // Where no power of two is a unit: a third of 1e-8 and so on, rounded.
        for scale in [1e-300, 1e-16, 1e-8, 1e-7, 1e7, 1e8, 1e15, 1e16, 1e200].map(|scale| scale / 3.0) {
            let a: Vec<f64> = SINGULAR.iter().map(|n| *n as f64 * scale).collect();
            let b = |numbers: [f64; 3]| numbers.map(|x: f64| x * scale);
            let [inside, outside] = [b([3.0, 7.0, 1.0]), b([1.0, 0.0, 0.0])];
            let x = least_norm_solution("A", 3, &a, &inside, &mut &mut scratch[..]).unwrap();
            assert!(x.iter().zip(&first_of_three()).all(|(x, y)| (x - y).abs() < 1e-12), "{scale}: {x:?}");
            assert!(least_norm_solution("A", 3, &a, &outside, &mut &mut scratch[..]).is_err(), "{scale}");
            assert!(direction_outside_range("A", 3, &a, &inside, &mut &mut scratch[..]).unwrap().is_none());
            assert!(direction_outside_range("A", 3, &a, &outside, &mut &mut scratch[..]).unwrap().is_some());
        }
    }

    fn first_of_three() -> Vec<f64> {
        let (a, b) = (numbers(&SINGULAR), numbers(&[3, 7, 1]));
        let mut scratch = vec![Q::zero(); 40];
        let x = least_norm_solution("A", 3, &a, &b, &mut &mut scratch[..]).unwrap();
        x.iter().map(|x| x.numerator() as f64 / x.denominator() as f64).collect()
    }

    /// Fractions of 64 bits that overflow on the way are no answer, whatever elimination would make of them; nor are doubles.
    #[test]
    fn what_overflows_on_the_way_is_an_error() {
        let large = 3_000_000_019;
        let (a, b) = (numbers(&[large, 1, 1, large]), numbers(&[1, 0]));
        let mut scratch = vec![Q::zero(); 60];
        let overflow = Err(Error::NotFinite { what: "A", index: 0 });
        let index_0 =
            |e: Error| if let Error::NotFinite { what, .. } = e { Error::NotFinite { what, index: 0 } } else { e };
        let x = least_norm_solution("A", 2, &a, &b, &mut &mut scratch[..]).map(|x| x.to_vec());
        assert_eq!(x.map_err(index_0), overflow);
        let inverse = pseudo_inverse("A", 2, &a, &mut &mut scratch[..]).map(|x| x.to_vec());
        assert_eq!(inverse.map_err(index_0), overflow);
        let huge = Q::from_int(i64::MAX);
        let a = [huge, Q::ratio(1, 3), Q::ratio(1, 3), Q::ratio(1, i64::MAX)];
        let found = direction_outside_range("A", 2, &a, &b, &mut &mut scratch[..]).map(|u| u.map(|u| u.to_vec()));
        assert_eq!(found.map_err(index_0), Err(Error::NotFinite { what: "A", index: 0 }));
        let mut scratch = vec![0.0; 60];
        let huge = least_norm_solution("A", 1, &[1e200], &[1e200], &mut &mut scratch[..]).map(|x| x.to_vec());
        assert_eq!(huge, Ok(vec![1.0]));
        let beyond = least_norm_solution("A", 1, &[1e-200], &[1e200], &mut &mut scratch[..]).map(|x| x.to_vec());
        assert_eq!(beyond, Err(Error::NotFinite { what: "A", index: 0 }));
    }
}
