//! Exact solves of A x = b with random rationals of 10-bit parts, n = 20 and n = 40.
#![allow(missing_docs)] // criterion's macro makes a public function

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use offline_primal_dual::exact::BigRational;
use offline_primal_dual::scalar::Field;
use offline_primal_dual::solve::solve;

/// Rows of [A | b] from splitmix64 with seed 2024 + n: numerators in −1023..=1023, denominators in 1..=1023.
fn system(n: usize) -> (Vec<BigRational>, Vec<BigRational>) {
    let mut state = 2024 + n as u64;
    let mut next = |modulus: u64| {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        i64::try_from((z ^ (z >> 31)) % modulus).unwrap_or(0)
    };
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..n {
        for column in 0..=n {
            let entry = BigRational::ratio(next(2047) - 1023, next(1023) + 1);
            if column < n { a.push(entry) } else { b.push(entry) }
        }
    }
    (a, b)
}

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
