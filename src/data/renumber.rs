//! A data file with new numbers for its states, and every other cell as it stands.

use super::csv_rows::CsvRows;
use super::error::InputError;
use super::npy::{Element, shown_shape};
use super::npz::{Archive, ArchiveWriter, Bytes};
use super::output::OutputFile;
use super::reading::{MARKS, Reading, truth};
use super::row::{Column, RowSpec};
use super::rows::{Opened, open, with_reading};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Where each state is now; none where it was cut.
#[derive(Debug)]
pub struct Renumbering<'a> {
    /// What the rows must be before.
    pub spec: RowSpec,
    /// How the file is read.
    pub reading: &'a Reading,
    /// By the old number.
    pub places: &'a [Option<usize>],
}

/// A column of a file that is held as a whole.
enum Values {
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<String>),
}

/// A column that holds states, actions, numbers or anything.
#[derive(Clone, Copy)]
enum Role {
    Of(Column),
    Mark(usize),
    Other,
}

type Named = (String, Values);

impl Renumbering<'_> {
    /// Writes the file anew, NPZ by its extension, else CSV, not yet under its name; with what there is to say about it. From CSV to CSV a row is
    /// held at a time, else every column.
    pub fn write(&self, data: &Path, out: &Path) -> Result<(OutputFile, Vec<String>), InputError> {
        let to_archive = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz"));
        let (columns, notes) = match open(data, self.spec, self.reading)? {
            Opened::Csv(mut rows) if !to_archive => return Ok((self.copy(&mut rows, out)?, Vec::new())),
            Opened::Csv(mut rows) => self.columns(&mut rows)?,
            Opened::Archive => self.arrays(data)?,
        };
        let file = if to_archive { write_archive(&columns, out)? } else { write_csv(&columns, out)? };
        Ok((file, notes))
    }

    fn role(&self, name: &str) -> Role {
        let columns = self.spec.setting.columns();
        let others = [Column::X0, Column::U].into_iter().filter(|column| !columns.contains(column));
        let mut all = columns.into_iter().chain(others);
        match all.find(|column| self.reading.name(column.name()) == name) {
            Some(column) => Role::Of(column),
            None => MARKS.iter().position(|key| self.reading.name(key) == name).map_or(Role::Other, Role::Mark),
        }
    }

    fn is_state(&self, name: &str) -> bool {
        matches!(self.role(name), Role::Of(Column::X0 | Column::X | Column::XNext))
    }

    /// The new number of a state, in the file's column of that name.
    fn place(&self, name: &str, state: Option<usize>) -> Result<usize, String> {
        let Some(x) = state.filter(|x| *x < self.places.len()) else {
            return Err(format!(
                "column `{name}`: found no state, expected an integer from 0 to {}",
                self.places.len() - 1
            ));
        };
        self.places[x].ok_or_else(|| format!("column `{name}`: state {x} was cut, expected rows from the model"))
    }

    fn copy(&self, rows: &mut CsvRows<Box<dyn Read>>, out: &Path) -> Result<OutputFile, InputError> {
        let mut file = OutputFile::create(out)?;
        let names = rows.names().to_vec();
        let states: Vec<bool> = names.iter().map(|name| self.is_state(name)).collect();
        let mut line = Vec::new();
        names.iter().enumerate().for_each(|(at, name)| push_cell(&mut line, at, name.as_bytes()));
        line.push(b'\n');
        loop {
            file.write_all(&line).map_err(|e| file.failed(&e))?;
            line.clear();
            if !rows.next_cells()? {
                return Ok(file);
            }
            for (at, is_state) in states.iter().enumerate() {
                let cell = rows.cell(at).unwrap_or_default();
                if *is_state {
                    let place =
                        self.place(&names[at], super::row::state(cell)).map_err(|problem| rows.wrong(problem))?;
                    push_cell(&mut line, at, place.to_string().as_bytes());
                } else {
                    push_cell(&mut line, at, cell);
                }
            }
            line.push(b'\n');
        }
    }

    /// All columns of a CSV file that have a name.
    fn columns(&self, rows: &mut CsvRows<Box<dyn Read>>) -> Result<(Vec<Named>, Vec<String>), InputError> {
        let names = rows.names().to_vec();
        let mut columns: Vec<Vec<String>> = vec![Vec::new(); names.len()];
        while rows.next_cells()? {
            for (at, column) in columns.iter_mut().enumerate() {
                let cell = rows.cell(at).unwrap_or_default();
                column.push(match self.role(&names[at]) {
                    Role::Of(Column::X0 | Column::X | Column::XNext) => {
                        let place = self.place(&names[at], super::row::state(cell));
                        place.map_err(|problem| rows.wrong(problem))?.to_string()
                    }
                    Role::Of(Column::A) => super::row::state(cell).unwrap_or_default().to_string(),
                    Role::Mark(0 | 1) => u8::from(truth(cell) == Some(true)).to_string(),
                    _ => String::from_utf8_lossy(cell).into_owned(),
                });
            }
        }
        let (mut found, mut notes) = (Vec::new(), Vec::new());
        for (name, column) in names.into_iter().zip(columns).filter(|(name, _)| !name.is_empty()) {
            let values = match (self.role(&name), values_of(column)) {
                // An archive's episodes are numbers.
                (Role::Mark(2), Values::Texts(texts)) => {
                    notes.push(format!("`{name}`: episodes are numbered, in their order"));
                    Values::Integers(numbered(&texts))
                }
                (_, values) => values,
            };
            found.push((name, values));
        }
        Ok((found, notes))
    }

    /// All arrays of one dimension of an archive.
    fn arrays(&self, data: &Path) -> Result<(Vec<Named>, Vec<String>), InputError> {
        with_reading(data, self.spec, self.reading, |rows| {
            while rows.next_row()?.is_some() {}
            rows.finish()
        })?;
        let file = File::open(data).map_err(|e| super::kind::cannot_read(data, &e))?;
        let mut archive = Archive::of_anything(data, &Bytes::File(file))?;
        let (mut found, mut notes) = (Vec::new(), Vec::new());
        for name in archive.names() {
            let Some(header) = archive.header(&name)? else { continue };
            if header.shape.len() != 1 {
                notes.push(format!("`{name}` is of shape {}, not copied", shown_shape(&header.shape)));
                continue;
            }
            let mut values = values(&mut archive, &name, header.element.is_text())?;
            if self.is_state(&name) {
                let numbers = values.indices();
                let moved = numbers.into_iter().enumerate().map(|(row, state)| {
                    let place =
                        self.place(&name, state).map_err(|problem| archive.wrong(&format!("{name}[{row}]"), problem));
                    place.map(|place| place as i64)
                });
                values = Values::Integers(moved.collect::<Result<_, _>>()?);
            }
            found.push((name, values));
        }
        let is_x = |name: &str| matches!(self.role(name), Role::Of(Column::X));
        let length = found.iter().find(|(name, _)| is_x(name)).map_or(0, |(_, values)| values.len());
        let (found, others) = found.into_iter().partition::<Vec<Named>, _>(|(_, values)| values.len() == length);
        notes.extend(others.iter().map(|(name, values)| format!("`{name}` is of length {}, not copied", values.len())));
        Ok((found, notes))
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Floats(values) => values.len(),
            Self::Texts(values) => values.len(),
        }
    }

    /// As indices, where they are such.
    fn indices(&self) -> Vec<Option<usize>> {
        match self {
            Self::Integers(values) => values.iter().map(|n| usize::try_from(*n).ok()).collect(),
            Self::Floats(values) => {
                values.iter().map(|x| (x.fract() == 0.0 && *x >= 0.0 && *x < 1e15).then_some(*x as usize)).collect()
            }
            Self::Texts(values) => values.iter().map(|text| super::row::state(text.as_bytes())).collect(),
        }
    }

    fn cell(&self, at: usize) -> String {
        match self {
            Self::Integers(values) => values[at].to_string(),
            Self::Floats(values) => values[at].to_string(),
            Self::Texts(values) => values[at].clone(),
        }
    }
}

/// Integers where each is written as one, else numbers, else texts.
fn values_of(texts: Vec<String>) -> Values {
    let integer = |text: &String| text.parse::<i64>().ok().filter(|n| n.to_string() == *text);
    if let Some(integers) = texts.iter().map(integer).collect() {
        return Values::Integers(integers);
    }
    match texts.iter().map(|text| text.parse().ok()).collect() {
        Some(floats) => Values::Floats(floats),
        None => Values::Texts(texts),
    }
}

/// How many times the text has changed before.
fn numbered(texts: &[String]) -> Vec<i64> {
    let mut number = 0;
    let mut numbers: Vec<i64> = texts
        .windows(2)
        .map(|two| {
            let this = number;
            number += i64::from(two[0] != two[1]);
            this
        })
        .collect();
    numbers.extend((!texts.is_empty()).then_some(number));
    numbers
}

fn values(archive: &mut Archive<'_>, name: &str, is_text: bool) -> Result<Values, InputError> {
    if is_text {
        return Ok(Values::Texts(archive.texts(name)?));
    }
    let elements = archive.elements(name)?;
    let integer = |element: &Element| match element {
        Element::Integer(n) => i64::try_from(*n).ok(),
        Element::Float(_) => None,
    };
    if let Some(integers) = elements.iter().map(integer).collect() {
        return Ok(Values::Integers(integers));
    }
    let float = |element: Element| match element {
        Element::Integer(n) => n as f64,
        Element::Float(x) => x,
    };
    Ok(Values::Floats(elements.into_iter().map(float).collect()))
}

fn push_cell(line: &mut Vec<u8>, at: usize, cell: &[u8]) {
    line.extend((at > 0).then_some(b','));
    // What would not read back as one cell, or not as it is.
    if cell.contains(&b',') || cell.trim_ascii() != cell {
        line.push(b'"');
        line.extend(cell);
        line.push(b'"');
    } else {
        line.extend(cell);
    }
}

fn write_csv(columns: &[Named], out: &Path) -> Result<OutputFile, InputError> {
    let mut file = OutputFile::create(out)?;
    let mut line = Vec::new();
    columns.iter().enumerate().for_each(|(at, (name, _))| push_cell(&mut line, at, name.as_bytes()));
    for row in 0..columns.first().map_or(0, |(_, values)| values.len()) {
        line.push(b'\n');
        file.write_all(&line).map_err(|e| file.failed(&e))?;
        line.clear();
        columns.iter().enumerate().for_each(|(at, (_, values))| push_cell(&mut line, at, values.cell(row).as_bytes()));
    }
    line.push(b'\n');
    file.write_all(&line).map_err(|e: io::Error| file.failed(&e))?;
    Ok(file)
}

fn write_archive(columns: &[Named], out: &Path) -> Result<OutputFile, InputError> {
    let mut archive = ArchiveWriter::create(out)?;
    for (name, values) in columns {
        let shape = [values.len() as u64];
        match values {
            Values::Integers(values) => archive.signed(name, &shape, values.iter().copied())?,
            Values::Floats(values) => archive.doubles(name, &shape, values.iter().copied())?,
            Values::Texts(values) => archive.texts(name, &shape, values)?,
        }
    }
    archive.finish()
}
