//! Coq runs both algorithms in machine doubles and gets this program's bits.
//!
//! `proofs/coq/BitsAlgorithm1.v` and `BitsAlgorithm2.v` are the algorithms over primitive floats. This file writes what they
//! are compared with: the golden vectors (`proofs/coq/FloatGolden.v`, committed; `UPDATE_COQ=1 cargo test --test coq_bits`
//! writes it again) and, into the directory that the variable `COQ_BITS` names, some 1,200 generated cases and exponentials.
//! `proofs/coq/check.sh` asks for them and has Coq compute every number.
#![cfg(feature = "cli")]

use offline_primal_dual::conformance::{Case, Quantity, Setting, Step, Trace, read, results_only};
use offline_primal_dual::fast::verify;
use offline_primal_dual::number::exponential::exp;
use offline_primal_dual::paper::average_reward::algorithm as algorithm_2;
use offline_primal_dual::paper::discounted::algorithm as algorithm_1;
use offline_primal_dual::paper::samples::{FeatureTable, Sample};
use offline_primal_dual::sampler::Uniforms;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How many cases are generated, and how many go into one file.
const CASES: usize = 1_200;
const CHUNK: usize = 60;

fn repository_file(parts: &[&str]) -> PathBuf {
    [&[env!("CARGO_MANIFEST_DIR")], parts].concat().iter().collect()
}

// How Coq reads them.

/// A double in hexadecimal, which Coq reads exactly.
fn float(x: f64) -> String {
    assert!(x.is_finite(), "a run that finishes has finite numbers");
    let (bits, sign) = (x.to_bits(), if x.is_sign_negative() { "-" } else { "" });
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    match (exponent, fraction) {
        (0, 0) => format!("{sign}0"),
        (0, _) => format!("{sign}0x0.{digits}p-1022"),
        (_, 0) => format!("{sign}0x1p{}", exponent as i64 - 1023),
        _ => format!("{sign}0x1.{}p{}", digits.trim_end_matches('0'), exponent as i64 - 1023),
    }
}

fn list<V>(items: &[V], show: impl Fn(&V) -> String) -> String {
    format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(";"))
}

fn vector(numbers: &[f64]) -> String {
    list(numbers, |x| float(*x))
}

fn matrix(width: usize, numbers: &[f64]) -> String {
    list(&numbers.chunks_exact(width).collect::<Vec<_>>(), |row| vector(row))
}

fn sample(setting: Setting, s: &Sample<f64>) -> String {
    let (r, u) = (float(s.r), float(s.u));
    match setting {
        Setting::Discounted => format!("W1 {} {} {} ({r}) {}", s.x0, s.x, s.a, s.x_next),
        Setting::Average => format!("W2 {} {} ({r}) {} {u}", s.x, s.a, s.x_next),
    }
}

fn block(setting: Setting, samples: &&[Sample<f64>]) -> String {
    let (last, inner) = samples.split_last().unwrap();
    let name = if setting == Setting::Discounted { "B1" } else { "B2" };
    format!("{name} {} ({})", list(inner, |s| sample(setting, s)), sample(setting, last))
}

/// What is compared of a step, in Coq's order: all but φ and φ', which are copied.
fn compared(setting: Setting, is_inner: bool) -> &'static [Quantity] {
    use Quantity::*;
    match (setting, is_inner) {
        (Setting::Discounted, true) => &[W, PolicyStart, PolicyNext, MeanFeature, Gradient, Unprojected, ThetaNext],
        (Setting::Discounted, false) => {
            &[Theta, PolicyNext, ValueNext, TdError, Gradient, Unprojected, BetaNext, ThetaSum]
        }
        (Setting::Average, true) => {
            &[W, PolicyNext, ActionNext, GradientRho, Gradient, UnprojectedRho, Unprojected, RhoNext, ThetaNext]
        }
        (Setting::Average, false) => {
            &[Theta, Rho, PolicyNext, ValueNext, TdError, Gradient, Unprojected, BetaNext, ThetaSum]
        }
    }
}

fn numbers(setting: Setting, step: &Step) -> Vec<&[f64]> {
    compared(setting, step.k.is_some()).iter().map(|field| step.get(*field).unwrap()).collect()
}

fn coq_case(case: &Case, trace: &Trace) -> String {
    let width = case.actions * case.dim;
    let features = list(&case.features.chunks_exact(width).collect::<Vec<_>>(), |rows| matrix(case.dim, rows));
    let weight = case.weight.as_ref().map_or("None".into(), |weight| format!("(Some {})", matrix(case.dim, weight)));
    let blocks = list(&case.samples.chunks_exact(case.block()).collect::<Vec<_>>(), |b| block(case.setting, b));
    let scalars = |numbers: &[f64]| numbers.iter().map(|x| format!("({})", float(*x))).collect::<Vec<_>>().join(" ");
    let (theta, beta) = (vector(&case.theta_start), vector(&case.beta_start));
    let (parameters, start) = match case.setting {
        Setting::Discounted => (scalars(&[case.discount, case.alpha, case.eta, case.zeta]), theta),
        Setting::Average => {
            (scalars(&[case.alpha, case.eta, case.zeta, case.xi]), format!("{theta} ({})", float(case.rho_start)))
        }
    };
    let radii = scalars(&[case.radius_theta, case.radius_beta]);
    let expected = list(trace, |step| list(&numbers(case.setting, step), |field| vector(field)));
    format!(
        "{} \"{}\" {features}\n  {weight}\n  {parameters} {radii} {start} {beta}\n  {blocks}\n  {expected}",
        case.setting.name(),
        case.id
    )
}

const IMPORTS: &str = "From Coq Require Import NArith String List Floats.\nFrom OPD Require Import FloatCases.\n\
    Import ListNotations.\nLocal Open Scope float_scope.\n\n";

fn coq_cases(cases: &[(Case, Trace)]) -> String {
    cases.iter().map(|(case, trace)| coq_case(case, trace)).collect::<Vec<_>>().join(";\n")
}

// The golden vectors.

/// Inputs and results as `vectors/` has them; apart, the large ones, of which it has the results alone: their intermediates are
/// this library's, which gets those results.
fn golden() -> [Vec<(Case, Trace)>; 2] {
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for setting in Setting::ALL {
        let file = |kind: &str| repository_file(&["vectors", &format!("{}.{kind}.json", setting.name())]);
        let text = |kind: &str| std::fs::read_to_string(file(kind)).unwrap();
        let results = |kind: &str| read::results_file(&file(kind), &text(kind)).unwrap();
        let (internal, expected) = (results("internal"), results("expected"));
        for case in read::problems(&file("prompt"), &text("prompt")).unwrap() {
            let of_case = |all: &[read::Found]| all.iter().find(|found| found.id == case.id).map(|f| f.trace.clone());
            if let Some(trace) = of_case(&internal) {
                small.push((case, trace));
            } else {
                let trace = case.expected().unwrap();
                assert_eq!(Some(results_only(&trace)), of_case(&expected), "{}", case.id);
                large.push((case, trace));
            }
        }
    }
    [small, large]
}

#[test]
fn coq_has_the_golden_vectors() {
    let [golden, large] = golden();
    let count: usize = golden.iter().map(count_numbers).sum();
    let text = format!(
        "(** Generated from vectors/ by tests/coq_bits.rs (UPDATE_COQ=1); not written by hand. *)\n\n{IMPORTS}\
         Definition golden : list case := [\n{}].\n\n\
         Example golden_bits : compare golden = Agree {} {count}.\nProof. vm_compute. reflexivity. Qed.\n",
        coq_cases(&golden),
        golden.len()
    );
    let file = repository_file(&["proofs", "coq", "FloatGolden.v"]);
    if std::env::var_os("UPDATE_COQ").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let found = std::fs::read_to_string(file).unwrap();
    assert!(found == text, "proofs/coq/FloatGolden.v is not generated from vectors/: UPDATE_COQ=1");
    println!("{} golden vectors, {count} numbers; {} large ones", golden.len(), large.len());
}

// The generated cases.

/// What a generated case is for.
const KINDS: [&str; 8] = ["plain", "projections", "logits", "same-state", "tiny", "huge", "zeros", "ends"];

struct Draws(Uniforms);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        ((self.0.unit() * n as f64) as usize).min(n - 1)
    }

    /// In [−scale, scale), with 53 bits.
    fn many(&mut self, n: usize, scale: f64) -> Vec<f64> {
        (0..n).map(|_| (2.0 * self.0.unit() - 1.0) * scale).collect()
    }
}

/// A start within a ball.
fn within(draws: &mut Draws, dim: usize, radius: f64) -> Vec<f64> {
    draws.many(dim, radius / (dim as f64).sqrt())
}

fn generate(index: usize) -> Case {
    let draws = &mut Draws(Uniforms::new(0x0b17_0000 + index as u64));
    let kind = KINDS[index / 2 % KINDS.len()];
    let setting = Setting::ALL[index % 2];
    // Every dimension around one, two and three rounds of eight lanes; now and then a larger one, 64 being where wide registers begin.
    let larger = [23, 24, 25, 31, 33, 47, 63, 64, 65, 100];
    let dim = if index % 40 < 38 { 1 + draws.below(20) } else { larger[index / 40 % larger.len()] };
    let small = dim > 20;
    let (states, actions) = (1 + draws.below(if small { 2 } else { 4 }), 1 + draws.below(if small { 3 } else { 9 }));
    let (inner, outer) = (1 + draws.below(if small { 2 } else { 5 }), 2 + draws.below(2));
    let scale = match kind {
        "tiny" => two_to(-530),
        "huge" => two_to(90),
        _ => 1.0,
    };
    let (rate, radius) = match kind {
        "projections" => (32.0, 0.4),
        "huge" => (1.0 / scale, 3.0),
        "tiny" => (two_to(500), two_to(-20)),
        _ => (0.5, 2.0),
    };
    let mut case = Case {
        id: format!("{kind}/{index}"),
        setting,
        states,
        actions,
        dim,
        features: draws.many(states * actions * dim, scale),
        // Any matrix will do, and one that is not symmetric shows a transposed product.
        weight: (draws.below(2) == 0).then(|| draws.many(dim * dim, 1.0)),
        discount: draws.0.unit(),
        alpha: if kind == "logits" { 3_000.0 * draws.0.unit() } else { 2.0 * draws.0.unit() },
        eta: rate * draws.0.unit(),
        zeta: rate * draws.0.unit(),
        xi: draws.0.unit(),
        radius_theta: radius * (0.5 + draws.0.unit()),
        radius_beta: radius * (0.5 + draws.0.unit()),
        inner,
        outer,
        theta_start: Vec::new(),
        rho_start: draws.0.unit(),
        beta_start: Vec::new(),
        samples: Vec::new(),
    };
    case.theta_start = within(draws, dim, case.radius_theta);
    case.beta_start = within(draws, dim, case.radius_beta);
    for _ in 0..outer * case.block() {
        case.samples.push(Sample {
            x0: draws.below(states),
            x: draws.below(states),
            a: draws.below(actions),
            r: draws.0.unit(),
            x_next: draws.below(states),
            u: draws.0.unit(),
        });
    }
    shape(&mut case, kind, draws);
    case
}

fn two_to(k: i32) -> f64 {
    f64::powi(2.0, k)
}

/// What makes the kind.
fn shape(case: &mut Case, kind: &str, draws: &mut Draws) {
    match kind {
        "same-state" => case.samples.iter_mut().for_each(|s| (s.x0, s.x) = (s.x_next, s.x_next)),
        // ±0 and equal rows: ties, signed zeros in sums.
        "zeros" => {
            for x in case.features.iter_mut().chain(&mut case.theta_start).chain(&mut case.beta_start) {
                match draws.below(3) {
                    0 => *x = 0.0,
                    1 => *x = -0.0,
                    _ => {}
                }
            }
        }
        // The ends of [0, 1], and of the cumulative sums behind A'.
        "ends" => {
            for sample in &mut case.samples {
                sample.r = [0.0, 1.0][draws.below(2)];
                sample.u = [0.0, 1.0 - f64::EPSILON / 2.0][draws.below(2)];
            }
            (case.xi, case.alpha) = (8.0, 700.0 * case.alpha);
        }
        _ => {}
    }
}

/// What Coq is compared with are the numbers of `paper`; the engine of `fast`, which the program runs, has the same bits.
fn expect_the_engine_to_agree(case: &Case) {
    let Case { actions, dim, inner, alpha, eta, zeta, xi, radius_theta, radius_beta, .. } = *case;
    let features = FeatureTable::new(actions, dim, &case.features).unwrap();
    let weight = case.weight.as_deref();
    let mut buffers = [(); 2].map(|()| vec![0.0; 8 * dim + 4 * actions]);
    let [plain, fast] = &mut buffers;
    let found = match case.setting {
        Setting::Discounted => {
            let discount = case.discount;
            let parameters = algorithm_1::Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner };
            let algorithm = algorithm_1::Algorithm::new(&features, weight, &parameters).unwrap();
            let mut states = [plain, fast].map(|buffer| algorithm_1::State::new(actions, dim, buffer).unwrap());
            for state in &mut states {
                algorithm.start_at(state, &case.theta_start, &case.beta_start).unwrap();
            }
            verify::discounted(&algorithm, states.each_mut(), case.outer, &case.samples, &mut ())
        }
        Setting::Average => {
            let parameters = algorithm_2::Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner };
            let algorithm = algorithm_2::Algorithm::new(&features, weight, &parameters).unwrap();
            let mut states = [plain, fast].map(|buffer| algorithm_2::State::new(actions, dim, buffer).unwrap());
            for state in &mut states {
                algorithm.start_at(state, &case.theta_start, case.rho_start, &case.beta_start).unwrap();
            }
            verify::average_reward(&algorithm, states.each_mut(), case.outer, &case.samples, &mut ())
        }
    };
    assert_eq!(found, Ok(None), "{}", case.id);
}

fn count_numbers((case, trace): &(Case, Trace)) -> usize {
    trace.iter().flat_map(|step| numbers(case.setting, step)).map(<[f64]>::len).sum()
}

/// How often a generated run is in the situations that matter, by name.
fn situations((case, trace): &(Case, Trace)) -> Vec<&'static str> {
    let differ = |step: &Step, before, after| step.get(before) != step.get(after);
    let mut met = Vec::new();
    for step in trace {
        let after = if step.k.is_some() { Quantity::ThetaNext } else { Quantity::BetaNext };
        if differ(step, Quantity::Unprojected, after) {
            met.push(if step.k.is_some() { "θ projected" } else { "β projected" });
        }
        if step.k.is_some()
            && case.setting == Setting::Average
            && differ(step, Quantity::UnprojectedRho, Quantity::RhoNext)
        {
            met.push("ρ projected");
        }
        let policy = step.get(Quantity::PolicyNext).unwrap();
        if policy.iter().any(|p| *p > 0.0 && *p < 1e-300) {
            met.push("a probability near underflow");
        }
        if policy.contains(&0.0) {
            met.push("a probability of 0");
        }
        if numbers(case.setting, step).concat().iter().any(|x| x.is_subnormal()) {
            met.push("a subnormal number");
        }
        if numbers(case.setting, step).concat().iter().any(|x| *x == 0.0 && x.is_sign_negative()) {
            met.push("−0");
        }
    }
    if case.samples.iter().any(|s| s.x0 == s.x_next) && case.setting == Setting::Discounted && case.inner > 1 {
        met.push("X⁰ = X'");
    }
    met.push(if case.weight.is_some() { "c = 1/2" } else { "c = 1" });
    met
}

/// Arguments all over the exponential's range, its ends and a few that are beyond.
fn exponential_points() -> Vec<f64> {
    let draws = &mut Draws(Uniforms::new(0xe));
    let mut points = vec![0.0, -0.0, 1.0, -1.0, 1000.0, -1000.0, 1e300, -1e300, 5e-324, 709.0, -745.1, -745.2, -708.4];
    for scale in [1e-9, 1.0, 40.0, 709.0] {
        points.extend(draws.many(500, scale));
    }
    points.extend(draws.many(500, 20.0).iter().map(|x| x - 725.0));
    points.retain(|x| exp(*x).is_finite());
    points
}

fn write_cases(directory: &Path, cases: &[(Case, Trace)], golden: &[(Case, Trace)]) {
    let evaluate = |what: &str, items: String| format!("{IMPORTS}Eval vm_compute in {what} [\n{items}].\n");
    for (number, chunk) in cases.chunks(CHUNK).enumerate() {
        let file = directory.join(format!("bits{number:02}.v"));
        std::fs::write(file, evaluate("compare", coq_cases(chunk))).unwrap();
    }
    std::fs::write(directory.join("bits_golden.v"), evaluate("compare", coq_cases(golden))).unwrap();
    let points = exponential_points();
    let pairs: Vec<String> = points.iter().map(|x| format!("({}, {})", float(*x), float(exp(*x)))).collect();
    std::fs::write(directory.join("bits_exp.v"), evaluate("compare_exponentials", pairs.join(";\n"))).unwrap();
}

#[test]
fn generated_cases_meet_what_they_are_for() {
    let cases: Vec<(Case, Trace)> = (0..CASES)
        .map(|index| {
            let case = generate(index);
            expect_the_engine_to_agree(&case);
            let trace = case.expected().unwrap_or_else(|e| panic!("{}: {e}", case.id));
            (case, trace)
        })
        .collect();
    let dims: BTreeSet<usize> = cases.iter().map(|(case, _)| case.dim).collect();
    assert!((1..=20).all(|dim| dims.contains(&dim)) && dims.contains(&65), "{dims:?}");
    let mut met = std::collections::BTreeMap::new();
    cases.iter().flat_map(situations).for_each(|name| *met.entry(name).or_insert(0) += 1);
    println!("{CASES} cases, {} numbers, d in {dims:?}, {met:?}", cases.iter().map(count_numbers).sum::<usize>());
    assert!(met.len() == 10 && met.values().all(|count| *count >= 20), "{met:?}");
    if let Some(directory) = std::env::var_os("COQ_BITS") {
        write_cases(Path::new(&directory), &cases, &golden()[1]);
    }
}
