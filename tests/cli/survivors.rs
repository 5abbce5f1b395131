//! What the mutants of all of the program and of its readers showed to be guarded by nothing: by file of the sources.

use crate::opd::{self, Place, floats, integers, npy, opd};
use crate::{PROBLEM, json, said};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

fn refused(place: &Place, call: &str, told: &str) {
    let output = opd(place, call);
    assert_eq!((output.code, output.stderr.contains(told)), (Some(2), true), "{call}: {}", output.stderr);
}

/// An archive whose entries are named as NumPy names them.
fn npz(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let named: Vec<(String, Vec<u8>)> =
        arrays.iter().map(|(name, bytes)| (format!("{name}.npy"), bytes.clone())).collect();
    opd::npz(&named.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect::<Vec<_>>())
}

/// Ten rows of [`PROBLEM`], x, a, r and x'.
const ROWS: [&str; 10] = [
    "0,0,0.5,1",
    "1,1,1,0",
    "0,1,1,1",
    "1,0,0.5,0",
    "0,0,0.5,0",
    "1,1,1,1",
    "0,1,1,1",
    "1,0,0.5,0",
    "0,0,0.5,1",
    "1,1,1,0",
];

fn with_rows() -> Place {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    place.write("short.csv", format!("x,a,r,x_next\n{}\n", ROWS.join("\n")).as_bytes());
    place.write("full.csv", format!("x0,x,a,r,x_next\n0,{}\n", ROWS.join("\n0,")).as_bytes());
    place
}

/// `data/reading.rs`, `data/csv_rows.rs`, `program/passes.rs`: what is said of rows is the same whether a column was filled in, and whether the
/// rows are held in memory.
#[test]
fn what_is_said_of_rows() {
    let place = with_rows();
    let notes = |call: &str| opd(&place, &format!("run --mdp p.json {call} --json")).stderr;
    let drawn = "opd: note: short.csv: no column `x0`: drawn from `initial` with seed 0\n";
    assert_eq!(
        notes("--data short.csv --inner 2 --outer 2"),
        format!("{drawn}opd: note: short.csv: 6 rows after those that were used\n")
    );
    let left = "opd: note: full.csv: 6 rows after those that were used\n";
    assert_eq!(notes("--data full.csv --inner 2 --outer 2"), left);
    assert_eq!(
        notes("--data short.csv --inner 2 --outer 8 --epochs 2 --shuffle"),
        format!("{drawn}opd: note: short.csv: 4 rows after those that were used\n")
    );
    assert_eq!(notes("--data short.csv --inner 2 --outer 10 --epochs 2"), drawn);
    // A terminal row's state afterwards is not asked for where the next row says it.
    place.write("ends.csv", b"x0,x,a,r,terminal\n0,0,0,0.5,0\n0,1,1,1,1\n0,0,1,1,0\n0,1,0,0.5,0\n0,0,0,0.5,0\n");
    let ends = notes("--data ends.csv --inner 1 --outer 3 --absorbing 1");
    assert!(ends.contains("no column `x_next`") && ends.contains("1 terminal row leads to state 1"), "{ends}");
    let ends = notes("--data ends.csv --inner 1 --outer 2");
    assert!(ends.contains("no column `x_next`") && !ends.contains("its x_next"), "{ends}");
    place.write("ends.csv", b"x0,x,a,r,x_next,terminal\n0,0,0,0.5,1,0\n0,1,1,1,0,1\n0,0,1,1,1,0\n");
    let ends = notes("--data ends.csv --inner 1 --outer 2");
    assert!(ends.contains("1 terminal row keeps its x_next; --absorbing X"), "{ends}");
    // A mark at the head of the file is no part of the first column's name.
    let marked = std::fs::read_to_string(place.path("full.csv")).unwrap();
    place.write("full.csv", format!("\u{feff}{marked}").as_bytes());
    assert_eq!(notes("--data full.csv --inner 2 --outer 2"), left);
    // An empty cell is no 0.
    place.write("empty.csv", b"x0,x,a,r,x_next\n0,0,0,0.5,1\n0,,1,1,0\n0,0,1,1,1\n");
    refused(&place, "run --mdp p.json --data empty.csv --inner 1 --outer 3", "empty.csv:3: column `x`: found ");
    // Other separators are named.
    place.write("semicolons.csv", b"x0;x;a;r;x_next\n0;0;0;0.5;1\n");
    refused(&place, "run --mdp p.json --data semicolons.csv --inner 1 --outer 1", "semicolons");
}

/// `data/csv_rows.rs`: rewards on a range of their own are on [0, 1] afterwards, without a model to object.
#[test]
fn rewards_are_put_on_their_range() {
    let place = with_rows();
    let mut less: Value = serde_json::from_str(PROBLEM).unwrap();
    less.as_object_mut().unwrap().remove("omega").unwrap();
    place.write("less.json", less.to_string().as_bytes());
    let rows = |rewards: &[&str]| {
        let rows = ROWS.iter().zip(rewards).map(|(row, reward)| {
            let cells: Vec<&str> = row.split(',').collect();
            format!("0,{},{},{reward},{}\n", cells[0], cells[1], cells[3])
        });
        "x0,x,a,r,x_next\n".to_owned() + &rows.collect::<String>()
    };
    place.write("own.csv", rows(&["-1", "0", "1", "2", "3", "-0.5", "0.5", "1.5", "2.5", "0"]).as_bytes());
    let units = ["0", "0.25", "0.5", "0.75", "1", "0.125", "0.375", "0.625", "0.875", "0.25"];
    place.write("units.csv", rows(&units).as_bytes());
    let rates = "--inner 2 --outer 5 --radius-theta 9 --radius-beta 9 --alpha 1 --eta 1 --zeta 1";
    for (data, trace) in [("own.csv --reward-range -1 3", "own.jsonl"), ("units.csv", "units.jsonl")] {
        said(&place, &format!("run --mdp less.json --data {data} {rates} --trace {trace}"));
    }
    let [own, units] = ["own.jsonl", "units.jsonl"].map(|name| std::fs::read(place.path(name)).unwrap());
    assert!(own == units && own.len() > 100);
}

/// `program/passes.rs`: every order of three rows comes about, and none more often than chance has it.
#[test]
fn shuffling_leaves_no_order_out() {
    let place = with_rows();
    place.write("three.csv", b"x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,0,1,0.25,1\n");
    let mut orders: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..120 {
        let call =
            format!("run --mdp p.json --data three.csv --inner 1 --outer 3 --shuffle --seed {seed} --trace t.jsonl");
        said(&place, &call);
        let trace = std::fs::read_to_string(place.path("t.jsonl")).unwrap();
        *orders.entry(trace).or_default() += 1;
    }
    // 20 each: less than 5 or more than 40 has probability 1e-5.
    assert!(orders.len() == 6 && orders.values().all(|times| (5..=40).contains(times)), "{:?}", orders.values());
}

/// `program/passes.rs`: a covariance that is not symmetric, wherever.
#[test]
fn a_covariance_is_symmetric_in_its_last_rows_too() {
    let place = Place::new();
    let lambda = "[[1,0,0,0],[0,1,0,0],[0,0,1,\"1/2\"],[0,0,\"1/4\",1]]";
    place.write("l.json", lambda.as_bytes());
    said(&place, "sample --instance two-state --rows 4 --out d.csv");
    let call = "run --instance two-state --data d.csv --c 1/2 --lambda l.json --inner 2 --outer 2";
    refused(&place, call, "found 0.5 and 0.25 at [3][2], expected a symmetric matrix");
}

/// `program/restrict.rs`: every column of the data gets the new numbers, and the states that go are named, twenty at most.
#[test]
fn restriction_moves_starts_and_names_states() {
    let place = Place::new();
    // States 0 to n − 1 are entered by nobody; the last two lead to each other.
    let problem = |n: usize| {
        let states = n + 2;
        let unit = |at: usize| (0..states).map(|j| u8::from(j == at).to_string()).collect::<Vec<_>>().join(",");
        let list = |part: &dyn Fn(usize) -> String| (0..states).map(part).collect::<Vec<_>>().join(",");
        format!(
            r#"{{"discount":"1/2","initial":[{}],"features":[{}],"omega":[{}],"psi":[{}],"behavior":[{}]}}"#,
            unit(n),
            list(&|x| format!("[[{}]]", unit(x))),
            list(&|_| "1".to_owned()),
            // From n to n + 1, from everywhere else to n.
            list(&|x| format!(
                "[{}]",
                list(&|j| u8::from(if x == n + 1 { j == n } else { x == n && j != n }).to_string())
            )),
            list(&|_| "[1]".to_owned()),
        )
    };
    for (n, named) in [(1, ": 0\n"), (20, "18, 19\n"), (25, "18, 19, and 5 more\n")] {
        place.write("p.json", problem(n).as_bytes());
        let rows = format!("x0,x,a,r,x_next\n{n},{n},0,1,{last}\n{last},{last},0,1,{n}\n", last = n + 1);
        place.write("d.csv", rows.as_bytes());
        let told = said(&place, "restrict --mdp p.json --out q.json --data d.csv --data-out e.csv");
        assert!(told.contains(named), "{n}: {told}");
        let moved = std::fs::read_to_string(place.path("e.csv")).unwrap();
        let moved: Vec<Vec<f64>> =
            moved.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        assert_eq!(moved, [[0.0, 0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0, 0.0]], "{n}");
    }
}

/// `data/restrict.rs`: where Φ and Ψ cancel, a state that both lead to may have probability 0; a component is kept however many rows use it.
#[test]
fn restriction_adds_up_what_cancels() {
    let place = Place::new();
    // Two absorbing states, mixed by ((2, 1), (1, 1)): no entry is 0.
    let signed = r#"{"discount":"1/2","initial":[1,0],"features":[[[2,1]],[[1,1]]],"omega":["1/4","1/4"],"psi":[[1,-1],[-1,2]],"behavior":[[1],[1]]}"#;
    place.write("p.json", signed.as_bytes());
    let told = said(&place, "restrict --mdp p.json --out q.json");
    assert!(told.contains("cut: 1 state that no policy reaches from `initial`: 1\n"), "{told}");
    // Of three states the last is never entered; both components are of both others.
    let mixed = r#"{"discount":"1/2","initial":[1,0,0],"features":[[["3/4","1/4"]],[["1/4","3/4"]],[["1/2","1/2"]]],"omega":[1,"1/2"],
        "psi":[["1/3","2/3"],["2/3","1/3"],[0,0]],"behavior":[[1],[1],[1]]}"#;
    place.write("p.json", mixed.as_bytes());
    said(&place, "restrict --mdp p.json --out q.json");
    let cut: Value = serde_json::from_str(&std::fs::read_to_string(place.path("q.json")).unwrap()).unwrap();
    assert_eq!(
        cut["features"].as_array().unwrap().iter().map(|rows| rows[0].as_array().unwrap().len()).collect::<Vec<_>>(),
        [2, 2]
    );
}

/// `program/evaluate.rs`, `data/policy.rs`: which policy of a run it is; α = 0 is a rate; an archive need not have the mixture.
#[test]
fn policies_are_named_and_read() {
    let place = with_rows();
    said(&place, "run --mdp p.json --data full.csv --inner 2 --outer 2 --alpha 0 --policy-out p0.json");
    for (which, name) in [("output", "π_J"), ("last", "the last policy"), ("mixture", "the mixture of π_1 … π_T")]
    {
        let told = said(&place, &format!("evaluate --mdp p.json --policy p0.json --which {which}"));
        let line = told.lines().next().unwrap();
        assert!(line.starts_with("policy ") && line.ends_with(&format!(" {name} of a run on p")), "{line}");
        assert!(told.contains("3/4 (exact)"), "{told}");
    }
    let text = |text: &str| {
        npy(
            &format!("<U{}", text.len()),
            "()",
            &text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>(),
        )
    };
    let count = |n: u64| npy("<i8", "()", &n.to_le_bytes());
    let all = [
        ("name", text("p")),
        ("setting", text("discounted")),
        ("alpha", npy("<f8", "()", &1.0_f64.to_le_bytes())),
        ("outer", count(2)),
        ("output_index", count(1)),
        ("output_theta_sum", floats(&[0.0, 0.0])),
        ("last_theta_sum", floats(&[0.0, 40.0])),
    ];
    place.write("p.npz", &npz(&all));
    let value = |which: &str| json(&place, &format!("evaluate --mdp p.json --policy p.npz --which {which} --json"));
    assert_ne!(value("output"), value("last"));
    for (at, (key, _)) in all.iter().enumerate() {
        let mut fewer = all.to_vec();
        fewer.remove(at);
        place.write("fewer.npz", &npz(&fewer));
        let told = format!("no array `{key}`, expected it in a policy file");
        refused(&place, "evaluate --mdp p.json --policy fewer.npz", &told);
    }
}

/// `program/job.rs`, `program/run.rs`: what is said of a run is said of runs of its kind.
#[test]
fn a_run_says_what_is_of_its_kind() {
    let place = with_rows();
    let run = |call: &str| said(&place, &format!("run --inner 2 --outer 2 {call}"));
    assert!(run("--instance chain").contains("rates that learn"));
    for call in ["--instance two-state --setting average", "--instance chain --c 1/2"] {
        assert!(!run(call).contains("rates that learn"), "{call}");
    }
    assert!(run("--instance chain").contains("for independent rows from μ_B"));
    for rate in ["--alpha 0.1", "--eta 0.1", "--zeta 0.1"] {
        let told = run(&format!("--instance chain {rate}"));
        assert!(told.contains("no bound: the rates are not the theorem's"), "{rate}: {told}");
    }
    // Eight states are shown, and how many more there are.
    for states in [8, 9, 10] {
        let unit = |at: usize| (0..states).map(|j| u8::from(j == at).to_string()).collect::<Vec<_>>().join(",");
        let features = (0..states).map(|x| format!("[[{}]]", unit(x))).collect::<Vec<_>>().join(",");
        place.write("many.json", format!(r#"{{"discount":"1/2","features":[{features}]}}"#).as_bytes());
        place.write("many.csv", b"x0,x,a,r,x_next\n0,0,0,1,1\n1,1,0,1,0\n1,1,0,1,0\n1,1,0,1,0\n");
        let told = run("--mdp many.json --data many.csv --radius-theta 1 --radius-beta 1 --alpha 1 --eta 1 --zeta 1");
        assert_eq!(told.contains("more states"), states > 8, "{told}");
        assert_eq!(told.contains(&format!("… and {} more states", states - 8)), states > 8, "{told}");
    }
}

/// `program/model.rs`: tables of more than 2^30 entries are not gone through, however few policies they are of; what has to be unichain is said
/// where something is not.
#[test]
fn the_average_setting_says_what_it_needs() {
    let place = Place::new();
    let pairs = |x: usize| {
        (0..200)
            .map(|a| format!("[{}]", if (x + a).is_multiple_of(2) { "1,0" } else { "0,1" }))
            .collect::<Vec<_>>()
            .join(",")
    };
    let even = vec!["0.005"; 200].join(",");
    let wide = format!(
        r#"{{"discount":"1/2","initial":[1,0],"features":[[{}],[{}]],"omega":[0,1],"psi":[["1/2","1/4"],["1/2","3/4"]],"behavior":[[{even}],[{even}]]}}"#,
        pairs(0),
        pairs(1)
    );
    place.write("wide.json", wide.as_bytes());
    // 200² policies of 400 pairs are few enough; 40,000 of 40,000 are not.
    assert_eq!(opd(&place, "tune --mdp wide.json --setting average --outer 10").code, Some(0));
    let even = vec!["\"1/40000\""; 40_000].join(",");
    let units = vec!["[1,0],[0,1]"; 20_000].join(",");
    let wider = format!(
        r#"{{"discount":"1/2","initial":[1],"features":[[{units}]],"omega":[0,1],"psi":[[1,1]],"behavior":[[{even}]]}}"#
    );
    place.write("wider.json", wider.as_bytes());
    refused(&place, "tune --mdp wider.json --setting average --outer 10", "40000^1 deterministic policies");
    // Under the policy 0, 0 both states are absorbing.
    let apart = r#"{"discount":"1/2","initial":["1/2","1/2"],"features":[[[1,0],[0,1]],[[0,1],[1,0]]],"omega":["1/2",1],"psi":[[1,0],[0,1]],"behavior":[["1/2","1/2"],["1/2","1/2"]]}"#;
    place.write("apart.json", apart.as_bytes());
    let output = opd(&place, "tune --mdp apart.json --setting average --outer 10");
    assert_eq!(output.code, Some(2), "{}", output.stdout);
    assert!(output.stderr.contains("unichain policy; the behaviour's, or one on the way"), "{}", output.stderr);
}

/// `program/audit`, `program/certify.rs`, `program/sample.rs`: what cannot be is said, and where it can the answer comes.
#[test]
fn what_cannot_be_written_is_said() {
    let place = with_rows();
    refused(&place, "certify --mdp p.json --inner 2 --outer 2 --budget 0 --html c.html", "need an exact certificate");
    assert!(!place.path("c.html").exists());
    let colored = said(&place, "audit --instance two-state --color always");
    assert!(colored.contains("\u{1b}[33merratum"), "{colored}");
    for instance in ["cancelling-psi", "chain"] {
        said(&place, &format!("audit --instance {instance} --html a.html"));
    }
    std::fs::create_dir(place.path("here")).unwrap();
    refused(&place, "sample --mdp p.json --rows 4 --out here", "found a directory");
    #[cfg(target_os = "linux")]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut call = Command::new(env!("CARGO_BIN_EXE_opd"));
        let call = call.args(["sample", "--mdp", "p.json", "--rows", "10"]).current_dir(place.path("")).stdout(full);
        let output = call.stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains("standard output: cannot write"), "{told}");
    }
}

/// `program/args/parse.rs`, `data/error.rs`: counts are at least 1; a name far from all others is not guessed; of a long place the end is told.
#[test]
fn complaints_are_of_use() {
    let place = with_rows();
    for (count, told) in [("0", ">= 1"), ("x", ">= 1"), ("99999999999999999999", "<= 18446744073709551615")] {
        refused(&place, &format!("run --mdp p.json --inner {count} --outer 2"), &format!("expected an integer {told}"));
    }
    place.write("q.json", PROBLEM.replace("omega", "qqqqqqq").as_bytes());
    let told = opd(&place, "coverage --mdp q.json").stderr;
    assert!(told.contains("qqqqqqq") && !told.contains("did you mean"), "{told}");
    place.write("q.json", PROBLEM.replace("omega", "omeag").as_bytes());
    refused(&place, "coverage --mdp q.json", "did you mean `omega`?");
    let path = format!("{}/none.json", vec!["directory"; 40].join("/"));
    let told = opd(&place, &format!("coverage --mdp {path}")).stderr;
    assert!(told.starts_with(&format!("opd: …{}: ", &path[path.len() - 250..])), "{told}");
    let path = format!("{}/none.json", "d".repeat(200));
    let told = opd(&place, &format!("coverage --mdp {path}")).stderr;
    assert!(told.starts_with(&format!("opd: {path}: ")), "{told}");
}

/// `data/normalise.rs`, `data/problem.rs`: which distribution is off, by how much, what would help, and what is not one.
#[test]
fn distributions_that_are_off_are_told_apart() {
    let place = Place::new();
    let coverage = |problem: &str, flags: &str| {
        place.write("p.json", problem.as_bytes());
        opd(&place, &format!("coverage --mdp p.json {flags}"))
    };
    let other = |from: &str, to: &str| {
        assert!(PROBLEM.contains(from), "{from}");
        PROBLEM.replace(from, to)
    };
    let told = coverage(&other("[\"1/4\", \"3/4\"]", "[\"1/4\", \"1/2\"]"), "").stderr;
    assert!(told.contains(" behavior[1]: found sum 0.75, "), "{told}");
    let told = coverage(&other("[\"1/4\", \"3/4\"]", "[0.333, 0.666]"), "").stderr;
    assert!(told.contains(" behavior[1]: ") && told.contains("did you mean \"1/3\" for 0.333?"), "{told}");
    let one = r#"{"discount":"1/2","initial":[1],"features":[[[1,0],[0,1]]],"omega":[0,1],"psi":[[1,1]],"behavior":[["1/2","1/4"]]}"#;
    let told = coverage(one, "").stderr;
    assert!(told.contains(" behavior[0]: found sum 0.75, "), "{told}");
    let told = coverage(&one.replace("\"initial\":[1]", "\"initial\":[\"1/2\"]"), "").stderr;
    assert!(told.contains(" initial: found sum 0.5, "), "{told}");
    // Thirds are recognised; of these the simplest fractions within rounding do not add up to 1.
    let three = |row: &str| {
        format!(
            r#"{{"discount":"1/2","initial":[1],"features":[[[1,0,0],[0,1,0],[0,0,1]]],"omega":[0,1,0],"psi":[[1,1,1]],"behavior":[[{row}]]}}"#
        )
    };
    assert!(coverage(&three("0.333,0.333,0.333"), "").stderr.contains("did you mean \"1/3\" for 0.333?"));
    let told = coverage(&three("0.17,0.41,0.419"), "").stderr;
    assert!(told.contains("--normalise") && !told.contains("did you mean"), "{told}");
    // Two components of ψ are off. Features below 0 are no distributions, whatever they add up to.
    let told =
        coverage(&other("[[\"1/2\", 0.25], [\"1/2\", 0.75]]", "[[0.499, 0.25], [0.5, 0.749]]"), "--normalise").stderr;
    assert!(told.contains("components of psi: 2 divided by their sum"), "{told}");
    let signed = r#"{"discount":"1/2","initial":[1,0],"features":[[[2,-0.995]],[[1,0.001]]],"omega":["1/4","1/4"],"psi":[[1,-1],[-1,2]],"behavior":[[1],[1]]}"#;
    let told = coverage(signed, "--normalise").stderr;
    assert!(!told.contains("features: "), "{told}");
}

/// `data/problem.rs`: a problem that lacks one part of the model is none, and runs with radii and rates.
#[test]
fn every_part_of_a_model_is_needed_for_one() {
    let place = with_rows();
    let whole: Value = serde_json::from_str(PROBLEM).unwrap();
    for part in ["initial", "omega", "psi"] {
        let mut less = whole.clone();
        less.as_object_mut().unwrap().remove(part).unwrap();
        place.write("less.json", less.to_string().as_bytes());
        let rates = "--inner 2 --outer 2 --radius-theta 1 --radius-beta 1 --alpha 1 --eta 1 --zeta 1";
        let found = json(&place, &format!("run --mdp less.json --data full.csv {rates} --json"));
        assert!(found["theta_sum"].is_array() && found["values"].is_null(), "{part}: {found}");
        let output = opd(&place, &format!("run --mdp less.json --data full.csv {rates} --json"));
        assert_eq!(output.stderr, "opd: note: full.csv: 6 rows after those that were used\n", "{part}");
        // The theorem's radii are those of a model.
        refused(&place, "run --mdp less.json --data full.csv --inner 2 --outer 2", "--radius-theta");
    }
}

/// `data/npz.rs`, `data/npz_problem.rs`, `data/npz_rows.rs`, `data/rows.rs`: archives with too much, too little or something else in them.
#[test]
fn archives_are_what_they_say() {
    let place = with_rows();
    let features = npy(
        "<f8",
        "(2, 2, 2)",
        &[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0].iter().flat_map(|x: &f64| x.to_le_bytes()).collect::<Vec<_>>(),
    );
    let flat = npy("<f8", "(4, 2)", &[0_u8; 64]);
    let refuse = |arrays: &[(&str, Vec<u8>)], told: &str| {
        place.write("p.npz", &npz(arrays));
        refused(&place, "run --mdp p.npz --data full.csv --inner 1 --outer 1 --radius-theta 1 --radius-beta 1", told);
    };
    let discount = ("discount", npy("<f8", "()", &0.5_f64.to_le_bytes()));
    refuse(&[discount.clone(), ("features", flat)], "found shape (4, 2), expected (");
    refuse(&[discount.clone(), ("features_data", floats(&[1.0]))], "found 1 of the arrays features_data, ");
    let sparse = [
        ("features_data", floats(&[1.0; 4])),
        ("features_indices", integers(&[0, 1, 0, 1])),
        ("features_indptr", integers(&[0, 1, 2, 3, 4])),
        ("features_shape", integers(&[2, 2, 2])),
    ];
    let mut both = sparse.to_vec();
    both.extend([discount.clone(), ("features", features.clone())]);
    refuse(&both, "expected either these four or `features`");
    refuse(&[discount.clone(), ("features", features), ("name", floats(&[1.0, 2.0]))], "found no text");
    refuse(&[discount, ("features", npy("<f8", "(2000000, 2000000, 2)", &[]))], "a file's take 2 GB at most");
    // Six rows are promised, four are there, and two are used.
    let column = |length: usize, values: &[i64]| {
        npy("<i8", &format!("({length},)"), &values.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>())
    };
    let rewards = |length: usize| {
        npy("<f8", &format!("({length},)"), &[0.5_f64; 4].iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>())
    };
    let rows = |length: usize| {
        let zeros = || column(length, &[0; 4]);
        npz(&[
            ("x0", zeros()),
            ("x", zeros()),
            ("a", zeros()),
            ("r", rewards(length)),
            ("x_next", column(length, &[1; 4])),
        ])
    };
    place.write("d.npz", &rows(4));
    said(&place, "run --mdp p.json --data d.npz --inner 2 --outer 1");
    place.write("d.npz", &rows(6));
    refused(&place, "run --mdp p.json --data d.npz --inner 2 --outer 1", "ends early, expected 6 elements");
    // What comes after the last of three rows is seen when they are held in memory, too.
    place.write("d.npz", &rows(3));
    for flags in ["", "--epochs 2", "--shuffle"] {
        let call = format!("run --mdp p.json --data d.npz --inner 1 --outer 1 {flags}");
        refused(&place, &call, "found bytes after element 3");
    }
    // Without x_next an episode loses its last row; the five that are left are used.
    let episodes = npz(&[
        ("x0", integers(&[0; 7])),
        ("x", integers(&[0, 1, 0, 1, 0, 1, 0])),
        ("a", integers(&[0; 7])),
        ("r", floats(&[0.5; 7])),
        ("episode", integers(&[1, 1, 1, 1, 2, 2, 2])),
    ]);
    place.write("e.npz", &episodes);
    let told = opd(&place, "run --mdp p.json --data e.npz --inner 5 --outer 1 --json");
    assert!(told.code == Some(0) && told.stderr.contains("1 row at the ends of episodes dropped"), "{}", told.stderr);
    // From a pipe, which has no places, no archive is read.
    let archive = std::fs::File::open(place.path("d.npz")).unwrap();
    let mut call = Command::new(env!("CARGO_BIN_EXE_opd"));
    let call = call.args("run --mdp p.json --data - --inner 2 --outer 1".split(' ')).current_dir(place.path(""));
    let output = call.stdin(archive).stderr(Stdio::piped()).stdout(Stdio::null()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("standard input: found a zip archive"), "{told}");
}

/// `program/search`: rows that the model forbids are said to be before what was found on them.
#[test]
fn a_search_says_what_the_model_forbids() {
    let place = with_rows();
    said(&place, "sample --mdp p.json --rows 120 --seed 3 --out d.csv");
    let search = |data: &str| json(&place, &format!("tune --mdp p.json --data {data} --search 1 --splits 1 --json"));
    let rows = std::fs::read_to_string(place.path("d.csv")).unwrap();
    let wrong: String = rows
        .lines()
        .enumerate()
        .map(|(n, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let reward = if n == 7 { "0.125" } else { cells[3] };
            format!("{},{},{},{reward},{}\n", cells[0], cells[1], cells[2], cells[4])
        })
        .collect();
    place.write("wrong.csv", wrong.as_bytes());
    let [right, wrong] = ["d.csv", "wrong.csv"].map(|data| search(data)["warnings"].to_string());
    assert!(wrong.contains("contradict") && !right.contains("contradict"), "{wrong}, {right}");
}

/// `program/report.rs`: what the behaviour is worth; here it is the uniform policy.
#[test]
fn the_behaviours_return_is_its_return() {
    let place = Place::new();
    for setting in ["discounted", "average"] {
        let even = PROBLEM.replace("[\"1/4\", \"3/4\"]", "[0.5, 0.5]");
        place.write("p.json", even.as_bytes());
        let call = format!("run --mdp p.json --setting {setting} --inner 2 --outer 2 --json");
        let values = &json(&place, &call)["values"];
        let [behavior, uniform] = ["behavior", "uniform"].map(|key| values[key].as_f64().unwrap());
        assert!((behavior - uniform).abs() < 1e-12 && uniform > 0.5, "{setting}: {values}");
    }
}

/// `program/theorem.rs`: small numbers have an exponent, 0 and others have not.
#[test]
fn rates_are_printed_to_be_read() {
    let place = Place::new();
    let told = said(&place, "tune --instance chain --outer 1000000");
    let rates = json(&place, "tune --instance chain --outer 1000000 --json");
    for (key, name) in [("alpha", "α"), ("eta", "η"), ("zeta", "ζ")] {
        let rate = rates[key].as_f64().unwrap();
        let shown = if (0.01..1e6).contains(&rate) { format!("{rate:.6}") } else { format!("{rate:.6e}") };
        let line = told.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or(&told);
        assert!(line.ends_with(&format!(" {shown}")), "{line}: {rate}");
    }
    assert!(["alpha", "eta", "zeta"].iter().any(|key| rates[key].as_f64().unwrap() < 0.01), "{rates}");
}

/// `data/trace.rs`: a mark at the head of a file is no part of it, and lists within lists end somewhere.
#[test]
fn traces_are_read_as_far_as_they_make_sense() {
    let place = with_rows();
    said(&place, "run --mdp p.json --data full.csv --inner 2 --outer 2 --trace t.jsonl");
    let trace = std::fs::read_to_string(place.path("t.jsonl")).unwrap();
    place.write("marked.jsonl", format!("\u{feff}{trace}").as_bytes());
    said(&place, "compare t.jsonl marked.jsonl");
    // A number that is no list is compared, too.
    said(&place, "run --instance two-state --setting average --inner 2 --outer 2 --trace a.jsonl");
    let average = std::fs::read_to_string(place.path("a.jsonl")).unwrap();
    let at = average.find("\"rho\":").unwrap();
    let end = at + average[at..].find([',', '}']).unwrap();
    place.write("b.jsonl", format!("{}\"rho\":0.123{}", &average[..at], &average[end..]).as_bytes());
    let output = opd(&place, "compare a.jsonl b.jsonl");
    assert!(output.code == Some(1) && output.stdout.contains("0.123"), "{}", output.stdout);
    let (second, deep) = (trace.replacen('\n', "\n\u{feff}", 1), "[".repeat(200_000) + &"]".repeat(200_000));
    for wrong in [second, format!("{{\"t\":1,\"theta\":{deep}}}\n")] {
        place.write("wrong.jsonl", wrong.as_bytes());
        let output = opd(&place, "compare wrong.jsonl t.jsonl");
        assert!(output.code == Some(2) && output.stderr.starts_with("opd: wrong.jsonl:"), "{}", output.stderr);
    }
}

/// `data/number.rs`: 4096 digits are a number, one more is too long.
#[test]
fn a_number_has_4096_digits_at_most() {
    let place = Place::new();
    for (length, code) in [(4096, 0), (4097, 2)] {
        let discount = format!("0.5{}", "0".repeat(length - 2));
        place.write("p.json", PROBLEM.replace("9/10", &discount).as_bytes());
        let output = opd(&place, "coverage --mdp p.json");
        assert_eq!(output.code, Some(code), "{length}: {}", output.stderr);
    }
}

/// `program/table1`: the bytes of a run are the numbers that it holds, counted from the rows: in a table a cell is a pair and where it led, an
/// arrival a next state and its pairs.
#[test]
fn a_runs_bytes_are_counted() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 400 --seed 3 --out d.csv");
    let call = "table1 --instance chain --data d.csv --rows 400 --seeds 1 --candidates 1";
    let found = json(&place, &format!("{call} --json"));
    let bytes: BTreeMap<&str, u64> = found["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| (run["method"].as_str().unwrap(), run["bytes"].as_u64().unwrap()))
        .collect();
    let text = std::fs::read_to_string(place.path("d.csv")).unwrap();
    let mut cells: BTreeMap<(String, String, String), u32> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cell: Vec<&str> = line.split(',').collect();
        *cells.entry((cell[1].to_owned(), cell[2].to_owned(), cell[4].to_owned())).or_default() += 1;
    }
    let nexts: std::collections::BTreeSet<&str> = cells.keys().map(|(.., next)| next.as_str()).collect();
    let [states, actions, dim, cells, nexts] = [5, 2, 10, cells.len() as u64, nexts.len() as u64];
    let sums = 5 * cells + states + dim;
    assert_eq!(bytes["VI-LCB"], 8 * (sums + states + 2 * states * actions), "{bytes:?}");
    // The sums, N and the rewards by component, arrivals, a system in the next states, a policy and four vectors.
    let critic = sums + dim + dim + (nexts + 2 * cells) + nexts * nexts + states * actions + 4 * dim;
    for method in ["FQI", "LSPI", "PSPI", "ATAC", "FOGAS"] {
        assert_eq!(bytes[method], 8 * critic, "{method}: {bytes:?}");
    }
    for (instance, words) in [("two-state", "an embedded instance"), ("rescaled", "an embedded instance")] {
        let told = said(&place, &format!("table1 --instance {instance} --rows 100 --seeds 1 --candidates 1"));
        assert!(told.contains(words), "{told}");
    }
    let told = said(&place, "table1 --instance one-way --rows 100 --seeds 1 --candidates 1");
    assert!(!told.contains("an embedded instance"), "{told}");
}

/// `program/promise.rs`, `program/theorem.rs`: a bound is called vacuous where every policy meets it and nowhere else, and its theorem is that of the
/// setting.
#[test]
fn a_bound_is_called_what_it_is() {
    let place = Place::new();
    let of = [("--instance chain", "Theorem A.1"), ("--instance ergodic --setting average", "Theorem C.1")];
    for (setting, theorem) in of {
        for (outer, vacuous) in [(10, true), (1 << 28, false)] {
            let call = format!("tune {setting} --outer {outer}");
            let found = json(&place, &format!("{call} --json"));
            assert_eq!((found["bound"].as_f64().unwrap() >= 1.0, &found["vacuous"]), (vacuous, &Value::Bool(vacuous)));
            assert_eq!(said(&place, &call).contains("vacuous, no loss exceeds 1"), vacuous, "{call}");
        }
        said(&place, &format!("run {setting} --inner 2 --outer 4 --html r.html"));
        let page = std::fs::read_to_string(place.path("r.html")).unwrap();
        assert!(page.contains(&format!("of this run, and {theorem}'s bound on its mean</figcaption>")), "{theorem}");
    }
}

/// `program/html/bands.rs`, `drawn.rs`, `run.rs`: 64 seeds or states are shown, and how many more there are; no heading without what it is of.
#[test]
fn a_page_says_what_it_leaves_out() {
    let place = with_rows();
    let page = |call: &str| {
        said(&place, &format!("run {call} --inner 1 --outer 1 --html r.html"));
        std::fs::read_to_string(place.path("r.html")).unwrap()
    };
    for (seeds, more) in [(64, None), (66, Some("… and 2 more seeds."))] {
        let page = page(&format!("--mdp p.json --seeds {seeds}"));
        assert_eq!(page.matches("more seeds.").count(), usize::from(more.is_some()));
        assert!(more.is_none_or(|more| page.contains(more)));
    }
    for (states, more) in [(64, None), (67, Some("… and 3 more states."))] {
        place.write("q.json", crate::audit::constant(states, 2).as_bytes());
        let page = page("--mdp q.json");
        assert_eq!(page.matches("more states.").count(), usize::from(more.is_some()));
        assert!(more.is_none_or(|more| page.contains(more)));
    }
    let mut blind: Value = serde_json::from_str(PROBLEM).unwrap();
    assert!(page("--mdp p.json --data full.csv").contains("id=\"coverage\""));
    blind.as_object_mut().unwrap().remove("behavior").unwrap();
    place.write("blind.json", blind.to_string().as_bytes());
    assert!(!page("--mdp blind.json --data full.csv --radius-theta 9 --radius-beta 9").contains("id=\"coverage\""));
}

/// `program/audit`: how many checks came out how is what the findings say, in the text and on the page, where sections are called what print calls
/// them.
#[test]
fn an_audit_counts_its_findings() {
    let place = Place::new();
    place.write("p.json", crate::audit::constant(10, 2).as_bytes());
    for (call, undecided) in [("audit --instance two-state", false), ("audit --mdp p.json", true)] {
        let findings = json(&place, &format!("{call} --json"));
        let count =
            |status: &str| findings.as_array().unwrap().iter().filter(|found| found["status"] == status).count();
        let told = format!(
            "{} checks: {} hold, {} fail, {} errata shown, {} errata not shown, {} not applicable{}",
            findings.as_array().unwrap().len(),
            count("holds"),
            count("fails"),
            count("erratum"),
            count("erratum-not-shown"),
            count("not-applicable"),
            if undecided { format!(", {} undecided", count("undecided")) } else { String::new() }
        );
        let text = said(&place, &format!("{call} --html a.html")).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&told), "{told}: {text}");
        assert_eq!(text.contains("undecided: the instance is too large for this check"), undecided, "{call}");
        let page = std::fs::read_to_string(place.path("a.html")).unwrap();
        for told in [
            &format!("<p>{told}</p>"),
            "<b>Section 4</b>",
            "<b>Section 6</b>",
            "<b>Appendix B</b>",
            "<b>Appendix E</b>",
        ] {
            assert!(page.contains(told), "{call}: {told}");
        }
    }
}
