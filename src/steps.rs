//! What a run computes, step by step, field by field, in the order in which it is computed: how the engine is held against the boxes, and
//! another implementation against both.

use crate::number::Real;
use crate::paper::{average_reward, discounted};
use core::slice::from_ref;

/// An intermediate of a step, in the order of computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// φ(X, A).
    Phi,
    /// Inner steps: w = ⟨φ(X,A), Λ^{c−1}β_t⟩.
    W,
    /// Algorithm 1's inner steps: π_t(·|X⁰).
    PolicyStart,
    /// Outer steps: θ_t, the average.
    Theta,
    /// Algorithm 2's outer steps: ρ_t, the average.
    Rho,
    /// π_t(·|X').
    PolicyNext,
    /// Algorithm 2's inner steps: A'.
    ActionNext,
    /// Algorithm 2's inner steps: φ(X', A').
    PhiNext,
    /// Algorithm 1's inner steps: Φᵀμ_{t,k}.
    MeanFeature,
    /// Outer steps: v_t(X').
    ValueNext,
    /// Outer steps: the temporal difference.
    TdError,
    /// Algorithm 2's inner steps: g̃_ρ.
    GradientRho,
    /// g̃_θ in inner steps, g̃_β in outer steps.
    Gradient,
    /// Algorithm 2's inner steps: ρ before Π.
    UnprojectedRho,
    /// θ (outer steps: β) before Π.
    Unprojected,
    /// Algorithm 2's inner steps: ρ^(i+1).
    RhoNext,
    /// Inner steps: θ_{t,k+1}.
    ThetaNext,
    /// Outer steps: β_{t+1}.
    BetaNext,
    /// Outer steps: Σ_{i≤t} θ_i.
    ThetaSum,
}

/// Every field with its name in files.
pub const FIELDS: [(Quantity, &str); 19] = [
    (Quantity::Phi, "phi"),
    (Quantity::W, "w"),
    (Quantity::PolicyStart, "policy_start"),
    (Quantity::Theta, "theta"),
    (Quantity::Rho, "rho"),
    (Quantity::PolicyNext, "policy_next"),
    (Quantity::ActionNext, "a_next"),
    (Quantity::PhiNext, "phi_next"),
    (Quantity::MeanFeature, "mean_feature"),
    (Quantity::ValueNext, "value_next"),
    (Quantity::TdError, "td_error"),
    (Quantity::GradientRho, "gradient_rho"),
    (Quantity::Gradient, "gradient"),
    (Quantity::UnprojectedRho, "unprojected_rho"),
    (Quantity::Unprojected, "unprojected"),
    (Quantity::RhoNext, "rho_next"),
    (Quantity::ThetaNext, "theta_next"),
    (Quantity::BetaNext, "beta_next"),
    (Quantity::ThetaSum, "theta_sum"),
];

impl Quantity {
    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        FIELDS.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }

    /// The field of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        FIELDS.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }

    /// Whether every result must have it, in every outer step (ρ_t in the average-reward setting).
    #[must_use]
    pub fn is_result(self) -> bool {
        matches!(self, Self::Theta | Self::Rho | Self::BetaNext)
    }
}

/// One step of a run; `V` is `f64`, or what a checking scalar knows about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<V = f64> {
    /// t, from 1.
    pub t: usize,
    /// k (Algorithm 2: i), from 1; `None` for the outer step.
    pub k: Option<usize>,
    /// The fields, scalars as one number.
    pub fields: Vec<(Quantity, Vec<V>)>,
}

impl<V> Step<V> {
    /// The numbers of a field.
    #[must_use]
    pub fn get(&self, field: Quantity) -> Option<&[V]> {
        self.fields.iter().find(|(name, _)| *name == field).map(|(_, values)| values.as_slice())
    }
}

impl Step {
    /// What every result must say about outer iteration t: θ_t, β_{t+1} and, in the average-reward setting, ρ_t.
    #[must_use]
    pub fn of_results(t: usize, theta: &[f64], beta_next: &[f64], rho: Option<f64>) -> Self {
        let mut fields = vec![(Quantity::Theta, theta.to_vec()), (Quantity::BetaNext, beta_next.to_vec())];
        fields.extend(rho.map(|rho| (Quantity::Rho, vec![rho])));
        Self { t, k: None, fields }
    }
}

/// The steps of a run in order.
pub type Trace<V = f64> = Vec<Step<V>>;

/// The outer steps of a trace with what every result must have: θ_t, ρ_t, β_{t+1}.
#[must_use]
pub fn results_only(trace: &Trace) -> Trace {
    let outer = trace.iter().filter(|step| step.k.is_none()).cloned();
    outer
        .map(|mut step| {
            step.fields.retain(|(field, _)| field.is_result());
            step
        })
        .collect()
}

/// `t = 2, k = 3` or `t = 2`.
pub(crate) fn place(t: usize, k: Option<usize>) -> String {
    k.map_or_else(|| format!("t = {t}"), |k| format!("t = {t}, k = {k}"))
}

/// Writes down what a run shows.
pub(crate) struct Transcript<'w, T = f64> {
    pub trace: Trace<T>,
    /// Which steps are wanted; all of them where nobody says.
    wanted: Option<&'w dyn Fn(usize, Option<usize>) -> bool>,
}

impl<T> Default for Transcript<'_, T> {
    fn default() -> Self {
        Self { trace: Vec::new(), wanted: None }
    }
}

impl<'w, T> Transcript<'w, T> {
    pub fn of(wanted: &'w dyn Fn(usize, Option<usize>) -> bool) -> Self {
        Self { trace: Vec::new(), wanted: Some(wanted) }
    }
}

impl<T: Real> Transcript<'_, T> {
    fn push(&mut self, t: usize, k: Option<usize>, fields: &[(Quantity, &[T])]) {
        if self.wanted.is_some_and(|wanted| !wanted(t, k)) {
            return;
        }
        let fields = fields.iter().map(|(field, values)| (*field, values.to_vec())).collect();
        self.trace.push(Step { t, k, fields });
    }
}

impl<T: Real> discounted::algorithm::Observer<T> for Transcript<'_, T> {
    fn inner_step(&mut self, step: &discounted::algorithm::InnerStep<T>) {
        let fields = [
            (Quantity::Phi, step.phi),
            (Quantity::W, from_ref(step.w)),
            (Quantity::PolicyStart, step.policy_start),
            (Quantity::PolicyNext, step.policy_next),
            (Quantity::MeanFeature, step.mean_feature),
            (Quantity::Gradient, step.gradient),
            (Quantity::Unprojected, step.unprojected),
            (Quantity::ThetaNext, step.theta_next),
        ];
        self.push(step.t, Some(step.k), &fields);
    }

    fn outer_step(&mut self, step: &discounted::algorithm::OuterStep<T>) {
        let fields = [
            (Quantity::Phi, step.phi),
            (Quantity::Theta, step.theta),
            (Quantity::PolicyNext, step.policy_next),
            (Quantity::ValueNext, from_ref(step.value_next)),
            (Quantity::TdError, from_ref(step.td_error)),
            (Quantity::Gradient, step.gradient),
            (Quantity::Unprojected, step.unprojected),
            (Quantity::BetaNext, step.beta_next),
            (Quantity::ThetaSum, step.theta_sum),
        ];
        self.push(step.t, None, &fields);
    }
}

impl<T: Real> average_reward::algorithm::Observer<T> for Transcript<'_, T> {
    fn inner_step(&mut self, step: &average_reward::algorithm::InnerStep<T>) {
        let a_next = T::from_count(step.a_next);
        let fields = [
            (Quantity::Phi, step.phi),
            (Quantity::W, from_ref(step.w)),
            (Quantity::PolicyNext, step.policy_next),
            (Quantity::ActionNext, from_ref(&a_next)),
            (Quantity::PhiNext, step.phi_next),
            (Quantity::GradientRho, from_ref(step.gradient_rho)),
            (Quantity::Gradient, step.gradient),
            (Quantity::UnprojectedRho, from_ref(step.unprojected_rho)),
            (Quantity::Unprojected, step.unprojected),
            (Quantity::RhoNext, from_ref(step.rho_next)),
            (Quantity::ThetaNext, step.theta_next),
        ];
        self.push(step.t, Some(step.i), &fields);
    }

    fn outer_step(&mut self, step: &average_reward::algorithm::OuterStep<T>) {
        let fields = [
            (Quantity::Phi, step.phi),
            (Quantity::Theta, step.theta),
            (Quantity::Rho, from_ref(step.rho)),
            (Quantity::PolicyNext, step.policy_next),
            (Quantity::ValueNext, from_ref(step.value_next)),
            (Quantity::TdError, from_ref(step.td_error)),
            (Quantity::Gradient, step.gradient),
            (Quantity::Unprojected, step.unprojected),
            (Quantity::BetaNext, step.beta_next),
            (Quantity::ThetaSum, step.theta_sum),
        ];
        self.push(step.t, None, &fields);
    }
}
