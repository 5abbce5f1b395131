//! (16), Lemma 4.1 and (21): the dynamic duality gap and the suboptimality it equals.

use super::lagrangian::{Saddle, f_theta, theta_of_policy};
use crate::error::{Result, expect_some, expect_table};
use crate::linear::vector::{finite, take};
use crate::number::Field;
use crate::paper::components::keep;
use crate::paper::covariance::apply_inverse;
use crate::paper::mdp::{LinearMdp, Shape, expected_reward, occupancy};

/// The iterates of a run: θ_t, β_t (T rows of d) and π_t (T rows of |X||A|). Shapes are checked.
#[derive(Debug)]
pub struct Iterates<'a, T> {
    thetas: &'a [T],
    betas: &'a [T],
    policies: &'a [T],
    outer: usize,
    shape: Shape,
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
        let shape = mdp.shape();
        let outer = policies.len() / shape.pairs();
        expect_some("iterates", outer)?;
        expect_table("policies", outer, shape.pairs(), policies.len())?;
        expect_table("thetas", outer, shape.dim, thetas.len())?;
        expect_table("betas", outer, shape.dim, betas.len())?;
        Ok(Self { thetas, betas, policies, outer, shape })
    }

    /// T.
    #[must_use]
    pub fn outer(&self) -> usize {
        self.outer
    }

    /// Room for every function of a run: [`Shape::scratch`], and T rows of results.
    #[must_use]
    pub fn scratch(&self) -> usize {
        self.shape.scratch().saturating_add(self.thetas.len())
    }

    /// θ_t, t from 0; `None` from T on.
    #[must_use]
    pub fn theta(&self, t: usize) -> Option<&'a [T]> {
        row(self.thetas, self.shape.dim, t)
    }

    /// β_t, t from 0; `None` from T on.
    #[must_use]
    pub fn beta(&self, t: usize) -> Option<&'a [T]> {
        row(self.betas, self.shape.dim, t)
    }

    /// π_t, t from 0; `None` from T on.
    #[must_use]
    pub fn policy(&self, t: usize) -> Option<&'a [T]> {
        row(self.policies, self.shape.pairs(), t)
    }

    /// θ_t, β_t, π_t for every t.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [T], &'a [T], &'a [T])> + use<'a, T> {
        let Shape { dim, .. } = self.shape;
        let dual = self.thetas.chunks_exact(dim).zip(self.betas.chunks_exact(dim));
        dual.zip(self.policies.chunks_exact(self.shape.pairs())).map(|((theta, beta), policy)| (theta, beta, policy))
    }
}

/// Row t of a table.
pub(crate) fn row<T>(table: &[T], width: usize, t: usize) -> Option<&[T]> {
    let start = t.checked_mul(width)?;
    table.get(start..start.checked_add(width)?)
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
pub fn beta_star<'s, T: Field>(saddle: &Saddle<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let (mdp, dim) = (saddle.mdp(), saddle.mdp().shape().dim);
    keep(dim, scratch, |rest| {
        let mu = occupancy_of(mdp, policy, rest)?;
        let mean = mdp.mean_feature(mu, rest)?;
        apply_inverse(dim, saddle.power(), mean, rest)
    })
}

/// Lemma 4.1: θ*_t = θ^{π_t} for every t, in T rows of d.
pub fn theta_stars<'s, T: Field>(
    mdp: &LinearMdp<T>,
    iterates: &Iterates<T>,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let stars = take(scratch, iterates.thetas.len())?;
    for ((_, _, policy), star) in iterates.iter().zip(stars.chunks_exact_mut(iterates.shape.dim)) {
        star.clone_from_slice(theta_of_policy(mdp, policy, &mut &mut **scratch)?);
    }
    Ok(stars)
}

/// μ^π of a linear MDP.
pub fn occupancy_of<'s, T: Field>(mdp: &LinearMdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    keep(mdp.shape().pairs(), scratch, |rest| occupancy(&mdp.tabulate(rest)?, policy, rest))
}

/// ρ(π) = ⟨μ^π, r⟩ of a linear MDP, through its occupancy measure.
pub fn return_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let mu = occupancy_of(mdp, policy, &mut scratch)?;
    expected_reward(mdp.reward(&mut scratch)?, mu)
}

/// (16): G_T(β*,π*;θ*_{1:T}) = (1/T) Σ_t [f(β*,π*;θ_t) − f(β_t,π_t;θ*_t)].
pub fn dynamic_duality_gap<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    let dim = iterates.shape.dim;
    expect_table("theta stars", iterates.outer, dim, comparators.thetas.len())?;
    let mut sum = T::zero();
    for ((theta, beta, policy), theta_star) in iterates.iter().zip(comparators.thetas.chunks_exact(dim)) {
        sum += f_theta(saddle, comparators.beta, comparators.policy, theta, scratch)?
            - f_theta(saddle, beta, policy, theta_star, scratch)?;
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
    for (_, _, policy) in iterates.iter() {
        sum += best.clone() - return_of(mdp, policy, scratch)?;
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
    let count = T::from_count(count);
    finite("mean over t", sum / count)
}
