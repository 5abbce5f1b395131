//! The certificate of a run in exact arithmetic: gap, suboptimality and regrets of its iterates.

use crate::Result as Checked;
use crate::data::{Certificate, InputError, Problem, Setting};
use crate::number::Field;
use crate::number::exact::BigRational;
use crate::paper::{average_reward, discounted};
use crate::program::model::SolvedModel;
use crate::program::recorder::Kept;

/// The certificate of the kept iterates: doubles are the rationals they are.
pub fn certificate(
    setting: Setting,
    problem: &Problem<BigRational>,
    power: &[f64],
    kept: &[Kept],
) -> Result<Certificate, InputError> {
    let mut model = SolvedModel::new(setting, problem, "a certificate")?;
    let iterates = Iterates::of(problem.shape.actions, kept);
    let power = iterates.and_then(|iterates| Ok((iterates, exact(power)?)));
    let certified = power.and_then(|(iterates, power)| certify_iterates(&mut model, &power, &iterates));
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
    power: &[f64],
    kept: &[Kept],
) -> Result<Vec<Decomposition>, InputError> {
    let mut sums = [0.0; 5];
    let mut averages = Vec::with_capacity(kept.len());
    for iteration in kept {
        let one = certificate(setting, problem, power, std::slice::from_ref(iteration))?;
        let rho = one.regret_rho.as_ref().map_or(0.0, BigRational::to_f64);
        let parts = [&one.suboptimality, &one.regret_theta, &one.regret_beta, &one.regret_pi].map(BigRational::to_f64);
        for (sum, part) in sums.iter_mut().zip(parts.into_iter().chain([rho])) {
            *sum += part;
        }
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        let [total, theta, beta, pi, rho] = sums.map(|sum| sum / iteration.t as f64);
        let rho = one.regret_rho.as_ref().map(|_| rho);
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

/// The certificate of iterates against the model's policy `optimal`; `power` is Λ^c.
pub fn certify_iterates(
    model: &mut SolvedModel<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    match model.setting {
        Setting::Discounted => certify_discounted(model, power, iterates),
        Setting::Average => certify_average(model, power, iterates),
    }
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

fn certify_discounted(
    model: &mut SolvedModel<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    use discounted::duality_gap::{
        Comparators, Iterates as View, average_suboptimality, beta_star, dynamic_duality_gap, theta_stars,
    };
    use discounted::regret::{beta_regret, policy_regret, theta_regret};
    let (mdp, policy) = (model.mdp, &model.optimal);
    let saddle = discounted::lagrangian::Saddle::new(mdp, power)?;
    let view = View::new(&mdp, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let mut scratch = vec![BigRational::zero(); view.scratch()];
    let mut scratch = &mut scratch[..];
    let beta = beta_star(&saddle, policy, &mut scratch)?;
    let thetas = theta_stars(&mdp, &view, &mut scratch)?;
    let comparators = Comparators { policy, beta, thetas };
    Ok(Certificate::new(
        dynamic_duality_gap(&saddle, &view, &comparators, scratch)?,
        average_suboptimality(&mdp, policy, &view, scratch)?,
        theta_regret(&saddle, &view, &comparators, scratch)?,
        beta_regret(&saddle, &view, &comparators, scratch)?,
        policy_regret(&mdp, &view, policy, scratch)?,
        None,
        policy.chunks(mdp.shape().actions),
    ))
}

fn certify_average(
    model: &mut SolvedModel<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    use average_reward::duality_gap::{
        Comparators, Iterates as View, average_suboptimality, beta_star, dynamic_duality_gap, rho_theta_stars,
    };
    use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
    let (mdp, policy) = (model.mdp, &model.optimal);
    let saddle = average_reward::lagrangian::Saddle::new(mdp, &model.varrho, power)?;
    let view = View::new(&mdp, &iterates.rhos, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let mut scratch = vec![BigRational::zero(); view.scratch()];
    let mut scratch = &mut scratch[..];
    let beta = beta_star(&saddle, policy, &mut scratch)?;
    let (rhos, thetas) = rho_theta_stars(&saddle, &view, &mut scratch)?;
    let comparators = Comparators { policy, beta, rhos, thetas };
    Ok(Certificate::new(
        dynamic_duality_gap(&saddle, &view, &comparators, scratch)?,
        average_suboptimality(&mdp, policy, &view, scratch)?,
        theta_regret(&saddle, &view, &comparators, scratch)?,
        beta_regret(&saddle, &view, &comparators, scratch)?,
        policy_regret(&mdp, &view, policy, scratch)?,
        Some(rho_regret(&saddle, &view, &comparators, scratch)?),
        policy.chunks(mdp.shape().actions),
    ))
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
