//! (16), Lemma 4.1 and (21): the dynamic duality gap and the suboptimality it equals.

use super::lagrangian::{Saddle, f_theta, theta_of_policy};
use crate::error::{Result, expect_some, expect_table};
use crate::linear::vector::{finite, take};
use crate::number::Field;
use crate::paper::covariance::apply_inverse;
use crate::paper::mdp::{LinearMdp, expected_reward, occupancy};

/// The iterates of a run: θ_t, β_t (T rows of d) and π_t (T rows of |X||A|). Shapes are checked.
#[derive(Debug)]
pub struct Iterates<'a, T> {
    thetas: &'a [T],
    betas: &'a [T],
    policies: &'a [T],
    outer: usize,
    dim: usize,
    pairs: usize,
}

impl<T> Clone for Iterates<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Iterates<'_, T> {}

impl<'a, T: Field> Iterates<'a, T> {
    /// The number of iterations T is read off the number of policies.
    pub fn new(mdp: &LinearMdp<T>, thetas: &'a [T], betas: &'a [T], policies: &'a [T]) -> Result<Self> {
        let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
        let outer = policies.len() / pairs;
        expect_some("iterates", outer)?;
        expect_table("policies", outer, pairs, policies.len())?;
        expect_table("thetas", outer, dim, thetas.len())?;
        expect_table("betas", outer, dim, betas.len())?;
        Ok(Self { thetas, betas, policies, outer, dim, pairs })
    }

    /// T.
    #[must_use]
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// θ_t, t from 0.
    #[must_use]
    pub fn theta(&self, t: usize) -> &'a [T] {
        &self.thetas[t * self.dim..(t + 1) * self.dim]
    }

    /// β_t, t from 0.
    #[must_use]
    pub fn beta(&self, t: usize) -> &'a [T] {
        &self.betas[t * self.dim..(t + 1) * self.dim]
    }

    /// π_t, t from 0.
    #[must_use]
    pub fn policy(&self, t: usize) -> &'a [T] {
        &self.policies[t * self.pairs..(t + 1) * self.pairs]
    }
}

/// Lemma 4.1's comparators for β and θ: β* = Λ^{−c}Φᵀμ^{π*} and θ*_t = θ^{π_t} (T rows of d).
#[derive(Debug)]
pub struct Comparators<'a, T> {
    /// π*.
    pub policy: &'a [T],
    /// β*.
    pub beta: &'a [T],
    /// θ*_1, …, θ*_T.
    pub thetas: &'a [T],
}

impl<T> Clone for Comparators<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Comparators<'_, T> {}

/// Lemma 4.1: β* = Λ^{−c}Φᵀμ^{π*}.
pub fn beta_star<T: Field>(saddle: &Saddle<T>, policy: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let mdp = saddle.mdp();
    let mu = take(&mut scratch, mdp.shape().pairs())?;
    occupancy_of(mdp, policy, mu, scratch)?;
    mdp.mean_feature(mu, out)?;
    apply_inverse(mdp.shape().dim, saddle.power(), out, scratch)
}

/// Lemma 4.1: θ*_t = θ^{π_t} for every t.
pub fn theta_stars<T: Field>(
    mdp: &LinearMdp<T>,
    iterates: &Iterates<T>,
    out: &mut [T],
    scratch: &mut [T],
) -> Result<()> {
    expect_table("theta stars", iterates.outer, iterates.dim, out.len())?;
    for (t, row) in out.chunks_exact_mut(iterates.dim).enumerate() {
        theta_of_policy(mdp, iterates.policy(t), row, scratch)?;
    }
    Ok(())
}

/// μ^π of a linear MDP.
pub fn occupancy_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mu: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    let reward = take(&mut scratch, shape.pairs())?;
    let transition = take(&mut scratch, shape.pairs() * shape.states)?;
    let tabular = mdp.tabulate(reward, transition)?;
    occupancy(&tabular, policy, mu, scratch)
}

/// ρ(π) = ⟨μ^π, r⟩ of a linear MDP, through its occupancy measure.
pub fn return_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let mu = take(&mut scratch, mdp.shape().pairs())?;
    let reward = take(&mut scratch, mdp.shape().pairs())?;
    occupancy_of(mdp, policy, mu, scratch)?;
    mdp.reward(reward)?;
    expected_reward(reward, mu)
}

/// (16): G_T(β*,π*;θ*_{1:T}) = (1/T) Σ_t [f(β*,π*;θ_t) − f(β_t,π_t;θ*_t)].
pub fn dynamic_duality_gap<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    expect_table("theta stars", iterates.outer, iterates.dim, comparators.thetas.len())?;
    let mut sum = T::zero();
    for t in 0..iterates.outer {
        let theta_star = &comparators.thetas[t * iterates.dim..(t + 1) * iterates.dim];
        sum += f_theta(saddle, comparators.beta, comparators.policy, iterates.theta(t), scratch)?
            - f_theta(saddle, iterates.beta(t), iterates.policy(t), theta_star, scratch)?;
    }
    mean(sum, iterates.outer)
}

/// Lemma 4.1, left side: E⟨μ^{π*} − μ^{π_out}, r⟩ = (1/T) Σ_t [ρ(π*) − ρ(π_t)], through occupancy measures alone.
pub fn average_suboptimality<T: Field>(
    mdp: &LinearMdp<T>,
    comparator: &[T],
    iterates: &Iterates<T>,
    scratch: &mut [T],
) -> Result<T> {
    let best = return_of(mdp, comparator, scratch)?;
    let mut sum = T::zero();
    for t in 0..iterates.outer {
        sum += best.clone() - return_of(mdp, iterates.policy(t), scratch)?;
    }
    mean(sum, iterates.outer)
}

/// (21), `eq:three-regrets`: the three differences of f whose sum is one term of G_T, in print's order
/// (π, β, θ): f(β*,π*;θ) − f(β*,π;θ), f(β*,π;θ) − f(β,π;θ), f(β,π;θ) − f(β,π;θ*).
pub fn telescoped<T: Field>(
    saddle: &Saddle<T>,
    iterate: (&[T], &[T], &[T]),
    comparator: (&[T], &[T], &[T]),
    scratch: &mut [T],
) -> Result<[T; 3]> {
    let (theta, beta, policy) = iterate;
    let (theta_star, beta_star, policy_star) = comparator;
    let corner = f_theta(saddle, beta_star, policy_star, theta, scratch)?;
    let after_policy = f_theta(saddle, beta_star, policy, theta, scratch)?;
    let at_iterate = f_theta(saddle, beta, policy, theta, scratch)?;
    let end = f_theta(saddle, beta, policy, theta_star, scratch)?;
    Ok([
        finite("f difference", corner - &after_policy)?,
        finite("f difference", after_policy - &at_iterate)?,
        finite("f difference", at_iterate - &end)?,
    ])
}

/// A sum over t = 1…T divided by T.
pub(crate) fn mean<T: Field>(sum: T, count: usize) -> Result<T> {
    let count = T::from_int(i64::try_from(count).unwrap_or(i64::MAX));
    finite("mean over t", sum / count)
}
