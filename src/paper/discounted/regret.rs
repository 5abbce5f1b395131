//! Lemma 4.2: the three regrets, each through the gradients (or occupancies) alone, never through f.

use super::duality_gap::{Comparators, Iterates, mean, occupancy_of};
use super::lagrangian::{Saddle, beta_gradient, theta_gradient};
use crate::error::{Result, expect_len, expect_rows, expect_some, expect_table};
use crate::linear::vector::{finite, inner};
use crate::number::Field;
use crate::paper::mdp::{LinearMdp, state_marginal};

/// Lemma 4.2, first term: (1/T) Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩.
pub fn theta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    let dim = saddle.mdp().shape().dim;
    expect_table("theta stars", iterates.outer(), dim, comparators.thetas.len())?;
    let mut sum = T::zero();
    for ((theta, beta, policy), theta_star) in iterates.iter().zip(comparators.thetas.chunks_exact(dim)) {
        let gradient = theta_gradient(saddle, beta, policy, &mut &mut *scratch)?;
        sum += inner(theta, gradient) - inner(theta_star, gradient);
    }
    mean(sum, iterates.outer())
}

/// Lemma 4.2, second term: (1/T) Σ_t ⟨β* − β_t, g_{β,t}⟩.
pub fn beta_regret<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    expect_len("beta star", saddle.mdp().shape().dim, comparators.beta.len())?;
    let mut sum = T::zero();
    for (theta, beta, policy) in iterates.iter() {
        let gradient = beta_gradient(saddle, policy, theta, &mut &mut *scratch)?;
        sum += inner(comparators.beta, gradient) - inner(beta, gradient);
    }
    mean(sum, iterates.outer())
}

/// Lemma 4.2, third term: (1/T) Σ_t Σ_x ν^{π*}(x) Σ_a (π*(a|x) − π_t(a|x)) ⟨θ_t, φ(x,a)⟩.
pub fn policy_regret<T: Field>(
    mdp: &LinearMdp<T>,
    iterates: &Iterates<T>,
    comparator: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let shape = mdp.shape();
    expect_len("comparator policy", shape.pairs(), comparator.len())?;
    let mu = occupancy_of(mdp, comparator, &mut scratch)?;
    let nu = state_marginal(shape.actions, mu, &mut scratch)?;
    let mut sum = T::zero();
    for (theta, _, policy) in iterates.iter() {
        let q = mdp.linear_function(theta, &mut &mut *scratch)?;
        sum += policy_advantage(shape.actions, nu, comparator, policy, q)?;
    }
    mean(sum, iterates.outer())
}

/// (22), `eq:regrets`, Lemma C.4: ℜ_t = Σ_k ⟨θ_{t,k} − θ*_t, g_{θ,t}⟩ over the rows θ_{t,k} of one inner loop. Since θ_t is their average,
/// ⟨θ_t − θ*_t, g_{θ,t}⟩ is ℜ_t/K.
pub fn inner_regret<T: Field>(iterates: &[T], theta_star: &[T], gradient: &[T]) -> Result<T> {
    expect_len("gradient", theta_star.len(), gradient.len())?;
    expect_some("inner iterates", iterates.len())?;
    expect_rows("inner iterates", theta_star.len(), iterates.len())?;
    let mut sum = T::zero();
    for theta in iterates.chunks_exact(theta_star.len()) {
        sum += inner(theta, gradient) - inner(theta_star, gradient);
    }
    finite("inner regret", sum)
}

/// One term of Lemma 4.2's third sum: Σ_x ν(x) ⟨π*(·|x) − π(·|x), q(x,·)⟩.
pub fn policy_advantage<T: Field>(actions: usize, nu: &[T], policy_star: &[T], policy: &[T], q: &[T]) -> Result<T> {
    for (what, function) in [("comparator policy", policy_star), ("policy", policy), ("q", q)] {
        expect_table(what, nu.len(), actions, function.len())?;
    }
    let mut sum = T::zero();
    for (x, weight) in nu.iter().enumerate() {
        let row = x * actions..(x + 1) * actions;
        let difference = inner(&policy_star[row.clone()], &q[row.clone()]) - inner(&policy[row.clone()], &q[row]);
        sum += difference * weight;
    }
    finite("policy advantage", sum)
}
