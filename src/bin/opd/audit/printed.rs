//! What print says and the errata correct, evaluated as printed. The corrected forms are among the other checks, and
//! docs/errata.md says why each one stands.

use super::Entry;
use super::appendix_b::{constants, norm_bound};
use super::appendix_d::last_display;
use super::case::{Case, Power, Q};
use super::check::{Compared, Side, at_most, at_most_enclosed, equal, equal_float, equal_vectors, truth};
use super::section2::{linear_action_value, q_direct, v_of};
use super::section4::{beta_star_of, mean_occupancy_estimate, mean_theta_with, mu_of_beta};
use super::{appendix_c, section5};
use offline_primal_dual::linear::softmax::policy_row;
use offline_primal_dual::linear::vector::{apply_transposed, norm_squared};
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::guarantee as average;
use offline_primal_dual::paper::covariance::{Exponent, apply_inverse};
use offline_primal_dual::paper::coverage::diamond_ratio;
use offline_primal_dual::paper::discounted::estimators::{
    Visit, beta_gradient_estimate, td_error, theta_gradient_estimate,
};
use offline_primal_dual::paper::discounted::guarantee::{inner_per_outer, printed_inner_per_outer};
use offline_primal_dual::paper::discounted::lagrangian::{Saddle, beta_gradient, f_theta, theta_gradient, v_theta};
use offline_primal_dual::paper::discounted::regret::policy_advantage;
use offline_primal_dual::paper::mdp::{
    Mdp, expected_reward, policy_average, policy_transition, state_marginal, state_value,
};
use offline_primal_dual::paper::online_learning::mirror_descent::mirror_step;
use offline_primal_dual::{Error, Result as Checked};

/// A rate for policies, which are compared as doubles.
const ALPHA: f64 = 0.75;

pub const DISCOUNTED: &[Entry] = &[
    Entry::powered_erratum(7, "E g̃_β = ∇_β f as Algorithm 1's box has it, without Λ^{c−1}", box_without_weight),
    Entry::powered_erratum(7, "E g̃_β = ∇_β f without R, which the box's W lacks", box_without_reward),
    Entry::erratum(8, "(1−γ)Σ_{t<n} E r(X_t,A_t) ≤ ρ(π), without γ^t", undiscounted_return),
    Entry::erratum(8, "(1−γ)Σ_{t<n} Σ_x P{X_t = x} ≤ Σ_x ν^π(x), without γ^t", undiscounted_occupancy),
    Entry::erratum(8, "Φ(ω + Ψv^π) = q^π, (3) without γ", undiscounted_q),
    Entry::powered_erratum(8, "E μ_{t,k} = μ_{β,π}, the first line without γ", undiscounted_estimate),
    Entry::erratum(8, "(1−γ)ν₀ + Pᵀμ* = ν^{π*}, proof of Lemma 4.1 without γ", undiscounted_flow),
    Entry::erratum(11, "max_x 1/π₁(a*|x) ≤ |A|, that is D(π*‖π₁) ≤ log|A|, at π₁ = π_B", entropy_of_any_start),
    Entry::erratum(11, "softmax(αq) = π₁e^{αq}/Z, Lemma D.2's π₂, at π₁ = π_B", softmax_forgets),
    Entry::powered_erratum(12, "E g̃_θ = ∇_θ f with π(·|x⁰) for π(·|x') in φ'_{t,k}", start_policy),
    Entry::erratum(12, "v^π exists at γ = 1, which [0,1] admits", discount_one),
    Entry::erratum(12, "Lemma D.2's last display, without the sum over t: T = 2, q₂ = −q₁", lost_sum),
    Entry::erratum(12, "C_{φ,2} ≤ C^⋄, with c ∈ {1,2} as Def E.1 prints", exponent_two),
    Entry::erratum(14, "the π-part of (21) = the π-regret for any β*: at 2β*", any_comparator),
    Entry::powered_erratum(15, "n at the printed K/T ≤ n at its reciprocal, log|A| = 1", printed_ratio),
];

pub const AVERAGE: &[Entry] = &[
    Entry::erratum(9, "softmax(ΣΦθ), as the text has it = softmax(αΣΦθ)", text_without_alpha),
    Entry::erratum(9, "ρ_2^{(1)} = the last inner iterate, which print leaves open", last_iterate),
    Entry::erratum(12, "‖θ*‖ ≤ D_ω + 1 + D_ψD_q, Cor C.2 as printed", corollary_with_one),
    Entry::erratum(13, "‖θ*‖² ≤ ‖θ^π‖²: Lemma C.3's shifted θ* stays in the ball", shifted_leaves_ball),
    Entry::powered_erratum(16, "order of n_ε ≤ the printed one, with ‖Λ‖^{2(2c−1)}", printed_order),
    Entry::powered_erratum(18, "E‖g̃_β‖² = Lemma C.5's display, without ρ", display_without_rho),
];

/// E Λ^{c−1}φ(R + γv(X') − ⟨φ, θ⟩) = ∇_β f, with the weight and the reward that are given.
fn beta_mean(case: &mut Case, power: &Power, weight: Option<&[Q]>, reward: &[Q]) -> Checked<Compared> {
    let (theta, policy, dim) = (case.theta.clone(), case.policy.clone(), case.theta.len());
    let v = case.vector(|study, s| v_theta(&study.mdp, &theta, &policy, s))?;
    let actions = case.study.mdp.shape().actions;
    let mean = case.expectation(dim, |study, [_, x, a, next], out, _| {
        let phi = study.mdp.feature(x, a).unwrap_or_default();
        let error = td_error(study.mdp.discount(), &reward[x * actions + a], &v[next], phi, &theta)?;
        beta_gradient_estimate(weight, phi, &error, out)
    })?;
    let exact = case.vector(|study, s| beta_gradient(&Saddle::new(study.mdp, &power.matrix)?, &policy, &theta, s))?;
    Ok(equal_vectors(&mean, &exact))
}

fn box_without_weight(case: &mut Case, power: &Power) -> Checked<Compared> {
    let reward = case.study.reward.clone();
    beta_mean(case, power, None, &reward)
}

fn box_without_reward(case: &mut Case, power: &Power) -> Checked<Compared> {
    let reward = Case::zeros(case.mu.len());
    beta_mean(case, power, power.weight.as_deref(), &reward)
}

/// Terms of print's series: twice as many as its γ^t would let count, and no more than take a moment.
fn terms(case: &Case) -> usize {
    let left = 1.0 - case.study.mdp.discount().to_f64();
    libm::ceil(2.0 / left).clamp(2.0, 200.0) as usize
}

/// (1−γ)Σ_{t<n} of the states' distributions under π_B.
fn undiscounted_states(case: &mut Case) -> Checked<Vec<Q>> {
    let (policy, states) = (case.policy.clone(), case.v.len());
    let step = case.vector(|study, s| policy_transition(&study.tabular()?, &policy, s))?;
    let mut now = case.study.mdp.initial().to_vec();
    let mut sum = Case::zeros(states);
    for _ in 0..terms(case) {
        for (s, x) in sum.iter_mut().zip(&now) {
            *s += x.clone();
        }
        let mut next = Case::zeros(states);
        apply_transposed(&step, &now, &mut next)?;
        now = next;
    }
    let rest = Q::one() - case.study.mdp.discount();
    Ok(sum.into_iter().map(|x| x * &rest).collect())
}

fn undiscounted_return(case: &mut Case) -> Checked<Compared> {
    let (policy, actions) = (case.policy.clone(), case.study.mdp.shape().actions);
    let reward = policy_average(actions, &policy, &case.study.reward, &mut &mut case.study.scratch[..])?.to_vec();
    let printed = expected_reward(&reward, &undiscounted_states(case)?)?;
    Ok(at_most(printed, case.study.value(&policy)?))
}

fn undiscounted_occupancy(case: &mut Case) -> Checked<Compared> {
    let total = |mass: &[Q]| mass.iter().fold(Q::zero(), |sum, x| sum + x);
    let printed = total(&undiscounted_states(case)?);
    Ok(at_most(printed, total(&case.study.mu_b)))
}

fn undiscounted_q(case: &mut Case) -> Checked<Compared> {
    let policy = case.policy.clone();
    let v = v_of(case, &policy)?;
    let printed = linear_action_value(case, &v, &Q::one())?;
    Ok(equal_vectors(&printed, &q_direct(case)?))
}

fn undiscounted_estimate(case: &mut Case, power: &Power) -> Checked<Compared> {
    let printed = mean_occupancy_estimate(case, power, &Q::one())?;
    Ok(equal_vectors(&printed, &mu_of_beta(case, power)?))
}

fn undiscounted_flow(case: &mut Case) -> Checked<Compared> {
    let shape = case.study.mdp.shape();
    let mut printed = Case::zeros(shape.states);
    let nu = state_marginal(shape.actions, &case.study.mu_star, &mut &mut case.study.scratch[..])?.to_vec();
    apply_transposed(&case.study.transition, &case.study.mu_star, &mut printed)?;
    let rest = Q::one() - case.study.mdp.discount();
    for (out, start) in printed.iter_mut().zip(case.study.mdp.initial()) {
        *out += start.clone() * &rest;
    }
    Ok(equal_vectors(&printed, &nu))
}

/// π* is deterministic, so D(π*‖π₁) at x is the logarithm of 1/π₁(a*|x).
#[allow(clippy::unnecessary_wraps)] // what the table asks of every check
fn entropy_of_any_start(case: &mut Case) -> Checked<Compared> {
    let actions = case.study.mdp.shape().actions;
    let chosen = case.study.optimal.iter().zip(&case.policy).filter(|(star, _)| !star.is_zero());
    let least = chosen.map(|(_, first)| first.clone()).reduce(|a, b| if b < a { b } else { a });
    let count = Q::from_int(i64::try_from(actions).unwrap_or(i64::MAX));
    match least {
        Some(least) if least.is_zero() => {
            let infinite = || Side::Text("∞".to_owned());
            Ok(Compared { lhs: infinite(), rhs: Side::Exact(count), residual: infinite(), holds: false })
        }
        least => Ok(at_most(Q::one() / least.unwrap_or_else(Q::one), count)),
    }
}

/// αq at the first state, and π_B there.
fn softmax_forgets(case: &mut Case) -> Checked<Compared> {
    let (actions, dim) = (case.study.mdp.shape().actions, case.theta.len());
    let double = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let (first, features, theta) = (double(&case.policy[..actions]), double(case.features_of(0)), double(&case.theta));
    let q: Vec<f64> = features.chunks(dim).map(|phi| phi.iter().zip(&theta).map(|(x, y)| x * y).sum()).collect();
    let mut forgetful = vec![0.0; actions];
    policy_row(&ALPHA, &features, &theta, &mut forgetful)?;
    let mirror = mirror_step(&ALPHA, &first, &q, &mut &mut vec![0.0; 2 * actions][..])?.to_vec();
    Ok(equal_float(&forgetful, &mirror))
}

/// At the mean of π_B and the policy that takes action x modulo |A|, which is another one in every state.
fn start_policy(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (actions, behavior) = (case.study.mdp.shape().actions, case.policy.clone());
    for (i, p) in case.policy.iter_mut().enumerate() {
        let taken = i % actions == (i / actions) % actions;
        *p = (p.clone() + if taken { Q::one() } else { Q::zero() }) / Q::from_int(2);
    }
    let compared = start_policy_here(case, power);
    case.policy = behavior;
    compared
}

fn start_policy_here(case: &mut Case, power: &Power) -> Checked<Compared> {
    let (beta, policy, dim) = (case.beta.clone(), case.policy.clone(), case.theta.len());
    let weighted = Case::weighted(power, &beta)?;
    let printed = mean_theta_with(case, dim, |discount, visit, out, scratch| {
        let visit = Visit { policy_next: visit.policy_start, ..visit };
        theta_gradient_estimate(discount, &visit, &weighted, out, scratch)
    })?;
    let exact = case.vector(|study, s| theta_gradient(&Saddle::new(study.mdp, &power.matrix)?, &beta, &policy, s))?;
    Ok(equal_vectors(&printed, &exact))
}

fn discount_one(case: &mut Case) -> Checked<Compared> {
    let (policy, one, shape) = (case.policy.clone(), Q::one(), case.study.mdp.shape());
    let solved = case.vector(|study, scratch| {
        let (reward, transition) = (&study.reward, &study.transition);
        let mdp = Mdp::unvalidated(shape.states, shape.actions, reward, transition, study.mdp.initial(), &one)?;
        state_value(&mdp, &policy, scratch)
    });
    match solved {
        Ok(_) => Ok(truth(true)),
        Err(Error::Singular { .. }) => Ok(truth(false)),
        Err(error) => Err(error),
    }
}

fn lost_sum(case: &mut Case) -> Checked<Compared> {
    let [left, printed, _] = last_display(case)?;
    // An erratum is shown only where the intervals prove that print's claim fails.
    Ok(Compared { holds: !left.proves_above(&printed), ..at_most_enclosed(&left, &printed) })
}

/// C_{φ,2} = ‖Λ^{−2}Φᵀμ*‖².
fn exponent_two(case: &mut Case) -> Checked<Compared> {
    let (dim, study) = (case.theta.len(), &mut case.study);
    let mut solved = study.mdp.mean_feature(&study.mu_star, &mut &mut study.scratch[..])?.to_vec();
    for _ in 0..2 {
        solved = apply_inverse(dim, &study.lambda, &solved, &mut &mut study.scratch[..])?.to_vec();
    }
    let diamond = diamond_ratio(&study.mdp, &study.mu_star, &study.lambda, &mut study.scratch)?;
    Ok(at_most(norm_squared(&solved)?, diamond))
}

/// f(β,π*;θ) − f(β,π;θ) = ⟨ν^{π*}, v_{θ,π*} − v_{θ,π}⟩, at β = 2β*.
fn any_comparator(case: &mut Case) -> Checked<Compared> {
    let shape = case.study.mdp.shape();
    let power = Power { c: Exponent::One, matrix: case.study.lambda.clone(), weight: None };
    let beta: Vec<Q> = beta_star_of(case, &power)?.into_iter().map(|x| x * Q::from_int(2)).collect();
    let saddle = Saddle::new(case.study.mdp, &power.matrix)?;
    let (theta, policy, best) = (&case.theta, &case.policy, &case.study.optimal);
    let q = case.study.mdp.linear_function(theta, &mut &mut case.study.scratch[..])?.to_vec();
    let nu = state_marginal(shape.actions, &case.study.mu_star, &mut &mut case.study.scratch[..])?.to_vec();
    let regret = policy_advantage(shape.actions, &nu, best, policy, &q)?;
    let s = &mut case.study.scratch;
    Ok(equal(f_theta(&saddle, &beta, best, theta, s)? - f_theta(&saddle, &beta, policy, theta, s)?, regret))
}

/// At the theorem's rates the bound is A/√T + B/√K, so with K = κT and (a+b)² ≤ 2(a²+b²) it takes n = 4(κA² + B²)²/(κε⁴) rows.
/// The corrected κ is B²/A²; here B = ε = 1.
fn printed_ratio(case: &mut Case, power: &Power) -> Checked<Compared> {
    let constants = constants(case, power)?;
    let (right, printed) = (inner_per_outer(&constants)?, printed_inner_per_outer(&constants)?);
    let needed = |kappa: &Q| {
        let half = kappa.clone() / &right + Q::one();
        Q::from_int(4) * &half * &half / kappa
    };
    Ok(at_most(needed(&printed), needed(&right)))
}

fn text_without_alpha(case: &mut Case) -> Checked<Compared> {
    let double = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let (features, theta) = (double(case.features_of(0)), double(&case.theta));
    let actions = case.study.mdp.shape().actions;
    let (mut text, mut algorithm) = (vec![0.0; actions], vec![0.0; actions]);
    policy_row(&1.0, &features, &theta, &mut text)?;
    policy_row(&ALPHA, &features, &theta, &mut algorithm)?;
    Ok(equal_float(&text, &algorithm))
}

fn last_iterate(case: &mut Case) -> Checked<Compared> {
    let rho = appendix_c::second_start(case)?;
    Ok(equal(rho.taken, rho.last))
}

fn corollary_with_one(case: &mut Case) -> Checked<Compared> {
    appendix_c::corollary_radius(case, &Q::one())
}

fn shifted_leaves_ball(case: &mut Case) -> Checked<Compared> {
    let (theta, shifted) = appendix_c::thetas_of_policy(case)?;
    Ok(at_most(norm_squared(&shifted)?, norm_squared(&theta)?))
}

/// Theorem C.1's order with ‖Λ‖^{2c−1}, as its terms give it, against print's ‖Λ‖^{2(2c−1)}; ‖Λ‖ from above.
fn printed_order(case: &mut Case, power: &Power) -> Checked<Compared> {
    let norm = norm_bound(case, power)?;
    let constants = average::Constants { norm: norm.clone(), ..section5::constants(case, power)? };
    let printed = average::complexity(&constants, &Q::one())?;
    Ok(at_most(printed.clone() / &norm, printed))
}

fn display_without_rho(case: &mut Case, power: &Power) -> Checked<Compared> {
    let moment = section5::mean_beta_estimate(case, power, true)?.swap_remove(0);
    let rho = std::mem::replace(&mut case.rho, Q::zero());
    let printed = section5::mean_beta_estimate(case, power, true);
    case.rho = rho;
    Ok(equal(moment, printed?.swap_remove(0)))
}
