//! Section 2: Markov decision processes, tabular and linear, their policies, values, occupancies and LPs.
//!
//! Functions on X are slices of |X| numbers, functions on X×A slices of |X||A|, the value at (x, a) at
//! [`Shape::pair`]`(x, a)`. Matrices are stored by rows.

mod feature_lp;
mod linear;
mod lp;
mod occupancy;
mod optimal;
mod policy;
mod value;

pub use feature_lp::*;
pub use linear::*;
pub use lp::*;
pub use occupancy::*;
pub use optimal::*;
pub use policy::*;
pub use value::*;

use crate::error::{Error, Result, expect_len, expect_rows, expect_some, expect_table};
use crate::linear::vector::{all_finite, inner};
use crate::number::Field;

/// |X|, |A| and the feature dimension d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// |X|.
    pub states: usize,
    /// |A|.
    pub actions: usize,
    /// d.
    pub dim: usize,
}

impl Shape {
    /// A shape with at least one state, one action and one feature.
    pub fn new(states: usize, actions: usize, dim: usize) -> Result<Self> {
        expect_some("states", states)?;
        expect_some("actions", actions)?;
        expect_some("feature dimension", dim)?;
        // So that no later product of these overflows: every array of this shape has to fit in memory anyway.
        let pairs = states.checked_mul(actions);
        let longest =
            pairs.and_then(|n| n.checked_mul(n)).and_then(|n| n.checked_mul(8)).and_then(|n| n.checked_mul(dim));
        if longest.and_then(|n| n.checked_mul(dim)).is_none() {
            return Err(Error::OutOfRange { what: "shape", index: 0, expected: "|X|, |A| and d that fit in memory" });
        }
        Ok(Self { states, actions, dim })
    }

    /// |X||A|.
    #[must_use]
    pub const fn pairs(self) -> usize {
        self.states.saturating_mul(self.actions)
    }

    /// The index of (x, a).
    #[must_use]
    pub const fn pair(self, x: usize, a: usize) -> usize {
        x.saturating_mul(self.actions).saturating_add(a)
    }

    /// Room for the temporaries of every function of this crate at this shape.
    #[must_use]
    pub const fn scratch(self) -> usize {
        let widest = if self.states > self.dim { self.states } else { self.dim };
        // The largest needs: the direct system for q (|X||A| squared), a tabulated model beside an elimination
        // on an (|X|+1)- or d-square matrix, a rank test on Φ, and a dozen vectors.
        let (pairs, side) = (self.pairs(), widest.saturating_add(2));
        let vectors = pairs.saturating_add(self.states).saturating_add(self.dim).saturating_add(8);
        pairs.saturating_mul(vectors).saturating_add(side.saturating_mul(side).saturating_mul(3)).saturating_add(16)
    }
}

/// A tabular MDP (X, A, p, r, γ) with initial distribution ν₀. Borrowed; shapes are checked, contents are not:
/// see [`Mdp::validate`].
#[derive(Debug)]
pub struct Mdp<'a, T> {
    states: usize,
    actions: usize,
    reward: &'a [T],
    transition: &'a [T],
    initial: &'a [T],
    discount: &'a T,
}

impl<T> Clone for Mdp<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Mdp<'_, T> {}

impl<'a, T: Field> Mdp<'a, T> {
    /// `reward` is r (|X||A|), `transition` is P (|X||A| rows of |X|), `initial` is ν₀ (|X|), `discount` is γ.
    pub fn new(
        states: usize,
        actions: usize,
        reward: &'a [T],
        transition: &'a [T],
        initial: &'a [T],
        discount: &'a T,
    ) -> Result<Self> {
        Shape::new(states, actions, 1)?;
        expect_table("reward", states, actions, reward.len())?;
        expect_len("transition", states * actions * states, transition.len())?;
        expect_len("initial", states, initial.len())?;
        Ok(Self { states, actions, reward, transition, initial, discount })
    }

    /// |X|.
    #[must_use]
    pub fn states(&self) -> usize {
        self.states
    }

    /// |A|.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// |X||A|.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.states * self.actions
    }

    /// r, on X×A.
    #[must_use]
    pub fn reward(&self) -> &'a [T] {
        self.reward
    }

    /// P: row (x, a) is p(·|x, a).
    #[must_use]
    pub fn transition(&self) -> &'a [T] {
        self.transition
    }

    /// p(·|x, a).
    #[must_use]
    pub fn next(&self, x: usize, a: usize) -> &'a [T] {
        let row = x * self.actions + a;
        &self.transition[row * self.states..(row + 1) * self.states]
    }

    /// ν₀.
    #[must_use]
    pub fn initial(&self) -> &'a [T] {
        self.initial
    }

    /// γ.
    #[must_use]
    pub fn discount(&self) -> &'a T {
        self.discount
    }

    /// Section 2's conditions on an MDP, the first violated one named: γ ∈ [0, 1), ν₀ and every p(·|x, a) a
    /// distribution, r ∈ [0, 1].
    pub fn validate(&self) -> Result<()> {
        valid_discount(self.discount)?;
        valid_distributions("initial", self.states, self.initial)?;
        valid_rewards(self.reward)?;
        valid_distributions("transition", self.states, self.transition)
    }
}

/// γ ∈ [0, 1). Print has [0, 1]: erratum 12.
pub(crate) fn valid_discount<T: Field>(discount: &T) -> Result<()> {
    if *discount >= T::zero() && *discount < T::one() {
        Ok(())
    } else {
        Err(Error::OutOfRange { what: "discount", index: 0, expected: "0 <= discount < 1" })
    }
}

pub(crate) fn valid_rewards<T: Field>(reward: &[T]) -> Result<()> {
    all_finite("reward", reward)?;
    // r = Φω is an inner product in floating point, so 1 may come out a few roundings above 1.
    let slack = T::rounding(64);
    let outside = |r: &T| *r < -slack.clone() || *r > T::one() + &slack;
    match reward.iter().position(outside) {
        Some(index) => Err(Error::OutOfRange { what: "reward", index, expected: "0 <= r <= 1" }),
        None => Ok(()),
    }
}

/// Every row of `width` numbers is a distribution: non-negative, with sum 1 (up to the rounding of the sum and of
/// its terms, which may themselves be inner products).
pub fn valid_distributions<T: Field>(what: &'static str, width: usize, rows: &[T]) -> Result<()> {
    expect_some(what, width)?;
    expect_rows(what, width, rows.len())?;
    all_finite(what, rows)?;
    let slack = T::rounding(width.saturating_mul(4).saturating_add(64));
    for (row, values) in rows.chunks_exact(width).enumerate() {
        if let Some(column) = values.iter().position(|p| *p < -slack.clone()) {
            return Err(Error::OutOfRange { what, index: row * width + column, expected: "a probability >= 0" });
        }
        let mut total = T::zero();
        for p in values {
            total = total + p;
        }
        if (total - T::one()).abs() > slack {
            return Err(Error::NotNormalised { what, row });
        }
    }
    Ok(())
}

/// Σ_a π(a|x) f(x, a): the product Eᵀ(π ∘ f) of the paper, for f on X×A.
pub fn policy_average<T: Field>(actions: usize, policy: &[T], f: &[T], out: &mut [T]) -> Result<()> {
    expect_table("policy", out.len(), actions, policy.len())?;
    expect_table("function on X×A", out.len(), actions, f.len())?;
    for (x, value) in out.iter_mut().enumerate() {
        let row = x * actions..(x + 1) * actions;
        *value = inner(&policy[row.clone()], &f[row]);
    }
    all_finite("policy average", out)
}

/// Eᵀμ: Σ_a μ(x, a) for every x.
pub fn state_marginal<T: Field>(actions: usize, mu: &[T], out: &mut [T]) -> Result<()> {
    expect_table("mu", out.len(), actions, mu.len())?;
    for (x, value) in out.iter_mut().enumerate() {
        *value = T::zero();
        for entry in &mu[x * actions..(x + 1) * actions] {
            *value = value.clone() + entry;
        }
    }
    all_finite("state marginal", out)
}

/// μ(x, a) = π(a|x) ν(x).
pub fn compose<T: Field>(actions: usize, policy: &[T], nu: &[T], out: &mut [T]) -> Result<()> {
    expect_table("policy", nu.len(), actions, policy.len())?;
    expect_table("mu", nu.len(), actions, out.len())?;
    for (index, entry) in out.iter_mut().enumerate() {
        *entry = policy[index].clone() * &nu[index / actions];
    }
    all_finite("occupancy", out)
}
