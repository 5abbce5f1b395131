//! Section 3, below (10), and Table 1: what Algorithm 1 costs.

/// S3.cost, Tab 1: |A|dn, of which the number of elementary operations is a multiple: n = KT samples.
#[must_use]
pub fn operations_order(actions: usize, dim: usize, samples: usize) -> u64 {
    let [actions, dim, samples] = [actions, dim, samples].map(|n| u64::try_from(n).unwrap_or(u64::MAX));
    actions.saturating_mul(dim).saturating_mul(samples)
}

/// S3.cost: elementary operations (+, −, ·, /, √, exp, comparisons) that Algorithm 1 takes at c = 1, at most 160|A|dn. For each sample these are
/// two policies, μ and Φᵀμ, each of a few operations for each action and feature, and a few vectors of R^d: products with β and θ, the step, the
/// projection, sums. The constant leaves room for |A| = d = 1, and for the assertions of a build that has them.
///
/// # Deviation
/// At c = 1/2 there are products with Λ^{c−1} besides, of d² operations: two for each t, Λ^{c−1}β_t and Λ^{c−1}φ_t, as the algorithm is run here.
/// Print's box has one for each sample, and is not O(|A|dn).
#[must_use]
pub fn operations_bound(actions: usize, dim: usize, samples: usize) -> u64 {
    operations_order(actions, dim, samples).saturating_mul(160)
}
