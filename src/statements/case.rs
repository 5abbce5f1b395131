//! What statements are evaluated at: a model in one of the settings, solved, and points.

use crate::error::{Error, Result};
use crate::instances::Owned;
use crate::linear::range::pseudo_inverse;
use crate::linear::vector::apply;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::Setting;
use crate::paper::covariance::{Exponent, covariance, weight_of_power};
use crate::paper::coverage::dagger_ratio_bracket;
use crate::paper::mdp::{self, LinearMdp, Mdp, SquaredBounds, ones_coefficients, squared_bounds};
use crate::paper::{average_reward, discounted};
use std::vec;
use std::vec::Vec;

/// The scalar of the register.
pub type Number = Q;

/// Λ^c for one c.
#[derive(Debug, Clone)]
pub struct Power {
    /// c.
    pub c: Exponent,
    /// Λ^c.
    pub matrix: Vec<Q>,
    /// Λ^{c−1}; `None` where it is the identity.
    pub weight: Option<Vec<Q>>,
    /// An upper bound on ‖Λ‖^{2c−1} that is proven exactly, Λ ⪯ τI, and within 2⁻²⁰ of the least.
    pub norm: Q,
}

/// Iterates of a run, or any others: T rows each of θ_t, β_t and π_t, and T numbers ρ_t.
#[derive(Debug, Clone)]
pub struct Iterates {
    /// θ_t.
    pub thetas: Vec<Q>,
    /// β_t.
    pub betas: Vec<Q>,
    /// π_t.
    pub policies: Vec<Q>,
    /// ρ_t, for the average-reward setting.
    pub rhos: Vec<Q>,
}

/// A model in one of the settings, what it determines, and the points that the statements speak of. The points are free: set any of
/// them, with [`Case::compare_with`] for the comparator, and every statement must still hold.
#[derive(Debug, Clone)]
pub struct Case {
    /// Discounted or average reward.
    pub setting: Setting,
    /// The model, with π_B.
    pub model: Owned<Q>,
    /// r.
    pub reward: Vec<Q>,
    /// P.
    pub transition: Vec<Q>,
    /// μ_B.
    pub mu_b: Vec<Q>,
    /// Λ.
    pub lambda: Vec<Q>,
    /// Λ^c for every c where it is rational and known.
    pub powers: Vec<Power>,
    /// ϱ of Assumption 5.2; empty in the discounted setting.
    pub varrho: Vec<Q>,
    /// D_φ², D_ω², D_ψ².
    pub bounds: SquaredBounds<Q>,
    /// Whether φ(x, a) is the unit vector of (x, a).
    pub tabular_features: bool,
    /// A deterministic optimal policy.
    pub optimal: Vec<Q>,
    /// Its return: ρ(π*) or the gain ρ*.
    pub best: Q,
    /// π*, the comparator: the optimal policy unless set.
    pub star: Vec<Q>,
    /// μ^{π*}.
    pub mu_star: Vec<Q>,
    /// π: π_B unless set.
    pub policy: Vec<Q>,
    /// θ.
    pub theta: Vec<Q>,
    /// β, also a λ.
    pub beta: Vec<Q>,
    /// v.
    pub v: Vec<Q>,
    /// μ.
    pub mu: Vec<Q>,
    /// ρ.
    pub rho: Q,
    /// The iterates of Lemmas 4.1, 4.2, C.3 and C.4.
    pub iterates: Iterates,
}

/// n numbers that a library function writes.
pub fn fill(n: usize, write: impl FnOnce(&mut [Q]) -> Result<()>) -> Result<Vec<Q>> {
    let mut out = vec![Q::zero(); n];
    write(&mut out)?;
    Ok(out)
}

/// A vector that a library function puts into scratch.
pub fn vector<F>(mut s: &mut [Q], f: F) -> Result<Vec<Q>>
where
    F: for<'a, 's> FnOnce(&'a mut &'s mut [Q]) -> Result<&'s mut [Q]>,
{
    f(&mut s).map(|found| found.to_vec())
}

/// The same in room of its own.
pub fn fresh<F>(case: &Case, f: F) -> Result<Vec<Q>>
where
    F: for<'a, 's> FnOnce(&'a mut &'s mut [Q]) -> Result<&'s mut [Q]>,
{
    vector(&mut case.scratch(), f)
}

impl Case {
    /// Solves a model and chooses points.
    pub fn new(setting: Setting, model: Owned<Q>) -> Result<Self> {
        let (shape, mut scratch) = (model.shape, vec![Q::zero(); model.shape.scratch()]);
        let s = &mut scratch[..];
        let mdp = model.linear_mdp()?;
        let reward = vector(s, |s| mdp.reward(s))?;
        let transition = vector(s, |s| mdp.transition(s))?;
        let bounds = squared_bounds(&mdp, s)?;
        let varrho = match setting {
            Setting::Discounted => Vec::new(),
            Setting::Average => vector(s, |s| ones_coefficients(&mdp, s))?,
        };
        let policy = model.behavior.clone();
        let mut case = Self {
            setting,
            reward,
            transition,
            mu_b: Vec::new(),
            lambda: Vec::new(),
            powers: Vec::new(),
            varrho,
            bounds,
            tabular_features: is_identity(shape.dim, &model.features),
            optimal: Vec::new(),
            best: Q::zero(),
            star: Vec::new(),
            mu_star: Vec::new(),
            theta: point(shape.dim, 3, 7),
            beta: point(shape.dim, 2, 5),
            v: point(shape.states, 5, 11),
            mu: point(shape.pairs(), 7, 13),
            rho: Q::ratio(2, 7),
            iterates: iterates(shape.dim, shape.actions, &policy),
            policy,
            model,
        };
        case.mu_b = case.occupancy(&case.policy, s)?;
        case.lambda = fresh(&case, |s| covariance(&case.mdp()?, &case.mu_b, s))?;
        case.powers = case.rational_powers(s)?;
        (case.optimal, case.best) = case.find_optimal(s)?;
        case.compare_with(case.optimal.clone())?;
        Ok(case)
    }

    /// The same case compared with another policy.
    pub fn compare_with(&mut self, star: Vec<Q>) -> Result<()> {
        self.mu_star = self.occupancy(&star, &mut self.scratch())?;
        self.star = star;
        Ok(())
    }

    /// Room for every function, and for the results of a few.
    #[must_use]
    pub fn scratch(&self) -> Vec<Q> {
        vec![Q::zero(); 2 * self.model.shape.scratch()]
    }

    fn find_optimal(&self, s: &mut [Q]) -> Result<(Vec<Q>, Q)> {
        let (tabular, mut s) = (self.tabular()?, s);
        match self.setting {
            Setting::Discounted => {
                let (policy, v) = mdp::optimal_policy(&tabular, &mut s)?;
                Ok((policy.to_vec(), mdp::normalised_return(&tabular, v)?))
            }
            Setting::Average => {
                let (best, policy, _) = average_reward::optimal::optimal_policy(&tabular, &mut s)?;
                Ok((policy.to_vec(), best))
            }
        }
    }

    /// c = 1 always; c = 1/2 where Λ has a rational root that is known.
    fn rational_powers(&self, s: &mut [Q]) -> Result<Vec<Power>> {
        let dim = self.model.shape.dim;
        let norm = dagger_ratio_bracket(dim, &self.lambda, &identity(dim), 20, s)?.1;
        let mut powers = vec![Power { c: Exponent::One, matrix: self.lambda.clone(), weight: None, norm }];
        if let Some(root) = &self.model.root {
            // Erratum 20: where Λ is singular its pseudo-inverse takes the place of the inverse.
            let weight = match vector(s, |s| weight_of_power(Exponent::Half, dim, root, s)) {
                Err(Error::Singular { .. }) => vector(s, |s| pseudo_inverse("Λ^{1/2}", dim, root, s))?,
                other => other?,
            };
            powers.push(Power { c: Exponent::Half, matrix: root.clone(), weight: Some(weight), norm: Q::one() });
        }
        Ok(powers)
    }

    /// The linear MDP, which [`Case::new`] has validated.
    pub fn mdp(&self) -> Result<LinearMdp<'_, Q>> {
        let Owned { shape, features, omega, psi, initial, discount, .. } = &self.model;
        LinearMdp::unvalidated(*shape, features, omega, psi, initial, discount)
    }

    /// The same as a table.
    pub fn tabular(&self) -> Result<Mdp<'_, Q>> {
        let (shape, initial) = (self.model.shape, &self.model.initial);
        Mdp::unvalidated(shape.states, shape.actions, &self.reward, &self.transition, initial, &self.model.discount)
    }

    /// μ^π of the setting.
    pub fn occupancy(&self, policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
        let tabular = self.tabular()?;
        match self.setting {
            Setting::Discounted => vector(s, |s| mdp::occupancy(&tabular, policy, s)),
            Setting::Average => vector(s, |s| average_reward::values::occupancy(&tabular, policy, s)),
        }
    }

    /// ν = Eᵀμ.
    pub fn marginal(&self, mu: &[Q]) -> Result<Vec<Q>> {
        fresh(self, |s| mdp::state_marginal(self.model.shape.actions, mu, s))
    }

    /// Φθ.
    pub fn linear_function(&self, theta: &[Q]) -> Result<Vec<Q>> {
        fresh(self, |s| self.mdp()?.linear_function(theta, s))
    }

    /// Φᵀμ.
    pub fn mean_feature(&self, mu: &[Q]) -> Result<Vec<Q>> {
        fresh(self, |s| self.mdp()?.mean_feature(mu, s))
    }

    /// v_{θ,π}.
    pub fn v_theta(&self, theta: &[Q], policy: &[Q], s: &mut [Q]) -> Result<Vec<Q>> {
        let mdp = self.mdp()?;
        vector(s, |s| discounted::lagrangian::v_theta(&mdp, theta, policy, s))
    }

    /// The saddle-point problem of Section 4.
    pub fn saddle<'a>(&'a self, power: &'a Power) -> Result<discounted::lagrangian::Saddle<'a, Q>> {
        discounted::lagrangian::Saddle::new(self.mdp()?, &power.matrix)
    }

    /// The saddle-point problem of Appendix C.
    pub fn average_saddle<'a>(&'a self, power: &'a Power) -> Result<average_reward::lagrangian::Saddle<'a, Q>> {
        average_reward::lagrangian::Saddle::new(self.mdp()?, &self.varrho, &power.matrix)
    }

    /// β* = Λ^{−c}Φᵀμ^{π*}.
    pub fn beta_star(&self, power: &Power, s: &mut [Q]) -> Result<Vec<Q>> {
        use {average_reward::duality_gap as average, discounted::duality_gap as discounted};
        match self.setting {
            Setting::Discounted => vector(s, |s| discounted::beta_star(&self.saddle(power)?, &self.star, s)),
            Setting::Average => vector(s, |s| average::beta_star(&self.average_saddle(power)?, &self.star, s)),
        }
    }

    /// φ(x, ·).
    #[must_use]
    pub fn features_of(&self, x: usize) -> &[Q] {
        let width = self.model.shape.actions * self.model.shape.dim;
        &self.model.features[x * width..(x + 1) * width]
    }

    /// π(·|x).
    #[must_use]
    pub fn row<'a>(&self, policy: &'a [Q], x: usize) -> &'a [Q] {
        &policy[x * self.model.shape.actions..(x + 1) * self.model.shape.actions]
    }

    /// γ.
    #[must_use]
    pub fn discount(&self) -> &Q {
        &self.model.discount
    }

    /// 1 − γ.
    #[must_use]
    pub fn rest(&self) -> Q {
        Q::one() - &self.model.discount
    }

    /// Every (X⁰, X, A, X') that can be drawn, with its probability under ν₀ × μ_B × p; in the average-reward setting, which draws no
    /// X⁰, that is state 0.
    #[must_use]
    pub fn outcomes(&self) -> Vec<Outcome> {
        let shape = self.model.shape;
        let starts: Vec<(usize, Q)> = match self.setting {
            Setting::Discounted => self.model.initial.iter().cloned().enumerate().collect(),
            Setting::Average => vec![(0, Q::one())],
        };
        let mut outcomes = Vec::new();
        for (start, chance) in starts.iter().filter(|(_, chance)| !chance.is_zero()) {
            for (pair, weight) in self.mu_b.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
                for next in 0..shape.states {
                    let p = &self.transition[pair * shape.states + next];
                    if !p.is_zero() {
                        let (x, a) = (pair / shape.actions, pair % shape.actions);
                        let probability = weight.clone() * chance * p;
                        outcomes.push(Outcome { probability, start: *start, x, a, next });
                    }
                }
            }
        }
        outcomes
    }

    /// E over one sample of a vector-valued function.
    pub fn expectation(&self, n: usize, mut f: impl FnMut(&Outcome, &mut [Q]) -> Result<()>) -> Result<Vec<Q>> {
        let (mut sum, mut value) = (vec![Q::zero(); n], vec![Q::zero(); n]);
        for outcome in self.outcomes() {
            f(&outcome, &mut value)?;
            for (s, x) in sum.iter_mut().zip(&value) {
                *s += x.clone() * &outcome.probability;
            }
        }
        Ok(sum)
    }
}

/// One observation.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its probability.
    pub probability: Q,
    /// X⁰.
    pub start: usize,
    /// X.
    pub x: usize,
    /// A.
    pub a: usize,
    /// X'.
    pub next: usize,
}

/// Λ^{c−1}x.
pub fn weighted(power: &Power, x: &[Q]) -> Result<Vec<Q>> {
    match &power.weight {
        None => Ok(x.to_vec()),
        Some(weight) => fill(x.len(), |out| apply(weight, x, out)),
    }
}

/// What a check returns when the instance is not of the kind it speaks about.
#[must_use]
pub fn not_applicable(expected: &'static str) -> Error {
    Error::OutOfRange { what: "instance", index: Error::SCALAR, expected }
}

/// ±p/(q+i): small, distinct, of both signs.
fn point(n: usize, p: i64, q: i64) -> Vec<Q> {
    let entry = |i: i64| Q::ratio(if i % 3 == 1 { -p } else { p }, q + i);
    (0..i64::try_from(n).unwrap_or(0)).map(entry).collect()
}

/// T = 2: points, and the policies π and half π, half uniform.
fn iterates(dim: usize, actions: usize, policy: &[Q]) -> Iterates {
    let share = Q::one() / count(actions);
    let second = policy.iter().map(|p| (p.clone() + &share) / Q::from_int(2));
    Iterates {
        thetas: [point(dim, 1, 3), point(dim, -2, 3)].concat(),
        betas: [point(dim, 1, 2), point(dim, 3, 4)].concat(),
        policies: policy.iter().cloned().chain(second).collect(),
        rhos: vec![Q::ratio(1, 3), Q::ratio(3, 4)],
    }
}

/// The identity matrix.
#[must_use]
pub fn identity(dim: usize) -> Vec<Q> {
    (0..dim * dim).map(|i| if i / dim == i % dim { Q::one() } else { Q::zero() }).collect()
}

/// n as a number.
#[must_use]
pub fn count(n: usize) -> Q {
    Q::from_int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn is_identity(dim: usize, features: &[Q]) -> bool {
    features == identity(dim)
}
