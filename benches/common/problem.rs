//! A random problem, the same for every implementation that is timed.

use offline_primal_dual::fast::{self, aligned::Aligned};
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::{FeatureTable, Sample};

/// (|A|, d).
pub const SHAPES: [(usize, usize); 9] =
    [(4, 4), (4, 7), (4, 16), (4, 20), (4, 33), (4, 64), (4, 77), (4, 256), (16, 64)];
const STATES: usize = 64;
const DISCOUNTED: discounted::Parameters<f64> = discounted::Parameters {
    discount: 0.9,
    alpha: 0.01,
    eta: 0.01,
    zeta: 0.05,
    radius_theta: 10.0,
    radius_beta: 5.0,
    inner: 100,
};

const AVERAGE: average::Parameters<f64> = average::Parameters {
    alpha: 0.01,
    eta: 0.01,
    zeta: 0.05,
    xi: 0.05,
    radius_theta: 10.0,
    radius_beta: 5.0,
    inner: 99,
};

/// The same data as `peer.c` and `peer.py`: one linear congruential generator, features first. They start on a cache line, as in
/// the program `opd`.
pub struct Problem {
    pub actions: usize,
    pub dim: usize,
    pub features: Aligned,
    pub samples: Vec<Sample<f64>>,
}

impl Problem {
    pub fn new(actions: usize, dim: usize, n: usize) -> Self {
        let mut seed = 1u64;
        let mut unit = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / 9_007_199_254_740_992.0
        };
        let root = (dim as f64).sqrt();
        let mut features = Aligned::zeros(STATES * actions * dim).unwrap();
        features.fill_with(|| (2.0 * unit() - 1.0) / root);
        let sample = |_| Sample {
            x0: (unit() * STATES as f64) as usize,
            x: (unit() * STATES as f64) as usize,
            a: (unit() * actions as f64) as usize,
            r: unit(),
            x_next: (unit() * STATES as f64) as usize,
            u: unit(),
        };
        Self { actions, dim, features, samples: (0..n).map(sample).collect() }
    }

    pub fn run_discounted(&self, buffer: &mut [f64]) -> f64 {
        self.run_on(1, DISCOUNTED.inner, buffer)
    }

    pub fn run_on(&self, threads: usize, inner: usize, buffer: &mut [f64]) -> f64 {
        let parameters = discounted::Parameters { inner, ..DISCOUNTED };
        let table = FeatureTable::new(self.actions, self.dim, &self.features).unwrap();
        let mut state = discounted::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = discounted::Algorithm::new(&table, None, &parameters).unwrap();
        let (outer, samples) = (self.samples.len() / inner, self.samples.iter().copied());
        fast::discounted::run_on(threads, &algorithm, &mut state, outer, samples, &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }

    pub fn run_average(&self, buffer: &mut [f64]) -> f64 {
        let table = FeatureTable::new(self.actions, self.dim, &self.features).unwrap();
        let mut state = average::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
        let (outer, samples) = (self.samples.len() / 100, self.samples.iter().copied());
        fast::average_reward::run(&algorithm, &mut state, outer, samples, &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }
}

/// Room for the iterates.
pub fn buffer(actions: usize, dim: usize) -> Aligned {
    Aligned::zeros(discounted::State::<f64>::buffer_len(actions, dim)).unwrap()
}
