//! (6), (11)–(15): the Lagrangian, its reparametrisation by β, the function f, and all their gradients.

use crate::error::{Result, expect_len, expect_table};
use crate::linear::vector::{all_finite, finite, inner, multiply, take};
use crate::number::Field;
use crate::paper::mdp::{
    LinearMdp, compose, dual_feature_residual, dual_objective, dual_slack, policy_average, primal_feature_residual,
    primal_flow_residual, primal_objective, state_marginal, theta_of_value,
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
    pub fn lambda(&self, beta: &[T], out: &mut [T]) -> Result<()> {
        expect_len("beta", self.mdp.shape().dim, beta.len())?;
        expect_len("lambda", self.mdp.shape().dim, out.len())?;
        multiply(self.power, beta, out);
        all_finite("Λ^c β", out)
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
    let bellman = take(&mut scratch, mdp.shape().dim)?;
    let slack = take(&mut scratch, mdp.shape().pairs())?;
    dual_feature_residual(mdp, v, theta, bellman)?;
    dual_slack(mdp, v, theta, slack)?;
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
    let flow = take(&mut scratch, mdp.shape().states)?;
    let feature = take(&mut scratch, mdp.shape().dim)?;
    primal_flow_residual(mdp, lambda, mu, flow, scratch)?;
    primal_feature_residual(mdp, lambda, mu, feature)?;
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
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
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
    let lambda = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    lagrangian_regrouped(&saddle.mdp, v, theta, lambda, mu, scratch)
}

/// (13), its marginal: ν_β(x) = (1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩, the marginal Eᵀμ_{β,π} for every π.
pub fn nu_beta<T: Field>(saddle: &Saddle<T>, beta: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let mdp = &saddle.mdp;
    let lambda = take(&mut scratch, mdp.shape().dim)?;
    saddle.lambda(beta, lambda)?;
    mdp.psi_transposed_times(lambda, out)?;
    for (entry, start) in out.iter_mut().zip(mdp.initial()) {
        *entry = entry.clone() * mdp.discount() + (T::one() - mdp.discount()) * start;
    }
    all_finite("ν_β", out)
}

/// (13), `eq:def-mu`: μ_{β,π}(x,a) = π(a|x)[(1−γ)ν₀(x) + γ⟨ψ(x), Λ^cβ⟩].
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

/// (7), `eq:def-vt`, on all of X: v_{θ,π}(x) = Σ_a π(a|x)⟨φ(x,a), θ⟩.
pub fn v_theta<T: Field>(
    mdp: &LinearMdp<T>,
    theta: &[T],
    policy: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let q = take(&mut scratch, mdp.shape().pairs())?;
    mdp.linear_function(theta, q)?;
    policy_average(mdp.shape().actions, policy, q, out)
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
    let weighted_omega = take(&mut scratch, saddle.mdp.shape().dim)?;
    let gradient = take(&mut scratch, saddle.mdp.shape().dim)?;
    saddle.lambda(saddle.mdp.omega(), weighted_omega)?;
    theta_gradient(saddle, beta, policy, gradient, scratch)?;
    finite("f", inner(beta, weighted_omega) + inner(theta, gradient))
}

/// (15), `eq:f-beta`, left: f(β,π;θ) = ⟨Λ^cβ, ω − θ⟩ + ⟨v_{θ,π}, ν_β⟩.
pub fn f_nu<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let shape = saddle.mdp.shape();
    expect_len("theta", shape.dim, theta.len())?;
    let lambda = take(&mut scratch, shape.dim)?;
    let v = take(&mut scratch, shape.states)?;
    let nu = take(&mut scratch, shape.states)?;
    saddle.lambda(beta, lambda)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    nu_beta(saddle, beta, nu, scratch)?;
    finite("f", inner(lambda, saddle.mdp.omega()) - inner(lambda, theta) + inner(v, nu))
}

/// (15), right: f(β,π;θ) = (1−γ)⟨ν₀, v_{θ,π}⟩ + ⟨Λ^cβ, ω + γΨv_{θ,π} − θ⟩.
pub fn f_beta<T: Field>(saddle: &Saddle<T>, beta: &[T], policy: &[T], theta: &[T], mut scratch: &mut [T]) -> Result<T> {
    let shape = saddle.mdp.shape();
    let lambda = take(&mut scratch, shape.dim)?;
    let v = take(&mut scratch, shape.states)?;
    let bellman = take(&mut scratch, shape.dim)?;
    saddle.lambda(beta, lambda)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    dual_feature_residual(&saddle.mdp, v, theta, bellman)?;
    finite("f", dual_objective(&saddle.mdp, v)? + inner(lambda, bellman))
}

/// Lemma 4.2: g_θ = ∇_θ f = Φᵀμ_{β,π} − Λ^cβ.
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

/// Lemma 4.2: g_β = ∇_β f = Λ^c(ω + γΨv_{θ,π} − θ).
pub fn beta_gradient<T: Field>(
    saddle: &Saddle<T>,
    policy: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let shape = saddle.mdp.shape();
    let v = take(&mut scratch, shape.states)?;
    v_theta(&saddle.mdp, theta, policy, v, scratch)?;
    beta_gradient_at(saddle, v, theta, out, scratch)
}

/// ∂L/∂β of (11), at any v: Λ^c(ω + γΨv − θ).
pub fn beta_gradient_at<T: Field>(
    saddle: &Saddle<T>,
    v: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    let bellman = take(&mut scratch, saddle.mdp.shape().dim)?;
    dual_feature_residual(&saddle.mdp, v, theta, bellman)?;
    // Λ^c is symmetric, so ∇_β ⟨β, Λ^c y⟩ = Λ^c y.
    saddle.lambda(bellman, out)
}

/// ∂L/∂v of (12): (1−γ)ν₀ + γΨᵀΛ^cβ − Eᵀμ; zero at μ = μ_{β,π} (below (13)).
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

/// ∂L/∂μ of (11): Φθ − Ev.
pub fn mu_gradient<T: Field>(mdp: &LinearMdp<T>, v: &[T], theta: &[T], out: &mut [T]) -> Result<()> {
    dual_slack(mdp, v, theta, out)?;
    for entry in out.iter_mut() {
        *entry = -entry.clone();
    }
    Ok(())
}

/// θ^π by exact solve: (3) at v = v^π, from a linear MDP and a policy.
pub fn theta_of_policy<T: Field>(mdp: &LinearMdp<T>, policy: &[T], out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let shape = mdp.shape();
    let reward = take(&mut scratch, shape.pairs())?;
    let transition = take(&mut scratch, shape.pairs() * shape.states)?;
    let v = take(&mut scratch, shape.states)?;
    let tabular = mdp.tabulate(reward, transition)?;
    crate::paper::mdp::state_value(&tabular, policy, v, scratch)?;
    theta_of_value(mdp, v, out)
}
