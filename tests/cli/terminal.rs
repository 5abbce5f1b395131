//! The program as its users see it: colours, progress, help, completions, manual.

use crate::opd::{Place, opd};
use crate::said;
use std::process::Command;

#[test]
fn quiet_and_color_in_a_pipe() {
    let place = Place::new();
    assert_eq!(said(&place, "audit --quiet"), "");
    assert!(!said(&place, "audit").contains('\u{1b}'), "not a terminal");
    assert!(!said(&place, "audit --color never").contains('\u{1b}'));
    assert!(said(&place, "audit --color always").contains("\u{1b}[32mholds\u{1b}[0m"));
    let output = opd(&place, "run --instance chain --inner 50 --outer 2000");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "no progress bar in a pipe");
    // An erroneous call is told even when quiet.
    let output = opd(&place, "audit --quiet --instance nowhere");
    assert!(output.code == Some(2) && output.stdout.is_empty() && output.stderr.contains("nowhere"));
}

/// What a shell command writes to a terminal, and its exit code; `None`, loudly, where no terminal can be had.
fn on_a_terminal(place: &Place, command: &str) -> Option<(Option<i32>, String)> {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_opd")).parent().unwrap().display().to_string();
    let script = format!("stty rows 30 cols 90; PATH='{program}':$PATH; {command}");
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &script, "/dev/null"])
        .current_dir(place.path(""))
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .env("TERM", "xterm")
        .stdin(std::process::Stdio::null())
        .output();
    match output {
        Ok(output) if cfg!(target_os = "linux") => {
            Some((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
        }
        _ => {
            eprintln!("!!! SKIPPED: no util-linux `script` here, so nothing was seen on a terminal");
            None
        }
    }
}

#[test]
fn color_and_width_on_a_terminal() {
    let place = Place::new();
    for (command, colored) in [
        ("opd audit", true),
        ("NO_COLOR=1 opd audit", false),
        // An empty NO_COLOR does not count, and a flag is a clearer word than the environment.
        ("NO_COLOR= opd audit", true),
        ("NO_COLOR=1 opd audit --color always", true),
        ("opd audit --color never", false),
        ("TERM=dumb opd audit --color auto", true),
    ] {
        let Some((code, text)) = on_a_terminal(&place, command) else { return };
        assert!(code == Some(0) && text.contains("S2.return"), "{command}: {text}");
        assert_eq!(text.contains("\u{1b}["), colored, "{command}");
        // 90 columns: paragraphs, not the table.
        assert!(text.contains("left 17/50, right 17/50, residual 0"), "{command}: {text}");
    }
    let (code, text) = on_a_terminal(&place, "opd audit --quiet").unwrap();
    assert_eq!((code, text.as_str()), (Some(0), ""));
}

#[test]
fn a_progress_bar_on_a_terminal_only() {
    let place = Place::new();
    let run = "opd run --instance chain --inner 50 --outer 4000";
    let Some((code, text)) = on_a_terminal(&place, run) else { return };
    assert!(code == Some(0) && text.contains("/200,000 rows"), "{text}");
    for silent in ["--quiet", "--json", "2> progress"] {
        let (code, text) = on_a_terminal(&place, &format!("{run} {silent}")).unwrap();
        assert!(code == Some(0) && !text.contains("/200,000 rows"), "{silent}: {text}");
    }
    assert_eq!(std::fs::read(place.path("progress")).unwrap(), b"", "nothing where standard error is a file");
}

#[test]
fn completions_and_manual() {
    let place = Place::new();
    assert!(said(&place, "completions bash").contains("certify"));
    assert!(said(&place, "man").contains(".TH opd 1"));
    let page = said(&place, "man vectors check");
    assert!(page.contains(".TH opd-vectors-check 1") && page.contains("partial"), "{page}");
    let refused = opd(&place, "man certfy");
    assert!(refused.code == Some(2) && refused.stderr.contains("did you mean `certify`?"), "{}", refused.stderr);
}

/// The commands that a help text lists, without `help` itself.
fn listed(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("Commands:\n").unwrap_or_default();
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Every example that a help text shows is run as it stands, by a shell that finds `opd` on its path; every command and
/// subcommand has one.
#[test]
fn examples_work_when_pasted() {
    let place = Place::new();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_opd")).parent().unwrap().to_owned();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut commands = vec![String::new()];
    let mut seen = 0;
    while let Some(command) = commands.pop() {
        let help = said(&place, &format!("{command} --help"));
        commands.extend(listed(&help).iter().map(|name| format!("{command} {name}")));
        let (_, shown) = help.rsplit_once("Example").unwrap_or_else(|| panic!("{command}: no example"));
        let examples: Vec<&str> = shown.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).collect();
        assert!(!examples.is_empty(), "{command}: no example");
        for line in examples {
            let output = Command::new("bash")
                .args(["-e", "-o", "pipefail", "-c", line])
                .current_dir(place.path(""))
                .env("PATH", &path)
                .output()
                .unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr);
            // The checker needs Coq; `tests/cli/certificates.rs` and the gate run it where it is built.
            let no_checker = complaint.contains("opd-check: not built");
            // The book quotes the sources, and there are none here.
            let no_sources = complaint.contains("run in a checkout");
            assert!(output.status.success() || no_checker || no_sources, "{line}: {complaint}");
            assert!(line.contains(&format!("opd{command}")), "{command}: {line}");
        }
        seen += 1;
    }
    assert_eq!(seen, 22, "the program, its 18 commands and the 3 of `vectors`");
}
