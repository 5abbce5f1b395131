//! S5.gain, S5.bias, Assumption 5.2 and the comparator of Lemma C.3.

use crate::model::*;
use offline_primal_dual::Error;
use offline_primal_dual::linear::solve::solve;
use offline_primal_dual::linear::vector::dot;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::lagrangian::theta_of_policy;
use offline_primal_dual::paper::average_reward::lp::lp_feasible;
use offline_primal_dual::paper::average_reward::values::*;
use offline_primal_dual::paper::mdp::{policy_average, policy_transition, uniform_policy};

#[test]
fn two_states_by_hand() {
    let model = two_state();
    let policy = [q(1, 1), q(0, 1), q(1, 1), q(0, 1)];
    // Leaves 0 with 1/2 and 1 with 1/3, so ν ∝ (1/3, 1/2).
    assert_eq!(model.occupancy(&policy), [q(2, 5), q(0, 1), q(3, 5), q(0, 1)]);
    let (gain, v, action) = model.values(&policy);
    assert_eq!(gain, q(2, 5));
    // v(0) − v(1) = 3/5 + (v(0) − v(1))/2, and the mean is zero.
    assert_eq!(v, [q(18, 25), q(-12, 25)]);
    assert_eq!(action[0], v[0]);
    assert_eq!(action[1], q(1, 2) - q(2, 5) + q(3, 4) * v[0].clone() + q(1, 4) * v[1].clone());
}

/// S5.gain and S5.bias: both routes to the gain, Bellman's equations, the normalisation, and the fundamental matrix
/// (I − P_π + 1νᵀ)v = r_π − ρ1 as a route to v that shares nothing with the library's.
#[test]
fn gain_and_bias_solve_their_equations() {
    let mut draw = Draw(1);
    for model in models(40) {
        let (mdp, shape, mut scratch) = (model.mdp(), model.shape, model.scratch());
        let n = shape.states;
        let policy = model.random_policy(&mut draw);
        let mu = model.occupancy(&policy);
        assert!(lp_feasible(&mdp, &mu, &Q::zero(), &mut scratch).unwrap());
        let (rho, v, action) = model.values(&policy);
        assert_eq!(rho, gain(&mdp, &policy, &mut scratch).unwrap());
        assert!(rho >= q(0, 1) && rho <= q(1, 1));
        let residual = bellman_residual(&mdp, &action, &rho, &v, &mut &mut scratch[..]).unwrap().to_vec();
        assert!(all_zero(&residual));
        let average = policy_average(shape.actions, &policy, &action, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(average, v);
        let nu = state_occupancy(&mdp, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        assert!(dot(&nu, &v).unwrap().is_zero());

        let mut fundamental = policy_transition(&mdp, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        for (i, entry) in fundamental.iter_mut().enumerate() {
            let identity = if i / n == i % n { q(1, 1) } else { q(0, 1) };
            *entry = identity - entry.clone() + &nu[i % n];
        }
        let mut other = policy_average(shape.actions, &policy, mdp.reward(), &mut &mut scratch[..]).unwrap().to_vec();
        for r in &mut other {
            *r = r.clone() - &rho;
        }
        solve(n, &mut fundamental, &mut other).unwrap();
        assert_eq!(other, v);
    }
}

/// Constant shifts satisfy Bellman's equations, change neither the span nor the gain, and nothing else does.
#[test]
fn values_are_determined_up_to_a_constant() {
    let mut draw = Draw(3);
    for model in models(20) {
        let (mdp, n, mut scratch) = (model.mdp(), model.shape.states, model.scratch());
        let policy = model.random_policy(&mut draw);
        let (rho, v, action) = model.values(&policy);
        let c = q(7, 3);
        let moved = |f: &[Q]| -> Vec<Q> { f.iter().map(|x| x.clone() + &c).collect() };
        let residual =
            bellman_residual(&mdp, &moved(&action), &rho, &moved(&v), &mut &mut scratch[..]).unwrap().to_vec();
        assert!(all_zero(&residual));
        assert_eq!(span_seminorm(&moved(&action)), span_seminorm(&action));
        let (gain, relative) = relative_value(&mdp, &policy, &mut &mut scratch[..]).unwrap();
        assert_eq!(gain, rho);
        let difference: Vec<Q> = v.iter().zip(&*relative).map(|(a, b)| a.clone() - b).collect();
        assert!(relative[n - 1].is_zero() && span_seminorm(&difference).unwrap().is_zero());
        let residual = bellman_residual(&mdp, &action, &rho, &moved(&v), &mut &mut scratch[..]).unwrap().to_vec();
        assert!(residual.iter().all(|x| *x == -c.clone()));
    }
    assert_eq!(span_seminorm(&[q(1, 2), q(-1, 3), q(0, 1)]), Ok(q(5, 6)));
    assert_eq!(span_seminorm::<Q>(&[]), Err(Error::Empty { what: "q" }));
}

/// Appendix C defines v^π by lim E Σ_{t≤N} (r − ρ). The partial sum is v − P^{N+1}v exactly: it converges to
/// the library's v for an aperiodic chain and to nothing on a cycle.
#[test]
fn the_limit_that_defines_the_bias() {
    let partial_sums = |model: &Model, policy: &[Q], count: usize| -> Vec<Vec<Q>> {
        let (n, mut scratch) = (model.shape.states, model.scratch());
        let (rho, _, _) = model.values(policy);
        let forward = policy_transition(&model.mdp(), policy, &mut &mut scratch[..]).unwrap().to_vec();
        let mut term =
            policy_average(model.shape.actions, policy, &model.reward, &mut &mut scratch[..]).unwrap().to_vec();
        for r in &mut term {
            *r = r.clone() - &rho;
        }
        let mut sum = zeros(n);
        let step = |_| {
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s = s.clone() + t);
            term = image(&forward, &term);
            sum.clone()
        };
        (0..count).map(step).collect()
    };
    let model = two_state();
    let policy = uniform_policy(2, 2, &mut &mut zeros(4)[..]).unwrap().to_vec();
    let (_, v, _) = model.values(&policy);
    let sums = partial_sums(&model, &policy, 12);
    let error = |sum: &[Q]| (sum[0].clone() - &v[0]).abs() + (sum[1].clone() - &v[1]).abs();
    // The second eigenvalue of P_π is 5/8 + 1/2 − 1 = 1/8, so the error shrinks by exactly that.
    for pair in sums.windows(2) {
        assert_eq!(error(&pair[1]), error(&pair[0]) * q(1, 8));
    }
    let cycle = deterministic_model(&[1, 0], &[[1, 1], [0, 0]]);
    let (rho, v, _) = cycle.values(&policy);
    assert_eq!((rho, v), (q(1, 2), vec![q(1, 4), q(-1, 4)]));
    let sums = partial_sums(&cycle, &policy, 4);
    assert!(sums[0] != sums[1] && sums[0] == sums[2] && sums[1] == sums[3], "the limit does not exist");
}

/// A P_π that is not stochastic is refused by its own name, not called multichain.
#[test]
fn a_policy_that_is_no_distribution_is_refused() {
    let model = two_state();
    let policy = [q(1, 1), q(1, 1), q(1, 1), q(0, 1)];
    let refused = gain(&model.mdp(), &policy, &mut model.scratch());
    assert_eq!(refused, Err(Error::NotNormalised { what: "P_π", row: 0 }));
}

/// q^π = Φθ^π and Lemma C.3's shift. ϱ = Ψ1 in every linear MDP (ΦΨ1 = P1 = 1), so Assumption 5.2 always holds.
#[test]
fn action_values_are_linear() {
    let mut draw = Draw(7);
    for model in models(30) {
        let (linear, mut scratch) = (model.linear(), model.scratch());
        let psi_ones = linear.psi_times(&vec![q(1, 1); model.shape.states], &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(psi_ones, model.varrho);
        let policy = model.random_policy(&mut draw);
        let (rho, v, action) = model.values(&policy);
        let (gain, theta) = theta_of_policy(&linear, &model.varrho, &policy, &mut &mut scratch[..]).unwrap();
        let theta = theta.to_vec();
        assert_eq!(gain, rho);
        let from_value = theta_of_value(&linear, &model.varrho, &rho, &v, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(from_value, theta);
        assert_eq!(image(&model.features, &theta), action);
        let shifted = shifted_theta(&linear, &model.varrho, &theta, &mut &mut scratch[..]).unwrap().to_vec();
        let least = action.iter().fold(action[0].clone(), |a, b| if *b < a { b.clone() } else { a });
        let expected: Vec<Q> = action.iter().map(|x| x.clone() - &least).collect();
        assert_eq!(image(&model.features, &shifted), expected);
    }
}

/// Not in the errata list: Theorem C.1 asks for θ^π in the ball of radius D_θ, its proof needs Lemma C.3's shifted θ*_t
/// there, and that one can be longer. Two states, one action, so one policy; Φ = I.
#[test]
fn the_shifted_comparator_can_leave_the_ball_that_holds_every_theta() {
    let model = Model::tabular(2, 1, vec![q(1, 1), q(0, 1)], &[q(1, 2), q(1, 2), q(1, 3), q(2, 3)]);
    let (linear, mut scratch) = (model.linear(), model.scratch());
    let (_, theta) = theta_of_policy(&linear, &model.varrho, &[q(1, 1), q(1, 1)], &mut &mut scratch[..]).unwrap();
    let theta = theta.to_vec();
    let shifted = shifted_theta(&linear, &model.varrho, &theta, &mut &mut scratch[..]).unwrap().to_vec();
    assert_eq!(theta, [q(18, 25), q(-12, 25)]);
    assert_eq!(shifted, [q(6, 5), q(0, 1)]);
    // 468/625 against 900/625.
    assert!(dot(&shifted, &shifted).unwrap() > dot(&theta, &theta).unwrap());
}
