//! Algorithm 2: [`crate::paper::average_reward::algorithm`], its inner loop in blocks, as in [`super::discounted`].

use super::aligned::{Aligned, stride};
use super::crew::{Compute, Crew};
use super::kernel::{inner, map};
use super::policies::Policies;
use super::slots::Slots;
use super::steps::{Ascent, Ball, Prediction, Weighted, add, average, descend};
use super::unit::{self, Pass, Unit};
use super::{block_len, load};
use crate::error::{Error, Result};
use crate::linear::projection::{average_within_ball, clamp};
use crate::linear::softmax::draw_action;
use crate::linear::vector::take;
use crate::paper::average_reward::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::lines::{out_of_order, reciprocal};
use crate::paper::samples::{Data, FeatureMap, Sample, feature, features_of};

/// What [`Algorithm::run`] does, bit for bit.
pub fn run<F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    observer: &mut O,
) -> Result<()> {
    let len = block_len(algorithm.features.dim(), algorithm.parameters.inner, 1);
    run_by(algorithm, &mut Crew::alone(Task::new(algorithm, len)), state, outer, samples, observer)
}

/// [`run`] with the gradients computed by `threads` threads, 0 and 1 meaning none but the caller's: the same bits for every number.
pub fn run_on<F: FeatureMap<f64> + Sync, O: Observer<f64>>(
    threads: usize,
    algorithm: &Algorithm<f64, F>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    observer: &mut O,
) -> Result<()> {
    if threads < 2 {
        return run(algorithm, state, outer, samples, observer);
    }
    let len = block_len(algorithm.features.dim(), algorithm.parameters.inner, threads);
    std::thread::scope(|scope| {
        let mut crew = Crew::new(scope, threads, || Task::new(algorithm, len));
        run_by(algorithm, &mut crew, state, outer, samples, observer)
    })
}

fn run_by<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    crew: &mut Crew<Task<'f, F>>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    observer: &mut O,
) -> Result<()> {
    if outer == 0 {
        return Ok(());
    }
    algorithm.expect_shape(state)?;
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner.saturating_add(1)));
    let mut kept = Outer::new(algorithm);
    for _t in 0..outer {
        outer_iteration(algorithm, state, crew, &mut kept, &mut data, observer)?;
    }
    Ok(())
}

/// What the steps of every t use: room for one policy, and the two balls.
struct Outer<'f> {
    policy: Policies<'f>,
    theta: Ball,
    beta: Ball,
}

impl<'f> Outer<'f> {
    fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        Self {
            policy: Policies::new(features.actions(), features.dim(), 1, 1),
            theta: Ball::new(parameters.radius_theta),
            beta: Ball::new(parameters.radius_beta),
        }
    }
}

/// A block, and where its features are.
struct Task<'f, F> {
    features: &'f F,
    block: Block<'f>,
}

impl<'f, F: FeatureMap<f64>> Task<'f, F> {
    fn new(algorithm: &Algorithm<'f, f64, F>, len: usize) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        Self { features, block: Block::new(features.actions(), features.dim(), len, parameters) }
    }
}

impl<F: FeatureMap<f64>> Compute for Task<'_, F> {
    /// Everything that depends neither on θ nor on ρ, up to the first sample that is to be refused.
    fn compute(&mut self) {
        let block = &mut self.block;
        block.visits.clear();
        block.policies.make_room(block.samples.len());
        for sample in &block.samples {
            match visit(self.features, &mut block.policies.slots, sample) {
                Ok(visit) => block.visits.push(visit),
                Err(_) => break,
            }
        }
        block.policies.compute(block.alpha, &block.theta_sum);
        unit::run(block.theta_sum.len(), Gradients(block));
    }
}

/// Samples, and what the gradients of an inner step are made of at each.
struct Block<'f> {
    alpha: f64,
    /// t, and what is fixed in its outer iteration: Σ_{i<t} θ_i and Λ^{c−1}β_t.
    t: usize,
    theta_sum: Aligned,
    weighted_beta: Aligned,
    policies: Policies<'f>,
    samples: Vec<Sample<f64>>,
    /// φ(X, A), and the slot of X'.
    visits: Vec<(&'f [f64], usize)>,
    /// w, and A'.
    draws: Vec<(f64, usize)>,
    /// g̃_θ, d numbers per sample, on cache lines of its own.
    gradients: Aligned,
}

impl Block<'_> {
    fn new(actions: usize, dim: usize, len: usize, parameters: &Parameters<f64>) -> Self {
        Self {
            alpha: parameters.alpha,
            t: 0,
            theta_sum: Aligned::room(dim),
            weighted_beta: Aligned::room(dim),
            policies: Policies::new(actions, dim, len, parameters.inner),
            samples: Vec::with_capacity(len),
            visits: Vec::with_capacity(len),
            draws: vec![(0.0, 0); len],
            gradients: Aligned::room(len * stride(dim)),
        }
    }

    /// What was computed with another Σθ and another β is forgotten.
    fn enter(&mut self, t: usize, theta_sum: &[f64], weighted_beta: &[f64]) {
        if self.t != t {
            self.t = t;
            self.theta_sum.copy_from_slice(theta_sum);
            self.weighted_beta.copy_from_slice(weighted_beta);
            self.policies.clear();
        }
    }
}

/// φ(X, A) and the slot of X'; an error has no place yet.
#[inline]
fn visit<'f, F: FeatureMap<f64>>(
    features: &'f F,
    slots: &mut Slots<'f>,
    sample: &Sample<f64>,
) -> Result<(&'f [f64], usize)> {
    if !(sample.r.is_finite() && (0.0..1.0).contains(&sample.u)) {
        return Err(Error::NotFinite { what: "r or u", index: 0 });
    }
    let next = slots.slot(sample.x_next, || features_of(features, "x_next", sample.x_next, 0))?;
    let here = features_of(features, "x", sample.x, 0)?;
    Ok((feature(here, features.actions(), features.dim(), sample.a)?, next))
}

/// w, A' and g̃_θ of every sample of a block.
struct Gradients<'p, 'f>(&'p mut Block<'f>);

impl Pass for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) {
        let Block { weighted_beta, policies, samples, visits, draws, gradients, .. } = self.0;
        let dim = weighted_beta.len();
        let out = gradients.chunks_exact_mut(stride(dim)).zip(draws);
        for ((sample, (phi, next)), (gradient, draw)) in samples.iter().zip(visits).zip(out) {
            let (w, gradient) = (inner::<S, R>(unit, phi, weighted_beta), &mut gradient[..dim]);
            let a_next = draw_action(policies.policy(*next), &sample.u);
            let phi_next = &policies.features(*next)[a_next * dim..(a_next + 1) * dim];
            *draw = (w, a_next);
            let w = unit.splat_f64s(w);
            map::<2, R>(
                [phi_next, phi],
                gradient,
                #[inline(always)]
                |[next, phi]| unit.sub_f64s(unit.mul_f64s(next, w), unit.mul_f64s(phi, w)),
            );
        }
    }
}

/// Room for what a step computes, out of the state's scratch.
struct Work<'s> {
    /// θ^(i) − η g̃_θ, where Π moved it; in the outer step β_t + ζ g̃_β.
    before: &'s mut [f64],
    /// g̃_β.
    gradient: &'s mut [f64],
    /// β_{t+1}.
    beta_next: &'s mut [f64],
    /// ⟨φ(X', ·), θ_t⟩.
    values: &'s mut [f64],
}

impl<'s> Work<'s> {
    fn new(actions: usize, dim: usize, mut scratch: &'s mut [f64]) -> Result<Self> {
        let scratch = &mut scratch;
        Ok(Self {
            before: take(scratch, dim)?,
            gradient: take(scratch, dim)?,
            beta_next: take(scratch, dim)?,
            values: take(scratch, actions)?,
        })
    }
}

fn outer_iteration<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    state: &mut State<f64>,
    crew: &mut Crew<Task<'f, F>>,
    outer: &mut Outer<'f>,
    data: &mut Data<impl Iterator<Item = Sample<f64>>>,
    observer: &mut O,
) -> Result<()> {
    let (count, dim) = (algorithm.parameters.inner, algorithm.features.dim());
    if state.i != 0 {
        return out_of_order(state.i);
    }
    (state.t, state.i) = (state.t + 1, 1);
    state.iterate_sum.fill(0.0);
    state.rho_sum = 0.0;
    unit::run(dim, Weighted { weight: algorithm.weight, phi: state.beta, s: 1.0, out: state.weighted_beta });
    observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
    let mut refused = None;
    let load = |task: &mut Task<'f, F>, left: usize| {
        task.block.enter(state.t, state.theta_sum, state.weighted_beta);
        load(data, &mut task.block.samples, left.min(task.block.draws.len()))
    };
    let ran = crew.run(count, load, |task| {
        let before = &mut state.scratch[..dim];
        let (theta, iterate_sum) = (&mut *state.theta, &mut *state.iterate_sum);
        let (rho, rho_sum, i, used) = (&mut state.rho, &mut state.rho_sum, &mut state.i, &mut state.used);
        let rates = [algorithm.parameters.eta, algorithm.parameters.xi];
        let iterates = Iterates { theta, iterate_sum, before, rho, rho_sum, i, used };
        unit::run(dim, InnerSteps { rates, ball: outer.theta, iterates, block: &task.block, observer })?;
        refused = task.block.samples.get(task.block.visits.len()).copied();
        refused.map_or(Ok(()), |_| Err(Error::NotFinite { what: "sample", index: 0 }))
    });
    if let Some(sample) = refused {
        // Now it is known where.
        Algorithm::<f64, F>::expect_draw(state, &sample)?;
        algorithm.visit(state, &sample)?;
    }
    ran?;
    outer_step(algorithm, state, outer, &data.obtain()?, observer)
}

/// What an inner step moves.
struct Iterates<'s> {
    theta: &'s mut [f64],
    iterate_sum: &'s mut [f64],
    /// θ^(i) − η g̃_θ, where Π moved it.
    before: &'s mut [f64],
    rho: &'s mut f64,
    rho_sum: &'s mut f64,
    i: &'s mut usize,
    used: &'s mut usize,
}

/// ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ), θ^(i+1) = Π(θ^(i) − η g̃_θ), the sums grow by ρ^(i) and θ^(i): for each sample of a block.
struct InnerSteps<'p, 'f, O> {
    /// η and ξ.
    rates: [f64; 2],
    ball: Ball,
    iterates: Iterates<'p>,
    block: &'p Block<'f>,
    observer: &'p mut O,
}

impl<O: Observer<f64>> Pass for InnerSteps<'_, '_, O> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> Result<()> {
        let Self { rates: [eta, xi], ball, block, observer, .. } = self;
        let Iterates { theta, iterate_sum, before, rho, rho_sum, i, used } = self.iterates;
        let dim = theta.len();
        let computed = block.gradients.chunks_exact(stride(dim)).zip(&block.draws);
        for ((sample, (phi, next)), (gradient, (w, a_next))) in block.samples.iter().zip(&block.visits).zip(computed) {
            let diverged = |what| Err(Error::Diverged { t: block.t, k: *i, what });
            let (policy_next, gradient) = (block.policies.policy(*next), &gradient[..dim]);
            // The probabilities share their denominator: if one is not a number, none is.
            if !(w.is_finite() && policy_next[0].is_finite()) {
                return diverged("theta");
            }
            let gradient_rho = 1.0 - w;
            let unprojected_rho = *rho - gradient_rho * xi;
            if !unprojected_rho.is_finite() {
                return diverged(if gradient.iter().all(|g| g.is_finite()) { "rho" } else { "theta" });
            }
            let norm_squared = descend::<S, R>(unit, (eta, ball), gradient, theta, iterate_sum, before);
            if !norm_squared.is_finite() {
                return diverged("theta");
            }
            *rho_sum += *rho;
            *rho = clamp(unprojected_rho);
            observer.inner_step(&InnerStep {
                t: block.t,
                i: *i,
                sample,
                phi,
                w,
                policy_next,
                a_next: *a_next,
                phi_next: &block.policies.features(*next)[a_next * dim..(a_next + 1) * dim],
                gradient_rho: &gradient_rho,
                gradient,
                unprojected_rho: &unprojected_rho,
                unprojected: if ball.excludes(norm_squared) { before } else { theta },
                rho_next: rho,
                theta_next: theta,
            });
            (*i, *used) = (*i + 1, *used + 1);
        }
        Ok(())
    }
}

/// ρ_t and θ_t, the averages; β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows by θ_t.
fn outer_step<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    state: &mut State<f64>,
    outer: &mut Outer<'f>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { alpha, zeta, radius_theta, inner: count, .. } = algorithm.parameters;
    let (actions, dim) = (algorithm.features.actions(), algorithm.features.dim());
    average(state.iterate_sum, count, state.theta);
    state.rho = state.rho_sum * reciprocal::<f64>(count);
    debug_assert!(average_within_ball(state.theta, count, &radius_theta), "θ_t left the ball");
    // Sums of numbers up to 1 round to at most K, and K·(1/K) rounds to at most 1.
    debug_assert!((0.0..=1.0).contains(&state.rho), "ρ_t left [0, 1]");
    state.i = 0;

    let (phi, next) = algorithm.visit(state, sample)?;
    let policy_next = outer.policy.only(alpha, state.theta_sum, next);
    let Work { before, gradient, beta_next, values } = Work::new(actions, dim, state.scratch)?;
    let prediction = unit::run(dim, Prediction { theta: state.theta, phi, next, values });
    let value_next = crate::linear::vector::inner(policy_next, values);
    let td_error = sample.r + value_next - prediction - state.rho;
    unit::run(dim, Weighted { weight: algorithm.weight, phi, s: td_error, out: gradient });
    let ball = outer.beta;
    let norm_squared = unit::run(dim, Ascent { zeta, ball, beta: state.beta, gradient, out: beta_next, before });
    if !norm_squared.is_finite() {
        return Err(Error::Diverged { t: state.t, k: 0, what: "beta" });
    }
    add(state.theta, state.theta_sum);
    if !state.theta_sum.iter().all(|x| x.is_finite()) {
        return Err(Error::Diverged { t: state.t, k: 0, what: "theta_sum" });
    }
    observer.outer_step(&OuterStep {
        t: state.t,
        sample,
        phi,
        theta: state.theta,
        rho: &state.rho,
        policy_next,
        value_next: &value_next,
        td_error: &td_error,
        gradient,
        unprojected: if ball.excludes(norm_squared) { before } else { beta_next },
        beta: state.beta,
        beta_next,
        theta_sum: state.theta_sum,
    });
    state.beta.copy_from_slice(beta_next);
    state.used += 1;
    Ok(())
}
