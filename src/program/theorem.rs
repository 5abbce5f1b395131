//! Theorem A.1 or C.1, whatever the setting: its constants, the rates it asks for, and what it then promises.

use crate::data::{InputError, Problem, Setting};
use crate::fast::rounding::{Sizes, average_rounding_term, rounding_term};
use crate::paper::average_reward::guarantee as average;
use crate::paper::covariance::Exponent;
use crate::paper::discounted::guarantee as discounted;
use crate::program::model::SolvedModel;
use crate::routes::{Spectrum, Symmetric};
use crate::{Error, Result as Checked};

/// What a theorem's parameters are made of.
#[derive(Debug, Clone)]
pub struct Theorem {
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

/// K, T and the learning rates of a run.
#[derive(Debug, Clone)]
pub struct Rates {
    pub inner: usize,
    pub outer: usize,
    pub alpha: f64,
    pub eta: f64,
    pub zeta: f64,
    /// In the average-reward setting.
    pub xi: Option<f64>,
}

/// What a theorem's parameters are asked for.
#[derive(Debug, Clone, Copy)]
pub enum Goal {
    /// T.
    Outer(usize),
    /// n.
    Samples(usize),
    /// The suboptimality to promise.
    Epsilon(f64),
}

/// The bounds on the estimators' second moments.
#[derive(Debug, Clone, Copy)]
pub struct SecondMoments {
    pub theta: f64,
    pub beta: f64,
    /// In the average-reward setting.
    pub rho: Option<f64>,
}

impl Theorem {
    /// The theorem for a solved model with a behaviour policy; radii that are not given are measured on it.
    pub fn of_model(
        c: Exponent,
        (radius_theta, radius_beta): (Option<f64>, Option<f64>),
        problem: &Problem<f64>,
        model: &SolvedModel<'_, f64>,
    ) -> Result<Self, InputError> {
        let Some(lambda) = &model.lambda else {
            return Err(InputError::call(&problem.name, "no behaviour policy, expected one for Λ"));
        };
        let spectrum = spectrum_of(c, &problem.name, lambda)?;
        Ok(Self {
            setting: model.setting,
            c,
            actions: problem.shape.actions,
            dim: problem.shape.dim,
            discount: if model.setting == Setting::Discounted { *problem.discount()? } else { 0.0 },
            phi_squared: model.bounds.phi,
            radius_theta: radius_theta.map_or_else(|| model.radius_theta(), Ok)?,
            radius_beta: radius_beta.map_or_else(|| model.radius_beta(c), Ok)?,
            covariance: Some(covariance_of(c, &spectrum)),
        })
    }

    /// Its name in the paper.
    pub fn name(&self) -> &'static str {
        match self.setting {
            Setting::Discounted => "Theorem A.1",
            Setting::Average => "Theorem C.1",
        }
    }

    fn discounted(&self) -> discounted::Constants<f64> {
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

    fn average(&self) -> average::Constants<f64> {
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

    /// The right side of the theorem for the first t iterations of a run at these rates; `None` where a rate is 0 that must not
    /// be. Whether the theorem applies is another question, `Promise`'s.
    pub fn bound(&self, rates: &Rates, outer: usize) -> Option<f64> {
        let Rates { inner, alpha, eta, zeta, .. } = *rates;
        match (self.setting, rates.xi) {
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

    /// What floating point adds to the right side, proved for the program; `None` outside the range of that proof, and at c = 1/2, where
    /// the error of the root that the program holds is not known.
    pub fn rounding_term(&self, rates: &Rates) -> Option<f64> {
        if self.c == Exponent::Half {
            return None;
        }
        let trace_and_norm = match self.setting {
            Setting::Discounted => (self.discounted().trace, self.discounted().norm),
            Setting::Average => (self.average().trace, self.average().norm),
        };
        let sizes = Sizes {
            dim: self.dim,
            actions: self.actions,
            inner: rates.inner,
            outer: rates.outer,
            alpha: rates.alpha,
            eta: rates.eta,
            zeta: rates.zeta,
            radius_theta: self.radius_theta,
            radius_beta: self.radius_beta,
            feature_bound: libm::sqrt(self.phi_squared),
            weight_norm: 1.0,
            weight_error: 0.0,
            trace: trace_and_norm.0,
            norm: trace_and_norm.1,
        };
        match (self.setting, rates.xi) {
            (Setting::Discounted, _) => rounding_term(&sizes, self.discount).ok(),
            (Setting::Average, Some(xi)) => average_rounding_term(&sizes, xi).ok(),
            (Setting::Average, None) => None,
        }
    }

    /// The greatest n at the theorem's K/T and rates for which floating point provably adds at most 1 % to the right side; where the
    /// proof's range (K, T ≤ 2²⁸) ends first, that.
    /// Bisection over T: the right side falls with T, and what floating point adds grows, with the length of Σθ if with nothing else.
    pub fn rows_within_one_percent(&self) -> Option<u64> {
        let within = |outer: usize| {
            let rates = self.rates_for(Goal::Outer(outer)).ok()?;
            let (term, bound) = (self.rounding_term(&rates)?, self.bound(&rates, outer)?);
            rates.samples().filter(|_| term <= bound / 100.0)
        };
        let (mut low, mut high) = (1, (1 << 28) + 1);
        let mut rows = within(low)?;
        while high - low > 1 {
            let middle = low.midpoint(high);
            match within(middle) {
                Some(n) => (low, rows) = (middle, n),
                None => high = middle,
            }
        }
        Some(rows)
    }

    /// That there are none, and at which radii, which are what may be extreme.
    pub fn none(&self, error: Error) -> String {
        format!("the theorem has none at D_θ = {:e}, D_β = {:e}: {error}", self.radius_theta, self.radius_beta)
    }

    /// The rates for given K and T.
    pub fn rates(&self, inner: usize, outer: usize) -> Checked<Rates> {
        Ok(match self.setting {
            Setting::Discounted => {
                let discounted::Rates { alpha, eta, zeta } = discounted::rates(&self.discounted(), inner, outer)?;
                Rates { inner, outer, alpha, eta, zeta, xi: None }
            }
            Setting::Average => {
                let average::Rates { alpha, eta, zeta, xi } = average::rates(&self.average(), inner, outer)?;
                Rates { inner, outer, alpha, eta, zeta, xi: Some(xi) }
            }
        })
    }

    /// K, T and the rates for a goal.
    pub fn rates_for(&self, goal: Goal) -> Checked<Rates> {
        let (inner, outer) = match self.setting {
            Setting::Discounted => {
                let constants = self.discounted();
                let tuning = match goal {
                    Goal::Outer(outer) => discounted::Tuning::for_outer(&constants, outer),
                    Goal::Samples(rows) => discounted::Tuning::for_rows(&constants, rows),
                    Goal::Epsilon(epsilon) => discounted::Tuning::for_epsilon(&constants, epsilon),
                };
                tuning.map(|tuning| (tuning.inner, tuning.outer))?
            }
            Setting::Average => {
                let constants = self.average();
                let tuning = match goal {
                    Goal::Outer(outer) => average::Tuning::for_outer(&constants, outer),
                    Goal::Samples(rows) => average::Tuning::for_rows(&constants, rows),
                    Goal::Epsilon(epsilon) => average::Tuning::for_epsilon(&constants, epsilon),
                };
                tuning.map(|tuning| (tuning.inner, tuning.outer))?
            }
        };
        self.rates(inner, outer)
    }

    /// The parameters, each with its name.
    pub fn rows(&self, rates: &Rates) -> Vec<(&'static str, String)> {
        let moments = self.second_moments();
        let samples = rates.samples().map_or_else(|| "above 2^64".to_owned(), |n| n.to_string());
        let mut rows = vec![
            ("K, T, n", format!("{}, {}, {samples}", rates.inner, rates.outer)),
            ("α", number(rates.alpha)),
            ("η", number(rates.eta)),
            ("ζ", number(rates.zeta)),
        ];
        rows.extend(rates.xi.map(|xi| ("ξ", number(xi))));
        rows.push(("D_φ", number(libm::sqrt(self.phi_squared))));
        rows.push(("D_θ, D_β", format!("{}, {}", number(self.radius_theta), number(self.radius_beta))));
        rows.push(("G_θ², G_β²", format!("{}, {}", number(moments.theta), number(moments.beta))));
        rows.extend(moments.rho.map(|rho| ("G_ρ²", number(rho))));
        rows.extend(self.rounding_term(rates).map(|term| ("rounding adds at most", number(term))));
        rows
    }
}

impl Rates {
    /// n: KT, or (K+1)T in the average-reward setting.
    pub fn samples(&self) -> Option<u64> {
        let per_iteration = if self.xi.is_some() { self.inner.checked_add(1)? } else { self.inner };
        u64::try_from(per_iteration.checked_mul(self.outer)?).ok()
    }
}

/// Λ's spectrum, singular or not, as far as c needs it.
pub fn spectrum_of(c: Exponent, name: &str, lambda: &Symmetric<f64>) -> Result<Spectrum, InputError> {
    Spectrum::for_exponent(c, lambda).map_err(|e| {
        let why = "c = 1/2 takes the root of Λ on the coordinates that the data see, so what they never see must be coordinates; \
                   expected --c 1";
        let place = if c == Exponent::Half { format!("{name}: {why}") } else { name.to_owned() };
        InputError::refused(place, e)
    })
}

/// The numbers of a spectrum that the theorems read.
pub fn covariance_of(c: Exponent, spectrum: &Spectrum) -> (f64, f64) {
    (spectrum.trace_2c_minus_1(c), spectrum.norm_2c_minus_1(c))
}

/// Six digits, with an exponent where zeros would hide them.
fn number(x: f64) -> String {
    if x == 0.0 || (0.01..1e6).contains(&x.abs()) { format!("{x:.6}") } else { format!("{x:.6e}") }
}

/// log|A|, from `libm`, so that rates are the same bits everywhere.
fn log(actions: usize) -> f64 {
    #[allow(clippy::cast_precision_loss)] // action counts are far below 2^53
    let count = actions as f64;
    libm::log(count)
}
