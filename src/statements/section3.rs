//! Sections 1 and 3: the covariance, the estimators and their expectations, Algorithm 1, the coverage ratio, the main result.

use super::appendix_a::constants;
use super::case::{Case, Number, Outcome, Power, fill, fresh, not_applicable, vector, weighted};
use super::check::{INVERTIBLE, ROOT, plain, powered};
use super::compared::{Compared, at_most, equal, equal_vectors, truth};
use super::counted::operations;
use super::run::run;
use super::{Check, Statement};
use crate::error::Result;
use crate::linear::solve::rank;
use crate::linear::vector::{apply, dot, norm_squared};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::covariance::{Exponent, apply_inverse, trace, verify_root};
use crate::paper::coverage::coverage_ratio;
use crate::paper::discounted::cost::{operations_bound, operations_order};
use crate::paper::discounted::estimators::{
    Visit, beta_gradient_estimate, occupancy_estimate, td_error, theta_gradient_estimate, value_estimate,
};
use crate::paper::discounted::guarantee::{Constants, complexity, corollary_complexity, simplified_complexity};
use crate::paper::discounted::lagrangian::{beta_gradient_at, lagrangian_beta};
use crate::paper::discounted::lambda_gradient::{lambda_gradient, lambda_gradient_estimate, lambda_gradient_weighted};
use std::vec;
use std::vec::Vec;

/// Section 1 states what Section 3 does.
pub const TABLE: &[Statement] =
    &[Statement::new("1", "Tab 1", "the row \"Ours\": O(ε^{−4}) samples in both settings, O(n) operations")
        .label("tab:sota")
        .functions(&[
            "paper::discounted::guarantee::simplified_complexity",
            "paper::average_reward::guarantee::simplified_complexity",
            "paper::discounted::cost::operations_order",
        ])
        .coq(&["theorem_A_1_samples", "theorem_C_1_samples", "theorem_3_2_corrected", "theorem_5_3_corrected"])];

pub const STATEMENTS: &[Statement] = &[
    Statement::new("3", "S3.cov", "Λ and its powers").coq(&["root_exists", "powers_exist"]).errata(&[20]).functions(&[
        "paper::covariance::covariance",
        "paper::covariance::verify_root",
        "paper::covariance::spectral::Spectrum",
    ]),
    Statement::new("3", "S3.grad-lambda", "∇_λ L in its four forms, and its estimator").functions(&[
        "paper::discounted::lambda_gradient::lambda_gradient",
        "paper::discounted::lambda_gradient::lambda_gradient_weighted",
        "paper::discounted::lambda_gradient::lambda_gradient_estimate",
    ]),
    Statement::new("3", "(7)", "v_t")
        .label("eq:def-vt")
        .functions(&["paper::discounted::estimators::value_estimate", "paper::discounted::lagrangian::v_theta"]),
    Statement::new("3", "(8)", "μ_{t,k}")
        .label("eq:def-mut")
        .functions(&["paper::discounted::estimators::occupancy_estimate"]),
    Statement::new("3", "(9)", "g̃_β").label("eq:def-tildegb").errata(&[7]).functions(&[
        "paper::discounted::estimators::td_error",
        "paper::discounted::estimators::beta_gradient_estimate",
    ]),
    Statement::new("3", "(10)", "g̃_θ")
        .label("eq:def-tildegt")
        .errata(&[1])
        .coq(&["unbiased_theta_printed"])
        .functions(&["paper::discounted::estimators::theta_gradient_estimate"]),
    Statement::new("3", "S3.cost", "O(|A|dn) elementary operations")
        .errata(&[21])
        .functions(&["paper::discounted::cost::operations_order", "paper::discounted::cost::operations_bound"]),
    Statement::new("3", "Alg 1", "Offline Primal-Dual RL")
        .label("alg:algo")
        .errata(&[1, 7, 11, 19])
        .kani(&[
            "discounted_starts_in_balls",
            "discounted_inner_step_is_the_box",
            "discounted_outer_iteration_is_the_box",
            "discounted_iteration_stays_in_balls",
            "projections_take_the_norm_of_what_they_project",
            "average_is_the_sum_over_count",
            "softmax_of_two_is_policy",
        ])
        .functions(&[
            "paper::discounted::algorithm::Algorithm",
            "paper::discounted::algorithm::Algorithm::outer_iteration",
            "paper::discounted::algorithm::Algorithm::inner_step",
        ]),
    Statement::new("3", "Def 3.1", "the generalised coverage ratio")
        .label("def:gcr")
        .coq(&["section_4_beta_star", "partial_coverage", "constants_at_least_one"])
        .errata(&[12])
        .functions(&["paper::coverage::coverage_ratio", "paper::coverage::unseen_direction"]),
    Statement::new("3", "Thm 3.2", "sample complexity, discounted")
        .label("thm:main_disc")
        .errata(&[4, 15, 23])
        .coq(&["theorem_A_1_samples", "theorem_3_2_corrected"])
        .refuted(&["theorem_3_2_refuted", "theorem_3_2_refuted_algorithm", "theorem_3_2_order_refuted_algorithm"])
        .functions(&["paper::discounted::guarantee::simplified_complexity"]),
    Statement::new("3", "Cor 3.3", "the same under standard assumptions")
        .label("chalf")
        .errata(&[4, 6])
        .functions(&["paper::discounted::guarantee::corollary_complexity"]),
];

pub const CHECKS: &[Check] = &[
    powered!(covariance_power, "S3.cov", "Tr Λ = 𝔼‖φ‖² (c = 1); Λ^{1/2}Λ^{1/2} = Λ (c = 1/2)"),
    powered!(power_inverse, "S3.cov", "Λ^cΛ^{−c}y = y at y = Λ^c x"),
    plain!(lambda_gradient_forms, "S3.grad-lambda", "Λ⁻¹Λ(ω + γΨv − θ) = ω + γΨv − θ"),
    plain!(lambda_gradient_slope, "S3.grad-lambda", "L at λ + h − L at λ = ⟨∇_λ L, h⟩, through (11) at c = 1"),
    plain!(lambda_gradient_unbiased, "S3.grad-lambda", "𝔼 Λ⁻¹φ(R + γv(X') − ⟨θ, φ⟩) = ∇_λ L").enumerates(),
    plain!(beta_gradient_needs_no_lambda, "S3.grad-lambda, (9)", "𝔼 φ(R + γv(X') − ⟨θ, φ⟩) = ∇_β L at c = 1")
        .enumerates(),
    plain!(value, "(7)", "v(x) from the features of x alone = Eᵀ(π∘Φθ)(x)"),
    powered!(unbiased_mu, "(8), S4.unbiased-mu", "𝔼 μ_{t,k} = μ_{β,π}").enumerates(),
    powered!(unbiased_beta, "(9), B.unbiased-beta", "𝔼 g̃_β = ∇_β f").enumerates(),
    powered!(unbiased_theta, "(10), S4.unbiased-theta", "𝔼 g̃_θ = ∇_θ f, the proof's form").enumerates(),
    powered!(unbiased_printed_theta, "(10)", "𝔼 g̃_θ = ∇_θ f, as printed: unbiased too").enumerates(),
    plain!(
        operations_counted,
        "S3.cost",
        "operations of Algorithm 1, counted as it runs at c = 1, K = 3, T = 2 ≤ 160|A|dn"
    ),
    plain!(
        operations_at_half,
        "S3.cost",
        "those at c = 1/2 ≤ those at c = 1, two products with Λ^{−1/2} for each t, and 2dn"
    ),
    powered!(operations_linear, "S3.cost, Tab 1", "operations for 2T iterations ≤ twice those for T, and T more: O(n)"),
    powered!(rows_used, "Alg 1", "rows used = KT").enumerates(),
    powered!(coverage_as_printed, "Def 3.1", "C_{φ,c} = zᵀ(Λ^cΛ^c)⁻¹z at z = Φᵀμ*"),
    powered!(coverage_is_norm, "Def 3.1", "zᵀ(Λ^cΛ^c)⁻¹z = ‖β*‖² at z = Φᵀμ*, Λ^cβ* = z"),
    powered!(orders, "Thm 3.2", "order of n_ε: Thm A.1's ≤ Thm 3.2's, at ε = log|A| = 1"),
    powered!(fourth_power_of_epsilon, "Thm 3.2, Tab 1", "Thm 3.2's order of n_{ε/2} = 2⁴ times that of n_ε"),
    powered!(corollary, "Cor 3.3", "order of n_ε = Thm 3.2's at D_φ = 1, D_θ² = d/(1−γ)², D_β² = C_{φ,c}"),
];

fn covariance_power(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let dim = case.theta.len();
    if power.c == Exponent::Half {
        return Ok(truth(verify_root(dim, &case.lambda, &power.matrix).is_ok()));
    }
    let mut mean = Q::zero();
    for (phi, weight) in case.model.features.chunks(dim).zip(&case.mu_b) {
        mean += norm_squared(phi)? * weight;
    }
    Ok(equal(trace(dim, &power.matrix)?, mean))
}

/// Λ may be singular: then Λ^{−c}y is the solution of least norm.
fn power_inverse(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let x = &case.theta;
    let image = fill(x.len(), |out| apply(&power.matrix, x, out))?;
    let inverse = vector(s, |s| apply_inverse(x.len(), &power.matrix, &image, s))?;
    Ok(equal_vectors(&fill(x.len(), |out| apply(&power.matrix, &inverse, out))?, &image))
}

/// "Supposed to be invertible for the sake of argument for now."
pub(super) fn invertible(case: &Case) -> Result<()> {
    let dim = case.theta.len();
    if rank(dim, &mut case.lambda.clone())? == dim { Ok(()) } else { Err(not_applicable(INVERTIBLE)) }
}

fn gradient_of_lambda(case: &Case) -> Result<Vec<Q>> {
    fresh(case, |s| lambda_gradient(&case.mdp()?, &case.v, &case.theta, s))
}

fn lambda_gradient_forms(case: &Case, s: &mut [Q]) -> Result<Compared> {
    invertible(case)?;
    let (mdp, Case { lambda, v, theta, .. }) = (case.mdp()?, case);
    let weighted = vector(s, |s| lambda_gradient_weighted(&mdp, lambda, v, theta, s))?;
    Ok(equal_vectors(&weighted, &gradient_of_lambda(case)?))
}

/// L is affine in λ = Λβ, so one step of β tells the slope.
fn lambda_gradient_slope(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let power = &case.powers[0];
    let (saddle, Case { beta, mu, v, theta, .. }) = (case.saddle(power)?, case);
    let moved: Vec<Q> = beta.iter().zip(theta).map(|(b, t)| b.clone() + t).collect();
    let difference =
        lagrangian_beta(&saddle, &moved, mu, v, theta, s)? - lagrangian_beta(&saddle, beta, mu, v, theta, s)?;
    let step = fill(theta.len(), |out| apply(&power.matrix, theta, out))?;
    Ok(equal(difference, dot(&gradient_of_lambda(case)?, &step)?))
}

/// R + γv(X') − ⟨θ, φ⟩ at the case's v, which need not be (7)'s.
fn error_at(case: &Case, o: &Outcome) -> Result<Q> {
    let actions = case.model.shape.actions;
    td_error(case.discount(), &case.reward[o.x * actions + o.a], &case.v[o.next], feature(case, o), &case.theta)
}

fn lambda_gradient_unbiased(case: &Case, s: &mut [Q]) -> Result<Compared> {
    invertible(case)?;
    let mean = case.expectation(case.theta.len(), |o, out| {
        let error = error_at(case, o)?;
        out.clone_from_slice(lambda_gradient_estimate(&case.lambda, feature(case, o), &error, &mut &mut *s)?);
        Ok(())
    })?;
    Ok(equal_vectors(&mean, &gradient_of_lambda(case)?))
}

fn beta_gradient_needs_no_lambda(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let mean = case.expectation(case.theta.len(), |o, out| {
        beta_gradient_estimate(None, feature(case, o), &error_at(case, o)?, out)
    })?;
    let saddle = case.saddle(&case.powers[0])?;
    let exact = vector(s, |s| beta_gradient_at(&saddle, &case.v, &case.theta, s))?;
    Ok(equal_vectors(&mean, &exact))
}

fn value(case: &Case, s: &mut [Q]) -> Result<Compared> {
    let whole = case.v_theta(&case.theta, &case.policy, s)?;
    let mut single = Vec::with_capacity(whole.len());
    for x in 0..whole.len() {
        single.push(value_estimate(case.features_of(x), case.row(&case.policy, x), &case.theta, s)?);
    }
    Ok(equal_vectors(&single, &whole))
}

/// φ(X, A).
pub fn feature<'a>(case: &'a Case, o: &Outcome) -> &'a [Q] {
    let (dim, pair) = (case.theta.len(), case.model.shape.pair(o.x, o.a));
    &case.model.features[pair * dim..(pair + 1) * dim]
}

/// What a sample makes the algorithm look at.
pub fn visit<'a>(case: &'a Case, policy: &'a [Q], o: &Outcome) -> Visit<'a, Q> {
    Visit {
        phi: feature(case, o),
        start: case.features_of(o.start),
        next: case.features_of(o.next),
        policy_start: case.row(policy, o.start),
        policy_next: case.row(policy, o.next),
    }
}

/// The gradient, or its squared norm where there is room for one number only.
pub fn store(gradient: &[Q], out: &mut [Q], square: bool) -> Result<()> {
    if square {
        out[0] = norm_squared(gradient)?;
    } else {
        out.clone_from_slice(gradient);
    }
    Ok(())
}

/// E μ_{t,k} by enumeration of every sample, with γ before the part at X'.
pub fn mean_occupancy_estimate(case: &Case, power: &Power, discount: &Q) -> Result<Vec<Q>> {
    let (weighted, actions) = (weighted(power, &case.beta)?, case.model.shape.actions);
    case.expectation(case.mu.len(), |o, out| {
        let w = dot(feature(case, o), &weighted)?;
        let (start, next) = (case.row(&case.policy, o.start), case.row(&case.policy, o.next));
        let [mut at_start, mut at_next, mut unused] = [(); 3].map(|()| vec![Q::zero(); actions]);
        occupancy_estimate(case.discount(), start, next, &w, &mut at_start, &mut unused)?;
        occupancy_estimate(discount, start, next, &w, &mut unused, &mut at_next)?;
        out.fill(Q::zero());
        for a in 0..actions {
            out[o.start * actions + a] += at_start[a].clone();
            out[o.next * actions + a] += at_next[a].clone();
        }
        Ok(())
    })
}

fn unbiased_mu(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mean = mean_occupancy_estimate(case, power, case.discount())?;
    Ok(equal_vectors(&mean, &super::section4::mu_of_beta(case, power, s)?))
}

/// E g̃_β, or E‖g̃_β‖², by enumeration of every sample, with the weight and the rewards that are given.
pub fn mean_beta_with(
    case: &Case,
    theta: &[Q],
    (weight, reward): (Option<&[Q]>, &[Q]),
    square: bool,
    s: &mut [Q],
) -> Result<Vec<Q>> {
    let (v, dim, actions) = (case.v_theta(theta, &case.policy, s)?, theta.len(), case.model.shape.actions);
    case.expectation(if square { 1 } else { dim }, |o, out| {
        let phi = feature(case, o);
        let error = td_error(case.discount(), &reward[o.x * actions + o.a], &v[o.next], phi, theta)?;
        let gradient = fill(dim, |out| beta_gradient_estimate(weight, phi, &error, out))?;
        store(&gradient, out, square)
    })
}

pub fn mean_beta_estimate(case: &Case, power: &Power, theta: &[Q], square: bool, s: &mut [Q]) -> Result<Vec<Q>> {
    mean_beta_with(case, theta, (power.weight.as_deref(), &case.reward), square, s)
}

fn unbiased_beta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mean = mean_beta_estimate(case, power, &case.theta, false, s)?;
    Ok(equal_vectors(&mean, &super::section4::g_beta(case, power, s)?))
}

/// E g̃_θ at β, or E‖g̃_θ‖², by enumeration of every sample; in the proof's form, or as printed.
pub fn mean_theta_estimate(
    case: &Case,
    power: &Power,
    beta: &[Q],
    (print, square): (bool, bool),
    s: &mut [Q],
) -> Result<Vec<Q>> {
    let (weighted, weight, dim) = (weighted(power, beta)?, power.weight.as_deref(), beta.len());
    case.expectation(if square { 1 } else { dim }, |o, out| {
        let visit = visit(case, &case.policy, o);
        let gradient = if print {
            fill(dim, |out| crate::errata::equation_10(case.discount(), &visit, weight, beta, out, s))?
        } else {
            fill(dim, |out| theta_gradient_estimate(case.discount(), &visit, &weighted, out, s))?
        };
        store(&gradient, out, square)
    })
}

fn unbiased_theta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mean = mean_theta_estimate(case, power, &case.beta, (false, false), s)?;
    Ok(equal_vectors(&mean, &super::section4::g_theta(case, power, &case.policy, s)?))
}

fn unbiased_printed_theta(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let mean = mean_theta_estimate(case, power, &case.beta, (true, false), s)?;
    Ok(equal_vectors(&mean, &super::section4::g_theta(case, power, &case.policy, s)?))
}

fn number(n: u64) -> Number {
    Q::from_int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn operations_counted(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let shape = case.model.shape;
    let counted = operations(case, &case.powers[0], 3, 2)?;
    Ok(at_most(number(counted), number(operations_bound(shape.actions, shape.dim, 3 * 2))))
}

/// Λ^{c−1}β_t and Λ^{c−1}φ_t are d inner products each, of 2d operations and the 7 that fold eight sums; and other iterates leave the
/// balls, which makes up to d + 1 operations a projection.
fn operations_at_half(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let ([one, half], dim) = (&case.powers[..], case.model.shape.dim) else { return Err(not_applicable(ROOT)) };
    let products = 2 * operations_order(dim, 2 * dim + 7, 2);
    let bound = operations(case, one, 3, 2)? + products + 2 * operations_order(1, dim, 3 * 2);
    Ok(at_most(number(operations(case, half, 3, 2)?), number(bound)))
}

/// Every iteration costs the same but for comparisons and for the projections, which stop where there is nothing to do.
fn operations_linear(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let shape = case.model.shape;
    let (once, twice) = (operations(case, power, 3, 2)?, operations(case, power, 3, 4)?);
    let spare = operations_order(1, shape.dim, 3 * 2);
    Ok(at_most(number(twice), number(2 * once + spare)))
}

fn rows_used(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let run = run(case, power, s)?;
    Ok(equal(number(run.rows as u64), number((run.inner * run.outer) as u64)))
}

/// zᵀΛ^{−2c}z at z = Φᵀμ*, with Λ^{2c} multiplied out; where Λ is singular, by any solution of Λ^{2c}y = z.
fn printed_coverage(case: &Case, power: &Power, s: &mut [Q]) -> Result<Q> {
    let (z, dim) = (case.mean_feature(&case.mu_star)?, case.theta.len());
    let mut square = Vec::with_capacity(dim * dim);
    // A column of the symmetric Λ^c is a row of it.
    for row in power.matrix.chunks(dim) {
        square.extend(fill(dim, |out| apply(&power.matrix, row, out))?);
    }
    let y = vector(s, |s| apply_inverse(dim, &square, &z, s))?;
    dot(&z, &y)
}

fn coverage_as_printed(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let ratio = coverage_ratio(power.c, &case.mdp()?, &case.mu_star, &case.lambda, s)?;
    Ok(equal(ratio, printed_coverage(case, power, s)?))
}

fn coverage_is_norm(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    Ok(equal(printed_coverage(case, power, s)?, norm_squared(&case.beta_star(power, s)?)?))
}

fn orders(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let simple = simplified_complexity(power.c, case.theta.len(), &constants, &Q::one())?;
    Ok(at_most(complexity(&constants, &Q::one())?, simple))
}

fn fourth_power_of_epsilon(case: &Case, power: &Power, _: &mut [Q]) -> Result<Compared> {
    let constants = constants(case, power)?;
    let at = |epsilon: Q| simplified_complexity(power.c, case.theta.len(), &constants, &epsilon);
    Ok(equal(at(Q::ratio(1, 2))?, at(Q::one())? * Q::from_int(16)))
}

fn corollary(case: &Case, power: &Power, s: &mut [Q]) -> Result<Compared> {
    let (dim, one) = (case.theta.len(), Q::one());
    let coverage = norm_squared(&case.beta_star(power, s)?)?;
    let constants = Constants {
        phi_squared: one.clone(),
        theta_squared: super::case::count(dim) / (case.rest() * case.rest()),
        beta_squared: coverage.clone(),
        ..constants(case, power)?
    };
    let stated = corollary_complexity(power.c, dim, &constants.discount, &constants.log_actions, &coverage, &one)?;
    Ok(equal(stated, simplified_complexity(power.c, dim, &constants, &one)?))
}
