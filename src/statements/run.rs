//! A short run of Algorithm 1 or 2 on the case, as the rationals that its doubles are.

use super::case::{Case, Iterates, Power};
use super::{appendix_a, appendix_c_radius};
use crate::error::Result;
use crate::linear::softmax::policy_table;
use crate::linear::vector::norm_squared;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::Setting;
use crate::paper::average_reward::algorithm as algorithm_2;
use crate::paper::discounted::algorithm as algorithm_1;
use crate::paper::mdp::Mdp;
use crate::paper::samples::FeatureTable;
use crate::sampler::Sampler;
use std::vec;
use std::vec::Vec;

/// K and T: enough for every part of the algorithm to act, few enough to certify at once.
const INNER: usize = 5;
const OUTER: usize = 4;

/// A run.
pub struct Run {
    pub inner: usize,
    pub outer: usize,
    /// How many rows of data it used.
    pub rows: usize,
    pub iterates: Iterates,
}

/// θ_t, β_t, Σ_{i<t} θ_i and ρ_t as they go by.
#[derive(Default)]
struct Seen {
    thetas: Vec<f64>,
    betas: Vec<f64>,
    sums: Vec<f64>,
    rhos: Vec<f64>,
}

impl algorithm_1::Observer<f64> for Seen {
    fn begin_outer(&mut self, _: usize, _: &[f64], beta: &[f64], _: &[f64], theta_sum: &[f64]) {
        self.betas.extend(beta);
        self.sums.extend(theta_sum);
    }

    fn outer_step(&mut self, step: &algorithm_1::OuterStep<f64>) {
        self.thetas.extend(step.theta);
        self.rhos.push(0.0);
    }
}

impl algorithm_2::Observer<f64> for Seen {
    fn begin_outer(&mut self, _: usize, _: &[f64], _: &f64, beta: &[f64], _: &[f64], theta_sum: &[f64]) {
        self.betas.extend(beta);
        self.sums.extend(theta_sum);
    }

    fn outer_step(&mut self, step: &algorithm_2::OuterStep<f64>) {
        self.thetas.extend(step.theta);
        self.rhos.push(*step.rho);
    }
}

fn doubles(numbers: &[Q]) -> Vec<f64> {
    numbers.iter().map(Q::to_f64).collect()
}

fn exact(numbers: &[f64]) -> Result<Vec<Q>> {
    numbers.iter().map(|x| Q::from_f64(*x)).collect()
}

/// Rows of data drawn from the case.
pub fn samples(case: &Case) -> Result<Sampler> {
    let (shape, discount) = (case.model.shape, case.discount().to_f64());
    let [reward, transition, initial, behavior] =
        [&case.reward, &case.transition, &case.model.initial, &case.model.behavior].map(|numbers| doubles(numbers));
    let mdp = Mdp::new(shape.states, shape.actions, &reward, &transition, &initial, &discount)?;
    match case.setting {
        Setting::Discounted => Sampler::discounted(&mdp, &behavior, 0),
        Setting::Average => Sampler::stationary(&mdp, &behavior, 0),
    }
}

/// The rate of every variable: with it the iterates move, which is all that identities of iterates ask.
const RATE: f64 = 0.125;

/// The least power of 2 whose square is above `square`, from 2⁻¹⁰ on: one that a double and a rational can both name.
fn radius(square: &Q) -> f64 {
    let (mut radius, square) = (1.0 / 1024.0, square.to_f64() * (1.0 + f64::EPSILON));
    while radius * radius < square {
        radius *= 2.0;
    }
    radius
}

/// Runs the setting's algorithm, in balls that hold every θ^π and β*.
pub fn run(case: &Case, power: &Power, s: &mut [Q]) -> Result<Run> {
    let beta = radius(&norm_squared(&case.beta_star(power, s)?)?);
    let (rows, mut seen) = match case.setting {
        Setting::Discounted => discounted_run(case, power, radius(&appendix_a::theta_squared(case)), beta)?,
        Setting::Average => average_run(case, power, radius(&appendix_c_radius::theta_squared(case, s)?), beta)?,
    };
    let mut policies = Vec::new();
    let features = doubles(&case.model.features);
    for sum in seen.sums.chunks(case.theta.len()) {
        let mut policy = vec![0.0; case.mu.len()];
        policy_table(case.model.shape.actions, &RATE, &features, sum, &mut policy)?;
        for row in policy.chunks(case.model.shape.actions) {
            policies.extend(normalised(row)?);
        }
    }
    let rhos = exact(&core::mem::take(&mut seen.rhos))?;
    let iterates = Iterates { thetas: exact(&seen.thetas)?, betas: exact(&seen.betas)?, policies, rhos };
    Ok(Run { inner: INNER, outer: OUTER, rows, iterates })
}

/// π_t(·|x): the run's probabilities divided by their exact sum, which rounding leaves near 1.
fn normalised(row: &[f64]) -> Result<Vec<Q>> {
    let row = exact(row)?;
    let total = row.iter().fold(Q::zero(), |sum, p| sum + p);
    Ok(row.into_iter().map(|p| p / &total).collect())
}

fn discounted_run(case: &Case, power: &Power, radius_theta: f64, radius_beta: f64) -> Result<(usize, Seen)> {
    use crate::paper::discounted::algorithm::{Algorithm, Parameters, State};
    let (shape, features) = (case.model.shape, doubles(&case.model.features));
    let (table, weight) =
        (FeatureTable::new(shape.actions, shape.dim, &features)?, power.weight.as_deref().map(doubles));
    let (discount, alpha, eta, zeta) = (case.discount().to_f64(), RATE, RATE, RATE);
    let parameters = Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner: INNER };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
    let (mut state, mut seen) = (State::new(shape.actions, shape.dim, &mut buffer)?, Seen::default());
    Algorithm::new(&table, weight.as_deref(), &parameters)?.run(&mut state, OUTER, samples(case)?, &mut seen)?;
    Ok((state.used(), seen))
}

fn average_run(case: &Case, power: &Power, radius_theta: f64, radius_beta: f64) -> Result<(usize, Seen)> {
    use crate::paper::average_reward::algorithm::{Algorithm, Parameters, State};
    let (shape, features) = (case.model.shape, doubles(&case.model.features));
    let (table, weight) =
        (FeatureTable::new(shape.actions, shape.dim, &features)?, power.weight.as_deref().map(doubles));
    let (alpha, eta, zeta, xi) = (RATE, RATE, RATE, RATE);
    let parameters = Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner: INNER };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
    let (mut state, mut seen) = (State::new(shape.actions, shape.dim, &mut buffer)?, Seen::default());
    Algorithm::new(&table, weight.as_deref(), &parameters)?.run(&mut state, OUTER, samples(case)?, &mut seen)?;
    Ok((state.used(), seen))
}

#[cfg(test)]
mod tests {
    use super::{Q, radius};
    use crate::number::Field as _;

    #[test]
    fn a_radius_is_the_next_power_of_two() {
        for (square, least) in [((0, 1), 1.0 / 1024.0), ((1, 16), 0.5), ((15, 16), 1.0), ((1, 1), 2.0), ((17, 1), 8.0)]
        {
            assert_eq!(radius(&Q::ratio(square.0, square.1)), least, "{square:?}");
        }
    }
}
