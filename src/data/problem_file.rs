//! A problem file, opened once: who needs it in doubles and in fractions reads the same bytes twice, and a pipe has them once.

use super::error::InputError;
use super::kind::{Kind, cannot_read, kind_of};
use super::npz::Bytes;
use super::number::Number;
use super::problem::Problem;
use super::text::rest_of;
use super::{npz_problem, text};
use std::fs::File;
use std::path::{Path, PathBuf};

/// What a problem file holds.
#[derive(Debug)]
pub struct ProblemFile {
    file: PathBuf,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    Text(String),
    Archive(Bytes),
}

impl ProblemFile {
    /// Opens a file: NPZ where it is a zip archive, else text. Of a file that is no regular one everything is read now.
    pub fn open(file: &Path) -> Result<Self, InputError> {
        let mut source = File::open(file).map_err(|e| cannot_read(file, &e))?;
        let (kind, start) = kind_of(file, &mut source)?;
        let contents = match kind {
            Kind::Zip if source.metadata().is_ok_and(|metadata| metadata.is_file()) => {
                Contents::Archive(Bytes::File(source))
            }
            Kind::Zip => Contents::Archive(Bytes::Memory(text::bytes_of(file, start, source)?.into())),
            _ => Contents::Text(rest_of(file, kind, start, source)?),
        };
        Ok(Self { file: file.to_owned(), contents })
    }

    /// The problem, checked.
    pub fn problem<T: Number>(&self) -> Result<Problem<T>, InputError> {
        let problem = self.unchecked()?;
        problem.check()?;
        Ok(problem)
    }

    /// The problem with probabilities that were rounded divided by their sum, checked; with what was changed.
    pub fn normalised<T: Number>(&self) -> Result<(Problem<T>, Vec<String>), InputError> {
        let mut problem = self.unchecked()?;
        let changes = problem.normalise();
        problem.check()?;
        Ok((problem, changes))
    }

    fn unchecked<T: Number>(&self) -> Result<Problem<T>, InputError> {
        match &self.contents {
            Contents::Text(text) => Problem::parse_unchecked(&self.file, text),
            Contents::Archive(bytes) => npz_problem::read(&self.file, bytes),
        }
    }
}
