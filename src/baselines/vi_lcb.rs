//! VI-LCB, tabular. Rashidinejad, Zhu, Ma, Jiao and Russell, *Bridging Offline Reinforcement Learning and Imitation Learning: A Tale of Pessimism*
//! (NeurIPS 2021).
//!
//! Value iteration on the empirical model, less a penalty b(s,a) = c·V_max·√(L/max(N(s,a), 1)), L = log(2(T+1)|S||A|/δ), and never below the
//! iterate before. The paper has 2000L for L and splits its rows over T = log(N)/(1−γ) iterations, both for the proof: here c² stands for 2000 and every
//! iteration sees all rows. A pair that was never seen has reward 0, leads nowhere and has the penalty of one row.

use super::batch::Batch;
use super::policy::greedy_for;

/// The failure probability of the penalty.
const DELTA: f64 = 0.01;

/// What the iterations end with.
#[derive(Debug, Clone, PartialEq)]
pub struct Pessimistic {
    /// V_T.
    pub value: Vec<f64>,
    /// π_T.
    pub policy: Vec<f64>,
}

/// T iterations with penalty c; c = 0 is value iteration on the empirical model.
#[must_use]
pub fn vi_lcb(batch: &Batch<'_>, iterations: usize, c: f64) -> Pessimistic {
    let (states, actions, pairs) = (batch.shape.states, batch.shape.actions, batch.shape.pairs());
    let highest = 1.0 / (1.0 - batch.discount);
    let level = libm::log(2.0 * (iterations as f64 + 1.0) * pairs as f64 / DELTA);
    let penalty = |pair: usize| c * highest * libm::sqrt(level / batch.counts[pair].max(1.0));
    let (mut value, mut policy) = (vec![0.0; states], greedy_for(actions, &vec![0.0; pairs]));
    for _ in 0..iterations {
        let mut q: Vec<f64> = (0..pairs).map(|pair| -penalty(pair)).collect();
        for cell in &batch.cells {
            let seen = batch.counts[cell.pair];
            q[cell.pair] += (cell.reward + batch.discount * cell.count * value[cell.next]) / seen;
        }
        let better = greedy_for(actions, &q);
        for x in 0..states {
            let row = x * actions..(x + 1) * actions;
            let best = q[row.clone()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if best > value[x] {
                value[x] = best;
                policy[row.clone()].copy_from_slice(&better[row]);
            }
        }
    }
    Pessimistic { value, policy }
}
