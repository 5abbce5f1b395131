//! A problem on some of its states.

use super::error::InputError;
use super::number::Number;
use super::problem::Problem;
use crate::paper::mdp::Shape;

/// Which states there are, and where a walk can go.
#[derive(Debug)]
pub struct Reach {
    /// Under the behaviour policy, from `initial`.
    pub by_behavior: Vec<bool>,
    /// Under any policy, from `initial`.
    pub by_any: Vec<bool>,
}

impl<T: Number> Problem<T> {
    /// The states that are reached from `initial`.
    pub fn reach(&self) -> Result<Reach, InputError> {
        let what_for = "a restriction";
        let (initial, psi) = (self.initial(what_for)?, self.psi(what_for)?);
        let behavior = self.behavior(what_for)?;
        let Shape { states, actions, dim } = self.shape;
        // Per component, the states that ψ leads to.
        let leads: Vec<Vec<usize>> =
            (0..dim).map(|j| (0..states).filter(|x| !psi[x * dim + j].is_zero()).collect()).collect();
        // Where nothing is negative, nothing cancels.
        let signed = psi.iter().chain(&self.features).any(|number| *number < T::zero());
        let next = |pair: usize, reached: &mut Vec<bool>, waiting: &mut Vec<usize>| {
            let phi = &self.features[pair * dim..][..dim];
            for j in (0..dim).filter(|j| !phi[*j].is_zero()) {
                for &x in &leads[j] {
                    let certain = || !signed || !crate::linear::vector::inner(phi, &psi[x * dim..][..dim]).is_zero();
                    if !reached[x] && certain() {
                        reached[x] = true;
                        waiting.push(x);
                    }
                }
            }
        };
        let walk = |takes: &dyn Fn(usize) -> bool| {
            let mut reached: Vec<bool> = initial.iter().map(|p| !p.is_zero()).collect();
            let mut waiting: Vec<usize> = (0..states).filter(|x| reached[*x]).collect();
            while let Some(x) = waiting.pop() {
                for pair in (x * actions..(x + 1) * actions).filter(|pair| takes(*pair)) {
                    next(pair, &mut reached, &mut waiting);
                }
            }
            reached
        };
        Ok(Reach { by_behavior: walk(&|pair| !behavior[pair].is_zero()), by_any: walk(&|_| true) })
    }

    /// The problem on the states of `keep`, without the components that are 0 there; the states of `absorb` become one more, the last,
    /// which is never left and pays nothing.
    pub fn restricted(&self, keep: &[usize], absorb: &[usize]) -> Result<Self, InputError> {
        let what_for = "a restriction";
        let (initial, psi, omega) = (self.initial(what_for)?, self.psi(what_for)?, self.omega(what_for)?);
        let Shape { actions, dim, .. } = self.shape;
        let row = |x: usize| &self.features[x * actions * dim..][..actions * dim];
        let mut used = vec![false; dim];
        for &x in keep {
            for (at, number) in row(x).iter().enumerate() {
                used[at % dim] |= !number.is_zero();
            }
        }
        let chosen = |vector: &[T]| -> Vec<T> {
            vector.iter().zip(&used).filter(|(_, used)| **used).map(|(number, _)| number.clone()).collect()
        };
        // The absorbing state has a component of its own.
        let padded = |mut vector: Vec<T>, last: T| {
            vector.extend((!absorb.is_empty()).then_some(last));
            vector
        };
        let psi_of = |x: usize| &psi[x * dim..][..dim];
        let mut features: Vec<T> =
            keep.iter().flat_map(|x| row(*x).chunks(dim)).flat_map(|phi| padded(chosen(phi), T::zero())).collect();
        let mut new_psi: Vec<T> = keep.iter().flat_map(|x| padded(chosen(psi_of(*x)), T::zero())).collect();
        let mut new_initial: Vec<T> = keep.iter().map(|x| initial[*x].clone()).collect();
        let mut behavior: Option<Vec<T>> = self
            .behavior
            .as_ref()
            .map(|behavior| keep.iter().flat_map(|x| behavior[x * actions..][..actions].to_vec()).collect());
        let new_dim = used.iter().filter(|used| **used).count() + usize::from(!absorb.is_empty());
        if !absorb.is_empty() {
            for _ in 0..actions {
                features.extend((1..new_dim).map(|_| T::zero()).chain([T::one()]));
            }
            let mut total = vec![T::zero(); dim];
            for x in absorb {
                total.iter_mut().zip(psi_of(*x)).for_each(|(sum, number)| *sum = sum.clone() + number);
            }
            new_psi.extend(padded(chosen(&total), T::one()));
            new_initial.push(T::zero());
            if let Some(rows) = &mut behavior {
                rows.extend((0..actions).map(|_| T::ratio(1, actions as i64)));
            }
        }
        let states = keep.len() + usize::from(!absorb.is_empty());
        let shape = Shape::new(states, actions, new_dim).map_err(|e| InputError::file(&self.file, e))?;
        Ok(Self {
            file: self.file.clone(),
            name: self.name.clone(),
            shape,
            features,
            discount: self.discount.clone(),
            initial: Some(new_initial),
            omega: Some(padded(chosen(omega), T::zero())),
            psi: Some(new_psi),
            behavior,
            root: None,
        })
    }
}
