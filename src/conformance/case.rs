//! A case: everything a run reads. Everything random is data, so a case has one answer.

use super::situations::{Situations, Watch};
use crate::error::{Error, Result, expect_some, expect_table};
use crate::paper::Setting;
use crate::paper::average_reward::algorithm as average;
use crate::paper::discounted::algorithm as discounted;
use crate::paper::mdp::Shape;
use crate::paper::samples::{FeatureTable, Sample};
use crate::steps::{Trace, Transcript};

/// The input of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What a result is matched by; also says how the case is made again, see [`super::cases::by_id`].
    pub id: String,
    /// Which algorithm.
    pub setting: Setting,
    /// |X|.
    pub states: usize,
    /// |A|.
    pub actions: usize,
    /// d.
    pub dim: usize,
    /// Φ: |X||A| rows of d.
    pub features: Vec<f64>,
    /// Λ^{c−1}, d rows of d; `None` is the identity (c = 1).
    pub weight: Option<Vec<f64>>,
    /// γ; Algorithm 2 does not read it.
    pub discount: f64,
    /// α.
    pub alpha: f64,
    /// η.
    pub eta: f64,
    /// ζ.
    pub zeta: f64,
    /// ξ; Algorithm 1 does not read it.
    pub xi: f64,
    /// D_θ.
    pub radius_theta: f64,
    /// D_β.
    pub radius_beta: f64,
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// θ₀.
    pub theta_start: Vec<f64>,
    /// ρ₀; Algorithm 1 does not read it.
    pub rho_start: f64,
    /// β₁.
    pub beta_start: Vec<f64>,
    /// The observations, in the order of use: K (Algorithm 2: K + 1) per outer iteration, the last of them W_t.
    pub samples: Vec<Sample<f64>>,
}

impl Case {
    /// How many samples one outer iteration uses.
    #[must_use]
    pub fn block(&self) -> usize {
        match self.setting {
            Setting::Discounted => self.inner,
            Setting::Average => self.inner.saturating_add(1),
        }
    }

    /// φ(x, a); `None` where there is none.
    #[must_use]
    pub fn phi(&self, x: usize, a: usize) -> Option<&[f64]> {
        let row = x.checked_mul(self.actions)?.checked_add(a).filter(|_| a < self.actions)?;
        let start = row.checked_mul(self.dim)?;
        self.features.get(start..start.checked_add(self.dim)?)
    }

    /// As many features as |X|, |A| and d say.
    pub(crate) fn expect_features(&self) -> Result<()> {
        let shape = Shape::new(self.states, self.actions, self.dim)?;
        expect_table("features", shape.pairs(), self.dim, self.features.len())
    }

    /// Shapes and indices; the numbers themselves are checked by the algorithms. Once a case is valid, everything that a run allocates is
    /// of the order of what the case holds: there is no count without numbers.
    pub fn validate(&self) -> Result<()> {
        self.expect_features()?;
        expect_some("inner", self.inner)?;
        expect_some("outer", self.outer)?;
        expect_table("samples", self.outer, self.block(), self.samples.len())?;
        for (row, sample) in self.samples.iter().enumerate() {
            for (what, x) in [("x0", sample.x0), ("x", sample.x), ("x_next", sample.x_next)] {
                if x >= self.states {
                    return Err(Error::UnknownState { what, state: x, row });
                }
            }
            if sample.a >= self.actions {
                return Err(Error::Index { what: "a", index: sample.a, below: self.actions });
            }
        }
        Ok(())
    }

    /// Runs this library on the case, with every intermediate: of the order of T·K·d|A| operations (+ T·d² at c = 1/2), and memory for all
    /// of them.
    pub fn expected(&self) -> Result<Trace> {
        self.expected_where(|_, _| true)
    }

    /// The same, but keeps the wanted steps alone.
    pub fn expected_where(&self, wanted: impl Fn(usize, Option<usize>) -> bool) -> Result<Trace> {
        let mut transcript = Transcript::of(&wanted);
        self.run(&mut transcript)?;
        Ok(transcript.trace)
    }

    /// The same, and what happened in the run.
    pub(crate) fn watched(&self, wanted: impl Fn(usize, Option<usize>) -> bool) -> Result<(Trace, Situations)> {
        let mut watch = Watch::new(self, &wanted);
        self.run(&mut watch)?;
        Ok((watch.transcript.trace, watch.met))
    }

    fn run(&self, observer: &mut (impl discounted::Observer<f64> + average::Observer<f64>)) -> Result<()> {
        self.validate()?;
        match self.setting {
            Setting::Discounted => self.run_discounted(observer),
            Setting::Average => self.run_average(observer),
        }
    }

    /// The case with its rows in another order: use j is row `order[j]`. `None` where that is no permutation of its rows.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Option<Self> {
        let mut seen = vec![false; self.samples.len()];
        let mut samples = Vec::new();
        for row in order {
            samples.push(*self.samples.get(*row).filter(|_| !core::mem::replace(&mut seen[*row], true))?);
        }
        (samples.len() == self.samples.len()).then(|| Self { samples, ..self.clone() })
    }

    /// Of the order of how many operations a check takes, for budgets.
    #[must_use]
    pub fn cost(&self) -> f64 {
        let [rows, actions, dim] = [self.samples.len(), self.actions, self.dim].map(|n| n as f64);
        let weight = if self.weight.is_some() { self.outer as f64 * dim * dim } else { 0.0 };
        40.0 * (rows * dim * (2.0 * actions + 4.0) + weight)
    }

    /// How many numbers a check keeps, for budgets: of every step, of the model, and of the state.
    #[must_use]
    pub fn room(&self) -> f64 {
        let [rows, outer, states, actions, dim] =
            [self.samples.len(), self.outer, self.states, self.actions, self.dim].map(|n| n as f64);
        (rows + outer + 1.0) * (8.0 * dim + 4.0 * actions) + dim * (states * actions + dim)
    }

    fn run_discounted(&self, observer: &mut impl discounted::Observer<f64>) -> Result<()> {
        let parameters = discounted::Parameters {
            discount: self.discount,
            alpha: self.alpha,
            eta: self.eta,
            zeta: self.zeta,
            radius_theta: self.radius_theta,
            radius_beta: self.radius_beta,
            inner: self.inner,
        };
        let features = FeatureTable::new(self.actions, self.dim, &self.features)?;
        let algorithm = discounted::Algorithm::new(&features, self.weight.as_deref(), &parameters)?;
        let mut buffer = vec![0.0; discounted::State::<f64>::buffer_len(self.actions, self.dim)];
        let mut state = discounted::State::new(self.actions, self.dim, &mut buffer)?;
        algorithm.start_at(&mut state, &self.theta_start, &self.beta_start)?;
        algorithm.run(&mut state, self.outer, self.samples.iter().copied(), observer)
    }

    fn run_average(&self, observer: &mut impl average::Observer<f64>) -> Result<()> {
        let parameters = average::Parameters {
            alpha: self.alpha,
            eta: self.eta,
            zeta: self.zeta,
            xi: self.xi,
            radius_theta: self.radius_theta,
            radius_beta: self.radius_beta,
            inner: self.inner,
        };
        let features = FeatureTable::new(self.actions, self.dim, &self.features)?;
        let algorithm = average::Algorithm::new(&features, self.weight.as_deref(), &parameters)?;
        let mut buffer = vec![0.0; average::State::<f64>::buffer_len(self.actions, self.dim)];
        let mut state = average::State::new(self.actions, self.dim, &mut buffer)?;
        algorithm.start_at(&mut state, &self.theta_start, self.rho_start, &self.beta_start)?;
        algorithm.run(&mut state, self.outer, self.samples.iter().copied(), observer)
    }
}
