//! What reaches the terminal: text or JSON on standard output, complaints and progress on standard error.

mod layout;
mod number;

use crate::data::{InputError, complaint, one_line};
use crate::program::args::{Color, Style};
use indicatif::{ProgressBar, ProgressStyle};
pub use layout::{columns, fitted, wrap};
pub use number::{brief, brief_float, eye, fixed};
use serde::Serialize;
use std::cell::Cell;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The width of text that is not for a terminal, unless COLUMNS says otherwise.
const WIDTH: usize = 120;

/// The style of this call.
pub struct Show {
    /// One JSON value instead of text.
    pub json: bool,
    quiet: bool,
    color: bool,
    /// Nobody reads standard output any more.
    closed: Cell<bool>,
}

impl Show {
    pub fn new(style: &Style) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match style.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !unwanted && std::io::stdout().is_terminal(),
        };
        QUIET.store(style.quiet, Ordering::Relaxed);
        Self { json: style.json, quiet: style.quiet, color, closed: Cell::new(false) }
    }

    /// Prints text for people, in which a file's words cannot steer the terminal.
    pub fn text(&self, text: &str) -> Result<(), InputError> {
        let lines = text.split('\n').map(|line| if self.color { painted(line) } else { one_line(line) });
        self.raw(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Prints as it is, for programs; a closed pipe is a reader who has seen enough.
    pub fn raw(&self, text: &str) -> Result<(), InputError> {
        if self.quiet {
            return Ok(());
        }
        match std::io::stdout().write_all(text.as_bytes()).and_then(|()| std::io::stdout().flush()) {
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => self.closed.set(true),
            Err(e) => return Err(InputError::call("standard output", format_args!("cannot write: {e}"))),
            Ok(()) => {}
        }
        Ok(())
    }

    /// Whether the reader of standard output has seen enough: what prints line after line stops.
    pub fn is_closed(&self) -> bool {
        self.closed.get()
    }

    /// Prints a value as JSON on one line.
    pub fn value(&self, value: &impl Serialize) -> Result<(), InputError> {
        let json = serde_json::to_string(value).map_err(|e| InputError::call("JSON", e))?;
        self.raw(&(json + "\n"))
    }

    /// How many columns there are for text: the terminal's, else those that COLUMNS names, else 120.
    #[allow(clippy::unused_self)] // the place to ask about the terminal
    pub fn width(&self) -> usize {
        let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
        let named = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        terminal.or_else(named).filter(|columns| *columns > 0).unwrap_or(WIDTH)
    }

    /// A progress bar over rows on a terminal, nothing elsewhere.
    pub fn progress(&self, steps: u64) -> ProgressBar {
        self.progress_of(steps, "rows")
    }

    /// A progress bar over steps of that name on a terminal, nothing elsewhere.
    pub fn progress_of(&self, steps: u64, name: &str) -> ProgressBar {
        if self.quiet || self.json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps);
        let template = "{wide_bar} {human_pos}/{human_len} ".to_owned() + name + ", {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar
    }

    pub fn green(&self, text: &str) -> String {
        self.paint("32", text)
    }

    pub fn red(&self, text: &str) -> String {
        self.paint("31;1", text)
    }

    pub fn yellow(&self, text: &str) -> String {
        self.paint("33", text)
    }

    pub fn bold(&self, text: &str) -> String {
        self.paint("1", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// [`one_line`] but for colours.
fn painted(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = one_line(parts.next().unwrap_or_default());
    parts.fold(first, |line, part| {
        let color = part.strip_prefix('[').and_then(|part| part.split_once('m'));
        match color.filter(|(code, _)| code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')) {
            Some((code, rest)) => format!("{line}\x1b[{code}m{}", one_line(rest)),
            None => line + &one_line(&format!("\x1b{part}")),
        }
    })
}

/// Whether notes are unwanted.
static QUIET: AtomicBool = AtomicBool::new(false);

/// One line on standard error about an input that was taken otherwise than it stands.
pub fn note(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        complain(&format!("note: {text}"));
    }
}

/// One line on standard error, of a few hundred bytes at most.
pub fn complain(problem: &str) {
    // Nothing is left to do when standard error is closed.
    writeln!(std::io::stderr(), "opd: {}", complaint(problem)).unwrap_or_default();
}
