//! A run's iterates as arrays.

/// Which iterates a caller wants.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Those of the outer loop.
    pub outer: bool,
    /// Those of the inner loop.
    pub inner: bool,
}

/// θ_t, β_t, Σ_{i≤t} θ_i and, in the average-reward setting, ρ_t, iteration after iteration.
#[derive(Debug, Default)]
pub struct Outer {
    /// θ_t.
    pub theta: Vec<f64>,
    /// β_t.
    pub beta: Vec<f64>,
    /// Σ_{i≤t} θ_i.
    pub theta_sum: Vec<f64>,
    /// ρ_t; empty in the discounted setting.
    pub rho: Vec<f64>,
}

/// The gradient of every inner step and what it led to, step after step.
#[derive(Debug, Default)]
pub struct Inner {
    /// g̃_θ.
    pub gradient: Vec<f64>,
    /// θ after the step.
    pub theta: Vec<f64>,
    /// ρ after the step; empty in the discounted setting.
    pub rho: Vec<f64>,
}

/// What of them is kept.
#[derive(Debug, Default)]
pub struct Arrays {
    pub outer: Option<Outer>,
    pub inner: Option<Inner>,
}

impl Arrays {
    pub fn new(wanted: Wanted) -> Self {
        Self { outer: wanted.outer.then(Outer::default), inner: wanted.inner.then(Inner::default) }
    }

    pub fn outer_step(&mut self, theta: &[f64], rho: Option<f64>, beta: &[f64], theta_sum: &[f64]) {
        let Some(outer) = &mut self.outer else { return };
        outer.theta.extend_from_slice(theta);
        outer.beta.extend_from_slice(beta);
        outer.theta_sum.extend_from_slice(theta_sum);
        outer.rho.extend(rho);
    }

    #[inline]
    pub fn inner_step(&mut self, gradient: &[f64], theta: &[f64], rho: Option<f64>) {
        let Some(inner) = &mut self.inner else { return };
        inner.gradient.extend_from_slice(gradient);
        inner.theta.extend_from_slice(theta);
        inner.rho.extend(rho);
    }
}
