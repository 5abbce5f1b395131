//! How a flag's value is read, and what is expected where it cannot be.

use crate::data::number::Number;
use crate::data::row::COLUMN_NAMES;
use crate::data::{MARKS, Setting, did_you_mean, shown};
use crate::paper::covariance::Exponent;
use std::num::IntErrorKind;

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
    let text = if text == "0.5" { "1/2" } else { text };
    text.parse().map_err(|_| "expected 1 or 1/2".to_owned())
}

pub fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(n) if n > 0 => Ok(n),
        Err(e) if *e.kind() == IntErrorKind::PosOverflow => Err(format!("expected an integer <= {}", usize::MAX)),
        _ => Err("expected an integer >= 1".to_owned()),
    }
}

pub fn parse_threads(text: &str) -> Result<u16, String> {
    text.parse().ok().filter(|n| (1..=1024).contains(n)).ok_or_else(|| "expected an integer from 1 to 1024".to_owned())
}

pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a seed, an integer from 0 to {}", u64::MAX))
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
