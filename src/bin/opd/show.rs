//! What reaches the terminal: text or JSON on standard output, complaints and progress on standard error.

use crate::args::{Color, Style};
use offline_primal_dual::data::InputError;
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

    pub fn green(&self, text: &str) -> String {
        self.paint("32", text)
    }

    pub fn red(&self, text: &str) -> String {
        self.paint("31;1", text)
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
