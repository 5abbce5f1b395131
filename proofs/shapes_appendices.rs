//! What `shapes.rs` does, for the coverage ratios and the lemmas of Appendix D.

use super::contracts::*;
use super::lengths::others;
use crate::error::Result;
use crate::linear::solve::Definiteness;
use crate::number::{Field, Real};
use crate::paper::covariance::Exponent;
use crate::paper::mdp::LinearMdp;

/// Stands for `coverage::inverse_norm_squared`.
fn any_norm<T: Field>(_c: Exponent, dim: usize, lambda: &[T], z: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(lambda.len() == dim * dim && z.len() == dim, T::zero())
}

/// Stands for `solve::definiteness`.
fn any_definiteness<T: Field>(n: usize, a: &mut [T]) -> Result<Definiteness> {
    let sign = if kani::any() { Definiteness::Definite } else { Definiteness::Indefinite };
    answer(a.len() == n * n, if kani::any() { sign } else { Definiteness::Semidefinite { rank: 0 } })
}

fn any_exponent() -> Exponent {
    if kani::any() { Exponent::One } else { Exponent::Half }
}

/// Stands for `coverage::bellman::subtract_pair`, two loops over slices side by side: rows of φ's length, which is not 0.
fn fitting_pair<T: Field>(matrix: &mut [T], psi: &[T], phi: &[T], _probability: &T, _discount: &T) {
    assert!(!phi.is_empty() && matrix.len() == psi.len() * phi.len());
}

/// Stands for `coverage::rayleigh_quotient`, which checks all lengths.
fn any_quotient<T: Field>(dim: usize, m: &[T], lambda: &[T], y: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(m.len() == dim * dim && lambda.len() == dim * dim && y.len() == dim, T::zero())
}

/// Stands for `coverage::bellman_error`, which checks all lengths.
fn any_error<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(policy.len() == shape.pairs() && theta.len() == shape.dim, shape.dim, scratch)
}

/// Stands for `gradient_descent::distance_squared` and `mirror_descent::relative_entropy`, which compare lengths.
fn any_of_two<T: Field>(a: &[T], b: &[T]) -> Result<T> {
    answer(a.len() == b.len(), T::zero())
}

/// The same for `Real`.
fn any_of_two_real<T: Real>(a: &[T], b: &[T]) -> Result<T> {
    any_of_two(a, b)
}

/// Stands for `gradient_descent::instantaneous_regret` and `mirror_descent::advantage`, which compare lengths.
fn any_of_three<T: Field>(a: &[T], b: &[T], c: &[T]) -> Result<T> {
    answer(a.len() == b.len() && a.len() == c.len(), T::zero())
}

/// Stands for `mirror_descent::log_mean_exponential`, which compares lengths.
fn any_mean_exponential<T: Real>(_alpha: &T, policy: &[T], q: &[T]) -> Result<T> {
    answer(policy.len() == q.len(), T::zero())
}

/// Stands for `mirror_descent::hoeffding_right`, which takes any length.
fn any_hoeffding<T: Field>(_alpha: &T, _q: &[T]) -> Result<T> {
    answer(true, T::zero())
}

lengths! {
    /// The ratios of tables of 3 numbers.
    #[kani::unwind(5)]
    fn tabular_ratio_lengths() {
        others::tabular(&calls())
    }
}

lengths! {
    /// The coverage ratios of a linear model, at both values of c.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::coverage::inverse_norm_squared, any_norm)]
    fn coverage_lengths() {
        others::coverage(&calls(), &linear(), any_exponent())
    }
}

lengths! {
    /// ‖Λ^{−c}z‖², and the ratios of two matrices.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::solve::definiteness, any_definiteness)]
    fn matrix_ratio_lengths() {
        others::ratios(&calls(), count())
    }
}

lengths! {
    /// Bellman's operator, Bellman errors, and their ratio.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::policy_average, any_average)]
    #[kani::stub(crate::paper::mdp::linear::theta_of_value, theta_of_value)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::linear_function, linear_function)]
    fn bellman_lengths() {
        others::bellman(&calls(), &linear())
    }
}

lengths! {
    /// θ of a Bellman error.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::coverage::bellman::subtract_pair, fitting_pair)]
    fn bellman_inverse_lengths() {
        others::bellman_inverse(&calls(), &linear())
    }
}

lengths! {
    /// The ratio over up to two Bellman errors.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::coverage::bellman::bellman_error, any_error)]
    #[kani::stub(crate::paper::coverage::dagger::rayleigh_quotient, any_quotient)]
    fn bellman_coverage_lengths() {
        others::bellman_coverage(&calls(), &linear())
    }
}

lengths! {
    /// Lemma D.1, one step.
    #[kani::unwind(5)]
    fn gradient_step_lengths() {
        others::gradient_step(&calls(), count())
    }
}

lengths! {
    /// Lemma D.1, two steps.
    #[kani::unwind(4)]
    #[kani::stub(crate::paper::online_learning::gradient_descent::distance_squared, any_of_two)]
    #[kani::stub(crate::paper::online_learning::gradient_descent::instantaneous_regret, any_of_three)]
    fn gradient_path_lengths() {
        others::gradient_path(&calls(), count())
    }
}

lengths! {
    /// Lemma D.2: what its sums are made of.
    #[kani::unwind(5)]
    fn mirror_step_lengths() {
        others::mirror_step(&calls(), count())
    }
}

lengths! {
    /// Lemma D.2: its sums over steps.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::online_learning::mirror_descent::relative_entropy, any_of_two_real)]
    #[kani::stub(crate::paper::online_learning::mirror_descent::hoeffding_right, any_hoeffding)]
    fn mirror_path_lengths() {
        others::mirror_path(&calls(), count())
    }
}

lengths! {
    /// Lemma D.2: its sums over states, and one step at a state.
    #[kani::unwind(4)]
    #[kani::stub(crate::paper::online_learning::mirror_descent::relative_entropy, any_of_two_real)]
    #[kani::stub(crate::paper::online_learning::mirror_descent::advantage, any_of_three)]
    #[kani::stub(crate::paper::online_learning::mirror_descent::log_mean_exponential, any_mean_exponential)]
    fn mirror_descent_lengths() {
        others::mirror_descent(&calls(), count(), count())
    }
}
