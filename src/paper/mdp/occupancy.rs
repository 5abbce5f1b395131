//! Section 2: ν^π, μ^π and the flow constraint.

use super::{Mdp, compose, policy_transition, state_marginal};
use crate::error::{Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, multiply_transposed, take};
use crate::number::Field;
use crate::paper::components::{fill, identity, keep, vector};

/// S2.nu: ν^π, the solution of ν = (1−γ)ν₀ + γ P_πᵀ ν.
///
/// # Deviation
/// Print omits γ^t in the series for ν^π; erratum 8.
pub fn state_occupancy<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    all_finite("policy", policy)?;
    let n = mdp.states();
    let nu = vector("(1−γ)ν₀", n, scratch, |x| (T::one() - mdp.discount()) * &mdp.initial()[x])?;
    let mut rest = &mut **scratch;
    let p = policy_transition(mdp, policy, &mut rest)?;
    let matrix = vector("I − γP_πᵀ", n * n, &mut rest, |i| {
        let (x, y) = (i / n, i % n);
        identity::<T>(n, i) - p[y * n + x].clone() * mdp.discount()
    })?;
    solve_named("I − γP_πᵀ", n, matrix, nu)?;
    Ok(nu)
}

/// S2.mu: μ^π(x, a) = π(a|x) ν^π(x).
pub fn occupancy<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    keep(mdp.pairs(), scratch, |rest| {
        let nu = state_occupancy(mdp, policy, rest)?;
        compose(mdp.actions(), policy, nu, rest)
    })
}

/// (1), right, and the constraint of (2): Eᵀμ − (1−γ)ν₀ − γPᵀμ, zero exactly when μ obeys the flow constraint.
pub fn flow_residual<'s, T: Field>(mdp: &Mdp<T>, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("mu", mdp.pairs(), mu.len())?;
    let out = take(scratch, mdp.states())?;
    let mut rest = &mut **scratch;
    let marginal = state_marginal(mdp.actions(), mu, &mut rest)?;
    let arriving = take(&mut rest, mdp.states())?;
    multiply_transposed(mdp.transition(), mu, arriving);
    fill("flow residual", out, |x| {
        let start = (T::one() - mdp.discount()) * &mdp.initial()[x];
        marginal[x].clone() - start - arriving[x].clone() * mdp.discount()
    })
}
