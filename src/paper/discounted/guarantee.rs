//! Theorem 3.2, Corollary 3.3 and Theorem A.1: what Algorithm 1 is guaranteed, and the parameters that make it so.
//!
//! Everything that needs no root takes squares (D_φ², D_θ², D_β²) and is exact in exact arithmetic.

use crate::error::{Error, Result, expect_some};
use crate::linear::vector::finite;
use crate::number::{Field, Real};
use crate::paper::covariance::Exponent;

/// What the theorem's constants are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Constants<T> {
    /// γ.
    pub discount: T,
    /// log|A|.
    pub log_actions: T,
    /// D_φ².
    pub phi_squared: T,
    /// D_θ², with ‖θ^π‖ ≤ D_θ for every policy.
    pub theta_squared: T,
    /// D_β² ≥ C_{φ,c}: since ‖β*‖² = C_{φ,c}, D_β ≥ √C is the condition that the proof needs (erratum 4).
    pub beta_squared: T,
    /// Tr(Λ^{2c−1}).
    pub trace: T,
    /// ‖Λ‖₂^{2c−1}.
    pub norm: T,
}

impl<T: Field> Constants<T> {
    /// Remark A.2: Tr(Λ^{2c−1}) and ‖Λ‖^{2c−1} where Λ is not known: d and 1 at c = 1/2, both D_φ² at c = 1.
    #[must_use]
    pub fn without_covariance(mut self, c: Exponent, dim: usize) -> Self {
        (self.trace, self.norm) = covariance_bounds(c, dim, &self.phi_squared);
        self
    }
}

/// Rem A.2, `remark1`: upper bounds on Tr(Λ^{2c−1}) and ‖Λ‖^{2c−1} that need no knowledge of Λ.
#[must_use]
pub fn covariance_bounds<T: Field>(c: Exponent, dim: usize, phi_squared: &T) -> (T, T) {
    match c {
        Exponent::Half => (count(dim), T::one()),
        Exponent::One => (phi_squared.clone(), phi_squared.clone()),
    }
}

/// Rem A.2, `remark1`: D_φ^{8c−4} d^{2−2c}, which bounds Tr(Λ^{2c−1})‖Λ‖^{2c−1}.
#[must_use]
pub fn trace_norm_bound<T: Field>(c: Exponent, dim: usize, phi_squared: &T) -> T {
    match c {
        Exponent::Half => count(dim),
        Exponent::One => phi_squared.clone() * phi_squared,
    }
}

/// Thm A.1, (19), `eq:G1`, Lemma B.1: G_θ² = 3D_φ²((1−γ)² + (1+γ²)D_β²‖Λ‖^{2c−1}).
#[must_use]
pub fn second_moment_bound_theta<T: Field>(constants: &Constants<T>) -> T {
    let Constants { discount, phi_squared, beta_squared, norm, .. } = constants;
    let rest = T::one() - discount;
    let growth = T::one() + discount.clone() * discount;
    (rest.clone() * rest + growth * beta_squared * norm) * phi_squared * T::from_int(3)
}

/// Thm A.1, (20), `eq:G2`, Lemma B.2: G_β² = 3(1 + (1+γ²)D_φ²D_θ²)Tr(Λ^{2c−1}), as Lemma B.2 proves it.
///
/// # Deviation
/// Print has D_φ^{2(2c−1)} for the trace, which loses a factor d at c = 1/2; erratum 2, [`crate::errata::equation_20`].
#[must_use]
pub fn second_moment_bound_beta<T: Field>(constants: &Constants<T>) -> T {
    let Constants { discount, phi_squared, theta_squared, trace, .. } = constants;
    let growth = T::one() + discount.clone() * discount;
    (growth * phi_squared * theta_squared + T::one()) * T::from_int(3) * trace
}

/// α, η and ζ.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates<T> {
    /// α.
    pub alpha: T,
    /// η.
    pub eta: T,
    /// ζ.
    pub zeta: T,
}

/// Thm A.1: α² = 2log|A|/(D_φ²D_θ²T), η² = 4D_θ²/(G_θ²K), ζ² = 4D_β²/(G_β²T): the squares of the learning rates.
pub fn squared_rates<T: Field>(constants: &Constants<T>, inner: usize, outer: usize) -> Result<Rates<T>> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (k, t) = (positive::<T>("inner", inner)?, positive::<T>("outer", outer)?);
    let [alpha, eta, zeta] = [
        (log_actions.clone() * T::from_int(2), phi_squared.clone() * theta_squared * &t),
        (theta_squared.clone() * T::from_int(4), second_moment_bound_theta(constants) * k),
        (beta_squared.clone() * T::from_int(4), second_moment_bound_beta(constants) * t),
    ]
    .map(|(numerator, denominator)| quotient("learning rate", numerator, denominator));
    Ok(Rates { alpha: alpha?, eta: eta?, zeta: zeta? })
}

/// Thm A.1: the learning rates for given K and T.
pub fn rates<T: Real>(constants: &Constants<T>, inner: usize, outer: usize) -> Result<Rates<T>> {
    let Rates { alpha, eta, zeta } = squared_rates(constants, inner, outer)?;
    Ok(Rates { alpha: alpha.sqrt(), eta: eta.sqrt(), zeta: zeta.sqrt() })
}

/// Thm A.1: the six terms 2D_β²/(ζT), log|A|/(αT), 2D_θ²/(ηK), ζG_β²/2, αD_θ²D_φ²/2, ηG_θ²/2, whose sum bounds the expected
/// suboptimality of the policy that Algorithm 1 returns.
pub fn bound_terms<T: Field>(constants: &Constants<T>, rates: &Rates<T>, inner: usize, outer: usize) -> Result<[T; 6]> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (k, t, two) = (positive::<T>("inner", inner)?, positive::<T>("outer", outer)?, T::from_int(2));
    Ok([
        quotient("zeta", two.clone() * beta_squared, rates.zeta.clone() * &t)?,
        policy_term(log_actions, &rates.alpha, t)?,
        quotient("eta", two.clone() * theta_squared, rates.eta.clone() * k)?,
        finite("bound", rates.zeta.clone() * second_moment_bound_beta(constants) / &two)?,
        finite("bound", rates.alpha.clone() * theta_squared * phi_squared / &two)?,
        finite("bound", rates.eta.clone() * second_moment_bound_theta(constants) / two)?,
    ])
}

/// Lemma B.1, right side: 2TD_θ²/(ηK) + ηTG_θ²/2, which bounds E Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩.
pub fn theta_regret_bound<T: Field>(constants: &Constants<T>, eta: &T, inner: usize, outer: usize) -> Result<T> {
    let (k, t, two) = (positive::<T>("inner", inner)?, positive::<T>("outer", outer)?, T::from_int(2));
    let start = quotient("eta", two.clone() * &t * &constants.theta_squared, k * eta)?;
    finite("bound of Lemma B.1", start + second_moment_bound_theta(constants) * eta * t / two)
}

/// Lemma B.2, right side: 2D_β²/ζ + ζTG_β²/2, which bounds E Σ_t ⟨β* − β_t, g_{β,t}⟩.
pub fn beta_regret_bound<T: Field>(constants: &Constants<T>, zeta: &T, outer: usize) -> Result<T> {
    let (t, two) = (positive::<T>("outer", outer)?, T::from_int(2));
    let start = quotient("zeta", two.clone() * &constants.beta_squared, zeta.clone())?;
    finite("bound of Lemma B.2", start + second_moment_bound_beta(constants) * zeta * t / two)
}

/// Lemma B.3, right side: log|A|/α + αTD_φ²D_θ²/2, which bounds Σ_t Σ_x ν^{π*}(x)⟨π*(·|x) − π_t(·|x), Φθ_t⟩.
pub fn policy_regret_bound<T: Field>(constants: &Constants<T>, alpha: &T, outer: usize) -> Result<T> {
    let Constants { log_actions, phi_squared, theta_squared, .. } = constants;
    let range = phi_squared.clone() * theta_squared * alpha * positive::<T>("outer", outer)?;
    finite("bound of Lemma B.3", policy_term(log_actions, alpha, T::one())? + range / T::from_int(2))
}

/// Thm A.1: the sum of the six terms.
pub fn bound<T: Field>(constants: &Constants<T>, rates: &Rates<T>, inner: usize, outer: usize) -> Result<T> {
    let mut total = T::zero();
    for term in bound_terms(constants, rates, inner, outer)? {
        total += term;
    }
    finite("bound", total)
}

/// Thm A.1: K/T = 2D_θ²G_θ²/(2D_β²G_β² + D_θ²D_φ²log|A|).
///
/// # Deviation
/// Print has the reciprocal ([`crate::errata::theorem_a1_inner_per_outer`]). At the theorem's rates the bound is P/√T + Q/√K with P = 2D_βG_β + D_φD_θ√(2log|A|) and
/// Q = 2D_θG_θ. For a given n = KT it is least at K/T = Q²/P²; this function returns that with P² replaced by the sum of its
/// two squares, which needs at most 1.07 times the samples. The printed ratio needs (P² + Q²)⁴/(2PQ)⁴ times as many.
pub fn inner_per_outer<T: Field>(constants: &Constants<T>) -> Result<T> {
    let (theta, beta) = balance(constants);
    quotient("K/T", theta, beta)
}

/// 2D_θ²G_θ² and 2D_β²G_β² + D_θ²D_φ²log|A|.
fn balance<T: Field>(constants: &Constants<T>) -> (T, T) {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let two = T::from_int(2);
    let theta = second_moment_bound_theta(constants) * theta_squared * &two;
    let beta = second_moment_bound_beta(constants) * beta_squared * two;
    (theta, beta + phi_squared.clone() * theta_squared * log_actions)
}

/// Thm A.1: D_θ⁴D_φ⁴D_β⁴ Tr(Λ^{2c−1})‖Λ‖^{2c−1} log|A| / ε⁴, the order of n_ε.
pub fn complexity<T: Field>(constants: &Constants<T>, epsilon: &T) -> Result<T> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, trace, norm, .. } = constants;
    let root = theta_squared.clone() * phi_squared * beta_squared;
    quotient("epsilon", root.clone() * root * trace * norm * log_actions, fourth_power(epsilon))
}

/// Thm 3.2, `thm:main_disc`, Tab 1: D_θ⁴D_φ^{8c}D_β⁴ d^{2−2c} log|A| / ε⁴.
pub fn simplified_complexity<T: Field>(c: Exponent, dim: usize, constants: &Constants<T>, epsilon: &T) -> Result<T> {
    let bounds = trace_norm_bound(c, dim, &constants.phi_squared);
    complexity(&Constants { trace: bounds, norm: T::one(), ..constants.clone() }, epsilon)
}

/// Cor 3.3, `chalf`: d⁴C_{φ,c}² log|A| / (d^{2c}(1−γ)⁴ε⁴).
///
/// # Deviation
/// Print assumes D_β proportional to C_{φ,c}, which would give C⁴; with D_β proportional to √C the formula stands; erratum 4.
pub fn corollary_complexity<T: Field>(
    c: Exponent,
    dim: usize,
    discount: &T,
    log_actions: &T,
    coverage: &T,
    epsilon: &T,
) -> Result<T> {
    let d: T = count(dim);
    let power = match c {
        Exponent::Half => d.clone() * &d * &d,
        Exponent::One => d.clone() * d,
    };
    let scale = (T::one() - discount) * epsilon;
    quotient("(1−γ)ε", power * coverage * coverage * log_actions, fourth_power(&scale))
}

pub(crate) fn fourth_power<T: Field>(x: &T) -> T {
    let square = x.clone() * x;
    square.clone() * square
}

pub(crate) fn count<T: Field>(n: usize) -> T {
    T::from_count(n)
}

pub(crate) fn positive<T: Field>(what: &'static str, n: usize) -> Result<T> {
    expect_some(what, n)?;
    Ok(count(n))
}

pub(crate) fn quotient<T: Field>(what: &'static str, numerator: T, denominator: T) -> Result<T> {
    if denominator > T::zero() {
        finite(what, numerator / denominator)
    } else {
        Err(Error::OutOfRange { what, index: Error::SCALAR, expected: "a positive denominator" })
    }
}

/// K, T and the learning rates, ready for a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// α, η, ζ.
    pub rates: Rates<f64>,
    /// What the theorem then promises.
    pub bound: f64,
}

impl Tuning {
    /// The theorem's rates for given K and T.
    pub fn new(constants: &Constants<f64>, inner: usize, outer: usize) -> Result<Self> {
        let rates = rates(constants, inner, outer)?;
        let bound = bound(constants, &rates, inner, outer)?;
        Ok(Self { inner, outer, rates, bound })
    }

    /// K for given T: T·[`inner_per_outer`], rounded up.
    pub fn for_outer(constants: &Constants<f64>, outer: usize) -> Result<Self> {
        Self::new(constants, rounded_up(inner_per_outer(constants)? * count::<f64>(outer))?, outer)
    }

    /// K and T for n rows of data: T = √(n/(K/T)), rounded to the nearest in 1 … n, and K = ⌊n/T⌋.
    pub fn for_rows(constants: &Constants<f64>, rows: usize) -> Result<Self> {
        let ideal = (positive::<f64>("rows", rows)? / inner_per_outer(constants)?).sqrt();
        let outer = rounded_up(ideal - 0.5)?.clamp(1, rows);
        Self::new(constants, rows / outer, outer)
    }

    /// K and T with a bound of at most ε, from (P + Q√(T/K))/√T = ε; n_ε = KT is [`Tuning::samples`].
    pub fn for_epsilon(constants: &Constants<f64>, epsilon: f64) -> Result<Self> {
        let root = quotient("epsilon", bound_at_one(constants)?, epsilon)?;
        let tuning = Self::for_outer(constants, rounded_up(root * root)?)?;
        // K and T are rounded up, so only the rounding of the root can leave the bound above ε.
        if tuning.bound <= epsilon { Ok(tuning) } else { Self::for_outer(constants, tuning.outer + 1) }
    }

    /// n = KT.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.inner.saturating_mul(self.outer)
    }
}

/// P + Q√(T/K): the bound at T = 1 and the theorem's rates and K/T.
fn bound_at_one<T: Real>(constants: &Constants<T>) -> Result<T> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (two, four) = (T::from_int(2), T::from_int(4));
    let policy = (two * log_actions * phi_squared * theta_squared).sqrt();
    let beta = (four.clone() * beta_squared * second_moment_bound_beta(constants)).sqrt();
    let theta = (four * theta_squared * second_moment_bound_theta(constants) / inner_per_outer(constants)?).sqrt();
    finite("bound", policy + beta + theta)
}

/// log|A|/(αT); 0 for a single action, where the theorem's α is 0 and Lemma B.3's regret with it.
pub(crate) fn policy_term<T: Field>(log_actions: &T, alpha: &T, outer: T) -> Result<T> {
    if log_actions.is_zero() {
        return Ok(T::zero());
    }
    quotient("alpha", log_actions.clone(), alpha.clone() * outer)
}

/// ⌈x⌉, at least 1; `Err` above 2⁵³.
pub(crate) fn rounded_up(x: f64) -> Result<usize> {
    let up = libm::ceil(x).max(1.0);
    if up <= 9_007_199_254_740_992.0 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 1 and 2^53
        Ok(up as usize)
    } else {
        Err(Error::OutOfRange { what: "number of iterations", index: Error::SCALAR, expected: "at most 2^53" })
    }
}
