//! Lemma C.3 and the split of Lemma C.4: the dynamic duality gap and the suboptimality it equals.

use super::lagrangian::{Saddle, f_beta, theta_of_policy};
use super::values::{occupancy, shifted_theta};
use crate::error::{Result, expect_len, expect_some, expect_table};
use crate::linear::vector::{finite, take};
use crate::number::Field;
use crate::paper::components::keep;
use crate::paper::covariance::apply_inverse;
use crate::paper::discounted::duality_gap::{mean, row};
use crate::paper::mdp::{LinearMdp, Shape, expected_reward};

/// The iterates of a run: ρ_t (T numbers), θ_t, β_t (T rows of d) and π_t (T rows of |X||A|). Shapes are checked.
#[derive(Debug)]
pub struct Iterates<'a, T> {
    rhos: &'a [T],
    thetas: &'a [T],
    betas: &'a [T],
    policies: &'a [T],
    shape: Shape,
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
        let (shape, outer) = (mdp.shape(), rhos.len());
        expect_some("iterates", outer)?;
        expect_table("policies", outer, shape.pairs(), policies.len())?;
        expect_table("thetas", outer, shape.dim, thetas.len())?;
        expect_table("betas", outer, shape.dim, betas.len())?;
        Ok(Self { rhos, thetas, betas, policies, shape })
    }

    /// T.
    #[must_use]
    pub fn outer(&self) -> usize {
        self.rhos.len()
    }

    /// Room for every function of a run: [`Shape::scratch`], and T rows of results.
    #[must_use]
    pub fn scratch(&self) -> usize {
        self.shape.scratch().saturating_add(self.thetas.len()).saturating_add(self.rhos.len())
    }

    /// ρ_t, t from 0; `None` from T on.
    #[must_use]
    pub fn rho(&self, t: usize) -> Option<&'a T> {
        self.rhos.get(t)
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

    /// ρ_t, θ_t, β_t, π_t for every t.
    pub fn iter(&self) -> impl Iterator<Item = (&'a T, &'a [T], &'a [T], &'a [T])> + use<'a, T> {
        let Shape { dim, .. } = self.shape;
        let dual = self.rhos.iter().zip(self.thetas.chunks_exact(dim));
        let primal = self.betas.chunks_exact(dim).zip(self.policies.chunks_exact(self.shape.pairs()));
        dual.zip(primal).map(|((rho, theta), (beta, policy))| (rho, theta, beta, policy))
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
pub fn beta_star<'s, T: Field>(saddle: &Saddle<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let (mdp, dim) = (saddle.mdp(), saddle.mdp().shape().dim);
    keep(dim, scratch, |rest| {
        let mu = occupancy_of(mdp, policy, rest)?;
        let mean = mdp.mean_feature(mu, rest)?;
        apply_inverse(dim, saddle.power(), mean, rest)
    })
}

/// Lemma C.3: ρ*_t = ρ^{π_t} from Bellman's equations (T numbers) and θ*_t = θ^{π_t} shifted so that its least action value
/// is 0 (T rows of d), for every t. The lemma holds for any other shift too, and for any comparator policy that is unichain.
pub fn rho_theta_stars<'s, T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    scratch: &mut &'s mut [T],
) -> Result<(&'s mut [T], &'s mut [T])> {
    let rhos = take(scratch, iterates.rhos.len())?;
    let thetas = take(scratch, iterates.thetas.len())?;
    let stars = rhos.iter_mut().zip(thetas.chunks_exact_mut(iterates.shape.dim));
    for ((_, _, _, policy), (rho_star, theta_star)) in iterates.iter().zip(stars) {
        let mut rest = &mut **scratch;
        let (rho, theta) = theta_of_policy(saddle.mdp(), saddle.varrho(), policy, &mut rest)?;
        *rho_star = rho;
        theta_star.clone_from_slice(shifted_theta(saddle.mdp(), saddle.varrho(), theta, &mut rest)?);
    }
    Ok((rhos, thetas))
}

/// μ^π of a linear MDP.
pub fn occupancy_of<'s, T: Field>(mdp: &LinearMdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    keep(mdp.shape().pairs(), scratch, |rest| occupancy(&mdp.tabulate(rest)?, policy, rest))
}

/// ρ^π = ⟨μ^π, r⟩ of a linear MDP, through its stationary distribution.
pub fn gain_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let mu = occupancy_of(mdp, policy, &mut scratch)?;
    expected_reward(mdp.reward(&mut scratch)?, mu)
}

/// (27), Lemma C.3, right side: G_T(β*,π*;ρ*_{1:T},θ*_{1:T}) = (1/T) Σ_t [f(β*,π*;ρ_t,θ_t) − f(β_t,π_t;ρ*_t,θ*_t)].
pub fn dynamic_duality_gap<T: Field>(
    saddle: &Saddle<T>,
    iterates: &Iterates<T>,
    comparators: &Comparators<T>,
    scratch: &mut [T],
) -> Result<T> {
    let dim = iterates.shape.dim;
    expect_len("rho stars", iterates.outer(), comparators.rhos.len())?;
    expect_table("theta stars", iterates.outer(), dim, comparators.thetas.len())?;
    let stars = comparators.rhos.iter().zip(comparators.thetas.chunks_exact(dim));
    let mut sum = T::zero();
    for ((rho, theta, beta, policy), (rho_star, theta_star)) in iterates.iter().zip(stars) {
        sum += f_beta(saddle, comparators.beta, comparators.policy, rho, theta, scratch)?
            - f_beta(saddle, beta, policy, rho_star, theta_star, scratch)?;
    }
    mean(sum, iterates.outer())
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
    for (_, _, _, policy) in iterates.iter() {
        sum += best.clone() - gain_of(mdp, policy, scratch)?;
    }
    mean(sum, iterates.outer())
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
