//! Algorithm 1 at chosen rates, by the fast engine, as one more method: rows in, policy out.

use crate::error::{Result, expect_some};
use crate::fast;
use crate::fast::aligned::Aligned;
use crate::linear::softmax::policy_table;
use crate::number::interrupt::interrupted;
use crate::paper::discounted::algorithm::{Algorithm, Observer, OuterStep, Parameters, State};
use crate::paper::mdp::Shape;
use crate::paper::samples::{FeatureTable, Sample};

/// What a run of Algorithm 1, c = 1, is free to choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// K; T is as much as the rows allow.
    pub inner: usize,
    /// α.
    pub alpha: f64,
    /// η.
    pub eta: f64,
    /// ζ.
    pub zeta: f64,
    /// D_θ.
    pub radius_theta: f64,
    /// D_β.
    pub radius_beta: f64,
}

/// What a run has learnt.
#[derive(Debug, Clone, PartialEq)]
pub struct Learnt {
    /// The last policy π_{T+1}: |X| rows of |A|.
    pub policy: Vec<f64>,
    /// On the way: rows used, and the policy then.
    pub path: Vec<(usize, Vec<f64>)>,
}

/// Keeps Σθ every so many iterations.
#[derive(Debug)]
pub(super) struct Path {
    stride: usize,
    sums: Vec<(usize, Vec<f64>)>,
}

impl Path {
    pub(super) fn new(outer: usize, points: usize) -> Self {
        Self { stride: outer.checked_div(points).map_or(0, |stride| stride.max(1)), sums: Vec::new() }
    }

    /// The policies of the sums, the last one too.
    pub(super) fn learnt(
        &self,
        shape: Shape,
        features: &Aligned,
        (alpha, inner): (f64, usize),
        last: &[f64],
    ) -> Result<Learnt> {
        let policy = |sum: &[f64]| {
            let mut policy = vec![0.0; shape.pairs()];
            policy_table(shape.actions, &alpha, features, sum, &mut policy).map(|()| policy)
        };
        let on_the_way = |(t, sum): &(usize, Vec<f64>)| policy(sum).map(|policy| (t * inner, policy));
        Ok(Learnt { policy: policy(last)?, path: self.sums.iter().map(on_the_way).collect::<Result<_>>()? })
    }
}

impl Observer<f64> for Path {
    fn outer_step(&mut self, step: &OuterStep<f64>) {
        if self.stride > 0 && step.t.is_multiple_of(self.stride) {
            self.sums.push((step.t, step.theta_sum.to_vec()));
        }
    }
}

/// The rows, up to where nobody waits for what is learnt any more.
pub(super) fn waited_for(rows: &[Sample<f64>]) -> impl Iterator<Item = Sample<f64>> {
    rows.iter().copied().take_while(|_| !interrupted())
}

/// Runs on the rows, `points` policies kept on the way.
pub fn run(
    shape: Shape,
    features: &Aligned,
    discount: f64,
    rows: &[Sample<f64>],
    rates: &Candidate,
    points: usize,
) -> Result<Learnt> {
    let Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta } = *rates;
    expect_some("inner", inner)?;
    let outer = rows.len() / inner;
    let parameters = Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner };
    let table = FeatureTable::new(shape.actions, shape.dim, features)?;
    let algorithm = Algorithm::new(&table, None, &parameters)?;
    let mut buffer = Aligned::zeros(State::<f64>::buffer_len(shape.actions, shape.dim))?;
    let mut state = State::new(shape.actions, shape.dim, &mut buffer)?;
    let mut path = Path::new(outer, points);
    fast::discounted::run_on(1, &algorithm, &mut state, outer, waited_for(rows), &mut path)?;
    path.learnt(shape, features, (alpha, inner), state.theta_sum())
}

impl Candidate {
    /// The stated ranges, from a point of the unit cube, each by factors of ten, in units of the problem: with D_φ the length of the longest
    /// feature and d the dimension, q is taken to be of the size τ, from 10⁻³ to 1 times 1/(1−γ), and the density ratio ⟨φ, β⟩ of the size b, from 0.3 to
    /// 100. Then D_θ = τ√d/D_φ and D_β = b√d/D_φ. One row moves q by the share e of τ, from 10⁻⁴ to 1, which is η = eτ/(bD_φ²), and the ratio by the
    /// share z of b where the TD error is τ, from 0.01 to 30: ζ = zb/(τD_φ²). K is from 2 to 30. The last policy tells values apart that differ by
    /// τ/(αTτ), and αTτ is from 10³ to 10⁷.
    #[must_use]
    pub fn from_unit(point: [f64; 6], shape: Shape, features: &[f64], discount: f64, rows: usize) -> Self {
        let log = |u: f64, low: f64, high: f64| low * libm::pow(high / low, u);
        let root_dim = libm::sqrt(shape.dim as f64);
        let longest = |most: f64, phi: &[f64]| most.max(phi.iter().map(|x| x * x).sum());
        let phi_squared = features.chunks_exact(shape.dim).fold(f64::MIN_POSITIVE, longest);
        let phi = libm::sqrt(phi_squared);
        let tau = log(point[4], 1e-3, 1.0) / (1.0 - discount);
        let ratio = log(point[5], 0.3, 100.0);
        let inner = (log(point[0], 2.0, 30.0) as usize).clamp(1, rows.max(1));
        let outer = (rows / inner).max(1) as f64;
        Self {
            inner,
            alpha: log(point[1], 1e3, 1e7) / (tau * outer),
            eta: log(point[2], 1e-4, 1.0) * tau / (ratio * phi_squared),
            zeta: log(point[3], 1e-2, 30.0) * ratio / (tau * phi_squared),
            radius_theta: tau * root_dim / phi,
            radius_beta: ratio * root_dim / phi,
        }
    }
}
