//! Data files as CSV: a header, then one row per line.

use super::decimal::{decimal, digits};
use super::error::{InputError, shown};
use super::reading::{Layout, MARKS, Reading, Record, Records, layout_notes, truth};
use super::row::{Column, in_range, set_index, set_number};
use super::rows::{Row, RowSpec, Rows};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// No row of six numbers is longer; without a limit, a file without line ends would be held in memory whole.
const LONGEST_ROW: u64 = 1 << 16;

/// A CSV file under way; one line is held at a time.
#[derive(Debug)]
pub struct CsvRows<R> {
    file: PathBuf,
    spec: RowSpec,
    source: BufReader<R>,
    /// The line that was read last, counted from 1, and where its cells begin and end.
    number: u64,
    line: Vec<u8>,
    cells: Vec<(usize, usize)>,
    names: Vec<String>,
    width: usize,
    reading: Reading,
    layout: Layout,
    /// What the cells of a line are, in their order; empty where one is two columns.
    order: Vec<Option<Column>>,
    /// The `episode` of the row that was read last.
    episode: Vec<u8>,
}

impl CsvRows<File> {
    /// Opens a file and reads its header.
    pub fn open(file: &Path, spec: RowSpec) -> Result<Self, InputError> {
        let source = File::open(file).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        Self::new(file, spec, source)
    }
}

impl<R: Read> CsvRows<R> {
    /// The same for any source of bytes; `file` is what complaints name. Every column of the setting must be there.
    pub fn new(file: &Path, spec: RowSpec, source: R) -> Result<Self, InputError> {
        let rows = Self::with_reading(file, spec, source, &Reading::default(), false)?;
        match spec.setting.columns().into_iter().find(|column| !rows.layout.has(*column)) {
            None => Ok(rows),
            Some(column) => {
                let (name, setting) = (column.name(), spec.setting.name());
                Err(rows.wrong(format_args!("no column `{name}`, expected it in the {setting} setting")))
            }
        }
    }

    /// The same for a file that may name its columns otherwise; where `marks` are wanted, it may lack some.
    pub(super) fn with_reading(
        file: &Path,
        spec: RowSpec,
        source: R,
        reading: &Reading,
        marks: bool,
    ) -> Result<Self, InputError> {
        let mut rows = Self {
            file: file.to_owned(),
            spec,
            source: BufReader::with_capacity(1 << 16, source),
            number: 0,
            line: Vec::new(),
            cells: Vec::new(),
            names: Vec::new(),
            width: 0,
            reading: reading.clone(),
            layout: Layout::default(),
            order: Vec::new(),
            episode: Vec::new(),
        };
        if !rows.next_line()? {
            return Err(InputError::file(file, "found nothing, expected a header and rows"));
        }
        rows.width = rows.cells.len();
        if let Some(other) = rows.other_separator() {
            return Err(rows.wrong(format_args!("found cells separated by {other}, expected commas")));
        }
        rows.names =
            (0..rows.width).map(|place| String::from_utf8_lossy(rows.cell(place).unwrap_or_default()).into()).collect();
        rows.layout = Layout::find(&rows.names, spec, reading, marks).map_err(|problem| rows.wrong(problem))?;
        rows.order = order(&rows.layout, rows.width);
        if marks {
            rows.layout.missing(spec, reading).map_err(|problem| rows.wrong(problem))?;
        }
        Ok(rows)
    }

    /// Reads the next line that is not blank and finds its cells; false at the end.
    fn next_line(&mut self) -> Result<bool, InputError> {
        loop {
            self.number += 1;
            self.line.clear();
            let read = (&mut self.source).take(LONGEST_ROW).read_until(b'\n', &mut self.line);
            let read = read.map_err(|e| self.wrong(format_args!("cannot read: {e}")))?;
            if read as u64 == LONGEST_ROW {
                return Err(self.wrong("found a row above 65536 bytes, expected short ones"));
            }
            if read == 0 {
                return Ok(false);
            }
            if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
                self.line.drain(..3);
            }
            if !self.line.trim_ascii().is_empty() {
                return if split(&self.line, &mut self.cells) {
                    Ok(true)
                } else {
                    Err(self.wrong("found a quotation mark that is not closed, expected a row on one line"))
                };
            }
        }
    }

    /// What stands between the cells of a header that has no comma.
    fn other_separator(&self) -> Option<&'static str> {
        let known = [(b';', "semicolons"), (b'\t', "tabs"), (b'|', "bars"), (b' ', "spaces")];
        let is_here = |(byte, _): &&(u8, &str)| self.width == 1 && self.line.trim_ascii().contains(byte);
        known.iter().find(is_here).map(|(_, name)| *name)
    }

    /// What the file calls its columns.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads and checks the next row, for [`Self::cell`]; false at the end.
    pub(super) fn next_cells(&mut self) -> Result<bool, InputError> {
        Ok(self.next_record()?.is_some())
    }

    pub(super) fn cell(&self, place: usize) -> Option<&[u8]> {
        self.cells.get(place).map(|(start, end)| &self.line[*start..*end])
    }

    pub(super) fn wrong(&self, problem: impl std::fmt::Display) -> InputError {
        InputError::at(&self.file, self.number, problem)
    }

    /// The next row, where its line is plain (no blanks, no quotation marks, no exponents) and in the buffer whole; else nothing, and
    /// [`Self::read_row`] says what the line is.
    #[inline]
    fn plain_row(&mut self) -> Option<Row> {
        let (buffer, mut row, mut at) = (self.source.buffer(), Row::default(), 0);
        for (place, column) in self.order.iter().enumerate() {
            if place > 0 {
                buffer.get(at).filter(|byte| **byte == b',')?;
                at += 1;
            }
            let rest = &buffer[at..];
            at += match column {
                Some(column) => self.plain_cell(*column, rest, &mut row)?,
                None => rest.iter().position(|byte| matches!(byte, b',' | b'"' | ..=b' '))?,
            };
        }
        let length = match &buffer[at..] {
            [b'\n', ..] => at + 1,
            [b'\r', b'\n', ..] => at + 2,
            _ => return None,
        };
        if self.order.is_empty() || length as u64 == LONGEST_ROW {
            return None;
        }
        self.source.consume(length);
        self.number += 1;
        Some(row)
    }

    /// Reads the cell that `text` begins with; its length. Nothing unless it is plain and in range.
    #[inline]
    fn plain_cell(&self, column: Column, text: &[u8], row: &mut Row) -> Option<usize> {
        if let Some(below) = self.spec.below(column) {
            let (index, mut length) = digits(text, 0)?;
            if length > 0 && text.get(length) == Some(&b'.') {
                length += 1 + text[length + 1..].iter().take_while(|byte| **byte == b'0').count();
            }
            let index = usize::try_from(index).ok().filter(|index| length > 0 && *index < below)?;
            set_index(row, column, index);
            return Some(length);
        }
        let (mut number, length) = decimal(text)?;
        if let Some((low, high)) = self.reading.reward_range.filter(|_| column == Column::R) {
            number = (number - low) / (high - low);
        }
        set_number(row, column, number);
        in_range(column, number).then_some(length)
    }

    fn read_row(&mut self) -> Result<Option<Row>, InputError> {
        if !self.next_line()? {
            return Ok(None);
        }
        if self.cells.len() != self.width {
            let (found, expected) = (self.cells.len(), self.width);
            return Err(self.wrong(format_args!("found {found} fields, expected {expected} as in the header")));
        }
        let (low, high) = self.reading.reward_range.unwrap_or((0.0, 1.0));
        let scale = |reward: f64| (reward - low) / (high - low);
        let row = self.spec.read(&self.layout.columns, scale, |place| self.cell(place));
        let row = row.map_err(|(column, text)| {
            let found = shown(&String::from_utf8_lossy(text));
            let (name, expected) = (self.reading.name(column.name()), self.spec.expected(column, Some(&self.reading)));
            self.wrong(format_args!("column `{name}`: found {found}, expected {expected}"))
        })?;
        Ok(Some(row))
    }

    fn mark(&self, index: usize) -> Result<bool, InputError> {
        let Some(place) = self.layout.marks[index] else { return Ok(false) };
        let cell = self.cell(place).unwrap_or_default();
        truth(cell).ok_or_else(|| {
            let (name, found) = (self.reading.name(MARKS[index]), shown(&String::from_utf8_lossy(cell)));
            self.wrong(format_args!("column `{name}`: found {found}, expected 0 or 1, true or false"))
        })
    }
}

impl<R: Read> Rows for CsvRows<R> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        match self.plain_row() {
            Some(row) => Ok(Some(row)),
            None => self.read_row(),
        }
    }

    /// Row by row, without handing each up.
    fn fill(&mut self, block: &mut Vec<Row>, limit: usize) -> Result<(), InputError> {
        block.clear();
        while block.len() < limit {
            match self.plain_row() {
                Some(row) => block.push(row),
                None => match self.read_row()? {
                    Some(row) => block.push(row),
                    None => break,
                },
            }
        }
        Ok(())
    }

    /// Lines, whatever is in them.
    fn unused(&mut self) -> Result<u64, InputError> {
        let mut count = 0;
        while self.next_line()? {
            count += 1;
        }
        Ok(count)
    }

    fn notes(&self) -> Vec<String> {
        layout_notes(&self.layout)
    }
}

impl<R: Read> Records for CsvRows<R> {
    fn next_record(&mut self) -> Result<Option<Record>, InputError> {
        let Some(row) = self.read_row()? else { return Ok(None) };
        let (terminal, timeout) = (self.mark(0)?, self.mark(1)?);
        let episode = self.layout.marks[2].and_then(|place| self.cell(place)).unwrap_or_default().to_vec();
        let another = episode != self.episode;
        self.episode = episode;
        Ok(Some(Record { row, terminal, timeout, another }))
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn finish_records(&mut self) -> Result<(), InputError> {
        Ok(())
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Rows::unused(self)
    }
}

/// By place: which column it is. Nothing where a place is two.
fn order(layout: &Layout, width: usize) -> Vec<Option<Column>> {
    let mut order = vec![None; width];
    for (column, place) in &layout.columns {
        if order[*place].replace(*column).is_some() {
            return Vec::new();
        }
    }
    order
}

/// Where the cells of a line begin and end, without the blanks and the quotation marks around them. False where a quotation mark
/// is not closed: a number has no line ends in it, so a row is a line.
fn split(line: &[u8], cells: &mut Vec<(usize, usize)>) -> bool {
    cells.clear();
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                cells.push(bare(line, start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(bare(line, start, line.len()));
    !quoted
}

fn bare(line: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && line[start].is_ascii_whitespace() {
        start += 1;
    }
    while start < end && line[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    if end - start >= 2 && line[start] == b'"' && line[end - 1] == b'"' { (start + 1, end - 1) } else { (start, end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Option<Vec<&str>> {
        let mut cells = Vec::new();
        split(line.as_bytes(), &mut cells).then(|| cells.iter().map(|(start, end)| &line[*start..*end]).collect())
    }

    /// What a file's rows are, and how it ends.
    fn rows(text: &str) -> (Vec<Row>, Option<String>) {
        let spec = RowSpec { setting: crate::data::Setting::Discounted, states: 30, actions: 4 };
        let mut file = CsvRows::new(Path::new("f"), spec, text.as_bytes()).unwrap();
        let mut rows = Vec::new();
        loop {
            match file.next_row() {
                Ok(Some(row)) => rows.push(row),
                Ok(None) => return (rows, None),
                Err(problem) => return (rows, Some(problem.to_string())),
            }
        }
    }

    /// Plain lines are read where they lie, others are copied and trimmed first; both are the same rows, and the same complaints.
    #[test]
    fn plain_lines_are_read_as_others() {
        let good = "x,a,r,x_next,x0\n1,2,0.5,3,4\n29,0,1,0,07\n\n3.0,3,1e-3,2.,1\n0,0,0,0,0";
        let (found, end) = rows(good);
        assert_eq!((found.len(), found[1].x0, found[2].x, end), (4, 7, 3, None));
        for line in [
            "30,0,0,0,0",
            "0,4,0,0,0",
            "0,0,1.5,0,0",
            "0,0,nan,0,0",
            "0,0,0,0",
            "0,0,0,0,0,0",
            "-1,0,0,0,0",
            "0,0,,0,0",
            "0,0x,0,0,0",
            "0,0,0.5.5,0,0",
        ] {
            let text = format!("{good}\n{line}\n0,0,0,0,0\n");
            let expected = rows(&text.replace(',', " , "));
            assert!(expected.0.len() == 4 && expected.1.is_some(), "{line}");
            assert_eq!(rows(&text), expected);
            assert_eq!(rows(&text.replace('\n', "\r\n")), expected);
        }
    }

    /// Rewards between −1 and 3 become numbers between 0 and 1, on plain lines and on others.
    #[test]
    fn rewards_are_scaled() {
        let spec = RowSpec { setting: crate::data::Setting::Discounted, states: 30, actions: 4 };
        let reading = Reading { reward_range: Some((-1.0, 3.0)), ..Reading::default() };
        let text = "x,a,r,x_next,x0\n1,2,2,3,4\n1,2,-0.5,3,4\n1,2,-1,3,4\n1, 2, 2.5 ,3,4\n";
        let mut file = CsvRows::with_reading(Path::new("f"), spec, text.as_bytes(), &reading, false).unwrap();
        let rewards: Vec<f64> = std::iter::from_fn(|| file.next_row().unwrap()).map(|row| row.r).collect();
        assert_eq!(rewards, [0.75, 0.125, 0.0, 0.875]);
    }

    /// A column that nobody reads may hold what it likes, after its comma.
    #[test]
    fn cells_end_at_commas() {
        let head = "note,x,a,r,x_next,more,x0\n";
        let (found, end) = rows(&format!("{head}n-1,1,2,0.8474337369372327,3,é,4\n,1,2,0.8474337369372328,3,,4\n"));
        assert_eq!(
            (found.len(), found[0].r, found[1].r, end),
            (2, 0.847_433_736_937_232_7, 0.847_433_736_937_232_8, None)
        );
        for line in ["n,1,2,0.5,3m,4", "n,1,2,0.5,3,m4", "n1,2,0.5,3,m,4"] {
            assert!(rows(&format!("{head}{line}\n")).1.is_some(), "{line}");
        }
    }

    #[test]
    fn cells_are_found() {
        assert_eq!(cells("1,2\r\n"), Some(vec!["1", "2"]));
        assert_eq!(cells(" 1 ,\"2\", \"a,b\" ,"), Some(vec!["1", "2", "a,b", ""]));
        assert_eq!(cells("\""), None);
        assert_eq!(cells("1,\"2\n"), None);
    }
}
