//! The arguments of the conformance kit and of the oracle.

use super::parse::{parse_count, parse_exponent, parse_rate, parse_seed, parse_setting, parse_tolerance};
use crate::data::Setting;
use crate::paper::covariance::Exponent;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct OracleArgs {
    /// Multiplies what a request may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

#[derive(Debug, Subcommand)]
pub enum VectorsCommand {
    /// Print problems to solve, one JSON line each: the fixed ones, or fresh ones from a seed
    #[command(after_help = "Examples:\n  opd vectors gen --seed 7 --count 20 > problems.jsonl\n  \
        opd vectors gen --seed 7 --count 5 --states 10 --actions 4 --dim 16 --inner 50 --outer 200 --setting average\n  \
        opd vectors gen --out golden")]
    Gen(GenArgs),
    /// Solve problems: results, intermediates and tolerances, one JSON line each
    #[command(after_help = "Example:\n  opd vectors gen --seed 7 --count 1 | opd vectors solve")]
    Solve(SolveArgs),
    /// Check results: a directory, or JSON lines on standard input
    #[command(after_help = "Example:\n  opd vectors gen --out golden && opd vectors check golden")]
    Check(CheckArgs),
}

/// What an implementation can do, for problems and for the check of its results.
#[derive(Debug, Args)]
pub struct WishArgs {
    /// One setting only
    #[arg(long, value_parser = parse_setting, value_name = "discounted|average")]
    pub setting: Option<Setting>,
    /// One exponent c only
    #[arg(long, value_parser = parse_exponent, value_name = "1|1/2")]
    pub c: Option<Exponent>,
    /// Only problems that start at 0
    #[arg(long, value_name = "zero", value_parser = ["zero"])]
    pub start: Option<String>,
}

#[derive(Debug, Args)]
pub struct GenArgs {
    /// Seeds fresh problems; without it, the fixed ones
    #[arg(long, value_name = "N", value_parser = parse_seed)]
    pub seed: Option<u64>,
    /// How many fresh problems
    #[arg(long, default_value_t = 20, value_name = "N", requires = "seed", value_parser = parse_count)]
    pub count: usize,
    /// |X|
    #[arg(long, value_name = "S", value_parser = parse_count)]
    pub states: Option<usize>,
    /// |A|
    #[arg(long, value_name = "A", value_parser = parse_count)]
    pub actions: Option<usize>,
    /// d
    #[arg(long, value_name = "D", value_parser = parse_count)]
    pub dim: Option<usize>,
    /// K
    #[arg(long, value_name = "K", value_parser = parse_count)]
    pub inner: Option<usize>,
    /// T
    #[arg(long, value_name = "T", value_parser = parse_count)]
    pub outer: Option<usize>,
    #[command(flatten)]
    pub wish: WishArgs,
    /// Lines of words and numbers instead of JSON
    #[arg(long, conflicts_with = "out")]
    pub text: bool,
    /// Multiplies what may be printed
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
    /// Write the fixed problems with results, intermediates, wrong variants, schema and manifest into a directory
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["seed", "states", "actions", "dim", "inner", "outer", "setting", "c", "start"])]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Problems as `opd vectors gen` prints them; without it, or for `-`, from standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Multiplies what a problem may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The directory of results; without it, JSON lines on standard input
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// The problems that the results are of, where they are your own
    #[arg(long, value_name = "FILE")]
    pub problems: Option<PathBuf>,
    /// Do not ask for a result of every case
    #[arg(long)]
    pub partial: bool,
    #[command(flatten)]
    pub wish: WishArgs,
    /// The arithmetic of the implementation
    #[arg(long, default_value = "f64", value_name = "f64|f32|tf32|bf16")]
    pub precision: String,
    /// A' is drawn by the implementation, which says it as `a_next`: u is not read, the draws are tested for bias
    #[arg(long)]
    pub own_draws: bool,
    /// Multiplies the derived tolerances; 0 asks for equal bits
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub factor: f64,
    /// Replaces the derived tolerance of a field by an absolute one; may be repeated
    #[arg(long, value_parser = parse_tolerance, value_name = "FIELD=X")]
    pub tolerance: Vec<(String, f64)>,
    /// Multiplies what a check may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}
