//! Policies to take home, runs that go on, and what a run does that no theorem is about.

use crate::opd::{Place, opd};
use crate::{fraction, json, said};
use serde_json::Value;
use std::fs;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| fraction(value.as_str().unwrap()))
}

/// The header of an array of an archive.
fn header(place: &Place, archive: &str, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(place.path(archive)).unwrap()).unwrap();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
    String::from_utf8_lossy(&bytes[..128.min(bytes.len())]).into_owned()
}

/// What `evaluate` says of a policy file is what the run said, for each of its policies and in both formats.
#[test]
fn a_policy_file_is_worth_what_the_run_said() {
    let place = Place::new();
    for (setting, instance) in [("discounted", "chain"), ("average", "ergodic")] {
        let call = format!("run --setting {setting} --instance {instance} --inner 10 --outer 30 --seed 4 --json");
        let report = json(&place, &format!("{call} --policy-out p.json"));
        said(&place, &format!("{call} --policy-out p.npz"));
        let features = json(&place, &format!("instances {instance}"))["features"].clone();
        let [states, actions, dim] =
            [&features, &features[0], &features[0][0]].map(|list| list.as_array().unwrap().len());
        for (name, shape) in [
            ("output_table", format!("({states}, {actions})")),
            ("last_table", format!("({states}, {actions})")),
            ("mixture_theta_sums", format!("(30, {dim})")),
            ("output_theta_sum", format!("({dim},)")),
            ("outer", "()".to_owned()),
        ] {
            let header = header(&place, "p.npz", &format!("{name}.npy"));
            assert!(header.contains(&format!("'shape': {shape}")), "{name}: {header}");
        }
        for which in ["output", "last", "mixture"] {
            let evaluate = |file: &str| {
                json(&place, &format!("evaluate --instance {instance} --policy {file} --which {which} --json"))
            };
            let found = evaluate("p.json");
            assert_eq!(found, evaluate("p.npz"), "{setting} {which}");
            assert_eq!(found["model"]["method"], "exact");
            let (exact, measured) = (number(&found["model"]["return"]), number(&report["values"][which]));
            assert!((exact - measured).abs() < 1e-12, "{setting} {which}: {exact} {measured}");
            // Beyond the budget, an interval around the exact value.
            let call = format!("evaluate --instance {instance} --policy p.json --which {which} --json --budget 0");
            let enclosed = &json(&place, &call)["model"];
            assert_eq!(enclosed["method"], "enclosure");
            let (low, high) = (number(&enclosed["return"]["at_least"]), number(&enclosed["return"]["at_most"]));
            assert!(low <= exact && exact <= high && high - low < 1e-9, "{low} {exact} {high}");
            assert!((number(&found["model"]["optimal"]) - number(&report["values"]["optimal"])).abs() < 1e-12);
        }
        let file: Value = serde_json::from_str(&fs::read_to_string(place.path("p.json")).unwrap()).unwrap();
        assert_eq!(file["last_theta_sum"], report["theta_sum"]);
        assert_eq!(file["output_index"], report["output_index"]);
        let row = &file["last_table"][0];
        assert!((row.as_array().unwrap().iter().map(number).sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// Data alone: an estimate, called one, near the truth where there are many rows; and a warning where they do not cover the policy.
#[test]
fn data_alone_give_an_estimate() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 20000 --seed 2 --out d.csv");
    said(&place, "run --instance chain --data d.csv --inner 10 --outer 200 --alpha 0.01 --policy-out p.json");
    said(&place, "convert --instance chain --out chain.json");
    let mut problem: Value = serde_json::from_str(&fs::read_to_string(place.path("chain.json")).unwrap()).unwrap();
    for key in ["omega", "psi", "behavior", "initial"] {
        problem.as_object_mut().unwrap().remove(key);
    }
    place.write("features.json", problem.to_string().as_bytes());
    let truth = json(&place, "evaluate --instance chain --policy p.json --json");
    let found = json(&place, "evaluate --mdp features.json --data d.csv --policy p.json --json");
    assert!(found["model"].is_null() && found["data"]["method"].as_str().unwrap().contains("no guarantee"));
    let (estimate, value) = (number(&found["data"]["return"]), number(&truth["model"]["return"]));
    assert!((estimate - value).abs() < 0.02, "{estimate} {value}");
    assert!((number(&found["data"]["mass"]) - 1.0).abs() < 0.02);
    let few: String =
        fs::read_to_string(place.path("d.csv")).unwrap().lines().take(3).map(|line| format!("{line}\n")).collect();
    place.write("few.csv", few.as_bytes());
    let told = said(&place, "evaluate --mdp features.json --data few.csv --policy p.json");
    assert!(told.contains("an estimate, no guarantee") && told.contains("they do not cover the policy"), "{told}");
}

#[test]
fn the_number_of_rows_says_k_and_t() {
    let place = Place::new();
    for (setting, instance) in [("discounted", "chain"), ("average", "ergodic")] {
        said(&place, &format!("sample --setting {setting} --instance {instance} --rows 5000 --out d.csv"));
        let tuned = json(&place, &format!("tune --setting {setting} --instance {instance} --samples 5000 --json"));
        let run = |flags: &str| {
            json(&place, &format!("run --setting {setting} --instance {instance} --data d.csv --json {flags}"))
        };
        let report = run("");
        assert_eq!((&report["inner"], &report["outer"]), (&tuned["inner"], &tuned["outer"]));
        let own = u64::from(setting == "average");
        assert_eq!(
            (&run("--inner 9")["outer"], &run("--outer 100")["inner"]),
            (&(5000 / (9 + own)).into(), &(50 - own).into())
        );
    }
    let output = opd(&place, "run --instance chain --outer 5");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("--inner, --outer: not both given, expected both, or --data"), "{}", output.stderr);
}

/// Rows again are the rows written twice; another order is another run, the same for the same seed. Neither has a bound.
#[test]
fn epochs_and_shuffles_are_said_to_be_outside() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 60 --seed 1 --out d.csv");
    let rows = fs::read_to_string(place.path("d.csv")).unwrap();
    place.write("twice.csv", format!("{rows}{}", rows.split_once('\n').unwrap().1).as_bytes());
    let run = |flags: &str| json(&place, &format!("run --instance chain --inner 6 --outer 20 --json {flags}"));
    let (twice, again) = (run("--data twice.csv"), run("--data d.csv --epochs 2"));
    assert_eq!(twice["theta_sum"], again["theta_sum"]);
    assert!(
        again["no_bound"].as_str().unwrap().contains("outside the theorem: rows are used more than once"),
        "{again}"
    );
    let shuffled = |seed: u32| run(&format!("--data twice.csv --shuffle --seed {seed}"));
    assert_eq!(shuffled(1)["theta_sum"], shuffled(1)["theta_sum"]);
    assert_ne!(shuffled(1)["theta_sum"], shuffled(2)["theta_sum"]);
    assert_ne!(shuffled(1)["theta_sum"], twice["theta_sum"]);
    assert!(shuffled(1)["no_bound"].as_str().unwrap().contains("rows are not used in their order"));
}

/// c = 1/2 without a model: Λ̂ of the data is Λ̂ from a file, and no theorem is claimed.
#[test]
fn the_empirical_covariance_stands_in_for_the_models() {
    let place = Place::new();
    place.write("f.json", b"{\"discount\": 0.9, \"features\": [[[1, 0], [0.5, 0.5]], [[0, 1], [0.25, 0]]]}");
    place.write("d.csv", b"x0,x,a,r,x_next\n0,0,0,0.5,1\n1,1,1,1,0\n0,0,1,0.5,1\n1,1,0,1,1\n");
    // Of (1, 0), (1/4, 0), (1/2, 1/2) and (0, 1), each a quarter.
    place.write("l.json", b"[[0.328125, 0.0625], [0.0625, 0.3125]]");
    let call =
        "run --mdp f.json --data d.csv --c 1/2 --inner 2 --outer 2 --radius-theta 3 --radius-beta 2 --json --lambda";
    let (own, given) = (json(&place, &format!("{call} empirical")), json(&place, &format!("{call} l.json")));
    assert_eq!(own["theta_sum"], given["theta_sum"]);
    assert_eq!(own["beta"], given["beta"]);
    assert!(own["no_bound"].as_str().unwrap().contains("outside the theorem: Λ is not the model's"), "{own}");
    place.write("l.json", b"[[1, 0], [0, 1]]");
    assert_ne!(own["beta"], json(&place, &format!("{call} l.json"))["beta"]);
}

/// A run that goes on from its checkpoint ends with the bits of the one that was not interrupted, trace included.
#[test]
fn a_run_goes_on_to_the_same_bits() {
    let place = Place::new();
    for flags in [
        "--instance chain",
        "--instance chain --c 1/2 --seed 3",
        "--instance ergodic --setting average --seed 5",
        "--mdp p.json --data d.csv --seed 2",
    ] {
        place.write("p.json", crate::PROBLEM.as_bytes());
        // No x0: its draws go on too.
        said(&place, "sample --mdp p.json --rows 80 --seed 9 --out full.csv");
        let rows = fs::read_to_string(place.path("full.csv")).unwrap();
        let without: String = rows.lines().map(|line| line.split_once(',').unwrap().1.to_owned() + "\n").collect();
        place.write("d.csv", without.as_bytes());
        let call = format!("run {flags} --inner 4 --outer 20 --json");
        let mut whole =
            json(&place, &format!("{call} --trace whole.jsonl --trace-inner --checkpoint c.json --checkpoint-every 7"));
        let mut rest = json(&place, &format!("{call} --trace rest.jsonl --trace-inner --resume c.json"));
        let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
        let (all, tail) = (read("whole.jsonl"), read("rest.jsonl"));
        assert!(tail.starts_with("{\"t\":15,") && all.ends_with(&tail), "{flags}");
        let text = said(&place, &format!("run {flags} --inner 4 --outer 20 --resume c.json"));
        assert!(text.contains(", after the checkpoint, of "), "{text}");
        for report in [&mut whole, &mut rest] {
            // How long it took, how many rows were read and what was said of them may differ.
            let differs = |key: &str| key.contains("second") || key == "rows" || key == "notes";
            report.as_object_mut().unwrap().retain(|key, _| !differs(key));
        }
        assert_eq!(whole, rest, "{flags}");
    }
    // The last checkpoint is of the data file; its rows again are another run.
    let again = opd(&place, "run --mdp p.json --data d.csv --seed 2 --inner 4 --outer 20 --epochs 2 --resume c.json");
    assert!(again.stderr.contains("c.json: run: found outside `[]`, expected [\"rows are used"), "{}", again.stderr);
    let output = opd(&place, "run --instance chain --inner 5 --outer 20 --resume c.json");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("c.json: run: found"), "{}", output.stderr);
}
