//! Mutates the library, without compiling once for each mutant.
//!
//! usage: cargo run --release --manifest-path .ci/mutants/Cargo.toml -- [PATH]…      (files or directories, as src/paper/mdp/value.rs; src if none)
//!
//! 1. In a copy of the repository (`target/mutants-copy`, or `$MUTANTS_COPY`) every mutant of the chosen files becomes a branch, `a + b`
//!    turning into `if mutant(7) { a - b } else { a + b }`.
//! 2. Mutants that the compiler rejects are dropped, as unviable, until the copy compiles.
//! 3. The tests are built once, and each is run once, alone, to see which branches it reaches and what it costs.
//! 4. Each mutant is switched on, by its number in the environment, and meets the tests that reach it, until one fails: those that caught
//!    its neighbours, then the cheapest. First as many as take two seconds together, of the processor; the mutants that survive that meet
//!    more at the end.
//!
//! The results are appended to `mutants.tsv` in the copy as they come, and a run goes on where the last one stopped. A copy serves the
//! files it was made for: for others, say another `$MUTANTS_COPY`. `MUTANTS_JOBS` is how many mutants are tried at once (2).
//! `MUTANTS_TESTS=cli,fast` builds no other test files (and the library's own tests); `MUTANTS_ONLY=src/data` tries no other files' mutants.
//! They are tried in an order drawn at random, the same every time: with `MUTANTS_MINUTES` no new one is begun after so many, and those
//! that were are a fair sample of all.

mod reach;
mod switch;
mod values;

use reach::{Killers, Test, caught};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use switch::{Mutant, switch};

/// Appended to the library: which mutant is on, or who is reached.
const SWITCH: &str = r#"
#[doc(hidden)]
#[inline(always)]
pub(crate) fn mutant(id: usize) -> bool {
    let on = MUTANT_ON.load(core::sync::atomic::Ordering::Relaxed);
    if on >= usize::MAX - 1 { mutant_slowly(id) } else { on == id }
}

/// `usize::MAX` before the environment was read; one less where the mutants that are reached are written down.
static MUTANT_ON: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(usize::MAX);

// Without the heap: there are tests that count what a function allocates.
#[cold]
#[inline(never)]
fn mutant_slowly(id: usize) -> bool {
    use core::sync::atomic::{AtomicBool, Ordering};
    use std::io::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    static WORD: std::sync::OnceLock<([u8; 300], usize)> = std::sync::OnceLock::new();
    let (word, length) = WORD.get_or_init(mutant_word);
    let word = &word[..*length];
    let mut on = MUTANT_ON.load(Ordering::Relaxed);
    if on == usize::MAX {
        let number = core::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        on = if word.starts_with(b"/") { usize::MAX - 1 } else { number.unwrap_or(0) };
        MUTANT_ON.store(on, Ordering::Relaxed);
    }
    if on == usize::MAX - 1 && !SEEN[id].load(Ordering::Relaxed) && !SEEN[id].swap(true, Ordering::Relaxed) {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(std::ffi::OsStr::from_bytes(word));
        let mut line = [0; 24];
        let mut rest = &mut line[..];
        let _ = writeln!(rest, "{id}");
        let left = rest.len();
        let _ = file.and_then(|mut file| file.write_all(&line[..line.len() - left]));
    }
    on == id
}

/// $OPD_MUTANT.
fn mutant_word() -> ([u8; 300], usize) {
    use std::io::Read as _;
    let (mut text, mut length) = ([0; 1 << 16], 0);
    if let Ok(mut file) = std::fs::File::open("/proc/self/environ") {
        while let Ok(more @ 1..) = file.read(&mut text[length..]) {
            length += more;
        }
    }
    let mut word = [0; 300];
    for entry in text[..length].split(|byte| *byte == 0) {
        if let Some(value) = entry.strip_prefix(b"OPD_MUTANT=") && value.len() <= 300 {
            word[..value.len()].copy_from_slice(value);
            return (word, value.len());
        }
    }
    (word, 0)
}
"#;

/// What the cheap tests do not notice, and what none does.
const MISSED: &str = "MISSED";
const MISSED_BY_ALL: &str = "MISSED BY ALL";

/// Processor seconds of tests that a mutant meets at first, and at the end.
const QUICK: f64 = 2.0;
const LONG: f64 = 30.0;

/// What only the program's tests reach.
const NEEDS_PROGRAM: [&str; 2] = ["src/data", "src/program"];

pub type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let copy = std::env::var_os("MUTANTS_COPY").map_or_else(|| root.join("target/mutants-copy"), PathBuf::from);
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let paths = if paths.is_empty() { vec!["src".to_owned()] } else { paths };
    // The program takes longer to compile than the rest.
    let features: &[&str] =
        match paths.iter().any(|path| NEEDS_PROGRAM.iter().any(|of| of.starts_with(path) || path.starts_with(of))) {
            true => &[],
            false => &["--no-default-features", "--features", "std,exact"],
        };
    let (mutants, rejected) = prepare(&root, &copy, &paths, features)?;
    println!("{} mutants, of which the compiler rejects {}", mutants.len(), rejected.len());
    let tests = reach::tests(&copy, build(&copy, features)?)?;
    println!("{} tests", tests.len());
    let log = copy.join("mutants.tsv");
    let mut known = HashMap::new();
    for line in std::fs::read_to_string(&log).unwrap_or_default().lines() {
        if let Some((outcome, name)) = line.split_once('\t') {
            known.insert(name.to_owned(), outcome.to_owned());
        }
    }
    let out = Mutex::new(std::fs::OpenOptions::new().create(true).append(true).open(&log)?);
    let killers = Mutex::new(Killers::default());
    for mutant in &mutants {
        killers.lock().map_err(|e| e.to_string())?.learn(mutant, known.get(&mutant.name).map_or("", String::as_str));
    }
    let minutes =
        std::env::var("MUTANTS_MINUTES").ok().and_then(|minutes| minutes.parse().ok()).unwrap_or(f64::INFINITY);
    let only = std::env::var("MUTANTS_ONLY").unwrap_or_default();
    let only: Vec<String> = only.split(',').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    let begun = Instant::now();
    for (seconds, before, missed, end) in
        [(QUICK, None, MISSED, 60.0 * minutes), (LONG, Some(MISSED), MISSED_BY_ALL, f64::INFINITY)]
    {
        let is_left = |mutant: &&Mutant| known.get(&mutant.name).map(String::as_str) == before;
        let is_wanted = |mutant: &&Mutant| only.is_empty() || place(&mutant.file, &only).is_some();
        let mut left: Vec<&Mutant> = mutants.iter().filter(is_left).filter(is_wanted).collect();
        left.sort_by_cached_key(|mutant| drawn(mutant));
        let outcome = |mutant: &Mutant| -> Result<String, String> {
            let reaching: Vec<&Test> = tests.iter().filter(|test| test.reached.contains(&mutant.id)).collect();
            Ok(if rejected.contains(&mutant.id) {
                "unviable".to_owned()
            } else if reaching.is_empty() {
                "never reached".to_owned()
            } else {
                let caught = caught(&copy, &reaching, &killers, mutant, seconds).map_err(|e| e.to_string())?;
                let outcome = caught.unwrap_or_else(|| missed.to_owned());
                killers.lock().map_err(|e| e.to_string())?.learn(mutant, &outcome);
                outcome
            })
        };
        known.extend(side_by_side(&left, &outcome, &out, || begun.elapsed().as_secs_f64() < end)?);
    }
    summary(&mutants, &known);
    Ok(())
}

/// How many things are done at once.
pub fn jobs() -> usize {
    std::env::var("MUTANTS_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(2)
}

/// A number that has nothing to do with the mutant, for the order.
fn drawn(mutant: &Mutant) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    mutant.name.hash(&mut hasher);
    hasher.finish()
}

type Outcome<'a> = dyn Fn(&Mutant) -> Result<String, String> + Sync + 'a;

/// The outcomes of the mutants, some at a time, for as long as there is time.
fn side_by_side(
    left: &[&Mutant],
    outcome: &Outcome<'_>,
    out: &Mutex<std::fs::File>,
    has_time: impl Fn() -> bool + Sync,
) -> Result<Vec<(String, String)>, String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<(), String> {
        while has_time()
            && let Some(mutant) = left.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let outcome = outcome(mutant)?;
            let mut out = out.lock().map_err(|e| e.to_string())?;
            writeln!(out, "{outcome}\t{}", mutant.name).map_err(|e| e.to_string())?;
            found.lock().map_err(|e| e.to_string())?.push((mutant.name.clone(), outcome));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs()).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?)
    })?;
    found.into_inner().map_err(|e| e.to_string())
}

/// A line per file.
fn summary(mutants: &[Mutant], known: &HashMap<String, String>) {
    let mut files: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for mutant in mutants {
        let outcome = known.get(&mutant.name).map_or("", String::as_str);
        let kind = match outcome {
            MISSED | MISSED_BY_ALL => 1,
            "unviable" => 2,
            "never reached" => 3,
            "" => 4,
            _ => 0,
        };
        files.entry(&mutant.file).or_default()[kind] += 1;
    }
    println!("| file | caught | missed | unviable | never reached | not run |\n|---|---|---|---|---|---|");
    for (file, counts) in files {
        println!("| `{file}` | {} |", counts.map(|count| count.to_string()).join(" | "));
    }
}

/// The chosen files of the library, in the order of the arguments.
fn chosen(root: &Path, paths: &[String]) -> Result<Vec<String>, Failure> {
    let output = Command::new("git").args(["ls-files", "src"]).current_dir(root).output()?;
    let text = String::from_utf8(output.stdout)?;
    let mut files: Vec<&str> =
        text.lines().filter(|file| file.ends_with(".rs") && !file.starts_with("src/bin/")).collect();
    // What a file declares as `#[cfg(test)] mod tests;` is no part of the library.
    files.retain(|file| {
        *file != "src/lib.rs"
            && !file.ends_with("/tests.rs")
            && !file.contains("/tests/")
            && place(file, paths).is_some()
    });
    files.sort_by_key(|file| place(file, paths));
    Ok(files.into_iter().map(str::to_owned).collect())
}

/// Which of the arguments a file comes by.
fn place(file: &str, paths: &[String]) -> Option<usize> {
    paths.iter().position(|path| Path::new(file).starts_with(path))
}

/// A copy that compiles, the mutants in it, and those that had to be left out.
fn prepare(
    root: &Path,
    copy: &Path,
    paths: &[String],
    features: &[&str],
) -> Result<(Vec<Mutant>, HashSet<usize>), Failure> {
    let files = chosen(root, paths)?;
    std::fs::create_dir_all(copy)?;
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    for file in String::from_utf8(listed.stdout)?.split_terminator('\0').filter(|file| *file != "src/lib.rs") {
        if !files.iter().any(|chosen| chosen == file) && root.join(file).is_file() {
            write_new(&copy.join(file), &std::fs::read(root.join(file))?)?;
        }
    }
    // What was rejected before is remembered: the numbers are those of the same files.
    let kept = copy.join("rejected.txt");
    let text = std::fs::read_to_string(&kept).unwrap_or_default();
    let mut rejected: HashSet<usize> = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    loop {
        let mut mutants = Vec::new();
        for file in &files {
            let source = std::fs::read_to_string(root.join(file))?;
            let (text, more) = switch(file, &source, mutants.len() + 1, &rejected)?;
            mutants.extend(more);
            write_new(&copy.join(file), text.as_bytes())?;
        }
        let library = std::fs::read_to_string(root.join("src/lib.rs"))?;
        let library = library + &SWITCH.replace("COUNT", &(mutants.len() + 1).to_string());
        write_new(&copy.join("src/lib.rs"), library.as_bytes())?;
        let list: String = mutants.iter().map(|mutant| format!("{}\t{}\n", mutant.id, mutant.name)).collect();
        std::fs::write(copy.join("list.tsv"), list)?;
        let more = newly_rejected(copy, features)?;
        println!("{} mutants, {} rejected by the compiler now", mutants.len(), more.len());
        if more.is_empty() {
            return Ok((mutants, rejected));
        }
        rejected.extend(more);
        std::fs::write(&kept, rejected.iter().map(|id| format!("{id}\n")).collect::<String>())?;
    }
}

/// The mutants in whose branches the compiler reports errors.
fn newly_rejected(copy: &Path, features: &[&str]) -> Result<HashSet<usize>, Failure> {
    let output = Command::new("cargo")
        .args(["check", "--lib", "--message-format=json"])
        .args(features)
        .env("RUSTFLAGS", "--cap-lints=allow")
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
            let end = usize::try_from(span["byte_start"].as_u64().unwrap_or(0))?;
            // A branch follows its switch at once, so the last switch up to here is the one.
            let last = text.get(..end).and_then(|before| before.rsplit_once("crate :: mutant ("));
            let last =
                last.ok_or_else(|| format!("an error that is no mutant's: {}", message["message"]["rendered"]))?.1;
            rejected.insert(last.split("usize").next().unwrap_or_default().trim().parse()?);
        }
    }
    if !output.status.success() && rejected.is_empty() {
        return Err("the copy does not compile".into());
    }
    Ok(rejected)
}

/// The test binaries, by name. Compiled quickly rather than well.
fn build(copy: &Path, features: &[&str]) -> Result<Vec<(String, PathBuf)>, Failure> {
    let mut command = Command::new("cargo");
    command.args(["test", "--no-run", "--lib", "--message-format=json"]).args(features);
    let wanted = std::env::var("MUTANTS_TESTS").unwrap_or_default();
    for entry in std::fs::read_dir(copy.join("tests"))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_test = path.extension().is_some_and(|of| of == "rs") || path.join("main.rs").exists();
        let is_program = reach::OF_PROGRAM.contains(&name);
        let is_test = is_test && (wanted.is_empty() || wanted.split(',').any(|wanted| wanted == name));
        if is_test && !reach::SKIPPED.contains(&name) && (features.is_empty() || !is_program) {
            command.args(["--test", name]);
        }
    }
    command.args(["--config", "profile.test.opt-level=1"]).env("RUSTFLAGS", "--cap-lints=allow").current_dir(copy);
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

/// Writes what is not there already: cargo goes by the time of a file.
fn write_new(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    if std::fs::read(path).ok().as_deref() == Some(contents) {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, contents)?;
    Ok(())
}
