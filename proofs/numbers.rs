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

/// The same without lowest terms, which are another harness's, and without a loop: exact, or an error and the exact value is not `witness`, which
/// stands for any quotient of terms of at most 127.
pub fn rational_is_value(operation: Operation, x: Rational8, y: Rational8, witness: Wide) -> bool {
    let (result, (n, d)) = operate(operation, x, y);
    if let Ok(value) = result {
        let (p, q) = parts(value);
        q > 0 && p * d == n * q
    } else {
        d == 0 || witness.0 * d != n * witness.1
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
    use core::sync::atomic::{AtomicBool, AtomicI8, Ordering::Relaxed};

    /// Any quotient of terms of at most 127. What holds of it holds of all: an operation that fails where the exact value is this one
    /// fails where it fits.
    static WITNESS: [AtomicI8; 2] = [AtomicI8::new(0), AtomicI8::new(1)];

    /// Whether the operands are being made, as they are: in lowest terms or not.
    static MAKING: AtomicBool = AtomicBool::new(false);

    fn witness() -> Wide {
        (WITNESS[0].load(Relaxed).into(), WITNESS[1].load(Relaxed).into())
    }

    /// What a greatest common divisor g of a ≥ 0 and b > 0 is for: it divides both, and no terms of a/b are smaller than a/g and b/g.
    fn is_divisor(a: i32, b: i32, (g, x, y): (i32, i32, i32)) -> bool {
        let (p, q) = (witness().0.abs(), witness().1);
        x * g == a && y * g == b && (p * b != a * q || (x <= p && y <= q))
    }

    /// Stands for `gcd`, which `rational_new` executes for all 8-bit numbers.
    fn divisor(a: u8, b: u8) -> u8 {
        let (g, x, y): (u8, u8, u8) = kani::any();
        // Contract: `is_divisor`, true of the greatest common divisor, which `rational_new` proves that this is.
        kani::assume(g > 0 && is_divisor(a.into(), b.into(), (g.into(), x.into(), y.into())));
        if MAKING.load(Relaxed) { 1 } else { g }
    }

    /// Stands for `wide_gcd`.
    fn wide_divisor(a: i16, b: i16) -> i16 {
        assert!(a >= 0 && b > 0);
        let (g, x, y): (i16, i16, i16) = kani::any();
        // Contract: `is_divisor`, true of the greatest common divisor, which `tests/properties.rs` finds that this is, by enumeration.
        kani::assume(g > 0 && x >= 0 && x <= a && y > 0 && y <= b && g <= b);
        kani::assume(is_divisor(a.into(), b.into(), (g.into(), x.into(), y.into())));
        g
    }

    fn any_rational() -> Rational8 {
        let x = Rational8::new(kani::any(), kani::any());
        // Precondition: a valid rational.
        kani::assume(x.is_ok());
        x.unwrap_or(Rational8::INVALID)
    }

    /// Operands of terms below `bound`.
    fn any_two(bound: i8) -> (Rational8, Rational8) {
        MAKING.store(true, Relaxed);
        let two = (any_rational(), any_rational());
        MAKING.store(false, Relaxed);
        // Budget: small operands.
        let small = |x: Rational8| x.numerator() < bound && x.numerator() > -bound && x.denominator() < bound;
        kani::assume(small(two.0) && small(two.1));
        two
    }

    fn is_value(operation: Operation, bound: i8) {
        let (x, y) = any_two(bound);
        let (p, q): (i8, i8) = kani::any();
        // Precondition: any quotient that an 8-bit rational can be.
        kani::assume(p > i8::MIN && q > 0);
        WITNESS[0].store(p, Relaxed);
        WITNESS[1].store(q, Relaxed);
        assert!(rational_is_value(operation, x, y, witness()));
        kani::cover!(x.numerator() == 1 && x.denominator() == 3 && y.numerator() == -1, "1/3 and −1/d");
    }

    /// Every quotient of two i8 is in lowest terms and exact, or refused; with the gcd's own loops.
    ///
    /// Seen to fail: the sign of a quotient reversed; a gcd that is always 1.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(13)]
    fn rational_new() {
        let (n, d): (i8, i8) = kani::any();
        assert!(rational_new_is_exact(n, d));
        kani::cover!(d < 0 && n == 6, "a negative denominator");
    }

    /// A sum is the sum of the cross-multiplied integers, or the error where no 8-bit rational is that number: operands of terms below 6.
    ///
    /// Seen to fail: a difference for a sum.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::gcd, divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
    fn rational_add() {
        is_value(Operation::Add, 6);
    }

    /// A difference likewise, below 6.
    ///
    /// Seen to fail: the operands in the other order.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::gcd, divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
    fn rational_sub() {
        is_value(Operation::Sub, 6);
    }

    /// A product likewise: operands of terms below 16.
    ///
    /// Seen to fail: the sum of the denominators for their product.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::gcd, divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
    fn rational_mul() {
        is_value(Operation::Mul, 16);
    }

    /// A quotient likewise, below 16; division by 0 is the error.
    ///
    /// Seen to fail: a·c over b·d.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::stub(crate::number::rational::Rational8::gcd, divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
    fn rational_div() {
        is_value(Operation::Div, 16);
    }

    /// Stands for the gcd where none is needed: the numbers stay as they are, in lowest terms or not.
    fn no_divisor(_a: u8, _b: u8) -> u8 {
        1
    }

    /// Comparisons are those of the numbers, in lowest terms or not.
    ///
    /// Seen to fail: n₁d₁ compared with n₂d₂.
    #[kani::proof]
    #[kani::solver(z3)]
    #[kani::stub(crate::number::rational::Rational8::gcd, no_divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
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
    #[kani::stub(crate::number::rational::Rational8::gcd, no_divisor)]
    #[kani::stub(crate::number::rational::Rational8::wide_gcd, wide_divisor)]
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
    #[kani::stub(crate::number::rational::Rational8::gcd, no_divisor)]
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

    /// A 64-bit rational from 6 arbitrary bytes: never a panic, never a wrap; its denominator is positive, or it is an error.
    ///
    /// Seen to fail: powers of ten without a check for overflow.
    #[kani::proof]
    #[kani::solver(minisat)]
    #[kani::unwind(20)]
    #[kani::stub(crate::number::rational::Rational64::gcd, no_long_divisor)]
    fn long_rational_of_six_bytes() {
        let bytes: [u8; 6] = kani::any();
        let read = Rational64::from_bytes(&bytes);
        assert!(read.is_err() || read.is_ok_and(|x| x.denominator() > 0 && x.numerator() > i64::MIN));
        kani::cover!(bytes == *b"1.5e12" && read.is_ok(), "a decimal");
        kani::cover!(bytes == *b"1e-018" && read.is_ok(), "the least power of ten");
        kani::cover!(bytes == *b"1e+019" && read.is_err(), "one that does not fit");
    }
}
