//! Algorithm 1: [`crate::paper::discounted::algorithm`], its inner loop in blocks.
//!
//! Within an outer iteration Σθ and β_t are fixed, so no g̃_θ depends on an iterate: those of a block of samples are computed first,
//! then used one after the other. What is sequential is a pass over d numbers per sample (`descend`).

use super::aligned::{Aligned, Line, stride};
use super::crew::{Block, Crew};
use super::kernel::combine;
use super::policies::{Known, Policies};
use super::slots::Slots;
use super::steps::{Ball, Fixed, Iterates, Weight, Work, add, average, descend, weights};
use super::unit::{self, Pass, Unit};
use super::{block_len, load};
use crate::error::{Error, Result};
use crate::linear::projection::average_within_ball;
use crate::linear::vector::LANES;
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
    if outer == 0 {
        return Ok(());
    }
    algorithm.expect_shape(state)?;
    let mut crew = Crew::alone((Batch::new(algorithm, true), policies(algorithm)));
    run_by(algorithm, &mut crew, state, outer, samples, (observer, true))
}

/// [`run`], but the observer does not hear of inner steps, so that less is kept and gradients may be computed by `threads` threads, 0 and 1 meaning
/// none but the caller's: the same bits for every number.
pub fn run_on<F: FeatureMap<f64> + Sync, O: Observer<f64>>(
    threads: usize,
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
    let make = || (Batch::new(algorithm, false), policies(algorithm));
    if threads < 2 {
        let mut crew = Crew::alone(make());
        return run_by(algorithm, &mut crew, state, outer, samples, (observer, false));
    }
    let dim = algorithm.features.dim();
    let shape = (block_len(dim, algorithm.parameters.inner), Fixed::new(dim), Moved::new(algorithm));
    std::thread::scope(|scope| {
        let mut crew = Crew::new(scope, threads, make, shape);
        run_by(algorithm, &mut crew, state, outer, samples, (observer, false))
    })
}

/// `seen` says whether the observer hears of inner steps.
fn run_by<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    crew: &mut Crew<'f, Batch<'f, F>>,
    state: &mut State<f64>,
    outer: usize,
    samples: impl IntoIterator<Item = Sample<f64>>,
    (observer, seen): (&mut O, bool),
) -> Result<()> {
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner));
    let mut kept = Outer::new(algorithm);
    for _t in 0..outer {
        outer_iteration(algorithm, state, crew, &mut kept, &mut data, (observer, seen))?;
    }
    Ok(())
}

/// What the steps of every t use: room for one policy, what is fixed and what is moved, Λ^{c−1}, and B(D_β).
pub(super) struct Outer<'f> {
    policy: Policies<'f>,
    fixed: Fixed,
    moved: Moved,
    weight: Weight<'f>,
    beta: Ball,
}

impl<'f> Outer<'f> {
    pub(super) fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        Self {
            policy: Policies::new(features.actions(), features.dim(), 1, 1),
            fixed: Fixed::new(features.dim()),
            moved: Moved::new(algorithm),
            weight: Weight::new(features.dim(), algorithm.weight),
            beta: Ball::new(parameters.radius_beta),
        }
    }
}

/// What the inner steps move, and where they are.
struct Moved {
    /// η, and B(D_θ).
    rate: (f64, Ball),
    iterates: Iterates,
    t: usize,
    k: usize,
    used: usize,
    /// The sample at which they stopped.
    refused: Option<Sample<f64>>,
}

impl Moved {
    fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<f64, F>) -> Self {
        let rate = (algorithm.parameters.eta, Ball::new(algorithm.parameters.radius_theta));
        Self { rate, iterates: Iterates::new(algorithm.features.dim()), t: 0, k: 0, used: 0, refused: None }
    }

    fn enter(&mut self, state: &State<f64>) {
        self.iterates.theta[..state.theta.len()].copy_from_slice(state.theta);
        self.iterates.sum[..state.theta.len()].copy_from_slice(state.iterate_sum);
        (self.t, self.k, self.used) = (state.t, state.k, state.used);
    }

    fn leave(&self, state: &mut State<f64>) {
        let dim = state.theta.len();
        state.theta.copy_from_slice(&self.iterates.theta[..dim]);
        state.iterate_sum.copy_from_slice(&self.iterates.sum[..dim]);
        (state.k, state.used) = (self.k, self.used);
    }
}

/// A block: the features, by whatever map, and what is computed with them.
struct Batch<'f, F> {
    features: &'f F,
    alpha: f64,
    computed: Computed<'f>,
}

/// Samples, and what the gradients of an inner step are made of at each. The passes over it know neither map nor observer by its type: they are
/// compiled once, in this crate, and not again in each that uses it.
struct Computed<'f> {
    dim: usize,
    discount: f64,
    samples: Vec<Sample<f64>>,
    visits: Vec<Visit<'f>>,
    w: Vec<f64>,
    /// g̃_θ, d numbers per sample, each on cache lines of its own; Φᵀμ_{t,k} likewise, or of the last sample only, where nobody looks.
    gradients: Aligned,
    means: Aligned,
    /// How many numbers the Φᵀμ_{t,k} of two samples are apart.
    apart: usize,
}

impl<'f, F: FeatureMap<f64>> Batch<'f, F> {
    fn new(algorithm: &Algorithm<'f, f64, F>, seen: bool) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        let (len, width) = (block_len(features.dim(), parameters.inner), stride(features.dim()));
        let apart = if seen { width } else { 0 };
        let computed = Computed {
            dim: features.dim(),
            discount: parameters.discount,
            samples: Vec::with_capacity(len),
            visits: Vec::with_capacity(len),
            w: vec![0.0; len],
            gradients: Aligned::room(len * width),
            means: Aligned::room(width + (len - 1) * apart),
            apart,
        };
        Self { features, alpha: parameters.alpha, computed }
    }
}

/// Room for the policies at the states of blocks.
fn policies<'f, F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Policies<'f> {
    let (features, inner) = (algorithm.features, algorithm.parameters.inner);
    Policies::new(features.actions(), features.dim(), 2 * block_len(features.dim(), inner), inner.saturating_mul(2))
}

impl<'f, F: FeatureMap<f64>> Block<'f> for Batch<'f, F> {
    type Moved = Moved;
    const DRAWING: bool = false;

    fn samples(&mut self) -> &mut Vec<Sample<f64>> {
        &mut self.computed.samples
    }

    /// Up to the first sample that is to be refused.
    fn compute(&mut self, fixed: &Fixed, policies: &mut Policies<'f>) {
        let block = &mut self.computed;
        policies.enter(fixed.t, 2 * block.samples.len());
        visit(self.features, &mut policies.slots, &block.samples, &mut block.visits);
        for (_, [start, _]) in &block.visits {
            policies.want_start(*start);
        }
        policies.compute(self.alpha, fixed.theta_sum.lines());
        block.compute_gradients(fixed.weighted_beta.lines(), policies);
    }

    fn step(&self, moved: &mut Moved) -> Result<()> {
        self.computed.step_seen(moved, None, &mut ())
    }
}

impl<'f> Computed<'f> {
    fn compute_gradients(&mut self, weighted_beta: &[Line], policies: &mut Policies<'f>) {
        unit::run(Gradients { block: self, weighted_beta, policies });
    }

    /// [`Block::step`], with the policies where somebody looks.
    fn step_seen(
        &self,
        moved: &mut Moved,
        policies: Option<Known<'_, 'f>>,
        observer: &mut dyn Observer<f64>,
    ) -> Result<()> {
        unit::run(InnerSteps { block: self, moved, policies, observer })?;
        moved.refused = self.samples.get(self.visits.len()).copied();
        moved.refused.map_or(Ok(()), |_| Err(Error::NotFinite { what: "sample", index: Error::SCALAR }))
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
struct Gradients<'p, 'f> {
    block: &'p mut Computed<'f>,
    weighted_beta: &'p [Line],
    policies: &'p mut Policies<'f>,
}

impl Pass for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) {
        let (Computed { discount, visits, w, means, gradients, apart, .. }, policies) = (self.block, self.policies);
        let (discount, apart, width) = (*discount, *apart / LANES, self.weighted_beta.len());
        policies.prepare_starts(unit, 1.0 - discount);
        weights(unit, visits, self.weighted_beta, w);
        let (policies, means) = (policies.known(), means.lines_mut());
        let gradients = gradients.lines_mut();
        for (i, &(phi, [start, next])) in visits.iter().enumerate() {
            let (share, w) = (unit.splat_f64s(discount * w[i]), unit.splat_f64s(w[i]));
            let (start, features, policy) = (policies.start(start), policies.features(next), policies.policy(next));
            let (mean, gradient) = (&mut means[i * apart..][..width], &mut gradients[i * width..][..width]);
            combine(unit, (start, features, policy, share), (phi, w), mean, gradient);
        }
    }
}

fn outer_iteration<'f, F: FeatureMap<f64>, O: Observer<f64>>(
    algorithm: &Algorithm<'f, f64, F>,
    state: &mut State<f64>,
    crew: &mut Crew<'f, Batch<'f, F>>,
    outer: &mut Outer<'f>,
    data: &mut Data<impl Iterator<Item = Sample<f64>>>,
    (observer, seen): (&mut O, bool),
) -> Result<()> {
    let (count, dim) = (algorithm.parameters.inner, algorithm.features.dim());
    begin_outer(state, outer, observer)?;
    outer.fixed.enter(state.t, state.theta_sum, state.weighted_beta);
    outer.moved.enter(state);
    let len = block_len(dim, count);
    let load = |samples: &mut Vec<Sample<f64>>, left: usize| load(data, samples, left.min(len));
    let ran = crew.run((&mut outer.fixed, &mut outer.moved), count - 1, load, |block, policies, moved| {
        block.computed.step_seen(moved, seen.then(|| policies.known()), observer)
    });
    outer.moved.leave(state);
    if let Some(sample) = outer.moved.refused.take() {
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
struct InnerSteps<'p, 'f> {
    block: &'p Computed<'f>,
    moved: &'p mut Moved,
    /// Where somebody looks.
    policies: Option<Known<'p, 'f>>,
    observer: &'p mut dyn Observer<f64>,
}

impl Pass for InnerSteps<'_, '_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) -> Result<()> {
        let Self { block, moved: Moved { rate, iterates, t, k, used, .. }, policies, observer } = self;
        let (Iterates { theta, sum, before }, dim) = (iterates, block.dim);
        let (theta, sum, before) = (theta.lines_mut(), sum.lines_mut(), before.lines_mut());
        let (gradients, width) = (block.gradients.lines(), theta.len());
        for (i, &(phi, [start, next])) in block.visits.iter().enumerate() {
            let gradient = &gradients[i * width..][..width];
            let norm_squared = descend(unit, *rate, gradient, theta, sum, before);
            if !norm_squared.is_finite() {
                return Err(Error::Diverged { t: *t, k: *k, what: "theta" });
            }
            if let Some(policies) = policies {
                let theta_next = &theta.as_flattened()[..dim];
                observer.inner_step(&InnerStep {
                    t: *t,
                    k: *k,
                    sample: &block.samples[i],
                    phi,
                    w: &block.w[i],
                    policy_start: policies.policy(start),
                    policy_next: policies.policy(next),
                    mean_feature: &block.means[i * block.apart..][..dim],
                    gradient: &gradient.as_flattened()[..dim],
                    unprojected: if rate.1.excludes(norm_squared) { &before.as_flattened()[..dim] } else { theta_next },
                    theta_next,
                });
            }
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
    outer.fixed.theta_sum[..dim].copy_from_slice(state.theta_sum);
    let policy_next = outer.policy.only(alpha, outer.fixed.theta_sum.lines(), next);
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
