//! Owned models and exact expectations, for the tests that enumerate the sample space instead of drawing from it.
#![allow(dead_code)] // each test binary uses its own part

use offline_primal_dual::instances::{Instance, Owned};
use offline_primal_dual::linear::range::least_norm_solution;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::covariance::{Exponent, covariance, verify_root, weight_of_power};
use offline_primal_dual::paper::discounted::estimators::Visit;
use offline_primal_dual::paper::mdp::{LinearMdp, Shape, ones_coefficients};
use offline_primal_dual::paper::{average_reward, discounted};

/// A linear MDP with the distribution μ_B of its data and, where it is rational, Λ^{1/2}.
#[derive(Debug, Clone)]
pub struct Model<T> {
    pub shape: Shape,
    pub features: Vec<T>,
    pub omega: Vec<T>,
    pub psi: Vec<T>,
    pub initial: Vec<T>,
    pub discount: T,
    pub mu_b: Vec<T>,
    pub root: Option<Vec<T>>,
}

/// A⁺ of a symmetric A: column i is the least x with A x = P e_i, where P e_i, the projection onto the range, is the least with A x = A e_i.
fn pseudo_inverse<T: Field>(d: usize, a: &[T], scratch: &mut [T]) -> Vec<T> {
    let mut solve = |b: &[T]| least_norm_solution("A", d, a, b, &mut &mut *scratch).unwrap().to_vec();
    let projected: Vec<Vec<T>> = a.chunks_exact(d).map(&mut solve).collect();
    projected.iter().flat_map(|column| solve(column)).collect()
}

/// One point of the sample space of W = (X⁰, X, A, R, X') with its probability.
#[derive(Debug, Clone)]
pub struct Outcome<T> {
    pub probability: T,
    pub x0: usize,
    pub x: usize,
    pub a: usize,
    pub x_next: usize,
}

pub fn zeros<T: Field>(n: usize) -> Vec<T> {
    vec![T::zero(); n]
}

pub fn ratios<T: Field>(denominator: i64, numerators: &[i64]) -> Vec<T> {
    numerators.iter().map(|&n| T::ratio(n, denominator)).collect()
}

pub fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    offline_primal_dual::linear::vector::dot(a, b).unwrap()
}

/// 0, the unit vectors and one point in general position: where an affine map is known to vanish at the first d + 1, it
/// vanishes everywhere; the last tests the affinity.
pub fn affine_frame<T: Field>(dim: usize) -> Vec<Vec<T>> {
    let unit = |i: usize| (0..dim).map(|j| if i == j { T::one() } else { T::zero() }).collect();
    let mut points: Vec<Vec<T>> = (0..dim).map(unit).collect();
    points.push(zeros(dim));
    points.push((0..dim as i64).map(|j| T::ratio(5 - 3 * j, 4 + j)).collect());
    points
}

/// The deterministic policies, which span all policies affinely, and one in general position.
pub fn policies<T: Field>(states: usize, actions: usize) -> Vec<Vec<T>> {
    let count = actions.pow(states as u32);
    let deterministic = |code: usize| {
        let mut policy = zeros(states * actions);
        for x in 0..states {
            policy[x * actions + code / actions.pow(x as u32) % actions] = T::one();
        }
        policy
    };
    let mut all: Vec<Vec<T>> = (0..count).map(deterministic).collect();
    let total = |x: usize| (0..actions).map(|a| (1 + a + x) as i64).sum::<i64>();
    all.push(
        (0..states * actions).map(|i| T::ratio((1 + i % actions + i / actions) as i64, total(i / actions))).collect(),
    );
    all
}

impl<T: Field> Model<T> {
    /// Unit features: ω = r and Ψ = P. Λ = diag(μ_B), so the root is given by the roots of μ_B's entries.
    pub fn tabular(
        (states, actions): (usize, usize),
        reward: &[T],
        transition: &[T],
        initial: &[T],
        discount: T,
        root_mu_b: &[T],
    ) -> Self {
        let pairs = states * actions;
        let diagonal = |values: &dyn Fn(usize) -> T| {
            (0..pairs * pairs).map(|i| if i / pairs == i % pairs { values(i % pairs) } else { T::zero() }).collect()
        };
        let psi = (0..states * pairs).map(|i| transition[i % pairs * states + i / pairs].clone()).collect();
        Self {
            shape: Shape::new(states, actions, pairs).unwrap(),
            features: diagonal(&|_| T::one()),
            omega: reward.to_vec(),
            psi,
            initial: initial.to_vec(),
            discount,
            mu_b: root_mu_b.iter().map(|r| r.clone() * r).collect(),
            root: Some(diagonal(&|i| root_mu_b[i].clone())),
        }
        .checked()
    }

    /// φ(x,a) = (1, s) turned by the rotation with cosine 3/5 if `rotated`; ψ(x) = (p, k), ω = (o, w) turned likewise. With
    /// E s = 0 under μ_B, Λ is diag(1, E s²) turned, and `spread` is √(E s²).
    pub fn low_rank(
        (states, actions): (usize, usize),
        s: &[T],
        psi: &[(T, T)],
        omega: (T, T),
        initial: &[T],
        discount: T,
        mu_b: &[T],
        spread: &T,
        rotated: bool,
    ) -> Self {
        let (cosine, sine) = if rotated { (T::ratio(3, 5), T::ratio(4, 5)) } else { (T::one(), T::zero()) };
        let turn = |(u, v): (T, T)| [cosine.clone() * &u - sine.clone() * &v, sine.clone() * &u + cosine.clone() * &v];
        let columns = [turn((T::one(), T::zero())), turn((T::zero(), T::one()))];
        let root = (0..4).map(|i| {
            let (row, column) = (i / 2, i % 2);
            columns[0][row].clone() * &columns[0][column] + columns[1][row].clone() * &columns[1][column] * spread
        });
        Self {
            shape: Shape::new(states, actions, 2).unwrap(),
            features: s.iter().flat_map(|s| turn((T::one(), s.clone()))).collect(),
            omega: turn(omega).to_vec(),
            psi: psi.iter().flat_map(|p| turn(p.clone())).collect(),
            initial: initial.to_vec(),
            discount,
            mu_b: mu_b.to_vec(),
            root: Some(root.collect()),
        }
        .checked()
    }

    /// An embedded instance, its μ_B computed for the setting.
    pub fn of_instance(instance: &Instance, average: bool) -> Self {
        let Owned { shape, features, omega, psi, initial, discount, behavior, root } = instance.to_owned().unwrap();
        let mut model = Self { shape, features, omega, psi, initial, discount, mu_b: zeros(shape.pairs()), root };
        let (mdp, mut scratch) = (model.mdp(), model.scratch());
        let mu_b = if average {
            average_reward::duality_gap::occupancy_of(&mdp, &behavior, &mut &mut scratch[..])
        } else {
            discounted::duality_gap::occupancy_of(&mdp, &behavior, &mut &mut scratch[..])
        };
        model.mu_b = mu_b.unwrap().to_vec();
        model.checked()
    }

    /// The values of c at which Λ^c is rational.
    pub fn exponents(&self) -> Vec<Exponent> {
        if self.root.is_some() { vec![Exponent::One, Exponent::Half] } else { vec![Exponent::One] }
    }

    /// Refuses a model that is not one: the tests below would otherwise be about nothing.
    pub fn checked(self) -> Self {
        self.mdp().validate(&mut self.scratch()).unwrap();
        if let Some(root) = &self.root {
            verify_root(self.shape.dim, &self.covariance(), root).unwrap();
        }
        self
    }

    /// The model, which [`Model::checked`] has validated.
    pub fn mdp(&self) -> LinearMdp<'_, T> {
        let Self { shape, features, omega, psi, initial, discount, .. } = self;
        LinearMdp::unvalidated(*shape, features, omega, psi, initial, discount).unwrap()
    }

    pub fn scratch(&self) -> Vec<T> {
        zeros(self.shape.scratch())
    }

    pub fn covariance(&self) -> Vec<T> {
        covariance(&self.mdp(), &self.mu_b, &mut &mut zeros(self.shape.dim * self.shape.dim)[..]).unwrap().to_vec()
    }

    /// Λ^c.
    pub fn power(&self, c: Exponent) -> Vec<T> {
        match c {
            Exponent::One => self.covariance(),
            Exponent::Half => self.root.clone().expect("a rational root of Λ"),
        }
    }

    /// Λ^{c−1}; `None` for the identity.
    pub fn weight(&self, c: Exponent) -> Option<Vec<T>> {
        let (d, power, mut scratch) = (self.shape.dim, self.power(c), self.scratch());
        let inverse = weight_of_power(c, d, &power, &mut &mut scratch[..]).map(|out| out.to_vec());
        let out = inverse.unwrap_or_else(|_| pseudo_inverse(d, &power, &mut scratch));
        (c == Exponent::Half).then_some(out)
    }

    /// ϱ of Assumption 5.2.
    pub fn varrho(&self) -> Vec<T> {
        ones_coefficients(&self.mdp(), &mut &mut self.scratch()[..]).unwrap().to_vec()
    }

    pub fn reward(&self, outcome: &Outcome<T>) -> T {
        dot(self.mdp().feature(outcome.x, outcome.a).unwrap(), &self.omega)
    }

    /// φ(x, ·).
    pub fn rows(&self, x: usize) -> &[T] {
        let width = self.shape.actions * self.shape.dim;
        &self.features[x * width..(x + 1) * width]
    }

    /// π(·|x).
    pub fn at<'a>(&self, policy: &'a [T], x: usize) -> &'a [T] {
        &policy[x * self.shape.actions..(x + 1) * self.shape.actions]
    }

    pub fn visit<'a>(&'a self, policy: &'a [T], outcome: &Outcome<T>) -> Visit<'a, T> {
        Visit {
            phi: self.mdp().feature(outcome.x, outcome.a).unwrap(),
            start: self.rows(outcome.x0),
            next: self.rows(outcome.x_next),
            policy_start: self.at(policy, outcome.x0),
            policy_next: self.at(policy, outcome.x_next),
        }
    }

    /// The sample space: X⁰ ~ ν₀, (X, A) ~ μ_B, X' ~ p(·|X, A); points of probability zero are left out.
    pub fn outcomes(&self) -> Vec<Outcome<T>> {
        let mut all = Vec::new();
        for x0 in 0..self.shape.states {
            for pair in 0..self.shape.pairs() {
                for x_next in 0..self.shape.states {
                    let (x, a) = (pair / self.shape.actions, pair % self.shape.actions);
                    let psi = &self.psi[x_next * self.shape.dim..(x_next + 1) * self.shape.dim];
                    let next = dot(self.mdp().feature(x, a).unwrap(), psi);
                    let probability = self.initial[x0].clone() * &self.mu_b[pair] * &next;
                    if !probability.is_zero() {
                        all.push(Outcome { probability, x0, x, a, x_next });
                    }
                }
            }
        }
        all
    }
}

/// E[f(W)], as a finite sum.
pub fn expectation<T: Field>(outcomes: &[Outcome<T>], dim: usize, mut f: impl FnMut(&Outcome<T>) -> Vec<T>) -> Vec<T> {
    let mut sum = zeros(dim);
    for outcome in outcomes {
        for (entry, value) in sum.iter_mut().zip(f(outcome)) {
            *entry += value * &outcome.probability;
        }
    }
    sum
}

/// Mx.
pub fn times<T: Field>(matrix: Option<&[T]>, x: &[T]) -> Vec<T> {
    match matrix {
        None => x.to_vec(),
        Some(m) => m.chunks_exact(x.len()).map(|row| dot(row, x)).collect(),
    }
}
