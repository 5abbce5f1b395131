//! What reaches the terminal: text or JSON on standard output, complaints and progress on standard error.

use crate::args::{Color, Style};
use indicatif::{ProgressBar, ProgressStyle};
use offline_primal_dual::data::InputError;
use offline_primal_dual::exact::BigRational;
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// The style of this call.
pub struct Show {
    /// One JSON value instead of text.
    pub json: bool,
    quiet: bool,
    color: bool,
}

impl Show {
    pub fn new(style: &Style) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match style.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !unwanted && std::io::stdout().is_terminal(),
        };
        Self { json: style.json, quiet: style.quiet, color }
    }

    /// Prints text; a closed pipe is a reader who has seen enough.
    pub fn text(&self, text: &str) -> Result<(), InputError> {
        if self.quiet {
            return Ok(());
        }
        match std::io::stdout().write_all(text.as_bytes()).and_then(|()| std::io::stdout().flush()) {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(InputError::call("standard output", format_args!("cannot write: {e}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints a value as JSON on one line.
    pub fn value(&self, value: &impl Serialize) -> Result<(), InputError> {
        let json = serde_json::to_string(value).map_err(|e| InputError::call("JSON", e))?;
        self.text(&(json + "\n"))
    }

    /// One line on standard error.
    #[allow(clippy::unused_self)] // a complaint is shown in every style
    pub fn complain(&self, problem: &str) {
        // Nothing is left to do when standard error is closed.
        let _ = writeln!(std::io::stderr(), "opd: {problem}");
    }

    /// A progress bar on a terminal, nothing elsewhere.
    pub fn progress(&self, steps: u64) -> ProgressBar {
        if self.quiet || self.json || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps);
        let template = "{wide_bar} {human_pos}/{human_len} rows, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
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

/// Columns padded to a common width, two spaces between them, nothing after the last.
pub fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|j| rows.iter().filter_map(|row| row.get(j)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, wide) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', wide + 2 - width(cell)));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Printed width: combining marks (as in g̃) and colour codes take none.
fn width(cell: &str) -> usize {
    let mut in_code = false;
    let printed = |c: &char| {
        let combining = ('\u{300}'..'\u{370}').contains(c);
        let starts = *c == '\x1b';
        let hidden = in_code || starts || combining;
        in_code = (in_code || starts) && *c != 'm';
        !hidden
    };
    cell.chars().filter(printed).count()
}

/// A fraction for the eye: whole where short, else to ten digits, with the length of what is not shown.
pub fn eye(x: &BigRational) -> String {
    const LONGEST: usize = 24;
    let text = x.to_string();
    if text.len() <= LONGEST {
        return text;
    }
    let digits = |part: &str| part.trim_start_matches('-').len();
    let (p, q) = text.split_once('/').unwrap_or((&text, "1"));
    format!("≈ {:.10} ({}/{} digits)", x.to_f64(), digits(p), digits(q))
}
