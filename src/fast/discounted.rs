//! Algorithm 1: [`crate::paper::discounted::algorithm`], its inner loop in blocks.
//!
//! Within an outer iteration Σθ and β_t are fixed, so no g̃_θ depends on an iterate: those of a block of samples are computed first,
//! then used one after the other. What is sequential is a pass over d numbers per sample (`descend`).

use super::aligned::{Aligned, stride};
use super::crew::{Compute, Crew};
use super::kernel::combine;
use super::policies::Policies;
use super::slots::Slots;
use super::steps::{Ball, Iterates, Weight, add, average, descend, weights};
use super::unit::{self, Pass, Unit};
use super::{block_len, load};
use crate::error::{Error, Result};
use crate::linear::projection::average_within_ball;
use crate::linear::vector::take;
use crate::paper::discounted::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::lines::out_of_order;
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
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner));
    let mut kept = Outer::new(algorithm);
    for _t in 0..outer {
        outer_iteration(algorithm, state, crew, &mut kept, &mut data, observer)?;
    }
    Ok(())
}

/// What the steps of every t use: room for one policy, for what is moved, Λ^{c−1}, and the two balls.
pub(super) struct Outer<'f> {
    policy: Policies<'f>,
    theta_sum: Aligned,
    iterates: Iterates,
    weight: Weight<'f>,
    theta: Ball,
    beta: Ball,
}

impl<'f> Outer<'f> {
    pub(super) fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        Self {
            policy: Policies::new(features.actions(), features.dim(), 1, 1),
            theta_sum: Aligned::room(stride(features.dim())),
            iterates: Iterates::new(features.dim()),
            weight: Weight::new(features.dim(), algorithm.weight),
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
    /// Everything that does not depend on θ, up to the first sample that is to be refused.
    fn compute(&mut self) {
        let block = &mut self.block;
        block.policies.make_room(2 * block.samples.len());
        visit(self.features, &mut block.policies.slots, &block.samples, &mut block.visits);
        for (_, [start, _]) in &block.visits {
            block.policies.want_start(*start);
        }
        block.policies.compute(block.alpha, block.theta_sum.lines());
        unit::run(block.dim, Gradients(block));
    }
}

/// Samples, and what the gradients of an inner step are made of at each.
struct Block<'f> {
    dim: usize,
    alpha: f64,
    discount: f64,
    /// t, and what is fixed in its outer iteration: Σ_{i<t} θ_i and Λ^{c−1}β_t.
    t: usize,
    theta_sum: Aligned,
    weighted_beta: Aligned,
    policies: Policies<'f>,
    samples: Vec<Sample<f64>>,
    visits: Vec<Visit<'f>>,
    w: Vec<f64>,
    /// Φᵀμ_{t,k} and g̃_θ, d numbers per sample, each on cache lines of its own.
    means: Aligned,
    gradients: Aligned,
}

impl Block<'_> {
    fn new(actions: usize, dim: usize, len: usize, parameters: &Parameters<f64>) -> Self {
        Self {
            dim,
            alpha: parameters.alpha,
            discount: parameters.discount,
            t: 0,
            theta_sum: Aligned::room(stride(dim)),
            weighted_beta: Aligned::room(stride(dim)),
            policies: Policies::new(actions, dim, 2 * len, parameters.inner.saturating_mul(2)),
            samples: Vec::with_capacity(len),
            visits: Vec::with_capacity(len),
            w: vec![0.0; len],
            means: Aligned::room(len * stride(dim)),
            gradients: Aligned::room(len * stride(dim)),
        }
    }

    /// What was computed with another Σθ and another β is forgotten.
    fn enter(&mut self, t: usize, theta_sum: &[f64], weighted_beta: &[f64]) {
        if self.t != t {
            self.t = t;
            self.theta_sum[..theta_sum.len()].copy_from_slice(theta_sum);
            self.weighted_beta[..theta_sum.len()].copy_from_slice(weighted_beta);
            self.policies.clear();
        }
    }
}

/// φ(X, A), and the slots of X⁰ and X'.
pub(super) type Visit<'f> = (&'f [f64], [usize; 2]);

/// The visits of samples, up to the first that is to be refused: why, is said where it is used.
pub(super) fn visit<'f, F: FeatureMap<f64>>(
    features: &'f F,
    slots: &mut Slots<'f>,
    samples: &[Sample<f64>],
    visits: &mut Vec<Visit<'f>>,
) {
    visits.clear();
    for sample in samples {
        let Some(phi) = phi(features, sample) else { break };
        visits.push((phi, [slots.slot(sample.x0), slots.slot(sample.x_next)]));
    }
    slots.find(features);
    let unknown = |(_, visited): &Visit| visited.iter().any(|slot| *slot >= slots.len());
    visits.truncate(visits.iter().position(unknown).unwrap_or(visits.len()));
}

/// φ(X, A); nothing of a sample that is to be refused.
#[inline(always)]
pub(super) fn phi<'f, F: FeatureMap<f64>>(features: &'f F, sample: &Sample<f64>) -> Option<&'f [f64]> {
    let here = features_of(features, "x", sample.x, 0).ok()?;
    let phi = feature(here, features.actions(), features.dim(), sample.a).ok()?;
    sample.r.is_finite().then_some(phi)
}

/// w, Φᵀμ and g̃_θ of every sample of a block.
struct Gradients<'p, 'f>(&'p mut Block<'f>);

impl Pass for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) {
        let Block { discount, weighted_beta, policies, visits, w, means, gradients, .. } = self.0;
        let weighted_beta = weighted_beta.lines();
        let width = weighted_beta.len();
        policies.prepare_starts::<S, R>(unit, 1.0 - *discount);
        weights::<S, R, _>(unit, visits, weighted_beta, w);
        let (policies, discount) = (policies.known(), *discount);
        let out = means.lines_mut().chunks_exact_mut(width).zip(gradients.lines_mut().chunks_exact_mut(width)).zip(w);
        for ((phi, [start, next]), ((mean, gradient), w)) in visits.iter().zip(out) {
            let (share, w) = (unit.splat_f64s(discount * *w), unit.splat_f64s(*w));
            let (start, features, policy) = (policies.start(*start), policies.features(*next), policies.policy(*next));
            combine::<S, R>(unit, (start, features, policy, share), (phi, w), mean, gradient);
        }
    }
}

/// Room for what a step computes, out of the state's scratch.
struct Work<'s> {
    /// θ_{t,k} − η g̃_θ, where Π moved it; in the outer step β_t + ζ g̃_β.
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
    begin_outer(state, outer, observer)?;
    let iterates = &mut outer.iterates;
    iterates.theta[..dim].copy_from_slice(state.theta);
    iterates.sum[..dim].copy_from_slice(state.iterate_sum);
    let mut refused = None;
    let load = |task: &mut Task<'f, F>, left: usize| {
        task.block.enter(state.t, state.theta_sum, state.weighted_beta);
        load(data, &mut task.block.samples, left.min(task.block.w.len()))
    };
    let ran = crew.run(count - 1, load, |task| {
        let (rate, place) = ((algorithm.parameters.eta, outer.theta), [&mut state.k, &mut state.used]);
        unit::run_lines(InnerSteps { dim, rate, iterates, place, block: &task.block, observer })?;
        refused = task.block.samples.get(task.block.visits.len()).copied();
        refused.map_or(Ok(()), |_| Err(Error::NotFinite { what: "sample", index: 0 }))
    });
    state.theta.copy_from_slice(&iterates.theta[..dim]);
    state.iterate_sum.copy_from_slice(&iterates.sum[..dim]);
    if let Some(sample) = refused {
        expect_sample(algorithm, state, &sample)?;
    }
    ran?;
    outer_step(algorithm, state, outer, &data.obtain()?, observer)
}

/// θ_{t,1} = θ_{t−1}, and Λ^{c−1}β_t for the steps to come.
pub(super) fn begin_outer<O: Observer<f64>>(state: &mut State<f64>, outer: &mut Outer, observer: &mut O) -> Result<()> {
    if state.k != 0 {
        return out_of_order(state.k);
    }
    (state.t, state.k) = (state.t + 1, 1);
    state.iterate_sum.fill(0.0);
    outer.weight.apply(state.beta, 1.0, state.weighted_beta);
    observer.begin_outer(state.t, state.theta, state.beta, state.weighted_beta, state.theta_sum);
    Ok(())
}

/// What is wrong with a sample that an inner step refuses, and where.
pub(super) fn expect_sample<F: FeatureMap<f64>>(
    algorithm: &Algorithm<f64, F>,
    state: &State<f64>,
    sample: &Sample<f64>,
) -> Result<()> {
    features_of(algorithm.features, "x0", sample.x0, state.used)?;
    algorithm.visit(state, sample).map(|_| ())
}

/// θ_{t,k+1} = Π(θ_{t,k} − η g̃_θ), and Σ_k θ_{t,k} grows by θ_{t,k}: for each sample of a block.
struct InnerSteps<'p, 'f, O> {
    dim: usize,
    /// η, and B(D_θ).
    rate: (f64, Ball),
    iterates: &'p mut Iterates,
    /// k, and how many samples were used.
    place: [&'p mut usize; 2],
    block: &'p Block<'f>,
    observer: &'p mut O,
}

impl<O: Observer<f64>> Pass for InnerSteps<'_, '_, O> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> Result<()> {
        let Self { dim, rate, block, observer, place: [k, used], .. } = self;
        let Iterates { theta, sum, before } = self.iterates;
        let (theta, sum, before) = (theta.lines_mut(), sum.lines_mut(), before.lines_mut());
        let (means, gradients, policies) = (block.means.lines(), block.gradients.lines(), block.policies.known());
        let computed = means.chunks_exact(theta.len()).zip(gradients.chunks_exact(theta.len())).zip(&block.w);
        for ((sample, (phi, [start, next])), ((mean_feature, gradient), w)) in
            block.samples.iter().zip(&block.visits).zip(computed)
        {
            let norm_squared = descend(unit, rate, gradient, theta, sum, before);
            if !norm_squared.is_finite() {
                return Err(Error::Diverged { t: block.t, k: *k, what: "theta" });
            }
            let theta_next = &theta.as_flattened()[..dim];
            observer.inner_step(&InnerStep {
                t: block.t,
                k: *k,
                sample,
                phi,
                w,
                policy_start: policies.policy(*start),
                policy_next: policies.policy(*next),
                mean_feature: &mean_feature.as_flattened()[..dim],
                gradient: &gradient.as_flattened()[..dim],
                unprojected: if rate.1.excludes(norm_squared) { &before.as_flattened()[..dim] } else { theta_next },
                theta_next,
            });
            (*k, *used) = (*k + 1, *used + 1);
        }
        Ok(())
    }
}

/// θ_t = (1/K) Σ_k θ_{t,k}; β_{t+1} = Π(β_t + ζ g̃_β); Σθ grows by θ_t.
pub(super) fn outer_step<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    state: &mut State<f64>,
    outer: &mut Outer<'f>,
    sample: &Sample<f64>,
    observer: &mut O,
) -> Result<()> {
    let &Parameters { discount, alpha, zeta, radius_theta, inner: count, .. } = algorithm.parameters;
    let (actions, dim) = (algorithm.features.actions(), algorithm.features.dim());
    add(state.theta, state.iterate_sum);
    average(state.iterate_sum, count, state.theta);
    debug_assert!(average_within_ball(state.theta, count, &radius_theta), "θ_t left the ball");
    state.k = 0;

    let (phi, next) = algorithm.visit(state, sample)?;
    outer.theta_sum[..dim].copy_from_slice(state.theta_sum);
    let policy_next = outer.policy.only(alpha, outer.theta_sum.lines(), next);
    let Work { before, gradient, beta_next, values } = Work::new(actions, dim, state.scratch)?;
    let prediction = outer.weight.predict(state.theta, next, phi, values);
    let value_next = crate::linear::vector::inner(policy_next, values);
    let td_error = sample.r + value_next * discount - prediction;
    outer.weight.apply(phi, td_error, gradient);
    let ball = outer.beta;
    let norm_squared = outer.weight.ascend((zeta, ball), [state.beta, gradient], beta_next, before);
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
