//! What every field is and what it is made of: for reports, and the same table as in `docs/algorithms.md`.

use crate::paper::Setting;
use crate::steps::Quantity;

/// A field's formula and the fields it is computed from.
#[derive(Debug, Clone, Copy)]
pub struct Formula {
    /// The formula.
    pub text: &'static str,
    /// The fields of the same step that it reads; iterates and sums of earlier steps come to them.
    pub inputs: &'static [Quantity],
}

/// The formula of a field, in an inner or an outer step.
#[must_use]
#[rustfmt::skip]
pub fn formula(setting: Setting, is_inner: bool, field: Quantity) -> Option<Formula> {
    use Quantity as F;
    let is_average = setting == Setting::Average;
    let (text, inputs): (_, &'static [Quantity]) = match (is_inner, field) {
        (_, F::Phi) => ("φ(X, A)", &[]),
        (_, F::PolicyNext) => ("π_t(·|X') = softmax(α⟨φ(X', ·), Σ_{i<t} θ_i⟩)", &[]),
        (true, F::W) => ("w = ⟨φ(X, A), Λ^{c−1}β_t⟩", &[F::Phi]),
        (true, F::PolicyStart) if !is_average => ("π_t(·|X⁰) = softmax(α⟨φ(X⁰, ·), Σ_{i<t} θ_i⟩)", &[]),
        (true, F::MeanFeature) if !is_average =>
            ("Φᵀμ_{t,k} = (1−γ) Σ_a π_t(a|X⁰)φ(X⁰, a) + γw Σ_a π_t(a|X')φ(X', a)", &[F::W, F::PolicyStart, F::PolicyNext]),
        (true, F::Gradient) if !is_average => ("g̃_θ = Φᵀμ_{t,k} − wφ(X, A)", &[F::MeanFeature, F::W, F::Phi]),
        (true, F::ActionNext) if is_average => ("A' = the first action whose cumulative probability under π_t(·|X') exceeds u", &[F::PolicyNext]),
        (true, F::PhiNext) if is_average => ("φ(X', A')", &[F::ActionNext]),
        (true, F::GradientRho) if is_average => ("g̃_ρ = 1 − w", &[F::W]),
        (true, F::Gradient) => ("g̃_θ = wφ(X', A') − wφ(X, A)", &[F::W, F::PhiNext, F::Phi]),
        (true, F::UnprojectedRho) if is_average => ("ρ^(i) − ξg̃_ρ", &[F::GradientRho]),
        (true, F::Unprojected) => ("θ_{t,k} − ηg̃_θ", &[F::Gradient]),
        (true, F::RhoNext) if is_average => ("ρ^(i+1) = Π_[0,1](ρ^(i) − ξg̃_ρ)", &[F::UnprojectedRho]),
        (true, F::ThetaNext) => ("θ_{t,k+1} = Π_{B(D_θ)}(θ_{t,k} − ηg̃_θ)", &[F::Unprojected]),
        (false, F::Theta) => ("θ_t = (1/K) Σ_{k=1}^{K} θ_{t,k}", &[]),
        (false, F::Rho) if is_average => ("ρ_t = (1/K) Σ_{i=1}^{K} ρ_t^(i)", &[]),
        (false, F::ValueNext) => ("v_t(X') = Σ_a π_t(a|X')⟨φ(X', a), θ_t⟩", &[F::PolicyNext, F::Theta]),
        (false, F::TdError) if is_average => ("R + v_t(X') − ⟨φ(X, A), θ_t⟩ − ρ_t", &[F::ValueNext, F::Phi, F::Theta, F::Rho]),
        (false, F::TdError) => ("R + γv_t(X') − ⟨φ(X, A), θ_t⟩", &[F::ValueNext, F::Phi, F::Theta]),
        (false, F::Gradient) => ("g̃_β = Λ^{c−1}φ(X, A)·td_error", &[F::Phi, F::TdError]),
        (false, F::Unprojected) => ("β_t + ζg̃_β", &[F::Gradient]),
        (false, F::BetaNext) => ("β_{t+1} = Π_{B(D_β)}(β_t + ζg̃_β)", &[F::Unprojected]),
        (false, F::ThetaSum) => ("Σ_{i≤t} θ_i", &[F::Theta]),
        _ => return None,
    };
    Some(Formula { text, inputs })
}
