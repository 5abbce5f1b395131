//! How a data file is to be read, and what is filled in where it lacks a column.

use super::error::{InputError, counted, did_you_mean};
use super::row::{COLUMN_NAMES, Column, Row, Setting};
use super::rows::{RowSpec, Rows};
use crate::sampler::Uniforms;

/// Columns beside those of a row: where an episode ends, and how.
pub const MARKS: [&str; 3] = ["terminal", "timeout", "episode"];

/// What the caller says about a data file.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// `--column x=state`: the names that the file has for columns and marks.
    pub columns: Vec<(String, String)>,
    /// `--reward-range LO HI`: what 0 and 1 are in the file.
    pub reward_range: Option<(f64, f64)>,
    /// `--absorbing X`: where a terminal row leads.
    pub absorbing: Option<usize>,
    /// ν₀, to draw x0 from where the file has none.
    pub initial: Option<Vec<f64>>,
    /// Seeds what is drawn.
    pub seed: u64,
}

impl Reading {
    /// The file's name for a column or mark.
    #[must_use]
    pub fn name<'a>(&'a self, key: &'a str) -> &'a str {
        self.columns.iter().find(|(known, _)| known == key).map_or(key, |(_, name)| name)
    }

    /// Nonsense in what the caller says.
    pub fn check(&self, spec: RowSpec) -> Result<(), InputError> {
        if let Some((low, high)) = self.reward_range.filter(|(low, high)| low >= high) {
            return Err(InputError::call("--reward-range", format_args!("found {low} {high}, expected LO < HI")));
        }
        for (at, (key, name)) in self.columns.iter().enumerate() {
            if let Some((_, first)) = self.columns[..at].iter().find(|(other, _)| other == key) {
                let problem = format_args!("found {key}={first} and {key}={name}, expected one name for a column");
                return Err(InputError::call("--column", problem));
            }
        }
        match self.absorbing {
            Some(x) if x >= spec.states => Err(InputError::call(
                "--absorbing",
                format_args!("found {x}, expected a state from 0 to {}", spec.states.saturating_sub(1)),
            )),
            _ => Ok(()),
        }
    }

    /// Whether any rows can be completed that a complete file would not need.
    fn x0(&self, marked: bool) -> Option<Start> {
        match &self.initial {
            Some(initial) => Some(Start::Drawn(cumulative(initial), Box::new(Uniforms::new(self.seed ^ (1 << 62))))),
            None => marked.then_some(Start::OfEpisode(0)),
        }
    }
}

fn cumulative(probabilities: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, p: &f64| {
        *sum += p;
        Some(*sum)
    };
    probabilities.iter().scan(0.0, add).collect()
}

/// What a file has: which columns of the setting and which marks, where in a record they are, and what else.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    pub columns: Vec<(Column, usize)>,
    pub marks: [Option<usize>; 3],
    pub unread: Vec<String>,
    /// Of what is read twice: the file's name, and what for.
    pub shared: Vec<(String, String)>,
}

impl Layout {
    /// Finds the columns among the file's names. pandas' index column, which has no name, is passed over.
    pub fn find(names: &[String], spec: RowSpec, reading: &Reading, marks: bool) -> Result<Self, String> {
        let place = |key: &str| {
            let wanted = reading.name(key);
            let mut places = (0..names.len()).filter(|place| names[*place] == wanted);
            match (places.next(), places.next()) {
                (_, Some(_)) => Err(format!("column `{wanted}` given twice, expected once")),
                (found, None) => Ok(found),
            }
        };
        let mut layout = Self::default();
        for column in spec.setting.columns() {
            layout.columns.extend(place(column.name())?.map(|place| (column, place)));
        }
        if marks {
            for (mark, key) in layout.marks.iter_mut().zip(MARKS) {
                *mark = place(key)?;
            }
        }
        if let Some((key, name)) = reading.columns.iter().find(|(_, name)| !names.contains(name)) {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(format!(
                "no column `{name}`, expected it as --column {key}={name} says{}",
                did_you_mean(name, &known)
            ));
        }
        let read = |name: &String| {
            let other = COLUMN_NAMES.into_iter().chain(MARKS).any(|key| reading.name(key) == name);
            other || name.is_empty() || name.starts_with("Unnamed: ")
        };
        layout.unread = names.iter().filter(|name| !read(name)).cloned().collect();
        layout.find_shared(names);
        Ok(layout)
    }

    fn find_shared(&mut self, names: &[String]) {
        let columns = self.columns.iter().map(|(column, place)| (column.name(), *place));
        let marks = MARKS.into_iter().zip(self.marks).filter_map(|(key, place)| Some((key, place?)));
        let uses: Vec<(&str, usize)> = columns.chain(marks).collect();
        for (place, name) in names.iter().enumerate() {
            let keys: Vec<&str> = uses.iter().filter(|(_, at)| *at == place).map(|(key, _)| *key).collect();
            if keys.len() > 1 {
                self.shared.push((name.clone(), keys.join(" and ")));
            }
        }
    }

    pub fn has(&self, column: Column) -> bool {
        self.columns.iter().any(|(present, _)| *present == column)
    }

    /// The complaint about a column that nothing can stand in for.
    pub fn missing(&self, spec: RowSpec, reading: &Reading) -> Result<(), String> {
        let marked = self.marks.iter().any(Option::is_some);
        let Some(column) = spec.setting.columns().into_iter().find(|column| match column {
            Column::X0 => !self.has(*column) && reading.initial.is_none() && !marked,
            Column::XNext => !self.has(*column) && !marked,
            Column::U => false,
            _ => !self.has(*column),
        }) else {
            return Ok(());
        };
        let (name, setting) = (reading.name(column.name()), spec.setting.name());
        let unread: Vec<&str> = self.unread.iter().map(String::as_str).collect();
        let usual = unread.iter().find(|found| column.usual_names().contains(&found.to_lowercase().as_str()));
        let hint = usual.map_or_else(|| did_you_mean(name, &unread), |found| format!(" (did you mean `{found}`?)"));
        let or = match column {
            Column::X0 => ", or `initial` in the problem, or a column that ends episodes (terminal, timeout, episode)",
            Column::XNext => ", or a column that ends episodes (terminal, timeout, episode)",
            _ => "",
        };
        let map = if unread.is_empty() {
            String::new()
        } else {
            format!("; --column {}=NAME says what it is called", column.name())
        };
        Err(format!("no column `{name}`, expected it in the {setting} setting{or}{map}{hint}"))
    }

    /// Whether rows are complete as they stand, and are asked for nothing that they lack.
    pub fn is_complete(&self, reading: &Reading) -> bool {
        self.columns.len() == 5 && self.marks == [None; 3] && reading.absorbing.is_none()
    }
}

/// A row as the file has it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Record {
    pub row: Row,
    /// The episode ends here: in a state that is never left.
    pub terminal: bool,
    /// The episode ends here: by the clock.
    pub timeout: bool,
    /// The row has another `episode` than the one before it.
    pub another: bool,
}

/// Whether a cell of a mark is set; `None` for what is neither yes nor no.
pub fn truth(text: &[u8]) -> Option<bool> {
    match text {
        b"1" | b"1.0" | b"true" | b"True" | b"TRUE" => Some(true),
        b"" | b"0" | b"0.0" | b"false" | b"False" | b"FALSE" => Some(false),
        _ => None,
    }
}

/// A file under way that may lack columns.
pub trait Records {
    fn next_record(&mut self) -> Result<Option<Record>, InputError>;
    fn layout(&self) -> &Layout;
    fn finish_records(&mut self) -> Result<(), InputError>;
    /// Rows that were not asked for.
    fn unused(&mut self) -> Result<u64, InputError>;
}

/// Where x0 is from where the file has none.
enum Start {
    Drawn(Vec<f64>, Box<Uniforms>),
    OfEpisode(usize),
}

/// Rows with what their file lacks filled in.
pub struct Completed<'a, R> {
    records: &'a mut R,
    reading: &'a Reading,
    start: Option<Start>,
    draws: Option<Uniforms>,
    /// Whether x_next is the next record's x.
    follows: bool,
    waiting: Option<Record>,
    begins: bool,
    dropped: u64,
    terminals: u64,
}

impl<'a, R: Records> Completed<'a, R> {
    pub fn new(records: &'a mut R, reading: &'a Reading, setting: Setting) -> Self {
        let layout = records.layout();
        let marked = layout.marks.iter().any(Option::is_some);
        let lacks = |column: Column| setting.columns().contains(&column) && !layout.has(column);
        let start = if lacks(Column::X0) { reading.x0(marked) } else { None };
        let draws = lacks(Column::U).then(|| Uniforms::new(reading.seed ^ (1 << 63)));
        let follows = lacks(Column::XNext);
        Self { records, reading, start, draws, follows, waiting: None, begins: true, dropped: 0, terminals: 0 }
    }

    /// The row that a record becomes, once the one after it is known where it has to be; `None` for a row that is dropped.
    fn complete(&mut self, mut record: Record, next: Option<&Record>) -> Option<Row> {
        let ends = record.terminal || record.timeout || next.is_none_or(|next| next.another);
        if let Some(Start::OfEpisode(first)) = &mut self.start {
            if self.begins {
                *first = record.row.x;
            }
            record.row.x0 = *first;
        }
        self.begins = ends;
        if let Some(Start::Drawn(initial, uniforms)) = &mut self.start {
            let u = uniforms.unit();
            record.row.x0 = initial.partition_point(|sum| *sum <= u).min(initial.len().saturating_sub(1));
        }
        if let Some(uniforms) = &mut self.draws {
            record.row.u = uniforms.unit();
        }
        self.terminals += u64::from(record.terminal);
        match (self.reading.absorbing.filter(|_| record.terminal), self.follows) {
            (Some(x), _) => record.row.x_next = x,
            (None, false) => {}
            (None, true) => {
                let Some(next) = next.filter(|_| !ends) else {
                    self.dropped += 1;
                    return None;
                };
                record.row.x_next = next.row.x;
            }
        }
        Some(record.row)
    }
}

impl<R: Records> Rows for Completed<'_, R> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        loop {
            let record = match self.waiting.take() {
                Some(record) => Some(record),
                None => self.records.next_record()?,
            };
            let Some(record) = record else { return Ok(None) };
            self.waiting = self.records.next_record()?;
            let next = self.waiting;
            if let Some(row) = self.complete(record, next.as_ref()) {
                return Ok(Some(row));
            }
        }
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.records.finish_records()
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Ok(self.records.unused()? + u64::from(self.waiting.is_some()))
    }

    fn drawn(&self) -> bool {
        self.draws.is_some() || matches!(self.start, Some(Start::Drawn(..)))
    }

    fn notes(&self) -> Vec<String> {
        let seed = self.reading.seed;
        let mut notes = layout_notes(self.records.layout());
        match &self.start {
            Some(Start::Drawn(..)) => notes.push(format!("no column `x0`: drawn from `initial` with seed {seed}")),
            Some(Start::OfEpisode(_)) => notes.push("no column `x0`: the first state of the row's episode".to_owned()),
            None => {}
        }
        if self.draws.is_some() {
            notes.push(format!("no column `u`: drawn with seed {seed}"));
        }
        if self.follows {
            notes.push("no column `x_next`: the x of the episode's next row".to_owned());
        }
        if self.dropped > 0 {
            notes.push(format!(
                "{} at the ends of episodes dropped: the state after them is not in the file",
                counted(self.dropped, "row")
            ));
        }
        match (self.terminals, self.reading.absorbing) {
            (0, None) => {}
            (0, Some(x)) => notes.push(format!("no row is terminal, so --absorbing {x} changes nothing")),
            (1, Some(x)) => notes.push(format!("1 terminal row leads to state {x}")),
            (n, Some(x)) => notes.push(format!("{n} terminal rows lead to state {x}")),
            (_, None) if self.follows => {}
            (1, None) => {
                notes.push("1 terminal row keeps its x_next; --absorbing X makes it lead to state X".to_owned());
            }
            (n, None) => {
                notes.push(format!("{n} terminal rows keep their x_next; --absorbing X makes them lead to state X"));
            }
        }
        notes
    }
}

/// What was not read, and what was read twice.
pub fn layout_notes(layout: &Layout) -> Vec<String> {
    let names: Vec<String> = layout.unread.iter().map(|name| super::error::shown(name)).collect();
    let unread = (!names.is_empty()).then(|| format!("not read: {}", names.join(", ")));
    let shared = |(name, uses): &(String, String)| format!("{} is taken for {uses}", super::error::shown(name));
    unread.into_iter().chain(layout.shared.iter().map(shared)).collect()
}
