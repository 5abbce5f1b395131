//! The engine held against the boxes: both run on the same samples, and every number that an observer sees is compared by its bits.

use super::{average_reward, discounted};
use crate::error::Result;
use crate::paper::average_reward::algorithm as second;
use crate::paper::discounted::algorithm as first;
use crate::paper::samples::{FeatureMap, Sample};
use crate::steps::{Quantity, Step, Trace, Transcript, place};
use core::fmt;

/// The first place, in the order of computation, where the engine is not the box.
#[derive(Debug, Clone, PartialEq)]
pub enum Disagreement {
    /// A number has other bits.
    Number {
        /// t.
        t: usize,
        /// k (Algorithm 2: i); `None` for the outer step.
        k: Option<usize>,
        /// The variable.
        field: Quantity,
        /// Its component.
        component: usize,
        /// The box's.
        plain: f64,
        /// The engine's.
        fast: f64,
    },
    /// The steps and numbers that both have agree, but one has more, or ended otherwise.
    End {
        /// The box's number of steps, and how it ended.
        plain: (usize, Result<()>),
        /// The engine's.
        fast: (usize, Result<()>),
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { t, k, field, component, plain, fast } => {
                write!(f, "{}, {}[{component}]: the engine has {fast:?}, ", place(*t, *k), field.name())?;
                write!(f, "the box {plain:?} ({:016x}, {:016x})", fast.to_bits(), plain.to_bits())
            }
            Self::End { plain, fast } => {
                write!(f, "the engine ended with {fast:?} (steps, result), the box with {plain:?}")
            }
        }
    }
}

/// Algorithm 1 by the box and by the engine, each on its own state. `Ok(None)` where they agree; an error that they agree on is an
/// `Err`. `observer` watches the engine.
pub fn discounted<F: FeatureMap<f64>>(
    algorithm: &first::Algorithm<f64, F>,
    [plain, fast]: [&mut first::State<f64>; 2],
    outer: usize,
    samples: &[Sample<f64>],
    observer: &mut impl first::Observer<f64>,
) -> Result<Option<Disagreement>> {
    let mut boxed = Transcript::default();
    let plain = algorithm.run(plain, outer, samples.iter().copied(), &mut boxed);
    let mut watched = Watched { transcript: Transcript::default(), observer };
    let fast = discounted::run(algorithm, fast, outer, samples.iter().copied(), &mut watched);
    compare((&boxed.trace, plain), (&watched.transcript.trace, fast))
}

/// Algorithm 2, likewise.
pub fn average_reward<F: FeatureMap<f64>>(
    algorithm: &second::Algorithm<f64, F>,
    [plain, fast]: [&mut second::State<f64>; 2],
    outer: usize,
    samples: &[Sample<f64>],
    observer: &mut impl second::Observer<f64>,
) -> Result<Option<Disagreement>> {
    let mut boxed = Transcript::default();
    let plain = algorithm.run(plain, outer, samples.iter().copied(), &mut boxed);
    let mut watched = Watched { transcript: Transcript::default(), observer };
    let fast = average_reward::run(algorithm, fast, outer, samples.iter().copied(), &mut watched);
    compare((&boxed.trace, plain), (&watched.transcript.trace, fast))
}

fn compare(plain: (&Trace, Result<()>), fast: (&Trace, Result<()>)) -> Result<Option<Disagreement>> {
    let different = plain.0.iter().zip(fast.0).find_map(|(plain, fast)| differing_number(plain, fast));
    if different.is_some() {
        return Ok(different);
    }
    let (plain, fast) = ((plain.0.len(), plain.1), (fast.0.len(), fast.1));
    if plain != fast {
        return Ok(Some(Disagreement::End { plain, fast }));
    }
    plain.1.map(|()| None)
}

fn differing_number(plain: &Step, fast: &Step) -> Option<Disagreement> {
    plain.fields.iter().zip(&fast.fields).find_map(|((field, plain_values), (_, fast_values))| {
        let component = plain_values.iter().zip(fast_values).position(|(a, b)| a.to_bits() != b.to_bits())?;
        let (a, b) = (plain_values[component], fast_values[component]);
        Some(Disagreement::Number { t: plain.t, k: plain.k, field: *field, component, plain: a, fast: b })
    })
}

/// Writes down, and lets somebody else look too.
struct Watched<'o, O> {
    transcript: Transcript<'static>,
    observer: &'o mut O,
}

impl<O: first::Observer<f64>> first::Observer<f64> for Watched<'_, O> {
    fn begin_outer(&mut self, t: usize, theta: &[f64], beta: &[f64], weighted_beta: &[f64], theta_sum: &[f64]) {
        self.observer.begin_outer(t, theta, beta, weighted_beta, theta_sum);
    }

    fn inner_step(&mut self, step: &first::InnerStep<f64>) {
        first::Observer::inner_step(&mut self.transcript, step);
        self.observer.inner_step(step);
    }

    fn outer_step(&mut self, step: &first::OuterStep<f64>) {
        first::Observer::outer_step(&mut self.transcript, step);
        self.observer.outer_step(step);
    }
}

impl<O: second::Observer<f64>> second::Observer<f64> for Watched<'_, O> {
    fn begin_outer(&mut self, t: usize, theta: &[f64], rho: &f64, beta: &[f64], weighted: &[f64], sum: &[f64]) {
        self.observer.begin_outer(t, theta, rho, beta, weighted, sum);
    }

    fn inner_step(&mut self, step: &second::InnerStep<f64>) {
        second::Observer::inner_step(&mut self.transcript, step);
        self.observer.inner_step(step);
    }

    fn outer_step(&mut self, step: &second::OuterStep<f64>) {
        second::Observer::outer_step(&mut self.transcript, step);
        self.observer.outer_step(step);
    }
}
