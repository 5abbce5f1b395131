//! What a model tells: occupancies, Λ, an optimal policy, coverage. In `f64` for runs, in rationals for certificates.

use offline_primal_dual::data::number::Number;
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::paper::average_reward;
use offline_primal_dual::paper::covariance::covariance;
use offline_primal_dual::paper::discounted;
use offline_primal_dual::paper::mdp::{self, LinearMdp, Mdp, SquaredBounds, ones_coefficients, squared_bounds};
use offline_primal_dual::Result as Checked;

/// Beyond this many numbers of working room (2 GiB of doubles) a model is not solved.
const ROOM: usize = 1 << 28;

/// A model solved in one of the settings.
pub struct Study<'p, T> {
    pub setting: Setting,
    pub mdp: LinearMdp<'p, T>,
    pub reward: Vec<T>,
    pub transition: Vec<T>,
    pub scratch: Vec<T>,
    /// The occupancy measure of the behaviour policy, where that is given; else empty.
    pub mu_b: Vec<T>,
    /// Λ; empty without a behaviour policy.
    pub lambda: Vec<T>,
    /// A deterministic optimal policy.
    pub optimal: Vec<T>,
    /// Its occupancy measure.
    pub mu_star: Vec<T>,
    /// Its return: ρ(π*) or the gain ρ*.
    pub best: T,
    /// ϱ of Assumption 5.2, in the average-reward setting.
    pub varrho: Vec<T>,
    /// D_φ², D_ω², D_ψ².
    pub bounds: SquaredBounds<T>,
}

impl<'p, T: Number> Study<'p, T> {
    /// Solves the model; `what_for` says who needs it, should a part be missing.
    pub fn new(setting: Setting, problem: &'p Problem<T>, what_for: &str) -> Result<Self, InputError> {
        if !Self::fits(problem) {
            let pairs = problem.shape.pairs();
            let expected =
                "expected a smaller model, or --radius-theta, --radius-beta and c = 1 so that none is needed";
            return Err(InputError::call(&problem.name, format_args!("{pairs} state-action pairs, {expected}")));
        }
        let behavior = problem.behavior(what_for).ok();
        let model = problem.model(what_for)?;
        Self::solve(setting, model, behavior).map_err(|e| InputError::refused(&problem.name, e))
    }

    /// Whether the model is small enough to be solved.
    pub fn fits(problem: &Problem<T>) -> bool {
        problem.shape.scratch() <= ROOM
    }

    fn solve(setting: Setting, mdp: LinearMdp<'p, T>, behavior: Option<&[T]>) -> Checked<Self> {
        let shape = mdp.shape();
        let mut scratch = vec![T::zero(); shape.scratch()];
        let bounds = squared_bounds(&mdp, &mut scratch)?;
        let mut study = Self {
            setting,
            mdp,
            reward: mdp.reward(&mut &mut scratch[..])?.to_vec(),
            transition: mdp.transition(&mut &mut scratch[..])?.to_vec(),
            scratch,
            mu_b: Vec::new(),
            lambda: Vec::new(),
            optimal: Vec::new(),
            mu_star: Vec::new(),
            best: T::zero(),
            varrho: Vec::new(),
            bounds,
        };
        if setting == Setting::Average {
            study.varrho = ones_coefficients(&mdp, &mut &mut study.scratch[..])?.to_vec();
        }
        if let Some(behavior) = behavior {
            study.mu_b = study.occupancy(behavior)?;
            study.lambda = covariance(&mdp, &study.mu_b, &mut &mut study.scratch[..])?.to_vec();
        }
        study.find_optimal()?;
        study.mu_star = study.occupancy(&study.optimal.clone())?;
        Ok(study)
    }

    fn find_optimal(&mut self) -> Checked<()> {
        let tabular = table(&self.mdp, &self.reward, &self.transition)?;
        let mut scratch = &mut self.scratch[..];
        let (best, optimal) = match self.setting {
            Setting::Discounted => {
                let (optimal, v) = mdp::optimal_policy(&tabular, &mut scratch)?;
                (mdp::normalised_return(&tabular, v)?, optimal)
            }
            Setting::Average => {
                let (best, optimal, _) = average_reward::optimal::optimal_policy(&tabular, &mut scratch)?;
                (best, optimal)
            }
        };
        (self.best, self.optimal) = (best, optimal.to_vec());
        Ok(())
    }

    /// The tabular model.
    pub fn tabular(&self) -> Checked<Mdp<'_, T>> {
        table(&self.mdp, &self.reward, &self.transition)
    }

    /// μ^π.
    pub fn occupancy(&mut self, policy: &[T]) -> Checked<Vec<T>> {
        let mut scratch = &mut self.scratch[..];
        let mu = match self.setting {
            Setting::Discounted => discounted::duality_gap::occupancy_of(&self.mdp, policy, &mut scratch)?,
            Setting::Average => average_reward::duality_gap::occupancy_of(&self.mdp, policy, &mut scratch)?,
        };
        Ok(mu.to_vec())
    }

    /// ρ(π), or the gain ρ^π.
    pub fn value(&mut self, policy: &[T]) -> Checked<T> {
        let tabular = table(&self.mdp, &self.reward, &self.transition)?;
        match self.setting {
            Setting::Discounted => {
                let v = mdp::state_value(&tabular, policy, &mut &mut self.scratch[..])?;
                mdp::normalised_return(&tabular, v)
            }
            Setting::Average => average_reward::values::gain(&tabular, policy, &mut self.scratch),
        }
    }
}

/// The tabular model; the average-reward setting asks nothing of γ and ν₀.
fn table<'a, T: Number>(mdp: &LinearMdp<'a, T>, reward: &'a [T], transition: &'a [T]) -> Checked<Mdp<'a, T>> {
    Mdp::unvalidated(mdp.shape().states, mdp.shape().actions, reward, transition, mdp.initial(), mdp.discount())
}
