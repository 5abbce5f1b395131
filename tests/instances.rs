//! Every embedded instance is a valid model and is what it says it is.
#![cfg(all(feature = "std", feature = "exact"))]

use offline_primal_dual::instances::{self, Owned};
use offline_primal_dual::linear::solve::rank;
use offline_primal_dual::linear::vector::{dot, norm_squared};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::number::rational::{Rational8, Rational64};
use offline_primal_dual::paper::covariance::{covariance, verify_root};
use offline_primal_dual::paper::mdp::*;
use offline_primal_dual::{Error, Result};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn get(name: &str) -> Owned<Q> {
    instances::by_name(name).unwrap().to_owned().unwrap()
}

fn zeros(n: usize) -> Vec<Q> {
    vec![q(0, 1); n]
}

/// The tabulated model and its scratch, handed to `body`.
fn with_mdp<R>(instance: &Owned<Q>, body: impl FnOnce(&LinearMdp<Q>, &Mdp<Q>, &mut [Q]) -> R) -> R {
    let shape = instance.shape;
    let linear = instance.linear_mdp().unwrap();
    let mut table = zeros(shape.scratch());
    let mdp = linear.tabulate(&mut &mut table[..]).unwrap();
    body(&linear, &mdp, &mut zeros(shape.scratch()))
}

fn behavior_occupancy(instance: &Owned<Q>) -> Vec<Q> {
    with_mdp(instance, |_, mdp, mut scratch| occupancy(mdp, &instance.behavior, &mut scratch).unwrap().to_vec())
}

fn optimal(instance: &Owned<Q>) -> (Vec<Q>, Vec<Q>) {
    with_mdp(instance, |_, mdp, mut scratch| {
        let (policy, v) = optimal_policy(mdp, &mut scratch).unwrap();
        let residual = optimality_residual(mdp, v, &mut scratch).unwrap();
        assert!(residual.iter().all(Field::is_zero));
        (policy.to_vec(), v.to_vec())
    })
}

#[test]
fn names_are_unique_and_found() {
    for (i, instance) in instances::all().iter().enumerate() {
        assert_eq!(instances::all().iter().position(|other| other.name() == instance.name()), Some(i));
        assert!(std::ptr::eq(instances::by_name(instance.name()).unwrap(), instance));
        assert!(!instance.description().is_empty() && !instance.is_empty());
    }
    assert!(instances::by_name("no such instance").is_none());
    assert_eq!(instances::all()[0].name(), "two-state");
}

/// Definition 2.1 at all three scalars, and a positive definite Λ with the root it claims.
#[test]
fn every_instance_is_a_valid_linear_mdp() {
    fn valid<T: Field>(instance: &instances::Instance) -> Result<()> {
        let owned = instance.to_owned::<T>()?;
        let shape = owned.shape;
        validate_policy(shape.states, shape.actions, &owned.behavior)?;
        owned.linear_mdp()?.validate(&mut vec![T::zero(); shape.scratch()])
    }
    for instance in instances::all() {
        assert_eq!(valid::<Q>(instance), Ok(()), "{}", instance.name());
        assert_eq!(valid::<Rational64>(instance), Ok(()), "{}", instance.name());
        assert_eq!(valid::<f64>(instance), Ok(()), "{}", instance.name());
        let owned = instance.to_owned::<Q>().unwrap();
        let (mu_b, dim) = (behavior_occupancy(&owned), owned.shape.dim);
        let lambda = covariance(&owned.linear_mdp().unwrap(), &mu_b, &mut &mut zeros(dim * dim)[..]).unwrap().to_vec();
        let expected = if instance.name() == "half-seen" { dim / 2 } else { dim };
        assert_eq!(rank(dim, &mut lambda.clone()), Ok(expected), "{}: Λ", instance.name());
        assert_eq!(owned.root.is_some(), instance.has_root());
        if let Some(root) = &owned.root {
            verify_root(dim, &lambda, root).unwrap();
        }
    }
}

/// Assumption 5.2, and one recurrent class under every deterministic policy: I − P_π has rank |X| − 1. Where a root is
/// given, μ_B is the stationary occupancy too.
#[test]
fn average_reward_instances_are_unichain_with_ones_in_the_span() {
    let mut seen = 0;
    for instance in instances::all() {
        let owned = instance.to_owned::<Q>().unwrap();
        let (states, actions) = (owned.shape.states, owned.shape.actions);
        let unichain = with_mdp(&owned, |linear, mdp, scratch| {
            let every = (0..actions.pow(u32::try_from(states).unwrap())).all(|code| {
                let digit = |x: usize| code / actions.pow(u32::try_from(x).unwrap()) % actions;
                let mut rest = &mut *scratch;
                let policy = deterministic_policy(states, actions, digit, &mut rest).unwrap();
                let matrix = policy_transition(mdp, policy, &mut rest).unwrap();
                for i in 0..states {
                    matrix[i * states + i] -= q(1, 1);
                }
                rank(states, matrix).unwrap() == states - 1
            });
            every && ones_coefficients(linear, &mut &mut *scratch).is_ok()
        });
        assert!(unichain || !instance.is_average_reward(), "{}", instance.name());
        if instance.is_average_reward() && instance.has_root() {
            let mu_b = behavior_occupancy(&owned);
            let marginal = state_marginal(actions, &mu_b, &mut &mut zeros(states)[..]).unwrap().to_vec();
            assert_eq!(marginal, owned.initial, "{}: ν₀ is not stationary", instance.name());
        }
        seen += usize::from(instance.is_average_reward());
    }
    assert_eq!(seen, 7);
}

/// `write` fills exactly `len` numbers, refuses less, and refuses a scalar that is too small.
#[test]
fn buffers_are_filled_exactly() {
    for instance in instances::all() {
        let mut buffer = zeros(instance.len());
        instance.write(&mut buffer).unwrap();
        let short = instance.len() - 1;
        assert!(matches!(instance.write(&mut buffer[..short]), Err(Error::Scratch { .. })));
        let mut untouched = vec![Q::INVALID; instance.len()];
        instance.write(&mut untouched).unwrap();
        assert!(untouched.iter().all(Field::is_valid), "{}: not every number is written", instance.name());
    }
    let too_wide = instances::by_name("rotated").unwrap().to_owned::<Rational8>();
    assert!(matches!(too_wide, Err(Error::NotFinite { what: "psi", .. })), "{too_wide:?}");
}

#[test]
fn two_state_and_its_relatives_share_one_occupancy() {
    let expected = [q(16, 25), q(4, 25), q(4, 25), q(1, 25)];
    for name in ["two-state", "whitened", "rotated"] {
        assert_eq!(behavior_occupancy(&get(name)), expected, "{name}");
    }
    let tables = ["two-state", "whitened"]
        .map(|name| with_mdp(&get(name), |_, mdp, _| (mdp.reward().to_vec(), mdp.transition().to_vec())));
    assert_eq!(tables[0], tables[1], "whitening changes the features, not the model");
    let whitened = get("whitened");
    let lambda = covariance(&whitened.linear_mdp().unwrap(), &behavior_occupancy(&whitened), &mut &mut zeros(16)[..])
        .unwrap()
        .to_vec();
    for (index, entry) in lambda.iter().enumerate() {
        assert_eq!(*entry, q(i64::from(index / 4 == index % 4), 1), "Λ is the identity");
    }
    let (policy, _) = optimal(&get("two-state"));
    assert_eq!(policy, [q(0, 1), q(1, 1), q(1, 1), q(0, 1)], "explore the dear action, then stay");
}

#[test]
fn low_rank_has_fewer_features_than_pairs() {
    for name in ["low-rank", "partial-coverage", "ergodic", "rotated"] {
        let instance = get(name);
        assert!(instance.shape.dim < instance.shape.pairs(), "{name}");
    }
}

#[test]
fn partial_coverage_misses_only_what_is_not_needed() {
    let instance = get("partial-coverage");
    let mu_b = behavior_occupancy(&instance);
    let missed: Vec<_> = (0..6).filter(|&pair| mu_b[pair].is_zero()).collect();
    assert_eq!(missed, [3, 5], "(1,1) and (2,1)");
    let (policy, _) = optimal(&instance);
    assert!(missed.iter().all(|&pair| policy[pair].is_zero()), "{policy:?}");
}

#[test]
fn ergodic_transitions_are_all_positive() {
    with_mdp(&get("ergodic"), |_, mdp, _| assert!(mdp.transition().iter().all(|p| *p > q(0, 1))));
}

/// Errata 1 and 2 rest on this: φᵀΛ⁻¹φ = d at every action although ‖φ‖² = 103/100 and ‖Λ‖₂ = 1.
#[test]
fn nearly_collinear_features_have_constant_leverage() {
    let instance = get("nearly-collinear");
    let root = instance.root.as_ref().unwrap();
    for phi in instance.features.chunks_exact(4) {
        let leverage = (0..4).fold(q(0, 1), |sum, i| {
            let scaled = phi[i].clone() / &root[i * 4 + i];
            sum + scaled.clone() * scaled
        });
        assert_eq!(leverage, q(4, 1));
        assert_eq!(norm_squared(phi).unwrap(), q(103, 100));
    }
}

/// Erratum 3: ‖θ^π‖ = 13 exceeds print's D_ω + D_ψ/(1−γ) = 113/10 and obeys the repaired bound 273/10.
#[test]
fn cancelling_psi_breaks_the_printed_bound_on_theta() {
    let instance = get("cancelling-psi");
    let (_, v) = optimal(&instance);
    with_mdp(&instance, |linear, _, scratch| {
        let theta = theta_of_value(linear, &v, &mut &mut *scratch).unwrap();
        assert_eq!(norm_squared(theta).unwrap(), q(13 * 13, 1));
        let bounds = squared_bounds(linear, scratch).unwrap();
        assert_eq!(bounds.omega, q(169, 100));
        assert_eq!(bounds.psi_printed, q(1, 1));
        assert_eq!(bounds.psi, q(169, 25));
        let (omega, horizon) = (q(13, 10), q(10, 1));
        assert!(q(13, 1) > omega.clone() + q(1, 1) * &horizon);
        assert!(q(13, 1) <= omega + q(13, 5) * &horizon);
    });
}

/// Errata 4 and 6: Φᵀμ* = (4, 0) and Λ = 8 I, so C_{φ,1} = 1/4 and C_{φ,1/2} = 2.
#[test]
fn rescaled_features_reverse_the_order_of_the_ratios() {
    let instance = get("rescaled");
    let mu_b = behavior_occupancy(&instance);
    let lambda = covariance(&instance.linear_mdp().unwrap(), &mu_b, &mut &mut zeros(4)[..]).unwrap().to_vec();
    assert_eq!(lambda, [q(8, 1), q(0, 1), q(0, 1), q(8, 1)]);
    let (policy, _) = optimal(&instance);
    assert_eq!(policy, [q(1, 1), q(0, 1)]);
    let beta = [q(4, 8), q(0, 1)];
    assert_eq!(dot(&beta, &beta).unwrap(), q(1, 4));
}
