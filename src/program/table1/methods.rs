//! The methods of Table 1: what print says of them, what they are free to choose, and a run.

use crate::baselines::{self, Batch, Candidate, Critic, Evaluator, Steps, Weights};
use crate::data::Row;
use crate::fast::aligned::Aligned;
use crate::paper::mdp::Shape;

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

/// What print's Table 1 says; `-` where the method is not in it.
pub struct Printed {
    pub coverage: &'static str,
    pub samples: &'static str,
    pub time: &'static str,
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

/// The rows of print's table that are not run, and why.
pub const NOT_RUN: [(&str, &str); 3] = [
    (
        "PEVI (Jin et al. 2021)",
        "finite horizon: its policy changes with the step of an episode, and its data are episodes",
    ),
    ("PACLE (Zanette et al. 2021)", "finite horizon, one critic per step of an episode"),
    (
        "CPPO (Uehara and Sun 2022)",
        "a maximum over policies of a minimum over a version space of models: no efficient way to compute it is known",
    ),
];

/// The problem's part of every run.
pub struct Ground<'a> {
    pub shape: Shape,
    pub features: &'a [f64],
    pub aligned: Aligned,
    pub discount: f64,
    /// The theorem's rates for so many rows; `None` where it has none.
    pub theorem: &'a dyn Fn(usize) -> Option<Candidate>,
}

/// What a run gave and what it took.
pub struct Ran {
    pub policy: Vec<f64>,
    /// How often the method goes over its data, where print counts n for each time.
    pub passes: usize,
    /// The room for what the method computes, features and rows not counted.
    pub bytes: usize,
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

    pub fn printed(self) -> Printed {
        let (coverage, samples, time) = match self {
            Self::Fqi => ("no", "polynomial", "polynomial"),
            Self::ViLcb => ("yes", "polynomial", "polynomial"),
            Self::Atac => ("yes", "ε^-5", "superlinear"),
            Self::Pspi => ("yes", "ε^-5", "n^(7/5)"),
            Self::Theorem | Self::Searched => ("yes", "ε^-4", "n"),
            Self::Lspi | Self::Fogas => ("-", "-", "-"),
        };
        Printed { coverage, samples, time }
    }

    /// Whether it reads features, or tables of states.
    pub fn is_tabular(self) -> bool {
        self == Self::ViLcb
    }

    /// A run at a point of the unit cube, mapped on the method's ranges by factors of ten; `None` where it gives no policy.
    pub fn run(self, ground: &Ground<'_>, rows: &[Row], point: [f64; 6]) -> Option<Ran> {
        let dim = ground.shape.dim;
        let own = 8 * (8 * dim + 4 * ground.shape.actions);
        let candidate = match self {
            Self::Theorem => (ground.theorem)(rows.len())?,
            _ => Candidate::from_unit(point, ground.shape, ground.features, ground.discount, rows.len()),
        };
        if matches!(self, Self::Theorem | Self::Searched) {
            let learnt = baselines::run(ground.shape, &ground.aligned, ground.discount, rows, &candidate, 0).ok()?;
            return Some(Ran { policy: learnt.policy, passes: 1, bytes: own });
        }
        let batch = Batch::new(ground.shape, ground.features, ground.discount, rows).ok()?;
        let sums = 8 * (batch.cells.len() * 5 + ground.shape.pairs() + ground.shape.states);
        let log = |u: f64, low: f64, high: f64| low * libm::pow(high / low, u);
        let horizon = 1.0 / (1.0 - ground.discount);
        // Of the order of the horizon: what value iteration takes.
        let sweeps = (log(point[0], 1.0, 20.0) * horizon) as usize;
        if self == Self::ViLcb {
            let policy = baselines::vi_lcb(&batch, sweeps, log(point[1], 1e-3, 1.0)).policy;
            return Some(Ran { policy, passes: sweeps, bytes: sums });
        }
        let radius = candidate.radius_theta;
        // n^{2/5}, as the analysis of PSPI has it.
        let rounds = libm::ceil(libm::pow(rows.len() as f64, 0.4)) as usize;
        let rows = Evaluator::new(batch, 1e-6);
        let bytes = sums + 8 * dim * (3 * dim + ground.shape.states);
        let weights = Weights {
            iterations: rounds,
            consistency: log(point[0], 1e-2, 1e4),
            step: log(point[1], 1e-2, 1e2) / horizon,
            radius,
        };
        let (policy, passes) = match self {
            Self::Fqi => (baselines::fqi(&rows, sweeps), sweeps),
            Self::Lspi => (baselines::lspi(&rows, 30), 30),
            Self::Pspi => (baselines::actor_critic(&rows, Critic::Absolute, &weights), rounds),
            Self::Atac => (baselines::actor_critic(&rows, Critic::Relative, &weights), rounds),
            _ => {
                let iterations = 1000;
                let (alpha, eta) = (log(point[0], 1e-2, 1e2) / (radius * 30.0), log(point[1], 1e-4, 1e-1) / horizon);
                let steps = Steps { iterations, alpha, eta, rho: log(point[2], 1e-3, 1.0) * horizon, radius };
                (baselines::fogas(&rows, &steps), iterations)
            }
        };
        Some(Ran { policy: policy.ok()?, passes, bytes })
    }
}
