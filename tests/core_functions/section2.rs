//! Vectors, solves, Section 2 and the covariance.

use crate::harness::*;
use offline_primal_dual::linear::solve::{definiteness, inverse, rank, solve};
use offline_primal_dual::linear::vector::*;
use offline_primal_dual::paper::covariance::*;
use offline_primal_dual::paper::mdp::*;

#[test]
pub fn vectors_refuse() {
    refuses("dot", [plain(3), plain(3)], |[a, b]| dot(a, b).map(done));
    refuses("norm_squared", [Any(vec![1.0, 2.0])], |[a]| norm_squared(a).map(done));
    refuses("norm", [Any(vec![1.0, 2.0])], |[a]| norm(a).map(done));
    refuses("axpy", [Scalar(0.5), plain(3), plain(3)], |[s, x, y]| axpy(&s[0], x, y));
    refuses("apply", [plain(6), plain(3), Out(2)], |[m, x, y]| apply(m, x, y));
    refuses("apply_transposed", [plain(6), plain(2), Out(3)], |[m, x, y]| apply_transposed(m, x, y));
    refuses("all_finite", [Any(vec![1.0])], |[a]| all_finite("a", a));
    refuses("take", [Scratch], |[s]| take(&mut &mut s[..], 3).map(done));
}

#[test]
pub fn solves_refuse() {
    let matrix = || input(&[2.0, 0.5, 0.5, 1.0]);
    refuses("solve", [matrix(), Any(vec![1.0, 2.0])], |[a, b]| solve(2, a, b));
    assert!(solve(2, &mut [2.0, 0.5, 0.5, 1.0], &mut [1.0; 3]).is_err());
    refuses("definiteness", [matrix()], |[a]| definiteness(2, a).map(done));
    refuses("inverse", [matrix(), Out(4)], |[a, out]| inverse(2, a, out));
    refuses("rank", [Any(vec![1.0, 2.0, 3.0, 4.0])], |[a]| rank(2, a).map(done));
    assert!(rank(3, &mut [1.0, 2.0, 3.0, 4.0]).is_err() && rank(0, &mut [1.0]).is_err());
    assert!(solve(2, &mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 1.0]).is_err(), "singular");
}

#[test]
pub fn tabular_functions_refuse() {
    with_table(|mdp| {
        let policy = || input(&POLICY);
        refuses("state_value", [policy(), Scratch], |[p, s]| state_value(mdp, p, &mut &mut s[..]).map(done));
        refuses("policy_transition", [policy(), Scratch], |[p, s]| {
            policy_transition(mdp, p, &mut &mut s[..]).map(done)
        });
        refuses("action_value", [plain(3), Scratch], |[v, s]| action_value(mdp, v, &mut &mut s[..]).map(done));
        refuses("action_value_direct", [policy(), Scratch], |[p, s]| {
            action_value_direct(mdp, p, &mut &mut s[..]).map(done)
        });
        refuses("bellman_residual", [plain(6), plain(3), Scratch], |[q, v, s]| {
            bellman_residual(mdp, q, v, &mut &mut s[..]).map(done)
        });
        refuses("normalised_return", [plain(3)], |[v]| normalised_return(mdp, v).map(done));
        refuses("state_occupancy", [policy(), Scratch], |[p, s]| state_occupancy(mdp, p, &mut &mut s[..]).map(done));
        refuses("occupancy", [policy(), Scratch], |[p, s]| occupancy(mdp, p, &mut &mut s[..]).map(done));
        refuses("flow_residual", [plain(6), Scratch], |[mu, s]| flow_residual(mdp, mu, &mut &mut s[..]).map(done));
        refuses("optimal_policy", [Scratch], |[s]| optimal_policy(mdp, &mut &mut s[..]).map(done));
        refuses("optimality_residual", [plain(3), Scratch], |[v, s]| {
            optimality_residual(mdp, v, &mut &mut s[..]).map(done)
        });
        refuses("lp_objective", [plain(6)], |[mu]| lp_objective(mdp, mu).map(done));
        refuses("lp_feasible", [plain(6), Scalar(0.0), Scratch], |[mu, k, s]| lp_feasible(mdp, mu, &k[0], s).map(done));
        refuses("Mdp::validate", [], |[]| mdp.validate());
        refuses(
            "Mdp::new",
            [input(mdp.reward()), input(mdp.transition()), input(&INITIAL), Scalar(0.5)],
            |[r, p, n, g]| Mdp::new(3, 2, r, p, n, &g[0]).map(done),
        );
    });
    assert!(
        Mdp::unvalidated(0, 2, &[], &[], &[], &0.5).is_err() && Mdp::unvalidated(1, 0, &[], &[], &[1.0], &0.5).is_err()
    );
    refuses("expected_reward", [plain(6), plain(6)], |[r, mu]| expected_reward(r, mu).map(done));
}

#[test]
pub fn policies_and_marginals_refuse() {
    refuses("validate_policy", [input(&POLICY)], |[p]| validate_policy(3, 2, p));
    refuses("valid_distributions", [Any(POLICY.to_vec())], |[p]| valid_distributions("p", 2, p));
    assert!(valid_distributions("p", 2, &POLICY[..5]).is_err() && valid_distributions("p", 0, &POLICY).is_err());
    refuses("extract_policy", [Any(POLICY.to_vec()), Scratch], |[mu, s]| {
        extract_policy(2, mu, &mut &mut s[..]).map(done)
    });
    refuses("policy_average", [input(&POLICY), plain(6), Scratch], |[p, f, s]| {
        policy_average(2, p, f, &mut &mut s[..]).map(done)
    });
    refuses("state_marginal", [Any(POLICY.to_vec()), Scratch], |[mu, s]| {
        state_marginal(2, mu, &mut &mut s[..]).map(done)
    });
    let room = &mut &mut [0.0; 8][..];
    assert!(extract_policy(2, &POLICY[..5], room).is_err() && state_marginal(2, &POLICY[..5], room).is_err());
    refuses("compose", [input(&POLICY), plain(3), Scratch], |[p, nu, s]| compose(2, p, nu, &mut &mut s[..]).map(done));
    refuses("uniform_policy", [Scratch], |[s]| validate_policy(3, 2, uniform_policy(3, 2, &mut &mut s[..])?));
    refuses("deterministic_policy", [Scratch], |[s]| {
        validate_policy(3, 2, deterministic_policy(3, 2, |x| x % 2, &mut &mut s[..])?)
    });
    let room = &mut &mut [0.0; 8][..];
    assert!(uniform_policy(3, 0, room).is_err() && deterministic_policy(3, 0, |_| 0, room).is_err());
    assert!(deterministic_policy(3, 2, |x| x, room).is_err(), "an action beyond |A|");
}

#[test]
pub fn linear_models_refuse() {
    let mdp = linear();
    refuses("LinearMdp::reward", [Scratch], |[s]| mdp.reward(&mut &mut s[..]).map(done));
    refuses("LinearMdp::transition", [Scratch], |[s]| mdp.transition(&mut &mut s[..]).map(done));
    refuses("LinearMdp::tabulate", [Scratch], |[s]| mdp.tabulate(&mut &mut s[..]).map(done));
    refuses("LinearMdp::mean_feature", [plain(6), Scratch], |[mu, s]| mdp.mean_feature(mu, &mut &mut s[..]).map(done));
    refuses("LinearMdp::linear_function", [plain(2), Scratch], |[theta, s]| {
        mdp.linear_function(theta, &mut &mut s[..]).map(done)
    });
    refuses("LinearMdp::psi_times", [plain(3), Scratch], |[v, s]| mdp.psi_times(v, &mut &mut s[..]).map(done));
    refuses("LinearMdp::psi_transposed_times", [plain(2), Scratch], |[l, s]| {
        mdp.psi_transposed_times(l, &mut &mut s[..]).map(done)
    });
    refuses("theta_of_value", [plain(3), Scratch], |[v, s]| theta_of_value(&mdp, v, &mut &mut s[..]).map(done));
    refuses("ones_coefficients", [Scratch], |[s]| ones_coefficients(&mdp, &mut &mut s[..]).map(done));
    refuses("theta_bound", [Scalar(1.0), Scalar(2.0), Scalar(0.5)], |[o, p, g]| {
        theta_bound(&o[0], &p[0], &g[0]).map(done)
    });
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), input(&INITIAL), Scalar(0.5), Scratch];
    refuses("validate", numbers(), |[f, o, p, n, g, s]| LinearMdp::unvalidated(SHAPE, f, o, p, n, &g[0])?.validate(s));
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), input(&INITIAL), Scalar(0.5)];
    refuses("LinearMdp::new", numbers(), |[f, o, p, n, g]| LinearMdp::new(SHAPE, f, o, p, n, &g[0]).map(done));
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), Scratch];
    refuses("validate_undiscounted", numbers(), |[f, o, p, s]| {
        LinearMdp::unvalidated(SHAPE, f, o, p, &INITIAL, &0.5)?.validate_undiscounted(s)
    });
    refuses("squared_bounds", numbers(), |[f, o, p, s]| {
        squared_bounds(&LinearMdp::unvalidated(SHAPE, f, o, p, &INITIAL, &0.5)?, s).map(done)
    });
    assert!(Shape::new(usize::MAX / 2, 3, 1).is_err() && Shape::new(1 << 30, 1 << 30, 4).is_err());
    assert!(Shape::new(0, 1, 1).is_err() && Shape::new(1, 0, 1).is_err() && Shape::new(1, 1, 0).is_err());
}

/// What is no MDP is none by `Mdp::new`, and a state or action beyond the model has no row.
#[test]
pub fn tables_that_are_no_mdps_are_refused() {
    use offline_primal_dual::Error;
    let [reward, half, start] = [[1.0, 0.0], [0.5, 0.5], [1.0, 0.0]];
    let new = |reward: &[f64], transition: &[f64], initial: &[f64], discount: f64| {
        Mdp::new(2, 1, reward, transition, initial, &discount).map(done)
    };
    let both = half.repeat(2);
    assert_eq!(new(&reward, &both, &start, 0.5), Ok(()));
    assert_eq!(new(&reward, &[1.0; 4], &start, 0.5), Err(Error::NotNormalised { what: "transition", row: 0 }));
    assert_eq!(new(&reward, &both, &half, 0.0), Ok(()));
    assert_eq!(new(&reward, &both, &[0.5, 0.25], 0.5), Err(Error::NotNormalised { what: "initial", row: 0 }));
    for discount in [1.0, -0.25, f64::NAN] {
        let refused = new(&reward, &both, &start, discount);
        assert!(matches!(refused, Err(Error::OutOfRange { what: "discount", .. })), "{discount}");
    }
    assert!(matches!(new(&[1.5, 0.0], &both, &start, 0.5), Err(Error::OutOfRange { what: "reward", index: 0, .. })));
    let negative = [1.5, -0.5, 0.5, 0.5];
    assert!(matches!(
        new(&reward, &negative, &start, 0.5),
        Err(Error::OutOfRange { what: "transition", index: 1, .. })
    ));
    with_table(|mdp| {
        assert_eq!(mdp.next(2, 1), Some(&mdp.transition()[15..]));
        assert_eq!([mdp.next(3, 0), mdp.next(0, 2), mdp.next(usize::MAX, usize::MAX)], [None; 3]);
    });
    let mdp = linear();
    assert_eq!(mdp.feature(2, 1), Some(&FEATURES[10..]));
    assert_eq!([mdp.feature(3, 0), mdp.feature(0, 2), mdp.feature(usize::MAX, usize::MAX)], [None; 3]);
}

/// Each condition of Definition 2.1 is named where it first fails.
#[test]
pub fn validation_names_the_first_violated_condition() {
    use offline_primal_dual::Error;
    let scratch = &mut vec![0.0; SHAPE.scratch()][..];
    let mut check = |f: &[f64], o: &[f64], p: &[f64], n: &[f64], g: f64| {
        let found = LinearMdp::unvalidated(SHAPE, f, o, p, n, &g).unwrap().validate(scratch).unwrap_err();
        // `new` refuses the same for the same reason; only the rank is beyond it.
        let new = LinearMdp::new(SHAPE, f, o, p, n, &g).map(done);
        assert_eq!(new, if matches!(found, Error::RankDeficient { .. }) { Ok(()) } else { Err(found) });
        found
    };
    let discount = |e| matches!(e, Error::OutOfRange { what: "discount", .. });
    assert!(
        discount(check(&FEATURES, &OMEGA, &PSI, &INITIAL, 1.0))
            && discount(check(&FEATURES, &OMEGA, &PSI, &INITIAL, -0.5))
    );
    let bad = check(&FEATURES, &OMEGA, &PSI, &[0.5, 0.25, 0.5], 0.5);
    assert_eq!(bad, Error::NotNormalised { what: "initial", row: 0 });
    let bad = check(&FEATURES, &OMEGA, &PSI, &[1.5, -0.5, 0.0], 0.5);
    assert!(matches!(bad, Error::OutOfRange { what: "initial", index: 1, .. }));
    let bad = check(&FEATURES, &[1.0, 2.0], &PSI, &INITIAL, 0.5);
    assert!(matches!(bad, Error::OutOfRange { what: "reward", index: 1, .. }), "{bad}");
    let mut psi = PSI;
    psi[0] = 0.75;
    assert_eq!(check(&FEATURES, &OMEGA, &psi, &INITIAL, 0.5), Error::NotNormalised { what: "transition", row: 0 });
    let negative = [1.25, 0.25, -0.5, 0.25, 0.25, 0.5];
    let bad = check(&FEATURES, &OMEGA, &negative, &INITIAL, 0.5);
    assert!(matches!(bad, Error::OutOfRange { what: "transition", index: 1, .. }), "{bad}");
    let flat = [0.5; 12];
    let bad = check(&flat, &OMEGA, &PSI, &INITIAL, 0.5);
    assert_eq!(bad, Error::RankDeficient { rank: 1, dim: 2 });
}

#[test]
pub fn covariances_refuse() {
    let mdp = linear();
    refuses("covariance", [plain(6), Scratch], |[mu, s]| covariance(&mdp, mu, &mut &mut s[..]).map(done));
    refuses("second_moment", [input(&FEATURES), plain(6), Scratch], |[f, w, s]| {
        second_moment(2, f, w, &mut &mut s[..]).map(done)
    });
    let lambda = [4.0, 0.0, 0.0, 9.0];
    refuses("verify_root", [input(&lambda), input(&[2.0, 0.0, 0.0, 3.0])], |[l, r]| verify_root(2, l, r));
    refuses("weight_of_power", [input(&lambda), Scratch], |[p, s]| {
        weight_of_power(Exponent::Half, 2, p, &mut &mut s[..]).map(done)
    });
    refuses("apply_inverse", [input(&lambda), plain(2), Scratch], |[m, x, s]| {
        apply_inverse(2, m, x, &mut &mut s[..]).map(done)
    });
    refuses("trace", [input(&lambda)], |[m]| trace(2, m).map(done));
    refuses("weighted_norm_squared", [input(&lambda), plain(2), Scratch], |[m, x, s]| {
        weighted_norm_squared(2, m, x, s).map(done)
    });
}

#[test]
pub fn feature_programs_refuse() {
    let mdp = linear();
    refuses("primal_objective", [plain(2)], |[l]| primal_objective(&mdp, l).map(done));
    refuses("primal_flow_residual", [plain(2), plain(6), Scratch], |[l, mu, s]| {
        primal_flow_residual(&mdp, l, mu, &mut &mut s[..]).map(done)
    });
    refuses("primal_feature_residual", [plain(2), plain(6), Scratch], |[l, mu, s]| {
        primal_feature_residual(&mdp, l, mu, &mut &mut s[..]).map(done)
    });
    refuses("primal_feasible", [plain(2), plain(6), Scalar(0.0), Scratch], |[l, mu, k, s]| {
        primal_feasible(&mdp, l, mu, &k[0], s).map(done)
    });
    refuses("dual_objective", [plain(3)], |[v]| dual_objective(&mdp, v).map(done));
    refuses("dual_feature_residual", [plain(3), plain(2), Scratch], |[v, t, s]| {
        dual_feature_residual(&mdp, v, t, &mut &mut s[..]).map(done)
    });
    refuses("dual_slack", [plain(3), plain(2), Scratch], |[v, t, s]| dual_slack(&mdp, v, t, &mut &mut s[..]).map(done));
    refuses("dual_feasible", [plain(3), plain(2), Scalar(0.0), Scratch], |[v, t, k, s]| {
        dual_feasible(&mdp, v, t, &k[0], s).map(done)
    });
    refuses("weak_duality_gap", [plain(3), plain(2)], |[v, l]| weak_duality_gap(&mdp, v, l).map(done));
}
