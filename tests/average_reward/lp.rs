//! (23), its feature-space form and the dual.

use crate::model::*;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::lp::*;
use offline_primal_dual::paper::average_reward::optimal::optimal_policy;
use offline_primal_dual::paper::average_reward::values::gain;
use offline_primal_dual::paper::mdp::primal_feature_residual;

/// (23) and its feature-space pair: every policy gives a feasible primal point, π* a feasible dual one of the same
/// value, and each constraint notices when it alone is broken.
#[test]
fn linear_programs() {
    let zero = Q::zero();
    let mut draw = Draw(11);
    for model in models(30) {
        let (linear, mdp, mut scratch) = (model.linear(), model.mdp(), model.scratch());
        let (rho_star, best, _) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
        let best = best.to_vec();
        let (rho, v, theta) = dual_point(&linear, &model.varrho, &best, &mut &mut scratch[..]).unwrap();
        let (v, theta) = (v.to_vec(), theta.to_vec());
        assert_eq!(rho, rho_star);
        assert!(dual_feasible(&linear, &model.varrho, &rho_star, &v, &theta, &zero, &mut scratch).unwrap());
        let (lambda, _) = primal_point(&linear, &best, &mut &mut scratch[..]).unwrap();
        assert!(weak_duality_gap(&linear, &rho_star, lambda).unwrap().is_zero());

        let policy = model.random_policy(&mut draw);
        let (lambda, mu) = primal_point(&linear, &policy, &mut &mut scratch[..]).unwrap();
        let (lambda, mu) = (lambda.to_vec(), mu.to_vec());
        assert!(primal_feasible(&linear, &model.varrho, &lambda, &mu, &zero, &mut scratch).unwrap());
        assert_eq!(primal_objective(&linear, &lambda), lp_objective(&mdp, &mu));
        let gap = weak_duality_gap(&linear, &rho_star, &lambda).unwrap();
        assert_eq!(gap, rho_star.clone() - gain(&mdp, &policy, &mut scratch).unwrap());
        assert!(gap >= zero);

        // A policy's own dual point is feasible only when the policy is optimal, or its class can ignore the better action.
        let (rho, v, theta) = dual_point(&linear, &model.varrho, &policy, &mut &mut scratch[..]).unwrap();
        let (v, theta) = (v.to_vec(), theta.to_vec());
        if rho < rho_star {
            assert!(!dual_feasible(&linear, &model.varrho, &rho, &v, &theta, &zero, &mut scratch).unwrap());
        }
        broken_constraints_are_noticed(&model, &policy);
    }
}

fn broken_constraints_are_noticed(model: &Model, policy: &[Q]) {
    let (linear, mdp, mut scratch) = (model.linear(), model.mdp(), model.scratch());
    let (zero, one) = (Q::zero(), Q::one());
    let (lambda, mu) = primal_point(&linear, policy, &mut &mut scratch[..]).unwrap();
    let (lambda, mu) = (lambda.to_vec(), mu.to_vec());
    // Twice μ keeps every homogeneous constraint and breaks the normalisation.
    let twice = |f: &[Q]| -> Vec<Q> { f.iter().map(|x| x.clone() + x).collect() };
    let flow = flow_residual(&mdp, &twice(&mu), &mut &mut scratch[..]).unwrap().to_vec();
    assert!(all_zero(&flow));
    assert_eq!(normalisation_residual(&twice(&mu)), Ok(one.clone()));
    assert!(!lp_feasible(&mdp, &twice(&mu), &zero, &mut scratch).unwrap());
    assert!(lp_feasible(&mdp, &twice(&mu), &one, &mut scratch).unwrap(), "the slack counts");
    let flow = primal_flow_residual(&linear, &twice(&lambda), &twice(&mu), &mut &mut scratch[..]).unwrap().to_vec();
    let feature =
        primal_feature_residual(&linear, &twice(&lambda), &twice(&mu), &mut &mut scratch[..]).unwrap().to_vec();
    assert!(all_zero(&flow) && all_zero(&feature));
    assert_eq!(primal_normalisation_residual(&model.varrho, &twice(&lambda)), Ok(-one.clone()));
    let mut feasible =
        |lambda: &[Q], mu: &[Q]| primal_feasible(&linear, &model.varrho, lambda, mu, &zero, &mut scratch).unwrap();
    assert!(!feasible(&twice(&lambda), &twice(&mu)));
    // Any other μ misses λ or the flow.
    let mut other = mu.clone();
    other[0] = other[0].clone() + &one;
    assert!(!feasible(&lambda, &other));
    assert!(!lp_feasible(&mdp, &other, &zero, &mut scratch).unwrap());
}

#[test]
fn negative_occupancies_are_infeasible() {
    // With two equal actions, moving weight between them keeps every equation.
    let model = deterministic_model(&[1, 0], &[[1, 1], [0, 0]]);
    let mu = [q(-1, 1), q(3, 2), q(1, 2), q(0, 1)];
    let (mdp, mut scratch) = (model.mdp(), model.scratch());
    let flow = flow_residual(&mdp, &mu, &mut &mut scratch[..]).unwrap().to_vec();
    assert!(all_zero(&flow) && normalisation_residual(&mu).unwrap().is_zero());
    assert!(!lp_feasible(&mdp, &mu, &q(0, 1), &mut scratch).unwrap());
    let lambda = mu.clone();
    assert!(!primal_feasible(&model.linear(), &model.varrho, &lambda, &mu, &q(0, 1), &mut scratch).unwrap());
}
