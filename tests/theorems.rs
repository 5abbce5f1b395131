//! Theorem A.1 and Theorem C.1 as inequalities between true expectations, and each of the regret bounds of Lemmas B.1–B.3 and
//! C.5–C.7 on its own.
//!
//! Every data sequence of length KT (T(K+1)) of a small model is enumerated with its exact probability; the library runs on
//! each; the suboptimality and the regrets are computed exactly from the run's iterates, taken as the dyadic rationals they
//! are, with π_t(·|x) divided by its exact sum. The expectations are then exact sums, and the bounds rationals below the true
//! ones (the only irrational number, log|A|, is replaced by a lower bound).
//!
//! For the tiny K and T that can be enumerated the theorems' constants are loose, so each regret is also held against what Lemmas D.1
//! and D.2 give before those constants enter: the run's own starting distances and the estimators' exact second moments, again in
//! expectation. θ₀ and β₁ are not zero, else nothing would happen in so few steps.
//!
//! # What rounding leaves open
//! The theorems speak of the algorithm in real arithmetic, the runs are `f64`. A run here takes at most 8 steps of some
//! hundred operations on numbers below 2¹⁰, so its iterates are within about 2⁻⁵³·2¹⁰·2¹⁰ = 2⁻³³ of the real ones times the steps'
//! Lipschitz constants, which at the rates below are under 2⁸ in all. Each inequality is therefore asked to hold with 2⁻²⁰ to
//! spare. On each path Lemmas 4.2 and C.4 leave no such gap: they are met with residual zero on the dyadic iterates.

// Dimensions and counts here have one digit.
#![allow(clippy::cast_possible_wrap, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod support;

use offline_primal_dual::linear::softmax::policy_table;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::paper::samples::{FeatureTable, Sample};
use offline_primal_dual::paper::{average_reward, discounted};
use support::{Model, Outcome, dot, ratios, times, zeros};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn exact(x: f64) -> Q {
    Q::from_f64(x).unwrap()
}

fn doubles(xs: &[Q]) -> Vec<f64> {
    let rounded: Vec<f64> = xs.iter().map(Q::to_f64).collect();
    assert!(xs.iter().zip(&rounded).all(|(x, r)| exact(*r) == *x), "the models are dyadic");
    rounded
}

/// The least multiple of 1/1024 whose square is at least x.
fn root_above(x: &Q) -> Q {
    let start = (x.to_f64().sqrt() * 1024.0) as i64 - 1;
    (start..start + 4).map(|n| q(n, 1024)).find(|r| r.clone() * r >= *x && *r >= q(0, 1)).unwrap()
}

/// A rational below log 2: the first terms of Σ 1/(k 2^k).
fn log_two_below() -> Q {
    (1..=30).fold(q(0, 1), |sum, k| sum + q(1, k << k))
}

/// A rational below log|A| for |A| ∈ {1, 2, 4}.
fn log_actions_below(actions: usize) -> Q {
    q(i64::from(actions.ilog2()), 1) * log_two_below()
}

/// A model with what the theorems ask to be known about it.
struct Case {
    model: Model<Q>,
    c: Exponent,
    /// ‖Λ‖₂.
    norm: Q,
    /// D_φ, D_θ, D_β: θ^π ∈ B(D_θ) for every π and C_{φ,c} ≤ D_β² (erratum 4) for the comparator.
    d_phi: Q,
    d_theta: Q,
    d_beta: Q,
    comparator: Vec<Q>,
}

impl Case {
    /// ‖Λ‖^{2c−1}.
    fn norm_power(&self) -> Q {
        if self.c == Exponent::One { self.norm.clone() } else { q(1, 1) }
    }

    /// Tr(Λ^{2c−1}).
    fn trace_power(&self) -> Q {
        match self.c {
            Exponent::One => {
                offline_primal_dual::paper::covariance::trace(self.model.shape.dim, &self.model.covariance()).unwrap()
            }
            Exponent::Half => q(self.model.shape.dim as i64, 1),
        }
    }

    fn weight(&self) -> Option<Vec<f64>> {
        self.model.weight(self.c).map(|w| doubles(&w))
    }

    /// π_t of every t from Σ_{i<t} θ_i, as the run computes it, divided by its exact sum.
    fn policies(&self, alpha: f64, sums: &[f64]) -> Vec<Q> {
        let shape = self.model.shape;
        let features = doubles(&self.model.features);
        let mut all = Vec::new();
        for sum in sums.chunks_exact(shape.dim) {
            let mut policy = vec![0.0; shape.pairs()];
            policy_table(shape.actions, &alpha, &features, sum, &mut policy).unwrap();
            for row in policy.chunks_exact(shape.actions) {
                let row: Vec<Q> = row.iter().copied().map(exact).collect();
                let total = row.iter().fold(q(0, 1), |s, p| s + p);
                all.extend(row.into_iter().map(|p| p / &total));
            }
        }
        all
    }

    /// θ₀ and β₁, well inside the balls.
    fn start(&self) -> (Vec<f64>, Vec<f64>) {
        let scaled = |radius: &Q, parts: [i64; 4]| {
            parts[..self.model.shape.dim].iter().map(|n| (radius.clone() * q(*n, 8)).to_f64()).collect()
        };
        (scaled(&self.d_theta, [-2, 3, 1, -2]), scaled(&self.d_beta, [3, -1, 2, 1]))
    }

    /// Lemma D.2 divided by T: D(π*‖π₁)/(αT) + (α/2T)Σ‖Φθ_t‖∞², π* being deterministic and π₁ uniform.
    fn policy_allowance(&self, rates: Rates, thetas: &[Q]) -> Q {
        assert!(self.comparator.iter().all(|p| p.is_zero() || *p == q(1, 1)));
        let (alpha, t) = (exact(rates.alpha), q(rates.outer as i64, 1));
        let mut sum = q(0, 1);
        for theta in thetas.chunks_exact(self.model.shape.dim) {
            let values = self.model.features.chunks_exact(theta.len()).map(|phi| dot(phi, theta).abs());
            let largest = values.fold(q(0, 1), |m, v| if v > m { v } else { m });
            sum += largest.clone() * &largest;
        }
        log_actions_below(self.model.shape.actions) / (alpha.clone() * &t) + alpha * sum / (q(2, 1) * t)
    }

    fn sample(&self, outcome: &Outcome<Q>, u: f64) -> Sample<f64> {
        let r = self.model.reward(outcome).to_f64();
        Sample { x0: outcome.x0, x: outcome.x, a: outcome.a, r, x_next: outcome.x_next, u }
    }
}

/// E f(W) over the sample space.
fn mean(outcomes: &[Outcome<Q>], mut f: impl FnMut(&Outcome<Q>) -> Q) -> Q {
    support::expectation(outcomes, 1, |o| vec![f(o)]).remove(0)
}

/// Calls `visit` with every sequence of `length` indices below `base`.
fn for_every_sequence(base: usize, length: usize, mut visit: impl FnMut(&[usize])) {
    let mut digits = vec![0; length];
    loop {
        visit(&digits);
        let Some(i) = digits.iter().position(|d| d + 1 < base) else { return };
        digits[i] += 1;
        digits[..i].fill(0);
    }
}

/// η, ζ, α (and ξ) with K and T.
#[derive(Debug, Clone, Copy)]
struct Rates {
    alpha: f64,
    eta: f64,
    zeta: f64,
    xi: f64,
    inner: usize,
    outer: usize,
}

/// Expected suboptimality, and the expected regrets with what Lemmas D.1 and D.2 allow them, in one order: θ, β, π (and ρ).
struct Expectations {
    suboptimality: Q,
    regrets: Vec<Q>,
    allowances: Vec<Q>,
    /// Lemma D.1 for β before its last step, which drops −E‖β_{T+1} − β*‖²/(2ζT): the β-regret itself, as long as no path was
    /// projected.
    telescoped_beta: Q,
    projected: bool,
    paths: usize,
}

impl Expectations {
    fn new(regrets: usize) -> Self {
        let (suboptimality, telescoped_beta) = (q(0, 1), q(0, 1));
        let (regrets, allowances) = (zeros(regrets), zeros(regrets));
        Self { suboptimality, regrets, allowances, telescoped_beta, projected: false, paths: 0 }
    }

    /// β_{T+1} of a path.
    fn add_last(
        &mut self,
        probability: &Q,
        allowance: &Q,
        rate: &Q,
        outer: usize,
        distance_squared: Q,
        projected: bool,
    ) {
        let dropped = distance_squared / (q(2 * outer as i64, 1) * rate);
        self.telescoped_beta += (allowance.clone() - dropped) * probability;
        self.projected |= projected;
    }

    fn add(&mut self, probability: &Q, suboptimality: Q, regrets: &[Q], allowances: &[Q]) {
        self.suboptimality += suboptimality * probability;
        for (sums, values) in [(&mut self.regrets, regrets), (&mut self.allowances, allowances)] {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value.clone() * probability;
            }
        }
        self.paths += 1;
    }
}

fn square_distance(a: &[Q], b: &[Q]) -> Q {
    let difference: Vec<Q> = a.iter().zip(b).map(|(x, y)| x.clone() - y).collect();
    dot(&difference, &difference)
}

/// Lemma D.1 divided by n: ‖y₁ − y*‖²/(2ηn) + ηG²/2.
fn gradient_allowance(rate: &Q, n: usize, distance_squared: Q, moment: Q) -> Q {
    distance_squared / (q(2 * n as i64, 1) * rate) + rate.clone() * moment / q(2, 1)
}

/// lhs ≤ rhs with 2⁻²⁰ to spare; see the head of this file.
fn holds(what: &str, lhs: &Q, rhs: &Q) {
    assert!(lhs.clone() + q(1, 1 << 20) <= *rhs, "{what}: {} against {}", lhs.to_f64(), rhs.to_f64());
}

fn check(case: &Case, rates: Rates, expected: &Expectations, bounds: &[Q]) {
    for (i, ((regret, allowance), bound)) in expected.regrets.iter().zip(&expected.allowances).zip(bounds).enumerate() {
        holds(&format!("regret {i} at {rates:?}, by Lemma D.1 or D.2"), regret, allowance);
        holds(&format!("regret {i} at {rates:?}, by the theorem's constants"), allowance, bound);
    }
    let slack = expected.telescoped_beta.clone() - &expected.regrets[1];
    assert!(slack >= -q(1, 1 << 20), "β-regret at {rates:?}: {} above Lemma D.1's sum", (-slack).to_f64());
    if !expected.projected {
        assert!(slack <= q(1, 1 << 20), "β-regret at {rates:?}: no projection, yet {} below", slack.to_f64());
    }
    let total = bounds.iter().fold(q(0, 1), |s, b| s + b);
    holds(&format!("suboptimality at {rates:?}"), &expected.suboptimality, &total);
    let figures = |values: &[Q]| values.iter().map(Q::to_f64).collect::<Vec<_>>();
    println!("d = {}, c = {:?}, {rates:?}: {} paths", case.model.shape.dim, case.c, expected.paths);
    println!("    suboptimality {:.4} ≤ {:.4}", expected.suboptimality.to_f64(), total.to_f64());
    let [regrets, allowances, bounds] = [&expected.regrets, &expected.allowances, bounds].map(figures);
    println!("    regrets {regrets:.3?} ≤ {allowances:.3?} ≤ {bounds:.3?}");
}

mod algorithm_1 {
    use super::*;
    use discounted::algorithm::{Algorithm, Observer, OuterStep, Parameters, State};
    use discounted::duality_gap::{Comparators, Iterates, average_suboptimality, beta_star, theta_stars};
    use discounted::estimators::{beta_gradient_estimate, td_error, theta_gradient_estimate, value_estimate};
    use discounted::guarantee::{self, Constants, bound_terms, squared_rates};
    use discounted::lagrangian::{Saddle, theta_of_policy};
    use discounted::regret::{beta_regret, policy_regret, theta_regret};

    #[derive(Default)]
    struct Trace {
        firsts: Vec<f64>,
        thetas: Vec<f64>,
        betas: Vec<f64>,
        sums: Vec<f64>,
        projected: bool,
    }

    impl Observer<f64> for Trace {
        fn begin_outer(&mut self, _: usize, first: &[f64], beta: &[f64], _: &[f64], theta_sum: &[f64]) {
            self.firsts.extend(first);
            self.betas.extend(beta);
            self.sums.extend(theta_sum);
        }

        fn outer_step(&mut self, step: &OuterStep<f64>) {
            self.projected |= step.unprojected != step.beta_next;
            self.thetas.extend(step.theta);
        }
    }

    fn expectations(case: &Case, rates: Rates) -> Expectations {
        let Case { model, c, comparator, .. } = case;
        let (shape, outcomes, mut scratch) = (model.shape, model.outcomes(), model.scratch());
        let (power, weight, features) = (model.power(*c), case.weight(), doubles(&model.features));
        let saddle = Saddle::new(model.mdp(), &power).unwrap();
        let beta = beta_star(&saddle, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let table = FeatureTable::new(shape.actions, shape.dim, &features).unwrap();
        let parameters = Parameters {
            discount: model.discount.to_f64(),
            alpha: rates.alpha,
            eta: rates.eta,
            zeta: rates.zeta,
            radius_theta: case.d_theta.to_f64(),
            radius_beta: case.d_beta.to_f64(),
            inner: rates.inner,
        };
        let algorithm = Algorithm::new(&table, weight.as_deref(), &parameters).unwrap();
        let (theta_0, beta_1) = case.start();
        let (mut expected, mut total) = (Expectations::new(3), q(0, 1));
        for_every_sequence(outcomes.len(), rates.inner * rates.outer, |digits| {
            let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
            let mut state = State::new(shape.actions, shape.dim, &mut buffer).unwrap();
            algorithm.start_at(&mut state, &theta_0, &beta_1).unwrap();
            let mut trace = Trace::default();
            let samples = digits.iter().map(|&i| case.sample(&outcomes[i], 0.0));
            algorithm.run(&mut state, rates.outer, samples, &mut trace).unwrap();

            let [firsts, thetas, betas] =
                [&trace.firsts, &trace.thetas, &trace.betas].map(|v| v.iter().copied().map(exact).collect::<Vec<Q>>());
            let policies = case.policies(rates.alpha, &trace.sums);
            let iterates = Iterates::new(&model.mdp(), &thetas, &betas, &policies).unwrap();
            let stars = theta_stars(&model.mdp(), &iterates, &mut &mut scratch[..]).unwrap().to_vec();
            let comparators = Comparators { policy: comparator, beta: &beta, thetas: &stars };
            let suboptimality = average_suboptimality(&model.mdp(), comparator, &iterates, &mut scratch).unwrap();
            let regrets = [
                theta_regret(&saddle, &iterates, &comparators, &mut scratch).unwrap(),
                beta_regret(&saddle, &iterates, &comparators, &mut scratch).unwrap(),
                policy_regret(&model.mdp(), &iterates, comparator, &mut scratch).unwrap(),
            ];
            assert_eq!(suboptimality, regrets[0].clone() + &regrets[1] + &regrets[2], "Lemma 4.2 on this path");

            let (eta, zeta, t) = (exact(rates.eta), exact(rates.zeta), q(rates.outer as i64, 1));
            let (mut theta_allowance, mut beta_moments) = (q(0, 1), q(0, 1));
            for (i, star) in stars.chunks_exact(shape.dim).enumerate() {
                let distance = square_distance(&firsts[i * shape.dim..(i + 1) * shape.dim], star);
                let moment = theta_moment(case, &outcomes, iterates.policy(i).unwrap(), iterates.beta(i).unwrap());
                theta_allowance += gradient_allowance(&eta, rates.inner, distance, moment);
                beta_moments += beta_moment(case, &outcomes, iterates.policy(i).unwrap(), iterates.theta(i).unwrap());
            }
            let distance = square_distance(&beta, iterates.beta(0).unwrap());
            let allowances = [
                theta_allowance / &t,
                gradient_allowance(&zeta, rates.outer, distance, beta_moments / &t),
                case.policy_allowance(rates, &thetas),
            ];
            let probability = digits.iter().fold(q(1, 1), |p, &i| p * &outcomes[i].probability);
            let last: Vec<Q> = state.beta().iter().copied().map(exact).collect();
            let distance = square_distance(&beta, &last);
            expected.add_last(&probability, &allowances[1], &zeta, rates.outer, distance, trace.projected);
            expected.add(&probability, suboptimality, &regrets, &allowances);
            total += probability;
        });
        assert_eq!(total, q(1, 1), "the probabilities of all paths");
        expected
    }

    /// E‖g̃_θ‖² at (β, π).
    fn theta_moment(case: &Case, outcomes: &[Outcome<Q>], policy: &[Q], beta: &[Q]) -> Q {
        let (model, mut scratch) = (&case.model, case.model.scratch());
        let weighted = times(model.weight(case.c).as_deref(), beta);
        let mut out = zeros(model.shape.dim);
        mean(outcomes, |o| {
            let visit = model.visit(policy, o);
            theta_gradient_estimate(&model.discount, &visit, &weighted, &mut out, &mut scratch).unwrap();
            dot(&out, &out)
        })
    }

    /// E‖g̃_β‖² at (θ, π).
    fn beta_moment(case: &Case, outcomes: &[Outcome<Q>], policy: &[Q], theta: &[Q]) -> Q {
        let (model, mut scratch) = (&case.model, case.model.scratch());
        let weight = model.weight(case.c);
        let mut out = zeros(model.shape.dim);
        mean(outcomes, |o| {
            let visit = model.visit(policy, o);
            let value = value_estimate(visit.next, visit.policy_next, theta, &mut scratch).unwrap();
            let delta = td_error(&model.discount, &model.reward(o), &value, visit.phi, theta).unwrap();
            beta_gradient_estimate(weight.as_deref(), visit.phi, &delta, &mut out).unwrap();
            dot(&out, &out)
        })
    }

    /// The theorem's constants, log|A| from below.
    fn constants(case: &Case) -> Constants<Q> {
        let square = |x: &Q| x.clone() * x;
        Constants {
            discount: case.model.discount.clone(),
            log_actions: log_actions_below(case.model.shape.actions),
            phi_squared: square(&case.d_phi),
            theta_squared: square(&case.d_theta),
            beta_squared: square(&case.d_beta),
            trace: case.trace_power(),
            norm: case.norm_power(),
        }
    }

    /// Lemmas B.1, B.2, B.3, each divided by T: the six terms, taken in pairs.
    fn bounds(case: &Case, rates: Rates) -> Vec<Q> {
        let [alpha, eta, zeta] = [rates.alpha, rates.eta, rates.zeta].map(exact);
        let exact_rates = guarantee::Rates { alpha, eta, zeta };
        let terms = bound_terms(&constants(case), &exact_rates, rates.inner, rates.outer).unwrap();
        [(2, 5), (0, 3), (1, 4)].map(|(first, second)| terms[first].clone() + &terms[second]).to_vec()
    }

    /// The theorem's own learning rates, rounded.
    fn tuned(case: &Case, inner: usize, outer: usize) -> Rates {
        let squares = squared_rates(&constants(case), inner, outer).unwrap();
        let [alpha, eta, zeta] = [squares.alpha, squares.eta, squares.zeta].map(|square| square.to_f64().sqrt());
        Rates { alpha, eta, zeta, xi: 0.0, inner, outer }
    }

    /// D_θ from ‖θ^π‖ over the deterministic policies, which the caller knows to be enough; D_β from ‖β*‖.
    fn case(model: Model<Q>, c: Exponent, norm: Q, d_phi: Q, d_theta_squared: &Q, comparator: Vec<Q>) -> Case {
        let power = model.power(c);
        let saddle = Saddle::new(model.mdp(), &power).unwrap();
        let beta = beta_star(&saddle, &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
        let d_beta = root_above(&dot(&beta, &beta));
        Case { d_theta: root_above(d_theta_squared), model, c, norm, d_phi, d_beta, comparator }
    }

    /// One state, four actions, tabular features, γ = 1/2, μ_B uniform. For r ≥ 0 every q^π is at most q* componentwise, so
    /// ‖q*‖ bounds every ‖θ^π‖.
    fn one_state(c: Exponent) -> Case {
        let model = Model::tabular(
            (1, 4),
            &ratios(8, &[1, 8, 4, 0]),
            &ratios(1, &[1; 4]),
            &[q(1, 1)],
            q(1, 2),
            &ratios(2, &[1; 4]),
        );
        let comparator = ratios(1, &[0, 1, 0, 0]);
        let theta = theta_of_policy(&model.mdp(), &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
        let d_theta_squared = dot(&theta, &theta);
        case(model, c, q(1, 4), q(1, 1), &d_theta_squared, comparator)
    }

    /// Two states, two actions: action 0 stays, action 1 moves, reward for staying in state 1; ν₀ = (3/4, 1/4).
    fn two_states(c: Exponent) -> Case {
        let model = Model::tabular(
            (2, 2),
            &ratios(4, &[1, 0, 4, 0]),
            &ratios(1, &[1, 0, 0, 1, 0, 1, 1, 0]),
            &[q(3, 4), q(1, 4)],
            q(1, 2),
            &ratios(2, &[1; 4]),
        );
        let comparator = ratios(1, &[0, 1, 1, 0]);
        let theta = theta_of_policy(&model.mdp(), &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
        let d_theta_squared = dot(&theta, &theta);
        case(model, c, q(1, 4), q(1, 1), &d_theta_squared, comparator)
    }

    /// Two features for two states and two actions, random transitions. D_θ from (3) with Σ|ψ| (erratum 3).
    fn low_rank(c: Exponent) -> Case {
        let psi = [(q(1, 2), q(1, 4)), (q(1, 2), q(-1, 4))];
        let model = Model::low_rank(
            (2, 2),
            &ratios(1, &[0, 1, -1, 0]),
            &psi,
            (q(1, 2), q(1, 2)),
            &[q(1, 2), q(1, 2)],
            q(1, 2),
            &ratios(8, &[3, 1, 1, 3]),
            &q(1, 2),
            false,
        );
        // ‖ω‖ ≤ 3/4, Σ|ψ| = (1, 1/2) of norm ≤ 9/8: D_θ = 3/4 + 9/4 = 3. ‖φ‖² ≤ 2.
        case(model, c, q(1, 1), root_above(&q(2, 1)), &q(9, 1), ratios(1, &[0, 1, 0, 1]))
    }

    /// The theorem's rates, and rates that are too small and too large by a factor of 16.
    fn sweep(case: &Case, sizes: &[(usize, usize)]) {
        for &(inner, outer) in sizes {
            let tuned = tuned(case, inner, outer);
            for (a, e, z) in [(1.0, 1.0, 1.0), (16.0, 16.0, 16.0), (0.0625, 0.0625, 0.0625), (16.0, 0.0625, 4.0)] {
                let rates = Rates { alpha: tuned.alpha * a, eta: tuned.eta * e, zeta: tuned.zeta * z, ..tuned };
                check(case, rates, &expectations(case, rates), &bounds(case, rates));
            }
        }
    }

    #[test]
    fn theorem_a1_on_one_state() {
        for c in [Exponent::One, Exponent::Half] {
            sweep(&one_state(c), &[(1, 1), (1, 2), (2, 1), (3, 1), (1, 3), (2, 2)]);
        }
    }

    #[test]
    fn theorem_a1_on_two_states() {
        for c in [Exponent::One, Exponent::Half] {
            sweep(&two_states(c), &[(1, 1), (2, 1), (1, 2)]);
        }
    }

    #[test]
    fn theorem_a1_on_two_features() {
        for c in [Exponent::One, Exponent::Half] {
            sweep(&low_rank(c), &[(1, 1), (2, 1), (1, 2)]);
        }
    }

    #[test]
    #[ignore = "minutes: 512 to 4096 paths for each of the rates"]
    fn theorem_a1_on_more_paths() {
        std::thread::scope(|scope| {
            for c in [Exponent::One, Exponent::Half] {
                scope.spawn(move || {
                    sweep(&two_states(c), &[(3, 1), (1, 3), (2, 2), (4, 1), (1, 4)]);
                    sweep(&low_rank(c), &[(3, 1), (1, 3)]);
                });
            }
        });
    }
}

mod algorithm_2 {
    use super::*;
    use average_reward::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
    use average_reward::duality_gap::{Comparators, Iterates, average_suboptimality, beta_star, rho_theta_stars};
    use average_reward::estimators::{
        beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
    };
    use average_reward::guarantee::{self, Constants, bound_terms, squared_rates};
    use average_reward::lagrangian::Saddle;
    use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
    use discounted::estimators::value_estimate;

    /// The iterates, and at each inner step (t, X', A').
    #[derive(Default)]
    struct Trace {
        firsts: Vec<f64>,
        first_rhos: Vec<f64>,
        thetas: Vec<f64>,
        rhos: Vec<f64>,
        betas: Vec<f64>,
        sums: Vec<f64>,
        draws: Vec<(usize, usize, usize)>,
        projected: bool,
    }

    impl Observer<f64> for Trace {
        fn begin_outer(&mut self, _: usize, first: &[f64], rho: &f64, beta: &[f64], _: &[f64], theta_sum: &[f64]) {
            self.firsts.extend(first);
            self.first_rhos.push(*rho);
            self.betas.extend(beta);
            self.sums.extend(theta_sum);
        }

        fn inner_step(&mut self, step: &InnerStep<f64>) {
            self.draws.push((step.t - 1, step.sample.x_next, step.a_next));
        }

        fn outer_step(&mut self, step: &OuterStep<f64>) {
            self.projected |= step.unprojected != step.beta_next;
            self.thetas.extend(step.theta);
            self.rhos.push(*step.rho);
        }
    }

    /// The digits of a sequence index the points (outcome, A') of the inner steps; at the outer steps, which draw no A',
    /// those with A' = 1 are passed over.
    fn expectations(case: &Case, rates: Rates) -> Expectations {
        let Case { model, c, comparator, .. } = case;
        let (shape, mut scratch) = (model.shape, model.scratch());
        assert_eq!(shape.actions, 2, "u = 0 draws the first action, u just below 1 the last");
        // X⁰ plays no part: keep one of its values.
        let outcomes: Vec<_> = model.outcomes().into_iter().filter(|o| o.x0 == 0).collect();
        assert_eq!(model.initial[0], q(1, 1));
        let (power, weight, features, varrho) =
            (model.power(*c), case.weight(), doubles(&model.features), model.varrho());
        let saddle = Saddle::new(model.mdp(), &varrho, &power).unwrap();
        let beta = beta_star(&saddle, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let table = FeatureTable::new(shape.actions, shape.dim, &features).unwrap();
        let parameters = Parameters {
            alpha: rates.alpha,
            eta: rates.eta,
            zeta: rates.zeta,
            xi: rates.xi,
            radius_theta: case.d_theta.to_f64(),
            radius_beta: case.d_beta.to_f64(),
            inner: rates.inner,
        };
        let algorithm = Algorithm::new(&table, weight.as_deref(), &parameters).unwrap();
        let block = rates.inner + 1;
        let (theta_0, beta_1) = case.start();
        let (mut expected, mut total) = (Expectations::new(4), q(0, 1));
        for_every_sequence(2 * outcomes.len(), block * rates.outer, |digits| {
            if digits.iter().enumerate().any(|(i, d)| i % block == rates.inner && d % 2 == 1) {
                return;
            }
            let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
            let mut state = State::new(shape.actions, shape.dim, &mut buffer).unwrap();
            algorithm.start_at(&mut state, &theta_0, 0.25, &beta_1).unwrap();
            let mut trace = Trace::default();
            let u = |d: usize| if d.is_multiple_of(2) { 0.0 } else { 1.0 - f64::EPSILON };
            let samples = digits.iter().map(|&d| case.sample(&outcomes[d / 2], u(d)));
            algorithm.run(&mut state, rates.outer, samples, &mut trace).unwrap();

            let [firsts, first_rhos, thetas, rhos, betas] =
                [&trace.firsts, &trace.first_rhos, &trace.thetas, &trace.rhos, &trace.betas]
                    .map(|v| v.iter().copied().map(exact).collect::<Vec<Q>>());
            let policies = case.policies(rates.alpha, &trace.sums);
            let mut probability = digits.iter().fold(q(1, 1), |p, &d| p * &outcomes[d / 2].probability);
            let inner_digits = digits.iter().enumerate().filter(|(i, _)| i % block != rates.inner);
            for ((t, x, a), (_, digit)) in trace.draws.iter().zip(inner_digits) {
                assert_eq!(*a, digit % 2, "the draw that was asked for");
                probability = probability * &policies[t * shape.pairs() + shape.pair(*x, *a)];
            }
            let iterates = Iterates::new(&model.mdp(), &rhos, &thetas, &betas, &policies).unwrap();
            let (rho_stars, theta_stars) = rho_theta_stars(&saddle, &iterates, &mut &mut scratch[..]).unwrap();
            let (rho_stars, theta_stars) = (rho_stars.to_vec(), theta_stars.to_vec());
            for star in theta_stars.chunks_exact(shape.dim) {
                assert!(dot(star, star) <= case.d_theta.clone() * &case.d_theta, "θ* in the ball (erratum 13)");
            }
            let comparators = Comparators { policy: comparator, beta: &beta, rhos: &rho_stars, thetas: &theta_stars };
            let suboptimality = average_suboptimality(&model.mdp(), comparator, &iterates, &mut scratch).unwrap();
            let regrets = [
                theta_regret(&saddle, &iterates, &comparators, &mut scratch).unwrap(),
                beta_regret(&saddle, &iterates, &comparators, &mut scratch).unwrap(),
                policy_regret(&model.mdp(), &iterates, comparator, &mut scratch).unwrap(),
                rho_regret(&saddle, &iterates, &comparators, &mut scratch).unwrap(),
            ];
            let sum = regrets.iter().fold(q(0, 1), |s, r| s + r);
            assert_eq!(suboptimality, sum, "Lemmas C.3 and C.4 on this path");

            let (t, [eta, zeta, xi]) = (q(rates.outer as i64, 1), [rates.eta, rates.zeta, rates.xi].map(exact));
            let (mut theta_allowance, mut rho_allowance, mut beta_moments) = (q(0, 1), q(0, 1), q(0, 1));
            for (i, star) in theta_stars.chunks_exact(shape.dim).enumerate() {
                let distance = square_distance(&firsts[i * shape.dim..(i + 1) * shape.dim], star);
                let [theta, rho] =
                    inner_moments(case, &outcomes, iterates.policy(i).unwrap(), iterates.beta(i).unwrap());
                theta_allowance += gradient_allowance(&eta, rates.inner, distance, theta);
                let distance = square_distance(&first_rhos[i..=i], &rho_stars[i..=i]);
                rho_allowance += gradient_allowance(&xi, rates.inner, distance, rho);
                beta_moments += beta_moment(
                    case,
                    &outcomes,
                    iterates.policy(i).unwrap(),
                    iterates.theta(i).unwrap(),
                    iterates.rho(i).unwrap(),
                );
            }
            let allowances = [
                theta_allowance / &t,
                gradient_allowance(
                    &zeta,
                    rates.outer,
                    square_distance(&beta, iterates.beta(0).unwrap()),
                    beta_moments / &t,
                ),
                case.policy_allowance(rates, &thetas),
                rho_allowance / &t,
            ];
            let last: Vec<Q> = state.beta().iter().copied().map(exact).collect();
            let distance = square_distance(&beta, &last);
            expected.add_last(&probability, &allowances[1], &zeta, rates.outer, distance, trace.projected);
            expected.add(&probability, suboptimality, &regrets, &allowances);
            total += probability;
        });
        assert_eq!(total, q(1, 1), "the probabilities of all paths");
        expected
    }

    /// E‖g̃_θ‖² and E g̃_ρ² at (β, π).
    fn inner_moments(case: &Case, outcomes: &[Outcome<Q>], policy: &[Q], beta: &[Q]) -> [Q; 2] {
        let model = &case.model;
        let weighted = times(model.weight(case.c).as_deref(), beta);
        let mut out = zeros(model.shape.dim);
        let theta = mean(outcomes, |o| {
            let visit = model.visit(policy, o);
            let mut mean = q(0, 1);
            for (phi_next, p) in visit.next.chunks_exact(model.shape.dim).zip(visit.policy_next) {
                theta_gradient_estimate(visit.phi, phi_next, &weighted, &mut out).unwrap();
                mean += dot(&out, &out) * p;
            }
            mean
        });
        let rho = mean(outcomes, |o| {
            let g = rho_gradient_estimate(model.visit(policy, o).phi, &weighted).unwrap();
            g.clone() * g
        });
        [theta, rho]
    }

    /// E‖g̃_β‖² at (θ, ρ, π).
    fn beta_moment(case: &Case, outcomes: &[Outcome<Q>], policy: &[Q], theta: &[Q], rho: &Q) -> Q {
        let (model, mut scratch) = (&case.model, case.model.scratch());
        let weight = model.weight(case.c);
        let mut out = zeros(model.shape.dim);
        mean(outcomes, |o| {
            let visit = model.visit(policy, o);
            let value = value_estimate(visit.next, visit.policy_next, theta, &mut scratch).unwrap();
            let delta = td_error(&model.reward(o), &value, visit.phi, theta, rho).unwrap();
            beta_gradient_estimate(weight.as_deref(), visit.phi, &delta, &mut out).unwrap();
            dot(&out, &out)
        })
    }

    /// The theorem's constants, log|A| from below.
    fn constants(case: &Case) -> Constants<Q> {
        let square = |x: &Q| x.clone() * x;
        Constants {
            log_actions: log_actions_below(case.model.shape.actions),
            phi_squared: square(&case.d_phi),
            theta_squared: square(&case.d_theta),
            phi_theta: case.d_phi.clone() * &case.d_theta,
            beta_squared: square(&case.d_beta),
            trace: case.trace_power(),
            norm: case.norm_power(),
        }
    }

    /// Lemma C.7, C.5, B.3 and C.6, as Theorem C.1 adds them up: the eight terms, taken in pairs.
    fn bounds(case: &Case, rates: Rates) -> Vec<Q> {
        let [alpha, eta, zeta, xi] = [rates.alpha, rates.eta, rates.zeta, rates.xi].map(exact);
        let exact_rates = guarantee::Rates { alpha, eta, zeta, xi };
        let terms = bound_terms(&constants(case), &exact_rates, rates.inner, rates.outer).unwrap();
        [(3, 7), (0, 4), (1, 5), (2, 6)].map(|(first, second)| terms[first].clone() + &terms[second]).to_vec()
    }

    /// Two states, two actions, tabular, every policy unichain: action 0 goes to state 0 or 1 with even chance, action 1 to
    /// state 1; the reward is for action 1 in state 1.
    fn two_states(c: Exponent) -> Case {
        let model = Model::tabular(
            (2, 2),
            &ratios(4, &[1, 0, 0, 4]),
            &ratios(2, &[1, 1, 0, 2, 1, 1, 0, 2]),
            &[q(1, 1), q(0, 1)],
            q(0, 1),
            &ratios(2, &[1; 4]),
        );
        case(model, c, q(1, 4), ratios(1, &[0, 1, 0, 1]))
    }

    /// D_θ = √d·D_q for tabular features: Lemma C.3's θ* has components in [0, D_q]. D_β from ‖β*‖.
    fn case(model: Model<Q>, c: Exponent, norm: Q, comparator: Vec<Q>) -> Case {
        let (mdp, mut table) = (model.mdp(), model.scratch());
        let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
        let span = average_reward::unichain::span_bound(&tabular, &mut model.scratch()).unwrap();
        let (power, varrho) = (model.power(c), model.varrho());
        let saddle = Saddle::new(mdp, &varrho, &power).unwrap();
        let beta = beta_star(&saddle, &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
        let d_beta = root_above(&dot(&beta, &beta));
        let d_theta = root_above(&(q(model.shape.dim as i64, 1) * &span * &span));
        Case { d_theta, c, norm, d_phi: q(1, 1), d_beta, comparator, model: model.clone() }
    }

    /// One state, two actions: the smallest model with a choice. Λ^{−1/2} is not dyadic, so c = 1 alone.
    fn one_state() -> Case {
        let model =
            Model::tabular((1, 2), &ratios(4, &[1, 4]), &ratios(1, &[1; 2]), &[q(1, 1)], q(0, 1), &[q(3, 5), q(4, 5)]);
        case(model, Exponent::One, q(16, 25), ratios(1, &[0, 1]))
    }

    /// The theorem's rates, and rates that are too small and too large by a factor of 16.
    fn sweep(case: &Case, sizes: &[(usize, usize)]) {
        for &(inner, outer) in sizes {
            for (s, u) in [(1.0, 1.0), (16.0, 16.0), (0.0625, 0.0625), (16.0, 0.0625)] {
                at_rates(case, inner, outer, s, u);
            }
        }
    }

    /// At the theorem's rates, α and ζ times s, η and ξ times u.
    fn at_rates(case: &Case, inner: usize, outer: usize, s: f64, u: f64) {
        let squares = squared_rates(&constants(case), inner, outer).unwrap();
        let [alpha, eta, zeta, xi] =
            [squares.alpha, squares.eta, squares.zeta, squares.xi].map(|square| square.to_f64().sqrt());
        let rates = Rates { alpha: alpha * s, eta: eta * u, zeta: zeta * s, xi: xi * u, inner, outer };
        check(case, rates, &expectations(case, rates), &bounds(case, rates));
    }

    #[test]
    fn theorem_c1_on_one_state() {
        sweep(&one_state(), &[(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (1, 3)]);
    }

    #[test]
    fn theorem_c1_on_two_states() {
        for c in [Exponent::One, Exponent::Half] {
            sweep(&two_states(c), &[(1, 1), (2, 1)]);
        }
    }

    #[test]
    fn theorem_c1_on_two_states_for_two_outer_iterations() {
        at_rates(&two_states(Exponent::One), 1, 2, 1.0, 1.0);
    }

    #[test]
    #[ignore = "minutes: 5184 to 10368 paths for each of the rates"]
    fn theorem_c1_on_more_paths() {
        for c in [Exponent::One, Exponent::Half] {
            sweep(&two_states(c), &[(1, 2), (3, 1)]);
        }
    }
}
