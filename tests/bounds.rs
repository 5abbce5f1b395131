//! The second-moment claims of Lemmas B.1, B.2, C.5, C.6 and C.7: exact second moments against their bounds.
//!
//! Both sides of B.1, B.2, C.6 and C.7 are quadratic polynomials in β (or θ). Their difference is read off at finitely many
//! points as a symmetric matrix on (1, β), and shown positive semidefinite by exact elimination: on each model and policy this
//! proves the inequality for all real β, with D_β = ‖β‖, not at sampled points. C.5, whose bound is no polynomial, is proved for
//! all real θ power by power of ‖θ‖. The left sides are convex in the policy and in the rewards, the right sides do not depend
//! on them, so deterministic policies and rewards in {0, 1} stand for all.

// Dimensions and counts here have one digit.
#![allow(clippy::cast_possible_wrap, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod support;

use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::rational::Rational64 as Q;
use offline_primal_dual::paper::covariance::{Exponent, trace, weighted_norm_squared};
use offline_primal_dual::paper::{average_reward, discounted};
use support::{Model, Outcome, dot, expectation, policies, ratios, times, zeros};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

/// The (d+1)×(d+1) symmetric M with f(x) = (1, x)ᵀM(1, x), for a polynomial f of degree 2; refuses any other f.
fn quadratic_form(dim: usize, f: impl Fn(&[Q]) -> Q) -> Vec<Q> {
    let n = dim + 1;
    let at = |i: usize, s: i64, j: usize| {
        let mut x = zeros(dim);
        for (index, scale) in [(i, s), (j, 1)] {
            if index > 0 {
                x[index - 1] += q(scale, 1);
            }
        }
        f(&x)
    };
    let origin = f(&zeros(dim));
    let mut matrix = zeros(n * n);
    matrix[0] = origin;
    for i in 1..n {
        let (plus, minus) = (at(i, 1, 0), at(i, -1, 0));
        matrix[i] = (plus - minus) / q(4, 1);
        matrix[i * n] = matrix[i];
        matrix[i * n + i] = (plus + minus) / q(2, 1) - origin;
        for j in 1..i {
            matrix[i * n + j] = (at(i, 1, j) - plus - at(j, 1, 0) + origin) / q(2, 1);
            matrix[j * n + i] = matrix[i * n + j];
        }
    }
    let mut point = vec![q(1, 1)];
    point.extend((0..dim as i64).map(|j| q(3 - 2 * j, 2 + j)));
    assert_eq!(f(&point[1..]), dot(&point, &times(Some(&matrix), &point)), "not a quadratic polynomial");
    matrix
}

/// Whether a symmetric matrix is positive semidefinite: symmetric elimination meets no negative pivot, and a zero pivot only
/// with a zero row.
fn is_positive_semidefinite(n: usize, matrix: &[Q]) -> bool {
    // Elimination multiplies the entries' sizes; the fixed width of Q would not do.
    let mut m: Vec<BigRational> = matrix.iter().map(|e| BigRational::ratio(e.numerator(), e.denominator())).collect();
    for k in 0..n {
        let pivot = m[k * n + k].clone();
        assert!(pivot.is_valid());
        if pivot < BigRational::zero() || (pivot.is_zero() && (k..n).any(|j| !m[k * n + j].is_zero())) {
            return false;
        }
        for i in k + 1..n {
            for j in k + 1..n {
                if !pivot.is_zero() {
                    let step = m[i * n + k].clone() * &m[k * n + j] / &pivot;
                    m[i * n + j] -= step;
                }
            }
        }
    }
    true
}

fn non_negative_everywhere(dim: usize, f: impl Fn(&[Q]) -> Q) -> bool {
    is_positive_semidefinite(dim + 1, &quadratic_form(dim, f))
}

fn square(x: &[Q]) -> Q {
    dot(x, x)
}

/// max ‖φ‖².
fn d_phi_squared(model: &Model<Q>) -> Q {
    offline_primal_dual::paper::mdp::squared_bounds(&model.mdp(), &mut model.scratch()).unwrap().phi
}

/// ‖β‖²_{Λ^{2c−1}}: ⟨β, Λβ⟩ at c = 1, ‖β‖² at c = 1/2.
fn weighted_square(model: &Model<Q>, lambda: &[Q], c: Exponent, beta: &[Q]) -> Q {
    match c {
        Exponent::One => weighted_norm_squared(model.shape.dim, lambda, beta, &mut model.scratch()).unwrap(),
        Exponent::Half => square(beta),
    }
}

/// Tr(Λ^{2c−1}).
fn trace_power(model: &Model<Q>, lambda: &[Q], c: Exponent) -> Q {
    match c {
        Exponent::One => trace(model.shape.dim, lambda).unwrap(),
        Exponent::Half => q(model.shape.dim as i64, 1),
    }
}

fn second_moment(outcomes: &[Outcome<Q>], mut f: impl FnMut(&Outcome<Q>) -> Q) -> Q {
    expectation(outcomes, 1, |o| vec![f(o)]).remove(0)
}

/// Tabular models: the 81 transition tables on {0, 1/2, 1}, the given rewards and discounts, μ_B = (1, 9, 9, 81)/100.
fn tabular_models(rewards: &[[i64; 4]], discounts: &[Q]) -> Vec<Model<Q>> {
    let mut models = Vec::new();
    for code in 0..81_i64 {
        let stays = |pair| code / 3_i64.pow(pair) % 3;
        let transition: Vec<Q> = (0..4).flat_map(|pair| [q(stays(pair), 2), q(2 - stays(pair), 2)]).collect();
        for discount in discounts {
            for reward in rewards {
                let (reward, roots) = (ratios(1, reward), ratios(10, &[1, 3, 3, 9]));
                let initial = [q(1, 4), q(3, 4)];
                models.push(Model::tabular((2, 2), &reward, &transition, &initial, *discount, &roots));
            }
        }
    }
    models
}

/// Two features for four state-action pairs, the second coordinate s small or large: nearly collinear and nearly orthogonal
/// directions, plain and rotated.
fn low_rank_models(discounts: &[Q]) -> Vec<Model<Q>> {
    let mut models = Vec::new();
    for scale in [q(1, 10), q(1, 1), q(5, 1)] {
        for (signs, mu_b, spread) in [
            ([1, -1, -1, 1], ratios::<Q>(8, &[1, 1, 3, 3]), q(1, 1)),
            ([0, 1, -1, 0], ratios::<Q>(8, &[3, 1, 1, 3]), q(1, 2)),
        ] {
            for k in -2..=2 {
                for (rotated, w) in [(false, 1), (true, -1)] {
                    for discount in discounts {
                        let s: Vec<Q> = signs.iter().map(|s| q(*s, 1) * scale).collect();
                        let psi = [(q(1, 2), q(k, 4) / scale), (q(1, 2), q(-k, 4) / scale)];
                        let omega = (q(1, 2), q(w, 2) / scale);
                        let initial = [q(2, 3), q(1, 3)];
                        models.push(Model::low_rank(
                            (2, 2),
                            &s,
                            &psi,
                            omega,
                            &initial,
                            *discount,
                            &mu_b,
                            &(spread * scale),
                            rotated,
                        ));
                    }
                }
            }
        }
    }
    models
}

/// Runs `check` for every c and every deterministic policy, which stand for all policies; counts.
fn for_every_policy(models: &[Model<Q>], check: impl Fn(&Model<Q>, Exponent, &[Q], &[Outcome<Q>])) -> usize {
    let mut cases = 0;
    for model in models {
        let outcomes = model.outcomes();
        for c in model.exponents() {
            let mut all = policies(model.shape.states, model.shape.actions);
            all.pop(); // the one in general position
            for policy in all {
                check(model, c, &policy, &outcomes);
                cases += 1;
            }
        }
    }
    cases
}

/// Lemma B.1: E‖g̃_θ‖² ≤ 3D_φ²((1−γ)² + (1+γ²)‖β‖²_{Λ^{2c−1}}), for all β.
fn theta_moment_holds(model: &Model<Q>, c: Exponent, policy: &[Q], outcomes: &[Outcome<Q>]) {
    let (weight, lambda, d_phi, gamma) = (model.weight(c), model.covariance(), d_phi_squared(model), model.discount);
    let difference = |beta: &[Q]| {
        let weighted = times(weight.as_deref(), beta);
        let (mut out, mut scratch) = (zeros(model.shape.dim), model.scratch());
        let moment = second_moment(outcomes, |o| {
            let visit = model.visit(policy, o);
            discounted::estimators::theta_gradient_estimate(&gamma, &visit, &weighted, &mut out, &mut scratch).unwrap();
            square(&out)
        });
        let rest = q(1, 1) - gamma;
        q(3, 1) * d_phi * (rest * rest + (q(1, 1) + gamma * gamma) * weighted_square(model, &lambda, c, beta)) - moment
    };
    assert!(non_negative_everywhere(model.shape.dim, difference), "c = {c:?}, policy {policy:?}, {model:?}");
}

#[test]
fn lemma_b1_second_moment_for_all_beta() {
    let gammas = [q(0, 1), q(1, 2), q(9, 10)];
    let cases = for_every_policy(&tabular_models(&[[0, 0, 0, 0]], &gammas), theta_moment_holds);
    assert_eq!(cases, 81 * 3 * 2 * 4);
    let cases = for_every_policy(&low_rank_models(&gammas), theta_moment_holds);
    assert_eq!(cases, 3 * 2 * 5 * 2 * 3 * 2 * 4);
}

/// The discounted g̃_β, squared.
fn beta_square(model: &Model<Q>, weight: Option<&[Q]>, policy: &[Q], theta: &[Q], o: &Outcome<Q>) -> Q {
    use discounted::estimators::{beta_gradient_estimate, td_error, value_estimate};
    let visit = model.visit(policy, o);
    let value = value_estimate(visit.next, visit.policy_next, theta, &mut model.scratch()).unwrap();
    let delta = td_error(&model.discount, &model.reward(o), &value, visit.phi, theta).unwrap();
    let mut out = zeros(model.shape.dim);
    beta_gradient_estimate(weight, visit.phi, &delta, &mut out).unwrap();
    square(&out)
}

/// Lemma B.2: E‖g̃_β‖² ≤ 3(1 + (1+γ²)D_φ²‖θ‖²)Tr(Λ^{2c−1}), for all θ.
fn beta_moment_holds(model: &Model<Q>, c: Exponent, policy: &[Q], outcomes: &[Outcome<Q>]) {
    let (weight, d_phi, gamma) = (model.weight(c), d_phi_squared(model), model.discount);
    let trace = trace_power(model, &model.covariance(), c);
    let difference = |theta: &[Q]| {
        let moment = second_moment(outcomes, |o| beta_square(model, weight.as_deref(), policy, theta, o));
        q(3, 1) * (q(1, 1) + (q(1, 1) + gamma * gamma) * d_phi * square(theta)) * trace - moment
    };
    assert!(non_negative_everywhere(model.shape.dim, difference), "c = {c:?}, policy {policy:?}, {model:?}");
}

/// The sixteen vertices of [0, 1]⁴.
fn reward_vertices() -> Vec<[i64; 4]> {
    (0..16).map(|code| [0, 1, 2, 3].map(|bit| code >> bit & 1)).collect()
}

#[test]
fn lemma_b2_second_moment_for_all_theta() {
    let cases = for_every_policy(&tabular_models(&reward_vertices(), &[q(9, 10)]), beta_moment_holds);
    assert_eq!(cases, 81 * 16 * 2 * 4);
    let cases = for_every_policy(&low_rank_models(&[q(1, 2), q(9, 10)]), beta_moment_holds);
    assert_eq!(cases, 3 * 2 * 5 * 2 * 2 * 2 * 4);
}

/// Lemma C.5: E‖g̃_β‖² ≤ Tr(Λ^{2c−1})(1 + 2D_φ‖θ‖)², for all θ; whether it is attained at θ = 0. The moment is convex in ρ, so
/// ρ ∈ {0, 1} stand for [0, 1].
///
/// The moment is a + 2⟨b, θ⟩ + ⟨θ, Cθ⟩ and the bound, with τ the trace, τ + 4τD_φ‖θ‖ + 4τD_φ²‖θ‖²: not a polynomial, but it is
/// enough to compare the two power by power of ‖θ‖. a ≤ τ; ‖b‖ ≤ 2τD_φ, in squares, which need no root of D_φ²; C ⪯ 4τD_φ² I.
fn average_beta_moment_holds(model: &Model<Q>, c: Exponent, policy: &[Q], outcomes: &[Outcome<Q>], rho: Q) -> bool {
    use average_reward::estimators::{beta_gradient_estimate, td_error};
    let (weight, trace, dim) = (model.weight(c), trace_power(model, &model.covariance(), c), model.shape.dim);
    let moment = |theta: &[Q]| {
        let (mut out, mut scratch) = (zeros(dim), model.scratch());
        second_moment(outcomes, |o| {
            let visit = model.visit(policy, o);
            let value =
                discounted::estimators::value_estimate(visit.next, visit.policy_next, theta, &mut scratch).unwrap();
            let delta = td_error(&model.reward(o), &value, visit.phi, theta, &rho).unwrap();
            beta_gradient_estimate(weight.as_deref(), visit.phi, &delta, &mut out).unwrap();
            square(&out)
        })
    };
    let form = quadratic_form(dim, moment);
    let cap = q(4, 1) * trace * d_phi_squared(model);
    let difference: Vec<Q> = (0..dim * dim)
        .map(|i| (i / dim, i % dim))
        .map(|(i, j)| if i == j { cap } else { q(0, 1) } - form[(i + 1) * (dim + 1) + j + 1])
        .collect();
    let context = format!("c = {c:?}, ρ = {rho}, policy {policy:?}, {model:?}");
    assert!(form[0] <= trace, "constant term: {context}");
    assert!(square(&form[1..=dim]) <= trace * cap, "linear term: {context}");
    assert!(is_positive_semidefinite(dim, &difference), "quadratic term: {context}");
    form[0] == trace
}

/// Runs [`average_beta_moment_holds`] at both ρ; counts the cases and those where the bound is attained.
fn average_beta_moments(models: &[Model<Q>]) -> (usize, usize) {
    let attained = std::cell::Cell::new(0);
    let cases = for_every_policy(models, |model, c, policy, outcomes| {
        for rho in [q(0, 1), q(1, 1)] {
            let tight = average_beta_moment_holds(model, c, policy, outcomes, rho);
            attained.set(attained.get() + usize::from(tight));
        }
    });
    (cases, attained.get())
}

/// The bound is attained exactly where |R − ρ| = 1 throughout: rewards all 1 at ρ = 0, all 0 at ρ = 1.
#[test]
fn lemma_c5_second_moment_for_all_theta() {
    let cases = average_beta_moments(&tabular_models(&reward_vertices(), &[q(0, 1)]));
    assert_eq!(cases, (81 * 16 * 2 * 4, 81 * 2 * 2 * 4));
    assert_eq!(average_beta_moments(&low_rank_models(&[q(0, 1)])), (3 * 2 * 5 * 2 * 2 * 4, 0));
}

/// Lemma C.6: E g̃_ρ² ≤ 2 + 2‖β‖²_{Λ^{2c−1}}, for all β; with equality at Λ^{c−1}β = −ϱ.
fn rho_moment_holds(model: &Model<Q>, c: Exponent, policy: &[Q], outcomes: &[Outcome<Q>]) {
    let (weight, lambda) = (model.weight(c), model.covariance());
    let difference = |beta: &[Q]| {
        let weighted = times(weight.as_deref(), beta);
        let moment = second_moment(outcomes, |o| {
            let phi = model.visit(policy, o).phi;
            let g = average_reward::estimators::rho_gradient_estimate(phi, &weighted).unwrap();
            g * g
        });
        q(2, 1) + q(2, 1) * weighted_square(model, &lambda, c, beta) - moment
    };
    assert!(non_negative_everywhere(model.shape.dim, difference), "c = {c:?}, {model:?}");
    if c == Exponent::One {
        let opposite: Vec<Q> = model.varrho().iter().map(|v| -*v).collect();
        assert!(difference(&opposite).is_zero(), "the bound is attained");
    }
}

/// Lemma C.7: E‖g̃_θ‖² ≤ 4D_φ²‖β‖²_{Λ^{2c−1}}, for all β. Linear in the policy, A' being drawn from it.
fn average_theta_moment_holds(model: &Model<Q>, c: Exponent, policy: &[Q], outcomes: &[Outcome<Q>]) {
    let (weight, lambda, d_phi, dim) = (model.weight(c), model.covariance(), d_phi_squared(model), model.shape.dim);
    let difference = |beta: &[Q]| {
        let weighted = times(weight.as_deref(), beta);
        let mut out = zeros(dim);
        let moment = second_moment(outcomes, |o| {
            let visit = model.visit(policy, o);
            let mut mean = q(0, 1);
            for (phi_next, p) in visit.next.chunks_exact(dim).zip(visit.policy_next) {
                average_reward::estimators::theta_gradient_estimate(visit.phi, phi_next, &weighted, &mut out).unwrap();
                mean += square(&out) * *p;
            }
            mean
        });
        q(4, 1) * d_phi * weighted_square(model, &lambda, c, beta) - moment
    };
    assert!(non_negative_everywhere(dim, difference), "c = {c:?}, {model:?}");
}

#[test]
fn lemmas_c6_and_c7_second_moments_for_all_beta() {
    let models = [tabular_models(&[[0, 0, 0, 0]], &[q(0, 1)]), low_rank_models(&[q(0, 1)])].concat();
    let cases = (81 + 60) * 2 * 4;
    assert_eq!(for_every_policy(&models, rho_moment_holds), cases);
    assert_eq!(for_every_policy(&models, average_theta_moment_holds), cases);
}

/// ‖β‖²_{Λ^{2c−1}} ≤ ‖β‖²‖Λ‖^{2c−1}, the last step of B.1, C.6 and C.7, where ‖Λ‖ is rational: max μ_B in the tabular case.
#[test]
fn weighted_norms_are_bounded_by_the_spectral_norm() {
    for model in tabular_models(&[[0, 0, 0, 0]], &[q(0, 1)]).iter().take(1) {
        let (lambda, norm) = (model.covariance(), q(81, 100));
        let slack = |by: Q| {
            let lambda = &lambda;
            move |beta: &[Q]| by * square(beta) - weighted_square(model, lambda, Exponent::One, beta)
        };
        assert!(non_negative_everywhere(4, slack(norm)));
        assert!(!non_negative_everywhere(4, slack(norm - q(1, 1000))), "and no smaller number will do");
    }
}

/// The elimination itself: matrices known to be and not to be positive semidefinite, zero pivots among them.
#[test]
fn semidefiniteness_is_decided() {
    let decide = |entries: &[i64]| is_positive_semidefinite(2, &ratios(1, entries));
    assert!(decide(&[1, 1, 1, 1]) && decide(&[0, 0, 0, 1]) && decide(&[2, -1, -1, 1]));
    assert!(!decide(&[1, 2, 2, 1]) && !decide(&[0, 1, 1, 5]) && !decide(&[1, 0, 0, -1]));
}
