//! Section 2: ν^π, μ^π and the flow constraint.

use super::{Mdp, compose, policy_transition, state_marginal};
use crate::error::{Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, multiply_transposed, take};
use crate::number::Field;

/// S2.nu: ν^π, the solution of ν = (1−γ)ν₀ + γ P_πᵀ ν.
///
/// # Deviation
/// Print omits γ^t in the series for ν^π; erratum 8.
pub fn state_occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], nu: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let n = mdp.states();
    expect_len("policy", mdp.pairs(), policy.len())?;
    expect_len("nu", n, nu.len())?;
    all_finite("policy", policy)?;
    let forward = take(&mut scratch, n * n)?;
    policy_transition(mdp, policy, forward)?;
    let matrix = take(&mut scratch, n * n)?;
    for (index, entry) in matrix.iter_mut().enumerate() {
        let (x, y) = (index / n, index % n);
        let identity = if x == y { T::one() } else { T::zero() };
        *entry = identity - forward[y * n + x].clone() * mdp.discount();
    }
    for (entry, start) in nu.iter_mut().zip(mdp.initial()) {
        *entry = (T::one() - mdp.discount()) * start;
    }
    solve_named("I − γP_πᵀ", n, matrix, nu)
}

/// S2.mu: μ^π(x, a) = π(a|x) ν^π(x).
pub fn occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], mu: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let nu = take(&mut scratch, mdp.states())?;
    state_occupancy(mdp, policy, nu, scratch)?;
    compose(mdp.actions(), policy, nu, mu)
}

/// (1), right, and the constraint of (2): Eᵀμ − (1−γ)ν₀ − γPᵀμ, zero exactly when μ obeys the flow constraint.
pub fn flow_residual<T: Field>(mdp: &Mdp<T>, mu: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    expect_len("mu", mdp.pairs(), mu.len())?;
    expect_len("flow residual", mdp.states(), out.len())?;
    let arriving = take(&mut scratch, mdp.states())?;
    multiply_transposed(mdp.transition(), mu, arriving);
    state_marginal(mdp.actions(), mu, out)?;
    for (x, entry) in out.iter_mut().enumerate() {
        let start = (T::one() - mdp.discount()) * &mdp.initial()[x];
        *entry = entry.clone() - start - arriving[x].clone() * mdp.discount();
    }
    all_finite("flow residual", out)
}
