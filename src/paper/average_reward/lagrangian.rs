//! Below (23): the Lagrangian, its reparametrisation by β, the function f, and all their gradients.

use super::lp::{
    dual_feature_residual, dual_point, primal_flow_residual, primal_normalisation_residual, primal_objective,
};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::mdp::{LinearMdp, compose, dual_slack, primal_feature_residual, state_marginal};

// These two know neither γ nor ρ: they are the same functions in both settings.
pub use crate::paper::discounted::lagrangian::{mu_gradient, v_theta};

/// A linear MDP with ϱ and the matrix Λ^c of the reparametrisation λ = Λ^c β. Any invertible symmetric matrix will do
/// for the identities.
#[derive(Debug)]
pub struct Saddle<'a, T> {
    mdp: LinearMdp<'a, T>,
    varrho: &'a [T],
    power: &'a [T],
}

impl<T> Clone for Saddle<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Saddle<'_, T> {}

impl<'a, T: Field> Saddle<'a, T> {
    /// `varrho` is ϱ of Assumption 5.2, `power` is Λ^c, d×d.
    pub fn new(mdp: LinearMdp<'a, T>, varrho: &'a [T], power: &'a [T]) -> Result<Self> {
        expect_len("ϱ", mdp.shape().dim, varrho.len())?;
        expect_table("Λ^c", mdp.shape().dim, mdp.shape().dim, power.len())?;
        all_finite("ϱ", varrho)?;
        all_finite("Λ^c", power)?;
        Ok(Self { mdp, varrho, power })
    }

    /// The linear MDP.
    #[must_use]
    pub fn mdp(&self) -> &LinearMdp<'a, T> {
        &self.mdp
    }

    /// ϱ.
    #[must_use]
    pub fn varrho(&self) -> &'a [T] {
        self.varrho
    }

    /// Λ^c.
    #[must_use]
    pub fn power(&self) -> &'a [T] {
        self.power
    }

    /// λ = Λ^c β.
    pub fn lambda(&self, beta: &[T], out: &mut [T]) -> Result<()> {
        expect_len("beta", self.mdp.shape().dim, beta.len())?;
        expect_len("lambda", self.mdp.shape().dim, out.len())?;
        multiply(self.power, beta, out);
        all_finite("Λ^c β", out)
    }
}

/// (23), Lagrangian in λ, first line: L = ρ + ⟨λ, ω + Ψv − θ − ρϱ⟩ + ⟨μ, Φθ − Ev⟩.
///
/// # Deviation
/// Print writes u for μ; erratum 10.
pub fn lagrangian<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    expect_len("mu", mdp.shape().pairs(), mu.len())?;
    let bellman = take(&mut scratch, mdp.shape().dim)?;
    let slack = take(&mut scratch, mdp.shape().pairs())?;
    dual_feature_residual(mdp, varrho, rho, v, theta, bellman)?;
    dual_slack(mdp, v, theta, slack)?;
    finite("L", inner(lambda, bellman) + rho - inner(mu, slack))
}

/// (23), Lagrangian in λ, second line: L = ⟨λ, ω⟩ + ρ[1 − ⟨λ, ϱ⟩] + ⟨θ, Φᵀμ − λ⟩ + ⟨v, Ψᵀλ − Eᵀμ⟩.
///
/// # Deviation
/// Print drops ⟨λ, ω⟩ ([`crate::errata::average_lagrangian_regrouped`]), without which the two lines differ; erratum 10.
pub fn lagrangian_regrouped<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("ϱ", mdp.shape().dim, varrho.len())?;
    expect_len("v", mdp.shape().states, v.len())?;
    expect_len("theta", mdp.shape().dim, theta.len())?;
    let flow = take(&mut scratch, mdp.shape().states)?;
    let feature = take(&mut scratch, mdp.shape().dim)?;
    primal_flow_residual(mdp, lambda, mu, flow, scratch)?;
    primal_feature_residual(mdp, lambda, mu, feature)?;
    let normalisation = primal_normalisation_residual(varrho, lambda)?;
    finite("L", primal_objective(mdp, lambda)? + normalisation * rho + inner(theta, feature) + inner(v, flow))
}

/// (23), Lagrangian in β: L = ρ + ⟨β, Λ^c[ω + Ψv − θ − ρϱ]⟩ + ⟨μ, Φθ − Ev⟩.
pub fn lagrangian_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    lagrangian(&saddle.mdp, saddle.varrho, rho, v, theta, lambda, mu, scratch)
}

/// (23), Lagrangian in β, regrouped: [`lagrangian_regrouped`] at λ = Λ^c β.
pub fn lagrangian_beta_regrouped<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    rho: &T,
    v: &[T],
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    lagrangian_regrouped(&saddle.mdp, saddle.varrho, rho, v, theta, lambda, mu, scratch)
}

/// (23), ν_β(x) = ⟨ψ(x), Λ^cβ⟩, the marginal Eᵀμ_{β,π} for every π.
pub fn nu_beta<T: Field>(saddle: &Saddle<T>, beta: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    saddle.mdp.psi_transposed_times(lambda, out)
}

/// (23), μ_{β,π}(x,a) = π(a|x)⟨ψ(x), Λ^cβ⟩.
pub fn mu_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let nu = take(&mut scratch, saddle.mdp.shape().states)?;
    nu_beta(saddle, beta, nu, scratch)?;
    compose(saddle.mdp.shape().actions, policy, nu, out)
}

/// (23), f regrouped by θ: f(β,π;ρ,θ) = ⟨β, Λ^cω⟩ + ρ[1 − ⟨β, Λ^cϱ⟩] + ⟨θ, Φᵀμ_{β,π} − Λ^cβ⟩, as the proof of
/// Lemma C.4 uses it.
pub fn f_theta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    rho: &T,
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("beta", saddle.mdp.shape().dim, beta.len())?;
    expect_len("theta", saddle.mdp.shape().dim, theta.len())?;
    let weighted_omega = take(&mut scratch, saddle.mdp.shape().dim)?;
    let gradient = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(saddle.mdp.omega(), weighted_omega)?;
    theta_gradient(saddle, beta, policy, gradient, scratch)?;
    let slope = rho_gradient(saddle, beta, scratch)?;
    finite("f", inner(beta, weighted_omega) + slope * rho + inner(theta, gradient))
}

/// (23), f through ν_β: f(β,π;ρ,θ) = ρ + ⟨Λ^cβ, ω − θ − ρϱ⟩ + ⟨v_{θ,π}, ν_β⟩.
pub fn f_nu<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    rho: &T,
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let shape = saddle.mdp.shape();
    expect_len("theta", shape.dim, theta.len())?;
    let lambda = take(&mut scratch, shape.dim)?;
    let v = take(&mut scratch, shape.states)?;
    let nu = take(&mut scratch, shape.states)?;
    saddle.lambda(beta, lambda)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    nu_beta(saddle, beta, nu, scratch)?;
    let gain_part = inner(lambda, saddle.varrho) * rho;
    finite("f", inner(lambda, saddle.mdp.omega()) - inner(lambda, theta) + rho - gain_part + inner(v, nu))
}

/// (23), f, second printed line: f(β,π;ρ,θ) = ρ + ⟨β, Λ^c[ω + Ψv_{θ,π} − θ − ρϱ]⟩.
pub fn f_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    rho: &T,
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let shape = saddle.mdp.shape();
    let lambda = take(&mut scratch, shape.dim)?;
    let v = take(&mut scratch, shape.states)?;
    let bellman = take(&mut scratch, shape.dim)?;
    saddle.lambda(beta, lambda)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    dual_feature_residual(&saddle.mdp, saddle.varrho, rho, v, theta, bellman)?;
    finite("f", inner(lambda, bellman) + rho)
}

/// (23), f, first printed line: f(β,π;ρ,θ) = L(β, μ_{β,π}; ρ, v_{θ,π}, θ).
pub fn f_lagrangian<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    rho: &T,
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let v = take(&mut scratch, saddle.mdp.shape().states)?;
    let mu = take(&mut scratch, saddle.mdp.shape().pairs())?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    mu_beta(saddle, beta, policy, mu, scratch)?;
    lagrangian_beta(saddle, beta, mu, rho, v, theta, scratch)
}

/// (23), g_θ = ∇_θ f = Φᵀμ_{β,π} − Λ^cβ.
pub fn theta_gradient<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp.shape();
    let lambda = take(&mut scratch, shape.dim)?;
    let mu = take(&mut scratch, shape.pairs())?;
    saddle.lambda(beta, lambda)?;
    mu_beta(saddle, beta, policy, mu, scratch)?;
    primal_feature_residual(&saddle.mdp, lambda, mu, out)
}

/// (23), g_ρ = ∂f/∂ρ = ∂L/∂ρ = 1 − ⟨β, Λ^cϱ⟩.
pub fn rho_gradient<T: Field>(saddle: &Saddle<T>, beta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    primal_normalisation_residual(saddle.varrho, lambda)
}

/// (23), g_β = ∇_β f = Λ^c[ω + Ψv_{θ,π} − θ − ρϱ].
pub fn beta_gradient<T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    rho: &T,
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp.shape();
    let v = take(&mut scratch, shape.states)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    beta_gradient_at(saddle, rho, v, theta, out, scratch)
}

/// ∂L/∂β of the Lagrangian in β, at any v: Λ^c[ω + Ψv − θ − ρϱ]. Without Λ^c it is ∂L/∂λ:
/// [`super::lp::dual_feature_residual`].
pub fn beta_gradient_at<T: Field>(
    saddle: &Saddle<T>,
    rho: &T,
    v: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let bellman = take(&mut scratch, saddle.mdp.shape().dim)?;
    dual_feature_residual(&saddle.mdp, saddle.varrho, rho, v, theta, bellman)?;
    // Λ^c is symmetric, so ∇_β ⟨β, Λ^c y⟩ = Λ^c y.
    saddle.lambda(bellman, out)
}

/// ∂L/∂v of the Lagrangian in β: ΨᵀΛ^cβ − Eᵀμ; zero at μ = μ_{β,π}.
pub fn v_gradient<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp.shape();
    let marginal = take(&mut scratch, shape.states)?;
    state_marginal(shape.actions, mu, marginal)?;
    nu_beta(saddle, beta, out, scratch)?;
    for (entry, m) in out.iter_mut().zip(marginal.iter()) {
        *entry = entry.clone() - m;
    }
    all_finite("∂L/∂v", out)
}

/// θ^π by exact solve, from a linear MDP and a policy; the result is ρ^π.
pub fn theta_of_policy<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<T> {
    let v = take(&mut scratch, mdp.shape().states)?;
    dual_point(mdp, varrho, policy, v, out, scratch)
}
