//! Lengths in the Lagrangian, f, the gap and the regrets of the discounted setting, in the manner of `shapes.rs`.
//!
//! A contract has the name of the function that it stands for: it refuses what that one refuses, slices of a wrong length, and answers
//! otherwise. Those of Section 2 are proved in `shapes.rs`, the others here, each one layer up; `apply_inverse` only in the tests.

use super::lengths::discounted;
use super::shapes::{NUMBERS, a_number, any_average, calls, equal_lengths, fitting, linear, numbers_all, silent};
use crate::discounted::lagrangian::Saddle;
use crate::error::{Error, Result};
use crate::mdp::{LinearMdp, Mdp};
use crate::scalar::Field;

/// The answer of a contract.
pub(super) fn answer<V>(fits: bool, value: V) -> Result<V> {
    // Budget: only a wrong length is refused; any other `Err` would only end the caller earlier.
    if fits { Ok(value) } else { Err(Error::Empty { what: "a contract" }) }
}

pub(super) fn mean_feature<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, mu: &[T], out: &mut [T]) -> Result<()> {
    answer(mu.len() == mdp.shape().pairs() && out.len() == mdp.shape().dim, ())
}

pub(super) fn linear_function<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, theta: &[T], out: &mut [T]) -> Result<()> {
    answer(theta.len() == mdp.shape().dim && out.len() == mdp.shape().pairs(), ())
}

pub(super) fn psi_times<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, v: &[T], out: &mut [T]) -> Result<()> {
    answer(v.len() == mdp.shape().states && out.len() == mdp.shape().dim, ())
}

pub(super) fn psi_transposed_times<'a: 'a, T: Field>(
    mdp: &LinearMdp<'a, T>,
    lambda: &[T],
    out: &mut [T],
) -> Result<()> {
    answer(lambda.len() == mdp.shape().dim && out.len() == mdp.shape().states, ())
}

pub(super) fn reward<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, out: &mut [T]) -> Result<()> {
    answer(out.len() == mdp.shape().pairs(), ())
}

pub(super) fn transition<'a: 'a, T: Field>(mdp: &LinearMdp<'a, T>, out: &mut [T]) -> Result<()> {
    answer(out.len() == mdp.shape().pairs() * mdp.shape().states, ())
}

pub(super) fn compose<T: Field>(actions: usize, policy: &[T], nu: &[T], out: &mut [T]) -> Result<()> {
    answer(policy.len() == nu.len() * actions && out.len() == policy.len(), ())
}

pub(super) fn state_marginal<T: Field>(actions: usize, mu: &[T], out: &mut [T]) -> Result<()> {
    answer(mu.len() == out.len() * actions, ())
}

pub(super) fn primal_feature_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(lambda.len() == shape.dim && mu.len() == shape.pairs() && out.len() == shape.dim, ())
}

/// Also of (23).
pub(super) fn primal_flow_residual<T: Field>(
    mdp: &LinearMdp<T>,
    lambda: &[T],
    mu: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(lambda.len() == shape.dim && mu.len() == shape.pairs() && out.len() == shape.states, ())
}

pub(super) fn dual_slack<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    answer(v.len() == shape.states && theta.len() == shape.dim && out.len() == shape.pairs(), ())
}

pub(super) fn apply_inverse<T: Field>(dim: usize, matrix: &[T], x: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(matrix.len() == dim * dim && x.len() == dim, ())
}

pub(super) fn v_theta<T: Field>(
    mdp: &LinearMdp<T>,
    theta: &[T],
    policy: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = mdp.shape();
    answer(theta.len() == shape.dim && policy.len() == shape.pairs() && out.len() == shape.states, ())
}

/// Of either setting.
pub(super) fn occupancy_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], mu: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.shape().pairs() && mu.len() == mdp.shape().pairs(), ())
}

/// ρ(π), of either setting.
pub(super) fn return_of<T: Field>(mdp: &LinearMdp<T>, policy: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(policy.len() == mdp.shape().pairs(), T::zero())
}

/// Of a tabular model, in either setting.
pub(super) fn occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], mu: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.pairs() && mu.len() == mdp.pairs(), ())
}

fn state_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.pairs() && v.len() == mdp.states(), ())
}

fn theta_of_value<T: Field>(mdp: &LinearMdp<T>, v: &[T], out: &mut [T]) -> Result<()> {
    answer(v.len() == mdp.shape().states && out.len() == mdp.shape().dim, ())
}

fn dual_feature_residual<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    answer(v.len() == shape.states && theta.len() == shape.dim && out.len() == shape.dim, ())
}

/// `lagrangian` and `lagrangian_regrouped`.
fn lagrangian<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    _scratch: &mut [T],
) -> Result<T> {
    let shape = mdp.shape();
    let below = theta.len() == shape.dim && lambda.len() == shape.dim;
    answer(below && v.len() == shape.states && mu.len() == shape.pairs(), T::zero())
}

fn nu_beta<T: Field>(saddle: &Saddle<T>, beta: &[T], out: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(beta.len() == saddle.mdp().shape().dim && out.len() == saddle.mdp().shape().states, ())
}

fn theta_gradient<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp().shape();
    answer(beta.len() == shape.dim && policy.len() == shape.pairs() && out.len() == shape.dim, ())
}

fn beta_gradient<T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    theta: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    theta_gradient(saddle, theta, policy, out, _scratch)
}

fn beta_gradient_at<T: Field>(
    saddle: &Saddle<T>,
    v: &[T],
    theta: &[T],
    out: &mut [T],
    _scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp().shape();
    answer(v.len() == shape.states && theta.len() == shape.dim && out.len() == shape.dim, ())
}

fn f_theta<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], _scratch: &mut [T]) -> Result<T> {
    let shape = saddle.mdp().shape();
    answer(beta.len() == shape.dim && policy.len() == shape.pairs() && theta.len() == shape.dim, T::zero())
}

fn theta_of_policy<T: Field>(mdp: &LinearMdp<T>, policy: &[T], out: &mut [T], _scratch: &mut [T]) -> Result<()> {
    answer(policy.len() == mdp.shape().pairs() && out.len() == mdp.shape().dim, ())
}

fn saddle() -> Saddle<'static, super::abstraction::Abstract> {
    Saddle::new(linear(), &NUMBERS[..4]).unwrap()
}

/// (6), with the constructor of its model, λ, ν_β, v_θ and ∂L/∂μ.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::mdp::linear::LinearMdp::linear_function, linear_function)]
#[kani::stub(crate::mdp::linear::LinearMdp::psi_transposed_times, psi_transposed_times)]
#[kani::stub(crate::mdp::policy_average, any_average)]
#[kani::stub(crate::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
#[kani::stub(crate::mdp::feature_lp::dual_slack, dual_slack)]
#[kani::stub(crate::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
#[kani::stub(crate::mdp::feature_lp::primal_flow_residual, primal_flow_residual)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn lagrangian_lengths() {
    let holds = discounted::lagrangians(&calls(), &linear(), &saddle());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// (11), (12), (13), and the gradients that do not go through v_θ.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::discounted::lagrangian::lagrangian, lagrangian)]
#[kani::stub(crate::discounted::lagrangian::lagrangian_regrouped, lagrangian)]
#[kani::stub(crate::discounted::lagrangian::nu_beta, nu_beta)]
#[kani::stub(crate::mdp::compose, compose)]
#[kani::stub(crate::mdp::state_marginal, state_marginal)]
#[kani::stub(crate::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
#[kani::stub(crate::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn gradient_lengths() {
    let holds = discounted::gradients(&calls(), &linear(), &saddle());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// (14), (15) and g_β, and θ^π and μ^π of a linear model.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::multiply, fitting)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::discounted::lagrangian::v_theta, v_theta)]
#[kani::stub(crate::discounted::lagrangian::nu_beta, nu_beta)]
#[kani::stub(crate::discounted::lagrangian::theta_gradient, theta_gradient)]
#[kani::stub(crate::discounted::lagrangian::beta_gradient_at, beta_gradient_at)]
#[kani::stub(crate::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
#[kani::stub(crate::mdp::linear::LinearMdp::reward, reward)]
#[kani::stub(crate::mdp::linear::LinearMdp::transition, transition)]
#[kani::stub(crate::mdp::value::state_value, state_value)]
#[kani::stub(crate::mdp::occupancy::occupancy, occupancy)]
#[kani::stub(crate::mdp::linear::theta_of_value, theta_of_value)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn function_lengths() {
    let holds = discounted::functions(&calls(), &linear(), &saddle()) && discounted::tabulated(&calls(), &linear());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// (16), (21) and what Lemma 4.1 compares, with T = 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::covariance::apply_inverse, apply_inverse)]
#[kani::stub(crate::mdp::linear::LinearMdp::mean_feature, mean_feature)]
#[kani::stub(crate::mdp::linear::LinearMdp::reward, reward)]
#[kani::stub(crate::discounted::lagrangian::theta_of_policy, theta_of_policy)]
#[kani::stub(crate::discounted::lagrangian::f_theta, f_theta)]
#[kani::stub(crate::discounted::duality_gap::occupancy_of, occupancy_of)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn gap_lengths() {
    let holds = discounted::gaps(&calls(), &linear(), &saddle());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// Lemma 4.2's regrets and Lemma 4.1's suboptimality, with T = 2.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
#[kani::stub(crate::vector::inner, equal_lengths)]
#[kani::stub(crate::vector::all_finite, numbers_all)]
#[kani::stub(crate::vector::finite, a_number)]
#[kani::stub(crate::mdp::state_marginal, state_marginal)]
#[kani::stub(crate::mdp::linear::LinearMdp::linear_function, linear_function)]
#[kani::stub(crate::discounted::lagrangian::theta_gradient, theta_gradient)]
#[kani::stub(crate::discounted::lagrangian::beta_gradient, beta_gradient)]
#[kani::stub(crate::discounted::duality_gap::occupancy_of, occupancy_of)]
#[kani::stub(crate::discounted::duality_gap::return_of, return_of)]
#[kani::stub(<usize as core::fmt::Display>::fmt, silent)]
fn regret_lengths() {
    let holds = discounted::regrets(&calls(), &linear(), &saddle());
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}
