//! What the text says is what the JSON has, each number under its own name; and what other calls, held against definitions elsewhere
//! ([`super::numbers`]), say of the same thing.

use crate::opd::{Place, floats, npz, opd};
use crate::{fraction, json, said};
use serde_json::{Value, json as value};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().map_or(f64::NAN, fraction))
}

fn near(what: &str, found: &Value, expected: f64) {
    let found = number(found);
    assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{what}: found {found}, expected {expected}");
}

/// What stands after a name at the start of a line.
fn after<'t>(text: &'t str, name: &str) -> &'t str {
    let line = text.lines().find_map(|line| line.strip_prefix(name).filter(|rest| rest.starts_with(' ')));
    line.unwrap_or_else(|| panic!("{name}: {text}")).trim()
}

fn says(text: &str, lines: &[(&str, String)]) {
    for (name, expected) in lines {
        assert_eq!(after(text, name), expected, "{name}");
    }
}

/// A fraction as it is shown: whole in 24 columns, else ten digits and the lengths.
fn shown(value: &Value) -> String {
    let whole = value.as_str().unwrap();
    if whole.len() <= 24 {
        return whole.to_owned();
    }
    let (p, q) = whole.split_once('/').unwrap_or((whole, "1"));
    format!("≈ {:.10} ({}/{} digits)", fraction(whole), p.trim_start_matches('-').len(), q.len())
}

/// Ends, and as they are shown: twelve digits, rounded outward.
fn between(value: &Value, exact: f64, what: &str) -> String {
    let (low, high) = (number(&value["at_least"]), number(&value["at_most"]));
    assert!(low <= exact && exact <= high && high - low < 1e-9 * (1.0 + exact.abs()), "{what}: {exact} {value}");
    format!("in [{:.12}, {:.12}]", low - 5e-13, high + 5e-13)
}

#[test]
fn coverage_in_fractions_and_in_intervals() {
    let place = Place::new();
    let names = [("c_half", "C_{φ,1/2}"), ("c_one", "C_{φ,1}"), ("diamond", "C^⋄")];
    let (exact, text) = (json(&place, "coverage --instance chain --json"), said(&place, "coverage --instance chain"));
    says(&text, &names.map(|(key, name)| (name, shown(&exact[key]))));
    assert_eq!(after(&text, "C^† = C_{F,π}"), shown(&exact["dagger"]["at_least"]));
    let [found, text] =
        ["--json", ""].map(|flag| said(&place, &format!("coverage --instance chain --budget 0 {flag}")));
    let found: Value = serde_json::from_str(&found).unwrap();
    says(&text, &names.map(|(key, name)| (name, between(&found[key], number(&exact[key]), key))));
    assert_eq!((&exact["method"], &found["method"]), (&"exact".into(), &"enclosure".into()));
}

#[test]
fn a_certificate_in_fractions_and_in_intervals() {
    let place = Place::new();
    for (setting, instance) in [("discounted", "chain"), ("average", "ergodic")] {
        let call = format!("certify --instance {instance} --setting {setting} --inner 10 --outer 4 --seed 6");
        let exact = json(&place, &format!("{call} --json"));
        let text = said(&place, &call);
        let width = 120 - "suboptimality  ".len();
        let names = [("gap", "duality gap"), ("suboptimality", "suboptimality"), ("regret_theta", "θ-regret")];
        let more = [("regret_beta", "β-regret"), ("regret_pi", "π-regret"), ("regret_rho", "ρ-regret")];
        for (key, name) in names.into_iter().chain(more).filter(|(key, _)| !exact[key].is_null()) {
            let whole = exact[key].as_str().unwrap();
            let expected = if whole.len() <= width { whole.to_owned() } else { shown(&exact[key]) };
            assert_eq!(after(&text, name), expected, "{setting} {name}");
        }
        assert_eq!(text.contains("ρ-regret"), setting == "average");
        let enclosed = json(&place, &format!("{call} --json --budget 0"));
        let text = said(&place, &format!("{call} --budget 0"));
        let run = json(&place, &format!("run {} --json", call.strip_prefix("certify ").unwrap()));
        let optimal = number(&run["values"]["optimal"]);
        let each = enclosed["suboptimality_of_each"].as_array().unwrap();
        // π_1 is uniform, and the run's optimum and mixture are held against the definitions elsewhere.
        let first = optimal - number(&run["values"]["uniform"]);
        let middle = |value: &Value| f64::midpoint(number(&value["at_least"]), number(&value["at_most"]));
        let last = middle(&each[3]);
        let sum: f64 = each.iter().map(middle).sum();
        assert!(each.len() == 4 && (sum / 4.0 - number(&run["values"]["suboptimality"])).abs() < 1e-9, "{enclosed}");
        let within = |what: &str, value: &Value, about: f64| {
            let (low, high) = (number(&value["at_least"]), number(&value["at_most"]));
            assert!(low - 1e-12 <= about && about <= high + 1e-12 && high - low < 1e-9, "{what}: {about} {value}");
            format!("in [{:.12}, {:.12}]", low - 5e-13, high + 5e-13)
        };
        says(
            &text,
            &[
                ("optimum", within("optimum", &enclosed["optimum"], optimal)),
                ("suboptimality", between(&enclosed["suboptimality"], number(&exact["suboptimality"]), "mean")),
                ("of the first policy", within("first", &each[0], first)),
                ("of the last policy", within("last", &each[3], last)),
            ],
        );
        if setting == "discounted" {
            let ratios = json(&place, &format!("coverage --instance {instance} --json"));
            let dagger = number(&ratios["dagger"]["at_least"]);
            assert_eq!(after(&text, "C^†"), within("dagger", &enclosed["dagger"], dagger));
        }
    }
}

/// By the model, by data, and both in the units of the data; a mixture is the mean of its policies.
#[test]
fn what_a_policy_is_worth() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 900 --seed 2 --out d.csv");
    let range = "--reward-range -2 6";
    let scaled = |r: f64| 8.0 * r - 2.0;
    let rows = std::fs::read_to_string(place.path("d.csv")).unwrap();
    let mut lines = rows.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let reward = header.iter().position(|name| *name == "r").unwrap();
    let in_units = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells[reward] = scaled(cells[reward].parse().unwrap()).to_string();
        cells.join(",")
    };
    let text = format!("{}\n{}\n", header.join(","), lines.map(in_units).collect::<Vec<_>>().join("\n"));
    place.write("units.csv", text.as_bytes());
    let columns = header.iter().enumerate().map(|(at, name)| {
        let cells = text.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().parse::<f64>().unwrap());
        (format!("{name}.npy"), floats(&cells.collect::<Vec<_>>()))
    });
    let columns: Vec<(String, Vec<u8>)> = columns.collect();
    let arrays: Vec<(&str, Vec<u8>)> = columns.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    place.write("units.npz", &npz(&arrays));
    let run = format!("run --instance chain --data units.csv {range} --inner 10 --outer 3 --alpha 5 --eta 1 --zeta 1");
    let report = json(&place, &format!("{run} --policy-out p.json --json"));
    let mut by_data = Vec::new();
    for which in ["output", "last", "mixture"] {
        let call = format!("evaluate --instance chain --policy p.json --which {which} --data units.csv {range}");
        let (found, text) = (json(&place, &format!("{call} --json")), said(&place, &call));
        let (model, data) = (&found["model"], &found["data"]);
        near(which, &model["return"], number(&report["values"][which]));
        for (what, found) in [("model", model), ("data", data)] {
            near(what, &found["return_in_units"], scaled(number(&found["return"])));
        }
        // Rewards scaled back are the rewards, so the estimate is that of the rows as they were.
        let plain = call.replace("units.csv", "d.csv").replace(range, "");
        near("unscaled", &json(&place, &format!("{plain} --json"))["data"]["return"], number(&data["return"]));
        let archive = json(&place, &format!("{} --json", call.replace("units.csv", "units.npz")));
        assert_eq!(archive["data"], *data, "an archive in units");
        for key in ["optimal", "uniform"] {
            near(key, &model[key], number(&report["values"][key]));
        }
        says(
            &text,
            &[
                ("return", format!("{} (exact)", shown(&model["return"]))),
                ("optimal return", format!("{:.9}", number(&model["optimal"]))),
                ("return of the uniform policy", format!("{:.9}", number(&model["uniform"]))),
                ("return in the data's units", format!("{:.9}", number(&model["return_in_units"]))),
                (
                    "off-policy estimate",
                    format!(
                        "{:.6} by LSTDQ on {} rows with ridge 1: an estimate, no guarantee",
                        number(&data["return"]),
                        data["rows"]
                    ),
                ),
                ("estimate in the data's units", format!("{:.6}", number(&data["return_in_units"]))),
            ],
        );
        assert_eq!(number(&data["mass"]) < 0.9, text.contains("they do not cover the policy"), "{text}");
        by_data.push([number(&data["return"]), number(&data["mass"])]);
    }
    // T = 3. θ_1 is the same for both actions of a state, so π_2 is uniform as π_1 is; π_3 is the last policy of a run with T = 2.
    let judged = |outer: u32, which: &str| {
        said(&place, &run.replace("--outer 3", &format!("--outer {outer} --policy-out q.json")));
        json(&place, &format!("evaluate --instance chain --policy q.json --which {which} --data d.csv --json"))
    };
    let (first, third) = (judged(1, "output"), judged(2, "last"));
    for (part, key) in ["return", "mass"].into_iter().enumerate() {
        let [uniform, third] = [&first, &third].map(|found| number(&found["data"][key]));
        let (output, mixture) = (by_data[0][part], by_data[2][part]);
        assert!((mixture - (2.0 * uniform + third) / 3.0).abs() < 1e-9, "{key} {mixture} {uniform} {third}");
        assert!((output - uniform).abs() < 1e-9 || (output - third).abs() < 1e-9, "{key} {output} {uniform} {third}");
        assert!((uniform - third).abs() > 1e-3, "the policies are one");
    }
}

/// Ranks by plain counting, ties at their mean; the correlation of the ranks.
fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |of: &dyn Fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let rank = |x: f64| {
            pairs
                .iter()
                .map(|p| {
                    if of(p) < x {
                        1.0
                    } else if of(p) == x {
                        0.5
                    } else {
                        0.0
                    }
                })
                .sum()
        };
        pairs.iter().map(|p| rank(of(p))).collect()
    };
    let (a, b) = (ranks(&|p| p.0), ranks(&|p| p.1));
    let mean = pairs.len() as f64 / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

#[test]
fn what_a_search_says() {
    let place = Place::new();
    // The second is within two standard errors of the behaviour's return from above as well as from below.
    for (rows, splits, search) in [(200, 1, 9), (150, 1, 4), (9000, 2, 4)] {
        said(&place, &format!("sample --instance chain --rows {rows} --seed 3 --out d.csv"));
        let call = format!("tune --instance chain --data d.csv --search {search} --splits {splits} --seed 1");
        let found = json(&place, &format!("{call} --json"));
        let output = opd(&place, &call);
        let run = json(&place, &format!("{} --json", found["command"].as_str().unwrap().strip_prefix("opd ").unwrap()));
        let (truth, values) = (&found["truth"], &run["values"]);
        for key in ["optimal", "uniform", "behavior"] {
            near(key, &truth[key], number(&values[key]));
        }
        let [optimal, best, uniform] = ["optimal", "best", "uniform"].map(|key| number(&truth[key]));
        near("normalised", &truth["normalised_suboptimality"], (optimal - best) / (optimal - uniform));
        let csv = std::fs::read_to_string(place.path("d.csv")).unwrap();
        let rewards: Vec<f64> =
            csv.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse().unwrap()).collect();
        near("mean reward", &found["behavior"], rewards.iter().sum::<f64>() / f64::from(rows));
        let candidates = found["candidates"].as_array().unwrap();
        let [estimate, error, weight, effective] =
            ["estimate", "standard_error", "mean_weight", "effective_rows"].map(|key| number(&found[key]));
        let (low, high) = (number(&found["range"][0]), number(&found["range"][1]));
        assert!(low <= estimate && estimate <= high && (low == high) == (splits == 1), "{low} {estimate} {high}");
        near("the best", &candidates[0]["estimate"], estimate);
        let spread = if splits == 1 { 0.0 } else { (high - low) / std::f64::consts::SQRT_2 };
        near("its error", &found["standard_error"], number(&candidates[0]["error"]).max(spread));
        near("its weight", &candidates[0]["mass"], weight);
        if splits == 1 {
            let pairs: Vec<(f64, f64)> =
                candidates.iter().map(|line| (number(&line["estimate"]), number(&line["truth"]))).collect();
            near("rank correlation", &truth["rank_correlation"], rank_correlation(&pairs));
        } else {
            near("the middle of two", &found["estimate"], f64::midpoint(low, high));
        }
        // Within the rows of a split, four fifths of all.
        let curve = found["curve"].as_array().unwrap();
        for (before, point) in curve.iter().zip(&curve[1..]) {
            let [least, mean, most] = ["least", "mean", "most"].map(|key| number(&point[key]));
            assert!(number(&before["rows"]) < number(&point["rows"]) && least <= mean + 1e-15 && mean <= most + 1e-15);
            assert_eq!((least - most).abs() < 1e-15, splits == 1, "{point}");
        }
        let last = number(&curve[curve.len() - 1]["rows"]) / f64::from(rows);
        assert!(curve.len() >= 2 && last <= 0.8, "{last}");
        // Every warning, and none too many.
        let expected = [
            (weight < 0.9, format!("the held-out rows saw only {weight:.2} of where")),
            (effective < 100.0, format!("the estimate is worth {effective:.0} rows of equal weight")),
            (
                estimate - 2.0 * error <= number(&found["behavior"]),
                "not above the behaviour policy's return by two".to_owned(),
            ),
        ];
        let warnings: Vec<&str> = found["warnings"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
        assert_eq!(warnings.len(), expected.iter().filter(|(due, _)| *due).count(), "{warnings:?}");
        for (due, words) in &expected {
            assert_eq!(warnings.iter().any(|warning| warning.contains(words)), *due, "{words} {warnings:?}");
            assert_eq!(output.stderr.contains(words.as_str()), *due, "{words}");
        }
        the_text_of_a_search(&output.stdout, &found, search);
    }
}

/// Line by line.
fn the_text_of_a_search(text: &str, found: &Value, asked: usize) {
    let (candidates, truth, splits) = (found["candidates"].as_array().unwrap(), &found["truth"], &found["splits"]);
    let [estimate, error, weight, effective] =
        ["estimate", "standard_error", "mean_weight", "effective_rows"].map(|key| number(&found[key]));
    let [optimal, best, uniform] = ["optimal", "best", "uniform"].map(|key| number(&truth[key]));
    let (low, high) = (number(&found["range"][0]), number(&found["range"][1]));
    let rates = &found["best"];
    let [alpha, eta, zeta, theta, beta] =
        ["alpha", "eta", "zeta", "radius_theta", "radius_beta"].map(|key| number(&rates[key]));
    let all = &found["all_rows"];
    let whole = candidates.iter().filter(|line| line["whole"] == true);
    let finalists = whole.clone().filter(|line| line["splits"] == *splits).count();
    says(
        text,
        &[
            ("data", format!("d.csv, {} rows", found["rows"])),
            (
                "candidates",
                format!(
                    "{asked}{}, of which {} on all rows of a split and {finalists} on {splits} split{}, seed 1",
                    if candidates.len() > asked { ", and the one that the last round found" } else { "" },
                    whole.count(),
                    if splits == 1 { "" } else { "s" }
                ),
            ),
            (
                "best",
                format!(
                    "K {}, T {}, α {alpha:.4e}, η {eta:.4e}, ζ {zeta:.4e}, D_θ {theta:.4e}, D_β {beta:.4e}",
                    rates["inner"], rates["outer"]
                ),
            ),
            (
                "its estimated return",
                format!(
                    "{estimate:.6} ± {error:.6} (the larger of a split's standard error and the spread between splits), splits {low:.6} … {high:.6}"
                ),
            ),
            ("mean weight, effective rows", format!("{weight:.4}, {effective:.0}")),
            ("behaviour: mean reward", format!("{:.6}", number(&found["behavior"]))),
            (
                "the last policy of the call below",
                format!(
                    "{:.6} ± {:.6}, mean weight {:.4}: by the rows it learnt from",
                    number(&all["estimate"]),
                    number(&all["standard_error"]),
                    number(&all["mean_weight"])
                ),
            ),
            ("uniform policy, estimated", format!("{:.6}", number(&found["uniform"]))),
            (
                "by the model, not used",
                format!(
                    "optimal {optimal:.6}, best {best:.6}, behaviour {:.6}, uniform {uniform:.6}",
                    number(&truth["behavior"])
                ),
            ),
            (
                "normalised suboptimality",
                format!("{:.4} (uniform policy 1, optimal 0)", number(&truth["normalised_suboptimality"])),
            ),
            ("run it", found["command"].as_str().unwrap().to_owned()),
        ],
    );
}

/// Each cell of Table 1, from the runs that the JSON lists.
#[test]
fn what_table_1_says() {
    let place = Place::new();
    let call = "table1 --instance one-way --rows 120 --rows 260 --seeds 2 --candidates 2 --seed 4";
    let (found, text) = (json(&place, &format!("{call} --json")), said(&place, call));
    let table = &found["summaries"][0];
    let [optimal, uniform, behavior] = ["optimal", "uniform", "behavior"].map(|key| number(&table[key]));
    // The good action is worth 0.55 in either state, the bad one 0.1, and the data take the good one.
    assert!((optimal - 0.55).abs() < 1e-12 && (behavior - optimal).abs() < 1e-12 && (uniform - 0.325).abs() < 1e-12);
    let line = "returns: optimal 0.550000, behaviour 0.550000, uniform 0.325000; coverage C_{φ,1} 2.0000";
    assert!(text.lines().any(|found| found == line), "{text}");
    let runs = found["runs"].as_array().unwrap();
    // The search chooses the rates of all but the theorem's.
    let other = json(&place, &format!("{} --json", call.replace("--candidates 2", "--candidates 9")));
    let of = |table: &Value, method: &str| -> Vec<f64> {
        let runs = table["runs"].as_array().unwrap().iter().filter(|run| run["method"] == method);
        runs.map(|run| number(&run["suboptimality"])).collect()
    };
    assert_eq!(of(&found, "ours, theorem's rates"), of(&other, "ours, theorem's rates"));
    assert_ne!(of(&found, "ours, searched rates"), of(&other, "ours, searched rates"));
    for run in runs {
        near("normalised", &run["normalised"], number(&run["suboptimality"]) / (optimal - uniform));
    }
    for summary in table["summaries"].as_array().unwrap() {
        let mut cells = String::new();
        for (at, n) in summary["at"].as_array().unwrap().iter().zip([120, 260]) {
            let own: Vec<&Value> =
                runs.iter().filter(|run| run["method"] == summary["method"] && run["n"] == n).collect();
            let numbers = |key: &str| own.iter().map(|run| number(&run[key])).collect::<Vec<f64>>();
            let mean = |key: &str| numbers(key).iter().sum::<f64>() / 2.0;
            let values = numbers("normalised");
            let (least, most) = (values[0].min(values[1]), values[0].max(values[1]));
            assert!(own.len() == 2 && at["n"] == n && own[0]["seed"] == 4 && own[1]["seed"] == 5, "{at}");
            for (key, expected) in [
                ("mean", mean("normalised")),
                ("least", least),
                ("most", most),
                ("seconds", numbers("seconds")[0].min(numbers("seconds")[1])),
                ("passes", mean("passes")),
                ("bytes", mean("bytes")),
            ] {
                near(key, &at[key], expected);
            }
            cells += &format!("  {:.3} [{least:.3}, {most:.3}]", mean("normalised"));
        }
        let name = summary["method"].as_str().unwrap();
        // ⌈n^{2/5}⌉ rounds of an actor, 1,000 of FOGAS, one pass of ours; value iteration takes 1 to 20 horizons, of 5.
        let (least, most) = match name {
            "ATAC" | "PSPI" => (10, 10),
            "FOGAS" => (1000, 1000),
            "LSPI" => (1, 30),
            "FQI" | "VI-LCB" => (5, 100),
            _ => (1, 1),
        };
        if name.starts_with("ours") {
            let length = offline_primal_dual::paper::discounted::algorithm::State::<f64>::buffer_len(2, 3);
            near("what ours keeps", &summary["at"][1]["bytes"], (8 * length) as f64);
        }
        let passes = summary["at"][1]["passes"].as_f64().unwrap();
        assert!((f64::from(least)..=f64::from(most)).contains(&passes), "{name}: {passes}");
        let row = text.lines().find(|line| line.starts_with(name)).unwrap();
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(row).contains(&squeezed(&cells)), "{row} {cells}");
        let last = &summary["at"][1];
        let ending = format!("{:.0}", number(&last["bytes"]));
        assert!(row.split_whitespace().rev().take(2).any(|word| word == ending), "{row} {ending}");
    }
}

/// A line of `--seeds` is its band.
#[test]
fn what_several_seeds_say() {
    let place = Place::new();
    let call = "run --instance chain --inner 10 --outer 40 --seeds 3 --alpha 2 --eta 1 --zeta 1";
    let (found, text) = (json(&place, &format!("{call} --json")), said(&place, call));
    let runs = found["seeds"]["runs"].as_array().unwrap();
    for (key, name) in [("output", "return of π_J"), ("last", "last policy"), ("mixture", "mixture")] {
        let numbers: Vec<f64> = runs.iter().map(|run| number(&run[key])).collect();
        let mean = numbers.iter().sum::<f64>() / 3.0;
        let deviation = (numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 2.0).sqrt();
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(most > least, "{key} is the same for every seed");
        let band = &found["seeds"][key];
        for (part, expected) in [("mean", mean), ("deviation", deviation), ("least", least), ("most", most)] {
            near(key, &band[part], expected);
        }
        let expected = format!("{mean:.6}, from {least:.6} to {most:.6}, standard deviation {deviation:.6}");
        assert_eq!(after(&text, &format!("{name}, mean of 3 seeds")), expected, "{key}");
    }
}

/// Rows that nobody used are counted, over all epochs.
#[test]
fn what_was_not_used_is_counted() {
    let place = Place::new();
    said(&place, "sample --instance chain --rows 60 --seed 1 --out d.csv");
    for (epochs, outer, left) in [(1, 7, 18), (2, 15, 30), (3, 8, 132)] {
        let call = format!("run --instance chain --data d.csv --epochs {epochs} --inner 6 --outer {outer}");
        let told = opd(&place, &call).stderr;
        assert!(told.contains(&format!("{left} rows after those that were used")), "{call}: {told}");
    }
}

/// A rate that is given is taken, and the others stay the theorem's; speeds are rows by seconds.
#[test]
fn rates_are_the_theorems_but_for_those_given() {
    let place = Place::new();
    for (setting, instance) in [("discounted", "chain"), ("average", "ergodic")] {
        let call = format!("run --setting {setting} --instance {instance} --inner 4 --outer 5 --json");
        let plain = json(&place, &call);
        let names = ["alpha", "eta", "zeta", "xi", "radius_theta", "radius_beta"];
        for (name, factor) in names.into_iter().zip(1..).filter(|(name, _)| !plain[*name].is_null()) {
            let own = number(&plain[name]) * (1.0 + f64::from(factor) / 100.0);
            let found = json(&place, &format!("{call} --{} {own}", name.replace('_', "-")));
            near(name, &found[name], own);
            for other in names.into_iter().filter(|other| *other != name && !name.starts_with("radius")) {
                assert_eq!(found[other], plain[other], "{setting}: --{name} and {other}");
            }
        }
        near("rows", &plain["rows"], if setting == "average" { 25.0 } else { 20.0 });
        let seconds = number(&plain["elapsed_seconds"]);
        near("rows per second", &plain["rows_per_second"], number(&plain["rows"]) / seconds);
        assert!(number(&plain["samples_per_second"]) >= number(&plain["rows_per_second"]), "{plain}");
        // ‖β*‖ is the least D_β that the proof admits.
        let radius = number(&plain["radius_beta"]);
        let [below, above] =
            [0.99, 1.01].map(|share| json(&place, &format!("{call} --radius-beta {}", share * radius)));
        let told = below["no_bound"].as_str().unwrap();
        let beta: f64 = told.split(" = ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(
            told.contains("exceeds D_β = ") && (beta - radius).abs() < 1e-9 && above["bound"].is_number(),
            "{told}"
        );
    }
}

/// What differs between two traces, in JSON.
#[test]
fn a_difference_in_json() {
    let place = Place::new();
    let line = |theta: &str| format!("{{\"t\":1,\"theta\":{theta}}}\n");
    place.write("a.jsonl", line("[1.0,2.0]").as_bytes());
    place.write("b.jsonl", line("[1.0,2.0000000000000004]").as_bytes());
    place.write("c.jsonl", line("[1.0]").as_bytes());
    let compared = |other: &str| {
        let output = opd(&place, &format!("compare a.jsonl {other} --json"));
        (output.code, serde_json::from_str::<Value>(&output.stdout).unwrap())
    };
    assert_eq!(compared("a.jsonl"), (Some(0), value!({ "equal": true, "lines": 1 })));
    let (first, second) = (2.0, 2.000_000_000_000_000_4);
    let number = value!({ "equal": false, "t": 1, "k": null, "component": "theta[1]", "first": first, "second": second, "ulps": 1 });
    assert_eq!(compared("b.jsonl"), (Some(1), number));
    let only = value!({ "equal": false, "t": 1, "k": null, "difference": "t = 1, theta[1]: only in the first trace" });
    assert_eq!(compared("c.jsonl"), (Some(1), only));
    // Tables are compared row by row.
    let table = |row: &str| format!("{{\"t\":1,\"policy\":[[0.5,0.5],{row}]}}\n");
    place.write("a.jsonl", table("[0.25,0.75]").as_bytes());
    for (row, told) in [("[0.25,0.5]", "policy[1][1]"), ("[0.5,0.75]", "policy[1][0]")] {
        place.write("d.jsonl", table(row).as_bytes());
        assert_eq!(compared("d.jsonl").1["component"], told);
    }
    for row in ["[0.25]", "[0.25,0.75],[1,0]"] {
        place.write("d.jsonl", table(row).as_bytes());
        let difference = compared("d.jsonl").1["difference"].clone();
        assert!(difference.as_str().unwrap().contains("only in the"), "{difference}");
    }
}
