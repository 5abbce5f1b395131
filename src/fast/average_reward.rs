//! Algorithm 2: [`crate::paper::average_reward::algorithm`], its inner loop in blocks, as in [`super::discounted`].

use super::aligned::{Aligned, stride};
use super::crew::{Compute, Crew};
use super::discounted::phi;
use super::kernel::update;
use super::policies::Policies;
use super::slots::Slots;
use super::steps::{Ball, Iterates, Weight, add, average, descend, weights};
use super::unit::{self, Pass, Unit};
use super::{block_len, load};
use crate::error::{Error, Result};
use crate::linear::projection::{average_within_ball, clamp};
use crate::linear::softmax::draw_action;
use crate::linear::vector::take;
use crate::paper::average_reward::algorithm::{Algorithm, InnerStep, Observer, OuterStep, Parameters, State};
use crate::paper::lines::{out_of_order, reciprocal};
use crate::paper::samples::{Data, FeatureMap, Sample};

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

/// What the steps of every t use: room for one policy, for what is moved, Λ^{c−1}, and the two balls.
struct Outer<'f> {
    policy: Policies<'f>,
    theta_sum: Aligned,
    iterates: Iterates,
    weight: Weight<'f>,
    theta: Ball,
    beta: Ball,
}

impl<'f> Outer<'f> {
    fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Self {
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
    /// Everything that depends neither on θ nor on ρ, up to the first sample that is to be refused.
    fn compute(&mut self) {
        let block = &mut self.block;
        block.policies.make_room(block.samples.len());
        visit(self.features, &mut block.policies.slots, &block.samples, &mut block.visits);
        block.policies.compute(block.alpha, block.theta_sum.lines());
        unit::run(block.dim, Gradients(block));
    }
}

/// Samples, and what the gradients of an inner step are made of at each.
struct Block<'f> {
    dim: usize,
    alpha: f64,
    /// t, and what is fixed in its outer iteration: Σ_{i<t} θ_i and Λ^{c−1}β_t.
    t: usize,
    theta_sum: Aligned,
    weighted_beta: Aligned,
    policies: Policies<'f>,
    samples: Vec<Sample<f64>>,
    /// φ(X, A), and the slot of X'.
    visits: Vec<(&'f [f64], usize)>,
    w: Vec<f64>,
    /// A'.
    draws: Vec<usize>,
    /// g̃_θ, d numbers per sample, on cache lines of its own.
    gradients: Aligned,
}

impl Block<'_> {
    fn new(actions: usize, dim: usize, len: usize, parameters: &Parameters<f64>) -> Self {
        Self {
            dim,
            alpha: parameters.alpha,
            t: 0,
            theta_sum: Aligned::room(stride(dim)),
            weighted_beta: Aligned::room(stride(dim)),
            policies: Policies::new(actions, dim, len, parameters.inner),
            samples: Vec::with_capacity(len),
            visits: Vec::with_capacity(len),
            w: vec![0.0; len],
            draws: vec![0; len],
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

/// φ(X, A) and the slots of X' of samples, up to the first that is to be refused: why, is said where it is used.
fn visit<'f, F: FeatureMap<f64>>(
    features: &'f F,
    slots: &mut Slots<'f>,
    samples: &[Sample<f64>],
    visits: &mut Vec<(&'f [f64], usize)>,
) {
    visits.clear();
    for sample in samples.iter().take_while(|sample| (0.0..1.0).contains(&sample.u)) {
        let Some(phi) = phi(features, sample) else { break };
        visits.push((phi, slots.slot(sample.x_next)));
    }
    slots.find(features);
    visits.truncate(visits.iter().position(|(_, next)| *next >= slots.len()).unwrap_or(visits.len()));
}

/// w, A' and g̃_θ of every sample of a block.
struct Gradients<'p, 'f>(&'p mut Block<'f>);

impl Pass for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) {
        let Block { dim, weighted_beta, policies, samples, visits, w, draws, gradients, .. } = self.0;
        let (dim, weighted_beta) = (*dim, weighted_beta.lines());
        weights::<S, R, _>(unit, visits, weighted_beta, w);
        let policies = policies.known();
        let out = gradients.lines_mut().chunks_exact_mut(weighted_beta.len()).zip(w).zip(draws);
        for ((sample, (phi, next)), ((gradient, w), drawn)) in samples.iter().zip(visits).zip(out) {
            let a_next = draw_action(policies.policy(*next), &sample.u);
            *drawn = a_next;
            let (phi_next, w) = (&policies.features(*next)[a_next * dim..][..dim], unit.splat_f64s(*w));
            update::<2, R>(
                [phi_next, phi],
                gradient,
                #[inline(always)]
                |_, _, [next, phi]| unit.sub_f64s(unit.mul_f64s(next, w), unit.mul_f64s(phi, w)),
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
    outer.weight.apply(state.beta, 1.0, state.weighted_beta);
    observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
    let iterates = &mut outer.iterates;
    iterates.theta[..dim].copy_from_slice(state.theta);
    iterates.sum[..dim].copy_from_slice(state.iterate_sum);
    let mut refused = None;
    let load = |task: &mut Task<'f, F>, left: usize| {
        task.block.enter(state.t, state.theta_sum, state.weighted_beta);
        load(data, &mut task.block.samples, left.min(task.block.draws.len()))
    };
    let ran = crew.run(count, load, |task| {
        let (rate, place) = ((algorithm.parameters.eta, outer.theta), [&mut state.i, &mut state.used]);
        let (xi, rho) = (algorithm.parameters.xi, [&mut state.rho, &mut state.rho_sum]);
        unit::run_lines(InnerSteps { dim, rate, iterates, xi, rho, place, block: &task.block, observer })?;
        refused = task.block.samples.get(task.block.visits.len()).copied();
        refused.map_or(Ok(()), |_| Err(Error::NotFinite { what: "sample", index: 0 }))
    });
    state.theta.copy_from_slice(&iterates.theta[..dim]);
    state.iterate_sum.copy_from_slice(&iterates.sum[..dim]);
    if let Some(sample) = refused {
        // Now it is known where.
        Algorithm::<f64, F>::expect_draw(state, &sample)?;
        algorithm.visit(state, &sample)?;
    }
    ran?;
    outer_step(algorithm, state, outer, &data.obtain()?, observer)
}

/// ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ), θ^(i+1) = Π(θ^(i) − η g̃_θ), the sums grow by ρ^(i) and θ^(i): for each sample of a block.
struct InnerSteps<'p, 'f, O> {
    dim: usize,
    /// η, and B(D_θ).
    rate: (f64, Ball),
    iterates: &'p mut Iterates,
    xi: f64,
    /// ρ^(i), and the sum of those before.
    rho: [&'p mut f64; 2],
    /// i, and how many samples were used.
    place: [&'p mut usize; 2],
    block: &'p Block<'f>,
    observer: &'p mut O,
}

impl<O: Observer<f64>> Pass for InnerSteps<'_, '_, O> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> Result<()> {
        let Self { dim, rate, xi, block, observer, rho: [rho, rho_sum], place: [i, used], .. } = self;
        let Iterates { theta, sum, before } = self.iterates;
        let (theta, sum, before) = (theta.lines_mut(), sum.lines_mut(), before.lines_mut());
        let policies = block.policies.known();
        let computed = block.gradients.lines().chunks_exact(theta.len()).zip(&block.w).zip(&block.draws);
        for ((sample, (phi, next)), ((gradient, w), a_next)) in block.samples.iter().zip(&block.visits).zip(computed) {
            let diverged = |what| Err(Error::Diverged { t: block.t, k: *i, what });
            let (policy_next, all) = (policies.policy(*next), &gradient.as_flattened()[..dim]);
            // The probabilities share their denominator: if one is not a number, none is.
            if !(w.is_finite() && policy_next[0].is_finite()) {
                return diverged("theta");
            }
            let gradient_rho = 1.0 - w;
            let unprojected_rho = *rho - gradient_rho * xi;
            if !unprojected_rho.is_finite() {
                return diverged(if all.iter().all(|g| g.is_finite()) { "rho" } else { "theta" });
            }
            let norm_squared = descend(unit, rate, gradient, theta, sum, before);
            if !norm_squared.is_finite() {
                return diverged("theta");
            }
            *rho_sum += *rho;
            *rho = clamp(unprojected_rho);
            let theta_next = &theta.as_flattened()[..dim];
            observer.inner_step(&InnerStep {
                t: block.t,
                i: *i,
                sample,
                phi,
                w,
                policy_next,
                a_next: *a_next,
                phi_next: &policies.features(*next)[a_next * dim..(a_next + 1) * dim],
                gradient_rho: &gradient_rho,
                gradient: all,
                unprojected_rho: &unprojected_rho,
                unprojected: if rate.1.excludes(norm_squared) { &before.as_flattened()[..dim] } else { theta_next },
                rho_next: rho,
                theta_next,
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
    outer.theta_sum[..dim].copy_from_slice(state.theta_sum);
    let policy_next = outer.policy.only(alpha, outer.theta_sum.lines(), next);
    let Work { before, gradient, beta_next, values } = Work::new(actions, dim, state.scratch)?;
    let prediction = outer.weight.predict(state.theta, next, phi, values);
    let value_next = crate::linear::vector::inner(policy_next, values);
    let td_error = sample.r + value_next - prediction - state.rho;
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
