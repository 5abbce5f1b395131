//! Exact numbers as text: `"p/q"`, decimals with or without exponent, JSON numbers. `0.1` is 1/10.

use crate::number::Field;
use crate::number::exact::BigRational;
use crate::number::notation;

/// Numbers of which p or q is longer are refused: no measurement has 4096 digits, and reading digits takes more than linear time. Exponents
/// count as the zeros that they stand for, so that every number that is read can be written as `p/q` and read again.
const LONGEST: u64 = 4096;

/// A scalar that can be read from text: exactly, or correctly rounded.
pub trait Number: Field + core::fmt::Display {
    /// The value of `text`; `Err` says what was expected instead.
    fn parse(text: &str) -> Result<Self, &'static str>;

    /// What a double in a file stands for: its shortest decimal, as if it were written out; `None` for infinities and NaN.
    fn from_double(x: f64) -> Option<Self>;

    /// The value of an exact number: itself, or the nearest there is.
    fn nearest(exact: &BigRational) -> Self;
}

impl Number for BigRational {
    fn parse(text: &str) -> Result<Self, &'static str> {
        expect_number(text)?;
        text.parse().map_err(|_| NO_NUMBER)
    }

    fn from_double(x: f64) -> Option<Self> {
        if x.fract() == 0.0 {
            return Self::from_f64(x).ok();
        }
        format!("{x:e}").parse().ok()
    }

    fn nearest(exact: &BigRational) -> Self {
        exact.clone()
    }
}

impl Number for f64 {
    /// The double nearest to the exact value.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let value = match text.parse::<f64>() {
            // The standard library rounds decimals correctly, but also reads `inf` and `nan`.
            Ok(value) if expect_number(text).is_ok() => value,
            _ => BigRational::parse(text)?.to_f64(),
        };
        if value.is_finite() { Ok(value) } else { Err("a number within the range of a double") }
    }

    fn from_double(x: f64) -> Option<Self> {
        x.is_finite().then_some(x)
    }

    fn nearest(exact: &BigRational) -> Self {
        exact.to_f64()
    }
}

const NO_NUMBER: &str = "a number: an integer, a decimal or \"p/q\" with q > 0";

/// That `text` is in the one grammar of numbers, and neither p nor q too long.
fn expect_number(text: &str) -> Result<(), &'static str> {
    let number = notation::read(text.as_bytes(), 0_u64, |digits, _digit| digits + 1).ok_or(NO_NUMBER)?;
    let zeros = number.power.unsigned_abs();
    let (p, q) = match number.denominator {
        Some(q) => (number.digits, q),
        None if number.power < 0 => (number.digits, 1 + zeros),
        None => (number.digits + zeros, 1),
    };
    if p.max(q) > LONGEST { Err("a number of at most 4096 digits, its exponent's zeros among them") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_exactly() {
        let exact = |text: &str| BigRational::parse(text).map(|x| x.to_string());
        for (text, value) in [
            ("0.1", "1/10"),
            ("-2.50", "-5/2"),
            ("1e-3", "1/1000"),
            ("12.5E+1", "125"),
            ("6/4", "3/2"),
            ("-1/3", "-1/3"),
            ("+7", "7"),
            (".01", "1/100"),
            ("-5.", "-5"),
            ("0.333333333333333333333333333333", "333333333333333333333333333333/1000000000000000000000000000000"),
        ] {
            assert_eq!(exact(text).as_deref(), Ok(value), "{text}");
        }
    }

    #[test]
    fn every_number_that_is_read_can_be_written_and_read_again() {
        let (sevens, nines) = ("7".repeat(4095), "9".repeat(4096));
        let (decimal, quotient) = (format!("-.{sevens}"), format!("{nines}/{sevens}7"));
        for text in [&decimal, &quotient, &nines, "1e4095", "1e-4095", "-12.5e4094", "7e-4095"] {
            let value = BigRational::parse(text).unwrap();
            assert_eq!(BigRational::parse(&value.to_string()).as_ref(), Ok(&value), "{text}");
        }
        for text in
            [&format!("{decimal}7"), &format!("1/{nines}9"), &format!("{nines}.9"), "1e4096", "1e-4096", "12e4095"]
        {
            assert!(BigRational::parse(text).unwrap_err().contains("4096 digits"), "{text}");
            assert!(f64::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let long = "1".repeat(4097);
        for text in [
            "", "-", ".", "-.", "nan", "inf", "1/0", "1/-2", "1/2/3", "0x10", "1e", "1e99999", "0e99999", "1e-99999",
            "1_000", " 1", &long,
        ] {
            assert!(BigRational::parse(text).is_err(), "{text}");
            assert!(f64::parse(text).is_err(), "{text}");
        }
        assert!(f64::parse("1e400").is_err());
    }

    #[test]
    fn doubles_are_correctly_rounded() {
        // Halfway between 2^53 and its neighbour: ties go to even; a hair above the tie goes up.
        for (text, value) in [
            ("9007199254740993/1", 9_007_199_254_740_992.0),
            ("90071992547409930000000000000000001/10000000000000000000", 9_007_199_254_740_994.0),
            ("1/3", 1.0 / 3.0),
            ("-1/10", -0.1),
            ("0.1", 0.1),
            ("123456789012345678901234567890/123456789012345678901234567891", 1.0),
        ] {
            assert_eq!(f64::parse(text).map(f64::to_bits), Ok(f64::to_bits(value)), "{text}");
        }
    }

    #[test]
    fn both_roads_to_a_double_agree() {
        // A decimal is read by the standard library, the same number as a fraction by way of the exact rational.
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (digits, places) = (state >> 3, state % 19);
            let decimal = format!("{digits}e-{places}");
            let fraction = format!("{digits}/1{}", "0".repeat(usize::try_from(places).unwrap()));
            assert_eq!(f64::parse(&decimal).unwrap().to_bits(), f64::parse(&fraction).unwrap().to_bits(), "{decimal}");
        }
    }
}
