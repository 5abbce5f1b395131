//! Appendix C: the dynamic duality gap, of any iterates and of a run of Algorithm 2.

use super::Check;
use super::case::{Case, Iterates, Power, count, vector};
use super::check::powered;
use super::compared::{Compared, equal};
use super::run::run;
use crate::error::Result;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::average_reward::duality_gap::{
    Comparators, Iterates as View, average_suboptimality, dynamic_duality_gap, rho_theta_stars, telescoped,
};
use crate::paper::average_reward::lagrangian::f_beta;
use crate::paper::average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};

pub const CHECKS: &[Check] = &[
    powered!(average_gap_is_suboptimality, "(27), Lemma C.3", "duality gap of any iterates = average suboptimality"),
    powered!(average_two_differences, "Lemma C.4", "f(β*,π*;ρ,θ) − f(β,π;ρ*,θ*) = its two differences"),
    powered!(average_gap_is_regrets, "Lemma C.4", "duality gap of any iterates = sum of the regrets"),
    powered!(average_rows_used, "Alg 2", "rows used = T(K+1)").enumerates(),
    powered!(average_gap_of_run, "Lemma C.3", "duality gap of a run = average suboptimality").enumerates(),
    powered!(average_regrets_of_run, "Lemma C.4", "duality gap of a run = sum of the regrets").enumerates(),
];

/// G_T, the average suboptimality, and the regrets of θ, ρ, β and π.
struct Gap {
    whole: Q,
    suboptimality: Q,
    regrets: [Q; 4],
}

/// With Lemma C.3's comparators.
fn gap(case: &Case, power: &Power, iterates: &Iterates, s: &mut [Q]) -> Result<Gap> {
    let (mdp, saddle, beta, policy) = (case.mdp()?, case.average_saddle(power)?, case.beta_star(power, s)?, &case.star);
    let view = View::new(&mdp, &iterates.rhos, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let rhos = vector(s, |s| Ok(rho_theta_stars(&saddle, &view, s)?.0))?;
    let thetas = vector(s, |s| Ok(rho_theta_stars(&saddle, &view, s)?.1))?;
    let comparators = Comparators { policy, beta: &beta, rhos: &rhos, thetas: &thetas };
    Ok(Gap {
        whole: dynamic_duality_gap(&saddle, &view, &comparators, s)?,
        suboptimality: average_suboptimality(&mdp, policy, &view, s)?,
        regrets: [
            theta_regret(&saddle, &view, &comparators, s)?,
            rho_regret(&saddle, &view, &comparators, s)?,
            beta_regret(&saddle, &view, &comparators, s)?,
            policy_regret(&mdp, &view, policy, s)?,
        ],
    })
}

fn gap_against_suboptimality(case: &Case, power: &Power, iterates: &Iterates, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, suboptimality, .. } = gap(case, power, iterates, s)?;
    Ok(equal(whole, suboptimality))
}

fn gap_against_regrets(case: &Case, power: &Power, iterates: &Iterates, s: &mut [Q]) -> Result<Compared> {
    let Gap { whole, regrets: [theta, rho, beta, pi], .. } = gap(case, power, iterates, s)?;
    Ok(equal(whole, theta + rho + beta + pi))
}

fn average_gap_is_suboptimality(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    gap_against_suboptimality(case, power, &case.iterates, s)
}

fn average_gap_is_regrets(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    gap_against_regrets(case, power, &case.iterates, s)
}

fn average_two_differences(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (saddle, star, Case { beta, policy, rho, theta, star: best, .. }) =
        (case.average_saddle(power)?, case.beta_star(power, s)?, case);
    let (theta_star, rho_star) = (super::section4::plus(theta, beta), rho.clone() + Q::one());
    let whole =
        f_beta(&saddle, &star, best, rho, theta, s)? - f_beta(&saddle, beta, policy, &rho_star, &theta_star, s)?;
    let [first, second] = telescoped(&saddle, (rho, theta, beta, policy), (&rho_star, &theta_star, &star, best), s)?;
    Ok(equal(whole, first + second))
}

fn average_rows_used(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let run = run(case, power, s)?;
    Ok(equal(count(run.rows), count(run.outer * (run.inner + 1))))
}

fn average_gap_of_run(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    gap_against_suboptimality(case, power, &run(case, power, s)?.iterates, s)
}

fn average_regrets_of_run(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    gap_against_regrets(case, power, &run(case, power, s)?.iterates, s)
}
