//! Algorithms 1 and 2, written a second time, from the paper's boxes and the order of operations that the library documents, with vectors
//! that allocate. These are the only straight-line versions besides the library's: they share its ⟨·,·⟩, ‖·‖ and exp, and nothing else.
//! (`tests/port` is no version of them but a family, of right and wrong ones, that the conformance kit has to tell apart.)

use offline_primal_dual::linear::vector::{dot, norm};
use offline_primal_dual::number::exponential::exp;
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::Sample;

/// The features and the samples.
pub struct Problem {
    pub actions: usize,
    pub dim: usize,
    pub features: Vec<f64>,
    pub samples: Vec<Sample<f64>>,
}

/// What an outer iteration leaves: θ_t, β_{t+1}, Σ_{i≤t} θ_i and, of Algorithm 2, ρ_t.
pub struct After {
    pub theta: Vec<f64>,
    pub beta: Vec<f64>,
    pub sum: Vec<f64>,
    pub rho: f64,
}

impl Problem {
    pub fn phi(&self, x: usize, a: usize) -> &[f64] {
        &self.features[(x * self.actions + a) * self.dim..][..self.dim]
    }

    /// softmax(α⟨φ(x,·), Σθ⟩), from its definition.
    pub fn policy(&self, alpha: f64, theta_sum: &[f64], x: usize) -> Vec<f64> {
        let z: Vec<f64> = (0..self.actions).map(|a| dot(self.phi(x, a), theta_sum).unwrap() * alpha).collect();
        let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let e: Vec<f64> = z.iter().map(|z| exp(z - top)).collect();
        let mut total = 0.0;
        for e in &e {
            total += e;
        }
        e.iter().map(|e| e / total).collect()
    }
}

fn times(weight: Option<&[f64]>, x: &[f64]) -> Vec<f64> {
    weight.map_or(x.to_vec(), |m| m.chunks(x.len()).map(|row| dot(row, x).unwrap()).collect())
}

fn ball(y: Vec<f64>, radius: f64) -> Vec<f64> {
    let n = norm(&y).unwrap();
    if n <= radius { y } else { y.iter().map(|y| y * (radius / n)).collect() }
}

fn mean(iterates: &[Vec<f64>]) -> Vec<f64> {
    let share = 1.0 / iterates.len() as f64;
    (0..iterates[0].len()).map(|j| iterates.iter().fold(0.0, |sum, v| sum + v[j]) * share).collect()
}

/// Algorithm 1.
pub fn algorithm_1(p: &Problem, weight: Option<&[f64]>, par: &discounted::Parameters<f64>, outer: usize) -> Vec<After> {
    let d = p.dim;
    let (mut theta, mut beta, mut sum) = (vec![0.0; d], vec![0.0; d], vec![0.0; d]);
    let mut data = p.samples.iter();
    let mut steps = Vec::new();
    for _ in 0..outer {
        let weighted = times(weight, &beta);
        let mut iterates = vec![theta.clone()];
        for _ in 1..par.inner {
            let s = data.next().unwrap();
            let phi = p.phi(s.x, s.a);
            let w = dot(phi, &weighted).unwrap();
            let mut g = vec![0.0; d];
            for (x, mass) in [(s.x0, 1.0 - par.discount), (s.x_next, par.discount * w)] {
                for (a, probability) in p.policy(par.alpha, &sum, x).iter().enumerate() {
                    for j in 0..d {
                        g[j] += p.phi(x, a)[j] * (probability * mass);
                    }
                }
            }
            let y = (0..d).map(|j| theta[j] - par.eta * (g[j] - w * phi[j])).collect();
            theta = ball(y, par.radius_theta);
            iterates.push(theta.clone());
        }
        theta = mean(&iterates);
        let s = data.next().unwrap();
        let phi = p.phi(s.x, s.a);
        let q: Vec<f64> = (0..p.actions).map(|a| dot(p.phi(s.x_next, a), &theta).unwrap()).collect();
        let v = dot(&p.policy(par.alpha, &sum, s.x_next), &q).unwrap();
        let delta = s.r + par.discount * v - dot(phi, &theta).unwrap();
        let direction = times(weight, phi);
        beta = ball((0..d).map(|j| beta[j] + par.zeta * (direction[j] * delta)).collect(), par.radius_beta);
        sum = (0..d).map(|j| sum[j] + theta[j]).collect();
        steps.push(After { theta: theta.clone(), beta: beta.clone(), sum: sum.clone(), rho: 0.0 });
    }
    steps
}

/// Algorithm 2.
pub fn algorithm_2(p: &Problem, weight: Option<&[f64]>, par: &average::Parameters<f64>, outer: usize) -> Vec<After> {
    let d = p.dim;
    let (mut theta, mut beta, mut sum, mut rho) = (vec![0.0; d], vec![0.0; d], vec![0.0; d], 0.0);
    let mut data = p.samples.iter();
    let mut steps = Vec::new();
    for _ in 0..outer {
        let weighted = times(weight, &beta);
        let (mut iterates, mut rhos) = (vec![], vec![]);
        for _ in 0..par.inner {
            iterates.push(theta.clone());
            rhos.push(vec![rho]);
            let s = data.next().unwrap();
            let phi = p.phi(s.x, s.a);
            let w = dot(phi, &weighted).unwrap();
            let mut cumulative = 0.0;
            let draw = |probability: &f64| {
                cumulative += probability;
                cumulative > s.u
            };
            let a_next = p.policy(par.alpha, &sum, s.x_next).iter().position(draw).unwrap();
            let phi_next = p.phi(s.x_next, a_next);
            rho = f64::clamp(rho - par.xi * (1.0 - w), 0.0, 1.0);
            let y = (0..d).map(|j| theta[j] - par.eta * (phi_next[j] * w - phi[j] * w)).collect();
            theta = ball(y, par.radius_theta);
        }
        theta = mean(&iterates);
        rho = mean(&rhos)[0];
        let s = data.next().unwrap();
        let phi = p.phi(s.x, s.a);
        let q: Vec<f64> = (0..p.actions).map(|a| dot(p.phi(s.x_next, a), &theta).unwrap()).collect();
        let v = dot(&p.policy(par.alpha, &sum, s.x_next), &q).unwrap();
        let delta = s.r + v - dot(phi, &theta).unwrap() - rho;
        let direction = times(weight, phi);
        beta = ball((0..d).map(|j| beta[j] + par.zeta * (direction[j] * delta)).collect(), par.radius_beta);
        sum = (0..d).map(|j| sum[j] + theta[j]).collect();
        steps.push(After { theta: theta.clone(), beta: beta.clone(), sum: sum.clone(), rho });
    }
    steps
}
