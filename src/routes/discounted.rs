//! The discounted setting: θ^π, v^π, λ^π = Φᵀμ^π, ν^π, returns and an optimal policy from systems of min(d, |X|) unknowns.

use super::{Structure, identity_minus, solved, transposed};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner};
use crate::number::Field;
use crate::paper::mdp::{Shape, improve};

impl<T: Field> Structure<'_, T> {
    /// θ^π from d unknowns: (3) says θ^π = ω + γΨv^π, and v^π = Φ_πθ^π because q^π = Φθ^π; so (I − γM_π)θ^π = ω with M_π = ΨΦ_π.
    /// Where |X| < d, from v^π. Equals [`theta_of_policy`](crate::paper::discounted::lagrangian::theta_of_policy).
    pub fn theta_of_policy(&self, policy: &[T]) -> Result<Vec<T>> {
        self.expect_policy(policy)?;
        if !self.by_features() {
            return checked("θ^π", self.theta_of_value(&self.state_value(policy)?));
        }
        let dim = self.shape().dim;
        let matrix = identity_minus(dim, self.transition(policy), self.mdp().discount());
        solved("I − γM_π", matrix, self.mdp().omega().to_vec())
    }

    /// ω + γΨv.
    pub(crate) fn theta_of_value(&self, v: &[T]) -> Vec<T> {
        let backup = self.psi_times(v);
        backup.into_iter().zip(self.mdp().omega()).map(|(psi_v, omega)| psi_v * self.mdp().discount() + omega).collect()
    }

    /// v^π: Φ_πθ^π, or by Bellman's equation (I − γP_π)v^π = r_π where |X| < d. Equals
    /// [`state_value`](crate::paper::mdp::state_value).
    pub fn state_value(&self, policy: &[T]) -> Result<Vec<T>> {
        self.expect_policy(policy)?;
        if self.by_features() {
            let theta = self.theta_of_policy(policy)?;
            return checked("v^π", self.policy_average(policy, &self.linear_function(&theta)));
        }
        let reward = self.policy_average(policy, &self.reward());
        let matrix = identity_minus(self.shape().states, self.transition(policy), self.mdp().discount());
        solved("I − γP_π", matrix, reward)
    }

    /// λ^π = Φᵀμ^π from the transposed system: ν^π = (1−γ)ν₀ + γΨᵀλ^π, and λ^π = Φ_πᵀν^π; so
    /// (I − γM_πᵀ)λ^π = (1−γ)Φ_πᵀν₀. Where |X| < d, from ν^π.
    pub fn feature_occupancy(&self, policy: &[T]) -> Result<Vec<T>> {
        self.expect_policy(policy)?;
        if !self.by_features() {
            return checked("λ^π", self.mean_feature(policy, &self.state_occupancy(policy)?));
        }
        let dim = self.shape().dim;
        let matrix = transposed(dim, &identity_minus(dim, self.transition(policy), self.mdp().discount()));
        solved("I − γM_πᵀ", matrix, self.mean_feature(policy, &self.start()))
    }

    /// ν^π: (1−γ)ν₀ + γΨᵀλ^π, or from (I − γP_πᵀ)ν^π = (1−γ)ν₀ where |X| < d. Equals
    /// [`state_occupancy`](crate::paper::mdp::state_occupancy).
    pub fn state_occupancy(&self, policy: &[T]) -> Result<Vec<T>> {
        self.expect_policy(policy)?;
        if self.by_features() {
            return checked("ν^π", self.arriving(&self.feature_occupancy(policy)?));
        }
        let states = self.shape().states;
        let matrix = transposed(states, &identity_minus(states, self.transition(policy), self.mdp().discount()));
        solved("I − γP_πᵀ", matrix, self.start())
    }

    /// (1−γ)ν₀ + γΨᵀλ: ν^π at λ = λ^π, and (13)'s ν_β at λ = Λ^cβ.
    pub(crate) fn arriving(&self, lambda: &[T]) -> Vec<T> {
        let onward = self.psi_transposed_times(lambda);
        onward.into_iter().zip(self.start()).map(|(onward, start)| onward * self.mdp().discount() + start).collect()
    }

    /// (1−γ)ν₀.
    fn start(&self) -> Vec<T> {
        let rest = T::one() - self.mdp().discount();
        self.mdp().initial().iter().map(|p| rest.clone() * p).collect()
    }

    /// ρ(π) = (1−γ)⟨ν₀, v^π⟩.
    pub fn normalised_return(&self, v: &[T]) -> Result<T> {
        expect_len("v", self.shape().states, v.len())?;
        finite("return", (T::one() - self.mdp().discount()) * inner(self.mdp().initial(), v))
    }

    /// Policy iteration as [`optimal_policy`](crate::paper::mdp::optimal_policy) does it, from the same start and with the same
    /// choices: a deterministic optimal policy, and its value. In floating point it ends where Σ_x v(x) no longer rises, as in exact
    /// arithmetic it does at every improvement.
    pub fn optimal_policy(&self) -> Result<(Vec<T>, Vec<T>)> {
        let Shape { states, actions, .. } = self.shape();
        let mut policy = vec![T::zero(); states * actions];
        policy.iter_mut().step_by(actions).for_each(|p| *p = T::one());
        let mut best: Option<T> = None;
        loop {
            let v = self.state_value(&policy)?;
            let total = v.iter().fold(T::zero(), |sum, value| sum + value);
            let q = self.linear_function(&self.theta_of_value(&v));
            all_finite("q", &q)?;
            if best.is_some_and(|best| total <= best) || !improve(states, actions, &q, &v, &mut policy) {
                return Ok((policy, v));
            }
            best = Some(total);
        }
    }
}

fn checked<T: Field>(what: &'static str, numbers: Vec<T>) -> Result<Vec<T>> {
    all_finite(what, &numbers).map(|()| numbers)
}

/// μ(x, a) = π(a|x) ν(x).
pub fn compose<T: Field>(actions: usize, policy: &[T], nu: &[T]) -> Result<Vec<T>> {
    expect_table("policy", nu.len(), actions, policy.len())?;
    let mu: Vec<T> = policy.iter().enumerate().map(|(pair, p)| p.clone() * &nu[pair / actions]).collect();
    checked("occupancy", mu)
}
