//! Output files that are whole or not there: written under a temporary name, renamed at the end.

use super::error::InputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// A temporary name is `.opd`, random letters, `.tmp`: the target's own name may be as long as a name can be.
const PREFIX: &str = ".opd";
const SUFFIX: &str = ".tmp";

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
    Stdout(BufWriter<Stdout>),
}

/// Standard output. A closed pipe is a reader who has seen enough: the rest is nobody's.
#[derive(Debug)]
struct Stdout(io::Stdout);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).or_else(|e| if e.kind() == io::ErrorKind::BrokenPipe { Ok(bytes.len()) } else { Err(e) })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().or_else(|e| if e.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(e) })
    }
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
            return Ok(Self {
                target: target.to_owned(),
                writer: Writer::Stdout(BufWriter::new(Stdout(io::stdout()))),
            });
        }
        let existing = fs::metadata(target).ok();
        if existing.as_ref().is_some_and(|m| !m.is_file() && !m.is_dir()) {
            let device = File::options().write(true).open(target).map_err(wrong)?;
            return Ok(Self { target: target.to_owned(), writer: Writer::Device(BufWriter::new(device)) });
        }
        // Through a link to the file it names: the link stays a link.
        let target = &follow(target).map_err(wrong)?;
        if target.file_name().is_none() {
            return Err(InputError::file(target, "found no file name, expected a path to a file"));
        }
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(InputError::file(target, "found a directory, expected a path to a file"));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(existing.as_ref().map_or_else(
            || std::os::unix::fs::PermissionsExt::from_mode(0o666), // less the umask, as any new file
            fs::Metadata::permissions,
        ));
        let temporary = builder.tempfile_in(folder(target)).map_err(|e| cannot_write(target, &e))?;
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
        // A signal waits for the lock, and so until every file has its name.
        let mut others = unfinished();
        let mut placed = Vec::new();
        for (temporary, target) in written {
            let (path, before) = (temporary.path().to_owned(), aside(&target));
            if let Err(e) = temporary.persist(&target) {
                placed.into_iter().rev().for_each(put_back);
                return Err(cannot_write(&target, &e.error));
            }
            others.retain(|other| *other != path);
            placed.push((target, before));
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

/// The file that is about to be replaced, under a second name that is gone when this is dropped.
fn aside(target: &Path) -> Option<TempPath> {
    let linked = tempfile::Builder::new()
        .prefix(PREFIX)
        .suffix(SUFFIX)
        .make_in(folder(target), |path| fs::hard_link(target, path));
    linked.ok().map(NamedTempFile::into_temp_path)
}

/// Undoes a rename where it can; only the first failure is reported.
fn put_back((target, before): (PathBuf, Option<TempPath>)) {
    match before {
        Some(before) => before.persist(target).unwrap_or_default(),
        None => fs::remove_file(target).unwrap_or_default(),
    }
}

fn folder(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether the path is a name of standard output.
#[must_use]
pub fn is_stdout(target: &Path) -> bool {
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

/// Refuses a call whose outputs would overwrite its inputs or each other, or cannot be written, before any work is lost. Every path comes with the flag that named it. Among the
/// inputs `-` is standard input; that and standard output may be files, by the shell's `<` and `>`.
pub fn expect_apart(inputs: &[(&str, Option<&Path>)], outputs: &[(&str, Option<&Path>)]) -> Result<(), InputError> {
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, path) in inputs {
        let path = path.map(|path| if path == Path::new("-") { Path::new("/dev/stdin") } else { path });
        taken.extend(path.and_then(identity).map(|path| (*flag, path)));
    }
    taken.extend(identity(Path::new("/dev/stdout")).map(|path| ("standard output", path)));
    for (flag, path) in outputs {
        let Some(named) = path.filter(|path| !is_stdout(path)) else { continue };
        let Some(path) = identity(named) else { continue };
        if let Some((other, _)) = taken.iter().find(|(_, other)| *other == path) {
            let problem = format!("{} is the file of {other} too, expected a file of its own", path.display());
            return Err(InputError::call(flag, problem));
        }
        taken.push((flag, path));
        drop(OutputFile::create(named)?);
    }
    Ok(())
}

/// The one path of a file, there or not, whatever way it was named; `None` for pipes and devices, which nothing overwrites.
fn identity(path: &Path) -> Option<PathBuf> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return None;
    }
    let path = follow(path).ok()?;
    let folder = folder(&path);
    Some(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(path.file_name()?))
}

fn cannot_write(target: &Path, error: &io::Error) -> InputError {
    // Without the temporary name, which tempfile adds and which is another one every time.
    let error = error.to_string();
    let error = error.split(" at path ").next().unwrap_or(&error);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_cannot_be_given_takes_the_others_back() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("old"), "before").unwrap();
        let files = ["old", "new", "last"].map(|name| OutputFile::holding(&path(name), b"after").unwrap());
        // A directory in the way of the last one, after it was begun.
        fs::create_dir(path("last")).unwrap();
        let told = OutputFile::finish_all(files).unwrap_err().to_string();
        assert!(told.contains("last: cannot write: ") && !told.contains(PREFIX), "{told}");
        assert_eq!(fs::read_to_string(path("old")).unwrap(), "before");
        let mut names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["last", "old"]);
    }
}
