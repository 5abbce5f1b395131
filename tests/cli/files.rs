//! Files that are damaged, in the way, or half written.

use crate::opd::{Place, opd};
use crate::{PROBLEM, said};
use std::fs;
use std::process::{Command, Stdio};

const RUN: &str = "run --mdp p.json --inner 5 --outer 20 --trace t.jsonl --data";

fn place_with_data(rows: &str) -> Place {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    said(&place, &format!("sample --mdp p.json --rows {rows} --seed 1 --out d.npz"));
    said(&place, &format!("sample --mdp p.json --rows {rows} --seed 1 --out d.csv"));
    place
}

/// Every byte of an archive spoilt in one bit: refused, or nothing that is read has changed.
#[test]
fn a_flipped_bit_is_refused_or_harmless() {
    let place = place_with_data("100");
    said(&place, &format!("{RUN} d.npz"));
    let (trace, archive) = (fs::read(place.path("t.jsonl")).unwrap(), fs::read(place.path("d.npz")).unwrap());
    let mut refused = 0;
    for at in (0..archive.len()).step_by(7) {
        let mut damaged = archive.clone();
        damaged[at] ^= 1 << (at % 8);
        place.write("bad.npz", &damaged);
        fs::remove_file(place.path("t.jsonl")).unwrap_or_default();
        let output = opd(&place, &format!("{RUN} bad.npz"));
        match output.code {
            Some(0) => assert_eq!(fs::read(place.path("t.jsonl")).unwrap(), trace, "byte {at}"),
            Some(2) => {
                refused += 1;
                assert!(!place.path("t.jsonl").exists(), "byte {at}");
            }
            code => panic!("byte {at}: exit code {code:?}, {}", output.stderr),
        }
    }
    // Most of an archive is data.
    assert!(refused > archive.len() / 14, "{refused} refused");
}

/// Surplus rows are not used, but a damage among them is told.
#[test]
fn damage_after_the_last_row_used_is_refused() {
    let place = place_with_data("4000");
    let mut archive = fs::read(place.path("d.npz")).unwrap();
    let at = archive.windows(5).position(|bytes| bytes == b"u.npy" || bytes == b"a.npy").unwrap();
    archive[at - 60] ^= 1;
    place.write("bad.npz", &archive);
    let output = opd(&place, &format!("{RUN} bad.npz"));
    assert_eq!(output.code, Some(2), "{}", output.stdout);
}

#[test]
fn outputs_never_overwrite_inputs_or_each_other() {
    let place = place_with_data("100");
    fs::create_dir(place.path("sub")).unwrap();
    let run = "run --mdp p.json --data d.csv --inner 5 --outer 20";
    for (arguments, message) in [
        (format!("{run} --trace d.csv"), "--trace: "),
        (format!("{run} --trace sub/../d.csv"), "is the file of --data too"),
        (format!("{run} --html p.json"), "is the file of --mdp too"),
        (format!("{run} --trace o --html o"), "is the file of --trace too"),
        ("sample --mdp p.json --rows 5 --out ./p.json".to_owned(), "is the file of --mdp too"),
        ("certify --mdp p.json --inner 2 --outer 2 --out c --html c".to_owned(), "is the file of --out too"),
        ("audit --mdp p.json --html p.json".to_owned(), "is the file of --mdp too"),
    ] {
        let before = place.names();
        let output = opd(&place, &arguments);
        assert_eq!(output.code, Some(2), "{arguments}: {}", output.stdout);
        assert!(output.stderr.contains(message), "{arguments}: {}", output.stderr);
        assert_eq!((place.names(), fs::read(place.path("p.json")).unwrap()), (before, PROBLEM.as_bytes().to_vec()));
    }
}

/// What the shell redirects is an input or an output like any other.
#[cfg(target_os = "linux")]
#[test]
fn redirected_files_are_not_overwritten() {
    let place = place_with_data("100");
    let rows = fs::read(place.path("d.csv")).unwrap();
    let run = |arguments: &str, stdout: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_opd"))
            .args(format!("run --mdp p.json --inner 5 --outer 20 --data - {arguments}").split(' '))
            .current_dir(place.path("."))
            .stdin(fs::File::open(place.path("d.csv")).unwrap())
            .stdout(fs::File::create(place.path(stdout)).unwrap())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (arguments, message) in [
        ("--trace d.csv", "is the file of --data too"),
        ("--trace /dev/stdin", "is the file of --data too"),
        ("--html said.txt", "is the file of standard output too"),
        ("--trace t.jsonl --html t.jsonl", "is the file of --trace too"),
    ] {
        let (code, told) = run(arguments, "said.txt");
        assert_eq!((code, told.contains(message)), (Some(2), true), "{arguments}: {told}");
        assert_eq!((fs::read(place.path("d.csv")).unwrap(), place.path("t.jsonl").exists()), (rows.clone(), false));
    }
    assert_eq!(run("--trace /dev/stdout -q", "trace.jsonl").0, Some(0));
    assert_eq!(fs::read_to_string(place.path("trace.jsonl")).unwrap().lines().count(), 20);
}

/// The temporary name is no longer than the file's own may be.
#[cfg(target_os = "linux")]
#[test]
fn the_longest_names_can_be_written() {
    let place = place_with_data("100");
    let name = "n".repeat(255);
    said(&place, &RUN.replace("t.jsonl", &name).replace("--data", "--data d.csv"));
    assert!(place.path(&name).exists());
}

/// Either all files of a command, or none.
#[test]
fn a_page_that_cannot_be_written_takes_the_trace_with_it() {
    let place = place_with_data("100");
    let before = place.names();
    let output = opd(&place, &format!("{RUN} d.csv --html nowhere/r.html"));
    assert_eq!(output.code, Some(2), "{}", output.stdout);
    assert_eq!(place.names(), before);
}

#[cfg(unix)]
#[test]
fn links_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let place = place_with_data("100");
    place.write("real.jsonl", b"");
    fs::set_permissions(place.path("real.jsonl"), fs::Permissions::from_mode(0o664)).unwrap();
    symlink("real.jsonl", place.path("t.jsonl")).unwrap();
    said(&place, &format!("{RUN} d.csv"));
    assert!(fs::symlink_metadata(place.path("t.jsonl")).unwrap().is_symlink());
    let written = fs::metadata(place.path("real.jsonl")).unwrap();
    assert_eq!((written.permissions().mode() & 0o777, written.len() > 100), (0o664, true));
    // A link to a file that is not there yet makes that file.
    symlink("later.jsonl", place.path("dangling.jsonl")).unwrap();
    said(&place, &RUN.replace("t.jsonl", "dangling.jsonl").replace("--data", "--data d.csv"));
    assert!(place.path("later.jsonl").exists() && fs::read_link(place.path("dangling.jsonl")).is_ok());
}

/// A trace on standard output stands before the report.
#[cfg(unix)]
#[test]
fn standard_output_can_be_a_trace() {
    let place = place_with_data("100");
    said(&place, &format!("{RUN} d.csv"));
    let trace = fs::read_to_string(place.path("t.jsonl")).unwrap();
    let printed = said(&place, &RUN.replace("t.jsonl", "/dev/stdout").replace("--data", "-q --data d.csv"));
    assert_eq!(printed, trace);
}

/// A reader who stops in the middle is no error, of whatever writes to standard output by its name.
#[cfg(unix)]
#[test]
fn a_reader_may_have_seen_enough() {
    use std::io::{BufRead as _, BufReader, Read as _};
    let place = place_with_data("100");
    for arguments in [
        "sample --mdp p.json --rows 1000000000000 --out /dev/stdout",
        "run --mdp p.json --inner 1 --outer 20000 --trace /dev/stdout",
        "run --mdp p.json --inner 1 --outer 20000 --trace /dev/fd/1 -q",
        "instances",
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
            .args(arguments.split(' '))
            .current_dir(place.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let mut complaints = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert_eq!((child.wait().unwrap().code(), complaints.as_str()), (Some(0), ""), "{arguments}");
        assert!(line.ends_with('\n'), "{arguments}: {line}");
    }
    // With nothing else among the rows.
    let rows = said(&place, "sample --mdp p.json --rows 3 --seed 1 --out /dev/stdout");
    assert_eq!(rows, said(&place, "sample --mdp p.json --rows 3 --seed 1"));
}

/// Where standard error cannot be written to there is nothing to say, and the exit code says it.
#[cfg(target_os = "linux")]
#[test]
fn complaints_into_a_full_device_do_not_crash() {
    for arguments in [&["rnu"][..], &["run", "--mdp", "nowhere.json"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_opd")).args(arguments).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}");
    }
}

/// A signal ends the program as it always does, and its temporary file is gone.
#[cfg(target_os = "linux")]
#[test]
fn signals_leave_nothing_behind() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = place_with_data("100");
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3), ("XCPU", 24)] {
        let before = place.names();
        let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
            .args("sample --mdp p.json --rows 1000000000000 --out endless.csv".split(' '))
            .current_dir(place.path("."))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while place.names() == before {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert_eq!(place.names(), before, "{name}");
    }
}

/// What has no end is not read to the end: a text above 1 GiB, a request above 64 MiB.
#[cfg(target_os = "linux")]
#[test]
fn what_has_no_end_is_refused() {
    let place = Place::new();
    let output = opd(&place, "coverage --mdp /dev/zero");
    assert_eq!(
        (output.code, output.stderr.contains("/dev/zero: found more than 1 GiB")),
        (Some(2), true),
        "{}",
        output.stderr
    );
    let mut requests = vec![b'['; 65 << 20];
    requests.extend(b"\n{\"id\": 7, \"instance\": \"chain\", \"ask\": [\"optimal\"]}\n");
    let (code, answers) = oracle(&requests);
    assert_eq!((code, answers.len()), (Some(1), 2));
    assert!(answers[0].contains("\"error\":\"found a line above 64 MiB") && answers[0].ends_with("\"line\":1}"));
    assert!(answers[1].starts_with("{\"id\":7,\"optimal\""), "{}", answers[1]);
}

/// The oracle's answers to some lines.
fn oracle(requests: &[u8]) -> (Option<i32>, Vec<String>) {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
        .arg("oracle")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(requests).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text.lines().map(str::to_owned).collect())
}

/// A list is no object with its keys left out, and a byte that is no text is not another character.
#[test]
fn requests_are_objects_in_utf_8() {
    let asked = br#"[1, null, "chain", null, null, null, [], [], [], [], ["optimal"]]
{"id": ""#
        .iter()
        .chain(b"\xff\", \"instance\": \"chain\", \"ask\": [\"optimal\"]}\n");
    let (code, answers) = oracle(&asked.copied().collect::<Vec<u8>>());
    assert_eq!((code, answers.len()), (Some(1), 2));
    assert!(answers[0].starts_with("{\"error\":\"not a request: found `[1, null"), "{}", answers[0]);
    assert_eq!(answers[1], "{\"error\":\"not UTF-8, expected JSON\",\"line\":2}");
}

/// What a file calls its things is printed as words: no codes for the terminal, no lines of its own, no turned direction.
#[test]
fn names_cannot_steer_the_terminal() {
    let place = place_with_data("100");
    let name = "\\u001b]0;title\\u0007\\u001b[2Jn\\nopd: forged\\u202e".repeat(40);
    place.write("n.json", PROBLEM.replacen('{', &format!("{{\"name\": \"{name}\","), 1).as_bytes());
    place.write("a.jsonl", b"{\"t\": 1, \"v\\u001b[2J\\u202e\": 1}\n");
    place.write("b.jsonl", b"{\"t\": 1, \"v\\u001b[2J\\u202e\": 2}\n");
    for call in ["audit --mdp n.json", "convert --mdp n.json --out m.json", "compare a.jsonl b.jsonl"] {
        for color in ["never", "always"] {
            let output = opd(&place, &format!("{call} --color {color}"));
            // Our own colours are digits and an m.
            let plain = output.stdout.replace("\x1b[0m", "").replace("\x1b[1m", "");
            let plain = plain.replace("\x1b[31;1m", "").replace("\x1b[32m", "").replace("\x1b[33m", "");
            assert!(!plain.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{call}: {plain:?}");
            assert!(plain.contains("\\u{1b}") && !plain.contains("\nopd: forged"), "{call}: {plain}");
            assert!(plain.lines().all(|line| line.chars().count() < 800), "{call}");
        }
    }
}

/// A file that may not grow is a file that cannot be written.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_size_is_told_and_leaves_nothing() {
    let place = place_with_data("100");
    let before = place.names();
    for name in ["big.csv", "big.npz"] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -f 10; exec \"$0\" sample --mdp p.json --rows 1000000 --out \"$1\""])
            .args([env!("CARGO_BIN_EXE_opd"), name])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
        assert!(told.contains("cannot write") && place.names() == before, "{told}");
    }
}

#[test]
fn a_band_of_more_seeds_than_memory_is_refused() {
    let output = opd(&Place::new(), "run --instance chain --inner 2 --outer 2 --seeds 18446744073709551615");
    let complaint = "opd: --budget: a band of so many seeds would take about";
    assert_eq!((output.code, output.stderr.starts_with(complaint)), (Some(2), true), "{}", output.stderr);
}

/// 40,000 policies with a table of 40,000 each are not gone through to measure D_q.
#[test]
fn a_span_over_too_many_tables_is_refused() {
    let place = Place::new();
    let row = |number: &str| vec![number; 40_000].join(",");
    let problem = format!(
        r#"{{"discount":0.5,"initial":[1],"features":[[{}]],"omega":[0.5],"psi":[[1]],"behavior":[[{}]]}}"#,
        row("[1]"),
        row("\"1/40000\"")
    );
    place.write("p.json", problem.as_bytes());
    let output = opd(&place, "tune --mdp p.json --setting average --samples 1000");
    assert_eq!((output.code, output.stderr.contains("2^30 entries")), (Some(2), true), "{}", output.stderr);
}

/// Work that would take a year is not begun for a page that has no place.
#[test]
fn a_place_that_cannot_be_written_is_told_before_the_work() {
    let place = Place::new();
    let year = "--instance chain --inner 100000000 --outer 1000000000 --c 1";
    for (call, flag) in [("run", "--html"), ("run", "--policy-out"), ("run", "--checkpoint"), ("run", "--trace")] {
        let output = opd(&place, &format!("{call} {year} {flag} none/x.html"));
        let told = (output.code, output.stdout.as_str(), output.stderr.contains("none/x.html: cannot write: "));
        assert_eq!(told, (Some(2), "", true), "{flag}: {}", output.stderr);
    }
    assert!(place.names().is_empty());
}
