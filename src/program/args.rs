//! The command line.

mod kit;
mod parse;

use crate::data::Setting;
use crate::paper::covariance::Exponent;
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
pub use kit::{CheckArgs, GenArgs, OracleArgs, SolveArgs, VectorsCommand, WishArgs};
use parse::{
    parse_column, parse_count, parse_exponent, parse_number, parse_rate, parse_seed, parse_setting, parse_size,
    parse_state, parse_threads,
};
use std::path::PathBuf;

/// Offline primal-dual reinforcement learning for linear MDPs: audit the paper, run its algorithms, certify a run.
///
/// Without a command, audits the embedded default instance.
#[derive(Debug, Parser)]
#[command(name = "opd", version, after_help = "Example:\n  opd audit --instance chain")]
pub struct Opd {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub style: Style,
}

/// How results are shown.
#[derive(Debug, Args, Clone)]
pub struct Style {
    /// Print one JSON value on standard output instead of text (not instead of rows, completions or a manual page)
    #[arg(long, global = true, display_order = 900)]
    pub json: bool,
    /// Print nothing but errors; the exit code tells
    #[arg(long, short, global = true, display_order = 901)]
    pub quiet: bool,
    /// Colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 902)]
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
    /// Check every statement of the paper on an instance, exactly
    #[command(after_help = "Example:\n  opd audit --instance chain --html audit.html")]
    Audit(AuditArgs),
    /// Write the reading edition: every statement with its code, checks and proofs, as one page
    #[command(after_help = "Example:\n  opd book --out book --source PATH-TO-CHECKOUT")]
    Book(BookArgs),
    /// Run an algorithm on a data file of any size
    #[command(after_help = "Examples:\n  opd run --instance chain --inner 20 --outer 50 --seed 1\n  \
        opd instances chain > chain.json && opd sample --mdp chain.json --rows 1000 --out chain.csv && \
        opd run --mdp chain.json --data chain.csv --inner 20 --outer 50")]
    #[command(after_long_help = concat!(include_str!("formats.txt"), "\nExamples:\n  \
        opd run --instance chain --inner 20 --outer 50 --seed 1\n  \
        opd instances chain > chain.json && opd sample --mdp chain.json --rows 1000 --out chain.csv && \
        opd run --mdp chain.json --data chain.csv"))]
    Run(RunArgs),
    /// Run an algorithm and certify the run in exact arithmetic
    #[command(after_help = "Example:\n  opd certify --instance chain --inner 10 --outer 5 --seed 1")]
    Certify(CertifyArgs),
    /// Let the verified checker judge a certificate, by whomever it was written
    #[command(after_help = "Exit codes: 0 accepted, 1 refused, 2 malformed\n\nExample:\n  \
        opd certify --instance chain --inner 10 --outer 5 --certificate chain.cert && opd check chain.cert")]
    Check(CheckFileArgs),
    /// Draw a data file from a model
    #[command(after_help = "Example:\n  opd sample --instance chain --rows 1000 --seed 1 --out chain.csv")]
    Sample(SampleArgs),
    /// Print an instance's coverage ratios
    #[command(after_help = "Example:\n  opd coverage --instance chain")]
    Coverage(CoverageArgs),
    /// Print the theorem's parameters, or search for rates that learn
    #[command(after_help = "Examples:\n  opd tune --instance chain --outer 1000\n  \
        opd tune --samples 1000000 --radius-theta 10 --radius-beta 5 --feature-bound 1 --actions 2 --discount 0.9\n  \
        opd sample --instance chain --rows 2000 --out chain.csv && opd tune --instance chain --data chain.csv --search 8")]
    Tune(TuneArgs),
    /// Run the methods of the paper's Table 1 on the same rows
    #[command(
        after_help = "Beside the embedded instances, --instance takes one-way and lucky.\n\nExample:\n  opd table1 --instance lucky --rows 500 --rows 1000 --seeds 2 --candidates 4 --html table1.html"
    )]
    Table1(Table1Args),
    /// Find the first difference between two traces
    #[command(after_help = "Example:\n  opd run --instance chain --inner 5 --outer 3 --trace a.jsonl && \
        opd compare a.jsonl a.jsonl")]
    Compare(CompareArgs),
    /// Check another implementation against this one
    #[command(
        subcommand,
        after_help = "In a pipe:\n  opd vectors gen --seed 7 --count 20 | YOUR-PROGRAM | opd vectors check\n\nExample:\n  \
        opd vectors gen --out golden && opd vectors check golden"
    )]
    Vectors(VectorsCommand),
    /// Answer exact questions about models, one JSON line each
    #[command(after_help = "Example:\n  echo '{\"instance\":\"chain\",\"ask\":[\"value\"]}' | opd oracle")]
    Oracle(OracleArgs),
    /// List the embedded instances, or print one as a problem file
    #[command(after_help = "Example:\n  opd instances chain")]
    Instances(InstancesArgs),
    /// Write a problem file in another format
    #[command(after_help = "Example:\n  opd convert --instance chain --out chain.npz && opd coverage --mdp chain.npz")]
    Convert(ConvertArgs),
    /// What a policy is worth: on a model, or estimated from data
    #[command(after_help = "Example:\n  opd run --instance chain --inner 20 --outer 50 --policy-out policy.json && \
        opd evaluate --instance chain --policy policy.json")]
    Evaluate(EvaluateArgs),
    /// Cut the states that nobody reaches
    #[command(after_help = "Examples:\n  opd restrict --instance chain --out small.npz\n  \
        opd sample --instance chain --rows 100 --out rows.csv && \
        opd restrict --instance chain --absorb --out small.npz --data rows.csv --data-out small.csv")]
    Restrict(RestrictArgs),
    /// Print a shell's completions
    #[command(after_help = "Example:\n  opd completions bash")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program, or of one of its commands
    #[command(after_help = "Examples:\n  opd man > opd.1\n  opd man run > opd-run.1")]
    Man {
        /// The command, with its subcommand if it has one
        command: Vec<String>,
    },
}

/// Where the problem comes from.
#[derive(Debug, Default, Args)]
pub struct Source {
    /// An embedded instance; `opd instances` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "mdp")]
    pub instance: Option<String>,
    /// A problem file, JSON or NPZ
    #[arg(long, value_name = "FILE")]
    pub mdp: Option<PathBuf>,
    /// Divide probabilities of the problem file that sum to 1 within 1/100 by their sum
    #[arg(long, visible_alias = "normalize", requires = "mdp")]
    pub normalise: bool,
}

#[derive(Debug, Default, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    pub source: Source,
    /// Also write a report
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Multiplies what the computation may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

/// A run of one of the algorithms. Rates and radii left out are the theorem's.
#[allow(clippy::struct_excessive_bools)] // they are flags
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub plan: Plan,
    /// Write every iterate, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Add the policy of every state to the trace
    #[arg(long, requires = "trace")]
    pub trace_policy: bool,
    /// Add the inner steps to the trace
    #[arg(long, requires = "trace")]
    pub trace_inner: bool,
    /// Write the policies π_J, the last and the mixture: JSON, or NPZ by its extension
    #[arg(long, value_name = "FILE")]
    pub policy_out: Option<PathBuf>,
    /// Write where the run stands, every --checkpoint-every iterations
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How many outer iterations between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = parse_count, requires = "checkpoint")]
    pub checkpoint_every: usize,
    /// Go on from a checkpoint of the same call, to the same bits; a trace begins there
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Run the algorithm as the paper's box has it, not the fast engine; the bits are the same
    #[arg(long, conflicts_with = "verify")]
    pub plain: bool,
    /// Run both, and stop with exit code 1 at the first bit that differs
    #[arg(long)]
    pub verify: bool,
    /// Compute on so many threads where that is faster, with --seeds whole runs; the bits are the same for every number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads, conflicts_with_all = ["plain", "verify"])]
    pub threads: u16,
    /// Run with this many seeds, from --seed on, and show bands of their returns; files are of the first run
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with_all = ["resume", "verify"])]
    pub seeds: Option<usize>,
    /// Also write a report
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CertifyArgs {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub plan: Plan,
    /// Write the certificate, JSON
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a certificate of the policies' suboptimality that `opd check` reads
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Also write a report
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct BookArgs {
    #[command(flatten)]
    pub source: Source,
    /// The directory of the page, made if need be
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The checkout whose sources are quoted
    #[arg(long = "source", default_value = ".", value_name = "DIR")]
    pub source_dir: PathBuf,
    /// What wasm/build.sh built: adds a second page, try.html, where a reader edits a model and every check is computed anew
    #[arg(long, value_name = "FILE")]
    pub wasm: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CheckFileArgs {
    /// The certificate
    pub file: PathBuf,
    /// Print the model it speaks of, in lowest terms, instead of judging it
    #[arg(long)]
    pub model: bool,
}

/// What a run is made of, apart from the problem.
#[derive(Debug, Args, Clone)]
pub struct Plan {
    /// The setting
    #[arg(long, value_parser = parse_setting, default_value = "discounted", value_name = "discounted|average")]
    pub setting: Setting,
    /// A data file: CSV, CSV compressed by gzip, or NPZ; - is standard input; without it, rows are drawn from the model with --seed
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// The exponent c of the reparametrisation β = Λ^{−c}λ
    #[arg(long, value_parser = parse_exponent, default_value = "1", value_name = "1|1/2")]
    pub c: Exponent,
    /// Where c = 1/2 has Λ from, outside the theorem: `empirical` for the data's own, or a JSON file with d rows of d
    #[arg(long, value_name = "empirical|FILE")]
    pub lambda: Option<PathBuf>,
    /// K, the length of the inner loop; left out, from the number of rows
    #[arg(long, value_name = "K", value_parser = parse_count)]
    pub inner: Option<usize>,
    /// T, the number of outer iterations; left out, from the number of rows
    #[arg(long, value_name = "T", value_parser = parse_count)]
    pub outer: Option<usize>,
    /// Use the data file's rows so many times; more than once is outside the theory
    #[arg(long, value_name = "E", default_value_t = 1, value_parser = parse_count, requires = "data")]
    pub epochs: usize,
    /// Use the rows in an order drawn from --seed, a new one every epoch; outside the theory
    #[arg(long, requires = "data")]
    pub shuffle: bool,
    /// Rows there are, where K or T is chosen by them, and Λ̂, where it is asked for
    #[arg(skip)]
    pub found: Found,
    /// The policy's learning rate α
    #[arg(long, value_parser = parse_rate)]
    pub alpha: Option<f64>,
    /// The learning rate η of θ
    #[arg(long, value_parser = parse_rate)]
    pub eta: Option<f64>,
    /// The learning rate ζ of β
    #[arg(long, value_parser = parse_rate)]
    pub zeta: Option<f64>,
    /// The learning rate ξ of ρ (average setting)
    #[arg(long, value_parser = parse_rate)]
    pub xi: Option<f64>,
    /// The radius D_θ of the ball of θ
    #[arg(long, value_parser = parse_size, value_name = "RADIUS")]
    pub radius_theta: Option<f64>,
    /// The radius D_β of the ball of β
    #[arg(long, value_parser = parse_size, value_name = "RADIUS")]
    pub radius_beta: Option<f64>,
    /// Seeds the choice of J and, without --data, the rows
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_seed)]
    pub seed: u64,
    /// Multiplies what the computation may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

/// What a pass over the data has found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub rows: Option<u64>,
    pub lambda: Option<Vec<f64>>,
}

/// How a data file is read.
#[derive(Debug, Args, Clone, Default)]
pub struct ReadingArgs {
    /// What the data file calls a column: x0, x, a, r, x_next, u, terminal, timeout or episode; may be repeated
    #[arg(long, value_parser = parse_column, value_name = "COLUMN=NAME")]
    pub column: Vec<(String, String)>,
    /// What rewards 0 and 1 are in the data file; returns are shown in its units too
    #[arg(long, num_args = 2, value_names = ["LO", "HI"], value_parser = parse_number, allow_negative_numbers = true)]
    pub reward_range: Option<Vec<f64>>,
    /// The state that terminal rows lead to
    #[arg(long, value_name = "X", value_parser = parse_state)]
    pub absorbing: Option<usize>,
}

#[derive(Debug, Args)]
pub struct SampleArgs {
    #[command(flatten)]
    pub source: Source,
    /// The setting
    #[arg(long, value_parser = parse_setting, default_value = "discounted", value_name = "discounted|average")]
    pub setting: Setting,
    /// How many rows
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub rows: usize,
    /// Seeds the generator
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_seed)]
    pub seed: u64,
    /// The file to write: NPZ by its extension, else CSV; without it, CSV on standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Multiplies what the computation may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

#[derive(Debug, Args)]
pub struct CoverageArgs {
    #[command(flatten)]
    pub source: Source,
    /// Multiplies what exact arithmetic may cost; beyond that, intervals
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

#[derive(Debug, Args)]
pub struct TuneArgs {
    #[command(flatten)]
    pub source: Source,
    /// The setting
    #[arg(long, value_parser = parse_setting, default_value = "discounted", value_name = "discounted|average")]
    pub setting: Setting,
    /// The exponent c
    #[arg(long, value_parser = parse_exponent, default_value = "1", value_name = "1|1/2")]
    pub c: Exponent,
    /// T; K follows from the theorem
    #[arg(long, value_name = "T", value_parser = parse_count, conflicts_with = "samples")]
    pub outer: Option<usize>,
    /// n; K and T follow from the theorem
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub samples: Option<usize>,
    /// The suboptimality to promise; n, K and T follow from the theorem
    #[arg(long, value_name = "E", value_parser = parse_size, conflicts_with_all = ["samples", "outer"])]
    pub epsilon: Option<f64>,
    /// D_θ; from the model if left out
    #[arg(long, value_parser = parse_size, value_name = "RADIUS")]
    pub radius_theta: Option<f64>,
    /// D_β; from the model if left out
    #[arg(long, value_parser = parse_size, value_name = "RADIUS")]
    pub radius_beta: Option<f64>,
    /// D_φ, without a model
    #[arg(long, value_parser = parse_size, value_name = "BOUND")]
    pub feature_bound: Option<f64>,
    /// |A|, without a model
    #[arg(long, value_parser = parse_count)]
    pub actions: Option<usize>,
    /// d, without a model
    #[arg(long, value_parser = parse_count)]
    pub dim: Option<usize>,
    /// γ, without a model
    #[arg(long, value_parser = parse_rate)]
    pub discount: Option<f64>,
    /// Instead of the theorem's parameters, the best of N random ones by these rows; needs --data
    #[arg(long, value_name = "N", value_parser = parse_count, requires = "data",
          conflicts_with_all = ["samples", "outer", "epsilon", "feature_bound", "actions", "dim", "discount"])]
    pub search: Option<usize>,
    /// The rows of a search, CSV or NPZ
    #[arg(long, value_name = "FILE", requires = "search")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// How many ways of holding rows out the best candidates are tried on
    #[arg(long, value_name = "R", default_value_t = 3, value_parser = parse_count, requires = "search")]
    pub splits: usize,
    /// Seeds the candidates and the splits
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed, requires = "search")]
    pub seed: u64,
    /// Run the candidates of a search on this many threads; what is found is the same for every number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads, requires = "search")]
    pub threads: u16,
    /// Multiplies what the computation may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
    /// Also write a report of the search, with its learning curves
    #[arg(long, value_name = "FILE", requires = "search")]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Table1Args {
    #[command(flatten)]
    pub source: Source,
    /// Rows to take from; without it, they are drawn from the model
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// n; may be repeated
    #[arg(long, value_name = "N", value_parser = parse_count, default_values_t = [1000_usize, 3000, 10_000, 30_000])]
    pub rows: Vec<usize>,
    /// How many data sets of each size
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = parse_count)]
    pub seeds: usize,
    /// How many choices of parameters each method may try on held-out rows
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = parse_count)]
    pub candidates: usize,
    /// Seeds rows and choices
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed)]
    pub seed: u64,
    /// Search on this many threads; the runs whose seconds count are made one by one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    pub threads: u16,
    /// Multiplies what the table may cost
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
    /// Also write a report, with the curves
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
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

#[derive(Debug, Args)]
pub struct InstancesArgs {
    /// The instance to print
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    #[command(flatten)]
    pub source: Source,
    /// The file to write: NPZ by its extension, else JSON
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    #[command(flatten)]
    pub source: Source,
    /// A file of `opd run --policy-out`
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
    /// Which of its policies: π_J, the last, or the mixture of π_1 … π_T
    #[arg(long, value_enum, default_value_t = Which::Output)]
    pub which: Which,
    /// A data file, to estimate the return from (discounted setting)
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Seeds what the data file lacks
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parse_seed)]
    pub seed: u64,
    /// Multiplies what exact arithmetic may cost; beyond that, intervals
    #[arg(long, default_value_t = 1.0, value_parser = parse_rate, value_name = "X")]
    pub budget: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Which {
    Output,
    Last,
    Mixture,
}

#[derive(Debug, Args)]
pub struct RestrictArgs {
    #[command(flatten)]
    pub source: Source,
    /// The problem file to write: NPZ by its extension, else JSON
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Make the states that only other policies than the behaviour reach one state that is never left and pays 0
    #[arg(long)]
    pub absorb: bool,
    /// A data file to number anew; whatever else is in it is copied
    #[arg(long, value_name = "FILE", requires = "data_out")]
    pub data: Option<PathBuf>,
    /// Where to write it: NPZ by its extension, else CSV
    #[arg(long, value_name = "FILE", requires = "data")]
    pub data_out: Option<PathBuf>,
    /// What the data file calls a column, as for `opd run`; may be repeated
    #[arg(long, value_parser = parse_column, value_name = "COLUMN=NAME", requires = "data")]
    pub column: Vec<(String, String)>,
    /// What rewards 0 and 1 are in the data file; they are copied as they are
    #[arg(long, num_args = 2, value_names = ["LO", "HI"], value_parser = parse_number, allow_negative_numbers = true,
          requires = "data")]
    pub reward_range: Option<Vec<f64>>,
    /// The setting of the data file
    #[arg(long, value_parser = parse_setting, default_value = "discounted", value_name = "discounted|average")]
    pub setting: Setting,
}

/// The command line with its commands. `-5` after a flag is its value, to be judged by what the flag expects, not a flag.
pub fn command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        command.allow_negative_numbers(true).mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(Opd::command())
}
