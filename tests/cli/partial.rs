//! Data that miss half of the state-action pairs: Λ is singular, and all is well as long as they cover the optimal policy.

use super::{json, opd, said};
use crate::opd::Place;
use serde_json::Value;

/// Two states, two actions, tabular; action 1 is the better one in both. `features` and `behavior` are for the test to fill in.
fn problem(features: &str, omega: &str, psi: &str, behavior: &str) -> String {
    format!(
        r#"{{"discount": "1/2", "initial": ["1/2", "1/2"], "features": {features}, "omega": {omega}, "psi": {psi},
            "behavior": {behavior}}}"#
    )
}

const UNIT: &str = "[[[1, 0, 0, 0], [0, 1, 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]]";

fn tabular(behavior: &str) -> String {
    let psi = r#"[[1, "1/2", "1/2", "1/4"], [0, "1/2", "1/2", "3/4"]]"#;
    problem(UNIT, r#"[0, "1/2", "1/4", 1]"#, psi, behavior)
}

/// The same with the first two coordinates turned by the 3-4-5 angle: what the data never see is no longer a coordinate.
fn turned() -> String {
    let features = r#"[[["3/5", "4/5", 0, 0], ["-4/5", "3/5", 0, 0]], [[0, 0, 1, 0], [0, 0, 0, 1]]]"#;
    let psi = r#"[["1/5", "11/10", "1/2", "1/4"], ["-2/5", "3/10", "1/2", "3/4"]]"#;
    problem(features, r#"["-2/5", "3/10", "1/4", 1]"#, psi, COVERING)
}

/// π* itself, which never takes action 0: μ_B = μ*, C_{φ,1/2} = Σ μ*²/μ_B = 1, C_{φ,1} = Σ (μ*/μ_B)² = 2 = C^⋄ and C^† = 1.
const COVERING: &str = "[[0, 1], [0, 1]]";

fn ratios_are_known(ratios: &Value) {
    for (key, expected) in [("c_half", "1"), ("c_one", "2"), ("diamond", "2")] {
        assert_eq!(ratios[key], expected, "{key}");
    }
    let end = |name: &str| {
        let fraction = ratios["dagger"][name].as_str().unwrap();
        let (n, d) = fraction.split_once('/').unwrap_or((fraction, "1"));
        n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap()
    };
    let (low, high) = (end("at_least"), end("at_most"));
    assert!(low <= 1.0 && 1.0 <= high && high - low < 1e-9, "{low} {high}");
}

#[test]
fn data_that_miss_half_of_the_pairs_are_enough_where_they_cover_the_optimal_policy() {
    let place = Place::new();
    place.write("p.json", tabular(COVERING).as_bytes());
    ratios_are_known(&json(&place, "coverage --mdp p.json --json"));
    for (c, norm, beta) in [("1", 0.5, 2.0_f64.sqrt()), ("1/2", 2.0, 1.0)] {
        let tuned = json(&place, &format!("tune --mdp p.json --c {c} --epsilon 1/2 --json"));
        let found = tuned["radius_beta"].as_f64().unwrap();
        assert!((found - beta).abs() < 1e-12, "c = {c}: D_β = {found}, expected {beta} for ‖Λ‖ about {norm}");
        assert!(tuned["bound"].as_f64().unwrap() <= 0.5, "{tuned}");
        let report = json(&place, &format!("run --mdp p.json --c {c} --inner 20 --outer 20 --json"));
        assert!(report["values"]["optimal"].is_number(), "{report}");
        let shown = said(&place, &format!("run --mdp p.json --c {c} --inner 20 --outer 20"));
        assert!(!shown.contains("no bound"), "{shown}");
        let shown = said(&place, &format!("certify --mdp p.json --c {c} --inner 5 --outer 3"));
        assert!(shown.contains("equal: gap = suboptimality = sum of the regrets, exactly"), "{shown}");
    }
}

/// c = 1 needs no root of Λ and does not mind; c = 1/2 says why it cannot.
#[test]
fn unseen_directions_that_are_no_coordinates_leave_c_one() {
    let place = Place::new();
    place.write("p.json", turned().as_bytes());
    ratios_are_known(&json(&place, "coverage --mdp p.json --json"));
    let tuned = json(&place, "tune --mdp p.json --epsilon 1/2 --json");
    assert!((tuned["radius_beta"].as_f64().unwrap() - 2.0_f64.sqrt()).abs() < 1e-12, "{tuned}");
    assert!(tuned["bound"].as_f64().unwrap() <= 0.5, "{tuned}");
    let shown = said(&place, "certify --mdp p.json --inner 5 --outer 3");
    assert!(shown.contains("equal: gap = suboptimality = sum of the regrets, exactly"), "{shown}");
    for call in ["tune --mdp p.json --c 1/2 --epsilon 1/2", "run --mdp p.json --c 1/2 --inner 5 --outer 5"] {
        let refused = opd(&place, call);
        assert_eq!(refused.code, Some(2), "{call}: {}", refused.stdout);
        assert!(
            refused.stderr.contains("must be coordinates") && refused.stderr.lines().count() == 1,
            "{}",
            refused.stderr
        );
    }
}

/// The data take action 0 in state 0, where π* takes action 1: the second coordinate is never seen.
#[test]
fn data_that_do_not_cover_the_optimal_policy_are_told_what_they_miss() {
    let place = Place::new();
    place.write("p.json", tabular("[[1, 0], [0, 1]]").as_bytes());
    let misses = "the data never see the direction (0, 1, 0, 0) of the features, which the optimal policy needs";
    for call in [
        "coverage --mdp p.json",
        "tune --mdp p.json --epsilon 1/2",
        "run --mdp p.json --inner 5 --outer 5",
        "certify --mdp p.json --inner 5 --outer 3 --radius-beta 3",
    ] {
        let refused = opd(&place, call);
        assert_eq!(refused.code, Some(2), "{call}: {}", refused.stdout);
        assert!(refused.stderr.contains(misses) && refused.stderr.lines().count() == 1, "{call}: {}", refused.stderr);
    }
    let shown = said(&place, "run --mdp p.json --inner 5 --outer 5 --radius-beta 3");
    assert!(shown.contains("no bound: ") && shown.contains(misses), "{shown}");
}

/// The embedded instance: μ_B = μ* = (0, 16, 0, 9)/25, so C_{φ,1/2} = 1 and C_{φ,1} = C^⋄ = 2, and every command works at both c.
#[test]
fn the_embedded_instance_that_misses_half_of_the_pairs_serves_every_command() {
    let place = Place::new();
    ratios_are_known(&json(&place, "coverage --instance half-seen --json"));
    for call in ["audit --instance half-seen", "run --instance half-seen --inner 10 --outer 10"] {
        let shown = said(&place, call);
        assert!(!shown.contains("no bound") && !shown.contains("FAILED"), "{call}: {shown}");
    }
    // Checks that need Λ^{−1} itself are not applicable; most do not.
    let findings = json(&place, "audit --instance half-seen --json");
    let holding = findings.as_array().unwrap().iter().filter(|finding| finding["status"] == "holds").count();
    assert!(holding > 150, "only {holding} checks hold");
    for c in ["1", "1/2"] {
        let tuned = json(&place, &format!("tune --instance half-seen --c {c} --epsilon 1/2 --json"));
        assert!(tuned["bound"].as_f64().unwrap() <= 0.5, "{tuned}");
        let shown = said(&place, &format!("certify --instance half-seen --c {c} --inner 5 --outer 3"));
        assert!(shown.contains("equal: gap = suboptimality = sum of the regrets, exactly"), "{shown}");
    }
}

/// Features in other units, φ = s(1, ±1) with ψ and ω in theirs: the same MDP, of which the data see action 0 alone. Where that is the better one
/// there is a bound, where it is not the unseen direction is named, whatever s is.
#[test]
fn units_decide_nothing() {
    let place = Place::new();
    for s in [1e-30, 1e-12, 1e-8, 1e-7, 1.0, 1e7, 1e15, 1e16, 1e30] {
        for (second, covered) in [(0.25, true), (-0.25, false)] {
            let features = format!("[[[{s:e}, {s:e}], [{s:e}, -{s:e}]]]");
            let (omega, psi) = (format!("[{:e}, {:e}]", 0.5 / s, second / s), format!("[[{:e}, 0]]", 1.0 / s));
            let model = format!(
                r#"{{"discount": 0.5, "initial": [1], "features": {features}, "omega": {omega}, "psi": {psi}, "behavior": [[1, 0]]}}"#
            );
            place.write("p.json", model.as_bytes());
            let ran = opd(&place, "run --mdp p.json --inner 20 --outer 20");
            let told = if covered { ran.stdout.contains("theorem's bound") } else { ran.stderr.contains("never see") };
            assert!(told && ran.code == Some(if covered { 0 } else { 2 }), "{s:e}: {}{}", ran.stdout, ran.stderr);
        }
    }
}
