//! Time per sample of both algorithms, and its growth in n.
//!
//! `cargo bench --bench algorithms` measures |A| × d = 4×4, 4×16, 4×64, 4×256, 16×64 and n from 10⁴ to 10⁶, then compiles
//! `benches/peer.c` where there is a gcc and prints its times at the same shapes. Criterion's throughput is samples per second.
//! `benches/instructions.sh` counts instructions per sample with callgrind; `cargo bench --bench algorithms -- --once A D N`
//! is the single run that it measures.

use criterion::{BenchmarkId, Criterion, Throughput};
use offline_primal_dual::average_reward::algorithm as average;
use offline_primal_dual::discounted::algorithm as discounted;
use offline_primal_dual::samples::{FeatureTable, Sample};
use std::process::Command;

const STATES: usize = 64;
const SHAPES: [(usize, usize); 5] = [(4, 4), (4, 16), (4, 64), (4, 256), (16, 64)];
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

/// The same data as `peer.c`: one linear congruential generator, features first.
struct Problem {
    actions: usize,
    dim: usize,
    features: Vec<f64>,
    samples: Vec<Sample<f64>>,
}

impl Problem {
    fn new(actions: usize, dim: usize, n: usize) -> Self {
        let mut seed = 1u64;
        let mut unit = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / 9_007_199_254_740_992.0
        };
        let root = (dim as f64).sqrt();
        let features = (0..STATES * actions * dim).map(|_| (2.0 * unit() - 1.0) / root).collect();
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

    fn run_discounted(&self, buffer: &mut [f64]) -> f64 {
        let table = FeatureTable::new(self.actions, self.dim, &self.features).unwrap();
        let mut state = discounted::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = discounted::Algorithm::new(&table, None, &DISCOUNTED).unwrap();
        algorithm.run(&mut state, self.samples.len() / 100, self.samples.iter().copied(), &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }

    fn run_average(&self, buffer: &mut [f64]) -> f64 {
        let table = FeatureTable::new(self.actions, self.dim, &self.features).unwrap();
        let mut state = average::State::new(self.actions, self.dim, buffer).unwrap();
        let algorithm = average::Algorithm::new(&table, None, &AVERAGE).unwrap();
        algorithm.run(&mut state, self.samples.len() / 100, self.samples.iter().copied(), &mut ()).unwrap();
        state.theta_sum().iter().sum()
    }
}

fn measure(c: &mut Criterion) {
    for (name, run) in [
        ("algorithm 1", Problem::run_discounted as fn(&Problem, &mut [f64]) -> f64),
        ("algorithm 2", Problem::run_average),
    ] {
        let mut group = c.benchmark_group(name);
        for (actions, dim) in SHAPES {
            let problem = Problem::new(actions, dim, 10_000);
            let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)];
            group.throughput(Throughput::Elements(10_000));
            group.bench_function(BenchmarkId::new("shape", format!("{actions}x{dim}")), |b| {
                b.iter(|| run(&problem, &mut buffer));
            });
        }
        for n in [10_000, 100_000, 1_000_000] {
            let problem = Problem::new(4, 16, n);
            let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(4, 16)];
            group.throughput(Throughput::Elements(n as u64));
            group.bench_function(BenchmarkId::new("rows", n), |b| b.iter(|| run(&problem, &mut buffer)));
        }
        group.finish();
    }
}

/// The best of many short runs, which is what `peer.c` reports: a loaded machine disturbs the mean, hardly the minimum.
fn against_c() {
    let peer = std::env::temp_dir().join("opd-peer");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peer.c");
    let flags = ["-O3", "-march=native", "-ffast-math", "-o"];
    match Command::new("gcc").args(flags).arg(&peer).args([source, "-lm"]).status() {
        Ok(status) if status.success() => {}
        other => return println!("no C peer to compare with: gcc says {other:?}"),
    }
    for (actions, dim) in SHAPES {
        let n = 3_000;
        let problem = Problem::new(actions, dim, n);
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)];
        let (mut best, mut check) = (f64::INFINITY, 0.0);
        for _ in 0..300 {
            let start = std::time::Instant::now();
            check = problem.run_discounted(&mut buffer);
            best = best.min(start.elapsed().as_nanos() as f64 / n as f64);
        }
        println!("Rust  |A| = {actions}, d = {dim}, n = {n}: {best:.1} ns per sample (sum of theta_sum {check:.12})");
        let arguments = [actions, dim, n].map(|x| x.to_string());
        Command::new(&peer).args(arguments).status().expect("the peer was just compiled");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--once") {
        let [actions, dim, n] = [1, 2, 3].map(|i| arguments[at + i].parse().expect("--once ACTIONS DIM ROWS"));
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)];
        println!("{}", Problem::new(actions, dim, n).run_discounted(&mut buffer));
        return;
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    measure(&mut criterion);
    criterion.final_summary();
    if arguments.iter().any(|a| a == "--bench") {
        against_c();
    }
}
