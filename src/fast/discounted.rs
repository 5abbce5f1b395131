//! Algorithm 1: [`crate::paper::discounted::algorithm`] line for line, its steps as passes over memory.

use super::kernel::{
    add_rows, add_scaled, ascend, descend, inner, multiply, multiply_transposed, project, scale, softmax_policies,
    weighted_feature,
};
use super::unit::{dispatch, dispatch_wide};
use crate::error::{Error, Result};
use crate::linear::projection::average_within_ball;
use crate::linear::vector::take;
use crate::paper::discounted::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::lines::{out_of_order, reciprocal};
use crate::paper::samples::{Data, FeatureMap, Sample, features_of};

/// What [`Algorithm::run`] does, bit for bit. The loop is compiled for several vector units and the best one is chosen at run time.
#[inline(never)] // the whole loop, twice: once per set of types is enough
pub fn run<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    observer: &mut O,
) -> Result<()> {
    dispatch(
        #[inline(always)]
        || run_here(algorithm, state, outer, samples, observer),
    )
}

/// Room for what one step computes, out of the state's scratch.
struct Work<'s> {
    /// Φᵀμ_{t,k}; in the outer step β_t + ζ g̃_β.
    mean_feature: &'s mut [f64],
    /// The last g̃.
    gradient: &'s mut [f64],
    /// θ_{t,k} − η g̃_θ, where Π moved it; in the outer step β_{t+1}.
    before: &'s mut [f64],
    /// π_t(·|X⁰), then π_t(·|X'); in the outer step only the latter.
    policies: &'s mut [f64],
    /// μ_{t,k} at X⁰.
    at_start: &'s mut [f64],
    /// μ_{t,k} at X'; in the outer step ⟨φ(X', ·), θ_t⟩.
    at_next: &'s mut [f64],
}

impl<'s> Work<'s> {
    fn new(actions: usize, dim: usize, mut scratch: &'s mut [f64]) -> Result<Self> {
        let scratch = &mut scratch;
        Ok(Self {
            mean_feature: take(scratch, dim)?,
            gradient: take(scratch, dim)?,
            before: take(scratch, dim)?,
            policies: take(scratch, actions.saturating_mul(2))?,
            at_start: take(scratch, actions)?,
            at_next: take(scratch, actions)?,
        })
    }
}

#[inline(always)]
fn run_here<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    observer: &mut O,
) -> Result<()> {
    if outer == 0 {
        return Ok(());
    }
    algorithm.expect_shape(state)?;
    let room = core::mem::take(&mut state.scratch);
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner));
    let mut result = Ok(());
    let work = &mut Work::new(algorithm.features.actions(), algorithm.features.dim(), room)?;
    for _t in 0..outer {
        result = outer_iteration(algorithm, state, work, &mut data, observer);
        if result.is_err() {
            break;
        }
    }
    state.scratch = room;
    result
}

#[inline(always)]
fn outer_iteration<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    work: &mut Work<'_>,
    data: &mut Data<impl Iterator<Item = Sample<f64>>>,
    observer: &mut O,
) -> Result<()> {
    if state.k != 0 {
        return out_of_order(state.k);
    }
    (state.t, state.k) = (state.t + 1, 1);
    state.iterate_sum.fill(0.0);
    weighted_feature(algorithm.weight, state.beta, 1.0, state.weighted_beta);
    observer.begin_outer(state.t, state.theta, state.beta, state.weighted_beta, state.theta_sum);
    for _k in 1..algorithm.parameters.inner {
        inner_step(algorithm, state, work, &data.obtain()?, observer)?;
    }
    outer_step(algorithm, state, work, &data.obtain()?, observer)
}

/// θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ), and Σ_k θ_{t,k} grows by θ_{t,k}.
#[inline(always)]
fn inner_step<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    work: &mut Work<'_>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { discount, alpha, eta, radius_theta, .. } = algorithm.parameters;
    let start = features_of(algorithm.features, "x0", sample.x0, state.used)?;
    let (phi, next) = algorithm.visit(state, sample)?;
    let w = inner(phi, state.weighted_beta);
    let actions = algorithm.features.actions();
    softmax_policies(alpha, [start, next], actions, state.theta_sum, work.policies);
    let (policy_start, policy_next) = work.policies.split_at(actions);
    for (mu, p) in work.at_start.iter_mut().zip(policy_start) {
        *mu = p * (1.0 - discount);
    }
    for (mu, p) in work.at_next.iter_mut().zip(policy_next) {
        *mu = p * (discount * w);
    }
    let (gradient, sum) = (&mut *work.gradient, &mut *state.iterate_sum);
    let norm = dispatch_wide(
        phi.len(),
        #[inline(always)]
        || {
            multiply_transposed(start, work.at_start, work.mean_feature);
            add_rows(next, work.at_next, work.mean_feature);
            descend((1.0, work.mean_feature), (w, phi), eta, gradient, state.theta, sum).sqrt()
        },
    );
    if !norm.is_finite() {
        return Err(Error::Diverged { t: state.t, k: state.k, what: "theta" });
    }
    let (unprojected, theta_next) = project(state.theta, norm, radius_theta, work.before);
    observer.inner_step(&InnerStep {
        t: state.t,
        k: state.k,
        sample,
        phi,
        w: &w,
        policy_start,
        policy_next,
        mean_feature: work.mean_feature,
        gradient: work.gradient,
        unprojected,
        theta_next,
    });
    (state.k, state.used) = (state.k + 1, state.used + 1);
    Ok(())
}

/// θ_t = (1/K) Σ_k θ_{t,k}; β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows by θ_t.
#[inline(always)]
fn outer_step<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    work: &mut Work<'_>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { discount, alpha, zeta, radius_theta, radius_beta, inner: count, .. } = algorithm.parameters;
    add_scaled(1.0, state.theta, state.iterate_sum);
    state.theta.copy_from_slice(state.iterate_sum);
    scale(reciprocal(count), state.theta);
    debug_assert!(average_within_ball(state.theta, count, &radius_theta), "θ_t left the ball");
    state.k = 0;

    let (phi, next) = algorithm.visit(state, sample)?;
    let actions = algorithm.features.actions();
    let (_, policy_next) = work.policies.split_at_mut(actions);
    softmax_policies(alpha, [next], actions, state.theta_sum, policy_next);
    multiply(next, state.theta, work.at_next);
    let value_next = inner(policy_next, work.at_next);
    let td_error = sample.r + value_next * discount - inner(phi, state.theta);
    weighted_feature(algorithm.weight, phi, td_error, work.gradient);
    ascend(state.beta, zeta, work.gradient, work.before);
    let norm = inner(work.before, work.before).sqrt();
    if !norm.is_finite() {
        return Err(Error::Diverged { t: state.t, k: 0, what: "beta" });
    }
    let (unprojected, beta_next) = project(work.before, norm, radius_beta, work.mean_feature);
    add_scaled(1.0, state.theta, state.theta_sum);
    if !state.theta_sum.iter().all(|x| x.is_finite()) {
        return Err(Error::Diverged { t: state.t, k: 0, what: "theta_sum" });
    }
    observer.outer_step(&OuterStep {
        t: state.t,
        sample,
        phi,
        theta: state.theta,
        policy_next,
        value_next: &value_next,
        td_error: &td_error,
        gradient: work.gradient,
        unprojected,
        beta: state.beta,
        beta_next,
        theta_sum: state.theta_sum,
    });
    state.beta.copy_from_slice(beta_next);
    state.used += 1;
    Ok(())
}
