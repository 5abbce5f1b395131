//! Calls with counts of the caller's: any function, any numbers, any lengths. No answer is checked, but that there is one.

use crate::harness::{CALLED, Dice, done};
use offline_primal_dual::instances;
use offline_primal_dual::linear::projection::*;
use offline_primal_dual::linear::range::{direction_outside_range, least_norm_solution};
use offline_primal_dual::linear::softmax::*;
use offline_primal_dual::linear::solve::{definiteness, inverse, rank, solve};
use offline_primal_dual::linear::vector::*;
use offline_primal_dual::number::rational::Rational64;
use offline_primal_dual::number::{Field, Real};
use offline_primal_dual::paper::average_reward;
use offline_primal_dual::paper::covariance::*;
use offline_primal_dual::paper::coverage::*;
use offline_primal_dual::paper::mdp::*;
use offline_primal_dual::paper::samples::FeatureTable;
use std::sync::atomic::Ordering::Relaxed;

/// Counts of a small model, or of none at all.
fn shape(dice: &mut Dice) -> Shape {
    if dice.below(8) == 0 {
        return Shape { states: dice.count(), actions: dice.count(), dim: dice.count() };
    }
    Shape { states: 1 + dice.below(3), actions: 1 + dice.below(3), dim: 1 + dice.below(3) }
}

/// So many numbers, as a rule; a distribution every other time.
fn sized(dice: &mut Dice, length: usize, width: usize) -> Vec<f64> {
    let length = if dice.below(20) == 0 { dice.below(9) } else { length.min(64) };
    let distribution = dice.below(2) == 0;
    (0..length)
        .map(|i| {
            if dice.below(30) == 0 {
                dice.number()
            } else if distribution && width > 0 {
                // One action, the same in all places, or spread evenly.
                if width.is_multiple_of(2) { 1.0 / width as f64 } else { f64::from(u8::from(i.is_multiple_of(width))) }
            } else {
                dice.below(9) as f64 / 4.0
            }
        })
        .collect()
}

/// So many calls, and what they are given, from one seed.
pub fn any_call(count: usize) {
    let mut dice = Dice::new(99);
    for _ in 0..count {
        match dice.below(5) {
            0 => numbers(&mut dice),
            1 => matrices(&mut dice),
            2 => tables(&mut dice),
            3 => linear_models(&mut dice),
            _ => scalars(&mut dice),
        }
    }
    CALLED.fetch_add(count, Relaxed);
}

fn numbers(dice: &mut Dice) {
    let (mut a, mut b, mut c, n) = (dice.numbers(), dice.numbers(), dice.numbers(), dice.count());
    let x = dice.number();
    match dice.below(14) {
        0 => done(dot(&a, &b)),
        1 => done(axpy(&x, &a, &mut b)),
        2 => done(apply(&a, &b, &mut c)),
        3 => done(apply_transposed(&a, &b, &mut c)),
        4 => done(take(&mut &mut a[..], n).map(|taken| taken.len())),
        5 => done(softmax(&mut a)),
        6 => done(policy_row(&x, &a, &b, &mut c)),
        7 => done(policy_table(n, &x, &a, &b, &mut c)),
        8 => done(inverse_cdf(&a, &x)),
        9 => done(project_ball(&mut a, &x)),
        10 => done(project_unit_interval(x)),
        11 => done((within_ball(&a, &x), average_within_ball(&a, n, &x), on_simplex(&a))),
        12 => done(norm_slack::<f64>(n)),
        _ => done((norm(&a), norm_squared(&b), all_finite("c", &c))),
    }
}

fn matrices(dice: &mut Dice) {
    let n = if dice.below(6) == 0 { dice.count() } else { 1 + dice.below(3) };
    let (mut a, mut b) = (sized(dice, n.saturating_mul(n), 0), sized(dice, n, 0));
    let (mut out, mut room, x) = (sized(dice, n.saturating_mul(n), 0), vec![0.0; dice.below(80)], dice.number());
    let c = if dice.below(2) == 0 { Exponent::Half } else { Exponent::One };
    match dice.below(16) {
        0 => done(solve(n, &mut a, &mut b)),
        1 => done(inverse(n, &mut a, &mut out)),
        2 => done(rank(n, &mut a)),
        3 => done(definiteness(n, &mut a)),
        4 => done(Spectrum::new(n, &a).map(|spectrum| (spectrum.power(x), spectrum.power_c(c), spectrum.weight(c)))),
        5 => done(
            Spectrum::for_exponent(c, n, &a)
                .map(|spectrum| (spectrum.trace_2c_minus_1(c), spectrum.norm_2c_minus_1(c))),
        ),
        6 => done(verify_root(n, &a, &out)),
        7 => done(trace(n, &a)),
        8 => done(weighted_norm_squared(n, &a, &b, &mut room)),
        9 => done(dagger_ratio(n, &a, &out)),
        10 => done(dagger_ratio_bracket(n, &a, &out, dice.below(9), &mut room)),
        11 => done(dagger_ratio_at_most(n, &a, &out, &x, &mut room)),
        12 => done(diamond_ratio_trace(n, &a, &out, &mut room)),
        13 => done(least_norm_solution("Λ", n, &a, &b, &mut &mut room[..]).map(|z| z.len())),
        14 => done(direction_outside_range("Λ", n, &a, &b, &mut &mut room[..]).map(|found| found.is_some())),
        _ => done(inverse_norm_squared(c, n, &a, &b, &mut room)),
    }
}

fn tables(dice: &mut Dice) {
    let Shape { states, actions, .. } = shape(dice);
    let pairs = states.saturating_mul(actions);
    let (reward, mut room) = (sized(dice, pairs, 0), vec![0.0; 200]);
    let (next, initial) = (sized(dice, pairs.saturating_mul(states), states), sized(dice, states, states));
    let (policy, v, discount) = (sized(dice, pairs, actions), sized(dice, states, 0), dice.number());
    let room = &mut &mut room[..];
    match dice.below(6) {
        0 => done(validate_policy(states, actions, &policy)),
        1 => done(uniform_policy(states, actions, room).map(|policy| policy.len())),
        2 => done(deterministic_policy(states.min(1 << 12), actions, |x| x % 3, room).map(|policy| policy.len())),
        3 => done(extract_policy(actions, &policy, room).map(|policy| policy.len())),
        4 => done(policy_average(actions, &policy, &reward, room).map(|mean| mean.len())),
        _ => {
            let made = if dice.below(2) == 0 { Mdp::new } else { Mdp::unvalidated };
            let Ok(mdp) = made(states, actions, &reward, &next, &initial, &discount) else { return };
            done(mdp.next(dice.count(), dice.count()));
            done(mdp.validate());
            match dice.below(6) {
                0 => done(state_value(&mdp, &policy, room).map(|v| v.len())),
                1 => done(occupancy(&mdp, &policy, room).map(|mu| mu.len())),
                2 => done(optimal_policy(&mdp, room).map(|(policy, _)| policy.len())),
                3 => done(average_reward::values::state_value(&mdp, &policy, room).map(|(gain, _)| gain)),
                4 => done(average_reward::values::occupancy(&mdp, &policy, room).map(|mu| mu.len())),
                _ => done(action_value(&mdp, &v, room).map(|q| q.len())),
            }
        }
    }
}

fn linear_models(dice: &mut Dice) {
    let shape = shape(dice);
    let Shape { states, actions, dim } = shape;
    let pairs = states.saturating_mul(actions);
    let (features, omega) = (sized(dice, pairs.saturating_mul(dim), dim), sized(dice, dim, 0));
    let (psi, initial) = (sized(dice, states.saturating_mul(dim), 0), sized(dice, states, states));
    let (mu, discount, mut room) = (sized(dice, pairs, actions), dice.number(), vec![0.0; 400]);
    done(FeatureTable::new(actions, dim, &features));
    done((shape.pairs(), shape.scratch(), Shape::new(states, actions, dim)));
    let made = if dice.below(2) == 0 { LinearMdp::new } else { LinearMdp::unvalidated };
    let Ok(mdp) = made(shape, &features, &omega, &psi, &initial, &discount) else { return };
    done(mdp.feature(dice.count(), dice.count()));
    let lambda = sized(dice, dim * dim, 0);
    match dice.below(7) {
        0 => done(mdp.validate(&mut room)),
        1 => done(covariance(&mdp, &mu, &mut &mut room[..]).map(|lambda| lambda.len())),
        2 => done(coverage_ratio(Exponent::One, &mdp, &mu, &lambda, &mut room)),
        3 => done(unseen_direction(&mdp, &mu, &lambda, &mut &mut room[..]).map(|found| found.is_some())),
        4 => done(ones_coefficients(&mdp, &mut &mut room[..]).map(|varrho| varrho.len())),
        5 => done(squared_bounds(&mdp, &mut room)),
        _ => done(mdp.tabulate(&mut &mut room[..]).map(|table| table.pairs())),
    }
}

fn scalars(dice: &mut Dice) {
    let integer = |dice: &mut Dice| match dice.below(6) {
        0 => i64::MIN,
        1 => i64::MAX,
        2 => 0,
        _ => dice.below(1 << 40) as i64 - (1 << 39),
    };
    let rational =
        |dice: &mut Dice| Rational64::new(integer(dice), integer(dice)).unwrap_or_else(|_| Rational64::ratio(1, 3));
    let (a, b) = (rational(dice), rational(dice));
    done((
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        a.abs(),
        a < b,
        a == b,
        a.checked_add(b),
        a.checked_div(b),
        a.is_normalised(),
    ));
    let (x, y) = (dice.number(), dice.number());
    done((x.sqrt(), Real::exp(&x), Real::ln(&y), offline_primal_dual::number::exponential::exp(x), Field::abs(&y)));
    let all = instances::all();
    let instance = &all[dice.below(all.len())];
    let mut room = vec![0.0; dice.below(200)];
    done(instance.write(&mut room).map(|view| view.linear_mdp().is_ok()));
    done(instances::by_name(["chain", "", "\u{202e}", "chian"][dice.below(4)]));
}

#[test]
fn some_random_calls_do_not_panic() {
    any_call(4_000);
}
