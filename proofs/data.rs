//! Rows of a data file: indices and numbers of cells.

use super::library::paper::samples::Sample;

/// A row that was accepted has its states and actions below their bounds, its reward in [0, 1] and its draw in [0, 1).
pub fn row_in_range(row: &Sample<f64>, states: usize, actions: usize) -> bool {
    let states_are_known = row.x0 < states && row.x < states && row.x_next < states;
    states_are_known && row.a < actions && (0.0..=1.0).contains(&row.r) && (0.0..1.0).contains(&row.u)
}

#[cfg(kani)]
mod harnesses {
    use super::row_in_range;
    use crate::data::row::{RowSpec, Setting, index};

    /// The number that digits say, if they are digits: of up to 20 of them, so that `u128` holds it.
    fn said(text: &[u8]) -> Option<u128> {
        let (mut number, mut i) = (0_u128, 0);
        while i < text.len() {
            if text[i] < b'0' || text[i] > b'9' {
                return None;
            }
            number = number * 10 + u128::from(text[i] - b'0');
            i += 1;
        }
        if text.is_empty() { None } else { Some(number) }
    }

    /// The index of a CSV cell of up to 6 arbitrary bytes is the number that its digits say, or refused where they are none.
    ///
    /// Seen to fail: the empty text taken for 0.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(8)]
    fn index_is_the_number_its_digits_say() {
        let bytes: [u8; 6] = kani::any();
        let length: usize = kani::any();
        // Budget: 6 bytes.
        kani::assume(length <= 6);
        let text = &bytes[..length];
        assert!(index(text).map(|index| index as u128) == said(text));
        kani::cover!(index(text) == Some(987_654), "six digits");
    }

    /// The same of 20 bytes around the greatest `usize`, 18446744073709551615: its first 17 digits and any 3 bytes.
    ///
    /// Seen to fail: a product that wraps.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(22)]
    fn index_that_does_not_fit_is_refused() {
        let mut text = *b"18446744073709551___";
        [text[17], text[18], text[19]] = kani::any();
        let fits = said(&text).and_then(|number| usize::try_from(number).ok());
        assert!(index(&text) == fits);
        kani::cover!(fits == Some(usize::MAX), "the greatest index");
        kani::cover!(said(&text) == Some(1 << 64), "one more");
    }

    /// Stands for `row::number`, the standard library's reading of a double: any, or a refusal.
    fn any_number(_text: &[u8]) -> Option<f64> {
        kani::any()
    }

    /// Stands for `row::index`, which the harness above is about: any, or a refusal.
    fn any_index(_text: &[u8]) -> Option<usize> {
        kani::any()
    }

    /// A row that is accepted has its indices below their bounds and its numbers in range: either setting, any |X| and |A|, the columns in any
    /// order, whatever the cells are and indices and numbers are read as.
    ///
    /// Seen to fail: an index that equals its bound let through.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(6)]
    #[kani::stub(crate::data::row::index, any_index)]
    #[kani::stub(crate::data::row::number, any_number)]
    fn rows_are_in_range() {
        let setting = if kani::any() { Setting::Discounted } else { Setting::Average };
        let spec = RowSpec { setting, states: kani::any(), actions: kani::any() };
        let places = setting.columns().map(|column| (column, kani::any()));
        let row = spec.read(&places, |reward| reward, |_place| if kani::any() { Some(&b"0"[..]) } else { None });
        assert!(row.is_err() || row.is_ok_and(|row| row_in_range(&row, spec.states, spec.actions)));
        kani::cover!(setting == Setting::Discounted && row.is_ok_and(|row| row.r == 1.0), "a reward of 1");
        kani::cover!(setting == Setting::Average && row.is_ok_and(|row| row.u > 0.5), "a draw");
    }
}
