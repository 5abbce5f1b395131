//! Appendix C: Algorithm 2, Theorem C.1, the duality gap, the estimators and the regret bounds.

use super::appendix_a::trace_of;
use super::case::{Case, Power, count, fill, not_applicable, vector, weighted};
use super::check::{CHOICE, plain, powered};
use super::compared::{Compared, at_most, at_most_enclosed, equal, equal_vectors};
use super::enumerated::{average, rate};
use super::section3::{feature, store};
use super::section5::{gradients, span};
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::vector::{norm, norm_squared};
use crate::number::exact::BigRational as Q;
use crate::number::interval::Interval;
use crate::number::{Field, Real};
use crate::paper::average_reward::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::average_reward::estimators::{
    beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
};
use crate::paper::average_reward::guarantee::{
    Constants, Rates, beta_regret_bound, bound, corollary_complexity, gap_bound, inner_per_outer, least_theta_squared,
    rho_regret_bound, second_moment_bound_beta, second_moment_bound_rho, second_moment_bound_theta,
    simplified_complexity, theta_bound, theta_regret_bound,
};
use crate::paper::average_reward::lagrangian::theta_of_policy;
use crate::paper::average_reward::unichain::policy_span;
use crate::paper::average_reward::values::shifted_theta;
use crate::paper::coverage::coverage_ratio;
use crate::paper::online_learning::mirror_descent::conditional_entropy;
use crate::paper::samples::{FeatureTable, Sample};
use std::vec;
use std::vec::Vec;

pub const STATEMENTS: &[Statement] = &[
    Statement::new("C", "(23)", "the average-reward LP, Lagrangians, f and gradients")
        .label("eq:original-lp-AMDP")
        .coq(&["appendix_C_lagrangian", "appendix_C_f"])
        .errata(&[10])
        .functions(&[
            "paper::average_reward::lp::lp_objective",
            "paper::average_reward::lp::flow_residual",
            "paper::average_reward::lp::normalisation_residual",
            "paper::average_reward::lp::lp_feasible",
            "paper::average_reward::lp::primal_objective",
            "paper::average_reward::lp::primal_flow_residual",
            "paper::average_reward::lp::primal_normalisation_residual",
            "paper::average_reward::lp::primal_feasible",
            "paper::average_reward::lp::dual_feature_residual",
            "paper::average_reward::lp::dual_feasible",
            "paper::average_reward::lp::weak_duality_gap",
            "paper::average_reward::lp::primal_point",
            "paper::average_reward::lp::dual_point",
            "paper::average_reward::lagrangian::lagrangian",
            "paper::average_reward::lagrangian::lagrangian_regrouped",
            "paper::average_reward::lagrangian::lagrangian_beta",
            "paper::average_reward::lagrangian::lagrangian_beta_regrouped",
            "paper::average_reward::lagrangian::nu_beta",
            "paper::average_reward::lagrangian::mu_beta",
            "paper::average_reward::lagrangian::f_theta",
            "paper::average_reward::lagrangian::f_nu",
            "paper::average_reward::lagrangian::f_beta",
            "paper::average_reward::lagrangian::f_lagrangian",
            "paper::average_reward::lagrangian::theta_gradient",
            "paper::average_reward::lagrangian::rho_gradient",
            "paper::average_reward::lagrangian::beta_gradient",
        ]),
    Statement::new("C", "C.theta-span", "D_θ scales at least linearly with D_q")
        .functions(&["paper::average_reward::guarantee::least_theta_squared"]),
    Statement::new("C", "Alg 2", "the average-reward method")
        .label("alg:Main")
        .coq(&["softmax_policy", "projection_ball", "projection_interval"])
        .kani(&[
            "average_reward_starts_in_balls",
            "average_reward_inner_step_is_the_box",
            "average_reward_outer_iteration_is_the_box",
            "draw_is_the_first_above",
            "unit_interval_is_idempotent",
        ])
        .errata(&[9, 11])
        .functions(&["paper::average_reward::algorithm::Algorithm"]),
    Statement::new("C", "Thm C.1", "the eight-term bound")
        .label("thm:AMDP_main")
        .coq(&["theorem_C_1", "theorem_C_1_from_definition", "theorem_C_1_samples"])
        .errata(&[4, 13, 15, 16])
        .functions(&[
            "paper::average_reward::guarantee::second_moment_bound_beta",
            "paper::average_reward::guarantee::second_moment_bound_rho",
            "paper::average_reward::guarantee::second_moment_bound_theta",
            "paper::average_reward::guarantee::squared_rates",
            "paper::average_reward::guarantee::rates",
            "paper::average_reward::guarantee::bound_terms",
            "paper::average_reward::guarantee::bound",
            "paper::average_reward::guarantee::inner_per_outer",
            "paper::average_reward::guarantee::complexity",
        ]),
    Statement::new("C", "(24)", "G_β²")
        .label("eq:amdpGbeta")
        .coq(&["lemma_C_5"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_beta"]),
    Statement::new("C", "(25)", "G_ρ²")
        .label("eq:amdpGrho")
        .coq(&["lemma_C_6"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_rho"]),
    Statement::new("C", "(26)", "G_θ²")
        .label("eq:amdpGtheta")
        .coq(&["lemma_C_7"])
        .functions(&["paper::average_reward::guarantee::second_moment_bound_theta"]),
    Statement::new("C", "Cor C.2", "the same under standard assumptions").label("cavg").errata(&[4, 12]).functions(&[
        "paper::average_reward::guarantee::theta_bound",
        "paper::average_reward::guarantee::corollary_complexity",
    ]),
    Statement::new("C", "(27)", "the dynamic duality gap")
        .functions(&["paper::average_reward::duality_gap::dynamic_duality_gap"]),
    Statement::new("C", "Lemma C.3", "gap = suboptimality")
        .label("lem:duality-to-suboptimality")
        .coq(&["lemma_C_3"])
        .errata(&[13])
        .functions(&[
            "paper::average_reward::duality_gap::Comparators",
            "paper::average_reward::duality_gap::beta_star",
            "paper::average_reward::duality_gap::rho_theta_stars",
            "paper::average_reward::duality_gap::dynamic_duality_gap",
            "paper::average_reward::duality_gap::average_suboptimality",
            "paper::average_reward::values::shifted_theta",
        ]),
    Statement::new("C", "Lemma C.4", "decomposition and bound")
        .label("lem:duality-to-opterror")
        .coq(&["lemma_C_4_equality", "lemma_C_4_inner", "lemma_C_4_inequality"])
        .functions(&[
            "paper::average_reward::duality_gap::telescoped",
            "paper::average_reward::regret::theta_regret",
            "paper::average_reward::regret::rho_regret",
            "paper::average_reward::regret::beta_regret",
            "paper::average_reward::regret::policy_regret",
            "paper::discounted::regret::inner_regret",
            "paper::average_reward::guarantee::gap_bound",
        ]),
    Statement::new("C", "Lemma C.5", "g̃_β: unbiased, second moment, regret")
        .label("lem:gbeta")
        .coq(&["lemma_C_5", "lemma_D_1"])
        .errata(&[18])
        .functions(&[
            "paper::average_reward::estimators::td_error",
            "paper::average_reward::estimators::beta_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_beta",
            "paper::average_reward::guarantee::beta_regret_bound",
        ]),
    Statement::new("C", "(28)", "Lemma C.5's regret bound")
        .label("eqn:betabound")
        .coq(&["lemma_D_1", "theorem_C_1"])
        .functions(&["paper::average_reward::guarantee::beta_regret_bound"]),
    Statement::new("C", "Lemma C.6", "g̃_ρ: unbiased, second moment, regret")
        .label("lem:grho")
        .coq(&["lemma_C_6", "lemma_D_1"])
        .functions(&[
            "paper::average_reward::estimators::rho_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_rho",
            "paper::average_reward::guarantee::rho_regret_bound",
        ]),
    Statement::new("C", "Lemma C.7", "g̃_θ: unbiased, second moment, regret")
        .label("lem:gtheta")
        .coq(&["lemma_C_7", "lemma_D_1"])
        .errata(&[10])
        .functions(&[
            "paper::average_reward::estimators::theta_gradient_estimate",
            "paper::average_reward::guarantee::second_moment_bound_theta",
            "paper::average_reward::guarantee::theta_regret_bound",
        ]),
    Statement::new("C", "(29)", "Lemma C.7's regret bound")
        .label("eqn:thetabound")
        .coq(&["lemma_D_1", "theorem_C_1"])
        .functions(&["paper::average_reward::guarantee::theta_regret_bound"]),
];

pub const CHECKS: &[Check] = &[
    powered!(average_unbiased_beta, "Lemma C.5", "E g̃_β = g_β").enumerates(),
    powered!(average_unbiased_rho, "Lemma C.6", "E g̃_ρ = g_ρ").enumerates(),
    powered!(average_unbiased_theta, "Lemma C.7", "E g̃_θ = g_θ, over A' ~ π too").enumerates(),
    powered!(average_beta_moment, "Thm C.1, (24), Lemma C.5", "E‖g̃_β‖² ≤ G_β²").enumerates(),
    powered!(average_rho_moment, "Thm C.1, (25), Lemma C.6", "E g̃_ρ² ≤ 2(1 + ‖β‖²_{Λ^{2c−1}})").enumerates(),
    powered!(average_theta_moment, "Thm C.1, (26), Lemma C.7", "E‖g̃_θ‖² ≤ 4D_φ²‖β‖²_{Λ^{2c−1}}").enumerates(),
    powered!(average_balanced_ratio, "Thm C.1", "K/T·(4D_β²G_β² + 2D_θ²D_φ²log|A|) = G_ρ² + 4D_θ²G_θ²"),
    powered!(
        average_bound_is_sum,
        "Thm C.1, Lemma C.4, Lemma C.5, Lemma C.6, Lemma C.7",
        "the eight terms = the lemmas' bounds over T, K, K, and Lemma B.3's"
    ),
    powered!(
        average_beta_regret_bounded,
        "Lemma C.5, (28)",
        "E Σ_t ⟨β* − β_t, g_{β,t}⟩ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        average_rho_regret_bounded,
        "Lemma C.6",
        "E Σ_i (ρ^{(i)} − ρ*)g_ρ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        average_theta_regret_bounded,
        "Lemma C.7, (29)",
        "E Σ_i ⟨θ^{(i)} − θ*, g_θ⟩ ≤ its bound, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    powered!(
        average_gap_bounded,
        "(27), Lemma C.4",
        "E G_T ≤ its bound, over every data sequence, K = 2, T = 1 (enclosed)"
    )
    .enumerates(),
    powered!(
        average_gap_in_parts,
        "(27), Lemma C.4",
        "E G_T = E of the regrets, over every data sequence, K = 2, T = 1"
    )
    .enumerates(),
    plain!(span_needs_radius, "C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ^π‖²"),
    plain!(shifted_span_needs_radius, "C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ*‖², Lemma C.3's shift"),
    plain!(second_inner_loop, "Alg 2", "ρ_2^{(1)} = ρ_1, the average, as θ_2^{(1)} = θ_1"),
    plain!(corollary_theta, "Cor C.2", "‖θ*‖ ≤ D_ω + ‖ϱ‖ + D_ψD_q (enclosed)").enumerates(),
    powered!(average_corollary_order, "Cor C.2", "order of n_ε = Thm 5.3's at D_φ = 1, D_θ² = dD_q², D_β² = C_{φ,c}")
        .enumerates(),
];

/// E g̃_β, or E‖g̃_β‖², at the ρ that is given.
pub fn mean_beta(case: &Case, power: &Power, rho: &Q, square: bool, s: &mut [Q]) -> Result<Vec<Q>> {
    let (v, dim, actions) = (case.v_theta(&case.theta, &case.policy, s)?, case.theta.len(), case.model.shape.actions);
    case.expectation(if square { 1 } else { dim }, |o, out| {
        let phi = feature(case, o);
        let error = td_error(&case.reward[o.x * actions + o.a], &v[o.next], phi, &case.theta, rho)?;
        let gradient = fill(dim, |out| beta_gradient_estimate(power.weight.as_deref(), phi, &error, out))?;
        store(&gradient, out, square)
    })
}

fn mean_rho(case: &Case, power: &Power, square: bool) -> Result<Q> {
    let weighted = weighted(power, &case.beta)?;
    let mut mean = case.expectation(1, |o, out| {
        let g = rho_gradient_estimate(feature(case, o), &weighted)?;
        out[0] = if square { g.clone() * g } else { g };
        Ok(())
    })?;
    Ok(mean.swap_remove(0))
}

fn mean_theta(case: &Case, power: &Power, square: bool) -> Result<Vec<Q>> {
    let (dim, weighted) = (case.theta.len(), weighted(power, &case.beta)?);
    case.expectation(if square { 1 } else { dim }, |o, out| {
        out.fill(Q::zero());
        for (phi_next, p) in case.features_of(o.next).chunks(dim).zip(case.row(&case.policy, o.next)) {
            let g = fill(dim, |out| theta_gradient_estimate(feature(case, o), phi_next, &weighted, out))?;
            let mut part = vec![Q::zero(); out.len()];
            store(&g, &mut part, square)?;
            for (o, part) in out.iter_mut().zip(part) {
                *o += part * p;
            }
        }
        Ok(())
    })
}

fn average_unbiased_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&mean_beta(case, power, &case.rho, false, s)?, &gradients(case, power, s)?.0))
}

fn average_unbiased_rho(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(mean_rho(case, power, false)?, gradients(case, power, s)?.1))
}

fn average_unbiased_theta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal_vectors(&mean_theta(case, power, false)?, &gradients(case, power, s)?.2))
}

/// The theorem's constants at D_θ = ‖θ‖ and D_β = ‖β‖. D_φD_θ from above: it is at most (D_φ² + D_θ²)/2.
pub fn constants(case: &Case, power: &Power) -> Result<Constants<Q>> {
    constants_at(case, power, norm_squared(&case.theta)?, norm_squared(&case.beta)?)
}

pub fn constants_at(case: &Case, power: &Power, theta_squared: Q, beta_squared: Q) -> Result<Constants<Q>> {
    let phi_squared = case.bounds.phi.clone();
    let phi_theta = (phi_squared.clone() + &theta_squared) / Q::from_int(2);
    let (trace, norm) = (trace_of(case, power)?, power.norm.clone());
    Ok(Constants { log_actions: Q::one(), phi_squared, theta_squared, phi_theta, beta_squared, trace, norm })
}

pub fn enclosed(constants: &Constants<Q>, log_actions: Interval) -> Constants<Interval> {
    let Constants { phi_squared, theta_squared, phi_theta, beta_squared, trace, norm, .. } = constants;
    let [phi_squared, theta_squared, phi_theta, beta_squared, trace, norm] =
        [phi_squared, theta_squared, phi_theta, beta_squared, trace, norm].map(Interval::point);
    Constants { log_actions, phi_squared, theta_squared, phi_theta, beta_squared, trace, norm }
}

/// With D_β²‖Λ‖^{2c−1} at its sharpest, ‖β‖²_{Λ^{2c−1}}.
fn sharp_constants(case: &Case, power: &Power, s: &mut [Q]) -> Result<Constants<Q>> {
    use crate::paper::covariance::{Exponent, weighted_norm_squared};
    let constants = constants(case, power)?;
    let beta_squared = match power.c {
        Exponent::One => weighted_norm_squared(case.theta.len(), &case.lambda, &case.beta, s)?,
        Exponent::Half => constants.beta_squared.clone(),
    };
    Ok(Constants { beta_squared, norm: Q::one(), ..constants })
}

fn average_beta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_beta(case, power, &case.rho, true, s)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_beta(&sharp_constants(case, power, s)?)))
}

fn average_rho_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(mean_rho(case, power, true)?, second_moment_bound_rho(&sharp_constants(case, power, s)?)))
}

fn average_theta_moment(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let moment = mean_theta(case, power, true)?.swap_remove(0);
    Ok(at_most(moment, second_moment_bound_theta(&sharp_constants(case, power, s)?)))
}

fn average_balanced_ratio(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = &constants;
    let by_t = count(4) * beta_squared * second_moment_bound_beta(&constants)
        + count(2) * theta_squared * phi_squared * log_actions;
    let by_k = second_moment_bound_rho(&constants) + count(4) * theta_squared * second_moment_bound_theta(&constants);
    Ok(equal(inner_per_outer(&constants)? * by_t, by_k))
}

fn rates() -> Rates<Q> {
    Rates { alpha: Q::ratio(1, 3), eta: Q::ratio(1, 4), zeta: Q::ratio(1, 5), xi: Q::ratio(1, 6) }
}

/// K = 5 and T = 7.
fn average_bound_is_sum(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let (constants, rates) = (constants(case, power)?, rates());
    let policy = constants.log_actions.clone() / (rates.alpha.clone() * count(7))
        + rates.alpha.clone() * &constants.phi_squared * &constants.theta_squared / count(2);
    let lemmas = beta_regret_bound(&constants, &rates.zeta, 7)? / count(7)
        + rho_regret_bound(&constants, &rates.xi, 5)? / count(5)
        + theta_regret_bound(&constants, &rates.eta, 5)? / count(5)
        + policy;
    Ok(equal(bound(&constants, &rates, 5, 7)?, lemmas))
}

/// The expected regrets, with the constants at their radii.
fn expected(case: &Case, power: &Power, s: &mut [Q]) -> Result<(super::enumerated::Expected, Constants<Q>)> {
    let expected = average(case, power, s)?;
    let (theta_squared, beta_squared) = (expected.theta_squared.clone(), expected.beta_squared.clone());
    let constants = constants_at(case, power, theta_squared, beta_squared)?;
    Ok((expected, constants))
}

fn average_beta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.beta, beta_regret_bound(&constants, &rate(), 1)?))
}

fn average_rho_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.rho, rho_regret_bound(&constants, &rate(), 2)?))
}

fn average_theta_regret_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (expected, constants) = expected(case, power, s)?;
    Ok(at_most(expected.theta, theta_regret_bound(&constants, &rate(), 2)?))
}

fn average_gap_in_parts(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let expected = average(case, power, s)?;
    Ok(equal(expected.gap, expected.beta + expected.policy + (expected.theta + expected.rho) / count(2)))
}

/// π₁ is uniform.
fn average_gap_bounded(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let actions = case.model.shape.actions;
    if actions < 2 {
        return Err(not_applicable(CHOICE));
    }
    let (expected, constants) = expected(case, power, s)?;
    let points = |numbers: &[Q]| numbers.iter().map(Interval::point).collect::<Vec<_>>();
    let (nu, star) = (points(&case.marginal(&case.mu_star)?), points(&case.star));
    let uniform = vec![Interval::point(&(Q::one() / count(actions))); case.mu.len()];
    let entropy = conditional_entropy(actions, &nu, &star, &uniform)?;
    let [alpha, eta, zeta, xi] = [rate(), rate(), rate(), rate()].map(|rate| Interval::point(&rate));
    let rates = Rates { alpha, eta, zeta, xi };
    let bound = gap_bound(&enclosed(&constants, Interval::zero()), &entropy, &rates, 2, 1)?;
    Ok(at_most_enclosed(&Interval::point(&expected.gap), &bound))
}

/// θ^π, and Lemma C.3's shift of it.
pub fn thetas_of_policy(case: &Case, s: &mut [Q]) -> Result<(Vec<Q>, Vec<Q>)> {
    let mdp = case.mdp()?;
    let theta = vector(s, |s| Ok(theta_of_policy(&mdp, &case.varrho, &case.policy, s)?.1))?;
    let shifted = vector(s, |s| shifted_theta(&mdp, &case.varrho, &theta, s))?;
    Ok((theta, shifted))
}

fn needed_radius(case: &Case, s: &mut [Q]) -> Result<Q> {
    least_theta_squared(&policy_span(&case.tabular()?, &case.policy, s)?, &case.bounds.phi)
}

fn span_needs_radius(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(needed_radius(case, s)?, norm_squared(&thetas_of_policy(case, s)?.0)?))
}

fn shifted_span_needs_radius(case: &Case, s: &mut [Q]) -> Result<Compared> {
    Ok(at_most(needed_radius(case, s)?, norm_squared(&thetas_of_policy(case, s)?.1)?))
}

/// ‖θ*‖ ≤ D_ω + m + D_ψD_q, where m is the square root of `middle`.
pub fn corollary_radius(case: &Case, middle: &Q, s: &mut [Q]) -> Result<Compared> {
    let (_, shifted) = thetas_of_policy(case, s)?;
    let [omega, middle, psi] = [&case.bounds.omega, middle, &case.bounds.psi].map(|x| Interval::point(x).sqrt());
    let bound = theta_bound(&omega, &middle, &psi, &Interval::point(&span(case, s)?))?;
    let shifted: Vec<Interval> = shifted.iter().map(Interval::point).collect();
    Ok(at_most_enclosed(&norm(&shifted)?, &bound))
}

fn corollary_theta(case: &Case, s: &mut [Q]) -> Result<Compared> {
    corollary_radius(case, &norm_squared(&case.varrho)?, s)
}

fn average_corollary_order(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (dim, one, span) = (case.theta.len(), Q::one(), span(case, s)?);
    let coverage = coverage_ratio(power.c, &case.mdp()?, &case.mu_star, &case.lambda, s)?;
    let constants = Constants {
        phi_squared: one.clone(),
        theta_squared: count(dim) * &span * &span,
        beta_squared: coverage.clone(),
        ..constants(case, power)?
    };
    let stated = corollary_complexity(power.c, dim, &span, &constants.log_actions, &coverage, &one)?;
    Ok(equal(stated, simplified_complexity(power.c, dim, &constants, &one)?))
}

/// Where the second inner loop's ρ starts.
pub struct SecondStart {
    /// ρ_2^{(1)} as the algorithm takes it.
    pub taken: Q,
    /// ρ_1, the average over the first inner loop.
    pub average: Q,
    /// The last iterate of the first inner loop.
    pub last: Q,
}

#[derive(Default)]
struct Rhos {
    starts: Vec<f64>,
    iterates: Vec<f64>,
    averages: Vec<f64>,
}

impl Observer<f64> for Rhos {
    fn begin_outer(&mut self, _: usize, _: &[f64], rho: &f64, _: &[f64], _: &[f64], _: &[f64]) {
        self.starts.push(*rho);
    }

    fn inner_step(&mut self, step: &InnerStep<f64>) {
        if step.t == 1 {
            self.iterates.push(*step.rho_next);
        }
    }

    fn outer_step(&mut self, step: &OuterStep<f64>) {
        self.averages.push(*step.rho);
    }
}

/// Two iterations of Algorithm 2, K = 2, at the first state and action of the instance, from ρ₀ = 1/2 and β₁ = the case's β, halved until
/// it is in the ball.
pub fn second_start(case: &Case) -> Result<SecondStart> {
    let shape = case.model.shape;
    let doubles = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let (features, mut beta) = (doubles(&case.model.features), doubles(&case.beta));
    while beta.iter().map(|x| x * x).sum::<f64>() > 16.0 {
        for x in &mut beta {
            *x /= 2.0;
        }
    }
    let table = FeatureTable::new(shape.actions, shape.dim, &features)?;
    let parameters =
        Parameters { alpha: 1.0, eta: 0.25, zeta: 0.25, xi: 0.0625, radius_theta: 8.0, radius_beta: 8.0, inner: 2 };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
    let mut state = State::new(shape.actions, shape.dim, &mut buffer)?;
    let algorithm = Algorithm::new(&table, None, &parameters)?;
    algorithm.start_at(&mut state, &vec![0.0; shape.dim], 0.5, &beta)?;
    let mut rhos = Rhos::default();
    algorithm.run(&mut state, 2, [Sample::default(); 6], &mut rhos)?;
    let [taken, average, last] = [rhos.starts[1], rhos.averages[0], rhos.iterates[1]].map(Q::from_f64);
    Ok(SecondStart { taken: taken?, average: average?, last: last? })
}

fn second_inner_loop(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let rho = second_start(case)?;
    Ok(equal(rho.taken, rho.average))
}

/// 3(D_ω² + ‖ϱ‖² + D_ψ²D_q²), which bounds ‖θ*‖² by Corollary C.2.
pub fn theta_squared(case: &Case, s: &mut [Q]) -> Result<Q> {
    let span = span(case, s)?;
    let psi = case.bounds.psi.clone() * &span * &span;
    Ok((case.bounds.omega.clone() + norm_squared(&case.varrho)? + psi) * Q::from_int(3))
}
