//! The engine is the boxes, bit for bit: every number that an observer sees, every error, and the state that is left.
#![cfg(feature = "std")]

use offline_primal_dual::Error;
use offline_primal_dual::fast::{self, verify};
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::{FeatureMap, FeatureTable, Sample};

/// A small linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f64) as usize
    }

    fn signed(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| (2.0 * self.unit() - 1.0) * size).collect()
    }
}

/// States, K and T of every run: enough that the policy moves, and more than one block of samples.
const STATES: usize = 5;
const INNER: usize = 4;
const OUTER: usize = 3;

struct Problem {
    actions: usize,
    dim: usize,
    features: Vec<f64>,
    weight: Vec<f64>,
    samples: Vec<Sample<f64>>,
}

impl Problem {
    fn new(numbers: &mut Numbers, actions: usize, dim: usize) -> Self {
        let features = numbers.signed(STATES * actions * dim, 1.0);
        // Any matrix will do for Λ^{c−1}.
        let weight = numbers.signed(dim * dim, 1.0);
        let samples = (0..OUTER * (INNER + 1))
            .map(|_| Sample {
                x0: numbers.below(STATES),
                x: numbers.below(STATES),
                a: numbers.below(actions),
                r: numbers.unit(),
                x_next: numbers.below(STATES),
                u: numbers.unit(),
            })
            .collect();
        Self { actions, dim, features, weight, samples }
    }

    /// Both algorithms, both c, with balls that nothing leaves and with balls that most steps leave.
    fn verify(&self) {
        for weight in [None, Some(&self.weight[..])] {
            for radius in [1e9, 0.05] {
                self.verify_with(weight, radius);
            }
        }
    }

    fn verify_with(&self, weight: Option<&[f64]>, radius: f64) {
        let (actions, dim) = (self.actions, self.dim);
        let table = FeatureTable::new(actions, dim, &self.features).unwrap();
        let (eta, zeta, radius_theta, radius_beta) = (0.3, 0.7, radius, radius);
        let place = format!("|A| = {actions}, d = {dim}, c = 1: {}, radius {radius}", weight.is_none());

        let parameters =
            discounted::Parameters { discount: 0.8, alpha: 0.6, eta, zeta, radius_theta, radius_beta, inner: INNER };
        let algorithm = discounted::Algorithm::new(&table, weight, &parameters).unwrap();
        let mut room = [0; 3].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)]);
        let states = room.each_mut().map(|room| discounted::State::new(actions, dim, room).unwrap());
        let [mut plain, mut seen, mut unseen] = states;
        for block in self.samples.chunks(INNER).take(OUTER) {
            let found = verify::discounted(&algorithm, [&mut plain, &mut seen], 1, block, &mut ());
            assert_eq!(found, Ok(None), "Algorithm 1, {place}: {}", told(&found));
            // Where nobody looks at inner steps the engine keeps less.
            let ran = fast::discounted::run_on(1, &algorithm, &mut unseen, 1, block.iter().copied(), &mut ());
            assert_eq!(ran, Ok(()), "Algorithm 1, {place}");
        }
        let left = [&plain, &seen, &unseen].map(|s| (s.theta(), s.beta(), s.theta_sum(), s.t(), s.k(), s.used()));
        assert!(left[0] == left[1] && left[0] == left[2], "Algorithm 1, {place}: {left:?}");

        let parameters =
            average::Parameters { alpha: 0.6, eta, zeta, xi: 0.5, radius_theta, radius_beta, inner: INNER };
        let algorithm = average::Algorithm::new(&table, weight, &parameters).unwrap();
        let mut room = [0; 3].map(|_| vec![0.0; average::State::<f64>::buffer_len(actions, dim)]);
        let states = room.each_mut().map(|room| average::State::new(actions, dim, room).unwrap());
        let [mut plain, mut seen, mut unseen] = states;
        for block in self.samples.chunks(INNER + 1) {
            let found = verify::average_reward(&algorithm, [&mut plain, &mut seen], 1, block, &mut ());
            assert_eq!(found, Ok(None), "Algorithm 2, {place}: {}", told(&found));
            // Where nobody looks at inner steps the engine keeps less.
            let ran = fast::average_reward::run_on(1, &algorithm, &mut unseen, 1, block.iter().copied(), &mut ());
            assert_eq!(ran, Ok(()), "Algorithm 2, {place}");
        }
        let left =
            [&plain, &seen, &unseen].map(|s| (s.theta(), s.beta(), s.theta_sum(), s.rho(), s.t(), s.i(), s.used()));
        assert!(left[0] == left[1] && left[0] == left[2], "Algorithm 2, {place}: {left:?}");
    }
}

fn told(found: &Result<Option<verify::Disagreement>, Error>) -> String {
    match found {
        Ok(Some(found)) => found.to_string(),
        other => format!("{other:?}"),
    }
}

/// What `opd run --verify` says: t, k, the variable and its component. β = 0, so that nothing but θ itself knows of another start.
#[test]
fn a_difference_is_named() {
    let problem = Problem::new(&mut Numbers(3), 2, 5);
    let table = FeatureTable::new(2, 5, &problem.features).unwrap();
    let (eta, zeta, radius_theta, radius_beta) = (0.3, 0.7, 1e9, 1e9);
    let parameters =
        discounted::Parameters { discount: 0.8, alpha: 0.6, eta, zeta, radius_theta, radius_beta, inner: INNER };
    let algorithm = discounted::Algorithm::new(&table, None, &parameters).unwrap();
    let mut room = [0; 2].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(2, 5)]);
    let [mut plain, mut fast] = room.each_mut().map(|room| discounted::State::new(2, 5, room).unwrap());
    algorithm.start_at(&mut fast, &[0.0, 0.0, 0.0, 0.5, 0.0], &[0.0; 5]).unwrap();
    let found = verify::discounted(&algorithm, [&mut plain, &mut fast], 1, &problem.samples, &mut ());
    assert!(told(&found).starts_with("t = 1, k = 1, unprojected[3]: the engine has "), "{}", told(&found));
}

/// Every |A| ≤ 9 and d ≤ 80: all remainders of blocks of 4 rows and of 8 lanes, below, at and above the 64 where wide registers begin.
#[test]
fn the_engine_is_the_boxes_at_every_small_shape() {
    let mut numbers = Numbers(1);
    for actions in 1..=9 {
        for dim in 1..=80 {
            Problem::new(&mut numbers, actions, dim).verify();
        }
    }
}

#[test]
fn the_engine_is_the_boxes_at_random_shapes() {
    let mut numbers = Numbers(2);
    for _ in 0..12 {
        let (actions, dim) = (1 + numbers.below(20), 1 + numbers.below(1000));
        Problem::new(&mut numbers, actions, dim).verify();
    }
}

/// 400 more, for a quiet hour.
#[test]
#[ignore = "minutes"]
fn the_engine_is_the_boxes_at_many_random_shapes() {
    let mut numbers = Numbers(3);
    for _ in 0..400 {
        let (actions, dim) = (1 + numbers.below(40), 1 + numbers.below(1000));
        Problem::new(&mut numbers, actions, dim).verify();
    }
}

/// Outer iterations of many blocks, with states that come again, with more states than are remembered and than 16 bits hold, and with X⁰ = X always beyond
/// these: the engine is the box, on any number of threads, and so is its error where a sample in the middle is wrong, or leads where features are so large
/// that θ overflows.
#[test]
fn blocks_and_threads_change_no_bit() {
    const K: usize = 300;
    let mut numbers = Numbers(6);
    let shapes = [(2, 3, 7), (3, 64, 500), (1, 20, 40), (2, 1000, 400), (2, 3, 70_000)].map(|shape| (shape, 0));
    for ((actions, dim, states), beyond) in shapes.into_iter().chain([((2, 3, 70_000), 1 << 16)]) {
        let features = numbers.signed(states * actions * dim, 1.0);
        let table = FeatureTable::new(actions, dim, &features).unwrap();
        let larger = [&features[..], &numbers.signed(actions * dim, 1e300)].concat();
        let larger = FeatureTable::new(actions, dim, &larger).unwrap();
        let mut samples: Vec<Sample<f64>> = (0..2 * (K + 1))
            .map(|_| Sample {
                x0: numbers.below(states),
                x: numbers.below(states),
                a: numbers.below(actions),
                r: numbers.unit(),
                x_next: numbers.below(states),
                u: numbers.unit(),
            })
            .collect();
        if beyond > 0 {
            for sample in &mut samples {
                sample.x = beyond + numbers.below(states - beyond);
                (sample.x0, sample.x_next) = (sample.x, sample.x_next % beyond);
            }
        }
        for (table, wrong) in [(&table, None), (&table, Some(K + 170)), (&larger, Some(K + 170))] {
            if let Some(row) = wrong {
                samples[row].x_next = states;
            }
            // How the box ends, and blocks beside it. A state that has diverged is of no use to anybody, so not compared.
            let overflows = wrong.is_some() && table.state(states).is_some();
            let ended = |found: Result<Option<verify::Disagreement>, Error>| {
                let unknown = |row| Error::UnknownState { what: "x_next", state: states, row };
                match found {
                    Err(Error::Diverged { what: "theta", .. }) if overflows => {}
                    _ => assert_eq!(found, wrong.map_or(Ok(None), |row| Err(unknown(row))), "{}", told(&found)),
                }
                found.map(|_| ())
            };
            let (alpha, eta, zeta, radius_theta, radius_beta) = (0.6, 0.3, 0.7, 2.0, 2.0);

            let parameters =
                discounted::Parameters { discount: 0.8, alpha, eta, zeta, radius_theta, radius_beta, inner: K };
            let algorithm = discounted::Algorithm::new(table, None, &parameters).unwrap();
            let mut room = [0; 5].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)]);
            let [mut plain, mut blocks, mut one, mut two, mut three] =
                room.each_mut().map(|room| discounted::State::new(actions, dim, room).unwrap());
            let expected = ended(verify::discounted(&algorithm, [&mut plain, &mut blocks], 2, &samples, &mut ()));
            let left = |s: &discounted::State<f64>| {
                (s.theta().to_vec(), s.beta().to_vec(), s.theta_sum().to_vec(), s.t(), s.k(), s.used())
            };
            for (threads, state) in [(1, &mut one), (2, &mut two), (3, &mut three)] {
                let rows = samples.iter().copied();
                let ran = fast::discounted::run_on(threads, &algorithm, state, 2, rows, &mut ());
                assert_eq!(ran, expected, "Algorithm 1, {threads} threads");
                assert!(overflows || left(state) == left(&plain), "Algorithm 1, {threads} threads");
            }

            let parameters = average::Parameters { alpha, eta, zeta, xi: 0.5, radius_theta, radius_beta, inner: K };
            let algorithm = average::Algorithm::new(table, None, &parameters).unwrap();
            let mut room = [0; 5].map(|_| vec![0.0; average::State::<f64>::buffer_len(actions, dim)]);
            let [mut plain, mut blocks, mut one, mut two, mut three] =
                room.each_mut().map(|room| average::State::new(actions, dim, room).unwrap());
            let expected = ended(verify::average_reward(&algorithm, [&mut plain, &mut blocks], 2, &samples, &mut ()));
            let left = |s: &average::State<f64>| {
                (s.theta().to_vec(), s.beta().to_vec(), s.theta_sum().to_vec(), *s.rho(), s.t(), s.i(), s.used())
            };
            for (threads, state) in [(1, &mut one), (2, &mut two), (3, &mut three)] {
                let rows = samples.iter().copied();
                let ran = fast::average_reward::run_on(threads, &algorithm, state, 2, rows, &mut ());
                assert_eq!(ran, expected, "Algorithm 2, {threads} threads");
                assert!(overflows || left(state) == left(&plain), "Algorithm 2, {threads} threads");
            }
        }
    }
}

/// A reward that is no number is refused where the box refuses it, on any number of threads, although no inner step uses rewards.
#[test]
fn threads_refuse_a_reward_that_is_none() {
    const K: usize = 300;
    let mut problem = Problem::new(&mut Numbers(8), 2, 5);
    let table = FeatureTable::new(2, 5, &problem.features).unwrap();
    problem.samples = problem.samples.iter().copied().cycle().take(2 * (K + 1)).collect();
    problem.samples[K + 170].r = f64::NAN;
    let (eta, zeta, radius_theta, radius_beta) = (0.3, 0.7, 2.0, 2.0);
    let first = discounted::Parameters { discount: 0.8, alpha: 0.6, eta, zeta, radius_theta, radius_beta, inner: K };
    let first = discounted::Algorithm::new(&table, None, &first).unwrap();
    let second = average::Parameters { alpha: 0.6, eta, zeta, xi: 0.5, radius_theta, radius_beta, inner: K };
    let second = average::Algorithm::new(&table, None, &second).unwrap();
    let rows = || problem.samples.iter().copied();
    let by = |threads: usize| {
        let mut room = vec![0.0; discounted::State::<f64>::buffer_len(2, 5)];
        let mut state = discounted::State::new(2, 5, &mut room).unwrap();
        let one = match threads {
            0 => first.run(&mut state, 2, rows(), &mut ()),
            _ => fast::discounted::run_on(threads, &first, &mut state, 2, rows(), &mut ()),
        };
        let mut room = vec![0.0; average::State::<f64>::buffer_len(2, 5)];
        let mut state = average::State::new(2, 5, &mut room).unwrap();
        let two = match threads {
            0 => second.run(&mut state, 2, rows(), &mut ()),
            _ => fast::average_reward::run_on(threads, &second, &mut state, 2, rows(), &mut ()),
        };
        [one, two]
    };
    let boxes = by(0);
    assert!(boxes.iter().all(Result::is_err), "{boxes:?}");
    for threads in [1, 2, 3] {
        assert_eq!(by(threads), boxes, "{threads} threads");
    }
}

/// Projections are at work where the balls are small, and are not where they are large; else the tests above say less than they seem to.
#[test]
fn small_balls_are_left_and_large_ones_are_not() {
    #[derive(Default)]
    struct Projections(usize, usize);
    impl discounted::Observer<f64> for Projections {
        fn inner_step(&mut self, step: &discounted::InnerStep<f64>) {
            self.0 += usize::from(step.unprojected != step.theta_next);
        }
        fn outer_step(&mut self, step: &discounted::OuterStep<f64>) {
            self.1 += usize::from(step.unprojected != step.beta_next);
        }
    }
    let problem = Problem::new(&mut Numbers(4), 3, 5);
    let table = FeatureTable::new(3, 5, &problem.features).unwrap();
    for (radius, expected) in [(1e9, (0, 0)), (0.05, (6, 3))] {
        let (radius_theta, radius_beta) = (radius, radius);
        let parameters = discounted::Parameters {
            discount: 0.8,
            alpha: 0.6,
            eta: 0.3,
            zeta: 0.7,
            radius_theta,
            radius_beta,
            inner: INNER,
        };
        let algorithm = discounted::Algorithm::new(&table, None, &parameters).unwrap();
        let mut room = vec![0.0; discounted::State::<f64>::buffer_len(3, 5)];
        let mut state = discounted::State::new(3, 5, &mut room).unwrap();
        let mut seen = Projections::default();
        let samples = problem.samples.iter().copied();
        offline_primal_dual::fast::discounted::run(&algorithm, &mut state, OUTER, samples, &mut seen).unwrap();
        assert_eq!((seen.0, seen.1), expected, "radius {radius}");
    }
}

/// A map whose features need not be finite.
struct Any(Vec<f64>);

impl FeatureMap<f64> for Any {
    fn actions(&self) -> usize {
        2
    }

    fn dim(&self) -> usize {
        3
    }

    fn state(&self, x: usize) -> Option<&[f64]> {
        self.0.chunks(6).nth(x)
    }
}

/// Makes samples or features wrong.
type Spoil = fn(&mut Vec<Sample<f64>>, &mut Vec<f64>);

/// The error of the engine is the error of the box: wrong samples, samples missing, numbers that are none or overflow.
#[test]
fn the_engine_refuses_what_the_boxes_refuse() {
    let mut numbers = Numbers(5);
    let good = Problem::new(&mut numbers, 2, 3);
    let spoil: [(&str, Spoil); 13] = [
        ("x0", |s, _| s[5].x0 = 9),
        ("x", |s, _| s[6].x = 9),
        ("x_next", |s, _| s[3].x_next = 9),
        ("a", |s, _| s[2].a = 2),
        ("r", |s, _| s[1].r = f64::NAN),
        ("outer r", |s, _| s[3].r = f64::INFINITY),
        ("u", |s, _| s[5].u = 1.0),
        ("missing", |s, _| s.truncate(6)),
        ("large r", |s, _| s.iter_mut().for_each(|s| s.r = 1e200)),
        ("large enough r", |s, _| s.iter_mut().for_each(|s| s.r = 1e308)),
        ("NaN", |_, f| f[8] = f64::NAN),
        ("infinity", |_, f| f[8] = f64::NEG_INFINITY),
        ("large", |_, f| f.iter_mut().for_each(|f| *f *= 1e155)),
    ];
    let (mut refused, radius) = ([0; 2], 1e150);
    for (name, spoil) in spoil {
        let (mut samples, mut features) = (good.samples.clone(), good.features.clone());
        spoil(&mut samples, &mut features);
        let map = Any(features);
        let (eta, zeta, radius_theta, radius_beta) = (0.3, 0.7, radius, radius);
        let parameters =
            discounted::Parameters { discount: 0.8, alpha: 0.6, eta, zeta, radius_theta, radius_beta, inner: INNER };
        let algorithm = discounted::Algorithm::new(&map, None, &parameters).unwrap();
        let mut room = [0; 2].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(2, 3)]);
        let states = room.each_mut().map(|room| discounted::State::new(2, 3, room).unwrap());
        let [mut plain, mut fast] = states;
        let found = verify::discounted(&algorithm, [&mut plain, &mut fast], OUTER, &samples, &mut ());
        assert!(!matches!(found, Ok(Some(_))), "Algorithm 1, {name}: {}", told(&found));
        refused[0] += usize::from(found.is_err());
        let parameters =
            average::Parameters { alpha: 0.6, eta, zeta, xi: 0.5, radius_theta, radius_beta, inner: INNER };
        let algorithm = average::Algorithm::new(&map, None, &parameters).unwrap();
        let mut room = [0; 2].map(|_| vec![0.0; average::State::<f64>::buffer_len(2, 3)]);
        let states = room.each_mut().map(|room| average::State::new(2, 3, room).unwrap());
        let [mut plain, mut fast] = states;
        let found = verify::average_reward(&algorithm, [&mut plain, &mut fast], OUTER, &samples, &mut ());
        assert!(!matches!(found, Ok(Some(_))), "Algorithm 2, {name}: {}", told(&found));
        refused[1] += usize::from(found.is_err());
    }
    assert_eq!(refused, [12, 12], "Algorithm 1 does not read u, Algorithm 2 not x0");
}

/// Σθ after every outer iteration.
#[derive(Default, Debug, PartialEq)]
struct Sums(Vec<f64>);

impl discounted::Observer<f64> for Sums {
    fn outer_step(&mut self, step: &discounted::OuterStep<f64>) {
        self.0.extend(step.theta_sum);
    }
}

/// Runs side by side, each with so many iterations, on the same samples: each ends as the box alone ends it. How they ended.
fn side_by_side(
    map: &impl FeatureMap<f64>,
    weight: Option<&[f64]>,
    parameters: &[discounted::Parameters<f64>],
    outers: &[usize],
    samples: &[Sample<f64>],
) -> Vec<Result<(), Error>> {
    let (actions, dim) = (map.actions(), map.dim());
    let room = || vec![0.0; discounted::State::<f64>::buffer_len(actions, dim)];
    let mut rooms: Vec<_> = outers.iter().map(|_| room()).collect();
    let begun = parameters.iter().zip(outers).zip(&mut rooms).map(|((parameters, outer), room)| fast::many::Run {
        parameters,
        outer: *outer,
        state: discounted::State::new(actions, dim, room).unwrap(),
        observer: Sums::default(),
    });
    let mut begun: Vec<_> = begun.collect();
    let ends = fast::many::run(map, weight, &mut begun, samples.iter().copied());
    for (r, (run, end)) in begun.iter().zip(&ends).enumerate() {
        let (mut room, mut sums) = (room(), Sums::default());
        let mut state = discounted::State::new(actions, dim, &mut room).unwrap();
        let alone = discounted::Algorithm::new(map, weight, run.parameters)
            .and_then(|algorithm| algorithm.run(&mut state, run.outer, samples.iter().copied(), &mut sums));
        let place = format!("|A| = {actions}, d = {dim}, c = 1: {}, run {r}", weight.is_none());
        assert_eq!((end, &run.observer), (&alone, &sums), "{place}");
        let left = |s: &discounted::State<f64>| {
            let bits = [s.theta(), s.beta(), s.theta_sum()].concat().into_iter().map(f64::to_bits);
            (bits.collect::<Vec<_>>(), s.t(), s.k(), s.used())
        };
        assert!(end.is_err() || left(&run.state) == left(&state), "{place}");
    }
    ends
}

/// Twelve runs side by side, of the same K and of others, of K = 1 and of blocks within which some runs end, with balls that are left and balls that
/// are not, with rates that diverge, with samples missing and samples wrong.
#[test]
fn runs_side_by_side_are_the_box_one_by_one() {
    const ROWS: usize = 60;
    let mut numbers = Numbers(7);
    let shapes = (1..=17).flat_map(|dim| [(1 + dim % 5, dim, 4), (2, dim, 90)]).chain([(3, 33, 5), (2, 77, 5)]);
    let inners = [[4, 4, 4, 4, 4, 4, 4, 4, 3, 12, 1, 0], [24, 24, 24, 24, 24, 24, 24, 24, 30, 12, 19, 0]];
    let (mut good, mut diverged) = (0, 0);
    for ((actions, dim, states), inner) in shapes.flat_map(|shape| inners.map(|inner| (shape, inner))) {
        let features = numbers.signed(states * actions * dim, 1.0);
        let table = FeatureTable::new(actions, dim, &features).unwrap();
        let weight = numbers.signed(dim * dim, 1.0);
        let mut samples: Vec<Sample<f64>> = (0..ROWS)
            .map(|_| Sample {
                x0: numbers.below(states),
                x: numbers.below(states),
                a: numbers.below(actions),
                r: numbers.unit(),
                x_next: numbers.below(states),
                u: 0.0,
            })
            .collect();
        // The sample of an inner step of some runs, of an outer step of others.
        samples[47].x0 = if dim % 3 == 0 { states } else { 0 };
        samples.truncate(if dim % 4 == 0 { 55 } else { ROWS });
        let parameters: Vec<_> = (0..12)
            .map(|r| discounted::Parameters {
                discount: 0.5 + 0.04 * f64::from(r),
                alpha: if r == 6 { 1e308 } else { 0.6 + 0.1 * f64::from(r) },
                eta: if r == 5 { 1e200 } else { 0.1 + 0.2 * f64::from(r % 4) },
                zeta: if r == 7 { 1e200 } else { 0.7 },
                radius_theta: if r % 2 == 0 { 0.3 } else { 1e9 },
                radius_beta: if r % 3 == 0 { 0.4 } else { 1e9 },
                inner: inner[r as usize],
            })
            .collect();
        let mut outers = inner.map(|inner| ROWS / inner.max(1));
        (outers[2], outers[11]) = (0, 0);
        for weight in [None, Some(&weight[..])] {
            let ends = side_by_side(&table, weight, &parameters, &outers, &samples);
            good += ends.iter().filter(|end| end.is_ok()).count();
            diverged += ends.iter().filter(|end| matches!(end, Err(Error::Diverged { .. }))).count();
        }
    }
    assert!(good > 600 && diverged > 120, "{good} runs ended well, {diverged} diverged: too few to say much");
}

/// More states in one outer iteration than runs side by side have room for: what was met is forgotten, where one diverges in the
/// middle of a block too. State 0 has no features: θ stays 0 there, whatever η is.
#[test]
fn runs_side_by_side_may_meet_any_number_of_states() {
    const ROWS: usize = 400;
    let (mut numbers, actions, dim, states) = (Numbers(9), 2, 200, 900);
    let mut features = numbers.signed(states * actions * dim, 1.0);
    features[..actions * dim].fill(0.0);
    let table = FeatureTable::new(actions, dim, &features).unwrap();
    let mut samples: Vec<Sample<f64>> = (0..ROWS)
        .map(|_| Sample {
            x0: numbers.below(states),
            x: numbers.below(states),
            a: numbers.below(actions),
            r: numbers.unit(),
            x_next: numbers.below(states),
            u: 0.0,
        })
        .collect();
    samples[..10].fill(Sample { r: 0.5, ..Sample::default() });
    let parameters = [(ROWS, 0.1), (ROWS - 1, 0.1), (ROWS / 2, 0.1), (ROWS, 1e200)].map(|(inner, eta)| {
        let (discount, alpha, zeta, radius_theta, radius_beta) = (0.9, 0.6, 0.7, 0.3, 0.4);
        discounted::Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner }
    });
    let ends = side_by_side(&table, None, &parameters, &[1, 1, 2, 1], &samples);
    assert!(matches!(ends[3], Err(Error::Diverged { k: 10.., .. })), "{:?}", ends[3]);
}

/// All eight lanes leave their balls at one sample, or diverge at one.
#[test]
fn eight_runs_may_do_the_same_at_once() {
    let problem = Problem::new(&mut Numbers(11), 2, 5);
    let table = FeatureTable::new(2, 5, &problem.features).unwrap();
    for (radius, eta, good) in [(0.01, 0.5, true), (1e9, 1e200, false)] {
        let (radius_theta, radius_beta) = (radius, radius);
        let parameters = [(); 8].map(|()| discounted::Parameters {
            discount: 0.8,
            alpha: 0.6,
            eta,
            zeta: 0.7,
            radius_theta,
            radius_beta,
            inner: INNER,
        });
        let ends = side_by_side(&table, None, &parameters, &[OUTER; 8], &problem.samples);
        assert!(ends.iter().all(|end| end.is_ok() == good), "{ends:?}");
    }
}

/// Who looks on while the engine is compared with the box is told of every beginning.
#[test]
fn an_observer_of_a_comparison_hears_of_iterations() {
    #[derive(Default)]
    struct Begun(Vec<usize>);
    impl discounted::Observer<f64> for Begun {
        fn begin_outer(&mut self, t: usize, _: &[f64], _: &[f64], _: &[f64], _: &[f64]) {
            self.0.push(t);
        }
    }
    impl average::Observer<f64> for Begun {
        fn begin_outer(&mut self, t: usize, _: &[f64], _: &f64, _: &[f64], _: &[f64], _: &[f64]) {
            self.0.push(t);
        }
    }
    let problem = Problem::new(&mut Numbers(12), 2, 3);
    let table = FeatureTable::new(2, 3, &problem.features).unwrap();
    let (alpha, eta, zeta, radius_theta, radius_beta) = (0.6, 0.3, 0.7, 1.0, 1.0);
    let mut begun = Begun::default();

    let parameters =
        discounted::Parameters { discount: 0.8, alpha, eta, zeta, radius_theta, radius_beta, inner: INNER };
    let algorithm = discounted::Algorithm::new(&table, None, &parameters).unwrap();
    let mut room = [0; 2].map(|_| vec![0.0; discounted::State::<f64>::buffer_len(2, 3)]);
    let mut states = room.each_mut().map(|room| discounted::State::new(2, 3, room).unwrap());
    let found = verify::discounted(&algorithm, states.each_mut(), OUTER, &problem.samples, &mut begun);
    assert_eq!((found, std::mem::take(&mut begun.0)), (Ok(None), vec![1, 2, 3]));

    let parameters = average::Parameters { alpha, eta, zeta, xi: 0.5, radius_theta, radius_beta, inner: INNER };
    let algorithm = average::Algorithm::new(&table, None, &parameters).unwrap();
    let mut room = [0; 2].map(|_| vec![0.0; average::State::<f64>::buffer_len(2, 3)]);
    let mut states = room.each_mut().map(|room| average::State::new(2, 3, room).unwrap());
    let found = verify::average_reward(&algorithm, states.each_mut(), OUTER, &problem.samples, &mut begun);
    assert_eq!((found, begun.0), (Ok(None), vec![1, 2, 3]));
}

/// What does not fit is refused before any room is made for it: a map of 2⁴⁰ features has no buffer that fits.
#[test]
fn a_shape_that_does_not_fit_is_refused_before_it_takes_room() {
    let features = FeatureTable::new(1, 1 << 40, &[]).unwrap();
    let discounted = discounted::Parameters {
        discount: 0.5,
        alpha: 1.0,
        eta: 1.0,
        zeta: 1.0,
        radius_theta: 1.0,
        radius_beta: 1.0,
        inner: 2,
    };
    let algorithm = discounted::Algorithm::new(&features, None, &discounted).unwrap();
    let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(1, 1)];
    let mut state = discounted::State::new(1, 1, &mut buffer).unwrap();
    let samples = || [Sample::default(); 2].into_iter();
    let expected = algorithm.run(&mut state, 1, samples(), &mut ()).unwrap_err();
    assert_eq!(fast::discounted::run(&algorithm, &mut state, 1, samples(), &mut ()), Err(expected));
    for threads in [1, 2] {
        let found = fast::discounted::run_on(threads, &algorithm, &mut state, 1, samples(), &mut ());
        assert_eq!(found, Err(expected));
    }
}
