//! Algorithm 2: [`crate::paper::average_reward::algorithm`] line for line, its steps as passes over memory.

use super::kernel::{add_scaled, ascend, descend, inner, multiply, project, scale, softmax_policies, weighted_feature};
use super::unit::{dispatch, dispatch_wide};
use crate::error::{Error, Result};
use crate::linear::projection::{average_within_ball, clamp};
use crate::linear::softmax::draw_action;
use crate::linear::vector::take;
use crate::paper::average_reward::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::lines::{out_of_order, reciprocal};
use crate::paper::samples::{Data, FeatureMap, Sample, feature};

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
    /// The last g̃.
    gradient: &'s mut [f64],
    /// θ^(i) − η g̃_θ, where Π moved it; in the outer step β_{t+1}.
    before: &'s mut [f64],
    /// In the outer step β_t + ζ g̃_β, where Π moved it.
    unprojected: &'s mut [f64],
    policy_next: &'s mut [f64],
    /// ⟨φ(X', ·), θ_t⟩.
    values_next: &'s mut [f64],
}

impl<'s> Work<'s> {
    fn new(actions: usize, dim: usize, mut scratch: &'s mut [f64]) -> Result<Self> {
        let scratch = &mut scratch;
        Ok(Self {
            gradient: take(scratch, dim)?,
            before: take(scratch, dim)?,
            unprojected: take(scratch, dim)?,
            policy_next: take(scratch, actions)?,
            values_next: take(scratch, actions)?,
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
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner.saturating_add(1)));
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
    if state.i != 0 {
        return out_of_order(state.i);
    }
    (state.t, state.i) = (state.t + 1, 1);
    state.iterate_sum.fill(0.0);
    state.rho_sum = 0.0;
    weighted_feature(algorithm.weight, state.beta, 1.0, state.weighted_beta);
    observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
    for _i in 0..algorithm.parameters.inner {
        inner_step(algorithm, state, work, &data.obtain()?, observer)?;
    }
    outer_step(algorithm, state, work, &data.obtain()?, observer)
}

/// ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ), θ^(i+1) = Π(θ^(i) − η g̃_θ); the sums grow by ρ^(i) and θ^(i).
#[inline(always)]
fn inner_step<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    work: &mut Work<'_>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { alpha, eta, xi, radius_theta, .. } = algorithm.parameters;
    let (actions, dim) = (algorithm.features.actions(), algorithm.features.dim());
    Algorithm::<f64, F>::expect_draw(state, sample)?;
    let (phi, next) = algorithm.visit(state, sample)?;
    let w = inner(phi, state.weighted_beta);
    softmax_policies(alpha, [next], actions, state.theta_sum, work.policy_next);
    let diverged = |what| Err(Error::Diverged { t: state.t, k: state.i, what });
    // The probabilities share their denominator: if one is not a number, none is.
    if !(w.is_finite() && work.policy_next[0].is_finite()) {
        return diverged("theta");
    }
    let a_next = draw_action(work.policy_next, &sample.u);
    let phi_next = feature(next, actions, dim, a_next)?;
    let gradient_rho = 1.0 - w;
    let rho = state.rho - gradient_rho * xi;
    if !rho.is_finite() {
        return diverged("rho");
    }
    let (gradient, sum) = (&mut *work.gradient, &mut *state.iterate_sum);
    let norm = dispatch_wide(
        dim,
        #[inline(always)]
        || descend((w, phi_next), (w, phi), eta, gradient, state.theta, sum).sqrt(),
    );
    if !norm.is_finite() {
        return diverged("theta");
    }
    state.rho_sum += state.rho;
    state.rho = clamp(rho);
    let (unprojected, theta_next) = project(state.theta, norm, radius_theta, work.before);
    observer.inner_step(&InnerStep {
        t: state.t,
        i: state.i,
        sample,
        phi,
        w: &w,
        policy_next: work.policy_next,
        a_next,
        phi_next,
        gradient_rho: &gradient_rho,
        gradient: work.gradient,
        unprojected_rho: &rho,
        unprojected,
        rho_next: &state.rho,
        theta_next,
    });
    (state.i, state.used) = (state.i + 1, state.used + 1);
    Ok(())
}

/// ρ_t and θ_t, the averages; β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows by θ_t.
#[inline(always)]
fn outer_step<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    work: &mut Work<'_>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { alpha, zeta, radius_theta, radius_beta, inner: count, .. } = algorithm.parameters;
    state.theta.copy_from_slice(state.iterate_sum);
    scale(reciprocal(count), state.theta);
    state.rho = state.rho_sum * reciprocal::<f64>(count);
    debug_assert!(average_within_ball(state.theta, count, &radius_theta), "θ_t left the ball");
    // Sums of numbers up to 1 round to at most K, and K·(1/K) rounds to at most 1.
    debug_assert!((0.0..=1.0).contains(&state.rho), "ρ_t left [0, 1]");
    state.i = 0;

    let (phi, next) = algorithm.visit(state, sample)?;
    softmax_policies(alpha, [next], algorithm.features.actions(), state.theta_sum, work.policy_next);
    multiply(next, state.theta, work.values_next);
    let value_next = inner(work.policy_next, work.values_next);
    let td_error = sample.r + value_next - inner(phi, state.theta) - state.rho;
    weighted_feature(algorithm.weight, phi, td_error, work.gradient);
    ascend(state.beta, zeta, work.gradient, work.before);
    let norm = inner(work.before, work.before).sqrt();
    if !norm.is_finite() {
        return Err(Error::Diverged { t: state.t, k: 0, what: "beta" });
    }
    let (unprojected, beta_next) = project(work.before, norm, radius_beta, work.unprojected);
    add_scaled(1.0, state.theta, state.theta_sum);
    if !state.theta_sum.iter().all(|x| x.is_finite()) {
        return Err(Error::Diverged { t: state.t, k: 0, what: "theta_sum" });
    }
    observer.outer_step(&OuterStep {
        t: state.t,
        sample,
        phi,
        theta: state.theta,
        rho: &state.rho,
        policy_next: work.policy_next,
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
