//! The register of statements, all of it: on every embedded instance, on enumerated families of small models and on 1,000 random
//! rational linear MDPs (|X| ≤ 6, |A| ≤ 4, d ≤ 5), in both settings.
#![cfg(all(feature = "std", feature = "exact"))]
// Dimensions and counts here have one digit.
#![allow(clippy::cast_possible_wrap, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod common;
mod models;
mod routes;

use common::{counts, families};
use models::{Draw, random_model, with_points};
use offline_primal_dual::Error;
use offline_primal_dual::conformance::Setting;
use offline_primal_dual::instances::{self, Owned};
use offline_primal_dual::number::Field as _;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::number::interval::Interval;
use offline_primal_dual::statements::compared::{
    at_most_enclosed, equal_enclosed, equal_enclosed_vectors, equal_vectors, root_at_most_sum,
};
use offline_primal_dual::statements::{self, Case, Check, Compared, Finding, Side, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// How often each check came out how.
type Tally = BTreeMap<(&'static str, &'static str), u64>;

/// Evaluates checks on a model in both settings; fails with the statement's name. A setting that the model does not have is passed by.
fn evaluate(name: &str, model: &Owned<Q>, points: Option<u64>, wanted: impl Fn(&Check) -> bool) -> Tally {
    let mut tally = Tally::new();
    for setting in Setting::ALL {
        let case = match Case::new(setting, model.clone()) {
            Ok(case) => case,
            Err(error) => {
                let finding = Finding::not_computed("setting", error.to_string(), &error);
                assert_eq!(finding.status, Status::NotApplicable, "{name}, {setting:?}: {error}");
                continue;
            }
        };
        let case = match points {
            None => case,
            Some(seed) => with_points(case, &mut Draw(seed)),
        };
        let mut scratch = case.scratch();
        for check in statements::checks_of(setting).filter(|check| wanted(check)) {
            for finding in check.evaluate(&case, &mut scratch) {
                let told = || format!("{name}: {} ({}): {finding:?}", check.statement, check.name);
                assert_ne!(finding.status, Status::Fails, "{}", told());
                // At the points that the audit takes every enclosure decides; at random ones the two sides may be equal.
                assert!(points.is_some() || finding.status != Status::Undecided, "{}", told());
                *tally.entry((check.name, finding.status.word())).or_default() += 1;
            }
        }
    }
    tally
}

fn add(into: &mut Tally, from: Tally) {
    for (key, count) in from {
        *into.entry(key).or_default() += count;
    }
}

/// Runs `work` on 0..n on all cores and adds up.
fn in_parallel(n: usize, work: impl Fn(usize) -> Tally + Sync) -> Tally {
    let total = Mutex::new(Tally::new());
    common::sum_in_parallel("statements", n, |i| {
        // Before the lock, which would otherwise be held while others wait to work.
        let tally = work(i);
        add(&mut total.lock().unwrap(), tally);
        1
    });
    total.into_inner().unwrap()
}

fn counted(tally: &Tally, status: &str) -> BTreeSet<&'static str> {
    tally.keys().filter(|(_, word)| *word == status).map(|(name, _)| *name).collect()
}

/// The quick one, which mutants meet first.
#[test]
fn on_the_smallest_instances() {
    for name in ["two-state", "rotated", "rescaled"] {
        evaluate(name, &instances::by_name(name).unwrap().to_owned().unwrap(), None, |_| true);
    }
}

/// How often a check of each statement held.
fn held(tally: &Tally) -> Vec<(&'static str, u64)> {
    let of = |check: &Check| tally.get(&(check.name, "holds")).copied().unwrap_or(0);
    statements::statements().map(|statement| (statement.id, statement.checks().map(of).sum())).collect()
}

/// Every check holds somewhere, and every erratum is shown somewhere: none is always beside the point.
#[test]
fn on_every_embedded_instance() {
    let all = instances::all();
    let mut tally = in_parallel(all.len(), |i| evaluate(all[i].name(), &all[i].to_owned().unwrap(), None, |_| true));
    add(
        &mut tally,
        in_parallel(all.len(), |i| evaluate(all[i].name(), &all[i].to_owned().unwrap(), Some(7), |_| true)),
    );
    add(&mut tally, evaluate("flat rewards", &models::flat_rewards(), None, |_| true));
    let (held, shown) = (counted(&tally, "holds"), counted(&tally, "erratum"));
    for check in statements::checks() {
        let seen = if check.erratum.is_some() { &shown } else { &held };
        assert!(seen.contains(check.name), "{} never speaks", check.name);
    }
    println!("{} evaluations", tally.values().sum::<u64>());
}

/// A family's model with a behaviour policy in general position.
fn owned(model: common::Model) -> Owned<Q> {
    let exact = |numbers: &[common::Q]| numbers.iter().map(|x| models::exact(*x)).collect::<Vec<_>>();
    let (states, actions) = (model.shape.states, model.shape.actions);
    let total = |x: usize| (0..actions).map(|a| (1 + a + x) as i64).sum::<i64>();
    let entry = |i: usize| models::q((1 + i % actions + i / actions) as i64, total(i / actions));
    Owned {
        shape: model.shape,
        features: exact(&model.features),
        omega: exact(&model.omega),
        psi: exact(&model.psi),
        initial: exact(&model.initial),
        discount: models::exact(model.discount),
        behavior: (0..states * actions).map(entry).collect(),
        root: None,
    }
}

/// Every 211th of the models with |X| = |A| = 2 on {0, 1/2, 1}, every 97th with |X| = 3, every 131st with two features for four pairs:
/// `tests/exhaustive_*` has all of them for Lemmas 4.1, 4.2, C.3 and C.4.
#[test]
fn on_enumerated_families() {
    let mut sampled: Vec<(String, Owned<Q>)> = Vec::new();
    for i in (0..families::TWO_STATE_MODELS).step_by(211) {
        sampled.push((format!("two_state({i})"), owned(families::two_state(i))));
    }
    for i in (0..families::THREE_STATE_MODELS).step_by(97) {
        sampled.push((format!("three_state({i})"), owned(families::three_state(i))));
    }
    for i in (0..81 * 81).step_by(131) {
        sampled.extend(families::low_rank(i).map(|model| (format!("low_rank({i})"), owned(model))));
    }
    let tally = in_parallel(sampled.len(), |i| evaluate(&sampled[i].0, &sampled[i].1, Some(i as u64), |_| true));
    println!("{} models, {} evaluations", sampled.len(), tally.values().sum::<u64>());
    assert!(sampled.len() > 150);
    let on = format!("{} small models of enumerated families", sampled.len());
    counts::hold("families", &on, &held(&tally));
}

/// Checks that enumerate samples or policies, or certify a run, are left to the models that are small enough for it.
#[test]
fn on_a_thousand_random_linear_mdps() {
    let mut seeds = Vec::new();
    let mut seed = 0;
    while seeds.len() < 1000 {
        seeds.extend(random_model(&mut Draw(seed)).map(|_| seed));
        seed += 1;
    }
    let tally = in_parallel(seeds.len(), |i| {
        let model = random_model(&mut Draw(seeds[i])).unwrap();
        let small = model.shape.states * model.shape.pairs() <= 12;
        evaluate(&format!("seed {}", seeds[i]), &model, Some(seeds[i]), |check| small || !check.enumerates)
    });
    println!("{} evaluations", tally.values().sum::<u64>());
    counts::hold("random", "1000 random linear MDPs", &held(&tally));
}

#[test]
fn names_are_unique_and_statements_are_known() {
    let ids: BTreeSet<&str> = statements::statements().map(|statement| statement.id).collect();
    assert_eq!(ids.len(), statements::statements().count(), "two statements of one name");
    let mut names = BTreeSet::new();
    for check in statements::checks() {
        assert!(names.insert(check.name), "two checks called {}", check.name);
        for id in check.statements().filter(|_| check.erratum.is_none()) {
            assert!(ids.contains(id), "{} is about {id}, which is no statement", check.name);
        }
    }
    for statement in statements::statements() {
        let of_it = |check: &Check| check.statements().any(|of| of == statement.id);
        let own = statements::checks().filter(|check| of_it(check)).map(|check| check.name);
        assert!(statement.checks().map(|check| check.name).eq(own), "{} has others' checks", statement.id);
        assert!(statement.checks().next().is_some(), "{} has no check", statement.id);
        assert_eq!(statement.gloss().id, statement.id, "another statement's formulas");
    }
}

fn solved(setting: Setting, name: &str) -> Case {
    Case::new(setting, instances::by_name(name).unwrap().to_owned().unwrap()).unwrap()
}

/// What a check finds on a case, at the last Λ^c.
fn found(case: &Case, name: &str) -> Finding {
    let check = statements::checks().find(|check| check.name == name).unwrap();
    check.evaluate(case, &mut case.scratch()).pop().unwrap()
}

/// Both sides as they are shown.
fn shown(case: &Case, name: &str) -> [f64; 2] {
    let Finding { lhs, rhs, .. } = found(case, name);
    [lhs, rhs].map(|side| match side {
        Side::Exact(x) => x.to_f64(),
        Side::Float(x) => x,
        Side::Text(text) => panic!("{name}: {text}"),
    })
}

/// A case that contradicts itself: one part of it is changed and not the others.
#[test]
fn a_property_that_does_not_hold_is_a_failure() {
    type Spoil = fn(&mut Case);
    fn twice(numbers: &mut [Q]) {
        for x in numbers {
            *x = x.clone() * Q::from_int(2);
        }
    }
    let spoils: [(&str, &str, Spoil); 5] = [
        // At both ends of C^†'s bracket M ⪯ τΛ and what is whitened with another Λ disagree.
        ("rotated", "largest_eigenvalue", |case| twice(&mut case.lambda)),
        ("two-state", "largest_eigenvalue", |case| (0..4).for_each(|_| twice(&mut case.lambda))),
        ("two-state", "tabular_dagger", |case| twice(&mut case.lambda)),
        // The table is valid, and the features are not; and the other way round.
        ("two-state", "valid", |case| twice(&mut case.model.psi)),
        ("two-state", "valid", |case| twice(&mut case.transition)),
    ];
    for (instance, check, spoil) in spoils {
        let mut case = solved(Setting::Discounted, instance);
        assert_eq!(found(&case, check).status, Status::Holds, "{check}");
        spoil(&mut case);
        assert_eq!(found(&case, check).status, Status::Fails, "{check}");
    }
}

/// Where there is one action log |A| is 0, and what is said of learning means nothing; two are as good as any number.
#[test]
fn what_is_learnt_needs_a_choice() {
    let with =
        |actions: usize| (0..).find_map(|seed| random_model(&mut Draw(seed)).filter(|m| m.shape.actions == actions));
    for (setting, check) in [(Setting::Discounted, "policy_regret_bounded"), (Setting::Average, "average_gap_bounded")]
    {
        for actions in 1..4 {
            let found = found(&Case::new(setting, with(actions).unwrap()).unwrap(), check);
            let (status, needs) = if actions > 1 { (Status::Holds, false) } else { (Status::NotApplicable, true) };
            let told = (found.status, found.compares.ends_with(": needs more than one action"));
            assert_eq!(told, (status, needs), "{check}, {actions} actions");
        }
    }
}

/// Sides that can be told without the library, from points that make them simple.
#[test]
fn sides_are_what_they_are_called() {
    let exact = |numbers: &[i64]| numbers.iter().map(|n| Q::from_int(*n)).collect::<Vec<_>>();
    let mut case = solved(Setting::Discounted, "two-state");
    // ‖y₁ − y*‖²/2η + ηnG²/2 with y* = −β, n = 2 and η = 3/8, where one of θ, β is 0 and the other of length 6: 36·4/3 + 36·3/8.
    for (theta, beta) in [([0; 4], [0, 6, 0, 0]), ([0, 0, 6, 0], [0; 4])] {
        (case.theta, case.beta) = (exact(&theta), exact(&beta));
        assert_eq!(shown(&case, "path_bounded")[1], 61.5);
    }
    // α²‖q‖²_∞/2 with α = 3/4: q is 4μ(0, ·), brought within ±4.
    for (mu, norm) in [([10, -5, 0, 0], 4), ([-1, 1, 0, 0], 4), ([0, -10, 7, 7], 4), ([0; 4], 0)] {
        case.mu = exact(&mu);
        assert_eq!(shown(&case, "hoeffding")[1], f64::from(9 * norm * norm) / 32.0, "{mu:?}");
    }
    // (α/2)(‖q₁‖²_∞ + ‖q₂‖²_∞) where ±q has half of θ's range at the first state, whichever end is first.
    for theta in [[1, 5, 0, 9], [5, 1, 0, 9]] {
        case.theta = exact(&theta);
        assert_eq!(shown(&case, "mirror_telescopes")[1], 3.0, "{theta:?}");
    }
    // Of what is known up to a constant the first component is 0.
    assert_eq!(shown(&solved(Setting::Average, "two-state"), "average_linear_q"), [0.0, 0.0]);
}

/// Sides that follow from those of other checks.
#[test]
fn sides_fit_together() {
    let fractions = |case: &Case, name: &str| {
        let Finding { lhs, rhs, .. } = found(case, name);
        [lhs, rhs].map(|side| match side {
            Side::Exact(x) => x,
            other => panic!("{name}: {other:?}"),
        })
    };
    for instance in ["two-state", "rotated"] {
        let mut case = solved(Setting::Discounted, instance);
        let d = case.theta.len() as i64;
        let [half, one] = fractions(&case, "printed_half_below_one");
        let expected = [half.clone() * &half * Q::from_int(d), one.clone() * &one];
        assert_eq!(fractions(&case, "printed_half_tighter"), expected);
        // For each of two t two products of d rows, of 2d + 7 operations each; and 2dn, with n = 6.
        let ([counted, _], [_, bound]) =
            (fractions(&case, "operations_counted"), fractions(&case, "operations_at_half"));
        assert_eq!(bound - counted, Q::from_int(4 * d * (2 * d + 7) + 12 * d));
        // 2D_β²/ζ + ζTG_β²/2 at ζ = 1/4 and T = 2: from θ₀ = β₁ = 0, at c = 1/2, G_β² is 3d, and β* is what D_β has to hold.
        (case.theta, case.beta) = (vec![Q::zero(); d as usize], vec![Q::zero(); d as usize]);
        let [_, ratio] = fractions(&case, "coverage_is_norm");
        assert_eq!(fractions(&case, "beta_regret_bounded")[1], ratio * Q::from_int(8) + Q::ratio(3 * d, 4));
    }
}

/// H(π*‖π_B) = −Σ μ*(x, a) log π_B(a|x), as π* is deterministic: infinite where the data never see what it takes.
#[test]
fn an_entropy_is_of_what_is_taken() {
    let cases = ["two-state", "rotated", "half-seen"].map(|name| solved(Setting::Discounted, name));
    let mut never = cases[0].clone();
    never.model.behavior = never.star.iter().map(|p| Q::one() - p).collect();
    for case in cases.iter().chain([&never]) {
        let taken = case.mu_star.iter().zip(&case.model.behavior).filter(|(mu, _)| !mu.is_zero());
        let entropy: f64 = taken.map(|(mu, p)| -mu.to_f64() * p.to_f64().ln()).sum();
        match found(case, "entropy_of_any_start").lhs {
            // Each of a few terms is rounded four times.
            Side::Float(shown) => assert!((shown - entropy).abs() <= entropy * f64::EPSILON * 8.0, "{shown} {entropy}"),
            other => assert!(matches!(&other, Side::Text(text) if text == "∞") && entropy.is_infinite(), "{other:?}"),
        }
    }
}

/// The coordinate direction that goes furthest beyond the bound is shown, whichever coordinate it is.
#[test]
fn the_worst_direction_is_shown() {
    let model = instances::by_name("nearly-collinear").unwrap().to_owned().unwrap();
    let dim = model.shape.dim;
    let mut turned = Owned { root: None, ..model.clone() };
    turned.features.chunks_mut(dim).for_each(<[Q]>::reverse);
    turned.omega.reverse();
    turned.psi = model.psi.chunks(model.shape.states).rev().flatten().cloned().collect();
    let [one, other] =
        [Owned { root: None, ..model }, turned].map(|model| Case::new(Setting::Discounted, model).unwrap());
    assert_eq!(shown(&one, "printed_theta_moment"), shown(&other, "printed_theta_moment"));
}

/// What is neither outside the assumptions nor too large is a failure.
#[test]
fn errors_are_told_apart() {
    let told = |error: &Error| Finding::not_computed("", String::new(), error).status;
    let unlike = |what, expected| Error::OutOfRange { what, index: Error::SCALAR, expected };
    assert_eq!(told(&unlike("instance", "fewer deterministic policies")), Status::Undecided);
    for assumed in ["features that are unit vectors", "more than one action", "a rational square root of Λ"] {
        assert_eq!(told(&unlike("instance", assumed)), Status::NotApplicable, "{assumed}");
    }
    assert_eq!(told(&Error::OnesNotInSpan), Status::NotApplicable);
    for wrong in [unlike("mu", "numbers"), unlike("Λ", "numbers"), unlike("instance", "to be another one")] {
        assert_eq!(told(&wrong), Status::Fails, "{wrong}");
    }
}

/// Left and right side and residual as doubles, and the verdict.
fn told(Compared { lhs, rhs, residual, holds, .. }: Compared) -> ([f64; 3], Option<bool>) {
    let double = |side: Side| match side {
        Side::Exact(x) => x.to_f64(),
        Side::Float(x) => x,
        Side::Text(text) => f64::from(u8::from(text == "true")),
    };
    ([lhs, rhs, residual].map(double), holds)
}

#[test]
fn sides_are_compared_where_they_are_furthest_apart() {
    let exact = |numbers: &[i64]| numbers.iter().map(|n| Q::from_int(*n)).collect::<Vec<_>>();
    let points = |numbers: &[i64]| exact(numbers).iter().map(Interval::point).collect::<Vec<_>>();
    let (a, b, longer) = ([1, 5, 2, 7], [1, 6, 9, 8], [1, 5, 2, 7, 3]);
    assert_eq!(told(equal_vectors(&exact(&a), &exact(&b))), ([2.0, 9.0, 7.0], Some(false)));
    assert_eq!(told(equal_enclosed_vectors(&points(&a), &points(&b))), ([2.0, 9.0, 7.0], Some(false)));
    // Vectors of different lengths are not equal, and of none nothing is shown.
    for (a, b) in [(&a[..], &longer[..]), (&[], &[])] {
        assert_eq!(told(equal_vectors(&exact(a), &exact(b))), ([0.0, 1.0, 1.0], Some(false)));
        assert_eq!(told(equal_enclosed_vectors(&points(a), &points(b))), ([0.0, 1.0, 1.0], Some(false)));
    }
    assert_eq!(told(equal_enclosed_vectors(&points(&a), &points(&a))), ([1.0, 1.0, 0.0], Some(true)));
    // What is no number equals nothing, wherever it stands.
    let none = [Q::one(), Q::one() / Q::zero()];
    assert_eq!(equal_vectors(&none, &none).holds, Some(false));
}

#[test]
fn enclosures_and_roots_are_decided_where_they_can_be() {
    let between = |lower: i64, upper: i64| Interval { lower: Q::from_int(lower), upper: Q::from_int(upper) };
    assert_eq!(told(at_most_enclosed(&between(1, 2), &between(2, 5))), ([2.0, 2.0, 0.0], Some(true)));
    assert_eq!(told(at_most_enclosed(&between(4, 7), &between(1, 3))), ([7.0, 1.0, 6.0], Some(false)));
    assert_eq!(told(at_most_enclosed(&between(1, 7), &between(4, 9))), ([7.0, 4.0, 3.0], None));
    assert_eq!(told(equal_enclosed(&between(4, 7), &between(1, 3))), ([4.0, 1.0, 6.0], Some(false)));
    assert_eq!(told(equal_enclosed(&between(1, 3), &between(4, 7))), ([1.0, 4.0, 6.0], Some(false)));
    assert_eq!(told(equal_enclosed(&between(1, 3), &between(2, 7))), ([1.0, 2.0, 6.0], None));
    // √4 + √9 is 5: √25 is, √26 is not.
    let sums = [25, 26].map(|x| root_at_most_sum(&Q::from_int(x), &Q::from_int(4), &Q::from_int(9)).holds);
    assert_eq!(sums, [Some(true), Some(false)]);
    // √4 + √1 is 3.
    let root = |numerator| told(root_at_most_sum(&Q::ratio(numerator, 10), &Q::from_int(4), &Q::one()));
    assert_eq!(root(160), ([4.0, 3.0, 1.0], Some(false)));
    assert_eq!(root(90), ([3.0, 3.0, 0.0], Some(true)));
    assert_eq!(root(10), ([1.0, 3.0, 0.0], Some(true)));
    assert_eq!([root(89).1, root(91).1], [Some(true), Some(false)]);
}
