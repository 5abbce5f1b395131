//! What mutants of the conformance kit showed to be guarded by nothing: own draws of A', against sums over the trace; what a report says of
//! tolerances and of what it cannot decide; results whose decimals and bits contradict each other.
#![cfg(feature = "cli")]

use offline_primal_dual::conformance::cases::{Wish, random_like};
use offline_primal_dual::conformance::draws::ERROR_RATE;
use offline_primal_dual::conformance::{
    Bug, Case, Difference, Mutation, Quantity, Report, Setting, Step, Tolerance, Trace, Undecided, Why, check, read,
    results_only, variant,
};
use std::path::Path;

fn ran(setting: Setting, actions: usize) -> (Case, Trace) {
    let wish = Wish {
        setting: Some(setting),
        actions: Some(actions),
        inner: Some(20),
        outer: Some(20),
        half: Some(false),
        ..Wish::default()
    };
    let case = random_like(3, 1, wish).unwrap().next().unwrap();
    let trace = case.expected().unwrap();
    (case, trace)
}

/// The deviation is the largest of |Σ (1{A' = a} − π(a|X'))|, over the numbers a of actions and over the ranks of their probabilities, and what
/// is allowed is √(n ln(2m/δ)/2) for m of these sums, and a little for rounding.
#[test]
fn own_draws_are_summed_by_number_and_by_rank() {
    let both = [ran(Setting::Average, 2), ran(Setting::Average, 4), ran(Setting::Discounted, 5)];
    for results in [&both[..1], &both[1..2], &both[..]] {
        let (mut by_number, mut by_rank, mut count) = ([0.0_f64; 4], [0.0_f64; 4], 0_u32);
        for step in results.iter().flat_map(|(_, trace)| trace).filter(|step| step.k.is_some()) {
            let (Some(drawn), Some(policy)) = (step.get(Quantity::ActionNext), step.get(Quantity::PolicyNext)) else {
                continue;
            };
            count += 1;
            for (a, p) in policy.iter().enumerate() {
                let surplus = if drawn[0] == a as f64 { 1.0 - p } else { -p };
                by_number[a] += surplus;
                // How many are more probable, the first of equals before the others.
                let before = |(b, q): &(usize, &f64)| *q > p || (*q == p && *b < a);
                by_rank[policy.iter().enumerate().filter(before).count()] += surplus;
            }
        }
        let tolerance = Tolerance { own_draws: true, ..Tolerance::default() };
        let report = check(results, &tolerance).unwrap();
        let draws = report.draws.as_ref().unwrap();
        assert!(count > 0 && draws.count == count as usize, "{count}, {draws}");
        let most = by_number.iter().chain(&by_rank).fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!((draws.deviation - most).abs() < 1e-9, "{most}, {draws:?}");
        let actions = results.iter().filter(|(case, _)| case.setting == Setting::Average).map(|(case, _)| case.actions);
        let sums = 2.0 * actions.max().unwrap() as f64;
        let allowed = (f64::from(count) * (2.0 * sums / ERROR_RATE).ln() / 2.0).sqrt();
        let rounding = draws.allowed - allowed;
        assert!((1e-14..1e-6).contains(&rounding), "{rounding:e}, {allowed}, {draws:?}");
        assert!(draws.passed() && report.passed(), "{report}");
        // Always the action of the highest number: nothing of this is drawn.
        let mut stubborn = results.to_vec();
        for (case, trace) in &mut stubborn {
            for (field, value) in trace.iter_mut().filter(|step| step.k.is_some()).flat_map(|step| &mut step.fields) {
                if *field == Quantity::ActionNext {
                    value[0] = (case.actions - 1) as f64;
                }
            }
        }
        let draws = check(&stubborn, &tolerance).unwrap().draws.unwrap();
        assert!(!draws.passed() && draws.deviation > f64::from(count) / 8.0, "{draws:?}");
    }
}

fn small(setting: Setting) -> Case {
    let wish = Wish { setting: Some(setting), half: Some(false), inner: Some(4), outer: Some(3), ..Wish::default() };
    random_like(8, 1, wish).unwrap().next().unwrap()
}

/// θ_1's first component, changed.
fn with_theta(case: &Case, change: impl Fn(f64) -> f64) -> Vec<(Case, Trace)> {
    let mut trace = results_only(&case.expected().unwrap());
    let (_, theta) = trace[0].fields.iter_mut().find(|(field, _)| *field == Quantity::Theta).unwrap();
    theta[0] = change(theta[0]);
    vec![(case.clone(), trace)]
}

/// Whether what fails a stricter tolerance is within the derived ones.
#[test]
fn a_report_tells_rounding_from_mistakes() {
    for setting in Setting::ALL {
        let case = small(setting);
        let nudged = with_theta(&case, |x| if x == 0.0 { 1e-300 } else { f64::from_bits(x.to_bits() + 1) });
        let wrong = with_theta(&case, |x| x + 0.5);
        let strict = Tolerance { fields: vec![(Quantity::Theta, 0.0)], ..Tolerance::default() };
        for tolerance in [Tolerance::equality(), strict] {
            let report = check(&nudged, &tolerance).unwrap();
            assert!(!report.passed() && report.rounding && report.likely().is_empty(), "{report}");
            let report = check(&wrong, &tolerance).unwrap();
            assert!(!report.passed() && !report.rounding, "{report}");
        }
        assert!(check(&nudged, &Tolerance::default()).unwrap().passed());
    }
}

/// Mistakes are named where Λ^{c−1} is the identity, too; what the case does not have comes after what is wrong.
#[test]
fn a_report_names_what_is_wrong_first() {
    for setting in Setting::ALL {
        let case = small(setting);
        assert!(case.weight.is_none());
        let broken = results_only(&variant::run::<f64>(&case, Some(Mutation::LastIterateForAverage)));
        let report = check(&[(case.clone(), broken)], &Tolerance::default()).unwrap();
        let names: Vec<String> = report.likely().into_iter().map(Bug::name).collect();
        assert!(names.contains(&"last-iterate-for-average".to_owned()), "{names:?}: {report}");
        let mut found = with_theta(&case, |x| x + 0.5);
        found[0].1.push(Step {
            t: 1,
            k: Some(case.inner + 7),
            fields: vec![(Quantity::Gradient, vec![0.0; case.dim])],
        });
        let report = check(&found, &Tolerance::default()).unwrap();
        assert_eq!((report.divergences[0].field, report.divergences[0].t), (Quantity::Theta, 1), "{report}");
        let last = report.divergences.last().unwrap();
        assert!(last.field == Quantity::Gradient && last.difference == Difference::Unknown, "{report}");
    }
}

/// One undecided case is told alone, of several the first.
#[test]
fn undecided_cases_are_counted() {
    let cases = |count: usize| {
        (0..count).map(|n| Undecided { case: format!("case-{n}"), t: 2, k: Some(3), why: Why::Draw }).collect()
    };
    let told = |count| Report { cases: 3, undecided: cases(count), ..Report::default() }.to_string();
    assert!(!told(0).contains("undecided"), "{}", told(0));
    assert!(told(1).contains("in case case-0") && !told(1).contains("other cases"), "{}", told(1));
    assert!(told(3).contains("in case case-0") && told(3).contains("and in 2 other cases"), "{}", told(3));
}

/// A number that came twice, as decimals and as bits, is the same number; null is any that is not finite.
#[test]
fn decimals_and_bits_are_the_same_numbers() {
    let case = cases_of_one();
    let line = |decimal: &str, bits: f64| {
        format!(
            r#"{{"id":"{}","steps":[{{"t":1,"theta":[{decimal}],"theta_bits":["{:016x}"]}}]}}"#,
            case.id,
            bits.to_bits()
        )
    };
    let read = |decimal: &str, bits: f64| {
        let results = read::results_lines(Path::new("results"), &line(decimal, bits)).map_err(|e| e.to_string())?;
        Ok::<_, String>(format!("{results:?}"))
    };
    for (decimal, bits) in [("1.5", 1.5), ("null", f64::INFINITY), ("null", f64::NEG_INFINITY), ("null", f64::NAN)] {
        assert!(read(decimal, bits).is_ok(), "{decimal} {bits}: {:?}", read(decimal, bits));
    }
    for (decimal, bits) in [("1.5", 1.25), ("null", 1.5), ("1.5", f64::INFINITY), ("1.5", f64::NAN)] {
        let told = read(decimal, bits).unwrap_err();
        assert!(told.contains("decimals and bits are not the same numbers"), "{decimal} {bits}: {told}");
    }
}

fn cases_of_one() -> Case {
    let wish = Wish { dim: Some(1), setting: Some(Setting::Discounted), ..Wish::default() };
    random_like(8, 1, wish).unwrap().next().unwrap()
}
