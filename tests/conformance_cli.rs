//! `opd vectors` and `opd oracle` on what people really feed them: misspelt keys, own problems, own orders, sizes that would not finish.
#![cfg(feature = "cli")]

#[allow(dead_code)] // the other tests use the rest
mod opd;

use offline_primal_dual::conformance::cases::{self, Wish, random_like};
use offline_primal_dual::conformance::{Case, Mutation, Quantity, Setting, json, results_only, variant};
use opd::{Output, Place, opd};
use serde_json::Value;
use std::collections::BTreeSet;

fn fed(place: &Place, arguments: &str, input: &str) -> (Option<i32>, String, String) {
    let Output { code, stdout, stderr } = opd::fed(place, arguments, input.as_bytes());
    (code, stdout, stderr)
}

/// The library's own results of `opd vectors solve`, as lines.
fn solved(place: &Place, arguments: &str) -> (String, String) {
    let problems = opd(place, &format!("vectors gen {arguments}"));
    assert_eq!(problems.code, Some(0), "{}", problems.stderr);
    let (code, solved, stderr) = fed(place, "vectors solve", &problems.stdout);
    assert_eq!(code, Some(0), "{stderr}");
    (problems.stdout, solved)
}

#[test]
fn what_is_misspelt_or_contradictory_is_refused_with_file_line_and_case() {
    let place = Place::new();
    let step = "{\"t\":1,\"theta\":[0,0,0],\"beta_next\":[0,0,0]}";
    let case = |steps: &str| format!("{{\"id\":\"discounted/plain\",\"steps\":[{steps}]}}");
    let right = case(step);
    for (input, expected) in [
        (
            format!("\n{}", case("{\"t\":1,\"thete\":[0]}")),
            "standard input:2: case discounted/plain: steps[0]: top level: unknown key `thete`",
        ),
        (case("{\"t\":1,\"thete\":[0]}"), "did you mean `theta`"),
        (case("{\"t\":1,\"theta\":[0],\"theta\":[0]}"), "key `theta` given twice"),
        (case("{\"t\":1,\"T\":2}"), "unknown key `T`"),
        (case("{\"t\":0}"), "expected an integer >= 1"),
        (case("{\"t\":1,\"k\":0}"), "expected an integer >= 1"),
        (case("{\"t\":1,\"theta\":[NaN,0,0]}"), "standard input:1: found NaN, which is not JSON: write null"),
        (case("{\"t\":1,\"theta\":[-Infinity,0,0]}"), "write null"),
        (
            case(&format!("{step},{{\"t\":1,\"theta\":[0,0,1]}}")),
            "case discounted/plain: steps[1]: t = 1 is given twice, with another theta",
        ),
        (format!("{right}\n{right}"), "standard input:2: case discounted/plain given twice, first at standard input:1"),
        (right.replace("steps", "step"), "unknown key `step`"),
        (
            right.replace("\"steps\"", "\"note\":1,\"steps\""),
            "standard input:1: case discounted/plain: top level: unknown key `note`",
        ),
        (right.replace("\"steps\"", "\"order\":[0,0],\"steps\""), "order[1]: found row 0"),
        (right.replace("\"steps\"", "\"order\":[1,0],\"steps\""), "expected an order of its 9 rows"),
    ] {
        let (code, stdout, stderr) = fed(&place, "vectors check --partial", &input);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{input}");
        assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{input}: {stderr}");
    }
    // The same step twice, in parts, is one step.
    let parts = case("{\"t\":1,\"theta\":[0,0,0]},{\"t\":1,\"beta_next\":[0,0,0]},{\"t\":1,\"theta\":[0,0,0]}");
    assert_eq!(fed(&place, "vectors check --partial", &parts).0, Some(1));
    // Files: none, two that contradict each other, one with an unknown key at the top.
    for (name, text, expected) in [
        ("a.results.json", "{\"cases\":[]}".to_owned(), "no cases"),
        ("a.results.json", format!("{{\"cases\":[\n{right}\n],\"extra\":1}}"), "unknown key `extra`"),
        (
            "a.results.json",
            format!("{{\"cases\":[\n{right},\n{right}\n]}}"),
            "a.results.json:3: case discounted/plain given twice",
        ),
        (
            "b.results.jsonl",
            right.replace("\"theta\":[0,0,0]", "\"theta\":[0,0,1]"),
            "case discounted/plain has another theta (t = 1)",
        ),
    ] {
        let place = Place::new();
        std::fs::create_dir(place.path("results")).unwrap();
        if name == "b.results.jsonl" {
            place.write("results/a.results.jsonl", right.as_bytes());
        }
        place.write(&format!("results/{name}"), text.as_bytes());
        let check = opd(&place, "vectors check --partial results");
        assert!(check.code == Some(2) && check.stderr.contains(expected), "{}", check.stderr);
    }
}

#[test]
fn a_problem_of_ones_own_is_solved_and_checked() {
    let place = Place::new();
    let (problems, answers) = solved(&place, "--seed 4 --count 4 --dim 3 --outer 7");
    let (problems, answers) = (problems.replace("fresh", "mine"), answers.replace("fresh", "mine"));
    place.write("mine.jsonl", problems.as_bytes());
    let answer: Value = serde_json::from_str(answers.lines().next().unwrap()).unwrap();
    assert_eq!((answer["dim"].as_u64(), answer["outer"].as_u64()), (Some(3), Some(7)));
    assert!(
        answer["tolerances"]["theta"].as_f64().unwrap() >= answer["local_tolerances"]["beta_next"].as_f64().unwrap()
    );
    let (code, told, stderr) = fed(&place, "vectors check --problems mine.jsonl", &answers);
    assert!(code == Some(0) && told.contains("4 cases agree, 4 of them bit for bit"), "{told}{stderr}");
    // An answer is a problem too: what else it says is left aside.
    let (code, again, stderr) = fed(&place, "vectors solve", &answers);
    assert!(code == Some(0) && again == answers, "{stderr}");
    let some = answers.lines().next().unwrap();
    let (code, _, stderr) = fed(&place, "vectors check --problems mine.jsonl", some);
    assert!(code == Some(2) && stderr.contains("no result for case mine/4/1-of-4"), "{stderr}");
    // A problem of two states and three actions, the first row of which is of another.
    let small = opd(&place, "vectors gen --seed 4 --count 1 --states 2 --actions 3 --setting discounted").stdout;
    let with_first = |key: &str, index: u32| {
        let (before, rows) = small.split_once(&format!("\"{key}\":[")).unwrap();
        let (_, after) = rows.split_once(',').unwrap();
        format!("{before}\"{key}\":[{index},{after}")
    };
    for (wrong, expected) in [
        (problems.replacen("\"alpha\"", "\"alfa\"", 1), "unknown key `alfa`"),
        (problems.replacen("\"x\":[", "\"x\":[99,", 1), "case mine/4/0-of-4"),
        (problems.replacen("\"features\":[[[", "\"features\":[[[1,", 1), "expected 3 (dim)"),
        (problems.replacen("\"discount\"", "\"xi\"", 1), "xi"),
        (with_first("x0", 2), "x0[0]: found 2, expected an integer below 2"),
        (with_first("x", 2), "x[0]: found 2, expected an integer below 2"),
        (with_first("x_next", 2), "x_next[0]: found 2, expected an integer below 2"),
        (with_first("a", 3), "a[0]: found 3, expected an integer below 3"),
        (String::new(), "found nothing"),
    ] {
        let (code, stdout, stderr) = fed(&place, "vectors solve", &wrong);
        assert!(
            code == Some(2) && stdout.is_empty() && stderr.contains(expected) && stderr.lines().count() == 1,
            "{stderr}"
        );
    }
}

/// Sizes that no fixed case has are refused, with the option that makes some; so are own problems that nobody brought.
#[test]
fn what_is_not_there_is_said_with_the_way_to_it() {
    let place = Place::new();
    for (wish, said) in [
        ("--states 30", "no fixed case has |X| = 30; --seed N makes fresh ones"),
        ("--dim 7 --setting average --c 1", "no fixed case has d = 7, average, c = 1; --seed N makes fresh ones"),
        ("--outer 5 --start zero --inner 2", "no fixed case has K = 2, T = 5, start at 0; --seed N makes fresh ones"),
    ] {
        let none = opd(&place, &format!("vectors gen {wish}"));
        assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""), "{wish}");
        assert!(none.stderr.contains(said) && none.stderr.lines().count() == 1, "{}", none.stderr);
    }
    let (code, _, stderr) = fed(&place, "vectors check", "{\"id\":\"mine\",\"steps\":[]}");
    assert!(code == Some(2) && stderr.contains("problems of your own go with --problems FILE"), "{stderr}");
}

/// Own draws that are not said: refused, with the place. An action that is none is a wrong file; another action than the right one is a
/// divergence, and no distance.
#[test]
fn own_draws_must_be_said_and_actions_are_integers() {
    let place = Place::new();
    let case = cases::by_id("average/half").unwrap();
    let whole = json::results(&case.id, &case.expected().unwrap());
    let silent = json::results(&case.id, &results_only(&case.expected().unwrap()));
    let check = |flags: &str, line: &str| fed(&place, &format!("vectors check --partial {flags}"), line);
    assert_eq!(check("--own-draws", &whole).0, Some(0));
    let (code, stdout, stderr) = check("--own-draws", &silent);
    assert!(code == Some(2) && stdout.is_empty(), "{stdout}");
    let expected = "case average/half: no a_next at t = 1, k = 1, expected it in every inner step with --own-draws";
    assert!(stderr.contains(expected) && stderr.contains("standard input:1"), "{stderr}");
    // In the other setting nothing is drawn.
    let other = cases::by_id("discounted/half").unwrap();
    let other = json::results(&other.id, &results_only(&other.expected().unwrap()));
    assert_eq!(check("--own-draws", &other).0, Some(0));
    let (before, after) = whole.split_once("\"a_next\":").unwrap();
    let (drawn, after) = after.split_once(',').unwrap();
    for wrong in ["0.5", "-1", "1e400"] {
        let (code, _, stderr) = check("", &format!("{before}\"a_next\":{wrong},{after}"));
        assert!(code == Some(2) && stderr.contains("a_next"), "{wrong}: {stderr}");
    }
    let another = i32::from(drawn == "0");
    let (code, told, _) = check("", &format!("{before}\"a_next\":{another},{after}"));
    let expected = format!("a_next: found action {another}, expected action {drawn}");
    assert!(code == Some(1) && told.contains(&expected) && !told.contains("ulps"), "{told}");
    let (_, told, _) = check("--json", &format!("{before}\"a_next\":null,{after}"));
    let report: Value = serde_json::from_str(&told).unwrap();
    let first = &report["divergences"][0];
    assert!(first["field"] == "a_next" && first["ulps"].is_null(), "{told}");
}

/// Problems of two seeds: each group must be whole.
#[test]
fn every_group_of_results_is_whole() {
    let place = Place::new();
    let [one, two] = [1, 2].map(|seed| solved(&place, &format!("--seed {seed} --count 2 --inner 1 --outer 1")).1);
    let (code, _, stderr) = fed(&place, "vectors check", &format!("{one}{two}"));
    assert_eq!(code, Some(0), "{stderr}");
    let part = two.lines().next().unwrap();
    let (code, _, stderr) = fed(&place, "vectors check", &format!("{one}{part}\n"));
    assert!(code == Some(2) && stderr.contains("no result for case fresh/2/1-of-2"), "{stderr}");
}

#[test]
fn what_a_program_can_do_selects_the_cases() {
    let place = Place::new();
    for wish in ["--setting average", "--c 1", "--start zero", "--setting discounted --c 1/2"] {
        let (problems, answers) = solved(&place, wish);
        assert!(problems.lines().count() >= 1, "{wish}");
        let (code, told, stderr) = fed(&place, &format!("vectors check {wish}"), &answers);
        assert!(
            code == Some(0) && told.contains("fixed cases not compared") || wish == "--setting average",
            "{told}{stderr}"
        );
        // Without saying so, results are missing.
        if !wish.starts_with("--setting average") {
            assert_eq!(fed(&place, "vectors check", &answers).0, Some(2), "{wish}");
        }
        let (_, answers) = solved(&place, &format!("--seed 8 --count 3 {wish} --states 2"));
        let (code, told, _) = fed(&place, "vectors check", &answers);
        assert!(code == Some(0) && !told.contains("fixed cases"), "{wish}: nobody asked for fixed cases: {told}");
    }
}

/// One wrong number, the last β: where it is, how wrong, and which bound of the caller's lets it pass. γ left out is named in JSON as in text.
#[test]
fn a_verdict_in_json() {
    let place = Place::new();
    let case =
        random_like(5, 1, Wish { setting: Some(Setting::Discounted), ..Wish::default() }).unwrap().next().unwrap();
    let (trace, id) = (results_only(&case.expected().unwrap()), &case.id);
    let mut wrong = trace.clone();
    let beta = wrong.last_mut().unwrap().fields.iter_mut().find(|(field, _)| *field == Quantity::BetaNext).unwrap();
    let right = beta.1[0];
    beta.1[0] += 0.25;
    let line = json::results(id, &wrong);
    let (code, told, stderr) = fed(&place, "vectors check --json", &line);
    let report: Value = serde_json::from_str(&told).unwrap_or_else(|e| panic!("{e}: {told}{stderr}"));
    assert_eq!(
        (code, &report["pass"], &report["cases"], &report["identical"]),
        (Some(1), &false.into(), &1.into(), &0.into())
    );
    assert_eq!(report["diverging"], serde_json::json!([id]));
    let first = &report["divergences"][0];
    assert_eq!((&first["case"], &first["t"], &first["k"]), (&id.as_str().into(), &case.outer.into(), &Value::Null));
    assert_eq!((&first["field"], &first["component"]), (&"beta_next".into(), &0.into()));
    let number = |key: &str| first[key].as_f64().unwrap();
    assert!((number("expected") - right).abs() < 1e-12 && (number("found") - right - 0.25).abs() < 1e-12, "{first}");
    assert!(number("tolerance") < 1e-10 && number("ulps") > 1e9, "{first}");
    let settings = &report["settings"][0];
    assert_eq!((&settings["setting"], &settings["cases"]), (&"discounted".into(), &1.into()));
    assert_eq!(settings["fields"], serde_json::json!(["theta", "beta_next"]));
    for (bound, code) in [("beta_next=0.2", 1), ("beta_next=1e9", 0), ("theta=1e9", 1)] {
        assert_eq!(fed(&place, &format!("vectors check --tolerance {bound}"), &line).0, Some(code), "{bound}");
    }
    let broken = results_only(&variant::run::<f64>(&case, Some(Mutation::DiscountDroppedInTdError)));
    let (code, told, _) = fed(&place, "vectors check --json", &json::results(id, &broken));
    let report: Value = serde_json::from_str(&told).unwrap();
    let named: Vec<&str> =
        report["likely"].as_array().unwrap().iter().map(|bug| bug["mutation"].as_str().unwrap()).collect();
    assert!(code == Some(1) && named.contains(&"discount-dropped-in-td-error"), "{told}");
    let (code, told, _) = fed(&place, "vectors check --json", &json::results(id, &trace));
    let report: Value = serde_json::from_str(&told).unwrap();
    assert!(
        code == Some(0)
            && report["pass"] == true
            && report["identical"] == 1
            && report["likely"] == serde_json::json!([]),
        "{told}"
    );
}

/// Rows in another order: the result says which.
#[test]
fn an_order_of_ones_own_is_taken() {
    let place = Place::new();
    let (problems, _) = solved(&place, "--seed 6 --count 1 --setting discounted --inner 2 --outer 3");
    let mut problem: Value = serde_json::from_str(&problems).unwrap();
    let order = [5, 3, 0, 1, 4, 2];
    // The bits alone: a generic reader's decimals may be off by one.
    let keys: Vec<String> = problem.as_object().unwrap().keys().cloned().collect();
    for key in keys.iter().filter_map(|key| key.strip_suffix("_bits")) {
        problem.as_object_mut().unwrap().remove(key);
    }
    for key in ["x0", "x", "a", "x_next", "r_bits"] {
        let list = problem[key].as_array().unwrap().clone();
        problem[key] = order.iter().map(|row| list[*row].clone()).collect();
    }
    let (_, answer, _) = fed(&place, "vectors solve", &problem.to_string());
    let mut answer: Value = serde_json::from_str(&answer).unwrap();
    let steps = answer["steps"].take();
    let bits = |step: &Value| -> Value {
        let all = step.as_object().unwrap().iter();
        let kept = all.filter(|(key, _)| ["t", "k"].contains(&key.as_str()) || key.ends_with("_bits"));
        Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
    };
    let steps: Value = steps.as_array().unwrap().iter().map(bits).collect();
    let with = serde_json::json!({ "id": problem["id"], "order": order, "steps": steps });
    let without = serde_json::json!({ "id": problem["id"], "steps": steps });
    let (code, told, _) = fed(&place, "vectors check", &with.to_string());
    assert!(code == Some(0) && told.contains("1 case agrees, bit for bit"), "{told}");
    assert_eq!(fed(&place, "vectors check", &without.to_string()).0, Some(1));
}

/// What would not finish, or not fit, is refused in one line that names the budget; with that budget it is not refused.
#[test]
fn requests_that_would_not_finish_are_refused() {
    let place = Place::new();
    let gen_all = opd(&place, "vectors gen --seed 1 --count 18446744073709551615");
    assert!(
        gen_all.code == Some(2) && gen_all.stdout.is_empty() && gen_all.stderr.contains("--budget"),
        "{}",
        gen_all.stderr
    );
    let large = opd(&place, "vectors gen --seed 1 --count 1 --dim 1000000000");
    assert!(large.code == Some(2) && large.stderr.lines().count() == 1, "{}", large.stderr);
    let larger = opd(&place, "vectors gen --seed 1 --count 1 --dim 1000000000 --budget 1e300");
    assert!(larger.code == Some(2) && larger.stderr.contains("2^28"), "{}", larger.stderr);
    for (id, expected) in [
        ("random/1/0-of-1/S1000-A1000-d1000000", "expected an id from a prompt"),
        // 2 GB of weight, and BBᵀ, for a result of a line.
        ("random/1/0-of-1/S1-A1-d16000", "making these cases again would take about 4.1e12 operations"),
        ("fresh/1/0-of-1/S1-A1-d1-K1000-T40000-c1", "making these cases again would take about 9.6e9 bytes"),
    ] {
        let (code, stdout, stderr) = fed(&place, "vectors check", &format!("{{\"id\":\"{id}\",\"steps\":[]}}"));
        assert!(code == Some(2) && stdout.is_empty() && stderr.contains(expected), "{stderr}");
    }
    // A problem is held in memory as text, in parts and whole, before it is printed.
    for (sizes, expected) in [
        ("--states 800000 --actions 5 --dim 12 --c 1", "5.8e9 bytes"),
        ("--dim 5000 --states 1 --actions 1 --c 1/2", "1.3e11 operations"),
    ] {
        let large = opd(&place, &format!("vectors gen --seed 1 --count 1 {sizes}"));
        assert!(
            large.code == Some(2) && large.stdout.is_empty() && large.stderr.contains(expected),
            "{}",
            large.stderr
        );
    }
    let (problem, _) = solved(&place, "--seed 2 --count 1");
    let (code, stdout, stderr) = fed(&place, "vectors solve --budget 1e-9", &problem);
    assert!(code == Some(2) && stdout.is_empty() && stderr.contains("admits it"), "{stderr}");
    let factor = stderr.rsplit("--budget ").next().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(fed(&place, &format!("vectors solve --budget {factor}"), &problem).0, Some(0), "{factor}");
    let (code, stdout, _) =
        fed(&place, "oracle --budget 1e-9", "{\"id\":7,\"instance\":\"chain\",\"ask\":[\"value\"]}\n");
    assert!(code == Some(1) && stdout.contains("admits it") && stdout.contains("\"id\":7"), "{stdout}");
}

/// Counts without numbers: where one size is 0, the others are claims that no line of the file backs. Each is refused before anything of that
/// size is set aside.
#[test]
fn sizes_that_nothing_backs_are_refused() {
    let place = Place::new();
    let problem = |states: u64, actions: u64, dim: usize, inner: u64, outer: u64| {
        let vector = format!("[{}]", vec!["0"; dim].join(","));
        let features = if states == 0 { "[]".to_owned() } else { format!("[[{vector}]]") };
        format!(
            "{{\"id\":\"h\",\"setting\":\"discounted\",\"states\":{states},\"actions\":{actions},\"dim\":{dim},\"features\":{features},\
             \"discount\":0.5,\"alpha\":1,\"eta\":1,\"zeta\":1,\"radius_theta\":1,\"radius_beta\":1,\"inner\":{inner},\"outer\":{outer},\
             \"theta_start\":{vector},\"beta_start\":{vector},\"x0\":[],\"x\":[],\"a\":[],\"r\":[],\"x_next\":[]}}\n"
        )
    };
    for (problem, expected) in [
        (problem(0, 2_305_843_009_213_693_951, 1, 1, 0), "states: 0, expected at least 1"),
        (problem(0, 1_099_511_627_776, 1, 1, 0), "states: 0, expected at least 1"),
        (problem(0, 1, 1, 1, 0), "states: 0, expected at least 1"),
        (problem(1, 1, 0, 1, 0), "feature dimension: 0, expected at least 1"),
        (problem(1, 1, 1, u64::MAX, 0), "outer: 0, expected at least 1"),
        (problem(1, 1, 1, 0, u64::MAX), "inner: 0, expected at least 1"),
    ] {
        let (code, stdout, stderr) = fed(&place, "vectors solve", &problem);
        assert!(code == Some(2) && stdout.is_empty() && stderr.contains(expected), "{problem}{code:?} {stderr}");
        place.write("p.jsonl", problem.as_bytes());
        let check = "vectors check --problems p.jsonl";
        let (code, _, stderr) = fed(&place, check, "{\"id\":\"h\",\"steps\":[]}\n");
        assert!(code == Some(2) && stderr.contains(expected), "{problem}{code:?} {stderr}");
    }
    // An id is a claim too, and a line of it is short: not one of these may be made before all of them are counted.
    let id = |seed: usize| format!("{{\"id\":\"random/{seed}/0-of-1/S4-A4-d8000-K1-T1-c1\",\"steps\":[]}}\n");
    let ids: String = (0..3000).map(id).collect();
    let (code, _, stderr) = fed(&place, "vectors check --partial", &ids);
    assert!(
        code == Some(2) && stderr.contains("making these cases again would take about 1.7e10 bytes"),
        "{code:?} {stderr}"
    );
}

/// Whatever an id is, it comes back as it was written, with errors too; ragged rows are named.
#[test]
fn the_oracle_copies_ids_and_names_ragged_rows() {
    let place = Place::new();
    for id in ["123456789012345678901234567890", "1e400", "{\"b\":1,\"a\":[ 2.50 ]}", "\"\\u00e9\"", "null"] {
        for (rest, code) in
            [("\"ask\":[\"value\"]", 0), ("\"ask\":[\"nothing\"]", 1), ("\"ask\":7", 1), ("\"asks\":7", 1)]
        {
            let request = format!("{{\"instance\":\"chain\",\"id\":{id},{rest}}}\n");
            let (found, stdout, _) = fed(&place, "oracle", &request);
            let starts = stdout.starts_with(&format!("{{\"id\":{id},"));
            assert!(found == Some(code) && (starts || id == "null"), "{request}{stdout}");
        }
    }
    let instance: Value = serde_json::from_str(&opd(&place, "instances chain").stdout).unwrap();
    let (states, actions) =
        (instance["features"].as_array().unwrap().len(), instance["features"][0].as_array().unwrap().len());
    let row = |n: usize| format!("[{}]", vec![format!("\"1/{n}\""); n].join(","));
    let mut rows = vec![row(actions); states];
    rows[1] = row(actions + 1);
    let policy = format!("[{}]", rows.join(","));
    let request = format!("{{\"instance\":\"chain\",\"policy\":{policy},\"ask\":[\"value\"]}}\n");
    let (_, stdout, _) = fed(&place, "oracle", &request);
    assert!(stdout.contains(&format!("policy[1]: found {} numbers, expected {actions}", actions + 1)), "{stdout}");
    let request = "{\"instance\":\"chain\",\"thetas\":[[1],[1,2,3,4,5,6,7,8,9]],\"ask\":[\"gap\"]}\n";
    let (_, stdout, _) = fed(&place, "oracle", request);
    assert!(stdout.contains("thetas[0]: found 1 numbers"), "{stdout}");
}

/// FNV-1a, of 64 bits.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// An id stands for the same problem in every release: results that name one are checked years later.
#[test]
fn an_id_is_a_problem_for_good() {
    let place = Place::new();
    // What `vectors gen` printed up to 0.2.0, and what it prints since.
    for (wish, seed, count, suffix, moderate, fresh) in [
        ("", 7, 40, "", 0x524a_83ce_baf9_2f41, 0xa159_72e4_18c1_aba2),
        ("--setting average --c 1/2", 8, 9, "/average-half", 0x7eec_5866_500d_ab83, 0x2a00_0ae3_8154_761f),
        (
            "--states 3 --actions 2 --dim 5 --inner 4 --outer 2",
            8,
            9,
            "/S3-A2-d5-K4-T2",
            0x9e4f_8ed8_d2fb_3978,
            0x3a23_5c8a_7b10_f522,
        ),
        (
            "--start zero --c 1 --setting discounted",
            8,
            9,
            "/discounted-c1-zero",
            0x02fa_1dd5_5b97_6423,
            0x1ec5_d0f3_8fed_a3cb,
        ),
    ] {
        let old = (0..count).map(|index| cases::by_id(&format!("random/{seed}/{index}-of-{count}{suffix}")).unwrap());
        let old: String = old.map(|case| json::prompt(&case) + "\n").collect();
        assert_eq!(digest(&old), moderate, "{wish}");
        let printed = opd(&place, &format!("vectors gen --seed {seed} --count {count} {wish}")).stdout;
        assert_eq!(digest(&printed), fresh, "{wish} {:#x}", digest(&printed));
        // Half of them are the old ones under another name.
        let renamed = printed.replace("\"id\":\"fresh/", "\"id\":\"random/");
        for (index, (old, new)) in old.lines().zip(renamed.lines()).enumerate() {
            assert_eq!(old == new, index / 2 % 2 == 0, "{wish} {index}");
        }
    }
}

/// Fresh problems are as various as they should be, and no more; each is what its id makes again, and what is wished for is all that differs.
#[test]
fn fresh_problems_are_various_and_as_wished() {
    let all: Vec<Case> = cases::random(3, 600).collect();
    let sizes = |of: fn(&Case) -> usize| all.iter().map(of).collect::<BTreeSet<_>>();
    for (found, most) in [
        (sizes(|case| case.states), 8),
        (sizes(|case| case.actions), 5),
        (sizes(|case| case.dim), 12),
        (sizes(|case| case.inner), 8),
        (sizes(|case| case.outer), 6),
    ] {
        assert_eq!(found, (1..=most).collect());
    }
    // The least, the greatest and the mean of numbers that should be spread evenly.
    let even = |what: &str, numbers: &mut dyn Iterator<Item = f64>, low: f64, high: f64| {
        let numbers: Vec<f64> = numbers.collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        let width = high - low;
        assert!(least >= low && least < low + 0.1 * width, "{what}: from {least}");
        assert!(most < high && most > high - 0.1 * width, "{what}: to {most}");
        assert!((mean - f64::midpoint(low, high)).abs() < 0.05 * width, "{what}: mean {mean}");
    };
    let of = |setting| all.iter().filter(move |case| case.setting == setting);
    even("α", &mut all.iter().map(|case| case.alpha), 0.0, 2.0);
    even("η", &mut all.iter().map(|case| case.eta), 0.0, 0.5);
    even("ζ", &mut all.iter().map(|case| case.zeta), 0.0, 0.5);
    even("ξ", &mut of(Setting::Average).map(|case| case.xi), 0.0, 0.5);
    even("γ", &mut of(Setting::Discounted).map(|case| case.discount), 0.0, 1.0);
    even("r", &mut all.iter().flat_map(|case| case.samples.iter().map(|sample| sample.r)), 0.0, 1.0);
    even("u", &mut all.iter().flat_map(|case| case.samples.iter().map(|sample| sample.u)), 0.0, 1.0);
    let halves = all.iter().filter(|case| case.weight.is_some()).count();
    assert!((240..360).contains(&halves), "{halves} of 600 at c = 1/2");
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (index, case) in all.iter().enumerate() {
        case.validate().unwrap();
        assert_eq!(case.setting, Setting::ALL[index % 2]);
        assert_eq!(cases::by_id(&case.id).as_ref(), Some(case), "{}", case.id);
        assert_eq!(case.samples.len(), case.outer * case.block());
        assert!(length(&case.theta_start) <= case.radius_theta && length(&case.beta_start) <= case.radius_beta);
        assert!((0..case.states * case.actions).all(|row| length(&case.features[row * case.dim..][..case.dim]) <= 1.0));
        let d = case.dim;
        for (i, row) in case.weight.iter().flat_map(|weight| weight.chunks(d)).enumerate() {
            // I/2 and a square: symmetric, and no diagonal below 1/2.
            assert!(row[i] >= 0.5 && (0..d).all(|j| row[j] == case.weight.as_ref().unwrap()[j * d + i]));
        }
    }
    // A problem does not depend on how many there are, nor, but for what is wished for, on the wish.
    for (few, many) in cases::random(3, 6).zip(&all) {
        assert_eq!(Case { id: many.id.clone(), ..few }, *many);
    }
    let sizes = Wish { dim: Some(7), ..Wish::default() };
    for (wished, plain) in random_like(3, 6, sizes).unwrap().zip(&all) {
        assert!(sizes.admits(&wished) && wished.dim == 7 && wished.id.ends_with("/d7"), "{}", wished.id);
        assert_eq!((wished.states, wished.actions, wished.outer), (plain.states, plain.actions, plain.outer));
        assert_eq!(cases::by_id(&wished.id), Some(wished));
    }
}

/// Sizes, ids and every part of a wish.
#[test]
fn wishes_are_kept() {
    // What the largest may have, where every size is given.
    let (states, actions, dim, inner, outer) = (Some(3), Some(4), Some(5), Some(6), Some(7));
    let all_sizes = Wish {
        states,
        actions,
        dim,
        inner,
        outer,
        setting: Some(Setting::Average),
        half: Some(true),
        zero_start: false,
    };
    let case = random_like(3, 1, all_sizes).unwrap().next().unwrap();
    let weight = case.weight.as_ref().unwrap().len();
    let numbers =
        case.features.len() + weight + case.theta_start.len() + case.beta_start.len() + 6 * case.samples.len();
    assert_eq!(cases::largest(&all_sizes), numbers as f64);
    assert_eq!(cases::largest(&Wish { half: Some(false), ..all_sizes }), (numbers - weight) as f64);
    for id in [
        "random/3/0-of-1/S0",
        "random/3/0-of-1/d0-K2",
        "random/3/1-of-1",
        "random/3/0-of-1/X2",
        "average/discount-zero",
    ] {
        assert_eq!(cases::by_id(id), None, "{id}");
    }
    // Every part of a wish is one.
    let case = &cases::random(3, 1).next().unwrap();
    let (n, other) = (|n: usize| Some(n + 1), Setting::Average);
    let none = Wish::default();
    assert!(none.admits(case));
    for wish in [
        Wish { states: n(case.states), ..none },
        Wish { actions: n(case.actions), ..none },
        Wish { dim: n(case.dim), ..none },
        Wish { inner: n(case.inner), ..none },
        Wish { outer: n(case.outer), ..none },
        Wish { setting: Some(other), ..none },
        Wish { half: Some(case.weight.is_none()), ..none },
        Wish { zero_start: true, ..none },
    ] {
        assert!(!wish.admits(case), "{wish:?}");
        let made = random_like(3, 1, wish).unwrap().next().unwrap();
        assert!(wish.admits(&made) && cases::by_id(&made.id) == Some(made.clone()), "{wish:?} {}", made.id);
    }
}
