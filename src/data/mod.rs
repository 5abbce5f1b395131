//! The files that the program reads and writes: problem, data, trace, certificate.
//!
//! Every reader refuses a wrong file with one [`InputError`] that says where, what was found and what was expected.
//! Numbers are read exactly as written ([`number`]), and nothing is allocated on the word of a size field.

mod array_rows;
mod certificate;
mod csv_rows;
mod decimal;
mod error;
pub(crate) mod json;
mod kind;
mod normalise;
mod npy;
mod npz;
mod npz_problem;
mod npz_rows;
pub mod number;
mod output;
mod parts;
mod policy;
mod problem;
mod problem_file;
mod reading;
mod renumber;
mod restrict;
pub(crate) mod row;
mod rows;
mod text;
mod trace;

pub use array_rows::{ArrayRows, Columns};
pub use certificate::Certificate;
pub use csv_rows::CsvRows;
pub(crate) use error::one_line;
pub use error::{InputError, complaint, counted, did_you_mean, shown};
pub use npz_rows::{with_archive, write_npz};
pub use output::{OutputFile, expect_apart, is_stdout, remove_unfinished};
pub use parts::Parts;
pub use policy::{PolicyFile, PolicyTable};
pub use problem::Problem;
pub use problem_file::ProblemFile;
pub use reading::{MARKS, Reading};
pub use renumber::Renumbering;
pub use rows::{Column, Row, RowSpec, Rows, Setting, with_reading, with_rows};
pub use text::{next_line, read_text, text_of};
pub use trace::{Difference, Divergence, InnerLine, OuterLine, TraceReader, compare_traces};
