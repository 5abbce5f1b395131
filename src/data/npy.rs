//! One array of an NPZ archive: the header of the NPY format, and its elements one after another.

use std::io::{self, Read, Write};

/// NumPy pads headers to 64 bytes; a megabyte of header is no array of ours.
const LONGEST_HEADER: u32 = 1 << 16;

/// Characters of a text element: as many as a number may have.
const LONGEST_TEXT: usize = 4096;

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
    /// Four bytes per character, zeros at the end.
    Text,
}

/// An array in C order: its element type and shape, both as its header claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub element: ElementType,
    pub shape: Vec<u64>,
}

impl Header {
    /// The length of an array of one dimension.
    pub fn length(&self) -> Result<u64, String> {
        match self.shape[..] {
            [length] => Ok(length),
            _ => Err(format!("found shape {}, expected one dimension", shown_shape(&self.shape))),
        }
    }
}

/// A shape as NumPy writes it.
pub fn shown_shape(shape: &[u64]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
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
    let element = descr.and_then(parse_descr).ok_or_else(|| {
        format!(
            "found element type {}, expected integers, floats or text like '<i8', '|u1', '<f8', '<U5'",
            descr.unwrap_or("of a record")
        )
    })?;
    let written =
        value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("?", |(shape, _)| shape);
    let parts = written.split(',').map(str::trim).filter(|part| !part.is_empty());
    let shape: Option<Vec<u64>> = parts.map(|part| part.parse().ok()).collect();
    let shape = shape.ok_or_else(|| format!("found shape ({written}), expected lengths"))?;
    if shape.len() > 1 && value("fortran_order")?.starts_with('T') {
        return Err("found Fortran order, expected C order as of numpy.ascontiguousarray".to_owned());
    }
    Ok(Header { element, shape })
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
        // A truth value is 0 or 1.
        ("u", 1 | 2 | 4 | 8) | ("b", 1) => Kind::Unsigned,
        ("f", 4 | 8) => Kind::Float,
        ("U", 1..=LONGEST_TEXT) => return Some(ElementType { kind: Kind::Text, size: 4 * size, big_endian }),
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
        matches!(self.kind, Kind::Signed | Kind::Unsigned)
    }

    /// Whether elements are text, to be read by [`ElementType::read_text`].
    pub fn is_text(self) -> bool {
        self.kind == Kind::Text
    }

    /// Bytes per element.
    pub fn size(self) -> usize {
        self.size
    }

    /// The next element, of text.
    pub fn read_text(self, source: &mut impl Read) -> io::Result<String> {
        let mut bytes = vec![0; self.size];
        source.read_exact(&mut bytes)?;
        let code = |word: &[u8]| {
            let word = word.try_into().unwrap_or_default();
            if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
        };
        let codes = bytes.chunks_exact(4).map(code).take_while(|code| *code != 0);
        Ok(codes.map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }

    /// The next element, of numbers.
    pub fn read(self, source: &mut impl Read) -> io::Result<Element> {
        let mut bytes = [0; 8];
        let Some(element) = bytes.get_mut(..self.size) else {
            return Err(io::Error::other("text where a number was expected"));
        };
        source.read_exact(element)?;
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
            Kind::Float | Kind::Text => Element::Float(f64::from_bits(bits)),
        })
    }
}

/// Writes the header of little-endian elements, `'i8'`, `'f8'` or text.
pub fn write_header(target: &mut impl Write, descr: &str, shape: &[u64]) -> io::Result<()> {
    let mut text = format!("{{'descr': '<{descr}', 'fortran_order': False, 'shape': {}, }}", shown_shape(shape));
    // Data starts at a multiple of 64 bytes; 10 are the signature, version and header length.
    while (10 + text.len() + 1) % 64 != 0 {
        text.push(' ');
    }
    text.push('\n');
    target.write_all(b"\x93NUMPY\x01\x00")?;
    target.write_all(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes())?;
    target.write_all(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of element at its ends, in both orders of bytes.
    #[test]
    fn elements_are_their_numbers() {
        for size in [1_usize, 2, 4, 8] {
            let (low, high) = (-(1_i128 << (8 * size - 1)), (1_i128 << (8 * size - 1)) - 1);
            let cases = [("i", low), ("i", -2), ("i", 0), ("i", high), ("u", 0), ("u", 2 * high + 1)];
            for (kind, number) in cases {
                for (order, little) in [("<", true), (">", false)] {
                    let mut bytes = number.to_le_bytes()[..size].to_vec();
                    if !little {
                        bytes.reverse();
                    }
                    let element = parse_descr(&format!("{order}{kind}{size}")).unwrap();
                    assert_eq!(element.read(&mut &bytes[..]).unwrap(), Element::Integer(number), "{order}{kind}{size}");
                }
            }
        }
        let read = |descr: &str, bytes: &[u8]| parse_descr(descr).unwrap().read(&mut &bytes[..]).unwrap();
        assert_eq!(read("<f4", &(-0.1_f32).to_le_bytes()), Element::Float((-0.1_f32).into()));
        assert_eq!(read(">f4", &(-0.1_f32).to_be_bytes()), Element::Float((-0.1_f32).into()));
        assert_eq!(read("<f8", &(-0.1_f64).to_le_bytes()), Element::Float(-0.1));
        assert_eq!(read(">f8", &(-0.1_f64).to_be_bytes()), Element::Float(-0.1));
        assert_eq!(read("|b1", &[1]), Element::Integer(1));
        for wrong in ["<i3", "<f2", "<c8", "=i4", "i4", "<U0", "<", ""] {
            assert_eq!(parse_descr(wrong), None, "{wrong}");
        }
    }

    /// NumPy wants the data to start at a multiple of 64 bytes.
    #[test]
    fn headers_are_read_back_and_end_at_multiples_of_64() {
        for shape in [vec![], vec![7], vec![1, 20, 300], vec![1 << 40, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let mut bytes = Vec::new();
            write_header(&mut bytes, "f8", &shape).unwrap();
            assert_eq!((bytes.len() % 64, bytes.last()), (0, Some(&b'\n')), "{shape:?}");
            let header = read_header(&mut &bytes[..]).unwrap();
            assert_eq!((header.shape, header.element.size(), header.element.is_integer()), (shape, 8, false));
        }
    }
}
