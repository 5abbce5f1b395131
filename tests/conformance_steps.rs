//! The conformance kit on runs of any length, precision and size: right implementations pass, wrong ones are named or located.
#![cfg(feature = "cli")]

mod port;

use offline_primal_dual::conformance::cases::{Wish, fresh_like, random_like};
use offline_primal_dual::conformance::{
    Bug, Case, Mutation, Precision, Quantity, Report, Setting, Tolerance, Trace, cases, check, draws, results_only,
    variant,
};
use port::{Port, Style, right};
use std::time::Instant;

fn checked(results: &[(Case, Trace)]) -> Report {
    check(results, &Tolerance::default()).unwrap()
}

fn one(wish: Wish) -> Case {
    random_like(5, 1, wish).unwrap().next().unwrap()
}

/// 10 states, 4 actions, d = 16, η = 0.25, ζ = 0.5, K = 50: bounds of the whole run explode here.
fn long(setting: Setting, outer: usize) -> Case {
    let wish = Wish {
        states: Some(10),
        actions: Some(4),
        dim: Some(16),
        inner: Some(50),
        outer: Some(outer),
        setting: Some(setting),
        ..Wish::default()
    };
    Case { eta: 0.25, zeta: 0.5, ..one(wish) }
}

#[test]
fn bounds_that_explode_fail_nobody_and_name_nothing() {
    for setting in Setting::ALL {
        for outer in [100, 200] {
            let case = long(setting, outer);
            // The library's own bits.
            let own = results_only(&case.expected().unwrap());
            let report = checked(&[(case.clone(), own)]);
            assert!(report.passed() && report.identical == 1, "{report}");
            // A right port, from everything it computed and from θ, ρ and β alone.
            let trace = Port::new(Style { reversed: true, fused: true, ..Style::default() }, "").run(&case);
            for found in [results_only(&trace), trace] {
                let report = checked(&[(case.clone(), found)]);
                assert!(report.passed() && report.likely().is_empty() && report.identical == 0, "{report}");
            }
            // A wrong one is still found, and named, where it goes wrong first.
            let wrong = results_only(&variant::run::<f64>(&case, Some(Mutation::LastIterateForAverage)));
            let report = checked(&[(case.clone(), wrong)]);
            let names: Vec<String> = report.likely().into_iter().map(Bug::name).collect();
            assert_eq!(names, ["last-iterate-for-average"], "{report}");
            assert_eq!((report.divergences[0].t, report.divergences[0].field), (1, Quantity::Theta));
        }
    }
}

/// u at the edge of π₂'s first action: rounding decides A', so either is right, and nothing else is.
#[test]
fn a_draw_that_rounding_decides_fails_nobody() {
    let wish =
        Wish { actions: Some(2), inner: Some(3), outer: Some(2), setting: Some(Setting::Average), ..Wish::default() };
    let first = |case: &Case, field: Quantity| {
        let trace = case.expected().unwrap();
        trace.iter().find(|step| (step.t, step.k) == (2, Some(1))).unwrap().get(field).unwrap()[0]
    };
    // Three inner rows and one outer one make an iteration.
    let with = |u: f64| {
        let mut case = one(wish);
        case.samples[4].u = u;
        case
    };
    let edge = first(&with(0.0), Quantity::PolicyNext);
    let (case, below, far) = (with(edge), with(edge.next_down()), with(edge / 2.0));
    assert_eq!([&case, &below, &far].map(|case| first(case, Quantity::ActionNext)), [1.0, 0.0, 0.0]);
    for found in [below.expected().unwrap(), results_only(&below.expected().unwrap())] {
        let report = checked(&[(case.clone(), found)]);
        assert!(report.passed() && report.identical == 0, "{report}");
    }
    // Where rounding does not decide, the other action is a mistake.
    let report = checked(&[(with(f64::midpoint(edge, 1.0)), far.expected().unwrap())]);
    assert!(!report.passed(), "{report}");
}

/// K = 100, d = 64, in time that grows with T and not with its square.
fn a_long_run_is_checked(outer: usize) {
    for setting in Setting::ALL {
        let wish = Wish {
            states: Some(6),
            actions: Some(3),
            dim: Some(64),
            inner: Some(100),
            outer: Some(outer),
            setting: Some(setting),
            half: Some(false),
            ..Wish::default()
        };
        let case = one(wish);
        // Not the library's bits: those would need no arithmetic at all.
        let mut found = results_only(&Port::new(Style { reversed: true, ..Style::default() }, "").run(&case));
        let start = Instant::now();
        let report = checked(&[(case.clone(), found.clone())]);
        let seconds = start.elapsed().as_secs_f64();
        eprintln!("{}: {seconds:.1} s", setting.name());
        assert!(report.passed() && report.identical == 0 && report.undecided.is_empty(), "{report}");
        // One number in the last iteration, off by 1e-9: the rest of the run does not hide it.
        let last = found.last_mut().unwrap().fields.iter_mut().find(|(field, _)| *field == Quantity::BetaNext).unwrap();
        last.1[63] += 1e-9;
        let report = checked(&[(case, found)]);
        assert_eq!((report.divergences.len(), report.divergences[0].t), (1, outer), "{report}");
        assert_eq!(report.divergences[0].field, Quantity::BetaNext);
    }
}

#[test]
fn a_run_of_five_hundred_iterations_is_checked() {
    a_long_run_is_checked(500);
}

/// `cargo test --release --test conformance_steps -- --ignored ten_thousand_iterations`
#[test]
#[ignore = "a minute"]
fn a_run_of_ten_thousand_iterations_is_checked() {
    a_long_run_is_checked(10_000);
}

/// Fields of inner (`true`) and outer steps.
type Places = &'static [(bool, Quantity)];

/// A mistake, the setting it is made in (`None`: both) and the only fields where it may show: each field is held against the result's own inputs.
#[rustfmt::skip]
const BUGS: [(&str, Option<Setting>, Places); 55] = {
    use Quantity as F;
    const I: bool = true;
    const O: bool = false;
    const A: Option<Setting> = Some(Setting::Average);
    const D: Option<Setting> = Some(Setting::Discounted);
    [
        ("w-stops", None, &[(I, F::W)]),
        ("w-clipped", None, &[(I, F::W)]),
        ("first-beta", None, &[(I, F::W)]),
        ("diagonal", None, &[(I, F::W), (O, F::Gradient)]),
        ("logits-stop", None, &[(I, F::PolicyStart), (I, F::PolicyNext), (O, F::PolicyNext)]),
        ("temperature", None, &[(I, F::PolicyStart), (I, F::PolicyNext), (O, F::PolicyNext)]),
        ("alpha-squared", None, &[(I, F::PolicyStart), (I, F::PolicyNext), (O, F::PolicyNext)]),
        ("epsilon", None, &[(I, F::PolicyStart), (I, F::PolicyNext), (O, F::PolicyNext)]),
        ("alpha-halved-at-start", D, &[(I, F::PolicyStart)]),
        ("alpha-halved-at-next", None, &[(I, F::PolicyNext), (O, F::PolicyNext)]),
        ("policy-in-inner-loop", None, &[(I, F::PolicyStart), (I, F::PolicyNext)]),
        ("policy-at-x", None, &[(I, F::PolicyNext)]),
        ("norm-stops", None, &[(I, F::ThetaNext), (O, F::BetaNext)]),
        ("theta-cube", None, &[(I, F::ThetaNext)]),
        ("theta-square", None, &[(I, F::ThetaNext)]),
        ("theta-norm-twice", None, &[(I, F::ThetaNext)]),
        ("beta-radius-for-theta", None, &[(I, F::ThetaNext)]),
        ("beta-cube", None, &[(O, F::BetaNext)]),
        ("beta-square", None, &[(O, F::BetaNext)]),
        ("beta-norm-twice", None, &[(O, F::BetaNext)]),
        ("theta-radius-for-beta", None, &[(O, F::BetaNext)]),
        ("first-not-averaged", None, &[(O, F::Theta), (O, F::Rho)]),
        ("divided-by-k-plus-one", None, &[(O, F::Theta), (O, F::Rho)]),
        ("last-twice", None, &[(O, F::Theta), (O, F::Rho)]),
        ("last-theta", A, &[(O, F::Theta)]),
        ("last-rho", A, &[(O, F::Rho)]),
        ("one-more-rho", A, &[(O, F::Rho)]),
        ("first-action", None, &[(I, F::Phi), (I, F::PhiNext), (O, F::Phi)]),
        ("transposed-index", None, &[(I, F::Phi), (I, F::PhiNext), (O, F::Phi)]),
        ("last-row-first", None, &[]),
        ("u-at-most", A, &[(I, F::ActionNext)]),
        ("draw-shifted", A, &[(I, F::ActionNext)]),
        ("greedy-draw", A, &[(I, F::ActionNext)]),
        ("phi-next-at-x", A, &[(I, F::PhiNext)]),
        ("plus-last-term", None, &[(I, F::Gradient)]),
        ("next-without-w", A, &[(I, F::Gradient)]),
        ("next-without-w", D, &[(I, F::MeanFeature)]),
        ("shares-swapped", D, &[(I, F::MeanFeature)]),
        ("discount-squared", D, &[(I, F::MeanFeature)]),
        ("last-term-at-next", D, &[(I, F::Gradient)]),
        ("rho-gradient-sign", A, &[(I, F::GradientRho)]),
        ("eta-for-xi", A, &[(I, F::UnprojectedRho)]),
        ("rho-ascends", A, &[(I, F::UnprojectedRho)]),
        ("rho-clamped-wide", A, &[(I, F::RhoNext)]),
        ("rho-not-above-half", A, &[(I, F::RhoNext)]),
        ("theta-ascends", None, &[(I, F::Unprojected)]),
        ("eta-squared", None, &[(I, F::Unprojected)]),
        ("zeta-for-eta", None, &[(I, F::Unprojected)]),
        ("eta-over-root-k", None, &[(I, F::Unprojected)]),
        ("starts-at-last-iterate", None, &[(I, F::Unprojected), (O, F::Theta), (O, F::Rho)]),
        ("greedy-value", None, &[(O, F::ValueNext)]),
        ("value-at-x", None, &[(O, F::ValueNext)]),
        ("no-reward", None, &[(O, F::TdError)]),
        ("weight-twice", None, &[(O, F::Gradient)]),
        ("beta-descends", None, &[(O, F::Unprojected)]),
    ]
};

/// And ten that are looked for in one field of the outer step.
#[rustfmt::skip]
const MORE: [(&str, Quantity); 11] = [
    ("value-uniform", Quantity::ValueNext), ("reward-doubled", Quantity::TdError), ("reward-centred", Quantity::TdError),
    ("plus-prediction", Quantity::TdError), ("prediction-stops", Quantity::TdError), ("td-clipped", Quantity::TdError),
    ("eta-for-zeta", Quantity::Unprojected), ("zeta-over-root-t", Quantity::Unprojected), ("last-iterate-summed", Quantity::ThetaSum),
    ("sum-forgets", Quantity::ThetaSum), ("no-max", Quantity::PolicyNext),
];

/// Eight mistakes of the kit's own list and 58 that are not on it: each is found, and only where it was made.
#[test]
fn bugs_are_located_at_their_field() {
    let more: Vec<_> = MORE.iter().map(|(bug, field)| (*bug, None, vec![(false, *field)])).collect();
    let all = BUGS.iter().map(|(bug, only, fields)| (*bug, *only, fields.to_vec())).chain(more);
    let mut missed = Vec::new();
    for (bug, only, fields) in all {
        for setting in Setting::ALL.into_iter().filter(|setting| only.is_none_or(|only| only == *setting)) {
            let run = |case: Case| {
                let trace = Port::new(Style { reversed: true, ..Style::default() }, bug).run(&case);
                (case, trace)
            };
            // The cases that `conformance` checks.
            let fresh = cases::fresh(1, 40).filter(|case| case.setting == setting);
            let report = checked(&cases::fixed(setting).into_iter().chain(fresh).map(run).collect::<Vec<_>>());
            if report.passed() {
                missed.push(format!("{bug} is not detected ({})", setting.name()));
            }
            // Rows in another order disturb everything, numbers that are none everything after them.
            let is_free = fields.is_empty() || bug == "no-max";
            let astray = report
                .divergences
                .iter()
                .filter(|found| !is_free && !fields.contains(&(found.k.is_some(), found.field)));
            missed.extend(astray.map(|found| format!("{bug}: {found}")));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Unnamed bugs: the report has the formula, the state of its inputs, and the cases that agree.
#[test]
fn an_unnamed_bug_is_described() {
    let run = |case: Case| {
        let trace = Port::new(Style::default(), "diagonal").run(&case);
        (case, trace)
    };
    let whole = cases::fixed(Setting::Discounted).into_iter().filter(|case| cases::is_whole(&case.id));
    let report = checked(&whole.map(run).collect::<Vec<_>>()).to_string();
    for told in [
        "none of the known ones, nor two of them",
        "should be w = ⟨φ(X, A), Λ^{c−1}β_t⟩; of its inputs phi agrees",
        "cases that agree: discounted/plain",
        "average: not compared",
    ] {
        assert!(report.contains(told), "{told}: {report}");
    }
}

/// Steps of the wrong sign, and the last iterate for one of two averages: named from all that a port of another hand computed, and from θ, ρ, β alone.
#[test]
fn wrong_signs_and_single_last_iterates_are_named() {
    for (bug, name, settings) in [
        ("theta-ascends", "theta-ascends", &Setting::ALL[..]),
        ("beta-descends", "beta-descends", &Setting::ALL),
        ("rho-ascends", "rho-ascends", &[Setting::Average]),
        ("last-theta", "last-theta-for-average", &[Setting::Average]),
        ("last-rho", "last-rho-for-average", &[Setting::Average]),
        ("starts-at-last-iterate", "starts-at-last-theta", &Setting::ALL),
        ("first-not-averaged", "first-iterate-left-out", &Setting::ALL),
        ("u-at-most", "draw-reaches-u", &[Setting::Average]),
    ] {
        for setting in settings {
            let whole: Vec<(Case, Trace)> = cases::fixed(*setting)
                .into_iter()
                .map(|case| (case.clone(), Port::new(Style { reversed: true, ..Style::default() }, bug).run(&case)))
                .collect();
            let alone = whole.iter().map(|(case, trace)| (case.clone(), results_only(trace))).collect();
            for results in [whole, alone] {
                let report = checked(&results);
                let names: Vec<String> = report.likely().into_iter().map(Bug::name).collect();
                assert_eq!(names, [name], "{report}");
            }
        }
    }
}

/// What a port says of itself spares it nothing but what it cannot do: whoever knows c = 1 alone, or starts at 0 alone, or both, is shown
/// every mistake that can be made there.
#[test]
fn limited_ports_are_shown_their_mistakes() {
    let zero = Wish { zero_start: true, ..Wish::default() };
    let one = Wish { half: Some(false), ..Wish::default() };
    let both = Wish { zero_start: true, ..one };
    let half = Wish { half: Some(true), ..zero };
    let about_weight = ["diagonal", "weight-twice"];
    let mut missed = Vec::new();
    for (wish, setting) in
        [zero, one, both, half].into_iter().flat_map(|wish| Setting::ALL.map(|setting| (wish, setting)))
    {
        let all: Vec<Case> = cases::fixed(setting).into_iter().filter(|case| wish.admits(case)).collect();
        assert!(!all.is_empty(), "{wish:?}");
        let mut expect_found = |name: &str, run: &dyn Fn(&Case) -> Trace| {
            let results: Vec<_> = all.iter().map(|case| (case.clone(), run(case))).collect();
            if checked(&results).passed() {
                missed.push(format!("{name} {} {wish:?}", setting.name()));
            }
        };
        if wish == half {
            continue;
        }
        let of_setting = BUGS.iter().filter(|(_, only, _)| only.is_none_or(|only| only == setting));
        let bugs = of_setting.map(|(bug, ..)| *bug).chain(MORE.iter().map(|(bug, _)| *bug));
        for bug in bugs.filter(|bug| wish == zero || !about_weight.contains(bug)) {
            expect_found(bug, &|case| Port::new(Style { reversed: true, ..Style::default() }, bug).run(case));
        }
        for bug in Mutation::of(setting).filter(|bug| wish == zero || !bug.name().starts_with("weight-")) {
            expect_found(bug.name(), &|case| variant::run::<f64>(case, Some(bug)));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Draws of one's own that the result does not say are missing, not undecided; a case of which nothing can be told does not agree.
#[test]
fn what_is_not_decided_does_not_agree() {
    let wish = Wish { setting: Some(Setting::Average), inner: Some(3), outer: Some(2), ..Wish::default() };
    let case = one(wish);
    let silent = results_only(&variant::run::<f64>(&case, Some(Mutation::RhoAscends)));
    let own_draws = Tolerance { own_draws: true, ..Tolerance::default() };
    let report = check(&[(case.clone(), silent)], &own_draws).unwrap();
    let first = &report.divergences[0];
    assert_eq!((first.t, first.k, first.field), (1, Some(1), Quantity::ActionNext), "{report}");
    assert!(
        !report.passed() && report.to_string().contains("a_next: missing, expected in every inner step"),
        "{report}"
    );
}

/// What never happened is said, and nothing else.
#[test]
fn what_never_happened_is_said() {
    let told = |all: Vec<Case>| {
        let results: Vec<_> = all.into_iter().map(|case| (case.clone(), case.expected().unwrap())).collect();
        checked(&results).settings.iter().map(|compared| compared.never.join(", ")).collect::<Vec<_>>()
    };
    for setting in Setting::ALL {
        assert_eq!(told(cases::fixed(setting)), [""]);
        // Twenty fresh problems, whatever the seed and the wish, leave their balls and overflow.
        let wishes = [
            Wish::default(),
            Wish { half: Some(false), ..Wish::default() },
            Wish { zero_start: true, ..Wish::default() },
        ];
        for (seed, wish) in (0..20).flat_map(|seed| wishes.map(|wish| (seed, wish))) {
            let fresh = fresh_like(seed, 20, wish).unwrap().filter(|case| case.setting == setting);
            let [told] = &told(fresh.collect())[..] else { panic!() };
            // From 0 logits grow slowly; where they stay small the report says so.
            assert!(!told.contains("ball") && (wish.zero_start || !told.contains("logit")), "{seed} {wish:?}: {told}");
        }
        let one: Vec<Case> = cases::fixed(setting).into_iter().filter(|case| case.weight.is_none()).collect();
        assert_eq!(told(one), ["no c = 1/2"]);
        let zero = Wish { zero_start: true, ..Wish::default() };
        let zero: Vec<Case> = cases::fixed(setting).into_iter().filter(|case| zero.admits(case)).collect();
        assert_eq!(told(zero), ["no start other than 0"]);
        let [told] = &told(vec![cases::by_id(&format!("{}/plain", setting.name())).unwrap()])[..] else { panic!() };
        assert!(told.contains("no logit beyond 709, where exp overflows (largest logit 0."), "{told}");
        assert!(told.ends_with("no start other than 0, no c = 1/2, no K = 1"), "{told}");
        assert!(setting == Setting::Average || !told.contains('ρ'), "{told}");
        // Up to 0.2.0 no fresh problem put a projection or a large logit to the test.
        let old: Vec<Case> = cases::random(2, 20).filter(|case| case.setting == setting).collect();
        let report = checked(&old.into_iter().map(|case| (case.clone(), case.expected().unwrap())).collect::<Vec<_>>());
        assert!(report.settings[0].never.iter().any(|never| never.starts_with("no logit beyond 709")), "{report}");
    }
}

/// A port whose other setting is right is named; two mistakes at once are named; the box of Algorithm 1 as printed is.
#[test]
fn bugs_are_named_per_setting_and_in_pairs() {
    let both = |broken: fn(&Case) -> Trace| {
        let all = Setting::ALL.into_iter().flat_map(cases::fixed).filter(|case| !cases::is_large(&case.id));
        let results: Vec<(Case, Trace)> = all.map(|case| (case.clone(), results_only(&broken(&case)))).collect();
        let report = checked(&results);
        let settings = report.settings.iter().map(|compared| (compared.setting, compared.likely.clone()));
        (settings.collect::<Vec<_>>(), report.to_string())
    };
    let (named, report) = both(|case| {
        let broken = (case.setting == Setting::Average).then_some(Mutation::RhoReset);
        variant::run::<f64>(case, broken)
    });
    assert!(named[0].1.is_empty() && named[1].1.len() == 1 && named[1].1[0].name() == "rho-reset", "{report}");
    assert!(report.contains("likely bug (average): the inner loop starts at 0 for ρ"), "{report}");
    // Errata 1 and 7 together, in a port of its own.
    let (named, report) =
        both(|case| if case.setting == Setting::Discounted { as_printed(case) } else { case.expected().unwrap() });
    let names: Vec<String> = named[0].1.iter().map(Bug::name).collect();
    assert_eq!(names, ["box-as-printed"], "{report}");
    assert!(report.contains("the box of Algorithm 1 as printed, errata 1 and 7 together"), "{report}");
}

/// Algorithm 1 as its box has it: g̃_θ = Φᵀμ − Λ^{c−1}φ⟨φ, β⟩, g̃_β = φ(R + γv − ⟨φ, θ⟩).
fn as_printed(case: &Case) -> Trace {
    let d = case.dim;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let weigh = |v: &[f64]| -> Vec<f64> {
        case.weight.as_ref().map_or(v.to_vec(), |m| m.chunks(d).map(|row| dot(row, v)).collect())
    };
    let project = |y: Vec<f64>, radius: f64| -> Vec<f64> {
        let norm = dot(&y, &y).sqrt();
        y.iter().map(|y| if norm > radius { y * (radius / norm) } else { *y }).collect()
    };
    let (mut theta, mut beta, mut sum) = (case.theta_start.clone(), case.beta_start.clone(), vec![0.0; d]);
    let mut trace = Trace::new();
    for (t, block) in (1..).zip(case.samples.chunks(case.inner)) {
        let policy = |x: usize| {
            let z: Vec<f64> = (0..case.actions).map(|a| case.alpha * dot(case.phi(x, a).unwrap(), &sum)).collect();
            let top = z.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let e: Vec<f64> = z.iter().map(|z| (z - top).exp()).collect();
            let total: f64 = e.iter().sum();
            e.iter().map(|e| e / total).collect::<Vec<_>>()
        };
        let mean =
            |x: usize, i: usize| policy(x).iter().enumerate().map(|(a, p)| p * case.phi(x, a).unwrap()[i]).sum::<f64>();
        let mut iterates = vec![theta.clone()];
        for s in &block[..block.len() - 1] {
            let phi = case.phi(s.x, s.a).unwrap();
            let (w, plain, weighted) = (dot(phi, &weigh(&beta)), dot(phi, &beta), weigh(phi));
            let g = |i: usize| {
                (1.0 - case.discount) * mean(s.x0, i) + case.discount * w * mean(s.x_next, i) - weighted[i] * plain
            };
            theta = project((0..d).map(|i| theta[i] - case.eta * g(i)).collect(), case.radius_theta);
            iterates.push(theta.clone());
        }
        theta = (0..d).map(|i| iterates.iter().map(|theta| theta[i]).sum::<f64>() / iterates.len() as f64).collect();
        let s = block[block.len() - 1];
        let phi = case.phi(s.x, s.a).unwrap();
        let value: f64 = (0..d).map(|i| mean(s.x_next, i) * theta[i]).sum();
        let td = s.r + case.discount * value - dot(phi, &theta);
        beta = project((0..d).map(|i| beta[i] + case.zeta * td * phi[i]).collect(), case.radius_beta);
        sum = sum.iter().zip(&theta).map(|(a, b)| a + b).collect();
        let fields = vec![(Quantity::Theta, theta.clone()), (Quantity::BetaNext, beta.clone())];
        trace.push(offline_primal_dual::conformance::Step { t, k: None, fields });
    }
    trace
}

/// Single precision, inputs and results too: right ports pass with the derived tolerances, underflow of exp included; wrong ones do not.
#[test]
fn single_precision_has_tolerances_of_its_own() {
    let single = Style { single: true, ..Style::default() };
    let tolerance = |precision| Tolerance { precision, ..Tolerance::default() };
    let mut all: Vec<Case> = Setting::ALL.into_iter().flat_map(cases::fixed).collect();
    all.extend(cases::fresh(3, 300));
    let run = |style: Style, bug| -> Vec<(Case, Trace)> {
        all.iter().map(|case| (case.clone(), Port::new(style, bug).run(case))).collect()
    };
    for style in [single, Style { reversed: true, ..single }, Style { means_first: true, share_first: true, ..single }]
    {
        for precision in [Precision::F32, Precision::Tf32, Precision::Bf16] {
            let report = check(&run(style, ""), &tolerance(precision)).unwrap();
            assert!(report.passed(), "{precision:?} {report}");
        }
        assert!(!check(&run(style, ""), &tolerance(Precision::F64)).unwrap().passed());
    }
    for bug in ["w-clipped", "last-twice", "no-reward", "theta-cube", "plus-last-term", "draw-shifted"] {
        let report = check(&run(single, bug), &tolerance(Precision::F32)).unwrap();
        assert!(!report.passed(), "{bug}");
    }
    for bug in ["plus-last-term", "no-reward"] {
        assert!(!check(&run(single, bug), &tolerance(Precision::Bf16)).unwrap().passed(), "{bug}");
    }
}

/// How much more or less often an action came than its probability says: the most, over the actions by number and by rank.
fn deviation(results: &[(Case, Trace)]) -> f64 {
    let mut surplus = [[0.0; 4]; 2];
    for step in results.iter().flat_map(|(_, trace)| trace) {
        let (Some(policy), Some(drawn)) = (step.get(Quantity::PolicyNext), step.get(Quantity::ActionNext)) else {
            continue;
        };
        for (a, p) in policy.iter().enumerate() {
            let rank = policy.iter().enumerate().filter(|(b, other)| *other > p || (*other == p && *b < a)).count();
            let more = f64::from(u8::from(drawn[0] == a as f64)) - p;
            surplus[0][a] += more;
            surplus[1][rank] += more;
        }
    }
    surplus.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Own random numbers: right draws pass, from wherever; biased ones do not, though each step is right given its A'.
#[test]
fn own_draws_are_checked_given_what_was_drawn() {
    let wish =
        Wish { setting: Some(Setting::Average), actions: Some(4), outer: Some(40), inner: Some(20), ..Wish::default() };
    let all: Vec<Case> = random_like(9, 10, wish).unwrap().collect();
    let tolerance = Tolerance { own_draws: true, ..Tolerance::default() };
    let on = |seed| {
        let run = |bug| -> Vec<(Case, Trace)> {
            let style = Style { own_draws: Some(seed), ..Style::default() };
            all.iter().map(|case| (case.clone(), Port::new(style, bug).run(case))).collect()
        };
        let right = run("");
        let report = check(&right, &tolerance).unwrap();
        let draws = report.draws.as_ref().unwrap();
        assert!(report.passed() && draws.count == 8000, "{report}");
        // By hand; rounding may add 10⁻⁶ to each.
        let expected = [deviation(&right), (8000.0 * (2.0 * 8.0 / draws::ERROR_RATE).ln() / 2.0).sqrt()];
        let apart = [draws.deviation - expected[0], draws.allowed - expected[1]];
        assert!(apart.iter().all(|apart| apart.abs() < 1e-6), "{apart:?}");
        for bug in ["greedy-draw", "draw-shifted"] {
            let report = check(&run(bug), &tolerance).unwrap();
            assert!(report.divergences.is_empty() && !report.passed(), "{bug} {report}");
        }
        assert!(!check(&run("plus-last-term"), &tolerance).unwrap().divergences.is_empty());
        // Held against u, own draws are wrong.
        assert!(!checked(&run("")).passed());
    };
    std::thread::scope(|scope| {
        scope.spawn(|| (0..10).for_each(&on));
        (10..20).for_each(&on);
    });
}

/// Right implementations of twelve styles on many problems: no false alarm. A share of them by default.
fn no_false_alarm(problems: usize) {
    for setting in Setting::ALL {
        for case in Setting::ALL.into_iter().flat_map(cases::fixed).filter(|case| case.setting == setting) {
            for style in right() {
                let report = checked(&[(case.clone(), Port::new(style, "").run(&case))]);
                assert!(report.passed(), "{style:?} {report}");
            }
        }
    }
    for case in cases::fresh(2026, problems) {
        for style in right() {
            let trace = Port::new(style, "").run(&case);
            let minimal = checked(&[(case.clone(), results_only(&trace))]);
            let report = checked(&[(case.clone(), trace)]);
            assert!(report.passed() && minimal.passed(), "{style:?} {report} {minimal}");
        }
    }
}

#[test]
fn twelve_right_styles_raise_no_alarm() {
    no_false_alarm(150);
}

/// The whole of it: 10,000 problems.
#[test]
#[ignore = "minutes: cargo test --release --test conformance_steps -- --ignored"]
fn twelve_right_styles_raise_no_alarm_on_ten_thousand_problems() {
    no_false_alarm(10_000);
}
