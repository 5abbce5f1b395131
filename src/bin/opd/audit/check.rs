//! One line of an audit: a statement, the two sides that are compared, and the verdict.

use super::interval::Interval;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use serde::{Serialize, Serializer};

/// What came of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The statement holds here.
    Holds,
    /// It does not: the audit fails.
    Fails,
    /// Print's claim fails here, as the errata say.
    Erratum,
    /// Print's claim is one of the errata, but holds on this instance.
    ErratumNotShown,
    /// The instance lacks what the statement assumes.
    NotApplicable,
}

/// A side of a comparison.
#[derive(Debug, Clone)]
pub enum Side {
    Exact(BigRational),
    Float(f64),
    Text(String),
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(x) => serializer.collect_str(x),
            Self::Float(x) => serializer.collect_str(&format_args!("{x:?}")),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A statement on an instance.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    pub statement: String,
    pub compares: String,
    pub lhs: Side,
    pub rhs: Side,
    pub residual: Side,
    pub status: Status,
}

/// The comparison that a check function returns; the table adds the statement's name.
pub struct Compared {
    pub lhs: Side,
    pub rhs: Side,
    pub residual: Side,
    pub holds: bool,
}

/// Equality of two numbers: residual |lhs − rhs|, which must be 0.
pub fn equal(lhs: BigRational, rhs: BigRational) -> Compared {
    let residual = (lhs.clone() - &rhs).abs();
    let holds = residual.is_zero();
    Compared { lhs: Side::Exact(lhs), rhs: Side::Exact(rhs), residual: Side::Exact(residual), holds }
}

/// Equality of two vectors, shown at the component where they are furthest apart.
pub fn equal_vectors(lhs: &[BigRational], rhs: &[BigRational]) -> Compared {
    if lhs.len() != rhs.len() || lhs.is_empty() {
        return truth(false);
    }
    let gap = |i: usize| (lhs[i].clone() - &rhs[i]).abs();
    let worst = (1..lhs.len()).fold(0, |worst, i| if gap(i) > gap(worst) { i } else { worst });
    let valid = lhs.iter().chain(rhs).all(Field::is_valid);
    let compared = equal(lhs[worst].clone(), rhs[worst].clone());
    Compared { holds: compared.holds && valid, ..compared }
}

/// A vector that must be 0.
pub fn zero_vector(residual: &[BigRational]) -> Compared {
    equal_vectors(residual, &vec![BigRational::zero(); residual.len()])
}

/// lhs ≤ rhs: residual max(lhs − rhs, 0), which must be 0.
pub fn at_most(lhs: BigRational, rhs: BigRational) -> Compared {
    let excess = lhs.clone() - &rhs;
    let residual = if excess > BigRational::zero() { excess } else { BigRational::zero() };
    let holds = lhs <= rhs;
    Compared { lhs: Side::Exact(lhs), rhs: Side::Exact(rhs), residual: Side::Exact(residual), holds }
}

/// lhs ≤ rhs in floating point, where a root or a logarithm is involved; lhs and rhs are far apart when it holds.
pub fn at_most_float(lhs: f64, rhs: f64) -> Compared {
    let residual = (lhs - rhs).max(0.0);
    Compared { lhs: Side::Float(lhs), rhs: Side::Float(rhs), residual: Side::Float(residual), holds: lhs <= rhs }
}

/// lhs ≤ rhs for numbers known to lie in intervals: holds only where the intervals prove it.
pub fn at_most_enclosed(lhs: &Interval, rhs: &Interval) -> Compared {
    let (left, right) = (lhs.upper.to_f64(), rhs.lower.to_f64());
    let holds = lhs.proves_at_most(rhs);
    let residual = if holds { 0.0 } else { (lhs.upper.clone() - &rhs.lower).to_f64() };
    Compared { lhs: Side::Float(left), rhs: Side::Float(right), residual: Side::Float(residual), holds }
}

/// Equality of numbers known to lie in intervals: these overlap, and are at most 2⁻⁸⁰ wide. The residual is the most by which
/// the numbers can differ, or 0 where they agree.
pub fn equal_enclosed(lhs: &Interval, rhs: &Interval) -> Compared {
    let furthest = |a: &Interval, b: &Interval| (a.upper.clone() - &b.lower).to_f64();
    let holds = lhs.agrees_to(rhs, 80);
    let residual = if holds { 0.0 } else { furthest(lhs, rhs).max(furthest(rhs, lhs)) };
    let (left, right) = (lhs.lower.to_f64(), rhs.lower.to_f64());
    Compared { lhs: Side::Float(left), rhs: Side::Float(right), residual: Side::Float(residual), holds }
}

/// Equality of two vectors of doubles to the bit, where an exponential is involved, shown where they are furthest apart.
pub fn equal_float(lhs: &[f64], rhs: &[f64]) -> Compared {
    let gap = |i: usize| (lhs[i] - rhs[i]).abs();
    let worst = (1..lhs.len()).fold(0, |worst, i| if gap(i) > gap(worst) { i } else { worst });
    let (lhs, rhs, residual) = (lhs[worst], rhs[worst], gap(worst));
    Compared { lhs: Side::Float(lhs), rhs: Side::Float(rhs), residual: Side::Float(residual), holds: residual == 0.0 }
}

/// √x ≤ √a + √b for squares x, a, b, decided without a root: x − a − b ≤ 0 or (x − a − b)² ≤ 4ab.
pub fn root_at_most_sum(x: &BigRational, a: &BigRational, b: &BigRational) -> Compared {
    let rest = x.clone() - a - b;
    let holds = rest <= BigRational::zero() || rest.clone() * &rest <= BigRational::from_int(4) * a * b;
    let rhs = x_root(a) + x_root(b);
    let residual = if holds { 0.0 } else { x_root(x) - rhs };
    Compared { lhs: Side::Float(x_root(x)), rhs: Side::Float(rhs), residual: Side::Float(residual), holds }
}

fn x_root(x: &BigRational) -> f64 {
    libm::sqrt(x.to_f64())
}

/// A property that is true or false.
pub fn truth(holds: bool) -> Compared {
    let word = |truth: bool| Side::Text(truth.to_string());
    let residual = Side::Exact(BigRational::from_int(i64::from(!holds)));
    Compared { lhs: word(holds), rhs: word(true), residual, holds }
}
