//! The expectations of Lemmas B.1, B.2 and C.4–C.7 over every data sequence: for K = 2 and T = 1, and of the β-regret, which that gives β₁
//! alone, for K = 1 and T = 2.
//!
//! At K = 2 and T = 1 the averaged iterates are θ_{1,1} = θ₀ and one step from it (and ρ likewise), so that W_{1,1} (and A') is all that is drawn, π₁
//! is uniform, and everything is rational. D_θ is the least radius that holds the iterates and the comparator, so that the projection
//! has nothing to do. At K = 1 and T = 2 every θ_t is θ₀ (and ρ_t is ρ₀), so that W₁ alone moves anything, from β₁ to β₂; π₂ is kept rational by
//! α = 0, on which no bound on the β-regret depends. `tests/theorems.rs` has longer runs, in doubles.
//!
//! π₁, β₁ and the comparators are not random, and every regret and the gap are affine in the iterates, which are: their expectations
//! are their values at the iterates' means. The tests below have them sample by sample.

use super::case::{Case, Outcome, Power, count, fill, vector, weighted};
use super::section3::{feature, visit};
use crate::error::Result;
use crate::linear::projection::project_unit_interval;
use crate::linear::vector::{axpy, dot, norm_squared};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::discounted::estimators::theta_gradient_estimate;
use crate::paper::{average_reward, discounted};
use std::slice;
use std::vec;
use std::vec::Vec;

/// What is expected, and the least D_θ², D_β² that hold every iterate and comparator.
#[derive(Debug, PartialEq)]
pub struct Expected {
    /// E Σ_k ⟨θ_{1,k} − θ*, g_θ⟩.
    pub theta: Q,
    /// E ⟨β* − β₁, g_β⟩.
    pub beta: Q,
    pub theta_squared: Q,
    pub beta_squared: Q,
}

/// What the average-reward setting has beside.
#[derive(Debug, PartialEq)]
pub struct ExpectedAverage {
    pub both: Expected,
    /// E Σ_i (ρ^{(i)} − ρ*)g_ρ.
    pub rho: Q,
    /// E of the π-regret at t = 1.
    pub policy: Q,
    /// E G_T.
    pub gap: Q,
}

/// The β-regret at K = 1, T = 2.
#[derive(Debug, PartialEq)]
pub struct BetaPath {
    /// E Σ_t ⟨β* − β_t, g_{β,t}⟩.
    pub regret: Q,
    /// The least D_θ² and D_β² that hold θ₀, and β₁, every β₂ and β*.
    pub theta_squared: Q,
    pub beta_squared: Q,
}

/// η, ζ and ξ.
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

/// ⟨x − y, z⟩.
fn ahead(x: &[Q], y: &[Q], z: &[Q]) -> Result<Q> {
    Ok(dot(x, z)? - dot(y, z)?)
}

/// From g_β at θ₀ and π₁, and g̃_β of a sample.
fn beta_path(
    case: &Case,
    beta_star: &[Q],
    g_beta: &[Q],
    mut estimate: impl FnMut(&Outcome) -> Result<Vec<Q>>,
) -> Result<BetaPath> {
    let mut beta_squared = larger(norm_squared(&case.beta)?, norm_squared(beta_star)?);
    let second = case.expectation(case.beta.len(), |o, out| {
        let ascent: Vec<Q> = estimate(o)?.into_iter().map(|g| -g).collect();
        out.clone_from_slice(&step(&case.beta, &ascent));
        beta_squared = larger(beta_squared.clone(), norm_squared(out)?);
        Ok(())
    })?;
    let regret = ahead(beta_star, &case.beta, g_beta)? + ahead(beta_star, &second, g_beta)?;
    Ok(BetaPath { regret, theta_squared: norm_squared(&case.theta)?, beta_squared })
}

/// Algorithm 1, from θ₀ and β₁, the case's θ and β.
pub fn discounted_beta_path(case: &Case, power: &Power, s: &mut [Q]) -> Result<BetaPath> {
    use discounted::estimators::{beta_gradient_estimate, td_error};
    let (policy, theta, actions) = (uniform(case), &case.theta, case.model.shape.actions);
    let (v, beta_star) = (case.v_theta(theta, &policy, s)?, case.beta_star(power, s)?);
    let g_beta = vector(s, |s| discounted::lagrangian::beta_gradient(&case.saddle(power)?, &policy, theta, s))?;
    beta_path(case, &beta_star, &g_beta, |o| {
        let (phi, reward) = (feature(case, o), &case.reward[o.x * actions + o.a]);
        let error = td_error(case.discount(), reward, &v[o.next], phi, theta)?;
        fill(theta.len(), |out| beta_gradient_estimate(power.weight.as_deref(), phi, &error, out))
    })
}

/// Algorithm 2, likewise, with ρ₀ the case's ρ.
pub fn average_beta_path(case: &Case, power: &Power, s: &mut [Q]) -> Result<BetaPath> {
    use average_reward::estimators::{beta_gradient_estimate, td_error};
    use average_reward::lagrangian::beta_gradient;
    let (policy, theta, actions) = (uniform(case), &case.theta, case.model.shape.actions);
    let (v, beta_star) = (case.v_theta(theta, &policy, s)?, case.beta_star(power, s)?);
    let g_beta = vector(s, |s| beta_gradient(&case.average_saddle(power)?, &policy, &case.rho, theta, s))?;
    beta_path(case, &beta_star, &g_beta, |o| {
        let (phi, reward) = (feature(case, o), &case.reward[o.x * actions + o.a]);
        let error = td_error(reward, &v[o.next], phi, theta, &case.rho)?;
        fill(theta.len(), |out| beta_gradient_estimate(power.weight.as_deref(), phi, &error, out))
    })
}

/// Algorithm 1, from θ₀ and β₁, the case's θ and β.
pub fn discounted(case: &Case, power: &Power, s: &mut [Q]) -> Result<Expected> {
    use discounted::lagrangian::{beta_gradient, theta_gradient, theta_of_policy};
    let (saddle, policy, mdp, dim) = (case.saddle(power)?, uniform(case), case.mdp()?, case.theta.len());
    let (start, beta_1, beta_star) = (&case.theta, &case.beta, case.beta_star(power, s)?);
    let theta_star = vector(s, |s| theta_of_policy(&mdp, &policy, s))?;
    let weighted = weighted(power, beta_1)?;
    let mut theta_squared = larger(norm_squared(start)?, norm_squared(&theta_star)?);
    let mean = case.expectation(dim, |o, gradient| {
        theta_gradient_estimate(case.discount(), &visit(case, &policy, o), &weighted, gradient, s)?;
        theta_squared = larger(theta_squared.clone(), norm_squared(&step(start, gradient))?);
        Ok(())
    })?;
    let second = step(start, &mean);
    let g_theta = vector(s, |s| theta_gradient(&saddle, beta_1, &policy, s))?;
    let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &mean_of_two(start, &second), s))?;
    Ok(Expected {
        theta: discounted::regret::inner_regret(&[&start[..], &second[..]].concat(), &theta_star, &g_theta)?,
        beta: ahead(&beta_star, beta_1, &g_beta)?,
        theta_squared,
        beta_squared: larger(norm_squared(beta_1)?, norm_squared(&beta_star)?),
    })
}

/// Algorithm 2, from θ₀, ρ₀ and β₁, the case's θ, ρ and β.
pub fn average(case: &Case, power: &Power, s: &mut [Q]) -> Result<ExpectedAverage> {
    use average_reward::estimators::{rho_gradient_estimate, theta_gradient_estimate};
    use average_reward::lagrangian::{beta_gradient, f_beta, rho_gradient, theta_gradient, theta_of_policy};
    let (saddle, policy, mdp, dim) = (case.average_saddle(power)?, uniform(case), case.mdp()?, case.theta.len());
    let (start, beta_1, beta_star) = (&case.theta, &case.beta, case.beta_star(power, s)?);
    let (rho_star, theta_star) =
        theta_of_policy(&mdp, &case.varrho, &policy, &mut &mut *s).map(|(rho, theta)| (rho, theta.to_vec()))?;
    let weighted = weighted(power, beta_1)?;
    let mut theta_squared = larger(norm_squared(start)?, norm_squared(&theta_star)?);
    let rho_2 = case.expectation(1, |o, out| {
        let gradient = rho_gradient_estimate(feature(case, o), &weighted)?;
        out[0] = project_unit_interval(case.rho.clone() - gradient * rate())?;
        Ok(())
    })?;
    let mean = case.expectation(dim, |o, mean| {
        mean.fill(Q::zero());
        for (a, chance) in case.row(&policy, o.next).iter().enumerate() {
            let phi_next = &case.features_of(o.next)[a * dim..(a + 1) * dim];
            let gradient = fill(dim, |out| theta_gradient_estimate(feature(case, o), phi_next, &weighted, out))?;
            axpy(chance, &gradient, mean)?;
            theta_squared = larger(theta_squared.clone(), norm_squared(&step(start, &gradient))?);
        }
        Ok(())
    })?;
    let second = step(start, &mean);
    let (rho, theta) = (mean_of_two(slice::from_ref(&case.rho), &rho_2), mean_of_two(start, &second));
    let g_theta = vector(s, |s| theta_gradient(&saddle, beta_1, &policy, s))?;
    let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &rho[0], &theta, s))?;
    let (actions, nu, q) = (case.model.shape.actions, case.marginal(&case.mu_star)?, case.linear_function(&theta)?);
    let both = Expected {
        theta: discounted::regret::inner_regret(&[&start[..], &second[..]].concat(), &theta_star, &g_theta)?,
        beta: ahead(&beta_star, beta_1, &g_beta)?,
        theta_squared,
        beta_squared: larger(norm_squared(beta_1)?, norm_squared(&beta_star)?),
    };
    Ok(ExpectedAverage {
        both,
        rho: (rho[0].clone() - &rho_star) * Q::from_int(2) * rho_gradient(&saddle, beta_1, s)?,
        policy: discounted::regret::policy_advantage(actions, &nu, &case.star, &policy, &q)?,
        gap: f_beta(&saddle, &beta_star, &case.star, &rho[0], &theta, s)?
            - f_beta(&saddle, beta_1, &policy, &rho_star, &theta_star, s)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances;
    use crate::paper::Setting;

    /// Every instance that is small enough, at each of its powers.
    fn for_cases(setting: Setting, check: impl Fn(&Case, &Power, &mut [Q])) {
        let mut seen = 0;
        for instance in instances::all() {
            let Ok(case) = instance.to_owned().and_then(|model| Case::new(setting, model)) else { continue };
            for power in &case.powers {
                check(&case, power, &mut case.scratch());
                seen += 1;
            }
        }
        assert!(seen > 3, "{seen} cases of {setting:?}");
    }

    /// E of the regrets and of the gap, from the regrets of every data sequence.
    #[test]
    fn expected_by_affinity_is_the_mean_over_samples_discounted() {
        use discounted::lagrangian::{beta_gradient, theta_gradient, theta_of_policy};
        for_cases(Setting::Discounted, |case, power, s| {
            let (saddle, policy, dim) = (case.saddle(power).unwrap(), uniform(case), case.theta.len());
            let theta_star = vector(s, |s| theta_of_policy(saddle.mdp(), &policy, s)).unwrap();
            let g_theta = vector(s, |s| theta_gradient(&saddle, &case.beta, &policy, s)).unwrap();
            let (weighted, beta_star) = (weighted(power, &case.beta).unwrap(), case.beta_star(power, s).unwrap());
            let (mut theta_sum, mut beta_sum, mut largest) = (Q::zero(), Q::zero(), norm_squared(&case.theta).unwrap());
            largest = larger(largest, norm_squared(&theta_star).unwrap());
            for o in case.outcomes() {
                let visit = visit(case, &policy, &o);
                let estimate = |out: &mut [Q]| theta_gradient_estimate(case.discount(), &visit, &weighted, out, s);
                let second = step(&case.theta, &fill(dim, estimate).unwrap());
                let theta = mean_of_two(&case.theta, &second);
                let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &theta, s)).unwrap();
                for iterate in [&case.theta, &second] {
                    theta_sum += ahead(iterate, &theta_star, &g_theta).unwrap() * &o.probability;
                }
                beta_sum += ahead(&beta_star, &case.beta, &g_beta).unwrap() * &o.probability;
                largest = larger(largest, norm_squared(&second).unwrap());
            }
            let found = discounted(case, power, s).unwrap();
            assert_eq!((found.theta, found.beta, found.theta_squared), (theta_sum, beta_sum, largest));
        });
    }

    #[test]
    fn expected_by_affinity_is_the_mean_over_samples_average() {
        use average_reward::estimators::{rho_gradient_estimate, theta_gradient_estimate};
        use average_reward::lagrangian::{beta_gradient, f_beta, rho_gradient, theta_gradient, theta_of_policy};
        for_cases(Setting::Average, |case, power, s| {
            let (saddle, policy, dim) = (case.average_saddle(power).unwrap(), uniform(case), case.theta.len());
            let (rho_star, theta_star) = theta_of_policy(saddle.mdp(), &case.varrho, &policy, &mut &mut *s)
                .map(|(rho, theta)| (rho, theta.to_vec()))
                .unwrap();
            let g_theta = vector(s, |s| theta_gradient(&saddle, &case.beta, &policy, s)).unwrap();
            let g_rho = rho_gradient(&saddle, &case.beta, s).unwrap();
            let (weighted, beta_star) = (weighted(power, &case.beta).unwrap(), case.beta_star(power, s).unwrap());
            let nu = case.marginal(&case.mu_star).unwrap();
            let end = f_beta(&saddle, &case.beta, &policy, &rho_star, &theta_star, s).unwrap();
            let [mut theta_sum, mut beta_sum, mut rho_sum, mut policy_sum, mut gap_sum] = [(); 5].map(|()| Q::zero());
            for o in case.outcomes() {
                let rho_step = rho_gradient_estimate(feature(case, &o), &weighted).unwrap() * rate();
                let rho_2 = project_unit_interval(case.rho.clone() - rho_step).unwrap();
                let rho = (case.rho.clone() + &rho_2) / Q::from_int(2);
                for (a, chance) in case.row(&policy, o.next).iter().enumerate() {
                    let (probability, next) = (o.probability.clone() * chance, case.features_of(o.next));
                    let phi_next = &next[a * dim..(a + 1) * dim];
                    let estimate = |out: &mut [Q]| theta_gradient_estimate(feature(case, &o), phi_next, &weighted, out);
                    let second = step(&case.theta, &fill(dim, estimate).unwrap());
                    let theta = mean_of_two(&case.theta, &second);
                    let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &rho, &theta, s)).unwrap();
                    for (rho, iterate) in [(&case.rho, &case.theta), (&rho_2, &second)] {
                        theta_sum += ahead(iterate, &theta_star, &g_theta).unwrap() * &probability;
                        rho_sum += (rho.clone() - &rho_star) * &g_rho * &probability;
                    }
                    beta_sum += ahead(&beta_star, &case.beta, &g_beta).unwrap() * &probability;
                    let (actions, q) = (case.model.shape.actions, case.linear_function(&theta).unwrap());
                    let advantage = discounted::regret::policy_advantage(actions, &nu, &case.star, &policy, &q);
                    policy_sum += advantage.unwrap() * &probability;
                    let top = f_beta(&saddle, &beta_star, &case.star, &rho, &theta, s).unwrap();
                    gap_sum += (top - &end) * &probability;
                }
            }
            let ExpectedAverage { both, rho, policy, gap } = average(case, power, s).unwrap();
            assert_eq!([both.theta, both.beta, rho, policy, gap], [theta_sum, beta_sum, rho_sum, policy_sum, gap_sum]);
        });
    }

    /// As E g̃_β = g_β, β₂ is β₁ + ζg_β on average.
    #[test]
    fn a_beta_path_is_a_step_along_the_gradient() {
        let expect = |case: &Case, power: &Power, s: &mut [Q], g_beta: &[Q], path: BetaPath| {
            let beta_star = case.beta_star(power, s).unwrap();
            let twice = ahead(&beta_star, &case.beta, g_beta).unwrap() * Q::from_int(2);
            assert_eq!(path.regret, twice - norm_squared(g_beta).unwrap() * rate());
        };
        for_cases(Setting::Discounted, |case, power, s| {
            let (saddle, policy) = (case.saddle(power).unwrap(), uniform(case));
            let g_beta =
                vector(s, |s| discounted::lagrangian::beta_gradient(&saddle, &policy, &case.theta, s)).unwrap();
            let path = discounted_beta_path(case, power, s).unwrap();
            expect(case, power, s, &g_beta, path);
        });
        for_cases(Setting::Average, |case, power, s| {
            use average_reward::lagrangian::beta_gradient;
            let (saddle, policy) = (case.average_saddle(power).unwrap(), uniform(case));
            let g_beta = vector(s, |s| beta_gradient(&saddle, &policy, &case.rho, &case.theta, s)).unwrap();
            let path = average_beta_path(case, power, s).unwrap();
            expect(case, power, s, &g_beta, path);
        });
    }
}
