//! Below (23): the Lagrangian, its reparametrisation by β, the function f, and all their gradients.

use super::lp::{
    dual_feature_residual, dual_point, primal_flow_residual, primal_normalisation_residual, primal_objective,
};
use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::components::{fill, finite_vector, keep};
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
    pub fn lambda<'s>(&self, beta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        expect_len("beta", self.mdp.shape().dim, beta.len())?;
        let out = take(scratch, self.mdp.shape().dim)?;
        multiply(self.power, beta, out);
        finite_vector("Λ^c β", out)
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
    let bellman = dual_feature_residual(mdp, varrho, rho, v, theta, &mut scratch)?;
    let slack = dual_slack(mdp, v, theta, &mut scratch)?;
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
    let flow = primal_flow_residual(mdp, lambda, mu, &mut scratch)?;
    let feature = primal_feature_residual(mdp, lambda, mu, &mut scratch)?;
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
    let lambda = saddle.lambda(beta, &mut scratch)?;
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
    let lambda = saddle.lambda(beta, &mut scratch)?;
    lagrangian_regrouped(&saddle.mdp, saddle.varrho, rho, v, theta, lambda, mu, scratch)
}

/// (23): ν_β(x) = ⟨ψ(x), Λ^cβ⟩, the marginal Eᵀμ_{β,π} for every π.
pub fn nu_beta<'s, T: Field>(saddle: &Saddle<T>, beta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().states, scratch, |rest| {
        let lambda = saddle.lambda(beta, rest)?;
        saddle.mdp.psi_transposed_times(lambda, rest)
    })
}

/// (23): μ_{β,π}(x,a) = π(a|x)⟨ψ(x), Λ^cβ⟩.
pub fn mu_beta<'s, T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().pairs(), scratch, |rest| {
        let nu = nu_beta(saddle, beta, rest)?;
        compose(saddle.mdp.shape().actions, policy, nu, rest)
    })
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
    let weighted_omega = saddle.lambda(saddle.mdp.omega(), &mut scratch)?;
    let gradient = theta_gradient(saddle, beta, policy, &mut scratch)?;
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
    let lambda = saddle.lambda(beta, &mut scratch)?;
    let v = v_theta(&saddle.mdp, theta, policy, &mut scratch)?;
    let nu = nu_beta(saddle, beta, &mut scratch)?;
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
    let lambda = saddle.lambda(beta, &mut scratch)?;
    let v = v_theta(&saddle.mdp, theta, policy, &mut scratch)?;
    let bellman = dual_feature_residual(&saddle.mdp, saddle.varrho, rho, v, theta, &mut scratch)?;
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
    let v = v_theta(&saddle.mdp, theta, policy, &mut scratch)?;
    let mu = mu_beta(saddle, beta, policy, &mut scratch)?;
    lagrangian_beta(saddle, beta, mu, rho, v, theta, scratch)
}

/// (23): g_θ = ∇_θ f = Φᵀμ_{β,π} − Λ^cβ.
pub fn theta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().dim, scratch, |rest| {
        let lambda = saddle.lambda(beta, rest)?;
        let mu = mu_beta(saddle, beta, policy, rest)?;
        primal_feature_residual(&saddle.mdp, lambda, mu, rest)
    })
}

/// (23): g_ρ = ∂f/∂ρ = ∂L/∂ρ = 1 − ⟨β, Λ^cϱ⟩.
pub fn rho_gradient<T: Field>(saddle: &Saddle<T>, beta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let lambda = saddle.lambda(beta, &mut scratch)?;
    primal_normalisation_residual(saddle.varrho, lambda)
}

/// (23): g_β = ∇_β f = Λ^c[ω + Ψv_{θ,π} − θ − ρϱ].
pub fn beta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    rho: &T,
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().dim, scratch, |rest| {
        let v = v_theta(&saddle.mdp, theta, policy, rest)?;
        beta_gradient_at(saddle, rho, v, theta, rest)
    })
}

/// ∂L/∂β of the Lagrangian in β, at any v: Λ^c[ω + Ψv − θ − ρϱ]. Without Λ^c it is ∂L/∂λ:
/// [`super::lp::dual_feature_residual`].
pub fn beta_gradient_at<'s, T: Field>(
    saddle: &Saddle<T>,
    rho: &T,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().dim, scratch, |rest| {
        let bellman = dual_feature_residual(&saddle.mdp, saddle.varrho, rho, v, theta, rest)?;
        // Λ^c is symmetric, so ∇_β ⟨β, Λ^c y⟩ = Λ^c y.
        saddle.lambda(bellman, rest)
    })
}

/// ∂L/∂v of the Lagrangian in β: ΨᵀΛ^cβ − Eᵀμ; zero at μ = μ_{β,π}.
pub fn v_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let shape = saddle.mdp.shape();
    expect_len("mu", shape.pairs(), mu.len())?;
    let out = take(scratch, shape.states)?;
    let mut rest = &mut **scratch;
    let nu = nu_beta(saddle, beta, &mut rest)?;
    let marginal = state_marginal(shape.actions, mu, &mut rest)?;
    fill("∂L/∂v", out, |x| nu[x].clone() - &marginal[x])
}

/// ρ^π and θ^π by exact solve, from a linear MDP and a policy.
pub fn theta_of_policy<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<(T, &'s mut [T])> {
    let theta = take(scratch, mdp.shape().dim)?;
    let (gain, _, solved) = dual_point(mdp, varrho, policy, &mut &mut **scratch)?;
    theta.clone_from_slice(solved);
    Ok((gain, theta))
}
