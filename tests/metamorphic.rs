//! What must not depend on how a model is written down: the unit of the features, their axes, the names of states and actions, an
//! action listed twice. What must turn over with the reward. All of it exact, at c = 1 (and the ratios at c = 1/2, which need no root).
//!
//! The change of unit finds errata 4 and 16 by itself: the printed sample sizes depend on it.
#![cfg(feature = "exact")]

mod support;

use offline_primal_dual::instances;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::average_reward::guarantee as average_guarantee;
use offline_primal_dual::paper::covariance::{Exponent, trace};
use offline_primal_dual::paper::coverage::{coverage_ratio, diamond_ratio};
use offline_primal_dual::paper::discounted::guarantee;
use offline_primal_dual::paper::mdp::{Shape, ones_coefficients, squared_bounds};
use offline_primal_dual::paper::{average_reward, discounted};
use support::{Model, dot, policies, zeros};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

/// A model with a comparator and the iterates of two iterations, which need not come from a run: the lemmas are about any.
#[derive(Debug, Clone)]
struct World {
    average: bool,
    model: Model<Q>,
    comparator: Vec<Q>,
    policies: Vec<Q>,
    thetas: Vec<Q>,
    betas: Vec<Q>,
}

impl World {
    fn new(name: &str, average: bool) -> Self {
        let model = Model { root: None, ..Model::of_instance(instances::by_name(name).unwrap(), average) };
        let Shape { states, actions, dim } = model.shape;
        let mut all = policies(states, actions);
        let general = all.pop().unwrap();
        let vectors = |shift: i64| (0..2 * dim as i64).map(|i| q(3 - 2 * i + shift, 4 + i)).collect();
        Self {
            average,
            comparator: all[1].clone(),
            policies: [general, all[0].clone()].concat(),
            thetas: vectors(0),
            betas: vectors(5),
            model,
        }
    }

    /// φ, ω, ψ, θ and β changed by maps of R^d: φ by the first, everything that φ is multiplied with by the second.
    fn with_features(&self, of_phi: impl Fn(&[Q]) -> Vec<Q>, of_others: impl Fn(&[Q]) -> Vec<Q>) -> Self {
        let dim = self.model.shape.dim;
        let others = |rows: &[Q]| rows.chunks_exact(dim).flat_map(&of_others).collect::<Vec<_>>();
        let model = Model {
            features: self.model.features.chunks_exact(dim).flat_map(&of_phi).collect(),
            omega: others(&self.model.omega),
            psi: others(&self.model.psi),
            ..self.model.clone()
        };
        Self { model: model.checked(), thetas: others(&self.thetas), betas: others(&self.betas), ..self.clone() }
    }

    fn scaled(&self, s: &Q) -> Self {
        let times = |factor: Q| move |row: &[Q]| row.iter().map(|x| x.clone() * &factor).collect::<Vec<_>>();
        self.with_features(times(s.clone()), times(q(1, 1) / s))
    }

    /// Turned by the 3-4-5 angle in the planes of each coordinate and its successor.
    fn turned(&self) -> Self {
        let turn = |row: &[Q]| {
            let mut row = row.to_vec();
            for i in 1..row.len() {
                let (u, v) = (row[i - 1].clone(), row[i].clone());
                row[i - 1] = q(3, 5) * &u - q(4, 5) * &v;
                row[i] = q(4, 5) * u + q(3, 5) * v;
            }
            row
        };
        self.with_features(turn, turn)
    }

    /// With state-actions taken from the old ones by `pair`, in a number of actions, and states by `state`; `share` of each.
    fn rearranged(
        &self,
        actions: usize,
        state: impl Fn(usize) -> usize,
        action: impl Fn(usize) -> usize,
        share: Q,
    ) -> Self {
        let Shape { states, actions: before, dim } = self.model.shape;
        let pairs: Vec<usize> = (0..states)
            .flat_map(|x| (0..actions).map(move |a| (x, a)))
            .map(|(x, a)| state(x) * before + action(a))
            .collect();
        let measure = |mu: &[Q]| -> Vec<Q> {
            mu.chunks_exact(states * before).flat_map(|mu| pairs.iter().map(|p| mu[*p].clone() * &share)).collect()
        };
        let model = Model {
            shape: Shape::new(states, actions, dim).unwrap(),
            features: pairs.iter().flat_map(|p| self.model.features[p * dim..(p + 1) * dim].to_vec()).collect(),
            psi: (0..states).flat_map(|x| self.model.psi[state(x) * dim..(state(x) + 1) * dim].to_vec()).collect(),
            initial: (0..states).map(|x| self.model.initial[state(x)].clone()).collect(),
            mu_b: measure(&self.model.mu_b),
            ..self.model.clone()
        };
        let (comparator, policies) = (measure(&self.comparator), measure(&self.policies));
        Self { model: model.checked(), comparator, policies, ..self.clone() }
    }

    fn permuted(&self) -> Self {
        let Shape { states, actions, .. } = self.model.shape;
        self.rearranged(actions, |x| (x + 1) % states, |a| actions - 1 - a, q(1, 1))
    }

    /// Every action twice, each copy with half of the probability.
    fn doubled(&self) -> Self {
        self.rearranged(2 * self.model.shape.actions, |x| x, |a| a / 2, q(1, 2))
    }

    /// r → 1 − r, through ω → ϱ − ω with Φϱ = 1.
    fn turned_over(&self) -> Self {
        let varrho = ones_coefficients(&self.model.mdp(), &mut &mut self.model.scratch()[..]).unwrap().to_vec();
        let omega = varrho.into_iter().zip(&self.model.omega).map(|(one, w)| one - w).collect();
        Self { model: Model { omega, ..self.model.clone() }.checked(), ..self.clone() }
    }

    fn occupancy(&self, policy: &[Q]) -> Vec<Q> {
        let (mdp, mut scratch) = (self.model.mdp(), self.model.scratch());
        let mu = if self.average {
            average_reward::duality_gap::occupancy_of(&mdp, policy, &mut &mut scratch[..])
        } else {
            discounted::duality_gap::occupancy_of(&mdp, policy, &mut &mut scratch[..])
        };
        mu.unwrap().to_vec()
    }

    /// ρ(π) or ρ^π of the comparator and of the iterates' policies.
    fn values(&self) -> Vec<Q> {
        let (mdp, mut scratch) = (self.model.mdp(), self.model.scratch());
        let all = [&self.comparator[..]].into_iter().chain(self.policies.chunks_exact(self.comparator.len()));
        let value = |policy: &[Q]| {
            if self.average {
                average_reward::duality_gap::gain_of(&mdp, policy, &mut scratch).unwrap()
            } else {
                discounted::duality_gap::return_of(&mdp, policy, &mut scratch).unwrap()
            }
        };
        all.map(value).collect()
    }

    /// Suboptimality, gap, regrets and ‖β*‖².
    fn gaps(&self) -> Vec<(&'static str, Q, i32)> {
        if self.average { self.average_gaps() } else { self.discounted_gaps() }
    }

    fn average_gaps(&self) -> Vec<(&'static str, Q, i32)> {
        use average_reward::duality_gap::*;
        use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
        let (model, lambda, mdp) = (&self.model, self.model.covariance(), self.model.mdp());
        let mut room = zeros(4 * model.shape.scratch());
        let (mut s, comparator) = (&mut room[..], &self.comparator[..]);
        let rhos = [q(1, 3), q(2, 5)];
        let varrho = model.varrho();
        let saddle = average_reward::lagrangian::Saddle::new(mdp, &varrho, &lambda).unwrap();
        let iterates = Iterates::new(&mdp, &rhos, &self.thetas, &self.betas, &self.policies).unwrap();
        let beta = beta_star(&saddle, comparator, &mut s).unwrap();
        let (stars, thetas) = rho_theta_stars(&saddle, &iterates, &mut s).unwrap();
        let with = Comparators { policy: comparator, beta, rhos: stars, thetas };
        vec![
            ("suboptimality", average_suboptimality(&mdp, comparator, &iterates, s).unwrap(), 0),
            ("gap", dynamic_duality_gap(&saddle, &iterates, &with, s).unwrap(), 0),
            ("θ-regret", theta_regret(&saddle, &iterates, &with, s).unwrap(), 0),
            ("β-regret", beta_regret(&saddle, &iterates, &with, s).unwrap(), 0),
            ("π-regret", policy_regret(&mdp, &iterates, comparator, s).unwrap(), 0),
            ("ρ-regret", rho_regret(&saddle, &iterates, &with, s).unwrap(), 0),
            ("‖β*‖²", dot(beta, beta), -2),
        ]
    }

    fn discounted_gaps(&self) -> Vec<(&'static str, Q, i32)> {
        use discounted::duality_gap::*;
        use discounted::regret::{beta_regret, policy_regret, theta_regret};
        let (model, lambda, mdp) = (&self.model, self.model.covariance(), self.model.mdp());
        let mut room = zeros(4 * model.shape.scratch());
        let (mut s, comparator) = (&mut room[..], &self.comparator[..]);
        let saddle = discounted::lagrangian::Saddle::new(mdp, &lambda).unwrap();
        let iterates = Iterates::new(&mdp, &self.thetas, &self.betas, &self.policies).unwrap();
        let beta = beta_star(&saddle, comparator, &mut s).unwrap();
        let thetas = theta_stars(&mdp, &iterates, &mut s).unwrap();
        let with = Comparators { policy: comparator, beta, thetas };
        vec![
            ("suboptimality", average_suboptimality(&mdp, comparator, &iterates, s).unwrap(), 0),
            ("gap", dynamic_duality_gap(&saddle, &iterates, &with, s).unwrap(), 0),
            ("θ-regret", theta_regret(&saddle, &iterates, &with, s).unwrap(), 0),
            ("β-regret", beta_regret(&saddle, &iterates, &with, s).unwrap(), 0),
            ("π-regret", policy_regret(&mdp, &iterates, comparator, s).unwrap(), 0),
            ("‖β*‖²", dot(beta, beta), -2),
            ("‖θ*‖²", dot(thetas, thetas), -2),
        ]
    }

    /// The theorems' constants with D_β² = C_{φ,1}, D_θ = 3/D_φ, and Tr Λ for ‖Λ‖, which need not be rational.
    fn constants(&self) -> average_guarantee::Constants<Q> {
        let (lambda, dim, mut scratch) = (self.model.covariance(), self.model.shape.dim, self.model.scratch());
        let phi_squared = squared_bounds(&self.model.mdp(), &mut scratch).unwrap().phi;
        let trace = trace(dim, &lambda).unwrap();
        average_guarantee::Constants {
            log_actions: q(7, 10),
            theta_squared: q(9, 1) / &phi_squared,
            phi_squared,
            phi_theta: q(3, 1),
            beta_squared: self.coverage(Exponent::One),
            norm: trace.clone(),
            trace,
        }
    }

    fn discounted_constants(&self) -> guarantee::Constants<Q> {
        let average_guarantee::Constants { log_actions, phi_squared, theta_squared, beta_squared, trace, norm, .. } =
            self.constants();
        let discount = self.model.discount.clone();
        guarantee::Constants { discount, log_actions, phi_squared, theta_squared, beta_squared, trace, norm }
    }

    fn coverage(&self, c: Exponent) -> Q {
        let mu = self.occupancy(&self.comparator);
        coverage_ratio(c, &self.model.mdp(), &mu, &self.model.covariance(), &mut self.model.scratch()).unwrap()
    }

    /// The ratios, G², the rates' squares, the bounds and the orders, each with its degree in the unit of the features. Of the two terms
    /// of a bound that share a rate only the product is compared: the rate drops out of it.
    fn bounds(&self) -> Vec<(&'static str, Q, i32)> {
        let (mu, lambda) = (self.occupancy(&self.comparator), self.model.covariance());
        let diamond = diamond_ratio(&self.model.mdp(), &mu, &lambda, &mut self.model.scratch()).unwrap();
        let mut all = vec![
            ("C_{φ,1/2}", self.coverage(Exponent::Half), 0),
            ("C_{φ,1}", self.coverage(Exponent::One), -2),
            ("C^⋄", diamond, 0),
        ];
        all.extend(if self.average { self.average_bounds() } else { self.discounted_bounds() });
        all
    }

    fn average_bounds(&self) -> Vec<(&'static str, Q, i32)> {
        use average_guarantee::*;
        let (one, dim) = (q(1, 1), self.model.shape.dim);
        let mut all = Vec::new();
        let c = self.constants();
        let squares = squared_rates(&c, 6, 10).unwrap();
        let rates = Rates { alpha: one.clone(), eta: one.clone(), zeta: one.clone(), xi: one.clone() };
        let t = bound_terms(&c, &rates, 6, 10).unwrap();
        all.extend([
            ("α²", squares.alpha, 0),
            ("η²", squares.eta, -4),
            ("ζ²", squares.zeta, -4),
            ("ξ²", squares.xi, 0),
        ]);
        all.extend([("G_θ²", second_moment_bound_theta(&c), 2), ("G_β²", second_moment_bound_beta(&c), 2)]);
        all.push(("G_ρ²", second_moment_bound_rho(&c), 0));
        all.extend([(0, 4), (1, 5), (2, 6), (3, 7)].map(|(i, j)| ("bound", t[i].clone() * &t[j], 0)));
        all.push(("K/T", inner_per_outer(&c).unwrap(), 0));
        all.push(("order", complexity(&c, &one).unwrap(), 0));
        all.push(("simplified order", simplified_complexity(Exponent::One, dim, &c, &one).unwrap(), 0));
        all
    }

    fn discounted_bounds(&self) -> Vec<(&'static str, Q, i32)> {
        use guarantee::*;
        let (one, dim) = (q(1, 1), self.model.shape.dim);
        let mut all = Vec::new();
        let c = self.discounted_constants();
        let squares = squared_rates(&c, 6, 10).unwrap();
        let rates = Rates { alpha: one.clone(), eta: one.clone(), zeta: one.clone() };
        let t = bound_terms(&c, &rates, 6, 10).unwrap();
        all.extend([("α²", squares.alpha, 0), ("η²", squares.eta, -4), ("ζ²", squares.zeta, -4)]);
        all.extend([("G_θ²", second_moment_bound_theta(&c), 2), ("G_β²", second_moment_bound_beta(&c), 2)]);
        all.extend([(0, 3), (1, 4), (2, 5)].map(|(i, j)| ("bound", t[i].clone() * &t[j], 0)));
        all.push(("K/T", inner_per_outer(&c).unwrap(), 0));
        all.push(("order", complexity(&c, &one).unwrap(), 0));
        all.push(("simplified order", simplified_complexity(Exponent::One, dim, &c, &one).unwrap(), 0));
        all
    }
}

/// Both settings; tabular features, rotated ones, fewer features than pairs.
fn worlds() -> Vec<World> {
    let discounted = ["two-state", "rotated", "low-rank", "partial-coverage"].map(|name| World::new(name, false));
    discounted.into_iter().chain(["two-state", "rotated", "ergodic"].map(|name| World::new(name, true))).collect()
}

fn power(s: &Q, degree: i32) -> Q {
    let factor = if degree < 0 { q(1, 1) / s } else { s.clone() };
    (0..degree.abs()).fold(q(1, 1), |product, _| product * &factor)
}

/// Everything of `after` is what it was, times s to its degree.
fn same(before: &World, after: &World, s: &Q) {
    assert_eq!(before.values(), after.values());
    let all = |world: &World| [world.gaps(), world.bounds()].concat();
    for ((name, old, degree), (_, new, _)) in all(before).into_iter().zip(all(after)) {
        assert_eq!(new, old * power(s, degree), "{name}, average: {}", before.average);
    }
}

#[test]
fn the_unit_of_the_features_does_not_matter() {
    for world in worlds() {
        for s in [q(4, 1), q(1, 3)] {
            let scaled = world.scaled(&s);
            same(&world, &scaled, &s);
            assert_eq!(world.occupancy(&world.comparator), scaled.occupancy(&world.comparator));
        }
    }
}

#[test]
fn the_axes_of_the_features_do_not_matter() {
    for world in worlds() {
        let turned = world.turned();
        assert_ne!(world.model.features, turned.model.features);
        same(&world, &turned, &q(1, 1));
        assert_eq!(world.occupancy(&world.comparator), turned.occupancy(&world.comparator));
    }
}

#[test]
fn the_names_of_states_and_actions_do_not_matter() {
    for world in worlds() {
        let permuted = world.permuted();
        assert_ne!(world.model.features, permuted.model.features);
        same(&world, &permuted, &q(1, 1));
        let sorted = |mut mu: Vec<Q>| {
            mu.sort_by(|a, b| a.partial_cmp(b).unwrap());
            mu
        };
        assert_eq!(sorted(world.occupancy(&world.comparator)), sorted(permuted.occupancy(&permuted.comparator)));
    }
}

#[test]
fn an_action_listed_twice_does_not_matter() {
    for world in worlds() {
        let doubled = world.doubled();
        same(&world, &doubled, &q(1, 1));
        let joined: Vec<Q> = doubled.occupancy(&doubled.comparator).chunks(2).map(|m| m[0].clone() + &m[1]).collect();
        assert_eq!(world.occupancy(&world.comparator), joined);
    }
}

/// ρ(π) becomes 1 − ρ(π) for every policy, hence every suboptimality its opposite. Occupancies, ratios, G² and bounds know nothing of r.
#[test]
fn the_reward_turned_over_turns_the_values_over() {
    for world in worlds() {
        let over = world.turned_over();
        let opposite: Vec<Q> = world.values().into_iter().map(|value| q(1, 1) - value).collect();
        assert_eq!(over.values(), opposite);
        assert_eq!(
            world.occupancy(&world.policies[..world.comparator.len()]),
            over.occupancy(&over.policies[..over.comparator.len()])
        );
        let (before, after) = (world.gaps(), over.gaps());
        assert_eq!(after[0].1, -before[0].1.clone(), "suboptimality");
        assert_eq!(after[0].1, after[1].1, "the gap equals it");
        assert_eq!(after.iter().find(|g| g.0 == "‖β*‖²"), before.iter().find(|g| g.0 == "‖β*‖²"));
        assert_eq!(world.bounds(), over.bounds());
    }
}

/// The change of unit on what print claims: n_ε as printed depends on the unit, so it is not the number of samples that anything needs.
#[test]
fn the_unit_of_the_features_finds_errata_4_and_16() {
    let (s, one) = (q(4, 1), q(1, 1));
    for world in worlds() {
        let scaled = world.scaled(&s);
        let dim = world.model.shape.dim;
        let ratio = |n: &dyn Fn(&World) -> Q| n(&scaled) / n(&world);
        let with_beta =
            |world: &World, beta_squared: Q| average_guarantee::Constants { beta_squared, ..world.constants() };
        if world.average {
            // Erratum 16, with D_β = √C: D_φ^{12c−2} and ‖Λ‖^{2(2c−1)} leave an s² over.
            use offline_primal_dual::errata::{theorem_5_3_complexity, theorem_c1_complexity};
            assert_eq!(ratio(&|w| theorem_c1_complexity(&w.constants(), &one).unwrap()), power(&s, 2));
            let simplified = |w: &World| theorem_5_3_complexity(Exponent::One, dim, &w.constants(), &one).unwrap();
            assert_eq!(ratio(&simplified), power(&s, 2));
            // Erratum 4, with the order corrected: D_β = C leaves s⁻⁴.
            let squared = |w: &World| with_beta(w, w.coverage(Exponent::One) * w.coverage(Exponent::One));
            let printed = |w: &World| average_guarantee::complexity(&squared(w), &one).unwrap();
            assert_eq!(ratio(&printed), power(&s, -4));
            continue;
        }
        let printed = |w: &World| {
            let beta_squared = w.coverage(Exponent::One) * w.coverage(Exponent::One);
            guarantee::Constants { beta_squared, ..w.discounted_constants() }
        };
        let order = |w: &World| guarantee::simplified_complexity(Exponent::One, dim, &printed(w), &one).unwrap();
        assert_eq!(ratio(&order), power(&s, -4));
        // The product of the first and the fourth term, where Theorem A.1's inequality fails: the bound shrinks with the unit.
        let rates = guarantee::Rates { alpha: one.clone(), eta: one.clone(), zeta: one.clone() };
        let beta_part = |w: &World| {
            let t = guarantee::bound_terms(&printed(w), &rates, 6, 10).unwrap();
            t[0].clone() * &t[3]
        };
        assert_eq!(ratio(&beta_part), power(&s, -2));
    }
}
