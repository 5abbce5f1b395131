//! Which tests reach which mutants, and whether one of them fails.

use crate::Failure;
use crate::switch::Mutant;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tests that take minutes where the library is not optimised, look at the sources, or need a browser or Coq.
pub const SKIPPED: [&str; 13] = [
    "allocation",
    "bounds",
    "cli_html",
    "convergence",
    "coq_bits",
    "coq_tie",
    "exhaustive_average",
    "exhaustive_discounted",
    "paper_map",
    "printed_theorems",
    "readme",
    "theorems",
    "unbiased",
];

/// Tests that run the program, or need its formats.
pub const OF_PROGRAM: [&str; 8] = [
    "cli",
    "cli_malformed",
    "conformance",
    "conformance_cli",
    "conformance_steps",
    "metamorphic",
    "properties",
    "second_opinion",
];

/// A test that takes longer than this, in seconds of the processor, meets no mutant: a tenth of the tests have nine tenths of the time.
const LONGEST: f64 = 3.0;

/// A test and what it does without any mutant.
#[derive(Clone)]
pub struct Test {
    binary: PathBuf,
    of: String,
    name: String,
    seconds: f64,
    /// The ids of the mutants in whose place it comes by.
    pub reached: HashSet<usize>,
}

/// Every test, run alone. What was found is kept in `reach.tsv` for as long as its binary is the same.
pub fn tests(copy: &Path, binaries: Vec<(String, PathBuf)>) -> Result<Vec<Test>, Failure> {
    let kept = copy.join("reach.tsv");
    let at = kept.metadata().and_then(|kept| kept.modified()).ok();
    let text = std::fs::read_to_string(&kept).unwrap_or_default();
    let known: Vec<Test> = text.lines().filter_map(read).collect();
    let mut new = Vec::new();
    for (of, binary) in binaries {
        if binary.metadata()?.modified().ok() < at && known.iter().any(|test| test.binary == binary) {
            continue;
        }
        let named = |name| (of.clone(), binary.clone(), name);
        new.extend(names(copy, &binary)?.into_iter().map(named));
    }
    println!("{} tests to run alone", new.len());
    let next = AtomicUsize::new(0);
    let work = |worker: usize| -> Result<Vec<Test>, String> {
        let mut tests = Vec::new();
        while let Some((of, binary, name)) = new.get(next.fetch_add(1, Ordering::Relaxed)) {
            let reached = copy.join(format!("reached-{worker}"));
            tests.push(recorded(copy, of, binary, name, &reached).map_err(|e| e.to_string())?);
        }
        Ok(tests)
    };
    let tests = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..crate::jobs()).map(|worker| scope.spawn(move || work(worker))).collect();
        let joined = workers.into_iter().map(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?);
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    let mut tests = tests.concat();
    let new: HashSet<PathBuf> = new.into_iter().map(|(_, binary, _)| binary).collect();
    tests.extend(known.into_iter().filter(|test| !new.contains(&test.binary) && test.binary.exists()));
    std::fs::write(kept, tests.iter().map(written).collect::<String>())?;
    tests.retain(|test| test.seconds < LONGEST);
    Ok(tests)
}

fn written(test: &Test) -> String {
    let ids: Vec<String> = test.reached.iter().map(usize::to_string).collect();
    let Test { binary, of, name, seconds, .. } = test;
    format!("{}\t{of}\t{name}\t{seconds}\t{}\n", binary.display(), ids.join(" "))
}

fn read(line: &str) -> Option<Test> {
    let mut words = line.split('\t');
    let mut next = || words.next();
    let (binary, of, name, seconds) = (next()?.into(), next()?.into(), next()?.into(), next()?.parse().ok()?);
    let reached = next()?.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    Some(Test { binary, of, name, seconds, reached })
}

/// The names of a binary's tests, but for those that are ignored.
fn names(copy: &Path, binary: &Path) -> Result<Vec<String>, Failure> {
    let list = |flags: &[&str]| -> Result<Vec<String>, Failure> {
        let output =
            Command::new(binary).args(["--list", "--format", "terse"]).args(flags).current_dir(copy).output()?;
        let text = String::from_utf8(output.stdout)?;
        Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
    };
    let ignored: HashSet<String> = list(&["--ignored"])?.into_iter().collect();
    Ok(list(&[])?.into_iter().filter(|name| !ignored.contains(name)).collect())
}

fn recorded(copy: &Path, of: &str, binary: &Path, name: &str, file: &Path) -> Result<Test, Failure> {
    std::fs::write(file, "")?;
    let (ended, mut seconds) = run(copy, binary, &[name], &file.display().to_string(), 2.0 * LONGEST)?;
    // One that does not pass now can say nothing of a mutant.
    if !matches!(ended, Ended::Passed) {
        println!("not used: {of}::{name}");
        seconds = f64::INFINITY;
    }
    let text = std::fs::read_to_string(file)?;
    let reached = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    Ok(Test { binary: binary.to_owned(), of: of.to_owned(), name: name.to_owned(), seconds, reached })
}

/// Which tests caught mutants before, in a function or file.
#[derive(Default)]
pub struct Killers(HashMap<(String, String), usize>);

impl Killers {
    /// How many of them are asked before all others.
    const FIRST: usize = 3;

    /// `outcome` as it is written down.
    pub fn learn(&mut self, mutant: &Mutant, outcome: &str) {
        if let Some(test) = outcome.strip_prefix("caught by ") {
            for scope in [mutant.place(), mutant.file.clone()] {
                *self.0.entry((scope, test.to_owned())).or_default() += 1;
            }
        }
    }

    /// The tests most likely to notice the mutant: by what they caught in its function, then in its file.
    fn of<'a>(&self, mutant: &Mutant, tests: &[&'a Test]) -> Vec<&'a Test> {
        let caught = |scope: &str, test: &Test| {
            self.0.get(&(scope.to_owned(), format!("{}::{}", test.of, test.name))).copied().unwrap_or(0)
        };
        let place = mutant.place();
        let rank = |test: &Test| (caught(&place, test), caught(&mutant.file, test));
        let mut ranked: Vec<_> = tests.iter().map(|test| (rank(test), *test)).filter(|(rank, _)| rank.1 > 0).collect();
        ranked.sort_by(|(a, _), (b, _)| b.cmp(a));
        ranked.into_iter().take(Self::FIRST).map(|(_, test)| test).collect()
    }
}

/// Which of the tests notices the mutant, if any: those that caught its neighbours first, then, for so many seconds together, the
/// cheapest.
pub fn caught(
    copy: &Path,
    tests: &[&Test],
    killers: &Mutex<Killers>,
    mutant: &Mutant,
    seconds: f64,
) -> Result<Option<String>, Failure> {
    let likely = killers.lock().map_err(|e| e.to_string())?.of(mutant, tests);
    let mut tests = tests.to_vec();
    tests.retain(|test| !likely.iter().any(|other| std::ptr::eq(*other, *test)));
    tests.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut left = seconds;
    let mut first = true;
    tests.retain(|test| {
        left -= test.seconds;
        // One at least.
        std::mem::replace(&mut first, false) || left >= 0.0
    });
    // Tests of about the same cost go together, as one process per binary.
    let mut groups: BTreeMap<(u32, &Path), Vec<&Test>> = BTreeMap::new();
    for test in tests {
        let cost = [0.05, 0.3, 1.0, 4.0].iter().filter(|limit| test.seconds > **limit).count();
        groups.entry((u32::try_from(cost)?, &test.binary)).or_default().push(test);
    }
    for group in likely.into_iter().map(|test| vec![test]).chain(groups.into_values()) {
        let names: Vec<&str> = group.iter().map(|test| test.name.as_str()).collect();
        let expected: f64 = group.iter().map(|test| test.seconds).sum();
        match run(copy, &group[0].binary, &names, &mutant.id.to_string(), 2.0 + 4.0 * expected)?.0 {
            Ended::Passed => {}
            Ended::Failed(test) => return Ok(Some(format!("caught by {}::{test}", group[0].of))),
            Ended::Never => return Ok(Some(format!("timeout in {}", group[0].of))),
        }
    }
    Ok(None)
}

enum Ended {
    Passed,
    /// The name of the test, or that the process was aborted.
    Failed(String),
    Never,
}

/// How the tests ended, and their seconds of the processor. `limit` is in such seconds too, for each process; those that a test starts have
/// their own. Memory is bounded, and files at 2 GB.
fn run(copy: &Path, binary: &Path, names: &[&str], mutant: &str, limit: f64) -> Result<(Ended, f64), Failure> {
    let script = format!(
        "ulimit -t {limit:.0}; ulimit -v 12000000; ulimit -f 4000000; timeout {:.0} \"$0\" \"$@\" 2>/dev/null; code=$?; times >&2; exit $code",
        60.0 + 20.0 * limit
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]);
    // --fail-fast is an unstable option of the test harness.
    command.arg(binary).args(["-Zunstable-options", "--fail-fast", "--test-threads=1", "--exact"]).args(names);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUST_BACKTRACE", "0").env("OPD_MUTANT", mutant);
    let output = command.stdin(Stdio::null()).current_dir(copy).output()?;
    let seconds = children(&String::from_utf8_lossy(&output.stderr)).max(0.005);
    if output.status.success() {
        return Ok((Ended::Passed, seconds));
    }
    // Killed by the limit of the processor, or by the clock.
    if matches!(output.status.code(), None | Some(124 | 137 | 152)) {
        return Ok((Ended::Never, seconds));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let test = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    Ok((Ended::Failed(test.unwrap_or("(abort)").to_owned()), seconds))
}

/// Processor seconds of the processes that have ended: the last line of `times`, as `0m1.23s 0m0.04s`.
fn children(times: &str) -> f64 {
    let seconds = |word: &str| {
        let (minutes, rest) = word.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + rest.parse::<f64>().ok()?)
    };
    times.lines().last().unwrap_or_default().split_whitespace().filter_map(seconds).sum()
}
