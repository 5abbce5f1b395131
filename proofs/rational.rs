//! The fixed-width rational at 8 bits, for every input. `Rational64` is the same source.

use super::properties::{
    Operation, rational_invalid_absorbs, rational_is_in_range, rational_new_is_exact, rational_order_is_exact,
};
use crate::number::rational::Rational8;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A pair that is not in lowest terms, whichever: a result that is none of them is in lowest terms.
static NOT_LOWEST: [AtomicU8; 2] = [AtomicU8::new(0), AtomicU8::new(0)];

fn is_not_lowest(numerator: u8, denominator: u8) -> bool {
    numerator == NOT_LOWEST[0].load(Relaxed) && denominator == NOT_LOWEST[1].load(Relaxed)
}

/// Stands for the gcd: whatever number but 0 it returns, no operation may panic or wrap. `rational_new` is about the gcd itself.
fn any_divisor(a: u8, b: u8) -> u8 {
    assert!(b != 0);
    let divisor: u8 = kani::any();
    // Precondition: a gcd is not 0, not above the numbers that are not 0, and leaves no pair that is not in lowest terms.
    kani::assume(divisor > 0 && divisor <= b && !is_not_lowest(a / divisor, b / divisor));
    divisor
}

/// The same for the gcd of products, which `tests/properties.rs` checks by enumeration.
fn any_wide_divisor(a: i16, b: i16) -> i16 {
    assert!(a >= 0 && b > 0);
    let divisor: i16 = kani::any();
    // Precondition: a gcd is not 0, not above the numbers that are not 0, and leaves no pair that is not in lowest terms.
    kani::assume(divisor > 0 && divisor <= b && !leaves(a / divisor, b / divisor));
    divisor
}

fn leaves(p: i16, q: i16) -> bool {
    p < 256 && q < 256 && is_not_lowest(p as u8, q as u8)
}

/// Stands for the gcd where none is needed: the numbers stay as they are, in lowest terms or not.
fn no_divisor(_a: u8, _b: u8) -> u8 {
    1
}

/// Every rational of 8-bit parts, in lowest terms or not.
fn any_rational() -> Rational8 {
    let x = Rational8::new(kani::any(), kani::any());
    // Precondition: a valid rational.
    kani::assume(x.is_ok());
    x.unwrap_or(Rational8::INVALID)
}

fn in_range(operation: Operation) {
    let (x, y) = (any_rational(), any_rational());
    assert!(rational_is_in_range(operation, x, y));
    kani::cover!(x.numerator() == 1 && x.denominator() == 3 && y.denominator() == 2, "thirds and halves");
}

/// Every quotient of two i8 is normalised and exact, or refused.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(13)]
fn rational_new() {
    let (n, d): (i8, i8) = kani::any();
    assert!(rational_new_is_exact(n, d));
    kani::cover!(d < 0 && n == 6, "a negative denominator");
}

/// What every operation ends in: any 16-bit numerator over any 16-bit denominator comes out in range and in lowest terms, or invalid.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_lowest_terms() {
    let pair: [u8; 2] = kani::any();
    // Precondition: n/1 and 1/d are in lowest terms.
    kani::assume(pair[0] != 1 && pair[1] > 1);
    NOT_LOWEST[0].store(pair[0], Relaxed);
    NOT_LOWEST[1].store(pair[1], Relaxed);
    let (n, d): (i16, i16) = kani::any();
    // Precondition: |ab ± cd| for |a|, |b|, |c|, |d| ≤ 127; the operations' harnesses check that nothing wraps.
    kani::assume(n.unsigned_abs() <= 32_258 && d.unsigned_abs() <= 32_258);
    let z = Rational8::reduced(n, d);
    let (p, q) = (z.numerator().unsigned_abs(), z.denominator().unsigned_abs());
    assert!(z.denominator() >= 0 && p < 128 && (q > 0 || p == 0));
    assert!(q == 0 || !is_not_lowest(p, q));
    kani::cover!(pair == [2, 4] && n == 300 && q == 2, "halves that were not");
}

/// A sum neither panics nor wraps: it is in range, or the error.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_add() {
    in_range(Operation::Add);
}

/// A difference neither panics nor wraps.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_sub() {
    in_range(Operation::Sub);
}

/// A product neither panics nor wraps.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_mul() {
    in_range(Operation::Mul);
}

/// A quotient neither panics nor wraps; division by 0 is an error.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_div() {
    in_range(Operation::Div);
}

/// Comparisons are those of the numbers, in lowest terms or not.
#[kani::proof]
#[kani::solver(z3)]
#[kani::stub(crate::number::rational::Rational8::gcd, no_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_order() {
    let (x, y) = (any_rational(), any_rational());
    assert!(rational_order_is_exact(x, y));
    kani::cover!(x < y, "less");
    kani::cover!(x.numerator() == 2 && y.numerator() == 4, "equal or not");
}

/// The invalid value absorbs every operation.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::stub(crate::number::rational::Rational8::gcd, any_divisor)]
#[kani::stub(crate::number::rational::Rational8::wide_gcd, any_wide_divisor)]
fn rational_invalid() {
    let x = any_rational();
    for operation in [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div] {
        assert!(rational_invalid_absorbs(operation, x));
    }
    kani::cover!(x.denominator() == 5, "a fraction");
}
