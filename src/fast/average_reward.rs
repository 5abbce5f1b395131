//! Algorithm 2: [`crate::paper::average_reward::algorithm`], its inner loop in blocks, as in [`super::discounted`].

use super::aligned::{Aligned, Line, stride};
use super::crew::{Block, Crew};
use super::discounted::phi;
use super::kernel::update;
use super::policies::{Known, Policies};
use super::slots::Slots;
use super::steps::{Ball, Fixed, Iterates, Weight, Work, add, average, descend, weights};
use super::unit::{self, Pass, Unit};
use super::{block_len, load};
use crate::error::{Error, Result};
use crate::linear::projection::{average_within_ball, clamp};
use crate::linear::softmax::draw_action;
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
    if outer == 0 {
        return Ok(());
    }
    algorithm.expect_shape(state)?;
    let mut crew = Crew::alone((Batch::new(algorithm), policies(algorithm)));
    run_by(algorithm, &mut crew, state, outer, samples, (observer, true))
}

/// [`run`], but the observer does not hear of inner steps, so that gradients may be computed by `threads` threads, 0 and 1 meaning none but the
/// caller's: the same bits for every number.
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
    let make = || (Batch::new(algorithm), policies(algorithm));
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
    let mut data = Data::new(samples.into_iter(), outer.saturating_mul(algorithm.parameters.inner.saturating_add(1)));
    let mut kept = Outer::new(algorithm);
    for _t in 0..outer {
        outer_iteration(algorithm, state, crew, &mut kept, &mut data, (observer, seen))?;
    }
    Ok(())
}

/// What the steps of every t use: room for one policy, what is fixed and what is moved, Λ^{c−1}, and B(D_β).
struct Outer<'f> {
    policy: Policies<'f>,
    fixed: Fixed,
    moved: Moved,
    weight: Weight<'f>,
    beta: Ball,
}

impl<'f> Outer<'f> {
    fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Self {
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
    xi: f64,
    /// ρ^(i), and the sum of those before.
    rho: [f64; 2],
    t: usize,
    i: usize,
    used: usize,
    /// The sample at which they stopped.
    refused: Option<Sample<f64>>,
}

impl Moved {
    fn new<F: FeatureMap<f64>>(algorithm: &Algorithm<f64, F>) -> Self {
        let &Parameters { eta, xi, radius_theta, .. } = algorithm.parameters;
        let iterates = Iterates::new(algorithm.features.dim());
        Self { rate: (eta, Ball::new(radius_theta)), iterates, xi, rho: [0.0; 2], t: 0, i: 0, used: 0, refused: None }
    }

    fn enter(&mut self, state: &State<f64>) {
        self.iterates.theta[..state.theta.len()].copy_from_slice(state.theta);
        self.iterates.sum[..state.theta.len()].copy_from_slice(state.iterate_sum);
        (self.rho, self.t, self.i, self.used) = ([state.rho, state.rho_sum], state.t, state.i, state.used);
    }

    fn leave(&self, state: &mut State<f64>) {
        let dim = state.theta.len();
        state.theta.copy_from_slice(&self.iterates.theta[..dim]);
        state.iterate_sum.copy_from_slice(&self.iterates.sum[..dim]);
        ([state.rho, state.rho_sum], state.i, state.used) = (self.rho, self.i, self.used);
    }
}

/// A' and φ(X', A'), and whether π_t(·|X') is numbers.
type Draw<'f> = (usize, &'f [f64], bool);

/// A block: the features, by whatever map, and what is computed with them.
struct Batch<'f, F> {
    features: &'f F,
    alpha: f64,
    computed: Computed<'f>,
}

/// Samples, and what the gradients of an inner step are made of at each.
struct Computed<'f> {
    dim: usize,
    samples: Vec<Sample<f64>>,
    /// φ(X, A), and the slot of X'.
    visits: Vec<(&'f [f64], usize)>,
    w: Vec<f64>,
    draws: Vec<Draw<'f>>,
    /// g̃_θ, d numbers per sample, on cache lines of its own.
    gradients: Aligned,
}

impl<'f, F: FeatureMap<f64>> Batch<'f, F> {
    fn new(algorithm: &Algorithm<'f, f64, F>) -> Self {
        let (features, parameters) = (algorithm.features, algorithm.parameters);
        let len = block_len(features.dim(), parameters.inner);
        let computed = Computed {
            dim: features.dim(),
            samples: Vec::with_capacity(len),
            visits: Vec::with_capacity(len),
            w: vec![0.0; len],
            draws: vec![(0, &[], false); len],
            gradients: Aligned::room(len * stride(features.dim())),
        };
        Self { features, alpha: parameters.alpha, computed }
    }
}

/// Room for the policies at the states of blocks.
fn policies<'f, F: FeatureMap<f64>>(algorithm: &Algorithm<'f, f64, F>) -> Policies<'f> {
    let (features, inner) = (algorithm.features, algorithm.parameters.inner);
    Policies::new(features.actions(), features.dim(), block_len(features.dim(), inner), inner)
}

impl<'f, F: FeatureMap<f64>> Block<'f> for Batch<'f, F> {
    type Moved = Moved;
    const DRAWING: bool = true;

    fn samples(&mut self) -> &mut Vec<Sample<f64>> {
        &mut self.computed.samples
    }

    /// Up to the first sample that is to be refused.
    fn compute(&mut self, fixed: &Fixed, policies: &mut Policies<'f>) {
        let block = &mut self.computed;
        policies.enter(fixed.t, block.samples.len());
        visit(self.features, &mut policies.slots, &block.samples, &mut block.visits);
        policies.compute(self.alpha, fixed.theta_sum.lines());
        block.compute_gradients(fixed.weighted_beta.lines(), policies.known());
    }

    fn step(&self, moved: &mut Moved) -> Result<()> {
        self.computed.step_seen(moved, None, &mut ())
    }
}

impl<'f> Computed<'f> {
    fn compute_gradients(&mut self, weighted_beta: &[Line], policies: Known<'_, 'f>) {
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
struct Gradients<'p, 'f> {
    block: &'p mut Computed<'f>,
    weighted_beta: &'p [Line],
    policies: Known<'p, 'f>,
}

impl Pass for Gradients<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Unit>(self, unit: S) {
        let (policies, weighted_beta, dim) = (self.policies, self.weighted_beta, self.block.dim);
        let Computed { samples, visits, w, draws, gradients, .. } = self.block;
        weights(unit, visits, weighted_beta, w);
        let (gradients, width) = (gradients.lines_mut(), weighted_beta.len());
        for (i, &(phi, next)) in visits.iter().enumerate() {
            let policy = policies.policy(next);
            let a_next = draw_action(policy, &samples[i].u);
            let (phi_next, w) = (&policies.features(next)[a_next * dim..][..dim], unit.splat_f64s(w[i]));
            // The probabilities share their denominator: if one is not a number, none is.
            draws[i] = (a_next, phi_next, policy[0].is_finite());
            let gradient = &mut gradients[i * width..][..width];
            update(
                [phi_next, phi],
                gradient,
                #[inline(always)]
                |_, _, [next, phi]| unit.sub_f64s(unit.mul_f64s(next, w), unit.mul_f64s(phi, w)),
            );
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
    if state.i != 0 {
        return out_of_order(state.i);
    }
    (state.t, state.i) = (state.t + 1, 1);
    state.iterate_sum.fill(0.0);
    state.rho_sum = 0.0;
    outer.weight.apply(state.beta, 1.0, state.weighted_beta);
    observer.begin_outer(state.t, state.theta, &state.rho, state.beta, state.weighted_beta, state.theta_sum);
    outer.fixed.enter(state.t, state.theta_sum, state.weighted_beta);
    outer.moved.enter(state);
    let len = block_len(dim, count);
    let load = |samples: &mut Vec<Sample<f64>>, left: usize| load(data, samples, left.min(len));
    let ran = crew.run((&mut outer.fixed, &mut outer.moved), count, load, |block, policies, moved| {
        block.computed.step_seen(moved, seen.then(|| policies.known()), observer)
    });
    outer.moved.leave(state);
    if let Some(sample) = outer.moved.refused.take() {
        // Now it is known where.
        Algorithm::<f64, F>::expect_draw(state, &sample)?;
        algorithm.visit(state, &sample)?;
    }
    ran?;
    outer_step(algorithm, state, outer, &data.obtain()?, observer)
}

/// ρ^(i+1) = Π(ρ^(i) − ξ g̃_ρ), θ^(i+1) = Π(θ^(i) − η g̃_θ), the sums grow by ρ^(i) and θ^(i): for each sample of a block.
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
        let Self { block, moved: Moved { rate, iterates, xi, rho: [rho, rho_sum], t, i, used, .. }, .. } = self;
        let (Iterates { theta, sum, before }, dim, rate) = (iterates, block.dim, *rate);
        let (theta, sum, before) = (theta.lines_mut(), sum.lines_mut(), before.lines_mut());
        let (gradients, width) = (block.gradients.lines(), theta.len());
        for (n, &(phi, next)) in block.visits.iter().enumerate() {
            let (gradient, w, (a_next, phi_next, is_policy)) =
                (&gradients[n * width..][..width], &block.w[n], block.draws[n]);
            let diverged = |what| Err(Error::Diverged { t: *t, k: *i, what });
            let all = &gradient.as_flattened()[..dim];
            if !(w.is_finite() && is_policy) {
                return diverged("theta");
            }
            let gradient_rho = 1.0 - w;
            let unprojected_rho = *rho - gradient_rho * *xi;
            if !unprojected_rho.is_finite() {
                return diverged(if all.iter().all(|g| g.is_finite()) { "rho" } else { "theta" });
            }
            let norm_squared = descend(unit, rate, gradient, theta, sum, before);
            if !norm_squared.is_finite() {
                return diverged("theta");
            }
            *rho_sum += *rho;
            *rho = clamp(unprojected_rho);
            if let Some(policies) = self.policies {
                let theta_next = &theta.as_flattened()[..dim];
                self.observer.inner_step(&InnerStep {
                    t: *t,
                    i: *i,
                    sample: &block.samples[n],
                    phi,
                    w,
                    policy_next: policies.policy(next),
                    a_next,
                    phi_next,
                    gradient_rho: &gradient_rho,
                    gradient: all,
                    unprojected_rho: &unprojected_rho,
                    unprojected: if rate.1.excludes(norm_squared) { &before.as_flattened()[..dim] } else { theta_next },
                    rho_next: rho,
                    theta_next,
                });
            }
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
    outer.fixed.theta_sum[..dim].copy_from_slice(state.theta_sum);
    let policy_next = outer.policy.only(alpha, outer.fixed.theta_sum.lines(), next);
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
