//! Output files that are whole or not there: written under a temporary name, renamed at the end.

use super::error::InputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// A file under way. Dropped without [`OutputFile::finish`], it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    writer: Writer,
}

#[derive(Debug)]
enum Writer {
    /// A random name beside the target, made exclusively, so that the rename stays on one file system.
    File(BufWriter<NamedTempFile>),
    /// A pipe or a device is written to directly: renaming would replace it.
    Device(BufWriter<File>),
    /// `/dev/stdout`: in line with whatever else is printed, be it a terminal, a pipe or a file.
    Stdout(BufWriter<io::Stdout>),
}

/// The temporary files of this process, for [`remove_unfinished`].
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file there is, for a program that a signal is about to end.
pub fn remove_unfinished() {
    for path in unfinished().drain(..) {
        // Whether it is still there makes no difference.
        fs::remove_file(path).unwrap_or_default();
    }
}

impl OutputFile {
    /// Opens a temporary file beside `target`, with the mode of the file it replaces.
    pub fn create(target: &Path) -> Result<Self, InputError> {
        let wrong = |e: io::Error| cannot_write(target, &e);
        if is_stdout(target) {
            return Ok(Self { target: target.to_owned(), writer: Writer::Stdout(BufWriter::new(io::stdout())) });
        }
        let existing = fs::metadata(target).ok();
        if existing.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
            let device = File::options().write(true).open(target).map_err(wrong)?;
            return Ok(Self { target: target.to_owned(), writer: Writer::Device(BufWriter::new(device)) });
        }
        // Through a link to the file it names: the link stays a link.
        let target = &follow(target).map_err(wrong)?;
        let Some(name) = target.file_name() else {
            return Err(InputError::file(target, "found no file name, expected a path to a file"));
        };
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(InputError::file(target, "found a directory, expected a path to a file"));
        }
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        builder.permissions(existing.as_ref().map_or_else(
            || std::os::unix::fs::PermissionsExt::from_mode(0o666), // less the umask, as any new file
            fs::Metadata::permissions,
        ));
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = builder.tempfile_in(folder).map_err(|e| cannot_write(target, &e))?;
        // The umask is for new files.
        if let Some(existing) = existing {
            temporary.as_file().set_permissions(existing.permissions()).map_err(|e| cannot_write(target, &e))?;
        }
        let mut others = unfinished();
        others.retain(|other| other.exists());
        others.push(temporary.path().to_owned());
        drop(others);
        Ok(Self { target: target.clone(), writer: Writer::File(BufWriter::new(temporary)) })
    }

    /// Flushes and gives the file its name.
    pub fn finish(self) -> Result<(), InputError> {
        Self::finish_all([self])
    }

    /// Gives all files of a command their names, after every one of them has reached the disk: all or none.
    pub fn finish_all(files: impl IntoIterator<Item = Self>) -> Result<(), InputError> {
        let mut written = Vec::new();
        for file in files {
            let target = file.target.clone();
            written.extend(file.written().map_err(|e| cannot_write(&target, &e))?.map(|temporary| (temporary, target)));
        }
        for (temporary, target) in written {
            let path = temporary.path().to_owned();
            temporary.persist(&target).map_err(|e| cannot_write(&target, &e.error))?;
            unfinished().retain(|other| *other != path);
        }
        Ok(())
    }

    /// Everything written is on the disk; the temporary file, if there is one.
    fn written(self) -> io::Result<Option<NamedTempFile>> {
        match self.writer {
            Writer::File(writer) => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                Ok(Some(file))
            }
            Writer::Device(mut writer) => writer.flush().map(|()| None),
            Writer::Stdout(mut writer) => writer.flush().map(|()| None),
        }
    }

    /// A whole file at once, not yet under its name.
    pub fn holding(target: &Path, contents: &[u8]) -> Result<Self, InputError> {
        let mut file = Self::create(target)?;
        file.write_all(contents).map_err(|e| cannot_write(target, &e))?;
        Ok(file)
    }

    /// Writes a whole file at once.
    pub fn write_all_to(target: &Path, contents: &[u8]) -> Result<(), InputError> {
        Self::holding(target, contents)?.finish()
    }

    /// The complaint for a failed write to this file.
    #[must_use]
    pub fn failed(&self, error: &io::Error) -> InputError {
        cannot_write(&self.target, error)
    }
}

fn is_stdout(target: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| target == Path::new(name))
}

/// The file that a chain of links names, whether it is there or not.
fn follow(target: &Path) -> io::Result<PathBuf> {
    let mut target = target.to_owned();
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next)),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("a chain of more than 40 links"))
}

/// Refuses a call whose outputs would overwrite its inputs or each other. Every path comes with the flag that named it.
pub fn expect_apart(inputs: &[(&str, Option<&Path>)], outputs: &[(&str, Option<&Path>)]) -> Result<(), InputError> {
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (index, (flag, path)) in inputs.iter().chain(outputs).enumerate() {
        let Some(path) = path.and_then(identity) else { continue };
        let clash = taken.iter().find(|(_, other)| *other == path).filter(|_| index >= inputs.len());
        if let Some((other, _)) = clash {
            let problem = format!("{} is the file of {other} too, expected a file of its own", path.display());
            return Err(InputError::call(flag, problem));
        }
        taken.push((flag, path));
    }
    Ok(())
}

/// The one path of a file, there or not, whatever way it was named; `None` for pipes and devices, which nothing overwrites.
fn identity(path: &Path) -> Option<PathBuf> {
    if is_stdout(path) || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return None;
    }
    let path = follow(path).ok()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(path.file_name()?))
}

fn cannot_write(target: &Path, error: &io::Error) -> InputError {
    InputError::file(target, format_args!("cannot write: {error}, expected a writable place"))
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Writer::File(writer) => writer.write(bytes),
            Writer::Device(writer) => writer.write(bytes),
            Writer::Stdout(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Writer::File(writer) => writer.flush(),
            Writer::Device(writer) => writer.flush(),
            Writer::Stdout(writer) => writer.flush(),
        }
    }
}

/// NPZ archives go back to fill in sizes.
impl io::Seek for OutputFile {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        match &mut self.writer {
            Writer::File(writer) => writer.seek(to),
            Writer::Device(writer) => writer.seek(to),
            Writer::Stdout(_) => Err(io::Error::other("standard output does not go back")),
        }
    }
}
