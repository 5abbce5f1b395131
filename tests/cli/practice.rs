//! What a practitioner meets: wide tables, any discount, pipes, random rewards, files with more columns than ours, numbers as people write them.

use crate::opd::{Place, fed, floats, integers, npy, npz, opd};
use crate::{json, said};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// A problem of an embedded instance, changed.
fn instance(place: &Place, name: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut problem = json(place, &format!("instances {name}"));
    change(&mut problem);
    problem.to_string()
}

/// A refusal of one line.
fn refused(place: &Place, arguments: &str) -> String {
    let output = opd(place, arguments);
    assert_eq!((output.code, output.stderr.lines().count()), (Some(2), 1), "{arguments}: {}", output.stderr);
    output.stderr
}

/// d³ = 1.04·10¹¹ and no elimination: the rank of one-hot features is read off.
#[test]
fn one_hot_features_may_be_wide() {
    const WIDE: usize = 4_700;
    let place = Place::new();
    let row: Vec<i64> = (0..WIDE as i64).collect();
    let bytes = |numbers: &[i64]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let unit: Vec<i64> = row.iter().map(|a| i64::from(*a == 0)).collect();
    let problem = npz(&[
        ("features.npy", npy("<i8", &format!("(1, {WIDE})"), &bytes(&row))),
        ("omega.npy", integers(&unit)),
        ("psi.npy", npy("<i8", &format!("(1, {WIDE})"), &bytes(&vec![1; WIDE]))),
        ("initial.npy", integers(&[1])),
        ("behavior.npy", npy("<i8", &format!("(1, {WIDE})"), &bytes(&unit))),
        ("discount.npy", npy("<f8", "()", &0.5_f64.to_le_bytes())),
    ]);
    place.write("wide.npz", &problem);
    assert!(said(&place, "coverage --mdp wide.npz --budget 0").contains("rigorous intervals"));
}

/// μ_B of a solve in doubles sums to 1 up to ε/(1−γ).
#[test]
fn any_discount_can_be_sampled() {
    let place = Place::new();
    for name in ["rotated", "chain"] {
        for discount in ["0.99", "0.999", "0.99999", "0.9999999"] {
            place.write("p.json", instance(&place, name, |p| p["discount"] = discount.into()).as_bytes());
            assert_eq!(said(&place, "sample --mdp p.json --rows 20").lines().count(), 21, "{name} {discount}");
        }
    }
    place.write("p.json", instance(&place, "rotated", |p| p["discount"] = "0.99".into()).as_bytes());
    said(&place, "run --mdp p.json --inner 5 --outer 5");
    said(&place, "certify --mdp p.json --inner 2 --outer 2");
}

/// A pipe has a problem once, and rows once.
#[cfg(unix)]
#[test]
fn what_comes_through_a_pipe_is_read_once() {
    let place = Place::new();
    let text = said(&place, "instances chain");
    said(&place, "convert --instance chain --out chain.npz");
    for input in [text.as_bytes(), &fs::read(place.path("chain.npz")).unwrap()] {
        for call in ["coverage", "certify --inner 3 --outer 2", "evaluate --policy policy.json"] {
            said(&place, "run --instance chain --inner 2 --outer 2 --policy-out policy.json");
            let output = fed(&place, &format!("{call} --mdp /dev/stdin"), input);
            assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{call}");
            assert_eq!(
                output.stdout,
                said(&place, &format!("{call} --mdp chain.npz")).replace("chain.npz", "/dev/stdin")
            );
        }
    }
    let rows = said(&place, "sample --instance chain --rows 100");
    let output = fed(&place, "run --instance chain --data /dev/stdin", rows.as_bytes());
    let once =
        "opd: --data /dev/stdin: a pipe or device is read once, expected --inner and --outer, and no Λ̂ from it\n";
    assert_eq!((output.code, output.stderr.as_str()), (Some(2), once));
    let output = fed(&place, "run --instance chain --data /dev/stdin --inner 10 --outer 10", rows.as_bytes());
    assert_eq!(output.code, Some(0), "{}", output.stderr);
}

/// In doubles 1/3 three times is 1 as it stands, exactly it is not: it is the exact problem that is divided, and told of once.
#[test]
fn what_is_normalised_is_told_once() {
    let place = Place::new();
    let third = Value::from(0.333_333_333_333_333_3);
    let change = |p: &mut Value| {
        let states = p["initial"].as_array().unwrap().len();
        p["initial"] = (0..states).map(|x| if x < 3 { third.clone() } else { 0.into() }).collect();
    };
    place.write("p.json", instance(&place, "chain", change).as_bytes());
    let expected = "opd: note: p.json: initial: 1 divided by their sum\n";
    for call in ["coverage", "certify --inner 2 --outer 2", "run --inner 2 --outer 2", "sample --rows 1"] {
        let output = opd(&place, &format!("{call} --mdp p.json --normalise"));
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), expected), "{call}");
    }
}

/// Where every policy is optimal, no policy's lack is a multiple of the uniform one's.
#[test]
fn nothing_is_divided_by_nothing() {
    let place = Place::new();
    let call = "table1 --instance nearly-collinear --rows 100 --seeds 1 --candidates 2";
    let told = said(&place, &format!("{call} --html t.html"));
    let page = fs::read_to_string(place.path("t.html")).unwrap();
    assert!(told.contains("\n–: the uniform policy is optimal, there is nothing to divide by\n"), "{told}");
    let table = json(&place, &format!("{call} --json"));
    assert!(table["runs"].as_array().unwrap().iter().all(|run| run["normalised"].is_null()));
    assert!(table["summaries"][0]["summaries"][0]["at"][0]["mean"].is_null());
    said(&place, "sample --instance nearly-collinear --rows 200 --out nc.csv");
    let call = "tune --instance nearly-collinear --data nc.csv --search 4";
    let searched = said(&place, call);
    assert!(searched.contains(" – (the uniform policy is optimal, "), "{searched}");
    assert!(json(&place, &format!("{call} --json"))["truth"]["normalised_suboptimality"].is_null());
    for text in [told, page, searched] {
        let words = |c: char| !c.is_alphanumeric() && c != '-';
        assert!(text.split(words).all(|word| !["NaN", "inf", "-inf"].contains(&word)), "{text}");
    }
}

/// A wheel that pays 1 with the model's probability: the means agree. Pays that are less do not.
#[test]
fn random_rewards_are_held_against_their_mean() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 4000 --seed 3 --out d.csv");
    let rows = fs::read_to_string(place.path("d.csv")).unwrap();
    // Low-discrepancy draws: each reward is 1 with the model's probability.
    let drawn = |share: f64| -> String {
        let mut u = 0.5_f64;
        let draw = |(at, line): (usize, &str)| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            if at > 0 {
                u = (u + 0.618_033_988_749_894_9).fract();
                let pays = u < share * cells[3].parse::<f64>().unwrap();
                cells[3] = u8::from(pays).to_string();
            }
            cells.join(",") + "\n"
        };
        rows.lines().enumerate().map(draw).collect()
    };
    let call = "run --instance chain --data r.csv --inner 10 --outer 400";
    place.write("r.csv", drawn(1.0).as_bytes());
    let output = opd(&place, call);
    assert_eq!(output.code, Some(0));
    assert!(output.stderr.starts_with("opd: note: rewards vary within a pair, as at (x, a) = ("), "{}", output.stderr);
    assert!(
        !output.stderr.contains("contradict") && output.stdout.contains("no bound: rewards vary"),
        "{}",
        output.stdout
    );
    place.write("r.csv", drawn(0.5).as_bytes());
    let output = opd(&place, call);
    assert!(output.stderr.contains("the data contradict the model: the mean of "), "{}", output.stderr);
    assert!(output.stdout.contains("no bound: the data contradict the model: the mean of "), "{}", output.stdout);
}

/// States 0 and 2 of three; everything else in the file is copied.
fn gap(place: &Place) {
    place.write(
        "p.json",
        br#"{"discount": 0.5, "initial": [1,0,0], "features": [[[1,0,0]],[[0,1,0]],[[0,0,1]]], "omega": [0,1,1],
            "psi": [[0,1,1],[0,0,0],[1,0,0]], "behavior": [[1],[1],[1]]}"#,
    );
}

#[test]
fn restriction_copies_what_it_does_not_number() {
    let place = Place::new();
    gap(&place);
    // No x0, another name, other units, marks, and two columns that are not ours.
    place.write(
        "d.csv",
        b"id,state,a,r,x_next,terminal,\"no, te\"\n7,0,0,-3,2,False,\"a, b\"\n8,2,0,5,0,True,c\n9,2.0,0,1e0,0,False,\n",
    );
    let flags = "--column x=state --reward-range -3 5";
    let call = |data: &str, out: &str| {
        let call = format!("restrict --mdp p.json --out q.json --data {data} --data-out {out} {flags}");
        assert!(said(&place, &call).contains("numbered anew, in their order, in the data too"));
        fs::read(place.path(out)).unwrap()
    };
    let expected =
        "id,state,a,r,x_next,terminal,\"no, te\"\n7,0,0,-3,1,False,\"a, b\"\n8,1,0,5,0,True,c\n9,1,0,1e0,0,False,\n";
    assert_eq!(String::from_utf8(call("d.csv", "e.csv")).unwrap(), expected);
    // An archive where the name says so, and back.
    assert!(call("d.csv", "e.npz").starts_with(b"PK"));
    let run = |data: &str| {
        let radii = "--radius-theta 3 --radius-beta 2";
        said(&place, &format!("run --mdp q.json --data {data} {flags} {radii} --inner 1 --outer 3 --trace t.jsonl"));
        fs::read(place.path("t.jsonl")).unwrap()
    };
    assert_eq!(run("e.csv"), run("e.npz"));
    place.write("all.json", &fs::read(place.path("q.json")).unwrap());
    said(&place, &format!("restrict --mdp all.json --out r.json --data e.npz --data-out f.csv {flags}"));
    let back = fs::read_to_string(place.path("f.csv")).unwrap();
    assert_eq!(back, "id,state,a,r,x_next,terminal,\"no, te\"\n7,0,0,-3,1,0,\"a, b\"\n8,1,0,5,0,1,c\n9,1,0,1,0,0,\n");
    place.write(
        "n.npz",
        &npz(&[
            ("x.npy", integers(&[0, 2])),
            ("a.npy", integers(&[0, 0])),
            ("r.npy", floats(&[0.0, 1.0])),
            ("x_next.npy", integers(&[2, 0])),
            ("x0.npy", integers(&[0, 0])),
            ("w.npy", floats(&[0.1, 2.0])),
            ("v.npy", integers(&[1])),
        ]),
    );
    let output = opd(&place, "restrict --mdp p.json --out q.json --data n.npz --data-out n.csv");
    assert_eq!(output.stderr, "opd: note: n.npz: `v` is of length 1, not copied\n");
    assert_eq!(fs::read_to_string(place.path("n.csv")).unwrap(), "x,a,r,x_next,x0,w\n0,0,0,1,0,0.1\n1,0,1,0,0,2\n");
}

/// A policy file that contradicts itself is refused; a table alone will do.
#[test]
fn tables_of_policies_are_held_against_their_sums() {
    let place = Place::new();
    said(&place, "run --instance chain --inner 10 --outer 20 --alpha 0.2 --policy-out p.json");
    let whole: Value = serde_json::from_str(&fs::read_to_string(place.path("p.json")).unwrap()).unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = whole.clone();
        change(&mut file);
        place.write("q.json", file.to_string().as_bytes());
    };
    let call = "evaluate --instance chain --policy q.json";
    for (change, told) in [
        (
            &(|file: &mut Value| file["output_table"][0][0] = 2.into()) as &dyn Fn(&mut Value),
            "q.json: output_table[0]: found sum ",
        ),
        (
            &|file| file["last_table"][1] = serde_json::json!([-1, 2]),
            "q.json: last_table[1][0]: found -1, expected a probability >= 0",
        ),
        (&|file| file["last_table"][0] = serde_json::json!([1, 0]), "q.json: last_table[0][0]: found 1, expected 0."),
        (&|file| file["output_index"] = 0.into(), "q.json: output_index: found 0, expected 1 <= J <= 20 = outer"),
        (
            &|file| file["output_index"] = 1_000_000_000.into(),
            "q.json: output_index: found 1000000000, expected 1 <= J <= 20",
        ),
        (&|file| file["output_theta_sum"][0] = 1e6.into(), "q.json: output_theta_sum[0]: found 1000000, expected "),
        (&|file| drop(file["last_table"].as_array_mut().unwrap().pop()), "q.json: last_table: found "),
    ] {
        with(change);
        assert!(refused(&place, call).contains(told), "{told}: {}", refused(&place, call));
    }
    with(&|file| *file = serde_json::json!({"setting": "discounted", "output_table": file["output_table"]}));
    let strip = |text: String| {
        text.lines().skip(1).map(|line| line.split("  ").next().unwrap().to_owned() + line).collect::<String>()
    };
    let number = |text: &str| json(&place, &format!("{text} --json"))["model"]["return"].clone();
    let value = |fraction: &Value| crate::fraction(fraction.as_str().unwrap());
    let (alone, sums) = (number(call), number("evaluate --instance chain --policy p.json"));
    assert!((value(&alone) - value(&sums)).abs() < 1e-12 && !strip(said(&place, call)).is_empty());
    assert!(refused(&place, &format!("{call} --which last")).contains("found no `last_theta_sum` and no `last_table`"));
}

#[test]
fn a_column_has_one_name() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 4 --out d.csv");
    let call = "run --instance chain --data d.csv --inner 2 --outer 2";
    let told = refused(&place, &format!("{call} --column x=x --column x=x_next"));
    assert_eq!(told, "opd: --column: found x=x and x=x_next, expected one name for a column\n");
    let output = opd(&place, &format!("{call} --column x=x_next"));
    assert!(output.stderr.contains("`x_next` is taken for x and x_next"), "{}", output.stderr);
}

/// Whatever a person writes: `1e1`, `5.`, `.5`, `1.0`.
#[test]
fn integers_and_exponents_are_read_as_written() {
    let place = Place::new();
    let plain = said(&place, "sample --instance chain --rows 10 --seed 3");
    for rows in ["1e1", "10.", "10.0", "1.0E1"] {
        assert_eq!(plain, said(&place, &format!("sample --instance chain --rows {rows} --seed 3.")), "{rows}");
    }
    let call = |c: &str| json(&place, &format!("tune --instance chain --samples 1e6 --c {c} --json"))["inner"].clone();
    assert_eq!((call(".5"), call("1.0")), (call("1/2"), call("1")));
    assert!(refused(&place, "sample --instance chain --rows 1.5").contains("expected an integer >= 1"));
}

/// What is wrong, of what, and what to do.
#[test]
fn complaints_name_what_is_wrong() {
    let place = Place::new();
    assert_eq!(refused(&place, "vectors"), "opd: vectors: no command after it, expected one of gen, solve, check\n");
    place.write("h.csv", b"x0,x,a,r,x_next\n");
    assert_eq!(refused(&place, "run --instance chain --data h.csv"), "opd: h.csv: found no rows, expected some\n");
    said(&place, "sample --instance chain --rows 100 --out d.csv");
    let run = "run --instance chain --data d.csv";
    assert!(refused(&place, &format!("{run} --absorbing -1")).contains("expected a state, an integer >= 0"));
    for flags in ["", "--inner 5 --outer 5"] {
        let told = refused(&place, &format!("{run} {flags} --radius-theta 1e-200"));
        assert!(told.contains("the theorem has none at D_θ = 1e-200, D_β = "), "{told}");
    }
    assert!(refused(&place, "table1 --instance chain --rows 1").contains("--rows: found 1, expected more"));
    let large = instance(&place, "chain", |p| p["omega"][0] = 3.into());
    place.write("p.json", large.as_bytes());
    assert!(refused(&place, "coverage --mdp p.json").contains("(r − LO)/(HI − LO)"));
    assert!(said(&place, "sample --instance chain --rows 1 --out one.csv").starts_with("one.csv: 1 row, seed"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_of() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    for call in ["--help", "run --help", "--version", "man"] {
        let output = Command::new(env!("CARGO_BIN_EXE_opd")).args(call.split(' ')).stdout(full()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{call}: {told}");
        assert!(told.starts_with("opd: standard output: cannot write: "), "{call}: {told}");
    }
}

/// 3,000 × 3,000 doubles and what is made of them, in 60 MB.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_one_line() {
    let place = Place::new();
    let count = 3_000_usize;
    let zeros = vec![0_u8; 8 * count * count];
    place.write("p.npz", &npz(&[("features.npy", npy("<f8", &format!("({count}, 1, {count})"), &zeros))]));
    let call = format!("ulimit -v 60000; {} coverage --mdp p.npz", env!("CARGO_BIN_EXE_opd"));
    let output = Command::new("bash").args(["-c", &call]).current_dir(place.path(".")).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains("p.npz: features: found 9000000 numbers, expected fewer than the memory holds"), "{told}");
}

/// What the search judged is the last policy; the calls that it prints judge it too.
#[test]
fn the_calls_of_a_search_judge_what_the_search_judged() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 400 --out d.csv");
    let call = "tune --instance chain --data d.csv --search 4";
    let found = json(&place, &format!("{call} --json"));
    let told = said(&place, call);
    for (key, name) in [("command", "run it"), ("evaluate", "judge it")] {
        let command = found[key].as_str().unwrap();
        assert!(told.lines().any(|line| line.starts_with(name) && line.ends_with(command)), "{told}");
    }
    assert!(told.contains("the last policy of the call below"), "{told}");
    said(&place, found["command"].as_str().unwrap().strip_prefix("opd ").unwrap());
    let judged = json(&place, &format!("{} --json", found["evaluate"].as_str().unwrap().strip_prefix("opd ").unwrap()));
    let (value, best) = (crate::fraction(judged["model"]["return"].as_str().unwrap()), &found["truth"]["best"]);
    assert!((value - best.as_f64().unwrap()).abs() < 1e-9, "{value} {best}");
    let estimate = (judged["data"]["return"].as_f64().unwrap(), found["all_rows"]["estimate"].as_f64().unwrap());
    assert!((estimate.0 - estimate.1).abs() < 1e-9, "{estimate:?}");
}
