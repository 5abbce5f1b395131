//! The data file as a stream of rows, whichever format it has.

use super::csv_rows::CsvRows;
use super::error::InputError;
use super::kind::{Kind, cannot_read, kind_of};
use super::npz_rows;
use super::reading::{Completed, Reading, Records};
pub use crate::data::row::{Column, Row, RowSpec, Setting};
use std::fs::File;
use std::io::Read;
use std::path::Path;

impl RowSpec {
    /// What a cell of a column has to be, in words.
    pub(super) fn expected(&self, column: Column, reading: Option<&Reading>) -> String {
        match (column, self.below(column), reading.map(|reading| reading.reward_range)) {
            (_, Some(below), _) => format!("an integer from 0 to {}", below.saturating_sub(1)),
            (Column::R, _, Some(Some((low, high)))) => format!("a number in [{low}, {high}] as --reward-range says"),
            (Column::R, _, None) => "a number in [0, 1]".to_owned(),
            (Column::R, _, Some(None)) => "a number in [0, 1]; --reward-range LO HI maps others".to_owned(),
            (_, _, _) => "a number in [0, 1)".to_owned(),
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

    /// How many rows are left, for a note; they are not checked.
    fn unused(&mut self) -> Result<u64, InputError> {
        Ok(0)
    }

    /// What was taken otherwise than it stands, once the rows have been read.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether a seed has drawn anything of them.
    fn drawn(&self) -> bool {
        false
    }

    /// Replaces the contents of `block` by up to `limit` rows; fewer only at the end, or, with an error, those before what is wrong.
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

/// Opens a data file with every column of its setting and hands its rows to `consume`.
pub fn with_rows<R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    with_reading(file, spec, &Reading::default(), consume)
}

/// Opens a data file (NPZ by its extension or contents, else CSV, plain or compressed by gzip; `-` is standard input) and hands its
/// rows to `consume`.
///
/// Memory does not grow with the file: CSV is read line by line, every array of an archive through its own buffer.
pub fn with_reading<R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    reading: &Reading,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let mut rows = match open(file, spec, reading)? {
        Opened::Csv(rows) => rows,
        Opened::Archive => return npz_rows::with_rows(file, spec, reading, consume),
    };
    if rows.layout().is_complete(reading) {
        consume(&mut *rows)
    } else {
        consume(&mut Completed::new(&mut *rows, reading, spec.setting))
    }
}

/// A data file, opened.
pub(super) enum Opened {
    Csv(Box<CsvRows<Box<dyn Read>>>),
    /// To be opened once per array.
    Archive,
}

/// Opens a data file.
pub(super) fn open(file: &Path, spec: RowSpec, reading: &Reading) -> Result<Opened, InputError> {
    reading.check(spec)?;
    // An archive is read from its end and back, which a pipe cannot be.
    let is_pipe = std::fs::metadata(file).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if !is_pipe && file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
        return Ok(Opened::Archive);
    }
    let standard = file == Path::new("-");
    let name = if standard { Path::new("standard input") } else { file };
    let mut source: Box<dyn Read> = if standard {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(file).map_err(|e| cannot_read(file, &e))?)
    };
    let (kind, start) = kind_of(name, &mut source)?;
    let whole = std::io::Cursor::new(start).chain(source);
    let source: Box<dyn Read> = match kind {
        Kind::Zip if !standard && !is_pipe => return Ok(Opened::Archive),
        Kind::Gzip => Box::new(flate2::read::MultiGzDecoder::new(whole)),
        Kind::Text => Box::new(whole),
        Kind::Zip | Kind::Other(..) => {
            let (found, advice) = kind.unread().unwrap_or_default();
            let expected = if standard || is_pipe { "CSV" } else { "CSV or NPZ" };
            return Err(InputError::file(name, format_args!("found {found}, expected {expected}: {advice}")));
        }
    };
    Ok(Opened::Csv(Box::new(CsvRows::with_reading(name, spec, source, reading, true)?)))
}
