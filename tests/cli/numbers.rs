//! Every number that `run`, `coverage`, `tune`, `certify`, `oracle` and their reports print, against the definitions written out once more
//! in [`reference`]. The doubles of both sides agree to 10⁻⁹ of their size, which no wrong formula does.

mod reference;
mod sides;

use crate::opd::Place;
use crate::{json, said};
pub use reference::MODEL;
use reference::{A, BEHAVIOR, INITIAL, Iterate, OMEGA, PHI, PSI, Point, Policy, S, Setup, number};
use serde_json::{Value, json as value};
use std::io::Write as _;
use std::process::{Command, Stdio};

fn near(what: &str, found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{what}: found {found}, expected {expected}");
}

fn all_near(what: &str, found: &Value, expected: &[f64]) {
    let found: Vec<f64> = found.as_array().unwrap_or_else(|| panic!("{what}: {found}")).iter().map(number).collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        near(&format!("{what}[{i}]"), *x, *y);
    }
}

/// All four kinds of run: (average, c = 1/2).
const KINDS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];
const SEED: u64 = 11;

/// Rates at which the policies move and both projections bite.
fn setup(average: bool, half: bool) -> Setup {
    let (radius_theta, radius_beta) = (1.5, 0.6);
    Setup { average, half, inner: 4, outer: 7, alpha: 0.7, eta: 0.45, zeta: 0.35, xi: 0.3, radius_theta, radius_beta }
}

fn flags(setup: &Setup) -> String {
    let Setup { average, half, inner, outer, alpha, eta, zeta, xi, radius_theta, radius_beta } = setup;
    let (name, c) = (if *average { "average" } else { "discounted" }, if *half { "1/2" } else { "1" });
    let xi = if *average { format!("--xi {xi}") } else { String::new() };
    format!(
        "--mdp m.json --data d.csv --setting {name} --c {c} --inner {inner} --outer {outer} --alpha {alpha} --eta {eta} --zeta {zeta} {xi} \
         --radius-theta {radius_theta} --radius-beta {radius_beta} --seed {SEED}"
    )
}

fn place_with_rows(setup: &Setup) -> (Place, Vec<reference::Row>) {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    let name = if setup.average { "average" } else { "discounted" };
    let count = setup.outer * (setup.inner + usize::from(setup.average));
    said(&place, &format!("sample --mdp m.json --setting {name} --rows {count} --seed 5 --out d.csv"));
    let rows = reference::rows(&std::fs::read_to_string(place.path("d.csv")).unwrap());
    (place, rows)
}

#[test]
fn what_a_run_reports() {
    for (average, half) in KINDS {
        let setup = setup(average, half);
        let (place, rows) = place_with_rows(&setup);
        let (iterates, end) = reference::run(&setup, &rows);
        let report = json(&place, &format!("run {} --json", flags(&setup)));
        let last = iterates.last().unwrap();
        all_near("theta", &report["theta"], &last.theta);
        all_near("theta_sum", &report["theta_sum"], &end.theta_sum);
        all_near("beta", &report["beta"], &end.beta);
        if average {
            near("rho", number(&report["rho"]), last.rho);
        }
        near("‖θ‖", number(&report["norms"]["theta"]), reference::length(last.theta));
        near("‖β‖", number(&report["norms"]["beta"]), reference::length(end.beta));
        near("‖Σθ‖", number(&report["norms"]["theta_sum"]), reference::length(end.theta_sum));
        let j = reference::output_index(SEED, setup.outer);
        assert_eq!(report["output_index"], j);
        let best = reference::worth(average, &reference::best(average));
        let mean = iterates.iter().map(|i| reference::worth(average, &i.policy)).sum::<f64>() / 7.0;
        let chosen = &iterates[usize::try_from(j).unwrap() - 1].policy;
        let expected = [
            ("optimal", best),
            ("output", reference::worth(average, chosen)),
            ("last", reference::worth(average, &end.policy)),
            ("mixture", mean),
            ("suboptimality", best - mean),
        ];
        for (key, expected) in expected {
            near(key, number(&report["values"][key]), expected);
        }
        // None of them can stand for another.
        let apart = |a: f64, b: f64| (a - b).abs() > 1e-6;
        assert!(apart(expected[1].1, expected[2].1) && apart(expected[1].1, expected[3].1), "{expected:?}");
        let text = said(&place, &format!("run {}", flags(&setup)));
        let start = text.find("return of the mixture").unwrap_or_else(|| panic!("{text}"));
        let mixture = &text[start..start + text[start..].find(", suboptimality").unwrap() + ", suboptimality".len()];
        let shown = |words: &str| -> f64 {
            let rest = text.split(words).nth(1).unwrap_or_else(|| panic!("{words}: {text}"));
            let word = rest.trim_start().split([' ', ',', '\n']).next().unwrap();
            word.parse().unwrap_or_else(|_| panic!("{word} after {words}"))
        };
        for (words, expected) in [
            ("optimal return", best),
            ("return of π_J", expected[1].1),
            ("return of the last policy", expected[2].1),
            ("return of the mixture of π_1 … π_T", mean),
            (mixture, best - mean),
            ("‖θ_T‖", reference::length(last.theta)),
            ("‖β_{T+1}‖", reference::length(end.beta)),
            ("‖Σθ‖", reference::length(end.theta_sum)),
        ] {
            assert!((shown(words) - expected).abs() <= 6e-7, "{words}: {} and {expected}", shown(words));
        }
    }
}

#[test]
fn what_the_theorems_promise() {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    for (average, half) in KINDS {
        let (name, c) = (if average { "average" } else { "discounted" }, if half { "1/2" } else { "1" });
        let best = reference::best(average);
        let [c_half, c_one, ..] = reference::coverage(average, &best);
        let flags = format!("--mdp m.json --setting {name} --c {c} --outer 50");
        let tuned = json(&place, &format!("tune {flags} --json"));
        let (d_theta, d_beta) = (number(&tuned["radius_theta"]), number(&tuned["radius_beta"]));
        near("D_β", d_beta, if half { c_half } else { c_one }.sqrt());
        if !average {
            let psi: Point = std::array::from_fn(|i| PSI.iter().map(|psi| psi[i].abs()).sum());
            let expected = reference::length(OMEGA) + reference::length(psi) / (1.0 - 0.8);
            near("D_θ", d_theta, expected);
        }
        let promised = reference::promised(average, half, (d_theta, d_beta), None, 50);
        let [theta, beta, rho] = promised.moments;
        let [alpha, eta, zeta, xi] = promised.rates;
        let rows = (promised.inner + f64::from(u8::from(average))) * 50.0;
        let mut expected = vec![
            ("inner", promised.inner),
            ("outer", 50.0),
            ("rows", rows),
            ("alpha", alpha),
            ("eta", eta),
            ("zeta", zeta),
        ];
        expected.extend([("g_theta_squared", theta), ("g_beta_squared", beta), ("bound", promised.bound)]);
        if average {
            expected.extend([("g_rho_squared", rho), ("xi", xi)]);
        }
        for (key, expected) in expected {
            near(&format!("{name} {c} {key}"), number(&tuned[key]), expected);
        }
        let text = said(&place, &format!("tune {flags}"));
        let mut lines = vec![
            ("K, T, n", format!("{}, 50, {rows}", promised.inner)),
            ("α", format!("{alpha:.6}")),
            ("η", format!("{eta:.6}")),
            ("ζ", format!("{zeta:.6}")),
            ("D_φ", "1.000000".to_owned()),
            ("D_θ, D_β", format!("{d_theta:.6}, {d_beta:.6}")),
            ("G_θ², G_β²", format!("{theta:.6}, {beta:.6}")),
        ];
        if average {
            lines.extend([("ξ", format!("{xi:.6}")), ("G_ρ²", format!("{rho:.6}"))]);
        }
        for (words, expected) in lines {
            let found =
                text.lines().find_map(|line| line.strip_prefix(words)).unwrap_or_else(|| panic!("{words}: {text}"));
            assert_eq!(found.trim(), expected, "{name} {c} {words}");
        }
        // A run at the theorem's rates promises the same, for its own K.
        let report = json(&place, &format!("run {flags} --inner 9 --json"));
        let promised = reference::promised(average, half, (d_theta, d_beta), Some(9), 50);
        near("bound of a run", number(&report["bound"]), promised.bound);
        near("η of a run", number(&report["eta"]), promised.rates[1]);
        the_bound_is_drawn(&place, average, half, (d_theta, d_beta));
    }
}

/// The page of a short run at the theorem's rates: the average suboptimality up to t, and the theorem's right side for t iterations.
fn the_bound_is_drawn(place: &Place, average: bool, half: bool, radii: (f64, f64)) {
    let (name, c) = (if average { "average" } else { "discounted" }, if half { "1/2" } else { "1" });
    said(place, &format!("sample --mdp m.json --setting {name} --rows 30 --seed 5 --out d.csv"));
    let (inner, outer) = (4, 6);
    said(
        place,
        &format!(
            "run --mdp m.json --data d.csv --setting {name} --c {c} --inner {inner} --outer {outer} --html b.html"
        ),
    );
    let [alpha, eta, zeta, xi] = reference::promised(average, half, radii, Some(inner), outer).rates;
    let setup =
        Setup { average, half, inner, outer, alpha, eta, zeta, xi, radius_theta: radii.0, radius_beta: radii.1 };
    let (iterates, _) =
        reference::run(&setup, &reference::rows(&std::fs::read_to_string(place.path("d.csv")).unwrap()));
    let best = reference::best(average);
    let measured = (1..=outer).map(|t| reference::regrets(average, half, &best, &iterates[..t])[0]).collect();
    let bound = (1..=outer).map(|t| reference::right_side(&setup, t)).collect();
    let page = std::fs::read_to_string(place.path("b.html")).unwrap();
    let trivial = vec![1.0; outer];
    figure_shows(&page, "Average suboptimality up to t of this run, and", &[measured, bound, trivial], Scale::Log);
}

#[test]
fn what_coverage_says() {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    let found = json(&place, "coverage --mdp m.json --json");
    let [c_half, c_one, diamond, dagger] = reference::coverage(false, &reference::best(false));
    near("C_{φ,1/2}", number(&found["c_half"]), c_half);
    near("C_{φ,1}", number(&found["c_one"]), c_one);
    near("C^⋄", number(&found["diamond"]), diamond);
    near("C^†, from below", number(&found["dagger"]["at_least"]), dagger);
    near("C^†, from above", number(&found["dagger"]["at_most"]), dagger);
}

/// The lines of a figure in pixels, and the ends of its vertical axis.
fn drawn(page: &str, caption: &str) -> (Vec<Vec<(f64, f64)>>, f64, f64) {
    let start =
        page.split("<figcaption>").find(|part| part.starts_with(caption)).unwrap_or_else(|| panic!("{caption}"));
    let figure = start.split("</figure>").next().unwrap();
    let points = |line: &str| -> Vec<(f64, f64)> {
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let point = |text: &str| text.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap();
        points.split_whitespace().map(point).collect()
    };
    let axis = points(figure.split("<polyline").nth(1).unwrap());
    let lines = figure.split("<polyline").filter(|line| line.contains("stroke-width=\"2\"")).map(points).collect();
    (lines, axis[0].1, axis[1].1)
}

/// How a figure is measured: from 0 to a twentieth above the greatest, or in logarithms with a twentieth on both sides.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    FromZero,
    Log,
}

/// A figure shows these numbers for t = 1 … T, to a pixel or two.
fn figure_shows(page: &str, caption: &str, expected: &[Vec<f64>], scale: Scale) {
    let (lines, top, bottom) = drawn(page, caption);
    let logarithms = scale == Scale::Log;
    let expected: Vec<Vec<f64>> =
        expected.iter().map(|line| line.iter().map(|y| if logarithms { y.log10() } else { *y }).collect()).collect();
    assert_eq!(lines.len(), expected.len(), "{caption}");
    let least = expected.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let most = expected.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.05 * (most - least);
    let low = if scale == Scale::FromZero { least.min(0.0) } else { least - margin };
    let pixel = (most + margin - low) / (bottom - top);
    for (line, values) in lines.iter().zip(&expected) {
        assert_eq!(line.len(), values.len(), "{caption}: points");
        let (first, last) = (line[0].0, line[line.len() - 1].0);
        assert!(last - first > 250.0, "{caption}: from {first} to {last}");
        for (t, ((x, y), value)) in line.iter().zip(values).enumerate() {
            let found = low + (bottom - y) * pixel;
            assert!((found - value).abs() <= 2.0 * pixel, "{caption}: {found} at t = {}, expected {value}", t + 1);
            let there = first + (last - first) * t as f64 / (values.len() - 1) as f64;
            assert!((x - there).abs() <= 1.0, "{caption}: t = {} is at {x}, expected {there}", t + 1);
        }
    }
}

#[test]
fn what_a_certificate_says_and_what_the_pages_draw() {
    for (average, half) in KINDS {
        let setup = setup(average, half);
        let (place, rows) = place_with_rows(&setup);
        let (iterates, _) = reference::run(&setup, &rows);
        let best = reference::best(average);
        let certificate = json(&place, &format!("certify {} --html c.html --json", flags(&setup)));
        let [lost, theta, beta, pi, rho] = reference::regrets(average, half, &best, &iterates);
        let mut expected = vec![
            ("gap", lost),
            ("suboptimality", lost),
            ("regret_theta", theta),
            ("regret_beta", beta),
            ("regret_pi", pi),
        ];
        if average {
            expected.push(("regret_rho", rho));
        }
        for (key, expected) in expected {
            near(&format!("{average} {half} {key}"), number(&certificate[key]), expected);
        }
        near("the regrets' sum", theta + beta + pi + rho, lost);
        let comparator: Vec<f64> = best.concat();
        let found: Vec<Value> = certificate["comparator"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|row| row.as_array().unwrap())
            .cloned()
            .collect();
        all_near("comparator", &Value::Array(found), &comparator);
        // The pages of both commands.
        let up_to: Vec<[f64; 5]> = (1..=7).map(|t| reference::regrets(average, half, &best, &iterates[..t])).collect();
        let line = |part: usize| up_to.iter().map(|regrets| regrets[part]).collect::<Vec<f64>>();
        let mut lines = vec![line(0), line(1), line(2), line(3)];
        if average {
            lines.push(line(4));
        }
        let page = std::fs::read_to_string(place.path("c.html")).unwrap();
        figure_shows(&page, "Average suboptimality up to t and the regrets", &lines, Scale::FromZero);
        said(&place, &format!("run {} --html r.html", flags(&setup)));
        let page = std::fs::read_to_string(place.path("r.html")).unwrap();
        figure_shows(&page, "Average suboptimality up to t and the regrets", &lines, Scale::FromZero);
        let worth = |i: &Iterate| reference::worth(average, &best) - reference::worth(average, &i.policy);
        // π_1 is uniform.
        let lines = [iterates.iter().map(worth).collect(), vec![worth(&iterates[0]); iterates.len()]];
        figure_shows(&page, "Suboptimality of π", &lines, Scale::FromZero);
        let norm = |part: fn(&Iterate) -> Point, radius: f64| {
            vec![iterates.iter().map(|i| reference::length(part(i))).collect::<Vec<f64>>(), vec![radius; 7]]
        };
        figure_shows(&page, "‖θ<sub>t</sub>‖ over t", &norm(|i| i.theta, setup.radius_theta), Scale::FromZero);
        figure_shows(&page, "‖β<sub>t</sub>‖ over t", &norm(|i| i.beta, setup.radius_beta), Scale::FromZero);
    }
}

/// Of 1,001 iterations a figure shows every third, t = 1, 4, …, 1000, and the last.
#[test]
fn a_figure_ends_at_the_last_iteration() {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    said(&place, "run --mdp m.json --inner 1 --outer 1001 --seed 1 --html r.html");
    let page = std::fs::read_to_string(place.path("r.html")).unwrap();
    for caption in ["Suboptimality of π", "‖θ<sub>t</sub>‖ over t", "‖β<sub>t</sub>‖ over t"] {
        let line = &drawn(&page, caption).0[0];
        assert_eq!(line.len(), 335, "{caption}");
        // The last step is a third of the others.
        let [first, before, last] = [0, 333, 334].map(|point| line[point].0);
        assert!((last - before - (before - first) / 999.0).abs() <= 1.0, "{caption}: {first}, {before}, {last}");
    }
}

/// 2^40: probabilities in units of 2^-40 sum to 1 exactly.
const UNIT: f64 = 1_099_511_627_776.0;

/// One line in, one line out.
pub fn asked(request: &Value) -> Value {
    let mut oracle = Command::new(env!("CARGO_BIN_EXE_opd"))
        .arg("oracle")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(oracle.stdin.take().unwrap(), "{request}").unwrap();
    let output = oracle.wait_with_output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn what_the_oracle_answers() {
    // Neither the best policy nor the data's.
    let policy: Policy = [[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]];
    let model: Value = serde_json::from_str(MODEL).unwrap();
    for (average, half) in KINDS {
        let setup = setup(average, half);
        let (_place, rows) = place_with_rows(&setup);
        let (iterates, _) = reference::run(&setup, &rows);
        let rounded = |p: Policy| p.map(|[p, _]| [(p * UNIT).round() / UNIT, (UNIT - (p * UNIT).round()) / UNIT]);
        let exact = |p: &Policy| p.map(|row| row.map(|p| format!("{}/{UNIT}", p * UNIT))).to_vec();
        let near_iterates: Vec<Iterate> =
            iterates.iter().map(|i| Iterate { policy: rounded(i.policy), ..i.clone() }).collect();
        let mut request = value!({
            "id": 1, "model": model, "setting": if average { "average" } else { "discounted" }, "c": if half { "1/2" } else { "1" }, "policy": policy,
            "thetas": near_iterates.iter().map(|i| i.theta).collect::<Vec<_>>(), "betas": near_iterates.iter().map(|i| i.beta).collect::<Vec<_>>(),
            "policies": near_iterates.iter().map(|i| exact(&i.policy)).collect::<Vec<_>>(),
            "ask": ["value", "occupancy", "theta", "coverage", "optimal", "gap", "regrets"],
        });
        if average {
            request["rhos"] = near_iterates.iter().map(|i| i.rho).collect();
        }
        let answer = asked(&request);
        assert!(answer["error"].is_null(), "{answer}");
        let nu = reference::visits(average, &policy);
        near("return", number(&answer["value"]["return"]), reference::worth(average, &policy));
        let v: Vec<f64> = answer["value"]["v"].as_array().unwrap().iter().map(number).collect();
        let expected = reference::values(average, &policy);
        // Relative values are given up to a constant.
        let shift = if average { v[0] - expected[0] } else { 0.0 };
        for x in 0..S {
            near("v", v[x] - shift, expected[x]);
            let occupancy: Vec<f64> = (0..A).map(|a| nu[x] * policy[x][a]).collect();
            all_near("occupancy", &answer["occupancy"][x], &occupancy);
            all_near("optimal", &answer["optimal"][x], &reference::best(average)[x]);
            let gain = if average { reference::worth(true, &policy) } else { 0.0 };
            let gamma = if average { 1.0 } else { 0.8 };
            let q = PHI[x].map(|phi| {
                let onward: f64 = (0..S).map(|y| reference::dot(phi, PSI[y]) * v[y]).sum();
                reference::dot(phi, OMEGA) - gain + gamma * onward
            });
            all_near("q", &answer["value"]["q"][x], &q);
            // θ^π represents q^π, whatever constant the values have.
            let theta: Vec<f64> = answer["theta"].as_array().unwrap().iter().map(number).collect();
            let represented = PHI[x].map(|phi| reference::dot(phi, [theta[0], theta[1]]));
            near("⟨φ, θ⟩ differences", represented[0] - represented[1], q[0] - q[1]);
        }
        let [c_half, c_one, diamond, dagger] = reference::coverage(average, &policy);
        let ratios = &answer["coverage"];
        near("c_half", number(&ratios["c_half"]), c_half);
        near("c_one", number(&ratios["c_one"]), c_one);
        near("diamond", number(&ratios["diamond"]), diamond);
        near("dagger", number(&ratios["dagger"]["at_least"]), dagger);
        near("dagger", number(&ratios["dagger"]["at_most"]), dagger);
        let [lost, theta, beta, pi, rho] = reference::regrets(average, half, &policy, &near_iterates);
        near("gap", number(&answer["gap"]["gap"]), lost);
        near("suboptimality", number(&answer["gap"]["suboptimality"]), lost);
        near("θ-regret", number(&answer["regrets"]["regret_theta"]), theta);
        near("β-regret", number(&answer["regrets"]["regret_beta"]), beta);
        near("π-regret", number(&answer["regrets"]["regret_pi"]), pi);
        if average {
            near("ρ-regret", number(&answer["regrets"]["regret_rho"]), rho);
        }
    }
}

/// The reference itself: probabilities sum to 1, and the data's policy is not the best one.
#[test]
fn the_reference_is_a_model() {
    for x in 0..S {
        for phi in PHI[x] {
            assert!((PSI.iter().map(|psi| reference::dot(phi, *psi)).sum::<f64>() - 1.0).abs() < 1e-15);
        }
        assert!((BEHAVIOR[x].iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
    assert!((INITIAL.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    assert!(reference::worth(false, &reference::best(false)) > reference::worth(false, &BEHAVIOR) + 0.01);
}
