//! Theorems 3.2, 5.3 and A.1 as printed are false at c = 1 (erratum 4): exact tests, with nothing sampled in them.
//! `proofs/coq/RefutedStatements.v` has the same as theorems.
//!
//! The family: one state, γ = 0, two actions, φ(a) = s·e_a, r = (1, 0) or (0, 1), μ_B uniform. C_{φ,1} = 4/s², so print allows
//! D_β = 4/s², where the proof needs ‖β*‖ = √C = 2/s; D_θ = 1/s and D_φ = s.
#![cfg(feature = "exact")]

#[path = "../examples/printed_estimator.rs"]
mod printed_estimator;
mod support;

use offline_primal_dual::linear::softmax::policy_table;
use offline_primal_dual::linear::vector::take;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::average_reward::guarantee as average;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::paper::coverage::coverage_ratio;
use offline_primal_dual::paper::discounted::algorithm::{Algorithm, Lines, Observer, OuterStep, Parameters, State};
use offline_primal_dual::paper::discounted::guarantee::{
    Constants, Rates, bound, bound_terms, simplified_complexity, squared_rates,
};
use offline_primal_dual::paper::lines;
use offline_primal_dual::paper::mdp::{expected_reward, occupancy, squared_bounds};
use offline_primal_dual::paper::samples::{FeatureTable, Sample};
use support::{Model, dot};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn power(x: &Q, n: usize) -> Q {
    (0..n).fold(q(1, 1), |product, _| product * x)
}

/// The first terms of log 2 = Σ 1/(k 2^k), and the same with a bound on the rest: Σ_{k>40} < 2⁻⁴⁰.
fn log_two() -> (Q, Q) {
    let below = (1..=40).fold(q(0, 1), |sum, k| sum + q(1, k << k));
    (below.clone(), below + q(1, 1 << 40))
}

/// A rational at or above √x, by at most a part in a thousand: Newton's iterates stay above.
fn root_above(x: &Q) -> Q {
    let mut root = x.clone() + q(1, 1);
    while root.clone() * &root > x.clone() * q(1001, 1000) {
        root = (root.clone() + x.clone() / &root) / q(2, 1);
        // Newton's fractions double in length: cut them at 40 digits after the leading ones, upwards.
        root = shortened_up(&root);
    }
    assert!(root.clone() * &root >= *x);
    root
}

/// A short rational at or above x > 0, by at most a part in 10⁵: one of n/10^k or n·10^k.
fn shortened_up(x: &Q) -> Q {
    let (mut unit, ten) = (q(1, 1), q(10, 1));
    while unit > *x {
        unit = unit / &ten;
    }
    while unit.clone() * &ten <= *x {
        unit = unit * &ten;
    }
    let digits = (x.clone() / &unit * q(100_000, 1)).to_f64() as i64 + 1;
    let short = q(digits, 100_000) * unit;
    assert!(short >= *x);
    short
}

/// The model with its reward for action `good`.
fn family(s: &Q, good: usize) -> Model<Q> {
    let (zero, inverse) = (q(0, 1), q(1, 1) / s);
    let mut omega = vec![zero.clone(); 2];
    omega[good] = inverse.clone();
    Model {
        shape: offline_primal_dual::paper::mdp::Shape::new(1, 2, 2).unwrap(),
        features: vec![s.clone(), zero.clone(), zero.clone(), s.clone()],
        omega,
        psi: vec![inverse.clone(), inverse],
        initial: vec![q(1, 1)],
        discount: zero,
        mu_b: vec![q(1, 2), q(1, 2)],
        root: None,
    }
    .checked()
}

/// Theorem A.1's constants for a D_β, with log 2 replaced by the rational given. Λ = (s²/2)·I.
fn constants(s: &Q, radius_beta: &Q, log_actions: Q) -> Constants<Q> {
    let square = s.clone() * s;
    Constants {
        discount: q(0, 1),
        log_actions,
        phi_squared: square.clone(),
        theta_squared: q(1, 1) / &square,
        beta_squared: radius_beta.clone() * radius_beta,
        trace: square.clone(),
        norm: square / q(2, 1),
    }
}

/// C_{φ,1}, with the hypotheses checked on the model itself: D_φ = s, D_θ = 1/s bounds ‖θ^π‖ = ‖ω‖, Tr Λ and Λ = (s²/2)·I.
fn coverage_of(s: &Q) -> Q {
    let model = family(s, 0);
    let (lambda, mut scratch, square) = (model.covariance(), model.scratch(), s.clone() * s);
    assert_eq!(lambda, [square.clone() / q(2, 1), q(0, 1), q(0, 1), square.clone() / q(2, 1)]);
    assert_eq!(squared_bounds(&model.mdp(), &mut scratch).unwrap().phi, square);
    assert_eq!(dot(&model.omega, &model.omega) * &square, q(1, 1));
    coverage_ratio(Exponent::One, &model.mdp(), &[q(1, 1), q(0, 1)], &lambda, &mut scratch).unwrap()
}

/// ρ(π*) − ρ(π), π* taking the good action.
fn suboptimality(model: &Model<Q>, good: usize, policy: &[Q]) -> Q {
    let (mdp, mut table, mut scratch) = (model.mdp(), model.scratch(), model.scratch());
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let mut best = vec![q(0, 1); 2];
    best[good] = q(1, 1);
    let mut value = |policy: &[Q]| {
        let mu = occupancy(&tabular, policy, &mut &mut scratch[..]).unwrap();
        expected_reward(tabular.reward(), mu).unwrap()
    };
    value(&best) - value(policy)
}

/// What every run of Algorithm 1 on the family obeys, from θ₀ = 0 and any β₁, whatever the data: |α·Σ_{i<t} s(θ_i(0) − θ_i(1))|, the
/// difference of π_t's logits, for t = 1 … T.
///
/// g̃_θ = sπ_t − s²β(A)e_A, and |β| ≤ D_β = 4/s²; so a step moves s(θ(0) − θ(1)) by at most ηs(s|π_t(0) − π_t(1)| + 4). The projection
/// onto a ball around 0 and the average over k take it no further, and θ_{t,1} = θ_{t−1}. |π_t(0) − π_t(1)| = |tanh(L/2)| ≤ |L|/2.
fn logit_bounds(s: &Q, alpha: &Q, eta: &Q, inner: usize, outer: usize) -> Vec<Q> {
    let (mut difference, mut sum) = (q(0, 1), q(0, 1));
    let steps = q(inner as i64, 1);
    (0..outer)
        .map(|_| {
            let logit = shortened(alpha.clone() * &sum);
            let step = eta.clone() * s * (s.clone() * &logit / q(2, 1) + q(4, 1));
            difference += steps.clone() * step;
            difference = shortened(difference.clone());
            sum += difference.clone();
            logit
        })
        .collect()
}

fn shortened(x: Q) -> Q {
    if x.is_zero() { x } else { shortened_up(&x) }
}

/// Theorem A.1's inequality under D_β = C_{φ,1} fails at s = 10⁴⁰, T = 20, K = 400 on **every** data sequence: the suboptimality is
/// 1/2 but for 10⁻²⁰, the six terms are below 0.45.
///
/// The rates here are rationals at or just above the theorem's own. The recursion grows with them, so it holds at the theorem's too,
/// and the six terms are least at the theorem's, so they are smaller still there.
#[test]
fn theorem_a1_fails_on_every_data_sequence_where_the_radius_is_the_coverage_ratio() {
    let (s, inner, outer) = (power(&q(10, 1), 40), 400, 20);
    let coverage = coverage_of(&s);
    assert_eq!(coverage.clone() * &s * &s, q(4, 1));
    assert!(coverage > coverage.clone() * &coverage, "‖β*‖² = C, and D_β² = C² is less: what the proof needs fails");
    let constants = constants(&s, &coverage, log_two().1);
    let squares = squared_rates(&constants, inner, outer).unwrap();
    let rates =
        Rates { alpha: root_above(&squares.alpha), eta: root_above(&squares.eta), zeta: root_above(&squares.zeta) };
    let promised = bound(&constants, &rates, inner, outer).unwrap();
    assert!(promised < q(45, 100), "{}", promised.to_f64());

    // π_t(0) − π_t(1) ≤ L/2 leaves π_t(1) ≥ 1/2 − L/4: the suboptimality at t, and so on average.
    let logits = logit_bounds(&s, &rates.alpha, &rates.eta, inner, outer);
    let largest = logits.into_iter().fold(q(0, 1), |m, l| if l > m { l } else { m });
    let reached = q(1, 2) - largest / q(4, 1);
    assert!(reached > q(1, 2) - q(1, 1) / power(&q(10, 1), 20), "{}", reached.to_f64());
    assert!(promised < reached);
}

/// With D_β = √C the six terms exceed what can be lost at all, 1: the first and the fourth alone, at any ζ, since their sum is at
/// least twice the root of their product, in which ζ cancels.
#[test]
fn the_corrected_radius_promises_nothing_false() {
    let (s, inner, outer) = (power(&q(10, 1), 40), 400, 20);
    let root = q(2, 1) / &s;
    assert_eq!(root.clone() * &root, coverage_of(&s));
    let constants = constants(&s, &root, log_two().0);
    for zeta in [q(1, 7), q(3, 1)] {
        let rates = Rates { alpha: q(1, 1), eta: q(1, 1), zeta };
        let terms = bound_terms(&constants, &rates, inner, outer).unwrap();
        assert_eq!(terms[0].clone() * &terms[3] * q(4, 1), q(24, 5));
    }
}

/// s(θ_t(0) − θ_t(1)) and π_t's logits as a run has them.
#[derive(Default)]
struct Differences {
    logits: Vec<f64>,
    sum: f64,
}

struct Watch {
    s: f64,
    alpha: f64,
    seen: Differences,
}

impl Observer<f64> for Watch {
    fn outer_step(&mut self, step: &OuterStep<f64>) {
        let Self { s, alpha, seen } = self;
        seen.logits.push(*alpha * seen.sum);
        seen.sum += *s * (step.theta[0] - step.theta[1]);
    }
}

/// The recursion against runs, where s is small enough for something to happen: sequences that are random, constant, and such as push
/// the same way at every step. Doubles: a run takes 240 steps, so 2⁻³⁰ of the bound is far above their roundings.
#[test]
fn the_recursion_bounds_what_runs_do() {
    let (inner, outer) = (30, 8);
    let mut closest: f64 = 0.0;
    for s in [1_i64, 4, 32, 1024] {
        let (scale, exact) = (s as f64, q(s, 1));
        let constants = constants(&exact, &coverage_of(&exact), log_two().1);
        let squares = squared_rates(&constants, inner, outer).unwrap();
        let [alpha, eta, zeta] = [squares.alpha, squares.eta, squares.zeta].map(|square| square.to_f64().sqrt());
        let [alpha_exact, eta_exact] = [alpha, eta].map(|x| Q::from_f64(x).unwrap());
        let allowed = logit_bounds(&exact, &alpha_exact, &eta_exact, inner, outer);
        let features = [scale, 0.0, 0.0, scale];
        let table = FeatureTable::new(2, 2, &features).unwrap();
        let (radius_theta, radius_beta) = (1.0 / scale, 4.0 / (scale * scale));
        let parameters = Parameters { discount: 0.0, alpha, eta, zeta, radius_theta, radius_beta, inner };
        let algorithm = Algorithm::new(&table, None, &parameters).unwrap();
        for (seed, start) in (0..40_u64).flat_map(|seed| [-1.0, 0.0, 1.0].map(|start| (seed, start))) {
            let mut buffer = vec![0.0; State::<f64>::buffer_len(2, 2)];
            let mut state = State::new(2, 2, &mut buffer).unwrap();
            algorithm.start_at(&mut state, &[0.0; 2], &[start * radius_beta, 0.0]).unwrap();
            let mut watch = Watch { s: scale, alpha, seen: Differences::default() };
            let samples = (0..inner * outer).map(|i| {
                let a = action(seed, i as u64);
                Sample { x0: 0, x: 0, a, r: f64::from(u8::from(a == 0)), x_next: 0, u: 0.0 }
            });
            algorithm.run(&mut state, outer, samples, &mut watch).unwrap();
            for (t, (logit, allowed)) in watch.seen.logits.iter().zip(&allowed).enumerate() {
                let allowed = allowed.to_f64();
                let slack = allowed * 2f64.powi(-30);
                assert!(logit.abs() <= allowed + slack, "s = {s}, seed {seed}, t = {t}: {logit} above {allowed}");
                closest = closest.max(logit.abs() / allowed);
            }
            // The logits are those of the policy that the library computes.
            let mut policy = [0.0; 2];
            policy_table(2, &alpha, &features, state.theta_sum(), &mut policy).unwrap();
            let logit = alpha * watch.seen.sum;
            assert!((policy[0] - policy[1] - (logit / 2.0).tanh()).abs() < 1e-12);
        }
    }
    // Averages over k are half as far as the last step, and the projection shrinks them again.
    assert!(closest > 0.2, "what a run does is within a factor of 5 of the bound: {closest}");
}

/// Seed 0 takes action 0 throughout, seed 1 action 1, the others at random.
fn action(seed: u64, i: u64) -> usize {
    if seed < 2 {
        return seed as usize;
    }
    let mut x = (seed << 32 ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x >> 63) as usize
}

/// The printed n_ε of Theorems 3.2 and 5.3 under D_β = C_{φ,1}: 256·log 2/(s⁴ε⁴) and 256·log 2/(s²ε⁴). For every constant in the O(·)
/// there is an s that brings it below one sample.
#[test]
fn the_printed_sample_sizes_fall_below_one_sample() {
    let log = log_two().1;
    for epsilon in [q(1, 3), q(1, 100)] {
        let per_scale = q(256, 1) * &log / power(&epsilon, 4);
        for hidden in (0..=30).step_by(6).map(|n| power(&q(10, 1), n)) {
            // s² above the product brings 5.3 below one sample, and 3.2 with it.
            let s = root_above(&(per_scale.clone() * &hidden)) * q(2, 1);
            let coverage = coverage_of(&s);
            let constants = constants(&s, &coverage, log.clone());
            let of_3_2 = simplified_complexity(Exponent::One, 2, &constants, &epsilon).unwrap();
            assert_eq!(of_3_2, per_scale.clone() / power(&s, 4));
            assert!(hidden.clone() * of_3_2 < q(1, 1));
            let of_5_3 = printed_5_3(&constants, &epsilon);
            assert_eq!(of_5_3, per_scale.clone() / power(&s, 2));
            assert!(hidden.clone() * of_5_3 < q(1, 1));
            // With D_β = √C Theorem 3.2's n_ε does not depend on s.
            let corrected = Constants { beta_squared: coverage, ..constants };
            let of_3_2 = simplified_complexity(Exponent::One, 2, &corrected, &epsilon).unwrap();
            assert_eq!(of_3_2, per_scale.clone() / q(16, 1));
        }
    }
}

fn printed_5_3(constants: &Constants<Q>, epsilon: &Q) -> Q {
    let constants = average::Constants {
        log_actions: constants.log_actions.clone(),
        phi_squared: constants.phi_squared.clone(),
        theta_squared: constants.theta_squared.clone(),
        phi_theta: q(1, 1),
        beta_squared: constants.beta_squared.clone(),
        trace: constants.trace.clone(),
        norm: constants.norm.clone(),
    };
    offline_primal_dual::errata::theorem_5_3_complexity(Exponent::One, 2, &constants, epsilon).unwrap()
}

/// Without a sample the two rewards cannot be told apart, and whatever policy is chosen, the suboptimalities under them add up to 1:
/// one of them is at least 1/2. Both are affine in π, so two policies stand for all; a third tests the affinity.
#[test]
fn without_a_sample_one_of_two_rewards_costs_a_half() {
    let s = power(&q(10, 1), 9);
    for policy in [[q(1, 1), q(0, 1)], [q(0, 1), q(1, 1)], [q(2, 7), q(5, 7)]] {
        let lost = [0, 1].map(|good| suboptimality(&family(&s, good), good, &policy));
        assert_eq!(lost[0].clone() + &lost[1], q(1, 1));
        assert_eq!(lost[0], policy[1]);
    }
}

/// (10) as printed, in the place of the box's line.
struct AsPrinted {
    weight: Vec<f64>,
    beta: Vec<f64>,
}

impl lines::Lines<f64> for AsPrinted {
    fn weighted_beta(&mut self, weight: Option<&[f64]>, beta: &[f64], out: &mut [f64]) {
        self.beta = beta.to_vec();
        lines::Lines::weighted_beta(&mut lines::AsCorrected, weight, beta, out);
    }
}

impl Lines<f64> for AsPrinted {
    fn theta_gradient<'s>(
        &mut self,
        mean: &[f64],
        phi: &[f64],
        _w: &f64,
        scratch: &mut &'s mut [f64],
    ) -> offline_primal_dual::Result<&'s [f64]> {
        let gradient = take(scratch, phi.len())?;
        let product: f64 = phi.iter().zip(&self.beta).map(|(phi, beta)| phi * beta).sum();
        for (i, g) in gradient.iter_mut().enumerate() {
            *g = mean[i] - self.weight[i * phi.len() + i] * phi[i] * product;
        }
        Ok(gradient)
    }
}

/// π_t(0) of every t.
struct FirstAction(Vec<f64>);

impl Observer<f64> for FirstAction {
    fn outer_step(&mut self, step: &OuterStep<f64>) {
        self.0.push(step.policy_next[0]);
    }
}

/// The study of erratum 1 runs Algorithm 1: its policies are the box's, with either g̃_θ. Both go through 40·120 steps, with scales folded in, in doubles with
/// other orders of summation, on numbers of the order of 1 that the projections keep there: 10⁻⁹ is a million roundings.
#[test]
fn the_study_of_the_printed_estimator_runs_the_box() {
    use printed_estimator::{BEHAVIOR, Estimator, KAPPA, REWARD, Run, constants, draws};
    let (m, inner, outer) = (200, 120, 40);
    let d = m + 2;
    let constants = constants(m);
    let Rates { alpha, eta, zeta } =
        offline_primal_dual::paper::discounted::guarantee::rates(&constants, inner, outer).unwrap();
    let (radius_theta, radius_beta) = (constants.theta_squared.sqrt(), constants.beta_squared.sqrt());
    let parameters = Parameters { discount: 0.0, alpha, eta, zeta, radius_theta, radius_beta, inner };
    let mut features = vec![0.0; 2 * m * 2 * d];
    for (row, phi) in features.chunks_exact_mut(d).enumerate() {
        let (x, a) = (row / 2, row % 2);
        (phi[a], phi[2 + x / 2]) = (1.0, if x % 2 == 0 { KAPPA } else { -KAPPA });
    }
    let table = FeatureTable::new(2, d, &features).unwrap();
    let mut weight = vec![0.0; d * d];
    for i in 0..d {
        let mass = [BEHAVIOR, 1.0 - BEHAVIOR].get(i).copied().unwrap_or(KAPPA * KAPPA / m as f64);
        weight[i * d + i] = 1.0 / mass.sqrt();
    }
    let algorithm = Algorithm::new(&table, Some(&weight), &parameters).unwrap();
    let mut ends = Vec::new();
    for estimator in [Estimator::Printed, Estimator::Corrected] {
        let mut draw = draws(m, 3);
        let samples: Vec<_> = (0..inner * outer).map(|_| draw()).collect();
        let rows = samples.iter().map(|&(x0, x, a)| Sample { x0, x, a, r: [1.0, REWARD][a], x_next: 0, u: 0.0 });
        let mut buffer = vec![0.0; State::<f64>::buffer_len(2, d)];
        let mut state = State::new(2, d, &mut buffer).unwrap();
        // β₁ = (2, 2, 0, …), so that the steps are long from the start.
        let beta: Vec<f64> = (0..d).map(|i| if i < 2 { 2.0 } else { 0.0 }).collect();
        algorithm.start_at(&mut state, &vec![0.0; d], &beta).unwrap();
        let mut seen = FirstAction(Vec::new());
        match estimator {
            Estimator::Printed => {
                let mut lines = AsPrinted { weight: weight.clone(), beta: vec![] };
                algorithm.run_by(&mut lines, &mut state, outer, rows, &mut seen).unwrap();
            }
            Estimator::Corrected => algorithm.run(&mut state, outer, rows, &mut seen).unwrap(),
        }
        let (mut run, mut draw) = (Run::new(estimator, m, inner, outer).unwrap(), draws(m, 3));
        run.beta = beta;
        for (t, expected) in seen.0.iter().enumerate() {
            assert!((run.policy() - expected).abs() < 1e-9, "{estimator:?}, t = {t}: {} {expected}", run.policy());
            run.outer_iteration(&mut draw);
        }
        ends.push(seen.0.last().copied().unwrap());
    }
    assert!((ends[0] - ends[1]).abs() > 1e-3, "the two estimators differ: {ends:?}");
}
