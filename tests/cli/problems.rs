//! Problem files: formats that say the same.

use crate::opd::{Place, floats, integers, npy, npz, opd};
use crate::{PROBLEM, json, said};
use std::process::Command;

/// JSON to NPZ and back is the same bytes, and the archive is the same model.
#[test]
fn archives_keep_every_number() {
    let place = Place::new();
    for instance in json(&place, "instances --json").as_array().unwrap() {
        let name = instance["name"].as_str().unwrap();
        let printed = said(&place, &format!("instances {name}"));
        said(&place, &format!("convert --instance {name} --out i.npz"));
        said(&place, "convert --mdp i.npz --out back.json");
        assert_eq!(std::fs::read_to_string(place.path("back.json")).unwrap(), printed, "{name}");
        let call = "run --inner 3 --outer 4 --trace t.jsonl --trace-inner";
        said(&place, &format!("{call} --instance {name}"));
        let trace = std::fs::read(place.path("t.jsonl")).unwrap();
        said(&place, &format!("{call} --mdp i.npz"));
        assert_eq!(std::fs::read(place.path("t.jsonl")).unwrap(), trace, "{name}");
    }
}

/// Dense, one-hot and sparse features of one problem, as NumPy would write them.
#[test]
fn features_come_in_three_forms() {
    let place = Place::new();
    place.write("p.json", PROBLEM.as_bytes());
    let expected = said(&place, "coverage --mdp p.json --json");
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
    let rest = [
        ("discount.npy", npy("<f8", "()", &bytes(&[0.9]))),
        ("initial.npy", floats(&[0.5, 0.5])),
        ("omega.npy", floats(&[0.5, 1.0])),
        ("behavior.npy", npy("<f8", "(2, 2)", &bytes(&[0.5, 0.5, 0.25, 0.75]))),
    ];
    let psi = ("psi.npy", npy(">f8", "(2, 2)", &[0.5_f64, 0.25, 0.5, 0.75].map(f64::to_be_bytes).concat()));
    let dense = ("features.npy", npy("|u1", "(2, 2, 2)", &[1, 0, 0, 1, 1, 0, 0, 1]));
    let one_hot = ("features.npy", npy("|u1", "(2, 2)", &[0, 1, 0, 1]));
    let sparse = [
        ("features_data.npy", npy("<f4", "(4,)", &[1.0_f32; 4].map(f32::to_le_bytes).concat())),
        ("features_indices.npy", integers(&[0, 1, 0, 1])),
        ("features_indptr.npy", integers(&[0, 1, 2, 3, 4])),
        ("features_shape.npy", integers(&[2, 2, 2])),
    ];
    for features in [vec![dense], vec![one_hot], sparse.to_vec()] {
        let arrays = [&rest[..], std::slice::from_ref(&psi), &features].concat();
        place.write("p.npz", &npz(&arrays));
        assert_eq!(said(&place, "coverage --mdp p.npz --json"), expected, "{}", features[0].0);
    }
}

/// Thirds that were written as doubles: named, and divided by their sum on request.
#[test]
fn rounded_probabilities_are_recognised() {
    let place = Place::new();
    let with = |p: &str, q: &str| PROBLEM.replace("[\"1/2\", 0.5]", &format!("[{p}, {q}]"));
    place.write("exact.json", with("\"1/3\"", "\"2/3\"").as_bytes());
    place.write("rounded.json", with("0.3333333333333333", "0.6666666666666666").as_bytes());
    let output = opd(&place, "coverage --mdp rounded.json");
    let advice = "did you mean \"1/3\" for 0.3333333333333333? --normalise divides by the sum\n";
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("rounded.json: initial: found sum") && output.stderr.ends_with(advice));
    let normalised = opd(&place, "coverage --mdp rounded.json --normalise");
    assert_eq!(normalised.stdout, said(&place, "coverage --mdp exact.json"));
    assert_eq!(normalised.stderr, "opd: note: rounded.json: initial: 1 divided by their sum\n");
    // Transitions: here every feature is a distribution, so the components of psi are.
    place.write("rounded.json", PROBLEM.replace("[\"1/2\", 0.25]", "[0.499, 0.25]").as_bytes());
    let output = opd(&place, "coverage --mdp rounded.json");
    assert!(output.stderr.contains("; did you mean \"1/2\" for 0.499? --normalise"), "{}", output.stderr);
    assert!(said(&place, "coverage --mdp rounded.json --normalise --json").starts_with('{'));
    place.write("rounded.json", with("0.5", "0.25").as_bytes());
    assert_eq!(opd(&place, "coverage --mdp rounded.json --normalise").code, Some(2), "3/4 is no rounding");
}

/// Two actions, deterministic: state 1 is reached by nobody, state 3 by policies other than the behaviour.
fn table_with_gaps() -> String {
    let next = [[2, 3], [1, 1], [0, 2], [3, 3]];
    let list = |numbers: Vec<String>| format!("[{}]", numbers.join(","));
    let unit = |pair: usize| list((0..8).map(|j| usize::from(j == pair).to_string()).collect());
    let features = (0..4).map(|x| list((0..2).map(|a| unit(2 * x + a)).collect())).collect();
    let psi =
        (0..4).map(|x| list((0..8).map(|j| usize::from(next[j / 2][j % 2] == x).to_string()).collect())).collect();
    format!(
        "{{\"discount\": 0.9, \"initial\": [1,0,0,0], \"features\": {}, \"psi\": {}, \"omega\": [0,0,1,1,0.5,0.25,1,1], \
         \"behavior\": [[1,0],[0.5,0.5],[0.5,0.5],[0.5,0.5]]}}",
        list(features),
        list(psi)
    )
}

#[test]
fn restriction_keeps_returns_and_runs() {
    let place = Place::new();
    place.write("all.json", table_with_gaps().as_bytes());
    said(&place, "sample --mdp all.json --rows 60 --out all.csv");
    let cut = json(&place, "restrict --mdp all.json --out cut.npz --data all.csv --data-out cut.csv --json");
    assert_eq!((&cut["cut"], &cut["unseen"], &cut["dim"]), (&[1].into(), &[3].into(), &6.into()));
    let absorbed =
        json(&place, "restrict --mdp all.json --absorb --out few.npz --data all.csv --data-out few.csv --json");
    assert_eq!((&absorbed["absorbed"], &absorbed["states"]), (&[3].into(), &3.into()));
    let told = said(&place, "restrict --mdp all.json --out cut.json");
    assert!(told.contains("cut: 1 state that no policy reaches") && told.contains("kept: 1 state that"), "{told}");
    let run = |name: &str, data: &str| {
        let rates = "--alpha 1 --eta 0.5 --zeta 0.5 --radius-theta 3 --radius-beta 2";
        json(&place, &format!("run --mdp {name} --data {data} --inner 6 --outer 10 {rates} --json"))
    };
    let (all, cut, few) = (run("all.json", "all.csv"), run("cut.npz", "cut.csv"), run("few.npz", "few.csv"));
    // 0.9 = γ: one step to state 3, which pays 1 for ever.
    assert!((all["values"]["optimal"].as_f64().unwrap() - 0.9).abs() < 1e-12);
    assert_eq!(all["values"]["optimal"], cut["values"]["optimal"]);
    assert!(few["values"]["optimal"].as_f64().unwrap() < 0.3);
    // The components of state 1 are gone, the others the same bits.
    let sum = |report: &serde_json::Value| report["theta_sum"].as_array().unwrap().clone();
    let mut expected = sum(&all);
    expected.drain(2..4);
    assert_eq!(sum(&cut), expected);
    // Rows that the model forbids cannot be numbered.
    place.write("bad.csv", b"x0,x,a,r,x_next\n0,0,0,0,2\n0,1,0,0,1\n");
    let output = opd(&place, "restrict --mdp all.json --out no.npz --data bad.csv --data-out no.csv");
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("bad.csv:3: column `x`: state 1 was cut"), "{}", output.stderr);
    assert!(!place.path("no.npz").exists() && !place.path("no.csv").exists());
}

/// The script for Gymnasium's tables, on a plain dictionary.
#[test]
fn a_gymnasium_table_is_a_problem() {
    let place = Place::new();
    let program = "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n\
        from gymnasium_table import problem, to_json, towards_optimal, write_npz\n\
        P = {0: {0: [(0.3333333333333333, 0, 0.0, False), (0.6666666666666667, 1, 2.0, True)], 1: [(1.0, 1, -1.0, False)]},\n\
             1: {0: [(1.0, 0, 0.0, False)], 1: [(1.0, 1, 1.0, False)]}}\n\
        table, _ = problem(P, [1.0, 0.0], 0.9)\n\
        write_npz(table, 'g.npz'); open('g.json', 'w').write(to_json(table))\n\
        three, _ = problem({0: {a: [(1.0, 0, float(a), False)] for a in range(3)}}, [1.0], 0.9)\n\
        three['behavior'] = towards_optimal(three, 0); write_npz(three, 'three.npz')\n";
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let python = Command::new("python3").args(["-c", program, examples]).current_dir(place.path("")).output();
    let Ok(python) = python else {
        eprintln!("!!! SKIPPED: no python3, so the script for Gymnasium's tables was not run");
        return;
    };
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    for file in ["npz", "json"] {
        said(&place, &format!("convert --mdp g.{file} --out from-{file}.json"));
    }
    let text = std::fs::read_to_string(place.path("from-npz.json")).unwrap();
    let name = |text: &str| text.replace("\"g\"", "\"table\"");
    assert_eq!(name(&text), name(&std::fs::read_to_string(place.path("from-json.json")).unwrap()));
    // (r + 1)/3: 1/3 · 1/3 + 2/3 · 1 at (0, 0), and what 0 became for ever after the end.
    assert!(text.contains("\"omega\": [\"7/9\", \"0\", \"1/3\", \"2/3\", \"1/3\", \"1/3\"]"), "{text}");
    // Thirds, as fractions.
    for file in ["g.npz", "three.npz"] {
        assert!(said(&place, &format!("coverage --mdp {file}")).contains("C_{φ,1}"));
    }
}
