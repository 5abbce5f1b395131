//! The certificate of a run in exact arithmetic: gap, suboptimality and regrets of its iterates.

use crate::Result as Checked;
use crate::data::{Certificate, InputError, Problem, Setting};
use crate::number::Field;
use crate::number::exact::BigRational;
use crate::program::model::SolvedModel;
use crate::program::recorder::Kept;
use crate::routes::{Comparator, Iterate, Parts, Symmetric};

/// The certificate of the kept iterates: doubles are the rationals they are.
pub fn certificate(
    setting: Setting,
    problem: &Problem<BigRational>,
    power: &Symmetric<f64>,
    kept: &[Kept],
    budget: f64,
) -> Result<Certificate, InputError> {
    let model = SolvedModel::within_budget(setting, problem, "a certificate", budget)?;
    let certified = Iterates::of(problem.shape.actions, kept)
        .and_then(|iterates| certify_iterates(&model, &exact_matrix(power)?, &iterates, &model.optimal));
    certified.map_err(|e| model.not_covered(&problem.name, e))
}

/// Averages over the iterations up to t, for figures.
pub struct Decomposition {
    pub t: usize,
    pub total: f64,
    pub theta: f64,
    pub beta: f64,
    pub pi: f64,
    /// In the average-reward setting.
    pub rho: Option<f64>,
}

/// Every iteration's own certificate, averaged up to each t.
pub fn decomposition(
    setting: Setting,
    problem: &Problem<BigRational>,
    power: &Symmetric<f64>,
    kept: &[Kept],
) -> Result<Vec<Decomposition>, InputError> {
    let model = SolvedModel::new(setting, problem, "a certificate")?;
    decompose(&model, power, kept).map_err(|e| model.not_covered(&problem.name, e))
}

fn decompose(
    model: &SolvedModel<'_, BigRational>,
    power: &Symmetric<f64>,
    kept: &[Kept],
) -> Checked<Vec<Decomposition>> {
    let power = exact_matrix(power)?;
    let comparator = Comparator::new(&model.structure, &power, model.ones(), &model.optimal)?;
    let mut sums = [0.0; 5];
    let mut averages = Vec::with_capacity(kept.len());
    for iteration in kept {
        let iterates = Iterates::of(model.mdp.shape().actions, std::slice::from_ref(iteration))?;
        let one = comparator.certify(&iterates.rows(model.mdp.shape().dim, model.mdp.shape().pairs()))?;
        let parts = [&one.suboptimality, &one.regret_theta, &one.regret_beta, &one.regret_pi, &one.regret_rho];
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum += part.to_f64();
        }
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        let [total, theta, beta, pi, rho] = sums.map(|sum| sum / iteration.t as f64);
        let rho = model.ones().map(|_| rho);
        averages.push(Decomposition { t: iteration.t, total, theta, beta, pi, rho });
    }
    Ok(averages)
}

/// A run's iterates as rationals.
pub struct Iterates {
    pub thetas: Vec<BigRational>,
    pub rhos: Vec<BigRational>,
    pub betas: Vec<BigRational>,
    pub policies: Vec<BigRational>,
}

/// The certificate of iterates against a comparator policy; `power` is Λ^c. By the routes of `src/routes/`, which equal the lemmas'
/// defining functions.
pub fn certify_iterates(
    model: &SolvedModel<'_, BigRational>,
    power: &Symmetric<BigRational>,
    iterates: &Iterates,
    policy: &[BigRational],
) -> Checked<Certificate> {
    let shape = model.mdp.shape();
    let comparator = Comparator::new(&model.structure, power, model.ones(), policy)?;
    let parts = comparator.certify(&iterates.rows(shape.dim, shape.pairs()))?;
    let Parts { gap, suboptimality, regret_theta, regret_beta, regret_pi, regret_rho } = parts;
    let regret_rho = model.ones().map(|_| regret_rho);
    let rows = policy.chunks(shape.actions);
    Ok(Certificate::new(gap, suboptimality, regret_theta, regret_beta, regret_pi, regret_rho, rows))
}

fn exact_matrix(matrix: &Symmetric<f64>) -> Checked<Symmetric<BigRational>> {
    matrix.try_map(|x| BigRational::from_f64(*x))
}

fn exact(numbers: &[f64]) -> Checked<Vec<BigRational>> {
    numbers.iter().map(|x| BigRational::from_f64(*x)).collect()
}

impl Iterates {
    fn of(actions: usize, kept: &[Kept]) -> Checked<Self> {
        let (mut thetas, mut rhos, mut betas, mut policies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for iteration in kept {
            thetas.extend(exact(&iteration.theta)?);
            betas.extend(exact(&iteration.beta)?);
            rhos.push(BigRational::from_f64(iteration.rho)?);
            policies.extend(normalised_policy(actions, &iteration.policy)?);
        }
        Ok(Self { thetas, rhos, betas, policies })
    }

    /// One by one.
    fn rows(&self, dim: usize, pairs: usize) -> Vec<Iterate<'_, BigRational>> {
        let duals = self.thetas.chunks_exact(dim).zip(self.betas.chunks_exact(dim));
        let rows = duals.zip(self.policies.chunks_exact(pairs)).zip(&self.rhos);
        rows.map(|(((theta, beta), policy), rho)| Iterate { theta, beta, policy, rho }).collect()
    }
}

/// π_t, [`normalised`] state by state.
pub fn normalised_policy(actions: usize, policy: &[f64]) -> Checked<Vec<BigRational>> {
    let rows: Checked<Vec<_>> = policy.chunks(actions).map(normalised).collect();
    rows.map(|rows| rows.concat())
}

/// π_t(·|x): the run's probabilities divided by their exact sum, which rounding leaves near 1.
fn normalised(row: &[f64]) -> Checked<Vec<BigRational>> {
    let row = exact(row)?;
    let total = row.iter().fold(BigRational::zero(), |sum, p| sum + p);
    Ok(row.into_iter().map(|p| p / &total).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven probabilities of 1/7 as doubles do not sum to 1; their exact quotients do.
    #[test]
    fn policies_are_normalised_exactly() {
        let row = [1.0 / 7.0; 7];
        let sum = |row: &[BigRational]| row.iter().fold(BigRational::zero(), |sum, p| sum + p);
        assert!(sum(&exact(&row).unwrap()) != BigRational::one());
        assert!(sum(&normalised(&row).unwrap()) == BigRational::one());
    }
}
