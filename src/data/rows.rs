//! The data file as a stream of rows, whichever format it has.

use super::error::InputError;
use super::{csv_rows, npz_rows};
use crate::samples::Sample;
use std::path::Path;

/// Which of the two settings a data file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Algorithm 1: rows carry `x0`.
    Discounted,
    /// Algorithm 2: rows carry `u`.
    Average,
}

impl Setting {
    /// The name on the command line and in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Discounted => "discounted",
            Self::Average => "average",
        }
    }

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

    /// The column of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::X0, Self::X, Self::A, Self::R, Self::XNext, Self::U].into_iter().find(|c| c.name() == name)
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
    pub(super) fn below(&self, column: Column) -> Option<usize> {
        match column {
            Column::X0 | Column::X | Column::XNext => Some(self.states),
            Column::A => Some(self.actions),
            Column::R | Column::U => None,
        }
    }

    /// What a cell of a column has to be, in words.
    pub(super) fn expected(&self, column: Column) -> String {
        match (column, self.below(column)) {
            (_, Some(below)) => format!("an integer from 0 to {}", below - 1),
            (Column::R, _) => "a number in [0, 1]".to_owned(),
            (_, _) => "a number in [0, 1)".to_owned(),
        }
    }
}

/// Whether a reward or a draw is in its range; false for NaN.
pub(super) fn in_range(column: Column, value: f64) -> bool {
    value >= 0.0 && (value < 1.0 || (column == Column::R && value <= 1.0))
}

/// One row; the column that the setting does not have is 0.
pub type Row = Sample<f64>;

pub(super) fn set_index(row: &mut Row, column: Column, value: usize) {
    match column {
        Column::X0 => row.x0 = value,
        Column::X => row.x = value,
        Column::A => row.a = value,
        Column::XNext => row.x_next = value,
        Column::R | Column::U => {}
    }
}

pub(super) fn set_number(row: &mut Row, column: Column, value: f64) {
    match column {
        Column::R => row.r = value,
        Column::U => row.u = value,
        Column::X0 | Column::X | Column::A | Column::XNext => {}
    }
}

/// Rows as they come.
pub trait Rows {
    /// The next row, checked; `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, InputError>;

    /// Replaces the contents of `block` by up to `limit` rows; fewer only at the end.
    fn fill(&mut self, block: &mut Vec<Row>, limit: usize) -> Result<(), InputError> {
        block.clear();
        while block.len() < limit {
            match self.next_row()? {
                Some(row) => block.push(row),
                None => break,
            }
        }
        Ok(())
    }
}

/// Opens a data file (NPZ by its extension, else CSV) and hands its rows to `consume`.
///
/// Memory does not grow with the file: CSV is read line by line, every array of an archive through its own buffer.
pub fn with_rows<R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
        npz_rows::with_rows(file, spec, consume)
    } else {
        consume(&mut csv_rows::CsvRows::open(file, spec)?)
    }
}
