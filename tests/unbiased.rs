//! S4.unbiased-mu, S4.unbiased-theta, B.unbiased-beta and the first claims of Lemmas C.5–C.7: every estimator's expectation,
//! an exact sum over the finite sample space, equals the gradient it estimates, residual zero.
//!
//! Each residual is affine in β, in θ and ρ, in the rewards, and in the policy. It is checked at an affine frame of each
//! (0 and the unit vectors; the deterministic policies), so on every model below the equality is proved for all real
//! arguments and all policies; one more point in general position tests the affinity itself.

// Dimensions and counts here have one digit.
#![allow(clippy::cast_possible_wrap, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod support;

use offline_primal_dual::instances;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::rational::Rational64 as Q;
use offline_primal_dual::paper::{average_reward, discounted};
use support::{Model, Outcome, affine_frame, dot, expectation, policies, ratios, times, zeros};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

/// Every tabular MDP with two states and two actions whose transition rows lie on {0, 1/2, 1}, with μ_B = (1, 9, 9, 81)/100 or
/// uniform; the rewards are in general position, the residuals being affine in them.
fn tabular_models() -> Vec<Model<Q>> {
    let mut models = Vec::new();
    for code in 0..81_i64 {
        let stays = |pair| code / 3_i64.pow(pair) % 3;
        let transition: Vec<Q> = (0..4).flat_map(|pair| [q(stays(pair), 2), q(2 - stays(pair), 2)]).collect();
        for discount in [q(0, 1), q(1, 2), q(9, 10)] {
            for root_mu_b in [ratios(10, &[1, 3, 3, 9]), ratios(2, &[1, 1, 1, 1])] {
                let reward = [q(1, 3), q(0, 1), q(4, 5), q(1, 1)];
                models.push(Model::tabular((2, 2), &reward, &transition, &[q(1, 4), q(3, 4)], discount, &root_mu_b));
            }
        }
    }
    models
}

/// Two features for four or six state-action pairs: the coordinate s on {−1, 0, 1}, the transition law moved along it, with
/// and without a rotation that makes Λ full.
fn low_rank_models() -> Vec<Model<Q>> {
    let mut models = Vec::new();
    // E s = 0 and E s² = 1 or 1/4 under μ_B, so that Λ^{1/2} is rational.
    let spreads =
        [([1, -1, -1, 1], ratios(8, &[1, 1, 3, 3]), q(1, 1)), ([0, 1, -1, 0], ratios(8, &[3, 1, 1, 3]), q(1, 2))];
    for (s, mu_b, spread) in &spreads {
        let s: Vec<Q> = ratios(1, s);
        for k in -2..=2 {
            for w in [-1, 0, 1] {
                for (rotated, discount) in [(false, q(1, 2)), (true, q(9, 10)), (true, q(0, 1))] {
                    let psi = [(q(1, 2), q(k, 4)), (q(1, 2), q(-k, 4))];
                    let initial = [q(2, 3), q(1, 3)];
                    let omega = (q(1, 2), q(w, 2));
                    models.push(Model::low_rank((2, 2), &s, &psi, omega, &initial, discount, mu_b, spread, rotated));
                }
            }
        }
    }
    models
}

/// The estimators on one model, one policy and one c.
struct Setting<'a, T> {
    model: &'a Model<T>,
    policy: &'a [T],
    outcomes: &'a [Outcome<T>],
    weight: Option<&'a [T]>,
}

impl<T: Field> Setting<'_, T> {
    /// E μ_{t,k}, on X×A.
    fn mean_occupancy(&self, beta: &[T]) -> Vec<T> {
        let Model { shape, discount, .. } = self.model;
        let weighted = times(self.weight, beta);
        expectation(self.outcomes, shape.pairs(), |o| {
            let visit = self.model.visit(self.policy, o);
            let (start, next) = (visit.policy_start, visit.policy_next);
            let (mut at_start, mut at_next) = (zeros::<T>(shape.actions), zeros::<T>(shape.actions));
            let w = dot(visit.phi, &weighted);
            discounted::estimators::occupancy_estimate(discount, start, next, &w, &mut at_start, &mut at_next).unwrap();
            let mut mu: Vec<T> = zeros(shape.pairs());
            for a in 0..shape.actions {
                mu[shape.pair(o.x0, a)] += at_start[a].clone();
                mu[shape.pair(o.x_next, a)] += at_next[a].clone();
            }
            mu
        })
    }

    /// E g̃_θ, in the proof's form or in print's.
    fn mean_theta_gradient(&self, beta: &[T], printed: bool) -> Vec<T> {
        use discounted::estimators::theta_gradient_estimate;
        let Model { shape, discount, .. } = self.model;
        let weighted = times(self.weight, beta);
        let mut scratch = self.model.scratch();
        expectation(self.outcomes, shape.dim, |o| {
            let visit = self.model.visit(self.policy, o);
            let mut out = zeros(shape.dim);
            if printed {
                offline_primal_dual::errata::equation_10(discount, &visit, self.weight, beta, &mut out, &mut scratch)
                    .unwrap();
            } else {
                theta_gradient_estimate(discount, &visit, &weighted, &mut out, &mut scratch).unwrap();
            }
            out
        })
    }

    fn value_next(&self, outcome: &Outcome<T>, theta: &[T]) -> T {
        let visit = self.model.visit(self.policy, outcome);
        discounted::estimators::value_estimate(visit.next, visit.policy_next, theta, &mut self.model.scratch()).unwrap()
    }

    /// E g̃_β of the discounted setting.
    fn mean_beta_gradient(&self, theta: &[T]) -> Vec<T> {
        use discounted::estimators::{beta_gradient_estimate, td_error};
        let Model { shape, discount, .. } = self.model;
        expectation(self.outcomes, shape.dim, |o| {
            let phi = self.model.visit(self.policy, o).phi;
            let delta = td_error(discount, &self.model.reward(o), &self.value_next(o, theta), phi, theta).unwrap();
            let mut out = zeros(shape.dim);
            beta_gradient_estimate(self.weight, phi, &delta, &mut out).unwrap();
            out
        })
    }

    /// E g̃_β of the average-reward setting.
    fn mean_average_beta_gradient(&self, theta: &[T], rho: &T) -> Vec<T> {
        use average_reward::estimators::{beta_gradient_estimate, td_error};
        let dim = self.model.shape.dim;
        expectation(self.outcomes, dim, |o| {
            let phi = self.model.visit(self.policy, o).phi;
            let delta = td_error(&self.model.reward(o), &self.value_next(o, theta), phi, theta, rho).unwrap();
            let mut out = zeros(dim);
            beta_gradient_estimate(self.weight, phi, &delta, &mut out).unwrap();
            out
        })
    }

    /// E g̃_ρ.
    fn mean_rho_gradient(&self, beta: &[T]) -> T {
        let weighted = times(self.weight, beta);
        let estimate = |o: &Outcome<T>| {
            let phi = self.model.visit(self.policy, o).phi;
            vec![average_reward::estimators::rho_gradient_estimate(phi, &weighted).unwrap()]
        };
        expectation(self.outcomes, 1, estimate).remove(0)
    }

    /// E g̃_θ of the average-reward setting, A' ~ π(·|X') being the innermost draw.
    fn mean_average_theta_gradient(&self, beta: &[T]) -> Vec<T> {
        let dim = self.model.shape.dim;
        let weighted = times(self.weight, beta);
        expectation(self.outcomes, dim, |o| {
            let visit = self.model.visit(self.policy, o);
            let mut mean: Vec<T> = zeros(dim);
            for (phi_next, p) in visit.next.chunks_exact(dim).zip(visit.policy_next) {
                let mut out = zeros(dim);
                average_reward::estimators::theta_gradient_estimate(visit.phi, phi_next, &weighted, &mut out).unwrap();
                for (entry, g) in mean.iter_mut().zip(out) {
                    *entry += g * p;
                }
            }
            mean
        })
    }
}

/// Runs `check` at every c with a rational Λ^c, every policy of the frame and every point of R^d's frame; counts.
fn at_every_point<T: Field>(model: &Model<T>, check: impl Fn(&Setting<T>, &[T], &[T])) -> usize {
    let (shape, outcomes) = (model.shape, model.outcomes());
    let mut cases = 0;
    for c in model.exponents() {
        let (power, weight) = (model.power(c), model.weight(c));
        for policy in policies(shape.states, shape.actions) {
            let setting = Setting { model, policy: &policy, outcomes: &outcomes, weight: weight.as_deref() };
            for point in affine_frame(shape.dim) {
                check(&setting, &power, &point);
                cases += 1;
            }
        }
    }
    cases
}

/// (8), (9), (10) against (13) and the gradients of Lemma 4.2.
fn discounted_is_unbiased<T: Field>(model: &Model<T>) -> usize {
    use discounted::lagrangian::{Saddle, beta_gradient, mu_beta, theta_gradient};
    at_every_point(model, |setting, power, point| {
        let (policy, mut scratch) = (setting.policy, model.scratch());
        let saddle = Saddle::new(model.mdp(), power).unwrap();
        let mu = mu_beta(&saddle, point, policy, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(setting.mean_occupancy(point), mu, "E μ on {model:?}");
        let gradient = theta_gradient(&saddle, point, policy, &mut &mut scratch[..]).unwrap().to_vec();
        for printed in [false, true] {
            assert_eq!(setting.mean_theta_gradient(point, printed), gradient, "E g̃_θ ({printed}) on {model:?}");
        }
        let gradient = beta_gradient(&saddle, policy, point, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(setting.mean_beta_gradient(point), gradient, "E g̃_β on {model:?}");
    })
}

/// Lemmas C.5, C.6, C.7 against the partial derivatives above Algorithm 2.
fn average_reward_is_unbiased<T: Field>(model: &Model<T>) -> usize {
    use average_reward::lagrangian::{Saddle, beta_gradient, rho_gradient, theta_gradient};
    let varrho = model.varrho();
    at_every_point(model, |setting, power, point| {
        let (policy, mut scratch) = (setting.policy, model.scratch());
        let saddle = Saddle::new(model.mdp(), &varrho, power).unwrap();
        let rho = rho_gradient(&saddle, point, &mut scratch).unwrap();
        assert_eq!(setting.mean_rho_gradient(point), rho, "E g̃_ρ on {model:?}");
        let gradient = theta_gradient(&saddle, point, policy, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(setting.mean_average_theta_gradient(point), gradient, "E g̃_θ on {model:?}");
        for rho in [T::zero(), T::one(), T::ratio(2, 7)] {
            let gradient = beta_gradient(&saddle, policy, &rho, point, &mut &mut scratch[..]).unwrap().to_vec();
            assert_eq!(setting.mean_average_beta_gradient(point, &rho), gradient, "E g̃_β on {model:?}");
        }
    })
}

#[test]
fn discounted_estimators_are_unbiased_on_every_small_table() {
    let cases: usize = tabular_models().iter().map(discounted_is_unbiased).sum();
    assert_eq!(cases, 486 * 2 * 5 * 6);
}

#[test]
fn discounted_estimators_are_unbiased_on_low_rank_models() {
    let cases: usize = low_rank_models().iter().map(discounted_is_unbiased).sum();
    assert_eq!(cases, 90 * 2 * 5 * 4);
}

#[test]
fn average_reward_estimators_are_unbiased_on_every_small_table() {
    // γ plays no part here, and neither does the unichain assumption: the estimators know nothing of it.
    let undiscounted = tabular_models().into_iter().filter(|m| m.discount.is_zero());
    let cases: usize = undiscounted.map(|m| average_reward_is_unbiased(&m)).sum();
    assert_eq!(cases, 162 * 2 * 5 * 6);
}

#[test]
fn average_reward_estimators_are_unbiased_on_low_rank_models() {
    let cases: usize = low_rank_models().iter().map(average_reward_is_unbiased).sum();
    assert_eq!(cases, 90 * 2 * 5 * 4);
}

/// The embedded instances, their μ_B being the occupancy of their behaviour policy.
#[test]
fn estimators_are_unbiased_on_the_instances() {
    for instance in instances::all() {
        let model = Model::<BigRational>::of_instance(instance, false);
        // At full rank Λ is invertible; the instance whose data miss a feature has no Λ^{−1} and needs none at c = 1.
        assert!(discounted_is_unbiased(&model) > 0, "{}", instance.name());
        if instance.is_average_reward() {
            assert!(average_reward_is_unbiased(&Model::<BigRational>::of_instance(instance, true)) > 0);
        }
    }
}

/// The draw A' ~ π(·|X') by inverse CDF: action a for a set of u of measure π(a|x), so that the expectation over u is the
/// one over π. The draw is constant on the cells [k/12, (k+1)/12); ten points of each are taken, its left end among them.
#[test]
fn inverse_cdf_has_the_policy_as_its_law() {
    for numerators in [[1, 3, 2, 6], [0, 5, 0, 7], [12, 0, 0, 0], [0, 0, 0, 12]] {
        let policy: Vec<Q> = ratios(12, &numerators);
        let mut hits = [0; 4];
        for u in 0..120 {
            hits[offline_primal_dual::linear::softmax::inverse_cdf(&policy, &q(u, 120)).unwrap()] += 1;
        }
        assert_eq!(hits, numerators.map(|n| 10 * n));
    }
}
