//! Which tests reach which mutants, and whether one of them fails.

use crate::Failure;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test that takes longer than this, in seconds, meets no mutant: a tenth of the tests have nine tenths of the time.
const LONGEST: f64 = 20.0;

/// A test and what it does without any mutant.
pub struct Test {
    binary: PathBuf,
    of: String,
    name: String,
    seconds: f64,
    /// The ids of the mutants in whose place it comes by.
    pub reached: HashSet<usize>,
}

/// Every test, run alone. What was found is kept in `reach.tsv` until the tests are built anew.
pub fn tests(copy: &Path, binaries: Vec<(String, PathBuf)>) -> Result<Vec<Test>, Failure> {
    let kept = copy.join("reach.tsv");
    let built = binaries.iter().filter_map(|(_, binary)| binary.metadata().ok()?.modified().ok()).max();
    if kept.metadata().and_then(|kept| kept.modified()).ok() > built {
        return Ok(std::fs::read_to_string(&kept)?.lines().filter_map(read).collect());
    }
    let mut tests = Vec::new();
    for (of, binary) in binaries {
        for name in names(copy, &binary)? {
            let mut test = Test { binary: binary.clone(), of: of.clone(), name, seconds: 0.0, reached: HashSet::new() };
            test.record(copy)?;
            if test.seconds < LONGEST {
                tests.push(test);
            }
        }
        println!("{of}: {} tests so far", tests.len());
    }
    std::fs::write(kept, tests.iter().map(written).collect::<String>())?;
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
        let output = Command::new(binary).args(["--list", "--format", "terse"]).args(flags).current_dir(copy).output()?;
        let text = String::from_utf8(output.stdout)?;
        Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
    };
    let ignored: HashSet<String> = list(&["--ignored"])?.into_iter().collect();
    Ok(list(&[])?.into_iter().filter(|name| !ignored.contains(name)).collect())
}

impl Test {
    fn record(&mut self, copy: &Path) -> Result<(), Failure> {
        let reached = copy.join("reached");
        std::fs::write(copy.join("mutant"), "r")?;
        std::fs::write(&reached, "")?;
        let start = Instant::now();
        let ended = run(copy, &self.binary, &[&self.name], Duration::from_secs_f64(2.0 * LONGEST))?;
        self.seconds = start.elapsed().as_secs_f64();
        // One that does not pass now can say nothing of a mutant.
        if !matches!(ended, Ended::Passed) {
            println!("not used: {}::{}", self.of, self.name);
            self.seconds = f64::INFINITY;
        }
        let text = std::fs::read_to_string(&reached)?;
        self.reached = text.split_whitespace().filter_map(|id| id.parse().ok()).collect();
        Ok(())
    }
}

/// Which of the tests notices the mutant, if any; those that take so many seconds together are asked, the quickest first.
pub fn caught(copy: &Path, tests: &[&Test], id: usize, seconds: f64) -> Result<Option<String>, Failure> {
    std::fs::write(copy.join("mutant"), id.to_string())?;
    let mut tests = tests.to_vec();
    tests.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut left = seconds;
    tests.retain(|test| {
        left -= test.seconds;
        left >= 0.0
    });
    // Tests of about the same length go together, as one process per binary.
    let mut groups: BTreeMap<(u32, &Path), Vec<&Test>> = BTreeMap::new();
    for test in tests {
        let length = [0.05, 0.3, 1.0, 4.0].iter().filter(|limit| test.seconds > **limit).count();
        groups.entry((u32::try_from(length)?, &test.binary)).or_default().push(test);
    }
    for ((_, binary), group) in groups {
        let names: Vec<&str> = group.iter().map(|test| test.name.as_str()).collect();
        let expected: f64 = group.iter().map(|test| test.seconds).sum();
        match run(copy, binary, &names, Duration::from_secs_f64(60.0 + 20.0 * expected))? {
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

fn run(copy: &Path, binary: &Path, names: &[&str], limit: Duration) -> Result<Ended, Failure> {
    let report = copy.join("report.txt");
    let mut command = Command::new(binary);
    // --fail-fast is an unstable option of the test harness.
    command.args(["-Zunstable-options", "--fail-fast", "--exact"]).args(names);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(File::create(&report)?).stderr(Stdio::null()).current_dir(copy);
    let (mut child, start) = (command.spawn()?, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            if status.success() {
                return Ok(Ended::Passed);
            }
            let text = String::from_utf8_lossy(&std::fs::read(&report)?).into_owned();
            let test = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            return Ok(Ended::Failed(test.unwrap_or("(abort)").to_owned()));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::Never);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
