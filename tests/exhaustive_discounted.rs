//! Lemmas 4.1 and 4.2 on every model of enumerated families, by rational equality.
//!
//! Both sides are affine in θ_t and affine in β_t (`both_sides_are_affine` tests that). So equality at 0 and the unit
//! vectors, in every combination, is on each enumerated model and policy a proof for all real θ_t and β_t.

mod common;

use common::families::*;
use common::{Model, Q, affine_basis, counts, sum_in_parallel};
use offline_primal_dual::linear::vector::dot;
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::discounted::duality_gap::{
    Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap, occupancy_of, return_of, telescoped,
    theta_stars,
};
use offline_primal_dual::paper::discounted::lagrangian::{
    Saddle, beta_gradient, f_theta, theta_gradient, theta_of_policy,
};
use offline_primal_dual::paper::discounted::regret::{beta_regret, policy_advantage, policy_regret, theta_regret};
use offline_primal_dual::paper::mdp::state_marginal;

/// Everything the two lemmas compare, at one point.
struct Sides {
    suboptimality: Q,
    gap: Q,
    regrets: [Q; 3],
}

impl Sides {
    fn new(model: &Model, comparator: &[Q], policies: &[Q], thetas: &[Q], betas: &[Q], scratch: &mut [Q]) -> Self {
        let mdp = model.mdp();
        let saddle = Saddle::new(mdp, &model.power).unwrap();
        let iterates = Iterates::new(&mdp, thetas, betas, policies).unwrap();
        let beta = beta_star(&saddle, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let stars = theta_stars(&mdp, &iterates, &mut &mut scratch[..]).unwrap().to_vec();
        let comparators = Comparators { policy: comparator, beta: &beta, thetas: &stars };
        Self {
            suboptimality: average_suboptimality(&mdp, comparator, &iterates, scratch).unwrap(),
            gap: dynamic_duality_gap(&saddle, &iterates, &comparators, scratch).unwrap(),
            regrets: [
                theta_regret(&saddle, &iterates, &comparators, scratch).unwrap(),
                beta_regret(&saddle, &iterates, &comparators, scratch).unwrap(),
                policy_regret(&mdp, &iterates, comparator, scratch).unwrap(),
            ],
        }
    }

    fn hold(&self) -> bool {
        self.gap == self.suboptimality && self.gap == self.regrets[0] + self.regrets[1] + self.regrets[2]
    }
}

/// What both lemmas need of one policy π₁, at every point of [`affine_basis`].
struct Row {
    ret: Q,
    /// f(β_j, π₁; θ*).
    f_at_star: Vec<Q>,
    /// ⟨θ_i − θ*, g_θ(β_j)⟩, i outer.
    theta_regret: Vec<Q>,
    /// g_β(θ_i).
    beta_gradients: Vec<Vec<Q>>,
}

impl Row {
    fn new(saddle: &Saddle<Q>, policy: &[Q], points: &[Vec<Q>], scratch: &mut [Q]) -> Self {
        let theta_star = theta_of_policy(saddle.mdp(), policy, &mut &mut scratch[..]).unwrap().to_vec();
        let mut columns = Vec::new();
        let mut f_at_star = Vec::new();
        for beta in points {
            let gradient = theta_gradient(saddle, beta, policy, &mut &mut scratch[..]).unwrap().to_vec();
            let star = dot(&theta_star, &gradient).unwrap();
            columns.push(points.iter().map(|theta| dot(theta, &gradient).unwrap() - star).collect::<Vec<_>>());
            f_at_star.push(f_theta(saddle, beta, policy, &theta_star, scratch).unwrap());
        }
        let theta_regret = (0..points.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        let beta_gradients = points
            .iter()
            .map(|theta| beta_gradient(saddle, policy, theta, &mut &mut scratch[..]).unwrap().to_vec())
            .collect();
        Self { ret: return_of(saddle.mdp(), policy, scratch).unwrap(), f_at_star, theta_regret, beta_gradients }
    }
}

/// Both lemmas for T = 1 on one model: every comparator, every π₁, all real θ₁ and β₁. Returns the number of
/// (model, comparator, policy) cases.
///
/// The gap comes from f, the suboptimality from occupancy measures, the regrets from the gradients; what does not
/// depend on a loop variable is taken out of its loop. `whole_functions_agree` ties this to the whole functions.
fn prove(model: &Model, comparators: &[Vec<Q>], policies: &[Vec<Q>], scratch: &mut [Q]) -> u64 {
    let (mdp, shape) = (model.mdp(), model.shape);
    let saddle = Saddle::new(mdp, &model.power).unwrap();
    let points = affine_basis(shape.dim);
    let rows: Vec<Row> = policies.iter().map(|policy| Row::new(&saddle, policy, &points, scratch)).collect();
    for comparator in comparators {
        let star = beta_star(&saddle, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let mu = occupancy_of(&mdp, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let nu = state_marginal(shape.actions, &mu, &mut &mut scratch[..]).unwrap().to_vec();
        let best = return_of(&mdp, comparator, scratch).unwrap();
        for (i, theta) in points.iter().enumerate() {
            let f_at_iterate = f_theta(&saddle, &star, comparator, theta, scratch).unwrap();
            let q_function = mdp.linear_function(theta, &mut &mut scratch[..]).unwrap().to_vec();
            for (policy, row) in policies.iter().zip(&rows) {
                let suboptimality = best - row.ret;
                let pi = policy_advantage(shape.actions, &nu, comparator, policy, &q_function).unwrap();
                let toward_star = dot(&star, &row.beta_gradients[i]).unwrap();
                for (j, beta) in points.iter().enumerate() {
                    let gap = f_at_iterate - row.f_at_star[j];
                    let beta_regret = toward_star - dot(beta, &row.beta_gradients[i]).unwrap();
                    let regrets = row.theta_regret[i * points.len() + j] + beta_regret + pi;
                    assert_eq!(gap, suboptimality, "Lemma 4.1: {model:?} {policy:?} {comparator:?} {theta:?} {beta:?}");
                    assert_eq!(gap, regrets, "Lemma 4.2: {model:?} {policy:?} {comparator:?} {theta:?} {beta:?}");
                }
            }
        }
    }
    (comparators.len() * policies.len()) as u64
}

#[test]
fn lemmas_4_1_and_4_2_on_every_two_state_mdp() {
    let (comparators, policies, powers) = (two_state_comparators(), two_state_policies(), two_state_powers());
    let cases = sum_in_parallel("two-state models", 2 * TWO_STATE_MODELS, |index| {
        let model = two_state(index / 2).with_diagonal(&powers[index % 2]);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        prove(&model, &comparators, &policies, &mut scratch)
    });
    println!("Lemmas 4.1 and 4.2 proved for all real θ, β on {cases} (model, π*, π₁) cases");
    assert_eq!(cases, 2 * 19_683 * 5 * 9);
    counts::hold(
        "exhaustive",
        "every MDP with two states and two actions, numbers in {0, 1/2, 1}, two Λ^c, with π* and π₁",
        &[("Lemma 4.1", cases), ("Lemma 4.2", cases)],
    );
}

/// Three states, two actions: every table of deterministic transitions, four reward tables on {0, 1}.
#[test]
fn lemmas_4_1_and_4_2_on_three_state_mdps() {
    let (comparators, policies) = three_state_policies();
    let cases = sum_in_parallel("three-state models", THREE_STATE_MODELS, |index| {
        let model = three_state(index);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        prove(&model, &comparators, &policies, &mut scratch)
    });
    println!("Lemmas 4.1 and 4.2 proved for all real θ, β on {cases} three-state cases");
    assert_eq!(cases, 729 * 4 * 4 * 4);
    counts::hold(
        "exhaustive",
        "every deterministic MDP with three states and two actions, four rewards, with π* and π₁",
        &[("Lemma 4.1", cases), ("Lemma 4.2", cases)],
    );
}

#[test]
fn lemmas_4_1_and_4_2_on_low_rank_linear_mdps() {
    let (comparators, policies) = (two_state_comparators(), two_state_policies());
    let cases = sum_in_parallel("low-rank models", 81 * 9 * 9, |index| {
        let Some(model) = low_rank(index) else { return 0 };
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        model.mdp().validate(&mut scratch).unwrap();
        prove(&model, &comparators, &policies, &mut scratch)
    });
    println!("Lemmas 4.1 and 4.2 proved for all real θ, β on {cases} low-rank cases");
    assert_eq!(cases, 78 * 81 * 5 * 9);
    counts::hold(
        "exhaustive",
        "every linear MDP of a family with two features for four pairs, with π* and π₁",
        &[("Lemma 4.1", cases), ("Lemma 4.2", cases)],
    );
}

/// The whole functions, T = 1, 2, 3, at points that are not basis points.
#[test]
fn whole_functions_agree() {
    let (comparators, all, powers) = (two_state_comparators(), two_state_policies(), two_state_powers());
    for index in (0..TWO_STATE_MODELS).step_by(61) {
        let model = two_state(index).with_diagonal(&powers[index % 2]);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        let outer = index % 3 + 1;
        let sequence: Vec<Q> = (0..outer).flat_map(|t| all[(index + 4 * t) % 9].clone()).collect();
        let (thetas, betas) = (point(4 * outer, index), point(4 * outer, index + 1));
        let sides = Sides::new(&model, &comparators[index % 5], &sequence, &thetas, &betas, &mut scratch);
        assert!(sides.hold(), "model {index}");
    }
}

/// (21): the three differences of f are the three regrets, one by one.
#[test]
fn telescoping_gives_the_three_regrets() {
    let (comparators, all, powers) = (two_state_comparators(), two_state_policies(), two_state_powers());
    for index in (0..TWO_STATE_MODELS).step_by(61) {
        let model = two_state(index).with_diagonal(&powers[index % 2]);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        let saddle = Saddle::new(model.mdp(), &model.power).unwrap();
        let (comparator, policy) = (&comparators[index % 5], &all[index % 9]);
        let (theta, beta) = (point(4, index), point(4, index + 1));
        let star = beta_star(&saddle, comparator, &mut &mut scratch[..]).unwrap().to_vec();
        let theta_star = theta_of_policy(saddle.mdp(), policy, &mut &mut scratch[..]).unwrap().to_vec();
        let differences =
            telescoped(&saddle, (&theta, &beta, policy), (&theta_star, &star, comparator), &mut scratch).unwrap();
        let [of_theta, of_beta, of_pi] = Sides::new(&model, comparator, policy, &theta, &beta, &mut scratch).regrets;
        assert_eq!(differences, [of_pi, of_beta, of_theta], "model {index}");
    }
}

/// Second differences vanish: along any two directions in θ, or in β, every side is affine.
#[test]
fn both_sides_are_affine() {
    let (comparators, all, powers) = (two_state_comparators(), two_state_policies(), two_state_powers());
    for index in (0..TWO_STATE_MODELS).step_by(401) {
        let model = two_state(index).with_diagonal(&powers[index % 2]);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        let mut sides = |theta: &[Q], beta: &[Q]| {
            let s = Sides::new(&model, &comparators[index % 5], &all[index % 9], theta, beta, &mut scratch);
            [s.gap, s.suboptimality, s.regrets[0], s.regrets[1], s.regrets[2]]
        };
        let [origin, u, w, other] = [1, 2, 3, 4].map(|k| point(4, index + k));
        let plus = |a: &[Q], b: &[Q]| a.iter().zip(b).map(|(x, y)| *x + y).collect::<Vec<_>>();
        let (one, two, both) = (plus(&origin, &u), plus(&origin, &w), plus(&plus(&origin, &u), &w));
        for in_theta in [true, false] {
            let mut at = |p: &[Q]| if in_theta { sides(p, &other) } else { sides(&other, p) };
            let [a, b, c, d] = [&origin, &one, &two, &both].map(|p| at(p));
            for side in 0..5 {
                assert_eq!(d[side] - b[side] - c[side] + a[side], Q::zero(), "model {index} side {side}");
            }
        }
    }
}

/// 10⁸ cases: T = 3 on every two-state MDP, both c, every comparator, every sequence (π₁, π₂, π₃). A term of the gap and
/// of the regrets depends on its own t only, so each sequence is checked by adding the terms that [`Row`] tabulates.
#[test]
#[ignore = "minutes: run with --release -- --ignored"]
fn lemmas_4_1_and_4_2_on_every_sequence_of_three_policies() {
    let (comparators, all, powers) = (two_state_comparators(), two_state_policies(), two_state_powers());
    let cases = sum_in_parallel("three-step sequences", 2 * TWO_STATE_MODELS, |index| {
        let model = two_state(index / 2).with_diagonal(&powers[index % 2]);
        let mut scratch = vec![Q::zero(); model.shape.scratch()];
        comparators.iter().map(|comparator| sequences(&model, comparator, &all, index, &mut scratch)).sum()
    });
    println!("Lemmas 4.1 and 4.2 checked on {cases} (model, π*, π₁π₂π₃) cases");
    assert_eq!(cases, 2 * 19_683 * 5 * 729);
}

/// The sums over t, for every sequence of three policies, at one (θ, β) per policy and model.
fn sequences(model: &Model, comparator: &[Q], all: &[Vec<Q>], index: usize, scratch: &mut [Q]) -> u64 {
    let terms: Vec<Sides> = all
        .iter()
        .enumerate()
        .map(|(k, policy)| {
            let (theta, beta) = (point(4, index + k), point(4, index + k + 5));
            Sides::new(model, comparator, policy, &theta, &beta, scratch)
        })
        .collect();
    for code in 0..729 {
        let chosen = [code % 9, code / 9 % 9, code / 81].map(|k| &terms[k]);
        let [mut gap, mut suboptimality, mut regrets] = [Q::zero(); 3];
        for sides in chosen {
            gap += sides.gap;
            suboptimality += sides.suboptimality;
            regrets += sides.regrets[0] + sides.regrets[1] + sides.regrets[2];
        }
        assert!(gap == suboptimality && gap == regrets, "model {index}, sequence {code}");
    }
    729
}
