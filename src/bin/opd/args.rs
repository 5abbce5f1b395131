//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use offline_primal_dual::data::number::Number;
use std::path::PathBuf;

/// Offline primal-dual reinforcement learning for linear MDPs: audit the paper, run its algorithms, certify a run.
#[derive(Debug, Parser)]
#[command(name = "opd", version, max_term_width = 100)]
pub struct Opd {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub style: Style,
}

/// How results are shown.
#[derive(Debug, Args, Clone)]
pub struct Style {
    /// Print one JSON value on standard output instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but errors; the exit code tells
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find the first difference between two traces
    #[command(after_help = "Example:\n  opd run --instance chain --inner 5 --outer 3 --trace a.jsonl && \
        opd compare a.jsonl a.jsonl")]
    Compare(CompareArgs),
    /// Print a shell's completions
    #[command(after_help = "Example:\n  opd completions bash")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Example:\n  opd man > opd.1")]
    Man,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The first trace
    pub first: PathBuf,
    /// The second trace
    pub second: PathBuf,
    /// The largest difference between two numbers that counts as none
    #[arg(long, default_value_t = 0.0, value_parser = parse_rate, value_name = "X")]
    pub tolerance: f64,
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match f64::parse(text) {
        Ok(rate) if rate >= 0.0 => Ok(rate),
        Ok(_) => Err("expected a number >= 0".to_owned()),
        Err(expected) => Err(format!("expected {expected}")),
    }
}
