//! How numbers are written: `p/q`, or a decimal with or without an exponent. One pass from left to right, and nothing here allocates:
//! the same grammar serves the fixed-width rationals, the big ones, and Kani, for every text of a few bytes.

/// The largest exponent, up or down, so that a short text cannot ask for a number that fills the memory.
const EXPONENT_LIMIT: i64 = 9_999;

/// What the messages about malformed numbers say.
pub(crate) const EXPECTED: &str = "p/q or a decimal, like 1/3, -2, 0.1 or 1e-3";

/// A number as it is written: ±digits·10^power, or ±digits/denominator. What a run of digits becomes, its reader says.
#[derive(Debug, PartialEq)]
pub(crate) struct Notation<N> {
    pub negative: bool,
    /// All digits of a decimal on either side of its point, or p.
    pub digits: N,
    /// The exponent less the number of digits after the point; 0 for a quotient.
    pub power: i64,
    /// q, which is not 0; `None` for a decimal.
    pub denominator: Option<N>,
}

/// What the bytes so far are the beginning of.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Start,
    Sign,
    Whole,
    /// A point after digits.
    Point,
    /// A point with no digits before it.
    Bare,
    Fraction,
    E,
    ExponentSign,
    Exponent,
    /// `p/`, and no digit or only zeros after it.
    Slash,
    Denominator,
}

impl Place {
    /// The grammar: `[+-]p/q` with q ≠ 0, or `[+-]whole[.fraction][(e|E)[+-]exponent]`, where no run of digits is empty, but one of `whole`
    /// and `fraction` may be: `.5`, `5.`.
    fn after(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Start, b'+' | b'-') => Self::Sign,
            (Self::Start | Self::Sign | Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Whole, b'.') => Self::Point,
            (Self::Start | Self::Sign, b'.') => Self::Bare,
            (Self::Point | Self::Bare | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Whole | Self::Point | Self::Fraction, b'e' | b'E') => Self::E,
            (Self::E, b'+' | b'-') => Self::ExponentSign,
            (Self::E | Self::ExponentSign | Self::Exponent, b'0'..=b'9') => Self::Exponent,
            (Self::Whole, b'/') | (Self::Slash, b'0') => Self::Slash,
            (Self::Slash, b'1'..=b'9') | (Self::Denominator, b'0'..=b'9') => Self::Denominator,
            _ => return None,
        })
    }

    /// Whether a number may end here.
    fn is_end(self) -> bool {
        matches!(self, Self::Whole | Self::Point | Self::Fraction | Self::Exponent | Self::Denominator)
    }
}

/// The number that `text` writes; `None` for any other text. Runs of digits begin as `empty` and grow by `append`.
pub(crate) fn read<N: Clone>(text: &[u8], empty: N, append: impl Fn(N, u8) -> N) -> Option<Notation<N>> {
    let (mut place, mut negative, mut shrinks) = (Place::Start, false, false);
    let (mut digits, mut denominator) = (empty.clone(), empty);
    let (mut places, mut exponent) = (0, 0);
    for &byte in text {
        place = place.after(byte)?;
        let digit = byte.wrapping_sub(b'0');
        match place {
            Place::Sign => negative = byte == b'-',
            Place::ExponentSign => shrinks = byte == b'-',
            Place::Whole => digits = append(digits, digit),
            Place::Fraction => (digits, places) = (append(digits, digit), places + 1),
            Place::Exponent => exponent = Some(10 * exponent + i64::from(digit)).filter(|n| *n <= EXPONENT_LIMIT)?,
            Place::Denominator => denominator = append(denominator, digit),
            Place::Start | Place::Point | Place::Bare | Place::E | Place::Slash => {}
        }
    }
    let power = if shrinks { -exponent } else { exponent } - places;
    let denominator = Some(denominator).filter(|_| place == Place::Denominator);
    if place.is_end() { Some(Notation { negative, digits, power, denominator }) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<Notation<String>> {
        read(text.as_bytes(), String::new(), |digits, digit| format!("{digits}{digit}"))
    }

    #[test]
    fn parts_are_found() {
        let number =
            |negative, digits: &str, power| Notation { negative, digits: digits.into(), power, denominator: None };
        assert_eq!(parts("+7"), Some(number(false, "7", 0)));
        assert_eq!(parts("0.10"), Some(number(false, "010", -2)));
        assert_eq!(parts("-07.50E-012"), Some(number(true, "0750", -14)));
        assert_eq!(parts("1.5e+9999"), Some(number(false, "15", 9_998)));
        assert_eq!(
            (parts(".50"), parts("5."), parts("5.e2")),
            (Some(number(false, "50", -2)), Some(number(false, "5", 0)), Some(number(false, "5", 2)))
        );
        let quotient = |q: &str| Some(Notation { denominator: Some(q.into()), ..number(true, "07", 0) });
        assert_eq!((parts("-07/2"), parts("-07/0020")), (quotient("2"), quotient("20")));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "-", "+", ".", "-.", ".e1", "nan", "1/0", "1/00", "1/-2", "1/2/3", "1e5/2", "0x10", "1e", "1e+", "--1"]
        {
            assert_eq!(parts(text), None, "{text}");
        }
        for text in
            ["1e10000", "1e-10000", "1e99999999999999999999999", "1_000", " 1", "1 ", "1.2.3", "1e2e3", "\u{661}"]
        {
            assert_eq!(parts(text), None, "{text}");
        }
        for text in ["1/", "/2", "1/2.5", "1.5/2", "1/2e3", "1e2.5", "+-1", "1-", "1e-", "1e-+2", "1e2-"] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
