//! (6), (11)–(15): the Lagrangian, its reparametrisation by β, the function f, and all their gradients.

use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::components::{fill, finite_vector, keep};
use crate::paper::mdp::{
    LinearMdp, compose, dual_feature_residual, dual_objective, dual_slack, policy_average, primal_feature_residual,
    primal_flow_residual, primal_objective, state_marginal, state_value, theta_of_value,
};

/// A linear MDP with the matrix Λ^c of the reparametrisation λ = Λ^c β. Any invertible symmetric matrix will do for the identities.
#[derive(Debug)]
pub struct Saddle<'a, T> {
    mdp: LinearMdp<'a, T>,
    power: &'a [T],
}

impl<T> Clone for Saddle<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Saddle<'_, T> {}

impl<'a, T: Field> Saddle<'a, T> {
    /// `power` is Λ^c, d×d.
    pub fn new(mdp: LinearMdp<'a, T>, power: &'a [T]) -> Result<Self> {
        expect_table("Λ^c", mdp.shape().dim, mdp.shape().dim, power.len())?;
        all_finite("Λ^c", power)?;
        Ok(Self { mdp, power })
    }

    /// The linear MDP.
    #[must_use]
    pub fn mdp(&self) -> &LinearMdp<'a, T> {
        &self.mdp
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

/// (6), `eq:lag`, first line: L = (1−γ)⟨ν₀, v⟩ + ⟨λ, ω + γΨv − θ⟩ + ⟨μ, Φθ − Ev⟩.
pub fn lagrangian<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("lambda", mdp.shape().dim, lambda.len())?;
    expect_len("mu", mdp.shape().pairs(), mu.len())?;
    let bellman = dual_feature_residual(mdp, v, theta, &mut scratch)?;
    let slack = dual_slack(mdp, v, theta, &mut scratch)?;
    finite("L", dual_objective(mdp, v)? + inner(lambda, bellman) - inner(mu, slack))
}

/// (6), second line: L = ⟨λ, ω⟩ + ⟨v, (1−γ)ν₀ + γΨᵀλ − Eᵀμ⟩ + ⟨θ, Φᵀμ − λ⟩.
pub fn lagrangian_regrouped<T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    lambda: &[T],
    mu: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("v", mdp.shape().states, v.len())?;
    expect_len("theta", mdp.shape().dim, theta.len())?;
    let flow = primal_flow_residual(mdp, lambda, mu, &mut scratch)?;
    let feature = primal_feature_residual(mdp, lambda, mu, &mut scratch)?;
    finite("L", primal_objective(mdp, lambda)? + inner(v, flow) + inner(theta, feature))
}

/// (11), `eq:lag-beta-p`: (6)'s first line at λ = Λ^c β.
pub fn lagrangian_beta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    v: &[T],
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let lambda = saddle.lambda(beta, &mut scratch)?;
    lagrangian(&saddle.mdp, v, theta, lambda, mu, scratch)
}

/// (12), `eq:lag-beta-d`: (6)'s second line at λ = Λ^c β.
pub fn lagrangian_beta_regrouped<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    mu: &[T],
    v: &[T],
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    let lambda = saddle.lambda(beta, &mut scratch)?;
    lagrangian_regrouped(&saddle.mdp, v, theta, lambda, mu, scratch)
}

/// (13), its marginal: ν_β(x) = (1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩, the marginal Eᵀμ_{β,π} for every π.
pub fn nu_beta<'s, T: Field>(saddle: &Saddle<T>, beta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let mdp = &saddle.mdp;
    let out = take(scratch, mdp.shape().states)?;
    let mut rest = &mut **scratch;
    let lambda = saddle.lambda(beta, &mut rest)?;
    let arriving = mdp.psi_transposed_times(lambda, &mut rest)?;
    fill("ν_β", out, |x| arriving[x].clone() * mdp.discount() + (T::one() - mdp.discount()) * &mdp.initial()[x])
}

/// (13), `eq:def-mu`: μ_{β,π}(x,a) = π(a|x)[(1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩].
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

/// (7), `eq:def-vt`, on all of X: v_{θ,π}(x) = Σ_a π(a|x)⟨φ(x,a), θ⟩.
pub fn v_theta<'s, T: Field>(
    mdp: &LinearMdp<T>,
    theta: &[T],
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(mdp.shape().states, scratch, |rest| {
        let q = mdp.linear_function(theta, rest)?;
        expect_len("policy", q.len(), policy.len())?;
        policy_average(mdp.shape().actions, policy, q, rest)
    })
}

/// (14), `eq:f-theta`: f(β,π;θ) = ⟨β, Λ^cω⟩ + ⟨θ, Φᵀμ_{β,π} − Λ^cβ⟩.
pub fn f_theta<T: Field>(
    saddle: &Saddle<T>,
    beta: &[T],
    policy: &[T],
    theta: &[T],
    mut scratch: &mut [T],
) -> Result<T> {
    expect_len("beta", saddle.mdp.shape().dim, beta.len())?;
    expect_len("theta", saddle.mdp.shape().dim, theta.len())?;
    let weighted_omega = saddle.lambda(saddle.mdp.omega(), &mut scratch)?;
    let gradient = theta_gradient(saddle, beta, policy, &mut scratch)?;
    finite("f", inner(beta, weighted_omega) + inner(theta, gradient))
}

/// (15), `eq:f-beta`, left: f(β,π;θ) = ⟨Λ^cβ, ω − θ⟩ + ⟨v_{θ,π}, ν_β⟩.
pub fn f_nu<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let lambda = saddle.lambda(beta, &mut scratch)?;
    let v = v_theta(&saddle.mdp, theta, policy, &mut scratch)?;
    let nu = nu_beta(saddle, beta, &mut scratch)?;
    finite("f", inner(lambda, saddle.mdp.omega()) - inner(lambda, theta) + inner(v, nu))
}

/// (15), right: f(β,π;θ) = (1−γ)⟨ν₀, v_{θ,π}⟩ + ⟨Λ^cβ, ω + γΨv_{θ,π} − θ⟩.
pub fn f_beta<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let lambda = saddle.lambda(beta, &mut scratch)?;
    let v = v_theta(&saddle.mdp, theta, policy, &mut scratch)?;
    let bellman = dual_feature_residual(&saddle.mdp, v, theta, &mut scratch)?;
    finite("f", dual_objective(&saddle.mdp, v)? + inner(lambda, bellman))
}

/// Lemma 4.2: g_θ = ∇_θ f = Φᵀμ_{β,π} − Λ^cβ.
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

/// Lemma 4.2: g_β = ∇_β f = Λ^c(ω + γΨv_{θ,π} − θ).
pub fn beta_gradient<'s, T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().dim, scratch, |rest| {
        let v = v_theta(&saddle.mdp, theta, policy, rest)?;
        beta_gradient_at(saddle, v, theta, rest)
    })
}

/// ∂L/∂β of (11), at any v: Λ^c(ω + γΨv − θ).
pub fn beta_gradient_at<'s, T: Field>(
    saddle: &Saddle<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(saddle.mdp.shape().dim, scratch, |rest| {
        let bellman = dual_feature_residual(&saddle.mdp, v, theta, rest)?;
        // Λ^c is symmetric, so ∇_β ⟨β, Λ^c y⟩ = Λ^c y.
        saddle.lambda(bellman, rest)
    })
}

/// ∂L/∂v of (12): (1−γ)ν₀ + γΨᵀΛ^cβ − Eᵀμ; zero at μ = μ_{β,π} (below (13)).
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

/// ∂L/∂μ of (11): Φθ − Ev.
pub fn mu_gradient<'s, T: Field>(
    mdp: &LinearMdp<T>,
    v: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let out = take(scratch, mdp.shape().pairs())?;
    let slack = dual_slack(mdp, v, theta, &mut &mut **scratch)?;
    fill("∂L/∂μ", out, |pair| -slack[pair].clone())
}

/// θ^π by exact solve: (3) at v = v^π, from a linear MDP and a policy.
pub fn theta_of_policy<'s, T: Field>(
    mdp: &LinearMdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    keep(mdp.shape().dim, scratch, |rest| {
        let v = state_value(&mdp.tabulate(rest)?, policy, rest)?;
        theta_of_value(mdp, v, rest)
    })
}
