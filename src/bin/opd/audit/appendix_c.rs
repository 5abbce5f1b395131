//! Appendix C: where Algorithm 2 starts its inner loops, Lemma C.3's comparator, and Corollary C.2.

use super::Entry;
use super::case::{Case, Power, Q};
use super::check::{Compared, at_most_float, equal};
use super::section5::constants;
use offline_primal_dual::Result as Checked;
use offline_primal_dual::linear::vector::norm_squared;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::algorithm::{
    Algorithm, InnerStep, Observer, OuterStep, Parameters, State,
};
use offline_primal_dual::paper::average_reward::guarantee::{Constants, corollary_complexity, simplified_complexity};
use offline_primal_dual::paper::average_reward::lagrangian::theta_of_policy;
use offline_primal_dual::paper::average_reward::unichain::span_bound;
use offline_primal_dual::paper::average_reward::values::shifted_theta;
use offline_primal_dual::paper::coverage::coverage_ratio;
use offline_primal_dual::paper::samples::{FeatureTable, Sample};

pub const CHECKS: &[Entry] = &[
    Entry::plain("Alg 2", "ρ_2^{(1)} = ρ_1, the average, as θ_2^{(1)} = θ_1", second_inner_loop),
    Entry::plain("Cor C.2", "‖θ*‖ ≤ D_ω + ‖ϱ‖ + D_ψD_q", corollary_theta),
    Entry::powered("Cor C.2", "order of n_ε = Thm 5.3's at D_φ = 1, D_θ² = dD_q², D_β² = C_{φ,c}", corollary_order),
];

/// θ^π, and Lemma C.3's shift of it.
pub fn thetas_of_policy(case: &mut Case) -> Checked<(Vec<Q>, Vec<Q>)> {
    let policy = case.policy.clone();
    let theta =
        case.vector(|study, s| theta_of_policy(&study.mdp, &study.varrho, &policy, s).map(|(_, theta)| theta))?;
    let shifted = case.vector(|study, s| shifted_theta(&study.mdp, &study.varrho, &theta, s))?;
    Ok((theta, shifted))
}

/// ‖θ*‖ ≤ D_ω + m + D_ψD_q, where m is the square root of `middle`; roots are involved, hence doubles and a margin for them.
pub fn corollary_radius(case: &mut Case, middle: &Q) -> Checked<Compared> {
    const ROUNDING: f64 = 1e-12;
    let (_, shifted) = thetas_of_policy(case)?;
    let mut span = Q::zero();
    case.vector(|study, s| {
        span = span_bound(&study.tabular()?, s)?;
        Ok(&mut [])
    })?;
    let root = |x: &Q| libm::sqrt(x.to_f64());
    let bounds = &case.study.bounds;
    let bound = root(&bounds.omega) + root(middle) + root(&bounds.psi) * span.to_f64();
    Ok(at_most_float(root(&norm_squared(&shifted)?), bound * (1.0 + ROUNDING)))
}

fn corollary_theta(case: &mut Case) -> Checked<Compared> {
    let ones = norm_squared(&case.study.varrho)?;
    corollary_radius(case, &ones)
}

fn corollary_order(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (dim, one, mut span) = (case.theta.len(), Q::one(), Q::zero());
    case.vector(|study, s| {
        span = span_bound(&study.tabular()?, s)?;
        Ok(&mut [])
    })?;
    let study = &mut case.study;
    let coverage = coverage_ratio(power.c, &study.mdp, &study.mu_star, &study.lambda, &mut study.scratch)?;
    let constants = Constants {
        phi_squared: one.clone(),
        theta_squared: Q::from_int(i64::try_from(dim).unwrap_or(i64::MAX)) * &span * &span,
        beta_squared: coverage.clone(),
        ..constants(case, power)?
    };
    let stated = corollary_complexity(power.c, dim, &span, &constants.log_actions, &coverage, &one)?;
    Ok(equal(stated, simplified_complexity(power.c, dim, &constants, &one)?))
}

/// Where the second inner loop's ρ starts.
pub struct SecondStart {
    /// ρ_2^{(1)} as the algorithm takes it.
    pub taken: Q,
    /// ρ_1, the average over the first inner loop.
    pub average: Q,
    /// The last iterate of the first inner loop.
    pub last: Q,
}

#[derive(Default)]
struct Rhos {
    starts: Vec<f64>,
    iterates: Vec<f64>,
    averages: Vec<f64>,
}

impl Observer<f64> for Rhos {
    fn begin_outer(&mut self, _: usize, _: &[f64], rho: &f64, _: &[f64], _: &[f64], _: &[f64]) {
        self.starts.push(*rho);
    }

    fn inner_step(&mut self, step: &InnerStep<f64>) {
        if step.t == 1 {
            self.iterates.push(*step.rho_next);
        }
    }

    fn outer_step(&mut self, step: &OuterStep<f64>) {
        self.averages.push(*step.rho);
    }
}

/// Two iterations of Algorithm 2, K = 2, at the first state and action of the instance, from ρ₀ = 1/2.
pub fn second_start(case: &mut Case) -> Checked<SecondStart> {
    let shape = case.study.mdp.shape();
    let double = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let (features, beta) = (double(case.study.mdp.features()), double(&case.beta));
    let table = FeatureTable::new(shape.actions, shape.dim, &features)?;
    let parameters =
        Parameters { alpha: 1.0, eta: 0.25, zeta: 0.25, xi: 0.0625, radius_theta: 8.0, radius_beta: 8.0, inner: 2 };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
    let mut state = State::new(shape.actions, shape.dim, &mut buffer)?;
    let algorithm = Algorithm::new(&table, None, &parameters)?;
    algorithm.start_at(&mut state, &vec![0.0; shape.dim], 0.5, &beta)?;
    let mut rhos = Rhos::default();
    algorithm.run(&mut state, 2, [Sample::default(); 6], &mut rhos)?;
    let [taken, average, last] = [rhos.starts[1], rhos.averages[0], rhos.iterates[1]].map(Q::from_f64);
    Ok(SecondStart { taken: taken?, average: average?, last: last? })
}

fn second_inner_loop(case: &mut Case) -> Checked<Compared> {
    let rho = second_start(case)?;
    Ok(equal(rho.taken, rho.average))
}
