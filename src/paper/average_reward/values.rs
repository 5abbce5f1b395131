//! Section 5: ν^π, μ^π, the gain ρ^π and the bias functions v^π, q^π of a unichain policy.

use crate::error::{Error, Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{all_finite, finite, inner, take};
use crate::number::Field;
use crate::paper::components::{fill, identity, keep, vector};
use crate::paper::mdp::{
    LinearMdp, Mdp, compose, expected_reward, policy_average, policy_transition, valid_distributions,
};

/// S5.gain: ν^π, the stationary distribution: P_πᵀν = ν with ⟨ν, 1⟩ = 1.
///
/// The flow equations sum to 0 = 0, so the last one says nothing that the others do not; the normalisation takes its
/// place. The system is then singular exactly when there are several recurrent classes.
pub fn state_occupancy<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let n = mdp.states();
    let nu = vector("ν", n, scratch, |x| if x == n - 1 { T::one() } else { T::zero() })?;
    let mut rest = &mut **scratch;
    let p = stochastic_transition(mdp, policy, &mut rest)?;
    let matrix = vector("I − P_πᵀ, normalised", n * n, &mut rest, |i| {
        let (x, y) = (i / n, i % n);
        if x == n - 1 { T::one() } else { identity::<T>(n, i) - &p[y * n + x] }
    })?;
    unichain(solve_named("I − P_πᵀ, normalised", n, matrix, nu))?;
    Ok(nu)
}

/// S5.gain: μ^π(x, a) = π(a|x) ν^π(x).
pub fn occupancy<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    keep(mdp.pairs(), scratch, |rest| {
        let nu = state_occupancy(mdp, policy, rest)?;
        compose(mdp.actions(), policy, nu, rest)
    })
}

/// S5.gain: ρ^π = ⟨μ^π, r⟩.
pub fn gain<T: Field>(mdp: &Mdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    expected_reward(mdp.reward(), occupancy(mdp, policy, &mut scratch)?)
}

/// S5.bias: the solution (ρ, v) of v + ρ1 = r_π + P_π v with v = 0 in the last state. This ρ is the gain by a route
/// that does not pass through ν^π.
pub fn relative_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<(T, &'s mut [T])> {
    expect_len("policy", mdp.pairs(), policy.len())?;
    let n = mdp.states();
    let v = policy_average(mdp.actions(), policy, mdp.reward(), scratch)?;
    let mut rest = &mut **scratch;
    let p = stochastic_transition(mdp, policy, &mut rest)?;
    // v(n−1) = 0 leaves its column free for the unknown ρ.
    let matrix = vector("I − P_π, with a column of ones", n * n, &mut rest, |i| {
        if i % n == n - 1 { T::one() } else { identity::<T>(n, i) - &p[i] }
    })?;
    unichain(solve_named("I − P_π, with a column of ones", n, matrix, v))?;
    Ok((core::mem::replace(&mut v[n - 1], T::zero()), v))
}

/// S5.bias: ρ^π, and v^π with ⟨ν^π, v^π⟩ = 0.
///
/// Bellman's equations leave a constant free. This choice is the limit lim E Σ_t (r(X_t, A_t) − ρ^π) that
/// Appendix C defines v^π by, wherever that limit exists.
///
/// # Deviation
/// Where the recurrent class is periodic the limit does not exist (a Cesàro limit does, and is this); Bellman's
/// equations are taken as the definition.
pub fn state_value<'s, T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut &'s mut [T]) -> Result<(T, &'s mut [T])> {
    let out = take(scratch, mdp.states())?;
    let mut rest = &mut **scratch;
    let (gain, v) = relative_value(mdp, policy, &mut rest)?;
    let nu = state_occupancy(mdp, policy, &mut rest)?;
    let shift = -inner(nu, v);
    Ok((gain, fill("v^π", out, |x| v[x].clone() + &shift)?))
}

/// S5.bias: q^π = r − ρ^π 1 + P v^π, as a function of ρ and v. Shifting v by a constant shifts q by the same.
pub fn action_value<'s, T: Field>(mdp: &Mdp<T>, gain: &T, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("v", mdp.states(), v.len())?;
    vector("q", mdp.pairs(), scratch, |i| inner(mdp.row(i), v) - gain + &mdp.reward()[i])
}

/// S5.bias: q − r + ρ1 − Pv, zero exactly when q is the action value of ρ and v.
pub fn bellman_residual<'s, T: Field>(
    mdp: &Mdp<T>,
    q: &[T],
    gain: &T,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("q", mdp.pairs(), q.len())?;
    let out = take(scratch, mdp.pairs())?;
    let backup = action_value(mdp, gain, v, &mut &mut **scratch)?;
    fill("Bellman residual", out, |i| q[i].clone() - &backup[i])
}

/// S5.bias: the span seminorm ‖q‖_sp = max q − min q.
pub fn span_seminorm<T: Field>(q: &[T]) -> Result<T> {
    let (low, high) = range(q)?;
    finite("span", high - low)
}

/// S5.bias, linear form: θ^π = ω + Ψv^π − ρ^π ϱ, so that q^π = Φθ^π.
pub fn theta_of_value<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    gain: &T,
    v: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("ϱ", mdp.shape().dim, varrho.len())?;
    let out = take(scratch, mdp.shape().dim)?;
    let psi_v = mdp.psi_times(v, &mut &mut **scratch)?;
    fill("θ^π", out, |j| psi_v[j].clone() + &mdp.omega()[j] - varrho[j].clone() * gain)
}

/// Lemma C.3: θ*_t = θ^π − min_{x,a}⟨φ(x,a), θ^π⟩ ϱ, whose action values are those of θ^π shifted to start at 0.
pub fn shifted_theta<'s, T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    theta: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_len("ϱ", mdp.shape().dim, varrho.len())?;
    let (low, _) = range(mdp.linear_function(theta, &mut &mut **scratch)?)?;
    vector("θ*", mdp.shape().dim, scratch, |j| theta[j].clone() + varrho[j].clone() * -low.clone())
}

/// P_π, checked to be a stochastic matrix: only then does a singular system mean several recurrent classes.
pub(crate) fn stochastic_transition<'s, T: Field>(
    mdp: &Mdp<T>,
    policy: &[T],
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    let p = policy_transition(mdp, policy, scratch)?;
    valid_distributions("P_π", mdp.states(), p)?;
    Ok(p)
}

/// A singular system of a stochastic matrix, by its cause.
fn unichain(solved: Result<()>) -> Result<()> {
    match solved {
        Err(Error::Singular { .. }) => Err(Error::NotUnichain { policy: None }),
        other => other,
    }
}

/// The least and the greatest component.
fn range<T: Field>(q: &[T]) -> Result<(T, T)> {
    all_finite("q", q)?;
    let mut rest = q.iter();
    let first = rest.next().ok_or(Error::Empty { what: "q" })?;
    let (low, high) = rest.fold((first, first), |(low, high), entry| {
        (if entry < low { entry } else { low }, if entry > high { entry } else { high })
    });
    Ok((low.clone(), high.clone()))
}
