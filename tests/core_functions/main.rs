//! Every public function of the core, one by one: accepted on good data without a single allocation (a counting global
//! allocator watches), refused with `Err` when any one argument has the wrong length, holds a NaN or an infinity, or when
//! the scratch is too short. `every_public_function_is_called` fails for a function that nobody listed.

mod average;
mod discounted;
mod harness;
mod others;
mod section2;

use std::fs;
use std::path::{Path, PathBuf};

/// Files whose public functions are called by other tests, or take no caller's data.
const ELSEWHERE: &[(&str, &str)] = &[
    ("algorithm.rs", "tests/algorithms.rs: a whole run allocates nothing; every refusal by name"),
    ("guarantee.rs", "tests/guarantee.rs"),
    ("rational.rs", "tests/foundation.rs"),
    ("scalar.rs", "infallible"),
    ("exponential.rs", "infallible"),
    ("exact.rs", "tests/exact.rs: allocates, being arbitrary precision"),
    ("instances.rs", "tests/instances.rs"),
    ("samples.rs", "tests/algorithms.rs"),
    ("output.rs", "tests/algorithms.rs"),
    ("row.rs", "tests/properties.rs: rows of 12 bytes; src/data: every refusal by name"),
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
    "value",
    // std: Λ's spectrum and C^† in f64, tests/second_opinion.rs and tests/coverage.rs.
    "smallest",
    "norm_2c_minus_1",
    "trace_2c_minus_1",
    "power_c",
    "weight",
    "dagger_ratio",
    // Counting and decoding of deterministic policies: tests/average_reward/unichain.rs.
    "deterministic_policies",
    "decode_policy",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            // std only: the program and its files.
            if !["cli", "data", "bin", "conformance", "audit", "report"].contains(&name.as_str()) {
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

#[test]
fn every_public_function_is_called() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    sources(&root.join("src"), &mut paths);
    let here: String = ["average", "discounted", "others", "section2"]
        .iter()
        .map(|name| fs::read_to_string(root.join(format!("tests/core_functions/{name}.rs"))).unwrap())
        .collect();
    let mut missing = Vec::new();
    for path in paths {
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim_start) {
            let Some(rest) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const fn ")) else {
                continue;
            };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !NOT_CALLED.contains(&name.as_str()) && !called(&here, &name) {
                missing.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "public functions that no test here calls:\n{}", missing.join("\n"));
}
