//! Erratum 1, a study: Algorithm 1 with (10) as printed, and everything else corrected, exceeds Theorem A.1's bound at c = 1/2.
//!
//! ```text
//! cargo run --release --example printed_estimator            # one seed, some minutes
//! cargo run --release --example printed_estimator -- 5       # seeds 0 to 4
//! ```
//!
//! The family: γ = 0, two actions, states (j, σ) with j = 1 … m and a sign σ, all equally likely; φ((j, σ), a) = (e_a, κσe_j), r = (1, 1/4),
//! π_B = (1/10, 9/10). Then Λ = diag(1/10, 9/10, κ²/m, …), θ^π = ω and β* = (√10, 0, …): D_θ² = 17/16, D_φ² = 1 + κ², D_β² = C = 10.
//!
//! Print's g̃_θ = Φᵀμ − Λ^{−1/2}φ⟨φ, β⟩ is √m long in the coordinate j, where there is nothing to learn. With η from G_θ², which does not
//! know m, one step takes θ across its ball; the projections keep the part that matters near 0; β then follows the reward weighted by
//! the data, and the policy follows β to the action that the data prefer. The proof's φ⟨φ, Λ^{−1/2}β⟩ has no such coordinate.
//!
//! A state touches one of the m coordinates, so a step takes O(1): θ is kept as a scale times a vector, and the sums over k are brought up to
//! date where a coordinate changes. `tests/printed_theorems.rs` holds this against the box. A simulation with seeds, not a proof.

use offline_primal_dual::Result;
use offline_primal_dual::paper::discounted::guarantee::{Constants, Rates, bound, rates};
use offline_primal_dual::sampler::Uniforms;

/// κ.
pub const KAPPA: f64 = 0.1;
/// π_B(0), of the better action.
pub const BEHAVIOR: f64 = 0.1;
/// r(·, 1); r(·, 0) = 1.
pub const REWARD: f64 = 0.25;

/// (X⁰, X, A), a state x standing for j = ⌊x/2⌋ and σ = ±1 as x is even or odd.
pub type Draw = (usize, usize, usize);

/// Which g̃_θ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Estimator {
    /// As printed.
    Printed,
    /// As corrected.
    Corrected,
}

/// Theorem A.1's constants on the family with m nuisance coordinates, corrected: Tr(Λ⁰) = d.
#[must_use]
pub fn constants(m: usize) -> Constants<f64> {
    Constants {
        discount: 0.0,
        log_actions: 2f64.ln(),
        phi_squared: 1.0 + KAPPA * KAPPA,
        theta_squared: 1.0 + REWARD * REWARD,
        beta_squared: 1.0 / BEHAVIOR,
        trace: (m + 2) as f64,
        norm: 1.0,
    }
}

/// A run of Algorithm 1 on the family.
#[derive(Debug)]
pub struct Run {
    estimator: Estimator,
    constants: Constants<f64>,
    rates: Rates<f64>,
    inner: usize,
    /// Λ^{−1/2}: its two entries for the actions, and that of every other coordinate.
    weights: [f64; 3],
    theta: Vec<f64>,
    /// β_t.
    pub beta: Vec<f64>,
    /// α Σ_{i<t} (θ_i(0) − θ_i(1)): the states' own coordinates are common to both actions.
    logit: f64,
}

/// θ = scale·y, and Σ_k θ_{t,k} as far as each coordinate was brought up to date.
struct Scaled<'a> {
    y: &'a mut [f64],
    scale: f64,
    norm_squared: f64,
    sums: Vec<f64>,
    /// Σ of the scales so far; and its value when a coordinate was last brought up to date.
    scales: f64,
    seen: Vec<f64>,
}

impl<'a> Scaled<'a> {
    fn new(y: &'a mut [f64]) -> Self {
        let (d, norm_squared) = (y.len(), y.iter().map(|y| y * y).sum());
        Self { y, scale: 1.0, norm_squared, sums: vec![0.0; d], scales: 1.0, seen: vec![0.0; d] }
    }

    fn update(&mut self, i: usize) {
        self.sums[i] += self.y[i] * (self.scales - self.seen[i]);
        self.seen[i] = self.scales;
    }

    fn add(&mut self, i: usize, amount: f64) {
        self.update(i);
        let step = amount / self.scale;
        self.norm_squared += step * (2.0 * self.y[i] + step);
        self.y[i] += step;
    }

    /// Π onto the ball, and the next term of the sums. Half of the digits are left when the scale falls below 2⁻²⁶: it is folded in then.
    fn project(&mut self, radius_squared: f64) {
        let norm_squared = self.scale * self.scale * self.norm_squared;
        if norm_squared > radius_squared {
            self.scale *= (radius_squared / norm_squared).sqrt();
        }
        self.scales += self.scale;
        if self.scale < 1.5e-8 {
            self.fold();
        }
    }

    fn fold(&mut self) {
        self.norm_squared = 0.0;
        for i in 0..self.y.len() {
            self.update(i);
            self.y[i] *= self.scale;
            self.seen[i] = 0.0;
            self.norm_squared += self.y[i] * self.y[i];
        }
        (self.scale, self.scales) = (1.0, 0.0);
    }

    /// (1/K) Σ_k θ_{t,k}, in θ's place.
    fn average(mut self, count: usize) {
        for i in 0..self.y.len() {
            self.update(i);
            self.y[i] = self.sums[i] / count as f64;
        }
    }
}

impl Run {
    /// θ₀ = 0, β₁ = 0, the theorem's rates.
    pub fn new(estimator: Estimator, m: usize, inner: usize, outer: usize) -> Result<Self> {
        let constants = constants(m);
        let rates = rates(&constants, inner, outer)?;
        let weights = [BEHAVIOR.sqrt().recip(), (1.0 - BEHAVIOR).sqrt().recip(), (m as f64).sqrt() / KAPPA];
        let zeros = vec![0.0; m + 2];
        Ok(Self { estimator, constants, rates, inner, weights, theta: zeros.clone(), beta: zeros, logit: 0.0 })
    }

    /// π_t(0).
    #[must_use]
    pub fn policy(&self) -> f64 {
        1.0 / (1.0 + (-self.logit).exp())
    }

    /// ρ(π*) − ρ(π_t).
    #[must_use]
    pub fn suboptimality(&self) -> f64 {
        (1.0 - self.policy()) * (1.0 - REWARD)
    }

    /// One outer iteration.
    pub fn outer_iteration(&mut self, mut draw: impl FnMut() -> Draw) {
        let (eta, policy, [_, _, rest]) = (self.rates.eta, self.policy(), self.weights);
        let mut theta = Scaled::new(&mut self.theta);
        for _ in 1..self.inner {
            let (x0, x, a) = draw();
            let ((j0, at_start), (j, here)) = (coordinate(x0), coordinate(x));
            // Φᵀμ = Σ_a π(a)φ(X⁰, a)
            theta.add(0, -eta * policy);
            theta.add(1, -eta * (1.0 - policy));
            theta.add(j0, -eta * at_start);
            // (10): the part at (X, A)
            let (first, second) = match self.estimator {
                Estimator::Printed => {
                    let product = self.beta[a] + here * self.beta[j];
                    (self.weights[a] * product, rest * here * product)
                }
                Estimator::Corrected => {
                    let w = self.weights[a] * self.beta[a] + here * rest * self.beta[j];
                    (w, here * w)
                }
            };
            theta.add(a, eta * first);
            theta.add(j, eta * second);
            theta.project(self.constants.theta_squared);
        }
        theta.average(self.inner);
        let (_, x, a) = draw();
        let (j, here) = coordinate(x);
        let td_error = [1.0, REWARD][a] - self.theta[a] - here * self.theta[j];
        self.beta[a] += self.rates.zeta * self.weights[a] * td_error;
        self.beta[j] += self.rates.zeta * rest * here * td_error;
        let norm_squared: f64 = self.beta.iter().map(|b| b * b).sum();
        if norm_squared > self.constants.beta_squared {
            let shrunk = (self.constants.beta_squared / norm_squared).sqrt();
            self.beta.iter_mut().for_each(|b| *b *= shrunk);
        }
        self.logit += self.rates.alpha * (self.theta[0] - self.theta[1]);
    }
}

/// The coordinate of a state and its feature there, κσ.
fn coordinate(x: usize) -> (usize, f64) {
    (2 + x / 2, if x.is_multiple_of(2) { KAPPA } else { -KAPPA })
}

/// Draws of the data law, the portable generator of a seed behind them; of X⁰, X and A, each has its own number.
pub fn draws(m: usize, seed: u64) -> impl FnMut() -> Draw {
    let mut uniforms = Uniforms::new(seed);
    move || {
        let mut state = || (uniforms.unit() * (2 * m) as f64) as usize;
        (state(), state(), usize::from(uniforms.unit() >= BEHAVIOR))
    }
}

#[allow(dead_code)] // of the test that includes this file
fn main() -> Result<()> {
    let seeds = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1);
    let (m, inner, outer) = (1024, 800, 4_000_000);
    let constants = constants(m);
    let promised = bound(&constants, &rates(&constants, inner, outer)?, inner, outer)?;
    println!("m = {m}, K = {inner}, T = {outer}: Theorem A.1's six terms, corrected: {promised:.4}");
    for seed in 0..seeds {
        for estimator in [Estimator::Printed, Estimator::Corrected] {
            let (mut run, mut draw, mut total) = (Run::new(estimator, m, inner, outer)?, draws(m, seed), 0.0);
            for _ in 0..outer {
                total += run.suboptimality();
                run.outer_iteration(&mut draw);
            }
            println!("seed {seed}, g̃_θ {estimator:?}: average suboptimality {:.4}", total / outer as f64);
        }
    }
    Ok(())
}
