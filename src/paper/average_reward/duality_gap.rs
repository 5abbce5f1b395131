//! Lemma C.3 and the split of Lemma C.4: the dynamic duality gap and the suboptimality it equals.

use super::lagrangian::{Saddle, f_beta, theta_of_policy};
use super::values::{occupancy, shifted_theta};
use crate::error::{Result, expect_len, expect_some, expect_table};
use crate::linear::vector::{finite, take};
use crate::number::Field;
use crate::paper::covariance::apply_inverse;
use crate::paper::discounted::duality_gap::mean;
use crate::paper::mdp::{LinearMdp, expected_reward};

/// The iterates of a run: ρ_t (T numbers), θ_t, β_t (T rows of d) and π_t (T rows of |X||A|). Shapes are checked.
#[derive(Debug)]
pub struct Iterates<'a, T> {
    rhos: &'a [T],
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
    /// The number of iterations T is that of the ρ_t.
    pub fn new(mdp: &LinearMdp<T>, rhos: &'a [T], thetas: &'a [T], betas: &'a [T], policies: &'a [T]) -> Result<Self> {
        let (dim, pairs) = (mdp.shape().dim, mdp.shape().pairs());
        let outer = rhos.len();
        expect_some("iterates", outer)?;
        expect_table("policies", outer, pairs, policies.len())?;
        expect_table("thetas", outer, dim, thetas.len())?;
        expect_table("betas", outer, dim, betas.len())?;
        Ok(Self { rhos, thetas, betas, policies, outer, dim, pairs })
    }

    /// T.
    #[must_use]
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// ρ_t, t from 0.
    #[must_use]
    pub fn rho(&self, t: usize) -> &'a T {
        &self.rhos[t]
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

/// Lemma C.3's comparators: β* = Λ^{−c}Φᵀμ^{π*}, ρ*_t = ρ^{π_t} (T numbers) and the shifted θ*_t (T rows of d).
#[derive(Debug)]
pub struct Comparators<'a, T> {
    /// π*.
    pub policy: &'a [T],
    /// β*.
    pub beta: &'a [T],
    /// ρ*_1, …, ρ*_T.
    pub rhos: &'a [T],
    /// θ*_1, …, θ*_T.
    pub thetas: &'a [T],
}

impl<T> Clone for Comparators<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Comparators<'_, T> {}

/// Lemma C.3: β* = Λ^{−c}Φᵀμ^{π*}.
pub fn beta_star<T: Field>(saddle: &Saddle<T>, policy: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let mdp = saddle.mdp();
    let mu = take(&mut scratch, mdp.shape().pairs())?;
    occupancy_of(mdp, policy, mu, scratch)?;
    mdp.mean_feature(mu, out)?;
    apply_inverse(mdp.shape().dim, saddle.power(), out, scratch)
}

/// Lemma C.3: ρ*_t = ρ^{π_t} from Bellman's equations and θ*_t = θ^{π_t} shifted so that its least action value is 0,
/// for every t. The lemma holds for any other shift too, and for any comparator policy that is unichain.
pub fn rho_theta_stars<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    rhos: &mut [T],
    thetas: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    expect_len("rho stars", iterates.outer, rhos.len())?;
    expect_table("theta stars", iterates.outer, iterates.dim, thetas.len())?;
    let theta = take(&mut scratch, iterates.dim)?;
    for (t, (rho, row)) in rhos.iter_mut().zip(thetas.chunks_exact_mut(iterates.dim)).enumerate() {
        *rho = theta_of_policy(saddle.mdp(), saddle.varrho(), iterates.policy(t), theta, scratch)?;
        shifted_theta(saddle.mdp(), saddle.varrho(), theta, row, scratch)?;
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

/// ρ^π = ⟨μ^π, r⟩ of a linear MDP, through its stationary distribution.
pub fn gain_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let mu = take(&mut scratch, mdp.shape().pairs())?;
    let reward = take(&mut scratch, mdp.shape().pairs())?;
    occupancy_of(mdp, policy, mu, scratch)?;
    mdp.reward(reward)?;
    expected_reward(reward, mu)
}

/// (27), Lemma C.3, right side: G_T(β*,π*;ρ*_{1:T},θ*_{1:T}) = (1/T) Σ_t [f(β*,π*;ρ_t,θ_t) − f(β_t,π_t;ρ*_t,θ*_t)].
pub fn dynamic_duality_gap<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    expect_len("rho stars", iterates.outer, comparators.rhos.len())?;
    expect_table("theta stars", iterates.outer, iterates.dim, comparators.thetas.len())?;
    let mut sum = T::zero();
    for t in 0..iterates.outer {
        let theta_star = &comparators.thetas[t * iterates.dim..(t + 1) * iterates.dim];
        sum += f_beta(saddle, comparators.beta, comparators.policy, iterates.rho(t), iterates.theta(t), scratch)?
            - f_beta(saddle, iterates.beta(t), iterates.policy(t), &comparators.rhos[t], theta_star, scratch)?;
    }
    mean(sum, iterates.outer)
}

/// Lemma C.3, left side: E⟨μ^{π*} − μ^{π_out}, r⟩ = (1/T) Σ_t [ρ^{π*} − ρ^{π_t}], through stationary distributions
/// alone.
pub fn average_suboptimality<T: Field>(
    mdp: &LinearMdp<T>,
    comparator: &[T],
    iterates: &Iterates<T>,
    scratch: &mut [T],
) -> Result<T> {
    let best = gain_of(mdp, comparator, scratch)?;
    let mut sum = T::zero();
    for t in 0..iterates.outer {
        sum += best.clone() - gain_of(mdp, iterates.policy(t), scratch)?;
    }
    mean(sum, iterates.outer)
}

/// Lemma C.4, first display of the proof: the two differences of f whose sum is one term of G_T,
/// f(β*,π*;ρ,θ) − f(β,π;ρ,θ) and f(β,π;ρ,θ) − f(β,π;ρ*,θ*). Points are (ρ, θ, β, π).
pub fn telescoped<T: Field>(
    saddle: &Saddle<T>,
    iterate: (&T, &[T], &[T], &[T]),
    comparator: (&T, &[T], &[T], &[T]),
    scratch: &mut [T],
) -> Result<[T; 2]> {
    let (rho, theta, beta, policy) = iterate;
    let (rho_star, theta_star, beta_star, policy_star) = comparator;
    let corner = f_beta(saddle, beta_star, policy_star, rho, theta, scratch)?;
    let at_iterate = f_beta(saddle, beta, policy, rho, theta, scratch)?;
    let end = f_beta(saddle, beta, policy, rho_star, theta_star, scratch)?;
    Ok([finite("f difference", corner - &at_iterate)?, finite("f difference", at_iterate - &end)?])
}
