//! What a model tells: occupancies, Λ, an optimal policy, coverage. In `f64` for runs, in rationals for certificates.

use crate::data::number::Number;
use crate::data::{InputError, Problem, Setting};
use crate::linear::vector::norm;
use crate::paper::average_reward;
use crate::paper::average_reward::unichain::{deterministic_policies, span_bound};
use crate::paper::covariance::{Exponent, covariance};
use crate::paper::coverage::{coverage_ratio, unseen_direction};
use crate::paper::discounted;
use crate::paper::mdp::{self, LinearMdp, Mdp, SquaredBounds, ones_coefficients, squared_bounds};
use crate::sampler::Sampler;
use crate::{Error, Result as Checked};

/// Beyond this many bytes of working room a model is not solved.
const ROOM: usize = 1 << 31;

/// Above this, D_q is not measured: it takes a solve per deterministic policy.
const POLICIES: usize = 1 << 16;

/// As much of a direction as a complaint shows.
const LONGEST_DIRECTION: usize = 200;

/// A model with everything that follows from it alone, in one of the settings.
pub struct SolvedModel<'p, T> {
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

impl<'p, T: Number> SolvedModel<'p, T> {
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
        problem.shape.scratch().checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= ROOM)
    }

    fn solve(setting: Setting, mdp: LinearMdp<'p, T>, behavior: Option<&[T]>) -> Checked<Self> {
        let shape = mdp.shape();
        let mut scratch = vec![T::zero(); shape.scratch()];
        let bounds = squared_bounds(&mdp, &mut scratch)?;
        let mut model = Self {
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
            model.varrho = ones_coefficients(&mdp, &mut &mut model.scratch[..])?.to_vec();
        }
        if let Some(behavior) = behavior {
            model.mu_b = model.occupancy(behavior)?;
            model.lambda = covariance(&mdp, &model.mu_b, &mut &mut model.scratch[..])?.to_vec();
        }
        model.find_optimal()?;
        model.mu_star = model.occupancy(&model.optimal.clone())?;
        Ok(model)
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

    /// The library's complaint; where it is that the data do not cover the optimal policy, with the direction that they never see.
    pub fn not_covered(&mut self, place: &str, error: Error) -> InputError {
        let unseen = match error {
            Error::NotInRange { .. } => {
                unseen_direction(&self.mdp, &self.mu_star, &self.lambda, &mut &mut self.scratch[..]).ok().flatten()
            }
            _ => None,
        };
        let Some(direction) = unseen else { return InputError::refused(place, error) };
        // A double's −0 is 0 to the eye.
        let entries: Vec<String> =
            direction.iter().map(|x| if x.is_zero() { "0".to_owned() } else { x.to_string() }).collect();
        let direction: String = entries.join(", ").chars().take(LONGEST_DIRECTION).collect();
        let needed = "of the features, which the optimal policy needs";
        InputError::refused(format_args!("{place}: the data never see the direction ({direction}) {needed}"), error)
    }
}

impl SolvedModel<'_, f64> {
    /// D_θ: what bounds ‖θ^π‖ for every policy.
    pub fn radius_theta(&mut self) -> Result<f64, InputError> {
        let (omega, psi) = (libm::sqrt(self.bounds.omega), libm::sqrt(self.bounds.psi));
        let measured = match self.setting {
            Setting::Discounted => mdp::theta_bound(&omega, &psi, self.mdp.discount()),
            Setting::Average => self.average_radius(omega, psi),
        };
        measured.map_err(|e| InputError::refused("--radius-theta not given, and not from the model", e))
    }

    fn average_radius(&mut self, omega: f64, psi: f64) -> Checked<f64> {
        let shape = self.mdp.shape();
        if deterministic_policies(shape.states, shape.actions)? > POLICIES {
            return Err(Error::OutOfRange {
                what: "number of deterministic policies",
                index: 0,
                expected: "at most 65536, to measure D_q",
            });
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let span = self.tabular().and_then(|tabular| span_bound(&tabular, &mut scratch));
        self.scratch = scratch;
        average_reward::guarantee::theta_bound(&omega, &norm(&self.varrho)?, &psi, &span?)
    }

    /// D_β: √C_{φ,c} = ‖β*‖, the least that the proof admits (erratum 4).
    pub fn radius_beta(&mut self, c: Exponent) -> Result<f64, InputError> {
        self.beta_norm(c, "--radius-beta not given, and not from the model")
    }

    /// ‖β*‖, β* being the solution of least norm where Λ is singular; `place` says who asks.
    pub fn beta_norm(&mut self, c: Exponent, place: &str) -> Result<f64, InputError> {
        let ratio = coverage_ratio(c, &self.mdp, &self.mu_star, &self.lambda, &mut self.scratch);
        ratio.map(libm::sqrt).map_err(|e| self.not_covered(place, e))
    }

    /// ‖θ^π‖, in the discounted setting.
    pub fn theta_norm(&mut self, policy: &[f64]) -> Checked<f64> {
        let theta = discounted::lagrangian::theta_of_policy(&self.mdp, policy, &mut &mut self.scratch[..])?;
        norm(theta)
    }

    /// Independent rows with (X, A) from the behaviour policy's occupancy.
    pub fn sampler(&self, seed: u64) -> Result<Sampler, InputError> {
        let drawn = self.tabular().and_then(|tabular| Sampler::independent(&tabular, &self.mu_b, seed));
        drawn.map_err(|e| InputError::call("sampler", e))
    }
}

/// The tabular model; the average-reward setting asks nothing of γ and ν₀.
fn table<'a, T: Number>(mdp: &LinearMdp<'a, T>, reward: &'a [T], transition: &'a [T]) -> Checked<Mdp<'a, T>> {
    Mdp::unvalidated(mdp.shape().states, mdp.shape().actions, reward, transition, mdp.initial(), mdp.discount())
}
