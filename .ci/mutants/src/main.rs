//! Runs the mutants that `cargo mutants --list` names, without compiling once for each of them.
//!
//! usage: cargo run --manifest-path .ci/mutants/Cargo.toml -- [PATH]…      (files or directories, as src/paper/mdp/value.rs; src if none)
//!
//! 1. In a copy of the repository (`target/mutants-copy`, or `$MUTANTS_COPY`) every listed mutant becomes a branch, `a + b` turning
//!    into `if mutant(7) { a - b } else { a + b }`. An operator is replaced in the syntax tree, so that precedence stays as it was.
//! 2. Mutants that the compiler rejects are dropped, as unviable, until the copy compiles.
//! 3. The tests are built once, and each is run once, alone, to see which branches it reaches and how long it takes.
//! 4. Each mutant is switched on, by its number in the file `mutant`, and meets the tests that reach it, the quickest first, until one
//!    fails. First those that take half a minute together; the mutants that survive that meet the rest at the end.
//!
//! The results are appended to `mutants.tsv` in the copy as they come, and a run goes on where the last one stopped.

mod reach;
mod switch;

use reach::{Test, caught};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use switch::{Mutant, switch};

/// Appended to the library: which mutant is on, or who is reached. Some tests count allocations, so nothing here makes any.
const SWITCH: &str = r#"
#[doc(hidden)]
pub(crate) fn mutant(id: usize) -> bool {
    use std::io::{Read as _, Write as _};
    use std::sync::atomic::{AtomicBool, Ordering};
    static ON: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    let on = *ON.get_or_init(|| {
        let mut digits = [0; 20];
        let file = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/mutant"));
        let n = file.and_then(|mut file| file.read(&mut digits)).unwrap_or(0);
        if digits[0] == b'r' { usize::MAX } else { digits[..n].iter().fold(0, |id, digit| 10 * id + usize::from(digit - b'0')) }
    });
    if on == usize::MAX && !SEEN[id].swap(true, Ordering::Relaxed) {
        let mut line = [b' '; 12];
        let _ = writeln!(&mut line[..], "{id}");
        let file = std::fs::OpenOptions::new().append(true).create(true).open(concat!(env!("CARGO_MANIFEST_DIR"), "/reached"));
        let _ = file.and_then(|mut file| file.write_all(&line));
    }
    on == id
}
"#;

/// What the quick tests do not notice, and what none does.
const MISSED: &str = "MISSED";
const MISSED_BY_ALL: &str = "MISSED BY ALL";

/// Seconds of tests that a mutant meets at first.
const QUICK: f64 = 30.0;

pub type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let copy = std::env::var_os("MUTANTS_COPY").map_or_else(|| root.join("target/mutants-copy"), PathBuf::from);
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let paths = if paths.is_empty() { vec!["src".to_owned()] } else { paths };
    let mutants = list(&root, &paths)?;
    println!("{} mutants listed", mutants.len());
    let (viable, outside) = prepare(&root, &copy, &mutants)?;
    let tests = reach::tests(&copy, build(&copy)?)?;
    println!("{} tests", tests.len());
    let log = copy.join("mutants.tsv");
    let mut known = HashMap::new();
    for line in std::fs::read_to_string(&log).unwrap_or_default().lines() {
        if let Some((outcome, name)) = line.split_once('\t') {
            known.insert(name.to_owned(), outcome.to_owned());
        }
    }
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(&log)?;
    for (seconds, before, missed) in [(QUICK, None, MISSED), (f64::INFINITY, Some(MISSED), MISSED_BY_ALL)] {
        for mutant in &mutants {
            if known.get(&mutant.name).map(String::as_str) != before {
                continue;
            }
            let reaching: Vec<&Test> = tests.iter().filter(|test| test.reached.contains(&mutant.id)).collect();
            let outcome = if outside.contains(&mutant.id) {
                "not switchable".to_owned()
            } else if !viable.contains(&mutant.id) {
                "unviable".to_owned()
            } else if reaching.is_empty() {
                "never reached".to_owned()
            } else {
                caught(&copy, &reaching, mutant.id, seconds)?.unwrap_or_else(|| missed.to_owned())
            };
            println!("{outcome}: {}", mutant.name);
            writeln!(out, "{outcome}\t{}", mutant.name)?;
            known.insert(mutant.name.clone(), outcome);
        }
    }
    summary(&mutants, &known);
    Ok(())
}

/// A line per file.
fn summary(mutants: &[Mutant], known: &HashMap<String, String>) {
    let mut files: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for mutant in mutants {
        let outcome = known.get(&mutant.name).map_or("", String::as_str);
        let kind = match outcome {
            "unviable" => 2,
            "not switchable" => 3,
            "never reached" => 4,
            MISSED | MISSED_BY_ALL => 1,
            _ => 0,
        };
        files.entry(&mutant.file).or_default()[kind] += 1;
    }
    println!("| file | caught | missed | unviable | not switchable | never reached |\n|---|---|---|---|---|---|");
    for (file, counts) in files {
        println!("| `{file}` | {} |", counts.map(|count| count.to_string()).join(" | "));
    }
}

/// What cargo-mutants would do.
fn list(root: &Path, paths: &[String]) -> Result<Vec<Mutant>, Failure> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "--no-config", "-e", "src/bin/*"]).current_dir(root);
    let output = command.stderr(Stdio::inherit()).output()?;
    let list: Value = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
    let chosen = |file: &str| paths.iter().position(|path| Path::new(file).starts_with(path));
    let mut mutants: Vec<Mutant> = Vec::new();
    for m in list.as_array().ok_or("no list")? {
        let (file, start) = (text(&m["file"]), &m["span"]["start"]);
        if chosen(&file).is_some() {
            mutants.push(Mutant {
                id: 0,
                name: text(&m["name"]),
                file,
                genre: text(&m["genre"]),
                replacement: text(&m["replacement"]),
                start: (number(&start["line"]), number(&start["column"])),
            });
        }
    }
    // In the order of the arguments.
    mutants.sort_by_key(|mutant| chosen(&mutant.file));
    for (mutant, id) in mutants.iter_mut().zip(1..) {
        mutant.id = id;
    }
    Ok(mutants)
}

/// A copy that compiles, with its viable mutants, and those that no switch reaches.
fn prepare(root: &Path, copy: &Path, mutants: &[Mutant]) -> Result<(HashSet<usize>, HashSet<usize>), Failure> {
    std::fs::create_dir_all(copy)?;
    std::fs::write(copy.join("mutant"), "0")?;
    succeed(
        Command::new("sh").current_dir(root).env("COPY", copy).args(["-c", "git ls-files -z | xargs -0 cp -p --parents -t \"$COPY\""]),
    )?;
    let mut library = std::fs::read_to_string(root.join("src/lib.rs"))?;
    library.push_str(&SWITCH.replace("COUNT", &(mutants.len() + 1).to_string()));
    std::fs::write(copy.join("src/lib.rs"), library)?;
    let mut viable: HashSet<usize> = mutants.iter().map(|m| m.id).collect();
    let mut outside = viable.clone();
    loop {
        let mut files: HashMap<&str, Vec<Mutant>> = HashMap::new();
        for mutant in mutants {
            let of_file = files.entry(&mutant.file).or_default();
            if viable.contains(&mutant.id) {
                of_file.push(mutant.clone());
            }
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

/// The mutants in whose branches the compiler reports errors.
fn rejected(copy: &Path) -> Result<HashSet<usize>, Failure> {
    let output = Command::new("cargo")
        .args(["check", "--lib", "--message-format=json"])
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
fn build(copy: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut command = Command::new("cargo");
    command.args(["test", "--no-run", "--lib", "--tests", "--message-format=json"]);
    command.args(["--config", "profile.test.opt-level=1", "--config", "profile.test.debug=false"]).current_dir(copy);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    let mut found = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: Value = serde_json::from_str(line)?;
        if let (Some(name), Some(path), Some(true)) =
            (message["target"]["name"].as_str(), message["executable"].as_str(), message["profile"]["test"].as_bool())
        {
            found.push((name.to_owned(), PathBuf::from(path)));
        }
    }
    Ok(found)
}

fn succeed(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() { Ok(()) } else { Err(format!("{command:?}").into()) }
}
