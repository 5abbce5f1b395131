//! Hostile inputs from a seed, over every command: each ends in time and in bounded memory, with a documented exit code, at most one
//! line of complaint, its input files as they were, and its output files whole or not there.

mod material;
mod spoil;

use crate::opd::Place;
use material::Material;
use serde_json::Value;
use spoil::Dice;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStringExt as _;
use std::process::{Command, Stdio};

/// Processor seconds and kilobytes of address space that a call may take. An honest call of this size takes less than a second.
const LIMITS: &str = "ulimit -t 60; ulimit -v 6000000";

/// One call.
pub struct Call {
    pub files: Vec<(&'static str, Vec<u8>)>,
    pub arguments: Vec<OsString>,
    pub stdin: Vec<u8>,
}

impl Call {
    pub fn new(arguments: &str) -> Self {
        let arguments = arguments.split_whitespace().map(OsString::from).collect();
        Self { files: Vec::new(), arguments, stdin: Vec::new() }
    }

    pub fn file(mut self, name: &'static str, contents: Vec<u8>) -> Self {
        self.files.push((name, contents));
        self
    }

    pub fn stdin(mut self, contents: Vec<u8>) -> Self {
        self.stdin = contents;
        self
    }

    fn has(&self, word: &str) -> bool {
        self.arguments.iter().any(|argument| argument == word)
    }

    /// Whether the call writes to a file of that name and reads none.
    fn has_output(&self, name: &str) -> bool {
        let named_by = |flags: &[&str]| {
            self.arguments.windows(2).any(|pair| flags.iter().any(|flag| pair[0] == *flag) && pair[1] == name)
        };
        named_by(&["--out", "--html", "--trace", "--certificate"]) && !named_by(&["--mdp", "--data"])
    }

    /// Prints as it goes, so that a complaint may come after output.
    fn streams(&self) -> bool {
        ["oracle", "solve", "sample", "check"].iter().any(|word| self.has(word))
    }
}

/// What a call did.
struct Ending {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

fn run(place: &Place, call: &Call) -> Ending {
    let mut child = Command::new("sh")
        .args(["-c", &format!("{LIMITS}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_opd")])
        .args(&call.arguments)
        .current_dir(place.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), call.stdin.clone());
    // A program that does not read its input closes it.
    let feed = std::thread::spawn(move || stdin.write_all(&input).unwrap_or_default());
    let mut stdout = child.stdout.take().unwrap();
    let answer = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let mut stderr = Vec::new();
    child.stderr.take().unwrap().read_to_end(&mut stderr).unwrap();
    feed.join().unwrap();
    let stdout = answer.join().unwrap();
    Ending { code: child.wait().unwrap().code(), stdout, stderr }
}

/// What is wrong with the way a call ended, if anything.
fn judge(call: &Call) -> Result<i32, String> {
    let place = Place::new();
    for (name, contents) in &call.files {
        place.write(name, contents);
    }
    let before = place.names();
    let Ending { code, stdout, stderr } = run(&place, call);
    let complaint = String::from_utf8(stderr).map_err(|_| "stderr is not UTF-8".to_owned())?;
    let code = code.filter(|code| (0..=2).contains(code));
    let code = code.ok_or_else(|| format!("killed or an undocumented exit code; {complaint:.300}"))?;
    if complaint.contains("panicked") || complaint.contains("RUST_BACKTRACE") {
        return Err(format!("panic: {complaint:.300}"));
    }
    // Notes say how an input was taken; a complaint comes alone.
    let complaint: String =
        complaint.lines().filter(|line| !line.starts_with("opd: note: ")).map(|line| line.to_owned() + "\n").collect();
    let lines = complaint.lines().count();
    if lines > 1 || (code == 2) != (lines == 1 && complaint.starts_with("opd: ")) && !call.has("check") {
        return Err(format!("exit code {code} with {lines} lines on stderr: {complaint:.300}"));
    }
    if complaint.len() > 700 || complaint.trim_end_matches('\n').chars().any(char::is_control) {
        return Err(format!("{} bytes on stderr, or control characters: {complaint:.300?}", complaint.len()));
    }
    if code == 2 && !stdout.is_empty() && !call.streams() {
        return Err(format!("exit code 2 with {} bytes on stdout; {complaint}", stdout.len()));
    }
    if call.has("--json") && code < 2 && !stdout.is_empty() && !["man", "completions"].iter().any(|word| call.has(word))
    {
        for line in stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let is_json =
                serde_json::from_slice::<Value>(line).is_ok() || serde_json::from_slice::<Value>(&stdout).is_ok();
            if !is_json && !call.streams() {
                return Err(format!("not JSON: {:.200}", String::from_utf8_lossy(line)));
            }
        }
    }
    if call.has("oracle") && !call.has("--quiet") && !call.has("-q") {
        answers_every_line(&call.stdin, &stdout, code)?;
    }
    for (name, contents) in &call.files {
        // A file that is only named as an output may be replaced.
        if !call.has_output(name) && std::fs::read(place.path(name)).ok().as_ref() != Some(contents) {
            return Err(format!("the input {name} was changed"));
        }
    }
    let new: Vec<String> = place.names().into_iter().filter(|name| !before.contains(name)).collect();
    let wanted =
        |name: &String| call.arguments.iter().any(|argument| argument.to_string_lossy().contains(name.as_str()));
    if code == 2 && !new.is_empty() || !new.iter().all(wanted) {
        return Err(format!("exit code {code} left {new:?}"));
    }
    Ok(code)
}

/// The oracle answers every line that is not blank, with exit code 1 if one of the answers is an error.
fn answers_every_line(asked: &[u8], answered: &[u8], code: i32) -> Result<(), String> {
    if code == 2 {
        return Ok(());
    }
    let asked =
        asked.split(|byte| *byte == b'\n').filter(|line| !String::from_utf8_lossy(line).trim().is_empty()).count();
    let mut errors = 0;
    let mut answers = 0;
    for line in answered.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_slice(line).map_err(|e| format!("an answer is not JSON: {e}"))?;
        answers += 1;
        if let Some(error) = value["error"].as_str() {
            errors += 1;
            if error.len() > 700 || error.chars().any(char::is_control) {
                return Err(format!("an error of {} bytes: {error:.300?}", error.len()));
            }
        }
    }
    if (answers, code) != (asked, i32::from(errors > 0)) {
        return Err(format!("{asked} requests, {answers} answers, {errors} errors, exit code {code}"));
    }
    Ok(())
}

/// What a call looked like, for the one who has to repeat it.
fn described(call: &Call) -> String {
    let arguments: Vec<String> =
        call.arguments.iter().map(|argument| format!("{:.80}", argument.to_string_lossy())).collect();
    let shown = |bytes: &[u8]| {
        format!("{:.400?} ({} bytes)", String::from_utf8_lossy(&bytes[..bytes.len().min(400)]), bytes.len())
    };
    let files: Vec<String> =
        call.files.iter().map(|(name, contents)| format!("\n    {name}: {}", shown(contents))).collect();
    format!("opd {}{}\n    stdin: {}", arguments.join(" "), files.concat(), shown(&call.stdin))
}

/// What went wrong, and how many calls ended with each exit code, of every so many-th seed.
fn some(seeds: impl Iterator<Item = u64>, material: &Material) -> (Vec<String>, [u64; 3]) {
    let (mut wrong, mut codes) = (Vec::new(), [0_u64; 3]);
    for seed in seeds {
        let call = material.hostile(seed, &mut Dice::new(seed));
        if let Some(directory) = std::env::var_os("OPD_HOSTILE") {
            // The files of a case, to look at it by hand.
            let directory = std::path::Path::new(&directory).join(seed.to_string());
            std::fs::create_dir_all(&directory).unwrap();
            for (name, contents) in call.files.iter().chain([&("stdin", call.stdin.clone())]) {
                std::fs::write(directory.join(name), contents).unwrap();
            }
        }
        let start = std::time::Instant::now();
        match judge(&call) {
            Ok(code) => codes[usize::try_from(code).unwrap()] += 1,
            Err(problem) => wrong.push(format!("seed {seed}: {problem}\n    {}", described(&call))),
        }
        if start.elapsed().as_secs() >= 10 {
            println!("seed {seed} took {:?}: {}", start.elapsed(), described(&call));
        }
    }
    (wrong, codes)
}

/// So many calls at once.
fn sweep(seeds: std::ops::Range<u64>, at_once: usize) {
    let material = Material::new();
    let (mut wrong, mut codes) = (Vec::new(), [0_u64; 3]);
    std::thread::scope(|scope| {
        let (material, seeds) = (&material, &seeds);
        let part = |first| scope.spawn(move || some(seeds.clone().skip(first).step_by(at_once), material));
        for part in (0..at_once).map(part).collect::<Vec<_>>() {
            let (more, of_part) = part.join().unwrap();
            wrong.extend(more);
            (0..3).for_each(|code| codes[code] += of_part[code]);
        }
    });
    let [done, failed, refused] = codes;
    println!("{done} done, {failed} with a failed check, {refused} refused, {} mishandled", wrong.len());
    assert!(wrong.is_empty(), "{} of {} mishandled:\n{}", wrong.len(), seeds.end - seeds.start, wrong.join("\n"));
    assert!(refused > 0 && done > 0, "all inputs ended alike: {codes:?}");
}

#[test]
fn hostile_inputs_are_refused_or_answered() {
    sweep(0..45, 1);
}

/// `cargo test --release --test cli -- --ignored --nocapture hostile`
#[test]
#[ignore = "1,500 calls of the program"]
fn fifteen_hundred_hostile_inputs() {
    sweep(1000..2500, 8);
}

/// An argument that is no text.
fn not_text() -> OsString {
    OsString::from_vec(b"\xff\xfe\n\x1b[31m".to_vec())
}
