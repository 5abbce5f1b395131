//! A NumPy archive: a zip file with one array per entry, read and written whole array by whole array.

use super::error::{InputError, did_you_mean, shown};
use super::npy::{Element, Header, read_header, shown_shape, write_header};
use super::number::Number;
use super::output::OutputFile;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Elements that memory is set aside for before they have been read: sizes in a header are claims.
const TRUSTED: u64 = 1 << 16;

/// Bytes that all the arrays of an archive may take, as numbers of the kind that is asked for: a kilobyte can stand for gigabytes. Half of what
/// a request may take by default; the other half is for what is made of them.
const ROOM: u64 = 2_000_000_000;

/// Where the bytes of an archive are: an archive is read from its end and back.
#[derive(Debug)]
pub enum Bytes {
    File(File),
    Memory(Arc<[u8]>),
}

/// What an archive is read from.
pub trait Source: Read + Seek {}

impl<S: Read + Seek> Source for S {}

impl Bytes {
    /// From the beginning; of a file one reader at a time.
    fn source(&self) -> io::Result<Box<dyn Source>> {
        Ok(match self {
            Self::File(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Box::new(BufReader::new(file))
            }
            Self::Memory(bytes) => Box::new(io::Cursor::new(Arc::clone(bytes))),
        })
    }
}

/// An archive whose entries are all known.
pub struct Archive<'a> {
    file: &'a Path,
    zip: ZipArchive<Box<dyn Source>>,
    names: Vec<String>,
    /// What is left of [`ROOM`].
    room: u64,
}

/// An array that was read: its shape, and its elements in C order.
pub struct Array<N> {
    pub shape: Vec<u64>,
    pub elements: Vec<N>,
}

impl<'a> Archive<'a> {
    /// Opens an archive with no arrays but those `known`.
    pub fn open(file: &'a Path, bytes: &Bytes, known: &[&str]) -> Result<Self, InputError> {
        let archive = Self::of_anything(file, bytes)?;
        if let Some(name) = archive.names().into_iter().find(|name| !known.contains(&name.as_str())) {
            let (hint, list) = (did_you_mean(&name, known), known.join(", "));
            let problem = format!("unknown array {}, expected arrays among {list}{hint}", shown(&name));
            return Err(InputError::file(file, problem));
        }
        Ok(archive)
    }

    /// Opens an archive whatever its arrays are called.
    pub fn of_anything(file: &'a Path, bytes: &Bytes) -> Result<Self, InputError> {
        let cannot = |e: &dyn std::fmt::Display| InputError::file(file, format_args!("cannot read: {e}"));
        let source = bytes.source().map_err(|e| cannot(&e))?;
        let zip = ZipArchive::new(source).map_err(|e| cannot(&e))?;
        if zip.metadata().has_duplicate_names() {
            return Err(InputError::file(file, "found two arrays of one name, expected one"));
        }
        let mut names = Vec::new();
        for entry in zip.file_names() {
            let entry = entry.map_err(|e| cannot(&e))?;
            names.push(entry.strip_suffix(".npy").unwrap_or(&entry).to_owned());
        }
        Ok(Self { file, zip, names, room: ROOM })
    }

    /// What the arrays are called, in the archive's order.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// A complaint about an array.
    pub fn wrong(&self, key: &str, problem: impl std::fmt::Display) -> InputError {
        InputError::at(self.file, format_args!(" {key}"), problem)
    }

    /// How many numbers an array of that shape has, if there is room for them: asked before any is read or set aside.
    pub fn count<N>(&mut self, key: &str, shape: &[u64]) -> Result<u64, InputError> {
        let count = shape.iter().try_fold(1_u64, |product, n| product.checked_mul(*n));
        let left = count.and_then(|count| self.room.checked_sub(count.checked_mul(size_of::<N>() as u64)?));
        let (Some(count), Some(left)) = (count, left) else {
            let (most, all) = (self.room / size_of::<N>() as u64, ROOM / 1_000_000_000);
            let shape = shown_shape(shape);
            return Err(self.wrong(
                key,
                format_args!("found shape {shape}, expected at most {most} numbers: a file's take {all} GB at most"),
            ));
        };
        self.room = left;
        Ok(count)
    }

    /// As many zeros as [`Self::count`] has found room for, if the memory has it too.
    pub fn zeros<T: Number>(&self, key: &str, count: u64) -> Result<Vec<T>, InputError> {
        let mut zeros = Vec::new();
        zeros.try_reserve_exact(count as usize).map_err(|e| self.wrong(key, out_of_memory(count, &e)))?;
        zeros.resize(count as usize, T::zero());
        Ok(zeros)
    }

    /// Whether there is an array of that name.
    pub fn has(&self, key: &str) -> bool {
        self.zip.index_for_name(&format!("{key}.npy")).is_some()
    }

    /// An array's header alone.
    pub fn header(&mut self, key: &str) -> Result<Option<Header>, InputError> {
        let Some(index) = self.zip.index_for_name(&format!("{key}.npy")) else { return Ok(None) };
        let wrong = |problem: String| InputError::at(self.file, format_args!(" {key}"), problem);
        let entry = self.zip.by_index(index).map_err(|e| wrong(format!("cannot read: {e}")))?;
        read_header(&mut BufReader::new(entry)).map(Some).map_err(wrong)
    }

    /// An array element by element; `convert` says what was expected where an element is none.
    fn read<N>(
        &mut self,
        key: &str,
        mut convert: impl FnMut(&Header, &mut dyn Read) -> std::io::Result<Result<N, String>>,
    ) -> Result<Option<Array<N>>, InputError> {
        let Some(Header { shape, .. }) = self.header(key)? else { return Ok(None) };
        let count = self.count::<N>(key, &shape)?;
        let Some(index) = self.zip.index_for_name(&format!("{key}.npy")) else { return Ok(None) };
        let wrong = |problem: String| InputError::at(self.file, format_args!(" {key}"), problem);
        let entry = self.zip.by_index(index).map_err(|e| wrong(format!("cannot read: {e}")))?;
        let mut bytes = BufReader::with_capacity(1 << 16, entry);
        let header = read_header(&mut bytes).map_err(wrong)?;
        let mut elements = Vec::new();
        for at in 0..count {
            if elements.len() == elements.capacity() {
                // As much again as was believed so far.
                let more = (elements.len() as u64).max(TRUSTED).min(count - at);
                elements.try_reserve_exact(more as usize).map_err(|e| wrong(out_of_memory(count, &e)))?;
            }
            let element = convert(&header, &mut bytes)
                .map_err(|e| wrong(format!("cannot read: {e}, expected {count} elements as the header says")))?;
            let element = element.map_err(|problem| {
                InputError::at(self.file, format_args!(" {key}{}", place(&header.shape, at)), problem)
            })?;
            elements.push(element);
        }
        // At the end of an entry its checksum is compared.
        match bytes.read(&mut [0]) {
            Ok(0) => Ok(Some(Array { shape: header.shape, elements })),
            Ok(_) => Err(wrong(format!("found bytes after element {count}, expected none"))),
            Err(e) => Err(wrong(format!("cannot read: {e}"))),
        }
    }

    /// Numbers: floats are their shortest decimals, text is read as in a JSON file.
    pub fn numbers<T: Number>(&mut self, key: &str) -> Result<Option<Array<T>>, InputError> {
        self.read(key, |header, mut bytes| {
            if header.element.is_text() {
                let text = header.element.read_text(&mut bytes)?;
                return Ok(T::parse(&text).map_err(|expected| format!("found {}, expected {expected}", shown(&text))));
            }
            Ok(match header.element.read(&mut bytes)? {
                Element::Float(x) => T::from_double(x).ok_or_else(|| format!("found `{x}`, expected a finite number")),
                Element::Integer(n) => {
                    T::parse(&n.to_string()).map_err(|expected| format!("found `{n}`, expected {expected}"))
                }
            })
        })
    }

    /// Numbers as they stand.
    pub fn elements(&mut self, key: &str) -> Result<Vec<Element>, InputError> {
        let read = self.read(key, |header, mut bytes| header.element.read(&mut bytes).map(Ok))?;
        Ok(read.map_or_else(Vec::new, |array| array.elements))
    }

    /// Texts.
    pub fn texts(&mut self, key: &str) -> Result<Vec<String>, InputError> {
        let read = self.read(key, |header, mut bytes| header.element.read_text(&mut bytes).map(Ok))?;
        Ok(read.map_or_else(Vec::new, |array| array.elements))
    }

    /// Indices below `below`.
    pub fn indices(&mut self, key: &str, below: u64) -> Result<Option<Array<usize>>, InputError> {
        if self.header(key)?.is_some_and(|header| !header.element.is_integer()) {
            return Err(self.wrong(key, "found no integers, expected indices"));
        }
        self.read(key, |header, mut bytes| {
            let Element::Integer(n) = header.element.read(&mut bytes)? else { return Ok(Err("no integer".to_owned())) };
            let index = u64::try_from(n).ok().filter(|n| *n < below).and_then(|n| usize::try_from(n).ok());
            Ok(index.ok_or_else(|| format!("found `{n}`, expected an integer from 0 to {}", below.saturating_sub(1))))
        })
    }

    /// One text.
    pub fn text(&mut self, key: &str) -> Result<Option<String>, InputError> {
        match self.header(key)? {
            None => Ok(None),
            Some(header) if header.element.is_text() && header.shape.iter().all(|n| *n == 1) => {
                let read = self.read(key, |header, mut bytes| header.element.read_text(&mut bytes).map(Ok))?;
                Ok(read.and_then(|array| array.elements.into_iter().next()))
            }
            Some(_) => Err(self.wrong(key, "found no text, expected one, as of numpy.array(\"chain\")")),
        }
    }
}

/// What is said where there is no room for so many numbers.
fn out_of_memory(count: u64, error: &std::collections::TryReserveError) -> String {
    format!("found {count} numbers, expected fewer than the memory holds: {error}")
}

/// Element `at` in C order, as `[i][j]`.
fn place(shape: &[u64], mut at: u64) -> String {
    let mut indices: Vec<u64> = shape
        .iter()
        .rev()
        .map(|n| {
            let i = at % n;
            at /= n;
            i
        })
        .collect();
    indices.reverse();
    indices.iter().map(|index| format!("[{index}]")).collect()
}

/// An archive under way. It carries no date: the same arrays are the same bytes.
pub struct ArchiveWriter {
    zip: ZipWriter<BufWriter<OutputFile>>,
    target: std::path::PathBuf,
}

impl ArchiveWriter {
    pub fn create(target: &Path) -> Result<Self, InputError> {
        let zip = ZipWriter::new(BufWriter::new(OutputFile::create(target)?));
        Ok(Self { zip, target: target.to_owned() })
    }

    fn array(
        &mut self,
        key: &str,
        descr: &str,
        shape: &[u64],
        bytes: impl Iterator<Item = [u8; 8]>,
    ) -> Result<(), InputError> {
        let written = self.begin(key, descr, shape).and_then(|()| {
            let mut block = Vec::with_capacity(1 << 16);
            for element in bytes {
                block.extend(element);
                if block.len() >= 1 << 16 {
                    self.zip.write_all(&block)?;
                    block.clear();
                }
            }
            self.zip.write_all(&block)
        });
        written.map_err(|e| self.failed(&e))
    }

    fn begin(&mut self, key: &str, descr: &str, shape: &[u64]) -> std::io::Result<()> {
        let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default()).large_file(true);
        self.zip.start_file(format!("{key}.npy"), options).map_err(std::io::Error::other)?;
        write_header(&mut self.zip, descr, shape)
    }

    fn failed(&self, error: &dyn std::fmt::Display) -> InputError {
        InputError::file(&self.target, format_args!("cannot write: {error}, expected a writable place"))
    }

    pub fn doubles(&mut self, key: &str, shape: &[u64], numbers: impl Iterator<Item = f64>) -> Result<(), InputError> {
        self.array(key, "f8", shape, numbers.map(f64::to_le_bytes))
    }

    pub fn integers(
        &mut self,
        key: &str,
        shape: &[u64],
        numbers: impl Iterator<Item = usize>,
    ) -> Result<(), InputError> {
        self.array(key, "i8", shape, numbers.map(|n| (n as u64).to_le_bytes()))
    }

    pub fn signed(&mut self, key: &str, shape: &[u64], numbers: impl Iterator<Item = i64>) -> Result<(), InputError> {
        self.array(key, "i8", shape, numbers.map(i64::to_le_bytes))
    }

    /// Texts, all as wide as the longest.
    pub fn texts(&mut self, key: &str, shape: &[u64], texts: &[String]) -> Result<(), InputError> {
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let written = self.begin(key, &format!("U{width}"), shape).and_then(|()| {
            let mut block = Vec::with_capacity(4 * width);
            for text in texts {
                block.clear();
                block.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
                block.resize(4 * width, 0);
                self.zip.write_all(&block)?;
            }
            Ok(())
        });
        written.map_err(|e| self.failed(&e))
    }

    /// The archive, complete, not yet under its name.
    pub fn finish(self) -> Result<OutputFile, InputError> {
        let Self { zip, target } = self;
        let cannot = |e: &dyn std::fmt::Display| {
            InputError::file(&target, format_args!("cannot write: {e}, expected a writable place"))
        };
        let writer = zip.finish().map_err(|e| cannot(&e))?;
        writer.into_inner().map_err(|e| cannot(&e.into_error()))
    }
}
