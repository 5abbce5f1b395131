//! Lengths in the Lagrangian, f, the gap and the regrets of the discounted setting, in the manner of `shapes.rs`.

use super::abstraction::Abstract;
use super::contracts::*;
use super::lengths::discounted;
use crate::error::Result;
use crate::number::Field;
use crate::paper::discounted::lagrangian::Saddle;
use crate::paper::mdp::{LinearMdp, Mdp};

fn state_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.pairs(), mdp.states(), scratch)
}

fn dual_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(v.len() == shape.states && theta.len() == shape.dim, shape.dim, scratch)
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

fn nu_beta<'s, T: Field>(saddle: &Saddle<T>, beta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(beta.len() == saddle.mdp().shape().dim, saddle.mdp().shape().states, scratch)
}

fn theta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = saddle.mdp().shape();
    room(beta.len() == shape.dim && policy.len() == shape.pairs(), shape.dim, scratch)
}

fn beta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    theta_gradient(saddle, theta, policy, scratch)
}

fn beta_gradient_at<'s, T: Field>(
    saddle: &Saddle<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = saddle.mdp().shape();
    room(v.len() == shape.states && theta.len() == shape.dim, shape.dim, scratch)
}

fn f_theta<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], _scratch: &mut [T]) -> Result<T> {
    let shape = saddle.mdp().shape();
    answer(beta.len() == shape.dim && policy.len() == shape.pairs() && theta.len() == shape.dim, T::zero())
}

fn theta_of_policy<'s, T: Field>(mdp: &LinearMdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(policy.len() == mdp.shape().pairs(), mdp.shape().dim, scratch)
}

fn saddle() -> Saddle<'static, Abstract> {
    let model = linear();
    let dim = model.shape().dim;
    Saddle::new(model, &NUMBERS[..dim * dim]).unwrap()
}

lengths! {
    /// (6), with the constructor of its model, λ, ν_β, v_θ and ∂L/∂μ.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::linear_function, linear_function)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::psi_transposed_times, psi_transposed_times)]
    #[kani::stub(crate::paper::mdp::policy_average, any_average)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_slack, dual_slack)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_flow_residual, primal_flow_residual)]
    fn lagrangian_lengths() {
        discounted::lagrangians(&calls(), &saddle())
    }
}

lengths! {
    /// (11), (12), (13), and the gradients that do not go through v_θ.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::discounted::lagrangian::lagrangian, lagrangian)]
    #[kani::stub(crate::paper::discounted::lagrangian::lagrangian_regrouped, lagrangian)]
    #[kani::stub(crate::paper::discounted::lagrangian::nu_beta, nu_beta)]
    #[kani::stub(crate::paper::mdp::compose, compose)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
    fn gradient_lengths() {
        discounted::gradients(&calls(), &saddle())
    }
}

lengths! {
    /// (14), (15) and g_β, and θ^π and μ^π of a linear model.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::discounted::lagrangian::v_theta, v_theta)]
    #[kani::stub(crate::paper::discounted::lagrangian::nu_beta, nu_beta)]
    #[kani::stub(crate::paper::discounted::lagrangian::theta_gradient, theta_gradient)]
    #[kani::stub(crate::paper::discounted::lagrangian::beta_gradient_at, beta_gradient_at)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_feature_residual, dual_feature_residual)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::transition, transition)]
    #[kani::stub(crate::paper::mdp::value::state_value, state_value)]
    #[kani::stub(crate::paper::mdp::occupancy::occupancy, occupancy)]
    #[kani::stub(crate::paper::mdp::linear::theta_of_value, theta_of_value)]
    fn function_lengths() {
        discounted::functions(&calls(), &saddle()) && discounted::tabulated(&calls(), &linear())
    }
}

lengths! {
    /// (16), (21) and what Lemma 4.1 compares, with T = 2.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::covariance::apply_inverse, apply_inverse)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::mean_feature, mean_feature)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::paper::discounted::lagrangian::theta_of_policy, theta_of_policy)]
    #[kani::stub(crate::paper::discounted::lagrangian::f_theta, f_theta)]
    #[kani::stub(crate::paper::discounted::duality_gap::occupancy_of, occupancy_of)]
    fn gap_lengths() {
        discounted::gaps(&calls(), &saddle())
    }
}

lengths! {
    /// Lemma 4.2's regrets and Lemma 4.1's suboptimality, with T = 2.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::linear_function, linear_function)]
    #[kani::stub(crate::paper::discounted::lagrangian::theta_gradient, theta_gradient)]
    #[kani::stub(crate::paper::discounted::lagrangian::beta_gradient, beta_gradient)]
    #[kani::stub(crate::paper::discounted::duality_gap::occupancy_of, occupancy_of)]
    #[kani::stub(crate::paper::discounted::duality_gap::return_of, return_of)]
    #[kani::stub(crate::paper::discounted::regret::policy_advantage, policy_advantage)]
    fn regret_lengths() {
        discounted::regrets(&calls(), &saddle())
    }
}

lengths! {
    /// One term of Lemma 4.2's third sum.
    #[kani::unwind(4)]
    fn advantage_lengths() {
        discounted::advantage(&calls(), count(), count())
    }
}
