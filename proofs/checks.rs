//! The checks that every function of the core begins with, and the scratch that results come out of: all lengths.

use crate::error::{Error, expect_len, expect_rows, expect_some, expect_table};
use crate::linear::vector::take;

/// `expect_len` accepts equal lengths and no others, `expect_some` every count but 0; a refusal says both lengths. All `usize`.
///
/// Seen to fail: `expect_len` accepts shorter slices.
#[kani::proof]
#[kani::solver(cadical)]
fn lengths_are_compared() {
    let (expected, found): (usize, usize) = kani::any();
    match expect_len("x", expected, found) {
        Err(Error::Length { expected: e, found: f, .. }) => assert!(expected != found && e == expected && f == found),
        answer => assert!(answer.is_ok() && expected == found),
    }
    assert!(expect_some("x", found).is_ok() == (found > 0));
    kani::cover!(expected == usize::MAX && found == 0, "nothing where all memory was asked for");
}

/// `expect_table` accepts rows·columns numbers and no others: any length found, rows and columns of 8 bits; and no length where the product exceeds
/// `usize`, for two such products that would wrap to the length found.
///
/// Seen to fail: the product wraps.
#[kani::proof]
#[kani::solver(cadical)]
fn tables_are_measured() {
    let (rows, columns, found): (u8, u8, usize) = kani::any();
    let right = usize::from(u16::from(rows) * u16::from(columns));
    assert!(expect_table("x", rows.into(), columns.into(), found).is_ok() == (found == right));
    assert!(expect_table("x", 1 << 32, 1 << 32, 0).is_err());
    assert!(expect_table("x", usize::MAX, 2, usize::MAX - 1).is_err());
    kani::cover!(rows == 3 && columns == 4 && found == 12, "a table");
}

/// `expect_rows` accepts whole rows and nothing else, and no rows of width 0.
///
/// Seen to fail: the width 0 let through.
#[kani::proof]
#[kani::solver(cadical)]
fn rows_are_whole() {
    let (width, rows, rest): (u8, u8, u8) = kani::any();
    // Precondition: `found` is so many whole rows and a rest. Budget: 5 bits each.
    kani::assume((rest < width || width == 0) && width < 32 && rows < 32 && rest < 32);
    let found = usize::from(width) * usize::from(rows) + usize::from(rest);
    assert!(expect_rows("x", width.into(), found).is_ok() == (width > 0 && rest == 0));
    kani::cover!(width == 7 && rest == 6, "one short of a row");
    kani::cover!(width == 0 && rest == 0, "no width");
}

/// `take` hands out the first n numbers and leaves the rest, in order, or says how many are missing: any n, up to 8 numbers.
///
/// Seen to fail: the rest not kept.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn scratch_is_split() {
    let mut numbers: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    let (left, n): (usize, usize) = kani::any();
    // Budget: 8 numbers.
    kani::assume(left <= 8);
    let mut scratch = &mut numbers[..left];
    match take(&mut scratch, n) {
        Ok(front) => {
            assert!(n <= left && front.len() == n && scratch.len() == left - n);
            assert!(n == 0 || (front[0] == 0 && usize::from(front[n - 1]) == n - 1));
            assert!(scratch.is_empty() || usize::from(scratch[0]) == n);
        }
        Err(error) => {
            assert!(n > left && matches!(error, Error::Scratch { needed, left: l } if needed == n && l == left))
        }
    }
    kani::cover!(n == 3 && left == 8, "some");
    kani::cover!(n == usize::MAX, "too many");
}
