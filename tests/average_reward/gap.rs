//! Lemmas C.3 and C.4.

use crate::model::*;
use offline_primal_dual::paper::average_reward::duality_gap::*;
use offline_primal_dual::paper::average_reward::lagrangian::Saddle;
use offline_primal_dual::paper::average_reward::regret::*;
use offline_primal_dual::paper::mdp::Shape;

/// A run's iterates, none of them produced by an algorithm: the lemmas hold for all.
struct Run {
    rhos: Vec<Q>,
    thetas: Vec<Q>,
    betas: Vec<Q>,
    policies: Vec<Q>,
}

impl Run {
    fn random(shape: Shape, outer: usize, draw: &mut Draw) -> Self {
        Self {
            rhos: draw.vector(outer),
            thetas: draw.vector(outer * shape.dim),
            betas: draw.vector(outer * shape.dim),
            policies: draw.distributions(outer * shape.states, shape.actions, 0),
        }
    }

    fn iterates(&self, model: &Model) -> Iterates<'_, Q> {
        Iterates::new(&model.linear(), &self.rhos, &self.thetas, &self.betas, &self.policies).unwrap()
    }
}

/// Lemma C.3 for any unichain comparator and any shift of θ*, and Lemma C.4's decomposition, with a symmetric
/// invertible matrix in the place of Λ^c.
#[test]
fn gap_is_suboptimality_and_the_sum_of_four_regrets() {
    let mut draw = Draw(29);
    for model in models(25) {
        let (linear, shape, mut scratch) = (model.linear(), model.shape, model.scratch());
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let outer = 3;
        let run = Run::random(shape, outer, &mut draw);
        let iterates = run.iterates(&model);
        let policy = model.random_policy(&mut draw);
        let beta = beta_star(&saddle, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        let (rhos, thetas) = rho_theta_stars(&saddle, &iterates, &mut &mut scratch[..]).unwrap();
        let (rhos, thetas) = (rhos.to_vec(), thetas.to_vec());
        for theta in thetas.chunks(shape.dim) {
            let action = image(&model.features, theta);
            assert!(action.iter().all(|x| *x >= q(0, 1)) && action.contains(&q(0, 1)), "the least action value is 0");
        }
        let stars = Comparators { policy: &policy, beta: &beta, rhos: &rhos, thetas: &thetas };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, &mut scratch).unwrap();
        assert_eq!(gap, average_suboptimality(&linear, &policy, &iterates, &mut scratch).unwrap());
        let sum = theta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + rho_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + beta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + policy_regret(&linear, &iterates, &policy, &mut scratch).unwrap();
        assert_eq!(gap, sum);
        let mut moved = thetas.clone();
        for row in moved.chunks_mut(shape.dim) {
            let c = draw.number();
            row.iter_mut().zip(&model.varrho).for_each(|(t, r)| *t = t.clone() + r.clone() * &c);
        }
        let shifted = Comparators { thetas: &moved, ..stars };
        assert_eq!(gap, dynamic_duality_gap(&saddle, &iterates, &shifted, &mut scratch).unwrap());
    }
}

/// Lemma C.4's proof: its two differences of f are the β- and π-terms, and the ρ- and θ-terms.
#[test]
fn the_two_halves_of_the_decomposition() {
    let mut draw = Draw(31);
    for model in models(25) {
        let (linear, shape, mut scratch) = (model.linear(), model.shape, model.scratch());
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(linear, &model.varrho, &power).unwrap();
        let run = Run::random(shape, 1, &mut draw);
        let iterates = run.iterates(&model);
        let policy = model.random_policy(&mut draw);
        let beta = beta_star(&saddle, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        // ρ* and θ* are free in this step.
        let (rho, theta) = (draw.vector(1), draw.vector(shape.dim));
        let stars = Comparators { policy: &policy, beta: &beta, rhos: &rho, thetas: &theta };
        let [first, second] = telescoped(
            &saddle,
            (&run.rhos[0], &run.thetas, &run.betas, &run.policies),
            (&rho[0], &theta, &beta, &policy),
            &mut scratch,
        )
        .unwrap();
        let primal = beta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + policy_regret(&linear, &iterates, &policy, &mut scratch).unwrap();
        let dual = rho_regret(&saddle, &iterates, &stars, &mut scratch).unwrap()
            + theta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap();
        assert_eq!((first.clone(), second.clone()), (primal, dual));
        assert_eq!(first + second, dynamic_duality_gap(&saddle, &iterates, &stars, &mut scratch).unwrap());
    }
}

/// The last step of Lemma C.4: with ρ_t and θ_t the averages of K inner iterates, the ρ- and θ-regrets are averages
/// over all TK of them, at the same gradients.
#[test]
fn regrets_over_inner_iterates() {
    let mut draw = Draw(37);
    for model in models(12) {
        let (shape, mut scratch, inner) = (model.shape, model.scratch(), 3);
        let power = draw.power(shape.dim);
        let saddle = Saddle::new(model.linear(), &model.varrho, &power).unwrap();
        let mut fine = Run::random(shape, inner, &mut draw);
        let third = q(1, 3);
        let average = |rows: &[Q]| -> Vec<Q> {
            let width = rows.len() / inner;
            (0..width).map(|j| (0..inner).fold(q(0, 1), |sum, i| sum + &rows[i * width + j]) * &third).collect()
        };
        let (beta, policy) = (fine.betas[..shape.dim].to_vec(), fine.policies[..shape.pairs()].to_vec());
        (fine.betas, fine.policies) = (repeat(&beta, inner), repeat(&policy, inner));
        let coarse = Run { rhos: average(&fine.rhos), thetas: average(&fine.thetas), betas: beta, policies: policy };
        let (rho, theta) = (draw.vector(1), draw.vector(shape.dim));
        let unread = zeros(shape.pairs());
        let mut regrets = |run: &Run, times: usize| {
            let (rhos, thetas) = (repeat(&rho, times), repeat(&theta, times));
            let stars = Comparators { policy: &unread, beta: &theta, rhos: &rhos, thetas: &thetas };
            let iterates = run.iterates(&model);
            let of_rho = rho_regret(&saddle, &iterates, &stars, &mut scratch).unwrap();
            (of_rho, theta_regret(&saddle, &iterates, &stars, &mut scratch).unwrap())
        };
        assert_eq!(regrets(&coarse, 1), regrets(&fine, inner));
    }
}
