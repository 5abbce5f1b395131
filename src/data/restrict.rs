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

/// Which components stay, and whether the absorbing state brings one of its own, the last.
struct Kept {
    used: Vec<bool>,
    more: bool,
}

impl Kept {
    /// Those that are not 0 in every one of the features.
    fn on<'a, T: Number + 'a>(features: impl Iterator<Item = &'a [T]>, dim: usize, more: bool) -> Self {
        let mut used = vec![false; dim];
        for phi in features {
            used.iter_mut().zip(phi).for_each(|(used, number)| *used |= !number.is_zero());
        }
        Self { used, more }
    }

    fn dim(&self) -> usize {
        self.used.iter().filter(|used| **used).count() + usize::from(self.more)
    }

    /// What stays of a vector; `last` in the component of the absorbing state.
    fn of<T: Number>(&self, vector: &[T], last: T) -> Vec<T> {
        let stay = vector.iter().zip(&self.used).filter(|(_, used)| **used).map(|(number, _)| number.clone());
        stay.chain(self.more.then_some(last)).collect()
    }
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
        let kept = Kept::on(keep.iter().flat_map(|x| row(*x).chunks(dim)), dim, !absorb.is_empty());
        let psi_of = |x: usize| &psi[x * dim..][..dim];
        let mut features: Vec<T> =
            keep.iter().flat_map(|x| row(*x).chunks(dim)).flat_map(|phi| kept.of(phi, T::zero())).collect();
        let mut new_psi: Vec<T> = keep.iter().flat_map(|x| kept.of(psi_of(*x), T::zero())).collect();
        let mut new_initial: Vec<T> = keep.iter().map(|x| initial[*x].clone()).collect();
        let mut behavior: Option<Vec<T>> = self
            .behavior
            .as_ref()
            .map(|behavior| keep.iter().flat_map(|x| behavior[x * actions..][..actions].to_vec()).collect());
        if !absorb.is_empty() {
            let nothing = vec![T::zero(); dim];
            features.extend((0..actions).flat_map(|_| kept.of(&nothing, T::one())));
            let mut total = nothing;
            for x in absorb {
                total.iter_mut().zip(psi_of(*x)).for_each(|(sum, number)| *sum = sum.clone() + number);
            }
            new_psi.extend(kept.of(&total, T::one()));
            new_initial.push(T::zero());
            if let Some(rows) = &mut behavior {
                rows.extend((0..actions).map(|_| T::ratio(1, actions as i64)));
            }
        }
        let states = keep.len() + usize::from(!absorb.is_empty());
        let shape = Shape::new(states, actions, kept.dim()).map_err(|e| InputError::file(&self.file, e))?;
        Ok(Self {
            file: self.file.clone(),
            name: self.name.clone(),
            shape,
            features,
            discount: self.discount.clone(),
            initial: Some(new_initial),
            omega: Some(kept.of(omega, T::zero())),
            psi: Some(new_psi),
            behavior,
            root: None,
        })
    }
}
