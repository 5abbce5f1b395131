//! The definitions that the Coq proofs are about and the functions of this library are the same functions.
//!
//! `proofs/coq/Compute.v` and `ComputeSteps.v` evaluate the Coq definitions in rationals on the embedded instances;
//! `proofs/coq/check.sh` checks that `fractions.txt` is what it prints, and this test that the library computes every one of those fractions
//! and that the instances Coq read are the embedded ones. So neither side can drift alone, with or without Coq here.
//! After a change of the instances: `UPDATE_COQ=1 cargo test --test coq_tie`, then `make -C proofs/coq fractions.txt`.
#![cfg(all(feature = "std", feature = "exact"))]

#[path = "coq_tie/exact.rs"]
mod exact;
#[path = "coq_tie/steps.rs"]
mod steps;

use offline_primal_dual::instances::{self, Instance, Owned};
use offline_primal_dual::linear::projection::project_ball;
use offline_primal_dual::linear::softmax::policy_table;
use offline_primal_dual::linear::vector::{apply, dot};
use offline_primal_dual::number::elimination::Eliminate;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::number::{Field, Real};
use offline_primal_dual::paper::average_reward::{self, algorithm as algorithm_2};
use offline_primal_dual::paper::covariance::{Exponent, covariance};
use offline_primal_dual::paper::coverage::{
    bellman_coverage_ratio, bellman_error_ratio, coverage_ratio, dagger_ratio_bracket, diamond_ratio, feature_variance,
    rayleigh_quotient, second_moment_ratio,
};
use offline_primal_dual::paper::discounted::{
    algorithm as algorithm_1, duality_gap, estimators as estimators_1, guarantee as guarantee_1, lagrangian, regret,
};
use offline_primal_dual::paper::mdp::{
    LinearMdp, Shape, expected_reward, normalised_return, ones_coefficients, state_value,
};
use offline_primal_dual::paper::samples::{FeatureTable, Sample};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

fn coq_file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "proofs", "coq", name].iter().collect()
}

fn zeros(n: usize) -> Vec<Q> {
    vec![Q::zero(); n]
}

/// `n/d` even for an integer, as Coq prints it.
fn fraction(value: &Q) -> String {
    format!("{}/{}", value.numerator().unwrap(), value.denominator().unwrap())
}

// The iterates of the comparison, as `Compute.v` spells them out.

fn run_theta(dim: usize, t: usize) -> Vec<Q> {
    (0..dim).map(|i| Q::ratio(((i + 1) * (t + 2) % 5) as i64 - 2, t as i64 + 2)).collect()
}

fn run_beta(dim: usize, t: usize) -> Vec<Q> {
    (0..dim).map(|i| Q::ratio(((i + 2) * (t + 1) % 7) as i64 - 3, t as i64 + 1)).collect()
}

fn run_rho(t: usize) -> Q {
    Q::ratio(1, t as i64 + 2)
}

fn run_policy(shape: Shape, t: usize) -> Vec<Q> {
    let weight = |x: usize, a: usize| 1 + ((x + 2 * a + t) % 3) as i64;
    (0..shape.pairs())
        .map(|pair| {
            let (x, a) = (pair / shape.actions, pair % shape.actions);
            Q::ratio(weight(x, a), (0..shape.actions).map(|a| weight(x, a)).sum())
        })
        .collect()
}

const ITERATIONS: usize = 2;

/// What both settings start from.
struct Run {
    thetas: Vec<Q>,
    betas: Vec<Q>,
    policies: Vec<Q>,
    comparator: Vec<Q>,
    v: Vec<Q>,
    scratch: Vec<Q>,
}

impl Run {
    fn new(shape: Shape) -> Self {
        let over_t = |f: &dyn Fn(usize) -> Vec<Q>| (0..ITERATIONS).flat_map(f).collect();
        Self {
            thetas: over_t(&|t| run_theta(shape.dim, t)),
            betas: over_t(&|t| run_beta(shape.dim, t)),
            policies: over_t(&|t| run_policy(shape, t)),
            comparator: run_policy(shape, ITERATIONS),
            v: (0..shape.states).map(|x| Q::ratio(x as i64 + 1, 2)).collect(),
            scratch: zeros(2 * shape.scratch()),
        }
    }
}

/// Λ^c: Λ itself, or its embedded root.
fn power<'a>(c: Exponent, instance: &'a Owned<Q>, lambda: &'a [Q]) -> &'a [Q] {
    match c {
        Exponent::One => lambda,
        Exponent::Half => instance.root.as_ref().unwrap(),
    }
}

type Fractions = Vec<(&'static str, Q)>;

fn discounted(instance: &Owned<Q>, mdp: LinearMdp<Q>, c: Exponent) -> Fractions {
    let shape = mdp.shape();
    let Run { thetas, betas, policies, comparator, v, mut scratch } = Run::new(shape);
    let s = &mut scratch[..];
    let mu_b = duality_gap::occupancy_of(&mdp, &instance.behavior, &mut &mut s[..]).unwrap().to_vec();
    let mu = duality_gap::occupancy_of(&mdp, &comparator, &mut &mut s[..]).unwrap().to_vec();
    let lambda = covariance(&mdp, &mu_b, &mut &mut s[..]).unwrap().to_vec();
    let saddle = lagrangian::Saddle::new(mdp, power(c, instance, &lambda)).unwrap();

    let mut table = zeros(shape.scratch());
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let value = state_value(&tabular, &comparator, &mut &mut s[..]).unwrap().to_vec();
    let return_value = normalised_return(&tabular, &value).unwrap();
    let return_measure = expected_reward(tabular.reward(), &mu).unwrap();

    let iterates = duality_gap::Iterates::new(&mdp, &thetas, &betas, &policies).unwrap();
    let beta = duality_gap::beta_star(&saddle, &comparator, &mut &mut s[..]).unwrap().to_vec();
    let stars = duality_gap::theta_stars(&mdp, &iterates, &mut &mut s[..]).unwrap().to_vec();
    let against = duality_gap::Comparators { policy: &comparator, beta: &beta, thetas: &stars };
    let (t, b, p) = iterates.iter().next().unwrap();
    vec![
        ("return-value", return_value),
        ("return-measure", return_measure),
        ("equation-11", lagrangian::lagrangian_beta(&saddle, b, &comparator, &v, t, s).unwrap()),
        ("equation-12", lagrangian::lagrangian_beta_regrouped(&saddle, b, &comparator, &v, t, s).unwrap()),
        ("equation-14", lagrangian::f_theta(&saddle, b, p, t, s).unwrap()),
        ("equation-15-left", lagrangian::f_nu(&saddle, b, p, t, s).unwrap()),
        ("equation-15-right", lagrangian::f_beta(&saddle, b, p, t, s).unwrap()),
        ("suboptimality", duality_gap::average_suboptimality(&mdp, &comparator, &iterates, s).unwrap()),
        ("gap", duality_gap::dynamic_duality_gap(&saddle, &iterates, &against, s).unwrap()),
        ("regret-theta", regret::theta_regret(&saddle, &iterates, &against, s).unwrap()),
        ("regret-beta", regret::beta_regret(&saddle, &iterates, &against, s).unwrap()),
        ("regret-pi", regret::policy_regret(&mdp, &iterates, &comparator, s).unwrap()),
        ("coverage", coverage_ratio(c, &mdp, &mu, &lambda, s).unwrap()),
        ("coverage-second-moment", second_moment_ratio(c, &mdp, &mu, &lambda, s).unwrap()),
        ("coverage-variance", feature_variance(c, &mdp, &mu, &lambda, s).unwrap()),
        ("coverage-diamond", diamond_ratio(&mdp, &mu, &lambda, s).unwrap()),
    ]
}

fn average(instance: &Owned<Q>, mdp: LinearMdp<Q>, c: Exponent) -> Fractions {
    use average_reward::{duality_gap, lagrangian, regret};
    let shape = mdp.shape();
    let Run { thetas, betas, policies, comparator, v, mut scratch } = Run::new(shape);
    let s = &mut scratch[..];
    let rhos: Vec<Q> = (0..ITERATIONS).map(run_rho).collect();
    let mu_b = duality_gap::occupancy_of(&mdp, &instance.behavior, &mut &mut s[..]).unwrap().to_vec();
    let lambda = covariance(&mdp, &mu_b, &mut &mut s[..]).unwrap().to_vec();
    let varrho = ones_coefficients(&mdp, &mut &mut s[..]).unwrap().to_vec();
    let saddle = lagrangian::Saddle::new(mdp, &varrho, power(c, instance, &lambda)).unwrap();

    let iterates = duality_gap::Iterates::new(&mdp, &rhos, &thetas, &betas, &policies).unwrap();
    let beta = duality_gap::beta_star(&saddle, &comparator, &mut &mut s[..]).unwrap().to_vec();
    let (gains, stars) = duality_gap::rho_theta_stars(&saddle, &iterates, &mut &mut s[..]).unwrap();
    let (gains, stars) = (gains.to_vec(), stars.to_vec());
    let against = duality_gap::Comparators { policy: &comparator, beta: &beta, rhos: &gains, thetas: &stars };
    let (rho, t, b, p) = iterates.iter().next().unwrap();
    vec![
        ("average-gain", duality_gap::gain_of(&mdp, &comparator, s).unwrap()),
        ("average-lagrangian-value", lagrangian::lagrangian(&mdp, &varrho, rho, &v, t, b, &comparator, s).unwrap()),
        (
            "average-lagrangian-measure",
            lagrangian::lagrangian_regrouped(&mdp, &varrho, rho, &v, t, b, &comparator, s).unwrap(),
        ),
        ("average-f", lagrangian::f_beta(&saddle, b, p, rho, t, s).unwrap()),
        ("average-f-long", lagrangian::f_lagrangian(&saddle, b, p, rho, t, s).unwrap()),
        ("average-suboptimality", duality_gap::average_suboptimality(&mdp, &comparator, &iterates, s).unwrap()),
        ("average-gap", duality_gap::dynamic_duality_gap(&saddle, &iterates, &against, s).unwrap()),
        ("average-regret-beta", regret::beta_regret(&saddle, &iterates, &against, s).unwrap()),
        ("average-regret-pi", regret::policy_regret(&mdp, &iterates, &comparator, s).unwrap()),
        ("average-regret-rho", regret::rho_regret(&saddle, &iterates, &against, s).unwrap()),
        ("average-regret-theta", regret::theta_regret(&saddle, &iterates, &against, s).unwrap()),
    ]
}

/// Everything the library says about an instance, by name; and how often Π moved a point on the way.
fn fractions(instance: &Instance) -> (BTreeMap<String, String>, usize) {
    let owned = instance.to_owned::<Q>().unwrap();
    let mdp = owned.linear_mdp().unwrap();
    let mut all = BTreeMap::new();
    let mut insert = |name: String, value: Q| {
        let key = format!("{} {name}", instance.name());
        assert!(all.insert(key, fraction(&value)).is_none(), "{name} twice");
    };
    for (c, suffix) in [(Exponent::One, ""), (Exponent::Half, "-half")] {
        if c == Exponent::Half && owned.root.is_none() {
            continue;
        }
        let mut found = discounted(&owned, mdp, c);
        if instance.is_average_reward() {
            found.extend(average(&owned, mdp, c));
        }
        for (name, value) in found {
            insert(format!("{name}{suffix}"), value);
        }
    }
    let (found, projected) = steps::fractions(&owned, mdp);
    for (name, value) in found {
        insert(name, value);
    }
    (all, projected)
}

/// What a line is about, for the count.
fn group(line: &str) -> &'static str {
    let has = |parts: &[&str]| parts.iter().any(|part| line.contains(part));
    match () {
        () if has(&["side-algorithm-"]) => "runs",
        () if has(&["standin-equation", "standin-gradient", "standin-beta", "standin-average"]) => "non-symmetric Λ^c",
        () if has(&["estimator-"]) => "estimators",
        () if has(&["G-", "squared-rate-", "term-"]) => "constants and bounds",
        () if has(&["dagger-", "bellman-", "projection-"]) => "C^†, C_{F,π}, Π",
        () => "Lagrangians, gaps, regrets, coverage",
    }
}

/// The instances with an invertible Λ: Coq's side inverts it by elimination.
fn tied() -> impl Iterator<Item = &'static instances::Instance> {
    instances::all().iter().filter(|instance| instance.name() != "half-seen")
}

#[test]
fn coq_and_the_library_compute_the_same_fractions() {
    let text = std::fs::read_to_string(coq_file("fractions.txt")).unwrap();
    let mut coq: BTreeMap<String, String> = BTreeMap::new();
    for line in text.lines() {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(coq.insert(name.into(), value.into()).is_none(), "{name} twice");
    }
    let (mut compared, mut projected, mut groups) = (0, 0, BTreeMap::<_, usize>::new());
    for (found, moved) in tied().map(fractions) {
        projected += moved;
        for (name, value) in found {
            assert_eq!(coq.remove(&name).as_deref(), Some(&value[..]), "{name}: Coq left, library right");
            *groups.entry(group(&name)).or_default() += 1;
            compared += 1;
        }
    }
    // What is left are the equations that the untrusted elimination in Coq had to solve.
    for (name, value) in &coq {
        assert!(name.contains("residual-") && value == "0/1", "{name} {value}: in Coq only");
    }
    println!("{compared} fractions compared: {groups:?}; {} residuals zero, {projected} points projected", coq.len());
    assert!(compared >= 4_000 && coq.len() >= 20, "{compared} fractions, {} residuals", coq.len());
    assert!(projected >= 40, "only {projected} points were projected");
}

/// A list of rationals in Coq's notation.
fn coq_list(numbers: &[Q]) -> String {
    let entries: Vec<String> =
        numbers.iter().map(|q| format!("{} # {}", q.numerator().unwrap(), q.denominator().unwrap())).collect();
    format!("[{}]", entries.join("; "))
}

fn coq_instances() -> String {
    let mut text = String::from(
        "(** Generated from src/instances.rs by tests/coq_tie.rs (UPDATE_COQ=1); not written by hand. *)\n\n\
         From Coq Require Import ZArith QArith List String.\nFrom OPD Require Import Compute.\nImport ListNotations.\n\
         Local Open Scope Q_scope.\n\nDefinition instances : list instance := [\n",
    );
    for (i, instance) in tied().enumerate() {
        let Owned { shape, features, omega, psi, initial, discount, behavior, root } =
            instance.to_owned::<Q>().unwrap();
        let root = root.map_or("None".into(), |root| format!("(Some {})", coq_list(&root)));
        let separator = if i == 0 { "" } else { ";\n" };
        write!(
            text,
            "{separator}  Instance \"{}\"%string {}%nat {}%nat {}%nat\n    {}\n    {}\n    {}\n    {} ({})\n    {}\n    {} {}",
            instance.name(), shape.states, shape.actions, shape.dim, coq_list(&features), coq_list(&omega),
            coq_list(&psi), coq_list(&initial), coq_list(&[discount]).trim_matches(['[', ']']), coq_list(&behavior),
            root, instance.is_average_reward(),
        )
        .unwrap();
    }
    text + "].\n"
}

#[test]
fn coq_reads_the_embedded_instances() {
    let expected = coq_instances();
    if std::env::var_os("UPDATE_COQ").is_some() {
        std::fs::write(coq_file("Instances.v"), &expected).unwrap();
    }
    let found = std::fs::read_to_string(coq_file("Instances.v")).unwrap();
    assert!(found == expected, "proofs/coq/Instances.v is not generated from src/instances.rs: UPDATE_COQ=1");
}
