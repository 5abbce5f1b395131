//! Section 5: ν^π, μ^π, the gain ρ^π and the bias functions v^π, q^π of a unichain policy.

use crate::error::{Error, Result, expect_len};
use crate::linear::solve::solve_named;
use crate::linear::vector::{add_scaled, all_finite, finite, inner, take};
use crate::number::Field;
use crate::paper::mdp::{
    LinearMdp, Mdp, compose, expected_reward, policy_average, policy_transition, valid_distributions,
};

/// S5.gain: ν^π, the stationary distribution: P_πᵀν = ν with ⟨ν, 1⟩ = 1.
///
/// The flow equations sum to 0 = 0, so the last one says nothing that the others do not; the normalisation takes its
/// place. The system is then singular exactly when there are several recurrent classes.
pub fn state_occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], nu: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let n = mdp.states();
    expect_len("nu", n, nu.len())?;
    let forward = take(&mut scratch, n * n)?;
    stochastic_transition(mdp, policy, forward)?;
    let matrix = take(&mut scratch, n * n)?;
    for (index, entry) in matrix.iter_mut().enumerate() {
        let (x, y) = (index / n, index % n);
        let identity = if x == y { T::one() } else { T::zero() };
        *entry = if x == n - 1 { T::one() } else { identity - &forward[y * n + x] };
    }
    nu.fill(T::zero());
    nu[n - 1] = T::one();
    unichain(solve_named("I − P_πᵀ, normalised", n, matrix, nu))
}

/// S5.gain: μ^π(x, a) = π(a|x) ν^π(x).
pub fn occupancy<T: Field>(mdp: &Mdp<T>, policy: &[T], mu: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let nu = take(&mut scratch, mdp.states())?;
    state_occupancy(mdp, policy, nu, scratch)?;
    compose(mdp.actions(), policy, nu, mu)
}

/// S5.gain: ρ^π = ⟨μ^π, r⟩.
pub fn gain<T: Field>(mdp: &Mdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let mu = take(&mut scratch, mdp.pairs())?;
    occupancy(mdp, policy, mu, scratch)?;
    expected_reward(mdp.reward(), mu)
}

/// S5.bias: the solution v of v + ρ1 = r_π + P_π v with v = 0 in the last state. The result is ρ, the gain by a route
/// that does not pass through ν^π.
pub fn relative_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], mut scratch: &mut [T]) -> Result<T> {
    let n = mdp.states();
    expect_len("v", n, v.len())?;
    let matrix = take(&mut scratch, n * n)?;
    stochastic_transition(mdp, policy, matrix)?;
    for (index, entry) in matrix.iter_mut().enumerate() {
        let (x, y) = (index / n, index % n);
        let identity = if x == y { T::one() } else { T::zero() };
        // v(n−1) = 0 leaves its column free for the unknown ρ.
        *entry = if y == n - 1 { T::one() } else { identity - &*entry };
    }
    policy_average(mdp.actions(), policy, mdp.reward(), v)?;
    unichain(solve_named("I − P_π, with a column of ones", n, matrix, v))?;
    Ok(core::mem::replace(&mut v[n - 1], T::zero()))
}

/// S5.bias: v^π with ⟨ν^π, v^π⟩ = 0. The result is ρ^π.
///
/// Bellman's equations leave a constant free. This choice is the limit lim E Σ_t (r(X_t, A_t) − ρ^π) that
/// Appendix C defines v^π by, wherever that limit exists.
///
/// # Deviation
/// Where the recurrent class is periodic the limit does not exist (a Cesàro limit does, and is this); Bellman's
/// equations are taken as the definition.
pub fn state_value<T: Field>(mdp: &Mdp<T>, policy: &[T], v: &mut [T], mut scratch: &mut [T]) -> Result<T> {
    let gain = relative_value(mdp, policy, v, scratch)?;
    let nu = take(&mut scratch, mdp.states())?;
    state_occupancy(mdp, policy, nu, scratch)?;
    let mean = inner(nu, v);
    shift(&-mean, v)?;
    Ok(gain)
}

/// S5.bias: q^π = r − ρ^π 1 + P v^π, as a function of ρ and v. Shifting v by a constant shifts q by the same.
pub fn action_value<T: Field>(mdp: &Mdp<T>, gain: &T, v: &[T], q: &mut [T]) -> Result<()> {
    expect_len("v", mdp.states(), v.len())?;
    expect_len("q", mdp.pairs(), q.len())?;
    for (index, entry) in q.iter_mut().enumerate() {
        let next = mdp.next(index / mdp.actions(), index % mdp.actions());
        *entry = inner(next, v) - gain + &mdp.reward()[index];
    }
    all_finite("q", q)
}

/// S5.bias: q − r + ρ1 − Pv, zero exactly when q is the action value of ρ and v.
pub fn bellman_residual<T: Field>(mdp: &Mdp<T>, q: &[T], gain: &T, v: &[T], out: &mut [T]) -> Result<()> {
    expect_len("q", mdp.pairs(), q.len())?;
    action_value(mdp, gain, v, out)?;
    for (entry, q) in out.iter_mut().zip(q) {
        *entry = q.clone() - &*entry;
    }
    all_finite("Bellman residual", out)
}

/// S5.bias: the span seminorm ‖q‖_sp = max q − min q.
pub fn span_seminorm<T: Field>(q: &[T]) -> Result<T> {
    let (low, high) = range(q)?;
    finite("span", high - low)
}

/// S5.bias, linear form: θ^π = ω + Ψv^π − ρ^π ϱ, so that q^π = Φθ^π.
pub fn theta_of_value<T: Field>(mdp: &LinearMdp<T>, varrho: &[T], gain: &T, v: &[T], out: &mut [T]) -> Result<()> {
    expect_len("ϱ", mdp.shape().dim, varrho.len())?;
    mdp.psi_times(v, out)?;
    for (index, entry) in out.iter_mut().enumerate() {
        *entry = entry.clone() + &mdp.omega()[index] - varrho[index].clone() * gain;
    }
    all_finite("θ^π", out)
}

/// Lemma C.3: θ*_t = θ^π − min_{x,a}⟨φ(x,a), θ^π⟩ ϱ, whose action values are those of θ^π shifted to start at 0.
pub fn shifted_theta<T: Field>(
    mdp: &LinearMdp<T>,
    varrho: &[T],
    theta: &[T],
    out: &mut [T],
    mut scratch: &mut [T],
) -> Result<()> {
    expect_len("ϱ", mdp.shape().dim, varrho.len())?;
    expect_len("θ*", mdp.shape().dim, out.len())?;
    let q = take(&mut scratch, mdp.shape().pairs())?;
    mdp.linear_function(theta, q)?;
    let (low, _) = range(q)?;
    out.clone_from_slice(theta);
    add_scaled(&-low, varrho, out);
    all_finite("θ*", out)
}

/// v + c1.
pub(crate) fn shift<T: Field>(c: &T, v: &mut [T]) -> Result<()> {
    for entry in v.iter_mut() {
        *entry = entry.clone() + c;
    }
    all_finite("shifted function", v)
}

/// P_π, checked to be a stochastic matrix: only then does a singular system mean several recurrent classes.
pub(crate) fn stochastic_transition<T: Field>(mdp: &Mdp<T>, policy: &[T], out: &mut [T]) -> Result<()> {
    policy_transition(mdp, policy, out)?;
    valid_distributions("P_π", mdp.states(), out)
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
