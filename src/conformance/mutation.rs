//! Deliberate mistakes, the ones implementations make: what a wrong result is compared with to name the likely bug.

use crate::paper::Setting;

/// A wrong variant of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// γ left out of R + γv(X') − ⟨φ, θ⟩.
    DiscountDroppedInTdError,
    /// γ left out of μ's part at X'.
    DiscountDroppedInOccupancy,
    /// 1−γ left out of μ's part at X⁰.
    OneMinusDiscountDropped,
    /// Λ^{c−1} left out everywhere.
    WeightDropped,
    /// Λ^{c−1} left out of w = ⟨φ, Λ^{c−1}β⟩.
    WeightDroppedInTheta,
    /// Λ^{c−1} left out of g̃_β, as in Algorithm 1's box (erratum 7).
    WeightDroppedInBeta,
    /// g̃_θ's last term as (10) prints it, Λ^{c−1}φ⟨φ, β⟩ (erratum 1).
    WeightMisplaced,
    /// One iterate too many in the average: K updates and K + 1 iterates (Algorithm 1: W_t used twice; Algorithm 2: the last update
    /// averaged in).
    OneIterateTooMany,
    /// θ_t is the last iterate, and so is ρ_t.
    LastIterateForAverage,
    /// θ_t is the last iterate, ρ_t the average.
    LastThetaForAverage,
    /// ρ_t is the last iterate, θ_t the average.
    LastRhoForAverage,
    /// X⁰ used where X' belongs in g̃_θ.
    StartForNext,
    /// π(·|X⁰) used for π(·|X') in g̃_θ (erratum 12).
    StartPolicyForNext,
    /// θ not projected.
    ThetaProjectionSkipped,
    /// β not projected.
    BetaProjectionSkipped,
    /// ρ not projected.
    RhoProjectionSkipped,
    /// π_t from θ_{t−1} alone.
    PolicyFromLastTheta,
    /// π_t from the average of the past θ, not from their sum.
    PolicyFromMeanTheta,
    /// α left out of the policy (erratum 9).
    AlphaDropped,
    /// v_t taken with π_{t+1}.
    PolicyTooEarly,
    /// The β step before the θ steps.
    BetaBeforeTheta,
    /// θ_{t,1} = 0 for every t.
    ThetaReset,
    /// ρ_t^(1) = 0 for every t (erratum 9).
    RhoReset,
    /// ρ_t left out of the temporal difference.
    RhoDroppedInTdError,
    /// θ + η g̃_θ.
    ThetaAscends,
    /// β − ζ g̃_β.
    BetaDescends,
    /// ρ + ξ g̃_ρ.
    RhoAscends,
    /// θ_{t+1,1} = the last iterate of t, not θ_t.
    StartsAtLastTheta,
    /// ρ_{t+1}^(1) = the last iterate of t, not ρ_t.
    StartsAtLastRho,
    /// θ_{t,1} not averaged in: K − 1 iterates. Right at K = 1.
    FirstIterateLeftOut,
    /// Algorithm 2: θ^(2) … θ^(K+1) averaged, and so for ρ: each summed after its step.
    AveragedAfterStep,
    /// A' by ≥ u where > u belongs.
    DrawReachesU,
}

impl Mutation {
    /// Every mutation, with its name in files, the setting it is for (`None`: both), and what is wrong.
    pub const ALL: [(Self, &'static str, Option<Setting>, &'static str); 32] = {
        use Mutation as M;
        use Setting::{Average, Discounted};
        [
            (
                M::DiscountDroppedInTdError,
                "discount-dropped-in-td-error",
                Some(Discounted),
                "γ is left out of the temporal difference R + γ v(X') − ⟨φ, θ⟩, (9)",
            ),
            (
                M::DiscountDroppedInOccupancy,
                "discount-dropped-in-occupancy",
                Some(Discounted),
                "γ is left out of the part of μ at X', (8)",
            ),
            (
                M::OneMinusDiscountDropped,
                "one-minus-discount-dropped",
                Some(Discounted),
                "1−γ is left out of the part of μ at X⁰, (8)",
            ),
            (M::WeightDropped, "weight-dropped", None, "Λ^{c−1} is left out of both gradients"),
            (M::WeightDroppedInTheta, "weight-dropped-in-theta", None, "Λ^{c−1} is left out of w = ⟨φ, Λ^{c−1}β⟩"),
            (
                M::WeightDroppedInBeta,
                "weight-dropped-in-beta",
                None,
                "Λ^{c−1} is left out of the gradient of β (erratum 7)",
            ),
            (
                M::WeightMisplaced,
                "weight-misplaced",
                None,
                "the gradient of θ has Λ^{c−1}φ⟨φ, β⟩, as (10) prints, for φ⟨φ, Λ^{c−1}β⟩ (erratum 1)",
            ),
            (
                M::OneIterateTooMany,
                "one-iterate-too-many",
                None,
                "the average over the inner loop has one iterate too many (K + 1 for K)",
            ),
            (
                M::LastIterateForAverage,
                "last-iterate-for-average",
                None,
                "the last inner iterate stands for the average of the inner iterates",
            ),
            (M::StartForNext, "start-for-next", Some(Discounted), "X⁰ is used where X' belongs in the gradient of θ"),
            (
                M::StartPolicyForNext,
                "start-policy-for-next",
                Some(Discounted),
                "π(·|X⁰) is used for π(·|X') in the gradient of θ (erratum 12)",
            ),
            (M::ThetaProjectionSkipped, "theta-projection-skipped", None, "θ is not projected onto its ball"),
            (M::BetaProjectionSkipped, "beta-projection-skipped", None, "β is not projected onto its ball"),
            (M::RhoProjectionSkipped, "rho-projection-skipped", Some(Average), "ρ is not projected onto [0, 1]"),
            (
                M::PolicyFromLastTheta,
                "policy-from-last-theta",
                None,
                "the policy is the softmax of the last θ, without the sum over past θ",
            ),
            (
                M::PolicyFromMeanTheta,
                "policy-from-mean-theta",
                None,
                "the policy is the softmax of the average of past θ, not of their sum",
            ),
            (M::AlphaDropped, "alpha-dropped", None, "α is left out of the policy (erratum 9)"),
            (M::PolicyTooEarly, "policy-too-early", None, "v_t is taken with π_{t+1}: the sum grew by θ_t too early"),
            (M::BetaBeforeTheta, "beta-before-theta", None, "β is updated before θ in every outer iteration"),
            (M::ThetaReset, "theta-reset", None, "the inner loop starts at 0 for θ, not at θ_{t−1}"),
            (M::RhoReset, "rho-reset", Some(Average), "the inner loop starts at 0 for ρ, not at ρ_{t−1} (erratum 9)"),
            (
                M::RhoDroppedInTdError,
                "rho-dropped-in-td-error",
                Some(Average),
                "ρ_t is left out of the temporal difference",
            ),
            (M::ThetaAscends, "theta-ascends", None, "θ goes up its gradient: θ + η g̃_θ for θ − η g̃_θ"),
            (M::BetaDescends, "beta-descends", None, "β goes down its gradient: β − ζ g̃_β for β + ζ g̃_β"),
            (M::RhoAscends, "rho-ascends", Some(Average), "ρ goes up its gradient: ρ + ξ g̃_ρ for ρ − ξ g̃_ρ"),
            (
                M::LastThetaForAverage,
                "last-theta-for-average",
                Some(Average),
                "the last inner iterate of θ stands for the average of the inner iterates; that of ρ is right",
            ),
            (
                M::LastRhoForAverage,
                "last-rho-for-average",
                Some(Average),
                "the last inner iterate of ρ stands for the average of the inner iterates; that of θ is right",
            ),
            (
                M::StartsAtLastTheta,
                "starts-at-last-theta",
                None,
                "the inner loop starts for θ at the last iterate of the one before, not at its average θ_{t−1}",
            ),
            (
                M::StartsAtLastRho,
                "starts-at-last-rho",
                Some(Average),
                "the inner loop starts for ρ at the last iterate of the one before, not at its average ρ_{t−1}",
            ),
            (
                M::FirstIterateLeftOut,
                "first-iterate-left-out",
                None,
                "the first iterate of the inner loop is left out of the average (K − 1 iterates for K)",
            ),
            (
                M::AveragedAfterStep,
                "averaged-after-step",
                Some(Average),
                "the average is that of θ^(2) … θ^(K+1), each taken after its step, not of θ^(1) … θ^(K); and so for ρ",
            ),
            (
                M::DrawReachesU,
                "draw-reaches-u",
                Some(Average),
                "A' is the first action whose cumulative probability is at least u, not the first where it exceeds u",
            ),
        ]
    };

    /// Those that exist in a setting.
    pub fn of(setting: Setting) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |(_, _, only, _)| only.is_none_or(|only| only == setting))
            .map(|entry| entry.0)
    }

    fn entry(self) -> (&'static str, &'static str) {
        Self::ALL.iter().find(|(mutation, ..)| *mutation == self).map_or(("", ""), |(_, name, _, what)| (name, what))
    }

    /// The name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// What is wrong.
    #[must_use]
    pub fn what(self) -> &'static str {
        self.entry().1
    }
}
