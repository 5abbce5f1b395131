//! What the kit says of an implementation's own draws of A', against sums over its trace.
#![cfg(feature = "cli")]

use offline_primal_dual::conformance::cases::{Wish, random_like};
use offline_primal_dual::conformance::draws::ERROR_RATE;
use offline_primal_dual::conformance::{Case, Field, Setting, Tolerance, Trace, check};

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
            let (Some(drawn), Some(policy)) = (step.get(Field::ActionNext), step.get(Field::PolicyNext)) else {
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
                if *field == Field::ActionNext {
                    value[0] = (case.actions - 1) as f64;
                }
            }
        }
        let draws = check(&stubborn, &tolerance).unwrap().draws.unwrap();
        assert!(!draws.passed() && draws.deviation > f64::from(count) / 8.0, "{draws:?}");
    }
}
