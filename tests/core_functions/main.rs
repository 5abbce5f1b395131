//! Every public function of the core, one by one: accepted on good data without a single allocation (a counting global
//! allocator watches), refused with `Err` when any one argument has the wrong length, holds a NaN or an infinity, or when
//! the scratch is too short. `every_public_function_is_called` fails for a function that nobody listed.

mod average;
mod discounted;
mod harness;
mod others;
mod random;
#[cfg(feature = "std")]
mod routes;
mod section2;

use std::fs;
use std::path::{Path, PathBuf};

/// Files whose public functions are called by other tests, or take no caller's data.
const ELSEWHERE: &[(&str, &str)] = &[
    ("algorithm.rs", "tests/algorithms.rs: a whole run allocates nothing; every refusal by name"),
    ("state.rs", "tests/algorithms.rs, tests/allocation.rs: the state of such a run"),
    ("steps.rs", "tests/conformance.rs, tests/conformance_steps.rs: std"),
    ("interrupt.rs", "tests/exact.rs: std"),
    ("guarantee.rs", "tests/guarantee.rs"),
    ("rational.rs", "tests/foundation.rs"),
    ("scalar.rs", "infallible"),
    ("exponential.rs", "infallible"),
    ("cost.rs", "infallible"),
    ("interval.rs", "tests/online_learning.rs: allocates, being arbitrary precision"),
    ("outward.rs", "its own tests, tests/routes"),
    ("exact.rs", "tests/exact.rs: allocates, being arbitrary precision"),
    ("instances.rs", "tests/instances.rs"),
    ("samples.rs", "tests/algorithms.rs"),
    ("output.rs", "tests/algorithms.rs"),
    ("row.rs", "tests/properties.rs: rows of 12 bytes; tests/cli_malformed.rs"),
    ("aligned.rs", "std: its own tests"),
    ("sampler.rs", "tests/sampler.rs: std"),
];

/// Accessors and `std` functions, by name.
const NOT_CALLED: &[&str] = &[
    // Accessors of checked structures.
    "states",
    "actions",
    "pairs",
    "pair",
    "scratch",
    "shape",
    "features",
    "feature",
    "omega",
    "psi",
    "initial",
    "discount",
    "next",
    "mdp",
    "power",
    "varrho",
    "outer",
    "theta",
    "beta",
    "policy",
    "rho",
    "iter",
    "value",
    "name",
    // Infallible, and without a slice.
    "by_name",
    "ulps",
    // std: Λ's spectrum and C^† in f64, tests/second_opinion.rs and tests/coverage.rs.
    "smallest",
    "norm_2c_minus_1",
    "trace_2c_minus_1",
    "power_c",
    "for_exponent",
    "weight",
    "dagger_ratio",
    // std: accessors of checked structures, and what has no number to be wrong.
    "phi",
    "dim",
    "psi",
    "unknowns",
    "reward",
    "len",
    "is_empty",
    "stored",
    "single_entries",
    "transposed",
    "validation_cost",
    "rank_cost",
    "of",
    "to_rows",
    "try_map",
    // Constants of the theorems as printed: tests/guarantee.rs.
    "equation_20",
    "theorem_a1_inner_per_outer",
    "theorem_c1_inner_per_outer",
    "theorem_c1_complexity",
    "theorem_5_3_complexity",
    // Counting and decoding of deterministic policies: tests/average_reward/unichain.rs.
    "deterministic_policies",
    "decode_policy",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            // std only: the program and its files, and what `src/baselines/tests.rs` calls.
            if !["baselines", "cli", "data", "bin", "conformance", "fast", "program", "statements"]
                .contains(&name.as_str())
            {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|e| e == "rs")
            && name != "main.rs"
            && !ELSEWHERE.iter().any(|(file, _)| *file == name)
        {
            found.push(path);
        }
    }
}

/// Called, or passed as a function.
fn called(text: &str, name: &str) -> bool {
    [format!("{name}("), format!(", {name})"), format!(", {name} as fn")].iter().any(|form| text.contains(form))
}

/// The public functions of the core's files, but for those of [`NOT_CALLED`].
fn public_functions() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    sources(&root().join("src"), &mut paths);
    let mut found = Vec::new();
    for path in paths {
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim_start) {
            let Some(rest) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const fn ")) else {
                continue;
            };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !NOT_CALLED.contains(&name.as_str()) {
                found.push((path.clone(), name));
            }
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_public_function_is_called() {
    let here: String = ["average", "discounted", "others", "routes", "section2"]
        .iter()
        .map(|name| fs::read_to_string(root().join(format!("tests/core_functions/{name}.rs"))).unwrap())
        .collect();
    let missing: Vec<_> = public_functions().into_iter().filter(|(_, name)| !called(&here, name)).collect();
    assert!(missing.is_empty(), "public functions that no test here calls: {missing:#?}");
}

/// Functions of numbers alone: there is no length to be wrong.
const WITHOUT_SLICES: &[&str] = &[
    "theta_bound",
    "validate_radius",
    "project_unit_interval",
    "norm_slack",
    "rescaled_coverage_ratio",
    "half_ratio_bound",
    "gradient_descent_bound",
    "mirror_descent_bound",
];

/// Steps of proofs and remarks that only the register of statements evaluates: refused here, and not in Kani's lists.
const NOT_PROVED: &[&str] = &[
    "lambda_gradient",
    "lambda_gradient_weighted",
    "lambda_gradient_estimate",
    "is_saddle_point",
    "is_optimal",
    "inner_regret",
    "diamond_ratio_of_traces",
    "whitened_moment",
    "whitened_quotient",
    "feature_error_ratio",
    "unseen_direction",
    "least_norm_solution",
    "direction_outside_range",
    "pseudo_inverse",
];

/// Every public function that takes a slice is in the list of `proofs/lengths` for its part of the library, which runs it on all
/// shapes up to (2, 2, 2) with any two arguments of every wrong length.
#[test]
fn every_public_function_is_called_with_wrong_lengths() {
    let lists = [("average_reward", "average"), ("discounted", "discounted"), ("mdp", "section2")].into_iter().chain([
        ("coverage", "others"),
        ("online_learning", "others"),
        ("linear", "numbers"),
        ("paper", "numbers"),
    ]);
    let errata = ["average", "discounted", "others"];
    let lists: Vec<_> = lists
        .map(|(part, list)| (part, fs::read_to_string(root().join(format!("proofs/lengths/{list}.rs"))).unwrap()))
        .collect();
    let listed = |(path, name): &(PathBuf, String)| {
        let part = path.parent().unwrap().file_name().unwrap();
        let list = lists.iter().find(|(directory, _)| part == *directory);
        // What allocates is not Kani's.
        if part == "routes" {
            return true;
        }
        if part == "errata" {
            return errata.iter().any(|list| {
                called(&fs::read_to_string(root().join(format!("proofs/lengths/{list}.rs"))).unwrap(), name)
            });
        }
        // `covariance` needs a model.
        list.is_some_and(|(_, list)| called(list, name)) || name == "covariance" && called(&lists[2].1, name)
    };
    let functions = public_functions();
    let missing: Vec<_> = functions
        .iter()
        .filter(|function| ![WITHOUT_SLICES, NOT_PROVED].concat().contains(&function.1.as_str()) && !listed(function))
        .collect();
    assert!(functions.len() > 150 && missing.is_empty(), "{} functions, without: {missing:#?}", functions.len());
}

/// Every test that calls functions one by one.
const BY_ONE: &[fn()] = &[
    average::values_refuse,
    average::linear_programs_refuse,
    average::lagrangians_refuse,
    average::f_and_its_gradients_refuse,
    average::gaps_and_regrets_refuse,
    average::non_finite_models_are_refused,
    discounted::lagrangians_refuse,
    discounted::f_and_its_gradients_refuse,
    discounted::gaps_and_regrets_refuse,
    discounted::estimators_refuse,
    discounted::gradients_in_lambda_and_saddle_points_refuse,
    others::coverage_ratios_refuse,
    others::bellman_coverage_refuses,
    others::gradient_descent_refuses,
    others::mirror_descent_refuses,
    others::projections_and_softmax_refuse,
    others::average_estimators_refuse,
    others::steps_of_appendix_e_refuse,
    routes::the_discounted_setting_refuses,
    routes::the_average_reward_setting_refuses,
    routes::matrices_and_ratios_refuse,
    routes::certificates_refuse,
    routes::enclosures_refuse,
    section2::vectors_refuse,
    section2::solves_refuse,
    section2::tabular_functions_refuse,
    section2::policies_and_marginals_refuse,
    section2::linear_models_refuse,
    section2::tables_that_are_no_mdps_are_refused,
    section2::validation_names_the_first_violated_condition,
    section2::covariances_refuse,
    section2::feature_programs_refuse,
];

/// `cargo test --test core_functions -- --ignored --nocapture million`
#[test]
#[ignore = "a million calls, two minutes"]
fn a_million_random_calls_do_not_panic() {
    use std::sync::atomic::Ordering::Relaxed;
    harness::RANDOM_CALLS.store(4_000, Relaxed);
    for test in BY_ONE {
        test();
    }
    random::any_call(400_000);
    let called = harness::CALLED.load(Relaxed);
    println!("{called} random calls");
    assert!(called >= 1_000_000, "{called}");
}
