//! Routes that cost what a model's structure allows (std): the paper's quantities from systems of min(d, |X|) unknowns, from rows
//! that are mostly zero, from a Λ that is diagonal. P, of |X|²|A| numbers, is never written down where it is given as ΦΨ.
//!
//! What takes a caller's numbers checks their lengths; the pieces that these functions are put together from do not, and are the crate's own.
//!
//! `paper/` defines; every function here computes one of its quantities by another route, derived at the function, and equals the
//! defining one as a rational number (`tests/routes.rs`). Nothing in `paper/` uses this room.
//!
//! # Why d unknowns suffice
//! Let Φ_π have the rows φ_π(x) = Σ_a π(a|x) φ(x,a), and Ψ the columns ψ(x). Then P_π = Φ_πΨ and r_π = Φ_πω, and with the d×d matrix
//! M_π = ΨΦ_π = Σ_x ψ(x) φ_π(x)ᵀ everything passes from one side of the product to the other. I − γM_π is regular exactly when
//! I − γP_π is: det(I − γΨΦ_π) = det(I − γΦ_πΨ).

mod average_reward;
mod certificate;
mod coverage;
mod discounted;
mod enclosure;
mod rows;
mod spectrum;
mod symmetric;
mod validity;

pub use average_reward::*;
pub use certificate::*;
pub use coverage::*;
pub use discounted::*;
pub use enclosure::*;
pub use rows::Rows;
pub use spectrum::Spectrum;
pub use symmetric::Symmetric;

use crate::error::{Error, Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::all_finite;
use crate::number::Field;
use crate::number::interrupt::interrupted_now;
use crate::paper::mdp::{LinearMdp, Shape};

/// A linear MDP with its rows as they are best walked.
#[derive(Debug, Clone)]
pub struct Structure<'a, T: Clone> {
    mdp: LinearMdp<'a, T>,
    /// Φ: row (x, a) is φ(x, a).
    phi: Rows<'a, T>,
    /// Ψᵀ: row x is ψ(x).
    psi: Rows<'a, T>,
    /// Ψ: row j has the j-th components of all ψ(x); where |X| < d.
    components: Option<Rows<'a, T>>,
}

impl<'a, T: Field> Structure<'a, T> {
    /// Looks at the model once.
    #[must_use]
    pub fn new(mdp: LinearMdp<'a, T>) -> Self {
        let Shape { states, dim, .. } = mdp.shape();
        let psi = Rows::new(dim, mdp.psi());
        let components = (states < dim).then(|| psi.transposed());
        Self { mdp, phi: Rows::new(dim, mdp.features()), psi, components }
    }

    /// The model.
    #[must_use]
    pub fn mdp(&self) -> &LinearMdp<'a, T> {
        &self.mdp
    }

    /// |X|, |A|, d.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.mdp.shape()
    }

    /// Φ by rows.
    #[must_use]
    pub fn phi(&self) -> &Rows<'a, T> {
        &self.phi
    }

    /// Ψᵀ by rows.
    #[must_use]
    pub fn psi(&self) -> &Rows<'a, T> {
        &self.psi
    }

    /// The number of unknowns of this model's systems: min(d, |X|).
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.shape().dim.min(self.shape().states)
    }

    /// r(x, a) = ⟨φ(x,a), ω⟩ for every pair.
    #[must_use]
    pub fn reward(&self) -> Vec<T> {
        self.linear_function(self.mdp.omega())
    }

    /// Φθ.
    pub(crate) fn linear_function(&self, theta: &[T]) -> Vec<T> {
        (0..self.phi.len()).map(|pair| self.phi.dot(pair, theta)).collect()
    }

    /// Ψv = Σ_x v(x) ψ(x).
    pub(crate) fn psi_times(&self, v: &[T]) -> Vec<T> {
        self.psi.combination(v)
    }

    /// Ψᵀλ: ⟨ψ(x), λ⟩ for every x.
    pub(crate) fn psi_transposed_times(&self, lambda: &[T]) -> Vec<T> {
        (0..self.psi.len()).map(|x| self.psi.dot(x, lambda)).collect()
    }

    /// Σ_a π(a|x) f(x, a) for every x: v_{θ,π} where f = Φθ.
    pub(crate) fn policy_average(&self, policy: &[T], f: &[T]) -> Vec<T> {
        let actions = self.shape().actions;
        let rows = policy.chunks_exact(actions).zip(f.chunks_exact(actions));
        rows.map(|(policy, f)| crate::linear::vector::inner(policy, f)).collect()
    }

    /// Φᵀμ for μ(x, a) = π(a|x) ν(x).
    pub(crate) fn mean_feature(&self, policy: &[T], nu: &[T]) -> Vec<T> {
        let actions = self.shape().actions;
        let mut mean = vec![T::zero(); self.shape().dim];
        for (pair, p) in policy.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            self.phi.add_to(pair, &(p.clone() * &nu[pair / actions]), &mut mean);
        }
        mean
    }

    fn expect_policy(&self, policy: &[T]) -> Result<()> {
        expect_len("policy", self.shape().pairs(), policy.len())?;
        all_finite("policy", policy)
    }

    /// M_π = Σ_x ψ(x) φ_π(x)ᵀ, by rows.
    fn feature_transition(&self, policy: &[T]) -> Vec<T> {
        let Shape { states, actions, dim } = self.shape();
        let mut matrix = vec![T::zero(); dim * dim];
        let mut phi = vec![T::zero(); dim];
        for x in 0..states {
            phi.fill(T::zero());
            for a in 0..actions {
                self.phi.add_to(x * actions + a, &policy[x * actions + a], &mut phi);
            }
            self.psi.for_each(x, |i, psi| {
                if !psi.is_zero() {
                    crate::linear::vector::add_scaled(psi, &phi, &mut matrix[i * dim..(i + 1) * dim]);
                }
            });
        }
        matrix
    }

    /// P_π = Φ_πΨ, by rows: Σ_j of a pair's j-th component times the j-th row of Ψ.
    fn state_transition(&self, policy: &[T], components: &Rows<'a, T>) -> Vec<T> {
        let Shape { states, actions, .. } = self.shape();
        let mut matrix = vec![T::zero(); states * states];
        for (pair, p) in policy.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            let x = pair / actions;
            let row = &mut matrix[x * states..(x + 1) * states];
            self.phi.for_each(pair, |j, phi| components.add_to(j, &(phi.clone() * p), row));
        }
        matrix
    }

    /// The matrix of the smaller side: M_π where d ≤ |X|, else P_π.
    fn transition(&self, policy: &[T]) -> Vec<T> {
        match &self.components {
            None => self.feature_transition(policy),
            Some(components) => self.state_transition(policy, components),
        }
    }

    /// Whether the smaller side is that of the features.
    fn by_features(&self) -> bool {
        self.components.is_none()
    }
}

/// The solution of A x = b; an error once the computation is interrupted.
fn solved<T: Field>(what: &'static str, mut matrix: Vec<T>, mut b: Vec<T>) -> Result<Vec<T>> {
    if interrupted_now() {
        return Err(Error::NotFinite { what, index: Error::SCALAR });
    }
    solve_named(what, b.len(), &mut matrix, &mut b)?;
    Ok(b)
}

/// Aᵀ.
fn transposed<T: Clone>(n: usize, matrix: &[T]) -> Vec<T> {
    (0..n * n).map(|i| matrix[i % n * n + i / n].clone()).collect()
}

/// I − γM; γ = 1 in the average-reward setting.
fn identity_minus<T: Field>(n: usize, mut matrix: Vec<T>, discount: &T) -> Vec<T> {
    for (i, entry) in matrix.iter_mut().enumerate() {
        let diagonal = if i / n == i % n { T::one() } else { T::zero() };
        *entry = if entry.is_zero() { diagonal } else { diagonal - entry.clone() * discount };
    }
    matrix
}

/// Σ of the terms, by halves: fractions grow with every addition, and here only the last additions are long.
fn sum<T: Field>(mut terms: Vec<T>) -> T {
    while terms.len() > 1 {
        terms = terms.chunks(2).map(|pair| pair.iter().fold(T::zero(), |sum, term| sum + term)).collect();
    }
    terms.pop().unwrap_or_else(T::zero)
}

/// Their mean.
fn mean<T: Field>(terms: Vec<T>) -> Result<T> {
    let count = T::from_count(terms.len());
    crate::linear::vector::finite("mean over t", sum(terms) / count)
}
