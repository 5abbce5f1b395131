//! What a refusal says that a request would take, against a price list of its own: the sizes of each step, counted, times what the estimates in
//! `src/program` and `src/conformance/case.rs` are documented to charge for it. With `--budget 0` every command says its price and computes nothing. A refit of the prices changes this list.

use crate::opd::{Place, fed, opd};
use serde_json::json;

/// A model in which every transition is possible.
struct Model {
    name: &'static str,
    states: usize,
    actions: usize,
    dim: usize,
    one_hot: bool,
}

/// One action and square; many actions; tabular; many states; square with two actions.
const MODELS: [Model; 5] = [
    Model { name: "deep", states: 40, actions: 1, dim: 40, one_hot: false },
    Model { name: "wide", states: 2, actions: 300, dim: 2, one_hot: false },
    Model { name: "table", states: 6, actions: 2, dim: 12, one_hot: true },
    Model { name: "tall", states: 60, actions: 1, dim: 2, one_hot: false },
    Model { name: "large", states: 12, actions: 2, dim: 12, one_hot: false },
];

impl Model {
    fn written(&self) -> serde_json::Value {
        let &Self { name, states, actions, dim, one_hot } = self;
        // A distribution with twice the weight at one place.
        let leaning = |n: usize, at: usize| {
            (0..n).map(|i| format!("{}/{}", if i == at { 2 } else { 1 }, n + 1)).collect::<Vec<_>>()
        };
        let feature = |pair: usize| {
            if one_hot { (0..dim).map(|j| u8::from(j == pair).to_string()).collect() } else { leaning(dim, pair % dim) }
        };
        let features: Vec<Vec<_>> =
            (0..states).map(|x| (0..actions).map(|a| feature(x * actions + a)).collect()).collect();
        let psi: Vec<Vec<_>> = (0..states)
            .map(|x| (0..dim).map(|j| format!("{}/{}", if x == j % states { 2 } else { 1 }, states + 1)).collect())
            .collect();
        let omega: Vec<_> = (1..=dim).map(|j| format!("{j}/{dim}")).collect();
        json!({
            "name": name, "discount": "1/2", "initial": vec![format!("1/{states}"); states], "features": features, "omega": omega,
            "psi": psi, "behavior": vec![vec![format!("1/{actions}"); actions]; states],
        })
    }

    /// |X|, |A|, d, |X||A|.
    fn sizes(&self) -> [f64; 4] {
        [self.states, self.actions, self.dim, self.states * self.actions].map(|n| n as f64)
    }

    /// How many numbers Φ and Ψ have that are not 0, and how many unknowns a system has.
    fn stored(&self) -> [f64; 3] {
        let [states, _, dim, pairs] = self.sizes();
        [if self.one_hot { pairs } else { pairs * dim }, states * dim, states.min(dim)]
    }

    /// Building a policy's system, and eliminating in it.
    fn in_doubles(&self) -> f64 {
        let [phi, psi, n] = self.stored();
        phi + psi * n + n.powi(3)
    }

    /// The same in fractions of so many bits, whose length grows with the unknowns; then a pass over all rows.
    fn in_fractions(&self, bits: f64) -> f64 {
        let [phi, psi, n] = self.stored();
        let words = 1.0 + n * bits / 64.0;
        200.0 * (phi + psi * n) + n.powi(3) * bits / 8.0 + (phi + psi + 8.0 * n) * (300.0 + 3.0 * words.powi(2))
    }

    /// Λ, entry by entry, where it is not diagonal.
    fn covariance(&self, operations: f64) -> f64 {
        if self.one_hot { 0.0 } else { self.stored()[0] * self.sizes()[2] * operations }
    }

    /// Twenty rounds of policy iteration, and Λ.
    fn solved_in_fractions(&self) -> f64 {
        20.0 * self.in_fractions(16.0) + self.covariance(300.0 + 16.0 * self.stored()[2])
    }

    fn ratios(&self) -> f64 {
        if self.one_hot { 0.0 } else { 15_000.0 * self.sizes()[2].powf(4.5) }
    }

    fn certificate(&self, outer: f64) -> f64 {
        let words = outer * self.stored()[2] * 120.0 / 64.0;
        self.solved_in_fractions() + outer * 3.0 * self.in_fractions(120.0) + 50.0 * words.powi(2)
    }

    fn intervals(&self, outer: f64) -> f64 {
        let [phi, psi, _] = self.stored();
        outer * (self.in_doubles() + 30.0 * (phi + psi))
    }

    /// Every initial state, pair and next state is a sample, of d + |A| + 3 parts.
    fn audit(&self) -> f64 {
        let [states, actions, dim, pairs] = self.sizes();
        let samples = states * pairs * states;
        2_000.0 * pairs.powi(2) * dim
            + 36.0 * pairs.powi(3)
            + pairs * self.ratios() / 10.0
            + 20_000.0 * samples * (dim + actions + 3.0)
    }

    /// Three matrices of a system's size, Λ twice, twenty vectors, and Φ.
    fn room(&self) -> f64 {
        let [_, _, dim, pairs] = self.sizes();
        let [phi, _, n] = self.stored();
        let lambda = if self.one_hot { dim } else { 2.0 * dim * dim };
        8.0 * (3.0 * n * n + lambda + 20.0 * pairs) + 16.0 * phi
    }

    /// Operations and bytes of a search among N candidates on three splits.
    fn search(&self, candidates: usize, rows: f64) -> [f64; 2] {
        let [states, actions, dim, pairs] = self.sizes();
        let [early, promoted, finalists, drawn] = rounds(candidates);
        let run = rows * (100.0 + 2.0 * actions * dim);
        let estimate = 2.0 * dim.powi(3) + states * dim * (actions + dim);
        let all = candidates as f64;
        // Half on a quarter of the rows, the others and the best of these on all, the finalists on the two other splits.
        let whole = early / 4.0 + promoted + (all - early) + 2.0 * finalists;
        let last = finalists + drawn + 3.0;
        let estimates = (all + promoted + 2.0 * finalists) + 16.0 * last + 3.0 * 24.0;
        let operations = (1.0 + whole + last + 3.0) * run + estimates * estimate;
        [operations, 120.0 * rows * 4.0 + 8.0 * (all + 16.0 * finalists) * pairs]
    }

    /// Five candidates for every method, on three splits, and the run that is reported.
    fn table(&self, sizes: f64, most: f64, seeds: f64) -> f64 {
        let [states, actions, dim, pairs] = self.sizes();
        let (n, width) = if self.one_hot { (dim.min(states), 1.0) } else { (dim, dim) };
        let [_, promoted, finalists, drawn] = rounds(5);
        let runs = (5.0 + promoted + 2.0 * finalists) + (finalists + drawn + 3.0) + 1.0;
        // LSPI's 30, one for each of the eight methods, and two for every iteration of the actors and critics.
        let eliminations = (38.0 + 2.0 * most.powf(0.4)) * (n.powi(3) + pairs * (n + width));
        runs * sizes * seeds * (eliminations + 1000.0 * width * (5.0 * pairs + 2.0 * dim) + 10.0 * most * dim * actions)
    }
}

/// Of a search among so many: the early half, the quarter of it that goes on, the finalists, and the points of the last round.
fn rounds(candidates: usize) -> [f64; 4] {
    let early = candidates.div_ceil(2);
    let promoted = early.div_ceil(4);
    let finalists = candidates.div_ceil(8).max(4).min(candidates - early + promoted);
    [early, promoted, finalists, candidates.div_ceil(4)].map(|n| n as f64)
}

/// All that a call says with this on its standard input.
fn all_of(place: &Place, call: &str, input: &str) -> String {
    let output = fed(place, call, input.as_bytes());
    output.stdout + &output.stderr
}

/// The two digits that a refusal gives.
fn expect(told: &str, price: f64, unit: &str) {
    let expected = format!("would take about {price:.1e} {unit}, none are allowed");
    assert!(told.contains(&expected), "found {told}\nexpected {expected}");
}

fn place() -> Place {
    let place = Place::new();
    for model in &MODELS {
        place.write(&format!("{}.json", model.name), model.written().to_string().as_bytes());
    }
    place
}

#[test]
fn models_are_solved_audited_and_certified_at_the_price() {
    let place = place();
    for model in &MODELS {
        let mdp = format!("--mdp {}.json --budget", model.name);
        let told = |call: &str| {
            let output = opd(&place, call);
            output.stdout + &output.stderr
        };
        // Of operations and bytes the one that exceeds its budget more is named: 6e10 and 4e9.
        let worse = |operations: f64, bytes: f64| {
            if operations > 15.0 * bytes { (operations, "operations") } else { (bytes, "bytes") }
        };
        let solving = 20.0 * model.in_doubles() + model.covariance(1.0);
        let (price, unit) = worse(solving, model.room());
        expect(&told(&format!("run {mdp} 0 --inner 10 --outer 10")), price, unit);
        expect(&told(&format!("coverage {mdp} 0")), model.solved_in_fractions() + model.ratios(), "operations");
        expect(&told(&format!("audit {mdp} 0")), model.audit(), "operations");
        for outer in [1, 30, 1000] {
            let call = format!("certify {mdp} 0 --inner 10 --outer {outer} --certificate c.txt");
            expect(&told(&call), model.certificate(f64::from(outer)), "operations");
        }
        let band = told(&format!("run {mdp} 1 --inner 10 --outer 1000000000 --seeds 900000000"));
        assert!(band.contains("a band of so many seeds would take about 1.4e11 bytes, "), "{}: {band}", model.name);
        // An exact return of one policy takes what a certificate of one iterate does.
        let run = format!("run --mdp {}.json --inner 1 --outer 1 --policy-out p.json", model.name);
        assert_eq!(opd(&place, &run).code, Some(0));
        for (share, exact) in [(0.99, false), (1.01, true)] {
            let budget = share * model.certificate(1.0) / 6e10;
            let value = told(&format!("evaluate {mdp} {budget} --policy p.json --which last"));
            assert_eq!(value.contains("(exact)"), exact, "{}, {share} of the price: {value}", model.name);
        }
        // No budget below 1 forbids intervals: too many of them are refused at 1.
        let outer = 1e12;
        let [_, _, dim, pairs] = model.sizes();
        let (price, unit) = worse(model.intervals(outer), 8.0 * outer * (pairs + 2.0 * dim));
        let refused = told(&format!("certify {mdp} 0 --inner 10 --outer 1000000000000"));
        let expected = format!("a certificate in intervals would take about {price:.1e} {unit}, ");
        assert!(refused.contains(&expected), "{}: {refused}\nexpected {expected}", model.name);
    }
}

#[test]
fn searches_and_tables_are_made_at_the_price() {
    let place = place();
    for model in &MODELS {
        let name = model.name;
        assert_eq!(opd(&place, &format!("sample --mdp {name}.json --rows 300 --out {name}.csv")).code, Some(0));
        for candidates in [1, 20, 200] {
            let call = format!("tune --mdp {name}.json --data {name}.csv --search {candidates} --splits 3 --budget 0");
            let [operations, bytes] = model.search(candidates, 300.0);
            let (price, unit) = if operations > 15.0 * bytes { (operations, "operations") } else { (bytes, "bytes") };
            expect(&opd(&place, &call).stderr, price, unit);
        }
        for (rows, sizes, most) in [("--rows 10", 1.0, 10.0), ("--rows 100000 --rows 10", 2.0, 1e5)] {
            let call = format!("table1 --mdp {name}.json {rows} --seeds 3 --candidates 5 --budget 0");
            expect(&opd(&place, &call).stderr, model.table(sizes, most, 3.0), "operations");
        }
    }
}

#[test]
fn the_oracle_and_the_kit_answer_at_the_price() {
    let place = place();
    let model = &MODELS[2];
    let [states, _, dim, pairs] = model.sizes();
    for (ask, iterates) in [("value", 0), ("coverage", 0), ("value", 40)] {
        let thetas = vec![vec!["0"; model.dim]; iterates];
        let request = json!({ "model": model.written(), "ask": [ask], "thetas": thetas });
        let ratios = if ask == "coverage" { 150_000.0 * dim.powf(4.5) } else { 0.0 };
        let price = (50_000.0 + 5_000.0 * iterates as f64) * states * pairs * dim + ratios;
        expect(&all_of(&place, "oracle --budget 0", &request.to_string()), price, "operations");
    }
    // A number takes 45 bytes with its bits: Φ, Λ, the two starts, and six for each of T(K + 1) rows; 8 states, 5 actions, d = 12, K = 8, T = 6 at most.
    let numbers = |d: f64| 8.0 * 5.0 * d + d * d + 2.0 * d + 6.0 * 6.0 * 9.0;
    expect(&opd(&place, "vectors gen --seed 1 --count 3 --budget 0").stderr, 3.0 * 45.0 * numbers(12.0), "bytes");
    let larger = "vectors gen --seed 1 --count 7 --dim 100 --budget 0";
    expect(&opd(&place, larger).stderr, 7.0 * 45.0 * numbers(100.0), "bytes");
    // Twenty rows, five outer steps and the state: 8d + 4|A| numbers of 200 bytes each; Φ and Λ^{c−1}.
    let shape = "--states 2 --actions 3 --dim 2 --inner 4 --outer 5 --setting discounted --c 1/2 --start zero";
    let problem = opd(&place, &format!("vectors gen --seed 2 --count 1 {shape}")).stdout;
    let price = 200.0 * (26.0 * (16.0 + 12.0) + 2.0 * (6.0 + 2.0));
    expect(&all_of(&place, "vectors solve --budget 0", &problem), price, "bytes");
    let results = all_of(&place, "vectors solve", &problem);
    place.write("p.jsonl", problem.as_bytes());
    expect(&all_of(&place, "vectors check --problems p.jsonl --budget 0", &results), price, "bytes");
    // Where the id alone says the problem it is made again: 40 bytes for each number of the largest of its kind.
    let price = 40.0 * (2.0 * 3.0 * 2.0 + 4.0 + 4.0 + 6.0 * 5.0 * 5.0);
    expect(&all_of(&place, "vectors check --budget 0", &results), price, "bytes");
}
