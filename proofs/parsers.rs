//! The parsers of the core: the grammar that every reader of exact numbers shares, and the index of a CSV cell.

use crate::notation::{index, read};

/// A prefix of any bytes.
fn any_text<const N: usize>(bytes: &[u8; N]) -> &[u8] {
    let length: usize = kani::any();
    // Budget: short texts.
    kani::assume(length <= N);
    &bytes[..length]
}

/// The grammar of numbers, on up to 4 arbitrary bytes, never panics; what it accepts are digits, and a denominator is not 0.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(8)]
fn notation_of_four_bytes() {
    let bytes: [u8; 4] = kani::any();
    let text = any_text(&bytes);
    if let Some(number) = read(text) {
        let all_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        assert!(!number.whole.is_empty() && all_digits(number.whole) && all_digits(number.fraction));
        assert!(number.exponent <= 9_999);
        assert!(number.denominator.is_none_or(|q| all_digits(q) && q.iter().any(|&b| b > b'0')));
        kani::cover!(number.denominator.is_some() && number.negative, "a quotient");
        kani::cover!(!number.fraction.is_empty(), "a decimal");
        kani::cover!(number.shrinks && number.exponent > 0, "an exponent");
    }
}

/// The index of a CSV cell of up to 12 arbitrary bytes: never a panic, and digits alone are accepted.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(14)]
fn index_of_twelve_bytes() {
    let bytes: [u8; 12] = kani::any();
    let text = any_text(&bytes);
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    assert!(index(text).is_some() == digits);
    kani::cover!(index(text) == Some(120_000_000_000), "twelve digits");
}
