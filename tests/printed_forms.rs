//! Every pair of forms that the paper prints as equal is equal, as rationals, on every embedded instance and on
//! 1,000 random rational linear MDPs (|X| ≤ 6, |A| ≤ 4, d ≤ 5), in both settings.
#![cfg(all(feature = "std", feature = "exact"))]

use offline_primal_dual::instances::{self, Owned};
use offline_primal_dual::linear::vector::dot;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::average_reward::{lagrangian as avg, lp as avg_lp, optimal as avg_optimal, values};
use offline_primal_dual::paper::covariance::covariance;
use offline_primal_dual::paper::discounted::duality_gap::occupancy_of;
use offline_primal_dual::paper::discounted::lagrangian::*;
use offline_primal_dual::paper::mdp::*;
use quickcheck::QuickCheck;

/// Small numbers from a seed; quickcheck draws the seed and prints it when a property fails.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn small(&mut self) -> Q {
        Q::ratio(self.below(13) as i64 - 6, self.below(4) as i64 + 1)
    }

    fn vector(&mut self, n: usize) -> Vec<Q> {
        (0..n).map(|_| self.small()).collect()
    }

    /// A distribution, sometimes with zeros.
    fn distribution(&mut self, n: usize) -> Vec<Q> {
        let weights: Vec<i64> = (0..n).map(|_| self.below(5) as i64).collect();
        match weights.iter().sum::<i64>() {
            0 => vec![Q::ratio(1, n as i64); n],
            total => weights.into_iter().map(|w| Q::ratio(w, total)).collect(),
        }
    }

    fn rows(&mut self, count: usize, width: usize) -> Vec<Q> {
        (0..count).flat_map(|_| self.distribution(width)).collect()
    }
}

/// φ(x,a) on the simplex, Ψ's rows distributions, ω ∈ [0,1]^d, then a shear S: Φ' = ΦS, Ψ' = S⁻¹Ψ, ω' = S⁻¹ω, so that
/// nothing keeps its sign.
fn random_model(draw: &mut Draw) -> Option<Owned<Q>> {
    let (states, actions) = (1 + draw.below(6) as usize, 1 + draw.below(4) as usize);
    let dim = (1 + draw.below(5) as usize).min(states * actions);
    let shape = Shape::new(states, actions, dim).unwrap();
    let mut features = draw.rows(shape.pairs(), dim);
    let mut psi = transpose(dim, states, &draw.rows(dim, states));
    let mut omega: Vec<Q> = (0..dim).map(|_| Q::ratio(draw.below(5) as i64, 4)).collect();
    for _ in 0..dim {
        let (i, j, s) = (draw.below(dim as u64) as usize, draw.below(dim as u64) as usize, draw.small());
        if i != j {
            for row in features.chunks_exact_mut(dim) {
                row[j] = row[j].clone() + s.clone() * &row[i];
            }
            for row in psi.chunks_exact_mut(dim).chain([&mut omega[..]]) {
                row[i] = row[i].clone() - s.clone() * &row[j];
            }
        }
    }
    let discount = Q::ratio(draw.below(10) as i64, 10);
    let (initial, behavior) = (draw.distribution(states), draw.rows(states, actions));
    let model = Owned { shape, features, omega, psi, initial, discount, behavior, root: None };
    // Full rank is not guaranteed; the few draws without it are no linear MDPs of Definition 2.1.
    model.linear_mdp().unwrap().validate(&mut scratch(shape)).ok().map(|()| model)
}

fn transpose(rows: usize, columns: usize, m: &[Q]) -> Vec<Q> {
    (0..columns).flat_map(|j| (0..rows).map(move |i| m[i * columns + j].clone())).collect()
}

fn scratch(shape: Shape) -> Vec<Q> {
    vec![Q::zero(); shape.scratch()]
}

fn all_zero(x: &[Q]) -> bool {
    x.iter().all(Field::is_zero)
}

/// Section 2: values, occupancies, returns, LPs.
fn section_2(model: &Owned<Q>, policy: &[Q]) {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut scratch(model.shape)[..]);
    let reward = mdp.reward(&mut &mut s[..]).unwrap().to_vec();
    let transition = mdp.transition(&mut &mut s[..]).unwrap().to_vec();
    let tabular = Mdp::new(shape.states, shape.actions, &reward, &transition, &model.initial, &model.discount).unwrap();
    let v = state_value(&tabular, policy, &mut &mut s[..]).unwrap().to_vec();
    let q = action_value(&tabular, &v, &mut &mut s[..]).unwrap().to_vec();
    let direct = action_value_direct(&tabular, policy, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(q, direct, "S2.q by its own system");
    assert!(all_zero(bellman_residual(&tabular, &q, &v, &mut &mut s[..]).unwrap()), "(1) left");
    let average = policy_average(shape.actions, policy, &q, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(average, v, "v^π = Σ π q^π");
    let mu = occupancy(&tabular, policy, &mut &mut s[..]).unwrap().to_vec();
    assert!(all_zero(flow_residual(&tabular, &mu, &mut &mut s[..]).unwrap()), "(1) right");
    let value = expected_reward(&reward, &mu).unwrap();
    assert_eq!(normalised_return(&tabular, &v).unwrap(), value, "S2.return");
    assert_eq!(mu.iter().fold(Q::zero(), |a, b| a + b), Q::one());
    assert!(lp_feasible(&tabular, &mu, &Q::zero(), s).unwrap(), "(2) feasibility");
    let mut wrong = mu.clone();
    wrong[0] = wrong[0].clone() + Q::ratio(1, 7);
    // One action at γ ... moves the marginal of a state by 1/7 and what arrives there by at most γ/7.
    assert!(!lp_feasible(&tabular, &wrong, &Q::zero(), s).unwrap(), "(2) infeasibility");
    let extracted = extract_policy(shape.actions, &mu, &mut &mut s[..]).unwrap().to_vec();
    let again = occupancy(&tabular, &extracted, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(mu, again, "policy extraction below (2)");
    let theta = theta_of_value(&mdp, &v, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(mdp.linear_function(&theta, &mut &mut s[..]).unwrap().to_vec(), q, "(3)");
    feature_lps(model, &tabular, &value, &mu);
}

/// (4), (5): optimal points from π*, equal values, weak duality.
fn feature_lps(model: &Owned<Q>, tabular: &Mdp<Q>, value: &Q, mu: &[Q]) {
    let (mdp, s) = (model.linear_mdp().unwrap(), &mut scratch(model.shape)[..]);
    let zero = Q::zero();
    let (best, v_best) = optimal_policy(tabular, &mut &mut s[..]).unwrap();
    let (best, v_best) = (best.to_vec(), v_best.to_vec());
    assert!(all_zero(optimality_residual(tabular, &v_best, &mut &mut s[..]).unwrap()));
    let mu_best = occupancy(tabular, &best, &mut &mut s[..]).unwrap().to_vec();
    let lambda_best = mdp.mean_feature(&mu_best, &mut &mut s[..]).unwrap().to_vec();
    let theta_best = theta_of_value(&mdp, &v_best, &mut &mut s[..]).unwrap().to_vec();
    assert!(primal_feasible(&mdp, &lambda_best, &mu_best, &zero, s).unwrap(), "(4) at π*");
    assert!(dual_feasible(&mdp, &v_best, &theta_best, &zero, s).unwrap(), "(5) at π*");
    assert_eq!(weak_duality_gap(&mdp, &v_best, &lambda_best).unwrap(), zero, "equal optimal values");
    assert_eq!(lp_objective(tabular, &mu_best).unwrap(), primal_objective(&mdp, &lambda_best).unwrap(), "(2) = (4)");
    let lambda = mdp.mean_feature(mu, &mut &mut s[..]).unwrap().to_vec();
    let gap = weak_duality_gap(&mdp, &v_best, &lambda).unwrap();
    assert_eq!(gap, lp_objective(tabular, &mu_best).unwrap() - value, "weak duality gap is the suboptimality");
    assert!(gap >= zero);
}

/// (6), (11)–(15): all forms, at points that satisfy nothing in particular, and the gradients as exact slopes.
fn lagrangians(model: &Owned<Q>, policy: &[Q], draw: &mut Draw) {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut scratch(model.shape)[..]);
    let mu_b = occupancy_of(&mdp, &model.behavior, &mut &mut s[..]).unwrap().to_vec();
    let power = covariance(&mdp, &mu_b, &mut &mut s[..]).unwrap().to_vec();
    let saddle = Saddle::new(mdp, &power).unwrap();
    let (v, mu) = (draw.vector(shape.states), draw.vector(shape.pairs()));
    let [theta, beta, step] = [(); 3].map(|()| draw.vector(shape.dim));
    let lambda = saddle.lambda(&beta, &mut &mut s[..]).unwrap().to_vec();
    let value = lagrangian(&mdp, &v, &theta, &lambda, &mu, s).unwrap();
    assert_eq!(value, lagrangian_regrouped(&mdp, &v, &theta, &lambda, &mu, s).unwrap(), "(6)");
    assert_eq!(value, lagrangian_beta(&saddle, &beta, &mu, &v, &theta, s).unwrap(), "(11)");
    assert_eq!(value, lagrangian_beta_regrouped(&saddle, &beta, &mu, &v, &theta, s).unwrap(), "(12)");
    let chosen = mu_beta(&saddle, &beta, policy, &mut &mut s[..]).unwrap().to_vec();
    let flow = primal_flow_residual(&mdp, &lambda, &chosen, &mut &mut s[..]).unwrap().to_vec();
    assert!(all_zero(&flow), "(13) satisfies the first constraint of (4)");
    assert!(all_zero(v_gradient(&saddle, &beta, &chosen, &mut &mut s[..]).unwrap()), "∂L/∂v = 0");
    let f = f_theta(&saddle, &beta, policy, &theta, s).unwrap();
    assert_eq!(f, lagrangian_beta(&saddle, &beta, &chosen, &v, &theta, s).unwrap(), "(14): f = L at μ_(β,π)");
    assert_eq!(f, f_nu(&saddle, &beta, policy, &theta, s).unwrap(), "(15) left");
    assert_eq!(f, f_beta(&saddle, &beta, policy, &theta, s).unwrap(), "(15) right");
    // f is affine in θ and in β, so a gradient is exact when it predicts one step.
    let plus = |a: &[Q], b: &[Q]| a.iter().zip(b).map(|(x, y)| x.clone() + y).collect::<Vec<_>>();
    let g_theta = theta_gradient(&saddle, &beta, policy, &mut &mut s[..]).unwrap().to_vec();
    let moved = f_theta(&saddle, &beta, policy, &plus(&theta, &step), s).unwrap();
    assert_eq!(moved - &f, dot(&g_theta, &step).unwrap(), "∇_θ f");
    let g_beta = beta_gradient(&saddle, policy, &theta, &mut &mut s[..]).unwrap().to_vec();
    let moved = f_theta(&saddle, &plus(&beta, &step), policy, &theta, s).unwrap();
    assert_eq!(moved - &f, dot(&g_beta, &step).unwrap(), "∇_β f");
    let g_mu = mu_gradient(&mdp, &v, &theta, &mut &mut s[..]).unwrap().to_vec();
    let mu_step = draw.vector(shape.pairs());
    let moved = lagrangian(&mdp, &v, &theta, &lambda, &plus(&mu, &mu_step), s).unwrap();
    assert_eq!(moved - &value, dot(&g_mu, &mu_step).unwrap(), "∇_μ L");
    let g_v = v_gradient(&saddle, &beta, &mu, &mut &mut s[..]).unwrap().to_vec();
    let v_step = draw.vector(shape.states);
    let moved = lagrangian(&mdp, &plus(&v, &v_step), &theta, &lambda, &mu, s).unwrap();
    assert_eq!(moved - &value, dot(&g_v, &v_step).unwrap(), "∇_v L");
}

/// Section 5 and Appendix C, where the policy is unichain and 1 is in the span of Φ (always so in `random_model`).
fn average_reward(model: &Owned<Q>, policy: &[Q], draw: &mut Draw) -> bool {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut scratch(model.shape)[..]);
    let Ok(varrho) = ones_coefficients(&mdp, &mut &mut s[..]).map(|out| out.to_vec()) else { return false };
    let reward = mdp.reward(&mut &mut s[..]).unwrap().to_vec();
    let transition = mdp.transition(&mut &mut s[..]).unwrap().to_vec();
    let tabular = Mdp::new(shape.states, shape.actions, &reward, &transition, &model.initial, &model.discount).unwrap();
    let Ok(mu) = values::occupancy(&tabular, policy, &mut &mut s[..]).map(|out| out.to_vec()) else { return false };
    assert!(avg_lp::lp_feasible(&tabular, &mu, &Q::zero(), s).unwrap(), "(23) feasibility");
    let gain = values::gain(&tabular, policy, s).unwrap();
    assert_eq!(gain, expected_reward(&reward, &mu).unwrap(), "S5.gain");
    let (solved, v) = values::state_value(&tabular, policy, &mut &mut s[..]).unwrap();
    assert_eq!(solved, gain, "S5.bias: the gain by its system");
    let v = v.to_vec();
    let q = values::action_value(&tabular, &gain, &v, &mut &mut s[..]).unwrap().to_vec();
    let average = policy_average(shape.actions, policy, &q, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(average, v, "v^π = Σ π q^π");
    let theta = values::theta_of_value(&mdp, &varrho, &gain, &v, &mut &mut s[..]).unwrap().to_vec();
    assert_eq!(mdp.linear_function(&theta, &mut &mut s[..]).unwrap().to_vec(), q, "q^π = Φθ^π");

    let mu_b = occupancy_of(&mdp, &model.behavior, &mut &mut s[..]).unwrap().to_vec();
    let power = covariance(&mdp, &mu_b, &mut &mut s[..]).unwrap().to_vec();
    let saddle = avg::Saddle::new(mdp, &varrho, &power).unwrap();
    let (v, mu, rho) = (draw.vector(shape.states), draw.vector(shape.pairs()), draw.small());
    let [theta, beta] = [(); 2].map(|()| draw.vector(shape.dim));
    let lambda = saddle.lambda(&beta, &mut &mut s[..]).unwrap().to_vec();
    let value = avg::lagrangian(&mdp, &varrho, &rho, &v, &theta, &lambda, &mu, s).unwrap();
    let regrouped = avg::lagrangian_regrouped(&mdp, &varrho, &rho, &v, &theta, &lambda, &mu, s).unwrap();
    assert_eq!(value, regrouped, "Appendix C, L in λ, both forms");
    assert_eq!(value, avg::lagrangian_beta(&saddle, &beta, &mu, &rho, &v, &theta, s).unwrap(), "L in β");
    assert_eq!(value, avg::lagrangian_beta_regrouped(&saddle, &beta, &mu, &rho, &v, &theta, s).unwrap());
    let f = avg::f_theta(&saddle, &beta, policy, &rho, &theta, s).unwrap();
    assert_eq!(f, avg::f_nu(&saddle, &beta, policy, &rho, &theta, s).unwrap());
    assert_eq!(f, avg::f_beta(&saddle, &beta, policy, &rho, &theta, s).unwrap());
    assert_eq!(f, avg::f_lagrangian(&saddle, &beta, policy, &rho, &theta, s).unwrap());
    let slope = avg::rho_gradient(&saddle, &beta, s).unwrap();
    let moved = avg::f_theta(&saddle, &beta, policy, &(rho.clone() + Q::one()), &theta, s).unwrap();
    assert_eq!(moved - f, slope, "g_ρ");
    true
}

#[test]
fn on_every_embedded_instance() {
    let mut averaged = 0;
    for instance in instances::all() {
        let model = instance.to_owned::<Q>().unwrap();
        let mut draw = Draw(7);
        for _ in 0..3 {
            let policy = draw.rows(model.shape.states, model.shape.actions);
            section_2(&model, &policy);
            lagrangians(&model, &policy, &mut draw);
            averaged += usize::from(average_reward(&model, &policy, &mut draw));
        }
        if instance.is_average_reward() {
            let s = &mut scratch(model.shape)[..];
            let mdp = model.linear_mdp().unwrap();
            let mut table = scratch(model.shape);
            let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
            let (gain, _, v) = avg_optimal::optimal_policy(&tabular, &mut &mut s[..]).unwrap();
            let v = v.to_vec();
            let residual = avg_optimal::optimality_residual(&tabular, &gain, &v, &mut &mut s[..]).unwrap().to_vec();
            assert!(all_zero(&residual), "average-reward optimality on {}", instance.name());
        }
    }
    assert!(averaged > 0, "no instance exercised the average-reward forms");
}

#[test]
fn on_a_thousand_random_linear_mdps() {
    fn all_forms(seed: u64) -> quickcheck::TestResult {
        let mut draw = Draw(seed);
        let Some(model) = random_model(&mut draw) else { return quickcheck::TestResult::discard() };
        let policy = draw.rows(model.shape.states, model.shape.actions);
        section_2(&model, &policy);
        lagrangians(&model, &policy, &mut draw);
        average_reward(&model, &policy, &mut draw);
        quickcheck::TestResult::passed()
    }
    QuickCheck::new().tests(1000).min_tests_passed(1000).max_tests(20_000).quickcheck(all_forms as fn(u64) -> _);
}
