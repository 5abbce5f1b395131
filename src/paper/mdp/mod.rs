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
use crate::linear::vector::inner;
use crate::number::Field;
use crate::paper::components::vector;

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
            return Err(Error::OutOfRange {
                what: "shape",
                index: Error::SCALAR,
                expected: "|X|, |A| and d that fit in memory",
            });
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

    /// Room for the results and temporaries of every function of this crate at this shape, and for a few more results beside
    /// (two dozen vectors, or a table P and eight vectors). What has a row for every iterate of a run comes on top:
    /// `Iterates::scratch`.
    #[must_use]
    pub const fn scratch(self) -> usize {
        let widest = if self.states > self.dim { self.states } else { self.dim };
        // The largest needs: the direct system for q (|X||A| squared), a tabulated model beside an elimination
        // on an (|X|+1)- or d-square matrix, a rank test on Φ, and two dozen vectors.
        let (pairs, side) = (self.pairs(), widest.saturating_add(4));
        let vectors = pairs.saturating_add(self.states).saturating_add(self.dim).saturating_add(12);
        pairs.saturating_mul(vectors).saturating_add(side.saturating_mul(side).saturating_mul(3))
    }
}

/// A tabular MDP (X, A, p, r, γ) with initial distribution ν₀. Borrowed.
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
    /// `reward` is r (|X||A|), `transition` is P (|X||A| rows of |X|), `initial` is ν₀ (|X|), `discount` is γ. Section 2's
    /// conditions are checked: [`Mdp::validate`].
    pub fn new(
        states: usize,
        actions: usize,
        reward: &'a [T],
        transition: &'a [T],
        initial: &'a [T],
        discount: &'a T,
    ) -> Result<Self> {
        let mdp = Self::unvalidated(states, actions, reward, transition, initial, discount)?;
        mdp.validate()?;
        Ok(mdp)
    }

    /// [`Mdp::new`] with the lengths checked and nothing else: for the average-reward setting, which reads neither γ nor ν₀,
    /// and for what is no MDP.
    pub fn unvalidated(
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

    /// p(·|x, a); `None` beyond |X| or |A|.
    #[must_use]
    pub fn next(&self, x: usize, a: usize) -> Option<&'a [T]> {
        (x < self.states && a < self.actions).then(|| self.row(x * self.actions + a))
    }

    /// p(·|x, a) by the index of the pair.
    pub(crate) fn row(&self, pair: usize) -> &'a [T] {
        &self.transition[pair * self.states..][..self.states]
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
        Err(Error::OutOfRange { what: "discount", index: Error::SCALAR, expected: "0 <= discount < 1" })
    }
}

pub(crate) fn valid_rewards<T: Field>(reward: &[T]) -> Result<()> {
    reward.iter().enumerate().try_for_each(|(index, r)| valid_reward(index, r))
}

pub(crate) fn valid_reward<T: Field>(index: usize, reward: &T) -> Result<()> {
    // r = Φω is an inner product in floating point, so 1 may come out a few roundings above 1.
    let slack = T::rounding(64);
    if !reward.is_valid() {
        Err(Error::NotFinite { what: "reward", index })
    } else if *reward < -slack.clone() || *reward > T::one() + &slack {
        Err(Error::OutOfRange { what: "reward", index, expected: "0 <= r <= 1" })
    } else {
        Ok(())
    }
}

/// Every row of `width` numbers is a distribution: non-negative, with sum 1 (up to the rounding of the sum and of
/// its terms, which may themselves be inner products).
pub fn valid_distributions<T: Field>(what: &'static str, width: usize, rows: &[T]) -> Result<()> {
    expect_some(what, width)?;
    expect_rows(what, width, rows.len())?;
    rows.chunks_exact(width)
        .enumerate()
        .try_for_each(|(row, values)| valid_distribution(what, row, width, |column| values[column].clone()))
}

/// Row `row` of a table: its `width` numbers are a distribution.
pub(crate) fn valid_distribution<T: Field>(
    what: &'static str,
    row: usize,
    width: usize,
    value: impl Fn(usize) -> T,
) -> Result<()> {
    let slack = T::rounding(width.saturating_mul(4).saturating_add(64));
    let mut total = T::zero();
    for column in 0..width {
        let (index, p) = (row * width + column, value(column));
        if !p.is_valid() {
            return Err(Error::NotFinite { what, index });
        }
        if p < -slack.clone() {
            return Err(Error::OutOfRange { what, index, expected: "a probability >= 0" });
        }
        total += p;
    }
    if (total - T::one()).abs() > slack { Err(Error::NotNormalised { what, row }) } else { Ok(()) }
}

/// Σ_a π(a|x) f(x, a): the product Eᵀ(π ∘ f) of the paper, for f on X×A.
pub fn policy_average<'s, T: Field>(
    actions: usize,
    policy: &[T],
    f: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_rows("policy", actions, policy.len())?;
    expect_len("function on X×A", policy.len(), f.len())?;
    vector("policy average", policy.len() / actions, scratch, |x| {
        let row = x * actions..(x + 1) * actions;
        inner(&policy[row.clone()], &f[row])
    })
}

/// Eᵀμ: Σ_a μ(x, a) for every x.
pub fn state_marginal<'s, T: Field>(actions: usize, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_rows("mu", actions, mu.len())?;
    vector("state marginal", mu.len() / actions, scratch, |x| {
        mu[x * actions..][..actions].iter().fold(T::zero(), |sum, entry| sum + entry)
    })
}

/// μ(x, a) = π(a|x) ν(x).
pub fn compose<'s, T: Field>(actions: usize, policy: &[T], nu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_table("policy", nu.len(), actions, policy.len())?;
    vector("occupancy", policy.len(), scratch, |pair| policy[pair].clone() * &nu[pair / actions])
}
