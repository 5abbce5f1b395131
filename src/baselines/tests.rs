//! Each method where its answer is known exactly: on data whose frequencies are the model's own. What is compared
//! differs by roundings, which were seen to leave up to 2·10⁻¹⁴ (5·10⁻⁷ of λ = 10⁹): a hundred times that is allowed.

mod rates;

use super::*;
use crate::instances;
use crate::linear::vector::inner;
use crate::paper::discounted::duality_gap::occupancy_of;
use crate::paper::discounted::lagrangian::theta_of_policy;
use crate::paper::mdp::{LinearMdp, Mdp, Shape, normalised_return, optimal_policy, state_value};
use crate::paper::samples::Sample;
use crate::sampler::Sampler;

/// An embedded instance in doubles.
struct Known {
    shape: Shape,
    features: Vec<f64>,
    omega: Vec<f64>,
    psi: Vec<f64>,
    initial: Vec<f64>,
    discount: f64,
    behavior: Vec<f64>,
}

/// Instances whose behaviour policy sees every pair.
fn known() -> Vec<Known> {
    let all = instances::all().iter().map(|instance| {
        let owned = instance.to_owned::<f64>().unwrap();
        Known {
            shape: owned.shape,
            features: owned.features,
            omega: owned.omega,
            psi: owned.psi,
            initial: owned.initial,
            discount: owned.discount,
            behavior: owned.behavior,
        }
    });
    let seen: Vec<Known> = all.filter(|known| known.occupancy(&known.behavior).iter().all(|mu| *mu > 1e-9)).collect();
    assert!(seen.len() > 2);
    seen
}

impl Known {
    fn mdp(&self) -> LinearMdp<'_, f64> {
        LinearMdp::unvalidated(self.shape, &self.features, &self.omega, &self.psi, &self.initial, &self.discount)
            .unwrap()
    }

    fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.shape.scratch()]
    }

    fn occupancy(&self, policy: &[f64]) -> Vec<f64> {
        occupancy_of(&self.mdp(), policy, &mut &mut self.scratch()[..]).unwrap().to_vec()
    }

    fn theta(&self, policy: &[f64]) -> Vec<f64> {
        theta_of_policy(&self.mdp(), policy, &mut &mut self.scratch()[..]).unwrap().to_vec()
    }

    fn tables(&self) -> (Vec<f64>, Vec<f64>) {
        let mut scratch = self.scratch();
        let reward = self.mdp().reward(&mut &mut scratch[..]).unwrap().to_vec();
        (reward, self.mdp().transition(&mut &mut scratch[..]).unwrap().to_vec())
    }

    /// The tabular model, handed to `ask`.
    fn ask<R>(&self, ask: impl FnOnce(&Mdp<'_, f64>, &mut &mut [f64]) -> R) -> R {
        let (reward, transition) = self.tables();
        let (states, actions) = (self.shape.states, self.shape.actions);
        let mdp = Mdp::unvalidated(states, actions, &reward, &transition, &self.initial, &self.discount).unwrap();
        ask(&mdp, &mut &mut self.scratch()[..])
    }

    fn value(&self, policy: &[f64]) -> f64 {
        self.ask(|mdp, scratch| normalised_return(mdp, state_value(mdp, policy, scratch).unwrap()).unwrap())
    }

    fn optimal(&self) -> (Vec<f64>, Vec<f64>) {
        self.ask(|mdp, scratch| {
            let (policy, v) = optimal_policy(mdp, scratch).unwrap();
            (policy.to_vec(), v.to_vec())
        })
    }

    /// So many rows, with exactly the frequencies of μ_B and P.
    fn exact(&self, rows: usize) -> Batch<'_> {
        let (reward, transition) = self.tables();
        let n = rows as f64;
        let counts: Vec<f64> = self.occupancy(&self.behavior).iter().map(|mu| mu * n).collect();
        let states = self.shape.states;
        let cells = (0..self.shape.pairs()).flat_map(|pair| (0..states).map(move |next| (pair, next)));
        let cell = |(pair, next): (usize, usize)| {
            let (count, r) = (counts[pair] * transition[pair * states + next], reward[pair]);
            Cell { pair, next, count, reward: count * r, reward_squared: count * r * r }
        };
        let cells = cells.map(cell).filter(|cell| cell.count > 0.0).collect();
        let starts = self.initial.iter().map(|nu| nu * n).collect();
        let (features, phi) = (&self.features[..], Features::new(&self.features, self.shape.dim));
        Batch { shape: self.shape, features, phi, discount: self.discount, rows, cells, starts, counts }
    }
}

const ROUNDING: f64 = 2e-12;

fn near(a: &[f64], b: &[f64], tolerance: f64) {
    let far = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(a.len() == b.len() && far <= tolerance, "{far}: {a:?} and {b:?}");
}

#[test]
fn a_batch_is_what_its_rows_say() {
    let row = |x0, x, a, r, x_next| Sample { x0, x, a, r, x_next, u: 0.0 };
    let rows = [row(1, 0, 1, 0.5, 1), row(1, 0, 1, 0.25, 1), row(0, 1, 0, 1.0, 0), row(1, 0, 1, 1.0, 0)];
    let shape = Shape { states: 2, actions: 2, dim: 2 };
    let features = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0];
    let batch = Batch::new(shape, &features, 0.5, &rows).unwrap();
    assert_eq!((&batch.starts[..], &batch.counts[..]), (&[1.0, 3.0][..], &[0.0, 3.0, 1.0, 0.0][..]));
    let cell = |pair, next, count, reward, reward_squared| Cell { pair, next, count, reward, reward_squared };
    let expected = [cell(1, 0, 1.0, 1.0, 1.0), cell(1, 1, 2.0, 0.75, 0.3125), cell(2, 0, 1.0, 1.0, 1.0)];
    assert_eq!(batch.cells, expected);
    assert!(matches!(&batch.phi, Features::OneHot(ones) if ones[..] == [(0, 1.0), (1, 2.0), (0, 0.0), (0, 1.0)]));
    let two = [1.0, 0.0, 0.5, 2.0, 0.0, 0.0, 1.0, 0.0];
    assert!(matches!(Features::new(&two, 2), Features::Rows(..)));
}

#[test]
fn lstdq_is_the_exact_theta_and_return() {
    for model in known() {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        for policy in [uniform(rows.batch()), model.optimal().0] {
            let estimate = rows.estimate(&policy).unwrap();
            near(&estimate.theta, &model.theta(&policy), ROUNDING);
            near(&[estimate.value], &[model.value(&policy)], ROUNDING);
            near(&[estimate.mass], &[1.0], ROUNDING);
        }
    }
}

/// The standard error is what estimates of independent samples scatter by.
#[test]
fn the_standard_error_is_the_scatter() {
    let model = &known()[0];
    let policy = model.optimal().0;
    let estimates: Vec<Estimate> = (0..40)
        .map(|seed| {
            let sampler = model.ask(|mdp, _| Sampler::discounted(mdp, &model.behavior, seed).unwrap());
            let rows: Vec<_> = sampler.take(4000).collect();
            let batch = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
            Evaluator::new(batch, 0.0).estimate(&policy).unwrap()
        })
        .collect();
    let truth = model.value(&policy);
    let scatter = (estimates.iter().map(|e| (e.value - truth).powi(2)).sum::<f64>() / 40.0).sqrt();
    let error = estimates.iter().map(|e| e.error).sum::<f64>() / 40.0;
    assert!((0.6..1.6).contains(&(scatter / error)), "scatter {scatter}, standard error {error}");
}

#[test]
fn fqi_ends_at_its_fixed_point_and_lspi_at_an_optimal_policy() {
    for model in known() {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        let (best, v) = model.optimal();
        let theta = fqi_theta(&rows, 2000).unwrap();
        let values: Vec<f64> = (0..model.shape.states)
            .map(|x| {
                let q = |a| rows.batch().phi.inner(x * model.shape.actions + a, &theta);
                (0..model.shape.actions).map(q).fold(f64::NEG_INFINITY, f64::max)
            })
            .collect();
        near(&values, &v, ROUNDING);
        near(&[model.value(&fqi(&rows, 2000).unwrap())], &[model.value(&best)], ROUNDING);
        near(&[model.value(&lspi(&rows, 100).unwrap().0)], &[model.value(&best)], ROUNDING);
    }
}

#[test]
fn vi_lcb_without_a_penalty_is_value_iteration() {
    for model in known() {
        let (reward, transition) = model.tables();
        let Shape { states, actions, .. } = model.shape;
        let mut v = vec![0.0; states];
        for iterations in 0..6 {
            near(&vi_lcb(&model.exact(1 << 20), iterations, 0.0).value, &v, ROUNDING);
            let q = |pair: usize| {
                reward[pair] + model.discount * (0..states).map(|y| transition[pair * states + y] * v[y]).sum::<f64>()
            };
            v = (0..states).map(|x| (0..actions).map(|a| q(x * actions + a)).fold(0.0, f64::max)).collect();
        }
        // Written out once more: the larger of the iterate before and max_a r − b + γPv, b = cV_max√(L/N).
        let (rows, c, iterations) = (model.exact(1 << 20), 0.01, 7_u32);
        let level = (2.0 * f64::from(iterations + 1) * (states * actions) as f64 / 0.01).ln();
        let mut v = vec![0.0; states];
        for _ in 0..iterations {
            let q = |pair: usize| {
                let ahead = (0..states).map(|y| transition[pair * states + y] * v[y]).sum::<f64>();
                let penalty = c / (1.0 - model.discount) * (level / rows.counts[pair].max(1.0)).sqrt();
                reward[pair] - penalty + model.discount * ahead
            };
            v = (0..states).map(|x| (0..actions).map(|a| q(x * actions + a)).fold(v[x], f64::max)).collect();
        }
        near(&vi_lcb(&rows, iterations as usize, c).value, &v, ROUNDING);
        let plain = vi_lcb(&rows, iterations as usize, 0.0).value;
        assert!(
            v != plain && v.iter().zip(&plain).all(|(low, plain)| low <= plain),
            "a penalty raises no value and lowers some"
        );
    }
}

/// At λ = Φᵀμ^π the occupancy update stands still, and at θ^π the gradient of λ is 0.
#[test]
fn fogas_stands_still_at_a_policy() {
    for model in known() {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        let occupancy = Occupancy::new(&rows).unwrap();
        for policy in [uniform(rows.batch()), model.optimal().0] {
            let mut lambda = vec![0.0; model.shape.dim];
            for (pair, mu) in model.occupancy(&policy).iter().enumerate() {
                rows.batch().phi.add(pair, *mu, &mut lambda);
            }
            near(&occupancy.of_policy(&lambda, &policy), &lambda, ROUNDING);
            near(&occupancy.gradient(&model.theta(&policy), &policy), &vec![0.0; model.shape.dim], ROUNDING);
        }
    }
}

/// FOGAS written out once more, with the model's own ψ and ω: what least squares find where the frequencies are the model's own.
#[test]
fn fogas_is_the_recursion_written_out() {
    for model in known() {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        let Shape { states, actions, dim } = model.shape;
        let (alpha, eta, rho, radius, gamma) = (0.3, 0.2, 0.7, 1.5, model.discount);
        let phi = |pair: usize| &model.features[pair * dim..][..dim];
        let mu_b = model.occupancy(&model.behavior);
        let (mut lambda, mut sum) = (vec![0.0; dim], vec![0.0; dim]);
        let policy_of = |sum: &[f64]| -> Vec<f64> {
            let weight = |pair: usize| (alpha * inner(phi(pair), sum)).exp();
            let total = |pair: usize| (0..actions).map(|a| weight(pair / actions * actions + a)).sum::<f64>();
            (0..states * actions).map(|pair| weight(pair) / total(pair)).collect()
        };
        for iterations in 1..4 {
            let policy = policy_of(&sum);
            let mut slope: Vec<f64> = lambda.iter().map(|lambda| -lambda).collect();
            for pair in 0..states * actions {
                let x = pair / actions;
                let arrives = inner(&model.psi[x * dim..][..dim], &lambda);
                let mu = policy[pair] * ((1.0 - gamma) * model.initial[x] + gamma * arrives);
                slope.iter_mut().zip(phi(pair)).for_each(|(slope, phi)| *slope += mu * phi);
            }
            let length = inner(&slope, &slope).sqrt();
            let theta: Vec<f64> = slope.iter().map(|slope| -radius * slope / length).collect();
            let value =
                |x: usize| (x * actions..(x + 1) * actions).map(|pair| policy[pair] * inner(phi(pair), &theta)).sum();
            let values: Vec<f64> = (0..states).map(value).collect();
            let ahead = |i: usize| (0..states).map(|x| model.psi[x * dim + i] * values[x]).sum::<f64>();
            let error: Vec<f64> = (0..dim).map(|i| model.omega[i] + gamma * ahead(i) - theta[i]).collect();
            let mut step = vec![0.0; dim];
            for (pair, mu) in mu_b.iter().enumerate() {
                step.iter_mut().zip(phi(pair)).for_each(|(step, f)| *step += mu * f * inner(phi(pair), &error));
            }
            for i in 0..dim {
                lambda[i] = (lambda[i] + eta * step[i]) / (1.0 + rho * eta);
                sum[i] += theta[i];
            }
            let found = fogas(&rows, &Steps { iterations, alpha, eta, rho, radius }).unwrap();
            near(&found, &policy_of(&sum), ROUNDING);
        }
    }
}

/// The actor's third policy is the softmax of the first two critics' sum.
#[test]
fn actors_add_up_their_critics() {
    let mut moved = 0;
    for (model, kind) in known().iter().flat_map(|model| [(model, Critic::Absolute), (model, Critic::Relative)]) {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        let weights = Weights { iterations: 2, consistency: 10.0, step: 0.3 };
        let first = critic(&rows, kind, &uniform(rows.batch()), &weights).unwrap();
        let second = critic(&rows, kind, &softmax(rows.batch(), 0.3, &first).unwrap(), &weights).unwrap();
        let sum: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first + second).collect();
        near(&actor_critic(&rows, kind, &weights).unwrap(), &softmax(rows.batch(), 0.3, &sum).unwrap(), ROUNDING);
        moved += usize::from(first != second);
    }
    assert!(moved > 5, "the critics do not see their policies");
}

/// At the critic's θ the gradient of what it minimises is 0, and the more the Bellman error counts the nearer it is to q^π.
#[test]
fn critics_are_where_their_gradient_is_zero_and_the_value_where_only_consistency_counts() {
    for model in known() {
        let rows = Evaluator::new(model.exact(1 << 20), 0.0);
        let (policy, dim) = (uniform(rows.batch()), model.shape.dim);
        let theta = model.theta(&policy);
        let (reward, transition) = model.tables();
        let (mu, states) = (model.occupancy(&model.behavior), model.shape.states);
        // The model's own: φ of a pair, E_ν0 φ_π, and the mean over μ_B of φ(φ − γφ_π(x'))ᵀ, φφᵀ and φr.
        let phi = |pair: usize| nalgebra::DVector::from_column_slice(&model.features[pair * dim..][..dim]);
        let actions = model.shape.actions;
        let of = |x: usize| {
            (0..actions).map(|a| phi(x * actions + a) * policy[x * actions + a]).sum::<nalgebra::DVector<f64>>()
        };
        let (mut a, mut gram) = (nalgebra::DMatrix::zeros(dim, dim), nalgebra::DMatrix::zeros(dim, dim));
        let (mut b, mut relative) = (nalgebra::DVector::zeros(dim), nalgebra::DVector::zeros(dim));
        for (pair, mu) in mu.iter().enumerate() {
            let ahead: nalgebra::DVector<f64> = (0..states).map(|y| of(y) * transition[pair * states + y]).sum();
            a += phi(pair) * (phi(pair) - ahead * model.discount).transpose() * *mu;
            gram += phi(pair) * phi(pair).transpose() * *mu;
            b += phi(pair) * (mu * reward[pair]);
            relative += (of(pair / actions) - phi(pair)) * *mu;
        }
        let absolute: nalgebra::DVector<f64> = model.initial.iter().enumerate().map(|(x, nu)| of(x) * *nu).sum();
        for (kind, g) in [(Critic::Absolute, absolute), (Critic::Relative, relative)] {
            for consistency in [1.0, 30.0, 1e9] {
                let weights = Weights { iterations: 1, consistency, step: 1.0 };
                let found = nalgebra::DVector::from_vec(critic(&rows, kind, &policy, &weights).unwrap());
                let error = gram.clone().lu().solve(&(&a * &found - &b)).unwrap();
                let gradient = &g + a.transpose() * error * (2.0 * consistency);
                near(gradient.as_slice(), &vec![0.0; dim], ROUNDING * consistency);
                assert!(
                    consistency > 1e8
                        || g.norm() < 1e-9
                        || (&found - nalgebra::DVector::from_column_slice(&theta)).norm() > 1e-3
                );
                if consistency > 1e8 {
                    // What is left of (n/2λ)A⁻¹NA⁻ᵀg, of the order of 100/λ here.
                    near(found.as_slice(), &theta, 1e-5);
                }
            }
        }
    }
}

/// Features of one component give the same answers by states, in a diagonal and in full.
#[test]
fn one_hot_features_change_no_answer() {
    let mut tabular = 0;
    for mut model in known() {
        let sampler = model.ask(|mdp, _| Sampler::discounted(mdp, &model.behavior, 5).unwrap());
        let drawn: Vec<_> = sampler.take(500).collect();
        // Not all of one length.
        let dim = model.shape.dim;
        model.features.iter_mut().enumerate().for_each(|(index, phi)| *phi *= 1.0 + (index % dim) as f64 / 4.0);
        let batch = Batch::new(model.shape, &model.features, model.discount, &drawn).unwrap();
        let mut full = batch.clone();
        full.phi = Features::Rows(&model.features, dim);
        let (rows, full) = (Evaluator::new(batch, 1.0), Evaluator::new(full, 1.0));
        tabular += usize::from(rows.by_states().is_some());
        assert!(full.by_states().is_none());
        let theta: Vec<f64> = (0..dim).map(|i| ((7 * i) % 5) as f64 / 3.0).collect();
        let policy = softmax(rows.batch(), 0.7, &theta).unwrap();
        let (one, other) = (rows.estimate(&policy).unwrap(), full.estimate(&policy).unwrap());
        near(&one.theta, &other.theta, ROUNDING);
        near(&[one.value, one.error, one.mass], &[other.value, other.error, other.mass], ROUNDING);
        near(&fqi_theta(&rows, 40).unwrap(), &fqi_theta(&full, 40).unwrap(), ROUNDING);
        for kind in [Critic::Absolute, Critic::Relative] {
            let weights = Weights { iterations: 1, consistency: 10.0, step: 1.0 };
            let both = [&rows, &full].map(|rows| critic(rows, kind, &policy, &weights).unwrap());
            near(&both[0], &both[1], ROUNDING);
        }
        let both = [&rows, &full].map(|rows| Occupancy::new(rows).unwrap());
        let [one, other] = both.each_ref().map(|occupancy| occupancy.of_policy(&theta, &policy));
        near(&one, &other, ROUNDING);
        let [one, other] = both.each_ref().map(|occupancy| occupancy.gradient(&theta, &policy));
        near(&one, &other, ROUNDING);
    }
    assert!(tabular > 0, "no instance is solved by states");
}

#[test]
fn a_search_finds_the_better_candidate_and_is_its_seed() {
    let model = &known()[0];
    let sampler = model.ask(|mdp, _| Sampler::discounted(mdp, &model.behavior, 3).unwrap());
    let rows: Vec<_> = sampler.take(3000).collect();
    let plan = Plan { candidates: 6, splits: 2, seed: 1, threads: 1 };
    let splits = plan.split(&rows);
    assert_eq!(splits[0].learn.len() + splits[0].judge.len(), rows.len());
    assert_ne!(splits[0], splits[1]);
    let whole = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
    let judges = Plan::judges(&splits, &whole).unwrap();
    let (best, even) = (model.optimal().0, uniform(&whole));
    let mut runs = 0;
    let mut learn = |points: &[[f64; 6]], _: &[Sample<f64>], _| {
        runs += points.len();
        let policy = |point: &[f64; 6]| if point[0] > 0.5 { best.clone() } else { even.clone() };
        points.iter().map(|point| Some(Learnt { policy: policy(point), path: Vec::new() })).collect()
    };
    let found = search(&plan, (&splits, &judges), &mut learn).unwrap();
    assert_eq!(found, search(&plan, (&splits, &judges), &mut learn).unwrap());
    assert!(found.ranking[0].candidate[0] > 0.5 && found.ranking.len() == 6);
    assert_eq!((runs, found.finalists), (2 * plan.runs(), plan.finalists()));
    // Three on a quarter of the rows, of which one goes on; three from its neighbourhood; four finalists.
    assert_eq!((plan.runs(), found.ranking.iter().filter(|scored| scored.whole).count()), (11, 4));
    assert!(found.ranking[..4].iter().all(|scored| scored.whole && scored.estimates.len() == 2));
    for scored in &found.ranking {
        let c = Candidate::from_unit(scored.candidate, whole.shape, whole.features, whole.discount, rows.len());
        assert!(c.inner >= 2 && c.alpha > 0.0 && c.radius_beta > 0.0);
    }
}
