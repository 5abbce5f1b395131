//! Theorem 5.3, Theorem C.1 and Corollary C.2: what Algorithm 2 is guaranteed, and the parameters that make it so.
//!
//! Everything that needs no root takes squares (D_φ², D_θ², D_β²) and is exact in exact arithmetic. G_β² needs the product
//! D_φD_θ itself, which is therefore a constant of its own.

use crate::error::Result;
use crate::linear::vector::finite;
use crate::number::{Field, Real};
use crate::paper::covariance::Exponent;
use crate::paper::discounted::guarantee::{
    count, covariance_bounds, fourth_power, policy_term, positive, quotient, rounded_up,
};

/// What the theorem's constants are made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Constants<T> {
    /// log|A|.
    pub log_actions: T,
    /// D_φ².
    pub phi_squared: T,
    /// D_θ², with ‖θ^π‖ ≤ D_θ for every policy.
    pub theta_squared: T,
    /// D_φD_θ.
    pub phi_theta: T,
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

/// Cor C.2, `cavg`: D_θ = D_ω + ‖ϱ‖ + D_ψD_q, which bounds ‖ω − ρϱ + Ψv‖ where |v| ≤ D_q and D_ψ ≥ ‖Σ_x |ψ(x)|‖.
///
/// # Deviation
/// Print has 1 for ‖ϱ‖; erratum 12.
pub fn theta_bound<T: Field>(omega_bound: &T, ones_norm: &T, psi_bound: &T, span: &T) -> Result<T> {
    finite("D_θ", psi_bound.clone() * span + omega_bound + ones_norm)
}

/// Thm C.1, (24), `eq:amdpGbeta`, Lemma C.5: G_β² = Tr(Λ^{2c−1})(1 + 2D_θD_φ)².
#[must_use]
pub fn second_moment_bound_beta<T: Field>(constants: &Constants<T>) -> T {
    let range = constants.phi_theta.clone() * T::from_int(2) + T::one();
    range.clone() * range * &constants.trace
}

/// Thm C.1, (25), `eq:amdpGrho`, Lemma C.6: G_ρ² = 2(1 + D_β²‖Λ‖^{2c−1}).
#[must_use]
pub fn second_moment_bound_rho<T: Field>(constants: &Constants<T>) -> T {
    (constants.beta_squared.clone() * &constants.norm + T::one()) * T::from_int(2)
}

/// Thm C.1, (26), `eq:amdpGtheta`, Lemma C.7: G_θ² = 4D_φ²D_β²‖Λ‖^{2c−1}.
#[must_use]
pub fn second_moment_bound_theta<T: Field>(constants: &Constants<T>) -> T {
    constants.phi_squared.clone() * &constants.beta_squared * &constants.norm * T::from_int(4)
}

/// α, η, ζ and ξ.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates<T> {
    /// α.
    pub alpha: T,
    /// η.
    pub eta: T,
    /// ζ.
    pub zeta: T,
    /// ξ.
    pub xi: T,
}

/// Thm C.1: α² = 2log|A|/(D_φ²D_θ²T), η² = 4D_θ²/(G_θ²K), ζ² = 4D_β²/(G_β²T), ξ² = 1/(G_ρ²K): the squares of the learning rates.
pub fn squared_rates<T: Field>(constants: &Constants<T>, inner: usize, outer: usize) -> Result<Rates<T>> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (k, t) = (positive::<T>("inner", inner)?, positive::<T>("outer", outer)?);
    let [alpha, eta, zeta, xi] = [
        (log_actions.clone() * T::from_int(2), phi_squared.clone() * theta_squared * &t),
        (theta_squared.clone() * T::from_int(4), second_moment_bound_theta(constants) * &k),
        (beta_squared.clone() * T::from_int(4), second_moment_bound_beta(constants) * t),
        (T::one(), second_moment_bound_rho(constants) * k),
    ]
    .map(|(numerator, denominator)| quotient("learning rate", numerator, denominator));
    Ok(Rates { alpha: alpha?, eta: eta?, zeta: zeta?, xi: xi? })
}

/// Thm C.1: the learning rates for given K and T.
pub fn rates<T: Real>(constants: &Constants<T>, inner: usize, outer: usize) -> Result<Rates<T>> {
    let Rates { alpha, eta, zeta, xi } = squared_rates(constants, inner, outer)?;
    Ok(Rates { alpha: alpha.sqrt(), eta: eta.sqrt(), zeta: zeta.sqrt(), xi: xi.sqrt() })
}

/// Thm C.1: the eight terms 2D_β²/(ζT), log|A|/(αT), 1/(2ξK), 2D_θ²/(ηK), ζG_β²/2, αD_θ²D_φ²/2, ξG_ρ²/2, ηG_θ²/2, whose sum
/// bounds the expected suboptimality of the policy that Algorithm 2 returns.
pub fn bound_terms<T: Field>(constants: &Constants<T>, rates: &Rates<T>, inner: usize, outer: usize) -> Result<[T; 8]> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (k, t, two) = (positive::<T>("inner", inner)?, positive::<T>("outer", outer)?, T::from_int(2));
    Ok([
        quotient("zeta", two.clone() * beta_squared, rates.zeta.clone() * &t)?,
        policy_term(log_actions, &rates.alpha, t)?,
        quotient("xi", T::one(), two.clone() * &rates.xi * &k)?,
        quotient("eta", two.clone() * theta_squared, rates.eta.clone() * k)?,
        finite("bound", rates.zeta.clone() * second_moment_bound_beta(constants) / &two)?,
        finite("bound", rates.alpha.clone() * theta_squared * phi_squared / &two)?,
        finite("bound", rates.xi.clone() * second_moment_bound_rho(constants) / &two)?,
        finite("bound", rates.eta.clone() * second_moment_bound_theta(constants) / two)?,
    ])
}

/// Lemma C.5, (28), `eqn:betabound`, right side: 2D_β²/ζ + ζTG_β²/2, which bounds E Σ_t ⟨β* − β_t, g_{β,t}⟩.
pub fn beta_regret_bound<T: Field>(constants: &Constants<T>, zeta: &T, outer: usize) -> Result<T> {
    let (t, two) = (positive::<T>("outer", outer)?, T::from_int(2));
    let start = quotient("zeta", two.clone() * &constants.beta_squared, zeta.clone())?;
    finite("bound of Lemma C.5", start + second_moment_bound_beta(constants) * zeta * t / two)
}

/// Lemma C.6, right side: 1/(2ξ) + ξKG_ρ²/2, which bounds E Σ_i (ρ_t^{(i)} − ρ*_t)g_{ρ,t}.
///
/// # Deviation
/// Print has the random ‖β_t‖²_{Λ^{2c−1}} here, and D_β²‖Λ‖^{2c−1}, as in G_ρ², in the proof.
pub fn rho_regret_bound<T: Field>(constants: &Constants<T>, xi: &T, inner: usize) -> Result<T> {
    let (k, two) = (positive::<T>("inner", inner)?, T::from_int(2));
    let start = quotient("xi", T::one(), two.clone() * xi)?;
    finite("bound of Lemma C.6", start + second_moment_bound_rho(constants) * xi * k / two)
}

/// Lemma C.7, (29), `eqn:thetabound`, right side: 2D_θ²/η + ηKG_θ²/2, which bounds E Σ_i ⟨θ_t^{(i)} − θ*_t, g_{θ,t}⟩.
pub fn theta_regret_bound<T: Field>(constants: &Constants<T>, eta: &T, inner: usize) -> Result<T> {
    let (k, two) = (positive::<T>("inner", inner)?, T::from_int(2));
    let start = quotient("eta", two.clone() * &constants.theta_squared, eta.clone())?;
    finite("bound of Lemma C.7", start + second_moment_bound_theta(constants) * eta * k / two)
}

/// Lemma C.4, right side: the eight terms with H(π*‖π₁) for log|A|.
pub fn gap_bound<T: Field>(
    constants: &Constants<T>,
    entropy: &T,
    rates: &Rates<T>,
    inner: usize,
    outer: usize,
) -> Result<T> {
    bound(&Constants { log_actions: entropy.clone(), ..constants.clone() }, rates, inner, outer)
}

/// C.theta-span: (D_q/2D_φ)², below which no D_θ² lets ⟨φ, θ⟩ have the span D_q: "D_θ should scale at least linearly with D_q".
pub fn least_theta_squared<T: Field>(span: &T, phi_squared: &T) -> Result<T> {
    quotient("D_φ", span.clone() * span, phi_squared.clone() * T::from_int(4))
}

/// Thm C.1: the sum of the eight terms.
pub fn bound<T: Field>(constants: &Constants<T>, rates: &Rates<T>, inner: usize, outer: usize) -> Result<T> {
    let mut total = T::zero();
    for term in bound_terms(constants, rates, inner, outer)? {
        total += term;
    }
    finite("bound", total)
}

/// Thm C.1: K/T = (G_ρ² + 4D_θ²G_θ²)/(4D_β²G_β² + 2D_θ²D_φ²log|A|).
///
/// # Deviation
/// Print has the reciprocal. At the theorem's rates the bound is P/√T + Q/√K with P = 2D_βG_β + D_φD_θ√(2log|A|) and
/// Q = G_ρ + 2D_θG_θ. For a given n = KT it is least at K/T = Q²/P²; this function returns that with P² and Q² replaced by
/// the sums of their two squares, which needs at most 1.07 times the samples.
pub fn inner_per_outer<T: Field>(constants: &Constants<T>) -> Result<T> {
    let (theta, beta) = balance(constants);
    quotient("K/T", theta, beta)
}

/// G_ρ² + 4D_θ²G_θ² and 4D_β²G_β² + 2D_θ²D_φ²log|A|.
fn balance<T: Field>(constants: &Constants<T>) -> (T, T) {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (two, four) = (T::from_int(2), T::from_int(4));
    let theta = second_moment_bound_theta(constants) * theta_squared * &four;
    let beta = second_moment_bound_beta(constants) * beta_squared * four;
    let policy = phi_squared.clone() * theta_squared * log_actions * two;
    (second_moment_bound_rho(constants) + theta, beta + policy)
}

/// Thm C.1: D_θ⁴D_φ⁴D_β⁴ Tr(Λ^{2c−1})‖Λ‖^{2c−1} log|A| / ε⁴, the order of n_ε that the eight terms give.
///
/// # Deviation
/// Print has ‖Λ‖^{2(2c−1)}, which at c = 1 claims too little where ‖Λ‖ < 1; erratum 16, [`crate::errata::theorem_c1_complexity`].
pub fn complexity<T: Field>(constants: &Constants<T>, epsilon: &T) -> Result<T> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, trace, norm, .. } = constants;
    let root = theta_squared.clone() * phi_squared * beta_squared;
    quotient("epsilon", root.clone() * root * trace * norm * log_actions, fourth_power(epsilon))
}

/// Thm 5.3, `thm:AMDP`, Tab 1: D_θ⁴D_φ^{8c}D_β⁴ d^{2−2c} log|A| / ε⁴, as in Theorem 3.2.
///
/// # Deviation
/// Print has D_φ^{12c−2}; erratum 16, [`crate::errata::theorem_5_3_complexity`].
pub fn simplified_complexity<T: Field>(c: Exponent, dim: usize, constants: &Constants<T>, epsilon: &T) -> Result<T> {
    complexity(&constants.clone().without_covariance(c, dim), epsilon)
}

/// Cor C.2, `cavg`: D_q⁴C_{φ,c}² d^{4−2c} log|A| / ε⁴.
///
/// # Deviation
/// As in Corollary 3.3, D_β is proportional to √C, not to C; erratum 4.
pub fn corollary_complexity<T: Field>(
    c: Exponent,
    dim: usize,
    span: &T,
    log_actions: &T,
    coverage: &T,
    epsilon: &T,
) -> Result<T> {
    let d: T = count(dim);
    let power = match c {
        Exponent::Half => d.clone() * &d * &d,
        Exponent::One => d.clone() * d,
    };
    quotient("epsilon", power * fourth_power(span) * coverage * coverage * log_actions, fourth_power(epsilon))
}

/// K, T and the learning rates, ready for a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// α, η, ζ, ξ.
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

    /// K and T for n ≥ 2 rows of data: T = √(n/(K/T)), rounded to the nearest in 1 … n/2, and K = ⌊n/T⌋ − 1.
    pub fn for_rows(constants: &Constants<f64>, rows: usize) -> Result<Self> {
        let ideal = (positive::<f64>("rows", rows)? / inner_per_outer(constants)?).sqrt();
        let outer = rounded_up(ideal - 0.5)?.clamp(1, (rows / 2).max(1));
        Self::new(constants, rows / outer - 1, outer)
    }

    /// K and T with a bound of at most ε, from (P + Q√(T/K))/√T = ε; n_ε = (K + 1)T is [`Tuning::samples`].
    pub fn for_epsilon(constants: &Constants<f64>, epsilon: f64) -> Result<Self> {
        let root = quotient("epsilon", bound_at_one(constants)?, epsilon)?;
        let tuning = Self::for_outer(constants, rounded_up(root * root)?)?;
        // K and T are rounded up, so only the rounding of the root can leave the bound above ε.
        if tuning.bound <= epsilon { Ok(tuning) } else { Self::for_outer(constants, tuning.outer + 1) }
    }

    /// n = (K + 1)T.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.inner.saturating_add(1).saturating_mul(self.outer)
    }
}

/// P + Q√(T/K): the bound at T = 1 and the theorem's rates and K/T.
fn bound_at_one<T: Real>(constants: &Constants<T>) -> Result<T> {
    let Constants { log_actions, phi_squared, theta_squared, beta_squared, .. } = constants;
    let (two, four, ratio) = (T::from_int(2), T::from_int(4), inner_per_outer(constants)?);
    let policy = (two * log_actions * phi_squared * theta_squared).sqrt();
    let beta = (four.clone() * beta_squared * second_moment_bound_beta(constants)).sqrt();
    let theta = (four * theta_squared * second_moment_bound_theta(constants) / &ratio).sqrt();
    let rho = (second_moment_bound_rho(constants) / ratio).sqrt();
    finite("bound", policy + beta + theta + rho)
}
