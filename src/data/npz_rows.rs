//! Data files as NPZ: a zip archive with one NPY array per column.

use super::error::InputError;
use super::kind::cannot_read;
use super::npy::{Element, ElementType, read_header};
use super::npz::ArchiveWriter;
use super::output::OutputFile;
use super::reading::{Completed, Layout, MARKS, Reading, Record, Records, layout_notes};
use super::rows::{Column, Row, RowSpec, Rows, Setting};
use crate::data::row::{in_range, set_index, set_number};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;
use zip::ZipArchive;

/// Opens the archive once per needed array, so that the arrays can be read side by side.
pub(super) fn with_rows<R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    reading: &Reading,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let open = || Ok(BufReader::new(File::open(file).map_err(|e| cannot_read(file, &e))?));
    with_arrays(file, spec, reading, true, open, consume)
}

/// Hands the rows of an archive to `consume`, through five readers of it. Every column of the setting must be there.
pub fn with_archive<S: Read + Seek, R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    sources: [S; 5],
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let mut sources = sources.into_iter();
    let open = || sources.next().ok_or_else(|| InputError::file(file, "more than five arrays"));
    with_arrays(file, spec, &Reading::default(), false, open, consume)
}

fn with_arrays<S: Read + Seek, R, E: From<InputError>>(
    file: &Path,
    spec: RowSpec,
    reading: &Reading,
    marks: bool,
    mut open: impl FnMut() -> Result<S, InputError>,
    consume: impl FnOnce(&mut dyn Rows) -> Result<R, E>,
) -> Result<R, E> {
    let wrong = |problem: String| InputError::file(file, problem);
    let mut archive = || ZipArchive::new(open()?).map_err(|e| wrong(format!("cannot read: {e}")));
    let mut archives = vec![archive()?];
    if archives[0].metadata().has_duplicate_names() {
        return Err(wrong("found two arrays of one name, expected one".to_owned()).into());
    }
    let mut names = Vec::new();
    for entry in archives[0].file_names() {
        let entry = entry.map_err(|e| wrong(format!("cannot read: {e}")))?;
        names.push(entry.strip_suffix(".npy").unwrap_or(&entry).to_owned());
    }
    let layout =
        Layout::find(&names, spec, reading, marks).map_err(|problem| wrong(problem.replace("column", "array")))?;
    let complete = Reading { initial: None, ..Reading::default() };
    let asked = if marks { reading } else { &complete };
    layout.missing(spec, asked).map_err(|problem| wrong(problem.replace("no column", "no array")))?;
    if let Some(column) = spec.setting.columns().into_iter().find(|column| !marks && !layout.has(*column)) {
        return Err(
            wrong(format!("no array `{}`, expected it in the {} setting", column.name(), spec.setting.name())).into()
        );
    }
    let wanted: Vec<Wanted> = layout
        .columns
        .iter()
        .map(|(column, _)| Wanted::Column(*column))
        .chain((0..3).filter(|mark| layout.marks[*mark].is_some()).map(Wanted::Mark))
        .collect();
    for _ in 1..wanted.len() {
        archives.push(archive()?);
    }
    let mut arrays = Vec::with_capacity(wanted.len());
    for (archive, wanted) in archives.iter_mut().zip(wanted) {
        arrays.push(open_array(file, spec, reading, archive, wanted)?);
    }
    let length = arrays[0].length;
    for array in &arrays[1..] {
        if array.length != length {
            let (found, first) = (array.length, arrays[0].name);
            let problem = format!("found {found} elements, expected {length} as in `{first}`");
            return Err(InputError::at(file, format_args!(" {}", array.name), problem).into());
        }
    }
    let is_complete = layout.is_complete(reading);
    let mut rows = NpzRows { file, spec, reading, layout, arrays, next: 0, length, episode: None };
    if is_complete { consume(&mut rows) } else { consume(&mut Completed::new(&mut rows, reading, spec.setting)) }
}

/// What an array holds: a column of the setting, or a mark by its place among [`MARKS`].
#[derive(Clone, Copy)]
enum Wanted {
    Column(Column),
    Mark(usize),
}

struct Array<'a> {
    name: &'a str,
    wanted: Wanted,
    element: ElementType,
    length: u64,
    bytes: Box<dyn Read + 'a>,
}

fn open_array<'a, S: Read + Seek>(
    file: &Path,
    spec: RowSpec,
    reading: &'a Reading,
    archive: &'a mut ZipArchive<S>,
    wanted: Wanted,
) -> Result<Array<'a>, InputError> {
    let name = reading.name(match wanted {
        Wanted::Column(column) => column.name(),
        Wanted::Mark(mark) => MARKS[mark],
    });
    let Some(index) = archive.index_for_name(&format!("{name}.npy")) else {
        let setting = spec.setting.name();
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
    Ok(Array { name, wanted, element, length: header.length().map_err(wrong)?, bytes: Box::new(bytes) })
}

struct NpzRows<'a> {
    file: &'a Path,
    spec: RowSpec,
    reading: &'a Reading,
    layout: Layout,
    arrays: Vec<Array<'a>>,
    next: u64,
    length: u64,
    /// The `episode` of the row that was read last.
    episode: Option<Element>,
}

impl Records for NpzRows<'_> {
    fn next_record(&mut self) -> Result<Option<Record>, InputError> {
        if self.next == self.length {
            return Rows::finish(self).map(|()| None);
        }
        let mut record = Record::default();
        for array in &mut self.arrays {
            let wrong =
                |problem: String| InputError::at(self.file, format_args!(" {}[{}]", array.name, self.next), problem);
            let element = array.element.read(&mut array.bytes);
            let element = element.map_err(|e| {
                wrong(format!("cannot read: {e}, expected {} elements as the header says", self.length))
            })?;
            let expected = match array.wanted {
                Wanted::Column(column) if store(&mut record.row, self.spec, self.reading, column, element) => continue,
                Wanted::Column(column) => self.spec.expected(column, Some(self.reading)),
                Wanted::Mark(2) => {
                    record.another = self.episode.replace(element).is_some_and(|before| before != element);
                    continue;
                }
                Wanted::Mark(mark) => match element {
                    Element::Integer(0 | 1) | Element::Float(0.0 | 1.0) => {
                        let set = matches!(element, Element::Integer(1)) || element == Element::Float(1.0);
                        *(if mark == 0 { &mut record.terminal } else { &mut record.timeout }) = set;
                        continue;
                    }
                    _ => "0 or 1".to_owned(),
                },
            };
            let found = match element {
                Element::Integer(n) => n.to_string(),
                Element::Float(x) => x.to_string(),
            };
            return Err(wrong(format!("found `{found}`, expected {expected}")));
        }
        self.next += 1;
        Ok(Some(record))
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn finish_records(&mut self) -> Result<(), InputError> {
        Rows::finish(self)
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Ok(self.length - self.next)
    }
}

impl Rows for NpzRows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        Ok(self.next_record()?.map(|record| record.row))
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Records::unused(self)
    }

    fn notes(&self) -> Vec<String> {
        layout_notes(&self.layout)
    }

    /// Reads every array to its end, where its checksum is compared: an archive that a bit was flipped in is not believed.
    fn finish(&mut self) -> Result<(), InputError> {
        let mut waste = [0; 1 << 13];
        for array in &mut self.arrays {
            let wrong = |problem: String| InputError::at(self.file, format_args!(" {}", array.name), problem);
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
        Ok(())
    }
}

/// False when the element is out of its column's range.
fn store(row: &mut Row, spec: RowSpec, reading: &Reading, column: Column, element: Element) -> bool {
    match (spec.below(column), element) {
        (Some(below), Element::Integer(n)) => match usize::try_from(n) {
            Ok(index) if index < below => set_index(row, column, index),
            _ => return false,
        },
        // As a table of floats has indices.
        (Some(below), Element::Float(x)) if x.fract() == 0.0 && x >= 0.0 && x < below as f64 => {
            set_index(row, column, x as usize);
        }
        (Some(_), Element::Float(_)) => return false,
        (None, element) => {
            let number = match element {
                Element::Float(x) => x,
                Element::Integer(n) => n as f64,
            };
            let number = match reading.reward_range.filter(|_| column == Column::R) {
                Some((low, high)) => (number - low) / (high - low),
                None => number,
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
/// per column, and none is held.
pub fn write_npz<I: Iterator<Item = Row>>(
    setting: Setting,
    count: usize,
    rows: impl Fn() -> Result<I, InputError>,
    target: &Path,
) -> Result<OutputFile, InputError> {
    let (mut archive, shape) = (ArchiveWriter::create(target)?, [count as u64]);
    for column in setting.columns() {
        let (name, rows) = (column.name(), rows()?.take(count));
        match column {
            Column::X0 => archive.integers(name, &shape, rows.map(|row| row.x0)),
            Column::X => archive.integers(name, &shape, rows.map(|row| row.x)),
            Column::A => archive.integers(name, &shape, rows.map(|row| row.a)),
            Column::XNext => archive.integers(name, &shape, rows.map(|row| row.x_next)),
            Column::R => archive.doubles(name, &shape, rows.map(|row| row.r)),
            Column::U => archive.doubles(name, &shape, rows.map(|row| row.u)),
        }?;
    }
    archive.finish()
}
