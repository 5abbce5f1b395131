//! The built program on real files.
#![cfg(feature = "cli")]

mod opd;

use opd::{Place, opd, peak_memory};
use serde_json::Value;
use std::process::Command;

const PROBLEM: &str = r#"{"discount": "9/10", "initial": ["1/2", 0.5], "features": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
  "omega": ["1/2", 1], "psi": [["1/2", 0.25], ["1/2", 0.75]], "behavior": [[0.5, 0.5], ["1/4", "3/4"]]}"#;

/// Standard output of a call that must succeed.
fn said(place: &Place, arguments: &str) -> String {
    let output = opd(place, arguments);
    assert_eq!(output.code, Some(0), "{arguments}: {}", output.stderr);
    output.stdout
}

fn json(place: &Place, arguments: &str) -> Value {
    serde_json::from_str(&said(place, arguments)).unwrap()
}

#[test]
fn every_instance_passes_its_audit() {
    let place = Place::new();
    let instances = json(&place, "instances --json");
    for instance in instances.as_array().unwrap() {
        let name = instance["name"].as_str().unwrap();
        let checks = json(&place, &format!("audit --instance {name} --json"));
        let checks = checks.as_array().unwrap();
        assert!(checks.len() > 60, "{name}: {} checks", checks.len());
        for check in checks {
            for key in ["statement", "compares", "lhs", "rhs", "residual", "status"] {
                assert!(check[key].is_string(), "{name}: {check}");
            }
            if check["status"] == "holds" && check["lhs"] != "true" {
                let residual = check["residual"].as_str().unwrap();
                assert!(residual == "0" || residual == "0.0", "{name}: {check}");
            }
        }
    }
}

/// Every row of docs/paper-map.md, which has one for every statement of the paper, is audited.
#[test]
fn the_audit_covers_every_statement() {
    let place = Place::new();
    let map = std::fs::read_to_string(format!("{}/docs/paper-map.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let rows = map.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let statements: Vec<&str> = rows.filter(|id| *id != "statement").collect();
    assert!(statements.len() > 60, "{statements:?}");
    let checks = json(&place, "--json");
    let audited = checks.as_array().unwrap().iter().map(|check| check["statement"].as_str().unwrap());
    let audited: Vec<&str> = audited.flat_map(|named| named.split(", ")).collect();
    for statement in statements {
        assert!(audited.contains(&statement), "{statement} is not audited");
    }
}

/// Every item of docs/errata.md is shown by some instance, apart from 17, which takes a periodic chain, and 19, which has
/// nothing to compute; and those that the instances are there for by the instance named.
#[test]
fn errata_are_shown_where_they_are() {
    let place = Place::new();
    let mut shown = Vec::new();
    for instance in json(&place, "instances --json").as_array().unwrap() {
        let name = instance["name"].as_str().unwrap();
        for check in json(&place, &format!("audit --instance {name} --json")).as_array().unwrap() {
            if check["status"] == "erratum" {
                assert!(check["residual"] != "0" && check["residual"] != "0.0", "{check}");
                shown.push((name.to_owned(), check["statement"].as_str().unwrap().to_owned()));
            }
        }
    }
    let errata = std::fs::read_to_string(format!("{}/docs/errata.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let items: Vec<&str> = errata.lines().filter_map(|line| line.strip_prefix("## ")?.split('.').next()).collect();
    assert_eq!(items.len(), 19);
    for item in items.into_iter().filter(|item| !["17", "19"].contains(item)) {
        assert!(shown.iter().any(|(_, statement)| *statement == format!("Erratum {item}")), "erratum {item}");
    }
    for (instance, erratum) in [
        ("nearly-collinear", "Erratum 1"),
        ("nearly-collinear", "Erratum 2"),
        ("cancelling-psi", "Erratum 3"),
        ("rescaled", "Erratum 4"),
        ("two-state", "Erratum 5"),
        ("rescaled", "Erratum 6"),
        ("rotated", "Erratum 7"),
        ("two-state", "Erratum 8"),
        ("rotated", "Erratum 10"),
        ("two-state", "Erratum 12"),
        ("two-state", "Erratum 14"),
        ("two-state", "Erratum 18"),
    ] {
        assert!(shown.contains(&(instance.to_owned(), erratum.to_owned())), "{instance}: {erratum}");
    }
}

/// At most so many columns per line; the numbers that were shortened are whole in JSON.
#[test]
fn the_audit_fits_its_width() {
    let place = Place::new();
    let printed = |line: &str| line.chars().filter(|c| !('\u{300}'..'\u{370}').contains(c)).count();
    let at = |columns: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_opd")).env("COLUMNS", columns).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for (columns, width) in [("80", 80), ("100", 100), ("120", 120), ("200", 200), ("", 120), ("0", 120)] {
        let text = at(columns);
        for line in text.lines() {
            assert!(printed(line) <= width, "{columns}: {line}");
        }
        assert!(text.contains("G_θ²") && text.contains("C_{φ,1/2}"), "{columns}: no parameters, no ratios");
        assert_eq!(text.contains("compares"), width >= 100, "{columns}: a table, or paragraphs");
    }
    let gap =
        json(&place, "--json").as_array().unwrap().iter().find(|c| c["statement"] == "Lemma 4.2").unwrap().clone();
    assert!(gap["lhs"].as_str().unwrap().len() > 40 && gap["lhs"] == gap["rhs"], "{gap}");
    assert!(!at("200").contains(gap["lhs"].as_str().unwrap()));
}

/// The best of three, as machines are busy.
#[test]
fn the_default_audit_takes_less_than_two_seconds() {
    let place = Place::new();
    let seconds = (0..3).map(|_| {
        let start = std::time::Instant::now();
        said(&place, "audit --html audit.html");
        start.elapsed().as_secs_f64()
    });
    assert!(seconds.fold(f64::INFINITY, f64::min) < 2.0);
}

#[test]
fn instances_read_back() {
    let place = Place::new();
    for instance in json(&place, "instances --json").as_array().unwrap() {
        let name = instance["name"].as_str().unwrap();
        place.write("i.json", said(&place, &format!("instances {name}")).as_bytes());
        assert_eq!(
            said(&place, "coverage --mdp i.json --json"),
            said(&place, &format!("coverage --instance {name} --json"))
        );
    }
}

#[test]
fn the_shape_of_a_file_does_not_matter() {
    let place = Place::new();
    place.write("p.json", format!("\u{feff}{}", PROBLEM.replace('\n', "\r\n")).as_bytes());
    let plain = "x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,1,0,0.5,1\n1,0,1,1,1\n";
    place.write("plain.csv", plain.as_bytes());
    place.write("bom.csv", format!("\u{feff}{}", plain.replace('\n', "\r\n")).as_bytes());
    place.write(
        "quoted.csv",
        b"\"x_next\",\"r\", x0 ,a,x\n\"1\",\"0.5\",0,0,0\n0,1e0,1,1,1\n1,0.50,0,0,1\n1,1,1,1,0\n\n\n",
    );
    place
        .write("both.csv", b"u,x0,x,a,r,x_next\n0,0,0,0,0.5,1\n0,1,1,1,1,0\n0,0,1,0,0.5,1\n0,1,0,1,1,1\n9,9,9,9,9,9\n");
    for name in ["plain", "bom", "quoted", "both"] {
        said(
            &place,
            &format!("run --mdp p.json --data {name}.csv --inner 2 --outer 2 --trace {name}.jsonl --trace-inner"),
        );
        let trace = std::fs::read(place.path(&format!("{name}.jsonl"))).unwrap();
        assert_eq!(trace, std::fs::read(place.path("plain.jsonl")).unwrap(), "{name}");
    }
}

/// The hand-computed first iteration: K = 1, so no inner step; θ_1 = 0, g̃_β = φ(x, a)·r, β_2 = ζ g̃_β.
#[test]
fn a_trace_says_what_the_algorithm_did() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    place.write("d.csv", b"x0,x,a,r,x_next\n0,0,1,0.5,1\n");
    let flags = "--inner 1 --outer 1 --alpha 1 --eta 1 --zeta 0.25 --radius-theta 1 --radius-beta 1";
    said(&place, &format!("run --mdp p.json --data d.csv {flags} --trace t.jsonl --trace-policy"));
    let expected = "{\"t\":1,\"theta\":[0.0,0.0],\"beta\":[0.0,0.0],\"beta_next\":[0.0,0.125],\"theta_sum\":[0.0,0.0],\
                    \"policy\":[[0.5,0.5],[0.5,0.5]]}\n";
    assert_eq!(std::fs::read_to_string(place.path("t.jsonl")).unwrap(), expected);
}

#[test]
fn csv_archive_and_drawn_rows_give_the_same_run() {
    let place = Place::new();
    for (setting, instance, rows) in [("discounted", "chain", 60), ("average", "ergodic", 66)] {
        let common = format!("--setting {setting} --instance {instance}");
        said(&place, &format!("sample {common} --rows {rows} --seed 5 --out d.csv"));
        said(&place, &format!("sample {common} --rows {rows} --seed 5 --out d.npz"));
        for (source, trace) in [("--data d.csv", "a"), ("--data d.npz", "b"), ("", "c")] {
            let call = format!("run {common} {source} --inner 10 --outer 6 --seed 5 --trace {trace} --trace-inner");
            said(&place, &call);
        }
        let read = |name: &str| std::fs::read(place.path(name)).unwrap();
        assert_eq!(read("a"), read("b"));
        assert_eq!(read("a"), read("c"));
        let lines = std::fs::read_to_string(place.path("a")).unwrap().lines().count();
        assert_eq!(lines, rows, "one line per row: inner steps and outer ones");
    }
}

#[test]
fn runs_report_what_scripts_rely_on() {
    let place = Place::new();
    for (setting, c, rows) in [("discounted", "1", 50), ("discounted", "1/2", 50), ("average", "1/2", 60)] {
        let call = format!("run --instance two-state --setting {setting} --c {c} --inner 5 --outer 10 --seed 3 --json");
        let report = json(&place, &call);
        assert_eq!(report["setting"], setting);
        assert_eq!(report["c"], c);
        assert_eq!((&report["inner"], &report["outer"], &report["seed"]), (&5.into(), &10.into(), &3.into()));
        assert_eq!(report["rows"], rows);
        for key in ["theta_sum", "beta"] {
            assert_eq!(report[key].as_array().unwrap().len(), 4, "{key}");
        }
        for key in ["samples_per_second", "elapsed_seconds", "alpha", "eta", "zeta", "radius_theta", "radius_beta"] {
            assert!(report[key].as_f64().unwrap() > 0.0, "{key}");
        }
        let square =
            |key: &str| report[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap().powi(2)).sum::<f64>();
        let norm = report["norms"]["beta"].as_f64().unwrap();
        // Four squares and a root: a dozen roundings.
        assert!((norm - square("beta").sqrt()).abs() <= 12.0 * f64::EPSILON * norm);
        assert!(norm <= report["radius_beta"].as_f64().unwrap() * (1.0 + 8.0 * f64::EPSILON));
        assert_eq!(report["rho"].is_number(), setting == "average");
    }
}

#[test]
fn certificates_are_equal_fractions() {
    let place = Place::new();
    for call in [
        "--instance chain --inner 10 --outer 5",
        "--instance rotated --c 1/2 --inner 7 --outer 4 --seed 9",
        "--instance ergodic --setting average --inner 6 --outer 4",
        "--instance two-state --setting average --c 1/2 --inner 3 --outer 6",
    ] {
        let certificate = json(&place, &format!("certify {call} --json --out c.json"));
        assert_eq!(certificate["equal"], true, "{call}");
        assert_eq!(certificate["gap"], certificate["suboptimality"], "{call}");
        let table = said(&place, &format!("certify {call}"));
        assert!(table.ends_with("equal: gap = suboptimality = sum of the regrets, exactly\n"), "{table}");
        // On paper the fraction is whole where it fits.
        let gap = certificate["gap"].as_str().unwrap();
        assert_eq!(table.contains(&format!("duality gap    {gap}\n")), gap.len() <= 105, "{table}");
        assert!(certificate["gap"].as_str().unwrap().contains('/'), "{call}");
        assert_eq!(certificate["regret_rho"].is_string(), call.contains("average"), "{call}");
        let written = std::fs::read_to_string(place.path("c.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), certificate);
        // Once more by other arithmetic: the regrets as doubles add up to the gap.
        let number = |key: &str| fraction(certificate[key].as_str().unwrap_or("0"));
        let sum = number("regret_theta") + number("regret_beta") + number("regret_pi") + number("regret_rho");
        assert!((sum - number("gap")).abs() < 1e-12, "{call}");
    }
}

fn fraction(text: &str) -> f64 {
    use offline_primal_dual::data::number::Number;
    f64::parse(text).unwrap()
}

#[test]
fn compare_names_the_first_difference() {
    let place = Place::new();
    said(&place, "run --instance chain --inner 4 --outer 3 --trace a.jsonl --trace-inner");
    let trace = std::fs::read_to_string(place.path("a.jsonl")).unwrap();
    assert_eq!(said(&place, "compare a.jsonl a.jsonl"), "equal over 12 lines\n");

    let mut lines: Vec<String> = trace.lines().map(str::to_owned).collect();
    let mut spoilt: Value = serde_json::from_str(&lines[5]).unwrap();
    let old = spoilt["theta"][1].as_f64().unwrap();
    spoilt["theta"][1] = f64::from_bits(old.to_bits() + 3).into();
    lines[5] = spoilt.to_string();
    place.write("b.jsonl", lines.join("\n").as_bytes());
    let output = opd(&place, "compare a.jsonl b.jsonl");
    assert_eq!(output.code, Some(1));
    assert!(output.stdout.starts_with("first difference: t = 2, k = 2, theta[1]: "), "{}", output.stdout);
    assert!(output.stdout.ends_with(", 3 ulps apart\n"), "{}", output.stdout);
    assert_eq!(opd(&place, "compare a.jsonl b.jsonl --tolerance 1e-9").code, Some(0));

    place.write("short.jsonl", trace.lines().take(11).collect::<Vec<_>>().join("\n").as_bytes());
    let output = opd(&place, "compare a.jsonl short.jsonl");
    assert_eq!((output.code, output.stdout.as_str()), (Some(1), "first difference: t = 3: only in the first trace\n"));
}

#[test]
fn a_problem_without_a_model_runs_with_radii() {
    let place = Place::new();
    place.write("p.json", b"{\"discount\": 0.5, \"features\": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}");
    place.write("d.csv", b"x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,1,0,0.5,1\n1,0,1,1,1\n");
    let call = "run --mdp p.json --data d.csv --inner 2 --outer 2 --radius-theta 3 --radius-beta 2 --json";
    let report = json(&place, call);
    assert!(report["values"].is_null());
    assert_eq!(report["radius_beta"], 2.0);
}

#[test]
fn outputs_replace_files_whole() {
    let place = Place::new();
    place.write("t.jsonl", b"old");
    said(&place, "run --instance chain --inner 2 --outer 2 --trace t.jsonl --html r.html");
    assert_eq!(place.names(), ["r.html", "t.jsonl"], "no temporary file is left");
    assert!(std::fs::read_to_string(place.path("t.jsonl")).unwrap().starts_with("{\"t\":1"));
}

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

/// Peak memory of `opd run` on a file of so many rows.
fn peak_of_run(place: &Place, rows: usize, extension: &str) -> u64 {
    said(place, &format!("sample --instance chain --rows {rows} --out rows.{extension}"));
    peak_memory(place, &format!("run --instance chain --data rows.{extension} --inner 100 --outer {}", rows / 100))
}

/// Ten times the rows, 5 MB more of them, do not take a megabyte more.
#[test]
fn memory_does_not_grow_with_the_data() {
    let place = Place::new();
    let (small, large) = (peak_of_run(&place, 40_000, "csv"), peak_of_run(&place, 400_000, "csv"));
    assert!(large < small + (1 << 20), "{small} bytes, then {large}");
}

/// The same at ten million rows: `cargo test --release --test cli -- --ignored --nocapture ten_million`.
#[test]
#[ignore = "writes and reads files of 200 MB"]
fn ten_million_rows_in_constant_memory() {
    let place = Place::new();
    for extension in ["csv", "npz"] {
        let [small, large] = [100_000, 10_000_000].map(|rows| peak_of_run(&place, rows, extension));
        println!("{extension}: peak {} KiB at 10^5 rows, {} KiB at 10^7", small >> 10, large >> 10);
        assert!(large < small + (1 << 20), "{extension}: {small} bytes, then {large}");
    }
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
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(line.contains(&format!("opd{command}")), "{command}: {line}");
        }
        seen += 1;
    }
    assert_eq!(seen, 15, "the program, its 12 commands and the 2 of `vectors`");
}
