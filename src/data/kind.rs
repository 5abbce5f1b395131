//! What a file is by its first bytes, so that a complaint can name it.

use super::error::InputError;
use std::io::Read;
use std::path::Path;

/// How many bytes tell.
pub const TELLING: u64 = 8;

/// What a file is, by its first bytes, which are consumed: a pipe has them only once.
pub fn kind_of(file: &Path, source: &mut impl Read) -> Result<(Kind, Vec<u8>), InputError> {
    let mut start = Vec::new();
    source.take(TELLING).read_to_end(&mut start).map_err(|e| cannot_read(file, &e))?;
    Ok((Kind::of(&start), start))
}

/// The complaint about a file that cannot be read.
pub fn cannot_read(file: &Path, error: &std::io::Error) -> InputError {
    InputError::file(file, format_args!("cannot read: {error}"))
}

/// What the first bytes of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text, or anything without a signature.
    Text,
    /// A zip archive, as NPZ is.
    Zip,
    Gzip,
    /// Known, and not read: its name, and what to do.
    Other(&'static str, &'static str),
}

impl Kind {
    /// By the first [`TELLING`] bytes, or all of a shorter file.
    pub fn of(start: &[u8]) -> Self {
        let signatures: [(&[u8], Self); 11] = [
            (b"PK\x03\x04", Self::Zip),
            (b"PK\x05\x06", Self::Zip),
            (b"\x1f\x8b", Self::Gzip),
            (b"PAR1", Self::Other("Parquet", "pandas.read_parquet(F).to_csv(G, index=False) writes CSV")),
            (b"ARROW1", Self::Other("Arrow (Feather)", "pandas.read_feather(F).to_csv(G, index=False) writes CSV")),
            (b"\x89HDF", Self::Other("HDF5", "numpy.savez writes its arrays as NPZ")),
            (b"\x93NUMPY", Self::Other("a single NumPy array", "numpy.savez writes named arrays as NPZ")),
            (b"\xff\xfe", Self::Other("UTF-16 text", "save it as UTF-8")),
            (b"\xfe\xff", Self::Other("UTF-16 text", "save it as UTF-8")),
            (b"\x28\xb5\x2f\xfd", Self::Other("Zstandard", "decompress it with zstd -d")),
            (b"BZh", Self::Other("bzip2", "decompress it with bunzip2")),
        ];
        signatures.into_iter().find(|(bytes, _)| start.starts_with(bytes)).map_or(Self::Text, |(_, kind)| kind)
    }

    /// Where this is no text: its name, and what to do.
    pub fn unread(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Text => None,
            Self::Zip => Some(("a zip archive", "NPZ files are called .npz")),
            Self::Gzip => Some(("gzip", "decompress it with gunzip")),
            Self::Other(name, advice) => Some((name, advice)),
        }
    }
}
