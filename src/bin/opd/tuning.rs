//! The theorems' parameters, whatever the setting.

use crate::study::Study;
use offline_primal_dual::data::{InputError, Setting};
use offline_primal_dual::linear::vector::norm;
use offline_primal_dual::paper::average_reward::guarantee as average;
use offline_primal_dual::paper::average_reward::unichain::{deterministic_policies, span_bound};
use offline_primal_dual::paper::covariance::{Exponent, Spectrum};
use offline_primal_dual::paper::coverage::coverage_ratio;
use offline_primal_dual::paper::discounted::guarantee as discounted;
use offline_primal_dual::paper::mdp::theta_bound;
use offline_primal_dual::{Error, Result as Checked};

/// Above this, D_q is not measured: it takes a solve per deterministic policy.
const POLICIES: usize = 1 << 16;

/// What a theorem's parameters are made of.
#[derive(Debug, Clone)]
pub struct Facts {
    pub setting: Setting,
    pub c: Exponent,
    pub actions: usize,
    pub dim: usize,
    pub discount: f64,
    /// D_φ².
    pub phi_squared: f64,
    pub radius_theta: f64,
    pub radius_beta: f64,
    /// Tr(Λ^{2c−1}) and ‖Λ‖^{2c−1}; from Remark A.2 where Λ is not known.
    pub covariance: Option<(f64, f64)>,
}

/// The bounds on the estimators' second moments.
#[derive(Debug, Clone, Copy)]
pub struct SecondMoments {
    pub theta: f64,
    pub beta: f64,
    /// In the average-reward setting.
    pub rho: Option<f64>,
}

/// A theorem's parameters.
#[derive(Debug, Clone)]
pub struct Tuned {
    pub inner: usize,
    pub outer: usize,
    pub alpha: f64,
    pub eta: f64,
    pub zeta: f64,
    pub xi: Option<f64>,
    /// What the theorem then promises; `None` where a rate is 0 that must not be.
    pub bound: Option<f64>,
}

impl Facts {
    /// The numbers of a spectrum that the theorems read.
    pub fn covariance_of(c: Exponent, spectrum: &Spectrum) -> (f64, f64) {
        (spectrum.trace_2c_minus_1(c), spectrum.norm_2c_minus_1(c))
    }

    /// Thm A.1's constants.
    pub fn discounted(&self) -> discounted::Constants<f64> {
        let (trace, norm) = self.covariance.unwrap_or((0.0, 0.0));
        let constants = discounted::Constants {
            discount: self.discount,
            log_actions: log(self.actions),
            phi_squared: self.phi_squared,
            theta_squared: self.radius_theta * self.radius_theta,
            beta_squared: self.radius_beta * self.radius_beta,
            trace,
            norm,
        };
        if self.covariance.is_some() { constants } else { constants.without_covariance(self.c, self.dim) }
    }

    /// Thm C.1's constants.
    pub fn average(&self) -> average::Constants<f64> {
        let (trace, norm) = self.covariance.unwrap_or((0.0, 0.0));
        let constants = average::Constants {
            log_actions: log(self.actions),
            phi_squared: self.phi_squared,
            theta_squared: self.radius_theta * self.radius_theta,
            phi_theta: libm::sqrt(self.phi_squared) * self.radius_theta,
            beta_squared: self.radius_beta * self.radius_beta,
            trace,
            norm,
        };
        if self.covariance.is_some() { constants } else { constants.without_covariance(self.c, self.dim) }
    }

    /// G_θ², G_β² and G_ρ².
    pub fn second_moments(&self) -> SecondMoments {
        match self.setting {
            Setting::Discounted => {
                let constants = self.discounted();
                let theta = discounted::second_moment_bound_theta(&constants);
                SecondMoments { theta, beta: discounted::second_moment_bound_beta(&constants), rho: None }
            }
            Setting::Average => {
                let constants = self.average();
                SecondMoments {
                    theta: average::second_moment_bound_theta(&constants),
                    beta: average::second_moment_bound_beta(&constants),
                    rho: Some(average::second_moment_bound_rho(&constants)),
                }
            }
        }
    }

    /// What the theorem promises of the first t iterations of a run at these rates; `None` where a rate is 0 that must not be.
    pub fn bound_after(&self, tuned: &Tuned, outer: usize) -> Option<f64> {
        let Tuned { inner, alpha, eta, zeta, .. } = *tuned;
        match (self.setting, tuned.xi) {
            (Setting::Discounted, _) => {
                let rates = discounted::Rates { alpha, eta, zeta };
                discounted::bound(&self.discounted(), &rates, inner, outer).ok()
            }
            (Setting::Average, Some(xi)) => {
                let rates = average::Rates { alpha, eta, zeta, xi };
                average::bound(&self.average(), &rates, inner, outer).ok()
            }
            (Setting::Average, None) => None,
        }
    }

    /// The rates for given K and T.
    pub fn rates(&self, inner: usize, outer: usize) -> Checked<Tuned> {
        match self.setting {
            Setting::Discounted => {
                let discounted::Rates { alpha, eta, zeta } = discounted::rates(&self.discounted(), inner, outer)?;
                let tuned = Tuned { inner, outer, alpha, eta, zeta, xi: None, bound: None };
                Ok(Tuned { bound: self.bound_after(&tuned, outer), ..tuned })
            }
            Setting::Average => {
                let average::Rates { alpha, eta, zeta, xi } = average::rates(&self.average(), inner, outer)?;
                let tuned = Tuned { inner, outer, alpha, eta, zeta, xi: Some(xi), bound: None };
                Ok(Tuned { bound: self.bound_after(&tuned, outer), ..tuned })
            }
        }
    }

    /// K and the rates for given T.
    pub fn for_outer(&self, outer: usize) -> Checked<Tuned> {
        let (inner, outer) = match self.setting {
            Setting::Discounted => {
                discounted::Tuning::for_outer(&self.discounted(), outer).map(|t| (t.inner, t.outer))?
            }
            Setting::Average => average::Tuning::for_outer(&self.average(), outer).map(|t| (t.inner, t.outer))?,
        };
        self.rates(inner, outer)
    }

    /// K, T and the rates for n rows.
    pub fn for_rows(&self, rows: usize) -> Checked<Tuned> {
        let (inner, outer) = match self.setting {
            Setting::Discounted => {
                discounted::Tuning::for_rows(&self.discounted(), rows).map(|t| (t.inner, t.outer))?
            }
            Setting::Average => average::Tuning::for_rows(&self.average(), rows).map(|t| (t.inner, t.outer))?,
        };
        self.rates(inner, outer)
    }
}

/// log|A|, from `libm`, so that rates are the same bits everywhere.
fn log(actions: usize) -> f64 {
    #[allow(clippy::cast_precision_loss)] // action counts are far below 2^53
    let count = actions as f64;
    libm::log(count)
}

/// D_θ of a model: what bounds ‖θ^π‖ for every policy.
pub fn radius_theta(study: &mut Study<'_, f64>) -> Result<f64, InputError> {
    let (omega, psi) = (libm::sqrt(study.bounds.omega), libm::sqrt(study.bounds.psi));
    let measured = match study.setting {
        Setting::Discounted => theta_bound(&omega, &psi, study.mdp.discount()),
        Setting::Average => average_radius(study, omega, psi),
    };
    measured.map_err(|e| InputError::refused("--radius-theta not given, and not from the model", e))
}

fn average_radius(study: &mut Study<'_, f64>, omega: f64, psi: f64) -> Checked<f64> {
    let shape = study.mdp.shape();
    if deterministic_policies(shape.states, shape.actions)? > POLICIES {
        return Err(Error::OutOfRange {
            what: "number of deterministic policies",
            index: 0,
            expected: "at most 65536, to measure D_q",
        });
    }
    let mut scratch = std::mem::take(&mut study.scratch);
    let span = study.tabular().and_then(|tabular| span_bound(&tabular, &mut scratch));
    study.scratch = scratch;
    average::theta_bound(&omega, &norm(&study.varrho)?, &psi, &span?)
}

/// D_β of a model: √C_{φ,c} = ‖β*‖, the least that the proof admits (erratum 4).
pub fn radius_beta(c: Exponent, study: &mut Study<'_, f64>) -> Result<f64, InputError> {
    let ratio = coverage_ratio(c, &study.mdp, &study.mu_star, &study.lambda, &mut study.scratch);
    let ratio = ratio.map_err(|e| InputError::refused("--radius-beta not given, and not from the model", e))?;
    Ok(libm::sqrt(ratio))
}
