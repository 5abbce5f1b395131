//! Text that is read as a whole, or line by line, and has an end.

use super::error::InputError;
use super::kind::{Kind, cannot_read, kind_of};
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// A longer text is refused, before it fills the memory: numbers of that many are shorter as NPZ.
const LONGEST: u64 = 1 << 30;

/// A longer line is neither a trace's nor a request: 64 MiB hold a policy of a million numbers.
pub const LONGEST_LINE: u64 = 1 << 26;

/// All of a text file.
pub fn read_text(file: &Path) -> Result<String, InputError> {
    text_of(file, File::open(file).map_err(|e| cannot_read(file, &e))?)
}

/// All of a text, from any source; `file` is what complaints name.
pub fn text_of(file: &Path, mut source: impl Read) -> Result<String, InputError> {
    let (kind, start) = kind_of(file, &mut source)?;
    rest_of(file, kind, start, source)
}

/// The rest of a text file, with a complaint that names it.
pub fn rest_of(file: &Path, kind: Kind, start: Vec<u8>, source: impl Read) -> Result<String, InputError> {
    if let Some((name, advice)) = kind.unread() {
        return Err(InputError::file(file, format_args!("found {name}, expected UTF-8 text: {advice}")));
    }
    String::from_utf8(bytes_of(file, start, source)?).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        InputError::at(file, format_args!("byte {at}"), "not UTF-8, expected a text file")
    })
}

/// All bytes of a source that begins with `start`.
pub fn bytes_of(file: &Path, start: Vec<u8>, source: impl Read) -> Result<Vec<u8>, InputError> {
    let mut bytes = start;
    source.take(LONGEST).read_to_end(&mut bytes).map_err(|e| cannot_read(file, &e))?;
    if bytes.len() as u64 >= LONGEST {
        return Err(InputError::file(
            file,
            "found more than 1 GiB, expected less: as an NPZ file numbers take less room",
        ));
    }
    Ok(bytes)
}

/// The next line with its end, into `line`: whether there is one, or `None` for one above `LONGEST_LINE`, of which the rest is passed over.
pub fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let read = source.take(LONGEST_LINE).read_until(b'\n', line)?;
    if (read as u64) < LONGEST_LINE || line.ends_with(b"\n") {
        return Ok(Some(read > 0));
    }
    line.clear();
    source.skip_until(b'\n')?;
    Ok(None)
}
