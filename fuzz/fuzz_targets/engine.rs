//! The engine against the boxes: any shape, any numbers (NaN and infinities too), any samples. Every bit that an observer sees is the
//! same, and so is the error. Runs side by side end as each of them alone.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::fast::{many, verify};
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::{FeatureMap, Sample};

/// Numbers from the input: eight bytes as they are, or one byte as a small number; zeros when it ends.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }

    fn number(&mut self) -> f64 {
        match self.byte() {
            255 => f64::from_bits((0..8).fold(0, |bits, _| bits << 8 | u64::from(self.byte()))),
            small => (f64::from(small) - 127.0) / 64.0,
        }
    }
}

/// Features that need not be finite.
struct Rows {
    actions: usize,
    dim: usize,
    rows: Vec<f64>,
}

impl FeatureMap<f64> for Rows {
    fn actions(&self) -> usize {
        self.actions
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn state(&self, x: usize) -> Option<&[f64]> {
        self.rows.chunks(self.actions * self.dim).nth(x)
    }
}

/// Ten runs side by side whose rates, K and T are not the same, and each of them by the box.
fn side_by_side(map: &Rows, weight: Option<&[f64]>, first: &discounted::Parameters<f64>, samples: &[Sample<f64>]) {
    let parameters: Vec<_> = (0..10_i32)
        .map(|r| discounted::Parameters {
            alpha: first.alpha * f64::from(r),
            eta: first.eta * f64::from((r + 5) % 10),
            inner: first.inner + r as usize % 3 * 5,
            ..*first
        })
        .collect();
    let outer = |parameters: &discounted::Parameters<f64>| samples.len() / parameters.inner;
    let room = || vec![0.0; discounted::State::<f64>::buffer_len(map.actions, map.dim)];
    let mut rooms: Vec<_> = parameters.iter().map(|_| room()).collect();
    let mut runs: Vec<_> = parameters
        .iter()
        .zip(&mut rooms)
        .map(|(parameters, room)| {
            let state = discounted::State::new(map.actions, map.dim, room).expect("room");
            many::Run { parameters, outer: outer(parameters), state, observer: () }
        })
        .collect();
    let ends = many::run(map, weight, &mut runs, samples.iter().copied());
    for (run, end) in runs.iter().zip(ends) {
        let mut room = room();
        let mut state = discounted::State::new(map.actions, map.dim, &mut room).expect("room");
        let alone = discounted::Algorithm::new(map, weight, run.parameters)
            .and_then(|algorithm| algorithm.run(&mut state, run.outer, samples.iter().copied(), &mut ()));
        assert_eq!(end, alone);
        let bits = |state: &discounted::State<f64>| {
            [state.theta(), state.beta(), state.theta_sum()].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        assert!(end.is_err() || bits(&run.state) == bits(&state), "{:?}", run.parameters);
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let (actions, dim) = (1 + usize::from(input.byte() % 9), 1 + usize::from(input.byte() % 80));
    let (inner, outer) = (1 + usize::from(input.byte() % 4), 1 + usize::from(input.byte() % 3));
    let weighted = input.byte() % 2 == 0;
    let [alpha, eta, zeta, xi] = [0; 4].map(|_| input.number().abs());
    let (radius_theta, radius_beta) = (input.number().abs(), input.number().abs());
    let discount = f64::from(input.byte()) / 256.0;
    let mut sample = || Sample {
        x0: usize::from(input.byte() % 4),
        x: usize::from(input.byte() % 4),
        a: usize::from(input.byte()) % (actions + 1),
        r: input.number(),
        x_next: usize::from(input.byte() % 4),
        u: f64::from(input.byte()) / 256.0,
    };
    let samples: Vec<Sample<f64>> = (0..outer * (inner + 1)).map(|_| sample()).collect();
    // A short input repeats itself, so that large shapes are not all zeros.
    let start = input.0;
    let mut number = || {
        if input.0.is_empty() {
            input.0 = start;
        }
        input.number()
    };
    let map = Rows { actions, dim, rows: (0..3 * actions * dim).map(|_| number()).collect() };
    let weight: Option<Vec<f64>> = weighted.then(|| (0..dim * dim).map(|_| number()).collect());

    let parameters = discounted::Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner };
    if let Ok(algorithm) = discounted::Algorithm::new(&map, weight.as_deref(), &parameters) {
        let mut room = [0; 2].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)]);
        let mut states = room.each_mut().map(|room| discounted::State::new(actions, dim, room).expect("room"));
        let found = verify::discounted(&algorithm, states.each_mut(), outer, &samples, &mut ());
        assert!(!matches!(found, Ok(Some(_))), "{found:?}");
    }
    side_by_side(&map, weight.as_deref(), &parameters, &samples);
    let parameters = average::Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner };
    if let Ok(algorithm) = average::Algorithm::new(&map, weight.as_deref(), &parameters) {
        let mut room = [0; 2].map(|_| vec![0.0; average::State::<f64>::buffer_len(actions, dim)]);
        let mut states = room.each_mut().map(|room| average::State::new(actions, dim, room).expect("room"));
        let found = verify::average_reward(&algorithm, states.each_mut(), outer, &samples, &mut ());
        assert!(!matches!(found, Ok(Some(_))), "{found:?}");
    }
});
