//! eˣ in `f64` from additions, multiplications and bit shifts alone, so that it is the same bits everywhere, short enough to
//! port, and free of branches, so that the softmax of several actions runs in one vector register.

/// 1.5·2⁵²: adding it rounds to the nearest integer, which then sits in the low bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The first 33 bits of ln 2, so that k·LN2_HIGH is exact for |k| < 2²⁰, and the rest.
const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);

/// eˣ, with an error below 1.1 units in the last place; 1 at 0, ∞ above 709.78, 0 below −745.2, NaN at NaN.
#[inline(always)]
#[must_use]
pub fn exp(x: f64) -> f64 {
    let (k, r) = reduce(x);
    raise(k, r)
}

/// k, the nearest integer to x/ln 2, and r: x = k·ln 2 + r.
#[inline(always)]
pub(crate) fn reduce(x: f64) -> (f64, f64) {
    let x = if x > 1000.0 { 1000.0 } else { x };
    let x = if x < -1000.0 { -1000.0 } else { x };
    let k = (x * core::f64::consts::LOG2_E + SHIFT) - SHIFT;
    (k, (x - k * LN2_HIGH) - k * LN2_LOW)
}

/// 2^k·e^r.
///
/// e^r = 1 + (r + r²·q(r)), q the Taylor polynomial Σ r^{i−2}/i! for i = 2 … 13 (the first term left out is below 2⁻⁵⁷), evaluated
/// by pairs (Estrin's scheme). 2^k is applied in two halves, so that subnormal results round once.
#[inline(always)]
pub(crate) fn raise(k: f64, r: f64) -> f64 {
    let c = |i: usize| RECIPROCAL_FACTORIAL[i - 2];
    let (r2, r4) = (r * r, (r * r) * (r * r));
    let low = (c(2) + c(3) * r) + (c(4) + c(5) * r) * r2;
    let middle = (c(6) + c(7) * r) + (c(8) + c(9) * r) * r2;
    let high = (c(10) + c(11) * r) + (c(12) + c(13) * r) * r2;
    let q = (low + middle * r4) + high * (r4 * r4);
    let power = 1.0 + (r + r2 * q);

    let half = (k * 0.5 + SHIFT) - SHIFT;
    power * two_to(half) * two_to(k - half)
}

/// 2^k for an integer k in −1022 … 1023: k from the low bits of k + SHIFT into the exponent field.
#[inline(always)]
fn two_to(k: f64) -> f64 {
    f64::from_bits(((k + SHIFT).to_bits() << 52).wrapping_add(1023 << 52))
}

/// 1/i! for i = 2 … 13, each correctly rounded.
const RECIPROCAL_FACTORIAL: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5_040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];
