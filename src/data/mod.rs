//! The files that the program reads and writes: problem, data, trace, certificate.
//!
//! Every reader refuses a wrong file with one [`InputError`] that says where, what was found and what was expected.
//! Numbers are read exactly as written ([`number`]), and nothing is allocated on the word of a size field.

#[cfg(feature = "cli")]
mod array_rows;
#[cfg(feature = "cli")]
mod certificate;
#[cfg(feature = "cli")]
mod csv_rows;
#[cfg(feature = "cli")]
mod decimal;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "cli")]
pub(crate) mod json;
#[cfg(feature = "cli")]
mod kind;
#[cfg(feature = "cli")]
mod normalise;
#[cfg(feature = "cli")]
mod npy;
#[cfg(feature = "cli")]
mod npz;
#[cfg(feature = "cli")]
mod npz_problem;
#[cfg(feature = "cli")]
mod npz_rows;
#[cfg(feature = "cli")]
pub mod number;
#[cfg(feature = "cli")]
mod output;
#[cfg(feature = "cli")]
mod parts;
#[cfg(feature = "cli")]
mod policy;
#[cfg(feature = "cli")]
mod problem;
#[cfg(feature = "cli")]
mod problem_file;
#[cfg(feature = "cli")]
mod reading;
#[cfg(feature = "cli")]
mod renumber;
#[cfg(feature = "cli")]
mod restrict;
pub(crate) mod row;
#[cfg(feature = "cli")]
mod rows;
#[cfg(feature = "cli")]
mod text;
#[cfg(feature = "cli")]
mod trace;

#[cfg(feature = "cli")]
pub use array_rows::{ArrayRows, Columns};
#[cfg(feature = "cli")]
pub use certificate::Certificate;
#[cfg(feature = "cli")]
pub use csv_rows::CsvRows;
#[cfg(feature = "cli")]
pub(crate) use error::one_line;
#[cfg(feature = "cli")]
pub use error::{InputError, complaint, did_you_mean, several, shown};
#[cfg(feature = "cli")]
pub use npz_rows::{with_archive, write_npz};
#[cfg(feature = "cli")]
pub use output::{OutputFile, expect_apart, is_stdout, remove_unfinished};
#[cfg(feature = "cli")]
pub use parts::Parts;
#[cfg(feature = "cli")]
pub use policy::{PolicyFile, PolicyTable};
#[cfg(feature = "cli")]
pub use problem::Problem;
#[cfg(feature = "cli")]
pub use problem_file::ProblemFile;
#[cfg(feature = "cli")]
pub use reading::{MARKS, Reading};
#[cfg(feature = "cli")]
pub use renumber::Renumbering;
#[cfg(feature = "cli")]
pub use rows::{Column, Row, RowSpec, Rows, Setting, with_reading, with_rows};
#[cfg(feature = "cli")]
pub use text::{next_line, read_text, text_of};
#[cfg(feature = "cli")]
pub use trace::{Difference, Divergence, InnerLine, OuterLine, TraceReader, compare_traces};
