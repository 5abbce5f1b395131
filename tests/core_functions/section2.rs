//! Vectors, solves, Section 2 and the covariance.

use crate::harness::*;
use offline_primal_dual::linear::solve::{definiteness, inverse, rank, solve};
use offline_primal_dual::linear::vector::*;
use offline_primal_dual::paper::covariance::*;
use offline_primal_dual::paper::mdp::*;

#[test]
fn vectors_refuse() {
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
fn solves_refuse() {
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
fn tabular_functions_refuse() {
    with_table(|mdp| {
        let policy = || input(&POLICY);
        refuses("state_value", [policy(), Out(3), Scratch], |[p, v, s]| state_value(mdp, p, v, s));
        refuses("policy_transition", [policy(), Out(9)], |[p, out]| policy_transition(mdp, p, out));
        refuses("action_value", [plain(3), Out(PAIRS)], |[v, q]| action_value(mdp, v, q));
        refuses("action_value_direct", [policy(), Out(PAIRS), Scratch], |[p, q, s]| action_value_direct(mdp, p, q, s));
        refuses("bellman_residual", [plain(6), plain(3), Out(PAIRS)], |[q, v, out]| bellman_residual(mdp, q, v, out));
        refuses("normalised_return", [plain(3)], |[v]| normalised_return(mdp, v).map(done));
        refuses("state_occupancy", [policy(), Out(3), Scratch], |[p, nu, s]| state_occupancy(mdp, p, nu, s));
        refuses("occupancy", [policy(), Out(PAIRS), Scratch], |[p, mu, s]| occupancy(mdp, p, mu, s));
        refuses("flow_residual", [plain(6), Out(3), Scratch], |[mu, out, s]| flow_residual(mdp, mu, out, s));
        refuses("optimal_policy", [Out(PAIRS), Out(3), Scratch], |[p, v, s]| optimal_policy(mdp, p, v, s).map(done));
        refuses("optimality_residual", [plain(3), Out(3), Scratch], |[v, out, s]| optimality_residual(mdp, v, out, s));
        refuses("lp_objective", [plain(6)], |[mu]| lp_objective(mdp, mu).map(done));
        refuses("lp_feasible", [plain(6), Scalar(0.0), Scratch], |[mu, k, s]| lp_feasible(mdp, mu, &k[0], s).map(done));
        refuses("Mdp::validate", [], |[]| mdp.validate());
        refuses(
            "Mdp::new",
            [input(mdp.reward()), input(mdp.transition()), input(&INITIAL), Scalar(0.5)],
            |[r, p, n, g]| Mdp::new(3, 2, r, p, n, &g[0])?.validate(),
        );
    });
    assert!(Mdp::new(0, 2, &[], &[], &[], &0.5).is_err() && Mdp::new(1, 0, &[], &[], &[1.0], &0.5).is_err());
    refuses("expected_reward", [plain(6), plain(6)], |[r, mu]| expected_reward(r, mu).map(done));
}

#[test]
fn policies_and_marginals_refuse() {
    refuses("validate_policy", [input(&POLICY)], |[p]| validate_policy(3, 2, p));
    refuses("valid_distributions", [Any(POLICY.to_vec())], |[p]| valid_distributions("p", 2, p));
    assert!(valid_distributions("p", 2, &POLICY[..5]).is_err() && valid_distributions("p", 0, &POLICY).is_err());
    refuses("extract_policy", [input(&POLICY), Out(PAIRS)], |[mu, p]| extract_policy(2, mu, p));
    refuses("policy_average", [input(&POLICY), plain(6), Out(3)], |[p, f, out]| policy_average(2, p, f, out));
    refuses("state_marginal", [plain(6), Out(3)], |[mu, out]| state_marginal(2, mu, out));
    refuses("compose", [input(&POLICY), plain(3), Out(PAIRS)], |[p, nu, out]| compose(2, p, nu, out));
    let mut table = [0.0; 5];
    assert!(uniform_policy(2, &mut table).is_err() && uniform_policy(0, &mut table).is_err());
    assert!(deterministic_policy(2, |_| 0, &mut table).is_err() && deterministic_policy(0, |_| 0, &mut table).is_err());
    assert!(deterministic_policy(2, |_| 2, &mut table[..4]).is_err());
    assert_eq!(uniform_policy(2, &mut table[..4]).and_then(|()| validate_policy(2, 2, &table[..4])), Ok(()));
}

#[test]
fn linear_models_refuse() {
    let mdp = linear();
    refuses("LinearMdp::reward", [Out(PAIRS)], |[out]| mdp.reward(out));
    refuses("LinearMdp::transition", [Out(PAIRS * 3)], |[out]| mdp.transition(out));
    refuses("LinearMdp::tabulate", [Out(PAIRS), Out(PAIRS * 3)], |[r, p]| mdp.tabulate(r, p).map(done));
    refuses("LinearMdp::mean_feature", [plain(6), Out(2)], |[mu, out]| mdp.mean_feature(mu, out));
    refuses("LinearMdp::linear_function", [plain(2), Out(PAIRS)], |[theta, out]| mdp.linear_function(theta, out));
    refuses("LinearMdp::psi_times", [plain(3), Out(2)], |[v, out]| mdp.psi_times(v, out));
    refuses("LinearMdp::psi_transposed_times", [plain(2), Out(3)], |[l, out]| mdp.psi_transposed_times(l, out));
    refuses("theta_of_value", [plain(3), Out(2)], |[v, out]| theta_of_value(&mdp, v, out));
    refuses("ones_coefficients", [Out(2), Scratch], |[out, s]| ones_coefficients(&mdp, out, s));
    refuses("theta_bound", [Scalar(1.0), Scalar(2.0), Scalar(0.5)], |[o, p, g]| {
        theta_bound(&o[0], &p[0], &g[0]).map(done)
    });
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), input(&INITIAL), Scalar(0.5), Scratch];
    refuses("validate", numbers(), |[f, o, p, n, g, s]| LinearMdp::new(SHAPE, f, o, p, n, &g[0])?.validate(s));
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), Scratch];
    refuses("validate_undiscounted", numbers(), |[f, o, p, s]| {
        LinearMdp::new(SHAPE, f, o, p, &INITIAL, &0.5)?.validate_undiscounted(s)
    });
    refuses("squared_bounds", numbers(), |[f, o, p, s]| {
        squared_bounds(&LinearMdp::new(SHAPE, f, o, p, &INITIAL, &0.5)?, s).map(done)
    });
    assert!(Shape::new(usize::MAX / 2, 3, 1).is_err() && Shape::new(1 << 30, 1 << 30, 4).is_err());
    assert!(Shape::new(0, 1, 1).is_err() && Shape::new(1, 0, 1).is_err() && Shape::new(1, 1, 0).is_err());
}

/// Each condition of Definition 2.1 is named where it first fails.
#[test]
fn validation_names_the_first_violated_condition() {
    use offline_primal_dual::Error;
    let scratch = &mut vec![0.0; SHAPE.scratch()][..];
    let mut check = |f: &[f64], o: &[f64], p: &[f64], n: &[f64], g: f64| {
        LinearMdp::new(SHAPE, f, o, p, n, &g).unwrap().validate(scratch).unwrap_err()
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
fn covariances_refuse() {
    let mdp = linear();
    refuses("covariance", [plain(6), Out(4)], |[mu, out]| covariance(&mdp, mu, out));
    refuses("second_moment", [input(&FEATURES), plain(6), Out(4)], |[f, w, out]| second_moment(2, f, w, out));
    let lambda = [4.0, 0.0, 0.0, 9.0];
    refuses("verify_root", [input(&lambda), input(&[2.0, 0.0, 0.0, 3.0])], |[l, r]| verify_root(2, l, r));
    refuses("weight_of_power", [input(&lambda), Out(4), Scratch], |[p, out, s]| {
        weight_of_power(Exponent::Half, 2, p, out, s)
    });
    refuses("apply_inverse", [input(&lambda), plain(2), Scratch], |[m, x, s]| apply_inverse(2, m, x, s));
    refuses("trace", [input(&lambda)], |[m]| trace(2, m).map(done));
    refuses("weighted_norm_squared", [input(&lambda), plain(2), Scratch], |[m, x, s]| {
        weighted_norm_squared(2, m, x, s).map(done)
    });
}

#[test]
fn feature_programs_refuse() {
    let mdp = linear();
    refuses("primal_objective", [plain(2)], |[l]| primal_objective(&mdp, l).map(done));
    refuses("primal_flow_residual", [plain(2), plain(6), Out(3), Scratch], |[l, mu, out, s]| {
        primal_flow_residual(&mdp, l, mu, out, s)
    });
    refuses("primal_feature_residual", [plain(2), plain(6), Out(2)], |[l, mu, out]| {
        primal_feature_residual(&mdp, l, mu, out)
    });
    refuses("primal_feasible", [plain(2), plain(6), Scalar(0.0), Scratch], |[l, mu, k, s]| {
        primal_feasible(&mdp, l, mu, &k[0], s).map(done)
    });
    refuses("dual_objective", [plain(3)], |[v]| dual_objective(&mdp, v).map(done));
    refuses("dual_feature_residual", [plain(3), plain(2), Out(2)], |[v, t, out]| {
        dual_feature_residual(&mdp, v, t, out)
    });
    refuses("dual_slack", [plain(3), plain(2), Out(PAIRS)], |[v, t, out]| dual_slack(&mdp, v, t, out));
    refuses("dual_feasible", [plain(3), plain(2), Scalar(0.0), Scratch], |[v, t, k, s]| {
        dual_feasible(&mdp, v, t, &k[0], s).map(done)
    });
    refuses("weak_duality_gap", [plain(3), plain(2)], |[v, l]| weak_duality_gap(&mdp, v, l).map(done));
}
