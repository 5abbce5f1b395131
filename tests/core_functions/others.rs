//! Appendices D and E, projections, softmax, the average-reward estimators.

use crate::harness::*;
use offline_primal_dual::linear::projection::*;
use offline_primal_dual::linear::range::{direction_outside_range, least_norm_solution};
use offline_primal_dual::linear::softmax::*;
use offline_primal_dual::paper::average_reward::estimators as average;
use offline_primal_dual::paper::covariance::Exponent::{Half, One};
use offline_primal_dual::paper::coverage::*;
use offline_primal_dual::paper::online_learning::gradient_descent::*;
use offline_primal_dual::paper::online_learning::mirror_descent as mirror;

const LAMBDA: [f64; 4] = [2.0, 0.5, 0.5, 1.0];
const MU: [f64; 6] = [0.125, 0.125, 0.25, 0.0, 0.25, 0.25];

#[test]
pub fn coverage_ratios_refuse() {
    let mdp = linear();
    let (mu, lambda) = (|| input(&MU), || input(&LAMBDA));
    for c in [One, Half] {
        refuses("inverse_norm_squared", [lambda(), plain(2), Scratch], |[l, z, s]| {
            inverse_norm_squared(c, 2, l, z, s).map(done)
        });
        refuses("coverage_ratio", [mu(), lambda(), Scratch], |[m, l, s]| coverage_ratio(c, &mdp, m, l, s).map(done));
        refuses("second_moment_ratio", [mu(), lambda(), Scratch], |[m, l, s]| {
            second_moment_ratio(c, &mdp, m, l, s).map(done)
        });
        refuses("feature_variance", [mu(), lambda(), Scratch], |[m, l, s]| {
            feature_variance(c, &mdp, m, l, s).map(done)
        });
        refuses("rescaled_coverage_ratio", [Scalar(2.0), Scalar(3.0)], |[k, r]| {
            rescaled_coverage_ratio(c, &k[0], &r[0]).map(done)
        });
        refuses("tabular_coverage_ratio", [plain(3), plain(3)], |[a, b]| tabular_coverage_ratio(c, a, b).map(done));
    }
    refuses("diamond_ratio", [mu(), lambda(), Scratch], |[m, l, s]| diamond_ratio(&mdp, m, l, s).map(done));
    refuses("diamond_ratio_trace", [lambda(), lambda(), Scratch], |[m, l, s]| {
        diamond_ratio_trace(2, m, l, s).map(done)
    });
    refuses("unseen_direction", [mu(), lambda(), Scratch], |[m, l, s]| {
        unseen_direction(&mdp, m, l, &mut &mut s[..]).map(done)
    });
    refuses("least_norm_solution", [lambda(), plain(2), Scratch], |[l, z, s]| {
        least_norm_solution("Λ", 2, l, z, &mut &mut s[..]).map(done)
    });
    refuses("direction_outside_range", [lambda(), plain(2), Scratch], |[l, z, s]| {
        direction_outside_range("Λ", 2, l, z, &mut &mut s[..]).map(done)
    });
    refuses("half_ratio_bound", [Scalar(2.0), Scalar(3.0)], |[a, b]| half_ratio_bound(&a[0], &b[0]).map(done));
    refuses("rayleigh_quotient", [lambda(), lambda(), plain(2), Scratch], |[m, l, y, s]| {
        rayleigh_quotient(2, m, l, y, s).map(done)
    });
    refuses("dagger_ratio_at_most", [lambda(), lambda(), Scalar(2.0), Scratch], |[m, l, t, s]| {
        dagger_ratio_at_most(2, m, l, &t[0], s).map(done)
    });
    refuses("dagger_ratio_equals", [lambda(), lambda(), Scalar(2.0), Scratch], |[m, l, t, s]| {
        dagger_ratio_equals(2, m, l, &t[0], s).map(done)
    });
    refuses("dagger_ratio_bracket", [lambda(), lambda(), Scratch], |[m, l, s]| {
        dagger_ratio_bracket(2, m, l, 3, s).map(done)
    });
    refuses("tabular_diamond_ratio", [plain(3), plain(3)], |[a, b]| tabular_diamond_ratio(a, b).map(done));
    refuses("tabular_dagger_ratio", [plain(3), plain(3)], |[a, b]| tabular_dagger_ratio(a, b).map(done));
    refuses("chi_squared", [plain(3), plain(3)], |[a, b]| chi_squared(a, b).map(done));
}

#[test]
pub fn bellman_coverage_refuses() {
    let mdp = linear();
    let policy = || input(&POLICY);
    refuses("bellman_operator", [policy(), plain(2), Scratch], |[p, t, s]| {
        bellman_operator(&mdp, p, t, &mut &mut s[..]).map(done)
    });
    refuses("bellman_error", [policy(), plain(2), Scratch], |[p, t, s]| {
        bellman_error(&mdp, p, t, &mut &mut s[..]).map(done)
    });
    refuses("theta_of_bellman_error", [policy(), plain(2), Scratch], |[p, y, s]| {
        theta_of_bellman_error(&mdp, p, y, &mut &mut s[..]).map(done)
    });
    refuses("bellman_error_ratio", [policy(), plain(6), input(&MU), plain(6), Scratch], |[p, f, m, b, s]| {
        bellman_error_ratio(&mdp, p, f, m, b, s).map(done)
    });
    let args = [policy(), plain(2), input(&LAMBDA), input(&LAMBDA), Scratch];
    refuses("bellman_coverage_ratio", args, |[p, t, m, l, s]| bellman_coverage_ratio(&mdp, p, t, m, l, s).map(done));
}

#[test]
pub fn gradient_descent_refuses() {
    refuses("unprojected_step", [plain(2), Scalar(0.5), plain(2), Scratch], |[y, e, h, s]| {
        unprojected_step(y, &e[0], h, &mut &mut s[..]).map(done)
    });
    refuses("project_with_norm", [Any(vec![3.0, 4.0]), Scalar(5.0), Scalar(1.0)], |[y, n, r]| {
        project_with_norm(y, &n[0], &r[0])
    });
    refuses("distance_squared", [plain(2), plain(2)], |[a, b]| distance_squared(a, b).map(done));
    refuses("instantaneous_regret", [plain(2), plain(2), plain(2)], |[a, b, h]| {
        instantaneous_regret(a, b, h).map(done)
    });
    refuses("one_step_right", [plain(2), Scalar(0.5), plain(2), plain(2)], |[y, e, h, star]| {
        one_step_right(y, &e[0], h, star).map(done)
    });
    // With a one-number y*, four numbers are four iterates: lengths are told apart by the gradients.
    refuses("path_regret", [plain(4), plain(4), Any(vec![0.5, 0.25])], |[y, h, star]| {
        path_regret(y, h, star).map(done)
    });
    assert!(path_regret(&[1.0; 4], &[1.0; 4], &[1.0; 3]).is_err() && path_regret(&[1.0; 4], &[1.0; 4], &[]).is_err());
    refuses("telescoped_right", [plain(6), plain(4), Scalar(0.5), plain(2)], |[y, h, e, star]| {
        telescoped_right(y, h, &e[0], star).map(done)
    });
    refuses("gradient_descent_bound", [Scalar(4.0), Scalar(0.5), Scalar(9.0)], |[d, e, g]| {
        gradient_descent_bound(&d[0], &e[0], 3, &g[0]).map(done)
    });
}

#[test]
pub fn mirror_descent_refuses() {
    let p = || input(&[0.25, 0.75]);
    refuses("relative_entropy", [p(), p()], |[a, b]| mirror::relative_entropy(a, b).map(done));
    refuses("conditional_entropy", [plain(3), input(&[0.5; 6]), input(&[0.5; 6])], |[nu, a, b]| {
        mirror::conditional_entropy(2, nu, a, b).map(done)
    });
    refuses("mirror_step", [Scalar(0.5), p(), plain(2), Scratch], |[a, p, q, s]| {
        mirror::mirror_step(&a[0], p, q, &mut &mut s[..]).map(done)
    });
    refuses("log_mean_exponential", [Scalar(0.5), p(), plain(2)], |[a, p, q]| {
        mirror::log_mean_exponential(&a[0], p, q).map(done)
    });
    refuses("advantage", [p(), p(), plain(2)], |[a, b, q]| mirror::advantage(a, b, q).map(done));
    refuses("entropy_step_right", [Scalar(0.5), p(), p(), plain(2)], |[a, star, p, q]| {
        mirror::entropy_step_right(&a[0], star, p, q).map(done)
    });
    refuses("hoeffding_left", [Scalar(0.5), p(), plain(2)], |[a, p, q]| mirror::hoeffding_left(&a[0], p, q).map(done));
    refuses("hoeffding_right", [Scalar(0.5), Any(vec![1.0, 2.0])], |[a, q]| {
        mirror::hoeffding_right(&a[0], q).map(done)
    });
    assert!(mirror::telescoped_right(&0.5, &[0.25, 0.75], &[0.25, 0.75], &[1.0; 3]).is_err());
    refuses("mirror::telescoped_right", [Scalar(0.5), p(), p(), Any(vec![0.5, 0.25, 0.5, 1.0])], |[a, star, p, q]| {
        mirror::telescoped_right(&a[0], star, p, q).map(done)
    });
    refuses("lemma_d2_last_display", [Scalar(0.5), p(), p(), plain(2)], |[a, star, p, q]| {
        offline_primal_dual::errata::lemma_d2_last_display(&a[0], star, p, q).map(done)
    });
    refuses("mirror_regret", [plain(3), input(&[0.5; 6]), input(&POLICY), plain(6)], |[nu, a, b, q]| {
        mirror::mirror_regret(2, nu, a, b, q).map(done)
    });
    refuses("mirror_descent_bound", [Scalar(1.0), Scalar(0.5), Scalar(2.0)], |[h, a, q]| {
        mirror::mirror_descent_bound(&h[0], &a[0], 3, &q[0]).map(done)
    });
}

#[test]
pub fn projections_and_softmax_refuse() {
    refuses("validate_radius", [Scalar(1.0)], |[r]| validate_radius("r", &r[0]));
    refuses("project_ball", [Any(vec![3.0, 4.0]), Scalar(1.0)], |[y, r]| project_ball(y, &r[0]));
    refuses("project_unit_interval", [Scalar(2.0)], |[y]| project_unit_interval(y[0]).map(done));
    assert!(project_ball(&mut [1.0], &0.0).is_err() && project_ball(&mut [1.0], &-1.0).is_err());
    let slack: f64 = norm_slack(2);
    assert!(within_ball(&[0.6, 0.8], &1.0) && !within_ball(&[1.0, 0.1], &1.0) && slack > 0.0);
    assert!(average_within_ball(&[0.6, 0.8], 2, &1.0) && !average_within_ball(&[1.0, 0.1], 2, &1.0));
    assert!(!within_ball(&[f64::NAN], &1.0));
    refuses("softmax", [Any(vec![1.0, 2.0])], |[z]| softmax(z));
    refuses("policy_row", [Scalar(0.5), plain(4), plain(2), Out(2)], |[a, f, t, out]| policy_row(&a[0], f, t, out));
    refuses("policy_table", [Scalar(0.5), input(&FEATURES), plain(2), Out(PAIRS)], |[a, f, t, out]| {
        policy_table(2, &a[0], f, t, out)
    });
    refuses("inverse_cdf", [Any(vec![0.25, 0.75]), Scalar(0.5)], |[p, u]| inverse_cdf(p, &u[0]).map(done));
    assert!(on_simplex(&[0.25, 0.75]) && !on_simplex(&[0.5, 0.75]) && !on_simplex(&[1.25, -0.25]));
}

#[test]
pub fn average_estimators_refuse() {
    refuses("rho_gradient_estimate", [plain(2), plain(2)], |[f, b]| average::rho_gradient_estimate(f, b).map(done));
    refuses("theta_gradient_estimate", [plain(2), plain(2), plain(2), Out(2)], |[f, n, b, out]| {
        average::theta_gradient_estimate(f, n, b, out)
    });
    refuses("td_error", [Scalar(1.0), Scalar(0.5), plain(2), plain(2), Scalar(0.25)], |[r, v, f, t, rho]| {
        average::td_error(&r[0], &v[0], f, t, &rho[0]).map(done)
    });
    refuses("beta_gradient_estimate", [plain(4), plain(2), Scalar(0.5), Out(2)], |[w, f, e, out]| {
        average::beta_gradient_estimate(Some(w), f, &e[0], out)
    });
}

#[test]
pub fn steps_of_appendix_e_refuse() {
    let mdp = linear();
    refuses("diamond_ratio_of_traces", [input(&MU), input(&LAMBDA), Scratch], |[mu, l, s]| {
        diamond_ratio_of_traces(&mdp, mu, l, s).map(done)
    });
    refuses("whitened_moment", [input(&LAMBDA), input(&LAMBDA), Scratch], |[m, w, s]| {
        whitened_moment(2, m, w, &mut &mut s[..]).map(done)
    });
    refuses("whitened_quotient", [input(&LAMBDA), plain(2), Scratch], |[w, z, s]| {
        whitened_quotient(2, w, z, s).map(done)
    });
    refuses("feature_error_ratio", [plain(2), input(&MU), input(&MU)], |[y, m, b]| {
        feature_error_ratio(&mdp, y, m, b).map(done)
    });
}
