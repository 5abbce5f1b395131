//! Data files as CSV: a header, then one row per line.

use super::error::{InputError, did_you_mean, shown};
use super::rows::{Column, Row, RowSpec, Rows};
use crate::data::row::COLUMN_NAMES;
use csv::{ByteRecord, Reader, ReaderBuilder, Trim};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No row of six numbers is longer; without a limit, a file without line ends would be held in memory whole.
const LONGEST_ROW: usize = 1 << 16;

/// Refuses rows that never end: a missing line end, a quotation mark that is not closed.
struct Bounded<R> {
    source: R,
    since_row_end: usize,
    quoted: bool,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        for byte in &buffer[..count] {
            self.since_row_end += 1;
            match byte {
                b'"' => self.quoted = !self.quoted,
                b'\n' if !self.quoted => self.since_row_end = 0,
                _ => {}
            }
            if self.since_row_end > LONGEST_ROW {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a row above 65536 bytes, expected short ones"));
            }
        }
        Ok(count)
    }
}

/// A CSV file under way.
pub struct CsvRows<R> {
    file: PathBuf,
    spec: RowSpec,
    reader: Reader<Bounded<R>>,
    record: ByteRecord,
    width: usize,
    /// For every needed column, its place in a line.
    places: [(Column, usize); 5],
}

impl CsvRows<File> {
    /// Opens a file and reads its header.
    pub fn open(file: &Path, spec: RowSpec) -> Result<Self, InputError> {
        let source = File::open(file).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        Self::new(file, spec, source)
    }
}

impl<R: Read> CsvRows<R> {
    /// The same for any source of bytes; `file` is what complaints name.
    pub fn new(file: &Path, spec: RowSpec, source: R) -> Result<Self, InputError> {
        let source = Bounded { source, since_row_end: 0, quoted: false };
        let mut reader =
            ReaderBuilder::new().trim(Trim::All).flexible(true).buffer_capacity(1 << 16).from_reader(source);
        let header = reader.byte_headers().map_err(|e| cannot_parse(file, &e))?.clone();
        let places = find_columns(file, spec, &header)?;
        Ok(Self { file: file.to_owned(), spec, reader, record: ByteRecord::new(), width: header.len(), places })
    }

    fn wrong(&self, problem: impl std::fmt::Display) -> InputError {
        let line = self.record.position().map_or(0, csv::Position::line);
        InputError::at(&self.file, line, problem)
    }
}

impl<R: Read> Rows for CsvRows<R> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|e| cannot_parse(&self.file, &e))?;
        if !more {
            return Ok(None);
        }
        if self.record.len() != self.width {
            let (found, expected) = (self.record.len(), self.width);
            return Err(self.wrong(format_args!("found {found} fields, expected {expected} as in the header")));
        }
        let row = self.spec.read(&self.places, |place| self.record.get(place)).map_err(|(column, text)| {
            let found = shown(&String::from_utf8_lossy(text));
            let (name, expected) = (column.name(), self.spec.expected(column));
            self.wrong(format_args!("column `{name}`: found {found}, expected {expected}"))
        })?;
        Ok(Some(row))
    }
}

/// Where the needed columns are; an unknown, repeated or missing one is an error.
fn find_columns(file: &Path, spec: RowSpec, header: &ByteRecord) -> Result<[(Column, usize); 5], InputError> {
    let mut found = [None; 6];
    for (place, name) in header.iter().enumerate() {
        let name = String::from_utf8_lossy(name);
        let Some(column) = Column::named(&name) else {
            let (hint, known) = (did_you_mean(&name, &COLUMN_NAMES), COLUMN_NAMES.join(","));
            let problem = format!("unknown column {}, expected columns among {known}{hint}", shown(&name));
            return Err(InputError::at(file, 1, problem));
        };
        if found[column as usize].replace(place).is_some() {
            return Err(InputError::at(file, 1, format_args!("column `{name}` given twice, expected once")));
        }
    }
    let mut places = spec.setting.columns().map(|column| (column, 0));
    for (column, place) in &mut places {
        let Some(at) = found[*column as usize] else {
            let (name, setting) = (column.name(), spec.setting.name());
            return Err(InputError::at(
                file,
                1,
                format_args!("no column `{name}`, expected it in the {setting} setting"),
            ));
        };
        *place = at;
    }
    Ok(places)
}

fn cannot_parse(file: &Path, error: &csv::Error) -> InputError {
    match error.position() {
        Some(position) => InputError::at(file, position.line(), format_args!("cannot read: {error}")),
        None => InputError::file(file, format_args!("cannot read: {error}")),
    }
}
