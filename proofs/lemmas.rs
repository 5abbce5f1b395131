//! Lemmas 4.1 and 4.2, C.3 and C.4, as properties that `tests/properties.rs` decides exactly; and, in Kani, both sides of each modulo 2¹⁶, and the products
//! that they are made of.

use super::library::error::Result;
use super::library::instances::Instance;
use super::library::linear::vector::{apply, apply_transposed, dot};
use super::library::number::Field;
use super::library::paper::covariance::covariance;
use super::library::paper::mdp::ones_coefficients;
use super::library::paper::{average_reward, discounted};

/// Numbers in a harness's own memory.
fn room<T: Field, const N: usize>() -> [T; N] {
    core::array::from_fn(|_| T::zero())
}

/// ⟨a, b⟩ as one sum from the first term to the last. (These three loop by hand: Kani pays for every step of an iterator.)
pub fn plain_inner<T: Field>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == b.len());
    let (mut sum, mut i) = (T::zero(), 0);
    while i < a.len() {
        sum += a[i].clone() * &b[i];
        i += 1;
    }
    sum
}

/// y ← M x, entry by entry.
pub fn plain_multiply<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(matrix.len() == x.len() * y.len());
    let mut i = 0;
    while i < y.len() {
        let (mut sum, mut j) = (T::zero(), 0);
        while j < x.len() {
            sum += matrix[i * x.len() + j].clone() * &x[j];
            j += 1;
        }
        y[i] = sum;
        i += 1;
    }
}

/// y ← Mᵀ x, entry by entry.
pub fn plain_multiply_transposed<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(matrix.len() == x.len() * y.len());
    let mut j = 0;
    while j < y.len() {
        let (mut sum, mut i) = (T::zero(), 0);
        while i < x.len() {
            sum += matrix[i * y.len() + j].clone() * &x[i];
            i += 1;
        }
        y[j] = sum;
        j += 1;
    }
}

/// In exact arithmetic, the library's order of summation makes no difference: the product of a matrix of up to 4 rows with x, and the inner
/// product of its first row with x, are the plain ones.
pub fn products_are_plain<T: Field>(matrix: &[T], x: &[T]) -> bool {
    let (mut y, mut plain) = (room::<T, 4>(), room::<T, 4>());
    let rows = matrix.len() / x.len();
    plain_multiply(matrix, x, &mut plain[..rows]);
    let first = &matrix[..x.len()];
    apply(matrix, x, &mut y[..rows]).is_ok() && y[..rows] == plain[..rows] && dot(first, x) == Ok(plain_inner(first, x))
}

/// The same of the transposed matrix, of up to 4 columns.
pub fn transposed_products_are_plain<T: Field>(matrix: &[T], x: &[T]) -> bool {
    let (mut y, mut plain) = (room::<T, 4>(), room::<T, 4>());
    let columns = matrix.len() / x.len();
    plain_multiply_transposed(matrix, x, &mut plain[..columns]);
    apply_transposed(matrix, x, &mut y[..columns]).is_ok() && y[..columns] == plain[..columns]
}

/// Most numbers of an instance and of scratch that the lemmas below need.
const MODEL: usize = 26;
const SCRATCH: usize = 96;

/// Lemma 4.1 and 4.2 on one instance, at T = 1, for one π_t and π*: G_T minus the suboptimality, and G_T minus the sum of
/// the three regrets. Both have to be 0 whatever θ_t and β_t are. Λ^c is the instance's Λ^{1/2} where it has one, else Λ.
pub fn discounted_residuals<T: Field>(
    instance: &Instance,
    (policy, comparator): (&[T], &[T]),
    theta: &[T],
    beta: &[T],
) -> Result<[T; 2]> {
    use discounted::duality_gap::{
        Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap, occupancy_of, theta_stars,
    };
    use discounted::lagrangian::Saddle;
    use discounted::regret::{beta_regret, policy_regret, theta_regret};
    let (mut model, mut scratch) = (room::<T, MODEL>(), room::<T, SCRATCH>());
    let view = instance.write(&mut model)?;
    let (mdp, mut scratch) = (view.linear_mdp()?, &mut scratch[..]);
    let power = match view.root {
        Some(root) => root,
        None => covariance(&mdp, occupancy_of(&mdp, view.behavior, &mut scratch)?, &mut scratch)?,
    };
    let saddle = Saddle::new(mdp, power)?;
    let iterates = Iterates::new(&mdp, theta, beta, policy)?;
    let beta = beta_star(&saddle, comparator, &mut scratch)?;
    let thetas = theta_stars(&mdp, &iterates, &mut scratch)?;
    let stars = Comparators { policy: comparator, beta, thetas };
    let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
    let suboptimality = average_suboptimality(&mdp, comparator, &iterates, scratch)?;
    let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
        + beta_regret(&saddle, &iterates, &stars, scratch)?
        + policy_regret(&mdp, &iterates, comparator, scratch)?;
    Ok([gap.clone() - suboptimality, gap - regret])
}

/// Lemma C.3 and C.4, the same for the average-reward setting: four regrets.
pub fn average_reward_residuals<T: Field>(
    instance: &Instance,
    (policy, comparator): (&[T], &[T]),
    rho: T,
    theta: &[T],
    beta: &[T],
) -> Result<[T; 2]> {
    use average_reward::duality_gap::{
        Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap, occupancy_of, rho_theta_stars,
    };
    use average_reward::lagrangian::Saddle;
    use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
    let (mut model, mut scratch, rhos) = (room::<T, MODEL>(), room::<T, SCRATCH>(), [rho]);
    let view = instance.write(&mut model)?;
    let (mdp, mut scratch) = (view.linear_mdp()?, &mut scratch[..]);
    let varrho = ones_coefficients(&mdp, &mut scratch)?;
    let power = match view.root {
        Some(root) => root,
        None => covariance(&mdp, occupancy_of(&mdp, view.behavior, &mut scratch)?, &mut scratch)?,
    };
    let saddle = Saddle::new(mdp, varrho, power)?;
    let iterates = Iterates::new(&mdp, &rhos, theta, beta, policy)?;
    let beta = beta_star(&saddle, comparator, &mut scratch)?;
    let (rhos, thetas) = rho_theta_stars(&saddle, &iterates, &mut scratch)?;
    let stars = Comparators { policy: comparator, beta, rhos, thetas };
    let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
    let suboptimality = average_suboptimality(&mdp, comparator, &iterates, scratch)?;
    let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
        + rho_regret(&saddle, &iterates, &stars, scratch)?
        + beta_regret(&saddle, &iterates, &stars, scratch)?
        + policy_regret(&mdp, &iterates, comparator, scratch)?;
    Ok([gap.clone() - suboptimality, gap - regret])
}

#[cfg(kani)]
mod harnesses {
    use super::super::support::form::Form;
    use super::super::support::frozen::{Frozen, Lemma, case, thaw};
    use super::super::support::granted::{is_len, number, split};
    use super::super::support::residue::Residue;
    use super::*;
    use crate::linear::vector::take;
    use crate::paper::mdp::LinearMdp;

    fn any_number() -> Form {
        let n: i16 = kani::any();
        Form::from_int(n.into())
    }

    /// Stands for the text of an index in a panic's message, whose code is reachable from every `[a..b]`. Nothing is proved of messages; with the
    /// vtables of their formatting, CBMC 6.6 has no SMT formula to give to z3.
    fn silent(_: &usize, _: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        Ok(())
    }

    /// Stands for `all_finite`: every [`Form`] is a number.
    fn numbers_all<T: Field>(_what: &'static str, _a: &[T]) -> Result<()> {
        Ok(())
    }

    /// Inner products and matrix-vector products are the plain sums, in exact arithmetic: all 16-bit numbers, rows of 2, up to 4 of them, and inner products of 4.
    ///
    /// Seen to fail: lanes that begin at 1.
    #[kani::proof]
    #[kani::solver(z3)]
    #[kani::unwind(10)]
    #[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
    #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
    fn kernels_are_plain_sums() {
        let a = any_number;
        let matrix = [a(), a(), a(), a(), a(), a(), a(), a()];
        let x = [a(), a(), a(), a()];
        assert!(products_are_plain(&matrix, &x[..2]));
        assert!(products_are_plain(&matrix[..4], &x[..2]));
        assert!(transposed_products_are_plain(&matrix, &x));
        assert!(transposed_products_are_plain(&matrix[..4], &x[..2]));
        assert!(dot(&matrix[..4], &x) == Ok(plain_inner(&matrix[..4], &x)));
        kani::cover!(x[3] == Form::from_int(i16::MIN.into()), "the least number");
    }

    /// `inner` as [`plain_inner`], on the lengths for which [`kernels_are_plain_sums`] proves them equal.
    fn sum_of_products<T: Field>(a: &[T], b: &[T]) -> T {
        assert!(a.len() == 2 || a.len() == 4);
        plain_inner(a, b)
    }

    /// `multiply` likewise.
    fn rows_times<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
        assert!(x.len() == 2 && (y.len() == 2 || y.len() == 4));
        plain_multiply(matrix, x, y);
    }

    /// `multiply_transposed` likewise.
    fn sum_of_rows<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
        assert!(y.len() == 2 && (x.len() == 2 || x.len() == 4));
        plain_multiply_transposed(matrix, x, y);
    }

    /// Stands for `occupancy_of`, a linear system, by what `tests/properties.rs` checks that it is.
    fn discounted_occupancy<'s, T: Field + Copy>(
        _mdp: &LinearMdp<T>,
        policy: &[T],
        s: &mut &'s mut [T],
    ) -> Result<&'s mut [T]> {
        stated_occupancy(0, policy, s)
    }

    fn average_occupancy<'s, T: Field + Copy>(
        _mdp: &LinearMdp<T>,
        policy: &[T],
        s: &mut &'s mut [T],
    ) -> Result<&'s mut [T]> {
        stated_occupancy(3, policy, s)
    }

    fn stated_occupancy<'s, T: Field + Copy>(
        index: usize,
        policy: &[T],
        scratch: &mut &'s mut [T],
    ) -> Result<&'s mut [T]> {
        // Contract: π(a|x) ν^π(x) of the stated ν^π, which `tests/properties.rs` checks to be what `occupancy_of` solves for.
        let mu = take(scratch, 4)?;
        [mu[0], mu[1], mu[2], mu[3]] = thaw(&case(index)).occupancy(policy);
        Ok(mu)
    }

    /// 0 or 1.
    fn bit() -> Residue {
        // Budget: zeros and ones, which decide what is affine in each number.
        Residue(u16::from(kani::any::<bool>()))
    }

    /// The first model with c = 1 or with c = 1/2: Λ^c and β* are all that differs.
    fn either_power(index: usize) -> Frozen<Residue> {
        let (mut model, root) = (thaw(&case(index)), thaw::<Residue>(&case(index + 1)));
        if kani::any() {
            (model.power, model.beta_star) = (root.power, root.beta_star);
        }
        model
    }

    fn discounted_lemma(which: Lemma) {
        let (model, theta, beta) = (either_power(0), [bit(), bit(), bit(), bit()], [bit(), bit(), bit(), bit()]);
        let Ok([gap, other]) = model.discounted_sides(which, &theta, &beta, &mut [Residue(0); 40]) else { panic!() };
        assert!(gap == other);
        kani::cover!(theta[3] == Residue(1) && beta[0] == Residue(1), "a corner");
    }

    fn average_lemma(which: Lemma) {
        let (model, rhos) = (either_power(3), [bit(), bit()]);
        let (theta, beta) = ([bit(), bit(), bit(), bit()], [bit(), bit(), bit(), bit()]);
        let Ok([gap, other]) = model.average_sides(which, &rhos, &theta, &beta, &mut [Residue(0); 40]) else {
            panic!()
        };
        assert!(gap == other);
        kani::cover!(rhos[1] == Residue(1) && beta[0] == Residue(1), "a corner");
    }

    /// Lemma 4.1 modulo 2¹⁶ at T = 2, on a model of 2 states, 2 actions and 2 features, both c: G_T is the average suboptimality, for all θ_t and β_t, since both
    /// sides are affine in each of their numbers and equal where these are 0 or 1.
    ///
    /// Seen to fail: `average_suboptimality` with the opposite sign.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(10)]
    #[kani::stub(crate::error::expect_len, is_len)]
    #[kani::stub(crate::linear::vector::take, split)]
    #[kani::stub(crate::linear::vector::finite, number)]
    #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
    #[kani::stub(crate::linear::vector::inner, sum_of_products)]
    #[kani::stub(crate::linear::vector::multiply, rows_times)]
    #[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
    #[kani::stub(crate::paper::discounted::duality_gap::occupancy_of, discounted_occupancy)]
    fn lemma_4_1() {
        discounted_lemma(Lemma::Suboptimality);
    }

    /// Lemma 4.2 likewise: G_T is the sum of the three regrets.
    ///
    /// Seen to fail: `policy_regret` with the opposite sign; `theta_regret` with the opposite sign.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(10)]
    #[kani::stub(crate::error::expect_len, is_len)]
    #[kani::stub(crate::linear::vector::take, split)]
    #[kani::stub(crate::linear::vector::finite, number)]
    #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
    #[kani::stub(crate::linear::vector::inner, sum_of_products)]
    #[kani::stub(crate::linear::vector::multiply, rows_times)]
    #[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
    #[kani::stub(crate::paper::discounted::duality_gap::occupancy_of, discounted_occupancy)]
    fn lemma_4_2() {
        discounted_lemma(Lemma::Regrets);
    }

    /// Lemma C.3 likewise, for all ρ_t, θ_t and β_t.
    ///
    /// Seen to fail: `average_suboptimality` with the opposite sign.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(10)]
    #[kani::stub(crate::error::expect_len, is_len)]
    #[kani::stub(crate::linear::vector::take, split)]
    #[kani::stub(crate::linear::vector::finite, number)]
    #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
    #[kani::stub(crate::linear::vector::inner, sum_of_products)]
    #[kani::stub(crate::linear::vector::multiply, rows_times)]
    #[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
    #[kani::stub(crate::paper::average_reward::duality_gap::occupancy_of, average_occupancy)]
    fn lemma_c_3() {
        average_lemma(Lemma::Suboptimality);
    }

    /// Lemma C.4 likewise: four regrets.
    ///
    /// Seen to fail: `policy_regret` with the opposite sign; `rho_regret` with the opposite sign.
    #[kani::proof]
    #[kani::solver(cadical)]
    #[kani::unwind(10)]
    #[kani::stub(crate::error::expect_len, is_len)]
    #[kani::stub(crate::linear::vector::take, split)]
    #[kani::stub(crate::linear::vector::finite, number)]
    #[kani::stub(crate::linear::vector::all_finite, numbers_all)]
    #[kani::stub(crate::linear::vector::inner, sum_of_products)]
    #[kani::stub(crate::linear::vector::multiply, rows_times)]
    #[kani::stub(crate::linear::vector::multiply_transposed, sum_of_rows)]
    #[kani::stub(crate::paper::average_reward::duality_gap::occupancy_of, average_occupancy)]
    fn lemma_c_4() {
        average_lemma(Lemma::Regrets);
    }
}
