//! Section 5 and Appendix C, as identities of rationals on small models.
#![cfg(feature = "exact")]

use offline_primal_dual::Error;
use offline_primal_dual::average_reward::duality_gap::*;
use offline_primal_dual::average_reward::lagrangian::*;
use offline_primal_dual::average_reward::lp::*;
use offline_primal_dual::average_reward::optimal::*;
use offline_primal_dual::average_reward::regret::*;
use offline_primal_dual::average_reward::unichain::*;
use offline_primal_dual::average_reward::values::*;
use offline_primal_dual::exact::BigRational;
use offline_primal_dual::mdp::{
    LinearMdp, Mdp, Shape, dual_slack, ones_coefficients, policy_average, policy_transition, primal_feature_residual,
    uniform_policy,
};
use offline_primal_dual::scalar::Field;
use offline_primal_dual::solve::{inverse, solve};
use offline_primal_dual::vector::{apply, dot};

type Q = BigRational;

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn zeros(n: usize) -> Vec<Q> {
    vec![Q::zero(); n]
}

/// Draws small integers; the tests' only source of variety.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % n).unwrap()
    }

    /// Any rational, of either sign.
    fn number(&mut self) -> Q {
        q(self.below(9) - 4, self.below(3) + 1)
    }

    fn vector(&mut self, n: usize) -> Vec<Q> {
        (0..n).map(|_| self.number()).collect()
    }

    /// Rows of weights low…low+2, normalised.
    fn distributions(&mut self, rows: usize, width: usize, low: i64) -> Vec<Q> {
        let mut out = Vec::new();
        for _ in 0..rows {
            let mut weights: Vec<i64> = (0..width).map(|_| low + self.below(3)).collect();
            if weights.iter().all(|w| *w == 0) {
                weights[0] = 1;
            }
            let total = weights.iter().sum();
            out.extend(weights.iter().map(|w| q(*w, total)));
        }
        out
    }

    /// A symmetric positive definite matrix.
    fn power(&mut self, n: usize) -> Vec<Q> {
        let root = self.vector(n * n);
        let mut out = zeros(n * n);
        for i in 0..n {
            for j in 0..n {
                out[i * n + j] = dot(&root[i * n..(i + 1) * n], &root[j * n..(j + 1) * n]).unwrap();
            }
            out[i * n + i] = out[i * n + i].clone() + Q::one();
        }
        out
    }
}

struct Model {
    shape: Shape,
    features: Vec<Q>,
    omega: Vec<Q>,
    psi: Vec<Q>,
    reward: Vec<Q>,
    transition: Vec<Q>,
    varrho: Vec<Q>,
    unused: Vec<Q>,
    gamma: Q,
}

impl Model {
    /// `None` where the data is no linear MDP.
    fn new(shape: Shape, features: Vec<Q>, omega: Vec<Q>, psi: Vec<Q>) -> Option<Self> {
        // γ and ν₀ that no average-reward function may read: any use of them makes a result invalid.
        let unused = vec![q(1, 0); shape.states];
        let mut model = Self {
            reward: zeros(shape.pairs()),
            transition: zeros(shape.pairs() * shape.states),
            varrho: zeros(shape.dim),
            gamma: q(1, 0),
            shape,
            features,
            omega,
            psi,
            unused,
        };
        let mut scratch = model.scratch();
        let (mut reward, mut transition) = (model.reward.clone(), model.transition.clone());
        model.linear().validate_undiscounted(&mut scratch).ok()?;
        model.linear().tabulate(&mut reward, &mut transition).unwrap();
        let mut varrho = zeros(shape.dim);
        ones_coefficients(&model.linear(), &mut varrho, &mut scratch).unwrap();
        (model.reward, model.transition, model.varrho) = (reward, transition, varrho);
        Some(model)
    }

    fn tabular(states: usize, actions: usize, reward: Vec<Q>, transition: &[Q]) -> Self {
        let pairs = states * actions;
        let identity = (0..pairs * pairs).map(|i| if i / pairs == i % pairs { q(1, 1) } else { q(0, 1) }).collect();
        let psi = (0..states * pairs).map(|i| transition[i % pairs * states + i / pairs].clone()).collect();
        Self::new(Shape::new(states, actions, pairs).unwrap(), identity, reward, psi).unwrap()
    }

    /// d latent modes: φ(x,a) is a distribution over them, each leads to a distribution over states; then a change of
    /// basis, so that features are signed and ϱ is not 1. `low` = 1 makes every transition possible.
    fn random(draw: &mut Draw, low: i64) -> Option<Self> {
        let pick = |draw: &mut Draw, from: i64, n: u64| usize::try_from(from + draw.below(n)).unwrap();
        let (states, actions, dim) = (pick(draw, 2, 3), pick(draw, 2, 2), pick(draw, 2, 3));
        let shape = Shape::new(states, actions, dim).unwrap();
        let modes = draw.distributions(shape.pairs(), dim, 0);
        let arrivals = draw.distributions(dim, states, low);
        let rewards: Vec<Q> = (0..dim).map(|_| q(draw.below(5), 4)).collect();
        let basis = draw.power(dim);
        let mut inverted = zeros(dim * dim);
        inverse(dim, &mut basis.clone(), &mut inverted).unwrap();
        // φ' = Bφ, ω' = B⁻¹ω, ψ' = B⁻¹ψ with B symmetric.
        let through =
            |matrix: &[Q], rows: &[Q]| -> Vec<Q> { rows.chunks(dim).flat_map(|row| image(matrix, row)).collect() };
        let psi: Vec<Q> = (0..states * dim).map(|i| arrivals[i % dim * states + i / dim].clone()).collect();
        Self::new(shape, through(&basis, &modes), through(&inverted, &rewards), through(&inverted, &psi))
    }

    fn linear(&self) -> LinearMdp<'_, Q> {
        LinearMdp::new(self.shape, &self.features, &self.omega, &self.psi, &self.unused, &self.gamma).unwrap()
    }

    fn mdp(&self) -> Mdp<'_, Q> {
        let Shape { states, actions, .. } = self.shape;
        Mdp::new(states, actions, &self.reward, &self.transition, &self.unused, &self.gamma).unwrap()
    }

    fn scratch(&self) -> Vec<Q> {
        zeros(self.shape.scratch())
    }

    fn random_policy(&self, draw: &mut Draw) -> Vec<Q> {
        draw.distributions(self.shape.states, self.shape.actions, 0)
    }

    fn occupancy(&self, policy: &[Q]) -> Vec<Q> {
        let mut mu = zeros(self.shape.pairs());
        occupancy(&self.mdp(), policy, &mut mu, &mut self.scratch()).unwrap();
        mu
    }

    /// (ρ^π, v^π, q^π).
    fn values(&self, policy: &[Q]) -> (Q, Vec<Q>, Vec<Q>) {
        let (mut v, mut action) = (zeros(self.shape.states), zeros(self.shape.pairs()));
        let gain = state_value(&self.mdp(), policy, &mut v, &mut self.scratch()).unwrap();
        action_value(&self.mdp(), &gain, &v, &mut action).unwrap();
        (gain, v, action)
    }

    fn deterministic(&self) -> impl Iterator<Item = Vec<Q>> + '_ {
        (0..deterministic_policies(self.shape.states, self.shape.actions).unwrap()).map(|code| {
            let mut policy = zeros(self.shape.pairs());
            decode_policy(self.shape.actions, code, &mut policy).unwrap();
            policy
        })
    }
}

fn image(matrix: &[Q], x: &[Q]) -> Vec<Q> {
    let mut out = zeros(matrix.len() / x.len());
    apply(matrix, x, &mut out).unwrap();
    out
}

fn all_zero(values: &[Q]) -> bool {
    values.iter().all(Q::is_zero)
}

/// r in state x is `rewards[x]`; action a leads from x to `next[x][a]`.
fn deterministic_model(rewards: &[i64], next: &[[usize; 2]]) -> Model {
    let n = next.len();
    let mut transition = zeros(n * 2 * n);
    for (x, row) in next.iter().enumerate() {
        for (a, y) in row.iter().enumerate() {
            transition[(2 * x + a) * n + y] = q(1, 1);
        }
    }
    let reward = rewards.iter().flat_map(|r| [q(*r, 1), q(*r, 1)]).collect();
    Model::tabular(n, 2, reward, &transition)
}

/// Two states that stay with probability 1 − p and leave with p, by action.
fn two_state() -> Model {
    let transition = [q(1, 2), q(1, 2), q(3, 4), q(1, 4), q(1, 3), q(2, 3), q(2, 3), q(1, 3)];
    Model::tabular(2, 2, vec![q(1, 1), q(1, 2), q(0, 1), q(1, 4)], &transition)
}

/// Linear MDPs in which every policy is unichain, half of them with transitions that are impossible.
fn models(count: usize) -> Vec<Model> {
    let mut draw = Draw(2);
    let mut found = vec![two_state()];
    while found.len() < count {
        let low = i64::from(found.len() % 2 == 0);
        found.extend(Model::random(&mut draw, low).filter(|m| validate_unichain(&m.mdp(), &mut m.scratch()).is_ok()));
    }
    found
}

#[test]
fn two_states_by_hand() {
    let model = two_state();
    let policy = [q(1, 1), q(0, 1), q(1, 1), q(0, 1)];
    // Leaves 0 with 1/2 and 1 with 1/3, so ν ∝ (1/3, 1/2).
    assert_eq!(model.occupancy(&policy), [q(2, 5), q(0, 1), q(3, 5), q(0, 1)]);
    let (gain, v, action) = model.values(&policy);
    assert_eq!(gain, q(2, 5));
    // v(0) − v(1) = 3/5 + (v(0) − v(1))/2, and the mean is zero.
    assert_eq!(v, [q(18, 25), q(-12, 25)]);
    assert_eq!(action[0], v[0]);
    assert_eq!(action[1], q(1, 2) - q(2, 5) + q(3, 4) * v[0].clone() + q(1, 4) * v[1].clone());
}

/// S5.gain and S5.bias: both routes to the gain, Bellman's equations, the normalisation, and the fundamental matrix
/// (I − P_π + 1νᵀ)v = r_π − ρ1 as a route to v that shares nothing with the library's.
#[test]
fn gain_and_bias_solve_their_equations() {
    let mut draw = Draw(1);
    for model in models(40) {
        let (mdp, shape, mut scratch) = (model.mdp(), model.shape, model.scratch());
        let n = shape.states;
        let policy = model.random_policy(&mut draw);
        let mu = model.occupancy(&policy);
        assert!(lp_feasible(&mdp, &mu, &Q::zero(), &mut scratch).unwrap());
        let (rho, v, action) = model.values(&policy);
        assert_eq!(rho, gain(&mdp, &policy, &mut scratch).unwrap());
        assert!(rho >= q(0, 1) && rho <= q(1, 1));
        let mut residual = zeros(shape.pairs());
        bellman_residual(&mdp, &action, &rho, &v, &mut residual).unwrap();
        assert!(all_zero(&residual));
        let mut average = zeros(n);
        policy_average(shape.actions, &policy, &action, &mut average).unwrap();
        assert_eq!(average, v);
        let mut nu = zeros(n);
        state_occupancy(&mdp, &policy, &mut nu, &mut scratch).unwrap();
        assert!(dot(&nu, &v).unwrap().is_zero());

        let (mut fundamental, mut other) = (zeros(n * n), zeros(n));
        policy_transition(&mdp, &policy, &mut fundamental).unwrap();
        for (i, entry) in fundamental.iter_mut().enumerate() {
            let identity = if i / n == i % n { q(1, 1) } else { q(0, 1) };
            *entry = identity - entry.clone() + &nu[i % n];
        }
        policy_average(shape.actions, &policy, mdp.reward(), &mut other).unwrap();
        other.iter_mut().for_each(|r| *r = r.clone() - &rho);
        solve(n, &mut fundamental, &mut other).unwrap();
        assert_eq!(other, v);
    }
}

/// Constant shifts satisfy Bellman's equations, change neither the span nor the gain, and nothing else does.
#[test]
fn values_are_determined_up_to_a_constant() {
    let mut draw = Draw(3);
    for model in models(20) {
        let (mdp, n) = (model.mdp(), model.shape.states);
        let policy = model.random_policy(&mut draw);
        let (rho, v, action) = model.values(&policy);
        let c = q(7, 3);
        let moved = |f: &[Q]| -> Vec<Q> { f.iter().map(|x| x.clone() + &c).collect() };
        let mut residual = zeros(model.shape.pairs());
        bellman_residual(&mdp, &moved(&action), &rho, &moved(&v), &mut residual).unwrap();
        assert!(all_zero(&residual));
        assert_eq!(span_seminorm(&moved(&action)), span_seminorm(&action));
        let mut relative = zeros(n);
        assert_eq!(relative_value(&mdp, &policy, &mut relative, &mut model.scratch()).unwrap(), rho);
        let difference: Vec<Q> = v.iter().zip(&relative).map(|(a, b)| a.clone() - b).collect();
        assert!(relative[n - 1].is_zero() && span_seminorm(&difference).unwrap().is_zero());
        bellman_residual(&mdp, &action, &rho, &moved(&v), &mut residual).unwrap();
        assert!(residual.iter().all(|x| *x == -c.clone()));
    }
    assert_eq!(span_seminorm(&[q(1, 2), q(-1, 3), q(0, 1)]), Ok(q(5, 6)));
    assert_eq!(span_seminorm::<Q>(&[]), Err(Error::Empty { what: "q" }));
}

/// Appendix C defines v^π by lim E Σ_{t≤N} (r − ρ). The partial sum is v − P^{N+1}v exactly: it converges to
/// the library's v for an aperiodic chain and to nothing on a cycle.
#[test]
fn the_limit_that_defines_the_bias() {
    let partial_sums = |model: &Model, policy: &[Q], count: usize| -> Vec<Vec<Q>> {
        let n = model.shape.states;
        let (rho, _, _) = model.values(policy);
        let (mut forward, mut term) = (zeros(n * n), zeros(n));
        policy_transition(&model.mdp(), policy, &mut forward).unwrap();
        policy_average(model.shape.actions, policy, &model.reward, &mut term).unwrap();
        term.iter_mut().for_each(|r| *r = r.clone() - &rho);
        let mut sum = zeros(n);
        let step = |_| {
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s = s.clone() + t);
            term = image(&forward, &term);
            sum.clone()
        };
        (0..count).map(step).collect()
    };
    let model = two_state();
    let mut policy = zeros(4);
    uniform_policy(2, &mut policy).unwrap();
    let (_, v, _) = model.values(&policy);
    let sums = partial_sums(&model, &policy, 12);
    let error = |sum: &[Q]| (sum[0].clone() - &v[0]).abs() + (sum[1].clone() - &v[1]).abs();
    // The second eigenvalue of P_π is 5/8 + 1/2 − 1 = 1/8, so the error shrinks by exactly that.
    for pair in sums.windows(2) {
        assert_eq!(error(&pair[1]), error(&pair[0]) * q(1, 8));
    }
    let cycle = deterministic_model(&[1, 0], &[[1, 1], [0, 0]]);
    let (rho, v, _) = cycle.values(&policy);
    assert_eq!((rho, v), (q(1, 2), vec![q(1, 4), q(-1, 4)]));
    let sums = partial_sums(&cycle, &policy, 4);
    assert!(sums[0] != sums[1] && sums[0] == sums[2] && sums[1] == sums[3], "the limit does not exist");
}

#[test]
fn recurrent_classes_are_counted_and_the_offending_policy_named() {
    // Action 0 stays, action 1 goes round.
    let model = deterministic_model(&[1, 0, 0], &[[0, 1], [1, 2], [2, 0]]);
    let (mdp, mut scratch) = (model.mdp(), model.scratch());
    // Codes in base 2, state 0 lowest: one class for each state that stays; the cycle if none does.
    for (code, policy) in model.deterministic().enumerate() {
        let staying = 3 - code.count_ones() as usize;
        assert_eq!(recurrent_classes(&mdp, &policy, &mut scratch), Ok(staying.max(1)));
        let expected = if staying > 1 { Err(Error::NotUnichain { policy: None }) } else { Ok(()) };
        assert_eq!(validate_unichain_policy(&mdp, &policy, &mut scratch), expected);
        assert_eq!(gain(&mdp, &policy, &mut scratch).map(|_| ()), expected);
        assert_eq!(relative_value(&mdp, &policy, &mut zeros(3), &mut scratch).map(|_| ()), expected);
    }
    assert_eq!(validate_unichain(&mdp, &mut scratch), Err(Error::NotUnichain { policy: Some(0) }));
    assert_eq!(span_bound(&mdp, &mut scratch), Err(Error::NotUnichain { policy: Some(0) }));
    let mut uniform = zeros(6);
    uniform_policy(2, &mut uniform).unwrap();
    assert_eq!(recurrent_classes(&mdp, &uniform, &mut scratch), Ok(1));
    // State 0 leads away under both actions; states 1 and 2 stay only together: code 0b000 and 0b001.
    let model = deterministic_model(&[1, 0, 0], &[[1, 2], [2, 1], [1, 2]]);
    assert_eq!(
        validate_unichain(&model.mdp(), &mut model.scratch()),
        Err(Error::NotUnichain { policy: Some(0b110) }),
        "the first policy in which 1 and 2 both stay"
    );
    assert_eq!(deterministic_policies(3, 4), Ok(64));
    assert!(deterministic_policies(200, 2).is_err());
    assert!(decode_policy(2, 8, &mut zeros(6)).is_err());
    assert!(decode_policy(2, 0, &mut zeros(5)).is_err());
    assert!(decode_policy(0, 0, &mut zeros(4)).is_err());
}

/// A P_π that is not stochastic is refused by its own name, not called multichain.
#[test]
fn a_policy_that_is_no_distribution_is_refused() {
    let model = two_state();
    let policy = [q(1, 1), q(1, 1), q(1, 1), q(0, 1)];
    let refused = gain(&model.mdp(), &policy, &mut model.scratch());
    assert_eq!(refused, Err(Error::NotNormalised { what: "P_π", row: 0 }));
}

/// The optimality residual of policy iteration's answer is zero, and no deterministic policy has more gain.
#[test]
fn policy_iteration_ends_at_a_proof_of_optimality() {
    let mut all = models(40);
    // Improvements only in transient states: 2 → 1 → 0 and 0 stays, with a detour whose gain is the same.
    all.push(deterministic_model(&[1, 0, 0], &[[0, 0], [1, 0], [1, 0]]));
    let stays = all.pop().filter(|m| validate_unichain(&m.mdp(), &mut m.scratch()).is_ok());
    assert!(stays.is_none(), "staying in 1 makes a second class");
    all.push(deterministic_model(&[1, 0, 0, 0], &[[0, 0], [0, 0], [1, 0], [2, 0]]));
    for model in all {
        let (mdp, mut scratch) = (model.mdp(), model.scratch());
        let (mut policy, mut v, mut residual) =
            (zeros(model.shape.pairs()), zeros(model.shape.states), zeros(model.shape.states));
        let best = optimal_policy(&mdp, &mut policy, &mut v, &mut scratch).unwrap();
        optimality_residual(&mdp, &best, &v, &mut residual, &mut scratch).unwrap();
        assert!(all_zero(&residual));
        assert_eq!(gain(&mdp, &policy, &mut scratch).unwrap(), best);
        for other in model.deterministic() {
            assert!(gain(&mdp, &other, &mut scratch).unwrap() <= best);
        }
    }
}

/// D_q is attained by a deterministic policy: no randomised one on a grid has more span.
#[test]
fn the_span_bound_holds_for_randomised_policies() {
    let mut draw = Draw(5);
    for model in models(12) {
        let (mdp, mut scratch) = (model.mdp(), model.scratch());
        let bound = span_bound(&mdp, &mut scratch).unwrap();
        assert!(model.deterministic().any(|policy| policy_span(&mdp, &policy, &mut scratch).unwrap() == bound));
        for _ in 0..40 {
            let policy = model.random_policy(&mut draw);
            let span = policy_span(&mdp, &policy, &mut scratch).unwrap();
            assert_eq!(span, span_seminorm(&model.values(&policy).2).unwrap());
            assert!(span <= bound);
        }
    }
}

/// q^π = Φθ^π and Lemma C.3's shift. ϱ = Ψ1 in every linear MDP (ΦΨ1 = P1 = 1), so Assumption 5.2 always holds.
#[test]
fn action_values_are_linear() {
    let mut draw = Draw(7);
    for model in models(30) {
        let (linear, mut scratch) = (model.linear(), model.scratch());
        let mut psi_ones = zeros(model.shape.dim);
        linear.psi_times(&vec![q(1, 1); model.shape.states], &mut psi_ones).unwrap();
        assert_eq!(psi_ones, model.varrho);
        let policy = model.random_policy(&mut draw);
        let (rho, v, action) = model.values(&policy);
        let (mut theta, mut shifted) = (zeros(model.shape.dim), zeros(model.shape.dim));
        assert_eq!(theta_of_policy(&linear, &model.varrho, &policy, &mut theta, &mut scratch), Ok(rho.clone()));
        let mut from_value = zeros(model.shape.dim);
        theta_of_value(&linear, &model.varrho, &rho, &v, &mut from_value).unwrap();
        assert_eq!(from_value, theta);
        assert_eq!(image(&model.features, &theta), action);
        shifted_theta(&linear, &model.varrho, &theta, &mut shifted, &mut scratch).unwrap();
        let least = action.iter().fold(action[0].clone(), |a, b| if *b < a { b.clone() } else { a });
        let expected: Vec<Q> = action.iter().map(|x| x.clone() - &least).collect();
        assert_eq!(image(&model.features, &shifted), expected);
    }
}

/// Not in the errata list: Theorem C.1 asks for θ^π in the ball of radius D_θ, its proof needs Lemma C.3's shifted θ*_t
/// there, and that one can be longer. With Φ = I the vectors are action values, and centring is what makes them short.
#[test]
fn the_shifted_comparator_can_leave_the_ball_that_holds_every_theta() {
    let model = two_state();
    let (mut theta, mut shifted) = (zeros(4), zeros(4));
    let mut longest = q(0, 1);
    let mut longest_shifted = q(0, 1);
    for policy in model.deterministic() {
        let (linear, mut scratch) = (model.linear(), model.scratch());
        theta_of_policy(&linear, &model.varrho, &policy, &mut theta, &mut scratch).unwrap();
        shifted_theta(&linear, &model.varrho, &theta, &mut shifted, &mut scratch).unwrap();
        for (most, vector) in [(&mut longest, &theta), (&mut longest_shifted, &shifted)] {
            let size = dot(vector, vector).unwrap();
            if size > *most {
                *most = size;
            }
        }
    }
    assert!(longest_shifted > longest * q(2, 1), "{longest_shifted:?}");
}

/// (23) and its feature-space pair: every policy gives a feasible primal point, π* a feasible dual one of the same
/// value, and each constraint notices when it alone is broken.
#[test]
fn linear_programs() {
    let zero = Q::zero();
    let mut draw = Draw(11);
    for model in models(30) {
        let (linear, mdp, shape, mut scratch) = (model.linear(), model.mdp(), model.shape, model.scratch());
        let mut best = zeros(shape.pairs());
        let rho_star = optimal_policy(&mdp, &mut best, &mut zeros(shape.states), &mut scratch).unwrap();
        let (mut v, mut theta) = (zeros(shape.states), zeros(shape.dim));
        assert_eq!(dual_point(&linear, &model.varrho, &best, &mut v, &mut theta, &mut scratch), Ok(rho_star.clone()));
        assert!(dual_feasible(&linear, &model.varrho, &rho_star, &v, &theta, &zero, &mut scratch).unwrap());
        let (mut lambda, mut mu) = (zeros(shape.dim), zeros(shape.pairs()));
        primal_point(&linear, &best, &mut lambda, &mut mu, &mut scratch).unwrap();
        assert!(weak_duality_gap(&linear, &rho_star, &lambda).unwrap().is_zero());

        let policy = model.random_policy(&mut draw);
        primal_point(&linear, &policy, &mut lambda, &mut mu, &mut scratch).unwrap();
        assert!(primal_feasible(&linear, &model.varrho, &lambda, &mu, &zero, &mut scratch).unwrap());
        assert_eq!(primal_objective(&linear, &lambda), lp_objective(&mdp, &mu));
        let gap = weak_duality_gap(&linear, &rho_star, &lambda).unwrap();
        assert_eq!(gap, rho_star.clone() - gain(&mdp, &policy, &mut scratch).unwrap());
        assert!(gap >= zero);

        // A policy's own dual point is feasible only when the policy is optimal, or its class can ignore the better action.
        let rho = dual_point(&linear, &model.varrho, &policy, &mut v, &mut theta, &mut scratch).unwrap();
        if rho < rho_star {
            assert!(!dual_feasible(&linear, &model.varrho, &rho, &v, &theta, &zero, &mut scratch).unwrap());
        }
        broken_constraints_are_noticed(&model, &policy);
    }
}

fn broken_constraints_are_noticed(model: &Model, policy: &[Q]) {
    let (linear, mdp, shape, mut scratch) = (model.linear(), model.mdp(), model.shape, model.scratch());
    let (zero, one) = (Q::zero(), Q::one());
    let (mut lambda, mut mu) = (zeros(shape.dim), zeros(shape.pairs()));
    primal_point(&linear, policy, &mut lambda, &mut mu, &mut scratch).unwrap();
    let mut flow = zeros(shape.states);
    let mut feature = zeros(shape.dim);
    // Twice μ keeps every homogeneous constraint and breaks the normalisation.
    let twice = |f: &[Q]| -> Vec<Q> { f.iter().map(|x| x.clone() + x).collect() };
    flow_residual(&mdp, &twice(&mu), &mut flow, &mut scratch).unwrap();
    assert!(all_zero(&flow));
    assert_eq!(normalisation_residual(&twice(&mu)), Ok(one.clone()));
    assert!(!lp_feasible(&mdp, &twice(&mu), &zero, &mut scratch).unwrap());
    assert!(lp_feasible(&mdp, &twice(&mu), &one, &mut scratch).unwrap(), "the slack counts");
    primal_flow_residual(&linear, &twice(&lambda), &twice(&mu), &mut flow, &mut scratch).unwrap();
    primal_feature_residual(&linear, &twice(&lambda), &twice(&mu), &mut feature).unwrap();
    assert!(all_zero(&flow) && all_zero(&feature));
    assert_eq!(primal_normalisation_residual(&model.varrho, &twice(&lambda)), Ok(-one.clone()));
    let mut feasible =
        |lambda: &[Q], mu: &[Q]| primal_feasible(&linear, &model.varrho, lambda, mu, &zero, &mut scratch).unwrap();
    assert!(!feasible(&twice(&lambda), &twice(&mu)));
    // Any other μ misses λ or the flow.
    let mut other = mu.clone();
    other[0] = other[0].clone() + &one;
    assert!(!feasible(&lambda, &other));
    assert!(!lp_feasible(&mdp, &other, &zero, &mut scratch).unwrap());
}

#[test]
fn negative_occupancies_are_infeasible() {
    // With two equal actions, moving weight between them keeps every equation.
    let model = deterministic_model(&[1, 0], &[[1, 1], [0, 0]]);
    let mu = [q(-1, 1), q(3, 2), q(1, 2), q(0, 1)];
    let (mdp, mut scratch, mut flow) = (model.mdp(), model.scratch(), zeros(2));
    flow_residual(&mdp, &mu, &mut flow, &mut scratch).unwrap();
    assert!(all_zero(&flow) && normalisation_residual(&mu).unwrap().is_zero());
    assert!(!lp_feasible(&mdp, &mu, &q(0, 1), &mut scratch).unwrap());
    let lambda = mu.clone();
    assert!(!primal_feasible(&model.linear(), &model.varrho, &lambda, &mu, &q(0, 1), &mut scratch).unwrap());
}

/// A point (λ or β, μ, ρ, v, θ) and a policy, all arbitrary: the identities below need nothing of them.
struct Point {
    beta: Vec<Q>,
    mu: Vec<Q>,
    rho: Q,
    v: Vec<Q>,
    theta: Vec<Q>,
    policy: Vec<Q>,
}

impl Point {
    fn random(shape: Shape, draw: &mut Draw) -> Self {
        Self {
            beta: draw.vector(shape.dim),
            mu: draw.vector(shape.pairs()),
            rho: draw.number(),
            v: draw.vector(shape.states),
            theta: draw.vector(shape.dim),
            policy: draw.distributions(shape.states, shape.actions, 0),
        }
    }
}

/// Below (23): both forms of the Lagrangian in λ and in β; print's second form is off by exactly ⟨λ, ω⟩ (erratum 10).
#[test]
fn lagrangian_forms() {
    let mut draw = Draw(13);
    for model in models(30) {
        let (linear, mut scratch) = (model.linear(), model.scratch());
        let power = draw.power(model.shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let Point { beta, mu, rho, v, theta, .. } = Point::random(model.shape, &mut draw);
        let lambda = image(&power, &beta);
        let first = lagrangian(&linear, &model.varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch);
        let second = lagrangian_regrouped(&linear, &model.varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch);
        let printed =
            lagrangian_regrouped_as_printed(&linear, &model.varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch);
        assert_eq!(first, second);
        assert_eq!(first.clone().unwrap() - printed.unwrap(), dot(&lambda, &model.omega).unwrap());
        assert_eq!(first, lagrangian_beta(&saddle, &beta, &mu, &rho, &v, &theta, &mut scratch));
        assert_eq!(first, lagrangian_beta_regrouped(&saddle, &beta, &mu, &rho, &v, &theta, &mut scratch));
    }
}

/// f in every form, for every v in the first one, because ∂L/∂v = 0 at μ_{β,π}.
#[test]
fn f_forms() {
    let mut draw = Draw(17);
    for model in models(30) {
        let mut scratch = model.scratch();
        let power = draw.power(model.shape.dim);
        let saddle = Saddle::new(model.linear(), &model.varrho, &power).unwrap();
        let Point { beta, rho, v, theta, policy, .. } = Point::random(model.shape, &mut draw);
        let value = f_beta(&saddle, &beta, &policy, &rho, &theta, &mut scratch);
        assert!(value.is_ok());
        assert_eq!(value, f_lagrangian(&saddle, &beta, &policy, &rho, &theta, &mut scratch));
        assert_eq!(value, f_theta(&saddle, &beta, &policy, &rho, &theta, &mut scratch));
        assert_eq!(value, f_nu(&saddle, &beta, &policy, &rho, &theta, &mut scratch));
        let (mut mu, mut gradient) = (zeros(model.shape.pairs()), zeros(model.shape.states));
        mu_beta(&saddle, &beta, &policy, &mut mu, &mut scratch).unwrap();
        v_gradient(&saddle, &beta, &mu, &mut gradient, &mut scratch).unwrap();
        assert!(all_zero(&gradient));
        assert_eq!(value, lagrangian_beta(&saddle, &beta, &mu, &rho, &v, &theta, &mut scratch));
        // At β* of the policy, μ_{β,π} is its occupancy measure.
        let mut star = zeros(model.shape.dim);
        beta_star(&saddle, &policy, &mut star, &mut scratch).unwrap();
        mu_beta(&saddle, &star, &policy, &mut mu, &mut scratch).unwrap();
        assert_eq!(mu, model.occupancy(&policy));
    }
}

/// L and f are affine in each variable, so a difference along a unit vector is the derivative, exactly.
fn differences(at: &[Q], f: impl Fn(&[Q]) -> Q) -> Vec<Q> {
    let base = f(at);
    let along = |i: usize| {
        let mut moved = at.to_vec();
        moved[i] = moved[i].clone() + Q::one();
        f(&moved) - &base
    };
    (0..at.len()).map(along).collect()
}

#[test]
fn gradients_of_the_lagrangian() {
    let mut draw = Draw(19);
    for model in models(20) {
        let (linear, shape) = (model.linear(), model.shape);
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let p = Point::random(shape, &mut draw);
        let lag = |beta: &[Q], mu: &[Q], rho: &Q, v: &[Q], theta: &[Q]| {
            lagrangian_beta(&saddle, beta, mu, rho, v, theta, &mut model.scratch()).unwrap()
        };
        let mut scratch = model.scratch();
        let (mut on_d, mut on_x, mut on_xa) = (zeros(shape.dim), zeros(shape.states), zeros(shape.pairs()));
        beta_gradient_at(&saddle, &p.rho, &p.v, &p.theta, &mut on_d, &mut scratch).unwrap();
        assert_eq!(on_d, differences(&p.beta, |beta| lag(beta, &p.mu, &p.rho, &p.v, &p.theta)));
        mu_gradient(&linear, &p.v, &p.theta, &mut on_xa).unwrap();
        assert_eq!(on_xa, differences(&p.mu, |mu| lag(&p.beta, mu, &p.rho, &p.v, &p.theta)));
        let slope = rho_gradient(&saddle, &p.beta, &mut scratch).unwrap();
        let rho = [p.rho.clone()];
        assert_eq!([slope], *differences(&rho, |rho| lag(&p.beta, &p.mu, &rho[0], &p.v, &p.theta)));
        v_gradient(&saddle, &p.beta, &p.mu, &mut on_x, &mut scratch).unwrap();
        assert_eq!(on_x, differences(&p.v, |v| lag(&p.beta, &p.mu, &p.rho, v, &p.theta)));
        let lambda = image(&power, &p.beta);
        primal_feature_residual(&linear, &lambda, &p.mu, &mut on_d).unwrap();
        assert_eq!(on_d, differences(&p.theta, |theta| lag(&p.beta, &p.mu, &p.rho, &p.v, theta)));
        dual_feature_residual(&linear, &model.varrho, &p.rho, &p.v, &p.theta, &mut on_d).unwrap();
        let in_lambda = |lambda: &[Q]| {
            lagrangian(&linear, &model.varrho, &p.rho, &p.v, &p.theta, lambda, &p.mu, &mut model.scratch()).unwrap()
        };
        assert_eq!(on_d, differences(&lambda, in_lambda));
        dual_slack(&linear, &p.v, &p.theta, &mut on_xa).unwrap();
        assert!(
            on_xa
                .iter()
                .zip(differences(&p.mu, |mu| lag(&p.beta, mu, &p.rho, &p.v, &p.theta)))
                .all(|(slack, derivative)| *slack == -derivative)
        );
    }
}

#[test]
fn gradients_of_f() {
    let mut draw = Draw(23);
    for model in models(20) {
        let shape = model.shape;
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(model.linear(), &model.varrho, &power).unwrap();
        let p = Point::random(shape, &mut draw);
        let f = |beta: &[Q], rho: &Q, theta: &[Q]| {
            f_lagrangian(&saddle, beta, &p.policy, rho, theta, &mut model.scratch()).unwrap()
        };
        let (mut scratch, mut gradient) = (model.scratch(), zeros(shape.dim));
        beta_gradient(&saddle, &p.policy, &p.rho, &p.theta, &mut gradient, &mut scratch).unwrap();
        assert_eq!(gradient, differences(&p.beta, |beta| f(beta, &p.rho, &p.theta)));
        theta_gradient(&saddle, &p.beta, &p.policy, &mut gradient, &mut scratch).unwrap();
        assert_eq!(gradient, differences(&p.theta, |theta| f(&p.beta, &p.rho, theta)));
        let slope = rho_gradient(&saddle, &p.beta, &mut scratch).unwrap();
        assert_eq!([slope], *differences(&[p.rho.clone()], |rho| f(&p.beta, &rho[0], &p.theta)));
    }
}

/// A run's iterates, none of them produced by an algorithm: the lemmas hold for all.
struct Run {
    rhos: Vec<Q>,
    thetas: Vec<Q>,
    betas: Vec<Q>,
    policies: Vec<Q>,
}

impl Run {
    fn random(shape: Shape, outer: usize, draw: &mut Draw) -> Self {
        Self {
            rhos: draw.vector(outer),
            thetas: draw.vector(outer * shape.dim),
            betas: draw.vector(outer * shape.dim),
            policies: draw.distributions(outer * shape.states, shape.actions, 0),
        }
    }

    fn iterates(&self, model: &Model) -> Iterates<'_, Q> {
        Iterates::new(&model.linear(), &self.rhos, &self.thetas, &self.betas, &self.policies).unwrap()
    }
}

/// Lemma C.3 for any unichain comparator and any shift of θ*, and Lemma C.4's decomposition, with a symmetric
/// invertible matrix in the place of Λ^c.
#[test]
fn gap_is_suboptimality_and_the_sum_of_four_regrets() {
    let mut draw = Draw(29);
    for model in models(25) {
        let (linear, shape, mut scratch) = (model.linear(), model.shape, model.scratch());
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let outer = 3;
        let run = Run::random(shape, outer, &mut draw);
        let iterates = run.iterates(&model);
        let policy = model.random_policy(&mut draw);
        let (mut beta, mut rhos, mut thetas) = (zeros(shape.dim), zeros(outer), zeros(outer * shape.dim));
        beta_star(&saddle, &policy, &mut beta, &mut scratch).unwrap();
        rho_theta_stars(&saddle, &iterates, &mut rhos, &mut thetas, &mut scratch).unwrap();
        let stars = Comparators { policy: &policy, beta: &beta, rhos: &rhos, thetas: &thetas };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, &mut scratch).unwrap();
        assert_eq!(gap, average_suboptimality(&linear, &policy, &iterates, &mut scratch).unwrap());
        let sum = theta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + rho_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + beta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + policy_regret(&linear, &iterates, &policy, &mut scratch).unwrap();
        assert_eq!(gap, sum);
        let mut moved = thetas.clone();
        for row in moved.chunks_mut(shape.dim) {
            let c = draw.number();
            row.iter_mut().zip(&model.varrho).for_each(|(t, r)| *t = t.clone() + r.clone() * &c);
        }
        let shifted = Comparators { thetas: &moved, ..stars };
        assert_eq!(gap, dynamic_duality_gap(&saddle, &iterates, &shifted, &mut scratch).unwrap());
    }
}

/// Lemma C.4's proof: its two differences of f are the β- and π-terms, and the ρ- and θ-terms.
#[test]
fn the_two_halves_of_the_decomposition() {
    let mut draw = Draw(31);
    for model in models(25) {
        let (linear, shape, mut scratch) = (model.linear(), model.shape, model.scratch());
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let run = Run::random(shape, 1, &mut draw);
        let iterates = run.iterates(&model);
        let policy = model.random_policy(&mut draw);
        let mut beta = zeros(shape.dim);
        beta_star(&saddle, &policy, &mut beta, &mut scratch).unwrap();
        // ρ* and θ* are free in this step.
        let (rho, theta) = (draw.vector(1), draw.vector(shape.dim));
        let stars = Comparators { policy: &policy, beta: &beta, rhos: &rho, thetas: &theta };
        let [first, second] = telescoped(
            &saddle,
            (&run.rhos[0], &run.thetas, &run.betas, &run.policies),
            (&rho[0], &theta, &beta, &policy),
            &mut scratch,
        )
        .unwrap();
        let primal = beta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + policy_regret(&linear, &iterates, &policy, &mut scratch).unwrap();
        let dual = rho_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + theta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap();
        assert_eq!((first.clone(), second.clone()), (primal, dual));
        assert_eq!(first + second, dynamic_duality_gap(&saddle, &iterates, &stars, &mut scratch).unwrap());
    }
}
