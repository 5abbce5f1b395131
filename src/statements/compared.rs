//! Two sides, and whether the relation that the paper claims holds between them.

use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use std::borrow::ToOwned;
use std::string::{String, ToString};
use std::vec;

/// What a statement says of its two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// lhs = rhs.
    Equal,
    /// lhs ≤ rhs.
    AtMost,
    /// A property that is true or false.
    True,
}

/// A side as it is shown.
#[derive(Debug, Clone)]
pub enum Side {
    /// The number.
    Exact(Q),
    /// The nearest double to an end of an enclosure.
    Float(f64),
    /// No number.
    Text(String),
}

/// A comparison: decided where the sides are rationals; where they are enclosures, only if these decide it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The left side.
    pub lhs: Side,
    /// The right side.
    pub rhs: Side,
    /// How far the relation is missed by: 0 where it holds.
    pub residual: Side,
    /// What is claimed.
    pub relation: Relation,
    /// Whether it holds; `None` where the enclosures do not decide.
    pub holds: Option<bool>,
}

/// Equality of two numbers: residual |lhs − rhs|, which must be 0.
#[must_use]
pub fn equal(lhs: Q, rhs: Q) -> Compared {
    let residual = (lhs.clone() - &rhs).abs();
    let holds = Some(residual.is_zero());
    let (lhs, rhs, residual) = (Side::Exact(lhs), Side::Exact(rhs), Side::Exact(residual));
    Compared { lhs, rhs, residual, relation: Relation::Equal, holds }
}

/// Equality of two vectors, shown at the component where they are furthest apart.
#[must_use]
pub fn equal_vectors(lhs: &[Q], rhs: &[Q]) -> Compared {
    if lhs.len() != rhs.len() || lhs.is_empty() {
        return truth(false);
    }
    let gap = |i: usize| (lhs[i].clone() - &rhs[i]).abs();
    let worst = (1..lhs.len()).fold(0, |worst, i| if gap(i) > gap(worst) { i } else { worst });
    let valid = lhs.iter().chain(rhs).all(Field::is_valid);
    let compared = equal(lhs[worst].clone(), rhs[worst].clone());
    Compared { holds: compared.holds.map(|holds| holds && valid), ..compared }
}

/// A vector that must be 0.
#[must_use]
pub fn zero_vector(residual: &[Q]) -> Compared {
    equal_vectors(residual, &vec![Q::zero(); residual.len()])
}

/// lhs ≤ rhs: residual max(lhs − rhs, 0), which must be 0.
#[must_use]
pub fn at_most(lhs: Q, rhs: Q) -> Compared {
    let excess = lhs.clone() - &rhs;
    let residual = Side::Exact(if excess > Q::zero() { excess } else { Q::zero() });
    let holds = Some(lhs <= rhs);
    Compared { lhs: Side::Exact(lhs), rhs: Side::Exact(rhs), residual, relation: Relation::AtMost, holds }
}

/// lhs ≤ rhs for enclosed numbers: decided where the enclosures do not overlap, or touch.
#[must_use]
pub fn at_most_enclosed(lhs: &Interval, rhs: &Interval) -> Compared {
    let holds = match (lhs.proves_at_most(rhs), lhs.proves_above(rhs)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let residual = if holds == Some(true) { 0.0 } else { (lhs.upper.clone() - &rhs.lower).to_f64() };
    let (lhs, rhs) = (Side::Float(lhs.upper.to_f64()), Side::Float(rhs.lower.to_f64()));
    Compared { lhs, rhs, residual: Side::Float(residual), relation: Relation::AtMost, holds }
}

/// Equality of enclosed numbers: false where the enclosures are apart, true where they overlap and are at most 2⁻⁸⁰ wide. The
/// residual is the most by which the numbers can differ, or 0 where they agree.
#[must_use]
pub fn equal_enclosed(lhs: &Interval, rhs: &Interval) -> Compared {
    let furthest = |a: &Interval, b: &Interval| (a.upper.clone() - &b.lower).to_f64();
    let holds = if lhs.agrees_to(rhs, 80) {
        Some(true)
    } else if lhs.proves_above(rhs) || rhs.proves_above(lhs) {
        Some(false)
    } else {
        None
    };
    let residual = if holds == Some(true) { 0.0 } else { furthest(lhs, rhs).max(furthest(rhs, lhs)) };
    let (lhs, rhs) = (Side::Float(lhs.lower.to_f64()), Side::Float(rhs.lower.to_f64()));
    Compared { lhs, rhs, residual: Side::Float(residual), relation: Relation::Equal, holds }
}

/// Equality of vectors of enclosed numbers, shown where they are furthest apart.
#[must_use]
pub fn equal_enclosed_vectors(lhs: &[Interval], rhs: &[Interval]) -> Compared {
    let gap = |i: usize| (lhs[i].lower.to_f64() - rhs[i].lower.to_f64()).abs();
    if lhs.len() != rhs.len() || lhs.is_empty() {
        return truth(false);
    }
    let worst = (1..lhs.len()).fold(0, |worst, i| if gap(i) > gap(worst) { i } else { worst });
    equal_enclosed(&lhs[worst], &rhs[worst])
}

/// √x ≤ √a + √b for squares x, a, b, decided without a root: x − a − b ≤ 0 or (x − a − b)² ≤ 4ab.
#[must_use]
pub fn root_at_most_sum(x: &Q, a: &Q, b: &Q) -> Compared {
    let rest = x.clone() - a - b;
    let holds = rest <= Q::zero() || rest.clone() * &rest <= Q::from_int(4) * a * b;
    let root = |x: &Q| libm::sqrt(x.to_f64());
    let (lhs, rhs) = (root(x), root(a) + root(b));
    let residual = Side::Float(if holds { 0.0 } else { lhs - rhs });
    let relation = Relation::AtMost;
    Compared { lhs: Side::Float(lhs), rhs: Side::Float(rhs), residual, relation, holds: Some(holds) }
}

/// A property that is true or false.
#[must_use]
pub fn truth(holds: bool) -> Compared {
    let word = |truth: bool| Side::Text(truth.to_string());
    let residual = Side::Exact(Q::from_int(i64::from(!holds)));
    Compared { lhs: word(holds), rhs: word(true), residual, relation: Relation::True, holds: Some(holds) }
}

/// ∞ ≤ rhs, which fails.
#[must_use]
pub fn infinite_at_most_enclosed(rhs: &Interval) -> Compared {
    let infinite = || Side::Text("∞".to_owned());
    let (lhs, rhs, residual) = (infinite(), Side::Float(rhs.lower.to_f64()), infinite());
    Compared { lhs, rhs, residual, relation: Relation::AtMost, holds: Some(false) }
}
