//! What floating point adds to the theorems' bounds: the rounding terms of `theorem_A_1_program` and `theorem_C_1_program`, proved in
//! Coq for the operations of the boxes in their documented order (`proofs/coq/Rounding1.v`, `FloatAlgorithm2.v`; README there).
//!
//! Line by line the definitions of Coq; b is a bound on what is computed, e on its error. Evaluating them in doubles is itself off by
//! a relative 10⁻¹³ or so, of numbers that are tiny.

use crate::error::{Error, Result};

/// ε = 2u, u = 2⁻⁵³.
const EPS: f64 = f64::EPSILON;
/// The library's exponential: 16u.
const EXP: f64 = 8.0 * EPS;

/// A run, as far as its rounding is concerned.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    /// d.
    pub dim: usize,
    /// |A|.
    pub actions: usize,
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// α.
    pub alpha: f64,
    /// η.
    pub eta: f64,
    /// ζ.
    pub zeta: f64,
    /// D_θ.
    pub radius_theta: f64,
    /// D_β.
    pub radius_beta: f64,
    /// D_φ.
    pub feature_bound: f64,
    /// ν: bounds ‖|N||v|‖/‖v‖ for the matrix N held for Λ^{c−1}; 1 at c = 1.
    pub weight_norm: f64,
    /// e_Λ: bounds ‖(N − Λ^{c−1})v‖/‖v‖; 0 at c = 1.
    pub weight_error: f64,
    /// ‖Λ‖^{2c−1}.
    pub norm: f64,
    /// Tr(Λ^{2c−1}).
    pub trace: f64,
}

/// The errors that the steps of both algorithms share, and what they are made of.
struct Shared {
    roundings: f64,
    sum: f64,
    policy: f64,
    logits: f64,
    total: f64,
    weight: (f64, f64),
    w: (f64, f64),
    mass: (f64, f64),
    average: f64,
    product: f64,
    value: (f64, f64),
}

#[allow(clippy::cast_precision_loss)] // counts are at most 2^28
fn count(n: usize) -> f64 {
    n as f64
}

impl Sizes {
    /// B_θ and B_β: no iterate leaves its ball by more than 1/1024 of the radius.
    fn balls(&self) -> (f64, f64) {
        let slack = 1.0 + 1.0 / 1024.0;
        (self.radius_theta * slack, self.radius_beta * slack)
    }

    fn shared(&self) -> Shared {
        let (ball_theta, ball_beta) = self.balls();
        let (m, m_actions) = (count(3 + self.dim.div_ceil(8)), count(3 + self.actions.div_ceil(8)));
        let (actions, outer, phi) = (count(self.actions), count(self.outer), self.feature_bound);
        let sum = EPS * outer * ball_theta;
        let b_z = self.alpha * phi * outer * (ball_theta + sum);
        let e_z = (m + 2.0) * EPS * b_z;
        let e_l = e_z + EPS * 2.0 * (b_z + e_z);
        let e_1 = (actions + 2.0) * EPS;
        let e_n = (m + 2.0) * EPS * self.weight_norm + self.weight_error;
        let b_n = (1.0 + (m + 2.0) * EPS) * self.weight_norm;
        let b_w = (1.0 + m * EPS) * phi * b_n * ball_beta;
        let e_w = m * EPS * phi * b_n * ball_beta + phi * e_n * ball_beta;
        let b_q = (1.0 + m * EPS) * phi * ball_theta;
        let b_v = (1.0 + m_actions * EPS) * (1.0 + e_1) * b_q;
        let e_v =
            m_actions * EPS * (1.0 + e_1) * b_q + (1.0 + e_1) * m * EPS * phi * ball_theta + e_1 * phi * ball_theta;
        Shared {
            roundings: m,
            sum,
            policy: 2.0 * (2.0 * e_l + EXP * (1.0 + 2.0 * e_l) + EPS),
            logits: e_l,
            total: e_1,
            weight: (b_n, e_n),
            w: (b_w, e_w),
            mass: ((1.0 + EPS) * (1.0 + b_w), EPS * (1.0 + b_w) + e_w),
            average: if self.inner == 1 { 0.0 } else { (count(self.inner) + 3.0) * EPS * ball_theta },
            product: b_q,
            value: (b_v, e_v),
        }
    }

    /// The error of a step of θ along a gradient of size b and error e.
    fn step_theta(&self, m: f64, (b, e): (f64, f64)) -> f64 {
        let moved = (1.0 + EPS) * b * self.eta;
        let b_y = self.balls().0 + (1.0 + EPS) * moved;
        e * self.eta + EPS * moved + EPS * b_y + (m + 8.0) * EPS * self.radius_theta
    }

    /// The error of a step of β along Λ^{c−1}φ times a difference of size b and error e.
    fn step_beta(&self, s: &Shared, (b, e): (f64, f64)) -> f64 {
        let (phi, (b_n, e_n)) = (self.feature_bound, s.weight);
        let b_h = b_n * phi * (1.0 + EPS) * b;
        let e_h = e_n * phi * (1.0 + EPS) * b + (self.weight_norm + self.weight_error) * phi * e;
        let b_x = self.balls().1 + (1.0 + EPS) * b_h * self.zeta;
        e_h * self.zeta + EPS * b_h * self.zeta + EPS * b_x + (s.roundings + 8.0) * EPS * self.radius_beta
    }

    /// What Coq asks for: sizes that are known before a run starts.
    fn expect_range(&self, s: &Shared, (theta, kappa, beta): (f64, f64, f64), xi: f64) -> Result<()> {
        let between = |x: f64| (libm::ldexp(1.0, -100)..=libm::ldexp(1.0, 100)).contains(&x);
        let counts = [self.actions, self.inner, self.outer];
        let sizes = [self.alpha, self.zeta, self.eta, xi, self.radius_theta, self.radius_beta, self.feature_bound];
        let fits = counts.iter().all(|n| (1..=1 << 28).contains(n))
            && self.dim <= 1 << 28
            && sizes.iter().chain([&self.weight_norm]).all(|x| between(*x))
            && (0.0..=self.weight_norm).contains(&self.weight_error)
            && s.logits <= 0.125
            && theta.is_finite()
            && kappa <= self.radius_theta / 1024.0
            && beta <= self.radius_beta / 1024.0;
        let expected = "the range of proofs/coq/README.md, \"The program, in floating point\"";
        if fits { Ok(()) } else { Err(Error::OutOfRange { what: "run", index: Error::SCALAR, expected }) }
    }

    /// The parts that both terms have: θ's two, β's, the policy's.
    fn common(&self, s: &Shared, theta: f64, beta: f64) -> f64 {
        let (d_theta, d_beta, phi) = (self.radius_theta, self.radius_beta, self.feature_bound);
        let kappa = theta + 2.0 * s.average;
        let drift = kappa + s.sum;
        (4.0 * d_theta * kappa + kappa * kappa) / (2.0 * self.eta * count(self.inner))
            + (4.0 * d_theta * theta + theta * theta) / (2.0 * self.eta)
            + (4.0 * d_beta * beta + beta * beta) / (2.0 * self.zeta)
            + 2.0 * phi * s.sum
            + s.policy * phi * (d_theta + kappa)
            + self.alpha / 2.0 * phi * phi * (2.0 * d_theta * drift + drift * drift)
    }
}

/// `rounding_term` of Theorem A.1 for the program: its six terms and this bound the mean suboptimality of Algorithm 1 in doubles. `Err`
/// outside the range of the theorem.
pub fn rounding_term(sizes: &Sizes, discount: f64) -> Result<f64> {
    let s = sizes.shared();
    let (phi, actions) = (sizes.feature_bound, count(sizes.actions));
    let ((b_w, e_w), (b_c, e_c)) = (s.w, s.mass);
    let b_f = (1.0 + s.total) * phi * b_c;
    let e_f = (2.0 * actions + 2.0) * EPS * b_f + phi * (s.total * b_c + e_c);
    let b_g = (1.0 + (2.0 * actions + 2.0) * EPS) * b_f + (1.0 + EPS) * phi * b_w;
    let e_g = e_f + EPS * phi * b_w + phi * e_w + EPS * b_g;
    let theta = sizes.step_theta(s.roundings, (b_g, e_g));

    let m_product = s.roundings * EPS * phi * sizes.balls().0;
    let b_r = 1.0 + (1.0 + EPS) * s.value.0;
    let b_t = (1.0 + EPS) * b_r + s.product;
    let e_t = s.value.1 + EPS * s.value.0 + EPS * b_r + m_product + EPS * b_t;
    let beta = sizes.step_beta(&s, (b_t, e_t));

    let kappa = theta + 2.0 * s.average;
    sizes.expect_range(&s, (theta, kappa, beta), 1.0)?;
    let (one, two) = ((1.0 - discount) * (1.0 - discount), 1.0 + discount * discount);
    let (d_theta, d_beta) = (sizes.radius_theta, sizes.radius_beta);
    let wider = d_beta + beta;
    Ok(sizes.common(&s, theta, beta)
        + s.average * (3.0 * phi * phi * (one + two * wider * wider * sizes.norm)).sqrt()
        + sizes.eta / 2.0 * 3.0 * phi * phi * two * sizes.norm * (2.0 * d_beta * beta + beta * beta)
        + sizes.zeta / 2.0 * 3.0 * two * phi * phi * sizes.trace * (2.0 * d_theta * kappa + kappa * kappa))
}

/// `rounding_term2` of Theorem C.1 for the program, Algorithm 2, ρ's rate being ξ.
pub fn average_rounding_term(sizes: &Sizes, xi: f64) -> Result<f64> {
    let s = sizes.shared();
    let (phi, norm) = (sizes.feature_bound, sizes.norm);
    let ((b_w, e_w), (b_c, e_c)) = (s.w, s.mass);
    let b_g = 2.0 * (1.0 + EPS) * phi * b_w;
    let e_g = 2.0 * (EPS * phi * b_w + phi * e_w) + EPS * b_g;
    let theta = sizes.step_theta(s.roundings, (b_g, e_g));
    let b_rho = 1.0 + (1.0 + EPS) * b_c * xi;
    let rho = e_c * xi + EPS * b_c * xi + EPS * b_rho;
    let rho_average = if sizes.inner == 1 { 0.0 } else { (count(sizes.inner) + 3.0) * EPS };

    let m_product = s.roundings * EPS * phi * sizes.balls().0;
    let b_s = (1.0 + EPS) * (1.0 + s.value.0) + s.product;
    let b_t = (1.0 + EPS) * b_s + 1.0;
    let e_t = s.value.1 + EPS * (1.0 + s.value.0) + m_product + EPS * b_s + EPS * b_t;
    let beta = sizes.step_beta(&s, (b_t, e_t));
    let draw = (8.0 * count(sizes.actions) + 9.0) * EPS;

    let kappa = theta + 2.0 * s.average;
    sizes.expect_range(&s, (theta, kappa, beta), xi)?;
    let (d_theta, d_beta) = (sizes.radius_theta, sizes.radius_beta);
    let (wider, grown) = (d_beta + beta, 2.0 * d_beta * beta + beta * beta);
    Ok(sizes.common(&s, theta, beta)
        + s.average * (4.0 * phi * phi * wider * wider * norm).sqrt()
        + sizes.eta / 2.0 * 4.0 * phi * phi * norm * grown
        + (2.0 * d_theta + kappa) * draw * phi * norm.sqrt() * wider
        + (2.0 * rho + rho * rho) / (2.0 * xi)
        + rho_average * (2.0 + 2.0 * wider * wider * norm).sqrt()
        + xi / 2.0 * 2.0 * norm * grown
        + sizes.zeta / 2.0
            * sizes.trace
            * (4.0 * (1.0 + 2.0 * phi * d_theta) * phi * kappa + 4.0 * phi * phi * kappa * kappa))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::discounted::guarantee::{Constants, bound, rates};

    fn example(inner: usize, outer: usize) -> (f64, f64) {
        let constants = Constants {
            discount: 0.95,
            log_actions: libm::log(10.0),
            phi_squared: 1.0,
            theta_squared: 400.0,
            beta_squared: 100.0,
            trace: 1.0,
            norm: 1.0,
        };
        let rates = rates(&constants, inner, outer).unwrap();
        let sizes = Sizes {
            dim: 50,
            actions: 10,
            inner,
            outer,
            alpha: rates.alpha,
            eta: rates.eta,
            zeta: rates.zeta,
            radius_theta: 20.0,
            radius_beta: 10.0,
            feature_bound: 1.0,
            weight_norm: 1.0,
            weight_error: 0.0,
            norm: 1.0,
            trace: 1.0,
        };
        (rounding_term(&sizes, 0.95).unwrap(), bound(&constants, &rates, inner, outer).unwrap())
    }

    /// The two runs that proofs/coq/README.md works out.
    #[test]
    fn the_example_of_the_proofs() {
        let (term, bound) = example(1000, 1000);
        assert_eq!((format!("{term:.0e}"), format!("{bound:.0}")), ("3e-10".to_owned(), "62".to_owned()));
        let (term, bound) = example(1 << 28, 1 << 28);
        assert_eq!((format!("{term:.0e}"), format!("{bound:.2}")), ("3e-5".to_owned(), "0.12".to_owned()));
    }

    #[test]
    fn a_run_outside_the_range_is_refused() {
        let sizes = Sizes {
            dim: 2,
            actions: 2,
            inner: 1 << 29,
            outer: 2,
            alpha: 1.0,
            eta: 1.0,
            zeta: 1.0,
            radius_theta: 1.0,
            radius_beta: 1.0,
            feature_bound: 1.0,
            weight_norm: 1.0,
            weight_error: 0.0,
            norm: 1.0,
            trace: 1.0,
        };
        assert!(rounding_term(&sizes, 0.5).is_err());
        assert!(average_rounding_term(&sizes, 1.0).is_err());
        let sizes = Sizes { inner: 4, ..sizes };
        assert!(rounding_term(&sizes, 0.5).unwrap() > 0.0);
        assert!(average_rounding_term(&sizes, 1.0).unwrap() > rounding_term(&sizes, 0.5).unwrap() / 10.0);
    }
}
