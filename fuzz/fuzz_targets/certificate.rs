//! Certificates: of any run on any small model, gap, suboptimality and the sum of the regrets are equal fractions. Where `OPD_CHECK` names the
//! verified checker, it accepts the certificate that was written, and says one line of one that was spoilt.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{ArrayRows, Columns, Problem, RowSpec, Setting};
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::program::api::{Data, RunPlan, certify};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// Small numbers from the input; zeros when it ends.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn below(&mut self, n: usize) -> usize {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        usize::from(first) % n
    }

    /// A distribution over `n`, as fractions.
    fn distribution(&mut self, n: usize) -> Vec<String> {
        let mut weights: Vec<usize> = (0..n).map(|_| self.below(8)).collect();
        if weights.iter().all(|weight| *weight == 0) {
            weights[self.below(n)] = 1;
        }
        let total: usize = weights.iter().sum();
        weights.iter().map(|weight| format!("\"{weight}/{total}\"")).collect()
    }

    fn rate(&mut self) -> Option<f64> {
        let rate = self.below(64);
        (rate > 0).then(|| [1.0, 1e-3, 1e3, 1e-160][rate % 4] * (rate / 4) as f64)
    }
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// A linear MDP: features and the columns of Ψ are distributions, rewards within [0, 1].
fn model(input: &mut Input<'_>, states: usize, actions: usize, dim: usize) -> String {
    let pairs = dim == states * actions && input.below(2) == 0;
    let unit = |at: usize| (0..dim).map(|i| usize::from(i == at).to_string()).collect::<Vec<_>>();
    let features = list((0..states).map(|x| {
        let of = |a: usize| list(if pairs { unit(x * actions + a) } else { input.distribution(dim) });
        list((0..actions).map(of))
    }));
    let columns: Vec<Vec<String>> = (0..dim).map(|_| input.distribution(states)).collect();
    let psi = list((0..states).map(|x| list(columns.iter().map(|column| column[x].clone()))));
    let omega = list((0..dim).map(|_| format!("\"{}/8\"", input.below(9))));
    let behavior = list((0..states).map(|_| list(input.distribution(actions))));
    let (initial, discount) = (list(input.distribution(states)), input.below(64));
    format!(
        r#"{{"discount":"{discount}/64","initial":{initial},"features":{features},"omega":{omega},"psi":{psi},"behavior":{behavior}}}"#
    )
}

/// What the verified checker says.
fn judged(checker: &str, text: &[u8]) -> Option<i32> {
    static FILE: LazyLock<PathBuf> =
        LazyLock::new(|| std::env::temp_dir().join(format!("fuzz-{}.txt", std::process::id())));
    std::fs::write(&*FILE, text).expect("a temporary file");
    let output = Command::new(checker).arg(&*FILE).output().expect("the checker");
    let lines = [output.stdout, output.stderr].concat().iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines, 1);
    output.status.code()
}

fuzz_target!(|bytes: &[u8]| {
    static CHECKER: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("OPD_CHECK").ok());
    let mut input = Input(bytes);
    let (states, actions) = (1 + input.below(3), 1 + input.below(3));
    let dim = [states * actions, 1 + input.below(3)][input.below(2)];
    let text = model(&mut input, states, actions, dim);
    let exact = Problem::<BigRational>::parse(Path::new("fuzz.json"), &text);
    let exact = exact.unwrap_or_else(|e| panic!("{e}: {text}"));
    let problem = Problem::<f64>::parse(Path::new("fuzz.json"), &text);
    let problem = problem.unwrap_or_else(|e| panic!("{e}: {text}"));
    let setting = [Setting::Discounted, Setting::Average][input.below(2)];
    let plan = RunPlan {
        setting,
        c: [Exponent::One, Exponent::Half][input.below(2)],
        inner: 1 + input.below(3),
        outer: 1 + input.below(3),
        alpha: input.rate(),
        eta: input.rate(),
        zeta: input.rate(),
        xi: input.rate().filter(|_| setting == Setting::Average),
        radius_theta: input.rate(),
        radius_beta: input.rate(),
        seed: input.below(256) as u64,
        budget: 1.0,
    };
    let count = plan.outer * (plan.inner + 1);
    let mut indices = |below: usize| (0..count).map(|_| input.below(below) as i64).collect::<Vec<i64>>();
    let (x0, x, a, x_next) = (indices(states), indices(states), indices(actions), indices(states));
    let mut numbers = || (0..count).map(|_| input.below(256) as f64 / 256.0).collect::<Vec<f64>>();
    let (r, u) = (numbers(), numbers());
    let columns = Columns { x0: Some(&x0), x: Some(&x), a: Some(&a), r: Some(&r), x_next: Some(&x_next), u: Some(&u) };
    let mut rows = ArrayRows::new(columns, RowSpec { setting, states, actions }, 0).expect("columns");
    let data = if input.below(2) == 0 { Data::Model } else { Data::Rows(&mut rows) };
    let certified = match certify(&problem, &|| Ok(&exact), &plan, data, input.below(8) == 7, &mut |_| Ok(())) {
        Ok(certified) => certified,
        Err(error) => return assert_eq!(error.to_string().lines().count(), 1),
    };
    let certificate: serde_json::Value = serde_json::from_str(&certified.certificate).expect("JSON");
    assert_eq!(certificate["equal"], true, "{text}");
    let Some(checker) = &*CHECKER else { return };
    let mut text = certified.checkable.expect("an exact certificate, as all are of this size").into_bytes();
    if input.0.is_empty() {
        assert_eq!(judged(checker, &text), Some(0), "{}", String::from_utf8_lossy(&text));
    } else {
        let at = (input.below(256) << 8 | input.below(256)) % text.len();
        text[at] = input.below(256) as u8;
        assert!(matches!(judged(checker, &text), Some(0..=2)), "{}", String::from_utf8_lossy(&text));
    }
});
