//! What a model tells: occupancies, Λ, an optimal policy, coverage. In `f64` for runs, in rationals for certificates, by the routes of
//! [`crate::routes`].

use crate::data::number::Number;
use crate::data::{InputError, Problem, Setting};
use crate::linear::range::direction_outside_range;
use crate::linear::vector::norm;
use crate::paper::average_reward;
use crate::paper::average_reward::unichain::{deterministic_policies, span_bound};
use crate::paper::covariance::Exponent;
use crate::paper::mdp::{self, LinearMdp, Shape, SquaredBounds, squared_bounds};
use crate::program::budget::{Need, within};
use crate::program::cost;
use crate::routes::{Structure, Symmetric, compose, coverage_ratio};
use crate::sampler::{Sampler, as_distribution};
use crate::{Error, Result as Checked};

/// Above this, D_q is not measured: it takes a solve per deterministic policy.
const POLICIES: usize = 1 << 16;

/// Nor above this many entries of the policies' tables: one state with 2¹⁵ actions takes most of a minute.
const ENTRIES: usize = 1 << 30; // 2^30 in the complaint

/// As much of a direction as a complaint shows.
const LONGEST_DIRECTION: usize = 200;

/// A model with everything that follows from it alone, in one of the settings.
#[derive(Clone)]
pub struct SolvedModel<'p, T: Clone> {
    pub setting: Setting,
    pub mdp: LinearMdp<'p, T>,
    pub structure: Structure<'p, T>,
    /// The occupancy measure of the behaviour policy, where that is given; else empty.
    pub mu_b: Vec<T>,
    /// Λ; `None` without a behaviour policy.
    pub lambda: Option<Symmetric<T>>,
    /// A deterministic optimal policy.
    pub optimal: Vec<T>,
    /// Its occupancy measure.
    pub mu_star: Vec<T>,
    /// Φᵀ of that.
    pub mean_star: Vec<T>,
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
        Self::within_budget(setting, problem, what_for, 1.0)
    }

    /// The same where it may cost more.
    pub fn within_budget(
        setting: Setting,
        problem: &'p Problem<T>,
        what_for: &str,
        budget: f64,
    ) -> Result<Self, InputError> {
        let structure = Structure::new(problem.model(what_for)?);
        within(budget, &format!("solving {} for {what_for}", problem.name), &Self::needs(&structure))?;
        let behavior = problem.behavior(what_for).ok();
        Self::solve(setting, structure, behavior).map_err(|e| {
            let refused = InputError::refused(&problem.name, e);
            let whose = "the behaviour's, or one on the way to the optimum; for average rewards every policy has to be";
            if e == (Error::NotUnichain { policy: None }) { refused.or(whose) } else { refused }
        })
    }

    /// Whether the model is small enough to be solved by default.
    pub fn fits(problem: &Problem<T>) -> bool {
        let Ok(mdp) = problem.model("values") else { return false };
        within(1.0, "", &Self::needs(&Structure::new(mdp))).is_ok()
    }

    fn needs(structure: &Structure<'_, T>) -> [Need; 2] {
        let exact = cost::is_exact::<T>();
        [Need::operations(cost::solving(structure, exact)), Need::bytes(cost::room(structure, exact))]
    }

    fn solve(setting: Setting, structure: Structure<'p, T>, behavior: Option<&[T]>) -> Checked<Self> {
        let mdp = *structure.mdp();
        let bounds = squared_bounds(&mdp, &mut vec![T::zero(); 2 * mdp.shape().dim])?;
        let varrho = match setting {
            Setting::Discounted => Vec::new(),
            Setting::Average => structure.ones_coefficients()?,
        };
        let mut model = Self {
            setting,
            mdp,
            structure,
            mu_b: Vec::new(),
            lambda: None,
            optimal: Vec::new(),
            mu_star: Vec::new(),
            mean_star: Vec::new(),
            best: T::zero(),
            varrho,
            bounds,
        };
        if let Some(behavior) = behavior {
            model.mu_b = as_distribution(model.occupancy(behavior)?);
            model.lambda = Some(model.structure.second_moment(&model.mu_b)?);
        }
        (model.optimal, model.best) = model.find_optimal()?;
        model.mu_star = model.occupancy(&model.optimal)?;
        model.mean_star = model.structure.phi().combination(&model.mu_star);
        Ok(model)
    }

    fn find_optimal(&self) -> Checked<(Vec<T>, T)> {
        match self.setting {
            Setting::Discounted => {
                let (optimal, v) = self.structure.optimal_policy()?;
                Ok((optimal, self.structure.normalised_return(&v)?))
            }
            Setting::Average => {
                let (optimal, gain) = self.structure.optimal_unichain_policy(&self.varrho)?;
                Ok((optimal, gain.rho))
            }
        }
    }

    /// ϱ, where the setting has it.
    pub fn ones(&self) -> Option<&[T]> {
        (self.setting == Setting::Average).then_some(&self.varrho)
    }

    /// μ^π.
    pub fn occupancy(&self, policy: &[T]) -> Checked<Vec<T>> {
        let nu = match self.setting {
            Setting::Discounted => self.structure.state_occupancy(policy)?,
            Setting::Average => self.structure.gain_of_policy(&self.varrho, policy)?.nu,
        };
        compose(self.mdp.shape().actions, policy, &nu)
    }

    /// v^π, and the gain in the average-reward setting.
    pub fn state_value(&self, policy: &[T]) -> Checked<(Option<T>, Vec<T>)> {
        match self.setting {
            Setting::Discounted => Ok((None, self.structure.state_value(policy)?)),
            Setting::Average => {
                let found = self.structure.gain_of_policy(&self.varrho, policy)?;
                Ok((Some(found.rho), found.v))
            }
        }
    }

    /// θ^π.
    pub fn theta(&self, policy: &[T]) -> Checked<Vec<T>> {
        match self.setting {
            Setting::Discounted => self.structure.theta_of_policy(policy),
            Setting::Average => Ok(self.structure.gain_of_policy(&self.varrho, policy)?.theta),
        }
    }

    /// r + γPv, less the gain in the average-reward setting, of every pair: Φ(ω + γΨv), without P.
    pub fn action_values(&self, gain: Option<&T>, v: &[T]) -> Vec<T> {
        let Some(gain) = gain else { return self.structure.linear_function(&self.structure.theta_of_value(v)) };
        let backup = self.structure.psi_times(v).into_iter().zip(self.mdp.omega());
        let theta: Vec<T> = backup.map(|(psi_v, omega)| psi_v + omega).collect();
        self.structure.linear_function(&theta).into_iter().map(|q| q - gain).collect()
    }

    /// ρ(π), or the gain ρ^π.
    pub fn value(&self, policy: &[T]) -> Checked<T> {
        match self.state_value(policy)? {
            (Some(gain), _) => Ok(gain),
            (None, v) => self.structure.normalised_return(&v),
        }
    }

    /// The library's complaint; where it is that the data do not cover the optimal policy, with the direction that they never see.
    pub fn not_covered(&self, place: &str, error: Error) -> InputError {
        let unseen = match (error, &self.lambda) {
            (Error::NotInRange { .. }, Some(lambda)) => self.unseen_direction(lambda),
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

    /// A u with Λu = 0 and ⟨u, Φᵀμ*⟩ ≠ 0: a unit vector where Λ is diagonal.
    fn unseen_direction(&self, lambda: &Symmetric<T>) -> Option<Vec<T>> {
        match lambda {
            Symmetric::Diagonal(diagonal) => {
                let unseen = |(entry, mean): (&T, &T)| entry.is_zero() && !mean.is_zero();
                let at = diagonal.iter().zip(&self.mean_star).position(unseen)?;
                Some((0..diagonal.len()).map(|i| if i == at { T::one() } else { T::zero() }).collect())
            }
            Symmetric::Dense { dim, rows } => {
                let mut scratch = vec![T::zero(); (dim + 2) * (dim + 2)];
                let found = direction_outside_range("Λ", *dim, rows, &self.mean_star, &mut &mut scratch[..]);
                found.ok().flatten().map(|direction| direction.to_vec())
            }
        }
    }
}

impl SolvedModel<'_, f64> {
    /// D_θ: what bounds ‖θ^π‖ for every policy.
    pub fn radius_theta(&self) -> Result<f64, InputError> {
        let found = self.every_theta("--radius-theta not given, and not from the model");
        found.map_err(|e| e.or("--radius-theta D runs without a bound"))
    }

    /// What bounds ‖θ^π‖ for every policy; `place` says who asks.
    pub fn every_theta(&self, place: &str) -> Result<f64, InputError> {
        let (omega, psi) = (libm::sqrt(self.bounds.omega), libm::sqrt(self.bounds.psi));
        let measured = match self.setting {
            Setting::Discounted => mdp::theta_bound(&omega, &psi, self.mdp.discount()),
            Setting::Average => {
                self.expect_few_policies(place)?;
                self.average_radius(omega, psi)
            }
        };
        measured.map_err(|e| InputError::refused(place, e))
    }

    /// D_q is the greatest span of q^π over all deterministic policies, gone through one by one.
    fn expect_few_policies(&self, place: &str) -> Result<(), InputError> {
        let Shape { states, actions, .. } = self.mdp.shape();
        let few = |policies: &usize| *policies <= POLICIES && policies * states * actions <= ENTRIES;
        if deterministic_policies(states, actions).is_ok_and(|policies| few(&policies)) {
            return Ok(());
        }
        let problem = format_args!(
            "found {actions}^{states} deterministic policies, expected at most {POLICIES}, with 2^30 entries of tables, to measure D_q on"
        );
        Err(InputError::call(place, problem))
    }

    fn average_radius(&self, omega: f64, psi: f64) -> Checked<f64> {
        let shape = self.mdp.shape();
        let (mut table, mut scratch) = (vec![0.0; shape.scratch()], vec![0.0; shape.scratch()]);
        let span = span_bound(&self.mdp.tabulate(&mut &mut table[..])?, &mut scratch)?;
        average_reward::guarantee::theta_bound(&omega, &norm(&self.varrho)?, &psi, &span)
    }

    /// D_β: √C_{φ,c} = ‖β*‖, the least that the proof admits (erratum 4).
    pub fn radius_beta(&self, c: Exponent) -> Result<f64, InputError> {
        let found = self.beta_norm(c, "--radius-beta not given, and not from the model");
        found.map_err(|e| e.or("--radius-beta D runs without a bound"))
    }

    /// ‖β*‖, β* being the solution of least norm where Λ is singular; `place` says who asks.
    pub fn beta_norm(&self, c: Exponent, place: &str) -> Result<f64, InputError> {
        let Some(lambda) = &self.lambda else {
            return Err(InputError::call(place, "no behaviour policy, expected one to measure it on"));
        };
        let ratio = coverage_ratio(c, &self.mean_star, lambda);
        ratio.map(libm::sqrt).map_err(|e| self.not_covered(place, e))
    }

    /// Independent rows with (X, A) from the behaviour policy's occupancy.
    pub fn sampler(&self, seed: u64) -> Result<Sampler, InputError> {
        Sampler::of_structure(&self.structure, &self.mu_b, seed).map_err(|e| InputError::call("sampler", e))
    }
}
