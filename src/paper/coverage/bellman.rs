//! `C_{F,π}`: the ratio of Bellman errors, for the linear class F = {f_θ : θ ∈ Θ}.

use super::rayleigh_quotient;
use crate::error::{Error, Result, expect_len, expect_rows};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, inner, take};
use crate::number::Field;
use crate::paper::mdp::{LinearMdp, policy_average};

/// Def E.1: 𝒯^π in feature space: 𝒯θ = ω + γΨ v with v(x) = `Σ_a` π(a|x)⟨φ(x,a), θ⟩, so that Φ𝒯θ = 𝒯^π(Φθ).
pub fn bellman_operator<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    let q = take(&mut scratch, shape.pairs())?;
    let v = take(&mut scratch, shape.states)?;
    mdp.linear_function(theta, q)?;
    policy_average(shape.actions, policy, q, v)?;
    crate::paper::mdp::theta_of_value(mdp, v, out)
}

/// Prop E.4, `prop:cr3`: y = θ − 𝒯θ, whose linear function is the Bellman error f_θ − 𝒯^π f_θ.
pub fn bellman_error<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    theta: &[T],
    out: &mut [T],
    scratch: &mut [T],
) -> Result<()> {
    bellman_operator(mdp, policy, theta, out, scratch)?;
    for (entry, t) in out.iter_mut().zip(theta) {
        *entry = t.clone() - &*entry;
    }
    all_finite("θ − 𝒯θ", out)
}

/// Prop E.4, `prop:cr3`, its equality: the θ with θ − 𝒯θ = y, for any y. Hence over Θ = R^d the Bellman errors are all of
/// R^d and `C_{F,π}` = C^†. It solves (I − γΨΠ_πΦ)θ = ω + y.
pub fn theta_of_bellman_error<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    y: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    let dim = shape.dim;
    expect_len("policy", shape.pairs(), policy.len())?;
    expect_len("y", dim, y.len())?;
    expect_len("theta", dim, out.len())?;
    let matrix = take(&mut scratch, dim * dim)?;
    for (index, entry) in matrix.iter_mut().enumerate() {
        *entry = if index / dim == index % dim { T::one() } else { T::zero() };
    }
    // Column j of Ψ Π_π Φ sums ψ(x)·π(a|x)·φ_j(x,a).
    for (pair, phi) in mdp.features().chunks_exact(dim).enumerate() {
        let psi = &mdp.psi()[pair / shape.actions * dim..][..dim];
        subtract_pair(matrix, psi, phi, &policy[pair], mdp.discount());
    }
    for (entry, (omega, y)) in out.iter_mut().zip(mdp.omega().iter().zip(y)) {
        *entry = omega.clone() + y;
    }
    solve_named("I − γΨΠ_πΦ", dim, matrix, out)
}

/// M ← M − ψφᵀ·π(a|x)·γ: the part of one pair (x, a) in γΨΠ_πΦ.
pub(crate) fn subtract_pair<T: Field>(matrix: &mut [T], psi: &[T], phi: &[T], probability: &T, discount: &T) {
    for (row, psi_i) in matrix.chunks_exact_mut(phi.len()).zip(psi) {
        for (entry, phi_j) in row.iter_mut().zip(phi) {
            *entry -= psi_i.clone() * phi_j * probability * discount;
        }
    }
}

/// (35), Def E.1, 4: ‖f − 𝒯^π f‖²_{μ*} / ‖f − 𝒯^π f‖²_{μ_B} for any f on X×A, from the definition: on X×A, not in
/// feature space. `None` where f is 𝒯^π's fixed point μ_B-almost everywhere.
pub fn bellman_error_ratio<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    f: &[T],
    mu_star: &[T],
    mu_b: &[T],
    mut scratch: &mut [T],
) -> Result<Option<T>> {
    let shape = mdp.shape();
    for (what, values) in [("f", f), ("mu*", mu_star), ("mu_B", mu_b)] {
        expect_len(what, shape.pairs(), values.len())?;
        all_finite(what, values)?;
    }
    let v = take(&mut scratch, shape.states)?;
    let psi_v = take(&mut scratch, shape.dim)?;
    policy_average(shape.actions, policy, f, v)?;
    crate::paper::mdp::theta_of_value(mdp, v, psi_v)?;
    let (mut above, mut below) = (T::zero(), T::zero());
    for (pair, phi) in mdp.features().chunks_exact(shape.dim).enumerate() {
        let error = f[pair].clone() - inner(phi, psi_v);
        let square = error.clone() * &error;
        above += square.clone() * &mu_star[pair];
        below += square * &mu_b[pair];
    }
    all_finite("squared Bellman error", &[above.clone(), below.clone()])?;
    if below.is_zero() { Ok(None) } else { Ok(Some(above / below)) }
}

/// Def E.1, 4: `C_{F,π}` for a finite Θ, `thetas` holding its points by rows: the largest ratio over the θ that are not
/// fixed points of 𝒯. M = E\*\[φφᵀ\] and Λ are given. `Err` where Θ holds fixed points only.
pub fn bellman_coverage_ratio<T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    thetas: &[T],
    m: &[T],
    lambda: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let dim = mdp.shape().dim;
    expect_rows("points of Θ", dim, thetas.len())?;
    let y = take(&mut scratch, dim)?;
    let mut largest: Option<T> = None;
    for theta in thetas.chunks_exact(dim) {
        bellman_error(mdp, policy, theta, y, scratch)?;
        if y.iter().all(Field::is_zero) {
            continue;
        }
        let ratio = rayleigh_quotient(dim, m, lambda, y, scratch)?;
        if largest.as_ref().is_none_or(|l| ratio > *l) {
            largest = Some(ratio);
        }
    }
    largest.ok_or(Error::Empty { what: "points of Θ that are not fixed points" })
}
