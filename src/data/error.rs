//! One kind of complaint about a file, and near-miss names.

use crate::Error;
use std::fmt;
use std::path::Path;

/// What is wrong with an input: where, what was found, what was expected. Always one line.
#[derive(Debug, Clone, PartialEq)]
pub struct InputError {
    place: String,
    problem: String,
    cause: Option<Error>,
}

impl InputError {
    /// A complaint about a place inside a file: a line, a JSON path, an array.
    pub fn at(file: &Path, place: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self {
            place: place_of(&format!("{}:{place}", file.display())),
            problem: one_line(&problem.to_string()),
            cause: None,
        }
    }

    /// A complaint about a file as a whole.
    pub fn file(file: &Path, problem: impl fmt::Display) -> Self {
        Self { place: place_of(&file.display().to_string()), problem: one_line(&problem.to_string()), cause: None }
    }

    /// A complaint about the call itself: a flag, a combination of files.
    pub fn call(place: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self { place: place_of(&place.to_string()), problem: one_line(&problem.to_string()), cause: None }
    }

    /// What the library refused, and where it came from.
    pub fn refused(place: impl fmt::Display, cause: Error) -> Self {
        Self { cause: Some(cause), ..Self::call(place, cause) }
    }

    /// What else would do, after what is wrong.
    #[must_use]
    pub fn or(self, advice: &str) -> Self {
        Self { problem: one_line(&format!("{}; {advice}", self.problem)), ..self }
    }

    /// The library's own error behind this complaint, if there is one.
    #[must_use]
    pub fn cause(&self) -> Option<Error> {
        self.cause
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for InputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_ref().map(|cause| cause as _)
    }
}

/// A place whose start is left out where it would swamp the line: its end says more.
fn place_of(text: &str) -> String {
    const LONGEST: usize = 250;
    let start = text.char_indices().map(|(at, _)| at).find(|at| text.len() - at <= LONGEST).unwrap_or(0);
    if start == 0 { one_line(text) } else { format!("…{}", one_line(&text[start..])) }
}

/// No complaint is longer, in bytes.
const LONGEST: usize = 600;

/// A complaint as it is printed: one line, of a few hundred bytes at most.
#[must_use]
pub fn complaint(text: &str) -> String {
    let cut = |text: &str| text.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST).unwrap_or(text.len());
    let start = cut(text);
    // Escapes are longer than what they stand for.
    let line = one_line(&text[..start]);
    let end = cut(&line);
    if start == text.len() && end == line.len() { line } else { format!("{}…", &line[..end]) }
}

/// Control characters become escapes, so that a hostile file cannot forge lines or terminal codes; so do those that turn the
/// direction of writing or take no room.
pub(crate) fn one_line(text: &str) -> String {
    let hidden =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    text.chars().fold(String::with_capacity(text.len()), |mut line, c| {
        if c.is_control() || hidden(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
        line
    })
}

/// A name out of a file, for a heading: one line, and cut where it would swamp it. A title's title is itself, so that a file that is written
/// again is the same file.
pub(crate) fn title(name: &str) -> String {
    const LONGEST: usize = 100;
    let line = one_line(name);
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}

/// What was found, for a message: quoted, and cut where it would swamp the line.
#[must_use]
pub fn shown(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("`{}…`", &found[..cut]),
        None => format!("`{found}`"),
    }
}

/// So many of a thing: `1 row`, `2 rows`.
pub fn counted(count: impl fmt::Display, thing: &str) -> String {
    let count = count.to_string();
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {thing}{ending}")
}

/// ` (did you mean `name`?)` when a known name is close to `found`, else nothing.
#[must_use]
pub fn did_you_mean(found: &str, known: &[&str]) -> String {
    const CLOSE_ENOUGH: f64 = 0.7;
    // A hostile name may be megabytes long; no known name is close to it. To a single letter every name with it is.
    if !(2..=64).contains(&found.chars().count()) {
        return String::new();
    }
    let likeness = |name: &str| strsim::jaro(&found.to_lowercase(), name);
    let best = known.iter().map(|name| (likeness(name), name)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((score, name)) if score >= CLOSE_ENOUGH => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_is_its_own_title() {
        for name in ["a\u{feff}".repeat(99), "\n".repeat(40), "ä".repeat(101), "ä".repeat(100), "\\n".to_owned()] {
            let once = title(&name);
            assert!(once.chars().count() <= 101 && !once.contains(char::is_control), "{once}");
            assert_eq!(title(&once), once);
        }
    }
}
