//! Definition 2.1 without |X|²|A| products: whether numbers are a linear MDP.

use super::Structure;
use crate::error::{Error, Result};
use crate::linear::vector::{all_finite, inner};
use crate::number::Field;
use crate::paper::mdp::{Shape, valid_discount, valid_distribution, valid_distributions, valid_reward};

impl<T: Field> Structure<'_, T> {
    /// [`LinearMdp::validate`](crate::paper::mdp::LinearMdp::validate), with the same first complaint:
    /// - A row of P sums to ⟨φ(x,a), Σ_y ψ(y)⟩, and is not negative where neither Φ nor Ψ is; its entries are looked at one by one only
    ///   where one of these fails.
    /// - Φ has full column rank as soon as d of its rows are independent, for which a few rows mostly do.
    pub fn validate(&self) -> Result<()> {
        valid_discount(self.mdp().discount())?;
        valid_distributions("initial", self.shape().states, self.mdp().initial())?;
        let mdp = self.mdp();
        for (what, numbers) in [("features", mdp.features()), ("omega", mdp.omega()), ("psi", mdp.psi())] {
            all_finite(what, numbers)?;
        }
        self.reward().iter().enumerate().try_for_each(|(pair, reward)| valid_reward(pair, reward))?;
        self.valid_transition()?;
        self.full_rank()
    }

    /// How many products [`Structure::validate`] takes at most to see that the rows of P are distributions: those of P where an entry of Φ
    /// or Ψ is negative.
    #[must_use]
    pub fn validation_cost(&self) -> f64 {
        let few = (self.phi().stored() + self.psi().stored()) as f64;
        if self.non_negative() { few } else { few + self.shape().states as f64 * self.phi().stored() as f64 }
    }

    /// How many products it takes to see that Φ has full column rank: d³ of an elimination, none where the rank is read off.
    #[must_use]
    pub fn rank_cost(&self) -> f64 {
        let dim = self.shape().dim;
        if self.phi().single_entries() || self.components_seen_alone() == dim { 0.0 } else { (dim as f64).powi(3) }
    }

    /// How many components some row has and nothing else: that many rows are independent, whatever the others are.
    fn components_seen_alone(&self) -> usize {
        let mut seen = vec![false; self.shape().dim];
        for pair in 0..self.phi().len() {
            let (mut entries, mut last) = (0, 0);
            self.phi().for_each(pair, |j, entry| {
                if !entry.is_zero() {
                    (entries, last) = (entries + 1, j);
                }
            });
            if entries == 1 {
                seen[last] = true;
            }
        }
        seen.iter().filter(|seen| **seen).count()
    }

    fn non_negative(&self) -> bool {
        let zero = T::zero();
        self.mdp().features().iter().chain(self.mdp().psi()).all(|entry| *entry >= zero)
    }

    fn valid_transition(&self) -> Result<()> {
        let Shape { states, dim, .. } = self.shape();
        let total = self.psi_times(&vec![T::one(); states]);
        let slack = T::rounding(states.saturating_mul(4).saturating_add(64));
        let sums_to_one = |pair: usize| (self.phi().dot(pair, &total) - T::one()).abs() <= slack;
        if self.non_negative() && (0..self.shape().pairs()).all(sums_to_one) {
            return Ok(());
        }
        let phi = |pair: usize| &self.mdp().features()[pair * dim..(pair + 1) * dim];
        (0..self.shape().pairs()).try_for_each(|pair| {
            let p = |x: usize| inner(phi(pair), &self.mdp().psi()[x * dim..(x + 1) * dim]);
            valid_distribution("transition", pair, states, p)
        })
    }

    /// Whether Φ has full column rank: rows are taken in until d of them are independent.
    fn full_rank(&self) -> Result<()> {
        let dim = self.shape().dim;
        let alone = self.components_seen_alone();
        if self.phi().single_entries() && alone < dim {
            return Err(Error::RankDeficient { rank: alone, dim });
        }
        if alone == dim || self.independent_rows() == dim {
            return Ok(());
        }
        // Too few at hand: as the definition has it, with pivots from all rows.
        let rank = crate::linear::solve::rank(dim, &mut self.mdp().features().to_vec())?;
        if rank == dim { Ok(()) } else { Err(Error::RankDeficient { rank, dim }) }
    }

    /// The rank of Φ by elimination row by row, up to d. In floating point what rounding may have left counts as zero.
    fn independent_rows(&self) -> usize {
        let dim = self.shape().dim;
        // Rows with a leading 1, by the column of that 1.
        let mut basis: Vec<(usize, Vec<T>)> = Vec::new();
        for phi in self.mdp().features().chunks_exact(dim) {
            let size = |row: &[T]| row.iter().fold(T::zero(), |most, x| if x.abs() > most { x.abs() } else { most });
            let negligible = size(phi) * T::rounding(dim.saturating_mul(1 << 10));
            let mut row = phi.to_vec();
            for (column, reduced) in &basis {
                let factor = -row[*column].clone();
                crate::linear::vector::add_scaled(&factor, reduced, &mut row);
                row[*column] = T::zero();
            }
            let largest = (0..dim).fold(0, |best, j| if row[j].abs() > row[best].abs() { j } else { best });
            if row[largest].abs() > negligible {
                let pivot = row[largest].clone();
                for entry in &mut row {
                    *entry = entry.clone() / &pivot;
                }
                basis.push((largest, row));
                if basis.len() == dim {
                    break;
                }
            }
        }
        basis.len()
    }
}
