//! Time per sample of both algorithms, and its growth in n.
//!
//! `cargo bench --bench algorithms` measures the shapes of `common/problem.rs` and n from 10⁴ to 10⁶. Criterion's throughput
//! is samples per second. `benches/instructions.sh` counts instructions per sample with callgrind;
//! `cargo bench --bench algorithms -- --once A D N` is the single run that it measures. `--bench peers` compares with C and NumPy.

#[path = "common/problem.rs"]
mod problem;

use criterion::{BenchmarkId, Criterion, Throughput};
use problem::{Problem, SHAPES};

fn measure(c: &mut Criterion) {
    for (name, run) in [
        ("algorithm 1", Problem::run_discounted as fn(&Problem, &mut [f64]) -> f64),
        ("algorithm 2", Problem::run_average),
    ] {
        let mut group = c.benchmark_group(name);
        for (actions, dim) in SHAPES {
            let problem = Problem::new(actions, dim, 10_000);
            let mut buffer = problem::buffer(actions, dim);
            group.throughput(Throughput::Elements(10_000));
            group.bench_function(BenchmarkId::new("shape", format!("{actions}x{dim}")), |b| {
                b.iter(|| run(&problem, &mut buffer));
            });
        }
        for n in [10_000, 100_000, 1_000_000] {
            let problem = Problem::new(4, 16, n);
            let mut buffer = problem::buffer(4, 16);
            group.throughput(Throughput::Elements(n as u64));
            group.bench_function(BenchmarkId::new("rows", n), |b| b.iter(|| run(&problem, &mut buffer)));
        }
        group.finish();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == "--once") {
        let [actions, dim, n] = [1, 2, 3].map(|i| arguments[at + i].parse().expect("--once ACTIONS DIM ROWS"));
        println!("{}", Problem::new(actions, dim, n).run_discounted(&mut problem::buffer(actions, dim)));
        return;
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(20);
    measure(&mut criterion);
    criterion.final_summary();
}
