//! The built program on real files.
#![cfg(feature = "cli")]

mod audit;
mod budgets;
mod certificates;
mod data;
mod drawn;
mod files;
#[cfg(target_os = "linux")]
mod hostile;
mod memory;
mod numbers;
#[path = "../opd/mod.rs"]
mod opd;
mod partial;
mod policies;
mod practice;
mod printed;
mod problems;
mod search;
#[path = "../straight/mod.rs"]
mod straight;
mod survivors;
mod terminal;
mod unguarded;

use opd::{Place, opd};
use serde_json::Value;

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
        let sources = ["--data d.csv", "--data d.npz", "", "--threads 3", "--plain", "--verify"];
        let names = ["a", "b", "c", "d", "e", "f"];
        for (source, trace) in sources.into_iter().zip(names) {
            let call = format!("run {common} {source} --inner 10 --outer 6 --seed 5 --trace {trace} --trace-inner");
            said(&place, &call);
        }
        let read = |name: &str| std::fs::read(place.path(name)).unwrap();
        for (source, trace) in sources.into_iter().zip(names) {
            assert!(read("a") == read(trace), "{setting} {source}");
        }
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
        for key in [
            "samples_per_second",
            "rows_per_second",
            "elapsed_seconds",
            "alpha",
            "eta",
            "zeta",
            "radius_theta",
            "radius_beta",
        ] {
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
    // A model whose Λ is singular, since the data have one action only, has no β*, but can be run and reported on.
    let one_action = PROBLEM.replace("[[0.5, 0.5], [\"1/4\", \"3/4\"]]", "[[1, 0], [1, 0]]");
    place.write("p.json", one_action.as_bytes());
    let report = json(&place, &format!("{call} --html r.html"));
    assert!(report["values"]["optimal"].is_number());
    assert!(std::fs::read_to_string(place.path("r.html")).unwrap().contains("opd certify"));
}

/// Below the n that `tune` names rounding adds at most 1 % to the bound, beyond it more. (Of most models nothing is proved beyond it: T would
/// be above 2²⁸. Sums of 10⁸ terms and a small D_θ bring the 1 % within reach.)
#[test]
fn rounding_is_within_one_percent_up_to_there() {
    let place = Place::new();
    for setting in ["discounted --discount 0.9", "average"] {
        let tuned = |rows: u64| {
            let sizes = "--feature-bound 1 --actions 100000000 --dim 100000000 --radius-theta 0.001 --radius-beta 1";
            let value = json(&place, &format!("tune --setting {setting} {sizes} --samples {rows} --json"));
            let share = value["rounding_term"].as_f64().unwrap() / value["bound"].as_f64().unwrap();
            (share, value["rows_within_one_percent"].as_u64().unwrap())
        };
        let (_, rows) = tuned(1000);
        let (below, beyond) = (tuned(rows * 9 / 10).0, tuned(rows / 9 * 10).0);
        assert!(below <= 0.01 && beyond > 0.01, "{setting}, {rows}: {below}, {beyond}");
    }
}

/// Features three times as long, and a D_θ a third: the same values, so the same α and the same first terms of the bound.
#[test]
fn the_length_of_features_is_squared() {
    let place = Place::new();
    let tuned = |sizes: &str| {
        json(&place, &format!("tune --outer 1000 --radius-beta 5 --actions 2 --discount 0.9 --json {sizes}"))
    };
    let (one, three) = (tuned("--feature-bound 1 --radius-theta 12"), tuned("--feature-bound 3 --radius-theta 4"));
    let alpha = |tuned: &Value| tuned["alpha"].as_f64().unwrap();
    // √(2 ln|A|/T)/(D_φD_θ).
    assert!((alpha(&one) - (2.0 * 2.0_f64.ln() / 1000.0).sqrt() / 12.0).abs() < 1e-15, "{one}");
    assert!((alpha(&three) - alpha(&one)).abs() < 1e-15, "{three}");
}

/// A single action leaves no policy to learn: α is 0, its terms vanish, and the rest of the theorem stands.
#[test]
fn one_action_is_tuned_too() {
    let place = Place::new();
    for flags in ["--outer 100", "--samples 10000"] {
        let tuned = json(&place, &format!("tune --instance cancelling-psi --json {flags}"));
        assert_eq!(tuned["alpha"], 0.0);
        assert!(tuned["bound"].as_f64().unwrap() > 0.0 && tuned["inner"].as_u64().unwrap() > 0, "{tuned}");
    }
}

#[test]
fn outputs_replace_files_whole() {
    let place = Place::new();
    place.write("t.jsonl", b"old");
    said(&place, "run --instance chain --inner 2 --outer 2 --trace t.jsonl --html r.html");
    assert_eq!(place.names(), ["r.html", "t.jsonl"], "no temporary file is left");
    assert!(std::fs::read_to_string(place.path("t.jsonl")).unwrap().starts_with("{\"t\":1"));
}
