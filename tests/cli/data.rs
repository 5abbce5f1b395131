//! Data as people have them: names, formats, episodes, units; and what contradicts the model.

use crate::opd::{Place, floats, integers, npz, opd};
use crate::{PROBLEM, json, said};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// The same without ν₀ and model: nothing to draw x0 from, nothing to contradict.
const FEATURES: &str =
    r#"{"discount": "9/10", "features": [[[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]]}"#;
const PLAIN: &str = "x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,1,0,0.5,1\n1,0,1,1,1\n";
const RUN: &str = "run --inner 2 --outer 2 --radius-theta 3 --radius-beta 2 --trace t.jsonl --trace-inner";

/// The trace of a run on a file of those contents, and what was said on standard error.
fn traced(place: &Place, problem: &str, flags: &str) -> (Vec<u8>, String) {
    let output = opd(place, &format!("{RUN} --mdp {problem} {flags}"));
    assert_eq!(output.code, Some(0), "{flags}: {}", output.stderr);
    (fs::read(place.path("t.jsonl")).unwrap(), output.stderr)
}

fn place() -> Place {
    let place = Place::new();
    place.write("f.json", FEATURES.as_bytes());
    place.write("p.json", PROBLEM.as_bytes());
    place.write("plain.csv", PLAIN.as_bytes());
    place
}

#[test]
fn one_table_in_many_spellings() {
    let place = place();
    let (expected, quiet) = traced(&place, "f.json", "--data plain.csv");
    assert_eq!(quiet, "");
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(PLAIN.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    place.write("d.csv.gz", &gzip);
    let with_index: String = PLAIN
        .lines()
        .enumerate()
        .map(|(i, line)| if i == 0 { format!(",{line}\n") } else { format!("{},{line}\n", i - 1) })
        .collect();
    place.write("pandas.csv", with_index.as_bytes());
    let named = "start,state,action,reward,next,info\n0,0.0,0,.5,1,a\n1.,1,1,1.,0,b\n0,1,0,0.5,1.00,c\n1,0,1,1e0,1,d\n";
    place.write("named.csv", named.as_bytes());
    let names = "--column x0=start --column x=state --column a=action --column r=reward --column x_next=next";
    place.write(
        "units.csv",
        PLAIN.replace(",0.5,", ",-1,").replace(",1,1,0\n", ",1,3,0\n").replace("0,1,1,1\n", "0,1,3,1\n").as_bytes(),
    );
    let arrays = [
        ("start.npy", integers(&[0, 1, 0, 1])),
        ("state.npy", floats(&[0.0, 1.0, 1.0, 0.0])),
        ("action.npy", integers(&[0, 1, 0, 1])),
        ("reward.npy", floats(&[0.5, 1.0, 0.5, 1.0])),
        ("next.npy", integers(&[1, 0, 1, 1])),
        ("info.npy", integers(&[7, 7, 7, 7])),
    ];
    place.write("named.npz", &npz(&arrays));
    place.write("archive", &npz(&arrays));
    for (flags, note) in [
        ("--data d.csv.gz".to_owned(), ""),
        ("--data pandas.csv".to_owned(), ""),
        (format!("--data named.csv {names}"), "opd: note: named.csv: not read: `info`\n"),
        (format!("--data named.npz {names}"), "opd: note: named.npz: not read: `info`\n"),
        (format!("--data archive {names}"), "opd: note: archive: not read: `info`\n"),
        ("--data units.csv --reward-range -5 3".to_owned(), ""),
    ] {
        assert_eq!(traced(&place, "f.json", &flags), (expected.clone(), note.to_owned()), "{flags}");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
        .args(format!("{RUN} --mdp f.json --data -").split_whitespace())
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(PLAIN.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(place.path("t.jsonl")).unwrap(), expected);
}

/// What a file lacks is filled in, and a note says so: each file beside the complete one that it stands for.
#[test]
fn what_is_missing_is_filled_in() {
    let place = place();
    let complete = |rows: &str| format!("x0,x,a,r,x_next\n{rows}");
    let cases = [
        // x0: the first state of the episode.
        (
            "x,a,r,x_next,timeout\n1,0,0.5,0,0\n0,0,0.5,1,1\n0,1,1,1,0\n1,1,1,1,1\n",
            "",
            "1,1,0,0.5,0\n1,0,0,0.5,1\n0,0,1,1,1\n0,1,1,1,1\n",
            "no column `x0`: the first state of the row's episode",
        ),
        // x_next: the next row's x; a timeout's is not known, a terminal row leads to the absorbing state.
        (
            "x0,x,a,r,done,cut\n0,1,0,0.5,0,0\n0,0,0,0.5,0,0\n0,1,1,1,0,1\n0,0,1,1,0,0\n0,1,1,1,1,0\n",
            "--column terminal=done --column timeout=cut --absorbing 0",
            "0,1,0,0.5,0\n0,0,0,0.5,1\n0,0,1,1,1\n0,1,1,1,0\n",
            "1 row at the ends of episodes dropped: the state after them is not in the file",
        ),
        // Episodes told apart by a number; nothing says that they ended in a state that is never left.
        (
            "x0,x,a,r,episode\n0,1,0,0.5,3\n0,0,0,0.5,3\n0,1,1,1,3\n0,1,0,0.5,4\n0,0,1,1,4\n0,1,0,1,4\n",
            "",
            "0,1,0,0.5,0\n0,0,0,0.5,1\n0,1,0,0.5,0\n0,0,1,1,1\n",
            "1 row at the ends of episodes dropped",
        ),
        (
            "x0,x,a,r,x_next,terminal\n0,1,0,0.5,1,0\n0,0,0,0.5,1,1\n0,1,0,0.5,1,True\n0,0,1,1,1,false\n",
            "--absorbing 0",
            "0,1,0,0.5,1\n0,0,0,0.5,0\n0,1,0,0.5,0\n0,0,1,1,1\n",
            "2 terminal rows lead to state 0",
        ),
    ];
    for (lacking, flags, rows, note) in cases {
        place.write("lacking.csv", lacking.as_bytes());
        place.write("complete.csv", complete(rows).as_bytes());
        let (expected, _) = traced(&place, "f.json", "--data complete.csv");
        let (found, said) = traced(&place, "f.json", &format!("--data lacking.csv {flags}"));
        assert!(found == expected, "{lacking}");
        assert!(said.contains(note), "{said}");
    }
}

/// u and x0 from the seed: the same bits again, others from another seed.
#[test]
fn draws_come_from_the_seed() {
    let place = place();
    place.write("d.csv", b"x,a,r,x_next\n0,0,0.5,1\n1,1,1,0\n0,1,1,1\n0,1,1,1\n0,1,1,1\n1,1,1,0\n");
    place.write("p.json", FEATURES.replace("\"features\"", "\"initial\": [0.5, 0.5], \"features\"").as_bytes());
    for (setting, note) in [
        ("discounted", "no column `x0`: drawn from `initial` with seed 1"),
        ("average", "no column `u`: drawn with seed 1"),
    ] {
        let run = |seed: u32| traced(&place, "p.json", &format!("--setting {setting} --data d.csv --seed {seed}"));
        let (first, said) = run(1);
        assert!(said.contains(note), "{said}");
        assert_eq!(run(1).0, first, "{setting}");
        assert!((2..12).any(|seed| run(seed).0 != first), "{setting}: ten seeds and one run");
    }
    let output = opd(&place, &format!("{RUN} --mdp f.json --data d.csv"));
    assert_eq!(output.code, Some(2), "nothing to draw x0 from");
    assert!(
        output.stderr.contains("d.csv:1: no column `x0`, expected it in the discounted setting, or `initial`"),
        "{}",
        output.stderr
    );
}

#[test]
fn surplus_rows_and_units_are_reported() {
    let place = place();
    said(&place, "sample --mdp p.json --rows 25 --out d.csv");
    said(&place, "sample --mdp p.json --rows 25 --out d.npz");
    for file in ["d.csv", "d.npz"] {
        let output = opd(&place, &format!("run --mdp p.json --data {file} --inner 5 --outer 4"));
        assert_eq!(output.stderr, format!("opd: note: {file}: 5 rows after those that were used\n"));
    }
    let call = "run --mdp p.json --data d.csv --inner 5 --outer 5 --json";
    let plain = crate::json(&place, call);
    let text = fs::read_to_string(place.path("d.csv")).unwrap();
    let scaled: String = text
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let reward =
                if i == 0 { "r".to_owned() } else { (cells[3].parse::<f64>().unwrap() * 200.0 - 100.0).to_string() };
            format!("{},{},{},{reward},{}\n", cells[0], cells[1], cells[2], cells[4])
        })
        .collect();
    place.write("d.csv", scaled.as_bytes());
    let units = crate::json(&place, &format!("{call} --reward-range -100 100"));
    assert_eq!(units["theta_sum"], plain["theta_sum"]);
    assert_eq!(units["values"], plain["values"]);
    for (key, shift) in [("optimal", 100.0), ("output", 100.0), ("suboptimality", 0.0)] {
        let (inside, outside) = (&units["values"][key], &units["values_in_units"][key]);
        assert!((inside.as_f64().unwrap() * 200.0 - shift - outside.as_f64().unwrap()).abs() < 1e-12, "{key}");
    }
    // For the eye too: text and page.
    let text = said(&place, &format!("{} --reward-range -100 100 --html r.html", call.trim_end_matches(" --json")));
    let page = fs::read_to_string(place.path("r.html")).unwrap();
    let value = |key: &str| units["values_in_units"][key].as_f64().unwrap();
    for (name, key) in [("optimal", "optimal"), ("behaviour", "behavior"), ("uniform", "uniform"), ("last", "last")] {
        let words = format!("{name} {:.6}", value(key));
        assert!(text.contains("rewards in [-100, 100]:") && text.contains(&words) && page.contains(&words), "{words}");
    }
}

/// Other rewards, impossible transitions, other frequencies: each is named, and none of them in rows from the model.
#[test]
fn data_that_contradict_the_model_are_named() {
    let place = Place::new();
    let sure = PROBLEM.replace("[[\"1/2\", 0.25], [\"1/2\", 0.75]]", "[[1, 0.25], [0, 0.75]]");
    place.write("p.json", sure.as_bytes());
    said(&place, "sample --mdp p.json --rows 600 --seed 3 --out d.csv");
    let rows = fs::read_to_string(place.path("d.csv")).unwrap();
    let call = "--mdp p.json --data d.csv --inner 3 --outer 200";
    let honest = opd(&place, &format!("run {call} --json"));
    assert_eq!(honest.stderr, "");
    assert!(honest.stdout.contains("\"bound\":") && !honest.stdout.contains("contradictions"), "{}", honest.stdout);
    let spoil = |cell: usize, to: &str, every: usize| -> String {
        let spoilt = |(i, line): (usize, &str)| {
            let mut cells: Vec<&str> = line.split(',').collect();
            if i > 0 && i % every == 0 {
                cells[cell] = to;
            }
            cells.join(",") + "\n"
        };
        rows.lines().enumerate().map(spoilt).collect()
    };
    // (x, a) = (., 0) leads to state 0 and pays 1/2, (., 1) pays 1.
    let cells: Vec<Vec<&str>> = rows.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let (x0, a0) = (cells[0][1], cells[0][2]);
    let wrong = format!(
        "600 of 600 rewards differ from the model's by more than 1e-6 (first: row 1: 0.3 at (x, a) = ({x0}, {a0}), where the model pays {})",
        if a0 == "0" { 0.5 } else { 1.0 }
    );
    // Among 100 rows a reward of 0.3 is one of several, and no mean of rewards below 1 is 1.
    assert!(cells.iter().enumerate().any(|(i, row)| (i + 1) % 100 == 0 && row[2] == "1"));
    let below = "where the model pays 1: Chernoff's test over all pairs at level 1e-6, ∞ > 16.3";
    let zero: Vec<usize> = (0..600).filter(|row| cells[*row][2] == "0").collect();
    let never = format!(
        "{} of 600 transitions have probability 0 (first: row {}: from (x, a) = ({}, 0) to 1)",
        zero.len(),
        zero[0] + 1,
        cells[zero[0]][1]
    );
    // 600 ln(1/0.5) = 415.9 of x0, and ln(2·2/10⁻⁶) = 15.2.
    for (contents, complaint) in [
        (spoil(3, "0.3", 1), wrong.as_str()),
        (spoil(3, "0.3", 100), below),
        (spoil(4, "1", 1), &never),
        (spoil(1, "1", 1), "of 600 rows, expected"),
        (
            spoil(0, "1", 1),
            "x0 = 1 in 600 of 600 rows, expected 300.0: Chernoff's test over all cells at level 1e-6, 415.9 > 15.2, under `initial`",
        ),
    ] {
        place.write("d.csv", contents.as_bytes());
        let output = opd(&place, &format!("run {call} --html r.html"));
        assert_eq!(output.code, Some(0));
        for told in [&output.stdout, &output.stderr, &fs::read_to_string(place.path("r.html")).unwrap()] {
            assert!(told.replace("&#39;", "'").replace("&gt;", ">").contains(complaint), "{complaint}: {told}");
        }
        assert!(output.stdout.contains("no bound: the data contradict the model"), "{}", output.stdout);
    }
    place.write("d.csv", spoil(3, "0.3", 1).as_bytes());
    let certified = opd(&place, "certify --mdp p.json --data d.csv --inner 10 --outer 10 --html c.html");
    assert_eq!(certified.code, Some(0));
    let page = fs::read_to_string(place.path("c.html")).unwrap();
    let complaint = "100 of 100 rewards differ from the model";
    for (told, how) in [(certified.stderr, ""), (page, ""), (certified.stdout, "data against the model  ")] {
        assert!(told.contains(&format!("{how}{complaint}")), "{told}");
    }
}

/// What is said is what comes first in the order of the rows: a divergence before a wrong row, although the row was read with those before it; a
/// wrong row before a divergence that never came. Wide features and a long K, so that two threads are two.
#[test]
fn a_divergence_is_said_before_a_later_wrong_row() {
    const DIM: usize = 512;
    let place = place();
    let phi = |at: usize| (0..DIM).map(|i| u8::from(i % 4 == at).to_string()).collect::<Vec<_>>().join(",");
    let [first, second, third, fourth] = [0, 1, 2, 3].map(phi);
    let wide = format!("{{\"discount\": 0.5, \"features\": [[[{first}], [{second}]], [[{third}], [{fourth}]]]}}");
    place.write("wide.json", wide.as_bytes());
    let mut lines = vec!["x0,x,a,r,x_next"];
    lines.extend(std::iter::repeat_n("0,1,0,0.5,1", 8000));
    for (problem, wrong, inner) in [("f.json", 26, 5), ("wide.json", 6026, 1000)] {
        lines[wrong - 1] = "0,1,0,0.5,7";
        place.write("d.csv", lines[..=8 * inner].join("\n").as_bytes());
        let run = format!(
            "run --mdp {problem} --data d.csv --inner {inner} --outer 8 --alpha 0.1 --zeta 1 --radius-beta 2 --radius-theta 1e150"
        );
        for engine in ["", "--threads 2", "--plain", "--verify"] {
            let diverged = opd(&place, &format!("{run} --eta 1e300 {engine}"));
            assert_eq!(diverged.code, Some(2), "{engine}: {}", diverged.stderr);
            let expected = "opd: d.csv: theta is not finite at t = 1, k = 1: expected finite iterates";
            assert_eq!(diverged.stderr.trim(), expected, "{engine}");
            let refused = opd(&place, &format!("{run} --eta 1e-6 {engine}"));
            assert_eq!(refused.code, Some(2), "{engine}: {}", refused.stderr);
            let expected = format!("opd: d.csv:{wrong}: column `x_next`: found `7`, expected an integer from 0 to 1");
            assert_eq!(refused.stderr.trim(), expected, "{engine}");
        }
        lines[wrong - 1] = "0,1,0,0.5,1";
    }
}

/// D_θ has to hold for every policy, not for those of one run: the theorem bounds a mean over all runs.
#[test]
fn a_bound_needs_every_policy_in_the_ball() {
    let place = Place::new();
    let run = json(&place, "run --instance chain --inner 10 --outer 20 --radius-theta 8 --json");
    let told = run["no_bound"].as_str().unwrap();
    assert!(told.starts_with("D_θ = 8 is below 32.6") && run.get("bound").is_none(), "{told}");
    let every = told.strip_prefix("D_θ = 8 is below ").unwrap().split(',').next().unwrap();
    let run = json(&place, &format!("run --instance chain --inner 10 --outer 20 --radius-theta {every} --json"));
    assert!(run["bound"].is_number(), "{run}");
}

/// 2^17 policies: D_q cannot be measured. Refused with what to do, and what is done then says why there is no bound.
#[test]
fn a_model_with_many_policies_runs_with_a_radius() {
    let place = Place::new();
    let states = 17;
    let row = |number: &str| vec![number; states].join(",");
    let problem = format!(
        r#"{{"discount":0.5,"initial":[{}],"features":[{}],"omega":[0.5,0.25],"psi":[{}],"behavior":[{}]}}"#,
        row("\"1/17\""),
        row("[[1,0],[0,1]]"),
        row("[\"1/17\",\"1/17\"]"),
        row("[0.5,0.5]"),
    );
    place.write("p.json", problem.as_bytes());
    let call = "run --setting average --mdp p.json --inner 5 --outer 5 --json";
    let refused = opd(&place, call);
    let told = "2^17 deterministic policies, expected at most 65536";
    assert_eq!((refused.code, refused.stderr.contains(told)), (Some(2), true), "{}", refused.stderr);
    assert!(refused.stderr.contains("; --radius-theta D runs without a bound"), "{}", refused.stderr);
    let run = json(&place, &format!("{call} --radius-theta 3"));
    let why = run["no_bound"].as_str().unwrap();
    assert!(why.contains(told) && !why.contains("--radius-theta"), "{why}");
}

#[test]
fn what_changes_nothing_is_said() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 10 --seed 1 --out d.csv");
    let run = json(&place, "run --instance chain --data d.csv --inner 2 --outer 5 --absorbing 3 --json");
    assert!(run["notes"][0].as_str().unwrap().contains("--absorbing 3 changes nothing"), "{run}");
    assert!(run.get("verified").is_none());
    assert_eq!(json(&place, "run --instance chain --inner 2 --outer 5 --verify --json")["verified"], true);
    for flag in ["--radius-theta", "--radius-beta"] {
        let output = opd(&place, &format!("run --instance chain --inner 2 --outer 5 {flag} 0"));
        assert_eq!(
            (output.code, output.stderr.contains("expected a number > 0")),
            (Some(2), true),
            "{}",
            output.stderr
        );
    }
}

/// Every seed draws the x0 that the file lacks, so its rows are read for every seed; standard input is there once.
#[test]
fn standard_input_has_no_rows_for_a_second_seed() {
    let rows = "x,a,r,x_next\n0,0,0.5,1\n1,1,1,0\n0,1,0.5,1\n1,0,1,1\n";
    let run = |seeds: &str, rows: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_opd"))
            .args(format!("run --instance two-state --data - --inner 2 --outer 2 {seeds}").split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(rows.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, told) = run("--seeds 2", rows);
    assert_eq!((code, told.contains("--data -: standard input is read once")), (Some(2), true), "{told}");
    assert_eq!(run("--seed 1", rows).0, Some(0));
    // Rows that lack nothing serve all seeds.
    assert_eq!(run("--seeds 2", PLAIN).0, Some(0));
}
