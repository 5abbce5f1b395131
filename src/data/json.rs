//! JSON read piece by piece: every piece knows its path, numbers keep the text they were written with.

use super::error::{InputError, did_you_mean, shown};
use super::number::Number;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

/// A value inside a JSON text, not yet taken apart.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    file: &'a Path,
    /// The line of the file where it is one of JSON lines.
    line: Option<u64>,
    raw: &'a RawValue,
    place: Place<'a>,
}

/// How a piece is reached from the piece above it.
#[derive(Clone, Copy)]
enum Place<'a> {
    Top,
    Key(&'a str),
    Index(&'a Piece<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => f.write_str("top level"),
            Self::Key(key) => f.write_str(key),
            Self::Index(above, index) => write!(f, "{}[{index}]", above.place),
        }
    }
}

impl<'a> Piece<'a> {
    /// The whole of a JSON text; a byte-order mark is skipped, syntax errors carry line and column.
    pub fn top(file: &'a Path, text: &'a str) -> Result<Self, InputError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw = serde_json::from_str(text).map_err(|e| syntax_error(file, 1, &e))?;
        Ok(Self { file, line: None, raw, place: Place::Top })
    }

    /// The same for one line of a file of JSON lines.
    pub fn line(file: &'a Path, number: u64, text: &'a str) -> Result<Self, InputError> {
        let raw = serde_json::from_str(text).map_err(|e| syntax_error(file, number, &e))?;
        Ok(Self { file, line: Some(number), raw, place: Place::Top })
    }

    /// A complaint about this piece.
    pub fn wrong(&self, problem: impl fmt::Display) -> InputError {
        match self.line {
            Some(line) => InputError::at(self.file, format_args!("{line}: {}", self.place), problem),
            None => InputError::at(self.file, format_args!(" {}", self.place), problem),
        }
    }

    fn expected(&self, what: &str) -> InputError {
        self.wrong(format_args!("found {}, expected {what}", shown(self.raw.get())))
    }

    /// The members of an object, in their order; a name given twice is an error.
    pub fn members(&self) -> Result<Vec<(String, &'a RawValue)>, InputError> {
        if !self.raw.get().starts_with('{') {
            return Err(self.expected("an object {…}"));
        }
        let members = serde_json::Deserializer::from_str(self.raw.get()).deserialize_map(Members);
        let members = members.map_err(|e| syntax_error(self.file, self.line.unwrap_or(1), &e))?;
        let mut seen = HashSet::new();
        if let Some((key, _)) = members.iter().find(|(key, _)| !seen.insert(key)) {
            return Err(self.wrong(format_args!("key {} given twice, expected once", shown(key))));
        }
        Ok(members)
    }

    /// The member under a known key.
    pub fn member(&self, key: &'a str, raw: &'a RawValue) -> Self {
        Self { raw, place: Place::Key(key), ..*self }
    }

    /// A complaint about a name that no member may have.
    pub fn unknown_key(&self, key: &str, known: &[&str]) -> InputError {
        let (list, hint) = (known.join(", "), did_you_mean(key, known));
        self.wrong(format_args!("unknown key {}, expected one of {list}{hint}", shown(key)))
    }

    /// Whether this is a list.
    pub fn is_list(&self) -> bool {
        self.raw.get().starts_with('[')
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.raw.get() == "null"
    }

    /// The elements of a list.
    pub fn elements(&self) -> Result<Vec<&'a RawValue>, InputError> {
        if !self.is_list() {
            return Err(self.expected("a list […]"));
        }
        serde_json::from_str(self.raw.get()).map_err(|e| syntax_error(self.file, self.line.unwrap_or(1), &e))
    }

    /// Element `index` of this list.
    pub fn element<'b>(&'b self, index: usize, raw: &'b RawValue) -> Piece<'b> {
        Piece { file: self.file, line: self.line, raw, place: Place::Index(self, index) }
    }

    /// A list of exactly `length` elements; `what` says what counts them.
    pub fn elements_counted(&self, length: usize, what: &str) -> Result<Vec<&'a RawValue>, InputError> {
        let elements = self.elements()?;
        if elements.len() == length {
            Ok(elements)
        } else {
            Err(self.wrong(format_args!("found {} elements, expected {length} ({what})", elements.len())))
        }
    }

    /// Text between quotation marks.
    pub fn text(&self) -> Result<String, InputError> {
        serde_json::from_str(self.raw.get()).map_err(|_| self.expected("text in quotation marks"))
    }

    /// A number: a JSON number, or a string with one.
    pub fn number<T: Number>(&self) -> Result<T, InputError> {
        let raw = self.raw.get();
        if raw.starts_with('"') {
            return T::parse(&self.text()?).map_err(|expected| self.expected(expected));
        }
        T::parse(raw).map_err(|expected| self.expected(expected))
    }

    /// A counter: an integer, not negative.
    pub fn count(&self) -> Result<u64, InputError> {
        self.raw.get().parse().map_err(|_| self.expected("an integer >= 0"))
    }

    /// Appends a list of `length` numbers.
    pub fn numbers<T: Number>(&self, length: usize, what: &str, out: &mut Vec<T>) -> Result<(), InputError> {
        let elements = self.elements_counted(length, what)?;
        let reserved = out.try_reserve(elements.len());
        reserved
            .map_err(|e| self.wrong(format_args!("found more numbers than the memory holds: {e}, expected fewer")))?;
        for (index, raw) in elements.into_iter().enumerate() {
            out.push(self.element(index, raw).number()?);
        }
        Ok(())
    }
}

/// serde_json appends ` at line L column C`; the place comes first here.
fn syntax_error(file: &Path, first_line: u64, error: &serde_json::Error) -> InputError {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    let line = first_line + (error.line() as u64).saturating_sub(1);
    InputError::at(file, format_args!("{line}:{}", error.column()), format_args!("not JSON: {reason}"))
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
