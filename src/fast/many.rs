//! Algorithm 1 with many parameters on the same samples, as in a search for rates: eight runs side by side in the lanes, one pass over the samples.
//!
//! Each run ends as [`super::discounted::run`] alone would have ended it, bit for bit. The inner steps are taken together (`lanes`), for
//! as long as no run is at its outer step; K and T may differ. Outer steps are the single run's.

use super::discounted::{Outer, begin_outer, expect_sample, outer_step};
use super::lanes::{BLOCK, Lanes};
use crate::error::{Error, Result};
use crate::linear::vector::LANES;
use crate::paper::discounted::algorithm::{Algorithm, Observer, Parameters, State};
use crate::paper::samples::{FeatureMap, Sample};

/// Samples that are read before they go to every group of eight.
const READ: usize = 1024;

/// One of the runs.
#[derive(Debug)]
pub struct Run<'r, 'b, O> {
    /// Its parameters.
    pub parameters: &'r Parameters<f64>,
    /// How many outer iterations are to be run.
    pub outer: usize,
    /// Where it begins, and in the end where it has come to; of no meaning after an error.
    pub state: State<'b, f64>,
    /// Hears of outer iterations, not of inner steps.
    pub observer: O,
}

/// Runs all of them on the same samples; how each ended. `features` and `weight` are those of [`Algorithm::new`].
pub fn run<F: FeatureMap<f64>, O: Observer<f64>>(
    features: &F,
    weight: Option<&[f64]>,
    runs: &mut [Run<'_, '_, O>],
    samples: impl IntoIterator<Item = Sample<f64>>,
) -> Vec<Result<()>> {
    let mut ends = vec![Ok(()); runs.len()];
    let mut members = Vec::new();
    for (index, run) in runs.iter_mut().enumerate() {
        match Member::new(features, weight, index, run) {
            Ok(member) if member.left == 0 => {}
            Ok(member) => members.push(member),
            Err(error) => ends[index] = Err(error),
        }
    }
    // Runs of the same K change their policies together.
    members.sort_by_key(|member| member.algorithm.parameters.inner);
    let needed = members.iter().map(Member::needed).max().unwrap_or(0);
    let mut groups = Vec::new();
    while !members.is_empty() {
        groups.push(Group::new(features, members.drain(..members.len().min(LANES)).collect()));
    }
    let (mut samples, mut block, mut used) = (samples.into_iter(), Vec::with_capacity(READ), 0);
    while used < needed && groups.iter().any(Group::is_under_way) {
        block.clear();
        block.extend(samples.by_ref().take(READ.min(needed - used)));
        used += block.len();
        for group in &mut groups {
            group.take(&block);
        }
        if block.is_empty() {
            break;
        }
    }
    for member in groups.iter().flat_map(|group| &group.members) {
        let missing = Error::Length { what: "samples", expected: member.needed(), found: used };
        ends[member.index] = member.end.unwrap_or(Err(missing));
    }
    ends
}

/// A run in a lane.
struct Member<'m, 'f, 'b, F, O> {
    index: usize,
    algorithm: Algorithm<'f, f64, F>,
    outer: Outer<'f>,
    state: &'m mut State<'b, f64>,
    observer: &'m mut O,
    iterations: usize,
    left: usize,
    end: Option<Result<()>>,
}

impl<'m, 'f, 'b, F: FeatureMap<f64>, O: Observer<f64>> Member<'m, 'f, 'b, F, O> {
    fn new<'r: 'f>(
        features: &'f F,
        weight: Option<&'f [f64]>,
        index: usize,
        run: &'m mut Run<'r, 'b, O>,
    ) -> Result<Self> {
        let algorithm = Algorithm::new(features, weight, run.parameters)?;
        algorithm.expect_shape(&run.state)?;
        let (state, observer) = (&mut run.state, &mut run.observer);
        let mut outer = Outer::new(&algorithm);
        if run.outer > 0 {
            begin_outer(state, &mut outer, observer)?;
        }
        Ok(Self { index, algorithm, outer, state, observer, iterations: run.outer, left: run.outer, end: None })
    }

    /// T·K.
    fn needed(&self) -> usize {
        self.iterations.saturating_mul(self.algorithm.parameters.inner)
    }

    /// Inner steps before its next outer step; none once it has ended.
    fn before_outer(&self) -> Option<usize> {
        self.end.is_none().then(|| self.algorithm.parameters.inner - self.state.k)
    }

    /// An outer step, and the beginning of the next iteration if there is one.
    fn outer_step(&mut self, sample: &Sample<f64>) -> Result<()> {
        outer_step(&self.algorithm, self.state, &mut self.outer, sample, self.observer)?;
        self.left -= 1;
        if self.left == 0 {
            self.end = Some(Ok(()));
            return Ok(());
        }
        begin_outer(self.state, &mut self.outer, self.observer)
    }
}

/// At most eight runs.
struct Group<'m, 'f, 'b, F, O> {
    features: &'f F,
    members: Vec<Member<'m, 'f, 'b, F, O>>,
    lanes: Lanes<'f>,
}

impl<'m, 'f, 'b, F: FeatureMap<f64>, O: Observer<f64>> Group<'m, 'f, 'b, F, O> {
    fn new(features: &'f F, members: Vec<Member<'m, 'f, 'b, F, O>>) -> Self {
        let longest = members.iter().map(|member| member.algorithm.parameters.inner).max().unwrap_or(0);
        let mut lanes = Lanes::new(features.actions(), features.dim(), longest.saturating_mul(2));
        for (r, member) in members.iter().enumerate() {
            lanes.employ(r, member.algorithm.parameters, member.state);
        }
        Self { features, members, lanes }
    }

    fn is_under_way(&self) -> bool {
        self.members.iter().any(|member| member.end.is_none())
    }

    /// Uses the samples, as far as there is a run that needs them.
    fn take(&mut self, mut samples: &[Sample<f64>]) {
        while let (Some(calm), Some(first)) =
            (self.members.iter().filter_map(Member::before_outer).min(), samples.first())
        {
            let count = calm.clamp(1, BLOCK).min(samples.len());
            if calm > 0 {
                self.inner_steps(&samples[..count]);
            } else {
                self.mixed_step(first);
            }
            samples = &samples[count..];
        }
    }

    /// The inner steps of the runs that are at one.
    fn inner_steps(&mut self, samples: &[Sample<f64>]) {
        let (count, mut first) = (self.lanes.visit(self.features, samples), 0);
        while let Some((at, squares)) = self.lanes.step(first) {
            for r in (0..self.members.len()).filter(|r| !squares[*r].is_finite()) {
                let State { t, k, .. } = *self.members[r].state;
                match self.members[r].before_outer() {
                    // It is at its outer step, and enters the next iteration with other numbers.
                    Some(0) => {}
                    Some(_) => self.end(r, Error::Diverged { t, k: k + at, what: "theta" }),
                    None => self.lanes.retire(r),
                }
            }
            first = at + 1;
        }
        for r in 0..self.members.len() {
            let member = &mut self.members[r];
            if member.before_outer().is_some_and(|left| left > 0) {
                (member.state.k, member.state.used) = (member.state.k + count, member.state.used + count);
                let refused = samples.get(count).map(|sample| expect_sample(&member.algorithm, member.state, sample));
                if let Some(Err(error)) = refused {
                    self.end(r, error);
                }
            }
        }
    }

    /// A sample on which at least one run has its outer step.
    fn mixed_step(&mut self, sample: &Sample<f64>) {
        let outer: Vec<usize> =
            (0..self.members.len()).filter(|r| self.members[*r].before_outer() == Some(0)).collect();
        for &r in &outer {
            self.lanes.leave(r, self.members[r].state);
        }
        if self.members.iter().any(|member| member.before_outer().is_some_and(|left| left > 0)) {
            self.inner_steps(std::slice::from_ref(sample));
        }
        for r in outer {
            let member = &mut self.members[r];
            match member.outer_step(sample) {
                Err(error) => self.end(r, error),
                Ok(()) if member.end.is_some() => self.lanes.retire(r),
                Ok(()) => self.lanes.enter(r, member.state),
            }
        }
    }

    fn end(&mut self, r: usize, error: Error) {
        self.members[r].end.get_or_insert(Err(error));
        self.lanes.retire(r);
    }
}
