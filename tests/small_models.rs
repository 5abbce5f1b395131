//! Answers known by hand, on models of one or two states: what the mutants of everything (docs/testing.md) had left over.

use offline_primal_dual::Error;
use offline_primal_dual::linear::solve::{rank, solve};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::interrupt::unless;
use offline_primal_dual::number::interval::Interval;
use offline_primal_dual::number::rational::Rational64;
use offline_primal_dual::paper::average_reward;
use offline_primal_dual::paper::covariance::{Exponent, Spectrum};
use offline_primal_dual::paper::mdp::{
    LinearMdp, Mdp, Shape, ones_coefficients, optimal_policy, primal_feasible, theta_bound, validate_policy,
};
use offline_primal_dual::paper::online_learning::gradient_descent::gradient_descent_bound;
use offline_primal_dual::paper::online_learning::mirror_descent::{
    mirror_descent_bound, mirror_regret, mirror_step, telescoped_right,
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

/// States that are left once in 2⁴⁶ steps: from the third policy on, (ρ, Σv) falls by rounding, though actions look better still.
#[test]
fn average_policy_iteration_ends_where_the_values_do_not_rise() {
    let mut transition = [0.0; 32];
    // To which state, to which else, and once in how many steps, by its logarithm.
    let leaves = [(1, 2, 46), (1, 0, 9), (3, 2, 16), (0, 1, 15), (3, 1, 33), (0, 1, 22), (3, 0, 3), (2, 0, 19)];
    for (row, (often, seldom, bits)) in transition.chunks_mut(4).zip(leaves) {
        row[seldom] = 0.5_f64.powi(bits);
        row[often] = 1.0 - row[seldom];
    }
    let reward = [1.0 / 3.0, 3.0 / 7.0, 4.0 / 7.0, 0.75, 1.0, 1.0, 0.5, 0.0];
    let mdp = Mdp::new(4, 2, &reward, &transition, &[1.0, 0.0, 0.0, 0.0], &0.5).unwrap();
    let mut scratch = vec![0.0; 200];
    let (_, policy, _) = average_reward::optimal::optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!(policy, [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
}

/// (22): λ = Φᵀμ alone is broken.
#[test]
fn the_average_program_sees_its_features() {
    let (features, omega, psi) = (all([1, 0, 0, 1]), all([0, 1]), all([1, 1]));
    let (initial, discount) = (all([1]), q(1, 2));
    let shape = Shape::new(1, 2, 2).unwrap();
    let mdp = LinearMdp::new(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let mut scratch = vec![q(0, 1); shape.scratch()];
    let mut feasible = |lambda: [Rational64; 2], mu: [Rational64; 2]| {
        average_reward::lp::primal_feasible(&mdp, &all([1, 1]), &lambda, &mu, &q(0, 1), &mut scratch).unwrap()
    };
    assert!(feasible(all([0, 1]), all([0, 1])));
    assert!(!feasible(all([1, 0]), all([0, 1])));
}

#[test]
fn the_span_is_the_range() {
    assert_eq!(average_reward::values::span_seminorm(&all([1, 0, 4])), Ok(q(4, 1)));
    assert_eq!(average_reward::values::span_seminorm(&all([4, 0, 1])), Ok(q(4, 1)));
}

/// ‖y₁ − y*‖² = 3, η = 1/4, n = 5, G² = 2; H = 3, α = 1/2, T = 4, D_q = 3.
#[test]
fn the_bounds_of_appendix_d() {
    assert_eq!(gradient_descent_bound(&q(3, 1), &q(1, 4), 5, &q(2, 1)), Ok(q(29, 4)));
    let refused = Err(Error::OutOfRange { what: "eta", index: Error::SCALAR, expected: "a positive number" });
    assert_eq!(gradient_descent_bound(&q(3, 1), &q(0, 1), 5, &q(2, 1)), refused);
    assert_eq!(mirror_descent_bound(&q(3, 1), &q(1, 2), 4, &q(3, 1)), Ok(q(15, 1)));
    // log 2/α + (α/2)·2² at α = 1/2.
    let telescoped = telescoped_right(&0.5, &[1.0, 0.0], &[0.5, 0.5], &[2.0, -1.0]).unwrap();
    assert!((telescoped - (2.0 * 2.0_f64.ln() + 1.0)).abs() < 1e-14, "{telescoped}");
}

#[test]
fn the_regret_of_mirror_descent_goes_state_by_state() {
    let (nu, half) = ([q(1, 2), q(1, 2)], q(1, 2));
    let policy = [q(0, 1), q(1, 1), half, half];
    // ⟨(1, −1), (1, 2)⟩/2 + ⟨(−1/2, 1/2), (3, 7)⟩/2.
    assert_eq!(mirror_regret(2, &nu, &all([1, 0, 0, 1]), &policy, &all([1, 2, 3, 7])), Ok(half));
}

/// e^{1000} is no double.
#[test]
fn the_largest_exponent_is_taken_out() {
    let mut scratch = [0.0; 10];
    assert_eq!(mirror_step(&1.0, &[0.5, 0.5], &[0.0, 1000.0], &mut &mut scratch[..]).unwrap(), [0.0, 1.0]);
    assert_eq!(mirror_step(&1.0, &[0.5, 0.5], &[1000.0, 1000.0], &mut &mut scratch[..]).unwrap(), [0.5, 0.5]);
}

#[test]
fn the_spectrum_goes_by_its_norm() {
    let spectrum = Spectrum::new(2, &[4.0, 0.0, 0.0, 1.0]).unwrap();
    assert_eq!((spectrum.norm(), spectrum.smallest()), (4.0, 1.0));
    let both = [Exponent::One, Exponent::Half].map(|c| spectrum.norm_2c_minus_1(c));
    assert_eq!(both, [4.0, 1.0]);
    assert!(Spectrum::new(2, &[1e6, 0.0, 0.0, 1e-9]).is_ok());
    assert!(matches!(Spectrum::new(2, &[1e6, 0.0, 0.0, 1e-10]), Err(Error::NearSingular { .. })));
    assert!(matches!(Spectrum::new(1, &[0.0]), Err(Error::NearSingular { .. })));
}

/// Small is relative: these are two dimensions.
#[test]
fn a_rank_does_not_depend_on_the_scale() {
    assert_eq!(rank(2, &mut [1e-20, 2e-20, 3e-20, 4e-20]), Ok(2));
}

/// The pivot is the largest of its column: 10⁻¹⁰, the last row's, would cost six digits.
#[test]
fn the_largest_pivot_is_taken() {
    let mut a = [1e-20, 1.0, 1.0, 1.0, 2.0, 3.0, 1e-10, 1.0, 2.0];
    let mut b = [2.0, 6.0, 3.0 + 1e-10];
    solve(3, &mut a, &mut b).unwrap();
    assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-12), "{b:?}");
}

/// Fraction-free: every number on the way is a minor, and minors of six rows fit 64 bits.
#[test]
fn elimination_keeps_to_minors() {
    let n = 6;
    let mut a: Vec<Rational64> = (0..36).map(|i: i64| q((7 * (i / 6) + 3 * (i % 6)).pow(2) % 31 + 1, 1)).collect();
    let mut b: Vec<Rational64> =
        (0..n).map(|i| (0..n).fold(q(0, 1), |sum, j| sum + a[i * n + j] * q(j as i64 + 1, 1))).collect();
    solve(n, &mut a, &mut b).unwrap();
    assert_eq!(b, all([1, 2, 3, 4, 5, 6]));
}

/// What is proved, and what is only possible.
#[test]
fn intervals_prove_what_their_ends_prove() {
    let interval = |lower, upper| Interval { lower: BigRational::from_int(lower), upper: BigRational::from_int(upper) };
    let (low, high, far) = (interval(0, 1), interval(1, 2), interval(3, 4));
    assert!(low.proves_at_most(&high) && !high.proves_at_most(&low) && !low.proves_at_most(&interval(0, 3)));
    assert!(far.proves_above(&low) && !low.proves_above(&far) && !high.proves_above(&low));
    let one = interval(1, 1);
    assert!(one.agrees_to(&one, 3) && !one.agrees_to(&far, 3) && !far.agrees_to(&one, 3));
    assert!(!one.agrees_to(&high, 3) && !high.agrees_to(&one, 3) && !interval(2, 2).agrees_to(&one, 3));
}

/// Whoever waits is asked no more often than every 50 ms, and is heard.
#[test]
fn exact_work_asks_whether_to_go_on() {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::{Duration, Instant};
    let start = Instant::now();
    let work = move || {
        let mut sum = BigRational::from_int(1);
        while sum.is_valid() && start.elapsed() < Duration::from_secs(20) {
            sum = BigRational::from_int(1) + &(sum - &BigRational::from_int(1));
        }
    };
    let asked = Rc::new(Cell::new(0_u32));
    let counted = Rc::clone(&asked);
    let question = move || {
        counted.set(counted.get() + 1);
        counted.get() == 4
    };
    assert!(unless(question, work).is_none());
    assert_eq!(asked.get(), 4);
    assert!(start.elapsed() >= Duration::from_millis(200), "asked more often than every 50 ms");
}

/// Two iterates of each kind, each found in its place, and no third.
#[test]
fn iterates_are_where_they_were_put() {
    use offline_primal_dual::paper::discounted;
    let (features, omega, psi) = (all([1, 0, 0, 1]), all([0, 1]), all([1, 1]));
    let (initial, discount) = (all([1]), q(1, 2));
    let shape = Shape::new(1, 2, 2).unwrap();
    let mdp = LinearMdp::new(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let (thetas, betas, policies, rhos) = (all([1, 2, 3, 4]), all([5, 6, 7, 8]), all([0, 1, 1, 0]), all([9, 10]));
    let one = discounted::duality_gap::Iterates::new(&mdp, &thetas, &betas, &policies).unwrap();
    let two = average_reward::duality_gap::Iterates::new(&mdp, &rhos, &thetas, &betas, &policies).unwrap();
    for t in 0..3 {
        let row = |table: &'static str| {
            let table = match table {
                "θ" => &thetas,
                "β" => &betas,
                _ => &policies,
            };
            table.chunks(2).nth(t).map(<[Rational64]>::to_vec)
        };
        let owned = |row: Option<&[Rational64]>| row.map(<[Rational64]>::to_vec);
        assert_eq!([owned(one.theta(t)), owned(one.beta(t)), owned(one.policy(t))], ["θ", "β", "π"].map(row));
        assert_eq!([owned(two.theta(t)), owned(two.beta(t)), owned(two.policy(t))], ["θ", "β", "π"].map(row));
        assert_eq!(two.rho(t), rhos.get(t));
    }
    assert_eq!((one.scratch(), two.scratch()), (shape.scratch() + 4, shape.scratch() + 6));
}

/// Lemma C.4's bound is C.1's with the entropy for log|A|; (D_q/2D_φ)² at D_q = 6, D_φ² = 4.
#[test]
fn constants_of_appendix_c() {
    use offline_primal_dual::paper::average_reward::guarantee::{
        Constants, Rates, bound, gap_bound, least_theta_squared,
    };
    let n = |n| q(n, 1);
    let constants = |log_actions| Constants {
        log_actions,
        phi_squared: n(4),
        theta_squared: n(9),
        phi_theta: n(6),
        beta_squared: n(25),
        trace: n(7),
        norm: n(11),
    };
    let rates = Rates { alpha: q(1, 3), eta: q(1, 5), zeta: q(1, 7), xi: q(1, 11) };
    let of_entropy = gap_bound(&constants(n(3)), &n(2), &rates, 6, 10).unwrap();
    assert_eq!(of_entropy, bound(&constants(n(2)), &rates, 6, 10).unwrap());
    assert_ne!(of_entropy, bound(&constants(n(3)), &rates, 6, 10).unwrap());
    assert_eq!(least_theta_squared(&n(6), &n(4)), Ok(q(9, 4)));
}

/// Both actions pay 1/2 and v = 1, so that ∂L/∂μ = 0: μ may be anything that is a flow and not negative.
#[test]
fn a_saddle_point_has_no_negative_mass() {
    use offline_primal_dual::paper::discounted::saddle_point::is_saddle_point;
    let (features, omega, psi) = (all([1, 0, 0, 1]), [q(1, 2), q(1, 2)], all([1, 1]));
    let (initial, discount) = (all([1]), q(1, 2));
    let shape = Shape::new(1, 2, 2).unwrap();
    let mdp = LinearMdp::new(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let mut scratch = vec![q(0, 1); shape.scratch()];
    let mut is_saddle =
        |mu: [Rational64; 2]| is_saddle_point(&mdp, &all([1]), &all([1, 1]), &mu, &mu, &mut scratch).unwrap();
    assert!(is_saddle(all([0, 1])) && is_saddle([q(1, 2), q(1, 2)]) && !is_saddle(all([2, -1])));
}

/// D² is a double up to 1.34·10¹⁵⁴, and 2D² is not from 9.5·10¹⁵³ on.
#[test]
fn twice_the_square_of_a_radius_is_finite() {
    use offline_primal_dual::linear::projection::validate_radius;
    assert!(validate_radius("radius", &9e153).is_ok() && validate_radius("radius", &1.2e154).is_err());
}
