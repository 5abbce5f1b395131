//! π_t(·|x) at the states that one outer iteration meets, each computed once, eight states side by side in the lanes.
//!
//! Within an outer iteration Σθ is fixed, so the policy at a state is too, however often the state comes. What is remembered has a fixed
//! room; when that is full, it is forgotten.

use super::aligned::{Aligned, Line, stride};
use super::kernel::{multiply, multiply_eight, sum_rows};
use super::slots::Slots;
use super::unit::{self, Pass, Unit};
use crate::linear::vector::LANES;
use crate::number::exponential::{raise, reduce};
use pulp::bytemuck::cast;
use pulp::f64x8;

/// How many numbers may be remembered: half a mebibyte, which a core's own cache holds.
pub(super) const ROOM: usize = 1 << 16;

/// The states met, and what was computed at each.
pub(super) struct Policies<'f> {
    /// t, whose Σθ they are of.
    t: usize,
    actions: usize,
    dim: usize,
    /// Lines of a vector.
    width: usize,
    pub(super) slots: Slots<'f>,
    /// By slot: π_t(·|x), Σ_a (1−γ)π_t(a|x)φ(x, a), and whether the last is known.
    rows: Vec<f64>,
    starts: Aligned,
    start_known: Vec<bool>,
    /// The slots whose start is wanted and not known, and how many: one more is written each time.
    wanted: Vec<usize>,
    wanted_len: usize,
    /// How many slots have their policy.
    known: usize,
    /// Logits of the states that have no policy yet, eight by eight: those of the first action, of the second, …
    logits: Vec<Line>,
}

impl<'f> Policies<'f> {
    /// Room for at least `least` states, and not for more than `most`.
    pub(super) fn new(actions: usize, dim: usize, least: usize, most: usize) -> Self {
        let capacity = (ROOM / (actions + stride(dim))).min(most).max(least);
        Self {
            t: 0,
            actions,
            dim,
            width: stride(dim) / LANES,
            slots: Slots::new(capacity),
            rows: Vec::with_capacity(capacity * actions),
            starts: Aligned::room(capacity * stride(dim)),
            start_known: vec![false; capacity],
            wanted: vec![0; capacity + 1],
            wanted_len: 0,
            known: 0,
            logits: Vec::new(),
        }
    }

    /// Forgets.
    fn clear(&mut self) {
        self.start_known[..self.slots.len()].fill(false);
        self.slots.clear();
        self.known = 0;
    }

    /// Forgets what was computed with another Σθ, and makes sure that `count` new states fit.
    pub(super) fn enter(&mut self, t: usize, count: usize) {
        if self.t != t || !self.slots.has_room(count) {
            self.t = t;
            self.clear();
        }
    }

    /// π_t(·|x) from φ(x, ·), of one state alone.
    pub(super) fn only(&mut self, alpha: f64, theta_sum: &[Line], features: &'f [f64]) -> &[f64] {
        self.clear();
        self.slots.only(features);
        self.compute(alpha, theta_sum);
        &self.rows[..self.actions]
    }

    /// The policies at the slots that have none yet.
    pub(super) fn compute(&mut self, alpha: f64, theta_sum: &[Line]) {
        if self.known < self.slots.len() {
            // Not at once: most runs meet few states.
            let met = self.slots.len().max(self.rows.len() / self.actions);
            self.rows.resize(met * self.actions, 0.0);
            let eights = (self.slots.len() - self.known).div_ceil(LANES);
            if self.logits.len() < eights * self.actions {
                self.logits.resize(eights * self.actions, [0.0; LANES]);
            }
            let (features, out) = (self.slots.features_from(self.known), &mut self.rows[self.known * self.actions..]);
            let (actions, dim) = (self.actions, self.dim);
            unit::run(Softmax { alpha, theta_sum, actions, dim, features, logits: &mut self.logits, out });
            self.known = self.slots.len();
        }
    }

    /// [`Policies::start`] will be asked for. Without a branch, as in [`Slots::slot`].
    #[inline]
    pub(super) fn want_start(&mut self, slot: usize) {
        self.wanted[self.wanted_len] = slot;
        self.wanted_len += usize::from(!self.start_known[slot]);
        self.start_known[slot] = true;
    }

    /// Makes the starts that are wanted known: Σ_a (s·π_t(a|x))φ(x, a), from 0 and from the first action to the last.
    #[inline(always)]
    pub(super) fn prepare_starts<S: Unit>(&mut self, unit: S, s: f64) {
        let (s, dim, width, starts) = (unit.splat_f64s(s), self.dim, self.width, self.starts.lines_mut());
        for &slot in &self.wanted[..self.wanted_len] {
            let policy = &self.rows[slot * self.actions..][..self.actions];
            sum_rows(unit, (dim, self.slots.features(slot)), policy, s, &mut starts[slot * width..][..width]);
        }
        self.wanted_len = 0;
    }

    /// What is known, to be read.
    pub(super) fn known(&self) -> Known<'_, 'f> {
        let features = self.slots.features_from(0);
        Known { actions: self.actions, width: self.width, rows: &self.rows, starts: self.starts.lines(), features }
    }
}

/// [`Policies`] that do not change, so that a loop has their places at hand.
#[derive(Clone, Copy)]
pub(super) struct Known<'p, 'f> {
    actions: usize,
    width: usize,
    rows: &'p [f64],
    starts: &'p [Line],
    features: &'p [&'f [f64]],
}

impl<'p, 'f> Known<'p, 'f> {
    /// φ(x, ·) at a slot.
    #[inline(always)]
    pub(super) fn features(self, slot: usize) -> &'f [f64] {
        self.features[slot]
    }

    /// π_t(·|x) at a slot.
    #[inline(always)]
    pub(super) fn policy(self, slot: usize) -> &'p [f64] {
        &self.rows[slot * self.actions..][..self.actions]
    }

    /// Σ_a (1−γ)π_t(a|x)φ(x, a), at a slot that was prepared.
    #[inline(always)]
    pub(super) fn start(self, slot: usize) -> &'p [Line] {
        &self.starts[slot * self.width..][..self.width]
    }
}

/// The policies at several states, |A| numbers each, one after the other in `out`.
struct Softmax<'p, 'f> {
    alpha: f64,
    theta_sum: &'p [Line],
    actions: usize,
    dim: usize,
    features: &'p [&'f [f64]],
    logits: &'p mut [Line],
    out: &'p mut [f64],
}

impl Pass for Softmax<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) {
        let (eights, rest) = self.features.as_chunks();
        let (logits, logits_rest) = self.logits.split_at_mut(eights.len() * self.actions);
        for n in 0..eights.len() {
            let logits = &mut logits[n * self.actions..][..self.actions];
            multiply_eight(unit, (self.dim, eights[n]), self.theta_sum, logits);
        }
        for (lane, features) in rest.iter().enumerate() {
            multiply(
                unit,
                (self.dim, features),
                self.theta_sum,
                #[inline(always)]
                |a, z| logits_rest[a][lane] = z,
            );
        }
        let numbers = self.features.len().div_ceil(LANES) * self.actions;
        softmaxes(unit, unit.splat_f64s(self.alpha), self.actions, &mut self.logits[..numbers]);
        for (n, states) in self.features.chunks(LANES).enumerate() {
            let logits = &self.logits[n * self.actions..][..self.actions];
            for lane in 0..states.len() {
                let policy = &mut self.out[(n * LANES + lane) * self.actions..][..self.actions];
                for a in 0..policy.len() {
                    policy[a] = logits[a][lane];
                }
                debug_assert!(crate::linear::softmax::on_simplex(policy), "policy left the simplex");
            }
        }
    }
}

/// The softmax of α·z over the actions, in each lane, where `actions` numbers after `actions` belong together. Each step is taken for all of
/// them before the next, because the steps of one wait for each other. (A lane without a state has numbers of no meaning.)
#[inline(always)]
pub(super) fn softmaxes<S: Unit>(unit: S, alpha: f64x8, actions: usize, logits: &mut [[f64; LANES]]) {
    for at in (0..logits.len()).step_by(actions) {
        below_greatest(unit, alpha, &mut logits[at..at + actions]);
    }
    exponentials(logits.as_flattened_mut());
    for at in (0..logits.len()).step_by(actions) {
        divide_by_sum(unit, &mut logits[at..at + actions]);
    }
}

/// z ← α·z − max α·z.
#[inline(always)]
fn below_greatest<S: Unit>(unit: S, alpha: f64x8, logits: &mut [[f64; LANES]]) {
    let mut greatest = unit.mul_f64s(cast(logits[0]), alpha);
    for z in &mut *logits {
        let scaled = unit.mul_f64s(cast(*z), alpha);
        greatest = unit.select_f64s(unit.greater_than_f64s(scaled, greatest), scaled, greatest);
        *z = cast(scaled);
    }
    for z in logits {
        *z = cast(unit.sub_f64s(cast(*z), greatest));
    }
}

/// z ← eᶻ, in two steps: a whole exponential is so long that a processor does not see the next one.
#[inline(always)]
fn exponentials(z: &mut [f64]) {
    let mut k = [0.0; 128];
    for z in z.chunks_mut(k.len()) {
        let k = &mut k[..z.len()];
        for i in 0..z.len() {
            (k[i], z[i]) = reduce(z[i]);
        }
        for i in 0..z.len() {
            z[i] = raise(k[i], z[i]);
        }
    }
}

/// z ← z/Σz, from 0 and from the first to the last.
#[inline(always)]
fn divide_by_sum<S: Unit>(unit: S, numbers: &mut [[f64; LANES]]) {
    let mut total = unit.splat_f64s(0.0);
    for z in &*numbers {
        total = unit.add_f64s(total, cast(*z));
    }
    for z in numbers {
        *z = cast(unit.div_f64s(cast(*z), total));
    }
}
