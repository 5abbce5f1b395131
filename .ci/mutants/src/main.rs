//! Runs the mutants that `cargo mutants --list` names, without compiling once for each of them.
//!
//! usage: cargo run --manifest-path .ci/mutants/Cargo.toml -- [PATTERN]      (only mutants whose name contains PATTERN)
//!
//! 1. In a copy of the repository (`target/mutants-copy`, or `$MUTANTS_COPY`) every listed mutant becomes a branch, `a + b` turning
//!    into `if mutant(7) { a - b } else { a + b }`. An operator is replaced in the syntax tree, so that precedence stays as it was.
//! 2. Mutants that the compiler rejects are dropped, as unviable, until the copy compiles.
//! 3. The tests are built once. Each mutant is then switched on, by its number in the file `mutant`, and meets one test binary
//!    after another, until one fails.
//!
//! The results are appended to `mutants.tsv` in the copy as they come, and a run goes on where the last one stopped.

mod switch;

use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use switch::{Mutant, switch};

/// What is mutated, the formulas of the paper, with the quick tests that are asked first.
const FILES: [(&str, &[&str]); 16] = [
    ("src/paper/discounted/algorithm.rs", RUNS),
    ("src/paper/discounted/estimators.rs", RUNS),
    ("src/paper/discounted/lagrangian.rs", IDENTITIES),
    ("src/paper/discounted/duality_gap.rs", IDENTITIES),
    ("src/paper/discounted/regret.rs", IDENTITIES),
    ("src/paper/discounted/guarantee.rs", GUARANTEES),
    ("src/paper/average_reward/algorithm.rs", RUNS),
    ("src/paper/average_reward/estimators.rs", RUNS),
    ("src/paper/average_reward/lagrangian.rs", IDENTITIES),
    ("src/paper/average_reward/duality_gap.rs", IDENTITIES),
    ("src/paper/average_reward/regret.rs", IDENTITIES),
    ("src/paper/average_reward/guarantee.rs", GUARANTEES),
    ("src/paper/coverage/*.rs", &["core_functions", "coverage", "errata"]),
    ("src/linear/projection.rs", RUNS),
    ("src/linear/softmax.rs", RUNS),
    ("src/fast/step.rs", RUNS),
];

/// A test is a binary, perhaps with names to filter by.
const RUNS: &[&str] = &["core_functions", "algorithms", "errata"];
const GUARANTEES: &[&str] = &["guarantee", "core_functions", "errata"];
const IDENTITIES: &[&str] = &[
    "core_functions",
    "errata",
    "exhaustive_discounted whole_functions telescoping",
    "exhaustive_average whole_functions",
    "printed_forms",
    "average_reward",
];

/// The tests that those meet that the quick ones miss.
const SLOW: &[&str] = &[
    "core_functions",
    "guarantee",
    "algorithms",
    "errata",
    "average_reward",
    "coverage",
    "printed_forms",
    "unbiased",
    "exhaustive_average",
    "exhaustive_discounted",
    "online_learning",
    "bounds",
    "theorems",
    "properties",
];

/// A mutant that makes a test binary run longer than this, on a busy machine, is one that does not end.
const LIMIT: Duration = Duration::from_secs(600);

/// Appended to the library: which mutant is on. Some tests count allocations, so the number comes from a file, into an array.
const SWITCH: &str = r#"
#[doc(hidden)]
pub(crate) fn mutant(id: usize) -> bool {
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *ON.get_or_init(|| {
        let mut digits = [0; 20];
        let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/mutant"));
        let n = file.and_then(|mut file| std::io::Read::read(&mut file, &mut digits)).unwrap_or(0);
        digits[..n].iter().fold(0, |id, digit| 10 * id + usize::from(digit - b'0'))
    }) == id
}
"#;

/// What no quick test notices.
const MISSED: &str = "MISSED";

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let copy = std::env::var_os("MUTANTS_COPY").map_or_else(|| root.join("target/mutants-copy"), PathBuf::from);
    let pattern = std::env::args().nth(1).unwrap_or_default();
    let mutants = list(&root)?;
    println!("{} mutants listed", mutants.len());
    let (viable, outside) = prepare(&root, &copy, &mutants)?;
    let binaries = build(&copy)?;
    if let Some(failure) = run(&copy, &binaries, SLOW, 0)? {
        return Err(format!("without any mutant: {failure}").into());
    }
    let log = copy.join("mutants.tsv");
    let mut known = HashMap::new();
    for line in std::fs::read_to_string(&log).unwrap_or_default().lines() {
        if let Some((outcome, name)) = line.split_once('\t') {
            known.insert(name.to_owned(), outcome.to_owned());
        }
    }
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(&log)?;
    for (slow, before, missed) in [(false, None, MISSED), (true, Some(MISSED), "MISSED BY ALL")] {
        for mutant in mutants.iter().filter(|m| m.name.contains(&pattern)) {
            if known.get(&mutant.name).map(String::as_str) != before {
                continue;
            }
            let tests = if slow { SLOW } else { quick(&mutant.file) };
            let outcome = if outside.contains(&mutant.id) {
                "not switchable".to_owned()
            } else if viable.contains(&mutant.id) {
                run(&copy, &binaries, tests, mutant.id)?.unwrap_or_else(|| missed.to_owned())
            } else {
                "unviable".to_owned()
            };
            println!("{outcome}: {}", mutant.name);
            writeln!(out, "{outcome}\t{}", mutant.name)?;
            known.insert(mutant.name.clone(), outcome);
        }
    }
    Ok(())
}

/// The quick tests of a file.
fn quick(file: &str) -> &'static [&'static str] {
    let matches = |pattern: &str| pattern.split('*').next().is_some_and(|start| file.starts_with(start));
    FILES.iter().find(|(pattern, _)| matches(pattern)).map_or(SLOW, |(_, tests)| tests)
}

/// What cargo-mutants would do.
fn list(root: &Path) -> Result<Vec<Mutant>, Failure> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "--no-config"]).current_dir(root);
    for (file, _) in FILES {
        command.args(["-f", file]);
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    let list: Value = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
    let mutants = list.as_array().ok_or("no list")?.iter().zip(1..).map(|(m, id)| {
        let start = &m["span"]["start"];
        Mutant {
            id,
            name: text(&m["name"]),
            file: text(&m["file"]),
            genre: text(&m["genre"]),
            replacement: text(&m["replacement"]),
            start: (number(&start["line"]), number(&start["column"])),
        }
    });
    Ok(mutants.collect())
}

/// A copy that compiles, with its viable mutants, and those that no switch reaches.
fn prepare(root: &Path, copy: &Path, mutants: &[Mutant]) -> Result<(HashSet<usize>, HashSet<usize>), Failure> {
    std::fs::create_dir_all(copy)?;
    for entry in
        ["src", "tests", "proofs", "docs", "vectors", "examples", "benches", "README.md", "Cargo.toml", "Cargo.lock"]
    {
        succeed(Command::new("rm").arg("-rf").arg(copy.join(entry)))?;
        succeed(Command::new("cp").arg("-r").arg(root.join(entry)).arg(copy))?;
    }
    let mut library = std::fs::read_to_string(copy.join("src/lib.rs"))?;
    library.push_str(SWITCH);
    std::fs::write(copy.join("src/lib.rs"), library)?;
    let mut viable: HashSet<usize> = mutants.iter().map(|m| m.id).collect();
    let mut outside = viable.clone();
    loop {
        let mut files: HashMap<&str, Vec<Mutant>> = HashMap::new();
        for mutant in mutants.iter().filter(|m| viable.contains(&m.id)) {
            files.entry(&mutant.file).or_default().push(mutant.clone());
        }
        for mutant in mutants {
            files.entry(&mutant.file).or_default();
        }
        for (file, mutants) in &files {
            let (text, done) = switch(&std::fs::read_to_string(root.join(file))?, mutants)?;
            outside.retain(|id| !done.contains(id));
            std::fs::write(copy.join(file), text)?;
            succeed(
                Command::new("rustfmt")
                    .args(["--edition", "2024", "--config", "error_on_line_overflow=false"])
                    .arg(copy.join(file)),
            )?;
        }
        let rejected = rejected(copy)?;
        println!("{} mutants rejected by the compiler", rejected.len());
        if rejected.is_empty() {
            viable.retain(|id| !outside.contains(id));
            return Ok((viable, outside));
        }
        viable.retain(|id| !rejected.contains(id));
    }
}

const FEATURES: [&str; 3] = ["--no-default-features", "--features", "std,exact"];

/// The mutants in whose branches the compiler reports errors.
fn rejected(copy: &Path) -> Result<HashSet<usize>, Failure> {
    let output = Command::new("cargo")
        .args(["check", "--lib", "--message-format=json"])
        .args(FEATURES)
        .current_dir(copy)
        .stderr(Stdio::null())
        .output()?;
    let mut rejected = HashSet::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if message["message"]["level"] != "error" {
            continue;
        }
        for span in message["message"]["spans"].as_array().into_iter().flatten().filter(|s| s["is_primary"] == true) {
            let text = std::fs::read_to_string(copy.join(span["file_name"].as_str().unwrap_or_default()))?;
            let end = usize::try_from(span["line_start"].as_u64().unwrap_or(0))?;
            // A branch follows its switch at once, so the last switch up to here is the one.
            let before: Vec<&str> = text.lines().take(end).collect();
            let before = before.join("\n");
            let last = before
                .rsplit_once("crate::mutant(")
                .ok_or_else(|| format!("an error that is no mutant's: {message}"))?
                .1;
            rejected.insert(last.split("usize").next().unwrap_or_default().parse()?);
        }
    }
    if !output.status.success() && rejected.is_empty() {
        return Err("the copy does not compile".into());
    }
    Ok(rejected)
}

/// The test binaries, by name.
fn build(copy: &Path) -> Result<HashMap<String, PathBuf>, Failure> {
    let mut command = Command::new("cargo");
    command.args([
        "test",
        "--no-run",
        "--message-format=json",
        "--config",
        "profile.test.opt-level=1",
        "--config",
        "profile.test.debug=false",
    ]);
    command.args(FEATURES).current_dir(copy);
    let names: HashSet<&str> = SLOW.iter().copied().collect();
    for name in &names {
        command.args(["--test", name]);
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    let mut found = HashMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if let (Some(name), Some(path)) = (message["target"]["name"].as_str(), message["executable"].as_str()) {
            found.insert(name.to_owned(), PathBuf::from(path));
        }
    }
    if names.iter().all(|name| found.contains_key(*name)) { Ok(found) } else { Err("a test is missing".into()) }
}

/// Which of the tests kills the mutant, if any. A test is a binary, perhaps with names to filter by.
fn run(copy: &Path, binaries: &HashMap<String, PathBuf>, tests: &[&str], id: usize) -> Result<Option<String>, Failure> {
    let report = copy.join("report.txt");
    std::fs::write(copy.join("mutant"), id.to_string())?;
    for test in tests {
        let mut words = test.split(' ');
        let name = words.next().unwrap_or_default();
        let mut command = Command::new(&binaries[name]);
        // --fail-fast is an unstable option of the test harness.
        command
            .args(["-Zunstable-options", "--fail-fast"])
            .args(words)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUST_BACKTRACE", "0");
        command.stdout(std::fs::File::create(&report)?).stderr(Stdio::null()).current_dir(copy);
        let (mut child, start) = (command.spawn()?, Instant::now());
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if start.elapsed() > LIMIT {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let Some(status) = status else { return Ok(Some(format!("timeout in {name}"))) };
        if !status.success() {
            let text = std::fs::read_to_string(&report)?;
            let test = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            return Ok(Some(format!("caught by {name}::{}", test.unwrap_or("(abort)"))));
        }
    }
    Ok(None)
}

fn succeed(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() { Ok(()) } else { Err(format!("{command:?}").into()) }
}
