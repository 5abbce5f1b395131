//! Certificates: Lemmas 4.1 and 4.2 (C.3 and C.4) on one run, as equal fractions.

use crate::number::exact::BigRational;
use serde::{Serialize, Serializer};

/// What a run was worth, exactly. Fractions are written as `"p/q"`.
#[derive(Debug, Clone, Serialize)]
pub struct Certificate {
    /// G_T at Lemma 4.1's comparators.
    #[serde(serialize_with = "fraction")]
    pub gap: BigRational,
    /// (1/T) Σ_t ⟨μ^{π*} − μ^{π_t}, r⟩.
    #[serde(serialize_with = "fraction")]
    pub suboptimality: BigRational,
    /// The θ-regret.
    #[serde(serialize_with = "fraction")]
    pub regret_theta: BigRational,
    /// The β-regret.
    #[serde(serialize_with = "fraction")]
    pub regret_beta: BigRational,
    /// The π-regret.
    #[serde(serialize_with = "fraction")]
    pub regret_pi: BigRational,
    /// The ρ-regret, in the average-reward setting.
    #[serde(serialize_with = "optional_fraction", skip_serializing_if = "Option::is_none")]
    pub regret_rho: Option<BigRational>,
    /// π*, one row per state.
    pub comparator: Vec<Vec<String>>,
    /// Whether gap = suboptimality = sum of the regrets.
    pub equal: bool,
    /// How it was found: in exact arithmetic.
    pub method: &'static str,
}

impl Certificate {
    /// Compares the fractions.
    #[must_use]
    pub fn new<'a>(
        gap: BigRational,
        suboptimality: BigRational,
        regret_theta: BigRational,
        regret_beta: BigRational,
        regret_pi: BigRational,
        regret_rho: Option<BigRational>,
        comparator: impl Iterator<Item = &'a [BigRational]>,
    ) -> Self {
        let mut sum = regret_theta.clone() + &regret_beta + &regret_pi;
        if let Some(rho) = &regret_rho {
            sum = sum + rho;
        }
        let equal = gap == suboptimality && gap == sum;
        let comparator = comparator.map(|row| row.iter().map(BigRational::to_string).collect()).collect();
        Self {
            gap,
            suboptimality,
            regret_theta,
            regret_beta,
            regret_pi,
            regret_rho,
            comparator,
            equal,
            method: "exact",
        }
    }
}

fn fraction<S: Serializer>(value: &BigRational, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[allow(clippy::ref_option)] // the signature is serde's
fn optional_fraction<S: Serializer>(value: &Option<BigRational>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}
