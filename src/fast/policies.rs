//! π_t(·|x) at the states that one outer iteration meets, each computed once, eight states side by side in the lanes.
//!
//! Within an outer iteration Σθ is fixed, so the policy at a state is too, however often the state comes. What is remembered has a fixed
//! room; when that is full, it is forgotten.

use super::kernel::{add_rows, multiply};
use super::unit::{self, Pass, Unit};
use crate::error::Result;
use crate::linear::vector::LANES;
use crate::number::exponential::exp;
use pulp::bytemuck::cast;

/// How many numbers may be remembered: half a mebibyte, which a core's own cache holds.
const ROOM: usize = 1 << 16;

/// The states met, and what was computed at each.
pub(super) struct Policies<'f> {
    actions: usize,
    dim: usize,
    /// Slots by a hash of x, linearly probed; 0 is empty, else 1 + the slot. Half of it stays empty.
    index: Vec<u32>,
    /// By slot: x, φ(x, ·), π_t(·|x), Σ_a (1−γ)π_t(a|x)φ(x, a), and whether the last is known.
    states: Vec<usize>,
    features: Vec<&'f [f64]>,
    rows: Vec<f64>,
    starts: Vec<f64>,
    start_known: Vec<bool>,
    /// How many slots have their policy.
    known: usize,
    capacity: usize,
    /// Logits of eight states: those of the first action, of the second, …
    logits: Vec<f64>,
}

impl<'f> Policies<'f> {
    /// Room for at least `least` states, and not for more than `most`.
    pub(super) fn new(actions: usize, dim: usize, least: usize, most: usize) -> Self {
        let capacity = (ROOM / (actions + dim)).min(most).max(least);
        Self {
            actions,
            dim,
            index: vec![0; (2 * capacity).next_power_of_two()],
            states: Vec::with_capacity(capacity),
            features: Vec::with_capacity(capacity),
            rows: Vec::with_capacity(capacity * actions),
            starts: Vec::with_capacity(capacity * dim),
            start_known: vec![false; capacity],
            known: 0,
            capacity,
            logits: vec![0.0; LANES * actions],
        }
    }

    /// Forgets: Σθ has changed.
    pub(super) fn clear(&mut self) {
        self.index.fill(0);
        self.states.clear();
        self.features.clear();
        self.start_known.fill(false);
        self.known = 0;
    }

    /// Makes sure that `count` new states fit.
    pub(super) fn make_room(&mut self, count: usize) {
        if self.states.len() + count > self.capacity {
            self.clear();
        }
    }

    /// The slot of x. A state not met before gets one, with the features that `visit` finds.
    #[inline]
    pub(super) fn slot(&mut self, x: usize, visit: impl FnOnce() -> Result<&'f [f64]>) -> Result<usize> {
        let mask = self.index.len() - 1;
        // Fibonacci hashing: the high bits of a product with 2⁶⁴/golden ratio.
        let mut at = ((x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.index[at] {
                0 => break,
                slot if self.states[slot as usize - 1] == x => return Ok(slot as usize - 1),
                _ => at = (at + 1) & mask,
            }
        }
        self.features.push(visit()?);
        self.states.push(x);
        self.index[at] = self.states.len() as u32;
        Ok(self.states.len() - 1)
    }

    /// π_t(·|x) from φ(x, ·), of one state alone.
    pub(super) fn only(&mut self, alpha: f64, theta_sum: &[f64], features: &'f [f64]) -> &[f64] {
        self.clear();
        self.states.push(0);
        self.features.push(features);
        self.compute(alpha, theta_sum);
        self.policy(0)
    }

    /// φ(x, ·) at a slot.
    #[inline]
    pub(super) fn features(&self, slot: usize) -> &'f [f64] {
        self.features[slot]
    }

    /// π_t(·|x) at a slot.
    #[inline]
    pub(super) fn policy(&self, slot: usize) -> &[f64] {
        &self.rows[slot * self.actions..(slot + 1) * self.actions]
    }

    /// The policies at the slots that have none yet.
    pub(super) fn compute(&mut self, alpha: f64, theta_sum: &[f64]) {
        if self.known < self.states.len() {
            // Not at once: most runs meet few states.
            let met = self.states.len().max(self.rows.len() / self.actions);
            self.rows.resize(met * self.actions, 0.0);
            self.starts.resize(met * self.dim, 0.0);
            let (features, out) = (&self.features[self.known..], &mut self.rows[self.known * self.actions..]);
            unit::run(self.dim, Softmax { alpha, theta_sum, features, logits: &mut self.logits, out });
            self.known = self.states.len();
        }
    }

    /// Makes [`Policies::start`] known, where it is not yet: Σ_a (s·π_t(a|x))φ(x, a), from 0 and from the first action to the last.
    #[inline(always)]
    pub(super) fn prepare_start<S: Unit, const R: usize>(&mut self, unit: S, slot: usize, s: f64, scratch: &mut [f64]) {
        if !self.start_known[slot] {
            self.start_known[slot] = true;
            for (mu, p) in scratch.iter_mut().zip(&self.rows[slot * self.actions..]) {
                *mu = p * s;
            }
            let mean = &mut self.starts[slot * self.dim..(slot + 1) * self.dim];
            mean.fill(0.0);
            add_rows::<S, R>(unit, self.features[slot], scratch, mean);
        }
    }

    /// Σ_a (1−γ)π_t(a|x)φ(x, a), at a slot that was prepared.
    #[inline]
    pub(super) fn start(&self, slot: usize) -> &[f64] {
        &self.starts[slot * self.dim..(slot + 1) * self.dim]
    }
}

/// The policies at several states, |A| numbers each, one after the other in `out`.
struct Softmax<'p, 'f> {
    alpha: f64,
    theta_sum: &'p [f64],
    features: &'p [&'f [f64]],
    logits: &'p mut [f64],
    out: &'p mut [f64],
}

impl Pass for Softmax<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) {
        let (logits, _) = self.logits.as_chunks_mut::<LANES>();
        for (states, out) in self.features.chunks(LANES).zip(self.out.chunks_mut(LANES * logits.len())) {
            for (lane, features) in states.iter().enumerate() {
                multiply::<S, R>(
                    unit,
                    features,
                    self.theta_sum,
                    #[inline(always)]
                    |a, z| logits[a][lane] = z,
                );
            }
            softmax(unit, self.alpha, logits);
            for (lane, policy) in out.chunks_exact_mut(logits.len()).take(states.len()).enumerate() {
                for (p, z) in policy.iter_mut().zip(&*logits) {
                    *p = z[lane];
                }
                debug_assert!(crate::linear::softmax::on_simplex(policy), "policy left the simplex");
            }
        }
    }
}

/// The softmax of α·z over the actions, in each lane. (A lane without a state has numbers of no meaning.)
#[inline(always)]
fn softmax<S: Unit>(unit: S, alpha: f64, logits: &mut [[f64; LANES]]) {
    let alpha = unit.splat_f64s(alpha);
    let mut greatest = unit.mul_f64s(cast(logits[0]), alpha);
    for z in &mut *logits {
        let scaled = unit.mul_f64s(cast(*z), alpha);
        greatest = unit.select_f64s(unit.greater_than_f64s(scaled, greatest), scaled, greatest);
        *z = cast(scaled);
    }
    let mut total = unit.splat_f64s(0.0);
    for z in &mut *logits {
        let below: [f64; LANES] = cast(unit.sub_f64s(cast(*z), greatest));
        for lane in 0..LANES {
            z[lane] = exp(below[lane]);
        }
        total = unit.add_f64s(total, cast(*z));
    }
    for z in logits {
        *z = cast(unit.div_f64s(cast(*z), total));
    }
}
