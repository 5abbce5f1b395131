//! Enumerated families of small models, and a parallel loop over them.
#![allow(dead_code)] // each test file uses its part

pub mod counts;
pub mod families;

use offline_primal_dual::number::Field;
use offline_primal_dual::number::rational::Rational64;
use offline_primal_dual::paper::covariance::second_moment;
use offline_primal_dual::paper::mdp::{LinearMdp, Shape};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};

pub type Q = Rational64;

pub fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

/// 0, 1/2, 1.
pub fn halves() -> [Q; 3] {
    [q(0, 1), q(1, 2), q(1, 1)]
}

/// A linear MDP that owns its numbers, with the Λ^c of a run.
#[derive(Clone, Debug)]
pub struct Model {
    pub shape: Shape,
    pub features: Vec<Q>,
    pub omega: Vec<Q>,
    pub psi: Vec<Q>,
    pub initial: Vec<Q>,
    pub discount: Q,
    pub power: Vec<Q>,
}

impl Model {
    pub fn mdp(&self) -> LinearMdp<'_, Q> {
        LinearMdp::new(self.shape, &self.features, &self.omega, &self.psi, &self.initial, &self.discount).unwrap()
    }

    /// The tabular model as a linear one: φ(x,a) = e_(x,a), ω = r, ψ(x')_(x,a) = p(x'|x,a).
    pub fn tabular(states: usize, actions: usize, next: &[Vec<Q>], reward: &[Q], initial: &[Q], discount: Q) -> Self {
        let pairs = states * actions;
        let features = identity(pairs);
        let psi = (0..states).flat_map(|y| next.iter().map(move |row| row[y])).collect();
        let shape = Shape::new(states, actions, pairs).unwrap();
        let (omega, initial) = (reward.to_vec(), initial.to_vec());
        Self { shape, features, omega, psi, initial, discount, power: identity(pairs) }
    }

    /// With Λ^c = diag(`diagonal`).
    pub fn with_diagonal(mut self, diagonal: &[Q]) -> Self {
        let n = diagonal.len();
        self.power = (0..n * n).map(|i| if i / n == i % n { diagonal[i / n] } else { q(0, 1) }).collect();
        self
    }

    /// With Λ itself (c = 1) for a data distribution μ_B.
    pub fn with_covariance(mut self, mu_b: &[Q]) -> Self {
        let mut power = vec![q(0, 1); self.shape.dim * self.shape.dim];
        self.power = second_moment(self.shape.dim, &self.features, mu_b, &mut &mut power[..]).unwrap().to_vec();
        self
    }
}

pub fn identity(n: usize) -> Vec<Q> {
    (0..n * n).map(|i| q(i64::from(i / n == i % n), 1)).collect()
}

/// The `index`-th word of `length` letters over `alphabet`, first letter fastest.
pub fn word<L: Clone>(alphabet: &[L], length: usize, mut index: usize) -> Vec<L> {
    (0..length)
        .map(|_| {
            let letter = alphabet[index % alphabet.len()].clone();
            index /= alphabet.len();
            letter
        })
        .collect()
}

/// Every policy whose rows are drawn from `rows`.
pub fn policies(states: usize, rows: &[Vec<Q>]) -> Vec<Vec<Q>> {
    (0..rows.len().pow(states as u32)).map(|i| word(rows, states, i).concat()).collect()
}

/// The |A| deterministic rows of a policy.
pub fn deterministic_rows(actions: usize) -> Vec<Vec<Q>> {
    identity(actions).chunks(actions).map(<[Q]>::to_vec).collect()
}

/// 0 and the unit vectors: two affine functions on R^d that agree there agree everywhere.
pub fn affine_basis(d: usize) -> Vec<Vec<Q>> {
    let mut points = vec![vec![q(0, 1); d]];
    points.extend(identity(d).chunks(d).map(<[Q]>::to_vec));
    points
}

/// Sums `work(i)` over 0..n on all cores, with a bar on a terminal and nothing in a pipe.
pub fn sum_in_parallel(name: &str, n: usize, work: impl Fn(usize) -> u64 + Sync) -> u64 {
    let next = AtomicUsize::new(0);
    let bar = std::io::stderr().is_terminal();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let body = || {
        let mut sum = 0;
        loop {
            let start = next.fetch_add(64, Ordering::Relaxed);
            if start >= n {
                return sum;
            }
            sum += (start..n.min(start + 64)).map(&work).sum::<u64>();
            if bar && (start / 64).is_multiple_of(16) {
                eprint!("\r{name}: {:3}%", 100 * start / n);
            }
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(body)).collect();
        handles.into_iter().map(|h| h.join().unwrap()).sum()
    })
}
