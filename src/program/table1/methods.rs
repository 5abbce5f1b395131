//! The methods of Table 1: what print says of them, what they are free to choose, and a run.

use crate::baselines::{self, Batch, Candidate, Critic, Evaluator, Learnt, Steps, Weights};
use crate::data::Row;
use crate::fast::aligned::Aligned;
use crate::paper::discounted::algorithm::State;
use crate::paper::mdp::Shape;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Fqi,
    Lspi,
    ViLcb,
    Pspi,
    Atac,
    Theorem,
    Searched,
    Fogas,
}

/// A row of print's Table 1.
#[derive(Serialize, Clone, Copy)]
pub struct Printed {
    pub partial_coverage: &'static str,
    pub samples: &'static str,
    pub time: &'static str,
    pub function_approximation: &'static str,
    pub discounted: &'static str,
    pub average_reward: &'static str,
}

impl Printed {
    pub const COLUMNS: [&str; 6] =
        ["partial coverage", "samples", "time", "function approximation", "discounted", "average reward"];

    const fn new(
        [partial_coverage, samples, time, function_approximation, discounted, average_reward]: [&'static str; 6],
    ) -> Self {
        Self { partial_coverage, samples, time, function_approximation, discounted, average_reward }
    }

    pub fn cells(&self) -> [&'static str; 6] {
        let Self { partial_coverage, samples, time, function_approximation, discounted, average_reward } = *self;
        [partial_coverage, samples, time, function_approximation, discounted, average_reward]
    }
}

pub const METHODS: [Method; 8] = [
    Method::Fqi,
    Method::Lspi,
    Method::ViLcb,
    Method::Atac,
    Method::Pspi,
    Method::Theorem,
    Method::Searched,
    Method::Fogas,
];

/// A row of print's table that is not run, and why.
#[derive(Serialize)]
pub struct NotRun {
    pub method: &'static str,
    pub printed: Printed,
    pub why: &'static str,
}

pub const NOT_RUN: [NotRun; 3] = [
    NotRun {
        method: "PEVI (Jin et al. 2021)",
        printed: Printed::new(["yes", "polynomial", "polynomial", "yes", "no", "no"]),
        why: "finite horizon: its policy changes with the step of an episode, and its data are episodes",
    },
    NotRun {
        method: "PACLE (Zanette et al. 2021)",
        printed: Printed::new(["yes", "polynomial", "polynomial", "yes", "no", "no"]),
        why: "finite horizon: a critic for each step of an episode",
    },
    NotRun {
        method: "CPPO (Uehara and Sun 2022)",
        printed: Printed::new(["yes", "polynomial", "no", "yes", "yes", "no"]),
        why: "\"far from being efficiently implementable\" (section 6): a maximum over policies of a minimum over a set of models",
    },
];

/// The problem's part of every run.
pub struct Ground<'a> {
    pub shape: Shape,
    pub features: &'a [f64],
    pub aligned: Aligned,
    pub discount: f64,
    /// The theorem's rates for so many rows; `None` where it has none.
    pub theorem: &'a (dyn Fn(usize) -> Option<Candidate> + Sync),
}

/// What a run gave and what it took.
pub struct Ran {
    pub learnt: Learnt,
    /// How often the method goes over its data, where print counts n for each time.
    pub passes: usize,
    /// How many numbers it holds at once: the sums that it keeps, its iterates and its systems. Features and rows, which all read, are not counted.
    pub numbers: usize,
}

impl Method {
    pub fn name(self) -> &'static str {
        match self {
            Self::Fqi => "FQI",
            Self::Lspi => "LSPI",
            Self::ViLcb => "VI-LCB",
            Self::Pspi => "PSPI",
            Self::Atac => "ATAC",
            Self::Theorem => "ours, theorem's rates",
            Self::Searched => "ours, searched rates",
            Self::Fogas => "FOGAS",
        }
    }

    /// Its row of print's table; `-` where it is not in it.
    pub fn printed(self) -> Printed {
        Printed::new(match self {
            Self::Fqi => ["no", "polynomial", "polynomial", "yes", "yes", "no"],
            Self::ViLcb => ["yes", "polynomial", "polynomial", "no", "yes", "no"],
            Self::Atac => ["yes", "ε^-5", "superlinear", "yes", "yes", "no"],
            Self::Pspi => ["yes", "ε^-5", "n^(7/5)", "yes", "yes", "no"],
            Self::Theorem | Self::Searched => ["yes", "ε^-4", "n", "yes", "yes", "yes"],
            Self::Lspi | Self::Fogas => ["-"; 6],
        })
    }

    /// A run on the first of n rows at a point of the unit cube, mapped on the method's ranges by factors of ten; `None` where it gives no policy.
    /// Ours keeps `points` policies on the way.
    pub fn run(self, ground: &Ground<'_>, (rows, n): (&[Row], usize), point: [f64; 6], points: usize) -> Option<Ran> {
        let Shape { states, actions, dim } = ground.shape;
        let candidate = match self {
            Self::Theorem => (ground.theorem)(n)?,
            _ => Candidate::from_unit(point, ground.shape, ground.features, ground.discount, n),
        };
        if matches!(self, Self::Theorem | Self::Searched) {
            let learnt =
                baselines::run(ground.shape, &ground.aligned, ground.discount, rows, &candidate, points).ok()?;
            return Some(Ran { learnt, passes: 1, numbers: State::<f64>::buffer_len(actions, dim) });
        }
        let ran = |policy, passes, numbers| Ran { learnt: Learnt { policy, path: Vec::new() }, passes, numbers };
        let batch = Batch::new(ground.shape, ground.features, ground.discount, rows).ok()?;
        let log = |u: f64, low: f64, high: f64| low * libm::pow(high / low, u);
        let horizon = 1.0 / (1.0 - ground.discount);
        // Of the order of the horizon: what value iteration takes.
        let sweeps = (log(point[0], 1.0, 20.0) * horizon) as usize;
        if self == Self::ViLcb {
            let numbers = batch.numbers() + states + 2 * states * actions;
            let policy = baselines::vi_lcb(&batch, sweeps, log(point[1], 1e-3, 1.0)).policy;
            return Some(ran(policy, sweeps, numbers));
        }
        // The actor's regret falls as T^{-1/2}, and ε as n^{-1/5} in print: T = n^{2/5}, and n for each is print's n^{7/5}.
        let rounds = libm::ceil(libm::pow(rows.len() as f64, 0.4)) as usize;
        let optimist = matches!(self, Self::Fqi | Self::Lspi);
        let rows = Evaluator::new(batch, if optimist { NO_RIDGE } else { ONE_ROW });
        // How far all iterations together may tell actions apart whose values differ by the size of values, for every actor as for ours.
        let sharpness = log(point[1], 1e1, 1e6);
        let weights = Weights {
            iterations: rounds,
            // f is of the size of the horizon, and A⁻¹ and A⁻ᵀ each bring one.
            consistency: log(point[0], 1e-2, 1e4) * horizon * horizon,
            step: sharpness / (horizon * rounds as f64),
        };
        let (sums, system) = rows.numbers();
        let numbers = sums + system + states * actions + 4 * dim;
        let (policy, passes) = match self {
            Self::Fqi => (baselines::fqi(&rows, sweeps), sweeps),
            Self::Lspi => {
                let (policy, iterations) = baselines::lspi(&rows, 30).ok()?;
                (Ok(policy), iterations)
            }
            Self::Pspi => (baselines::actor_critic(&rows, Critic::Absolute, &weights), rounds),
            Self::Atac => (baselines::actor_critic(&rows, Critic::Relative, &weights), rounds),
            _ => {
                let (iterations, radius) = (1000, candidate.radius_theta);
                let (alpha, eta) = (sharpness / (radius * 1000.0), log(point[0], 1e-4, 1e-1) / horizon);
                let steps = Steps { iterations, alpha, eta, rho: log(point[2], 1e-3, 1.0) * horizon, radius };
                (baselines::fogas(&rows, &steps), iterations)
            }
        };
        Some(ran(policy.ok()?, passes, numbers))
    }
}

/// The ridge of the methods that have none, in rows: what makes a matrix invertible and no more.
const NO_RIDGE: f64 = 1e-6;

/// The ridge of the others.
const ONE_ROW: f64 = 1.0;
