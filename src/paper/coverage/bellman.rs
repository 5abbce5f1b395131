//! `C_{F,π}`: the ratio of Bellman errors, for the linear class F = {f_θ : θ ∈ Θ}.

use super::rayleigh_quotient;
use crate::error::{Error, Result, expect_len, expect_rows};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, inner, take};
use crate::number::Field;
use crate::paper::components::{fill, identity, keep, vector};
use crate::paper::mdp::{LinearMdp, Shape, policy_average, theta_of_value};

/// Def E.1: 𝒯^π in feature space: 𝒯θ = ω + γΨ v with v(x) = `Σ_a` π(a|x)⟨φ(x,a), θ⟩, so that Φ𝒯θ = 𝒯^π(Φθ).
pub fn bellman_operator<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(mdp.shape().dim, scratch, |rest| {
        let q = mdp.linear_function(theta, rest)?;
        let v = policy_average(mdp.shape().actions, policy, q, rest)?;
        theta_of_value(mdp, v, rest)
    })
}

/// Prop E.4, `prop:cr3`: y = θ − 𝒯θ, whose linear function is the Bellman error f_θ − 𝒯^π f_θ.
pub fn bellman_error<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let out = take(scratch, mdp.shape().dim)?;
    let backup = bellman_operator(mdp, policy, theta, &mut &mut **scratch)?;
    fill("θ − 𝒯θ", out, |j| theta[j].clone() - &backup[j])
}

/// Prop E.4, `prop:cr3`, its equality: the θ with θ − 𝒯θ = y, for any y. Hence over Θ = R^d the Bellman errors are all of
/// R^d and `C_{F,π}` = C^†. It solves (I − γΨΠ_πΦ)θ = ω + y.
pub fn theta_of_bellman_error<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    y: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let Shape { actions, dim, .. } = mdp.shape();
    expect_len("policy", mdp.shape().pairs(), policy.len())?;
    expect_len("y", dim, y.len())?;
    let theta = vector("ω + y", dim, scratch, |j| mdp.omega()[j].clone() + &y[j])?;
    let matrix = vector("I", dim * dim, &mut &mut **scratch, |i| identity(dim, i))?;
    // Column j of Ψ Π_π Φ sums ψ(x)·π(a|x)·φ_j(x,a).
    for (pair, phi) in mdp.features().chunks_exact(dim).enumerate() {
        let psi = &mdp.psi()[pair / actions * dim..][..dim];
        subtract_pair(matrix, psi, phi, &policy[pair], mdp.discount());
    }
    solve_named("I − γΨΠ_πΦ", dim, matrix, theta)?;
    Ok(theta)
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
    let v = policy_average(shape.actions, policy, f, &mut scratch)?;
    let backup = theta_of_value(mdp, v, &mut scratch)?;
    let (mut above, mut below) = (T::zero(), T::zero());
    for (pair, phi) in mdp.features().chunks_exact(shape.dim).enumerate() {
        let error = f[pair].clone() - inner(phi, backup);
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
    scratch: &mut [T],
) -> Result<T> {
    let dim = mdp.shape().dim;
    expect_rows("points of Θ", dim, thetas.len())?;
    let mut largest: Option<T> = None;
    for theta in thetas.chunks_exact(dim) {
        let mut rest = &mut *scratch;
        let y = bellman_error(mdp, policy, theta, &mut rest)?;
        if y.iter().all(Field::is_zero) {
            continue;
        }
        let ratio = rayleigh_quotient(dim, m, lambda, y, rest)?;
        if largest.as_ref().is_none_or(|l| ratio > *l) {
            largest = Some(ratio);
        }
    }
    largest.ok_or(Error::Empty { what: "points of Θ that are not fixed points" })
}
