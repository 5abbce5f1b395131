//! The files that the program reads and writes: problem, data, trace, certificate.
//!
//! Every reader refuses a wrong file with one [`InputError`] that says where, what was found and what was expected.
//! Numbers are read exactly as written ([`number`]), and nothing is allocated on the word of a size field.

mod certificate;
mod csv_rows;
mod error;
pub(crate) mod json;
mod npy;
mod npz_rows;
pub mod number;
mod output;
mod problem;
mod rows;
mod trace;

pub use certificate::Certificate;
pub use csv_rows::CsvRows;
pub use error::{InputError, did_you_mean, shown};
pub use npz_rows::{NpzWriter, with_archive};
pub use output::OutputFile;
pub use problem::Problem;
pub use rows::{Column, Row, RowSpec, Rows, Setting, with_rows};
pub use trace::{Difference, Divergence, InnerLine, OuterLine, TraceReader, compare_traces, ulps};
