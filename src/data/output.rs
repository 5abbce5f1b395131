//! Output files that are whole or not there: written under a temporary name, renamed at the end.

use super::error::InputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under way. Dropped without [`OutputFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    /// `None` for pipes and devices.
    temporary: Option<PathBuf>,
    writer: Option<BufWriter<File>>,
}

impl OutputFile {
    /// Opens a temporary file beside `target`, so that the rename stays on one file system. A pipe or a device is
    /// written to directly: renaming would replace it.
    pub fn create(target: &Path) -> Result<Self, InputError> {
        let existing = fs::metadata(target).ok();
        if existing.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
            let device = File::options().write(true).open(target).map_err(|e| cannot_write(target, &e))?;
            return Ok(Self { target: target.to_owned(), temporary: None, writer: Some(BufWriter::new(device)) });
        }
        // Through a link to the file it names: the link stays a link.
        let target = &existing.and_then(|_| target.canonicalize().ok()).unwrap_or_else(|| target.to_owned());
        let Some(name) = target.file_name() else {
            return Err(InputError::file(target, "found no file name, expected a path to a file"));
        };
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", std::process::id()));
        let temporary = target.with_file_name(hidden);
        let file = File::create(&temporary).map_err(|e| cannot_write(target, &e))?;
        Ok(Self { target: target.to_owned(), temporary: Some(temporary), writer: Some(BufWriter::new(file)) })
    }

    /// Flushes and gives the file its name.
    pub fn finish(mut self) -> Result<(), InputError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().map_err(|e| cannot_write(&self.target, e.error()))?;
        let Some(temporary) = self.temporary.take() else { return Ok(()) };
        file.sync_all().and_then(|()| fs::rename(&temporary, &self.target)).map_err(|e| {
            let _ = fs::remove_file(&temporary);
            cannot_write(&self.target, &e)
        })
    }

    /// Writes a whole file at once.
    pub fn write_all_to(target: &Path, contents: &[u8]) -> Result<(), InputError> {
        let mut file = Self::create(target)?;
        file.write_all(contents).map_err(|e| cannot_write(target, &e))?;
        file.finish()
    }

    /// The complaint for a failed write to this file.
    #[must_use]
    pub fn failed(&self, error: &io::Error) -> InputError {
        cannot_write(&self.target, error)
    }
}

fn cannot_write(target: &Path, error: &io::Error) -> InputError {
    InputError::file(target, format_args!("cannot write: {error}, expected a writable place"))
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// NPZ archives go back to fill in sizes.
impl io::Seek for OutputFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.seek(to))
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            self.writer = None;
            let _ = fs::remove_file(temporary);
        }
    }
}
