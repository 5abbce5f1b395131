//! What a model tells: occupancies, Λ, an optimal policy, coverage. In `f64` for runs, in rationals for certificates.

use offline_primal_dual::data::number::Number;
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::paper::average_reward;
use offline_primal_dual::paper::covariance::covariance;
use offline_primal_dual::paper::discounted;
use offline_primal_dual::paper::mdp::{self, LinearMdp, Mdp, SquaredBounds, ones_coefficients, squared_bounds};
use offline_primal_dual::{Error, Result as Checked};

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
        let zeros = |n: usize| vec![T::zero(); n];
        let mut scratch = zeros(shape.scratch());
        let bounds = squared_bounds(&mdp, &mut scratch)?;
        let mut study = Self {
            setting,
            mdp,
            reward: zeros(shape.pairs()),
            transition: zeros(shape.pairs() * shape.states),
            scratch,
            mu_b: Vec::new(),
            lambda: Vec::new(),
            optimal: zeros(shape.pairs()),
            mu_star: zeros(shape.pairs()),
            best: T::zero(),
            varrho: Vec::new(),
            bounds,
        };
        if setting == Setting::Average {
            study.varrho = zeros(shape.dim);
            ones_coefficients(&mdp, &mut study.varrho, &mut study.scratch)?;
        }
        if let Some(behavior) = behavior {
            study.mu_b = study.occupancy(behavior)?;
            study.lambda = zeros(shape.dim * shape.dim);
            covariance(&mdp, &study.mu_b, &mut study.lambda)?;
        }
        study.find_optimal()?;
        study.mu_star = study.occupancy(&study.optimal.clone())?;
        Ok(study)
    }

    fn find_optimal(&mut self) -> Checked<()> {
        let Self { mdp, reward, transition, scratch, optimal, .. } = self;
        let tabular = mdp.tabulate(reward, transition)?;
        let mut v = vec![T::zero(); tabular.states()];
        self.best = match self.setting {
            Setting::Discounted => {
                mdp::optimal_policy(&tabular, optimal, &mut v, scratch)?;
                mdp::normalised_return(&tabular, &v)?
            }
            Setting::Average => average_reward::optimal::optimal_policy(&tabular, optimal, &mut v, scratch)?,
        };
        Ok(())
    }

    /// The tabular model.
    pub fn tabular(&self) -> Checked<Mdp<'_, T>> {
        let shape = self.mdp.shape();
        Mdp::new(shape.states, shape.actions, &self.reward, &self.transition, self.mdp.initial(), self.mdp.discount())
    }

    /// μ^π.
    pub fn occupancy(&mut self, policy: &[T]) -> Checked<Vec<T>> {
        let mut mu = vec![T::zero(); self.mdp.shape().pairs()];
        match self.setting {
            Setting::Discounted => {
                discounted::duality_gap::occupancy_of(&self.mdp, policy, &mut mu, &mut self.scratch)?;
            }
            Setting::Average => {
                average_reward::duality_gap::occupancy_of(&self.mdp, policy, &mut mu, &mut self.scratch)?;
            }
        }
        Ok(mu)
    }

    /// ρ(π), or the gain ρ^π.
    pub fn value(&mut self, policy: &[T]) -> Checked<T> {
        let (shape, mdp) = (self.mdp.shape(), &self.mdp);
        let tabular =
            Mdp::new(shape.states, shape.actions, &self.reward, &self.transition, mdp.initial(), mdp.discount())?;
        match self.setting {
            Setting::Discounted => {
                let (v, scratch) =
                    self.scratch.split_at_mut_checked(shape.states).ok_or(Error::Empty { what: "scratch" })?;
                mdp::state_value(&tabular, policy, v, scratch)?;
                mdp::normalised_return(&tabular, v)
            }
            Setting::Average => average_reward::values::gain(&tabular, policy, &mut self.scratch),
        }
    }
}
