//! Lemma 4.1 and 4.2, C.3 and C.4: on a concrete instance and pair of policies the residuals are 0 for all θ_t and β_t in 16-bit
//! integers. The library's own functions run on [`Scaled`], whose numerators alone are symbolic; what is left for the solver
//! is that a bilinear form in (θ, β) vanishes. z3 rewrites it to 0; SAT solvers do not get there.

use super::properties::{average_reward_residuals, discounted_residuals};
use super::scalars::Scaled;
use crate::instances::by_name;
use crate::scalar::Field;

fn numbers<const N: usize>(numerators: [i64; N], denominator: i64) -> [Scaled; N] {
    numerators.map(|n| Scaled::ratio(n, denominator))
}

fn any_vector<const N: usize>() -> ([i16; N], [Scaled; N]) {
    let integers: [i16; N] = kani::any();
    (integers, integers.map(Scaled::symbolic))
}

fn discounted<const PAIRS: usize, const DIM: usize>(name: &str, policy: [Scaled; PAIRS], comparator: [Scaled; PAIRS]) {
    let ((integers, theta), (_, beta)) = (any_vector::<DIM>(), any_vector::<DIM>());
    let [lemma_4_1, lemma_4_2] =
        discounted_residuals(by_name(name).unwrap(), (&policy, &comparator), &theta, &beta).unwrap();
    assert!(lemma_4_1.numerator() == 0 && lemma_4_1.is_valid());
    assert!(lemma_4_2.numerator() == 0 && lemma_4_2.is_valid());
    kani::cover!(integers[0] == i16::MIN && integers[DIM - 1] == i16::MAX, "the ends of the range");
}

fn average<const PAIRS: usize, const DIM: usize>(name: &str, policy: [Scaled; PAIRS], comparator: [Scaled; PAIRS]) {
    let ((integers, theta), (_, beta)) = (any_vector::<DIM>(), any_vector::<DIM>());
    let rho = Scaled::symbolic(kani::any());
    let [lemma_c_3, lemma_c_4] =
        average_reward_residuals(by_name(name).unwrap(), (&policy, &comparator), rho, &theta, &beta).unwrap();
    assert!(lemma_c_3.numerator() == 0 && lemma_c_3.is_valid());
    assert!(lemma_c_4.numerator() == 0 && lemma_c_4.is_valid());
    kani::cover!(integers[0] == i16::MIN && integers[DIM - 1] == i16::MAX, "the ends of the range");
}

/// Lemma 4.1 and 4.2 on `rescaled` (one state, two actions).
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(70)]
fn lemmas_4_1_and_4_2_on_rescaled() {
    discounted::<2, 2>("rescaled", numbers([1, 3], 4), numbers([1, 0], 1));
}

/// Lemma 4.1 and 4.2 on `cancelling-psi` (two states, one action).
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(70)]
fn lemmas_4_1_and_4_2_on_cancelling_psi() {
    discounted::<2, 2>("cancelling-psi", numbers([1, 1], 1), numbers([1, 1], 1));
}

/// Lemma 4.1 and 4.2 on `rotated` (two states, two actions, full Λ^{1/2}).
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(70)]
fn lemmas_4_1_and_4_2_on_rotated() {
    discounted::<4, 2>("rotated", numbers([1, 1, 2, 0], 2), numbers([0, 1, 1, 0], 1));
}

/// Lemma C.3 and C.4 on `rescaled`, for all ρ_t too.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(70)]
fn lemmas_c_3_and_c_4_on_rescaled() {
    average::<2, 2>("rescaled", numbers([1, 3], 4), numbers([1, 0], 1));
}

/// Lemma C.3 and C.4 on `rotated`, for all ρ_t too.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(70)]
fn lemmas_c_3_and_c_4_on_rotated() {
    average::<4, 2>("rotated", numbers([1, 1, 2, 0], 2), numbers([0, 1, 1, 0], 1));
}
