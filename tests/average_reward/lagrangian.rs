//! Below (23): every printed form, and gradients as exact differences.

use crate::model::*;
use offline_primal_dual::linear::vector::dot;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::duality_gap::beta_star;
use offline_primal_dual::paper::average_reward::lagrangian::*;
use offline_primal_dual::paper::average_reward::lp::dual_feature_residual;
use offline_primal_dual::paper::mdp::{Shape, dual_slack, primal_feature_residual};
use std::slice::from_ref;

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
        let printed = offline_primal_dual::errata::average_lagrangian_regrouped(
            &linear,
            &model.varrho,
            &rho,
            &v,
            &theta,
            &lambda,
            &mu,
            &mut scratch,
        );
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
        let mu = mu_beta(&saddle, &beta, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        let gradient = v_gradient(&saddle, &beta, &mu, &mut &mut scratch[..]).unwrap().to_vec();
        assert!(all_zero(&gradient));
        assert_eq!(value, lagrangian_beta(&saddle, &beta, &mu, &rho, &v, &theta, &mut scratch));
        // At β* of the policy, μ_{β,π} is its occupancy measure.
        let star = beta_star(&saddle, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        let mu = mu_beta(&saddle, &star, &policy, &mut &mut scratch[..]).unwrap().to_vec();
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
        let on_d = beta_gradient_at(&saddle, &p.rho, &p.v, &p.theta, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(on_d, differences(&p.beta, |beta| lag(beta, &p.mu, &p.rho, &p.v, &p.theta)));
        let on_xa = mu_gradient(&linear, &p.v, &p.theta, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(on_xa, differences(&p.mu, |mu| lag(&p.beta, mu, &p.rho, &p.v, &p.theta)));
        let slope = rho_gradient(&saddle, &p.beta, &mut scratch).unwrap();
        assert_eq!([slope], *differences(from_ref(&p.rho), |rho| lag(&p.beta, &p.mu, &rho[0], &p.v, &p.theta)));
        let on_x = v_gradient(&saddle, &p.beta, &p.mu, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(on_x, differences(&p.v, |v| lag(&p.beta, &p.mu, &p.rho, v, &p.theta)));
        let lambda = image(&power, &p.beta);
        let on_d = primal_feature_residual(&linear, &lambda, &p.mu, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(on_d, differences(&p.theta, |theta| lag(&p.beta, &p.mu, &p.rho, &p.v, theta)));
        let on_d = dual_feature_residual(&linear, &model.varrho, &p.rho, &p.v, &p.theta, &mut &mut scratch[..])
            .unwrap()
            .to_vec();
        let in_lambda = |lambda: &[Q]| {
            lagrangian(&linear, &model.varrho, &p.rho, &p.v, &p.theta, lambda, &p.mu, &mut model.scratch()).unwrap()
        };
        assert_eq!(on_d, differences(&lambda, in_lambda));
        let on_xa = dual_slack(&linear, &p.v, &p.theta, &mut &mut scratch[..]).unwrap().to_vec();
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
        let mut scratch = model.scratch();
        let gradient = beta_gradient(&saddle, &p.policy, &p.rho, &p.theta, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(gradient, differences(&p.beta, |beta| f(beta, &p.rho, &p.theta)));
        let gradient = theta_gradient(&saddle, &p.beta, &p.policy, &mut &mut scratch[..]).unwrap().to_vec();
        assert_eq!(gradient, differences(&p.theta, |theta| f(&p.beta, &p.rho, theta)));
        let slope = rho_gradient(&saddle, &p.beta, &mut scratch).unwrap();
        assert_eq!([slope], *differences(from_ref(&p.rho), |rho| f(&p.beta, &rho[0], &p.theta)));
    }
}
