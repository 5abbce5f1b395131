//! An instance under audit: the model, points to evaluate at, Λ^c for every c that is rational, and a run.

use super::check::{Compared, equal_vectors};
use crate::model::SolvedModel;
use offline_primal_dual::Result as Checked;
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::linear::vector::apply;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::{Exponent, apply_inverse, weight_of_power};

pub type Q = BigRational;

/// Λ^c for one c.
pub struct Power {
    pub c: Exponent,
    /// Λ^c.
    pub matrix: Vec<Q>,
    /// Λ^{c−1}; `None` where it is the identity.
    pub weight: Option<Vec<Q>>,
}

/// One setting of an instance.
pub struct Case<'p> {
    pub study: SolvedModel<'p, Q>,
    /// π_B, which every statement about "a policy" is checked at.
    pub policy: Vec<Q>,
    /// Points of R^d, X, X×A, no two coordinates alike.
    pub theta: Vec<Q>,
    pub beta: Vec<Q>,
    pub v: Vec<Q>,
    pub mu: Vec<Q>,
    pub rho: Q,
    pub powers: Vec<Power>,
    pub tabular_features: bool,
}

impl<'p> Case<'p> {
    pub fn new(setting: Setting, problem: &'p Problem<Q>) -> Result<Self, InputError> {
        let policy = problem.behavior("an audit")?.to_vec();
        let mut study = SolvedModel::new(setting, problem, "an audit")?;
        let shape = problem.shape;
        let powers = powers(&mut study, problem.root()).map_err(|e| InputError::call(&problem.name, e))?;
        Ok(Self {
            policy,
            theta: point(shape.dim, 3, 7),
            beta: point(shape.dim, 2, 5),
            v: point(shape.states, 5, 11),
            mu: point(shape.pairs(), 7, 13),
            rho: Q::ratio(2, 7),
            powers,
            tabular_features: is_identity(shape.dim, &problem.features),
            study,
        })
    }

    pub fn zeros(n: usize) -> Vec<Q> {
        vec![Q::zero(); n]
    }

    /// The calls of library functions that fill a vector, without the ceremony.
    pub fn vector(
        &mut self,
        compute: impl for<'s> FnOnce(&mut SolvedModel<'p, Q>, &mut &'s mut [Q]) -> Checked<&'s mut [Q]>,
    ) -> Checked<Vec<Q>> {
        let mut scratch = std::mem::take(&mut self.study.scratch);
        let result = compute(&mut self.study, &mut &mut scratch[..]).map(|out| out.to_vec());
        self.study.scratch = scratch;
        result
    }

    /// E over one sample (x⁰, x, a, x') of ν₀ × μ_B × p of a vector-valued function.
    pub fn expectation(
        &mut self,
        n: usize,
        mut f: impl FnMut(&SolvedModel<'p, Q>, [usize; 4], &mut [Q], &mut [Q]) -> Checked<()>,
    ) -> Checked<Vec<Q>> {
        let shape = self.study.mdp.shape();
        let (mut sum, mut value) = (Self::zeros(n), Self::zeros(n));
        let mut scratch = std::mem::take(&mut self.study.scratch);
        for start in 0..shape.states {
            for pair in 0..shape.pairs() {
                for next in 0..shape.states {
                    let p = self.study.mu_b[pair].clone()
                        * &self.study.mdp.initial()[start]
                        * &self.study.transition[pair * shape.states + next];
                    if p.is_zero() {
                        continue;
                    }
                    let sample = [start, pair / shape.actions, pair % shape.actions, next];
                    f(&self.study, sample, &mut value, &mut scratch)?;
                    for (s, x) in sum.iter_mut().zip(&value) {
                        *s += x.clone() * &p;
                    }
                }
            }
        }
        self.study.scratch = scratch;
        Ok(sum)
    }

    /// Λ^{c−1}β.
    pub fn weighted(power: &Power, beta: &[Q]) -> Checked<Vec<Q>> {
        let Some(weight) = &power.weight else { return Ok(beta.to_vec()) };
        let mut out = Self::zeros(beta.len());
        apply(weight, beta, &mut out)?;
        Ok(out)
    }

    /// φ(x, ·).
    pub fn features_of(&self, x: usize) -> &'p [Q] {
        let shape = self.study.mdp.shape();
        let width = shape.actions * shape.dim;
        &self.study.mdp.features()[x * width..(x + 1) * width]
    }
}

/// ±p/(q+i): small, distinct, of both signs.
fn point(n: usize, p: i64, q: i64) -> Vec<Q> {
    let entry = |i: i64| Q::ratio(if i % 3 == 1 { -p } else { p }, q + i);
    (0..i64::try_from(n).unwrap_or(0)).map(entry).collect()
}

fn is_identity(dim: usize, features: &[Q]) -> bool {
    let identity = |i: usize| if i / dim == i % dim { Q::one() } else { Q::zero() };
    features.len() == dim * dim && (0..features.len()).all(|i| features[i] == identity(i))
}

/// c = 1 always; c = 1/2 where Λ has a rational root that is known.
fn powers(study: &mut SolvedModel<'_, Q>, root: Option<&[Q]>) -> Checked<Vec<Power>> {
    let dim = study.mdp.shape().dim;
    let mut powers = vec![Power { c: Exponent::One, matrix: study.lambda.clone(), weight: None }];
    if let Some(root) = root {
        let weight = weight_of_power(Exponent::Half, dim, root, &mut &mut study.scratch[..])?.to_vec();
        powers.push(Power { c: Exponent::Half, matrix: root.to_vec(), weight: Some(weight) });
    }
    Ok(powers)
}

/// M⁻¹(M x) = x, as a check that a matrix is what it is called.
pub fn inverse_round_trip(matrix: &[Q], x: &[Q], scratch: &mut [Q]) -> Checked<Compared> {
    let mut image = Case::zeros(x.len());
    apply(matrix, x, &mut image)?;
    let back = apply_inverse(x.len(), matrix, &image, &mut &mut scratch[..])?;
    Ok(equal_vectors(back, x))
}
