//! Lengths in the average-reward setting, in the manner of `shapes.rs`.

use super::abstraction::Abstract;
use super::contracts::*;
use super::lengths::average;
use crate::error::Result;
use crate::number::Field;
use crate::paper::average_reward::lagrangian::Saddle;
use crate::paper::mdp::{LinearMdp, Mdp};
use core::sync::atomic::{AtomicUsize, Ordering};

/// `relative_value` and `state_value`.
fn relative_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<(T, &'s mut [T])> {
    Ok((T::zero(), room(policy.len() == mdp.pairs(), mdp.states(), scratch)?))
}

fn action_value<'s, T: Field>(mdp: &Mdp<T>, _gain: &T, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(v.len() == mdp.states(), mdp.pairs(), scratch)
}

fn flow_residual<'s, T: Field>(mdp: &Mdp<T>, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(mu.len() == mdp.pairs(), mdp.states(), scratch)
}

fn recurrent_classes<T: Field>(mdp: &Mdp<T>, policy: &[T], _scratch: &mut [T]) -> Result<usize> {
    answer(policy.len() == mdp.pairs(), if kani::any() { 1 } else { 2 })
}

fn policy_span<T: Field>(mdp: &Mdp<T>, policy: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(policy.len() == mdp.pairs(), T::zero())
}

/// Any policy, in two rounds of policy iteration: every round has the same lengths.
fn round<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<(T, &'s mut [T])> {
    static ROUNDS: AtomicUsize = AtomicUsize::new(0);
    // Budget: two rounds.
    kani::assume(ROUNDS.fetch_add(1, Ordering::Relaxed) < 2);
    relative_value(mdp, policy, scratch)
}

fn theta_of_value<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    _gain: &T,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = mdp.shape();
    room(varrho.len() == shape.dim && v.len() == shape.states, shape.dim, scratch)
}

fn shifted_theta<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let dim = mdp.shape().dim;
    room(varrho.len() == dim && theta.len() == dim, dim, scratch)
}

fn dual_feature_residual<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    answer(theta.len() == mdp.shape().dim, ())?;
    theta_of_value(mdp, varrho, rho, v, scratch)
}

fn dual_point<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<(T, &'s mut [T], &'s mut [T])> {
    let shape = mdp.shape();
    let v = room(varrho.len() == shape.dim && policy.len() == shape.pairs(), shape.states, scratch)?;
    Ok((T::zero(), v, room(true, shape.dim, scratch)?))
}

/// `lagrangian` and `lagrangian_regrouped`.
fn lagrangian<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    _rho: &T,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    _scratch: &mut [T],
) -> Result<T> {
    let shape = mdp.shape();
    let features = varrho.len() == shape.dim && theta.len() == shape.dim && lambda.len() == shape.dim;
    answer(features && v.len() == shape.states && mu.len() == shape.pairs(), T::zero())
}

fn lagrangian_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    scratch: &mut [T],
) -> Result<T> {
    lagrangian(saddle.mdp(), saddle.varrho(), rho, v, theta, beta, mu, scratch)
}

fn nu_beta<'s, T: Field>(saddle: &Saddle<T>, beta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    room(beta.len() == saddle.mdp().shape().dim, saddle.mdp().shape().states, scratch)
}

fn mu_beta<'s, T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = saddle.mdp().shape();
    room(beta.len() == shape.dim && policy.len() == shape.pairs(), shape.pairs(), scratch)
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

fn rho_gradient<T: Field>(saddle: &Saddle<T>, beta: &[T], _scratch: &mut [T]) -> Result<T> {
    answer(beta.len() == saddle.mdp().shape().dim, T::zero())
}

fn beta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    _rho: &T,
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    theta_gradient(saddle, theta, policy, scratch)
}

fn beta_gradient_at<'s, T: Field>(
    saddle: &Saddle<T>,
    _rho: &T,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = saddle.mdp().shape();
    room(v.len() == shape.states && theta.len() == shape.dim, shape.dim, scratch)
}

fn f_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    _rho: &T,
    theta: &[T],
    _scratch: &mut [T],
) -> Result<T> {
    let shape = saddle.mdp().shape();
    answer(beta.len() == shape.dim && policy.len() == shape.pairs() && theta.len() == shape.dim, T::zero())
}

fn theta_of_policy<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<(T, &'s mut [T])> {
    let shape = mdp.shape();
    Ok((T::zero(), room(varrho.len() == shape.dim && policy.len() == shape.pairs(), shape.dim, scratch)?))
}

fn saddle() -> Saddle<'static, Abstract> {
    let model = linear();
    let dim = model.shape().dim;
    Saddle::new(model, &NUMBERS[..dim], &NUMBERS[..dim * dim]).unwrap()
}

lengths! {
    /// ν^π, ρ^π and the bias of a tabular model, and what of (23) and Bellman's equations needs no policy.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::policy_average, any_average)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::value::policy_transition, policy_transition)]
    #[kani::stub(crate::paper::mdp::valid_distributions, any_distributions)]
    fn bias_lengths() {
        average::tabular(&calls(), &table())
    }
}

lengths! {
    /// μ^π, the gain, v^π, the residuals of Bellman's equations, feasibility in (23) and the span of q^π, of a tabular model.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::compose, compose)]
    #[kani::stub(crate::paper::average_reward::values::state_occupancy, any_occupancy)]
    #[kani::stub(crate::paper::average_reward::values::relative_value, relative_value)]
    #[kani::stub(crate::paper::average_reward::values::action_value, action_value)]
    #[kani::stub(crate::paper::average_reward::lp::flow_residual, flow_residual)]
    fn average_value_lengths() {
        average::values(&calls(), &table())
    }
}

lengths! {
    /// Recurrent classes, and deterministic policies by number.
    #[kani::unwind(5)]
    #[kani::stub(crate::linear::solve::rank, rank_or_less)]
    #[kani::stub(crate::paper::mdp::value::policy_transition, policy_transition)]
    #[kani::stub(crate::paper::mdp::valid_distributions, any_distributions)]
    fn deterministic_lengths() {
        average::policies(&calls(), &table())
    }
}

lengths! {
    /// Assumption 5.1, over all deterministic policies.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::average_reward::unichain::decode_policy, decode_policy)]
    #[kani::stub(crate::paper::average_reward::unichain::recurrent_classes, recurrent_classes)]
    #[kani::stub(crate::paper::average_reward::unichain::policy_span, policy_span)]
    fn unichain_lengths() {
        average::unichain(&calls(), &table())
    }
}

lengths! {
    /// Policy iteration.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::average_reward::values::state_value, round)]
    #[kani::stub(crate::paper::average_reward::values::action_value, action_value)]
    #[kani::stub(crate::paper::mdp::policy::deterministic_policy, deterministic_policy)]
    fn iteration_lengths() {
        average::optimum(&calls(), &table())
    }
}

lengths! {
    /// (23) of a linear model: the primal program; μ^π.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::psi_transposed_times, psi_transposed_times)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::mean_feature, mean_feature)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::transition, transition)]
    #[kani::stub(crate::paper::average_reward::values::occupancy, occupancy)]
    fn average_primal_lengths() {
        average::primal(&calls(), &linear())
    }
}

lengths! {
    /// (23) of a linear model: the dual program, θ of v and ρ, and Lemma C.3's shift of θ.
    #[kani::unwind(5)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_slack, dual_slack)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::psi_times, psi_times)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::linear_function, linear_function)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::transition, transition)]
    #[kani::stub(crate::paper::average_reward::values::state_value, relative_value)]
    fn average_dual_lengths() {
        average::dual(&calls(), &linear())
    }
}

lengths! {
    /// The Lagrangian of (23), its second line as printed, with the constructor of its model, λ and ν_β.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::psi_transposed_times, psi_transposed_times)]
    #[kani::stub(crate::paper::mdp::feature_lp::dual_slack, dual_slack)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
    #[kani::stub(crate::paper::average_reward::lp::dual_feature_residual, dual_feature_residual)]
    #[kani::stub(crate::paper::average_reward::lp::primal_flow_residual, primal_flow_residual)]
    fn average_lagrangian_lengths() {
        average::lagrangians(&calls(), &saddle())
    }
}

lengths! {
    /// The Lagrangian of (23) in β and as it should be printed, μ_β, the gradients that do not go through v_θ, and θ^π.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::mdp::compose, compose)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::feature_lp::primal_feature_residual, primal_feature_residual)]
    #[kani::stub(crate::paper::average_reward::lp::dual_feature_residual, dual_feature_residual)]
    #[kani::stub(crate::paper::average_reward::lp::dual_point, dual_point)]
    #[kani::stub(crate::paper::average_reward::lagrangian::lagrangian, lagrangian)]
    #[kani::stub(crate::paper::average_reward::lagrangian::lagrangian_regrouped, lagrangian)]
    #[kani::stub(crate::paper::average_reward::lagrangian::nu_beta, nu_beta)]
    fn average_gradient_lengths() {
        average::gradients(&calls(), &saddle())
    }
}

lengths! {
    /// f of (23) in all its forms, and g_β.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::discounted::lagrangian::v_theta, v_theta)]
    #[kani::stub(crate::paper::average_reward::lagrangian::nu_beta, nu_beta)]
    #[kani::stub(crate::paper::average_reward::lagrangian::mu_beta, mu_beta)]
    #[kani::stub(crate::paper::average_reward::lagrangian::lagrangian_beta, lagrangian_beta)]
    #[kani::stub(crate::paper::average_reward::lagrangian::theta_gradient, theta_gradient)]
    #[kani::stub(crate::paper::average_reward::lagrangian::rho_gradient, rho_gradient)]
    #[kani::stub(crate::paper::average_reward::lagrangian::beta_gradient_at, beta_gradient_at)]
    #[kani::stub(crate::paper::average_reward::lp::dual_feature_residual, dual_feature_residual)]
    fn average_function_lengths() {
        average::functions(&calls(), &saddle())
    }
}

lengths! {
    /// The gap of Lemma C.3 and what it compares, and the split of Lemma C.4, with T = 2.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::covariance::apply_inverse, apply_inverse)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::mean_feature, mean_feature)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::reward, reward)]
    #[kani::stub(crate::paper::average_reward::values::shifted_theta, shifted_theta)]
    #[kani::stub(crate::paper::average_reward::lagrangian::theta_of_policy, theta_of_policy)]
    #[kani::stub(crate::paper::average_reward::lagrangian::f_beta, f_beta)]
    #[kani::stub(crate::paper::average_reward::duality_gap::occupancy_of, occupancy_of)]
    fn average_gap_lengths() {
        average::gaps(&calls(), &saddle())
    }
}

lengths! {
    /// Lemma C.4's regrets and Lemma C.3's suboptimality, with T = 2.
    #[kani::unwind(3)]
    #[kani::stub(crate::paper::mdp::state_marginal, state_marginal)]
    #[kani::stub(crate::paper::mdp::linear::LinearMdp::linear_function, linear_function)]
    #[kani::stub(crate::paper::average_reward::lagrangian::theta_gradient, theta_gradient)]
    #[kani::stub(crate::paper::average_reward::lagrangian::rho_gradient, rho_gradient)]
    #[kani::stub(crate::paper::average_reward::lagrangian::beta_gradient, beta_gradient)]
    #[kani::stub(crate::paper::average_reward::duality_gap::occupancy_of, occupancy_of)]
    #[kani::stub(crate::paper::average_reward::duality_gap::gain_of, return_of)]
    #[kani::stub(crate::paper::discounted::regret::policy_advantage, policy_advantage)]
    fn average_regret_lengths() {
        average::regrets(&calls(), &saddle())
    }
}
