//! One array of an NPZ archive: the header of the NPY format, and its elements one after another.

use std::io::{self, Read, Write};

/// NumPy pads headers to 64 bytes; a megabyte of header is no array of ours.
const LONGEST_HEADER: u32 = 1 << 16;

/// The element type, as `descr` spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementType {
    kind: Kind,
    size: usize,
    big_endian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
}

/// A one-dimensional array: its element type and length, both as its header claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    pub element: ElementType,
    pub length: u64,
}

/// Reads a header; `Err` says what was found and expected.
pub fn read_header(source: &mut impl Read) -> Result<Header, String> {
    let mut start = [0; 8];
    source.read_exact(&mut start).map_err(|e| format!("cannot read: {e}"))?;
    if &start[..6] != b"\x93NUMPY" {
        return Err("no NPY signature, expected a NumPy array".to_owned());
    }
    let length = match start[6] {
        1 => u32::from(u16::from_le_bytes(read_array(source)?)),
        2 | 3 => u32::from_le_bytes(read_array(source)?),
        version => return Err(format!("found NPY version {version}, expected 1, 2 or 3")),
    };
    if length > LONGEST_HEADER {
        return Err(format!("found a header of {length} bytes, expected at most {LONGEST_HEADER}"));
    }
    let mut text = vec![0; length as usize];
    source.read_exact(&mut text).map_err(|e| format!("cannot read: {e}"))?;
    parse_dictionary(&String::from_utf8_lossy(&text))
}

fn read_array<const N: usize>(source: &mut impl Read) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes).map_err(|e| format!("cannot read: {e}"))?;
    Ok(bytes)
}

/// `{'descr': '<i8', 'fortran_order': False, 'shape': (100,), }`, keys in any order. Memory order means nothing to
/// an array of one dimension.
fn parse_dictionary(text: &str) -> Result<Header, String> {
    let value = |key: &str| {
        let (_, after) =
            text.split_once(&format!("'{key}':")).ok_or_else(|| format!("no `{key}` in the NPY header"))?;
        Ok::<&str, String>(after.trim_start())
    };
    let descr = value("descr")?.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(descr, _)| descr);
    let shape = value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(shape, _)| shape.trim());
    let element = descr.and_then(parse_descr).ok_or_else(|| {
        format!(
            "found element type {}, expected integers or floats like '<i8', '|u1', '<f8'",
            descr.unwrap_or("of a record")
        )
    })?;
    let length = shape.and_then(|shape| shape.strip_suffix(',')?.trim().parse().ok());
    let length = length.ok_or_else(|| format!("found shape ({}), expected one dimension", shape.unwrap_or("?")))?;
    Ok(Header { element, length })
}

fn parse_descr(descr: &str) -> Option<ElementType> {
    let big_endian = match descr.get(..1)? {
        "<" | "|" => false,
        ">" => true,
        _ => return None,
    };
    let (kind, size) = (descr.get(1..2)?, descr.get(2..)?.parse().ok()?);
    let kind = match (kind, size) {
        ("i", 1 | 2 | 4 | 8) => Kind::Signed,
        ("u", 1 | 2 | 4 | 8) => Kind::Unsigned,
        ("f", 4 | 8) => Kind::Float,
        _ => return None,
    };
    Some(ElementType { kind, size, big_endian })
}

/// One element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Element {
    Integer(i128),
    Float(f64),
}

impl ElementType {
    /// Whether elements can be indices.
    pub fn is_integer(self) -> bool {
        self.kind != Kind::Float
    }

    /// Bytes per element.
    pub fn size(self) -> usize {
        self.size
    }

    /// The next element.
    pub fn read(self, source: &mut impl Read) -> io::Result<Element> {
        let mut bytes = [0; 8];
        source.read_exact(&mut bytes[..self.size])?;
        if self.big_endian {
            bytes[..self.size].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        Ok(match self.kind {
            Kind::Unsigned => Element::Integer(bits.into()),
            Kind::Signed => {
                // Move the sign bit to the top and back, spreading it.
                let unused = 64 - 8 * u32::try_from(self.size).unwrap_or(8);
                Element::Integer(((bits << unused).cast_signed() >> unused).into())
            }
            Kind::Float if self.size == 4 => {
                let [a, b, c, d, ..] = bytes;
                Element::Float(f32::from_le_bytes([a, b, c, d]).into())
            }
            Kind::Float => Element::Float(f64::from_bits(bits)),
        })
    }
}

/// Writes the header of `length` little-endian eight-byte elements, `'i8'` or `'f8'`.
pub fn write_header(target: &mut impl Write, descr: &str, length: u64) -> io::Result<()> {
    let mut text = format!("{{'descr': '<{descr}', 'fortran_order': False, 'shape': ({length},), }}");
    // Data starts at a multiple of 64 bytes; 10 are the signature, version and header length.
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    target.write_all(b"\x93NUMPY\x01\x00")?;
    target.write_all(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes())?;
    target.write_all(text.as_bytes())
}
