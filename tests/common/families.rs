//! The enumerated families.

use super::{Model, Q, deterministic_rows, halves, policies, q, word};

/// Every MDP with |X| = |A| = 2, transition rows and rewards on {0, 1/2, 1}, γ ∈ {0, 1/2, 9/10}: 3·81·81 of them.
pub fn two_state(index: usize) -> Model {
    let rows: Vec<Vec<Q>> = halves().iter().map(|p| vec![*p, q(1, 1) - p]).collect();
    let next = word(&rows, 4, index % 81);
    let reward = word(&halves(), 4, index / 81 % 81);
    let discount = [q(0, 1), q(1, 2), q(9, 10)][index / (81 * 81)];
    Model::tabular(2, 2, &next, &reward, &[q(1, 3), q(2, 3)], discount)
}

pub const TWO_STATE_MODELS: usize = 3 * 81 * 81;

/// Λ^c of the two-state models: c = 1 for a μ_B with Λ = diag(16, 4, 4, 1)/25, c = 1/2 for the same one, whose root
/// diag(4, 2, 2, 1)/5 is rational.
pub fn two_state_powers() -> [Vec<Q>; 2] {
    [[16, 4, 4, 1].map(|n| q(n, 25)).to_vec(), [4, 2, 2, 1].map(|n| q(n, 5)).to_vec()]
}

/// The deterministic policies and the uniform one.
pub fn two_state_comparators() -> Vec<Vec<Q>> {
    let mut all = policies(2, &deterministic_rows(2));
    all.push(vec![q(1, 2); 4]);
    all
}

pub fn two_state_policies() -> Vec<Vec<Q>> {
    policies(2, &halves().map(|p| vec![p, q(1, 1) - p]))
}

/// Three states, two actions, tabular: 3⁶ tables of deterministic transitions, 4 reward tables on {0, 1} each, γ = 1/2, c = 1.
pub fn three_state(index: usize) -> Model {
    let rows = deterministic_rows(3);
    let reward = word(&[q(0, 1), q(1, 1)], 6, 11 + 13 * (index / 729));
    let initial = [q(1, 2), q(1, 4), q(1, 4)];
    let mu_b = [1, 2, 3, 3, 2, 1].map(|n| q(n, 12));
    Model::tabular(3, 2, &word(&rows, 6, index % 729), &reward, &initial, q(1, 2)).with_covariance(&mu_b)
}

pub const THREE_STATE_MODELS: usize = 729 * 4;

/// Four deterministic comparators; three deterministic policies π₁ and the uniform one.
pub fn three_state_policies() -> (Vec<Vec<Q>>, Vec<Vec<Q>>) {
    let all = policies(3, &deterministic_rows(2));
    let some = all.iter().step_by(3).cloned().chain([vec![q(1, 2); 6]]).collect();
    (all[..4].to_vec(), some)
}

/// d = 2 < |X||A| = 4: every feature table over {e₁, e₂, their mean} of rank 2 and every ψ, ω on {0, 1/2, 1}, in a
/// sheared basis, so that features and ψ have mixed signs.
pub fn low_rank(index: usize) -> Option<Model> {
    let shear = |row: [Q; 2]| vec![row[0], row[0] + row[1]];
    let unshear = |row: [Q; 2]| vec![row[0] - row[1], row[1]];
    let atoms = [[q(1, 1), q(0, 1)], [q(0, 1), q(1, 1)], [q(1, 2), q(1, 2)]];
    let rows = word(&atoms, 4, index % 81);
    if rows.iter().all(|row| *row == rows[0]) {
        return None;
    }
    let toward_zero = word(&halves(), 2, index / 81 % 9);
    let omega = word(&halves(), 2, index / 729 % 9);
    let away: Vec<Q> = toward_zero.iter().map(|p| q(1, 1) - p).collect();
    // Φ' = ΦS and Ψ' = S⁻¹Ψ with S = [[1, 1], [0, 1]].
    let psi = [[toward_zero[0], toward_zero[1]], [away[0], away[1]]].into_iter().flat_map(unshear).collect();
    let mut model = Model::tabular(2, 2, &vec![vec![q(0, 1); 2]; 4], &[q(0, 1); 4], &[q(1, 3), q(2, 3)], q(9, 10));
    model.shape.dim = 2;
    model.features = rows.into_iter().flat_map(shear).collect();
    model.omega = unshear([omega[0], omega[1]]);
    model.psi = psi;
    Some(model.with_covariance(&[q(1, 10), q(2, 10), q(3, 10), q(4, 10)]))
}

/// A fixed, unstructured set of rational points.
pub fn point(dim: usize, seed: usize) -> Vec<Q> {
    (0..dim).map(|i| q(((seed * 7 + i * 5) % 11) as i64 - 5, ((seed + i) % 3) as i64 + 1)).collect()
}
