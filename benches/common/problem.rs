//! A random problem, the same for every implementation that is timed.

use offline_primal_dual::fast::{self, aligned::Aligned};
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::{FeatureMap, Sample};

/// (|A|, d).
pub const SHAPES: [(usize, usize); 9] =
    [(4, 4), (4, 7), (4, 16), (4, 20), (4, 33), (4, 64), (4, 77), (4, 256), (16, 64)];
pub const STATES: usize = 64;
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
        Self::with_states(STATES, actions, dim, n)
    }

    /// With more states, so that few of them come twice in an outer iteration. The peers have [`STATES`] unless told.
    pub fn with_states(states: usize, actions: usize, dim: usize, n: usize) -> Self {
        let mut seed = 1u64;
        let mut unit = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / 9_007_199_254_740_992.0
        };
        let root = (dim as f64).sqrt();
        let mut features = Aligned::zeros(states * actions * dim).unwrap();
        features.fill_with(|| (2.0 * unit() - 1.0) / root);
        let sample = |_| Sample {
            x0: (unit() * states as f64) as usize,
            x: (unit() * states as f64) as usize,
            a: (unit() * actions as f64) as usize,
            r: unit(),
            x_next: (unit() * states as f64) as usize,
            u: unit(),
        };
        Self { actions, dim, features, samples: (0..n).map(sample).collect() }
    }

    pub fn run_discounted(&self, buffer: &mut [f64]) -> f64 {
        self.run_on(1, DISCOUNTED.inner, buffer)
    }

    pub fn run_on(&self, threads: usize, inner: usize, buffer: &mut [f64]) -> f64 {
        let parameters = discounted::Parameters { inner, ..DISCOUNTED };
        let mut state = discounted::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = discounted::Algorithm::new(self, None, &parameters).unwrap();
        let (outer, samples) = (self.samples.len() / inner, self.samples.iter().copied());
        fast::discounted::run_on(threads, &algorithm, &mut state, outer, samples, &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }

    /// Sixteen runs: one after the other for 0 threads, else eight side by side on each of so many; K = 100, or K from 10 to 17.
    #[allow(dead_code)] // `peers` alone times it
    pub fn run_sixteen(&self, threads: usize, same: bool) -> f64 {
        let parameters: Vec<discounted::Parameters<f64>> = (0..16)
            .map(|r| discounted::Parameters {
                alpha: 0.01 * (1 + r) as f64,
                inner: if same { DISCOUNTED.inner } else { 10 + r % 8 },
                ..DISCOUNTED
            })
            .collect();
        let mut rooms: Vec<Aligned> = parameters.iter().map(|_| buffer(self.actions, self.dim)).collect();
        let runs = parameters.iter().zip(&mut rooms).map(|(parameters, room)| fast::many::Run {
            parameters,
            outer: self.samples.len() / parameters.inner,
            state: discounted::State::new(self.actions, self.dim, room).unwrap(),
            observer: (),
        });
        let (mut runs, samples) = (runs.collect::<Vec<_>>(), || self.samples.iter().copied());
        if threads > 0 {
            let group = |runs: &mut [_]| fast::many::run(self, None, runs, samples()).into_iter().collect();
            let ends: Result<Vec<()>, _> = fast::several::each(threads, runs.chunks_mut(8), group);
            assert!(ends.is_ok());
        } else {
            for run in &mut runs {
                let algorithm = discounted::Algorithm::new(self, None, run.parameters).unwrap();
                fast::discounted::run_on(1, &algorithm, &mut run.state, run.outer, samples(), &mut ()).unwrap();
            }
        }
        runs.iter().flat_map(|run| run.state.theta_sum()).sum()
    }

    pub fn run_average(&self, buffer: &mut [f64]) -> f64 {
        let mut state = average::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = average::Algorithm::new(self, None, &AVERAGE).unwrap();
        let (outer, samples) = (self.samples.len() / 100, self.samples.iter().copied());
        fast::average_reward::run_on(1, &algorithm, &mut state, outer, samples, &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }
}

/// A table of features that nobody checks for infinities in every timed run.
impl FeatureMap<f64> for Problem {
    fn actions(&self) -> usize {
        self.actions
    }

    fn dim(&self) -> usize {
        self.dim
    }

    #[inline]
    fn state(&self, x: usize) -> Option<&[f64]> {
        let width = self.actions * self.dim;
        self.features.get(x * width..(x + 1) * width)
    }
}

/// Room for the iterates.
pub fn buffer(actions: usize, dim: usize) -> Aligned {
    Aligned::zeros(discounted::State::<f64>::buffer_len(actions, dim)).unwrap()
}
