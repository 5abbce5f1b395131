//! Algorithms 1 and 2 against the straight-line versions of `tests/straight`, and at their edges.

mod straight;

use offline_primal_dual::Error;
use offline_primal_dual::fast;
use offline_primal_dual::linear::softmax;
use offline_primal_dual::number::exponential::exp;
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::average_reward::estimators as average_estimators;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::discounted::estimators;
use offline_primal_dual::paper::lines::AsCorrected;
use offline_primal_dual::paper::output::OutputPolicy;
use offline_primal_dual::paper::samples::{FeatureMap, FeatureTable, Sample};
use straight::{After, Problem, algorithm_1, algorithm_2};

/// A small linear congruential generator: the tests need variety, not quality.
struct Numbers(u64);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }
}

fn problem(seed: u64, states: usize, actions: usize, dim: usize, n: usize) -> Problem {
    let mut numbers = Numbers(seed);
    let features = (0..states * actions * dim).map(|_| 2.0 * numbers.unit() - 1.0).collect();
    let samples = (0..n)
        .map(|_| Sample {
            x0: numbers.below(states),
            x: numbers.below(states),
            a: numbers.below(actions),
            r: numbers.unit(),
            x_next: numbers.below(states),
            u: numbers.unit(),
        })
        .collect();
    Problem { actions, dim, features, samples }
}

const DISCOUNTED: discounted::Parameters<f64> = discounted::Parameters {
    discount: 0.75,
    alpha: 0.3,
    eta: 0.2,
    zeta: 0.6,
    radius_theta: 0.7,
    radius_beta: 0.9,
    inner: 5,
};

const AVERAGE: average::Parameters<f64> =
    average::Parameters { alpha: 0.3, eta: 0.2, zeta: 0.6, xi: 0.4, radius_theta: 0.7, radius_beta: 0.9, inner: 4 };

impl Problem {
    fn table(&self) -> FeatureTable<'_, f64> {
        FeatureTable::new(self.actions, self.dim, &self.features).unwrap()
    }

    /// A symmetric positive matrix to stand for Λ^{−1/2}.
    fn weight(&self) -> Vec<f64> {
        let d = self.dim;
        (0..d * d).map(|i| if i / d == i % d { 1.5 } else { 0.25 / (1.0 + (i / d + i % d) as f64) }).collect()
    }

    /// (θ_T, β_{T+1}, Σθ) of Algorithm 1.
    fn run(&self, weight: Option<&[f64]>, parameters: &discounted::Parameters<f64>, outer: usize) -> [Vec<f64>; 3] {
        let mut buffer = vec![f64::NAN; discounted::State::<f64>::buffer_len(self.actions, self.dim)];
        let mut state = discounted::State::new(self.actions, self.dim, &mut buffer).unwrap();
        let table = self.table();
        let algorithm = discounted::Algorithm::new(&table, weight, parameters).unwrap();
        algorithm.run(&mut state, outer, self.samples.iter().copied(), &mut ()).unwrap();
        [state.theta().to_vec(), state.beta().to_vec(), state.theta_sum().to_vec()]
    }

    /// (θ_T, β_{T+1}, Σθ, [ρ_T]) of Algorithm 2.
    fn run_average(
        &self,
        weight: Option<&[f64]>,
        parameters: &average::Parameters<f64>,
        outer: usize,
    ) -> [Vec<f64>; 4] {
        let mut buffer = vec![f64::NAN; average::State::<f64>::buffer_len(self.actions, self.dim)];
        let mut state = average::State::new(self.actions, self.dim, &mut buffer).unwrap();
        let table = self.table();
        let algorithm = average::Algorithm::new(&table, weight, parameters).unwrap();
        algorithm.run(&mut state, outer, self.samples.iter().copied(), &mut ()).unwrap();
        [state.theta().to_vec(), state.beta().to_vec(), state.theta_sum().to_vec(), vec![*state.rho()]]
    }
}

fn bits(vectors: &[Vec<f64>]) -> Vec<Vec<u64>> {
    vectors.iter().map(|v| v.iter().map(|x| x.to_bits()).collect()).collect()
}

/// Every shape around the kernels' block sizes (4 rows, 8 lanes, 64 numbers), both c: the same bits as the straight-line versions.
#[test]
fn both_algorithms_are_their_boxes_bit_for_bit() {
    for (actions, dim) in [(1, 1), (2, 3), (3, 8), (4, 4), (4, 16), (5, 7), (6, 20), (8, 9), (9, 33), (4, 64), (3, 77)]
    {
        let p = problem(7 + dim as u64, 6, actions, dim, 60);
        let matrix = p.weight();
        let last = |mut steps: Vec<After>| steps.pop().unwrap();
        for weight in [None, Some(&matrix[..])] {
            let After { theta, beta, sum, .. } = last(algorithm_1(&p, weight, &DISCOUNTED, 12));
            let found = p.run(weight, &DISCOUNTED, 12);
            assert_eq!(bits(&found), bits(&[theta, beta, sum]), "Algorithm 1, |A| = {actions}, d = {dim}");
            let After { theta, beta, sum, rho } = last(algorithm_2(&p, weight, &AVERAGE, 12));
            let found = p.run_average(weight, &AVERAGE, 12);
            assert_eq!(bits(&found), bits(&[theta, beta, sum, vec![rho]]), "Algorithm 2, |A| = {actions}, d = {dim}");
        }
    }
}

/// What the observer sees is what the named estimators compute.
#[derive(Default)]
struct Compare {
    weighted_beta: Vec<f64>,
    seen: usize,
    features: Vec<f64>,
    actions: usize,
}

impl Compare {
    fn rows(&self, x: usize) -> &[f64] {
        let width = self.actions * self.weighted_beta.len();
        &self.features[x * width..][..width]
    }
}

impl discounted::Observer<f64> for Compare {
    fn begin_outer(&mut self, _t: usize, _theta: &[f64], _beta: &[f64], weighted_beta: &[f64], _sum: &[f64]) {
        self.weighted_beta = weighted_beta.to_vec();
    }

    fn inner_step(&mut self, step: &discounted::InnerStep<f64>) {
        let visit = estimators::Visit {
            phi: step.phi,
            start: self.rows(step.sample.x0),
            next: self.rows(step.sample.x_next),
            policy_start: step.policy_start,
            policy_next: step.policy_next,
        };
        let (mut g, mut scratch) = (vec![0.0; step.phi.len()], vec![0.0; 2 * self.actions + step.phi.len()]);
        let discount = &DISCOUNTED.discount;
        estimators::theta_gradient_estimate(discount, &visit, &self.weighted_beta, &mut g, &mut scratch).unwrap();
        assert_eq!(g, step.gradient);
        self.seen += 1;
    }

    fn outer_step(&mut self, step: &discounted::OuterStep<f64>) {
        let (mut g, mut scratch) = (vec![0.0; step.phi.len()], vec![0.0; self.actions]);
        let rows = self.rows(step.sample.x_next);
        let v = estimators::value_estimate(rows, step.policy_next, step.theta, &mut scratch).unwrap();
        let delta = estimators::td_error(&DISCOUNTED.discount, &step.sample.r, &v, step.phi, step.theta).unwrap();
        estimators::beta_gradient_estimate(None, step.phi, &delta, &mut g).unwrap();
        assert_eq!((&v, &delta, &g[..]), (step.value_next, step.td_error, step.gradient));
        self.seen += 1;
    }
}

impl average::Observer<f64> for Compare {
    fn begin_outer(&mut self, _t: usize, _theta: &[f64], _rho: &f64, _beta: &[f64], weighted: &[f64], _sum: &[f64]) {
        self.weighted_beta = weighted.to_vec();
    }

    fn inner_step(&mut self, step: &average::InnerStep<f64>) {
        let mut g = vec![0.0; step.phi.len()];
        let weighted = &self.weighted_beta;
        average_estimators::theta_gradient_estimate(step.phi, step.phi_next, weighted, &mut g).unwrap();
        assert_eq!(g, step.gradient);
        assert_eq!(average_estimators::rho_gradient_estimate(step.phi, weighted), Ok(*step.gradient_rho));
        assert_eq!(softmax::inverse_cdf(step.policy_next, &step.sample.u), Ok(step.a_next));
        self.seen += 1;
    }

    fn outer_step(&mut self, step: &average::OuterStep<f64>) {
        let mut g = vec![0.0; step.phi.len()];
        let (r, v) = (&step.sample.r, step.value_next);
        let delta = average_estimators::td_error(r, v, step.phi, step.theta, step.rho).unwrap();
        average_estimators::beta_gradient_estimate(None, step.phi, &delta, &mut g).unwrap();
        assert_eq!((&delta, &g[..]), (step.td_error, step.gradient));
        self.seen += 1;
    }
}

#[test]
fn observed_intermediates_are_the_named_estimators() {
    let p = problem(21, 5, 3, 11, 60);
    let table = p.table();
    let mut seen = Compare { features: p.features.clone(), actions: p.actions, ..Compare::default() };
    let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(p.actions, p.dim)];
    let mut state = discounted::State::new(p.actions, p.dim, &mut buffer).unwrap();
    let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
    algorithm.run(&mut state, 12, p.samples.iter().copied(), &mut seen).unwrap();
    let mut buffer = vec![0.0; average::State::<f64>::buffer_len(p.actions, p.dim)];
    let mut state = average::State::new(p.actions, p.dim, &mut buffer).unwrap();
    let algorithm = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
    algorithm.run(&mut state, 12, p.samples.iter().copied(), &mut seen).unwrap();
    assert_eq!(seen.seen, 120);
}

/// c = 1 and c = 1/2 coincide exactly when Λ = I.
#[test]
fn identity_covariance_makes_the_two_c_coincide() {
    let p = problem(5, 4, 3, 10, 100);
    let identity: Vec<f64> = (0..100).map(|i| f64::from(u8::from(i / 10 == i % 10))).collect();
    assert_eq!(p.run(None, &DISCOUNTED, 20), p.run(Some(&identity), &DISCOUNTED, 20));
    assert_eq!(p.run_average(None, &AVERAGE, 20), p.run_average(Some(&identity), &AVERAGE, 20));
    assert_ne!(p.run(None, &DISCOUNTED, 20), p.run(Some(&p.weight()), &DISCOUNTED, 20));
}

#[test]
fn a_run_in_blocks_is_the_run() {
    let p = problem(13, 4, 2, 6, 60);
    let table = p.table();
    let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
    let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(2, 6)];
    let mut state = discounted::State::new(2, 6, &mut buffer).unwrap();
    for block in p.samples.chunks(3 * DISCOUNTED.inner) {
        algorithm.run(&mut state, 3, block.iter().copied(), &mut ()).unwrap();
    }
    assert_eq!((state.t(), state.k(), state.used()), (12, 0, 60));
    assert_eq!(p.run(None, &DISCOUNTED, 12)[0], state.theta());

    // What is missing is counted from the beginning of the run, not of the state; for an inner and for an outer step.
    for found in [3, 4] {
        let block = p.samples[..found].iter().copied();
        let missing = Error::Length { what: "samples", expected: DISCOUNTED.inner, found };
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(2, 6)];
        let mut state = discounted::State::new(2, 6, &mut buffer).unwrap();
        algorithm.run(&mut state, 2, p.samples.iter().copied(), &mut ()).unwrap();
        assert_eq!(algorithm.run(&mut state, 1, block, &mut ()), Err(missing));
        assert_eq!((state.t(), state.k()), (3, 1 + found));
    }
    let average = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
    let mut buffer = vec![0.0; average::State::<f64>::buffer_len(2, 6)];
    let mut state = average::State::new(2, 6, &mut buffer).unwrap();
    for block in p.samples.chunks(3 * (AVERAGE.inner + 1)) {
        average.run(&mut state, 3, block.iter().copied(), &mut ()).unwrap();
    }
    assert_eq!((state.t(), state.i(), state.used()), (12, 0, 60));
    assert_eq!(p.run_average(None, &AVERAGE, 12)[0], state.theta());
    for found in [3, 4] {
        let block = p.samples[..found].iter().copied();
        let missing = Error::Length { what: "samples", expected: AVERAGE.inner + 1, found };
        let mut buffer = vec![0.0; average::State::<f64>::buffer_len(2, 6)];
        let mut state = average::State::new(2, 6, &mut buffer).unwrap();
        average.run(&mut state, 2, p.samples.iter().copied(), &mut ()).unwrap();
        assert_eq!(average.run(&mut state, 1, block, &mut ()), Err(missing));
        assert_eq!((state.t(), state.i()), (3, 1 + found));
    }
}

/// π_J as the observer keeps it is Σθ of a run of J − 1 outer iterations, for every J; and its refusals.
#[test]
fn the_output_policy_is_the_policy_of_a_shorter_run() {
    let p = problem(17, 4, 3, 5, 60);
    let table = p.table();
    let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
    let average = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
    for index in 1..=12 {
        let mut kept = [[f64::NAN; 5]; 2];
        let [a, b] = kept.each_mut().map(|kept| OutputPolicy::new(index, kept).unwrap());
        let (mut a, mut b) = (a, b);
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(3, 5)];
        let mut state = discounted::State::new(3, 5, &mut buffer).unwrap();
        assert!(a.theta_sum().is_err(), "before the run");
        algorithm.run(&mut state, 12, p.samples.iter().copied(), &mut a).unwrap();
        assert_eq!(a.theta_sum().unwrap(), p.run(None, &DISCOUNTED, index - 1)[2], "Algorithm 1, J = {index}");
        let mut state = average::State::new(3, 5, &mut buffer).unwrap();
        average.run(&mut state, 12, p.samples.iter().copied(), &mut b).unwrap();
        assert_eq!(b.theta_sum().unwrap(), p.run_average(None, &AVERAGE, index - 1)[2], "Algorithm 2, J = {index}");
    }
    assert!(OutputPolicy::new(0, &mut [0.0; 5]).is_err());
    for (index, room) in [(13, 5), (1, 4), (1, 6)] {
        let mut room = vec![0.0; room];
        let mut kept = OutputPolicy::new(index, &mut room).unwrap();
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(3, 5)];
        let mut state = discounted::State::new(3, 5, &mut buffer).unwrap();
        algorithm.run(&mut state, 12, p.samples.iter().copied(), &mut kept).unwrap();
        assert!(kept.theta_sum().is_err(), "J = {index}");
    }
}

/// Wrong data is an error that says where, never a panic.
#[test]
fn wrong_data_is_refused() {
    let p = problem(17, 4, 2, 6, 60);
    let table = p.table();
    let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
    let run = |change: &dyn Fn(&mut Vec<Sample<f64>>)| {
        let mut samples = p.samples.clone();
        change(&mut samples);
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(2, 6)];
        let mut state = discounted::State::new(2, 6, &mut buffer).unwrap();
        algorithm.run(&mut state, 12, samples.iter().copied(), &mut ())
    };
    assert_eq!(run(&|_| ()), Ok(()));
    assert_eq!(run(&|s| s[7].x0 = 4), Err(Error::UnknownState { what: "x0", state: 4, row: 7 }));
    assert_eq!(
        run(&|s| s[4].x_next = usize::MAX),
        Err(Error::UnknownState { what: "x_next", state: usize::MAX, row: 4 })
    );
    assert_eq!(run(&|s| s[3].a = usize::MAX), Err(Error::Index { what: "a", index: usize::MAX, below: 2 }));
    assert_eq!(run(&|s| s[12].r = f64::NAN), Err(Error::NotFinite { what: "r", index: 12 }));
    assert_eq!(run(&|s| s[9].r = f64::INFINITY), Err(Error::NotFinite { what: "r", index: 9 }));
    assert_eq!(run(&|s| s.truncate(33)), Err(Error::Length { what: "samples", expected: 60, found: 33 }));
    assert_eq!(run(&|s| s[9].r = 1e100), Ok(()), "a huge reward is projected away");
    assert_eq!(run(&|s| s[9].r = 1e200), Err(Error::Diverged { t: 2, k: 0, what: "beta" }), "unless ‖β‖² overflows");

    let average = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
    let run = |change: &dyn Fn(&mut Vec<Sample<f64>>)| {
        let mut samples = p.samples.clone();
        change(&mut samples);
        let mut buffer = vec![0.0; average::State::<f64>::buffer_len(2, 6)];
        let mut state = average::State::new(2, 6, &mut buffer).unwrap();
        average.run(&mut state, 12, samples.iter().copied(), &mut ())
    };
    assert_eq!(run(&|s| s[7].x0 = 4), Ok(()), "Algorithm 2 does not read x0");
    for u in [1.0, -0.1, f64::NAN] {
        assert_eq!(run(&|s| s[6].u = u), Err(Error::OutOfRange { what: "u", index: 6, expected: "0 <= u < 1" }));
    }
    for row in [8, 9, 11] {
        assert_eq!(run(&|s| s[row].r = f64::NAN), Err(Error::NotFinite { what: "r", index: row }));
    }
    assert_eq!(run(&|s| s[7].x = 4), Err(Error::UnknownState { what: "x", state: 4, row: 7 }));
}

#[test]
fn wrong_parameters_and_shapes_are_refused() {
    let p = problem(19, 4, 2, 6, 60);
    let table = p.table();
    let refused = |change: &dyn Fn(&mut discounted::Parameters<f64>)| {
        let mut parameters = DISCOUNTED;
        change(&mut parameters);
        discounted::Algorithm::new(&table, None, &parameters).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|p| p.discount = 1.0));
    assert!(refused(&|p| p.alpha = f64::NAN));
    assert!(refused(&|p| p.eta = -0.1));
    assert!(refused(&|p| p.zeta = f64::INFINITY));
    assert!(refused(&|p| p.radius_theta = 0.0));
    assert!(refused(&|p| p.radius_beta = f64::INFINITY));
    assert!(refused(&|p| p.radius_beta = 1e-200), "its square is zero");
    assert!(refused(&|p| p.inner = 0));
    assert!(discounted::Algorithm::new(&table, Some(&[1.0; 35]), &DISCOUNTED).is_err());
    assert!(discounted::Algorithm::new(&table, Some(&[f64::NAN; 36]), &DISCOUNTED).is_err());
    assert!(FeatureTable::new(2, 6, &p.features[1..]).is_err());
    assert!(FeatureTable::new(usize::MAX, 2, &p.features).is_err());
    assert!(FeatureTable::new(0, 6, &p.features).is_err());

    let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
    assert!(discounted::State::<f64>::new(2, 6, &mut vec![0.0; 55]).is_err());
    assert_eq!(discounted::State::<f64>::buffer_len(2, 6), 56, "8 vectors of d, 4 of |A|");
    let mut buffer = vec![0.0; 56];
    let mut state = discounted::State::new(2, 6, &mut buffer).unwrap();
    let s = p.samples[0];
    let lines = &mut AsCorrected;
    assert!(algorithm.inner_step(lines, &mut state, &s, &mut ()).is_err(), "no outer iteration was begun");
    assert!(algorithm.start_at(&mut state, &[1.0; 6], &[0.0; 6]).is_err(), "outside the ball");
    algorithm.start_at(&mut state, &[0.1; 6], &[-0.1; 6]).unwrap();
    algorithm.begin_outer(lines, &mut state, &mut ()).unwrap();
    assert!(algorithm.begin_outer(lines, &mut state, &mut ()).is_err());
    assert!(algorithm.run(&mut state, 1, [s; 5], &mut ()).is_err(), "an outer iteration is under way");
    assert!(fast::discounted::run(&algorithm, &mut state, 1, [s; 5], &mut ()).is_err());
    for _ in 1..DISCOUNTED.inner {
        algorithm.inner_step(lines, &mut state, &s, &mut ()).unwrap();
    }
    assert!(algorithm.inner_step(lines, &mut state, &s, &mut ()).is_err(), "K − 1 inner steps were taken");
    let mut buffer = vec![0.0; 100];
    let mut other = discounted::State::new(2, 7, &mut buffer).unwrap();
    assert!(algorithm.begin_outer(lines, &mut other, &mut ()).is_err());
    assert!(fast::discounted::run(&algorithm, &mut other, 1, [s; 5], &mut ()).is_err());
}

#[test]
fn algorithm_2_refuses_them_too() {
    let p = problem(19, 4, 2, 6, 60);
    let table = p.table();
    let refused = |change: &dyn Fn(&mut average::Parameters<f64>)| {
        let mut parameters = AVERAGE;
        change(&mut parameters);
        average::Algorithm::new(&table, None, &parameters).is_err()
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|p| p.alpha = f64::NAN));
    assert!(refused(&|p| p.eta = -0.1));
    assert!(refused(&|p| p.zeta = f64::INFINITY));
    assert!(refused(&|p| p.xi = -1.0));
    assert!(refused(&|p| p.radius_theta = 0.0));
    assert!(refused(&|p| p.radius_beta = f64::INFINITY));
    assert!(refused(&|p| p.inner = 0));
    assert!(average::Algorithm::new(&table, Some(&[1.0; 35]), &AVERAGE).is_err());
    assert!(average::Algorithm::new(&table, Some(&[f64::NAN; 36]), &AVERAGE).is_err());
    let empty = FeatureTable::<f64>::new(2, 6, &[]).unwrap();
    assert!(average::Algorithm::new(&empty, None, &AVERAGE).is_ok(), "no state is known; a sample will say so");

    let algorithm = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
    assert_eq!(average::State::<f64>::buffer_len(2, 6), 52, "8 vectors of d, 2 of |A|");
    assert!(average::State::<f64>::new(2, 6, &mut vec![0.0; 51]).is_err());
    let mut buffer = vec![0.0; 52];
    let mut state = average::State::new(2, 6, &mut buffer).unwrap();
    let s = p.samples[0];
    let lines = &mut AsCorrected;
    assert!(algorithm.inner_step(lines, &mut state, &s, &mut ()).is_err(), "no outer iteration was begun");
    assert!(algorithm.start_at(&mut state, &[1.0; 6], 0.5, &[0.0; 6]).is_err(), "outside the ball");
    assert!(algorithm.start_at(&mut state, &[0.0; 6], 0.5, &[1.0; 6]).is_err());
    assert!(algorithm.start_at(&mut state, &[0.0; 5], 0.5, &[0.0; 6]).is_err());
    for rho in [-0.1, 1.1, f64::NAN] {
        assert!(algorithm.start_at(&mut state, &[0.0; 6], rho, &[0.0; 6]).is_err(), "{rho}");
    }
    algorithm.start_at(&mut state, &[0.1; 6], 1.0, &[-0.1; 6]).unwrap();
    assert_eq!((*state.rho(), state.theta(), state.beta()), (1.0, &[0.1; 6][..], &[-0.1; 6][..]));
    algorithm.begin_outer(lines, &mut state, &mut ()).unwrap();
    assert!(algorithm.begin_outer(lines, &mut state, &mut ()).is_err());
    assert!(algorithm.run(&mut state, 1, [s; 5], &mut ()).is_err(), "an outer iteration is under way");
    assert!(fast::average_reward::run(&algorithm, &mut state, 1, [s; 5], &mut ()).is_err());
    assert!(algorithm.start_at(&mut state, &[0.1; 6], 1.0, &[-0.1; 6]).is_err(), "too late");
    for _ in 0..AVERAGE.inner {
        algorithm.inner_step(lines, &mut state, &s, &mut ()).unwrap();
    }
    assert!(algorithm.inner_step(lines, &mut state, &s, &mut ()).is_err(), "K inner steps were taken");
    for (actions, dim) in [(2, 7), (3, 6)] {
        let mut buffer = vec![0.0; average::State::<f64>::buffer_len(actions, dim)];
        let mut other = average::State::new(actions, dim, &mut buffer).unwrap();
        assert!(algorithm.begin_outer(lines, &mut other, &mut ()).is_err(), "a state of another shape");
        assert!(fast::average_reward::run(&algorithm, &mut other, 1, [s; 5], &mut ()).is_err());
        assert!(algorithm.start_at(&mut other, &[0.1; 6], 1.0, &[-0.1; 6]).is_err());
    }
}

/// A feature map that computes; it has no table and no |X|.
struct Computed(Vec<Vec<f64>>);

impl FeatureMap<f64> for Computed {
    fn actions(&self) -> usize {
        2
    }

    fn dim(&self) -> usize {
        6
    }

    fn state(&self, x: usize) -> Option<&[f64]> {
        self.0.get(x).map(Vec::as_slice)
    }
}

#[test]
fn any_feature_map_will_do_and_a_wrong_one_is_an_error() {
    let p = problem(23, 4, 2, 6, 60);
    let mut map = Computed(p.features.chunks(12).map(<[f64]>::to_vec).collect());
    let run = |map: &Computed| {
        let algorithm = discounted::Algorithm::new(map, None, &DISCOUNTED)?;
        let mut buffer = vec![0.0; 56];
        let mut state = discounted::State::new(2, 6, &mut buffer)?;
        algorithm.run(&mut state, 12, p.samples.iter().copied(), &mut ())?;
        Ok(state.theta().to_vec())
    };
    assert_eq!(run(&map), Ok(p.run(None, &DISCOUNTED, 12)[0].clone()));
    map.0[2].pop();
    assert!(matches!(run(&map), Err(Error::Length { expected: 12, found: 11, .. })));
    map.0[2].push(f64::NAN);
    assert!(matches!(run(&map), Err(Error::Diverged { what: "theta", .. })), "{:?}", run(&map));
}

/// A table of policies is its rows; zero is a probability, −0.1 is none; the sum may be off by 2|A| + 2 roundings and no more.
#[test]
fn policies_are_tables_of_distributions() {
    let p = problem(29, 5, 3, 4, 1);
    let sum = [0.4, -0.2, 1.1, 0.3];
    let mut table = vec![0.0; 15];
    softmax::policy_table(3, &0.7, &p.features, &sum, &mut table).unwrap();
    for (x, row) in table.chunks_exact(3).enumerate() {
        assert_eq!(row, p.policy(0.7, &sum, x), "state {x}");
    }
    assert!(softmax::on_simplex(&[0.0, 1.0]) && !softmax::on_simplex(&[-0.1, 1.1]));
    for actions in 1..=5u32 {
        let mut policy = vec![0.0; actions as usize];
        policy[0] = 1.0 + f64::from(actions + 1) * f64::EPSILON;
        assert!(softmax::on_simplex(&policy), "2|A| + 2 times 2⁻⁵³");
        policy[0] += f64::EPSILON;
        assert!(!softmax::on_simplex(&policy), "|A| = {actions}");
    }
}

/// The slacks are the counts of roundings that `proofs/gappa/README.md` derives: a point on the edge of what they allow is
/// within, its neighbour is not. Zeros of either sign lie in [0, 1] and stay as they are.
#[test]
fn projections_allow_the_derived_slack_and_no_more() {
    use offline_primal_dual::linear::projection::{
        average_within_ball, norm_slack, project_unit_interval, within_ball,
    };
    use offline_primal_dual::number::Field;
    for dim in [1, 8, 9, 17, 64] {
        let blocks = dim / 8 + usize::from(dim % 8 != 0);
        assert_eq!(norm_slack::<f64>(dim), f64::rounding(blocks + 10));
        let mut y = vec![0.0; dim];
        y[dim - 1] = 1.0 + f64::rounding(blocks + 10);
        assert!(within_ball(&y, &1.0));
        y[dim - 1] = y[dim - 1].next_up();
        assert!(!within_ball(&y, &1.0), "d = {dim}");
        for count in [1, 5, 100] {
            y[dim - 1] = 1.0 + f64::rounding(blocks + 12 + count);
            assert!(average_within_ball(&y, count, &1.0));
            y[dim - 1] = y[dim - 1].next_up();
            assert!(!average_within_ball(&y, count, &1.0), "d = {dim}, K = {count}");
        }
    }
    for (y, projected) in [(-0.5, 0.0), (-0.0, -0.0), (0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.5, 1.0)] {
        assert_eq!(project_unit_interval::<f64>(y).map(f64::to_bits), Ok(f64::to_bits(projected)), "{y}");
    }
}

/// At both ends of the range of doubles: a radius is refused, or its projections keep within the ball. In a debug build, as this one, the
/// projection itself asserts it.
#[test]
fn a_radius_is_refused_or_its_projections_stay_within() {
    use offline_primal_dual::linear::projection::{project_ball, validate_radius, within_ball};
    let (mut accepted, mut refused) = (0, 0);
    for exponent in (-545..=-470).chain(-3..3).chain(500..=513) {
        for factor in [1.0, 1.1, std::f64::consts::SQRT_2, 1.999_999] {
            let radius = 2_f64.powi(exponent) * factor;
            if validate_radius("radius", &radius).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            for dim in [1, 2, 3, 7, 30] {
                for size in [radius * 1.5, radius * 1e3, 1.0, 1e150, 1.3e154 / f64::from(dim).sqrt()] {
                    let mut y: Vec<f64> = (0..dim).map(|i| size * (1.0 - f64::from(i) / 97.0)).collect();
                    if project_ball(&mut y, &radius).is_ok() {
                        assert!(within_ball(&y, &radius), "D = {radius:e}, d = {dim}, size {size:e}");
                        assert!(size <= radius || y[0] > 0.9 * radius / f64::from(dim).sqrt(), "D = {radius:e}");
                    }
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 200, "{accepted} and {refused}");
    // Exact scalars do not round, so nothing but overflow is in the way.
    let smallest = offline_primal_dual::number::rational::Rational64::new(1, 1 << 30);
    assert_eq!(validate_radius("radius", &smallest.unwrap()), Ok(()));
}

#[test]
fn draws_follow_the_cumulative_probabilities() {
    let policy = [0.25, 0.0, 0.5, 0.25];
    for (u, a) in [(0.0, 0), (0.2499, 0), (0.25, 2), (0.7499, 2), (0.75, 3), (1.0 - f64::EPSILON / 2.0, 3)] {
        assert_eq!(softmax::inverse_cdf(&policy, &u), Ok(a));
    }
    // A sum that rounding kept below u: the last action that can be drawn at all.
    assert_eq!(softmax::inverse_cdf(&[0.5, 0.5 - f64::EPSILON, 0.0], &(1.0 - f64::EPSILON / 2.0)), Ok(1));
    assert!(softmax::inverse_cdf(&policy, &1.0).is_err());
    assert!(softmax::inverse_cdf::<f64>(&[], &0.5).is_err());
}

/// Against the exact Taylor series on [−1, 1], whose 30 terms leave out less than 2⁻¹⁰⁰, and over the whole range against
/// libm, whose own error is below 1 unit in the last place: the two are at most 2 apart.
#[cfg(feature = "exact")]
#[test]
fn the_exponential_is_within_1_1_units_in_the_last_place() {
    use offline_primal_dual::number::Field;
    use offline_primal_dual::number::exact::BigRational;
    let mut numbers = Numbers(1);
    let mut worst = 0.0f64;
    for _ in 0..500 {
        let x = 2.0 * numbers.unit() - 1.0;
        let (mut sum, mut term) = (BigRational::one(), BigRational::one());
        for k in 1..30 {
            term = term * BigRational::from_f64(x).unwrap() / BigRational::from_int(k);
            sum += term.clone();
        }
        let found = exp(x);
        let ulp = BigRational::from_f64(f64::from_bits(found.to_bits() + 1) - found).unwrap();
        let error = (BigRational::from_f64(found).unwrap() - sum) / ulp;
        worst = worst.max(error.to_f64().abs());
    }
    assert!(worst < 1.1, "{worst}");
    for _ in 0..100_000 {
        let x = 1460.0 * numbers.unit() - 750.0;
        let (found, reference) = (exp(x).to_bits(), libm::exp(x).to_bits());
        assert!(found.abs_diff(reference) <= 2, "exp({x:e})");
    }
    assert_eq!([exp(0.0), exp(-0.0), exp(710.0), exp(f64::INFINITY)], [1.0, 1.0, f64::INFINITY, f64::INFINITY]);
    assert_eq!([exp(-746.0), exp(f64::NEG_INFINITY), exp(-745.0)], [0.0, 0.0, 5e-324]);
    assert!(exp(f64::NAN).is_nan());
}

#[test]
fn softmax_survives_large_arguments() {
    let mut z = [1000.0, 1001.0, -1e300];
    softmax::softmax(&mut z).unwrap();
    let e = exp(-1.0);
    assert_eq!(z, [e / (e + 1.0), 1.0 / (e + 1.0), 0.0]);
    assert!(softmax::softmax(&mut [f64::INFINITY, 0.0]).is_err());
    assert!(softmax::softmax::<f64>(&mut []).is_err());
}
