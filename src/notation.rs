//! How numbers are written, without their values: `p/q`, or a decimal with or without an exponent. Nothing here allocates, so the
//! same grammar serves the fixed-width rationals, the big ones, and Kani, for every text of a few bytes.

/// The largest exponent, up or down, so that a short text cannot ask for a number that fills the memory.
const EXPONENT_LIMIT: usize = 9_999;

/// What the messages about malformed numbers say.
pub(crate) const EXPECTED: &str = "p/q or a decimal, like 1/3, -2, 0.1 or 1e-3";

/// The parts of a number as it is written; runs of digits are not empty, unless a part is absent.
#[derive(Debug, PartialEq)]
pub(crate) struct Notation<'a> {
    pub negative: bool,
    /// The digits before the point, or p.
    pub whole: &'a [u8],
    /// The digits after the point; empty without one.
    pub fraction: &'a [u8],
    /// Whether the exponent is below zero.
    pub shrinks: bool,
    /// The exponent's magnitude; 0 without one.
    pub exponent: usize,
    /// q, which is not 0; `None` for a decimal.
    pub denominator: Option<&'a [u8]>,
}

/// The parts of `[+-]p/q` or `[+-]whole[.fraction][(e|E)[+-]exponent]`; `None` for any other text.
pub(crate) fn read(text: &[u8]) -> Option<Notation<'_>> {
    let (negative, magnitude) = signed(text);
    if let Some((p, q)) = split(magnitude, |b| b == b'/') {
        let denominator = Some(digits(q)?).filter(|q| q.iter().any(|&b| b != b'0'));
        denominator?;
        return Some(Notation { negative, whole: digits(p)?, fraction: &[], shrinks: false, exponent: 0, denominator });
    }
    let (mantissa, (shrinks, exponent)) = match split(magnitude, |b| b == b'e' || b == b'E') {
        Some((mantissa, exponent)) => (mantissa, signed(exponent)),
        None => (magnitude, (false, &b"0"[..])),
    };
    let exponent = index(exponent).filter(|&n| n <= EXPONENT_LIMIT)?;
    let (whole, fraction) = match split(mantissa, |b| b == b'.') {
        Some((whole, fraction)) => (whole, digits(fraction)?),
        None => (mantissa, &[][..]),
    };
    Some(Notation { negative, whole: digits(whole)?, fraction, shrinks, exponent, denominator: None })
}

/// The number that decimal digits alone stand for: no sign, no point.
pub(crate) fn index(text: &[u8]) -> Option<usize> {
    digits(text)?.iter().try_fold(0_usize, |n, &byte| n.checked_mul(10)?.checked_add(digit(byte)))
}

/// The value of one of the [`digits`].
pub(crate) fn digit<T: From<u8>>(byte: u8) -> T {
    T::from(byte.wrapping_sub(b'0'))
}

/// `text`, if it is a non-empty run of decimal digits.
fn digits(text: &[u8]) -> Option<&[u8]> {
    if !text.is_empty() && text.iter().all(u8::is_ascii_digit) { Some(text) } else { None }
}

/// Whether a minus sign leads, and what follows the sign.
fn signed(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// What is before and after the first byte that `is_separator`.
fn split(text: &[u8], is_separator: impl Fn(u8) -> bool) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&b| is_separator(b))?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        let plain =
            Notation { negative: false, whole: b"7", fraction: b"", shrinks: false, exponent: 0, denominator: None };
        assert_eq!(read(b"+7"), Some(Notation { ..plain }));
        let all = Notation { negative: true, whole: b"07", fraction: b"50", shrinks: true, exponent: 12, ..plain };
        assert_eq!(read(b"-07.50E-012"), Some(all));
        let quotient = Notation { negative: true, denominator: Some(b"02"), ..plain };
        assert_eq!(read(b"-7/02"), Some(quotient));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "-", "+", "1.", ".5", "nan", "1/0", "1/00", "1/-2", "1/2/3", "1e5/2", "0x10", "1e", "1e+", "--1"]
        {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
        for text in
            ["1e10000", "1e-10000", "1e99999999999999999999999", "1_000", " 1", "1 ", "1.2.3", "1e2e3", "\u{661}"]
        {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn indices_are_digits_that_fit() {
        assert_eq!((index(b"0"), index(b"007"), index(b"18446744073709551615")), (Some(0), Some(7), Some(usize::MAX)));
        assert!([&b""[..], b"-1", b"+1", b"1.0", b"18446744073709551616"].iter().all(|text| index(text).is_none()));
    }
}
