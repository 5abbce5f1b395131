//! The data file as a stream of rows, whichever format it has.

use super::error::InputError;
use super::{csv_rows, npz_rows};
pub use crate::data::row::{Column, Row, RowSpec, Setting};
use std::path::Path;

impl RowSpec {
    /// What a cell of a column has to be, in words.
    pub(super) fn expected(&self, column: Column) -> String {
        match (column, self.below(column)) {
            (_, Some(below)) => format!("an integer from 0 to {}", below - 1),
            (Column::R, _) => "a number in [0, 1]".to_owned(),
            (_, _) => "a number in [0, 1)".to_owned(),
        }
    }
}

/// Rows as they come.
pub trait Rows {
    /// The next row, checked; `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, InputError>;

    /// Called when no more rows are wanted: what a format can only tell at its end (a checksum) is told here.
    fn finish(&mut self) -> Result<(), InputError> {
        Ok(())
    }

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
