//! The conformance kit checked: its tolerances against exact arithmetic, its mutants, its reports, its files, its manual.
#![cfg(feature = "cli")]

mod opd;

use offline_primal_dual::Error;
use offline_primal_dual::conformance::draws::Draws;
use offline_primal_dual::conformance::scalar::{Known, Scalar};
use offline_primal_dual::conformance::{
    Bound, Bug, Case, Compared, Difference, Divergence, Expectation, FIELDS, Mutation, Precision, Quantity, Report,
    Setting, Step, Tolerance, Trace, Undecided, Why, cases, check, conformance, formulas, json, read, results_only,
    variant,
};
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::{Field as _, Real};
use opd::{Output, Place, opd};
use std::process::Command;

fn fixed() -> Vec<Case> {
    Setting::ALL.into_iter().flat_map(cases::fixed).collect()
}

fn all() -> Vec<Case> {
    let mut all = fixed();
    all.extend(cases::random(11, 60));
    all.extend(cases::fresh(11, 40));
    all
}

/// The kit's lines, none of them broken, are the box's: the same steps, fields and bits.
#[test]
fn unbroken_lines_are_the_box_bit_for_bit() {
    for case in all() {
        let (library, reference) = (case.expected().unwrap(), variant::run::<f64>(&case, None));
        assert_eq!(library.len(), reference.len(), "{}", case.id);
        for (a, b) in library.iter().zip(&reference) {
            assert_eq!((a.t, a.k, a.fields.len()), (b.t, b.k, b.fields.len()), "{}", case.id);
            for (field, numbers) in &a.fields {
                let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let place = (&case.id, a.t, a.k, field.name());
                assert_eq!(bits(numbers), bits(b.get(*field).unwrap()), "{place:?}");
            }
        }
    }
}

/// Where results are rational, the library is within half a tolerance of them.
#[test]
fn the_error_analysis_bounds_the_distance_from_exact_arithmetic() {
    let mut compared = 0;
    for mut case in all() {
        // A policy that stays uniform keeps everything rational until a ball is left by an irrational distance.
        case.alpha = 0.0;
        let expectation = Expectation::new(case.clone()).unwrap();
        let exact = variant::run::<Known>(&case, None);
        for ((step, bounds), exact) in expectation.trace().iter().zip(expectation.bounds()).zip(&exact) {
            for (field, numbers) in &step.fields {
                let (bounds, exact) = (bounds.get(*field).unwrap(), exact.get(*field).unwrap());
                for ((x, bound), Known(exact)) in numbers.iter().zip(bounds).zip(exact) {
                    if !exact.is_valid() {
                        continue;
                    }
                    let distance = (BigRational::from_f64(*x).unwrap() - exact).abs();
                    let allowed = BigRational::from_f64(bound.tolerance / 2.0).unwrap();
                    assert!(distance <= allowed, "{} t {} k {:?} {}", case.id, step.t, step.k, field.name());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} numbers were rational");
}

/// Doubles summed backwards, with fused multiply-add, and an exp that is off by up to 3 ulps: a sum of products that is only
/// evaluated when somebody wants the number, from the last term to the first.
#[derive(Debug, Clone)]
struct Backwards(Vec<(f64, f64)>);

impl Backwards {
    fn value(&self) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, (x, y)| x.mul_add(*y, sum))
    }
}

macro_rules! operator {
    ($($operator:ident $method:ident $assign:ident $assigned:ident, |$a:ident, $b:ident| $result:expr;)*) => {$(
        impl std::ops::$operator<&Self> for Backwards {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                let ($a, $b) = (self, other);
                $result
            }
        }

        impl std::ops::$operator for Backwards {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                std::ops::$operator::$method(self, &other)
            }
        }

        impl std::ops::$assign for Backwards {
            fn $assigned(&mut self, other: Self) {
                *self = std::ops::$operator::$method(self.clone(), &other);
            }
        }
    )*};
}
operator! {
    Add add AddAssign add_assign, |a, b| Self(a.0.into_iter().chain(b.0.iter().copied()).collect());
    Sub sub SubAssign sub_assign, |a, b| a + -b.clone();
    Mul mul MulAssign mul_assign, |a, b| Self(vec![(a.value(), b.value())]);
    Div div DivAssign div_assign, |a, b| Self::of(a.value() / b.value());
}

impl std::ops::Neg for Backwards {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.into_iter().map(|(x, y)| (-x, y)).collect())
    }
}

impl PartialEq for Backwards {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl PartialOrd for Backwards {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.value().partial_cmp(&other.value())
    }
}

impl offline_primal_dual::number::elimination::Eliminate for Backwards {}

impl offline_primal_dual::number::Field for Backwards {
    fn zero() -> Self {
        Self(Vec::new())
    }
    fn one() -> Self {
        Self::of(1.0)
    }
    fn from_int(n: i64) -> Self {
        Self::of(n as f64)
    }
    fn is_valid(&self) -> bool {
        self.value().is_finite()
    }
    fn rounding(operations: usize) -> Self {
        Self::of(f64::rounding(operations))
    }
}

impl Real for Backwards {
    fn sqrt(&self) -> Self {
        Self::of(self.value().sqrt())
    }
    fn exp(&self) -> Self {
        let exact = self.value().exp();
        Self::of(if exact.to_bits().is_multiple_of(2) { exact * (1.0 + 2.0 * f64::EPSILON) } else { exact })
    }
    fn ln(&self) -> Self {
        Self::of(self.value().ln())
    }
}

impl Scalar for Backwards {
    fn of(x: f64) -> Self {
        Self(vec![(x, 1.0)])
    }
    fn settled(self) -> Self {
        Self::of(self.value())
    }
    fn project(unprojected: &[Self], radius: &Self, point: &mut [Self]) -> Result<(), Error> {
        let square = unprojected.iter().fold(Self::zero(), |sum, y| sum + y.clone() * y);
        let (norm, radius) = (square.sqrt().value(), radius.value());
        for (x, y) in point.iter_mut().zip(unprojected) {
            *x = Self::of(if norm > radius { y.value() / norm * radius } else { y.value() });
        }
        Ok(())
    }
}

fn backwards(case: &Case, broken: Option<Mutation>) -> Trace {
    let trace = variant::run::<Backwards>(case, broken);
    let numbers = |values: Vec<Backwards>| values.into_iter().map(|x| x.value()).collect();
    trace
        .into_iter()
        .map(|step| offline_primal_dual::conformance::Step {
            t: step.t,
            k: step.k,
            fields: step.fields.into_iter().map(|(field, values)| (field, numbers(values))).collect(),
        })
        .collect()
}

#[test]
fn another_order_of_operations_is_within_tolerance_and_not_by_luck() {
    let results: Vec<(Case, Trace)> = all().into_iter().map(|case| (case.clone(), backwards(&case, None))).collect();
    let report = check(&results, &Tolerance::default()).unwrap();
    assert!(report.passed(), "{report}");
    // The order matters: few cases have equal bits, and asking for equality fails, but is not called a bug.
    assert!(report.identical < results.len() / 2, "{report}");
    let strict = check(&results, &Tolerance::equality()).unwrap();
    assert!(!strict.passed() && strict.rounding && strict.likely().is_empty(), "{strict}");
}

/// One step from a state of the caller's is the step of the run.
#[test]
fn single_steps_are_the_steps_of_the_run() {
    for case in fixed() {
        let trace = case.expected().unwrap();
        let mut at = variant::At {
            theta: case.theta_start.clone(),
            rho: case.rho_start,
            beta: case.beta_start.clone(),
            theta_sum: vec![0.0; case.dim],
        };
        for (step, sample) in trace.iter().zip(&case.samples) {
            let get = |field| step.get(field).unwrap().to_vec();
            if step.k.is_none() {
                at.theta = get(Quantity::Theta);
                at.rho = step.get(Quantity::Rho).map_or(0.0, |rho| rho[0]);
            }
            let one = if step.k.is_some() { variant::inner_step } else { variant::outer_step };
            assert_eq!(one(&case, &at, sample).unwrap().fields, step.fields, "{} {} {:?}", case.id, step.t, step.k);
            if step.k.is_some() {
                at.theta = get(Quantity::ThetaNext);
                at.rho = step.get(Quantity::RhoNext).map_or(0.0, |rho| rho[0]);
            } else {
                (at.beta, at.theta_sum) = (get(Quantity::BetaNext), get(Quantity::ThetaSum));
            }
        }
    }
}

/// A tolerance that grew large would pass anything. Iterates are of size 1/4 and more, and a bug moves them by a rate times a
/// gradient, 10⁻³ and more.
#[test]
fn tolerances_are_tight_and_every_draw_is_decided() {
    for case in all() {
        let expectation = Expectation::new(case).unwrap();
        let id = &expectation.case().id;
        assert_eq!(expectation.bounds().len(), expectation.trace().len(), "{id}: an undecided draw");
        // Where logits are in the thousands a rounding error may change the policy, and with it the rest of the run; but no single step.
        let is_steep = expectation.case().alpha > 10_000.0;
        let bounds = if is_steep { expectation.local_bounds() } else { expectation.bounds().clone() };
        for step in &bounds {
            for field in [Quantity::Theta, Quantity::BetaNext, Quantity::Rho, Quantity::ThetaNext] {
                for bound in step.get(field).unwrap_or_default() {
                    assert!(bound.tolerance < 1e-7, "{id} {}: {}", field.name(), bound.tolerance);
                }
            }
        }
    }
}

/// Every mutant is detected, and named rightly: from everything it computed, and from θ, ρ and β alone.
#[test]
fn every_mutant_is_detected_and_named() {
    for setting in Setting::ALL {
        for mutation in Mutation::of(setting) {
            for minimal in [false, true] {
                let run = |case: Case| {
                    let trace = backwards(&case, Some(mutation));
                    (case, if minimal { results_only(&trace) } else { trace })
                };
                let results: Vec<_> = cases::fixed(setting).into_iter().map(run).collect();
                let report = check(&results, &Tolerance::default()).unwrap();
                assert!(!report.passed(), "{} is not detected", mutation.name());
                let named: Vec<String> = report.likely().into_iter().map(Bug::name).collect();
                assert_eq!(named, [mutation.name()], "(minimal: {minimal})");
            }
        }
    }
}

/// The first divergence is where a number was spoilt, by one thousand tolerances, and nowhere else.
#[test]
fn a_spoilt_number_is_found_where_it_was_spoilt() {
    for case in fixed() {
        let expectation = Expectation::new(case.clone()).unwrap();
        for (index, step) in expectation.trace().iter().enumerate() {
            for (field, numbers) in &step.fields {
                let component = numbers.len() - 1;
                let bound = expectation.bounds()[index].get(*field).unwrap()[component];
                let mut spoilt = expectation.trace().clone();
                let place = spoilt[index].fields.iter_mut().find(|(known, _)| known == field).unwrap();
                let wrong = place.1[component] + 1000.0 * bound.tolerance.max(1e-300);
                // A tolerance far below the number's own last place cannot be added.
                if wrong.to_bits() == place.1[component].to_bits() {
                    place.1[component] += 1.0;
                } else {
                    place.1[component] = wrong;
                }
                let found = expectation.divergence(&spoilt, &Tolerance::default()).expect("spoilt, not found");
                assert_eq!((found.t, found.k, found.field), (step.t, step.k, *field), "{}", case.id);
                assert!(matches!(found.difference, Difference::Number { component: c, .. } if c == component));
            }
        }
    }
}

/// The corner cases are what their names say.
#[test]
fn corners_are_corners() {
    let norm = |y: &[f64]| y.iter().map(|x| x * x).sum::<f64>().sqrt();
    for setting in Setting::ALL {
        let get = |name: &str| cases::by_id(&format!("{}/{name}", setting.name())).unwrap();
        let case = get("projections");
        for step in case.expected().unwrap() {
            let radius = if step.k.is_some() { case.radius_theta } else { case.radius_beta };
            assert!(norm(step.get(Quantity::Unprojected).unwrap()) > radius, "{} {} {:?}", case.id, step.t, step.k);
        }
        for step in get("ties").expected().unwrap() {
            let policy = step.get(Quantity::PolicyNext).unwrap();
            assert_eq!(policy[0].to_bits(), policy[1].to_bits());
        }
        for case in ["large-logits", "zero-large-logits"].map(get) {
            // In an iteration that the policy is used in.
            let mut sums = case.expected().unwrap().into_iter().filter(|step| step.k.is_none() && step.t < case.outer);
            let sum = sums.next_back().unwrap().get(Quantity::ThetaSum).unwrap().to_vec();
            let logit = |phi: &[f64]| case.alpha * phi.iter().zip(&sum).map(|(x, y)| x * y).sum::<f64>();
            assert!(case.features.chunks(case.dim).any(|phi| logit(phi).exp().is_infinite()), "{}", case.id);
        }
        for name in cases::CORNERS.iter().map(|corner| corner.name).filter(|name| name.starts_with("zero-")) {
            let Some(case) = cases::by_id(&format!("{}/{name}", setting.name())) else { continue };
            let starts = case.theta_start.iter().chain(&case.beta_start).chain([&case.rho_start]);
            assert!(starts.into_iter().all(|x| *x == 0.0) && case.weight.is_some() == (name == "zero-half"), "{name}");
            assert!(!cases::is_whole(&case.id) && !cases::is_large(&case.id), "{name}");
        }
        let case = get("partial-coverage");
        assert!(
            case.samples.iter().all(|sample| sample.x < 2 && sample.a < 2) && case.states == 3 && case.actions == 3
        );
        assert_eq!((get("inner-one").inner, get("outer-one").outer, get("one-action").actions), (1, 1, 1));
        assert_eq!((get("one-feature").dim, get("plain").weight), (1, None));
        assert!(get("half").weight.is_some() && get("lanes").dim > 16);
    }
    assert_eq!(cases::by_id("discounted/discount-zero").unwrap().discount.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn the_trait_takes_a_function_and_reports_what_is_wrong() {
    let mut right = |case: &Case| case.expected().map_err(|e| e.to_string());
    let report = conformance(&mut right).unwrap();
    assert_eq!((report.cases, report.identical), (103, 103));
    let mut wrong = |case: &Case| Ok(variant::run::<f64>(case, Some(Mutation::PolicyFromLastTheta)));
    let report = conformance(&mut wrong).unwrap_err();
    assert!(report.contains("likely bug (discounted): the policy is the softmax of the last θ"), "{report}");
}

/// A report made by hand, and every word of it.
#[test]
fn what_a_report_says() {
    let divergence = |case: &str, setting, t, k, field, difference| Divergence {
        case: case.to_owned(),
        setting,
        t,
        k,
        field,
        difference,
    };
    let number = |found| Difference::Number { component: 2, expected: 1.0, found, tolerance: 1e-20 };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let (discounted, average) = (Setting::Discounted, Setting::Average);
    let four_ulps = 1.0 + 4.0 * f64::EPSILON;
    let divergences = vec![
        divergence("x", discounted, 1, Some(3), Quantity::W, number(four_ulps)),
        divergence("x", discounted, 1, None, Quantity::Theta, Difference::Length { expected: 3, found: 2 }),
        divergence("y", average, 2, None, Quantity::Theta, Difference::Missing),
    ];
    let severities: Vec<f64> = divergences.iter().map(Divergence::severity).collect();
    assert!((severities[0] / (4.0 * f64::EPSILON / 1e-20) - 1.0).abs() < 1e-12, "{severities:?}");
    assert_eq!(severities[1..], [f64::INFINITY; 2]);
    assert_eq!(divergence("x", average, 1, None, Quantity::Rho, number(f64::NAN)).severity(), f64::INFINITY);
    let compared = |setting, cases, not_fields: &[&str], likely| Compared {
        setting,
        cases,
        not_cases: words(&["a/b", "c"]),
        fields: words(&["inner.w", "theta"]),
        not_fields: words(not_fields),
        agreeing: words(&["d"]),
        likely,
        never: if setting == average { words(&["no K = 1", "no c = 1/2"]) } else { vec![] },
    };
    let bug = Bug(vec![Mutation::RhoReset, Mutation::AlphaDropped]);
    let report = Report {
        cases: 5,
        identical: 1,
        divergences,
        undecided: vec![
            Undecided { case: "z".to_owned(), t: 3, k: Some(2), why: Why::Draw },
            Undecided { case: "x".to_owned(), t: 1, k: None, why: Why::Bound },
        ],
        rounding: false,
        settings: vec![compared(discounted, 3, &["inner.phi"], vec![]), compared(average, 2, &[], vec![bug])],
        draws: Some(Draws { count: 10, deviation: 4.0, allowed: 3.5 }),
        ..Report::default()
    };
    let expected = [
        "2 of 5 cases diverge, 1 agree bit for bit, 1 undecided",
        "first divergence: case x, t = 1, k = 3, w[2]: found 1.0000000000000009, expected 1.0, 4 ulps apart, 8.882e-16 where 1.000e-20 is \
         allowed; also, from the values found, at t = 1 theta",
        "first divergence: case y, t = 2, theta: missing, expected in every outer step",
        "likely bug (discounted): none of the known ones, nor two of them, explains every result",
        "  w should be w = ⟨φ(X, A), Λ^{c−1}β_t⟩; of its inputs phi is not in the results",
        "  cases that agree: d",
        &format!(
            "likely bug (average): {}; and {} (rho-reset+alpha-dropped)",
            Mutation::RhoReset.what(),
            Mutation::AlphaDropped.what()
        ),
        "discounted: 3 cases compared, fixed cases not compared: a/b, c; fields compared: inner.w, theta; not in the results: inner.phi",
        "average: 2 cases compared, fixed cases not compared: a/b, c; fields compared: inner.w, theta; not put to the test, for in these \
         cases there was no K = 1, no c = 1/2",
        "own draws: A' is not drawn from π_t(·|X') in 10 draws; an action came 4.0 times more or less often than expected, 3.5 is allowed, \
         which right draws exceed with probability 1e-6 at most",
        "undecided from t = 3, k = 2 in case z: u is so near the end of an action's interval that rounding decides A', and the result has no \
         a_next; and in 1 other case",
    ];
    assert_eq!(report.to_string(), expected.join("\n"));
    assert!(!report.passed() && report.likely().len() == 1 && report.diverging() == ["x", "y"]);
    let only_draws = Report { divergences: vec![], ..report.clone() };
    assert!(!only_draws.passed(), "biased draws pass");
    let told = only_draws.to_string();
    assert!(told.starts_with("A' is biased; 3 cases agree otherwise, 2 undecided\n"), "{told}");
    let one = Report { cases: 1, divergences: vec![], undecided: vec![], draws: None, ..report.clone() }.to_string();
    assert!(one.starts_with("1 case agrees, bit for bit\n"), "{one}");
    let none = Report { cases: 2, identical: 0, divergences: vec![], draws: None, ..report.clone() };
    assert_eq!(none.tally(), [0, 2]);
    assert!(none.to_string().starts_with("0 cases agree, 0 of them bit for bit, 2 undecided\n"), "{none}");
    let rounded = Report { rounding: true, draws: None, undecided: vec![], ..report.clone() }.to_string();
    assert!(rounded.contains("\nno bug: every difference is within what rounding explains\n"), "{rounded}");
    assert!(!rounded.contains("likely bug"), "{rounded}");
    // Of an inner step's inputs one diverges too; others do in another case, or in the outer step.
    let gradient = [
        ("x", Some(1), Quantity::Gradient),
        ("x", Some(1), Quantity::W),
        ("y", Some(1), Quantity::Phi),
        ("x", None, Quantity::Phi),
    ];
    let of_inputs = gradient.map(|(case, k, field)| divergence(case, discounted, 1, k, field, Difference::Missing));
    let mut settings = vec![compared(discounted, 3, &[], vec![])];
    settings[0].fields = words(&["inner.phi", "inner.w", "inner.mean_feature"]);
    let told = Report { divergences: of_inputs.to_vec(), settings, rounding: false, ..Report::default() }.to_string();
    assert!(told.contains("; of its inputs mean_feature agrees, w diverges too, phi agrees\n"), "{told}");
    let Report { settings, .. } = report;
    let good = Report { cases: 2, identical: 2, rounding: true, settings: settings[..1].to_vec(), ..Report::default() };
    let told = good.to_string();
    assert!(good.passed() && told.starts_with("2 cases agree, 2 of them bit for bit\ndiscounted: 3 cases"), "{told}");
    assert!(told.ends_with("\naverage: not compared"), "{told}");
}

/// Actions are integers, and what is no number is not so and so many ulps away.
#[test]
fn differences_are_said_as_a_person_reads_them() {
    let said = |field, expected, found| {
        let difference = Difference::Number { component: 0, expected, found, tolerance: 0.0 };
        let (case, setting) = ("x".to_owned(), Setting::Average);
        Divergence { case, setting, t: 1, k: Some(2), field, difference }.to_string()
    };
    assert_eq!(said(Quantity::ActionNext, 1.0, 0.0), "case x, t = 1, k = 2, a_next: found action 0, expected action 1");
    let no_number = "case x, t = 1, k = 2, w[0]: found no number (null), expected 0.5";
    assert_eq!(said(Quantity::W, 0.5, f64::NAN), no_number);
    assert_eq!(said(Quantity::W, 0.5, f64::INFINITY), "case x, t = 1, k = 2, w[0]: found inf, expected 0.5");
}

/// Of three results one is right, one a little and one much too large: the worst comes first, and what was compared is counted.
#[test]
fn a_report_counts_what_was_compared_and_puts_the_worst_first() {
    let with = |name: &str, off: f64| {
        let case = cases::by_id(name).unwrap();
        let mut found = results_only(&case.expected().unwrap());
        let theta = found[0].fields.iter_mut().find(|(field, _)| *field == Quantity::Theta).unwrap();
        theta.1[0] += off;
        (case, found)
    };
    let results = [("discounted/plain", 1e-3), ("discounted/half", 0.0), ("discounted/ties", -1e3)];
    let results = results.map(|(name, off)| with(name, off));
    let report = check(&results, &Tolerance::default()).unwrap();
    assert_eq!((report.cases, report.identical, report.rounding), (3, 1, false));
    assert_eq!(report.diverging(), ["discounted/ties", "discounted/plain"]);
    assert!(report.divergences.windows(2).all(|pair| pair[0].severity() >= pair[1].severity()), "{report}");
    let [compared] = &report.settings[..] else { panic!("{report}") };
    assert_eq!((compared.setting, compared.cases), (Setting::Discounted, 3));
    assert_eq!(compared.agreeing, ["discounted/half"]);
    assert_eq!(compared.fields, ["theta", "beta_next"]);
    assert!(
        compared.not_fields.contains(&"inner.theta_next".to_owned())
            && !compared.not_fields.contains(&"theta".to_owned())
    );
    let absent = cases::fixed(Setting::Discounted).len() - 3;
    assert_eq!(compared.not_cases.len(), absent);
    // A field's own tolerance replaces the derived one; one that is stricter fails, and that is no bug.
    let wide = Tolerance { fields: vec![(Quantity::Theta, 1e9), (Quantity::BetaNext, 1e9)], ..Tolerance::default() };
    assert!(check(&results, &wide).unwrap().passed());
    // Stricter than rounding allows, the bug is named all the same.
    let broken = cases::fixed(Setting::Discounted).into_iter().filter(|case| !cases::is_large(&case.id));
    let broken =
        broken.map(|case| (case.clone(), results_only(&variant::run::<f64>(&case, Some(Mutation::AlphaDropped)))));
    let strict = check(&broken.collect::<Vec<_>>(), &Tolerance::equality()).unwrap();
    assert_eq!(strict.likely().into_iter().map(Bug::name).collect::<Vec<_>>(), ["alpha-dropped"], "{strict}");
    let other = Tolerance { fields: vec![(Quantity::Rho, 1e9)], ..Tolerance::default() };
    assert!(!check(&results, &other).unwrap().passed());
}

/// Half a tolerance off passes, one and a half do not, unless tolerances are doubled.
#[test]
fn a_tolerance_is_one() {
    let mut compared = 0;
    for case in fixed().into_iter().filter(|case| !cases::is_large(&case.id)) {
        let expectation = Expectation::new(case).unwrap();
        let (trace, local) = (expectation.trace(), expectation.local_bounds());
        let last = trace.len() - 1;
        // From its own inputs, and from the start of the run: the narrower counts.
        let number = trace[last].get(Quantity::BetaNext).unwrap()[0];
        let bound = |bounds: &Trace<Bound>| bounds[last].get(Quantity::BetaNext).unwrap()[0].tolerance;
        let allowed = bound(&local).min(bound(expectation.bounds()));
        for (off, factor, passes) in [(0.5, 1.0, true), (1.5, 1.0, false), (1.5, 2.0, true), (2.5, 2.0, false)] {
            let mut found = trace.clone();
            let place = found[last].fields.iter_mut().find(|(field, _)| *field == Quantity::BetaNext).unwrap();
            place.1[0] = number + off * allowed;
            // Where a tolerance is a few last places, sums round.
            if ((place.1[0] - number) / allowed - off).abs() > 0.3 {
                continue;
            }
            compared += 1;
            let tolerance = Tolerance { factor, ..Tolerance::default() };
            if factor == 1.0 {
                // Asked for equality, the kit says whether it is rounding alone.
                let case = expectation.case();
                let both = [(case.clone(), found.clone()), (case.clone(), trace.clone())];
                let strict = check(&both, &Tolerance::equality()).unwrap();
                assert!(!strict.passed() && strict.identical == 1 && strict.rounding == passes, "{strict}");
            }
            let found = expectation.divergence(&found, &tolerance);
            assert_eq!(found.is_none(), passes, "{} {off} of {factor}: {found:?}", expectation.case().id);
        }
    }
    assert!(compared > 60, "{compared}");
}

/// A field that is too short, or no number, is named, and nothing that is computed from it: the library's own is taken there.
#[test]
fn what_is_no_number_spoils_its_own_field_only() {
    for case in ["discounted/half", "average/half"].map(|id| cases::by_id(id).unwrap()) {
        let trace = case.expected().unwrap();
        for (at, step) in trace.iter().enumerate().take(6) {
            for field in step.fields.iter().map(|(field, _)| *field) {
                for short in [true, false] {
                    let mut found = trace.clone();
                    let numbers = &mut found[at].fields.iter_mut().find(|(known, _)| *known == field).unwrap().1;
                    if short {
                        numbers.pop();
                    } else {
                        numbers[0] = f64::NAN;
                    }
                    let report = check(&[(case.clone(), found)], &Tolerance::default()).unwrap();
                    let named: Vec<_> =
                        report.divergences.iter().map(|found| (found.t, found.k, found.field)).collect();
                    assert_eq!(named, [(step.t, step.k, field)], "{short} {report}");
                }
            }
        }
    }
}

/// What is printed of a run is read back as that run.
#[test]
fn results_are_read_back() {
    for case in fixed().into_iter().filter(|case| !cases::is_large(&case.id)) {
        let trace = case.expected().unwrap();
        let line = json::results(&case.id, &trace);
        let found = read::results_lines(std::path::Path::new("lines"), &format!("\n{line}\n")).unwrap();
        assert_eq!((found.len(), &found[0].id, found[0].place.as_str()), (1, &case.id, "lines:2"));
        assert_eq!(found[0].trace, trace, "{}", case.id);
        let prompt = json::prompt(&case);
        assert_eq!(json::prompt(&read::problem(std::path::Path::new("p"), 1, &prompt).unwrap()), prompt);
    }
}

/// The table of formulas has what the library computes, step by step, and every input that it names.
#[test]
fn formulas_are_of_the_fields_that_there_are() {
    for case in fixed() {
        for step in case.expected().unwrap() {
            for (field, name) in FIELDS {
                let formula = formulas::formula(case.setting, step.k.is_some(), field);
                assert_eq!(formula.is_some(), step.get(field).is_some(), "{} {name} {:?}", case.id, step.k);
                for input in formula.iter().flat_map(|formula| formula.inputs) {
                    assert!(step.get(*input).is_some() && *input < field, "{name} is made of {}", input.name());
                }
            }
        }
    }
}

/// The temporal difference of the average setting has no γ and subtracts ρ_t.
#[test]
fn formulas_are_of_their_setting() {
    for (setting, has, lacks) in [(Setting::Discounted, "γv_t", "ρ_t"), (Setting::Average, "ρ_t", "γ")] {
        let formula = formulas::formula(setting, false, Quantity::TdError).unwrap();
        assert!(formula.text.contains(has) && !formula.text.contains(lacks), "{}", formula.text);
        assert_eq!(formula.inputs.contains(&Quantity::Rho), setting == Setting::Average);
    }
}

/// A step after the last, an inner step too many and a field of the other setting are named, whatever they say; and a report knows in which
/// arithmetic it was made.
#[test]
fn what_a_case_does_not_have_is_named() {
    let case = cases::by_id("discounted/plain").unwrap();
    let own = case.expected().unwrap();
    let (inner, last) = (own[0].clone(), own.last().unwrap().clone());
    let (t, k) = (case.outer + 1, Some(case.inner));
    let beyond = |mut step: Step<f64>, t, k| {
        step.fields.retain(|(field, _)| matches!(field, Quantity::Phi));
        (step.t, step.k) = (t, k);
        step
    };
    for (step, field) in [
        (beyond(last.clone(), t, None), Quantity::Phi),
        (beyond(inner, 1, k), Quantity::Phi),
        (
            Step { fields: [last.fields.clone(), vec![(Quantity::Rho, vec![0.0])]].concat(), ..last.clone() },
            Quantity::Rho,
        ),
    ] {
        let place = (step.t, step.k, field);
        let mut found = own.clone();
        found.retain(|known| (known.t, known.k) != (step.t, step.k));
        found.push(step);
        let tolerance = Tolerance { precision: Precision::F32, ..Tolerance::default() };
        let report = check(&[(case.clone(), found)], &tolerance).unwrap();
        let named: Vec<_> = report.divergences.iter().map(|d| (d.t, d.k, d.field)).collect();
        assert!(named == [place] && report.divergences[0].difference == Difference::Unknown, "{report}");
        assert_eq!(report.precision, Precision::F32);
    }
}

/// What a case is asked about its rows.
#[test]
fn cases_know_their_rows() {
    let case = cases::by_id("average/half").unwrap();
    let (states, actions, d) = (case.states, case.actions, case.dim);
    for (x, a) in (0..states).flat_map(|x| (0..actions).map(move |a| (x, a))) {
        assert_eq!(case.phi(x, a).unwrap(), &case.features[(x * actions + a) * d..][..d]);
    }
    for (x, a) in [(states, 0), (0, actions), (usize::MAX, 0), (usize::MAX, usize::MAX)] {
        assert_eq!(case.phi(x, a), None);
    }
    let rows = case.samples.len();
    assert_eq!(rows, case.outer * (case.inner + 1));
    let order: Vec<usize> = (0..rows).rev().collect();
    let reversed = case.reordered(&order).unwrap();
    assert!((0..rows).all(|row| reversed.samples[row] == case.samples[rows - 1 - row]));
    assert_eq!(Case { samples: case.samples.clone(), ..reversed }, case);
    let twice = [&[rows - 1], &order[..rows - 1]].concat();
    for wrong in [&order[1..], &[order.clone(), vec![0]].concat(), &twice, &[rows]] {
        assert_eq!(case.reordered(wrong), None, "{wrong:?}");
    }
    let spoilt = |spoil: fn(&mut Case)| {
        let mut case = case.clone();
        spoil(&mut case);
        case.validate().is_err() && case.expected().is_err()
    };
    for spoil in [
        (|case| case.samples[1].x = case.states) as fn(&mut Case),
        |case| case.samples[1].x0 = case.states,
        |case| case.samples[1].x_next = case.states,
        |case| case.samples[1].a = case.actions,
        |case| case.samples.truncate(1),
        |case| case.features.truncate(1),
    ] {
        assert!(spoilt(spoil));
    }
    // Ten times the rows are about ten times the work; c = 1/2 costs a product with Λ per iteration.
    let long = Case { outer: 10 * case.outer, samples: case.samples.repeat(10), ..case.clone() };
    assert!((long.cost() / case.cost() - 10.0).abs() < 1e-9);
    let plain = Case { weight: None, ..case.clone() };
    assert!((case.cost() - plain.cost() - 40.0 * (case.outer * d * d) as f64).abs() < 1e-6);
}

/// `opd` with text on its standard input.
fn fed(place: &Place, arguments: &str, input: &[u8]) -> (Option<i32>, String, String) {
    let Output { code, stdout, stderr } = opd::fed(place, arguments, input);
    (code, stdout, stderr)
}

/// The golden files are what this build writes, byte for byte, and a changed byte is noticed.
#[test]
fn the_golden_files_are_up_to_date() {
    let place = Place::new();
    assert_eq!(opd(&place, "vectors gen --out fresh").code, Some(0));
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut total = 0;
    for entry in std::fs::read_dir(place.path("fresh")).unwrap() {
        let path = entry.unwrap().path();
        let (fresh, known) = (std::fs::read(&path).unwrap(), std::fs::read(golden.join(path.file_name().unwrap())));
        assert!(fresh == known.unwrap_or_default(), "{}: run opd vectors gen --out vectors", path.display());
        total += fresh.len();
    }
    // Of 63 cases and 32 wrong variants; what is cloned with the repository stays small.
    assert!(total < 2_250_000, "{total} bytes: too much for a repository");
    assert_eq!(place.names(), ["fresh"], "something was left behind");
    let check = opd(&place, "vectors check fresh");
    assert!(
        check.code == Some(0) && check.stdout.contains("63 cases agree, 63 of them bit for bit"),
        "{}",
        check.stdout
    );
    let file = place.path("fresh/average.prompt.json");
    let spoilt = std::fs::read_to_string(&file).unwrap().replacen("0.5", "0.25", 1);
    std::fs::write(&file, spoilt).unwrap();
    let check = opd(&place, "vectors check fresh");
    assert!(check.code == Some(2) && check.stderr.contains("SHA-256"), "{}", check.stderr);
}

/// The cases of a golden file, as lines.
fn golden(name: &str) -> Vec<String> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().filter(|line| line.starts_with("{\"id\"")).map(|line| line.trim_end_matches(',').to_owned()).collect()
}

/// A list, or one number as a list.
fn listed(value: &serde_json::Value) -> Vec<&serde_json::Value> {
    value.as_array().map_or_else(|| vec![value], |list| list.iter().collect())
}

/// The exact fractions of the golden files are within half a tolerance of the doubles beside them, and every number of the
/// first iteration has one until something is projected.
#[test]
fn exact_fractions_are_there_and_near_the_doubles() {
    let mut compared = 0;
    for kind in ["discounted.expected", "discounted.internal", "average.expected", "average.internal"] {
        for line in golden(&format!("{kind}.json")) {
            let case: serde_json::Value = serde_json::from_str(&line).unwrap();
            for step in case["steps"].as_array().unwrap() {
                let prefix = if step["k"].is_number() { "inner." } else { "" };
                // From the bits: the decimals are read by a parser that may be off by one.
                for (key, bits) in step.as_object().unwrap() {
                    let Some(key) = key.strip_suffix("_bits") else { continue };
                    let fractions = &step[format!("{key}_exact")];
                    if fractions.is_null() {
                        let projects = ["projections", "features-33", "outer-100", "outer-12"];
                        let name = case["id"].as_str().unwrap();
                        let early = step["t"] == 1 && !projects.iter().any(|end| name.ends_with(end));
                        assert!(!early || key.starts_with("phi"), "{} {key}: no fraction", case["id"]);
                        continue;
                    }
                    // A field without a tolerance is exact.
                    let tolerance = case["tolerances"][format!("{prefix}{key}")].as_f64().unwrap_or(0.0);
                    let allowed = BigRational::from_f64(tolerance / 2.0).unwrap();
                    for (bits, fraction) in listed(bits).into_iter().zip(listed(fractions)) {
                        let fraction: BigRational = fraction.as_str().unwrap().parse().unwrap();
                        let bits = u64::from_str_radix(bits.as_str().unwrap(), 16).unwrap();
                        let double = BigRational::from_f64(f64::from_bits(bits)).unwrap();
                        assert!((double - &fraction).abs() <= allowed, "{} {key}: {fraction}", case["id"]);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// A line of the mutant files is a result like any other: `opd vectors check` refuses it and names the bug, and the place
/// that the file calls the first is where the intermediates part.
#[test]
fn the_mutants_on_file_are_named() {
    let place = Place::new();
    for setting in Setting::ALL {
        let entries = golden(&format!("{}.mutants.json", setting.name()));
        for mutation in Mutation::of(setting) {
            let name = format!("\"mutation\":\"{}\"", mutation.name());
            let mut lines: Vec<String> = entries.iter().filter(|line| line.contains(&name)).cloned().collect();
            let mine: Vec<serde_json::Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            // Cases where the mutation does not show agree, which helps to tell it from others.
            for case in cases::fixed(setting).into_iter().filter(|case| cases::is_whole(&case.id)) {
                if !mine.iter().any(|entry| entry["id"] == case.id.as_str()) {
                    lines.push(json::results(&case.id, &results_only(&case.expected().unwrap())));
                }
            }
            let (code, told, _) = fed(&place, "--json vectors check --partial", (lines.join("\n") + "\n").as_bytes());
            let report: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(code, Some(1), "{}", mutation.name());
            assert_eq!(report["diverging"].as_array().unwrap().len(), mine.len(), "{}", mutation.name());
            assert_eq!(report["likely"].as_array().unwrap().len(), 1, "{told}");
            assert_eq!(report["likely"][0]["mutation"], mutation.name());
            for entry in mine {
                let case = cases::by_id(entry["id"].as_str().unwrap()).unwrap();
                let first = Expectation::new(case.clone())
                    .unwrap()
                    .divergence(&backwards(&case, Some(mutation)), &Tolerance::default())
                    .unwrap();
                let named = (&entry["first"]["t"], &entry["first"]["field"]);
                assert_eq!(named, (&first.t.into(), &first.field.name().into()), "{} {}", case.id, mutation.name());
                assert_eq!(entry["first"]["k"].as_u64(), first.k.map(|k| k as u64));
            }
        }
    }
}

/// The golden files keep to their schema, and a schema that let anything through would be noticed. Needs Python with
/// jsonschema; skipped, loudly, without.
#[test]
fn the_golden_files_keep_to_their_schema() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let hold_against_schema = |directory: &std::path::Path| {
        let output = Command::new("python3").arg(root.join("check_schema.py")).arg(directory).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if !Command::new("python3").args(["-c", "import jsonschema"]).output().is_ok_and(|o| o.status.success()) {
        eprintln!("!!! SKIPPED: no python3 with jsonschema, so the golden files were not held against their schema");
        return;
    }
    let (valid, told) = hold_against_schema(&root);
    assert!(valid && told.contains("9 files, 0 violations"), "{told}");
    for (name, right, wrong) in [
        ("discounted.prompt.json", "\"alpha\":0.5,", "\"alfa\":0.5,"),
        ("discounted.prompt.json", "\"alpha_bits\":\"3fe0000000000000\",", ""),
        ("discounted.prompt.json", "\"x0\":", "\"u\":"),
        ("average.prompt.json", "\"r\":[", "\"r\":[1.5,"),
        ("average.expected.json", "\"tolerances\":{\"inner.w\":", "\"tolerances\":{\"inner.w\":-"),
        ("average.expected.json", "\"theta_bits\":[\"", "\"theta_bits\":[\"x"),
        ("average.internal.json", "\"td_error_exact\":\"", "\"td_error_exact\":\"1/0"),
        ("average.internal.json", "\"kind\":\"internal\"", "\"kind\":\"prompt\""),
        ("average.internal.json", "\"steps\":[{\"t\":1", "\"steps\":[{\"t\":0"),
        ("discounted.mutants.json", "\"first\":{\"t\":", "\"frist\":{\"t\":"),
        ("manifest.json", "\"sha256\": \"", "\"sha256\": \"g"),
    ] {
        let place = Place::new();
        for known in ["schema.json", name] {
            std::fs::copy(root.join(known), place.path(known)).unwrap();
        }
        // The first case is enough, and quicker.
        let text = std::fs::read_to_string(place.path(name)).unwrap();
        let short = text.lines().take(2).collect::<Vec<_>>().join("\n");
        let text = if name == "manifest.json" { text } else { short.trim_end_matches(',').to_owned() + "]}" };
        assert!(text.contains(right), "{name}: {right}");
        place.write(name, text.replacen(right, wrong, 1).as_bytes());
        let (valid, told) = hold_against_schema(&place.path(""));
        assert!(!valid && !told.contains(" 0 violations"), "{name}, {wrong}: {told}");
    }
}

#[test]
fn results_that_cannot_be_read_are_refused_in_one_line() {
    let place = Place::new();
    place.write("not-a-directory", b"");
    assert_eq!(opd(&place, "vectors check not-a-directory").code, Some(2));
    let right = "{\"id\":\"discounted/plain\",\"steps\":[]}";
    for (input, expected) in [
        ("", "found nothing"),
        ("{\n", "not JSON"),
        ("[]", "expected an object"),
        ("{\"id\":\"discounted/plain\"}", "no key `steps`"),
        ("{\"steps\":[]}", "no key `id`"),
        ("{\"id\":\"discounted/nothing\",\"steps\":[]}", "expected an id from a prompt"),
        ("{\"id\":\"random/1/5-of-5\",\"steps\":[]}", "expected an id from a prompt"),
        ("{\"id\":\"random/1/0-of-99999999999999\",\"steps\":[]}", "no result for case random/1/1-of-99999999999999"),
        ("{\"id\":\"discounted/plain\",\"steps\":[{\"theta\":[1]}]}", "no key `t`"),
        ("{\"id\":\"discounted/plain\",\"steps\":[{\"t\":1,\"theta\":[\"x\"]}]}", "expected a number"),
        ("{\"id\":\"discounted/plain\",\"steps\":[{\"t\":1,\"theta_bits\":[\"+000000000000000\"]}]}", "16 hexadecimal"),
        (
            "{\"id\":\"discounted/plain\",\"steps\":[{\"t\":1,\"theta\":[1],\"theta_bits\":[\"0000000000000000\"]}]}",
            "not the same numbers",
        ),
        (right, "no result for case"),
    ] {
        let (code, stdout, stderr) = fed(&place, "vectors check", input.as_bytes());
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{input}");
        assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{input}: {stderr}");
    }
    let (code, stdout, _) = fed(&place, "vectors check --partial", right.as_bytes());
    assert!(code == Some(1) && stdout.contains("t = 1, theta: missing"), "{stdout}");
    let not_a_number = "{\"id\":\"discounted/plain\",\"steps\":[{\"t\":1,\"theta\":[null,0,0]}]}";
    let (code, stdout, _) = fed(&place, "vectors check --partial", not_a_number.as_bytes());
    assert!(code == Some(1) && stdout.contains("theta[0]: found no number (null), expected"), "{stdout}");
    let extra = "{\"id\":\"discounted/plain\",\"steps\":[{\"t\":9,\"theta\":[0,0,0]}]}";
    let (code, stdout, _) = fed(&place, "--json vectors check --partial", extra.as_bytes());
    assert!(code == Some(1) && stdout.contains("\"pass\":false"), "{stdout}");
    assert_eq!(fed(&place, "vectors check --tolerance thet=1", right.as_bytes()).0, Some(2));
}

fn exact(value: &serde_json::Value) -> BigRational {
    value["exact"].as_str().unwrap().parse().unwrap()
}

/// Lemmas 4.1, 4.2, C.3 and C.4 on the oracle's own answers, for iterates and a comparator of the caller's.
#[test]
fn the_oracle_answers_with_fractions_that_satisfy_the_lemmas() {
    let place = Place::new();
    for (setting, rhos) in [("discounted", ""), ("average", ",\"rhos\":[\"1/3\",0.25]")] {
        for c in ["1", "1/2"] {
            let instance = offline_primal_dual::instances::all()
                .iter()
                .find(|instance| instance.is_average_reward() && instance.has_root())
                .unwrap();
            let shape = instance.shape();
            let vector = format!("[{}]", vec!["\"2/7\""; shape.dim].join(","));
            let row = format!("[{}]", vec![format!("\"1/{}\"", shape.actions); shape.actions].join(","));
            let policy = format!("[{}]", vec![row; shape.states].join(","));
            let request = format!(
                "{{\"instance\":\"{}\",\"setting\":\"{setting}\",\"c\":\"{c}\",\"policy\":{policy},\"thetas\":[{vector},{vector}],\
                 \"betas\":[{vector},{vector}],\"policies\":[{policy},{policy}]{rhos},\"ask\":[\"gap\",\"regrets\",\"value\",\"occupancy\"]}}\n",
                instance.name()
            );
            let (code, stdout, stderr) = fed(&place, "oracle", request.as_bytes());
            assert_eq!(code, Some(0), "{stdout}{stderr}");
            let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap();
            let gap = exact(&answer["gap"]["gap"]);
            let regrets = answer["regrets"].as_object().unwrap();
            assert_eq!(regrets.len(), if setting == "average" { 4 } else { 3 });
            assert_eq!(gap, exact(&answer["gap"]["suboptimality"]));
            assert_eq!(gap, regrets.values().fold(BigRational::zero(), |sum, x| sum + exact(x)));
            // The comparator is π_t itself, so nothing is lost.
            assert!(gap.is_zero());
            let mu = answer["occupancy"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
            assert_eq!(mu.fold(BigRational::zero(), |sum, x| sum + exact(x)), BigRational::one());
        }
    }
}

#[test]
fn the_oracle_survives_bad_requests() {
    let place = Place::new();
    let bad: [&[u8]; 12] = [
        b"nonsense",
        b"{}",
        b"[1,2]",
        b"\xff\xfe",
        b"{\"ask\":[\"value\"]}",
        b"{\"instance\":\"nowhere\",\"ask\":[\"value\"]}",
        b"{\"instance\":\"chain\",\"ask\":[\"everything\"]}",
        b"{\"instance\":\"chain\",\"policy\":[[1]],\"ask\":[\"value\"]}",
        b"{\"instance\":\"chain\",\"policy\":[[\"1/0\"]],\"ask\":[\"value\"]}",
        b"{\"instance\":\"chain\",\"ask\":[\"gap\"]}",
        b"{\"instance\":\"chain\",\"setting\":\"episodic\",\"ask\":[\"gap\"]}",
        b"{\"model\":{\"features\":[[[1]]]},\"ask\":[\"value\"]}",
    ];
    let mut input = bad.join(&b'\n');
    input.extend(b"\n\n{\"id\":[1],\"instance\":\"chain\",\"ask\":[\"value\"]}\n");
    let (code, stdout, stderr) = fed(&place, "oracle", &input);
    let lines: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, lines.len(), stderr.as_str()), (Some(1), bad.len() + 1, ""));
    for (number, line) in lines[..bad.len()].iter().enumerate() {
        assert_eq!(line["line"], number + 1, "{line}");
        assert!(line["error"].is_string(), "{line}");
    }
    assert_eq!(lines[bad.len()]["id"][0], 1);
    assert!(lines[bad.len()]["value"]["return"]["exact"].is_string());
}

/// The manual's commands, as written. Those that need NumPy or a C compiler are skipped, loudly, where there is none.
#[test]
#[cfg(unix)]
fn the_manual_works_as_written() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manual = std::fs::read_to_string(root.join("docs/oracle.md")).unwrap();
    let place = Place::new();
    for name in ["examples", "vectors"] {
        std::os::unix::fs::symlink(root.join(name), place.path(name)).unwrap();
    }
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_opd")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let shell = |script: &str| {
        let mut command = Command::new("bash");
        command
            .args(["-euo", "pipefail", "-c", script])
            .current_dir(place.path("."))
            .env("PATH", &path)
            .output()
            .unwrap()
    };
    let has = |test: &str| shell(test).status.success();
    let (numpy, cc) = (has("python3 -c 'import numpy'"), has("command -v cc"));
    let mut ran = 0;
    for block in manual.split("```sh").skip(1) {
        let (head, rest) = block.split_once('\n').unwrap();
        let script = rest.split("```").next().unwrap();
        if (script.contains("python3") && !numpy) || (script.contains("cc -O2") && !cc) {
            eprintln!("!!! SKIPPED, no NumPy or no C compiler:\n{script}");
            continue;
        }
        let output = shell(script);
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.success(), head.trim() != "fails", "{script}\n{told}");
        if head.trim() == "fails" {
            assert!(told.contains("likely bug (discounted): γ is left out of the temporal difference"), "{told}");
        }
        ran += 1;
    }
    assert!(ran >= 1);
}

/// Beyond a probability that is not known, a draw is not known either.
#[test]
fn draws_of_unknown_probabilities_are_undecided() {
    let (half, unknown) = (Known::of(0.5), Known::of(2.0).sqrt());
    assert_eq!(Known::draw(&[half.clone(), half.clone()], &Known::of(0.25)), Ok(0));
    assert_eq!(Known::draw(&[half.clone(), half.clone()], &half), Ok(1));
    assert_eq!(Known::draw(&[half.clone(), unknown.clone()], &Known::of(0.25)), Ok(0));
    assert!(Known::draw(&[half.clone(), unknown.clone()], &half).is_err());
    // Roots of squares, and what else is known.
    let root = |p, q| Known(BigRational::ratio(p, q)).sqrt();
    assert_eq!(
        [root(9, 4), root(4, 1), root(1, 25)],
        [(3, 2), (2, 1), (1, 5)].map(|(p, q)| Known(BigRational::ratio(p, q)))
    );
    let (zero, one, two) = (Known::zero(), Known::one(), Known::of(2.0));
    assert_eq!((zero.exp(), one.ln()), (one.clone(), zero));
    for x in [root(2, 9), root(9, 2), root(-4, 9), two.exp(), two.ln(), unknown] {
        assert!(!x.0.is_valid() && x.is_valid(), "{x:?}");
    }
}

/// Cases and states that a caller made up: no steps, or an error, and nothing of the sizes they claim is set aside.
#[test]
fn cases_that_are_none_have_no_steps() {
    let good = cases::random(3, 2).collect::<Vec<_>>();
    for case in &good {
        let spoilt: [&dyn Fn(&mut Case); 8] = [
            &|case| (case.states, case.features) = (0, Vec::new()),
            &|case| (case.states, case.actions, case.features) = (0, usize::MAX / 8, Vec::new()),
            &|case| (case.dim, case.features) = (0, Vec::new()),
            &|case| case.dim = 1 << 40,
            &|case| (case.outer, case.inner, case.samples) = (0, usize::MAX, Vec::new()),
            &|case| case.theta_start.clear(),
            &|case| case.beta_start.push(0.0),
            &|case| case.weight = Some(Vec::new()),
        ];
        for (index, spoil) in spoilt.into_iter().enumerate() {
            let mut case = case.clone();
            spoil(&mut case);
            assert!(Expectation::new(case.clone()).is_err(), "{index}");
            assert!(variant::run::<f64>(&case, None).is_empty(), "{index}");
            assert!(variant::run::<f64>(&case, Some(Mutation::BetaBeforeTheta)).is_empty(), "{index}");
            let none = variant::At { theta: Vec::new(), rho: 0.0, beta: Vec::new(), theta_sum: Vec::new() };
            assert!(variant::inner_step(&case, &none, &good[0].samples[0]).is_none(), "{index}");
        }
        let at = |n: usize| variant::At { theta: vec![0.0; n], rho: 0.0, beta: vec![0.0; n], theta_sum: vec![0.0; n] };
        assert!(variant::inner_step(case, &at(case.dim), &case.samples[0]).is_some());
        assert!(variant::outer_step(case, &at(case.dim), &case.samples[0]).is_some());
        assert!(variant::inner_step(case, &at(case.dim + 1), &case.samples[0]).is_none());
        assert!(variant::outer_step(case, &at(case.dim - 1), &case.samples[0]).is_none());
    }
}

/// A program that has no action to say writes null, and what is read is written so that it can be read again.
#[test]
fn an_action_that_is_none_is_written_as_null() {
    let line = r#"{"id":"discounted/one-feature","steps":[{"t":1,"a_next":[null]},{"t":2,"a_next":[3]}]}"#;
    let read = |line: &str| read::results_lines(std::path::Path::new("r.jsonl"), line).unwrap().remove(0);
    let found = read(line);
    let printed = json::results(&found.id, &found.trace);
    assert!(printed.contains(r#""a_next":null"#) && printed.contains(r#""a_next":3"#), "{printed}");
    assert_eq!(json::results(&found.id, &read(&printed).trace), printed);
    let of_bits = read(&line.replace("\"a_next\":[null]", "\"a_next_bits\":[\"7ff0008000000000\"]"));
    assert_eq!(of_bits.trace[0].fields[0].1[0].to_bits(), f64::NAN.to_bits());
}
