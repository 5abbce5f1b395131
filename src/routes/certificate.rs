//! Lemmas 4.1, 4.2, C.3 and C.4 on a run: the duality gap, the suboptimality and the regrets, iterate by iterate in O(|X||A|d) and one
//! or two systems of min(d, |X|) unknowns.

use super::{Gain, Structure, Symmetric, mean};
use crate::error::{Result, expect_len, expect_some, expect_table};
use crate::linear::vector::{finite, inner};
use crate::number::Field;

/// One iterate of a run: θ_t, β_t, π_t, and ρ_t in the average-reward setting.
#[derive(Debug)]
pub struct Iterate<'a, T> {
    /// θ_t.
    pub theta: &'a [T],
    /// β_t.
    pub beta: &'a [T],
    /// π_t.
    pub policy: &'a [T],
    /// ρ_t.
    pub rho: &'a T,
}

/// What one iterate, or the average over a run, adds to both sides of the lemmas.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts<T> {
    /// f(β*,π*;θ_t) − f(β_t,π_t;θ*_t).
    pub gap: T,
    /// ρ(π*) − ρ(π_t).
    pub suboptimality: T,
    /// ⟨θ_t − θ*_t, g_θ⟩.
    pub regret_theta: T,
    /// ⟨β* − β_t, g_β⟩.
    pub regret_beta: T,
    /// Σ_x ν*(x)⟨π* − π_t, q_t⟩.
    pub regret_pi: T,
    /// (ρ_t − ρ*_t) g_ρ; 0 in the discounted setting.
    pub regret_rho: T,
}

/// What the comparator π* brings: the same for every iterate.
#[derive(Debug)]
pub struct Comparator<'a, T: Clone> {
    model: &'a Structure<'a, T>,
    power: &'a Symmetric<T>,
    /// ϱ, in the average-reward setting.
    varrho: Option<&'a [T]>,
    policy: &'a [T],
    /// β* = Λ^{−c}Φᵀμ*.
    beta: Vec<T>,
    /// Λ^cβ*.
    lambda: Vec<T>,
    /// Φᵀμ_{β*,π*} − Λ^cβ*.
    gradient: Vec<T>,
    nu: Vec<T>,
    value: T,
}

impl<'a, T: Field> Comparator<'a, T> {
    /// The comparator π* on a model with Λ^c; `varrho` says that the setting is that of average rewards.
    pub fn new(
        model: &'a Structure<'a, T>,
        power: &'a Symmetric<T>,
        varrho: Option<&'a [T]>,
        policy: &'a [T],
    ) -> Result<Self> {
        expect_len("Λ^c", model.shape().dim, power.dim())?;
        let (nu, value) = match varrho {
            None => {
                let lambda = model.feature_occupancy(policy)?;
                (model.arriving(&lambda), inner(model.mdp().omega(), &lambda))
            }
            Some(varrho) => {
                let Gain { nu, rho, .. } = model.gain_of_policy(varrho, policy)?;
                (nu, rho)
            }
        };
        let beta = power.inverse_times(&model.mean_feature(policy, &nu))?;
        let lambda = power.times(&beta)?;
        let mut comparator = Self { model, power, varrho, policy, beta, lambda, gradient: Vec::new(), nu, value };
        comparator.gradient = comparator.theta_gradient(&comparator.lambda, policy);
        Ok(comparator)
    }

    /// Both sides of the lemmas, averaged over the iterates.
    pub fn certify(&self, iterates: &[Iterate<'_, T>]) -> Result<Parts<T>> {
        expect_some("iterates", iterates.len())?;
        let parts = iterates.iter().map(|iterate| self.parts(iterate)).collect::<Result<Vec<_>>>()?;
        let of = |part: fn(&Parts<T>) -> &T| mean(parts.iter().map(|parts| part(parts).clone()).collect());
        Ok(Parts {
            gap: of(|parts| &parts.gap)?,
            suboptimality: of(|parts| &parts.suboptimality)?,
            regret_theta: of(|parts| &parts.regret_theta)?,
            regret_beta: of(|parts| &parts.regret_beta)?,
            regret_pi: of(|parts| &parts.regret_pi)?,
            regret_rho: of(|parts| &parts.regret_rho)?,
        })
    }

    /// One term of each. With λ_t = Λ^cβ_t and g_θ = Φᵀμ_{β_t,π_t} − λ_t, (14) reads f(β_t,π_t;θ) = ⟨λ_t, ω⟩ + ⟨θ, g_θ⟩, and at the
    /// comparators likewise; g_θ is shared by the gap and the θ-regret, Φθ_t by the β- and the π-regret.
    pub fn parts(&self, iterate: &Iterate<'_, T>) -> Result<Parts<T>> {
        let (model, omega) = (self.model, self.model.mdp().omega());
        let Iterate { theta, beta, policy, rho } = *iterate;
        let (dim, pairs) = (model.shape().dim, model.shape().pairs());
        expect_len("theta", dim, theta.len())?;
        expect_len("beta", dim, beta.len())?;
        expect_table("policy", model.shape().states, model.shape().actions, policy.len())?;
        expect_len("policy", pairs, policy.len())?;
        let lambda = self.power.times(beta)?;
        let gradient = self.theta_gradient(&lambda, policy);
        let (theta_star, rho_star, value) = self.stars(policy)?;
        // f, but for what ρ adds in the average-reward setting: ρ(1 − ⟨λ, ϱ⟩).
        let slope = |lambda: &[T]| self.varrho.map_or_else(T::zero, |varrho| T::one() - inner(lambda, varrho));
        let at = |lambda: &[T], gradient: &[T], theta: &[T], rho: &T| {
            inner(lambda, omega) + inner(theta, gradient) + slope(lambda) * rho
        };
        let gap = at(&self.lambda, &self.gradient, theta, rho) - at(&lambda, &gradient, &theta_star, &rho_star);
        let q = model.linear_function(theta);
        let advantage = q.chunks_exact(model.shape().actions).zip(&self.nu).enumerate().map(|(x, (q, nu))| {
            let row = x * q.len()..(x + 1) * q.len();
            (inner(&self.policy[row.clone()], q) - inner(&policy[row], q)) * nu
        });
        let v = model.policy_average(policy, &q);
        let bellman: Vec<T> =
            self.backup(&v, rho).into_iter().zip(theta).map(|(backup, theta)| backup - theta).collect();
        let beta_gradient = self.power.times(&bellman)?;
        Ok(Parts {
            gap: finite("gap", gap)?,
            suboptimality: finite("suboptimality", self.value.clone() - value)?,
            regret_theta: finite("θ-regret", inner(theta, &gradient) - inner(&theta_star, &gradient))?,
            regret_beta: finite("β-regret", inner(&self.beta, &beta_gradient) - inner(beta, &beta_gradient))?,
            regret_pi: finite("π-regret", super::sum(advantage.collect()))?,
            regret_rho: finite("ρ-regret", (rho.clone() - &rho_star) * slope(&lambda))?,
        })
    }

    /// g_θ = Φᵀμ_{β,π} − Λ^cβ at λ = Λ^cβ.
    fn theta_gradient(&self, lambda: &[T], policy: &[T]) -> Vec<T> {
        let nu = match self.varrho {
            None => self.model.arriving(lambda),
            Some(_) => self.model.psi_transposed_times(lambda),
        };
        let mean = self.model.mean_feature(policy, &nu);
        mean.into_iter().zip(lambda).map(|(mean, lambda)| mean - lambda).collect()
    }

    /// ω + γΨv, or ω + Ψv − ρϱ.
    fn backup(&self, v: &[T], rho: &T) -> Vec<T> {
        match self.varrho {
            None => self.model.theta_of_value(v),
            Some(varrho) => self.model.theta_of_bias(varrho, rho, v),
        }
    }

    /// θ*_t, ρ*_t and ρ(π_t). The two come from the two systems, that of θ^π and its transpose, so that Lemma 4.1 compares
    /// what was computed apart.
    fn stars(&self, policy: &[T]) -> Result<(Vec<T>, T, T)> {
        let model = self.model;
        match self.varrho {
            None => {
                let value = inner(model.mdp().omega(), &model.feature_occupancy(policy)?);
                Ok((model.theta_of_policy(policy)?, T::zero(), value))
            }
            Some(varrho) => {
                let found = model.gain_of_policy(varrho, policy)?;
                let theta = model.shifted_theta(varrho, &found.theta)?;
                Ok((theta, found.rho.clone(), found.rho))
            }
        }
    }
}
