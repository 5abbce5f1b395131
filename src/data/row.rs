//! One row of a data file: its columns, their ranges, and how cells of text become a row. Nothing here allocates or needs the
//! feature `cli`, so that Kani verifies the very function that reads data.

pub use crate::paper::Setting;
use crate::paper::samples::Sample;

impl Setting {
    /// The columns a data file must have, in the order of [`Column`].
    #[must_use]
    pub fn columns(self) -> [Column; 5] {
        match self {
            Self::Discounted => [Column::X0, Column::X, Column::A, Column::R, Column::XNext],
            Self::Average => [Column::X, Column::A, Column::R, Column::XNext, Column::U],
        }
    }
}

/// A column of a data file, or an array of an NPZ archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// X⁰.
    X0,
    /// X.
    X,
    /// A.
    A,
    /// R.
    R,
    /// X'.
    XNext,
    /// The draw behind A'.
    U,
}

/// Every column's name, in the order of [`Column`].
pub const COLUMN_NAMES: [&str; 6] = ["x0", "x", "a", "r", "x_next", "u"];

impl Column {
    /// The column's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        COLUMN_NAMES[self as usize]
    }

    /// What others call it.
    pub(crate) fn usual_names(self) -> &'static [&'static str] {
        match self {
            Self::X0 => &["s0", "start", "start_state", "initial", "initial_state"],
            Self::X => &["s", "state", "states", "obs", "observation", "observations"],
            Self::A => &["action", "actions", "act"],
            Self::R => &["reward", "rewards", "rew"],
            Self::XNext => &[
                "s_next",
                "next_s",
                "s2",
                "s'",
                "x'",
                "next_state",
                "next_states",
                "next_obs",
                "next_observation",
                "next_observations",
            ],
            Self::U => &["uniform"],
        }
    }
}

/// What the rows of a data file must be.
#[derive(Debug, Clone, Copy)]
pub struct RowSpec {
    /// Which columns there are.
    pub setting: Setting,
    /// |X|: states are below it.
    pub states: usize,
    /// |A|: actions are below it.
    pub actions: usize,
}

impl RowSpec {
    /// The first index that is too large, for an index column.
    pub(crate) fn below(&self, column: Column) -> Option<usize> {
        match column {
            Column::X0 | Column::X | Column::XNext => Some(self.states),
            Column::A => Some(self.actions),
            Column::R | Column::U => None,
        }
    }

    /// The row that the cells of a record stand for, or the first column whose cell is refused, with that cell. `places` says where in
    /// the record each column is; a cell that is missing is empty. `scale` maps the file's rewards to [0, 1].
    pub(crate) fn read<'c>(
        &self,
        places: &[(Column, usize)],
        scale: impl Fn(f64) -> f64,
        cell: impl Fn(usize) -> Option<&'c [u8]>,
    ) -> Result<Row, (Column, &'c [u8])> {
        let mut row = Row::default();
        for &(column, place) in places {
            let text = cell(place).unwrap_or_default();
            if let Some(below) = self.below(column) {
                let index = state(text).filter(|&index| index < below).ok_or((column, text))?;
                set_index(&mut row, column, index);
            } else {
                let number = number(text).map(|number| if column == Column::R { scale(number) } else { number });
                let number = number.filter(|&number| in_range(column, number)).ok_or((column, text))?;
                set_number(&mut row, column, number);
            }
        }
        Ok(row)
    }
}

/// The number of a state or an action, as tables have it.
pub(crate) fn state(text: &[u8]) -> Option<usize> {
    index(text).or_else(|| index(whole(text)))
}

/// `3.0` and `3.` without their end, as tables of floats have indices.
fn whole(text: &[u8]) -> &[u8] {
    let Some(point) = text.iter().position(|byte| *byte == b'.').filter(|point| *point > 0) else { return text };
    if text[point + 1..].iter().all(|byte| *byte == b'0') { &text[..point] } else { text }
}

/// The number that decimal digits alone stand for: no sign, no point.
pub(crate) fn index(text: &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for byte in text {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        number = number.checked_mul(10)?.checked_add(digit.into())?;
    }
    if text.is_empty() { None } else { Some(number) }
}

/// The double nearest to a number as the standard library reads it, which may be infinite or no number.
fn number(text: &[u8]) -> Option<f64> {
    core::str::from_utf8(text).ok()?.parse().ok()
}

/// Whether a reward or a draw is in its range; false for NaN.
pub(crate) fn in_range(column: Column, value: f64) -> bool {
    value >= 0.0 && (value < 1.0 || (column == Column::R && value <= 1.0))
}

/// One row; the column that the setting does not have is 0.
pub type Row = Sample<f64>;

pub(crate) fn set_index(row: &mut Row, column: Column, value: usize) {
    match column {
        Column::X0 => row.x0 = value,
        Column::X => row.x = value,
        Column::A => row.a = value,
        Column::XNext => row.x_next = value,
        Column::R | Column::U => {}
    }
}

pub(crate) fn set_number(row: &mut Row, column: Column, value: f64) {
    match column {
        Column::R => row.r = value,
        Column::U => row.u = value,
        Column::X0 | Column::X | Column::A | Column::XNext => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_names_of_their_own() {
        let all = [Column::X0, Column::X, Column::A, Column::R, Column::XNext, Column::U];
        assert_eq!(all.map(Column::name), ["x0", "x", "a", "r", "x_next", "u"]);
    }

    #[test]
    fn indices_are_digits_that_fit() {
        assert_eq!((index(b"0"), index(b"007"), index(b"18446744073709551615")), (Some(0), Some(7), Some(usize::MAX)));
        assert_eq!([&b"3.0"[..], b"3.", b"3.00"].map(|text| index(whole(text))), [Some(3); 3]);
        assert!([&b"3.5"[..], b".0", b"3.0e1", b"3..0"].iter().all(|text| index(whole(text)).is_none()));
        assert!([&b""[..], b"-1", b"+1", b"1.0", b"18446744073709551616"].iter().all(|text| index(text).is_none()));
    }
}
