//! What print says of the average-reward setting and the errata correct, evaluated as printed.

use super::Check;
use super::appendix_c_moments::{constants, mean_beta};
use super::appendix_c_radius::{corollary_radius, thetas_of_policy};
use super::case::{Case, Power};
use super::check::{powered_printed, printed};
use super::compared::{Compared, at_most, equal, equal_enclosed_vectors};
use super::printed::rows_needed;
use crate::errata::{theorem_c1_complexity, theorem_c1_inner_per_outer};
use crate::error::Result;
use crate::linear::softmax::policy_row;
use crate::linear::vector::norm_squared;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::paper::average_reward::guarantee::{complexity, inner_per_outer};
use std::vec::Vec;

pub const CHECKS: &[Check] = &[
    printed!(9, text_without_alpha, "softmax(ΣΦθ), as the text has it = softmax(αΣΦθ)"),
    printed!(12, corollary_with_one, "‖θ*‖ ≤ D_ω + 1 + D_ψD_q, Cor C.2 as printed").enumerates(),
    printed!(13, shifted_leaves_ball, "‖θ*‖² ≤ ‖θ^π‖²: Lemma C.3's shifted θ* stays in the ball"),
    powered_printed!(15, printed_average_ratio, "n at Thm C.1's printed K/T ≤ n at its reciprocal, log|A| = 1"),
    powered_printed!(16, printed_order, "order of n_ε ≤ the printed one, with ‖Λ‖^{2(2c−1)}"),
    powered_printed!(18, display_without_rho, "𝔼‖g̃_β‖² = Lemma C.5's display, without ρ").enumerates(),
];

/// At the first state, α = 3/4.
fn text_without_alpha(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let (features, theta) = (points(case.features_of(0)), points(&case.theta));
    let mut text = points(&case.policy[..case.model.shape.actions]);
    let mut algorithm = text.clone();
    policy_row(&Interval::one(), &features, &theta, &mut text)?;
    policy_row(&Interval::ratio(3, 4), &features, &theta, &mut algorithm)?;
    Ok(equal_enclosed_vectors(&text, &algorithm))
}

fn corollary_with_one(case: &Case, s: &mut [Q]) -> Result<Compared> {
    corollary_radius(case, &Q::one(), s)
}

fn shifted_leaves_ball(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let (theta, shifted) = thetas_of_policy(case, s)?;
    Ok(at_most(norm_squared(&shifted)?, norm_squared(&theta)?))
}

fn printed_average_ratio(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let (right, printed) = (inner_per_outer(&constants)?, theorem_c1_inner_per_outer(&constants)?);
    Ok(at_most(rows_needed(&printed, &right), rows_needed(&right, &right)))
}

/// Theorem C.1's order with ‖Λ‖^{2c−1}, as its terms give it, against print's ‖Λ‖^{2(2c−1)}; ‖Λ‖ from above.
fn printed_order(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    Ok(at_most(complexity(&constants, &Q::one())?, theorem_c1_complexity(&constants, &Q::one())?))
}

fn display_without_rho(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_beta(case, power, &case.rho, true, s)?.swap_remove(0);
    Ok(equal(moment, mean_beta(case, power, &Q::zero(), true, s)?.swap_remove(0)))
}
