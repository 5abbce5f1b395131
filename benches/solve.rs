//! Exact solves of A x = b with random rationals of 10-bit parts, n = 20 and n = 40.
#![allow(missing_docs)] // criterion's macro makes a public function

#[path = "common/system.rs"]
mod system;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use offline_primal_dual::linear::solve::solve;
use system::system;

fn solves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for n in [20, 40] {
        let problem = system(n);
        group.bench_function(format!("{n}x{n}"), |bencher| {
            bencher.iter_batched(
                || problem.clone(),
                |(mut a, mut b)| {
                    solve(n, &mut a, &mut b).expect("a regular system");
                    (a, b)
                },
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = Criterion::default().sample_size(10); targets = solves }
criterion_main!(benches);
