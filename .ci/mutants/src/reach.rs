//! Which tests reach which mutants, and whether one of them fails.

use crate::Failure;
use crate::switch::Mutant;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

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
    let mut tests = Vec::new();
    for (of, binary) in binaries {
        if binary.metadata()?.modified().ok() < at && known.iter().any(|test| test.binary == binary) {
            continue;
        }
        for name in names(copy, &binary)? {
            tests.push(recorded(copy, &of, &binary, name)?);
        }
        println!("{of}: {} tests so far", tests.len());
    }
    let new: HashSet<PathBuf> = tests.iter().map(|test| test.binary.clone()).collect();
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

fn recorded(copy: &Path, of: &str, binary: &Path, name: String) -> Result<Test, Failure> {
    let reached = copy.join("reached");
    std::fs::write(&reached, "")?;
    let before = children();
    let ended = run(copy, binary, &[&name], &reached.display().to_string(), 2.0 * LONGEST)?;
    let mut seconds = (children() - before).max(0.005);
    // One that does not pass now can say nothing of a mutant.
    if !matches!(ended, Ended::Passed) {
        println!("not used: {of}::{name}");
        seconds = f64::INFINITY;
    }
    let text = std::fs::read_to_string(&reached)?;
    let reached = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    Ok(Test { binary: binary.to_owned(), of: of.to_owned(), name, seconds, reached })
}

/// Processor seconds of the processes that have ended.
fn children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks = after.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
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
        match run(copy, &group[0].binary, &names, &mutant.id.to_string(), 2.0 + 4.0 * expected)? {
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

/// `limit` is in seconds of the processor, for each process; those that a test starts have their own. Memory is bounded too, and files at 2 GB.
fn run(copy: &Path, binary: &Path, names: &[&str], mutant: &str, limit: f64) -> Result<Ended, Failure> {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!(
            "ulimit -t {limit:.0}; ulimit -v 12000000; ulimit -f 4000000; exec timeout {:.0} \"$0\" \"$@\"",
            60.0 + 20.0 * limit
        ),
    ]);
    // --fail-fast is an unstable option of the test harness.
    command.arg(binary).args(["-Zunstable-options", "--fail-fast", "--test-threads=1", "--exact"]).args(names);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUST_BACKTRACE", "0").env("OPD_MUTANT", mutant);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).current_dir(copy).output()?;
    if output.status.success() {
        return Ok(Ended::Passed);
    }
    // Killed by the limit of the processor, or by the clock.
    if matches!(output.status.code(), Some(124 | 137 | 152))
        || output.status.code().is_none() && !aborted(output.status)
    {
        return Ok(Ended::Never);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let test = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    Ok(Ended::Failed(test.unwrap_or("(abort)").to_owned()))
}

/// By itself, as a process does that is out of memory, rather than by a limit of time.
fn aborted(status: std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    !matches!(status.signal(), Some(9 | 24))
}
