//! The policy: probabilities, and draws from them.

use super::properties::{draw_is_possible, softmax_is_policy};
use super::scalars::Single;

/// Stands for the library's `exp` on x ≤ 0, by what `exp_is_fit` tests of it: any number of [0, 1], and 1 at 0.
fn any_exponential(x: f64) -> f64 {
    let e: f64 = kani::any();
    // Precondition: the contract of exp. The code subtracts the greatest logit, so nothing above 0 comes here.
    assert!(x <= 0.0);
    kani::assume(e >= 0.0 && e <= 1.0 && (x != 0.0 || e == 1.0));
    e
}

/// The same at f32.
fn any_single_exponential(x: f32) -> f32 {
    let e: f32 = kani::any();
    // Precondition: the contract of exp. The code subtracts the greatest logit, so nothing above 0 comes here.
    assert!(x <= 0.0);
    kani::assume(e >= 0.0 && e <= 1.0 && (x != 0.0 || e == 1.0));
    e
}

fn finite_logits<const N: usize>() -> [f64; N] {
    let logits: [f64; N] = kani::any();
    for z in logits {
        // Precondition: differences of logits do not overflow.
        kani::assume(z >= -1e300 && z <= 1e300);
    }
    logits
}

/// Softmax of 2 logits up to 1e300 gives numbers of [0, 1], never NaN.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(4)]
#[kani::stub(crate::number::exponential::exp, any_exponential)]
fn softmax_of_two_is_policy() {
    let logits = finite_logits::<2>();
    assert!(softmax_is_policy(&logits, &mut [0.0; 2]));
    kani::cover!(logits[0] < logits[1], "distinct logits");
}

/// Softmax of 3 f32 logits up to 1e38 gives numbers of [0, 1], never NaN.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(5)]
#[kani::stub(libm::expf, any_single_exponential)]
fn softmax_of_three_is_policy() {
    let logits: [f32; 3] = kani::any();
    for z in logits {
        // Precondition: differences of logits do not overflow.
        kani::assume(z >= -1e38 && z <= 1e38);
    }
    assert!(softmax_is_policy(&logits.map(Single), &mut [Single(0.0); 3]));
    kani::cover!(logits[0] < logits[1] && logits[1] < logits[2], "distinct logits");
}

/// A draw from any three f64 by any f64 is an action, possible if any is, or is refused.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(5)]
fn draw_is_an_action() {
    let (policy, u): ([f64; 3], f64) = kani::any();
    let length: usize = kani::any();
    // Budget: up to 3 actions.
    kani::assume(length <= 3);
    assert!(draw_is_possible(&policy[..length], &u));
    kani::cover!(length == 3 && policy[0] == 0.25 && u == 0.5, "a draw");
    kani::cover!(u.is_nan(), "a refusal");
}
