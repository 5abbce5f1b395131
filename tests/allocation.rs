//! Nothing in the core allocates: a counting global allocator, and zero counts over full runs at shapes read at run time.
//!
//! The counter is per thread, so tests may run side by side. To add a function of the core: prepare its buffers, then
//! call it inside [`allocations`].

use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::{FeatureTable, Sample};

/// How often `f` allocates on this thread, and what it returns.
fn allocations<V>(f: impl FnOnce() -> V) -> (u64, V) {
    let mut value = None;
    let info = allocation_counter::measure(|| value = Some(f()));
    (info.count_total, value.unwrap())
}

/// The counter counts.
#[test]
fn a_vector_is_seen() {
    let (count, vector) = allocations(|| vec![1.0; std::hint::black_box(100)]);
    assert_eq!((count, vector.len()), (1, 100));
}

/// Shapes come from text, as from a file, so nothing can be sized at compile time.
fn shapes() -> impl Iterator<Item = (usize, usize)> {
    "1 1\n2 3\n4 16\n5 67\n16 64\n3 500\n".lines().map(|line| {
        let (actions, dim) = line.split_once(' ').unwrap();
        (actions.parse().unwrap(), dim.parse().unwrap())
    })
}

fn data(actions: usize, dim: usize) -> (Vec<f64>, Vec<Sample<f64>>) {
    let features = (0..3 * actions * dim).map(|i| ((i * 7919) % 1009) as f64 / 1009.0 - 0.5).collect();
    let sample = |i: usize| {
        let (r, u) = ((i % 5) as f64 / 4.0, (i % 97) as f64 / 97.0);
        Sample { x0: i % 3, x: (i / 3) % 3, a: i % actions, r, x_next: (i / 2) % 3, u }
    };
    (features, (0..600).map(sample).collect())
}

#[test]
fn algorithm_1_never_allocates() {
    for (actions, dim) in shapes() {
        let (features, samples) = data(actions, dim);
        let weight: Vec<f64> = (0..dim * dim).map(|i| if i / dim == i % dim { 1.5 } else { 0.01 }).collect();
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)];
        let parameters = discounted::Parameters {
            discount: 0.9,
            alpha: 0.1,
            eta: 0.1,
            zeta: 0.1,
            radius_theta: 2.0,
            radius_beta: 2.0,
            inner: 20,
        };
        for weight in [None, Some(&weight[..])] {
            let (count, result) = allocations(|| {
                let table = FeatureTable::new(actions, dim, &features)?;
                let mut state = discounted::State::new(actions, dim, &mut buffer)?;
                let algorithm = discounted::Algorithm::new(&table, weight, &parameters)?;
                algorithm.run(&mut state, 30, samples.iter().copied(), &mut ())
            });
            assert_eq!((count, result), (0, Ok(())), "|A| = {actions}, d = {dim}");
        }
    }
}

#[test]
fn algorithm_2_never_allocates() {
    for (actions, dim) in shapes() {
        let (features, samples) = data(actions, dim);
        let weight: Vec<f64> = (0..dim * dim).map(|i| if i / dim == i % dim { 1.5 } else { 0.01 }).collect();
        let mut buffer = vec![0.0; average::State::<f64>::buffer_len(actions, dim)];
        let parameters = average::Parameters {
            alpha: 0.1,
            eta: 0.1,
            zeta: 0.1,
            xi: 0.1,
            radius_theta: 2.0,
            radius_beta: 2.0,
            inner: 19,
        };
        for weight in [None, Some(&weight[..])] {
            let (count, result) = allocations(|| {
                let table = FeatureTable::new(actions, dim, &features)?;
                let mut state = average::State::new(actions, dim, &mut buffer)?;
                let algorithm = average::Algorithm::new(&table, weight, &parameters)?;
                algorithm.run(&mut state, 30, samples.iter().copied(), &mut ())
            });
            assert_eq!((count, result), (0, Ok(())), "|A| = {actions}, d = {dim}");
        }
    }
}
