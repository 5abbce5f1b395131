//! The expectations of Lemmas B.1, B.2 and C.4–C.7 over every data sequence, for K = 2 and T = 1.
//!
//! The averaged iterates are then θ_{1,1} = θ₀ and one step from it (and ρ likewise), so that W_{1,1} (and A') is all that is drawn, π₁
//! is uniform, and everything is rational. D_θ is the least radius that holds the iterates and the comparator, so that the projection
//! has nothing to do. `tests/theorems.rs` has longer runs, in doubles.

use super::case::{Case, Power, count, fill, vector, weighted};
use super::section3::{feature, visit};
use crate::error::Result;
use crate::linear::projection::project_unit_interval;
use crate::linear::vector::{dot, norm_squared};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::discounted::estimators::theta_gradient_estimate;
use crate::paper::{average_reward, discounted};
use std::vec;
use std::vec::Vec;

/// What is expected, and the least D_θ², D_β² that hold every iterate and comparator.
pub struct Expected {
    /// E Σ_k ⟨θ_{1,k} − θ*, g_θ⟩.
    pub theta: Q,
    /// E ⟨β* − β₁, g_β⟩.
    pub beta: Q,
    /// E Σ_i (ρ^{(i)} − ρ*)g_ρ, in the average-reward setting.
    pub rho: Q,
    /// E of the π-regret at t = 1.
    pub policy: Q,
    /// E G_T.
    pub gap: Q,
    pub theta_squared: Q,
    pub beta_squared: Q,
}

/// η, and ξ.
pub fn rate() -> Q {
    Q::ratio(1, 4)
}

fn larger(a: Q, b: Q) -> Q {
    if b > a { b } else { a }
}

fn uniform(case: &Case) -> Vec<Q> {
    vec![Q::one() / count(case.model.shape.actions); case.mu.len()]
}

/// y − ηg.
fn step(y: &[Q], gradient: &[Q]) -> Vec<Q> {
    y.iter().zip(gradient).map(|(y, g)| y.clone() - g.clone() * rate()).collect()
}

fn mean_of_two(a: &[Q], b: &[Q]) -> Vec<Q> {
    a.iter().zip(b).map(|(a, b)| (a.clone() + b) / Q::from_int(2)).collect()
}

impl Expected {
    fn new(theta_squared: Q, beta_squared: Q) -> Self {
        let [theta, beta, rho, policy, gap] = [(); 5].map(|()| Q::zero());
        Self { theta, beta, rho, policy, gap, theta_squared, beta_squared }
    }
}

/// Algorithm 1, from θ₀ and β₁, the case's θ and β.
pub fn discounted(case: &Case, power: &Power, s: &mut [Q]) -> Result<Expected> {
    use discounted::lagrangian::{beta_gradient, f_theta, theta_gradient, theta_of_policy};
    let (saddle, policy, mdp, dim) = (case.saddle(power)?, uniform(case), case.mdp()?, case.theta.len());
    let (start, beta_1, beta_star) = (&case.theta, &case.beta, case.beta_star(power, s)?);
    let theta_star = vector(s, |s| theta_of_policy(&mdp, &policy, s))?;
    let g_theta = vector(s, |s| theta_gradient(&saddle, beta_1, &policy, s))?;
    let (nu, weighted) = (case.marginal(&case.mu_star)?, weighted(power, beta_1)?);
    let radii = (
        larger(norm_squared(start)?, norm_squared(&theta_star)?),
        larger(norm_squared(beta_1)?, norm_squared(&beta_star)?),
    );
    let mut expected = Expected::new(radii.0, radii.1);
    let end = f_theta(&saddle, beta_1, &policy, &theta_star, s)?;
    for o in case.outcomes() {
        let visit = visit(case, &policy, &o);
        let gradient = fill(dim, |out| theta_gradient_estimate(case.discount(), &visit, &weighted, out, s))?;
        let second = step(start, &gradient);
        let theta = mean_of_two(start, &second);
        let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &theta, s))?;
        let q = case.linear_function(&theta)?;
        let advantage = discounted::regret::policy_advantage(case.model.shape.actions, &nu, &case.star, &policy, &q)?;
        let inner = discounted::regret::inner_regret(&[&start[..], &second[..]].concat(), &theta_star, &g_theta)?;
        let gap = f_theta(&saddle, &beta_star, &case.star, &theta, s)? - &end;
        expected.theta += inner * &o.probability;
        expected.beta += (dot(&beta_star, &g_beta)? - dot(beta_1, &g_beta)?) * &o.probability;
        expected.policy += advantage * &o.probability;
        expected.gap += gap * &o.probability;
        expected.theta_squared = larger(expected.theta_squared, norm_squared(&second)?);
    }
    Ok(expected)
}

/// Algorithm 2, from θ₀, ρ₀ and β₁, the case's θ, ρ and β.
pub fn average(case: &Case, power: &Power, s: &mut [Q]) -> Result<Expected> {
    use average_reward::estimators::{rho_gradient_estimate, theta_gradient_estimate};
    use average_reward::lagrangian::{beta_gradient, f_beta, rho_gradient, theta_gradient, theta_of_policy};
    let (saddle, policy, mdp, dim) = (case.average_saddle(power)?, uniform(case), case.mdp()?, case.theta.len());
    let (start, beta_1, beta_star) = (&case.theta, &case.beta, case.beta_star(power, s)?);
    let (rho_star, theta_star) =
        theta_of_policy(&mdp, &case.varrho, &policy, &mut &mut *s).map(|(rho, theta)| (rho, theta.to_vec()))?;
    let g_theta = vector(s, |s| theta_gradient(&saddle, beta_1, &policy, s))?;
    let g_rho = rho_gradient(&saddle, beta_1, s)?;
    let (nu, weighted) = (case.marginal(&case.mu_star)?, weighted(power, beta_1)?);
    let radii = (
        larger(norm_squared(start)?, norm_squared(&theta_star)?),
        larger(norm_squared(beta_1)?, norm_squared(&beta_star)?),
    );
    let mut expected = Expected::new(radii.0, radii.1);
    let end = f_beta(&saddle, beta_1, &policy, &rho_star, &theta_star, s)?;
    for o in case.outcomes() {
        let rho_2 =
            project_unit_interval(case.rho.clone() - rho_gradient_estimate(feature(case, &o), &weighted)? * rate())?;
        let rho = (case.rho.clone() + &rho_2) / Q::from_int(2);
        let rho_sum = (case.rho.clone() + &rho_2 - rho_star.clone() * Q::from_int(2)) * &g_rho;
        for (a, chance) in case.row(&policy, o.next).iter().enumerate() {
            let probability = o.probability.clone() * chance;
            let phi_next = &case.features_of(o.next)[a * dim..(a + 1) * dim];
            let gradient = fill(dim, |out| theta_gradient_estimate(feature(case, &o), phi_next, &weighted, out))?;
            let second = step(start, &gradient);
            let theta = mean_of_two(start, &second);
            let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &rho, &theta, s))?;
            let q = case.linear_function(&theta)?;
            let advantage =
                discounted::regret::policy_advantage(case.model.shape.actions, &nu, &case.star, &policy, &q)?;
            let inner = discounted::regret::inner_regret(&[&start[..], &second[..]].concat(), &theta_star, &g_theta)?;
            let gap = f_beta(&saddle, &beta_star, &case.star, &rho, &theta, s)? - &end;
            expected.theta += inner * &probability;
            expected.rho += rho_sum.clone() * &probability;
            expected.beta += (dot(&beta_star, &g_beta)? - dot(beta_1, &g_beta)?) * &probability;
            expected.policy += advantage * &probability;
            expected.gap += gap * &probability;
            expected.theta_squared = larger(expected.theta_squared, norm_squared(&second)?);
        }
    }
    Ok(expected)
}
