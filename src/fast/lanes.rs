//! The numbers of eight runs of Algorithm 1 on the same samples: lane r of each is run r's.
//!
//! A sample's features are read once, for all. Sums have one run's order: eight running sums, of eight lanes each.

use super::aligned::Aligned;
use super::discounted::{Visit, visit};
use super::kernel::ZERO;
use super::policies::{ROOM, softmax};
use super::slots::Slots;
use super::steps::largest_square;
use super::unit::{self, Pass, Unit, by_rest};
use crate::linear::vector::LANES;
use crate::paper::discounted::algorithm::{Parameters, State};
use crate::paper::samples::{FeatureMap, Sample};
use pulp::bytemuck::cast;
use pulp::f64x8;

/// How many samples are looked up before the first of them is used.
pub(super) const BLOCK: usize = 64;

/// One number of each run.
type Eight = [f64; LANES];

/// Eight runs. A lane without a run holds zeros, which stay zeros.
pub(super) struct Lanes<'f> {
    actions: usize,
    dim: usize,
    alpha: Eight,
    discount: Eight,
    eta: Eight,
    /// D_θ, and the largest square of a norm within it.
    radius: Eight,
    square: Eight,
    /// d numbers of each run, one after the other: θ_{t,k}, Σ_k θ_{t,k}, Σ_{i<t} θ_i and Λ^{c−1}β_t.
    theta: Aligned,
    iterate_sum: Aligned,
    theta_sum: Aligned,
    weighted_beta: Aligned,
    /// The states met since any run's policy changed.
    slots: Slots<'f>,
    /// By slot: π_t(·|x), Σ_a (1−γ)π_t(a|x)φ(x, a), and whether the last is known.
    policies: Aligned,
    starts: Aligned,
    start_known: Vec<bool>,
    /// Whether a run has retired since states were last forgotten. Its policies are of no more use, but the block that it retired in needs the others'.
    retired: bool,
    visits: Vec<Visit<'f>>,
    /// μ_{t,k} at one state.
    mu: Vec<Eight>,
}

impl<'f> Lanes<'f> {
    /// Room for at least a block's states, and not for more than `most`.
    pub(super) fn new(actions: usize, dim: usize, most: usize) -> Self {
        let capacity = (ROOM / (LANES * (actions + dim))).min(most).max(2 * BLOCK);
        let numbers = |count: usize| Aligned::room(LANES * count);
        Self {
            actions,
            dim,
            alpha: [0.0; LANES],
            discount: [0.0; LANES],
            eta: [0.0; LANES],
            radius: [0.0; LANES],
            square: [0.0; LANES],
            theta: numbers(dim),
            iterate_sum: numbers(dim),
            theta_sum: numbers(dim),
            weighted_beta: numbers(dim),
            slots: Slots::new(capacity),
            policies: numbers(capacity * actions),
            starts: numbers(capacity * dim),
            start_known: vec![false; capacity],
            retired: false,
            visits: Vec::with_capacity(BLOCK),
            mu: vec![[0.0; LANES]; actions],
        }
    }

    /// Run r takes part.
    pub(super) fn employ(&mut self, r: usize, parameters: &Parameters<f64>, state: &State<f64>) {
        (self.alpha[r], self.discount[r], self.eta[r]) = (parameters.alpha, parameters.discount, parameters.eta);
        (self.radius[r], self.square[r]) = (parameters.radius_theta, largest_square(parameters.radius_theta));
        self.enter(r, state);
    }

    /// Run r begins an outer iteration.
    pub(super) fn enter(&mut self, r: usize, state: &State<f64>) {
        put(state.theta, &mut self.theta, r);
        put(state.iterate_sum, &mut self.iterate_sum, r);
        put(state.theta_sum, &mut self.theta_sum, r);
        put(state.weighted_beta, &mut self.weighted_beta, r);
        self.forget();
    }

    /// What the inner steps have moved of run r.
    pub(super) fn leave(&self, r: usize, state: &mut State<f64>) {
        get(&self.theta, r, state.theta);
        get(&self.iterate_sum, r, state.iterate_sum);
    }

    /// Run r takes part no more.
    pub(super) fn retire(&mut self, r: usize) {
        let numbers = [&mut self.theta, &mut self.iterate_sum, &mut self.theta_sum, &mut self.weighted_beta];
        for numbers in numbers {
            numbers.iter_mut().skip(r).step_by(LANES).for_each(|x| *x = 0.0);
        }
        for rate in [&mut self.alpha, &mut self.discount, &mut self.eta, &mut self.radius, &mut self.square] {
            rate[r] = 0.0;
        }
        self.retired = true;
    }

    fn forget(&mut self) {
        self.start_known[..self.slots.len()].fill(false);
        self.slots.clear();
    }

    /// Looks up at most [`BLOCK`] samples, up to the first that is to be refused, and finds the policies of their states. How many.
    pub(super) fn visit<F: FeatureMap<f64>>(&mut self, features: &'f F, samples: &[Sample<f64>]) -> usize {
        if std::mem::take(&mut self.retired) || !self.slots.has_room(2 * samples.len()) {
            self.forget();
        }
        let known = self.slots.len();
        visit(features, &mut self.slots, samples, &mut self.visits);
        unit::run(Softmaxes { first: known, lanes: self });
        self.visits.len()
    }

    /// The inner steps on the samples from the `first` on. Where a run's norm is no number, it stops: at which sample, and the squares of the norms.
    pub(super) fn step(&mut self, first: usize) -> Option<(usize, Eight)> {
        unit::run(InnerSteps { first, lanes: self })
    }
}

/// Lane r ← x.
fn put(x: &[f64], lanes: &mut [f64], r: usize) {
    for (lane, x) in lanes.iter_mut().skip(r).step_by(LANES).zip(x) {
        *lane = *x;
    }
}

/// x ← lane r.
fn get(lanes: &[f64], r: usize, x: &mut [f64]) {
    for (lane, x) in lanes.iter().skip(r).step_by(LANES).zip(x) {
        *x = *lane;
    }
}

/// ⟨row, x⟩ in each lane.
#[inline(always)]
fn inner<S: Unit>(unit: S, row: &[f64], x: &[Eight]) -> f64x8 {
    let (mut sums, whole) = ([ZERO; LANES], row.len() / LANES * LANES);
    for at in (0..whole).step_by(LANES) {
        add_products::<S, LANES>(unit, &row[at..], &x[at..], &mut sums);
    }
    by_rest!(row.len() - whole, R => add_products::<S, R>(unit, &row[whole..], &x[whole..], &mut sums));
    fold(unit, sums)
}

/// The first `N` products, each into its running sum.
#[inline(always)]
fn add_products<S: Unit, const N: usize>(unit: S, row: &[f64], x: &[Eight], sums: &mut [f64x8; LANES]) {
    let (row, x) = (&row[..N], &x[..N]);
    for i in 0..N {
        sums[i] = unit.add_f64s(sums[i], unit.mul_f64s(unit.splat_f64s(row[i]), cast(x[i])));
    }
}

/// ((l₀+l₄) + (l₂+l₆)) + ((l₁+l₅) + (l₃+l₇)), in each lane.
#[inline(always)]
fn fold<S: Unit>(unit: S, [l0, l1, l2, l3, l4, l5, l6, l7]: [f64x8; LANES]) -> f64x8 {
    let even = unit.add_f64s(unit.add_f64s(l0, l4), unit.add_f64s(l2, l6));
    let odd = unit.add_f64s(unit.add_f64s(l1, l5), unit.add_f64s(l3, l7));
    unit.add_f64s(even, odd)
}

/// The policies at the slots from the `first` on.
struct Softmaxes<'p, 'f> {
    first: usize,
    lanes: &'p mut Lanes<'f>,
}

impl Pass for Softmaxes<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) {
        let Lanes { actions, dim, alpha, theta_sum, slots, policies, .. } = self.lanes;
        let (theta_sum, alpha, dim) = (theta_sum.as_chunks().0, cast(*alpha), *dim);
        for slot in self.first..slots.len() {
            let features = slots.features(slot);
            let policy = &mut policies.as_chunks_mut().0[slot * *actions..][..*actions];
            for a in 0..policy.len() {
                policy[a] = cast(inner(unit, &features[a * dim..][..dim], theta_sum));
            }
            softmax(unit, alpha, policy);
        }
    }
}

struct InnerSteps<'p, 'f> {
    first: usize,
    lanes: &'p mut Lanes<'f>,
}

impl Pass for InnerSteps<'_, '_> {
    type Output = Option<(usize, Eight)>;

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) -> Option<(usize, Eight)> {
        let lanes = self.lanes;
        let (actions, dim, whole) = (lanes.actions, lanes.dim, lanes.dim / LANES * LANES);
        let (discount, eta) = (cast(lanes.discount), cast(lanes.eta));
        let (radius, square) = (cast(lanes.radius), cast(lanes.square));
        let (theta, iterate_sum) = (lanes.theta.as_chunks_mut().0, lanes.iterate_sum.as_chunks_mut().0);
        let (weighted_beta, policies) = (lanes.weighted_beta.as_chunks().0, lanes.policies.as_chunks().0);
        let starts = lanes.starts.as_chunks_mut().0;
        for index in self.first..lanes.visits.len() {
            let (phi, [start, next]) = lanes.visits[index];
            let mean = &mut starts[start * dim..(start + 1) * dim];
            if !lanes.start_known[start] {
                lanes.start_known[start] = true;
                let share = unit.sub_f64s(unit.splat_f64s(1.0), discount);
                scale(unit, share, &policies[start * actions..], &mut lanes.mu);
                let features = lanes.slots.features(start);
                for at in (0..whole).step_by(LANES) {
                    let sums = add_rows::<S, LANES>(unit, [[0.0; LANES]; LANES], features, &lanes.mu, (at, dim));
                    mean[at..at + LANES].copy_from_slice(&sums);
                }
                by_rest!(dim - whole, R => {
                    let sums = add_rows::<S, R>(unit, [[0.0; LANES]; R], features, &lanes.mu, (whole, dim));
                    mean[whole..].copy_from_slice(&sums);
                });
            }
            let w = inner(unit, phi, weighted_beta);
            scale(unit, unit.mul_f64s(discount, w), &policies[next * actions..], &mut lanes.mu);
            let mut step =
                Step { features: lanes.slots.features(next), mu: &lanes.mu, mean, phi, w, eta, sums: [ZERO; LANES] };
            for at in (0..whole).step_by(LANES) {
                step.descend::<S, LANES>(unit, at, theta, iterate_sum);
            }
            by_rest!(dim - whole, R => step.descend::<S, R>(unit, whole, theta, iterate_sum));
            let squares = fold(unit, step.sums);
            let within = unit.less_than_or_equal_f64s(squares, square);
            if unit.first_true_m64s(unit.not_m64s(within)) < LANES {
                let s = unit.div_f64s(radius, unit.sqrt_f64s(squares));
                let outside = unit.greater_than_f64s(squares, square);
                for theta in &mut *theta {
                    *theta = cast(unit.select_f64s(outside, unit.mul_f64s(cast(*theta), s), cast(*theta)));
                }
                let squares: Eight = cast(squares);
                if squares.iter().any(|square| !square.is_finite()) {
                    return Some((index, squares));
                }
            }
        }
        None
    }
}

/// μ ← s·π.
#[inline(always)]
fn scale<S: Unit>(unit: S, s: f64x8, policy: &[Eight], mu: &mut [Eight]) {
    let policy = &policy[..mu.len()];
    for a in 0..mu.len() {
        mu[a] = cast(unit.mul_f64s(cast(policy[a]), s));
    }
}

/// `N` components from `at` on of y + Σ_a μ_a φ(x, a), from the first action to the last; `y` has these only.
#[inline(always)]
fn add_rows<S: Unit, const N: usize>(
    unit: S,
    mut y: [Eight; N],
    features: &[f64],
    mu: &[Eight],
    (at, dim): (usize, usize),
) -> [Eight; N] {
    for a in 0..mu.len() {
        let (row, mu) = (&features[a * dim + at..][..N], cast(mu[a]));
        for i in 0..N {
            y[i] = cast(unit.add_f64s(cast(y[i]), unit.mul_f64s(unit.splat_f64s(row[i]), mu)));
        }
    }
    y
}

/// What an inner step has before it moves anything, and the running sums of ‖θ − η·g̃_θ‖².
struct Step<'p> {
    features: &'p [f64],
    mu: &'p [Eight],
    mean: &'p [Eight],
    phi: &'p [f64],
    w: f64x8,
    eta: f64x8,
    sums: [f64x8; LANES],
}

impl Step<'_> {
    /// `N` components from `at` on: Φᵀμ, g̃_θ = Φᵀμ − w·φ, Σ ← Σ + θ, θ ← θ − η·g̃_θ.
    #[inline(always)]
    fn descend<S: Unit, const N: usize>(&mut self, unit: S, at: usize, theta: &mut [Eight], iterate_sum: &mut [Eight]) {
        let (known, mut mean) = (&self.mean[at..at + N], [[0.0; LANES]; N]);
        #[allow(clippy::manual_memcpy)] // a copy would go through memory
        for i in 0..N {
            mean[i] = known[i];
        }
        let mean = add_rows::<S, N>(unit, mean, self.features, self.mu, (at, self.phi.len()));
        let (theta, iterate_sum) = (&mut theta[at..at + N], &mut iterate_sum[at..at + N]);
        let phi = &self.phi[at..at + N];
        for i in 0..N {
            let gradient = unit.sub_f64s(cast(mean[i]), unit.mul_f64s(unit.splat_f64s(phi[i]), self.w));
            let old = cast(theta[i]);
            let new = unit.sub_f64s(old, unit.mul_f64s(gradient, self.eta));
            self.sums[i] = unit.add_f64s(self.sums[i], unit.mul_f64s(new, new));
            iterate_sum[i] = cast(unit.add_f64s(cast(iterate_sum[i]), old));
            theta[i] = cast(new);
        }
    }
}
