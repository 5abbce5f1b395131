//! Sections 3 and 4, Appendices A and B.

use crate::harness::*;
use offline_primal_dual::paper::discounted::duality_gap::*;
use offline_primal_dual::paper::discounted::estimators::*;
use offline_primal_dual::paper::discounted::lagrangian::*;
use offline_primal_dual::paper::discounted::regret::*;

#[test]
pub fn lagrangians_refuse() {
    let mdp = linear();
    refuses("Saddle::new", [plain(4)], |[power]| Saddle::new(linear(), power).map(done));
    let saddle = Saddle::new(mdp, &POWER).unwrap();
    refuses("Saddle::lambda", [plain(2), Scratch], |[beta, s]| saddle.lambda(beta, &mut &mut s[..]).map(done));
    let in_lambda = || [plain(3), plain(2), plain(2), plain(6), Scratch];
    refuses("lagrangian", in_lambda(), |[v, t, l, mu, s]| lagrangian(&mdp, v, t, l, mu, s).map(done));
    refuses("lagrangian_regrouped", in_lambda(), |[v, t, l, mu, s]| {
        lagrangian_regrouped(&mdp, v, t, l, mu, s).map(done)
    });
    let in_beta = || [plain(2), plain(6), plain(3), plain(2), Scratch];
    refuses("lagrangian_beta", in_beta(), |[b, mu, v, t, s]| lagrangian_beta(&saddle, b, mu, v, t, s).map(done));
    refuses("lagrangian_beta_regrouped", in_beta(), |[b, mu, v, t, s]| {
        lagrangian_beta_regrouped(&saddle, b, mu, v, t, s).map(done)
    });
    refuses("nu_beta", [plain(2), Scratch], |[b, s]| nu_beta(&saddle, b, &mut &mut s[..]).map(done));
    refuses("mu_beta", [plain(2), input(&POLICY), Scratch], |[b, p, s]| {
        mu_beta(&saddle, b, p, &mut &mut s[..]).map(done)
    });
    refuses("v_theta", [plain(2), input(&POLICY), Scratch], |[t, p, s]| v_theta(&mdp, t, p, &mut &mut s[..]).map(done));
}

#[test]
pub fn f_and_its_gradients_refuse() {
    let mdp = linear();
    let saddle = Saddle::new(mdp, &POWER).unwrap();
    let at = || [plain(2), input(&POLICY), plain(2), Scratch];
    refuses("f_theta", at(), |[b, p, t, s]| f_theta(&saddle, b, p, t, s).map(done));
    refuses("f_nu", at(), |[b, p, t, s]| f_nu(&saddle, b, p, t, s).map(done));
    refuses("f_beta", at(), |[b, p, t, s]| f_beta(&saddle, b, p, t, s).map(done));
    refuses("theta_gradient", [plain(2), input(&POLICY), Scratch], |[b, p, s]| {
        theta_gradient(&saddle, b, p, &mut &mut s[..]).map(done)
    });
    refuses("beta_gradient", [input(&POLICY), plain(2), Scratch], |[p, t, s]| {
        beta_gradient(&saddle, p, t, &mut &mut s[..]).map(done)
    });
    refuses("beta_gradient_at", [plain(3), plain(2), Scratch], |[v, t, s]| {
        beta_gradient_at(&saddle, v, t, &mut &mut s[..]).map(done)
    });
    refuses("v_gradient", [plain(2), plain(6), Scratch], |[b, mu, s]| {
        v_gradient(&saddle, b, mu, &mut &mut s[..]).map(done)
    });
    refuses("mu_gradient", [plain(3), plain(2), Scratch], |[v, t, s]| {
        mu_gradient(&mdp, v, t, &mut &mut s[..]).map(done)
    });
    refuses("theta_of_policy", [input(&POLICY), Scratch], |[p, s]| theta_of_policy(&mdp, p, &mut &mut s[..]).map(done));
}

#[test]
pub fn gaps_and_regrets_refuse() {
    let mdp = linear();
    let saddle = Saddle::new(mdp, &POWER).unwrap();
    let policies = || In(POLICY.repeat(2));
    refuses("beta_star", [input(&POLICY), Scratch], |[p, s]| beta_star(&saddle, p, &mut &mut s[..]).map(done));
    refuses("occupancy_of", [input(&POLICY), Scratch], |[p, s]| occupancy_of(&mdp, p, &mut &mut s[..]).map(done));
    let (thetas, betas, two) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], POLICY.repeat(2));
    let iterates = Iterates::new(&mdp, &thetas, &betas, &two).unwrap();
    assert_eq!((iterates.theta(1), iterates.beta(1)), (Some(&thetas[2..]), Some(&betas[2..])));
    assert_eq!(iterates.iter().nth(1), Some((&thetas[2..], &betas[2..], &POLICY[..])));
    assert_eq!([iterates.theta(2), iterates.beta(2), iterates.policy(2), iterates.policy(usize::MAX)], [None; 4]);
    refuses("return_of", [input(&POLICY), Scratch], |[p, s]| return_of(&mdp, p, s).map(done));
    refuses("theta_stars", [policies(), Scratch], |[p, s]| {
        theta_stars(&mdp, &Iterates::new(&mdp, &[0.5; 4], &[0.5; 4], p)?, &mut &mut s[..]).map(done)
    });
    refuses("average_suboptimality", [input(&POLICY), policies(), Scratch], |[best, p, s]| {
        average_suboptimality(&mdp, best, &Iterates::new(&mdp, &[0.5; 4], &[0.5; 4], p)?, s).map(done)
    });
    let whole = [plain(4), plain(4), policies(), input(&POLICY), plain(2), plain(4), Scratch];
    refuses("dynamic_duality_gap", whole, |[thetas, betas, p, policy, beta, stars, s]| {
        let iterates = Iterates::new(&mdp, thetas, betas, p)?;
        dynamic_duality_gap(&saddle, &iterates, &Comparators { policy, beta, thetas: stars }, s).map(done)
    });
    refuses("theta_regret", [plain(4), plain(4), policies(), plain(4), Scratch], |[thetas, betas, p, stars, s]| {
        let iterates = Iterates::new(&mdp, thetas, betas, p)?;
        let stars = Comparators { policy: &POLICY, beta: &OMEGA, thetas: stars };
        theta_regret(&saddle, &iterates, &stars, s).map(done)
    });
    refuses("beta_regret", [plain(4), plain(4), policies(), plain(2), Scratch], |[thetas, betas, p, beta, s]| {
        let iterates = Iterates::new(&mdp, thetas, betas, p)?;
        let stars = Comparators { policy: &POLICY, beta, thetas: &[0.5; 4] };
        beta_regret(&saddle, &iterates, &stars, s).map(done)
    });
    refuses("policy_regret", [plain(4), policies(), input(&POLICY), Scratch], |[thetas, p, best, s]| {
        policy_regret(&mdp, &Iterates::new(&mdp, thetas, &[0.5; 4], p)?, best, s).map(done)
    });
    refuses("policy_advantage", [plain(3), input(&POLICY), input(&POLICY), plain(6)], |[nu, a, b, q]| {
        policy_advantage(2, nu, a, b, q).map(done)
    });
    let point = || [plain(2), plain(2), input(&POLICY)];
    let ([a, b, c], [d, e, f]) = (point(), point());
    refuses("telescoped", [a, b, c, d, e, f, Scratch], |[t, b, p, ts, bs, ps, s]| {
        telescoped(&saddle, (t, b, p), (ts, bs, ps), s).map(done)
    });
}

#[test]
pub fn estimators_refuse() {
    let row = || input(&FEATURES[..4]);
    let pi = || input(&[0.25, 0.75]);
    refuses("value_estimate", [row(), pi(), plain(2), Scratch], |[f, p, t, s]| value_estimate(f, p, t, s).map(done));
    refuses("occupancy_estimate", [Scalar(0.5), pi(), pi(), Scalar(2.0), Out(2), Out(2)], |[g, a, b, w, x, y]| {
        occupancy_estimate(&g[0], a, b, &w[0], x, y)
    });
    let td = [Scalar(0.5), Scalar(1.0), Scalar(0.25), plain(2), plain(2)];
    refuses("td_error", td, |[g, r, v, phi, t]| td_error(&g[0], &r[0], &v[0], phi, t).map(done));
    refuses("beta_gradient_estimate", [plain(4), plain(2), Scalar(0.5), Out(2)], |[w, phi, e, out]| {
        beta_gradient_estimate(Some(w), phi, &e[0], out)
    });
    let all = || [Scalar(0.5), plain(2), row(), row(), pi(), pi(), plain(2), Out(2), Scratch];
    refuses("theta_gradient_estimate", all(), |[g, phi, start, next, policy_start, policy_next, wb, out, s]| {
        let visit = Visit { phi, start, next, policy_start, policy_next };
        theta_gradient_estimate(&g[0], &visit, wb, out, s)
    });
    refuses("equation_10", all(), |[g, phi, start, next, policy_start, policy_next, beta, out, s]| {
        let visit = Visit { phi, start, next, policy_start, policy_next };
        offline_primal_dual::errata::equation_10(&g[0], &visit, Some(&POWER), beta, out, s)
    });
}

#[test]
pub fn gradients_in_lambda_and_saddle_points_refuse() {
    use offline_primal_dual::paper::discounted::lambda_gradient::*;
    use offline_primal_dual::paper::discounted::saddle_point::*;
    let mdp = linear();
    refuses("lambda_gradient", [plain(3), plain(2), Scratch], |[v, t, s]| {
        lambda_gradient(&mdp, v, t, &mut &mut s[..]).map(done)
    });
    refuses("lambda_gradient_weighted", [input(&POWER), plain(3), plain(2), Scratch], |[l, v, t, s]| {
        lambda_gradient_weighted(&mdp, l, v, t, &mut &mut s[..]).map(done)
    });
    refuses("lambda_gradient_estimate", [input(&POWER), plain(2), Scalar(0.5), Scratch], |[l, phi, e, s]| {
        lambda_gradient_estimate(l, phi, &e[0], &mut &mut s[..]).map(done)
    });
    let point = || [plain(3), plain(2), plain(2), plain(6), Scratch];
    refuses("is_saddle_point", point(), |[v, t, l, mu, s]| is_saddle_point(&mdp, v, t, l, mu, s).map(done));
    refuses("is_optimal", point(), |[v, t, l, mu, s]| is_optimal(&mdp, v, t, l, mu, s).map(done));
    refuses("inner_regret", [plain(4), plain(2), plain(2)], |[rows, star, g]| inner_regret(rows, star, g).map(done));
}
