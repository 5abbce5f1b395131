//! Data files as NPZ: a zip archive with one NPY array per column.

use super::error::{InputError, did_you_mean, shown};
use super::npy::{Element, ElementType, read_header, write_header};
use super::output::OutputFile;
use super::rows::{Column, Row, RowSpec, Rows, Setting};
use crate::data::row::{COLUMN_NAMES, in_range, set_index, set_number};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Bytes per write to an archive.
const BLOCK: usize = 1 << 16;

/// Opens the archive once per needed array, so that the arrays can be read side by side.
pub(super) fn with_rows<R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let open = || {
        let source = File::open(file).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        Ok::<_, InputError>(BufReader::new(source))
    };
    let sources = [open()?, open()?, open()?, open()?, open()?];
    with_archive(file, spec, sources, consume)
}

/// Hands the rows of an archive to `consume`, through five readers of it.
pub fn with_archive<S: Read + Seek, R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    sources: [S; 5],
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let mut archives = Vec::with_capacity(sources.len());
    for source in sources {
        let archive = ZipArchive::new(source).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        archives.push(archive);
    }
    if archives[0].metadata().has_duplicate_names() {
        return Err(InputError::file(file, "found two arrays of one name, expected one").into());
    }
    for entry in archives[0].file_names() {
        let entry = entry.map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        check_name(file, &entry)?;
    }
    let mut arrays = Vec::with_capacity(archives.len());
    for (archive, column) in archives.iter_mut().zip(spec.setting.columns()) {
        arrays.push(open_array(file, spec, archive, column)?);
    }
    let length = arrays[0].length;
    for array in &arrays[1..] {
        if array.length != length {
            let (found, first) = (array.length, arrays[0].column.name());
            let problem = format!("found {found} elements, expected {length} as in `{first}`");
            return Err(InputError::at(file, format_args!(" {}", array.column.name()), problem).into());
        }
    }
    consume(&mut NpzRows { file, spec, arrays, next: 0, length })
}

fn check_name(file: &Path, entry: &str) -> Result<(), InputError> {
    let name = entry.strip_suffix(".npy").unwrap_or(entry);
    if Column::named(name).is_some() {
        return Ok(());
    }
    let (hint, known) = (did_you_mean(name, &COLUMN_NAMES), COLUMN_NAMES.join(","));
    Err(InputError::file(file, format_args!("unknown array {}, expected arrays among {known}{hint}", shown(name))))
}

struct Array<'a> {
    column: Column,
    element: ElementType,
    length: u64,
    bytes: Box<dyn Read + 'a>,
}

fn open_array<'a, S: Read + Seek>(
    file: &Path,
    spec: RowSpec,
    archive: &'a mut ZipArchive<S>,
    column: Column,
) -> Result<Array<'a>, InputError> {
    let (name, setting) = (column.name(), spec.setting.name());
    let Some(index) = archive.index_for_name(&format!("{name}.npy")) else {
        return Err(InputError::file(file, format_args!("no array `{name}`, expected it in the {setting} setting")));
    };
    let wrong = |problem: String| InputError::at(file, format_args!(" {name}"), problem);
    let entry = archive.by_index(index).map_err(|e| wrong(format!("cannot read: {e}")))?;
    let mut bytes = BufReader::new(entry);
    let header = read_header(&mut bytes).map_err(wrong)?;
    let element = header.element;
    if element.is_text() {
        return Err(wrong("found text, expected numbers".to_owned()));
    }
    if spec.below(column).is_some() && !element.is_integer() {
        return Err(wrong("found floats, expected integers".to_owned()));
    }
    Ok(Array { column, element, length: header.length().map_err(wrong)?, bytes: Box::new(bytes) })
}

struct NpzRows<'a> {
    file: &'a Path,
    spec: RowSpec,
    arrays: Vec<Array<'a>>,
    next: u64,
    length: u64,
}

impl Rows for NpzRows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        if self.next == self.length {
            return self.finish().map(|()| None);
        }
        let mut row = Row::default();
        for array in &mut self.arrays {
            let column = array.column;
            let wrong =
                |problem: String| InputError::at(self.file, format_args!(" {}[{}]", column.name(), self.next), problem);
            let element = array.element.read(&mut array.bytes);
            let element = element.map_err(|e| {
                wrong(format!("cannot read: {e}, expected {} elements as the header says", self.length))
            })?;
            if !store(&mut row, self.spec, column, element) {
                let found = match element {
                    Element::Integer(n) => n.to_string(),
                    Element::Float(x) => x.to_string(),
                };
                return Err(wrong(format!("found `{found}`, expected {}", self.spec.expected(column))));
            }
        }
        self.next += 1;
        Ok(Some(row))
    }

    /// Reads every array to its end, where its checksum is compared: an archive that a bit was flipped in is not believed.
    fn finish(&mut self) -> Result<(), InputError> {
        let mut waste = [0; 1 << 13];
        for array in &mut self.arrays {
            let wrong = |problem: String| InputError::at(self.file, format_args!(" {}", array.column.name()), problem);
            let size = array.element.size() as u64;
            let mut left = (self.length - self.next).saturating_mul(size);
            loop {
                let read = array.bytes.read(&mut waste).map_err(|e| wrong(format!("cannot read: {e}")))?;
                if read == 0 {
                    break;
                }
                left = left
                    .checked_sub(read as u64)
                    .ok_or_else(|| wrong(format!("found bytes after element {}, expected none", self.length)))?;
            }
            if left > 0 {
                return Err(wrong(format!("ends early, expected {} elements as the header says", self.length)));
            }
        }
        self.next = self.length;
        Ok(())
    }
}

/// False when the element is out of its column's range.
fn store(row: &mut Row, spec: RowSpec, column: Column, element: Element) -> bool {
    match (spec.below(column), element) {
        (Some(below), Element::Integer(n)) => match usize::try_from(n) {
            Ok(index) if index < below => set_index(row, column, index),
            _ => return false,
        },
        (Some(_), Element::Float(_)) => return false,
        (None, element) => {
            let number = match element {
                Element::Float(x) => x,
                Element::Integer(0) => 0.0,
                Element::Integer(1) => 1.0,
                Element::Integer(_) => return false,
            };
            if !in_range(column, number) {
                return false;
            }
            set_number(row, column, number);
        }
    }
    true
}

/// Writes `count` rows as an NPZ archive. Arrays lie one after another in a zip file, so `rows` is asked for the same rows once
/// per column, and none is held. The archive carries no date: the same rows are the same bytes.
pub fn write_npz<I: Iterator<Item = Row>>(
    setting: Setting,
    count: usize,
    rows: impl Fn() -> Result<I, InputError>,
    mut output: OutputFile,
) -> Result<OutputFile, InputError> {
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default()).large_file(true);
    let passes = [rows()?, rows()?, rows()?, rows()?, rows()?];
    let mut archive = ZipWriter::new(BufWriter::new(&mut output));
    let written = (|| {
        for (column, rows) in setting.columns().into_iter().zip(passes) {
            archive.start_file(format!("{}.npy", column.name()), options)?;
            let descr = if matches!(column, Column::R | Column::U) { "f8" } else { "i8" };
            write_header(&mut archive, descr, &[count as u64])?;
            let mut block = Vec::with_capacity(BLOCK);
            for row in rows.take(count) {
                block.extend(little_endian(column, &row));
                if block.len() >= BLOCK {
                    archive.write_all(&block)?;
                    block.clear();
                }
            }
            archive.write_all(&block)?;
        }
        archive.finish()?.flush()?;
        Ok(())
    })();
    match written {
        Ok(()) => Ok(output),
        Err(e) => {
            let e: zip::result::ZipError = e;
            Err(output.failed(&std::io::Error::other(e)))
        }
    }
}

fn little_endian(column: Column, row: &Row) -> [u8; 8] {
    let index = match column {
        Column::X0 => row.x0,
        Column::X => row.x,
        Column::A => row.a,
        Column::XNext => row.x_next,
        Column::R => return row.r.to_le_bytes(),
        Column::U => return row.u.to_le_bytes(),
    };
    (index as u64).to_le_bytes()
}
