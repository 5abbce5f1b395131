//! Lemma 4.1 and 4.2, C.3 and C.4: on concrete models, both residuals are 0 for all θ_t and ρ_t in 16-bit integers and every β_t.
//!
//! The scalar, [`Form`], is an affine function of β_t whose coefficients may depend on θ_t and ρ_t. The residuals are affine in β_t for each
//! (θ_t, ρ_t) and the other way round, so z3 meets sums and products with known numbers alone; and a function of β_t is 0 where its
//! coefficients are. It counts modulo 2⁶⁴: what is shown of a coefficient, a sum of fractions of which `frozen.rs` leaves a common
//! denominator below 2³², is that 2⁶⁴ divides its numerator. That is less than 2⁶⁴: no coefficient comes near 2³² for |θ|, |ρ| ≤ 2¹⁵.

use super::contracts::{numbers_all, out_of_range, silent};
use super::form::Form;
use super::frozen::{CASES, Case, thaw};
use super::properties::{
    plain_inner, plain_multiply, plain_multiply_transposed, products_are_plain, transposed_products_are_plain,
};
use crate::number::Field;

/// β_t itself.
const BETA: [Form; 2] = [Form { at: 0, x: 1, y: 0 }, Form { at: 0, x: 0, y: 1 }];

fn any_number() -> Form {
    let n: i16 = kani::any();
    Form::from_int(n.into())
}

/// [`crate::linear::vector::inner`] as [`plain_inner`], on the lengths for which [`kernels_are_plain_sums`] proves them equal.
fn sum_of_products<T: Field>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == 2);
    plain_inner(a, b)
}

/// [`crate::linear::vector::multiply`] likewise.
fn rows_times<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(x.len() == 2 && (y.len() == 2 || y.len() == 4));
    plain_multiply(matrix, x, y);
}

/// [`crate::linear::vector::multiply_transposed`] likewise.
fn sum_of_rows<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(y.len() == 2 && (x.len() == 2 || x.len() == 4));
    plain_multiply_transposed(matrix, x, y);
}

fn discounted_lemmas(case: &Case) {
    let theta = [any_number(), any_number()];
    let mut scratch = [Form::zero(); 24];
    let residuals = thaw(case).discounted_residuals(&theta, &BETA, &mut scratch);
    assert!(residuals == Ok([Form::zero(); 2]));
    kani::cover!(theta[0] == Form::from_int(i16::MIN.into()), "the least θ");
}

fn average_reward_lemmas(case: &Case) {
    let (rho, theta) = (any_number(), [any_number(), any_number()]);
    let mut scratch = [Form::zero(); 24];
    let residuals = thaw(case).average_residuals(rho, &theta, &BETA, &mut scratch);
    assert!(residuals == Ok([Form::zero(); 2]));
    kani::cover!(rho == Form::from_int(i16::MIN.into()), "the least ρ");
}

/// Lemmas 4.1 and 4.2 at T = 1, for all 16-bit θ_t and every β_t: a model of 2 states, 2 actions and 2 features that are indicators.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::vector::inner, sum_of_products)]
#[kani::stub(crate::linear::vector::multiply, rows_times)]
#[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
fn lemmas_4_1_and_4_2_first_model() {
    discounted_lemmas(&CASES[0]);
}

/// The same on a model with mixed features and a policy with a zero.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::vector::inner, sum_of_products)]
#[kani::stub(crate::linear::vector::multiply, rows_times)]
#[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
fn lemmas_4_1_and_4_2_second_model() {
    discounted_lemmas(&CASES[1]);
}

/// Lemmas C.3 and C.4 at T = 1, for all 16-bit θ_t and ρ_t and every β_t: a model of 2 states, 2 actions and 2 features that are indicators.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::vector::inner, sum_of_products)]
#[kani::stub(crate::linear::vector::multiply, rows_times)]
#[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
fn lemmas_c_3_and_c_4_first_model() {
    average_reward_lemmas(&CASES[2]);
}

/// The same on a model with mixed features and a policy with a zero.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
#[kani::stub(crate::linear::vector::inner, sum_of_products)]
#[kani::stub(crate::linear::vector::multiply, rows_times)]
#[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
fn lemmas_c_3_and_c_4_second_model() {
    average_reward_lemmas(&CASES[3]);
}

/// Inner products and matrix-vector products are the plain sums that stand for them above: all 16-bit numbers, the lengths above.
#[kani::proof]
#[kani::solver(z3)]
#[kani::unwind(10)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
#[kani::stub(core::slice::index::slice_index_fail, out_of_range)]
#[kani::stub(crate::linear::vector::all_finite, numbers_all)]
fn kernels_are_plain_sums() {
    let a = any_number;
    let matrix = [a(), a(), a(), a(), a(), a(), a(), a()];
    let x = [a(), a(), a(), a()];
    assert!(products_are_plain(&matrix, &x[..2]));
    assert!(products_are_plain(&matrix[..4], &x[..2]));
    assert!(transposed_products_are_plain(&matrix, &x));
    assert!(transposed_products_are_plain(&matrix[..4], &x[..2]));
    kani::cover!(x[3] == Form::from_int(i16::MIN.into()), "the least number");
}
