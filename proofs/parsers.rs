//! The parsers of the core: numbers, and the rows of a data file.

use super::properties::{rational_in_range, row_in_range};
use crate::data::row::{RowSpec, Setting, index};
use crate::number::rational::{Rational8, Rational64};

/// A prefix of any bytes.
fn any_text<const N: usize>(bytes: &[u8; N]) -> &[u8] {
    let length: usize = kani::any();
    // Budget: short texts.
    kani::assume(length <= N);
    &bytes[..length]
}

/// Stands for the gcd, as in `rational.rs`: any number but 0. What lowest terms are, `rational_new` proves for every p and q.
fn any_divisor(a: u8, b: u8) -> u8 {
    assert!(a != 0 || b != 0);
    let divisor: u8 = kani::any();
    // Precondition: a gcd of numbers not both 0 is not 0.
    kani::assume(divisor > 0);
    divisor
}

/// An 8-bit rational from up to 6 arbitrary bytes: never a panic, never a wrap; it is in range, or an error.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(7)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
fn rational_of_six_bytes() {
    let bytes: [u8; 6] = kani::any();
    let read = Rational8::from_bytes(any_text(&bytes));
    assert!(rational_in_range(read));
    kani::cover!(bytes == *b"-36/48" && read.is_ok(), "a quotient");
    kani::cover!(bytes == *b"12.5e1" && read.is_ok(), "a decimal");
}

/// Stands for the gcd where lowest terms do not matter.
fn no_divisor(_a: u64, _b: u64) -> u64 {
    1
}

/// A 64-bit rational from 6 arbitrary bytes: never a panic, never a wrap; its denominator is positive, or it is an error.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(20)]
#[kani::stub(crate::number::rational::Rational64::gcd, no_divisor)]
fn long_rational_of_six_bytes() {
    let bytes: [u8; 6] = kani::any();
    let read = Rational64::from_bytes(&bytes);
    assert!(read.is_err() || read.is_ok_and(|x| x.denominator() > 0 && x.numerator() > i64::MIN));
    kani::cover!(bytes == *b"1.5e12" && read.is_ok(), "a decimal");
    kani::cover!(bytes == *b"1e-018" && read.is_ok(), "the least power of ten");
    kani::cover!(bytes == *b"1e+019" && read.is_err(), "one that does not fit");
}

/// Stands for the standard library's reading of a double: any, or a refusal.
fn any_number(_text: &[u8]) -> Option<f64> {
    kani::any()
}

/// The first cells of a record, which commas divide.
fn cells(record: &[u8]) -> [Option<&[u8]>; 5] {
    let (mut cells, mut count, mut start) = ([None; 5], 0, 0);
    for end in 0..=record.len() {
        if end == record.len() || record[end] == b',' {
            if count < cells.len() {
                cells[count] = record.get(start..end);
            }
            (count, start) = (count + 1, end + 1);
        }
    }
    cells
}

/// A row of a data file from a record of up to 12 arbitrary bytes: never a panic; a row that is accepted has its indices below their
/// bounds and its numbers in range. Any |X| and |A|; the columns of the discounted setting, in their order.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(14)]
#[kani::stub(crate::data::row::number, any_number)]
fn row_of_twelve_bytes() {
    let bytes: [u8; 12] = kani::any();
    let record = any_text(&bytes);
    let spec = RowSpec { setting: Setting::Discounted, states: kani::any(), actions: kani::any() };
    let columns = spec.setting.columns();
    let places = core::array::from_fn(|place| (columns[place], place));
    let cells = cells(record);
    let row = spec.read(&places, |place| cells[place]);
    assert!(row.is_err() || row.is_ok_and(|row| row_in_range(&row, spec.states, spec.actions)));
    kani::cover!(bytes == *b"17,2,3,.5,99" && row.is_ok_and(|row| row.x0 == 17 && row.x_next == 99), "a row");
    kani::cover!(row.is_err_and(|(_, cell)| cell.is_empty()), "a cell that is missing or empty");
}

/// Stands for [`index`], which `index_of_twelve_bytes` is about: any, or a refusal.
fn any_index(_text: &[u8]) -> Option<usize> {
    kani::any()
}

/// The same in either setting, with the columns in any order, whatever the cells are and indices and numbers are read as.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(6)]
#[kani::stub(crate::data::row::index, any_index)]
#[kani::stub(crate::data::row::number, any_number)]
fn row_of_any_cells() {
    let setting = if kani::any() { Setting::Discounted } else { Setting::Average };
    let spec = RowSpec { setting, states: kani::any(), actions: kani::any() };
    let places = setting.columns().map(|column| (column, kani::any()));
    let row = spec.read(&places, |_place| if kani::any() { Some(&b"0"[..]) } else { None });
    assert!(row.is_err() || row.is_ok_and(|row| row_in_range(&row, spec.states, spec.actions)));
    kani::cover!(setting == Setting::Discounted && row.is_ok_and(|row| row.r == 1.0), "a reward of 1");
    kani::cover!(setting == Setting::Average && row.is_ok_and(|row| row.u > 0.5), "a draw");
}

/// The index of a CSV cell of up to 12 arbitrary bytes: never a panic, and digits alone are accepted.
#[kani::proof]
#[kani::solver(minisat)]
#[kani::unwind(14)]
fn index_of_twelve_bytes() {
    let bytes: [u8; 12] = kani::any();
    let text = any_text(&bytes);
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let read = index(text);
    assert!(read.is_some() == digits);
    kani::cover!(read == Some(120_000_000_000), "twelve digits");
}
