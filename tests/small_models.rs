//! Answers known by hand, on models of one or two states: what the mutants of everything (docs/testing.md) had left over.

use offline_primal_dual::Error;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::rational::Rational64;
use offline_primal_dual::paper::mdp::{
    LinearMdp, Mdp, Shape, ones_coefficients, optimal_policy, primal_feasible, theta_bound, validate_policy,
};

fn q(n: i64, d: i64) -> Rational64 {
    Rational64::ratio(n, d)
}

fn all<const N: usize>(numbers: [i64; N]) -> [Rational64; N] {
    numbers.map(Rational64::from_int)
}

/// One state, two actions, tabular: each constraint of (4) is broken alone.
#[test]
fn each_constraint_of_the_feature_program_counts() {
    let (features, omega, psi) = (all([1, 0, 0, 1]), all([0, 1]), all([1, 1]));
    let (initial, discount) = (all([1]), q(1, 2));
    let shape = Shape::new(1, 2, 2).unwrap();
    let mdp = LinearMdp::new(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let mut scratch = vec![q(0, 1); shape.scratch()];
    let mut feasible = |lambda: [Rational64; 2], mu: [Rational64; 2]| {
        primal_feasible(&mdp, &lambda, &mu, &q(0, 1), &mut scratch).unwrap()
    };
    let half = [q(1, 2), q(1, 2)];
    assert!(feasible(half, half));
    assert!(!feasible(all([1, 1]), all([1, 1])), "the flow");
    assert!(!feasible(all([1, 0]), all([0, 1])), "λ = Φᵀμ");
    assert!(!feasible(all([2, -1]), all([2, -1])), "μ ≥ 0");
}

#[test]
fn the_radius_of_theta() {
    assert_eq!(theta_bound(&0.5, &3.0, &0.75), Ok(12.5));
}

/// The constant is a combination of probabilities, whatever rounding makes of ΦᵀΦ.
#[test]
fn rounding_does_not_take_the_constant_out_of_the_span() {
    let shape = Shape::new(4, 1, 2).unwrap();
    let (omega, psi, initial) = ([0.5, 0.5], [0.25; 8], [0.25; 4]);
    for n in 1..200 {
        let p = [1.0 / 3.0, 0.1, 0.7, f64::from(n) / 211.0];
        let features: Vec<f64> = p.iter().flat_map(|p| [*p, 1.0 - p]).collect();
        let mdp = LinearMdp::unvalidated(shape, &features, &omega, &psi, &initial, &0.5).unwrap();
        let mut scratch = vec![0.0; shape.scratch()];
        let varrho = ones_coefficients(&mdp, &mut &mut scratch[..]).unwrap();
        assert!(varrho.iter().all(|one| (one - 1.0).abs() < 1e-12), "{varrho:?}");
    }
}

#[test]
fn a_bad_probability_is_named_by_its_place() {
    let named = |index| Err(Error::OutOfRange { what: "policy", index, expected: "a probability >= 0" });
    assert_eq!(validate_policy(2, 2, &[q(1, 2), q(1, 2), q(2, 1), q(-1, 1)]), named(3));
    assert_eq!(validate_policy(2, 2, &[q(-1, 1), q(2, 1), q(1, 2), q(1, 2)]), named(0));
}

/// γ = 0: what pays most now, the first of equals.
#[test]
fn the_first_of_the_best_actions_is_taken() {
    let (reward, transition) = (all([0, 1, 1]), all([1, 1, 1]));
    let (initial, discount) = (all([1]), q(0, 1));
    let mdp = Mdp::new(1, 3, &reward, &transition, &initial, &discount).unwrap();
    let mut scratch = vec![q(0, 1); 100];
    let (policy, value) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!((&*policy, &*value), (&all([0, 1, 0])[..], &all([1])[..]));
}

/// In state 0 the second action is better by less than the margin of two states at v = 1/2, which is 24 ε; in state 1 it is better.
#[test]
fn only_what_rounding_cannot_explain_is_an_improvement() {
    let reward = [0.5, 0.5 + 20.0 * f64::EPSILON, 0.0, 1.0];
    let transition = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    let mdp = Mdp::new(2, 2, &reward, &transition, &[1.0, 0.0], &0.0).unwrap();
    let mut scratch = vec![0.0; 100];
    let (policy, _) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!(policy, [1.0, 0.0, 0.0, 1.0]);
    let reward = [0.5, 0.5 + 30.0 * f64::EPSILON, 0.0, 1.0];
    let mdp = Mdp::new(2, 2, &reward, &transition, &[1.0, 0.0], &0.0).unwrap();
    let (policy, _) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!(policy, [0.0, 1.0, 0.0, 1.0]);
}

/// A table that is no MDP, where each of two policies looks better from the other and both have the same Σv.
#[test]
fn policy_iteration_ends_where_the_values_do_not_rise() {
    let (reward, transition) = (all([2, 1, 1, 1]), all([0, -4, 0, 0, -2, 0, -2, 0]));
    let (initial, discount) = (all([1, 0]), q(1, 2));
    let mdp = Mdp::unvalidated(2, 2, &reward, &transition, &initial, &discount).unwrap();
    let mut scratch = vec![q(0, 1); 100];
    let (_, value) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!(value, all([1, 0]));
}
