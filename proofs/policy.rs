//! π: softmax, and the draw of an action.

use super::library::linear::softmax::{inverse_cdf, softmax};
use super::library::number::{Field, Real};
use super::support::scalars::Fixed;

/// Softmax of finite logits: every probability in [0, 1], none NaN, and one of them positive; refused where there are none or one is not finite.
pub fn softmax_is_policy<T: Real>(logits: &[T], policy: &mut [T]) -> bool {
    policy.clone_from_slice(logits);
    if logits.is_empty() || logits.iter().any(|z| !z.is_valid()) {
        return softmax(policy).is_err();
    }
    let unit = |p: &T| *p >= T::zero() && *p <= T::one();
    softmax(policy).is_ok() && policy.iter().all(unit) && policy.iter().any(|p| *p > T::zero())
}

/// Softmax at the fixed-point scalar, whose quotients are rounded down by less than a unit each: the sum is at most 1 and more than 1 less |A|
/// units, and a greater logit never has a smaller probability.
pub fn fixed_softmax_sums<const N: usize>(logits: [i8; N]) -> bool {
    let mut policy = logits.map(|raw| Fixed::from_raw(raw.into()));
    let accepted = softmax(&mut policy).is_ok();
    let (mut sum, mut ordered, mut i) = (0, true, 0);
    while i < N {
        sum += policy[i].raw();
        ordered &= i == 0 || ((logits[i] < logits[i - 1]) || policy[i] >= policy[i - 1]);
        ordered &= i == 0 || ((logits[i] > logits[i - 1]) || policy[i] <= policy[i - 1]);
        i += 1;
    }
    accepted && ordered && sum <= 16 && sum > 16 - N as i32
}

/// What the proofs assume of `exp` on x ≤ 0: in [0, 1], and 1 at 0.
pub fn exp_is_fit<T: Real>(x: &T) -> bool {
    let e = x.exp();
    *x > T::zero() || (e >= T::zero() && e <= T::one() && (!x.is_zero() || e == T::one()))
}

/// The draw is the first action whose cumulative probability exceeds u, or, where none does, the last of positive probability (the first
/// if none has); refused exactly for u outside [0, 1), for no policy, and for one that is not finite.
pub fn draw_is_first_above<T: Field>(policy: &[T], u: &T) -> bool {
    let acceptable = !policy.is_empty() && policy.iter().all(T::is_valid) && *u >= T::zero() && *u < T::one();
    match inverse_cdf(policy, u) {
        Ok(drawn) => {
            let (mut sum, mut above, mut last) = (T::zero(), None, 0);
            for (a, p) in policy.iter().enumerate() {
                sum += p.clone();
                if above.is_none() && sum > *u {
                    above = Some(a);
                }
                if *p > T::zero() {
                    last = a;
                }
            }
            acceptable && drawn == above.unwrap_or(last)
        }
        Err(_) => !acceptable,
    }
}

#[cfg(kani)]
mod harnesses {
    use super::super::support::scalars::Single;
    use super::*;

    /// Stands for the library's `exp` on x ≤ 0.
    fn any_exponential(x: f64) -> f64 {
        let e: f64 = kani::any();
        // The code subtracts the greatest logit, so nothing above 0 comes here.
        assert!(x <= 0.0);
        // Contract: any number of [0, 1], and 1 at 0: what `exp_is_fit` tests of it.
        kani::assume(e >= 0.0 && e <= 1.0 && (x != 0.0 || e == 1.0));
        e
    }

    /// The same at f32.
    fn any_single_exponential(x: f32) -> f32 {
        let e: f32 = kani::any();
        assert!(x <= 0.0);
        // Contract: any number of [0, 1], and 1 at 0: what `exp_is_fit` tests of it.
        kani::assume(e >= 0.0 && e <= 1.0 && (x != 0.0 || e == 1.0));
        e
    }

    /// Softmax of any 2 logits gives numbers of [0, 1], never NaN, or refuses what is not finite: all f64.
    ///
    /// Seen to fail: the logits shifted by the first instead of the greatest.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(4)]
    #[kani::stub(crate::number::exponential::exp, any_exponential)]
    fn softmax_of_two_is_policy() {
        let logits: [f64; 2] = kani::any();
        assert!(softmax_is_policy(&logits, &mut [0.0; 2]));
        kani::cover!(logits[0] < logits[1] && logits[1] == f64::MAX, "the greatest logit");
    }

    /// The same of 3 logits: all f32.
    ///
    /// Seen to fail: the first action left out of the sum.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    #[kani::stub(libm::expf, any_single_exponential)]
    fn softmax_of_three_is_policy() {
        let logits: [f32; 3] = kani::any();
        assert!(softmax_is_policy(&logits.map(Single), &mut [Single(0.0); 3]));
        kani::cover!(logits[0] < logits[1] && logits[1] < logits[2], "distinct logits");
    }

    /// Softmax at the fixed-point scalar sums to 1 up to rounding and preserves the order of logits: 3 of 8 bits, with no stub.
    ///
    /// Seen to fail: the logits shifted by the first instead of the greatest; never normalised.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn fixed_softmax_sums_to_one() {
        let logits: [i8; 3] = kani::any();
        assert!(fixed_softmax_sums(logits));
        kani::cover!(logits[0] < logits[1] && logits[1] < logits[2], "distinct logits");
    }

    /// A draw from up to 3 numbers by any number is the first action above u, or refused: the fixed-point scalar, all 16-bit values, valid or not.
    ///
    /// Seen to fail: ≥ for >.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(5)]
    fn draw_is_the_first_above() {
        let (policy, u): ([i16; 3], i16) = kani::any();
        let length: usize = kani::any();
        // Budget: up to 3 actions.
        kani::assume(length <= 3);
        assert!(draw_is_first_above(&policy.map(Fixed::from_raw)[..length], &Fixed::from_raw(u)));
        kani::cover!(length == 3 && policy[0] == 4 && policy[1] == 4 && u == 8, "a draw");
        kani::cover!(u == i16::MIN, "a refusal");
    }
}
