//! How a flag's value is read, and what is expected where it cannot be.

use crate::data::number::Number;
use crate::data::row::COLUMN_NAMES;
use crate::data::{MARKS, Setting, did_you_mean, shown};
use crate::number::Field;
use crate::number::exact::BigRational;
use crate::paper::covariance::Exponent;

pub fn parse_tolerance(text: &str) -> Result<(String, f64), String> {
    let (field, bound) = text.split_once('=').ok_or("expected FIELD=X, like theta=1e-9")?;
    Ok((field.to_owned(), parse_rate(bound)?))
}

pub fn parse_column(text: &str) -> Result<(String, String), String> {
    let known: Vec<&str> = COLUMN_NAMES.into_iter().chain(MARKS).collect();
    let (column, name) = text.split_once('=').ok_or("expected COLUMN=NAME, like x=state")?;
    if known.contains(&column) {
        Ok((column.to_owned(), name.to_owned()))
    } else {
        Err(format!(
            "unknown column {}, expected one of {}{}",
            shown(column),
            known.join(", "),
            did_you_mean(column, &known)
        ))
    }
}

pub fn parse_number(text: &str) -> Result<f64, String> {
    f64::parse(text).map_err(|expected| format!("expected {expected}"))
}

pub fn parse_setting(text: &str) -> Result<Setting, String> {
    Setting::by_name(text).ok_or_else(|| "expected discounted or average".to_owned())
}

pub fn parse_exponent(text: &str) -> Result<Exponent, String> {
    match BigRational::parse(text) {
        Ok(c) if c == BigRational::one() => Ok(Exponent::One),
        Ok(c) if c == BigRational::ratio(1, 2) => Ok(Exponent::Half),
        _ => Err("expected 1 or 1/2".to_owned()),
    }
}

/// The digits of an integer >= 0 as a person writes it: `1000`, `1e3`, `1000.`.
fn digits(text: &str) -> Option<String> {
    let digits = BigRational::parse(text).ok()?.to_string();
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)
}

pub fn parse_count(text: &str) -> Result<usize, String> {
    let digits = digits(text).filter(|digits| digits != "0").ok_or("expected an integer >= 1")?;
    digits.parse().map_err(|_| format!("expected an integer <= {}", usize::MAX))
}

pub fn parse_threads(text: &str) -> Result<u16, String> {
    let threads = digits(text).and_then(|digits| digits.parse().ok()).filter(|n| (1..=1024).contains(n));
    threads.ok_or_else(|| "expected an integer from 1 to 1024".to_owned())
}

pub fn parse_seed(text: &str) -> Result<u64, String> {
    let seed = digits(text).and_then(|digits| digits.parse().ok());
    seed.ok_or_else(|| format!("expected a seed, an integer from 0 to {}", u64::MAX))
}

pub fn parse_state(text: &str) -> Result<usize, String> {
    let state = digits(text).and_then(|digits| digits.parse().ok());
    state.ok_or_else(|| "expected a state, an integer >= 0".to_owned())
}

pub fn parse_rate(text: &str) -> Result<f64, String> {
    match f64::parse(text) {
        Ok(rate) if rate >= 0.0 => Ok(rate),
        Ok(_) => Err("expected a number >= 0".to_owned()),
        Err(expected) => Err(format!("expected {expected}")),
    }
}

/// What is divided by: a radius, an accuracy.
pub fn parse_size(text: &str) -> Result<f64, String> {
    let wrong = || "expected a number > 0".to_owned();
    parse_rate(text).and_then(|size| if size > 0.0 { Ok(size) } else { Err(wrong()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_people_write_them() {
        for text in ["1000", "1e3", "1000.", "1000.0", "10.0e2", "+1000", "2000/2", "0001000"] {
            assert_eq!(parse_count(text), Ok(1000), "{text}");
            assert_eq!((parse_seed(text), parse_state(text), parse_threads(text)), (Ok(1000), Ok(1000), Ok(1000)));
        }
        for text in ["0", "-1", "1.5", "1e-1", "", "x", "1e", "nan"] {
            assert_eq!(parse_count(text), Err("expected an integer >= 1".to_owned()), "{text}");
        }
        assert_eq!(parse_count("1e30"), Err(format!("expected an integer <= {}", usize::MAX)));
        assert_eq!((parse_seed("0"), parse_state("0."), parse_state("-1").is_err()), (Ok(0), Ok(0), true));
        assert_eq!(parse_seed("18446744073709551615"), Ok(u64::MAX));
        assert!(parse_seed("18446744073709551616").is_err() && parse_threads("1025").is_err());
        for text in [".5", "1/2", "0.50", "5e-1", "2/4"] {
            assert_eq!(parse_exponent(text), Ok(Exponent::Half), "{text}");
        }
        assert_eq!((parse_exponent("1.0"), parse_exponent("2").is_err()), (Ok(Exponent::One), true));
    }
}
