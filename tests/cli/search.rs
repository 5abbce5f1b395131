//! Rates by search, honest reports and Table 1.

use super::{PROBLEM, json, said};
use crate::opd::{Place, opd};
use serde_json::Value;
use std::process::Command;

#[test]
fn a_search_proposes_rates_that_run_gives_the_same_return_with() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 4000 --seed 3 --out d.csv");
    let call = "tune --instance chain --data d.csv --search 8 --splits 2 --seed 1 --json";
    let found = json(&place, call);
    assert_eq!(found, json(&place, call), "the same seed, another search");
    assert_ne!(found["best"], json(&place, &call.replace("--seed 1", "--seed 2"))["best"]);
    let command = found["command"].as_str().unwrap().strip_prefix("opd ").unwrap();
    let run = json(&place, &format!("{command} --json"));
    let (last, best) = (run["values"]["last"].as_f64().unwrap(), found["truth"]["best"].as_f64().unwrap());
    assert!((last - best).abs() < 1e-12, "run {last}, search {best}");
    // What all rows say of that policy is what `evaluate` says of its file.
    let call = command.replace("--policy-out policy.json", "--policy-out p.npz");
    said(&place, &call);
    let judged = json(&place, "evaluate --instance chain --policy p.npz --which last --data d.csv --json");
    let (by_file, by_search) = (judged["data"]["return"].as_f64(), found["all_rows"]["estimate"].as_f64());
    assert!((by_file.unwrap() - by_search.unwrap()).abs() < 1e-9, "{judged}, search {by_search:?}");
    let estimates: Vec<Option<f64>> =
        found["candidates"].as_array().unwrap().iter().map(|line| line["estimate"].as_f64()).collect();
    // One more where the last round has found its own.
    assert!([8, 9].contains(&estimates.len()) && estimates[0] == found["estimate"].as_f64(), "{estimates:?}");
    // One standard error is no less than the spread of two splits, and where it is not enough the search says so.
    let number = |key: &str| found[key].as_f64().unwrap();
    let [least, most] = [0, 1].map(|end| found["range"][end].as_f64().unwrap());
    let (error, own) = (number("standard_error"), found["candidates"][0]["error"].as_f64().unwrap());
    let spread = (most - least) / 2_f64.sqrt();
    assert!((error - spread.max(own)).abs() < 1e-12 && spread > own, "{error}, spread {spread}, own {own}");
    let warned = found["warnings"].to_string().contains("not above the behaviour policy's return");
    assert_eq!(warned, number("estimate") - 2.0 * error <= number("behavior"), "{found}");
    // The page says in which order its candidates are, and that is how they are.
    let text = said(&place, "tune --instance chain --data d.csv --search 40 --splits 2 --seed 1 --html t.html");
    let page = std::fs::read_to_string(place.path("t.html")).unwrap();
    assert!(page.contains("<li>The one that is proposed") && page.contains(">1/4<"), "{page}");
    assert!(
        page.contains("D<sub>θ</sub>")
            && page.contains("<span class=\"flag\">--zeta ")
            && !page.contains("normalised return"),
        "{page}"
    );
    let many = json(&place, "tune --instance chain --data d.csv --search 40 --splits 2 --seed 1 --json");
    let standing = |line: &Value| {
        let [estimate, error, mass] = ["estimate", "error", "mass"].map(|key| line[key].as_f64());
        let trusted = mass.is_some_and(|mass| (0.0..=1.1).contains(&mass));
        let score = if trusted { estimate.unwrap() - error.unwrap() } else { f64::NEG_INFINITY };
        (line["whole"].as_bool(), line["splits"].as_u64(), score)
    };
    let one_more = many["candidates"].as_array().unwrap().len() > 40;
    assert!(
        text.contains(if one_more { "40, and the one that the last round found, of which" } else { "40, of which" }),
        "{text}"
    );
    let standings: Vec<_> = many["candidates"].as_array().unwrap()[1..].iter().map(standing).collect();
    assert!(standings.is_sorted_by(|a, b| a >= b), "{standings:?}");
    for (wrong, complaint) in [
        ("tune --instance chain --data d.csv --search 8 --setting average", "the discounted setting"),
        ("tune --instance chain --data d.csv --search 9999999 --splits 1", "--budget"),
        ("tune --instance chain --search 8", "--data"),
    ] {
        let output = opd(&place, wrong);
        assert!(output.code == Some(2) && output.stderr.contains(complaint), "{wrong}: {}", output.stderr);
    }
}

/// What a call prints that goes through a shell.
fn by_shell(place: &Place, call: &str) -> Value {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_opd")).parent().unwrap().display().to_string();
    let script = format!("PATH='{program}':$PATH; {call} --json");
    let output = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output().unwrap();
    assert!(output.status.success(), "{call}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whatever changes what the rows or the model are reaches the printed call, and names get through a shell.
#[test]
#[cfg(unix)]
fn the_printed_call_gives_the_policy_whatever_was_asked_for() {
    let place = Place::new();
    let uneven = PROBLEM.replace("[\"1/2\", 0.5]", "[0.333, 0.6666]");
    assert_ne!(uneven, PROBLEM);
    place.write("p.json", PROBLEM.as_bytes());
    place.write("it's uneven.json", uneven.as_bytes());
    said(&place, "sample --mdp p.json --rows 600 --seed 3 --out d.csv");
    let text = std::fs::read_to_string(place.path("d.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["x0", "x", "a", "r", "x_next"]);
    // Without x0, which is then drawn with the seed; rewards r as 4r − 1; every other row ends an episode, in state 0 if nothing else is said.
    let mut other = "my state,a,r,x_next,terminal\n".to_owned();
    for (index, row) in rows[1..].iter().enumerate() {
        let reward = 4.0 * row[3].parse::<f64>().unwrap() - 1.0;
        let (x_next, terminal) = if index % 2 == 0 { ("0", 1) } else { (row[4], 0) };
        other += &format!("{},{},{reward},{x_next},{terminal}\n", row[1], row[2]);
    }
    place.write("$(echo d) \"12\".csv", other.as_bytes());
    std::fs::copy(place.path("d.csv"), place.path("-d.csv")).unwrap();
    let sources =
        ["", "--instance two-state", "--mdp p.json", "--normalise --mdp \"it's uneven.json\" --radius-beta 3"];
    let other = "'$(echo d) \"12\".csv' --column 'x=my state' --reward-range -1 3";
    let data = ["d.csv", "=-d.csv", other, &format!("{other} --absorbing 1")];
    for source in sources {
        for (data, seed) in data.iter().flat_map(|data| [(data, ""), (data, "--seed 7")]) {
            let found =
                by_shell(&place, &format!("opd tune {source} --data{}{data} --search 4 --splits 1 {seed}", gap(data)));
            let (call, best) = (found["command"].as_str().unwrap(), found["truth"]["best"].as_f64().unwrap());
            let last = by_shell(&place, call)["values"]["last"].as_f64().unwrap();
            assert!((last - best).abs() < 1e-12, "{call}: {last}, {best} by the search");
        }
    }
}

/// Between an option and its value.
fn gap(value: &str) -> &'static str {
    if value.starts_with('=') { "" } else { " " }
}

/// Rows from a policy that never takes the second action say nothing of it.
#[test]
fn a_search_warns_of_poor_coverage() {
    let place = Place::new();
    let problem = PROBLEM.replace("[[0.5, 0.5], [\"1/4\", \"3/4\"]]", "[[1, 0], [1, 0]]");
    assert_ne!(problem, PROBLEM);
    place.write("p.json", problem.as_bytes());
    said(&place, "sample --mdp p.json --rows 2000 --out d.csv");
    let output = opd(&place, "tune --mdp p.json --data d.csv --search 4 --splits 1");
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    assert!(
        output.stderr.contains("by two standard errors") || output.stderr.contains("coverage"),
        "{}",
        output.stderr
    );
}

#[test]
fn reports_name_what_they_are_made_of() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 1000 --out d.csv");
    let run = json(&place, "run --instance chain --data d.csv --inner 10 --outer 100 --html r.html --json");
    let values = &run["values"];
    for key in ["optimal", "behavior", "uniform", "output", "last", "mixture"] {
        assert!(values[key].as_f64().is_some(), "{key}");
    }
    assert!(values["uniform"].as_f64() < values["optimal"].as_f64());
    assert_eq!(run["data"], "d.csv");
    assert_eq!(run["vacuous"], run["bound"].as_f64().unwrap() >= 1.0);
    let text = said(&place, "run --instance chain --data d.csv --inner 10 --outer 100");
    assert_eq!(text.contains("vacuous"), run["vacuous"] == true, "{text}");
    let page = std::fs::read_to_string(place.path("r.html")).unwrap();
    for words in ["d.csv", "by the rows that were read", "return of the behaviour policy", "mixture of"] {
        assert!(page.contains(words), "{words}");
    }
    said(&place, "certify --instance chain --data d.csv --inner 10 --outer 100 --html c.html");
    let certificate = std::fs::read_to_string(place.path("c.html")).unwrap();
    let returns = |page: &str| -> Vec<String> {
        page.split("<tr>").filter(|row| row.contains("return")).map(str::to_owned).collect()
    };
    assert_eq!(returns(&page).len(), 6, "{page}");
    assert_eq!(returns(&certificate), returns(&page));
    let (_, own) = certificate.split_once("by the rows that were read").unwrap();
    assert!(!own.contains("not counted"), "the rows that a certificate is about were not counted");
}

/// Rates are searched for in the discounted setting at c = 1, and are recommended there alone.
#[test]
fn a_search_is_recommended_where_there_is_one() {
    let place = Place::new();
    for (call, searched) in [
        ("--instance chain", true),
        ("--instance whitened --c 1/2", false),
        ("--instance ergodic --setting average", false),
        ("--instance ergodic --setting average --c 1/2", false),
    ] {
        let text = said(&place, &format!("run {call} --inner 5 --outer 20"));
        assert!(text.contains("vacuous"), "{call}: {text}");
        assert_eq!(text.contains("`opd tune --instance chain --data FILE --search"), searched, "{call}: {text}");
    }
}

/// A problem of features and γ alone: π_J's table is a row per state.
#[test]
fn a_run_without_a_model_shows_its_policy() {
    let place = Place::new();
    place.write("p.json", br#"{"discount": "9/10", "features": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}"#);
    place.write("d.csv", b"x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,1,0,0.5,1\n1,0,1,1,1\n");
    let radii = "--radius-theta 10 --radius-beta 10";
    said(&place, &format!("run --mdp p.json --data d.csv --inner 2 --outer 2 {radii} --html r.html"));
    let page = std::fs::read_to_string(place.path("r.html")).unwrap();
    let (_, policy) = page.split_once("<h2>Policy").unwrap();
    assert_eq!(policy.matches("data-name=\"state\"").count(), 2, "{policy}");
}

/// Where the data cover the optimal policy and nothing else, FQI and LSPI take the action that nobody has seen, and pessimism does not.
#[test]
fn table_1_is_measured() {
    let place = Place::new();
    let call = "table1 --instance one-way --rows 300 --rows 600 --seeds 2 --candidates 6 --html t.html --json";
    let table = json(&place, call);
    let runs = table["runs"].as_array().unwrap();
    let suboptimalities = |method: &str| -> Vec<f64> {
        let of = runs.iter().filter(|run| run["method"] == method);
        of.map(|run| run["normalised"].as_f64().unwrap()).collect()
    };
    for (method, least, most) in
        [("FQI", 2.0, 2.0), ("LSPI", 2.0, 2.0), ("VI-LCB", 0.0, 0.0), ("ours, theorem's rates", 0.0, 0.5)]
    {
        let found = suboptimalities(method);
        let within = found.iter().all(|x| (least - 1e-9..=most + 1e-9).contains(x));
        assert!(found.len() == 4 && within, "{method}: {found:?}");
    }
    let summary = &table["summaries"][0];
    assert!((summary["coverage"].as_f64().unwrap() - 2.0).abs() < 1e-9, "{summary}");
    let names: Vec<&str> =
        summary["summaries"].as_array().unwrap().iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 8);
    let page = std::fs::read_to_string(place.path("t.html")).unwrap();
    assert!(names.iter().all(|name| page.contains(name)), "{names:?}");
    // Print's n^{7/5} is n for each of ⌈n^{2/5}⌉ iterations, its n is one pass, and what ours keeps does not grow with n.
    let of = |method: &str, key: &str| {
        let row = &summary["summaries"][names.iter().position(|name| *name == method).unwrap()];
        row[key].as_f64().unwrap_or(f64::NAN)
    };
    let rounds = |n: f64| n.powf(0.4).ceil();
    let slope = 1.0 + (rounds(600.0) / rounds(300.0)).ln() / 2_f64.ln();
    assert!((of("PSPI", "visits_exponent") - slope).abs() < 1e-9, "{summary}");
    assert!((of("ours, theorem's rates", "visits_exponent") - 1.0).abs() < 1e-9, "{summary}");
    assert!(of("ours, searched rates", "bytes_exponent").abs() < 1e-9, "{summary}");
    assert!(runs.iter().all(|run| run["bytes"].as_u64().unwrap() > 0 && run["seconds"].as_f64().unwrap() > 0.0));
    assert_eq!(table["not_run"].as_array().unwrap().len(), 3);
    let text = said(&place, "table1 --instance one-way --rows 100 --seeds 1 --candidates 2");
    for words in
        ["PEVI (Jin et al. 2021)", "not run: finite horizon", "not run: \"far from", "average reward", "C_{φ,1} 2.0000"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    // The clock aside, the same seed is the same table.
    let mut again = json(&place, call);
    let mut once = table.clone();
    for table in [&mut once, &mut again] {
        table["runs"].as_array_mut().unwrap().iter_mut().for_each(|run| run["seconds"] = 0.into());
    }
    assert_eq!(once["runs"], again["runs"]);
    // Of a file's rows no more than there are.
    said(&place, "sample --instance two-state --rows 150 --out d.csv");
    let call = "table1 --instance two-state --data d.csv --seeds 1 --candidates 2 --rows";
    let output = opd(&place, &format!("{call} 151"));
    assert!(
        output.code == Some(2) && output.stderr.contains("found 151, expected at most the 150 of --data"),
        "{}",
        output.stderr
    );
    assert_eq!(opd(&place, &format!("{call} 150")).code, Some(0));
    let output = opd(&place, "table1 --data d.csv");
    assert!(output.code == Some(2) && output.stderr.contains("--mdp or --instance"), "{}", output.stderr);
}

/// Every line of `run --seeds` is the run of its seed, whether the seed draws the rows, a column of them or nothing but J.
#[test]
fn every_seed_is_its_own_run() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 400 --seed 3 --out d.csv");
    let without: String = std::fs::read_to_string(place.path("d.csv"))
        .unwrap()
        .lines()
        .map(|line| line.split_once(',').unwrap().1.to_owned() + "\n")
        .collect();
    place.write("no-x0.csv", without.as_bytes());
    for (data, all_rows_alike) in [("", false), ("--data d.csv", true), ("--data no-x0.csv", false)] {
        let call = format!("run --instance chain {data} --inner 10 --outer 40 --json");
        let many = json(&place, &format!("{call} --seed 5 --seeds 4"));
        let runs = many["seeds"]["runs"].as_array().unwrap();
        let mut outputs = Vec::new();
        for (run, seed) in runs.iter().zip(5..) {
            let alone = json(&place, &format!("{call} --seed {seed}"));
            assert_eq!((&run["seed"], &run["output_index"]), (&alone["seed"], &alone["output_index"]), "{data}");
            for key in ["output", "last", "mixture"] {
                assert_eq!(run[key], alone["values"][key], "{data}, seed {seed}: {key}");
            }
            outputs.push(run["output"].as_f64().unwrap());
        }
        let alone = many["seeds"]["differ"].as_str().unwrap().starts_with("J alone");
        assert_eq!((runs.len(), alone), (4, all_rows_alike), "{data}");
        assert!(!data.is_empty() || runs[0]["last"] != runs[3]["last"], "other rows, the same policy");
        let band = &many["seeds"]["output"];
        let mean = outputs.iter().sum::<f64>() / 4.0;
        assert!((band["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
        assert_eq!(band["least"].as_f64(), outputs.iter().copied().reduce(f64::min));
    }
    let text = said(&place, "run --instance chain --data d.csv --inner 10 --outer 40 --seeds 3");
    assert!(text.contains("mean of 3 seeds") && text.contains("J alone"), "{text}");
}

/// Without clocks: their keys, wherever they are.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|key, _| !key.contains("second"));
            entries.values_mut().for_each(timeless);
        }
        Value::Array(entries) => entries.iter_mut().for_each(timeless),
        _ => {}
    }
}

/// Whole runs on threads are those of one thread, clocks apart: every number, every page, and the complaint where some of them fail.
#[test]
fn whole_runs_on_threads_give_the_same_answer() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 2000 --seed 3 --out d.csv");
    for call in [
        "tune --instance chain --data d.csv --search 40 --html t.html",
        "run --instance chain --inner 10 --outer 40 --seeds 9",
        "run --instance chain --data d.csv --shuffle --epochs 2 --inner 10 --outer 40 --seeds 9",
        "run --setting average --instance ergodic --inner 10 --outer 40 --seeds 4",
        "table1 --instance one-way --rows 300 --seeds 2 --candidates 6",
    ] {
        let answers = [1, 2, 3].map(|threads| {
            let mut answer = json(&place, &format!("{call} --threads {threads} --json"));
            timeless(&mut answer);
            (answer.to_string(), std::fs::read(place.path("t.html")).unwrap())
        });
        assert!(answers[0].0.len() > 500 && answers[1] == answers[0] && answers[2] == answers[0], "{call}");
    }
    // Alone, seeds 5 to 7 end well, 8 diverges at t = 3, 9 at t = 2 and 13 at t = 1.
    let diverging = "run --instance chain --inner 1 --outer 3 --alpha 1e-300 --eta 0.1 --zeta 1e160 --radius-theta 10 \
                     --radius-beta 1e150 --seed 5 --seeds 12";
    for threads in 1..4 {
        let output = opd(&place, &format!("{diverging} --threads {threads}"));
        assert!(output.code == Some(2) && output.stderr.contains("at t = 3"), "{threads} threads: {}", output.stderr);
    }
}
