//! The fixed-width rational at 8 bits, for every input, and numbers from text. `Rational64` is the same source at another width.

use super::library::error::Result;
use super::library::number::Field;
use super::library::number::rational::Rational8;

/// The exact value of an operation on two 8-bit rationals, as numerator and denominator, before it has to fit.
type Wide = (i32, i32);

fn parts(x: Rational8) -> Wide {
    (x.numerator().into(), x.denominator().into())
}

/// One of the four operations of [`Rational8`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
}

/// What the library computes, and the integers that it should be the quotient of.
fn operate(operation: Operation, x: Rational8, y: Rational8) -> (Result<Rational8>, Wide) {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    match operation {
        Operation::Add => (x.checked_add(y), (a * d + c * b, b * d)),
        Operation::Sub => (x.checked_sub(y), (a * d - c * b, b * d)),
        Operation::Mul => (x.checked_mul(y), (a * c, b * d)),
        Operation::Div => (x.checked_div(y), (a * d, b * c)),
    }
}

/// The greatest common divisor, by Euclid; not the library's.
fn euclid(n: i32, d: i32) -> u32 {
    let (mut divisor, mut rest) = (d.unsigned_abs(), n.unsigned_abs());
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    divisor
}

/// The result is exact and in lowest terms, or an error where the exact value is no number or has no terms of at most 127.
pub fn rational_is_exact(operation: Operation, x: Rational8, y: Rational8) -> bool {
    let (result, (n, d)) = operate(operation, x, y);
    if let Ok(value) = result {
        let (p, q) = parts(value);
        q > 0 && euclid(p, q) == 1 && p * d == n * q
    } else {
        let divisor = euclid(n, d);
        d == 0 || n.unsigned_abs() / divisor > 127 || d.unsigned_abs() / divisor > 127
    }
}

/// In range with a positive denominator, or an error.
pub fn rational_in_range(result: Result<Rational8>) -> bool {
    result.is_err() || result.is_ok_and(|x| x.denominator() > 0 && x.numerator() > i8::MIN && x.is_valid())
}

/// n/d is in lowest terms and has that value, or is refused: for d = 0, or where lowest terms do not fit.
pub fn rational_new_is_exact(n: i8, d: i8) -> bool {
    match Rational8::new(n, d) {
        Ok(x) => {
            let (p, q) = parts(x);
            d != 0 && q > 0 && euclid(p, q) == 1 && p * i32::from(d) == i32::from(n) * q
        }
        // Only −128 has no counterpart of the other sign.
        Err(_) => d == 0 || n == i8::MIN || d == i8::MIN,
    }
}

/// The order of rationals is that of the numbers they stand for.
pub fn rational_order_is_exact(x: Rational8, y: Rational8) -> bool {
    let product = |m: i8, n: i8| i16::from(m) * i16::from(n);
    let order = product(x.numerator(), y.denominator()).cmp(&product(y.numerator(), x.denominator()));
    x.partial_cmp(&y) == Some(order)
}

/// Equality is equality of numbers, because lowest terms are unique.
pub fn rational_equality_is_exact(x: Rational8, y: Rational8) -> bool {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    (x == y) == (a * d == c * b)
}

/// INVALID absorbs: every operation with it is an error, and it neither equals nor orders.
pub fn rational_invalid_absorbs(operation: Operation, x: Rational8) -> bool {
    let invalid = Rational8::INVALID;
    operate(operation, x, invalid).0.is_err()
        && operate(operation, invalid, x).0.is_err()
        && invalid.partial_cmp(&x).is_none()
        && invalid != x
}

#[cfg(kani)]
mod harnesses {
    use super::*;
    use crate::number::rational::Rational64;
    use core::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

    /// What `reduced` was asked for, if it was, or what a divisor was.
    static ASKED: AtomicBool = AtomicBool::new(false);
    static TERMS: [AtomicI16; 2] = [AtomicI16::new(0), AtomicI16::new(0)];

    /// Any two terms that a rational can have, in lowest terms or not.
    fn any_rational() -> Rational8 {
        let x: Rational8 = kani::any();
        // Precondition: a valid rational.
        kani::assume(x.numerator() > i8::MIN && x.denominator() > 0);
        x
    }

    /// Stands for `reduced`: notes what it is asked for. Contract: anything, but the error for a denominator 0, as `rational_reduced` proves.
    fn any_reduced(n: i16, d: i16) -> Rational8 {
        ASKED.store(true, Relaxed);
        TERMS[0].store(n, Relaxed);
        TERMS[1].store(d, Relaxed);
        if d != 0 && kani::any() { any_rational() } else { Rational8::INVALID }
    }

    /// What comes out is `reduced` of the cross-multiplied integers, or of a ± c over a common denominator; or it is known without, and the quotient of these.
    fn is_cross_multiplied(operation: Operation) {
        let (x, y) = (any_rational(), any_rational());
        let (result, (n, d)) = operate(operation, x, y);
        let asked = (i32::from(TERMS[0].load(Relaxed)), i32::from(TERMS[1].load(Relaxed)));
        if ASKED.load(Relaxed) {
            let ((a, b), (c, _)) = (parts(x), parts(y));
            let over_common = match operation {
                Operation::Add => (a + c, b),
                Operation::Sub => (a - c, b),
                Operation::Mul | Operation::Div => (n, d),
            };
            assert!(asked == if x.denominator() == y.denominator() { over_common } else { (n, d) });
        } else {
            assert!(result.is_ok_and(|value| parts(value).0 * d == n * parts(value).1));
        }
        assert!(d != 0 || result.is_err());
        kani::cover!(ASKED.load(Relaxed) && result.is_ok(), "a result");
        kani::cover!(result.is_err(), "an error");
        kani::cover!(y.numerator() == -127 && y.denominator() == 127, "the greatest terms");
    }

    /// `reduced_narrow` keeps its contract: of any two i8, the second not 0, it is the same quotient, with a positive denominator, or the error, and that only where one is −128.
    ///
    /// Seen to fail: a gcd of twice the size.
    #[kani::proof_for_contract(Rational8::reduced_narrow)]
    #[kani::solver(cadical)]
    #[kani::unwind(13)]
    fn narrow_quotients_are_kept() {
        let (n, d): (i8, i8) = kani::any();
        let x = Rational8::reduced_narrow(n, d);
        kani::cover!(x.numerator() == -3 && n == 36 && d == -48, "a quotient");
    }

    /// Stands for `gcd`, which `rational_new` executes for all 8-bit numbers: a divisor of both, which is noted.
    fn divisor(a: u8, b: u8) -> u8 {
        let divisor: u8 = kani::any();
        // Contract: a common divisor; that it is the greatest, `rational_new` proves.
        kani::assume(divisor > 0 && noted(divisor.into(), a.into(), b.into()));
        divisor
    }

    /// Stands for `wide_gcd`.
    fn wide_divisor(a: i16, b: i16) -> i16 {
        assert!(a >= 0 && b > 0);
        let divisor: i16 = kani::any();
        // Contract: a common divisor; that it is the greatest, `tests/properties.rs` finds by enumeration.
        kani::assume(divisor > 0 && noted(divisor, a, b));
        divisor
    }

    /// Whether it divides both; the quotients are noted.
    fn noted(divisor: i16, a: i16, b: i16) -> bool {
        let (x, y): (i16, i16) = kani::any();
        TERMS[0].store(x, Relaxed);
        TERMS[1].store(y, Relaxed);
        let product = |q: i16| i32::from(q) * i32::from(divisor);
        x >= 0 && y >= 0 && x <= a && y <= b && product(x) == i32::from(a) && product(y) == i32::from(b)
    }

    /// `reduced` of all 16-bit integers (but the least, which no product is) is the quotient of both by their gcd, with the sign in the numerator; the error exactly where the
    /// denominator is 0 or these quotients exceed 127.
    ///
    /// Seen to fail: a numerator that wraps.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::gcd, divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
    fn rational_reduced() {
        let (n, d): (i16, i16) = kani::any();
        // Precondition: a product of two 8-bit numbers, or a sum of two such.
        kani::assume(n > i16::MIN && d > i16::MIN);
        TERMS[0].store(n.abs(), Relaxed);
        TERMS[1].store(d.abs(), Relaxed);
        let reduced = Rational8::reduced(n, d);
        // Where the denominator is 1, no divisor is asked for, and these are the terms themselves.
        let (p, q) = (TERMS[0].load(Relaxed), TERMS[1].load(Relaxed));
        let negative = (n < 0) != (d < 0);
        if d != 0 && p <= 127 && q <= 127 {
            let signed = if negative { -p } else { p };
            assert!(i16::from(reduced.numerator()) == signed && i16::from(reduced.denominator()) == q);
        } else {
            assert!(!reduced.is_valid());
        }
        kani::cover!(d == -300 && reduced.is_valid(), "a wide denominator");
        kani::cover!(!reduced.is_valid() && d > 0, "terms that do not fit");
    }

    /// Every quotient of two i8 is in lowest terms and exact, or refused; with the gcd's own loops.
    ///
    /// Seen to fail: a gcd that is always 1.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(13)]
    fn rational_new() {
        let (n, d): (i8, i8) = kani::any();
        assert!(rational_new_is_exact(n, d));
        kani::cover!(d < 0 && n == 6, "a negative denominator");
    }

    /// A sum is `reduced` of the sum of the cross-multiplied integers: all 8-bit operands.
    ///
    /// Seen to fail: the difference for the sum.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::reduced, any_reduced)]
    fn rational_add() {
        is_cross_multiplied(Operation::Add);
    }

    /// A difference likewise.
    ///
    /// Seen to fail: the operands exchanged.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::reduced, any_reduced)]
    fn rational_sub() {
        is_cross_multiplied(Operation::Sub);
    }

    /// A product likewise.
    ///
    /// Seen to fail: the sum of the denominators for their product.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::reduced, any_reduced)]
    fn rational_mul() {
        is_cross_multiplied(Operation::Mul);
    }

    /// A quotient likewise; `reduced` refuses the denominator 0.
    ///
    /// Seen to fail: a·c over b·d.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::reduced, any_reduced)]
    fn rational_div() {
        is_cross_multiplied(Operation::Div);
    }

    /// Comparisons are those of the numbers, in lowest terms or not.
    ///
    /// Seen to fail: n₁d₁ compared with n₂d₂.
    #[kani::proof]
    #[kani::solver(z3)]
    fn rational_order() {
        let (x, y) = (any_rational(), any_rational());
        assert!(rational_order_is_exact(x, y));
        kani::cover!(x < y, "less");
        kani::cover!(x.numerator() == 2 && y.numerator() == 4, "equal or not");
    }

    /// The invalid value absorbs every operation.
    ///
    /// Seen to fail: 0 times the invalid value is 0.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::reduced, any_reduced)]
    fn rational_invalid() {
        let x = any_rational();
        for operation in [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div] {
            assert!(rational_invalid_absorbs(operation, x));
        }
        kani::cover!(x.denominator() == 5, "a fraction");
    }

    /// An 8-bit rational from up to 6 arbitrary bytes: never a panic, never a wrap; it is in range, or an error.
    ///
    /// Seen to fail: a digit appended without a check for overflow.
    #[kani::proof]
    #[kani::solver(minisat)]
    #[kani::unwind(7)]
    #[kani::stub_verified(Rational8::reduced_narrow)]
    fn rational_of_six_bytes() {
        let bytes: [u8; 6] = kani::any();
        let length: usize = kani::any();
        // Budget: short texts.
        kani::assume(length <= 6);
        let read = Rational8::from_bytes(&bytes[..length]);
        assert!(rational_in_range(read));
        kani::cover!(bytes == *b"-36/48" && read.is_ok(), "a quotient");
        kani::cover!(bytes == *b"12.5e1" && read.is_ok(), "a decimal");
    }

    /// Stands for the 64-bit gcd where lowest terms do not matter.
    fn no_long_divisor(_a: u64, _b: u64) -> u64 {
        1
    }

    /// Stands for the 128-bit gcd, whose divisions would be most of the formula: two 64-bit terms never come here.
    fn no_wide_divisor(_a: i128, _b: i128) -> i128 {
        unreachable!()
    }

    /// A 64-bit rational from 6 arbitrary bytes: never a panic, never a wrap; its denominator is positive, or it is an error.
    ///
    /// Seen to fail: powers of ten without a check for overflow.
    #[kani::proof]
    #[kani::solver(minisat)]
    #[kani::unwind(20)]
    #[kani::stub(crate::number::rational::Rational64::gcd, no_long_divisor)]
    #[kani::stub(crate::number::rational::Rational64::wide_gcd, no_wide_divisor)]
    fn long_rational_of_six_bytes() {
        let bytes: [u8; 6] = kani::any();
        let read = Rational64::from_bytes(&bytes);
        assert!(read.is_err() || read.is_ok_and(|x| x.denominator() > 0 && x.numerator() > i64::MIN));
        kani::cover!(bytes == *b"1.5e12" && read.is_ok(), "a decimal");
        kani::cover!(bytes == *b"1e-018" && read.is_ok(), "the least power of ten");
        kani::cover!(bytes == *b"1e+019" && read.is_err(), "one that does not fit");
    }
}
