//! Linear systems over the integers by p-adic lifting (Dixon, Numer. Math. 40, 1982).
//!
//! A is inverted modulo one word-sized prime; every further digit of the solution costs a matrix-vector product instead
//! of a share of an elimination. The rational solution is reconstructed as soon as enough digits are there, and accepted
//! only if A x = b holds exactly, so nothing rests on how many digits were enough.

use crate::number::interrupt::interrupted_now;
use alloc::vec::Vec;
use dashu_base::{BitTest, DivRem, Sign, UnsignedAbs};
use dashu_int::{IBig, UBig, Word};

/// The prime 2⁶¹ − 1: a product of residues is reduced by shifts.
const P: u64 = (1 << 61) - 1;

/// The residue of x modulo P.
#[allow(clippy::cast_possible_truncation)] // the masks say why
fn reduce(x: u128) -> u64 {
    // 2⁶¹ ≡ 1, so the halves are added; twice, because the first sum may still have 68 bits.
    let folded = (x & u128::from(P)) + (x >> 61);
    let residue = (folded & u128::from(P)) as u64 + (folded >> 61) as u64;
    if residue >= P { residue - P } else { residue }
}

fn times(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

fn residue(x: &IBig) -> u64 {
    let (sign, size) = x.as_sign_words();
    // Horner on the words, the most significant first.
    let size = size.iter().rev().fold(0, |r, &word| reduce((u128::from(r) << Word::BITS) + u128::from(word)));
    if sign == Sign::Negative && size != 0 { P - size } else { size }
}

/// a^(P−2), the inverse of a non-zero residue.
fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (a, 1, P - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, power);
        }
        power = times(power, power);
        exponent >>= 1;
    }
    result
}

/// The inverse of an n×n matrix of residues by Gauss–Jordan; `None` if it is singular modulo P, or nobody waits for it any more.
fn inverse_matrix(n: usize, mut a: Vec<u64>) -> Option<Vec<u64>> {
    let mut inv: Vec<u64> = (0..n * n).map(|index| u64::from(index / n == index % n)).collect();
    for column in 0..n {
        if interrupted_now() {
            return None;
        }
        let found = (column..n).find(|&row| a[row * n + column] != 0)?;
        for j in 0..n {
            a.swap(column * n + j, found * n + j);
            inv.swap(column * n + j, found * n + j);
        }
        let scale = inverse(a[column * n + column]);
        for j in 0..n {
            a[column * n + j] = times(a[column * n + j], scale);
            inv[column * n + j] = times(inv[column * n + j], scale);
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = P - a[row * n + column];
            for j in 0..n {
                a[row * n + j] =
                    reduce(u128::from(factor) * u128::from(a[column * n + j]) + u128::from(a[row * n + j]));
                let (above, here) = (inv[column * n + j], inv[row * n + j]);
                inv[row * n + j] = reduce(u128::from(factor) * u128::from(above) + u128::from(here));
            }
        }
    }
    Some(inv)
}

/// The integers p, q with u ≡ p/q modulo m and |p|, |q| below √m: the Euclidean remainder sequence, stopped half way.
fn reconstruct(u: UBig, m: &UBig) -> (IBig, UBig) {
    let half = m.bit_len() / 2;
    let (mut r0, mut r1) = (m.clone(), u);
    let (mut t0, mut t1) = (UBig::ZERO, UBig::ONE);
    // The cofactors alternate in sign; only their sizes are kept.
    let mut sign = Sign::Positive;
    while r1.bit_len() > half {
        // Many steps at once, from the leading digits, as long as they cannot pass the half.
        let steps = if r1.bit_len() > half + 64 { leading_steps(&r0, &r1) } else { None };
        if let Some(Steps { a, b, c, d, even }) = steps {
            (t0, t1) = (&t0 * a + &t1 * b, &t0 * c + &t1 * d);
            let (x, y) = (IBig::from(&r0 * a) - &r1 * b, IBig::from(&r1 * d) - &r0 * c);
            (r0, r1) = (x.unsigned_abs(), y.unsigned_abs());
            sign = if even { sign } else { -sign };
        } else {
            let (quotient, remainder) = (&r0).div_rem(&r1);
            (r0, r1) = (r1, remainder);
            t0 += &quotient * &t1;
            core::mem::swap(&mut t0, &mut t1);
            sign = -sign;
        }
    }
    (IBig::from_parts(sign, r1), t1)
}

/// Several Euclidean steps as one: (r0, r1) becomes ±(a·r0 − b·r1, d·r1 − c·r0), with + after an even number of steps.
struct Steps {
    a: u64,
    b: u64,
    c: u64,
    d: u64,
    even: bool,
}

/// Lehmer: the steps on which the leading 62 bits of r0 and those of r1 beside them agree whatever the rest (Knuth,
/// Algorithm 4.5.2L).
fn leading_steps(r0: &UBig, r1: &UBig) -> Option<Steps> {
    let shift = r0.bit_len().checked_sub(62)?;
    let leading = |r: &UBig| i64::try_from(r >> shift).ok();
    let (mut x, mut y) = (leading(r0)?, leading(r1)?);
    let (mut a, mut b, mut c, mut d) = (1i64, 0i64, 0i64, 1i64);
    let mut even = true;
    while y + c != 0 && y + d != 0 {
        let quotient = (x + a) / (y + c);
        if quotient != (x + b) / (y + d) {
            break;
        }
        (a, c) = (c, a - quotient * c);
        (b, d) = (d, b - quotient * d);
        (x, y) = (y, x - quotient * y);
        even = !even;
    }
    let [a, b, c, d] = [a, b, c, d].map(i64::unsigned_abs);
    if b == 0 { None } else { Some(Steps { a, b, c, d, even }) }
}

/// Numerators over one denominator from the solution modulo m, where they are small enough; `None` where they are not.
fn common_fraction(solution: &[UBig], m: &UBig) -> Option<(Vec<IBig>, UBig)> {
    let half = m.bit_len() / 2;
    let mut numerators: Vec<IBig> = Vec::with_capacity(solution.len());
    let mut denominator = UBig::ONE;
    for x in solution {
        let y = (x * &denominator) % m;
        let negative = m - &y;
        if y.bit_len() < half {
            numerators.push(y.into());
        } else if negative.bit_len() < half {
            numerators.push(-IBig::from(negative));
        } else {
            let (numerator, factor) = reconstruct(y, m);
            // Chance fills every bit of m; a fraction that is really there leaves some.
            if numerator.bit_len() + factor.bit_len() + 16 > m.bit_len() {
                return None;
            }
            for earlier in &mut numerators {
                *earlier *= &factor;
            }
            numerators.push(numerator);
            denominator *= factor;
            if denominator.bit_len() > half {
                return None;
            }
        }
    }
    Some((numerators, denominator))
}

/// Whether A·numerators = denominator·b.
fn holds(n: usize, a: &[IBig], b: &[IBig], numerators: &[IBig], denominator: &UBig) -> bool {
    a.chunks_exact(n).zip(b).all(|(row, b)| {
        let sum = row.iter().zip(numerators).fold(IBig::ZERO, |sum, (a, x)| sum + a * x);
        sum == b * denominator
    })
}

/// The rows of A as words, for the one loop that matters: r − A x for a vector x of residues.
struct Rows {
    /// Words of each entry.
    width: usize,
    /// Every entry's sign and words, the least significant first.
    entries: Vec<(Sign, Vec<u64>)>,
}

impl Rows {
    fn new(a: &[IBig]) -> Self {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |w, &byte| w << 8 | u64::from(byte));
        let words = |x: &IBig| x.clone().unsigned_abs().to_le_bytes().chunks(8).map(word).collect::<Vec<_>>();
        let entries: Vec<_> = a.iter().map(|x| (x.sign(), words(x))).collect();
        Self { width: entries.iter().map(|(_, words)| words.len()).max().unwrap_or(0), entries }
    }

    /// ⟨row, x⟩, for the row whose first entry is number `first`.
    fn product(&self, first: usize, x: &[u64], buffers: &mut [Vec<u64>; 2]) -> IBig {
        for buffer in &mut *buffers {
            buffer.clear();
            buffer.resize(self.width + 2, 0);
        }
        for j in 0..x.len() {
            let (sign, words) = &self.entries[first + j];
            add_product(&mut buffers[usize::from(*sign == Sign::Negative)], words, x[j]);
        }
        integer(&buffers[0]) - integer(&buffers[1])
    }
}

/// The integer of these words, the least significant first.
fn integer(words: &[u64]) -> IBig {
    let mut bytes = Vec::with_capacity(8 * words.len());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    UBig::from_le_bytes(&bytes).into()
}

/// sum += words·x; `sum` is two words longer than any sum of products gets.
#[allow(clippy::cast_possible_truncation)] // low and high halves
fn add_product(sum: &mut [u64], words: &[u64], x: u64) {
    let mut carry = 0;
    let (low, high) = sum.split_at_mut(words.len());
    for i in 0..words.len() {
        let wide = u128::from(words[i]) * u128::from(x) + u128::from(low[i]) + u128::from(carry);
        low[i] = wide as u64;
        carry = (wide >> 64) as u64;
    }
    for digit in high {
        let (value, overflow) = digit.overflowing_add(carry);
        *digit = value;
        carry = u64::from(overflow);
        if carry == 0 {
            break;
        }
    }
}

/// ⟨row, x⟩ modulo P.
fn product(row: &[u64], x: &[u64]) -> u64 {
    let mut sum = 0;
    for j in 0..row.len() {
        sum = reduce(u128::from(row[j]) * u128::from(x[j]) + u128::from(sum));
    }
    sum
}

/// How many digits suffice by Cramer's rule and Hadamard's bound: numerators and denominator are determinants.
fn digits_needed(n: usize, a: &[IBig], b: &[IBig]) -> usize {
    let row_bits = |(row, b): (&[IBig], &IBig)| row.iter().chain([b]).map(BitTest::bit_len).max().unwrap_or(0);
    let roots = n * (usize::BITS - n.leading_zeros()) as usize;
    let bits: usize = a.chunks_exact(n).zip(b).map(row_bits).sum::<usize>() + roots;
    2 * bits / 61 + 2
}

/// A x = b, as numerators over one denominator; `None` if A is singular modulo P, which is no verdict on A.
pub(super) fn solve(n: usize, a: &[IBig], b: &[IBig]) -> Option<(Vec<IBig>, UBig)> {
    let inverse = inverse_matrix(n, a.iter().map(residue).collect())?;
    let rows = Rows::new(a);
    let mut buffers = [Vec::new(), Vec::new()];
    let mut remaining = b.to_vec();
    let mut solution: Vec<UBig> = alloc::vec![UBig::ZERO; n];
    let mut modulus = UBig::ONE;
    let last = digits_needed(n, a, b);
    let mut attempt = 8;
    for digit in 1..=last {
        if interrupted_now() {
            return None;
        }
        let residues: Vec<u64> = remaining.iter().map(residue).collect();
        let digits: Vec<u64> = inverse.chunks_exact(n).map(|row| product(row, &residues)).collect();
        for (i, rest) in remaining.iter_mut().enumerate() {
            *rest -= rows.product(i * n, &digits, &mut buffers);
            *rest /= P;
        }
        for (x, &value) in solution.iter_mut().zip(&digits) {
            *x += &modulus * value;
        }
        modulus *= P;
        if digit == attempt || digit == last {
            attempt += attempt / 3;
            if let Some((numerators, denominator)) = common_fraction(&solution, &modulus)
                && holds(n, a, b, &numerators, &denominator)
            {
                return Some((numerators, denominator));
            }
        }
    }
    None
}

/// A lifting that fails is followed by elimination, so only tests from inside see that it does not fail.
#[cfg(test)]
mod tests {
    use super::*;

    fn integers(values: &[i64]) -> Vec<IBig> {
        values.iter().map(|&v| IBig::from(v)).collect()
    }

    #[test]
    fn fractions_are_reconstructed() {
        let m = UBig::from(P).pow(40);
        for (p, q) in [(0i64, 1u64), (1, 1), (-1, 3), (22, 7), (-1_000_000_007, 998_244_353)] {
            for power in [1, 3, 30] {
                let (p, q) = (IBig::from(p).pow(power), UBig::from(q).pow(power));
                let inverse = inverse_of(&q, &m);
                let residue = (p.clone() * inverse) % IBig::from(m.clone());
                let u = if residue < IBig::ZERO { residue + &m } else { residue };
                let (numerator, denominator) = reconstruct(u.unsigned_abs(), &m);
                assert_eq!(numerator * &q, p * denominator);
            }
        }
    }

    /// Newton: x ← x(2 − qx) doubles the number of right digits.
    fn inverse_of(q: &UBig, m: &UBig) -> IBig {
        let (q, m) = (IBig::from(q.clone()), IBig::from(m.clone()));
        let mut x = IBig::from(inverse(residue(&q)));
        for _ in 0..6 {
            x = (&x * (IBig::from(2) - &q * &x)) % &m;
        }
        assert_eq!(((&q * &x) % &m + &m) % &m, IBig::ONE);
        x
    }

    #[test]
    fn systems_are_lifted() {
        let a = integers(&[3, -1, 4, 1, -5, 9, 2, 6, -5]);
        let b = integers(&[1, 2, 3]);
        let (numerators, denominator) = solve(3, &a, &b).unwrap();
        // Cramer's rule, by hand.
        let determinant = IBig::from(-46);
        for (numerator, cramer) in numerators.iter().zip([42i64, -92, -66]) {
            assert_eq!(numerator * &determinant, IBig::from(cramer) * &denominator);
        }
        assert!(holds(3, &a, &b, &numerators, &denominator));
        assert!(!holds(3, &a, &integers(&[1, 2, 4]), &numerators, &denominator));
        assert!(solve(2, &integers(&[1, 2, 2, 4]), &integers(&[1, 1])).is_none());
        assert!(inverse_matrix(1, alloc::vec![0]).is_none());
    }

    #[test]
    fn carries_run_through() {
        let mut sum = [u64::MAX, u64::MAX, 0];
        add_product(&mut sum, &[1], 1);
        assert_eq!(sum, [0, 0, 1]);
        add_product(&mut sum, &[u64::MAX, u64::MAX], u64::MAX);
        assert_eq!(sum, [1, u64::MAX, u64::MAX], "(2¹²⁸ − 1)(2⁶⁴ − 1) + 2¹²⁸");
    }

    /// Long entries of both signs: every digit is used and every carry.
    #[test]
    fn long_systems_are_lifted() {
        let n = 6;
        let power = |base: i64, k: usize| IBig::from(base).pow(k);
        let a: Vec<IBig> = (0..n * n).map(|k| power(-3, 7 * k % 101) + power(5, 11 * k % 89) - power(2, k)).collect();
        let x: Vec<IBig> = (0..n).map(|j| power(-7, 40 + j)).collect();
        let product = |row: &[IBig]| row.iter().zip(&x).fold(IBig::ZERO, |sum, (a, x)| sum + a * x);
        let b: Vec<IBig> = a.chunks_exact(n).map(product).collect();
        assert_eq!(solve(n, &a, &b), Some((x, UBig::ONE)));
    }
}
