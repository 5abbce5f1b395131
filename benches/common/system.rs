//! Random rational systems, the same for every implementation that is timed.

use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;

/// Rows of [A | b], as in `peer.py`, from splitmix64 with seed 2024 + n: numerators in −1023..=1023, denominators in 1..=1023.
pub fn system(n: usize) -> (Vec<BigRational>, Vec<BigRational>) {
    let mut state = 2024 + n as u64;
    let mut next = |modulus: u64| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i64::try_from((z ^ (z >> 31)) % modulus).unwrap_or(0)
    };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..n {
        for column in 0..=n {
            let entry = BigRational::ratio(next(2047) - 1023, next(1023) + 1);
            if column < n { a.push(entry) } else { b.push(entry) }
        }
    }
    (a, b)
}
