//! Section 5 and Appendix C.

use crate::harness::*;
use offline_primal_dual::paper::average_reward::duality_gap::*;
use offline_primal_dual::paper::average_reward::lagrangian::*;
use offline_primal_dual::paper::average_reward::lp::*;
use offline_primal_dual::paper::average_reward::optimal::*;
use offline_primal_dual::paper::average_reward::regret::*;
use offline_primal_dual::paper::average_reward::unichain::*;
use offline_primal_dual::paper::average_reward::values::*;
use offline_primal_dual::paper::mdp::{LinearMdp, Mdp};

#[test]
pub fn values_refuse() {
    with_table(|mdp| {
        let policy = || input(&POLICY);
        refuses("state_occupancy", [policy(), Scratch], |[p, s]| state_occupancy(mdp, p, &mut &mut s[..]).map(done));
        refuses("occupancy", [policy(), Scratch], |[p, s]| occupancy(mdp, p, &mut &mut s[..]).map(done));
        refuses("gain", [policy(), Scratch], |[p, s]| gain(mdp, p, s).map(done));
        refuses("relative_value", [policy(), Scratch], |[p, s]| relative_value(mdp, p, &mut &mut s[..]).map(done));
        refuses("state_value", [policy(), Scratch], |[p, s]| state_value(mdp, p, &mut &mut s[..]).map(done));
        refuses("action_value", [Scalar(0.5), plain(3), Scratch], |[g, v, s]| {
            action_value(mdp, &g[0], v, &mut &mut s[..]).map(done)
        });
        refuses("bellman_residual", [plain(6), Scalar(0.5), plain(3), Scratch], |[q, g, v, s]| {
            bellman_residual(mdp, q, &g[0], v, &mut &mut s[..]).map(done)
        });
        refuses("recurrent_classes", [policy(), Scratch], |[p, s]| recurrent_classes(mdp, p, s).map(done));
        refuses("validate_unichain_policy", [policy(), Scratch], |[p, s]| validate_unichain_policy(mdp, p, s));
        refuses("validate_unichain", [Scratch], |[s]| validate_unichain(mdp, s));
        refuses("policy_span", [policy(), Scratch], |[p, s]| policy_span(mdp, p, s).map(done));
        refuses("span_bound", [Scratch], |[s]| span_bound(mdp, s).map(done));
        refuses("optimal_policy", [Scratch], |[s]| optimal_policy(mdp, &mut &mut s[..]).map(done));
        refuses("optimality_residual", [Scalar(0.5), plain(3), Scratch], |[g, v, s]| {
            optimality_residual(mdp, &g[0], v, &mut &mut s[..]).map(done)
        });
    });
    refuses("span_seminorm", [Any(vec![1.0, 2.0, 3.0])], |[q]| span_seminorm(q).map(done));
    refuses("theta_of_value", [plain(2), Scalar(0.5), plain(3), Scratch], |[r, g, v, s]| {
        theta_of_value(&linear(), r, &g[0], v, &mut &mut s[..]).map(done)
    });
    refuses("shifted_theta", [plain(2), plain(2), Scratch], |[r, theta, s]| {
        shifted_theta(&linear(), r, theta, &mut &mut s[..]).map(done)
    });
}

#[test]
pub fn linear_programs_refuse() {
    let mdp = linear();
    with_table(|table| {
        refuses("lp_objective", [plain(6)], |[mu]| lp_objective(table, mu).map(done));
        refuses("flow_residual", [plain(6), Scratch], |[mu, s]| flow_residual(table, mu, &mut &mut s[..]).map(done));
        refuses("lp_feasible", [plain(6), Scalar(0.0), Scratch], |[mu, slack, s]| {
            lp_feasible(table, mu, &slack[0], s).map(done)
        });
    });
    refuses("normalisation_residual", [Any(vec![1.0, 2.0])], |[mu]| normalisation_residual(mu).map(done));
    refuses("primal_objective", [plain(2)], |[lambda]| primal_objective(&mdp, lambda).map(done));
    refuses("primal_flow_residual", [plain(2), plain(6), Scratch], |[lambda, mu, s]| {
        primal_flow_residual(&mdp, lambda, mu, &mut &mut s[..]).map(done)
    });
    refuses("primal_normalisation_residual", [plain(2), plain(2)], |[r, lambda]| {
        primal_normalisation_residual(r, lambda).map(done)
    });
    refuses("primal_feasible", [plain(2), plain(2), plain(6), Scalar(0.0), Scratch], |[r, lambda, mu, slack, s]| {
        primal_feasible(&mdp, r, lambda, mu, &slack[0], s).map(done)
    });
    refuses("dual_feature_residual", [plain(2), Scalar(0.5), plain(3), plain(2), Scratch], |[r, rho, v, theta, s]| {
        dual_feature_residual(&mdp, r, &rho[0], v, theta, &mut &mut s[..]).map(done)
    });
    refuses(
        "dual_feasible",
        [plain(2), Scalar(0.5), plain(3), plain(2), Scalar(0.0), Scratch],
        |[r, rho, v, theta, slack, s]| dual_feasible(&mdp, r, &rho[0], v, theta, &slack[0], s).map(done),
    );
    refuses("weak_duality_gap", [Scalar(0.5), plain(2)], |[rho, lambda]| {
        weak_duality_gap(&mdp, &rho[0], lambda).map(done)
    });
    refuses("primal_point", [input(&POLICY), Scratch], |[p, s]| primal_point(&mdp, p, &mut &mut s[..]).map(done));
    refuses("dual_point", [plain(2), input(&POLICY), Scratch], |[r, p, s]| {
        dual_point(&mdp, r, p, &mut &mut s[..]).map(done)
    });
}

#[test]
pub fn lagrangians_refuse() {
    let mdp = linear();
    refuses("Saddle::new", [plain(2), plain(4)], |[r, power]| Saddle::new(linear(), r, power).map(done));
    let in_lambda = || [plain(2), Scalar(0.5), plain(3), plain(2), plain(2), plain(6), Scratch];
    refuses("lagrangian", in_lambda(), |[r, rho, v, theta, lambda, mu, s]| {
        lagrangian(&mdp, r, &rho[0], v, theta, lambda, mu, s).map(done)
    });
    refuses("lagrangian_regrouped", in_lambda(), |[r, rho, v, theta, lambda, mu, s]| {
        lagrangian_regrouped(&mdp, r, &rho[0], v, theta, lambda, mu, s).map(done)
    });
    refuses("average_lagrangian_regrouped", in_lambda(), |[r, rho, v, theta, lambda, mu, s]| {
        offline_primal_dual::errata::average_lagrangian_regrouped(&mdp, r, &rho[0], v, theta, lambda, mu, s).map(done)
    });
    let saddle = Saddle::new(mdp, &VARRHO, &POWER).unwrap();
    refuses("Saddle::lambda", [plain(2), Scratch], |[beta, s]| saddle.lambda(beta, &mut &mut s[..]).map(done));
    let in_beta = || [plain(2), plain(6), Scalar(0.5), plain(3), plain(2), Scratch];
    refuses("lagrangian_beta", in_beta(), |[beta, mu, rho, v, theta, s]| {
        lagrangian_beta(&saddle, beta, mu, &rho[0], v, theta, s).map(done)
    });
    refuses("lagrangian_beta_regrouped", in_beta(), |[beta, mu, rho, v, theta, s]| {
        lagrangian_beta_regrouped(&saddle, beta, mu, &rho[0], v, theta, s).map(done)
    });
    refuses("nu_beta", [plain(2), Scratch], |[beta, s]| nu_beta(&saddle, beta, &mut &mut s[..]).map(done));
    refuses("mu_beta", [plain(2), input(&POLICY), Scratch], |[beta, p, s]| {
        mu_beta(&saddle, beta, p, &mut &mut s[..]).map(done)
    });
}

#[test]
pub fn f_and_its_gradients_refuse() {
    let mdp = linear();
    let saddle = Saddle::new(mdp, &VARRHO, &POWER).unwrap();
    for (name, f) in [("f_theta", f_theta as fn(&_, &_, &_, &_, &_, &mut _) -> _), ("f_nu", f_nu)] {
        refuses(name, [plain(2), input(&POLICY), Scalar(0.5), plain(2), Scratch], |[beta, p, rho, theta, s]| {
            f(&saddle, beta, p, &rho[0], theta, s).map(done)
        });
    }
    for (name, f) in [("f_beta", f_beta as fn(&_, &_, &_, &_, &_, &mut _) -> _), ("f_lagrangian", f_lagrangian)] {
        refuses(name, [plain(2), input(&POLICY), Scalar(0.5), plain(2), Scratch], |[beta, p, rho, theta, s]| {
            f(&saddle, beta, p, &rho[0], theta, s).map(done)
        });
    }
    refuses("theta_gradient", [plain(2), input(&POLICY), Scratch], |[beta, p, s]| {
        theta_gradient(&saddle, beta, p, &mut &mut s[..]).map(done)
    });
    refuses("rho_gradient", [plain(2), Scratch], |[beta, s]| rho_gradient(&saddle, beta, s).map(done));
    refuses("beta_gradient", [input(&POLICY), Scalar(0.5), plain(2), Scratch], |[p, rho, theta, s]| {
        beta_gradient(&saddle, p, &rho[0], theta, &mut &mut s[..]).map(done)
    });
    refuses("beta_gradient_at", [Scalar(0.5), plain(3), plain(2), Scratch], |[rho, v, theta, s]| {
        beta_gradient_at(&saddle, &rho[0], v, theta, &mut &mut s[..]).map(done)
    });
    refuses("v_gradient", [plain(2), plain(6), Scratch], |[beta, mu, s]| {
        v_gradient(&saddle, beta, mu, &mut &mut s[..]).map(done)
    });
    refuses("theta_of_policy", [plain(2), input(&POLICY), Scratch], |[r, p, s]| {
        theta_of_policy(&mdp, r, p, &mut &mut s[..]).map(done)
    });
}

#[test]
pub fn gaps_and_regrets_refuse() {
    let mdp = linear();
    let saddle = Saddle::new(mdp, &VARRHO, &POWER).unwrap();
    let policies = || In(POLICY.repeat(2));
    // Shapes are checked when the iterates are made; numbers by the functions that read them.
    let (rhos, thetas, two) = ([0.25, 0.5], [1.0, 2.0, 3.0, 4.0], POLICY.repeat(2));
    let iterates = Iterates::new(&mdp, &rhos, &thetas, &thetas, &two).unwrap();
    assert_eq!(iterates.iter().nth(1), Some((&rhos[1], &thetas[2..], &thetas[2..], &POLICY[..])));
    assert_eq!((iterates.rho(1), iterates.rho(2), iterates.rho(usize::MAX)), (Some(&0.5), None, None));
    assert_eq!([iterates.theta(2), iterates.beta(2), iterates.policy(2), iterates.policy(usize::MAX)], [None; 4]);
    refuses("beta_star", [input(&POLICY), Scratch], |[p, s]| beta_star(&saddle, p, &mut &mut s[..]).map(done));
    refuses("occupancy_of", [input(&POLICY), Scratch], |[p, s]| occupancy_of(&mdp, p, &mut &mut s[..]).map(done));
    refuses("gain_of", [input(&POLICY), Scratch], |[p, s]| gain_of(&mdp, p, s).map(done));
    refuses("rho_theta_stars", [policies(), Scratch], |[p, s]| {
        let iterates = Iterates::new(&mdp, &[0.5; 2], &[0.5; 4], &[0.5; 4], p)?;
        rho_theta_stars(&saddle, &iterates, &mut &mut s[..]).map(done)
    });
    refuses("average_suboptimality", [input(&POLICY), policies(), Scratch], |[best, p, s]| {
        let iterates = Iterates::new(&mdp, &[0.5; 2], &[0.5; 4], &[0.5; 4], p)?;
        average_suboptimality(&mdp, best, &iterates, s).map(done)
    });
    let whole = || [plain(2), plain(4), plain(4), policies(), input(&POLICY), plain(2), plain(2), plain(4), Scratch];
    refuses("dynamic_duality_gap", whole(), |[rhos, thetas, betas, p, policy, beta, rho_stars, theta_stars, s]| {
        let iterates = Iterates::new(&mdp, rhos, thetas, betas, p)?;
        let stars = Comparators { policy, beta, rhos: rho_stars, thetas: theta_stars };
        dynamic_duality_gap(&saddle, &iterates, &stars, s).map(done)
    });
    refuses("theta_regret", [plain(4), plain(4), policies(), plain(4), Scratch], |[thetas, betas, p, stars, s]| {
        let iterates = Iterates::new(&mdp, &[0.5; 2], thetas, betas, p)?;
        let stars = Comparators { policy: &POLICY, beta: &OMEGA, rhos: &[0.5; 2], thetas: stars };
        theta_regret(&saddle, &iterates, &stars, s).map(done)
    });
    let table = POLICY.repeat(2);
    refuses("rho_regret", [plain(2), plain(4), plain(2), Scratch], |[rhos, betas, stars, s]| {
        let iterates = Iterates::new(&mdp, rhos, &[0.5; 4], betas, &table)?;
        let stars = Comparators { policy: &POLICY, beta: &OMEGA, rhos: stars, thetas: &[0.5; 4] };
        rho_regret(&saddle, &iterates, &stars, s).map(done)
    });
    let all = [plain(2), plain(4), plain(4), policies(), plain(2), Scratch];
    refuses("beta_regret", all, |[rhos, thetas, betas, p, beta, s]| {
        let iterates = Iterates::new(&mdp, rhos, thetas, betas, p)?;
        let stars = Comparators { policy: &POLICY, beta, rhos: &[0.5; 2], thetas: &[0.5; 4] };
        beta_regret(&saddle, &iterates, &stars, s).map(done)
    });
    refuses("policy_regret", [plain(4), policies(), input(&POLICY), Scratch], |[thetas, p, best, s]| {
        let iterates = Iterates::new(&mdp, &[0.5; 2], thetas, &[0.5; 4], p)?;
        policy_regret(&mdp, &iterates, best, s).map(done)
    });
    let points =
        [[Scalar(0.5), plain(2), plain(2), input(&POLICY)], [Scalar(0.25), plain(2), plain(2), input(&POLICY)]];
    let [[a, b, c, d], [e, f, g, h]] = points;
    refuses(
        "telescoped",
        [a, b, c, d, e, f, g, h, Scratch],
        |[rho, theta, beta, p, rho_s, theta_s, beta_s, p_s, s]| {
            telescoped(&saddle, (&rho[0], theta, beta, p), (&rho_s[0], theta_s, beta_s, p_s), s).map(done)
        },
    );
}

/// The model's own numbers: whoever reads them notices.
#[test]
pub fn non_finite_models_are_refused() {
    let numbers = || [input(&FEATURES), input(&OMEGA), input(&PSI), Scratch];
    refuses("gain_of", numbers(), |[features, omega, psi, s]| {
        gain_of(&LinearMdp::unvalidated(SHAPE, features, omega, psi, &INITIAL, &0.5)?, &POLICY, s).map(done)
    });
    refuses("dual_point", numbers(), |[features, omega, psi, s]| {
        let mdp = LinearMdp::unvalidated(SHAPE, features, omega, psi, &INITIAL, &0.5)?;
        dual_point(&mdp, &VARRHO, &POLICY, &mut &mut s[..]).map(done)
    });
    refuses("lagrangian", numbers(), |[features, omega, psi, s]| {
        let mdp = LinearMdp::unvalidated(SHAPE, features, omega, psi, &INITIAL, &0.5)?;
        lagrangian(&mdp, &VARRHO, &0.5, &[0.5; 3], &[0.5; 2], &[0.5; 2], &[0.5; PAIRS], s).map(done)
    });
    with_table(|mdp| {
        let tables = || [input(mdp.reward()), input(mdp.transition()), Scratch];
        refuses("optimal_policy", tables(), |[reward, transition, s]| {
            let mdp = Mdp::unvalidated(3, 2, reward, transition, &INITIAL, &0.5)?;
            optimal_policy(&mdp, &mut &mut s[..]).map(done)
        });
        refuses("span_bound", tables(), |[reward, transition, s]| {
            span_bound(&Mdp::unvalidated(3, 2, reward, transition, &INITIAL, &0.5)?, s).map(done)
        });
        refuses("state_value", tables(), |[reward, transition, s]| {
            // The policy must take every action for every row to be read.
            let mdp = Mdp::unvalidated(3, 2, reward, transition, &INITIAL, &0.5)?;
            state_value(&mdp, &[0.5; PAIRS], &mut &mut s[..]).map(done)
        });
    });
}
