//! Assumption 5.1, and optimal policies.

use crate::model::*;
use offline_primal_dual::Error;
use offline_primal_dual::paper::average_reward::optimal::*;
use offline_primal_dual::paper::average_reward::unichain::*;
use offline_primal_dual::paper::average_reward::values::*;
use offline_primal_dual::paper::mdp::uniform_policy;

#[test]
fn recurrent_classes_are_counted_and_the_offending_policy_named() {
    // Action 0 stays, action 1 goes round.
    let model = deterministic_model(&[1, 0, 0], &[[0, 1], [1, 2], [2, 0]]);
    let (mdp, mut scratch) = (model.mdp(), model.scratch());
    // Codes in base 2, state 0 lowest: one class for each state that stays; the cycle if none does.
    for (code, policy) in model.deterministic().enumerate() {
        let staying = 3 - code.count_ones() as usize;
        assert_eq!(recurrent_classes(&mdp, &policy, &mut scratch), Ok(staying.max(1)));
        let expected = if staying > 1 { Err(Error::NotUnichain { policy: None }) } else { Ok(()) };
        assert_eq!(validate_unichain_policy(&mdp, &policy, &mut scratch), expected);
        assert_eq!(gain(&mdp, &policy, &mut scratch).map(|_| ()), expected);
        assert_eq!(relative_value(&mdp, &policy, &mut &mut scratch[..]).map(|_| ()), expected);
    }
    assert_eq!(validate_unichain(&mdp, &mut scratch), Err(Error::NotUnichain { policy: Some(0) }));
    assert_eq!(span_bound(&mdp, &mut scratch), Err(Error::NotUnichain { policy: Some(0) }));
    let uniform = uniform_policy(3, 2, &mut &mut zeros(6)[..]).unwrap().to_vec();
    assert_eq!(recurrent_classes(&mdp, &uniform, &mut scratch), Ok(1));
    // Digits of 0b110: state 0 goes to 1, states 1 and 2 stay.
    let model = deterministic_model(&[1, 0, 0], &[[1, 2], [2, 1], [1, 2]]);
    assert_eq!(validate_unichain(&model.mdp(), &mut model.scratch()), Err(Error::NotUnichain { policy: Some(0b110) }));
    assert_eq!(deterministic_policies(3, 4), Ok(64));
    assert!(deterministic_policies(200, 2).is_err());
    assert!(decode_policy::<Q>(3, 2, 8, &mut &mut zeros(6)[..]).is_err());
    assert!(decode_policy::<Q>(3, 2, 0, &mut &mut zeros(5)[..]).is_err());
    assert!(decode_policy::<Q>(3, 0, 0, &mut &mut zeros(4)[..]).is_err());
}

/// The optimality residual of policy iteration's answer is zero, and no deterministic policy has more gain.
#[test]
fn policy_iteration_ends_at_a_proof_of_optimality() {
    let mut all = models(40);
    // Every policy ends in state 0, so only transient states can improve: first 3 finds its short way, and only then
    // is going through 3 better for 4.
    all.push(deterministic_model(&[1, 0, 0, 0, 0], &[[0, 0], [0, 0], [1, 1], [2, 0], [2, 3]]));
    for model in all {
        let (mdp, mut scratch) = (model.mdp(), model.scratch());
        let (best, policy, v) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
        let (policy, v) = (policy.to_vec(), v.to_vec());
        let residual = optimality_residual(&mdp, &best, &v, &mut &mut scratch[..]).unwrap().to_vec();
        assert!(all_zero(&residual));
        assert_eq!(gain(&mdp, &policy, &mut scratch).unwrap(), best);
        for other in model.deterministic() {
            assert!(gain(&mdp, &other, &mut scratch).unwrap() <= best);
        }
    }
}

/// D_q is attained by a deterministic policy: no randomised one on a grid has more span.
#[test]
fn the_span_bound_holds_for_randomised_policies() {
    let mut draw = Draw(5);
    for model in models(12) {
        let (mdp, mut scratch) = (model.mdp(), model.scratch());
        let bound = span_bound(&mdp, &mut scratch).unwrap();
        assert!(model.deterministic().any(|policy| policy_span(&mdp, &policy, &mut scratch).unwrap() == bound));
        for _ in 0..40 {
            let policy = model.random_policy(&mut draw);
            let span = policy_span(&mdp, &policy, &mut scratch).unwrap();
            assert_eq!(span, span_seminorm(&model.values(&policy).2).unwrap());
            assert!(span <= bound);
        }
    }
}
